//! Impacts of one contact in space.
//!
//! Offered are those that stay in one plane: [`planar_effect`] says which, and along which direction.

mod planar_effect;

pub use planar_effect::{PLANAR_TOLERANCE, PlanarEffect, SpatialFriction, planar_effect};
