//! Joints: their kinds and what acts along their coordinates.

use carom_multibody::{Drive, Joint, Limits, Motion, Spring};

use super::Binder;
use super::start::settled;
use crate::InputError;
use crate::scenario::Start;
use crate::scenario::dialect::{Coordinates, Dialect};
use crate::scenario::raw::{KindName, RawDrive, RawJoint, RawLimits, RawMotion, RawSpring};
use crate::scenario::spot::Spot;
use crate::scenario::value::{Quantity, Tuple, Unit};

impl<A: Dialect> Binder<'_, A> {
    pub(super) fn joint(
        &self,
        name: &str,
        raw: RawJoint,
        starts: &mut Vec<(String, Start)>,
    ) -> Result<Joint<A>, InputError> {
        let spot = self.spot(format!("joints.{name}"));
        self.known(&spot.key("parent").path, &raw.parent)?;
        self.known(&spot.key("child").path, &raw.child)?;
        let kind = self.kind(&spot, &raw)?;
        if let Some(start) = self.joint_start(name, &spot.key("start"), &raw)? {
            starts.push((name.to_owned(), start));
        }
        let first = match A::coordinates(raw.kind) {
            Coordinates::List(all) => all.first(),
            Coordinates::Pose { .. } => None,
        };
        let along = Along {
            joint: &spot,
            is_angle: first.is_some_and(|coordinate| coordinate.is_angle),
        };
        Ok(Joint {
            parent_at: self.vector(&spot.key("parent_at"), raw.parent_at)?,
            child_at: self.vector(&spot.key("child_at"), raw.child_at)?,
            parent_rotation: self.rotation(&spot.key("parent_rotation"), raw.parent_rotation)?,
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
        name: &str,
        spot: &Spot<'_>,
        raw: &RawJoint,
    ) -> Result<Option<Start>, InputError> {
        let closes = self.leading.get(&raw.child).filter(|first| *first != name);
        if let (Some(_), Some(first)) = (&raw.start, closes) {
            let message = format!(
                "joint {first} leads to {} already and this one closes a loop: it has no coordinate, \
                 expected no start",
                raw.child
            );
            return Err(spot.key_error(message));
        }
        match (&raw.start, &raw.motion) {
            (Some(_), Some(_)) => {
                let message = "the motion prescribes the coordinate, expected no start; \
                               motion.offset shifts it";
                Err(spot.key_error(message))
            }
            (Some(start), None) => self.start(spot, start, raw.kind).map(Some),
            (None, _) => Ok(None),
        }
    }

    fn kind(&self, spot: &Spot<'_>, raw: &RawJoint) -> Result<A::Joint, InputError> {
        let axes = self.axes(spot, raw)?;
        let name = raw.kind.name();
        let lead = match (raw.kind, raw.lead) {
            (KindName::Screw, Some(lead)) => lead.0,
            (KindName::Screw, None) => {
                let message = "the key \"lead\" is missing, expected the advance of the screw (m per \
                               radian)";
                return Err(spot.error(message));
            }
            (_, None) => 0.0,
            (_, Some(_)) => {
                let message =
                    format!("a {name} joint has no lead, expected the key to be left out");
                return Err(spot.key("lead").key_error(message));
            }
        };
        let joint = A::joint(raw.kind, &axes, lead);
        joint.ok_or_else(|| {
            let message = format!("there is no {name} joint {}", A::WHERE);
            spot.key("kind").error(message)
        })
    }

    /// The axes of a joint: as many as its kind has, under the key they belong to.
    fn axes(&self, spot: &Spot<'_>, raw: &RawJoint) -> Result<Vec<A::Vector>, InputError> {
        let (key, wanted) = match A::axes(raw.kind) {
            2 => ("axes", 2),
            count => ("axis", count),
        };
        let given = [
            ("axis", raw.axis.as_ref().map(std::slice::from_ref)),
            ("axes", raw.axes.as_deref()),
        ];
        for (other, tuples) in given {
            if tuples.is_some() && (other != key || wanted == 0) {
                let name = raw.kind.name();
                let instead = match wanted {
                    0 => "the key to be left out".to_owned(),
                    1 => format!("{key}, one direction"),
                    _ => format!("{key}, two directions"),
                };
                let message = format!(
                    "a {name} joint has no {other} {}, expected {instead}",
                    A::WHERE
                );
                return Err(spot.key(other).key_error(message));
            }
        }
        let tuples = given.into_iter().find_map(|(_, tuples)| tuples);
        let tuples = tuples.unwrap_or_default();
        match (wanted, tuples.len()) {
            (0, 0) => Ok(Vec::new()),
            (1, 1) => Ok(vec![self.vector(&spot.key(key), raw.axis)?]),
            (2, 2) => {
                let numbered = tuples.iter().enumerate();
                let vector =
                    |(i, tuple): (usize, &Tuple)| self.vector(&spot.key(key).item(i), Some(*tuple));
                numbered.map(vector).collect()
            }
            (_, 0) if raw.axes.is_none() => Err(spot.error(missing_axis::<A>(wanted))),
            (_, found) => {
                let message = format!("found {found} axes, expected two directions");
                Err(spot.key(key).error(message))
            }
        }
    }
}

fn missing_axis<A: Dialect>(wanted: usize) -> String {
    match wanted {
        2 => {
            "the key \"axes\" is missing, expected two directions, the first fixed in the parent, \
              the second in the child"
                .to_owned()
        }
        _ => format!(
            "the key \"axis\" is missing, expected the direction of the joint, {}",
            A::VECTOR
        ),
    }
}

/// Quantities along the coordinate of a joint.
struct Along<'a> {
    joint: &'a Spot<'a>,
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
        let (spot, allowed) = (self.joint.key(key), self.is_angle.then_some(unit));
        given
            .map(|quantity| settled(&spot, quantity, allowed))
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
            return Err(self.joint.key("limits").error(message));
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
