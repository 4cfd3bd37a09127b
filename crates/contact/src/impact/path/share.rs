//! How contacts in space that stick share what holds them.
//!
//! Contacts of one body repeat each other's work: forces that hold them may be moved from one to another. They move
//! nothing, so any share within the cones will do, and the contacts slip where there is none. Of the least
//! `Σ g_i W_ii f_i²` the weights g follow Lawson's process: those of contacts near their cones grow until the
//! fullest cone is as empty as can be.

use super::problem::PathImpact;
use super::series::Series;
use super::state::{Grip, State};

/// Rounds of weights.
const ROUNDS: usize = 60;

/// A share is good enough where every cone has this part of itself left …
const ROOM: f64 = 0.02;

/// … and there is one at all where they have this part.
const LEAST_ROOM: f64 = 1e-9;

/// Largest ratio of two weights: more would hide which rows depend on each other.
const SPREAD: f64 = 1e4;

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
    let mut weights: Vec<f64> = state.sites.iter().map(|site| site.weight).collect();
    let mut best = (f64::INFINITY, weights.clone(), Vec::new());
    let mut series = Series::default();
    for _ in 0..ROUNDS {
        let cones = cones(impact, state, &weights, &mut series);
        let fullest = cones.iter().map(|cone| cone.part).fold(0.0, f64::max);
        if fullest < best.0 {
            best = (fullest, weights.clone(), cones.clone());
        }
        if fullest <= 1.0 - ROOM || !fullest.is_finite() {
            break;
        }
        let largest = cones.iter().map(|c| weights[c.contact] * c.part);
        let largest = largest.fold(0.0, f64::max);
        for cone in &cones {
            let weight = &mut weights[cone.contact];
            *weight = (*weight * cone.part / largest).max(1.0 / SPREAD);
        }
    }
    let (fullest, weights, cones) = best;
    if fullest <= 1.0 - LEAST_ROOM {
        return Share::Kept(weights);
    }
    let full = cones.iter().filter(|c| c.part >= fullest * (1.0 - AS_FULL));
    Share::Full(full.map(|c| (c.contact, c.way)).collect())
}

/// How full the cone of a contact is, and where it would slip.
#[derive(Clone)]
struct Cone {
    contact: usize,
    part: f64,
    way: [f64; 2],
}

/// The cones of the contacts that stick with these weights, by the first order of their loads.
fn cones(impact: &PathImpact, state: &State, weights: &[f64], series: &mut Series) -> Vec<Cone> {
    let mut trial = state.clone();
    let sites = trial.sites.iter_mut().zip(weights);
    sites.for_each(|(site, weight)| site.weight = *weight);
    series.build(impact, &mut trial);
    let sticks =
        |i: &usize| trial.sites[*i].grip == Grip::Stick && impact.contacts[*i].tangents == 2;
    let sticking = (0..impact.contacts.len()).filter(sticks);
    let cone = |contact: usize| {
        let load = series.load[contact].iter().find(|load| **load > 0.0);
        let [x, y] = series.friction(impact, contact, 0.0);
        let size = x.hypot(y);
        let radius = impact.contacts[contact].friction.mu_s() * load.copied().unwrap_or(0.0);
        Cone {
            contact,
            part: if size > 0.0 { size / radius } else { 0.0 },
            way: [-x / size, -y / size],
        }
    };
    sticking.map(cone).collect()
}
