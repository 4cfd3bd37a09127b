//! Small dense linear algebra, complementarity and safe quadratics; no word of mechanics.
//!
//! Matrices are slices. Every factorisation keeps its buffers, so that solving many problems of
//! one size allocates once. Ranks and pivots are judged with named tolerances and reported, not
//! hidden.

pub mod cholesky;
pub mod circle;
pub mod elimination;
pub mod lanes;
pub mod least_distance;
pub mod lemke;
pub mod linear_program;
pub mod lu;
pub mod nonnegative;
pub mod orthogonal;
pub mod quadratic;
pub mod root;
pub mod semidefinite;
pub mod signed_forms;
pub mod singular;

pub use cholesky::{Cholesky, NotPositiveDefinite};
pub use circle::{CirclePolynomial, CircleRoots};
pub use elimination::RowElimination;
pub use least_distance::{Distance, LeastDistance};
pub use lemke::{Lemke, LemkeEnd};
pub use lu::Lu;
pub use nonnegative::NonNegative;
pub use orthogonal::CompleteOrthogonal;
pub use semidefinite::{NotSemidefinite, Semidefinite};

/// Scalar product of two vectors of one length.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
