//! How fast a distance between two bodies can change at most.

use crate::algebra::{Algebra, JointKind, Most};
use crate::model::{BodyId, Model, Node};
use crate::vector::Linear;

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

fn largest(range: (&[f64], &[f64]), at: usize) -> f64 {
    let (low, high) = range;
    low[at].abs().max(high[at].abs())
}

fn length<L: Linear>(r: L) -> f64 {
    r.dot(r).sqrt()
}

fn most<A: Algebra>(node: &Node<A>, bounds: &Bounds<'_>) -> Most {
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
    node.kind.most(q, v)
}

impl<A: Algebra> Model<A> {
    /// What the speed of points of a body, as seen from another, never exceeds within bounds (m/s);
    /// the points are within `reach` of the origin of the first body's frame.
    ///
    /// Every joint between the two adds at most its sliding speed, and its angular speed times the
    /// distance to the point; distances are at most the sums of the lengths between:
    ///
    /// ```text
    /// |u| ≤ Σ_joints |v_slide| + |ω| Σ lengths
    /// ```
    pub fn relative_speed(
        &self,
        body: BodyId,
        reach: f64,
        seen_from: BodyId,
        bounds: &Bounds<'_>,
    ) -> f64 {
        let (mut a, mut b, mut reach) = (body.0, seen_from.0, reach);
        let (mut speed, mut omega, mut arm) = (0.0, 0.0, 0.0); // ω of `seen_from`
        while a != b {
            let node = &self.nodes[a.max(b)];
            let most = most(node, bounds);
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
