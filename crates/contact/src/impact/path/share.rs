//! How contacts in space that stick share what holds them.
//!
//! Contacts of one body repeat each other's work: forces that hold them may be moved from one to another. They move
//! nothing, so any share within the cones will do, and the contacts slip where there is none. Of the least
//! `Σ g_i W_ii f_i²` the weights g follow Lawson's process: those of contacts near their cones grow until the
//! fullest cone is as empty as can be.

use super::hold::{Hold, each_row};
use super::problem::PathImpact;
use super::series::{ORDER, Series};
use super::state::{Grip, State};

/// Rounds of weights.
const ROUNDS: usize = 100;

/// A share is good enough where every cone has this part of itself left …
const ROOM: f64 = 0.02;

/// … and there is one at all where they have this part.
const LEAST_ROOM: f64 = 1e-9;

/// Largest ratio of two weights: that of the loads of contacts that share at best.
const SPREAD: f64 = 1e12;

/// A cone is no smaller than this part of the largest: one without a load holds nothing.
const LEAST_CONE: f64 = 1e-12;

/// Cones as full as the fullest but for this part are full too.
const AS_FULL: f64 = 1e-4;

/// What became of contacts one of which came to its cone.
pub(super) enum Share {
    /// Others take more of it: these are the weights.
    Kept(Vec<f64>),
    /// No share is within the cones: those that are full, and where they slip.
    Full(Vec<(usize, [f64; 2])>),
}

/// Shares anew what contacts that stick hold.
pub(super) fn share(impact: &PathImpact, state: &State) -> Share {
    let cones = Cones::of(impact, state);
    let mut all: Vec<f64> = state.sites.iter().map(|site| site.weight).collect();
    let mut weights: Vec<f64> = cones.contacts.iter().map(|i| all[*i]).collect();
    let mut best = (f64::INFINITY, weights.clone());
    for _ in 0..ROUNDS {
        let parts = cones.parts(&cones.forces(impact, &weights));
        let fullest = parts.iter().copied().fold(0.0, f64::max);
        if fullest < best.0 {
            best = (fullest, weights.clone());
        }
        if fullest <= 1.0 - ROOM || !fullest.is_finite() {
            break;
        }
        let grown = weights
            .iter()
            .zip(&parts)
            .map(|(weight, part)| weight * part);
        let largest = grown.clone().fold(0.0, f64::max);
        weights = grown.map(|x| (x / largest).max(1.0 / SPREAD)).collect();
    }
    let (fullest, weights) = best;
    if fullest <= 1.0 - LEAST_ROOM {
        let pairs = cones.contacts.iter().zip(weights);
        pairs.for_each(|(i, weight)| all[*i] = weight);
        return Share::Kept(all);
    }
    let forces = cones.forces(impact, &weights);
    let parts = cones.parts(&forces).into_iter();
    let each = parts.zip(&cones.contacts).zip(forces);
    let full = each.filter(|((part, _), _)| *part >= fullest * (1.0 - AS_FULL));
    let way = |f: [f64; 2]| f.map(|x| -x / f[0].hypot(f[1]));
    Share::Full(full.map(|((_, i), f)| (*i, way(f))).collect())
}

/// The contacts that stick, by the first order of their loads.
struct Cones {
    contacts: Vec<usize>,
    /// Sizes of their cones.
    radii: Vec<f64>,
    /// What holds them, row by row.
    forces: Vec<f64>,
    /// Rows of each.
    tangents: Vec<usize>,
    hold: Hold,
}

impl Cones {
    fn of(impact: &PathImpact, state: &State) -> Self {
        let (mut trial, mut series) = (state.clone(), Series::default());
        series.build(impact, &mut trial);
        let sticks = |i: &usize| trial.sites[*i].grip == Grip::Stick;
        let contacts: Vec<usize> = (0..impact.contacts.len()).filter(sticks).collect();
        let is_loaded = |m: &usize| contacts.iter().any(|i| series.load[*i][*m] > 0.0);
        let m = (0..ORDER).find(is_loaded).unwrap_or(0);
        let cone = |i: &usize| impact.contacts[*i].friction.mu_s() * series.load[*i][m].max(0.0);
        let mut radii: Vec<f64> = contacts.iter().map(cone).collect();
        let least = LEAST_CONE * radii.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        radii
            .iter_mut()
            .for_each(|radius| *radius = radius.max(least));
        let forces = series.hold.rows.iter().map(|row| series.f[*row][m]);
        let tangents = contacts.iter().map(|i| impact.contacts[*i].tangents);
        Self {
            forces: forces.collect(),
            tangents: tangents.collect(),
            contacts,
            radii,
            hold: series.hold,
        }
    }

    /// What holds each of them by other weights.
    fn forces(&self, impact: &PathImpact, weights: &[f64]) -> Vec<[f64; 2]> {
        let weights = each_row(impact, &self.contacts, weights);
        let mut rows = self.hold.shared(&self.forces, &weights).into_iter();
        let each = self.tangents.iter().map(|tangents| {
            let mut force = [0.0; 2];
            force[..*tangents].fill_with(|| rows.next().unwrap_or(0.0));
            force
        });
        each.collect()
    }

    /// How full the cones are.
    fn parts(&self, forces: &[[f64; 2]]) -> Vec<f64> {
        let each = forces.iter().zip(&self.radii);
        each.map(|(f, radius)| f[0].hypot(f[1]) / radius).collect()
    }
}
