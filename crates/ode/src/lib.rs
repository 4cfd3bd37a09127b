//! Initial value problems with events: adaptive steps of order 8, dense output of order 7, guards
//! located to round-off; no word of mechanics.
//!
//! The caller implements [`Problem`], an [`Integrator`] owns time and state. Each accepted step is
//! searched on its dense output, inside as well as at its ends: extrema of a guard are found
//! through its rate, so that a brief dip below zero and back is seen, and a double root is a named
//! case. Roots are polished by full-order steps from the start of the step; the state handed back
//! is the one computed for the event, and it is never moved off it. See [`Guard`] for what happens
//! when the integration goes on.
//!
//! All arrays are allocated when the integrator is built: no step, event or restart allocates. A
//! state that is an array (`[f64; 4]`) keeps them in place and its loops unrolled.
//!
//! # Example: a ball that bounces
//!
//! ```
//! use carom_ode::{Guard, Integrator, Options, Point, Problem, Stop};
//! use std::convert::Infallible;
//!
//! struct Ball; // state: height (m), velocity (m/s)
//!
//! impl Problem for Ball {
//!     type Failure = Infallible;
//!     fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
//!         (dy[0], dy[1]) = (y[1], -9.81);
//!         Ok(())
//!     }
//!     fn guards(&mut self, at: Point, g: &mut [f64], rate: &mut [f64]) -> Result<(), Infallible> {
//!         (g[0], rate[0]) = (at.y[0], at.y[1]);
//!         Ok(())
//!     }
//! }
//!
//! let mut ball = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default())?;
//! let mut impacts = Vec::new();
//! while ball.advance(&mut Ball, 1.3)? == Stop::Event {
//!     impacts.push(ball.time());
//!     ball.state_mut()[1] *= -0.5; // half the speed comes back
//! }
//! let fall = (2.0f64 / 9.81).sqrt();
//! assert!((impacts[0] - fall).abs() < 1e-14 && (impacts[1] - 2.0 * fall).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reference: `HairerNorsettWanner1993`.

mod board;
mod coefficients;
mod dense;
mod effort;
mod error;
mod event;
mod guard;
mod integrator;
mod leeway;
mod measure;
mod options;
mod pace;
mod polish;
mod problem;
mod search;
mod shape;
mod step;

pub use dense::DenseStep;
pub use effort::Effort;
pub use error::{Error, SetupError};
pub use event::{Fired, Kind, Stop};
pub use guard::{Direction, Guard};
pub use integrator::Integrator;
pub use options::Options;
pub use problem::{Point, Problem, State, Tube};
