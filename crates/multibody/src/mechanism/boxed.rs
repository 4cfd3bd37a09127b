//! A mechanism behind a pointer: what runs it is compiled once for all of them.
//!
//! Every question is handed on, also those that have a default; a test of the house compares the names.

use super::{
    Closure, ContactDrift, ContactImpulse, ContactPlace, Contacts, Crossing, Derivative, Dimension,
    Drawing, Dynamics, FrameDrift, FrameImpulse, FrameRows, Gap, Group, GuardValue, Guards,
    JointForce, MassSolver, MotionFault, Orientation, PivotDrift, Positions, Prescribed, Reset,
    Rows,
};
use crate::contact::Bounds;
use crate::dynamics::{Energy, Powers, State};
use crate::loops::ConstraintRows;
use crate::piece::Piece;
use crate::scene::Scene;

impl<M: Dynamics + ?Sized> Dynamics for Box<M> {
    fn rates(&self) -> usize {
        (**self).rates()
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        (**self).mass(state, out)
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        (**self).bias(state, out)
    }

    fn positions(&self) -> usize {
        (**self).positions()
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        (**self).position_rate(state, out)
    }

    fn extent(&self) -> f64 {
        (**self).extent()
    }

    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        (**self).sizes(length, time, q, v)
    }

    fn normalise(&mut self, q: &mut [f64]) {
        (**self).normalise(q)
    }

    fn orientations(&self) -> Vec<Orientation> {
        (**self).orientations()
    }

    fn accelerations(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        (**self).accelerations(state, solver, out)
    }

    fn constraints(&self) -> usize {
        (**self).constraints()
    }

    fn closures(&self) -> Vec<Closure> {
        (**self).closures()
    }

    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        (**self).constraint_rows(state, out)
    }

    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        (**self).derivative(state, solver, out)
    }

    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        (**self).motion(state, solver, out)
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        (**self).energy(state)
    }

    fn does_work(&self) -> bool {
        (**self).does_work()
    }

    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        (**self).powers(state, acceleration)
    }

    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        (**self).reactions(state, acceleration, out)
    }
}

impl<M: Contacts + ?Sized> Contacts for Box<M> {
    fn contacts(&self) -> usize {
        (**self).contacts()
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        (**self).gaps(state, out)
    }

    fn gaps_of(&mut self, state: State<'_>, contacts: &[usize], out: &mut [Gap]) {
        (**self).gaps_of(state, contacts, out)
    }

    fn gap_speeds(&mut self, bounds: &Bounds<'_>, out: &mut [f64]) {
        (**self).gap_speeds(bounds, out)
    }

    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        (**self).contact_rows(state, contact, rows)
    }

    fn contact_frame_rows(
        &mut self,
        state: State<'_>,
        contact: usize,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        (**self).contact_frame_rows(state, contact, rows)
    }

    fn has_pivot(&self, contact: usize) -> bool {
        (**self).has_pivot(contact)
    }

    fn pivot_row(&mut self, state: State<'_>, contact: usize, row: &mut [f64]) -> PivotDrift {
        (**self).pivot_row(state, contact, row)
    }

    fn prescribed(&mut self, state: State<'_>, contacts: &[usize]) -> Option<Prescribed> {
        (**self).prescribed(state, contacts)
    }

    fn has_tangent(&self, contact: usize) -> bool {
        (**self).has_tangent(contact)
    }

    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        (**self).contact_place(state, contact)
    }

    fn gap_unit(&self, contact: usize) -> &'static str {
        (**self).gap_unit(contact)
    }

    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        (**self).owns_touch(state, contact)
    }

    fn piece_ahead(&mut self, state: State<'_>, contact: usize, soon: f64) -> Option<Piece> {
        (**self).piece_ahead(state, contact, soon)
    }

    fn piece_room(&mut self, state: State<'_>, contact: usize) -> Option<GuardValue> {
        (**self).piece_room(state, contact)
    }

    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        (**self).impulse_reactions(state, jump, impulses, out)
    }

    fn frame_impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[FrameImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        (**self).frame_impulse_reactions(state, jump, impulses, out)
    }

    fn dimension(&self) -> Dimension {
        (**self).dimension()
    }
}

impl<M: Guards + ?Sized> Guards for Box<M> {
    fn guards(&self) -> usize {
        (**self).guards()
    }

    fn guard_name(&self, guard: usize) -> String {
        (**self).guard_name(guard)
    }

    fn guard_crossing(&self, guard: usize) -> Crossing {
        (**self).guard_crossing(guard)
    }

    fn guard_values(&mut self, state: State<'_>, acceleration: &[f64], out: &mut [GuardValue]) {
        (**self).guard_values(state, acceleration, out)
    }

    fn is_switched_on(&mut self, state: State<'_>, guard: usize) -> bool {
        (**self).is_switched_on(state, guard)
    }

    fn reset(&mut self, guard: usize, t: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        (**self).reset(guard, t, q, v)
    }
}

impl<M: Drawing + ?Sized> Drawing for Box<M> {
    fn groups(&self) -> Vec<Group> {
        (**self).groups()
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        (**self).coordinates(state, out)
    }

    fn scene(&self) -> Option<Scene> {
        (**self).scene()
    }

    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        (**self).poses(state, out)
    }
}
