//! The Painlevé rod: a rod whose tip slides on a rough floor.
//!
//! ```text
//! mass centre at tip + ℓ (cos φ, sin φ),   k = I/(m ℓ²),   friction −s μ N
//! p_s = 1/m + (ℓ²/I) cos φ (cos φ + s μ sin φ),    a_n = p_s N + b̂_n
//! ```
//!
//! `p < 0` needs a tip that runs ahead of the mass centre and `μ > μ_P = 2√(k(1+k))`; pressing then
//! pulls the tip down, and sliding has no answer or a rival.
//!
//! Reference: `GenotBrogliato1999` for the second critical friction; derivation in
//! `docs/theory/forward-friction.md`.

use crate::contact_space::GivenFriction;
use serde::{Deserialize, Serialize};

use super::answers::TipAcceleration;
use super::error::ForwardInputError;
use super::problem::{ForwardContact, ForwardProblem, check_friction, check_number};
use super::result::ForwardResult;
use super::solve::solve;
use crate::law::Law;

/// A rod on a floor; the keys of its shorthand. Restitution and law are for the impact that follows
/// where nothing is consistent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rod {
    /// m (kg).
    pub mass: f64,
    /// ℓ: distance from the tip to the mass centre (m).
    pub half_length: f64,
    /// I about the mass centre (kg·m²).
    pub inertia: f64,
    /// φ from the floor to the rod, counter-clockwise (rad).
    pub angle: f64,
    /// φ̇ (rad/s).
    #[serde(default)]
    pub rate: f64,
    /// Velocity of the tip along the floor, to the right (m/s).
    pub slip: f64,
    /// μ of the tip.
    pub friction: GivenFriction,
    /// g (m/s²).
    pub gravity: f64,
    /// Force at the mass centre, to the right and up (N).
    #[serde(default)]
    pub force: [f64; 2],
    /// Torque (N·m).
    #[serde(default)]
    pub torque: f64,
    /// Coefficient of restitution of the impact that may follow.
    #[serde(default)]
    pub restitution: f64,
    /// Law of restitution of that impact.
    #[serde(default = "poisson")]
    pub law: Law,
}

fn poisson() -> Law {
    Law::Poisson
}

/// Thresholds of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RodNumbers {
    /// Least friction of the paradox, `2√(k(1+k))`.
    #[serde(rename = "mu_P")]
    pub mu_p: f64,
    /// The acute angle at which it first shows, `tan φ = √((1+k)/k)` (rad).
    #[serde(rename = "angle_P")]
    pub angle_p: f64,
    /// Acute angles between which `p < 0`; `None` up to `mu_P`.
    pub window: Option<[f64; 2]>,
    /// `p` for slip to the right (1/kg).
    pub p_plus: f64,
    /// `p` for slip to the left (1/kg).
    pub p_minus: f64,
    /// Friction at which the two rates of approach to the point `p = 0, b̂_n = 0` are equal,
    /// `(2/√3) μ_P`.
    pub second_critical_friction: f64,
}

impl Rod {
    /// Inertia of a uniform rod about its mass centre, `m ℓ²/3` (kg·m²).
    pub fn uniform_inertia(mass: f64, half_length: f64) -> f64 {
        mass * half_length * half_length / 3.0
    }

    /// Functions of which one vanishes where the number of answers changes while it slips: `p` and the
    /// normal drift.
    pub fn levels(&self) -> Vec<f64> {
        match self.slip == 0.0 {
            true => Vec::new(),
            false => vec![self.slope(self.slip.signum()), self.drift()[0]],
        }
    }

    /// Rates that a picture of its regions reaches to: twice that at which gravity turns it by a radian in
    /// its own time, `2 √(g/ℓ)`, and beyond its own (rad/s).
    pub fn telling_rate(&self) -> f64 {
        let natural = (self.gravity.abs() / self.half_length).sqrt();
        let most = (2.0 * natural).max(1.25 * self.rate.abs());
        if most > 0.0 { most } else { 1.0 }
    }

    /// Checks sizes.
    pub fn check(&self) -> Result<(), ForwardInputError> {
        let positive = [
            ("mass", self.mass),
            ("half_length", self.half_length),
            ("inertia", self.inertia),
        ];
        let plain = [
            ("angle", self.angle),
            ("rate", self.rate),
            ("slip", self.slip),
            ("gravity", self.gravity),
            ("force[0]", self.force[0]),
            ("force[1]", self.force[1]),
            ("torque", self.torque),
        ];
        for (name, value) in positive.into_iter().chain(plain) {
            check_number(|| format!("rod.{name}"), value)?;
        }
        if let Some((name, value)) = positive.into_iter().find(|(_, value)| *value <= 0.0) {
            let path = format!("rod.{name}");
            return Err(ForwardInputError::NotPositive { path, value });
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(ForwardInputError::Outside {
                path: "rod.restitution".to_owned(),
                value: self.restitution,
                allowed: "a number from 0 to 1",
            });
        }
        check_friction(self.friction, || "rod.friction".to_owned())
    }

    /// `I/(m ℓ²)`.
    fn k(&self) -> f64 {
        self.inertia / (self.mass * self.half_length * self.half_length)
    }

    /// Thresholds by the kinetic coefficient.
    ///
    /// ```text
    /// p = 0:                        k + cos²φ = μ sin φ cos φ
    /// equal rates at p = b̂_n = 0:    sin 2φ + μ cos 2φ = 2 sin φ (μ sin φ − cos φ)
    /// together:                     cos 2φ = (2k − 1)/(4k + 1),   μ = (4/√3) √(k(1+k))
    /// ```
    pub fn numbers(&self) -> Result<RodNumbers, ForwardInputError> {
        self.check()?;
        let (k, mu) = (self.k(), self.friction.mu_d);
        let mu_p = 2.0 * (k * (1.0 + k)).sqrt();
        let spread = ((mu - mu_p) * (mu + mu_p)).max(0.0).sqrt();
        // The smaller root by the product of both, (1+k)/k: no difference of near numbers.
        let high = (mu + spread) / (2.0 * k);
        let window = [((1.0 + k) / (k * high)).atan(), high.atan()];
        Ok(RodNumbers {
            mu_p,
            angle_p: ((1.0 + k) / k).sqrt().atan(),
            window: (mu > mu_p).then_some(window),
            p_plus: self.slope(1.0),
            p_minus: self.slope(-1.0),
            second_critical_friction: 2.0 / 3f64.sqrt() * mu_p,
        })
    }

    /// Normal acceleration of the tip per normal force, slipping with sign `s` (1/kg).
    pub fn slope(&self, s: f64) -> f64 {
        let (sin, cos) = self.angle.sin_cos();
        (1.0 + cos * (cos + s * self.friction.mu_d * sin) / self.k()) / self.mass
    }

    /// Tip acceleration (normal, tangent) without contact force (m/s²).
    pub fn drift(&self) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        let (l, turn) = (self.half_length, self.torque / self.inertia);
        let towards = l * self.rate * self.rate;
        [
            self.force[1] / self.mass - self.gravity + towards * sin - l * cos * turn,
            self.force[0] / self.mass + towards * cos + l * sin * turn,
        ]
    }

    /// Velocity (x, y, angle) of the mass centre: the tip slides along the floor.
    pub fn velocity(&self) -> [f64; 3] {
        let (sin, cos) = self.angle.sin_cos();
        let turn = self.half_length * self.rate;
        [self.slip - turn * sin, turn * cos, self.rate]
    }

    /// The same rod with another velocity (x, y, angle) of its mass centre.
    pub fn with_velocity(&self, velocity: &[f64; 3]) -> Self {
        let turn = self.half_length * velocity[2] * self.angle.sin();
        let (slip, scale) = (velocity[0] + turn, velocity[0].abs() + turn.abs());
        Self {
            rate: velocity[2],
            slip: if slip.abs() <= crate::contact_space::TIE * scale {
                0.0
            } else {
                slip
            },
            ..self.clone()
        }
    }

    /// The forward problem in (x, y, angle) of the mass centre, with the tip as its contact.
    pub fn problem(&self) -> Result<ForwardProblem, ForwardInputError> {
        self.check()?;
        let (sin, cos) = self.angle.sin_cos();
        let l = self.half_length;
        Ok(ForwardProblem {
            inertia: vec![
                vec![self.mass, 0.0, 0.0],
                vec![0.0, self.mass, 0.0],
                vec![0.0, 0.0, self.inertia],
            ],
            bias: vec![0.0, self.mass * self.gravity, 0.0],
            load_matrix: Vec::new(),
            load_offset: Vec::new(),
            friction: Vec::new(),
            velocity: self.velocity().to_vec(),
            force: vec![self.force[0], self.force[1], self.torque],
            contacts: vec![ForwardContact {
                normal: vec![0.0, 1.0, -l * cos],
                tangent: Some(vec![1.0, 0.0, l * sin]),
                drift: self.drift(),
                slip: self.slip,
                friction: self.friction,
            }],
        })
    }

    /// Everything about the rod at this instant; [`crate::resolution::resolve_rod`] adds what
    /// follows where nothing is consistent.
    pub fn solve(&self) -> Result<ForwardResult, ForwardInputError> {
        let numbers = self.numbers()?;
        let mut result = solve(&self.problem()?)?;
        let condition = &mut result.condition;
        condition.mu_p = Some(numbers.mu_p);
        condition.angle_p = Some(numbers.angle_p);
        condition.window = Some(numbers.window);
        condition.p_plus = Some(numbers.p_plus);
        condition.p_minus = Some(numbers.p_minus);
        condition.second_critical_friction = Some(numbers.second_critical_friction);
        for answer in &mut result.answers {
            let tip = answer.contact_acceleration.first();
            answer.tip_acceleration = tip.map(|a| TipAcceleration {
                normal: a[0],
                tangent: a[1],
            });
        }
        Ok(result)
    }
}
