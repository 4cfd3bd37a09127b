//! Rows of the rates at which contacts pivot about their normals.

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, PivotDrift};
use carom_numeric::dot;

/// Rows of some contacts at a state, and their drifts; none of contacts that nothing keeps from pivoting.
#[derive(Debug, Default)]
pub(crate) struct PivotRows {
    n: usize,
    rows: Vec<f64>,
    drifts: Vec<PivotDrift>,
    /// Place of the row of each contact asked for.
    places: Vec<Option<usize>>,
}

impl PivotRows {
    /// Of one contact, by its rate (rad/s).
    pub(crate) fn of(mechanism: &mut dyn Contacts, state: State<'_>, contact: usize) -> Self {
        let mut rows = Self::default();
        rows.look(mechanism, state, [(contact, 1.0)].into_iter());
        rows
    }

    /// Asks a mechanism for the rows of contacts, each times a length: zero where none is asked for.
    pub(crate) fn look(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contacts: impl Iterator<Item = (usize, f64)>,
    ) {
        self.n = state.v.len();
        self.rows.clear();
        self.drifts.clear();
        self.places.clear();
        for (contact, length) in contacts {
            if length == 0.0 {
                self.places.push(None);
                continue;
            }
            let start = self.rows.len();
            self.rows.resize(start + self.n, 0.0);
            let row = &mut self.rows[start..];
            let drift = mechanism.pivot_row(state, contact, row);
            row.iter_mut().for_each(|x| *x *= length);
            self.places.push(Some(self.drifts.len()));
            self.drifts.push(PivotDrift {
                velocity: length * drift.velocity,
                acceleration: length * drift.acceleration,
            });
        }
    }

    /// All rows, one after another.
    pub(crate) fn all(&self) -> &[f64] {
        &self.rows
    }

    /// Place of the row of contact `i` of those asked for, where it has one.
    pub(crate) fn place(&self, i: usize) -> Option<usize> {
        self.places.get(i).copied().flatten()
    }

    /// The row of contact `i`, and what adds to `J v` and `J v̇`.
    pub(crate) fn row(&self, i: usize) -> Option<(&[f64], PivotDrift)> {
        let place = self.place(i)?;
        let row = &self.rows[place * self.n..(place + 1) * self.n];
        Some((row, self.drifts[place]))
    }

    /// Rate at which contact `i` pivots, times its length; zero where it has no row.
    pub(crate) fn rate(&self, i: usize, v: &[f64]) -> f64 {
        self.row(i)
            .map_or(0.0, |(row, drift)| dot(row, v) + drift.velocity)
    }

    /// Sum of the sizes of the terms of that.
    pub(crate) fn terms(&self, i: usize, v: &[f64]) -> f64 {
        self.row(i).map_or(0.0, |(row, drift)| {
            let terms = row.iter().zip(v).map(|(j, v)| (j * v).abs());
            terms.sum::<f64>() + drift.velocity.abs()
        })
    }

    /// Its own rate under accelerations.
    pub(crate) fn acceleration(&self, i: usize, acceleration: &[f64]) -> f64 {
        self.row(i).map_or(0.0, |(row, drift)| {
            dot(row, acceleration) + drift.acceleration
        })
    }
}
