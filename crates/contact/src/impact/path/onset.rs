//! Slips in space that start from rest, as power series.
//!
//! Size and direction of such a slip are series of their own, `x = s u`, `s = s_k τ^k + …`, of a load
//! `F = F_l τ^l + …`. The newest direction in the friction of order m, `−μ F_l u_{m−l}`, is not known before its
//! slip is; both follow together from
//!
//! ```text
//! (m + 1) x_{m+1} = a_m,      |u| = 1
//! ```
//!
//! linear in `s_{m+1}` and in the part of `u_{m−l}` across `u_0`. Of a slip that begins at once, `k = l + 1`; where a
//! contact that stuck reaches its cone the acceleration starts at zero, and `k = l + 2`.
//!
//! Derivation in `docs/theory/path.md`.

use carom_numeric::Lu;

use super::problem::PathImpact;
use super::series::{HELD, Series, is_starting, load_scale};
use super::state::{Grip, NOISE, State};

/// Round-off of a force, as a part of the largest its contact has had.
const LOADED: f64 = 1e-13;

/// A slip that starts from rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Onset {
    pub(super) contact: usize,
    /// Where it starts.
    u: [f64; 2],
    /// Order of the load.
    load: Option<usize>,
    /// Order of the slip, once known.
    slip: Option<usize>,
}

impl Onset {
    fn across(&self) -> [f64; 2] {
        [-self.u[1], self.u[0]]
    }

    /// Order of the newest direction in the friction of order `m`, where that is one with the slip.
    fn newest(&self, m: usize) -> Option<usize> {
        let order = m.checked_sub(self.load?)?;
        let is_implicit = self.slip.is_none_or(|k| Some(k) > self.load);
        (order > 0 && is_implicit).then_some(order)
    }
}

/// What the newest direction of one slip changes.
struct Response {
    f: Vec<f64>,
    a: Vec<f64>,
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

impl Series {
    /// Notes the slips that are about to start and were not at lower orders; of those that others moved, the order
    /// of the slip.
    pub(super) fn note_onsets(&mut self, impact: &PathImpact, state: &State, moved: Option<usize>) {
        for contact in 0..impact.contacts.len() {
            let is_known = self.onset(contact).is_some();
            let Grip::Slip(u) = state.sites[contact].grip else {
                continue;
            };
            if is_known || !is_starting(impact, state, contact) {
                continue;
            }
            (self.turn[contact][0][0], self.turn[contact][1][0]) = (u[0], u[1]);
            if let Some(k) = moved {
                let start = impact.starts[contact] + 1;
                let x = [self.v[start][k], self.v[start + 1][k]];
                self.slip[contact][k] = dot(u, x);
            }
            self.onsets.push(Onset {
                contact,
                u,
                load: None,
                slip: moved,
            });
        }
    }

    /// The slip of a contact that starts from rest on this step.
    pub(super) fn onset(&self, contact: usize) -> Option<&Onset> {
        self.onsets.iter().find(|onset| onset.contact == contact)
    }

    /// Orders of the loads, and what is known of the directions of order `m`.
    pub(super) fn aim_onsets(&mut self, impact: &PathImpact, state: &State, m: usize) {
        for k in 0..self.onsets.len() {
            let mut onset = self.onsets[k];
            let i = onset.contact;
            if onset.load.is_none() {
                let begins = self.load[i][m] > NOISE * load_scale(impact, state, i);
                onset.load = begins.then_some(m);
                self.onsets[k] = onset;
            }
            if let Some(order) = onset.newest(m) {
                self.set_direction(&onset, order, 0.0);
            }
        }
    }

    /// The direction of an order by its part across the first; the length of all is one.
    fn set_direction(&mut self, onset: &Onset, order: usize, across: f64) {
        let along = self.along(onset, order);
        let (u, v) = (onset.u, onset.across());
        for k in 0..2 {
            self.turn[onset.contact][k][order] = along * u[k] + across * v[k];
        }
    }

    fn along(&self, onset: &Onset, order: usize) -> f64 {
        let [x, y] = &self.turn[onset.contact];
        let products = (1..order).map(|j| x[j] * x[order - j] + y[j] * y[order - j]);
        -0.5 * products.sum::<f64>()
    }

    /// Solves for the newest directions and sizes of slips, and corrects forces and accelerations of order `m`.
    pub(super) fn turn_onsets(&mut self, impact: &PathImpact, m: usize) {
        let known = self.onsets.iter().enumerate();
        let unknown: Vec<usize> = known
            .filter(|(_, onset)| onset.newest(m).is_some())
            .map(|(k, _)| k)
            .collect();
        if unknown.is_empty() || self.is_failed {
            return;
        }
        let each = unknown.iter().map(|k| &self.onsets[*k]);
        let responses: Vec<Response> = each.map(|onset| self.response(impact, onset)).collect();
        let Some(found) = self.solve_onsets(impact, &unknown, &responses, m) else {
            self.is_failed = true;
            return;
        };
        for ((k, response), found) in unknown.iter().zip(&responses).zip(found.chunks_exact(2)) {
            self.take_onset(*k, found, m);
            let [_, across] = [found[0], found[1]];
            for row in 0..impact.rows() {
                self.f[row][m] += across * response.f[row];
                self.a[row][m] += across * response.a[row];
            }
        }
    }

    fn take_onset(&mut self, k: usize, found: &[f64], m: usize) {
        let onset = self.onsets[k];
        let (slip, across) = (found[0], found[1]);
        if onset.slip.is_none() {
            self.is_failed |= !(slip > 0.0);
            self.onsets[k].slip = Some(m + 1);
        }
        self.slip[onset.contact][m + 1] = slip;
        if let Some(order) = onset.newest(m) {
            self.set_direction(&onset, order, across);
        }
    }

    /// Forces and accelerations per part of the newest direction across the first.
    fn response(&self, impact: &PathImpact, onset: &Onset) -> Response {
        let (i, n) = (onset.contact, impact.rows());
        let load = onset.load.map_or(0.0, |order| self.load[i][order]);
        let ratio = -impact.contacts[i].friction.mu_d() * load;
        let mut f = vec![0.0; n];
        let rows = impact.span(i).skip(1).zip(onset.across());
        rows.for_each(|(row, v)| f[row] = ratio * v);
        let pushed =
            |row: usize, f: &[f64]| carom_numeric::dot(&impact.w[row * n..(row + 1) * n], f);
        let held = &self.hold.rows;
        let moved: Vec<f64> = held.iter().map(|row| pushed(*row, &f)).collect();
        let answers: Vec<f64> = (0..held.len())
            .map(|a| self.hold.force(a, &moved))
            .collect();
        held.iter().zip(answers).for_each(|(row, x)| f[*row] = x);
        let mut a: Vec<f64> = (0..n).map(|row| pushed(row, &f)).collect();
        held.iter().for_each(|row| a[*row] = 0.0);
        Response { f, a }
    }

    /// `s_{m+1}` and the part of the newest direction across the first, for each; none where they are not unique.
    fn solve_onsets(
        &self,
        impact: &PathImpact,
        unknown: &[usize],
        responses: &[Response],
        m: usize,
    ) -> Option<Vec<f64>> {
        let size = 2 * unknown.len();
        let step = self.h / (m + 1) as f64;
        let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
        for (own, k) in unknown.iter().enumerate() {
            let onset = &self.onsets[*k];
            let start = impact.starts[onset.contact] + 1;
            let known = self.known_slip(onset, m);
            // The newest direction is in the slip itself where that began at once.
            let in_slip = match (onset.slip, onset.load) {
                (Some(k), Some(l)) if k == l + 1 => self.slip[onset.contact][k],
                _ => 0.0,
            };
            for t in 0..2 {
                let row = 2 * own + t;
                matrix[row * size + 2 * own] = -onset.u[t];
                for (other, response) in responses.iter().enumerate() {
                    matrix[row * size + 2 * other + 1] += step * response.a[start + t];
                }
                matrix[row * size + 2 * own + 1] -= in_slip * onset.across()[t];
                right[row] = known[t] - step * self.timed(&self.a[start + t], m);
            }
        }
        let (mut lu, mut found) = (Lu::new(), vec![0.0; size]);
        if !lu.factor(&matrix, size) {
            return None;
        }
        lu.solve(&right, &mut found);
        found.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// What is known of the slip of order `m + 1`.
    fn known_slip(&self, onset: &Onset, m: usize) -> [f64; 2] {
        let Some(k) = onset.slip else {
            return [0.0; 2];
        };
        let (s, u) = (&self.slip[onset.contact], &self.turn[onset.contact]);
        [0, 1].map(|t| (k..=m).map(|j| s[j] * u[t][m + 1 - j]).sum())
    }

    /// Takes slips of order `m + 1` that are known before their directions are.
    pub(super) fn raise_onsets(&mut self, impact: &PathImpact, state: &State, m: usize) {
        for k in 0..self.onsets.len() {
            let onset = self.onsets[k];
            if onset.newest(m).is_some() {
                continue;
            }
            let start = impact.starts[onset.contact] + 1;
            let x = [self.v[start][m + 1], self.v[start + 1][m + 1]];
            match onset.slip {
                Some(first) => self.follow_onset(&onset, first, x, m),
                None if self.is_none(impact, state, &onset, m) => {
                    (self.v[start][m + 1], self.v[start + 1][m + 1]) = (0.0, 0.0);
                }
                None => {
                    let slip = dot(onset.u, x);
                    self.is_failed |= !(slip > 0.0);
                    self.slip[onset.contact][m + 1] = slip;
                    self.onsets[k].slip = Some(m + 1);
                }
            }
        }
    }

    /// Size and direction of a slip that is known.
    fn follow_onset(&mut self, onset: &Onset, first: usize, x: [f64; 2], m: usize) {
        let order = m + 1 - first;
        let i = onset.contact;
        self.set_direction(onset, order, 0.0);
        let known = self.known_slip(onset, m);
        let rest = [x[0] - known[0], x[1] - known[1]];
        self.slip[i][m + 1] = dot(onset.u, rest);
        let across = dot(onset.across(), rest) / self.slip[i][first];
        self.set_direction(onset, order, across);
    }

    /// Whether nothing moves a contact at order `m`.
    fn is_none(&self, impact: &PathImpact, state: &State, onset: &Onset, m: usize) -> bool {
        let (i, n) = (onset.contact, impact.rows());
        let rub = impact.contacts[i].friction.mu_s() * load_scale(impact, state, i);
        impact.span(i).skip(1).all(|row| {
            let w = &impact.w[row * n..(row + 1) * n];
            let terms = w.iter().zip(&self.f).map(|(w, f)| (w * f[m]).abs());
            let noise = HELD * terms.sum::<f64>() + LOADED * rub * w[row];
            self.a[row][m].abs() <= noise
        })
    }
}
