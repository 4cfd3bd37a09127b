//! A curved piece: slip that turns, as a power series in a time that never stiffens.

use super::flow::{Flow, dot};
use super::piece::Piece;
use super::state::{Goal, State};

/// Order of the series: about −ln(round-off)/2, where digits per operation are cheapest.
const ORDER: usize = 20;

/// Terms kept, the constant one included.
const TERMS: usize = ORDER + 1;

/// Error allowed in a step, relative to the slip at its start.
const STEP_ERROR: f64 = 0.5 * f64::EPSILON;

/// Cosine of the largest turn in one step (about a radian).
const LARGEST_TURN: f64 = 0.54;

/// Quantities carried by the series, in units of the slip at the start and of its square.
const LANES: usize = 10;
const X_1: usize = 0;
const X_2: usize = 1;
const P: usize = 2;
const SUM_1: usize = 3;
const SUM_2: usize = 4;
const V_N: usize = 5;
const WORK: usize = 6;
const SQUARE_11: usize = 7;
const SQUARE_12: usize = 8;
const SQUARE_22: usize = 9;

/// A step of the slip in the pseudo-time `dτ = dp/s`, in which the equations are polynomial:
///
/// ```text
/// x' = −μΛx + s b,   s² = x·x,   p' = s,   p_t' = −μx,   v_n' = W_nn s − μ b·x,   W_n' = v_n s
/// ```
///
/// The coefficients follow one from another by convolution. The step is as long as the last two of each
/// series allow; one alone may vanish.
#[derive(Debug, Clone)]
pub(super) struct Taylor {
    start: State,
    mu: f64,
    slip: f64,
    length: f64,
    terms: [[f64; LANES]; TERMS],
    /// Coefficients of s.
    s: [f64; TERMS],
    turn: f64,
}

impl Taylor {
    /// The step from a state that slips along `u`.
    pub(super) fn step(flow: &Flow, start: &State, u: [f64; 2]) -> Self {
        let slip = start.slip();
        let mut step = Self {
            start: *start,
            mu: flow.mu,
            slip,
            length: 0.0,
            terms: [[0.0; LANES]; TERMS],
            s: [0.0; TERMS],
            turn: 0.0,
        };
        step.expand(flow, u);
        step.length = step.longest();
        for _ in 0..MOST_HALVINGS {
            let [x_1, x_2, ..] = step.sums(step.length);
            let x = [x_1, x_2];
            let cos = dot(u, x) / dot(x, x).sqrt();
            step.turn = cos.clamp(-1.0, 1.0).acos();
            if cos > LARGEST_TURN {
                break;
            }
            step.length *= 0.5;
        }
        step
    }

    /// The coefficients, order by order.
    fn expand(&mut self, flow: &Flow, u: [f64; 2]) {
        let drag = [flow.mu * flow.lambda[0], flow.mu * flow.lambda[1]];
        let mut x = [[0.0; TERMS]; 2];
        let mut v = [0.0; TERMS];
        let s = &mut self.s;
        (x[0][0], x[1][0], s[0]) = (u[0], u[1], 1.0);
        let v_start = self.start.v_n;
        for k in 0..TERMS {
            let [mut q_11, mut q_12, mut q_22, mut ss, mut vs] = [0.0; 5];
            for j in 0..=k {
                q_11 += x[0][j] * x[0][k - j];
                q_12 += x[0][j] * x[1][k - j];
                q_22 += x[1][j] * x[1][k - j];
            }
            for j in 1..k {
                ss += s[j] * s[k - j];
            }
            if k > 0 {
                s[k] = 0.5 * (q_11 + q_22 - ss);
            }
            for j in 1..=k {
                vs += v[j] * s[k - j];
            }
            let next = 1.0 / (k + 1) as f64;
            let rate_v = flow.nn * s[k] - flow.mu * (flow.b[0] * x[0][k] + flow.b[1] * x[1][k]);
            let here = &mut self.terms[k];
            (here[X_1], here[X_2]) = (x[0][k], x[1][k]);
            here[P] = s[k] * next;
            (here[SUM_1], here[SUM_2]) = (x[0][k] * next, x[1][k] * next);
            here[V_N] = rate_v * next;
            here[WORK] = (v_start * s[k] + self.slip * vs) * next;
            here[SQUARE_11] = q_11 * next;
            here[SQUARE_12] = q_12 * next;
            here[SQUARE_22] = q_22 * next;
            if k + 1 < TERMS {
                x[0][k + 1] = (flow.b[0] * s[k] - drag[0] * x[0][k]) * next;
                x[1][k + 1] = (flow.b[1] * s[k] - drag[1] * x[1][k]) * next;
                v[k + 1] = rate_v * next;
            }
        }
    }

    /// The longest step whose last two terms are round-off, whichever series they belong to.
    fn longest(&self) -> f64 {
        let work = self.start.v_n.abs().max(self.slip);
        let size = |k: usize| {
            let here = &self.terms[k];
            let others = here[X_1].abs().max(here[X_2].abs()).max(self.s[k].abs());
            let squares = here[SQUARE_11].abs().max(here[SQUARE_22].abs());
            others.max(squares).max(here[WORK].abs() / work)
        };
        let reach = |k: usize| (STEP_ERROR / size(k)).powf(1.0 / k as f64);
        reach(ORDER).min(reach(ORDER - 1)).min(f64::MAX)
    }

    /// The series at τ: x as it is, the others but for their factor τ.
    #[inline]
    fn sums(&self, tau: f64) -> [f64; LANES] {
        let mut sums = self.terms[ORDER];
        for here in self.terms[..ORDER].iter().rev() {
            for (sum, term) in sums.iter_mut().zip(here) {
                *sum = *sum * tau + term;
            }
        }
        sums
    }

    /// Value and derivative of one integrated series.
    fn series(&self, lane: usize, tau: f64) -> (f64, f64) {
        let (mut value, mut slope) = (0.0, 0.0);
        for here in self.terms.iter().rev() {
            slope = slope * tau + value;
            value = value * tau + here[lane];
        }
        (value * tau, value + slope * tau)
    }
}

/// Halvings allowed: a step never turns by more than a few radians.
const MOST_HALVINGS: usize = 20;

/// Radians between drawn points.
const DRAWN_TURN: f64 = 0.1;

impl Piece for Taylor {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, tau: f64) -> State {
        let (sums, start, slip) = (self.sums(tau), &self.start, self.slip);
        let by = slip * tau;
        let friction = -self.mu * by;
        let work = friction * slip;
        State {
            p: start.p + by * sums[P],
            p_t: [
                start.p_t[0] + friction * sums[SUM_1],
                start.p_t[1] + friction * sums[SUM_2],
            ],
            x: [slip * sums[X_1], slip * sums[X_2]],
            v_n: start.v_n + by * sums[V_N],
            w_n: start.w_n + by * sums[WORK],
            w_t: [
                start.w_t[0] + work * sums[SQUARE_11],
                start.w_t[1] + work * sums[SQUARE_12],
                start.w_t[2] + work * sums[SQUARE_22],
            ],
        }
    }

    fn value(&self, goal: Goal, tau: f64) -> (f64, f64) {
        let (lane, start) = match goal {
            Goal::NormalVelocity => (V_N, self.start.v_n),
            Goal::Impulse => (P, self.start.p),
            Goal::NormalWork => (WORK, self.start.w_n),
        };
        let (value, slope) = self.series(lane, tau);
        (start + self.slip * value, self.slip * slope)
    }

    fn points_between(&self) -> usize {
        1 + (self.turn / DRAWN_TURN) as usize
    }
}
