//! From the file as written to a scenario: names found, units settled, defaults filled in.

mod contact;
mod friction;
mod joint;
mod order;
mod shape;
mod start;

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use carom_contact::impact::Method;
use carom_multibody::plane::Plane;
use carom_multibody::space::Space;
use carom_multibody::{Body, Harmonic, Load, WORLD};
use carom_sim::{Options, Several};

use self::contact::shape_names;
use super::dialect::Dialect;
use super::raw::{KindName, RawBody, RawLoad, RawRun, RawScenario, SeveralName, SpaceName};
use super::spot::{Placed, Spot};
use super::value::{Named, RawRotation, Tuple, Varying};
use super::{MAX_PARTS, Mechanics, Pairing, Parts, Scenario, Start};
use crate::InputError;
use crate::document::unknown;
use crate::names::Name;

/// Tolerance where the file gives none: ten digits of the impact times.
const TOLERANCE: f64 = 1e-12;
/// Rows of the trajectory where the file gives none.
const SAMPLES: usize = 1200;
/// Events allowed where the file gives none.
const MAX_EVENTS: usize = 100_000;

/// Binds the names of a scenario and fills in its defaults.
pub(super) fn bind(mut raw: RawScenario, file: Placed) -> Result<Scenario, InputError> {
    refuse_crowds(&raw, &file)?;
    let title = raw.title.take();
    let has_duration = raw.run.duration.is_some();
    let options = options(&raw.run);
    order::refuse(&raw, &file)?;
    let (mechanics, contacts) = match raw.space.unwrap_or(SpaceName::Plane) {
        SpaceName::Plane => {
            let (parts, contacts) = bind_in::<Plane>(raw, &file)?;
            (Mechanics::Plane(parts), contacts)
        }
        SpaceName::Space => {
            let (parts, contacts) = bind_in::<Space>(raw, &file)?;
            (Mechanics::Space(parts), contacts)
        }
    };
    Ok(Scenario {
        title,
        mechanics,
        contacts,
        options,
        has_duration,
        file,
    })
}

/// Contacts by name.
type Pairings = Vec<(String, Pairing)>;

fn bind_in<A: Dialect>(
    raw: RawScenario,
    file: &Placed,
) -> Result<(Parts<A>, Pairings), InputError> {
    let binder = Binder::<A>::new(&raw, file)?;
    let mut starts = Vec::new();
    let gravity = binder.spot("gravity".to_owned());
    let gravity = raw.gravity.map(|g| binder.vector(&gravity, Some(g)));
    let bodies = each(raw.bodies, |name, body| {
        binder.body(name, body, &mut starts)
    })?;
    let frictions = binder.frictions(&raw.joints)?;
    let joints = each(raw.joints, |name, joint| {
        binder.joint(name, joint, &mut starts)
    })?;
    let world = raw.world.map(|world| world.shapes).unwrap_or_default();
    let world_shapes = binder.shapes("world.shapes", world)?;
    let shapes = shape_names(&bodies, &world_shapes);
    let contacts = each(raw.contacts, |name, contact| {
        binder.contact(name, &contact, &shapes)
    })?;
    let parts = Parts {
        gravity: gravity.transpose()?.unwrap_or(A::GRAVITY),
        bodies,
        world_shapes,
        joints,
        loads: each(raw.loads, |name, load| binder.load(name, load))?,
        starts,
        frictions,
    };
    Ok((parts, contacts))
}

fn each<R, T>(
    named: Named<R>,
    mut bind: impl FnMut(&str, R) -> Result<T, InputError>,
) -> Result<Vec<(String, T)>, InputError> {
    let bound = named.0.into_iter().map(|(name, raw)| {
        let part = bind(&name, raw)?;
        Ok((name, part))
    });
    bound.collect()
}

/// States the limits before work is done that grows with the count.
fn refuse_crowds(raw: &RawScenario, file: &Placed) -> Result<(), InputError> {
    let counts = [
        ("bodies", raw.bodies.0.len()),
        ("joints", raw.joints.0.len()),
        ("contacts", raw.contacts.0.len()),
        ("loads", raw.loads.0.len()),
    ];
    for (what, count) in counts {
        if count > MAX_PARTS {
            let message = format!("found {count} {what}, expected at most {MAX_PARTS}");
            return Err(file.error(what, message));
        }
    }
    match raw.bodies.0.is_empty() {
        true => Err(file.error("bodies", "there is no body, expected at least one")),
        false => Ok(()),
    }
}

fn options(raw: &RawRun) -> Options {
    Options {
        simultaneous: raw
            .simultaneous
            .map_or(Method::Complementarity, Name::method),
        order: raw.order.clone().unwrap_or_default(),
        several: match raw.several_answers {
            None | Some(SeveralName::Stop) => Several::Stop,
            Some(SeveralName::Keep) => Several::Keep,
            Some(SeveralName::LiftOff) => Several::LiftOff,
        },
        duration: raw.duration.map_or(Options::default().duration, |x| x.0),
        tolerance: raw.tolerance.map_or(TOLERANCE, |x| x.0),
        samples: raw.samples.map_or(SAMPLES, |n| n.0),
        max_events: raw.max_events.map_or(MAX_EVENTS, |n| n.0),
        assemble: raw.assemble.unwrap_or(false),
        sustained: true,
    }
}

/// What binding one part needs to know of the others.
struct Binder<'a, A> {
    space: PhantomData<A>,
    file: &'a Placed,
    /// The world, then the bodies in file order.
    names: Vec<String>,
    known: BTreeSet<String>,
    /// The joint of the tree that leads to a body: the first.
    leading: BTreeMap<String, String>,
}

impl<'a, A: Dialect> Binder<'a, A> {
    fn new(raw: &RawScenario, file: &'a Placed) -> Result<Self, InputError> {
        let mut names = vec![WORLD.to_owned()];
        for (name, _) in &raw.bodies.0 {
            if name == WORLD {
                let message = "this name is the world's, expected another";
                return Err(file.key_error("bodies.world", message));
            }
            names.push(name.clone());
        }
        let mut leading = BTreeMap::new();
        for (name, joint) in &raw.joints.0 {
            leading
                .entry(joint.child.clone())
                .or_insert_with(|| name.clone());
        }
        Ok(Self {
            space: PhantomData,
            file,
            known: names.iter().cloned().collect(),
            names,
            leading,
        })
    }

    fn spot(&self, path: String) -> Spot<'a> {
        let file = self.file;
        Spot { file, path }
    }

    /// A vector with as many numbers as the space has directions; zero where there is none.
    fn vector(&self, spot: &Spot<'_>, tuple: Option<Tuple>) -> Result<A::Vector, InputError> {
        match tuple {
            None => Ok(A::Vector::default()),
            Some(tuple) => A::vector(tuple).ok_or_else(|| {
                let what = format!("{} {}", A::VECTOR, A::WHERE);
                spot.expected(&what)
            }),
        }
    }

    fn rotation(
        &self,
        spot: &Spot<'_>,
        raw: Option<RawRotation>,
    ) -> Result<A::Rotation, InputError> {
        match raw {
            None => Ok(A::Rotation::default()),
            Some(raw) => A::rotation(spot, raw),
        }
    }

    /// Refuses a body that does not exist.
    fn known(&self, path: &str, body: &str) -> Result<(), InputError> {
        if self.known.contains(body) {
            return Ok(());
        }
        let allowed: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Err(self.file.error(path, unknown("body", body, &allowed)))
    }

    fn body(
        &self,
        name: &str,
        raw: RawBody,
        starts: &mut Vec<(String, Start)>,
    ) -> Result<Body<A>, InputError> {
        let spot = self.spot(format!("bodies.{name}"));
        if let Some(start) = &raw.start {
            let spot = spot.key("start");
            if let Some(joint) = self.leading.get(name) {
                let message = format!(
                    "joint {joint} leads to this body, expected its start at joints.{joint}.start"
                );
                return Err(spot.key_error(message));
            }
            let start = self.start(&spot, start, KindName::Free)?;
            starts.push((name.to_owned(), start));
        }
        let inertia = A::inertia(&spot.key("inertia"), raw.inertia)?;
        Ok(Body {
            center: self.vector(&spot.key("center"), raw.center)?,
            shapes: self.shapes(&spot.key("shapes").path, raw.shapes)?,
            ..Body::new(raw.mass.0, inertia)
        })
    }

    fn load(&self, name: &str, raw: RawLoad) -> Result<Load<A>, InputError> {
        let spot = self.spot(format!("loads.{name}"));
        let body = spot.key("body");
        if raw.body == WORLD {
            let message = "a load acts on a body, expected another name than \"world\"";
            return Err(body.error(message));
        }
        self.known(&body.path, &raw.body)?;
        let force = |spot: &Spot<'_>, force| self.vector(spot, Some(force));
        let torque = |spot: &Spot<'_>, torque| {
            A::torque(torque).ok_or_else(|| spot.expected(&format!("{} {}", A::TORQUE, A::WHERE)))
        };
        Ok(Load {
            at: self.vector(&spot.key("at"), raw.at)?,
            force: harmonic(&spot.key("force"), raw.force, force)?,
            torque: harmonic(&spot.key("torque"), raw.torque, torque)?,
            ..Load::new(&raw.body)
        })
    }
}

/// A value that varies; `read` takes its parts from their places.
fn harmonic<R, T: Default>(
    spot: &Spot<'_>,
    raw: Option<Varying<R>>,
    read: impl Fn(&Spot<'_>, R) -> Result<T, InputError>,
) -> Result<Harmonic<T>, InputError> {
    let Some(raw) = raw else {
        return Ok(Harmonic::default());
    };
    let part = |key: &str, value: Option<R>| match value {
        None => Ok(T::default()),
        Some(value) => match spot.is_table() {
            true => read(&spot.key(key), value),
            false => read(spot, value),
        },
    };
    Ok(Harmonic {
        constant: part("constant", raw.constant)?,
        amplitude: part("amplitude", raw.amplitude)?,
        frequency: raw.frequency,
        phase: raw.phase,
    })
}
