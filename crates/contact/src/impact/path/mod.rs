//! Routh's path at several contacts together: one outcome where complementarity has many.
//!
//! Every contact is a stiff spring, and only the ratios of the stiffnesses matter. In the limit the bodies do not
//! move while the springs act; what is left is a flow of velocities, here with `dτ` the scaled time:
//!
//! ```text
//! dP_i/dτ = F_i              dv/dτ = W dP/dτ
//! dF_i/dτ = −k_i v_i         while contact i is compressed  (v_i < 0)
//! dF_i/dτ = −k_i v_i / e_i²  while it expands               (v_i > 0), energetic restitution
//! dP_t,i  = −μ_i dP_i u_i    while it slips along u_i; within the cone while it sticks
//! ```
//!
//! With the energy `E_i = F_i²/2k_i` this is the law of Liu, Zhao and Brogliato for linear springs,
//! `dP_i/dP_j = √(k_i E_i / k_j E_j)`, `dE_i = −v_i dP_i`. Poisson's restitution returns the impulse `e_i` times
//! that of the compression in the pulse a spring would give it, `F = F_c cos Ωτ`, `Ω = F_c/(e_i P_c)`. A contact
//! that has parted stays apart until the velocities have closed its gap again, and may be compressed any number
//! of times. Normal forces are given by the springs, so redundant contacts and singular W are no trouble, and
//! friction at rest is a convex problem with one acceleration.
//!
//! For one contact it is Routh's path: [`super::planar`], [`super::spatial`].
//!
//! Reference: `LiuZhaoBrogliato2008`; derivation in `docs/theory/path.md`.

mod decide;
mod guard;
mod hold;
mod march;
mod onset;
mod patience;
mod problem;
mod rest;
mod series;
mod share;
mod solution;
mod state;
mod watch;

pub use march::{PHASE_LIMIT, solve};
pub use problem::{PathContact, PathImpact, PathImpactError};
pub use solution::{PathCompression, PathEnd, PathPoint, PathSolution};
