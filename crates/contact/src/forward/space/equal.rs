//! Contacts that slide different ways and share their loads: the motion of equally stiff ones.

use carom_numeric::{CompleteOrthogonal, dot};

use super::{TouchAnswer, TouchMode, TouchPivot, TouchProblem, largest};
use crate::cone::PivotMode;
use crate::cone::alone::{OneContact, RestMode};

/// A normal acceleration below this part of the drifts is zero.
const CLOSED: f64 = 1e-9;

/// Where the loads of contacts repeat each other's work and the contacts slide different ways, the share of the
/// loads decides the motion. Of equally stiff contacts it is that of the least sum of squares:
///
/// ```text
/// min Σ λ_n²,   a_n = 0 at every contact,   λ_t = −μ_d λ_n u
/// ```
///
/// One contact may rest: it sticks or starts to slip, its load following from its friction as the others' do.
/// None where no loads repeat each other's work, where two or more rest or a pivot does, or where a contact would
/// pull.
pub fn equally_stiff(problem: &TouchProblem<'_>) -> Option<TouchAnswer> {
    let rough = problem.contacts.iter().map(|c| c.slip.is_none());
    let mut resting = rough.enumerate().filter(|(_, rests)| *rests);
    let rests = resting.next().map(|(j, _)| j);
    let mut pivots = problem.pivots.iter();
    if resting.next().is_some() || pivots.any(|pivot| pivot.sense.is_none()) {
        return None;
    }
    let shared = Shared::new(problem)?;
    let loads = shared.loads(|row| problem.drift[row]);
    match rests {
        None => shared.answer(&loads, &[], None),
        Some(j) => shared.with_rest(j, &loads),
    }
}

/// The loads of all contacts as the unknowns.
struct Shared<'a> {
    problem: &'a TouchProblem<'a>,
    /// Force of each contact per load.
    rays: Vec<[f64; 3]>,
    factor: CompleteOrthogonal,
}

impl<'a> Shared<'a> {
    /// None where the loads are unique.
    fn new(problem: &'a TouchProblem<'a>) -> Option<Self> {
        let rays = problem.contacts.iter().map(|contact| {
            let [a, b] = contact.slip.unwrap_or_default();
            let mu = contact.friction.mu_d();
            [1.0, -mu * a, -mu * b]
        });
        let mut shared = Self {
            problem,
            rays: rays.collect(),
            factor: CompleteOrthogonal::new(),
        };
        let k = shared.rays.len();
        let pairs = (0..k).flat_map(|j| (0..k).map(move |i| (i, j)));
        let columns: Vec<f64> = pairs.map(|(i, j)| shared.effect(3 * i, j)).collect();
        shared.factor.decompose(&columns, k, k);
        (shared.factor.rank() < k).then_some(shared)
    }

    /// Acceleration of a row per load of contact `j`.
    fn effect(&self, row: usize, j: usize) -> f64 {
        let n = self.problem.drift.len();
        let at = row * n + 3 * j;
        let mut effect = dot(&self.problem.w[at..at + 3], &self.rays[j]);
        for (k, part) in self
            .turns()
            .filter(|(k, _)| self.problem.pivots[*k].contact == j)
        {
            effect += self.problem.w[row * n + self.pivot_row(k)] * part;
        }
        effect
    }

    /// The row of pivot `k`.
    fn pivot_row(&self, k: usize) -> usize {
        3 * self.rays.len() + k
    }

    /// What each pivot does per load of its contact, along its row.
    fn turns(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let against = |pivot: &TouchPivot| -pivot.friction.mu_d() * pivot.sense.unwrap_or(0.0);
        self.problem.pivots.iter().map(against).enumerate()
    }

    /// Acceleration of a row under loads.
    fn through(&self, row: usize, loads: &[f64]) -> f64 {
        let each = loads.iter().enumerate();
        each.map(|(j, load)| self.effect(row, j) * load).sum()
    }

    /// The least loads that hold all normals against `a`.
    fn loads(&self, a: impl Fn(usize) -> f64) -> Vec<f64> {
        let k = self.rays.len();
        let right: Vec<f64> = (0..k).map(|i| -a(3 * i)).collect();
        let mut loads = vec![0.0; k];
        self.factor.least_norm(&right, &mut loads);
        loads
    }

    /// With contact `j` at rest: its load, `ℓ_0 + ℓ·λ_t`, and its tangential acceleration, `c + C λ_t`, are those
    /// of one contact with a matrix of its own.
    fn with_rest(&self, j: usize, loads: &[f64]) -> Option<TouchAnswer> {
        let n = self.problem.drift.len();
        let w = |row: usize, column: usize| self.problem.w[row * n + column];
        let answers = [1, 2].map(|b| self.loads(|row| w(row, 3 * j + b)));
        let part =
            |a: usize, b: usize| w(3 * j + a, 3 * j + b) + self.through(3 * j + a, &answers[b - 1]);
        let still = |a: usize| self.problem.drift[3 * j + a] + self.through(3 * j + a, loads);
        let friction = self.problem.contacts[j].friction;
        let alone = OneContact {
            w: [
                [1.0, -answers[0][j], -answers[1][j]],
                [0.0, part(1, 1), part(1, 2)],
                [0.0, part(2, 1), part(2, 2)],
            ],
            d: [-loads[j], still(1), still(2)],
            mu_s: friction.mu_s(),
            mu_d: friction.mu_d(),
        };
        let found = alone.answers().answers;
        let holds = found.iter().find(|one| one.mode == RestMode::Stick);
        let mut starts = found.iter().filter(|one| one.mode == RestMode::Onset);
        let chosen = match (holds, starts.next(), starts.next()) {
            (Some(stick), _, _) => stick,
            (None, Some(onset), None) => onset,
            _ => return None,
        };
        let [_, f_1, f_2] = chosen.force;
        let sums = loads.iter().zip(&answers[0]).zip(&answers[1]);
        let loads: Vec<f64> = sums.map(|((x, y), z)| x + f_1 * y + f_2 * z).collect();
        let mode = match chosen.mode {
            RestMode::Stick => TouchMode::Stick,
            _ => TouchMode::Onset,
        };
        self.answer(&loads, &[(j, [f_1, f_2])], Some(mode))
    }

    /// The motion under loads, with the friction of contacts at rest beside them; none where one pulls or opens.
    fn answer(
        &self,
        loads: &[f64],
        friction: &[(usize, [f64; 2])],
        mode: Option<TouchMode>,
    ) -> Option<TouchAnswer> {
        let (n, k) = (self.problem.drift.len(), 3 * loads.len());
        let mut force: Vec<f64> = (0..k)
            .map(|i| loads[i / 3] * self.rays[i / 3][i % 3])
            .collect();
        force.extend(
            self.turns()
                .map(|(j, part)| part * loads[self.problem.pivots[j].contact]),
        );
        for (j, [a, b]) in friction {
            (force[3 * j + 1], force[3 * j + 2]) = (*a, *b);
        }
        let moved =
            |i: usize| dot(&self.problem.w[i * n..(i + 1) * n], &force) + self.problem.drift[i];
        let mut acceleration: Vec<f64> = (0..n).map(moved).collect();
        let noise = CLOSED * largest(self.problem.drift);
        let stays = acceleration[..k]
            .iter()
            .step_by(3)
            .all(|a| a.abs() <= noise);
        let presses = loads.iter().all(|load| *load > 0.0);
        acceleration[..k]
            .iter_mut()
            .step_by(3)
            .for_each(|a| *a = 0.0);
        let modes = self.problem.contacts.iter();
        let modes = modes.map(|contact| match contact.slip {
            Some(_) => TouchMode::Slide,
            None => mode.unwrap_or(TouchMode::Stick),
        });
        let moves = |pivot: &TouchPivot| PivotMode::pivoting(pivot.sense.unwrap_or(0.0));
        (stays && presses).then(|| TouchAnswer {
            modes: modes.collect(),
            pivots: self.problem.pivots.iter().map(moves).collect(),
            force,
            acceleration,
            is_attracting: None,
            is_force_unique: false,
            is_exact: true,
        })
    }
}
