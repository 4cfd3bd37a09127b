//! Impacts: what a collision does to the velocities, by a named law.
mod law;
pub mod planar;
pub mod restitution;
pub use law::Law;
