//! The paper's numerical method, (4)–(11): RK4 with a fixed step and linear interpolation.
//!
//! Kept to measure it; Carom's own runs do not use it.

use super::equations::FREE;
use super::pendulum::{Angles, Pendulum};
use super::routh::routh;

/// When a step is taken to hold a collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detection {
    /// (9) as printed: f changes its sign.
    ChangeOfSign,
    /// f goes from positive to negative.
    Falling,
}

/// The paper's method with its step.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaperMethod {
    pub(super) pendulum: Pendulum,
    pub(super) step: f64,
    pub(super) mu: f64,
    pub(super) detection: Detection,
}

/// A collision it found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) before: Angles,
    /// c(0): negative when the bodies approach (m/s).
    pub(super) closing: f64,
}

impl PaperMethod {
    /// One step of the classical fourth-order Runge–Kutta method for (5).
    pub(super) fn advance(&self, at: &Angles, h: f64) -> Angles {
        let slope = |at: &Angles| [at.rate, self.pendulum.acceleration(&FREE, 0.0, at)];
        let shift = |[v, a]: [[f64; 2]; 2], h: f64| Angles {
            psi: [0, 1].map(|i| at.psi[i] + h * v[i]),
            rate: [0, 1].map(|i| at.rate[i] + h * a[i]),
        };
        let k1 = slope(at);
        let k2 = slope(&shift(k1, h / 2.0));
        let k3 = slope(&shift(k2, h / 2.0));
        let k4 = slope(&shift(k3, h));
        let mean = [0, 1]
            .map(|j| [0, 1].map(|i| (k1[j][i] + 2.0 * k2[j][i] + 2.0 * k3[j][i] + k4[j][i]) / 6.0));
        shift(mean, h)
    }

    /// Steps until `duration`; every collision by (9), (10), (11) and Routh's method.
    pub(super) fn collisions(&self, start: Angles, duration: f64) -> Vec<Found> {
        let (mut t, mut at, mut found) = (0.0, start, Vec::new());
        while t < duration && found.len() < MOST_COLLISIONS {
            let next = self.advance(&at, self.step);
            let (f, f_next) = (self.pendulum.f(at.psi), self.pendulum.f(next.psi));
            if !self.detects(f, f_next) {
                (t, at) = (t + self.step, next);
                continue;
            }
            let instant = interpolated_instant(t, self.step, f, f_next);
            if instant > duration {
                break;
            }
            let before = interpolated_state(&at, &next, f, f_next);
            found.push(Found {
                time: instant,
                before,
                closing: self.pendulum.c(before.psi, before.rate),
            });
            (t, at) = (instant, self.struck(&before));
        }
        found
    }

    fn detects(&self, f: f64, f_next: f64) -> bool {
        match self.detection {
            Detection::ChangeOfSign => f * f_next < 0.0,
            Detection::Falling => f > 0.0 && f_next < 0.0,
        }
    }

    /// Rates after the collision, by (36) and the lines of Fig. 4; unchanged where there is none.
    pub(super) fn struck(&self, before: &Angles) -> Angles {
        let p = &self.pendulum;
        let k = p.coefficients(before.psi);
        let start = [p.s(before.psi, before.rate), p.c(before.psi, before.rate)];
        let Some(end) = routh(&k, start, self.mu, p.restitution) else {
            return *before;
        };
        // A Δω = J_sᵀ T̄ + J_cᵀ F̄
        let push = [[1.0, 0.0], [0.0, 1.0]]
            .map(|unit| p.s(before.psi, unit) * end.t + p.c(before.psi, unit) * end.f);
        let [[a11, a12], [_, a22]] = p.a(before.psi);
        let det = p.determinant(before.psi);
        Angles {
            psi: before.psi,
            rate: [
                before.rate[0] + (a22 * push[0] - a12 * push[1]) / det,
                before.rate[1] + (a11 * push[1] - a12 * push[0]) / det,
            ],
        }
    }
}

/// A run that detects more collisions than this is not going anywhere.
const MOST_COLLISIONS: usize = 1000;

/// t* of (10).
pub(super) fn interpolated_instant(t: f64, h: f64, f: f64, f_next: f64) -> f64 {
    (f * (t + h) - f_next * t) / (f - f_next)
}

/// ψ(t*−) and ψ̇(t*−) of (11).
pub(super) fn interpolated_state(at: &Angles, next: &Angles, f: f64, f_next: f64) -> Angles {
    let mix = |a: f64, b: f64| (b * f - a * f_next) / (f - f_next);
    Angles {
        psi: [0, 1].map(|i| mix(at.psi[i], next.psi[i])),
        rate: [0, 1].map(|i| mix(at.rate[i], next.rate[i])),
    }
}
