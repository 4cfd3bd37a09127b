//! The algebra in which the tree algorithms are written, once for the plane and for space.
//!
//! Every body has a reference point, the origin of its frame. Twists, wrenches and inertias of the
//! body are written at that point, in world axes; going from a body to its parent is a shift of the
//! point by `r`, with no rotation. Accelerations are *spatial*: the rate of change of the velocity
//! seen at a point fixed in the world, so that they shift as twists do.
//!
//! An instance supplies the vectors, three cross products, rotations, the inertia and the kinds of
//! joint ([`Algebra`], [`InertiaMap`], [`JointKind`]). Twists, wrenches and poses follow from these.

use std::fmt::Debug;

use crate::loops::ClosingKind;
use crate::model::Round;
use crate::vector::Linear;

/// Vectors, cross products and rotations of the plane or of space.
pub trait Algebra: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Positions, velocities of points, forces.
    type Vector: Linear;
    /// Angular velocities, moments: a number in the plane.
    type Angular: Linear;
    /// Orientation of a frame.
    type Rotation: Copy + Debug + PartialEq + Default + Send + Sync;
    /// Inertia of a body about its mass centre, in body axes (kg·m²).
    type CentralInertia: Copy + Default + Debug + PartialEq + Send + Sync;
    /// Symmetric map from twists to wrenches: the inertia of a body, or of bodies moving as one.
    type Inertia: RigidMap<Self>;
    /// The same of bodies whose joints give way; it may depend on direction.
    type Yielding: YieldingMap<Self>;
    /// The kinds of joint.
    type Joint: JointKind<Self> + ClosingKind<Self>;
    /// Outlines that can touch.
    type Shape: Clone + Debug + PartialEq + Send + Sync;
    /// Why an outline is refused.
    type ShapeFault: std::error::Error + Clone + PartialEq + Send + Sync + 'static;
    /// Whether every rate number is the rate of the position number of the same place.
    const RATES_ARE_PLAIN: bool = false;

    /// `ω × r`
    fn turn(omega: Self::Angular, r: Self::Vector) -> Self::Vector;
    /// `r × f`
    fn moment(r: Self::Vector, f: Self::Vector) -> Self::Angular;
    /// `ω × n` of two angular quantities; zero in the plane.
    fn precess(omega: Self::Angular, n: Self::Angular) -> Self::Angular;
    /// A vector of the turned frame, in the axes in which the frame is given.
    fn rotate(rotation: Self::Rotation, r: Self::Vector) -> Self::Vector;
    /// A vector of those axes in the turned frame.
    fn undo(rotation: Self::Rotation, r: Self::Vector) -> Self::Vector;
    /// The first for angular quantities.
    fn rotate_angular(rotation: Self::Rotation, omega: Self::Angular) -> Self::Angular;
    /// First `outer`, then `inner` in the axes that `outer` made.
    fn compose(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation;
    /// A number of the rotation that is infinite or undefined.
    fn rotation_fault(rotation: Self::Rotation) -> Option<f64>;
    /// Least principal moment of a central inertia (kg·m²): negative or undefined is refused.
    fn least_inertia(inertia: Self::CentralInertia) -> f64;
    /// Greatest principal moment of a central inertia (kg·m²).
    fn greatest_inertia(inertia: Self::CentralInertia) -> f64;
    /// What spans a shape, in the body frame; nothing where it has no bounds.
    fn rounds(shape: &Self::Shape) -> Vec<Round<Self::Vector>>;
    /// What is wrong with a shape.
    fn shape_fault(shape: &Self::Shape) -> Option<Self::ShapeFault>;
}

/// Symmetric map from twists to wrenches at one point.
pub trait InertiaMap<A: Algebra>: Copy + Debug + Default + Send + Sync {
    /// `I V`
    fn times(&self, twist: Twist<A>) -> Wrench<A>;
    /// The same inertia seen from a point at `−r` from the present one.
    fn seen_from(&self, r: A::Vector) -> Self;
    /// Sum at one point.
    fn plus(&self, other: &Self) -> Self;
}

/// Inertia of a body, or of bodies that move as one.
pub trait RigidMap<A: Algebra>: InertiaMap<A> {
    /// Rigid body; `at` has its orientation, and its mass centre seen from the reference point.
    fn rigid(mass: f64, central: A::CentralInertia, at: Pose<A>) -> Self;
    /// What the inertia in the direction of a twist is of the order of, whatever its direction: the terms
    /// that round-off is measured by.
    fn terms(&self, twist: Twist<A>) -> f64;
}

/// Inertia of bodies whose joints give way.
pub trait YieldingMap<A: Algebra>: InertiaMap<A> {
    /// Of bodies that do not give way.
    fn of(inertia: &A::Inertia) -> Self;
    /// `I − U Uᵀ × inverse`
    fn deflated(&self, u: Wrench<A>, inverse: f64) -> Self;
}

/// How the normal load of a surface that slides is read off a joint: `force · F + moment · M + own · Q`, with F and
/// M what goes through it and Q what drive, spring and damper do along its coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadReading {
    /// Direction of the force, world axes; z is 0 in the plane.
    pub force: [f64; 3],
    /// Direction of the moment, world axes (1/m).
    pub moment: [f64; 3],
    /// Share of Q (1/m).
    pub own: f64,
    /// Force along the coordinate per friction force: 1 m/m of a guide, `√(r² + l²)` of a thread.
    pub arm: f64,
}

/// Most that one joint can do when its numbers stay within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Most {
    /// Distance that its coordinates add between its two points (m).
    pub slide: f64,
    /// Speed of its child's point (m/s).
    pub linear: f64,
    /// Angular speed (rad/s).
    pub angular: f64,
}

/// Why a kind of joint means nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AxisFault {
    /// An axis of no length, or with a component that is not a number.
    NoDirection(f64),
    /// A lead that is infinite or undefined (m per radian).
    NoLead(f64),
    /// Two axes with this sine of the angle between them, where two freedoms are meant.
    Parallel(f64),
}

/// Motion that a joint leaves free.
///
/// Position numbers and rate
/// numbers may differ in count (a quaternion has four and its rates three).
pub trait JointKind<A: Algebra>: Copy + Debug + PartialEq + Send + Sync {
    /// The joint that lets nothing move.
    fn fixed() -> Self;
    /// The joint that lets everything move.
    fn free() -> Self;
    /// Count of position numbers.
    fn positions(&self) -> usize;
    /// Count of rate numbers.
    fn rates(&self) -> usize;
    /// Whether a position number, and the rate number of the same place, is a length, not an angle or
    /// part of a quaternion. Of a quaternion the rates come last.
    fn is_length(&self, number: usize) -> bool;
    /// Advance of a screw (m per radian); zero of other joints.
    fn lead(&self) -> f64 {
        0.0
    }
    /// The kind in its normal form (unit axes).
    fn normalised(self) -> Result<Self, AxisFault>;
    /// Child's joint frame, in the axes in which the parent's joint frame `base` is given.
    fn placement(&self, base: &Pose<A>, q: &[f64]) -> Pose<A>;
    /// Twist per unit of rate number `index`, parent's joint axes, at the child's joint point.
    fn column(&self, q: &[f64], index: usize) -> Twist<A>;
    /// `Ṡ v` seen from the parent, parent's joint axes, at the child's joint point; none where zero.
    fn drift(&self, q: &[f64], v: &[f64]) -> Option<Twist<A>>;
    /// Rate of change of the position numbers.
    fn position_rate(&self, q: &[f64], v: &[f64], out: &mut [f64]);
    /// Position numbers at which the child's joint frame is the parent's.
    fn reference(&self, q: &mut [f64]) {
        q.fill(0.0);
    }
    /// Takes the position numbers back to those that mean a placement; the placement stays.
    fn normalise(&self, q: &mut [f64]) {
        let _ = q;
    }
    /// Places of its quaternion among its positions, and of the angular velocity that turns it, `q̇ = ½ ω q`,
    /// among its rates; none without.
    fn quaternion(&self) -> Option<(usize, usize)> {
        None
    }
    /// How the normal load of its surface that slides is read off what goes through it, where that is linear.
    ///
    /// `rotation` turns its axes into those of the world; `radius` is the pitch radius of a thread (m).
    fn load(&self, rotation: A::Rotation, radius: f64) -> Option<LoadReading> {
        let _ = (rotation, radius);
        None
    }
    /// Most it can do, given the largest magnitude of each position and rate number.
    fn most(&self, q: impl Fn(usize) -> f64, v: impl Fn(usize) -> f64) -> Most;
}

/// Velocity of a body, or its spatial acceleration, at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist<A: Algebra> {
    /// Angular velocity (rad/s).
    pub angular: A::Angular,
    /// Velocity of the body's point at the reference point (m/s).
    pub linear: A::Vector,
}

/// Force on a body with its moment about a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench<A: Algebra> {
    /// Moment about the reference point (N·m, or N·m·s).
    pub moment: A::Angular,
    /// Force (N), or impulse (N·s).
    pub force: A::Vector,
}

/// Frame of a body: origin and orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<A: Algebra> {
    /// Orientation.
    pub rotation: A::Rotation,
    /// Origin (m).
    pub origin: A::Vector,
}

impl<A: Algebra> Default for Twist<A> {
    fn default() -> Self {
        Self {
            angular: A::Angular::default(),
            linear: A::Vector::default(),
        }
    }
}

impl<A: Algebra> Default for Wrench<A> {
    fn default() -> Self {
        Self {
            moment: A::Angular::default(),
            force: A::Vector::default(),
        }
    }
}

impl<A: Algebra> Default for Pose<A> {
    fn default() -> Self {
        Self {
            rotation: A::Rotation::default(),
            origin: A::Vector::default(),
        }
    }
}

impl<A: Algebra> Twist<A> {
    /// The same motion at the point `r` further on: `v + ω × r`.
    #[inline(always)]
    pub fn at(self, r: A::Vector) -> Self {
        Self {
            angular: self.angular,
            linear: self.linear + A::turn(self.angular, r),
        }
    }

    /// Sum.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self {
            angular: self.angular + other.angular,
            linear: self.linear + other.linear,
        }
    }

    /// Multiple.
    #[inline(always)]
    pub fn times(self, factor: f64) -> Self {
        Self {
            angular: self.angular * factor,
            linear: self.linear * factor,
        }
    }

    /// Rate of change of a motion carried along by this one, `V × S`.
    #[inline(always)]
    pub fn cross(self, carried: Self) -> Self {
        Self {
            angular: A::precess(self.angular, carried.angular),
            linear: A::turn(self.angular, carried.linear) - A::turn(carried.angular, self.linear),
        }
    }

    /// Rate of change of a wrench carried along by this motion, `V ×* F`.
    #[inline(always)]
    pub fn cross_wrench(self, carried: Wrench<A>) -> Wrench<A> {
        Wrench {
            moment: A::precess(self.angular, carried.moment)
                + A::moment(self.linear, carried.force),
            force: A::turn(self.angular, carried.force),
        }
    }

    /// The same motion in the axes in which the frame `rotation` is given.
    #[inline(always)]
    pub fn rotated(self, rotation: A::Rotation) -> Self {
        Self {
            angular: A::rotate_angular(rotation, self.angular),
            linear: A::rotate(rotation, self.linear),
        }
    }
}

impl<A: Algebra> Wrench<A> {
    /// A force whose line passes at `r` from the reference point.
    #[inline(always)]
    pub fn of_force(r: A::Vector, force: A::Vector) -> Self {
        Self {
            moment: A::moment(r, force),
            force,
        }
    }

    /// The same wrench about a point at `−r` from the present one: `n + r × f`.
    #[inline(always)]
    pub fn about(self, r: A::Vector) -> Self {
        Self {
            moment: self.moment + A::moment(r, self.force),
            force: self.force,
        }
    }

    /// Sum.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self {
            moment: self.moment + other.moment,
            force: self.force + other.force,
        }
    }

    /// Multiple.
    #[inline(always)]
    pub fn times(self, factor: f64) -> Self {
        Self {
            moment: self.moment * factor,
            force: self.force * factor,
        }
    }

    /// Power in a motion, both at the same point (W).
    #[inline(always)]
    pub fn power(self, twist: Twist<A>) -> f64 {
        self.moment.dot(twist.angular) + self.force.dot(twist.linear)
    }
}

impl<A: Algebra> Pose<A> {
    /// A point of the frame, in the axes in which the frame is given.
    #[inline(always)]
    pub fn point(&self, r: A::Vector) -> A::Vector {
        self.origin + A::rotate(self.rotation, r)
    }

    /// A point of those axes, in this frame.
    pub fn inside(&self, point: A::Vector) -> A::Vector {
        A::undo(self.rotation, point - self.origin)
    }

    /// The frame `inner`, itself given in this frame.
    #[inline(always)]
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            rotation: A::compose(self.rotation, inner.rotation),
            origin: self.point(inner.origin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::Plane;
    use crate::vector::Vector;

    fn samples(count: usize) -> impl Iterator<Item = [f64; 12]> {
        let mut rng = fastrand::Rng::with_seed(7);
        (0..count).map(move |_| [0; 12].map(|_| 2.0 * rng.f64() - 1.0))
    }

    fn twist(x: &[f64]) -> Twist<Plane> {
        Twist {
            angular: x[0],
            linear: Vector([x[1], x[2]]),
        }
    }

    fn wrench(x: &[f64]) -> Wrench<Plane> {
        Wrench {
            moment: x[0],
            force: Vector([x[1], x[2]]),
        }
    }

    #[test]
    fn a_power_does_not_depend_on_the_point_at_which_it_is_written() {
        for x in samples(100) {
            let (v, f, r) = (twist(&x), wrench(&x[3..]), Vector([x[6], x[7]]));
            let moved = f.power(v.at(r)) - f.about(r).power(v);
            assert!(moved.abs() < 1e-15, "{v:?} {f:?}");
        }
    }

    #[test]
    fn a_motion_and_a_wrench_carried_along_together_keep_their_power() {
        for x in samples(100) {
            let (v, s, f) = (twist(&x), twist(&x[3..]), wrench(&x[6..]));
            let change = f.power(v.cross(s)) + v.cross_wrench(f).power(s);
            assert!(change.abs() < 1e-15, "{v:?} {s:?} {f:?}");
        }
    }

    #[test]
    fn an_inertia_seen_from_elsewhere_answers_as_before() {
        for x in samples(100) {
            let (v, r) = (twist(&x), Vector([x[3], x[4]]));
            let center = Pose {
                origin: Vector([x[5], x[6]]),
                ..Pose::default()
            };
            let inertia = <Plane as Algebra>::Inertia::rigid(2.0, 0.3, center);
            // V at the far point is V.at(r) at the old one; the wrench comes back about the far point.
            let there = inertia.seen_from(r).times(v);
            let here = inertia.times(v.at(r)).about(r);
            let apart = there.plus(here.times(-1.0));
            assert!(apart.power(twist(&[1.0, 1.0, 1.0])).abs() < 1e-14);
            assert!(apart.power(twist(&[1.0, -0.3, 0.7])).abs() < 1e-14);
        }
    }

    #[test]
    fn a_direction_that_gives_way_has_no_inertia_left() {
        for x in samples(100) {
            let center = Pose {
                origin: Vector([x[5], x[6]]),
                ..Pose::default()
            };
            let inertia = <Plane as Algebra>::Inertia::rigid(2.0, 0.3, center);
            let s = twist(&x);
            let u = inertia.times(s);
            let yielding = <Plane as Algebra>::Yielding::of(&inertia);
            let left = yielding.deflated(u, u.power(s).recip()).times(s);
            assert!(left.power(twist(&x[3..])).abs() < 1e-14);
        }
    }
}
