//! Closed contacts as constraints: gap and gap rate held at round-off, the slip where they stick, and the
//! pivoting where it is held.

use carom_multibody::mechanism::{Contacts, Dynamics, Gap};
use carom_multibody::{ConstraintRows, Piece, State};

use super::Held;
use crate::contact::pivot::PivotRows;
use crate::contact::rows::ContactRows;
use crate::scale::Scale;

/// A mechanism whose closed contacts are constraints beside those of its loops.
pub(crate) struct Projection<'a> {
    pub(crate) mechanism: &'a mut dyn Contacts,
    pub(crate) held: &'a [Held],
    /// The contacts of `held`.
    pub(crate) contacts: &'a [usize],
    pub(crate) gaps: &'a mut Vec<Gap>,
    pub(crate) scale: &'a Scale,
    /// The pieces of surface that contacts keep to.
    pub(crate) pieces: &'a [Option<Piece>],
}

impl Dynamics for Projection<'_> {
    fn rates(&self) -> usize {
        self.mechanism.rates()
    }

    fn positions(&self) -> usize {
        self.mechanism.positions()
    }

    fn extent(&self) -> f64 {
        self.scale.length
    }

    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        self.mechanism.sizes(length, time, q, v);
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        self.mechanism.mass(state, out);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        self.mechanism.bias(state, out);
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        self.mechanism.position_rate(state, out);
    }

    fn normalise(&mut self, q: &mut [f64]) {
        self.mechanism.normalise(q);
    }

    fn constraints(&self) -> usize {
        self.mechanism.constraints() + self.held.iter().map(Held::rows).sum::<usize>()
    }

    /// The slip of a contact that sticks has no position to return to, and its pivoting no angle: a correction of
    /// the others leaves them where they are.
    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        let state = state.on(self.pieces);
        out.reset(0, state.v.len());
        if self.mechanism.constraints() > 0 {
            self.mechanism.constraint_rows(state, out);
        }
        self.mechanism.gaps_of(state, self.contacts, self.gaps);
        for held in self.held {
            let rows = ContactRows::of(self.mechanism, state, held.contact);
            let drift = rows.drift(0);
            out.rows.extend_from_slice(rows.normal(0));
            out.value.push(self.gaps[held.contact].gap);
            out.drift.push(drift.velocity.n);
            out.bias.push(drift.acceleration.n);
            out.sizes.push(self.scale.gap(held.contact));
            for (k, tangent) in rows.tangents(0).enumerate().take(held.sticking()) {
                out.rows.extend_from_slice(tangent);
                out.value.push(0.0);
                out.drift.push(drift.velocity.t[k]);
                out.bias.push(drift.acceleration.t[k]);
                out.sizes.push(self.scale.length);
            }
            if held.is_pivot_held() {
                let pivot = PivotRows::of(self.mechanism, state, held.contact);
                let drift = pivot
                    .row(0)
                    .map_or_else(Default::default, |(_, drift)| drift);
                out.rows.extend_from_slice(pivot.all());
                out.value.push(0.0);
                out.drift.push(drift.velocity);
                out.bias.push(drift.acceleration);
                out.sizes.push(1.0); // an angle
            }
        }
    }
}
