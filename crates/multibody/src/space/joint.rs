//! The kinds of joint in space.

use super::rotation::{self, Rotation};
use super::{Space, unit};
use crate::algebra::{AxisFault, JointKind, LoadReading, Most, Pose, Twist};
use crate::vector::Vector;

/// Motion a joint in space leaves free.
///
/// Axes are given in the parent's joint frame, any length but zero, and made unit vectors when the
/// model is built. Angles turn right-handed about their axes. Quaternions are (w, x, y, z), of any
/// length but zero: only their direction places, and `q̇ = ½ ω q` keeps their length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpaceJoint {
    /// The child turns about an axis; its coordinate is the angle (rad).
    Revolute {
        /// Axis of the turn.
        axis: Vector<3>,
    },
    /// The child slides along an axis; its coordinate is the way (m).
    Prismatic {
        /// Direction of the way.
        axis: Vector<3>,
    },
    /// The child is part of the parent.
    Fixed,
    /// The child moves freely.
    ///
    /// Positions: x, y, z (m) and quaternion of its joint frame in the parent's. Rates: velocity of
    /// the child's joint point (m/s), then angular velocity (rad/s), both as seen from the parent and
    /// in the parent's joint axes.
    Free,
    /// The child turns about a point.
    ///
    /// Positions: quaternion of its joint frame in the parent's. Rates: angular velocity as seen from
    /// the parent, in the parent's joint axes (rad/s).
    Spherical,
    /// The child turns about an axis and slides along it; its coordinates are the angle (rad) and
    /// the way (m).
    Cylindrical {
        /// Axis of turn and way.
        axis: Vector<3>,
    },
    /// The child turns about two axes in succession; its coordinates are the two angles (rad).
    Universal {
        /// Axis fixed in the parent.
        first: Vector<3>,
        /// Axis fixed in the child, where it is when both angles are zero; not parallel to the first.
        second: Vector<3>,
    },
    /// The child turns about an axis and advances in proportion; its coordinate is the angle (rad).
    Screw {
        /// Axis of the thread.
        axis: Vector<3>,
        /// Advance along the axis (m per radian), of either sign.
        lead: f64,
    },
}

/// Two unit axes with a lesser sine of the angle between them leave one freedom, not two.
const ONE_AXIS: f64 = 1e-9;

const fn translation(linear: Vector<3>) -> Twist<Space> {
    Twist {
        angular: Vector([0.0; 3]),
        linear,
    }
}

const fn turn(angular: Vector<3>) -> Twist<Space> {
    Twist {
        angular,
        linear: Vector([0.0; 3]),
    }
}

const AXES: [Vector<3>; 3] = [
    Vector([1.0, 0.0, 0.0]),
    Vector([0.0, 1.0, 0.0]),
    Vector([0.0, 0.0, 1.0]),
];

/// The four numbers from `at` on.
#[inline(always)]
fn quaternion(q: &[f64], at: usize) -> [f64; 4] {
    [q[at], q[at + 1], q[at + 2], q[at + 3]]
}

#[inline(always)]
fn vector(v: &[f64], at: usize) -> Vector<3> {
    Vector([v[at], v[at + 1], v[at + 2]])
}

/// `½ ω q`, ω in the outer axes.
fn quaternion_rate(q: [f64; 4], omega: Vector<3>) -> [f64; 4] {
    let Vector([x, y, z]) = omega * 0.5;
    rotation::product([0.0, x, y, z], q)
}

impl SpaceJoint {
    /// Place of its quaternion among its positions.
    fn quaternion_at(&self) -> Option<usize> {
        match self {
            Self::Free => Some(3),
            Self::Spherical => Some(0),
            _ => None,
        }
    }
}

impl JointKind<Space> for SpaceJoint {
    fn fixed() -> Self {
        Self::Fixed
    }

    fn free() -> Self {
        Self::Free
    }

    #[inline(always)]
    fn positions(&self) -> usize {
        match self {
            Self::Free => 7,
            Self::Spherical => 4,
            _ => self.rates(),
        }
    }

    #[inline(always)]
    fn rates(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Spherical => 3,
            Self::Free => 6,
        }
    }

    fn is_length(&self, number: usize) -> bool {
        match self {
            Self::Prismatic { .. } => true,
            Self::Cylindrical { .. } => number == 1,
            Self::Free => number < 3,
            _ => false,
        }
    }

    fn lead(&self) -> f64 {
        match self {
            Self::Screw { lead, .. } => *lead,
            _ => 0.0,
        }
    }

    fn normalised(self) -> Result<Self, AxisFault> {
        Ok(match self {
            Self::Fixed | Self::Free | Self::Spherical => self,
            Self::Revolute { axis } => Self::Revolute { axis: unit(axis)? },
            Self::Prismatic { axis } => Self::Prismatic { axis: unit(axis)? },
            Self::Cylindrical { axis } => Self::Cylindrical { axis: unit(axis)? },
            Self::Screw { axis, lead } => {
                if !lead.is_finite() {
                    return Err(AxisFault::NoLead(lead));
                }
                let axis = unit(axis)?;
                Self::Screw { axis, lead }
            }
            Self::Universal { first, second } => {
                let (first, second) = (unit(first)?, unit(second)?);
                let sin = first.cross(second).norm();
                if sin < ONE_AXIS {
                    return Err(AxisFault::Parallel(sin));
                }
                Self::Universal { first, second }
            }
        })
    }

    #[inline(always)]
    fn placement(&self, base: &Pose<Space>, q: &[f64]) -> Pose<Space> {
        let slid = |axis: Vector<3>, way: f64| base.point(axis * way);
        let (rotation, origin) = match *self {
            Self::Revolute { axis } => (base.rotation.then_about(axis, q[0]), base.origin),
            Self::Prismatic { axis } => (base.rotation, slid(axis, q[0])),
            Self::Fixed => return *base,
            Self::Free => (
                base.rotation.then(&Rotation::new(quaternion(q, 3))),
                base.point(vector(q, 0)),
            ),
            Self::Spherical => (
                base.rotation.then(&Rotation::new(quaternion(q, 0))),
                base.origin,
            ),
            Self::Cylindrical { axis } => (base.rotation.then_about(axis, q[0]), slid(axis, q[1])),
            Self::Universal { first, second } => {
                let between = base.rotation.then_about(first, q[0]);
                (between.then_about(second, q[1]), base.origin)
            }
            Self::Screw { axis, lead } => (
                base.rotation.then_about(axis, q[0]),
                slid(axis, lead * q[0]),
            ),
        };
        Pose { rotation, origin }
    }

    #[inline(always)]
    fn column(&self, q: &[f64], index: usize) -> Twist<Space> {
        match (*self, index) {
            (Self::Revolute { axis } | Self::Cylindrical { axis }, 0) => turn(axis),
            (Self::Prismatic { axis } | Self::Cylindrical { axis }, _) => translation(axis),
            (Self::Screw { axis, lead }, _) => Twist {
                angular: axis,
                linear: axis * lead,
            },
            (Self::Universal { first, .. }, 0) => turn(first),
            (Self::Universal { first, second }, _) => turn(carried(first, second, q[0])),
            (Self::Free, 0..3) => translation(AXES[index]),
            _ => turn(AXES[index % 3]),
        }
    }

    /// The free joint turns about a point that moves in the parent, `Ṡ v = −ω × ċ`; the second axis
    /// of a universal joint is carried by the first, `Ṡ v = v₁ v₂ a₁ × a₂`.
    #[inline(always)]
    fn drift(&self, q: &[f64], v: &[f64]) -> Option<Twist<Space>> {
        match *self {
            Self::Free => Some(translation(vector(v, 0).cross(vector(v, 3)))),
            Self::Universal { first, second } => {
                let bent = first.cross(carried(first, second, q[0]));
                Some(turn(bent * (v[0] * v[1])))
            }
            _ => None,
        }
    }

    fn position_rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        match self {
            Self::Free => {
                out[..3].copy_from_slice(&v[..3]);
                out[3..].copy_from_slice(&quaternion_rate(quaternion(q, 3), vector(v, 3)));
            }
            Self::Spherical => {
                out.copy_from_slice(&quaternion_rate(quaternion(q, 0), vector(v, 0)));
            }
            _ => out.copy_from_slice(v),
        }
    }

    fn quaternion(&self) -> Option<(usize, usize)> {
        self.quaternion_at().map(|at| (at, self.rates() - 3))
    }

    fn reference(&self, q: &mut [f64]) {
        q.fill(0.0);
        if let Some(at) = self.quaternion_at() {
            q[at] = 1.0;
        }
    }

    fn normalise(&self, q: &mut [f64]) {
        if let Some(at) = self.quaternion_at() {
            let unit = rotation::unit(quaternion(q, at));
            q[at..].copy_from_slice(&unit);
        }
    }

    /// The flank of a thread carries what acts along its normal, unrolled:
    ///
    /// ```text
    /// N = F_a cos α − (M_a/r) sin α,    tan α = l/r,    f per friction force: √(r² + l²)
    /// ```
    ///
    /// Drive, spring and damper act beside the thread, so that their moment is taken out of `M_a`.
    fn load(&self, rotation: Rotation, radius: f64) -> Option<LoadReading> {
        let Self::Screw { axis, lead } = self else {
            return None;
        };
        let axis = rotation.apply(*axis * axis.norm().recip());
        let arm = radius.hypot(*lead);
        let (cos, sin_by_radius) = (radius / arm, lead / (radius * arm));
        Some(LoadReading {
            force: (axis * cos).0,
            moment: (axis * -sin_by_radius).0,
            own: sin_by_radius,
            arm,
        })
    }

    fn most(&self, q: impl Fn(usize) -> f64, v: impl Fn(usize) -> f64) -> Most {
        let length =
            |of: &dyn Fn(usize) -> f64, at: usize| Vector([of(at), of(at + 1), of(at + 2)]).norm();
        let (slide, linear, angular) = match *self {
            Self::Revolute { .. } => (0.0, 0.0, v(0)),
            Self::Prismatic { .. } => (q(0), v(0), 0.0),
            Self::Fixed => (0.0, 0.0, 0.0),
            Self::Free => (length(&q, 0), length(&v, 0), length(&v, 3)),
            Self::Spherical => (0.0, 0.0, length(&v, 0)),
            Self::Cylindrical { .. } => (q(1), v(1), v(0)),
            Self::Universal { .. } => (0.0, 0.0, v(0) + v(1)),
            Self::Screw { lead, .. } => (lead.abs() * q(0), lead.abs() * v(0), v(0)),
        };
        Most {
            slide,
            linear,
            angular,
        }
    }
}

/// The second axis of a universal joint, turned by the first.
#[inline(always)]
fn carried(first: Vector<3>, second: Vector<3>, angle: f64) -> Vector<3> {
    Rotation::about_unit(first, angle).apply(second)
}
