//! Contacts that rest: held or about to slip, by the first order of their loads.

use super::problem::PathImpact;
use super::rest::{Resting, settle};
use super::series::{Series, load_scale};
use super::state::{Grip, NOISE, State};

/// A force that stays below its cone by less than this part of it is on it.
const ON_THE_CONE: f64 = 1e-12;

/// Decides the contacts whose loads begin at order `m`: they stick, or slip along the acceleration that friction
/// leaves them.
pub(super) fn decide(series: &mut Series, impact: &PathImpact, state: &mut State, m: usize) {
    let loads = |i: &usize| {
        let is_open = state.sites[*i].grip == Grip::Rest && state.is_loaded(*i);
        is_open && series.load[*i][m] > NOISE * load_scale(impact, state, *i)
    };
    let leading: Vec<usize> = (0..state.sites.len()).filter(loads).collect();
    if leading.is_empty() {
        return;
    }
    let mut slipping: Vec<usize> = leading
        .iter()
        .copied()
        .filter(|i| state.sites[*i].is_broken)
        .collect();
    // Whoever leaves the static cone goes on with the kinetic coefficient, which may free others.
    loop {
        let mut all = pose(series, impact, state, m, &leading, &slipping);
        settle(impact, &mut all);
        let before = slipping.len();
        for resting in all.iter().filter(|r| r.radius.is_finite()) {
            let is_known = slipping.contains(&resting.contact);
            if !is_known && is_slipping(series, impact, resting, m) {
                slipping.push(resting.contact);
            }
        }
        if slipping.len() == before || !is_static(impact, &slipping) {
            for resting in all.iter().filter(|r| r.radius.is_finite()) {
                let slips = is_slipping(series, impact, resting, m);
                state.sites[resting.contact].grip = match slips {
                    true => Grip::Slip(direction(resting.a)),
                    false => Grip::Stick,
                };
                set_force(series, impact, state, resting.contact, m);
            }
            return;
        }
    }
}

/// Whether some coefficient falls when slip begins.
fn is_static(impact: &PathImpact, contacts: &[usize]) -> bool {
    contacts.iter().any(|i| {
        let friction = impact.contacts[*i].friction;
        friction.mu_s() > friction.mu_d()
    })
}

fn direction(a: [f64; 2]) -> [f64; 2] {
    let size = a[0].hypot(a[1]);
    [a[0] / size, a[1] / size]
}

/// The convex problem of order `m`: contacts to be decided within their cones, those that stick without bound.
fn pose(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    m: usize,
    leading: &[usize],
    slipping: &[usize],
) -> Vec<Resting> {
    let stuck = (0..state.sites.len()).filter(|i| state.sites[*i].grip == Grip::Stick);
    let all = leading.iter().copied().chain(stuck);
    let resting = all.map(|contact| {
        let friction = impact.contacts[contact].friction;
        let mu = match slipping.contains(&contact) {
            true => friction.mu_d(),
            false => friction.mu_s(),
        };
        let radius = match leading.contains(&contact) {
            true => mu * series.load[contact][m],
            false => f64::INFINITY,
        };
        let mut b = [0.0; 2];
        for (row, b) in impact.span(contact).skip(1).zip(&mut b) {
            *b = series.pushed(impact, row, m);
        }
        Resting {
            contact,
            radius,
            b,
            f: [0.0; 2],
            a: [0.0; 2],
        }
    });
    resting.collect()
}

/// Whether a contact is on its cone and moved beyond the round-off of what moves it.
fn is_slipping(series: &Series, impact: &PathImpact, resting: &Resting, m: usize) -> bool {
    let size = |x: [f64; 2]| x[0].hypot(x[1]);
    if size(resting.f) < (1.0 - ON_THE_CONE) * resting.radius {
        return false;
    }
    let n = impact.rows();
    let terms = impact.span(resting.contact).skip(1).map(|row| {
        let w = &impact.w[row * n..(row + 1) * n];
        let terms = w.iter().zip(&series.f).map(|(w, f)| (w * f[m]).abs());
        terms.sum::<f64>()
    });
    let terms = terms.sum::<f64>() + size(resting.b);
    size(resting.a) > ON_THE_CONE * terms
}

/// The friction of a contact that has just begun to slip.
fn set_force(series: &mut Series, impact: &PathImpact, state: &State, i: usize, m: usize) {
    if let Grip::Slip(u) = state.sites[i].grip {
        let mu = impact.contacts[i].friction.mu_d();
        for (k, row) in impact.span(i).skip(1).enumerate() {
            series.f[row][m] = -mu * series.load[i][m] * u[k];
        }
    }
}
