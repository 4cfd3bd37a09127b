//! Files in: impact problems, forward problems and scenarios in TOML, JSON and JSON Lines.
//!
//! A file becomes a tree in which every value remembers where it was written. `--set` overrides
//! change that tree. Only then is it read into a typed problem or scenario, so that every error, of
//! syntax, of shape or of physics, points at file, line, column and key path.
//!
//! ```
//! let file = carom_scenario::read_problem("rod.toml", r#"
//! mass = [[1, 0], [0, 1]]
//! velocity = [0.5, -1]
//! contacts = [{ normal = [0, 1], tangent = [1, 0], friction = -0.3, restitution = 0.5 }]
//! "#, &[]);
//! let error = file.unwrap_err();
//! assert_eq!((error.line, error.column), (Some(4), Some(61)));
//! assert_eq!(error.path.as_deref(), Some("contacts[0].friction"));
//! ```

mod contact_space;
mod document;
mod error;
pub mod examples;
mod file;
mod forward;
mod jsonl;
mod names;
mod problem;
mod run_file;
mod scenario;
mod schema;
mod suggest;

pub use document::Override;
pub use error::{Excerpt, InputError};
pub use file::{File, Kind, is_scenario};
pub use forward::{ForwardFile, ForwardForm, JumpLaw, read_forward, read_forward_in};
pub use jsonl::{is_json_lines, lines};
pub use problem::{ProblemFile, read_problem, read_problem_in};
pub use run_file::{is_run, read_event};
pub use scenario::{
    Colliding, Collision, ContactSpot, JointFriction, MAX_CONTACTS, MAX_PARTS, MAX_VERTICES,
    Mechanics, Pairing, Parts, Scenario, Start, read_scenario, read_scenario_in,
};
pub use schema::{forward_schema, problem_schema, scenario_schema};
