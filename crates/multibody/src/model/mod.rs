//! The frozen model: a tree of bodies in an order in which parents come first.

mod builder;
mod check;
mod error;
mod extent;
mod freeze;
mod pair;
mod parts;
mod tree;

pub use builder::ModelBuilder;
pub use error::ModelError;
pub use extent::Round;
pub(crate) use pair::Carried;
pub use pair::PairError;
pub use parts::{Body, Drive, Harmonic, Joint, Limits, Load, Motion, Spring, WORLD};

use std::ops::Range;

use crate::algebra::{Algebra, JointKind, Pose};
use crate::loops::ClosureRecord;

/// A body of one model; [`BodyId::WORLD`] belongs to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) usize);

impl BodyId {
    /// The world.
    pub const WORLD: Self = Self(0);
}

/// A joint of one model: its place in the order in which joints were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) usize);

impl JointId {
    /// Place among the joints of the model.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A joint as the frozen model knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct JointRecord<A: Algebra> {
    /// Its name; that of the body where a body was left free.
    pub name: String,
    /// What was given.
    pub joint: Joint<A>,
    /// Body it starts from.
    pub parent: BodyId,
    /// Body it leads to.
    pub child: BodyId,
    /// Its places in the vector of free positions; empty where the motion is prescribed.
    pub positions: Range<usize>,
    /// Its places in the vector of free rates; empty where the motion is prescribed.
    pub rates: Range<usize>,
    /// Whether the joint was added because no joint led to the body.
    pub is_implicit: bool,
}

/// A body as the frozen model knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyRecord<A: Algebra> {
    /// Its name.
    pub name: String,
    /// What was given.
    pub body: Body<A>,
    /// Its handle.
    pub id: BodyId,
    /// The joint that leads to it.
    pub joint: JointId,
}

/// Moments of inertia that differ by less than this part are one.
const EQUAL: f64 = 64.0 * f64::EPSILON;

/// Body with the joint that leads to it, as the algorithms use them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<A: Algebra> {
    pub(crate) parent: usize,
    pub(crate) joint: usize,
    pub(crate) kind: A::Joint,
    /// Joint frame in the parent's frame.
    pub(crate) base: Pose<A>,
    pub(crate) child_at: A::Vector,
    pub(crate) mass: f64,
    pub(crate) inertia: A::CentralInertia,
    pub(crate) center: A::Vector,
    /// First of its columns among all rates, prescribed ones included.
    pub(crate) column: usize,
    pub(crate) columns: usize,
    /// First of its free positions and rates.
    pub(crate) q_at: usize,
    pub(crate) v_at: usize,
    pub(crate) positions: usize,
    pub(crate) motion: Option<Motion>,
    /// Index among the passive elements.
    pub(crate) passive: Option<usize>,
}

impl<A: Algebra> Node<A> {
    /// Whether its rates are unknowns.
    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.motion.is_none()
    }
}

/// What acts along the coordinate of a joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passive {
    pub(crate) damping: f64,
    pub(crate) spring: Option<Spring>,
    pub(crate) drive: Option<Drive>,
}

impl Passive {
    /// Force of spring, damper and drive at coordinate `q` and rate `v` (N or N·m).
    #[inline(always)]
    pub(crate) fn force(&self, t: f64, q: f64, v: f64) -> f64 {
        let damped = -self.damping * v;
        let sprung = self.spring.map_or(damped, |spring| {
            damped - spring.stiffness * (q - spring.rest)
        });
        self.drive.map_or(sprung, |drive| sprung + drive.at(t))
    }
}

/// A load bound to its body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundLoad<A: Algebra> {
    pub(crate) body: usize,
    pub(crate) at: A::Vector,
    pub(crate) force: Harmonic<A::Vector>,
    pub(crate) torque: Harmonic<A::Angular>,
}

/// A mechanism: a tree of bodies, joints that close loops in it, what acts on it, and its
/// coordinates. Frozen.
///
/// Free coordinates are numbered in the order in which the joints were given, then those of bodies
/// left free, in the order of the bodies. Prescribed coordinates have no number: they are functions
/// of time. The algorithms visit bodies in an order that depends on names and connections only, so
/// that the order of the input changes no digit.
#[derive(Debug, Clone)]
pub struct Model<A: Algebra> {
    /// World first, then parents before children.
    pub(crate) nodes: Vec<Node<A>>,
    pub(crate) passives: Vec<Passive>,
    pub(crate) loads: Vec<BoundLoad<A>>,
    pub(crate) gravity: A::Vector,
    pub(crate) columns: usize,
    pub(crate) positions: usize,
    pub(crate) rates: usize,
    pub(crate) bodies: Vec<BodyRecord<A>>,
    pub(crate) joints: Vec<JointRecord<A>>,
    pub(crate) closures: Vec<ClosureRecord<A>>,
    pub(crate) world_shapes: Vec<(String, A::Shape)>,
    extent: f64,
}

impl<A: Algebra> Model<A> {
    /// Count of free position numbers: the length of `q`.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Count of degrees of freedom: the length of `v`, prescribed coordinates left out.
    pub fn rates(&self) -> usize {
        self.rates
    }

    /// Whether dampers, drives, loads or prescribed motions can change the energy.
    pub fn does_work(&self) -> bool {
        let works = |passive: &Passive| passive.damping != 0.0 || passive.drive.is_some();
        let is_moved = |node: &Node<A>| !node.is_free();
        !self.loads.is_empty() || self.passives.iter().any(works) || self.nodes.iter().any(is_moved)
    }

    /// Driving force of each rate at time t (N or N·m).
    pub fn drives(&self, t: f64) -> Vec<f64> {
        let mut forces = vec![0.0; self.rates];
        for record in &self.joints {
            if let (Some(drive), [force]) = (record.joint.drive, &mut forces[record.rates.clone()])
            {
                *force = drive.at(t);
            }
        }
        forces
    }

    /// Gravity (m/s²).
    pub fn gravity(&self) -> A::Vector {
        self.gravity
    }

    /// The bodies, in the order in which they were given.
    pub fn bodies(&self) -> &[BodyRecord<A>] {
        &self.bodies
    }

    /// The joints of the tree, in the order in which they were given, then those of bodies left free.
    pub fn joints(&self) -> &[JointRecord<A>] {
        &self.joints
    }

    /// The body of a name; `world` is one.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        if name == WORLD {
            return Some(BodyId::WORLD);
        }
        let record = self.bodies.iter().find(|record| record.name == name)?;
        Some(record.id)
    }

    /// The joint of a name; a body left free gives its name to its joint.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        let index = self.joints.iter().position(|record| record.name == name)?;
        Some(JointId(index))
    }

    /// The joints whose motion is prescribed, in the order in which they were given.
    pub fn prescribed(&self) -> impl Iterator<Item = JointId> + '_ {
        let moved = |record: &JointRecord<A>| record.joint.motion.is_some();
        let joints = self.joints.iter().enumerate();
        joints.filter_map(move |(k, record)| moved(record).then_some(JointId(k)))
    }

    /// A shape of a body or of the world.
    pub fn shape(&self, body: &str, shape: &str) -> Result<&A::Shape, ModelError<A::ShapeFault>> {
        let shapes = match self.bodies.iter().find(|record| record.name == body) {
            Some(record) => Some(&record.body.shapes),
            None => (body == WORLD).then_some(&self.world_shapes),
        };
        let found = shapes.and_then(|shapes| shapes.iter().find(|(name, _)| name == shape));
        found
            .map(|(_, found)| found)
            .ok_or_else(|| ModelError::UnknownShape {
                body: body.to_owned(),
                shape: shape.to_owned(),
            })
    }

    /// Free positions at which every joint's child frame is its parent frame: zeros, and quaternions
    /// that turn nothing.
    pub fn reference(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.positions];
        for node in self.nodes.iter().filter(|node| node.is_free()) {
            node.kind
                .reference(&mut q[node.q_at..node.q_at + node.positions]);
        }
        q
    }

    /// The bodies that are led by a quaternion: its place among the free positions, and that of the angular
    /// velocity that turns it among the free rates.
    pub(crate) fn quaternions(&self) -> impl Iterator<Item = (BodyId, usize, usize)> {
        let nodes = self.nodes.iter().enumerate().skip(1);
        nodes
            .filter(|(_, node)| node.is_free())
            .filter_map(|(body, node)| {
                let (position, rate) = node.kind.quaternion()?;
                Some((BodyId(body), node.q_at + position, node.v_at + rate))
            })
    }

    /// Whether a body carries no other, its joint leads to the origin of its frame, and its mass is spread about that
    /// point as a ball's is.
    pub(crate) fn is_round(&self, body: BodyId) -> bool {
        let node = &self.nodes[body.0];
        let carries = self
            .nodes
            .iter()
            .skip(1)
            .any(|other| other.parent == body.0);
        let is_central = [node.child_at, node.center] == [A::Vector::default(); 2];
        let [least, greatest] = [
            A::least_inertia(node.inertia),
            A::greatest_inertia(node.inertia),
        ];
        !carries && is_central && least >= (1.0 - EQUAL) * greatest
    }

    /// Takes free positions back to those that mean a placement: quaternions to unit length.
    ///
    /// No placement changes, and nothing changes where every rate is the rate of its position. An
    /// integrator calls it after each step, or when it hands a state on.
    ///
    /// # Panics
    ///
    /// When `q` has not the length of the positions.
    pub fn normalise(&self, q: &mut [f64]) {
        assert_eq!(q.len(), self.positions, "q has one number per position");
        if A::RATES_ARE_PLAIN {
            return;
        }
        for node in self.nodes.iter().filter(|node| node.is_free()) {
            node.kind
                .normalise(&mut q[node.q_at..node.q_at + node.positions]);
        }
    }

    /// Rate of change of the free position numbers; a copy of `v` wherever they coincide.
    ///
    /// # Panics
    ///
    /// When a slice has not the length of the positions or rates.
    pub fn position_rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        assert_eq!(q.len(), self.positions, "q has one number per position");
        assert_eq!(v.len(), self.rates, "v has one number per rate");
        if A::RATES_ARE_PLAIN {
            out.copy_from_slice(v);
            return;
        }
        for node in &self.nodes {
            if node.is_free() {
                let at = node.q_at..node.q_at + node.positions;
                let rates = &v[node.v_at..node.v_at + node.columns];
                node.kind.position_rate(&q[at.clone()], rates, &mut out[at]);
            }
        }
    }
}
