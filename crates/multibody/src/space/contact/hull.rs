//! Faces and edges of the convex hull of a few points.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use crate::vector::{Linear, Vector};

/// A convex polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hull {
    pub(super) vertices: Vec<Vector<3>>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    /// A ball around the solid: centre and radius (m).
    pub(super) ball: (Vector<3>, f64),
    size: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Face {
    /// Unit vector out of the solid.
    pub(super) normal: Vector<3>,
    /// `normal·r` of its points (m).
    pub(super) offset: f64,
    /// Vertices, counter-clockwise seen from outside.
    corners: Vec<usize>,
    /// Of each side, its start and the unit vector in the face out of it.
    sides: Vec<(Vector<3>, Vector<3>)>,
}

/// Where two faces meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub(super) start: Vector<3>,
    /// Unit vector.
    pub(super) along: Vector<3>,
    pub(super) length: f64,
    /// Unit vectors from the edge into its two faces, across it.
    pub(super) wedge: [Vector<3>; 2],
}

/// Why points have no hull of which all are corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum HullFault {
    Flat,
    NotACorner(usize),
    Unclear,
}

/// A ball around points, about their mean.
fn ball(points: &[Vector<3>]) -> (Vector<3>, f64) {
    let sum = points
        .iter()
        .fold(Vector::default(), |sum: Vector<3>, r| sum + *r);
    let middle = sum * (points.len() as f64).recip();
    let radius = points
        .iter()
        .fold(0.0f64, |radius, r| radius.max((*r - middle).norm()));
    (middle, radius)
}

/// Points this part of the size of the solid from a plane are in it.
const COPLANAR: f64 = 1e-10;
/// Angle below which a corner of a face counts as half a turn from the first, the other way round (rad).
const OPPOSITE: f64 = 1e-9 - PI;
/// Fewest faces at a corner.
const AT_A_CORNER: usize = 3;

impl Hull {
    /// Every plane through three points that has all others on one side is a face.
    pub(super) fn of(vertices: &[Vector<3>]) -> Result<Self, HullFault> {
        let first = vertices.first().copied().unwrap_or_default();
        let size = vertices
            .iter()
            .fold(0.0, |s: f64, r| s.max((*r - first).norm()));
        let planes = planes(vertices, size)?;
        let faces: Vec<Face> = planes
            .into_iter()
            .map(|(corners, plane)| Face::new(vertices, corners, plane))
            .collect();
        for vertex in 0..vertices.len() {
            let meeting = faces.iter().filter(|face| face.corners.contains(&vertex));
            if meeting.count() < AT_A_CORNER {
                return Err(HullFault::NotACorner(vertex));
            }
        }
        let edges = edges(vertices, &faces)?;
        let euler = vertices.len() + faces.len() == edges.len() + 2;
        let vertices = vertices.to_vec();
        euler
            .then_some(Self {
                ball: ball(&vertices),
                vertices,
                faces,
                edges,
                size,
            })
            .ok_or(HullFault::Unclear)
    }

    /// The same hull elsewhere.
    pub(super) fn moved(&self, place: impl Fn(Vector<3>) -> Vector<3>) -> Self {
        let zero = place(Vector::default());
        let turn = |r: Vector<3>| place(r) - zero;
        let side = |(start, out): &(Vector<3>, Vector<3>)| (place(*start), turn(*out));
        let face = |face: &Face| Face {
            normal: turn(face.normal),
            offset: turn(face.normal).dot(place(face.sides[0].0)),
            corners: face.corners.clone(),
            sides: face.sides.iter().map(side).collect(),
        };
        let edge = |edge: &Edge| Edge {
            start: place(edge.start),
            along: turn(edge.along),
            length: edge.length,
            wedge: edge.wedge.map(turn),
        };
        Self {
            vertices: self.vertices.iter().map(|r| place(*r)).collect(),
            faces: self.faces.iter().map(face).collect(),
            edges: self.edges.iter().map(edge).collect(),
            ball: (place(self.ball.0), self.ball.1),
            size: self.size,
        }
    }

    /// Unit vectors along the edges that leave a vertex.
    pub(super) fn leaving(&self, vertex: usize) -> Vec<Vector<3>> {
        let along = |face: &Face| {
            let at = face.corners.iter().position(|corner| *corner == vertex)?;
            let next = face.corners[(at + 1) % face.corners.len()];
            let way = self.vertices[next] - self.vertices[vertex];
            Some(way * way.norm().recip())
        };
        self.faces.iter().filter_map(along).collect()
    }

    /// Whether a vertex is within a distance of a point (m).
    pub(super) fn has_vertex_at(&self, point: Vector<3>, distance: f64) -> bool {
        let mut vertices = self.vertices.iter();
        vertices.any(|vertex| (*vertex - point).norm() <= distance)
    }

    /// Height and place of the vertex lowest along a direction.
    pub(super) fn lowest(&self, up: Vector<3>) -> (f64, Vector<3>) {
        let start = (f64::INFINITY, Vector::default());
        self.vertices.iter().fold(start, |lowest, vertex| {
            let height = up.dot(*vertex);
            if height < lowest.0 {
                (height, *vertex)
            } else {
                lowest
            }
        })
    }

    /// Distance of the furthest vertex from the origin (m).
    pub(super) fn reach(&self) -> f64 {
        let lengths = self.vertices.iter().map(|vertex| vertex.norm());
        lengths.fold(0.0, f64::max)
    }

    /// Largest distance between a vertex and the first (m).
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Vertices of each face, counter-clockwise seen from outside.
    pub(super) fn corners_of_faces(&self) -> impl Iterator<Item = Vec<usize>> {
        self.faces.iter().map(|face| face.corners.clone())
    }

    /// Signed distance from the plane of the face that is furthest out (m), negative inside, and which.
    pub(super) fn outermost(&self, point: Vector<3>) -> (f64, usize) {
        let mut found = (f64::NEG_INFINITY, 0);
        for (i, face) in self.faces.iter().enumerate() {
            let distance = face.distance(point);
            if distance > found.0 {
                found = (distance, i);
            }
        }
        found
    }
}

/// A plane through corners: unit normal outwards, and the size of the triangle it was taken from.
type Plane = (Vector<3>, f64);

/// The planes of the faces, each from its largest triangle, by the corners in it.
fn planes(vertices: &[Vector<3>], size: f64) -> Result<BTreeMap<Vec<usize>, Plane>, HullFault> {
    let (mut found, n) = (BTreeMap::<Vec<usize>, Plane>::new(), vertices.len());
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let (a, b) = (vertices[j] - vertices[i], vertices[k] - vertices[i]);
                let (cross, area) = (a.cross(b), a.cross(b).norm());
                if area <= COPLANAR * size * size {
                    continue; // three points in line have no plane
                }
                let normal = cross * area.recip();
                let away = |r: &Vector<3>| normal.dot(*r - vertices[i]);
                let is_above = vertices.iter().any(|r| away(r) > COPLANAR * size);
                let is_below = vertices.iter().any(|r| away(r) < -COPLANAR * size);
                let normal = match (is_above, is_below) {
                    (false, false) => return Err(HullFault::Flat),
                    (false, true) => normal,
                    (true, false) => -normal,
                    (true, true) => continue, // most triples, seen after a few points
                };
                let is_in = |v: &usize| away(&vertices[*v]).abs() <= COPLANAR * size;
                let corners: Vec<usize> = (0..n).filter(is_in).collect();
                let plane = found.entry(corners).or_insert((normal, area));
                if area > plane.1 {
                    *plane = (normal, area);
                }
            }
        }
    }
    match found.is_empty() {
        true => Err(HullFault::Flat), // all points in line
        false => Ok(found),
    }
}

impl Face {
    fn new(vertices: &[Vector<3>], mut corners: Vec<usize>, (normal, _): Plane) -> Self {
        let sum = corners
            .iter()
            .fold(Vector::default(), |s, v| s + vertices[*v]);
        let middle = sum * (corners.len() as f64).recip();
        let x = vertices[corners[0]] - middle;
        let y = normal.cross(x);
        let angle = |v: &usize| {
            let r = vertices[*v] - middle;
            let angle = y.dot(r).atan2(x.dot(r));
            // Of a corner opposite the first, round-off would choose between first and last.
            if angle < OPPOSITE { angle + TAU } else { angle }
        };
        corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let next = corners.iter().cycle().skip(1);
        let side = |(a, b): (&usize, &usize)| {
            let along = vertices[*b] - vertices[*a];
            let out = along.cross(normal);
            (vertices[*a], out * out.norm().recip())
        };
        Self {
            normal,
            offset: normal.dot(vertices[corners[0]]),
            sides: corners.iter().zip(next).map(side).collect(),
            corners,
        }
    }

    pub(super) fn distance(&self, point: Vector<3>) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Of each side, its start and the unit vector in the face out of it.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Vector<3>, Vector<3>)> {
        self.sides.iter().copied()
    }

    /// Whether a point lies over the face, not beside it.
    pub(super) fn covers(&self, point: Vector<3>) -> bool {
        self.sides
            .iter()
            .all(|(start, out)| out.dot(point - *start) <= 0.0)
    }
}

/// Edges, each once, from the smaller vertex to the greater.
fn edges(vertices: &[Vector<3>], faces: &[Face]) -> Result<Vec<Edge>, HullFault> {
    let mut found: BTreeMap<(usize, usize), Vec<Vector<3>>> = BTreeMap::new();
    let mut order = Vec::new();
    for face in faces {
        let next = face.corners.iter().cycle().skip(1);
        for ((a, b), (_, out)) in face.corners.iter().zip(next).zip(&face.sides) {
            let key = (*a.min(b), *a.max(b));
            let inwards = found.entry(key).or_default();
            if inwards.is_empty() {
                order.push(key);
            }
            inwards.push(-*out);
        }
    }
    let edge = |key: (usize, usize)| {
        let wedge: [Vector<3>; 2] = found[&key].clone().try_into().ok()?;
        let way = vertices[key.1] - vertices[key.0];
        Some(Edge {
            start: vertices[key.0],
            along: way * way.norm().recip(),
            length: way.norm(),
            wedge,
        })
    };
    let edges: Option<Vec<Edge>> = order.into_iter().map(edge).collect();
    edges.ok_or(HullFault::Unclear)
}
