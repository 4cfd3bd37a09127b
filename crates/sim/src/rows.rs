//! Jacobian rows of contacts: a normal each, and one tangent in the plane or two in space.

use carom_multibody::State;
use carom_multibody::mechanism::{FrameDrift, FrameRows, Mechanism, Rows};

/// Rows of some contacts at a state, contact by contact, and their drifts.
#[derive(Debug, Default)]
pub(crate) struct ContactRows {
    n: usize,
    width: usize,
    rows: Vec<f64>,
    spare: Vec<f64>,
    drifts: Vec<FrameDrift>,
}

impl ContactRows {
    /// Of one contact.
    pub(crate) fn of<M: Mechanism>(mechanism: &mut M, state: State<'_>, contact: usize) -> Self {
        let mut rows = Self::default();
        rows.look(mechanism, state, &[contact]);
        rows
    }

    /// Asks a mechanism for the rows of contacts.
    pub(crate) fn look<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
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

    /// The normal rows alone.
    pub(crate) fn normals(&mut self) -> &[f64] {
        self.spare.clear();
        for rows in self.rows.chunks_exact((self.width * self.n).max(1)) {
            self.spare.extend_from_slice(&rows[..self.n]);
        }
        &self.spare
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

    /// What adds to `J v` and `J v̇` of contact `i`.
    pub(crate) fn drift(&self, i: usize) -> &FrameDrift {
        &self.drifts[i]
    }

    /// Drifts of all contacts, in order.
    pub(crate) fn drifts(&self) -> &[FrameDrift] {
        &self.drifts
    }
}
