//! The forward problem file, key by key, as it is written.

use carom_contact::forward::ForwardProblem;
use carom_contact::forward::rod::Rod;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::space::SpatialForwardProblem;
use carom_contact::impact::Law;
use schemars::JsonSchema;
use serde::Deserialize;

use super::contact::{Contacts, RawContact};
use super::{ForwardForm, JumpLaw};
use crate::InputError;
use crate::names::{Name, PathLaw};
use crate::problem::RawFriction;
use crate::scenario::spot::{Placed, Spot};
use crate::scenario::value::{Angle, Fraction, Quantity, Unit};

/// Accelerations with Coulomb friction: `A q̈ + b + f = τ + Σ Jᵀλ`, `f_i = μ_i sgn(q̇_i) |C q̈ + d|_i`.
///
/// SI units. Written out with `inertia` and the keys beside it, or as a `screw` or a `rod`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Carom forward problem")]
pub(crate) struct RawForward {
    /// A title to show above the answers.
    pub(super) title: Option<String>,
    /// Inertia A, n rows of n numbers, symmetric and positive definite.
    #[schemars(length(min = 1))]
    pub(super) inertia: Option<Vec<Vec<f64>>>,
    /// Coriolis, centrifugal and gravity terms b, n numbers. Default: zero.
    bias: Option<Vec<f64>>,
    /// C of the loads `N = C q̈ + d`, n rows of n numbers. Required with friction.
    load_matrix: Option<Vec<Vec<f64>>>,
    /// d of the loads, n numbers. Required with friction.
    load_offset: Option<Vec<f64>>,
    /// Coefficient of each coordinate: a number, or a static and a kinetic one. Default: no friction in
    /// coordinates.
    friction: Option<Vec<RawFriction>>,
    /// Velocity of each coordinate, or its sign; 0 is rest. Required with friction.
    velocity: Option<Vec<f64>>,
    /// Applied forces τ, n numbers.
    #[schemars(length(min = 1))]
    force: Option<Vec<f64>>,
    /// Unilateral contacts that are closed. Default: none.
    contacts: Option<Vec<RawContact>>,
    /// Coefficient of restitution of the impact that may follow at a contact, from 0 to 1. Default: 0.
    restitution: Option<Fraction>,
    /// Law of restitution of that impact. Default: poisson.
    law: Option<Name<PathLaw>>,
    /// A mass raised by a screw, in place of the keys above.
    screw: Option<RawScrew>,
    /// A rod whose tip touches a floor, in place of the keys above.
    rod: Option<RawRod>,
}

/// A mass raised by a screw; its coordinate is the angle of the screw, plus raises.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Screw")]
struct RawScrew {
    /// Rotational inertia of the screw (kg·m²).
    inertia: f64,
    /// Mass that is raised (kg).
    mass: f64,
    /// Lead (m per radian).
    lead: f64,
    /// Helix angle, between 0 and 90 deg.
    helix: Angle,
    /// Thread angle, from 0 to below 90 deg. Default: 0, a square thread.
    thread: Option<Angle>,
    /// Coefficient of friction of the thread, or a static and a kinetic one.
    friction: RawFriction,
    /// Gravity (m/s²). Default: 9.81.
    gravity: Option<f64>,
    /// Velocity of the screw, or its sign; 0 is rest.
    velocity: f64,
    /// Torque on the screw (N·m).
    force: f64,
}

/// A rod whose tip touches a rough floor; mass centre at tip + half_length (cos, sin) of the angle.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Rod")]
struct RawRod {
    /// Mass (kg).
    mass: f64,
    /// Distance from the tip to the mass centre (m).
    half_length: f64,
    /// Inertia about the mass centre (kg·m²). Default: that of a uniform rod.
    inertia: Option<f64>,
    /// Angle from the floor to the rod.
    angle: Angle,
    /// Its rate (rad/s), or a text such as "90 deg/s". Default: 0.
    rate: Option<Quantity>,
    /// Velocity of the tip along the floor, to the right (m/s).
    slip: f64,
    /// Coefficient of friction of the tip, or a static and a kinetic one.
    friction: RawFriction,
    /// Gravity (m/s²). Default: 9.81.
    gravity: Option<f64>,
    /// Force [fx, fy] at the mass centre (N). Default: none.
    force: Option<[f64; 2]>,
    /// Torque (N·m). Default: 0.
    torque: Option<f64>,
    /// Coefficient of restitution of the impact that may follow, from 0 to 1. Default: 0.
    restitution: Option<Fraction>,
    /// Law of restitution of that impact. Default: poisson.
    law: Option<Name<PathLaw>>,
}

/// Gravity where the file gives none (m/s²).
const GRAVITY: f64 = 9.81;

impl RawForward {
    /// The one form the file is written in.
    pub(super) fn form(self, file: &Placed) -> Result<ForwardForm, InputError> {
        let given = [
            ("screw", self.screw.is_some()),
            ("rod", self.rod.is_some()),
            ("inertia", self.inertia.is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
        match (given.next(), given.next()) {
            (Some((first, _)), Some((second, _))) => {
                let message = format!(
                    "the problem is written as \"{first}\" already, expected one of screw, rod, \
                     inertia"
                );
                return Err(file.key_error(second, message));
            }
            (None, _) => return Err(file.error("", NOTHING)),
            _ => {}
        }
        self.refuse_beside(file)?;
        self.check_loads(file)?;
        if self.inertia.is_some() {
            return self.general(file);
        }
        match (self.screw, self.rod) {
            (Some(screw), _) => Ok(ForwardForm::Screw(screw.build())),
            (None, Some(rod)) => Ok(ForwardForm::Rod(Box::new(rod.build(file)?))),
            _ => Err(file.error("", NOTHING)),
        }
    }

    /// The form in matrices, of the plane or of space.
    fn general(self, file: &Placed) -> Result<ForwardForm, InputError> {
        let missing = || file.error("", "the key \"force\" is missing, expected n numbers");
        let force = self.force.ok_or_else(missing)?;
        let friction = self.friction.unwrap_or_default().into_iter();
        let mut system = ForwardProblem {
            bias: self.bias.unwrap_or_else(|| vec![0.0; force.len()]),
            inertia: self.inertia.unwrap_or_default(),
            load_matrix: self.load_matrix.unwrap_or_default(),
            load_offset: self.load_offset.unwrap_or_default(),
            friction: friction.map(|given| given.0).collect(),
            velocity: self.velocity.unwrap_or_default(),
            force,
            contacts: Vec::new(),
        };
        let after = JumpLaw {
            restitution: self.restitution.map_or(0.0, |x| x.0),
            law: self.law.and_then(Name::law).unwrap_or(Law::Poisson),
        };
        Ok(
            match Contacts::build(self.contacts.unwrap_or_default(), file)? {
                Contacts::Plane(contacts) => {
                    system.contacts = contacts;
                    ForwardForm::General {
                        problem: Box::new(system),
                        restitution: after.restitution,
                        law: after.law,
                    }
                }
                Contacts::Space(contacts) => ForwardForm::Space {
                    problem: Box::new(SpatialForwardProblem { system, contacts }),
                    after,
                },
            },
        )
    }

    /// Loads belong to friction in the coordinates: all keys or none.
    fn check_loads(&self, file: &Placed) -> Result<(), InputError> {
        let loads = [
            ("load_matrix", self.load_matrix.is_some()),
            ("load_offset", self.load_offset.is_some()),
        ];
        if self.friction.as_ref().is_none_or(Vec::is_empty) {
            let beside = loads.into_iter().find(|(_, is_given)| *is_given);
            return beside.map_or(Ok(()), |(key, _)| {
                let message = "loads have no friction, expected the key \"friction\" beside them";
                Err(file.key_error(key, message))
            });
        }
        let keys = loads
            .into_iter()
            .chain([("velocity", self.velocity.is_some())]);
        match keys.into_iter().find(|(_, is_given)| !is_given) {
            None => Ok(()),
            Some((key, _)) => {
                let message =
                    format!("the key \"{key}\" is missing, expected it with \"friction\"");
                Err(file.error(key, message))
            }
        }
    }

    /// Refuses keys of the general form beside a shorthand.
    fn refuse_beside(&self, file: &Placed) -> Result<(), InputError> {
        if self.inertia.is_some() {
            return Ok(());
        }
        let keys = [
            ("bias", self.bias.is_some()),
            ("load_matrix", self.load_matrix.is_some()),
            ("load_offset", self.load_offset.is_some()),
            ("friction", self.friction.is_some()),
            ("velocity", self.velocity.is_some()),
            ("force", self.force.is_some()),
            ("contacts", self.contacts.is_some()),
            ("restitution", self.restitution.is_some()),
            ("law", self.law.is_some()),
        ];
        match keys.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((key, _)) => {
                let message =
                    "this key belongs beside \"inertia\", expected it inside the screw or rod";
                Err(file.key_error(key, message))
            }
        }
    }
}

const NOTHING: &str = "there is no problem, expected the key inertia (with force and the keys beside \
                       it), screw or rod, or delassus and drift";

impl RawScrew {
    fn build(self) -> Screw {
        Screw {
            inertia: self.inertia,
            mass: self.mass,
            lead: self.lead,
            helix: self.helix.0,
            thread: self.thread.map_or(0.0, |x| x.0),
            friction: self.friction.0,
            gravity: self.gravity.unwrap_or(GRAVITY),
            velocity: self.velocity,
            force: self.force,
        }
    }
}

impl RawRod {
    fn build(self, file: &Placed) -> Result<Rod, InputError> {
        let spot = Spot {
            file,
            path: "rod.rate".to_owned(),
        };
        let rate = match self.rate {
            Some(Quantity {
                unit: Unit::Angle, ..
            }) => return Err(spot.expected("a number (rad/s) or a text such as \"90 deg/s\"")),
            rate => rate.map_or(0.0, |rate| rate.value),
        };
        let uniform = Rod::uniform_inertia(self.mass, self.half_length);
        Ok(Rod {
            mass: self.mass,
            half_length: self.half_length,
            inertia: self.inertia.unwrap_or(uniform),
            angle: self.angle.0,
            rate,
            slip: self.slip,
            friction: self.friction.0,
            gravity: self.gravity.unwrap_or(GRAVITY),
            force: self.force.unwrap_or_default(),
            torque: self.torque.unwrap_or(0.0),
            restitution: self.restitution.map_or(0.0, |x| x.0),
            law: self.law.and_then(Name::law).unwrap_or(Law::Poisson),
        })
    }
}
