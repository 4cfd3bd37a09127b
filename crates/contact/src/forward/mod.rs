//! Forward dynamics with Coulomb friction: every consistent acceleration, existence, uniqueness.
//!
//! ```text
//! A q̈ + b + f = τ + Σ Jᵀλ,     f_i = μ_i sgn(q̇_i) |N_i|,     N = C q̈ + d
//! ```
//!
//! Bilateral friction elements sit on the coordinates, their load N has either sign; unilateral
//! contacts press or lift off. On each sign pattern the problem is linear: all patterns are solved,
//! the consistent ones kept, the others refuted with the inequality they break. None, one, several
//! or a continuum of answers: each is a result.
//!
//! [`solve`] says everything about a [`ForwardProblem`]; [`answers`] only lists the answers;
//! [`scalar`] is the closed form of one coordinate. [`screw`] and [`rod`] build the classical
//! examples; [`space`] is about contacts in space. Graphs, counts, maps and lines are data: [`graph`], [`counts`], [`map`], [`lines`].
//!
//! Reference: `Dupont1992`; derivation in `docs/theory/forward-friction.md`.

mod affine;
mod answers;
mod assemble;
mod candidate;
mod collect;
mod continuum;
pub mod counts;
mod enumerate;
mod error;
mod frame;
pub mod graph;
pub mod lines;
pub mod map;
mod margin;
mod mode;
mod pieces;
mod problem;
mod prune;
mod refuted;
mod result;
pub mod rod;
pub mod scalar;
pub mod screw;
mod settle;
mod solve;
pub mod space;
mod system;
mod verdict;
mod witness;

pub use answers::{Answer, ForwardAnswers, TipAcceleration, answers};
pub use continuum::Continuum;
pub use error::ForwardInputError;
pub use mode::Mode;
pub use pieces::{PieceRow, pieces};
pub use problem::{ForwardContact, ForwardProblem, MAX_ELEMENTS};
pub use refuted::{Refuted, Relation};
pub use result::{Condition, ForwardResult, ImpulsePath, Resolution, ResolutionKind};
pub use settle::ContactTerms;
pub use solve::solve;
pub use verdict::{SufficientTests, Verdict, sufficient_tests, verdict};
pub use witness::{Witness, witness};
