//! From the file as written to a scenario: names found, units settled, defaults filled in.

use std::collections::{BTreeMap, BTreeSet};

use carom_contact::impact::Law;
use carom_contact::space::Friction;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{Body, Drive, Harmonic, Joint, Limits, Load, Motion, Spring, Vector, WORLD};
use carom_sim::Options;

use super::raw::{
    ContactLaw, KindName, RawBody, RawContact, RawDrive, RawJoint, RawLimits, RawLoad, RawMotion,
    RawRun, RawScenario, RawShape, RawStart, SeveralName, SimultaneousName, SpaceName,
};
use super::value::{Named, Pair, Quantities, Quantity, Unit, Varying};
use super::{MAX_PARTS, MAX_VERTICES, Pairing, Placed, Scenario, Start};
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

type Shapes = Vec<(String, Shape)>;

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

/// Names of the shapes of every body and of the world.
type ShapeNames = BTreeMap<String, Vec<String>>;

fn shape_names(bodies: &[(String, Body<Plane>)], world: &Shapes) -> ShapeNames {
    let names = |shapes: &Shapes| shapes.iter().map(|(name, _)| name.clone()).collect();
    let mut found: ShapeNames = bodies
        .iter()
        .map(|(name, body)| (name.clone(), names(&body.shapes)))
        .collect();
    found.insert(WORLD.to_owned(), names(world));
    found
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

    fn shapes(&self, path: &str, raw: Named<RawShape>) -> Result<Shapes, InputError> {
        each(raw, |name, shape| {
            self.shape(&format!("{path}.{name}"), shape)
        })
    }

    fn shape(&self, path: &str, raw: RawShape) -> Result<Shape, InputError> {
        let outlines = [
            raw.point.map(|_| Outline::Point),
            raw.disk.map(|disk| Outline::Disk {
                radius: disk.radius.0,
            }),
            raw.capsule.map(|capsule| Outline::Capsule {
                length: capsule.length.0,
                radius: capsule.radius.0,
            }),
            raw.r#box.map(|r#box| Outline::Box {
                size: Vector(r#box.size.0),
            }),
            raw.polygon.map(|polygon| Outline::Polygon {
                vertices: polygon.vertices.iter().map(|r| Vector(r.0)).collect(),
            }),
            raw.half_space.map(|half| Outline::HalfSpace {
                normal: Vector(half.normal.0),
            }),
        ];
        let mut given: Vec<Outline> = outlines.into_iter().flatten().collect();
        let (Some(outline), true) = (given.pop(), given.is_empty()) else {
            let message = format!(
                "found {} outlines, expected exactly one of point, disk, capsule, box, polygon, \
                 half_space",
                given.len() + usize::from(!given.is_empty())
            );
            return Err(self.file.error(path, message));
        };
        self.refuse_long(path, &outline)?;
        Ok(Shape {
            outline,
            at: vector(raw.at),
            angle: raw.angle.map_or(0.0, |angle| angle.0),
        })
    }

    fn refuse_long(&self, path: &str, outline: &Outline) -> Result<(), InputError> {
        match outline {
            Outline::Polygon { vertices } if vertices.len() > MAX_VERTICES => {
                let found = vertices.len();
                let message = format!("found {found} vertices, expected at most {MAX_VERTICES}");
                Err(self
                    .file
                    .error(&format!("{path}.polygon.vertices"), message))
            }
            _ => Ok(()),
        }
    }

    fn contact(
        &self,
        name: &str,
        raw: &RawContact,
        shapes: &ShapeNames,
    ) -> Result<Pairing, InputError> {
        let path = format!("contacts.{name}");
        let [first, second] = &raw.between[..] else {
            let found = raw.between.len();
            let message =
                format!("found {found} shapes, expected two, as [\"body.shape\", \"world.shape\"]");
            return Err(self.file.error(&format!("{path}.between"), message));
        };
        let shape =
            |i: usize, text: &str| self.shape_of(&format!("{path}.between[{i}]"), text, shapes);
        let friction = raw.friction.unwrap_or_default();
        let friction = Friction::new(friction.mu_s, friction.mu_d);
        Ok(Pairing {
            first: shape(0, first)?,
            second: shape(1, second)?,
            law: raw.law.map_or(Law::Poisson, ContactLaw::law),
            restitution: raw.restitution.0,
            friction: friction.map_err(|error| {
                let path = format!("{path}.friction");
                self.file.error(&path, error.to_string())
            })?,
        })
    }

    /// Body and name of a shape written as `body.shape`.
    fn shape_of(
        &self,
        path: &str,
        text: &str,
        shapes: &ShapeNames,
    ) -> Result<(String, String), InputError> {
        let Some((body, name)) = text.split_once('.') else {
            let message = format!("found \"{text}\", expected a shape as \"body.shape\"");
            return Err(self.file.error(path, message));
        };
        self.known(path, body)?;
        let known = shapes.get(body).map_or(&[][..], Vec::as_slice);
        if known.is_empty() {
            let message = format!("{body} has no shapes, expected one in its table `shapes`");
            return Err(self.file.error(path, message));
        }
        if !known.iter().any(|shape| shape == name) {
            let allowed: Vec<&str> = known.iter().map(String::as_str).collect();
            let what = format!("shape of {body}");
            return Err(self.file.error(path, unknown(&what, name, &allowed)));
        }
        Ok((body.to_owned(), name.to_owned()))
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

    fn joint(
        &self,
        name: &str,
        raw: RawJoint,
        starts: &mut Vec<(String, Start)>,
    ) -> Result<Joint<Plane>, InputError> {
        let path = format!("joints.{name}");
        let below = |key: &str| format!("{path}.{key}");
        self.known(&below("parent"), &raw.parent)?;
        self.known(&below("child"), &raw.child)?;
        let kind = self.kind(&path, &raw)?;
        if let Some(start) = &raw.start {
            let path = below("start");
            if raw.motion.is_some() {
                let message = "the motion prescribes the coordinate, expected no start; \
                               motion.offset shifts it";
                return Err(self.file.key_error(&path, message));
            }
            let start = self.start(&path, start, kind)?;
            starts.push((name.to_owned(), start));
        }
        let along = Along {
            file: self.file,
            is_angle: kind == PlaneJoint::Revolute,
        };
        let spring = raw.spring.map(|spring| {
            let rest = along.position(&below("spring.rest"), spring.rest)?;
            Ok(Spring {
                stiffness: spring.stiffness.0,
                rest: rest.unwrap_or(0.0),
            })
        });
        let motion = raw
            .motion
            .map(|motion| along.motion(&below("motion"), &motion));
        let limits = raw
            .limits
            .map(|limits| along.limits(&below("limits"), &limits));
        Ok(Joint {
            parent_at: vector(raw.parent_at),
            child_at: vector(raw.child_at),
            parent_rotation: raw.parent_rotation.map_or(0.0, |angle| angle.0).into(),
            damping: raw.damping.map_or(0.0, |x| x.0),
            spring: spring.transpose()?,
            drive: raw.drive.map(drive),
            motion: motion.transpose()?,
            limits: limits.transpose()?,
            ..Joint::new(kind, &raw.parent, &raw.child)
        })
    }

    fn kind(&self, path: &str, raw: &RawJoint) -> Result<PlaneJoint, InputError> {
        let kind = match (raw.kind, raw.axis) {
            (KindName::Prismatic, Some(axis)) => PlaneJoint::Prismatic {
                axis: Vector(axis.0),
            },
            (KindName::Prismatic, None) => {
                let message = "the key \"axis\" is missing, expected the direction [x, y] in which \
                               the joint slides";
                return Err(self.file.error(path, message));
            }
            (_, Some(_)) => {
                let message = "only a prismatic joint has an axis, expected the key to be left out";
                return Err(self.file.key_error(&format!("{path}.axis"), message));
            }
            (KindName::Revolute, None) => PlaneJoint::Revolute,
            (KindName::Fixed, None) => PlaneJoint::Fixed,
            (KindName::Free, None) => PlaneJoint::Free,
        };
        Ok(kind)
    }

    fn start(&self, path: &str, raw: &RawStart, kind: PlaneJoint) -> Result<Start, InputError> {
        let read = |key: &str, given: &Option<Quantities>, unit: Unit| match given {
            Some(given) => self.coordinates(&format!("{path}.{key}"), given, kind, unit),
            None => Ok(Vec::new()),
        };
        Ok(Start {
            position: read("position", &raw.position, Unit::Angle)?,
            rate: read("rate", &raw.rate, Unit::AngularRate)?,
        })
    }

    /// One number per coordinate of a joint; angles, or their rates, may carry a unit.
    fn coordinates(
        &self,
        path: &str,
        given: &Quantities,
        kind: PlaneJoint,
        unit: Unit,
    ) -> Result<Vec<f64>, InputError> {
        let angles: &[bool] = match kind {
            PlaneJoint::Revolute => &[true],
            PlaneJoint::Prismatic { .. } => &[false],
            PlaneJoint::Fixed => &[],
            PlaneJoint::Free => &[false, false, true],
        };
        let (found, wanted) = (given.values.len(), angles.len());
        if found != wanted {
            let message = match wanted {
                0 => "a fixed joint has no coordinate, expected no start".to_owned(),
                1 => format!("found {found} numbers, expected one"),
                _ => format!("found {found} numbers, expected [x, y, angle] or their rates"),
            };
            return Err(self.file.error(path, message));
        }
        let one = |(i, (quantity, is_angle)): (usize, (&Quantity, &bool))| {
            let path = match given.is_list {
                true => format!("{path}[{i}]"),
                false => path.to_owned(),
            };
            settled(self.file, &path, *quantity, is_angle.then_some(unit))
        };
        given
            .values
            .iter()
            .zip(angles)
            .enumerate()
            .map(one)
            .collect()
    }
}

/// The number of a quantity; its unit, if written, must be the one allowed.
fn settled(
    file: &Placed,
    path: &str,
    quantity: Quantity,
    allowed: Option<Unit>,
) -> Result<f64, InputError> {
    if quantity.unit == Unit::None || Some(quantity.unit) == allowed {
        return Ok(quantity.value);
    }
    let expected = match allowed {
        Some(Unit::Angle) => "an angle, as \"140 deg\" or in radians",
        Some(_) => "a rate, as \"10 deg/s\" or in rad/s",
        None => "a number in m or m/s",
    };
    Err(file.error(
        path,
        format!("the unit does not fit here, expected {expected}"),
    ))
}

/// Quantities along the coordinate of a joint.
struct Along<'a> {
    file: &'a Placed,
    is_angle: bool,
}

impl Along<'_> {
    fn position(&self, path: &str, given: Option<Quantity>) -> Result<Option<f64>, InputError> {
        self.read(path, given, Unit::Angle)
    }

    fn read(
        &self,
        path: &str,
        given: Option<Quantity>,
        unit: Unit,
    ) -> Result<Option<f64>, InputError> {
        let allowed = self.is_angle.then_some(unit);
        given
            .map(|quantity| settled(self.file, path, quantity, allowed))
            .transpose()
    }

    fn motion(&self, path: &str, raw: &RawMotion) -> Result<Motion, InputError> {
        let below = |key: &str| format!("{path}.{key}");
        let rate = self.read(&below("rate"), raw.rate, Unit::AngularRate)?;
        let offset = self.position(&below("offset"), raw.offset)?;
        let amplitude = self.position(&below("amplitude"), raw.amplitude)?;
        Ok(Motion {
            offset: offset.unwrap_or(0.0),
            rate: rate.unwrap_or(0.0),
            amplitude: amplitude.unwrap_or(0.0),
            frequency: raw.frequency.map_or(0.0, |x| x.0),
            phase: raw.phase.map_or(0.0, |x| x.0),
        })
    }

    /// A limit that is not given is never met.
    fn limits(&self, path: &str, raw: &RawLimits) -> Result<Limits, InputError> {
        let lower = self.position(&format!("{path}.lower"), raw.lower)?;
        let upper = self.position(&format!("{path}.upper"), raw.upper)?;
        if lower.is_none() && upper.is_none() {
            let message = "there is no limit, expected lower, upper or both";
            return Err(self.file.error(path, message));
        }
        Ok(Limits {
            lower: lower.unwrap_or(f64::NEG_INFINITY),
            upper: upper.unwrap_or(f64::INFINITY),
            restitution: raw.restitution.0,
        })
    }
}

fn vector(pair: Option<Pair>) -> Vector<2> {
    Vector(pair.map_or([0.0; 2], |pair| pair.0))
}

fn drive(raw: RawDrive) -> Drive {
    Drive {
        amplitude: raw.amplitude.0,
        frequency: raw.frequency.map_or(0.0, |x| x.0),
        phase: raw.phase.map_or(0.0, |x| x.0),
    }
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

impl ContactLaw {
    fn law(self) -> Law {
        match self {
            Self::Newton => Law::Newton,
            Self::Poisson => Law::Poisson,
            Self::Energetic => Law::Energetic,
            Self::Moreau => Law::Moreau,
            Self::Whittaker => Law::Whittaker,
        }
    }
}
