//! The integrator: all tests in one binary, which builds faster than one for each file.

mod common;
mod convergence;
mod dips;
mod effort;
mod events;
mod leeway;
mod refusals;
mod restart;
mod scales;
mod tiny;
