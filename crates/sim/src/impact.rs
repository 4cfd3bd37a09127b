//! One impact of a mechanism, at the exact configuration.

use carom_contact::impact::planar::{PlanarImpact, PlanarSolution, solve};
use carom_contact::space::{ContactSpace, Mechanism, PlanarVector};
use carom_multibody::contact::ContactComponents;
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::{JointId, State};

use crate::{Rule, SimError};

/// An impact of a run, with the problem it solved.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactEvent {
    /// When (s).
    pub time: f64,
    /// Index of the contact.
    pub contact: usize,
    /// Positions.
    pub q: Vec<f64>,
    /// Rates before and after; after equals before when the impact has no end.
    pub v_pre: Vec<f64>,
    /// See `v_pre`.
    pub v_post: Vec<f64>,
    /// The problem in contact space, to be solved again.
    pub problem: PlanarImpact,
    /// Its solution: type, path, impulses, works, residuals.
    pub solution: PlanarSolution,
    /// Change of the kinetic energy of the mechanism (J), work of prescribed motions included.
    pub energy_change: f64,
    /// Work that prescribed motions did in the instant (J).
    pub motion_work: f64,
    /// Reaction impulse of every joint.
    pub joint_impulses: Vec<JointImpulse>,
}

/// Reaction impulse of a joint on its child, at the joint, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointImpulse {
    /// The joint.
    pub joint: JointId,
    /// Impulse, x and y (N·s).
    pub force: [f64; 2],
    /// Its moment about the joint (N·m·s).
    pub moment: f64,
}

/// Buffers of the impacts of a run.
#[derive(Debug, Default)]
pub(crate) struct Collider {
    space: ContactSpace,
    mass: Vec<f64>,
    rows: Vec<f64>,
}

impl Collider {
    /// Solves the impact of one contact at a state and applies it.
    pub(crate) fn strike(
        &mut self,
        mechanism: &mut PlaneMechanism,
        state: State<'_>,
        contact: usize,
        rule: &Rule,
    ) -> Result<ImpactEvent, SimError> {
        let refuse = |message: String| SimError::Impact {
            time: state.t,
            contact: rule.name.clone(),
            message,
        };
        let n = state.v.len();
        self.mass.resize(n * n, 0.0);
        self.rows.resize(2 * n, 0.0);
        self.rows.fill(0.0);
        let feature = mechanism.features()[contact].clone();
        let mut placed = mechanism.place(state);
        placed.mass(&mut self.mass);
        let touch = placed.touch(&feature);
        let (normal, tangent) = self.rows.split_at_mut(n);
        let drift = placed.contact_rows(&touch, normal, tangent);
        let at = Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: &self.rows,
            constraints: &[],
        };
        self.space.reduce(&at).map_err(|e| refuse(e.to_string()))?;
        let planar = self.space.planar(0, 1);
        let (w, v) = planar.map_err(|e| refuse(e.to_string()))?;
        let v = PlanarVector {
            n: v.n + drift.n,
            t: v.t + drift.t,
        };
        let problem = PlanarImpact::new(w, v, rule.friction, rule.restitution)
            .map_err(|e| refuse(e.to_string()))?;
        let solution = solve(&problem, rule.law).map_err(|e| refuse(e.to_string()))?;
        let p = solution
            .end
            .map_or([0.0; 2], |end| [end.impulse.n, end.impulse.t]);
        let mut jump = vec![0.0; n];
        self.space.apply(&p, &mut jump);
        let v_post = state.v.iter().zip(&jump).map(|(a, b)| a + b).collect();
        let forces = touch.forces(ContactComponents { n: p[0], t: p[1] });
        let joints = joint_ids(placed.model());
        let balance = placed.impulse_balance(&jump, &forces);
        let motion_work = balance.motion_work();
        let joint_impulses = joints.map(|joint| {
            let reaction = balance.reaction(joint);
            JointImpulse {
                joint,
                force: reaction.force.0,
                moment: reaction.moment,
            }
        });
        Ok(ImpactEvent {
            time: state.t,
            contact,
            q: state.q.to_vec(),
            v_pre: state.v.to_vec(),
            v_post,
            problem,
            solution,
            energy_change: solution.end.map_or(0.0, |end| end.energy_change) + motion_work,
            motion_work,
            joint_impulses: joint_impulses.collect(),
        })
    }
}

fn joint_ids(model: &carom_multibody::PlaneModel) -> impl Iterator<Item = JointId> + use<> {
    let names: Vec<JointId> = model
        .joints()
        .iter()
        .filter_map(|record| model.joint(&record.name))
        .collect();
    names.into_iter()
}
