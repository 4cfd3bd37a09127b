//! The integrator: all tests in one binary, which builds faster than one for each file.

use carom_support::ode as common;

mod convergence;
mod dips;
mod effort;
mod events;
mod leeway;
mod refusals;
mod restart;
mod scales;
mod tiny;
