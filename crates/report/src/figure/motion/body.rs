//! A body at a pose, as outlines and bars.

use carom_sim::record::{Outline, RunRecord};

use super::super::frame::Point;
use super::super::run::series::{between, pose};
use super::when::When;

/// Corners of a round outline, per half circle.
const ARC: usize = 20;

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
        Outline::HalfSpace { .. }
        | Outline::Polyhedron { .. }
        | Outline::Cylinder { .. }
        | Outline::Ellipsoid { .. }
        | Outline::Bowl { .. }
        | Outline::Tube { .. } => Vec::new(),
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
