//! What contacts ask of a mechanism.

use super::{
    ContactDrift, ContactImpulse, ContactPlace, Dimension, Dynamics, FrameDrift, FrameImpulse,
    FrameRows, Gap, GuardValue, JointForce, PivotDrift, Prescribed, Rows,
};
use crate::contact::Bounds;
use crate::dynamics::State;
use crate::piece::Piece;

/// Where a mechanism may touch: gaps, Jacobian rows, pieces of surface, impulses through its joints.
///
/// A system without contacts writes `impl Contacts for Mine {}`; one with contacts gives their count, gaps and rows.
pub trait Contacts: Dynamics {
    /// Count of contacts.
    fn contacts(&self) -> usize {
        0
    }

    /// Gap of every contact and its rate.
    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        let _ = (state, out);
    }

    /// The same of some contacts, at their places; the others need not be written.
    fn gaps_of(&mut self, state: State<'_>, contacts: &[usize], out: &mut [Gap]) {
        let _ = contacts;
        self.gaps(state, out);
    }

    /// For every contact, what the rate of its gap never exceeds within bounds; entries left as they
    /// are, infinite, say nothing.
    ///
    /// A gap further from zero than it can travel needs no look inside a step. The bound must hold:
    /// with one that is too small, contacts are missed.
    fn gap_speeds(&mut self, bounds: &Bounds<'_>, out: &mut [f64]) {
        let _ = (bounds, out);
    }

    /// Rows of one contact, and what adds to `J v` and `J v̇`. The rows come in filled with zeros.
    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        let _ = (state, contact, rows);
        ContactDrift::default()
    }

    /// Rows of one contact along n, t1 and t2, as [`Contacts::contact_rows`] gives those along n and
    /// t1. The rows come in filled with zeros; by default there is no second tangent.
    fn contact_frame_rows(
        &mut self,
        state: State<'_>,
        contact: usize,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        let [tangent, _] = rows.tangents;
        let normal = rows.normal;
        self.contact_rows(state, contact, Rows { normal, tangent })
            .into()
    }

    /// Whether the rate at which a contact pivots about its normal is known; by default it is not, and nothing
    /// resists it.
    fn has_pivot(&self, contact: usize) -> bool {
        let _ = contact;
        false
    }

    /// Row of the rate at which a contact pivots about its normal, `ω_n = n·(ω_A − ω_B)`, and what adds to `J v`
    /// and `J v̇`. The row comes in filled with zeros.
    fn pivot_row(&mut self, state: State<'_>, contact: usize, row: &mut [f64]) -> PivotDrift {
        let _ = (state, contact, row);
        PivotDrift::default()
    }

    /// The prescribed motions at a state, and what they do to the contacts asked for; by default none
    /// are known, and the drifts of the contacts are all that is seen of them.
    fn prescribed(&mut self, state: State<'_>, contacts: &[usize]) -> Option<Prescribed> {
        let _ = (state, contacts);
        None
    }

    /// Whether a contact has a tangent. One without is frictionless.
    fn has_tangent(&self, contact: usize) -> bool {
        let _ = contact;
        true
    }

    /// Where a contact is and how it is turned; nothing by default, and at a stop of a joint.
    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        let _ = (state, contact);
        None
    }

    /// The unit of a gap: `m`, or `rad` at a stop of an angle.
    fn gap_unit(&self, contact: usize) -> &'static str {
        let _ = contact;
        "m"
    }

    /// Whether a touching at this state belongs to the contact, not to a neighbouring one.
    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        let _ = (state, contact);
        true
    }

    /// The smooth piece of surface that a contact is on or moves onto; none where there is none that is its
    /// own: a sharp corner that it leaves. What lies ahead further than it moves in a time `soon` (s) is not
    /// looked at. By default surfaces are smooth as a whole.
    fn piece_ahead(&mut self, state: State<'_>, contact: usize, soon: f64) -> Option<Piece> {
        let _ = (state, contact, soon);
        Some(Piece::WHOLE)
    }

    /// How far a contact is from the end of the piece that it keeps to, where that has one.
    fn piece_room(&mut self, state: State<'_>, contact: usize) -> Option<GuardValue> {
        let _ = (state, contact);
        None
    }

    /// Impulses through the joints in an impact, given the jump of the rates; returns the work of
    /// prescribed motions (J). A system of your own whose contacts drift because the surfaces it
    /// meets are moved returns `−Σ drift·p`.
    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        let _ = (state, jump, impulses);
        out.clear();
        0.0
    }

    /// The same with impulses along both tangents; by default the second is left out.
    fn frame_impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[FrameImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        let flat = impulses.iter().map(|acting| ContactImpulse {
            contact: acting.contact,
            impulse: acting.impulse.into(),
        });
        let flat: Vec<ContactImpulse> = flat.collect();
        self.impulse_reactions(state, jump, &flat, out)
    }

    /// Plane or space.
    fn dimension(&self) -> Dimension {
        Dimension::Plane
    }
}
