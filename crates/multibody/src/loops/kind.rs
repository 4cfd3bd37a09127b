//! What a joint forbids, as constraints between two frames.

use std::fmt::Debug;

use crate::algebra::{Algebra, Pose, Wrench};

/// One constraint of a joint between two placed frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forbidden<A: Algebra> {
    /// By how much it is broken (m or rad); zero where the joint holds.
    pub value: f64,
    /// The wrench that enforces it, on the child at its joint point, in the parent's joint axes.
    ///
    /// Its power in the motion of the child as seen from the parent is the rate of `value`, where
    /// the joint holds.
    pub wrench: Wrench<A>,
}

/// A joint as what it forbids: the other side of [`JointKind`](crate::algebra::JointKind), which says
/// what it leaves free.
pub trait ClosingKind<A: Algebra>: Copy + Debug {
    /// Child's joint frame as seen from the parent's, both given in the same axes.
    fn relative(base: &Pose<A>, child: &Pose<A>) -> Pose<A>;
    /// An angular quantity of the outer axes, in the turned frame.
    fn undo_angular(rotation: A::Rotation, omega: A::Angular) -> A::Angular;
    /// Count of constraints: the dimension of all motions less the rates left free.
    fn constraints(&self) -> usize;
    /// Constraint `k` at a relative placement; `k` is less than [`ClosingKind::constraints`].
    fn forbidden(&self, relative: &Pose<A>, k: usize) -> Forbidden<A>;
    /// `ṁ·ω` of constraint `k` whose moment m turns in the parent's joint axes, with the relative
    /// angular velocity ω in these; zero for all moments that are fixed there.
    fn bend(&self, relative: &Pose<A>, k: usize, omega: A::Angular) -> f64 {
        let _ = (relative, k, omega);
        0.0
    }
    /// Whether constraint `k` is an angle (rad), not a distance (m).
    fn is_angle(&self, k: usize) -> bool;
}
