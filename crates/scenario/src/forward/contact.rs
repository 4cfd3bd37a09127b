//! Contacts of a forward problem in coordinates: of the plane, with one tangent, or of space, with two.

use carom_contact::forward::ForwardContact;
use carom_contact::forward::space::SpatialForwardContact;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, value::SeqAccessDeserializer};

use crate::InputError;
use crate::problem::RawFriction;
use crate::scenario::spot::{Placed, Spot};

/// A unilateral contact that is closed at the instant.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "ForwardContact")]
pub(super) struct RawContact {
    /// Jacobian row of the normal velocity, n numbers; positive acceleration separates.
    normal: Vec<f64>,
    /// Jacobian row of the tangent velocity in the plane, n numbers. Without tangents the contact is frictionless.
    tangent: Option<Vec<f64>>,
    /// Jacobian rows of the velocities along t1 and t2 in space, n numbers each; in place of `tangent`.
    tangents: Option<[Vec<f64>; 2]>,
    /// Contact acceleration [normal, tangent], in space [n, t1, t2], without contact forces and friction, at
    /// `q̈ = A⁻¹(τ − b)` (m/s²).
    #[schemars(length(min = 2, max = 3))]
    drift: Vec<f64>,
    /// Tangent velocity or its sign, in space [t1, t2], of which its way counts (m/s); 0 is rest. Default: 0.
    slip: Option<RawSlip>,
    /// Coefficient of friction, or a static and a kinetic one. Default: 0.
    friction: Option<RawFriction>,
}

/// A slip as a file has it, one number or a pair.
#[derive(Debug, Clone, Copy)]
enum RawSlip {
    Plane(f64),
    Space([f64; 2]),
}

impl<'de> Deserialize<'de> for RawSlip {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> de::Visitor<'de> for Either {
            type Value = RawSlip;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number or a list [t1, t2]")
            }

            fn visit_f64<E>(self, slip: f64) -> Result<RawSlip, E> {
                Ok(RawSlip::Plane(slip))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<RawSlip, A::Error> {
                let list = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                match <[f64; 2]>::try_from(&list[..]) {
                    Ok(pair) => Ok(RawSlip::Space(pair)),
                    Err(_) => Err(de::Error::invalid_length(list.len(), &self)),
                }
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for RawSlip {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Slip".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let pair = generator.subschema_for::<[f64; 2]>();
        schemars::json_schema!({ "anyOf": [{ "type": "number" }, pair] })
    }
}

impl RawContact {
    /// Whether it says that the problem is in space.
    fn is_in_space(&self) -> bool {
        let is_pair = matches!(self.slip, Some(RawSlip::Space(_)));
        self.tangents.is_some() || self.drift.len() == 3 || is_pair
    }

    fn in_plane(self, spot: &Spot<'_>) -> Result<ForwardContact, InputError> {
        let drift = <[f64; 2]>::try_from(&self.drift[..]).map_err(|_| {
            let found = self.drift.len();
            spot.key("drift").error(format!(
                "found {found} numbers, expected 2 (normal, tangent), or 3 (n, t1, t2) in space"
            ))
        })?;
        Ok(ForwardContact {
            normal: self.normal,
            tangent: self.tangent,
            drift,
            slip: match self.slip {
                Some(RawSlip::Plane(slip)) => slip,
                _ => 0.0,
            },
            friction: self.friction.unwrap_or_default().0,
        })
    }

    /// `by` is the contact that says so first.
    fn in_space(self, spot: &Spot<'_>, by: usize) -> Result<SpatialForwardContact, InputError> {
        let why = format!("the problem is in space (contacts[{by}] says so)");
        if self.tangent.is_some() {
            let message = format!("{why}, expected the key \"tangents\" with two rows");
            return Err(spot.key("tangent").key_error(message));
        }
        let drift = <[f64; 3]>::try_from(&self.drift[..]).map_err(|_| {
            let found = self.drift.len();
            let message = format!("found {found} numbers, expected 3 (n, t1, t2): {why}");
            spot.key("drift").error(message)
        })?;
        let slip = match self.slip {
            None | Some(RawSlip::Plane(0.0)) => [0.0; 2],
            Some(RawSlip::Space(slip)) => slip,
            Some(RawSlip::Plane(_)) => {
                let message = format!("found one number, expected [t1, t2]: {why}");
                return Err(spot.key("slip").error(message));
            }
        };
        Ok(SpatialForwardContact {
            normal: self.normal,
            tangents: self.tangents,
            drift,
            slip,
            friction: self.friction.unwrap_or_default().0,
        })
    }
}

/// The contacts of a problem, all of the plane or all of space.
pub(super) enum Contacts {
    Plane(Vec<ForwardContact>),
    Space(Vec<SpatialForwardContact>),
}

impl Contacts {
    pub(super) fn build(raw: Vec<RawContact>, file: &Placed) -> Result<Self, InputError> {
        let spot = |k: usize| Spot {
            file,
            path: format!("contacts[{k}]"),
        };
        let by = raw.iter().position(RawContact::is_in_space);
        let mut each = raw.into_iter().enumerate();
        Ok(match by {
            None => Self::Plane(
                each.map(|(k, raw)| raw.in_plane(&spot(k)))
                    .collect::<Result<_, _>>()?,
            ),
            Some(by) => Self::Space(each.try_fold(Vec::new(), |mut all, (k, raw)| {
                all.push(raw.in_space(&spot(k), by)?);
                Ok(all)
            })?),
        })
    }
}
