//! States of joints and free bodies at t = 0.

use super::Binder;
use crate::InputError;
use crate::scenario::Start;
use crate::scenario::dialect::{Coordinate, Coordinates, Dialect, PLACE, TURNING, quaternion};
use crate::scenario::raw::{KindName, RawStart};
use crate::scenario::spot::Spot;
use crate::scenario::value::{Quantities, Quantity, Unit};

/// A quaternion that turns nothing.
const UNTURNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl<A: Dialect> Binder<'_, A> {
    pub(super) fn start(
        &self,
        spot: &Spot<'_>,
        raw: &RawStart,
        kind: KindName,
    ) -> Result<Start, InputError> {
        refuse_other_keys::<A>(spot, raw, kind)?;
        match A::coordinates(kind) {
            Coordinates::List(all) => Ok(Start {
                position: read(&spot.key("position"), &raw.position, all, Unit::Angle)?,
                rate: read(&spot.key("rate"), &raw.rate, all, Unit::AngularRate)?,
            }),
            Coordinates::Pose { has_place } => pose(spot, raw, has_place),
        }
    }
}

/// A start has the keys of its kind of joint.
fn refuse_other_keys<A: Dialect>(
    spot: &Spot<'_>,
    raw: &RawStart,
    kind: KindName,
) -> Result<(), InputError> {
    let own: &[&str] = match A::coordinates(kind) {
        Coordinates::List(_) => &["position", "rate"],
        Coordinates::Pose { has_place: true } => {
            &["position", "rotation", "velocity", "angular_velocity"]
        }
        Coordinates::Pose { has_place: false } => &["rotation", "angular_velocity"],
    };
    let given = [
        ("position", raw.position.is_some()),
        ("rate", raw.rate.is_some()),
        ("rotation", raw.rotation.is_some()),
        ("velocity", raw.velocity.is_some()),
        ("angular_velocity", raw.angular_velocity.is_some()),
    ];
    let misplaced = |(key, is_given): &&(&str, bool)| *is_given && !own.contains(key);
    let Some((key, _)) = given.iter().find(misplaced) else {
        return Ok(());
    };
    Err(spot.key(key).key_error(format!(
        "a {} joint has no such start {}, expected {}",
        kind.name(),
        A::WHERE,
        own.join(", ")
    )))
}

/// Place and rotation with their rates, as a free or spherical joint of space counts them.
fn pose(spot: &Spot<'_>, raw: &RawStart, has_place: bool) -> Result<Start, InputError> {
    let three = |key: &str, given: &Option<Quantities>, all, unit| {
        let numbers = read(&spot.key(key), given, all, unit)?;
        Ok(if numbers.is_empty() {
            vec![0.0; 3]
        } else {
            numbers
        })
    };
    let turned = match raw.rotation {
        Some(rotation) => quaternion(&spot.key("rotation"), rotation)?,
        None => UNTURNED,
    };
    let (mut position, mut rate) = (Vec::new(), Vec::new());
    if has_place {
        position = three("position", &raw.position, PLACE, Unit::None)?;
        rate = three("velocity", &raw.velocity, PLACE, Unit::None)?;
    }
    position.extend(turned);
    let key = "angular_velocity";
    rate.extend(three(
        key,
        &raw.angular_velocity,
        TURNING,
        Unit::AngularRate,
    )?);
    Ok(Start { position, rate })
}

fn counted(found: usize) -> String {
    match found {
        1 => "1 number".to_owned(),
        _ => format!("{found} numbers"),
    }
}

/// One number per coordinate, none where nothing is given; angles, or their rates, may carry a unit.
fn read(
    spot: &Spot<'_>,
    given: &Option<Quantities>,
    all: &[Coordinate],
    unit: Unit,
) -> Result<Vec<f64>, InputError> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let (found, wanted) = (given.values.len(), all.len());
    if found != wanted {
        let names: Vec<&str> = all.iter().map(|coordinate| coordinate.name).collect();
        return Err(spot.error(match wanted {
            0 => "a fixed joint has no coordinate, expected no start".to_owned(),
            1 => format!("found {}, expected one", counted(found)),
            _ => format!("found {}, expected [{}]", counted(found), names.join(", ")),
        }));
    }
    let one = |(i, (quantity, coordinate)): (usize, (&Quantity, &Coordinate))| {
        let allowed = coordinate.is_angle.then_some(unit);
        match given.is_list {
            true => settled(&spot.item(i), *quantity, allowed),
            false => settled(spot, *quantity, allowed),
        }
    };
    given.values.iter().zip(all).enumerate().map(one).collect()
}

/// The number of a quantity; its unit, if written, must be the one allowed.
pub(super) fn settled(
    spot: &Spot<'_>,
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
    Err(spot.error(format!("the unit does not fit here, expected {expected}")))
}
