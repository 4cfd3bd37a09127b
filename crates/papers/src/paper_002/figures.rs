//! Figures 1 to 4, 6 and 7 of the paper from the library's graphs.

use carom::InputError;
use carom::figure::Axis;
use carom::figure::forward::{GraphLabels, graph_svg, lines_svg};
use carom::forward::ForwardProblem;
use carom::forward::lines::acceleration_plane;
use carom::forward::scalar::ScalarFriction;

use super::systems::{GRAVITY, Scalar, Systems, Thread, listed, refused};
use crate::Figure;

/// A point of a graph with its letter or none: velocity, force, and which of the answers.
type Point = (&'static str, f64, f64, usize);

pub(super) fn figures(systems: &Systems) -> Result<Vec<Figure>, InputError> {
    let scalar = &systems.scalar;
    let drawn = [
        figure_1(scalar)?,
        figure_2(scalar)?,
        figure_3(scalar)?,
        figure_4(scalar)?,
        figure_6(&systems.overhauling)?,
        figure_7(&systems.locking)?,
    ];
    Ok(drawn.into_iter().flatten().collect())
}

/// What a graph is drawn from.
struct Drawn {
    name: &'static str,
    caption: &'static str,
    closed: ScalarFriction,
    window: [f64; 2],
    axes: [Axis; 2],
    points: Vec<Point>,
}

impl Drawn {
    fn figure(&self) -> Result<Option<Figure>, InputError> {
        let mut forces: Vec<f64> = self.points.iter().map(|(_, _, tau, _)| *tau).collect();
        forces.dedup();
        let [low, high] = self.window;
        let graph = |tau: &f64| self.closed.graph(*tau, low, high).map_err(refused);
        let graphs = forces.iter().map(graph).collect::<Result<Vec<_>, _>>()?;
        let named = self
            .points
            .iter()
            .filter_map(|(name, velocity, tau, which)| {
                let found = listed(&self.closed, *tau, *velocity);
                Some((*name, [found.get(*which)?.acceleration, *tau]))
            });
        let named: Vec<(&str, [f64; 2])> = named.collect();
        let labels = GraphLabels {
            title: "",
            acceleration: self.axes[0].clone(),
            force: self.axes[1].clone(),
            points: &named,
        };
        let graphs: Vec<_> = graphs.iter().collect();
        let svg = graph_svg(&graphs, &self.closed.count_diagram(), &labels);
        let (name, caption) = (self.name, self.caption);
        Ok(svg.map(|svg| Figure { name, caption, svg }))
    }
}

/// Quantities without units: the paper's graphs have none.
fn plain() -> [Axis; 2] {
    [Axis::new("acceleration q̈", ""), Axis::new("force τ", "")]
}

fn turning() -> [Axis; 2] {
    [
        Axis::new("acceleration q̈", "rad/s²"),
        Axis::new("torque τ", "N·m"),
    ]
}

fn figure_1(scalar: &Scalar) -> Result<Option<Figure>, InputError> {
    let problem = ForwardProblem {
        inertia: vec![vec![2.0, 0.5], vec![0.5, 1.0]],
        bias: vec![0.0, 0.0],
        load_matrix: vec![vec![1.0, -0.9], vec![-0.9, 1.0]],
        load_offset: vec![1.2, 0.6],
        friction: vec![scalar.low_mu.into(), scalar.critical().into()],
        velocity: vec![1.0, 1.0],
        force: vec![1.5, 1.0],
        contacts: Vec::new(),
    };
    let plane = acceleration_plane(&problem).map_err(refused)?;
    let axes = [Axis::new("q̈_1", ""), Axis::new("q̈_2", "")];
    let svg = lines_svg(&plane, [&axes[0], &axes[1]], "");
    Ok(svg.map(|svg| Figure {
        name: "figure-1",
        caption: "Fig. 1: constraints of two coordinates in the plane of accelerations; they meet in the answer",
        svg,
    }))
}

fn figure_2(scalar: &Scalar) -> Result<Option<Figure>, InputError> {
    let above = scalar.edge(scalar.low_mu, 1.0) + 0.45;
    let inside = scalar.b + 0.1 * scalar.low_mu * scalar.d;
    let below = scalar.edge(scalar.low_mu, -1.0) - 0.25;
    Drawn {
        name: "figure-2",
        caption: "Fig. 2: force against acceleration for μ < a/c; one answer for every force and velocity",
        closed: scalar.low()?,
        window: [-2.6, 6.4],
        axes: plain(),
        points: vec![
            ("A", 1.0, above, 0),
            ("A'", -1.0, above, 0),
            ("B", 1.0, inside, 0),
            ("B'", 0.0, inside, 0),
            ("B''", -1.0, inside, 0),
            ("C", 1.0, below, 0),
            ("C'", -1.0, below, 0),
        ],
    }
    .figure()
}

fn figure_3(scalar: &Scalar) -> Result<Option<Figure>, InputError> {
    let above = scalar.edge(scalar.high_mu, 1.0) + 0.5;
    let inside = scalar.b - 0.25 * scalar.high_mu * scalar.d;
    let below = scalar.vertex() - 0.35;
    Drawn {
        name: "figure-3",
        caption: "Fig. 3: the same for μ > a/c: none, one, two or three answers",
        closed: scalar.high()?,
        window: [-9.5, 2.5],
        axes: plain(),
        points: vec![
            ("A", 1.0, above, 1),
            ("A'", 1.0, above, 0),
            ("B", 0.0, inside, 0),
            ("B'", 1.0, inside, 1),
            ("B''", 1.0, inside, 0),
            ("C", 0.0, below, 2),
        ],
    }
    .figure()
}

fn figure_4(scalar: &Scalar) -> Result<Option<Figure>, InputError> {
    let tau = scalar.vertex() - 0.25;
    Drawn {
        name: "figure-4",
        caption: "Fig. 4: near-critical friction, μ just below a/c: a slight decrease of the force below the vertex gives a very large deceleration",
        closed: scalar.with(0.96 * scalar.critical())?,
        window: [-9.0, 3.0],
        axes: plain(),
        points: vec![("A", 1.0, tau, 0), ("A'", -1.0, tau, 0)],
    }
    .figure()
}

fn figure_6(thread: &Thread) -> Result<Option<Figure>, InputError> {
    let fall = GRAVITY / thread.lead;
    let closed = thread.at(0.0, 0.0).scalar().map_err(refused)?;
    Drawn {
        name: "figure-6",
        caption: "Fig. 6: torque against acceleration of an overhauling screw: the static region is positive",
        closed,
        window: [-1.7 * fall, 1.2 * fall],
        axes: turning(),
        points: vec![("", -1.0, 0.0, 0)],
    }
    .figure()
}

fn figure_7(thread: &Thread) -> Result<Option<Figure>, InputError> {
    let fall = GRAVITY / thread.lead;
    let closed = thread.at(0.0, 0.0).scalar().map_err(refused)?;
    let lowest = closed.static_band().first().copied().unwrap_or(0.0);
    let vertex = closed.vertex_force().unwrap_or(0.0);
    Drawn {
        name: "figure-7",
        caption: "Fig. 7: the same with I + ml²/η₂ < 0: lowering from A through free fall at B to C",
        closed,
        window: [-1.9 * fall, 0.9 * fall],
        axes: turning(),
        points: vec![
            ("A", 0.0, lowest, 1),
            ("B", -1.0, vertex, 0),
            ("C", -1.0, 2.0 * lowest, 0),
        ],
    }
    .figure()
}
