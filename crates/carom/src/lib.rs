//! Carom: impacts with friction in mechanisms, computed exactly.
//!
//! This is the crate a Rust user depends on; the command line calls the same functions.
//!
//! ```
//! let rod = carom::read_problem("rod.toml", r#"
//!     mass = [[1, 0, 0], [0, 1, 0], [0, 0, 0.08333333333333333]]
//!     velocity = [0.6, -1.0, 0.0]
//!     [[contacts]]
//!     normal = [0, 1, -0.3535533905932738]
//!     tangent = [1, 0, 0.3535533905932738]
//!     friction = { static = 0.73, kinetic = 0.7 }
//!     restitution = 0.82
//! "#, &[])?;
//! let answer = carom::impact(&rod)?;
//! let newton = &answer.results[0];
//! assert!((newton.energy_change.unwrap() - 0.010125).abs() < 1e-12); // Newton's law creates energy
//! assert_eq!(newton.notes[0].code, carom::NoteCode::EnergyGain);
//! println!("{}", carom::table(&rod, &answer, 7));
//! # Ok::<(), carom::InputError>(())
//! ```
//!
//! Many impacts: [`planar::solve_batch`] over slices. One impact from `W` and `v`:
//! [`planar::solve`]. From your own mass matrix and Jacobian rows, without a file:
//! [`solve`] on an [`ImpactProblem`].

mod answer;

/// The Rust example of the README runs as a test.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;

pub use answer::{Answer, check, impact, impulse_plane, impulse_plane_svg, table};
pub use carom_contact::impact::{
    Constraint, Contact, ImpactInputError, ImpactProblem, ImpactResult, Law, Method, Note,
    NoteCode, Prepared, UnknownName, planar, restitution, solve,
};
pub use carom_contact::space;
pub use carom_report::figure::{PngError, to_png};
pub use carom_report::significant;
pub use carom_scenario::{
    InputError, Override, ProblemFile, examples, is_json_lines, lines, problem_schema,
    read_problem, read_problem_in,
};
