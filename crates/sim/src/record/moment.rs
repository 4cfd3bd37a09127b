//! Moments: one component in the plane, three in space.

use carom_multibody::mechanism::Dimension;
use serde::{Deserialize, Serialize};

/// A moment, or columns of moments. Files have one in the plane and a list of three in space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Moment<T = f64> {
    /// About z, which points to the reader.
    Plane(T),
    /// About x, y and z.
    Space([T; 3]),
}

impl<T> Moment<T> {
    /// The moment in the plane; none in space.
    pub fn plane(&self) -> Option<&T> {
        match self {
            Self::Plane(one) => Some(one),
            Self::Space(_) => None,
        }
    }

    /// Its components, one or three.
    pub fn components(&self) -> &[T] {
        match self {
            Self::Plane(one) => std::slice::from_ref(one),
            Self::Space(all) => all,
        }
    }

    /// The same, to be changed.
    pub fn components_mut(&mut self) -> &mut [T] {
        match self {
            Self::Plane(one) => std::slice::from_mut(one),
            Self::Space(all) => all,
        }
    }
}

impl Moment {
    pub(super) fn of(moment: [f64; 3], dimension: Dimension) -> Self {
        match dimension {
            Dimension::Plane => Self::Plane(moment[2]),
            Dimension::Space => Self::Space(moment),
        }
    }
}

impl Moment<Vec<f64>> {
    /// Columns without rows.
    pub(super) fn columns(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Plane => Self::Plane(Vec::new()),
            Dimension::Space => Self::Space(std::array::from_fn(|_| Vec::new())),
        }
    }

    pub(super) fn push(&mut self, moment: &Moment) {
        let columns = self.components_mut().iter_mut();
        for (column, number) in columns.zip(moment.components()) {
            column.push(*number);
        }
    }
}

impl<T: Default> Default for Moment<T> {
    fn default() -> Self {
        Self::Plane(T::default())
    }
}
