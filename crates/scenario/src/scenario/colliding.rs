//! A scenario at its start as a collision: contacts by their shapes, or by point and normal.

use carom_multibody::mechanism::{PlaneMechanism, SpaceMechanism};
use carom_multibody::{Model, State, WORLD};
use carom_sim::Setup;

use super::dialect::{Dialect, Form};
use super::{Mechanics, Pairing, Parts, Scenario};
use crate::InputError;

/// Where a contact is at the start, and how its bodies push each other, in world axes; z is 0 in the
/// plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The point that both bodies share (m).
    pub point: [f64; 3],
    /// The normal, of any length but zero: it pushes the first body.
    pub normal: [f64; 3],
    /// Whether impulse and velocity count in lengths of the normal as it is written, not of one.
    pub is_raw: bool,
}

impl Spot {
    /// Length of the normal.
    pub fn length(&self) -> f64 {
        let [x, y, z] = self.normal;
        x.hypot(y).hypot(z)
    }
}

/// The start of a scenario with all its contacts.
#[derive(Debug, Clone)]
pub struct Colliding<M> {
    /// The mechanism with a point and a half-space for every contact by point and normal.
    pub setup: Setup<M>,
    /// Lengths of the normals, one per contact.
    pub lengths: Vec<f64>,
    /// The mechanism with the shapes of the file alone, to draw.
    pub bare: Setup<M>,
}

/// The start of a scenario as a collision, in the plane or in space.
#[derive(Debug, Clone)]
pub enum Collision {
    /// In the plane.
    Plane(Box<Colliding<PlaneMechanism>>),
    /// In space.
    Space(Box<Colliding<SpaceMechanism>>),
}

impl Scenario {
    /// The mechanism at its start, with the contacts by point and normal that only an instant has.
    pub fn collision(&self) -> Result<Collision, InputError> {
        self.refuse_friction("an impact")?;
        Ok(match &self.mechanics {
            Mechanics::Plane(parts) => Collision::Plane(Box::new(self.colliding(parts)?)),
            Mechanics::Space(parts) => Collision::Space(Box::new(self.colliding(parts)?)),
        })
    }

    /// Whether a contact is given by its point and normal, which a motion does not have.
    pub fn has_spots(&self) -> bool {
        self.contacts.iter().any(|(_, pair)| pair.spot.is_some())
    }

    /// Refuses contacts that are known at one instant only.
    pub(super) fn refuse_spots(&self) -> Result<(), InputError> {
        let given = |(_, pair): &&(String, Pairing)| pair.spot.is_some();
        let Some((name, _)) = self.contacts.iter().find(given) else {
            return Ok(());
        };
        let message = "a contact by its point and normal is known at the start only: `carom impact` \
                       solves that instant; expected a pair of shapes, as [\"body.shape\", \
                       \"world.shape\"]";
        let path = format!("contacts.{name}.point");
        Err(self.file.key_error(&path, message))
    }

    fn colliding<A: Dialect>(
        &self,
        parts: &Parts<A>,
    ) -> Result<Colliding<A::Mechanism>, InputError> {
        let mut bare = self.setup_with(parts, |pair| pair.spot.is_none())?;
        if !self.has_spots() {
            return Ok(Colliding {
                setup: bare.clone(),
                lengths: Vec::new(),
                bare,
            });
        }
        let (q, v) = bare.start().map_err(|error| self.locate(&error))?;
        let model = self.model(parts)?;
        let state = State::new(0.0, &q, &v);
        let parts = self.with_spots(parts, &model, state)?;
        let setup = self.setup_with(&parts, |_| true)?;
        let length = |rule: &carom_sim::Rule| {
            let mut named = self.contacts.iter().filter(|(name, _)| *name == rule.name);
            let spot = named.find_map(|(_, pair)| pair.spot);
            spot.filter(|spot| spot.is_raw)
                .map_or(1.0, |spot| spot.length())
        };
        let lengths = setup.rules.iter().map(length).collect();
        Ok(Colliding {
            setup,
            lengths,
            bare,
        })
    }

    /// The parts with a point on the first body and a half-space on the second for every contact by
    /// point and normal.
    fn with_spots<A: Dialect>(
        &self,
        parts: &Parts<A>,
        model: &Model<A>,
        state: State<'_>,
    ) -> Result<Parts<A>, InputError> {
        let mut parts = parts.clone();
        let mut work = model.workspace();
        let placed = model.place(&mut work, state);
        for (name, pair) in &self.contacts {
            let Some(spot) = pair.spot else {
                continue;
            };
            let elsewhere = || self.locate_pair(name, "there is no such body".to_owned());
            let mut put = |(body, shape): (&str, &str), is_point: bool| {
                let pose = placed.pose(model.body(body).ok_or_else(elsewhere)?);
                let at = pose.inside(A::of(spot.point));
                let normal = spot.normal.map(|x| x / spot.length());
                let form = match is_point {
                    true => Form::Point,
                    false => Form::HalfSpace {
                        normal: A::undo(pose.rotation, A::of(normal)),
                    },
                };
                let made = A::shape(form, at, A::Rotation::default());
                let shapes = match body {
                    WORLD => &mut parts.world_shapes,
                    _ => {
                        let mut bodies = parts.bodies.iter_mut();
                        let found = bodies.find(|(name, _)| name == body);
                        &mut found.ok_or_else(elsewhere)?.1.shapes
                    }
                };
                shapes.push((shape.to_owned(), made));
                Ok::<(), InputError>(())
            };
            put(pair.first(), true)?;
            put(pair.second(), false)?;
        }
        Ok(parts)
    }
}
