//! Motion with collisions: smooth pieces joined by impacts at their exact instants.
//!
//! [`run`] takes a planar mechanism with its contacts and a rule for each, and returns a [`Run`]:
//! every impact with the problem it solved, joint impulses, sampled states, the energy ledger, the
//! effort, and how the motion ended. The loop:
//!
//! ```text
//! 1  flow    ode::advance until a gap closes (searched inside every step, located to round-off)
//! 2  impact  M, J and v at that very configuration; contact::impact::planar::solve by the rule
//! 3  apply   q̇⁺, joint impulses, the ledger books the works; back to 1
//! ```
//!
//! A contact that stays closed, impacts that pile up, a jam and contacts that close together end
//! the run with the evidence: [`End`].

mod flow;
mod impact;
mod ledger;
mod piling;
pub mod record;
mod run;
mod setup;

pub use impact::{ImpactEvent, JointImpulse};
pub use ledger::Ledger;
pub use run::{End, Run, Sample, run};
pub use setup::{Options, Rule, Setup, SimError};
