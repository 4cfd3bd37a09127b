//! Joints, as what they leave free and as what they forbid.

use std::f64::consts::TAU;
use std::ops::Range;

use carom_multibody::Joint;
use carom_multibody::space::{Space, SpaceJoint};

use super::course::{Arrow, Course};
use super::frame::{self, Frame, Turn, cross, dot, minus, norm, turned, unit};

/// A joint between two bodies, given by their places; the world is at 0.
#[derive(Debug, Clone)]
pub struct Link {
    pub name: String,
    pub joint: Joint<Space>,
    pub parent: usize,
    pub child: usize,
    /// Its places among the positions and rates of the run; empty where its motion is prescribed.
    pub positions: Range<usize>,
    pub rates: Range<usize>,
    /// Whether another joint leads to its child already.
    pub closes: bool,
}

/// Count of positions and of rates of a kind of joint.
pub fn freedoms(kind: &SpaceJoint) -> (usize, usize) {
    match kind {
        SpaceJoint::Fixed => (0, 0),
        SpaceJoint::Revolute { .. } | SpaceJoint::Prismatic { .. } | SpaceJoint::Screw { .. } => {
            (1, 1)
        }
        SpaceJoint::Cylindrical { .. } | SpaceJoint::Universal { .. } => (2, 2),
        SpaceJoint::Spherical => (4, 3),
        SpaceJoint::Free => (7, 6),
    }
}

/// Two unit vectors across a unit vector.
fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    let helper = match axis[0].abs() < 0.6 {
        true => [1.0, 0.0, 0.0],
        false => [0.0, 1.0, 0.0],
    };
    let first = unit(cross(axis, helper));
    [first, cross(axis, first)]
}

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A joint between two placed frames.
struct Between {
    base: Turn,
    child: Turn,
    apart: Arrow,
}

impl Between {
    fn out(&self, local: [f64; 3]) -> Arrow {
        turned(&self.base, Arrow::fixed(local))
    }

    fn carried(&self, local: [f64; 3]) -> Arrow {
        turned(&self.child, Arrow::fixed(local))
    }

    fn kept(&self, along: [f64; 3]) -> Course {
        self.out(along).dot(self.apart)
    }

    fn at_right_angles(&self, out: [f64; 3], carried: [f64; 3]) -> Course {
        self.out(out).dot(self.carried(carried))
    }

    /// The angle about a unit axis that both bodies share.
    fn angle(&self, axis: [f64; 3]) -> Course {
        let [side, _] = across(axis);
        let (from, to) = (self.out(side), self.carried(side));
        self.out(axis).dot(from.cross(to)).atan2(from.dot(to))
    }
}

impl Link {
    fn between(&self, parent: &Frame, child: &Frame) -> Between {
        let joint = &self.joint;
        let from = parent.point(joint.parent_at.0);
        Between {
            base: frame::then(&parent.turn, &frame::still(&joint.parent_rotation)),
            child: child.turn,
            apart: child.point(joint.child_at.0) - from,
        }
    }

    /// Its unit axis, or axes.
    fn axis(&self) -> [f64; 3] {
        match self.joint.kind {
            SpaceJoint::Revolute { axis }
            | SpaceJoint::Prismatic { axis }
            | SpaceJoint::Cylindrical { axis }
            | SpaceJoint::Screw { axis, .. }
            | SpaceJoint::Universal { first: axis, .. } => unit(axis.0),
            SpaceJoint::Fixed | SpaceJoint::Free | SpaceJoint::Spherical => [0.0; 3],
        }
    }

    /// What it forbids, each zero where it holds; a prescribed coordinate comes last, less nothing.
    pub fn forbidden(&self, parent: &Frame, child: &Frame) -> Vec<Course> {
        let at = self.between(parent, child);
        let (axis, [a, b]) = (self.axis(), across(self.axis()));
        let point = || AXES.map(|along| at.kept(along)).to_vec();
        let untilted = || [a, b].map(|side| at.at_right_angles(side, axis)).to_vec();
        let on_line = || [a, b].map(|side| at.kept(side)).to_vec();
        let unturned = || {
            let pairs = [(0, 1), (1, 2), (2, 0)];
            pairs
                .map(|(i, j)| at.at_right_angles(AXES[i], AXES[j]))
                .to_vec()
        };
        let mut found = match self.joint.kind {
            SpaceJoint::Revolute { .. } => [point(), untilted()].concat(),
            SpaceJoint::Prismatic { .. } => [on_line(), unturned()].concat(),
            SpaceJoint::Fixed => [point(), unturned()].concat(),
            SpaceJoint::Free => Vec::new(),
            SpaceJoint::Spherical => point(),
            SpaceJoint::Cylindrical { .. } => [on_line(), untilted()].concat(),
            SpaceJoint::Universal { second, .. } => {
                let second = unit(second.0);
                let stays = at.at_right_angles(axis, second) - Course::fixed(dot(axis, second));
                [point(), vec![stays]].concat()
            }
            SpaceJoint::Screw { lead, .. } => {
                let thread = at.kept(axis) - at.angle(axis) * lead;
                [on_line(), untilted(), vec![thread]].concat()
            }
        };
        if self.joint.motion.is_some() {
            found.push(self.coordinate(parent, child));
        }
        found
    }

    /// Its coordinate, where it has one: an angle within half a turn, or a way.
    pub fn coordinate(&self, parent: &Frame, child: &Frame) -> Course {
        let at = self.between(parent, child);
        match self.joint.kind {
            SpaceJoint::Prismatic { .. } => at.kept(self.axis()),
            _ => at.angle(self.axis()),
        }
    }

    /// The coordinate, with the whole turns next to one that is known.
    pub fn way(&self, parent: &Frame, child: &Frame, known: f64) -> f64 {
        let coordinate = self.coordinate(parent, child).at;
        match self.joint.kind {
            SpaceJoint::Prismatic { .. } => coordinate,
            _ => coordinate + TAU * ((known - coordinate) / TAU).round(),
        }
    }

    /// Force of spring, damper and drive along the coordinate.
    pub fn force(&self, t: f64, coordinate: f64, rate: f64) -> f64 {
        let joint = &self.joint;
        let spring = joint
            .spring
            .map_or(0.0, |spring| -spring.stiffness * (coordinate - spring.rest));
        let drive = joint.drive.map_or(0.0, |drive| {
            drive.amplitude * (drive.frequency * t + drive.phase).cos()
        });
        spring + drive - joint.damping * rate
    }

    /// Whether something acts along its coordinate.
    pub fn is_passive(&self) -> bool {
        let joint = &self.joint;
        joint.damping != 0.0 || joint.spring.is_some() || joint.drive.is_some()
    }

    /// The child at its coordinates and rates; its frame's origin seen from its mass centre.
    pub fn placed(&self, parent: &Frame, at: &Coordinates<'_>, origin: [f64; 3]) -> Frame {
        let joint = &self.joint;
        let base = frame::then(&parent.turn, &frame::still(&joint.parent_rotation));
        let axis = self.axis();
        let turn_about = |axis, k: usize| frame::about(axis, at.course(k));
        let slid = |axis: [f64; 3], way: Course| Arrow(axis.map(|x| way * x));
        let nothing = Arrow::default();
        let whole = || frame::still(&Default::default());
        let (inner, way) = match joint.kind {
            SpaceJoint::Revolute { .. } => (turn_about(axis, 0), nothing),
            SpaceJoint::Prismatic { .. } => (whole(), slid(axis, at.course(0))),
            SpaceJoint::Fixed => (whole(), nothing),
            SpaceJoint::Free => {
                let way = Arrow([0, 1, 2].map(|k| at.course(k)));
                (at.turning(3), way)
            }
            SpaceJoint::Spherical => (at.turning(0), nothing),
            SpaceJoint::Cylindrical { .. } => (turn_about(axis, 0), slid(axis, at.course(1))),
            SpaceJoint::Universal { second, .. } => {
                let second = turn_about(unit(second.0), 1);
                (frame::then(&turn_about(axis, 0), &second), nothing)
            }
            SpaceJoint::Screw { lead, .. } => {
                (turn_about(axis, 0), slid(axis, at.course(0) * lead))
            }
        };
        let point = parent.point(joint.parent_at.0) + turned(&base, way);
        let turn = frame::then(&base, &inner);
        let from_center = [0, 1, 2].map(|i| joint.child_at.0[i] + origin[i]);
        let center = point - turned(&turn, Arrow::fixed(from_center));
        let still = Frame {
            center,
            turn,
            origin,
            linear: [0.0; 3],
            angular: [0.0; 3],
        };
        still.moved(center.rate(), frame::omega(&turn))
    }

    /// How far its points are apart, to measure lengths by.
    pub fn reach(&self) -> f64 {
        let apart = minus(self.joint.parent_at.0, [0.0; 3]);
        norm(apart).max(norm(self.joint.child_at.0))
    }
}

/// Positions and rates of one joint.
pub struct Coordinates<'a> {
    pub q: &'a [f64],
    pub v: &'a [f64],
}

impl Coordinates<'_> {
    fn course(&self, k: usize) -> Course {
        Course {
            at: self.q[k],
            rate: self.v[k],
            bend: 0.0,
        }
    }

    /// The turn of the quaternion that begins at a place, by the last three rates.
    fn turning(&self, at: usize) -> Turn {
        let q = [self.q[at], self.q[at + 1], self.q[at + 2], self.q[at + 3]];
        let from = self.v.len() - 3;
        frame::turning(q, [self.v[from], self.v[from + 1], self.v[from + 2]])
    }
}
