//! A point of the path in the axes and units of the flow, and what a law asks of it.

use super::flow::{Flow, dot, length};

/// Impulses, velocities and works so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) p: f64,
    pub(super) p_t: [f64; 2],
    /// Slip velocity.
    pub(super) x: [f64; 2],
    pub(super) v_n: f64,
    pub(super) w_n: f64,
    /// `∫ x_i dp_j` of friction, (11, 12, 22).
    pub(super) w_t: [f64; 3],
}

/// What grows along the path until it has a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    NormalVelocity,
    Impulse,
    NormalWork,
}

impl State {
    pub(super) fn start(x: [f64; 2], v_n: f64) -> Self {
        Self {
            p: 0.0,
            p_t: [0.0; 2],
            x,
            v_n,
            w_n: 0.0,
            w_t: [0.0; 3],
        }
    }

    #[inline]
    pub(super) fn slip(&self) -> f64 {
        length(self.x)
    }

    /// Work of friction.
    #[inline]
    pub(super) fn friction_work(&self) -> f64 {
        self.w_t[0] + self.w_t[2]
    }

    #[inline]
    pub(super) fn value(&self, goal: Goal) -> f64 {
        match goal {
            Goal::NormalVelocity => self.v_n,
            Goal::Impulse => self.p,
            Goal::NormalWork => self.w_n,
        }
    }

    /// The change of kinetic energy that further impulses `p`, `p_t` make.
    pub(super) fn energy_of(&self, flow: &Flow, p: f64, p_t: [f64; 2]) -> f64 {
        let half = 0.5 * (flow.lambda[0] * p_t[0] * p_t[0] + flow.lambda[1] * p_t[1] * p_t[1]);
        p * (self.v_n + 0.5 * flow.nn * p) + dot(self.x, p_t) + half + p * dot(flow.b, p_t)
    }
}
