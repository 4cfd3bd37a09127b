//! What the tests of several crates share; a dev-dependency and nothing else.
//!
//! Each layer has a module behind a feature of its name, so that the tests of a crate build without the
//! crates above it. Unit tests beside the code may use [`random`] and [`near`]; types of a crate under
//! test are those of its integration tests only.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do, and their fields bear the names of docs/notation.md"
)]

pub mod allocations;
pub mod near;
pub mod random;

#[cfg(feature = "cases")]
pub mod cases;
#[cfg(feature = "contact")]
pub mod contact;
#[cfg(feature = "multibody")]
pub mod multibody;
#[cfg(feature = "ode")]
pub mod ode;
#[cfg(feature = "scenario")]
pub mod scenario;
#[cfg(feature = "sim")]
pub mod sim;
