//! A mechanism at its start: as a collision of all contacts that touch, as a forward problem.

pub mod instant;
pub(crate) mod touching;
