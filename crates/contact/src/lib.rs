//! Everything in contact space: no bodies, no time.
//!
//! A contact is seen through the matrix `W = J M⁻¹ Jᵀ` ([`contact_space::PlanarDelassus`]), the relative
//! velocity `v = J q̇` and its coefficients. [`impact`] answers what a collision does, [`forward`]
//! which accelerations friction allows, [`resolution`] what follows when it allows none; what the
//! mechanism is made of never enters.
//!
//! Signs: the normal points from body B to body A, velocities are A relative to B, impulses act on
//! A. `v_n > 0` separates, `p_n >= 0` pushes apart. SI units.
//!
//! ```
//! use carom_contact::impact::planar::{PlanarImpact, solve};
//! use carom_contact::impact::Law;
//! use carom_contact::contact_space::{Friction, PlanarDelassus, PlanarVector};
//!
//! let rod = PlanarImpact::new(
//!     PlanarDelassus::new(2.5, -1.5, 2.5)?,
//!     PlanarVector { n: -1.0, t: 0.6 },
//!     Friction::new(0.73, 0.7)?,
//!     0.82,
//! )?;
//! let end = solve(&rod, Law::Poisson)?.end.ok_or("this impact ends")?;
//! assert!((end.impulse.n - 0.728).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cone;
pub mod contact_space;
pub mod forward;
pub mod impact;
pub mod law;
pub mod resolution;
