//! Pairs of shapes as contacts, each on the smooth piece that it keeps to.

use std::f64::consts::FRAC_PI_2;

use carom_multibody::space::contact::{Solid, SolidShape};

use super::form::Form;
use super::frame::{Frame, cross, dot, minus, norm, unit};
use super::surface::{Circle, Hull, Rod, Surface, end_or_side};

/// A shape of a body.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Place of the body; that of the world is 0.
    pub body: usize,
    pub shape: SolidShape,
}

/// A contact of a pair, before it is known on which piece it lies.
#[derive(Debug, Clone)]
pub enum Meeting {
    /// A point with a radius against a shape; which of them is on the second body.
    Probe {
        body: usize,
        at: [f64; 3],
        radius: f64,
        target: Carried,
        is_flipped: bool,
    },
    /// A rim on a plane, at one of four places.
    Rim {
        body: usize,
        circle: Circle,
        across: [f64; 3],
        spoke: u8,
        plane: Carried,
        is_flipped: bool,
    },
    /// Rods of both bodies that cross, and points inside their solids.
    Rods([Side; 2]),
}

/// A rod of a body, and a point inside what it bounds.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    pub body: usize,
    pub rod: Rod,
    pub inside: Option<[f64; 3]>,
}

/// Sine below which a rim lies flat.
const FLAT: f64 = 1e-8;

impl Carried {
    fn point(&self, r: [f64; 3]) -> [f64; 3] {
        let turned = self.shape.rotation.apply(r.into());
        [0, 1, 2].map(|i| self.shape.at.0[i] + turned.0[i])
    }

    fn direction(&self, r: [f64; 3]) -> [f64; 3] {
        self.shape.rotation.apply(r.into()).0
    }

    fn hull(&self) -> Option<Hull> {
        let corners = match &self.shape.solid {
            Solid::Box { size } => {
                let ring = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
                let level = |z: f64| ring.map(|[x, y]| [x, y, z]);
                let scaled = |r: [f64; 3]| [0, 1, 2].map(|i| r[i] * size.0[i]);
                [level(-0.5), level(0.5)]
                    .concat()
                    .into_iter()
                    .map(scaled)
                    .collect()
            }
            Solid::Polyhedron { vertices } => vertices.iter().map(|r| r.0).collect::<Vec<_>>(),
            _ => return None,
        };
        Some(Hull::of(
            corners.into_iter().map(|r| self.point(r)).collect(),
        ))
    }

    fn caps(&self, length: f64) -> [[f64; 3]; 2] {
        [-0.5, 0.5].map(|part| self.point([part * length, 0.0, 0.0]))
    }

    /// Its centre, centres of caps or corners, with their radius.
    fn probes(&self) -> (Vec<[f64; 3]>, f64) {
        match self.shape.solid {
            Solid::Ball { radius } => (vec![self.shape.at.0], radius),
            Solid::Capsule { length, radius } => (self.caps(length).to_vec(), radius),
            Solid::Point => (vec![self.shape.at.0], 0.0),
            _ => (self.hull().map_or(Vec::new(), |hull| hull.corners), 0.0),
        }
    }

    /// Axis of a capsule, edges of a hull.
    fn sides(&self) -> Vec<Side> {
        let side = |inside| {
            move |rod| Side {
                body: self.body,
                rod,
                inside,
            }
        };
        match (&self.shape.solid, self.hull()) {
            (Solid::Capsule { length, radius }, _) => {
                let [start, end] = self.caps(*length);
                vec![side(None)(Rod::between(start, end, *radius))]
            }
            (_, Some(hull)) => hull
                .edges()
                .into_iter()
                .map(side(Some(hull.middle())))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn rims(&self) -> Vec<Circle> {
        let (radius, heights) = match self.shape.solid {
            Solid::Disk { radius } => (radius, vec![0.0]),
            Solid::Cylinder { radius, length } => (radius, vec![-0.5 * length, 0.5 * length]),
            _ => return Vec::new(),
        };
        let axis = self.direction([0.0, 0.0, 1.0]);
        let circle = |z| Circle {
            center: self.point([0.0, 0.0, z]),
            axis,
            radius,
        };
        heights.into_iter().map(circle).collect()
    }

    fn axis(&self, radius: f64) -> Rod {
        Rod {
            start: self.shape.at.0,
            along: self.direction([0.0, 0.0, 1.0]),
            length: f64::INFINITY,
            radius,
        }
    }

    /// The piece next to a point of the body's frame.
    fn piece(&self, point: [f64; 3]) -> Surface {
        let center = self.shape.at.0;
        match self.shape.solid {
            Solid::Point => Surface::Round {
                center,
                radius: 0.0,
            },
            Solid::Ball { radius } => Surface::Round { center, radius },
            Solid::Bowl { radius } => Surface::Bowl { center, radius },
            Solid::Tube { radius } => Surface::Tube {
                rod: self.axis(radius),
            },
            Solid::HalfSpace { normal } => Surface::Plane {
                point: center,
                normal: self.direction(unit(normal.0)),
            },
            Solid::Capsule { length, radius } => {
                let [start, end] = self.caps(length);
                let rod = Rod::between(start, end, radius);
                end_or_side(rod, dot(rod.along, minus(point, start)))
            }
            Solid::Ellipsoid { .. } => unreachable!("its meetings are left out"),
            Solid::Disk { radius } => self.round_piece(point, radius, 0.0),
            Solid::Cylinder { radius, length } => self.round_piece(point, radius, 0.5 * length),
            Solid::Box { .. } | Solid::Polyhedron { .. } => self.hull().unwrap().piece(point),
        }
    }

    /// Cap, side or rim of a cylinder, half as long; of a disk the length is zero.
    fn round_piece(&self, point: [f64; 3], radius: f64, half: f64) -> Surface {
        let (rod, away) = (self.axis(radius), minus(point, self.shape.at.0));
        let way = dot(rod.along, away);
        let aside = norm([0, 1, 2].map(|i| away[i] - way * rod.along[i]));
        let center = self.point([0.0, 0.0, half.copysign(way)]);
        match (way.abs() > half, aside > radius) {
            (true, false) => Surface::Plane {
                point: center,
                normal: rod.along.map(|x| x.copysign(x * way)),
            },
            (false, _) => Surface::Along { rod },
            (true, true) => Surface::Circle(Circle {
                center,
                axis: rod.along,
                radius,
            }),
        }
    }
}

/// The contacts of a pair of shapes, in the order of their numbers; those of an ellipsoid are left out.
pub fn meetings(first: &Carried, second: &Carried) -> Vec<Meeting> {
    let probes = |of: &Carried, on: &Carried, is_flipped: bool| -> Vec<Meeting> {
        let (points, radius) = of.probes();
        let probe = |at| Meeting::Probe {
            body: of.body,
            at,
            radius,
            target: on.clone(),
            is_flipped,
        };
        points.into_iter().map(probe).collect()
    };
    let is_hollow = |of: &Carried| {
        matches!(
            of.shape.solid,
            Solid::HalfSpace { .. } | Solid::Bowl { .. } | Solid::Tube { .. }
        )
    };
    let is_left_out = |of: &Carried| matches!(of.shape.solid, Solid::Ellipsoid { .. });
    if is_left_out(first) || is_left_out(second) {
        return Vec::new();
    }
    let is_turned = |of: &Carried| !of.rims().is_empty();
    let is_round = |of: &Carried| matches!(of.shape.solid, Solid::Ball { .. } | Solid::Point);
    match (is_hollow(first), is_hollow(second)) {
        (true, _) if is_turned(second) => return rims(second, first, true),
        (_, true) if is_turned(first) => return rims(first, second, false),
        (true, _) => return probes(second, first, true),
        (_, true) => return probes(first, second, false),
        _ => {}
    }
    match (
        is_turned(first) || is_round(second),
        is_turned(second) || is_round(first),
    ) {
        (_, true) => return probes(first, second, false),
        (true, _) => return probes(second, first, true),
        _ => {}
    }
    let mut found = probes(first, second, false);
    found.extend(probes(second, first, true));
    for a in first.sides() {
        found.extend(second.sides().into_iter().map(|b| Meeting::Rods([a, b])));
    }
    found
}

fn rims(of: &Carried, plane: &Carried, is_flipped: bool) -> Vec<Meeting> {
    let rim = |(circle, spoke)| Meeting::Rim {
        body: of.body,
        circle,
        across: of.direction([1.0, 0.0, 0.0]),
        spoke,
        plane: plane.clone(),
        is_flipped,
    };
    let circles = of.rims().into_iter();
    circles
        .flat_map(|circle| (0..4).map(move |spoke| (circle, spoke)))
        .map(rim)
        .collect()
}

impl Meeting {
    /// On the piece that it lies on when its bodies are there.
    pub fn on_piece(&self, frames: &[Frame]) -> Form {
        match self {
            Self::Probe {
                body,
                at,
                radius,
                target,
                is_flipped,
            } => {
                let center = frames[*body].point(*at).at();
                Form::Probe {
                    body: *body,
                    at: *at,
                    radius: *radius,
                    target: target.body,
                    surface: target.piece(frames[target.body].local(center)),
                    is_flipped: *is_flipped,
                }
            }
            Self::Rim { .. } => self.rim_on_piece(frames),
            Self::Rods(sides) => Form::Rods {
                sides: *sides,
                sense: sense(sides, frames),
            },
        }
    }

    fn rim_on_piece(&self, frames: &[Frame]) -> Form {
        let Self::Rim {
            body,
            circle,
            across,
            spoke,
            plane,
            is_flipped,
        } = self
        else {
            unreachable!("a rim was asked for");
        };
        let surface = plane.piece(circle.center);
        let Surface::Plane { normal, .. } = &surface else {
            unreachable!("a rim lies on a plane");
        };
        let normal = frames[plane.body].direction(*normal).at();
        let axis = frames[*body].direction(circle.axis).at();
        if norm(cross(axis, normal)) > FLAT {
            return Form::Leaning {
                body: *body,
                circle: *circle,
                plane: plane.body,
                surface,
                is_flipped: *is_flipped,
            };
        }
        let (sin, cos) = (FRAC_PI_2 * f64::from(*spoke)).sin_cos();
        let further = cross(circle.axis, *across);
        let out = |i: usize| circle.radius * (cos * across[i] + sin * further[i]);
        Form::Probe {
            body: *body,
            at: [0, 1, 2].map(|i| circle.center[i] + out(i)),
            radius: 0.0,
            target: plane.body,
            surface,
            is_flipped: *is_flipped,
        }
    }
}

/// The sense of `A × B` out of the second solid, into the first.
fn sense(sides: &[Side; 2], frames: &[Frame]) -> f64 {
    let [a, b] = sides.map(|side| frames[side.body].direction(side.rod.along).at());
    let inside = sides.map(|side| match side.inside {
        Some(point) => frames[side.body].point(point).at(),
        None => frames[side.body].point(middle(&side.rod)).at(),
    });
    let up = cross(a, b);
    let starts = sides.map(|side| frames[side.body].point(side.rod.start).at());
    let heights = [0, 1].map(|i| dot(up, minus(inside[i], starts[i])));
    // Capsules have no inside beyond their axes: the axes are apart.
    let apart = dot(up, minus(starts[0], starts[1]));
    let size = apart + heights[0] - heights[1];
    size.signum()
}

fn middle(rod: &Rod) -> [f64; 3] {
    [0, 1, 2].map(|i| rod.start[i] + 0.5 * rod.length * rod.along[i])
}
