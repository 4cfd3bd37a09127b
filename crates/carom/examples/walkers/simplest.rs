//! The simplest walking model: a point hip on two massless legs with vanishing feet, down a slope.
//!
//! Lengths in legs, g = 1. Coordinates: the angle θ of the stance leg from the normal of the slope
//! and the angle φ between the legs. Reference: `Garcia1998`.

use carom::multibody::mechanism::{
    Contacts, Crossing, Drawing, Dynamics, GuardValue, Guards, Reset,
};
use carom::multibody::{Energy, State};

/// The walker on its slope.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SimplestWalker {
    /// Slope (rad).
    pub(crate) slope: f64,
}

impl SimplestWalker {
    /// The state just after a heel strike with these θ and θ̇ (the swing leg follows from them).
    pub(crate) fn after_strike(theta: f64, rate: f64) -> ([f64; 2], [f64; 2]) {
        let swing = rate * (1.0 - (2.0 * theta).cos());
        ([theta, 2.0 * theta], [rate, swing])
    }
}

impl Dynamics for SimplestWalker {
    fn rates(&self) -> usize {
        2
    }

    /// The limit of a vanishing foot has no mass matrix of its own: the accelerations are given.
    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        let ([theta, phi], rate) = ([state.q[0], state.q[1]], state.v[0]);
        let lean = theta - self.slope;
        let stance = lean.sin();
        let swing = stance + rate * rate * phi.sin() - lean.cos() * phi.sin();
        out.copy_from_slice(&[-stance, -swing]);
    }

    /// All mass is in the hip.
    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        Some(Energy {
            kinetic: 0.5 * state.v[0] * state.v[0],
            gravity: (state.q[0] - self.slope).cos(),
            springs: 0.0,
        })
    }
}

impl Contacts for SimplestWalker {}

impl Guards for SimplestWalker {
    fn guards(&self) -> usize {
        1
    }

    fn guard_name(&self, _: usize) -> String {
        "heel strike".to_owned()
    }

    fn guard_crossing(&self, _: usize) -> Crossing {
        Crossing::Rising
    }

    /// The swing foot is on the slope where φ = 2θ.
    fn guard_values(&mut self, state: State<'_>, _: &[f64], out: &mut [GuardValue]) {
        out[0] = GuardValue {
            value: state.q[1] - 2.0 * state.q[0],
            rate: state.v[1] - 2.0 * state.v[0],
        };
    }

    /// The foot scuffs the ground as the legs pass each other; that is ignored.
    fn is_switched_on(&mut self, state: State<'_>, _: usize) -> bool {
        state.q[0] < 0.0
    }

    fn reset(&mut self, _: usize, _: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        let (theta, cos) = (q[0], (2.0 * q[0]).cos());
        let rate = v[0] * cos;
        q.copy_from_slice(&[-theta, -2.0 * theta]);
        v.copy_from_slice(&[rate, rate * (1.0 - cos)]);
        Reset::GoOn
    }
}

impl Drawing for SimplestWalker {}
