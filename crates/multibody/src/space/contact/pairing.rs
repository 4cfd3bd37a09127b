//! Which pairs of solids have contacts, and which these are.

use std::sync::Arc;

use super::crossing::{Bounded, Rod};
use super::distance::Target;
use super::ellipsoid::Ellipsoid;
use super::feature::{Kind, Probe, SolidFeature};
use super::hull::{self, Hull};
use super::rim::{self, Plane, Rim};
use super::shape::{Solid, SolidFault, SolidShape};
use super::turned::Turned;
use crate::model::{BodyId, PairError};
use crate::vector::Vector;

/// A shape with the body that carries it; of a polyhedron also its hull in the body's frame.
pub(super) struct Carried<'a> {
    body: BodyId,
    shape: &'a SolidShape,
    hull: Option<Arc<Hull>>,
}

impl<'a> Carried<'a> {
    pub(super) fn new(body: BodyId, shape: &'a SolidShape) -> Self {
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

    /// What it may meet, where that is little.
    fn partners(&self) -> Option<&'static str> {
        match self.shape.solid {
            Solid::Disk { .. } => Some(WITH_DISK),
            Solid::Cylinder { .. } => Some(WITH_CYLINDER),
            Solid::Ellipsoid { .. } => Some(WITH_ELLIPSOID),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> &'static str {
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

    /// The lowest point of an ellipsoid on a plane, or the rims of a disk or cylinder.
    fn on_plane(&self, plane: Plane, is_flipped: bool) -> Vec<SolidFeature> {
        let Solid::Ellipsoid { semi_axes } = self.shape.solid else {
            return self.rims(plane, is_flipped);
        };
        vec![SolidFeature(Kind::Ellipsoid(Ellipsoid {
            body: self.body,
            center: self.shape.at,
            rotation: self.shape.rotation,
            semi_axes,
            plane,
            is_flipped,
        }))]
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
        let rod = |edge: &hull::Edge| Rod {
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
pub(super) enum Refusal {
    Alike(&'static str),
    /// What the form that has few partners may meet.
    Unpaired(&'static str),
    /// Radii of what is inside and of the hollow, and whether the hollow is the first.
    TooWide(f64, f64, bool),
}

impl Refusal {
    pub(super) fn of(
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
const WITH_ELLIPSOID: &str = "an ellipsoid is offered with half_space";
const WITH_HOLLOW: &str =
    "bowl, tube and half_space are offered with point, ball, capsule, box and polyhedron";

/// The contacts of a shape with one whose free space is convex.
fn inside(
    shape: &Carried<'_>,
    hollow: &Carried<'_>,
    is_flipped: bool,
) -> Result<Vec<SolidFeature>, Refusal> {
    let target = hollow.target();
    match (&target, shape.partners()) {
        (Target::HalfSpace { point, normal }, Some(_)) => {
            let (body, point, normal) = (hollow.body, *point, *normal);
            let plane = Plane {
                body,
                point,
                normal,
            };
            return Ok(shape.on_plane(plane, is_flipped));
        }
        (_, Some(offered)) => return Err(Refusal::Unpaired(offered)),
        (Target::Bowl { radius: room, .. } | Target::Tube { radius: room, .. }, None) => {
            let (_, radius) = shape.probes();
            if radius >= *room {
                return Err(Refusal::TooWide(radius, *room, is_flipped));
            }
        }
        _ => {}
    }
    Ok(pair_up(shape, hollow, is_flipped, false))
}

/// The contacts of a shape with one that has few partners, a disk or a cylinder where there are any.
fn beside(
    shape: &Carried<'_>,
    curved: &Carried<'_>,
    is_flipped: bool,
    offered: &'static str,
) -> Result<Vec<SolidFeature>, Refusal> {
    match (&curved.shape.solid, &shape.shape.solid) {
        (Solid::Disk { .. }, Solid::Ball { .. })
        | (Solid::Cylinder { .. }, Solid::Ball { .. } | Solid::Point) => {
            Ok(pair_up(shape, curved, is_flipped, false))
        }
        _ => Err(Refusal::Unpaired(offered)),
    }
}

/// The contacts of a pair, or why it has none.
pub(super) fn expand(
    first: &Carried<'_>,
    second: &Carried<'_>,
) -> Result<Vec<SolidFeature>, Refusal> {
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
    match (first.partners(), second.partners()) {
        (_, Some(offered)) => return beside(first, second, false, offered),
        (Some(offered), None) => return beside(second, first, true, offered),
        (None, None) => {}
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
