//! The tree algorithms, once for every algebra: kinematics, mass matrix, bias, accelerations,
//! reactions, energies.
//!
//! [`Model::place`](crate::Model::place) puts the mechanism at a state; every question is then asked of the [`Placed`]
//! mechanism, and no answer allocates.

mod balance;
mod energy;
mod forward;
mod mass;
mod place;
mod reach;
mod rows;
mod workspace;

pub use balance::{Balance, ImpulseBalance, Reaction};
pub use energy::{Energy, Powers};
pub(crate) use forward::PIVOT_TOLERANCE;
pub use forward::SingularMass;
pub use place::{Placed, State};
pub use reach::Bounds;
pub use rows::PointForce;
pub use workspace::Workspace;
