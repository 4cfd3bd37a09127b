//! Random impacts in space, and a second route to their answers.

use carom_contact::contact_space::{Friction, SpatialDelassus, SpatialVector};
use carom_contact::impact::Law;
use carom_contact::impact::spatial::SpatialImpact;
use fastrand::Rng;

use crate::random::{between, chance, either_sign};

/// The numbers of one impact in space: whitened rows n, t1, t2, velocity, coefficients.
#[derive(Debug, Clone)]
pub struct SpatialProblem {
    pub rows: [Vec<f64>; 3],
    pub v: [f64; 3],
    pub mu_s: f64,
    pub mu_d: f64,
    pub restitution: f64,
}

/// Relative error of the whitened rows.
const ROUND_OFF: f64 = 1e-14;

impl SpatialProblem {
    /// A mechanism of `degrees` coordinates in general position, its contact closing.
    pub fn general(rng: &mut Rng, degrees: usize) -> Self {
        let inertia: Vec<f64> = (0..degrees)
            .map(|_| 10f64.powf(either_sign(rng, 0.7)))
            .collect();
        let row = |rng: &mut Rng| -> Vec<f64> {
            let jac = inertia.iter().map(|m| either_sign(rng, 1.0) / m.sqrt());
            jac.collect()
        };
        let rows = [row(rng), row(rng), row(rng)];
        let rates: Vec<f64> = (0..degrees).map(|_| either_sign(rng, 1.0)).collect();
        let speed = |row: &Vec<f64>| row.iter().zip(&rates).map(|(a, b)| a * b).sum::<f64>();
        let v = [speed(&rows[0]), speed(&rows[1]), speed(&rows[2])];
        let sign = if v[0] > 0.0 { -1.0 } else { 1.0 };
        let most = if chance(rng, 0.2) { 4.0 } else { 1.2 };
        let mu = between(rng, 0.0, most);
        Self {
            rows,
            v: v.map(|v| sign * v),
            mu_s: mu,
            mu_d: mu,
            restitution: rng.f64(),
        }
    }

    /// One with a good chance of few degrees of freedom, a tie, a zero, a threshold.
    pub fn delicate(rng: &mut Rng) -> Self {
        let degrees = 1 + rng.usize(..12);
        let mut x = Self::general(rng, degrees);
        match rng.u8(0..100) {
            0..2 => x.rows[2].fill(0.0),
            2 => (x.rows[1], x.rows[2]) = (vec![0.0; degrees], vec![0.0; degrees]),
            3..5 => x.rows[2] = x.rows[1].iter().map(|a| 0.7 * a).collect(),
            _ => {}
        }
        match rng.u8(0..100) {
            0..5 => (x.v[1], x.v[2]) = (0.0, 0.0),
            5..9 => x.v[0] = 0.0,
            9 => x.v[0] = -x.v[0],
            10..14 => {
                let small = 10f64.powf(between(rng, -14.0, -2.0));
                (x.v[1], x.v[2]) = (small * x.v[1], small * x.v[2]);
            }
            _ => {}
        }
        let threshold = x.w().stick_threshold();
        match rng.u8(0..100) {
            0..10 => x.mu_d = threshold * (1.0 + either_sign(rng, 1e-8)),
            10..13 => x.mu_d = threshold,
            13..16 => x.mu_d = 0.0,
            _ => {}
        }
        x.mu_s = if chance(rng, 0.2) {
            x.mu_d * between(rng, 1.0, 2.0)
        } else {
            x.mu_d
        };
        match rng.u8(0..10) {
            0 => x.restitution = 0.0,
            1 => x.restitution = 1.0,
            _ => {}
        }
        x
    }

    pub fn w(&self) -> SpatialDelassus {
        let [n, t_1, t_2] = &self.rows;
        SpatialDelassus::from_vectors(n, [t_1, t_2], ROUND_OFF).unwrap()
    }

    #[track_caller]
    pub fn impact(&self) -> SpatialImpact {
        let v = SpatialVector {
            n: self.v[0],
            t: [self.v[1], self.v[2]],
        };
        let friction = Friction::new(self.mu_s, self.mu_d).unwrap();
        SpatialImpact::new(self.w(), v, friction, self.restitution).unwrap()
    }

    /// The same seen along tangents turned by `angle`.
    pub fn turned(&self, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        let mix = |a: f64, b: f64| [cos * a + sin * b, cos * b - sin * a];
        let mut turned = self.clone();
        for i in 0..self.rows[1].len() {
            [turned.rows[1][i], turned.rows[2][i]] = mix(self.rows[1][i], self.rows[2][i]);
        }
        [turned.v[1], turned.v[2]] = mix(self.v[1], self.v[2]);
        turned
    }

    /// The same in other units: inverse masses times `mass²`, velocities times `speed`.
    pub fn scaled(&self, mass: f64, speed: f64) -> Self {
        let mut scaled = self.clone();
        scaled.rows = scaled
            .rows
            .map(|row| row.iter().map(|x| mass * x).collect());
        scaled.v = scaled.v.map(|v| speed * v);
        scaled
    }
}

/// An end by the second route: impulse, velocity after, normal work.
#[derive(Debug, Clone, Copy)]
pub struct Marched {
    pub p: [f64; 3],
    pub v: [f64; 3],
    pub w_n: f64,
}

/// Impulses along (n, t1, t2) and the normal work.
type Totals = [f64; 4];

/// Follows the impulse itself with a Runge–Kutta method in `dτ = dp/|v_t|`, velocities by `v = v⁻ + W p`;
/// events by halving the step. No principal axes, no series, no invariant direction but the outgoing one.
pub fn march(impact: &SpatialImpact, law: Law) -> Option<Marched> {
    let marching = Marching {
        w: *impact.w().matrix(),
        v: [impact.v_pre().n, impact.v_pre().t[0], impact.v_pre().t[1]],
        mu: impact.friction().mu_d(),
        mu_s: impact.friction().mu_s(),
        restitution: impact.restitution(),
        law,
    };
    marching.run()
}

struct Marching {
    w: [[f64; 3]; 3],
    v: [f64; 3],
    mu: f64,
    mu_s: f64,
    restitution: f64,
    law: Law,
}

/// Steps of the second route, per unit of the fastest rate.
const STEP: f64 = 0.004;
const MOST_STEPS: usize = 200_000;
/// Slip below this part of the speed is rest, for the second route.
const REST: f64 = 1e-11;

/// Sums over phases, as the laws count them.
#[derive(Clone, Copy, Default)]
struct Counted {
    is_restitution: bool,
    from: [f64; 2],
    compression: [f64; 2],
    restitution: [f64; 2],
}

impl Marching {
    fn velocity(&self, y: &Totals) -> [f64; 3] {
        [0, 1, 2].map(|i| self.v[i] + (0..3).map(|j| self.w[i][j] * y[j]).sum::<f64>())
    }

    /// Rates by τ while it slips; by p with friction `held` from rest.
    fn rate(&self, y: &Totals, held: Option<[f64; 2]>) -> Totals {
        let v = self.velocity(y);
        let Some(friction) = held else {
            let slip = v[1].hypot(v[2]);
            return [slip, -self.mu * v[1], -self.mu * v[2], v[0] * slip];
        };
        [1.0, friction[0], friction[1], v[0]]
    }

    fn step(&self, y: &Totals, h: f64, held: Option<[f64; 2]>) -> Totals {
        let add = |k: &Totals, h: f64| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
        let k_1 = self.rate(y, held);
        let k_2 = self.rate(&add(&k_1, 0.5 * h), held);
        let k_3 = self.rate(&add(&k_2, 0.5 * h), held);
        let k_4 = self.rate(&add(&k_3, h), held);
        [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]))
    }

    fn run(&self) -> Option<Marched> {
        let w_t = self.w[1][1] + self.w[2][2];
        let speed = self.v.iter().fold(0.0, |s: f64, v| s.max(v.abs()));
        let h = STEP / (self.mu * w_t + self.w[0][1].hypot(self.w[0][2]));
        let mut held = None;
        let mut stride = 1e-3 * speed / self.w[0][0];
        let mut counted = Counted::default();
        let mut y = [0.0; 4];
        for _ in 0..MOST_STEPS {
            let v = self.velocity(&y);
            if held.is_none() && v[1].hypot(v[2]) <= REST * speed {
                held = Some(self.friction_at_rest());
            }
            let length = if held.is_some() { stride } else { h };
            stride *= if held.is_some() { 1.1 } else { 1.0 };
            let next = self.step(&y, length, held);
            let Some(passed) = self.event(&y, &next, &counted) else {
                y = next;
                continue;
            };
            // The first fraction of the step at which the event has happened.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let there = self.step(&y, middle * length, held);
                if self.event(&y, &there, &counted).is_some() {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let at = self.step(&y, high * length, held);
            if passed == Event::End {
                return Some(self.end(&at));
            }
            counted.change(&at);
            y = at;
            if counted.is_restitution && self.left(&y, &counted) <= 0.0 {
                return Some(self.end(&at));
            }
        }
        None
    }

    fn end(&self, y: &Totals) -> Marched {
        Marched {
            p: [y[0], y[1], y[2]],
            v: self.velocity(y),
            w_n: y[3],
        }
    }

    /// What happens between two places, if something does.
    fn event(&self, from: &Totals, to: &Totals, counted: &Counted) -> Option<Event> {
        let (before, after) = (self.velocity(from)[0], self.velocity(to)[0]);
        if !counted.is_restitution {
            return (after >= 0.0 && after > before).then_some(Event::Turn);
        }
        if self.left(to, counted) <= 0.0 {
            return Some(Event::End);
        }
        (after < 0.0 && after < before).then_some(Event::Turn)
    }

    /// What is left to restore.
    fn left(&self, y: &Totals, counted: &Counted) -> f64 {
        let e = self.restitution;
        let done = |i: usize, value: f64| counted.restitution[i] + value - counted.from[i];
        match self.law {
            Law::Poisson => e * counted.compression[0] - done(0, y[0]),
            Law::Energetic => -e * e * counted.compression[1] - done(1, y[3]),
            _ => -e * self.v[0] - self.velocity(y)[0],
        }
    }

    /// Friction per unit of normal impulse from rest on.
    fn friction_at_rest(&self) -> [f64; 2] {
        let [[_, b_1, b_2], [_, a, h], [_, _, d]] = self.w;
        let det = a * d - h * h;
        let stuck = [(h * b_2 - d * b_1) / det, (h * b_1 - a * b_2) / det];
        if stuck[0].hypot(stuck[1]) <= self.mu_s {
            return stuck;
        }
        let rate = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            [
                b_1 - self.mu * (a * cos + h * sin),
                b_2 - self.mu * (h * cos + d * sin),
            ]
        };
        let turn = |angle: f64| rate(angle)[1] * angle.cos() - rate(angle)[0] * angle.sin();
        let growth = |angle: f64| rate(angle)[0] * angle.cos() + rate(angle)[1] * angle.sin();
        let count = 20_000;
        for i in 0..count {
            let part = std::f64::consts::TAU / f64::from(count);
            let (mut low, mut high) = (part * f64::from(i), part * f64::from(i + 1));
            if turn(low) < 0.0 || turn(high) >= 0.0 || growth(low) <= 0.0 {
                continue; // not attracting, or not outgoing
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if turn(middle) >= 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return [-self.mu * low.cos(), -self.mu * low.sin()];
        }
        stuck
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Event {
    /// `v_n` passes zero.
    Turn,
    End,
}

impl Counted {
    fn change(&mut self, y: &Totals) {
        let here = [y[0], y[3]];
        let sum = if self.is_restitution {
            &mut self.restitution
        } else {
            &mut self.compression
        };
        for i in 0..2 {
            sum[i] += here[i] - self.from[i];
        }
        self.from = here;
        self.is_restitution = !self.is_restitution;
    }
}
