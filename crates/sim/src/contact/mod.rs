//! Contacts that touch: what they do, which modes are consistent, the motion with them.

pub(crate) mod approach;
mod arm;
mod choose;
pub(crate) mod closed;
mod hint;
pub(crate) mod mode;
pub(crate) mod pieces;
pub(crate) mod pivot;
pub(crate) mod rows;
mod space;
pub(crate) mod standing;
pub(crate) mod way;
mod without_collision;

pub(crate) use choose::{Cause, Change, Chosen};
