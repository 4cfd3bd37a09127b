//! Several contacts with Coulomb's friction in space: the exact, round cone.
//!
//! ```text
//! K ∋ r ⟂ W r + q + μ|u_t| n ∈ K*,    u = W r + q,    K = {|r_t| <= μ r_n}
//! ```
//!
//! W is symmetric and positive semidefinite, of any rank. The term `μ|u_t| n` (de Saxcé) makes a slip
//! follow the plane of the contact; it also makes the problem non-convex: there may be several answers,
//! with different velocities. [`ConeSolver`] finds one, says how far it misses, and
//! [`ConeSolver::uniqueness`] what can be proved about others. [`alone`] finds all answers of one contact.
//! [`moreau`], [`newton`] and [`poisson`] are laws of impact on top of it.
//!
//! Method: proximal point, `FC(W + αI, q − αr)` with α → 0, each by a semismooth Newton's method. Where
//! impulses are shared the path of α chooses: equal compliance of all rows.
//!
//! Reference: `AcaryBremondHuber2018`, `AlartCurnier1991`.

pub mod alone;
mod impact;
mod newton;
mod phase;
mod piece;
mod pivot;
mod problem;
mod residual;
mod scene;
mod solver;
mod sweep;
mod uniqueness;

pub use impact::{ConeImpact, ConeImpactEnd, moreau, newton, poisson};
pub use phase::ImpactPhase;
pub use pivot::{ConePivot, PivotMode};
pub use problem::{ConeContact, ConeInputError, ConeProblem};
pub use residual::{ConeMode, ConeResidual};
pub use solver::{ConeEnd, ConeSolver};
pub use uniqueness::{ConeUniqueness, Verdict};
