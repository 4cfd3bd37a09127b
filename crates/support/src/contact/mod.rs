//! Random impacts, with their ties and zeros.

pub mod audit;
pub mod book;
pub mod cone;
pub mod exact;
pub mod forward;
pub mod forward_in_space;
pub mod mechanism;
pub mod several;
pub mod spatial;

use carom_contact::contact_space::{Friction, PlanarDelassus, PlanarVector};
use carom_contact::impact::Law;
use carom_contact::impact::planar::{PlanarImpact, PlanarSolution, solve};
use fastrand::Rng;

pub use crate::near::{assert_close, largest};
pub use crate::random::{between, chance, count, either_sign};

/// The laws that follow Routh's path.
pub const ROUTH: [Law; 3] = [Law::Newton, Law::Poisson, Law::Energetic];

/// The numbers of one planar impact, legal or not: W = [[a, c], [c, b]].
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    pub a: f64,
    pub c: f64,
    pub b: f64,
    pub v_n: f64,
    pub v_t: f64,
    pub mu_s: f64,
    pub mu_d: f64,
    pub restitution: f64,
}

impl Problem {
    /// The impact, unless the library refuses it.
    pub fn try_impact(&self) -> Option<PlanarImpact> {
        let v = PlanarVector {
            n: self.v_n,
            t: self.v_t,
        };
        let w = PlanarDelassus::new(self.a, self.c, self.b).ok()?;
        let friction = Friction::new(self.mu_s, self.mu_d).ok()?;
        PlanarImpact::new(w, v, friction, self.restitution).ok()
    }

    /// The impact of legal numbers.
    #[track_caller]
    pub fn impact(&self) -> PlanarImpact {
        self.try_impact()
            .unwrap_or_else(|| panic!("{self:?} is refused"))
    }

    /// Its solution by `law`.
    #[track_caller]
    pub fn solve(&self, law: Law) -> PlanarSolution {
        solve(&self.impact(), law).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Rates (dv_n, dv_t)/dp_n of the slip the impact starts with.
    pub fn slip_rates(&self) -> (f64, f64) {
        let friction = -self.mu_d * self.v_t.signum();
        (self.a + friction * self.c, self.c + friction * self.b)
    }

    /// An impact in general position: no tie, no zero, both leanings, W well away from singular.
    pub fn general(rng: &mut Rng) -> Self {
        let (a, b) = (
            10f64.powf(either_sign(rng, 1.0)),
            10f64.powf(either_sign(rng, 1.0)),
        );
        let mu_s = if chance(rng, 0.2) {
            between(rng, 0.0, 5.0)
        } else {
            between(rng, 0.0, 1.2)
        };
        let is_one_coefficient = rng.bool();
        Self {
            a,
            c: either_sign(rng, 0.98) * (a * b).sqrt(),
            b,
            v_n: -(10f64.powf(between(rng, -1.0, 0.5))),
            v_t: either_sign(rng, 3.0),
            mu_s,
            mu_d: if is_one_coefficient {
                mu_s
            } else {
                mu_s * rng.f64()
            },
            restitution: rng.f64(),
        }
    }

    /// An impact with a good chance of a tie, a zero, a jam slope or a singular W.
    pub fn delicate(rng: &mut Rng) -> Self {
        let mut problem = Self::general(rng);
        problem.twist_inertia(rng);
        problem.twist_friction(rng);
        match rng.u8(0..10) {
            0 => problem.restitution = 0.0,
            1 => problem.restitution = 1.0,
            _ => {}
        }
        problem.twist_velocity(rng);
        problem
    }

    fn twist_inertia(&mut self, rng: &mut Rng) {
        match rng.u8(0..100) {
            0..5 => self.c = 0.0,
            5..7 => (self.c, self.b) = (0.0, 0.0),
            7 => (self.a, self.c) = (0.0, 0.0),
            8..16 => self.make_singular(rng),
            16..21 => {
                let lean = 1.0 - 10f64.powf(between(rng, -12.0, -2.0));
                self.c = lean.copysign(self.c) * (self.a * self.b).sqrt();
            }
            _ => {}
        }
    }

    /// One degree of freedom: rows n and t over one inertia; the velocity may be its own.
    fn make_singular(&mut self, rng: &mut Rng) {
        let (n, t, m) = (
            either_sign(rng, 1.0),
            either_sign(rng, 1.0),
            between(rng, 0.1, 3.0),
        );
        (self.a, self.c, self.b) = (n * n / m, n * t / m, t * t / m);
        if chance(rng, 0.7) {
            (self.v_n, self.v_t) = (-n.abs(), -t * n.signum());
        }
    }

    fn twist_friction(&mut self, rng: &mut Rng) {
        let threshold = if self.b > 0.0 {
            self.c.abs() / self.b
        } else {
            0.0
        };
        let ulps = |rng: &mut Rng| 1.0 + f64::from(rng.i8(-30..=30)) * f64::EPSILON;
        let jam = if self.c == 0.0 {
            1.0
        } else {
            self.a / self.c.abs()
        };
        let is_one_coefficient = rng.bool();
        match rng.u8(0..100) {
            0..8 => self.mu_s = 0.0,
            8..16 => self.mu_s = threshold,
            16..20 => self.mu_s = threshold * ulps(rng),
            20..35 => self.mu_s = jam * between(rng, 1.01, 3.0),
            35..40 => self.mu_s = jam,
            40..42 => self.mu_s = jam * ulps(rng),
            42..45 => self.mu_s = jam * (1.0 - 10f64.powf(between(rng, -12.0, -4.0))),
            _ => return,
        }
        self.mu_d = if is_one_coefficient {
            self.mu_s
        } else {
            self.mu_s * rng.f64()
        };
    }

    fn twist_velocity(&mut self, rng: &mut Rng) {
        let near = 1.0 + either_sign(rng, 1.0) * 10f64.powf(between(rng, -16.0, -4.0));
        let longer = 1.0 + self.restitution;
        match rng.u8(0..100) {
            0..8 => self.v_t = 0.0,
            8..12 => self.v_n = 0.0,
            12..20 => (self.v_n, self.v_t) = (0.0, self.v_t.abs().copysign(self.c)),
            20..28 => self.v_t = self.v_t.abs().copysign(self.c),
            28..36 => self.halt_at(1.0),
            36..40 => self.halt_at(near),
            40..44 => self.halt_at(longer),
            44..47 => self.halt_at(longer * near),
            47..50 => self.v_n = -self.v_n,
            50 => (self.v_n, self.v_t) = (0.0, 0.0),
            _ => {}
        }
    }

    /// Makes slip halt at this many times the impulse of greatest compression, if it can.
    fn halt_at(&mut self, times: f64) {
        let (rate_n, rate_t) = self.slip_rates();
        if rate_n > 0.0 && rate_t * self.v_t < 0.0 {
            let slip = (rate_t * self.v_n / rate_n).abs() * times;
            if slip <= self.v_t.abs() {
                self.v_t = slip.copysign(self.v_t);
            } else {
                self.v_n = (self.v_t * rate_n / rate_t) / times;
            }
        }
    }
}
