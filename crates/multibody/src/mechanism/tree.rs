//! A model, in the plane or in space, as a mechanism.

mod contacts;
mod drawing;

use super::closed::Loops;
use super::limit::limits;
use super::setting::Setting;
use super::{
    Closure, Derivative, Dynamics, Guards, JointForce, JointLimit, MassSolver, MotionFault,
    Orientation,
};
use crate::dynamics::{Energy, Placed, PointForce, Powers, State, Workspace};
use crate::loops::{ClosingKind as _, ClosureRecord, ConstraintRows};
use crate::model::{JointId, Model};

/// A model with its work arrays and its contacts: pairs of shapes first, then the limits of its
/// joints.
#[derive(Debug, Clone)]
pub struct TreeMechanism<A: Setting> {
    pub(super) model: Model<A>,
    pub(super) work: Workspace<A>,
    pub(super) features: Vec<A::Feature>,
    pub(super) limits: Vec<JointLimit>,
    no_force: Vec<f64>,
    pub(super) forces: Vec<PointForce<A>>,
    pub(super) loops: Loops<A>,
    /// A row that is asked for by nobody.
    spare: Vec<f64>,
    pub(super) shortcut: A::Shortcut,
}

impl<A: Setting> TreeMechanism<A> {
    /// From a model and the contacts to watch, as `Model::features` gives them. The limits of its
    /// joints become contacts after these.
    pub fn new(model: Model<A>, features: Vec<A::Feature>) -> Self {
        Self {
            work: model.workspace(),
            limits: limits(&model),
            no_force: vec![0.0; model.rates()],
            forces: Vec::new(),
            loops: Loops::default(),
            spare: vec![0.0; model.rates()],
            shortcut: A::shortcut(&model),
            model,
            features,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model<A> {
        &self.model
    }

    /// The contacts between shapes.
    pub fn features(&self) -> &[A::Feature] {
        &self.features
    }

    /// The contacts at the stops of joints; the first has the index `features().len()`.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// The mechanism at a state, for questions beyond [`Mechanism`](super::Mechanism).
    pub fn place(&mut self, state: State<'_>) -> Placed<'_, A> {
        self.model.place(&mut self.work, state)
    }

    /// Rates of change of a state, its bodies placed.
    #[inline(never)]
    fn derivative_placed(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        self.model.position_rate(state.q, state.v, out.q);
        self.accelerations(state, solver, out.v)
    }
}

impl<A: Setting> AsRef<[JointLimit]> for TreeMechanism<A> {
    fn as_ref(&self) -> &[JointLimit] {
        &self.limits
    }
}

impl<A: Setting> Dynamics for TreeMechanism<A> {
    fn rates(&self) -> usize {
        self.model.rates()
    }

    fn positions(&self) -> usize {
        self.model.positions()
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        self.model.position_rate(state.q, state.v, out);
    }

    fn normalise(&mut self, q: &mut [f64]) {
        self.model.normalise(q);
    }

    fn orientations(&self) -> Vec<Orientation> {
        if !self.model.closures().is_empty() {
            return Vec::new();
        }
        let is_round = |body| {
            let mut features = self.features.iter();
            self.model.is_round(body) && features.all(|of| A::is_round(of, body))
        };
        let round = self
            .model
            .quaternions()
            .filter(|(body, ..)| is_round(*body));
        round
            .map(|(_, position, rate)| Orientation { position, rate })
            .collect()
    }

    fn extent(&self) -> f64 {
        self.model.extent()
    }

    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        self.model.sizes(length, time, q, v);
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).mass(out);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).bias(out);
    }

    fn accelerations(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let mut placed = self.model.place(&mut self.work, state);
        if !self.model.closures().is_empty() {
            return placed.closed_accelerations(&mut solver.closed, &self.no_force, out);
        }
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)
    }

    #[inline]
    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        mut out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        if A::take_shortcut(&self.shortcut, &state, &self.no_force, &mut out) {
            return Ok(());
        }
        self.derivative_placed(state, solver, out)
    }

    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        if !self.model.closures().is_empty() {
            self.accelerations(state, solver, out)?;
            return Ok(self.powers(state, out));
        }
        let mut placed = self.model.place(&mut self.work, state);
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)?;
        Ok(placed.balance(out, &[]).powers())
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        Some(self.place(state).energy())
    }

    fn does_work(&self) -> bool {
        self.model.does_work()
    }

    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        self.balanced(state, acceleration, |_, balance| balance.powers())
    }

    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        out.clear();
        self.balanced(state, acceleration, |model, balance| {
            let joints = (0..model.joints().len()).map(JointId);
            out.extend(joints.map(|joint| A::joint_force(balance.reaction(joint))));
        });
        if !self.model.closures().is_empty() {
            let mut placed = self.model.place(&mut self.work, state);
            self.loops.add_reactions(&mut placed, out);
        }
    }

    fn constraints(&self) -> usize {
        self.model.constraints()
    }

    fn closures(&self) -> Vec<Closure> {
        let unit = |is_angle: bool| if is_angle { "rad" } else { "m" };
        let closure = |record: &ClosureRecord<A>| Closure {
            name: record.name.clone(),
            units: (0..record.rows.len())
                .map(|k| unit(record.joint.kind.is_angle(k)))
                .collect(),
        };
        self.model.closures().iter().map(closure).collect()
    }

    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        self.place(state).closures(out);
    }
}

impl<A: Setting> Guards for TreeMechanism<A> {}
