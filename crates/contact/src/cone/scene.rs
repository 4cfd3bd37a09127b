//! The problem in its own units: W beside its mean diagonal element, q beside its length.

use carom_numeric::dot;
use carom_numeric::orthogonal::length;

use super::pivot::ConePivot;
use super::problem::{ConeContact, ConeProblem};

/// A cone problem scaled by the mean diagonal element of W and the length of q: nothing in it depends on
/// the units of mass, length and time, nor on the order of the contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    /// Rows, three for each contact and one for each pivot.
    pub(super) n: usize,
    pub(super) w: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// Floors scaled.
    pub(super) contacts: Vec<ConeContact>,
    pub(super) pivots: Vec<ConePivot>,
    /// Coefficients of friction as given, of contacts and of pivots.
    mu: Vec<f64>,
    /// What a velocity is multiplied by in the map of a contact, normal and tangent: the inverse
    /// inertia there.
    pub(super) rho: Vec<[f64; 2]>,
    /// The same of each pivot.
    pub(super) pivot_rho: Vec<f64>,
    /// Velocity and impulse of size one (m/s, N·s).
    pub(super) velocity_unit: f64,
    pub(super) impulse_unit: f64,
}

impl Scene {
    /// Takes a checked problem. Its scale where nothing can move or moves: one.
    pub(super) fn take(&mut self, problem: &ConeProblem<'_>, pivots: &[ConePivot]) {
        let n = problem.q.len();
        self.n = n;
        let trace: f64 = (0..n).map(|i| problem.w[i * n + i]).sum();
        let mean = positive_or_one(trace / n as f64);
        let floors = problem.contacts.iter().map(|c| c.floor);
        let floor = floors.fold(0.0, f64::hypot);
        self.velocity_unit = positive_or_one(length(problem.q).hypot(mean * floor));
        self.impulse_unit = self.velocity_unit / mean;
        self.w.clear();
        self.w.extend(problem.w.iter().map(|w| w / mean));
        self.q.clear();
        self.q
            .extend(problem.q.iter().map(|q| q / self.velocity_unit));
        self.contacts.clear();
        let unit = self.impulse_unit;
        self.contacts
            .extend(problem.contacts.iter().map(|c| ConeContact {
                floor: c.floor / unit,
                ..*c
            }));
        self.mu.clear();
        self.mu.extend(problem.contacts.iter().map(|c| c.mu));
        self.mu.extend(pivots.iter().map(|pivot| pivot.mu));
        self.pivots.clear();
        self.pivots.extend_from_slice(pivots);
        self.find_rho();
    }

    /// Inverse of `W_nn` and of the larger eigenvalue of `W_tt`, one where nothing moves.
    fn find_rho(&mut self) {
        self.rho.clear();
        for i in 0..self.contacts.len() {
            let at = |a: usize, b: usize| self.w[(3 * i + a) * self.n + 3 * i + b];
            let half = 0.5 * (at(1, 1) - at(2, 2));
            let large = 0.5 * (at(1, 1) + at(2, 2)) + half.hypot(at(1, 2));
            self.rho
                .push([positive_or_one(at(0, 0)), positive_or_one(large)].map(f64::recip));
        }
        self.pivot_rho.clear();
        for p in 3 * self.contacts.len()..self.n {
            let own = positive_or_one(self.w[p * self.n + p]);
            self.pivot_rho.push(own.recip());
        }
    }

    /// Takes this part of every coefficient of friction; all of it with 1.
    pub(super) fn weaken_friction(&mut self, part: f64) {
        let own = self.contacts.iter_mut().map(|contact| &mut contact.mu);
        let all = own.chain(self.pivots.iter_mut().map(|pivot| &mut pivot.mu));
        for (weak, mu) in all.zip(&self.mu) {
            *weak = part * mu;
        }
    }

    /// A row of W.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.w[i * self.n..(i + 1) * self.n]
    }

    /// `u = W r + q`.
    pub(super) fn velocity(&self, r: &[f64], u: &mut [f64]) {
        for (i, u) in u.iter_mut().enumerate() {
            *u = dot(self.row(i), r) + self.q[i];
        }
    }
}

fn positive_or_one(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() { x } else { 1.0 }
}
