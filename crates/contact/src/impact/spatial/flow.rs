//! The flow of slip: how fast a slip of a given direction grows, turns and parts the bodies.

use super::problem::SpatialImpact;
use super::state::State;
use crate::contact_space::TIE;

/// Round-off of a rate relative to its terms, after a turn of the axes.
const ROUND_OFF: f64 = 2.0 * TIE;

/// A slip below this part of the speeds of the problem is rest.
const REST: f64 = 1e-17;

/// Where σ = 0, `v_n⁻ − c·x⁻` below this part of its terms is zero: the contact point moves with two
/// coordinates, whatever their numbers say in their last digits.
const ON_SURFACE: f64 = 1e-12;

/// One impact in the principal axes of `W_tt` and in units in which its largest speed and inverse mass
/// are of order one: powers of two, so that no digit depends on units.
///
/// With `x = v_t = s u`, p the normal impulse and `' = d/dp`:
///
/// ```text
/// x' = b − μΛu,   s' = r(u) = u·x',   s φ' = g(u) = u_⊥·x',   v_n' = k(u) = W_nn − μ b·u
/// dg/dφ = −r − μ W_⊥⊥
/// ```
///
/// The flow is `−W_tt` times the gradient of the convex `μ|x| − c·x`.
///
/// Reference: `Keller1986`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    pub(super) mu: f64,
    mu_s: f64,
    pub(super) lambda: [f64; 2],
    pub(super) b: [f64; 2],
    pub(super) c: [f64; 2],
    pub(super) nn: f64,
    pub(super) sigma: f64,
    /// `v_n` at a halt where σ = 0.
    held: f64,
    /// Size of the speeds before.
    speed: f64,
    /// A turning rate below this is round-off.
    noise: f64,
    pub(super) units: Units,
}

/// Units of a problem: powers of two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    /// Of velocity (m/s).
    pub(super) v: f64,
    /// Of impulse (N·s).
    pub(super) p: f64,
}

/// The power of two at or below a number; one for zero.
fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let power = f64::from_bits(x.to_bits() & EXPONENT);
    if power > 0.0 { power } else { 1.0 }
}

#[inline]
pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline]
pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(super) fn length(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}

/// The vector turned by 90°.
#[inline]
pub(super) fn across(u: [f64; 2]) -> [f64; 2] {
    [-u[1], u[0]]
}

/// `x`, or exactly zero where it is round-off of terms as large as `scale`.
#[inline]
fn unless_tied(x: f64, scale: f64) -> f64 {
    if x.abs() <= ROUND_OFF * scale { 0.0 } else { x }
}

impl Flow {
    /// The flow of an impact, and the state it starts in.
    pub(super) fn of(impact: &SpatialImpact) -> (Self, State) {
        let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
        let [l_1, l_2] = w.principal_values();
        let most_v = v.n.abs().max(v.t[0].abs()).max(v.t[1].abs());
        let (unit_v, unit_w) = (power_of_two(most_v), power_of_two(w.nn().max(l_2)));
        let scaled = |x: [f64; 2], unit: f64| [x[0] / unit, x[1] / unit];
        let b = scaled(w.coupling(), unit_w);
        let c = w.stuck_friction();
        let mut x = scaled(w.to_axes(v.t), unit_v);
        let v_n = v.n / unit_v;
        let speed = v_n.abs() + length(x);
        if l_1 == 0.0 && x[0].abs() <= 8.0 * TIE * length(x) {
            x[0] = 0.0; // nothing moves the point across, and nothing did
        }
        let (mu, most) = (friction.mu_d(), l_2 / unit_w);
        let terms = v_n.abs() + (c[0] * x[0]).abs() + (c[1] * x[1]).abs();
        let held = v_n - dot(c, x);
        let flow = Self {
            mu,
            mu_s: friction.mu_s(),
            lambda: [l_1 / unit_w, most],
            b,
            c,
            nn: w.nn() / unit_w,
            sigma: w.nn_stuck() / unit_w,
            held: if held.abs() <= ON_SURFACE * terms {
                0.0
            } else {
                held
            },
            speed,
            noise: ROUND_OFF * (mu * most + length(b)),
            units: Units {
                v: unit_v,
                p: unit_v / unit_w,
            },
        };
        (flow, State::start(x, v_n))
    }

    /// `r = ds/dp` of a slip along `u`; zero where it is round-off of its terms.
    #[inline]
    pub(super) fn growth(&self, u: [f64; 2]) -> f64 {
        let (pull, drag) = (dot(self.b, u), self.mu * self.along(u));
        unless_tied(pull - drag, pull.abs() + drag)
    }

    /// `g = s dφ/dp` of a slip along `u`.
    #[inline]
    pub(super) fn turn(&self, u: [f64; 2]) -> f64 {
        let apart = self.mu * (self.lambda[1] - self.lambda[0]);
        cross(u, self.b) - apart * u[0] * u[1]
    }

    /// `dg/dφ = −r − μ W_⊥⊥`.
    #[inline]
    pub(super) fn turn_slope(&self, u: [f64; 2]) -> f64 {
        -(dot(self.b, u) - self.mu * self.along(u)) - self.mu * self.along(across(u))
    }

    /// `k = dv_n/dp` of a slip along `u`; zero where it is round-off of its terms.
    #[inline]
    pub(super) fn normal_slope(&self, u: [f64; 2]) -> f64 {
        let lean = self.mu * dot(self.b, u);
        unless_tied(self.nn - lean, self.nn + lean.abs())
    }

    /// `W_uu`.
    #[inline]
    pub(super) fn along(&self, u: [f64; 2]) -> f64 {
        self.lambda[0] * u[0] * u[0] + self.lambda[1] * u[1] * u[1]
    }

    /// Whether a slip along `u` does not turn, but for round-off.
    #[inline]
    pub(super) fn is_invariant(&self, u: [f64; 2]) -> bool {
        self.turn(u).abs() <= self.noise
    }

    /// Whether a slip is as good as none.
    #[inline]
    pub(super) fn is_rest(&self, slip: f64) -> bool {
        slip <= REST * self.speed
    }

    /// How much larger than a slip the speeds of the problem are.
    pub(super) fn spared(&self, slip: f64) -> f64 {
        (self.speed / slip).max(1.0)
    }

    /// Whether the static cone holds a contact at rest, `μ_s >= |c|`.
    pub(super) fn holds(&self) -> bool {
        self.mu_s >= length(self.c) * (1.0 - ROUND_OFF)
    }

    /// Whether slip along the outgoing direction is consistent too, `μ_d < |c| <= μ_s`.
    pub(super) fn only_static_holds(&self) -> bool {
        self.holds() && self.mu < length(self.c) * (1.0 - ROUND_OFF)
    }

    /// The directions between which pressing makes the bodies approach, `k < 0`: around `b`, and only
    /// where `μ > μ_P = W_nn/|b|`.
    pub(super) fn jam_arc(&self) -> Option<[[f64; 2]; 2]> {
        let size = length(self.b);
        let lean = self.mu * size;
        if lean <= self.nn {
            return None;
        }
        let (cos, axis) = (self.nn / lean, [self.b[0] / size, self.b[1] / size]);
        let sin = ((1.0 - cos) * (1.0 + cos)).sqrt();
        let side = across(axis);
        let turned = |sin: f64| [cos * axis[0] + sin * side[0], cos * axis[1] + sin * side[1]];
        Some([turned(sin), turned(-sin)])
    }

    /// A normal velocity, or zero where it is round-off of the terms it is the sum of.
    #[inline]
    pub(super) fn settled(&self, state: &State) -> f64 {
        if !state.p.is_finite() {
            return state.v_n; // the limit of an endless line
        }
        let terms = self.speed + self.nn * state.p + dot(self.b, state.p_t).abs();
        unless_tied(state.v_n, terms)
    }

    /// A state at which slip has halted: where σ = 0 its normal velocity is known without the path.
    pub(super) fn at_halt(&self, state: &State) -> State {
        State {
            x: [0.0; 2],
            v_n: if self.sigma == 0.0 {
                self.held
            } else {
                self.settled(state)
            },
            ..*state
        }
    }

    /// The direction in which slip leaves rest, and its rate: the one with `r > 0`, when `μ < |c|`.
    ///
    /// ```text
    /// u = (μΛ + r)⁻¹ b,   |u| = 1
    /// ```
    ///
    /// Newton's method on `1/|u(r)|`, which is concave: from below it never overshoots.
    pub(super) fn outgoing(&self) -> ([f64; 2], f64) {
        let drag = [self.mu * self.lambda[0], self.mu * self.lambda[1]];
        let b = self.b.map(f64::abs);
        let mut r = (length(b) - drag[1])
            .max(b[0] - drag[0])
            .max(b[1] - drag[1]);
        r = r.max(0.0);
        let part = |b: f64, rate: f64| if b == 0.0 { 0.0 } else { b / rate };
        let mut u = [1.0, 0.0];
        for _ in 0..MOST_NEWTON {
            u = [part(self.b[0], drag[0] + r), part(self.b[1], drag[1] + r)];
            let size = length(u);
            let fall = part(u[0] * u[0], drag[0] + r) + part(u[1] * u[1], drag[1] + r);
            let step = (size - 1.0) * size * size / fall;
            u = [u[0] / size, u[1] / size];
            if !(step > f64::EPSILON * r) {
                break;
            }
            r += step;
        }
        (u, r)
    }
}

/// Newton steps allowed; quadratic convergence needs fewer than ten.
const MOST_NEWTON: usize = 60;
