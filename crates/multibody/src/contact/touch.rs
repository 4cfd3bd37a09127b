//! A contact of a placed mechanism: gap, directions, points, rates, Jacobian rows.

use super::closeness::Spot;
use super::distance::{Nearest, Side, overlap};
use super::feature::Feature;
use crate::dynamics::{Placed, PointForce};
use crate::model::BodyId;
use crate::piece::Piece;
use crate::plane::Plane;
use crate::vector::{Linear, Vector};

/// One contact at one instant. Body A is the first of the pair, body B the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Distance, negative when overlapping (m).
    pub gap: f64,
    /// Unit normal from B to A, world axes.
    pub normal: Vector<2>,
    /// Unit tangent, (t, n) right-handed.
    pub tangent: Vector<2>,
    /// Body A.
    pub body_a: BodyId,
    /// Body B.
    pub body_b: BodyId,
    /// Contact point on A, world axes (m).
    pub point_a: Vector<2>,
    /// Contact point on B: `point_a − gap n` (m).
    pub point_b: Vector<2>,
    /// Rate of the gap; positive separates (m/s).
    pub v_n: f64,
    /// Velocity of the contact point of A along t relative to that of B (m/s).
    pub v_t: f64,
    /// False where a touching here belongs to another feature of the same pair.
    pub is_owned: bool,
    /// Second derivative of the gap when the probe's centre moves across the normal (1/m): zero
    /// beside a straight side, the inverse distance from a centre or corner.
    pub curvature: f64,
}

/// A normal and a tangent number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactComponents {
    /// Along the normal.
    pub n: f64,
    /// Along the tangent.
    pub t: f64,
}

impl Touch {
    /// A contact force (N), or impulse (N·s), as it acts on A and, reversed, on B.
    pub fn forces(&self, f: ContactComponents) -> [PointForce<Plane>; 2] {
        let force = self.normal * f.n + self.tangent * f.t;
        let on = |body, point, force| PointForce { body, point, force };
        [
            on(self.body_a, self.point_a, force),
            on(self.body_b, self.point_b, -force),
        ]
    }
}

impl Placed<'_, Plane> {
    /// Gap, directions, points and rates of a contact on any piece of its surface.
    pub fn touch(&self, feature: &Feature) -> Touch {
        self.touch_on(feature, None)
    }

    /// The same of a contact that keeps to a piece, where it does.
    pub fn touch_on(&self, feature: &Feature, piece: Option<Piece>) -> Touch {
        let probe = feature.probe;
        let frame = self.pose(feature.target_body);
        let center = self.pose(probe.body).point(probe.at);
        let local = frame.rotation.undo(center - frame.origin);
        let near = match piece.and_then(Piece::of_plane) {
            Some(piece) => feature.target.on(piece, local),
            None => self.near(feature, self.spot(feature, local)),
        };
        let outward = frame.rotation.apply(near.normal);
        let gap = near.distance - probe.radius;
        let on_probe = center - outward * probe.radius;
        let on_target = on_probe - outward * gap;
        // From the target to the probe is from B to A unless the pair is the other way round.
        let (normal, point_a, point_b) = match feature.is_flipped {
            false => (outward, on_probe, on_target),
            true => (-outward, on_target, on_probe),
        };
        let touch = Touch {
            gap,
            normal,
            tangent: -normal.turned(),
            body_a: feature.bodies().0,
            body_b: feature.bodies().1,
            point_a,
            point_b,
            v_n: 0.0,
            v_t: 0.0,
            is_owned: near.is_on_side || !feature.owns_sides_only,
            curvature: near.curvature,
        };
        self.with_rates(touch)
    }

    /// The probe in the frame of its target, with its round-off.
    pub(super) fn spot(&self, feature: &Feature, local: Vector<2>) -> Spot<2> {
        let own = self.pose(feature.probe.body).origin;
        let target = self.pose(feature.target_body).origin;
        Spot::new(local, [own, feature.probe.at, target])
    }

    /// The place of the target next to its probe, which is at a spot of the target's frame.
    pub(super) fn near(&self, feature: &Feature, spot: Spot<2>) -> Nearest {
        let (probe, frame) = (feature.probe, self.pose(feature.target_body));
        let own = self.pose(probe.body);
        let corner = || {
            let turned = |along| frame.rotation.undo(own.rotation.apply(along));
            probe.corner.map(|sides| sides.map(turned))
        };
        let depth = |sides: &[Side]| {
            let seen = |corner: &Vector<2>| frame.rotation.undo(own.point(*corner) - frame.origin);
            let corners: Vec<Vector<2>> = feature.polygon.iter().map(seen).collect();
            overlap(sides, &corners)
        };
        feature.target.nearest(spot, corner, depth)
    }

    fn with_rates(&self, touch: Touch) -> Touch {
        let slip =
            self.velocity(touch.body_a, touch.point_a) - self.velocity(touch.body_b, touch.point_b);
        Touch {
            v_n: touch.normal.dot(slip),
            v_t: touch.tangent.dot(slip),
            ..touch
        }
    }

    /// Writes the Jacobian rows of a contact and returns what prescribed motions add:
    /// `v_n = normal·v + drift.n`, `v_t = tangent·v + drift.t`.
    ///
    /// # Panics
    ///
    /// When a row has not the length of the rates.
    pub fn contact_rows(
        &self,
        touch: &Touch,
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> ContactComponents {
        let base = self.common_base(touch.body_a, touch.body_b);
        let row = |direction: Vector<2>, row: &mut [f64]| {
            row.fill(0.0);
            let on = |body, point, force| PointForce { body, point, force };
            self.add_row_up_to(base, on(touch.body_a, touch.point_a, direction), row)
                + self.add_row_up_to(base, on(touch.body_b, touch.point_b, -direction), row)
        };
        let n = row(touch.normal, normal);
        let t = row(touch.tangent, tangent) + self.add_common_turning(base, touch.gap, tangent);
        ContactComponents { n, t }
    }

    /// Adds to a tangent row what the turning of the body on which both bodies hang does: their
    /// points are a gap apart, `t·(ω × g n) = −g ω`. Everything else it does moves both alike, and
    /// is left out rather than cancelled: a contact that one coordinate moves has rows of one
    /// entry, without round-off beside it.
    fn add_common_turning(&self, base: BodyId, gap: f64, tangent: &mut [f64]) -> f64 {
        let (mut i, mut drift) = (base.0, 0.0);
        while i != 0 {
            let node = &self.model.nodes[i];
            for c in 0..node.columns {
                let along = -gap * self.work.columns[node.column + c].angular;
                match node.motion {
                    None => tangent[node.v_at + c] += along,
                    Some(_) => drift += along * self.work.rates[node.column + c],
                }
            }
            i = node.parent;
        }
        drift
    }

    /// Rates of `v_n` and `v_t` when the free rates do not change: `J̇ v` and what prescribed motions
    /// add, so that `dv_n/dt = J_n v̇ + bias.n` is the second derivative of the gap.
    ///
    /// With u the velocity of the probe's centre seen from the target T, a its acceleration there, ρ
    /// the probe's radius and κ the curvature of the target's distance,
    ///
    /// ```text
    /// v_n = n·u                        v̇_n = n·a + κ (t·u)²
    /// v_t = t·u + ρ ω_P − (ρ + g) ω_T  v̇_t = t·a − κ (t·u)(n·u) + ρ α_P − (ρ + g) α_T − ġ ω_T
    /// ```
    pub fn contact_bias(&self, feature: &Feature, touch: &Touch) -> ContactComponents {
        let (probe, target) = (feature.probe, feature.target_body);
        let sense = if feature.is_flipped { -1.0 } else { 1.0 };
        let (n, t) = (touch.normal * sense, touch.tangent * sense);
        let center = self.pose(probe.body).point(probe.at);
        let u = self.velocity(probe.body, center) - self.velocity(target, center);
        let own = self.acceleration_bias(probe.body, center);
        let frame = self.acceleration_bias(target, center);
        let omega = self.twist(target).angular;
        let a = own.linear - frame.linear - u.turned() * (2.0 * omega);
        let (u_n, u_t) = (n.dot(u), t.dot(u));
        let arm = probe.radius + touch.gap;
        ContactComponents {
            n: n.dot(a) + touch.curvature * u_t * u_t,
            t: t.dot(a) - touch.curvature * u_t * u_n + probe.radius * own.angular
                - arm * frame.angular
                - touch.v_n * omega,
        }
    }
}
