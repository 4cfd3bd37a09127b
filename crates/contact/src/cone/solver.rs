//! The proximal point method around Newton's, and what is tried when it does not arrive.

use super::newton::{Newton, NewtonEnd};
use super::phase::ImpactPhase;
use super::pivot::{ConePivot, PivotMode};
use super::problem::{ConeInputError, ConeProblem};
use super::residual::{ConeMode, ConeResidual, MODE_SIDE, mode, residual, slips};
use super::scene::Scene;
use super::sweep::sweep;
use super::uniqueness::ConeUniqueness;

/// Solver of cone problems; its buffers serve any number of them.
///
/// ```
/// use carom_contact::cone::{ConeContact, ConeMode, ConeProblem, ConeSolver, Verdict};
///
/// // A unit of mass that meets a floor with μ = 0.5: it keeps half of its slip (0.6, −0.8).
/// let w = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
/// let (q, contacts) = ([-1.0, 0.6, -0.8], [ConeContact::new(0.5)]);
/// let mut solver = ConeSolver::new();
/// let end = solver.solve(&ConeProblem { w: &w, q: &q, contacts: &contacts })?;
/// assert!(end.is_solved && end.residual.natural < 1e-14);
/// assert_eq!(solver.modes(), [ConeMode::Slide]);
/// assert!((solver.velocity()[1] - 0.3).abs() < 1e-14);
/// assert_eq!(solver.uniqueness().velocity, Verdict::Unique);
/// # Ok::<(), carom_contact::cone::ConeInputError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ConeSolver {
    pub(super) scene: Scene,
    newton: Newton,
    /// Scaled: the best answer so far and its velocity, the point of a run.
    pub(super) r: Vec<f64>,
    pub(super) u: Vec<f64>,
    point: Vec<f64>,
    at_point: Vec<f64>,
    best: Vec<f64>,
    impulse: Vec<f64>,
    velocity: Vec<f64>,
    modes: Vec<ConeMode>,
    pivots: Vec<PivotMode>,
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

/// How α falls, and from where.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    /// Greatest α.
    cap: f64,
    start: Start,
    /// Values of the map among which a Newton step may bring down the largest.
    memory: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// No impulse.
    Zero,
    /// Every contact alone, in damped sweeps.
    Sweeps,
    /// Along the answers of `W + αI` with falling α.
    Compliance,
    /// Along the answers with friction growing to its value.
    Friction,
}

impl Schedule {
    const fn of(cap: f64, start: Start, memory: usize) -> Self {
        Self { cap, start, memory }
    }
}

impl ConeSolver {
    /// A natural residual below this is an answer.
    pub const SOLVED: f64 = 1e-10;
    /// Where a run stops: round-off of a residual.
    const ROUND_OFF: f64 = 1e-15;
    /// Proximal problems of one schedule.
    const OUTER: usize = 40;
    /// Schedules in turn.
    const SCHEDULES: [Schedule; 8] = [
        Schedule::of(0.1, Start::Zero, 1),
        Schedule::of(1.0, Start::Zero, 1),
        Schedule::of(0.1, Start::Sweeps, 1),
        Schedule::of(0.1, Start::Zero, 5),
        Schedule::of(1.0, Start::Sweeps, 5),
        Schedule::of(1.0, Start::Compliance, 1),
        Schedule::of(0.1, Start::Friction, 1),
        Schedule::of(1e-3, Start::Sweeps, 5),
    ];
    /// Steps of a path to a start.
    const PATH: i32 = 16;
    /// α from which a path of compliance starts.
    const SOFT: f64 = 8.0;
    /// Greatest α around an answer that is known.
    const NEAR: f64 = 1e-4;
    /// α does not fall below this as long as the residual falls: what W leaves open is then chosen by the path of
    /// α, not by round-off.
    const LEAST_ALPHA: f64 = 1e-6;
    /// α beside the residual.
    const SHARE: f64 = 5.0;
    /// Newton steps up to which a proximal problem was easy.
    const EASY: usize = 4;
    /// Proximal problems in a row that may fail to halve the residual.
    const PATIENCE: usize = 10;

    /// An empty solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds an answer.
    pub fn solve(&mut self, problem: &ConeProblem<'_>) -> Result<ConeEnd, ConeInputError> {
        self.solve_with(problem, &[])
    }

    /// The same where contacts resist pivoting: W and q have a row for each pivot after those of the contacts.
    pub fn solve_with(
        &mut self,
        problem: &ConeProblem<'_>,
        pivots: &[ConePivot],
    ) -> Result<ConeEnd, ConeInputError> {
        problem.check(pivots)?;
        self.scene.take(problem, pivots);
        let n = self.scene.n;
        self.newton.start(&self.scene);
        for list in [
            &mut self.r,
            &mut self.u,
            &mut self.point,
            &mut self.at_point,
            &mut self.best,
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
        for schedule in Self::SCHEDULES {
            end.schedules += 1;
            self.newton.memory = schedule.memory;
            self.begin(schedule.start);
            let found = self.descend(schedule.cap, &mut end.outer);
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

    /// Brings `point` to a start.
    fn begin(&mut self, start: Start) {
        self.point.fill(0.0);
        match start {
            Start::Zero => {}
            Start::Sweeps => sweep(&self.scene, &mut self.point, &mut self.at_point),
            Start::Compliance => {
                self.newton.anchor.fill(0.0);
                for step in 0..Self::PATH {
                    self.newton.alpha = Self::SOFT * 0.5f64.powi(step);
                    self.newton
                        .run(&self.scene, Self::ROUND_OFF, &mut self.point);
                }
            }
            Start::Friction => {
                for step in 1..Self::PATH {
                    let part = f64::from(step) / f64::from(Self::PATH);
                    self.scene.weaken_friction(part);
                    self.descend(Self::NEAR, &mut 0);
                }
                self.scene.weaken_friction(1.0);
            }
        }
    }

    /// One schedule from `point`: `r ← FC(W + αI, q − αr)`, α falling with the residual. The residual.
    fn descend(&mut self, cap: f64, outer: &mut usize) -> f64 {
        let mut error = self.miss();
        self.best.copy_from_slice(&self.point);
        let (mut factor, mut idle, mut least) = (1.0, 0, error);
        let mut floor = Self::LEAST_ALPHA;
        for _ in 0..Self::OUTER {
            if error <= Self::ROUND_OFF || idle > Self::PATIENCE {
                break;
            }
            *outer += 1;
            let wanted = cap.min(Self::SHARE * error) * factor;
            self.newton.alpha = wanted.max(floor);
            self.newton.anchor.copy_from_slice(&self.point);
            let before = self.newton.iterations;
            let end = self
                .newton
                .run(&self.scene, Self::ROUND_OFF, &mut self.point);
            let found = self.miss();
            let steps = self.newton.iterations - before;
            if wanted < floor && found > 0.1 * error {
                floor *= 0.1;
            }
            idle = if found <= 0.5 * least { 0 } else { idle + 1 };
            if end == NewtonEnd::Met || found < 0.5 * error {
                error = found;
                factor *= if steps <= Self::EASY { 0.1 } else { 1.0 };
            } else {
                self.point.copy_from_slice(&self.newton.anchor);
                factor *= 10.0;
            }
            if error < least {
                least = error;
                self.best.copy_from_slice(&self.point);
            }
        }
        self.point.copy_from_slice(&self.best);
        least
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
        self.pivots.clear();
        let pivots = 0..scene.pivots.len();
        let pivots = pivots.map(|j| scene.pivot_mode(j, &self.r, &self.u, MODE_SIDE));
        self.pivots.extend(pivots);
    }

    /// Whether the scaled answer meets its laws.
    pub(super) fn is_solved(&self) -> bool {
        residual(&self.scene, &self.r, &self.u).natural <= Self::SOLVED
    }

    /// The generalised Jacobian at the answer, by rows.
    pub(super) fn jacobian(&mut self) -> &[f64] {
        self.newton.jacobian_at(&self.scene, &self.r)
    }

    /// The scaled answer that is found from a scaled start, its velocity and natural residual.
    pub(super) fn answer_from(&mut self, start: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
        self.point.copy_from_slice(start);
        self.newton.memory = 1;
        let miss = self.descend(Self::NEAR, &mut 0);
        self.scene.velocity(&self.point, &mut self.at_point);
        (self.point.clone(), self.at_point.clone(), miss)
    }

    /// Whether contact `i` slips at the answer.
    pub(super) fn slips(&self, i: usize) -> bool {
        slips(&self.scene, i, &self.r, &self.u)
    }

    /// An answer of the problem that was solved last as a phase of an impact: what is zero by the mode of a
    /// contact is zero.
    pub(super) fn phase_at(
        &self,
        mut impulse: Vec<f64>,
        uniqueness: &ConeUniqueness,
        is_solved: bool,
    ) -> ImpactPhase {
        let scene = &self.scene;
        let r: Vec<f64> = impulse.iter().map(|p| p / scene.impulse_unit).collect();
        let mut u = vec![0.0; scene.n];
        scene.velocity(&r, &mut u);
        let residual = residual(scene, &r, &u);
        let mut v: Vec<f64> = u.iter().map(|u| u * scene.velocity_unit).collect();
        let modes = (0..scene.contacts.len()).map(|i| mode(scene, i, &r, &u));
        let modes: Vec<ConeMode> = modes.collect();
        for (i, mode) in modes.iter().enumerate() {
            match mode {
                ConeMode::Open if scene.contacts[i].floor == 0.0 => {
                    impulse[3 * i..3 * i + 3].fill(0.0);
                    continue;
                }
                ConeMode::Open => {}
                ConeMode::Stick | ConeMode::Slide => v[3 * i] = 0.0,
            }
            if !slips(scene, i, &r, &u) {
                v[3 * i + 1..3 * i + 3].fill(0.0);
            }
        }
        ImpactPhase {
            is_solved,
            impulse,
            v,
            modes,
            residual,
            uniqueness: uniqueness.clone(),
        }
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

    /// What each pivot does.
    pub fn pivots(&self) -> &[PivotMode] {
        &self.pivots
    }
}
