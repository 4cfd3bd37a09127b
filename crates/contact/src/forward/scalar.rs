//! One coordinate in closed form: `a q̈ + b + μ s |c q̈ + d| = τ`.
//!
//! Reference: `Dupont1992`, corrected in `docs/theory/forward-friction.md`.

use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::{ForwardProblem, check_friction, check_number};
use super::system::FACE;
use crate::contact_space::GivenFriction;

/// A system of one coordinate; its load may also depend on the force, `N = c q̈ + d + d_τ τ`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalarFriction {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
    pub(super) d: f64,
    pub(super) d_force: f64,
    pub(super) friction: GivenFriction,
}

/// One answer of one coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalarAnswer {
    /// q̈.
    pub acceleration: f64,
    /// N.
    pub normal_load: f64,
    /// f.
    pub friction_force: f64,
    /// What the element does.
    pub mode: Mode,
}

/// A ray of answers on a singular branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalarRay {
    /// Least acceleration; `None`: unbounded.
    pub low: Option<f64>,
    /// Greatest acceleration; `None`: unbounded.
    pub high: Option<f64>,
    /// What the element does along it.
    pub mode: Mode,
}

/// Every answer of one coordinate, in order of acceleration; never more than three points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScalarAnswers {
    points: [Option<ScalarAnswer>; 4],
    len: usize,
    /// A ray of answers, where `μ|c| = a` and the force is the vertex force.
    pub ray: Option<ScalarRay>,
}

impl ScalarAnswers {
    /// The isolated answers.
    pub fn iter(&self) -> impl Iterator<Item = &ScalarAnswer> {
        self.points[..self.len].iter().flatten()
    }

    /// Number of answers; `None` for a continuum.
    pub fn count(&self) -> Option<usize> {
        self.ray.is_none().then_some(self.len)
    }

    /// Adds an answer in order, unless an earlier one stands at the same place.
    fn add(&mut self, answer: ScalarAnswer, scale: f64) {
        let is_there =
            |other: &ScalarAnswer| (other.acceleration - answer.acceleration).abs() <= FACE * scale;
        if self.iter().any(is_there) || self.len == self.points.len() {
            return;
        }
        let mut place = self.len;
        while place > 0
            && self.points[place - 1].is_some_and(|p| p.acceleration > answer.acceleration)
        {
            self.points[place] = self.points[place - 1];
            place -= 1;
        }
        self.points[place] = Some(answer);
        self.len += 1;
    }
}

/// A branch: the sign of friction times load, that of the velocity, and what the element does.
#[derive(Debug, Clone, Copy)]
struct Sense {
    kappa: f64,
    s: f64,
    mode: Mode,
}

impl ScalarFriction {
    /// Inertia a, bias b, load `c q̈ + d` and coefficients.
    pub fn new(
        a: f64,
        b: f64,
        c: f64,
        d: f64,
        friction: GivenFriction,
    ) -> Result<Self, ForwardInputError> {
        let named = [
            ("inertia", a),
            ("bias", b),
            ("load_matrix", c),
            ("load_offset", d),
        ];
        for (name, value) in named {
            check_number(|| name.to_owned(), value)?;
        }
        if !(a > 0.0) {
            return Err(ForwardInputError::NotPositive {
                path: "inertia".to_owned(),
                value: a,
            });
        }
        check_friction(friction, || "friction".to_owned())?;
        let d_force = 0.0;
        Ok(Self {
            a,
            b,
            c,
            d,
            d_force,
            friction,
        })
    }

    /// The same with a load that also depends on the force, `N = c q̈ + d + d_τ τ`.
    pub fn with_load_per_force(self, d_force: f64) -> Result<Self, ForwardInputError> {
        check_number(|| "load_per_force".to_owned(), d_force)?;
        Ok(Self { d_force, ..self })
    }

    /// The closed form of a problem of one coordinate without contacts.
    pub fn of(problem: &ForwardProblem) -> Result<Self, ForwardInputError> {
        problem.check()?;
        if problem.friction.len() != 1 || !problem.contacts.is_empty() {
            return Err(ForwardInputError::NotDrawn {
                what: "the closed form",
                needs: "one coordinate with friction and no contact",
            });
        }
        Self::new(
            problem.inertia[0][0],
            problem.bias[0],
            problem.load_matrix[0][0],
            problem.load_offset[0],
            problem.friction[0],
        )
    }

    /// Least friction with which answers are not unique, `a/|c|`; `None` where the load does not
    /// depend on the acceleration.
    pub fn critical_friction(&self) -> Option<f64> {
        (self.c != 0.0).then(|| self.a / self.c.abs())
    }

    /// Force at which the load vanishes while moving, `b − a d/c`.
    pub fn vertex_force(&self) -> Option<f64> {
        // a q̈ + b = τ and c q̈ + d + d_τ τ = 0
        let denominator = self.c + self.a * self.d_force;
        (self.c != 0.0 && denominator != 0.0)
            .then(|| (self.c * self.b - self.a * self.d) / denominator)
    }

    /// `|f| <= μ_s |N|` at q̈ = 0: forces that hold a system at rest.
    pub fn static_band(&self) -> Vec<f64> {
        self.band_edges(self.friction.mu_s)
    }

    /// Forces with `|τ − b| = μ |d + d_τ τ|`, in order.
    pub(super) fn band_edges(&self, mu: f64) -> Vec<f64> {
        let mut edges = Vec::with_capacity(2);
        for sign in [1.0, -1.0] {
            let slope = 1.0 - sign * mu * self.d_force;
            if slope != 0.0 {
                edges.push((self.b + sign * mu * self.d) / slope);
            }
        }
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        edges
    }

    /// Functions that vanish where the number of answers changes: `a − μ|c|`, the load at the vertex,
    /// and `τ − b ∓ μ N` of a system at rest.
    pub fn levels(&self, tau: f64) -> Vec<f64> {
        let d = self.d + self.d_force * tau;
        let drive = tau - self.b;
        let GivenFriction { mu_s, mu_d } = self.friction;
        let mut levels = vec![
            self.a - mu_d * self.c.abs(),
            self.c * drive + self.a * d, // a N where a q̈ + b = τ
        ];
        for mu in [mu_s, mu_d] {
            levels.extend([drive - mu * d, drive + mu * d]);
        }
        levels
    }

    /// Every consistent acceleration under the force `tau` at velocity `v` (its sign counts, 0 is
    /// rest). No allocation.
    pub fn answers(&self, tau: f64, v: f64) -> ScalarAnswers {
        let mut found = ScalarAnswers::default();
        let (d, drive) = (self.d + self.d_force * tau, tau - self.b);
        let scale = self.scale(drive, d);
        if v != 0.0 {
            for kappa in [1.0, -1.0] {
                let sense = Sense {
                    kappa,
                    s: v.signum(),
                    mode: Mode::Slide,
                };
                self.branch(&mut found, sense, drive, d);
            }
        } else {
            self.stick(&mut found, drive, d, scale);
            for kappa in [1.0, -1.0] {
                for (s, mode) in [(1.0, Mode::OnsetForward), (-1.0, Mode::OnsetBackward)] {
                    self.branch(&mut found, Sense { kappa, s, mode }, drive, d);
                }
            }
        }
        self.absorb(&mut found, scale);
        found
    }

    /// A size of accelerations to measure coincidence by.
    fn scale(&self, drive: f64, d: f64) -> f64 {
        (drive.abs() + self.friction.mu_s * d.abs()) / self.a
    }

    fn stick(&self, found: &mut ScalarAnswers, drive: f64, d: f64, scale: f64) {
        let room = FACE * (drive.abs() + self.friction.mu_s * d.abs() + self.b.abs());
        if drive.abs() <= self.friction.mu_s * d.abs() + room {
            let answer = ScalarAnswer {
                acceleration: 0.0,
                normal_load: d,
                friction_force: drive,
                mode: Mode::Stick,
            };
            found.add(answer, scale);
        }
    }

    /// The branch `(a + κμc) q̈ = τ − b − κμd` with `κ s N >= 0`, and `s q̈ >= 0` from rest.
    #[inline]
    fn branch(&self, found: &mut ScalarAnswers, sense: Sense, drive: f64, d: f64) {
        let Sense { kappa, s, mode } = sense;
        let scale = self.scale(drive, d);
        let mu = kappa * self.friction.mu_d;
        let slope = self.a + mu * self.c;
        let side = drive - mu * d;
        let slope_scale = self.a + (mu * self.c).abs();
        let side_scale = drive.abs() + (mu * d).abs() + self.b.abs();
        if slope.abs() <= FACE * slope_scale {
            if side.abs() <= FACE * side_scale && self.c != 0.0 {
                self.ray(found, kappa * s, s, d, mode);
            }
            return;
        }
        let x = side / slope;
        let load = self.c * x + d;
        let load_scale = (self.c * x).abs() + d.abs();
        let is_signed = kappa * s * load >= -FACE * load_scale;
        let starts = mode == Mode::Slide || s * x > FACE * scale;
        if is_signed && starts {
            let normal_load = if load.abs() <= FACE * load_scale {
                0.0
            } else {
                load
            };
            let answer = ScalarAnswer {
                acceleration: x + 0.0,
                normal_load,
                friction_force: s * self.friction.mu_d * normal_load.abs(),
                mode,
            };
            found.add(answer, scale.max(x.abs()));
        }
    }

    /// `sign·(c q̈ + d) >= 0`, from rest also `s q̈ >= 0`.
    fn ray(&self, found: &mut ScalarAnswers, sign: f64, s: f64, d: f64, mode: Mode) {
        let end = -d / self.c + 0.0;
        let (mut low, mut high) = if sign * self.c > 0.0 {
            (Some(end), None)
        } else {
            (None, Some(end))
        };
        if mode != Mode::Slide {
            let bound = if s > 0.0 { &mut low } else { &mut high };
            *bound = Some(match *bound {
                None => 0.0,
                Some(x) if s > 0.0 => x.max(0.0),
                Some(x) => x.min(0.0),
            });
        }
        let is_empty = matches!((low, high), (Some(l), Some(h)) if l >= h);
        if !is_empty {
            found.ray = Some(ScalarRay { low, high, mode });
        }
    }

    /// Points on the ray belong to it.
    fn absorb(&self, found: &mut ScalarAnswers, scale: f64) {
        let Some(ray) = found.ray else { return };
        let room = FACE * scale;
        let is_on = |x: f64| {
            ray.low.is_none_or(|low| x >= low - room)
                && ray.high.is_none_or(|high| x <= high + room)
        };
        let points = found.points;
        let len = found.len;
        (found.points, found.len) = ([None; 4], 0);
        for point in points[..len]
            .iter()
            .flatten()
            .filter(|p| !is_on(p.acceleration))
        {
            found.add(*point, scale);
        }
    }
}
