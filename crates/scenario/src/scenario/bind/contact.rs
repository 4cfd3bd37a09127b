//! Contacts: pairs of shapes, found by name.

use std::collections::BTreeMap;

use carom_contact::impact::Law;
use carom_contact::space::Friction;
use carom_multibody::{Body, WORLD};

use super::Binder;
use super::shape::Shapes;
use crate::InputError;
use crate::document::unknown;
use crate::scenario::Pairing;
use crate::scenario::dialect::Dialect;
use crate::scenario::raw::{ContactLaw, RawContact};

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
