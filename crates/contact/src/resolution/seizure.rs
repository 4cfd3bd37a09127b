//! Seizure: bilateral friction elements stop at once.

use carom_numeric::RowElimination;

use super::collision::{contact_velocities, does_not_approach, kinetic};
use super::{IMPULSES_KNOWN, ResolutionError, measured, modes};
use crate::forward::{ForwardProblem, Resolution, ResolutionKind};

/// What a moving coordinate does in the jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Its velocity becomes zero, `|P_f| <= μ |P_N|`.
    Stops,
    /// It slides on, `P_f = μ s |P_N|`, with load impulse times friction impulse of sign plus.
    SlidesPlus,
    /// The same, of sign minus.
    SlidesMinus,
}

const FATES: [Fate; 3] = [Fate::Stops, Fate::SlidesPlus, Fate::SlidesMinus];

/// Jumps that differ by less than this fraction of the larger are one.
const ONE_JUMP: f64 = 1e-9;

/// Every jump of velocity that Coulomb's law on impulses admits, fewest stopped coordinates first.
///
/// ```text
/// A Δq̇ + P_f = 0,    P_N = C Δq̇
/// stopped: q̇⁺ = 0, |P_f| <= μ |P_N|        sliding on: P_f = μ s |P_N|, sgn q̇⁺ = s
/// at rest: Δq̇ = 0, |P_f| <= μ_s |P_N|
/// ```
///
/// Of one coordinate: admissible exactly when `μ|c| >= a`, with `P_f = −a q̇`, `P_N = −c q̇`.
/// Velocities must be numbers, not signs. Contacts take no impulse: a jump that makes one approach is
/// left out.
pub fn seizures(problem: &ForwardProblem) -> Result<Vec<Resolution>, ResolutionError> {
    problem.check()?;
    if problem.friction.is_empty() {
        return Ok(Vec::new());
    }
    let moving: Vec<usize> = (0..problem.coordinates())
        .filter(|i| problem.velocity[*i] != 0.0)
        .collect();
    let mut found: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut fates = vec![Fate::Stops; problem.coordinates()];
    for code in 0..3usize.pow(moving.len() as u32) {
        let mut rest = code;
        for i in &moving {
            fates[*i] = FATES[rest % 3];
            rest /= 3;
        }
        let stopped = moving.iter().filter(|i| fates[**i] == Fate::Stops).count();
        if stopped == 0 {
            continue;
        }
        if let Some(change) = jump(problem, &fates) {
            let is_new = |(_, other): &(usize, Vec<f64>)| !is_same(problem, other, &change);
            if found.iter().all(is_new) {
                found.push((stopped, change));
            }
        }
    }
    found.sort_by_key(|(stopped, _)| *stopped);
    let results = found.iter().map(|(_, change)| resolution(problem, change));
    results.collect()
}

/// Whether two jumps are one, coordinates measured by the roots of their inertias.
fn is_same(problem: &ForwardProblem, a: &[f64], b: &[f64]) -> bool {
    let root = |i: usize| problem.inertia[i][i].sqrt();
    let sizes = (0..a.len()).map(|i| root(i) * a[i].abs().max(b[i].abs()));
    let room = ONE_JUMP * sizes.fold(0.0, f64::max);
    (0..a.len()).all(|i| root(i) * (a[i] - b[i]).abs() <= room)
}

/// Sign of load times friction impulse that a fate assumes.
fn kappa(fate: Fate) -> f64 {
    if fate == Fate::SlidesPlus { 1.0 } else { -1.0 }
}

/// The jump in which every coordinate meets its fate, if Coulomb's law admits it.
fn jump(problem: &ForwardProblem, fates: &[Fate]) -> Option<Vec<f64>> {
    let n = problem.coordinates();
    let root = |i: usize| problem.inertia[i][i].sqrt();
    let mut elimination = RowElimination::default();
    elimination.start(n, 1);
    for i in 0..n {
        let mut row = vec![0.0; n + 1];
        if fates[i] == Fate::Stops {
            (row[i], row[n]) = (1.0, -root(i) * problem.velocity[i]);
        } else {
            let mu = kappa(fates[i]) * problem.friction[i].mu_d;
            for j in 0..n {
                let felt = problem.inertia[i][j] + mu * problem.load_matrix[i][j];
                row[j] = felt / root(i) / root(j);
            }
        }
        elimination.push(&row)?;
    }
    let mut change = vec![0.0; n];
    elimination.solve(0, &mut change);
    for i in 0..n {
        change[i] = match fates[i] {
            Fate::Stops => -problem.velocity[i], // exactly, so that it is at rest after
            _ => change[i] / root(i),
        };
    }
    let meets = |i: usize| meets_fate(problem, fates[i], &change, i);
    let opens = |k: usize| does_not_approach(problem, k, &change);
    ((0..n).all(meets) && (0..problem.contacts.len()).all(opens)).then_some(change)
}

/// Whether Coulomb's law on impulses admits what coordinate i does in a jump.
fn meets_fate(problem: &ForwardProblem, fate: Fate, change: &[f64], i: usize) -> bool {
    let (p_f, terms_f) = measured(&problem.inertia[i], change);
    let (p_n, terms_n) = measured(&problem.load_matrix[i], change);
    let (v, given) = (problem.velocity[i], problem.friction[i]);
    if fate == Fate::Stops {
        let mu = if v == 0.0 { given.mu_s } else { given.mu_d };
        return p_f.abs() <= mu * p_n.abs() + IMPULSES_KNOWN * (terms_f + mu * terms_n);
    }
    // Where the load impulse cancels to round-off its sign says nothing: friction must oppose.
    let room = ONE_JUMP * (terms_f + given.mu_d * terms_n);
    let opposes = v.signum() * p_f <= room;
    let is_signed = kappa(fate) * v.signum() * p_n >= -IMPULSES_KNOWN * terms_n;
    opposes
        && is_signed
        && v.signum() * (v + change[i]) > IMPULSES_KNOWN * (v.abs() + change[i].abs())
}

/// Friction impulse on the coordinate, `A Δq̇`, and load impulse, `C Δq̇`.
fn impulses(problem: &ForwardProblem, change: &[f64], i: usize) -> (f64, f64) {
    let row = |m: &[Vec<f64>]| measured(&m[i], change).0;
    (row(&problem.inertia), row(&problem.load_matrix))
}

fn resolution(problem: &ForwardProblem, change: &[f64]) -> Result<Resolution, ResolutionError> {
    let n = problem.coordinates();
    let pairs: Vec<(f64, f64)> = (0..n).map(|i| impulses(problem, change, i)).collect();
    let sums = problem.velocity.iter().zip(change);
    let after: Vec<f64> = sums.map(|(v, jump)| v + jump).collect();
    let (before, left) = (
        kinetic(problem, &problem.velocity),
        kinetic(problem, &after),
    );
    let next = ForwardProblem {
        velocity: after.clone(),
        ..problem.clone()
    };
    // What a contact does next depends on rates the problem does not carry.
    let is_alone = problem.contacts.is_empty();
    let idle = vec![0.0; problem.contacts.len()];
    let impulses = pairs.iter().map(|(p_f, p_n)| (p_n + 0.0, p_f + 0.0));
    let (mut normal, mut friction): (Vec<f64>, Vec<f64>) = impulses.unzip();
    normal.extend(&idle);
    friction.extend(&idle);
    Ok(Resolution {
        kind: ResolutionKind::Seizure,
        law: None,
        normal_impulse: normal,
        friction_impulse: friction,
        velocity_change: change.to_vec(),
        velocity_after: Some(after),
        contact_velocity_after: contact_velocities(problem, change),
        energy_before: Some(before),
        energy_after: Some(left),
        energy_loss: before - left,
        impulse_path: None,
        next_modes: is_alone.then(|| modes(&next)).transpose()?,
    })
}
