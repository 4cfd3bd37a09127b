//! Contacts: pairs of shapes, found by name.

use std::collections::BTreeMap;

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::{Body, WORLD};

use super::Binder;
use super::shape::Shapes;
use crate::InputError;
use crate::document::unknown;
use crate::names::Name;
use crate::scenario::dialect::Dialect;
use crate::scenario::raw::RawContact;
use crate::scenario::{ContactSpot, Pairing};

/// Names of the shapes of every body and of the world.
pub(super) type ShapeNames = BTreeMap<String, Vec<String>>;

pub(super) fn shape_names<A: Dialect>(
    bodies: &[(String, Body<A>)],
    world: &Shapes<A>,
) -> ShapeNames {
    let names = |shapes: &Shapes<A>| shapes.iter().map(|(name, _)| name.clone()).collect();
    let mut found: ShapeNames = bodies
        .iter()
        .map(|(name, body)| (name.clone(), names(&body.shapes)))
        .collect();
    found.insert(WORLD.to_owned(), names(world));
    found
}

impl<A: Dialect> Binder<'_, A> {
    pub(super) fn contact(
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
        let spot = self.spot_of(&path, raw)?;
        let shape = |i: usize, text: &str| {
            let path = format!("{path}.between[{i}]");
            match spot {
                None => self.shape_of(&path, text, shapes),
                Some(_) => {
                    self.known(&path, text)?;
                    Ok((text.to_owned(), format!("@{name}")))
                }
            }
        };
        if spot.is_some() && first == second {
            let message =
                format!("found \"{first}\" twice, expected two bodies, or one and \"world\"");
            return Err(self.file.error(&format!("{path}.between"), message));
        }
        let friction = raw.friction.unwrap_or_default().0.checked();
        let friction = friction.map_err(|error| {
            let path = format!("{path}.friction");
            self.file.error(&path, error.to_string())
        })?;
        let law = raw.law.and_then(Name::law).unwrap_or(Law::Poisson);
        self.check_tangential(&path, raw, law)?;
        Ok(Pairing {
            first: shape(0, first)?,
            second: shape(1, second)?,
            law,
            restitution: raw.restitution.0,
            tangential_restitution: raw.tangential_restitution.map(|beta| beta.0),
            friction,
            spin_radius: self.spin_radius(&path, raw, friction)?,
            spot,
        })
    }

    /// The radius at which friction resists pivoting; without friction nothing does.
    fn spin_radius(
        &self,
        path: &str,
        raw: &RawContact,
        friction: Friction,
    ) -> Result<f64, InputError> {
        let radius = raw.spin_radius.map_or(0.0, |radius| radius.0);
        if radius > 0.0 && friction.mu_s() == 0.0 {
            let message = format!(
                "found {radius} m without friction, which the torque against pivoting is a part of: expected the \
                 key \"friction\" too"
            );
            return Err(self.file.error(&format!("{path}.spin_radius"), message));
        }
        Ok(radius)
    }

    /// Refuses a tangential restitution of a law that has none, and of a normal in a unit of its own.
    fn check_tangential(&self, path: &str, raw: &RawContact, law: Law) -> Result<(), InputError> {
        if raw.tangential_restitution.is_none() {
            return Ok(());
        }
        let key = format!("{path}.tangential_restitution");
        if raw.raw == Some(true) {
            let message = "tangential_restitution turns back velocities along a tangent, and a raw normal has \
                           none: expected raw = false";
            return Err(self.file.key_error(&key, message));
        }
        match (law.tangential_refusal(), raw.law) {
            (None, _) => Ok(()),
            (Some(reason), Some(_)) => {
                let message = format!("{law} has no tangential_restitution: {reason}");
                Err(self.file.error(&format!("{path}.law"), message))
            }
            (Some(reason), None) => {
                let message =
                    format!("{law}, the default law, has no tangential_restitution: {reason}");
                Err(self.file.key_error(&key, message))
            }
        }
    }

    /// Point and normal, of a contact at an instant.
    fn spot_of(&self, path: &str, raw: &RawContact) -> Result<Option<ContactSpot>, InputError> {
        let spot = self.spot(path.to_owned());
        let (point, normal) = match (raw.point, raw.normal) {
            (Some(point), Some(normal)) => (point, normal),
            (None, None) if raw.raw.is_none() => return Ok(None),
            (None, None) => {
                let message =
                    "raw belongs to a contact by point and normal, expected both keys too";
                return Err(spot.key("raw").key_error(message));
            }
            (Some(_), None) => {
                let message = "there is a point without a normal, expected the key \"normal\" too";
                return Err(spot.key("point").key_error(message));
            }
            (None, Some(_)) => {
                let message = "there is a normal without a point, expected the key \"point\" too";
                return Err(spot.key("normal").key_error(message));
            }
        };
        self.vector(&spot.key("point"), Some(point))?;
        self.vector(&spot.key("normal"), Some(normal))?;
        let found = ContactSpot {
            point: point.three(),
            normal: normal.three(),
            is_raw: raw.raw.unwrap_or(false),
        };
        if found.length() == 0.0 {
            let message = "the normal has no length, expected a direction";
            return Err(spot.key("normal").error(message));
        }
        if found.is_raw && raw.friction.is_some_and(|friction| friction.0.mu_s > 0.0) {
            let message = "friction compares impulses along normal and tangent, and a raw normal has \
                           another unit: expected friction 0, or raw = false";
            return Err(spot.key("friction").error(message));
        }
        Ok(Some(found))
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
}
