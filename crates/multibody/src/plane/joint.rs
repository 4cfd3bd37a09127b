//! The kinds of joint in the plane.

use super::{Angle, Plane};
use crate::algebra::{AxisFault, JointKind, LoadReading, Most, Pose, Twist};
use crate::vector::{Linear, Vector};

/// Motion a plane joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneJoint {
    /// The child turns about the joint; its coordinate is the angle (rad).
    Revolute,
    /// The child slides along an axis of the parent's joint frame; its coordinate is the way (m).
    Prismatic {
        /// Direction, any length but zero; made a unit vector when the model is built.
        axis: Vector<2>,
    },
    /// The child is part of the parent.
    Fixed,
    /// The child moves freely; its coordinates are x, y (m) and the angle (rad) of its joint frame.
    Free,
}

const X: Twist<Plane> = translation(Vector([1.0, 0.0]));
const Y: Twist<Plane> = translation(Vector([0.0, 1.0]));
const TURN: Twist<Plane> = Twist {
    angular: 1.0,
    linear: Vector([0.0; 2]),
};

const fn translation(linear: Vector<2>) -> Twist<Plane> {
    Twist {
        angular: 0.0,
        linear,
    }
}

impl JointKind<Plane> for PlaneJoint {
    fn fixed() -> Self {
        Self::Fixed
    }

    fn free() -> Self {
        Self::Free
    }

    #[inline(always)]
    fn positions(&self) -> usize {
        self.rates()
    }

    #[inline(always)]
    fn rates(&self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic { .. } => 1,
            Self::Fixed => 0,
            Self::Free => 3,
        }
    }

    fn is_length(&self, number: usize) -> bool {
        match self {
            Self::Prismatic { .. } => true,
            Self::Free => number < 2,
            Self::Revolute | Self::Fixed => false,
        }
    }

    fn normalised(self) -> Result<Self, AxisFault> {
        let Self::Prismatic { axis } = self else {
            return Ok(self);
        };
        let length = axis.0[0].hypot(axis.0[1]);
        if length > 0.0 && length.is_finite() {
            let axis = axis * length.recip();
            Ok(Self::Prismatic { axis })
        } else {
            let value = axis.not_finite().unwrap_or(length);
            Err(AxisFault::NoDirection(value))
        }
    }

    /// Angles add up before their sine is taken, so that frames stay orthonormal down any chain.
    #[inline(always)]
    fn placement(&self, base: &Pose<Plane>, q: &[f64]) -> Pose<Plane> {
        let turned = |angle: f64| Angle::new(base.rotation.radians() + angle);
        match *self {
            Self::Revolute => Pose {
                rotation: turned(q[0]),
                ..*base
            },
            Self::Prismatic { axis } => Pose {
                origin: base.point(axis * q[0]),
                ..*base
            },
            Self::Fixed => *base,
            Self::Free => Pose {
                rotation: turned(q[2]),
                origin: base.point(Vector([q[0], q[1]])),
            },
        }
    }

    #[inline(always)]
    fn column(&self, _: &[f64], index: usize) -> Twist<Plane> {
        match (self, index) {
            (Self::Prismatic { axis }, _) => translation(*axis),
            (Self::Free, 0) => X,
            (Self::Free, 1) => Y,
            _ => TURN,
        }
    }

    /// Only the free joint turns about a point that moves in the parent: `Ṡ v = −θ̇ ẑ × ċ`.
    #[inline(always)]
    fn drift(&self, _: &[f64], v: &[f64]) -> Option<Twist<Plane>> {
        match self {
            Self::Free => Some(translation(Vector([v[1], -v[0]]) * v[2])),
            _ => None,
        }
    }

    fn position_rate(&self, _: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }

    /// A guide carries what acts across its axis.
    fn load(&self, rotation: Angle, _: f64) -> Option<LoadReading> {
        let Self::Prismatic { axis } = self else {
            return None;
        };
        let across = rotation.apply(*axis * axis.norm().recip()).turned();
        Some(LoadReading {
            force: [across.0[0], across.0[1], 0.0],
            moment: [0.0; 3],
            own: 0.0,
            arm: 1.0,
        })
    }

    fn most(&self, q: impl Fn(usize) -> f64, v: impl Fn(usize) -> f64) -> Most {
        let (slide, linear, angular) = match self {
            Self::Revolute => (0.0, 0.0, v(0)),
            Self::Prismatic { .. } => (q(0), v(0), 0.0),
            Self::Fixed => (0.0, 0.0, 0.0),
            Self::Free => (q(0) + q(1), v(0) + v(1), v(2)),
        };
        Most {
            slide,
            linear,
            angular,
        }
    }
}
