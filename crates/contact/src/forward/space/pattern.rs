//! One combination of modes after another: linear ones eliminated, at most one onset.

use carom_numeric::{CompleteOrthogonal, Lu, dot};

use super::{TouchAnswer, TouchAnswers, TouchMode, TouchProblem};
use crate::cone::PivotMode;
use crate::cone::alone::OneContact;

/// An inequality may be missed by this part of its terms.
const MISS: f64 = 1e-12;

/// One that holds or fails by less than this part is not clear.
const UNCLEAR: f64 = 1e-9;

/// The modes under trial, and what their linear system is made of.
pub(super) struct Pattern<'a> {
    problem: &'a TouchProblem<'a>,
    modes: Vec<TouchMode>,
    pivots: Vec<PivotMode>,
    /// The pivot of each contact, where it has one.
    own: Vec<Option<usize>>,
    /// Rows that vanish, and the force of each unknown: a component, or the ray of a slide.
    rows: Vec<usize>,
    rays: Vec<Ray>,
    lu: Lu,
    factor: CompleteOrthogonal,
    is_regular: bool,
}

/// A force of size one at a contact, and what it has along the row of its pivot.
#[derive(Debug, Clone, Copy)]
struct Ray {
    contact: usize,
    force: [f64; 3],
    turn: Option<Turn>,
}

/// So much along the row of a pivot.
#[derive(Debug, Clone, Copy)]
struct Turn {
    row: usize,
    part: f64,
}

impl<'a> Pattern<'a> {
    pub(super) fn new(problem: &'a TouchProblem<'a>) -> Self {
        Self {
            problem,
            modes: vec![TouchMode::Lift; problem.contacts.len()],
            pivots: vec![PivotMode::Free; problem.pivots.len()],
            own: (0..problem.contacts.len())
                .map(|i| problem.pivots.iter().position(|pivot| pivot.contact == i))
                .collect(),
            rows: Vec::new(),
            rays: Vec::new(),
            lu: Lu::new(),
            factor: CompleteOrthogonal::new(),
            is_regular: true,
        }
    }

    /// Tries every combination with at most one onset.
    pub(super) fn enumerate(mut self, found: &mut TouchAnswers) {
        let k = self.modes.len();
        let onsets = (0..k).filter(|i| self.problem.contacts[*i].slip.is_none());
        let onsets: Vec<Option<usize>> = onsets.map(Some).chain([None]).collect();
        // Sticking first: where modes meet in one answer rest is named.
        for onset in onsets.into_iter().rev() {
            for bits in 0..1usize << k {
                if onset.is_some_and(|j| bits >> j & 1 == 1) {
                    continue;
                }
                self.name(bits, onset);
                for turns in 0..self.turns() {
                    self.turn(turns);
                    self.eliminate();
                    match onset {
                        None => self.linear(found),
                        Some(j) => self.with_onset(j, found),
                    }
                }
            }
        }
    }

    /// Whether pivot `j` is at rest, on a contact that presses.
    fn is_open(&self, j: usize) -> bool {
        let pivot = &self.problem.pivots[j];
        pivot.sense.is_none() && self.modes[pivot.contact] != TouchMode::Lift
    }

    /// How many modes the pivots at rest have together.
    fn turns(&self) -> usize {
        let open = (0..self.pivots.len()).filter(|j| self.is_open(*j));
        open.fold(1, |all, _| 3 * all)
    }

    /// Modes of the pivots, those at rest by the digits of a number: held first.
    fn turn(&mut self, mut number: usize) {
        for (j, pivot) in self.problem.pivots.iter().enumerate() {
            self.pivots[j] = match pivot.sense {
                _ if self.modes[pivot.contact] == TouchMode::Lift => PivotMode::Free,
                Some(sense) => PivotMode::pivoting(sense),
                None => {
                    let digit = number % 3;
                    number /= 3;
                    [PivotMode::Held, PivotMode::Forward, PivotMode::Backward][digit]
                }
            };
        }
    }

    /// The row of pivot `j`.
    fn pivot_row(&self, j: usize) -> usize {
        3 * self.problem.contacts.len() + j
    }

    /// What a load on contact `i` does against its pivoting.
    fn against(&self, i: usize) -> Option<Turn> {
        let j = self.own[i]?;
        let sense = self.pivots[j].sense();
        let mu = self.problem.pivots[j].friction.mu_d();
        (sense != 0.0).then(|| Turn {
            row: self.pivot_row(j),
            part: -mu * sense,
        })
    }

    /// Modes by the bits of a number: set is lift.
    fn name(&mut self, bits: usize, onset: Option<usize>) {
        for (i, contact) in self.problem.contacts.iter().enumerate() {
            self.modes[i] = match (bits >> i & 1, contact.slip) {
                _ if onset == Some(i) => TouchMode::Onset,
                (1, _) => TouchMode::Lift,
                (_, None) => TouchMode::Stick,
                (_, Some(_)) => TouchMode::Slide,
            };
        }
    }

    /// Factors the rows that vanish as functions of the forces that make them.
    fn eliminate(&mut self) {
        self.rows.clear();
        self.rays.clear();
        for (i, contact) in self.problem.contacts.iter().enumerate() {
            match (self.modes[i], contact.slip) {
                (TouchMode::Stick, _) => {
                    for a in 0..3 {
                        let mut force = [0.0; 3];
                        force[a] = 1.0;
                        let turn = self.against(i).filter(|_| a == 0);
                        self.rows.push(3 * i + a);
                        self.add_ray(i, force, turn);
                    }
                }
                (TouchMode::Slide, Some(u)) => {
                    let mu = contact.friction.mu_d();
                    let force = [1.0, -mu * u[0], -mu * u[1]];
                    self.rows.push(3 * i);
                    self.add_ray(i, force, self.against(i));
                }
                _ => {}
            }
        }
        for (j, pivot) in self.problem.pivots.iter().enumerate() {
            if self.pivots[j] == PivotMode::Held {
                let row = self.pivot_row(j);
                self.rows.push(row);
                self.add_ray(pivot.contact, [0.0; 3], Some(Turn { row, part: 1.0 }));
            }
        }
        let m = self.rows.len();
        let pairs = self
            .rows
            .iter()
            .flat_map(|row| self.rays.iter().map(move |ray| (row, ray)));
        let by_rows: Vec<f64> = pairs.map(|(row, ray)| self.effect(*row, ray)).collect();
        self.is_regular = self.lu.factor(&by_rows, m) && self.lu.least_pivot() > MISS;
        if !self.is_regular {
            let by_columns = (0..m * m).map(|at| by_rows[at % m * m + at / m]);
            let by_columns: Vec<f64> = by_columns.collect();
            self.factor.decompose(&by_columns, m, m);
        }
    }

    fn add_ray(&mut self, contact: usize, force: [f64; 3], turn: Option<Turn>) {
        self.rays.push(Ray {
            contact,
            force,
            turn,
        });
    }

    /// Acceleration of a row per unit of a force.
    fn effect(&self, row: usize, ray: &Ray) -> f64 {
        let n = self.problem.drift.len();
        let at = row * n + 3 * ray.contact;
        let along = dot(&self.problem.w[at..at + 3], &ray.force);
        self.turned(row, ray.turn, along)
    }

    /// The same with what the force does along the row of a pivot.
    fn turned(&self, row: usize, turn: Option<Turn>, along: f64) -> f64 {
        match turn {
            Some(turn) => {
                along + self.problem.w[row * self.problem.drift.len() + turn.row] * turn.part
            }
            None => along,
        }
    }

    /// The unknown forces that bring the rows to zero against `a`, of least norm where shared.
    fn hold(&self, a: impl Fn(usize) -> f64) -> Vec<f64> {
        let b: Vec<f64> = self.rows.iter().map(|row| -a(*row)).collect();
        let mut x = vec![0.0; b.len()];
        match self.is_regular {
            true => self.lu.solve(&b, &mut x),
            false => self.factor.least_norm(&b, &mut x),
        }
        x
    }

    /// All modes linear.
    fn linear(&self, found: &mut TouchAnswers) {
        let x = self.hold(|row| self.problem.drift[row]);
        let mut force = vec![0.0; self.problem.drift.len()];
        self.spread(&x, &mut force);
        self.offer(force, None, found);
    }

    /// Contact `j` starts to slip, against the others eliminated.
    fn with_onset(&self, j: usize, found: &mut TouchAnswers) {
        let n = self.problem.drift.len();
        let against = self.against(j);
        let w = |row: usize, b: usize| {
            let along = self.problem.w[row * n + 3 * j + b];
            self.turned(row, against.filter(|_| b == 0), along)
        };
        let held = self.hold(|row| self.problem.drift[row]);
        let answer = [0, 1, 2].map(|b| self.hold(|row| w(row, b)));
        let through = |a: usize, x: &[f64]| -> f64 {
            let pairs = self.rays.iter().zip(x);
            pairs.map(|(ray, x)| self.effect(3 * j + a, ray) * x).sum()
        };
        let friction = self.problem.contacts[j].friction;
        let alone = OneContact {
            w: [0, 1, 2].map(|a| [0, 1, 2].map(|b| w(3 * j + a, b) + through(a, &answer[b]))),
            d: [0, 1, 2].map(|a| self.problem.drift[3 * j + a] + through(a, &held)),
            mu_s: friction.mu_s(),
            mu_d: friction.mu_d(),
        };
        let mut onsets = Vec::new();
        found.is_complete &= alone.onsets(&mut |onset| onsets.push(onset));
        for onset in onsets {
            let mut x = held.clone();
            for (b, answer) in answer.iter().enumerate() {
                let sum = x.iter_mut().zip(answer);
                sum.for_each(|(x, y)| *x += onset.force[b] * y);
            }
            let mut force = vec![0.0; n];
            self.spread(&x, &mut force);
            force[3 * j..3 * j + 3].copy_from_slice(&onset.force);
            if let Some(turn) = against {
                force[turn.row] += turn.part * onset.force[0];
            }
            self.offer(force, onset.is_attracting, found);
        }
    }

    /// The forces of all contacts.
    fn spread(&self, x: &[f64], force: &mut [f64]) {
        for (ray, x) in self.rays.iter().zip(x) {
            for (a, part) in ray.force.iter().enumerate() {
                force[3 * ray.contact + a] += part * x;
            }
            if let Some(turn) = ray.turn {
                force[turn.row] += turn.part * x;
            }
        }
    }

    /// Keeps what meets every equation and inequality of its modes.
    fn offer(&self, force: Vec<f64>, is_attracting: Option<bool>, found: &mut TouchAnswers) {
        let n = force.len();
        let mut acceleration = vec![0.0; n];
        let mut terms = 0.0f64;
        for (i, a) in acceleration.iter_mut().enumerate() {
            let row = &self.problem.w[i * n..(i + 1) * n];
            *a = dot(row, &force) + self.problem.drift[i];
            let sum: f64 = row.iter().zip(&force).map(|(w, f)| (w * f).abs()).sum();
            terms = terms.max(sum + self.problem.drift[i].abs());
        }
        let is_still = |row: &usize| acceleration[*row].abs() <= UNCLEAR * terms;
        if !self.rows.iter().all(is_still) || !force.iter().all(|x| x.is_finite()) {
            found.is_complete &= self.is_regular;
            return;
        }
        let (is_met, is_clear) = self.inequalities(&force, &acceleration, terms);
        found.is_complete &= is_clear && (self.is_regular || !is_met);
        if !is_met {
            // Another share of the forces might meet them.
            found.is_complete &= self.is_regular;
            return;
        }
        self.rows.iter().for_each(|row| acceleration[*row] = 0.0);
        found.add(TouchAnswer {
            modes: self.modes.clone(),
            pivots: self.pivots.clone(),
            force,
            acceleration,
            is_attracting,
            is_force_unique: self.is_regular,
            is_exact: true,
        });
    }

    /// Whether every inequality holds, and whether that is clear: one fails by far, or none is near its limit.
    fn inequalities(&self, force: &[f64], acceleration: &[f64], terms: f64) -> (bool, bool) {
        let size = force.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let (mut is_met, mut is_clear, mut is_refuted) = (true, true, false);
        let mut ask = |slack: f64, size: f64| {
            is_met &= slack >= -MISS * size;
            is_clear &= slack.abs() > UNCLEAR * size;
            is_refuted |= slack < -UNCLEAR * size;
        };
        for (i, contact) in self.problem.contacts.iter().enumerate() {
            let f = &force[3 * i..3 * i + 3];
            match self.modes[i] {
                TouchMode::Lift => ask(acceleration[3 * i], terms),
                TouchMode::Slide => ask(f[0], size),
                TouchMode::Stick => {
                    let (reach, limit) = (f[1].hypot(f[2]), contact.friction.mu_s() * f[0]);
                    ask(f[0], size);
                    ask(limit - reach, reach + limit.abs());
                }
                TouchMode::Onset => {}
            }
        }
        for (j, pivot) in self.problem.pivots.iter().enumerate() {
            let row = self.pivot_row(j);
            match self.pivots[j] {
                PivotMode::Held => {
                    let limit = pivot.friction.mu_s() * force[3 * pivot.contact];
                    let reach = force[row].abs();
                    ask(limit - reach, reach + limit.abs());
                }
                mode if pivot.sense.is_none() && mode != PivotMode::Free => {
                    ask(mode.sense() * acceleration[row], terms);
                }
                _ => {}
            }
        }
        (is_met, is_clear || is_refuted)
    }
}
