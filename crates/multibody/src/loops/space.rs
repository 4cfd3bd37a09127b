//! What joints of space forbid.

use std::f64::consts::{PI, TAU};

use super::kind::{ClosingKind, Forbidden};
use crate::algebra::{Pose, Wrench};
use crate::space::{Rotation, Space, SpaceJoint};
use crate::vector::{Linear, Vector};

const AXES: [Vector<3>; 3] = [
    Vector([1.0, 0.0, 0.0]),
    Vector([0.0, 1.0, 0.0]),
    Vector([0.0, 0.0, 1.0]),
];

/// Component of a unit axis below which the x axis is far enough from it to be a helper.
const HELPER_FAR: f64 = 0.6;

/// Two unit vectors across a unit axis, right-handed with it.
fn across(axis: Vector<3>) -> [Vector<3>; 2] {
    let helper = AXES[usize::from(axis.0[0].abs() > HELPER_FAR)];
    let first = helper - axis * axis.dot(helper);
    let first = first * first.norm().recip();
    [first, axis.cross(first)]
}

fn force(direction: Vector<3>) -> Wrench<Space> {
    Wrench {
        moment: Vector::default(),
        force: direction,
    }
}

fn moment(direction: Vector<3>) -> Wrench<Space> {
    Wrench {
        moment: direction,
        force: Vector::default(),
    }
}

/// The child's point is kept along a direction.
fn kept(relative: &Pose<Space>, direction: Vector<3>) -> Forbidden<Space> {
    Forbidden {
        value: direction.dot(relative.origin),
        wrench: force(direction),
    }
}

/// A vector along `r`, of length `size`; along `otherwise` where r has no direction.
fn along(r: Vector<3>, size: f64, otherwise: Vector<3>) -> Vector<3> {
    let length = r.norm();
    match length > 0.0 {
        true => r * (size / length),
        false => otherwise * size,
    }
}

/// The child does not turn about a direction: a component of the rotation vector.
fn unturned(relative: &Pose<Space>, direction: Vector<3>) -> Forbidden<Space> {
    let [w, x, y, z] = relative.rotation.quaternion();
    let half = Vector([x, y, z]) * if w < 0.0 { -1.0 } else { 1.0 };
    let angle = 2.0 * half.norm().atan2(w.abs());
    Forbidden {
        value: along(half, angle, direction).dot(direction),
        wrench: moment(direction),
    }
}

/// The child's axis does not tilt about a direction across it.
fn untilted(relative: &Pose<Space>, axis: Vector<3>, k: usize) -> Forbidden<Space> {
    let sides = across(axis);
    let carried = relative.rotation.apply(axis);
    let lever = axis.cross(carried);
    let lever = sides.map(|side| lever.dot(side)); // across the axis but for round-off
    let sin = lever[0].hypot(lever[1]);
    let value = match (sin > 0.0, axis.dot(carried)) {
        (true, cos) => lever[k] * (sin.atan2(cos) / sin),
        (false, cos) if cos < 0.0 => [PI, 0.0][k],
        (false, _) => 0.0,
    };
    Forbidden {
        value,
        wrench: moment(sides[k]),
    }
}

/// Advance along the axis in proportion to the turn; whole turns are those nearest.
fn threaded(relative: &Pose<Space>, axis: Vector<3>, lead: f64) -> Forbidden<Space> {
    let [w, x, y, z] = relative.rotation.quaternion();
    let angle = 2.0 * Vector([x, y, z]).dot(axis).atan2(w);
    let apart = axis.dot(relative.origin) - lead * angle;
    let turn = TAU * lead;
    let turns = match turn == 0.0 {
        true => 0.0,
        false => (apart / turn).round(),
    };
    Forbidden {
        value: apart - turns * turn,
        wrench: Wrench {
            moment: axis * -lead,
            force: axis,
        },
    }
}

/// The angle between the two axes of a universal joint stays.
fn crossed(relative: &Pose<Space>, first: Vector<3>, second: Vector<3>) -> Forbidden<Space> {
    let carried = relative.rotation.apply(second);
    let per_sin = first.cross(second).norm().recip();
    Forbidden {
        value: (first.dot(carried) - first.dot(second)) * per_sin,
        wrench: moment(carried.cross(first) * per_sin),
    }
}

impl ClosingKind<Space> for SpaceJoint {
    fn relative(base: &Pose<Space>, child: &Pose<Space>) -> Pose<Space> {
        Pose {
            rotation: base.rotation.inverse().then(&child.rotation),
            origin: base.rotation.undo(child.origin - base.origin),
        }
    }

    fn undo_angular(rotation: Rotation, omega: Vector<3>) -> Vector<3> {
        rotation.undo(omega)
    }

    fn constraints(&self) -> usize {
        match self {
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 5,
            Self::Fixed => 6,
            Self::Free => 0,
            Self::Spherical => 3,
            Self::Cylindrical { .. } | Self::Universal { .. } => 4,
        }
    }

    fn forbidden(&self, relative: &Pose<Space>, k: usize) -> Forbidden<Space> {
        match (*self, k) {
            (Self::Prismatic { axis }, 0 | 1)
            | (Self::Cylindrical { axis } | Self::Screw { axis, .. }, 0 | 1) => {
                kept(relative, across(axis)[k])
            }
            (Self::Cylindrical { axis } | Self::Screw { axis, .. }, 2 | 3) => {
                untilted(relative, axis, k - 2)
            }
            (Self::Screw { axis, lead }, _) => threaded(relative, axis, lead),
            (Self::Prismatic { .. }, _) => unturned(relative, AXES[(k - 2) % 3]),
            (_, 0..3) => kept(relative, AXES[k]),
            (Self::Revolute { axis }, _) => untilted(relative, axis, (k - 3) % 2),
            (Self::Universal { first, second }, _) => crossed(relative, first, second),
            _ => unturned(relative, AXES[(k - 3) % 3]),
        }
    }

    /// Only the moment of a universal joint turns: it is across the axis that the child carries.
    fn bend(&self, relative: &Pose<Space>, k: usize, omega: Vector<3>) -> f64 {
        let Self::Universal { first, second } = *self else {
            return 0.0;
        };
        if k < 3 {
            return 0.0;
        }
        let carried = relative.rotation.apply(second);
        let per_sin = first.cross(second).norm().recip();
        omega.cross(carried).cross(first).dot(omega) * per_sin
    }

    fn is_angle(&self, k: usize) -> bool {
        match self {
            Self::Prismatic { .. } | Self::Cylindrical { .. } => k > 1,
            Self::Screw { .. } => (2..4).contains(&k),
            _ => k > 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{JointKind, Twist};

    fn kinds() -> [SpaceJoint; 7] {
        let (axis, second) = (Vector([0.36, 0.48, 0.8]), Vector([0.8, 0.0, -0.6]));
        [
            SpaceJoint::Revolute { axis },
            SpaceJoint::Prismatic { axis },
            SpaceJoint::Fixed,
            SpaceJoint::Spherical,
            SpaceJoint::Cylindrical { axis },
            SpaceJoint::Universal {
                first: axis,
                second,
            },
            SpaceJoint::Screw { axis, lead: 0.07 },
        ]
    }

    fn base() -> Pose<Space> {
        Pose {
            rotation: Rotation::about([1.0, -2.0, 0.5], 0.8),
            origin: Vector([0.3, -0.1, 0.7]),
        }
    }

    #[test]
    fn a_joint_forbids_nothing_that_it_leaves_free() {
        let mut rng = fastrand::Rng::with_seed(31);
        for kind in kinds() {
            assert_eq!(kind.constraints() + kind.rates(), 6);
            for _ in 0..50 {
                let q: Vec<f64> = (0..kind.positions())
                    .map(|_| 2.0 * rng.f64() - 1.0)
                    .collect();
                let child = kind.placement(&base(), &q);
                let relative = SpaceJoint::relative(&base(), &child);
                for k in 0..kind.constraints() {
                    let forbidden = kind.forbidden(&relative, k);
                    assert!(forbidden.value.abs() < 4e-15, "{kind:?} {k} {forbidden:?}");
                    for c in 0..kind.rates() {
                        let power = forbidden.wrench.power(kind.column(&q, c));
                        assert!(power.abs() < 4e-15, "{kind:?} {k} {c} {power}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_power_of_a_wrench_is_the_rate_of_what_it_forbids() {
        let mut rng = fastrand::Rng::with_seed(32);
        let mut number = || 2.0 * rng.f64() - 1.0;
        for kind in kinds() {
            let q: Vec<f64> = (0..kind.positions()).map(|_| number()).collect();
            let at = SpaceJoint::relative(&base(), &kind.placement(&base(), &q));
            let twist = Twist::<Space> {
                angular: Vector([number(), number(), number()]),
                linear: Vector([number(), number(), number()]),
            };
            let moved = |h: f64| Pose {
                rotation: Rotation::about(twist.angular, twist.angular.norm() * h)
                    .then(&at.rotation),
                origin: at.origin + twist.linear * h,
            };
            let step = 1e-5;
            for k in 0..kind.constraints() {
                let value = |h: f64| kind.forbidden(&moved(h), k).value;
                let rate = (value(step) - value(-step)) / (2.0 * step);
                let power = kind.forbidden(&at, k).wrench.power(twist);
                assert!((rate - power).abs() < 1e-9, "{kind:?} {k} {rate} {power}");
            }
        }
    }

    #[test]
    fn an_axis_the_wrong_way_round_is_half_a_turn_off() {
        let kind = kinds()[0];
        let SpaceJoint::Revolute { axis } = kind else {
            panic!("the first kind is revolute");
        };
        let relative = Pose {
            rotation: Rotation::about(across(axis)[0], PI),
            origin: Vector::default(),
        };
        let tilt = (3..5).map(|k| kind.forbidden(&relative, k).value.powi(2));
        assert!((tilt.sum::<f64>().sqrt() - PI).abs() < 1e-12);
    }
}
