//! Inverse dynamics: the forces, or impulses, that go through the joints.

use super::energy::Powers;
use super::place::Placed;
use super::rows::PointForce;
use crate::algebra::{Algebra, InertiaMap, Twist, Wrench};
use crate::loops::PointWrench;
use crate::model::{BodyId, JointId, Model};

/// What a joint does to its child, at the joint, in world axes.
///
/// All that goes through the joint: spring, damper, drive and prescribed motion included. An ideal
/// revolute joint has no moment, an ideal prismatic one no force along its axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction<A: Algebra> {
    /// Force (N) or impulse (N·s) on the child.
    pub force: A::Vector,
    /// Its moment about the joint on the child (N·m or N·m·s).
    pub moment: A::Angular,
}

/// Forces in a mechanism whose accelerations are known.
#[derive(Debug)]
pub struct Balance<'a, A: Algebra> {
    placed: &'a Placed<'a, A>,
}

/// Impulses in a mechanism whose velocity jump is known.
#[derive(Debug)]
pub struct ImpulseBalance<'a, A: Algebra> {
    placed: &'a Placed<'a, A>,
}

impl<'a, A: Algebra> Placed<'a, A> {
    /// Inverse dynamics: all forces, given the accelerations of the free rates and the forces of
    /// contacts.
    ///
    /// # Panics
    ///
    /// When `acceleration` has not the length of the rates.
    pub fn balance<'b>(
        &'b mut self,
        acceleration: &[f64],
        contacts: &[PointForce<A>],
    ) -> Balance<'b, A>
    where
        'a: 'b,
    {
        self.balance_with(acceleration, contacts, &[])
    }

    /// The same with wrenches beside the forces, as closing joints exert them.
    ///
    /// # Panics
    ///
    /// When `acceleration` has not the length of the rates.
    pub fn balance_with<'b>(
        &'b mut self,
        acceleration: &[f64],
        contacts: &[PointForce<A>],
        wrenches: &[PointWrench<A>],
    ) -> Balance<'b, A>
    where
        'a: 'b,
    {
        self.accelerate(acceleration, true);
        self.sum_up(contacts, wrenches, true);
        Balance { placed: self }
    }

    /// All impulses, given the jump of the free rates and the impulses of contacts.
    ///
    /// Prescribed rates do not jump; springs, dampers, drives and loads have no impulse.
    ///
    /// # Panics
    ///
    /// When `jump` has not the length of the rates.
    pub fn impulse_balance<'b>(
        &'b mut self,
        jump: &[f64],
        contacts: &[PointForce<A>],
    ) -> ImpulseBalance<'b, A>
    where
        'a: 'b,
    {
        self.impulse_balance_with(jump, contacts, &[])
    }

    /// The same with impulsive wrenches beside the impulses, as closing joints exert them.
    ///
    /// # Panics
    ///
    /// When `jump` has not the length of the rates.
    pub fn impulse_balance_with<'b>(
        &'b mut self,
        jump: &[f64],
        contacts: &[PointForce<A>],
        wrenches: &[PointWrench<A>],
    ) -> ImpulseBalance<'b, A>
    where
        'a: 'b,
    {
        self.accelerate(jump, false);
        self.sum_up(contacts, wrenches, false);
        ImpulseBalance { placed: self }
    }

    /// Accelerations of the bodies, or their jumps, which have no drift.
    fn accelerate(&mut self, change: &[f64], with_drift: bool) {
        assert_eq!(change.len(), self.model.rates, "one change per rate");
        let work = &mut *self.work;
        work.accelerations[0] = match with_drift {
            true => work.moving[0].carried,
            false => Twist::default(),
        };
        for (i, node) in self.model.nodes.iter().enumerate().skip(1) {
            let moving = &work.moving[i];
            let mut acceleration = work.accelerations[node.parent].at(moving.r);
            if with_drift {
                acceleration = acceleration.plus(moving.drift);
            }
            if node.is_free() {
                for c in 0..node.columns {
                    let column = work.columns[node.column + c];
                    acceleration = acceleration.plus(column.times(change[node.v_at + c]));
                }
            }
            work.accelerations[i] = acceleration;
        }
    }

    /// What goes through each joint, from the leaves inwards.
    fn sum_up(
        &mut self,
        contacts: &[PointForce<A>],
        wrenches: &[PointWrench<A>],
        with_force: bool,
    ) {
        self.weigh();
        let work = &mut *self.work;
        work.wrenches[0] = Wrench::default();
        for i in 1..work.inert.len() {
            work.wrenches[i] = work.inert[i].inertia.times(work.accelerations[i]);
            if with_force {
                work.wrenches[i] = work.wrenches[i].plus(work.inert[i].force);
            }
        }
        for contact in contacts {
            let origin = work.moving[contact.body.0].pose.origin;
            let wrench = &mut work.wrenches[contact.body.0];
            *wrench = wrench.plus(contact.about(origin).times(-1.0));
        }
        for acting in wrenches {
            let origin = work.moving[acting.body.0].pose.origin;
            let wrench = &mut work.wrenches[acting.body.0];
            *wrench = wrench.plus(acting.about(origin).times(-1.0));
        }
        for (i, node) in self.model.nodes.iter().enumerate().skip(1).rev() {
            let handed_on = work.wrenches[i].about(work.moving[i].r);
            let parent = &mut work.wrenches[node.parent];
            *parent = parent.plus(handed_on);
        }
    }

    fn reaction(&self, joint: JointId) -> Reaction<A> {
        let child = self.model.joints[joint.0].child.0;
        let wrench = self.work.wrenches[child].about(self.work.moving[child].arm);
        Reaction {
            force: wrench.force,
            moment: wrench.moment,
        }
    }

    /// Generalised force along the prescribed coordinate of a joint.
    fn along_motion(&self, joint: JointId) -> Option<(usize, f64)> {
        let child = self.model.joints[joint.0].child.0;
        let node = &self.model.nodes[child];
        node.motion?;
        let column = self.work.columns[node.column];
        Some((node.column, self.work.wrenches[child].power(column)))
    }

    fn generalised(&self, out: &mut [f64], passive_share: f64) {
        assert_eq!(out.len(), self.model.rates, "one force per rate");
        for (i, node) in self.model.nodes.iter().enumerate().skip(1) {
            if !node.is_free() {
                continue;
            }
            for c in 0..node.columns {
                let along = self.work.wrenches[i].power(self.work.columns[node.column + c]);
                let passive = passive_share * self.work.passive[node.column + c];
                out[node.v_at + c] = along - passive;
            }
        }
    }
}

impl<A: Algebra> Balance<'_, A> {
    /// Force and moment on the child of a joint.
    pub fn reaction(&self, joint: JointId) -> Reaction<A> {
        self.placed.reaction(joint)
    }

    /// Angular and linear acceleration of the point of a body that is at `point` of the world.
    pub fn acceleration(&self, body: BodyId, point: A::Vector) -> Twist<A> {
        let spatial = self.placed.work.accelerations[body.0];
        self.placed.acceleration_from(body.0, spatial, point)
    }

    /// Force along a prescribed coordinate that makes it follow its motion, beyond the joint's
    /// spring, damper and drive (N or N·m); none where the coordinate is free.
    pub fn motion_force(&self, joint: JointId) -> Option<f64> {
        let (column, along) = self.placed.along_motion(joint)?;
        Some(along - self.placed.work.passive[column])
    }

    /// `M v̇ + h − Jᵀ f`: the force each free rate would need beyond what acts; zero in true motion.
    ///
    /// # Panics
    ///
    /// When `out` has not the length of the rates.
    pub fn missing_force(&self, out: &mut [f64]) {
        self.placed.generalised(out, 1.0);
    }

    /// Powers that change the energy; those of contacts are not among them.
    pub fn powers(&self) -> Powers {
        let (model, work) = (self.placed.model, &*self.placed.work);
        let prescribed = model.nodes.iter().filter(|node| !node.is_free());
        let motions = prescribed.filter_map(|node| {
            let force = self.motion_force(JointId(node.joint))?;
            Some(force * work.rates[node.column])
        });
        Powers {
            damping: work.found.damping,
            drives: work.found.drives,
            loads: work.found.loads,
            motions: motions.sum(),
        }
    }
}

impl<A: Algebra> ImpulseBalance<'_, A> {
    /// Impulse and its moment on the child of a joint.
    pub fn reaction(&self, joint: JointId) -> Reaction<A> {
        self.placed.reaction(joint)
    }

    /// Jump of the angular velocity, and of the velocity of the point of a body at `point` of the world.
    pub fn velocity_jump(&self, body: BodyId, point: A::Vector) -> Twist<A> {
        let (jumps, moving) = (&self.placed.work.accelerations, &self.placed.work.moving);
        jumps[body.0].at(point - moving[body.0].pose.origin)
    }

    /// Impulse along a prescribed coordinate that keeps its rate (N·s or N·m·s).
    pub fn motion_impulse(&self, joint: JointId) -> Option<f64> {
        Some(self.placed.along_motion(joint)?.1)
    }

    /// Work of the prescribed motions in the impact: their rates times their impulses (J).
    pub fn motion_work(&self) -> f64 {
        let model: &Model<A> = self.placed.model;
        let prescribed = model.nodes.iter().filter(|node| !node.is_free());
        let works = prescribed.filter_map(|node| {
            let impulse = self.motion_impulse(JointId(node.joint))?;
            Some(impulse * self.placed.work.rates[node.column])
        });
        works.sum()
    }

    /// `M Δv − Jᵀ p`: zero in a true impact.
    ///
    /// # Panics
    ///
    /// When `out` has not the length of the rates.
    pub fn missing_impulse(&self, out: &mut [f64]) {
        self.placed.generalised(out, 0.0);
    }
}
