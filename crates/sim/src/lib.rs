//! Motion with collisions: smooth pieces joined by events at their exact instants.
//!
//! [`run`] takes a mechanism with its contacts and a rule for each, and returns a [`Run`]: every
//! event with the problem it solved, joint impulses, sampled states, the energy ledger, the effort,
//! and how the motion ended. The loop:
//!
//! ```text
//! 1  flow    ode::advance until guards vanish (searched inside every step, located to round-off)
//! 2  batch   all guards that vanish together; contacts that touch take part
//! 3  impact  M, J and v at that very configuration; contact::impact solves by the rule
//! 4  apply   q̇⁺, joint impulses, the ledger books the works; back to 1
//! ```
//!
//! A contact that stays closed, impacts that pile up, a jam and collisions without an answer end
//! the run with the evidence: [`End`]. [`record`](mod@record) puts names to everything and is what
//! files and figures are made from.

mod approach;
mod batch;
mod collision;
mod coupling;
mod end;
mod event;
mod flow;
mod idle;
mod impact;
pub mod instant;
mod ledger;
mod order;
mod overlap;
mod piling;
mod posed;
mod problem;
mod reactions;
pub mod record;
mod reset;
mod rows;
mod run;
mod sample;
mod setup;
mod touching;
mod watch;

pub use end::{End, NoAnswer};
pub use event::{Collision, Event, Happening, Impact};
pub use ledger::Ledger;
pub use order::sequence;
pub use run::{Run, check, run, run_watched};
pub use sample::Sample;
pub use setup::{Options, Rule, Setup, Several, SimError};
pub use touching::{Touching, touching};
pub use watch::{Progress, Watch};
