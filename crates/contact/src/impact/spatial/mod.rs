//! Impacts of one contact in space.
//!
//! The normal impulse p is the time-like variable. While the contact slips along `u = v_t/|v_t|` friction
//! is `−μu` per unit of it and the slip turns:
//!
//! ```text
//! x = v_t,   dx/dp = W_tn − μ W_tt u,   dv_n/dp = W_nn − μ W_nt·u
//! ```
//!
//! In the plane this is Routh's line; in space the hodograph `x(p)` is a curve. [`solve`] follows it in
//! pieces (power series of order 20 in `dτ = dp/|x|`, a closed form next to [`invariant_directions`],
//! straight lines) to the end that the law sets, and [`trace`] draws it, [`hodograph`] with all that a figure
//! shows. [`planar_effect`] says which
//! contacts never leave a plane.
//!
//! Reference: `Keller1986`, `BhattKoechling1995`, `Routh1897`; derivation in `docs/theory/spatial-impact.md`.

mod ending;
mod facts;
mod flow;
mod hodograph;
mod invariant;
mod line;
mod march;
mod normal_form;
mod path;
mod piece;
mod planar_effect;
mod problem;
mod quartic;
mod solution;
mod solve;
mod state;
mod taylor;
mod total_impulse;

pub use facts::SpatialFacts;
pub use hodograph::{Hodograph, SpatialLawEnd, hodograph};
pub use invariant::{InvariantDirection, InvariantDirections, invariant_directions};
pub use path::{EventKind, Events, PathEvent, SpatialMode, SpatialPoint};
pub use planar_effect::{PLANAR_ROUND_OFF, PlanarEffect, SpatialFriction, planar_effect};
pub use problem::SpatialImpact;
pub use solution::{SpatialCompression, SpatialEnd, SpatialFindings, SpatialSolution, SpatialWork};
pub use solve::{solve, trace};
pub(in crate::impact) use total_impulse::asked;
