//! Where contacts are.

use carom_multibody::mechanism::{ContactPlace, Dimension};
use serde::{Deserialize, Serialize};

/// Where a contact is, in world axes: two numbers in the plane, three in space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// Contact point (m).
    pub point: Vec<f64>,
    /// Unit normal from B to A.
    pub normal: Vec<f64>,
    /// Unit tangents: t in the plane, t1 and t2 in space.
    pub tangents: Vec<Vec<f64>>,
}

impl PlaceRecord {
    pub(crate) fn of(place: &ContactPlace, dimension: Dimension) -> Self {
        let vector = |r: &[f64; 3]| r[..dimension.axes()].to_vec();
        let tangents = &place.tangents[..dimension.tangents()];
        Self {
            point: vector(&place.point),
            normal: vector(&place.normal),
            tangents: tangents.iter().map(vector).collect(),
        }
    }
}
