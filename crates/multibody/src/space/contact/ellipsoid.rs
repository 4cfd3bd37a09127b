//! An ellipsoid on a plane: its lowest point, which travels over it.
//!
//! With n the normal of the plane in the axes of the ellipsoid, k its centre and A its semi-axes as a diagonal
//! matrix,
//!
//! ```text
//! e = A n,   s = |e|,   u = e/s,   lowest point: k − A u,   gap: n·(k − p) − s
//! ```
//!
//! As n turns on the ellipsoid at a rate ṅ, the lowest point travels over it:
//!
//! ```text
//! d/dt (A u) = A (ė − u (u·ė))/s,   ė = A ṅ
//! ```

use super::feature::SolidFeature;
use super::motion::ContactMotion;
use super::reach::Reach;
use super::rim::Plane;
use super::touch::SolidTouch;
use crate::dynamics::Placed;
use crate::model::BodyId;
use crate::space::{Rotation, Space};
use crate::vector::{Linear, Vector};

/// An ellipsoid in the frame of its body, over a plane.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ellipsoid {
    pub(super) body: BodyId,
    pub(super) center: Vector<3>,
    /// Its axes in the body frame.
    pub(super) rotation: Rotation,
    pub(super) semi_axes: Vector<3>,
    pub(super) plane: Plane,
    /// The ellipsoid is on the second body of the pair.
    pub(super) is_flipped: bool,
}

impl Ellipsoid {
    /// No point of it is farther from the origin of its body (m).
    pub(super) fn reach(&self) -> f64 {
        self.center.norm() + self.semi_axes.0.into_iter().fold(0.0, f64::max)
    }

    /// A vector of its own axes, stretched by the semi-axes.
    fn stretched(&self, r: Vector<3>) -> Vector<3> {
        Vector([0, 1, 2].map(|i| self.semi_axes.0[i] * r.0[i]))
    }
}

/// An ellipsoid over its plane.
struct Poised {
    /// Normal of the plane, world axes.
    normal: Vector<3>,
    /// Its axes in the world.
    axes: Rotation,
    /// Its centre, world axes (m).
    center: Vector<3>,
    /// Height of the centre (m).
    height: f64,
    /// How far it reaches along the normal: s (m).
    support: f64,
    /// Unit vector along the stretched normal: u, in its own axes.
    upward: Vector<3>,
}

impl Placed<'_, Space> {
    fn poised(&self, own: &Ellipsoid) -> Poised {
        let (pose, frame) = (self.pose(own.body), self.pose(own.plane.body));
        let normal = frame.rotation.apply(own.plane.normal);
        let axes = pose.rotation.then(&own.rotation);
        let center = pose.point(own.center);
        let stretched = own.stretched(axes.undo(normal));
        let support = stretched.norm();
        Poised {
            normal,
            axes,
            center,
            height: normal.dot(center - frame.point(own.plane.point)),
            support,
            upward: stretched * support.recip(),
        }
    }

    pub(super) fn reach_of_ellipsoid(&self, feature: &SolidFeature, own: &Ellipsoid) -> Reach {
        let at = self.poised(own);
        let distance = at.height - at.support;
        let lowest = at.center - at.axes.apply(own.stretched(at.upward));
        let (normal, point_a) = match own.is_flipped {
            false => (at.normal, lowest),
            true => (-at.normal, lowest - at.normal * distance),
        };
        Reach {
            bodies: feature.bodies(),
            normal,
            point_a,
            distance,
            is_owned: true,
            is_round_off: false,
            elsewhere: None,
        }
    }

    /// The lowest point moves with the body, and over it as the normal turns on the body.
    pub(super) fn motion_of_ellipsoid(&self, own: &Ellipsoid, touch: &SolidTouch) -> ContactMotion {
        let at = self.poised(own);
        let [turning, plane_turning] =
            [own.body, own.plane.body].map(|body| self.twist(body).angular);
        let seen_rate = (plane_turning - turning).cross(at.normal);
        let stretched_rate = own.stretched(at.axes.undo(seen_rate));
        let across = stretched_rate - at.upward * at.upward.dot(stretched_rate);
        let travel = at.axes.apply(own.stretched(across * at.support.recip()));
        let lowest = at.center - at.axes.apply(own.stretched(at.upward));
        let on_ellipsoid = self.velocity(own.body, lowest) - travel;
        let normal_rate = plane_turning.cross(at.normal);
        let on_plane = on_ellipsoid - at.normal * touch.v_n - normal_rate * touch.gap;
        let (sense, point_a, point_b) = match own.is_flipped {
            false => (1.0, on_ellipsoid, on_plane),
            true => (-1.0, on_plane, on_ellipsoid),
        };
        ContactMotion {
            normal: normal_rate * sense,
            point_a,
            point_b,
        }
    }
}
