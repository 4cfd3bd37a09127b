//! A curved piece: slip that turns, as a power series in a time that never stiffens.

use super::flow::{Flow, dot};
use super::piece::Piece;
use super::state::{Goal, State};

/// Order of the series: about −ln(round-off)/2, where digits per operation are cheapest.
const ORDER: usize = 20;

/// Terms kept, the constant one included.
const TERMS: usize = ORDER + 1;

/// Error allowed in a step, relative to the speeds of the problem.
const STEP_ERROR: f64 = 0.5 * f64::EPSILON;

/// A small slip is followed to fewer digits of its own: the flow never amplifies an error. But to so many.
const MOST_SPARED: f64 = 1e4;

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

/// Series multiplied with one another: x1, x2, s, v.
const PARTNERS: usize = 4;

/// `1/(k + 1)`
const NEXT: [f64; TERMS] = {
    let mut next = [1.0; TERMS];
    let mut k = 0;
    while k < TERMS {
        next[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    next
};

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
    last: State,
    /// Cosine of the turn from start to end.
    turn: f64,
}

impl Taylor {
    /// The step from a state that slips along `u`.
    pub(super) fn step(flow: &Flow, start: &State, u: [f64; 2]) -> Self {
        let mut step = Self {
            start: *start,
            mu: flow.mu,
            slip: start.slip(),
            length: 0.0,
            terms: [[0.0; LANES]; TERMS],
            last: *start,
            turn: 1.0,
        };
        step.expand(flow, u);
        step.length = step.longest(flow.spared(step.slip).min(MOST_SPARED));
        for _ in 0..MOST_HALVINGS {
            step.last = step.evaluate(step.length);
            let x = step.last.x;
            step.turn = dot(u, x) / dot(x, x).sqrt();
            if step.turn > LARGEST_TURN {
                break;
            }
            step.length *= 0.5;
        }
        step
    }

    /// The coefficients, order by order.
    fn expand(&mut self, flow: &Flow, u: [f64; 2]) {
        let drag = [flow.mu * flow.lambda[0], flow.mu * flow.lambda[1]];
        let pull = [flow.mu * flow.b[0], flow.mu * flow.b[1]];
        let mut rows = [Row::ZERO; TERMS];
        let mut x = u;
        let mut v = 0.0;
        for k in 0..TERMS {
            rows[k] = Row::new(x, 0.0, v);
            let [q_11, q_22, ss, q_12, vs] = products(&rows, k);
            // The products with s_k itself are still missing from s²; v starts from zero.
            let s = if k == 0 {
                1.0
            } else {
                0.5 * (q_11 + q_22 - ss)
            };
            rows[k] = Row::new(x, s, v);
            let next = NEXT[k];
            let v_next = (flow.nn * s - (pull[0] * x[0] + pull[1] * x[1])) * next;
            self.terms[k] = [
                x[0],
                x[1],
                s * next,
                x[0] * next,
                x[1] * next,
                v_next,
                (self.start.v_n * s + self.slip * vs) * next,
                q_11 * next,
                q_12 * next,
                q_22 * next,
            ];
            x = [
                (flow.b[0] * s - drag[0] * x[0]) * next,
                (flow.b[1] * s - drag[1] * x[1]) * next,
            ];
            v = v_next;
        }
    }

    /// The longest step whose last two terms are round-off, whichever series they belong to.
    fn longest(&self, spared: f64) -> f64 {
        let work = self.start.v_n.abs().max(self.slip);
        let size = |k: usize| {
            let here = &self.terms[k];
            let slip = here[X_1]
                .abs()
                .max(here[X_2].abs())
                .max(here[P].abs() / NEXT[k]);
            let squares = here[SQUARE_11].abs().max(here[SQUARE_22].abs());
            slip.max(squares).max(here[WORK].abs() / work)
        };
        let reach = |k: usize| (spared * STEP_ERROR / size(k)).powf(1.0 / k as f64);
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

    fn evaluate(&self, tau: f64) -> State {
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

/// A coefficient of each series, and the same with partners exchanged.
#[derive(Debug, Clone, Copy)]
struct Row {
    own: [f64; PARTNERS],
    exchanged: [f64; PARTNERS],
}

impl Row {
    const ZERO: Self = Self {
        own: [0.0; PARTNERS],
        exchanged: [0.0; PARTNERS],
    };

    #[inline]
    fn new(x: [f64; 2], s: f64, v: f64) -> Self {
        Self {
            own: [x[0], x[1], s, v],
            exchanged: [x[1], x[0], v, s],
        }
    }
}

/// `sum + a b`, side by side.
#[inline]
fn add_products(sum: [f64; PARTNERS], a: &[f64; PARTNERS], b: &[f64; PARTNERS]) -> [f64; PARTNERS] {
    [
        sum[0] + a[0] * b[0],
        sum[1] + a[1] * b[1],
        sum[2] + a[2] * b[2],
        sum[3] + a[3] * b[3],
    ]
}

/// Coefficients k of `x1², x2², s², x1 x2, v s`: sums over pairs of one with another, and the middle one
/// with itself.
#[inline]
fn products(rows: &[Row; TERMS], k: usize) -> [f64; 5] {
    let half = k.div_ceil(2);
    let (mut own, mut exchanged) = ([0.0; PARTNERS], [0.0; PARTNERS]);
    let (first, second) = rows[..=k].split_at(half);
    let second = &second[second.len() - half..];
    for i in 0..half {
        let (a, b) = (&first[i], &second[half - 1 - i]);
        own = add_products(own, &a.own, &b.own);
        exchanged = add_products(exchanged, &a.own, &b.exchanged);
    }
    let [q_11, q_22, ss, _] = own.map(|sum| 2.0 * sum);
    let (q_12, vs) = (exchanged[0] + exchanged[1], exchanged[2] + exchanged[3]);
    if k % 2 == 1 {
        return [q_11, q_22, ss, q_12, vs];
    }
    let [x_1, x_2, s, v] = rows[half].own;
    [
        q_11 + x_1 * x_1,
        q_22 + x_2 * x_2,
        ss + s * s,
        q_12 + x_1 * x_2,
        vs + v * s,
    ]
}

/// Halvings allowed: a step never turns by more than a few radians.
const MOST_HALVINGS: usize = 20;

/// Radians between drawn points.
const DRAWN_TURN: f64 = 0.1;

impl Piece for Taylor {
    fn length(&self) -> f64 {
        self.length
    }

    fn last(&self) -> State {
        self.last
    }

    fn at(&self, tau: f64) -> State {
        self.evaluate(tau)
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
        1 + (self.turn.clamp(-1.0, 1.0).acos() / DRAWN_TURN) as usize
    }
}
