//! The systems the claims are tried on, and sequences of others.

use carom::InputError;
use carom::forward::graph::ScalarGraph;
use carom::forward::rod::Rod;
use carom::forward::scalar::{ScalarAnswer, ScalarFriction};
use carom::forward::screw::Screw;
use carom::forward::{ForwardInputError, ForwardProblem};
use carom::resolution::ResolutionError;
use serde::Deserialize;

use super::book::NAME;

/// One coordinate, two screws and a rod; the paper prints no numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Systems {
    pub(super) scalar: Scalar,
    /// A screw that overhauls, for figure 6.
    pub(super) overhauling: Thread,
    /// A screw of figure 7.
    pub(super) locking: Thread,
    /// A screw jack, for the closing section.
    pub(super) jack: Thread,
    pub(super) rod: Rod,
}

/// `a q̈ + b + μ sgn(q̇) |c q̈ + d| = τ`, with a μ on either side of a/c.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scalar {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
    pub(super) d: f64,
    pub(super) low_mu: f64,
    pub(super) high_mu: f64,
}

/// A screw, its angles in degrees.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thread {
    pub(super) inertia: f64,
    pub(super) mass: f64,
    pub(super) lead: f64,
    pub(super) helix: f64,
    pub(super) thread: f64,
    pub(super) mu: f64,
}

pub(super) const GRAVITY: f64 = 9.81;

/// What a library refuses is an error of the case file.
pub(super) fn refused(error: ForwardInputError) -> InputError {
    InputError::whole(NAME, error.to_string())
}

pub(super) fn unresolved(error: ResolutionError) -> InputError {
    InputError::whole(NAME, error.to_string())
}

impl Scalar {
    pub(super) fn with(&self, mu: f64) -> Result<ScalarFriction, InputError> {
        ScalarFriction::new(self.a, self.b, self.c, self.d, mu.into()).map_err(refused)
    }

    pub(super) fn low(&self) -> Result<ScalarFriction, InputError> {
        self.with(self.low_mu)
    }

    pub(super) fn high(&self) -> Result<ScalarFriction, InputError> {
        self.with(self.high_mu)
    }

    /// `b − a d/c`
    pub(super) fn vertex(&self) -> f64 {
        self.b - self.a * self.d / self.c
    }

    /// `a/c`
    pub(super) fn critical(&self) -> f64 {
        self.a / self.c
    }

    /// `b ± μ d`
    pub(super) fn edge(&self, mu: f64, sign: f64) -> f64 {
        self.b + sign * mu * self.d
    }

    /// Left side less right side of (7) over the largest term.
    pub(super) fn residual(&self, mu: f64, sign: f64, x: f64, tau: f64) -> f64 {
        let load = (self.c * x + self.d).abs();
        crate::finding::balance(&[self.a * x, self.b, mu * load * sign, -tau])
    }

    pub(super) fn problem(&self, mu: f64, velocity: f64, force: f64) -> ForwardProblem {
        ForwardProblem {
            inertia: vec![vec![self.a]],
            bias: vec![self.b],
            load_matrix: vec![vec![self.c]],
            load_offset: vec![self.d],
            friction: vec![mu.into()],
            velocity: vec![velocity],
            force: vec![force],
            contacts: Vec::new(),
        }
    }
}

impl Thread {
    pub(super) fn at(&self, velocity: f64, force: f64) -> Screw {
        Screw {
            inertia: self.inertia,
            mass: self.mass,
            lead: self.lead,
            helix: self.helix.to_radians(),
            thread: self.thread.to_radians(),
            friction: self.mu.into(),
            gravity: GRAVITY,
            velocity,
            force,
        }
    }

    /// α and ρ (rad).
    pub(super) fn angles(&self) -> [f64; 2] {
        let rho = (self.mu / self.thread.to_radians().cos()).atan();
        [self.helix.to_radians(), rho]
    }

    /// `1/η₁`, `1/η₂` of (13).
    pub(super) fn inverse_efficiencies(&self) -> [f64; 2] {
        let [alpha, rho] = self.angles();
        [
            (alpha + rho).tan() / alpha.tan(),
            (alpha - rho).tan() / alpha.tan(),
        ]
    }

    /// Slopes of (13), `I + m l²/η`.
    pub(super) fn slopes(&self) -> [f64; 2] {
        let load = self.mass * self.lead * self.lead;
        self.inverse_efficiencies()
            .map(|inverse| self.inertia + load * inverse)
    }
}

/// The answers at a velocity, as a list.
pub(super) fn listed(scalar: &ScalarFriction, tau: f64, velocity: f64) -> Vec<ScalarAnswer> {
    scalar.answers(tau, velocity).iter().copied().collect()
}

/// The graph at a force over a wide window.
pub(super) fn graph(scalar: &ScalarFriction, tau: f64) -> Result<ScalarGraph, InputError> {
    scalar.graph(tau, -1e3, 1e3).map_err(refused)
}

/// Numbers in a fixed sequence (splitmix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        low + unit * (high - low)
    }

    pub(super) fn sign(&mut self) -> f64 {
        if self.between(0.0, 1.0) < 0.5 {
            -1.0
        } else {
            1.0
        }
    }

    /// A symmetric, positive definite matrix of two rows.
    fn definite(&mut self) -> Vec<Vec<f64>> {
        let (a, b) = (self.between(0.3, 3.0), self.between(0.3, 3.0));
        let off = self.between(-0.95, 0.95) * (a * b).sqrt();
        vec![vec![a, off], vec![off, b]]
    }

    /// Two moving coordinates with friction up to `most`.
    pub(super) fn two(&mut self, most: f64) -> ForwardProblem {
        let mut pair = |low: f64, high: f64| vec![self.between(low, high), self.between(low, high)];
        let (bias, load_offset, force) = (pair(-1.0, 1.0), pair(-2.0, 2.0), pair(-4.0, 4.0));
        let friction = pair(0.0, most);
        ForwardProblem {
            inertia: self.definite(),
            load_matrix: self.definite(),
            friction: friction.into_iter().map(Into::into).collect(),
            velocity: vec![self.sign(), self.sign()],
            bias,
            load_offset,
            force,
            contacts: Vec::new(),
        }
    }

    /// One coordinate with c of either sign.
    pub(super) fn scalar(&mut self) -> Scalar {
        let mu = self.between(0.05, 2.0);
        Scalar {
            a: self.between(0.3, 3.0),
            b: self.between(-1.0, 1.0),
            c: self.between(0.3, 3.0) * self.sign(),
            d: self.between(0.2, 2.0) * self.sign(),
            low_mu: mu,
            high_mu: mu,
        }
    }

    /// A screw with `α + ρ` below 90° or anywhere.
    pub(super) fn thread(&mut self, is_below: bool) -> Thread {
        loop {
            let thread = Thread {
                inertia: self.between(0.05, 4.0) * 1e-3,
                mass: self.between(1.0, 40.0),
                lead: self.between(0.002, 0.02),
                helix: self.between(3.0, 80.0),
                thread: self.between(0.0, 30.0),
                mu: self.between(0.02, 1.6),
            };
            let [alpha, rho] = thread.angles();
            if !is_below || alpha + rho < std::f64::consts::FRAC_PI_2 {
                return thread;
            }
        }
    }
}

/// How many systems of a sequence are tried.
pub(super) const TRIED: usize = 600;
