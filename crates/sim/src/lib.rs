//! Motion with collisions: smooth pieces joined by events at their exact instants.
//!
//! [`run`] takes a mechanism with its contacts and a rule for each, and returns a [`Run`]: every
//! event with the problem it solved, joint impulses, sampled states, the energy ledger, the effort,
//! and how the motion ended. It is a machine whose whole loop stands in `machine.rs`:
//!
//! ```text
//! flow        smooth motion to the first guard (searched inside every step, located to round-off)
//! sort        all guards that vanish together: who closes, who stays, whose mode ends
//! collide     M, J and v at that very configuration; contact::impact solves by the rule
//! reset       the system's own events
//! choose      contacts that touch: contact::forward lists every consistent acceleration
//! jump        no acceleration is consistent: impact without collision
//! accumulate  impacts without number: to their limit
//! end
//! ```
//!
//! `world` is the physics, without history; `journal` the history, without physics. What is zero, closed,
//! at rest or simultaneous is measured by the sizes of the model (`scale`), never by metres or seconds.
//!
//! In the plane, and in space without friction, contacts stay closed ([`ContactMode`]): they slide,
//! stick, slip, reverse and let go, each an event located to round-off, and impacts that pile up are
//! taken to their limit. Friction in space that lasts, a jam, several answers and collisions without
//! one end the run with the evidence: [`End`]. [`record`](mod@record) puts names to everything and is what
//! files and figures are made from.

mod collide;
mod contact;
mod error;
mod flow;
mod journal;
mod legible;
mod machine;
mod pile;
pub mod record;
mod run;
mod scale;
mod setup;
mod start;
mod world;

pub use collide::order::sequence;
pub use contact::mode::{ContactMode, Pivot};
pub use contact::way::FixedWays;
pub use error::{ImpactFault, SimError, Stuck};
pub use flow::Interrupted;
pub use journal::end::{End, NoAnswer, NotOffered};
pub use journal::event::{
    Accumulation, Collision, Event, Happening, Impact, Transition, WithoutCollision,
};
pub use journal::ledger::Ledger;
pub use journal::sample::Sample;
pub use journal::watch::{Progress, Watch};
pub use pile::piling::Growth;
pub use run::{Run, check, not_offered, run, run_watched};
pub use setup::{Options, Rule, Setup, Several};
pub use start::instant;
pub use start::touching::{Touching, touching};
