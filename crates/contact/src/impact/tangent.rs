//! Values along the tangents of a contact.

use serde::{Deserialize, Serialize};

/// A value along the tangent of the plane, or along t1 and t2 of space. Files have one number or two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tangential {
    /// Along t.
    Plane(f64),
    /// Along t1 and t2.
    Space([f64; 2]),
}

impl Tangential {
    /// The value along the tangent of the plane; none in space.
    pub fn plane(self) -> Option<f64> {
        match self {
            Self::Plane(value) => Some(value),
            Self::Space(_) => None,
        }
    }

    /// The value in the plane with its sign; in space the length of the tangent vector.
    pub fn value(self) -> f64 {
        match self {
            Self::Plane(value) => value,
            Self::Space(_) => self.size(),
        }
    }

    /// The value in the plane, or both in space.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Plane(value) => std::slice::from_ref(value),
            Self::Space(values) => values,
        }
    }

    /// Length of the tangent vector.
    pub fn size(self) -> f64 {
        match self {
            Self::Plane(value) => value.abs(),
            Self::Space([x, y]) => x.hypot(y),
        }
    }
}
