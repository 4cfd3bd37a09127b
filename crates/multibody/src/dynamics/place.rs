//! Kinematics: the mechanism at one state.

use super::workspace::{Found, Inert, Moving, Workspace};
use crate::algebra::{Algebra, InertiaMap, JointKind, Pose, RigidMap, Twist, Wrench};
use crate::model::{BodyId, JointId, Model, Node};
use crate::piece::Piece;

/// Time, free positions and free rates; and the pieces of surface that closed contacts keep to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State<'a> {
    /// Time (s).
    pub t: f64,
    /// Free positions.
    pub q: &'a [f64],
    /// Free rates.
    pub v: &'a [f64],
    /// The piece of surface that each contact keeps to; those beyond the end of the list are free.
    pub pieces: &'a [Option<Piece>],
}

impl<'a> State<'a> {
    /// A state whose contacts may be on any piece of their surfaces.
    #[inline]
    pub fn new(t: f64, q: &'a [f64], v: &'a [f64]) -> Self {
        Self {
            t,
            q,
            v,
            pieces: &[],
        }
    }

    /// The same with contacts that keep to pieces of their surfaces.
    #[inline]
    #[must_use]
    pub fn on(self, pieces: &'a [Option<Piece>]) -> Self {
        Self { pieces, ..self }
    }

    /// The piece that a contact keeps to.
    pub fn piece(&self, contact: usize) -> Option<Piece> {
        self.pieces.get(contact).copied().flatten()
    }
}

/// A mechanism at one state. All questions are asked here.
#[derive(Debug)]
pub struct Placed<'a, A: Algebra> {
    pub(crate) model: &'a Model<A>,
    pub(crate) work: &'a mut Workspace<A>,
}

impl<A: Algebra> Model<A> {
    /// Work arrays for this model.
    pub fn workspace(&self) -> Workspace<A> {
        Workspace::new(self)
    }

    /// Puts the mechanism at a state: poses, twists and forces along the joints.
    ///
    /// ```text
    /// V_i = V_p + S_i v_i
    /// A_i = A_p + S_i v̇_i + V_p × S_i v_i + Ṡ_i v_i        (A of the world: −gravity)
    /// F_i = I_i A_i + V_i ×* I_i V_i − loads
    /// ```
    ///
    /// The inertias and loads of the last line wait for the first question that needs them: a gap
    /// does not.
    ///
    /// # Panics
    ///
    /// When `q`, `v` or the workspace have not the sizes of this model.
    pub fn place<'a>(&'a self, work: &'a mut Workspace<A>, state: State<'_>) -> Placed<'a, A> {
        let State { t, q, v, .. } = state;
        assert_eq!(q.len(), self.positions, "q has one number per position");
        assert_eq!(v.len(), self.rates, "v has one number per rate");
        assert_eq!(
            (work.moving.len(), work.columns.len()),
            (self.nodes.len(), self.columns),
            "the workspace is one of this model"
        );
        work.found = Found::default();
        (work.t, work.is_weighed) = (t, false);
        work.moving[0].carried.linear = -self.gravity;
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            match node.motion {
                None => {
                    let q = &q[node.q_at..node.q_at + node.positions];
                    let v = &v[node.v_at..node.v_at + node.columns];
                    place_body(node, i, work, Coordinate { q, v, a: 0.0 });
                }
                Some(motion) => {
                    let [q, v, a] = motion.at(t);
                    let (q, v) = (&[q][..], &[v][..]);
                    place_body(node, i, work, Coordinate { q, v, a });
                }
            }
        }
        if !self.passives.is_empty() {
            self.apply_passives(work, &state);
        }
        Placed { model: self, work }
    }

    /// Forces of springs, dampers and drives along their coordinates.
    fn apply_passives(&self, work: &mut Workspace<A>, state: &State<'_>) {
        for node in self.nodes.iter().skip(1) {
            let Some(passive) = node.passive.map(|index| self.passives[index]) else {
                continue;
            };
            let q = match node.motion {
                None => state.q[node.q_at],
                Some(motion) => motion.at(state.t)[0],
            };
            let rate = work.rates[node.column];
            let mut force = -passive.damping * rate;
            work.found.damping += force * rate;
            if let Some(spring) = passive.spring {
                let stretch = q - spring.rest;
                force -= spring.stiffness * stretch;
                work.found.spring_energy += 0.5 * spring.stiffness * stretch * stretch;
            }
            if let Some(drive) = passive.drive {
                let push = drive.at(state.t);
                force += push;
                work.found.drives += push * rate;
            }
            work.passive[node.column] = force;
        }
    }

    fn apply_loads(&self, work: &mut Workspace<A>) {
        let t = work.t;
        for load in &self.loads {
            let body = &work.moving[load.body];
            let arm = A::rotate(body.pose.rotation, load.at);
            let mut wrench = Wrench::of_force(arm, load.force.at(t));
            wrench.moment = wrench.moment + load.torque.at(t);
            work.found.loads += wrench.power(body.twist);
            let inert = &mut work.inert[load.body];
            inert.force = inert.force.plus(wrench.times(-1.0));
        }
    }
}

/// Numbers of one joint; `a` is the prescribed acceleration, zero where the rate is free.
struct Coordinate<'a> {
    q: &'a [f64],
    v: &'a [f64],
    a: f64,
}

#[inline(always)]
fn place_body<A: Algebra>(
    node: &Node<A>,
    i: usize,
    work: &mut Workspace<A>,
    joint: Coordinate<'_>,
) {
    let parent = &work.moving[node.parent];
    // Seen from the parent's origin, so that only relative positions enter.
    let base = Pose {
        rotation: A::compose(parent.pose.rotation, node.base.rotation),
        origin: A::rotate(parent.pose.rotation, node.base.origin),
    };
    let Pose { rotation, origin } = node.kind.placement(&base, joint.q);
    let arm = A::rotate(rotation, -node.child_at);
    let r = origin + arm;
    let own = |twist: Twist<A>| twist.rotated(base.rotation).at(arm);
    let before = parent.twist.at(r);
    let carried = parent.carried.at(r);
    let origin = parent.pose.origin + r;
    let (relative, pushed) = joint_motion(node, work, &joint, own);
    let drift = before.cross(relative).plus(pushed);
    work.moving[i] = Moving {
        pose: Pose { rotation, origin },
        twist: before.plus(relative),
        r,
        arm,
        drift,
        carried: carried.plus(drift),
    };
}

/// Writes the columns of a joint; returns `S v` and `Ṡ v` with the prescribed acceleration.
///
/// `own` takes twists from the joint's axes and point to world axes and the body's origin.
#[inline(always)]
fn joint_motion<A: Algebra>(
    node: &Node<A>,
    work: &mut Workspace<A>,
    joint: &Coordinate<'_>,
    own: impl Fn(Twist<A>) -> Twist<A>,
) -> (Twist<A>, Twist<A>) {
    let turning = node.kind.drift(joint.q, joint.v);
    let (mut relative, mut pushed) = (Twist::default(), turning.map_or(Twist::default(), &own));
    for (c, rate) in joint.v.iter().enumerate() {
        let column = own(node.kind.column(joint.q, c));
        work.columns[node.column + c] = column;
        work.rates[node.column + c] = *rate;
        relative = relative.plus(column.times(*rate));
        pushed = pushed.plus(column.times(joint.a));
    }
    (relative, pushed)
}

/// Inertia of a body at its origin, world axes.
#[inline(always)]
pub(super) fn inertia<A: Algebra>(node: &Node<A>, moving: &Moving<A>) -> A::Inertia {
    let Pose { rotation, .. } = moving.pose;
    let center = Pose {
        rotation,
        origin: A::rotate(rotation, node.center),
    };
    A::Inertia::rigid(node.mass, node.inertia, center)
}

impl<A: Algebra> Placed<'_, A> {
    /// Inertias of the bodies and what acts on them, once per placing.
    #[inline]
    pub(super) fn weigh(&mut self) {
        let work = &mut *self.work;
        if work.is_weighed {
            return;
        }
        work.is_weighed = true;
        let bodies = self.model.nodes.iter().zip(&work.moving);
        for ((node, moving), inert) in bodies.zip(&mut work.inert).skip(1) {
            let inertia = inertia(node, moving);
            let force = moving.twist.cross_wrench(inertia.times(moving.twist));
            *inert = Inert { inertia, force };
        }
        if !self.model.loads.is_empty() {
            self.model.apply_loads(work);
        }
    }

    /// The model placed.
    pub fn model(&self) -> &Model<A> {
        self.model
    }

    /// Frame of a body in the world.
    pub fn pose(&self, body: BodyId) -> Pose<A> {
        self.work.moving[body.0].pose
    }

    /// Velocity of a body at the origin of its frame, world axes.
    pub fn twist(&self, body: BodyId) -> Twist<A> {
        self.work.moving[body.0].twist
    }

    /// Mass centre of a body, in the world (m).
    pub fn center(&self, body: BodyId) -> A::Vector {
        self.pose(body).point(self.model.nodes[body.0].center)
    }

    /// Velocity of the point of a body that is at `point` of the world (m/s).
    pub fn velocity(&self, body: BodyId, point: A::Vector) -> A::Vector {
        let moving = &self.work.moving[body.0];
        moving.twist.at(point - moving.pose.origin).linear
    }

    /// Axes of a joint in the world, with the joint on the child as origin.
    pub fn joint_frame(&self, joint: JointId) -> Pose<A> {
        let child = self.model.joints[joint.0].child.0;
        let node = &self.model.nodes[child];
        let parent = self.work.moving[node.parent].pose.rotation;
        let moving = &self.work.moving[child];
        Pose {
            rotation: A::compose(parent, node.base.rotation),
            origin: moving.pose.origin - moving.arm,
        }
    }

    /// Angular and classical acceleration of the point of a body that is at `point` of the world.
    ///
    /// The classical acceleration is the spatial one plus `ω × v` of the point.
    pub(crate) fn acceleration_from(
        &self,
        body: usize,
        spatial: Twist<A>,
        point: A::Vector,
    ) -> Twist<A> {
        let moving = &self.work.moving[body];
        let r = point - moving.pose.origin;
        let velocity = moving.twist.at(r);
        let here = spatial.at(r);
        Twist {
            angular: here.angular,
            linear: here.linear + self.model.gravity + A::turn(velocity.angular, velocity.linear),
        }
    }

    /// The same when the free rates do not change: `J̇ v` and the prescribed accelerations.
    pub fn acceleration_bias(&self, body: BodyId, point: A::Vector) -> Twist<A> {
        self.acceleration_from(body.0, self.work.moving[body.0].carried, point)
    }
}
