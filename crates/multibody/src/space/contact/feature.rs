//! A pair of solids as smooth contacts.

use std::sync::Arc;

use super::crossing::Rod;
use super::distance::Target;
use super::ellipsoid::Ellipsoid;
use super::hull::Hull;
use super::pairing::{Carried, Refusal, expand};
use super::rim::Rim;
use super::shape::SolidFault;
use crate::dynamics::Bounds;
use crate::model::{BodyId, Model, PairError};
use crate::space::Space;
use crate::vector::Vector;

/// One smooth contact between two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidFeature(pub(super) Kind);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Probe(Probe),
    /// Rods of A and B.
    Crossing(Rod, Rod),
    Rim(Rim),
    Ellipsoid(Ellipsoid),
}

/// A point of a body with a radius, and what it may touch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probe {
    pub(super) body: BodyId,
    pub(super) at: Vector<3>,
    pub(super) radius: f64,
    /// Of the vertex of a polyhedron, the unit vectors along its edges; else none.
    pub(super) leaving: Vec<Vector<3>>,
    /// The polyhedron it is a vertex of, in the frame of its body.
    pub(super) solid: Option<Arc<Hull>>,
    pub(super) target_body: BodyId,
    pub(super) target: Target,
    /// The probe is on the second body of the pair.
    pub(super) is_flipped: bool,
    /// Touchings at corners and ends of the target belong to another feature.
    pub(super) owns_sides_only: bool,
}

impl SolidFeature {
    /// First and second body of the pair: A and B.
    pub fn bodies(&self) -> (BodyId, BodyId) {
        match &self.0 {
            Kind::Probe(probe) if probe.is_flipped => (probe.target_body, probe.body),
            Kind::Probe(probe) => (probe.body, probe.target_body),
            Kind::Crossing(a, b) => (a.body, b.body),
            Kind::Rim(rim) if rim.is_flipped => (rim.plane.body, rim.body),
            Kind::Rim(rim) => (rim.body, rim.plane.body),
            Kind::Ellipsoid(own) if own.is_flipped => (own.plane.body, own.body),
            Kind::Ellipsoid(own) => (own.body, own.plane.body),
        }
    }

    /// Whether its gap stays as it is when a body turns about the origin of its frame: the body is not in it,
    /// or with a point or ball there.
    pub(crate) fn is_round(&self, body: BodyId) -> bool {
        let (a, b) = self.bodies();
        if a != body && b != body {
            return true;
        }
        let Kind::Probe(probe) = &self.0 else {
            return false;
        };
        let is_central = |at: Vector<3>| at == Vector::default();
        match (probe.body == body, &probe.target) {
            (true, _) => is_central(probe.at) && probe.solid.is_none(),
            (false, Target::Round { center, .. } | Target::Bowl { center, .. }) => {
                is_central(*center)
            }
            _ => false,
        }
    }
}

impl Model<Space> {
    /// The smooth contacts between two shapes, each given by its body (or `world`) and its name.
    ///
    /// Normals point from the second shape to the first. The table of [`crate::space::contact`] says
    /// how many contacts a pair has and in which order.
    pub fn features(
        &self,
        first: (&str, &str),
        second: (&str, &str),
    ) -> Result<Vec<SolidFeature>, PairError<SolidFault>> {
        let [a, b] = self.pair(first, second)?;
        let (a, b) = (Carried::new(a.0, a.1), Carried::new(b.0, b.1));
        let forms = [a.name(), b.name()];
        let refused = |refusal: Refusal| refusal.of(first, second, forms);
        expand(&a, &b).map_err(refused)
    }

    /// What the rate of a gap never exceeds within bounds (m/s).
    ///
    /// A gap changes no faster than the probe's centre, or some point of the rim, of the ellipsoid or of the first
    /// rod, moves as seen from the other body; that of two edges by thrice as much where their solids overlap.
    pub fn gap_speed(&self, feature: &SolidFeature, bounds: &Bounds<'_>) -> f64 {
        match &feature.0 {
            Kind::Probe(probe) => {
                self.relative_speed(probe.body, probe.at.norm(), probe.target_body, bounds)
            }
            Kind::Crossing(a, b) => {
                let speed = |reach| self.relative_speed(a.body, reach, b.body, bounds);
                let sinking = a
                    .bounds
                    .as_ref()
                    .map_or(0.0, |solid| speed(solid.hull.reach()));
                speed(a.reach()) + 2.0 * sinking
            }
            Kind::Rim(rim) => {
                let reach = rim.center.norm() + rim.radius;
                self.relative_speed(rim.body, reach, rim.plane.body, bounds)
            }
            Kind::Ellipsoid(own) => {
                self.relative_speed(own.body, own.reach(), own.plane.body, bounds)
            }
        }
    }
}
