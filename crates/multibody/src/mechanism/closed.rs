//! Reactions of a mechanism whose loops are closed by joints.

use super::setting::Setting;
use super::{FrameImpulse, JointForce, TreeMechanism};
use crate::dynamics::{Balance, Placed, PointForce, State};
use crate::loops::{ClosureId, ConstraintRows, ConstraintSolver, PointWrench};
use crate::model::{JointId, Model};

/// Work arrays of a mechanism with loops.
#[derive(Debug, Clone)]
pub(super) struct Loops<A: Setting> {
    solver: ConstraintSolver,
    wrenches: Vec<PointWrench<A>>,
    missing: Vec<f64>,
    null_space: Vec<f64>,
    spare: Vec<JointForce>,
}

impl<A: Setting> Default for Loops<A> {
    fn default() -> Self {
        Self {
            solver: ConstraintSolver::default(),
            wrenches: Vec::new(),
            missing: Vec::new(),
            null_space: Vec::new(),
            spare: Vec::new(),
        }
    }
}

/// What changes the motion in an instant, or through time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    /// Accelerations, with all that acts.
    Motion(&'a [f64]),
    /// Jumps of the rates, with impulses alone.
    Jump(&'a [f64]),
}

/// What contacts do to bodies: forces, and moments along normals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pushes<'a, A: Setting> {
    forces: &'a [PointForce<A>],
    couples: &'a [PointWrench<A>],
}

impl<A: Setting> Default for Pushes<'_, A> {
    fn default() -> Self {
        Self {
            forces: &[],
            couples: &[],
        }
    }
}

impl<A: Setting> TreeMechanism<A> {
    /// Impulses through the joints; returns the work of prescribed motions (J).
    pub(super) fn read_impulses(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: impl Iterator<Item = FrameImpulse>,
        out: &mut Vec<JointForce>,
    ) -> f64 {
        out.clear();
        let mut placed = self.model.place(&mut self.work, state);
        self.forces.clear();
        let (mut stops, mut couples) = (Vec::new(), Vec::new());
        for acting in impulses {
            match self.features.get(acting.contact) {
                Some(feature) => {
                    let touch = A::touch(&placed, feature, state.piece(acting.contact));
                    self.forces.extend(A::forces(&touch, acting.impulse));
                    couples.extend(A::couple(&touch, acting.spin).into_iter().flatten());
                }
                None => stops.push(acting),
            }
        }
        let first = self.features.len();
        let stops = stops.iter().filter_map(|acting| {
            let limit = self.limits.get(acting.contact.checked_sub(first)?)?;
            Some((limit.rate, limit.sense() * acting.impulse.n))
        });
        let joints = self.model.joints().len();
        let wrenches = match self.model.closures().is_empty() {
            true => &couples[..],
            false => {
                let pushes = Pushes {
                    forces: &self.forces,
                    couples: &couples,
                };
                self.loops
                    .find(&mut placed, Change::Jump(jump), pushes, stops)
            }
        };
        let balance = placed.impulse_balance_with(jump, &self.forces, wrenches);
        out.extend((0..joints).map(|k| A::joint_force(balance.reaction(JointId(k)))));
        let work = balance.motion_work();
        if !self.model.closures().is_empty() {
            self.loops.add_reactions(&mut placed, out);
        }
        work
    }

    /// The balance of a motion, the forces of closing joints included, read and then left.
    pub(super) fn balanced<T>(
        &mut self,
        state: State<'_>,
        acceleration: &[f64],
        read: impl FnOnce(&Model<A>, &Balance<'_, A>) -> T,
    ) -> T {
        let mut placed = self.model.place(&mut self.work, state);
        let wrenches = match self.model.closures().is_empty() {
            true => &[][..],
            false => {
                let (change, pushes) = (Change::Motion(acceleration), Pushes::default());
                self.loops.find(&mut placed, change, pushes, [])
            }
        };
        read(
            &self.model,
            &placed.balance_with(acceleration, &[], wrenches),
        )
    }

    /// Rate of every constraint per unit of each prescribed rate, row by row.
    pub(super) fn constraints_moved_by(
        &mut self,
        state: State<'_>,
        joints: &[JointId],
    ) -> Vec<f64> {
        let mut all = vec![0.0; self.model.constraints() * joints.len()];
        let mut rows = ConstraintRows::default();
        let mut placed = self.model.place(&mut self.work, state);
        for (k, joint) in joints.iter().enumerate() {
            placed.move_alone(*joint);
            placed.closures(&mut rows);
            for (i, drift) in rows.drift.iter().enumerate() {
                all[i * joints.len() + k] = *drift;
            }
        }
        all
    }
}

impl<A: Setting> Loops<A> {
    /// The wrenches of the closing joints that a change of the rates needs, given what contacts do and the
    /// generalised forces of what else acts; the couples of contacts follow them.
    pub(super) fn find(
        &mut self,
        placed: &mut Placed<'_, A>,
        change: Change<'_>,
        contacts: Pushes<'_, A>,
        acting: impl IntoIterator<Item = (usize, f64)>,
    ) -> &[PointWrench<A>] {
        let n = placed.model().rates();
        placed.mass(self.solver.matrix(n));
        placed.closures(self.solver.rows_mut());
        if self.solver.factor().is_err() {
            self.solver.give_up();
        }
        self.missing.resize(n, 0.0);
        match change {
            Change::Motion(a) => {
                let balance = placed.balance_with(a, contacts.forces, contacts.couples);
                balance.missing_force(&mut self.missing);
            }
            Change::Jump(v) => {
                let balance = placed.impulse_balance_with(v, contacts.forces, contacts.couples);
                balance.missing_impulse(&mut self.missing);
            }
        }
        for (rate, force) in acting {
            self.missing[rate] -= force;
        }
        self.solver.share(&self.missing);
        placed.closure_wrenches(self.solver.multipliers(), &mut self.wrenches);
        self.wrenches.extend_from_slice(contacts.couples);
        &self.wrenches
    }

    /// Adds what the closing joints do to their children, and marks what is not unique of all joints
    /// in `out`, where those of the tree stand already.
    pub(super) fn add_reactions(&mut self, placed: &mut Placed<'_, A>, out: &mut Vec<JointForce>) {
        let from = out.len();
        self.read(placed, self.solver.multipliers(), out);
        debug_assert_eq!(out.len(), from + placed.model().closures().len());
        let mut null_space = std::mem::take(&mut self.null_space);
        self.solver.null_space(&mut null_space);
        let m = placed.model().constraints();
        for direction in null_space.chunks_exact(m.max(1)) {
            self.mark(placed, direction, out);
        }
        self.null_space = null_space;
    }

    fn read(&self, placed: &Placed<'_, A>, multipliers: &[f64], out: &mut Vec<JointForce>) {
        let closures = placed.model().closures().len();
        let reaction = |k: usize| placed.closure_reaction(ClosureId(k), multipliers);
        out.extend((0..closures).map(|k| A::joint_force(reaction(k))));
    }

    /// Marks the components that change with the multipliers along a direction that moves nothing.
    fn mark(&mut self, placed: &mut Placed<'_, A>, direction: &[f64], out: &mut [JointForce]) {
        placed.closure_wrenches(direction, &mut self.wrenches);
        let still = vec![0.0; placed.model().rates()];
        let mut changes = std::mem::take(&mut self.spare);
        changes.clear();
        let joints = placed.model().joints().len();
        let balance = placed.impulse_balance_with(&still, &[], &self.wrenches);
        changes.extend((0..joints).map(|k| A::joint_force(balance.reaction(JointId(k)))));
        self.read(placed, direction, &mut changes);
        let arm = placed.model().length();
        let parts = |force: &JointForce| {
            let moments = force.moment.map(|moment| moment / arm);
            force.force.into_iter().chain(moments)
        };
        let largest = changes.iter().flat_map(parts);
        let largest = largest.fold(0.0, |most: f64, x| most.max(x.abs()));
        for (force, change) in out.iter_mut().zip(&changes) {
            for (unique, x) in force.unique.iter_mut().zip(parts(change)) {
                *unique &= x.abs() <= ConstraintSolver::UNIQUE_TOLERANCE * largest;
            }
        }
        self.spare = changes;
    }
}
