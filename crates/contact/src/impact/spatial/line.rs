//! A straight piece: sticking, slip along an invariant direction, slip without friction.

use carom_numeric::quadratic::step_over_area;

use super::flow::{Flow, dot, length};
use super::path::SpatialMode;
use super::piece::Piece;
use super::state::{Goal, State};

/// A piece along which all rates per unit of normal impulse are constant; its variable is that impulse.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    start: State,
    /// `dx/dp`
    x: [f64; 2],
    /// `dp_t/dp`
    p_t: [f64; 2],
    /// `dv_n/dp`
    v_n: f64,
    length: f64,
    mode: SpatialMode,
}

impl Line {
    /// The contact sticks: `dp_t = −c dp`, `dv_n = σ dp`, for ever.
    pub(super) fn stuck(flow: &Flow, start: State) -> Self {
        Self {
            start,
            x: [0.0; 2],
            p_t: flow.c.map(|c| 0.0 - c),
            v_n: flow.sigma,
            length: f64::INFINITY,
            mode: SpatialMode::Stick,
        }
    }

    /// Slip along the invariant direction `u`, growing at the rate `r`; until it halts, if it does.
    pub(super) fn along(flow: &Flow, start: State, u: [f64; 2], r: f64) -> Self {
        let slip = start.slip();
        Self {
            start: State {
                x: [slip * u[0], slip * u[1]],
                ..start
            },
            x: [r * u[0], r * u[1]],
            p_t: [-flow.mu * u[0], -flow.mu * u[1]],
            v_n: flow.normal_slope(u),
            length: if r < 0.0 { -slip / r } else { f64::INFINITY },
            mode: SpatialMode::Slip,
        }
    }

    /// Slip without friction, `dx = b dp`; until it halts, if it passes through rest.
    pub(super) fn frictionless(flow: &Flow, start: State) -> Self {
        let u = {
            let slip = start.slip();
            [start.x[0] / slip, start.x[1] / slip]
        };
        let is_head_on = flow.is_invariant(u) && dot(u, flow.b) < 0.0;
        Self {
            start,
            x: flow.b,
            p_t: [0.0; 2],
            v_n: flow.nn,
            length: if is_head_on {
                start.slip() / length(flow.b)
            } else {
                f64::INFINITY
            },
            mode: SpatialMode::Slip,
        }
    }

    pub(super) fn is_endless(&self) -> bool {
        self.length == f64::INFINITY
    }

    /// The limits of an endless line.
    fn far(&self) -> State {
        let grown = |v: f64, rate: f64| {
            if rate == 0.0 { v } else { rate * f64::INFINITY }
        };
        let v_n = grown(self.start.v_n, self.v_n);
        State {
            p: f64::INFINITY,
            v_n,
            w_n: grown(self.start.w_n, v_n),
            ..self.start
        }
    }
}

impl Piece for Line {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, p: f64) -> State {
        let start = &self.start;
        let ends = p == self.length;
        let x = if ends {
            [0.0; 2]
        } else {
            [start.x[0] + self.x[0] * p, start.x[1] + self.x[1] * p]
        };
        let v_n = start.v_n + self.v_n * p;
        let mean = [0.5 * (start.x[0] + x[0]), 0.5 * (start.x[1] + x[1])];
        let p_t = [self.p_t[0] * p, self.p_t[1] * p];
        State {
            p: start.p + p,
            p_t: [start.p_t[0] + p_t[0], start.p_t[1] + p_t[1]],
            x,
            v_n,
            w_n: start.w_n + 0.5 * (start.v_n + v_n) * p,
            w_t: [
                start.w_t[0] + mean[0] * p_t[0],
                start.w_t[1] + mean[0] * p_t[1],
                start.w_t[2] + mean[1] * p_t[1],
            ],
        }
    }

    fn last(&self) -> State {
        if self.is_endless() {
            self.far()
        } else {
            self.at(self.length)
        }
    }

    fn value(&self, goal: Goal, p: f64) -> (f64, f64) {
        let at = self.at(p);
        let slope = match goal {
            Goal::NormalVelocity => self.v_n,
            Goal::Impulse => 1.0,
            Goal::NormalWork => at.v_n,
        };
        (at.value(goal), slope)
    }

    fn mode(&self) -> SpatialMode {
        self.mode
    }

    fn points_between(&self) -> usize {
        0
    }

    fn reach(&self, goal: Goal, target: f64, from: f64, to: f64) -> f64 {
        let at = self.at(from);
        let step = match goal {
            Goal::NormalVelocity => (target - at.v_n) / self.v_n,
            Goal::Impulse => target - at.p,
            Goal::NormalWork if self.v_n >= 0.0 => {
                step_over_area(at.v_n, self.v_n, target - at.w_n)
            }
            // The first of the two roots: v_n falls.
            Goal::NormalWork => {
                let left = 2.0 * (target - at.w_n);
                left / (at.v_n + (at.v_n * at.v_n + self.v_n * left).max(0.0).sqrt())
            }
        };
        (from + step.max(0.0)).min(to)
    }
}
