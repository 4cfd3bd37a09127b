//! One forward problem in, every acceleration out; counts, maps and figures beside it.

use carom_contact::contact_space::GivenFriction;
use carom_contact::forward::counts::{LineCounts, count_along};
use carom_contact::forward::graph::CountDiagram;
use carom_contact::forward::lines::acceleration_plane;
use carom_contact::forward::map::{
    RegionMap, region_label, region_label_in_space, region_map, rod_map,
};
use carom_contact::forward::rod::Rod;
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::space::SpatialForwardResult;
use carom_contact::forward::{ForwardInputError, ForwardResult, pieces};
use carom_contact::resolution::{
    ResolutionError, resolve_rod, resolve_screw, solve_and_resolve, solve_and_resolve_in_space,
};
use carom_report::figure::Axis;
use carom_report::figure::forward::{
    GraphLabels, MapAxis, counts_svg, graph_svg, graph_window, line_counts_svg, lines_svg, map_svg,
};
use carom_report::{
    ForwardQuestion, Heading, SpatialForwardQuestion, count_table, forward_table as report_table,
    line_count_table, map_table as report_map_table, spatial_forward_table,
};
use carom_scenario::{ForwardFile, ForwardForm, InputError, Override};
use serde::Serialize;

/// The answer to a forward problem: of contacts with one tangent, or of contacts in space.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ForwardOutcome {
    /// Sign patterns are linear pieces: every answer, and a verdict for every force.
    Plane(Box<ForwardResult>),
    /// Contacts in space: the answers found, and what is proved about others.
    Space(Box<SpatialForwardResult>),
}

impl ForwardOutcome {
    /// Number of answers; none of a continuum, and where others are not excluded.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Plane(result) => result.count,
            Self::Space(result) => result.count,
        }
    }

    /// The answer of a problem whose contacts have one tangent.
    pub fn plane(&self) -> Option<&ForwardResult> {
        match self {
            Self::Plane(result) => Some(result),
            Self::Space(_) => None,
        }
    }

    /// The answer of a problem with contacts in space.
    pub fn space(&self) -> Option<&SpatialForwardResult> {
        match self {
            Self::Plane(_) => None,
            Self::Space(result) => Some(result),
        }
    }
}

/// Every acceleration consistent with friction, and whether every force has exactly one.
///
/// ```
/// let screw = carom::read_forward("screw.toml", r#"
///     screw = { inertia = 4e-4, mass = 400, lead = 0.002, helix = 0.08, thread = 0.25,
///               friction = 0.35, velocity = -1, force = 0 }
/// "#, &[])?;
/// let answer = carom::forward(&screw)?;
/// let result = answer.plane().expect("a screw has no contacts in space");
/// assert_eq!(result.count, Some(0));                        // lowering without a torque
/// assert_eq!(result.unique_for_every_force, Some(false));
/// assert!(result.resolution.is_some());                     // it seizes
/// # Ok::<(), carom::InputError>(())
/// ```
pub fn forward(file: &ForwardFile) -> Result<ForwardOutcome, InputError> {
    let said = |error: ResolutionError| match error {
        ResolutionError::Forward(error) => file.locate(&error),
        other => file.refuse(other.to_string()),
    };
    let plane = match &file.form {
        ForwardForm::Screw(screw) => resolve_screw(screw),
        ForwardForm::Rod(rod) => resolve_rod(rod),
        ForwardForm::Instant(instant) if !file.form.is_in_space() => instant.solve(),
        ForwardForm::General {
            problem,
            restitution,
            law,
        } => solve_and_resolve(problem, *restitution, *law),
        _ => return in_space(file).map_err(said),
    };
    plane
        .map(|result| ForwardOutcome::Plane(Box::new(result)))
        .map_err(said)
}

/// The answer of a problem with contacts in space.
fn in_space(file: &ForwardFile) -> Result<ForwardOutcome, ResolutionError> {
    let posed = file
        .form
        .posed()
        .unwrap_or(Err(ForwardInputError::InSpace))?;
    let after = file.form.jump_law();
    let result = solve_and_resolve_in_space(&posed, after.restitution, after.law)?;
    Ok(ForwardOutcome::Space(Box::new(result)))
}

/// The closed form, where the problem is one coordinate with friction and no contact.
fn scalar(file: &ForwardFile) -> Result<Option<ScalarFriction>, ForwardInputError> {
    if file.form.is_in_space() {
        return Ok(None);
    }
    let problem = file.form.problem()?;
    if problem.friction.len() != 1 || !problem.contacts.is_empty() {
        return Ok(None);
    }
    Ok(Some(match &file.form {
        ForwardForm::Screw(screw) => screw.scalar()?,
        ForwardForm::Instant(instant) => instant.scalar()?,
        _ => ScalarFriction::of(&problem)?,
    }))
}

/// Checks a file as far as solving it would, and says what it holds.
pub fn check_forward(file: &ForwardFile) -> Result<String, InputError> {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    if let Some(posed) = file.form.posed() {
        let posed = posed.map_err(|error| file.locate(&error))?;
        let rough = posed
            .joints
            .iter()
            .filter(|joint| joint.friction.mu_s() > 0.0);
        let contacts = count(posed.contacts.len(), "contact");
        let Some(motion) = &posed.motion else {
            return Ok(format!("forward problem in contact space with {contacts}"));
        };
        let what = match &file.form {
            ForwardForm::Instant(_) => "scenario at its start as a forward problem in space",
            _ => "forward problem in space",
        };
        return Ok(format!(
            "{what} with {}, {} with friction, {contacts}",
            count(motion.free.len(), "coordinate"),
            rough.count()
        ));
    }
    let problem = file.problem()?;
    let rough = |mu: &&GivenFriction| mu.mu_s > 0.0;
    let what = match &file.form {
        ForwardForm::Screw(_) => "forward problem of a screw",
        ForwardForm::Rod(_) => "forward problem of a rod",
        ForwardForm::Instant(_) => "scenario at its start as a forward problem",
        _ => "forward problem",
    };
    Ok(format!(
        "{what} with {}, {} with friction, {}",
        count(problem.coordinates(), "coordinate"),
        problem.friction.iter().filter(rough).count(),
        count(problem.contacts.len(), "contact")
    ))
}

/// How many coordinates, those that are listed with friction, and contacts a file has.
fn sizes(file: &ForwardFile) -> Result<[usize; 3], InputError> {
    if let Some(posed) = file.form.posed() {
        let posed = posed.map_err(|error| file.locate(&error))?;
        let coordinates = posed.motion.map_or(0, |motion| motion.free.len());
        return Ok([coordinates, posed.joints.len(), posed.contacts.len()]);
    }
    let problem = file.problem()?;
    let joints = problem.friction.len();
    Ok([problem.coordinates(), joints, problem.contacts.len()])
}

/// Names of the coordinates, and of the elements: coordinates with friction, then contacts.
fn names(file: &ForwardFile) -> Result<(Vec<String>, Vec<String>), InputError> {
    let [coordinates, joints, contacts] = sizes(file)?;
    let coordinates: Vec<String> = match &file.form {
        ForwardForm::Screw(_) => vec!["angle".to_owned()],
        ForwardForm::Rod(_) => ["x", "y", "angle"].map(str::to_owned).to_vec(),
        ForwardForm::Instant(instant) => instant.coordinates.clone(),
        _ => (0..coordinates).map(|k| format!("q{k}")).collect(),
    };
    let contacts: Vec<String> = match &file.form {
        ForwardForm::Rod(_) => vec!["tip".to_owned()],
        ForwardForm::Instant(instant) => instant.contacts.clone(),
        _ => (0..contacts).map(|k| format!("contact {k}")).collect(),
    };
    let joints = coordinates.iter().take(joints).cloned();
    let elements = joints.chain(contacts).collect();
    Ok((coordinates, elements))
}

/// The answer as tables for people, with `digits` significant digits.
pub fn forward_table(
    file: &ForwardFile,
    outcome: &ForwardOutcome,
    digits: usize,
) -> Result<String, InputError> {
    let (coordinates, elements) = names(file)?;
    let heading = Heading {
        title: file.title.as_deref(),
        file: file.name(),
        digits,
        angles: &[],
    };
    let result = match outcome {
        ForwardOutcome::Plane(result) => result,
        ForwardOutcome::Space(result) => {
            let posed = file.form.posed().transpose();
            let posed = posed.map_err(|error| file.locate(&error))?;
            let question = SpatialForwardQuestion {
                heading,
                coordinates,
                elements,
                contacts: sizes(file)?[2],
                sliding: posed.as_ref().and_then(|posed| posed.sliding.as_deref()),
            };
            return Ok(spatial_forward_table(&question, result));
        }
    };
    let problem = file.problem()?;
    let pieces = pieces(&problem).map_err(|error| file.locate(&error))?;
    let question = ForwardQuestion {
        heading,
        problem: &problem,
        coordinates,
        elements,
        pieces: &pieces,
    };
    Ok(report_table(&question, result))
}

/// Refuses what is not there of contacts in space.
fn refuse_space(file: &ForwardFile, what: &str) -> Result<(), InputError> {
    match file.form.is_in_space() {
        false => Ok(()),
        true => Err(file.refuse(format!(
            "{what} is not offered for contacts in space; offered are the answers as a table or with --json, \
             and regions over two numbers of the file with --map (--plot draws them)"
        ))),
    }
}

/// How many answers each force has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ForwardDiagram {
    /// Of one coordinate with friction: moving forward, at rest, moving backward.
    Scalar(CountDiagram),
    /// Along a line of forces.
    Line {
        /// Direction of the line.
        direction: Vec<f64>,
        /// Counts along it.
        #[serde(flatten)]
        counts: LineCounts,
    },
}

/// Counts the answers against the force of one coordinate, or along a line of forces.
///
/// Without a direction the line changes the first force alone.
pub fn forward_diagram(
    file: &ForwardFile,
    along: Option<&[f64]>,
) -> Result<ForwardDiagram, InputError> {
    refuse_space(file, "a diagram")?;
    let locate = |error: ForwardInputError| file.locate(&error);
    if let (None, Some(scalar)) = (along, scalar(file).map_err(locate)?) {
        return Ok(ForwardDiagram::Scalar(scalar.count_diagram()));
    }
    let problem = file.problem()?;
    let mut direction = vec![0.0; problem.coordinates()];
    direction[0] = 1.0;
    let direction = along.map_or(direction, <[f64]>::to_vec);
    if direction.len() != problem.coordinates() || !direction.iter().all(|x| x.is_finite()) {
        return Err(file.refuse(format!(
            "the direction of the line has {} numbers, expected {}, all finite",
            direction.len(),
            problem.coordinates()
        )));
    }
    let counts = count_along(&problem, &direction).map_err(locate)?;
    Ok(ForwardDiagram::Line { direction, counts })
}

/// A diagram as a table.
pub fn diagram_table(diagram: &ForwardDiagram, digits: usize) -> String {
    match diagram {
        ForwardDiagram::Scalar(counts) => count_table(counts, digits),
        ForwardDiagram::Line { direction, counts } => line_count_table(counts, direction, digits),
    }
}

fn title(file: &ForwardFile) -> &str {
    file.title.as_deref().unwrap_or(file.name())
}

/// Unit of the force along a single coordinate, where the form says.
fn force_axis(file: &ForwardFile) -> Axis {
    match file.form {
        ForwardForm::Screw(_) => Axis::new("torque τ", "N·m"),
        _ => Axis::new("force τ", ""),
    }
}

fn drawn(file: &ForwardFile, svg: Option<String>) -> Result<String, InputError> {
    svg.ok_or_else(|| file.refuse("there is nothing to draw: the figure has no extent"))
}

/// A diagram, drawn.
pub fn diagram_svg(file: &ForwardFile, diagram: &ForwardDiagram) -> Result<String, InputError> {
    let svg = match diagram {
        ForwardDiagram::Scalar(counts) => counts_svg(counts, &force_axis(file), title(file)),
        ForwardDiagram::Line { counts, .. } => line_counts_svg(
            counts,
            &Axis::new("t along the line of forces", ""),
            title(file),
        ),
    };
    drawn(file, svg)
}

/// The figure that belongs to a problem: of one coordinate force against acceleration, of two the
/// plane of accelerations, of a rod its regions over angle and rate, of others counts along a line.
pub fn forward_svg(file: &ForwardFile) -> Result<String, InputError> {
    refuse_space(file, "a picture of the answers")?;
    let locate = |error: ForwardInputError| file.locate(&error);
    let problem = file.problem()?;
    if let Some(scalar) = scalar(file).map_err(locate)? {
        let tau = problem.force[0];
        let [low, high] = graph_window(&scalar, tau).map_err(locate)?;
        let graph = scalar.graph(tau, low, high).map_err(locate)?;
        let acceleration = match file.form {
            ForwardForm::Screw(_) => Axis::new("acceleration q̈", "rad/s²"),
            _ => Axis::new("acceleration q̈", ""),
        };
        let labels = GraphLabels {
            title: title(file),
            acceleration,
            force: force_axis(file),
            points: &[],
        };
        return drawn(file, graph_svg(&[&graph], &scalar.count_diagram(), &labels));
    }
    if problem.friction.len() == 2 && problem.contacts.is_empty() {
        let plane = acceleration_plane(&problem).map_err(locate)?;
        let (names, _) = names(file)?;
        let axis = |k: usize| Axis::new(&format!("acceleration {}", names[k]), "");
        let svg = lines_svg(&plane, [&axis(0), &axis(1)], title(file));
        return drawn(file, svg);
    }
    if let ForwardForm::Rod(rod) = &file.form {
        return rod_regions(file, rod);
    }
    diagram_svg(file, &forward_diagram(file, None)?)
}

/// Cells of the regions drawn of a rod.
const REGIONS: [usize; 2] = [121, 81];

fn rod_regions(file: &ForwardFile, rod: &Rod) -> Result<String, InputError> {
    let margin = 0.02;
    let angles = spread(margin, std::f64::consts::PI - margin, REGIONS[0]);
    let rates = spread(0.0, rod.telling_rate(), REGIONS[1]);
    let map = rod_map(rod, &angles, &rates).map_err(|error| file.locate(&error))?;
    let axes = (MapAxis::degrees("angle"), MapAxis::new("rate", "rad/s"));
    drawn(file, map_svg(&map, &axes.0, &axes.1, title(file)))
}

fn spread(low: f64, high: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    let at = |k: usize| low + (high - low) * (k as f64 / last);
    (0..count).map(at).collect()
}

/// A parameter of a problem file and the values it takes: `angle=0.1:1.5:200`.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Path of the parameter, as typed.
    pub path: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// How many values.
    pub count: usize,
}

/// Most values of a parameter.
const MOST_VALUES: usize = 2000;

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let expected =
            || format!("\"{typed}\" is not PATH=LOW:HIGH:COUNT, as in angle=0.1:1.5:200");
        let (path, values) = typed.split_once('=').ok_or_else(expected)?;
        let parts: Vec<&str> = values.split(':').map(str::trim).collect();
        let [low, high, count] = parts[..] else {
            return Err(expected());
        };
        let number = |text: &str| {
            let (text, factor) = match text.strip_suffix("deg") {
                Some(degrees) => (degrees.trim(), std::f64::consts::PI / 180.0),
                None => (text, 1.0),
            };
            let x: f64 = text.parse().map_err(|_| expected())?;
            Ok::<f64, String>(x * factor)
        };
        let (low, high) = (number(low)?, number(high)?);
        let count: usize = count.parse().map_err(|_| expected())?;
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(format!(
                "\"{typed}\" goes from {low} to {high}, expected LOW < HIGH"
            ));
        }
        if !(2..=MOST_VALUES).contains(&count) {
            return Err(format!(
                "\"{typed}\" has {count} values, expected 2 to {MOST_VALUES}"
            ));
        }
        Ok(Self {
            path: path.trim().to_owned(),
            low,
            high,
            count,
        })
    }
}

/// Regions over two parameters of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForwardMap {
    /// Paths of the parameters: x, then y.
    pub parameters: [String; 2],
    /// Labels and boundaries.
    #[serde(flatten)]
    pub map: RegionMap,
}

/// Maps a problem over any two numbers of its file; boundaries are located, not drawn from the grid.
pub fn forward_map(file: &ForwardFile, spans: [&Span; 2]) -> Result<ForwardMap, InputError> {
    let parameters = spans.map(|span| file.parameter(&span.path));
    if parameters[0] == parameters[1] {
        let twice = format!(
            "the map varies {} twice, expected two numbers",
            parameters[0]
        );
        return Err(file.refuse(twice));
    }
    let [x, y] = spans.map(|span| spread(span.low, span.high, span.count));
    let at = |a: f64, b: f64| {
        file.with(&[
            Override::number(&parameters[0], a),
            Override::number(&parameters[1], b),
        ])
    };
    let label = |a: f64, b: f64| {
        let file = at(a, b)?;
        let label = match file.form.posed() {
            Some(posed) => posed.and_then(|posed| region_label_in_space(&posed)),
            None => region_label(&file.problem()?),
        };
        label.map_err(|error| file.locate(&error))
    };
    let levels = |a: f64, b: f64| at(a, b).map_or(Vec::new(), |file| levels(&file));
    let map = region_map(&x, &y, label, levels)?;
    Ok(ForwardMap { parameters, map })
}

/// Functions of which one vanishes on each boundary, where they are known: of a slipping rod `p` and
/// the normal drift, of one coordinate `a − μ|c|` and the distances of the force to the vertex and the
/// bands.
fn levels(file: &ForwardFile) -> Vec<f64> {
    if let ForwardForm::Rod(rod) = &file.form {
        return rod.levels();
    }
    match (scalar(file), file.form.problem()) {
        (Ok(Some(scalar)), Ok(problem)) => scalar.levels(problem.force[0]),
        _ => Vec::new(),
    }
}

/// A map as tables.
pub fn map_table(map: &ForwardMap, digits: usize) -> String {
    let [x, y] = &map.parameters;
    report_map_table(&map.map, [x, y], digits)
}

/// A map, drawn.
pub fn forward_map_svg(file: &ForwardFile, map: &ForwardMap) -> Result<String, InputError> {
    let axis = |path: &String| match path.as_str() {
        "rod.angle" | "screw.helix" | "screw.thread" => {
            MapAxis::degrees(path.rsplit('.').next().unwrap_or(path))
        }
        "rod.rate" => MapAxis::new("rate", "rad/s"),
        _ => MapAxis::new(path, ""),
    };
    let [x, y] = &map.parameters;
    drawn(file, map_svg(&map.map, &axis(x), &axis(y), title(file)))
}
