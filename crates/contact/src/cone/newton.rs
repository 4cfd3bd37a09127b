//! Semismooth Newton's method for one proximal problem.

use carom_numeric::orthogonal::length;
use carom_numeric::{Cholesky, Lu};

use super::piece::{Piece, piece};
use super::pivot::PivotPiece;
use super::scene::Scene;

/// Iterations on the map of Alart and Curnier of `FC(W + αI, q − α anchor)`, with a line search.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    pub(super) alpha: f64,
    pub(super) anchor: Vec<f64>,
    u: Vec<f64>,
    f: Vec<f64>,
    pieces: Vec<Piece>,
    pivots: Vec<PivotPiece>,
    jacobian: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    normal: Vec<f64>,
    lu: Lu,
    cholesky: Cholesky,
    pub(super) iterations: usize,
    /// Values of the map among which a step may bring down the largest, 1 to [`MEMORY`].
    pub(super) memory: usize,
}

/// Most values of the map that are remembered.
const MEMORY: usize = 5;

/// How a run of Newton's method ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewtonEnd {
    /// The map is zero up to round-off, or as near as asked.
    Met,
    /// No step brings it down, or it took too many.
    Stuck,
}

impl Newton {
    /// Steps of one run.
    const STEPS: usize = 60;
    /// Halvings of one step.
    const HALVINGS: usize = 14;
    /// Part of the decrease the slope promises that a step must bring.
    const ARMIJO: f64 = 1e-4;
    /// Round-off of the map, beside the sizes of what it is made of.
    const ROUND_OFF: f64 = 2.0 * f64::EPSILON;
    /// Damping beside the mean diagonal of `JᵀJ`, where J is singular.
    const DAMPING: f64 = 1e-12;

    pub(super) fn start(&mut self, scene: &Scene) {
        let n = scene.n;
        for list in [
            &mut self.anchor,
            &mut self.u,
            &mut self.f,
            &mut self.step,
            &mut self.trial,
            &mut self.normal,
        ] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.pieces.clear();
        self.pieces.resize(scene.contacts.len(), Piece::default());
        self.pivots.clear();
        self.pivots
            .resize(scene.pivots.len(), PivotPiece::default());
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
        self.iterations = 0;
    }

    /// Brings `r` to the answer of the proximal problem, the map below `wanted`.
    pub(super) fn run(&mut self, scene: &Scene, wanted: f64, r: &mut [f64]) -> NewtonEnd {
        let mut size = self.evaluate(scene, r);
        let mut recent = [size; MEMORY];
        for step in 0..Self::STEPS {
            let floor = Self::ROUND_OFF * (1.0 + length(r));
            if size <= wanted.max(floor) {
                return NewtonEnd::Met;
            }
            self.iterations += 1;
            self.assemble(scene);
            if !self.direction() {
                return NewtonEnd::Stuck;
            }
            let memory = self.memory.clamp(1, MEMORY);
            recent[step % memory] = size;
            let largest = recent[..memory].iter().fold(0.0f64, |a, b| a.max(*b));
            match self.search(scene, largest, r) {
                Some(less) => size = less,
                None => return NewtonEnd::Stuck,
            }
        }
        NewtonEnd::Stuck
    }

    /// The generalised Jacobian of the problem itself at `r`, by rows.
    pub(super) fn jacobian_at(&mut self, scene: &Scene, r: &[f64]) -> &[f64] {
        self.alpha = 0.0;
        self.evaluate(scene, r);
        self.assemble(scene);
        &self.jacobian
    }

    /// Pieces and values at `r`; the size of the map.
    fn evaluate(&mut self, scene: &Scene, r: &[f64]) -> f64 {
        scene.velocity(r, &mut self.u);
        for (i, u) in self.u.iter_mut().enumerate() {
            *u += self.alpha * (r[i] - self.anchor[i]);
        }
        for (i, law) in scene.contacts.iter().enumerate() {
            let at = |x: &[f64]| [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
            let rho = scene.rho[i].map(|rho| rho / (1.0 + self.alpha * rho));
            self.pieces[i] = piece(law, rho, at(r), at(&self.u));
            self.f[3 * i..3 * i + 3].copy_from_slice(&self.pieces[i].f);
        }
        for (j, law) in scene.pivots.iter().enumerate() {
            let mut state = scene.pivot_state(j, r, &self.u);
            state.rho = state.rho.map(|rho| rho / (1.0 + self.alpha * rho));
            self.pivots[j] = state.piece(law, scene.contacts[law.contact].floor);
            self.f[scene.pivot_row(j)] = self.pivots[j].f;
        }
        length(&self.f)
    }

    /// The Jacobian of the map, `A + B (W + αI)`.
    fn assemble(&mut self, scene: &Scene) {
        let n = scene.n;
        self.jacobian.fill(0.0);
        let mut add = |at: usize, column: usize, a: f64, b: f64| {
            let row = &mut self.jacobian[at * n..(at + 1) * n];
            if b != 0.0 {
                let other = scene.row(column);
                row.iter_mut().zip(other).for_each(|(x, w)| *x += b * w);
            }
            row[column] += a + self.alpha * b;
        };
        for (i, piece) in self.pieces.iter().enumerate() {
            for a in 0..3 {
                for b in 0..3 {
                    add(3 * i + a, 3 * i + b, piece.a[a][b], piece.b[a][b]);
                }
            }
        }
        for (j, piece) in self.pivots.iter().enumerate() {
            let row = scene.pivot_row(j);
            add(row, 3 * scene.pivots[j].contact, piece.a[0], piece.b[0]);
            add(row, row, piece.a[1], piece.b[1]);
        }
    }

    /// `J step = −F`; where J is singular, the damped least squares step.
    fn direction(&mut self) -> bool {
        let n = self.f.len();
        if self.lu.factor(&self.jacobian, n) {
            self.lu.solve(&self.f, &mut self.step);
        } else if !self.least_squares(n) {
            return false;
        }
        self.step.iter_mut().for_each(|x| *x = -*x);
        self.step.iter().all(|x| x.is_finite())
    }

    /// `(JᵀJ + ε) step = Jᵀ F`.
    fn least_squares(&mut self, n: usize) -> bool {
        let (jacobian, f) = (&self.jacobian, &self.f);
        self.normal.clear();
        self.normal.resize(n * n, 0.0);
        self.step.fill(0.0);
        for (row, f) in jacobian.chunks_exact(n).zip(f) {
            for (i, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let out = &mut self.normal[i * n..(i + 1) * n];
                out.iter_mut().zip(row).for_each(|(sum, y)| *sum += x * y);
            }
            self.step.iter_mut().zip(row).for_each(|(s, x)| *s += x * f);
        }
        let trace: f64 = (0..n).map(|i| self.normal[i * n + i]).sum();
        let damping = Self::DAMPING * trace / n as f64;
        (0..n).for_each(|i| self.normal[i * n + i] += damping);
        if self.cholesky.factor(&self.normal, n).is_err() {
            return false;
        }
        self.cholesky.solve_lower(&mut self.step);
        self.cholesky.solve_lower_transposed(&mut self.step);
        true
    }

    /// Halves the step until it brings the map down enough; its new size.
    fn search(&mut self, scene: &Scene, size: f64, r: &mut [f64]) -> Option<f64> {
        let mut part = 1.0;
        for _ in 0..Self::HALVINGS {
            let mut trial = std::mem::take(&mut self.trial);
            for (i, x) in trial.iter_mut().enumerate() {
                *x = r[i] + part * self.step[i];
            }
            let found = self.evaluate(scene, &trial);
            let is_down = found <= size * (1.0 - Self::ARMIJO * part);
            if is_down {
                r.copy_from_slice(&trial);
            }
            self.trial = trial;
            if is_down {
                return Some(found);
            }
            part *= 0.5;
        }
        None
    }
}
