//! The proximal point method around Newton's, and what is tried when it does not arrive.

use super::newton::{Newton, NewtonEnd};
use super::problem::{ConeInputError, ConeProblem};
use super::residual::{ConeMode, ConeResidual, mode, residual};
use super::scene::Scene;

/// Solver of cone problems; its buffers serve any number of them.
#[derive(Debug, Clone, Default)]
pub struct ConeSolver {
    pub(super) scene: Scene,
    newton: Newton,
    /// Scaled: the best answer so far and its velocity, the point of a run.
    pub(super) r: Vec<f64>,
    pub(super) u: Vec<f64>,
    point: Vec<f64>,
    at_point: Vec<f64>,
    impulse: Vec<f64>,
    velocity: Vec<f64>,
    modes: Vec<ConeMode>,
}

/// What a solver found, beside impulses, velocities and modes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConeEnd {
    /// Whether the natural residual is below [`ConeSolver::SOLVED`]; if not, the nearest point is given.
    pub is_solved: bool,
    /// What is missed.
    pub residual: ConeResidual,
    /// Proximal problems.
    pub outer: usize,
    /// Newton steps in all of them.
    pub newton: usize,
    /// Schedules of α that were started.
    pub schedules: usize,
}

impl ConeSolver {
    /// A natural residual below this is an answer.
    pub const SOLVED: f64 = 1e-10;
    /// Where a run stops: round-off of a residual.
    const ROUND_OFF: f64 = 1e-15;
    /// Proximal problems of one schedule.
    const OUTER: usize = 40;
    /// Greatest α of each schedule.
    const CAPS: [f64; 4] = [0.1, 1.0, 10.0, 1e-3];
    /// α beside the residual.
    const SHARE: f64 = 5.0;
    /// Newton steps up to which a proximal problem was easy.
    const EASY: usize = 4;
    /// Proximal problems in a row that may fail to halve the residual.
    const PATIENCE: usize = 6;

    /// An empty solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds an answer.
    pub fn solve(&mut self, problem: &ConeProblem<'_>) -> Result<ConeEnd, ConeInputError> {
        problem.check()?;
        self.scene.take(problem);
        let n = self.scene.n;
        self.newton.start(n);
        for list in [
            &mut self.r,
            &mut self.u,
            &mut self.point,
            &mut self.at_point,
            &mut self.impulse,
            &mut self.velocity,
        ] {
            list.clear();
            list.resize(n, 0.0);
        }
        let end = self.search();
        self.give();
        Ok(end)
    }

    /// Schedules in turn until one arrives.
    fn search(&mut self) -> ConeEnd {
        let mut end = ConeEnd {
            is_solved: false,
            residual: ConeResidual::default(),
            outer: 0,
            newton: 0,
            schedules: 0,
        };
        let mut least = f64::INFINITY;
        for cap in Self::CAPS {
            end.schedules += 1;
            self.point.fill(0.0);
            let found = self.descend(cap, &mut end.outer);
            if found < least {
                least = found;
                self.r.copy_from_slice(&self.point);
            }
            if least <= Self::SOLVED {
                break;
            }
        }
        self.scene.velocity(&self.r, &mut self.u);
        end.residual = residual(&self.scene, &self.r, &self.u);
        end.is_solved = end.residual.natural <= Self::SOLVED;
        end.newton = self.newton.iterations;
        end
    }

    /// One schedule from `point`: `r ← FC(W + αI, q − αr)`, α falling with the residual. The residual.
    fn descend(&mut self, cap: f64, outer: &mut usize) -> f64 {
        let mut error = self.miss();
        let (mut factor, mut idle) = (1.0, 0);
        for _ in 0..Self::OUTER {
            if error <= Self::ROUND_OFF || idle > Self::PATIENCE {
                break;
            }
            *outer += 1;
            self.newton.alpha = cap.min(Self::SHARE * error) * factor;
            self.newton.anchor.copy_from_slice(&self.point);
            let before = self.newton.iterations;
            let wanted = Self::ROUND_OFF.min(error);
            let end = self.newton.run(&self.scene, wanted, &mut self.point);
            let found = self.miss();
            let steps = self.newton.iterations - before;
            idle = if found <= 0.5 * error { 0 } else { idle + 1 };
            if found < error && (end == NewtonEnd::Met || found < 0.5 * error) {
                error = found;
                factor *= if steps <= Self::EASY { 0.1 } else { 1.0 };
            } else {
                self.point.copy_from_slice(&self.newton.anchor);
                factor *= 10.0;
            }
        }
        error
    }

    /// The natural residual of `point`.
    fn miss(&mut self) -> f64 {
        self.scene.velocity(&self.point, &mut self.at_point);
        residual(&self.scene, &self.point, &self.at_point).natural
    }

    /// The answer in the units given.
    fn give(&mut self) {
        let scene = &self.scene;
        for i in 0..scene.n {
            self.impulse[i] = self.r[i] * scene.impulse_unit;
            self.velocity[i] = self.u[i] * scene.velocity_unit;
        }
        self.modes.clear();
        let modes = (0..scene.contacts.len()).map(|i| mode(scene, i, &self.r, &self.u));
        self.modes.extend(modes);
    }

    /// Impulses r, three for each contact (N·s).
    pub fn impulse(&self) -> &[f64] {
        &self.impulse
    }

    /// Velocities u = W r + q (m/s).
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// What each contact does.
    pub fn modes(&self) -> &[ConeMode] {
        &self.modes
    }
}
