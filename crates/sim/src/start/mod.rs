//! A mechanism at its start: as a collision of all contacts that touch, as a forward problem.

mod answers;
mod in_space;
mod independent;
pub mod instant;
mod place;
mod screws;
pub(crate) mod touching;
