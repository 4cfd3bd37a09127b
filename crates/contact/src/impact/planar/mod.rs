//! One planar contact: Routh's impulse plane in closed form.
//!
//! The normal impulse `p_n` is the time-like variable. While the contact slips, friction leads the
//! impulse along a straight line; where slip halts the path turns onto the line of sticking or onto
//! the reversed friction line. At most three straight segments, cut by the halt and by greatest
//! compression: no differential equation, no iteration.
//!
//! Reference: `WangMason1992`, `ElkaranshawyBajaba`; derivation in
//! `docs/theory/planar-impact.md`.

mod batch;
mod closed_form;
mod diagram;
mod grip;
mod lanes;
mod path;
mod problem;
mod solution;
mod solve;
mod total_impulse;

pub use batch::{Batch, BatchError, BatchResults, solve_batch};
pub use diagram::{EndLine, ImpulsePlane, Line, impulse_plane};
pub(in crate::impact) use grip::{asked, contact_type};
pub use path::{Path, PathPoint};
pub use problem::PlanarImpact;
pub use solution::{Compression, Findings, ImpactEnd, PlanarSolution};
pub use solve::solve;
