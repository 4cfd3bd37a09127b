//! When an impact in space ends: the three laws over one compression or two.

use super::state::{Goal, State};
use crate::impact::{Law, Phase};

/// What a law has counted so far.
///
/// `v_n` may fall through zero again in restitution: compression and restitution are then counted over
/// all their phases,
///
/// ```text
/// Newton      v_n = −e v_n⁻, the first time
/// Poisson     I_r = e I_c
/// energetic   W_r = e² |W_c|
/// ```
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    law: Law,
    restitution: f64,
    v_n_pre: f64,
    pub(super) phase: Phase,
    /// Impulse and normal work where the present phase began.
    p_from: f64,
    w_from: f64,
    /// Impulse and normal work of the compressions that are over.
    pub(super) p_c: f64,
    pub(super) w_c: f64,
    /// Impulse and normal work of the restitutions that are over.
    p_r: f64,
    w_r: f64,
    /// Compressions begun.
    pub(super) compressions: usize,
}

/// Normal impulses and works within this of a target have reached it.
const REACHED: f64 = 16.0 * f64::EPSILON;

impl Ending {
    pub(super) fn new(law: Law, restitution: f64, v_n_pre: f64) -> Self {
        Self {
            law,
            restitution,
            v_n_pre,
            phase: Phase::Compression,
            p_from: 0.0,
            w_from: 0.0,
            p_c: 0.0,
            w_c: 0.0,
            p_r: 0.0,
            w_r: 0.0,
            compressions: 1,
        }
    }

    /// Greatest compression.
    pub(super) fn compressed(&mut self, state: &State) {
        self.p_c += state.p - self.p_from;
        self.w_c += state.w_n - self.w_from;
        self.begin(Phase::Restitution, state);
    }

    /// The bodies approach again.
    pub(super) fn approached(&mut self, state: &State) {
        self.p_r += state.p - self.p_from;
        self.w_r += state.w_n - self.w_from;
        self.compressions += 1;
        self.begin(Phase::Compression, state);
    }

    fn begin(&mut self, phase: Phase, state: &State) {
        self.phase = phase;
        (self.p_from, self.w_from) = (state.p, state.w_n);
    }

    /// What the law watches in restitution.
    pub(super) fn goal(&self) -> Goal {
        match self.law {
            Law::Poisson => Goal::Impulse,
            Law::Energetic => Goal::NormalWork,
            _ => Goal::NormalVelocity,
        }
    }

    /// The value at which the impact ends.
    pub(super) fn target(&self) -> f64 {
        let e = self.restitution;
        match self.law {
            Law::Poisson => self.p_from + (e * self.p_c - self.p_r),
            Law::Energetic => self.w_from + (-e * e * self.w_c - self.w_r),
            _ => -e * self.v_n_pre,
        }
    }

    /// Whether nothing is left to restore at greatest compression.
    pub(super) fn is_over(&self) -> bool {
        let e = self.restitution;
        match self.law {
            Law::Poisson => e * self.p_c <= self.p_r,
            Law::Energetic => -e * e * self.w_c <= self.w_r,
            _ => e * self.v_n_pre >= 0.0,
        }
    }

    /// Whether a later state of this restitution has reached the end.
    pub(super) fn is_reached(&self, state: &State) -> bool {
        let target = self.target();
        let terms = match self.law {
            Law::Poisson => target.abs(),
            Law::Energetic => self.w_c.abs(),
            _ => target.abs(),
        };
        state.value(self.goal()) >= target - REACHED * terms
    }
}
