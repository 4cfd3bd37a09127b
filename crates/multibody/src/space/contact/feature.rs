//! A pair of solids as smooth contacts.

use std::sync::Arc;

use super::crossing::{Bounded, Rod};
use super::distance::Target;
use super::hull::Hull;
use super::shape::{Solid, SolidFault, SolidShape};
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
        let refused = |form| PairError::not_offered(first, second, form);
        expand(&a, &b).map_err(refused)
    }

    /// What the rate of a gap never exceeds within bounds (m/s).
    ///
    /// A gap changes no faster than the probe's centre, or some point of the first rod, moves as seen
    /// from the other body; that of two edges by thrice as much where their solids overlap.
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
        }
    }
}

/// A shape with the body that carries it; of a polyhedron also its hull in the body's frame.
struct Carried<'a> {
    body: BodyId,
    shape: &'a SolidShape,
    hull: Option<Arc<Hull>>,
}

impl<'a> Carried<'a> {
    fn new(body: BodyId, shape: &'a SolidShape) -> Self {
        // The hull was found when the model was built; a shape without one has no corners.
        let hull = shape.corners().and_then(|r| Hull::of(&r).ok());
        let hull = hull.map(|hull| Arc::new(hull.moved(|r| shape.point(r))));
        Self { body, shape, hull }
    }

    fn is_half_space(&self) -> bool {
        matches!(self.shape.solid, Solid::HalfSpace { .. })
    }

    fn is_round(&self) -> bool {
        matches!(self.shape.solid, Solid::Point | Solid::Ball { .. })
    }

    fn caps(&self, length: f64) -> [Vector<3>; 2] {
        [-0.5, 0.5].map(|part| self.shape.point(Vector([part * length, 0.0, 0.0])))
    }

    /// Corners, cap centres or centre, with their radius; none of a half-space.
    fn probes(&self) -> (Vec<Vector<3>>, f64) {
        match (&self.shape.solid, &self.hull) {
            (Solid::Point, _) => (vec![self.shape.at], 0.0),
            (Solid::Ball { radius }, _) => (vec![self.shape.at], *radius),
            (Solid::Capsule { length, radius }, _) => (self.caps(*length).to_vec(), *radius),
            (_, Some(hull)) => (hull.vertices.clone(), 0.0),
            _ => (Vec::new(), 0.0),
        }
    }

    /// The shape in the frame of its body.
    fn target(&self) -> Target {
        let (center, solid) = (self.shape.at, &self.shape.solid);
        let round = |radius| Target::Round { center, radius };
        match (solid, &self.hull) {
            (Solid::Ball { radius }, _) => round(*radius),
            (Solid::Capsule { length, radius }, _) => {
                let [start, end] = self.caps(*length);
                Target::Segment {
                    start,
                    along: (end - start) * length.recip(),
                    length: *length,
                    radius: *radius,
                }
            }
            (Solid::HalfSpace { normal }, _) => Target::HalfSpace {
                point: center,
                normal: self.shape.rotation.apply(*normal * normal.norm().recip()),
            },
            (_, Some(hull)) => Target::Hull(hull.clone()),
            _ => round(0.0),
        }
    }

    /// Axis of a capsule, edges of a polyhedron.
    fn rods(&self) -> Vec<Rod> {
        if let Solid::Capsule { length, radius } = self.shape.solid {
            let [start, end] = self.caps(length);
            return vec![Rod {
                body: self.body,
                start,
                along: (end - start) * length.recip(),
                length,
                radius,
                bounds: None,
            }];
        }
        let Some(hull) = &self.hull else {
            return Vec::new();
        };
        let rod = |edge: &super::hull::Edge| Rod {
            body: self.body,
            start: edge.start,
            along: edge.along,
            length: edge.length,
            radius: 0.0,
            bounds: Some(Bounded {
                wedge: edge.wedge,
                hull: hull.clone(),
            }),
        };
        hull.edges.iter().map(rod).collect()
    }
}

fn expand(first: &Carried<'_>, second: &Carried<'_>) -> Result<Vec<SolidFeature>, &'static str> {
    let ahead = || pair_up(first, second, false, false);
    let back = |owns_sides_only| pair_up(second, first, true, owns_sides_only);
    if matches!(
        (&first.shape.solid, &second.shape.solid),
        (Solid::Point, Solid::Point)
    ) {
        return Err("point");
    }
    match (first.is_half_space(), second.is_half_space()) {
        (true, true) => return Err("half_space"),
        (true, false) => return Ok(back(false)),
        (false, true) => return Ok(ahead()),
        (false, false) => {}
    }
    if first.is_round() {
        return Ok(ahead());
    }
    if second.is_round() {
        return Ok(back(false));
    }
    let mut features = ahead();
    features.extend(back(true));
    let others = second.rods();
    for a in first.rods() {
        let crossing = |b: &Rod| SolidFeature(Kind::Crossing(a.clone(), b.clone()));
        features.extend(others.iter().map(crossing));
    }
    Ok(features)
}

/// Every probe of one shape against the other.
fn pair_up(
    probing: &Carried<'_>,
    probed: &Carried<'_>,
    is_flipped: bool,
    owns_sides_only: bool,
) -> Vec<SolidFeature> {
    let target = probed.target();
    let (points, radius) = probing.probes();
    let leaving = |i: usize| {
        let hull = probing.hull.as_ref();
        hull.map_or(Vec::new(), |hull| hull.leaving(i))
    };
    let feature = |(i, at): (usize, Vector<3>)| {
        SolidFeature(Kind::Probe(Probe {
            body: probing.body,
            at,
            radius,
            leaving: leaving(i),
            solid: probing.hull.clone(),
            target_body: probed.body,
            target: target.clone(),
            is_flipped,
            owns_sides_only,
        }))
    };
    points.into_iter().enumerate().map(feature).collect()
}
