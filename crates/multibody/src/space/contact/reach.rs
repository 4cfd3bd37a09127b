//! Where the shapes of a contact are next to each other, and how fast the gap between them changes.

use std::sync::Arc;

use super::crossing::{self, Bounded, Rod, Segment};
use super::distance::{Nearest, SolidVertex, Target};
use super::feature::{Kind, Probe, SolidFeature};
use super::hull::Hull;
use super::overlap::{Overlap, Posed, overlap};
use crate::algebra::Pose;
use crate::contact::closeness::Spot;
use crate::dynamics::Placed;
use crate::model::BodyId;
use crate::piece::Piece;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// The points of two shapes that are next to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// A and B.
    pub(super) bodies: (BodyId, BodyId),
    /// Unit vector from B to A.
    pub(super) normal: Vector<3>,
    pub(super) point_a: Vector<3>,
    /// Distance of the points along the normal (m).
    pub(super) distance: f64,
    /// False where a touching here belongs to another feature of the same pair.
    pub(super) is_owned: bool,
    /// Whether direction and rate of the distance are mostly round-off.
    pub(super) is_round_off: bool,
    /// How the solids of edges overlap where they touch elsewhere.
    pub(super) elsewhere: Option<Overlap>,
}

impl Reach {
    /// The gap; of edges whose solids overlap elsewhere less than the distance by twice the depth.
    pub(super) fn gap(&self) -> f64 {
        self.distance + self.elsewhere.map_or(0.0, |sunk| 2.0 * sunk.depth)
    }

    pub(super) fn point_b(&self) -> Vector<3> {
        self.point_a - self.normal * self.distance
    }
}

/// How the last two solids asked for overlap at one instant.
#[derive(Debug, Clone, Default)]
pub struct SolidOverlap {
    last: Option<([*const Hull; 2], Option<Overlap>)>,
}

impl SolidOverlap {
    /// How two solids overlap, if they do; the hulls of a pair are its own.
    fn of(&mut self, a: &Bounded, b: &Bounded, poses: &[Pose<Space>; 2]) -> Option<Overlap> {
        let pair = [&a.hull, &b.hull].map(Arc::as_ptr);
        match self.last {
            Some((last, found)) if last == pair => found,
            _ => {
                let found = overlap(a.solid(&poses[0]), b.solid(&poses[1]));
                self.last = Some((pair, found));
                found
            }
        }
    }
}

impl Bounded {
    fn solid<'a>(&'a self, pose: &'a Pose<Space>) -> Posed<'a> {
        let hull = &self.hull;
        Posed { hull, pose }
    }
}

impl Rod {
    pub(super) fn segment(&self, pose: &Pose<Space>) -> Segment {
        Segment {
            start: pose.point(self.start),
            along: pose.rotation.apply(self.along),
            length: self.length,
        }
    }
}

/// A probe that may be the vertex of a polyhedron, with the poses of its body and of the target's.
struct PlacedVertex<'a> {
    probe: &'a Probe,
    poses: [Pose<Space>; 2],
}

impl SolidVertex for PlacedVertex<'_> {
    fn leads_away(&self, normal: Vector<3>, sine: f64) -> bool {
        let (own, target) = (&self.poses[0].rotation, &self.poses[1].rotation);
        let normal = own.undo(target.apply(normal));
        let mut edges = self.probe.leaving.iter();
        !self.probe.leaving.is_empty() && edges.all(|edge| normal.dot(*edge) >= -sine)
    }

    fn depth(&self) -> f64 {
        let (Some(own), Target::Hull(target)) = (&self.probe.solid, &self.probe.target) else {
            return 0.0;
        };
        let posed = |hull, pose| Posed { hull, pose };
        let sunk = overlap(posed(own, &self.poses[0]), posed(target, &self.poses[1]));
        sunk.map_or(0.0, |sunk| -sunk.depth)
    }
}

impl Placed<'_, Space> {
    /// Gap of a contact (m) and its rate (m/s), one of many at one instant: how two solids overlap is found once for
    /// all their contacts that follow each other.
    pub fn gap(
        &self,
        feature: &SolidFeature,
        piece: Option<Piece>,
        shared: &mut SolidOverlap,
    ) -> (f64, f64) {
        let reach = self.reach(feature, piece, shared);
        (reach.gap(), self.gap_rate(&reach, self.slip(&reach)))
    }

    pub(super) fn reach(
        &self,
        feature: &SolidFeature,
        piece: Option<Piece>,
        shared: &mut SolidOverlap,
    ) -> Reach {
        match (&feature.0, piece.and_then(Piece::sense)) {
            (Kind::Probe(probe), _) => self.reach_of_probe(feature, probe, piece),
            (Kind::Rim(rim), _) => self.reach_of_rim(feature, rim, piece),
            (Kind::Ellipsoid(own), _) => self.reach_of_ellipsoid(feature, own),
            (Kind::Crossing(a, b), None) => self.reach_of_rods(a, b, shared),
            (Kind::Crossing(a, b), Some(sense)) => self.reach_of_kept_rods(a, b, sense),
        }
    }

    fn reach_of_probe(&self, feature: &SolidFeature, probe: &Probe, piece: Option<Piece>) -> Reach {
        let frame = self.pose(probe.target_body);
        let center = self.pose(probe.body).point(probe.at);
        let near = self.near(probe, piece, frame.rotation.undo(center - frame.origin));
        let outward = frame.rotation.apply(near.normal);
        let distance = near.distance - probe.radius;
        let on_probe = center - outward * probe.radius;
        // From the target to the probe is from B to A unless the pair is the other way round.
        let (normal, point_a) = match probe.is_flipped {
            false => (outward, on_probe),
            true => (-outward, on_probe - outward * distance),
        };
        Reach {
            bodies: feature.bodies(),
            normal,
            point_a,
            distance,
            is_owned: near.is_on_side || !probe.owns_sides_only,
            is_round_off: false,
            elsewhere: None,
        }
    }

    /// The place of a target next to its probe, which is at a point of the target's frame.
    pub(super) fn near(&self, probe: &Probe, piece: Option<Piece>, point: Vector<3>) -> Nearest {
        match piece.and_then(Piece::of_space) {
            Some(piece) => probe.target.on(piece, point),
            None => self.near_any(probe, self.spot(probe, point)),
        }
    }

    /// A probe in the frame of its target, with its round-off.
    pub(super) fn spot(&self, probe: &Probe, local: Vector<3>) -> Spot<3> {
        let own = self.pose(probe.body).origin;
        let target = self.pose(probe.target_body).origin;
        Spot::new(local, [own, probe.at, target])
    }

    /// The same on any piece.
    pub(super) fn near_any(&self, probe: &Probe, spot: Spot<3>) -> Nearest {
        let poses = [self.pose(probe.body), self.pose(probe.target_body)];
        probe.target.nearest(spot, &PlacedVertex { probe, poses })
    }

    fn reach_of_rods(&self, a: &Rod, b: &Rod, shared: &mut SolidOverlap) -> Reach {
        let poses = [self.pose(a.body), self.pose(b.body)];
        let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
        let feet = crossing::feet(&on_a, &on_b);
        let wedge = |rod: &Rod, pose: &Pose<Space>| {
            let bounds = rod.bounds.as_ref()?;
            Some(bounds.wedge.map(|side| pose.rotation.apply(side)))
        };
        let wedges = [wedge(a, &poses[0]), wedge(b, &poses[1])];
        let overlap = || shared.of(a.bounds.as_ref()?, b.bounds.as_ref()?, &poses);
        let apart = crossing::apart(&on_a, &on_b, &feet, wedges, overlap);
        Reach {
            bodies: (a.body, b.body),
            normal: apart.normal,
            point_a: feet.points[0] - apart.normal * a.radius,
            distance: apart.distance - a.radius - b.radius,
            is_owned: apart.is_owned,
            is_round_off: apart.is_round_off,
            elsewhere: apart.elsewhere,
        }
    }

    /// Rods that are kept crossed, as if they were without ends.
    fn reach_of_kept_rods(&self, a: &Rod, b: &Rod, sense: f64) -> Reach {
        let poses = [self.pose(a.body), self.pose(b.body)];
        let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
        let feet = crossing::endless_feet(&on_a, &on_b);
        let cross = on_a.along.cross(on_b.along);
        let normal = cross * (sense / cross.norm());
        Reach {
            bodies: (a.body, b.body),
            normal,
            point_a: feet.points[0] - normal * a.radius,
            distance: normal.dot(feet.points[0] - feet.points[1]) - a.radius - b.radius,
            is_owned: true,
            is_round_off: false,
            elsewhere: None,
        }
    }

    /// Velocity of the point of A relative to that of B (m/s).
    pub(super) fn slip(&self, reach: &Reach) -> Vector<3> {
        let (a, b) = reach.bodies;
        self.velocity(a, reach.point_a) - self.velocity(b, reach.point_b())
    }

    /// Rate of the gap with a slip of the points (m/s).
    ///
    /// Of edges that are neither apart nor behind each other it is zero: the first later point tells.
    pub(super) fn gap_rate(&self, reach: &Reach, slip: Vector<3>) -> f64 {
        let own = match reach.is_round_off {
            true => 0.0,
            false => reach.normal.dot(slip),
        };
        let sinking = |sunk: Overlap| {
            let ((a, b), [on_a, on_b]) = (reach.bodies, sunk.points);
            sunk.normal
                .dot(self.velocity(a, on_a) - self.velocity(b, on_b))
        };
        own + reach.elsewhere.map_or(0.0, |sunk| 2.0 * sinking(sunk))
    }
}
