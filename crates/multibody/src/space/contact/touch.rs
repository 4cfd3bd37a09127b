//! A contact of a placed mechanism: gap, directions, points, rates, Jacobian rows.

use super::crossing::{self, Bounded, Rod, Segment};
use super::distance::Nearest;
use super::feature::{Kind, Probe, SolidFeature};
use super::frame::tangents;
use super::overlap::{Overlap, Posed, overlap};
use crate::algebra::Pose;
use crate::dynamics::{Placed, PointForce};
use crate::model::BodyId;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// One contact at one instant. Body A is the first of the pair, body B the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidTouch {
    /// Distance, negative when overlapping (m). Of edges whose solids overlap elsewhere it is less than
    /// the distance of their points by twice the depth.
    pub gap: f64,
    /// Unit normal from B to A, world axes.
    pub normal: Vector<3>,
    /// Unit tangents t1 and t2; (t1, t2, n) is right-handed.
    pub tangents: [Vector<3>; 2],
    /// Body A.
    pub body_a: BodyId,
    /// Body B.
    pub body_b: BodyId,
    /// Contact point on A, world axes (m).
    pub point_a: Vector<3>,
    /// Contact point on B: `point_a − gap n` (m).
    pub point_b: Vector<3>,
    /// Rate of the gap; positive separates (m/s).
    pub v_n: f64,
    /// Velocity of the contact point of A along t1 and t2 relative to that of B (m/s).
    pub v_t: [f64; 2],
    /// False where a touching here belongs to another feature of the same pair.
    pub is_owned: bool,
}

/// A normal and two tangent numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameComponents {
    /// Along the normal.
    pub n: f64,
    /// Along t1 and t2.
    pub t: [f64; 2],
}

impl SolidTouch {
    /// Contact of two points along a normal; rates are still to come.
    fn new(
        (body_a, body_b): (BodyId, BodyId),
        (point_a, gap): (Vector<3>, f64),
        normal: Vector<3>,
        is_owned: bool,
    ) -> Self {
        Self {
            gap,
            normal,
            tangents: tangents(normal),
            body_a,
            body_b,
            point_a,
            point_b: point_a - normal * gap,
            v_n: 0.0,
            v_t: [0.0; 2],
            is_owned,
        }
    }

    /// A contact force (N), or impulse (N·s), as it acts on A and, reversed, on B.
    pub fn forces(&self, f: FrameComponents) -> [PointForce<Space>; 2] {
        let [t1, t2] = self.tangents;
        let force = self.normal * f.n + t1 * f.t[0] + t2 * f.t[1];
        let on = |body, point, force| PointForce { body, point, force };
        [
            on(self.body_a, self.point_a, force),
            on(self.body_b, self.point_b, -force),
        ]
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

impl Placed<'_, Space> {
    /// Gap, directions, points and rates of a contact.
    pub fn touch(&self, feature: &SolidFeature) -> SolidTouch {
        match &feature.0 {
            Kind::Probe(probe) => self.with_rates(self.touch_of_probe(feature, probe)),
            Kind::Crossing(a, b, None) => self.touch_of_rods(a, b),
            Kind::Crossing(a, b, Some(sense)) => self.touch_of_kept_rods((a, b), *sense),
        }
    }

    fn touch_of_probe(&self, feature: &SolidFeature, probe: &Probe) -> SolidTouch {
        let frame = self.pose(probe.target_body);
        let center = self.pose(probe.body).point(probe.at);
        let near = self.near(probe, frame.rotation.undo(center - frame.origin));
        let outward = frame.rotation.apply(near.normal);
        let gap = near.distance - probe.radius;
        let on_probe = center - outward * probe.radius;
        // From the target to the probe is from B to A unless the pair is the other way round.
        let (normal, point_a) = match probe.is_flipped {
            false => (outward, on_probe),
            true => (-outward, on_probe - outward * gap),
        };
        let is_owned = near.is_on_side || !probe.owns_sides_only;
        SolidTouch::new(feature.bodies(), (point_a, gap), normal, is_owned)
    }

    /// The place of a target next to its probe, which is at a point of the target's frame.
    pub(super) fn near(&self, probe: &Probe, point: Vector<3>) -> Nearest {
        match probe.kept {
            Some(piece) => probe.target.on(piece, point),
            None => self.near_any(probe, point),
        }
    }

    /// The same on any piece.
    pub(super) fn near_any(&self, probe: &Probe, point: Vector<3>) -> Nearest {
        let (target, own) = (self.pose(probe.target_body), self.pose(probe.body));
        probe.target.nearest(point, |normal, along| {
            let normal = own.rotation.undo(target.rotation.apply(normal));
            let mut edges = probe.leaving.iter();
            !probe.leaving.is_empty() && edges.all(|edge| normal.dot(*edge) >= -along)
        })
    }

    fn touch_of_rods(&self, a: &Rod, b: &Rod) -> SolidTouch {
        let poses = [self.pose(a.body), self.pose(b.body)];
        let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
        let feet = crossing::feet(&on_a, &on_b);
        let wedge = |rod: &Rod, pose: &Pose<Space>| {
            let bounds = rod.bounds.as_ref()?;
            Some(bounds.wedge.map(|side| pose.rotation.apply(side)))
        };
        let wedges = [wedge(a, &poses[0]), wedge(b, &poses[1])];
        let overlap = || {
            let (a, b) = a.bounds.as_ref().zip(b.bounds.as_ref())?;
            overlap(a.solid(&poses[0]), b.solid(&poses[1]))
        };
        let apart = crossing::apart((&on_a, &on_b), &feet, wedges, overlap);
        let distance = apart.distance - a.radius - b.radius;
        let point_a = feet.points[0] - apart.normal * a.radius;
        let bodies = (a.body, b.body);
        let touch = SolidTouch::new(bodies, (point_a, distance), apart.normal, apart.is_owned);
        let touch = self.with_rates(touch);
        match apart.elsewhere {
            None => touch,
            Some(sunk) => SolidTouch {
                gap: touch.gap + 2.0 * sunk.depth,
                v_n: touch.v_n + 2.0 * self.rate_of(bodies, &sunk),
                ..touch
            },
        }
    }

    /// The contact of rods that are kept crossed, as if they were without ends.
    fn touch_of_kept_rods(&self, (a, b): (&Rod, &Rod), sense: f64) -> SolidTouch {
        let poses = [self.pose(a.body), self.pose(b.body)];
        let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
        let feet = crossing::endless_feet(&on_a, &on_b);
        let cross = on_a.along.cross(on_b.along);
        let normal = cross * (sense / cross.norm());
        let gap = normal.dot(feet.points[0] - feet.points[1]) - a.radius - b.radius;
        let point_a = feet.points[0] - normal * a.radius;
        self.with_rates(SolidTouch::new(
            (a.body, b.body),
            (point_a, gap),
            normal,
            true,
        ))
    }

    /// Rate of the depth of an overlap (m/s).
    fn rate_of(&self, (a, b): (BodyId, BodyId), sunk: &Overlap) -> f64 {
        let [on_a, on_b] = sunk.points;
        sunk.normal
            .dot(self.velocity(a, on_a) - self.velocity(b, on_b))
    }

    fn with_rates(&self, touch: SolidTouch) -> SolidTouch {
        let slip =
            self.velocity(touch.body_a, touch.point_a) - self.velocity(touch.body_b, touch.point_b);
        SolidTouch {
            v_n: touch.normal.dot(slip),
            v_t: touch.tangents.map(|t| t.dot(slip)),
            ..touch
        }
    }

    /// Writes the Jacobian rows of a contact along n, t1 and t2 and returns what prescribed motions
    /// add: `v_n = rows[0]·v + drift.n`, `v_t = rows[1, 2]·v + drift.t`.
    ///
    /// # Panics
    ///
    /// When a row has not the length of the rates.
    pub fn contact_rows(&self, touch: &SolidTouch, rows: [&mut [f64]; 3]) -> FrameComponents {
        let base = self.common_base(touch.body_a, touch.body_b);
        let row = |direction: Vector<3>, row: &mut [f64]| {
            row.fill(0.0);
            self.add_row_up_to(base, touch.body_a, (touch.point_a, direction), row)
                + self.add_row_up_to(base, touch.body_b, (touch.point_b, -direction), row)
        };
        let [n, row_1, row_2] = rows;
        let [t1, t2] = touch.tangents;
        FrameComponents {
            n: row(touch.normal, n),
            t: [
                row(t1, row_1) + self.add_common_turning(base, t2 * touch.gap, row_1),
                row(t2, row_2) + self.add_common_turning(base, t1 * -touch.gap, row_2),
            ],
        }
    }

    /// Adds to a tangent row what the turning of the body on which both bodies hang does: their points
    /// are a gap apart, `t·(ω × g n) = ω·(g n × t)`, with `about` the second factor. Everything else it
    /// does moves both alike, and is left out rather than cancelled.
    fn add_common_turning(&self, base: BodyId, about: Vector<3>, tangent: &mut [f64]) -> f64 {
        let (mut i, mut drift) = (base.0, 0.0);
        while i != 0 {
            let node = &self.model.nodes[i];
            for c in 0..node.columns {
                let along = about.dot(self.work.columns[node.column + c].angular);
                match node.motion {
                    None => tangent[node.v_at + c] += along,
                    Some(_) => drift += along * self.work.rates[node.column + c],
                }
            }
            i = node.parent;
        }
        drift
    }
}
