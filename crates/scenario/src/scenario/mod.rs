//! Scenarios: a mechanism in the plane or in space, its contacts and how long it moves.

mod bind;
mod build;
mod colliding;
mod dialect;
mod instant;
mod later;
mod locate;
mod misplaced;
mod raw;
pub(crate) mod spot;
pub(crate) mod value;

pub use colliding::{Colliding, Collision, Spot as ContactSpot};

pub(crate) use raw::RawScenario;

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::plane::Plane;
use carom_multibody::space::Space;
use carom_multibody::{Algebra, Body, Joint, Load};
use carom_sim::Options;

use self::raw::SpaceName;
use self::spot::Placed;
use crate::InputError;
use crate::document::{self, Document, Override, Source, Value};
use crate::problem::at_line;

/// Bodies, joints, contacts and loads a scenario may have, of each.
pub const MAX_PARTS: usize = 10_000;
/// Smooth contacts that its pairs of shapes may expand into.
pub const MAX_CONTACTS: usize = 10_000;
/// Corners of a polygon or polyhedron.
pub const MAX_VERTICES: usize = 256;

/// A scenario as read: names bound, SI units, defaults explicit, in file order.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Title, if the file has one.
    pub title: Option<String>,
    /// What moves, in the plane or in space.
    pub mechanics: Mechanics,
    /// Pairs of shapes that may collide, by name.
    pub contacts: Vec<(String, Pairing)>,
    /// Duration, tolerance, samples, events allowed.
    pub options: Options,
    has_duration: bool,
    file: Placed,
}

/// What moves: the parts of a mechanism in the plane or in space.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanics {
    /// x right, y up, angles counter-clockwise.
    Plane(Parts<Plane>),
    /// z up.
    Space(Parts<Space>),
}

/// Bodies, joints and loads of a mechanism, in file order, with their states at t = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts<A: Algebra> {
    /// Gravity (m/s²).
    pub gravity: A::Vector,
    /// Bodies by name.
    pub bodies: Vec<(String, Body<A>)>,
    /// Shapes that do not move, by name.
    pub world_shapes: Vec<(String, A::Shape)>,
    /// Joints by name; those of free bodies are not among them.
    pub joints: Vec<(String, Joint<A>)>,
    /// Forces and torques from the world, by name.
    pub loads: Vec<(String, Load<A>)>,
    /// States at t = 0 that were given, by the name of the joint or of the free body.
    pub starts: Vec<(String, Start)>,
    /// Friction in joints, by the name of the joint.
    pub frictions: Vec<(String, JointFriction)>,
}

/// Coulomb friction in a joint, by its load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointFriction {
    /// Coefficients.
    pub friction: Friction,
    /// Pitch radius of a thread (m).
    pub radius: Option<f64>,
    /// What adds to the load (N).
    pub preload: f64,
}

/// A pair of shapes that may collide, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing {
    /// First shape, as body (or `world`) and name: the normal points to it.
    pub first: (String, String),
    /// Second shape.
    pub second: (String, String),
    /// Law of restitution.
    pub law: Law,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coefficient of tangential restitution, where it has one.
    pub tangential_restitution: Option<f64>,
    /// Friction coefficients.
    pub friction: Friction,
    /// Radius at which friction resists pivoting about the normal, in space (m).
    pub spin_radius: f64,
    /// Where it is at the start, of a contact by point and normal: its shapes are made there.
    pub spot: Option<ContactSpot>,
}

impl Pairing {
    fn first(&self) -> (&str, &str) {
        (&self.first.0, &self.first.1)
    }

    fn second(&self) -> (&str, &str) {
        (&self.second.0, &self.second.1)
    }
}

/// State of a joint or free body at t = 0, numbers as the model counts them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Start {
    /// Coordinates (m or rad, quaternions as w, x, y, z); empty: zero, and no turn.
    pub position: Vec<f64>,
    /// Rates (m/s or rad/s); empty: zero.
    pub rate: Vec<f64>,
}

impl Scenario {
    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Whether the file says how long a run takes; an instant needs no duration.
    pub fn has_duration(&self) -> bool {
        self.has_duration
    }

    /// The parts of a scenario in the plane.
    pub fn plane(&self) -> Option<&Parts<Plane>> {
        match &self.mechanics {
            Mechanics::Plane(parts) => Some(parts),
            Mechanics::Space(_) => None,
        }
    }

    /// The parts of a scenario in space.
    pub fn space(&self) -> Option<&Parts<Space>> {
        match &self.mechanics {
            Mechanics::Plane(_) => None,
            Mechanics::Space(parts) => Some(parts),
        }
    }
}

/// Reads a scenario from a text, TOML or JSON, after applying overrides.
///
/// ```
/// let text = r#"
/// bodies.ball = { mass = 1, inertia = 0.1, shapes.skin = { disk = { radius = 0.1 } }, start = { position = [0, 1, 0] } }
/// world.shapes.floor = { half_space = { normal = [0, 1] } }
/// contacts.hit = { between = ["ball.skin", "world.flor"], restitution = 0.8 }
/// run.duration = 2
/// "#;
/// let error = carom_scenario::read_scenario("ball.toml", text, &[]).unwrap_err();
/// assert_eq!((error.line, error.column), (Some(4), Some(42)));
/// assert!(error.message.contains("did you mean \"floor\"?"));
///
/// let scenario = carom_scenario::read_scenario("ball.toml", &text.replace("flor", "floor"), &[])?;
/// let run = carom_sim::run(&mut scenario.build_plane()?)?;
/// assert_eq!(run.events.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_scenario(
    name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<Scenario, InputError> {
    let source = Source { name, text };
    read_document(source, Document::parse(source)?.with(overrides)?, 1)
}

/// Reads a scenario in JSON that stands on line `line` (from 1) of a stream.
pub fn read_scenario_in(
    name: &str,
    line: usize,
    text: &str,
    overrides: &[Override],
) -> Result<Scenario, InputError> {
    let source = Source { name, text };
    let read = Document::parse_json(source).and_then(|document| document.with(overrides));
    read_document(source, read.map_err(|error| at_line(error, line))?, line)
}

/// Reads a document whose overrides are applied.
pub(crate) fn read_document(
    source: Source<'_>,
    document: Document,
    line: usize,
) -> Result<Scenario, InputError> {
    let moved = |error| at_line(error, line);
    refuse_other_files(source, &document).map_err(moved)?;
    later::refuse(source, &document).map_err(moved)?;
    let raw: RawScenario = document::read(source, &document).map_err(moved)?;
    let file = Placed {
        name: source.name.to_owned(),
        text: source.text.to_owned(),
        document,
        line,
    };
    misplaced::refuse(&file, raw.space.unwrap_or(SpaceName::Plane))?;
    bind::bind(raw, file)
}

/// A problem, or something that is no table, is told apart from a scenario with a slip in it.
fn refuse_other_files(source: Source<'_>, document: &Document) -> Result<(), InputError> {
    let Value::Table(entries) = &document.root.value else {
        let found = document.root.value.describe();
        let message = format!("found {found}, expected a table with bodies and run");
        return Err(document.root.origin.error(source, "", message));
    };
    for (key, origin, _) in entries {
        let kind = match key.as_str() {
            "mass" | "velocity" | "constraints" => "an impact problem, which `carom impact` reads",
            "inertia" | "screw" | "rod" => "a forward problem, which `carom forward` reads",
            "end" | "events" => "a run",
            _ => continue,
        };
        let message =
            format!("the key \"{key}\" belongs to {kind}; expected a scenario with bodies and run");
        return Err(origin.error(source, key, message));
    }
    Ok(())
}
