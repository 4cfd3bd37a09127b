//! Whether a contact approaches, or its velocity is round-off.

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Gap};

use super::pivot::PivotRows;
use super::rows::ContactRows;
use super::way::speed;
use crate::scale::Scale;

/// A normal velocity below this fraction of the terms it is the sum of, or of the slip (the normal
/// itself is known to round-off only), is round-off.
const APPROACH_NOISE: f64 = 1e-13;

/// Part of the fastest rate of a mechanism that is round-off of any.
const LAST_DIGITS: f64 = 16.0 * f64::EPSILON;

/// The same of what an impact of several contacts leaves, whose rows may be nearly dependent: a contact that
/// has just collided and approaches no faster rests.
const SOLVED: f64 = 1e-11;

/// Spacings of the time axis below which there is no time between two instants.
const SPACINGS: f64 = 16.0;

/// How fast the contacts of the last event were: an impact may stop a mechanism altogether, and
/// what is left is round-off of what there was.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LastImpact {
    /// When (s).
    pub(crate) time: f64,
    /// Largest sum of the terms of a normal velocity before it (m/s).
    pub(crate) speed: f64,
}

impl LastImpact {
    /// Whether `v_n = Σ J_i v_i + drift` is an approach beyond round-off.
    ///
    /// A plastic impact leaves `v_n` at round-off of either sign: that is no approach.
    pub(crate) fn approaches(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contact: usize,
        v_n: f64,
    ) -> bool {
        if v_n >= 0.0 {
            return false;
        }
        let rows = ContactRows::of(mechanism, state, contact);
        v_n < -self.room(state) * self.size(&rows, state)
    }

    /// Part of the velocities that is round-off: more where an impact has just been solved.
    fn room(&self, state: State<'_>) -> f64 {
        match state.t == self.time && self.speed > 0.0 {
            true => SOLVED,
            false => APPROACH_NOISE,
        }
    }

    /// What round-off of the velocity of a contact is measured by (m/s).
    pub(crate) fn size(&self, rows: &ContactRows, state: State<'_>) -> f64 {
        let mut size = rows.terms(0, state.v);
        if state.t == self.time {
            size = size.max(self.speed);
        }
        size
    }

    /// The slip of a contact that touches and neither approaches nor leaves, along its tangents, zero where that
    /// is round-off of this velocity or of those of the last impact (m/s); nothing of one that does, unless it is
    /// known to rest.
    pub(crate) fn slip_at_rest(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contact: usize,
        rests: bool,
    ) -> Option<[f64; 2]> {
        let rows = ContactRows::of(mechanism, state, contact);
        let size = self.size(&rows, state).max(self.speed);
        let (v_n, slips) = (rows.v_n(0, state.v), rows.slips(0, state.v));
        let room = self.room(state) * size;
        let digits = rows.tangents(0).map(|row| digits(row, state.v));
        let least = digits.fold(room, f64::max);
        let slip = if speed(slips) <= least {
            [0.0; 2]
        } else {
            slips
        };
        (rests || v_n.abs() <= room).then_some(slip)
    }

    /// The rate at which a contact pivots about its normal, zero where that is round-off of this rate, of those of
    /// the mechanism, or of the last impact (rad/s).
    pub(crate) fn spin(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contact: usize,
        scale: &Scale,
    ) -> f64 {
        let rows = PivotRows::of(mechanism, state, contact);
        let rate = rows.rate(0, state.v);
        let mut size = rows.terms(0, state.v);
        if state.t == self.time {
            size = size.max(self.speed / scale.length);
        }
        let parts = state.v.iter().zip(&scale.rates);
        let fastest = parts.fold(0.0f64, |most, (v, size)| most.max(v.abs() / size));
        let parts = rows.all().iter().zip(&scale.rates);
        let whole: f64 = parts.map(|(j, size)| j.abs() * size).sum();
        let least = (self.room(state) * size).max(LAST_DIGITS * fastest * whole);
        if rate.abs() <= least { 0.0 } else { rate }
    }
}

/// Whether a contact at rest opens: its gap accelerates, `J_n v̇ + drift > 0` beyond round-off.
pub(crate) fn opens(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contact: usize,
    acceleration: &[f64],
) -> bool {
    let (a_n, size) = normal_acceleration(mechanism, state, contact, acceleration);
    a_n > APPROACH_NOISE * size
}

/// Whether a contact falls so slowly that it would do so from rest within a few spacings of the time: it has
/// no flight that could be told from rest.
pub(crate) fn has_no_flight(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contact: usize,
    v_n: f64,
    acceleration: &[f64],
) -> bool {
    let (a_n, _) = normal_acceleration(mechanism, state, contact, acceleration);
    a_n < 0.0 && v_n.abs() <= -a_n * SPACINGS * f64::EPSILON * state.t.abs()
}

/// Whether a contact that lies deeper than zero could not come out of it by a rebound: its approach is no
/// faster than a fall of that depth, and what is left of it is rest.
pub(crate) fn is_drowned(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contact: usize,
    gap: Gap,
    acceleration: &[f64],
) -> bool {
    let (a_n, _) = normal_acceleration(mechanism, state, contact, acceleration);
    a_n < 0.0 && gap.gap < 0.0 && gap.v_n * gap.v_n <= 2.0 * a_n * gap.gap
}

/// `J_n v̇ + drift`, and the size of its terms (m/s²).
fn normal_acceleration(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contact: usize,
    acceleration: &[f64],
) -> (f64, f64) {
    let rows = ContactRows::of(mechanism, state, contact);
    let terms = rows.normal(0).iter().zip(acceleration).map(|(j, a)| j * a);
    let bias = rows.drift(0).acceleration.n;
    let size = terms.clone().map(f64::abs).sum::<f64>() + bias.abs();
    (terms.sum::<f64>() + bias, size)
}

/// What is left of a row of velocities in the last digits of the fastest: a joint may hold the few rates that
/// a contact between its bodies sees, while the rest of the mechanism moves.
fn digits(row: &[f64], v: &[f64]) -> f64 {
    let fastest = v.iter().fold(0.0f64, |size, v| size.max(v.abs()));
    LAST_DIGITS * fastest * row.iter().map(|j| j.abs()).sum::<f64>()
}
