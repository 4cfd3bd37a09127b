//! From the file as written to a scenario: names found, units settled, defaults filled in.

mod contact;
mod joint;
mod shape;

use std::collections::{BTreeMap, BTreeSet};

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{Body, Harmonic, Load, Vector, WORLD};
use carom_sim::Options;

use self::contact::shape_names;
use super::raw::{RawBody, RawLoad, RawRun, RawScenario, SeveralName, SimultaneousName, SpaceName};
use super::value::{Named, Pair, Varying};
use super::{MAX_PARTS, Placed, Scenario, Start};
use crate::InputError;
use crate::document::unknown;

/// Gravity where the file gives none (m/s²).
const GRAVITY: [f64; 2] = [0.0, -9.81];
/// Tolerance where the file gives none: ten digits of the impact times.
const TOLERANCE: f64 = 1e-12;
/// Rows of the trajectory where the file gives none.
const SAMPLES: usize = 1200;
/// Events allowed where the file gives none.
const MAX_EVENTS: usize = 100_000;

/// Binds the names of a scenario and fills in its defaults.
pub(super) fn bind(raw: RawScenario, file: Placed) -> Result<Scenario, InputError> {
    let (None | Some(SpaceName::Plane)) = raw.space; // the one space there is
    refuse_crowds(&raw, &file)?;
    let binder = Binder::new(&raw, &file)?;
    let mut starts = Vec::new();
    let bodies = each(raw.bodies, |name, body| {
        binder.body(name, body, &mut starts)
    })?;
    let joints = each(raw.joints, |name, joint| {
        binder.joint(name, joint, &mut starts)
    })?;
    let world = raw.world.map(|world| world.shapes).unwrap_or_default();
    let world_shapes = binder.shapes("world.shapes", world)?;
    let shapes = shape_names(&bodies, &world_shapes);
    let contacts = each(raw.contacts, |name, contact| {
        binder.contact(name, &contact, &shapes)
    })?;
    let loads = each(raw.loads, |name, load| binder.load(name, load))?;
    Ok(Scenario {
        title: raw.title,
        gravity: raw.gravity.map_or(GRAVITY, |g| g.0),
        bodies,
        world_shapes,
        joints,
        contacts,
        loads,
        starts,
        options: options(&raw.run),
        file,
    })
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
    let (None | Some(SimultaneousName::Complementarity)) = raw.simultaneous; // the one method
    let (None | Some(SeveralName::Stop)) = raw.several_answers; // the one policy
    Options {
        duration: raw.duration.0,
        tolerance: raw.tolerance.map_or(TOLERANCE, |x| x.0),
        samples: raw.samples.map_or(SAMPLES, |n| n.0),
        max_events: raw.max_events.map_or(MAX_EVENTS, |n| n.0),
    }
}

/// What binding one part needs to know of the others.
struct Binder<'a> {
    file: &'a Placed,
    /// The world, then the bodies in file order.
    names: Vec<String>,
    known: BTreeSet<String>,
    /// The joint that leads to a body.
    leading: BTreeMap<String, String>,
}

impl<'a> Binder<'a> {
    fn new(raw: &RawScenario, file: &'a Placed) -> Result<Self, InputError> {
        let mut names = vec![WORLD.to_owned()];
        for (name, _) in &raw.bodies.0 {
            if name == WORLD {
                let message = "this name is the world's, expected another";
                return Err(file.key_error("bodies.world", message));
            }
            names.push(name.clone());
        }
        let joints = raw.joints.0.iter();
        Ok(Self {
            file,
            known: names.iter().cloned().collect(),
            names,
            leading: joints
                .map(|(name, joint)| (joint.child.clone(), name.clone()))
                .collect(),
        })
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
    ) -> Result<Body<Plane>, InputError> {
        let path = format!("bodies.{name}");
        if let Some(start) = &raw.start {
            let path = format!("{path}.start");
            if let Some(joint) = self.leading.get(name) {
                let message = format!(
                    "joint {joint} leads to this body, expected its start at joints.{joint}.start"
                );
                return Err(self.file.key_error(&path, message));
            }
            let start = self.start(&path, start, PlaneJoint::Free)?;
            starts.push((name.to_owned(), start));
        }
        Ok(Body {
            center: vector(raw.center),
            shapes: self.shapes(&format!("{path}.shapes"), raw.shapes)?,
            ..Body::new(raw.mass.0, raw.inertia.0)
        })
    }

    fn load(&self, name: &str, raw: RawLoad) -> Result<Load<Plane>, InputError> {
        let path = format!("loads.{name}.body");
        if raw.body == WORLD {
            let message = "a load acts on a body, expected another name than \"world\"";
            return Err(self.file.error(&path, message));
        }
        self.known(&path, &raw.body)?;
        Ok(Load {
            at: vector(raw.at),
            force: harmonic(raw.force, |pair| Vector(pair.0)),
            torque: harmonic(raw.torque, |number| number.0),
            ..Load::new(&raw.body)
        })
    }
}

fn vector(pair: Option<Pair>) -> Vector<2> {
    Vector(pair.map_or([0.0; 2], |pair| pair.0))
}

fn harmonic<R, T: Default>(raw: Option<Varying<R>>, value: impl Fn(R) -> T) -> Harmonic<T> {
    let Some(raw) = raw else {
        return Harmonic {
            constant: T::default(),
            amplitude: T::default(),
            frequency: 0.0,
            phase: 0.0,
        };
    };
    Harmonic {
        constant: raw.constant.map(&value).unwrap_or_default(),
        amplitude: raw.amplitude.map(&value).unwrap_or_default(),
        frequency: raw.frequency,
        phase: raw.phase,
    }
}
