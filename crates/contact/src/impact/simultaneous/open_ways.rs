//! What the impulses of a collision without friction leave open, over both phases.

use carom_numeric::nonnegative::liftable;
use carom_numeric::{CompleteOrthogonal, dot};

use super::{Closing, Simultaneous};

/// One unknown of a set of impulses: what it does, and what it adds to the total of its contact.
struct Unknown {
    contact: usize,
    /// Part of the total impulse per unit.
    weight: f64,
    is_positive: bool,
    column: Vec<f64>,
}

impl Simultaneous {
    /// Finds which totals are the same in every pair of phases with the velocities found:
    ///
    /// ```text
    /// X P_c = X P_c0,  X ((1 + K) P_c + s) = X P0,  P_c >= 0,  s >= 0 at contacts that end closed
    /// ```
    ///
    /// The velocities must be those of every share.
    pub(super) fn look_at_totals(&mut self, closing: &Closing<'_>) {
        let k = closing.rows.len();
        let unknowns = self.unknowns(closing);
        let size = 2 * self.rows.n();
        let flat = |which: &[&Unknown]| -> Vec<f64> {
            which.iter().flat_map(|u| &u.column).copied().collect()
        };
        let all: Vec<&Unknown> = unknowns.iter().collect();
        let signs: Vec<bool> = all.iter().map(|u| u.is_positive).collect();
        let is_lifted = liftable(&flat(&all), size, &signs);
        let pairs = all.into_iter().zip(is_lifted);
        let free: Vec<&Unknown> = pairs.filter(|(_, is)| *is).map(|(u, _)| u).collect();
        let (mut factor, mut null) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose(&flat(&free), size, free.len());
        factor.null_space(&mut null);
        let total = |i: usize| -> Vec<f64> {
            let own = |u: &&Unknown| if u.contact == i { u.weight } else { 0.0 };
            free.iter().map(own).collect()
        };
        self.shares.clear();
        self.unique.clear();
        let totals: Vec<Vec<f64>> = (0..k).map(total).collect();
        self.unique
            .extend(totals.iter().map(|total| factor.is_fixed(total)));
        for z in null.chunks_exact(free.len().max(1)) {
            self.shares.extend(totals.iter().map(|total| dot(total, z)));
        }
    }

    fn unknowns(&self, closing: &Closing<'_>) -> Vec<Unknown> {
        let n = self.rows.n();
        let (mut jump, mut unknowns) = (Vec::new(), Vec::new());
        self.rows.sum(&self.p, &mut jump);
        let most = self.p.iter().fold(0.0f64, |most, p| most.max(*p));
        let is_positive = |p: f64| p > Self::CLOSED_TOLERANCE * most;
        for &contact in &self.closed_comp {
            let (x, weight) = (
                self.rows.vector(contact),
                1.0 + closing.restitution[contact],
            );
            let returned = x.iter().map(|x| weight * x);
            unknowns.push(Unknown {
                contact,
                weight,
                is_positive: is_positive(self.p_comp[contact]),
                column: x.iter().copied().chain(returned).collect(),
            });
        }
        for contact in self.closed_at_end(&jump) {
            let mut column = vec![0.0; n];
            column.extend_from_slice(self.rows.vector(contact));
            unknowns.push(Unknown {
                contact,
                weight: 1.0,
                is_positive: is_positive(self.p[contact] - self.returned[contact]),
                column,
            });
        }
        unknowns
    }
}
