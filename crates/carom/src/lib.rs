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
//! Accelerations with friction, all of them: [`forward()`] on a file, [`forward::solve`] on matrices.
//!
//! Many impacts: [`planar::solve_batch`] over slices. One impact from `W` and `v`:
//! [`planar::solve`]. From your own mass matrix and Jacobian rows, without a file:
//! [`solve`] on an [`ImpactProblem`].
//!
//! Motion with collisions: build a mechanism with [`multibody`], give each contact a rule, and
//! [`sim::run`] it.
//!
//! ```
//! use carom::multibody::contact::{Outline, Shape};
//! use carom::multibody::mechanism::PlaneMechanism;
//! use carom::multibody::{Body, PlaneModelBuilder};
//! use carom::{Law, sim, contact_space::Friction};
//!
//! let mut builder = PlaneModelBuilder::new();
//! let skin = Shape::new(Outline::Disk { radius: 0.1 });
//! let floor = Shape::new(Outline::HalfSpace { normal: [0.0, 1.0].into() });
//! let disk = Body { shapes: vec![("skin".to_owned(), skin)], ..Body::new(2.0, 0.01) };
//! builder.gravity([0.0, -9.81]).body("disk", disk).world_shape("floor", floor);
//! let model = builder.build()?;
//! let features = model.features(("disk", "skin"), ("world", "floor"))?;
//! let rule = sim::Rule {
//!     name: "hit".to_owned(),
//!     law: Law::Energetic,
//!     friction: Friction::uniform(0.3)?,
//!     restitution: 0.8,
//!     spin_radius: 0.0,
//!     tangential_restitution: None,
//! };
//! let run = sim::run(&mut sim::Setup {
//!     mechanism: PlaneMechanism::new(model, features),
//!     rules: vec![rule],
//!     q: vec![0.0, 1.1, 0.0],            // x, y, angle: one metre above the floor
//!     v: vec![1.0, 0.0, 20.0],           // moving right, spinning
//!     options: sim::Options { duration: 1.0, ..sim::Options::default() },
//! })?;
//! let first = &run.events[0];
//! assert!((first.time - (2.0f64 / 9.81).sqrt()).abs() < 1e-13);
//! assert!(run.ledger.unwrap().residual().abs() < 1e-11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod collision_answer;
mod forward_answer;
mod left_out;
mod picture;
mod simulate;

/// The Rust example of the README runs as a test.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;

pub use answer::{
    Answer, check, impact, impact_by, impact_picture, impact_report, impulse_plane,
    impulse_plane_svg, picture_svg, table,
};
pub use carom_contact::impact::{
    Constraint, Contact, ContactSpaceProblem, ImpactInputError, ImpactPicture, ImpactProblem,
    ImpactResult, Law, Method, Note, NoteCode, PointImpactError, Prepared, StatedContact,
    Tangential, UnknownName, planar, restitution, simultaneous, solve, spatial,
};
pub use carom_contact::{contact_space, forward, resolution};
pub use carom_multibody as multibody;
pub use carom_multibody::screws::ScrewResult;
pub use carom_report::figure;
pub use carom_report::figure::{PngError, to_png};
pub use carom_report::{CollisionResult, Part, page_html, significant};
pub use carom_scenario::{
    File, ForwardFile, ForwardForm, InputError, JumpLaw, Kind, Mechanics, Override, Parts,
    ProblemFile, Scenario, examples, forward_schema, is_json_lines, is_run, is_scenario, lines,
    problem_schema, read_event, read_forward, read_forward_in, read_problem, read_problem_in,
    read_scenario, read_scenario_in, scenario_schema,
};
pub use carom_sim as sim;
pub use collision_answer::{
    Asked, CollisionAnswer, collide, collision_report, collision_svg, collision_table,
};
pub use forward_answer::{
    ForwardDiagram, ForwardMap, ForwardOutcome, Span, check_forward, diagram_svg, diagram_table,
    forward, forward_diagram, forward_map, forward_map_svg, forward_svg, forward_table, map_table,
};
pub use left_out::LeftOut;
pub use picture::event_svg;
pub use simulate::{
    Checked, RunFile, RunFiles, check_scenario, is_run_figure, run_files, run_report, run_table,
    simulate, simulate_watched,
};
