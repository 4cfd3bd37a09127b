//! Constraint rows of the closing joints of a placed mechanism.

use super::kind::ClosingKind;
use super::{ClosureId, ClosureRecord, ConstraintSolver};
use crate::algebra::{Algebra, Pose, Twist, Wrench};
use crate::dynamics::{Placed, Reaction};
use crate::mechanism::MotionFault;
use crate::model::{BodyId, Model};
use crate::vector::Linear;

/// An element of a row below this part of what it could be is round-off of zero: a motion that the
/// joint does not forbid, not one that it forbids weakly.
const NO_PART: f64 = 256.0 * f64::EPSILON;

/// Bilateral constraints of a mechanism at a state, m of them on n rates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstraintRows {
    /// G, row by row: `ġ = G v + drift`.
    pub rows: Vec<f64>,
    /// g: by how much each constraint is broken (m or rad).
    pub value: Vec<f64>,
    /// What prescribed motions add to `G v` (m/s or rad/s).
    pub drift: Vec<f64>,
    /// `g̈ − G v̇`: `Ġ v` and what prescribed motions add (m/s² or rad/s²).
    pub bias: Vec<f64>,
    /// What each constraint is measured by: a length of the mechanism (m), or 1 (rad). Those that are
    /// not given are 1.
    pub sizes: Vec<f64>,
    /// Size of what each residual is a difference of (m or rad), which tells its round-off; those that
    /// are not given are zero.
    pub terms: Vec<f64>,
}

impl ConstraintRows {
    /// Makes room for m constraints on n rates, all zero.
    pub fn reset(&mut self, m: usize, n: usize) {
        for (numbers, count) in [
            (&mut self.rows, m * n),
            (&mut self.value, m),
            (&mut self.drift, m),
            (&mut self.bias, m),
        ] {
            numbers.clear();
            numbers.resize(count, 0.0);
        }
        self.sizes.clear();
        self.sizes.resize(m, 1.0);
        self.terms.clear();
        self.terms.resize(m, 0.0);
    }

    /// What constraint `k` is measured by.
    pub fn size(&self, k: usize) -> f64 {
        self.sizes.get(k).copied().unwrap_or(1.0)
    }

    /// Count of constraints.
    pub fn count(&self) -> usize {
        self.value.len()
    }

    /// Rate ġ of constraint `k`.
    pub fn rate(&self, k: usize, v: &[f64]) -> f64 {
        let n = v.len();
        carom_numeric::dot(&self.rows[k * n..(k + 1) * n], v) + self.drift[k]
    }
}

/// A force with a moment, or their impulses, on a body at a point of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointWrench<A: Algebra> {
    /// The body; a wrench on the world changes nothing.
    pub body: BodyId,
    /// Where the force acts, world axes (m).
    pub point: A::Vector,
    /// Force and its moment about the point, world axes.
    pub wrench: Wrench<A>,
}

impl<A: Algebra> PointWrench<A> {
    pub(crate) fn about(&self, origin: A::Vector) -> Wrench<A> {
        self.wrench.about(self.point - origin)
    }
}

/// The two frames of a closing joint, placed.
struct Closing<A: Algebra> {
    /// The parent's joint axes in the world.
    axes: A::Rotation,
    /// The child's joint frame as seen from the parent's.
    relative: Pose<A>,
    /// The child's joint point in the world.
    point: A::Vector,
    /// Motion of the child as seen from the parent, at that point, world axes.
    motion: Twist<A>,
    omega: A::Angular,
    /// How far both joint points are from the origin of the world (m).
    far: f64,
}

impl<A: Algebra> Model<A> {
    /// The closing joints, in the order in which they were given.
    pub fn closures(&self) -> &[ClosureRecord<A>] {
        &self.closures
    }

    /// The closing joint of a name.
    pub fn closure(&self, name: &str) -> Option<ClosureId> {
        let index = self
            .closures
            .iter()
            .position(|record| record.name == name)?;
        Some(ClosureId(index))
    }

    /// Count of constraints of all closing joints.
    pub fn constraints(&self) -> usize {
        self.closures.last().map_or(0, |record| record.rows.end)
    }
}

impl<A: Algebra> Placed<'_, A> {
    /// Residuals, rows, drift and bias of all closing joints.
    pub fn closures(&self, out: &mut ConstraintRows) {
        let (n, length) = (self.model.rates, self.model.length());
        out.reset(self.model.constraints(), n);
        for record in &self.model.closures {
            let closing = self.closing(record);
            let pulled = self.pulled(record, &closing);
            for (k, at) in record.rows.clone().enumerate() {
                let forbidden = record.joint.kind.forbidden(&closing.relative, k);
                let wrench = turned(closing.axes, forbidden.wrench);
                let row = &mut out.rows[at * n..(at + 1) * n];
                out.value[at] = forbidden.value;
                (out.sizes[at], out.terms[at]) = match record.joint.kind.is_angle(k) {
                    true => (1.0, 1.0),
                    false => (length, length + closing.far),
                };
                out.drift[at] = self.add_wrench_row(record, closing.point, wrench, row);
                let omega = A::Joint::undo_angular(closing.axes, closing.motion.angular);
                let bend = record.joint.kind.bend(&closing.relative, k, omega);
                let turning = A::precess(closing.omega, wrench.moment).dot(closing.motion.angular);
                out.bias[at] = wrench.power(pulled) + turning + bend;
            }
        }
    }

    /// Accelerations `v̇` of `M v̇ + h = force + Gᵀ λ` with all loops closed, `G v̇ + bias = 0`; the
    /// multipliers stay in the solver.
    ///
    /// # Panics
    ///
    /// When `force` or `out` have not the length of the rates.
    pub fn closed_accelerations(
        &mut self,
        solver: &mut ConstraintSolver,
        force: &[f64],
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        assert_eq!(force.len(), self.model.rates, "one force per rate");
        self.mass(solver.matrix(self.model.rates));
        self.closures(solver.rows_mut());
        solver.factor().map_err(MotionFault::Mass)?;
        self.bias(out);
        for (h, f) in out.iter_mut().zip(force) {
            *h -= f;
        }
        solver.accelerate(out);
        Ok(())
    }

    fn closing(&self, record: &ClosureRecord<A>) -> Closing<A> {
        let (parent, child) = (self.pose(record.parent), self.pose(record.child));
        let joint = &record.joint;
        let base = parent.then(&Pose {
            rotation: joint.parent_rotation,
            origin: joint.parent_at,
        });
        let own = Pose {
            rotation: child.rotation,
            origin: child.point(joint.child_at),
        };
        let at_point = |body: BodyId| {
            let origin = self.pose(body).origin;
            self.twist(body).at(own.origin - origin)
        };
        let (child, parent) = (at_point(record.child), at_point(record.parent));
        Closing {
            axes: base.rotation,
            relative: A::Joint::relative(&base, &own),
            point: own.origin,
            motion: child.plus(parent.times(-1.0)),
            omega: parent.angular,
            far: size(own.origin) + size(base.origin),
        }
    }

    /// Acceleration of the child as seen from the parent when the free rates do not change: angular,
    /// and `a_c − a_p − 2 ω_p × u` of the point.
    fn pulled(&self, record: &ClosureRecord<A>, closing: &Closing<A>) -> Twist<A> {
        let child = self.acceleration_bias(record.child, closing.point);
        let parent = self.acceleration_bias(record.parent, closing.point);
        let apart = child.plus(parent.times(-1.0));
        let coriolis = A::turn(closing.omega, closing.motion.linear) * 2.0;
        Twist {
            angular: apart.angular,
            linear: apart.linear - coriolis,
        }
    }

    /// Adds to `row` the power of a wrench on the child of a closing joint, and of its opposite on the
    /// parent, per unit of each rate; what prescribed motions add is returned.
    fn add_wrench_row(
        &self,
        record: &ClosureRecord<A>,
        point: A::Vector,
        wrench: Wrench<A>,
        row: &mut [f64],
    ) -> f64 {
        let base = self.common_base(record.parent, record.child);
        let (nodes, work) = (&self.model.nodes, &*self.work);
        let mut drift = 0.0;
        for (body, sense) in [(record.child, 1.0), (record.parent, -1.0)] {
            let mut i = body.0;
            while i != base.0 {
                let node = &nodes[i];
                let r = point - work.moving[i].pose.origin;
                for c in 0..node.columns {
                    let column = work.columns[node.column + c];
                    let along = sense * wrench.power(column.at(r));
                    let far = size(point) + size(work.moving[i].pose.origin);
                    if along.abs() <= NO_PART * most(wrench, column, far) {
                        continue;
                    }
                    match node.motion {
                        None => row[node.v_at + c] += along,
                        Some(_) => drift += along * work.rates[node.column + c],
                    }
                }
                i = node.parent;
            }
        }
        drift
    }

    /// What a closing joint does to its child, at the joint, in world axes, given the multipliers of
    /// all constraints.
    ///
    /// # Panics
    ///
    /// When there is not one multiplier per constraint.
    pub fn closure_reaction(&self, closure: ClosureId, multipliers: &[f64]) -> Reaction<A> {
        let record = &self.model.closures[closure.0];
        let wrench = self.closure_wrench(record, multipliers).wrench;
        Reaction {
            force: wrench.force,
            moment: wrench.moment,
        }
    }

    fn closure_wrench(&self, record: &ClosureRecord<A>, multipliers: &[f64]) -> PointWrench<A> {
        assert_eq!(
            multipliers.len(),
            self.model.constraints(),
            "one multiplier per constraint"
        );
        let closing = self.closing(record);
        let mut sum = Wrench::default();
        for (k, at) in record.rows.clone().enumerate() {
            let forbidden = record.joint.kind.forbidden(&closing.relative, k);
            sum = sum.plus(forbidden.wrench.times(multipliers[at]));
        }
        PointWrench {
            body: record.child,
            point: closing.point,
            wrench: turned(closing.axes, sum),
        }
    }

    /// What all closing joints do to the bodies, given the multipliers of all constraints.
    ///
    /// # Panics
    ///
    /// When there is not one multiplier per constraint.
    pub fn closure_wrenches(&self, multipliers: &[f64], out: &mut Vec<PointWrench<A>>) {
        out.clear();
        for record in &self.model.closures {
            let on_child = self.closure_wrench(record, multipliers);
            out.push(on_child);
            out.push(PointWrench {
                body: record.parent,
                wrench: on_child.wrench.times(-1.0),
                ..on_child
            });
        }
    }
}

fn size<L: Linear>(x: L) -> f64 {
    x.dot(x).sqrt()
}

/// Most that the power of a wrench in a motion can be, its point as far away as `far`.
fn most<A: Algebra>(wrench: Wrench<A>, motion: Twist<A>, far: f64) -> f64 {
    let angular = size(motion.angular);
    size(wrench.moment) * angular + size(wrench.force) * (size(motion.linear) + angular * far)
}

/// A wrench of the turned frame, in the outer axes.
fn turned<A: Algebra>(rotation: A::Rotation, wrench: Wrench<A>) -> Wrench<A> {
    Wrench {
        moment: A::rotate_angular(rotation, wrench.moment),
        force: A::rotate(rotation, wrench.force),
    }
}
