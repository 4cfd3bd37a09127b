//! Jacobian rows of contacts: a normal each, and one tangent in the plane or two in space.

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, FrameDrift, FrameRows, Rows};
use carom_numeric::dot;

/// Rows of some contacts at a state, contact by contact, and their drifts.
#[derive(Debug, Default)]
pub(crate) struct ContactRows {
    n: usize,
    width: usize,
    rows: Vec<f64>,
    drifts: Vec<FrameDrift>,
}

impl ContactRows {
    /// Of one contact.
    pub(crate) fn of(mechanism: &mut dyn Contacts, state: State<'_>, contact: usize) -> Self {
        let mut rows = Self::default();
        rows.look(mechanism, state, &[contact]);
        rows
    }

    /// Asks a mechanism for the rows of contacts.
    pub(crate) fn look(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contacts: &[usize],
    ) {
        self.n = state.v.len();
        self.width = 1 + mechanism.dimension().tangents();
        self.rows.clear();
        self.rows.resize(self.width * self.n * contacts.len(), 0.0);
        self.drifts.clear();
        let mut rest = &mut self.rows[..];
        for contact in contacts {
            let (rows, others) = rest.split_at_mut(self.width * self.n);
            rest = others;
            let (normal, tangents) = rows.split_at_mut(self.n);
            let (tangent, second) = tangents.split_at_mut(self.n);
            let drift = match self.width == 2 {
                true => {
                    let rows = Rows { normal, tangent };
                    mechanism.contact_rows(state, *contact, rows).into()
                }
                false => {
                    let tangents = [tangent, second];
                    let rows = FrameRows { normal, tangents };
                    mechanism.contact_frame_rows(state, *contact, rows)
                }
            };
            self.drifts.push(drift);
        }
    }

    /// Rows per contact.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// All rows, contact by contact.
    pub(crate) fn all(&self) -> &[f64] {
        &self.rows
    }

    /// The normal row of contact `i` of those asked for.
    pub(crate) fn normal(&self, i: usize) -> &[f64] {
        self.row(i, 0)
    }

    /// The tangent rows of contact `i`.
    pub(crate) fn tangents(&self, i: usize) -> impl Iterator<Item = &[f64]> {
        (1..self.width).map(move |k| self.row(i, k))
    }

    fn row(&self, i: usize, k: usize) -> &[f64] {
        let start = (i * self.width + k) * self.n;
        &self.rows[start..start + self.n]
    }

    /// Normal velocity of contact `i`.
    pub(crate) fn v_n(&self, i: usize, v: &[f64]) -> f64 {
        dot(self.normal(i), v) + self.drifts[i].velocity.n
    }

    /// Sum of the sizes of the terms of the normal velocity of contact `i`.
    pub(crate) fn normal_terms(&self, i: usize, v: &[f64]) -> f64 {
        sizes(self.normal(i), v) + self.drifts[i].velocity.n.abs()
    }

    /// The largest sum of the sizes of the terms of a velocity of contact `i`, along its normal or a tangent.
    pub(crate) fn terms(&self, i: usize, v: &[f64]) -> f64 {
        let along = self.tangents(i).zip(self.drifts[i].velocity.t);
        let along = along.map(|(row, drift)| sizes(row, v) + drift.abs());
        along.fold(self.normal_terms(i, v), f64::max)
    }

    /// Velocity of contact `i` along its tangents, (t1, t2); zero along those it does not have.
    pub(crate) fn slips(&self, i: usize, v: &[f64]) -> [f64; 2] {
        let mut slips = [0.0; 2];
        let rows = self.tangents(i).zip(self.drifts[i].velocity.t);
        for (slip, (row, drift)) in slips.iter_mut().zip(rows) {
            *slip = dot(row, v) + drift;
        }
        slips
    }

    /// Rates of the slips of contact `i` under accelerations.
    pub(crate) fn slip_rates(&self, i: usize, acceleration: &[f64]) -> [f64; 2] {
        let mut rates = [0.0; 2];
        let rows = self.tangents(i).zip(self.drifts[i].acceleration.t);
        for (rate, (row, drift)) in rates.iter_mut().zip(rows) {
            *rate = dot(row, acceleration) + drift;
        }
        rates
    }

    /// What adds to `J v` and `J v̇` of contact `i`.
    pub(crate) fn drift(&self, i: usize) -> &FrameDrift {
        &self.drifts[i]
    }
}

/// `Σ |J_i v_i|`.
fn sizes(row: &[f64], v: &[f64]) -> f64 {
    row.iter().zip(v).map(|(j, v)| (j * v).abs()).sum()
}
