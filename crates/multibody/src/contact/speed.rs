//! How fast a gap can change at most, whatever the mechanism does within given bounds.

use super::feature::Feature;
use crate::model::{Model, Node};
use crate::plane::{Plane, PlaneJoint};
use crate::vector::{Linear, Vector};

/// Bounds on time, positions and rates; each pair is least and greatest.
#[derive(Debug, Clone, Copy)]
pub struct Bounds<'a> {
    /// Time (s).
    pub t: (f64, f64),
    /// Free positions.
    pub q: (&'a [f64], &'a [f64]),
    /// Free rates.
    pub v: (&'a [f64], &'a [f64]),
}

/// Most that one joint can do.
struct Most {
    /// Distance that its coordinates add between its two points (m).
    slide: f64,
    /// Speed of its child's point (m/s).
    linear: f64,
    /// Angular speed (rad/s).
    angular: f64,
}

fn largest((low, high): (&[f64], &[f64]), at: usize) -> f64 {
    low[at].abs().max(high[at].abs())
}

fn length(r: Vector<2>) -> f64 {
    r.dot(r).sqrt()
}

impl Most {
    fn of(node: &Node<Plane>, bounds: &Bounds<'_>) -> Self {
        let q = |c: usize| match node.motion {
            None => largest(bounds.q, node.q_at + c),
            Some(m) => {
                let t = bounds.t.0.abs().max(bounds.t.1.abs());
                m.offset.abs() + m.rate.abs() * t + m.amplitude.abs()
            }
        };
        let v = |c: usize| match node.motion {
            None => largest(bounds.v, node.v_at + c),
            Some(m) => m.rate.abs() + (m.amplitude * m.frequency).abs(),
        };
        let (slide, linear, angular) = match node.kind {
            PlaneJoint::Revolute => (0.0, 0.0, v(0)),
            PlaneJoint::Prismatic { .. } => (q(0), v(0), 0.0),
            PlaneJoint::Fixed => (0.0, 0.0, 0.0),
            PlaneJoint::Free => (q(0) + q(1), v(0) + v(1), v(2)),
        };
        Self {
            slide,
            linear,
            angular,
        }
    }
}

impl Model<Plane> {
    /// What the rate of a gap never exceeds within bounds (m/s).
    ///
    /// A gap changes no faster than the probe's centre moves as seen from the target. Every joint
    /// between the two adds at most its sliding speed, and its angular speed times the distance to
    /// the centre; distances are at most the sums of the lengths between:
    ///
    /// ```text
    /// |ġ| ≤ Σ_joints |v_slide| + |ω| Σ lengths
    /// ```
    pub fn gap_speed(&self, feature: &Feature, bounds: &Bounds<'_>) -> f64 {
        let (mut a, mut b) = (feature.probe.body.0, feature.target_body.0);
        let (mut speed, mut reach) = (0.0, length(feature.probe.at));
        let (mut omega, mut arm) = (0.0, 0.0); // of the target, up to the common ancestor
        while a != b {
            let node = &self.nodes[a.max(b)];
            let most = Most::of(node, bounds);
            let below = length(node.child_at);
            let above = most.slide + length(node.base.origin);
            speed += most.linear;
            if a > b {
                speed += most.angular * (reach + below);
                reach += below + above;
                a = node.parent;
            } else {
                omega += most.angular;
                arm += below + above;
                b = node.parent;
            }
        }
        speed + omega * (reach + arm)
    }
}
