//! What joints of the plane forbid.

use std::f64::consts::TAU;

use super::kind::{ClosingKind, Forbidden};
use crate::algebra::{Pose, Wrench};
use crate::plane::{Angle, Plane, PlaneJoint};
use crate::vector::{Linear, Vector};

const AXES: [Vector<2>; 2] = [Vector([1.0, 0.0]), Vector([0.0, 1.0])];

/// The child's point is kept along a direction.
fn kept(relative: &Pose<Plane>, direction: Vector<2>) -> Forbidden<Plane> {
    Forbidden {
        value: direction.dot(relative.origin),
        wrench: Wrench {
            moment: 0.0,
            force: direction,
        },
    }
}

/// The child does not turn; whole turns do not count.
fn unturned(relative: &Pose<Plane>) -> Forbidden<Plane> {
    let angle = relative.rotation.radians();
    Forbidden {
        value: angle - TAU * (angle / TAU).round(),
        wrench: Wrench {
            moment: 1.0,
            force: Vector::default(),
        },
    }
}

impl ClosingKind<Plane> for PlaneJoint {
    fn relative(base: &Pose<Plane>, child: &Pose<Plane>) -> Pose<Plane> {
        Pose {
            rotation: Angle::new(child.rotation.radians() - base.rotation.radians()),
            origin: base.rotation.undo(child.origin - base.origin),
        }
    }

    fn undo_angular(_: Angle, omega: f64) -> f64 {
        omega
    }

    fn constraints(&self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic { .. } => 2,
            Self::Fixed => 3,
            Self::Free => 0,
        }
    }

    fn forbidden(&self, relative: &Pose<Plane>, k: usize) -> Forbidden<Plane> {
        match (self, k) {
            (Self::Prismatic { axis }, 0) => kept(relative, axis.turned()),
            (Self::Revolute | Self::Fixed, 0 | 1) => kept(relative, AXES[k]),
            _ => unturned(relative),
        }
    }

    fn is_angle(&self, k: usize) -> bool {
        match self {
            Self::Prismatic { .. } => k == 1,
            _ => k == 2,
        }
    }
}
