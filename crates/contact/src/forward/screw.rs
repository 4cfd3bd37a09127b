//! A mass raised by a screw.
//!
//! ```text
//! y = l q,   r = l / tan α,   tan ρ = μ / cos θ
//! (I + m l²) q̈ + m g l + (r/cos α) tan ρ sgn(q̇) |N| = τ
//! N = (m l cos α − (I/r) sin α) q̈ + m g cos α + (τ/r) sin α
//! ```
//!
//! N is the thread's normal force in the plane of the helix. It depends on the torque: the balance is
//! taken along the thread. Valid past α + ρ = 90° too.
//!
//! Reference: `Dupont1992`; derivation in `docs/theory/forward-friction.md`.

use crate::contact_space::GivenFriction;
use serde::{Deserialize, Serialize};

use super::answers::answers;
use super::error::ForwardInputError;
use super::problem::{ForwardProblem, check_friction, check_number};
use super::result::ForwardResult;
use super::scalar::ScalarFriction;
use super::solve::solve;
use super::system::FACE;
use super::witness::Witness;

/// A screw drive; the keys of its shorthand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screw {
    /// Rotational inertia of the screw I (kg·m²).
    pub inertia: f64,
    /// Mass of the nut and its load m (kg).
    pub mass: f64,
    /// Lead l per radian (m).
    pub lead: f64,
    /// Helix angle α (rad).
    pub helix: f64,
    /// Thread angle θ (rad).
    #[serde(default)]
    pub thread: f64,
    /// μ of the thread.
    pub friction: GivenFriction,
    /// g (m/s²).
    pub gravity: f64,
    /// q̇ of the screw, or its sign; 0 is rest; plus raises the mass.
    pub velocity: f64,
    /// Torque τ on the screw; plus raises the mass (N·m).
    pub force: f64,
}

/// The numbers a designer knows a screw by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScrewNumbers {
    /// Friction angle ρ of the thread (rad).
    pub rho: f64,
    /// Pitch radius r (m).
    pub radius: f64,
    /// `1/η₁ = tan(α+ρ)/tan α`: load and motion of one sign.
    pub inverse_efficiency_driving: f64,
    /// `1/η₂ = tan(α−ρ)/tan α`: load and motion of opposite signs.
    pub inverse_efficiency_driven: f64,
    /// `I + m l²/η₁` (kg·m²).
    pub slope_driving: f64,
    /// `I + m l²/η₂` (kg·m²).
    pub slope_driven: f64,
    /// μ below which the answer is unique for every torque; `None` where `m r² = I`.
    pub critical_friction: Option<f64>,
    /// Torque at which the thread carries nothing: the mass falls freely, `−I g/l`.
    pub vertex_force: f64,
    /// `tan β = I/(m l r)`: angle of the inertia of the screw against that of the mass (rad).
    pub beta: f64,
    /// `sin(α + β + ρ)`, a positive multiple of the slope `a + μ c`: unique while both are positive.
    pub k_plus: f64,
    /// `sin(α + β − ρ)`, of the slope `a − μ c`.
    pub k_minus: f64,
}

impl Screw {
    /// Pitch radius (m).
    fn radius(&self) -> f64 {
        self.lead / self.helix.tan()
    }

    /// Checks sizes and angles.
    pub fn check(&self) -> Result<(), ForwardInputError> {
        let positive = [
            ("inertia", self.inertia),
            ("mass", self.mass),
            ("lead", self.lead),
        ];
        for (name, value) in positive {
            check_number(|| format!("screw.{name}"), value)?;
            if value <= 0.0 {
                let path = format!("screw.{name}");
                return Err(ForwardInputError::NotPositive { path, value });
            }
        }
        let plain = [
            ("gravity", self.gravity),
            ("velocity", self.velocity),
            ("force", self.force),
        ];
        for (name, value) in plain {
            check_number(|| format!("screw.{name}"), value)?;
        }
        let right = std::f64::consts::FRAC_PI_2;
        let outside = |name: &str, value, allowed| ForwardInputError::Outside {
            path: format!("screw.{name}"),
            value,
            allowed,
        };
        if !(self.helix > 0.0 && self.helix < right) {
            return Err(outside(
                "helix",
                self.helix,
                "an angle between 0 and 90 deg",
            ));
        }
        if !(self.thread >= 0.0 && self.thread < right) {
            return Err(outside(
                "thread",
                self.thread,
                "an angle from 0 to below 90 deg",
            ));
        }
        check_friction(self.friction, || "screw.friction".to_owned())
    }

    /// Angles, efficiencies, slopes and thresholds.
    pub fn numbers(&self) -> Result<ScrewNumbers, ForwardInputError> {
        self.check()?;
        let (r, l, m) = (self.radius(), self.lead, self.mass);
        let rho = (self.friction.mu_d / self.thread.cos()).atan();
        let tan = self.helix.tan();
        let (driving, driven) = (
            (self.helix + rho).tan() / tan,
            (self.helix - rho).tan() / tan,
        );
        let lean = l * (m * r * r - self.inertia).abs();
        let critical = self.thread.cos() * r * (self.inertia + m * l * l) / lean;
        let beta = self.inertia.atan2(m * l * r);
        Ok(ScrewNumbers {
            rho,
            radius: r,
            inverse_efficiency_driving: driving,
            inverse_efficiency_driven: driven,
            slope_driving: self.inertia + m * l * l * driving,
            slope_driven: self.inertia + m * l * l * driven,
            critical_friction: (lean > 0.0).then_some(critical),
            vertex_force: -self.inertia * self.gravity / l,
            beta,
            k_plus: (self.helix + beta + rho).sin(),
            k_minus: (self.helix + beta - rho).sin(),
        })
    }

    /// Load per acceleration, at rest without torque, and per torque.
    fn load(&self) -> (f64, f64, f64) {
        let (sin, cos) = self.helix.sin_cos();
        let r = self.radius();
        let c = self.mass * self.lead * cos - self.inertia / r * sin;
        (c, self.mass * self.gravity * cos, sin / r)
    }

    /// Coefficients that turn the thread's normal force into torque, `tan ρ · r/cos α` (m).
    fn arm(&self) -> GivenFriction {
        let arm = self.radius() / (self.helix.cos() * self.thread.cos());
        self.friction.times(arm)
    }

    /// The closed form; its load depends on the torque.
    pub fn scalar(&self) -> Result<ScalarFriction, ForwardInputError> {
        self.check()?;
        let (c, d, d_force) = self.load();
        let a = self.inertia + self.mass * self.lead * self.lead;
        let b = self.mass * self.gravity * self.lead;
        let scalar = ScalarFriction::new(a, b, c, d, self.arm())?;
        Ok(ScalarFriction { d_force, ..scalar })
    }

    /// The forward problem at this torque.
    pub fn problem(&self) -> Result<ForwardProblem, ForwardInputError> {
        let scalar = self.scalar()?;
        Ok(ForwardProblem {
            inertia: vec![vec![scalar.a]],
            bias: vec![scalar.b],
            load_matrix: vec![vec![scalar.c]],
            load_offset: vec![scalar.d + scalar.d_force * self.force],
            friction: vec![scalar.friction],
            velocity: vec![self.velocity],
            force: vec![self.force],
            contacts: Vec::new(),
        })
    }

    /// Everything about the screw. `normal_load` is the thread's normal force (N); the witness is a
    /// torque, and its load goes with it.
    pub fn solve(&self) -> Result<ForwardResult, ForwardInputError> {
        let numbers = self.numbers()?;
        let mut result = solve(&self.problem()?)?;
        result.condition.critical_friction = numbers.critical_friction;
        result.condition.vertex_force = Some(numbers.vertex_force);
        result.condition.screw = Some(numbers);
        if result.unique_for_every_force != Some(true) {
            result.witness = self.witness(result.count, numbers.vertex_force)?;
        }
        Ok(result)
    }

    /// A torque with another count: between, at and beyond the torques where counts change.
    fn witness(
        &self,
        count: Option<usize>,
        vertex: f64,
    ) -> Result<Option<Witness>, ForwardInputError> {
        let scalar = self.scalar()?;
        let mut breaks = vec![vertex];
        breaks.extend(scalar.band_edges(scalar.friction.mu_s));
        breaks.extend(scalar.band_edges(scalar.friction.mu_d));
        breaks.sort_by(f64::total_cmp);
        let size = breaks.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        breaks.dedup_by(|a, b| (*a - *b).abs() <= FACE * size);
        let weight = self.mass * self.gravity.abs() * self.lead + f64::MIN_POSITIVE;
        let between = breaks.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let mut torques: Vec<f64> = between.collect();
        torques.extend([breaks[0] - weight, breaks[breaks.len() - 1] + weight]);
        torques.extend(breaks);
        for torque in torques {
            let problem = Self {
                force: torque,
                ..*self
            }
            .problem()?;
            let found = answers(&problem)?.count();
            if found != count {
                return Ok(Some(Witness {
                    force: vec![torque],
                    load_offset: Some(problem.load_offset),
                    drift: None,
                    count: found,
                }));
            }
        }
        Ok(None)
    }
}
