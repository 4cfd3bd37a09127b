//! A mechanism in space as free bodies, joints and contacts.

use std::collections::BTreeMap;

use carom_multibody::space::Space;
use carom_multibody::space::contact::SolidShape;
use carom_multibody::{Body, Joint, Load, WORLD};

use super::frame::{Frame, NUMBERS, norm};
use super::link::{Coordinates, Link, freedoms};
use super::meeting::{Carried, Meeting, meetings};
use carom_multibody::space::SpaceJoint;

/// What a mechanism is made of, as a file has it.
#[derive(Debug, Clone)]
pub struct Parts {
    pub gravity: [f64; 3],
    pub bodies: Vec<(String, Body<Space>)>,
    pub world_shapes: Vec<(String, SolidShape)>,
    pub joints: Vec<(String, Joint<Space>)>,
    pub loads: Vec<Load<Space>>,
    pub pairs: Vec<Pair>,
}

/// Shapes that may touch, each by its body and its name.
#[derive(Debug, Clone)]
pub struct Pair {
    pub name: String,
    pub first: (String, String),
    pub second: (String, String),
}

/// A contact that a run may close.
#[derive(Debug, Clone)]
pub enum Closing {
    Shapes(Box<Meeting>),
    /// A stop of a joint, and whether its gap grows with the coordinate.
    Stop {
        link: usize,
        sense: f64,
    },
}

/// The mechanism; bodies are counted from 1, the world is 0.
#[derive(Debug, Clone)]
pub struct Model {
    pub gravity: [f64; 3],
    pub bodies: Vec<Body<Space>>,
    /// Joints of the tree in the order of their coordinates, those that close loops between them.
    pub links: Vec<Link>,
    pub loads: Vec<(usize, Load<Space>)>,
    pub closings: BTreeMap<String, Closing>,
}

impl Model {
    pub fn new(parts: &Parts) -> Self {
        let names: Vec<&str> = parts.bodies.iter().map(|(name, _)| &name[..]).collect();
        let place = |name: &str| match name {
            WORLD => 0,
            _ => 1 + names.iter().position(|known| *known == name).unwrap(),
        };
        let links = links(parts, &place);
        let shape = |(body, name): &(String, String)| {
            let shapes = match place(body) {
                0 => &parts.world_shapes,
                k => &parts.bodies[k - 1].1.shapes,
            };
            let found = shapes.iter().find(|(known, _)| known == name);
            Carried {
                body: place(body),
                shape: found.unwrap().1.clone(),
            }
        };
        let mut closings = BTreeMap::new();
        for pair in &parts.pairs {
            let all = meetings(&shape(&pair.first), &shape(&pair.second));
            let is_one = all.len() == 1;
            for (k, meeting) in all.into_iter().enumerate() {
                let name = match is_one {
                    true => pair.name.clone(),
                    false => format!("{}.{k}", pair.name),
                };
                closings.insert(name, Closing::Shapes(Box::new(meeting)));
            }
        }
        for (link, joint) in links.iter().enumerate() {
            for (word, sense) in [("lower", 1.0), ("upper", -1.0)] {
                let name = format!("{}.{word}", joint.name);
                closings.insert(name, Closing::Stop { link, sense });
            }
        }
        let loads = parts.loads.iter();
        Self {
            gravity: parts.gravity,
            bodies: parts.bodies.iter().map(|(_, body)| body.clone()).collect(),
            links,
            loads: loads
                .map(|load| (place(&load.body), load.clone()))
                .collect(),
            closings,
        }
    }

    /// The bodies at a state of a run, the world first.
    pub fn frames(&self, t: f64, q: &[f64], v: &[f64]) -> Vec<Frame> {
        let mut frames = vec![None; self.bodies.len() + 1];
        frames[0] = Some(Frame::world());
        let tree = || self.links.iter().filter(|link| !link.closes);
        for _ in &self.bodies {
            for link in tree() {
                let Some(parent) = frames[link.parent] else {
                    continue;
                };
                let moved = link.joint.motion.map(|motion| motion.at(t));
                let (own_q, own_v) = match moved {
                    Some([q, v, _]) => (vec![q], vec![v]),
                    None => (
                        q[link.positions.clone()].to_vec(),
                        v[link.rates.clone()].to_vec(),
                    ),
                };
                let at = Coordinates {
                    q: &own_q,
                    v: &own_v,
                };
                let placed = link.placed(&parent, &at, self.origin(link.child));
                frames[link.child] = Some(placed);
            }
        }
        frames.into_iter().map(Option::unwrap).collect()
    }

    /// Of a body's frame, seen from its mass centre.
    pub fn origin(&self, body: usize) -> [f64; 3] {
        match body {
            0 => [0.0; 3],
            _ => self.bodies[body - 1].center.0.map(|x| -x),
        }
    }

    /// The bodies at a state of the second route, the world first.
    pub fn read(&self, y: &[f64]) -> Vec<Frame> {
        let moving = y.chunks_exact(NUMBERS).map(super::frame::Moving::read);
        let bodies = moving
            .enumerate()
            .map(|(k, moving)| moving.frame(self.origin(k + 1)));
        std::iter::once(Frame::world()).chain(bodies).collect()
    }

    /// The state of the second route with its bodies there.
    pub fn state(frames: &[Frame]) -> Vec<f64> {
        let bodies = frames[1..].iter();
        bodies.flat_map(|frame| frame.moving().numbers()).collect()
    }

    /// A length to measure by: the largest of shapes, links and radii of gyration.
    pub fn length(&self) -> f64 {
        let gyration = |body: &Body<Space>| match body.mass > 0.0 {
            true => (body.inertia.xx.max(body.inertia.zz) / body.mass).sqrt(),
            false => 0.0,
        };
        let links = self.links.iter().map(Link::reach);
        let links = links.chain(self.bodies.iter().map(gyration));
        let shapes = self.bodies.iter().flat_map(|body| &body.shapes);
        let sizes = shapes.map(|(_, shape)| norm(shape.at.0) + size(shape));
        links.chain(sizes).fold(0.0, f64::max)
    }
}

fn size(shape: &SolidShape) -> f64 {
    use carom_multibody::space::contact::Solid::{
        Ball, Bowl, Box, Capsule, Cylinder, Disk, Ellipsoid, HalfSpace, Point, Polyhedron, Tube,
    };
    match &shape.solid {
        Point | HalfSpace { .. } => 0.0,
        Ball { radius } | Disk { radius } | Bowl { radius } | Tube { radius } => *radius,
        Capsule { length, radius } | Cylinder { radius, length } => length.max(*radius),
        Box { size } | Ellipsoid { semi_axes: size } => norm(size.0),
        Polyhedron { vertices } => vertices.iter().map(|r| norm(r.0)).fold(0.0, f64::max),
    }
}

/// The joints given, then those of bodies to which none leads, with their coordinates counted in this order.
fn links(parts: &Parts, place: &dyn Fn(&str) -> usize) -> Vec<Link> {
    let mut led = vec![false; parts.bodies.len() + 1];
    let (mut q, mut v) = (0, 0);
    let mut link = |name: &str, joint: Joint<Space>| {
        let child = place(&joint.child);
        let closes = std::mem::replace(&mut led[child], true);
        let counts = match closes || joint.motion.is_some() {
            true => (0, 0),
            false => freedoms(&joint.kind),
        };
        let (positions, rates) = (q..q + counts.0, v..v + counts.1);
        (q, v) = (positions.end, rates.end);
        Link {
            name: name.to_owned(),
            parent: place(&joint.parent),
            child,
            joint,
            positions,
            rates,
            closes,
        }
    };
    let given = parts.joints.iter();
    let mut found: Vec<Link> = given
        .map(|(name, joint)| link(name, joint.clone()))
        .collect();
    for (name, _) in &parts.bodies {
        if found.iter().all(|link| link.child != place(name)) {
            found.push(link(name, Joint::new(SpaceJoint::Free, WORLD, name)));
        }
    }
    found
}
