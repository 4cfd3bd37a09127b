//! A pair of solids as smooth contacts.

use std::sync::Arc;

use super::crossing::{Bounded, Rod};
use super::distance::Target;
use super::hull::Hull;
use super::rim::{self, Plane, Rim};
use super::shape::{Solid, SolidFault, SolidShape};
use super::turned::Turned;
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
    /// A gap changes no faster than the probe's centre, or some point of the rim or of the first rod, moves as
    /// seen from the other body; that of two edges by thrice as much where their solids overlap.
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

    /// Whether what it leaves free is convex.
    fn is_hollow(&self) -> bool {
        let solid = &self.shape.solid;
        matches!(
            solid,
            Solid::HalfSpace { .. } | Solid::Bowl { .. } | Solid::Tube { .. }
        )
    }

    /// Whether it is turned about an axis and has sharp rims.
    fn is_turned(&self) -> bool {
        matches!(
            self.shape.solid,
            Solid::Disk { .. } | Solid::Cylinder { .. }
        )
    }

    fn name(&self) -> &'static str {
        self.shape.solid.name()
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
            (Solid::Disk { radius }, _) => self.turned(*radius, 0.0),
            (Solid::Cylinder { radius, length }, _) => self.turned(*radius, 0.5 * length),
            (Solid::Bowl { radius }, _) => Target::Bowl {
                center,
                radius: *radius,
            },
            (Solid::Tube { radius }, _) => Target::Tube {
                center,
                along: self.axis(),
                radius: *radius,
            },
            (_, Some(hull)) => Target::Hull(hull.clone()),
            _ => round(0.0),
        }
    }

    /// Its z axis.
    fn axis(&self) -> Vector<3> {
        self.shape.rotation.apply(Vector([0.0, 0.0, 1.0]))
    }

    fn turned(&self, radius: f64, half: f64) -> Target {
        Target::Turned(Turned {
            center: self.shape.at,
            axis: self.axis(),
            radius,
            half,
        })
    }

    /// The rims of a disk or cylinder on a plane, each at four places.
    fn rims(&self, plane: Plane, is_flipped: bool) -> Vec<SolidFeature> {
        let (radius, heights) = match &self.shape.solid {
            Solid::Disk { radius } => (*radius, vec![0.0]),
            Solid::Cylinder { radius, length } => (*radius, vec![-0.5 * length, 0.5 * length]),
            _ => return Vec::new(),
        };
        let at = |z: f64| self.shape.point(Vector([0.0, 0.0, z]));
        let across = self.shape.rotation.apply(Vector([1.0, 0.0, 0.0]));
        let rim = |(z, spoke): (f64, u8)| {
            SolidFeature(Kind::Rim(Rim {
                body: self.body,
                center: at(z),
                axis: self.axis(),
                across,
                radius,
                plane,
                spoke,
                is_flipped,
            }))
        };
        let places = heights.into_iter();
        places
            .flat_map(|z| (0..rim::SPOKES).map(move |spoke| (z, spoke)))
            .map(rim)
            .collect()
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

/// Why a pair has no contacts.
enum Refusal {
    Alike(&'static str),
    /// What the form that has few partners may meet.
    Unpaired(&'static str),
    /// Radii of what is inside and of the hollow, and whether the hollow is the first.
    TooWide(f64, f64, bool),
}

impl Refusal {
    fn of(
        self,
        first: (&str, &str),
        second: (&str, &str),
        forms: [&'static str; 2],
    ) -> PairError<SolidFault> {
        let said = |(body, shape): (&str, &str)| format!("{body}.{shape}");
        match self {
            Self::Alike(form) => PairError::not_offered(first, second, form),
            Self::Unpaired(offered) => PairError::NotPaired {
                first: said(first),
                second: said(second),
                forms,
                offered,
            },
            Self::TooWide(radius, room, is_flipped) => {
                let (inner, outer) = match is_flipped {
                    true => (second, first),
                    false => (first, second),
                };
                PairError::TooWide {
                    shape: said(inner),
                    radius,
                    hollow: said(outer),
                    room,
                }
            }
        }
    }
}

/// What the forms with few partners may meet.
const WITH_DISK: &str = "a disk is offered with half_space and ball";
const WITH_CYLINDER: &str = "a cylinder is offered with half_space, ball and point";
const WITH_HOLLOW: &str =
    "bowl, tube and half_space are offered with point, ball, capsule, box and polyhedron";

/// The contacts of a shape with one whose free space is convex.
fn inside(
    shape: &Carried<'_>,
    hollow: &Carried<'_>,
    is_flipped: bool,
) -> Result<Vec<SolidFeature>, Refusal> {
    let target = hollow.target();
    match (&target, shape.is_turned()) {
        (Target::HalfSpace { point, normal }, true) => {
            let (body, point, normal) = (hollow.body, *point, *normal);
            let plane = Plane {
                body,
                point,
                normal,
            };
            return Ok(shape.rims(plane, is_flipped));
        }
        (_, true) => {
            let offered = match &shape.shape.solid {
                Solid::Disk { .. } => WITH_DISK,
                _ => WITH_CYLINDER,
            };
            return Err(Refusal::Unpaired(offered));
        }
        (Target::Bowl { radius: room, .. } | Target::Tube { radius: room, .. }, false) => {
            let (_, radius) = shape.probes();
            if radius >= *room {
                return Err(Refusal::TooWide(radius, *room, is_flipped));
            }
        }
        _ => {}
    }
    Ok(pair_up(shape, hollow, is_flipped, false))
}

/// The contacts of a shape with a disk or cylinder.
fn beside_turned(
    shape: &Carried<'_>,
    turned: &Carried<'_>,
    is_flipped: bool,
) -> Result<Vec<SolidFeature>, Refusal> {
    let offered = match (&turned.shape.solid, &shape.shape.solid) {
        (Solid::Disk { .. }, Solid::Ball { .. })
        | (Solid::Cylinder { .. }, Solid::Ball { .. } | Solid::Point) => None,
        (Solid::Disk { .. }, _) => Some(WITH_DISK),
        _ => Some(WITH_CYLINDER),
    };
    match offered {
        None => Ok(pair_up(shape, turned, is_flipped, false)),
        Some(offered) => Err(Refusal::Unpaired(offered)),
    }
}

fn expand(first: &Carried<'_>, second: &Carried<'_>) -> Result<Vec<SolidFeature>, Refusal> {
    let ahead = || pair_up(first, second, false, false);
    let back = |owns_sides_only| pair_up(second, first, true, owns_sides_only);
    if matches!(
        (&first.shape.solid, &second.shape.solid),
        (Solid::Point, Solid::Point)
    ) {
        return Err(Refusal::Alike("point"));
    }
    match (first.is_hollow(), second.is_hollow()) {
        (true, true) if first.name() == second.name() => {
            return Err(Refusal::Alike(first.name()));
        }
        (true, true) => return Err(Refusal::Unpaired(WITH_HOLLOW)),
        (true, false) => return inside(second, first, true),
        (false, true) => return inside(first, second, false),
        (false, false) => {}
    }
    match (first.is_turned(), second.is_turned()) {
        (_, true) => return beside_turned(first, second, false),
        (true, false) => return beside_turned(second, first, true),
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
