//! How a contact moves: rates of its normal and points, and the bias of its velocities.

use super::crossing::{self, Feet, Rod};
use super::feature::{Kind, Probe, SolidFeature};
use super::frame::tangent_rates;
use super::touch::{FrameComponents, SolidTouch};
use crate::dynamics::Placed;
use crate::piece::Piece;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// Rates of a contact's normal and points, world axes.
pub(super) struct ContactMotion {
    pub(super) normal: Vector<3>,
    pub(super) point_a: Vector<3>,
    pub(super) point_b: Vector<3>,
}

impl Placed<'_, Space> {
    /// Rates of `v_n` and `v_t` when the free rates do not change: `J̇ v` and what prescribed motions
    /// add, so that `dv_n/dt = J_n v̇ + bias.n` is the second derivative of the gap.
    ///
    /// With s the velocity of A's contact point relative to B's and d one of n, t1, t2,
    ///
    /// ```text
    /// d/dt (d·s) = ḋ·s + d·ṡ
    /// ṡ = a_A(p_A) + ω_A × (ṗ_A − v_A(p_A)) − a_B(p_B) − ω_B × (ṗ_B − v_B(p_B))
    /// ```
    ///
    /// where ṗ is the velocity of a contact point, which is not that of the body there.
    pub fn contact_bias(&self, feature: &SolidFeature, touch: &SolidTouch) -> FrameComponents {
        let motion = self.contact_motion(feature, touch);
        let side = |body, point, rate: Vector<3>| {
            let velocity = self.velocity(body, point);
            let omega = self.twist(body).angular;
            let acceleration = self.acceleration_bias(body, point).linear;
            (velocity, acceleration + omega.cross(rate - velocity))
        };
        let a = side(touch.body_a, touch.point_a, motion.point_a);
        let b = side(touch.body_b, touch.point_b, motion.point_b);
        let (slip, slip_rate) = (a.0 - b.0, a.1 - b.1);
        let rate = |d: Vector<3>, d_rate: Vector<3>| d_rate.dot(slip) + d.dot(slip_rate);
        let [t1, t2] = touch.tangents;
        let [t1_rate, t2_rate] = tangent_rates(touch.normal, motion.normal);
        FrameComponents {
            n: rate(touch.normal, motion.normal),
            t: [rate(t1, t1_rate), rate(t2, t2_rate)],
        }
    }

    /// How its normal and points move.
    pub(super) fn contact_motion(
        &self,
        feature: &SolidFeature,
        touch: &SolidTouch,
    ) -> ContactMotion {
        match &feature.0 {
            Kind::Probe(probe) => self.motion_of_probe(probe, touch),
            Kind::Crossing(a, b) => self.motion_of_rods(a, b, touch),
            Kind::Rim(rim) => self.motion_of_rim(rim, touch),
            Kind::Ellipsoid(own) => self.motion_of_ellipsoid(own, touch),
        }
    }

    /// The normal turns with the target, and with the probe's way past it.
    fn motion_of_probe(&self, probe: &Probe, touch: &SolidTouch) -> ContactMotion {
        let frame = self.pose(probe.target_body);
        let center = self.pose(probe.body).point(probe.at);
        let velocity = self.velocity(probe.body, center);
        let u = velocity - self.velocity(probe.target_body, center);
        let local = frame.rotation.undo(center - frame.origin);
        let near = self.near(probe, touch.piece, local);
        let outward = frame.rotation.apply(near.normal);
        let bent = near.normal_rate(frame.rotation.undo(u));
        let omega = self.twist(probe.target_body).angular;
        let outward_rate = omega.cross(outward) + frame.rotation.apply(bent);
        let on_probe = velocity - outward_rate * probe.radius;
        let on_target = on_probe - outward * touch.v_n - outward_rate * touch.gap;
        let (sense, point_a, point_b) = match probe.is_flipped {
            false => (1.0, on_probe, on_target),
            true => (-1.0, on_target, on_probe),
        };
        ContactMotion {
            normal: outward_rate * sense,
            point_a,
            point_b,
        }
    }

    /// The feet slide along their rods so that what is between them stays across both.
    fn motion_of_rods(&self, a: &Rod, b: &Rod, touch: &SolidTouch) -> ContactMotion {
        let (on_a, on_b) = (a.segment(&self.pose(a.body)), b.segment(&self.pose(b.body)));
        let feet = match touch.piece.and_then(Piece::sense).is_some() {
            true => crossing::endless_feet(&on_a, &on_b),
            false => crossing::feet(&on_a, &on_b),
        };
        let [at_a, at_b] = feet.points;
        let (u, w) = (on_a.along, on_b.along);
        let u_rate = self.twist(a.body).angular.cross(u);
        let w_rate = self.twist(b.body).angular.cross(w);
        let (v_a, v_b) = (self.velocity(a.body, at_a), self.velocity(b.body, at_b));
        let [way_a, way_b] = self.sliding_feet(a, b, &feet);
        let (foot_a, foot_b) = (v_a + u * way_a, v_b + w * way_b);
        // Across both rods, or along what is between the feet.
        let (direction, rate) = match feet.is_free {
            [true, true] => (u.cross(w), u_rate.cross(w) + u.cross(w_rate)),
            _ => (at_a - at_b, foot_a - foot_b),
        };
        let n = touch.normal;
        let normal = (rate - n * n.dot(rate)) * n.dot(direction).recip();
        ContactMotion {
            normal,
            point_a: foot_a - normal * a.radius,
            point_b: foot_b + normal * b.radius,
        }
    }
}

impl Placed<'_, Space> {
    /// Speeds of the feet along their rods.
    pub(super) fn sliding_feet(&self, a: &Rod, b: &Rod, feet: &Feet) -> [f64; 2] {
        let (on_a, on_b) = (a.segment(&self.pose(a.body)), b.segment(&self.pose(b.body)));
        let (u, w) = (on_a.along, on_b.along);
        let [at_a, at_b] = feet.points;
        let u_rate = self.twist(a.body).angular.cross(u);
        let w_rate = self.twist(b.body).angular.cross(w);
        let slip = self.velocity(a.body, at_a) - self.velocity(b.body, at_b);
        let turning = [
            u.dot(slip) + u_rate.dot(at_a - at_b),
            w.dot(slip) + w_rate.dot(at_a - at_b),
        ];
        slides([u, w], turning, feet.is_free)
    }
}

/// Speeds of the feet along their rods u and w.
///
/// What is between the feet, r, stays across a rod on which its foot is free:
///
/// ```text
/// d/dt (u·r) = p + ṡ − c ṫ = 0        c = u·w
/// d/dt (w·r) = q + c ṡ − ṫ = 0
/// ```
fn slides([u, w]: [Vector<3>; 2], [p, q]: [f64; 2], is_free: [bool; 2]) -> [f64; 2] {
    let (cos, cross) = (u.dot(w), u.cross(w));
    match is_free {
        [true, true] => {
            let on_a = (cos * q - p) / cross.dot(cross);
            [on_a, cos * on_a + q]
        }
        [true, false] => [-p, 0.0],
        [false, true] => [0.0, q],
        [false, false] => [0.0, 0.0],
    }
}
