//! Joints: their kinds, starts and what acts along their coordinates.

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{Drive, Joint, Limits, Motion, Spring, Vector};

use super::{Binder, vector};
use crate::InputError;
use crate::scenario::raw::{
    KindName, RawDrive, RawJoint, RawLimits, RawMotion, RawSpring, RawStart,
};
use crate::scenario::value::{Quantities, Quantity, Unit};
use crate::scenario::{Placed, Start};

impl Binder<'_> {
    pub(super) fn joint(
        &self,
        name: &str,
        raw: RawJoint,
        starts: &mut Vec<(String, Start)>,
    ) -> Result<Joint<Plane>, InputError> {
        let path = format!("joints.{name}");
        self.known(&format!("{path}.parent"), &raw.parent)?;
        self.known(&format!("{path}.child"), &raw.child)?;
        let kind = self.kind(&path, &raw)?;
        if let Some(start) = self.joint_start(&path, &raw, kind)? {
            starts.push((name.to_owned(), start));
        }
        let along = Along {
            file: self.file,
            joint: &path,
            is_angle: kind == PlaneJoint::Revolute,
        };
        Ok(Joint {
            parent_at: vector(raw.parent_at),
            child_at: vector(raw.child_at),
            parent_rotation: raw.parent_rotation.map_or(0.0, |angle| angle.0).into(),
            damping: raw.damping.map_or(0.0, |x| x.0),
            spring: raw.spring.map(|x| along.spring(&x)).transpose()?,
            drive: raw.drive.map(drive),
            motion: raw.motion.map(|x| along.motion(&x)).transpose()?,
            limits: raw.limits.map(|x| along.limits(&x)).transpose()?,
            ..Joint::new(kind, &raw.parent, &raw.child)
        })
    }

    /// The start of a joint whose coordinate is not prescribed.
    fn joint_start(
        &self,
        path: &str,
        raw: &RawJoint,
        kind: PlaneJoint,
    ) -> Result<Option<Start>, InputError> {
        let path = format!("{path}.start");
        match (&raw.start, &raw.motion) {
            (Some(_), Some(_)) => {
                let message = "the motion prescribes the coordinate, expected no start; \
                               motion.offset shifts it";
                Err(self.file.key_error(&path, message))
            }
            (Some(start), None) => self.start(&path, start, kind).map(Some),
            (None, _) => Ok(None),
        }
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

    pub(super) fn start(
        &self,
        path: &str,
        raw: &RawStart,
        kind: PlaneJoint,
    ) -> Result<Start, InputError> {
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
    /// Path of the joint.
    joint: &'a str,
    is_angle: bool,
}

impl Along<'_> {
    fn position(&self, key: &str, given: Option<Quantity>) -> Result<Option<f64>, InputError> {
        self.read(key, given, Unit::Angle)
    }

    fn read(
        &self,
        key: &str,
        given: Option<Quantity>,
        unit: Unit,
    ) -> Result<Option<f64>, InputError> {
        let (path, allowed) = (
            format!("{}.{key}", self.joint),
            self.is_angle.then_some(unit),
        );
        given
            .map(|quantity| settled(self.file, &path, quantity, allowed))
            .transpose()
    }

    fn spring(&self, raw: &RawSpring) -> Result<Spring, InputError> {
        Ok(Spring {
            stiffness: raw.stiffness.0,
            rest: self.position("spring.rest", raw.rest)?.unwrap_or(0.0),
        })
    }

    fn motion(&self, raw: &RawMotion) -> Result<Motion, InputError> {
        let rate = self.read("motion.rate", raw.rate, Unit::AngularRate)?;
        let offset = self.position("motion.offset", raw.offset)?;
        let amplitude = self.position("motion.amplitude", raw.amplitude)?;
        Ok(Motion {
            offset: offset.unwrap_or(0.0),
            rate: rate.unwrap_or(0.0),
            amplitude: amplitude.unwrap_or(0.0),
            frequency: raw.frequency.map_or(0.0, |x| x.0),
            phase: raw.phase.map_or(0.0, |x| x.0),
        })
    }

    /// A limit that is not given is never met.
    fn limits(&self, raw: &RawLimits) -> Result<Limits, InputError> {
        let lower = self.position("limits.lower", raw.lower)?;
        let upper = self.position("limits.upper", raw.upper)?;
        if lower.is_none() && upper.is_none() {
            let message = "there is no limit, expected lower, upper or both";
            let path = format!("{}.limits", self.joint);
            return Err(self.file.error(&path, message));
        }
        Ok(Limits {
            lower: lower.unwrap_or(f64::NEG_INFINITY),
            upper: upper.unwrap_or(f64::INFINITY),
            restitution: raw.restitution.0,
        })
    }
}

fn drive(raw: RawDrive) -> Drive {
    Drive {
        amplitude: raw.amplitude.0,
        frequency: raw.frequency.map_or(0.0, |x| x.0),
        phase: raw.phase.map_or(0.0, |x| x.0),
    }
}
