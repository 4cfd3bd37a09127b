//! A curved piece near an invariant direction: the approach to a halt, or the leaving, in closed form.

use super::flow::{Flow, across, cross, dot};
use super::piece::Piece;
use super::state::{Goal, State};

/// Powers of ξ kept.
const TERMS: usize = 24;

/// An invariant direction is looked for within this angle (rad) of the slip.
const NEAR: f64 = 0.25;

/// Terms below this part of the first are round-off.
const NEGLIGIBLE: f64 = 1e-17;

/// The piece ends where ξ, or the slip, has shrunk by this factor: a straight line from there.
const SHRUNK: f64 = 1e-20;

/// Repelled slip is followed in this form only if ξ grows at least by this factor.
const WORTHWHILE: f64 = 2.0;

/// Slip near a direction u with `g(u) = 0`, in the coordinate ξ in which turning is linear.
///
/// ```text
/// ξ' = g'ξ,   x = ŝ e^{rτ} Σ (A_k u + B_k u_⊥) ξ^k,   s = ŝ e^{rτ} Σ S_k ξ^k,   k = 0, 1, …
/// A_0 = S_0 = 1,  B_0 = 0,   B_1 = 1,  A_1 = S_1 = −μW_u⊥/g'
/// D_k = ½ Σ_{0<j<k} (A_j A_{k−j} + B_j B_{k−j} − S_j S_{k−j}),   S_k = A_k + D_k
/// (k−1) g' B_k = μW_u⊥ D_k,   k g' A_k = (r + μW_uu) D_k − μW_u⊥ B_k
/// ```
///
/// with `τ` the pseudo-time, `dτ = dp/s`. Every integral is a sum of `(e^{aτ} − 1)/a`, which has no small
/// divisor. Slip that halts does so at `τ = ∞`: the impulse there is a sum of as many terms as are kept.
///
/// The variable of the piece is `y = ŝ (e^{rτ} − 1)/r`, the impulse but for the powers of ξ.
#[derive(Debug, Clone)]
pub(super) struct NormalForm {
    flow: Flow,
    start: State,
    /// The invariant direction.
    pub(super) u: [f64; 2],
    /// Growth rate r of slip along it.
    pub(super) r: f64,
    /// g'
    turning: f64,
    slip: f64,
    xi: f64,
    tau: f64,
    length: f64,
    used: usize,
    last: State,
    /// Coefficients of `dv_n`, as S of `dp`.
    normal: [f64; TERMS],
    coefficients: Coefficients,
}

#[derive(Debug, Clone, Copy)]
struct Coefficients {
    along: [f64; TERMS],
    across: [f64; TERMS],
    s: [f64; TERMS],
    /// Of `x_u²`, `x_u x_⊥`, `x_⊥²`.
    squares: [[f64; TERMS]; 3],
}

impl Coefficients {
    fn new(flow: &Flow, u: [f64; 2], r: f64, turning: f64) -> Self {
        let drag = r + flow.mu * flow.along(u);
        let mixed = flow.mu * (flow.lambda[1] - flow.lambda[0]) * u[0] * u[1];
        let (mut a, mut b, mut s) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        (a[0], s[0], b[1]) = (1.0, 1.0, 1.0);
        (a[1], s[1]) = (-mixed / turning, -mixed / turning);
        let mut squares = [[0.0; TERMS]; 3];
        (squares[0][0], squares[0][1], squares[1][1]) = (1.0, 2.0 * a[1], 1.0);
        for k in 2..TERMS {
            let [mut aa, mut ab, mut bb, mut ss] = [0.0; 4];
            for j in 1..k {
                aa += a[j] * a[k - j];
                ab += a[j] * b[k - j];
                bb += b[j] * b[k - j];
                ss += s[j] * s[k - j];
            }
            let d = 0.5 * (aa + bb - ss);
            b[k] = mixed * d / ((k - 1) as f64 * turning);
            a[k] = (drag * d - mixed * b[k]) / (k as f64 * turning);
            s[k] = a[k] + d;
            squares[0][k] = aa + 2.0 * a[k];
            squares[1][k] = ab + b[k];
            squares[2][k] = bb;
        }
        Self {
            along: a,
            across: b,
            s,
            squares,
        }
    }

    /// `W_nn s − μ b·x`, the rate of the normal velocity.
    fn normal(&self, flow: &Flow, u: [f64; 2]) -> [f64; TERMS] {
        let (along, side) = (flow.mu * dot(flow.b, u), flow.mu * dot(flow.b, across(u)));
        let mut normal = [0.0; TERMS];
        for k in 0..TERMS {
            normal[k] = flow.nn * self.s[k] - along * self.along[k] - side * self.across[k];
        }
        normal
    }

    /// Largest ξ at which the last two terms of each series are negligible.
    fn reach(&self) -> f64 {
        let size = |k: usize| {
            let largest = self.along[k].abs().max(self.across[k].abs());
            let squares = self.squares[0][k].abs().max(self.squares[2][k].abs());
            largest.max(self.s[k].abs()).max(squares)
        };
        let at = |k: usize| (NEGLIGIBLE / size(k)).powf(1.0 / k as f64);
        at(TERMS - 1).min(at(TERMS - 2)).min(NEAR)
    }

    /// ξ of a slip at the angle δ from the direction: `Σ B ξ^k cos δ = Σ A ξ^k sin δ`.
    fn place(&self, sin: f64, cos: f64) -> Option<f64> {
        let mut xi = sin;
        for _ in 0..MOST_NEWTON {
            let (mut value, mut slope) = (0.0, 0.0);
            for k in (0..TERMS).rev() {
                slope = slope * xi + value;
                value = value * xi + (self.across[k] * cos - self.along[k] * sin);
            }
            let step = value / slope;
            xi -= step;
            if step.abs() <= f64::EPSILON * xi.abs() {
                return Some(xi);
            }
        }
        None
    }
}

const MOST_NEWTON: usize = 12;

/// How far the series of the direction last tried reaches, so as not to expand it in vain again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    u: [f64; 2],
    reach: f64,
}

/// The invariant direction next to a slip along `u`, by Newton's method on g, and verified.
fn invariant_near(flow: &Flow, u: [f64; 2]) -> Option<[f64; 2]> {
    let mut found = u;
    for _ in 0..MOST_NEWTON {
        let step = -flow.turn(found) / flow.turn_slope(found);
        if !(step.abs() <= NEAR) {
            return None;
        }
        let side = across(found);
        let next = [found[0] + step * side[0], found[1] + step * side[1]];
        let size = dot(next, next).sqrt();
        found = [next[0] / size, next[1] / size];
        if step.abs() <= f64::EPSILON {
            break;
        }
    }
    let is_near = dot(found, u) > 0.0 && cross(found, u).abs() <= NEAR;
    (is_near && flow.is_invariant(found)).then_some(found)
}

impl NormalForm {
    /// The piece that starts in a state with slip along `direction`, where an invariant direction is near
    /// enough for the series.
    pub(super) fn near(
        flow: &Flow,
        start: &State,
        direction: [f64; 2],
        known: &mut Known,
    ) -> Option<Self> {
        let u = invariant_near(flow, direction)?;
        if dot(u, known.u) > 0.999 && cross(u, direction).abs() > known.reach {
            return None;
        }
        let (r, turning) = (dot(flow.b, u) - flow.mu * flow.along(u), flow.turn_slope(u));
        let coefficients = Coefficients::new(flow, u, r, turning);
        let reach = coefficients.reach();
        *known = Known { u, reach };
        let xi = coefficients.place(cross(u, direction), dot(u, direction))?;
        let grows = turning > 0.0;
        let room = if grows { reach / WORTHWHILE } else { reach };
        if !(xi.abs() <= room && xi != 0.0) {
            return None;
        }
        let sum = (0..TERMS)
            .rev()
            .fold(0.0, |sum, k| sum * xi + coefficients.s[k]);
        let slip = start.slip() / sum;
        let by_angle = if grows {
            (reach / xi.abs()).ln() / turning
        } else {
            (SHRUNK / xi.abs()).ln() / turning
        };
        let by_slip = if r < 0.0 {
            SHRUNK.ln() / r
        } else {
            f64::INFINITY
        };
        let tau = by_angle.min(by_slip).max(0.0);
        // ξ is largest at the end where it grows, else at the start.
        let most = if grows { reach } else { xi.abs() };
        let ratio = most * (NEAR / reach);
        let used = (1..TERMS).find(|k| ratio.powi(*k as i32) < 1e-4 * NEGLIGIBLE);
        let mut form = Self {
            flow: *flow,
            start: *start,
            u,
            r,
            turning,
            slip,
            xi,
            tau,
            length: risen(r, tau, slip, slip * (r * tau).exp()),
            used: used.unwrap_or(TERMS),
            last: *start,
            normal: coefficients.normal(flow, u),
            coefficients,
        };
        form.last = form.evaluate(form.length).0;
        form.length.is_finite().then_some(form)
    }

    /// Whether slip comes to the direction.
    pub(super) fn is_attracting(&self) -> bool {
        self.turning < 0.0
    }

    /// The pseudo-time of y.
    fn time(&self, y: f64) -> f64 {
        let ratio = self.r * y / self.slip;
        let tau = if ratio == 0.0 {
            y / self.slip
        } else {
            ratio.ln_1p() / self.r
        };
        tau.min(self.tau)
    }

    /// The state, and `dp/dy`.
    fn evaluate(&self, y: f64) -> (State, f64) {
        let (tau, c) = (self.time(y), &self.coefficients);
        let [mut x_u, mut x_w, mut s, mut p, mut sum_u, mut sum_w] = [0.0; 6];
        let mut squares = [0.0; 3];
        let (growth, decay) = ((self.r * tau).exp(), (self.turning * tau).exp());
        let (mut power, mut late) = (1.0, 1.0); // ξ^k at the start, and here
        for k in 0..self.used {
            let rate = self.r + k as f64 * self.turning;
            let here = growth * late;
            let over = risen(rate, tau, power, here);
            let twice = risen(rate + self.r, tau, power, growth * here);
            x_u += c.along[k] * here;
            x_w += c.across[k] * here;
            s += c.s[k] * here;
            p += c.s[k] * over;
            sum_u += c.along[k] * over;
            sum_w += c.across[k] * over;
            for (sum, term) in squares.iter_mut().zip(&c.squares) {
                *sum += term[k] * twice;
            }
            power *= self.xi;
            late *= self.xi * decay;
        }
        let slope = s / growth;
        (self.assemble([x_u, x_w], p, [sum_u, sum_w], squares), slope)
    }

    /// From sums along u and across it, in units of the slip, to the state.
    fn assemble(&self, x: [f64; 2], p: f64, sum: [f64; 2], squares: [f64; 3]) -> State {
        let (flow, start, slip) = (&self.flow, &self.start, self.slip);
        let [c, s] = self.u;
        let turned =
            |x: [f64; 2], by: f64| [by * (c * x[0] - s * x[1]), by * (s * x[0] + c * x[1])];
        let p = slip * p;
        let p_t = turned(sum, -flow.mu * slip);
        let [uu, uw, ww] = squares.map(|square| -flow.mu * slip * slip * square);
        let w_t = [
            c * c * uu - 2.0 * c * s * uw + s * s * ww,
            c * s * (uu - ww) + (c * c - s * s) * uw,
            s * s * uu + 2.0 * c * s * uw + c * c * ww,
        ];
        let energy = start.energy_of(flow, p, p_t);
        State {
            p: start.p + p,
            p_t: [start.p_t[0] + p_t[0], start.p_t[1] + p_t[1]],
            x: turned(x, slip),
            v_n: start.v_n + flow.nn * p + dot(flow.b, p_t),
            w_n: start.w_n + (energy - w_t[0] - w_t[2]),
            w_t: [
                start.w_t[0] + w_t[0],
                start.w_t[1] + w_t[1],
                start.w_t[2] + w_t[2],
            ],
        }
    }
}

/// `f (e^{aτ} − 1)/a`, from `f` and `f e^{aτ}`: their difference, unless they are near one another.
#[inline]
fn risen(a: f64, tau: f64, from: f64, to: f64) -> f64 {
    let z = a * tau;
    if z == 0.0 {
        from * tau
    } else if z.abs() < 0.5 {
        from * z.exp_m1() / a
    } else {
        (to - from) / a
    }
}

impl Piece for NormalForm {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, y: f64) -> State {
        self.evaluate(y).0
    }

    fn last(&self) -> State {
        self.last
    }

    fn value(&self, goal: Goal, y: f64) -> (f64, f64) {
        if goal == Goal::NormalWork {
            let (state, p) = self.evaluate(y);
            return (state.w_n, state.v_n * p);
        }
        let c = match goal {
            Goal::Impulse => &self.coefficients.s,
            _ => &self.normal,
        };
        let tau = self.time(y);
        let (growth, decay) = ((self.r * tau).exp(), (self.turning * tau).exp());
        let (mut power, mut late) = (1.0, 1.0);
        let (mut value, mut slope) = (0.0, 0.0);
        for k in 0..self.used {
            let rate = self.r + k as f64 * self.turning;
            value += c[k] * risen(rate, tau, power, growth * late);
            slope += c[k] * late;
            power *= self.xi;
            late *= self.xi * decay;
        }
        let start = self.start.value(goal);
        (start + self.slip * value, slope)
    }

    fn points_between(&self) -> usize {
        8
    }
}
