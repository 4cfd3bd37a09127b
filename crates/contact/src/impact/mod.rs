//! Impacts: what a collision does to the velocities, by a named law.
pub mod planar;
pub mod restitution;
mod law;
pub use law::Law;
