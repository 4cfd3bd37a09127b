//! A second route for motion in space with friction: every body free, joints and closed contacts as constraints on the
//! accelerations, one dense system, and the smooth motions between the events of a run integrated once more.
//!
//! Of a joint or a contact the geometry alone is written. Rates, second rates and Jacobian rows are read off
//! numbers that carry their rates ([`course`]); no formula of `carom_multibody` for motion is used, only its data.

pub mod apart;
mod assembly;
pub mod balance;
pub mod course;
pub mod equations;
pub mod form;
pub mod frame;
pub mod held;
pub mod leg;
pub mod link;
pub mod meeting;
pub mod model;
pub mod surface;
