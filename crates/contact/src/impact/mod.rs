//! Impacts: what a collision does to the velocities, by a named law.
//!
//! [`planar`] solves one contact in its own plane, [`spatial`] says which contacts in space have one,
//! [`simultaneous`] solves several; [`solve`] takes a whole mechanism (mass matrix,
//! Jacobian rows, constraints) to contact space, solves there, and brings the answer back.

mod contact_space_problem;
mod determinacy;
mod gripping;
mod mode;
mod note;
mod outcome;
pub mod path;
pub mod planar;
mod point;
mod problem;
pub mod restitution;
mod result;
pub mod simultaneous;
mod solve;
pub mod spatial;
mod tangent;

pub use crate::law::{Law, Method, UnknownName};
pub use contact_space_problem::{ContactSpaceProblem, ContactStatementError, StatedContact};
pub use mode::{Mode, Phase};
pub use note::{Note, NoteCode};
pub use outcome::{ContactType, Outcome};
pub use point::PointImpactError;
pub use problem::{Constraint, Contact, ImpactInputError, ImpactProblem};
pub use result::{
    ConstraintResult, ContactResult, Determinacy, ImpactResult, Pair, PathCorner, Residuals,
};
pub use solve::{ImpactPicture, Prepared, solve};
pub use tangent::Tangential;
