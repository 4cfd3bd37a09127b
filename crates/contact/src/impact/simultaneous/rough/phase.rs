//! One phase of a simultaneous impact with friction: what is asked, what is found.

use carom_numeric::orthogonal::length;

use super::scene::Scene;
use crate::impact::Mode;

/// A velocity may miss its bound by this fraction of the terms of its own row.
pub(super) const OWN_TERMS: f64 = 1e-7;

/// Round-off of a sum, relative to the largest of all.
pub(super) const SUM_NOISE: f64 = 1e-12;

/// What a phase starts from, in scaled units.
pub(super) struct Phase<'a> {
    pub(super) scene: &'a Scene,
    /// Velocities at its start, all rows.
    pub(super) u: &'a [f64],
    /// Normal impulse that each contact gives at least.
    pub(super) floor: &'a [f64],
    /// `u_n + target >= 0` at the end, with equality where a contact gives more than its floor.
    pub(super) target: &'a [f64],
}

/// What a contact does in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Behaviour {
    /// It ends on its target and may give more than its floor.
    pub(super) is_closed: bool,
    /// How it rubs; none where no friction acts.
    pub(super) mode: Option<Mode>,
}

/// A consistent end of a phase, in scaled units.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Impulses of the phase, all rows.
    pub(super) p: Vec<f64>,
    /// Velocities at its end, all rows.
    pub(super) u: Vec<f64>,
    /// Directions of `p` with the same velocities.
    pub(super) shares: Vec<Vec<f64>>,
    /// Impulses at the ends of the set these directions span, as seen from `p`.
    pub(super) ends: Vec<Share>,
    pub(super) behaviours: Vec<Behaviour>,
    /// How far conditions are missed, relative.
    pub(super) miss: f64,
    /// No contact is left approaching by more than the round-off of its own row. An approach far below
    /// the other velocities may be left within the tolerance of those; such an end gives way to one
    /// that stops it.
    pub(super) is_apart: bool,
}

/// Impulses with the velocities of another end, scaled.
#[derive(Debug, Clone)]
pub(super) struct Share {
    pub(super) p: Vec<f64>,
    pub(super) origin: Origin,
}

/// Where impulses lie in a set of shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Least norm.
    Least,
    /// At an end of the set.
    End,
    /// Inside, where the set has no end.
    Inside,
}

impl Phase<'_> {
    /// Whether normal velocities `u` keep their bounds by the terms of their own rows, after impulses
    /// that move the mechanism by `jump`.
    pub(super) fn is_apart(&self, u: &[f64], jump: &[f64]) -> bool {
        let speed = self.scene.speed + length(jump);
        (0..self.scene.k).all(|i| {
            let terms = self.u[i].abs() + self.scene.rows.terms(i, jump);
            u[i] + self.target[i] >= -OWN_TERMS * terms - SUM_NOISE * speed
        })
    }

    /// Combinations of what the contacts may do.
    pub(super) fn patterns(&self) -> usize {
        let choices = (0..self.scene.k).map(|i| self.choices(i).len());
        choices.fold(1, |all: usize, one| all.saturating_mul(one))
    }

    /// What contact `i` may do.
    pub(super) fn choices(&self, i: usize) -> Vec<Behaviour> {
        let of = |is_closed, mode| Behaviour { is_closed, mode };
        if self.scene.tangent[i].is_none() {
            return vec![of(false, None), of(true, None)];
        }
        let modes = [Mode::Stick, Mode::SlipForward, Mode::SlipBackward];
        let closed = modes.map(|mode| of(true, Some(mode)));
        let open = match self.floor[i] > 0.0 {
            true => modes.map(|mode| of(false, Some(mode))).to_vec(),
            false => vec![of(false, None)],
        };
        [open, closed.to_vec()].concat()
    }
}

/// Sign of the slip of a mode.
pub(super) fn sense(mode: Mode) -> f64 {
    match mode {
        Mode::SlipForward => 1.0,
        Mode::SlipBackward => -1.0,
        Mode::Stick | Mode::Slip => 0.0,
    }
}
