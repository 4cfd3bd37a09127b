//! Mechanisms with closed loops: a tree, and joints between bodies that it connects already.
//!
//! The first joint that leads to a body is the tree's; every further one closes a loop. It adds no
//! coordinates but forbids motions of its child as seen from its parent: with w_k the wrenches that it
//! can exert ([`ClosingKind`]) and V the twists of both bodies at its point,
//!
//! ```text
//! g_k(q, t) = 0                                position residual
//! ġ_k = w_k·(V_child − V_parent) = G v + drift = 0
//! g̈_k = G v̇ + bias = 0
//! M v̇ + h = Q + Gᵀ λ                            Σ λ_k w_k acts on the child
//! ```
//!
//! [`Placed::closures`](crate::Placed::closures) gives g, G, drift and bias;
//! [`ConstraintSolver`] accelerations and multipliers with their rank. Redundant closures are
//! allowed: velocities stay unique, multipliers are the least ones, and what is not unique is said.

mod closing;
mod kind;
mod plane;
mod solver;
mod space;

pub use closing::{ConstraintRows, PointWrench};
pub use kind::{ClosingKind, Forbidden};
pub use solver::ConstraintSolver;

use crate::algebra::Algebra;
use crate::model::{BodyId, Joint};

/// A closing joint of one model: its place in the order in which closing joints were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClosureId(pub(crate) usize);

impl ClosureId {
    /// Place among the closing joints of the model.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A closing joint as the frozen model knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosureRecord<A: Algebra> {
    /// Its name.
    pub name: String,
    /// What was given.
    pub joint: Joint<A>,
    /// Body it starts from.
    pub parent: BodyId,
    /// Body it leads to.
    pub child: BodyId,
    /// Its places among the constraints of the model.
    pub rows: std::ops::Range<usize>,
}
