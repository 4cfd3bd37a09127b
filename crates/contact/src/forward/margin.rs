//! How much more friction leaves the answer unique.

use carom_numeric::RowElimination;
use carom_numeric::root::bracketed;

use super::assemble::{Variation, assemble};
use super::enumerate::{order_sign, visit, walk};
use super::error::ForwardInputError;
use super::problem::ForwardProblem;
use super::system::System;

/// Margins above this count as unbounded.
const MARGIN_LIMIT: f64 = 1e8;

/// A coefficient below this fraction of the largest is what interpolation leaves of zero.
const INTERPOLATED: f64 = 1e-11;

/// Halvings of an interval in which a determinant vanishes.
const HALVINGS: usize = 50;

/// Part of a factor by which interpolation may be off; within it the determinant itself is asked.
const POLISHED_WITHIN: f64 = 1e-6;

/// Patterns up to which every determinant is followed by itself.
const FOLLOWED: usize = 1 << 18;

/// The friction margin: where, as all μ grow together by a factor f, a determinant first vanishes.
///
/// Where the answer is unique as it is, f grows from 1; else from 0, and the margin, below 1, is what is
/// left of the friction where uniqueness ends. `None`: without bound, or a piece is singular whatever the
/// friction.
///
/// An element that may slip both ways has every determinant at `±μ_i`, in which it is linear: a zero within
/// the box of smaller coefficients shows at a corner, so that the least determinant is positive below the
/// margin and nowhere beyond. A contact that slips has one sense only, and determinants may vanish and come
/// back: each is followed as the polynomial in f that it is.
pub(super) fn margin(
    problem: &ForwardProblem,
    is_unique: bool,
) -> Result<Option<f64>, ForwardInputError> {
    let slips =
        |c: &super::ForwardContact| c.slip != 0.0 && c.tangent.is_some() && c.friction.mu_d > 0.0;
    let system = assemble(problem, Variation::NONE)?;
    let counts = system.elements.iter().map(|e| e.choices.len());
    let patterns = counts.fold(1usize, usize::saturating_mul);
    match problem.contacts.iter().any(slips) && patterns <= FOLLOWED {
        true => along_the_ray(problem, is_unique),
        false => within_the_box(problem),
    }
}

fn scaled(problem: &ForwardProblem, factor: f64) -> Result<System, ForwardInputError> {
    let vary = Variation {
        friction: factor,
        ..Variation::NONE
    };
    assemble(problem, vary)
}

/// Least determinant over all pieces with every μ multiplied by `factor`, in scaled units.
fn least_determinant(problem: &ForwardProblem, factor: f64) -> Result<f64, ForwardInputError> {
    let all = determinants(problem, factor)?;
    Ok(all.into_iter().fold(f64::INFINITY, f64::min))
}

/// Determinants of all pieces with every μ multiplied by `factor`, in scaled units.
fn determinants(problem: &ForwardProblem, factor: f64) -> Result<Vec<f64>, ForwardInputError> {
    let system = scaled(problem, factor)?;
    let sign = order_sign(&system);
    let mut all = Vec::new();
    walk(&system, |leaf| {
        all.push(leaf.determinant.map_or(0.0, |d| d * sign));
    });
    Ok(all)
}

fn within_the_box(problem: &ForwardProblem) -> Result<Option<f64>, ForwardInputError> {
    let (mut low, mut high) = (0.0, 1.0);
    while least_determinant(problem, high)? > 0.0 {
        low = high;
        high *= 2.0;
        if high > MARGIN_LIMIT {
            return Ok(None);
        }
    }
    let least = |factor: f64| least_determinant(problem, factor).unwrap_or(f64::NAN);
    Ok(bracketed(least, low, high).filter(|margin| *margin > 0.0))
}

/// Degree of the determinants in f: one per element with friction.
fn degree(problem: &ForwardProblem) -> usize {
    let joints = problem.friction.iter().filter(|given| given.mu_d > 0.0);
    let contacts = problem.contacts.iter();
    let contacts = contacts.filter(|c| c.tangent.is_some() && c.friction.mu_d > 0.0);
    joints.count() + contacts.count()
}

/// With `f = t/(1−t)`, `(1−t)^d det` is a polynomial in t: its coefficients in Bernstein's form come from
/// d + 1 values, and where all are positive so is it.
fn along_the_ray(
    problem: &ForwardProblem,
    is_unique: bool,
) -> Result<Option<f64>, ForwardInputError> {
    let d = degree(problem);
    let node = |i: usize| {
        let angle = std::f64::consts::PI * (2 * i + 1) as f64 / (2 * d + 2) as f64;
        0.5 - 0.5 * angle.cos()
    };
    let nodes: Vec<f64> = (0..=d).map(node).collect();
    let mut values = Vec::with_capacity(d + 1);
    for t in &nodes {
        let weight = (1.0 - t).powi(d as i32);
        let all = determinants(problem, t / (1.0 - t))?;
        values.push(all.into_iter().map(|x| weight * x).collect::<Vec<f64>>());
    }
    let mut first: Option<(f64, usize)> = None;
    for leaf in 0..values[0].len() {
        let own: Vec<f64> = values.iter().map(|all| all[leaf]).collect();
        let Some(mut form) = bernstein(&nodes, &own) else {
            return Ok(None); // singular whatever the friction
        };
        let mut start = 0.0;
        if is_unique {
            (form, start) = (halves(&form).1, 0.5);
        }
        let place = first_zero(&form, [start, 1.0], HALVINGS);
        let before = |t: &f64| first.is_none_or(|(known, _)| *t < known);
        first = place.filter(before).map(|t| (t, leaf)).or(first);
    }
    let Some((t, leaf)) = first else {
        return Ok(None);
    };
    let factor = t / (1.0 - t);
    if !(factor > 0.0 && factor <= MARGIN_LIMIT) {
        return Ok(None);
    }
    Ok(Some(polished(problem, leaf, factor)?))
}

/// The zero of one determinant near a factor.
fn polished(problem: &ForwardProblem, leaf: usize, near: f64) -> Result<f64, ForwardInputError> {
    let system = scaled(problem, 1.0)?;
    let (mut place, mut path) = (0, Vec::new());
    walk(&system, |found| {
        if place == leaf {
            path = found.path.to_vec();
        }
        place += 1;
    });
    let determinant = |factor: f64| {
        let Ok(system) = scaled(problem, factor) else {
            return f64::NAN;
        };
        let mut value = 0.0;
        visit(&system, std::slice::from_ref(&path), |found| {
            value = found.determinant.unwrap_or(0.0);
        });
        value
    };
    let (low, high) = (
        (1.0 - POLISHED_WITHIN) * near,
        (1.0 + POLISHED_WITHIN) * near,
    );
    Ok(bracketed(determinant, low, high).unwrap_or(near)) // where it only touches zero, no sign changes
}

/// Coefficients in Bernstein's form of the polynomial with these values; `None` where it is zero.
fn bernstein(nodes: &[f64], values: &[f64]) -> Option<Vec<f64>> {
    let d = nodes.len() - 1;
    let mut elimination = RowElimination::default();
    elimination.start(d + 1, 1);
    for (t, value) in nodes.iter().zip(values) {
        let mut row = vec![0.0; d + 1];
        row[0] = 1.0;
        for m in 1..=d {
            // B_j^m = (1−t) B_j^(m−1) + t B_(j−1)^(m−1)
            for j in (0..=m).rev() {
                let left = if j > 0 { row[j - 1] } else { 0.0 };
                row[j] = (1.0 - t) * row[j] + t * left;
            }
        }
        row.push(*value);
        elimination.push(&row)?;
    }
    let mut form = vec![0.0; d + 1];
    elimination.solve(0, &mut form);
    let most = form.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let round_off = |x: &&mut f64| x.abs() <= INTERPOLATED * most;
    form.iter_mut().filter(round_off).for_each(|x| *x = 0.0);
    (most > 0.0).then_some(form)
}

/// The form on both halves of its interval (de Casteljau).
fn halves(form: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut row = form.to_vec();
    let (mut left, mut right) = (vec![row[0]], vec![row[row.len() - 1]]);
    while row.len() > 1 {
        row = row
            .windows(2)
            .map(|pair| 0.5 * (pair[0] + pair[1]))
            .collect();
        left.push(row[0]);
        right.push(row[row.len() - 1]);
    }
    right.reverse();
    (left, right)
}

/// The first place where a polynomial that starts positive vanishes.
fn first_zero(form: &[f64], [low, high]: [f64; 2], halvings: usize) -> Option<f64> {
    let mut signs = form.iter().copied().filter(|x| *x != 0.0);
    if signs.clone().all(|x| x > 0.0) {
        return None;
    }
    if halvings == 0 || signs.next().is_none_or(|x| x < 0.0) {
        return Some(low);
    }
    let (left, right) = halves(form);
    let middle = 0.5 * (low + high);
    first_zero(&left, [low, middle], halvings - 1)
        .or_else(|| first_zero(&right, [middle, high], halvings - 1))
}
