//! Smooth pieces of surface: how far a point is from them, and along which normal.

use std::collections::BTreeMap;

use super::course::{Arrow, Course};
use super::frame::{Frame, cross, dot, minus, norm, unit};

/// A piece of surface in the frame of its body.
#[derive(Debug, Clone, PartialEq)]
pub enum Surface {
    Plane { point: [f64; 3], normal: [f64; 3] },
    Round { center: [f64; 3], radius: f64 },
    Along { rod: Rod },
    Bowl { center: [f64; 3], radius: f64 },
    Tube { rod: Rod },
    Circle(Circle),
}

/// All points within a radius of a line; where it is bounded, of a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod {
    pub start: [f64; 3],
    /// Unit vector.
    pub along: [f64; 3],
    pub length: f64,
    pub radius: f64,
}

/// A circle about an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circle {
    pub center: [f64; 3],
    /// Unit vector.
    pub axis: [f64; 3],
    pub radius: f64,
}

impl Rod {
    pub fn between(start: [f64; 3], end: [f64; 3], radius: f64) -> Self {
        let apart = minus(end, start);
        Self {
            start,
            along: unit(apart),
            length: norm(apart),
            radius,
        }
    }

    /// What of a point is across the line.
    fn across(&self, frame: &Frame, point: Arrow) -> Arrow {
        let along = frame.direction(self.along);
        let away = point - frame.point(self.start);
        away - along * along.dot(away)
    }
}

impl Surface {
    /// Distance of a point, and the unit vector from the surface to it.
    pub fn reach(&self, frame: &Frame, point: Arrow) -> (Course, Arrow) {
        let beyond = |away: Arrow, radius: f64| (away.norm() - Course::fixed(radius), away.unit());
        let within = |away: Arrow, radius: f64| (Course::fixed(radius) - away.norm(), -away.unit());
        match self {
            Self::Plane {
                point: on_it,
                normal,
            } => {
                let normal = frame.direction(*normal);
                (normal.dot(point - frame.point(*on_it)), normal)
            }
            Self::Round { center, radius } => beyond(point - frame.point(*center), *radius),
            Self::Along { rod } => beyond(rod.across(frame, point), rod.radius),
            Self::Bowl { center, radius } => within(point - frame.point(*center), *radius),
            Self::Tube { rod } => within(rod.across(frame, point), rod.radius),
            Self::Circle(circle) => {
                let (axis, away) = (
                    frame.direction(circle.axis),
                    point - frame.point(circle.center),
                );
                let out = (away - axis * axis.dot(away)).unit();
                beyond(away - out * Course::fixed(circle.radius), 0.0)
            }
        }
    }
}

/// A convex polyhedron by its corners.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    pub corners: Vec<[f64; 3]>,
    /// Corners of each face in ascending order, and its unit normal outwards.
    faces: Vec<(Vec<usize>, [f64; 3])>,
}

/// Points this part of the size of a hull from a plane are on it.
const ON_A_PLANE: f64 = 1e-9;

impl Hull {
    /// Every plane through three corners that has no other beyond it.
    pub fn of(corners: Vec<[f64; 3]>) -> Self {
        let n = corners.len();
        let size = corners.iter().map(|r| norm(*r)).fold(0.0, f64::max);
        let mut faces = BTreeMap::new();
        let triples = (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| [i, j, k])));
        for [i, j, k] in triples.filter(|[i, j, k]| i != j && j != k && i != k) {
            let up = cross(minus(corners[j], corners[i]), minus(corners[k], corners[i]));
            if norm(up) <= ON_A_PLANE * size * size {
                continue;
            }
            let height = |r: &[f64; 3]| dot(unit(up), minus(*r, corners[i])) / size;
            if corners.iter().all(|r| height(r) <= ON_A_PLANE) {
                let on_it = |c: &usize| height(&corners[*c]) >= -ON_A_PLANE;
                let all: Vec<usize> = (0..n).filter(on_it).collect();
                faces.entry(all).or_insert(unit(up));
            }
        }
        let faces = faces.into_iter().collect();
        Self { corners, faces }
    }

    pub fn middle(&self) -> [f64; 3] {
        let sum = |i: usize| self.corners.iter().map(|r| r[i]).sum::<f64>();
        [0, 1, 2].map(|i| sum(i) / self.corners.len() as f64)
    }

    /// Corners of a face in turn, counter-clockwise seen from outside, the one of the least number first.
    fn ring(&self, (corners, normal): &(Vec<usize>, [f64; 3])) -> Vec<usize> {
        let sum = |i: usize| corners.iter().map(|c| self.corners[*c][i]).sum::<f64>();
        let middle = [0, 1, 2].map(|i| sum(i) / corners.len() as f64);
        let x = minus(self.corners[corners[0]], middle);
        let y = cross(*normal, x);
        let angle = |c: &usize| {
            let away = minus(self.corners[*c], middle);
            let angle = dot(y, away).atan2(dot(x, away));
            if angle < ON_A_PLANE - std::f64::consts::PI {
                -angle
            } else {
                angle
            }
        };
        let mut ring = corners.clone();
        ring.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        ring
    }

    /// Its edges: face by face, each from its smaller corner.
    pub fn edges(&self) -> Vec<Rod> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for face in &self.faces {
            let ring = self.ring(face);
            for (k, a) in ring.iter().enumerate() {
                let b = ring[(k + 1) % ring.len()];
                let edge = (*a.min(&b), *a.max(&b));
                if !found.contains(&edge) {
                    found.push(edge);
                }
            }
        }
        let rod = |(a, b): &(usize, usize)| Rod::between(self.corners[*a], self.corners[*b], 0.0);
        found.iter().map(rod).collect()
    }

    /// The piece next to a point outside, or on the surface.
    pub fn piece(&self, point: [f64; 3]) -> Surface {
        let height =
            |face: &(Vec<usize>, [f64; 3])| dot(face.1, minus(point, self.corners[face.0[0]]));
        let outermost = self
            .faces
            .iter()
            .max_by(|a, b| height(a).total_cmp(&height(b)));
        let face = outermost.unwrap();
        let covers = |ring: Vec<usize>| {
            ring.iter().enumerate().all(|(k, a)| {
                let (from, to) = (self.corners[*a], self.corners[ring[(k + 1) % ring.len()]]);
                dot(cross(minus(to, from), face.1), minus(point, from)) <= 0.0
            })
        };
        if covers(self.ring(face)) {
            let point = self.corners[face.0[0]];
            return Surface::Plane {
                point,
                normal: face.1,
            };
        }
        let foot = |rod: &Rod| dot(rod.along, minus(point, rod.start));
        let next_to = |rod: &Rod| {
            let way = foot(rod).clamp(0.0, rod.length);
            let on_it = [0, 1, 2].map(|i| rod.start[i] + way * rod.along[i]);
            norm(minus(point, on_it))
        };
        let edges = self.edges().into_iter();
        let edge = edges.min_by(|a, b| next_to(a).total_cmp(&next_to(b)));
        let edge = edge.unwrap();
        end_or_side(edge, foot(&edge))
    }
}

/// Of a rod, the end or the side next to a point whose foot on the line is so far from its start.
pub fn end_or_side(rod: Rod, foot: f64) -> Surface {
    let end = |way: f64| Surface::Round {
        center: [0, 1, 2].map(|i| rod.start[i] + way * rod.along[i]),
        radius: rod.radius,
    };
    match foot {
        way if way <= 0.0 => end(0.0),
        way if way >= rod.length => end(rod.length),
        _ => Surface::Along { rod },
    }
}
