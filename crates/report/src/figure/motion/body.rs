//! A body at a pose, as outlines and bars.

use carom_sim::record::{BodyScene, Outline, RunRecord};

use super::super::frame::Point;
use super::super::run::series::{between, pose};
use super::when::When;

/// Corners of a round outline, per half circle.
const ARC: usize = 20;
/// Most centres of one body that leave a trace.
const TRACES: usize = 3;

/// Place and turn of a body frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    x: f64,
    y: f64,
    angle: f64,
}

impl Pose {
    pub(super) const WORLD: Self = Self {
        x: 0.0,
        y: 0.0,
        angle: 0.0,
    };

    /// Pose of a body; none where it is not recorded. Between samples it lies on a straight line.
    pub(super) fn at(record: &RunRecord, body: &str, when: When) -> Option<Self> {
        let trajectory = match when {
            When::Around(_) => record.around_events.as_ref()?,
            _ => record.trajectory.as_ref()?,
        };
        let columns = trajectory.poses.get(body)?;
        let value = |k: usize| match when {
            When::Sample(row) | When::Around(row) => columns.get(k)?.get(row).copied(),
            When::Instant(instant) => between(trajectory, columns.get(k)?, instant),
        };
        let pose = Self {
            x: value(0)?,
            y: value(1)?,
            angle: value(2)?,
        };
        (pose.x + pose.y + pose.angle).is_finite().then_some(pose)
    }

    /// A direction of the body in the world.
    pub(super) fn turned(&self, direction: [f64; 2]) -> Point {
        let (sin, cos) = self.angle.sin_cos();
        (
            cos * direction[0] - sin * direction[1],
            sin * direction[0] + cos * direction[1],
        )
    }

    pub(super) fn of(&self, p: [f64; 2]) -> Point {
        let (x, y) = self.turned(p);
        (self.x + x, self.y + y)
    }
}

/// Corners of an outline in the world; none of a half-plane.
pub(super) fn corners(outline: &Outline, pose: &Pose) -> Vec<Point> {
    match outline {
        Outline::Round { from, to, radius } => round(*from, *to, *radius, pose),
        Outline::Polygon { corners } => corners.iter().map(|p| pose.of(*p)).collect(),
        Outline::HalfSpace { .. } | Outline::Polyhedron { .. } => Vec::new(),
    }
}

fn round(from: [f64; 2], to: [f64; 2], radius: f64, pose: &Pose) -> Vec<Point> {
    let along = (to[1] - from[1]).atan2(to[0] - from[0]);
    let half = |centre: [f64; 2], start: f64| {
        (0..=ARC).map(move |k| {
            let angle = start + std::f64::consts::PI * k as f64 / ARC as f64;
            let (sin, cos) = angle.sin_cos();
            [centre[0] + radius * cos, centre[1] + radius * sin]
        })
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    half(to, along - quarter)
        .chain(half(from, along + quarter))
        .map(|p| pose.of(p))
        .collect()
}

/// Middle of an outline in its body.
fn centre(outline: &Outline) -> Option<[f64; 2]> {
    let mean = |points: &[[f64; 2]]| {
        let count = points.len() as f64;
        let sum = |k: usize| points.iter().map(|p| p[k]).sum::<f64>();
        (!points.is_empty()).then(|| [sum(0) / count, sum(1) / count])
    };
    match outline {
        Outline::Round { from, to, .. } => mean(&[*from, *to]),
        Outline::Polygon { corners } => mean(corners),
        Outline::HalfSpace { .. } | Outline::Polyhedron { .. } => None,
    }
}

/// Bars of a body: from its first joint to its other points and to its outlines, where the first
/// joint does not lie inside an outline already.
pub(crate) fn bars(body: &BodyScene) -> Vec<[[f64; 2]; 2]> {
    let Some(root) = body.points.first().copied() else {
        return Vec::new();
    };
    let is_inside = |outline: &Outline| contains(outline, root);
    if body.outlines.iter().any(is_inside) {
        return Vec::new();
    }
    let centres = body.outlines.iter().filter_map(centre);
    let ends = body.points.iter().copied().chain(centres);
    ends.filter(|end| *end != root)
        .map(|end| [root, end])
        .collect()
}

fn contains(outline: &Outline, p: [f64; 2]) -> bool {
    if matches!(outline, Outline::Round { radius, .. } if *radius == 0.0) {
        return false; // a point has no inside
    }
    let corners = corners(outline, &Pose::WORLD);
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let mut turns = sides.map(|(a, b)| (b.0 - a.0) * (p[1] - a.1) - (b.1 - a.1) * (p[0] - a.0));
    !corners.is_empty() && turns.all(|turn| turn >= 0.0)
}

/// The points of a body that leave a trace: its outlines' centres, else its point farthest from
/// the first, else its origin.
pub(crate) fn traced(body: &BodyScene) -> Vec<[f64; 2]> {
    let centres = body.outlines.iter().filter_map(centre);
    let centres: Vec<_> = centres.take(TRACES).collect();
    if !centres.is_empty() {
        return centres;
    }
    let root = body.points.first().copied().unwrap_or([0.0; 2]);
    let distance = |p: &[f64; 2]| (p[0] - root[0]).hypot(p[1] - root[1]);
    let far = body.points.iter().copied();
    let far = far.max_by(|a, b| distance(a).total_cmp(&distance(b)));
    vec![far.unwrap_or(root)]
}

/// The way of a point of a body through the world, samples and events.
pub(super) fn trace(record: &RunRecord, body: &str, point: [f64; 2]) -> Vec<Point> {
    let [x, y, angle] = [0, 1, 2].map(|index| pose(record, body, index));
    let poses = x.iter().zip(&y).zip(&angle);
    let poses = poses.map(|((x, y), angle)| Pose {
        x: x.1,
        y: y.1,
        angle: angle.1,
    });
    poses.map(|pose| pose.of(point)).collect()
}
