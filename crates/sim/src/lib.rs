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
//! 4  apply   q̇⁺, joint impulses, the ledger books the works
//! 5  modes   contacts that touch: contact::forward lists every consistent acceleration; back to 1
//! ```
//!
//! In the plane, and in space without friction, contacts stay closed ([`ContactMode`]): they slide,
//! stick, slip, reverse and let go, each an event located to round-off, and impacts that pile up are
//! taken to their limit. Friction in space that lasts, a jam, several answers and collisions without
//! one end the run with the evidence: [`End`]. [`record`](mod@record) puts names to everything and is what
//! files and figures are made from.

mod accumulation;
mod advance;
mod approach;
mod batch;
mod collide;
mod collision;
mod coupling;
mod end;
mod ends;
mod event;
mod extend;
mod flow;
mod hint;
mod idle;
mod impact;
pub mod instant;
mod ledger;
mod legible;
mod mode;
mod modes;
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
mod standing;
mod sustained;
mod touching;
mod transition;
mod watch;
mod without_collision;

pub use end::{End, NoAnswer};
pub use event::{Accumulation, Collision, Event, Happening, Impact, Transition, WithoutCollision};
pub use ledger::Ledger;
pub use mode::ContactMode;
pub use order::sequence;
pub use piling::Growth;
pub use run::{Run, check, run, run_watched};
pub use sample::Sample;
pub use setup::{Options, Rule, Setup, Several, SimError};
pub use touching::{Touching, touching};
pub use watch::{Progress, Watch};
