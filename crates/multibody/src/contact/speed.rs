//! How fast a gap can change at most, whatever the mechanism does within given bounds.

use super::feature::Feature;
use crate::dynamics::Bounds;
use crate::model::Model;
use crate::plane::Plane;

impl Model<Plane> {
    /// What the rate of a gap never exceeds within bounds (m/s).
    ///
    /// A gap changes no faster than the probe's centre moves as seen from the target.
    pub fn gap_speed(&self, feature: &Feature, bounds: &Bounds<'_>) -> f64 {
        let probe = &feature.probe;
        self.relative_speed(probe.body, probe.at.norm(), feature.target_body, bounds)
    }
}
