//! A plane mechanism that says nothing of how fast its gaps can change.

use carom_multibody::mechanism::{
    ContactDrift, ContactImpulse, Contacts, Derivative, Drawing, Dynamics, Gap, Group, GuardValue,
    Guards, JointForce, MassSolver, MotionFault, PlaneMechanism, Positions, Prescribed, Rows,
};
use carom_multibody::{Energy, Piece, Powers, State};

/// Every step of its motion is searched.
pub struct Unbounded(pub PlaneMechanism);

impl Dynamics for Unbounded {
    fn extent(&self) -> f64 {
        self.0.extent()
    }

    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        self.0.sizes(length, time, q, v);
    }

    fn rates(&self) -> usize {
        self.0.rates()
    }

    fn positions(&self) -> usize {
        self.0.positions()
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        self.0.mass(state, out);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        self.0.bias(state, out);
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        self.0.position_rate(state, out);
    }

    fn accelerations(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        self.0.accelerations(state, solver, out)
    }

    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        self.0.derivative(state, solver, out)
    }

    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        self.0.motion(state, solver, out)
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        self.0.energy(state)
    }

    fn does_work(&self) -> bool {
        self.0.does_work()
    }
}

impl Contacts for Unbounded {
    fn contacts(&self) -> usize {
        self.0.contacts()
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        self.0.gaps(state, out);
    }

    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        self.0.contact_rows(state, contact, rows)
    }

    fn gap_unit(&self, contact: usize) -> &'static str {
        self.0.gap_unit(contact)
    }

    fn has_tangent(&self, contact: usize) -> bool {
        self.0.has_tangent(contact)
    }

    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        self.0.owns_touch(state, contact)
    }

    fn prescribed(&mut self, state: State<'_>, contacts: &[usize]) -> Option<Prescribed> {
        self.0.prescribed(state, contacts)
    }

    fn piece_ahead(&mut self, state: State<'_>, contact: usize, soon: f64) -> Option<Piece> {
        self.0.piece_ahead(state, contact, soon)
    }

    fn piece_room(&mut self, state: State<'_>, contact: usize) -> Option<GuardValue> {
        self.0.piece_room(state, contact)
    }

    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        self.0.impulse_reactions(state, jump, impulses, out)
    }
}

impl Guards for Unbounded {}

impl Drawing for Unbounded {
    fn groups(&self) -> Vec<Group> {
        self.0.groups()
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        self.0.coordinates(state, out);
    }
}
