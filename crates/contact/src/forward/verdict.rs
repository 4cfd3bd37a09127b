//! Existence and uniqueness for every input: determinants, margin, degree.

use std::collections::BTreeMap;

use carom_numeric::Cholesky;
use carom_numeric::singular::singular_values;

use super::assemble::{Variation, assemble};
use super::collect::{Keep, collect};
use super::enumerate::{order_sign, walk};
use super::error::ForwardInputError;
use super::frame::Frame;
use super::margin::margin;
use super::problem::ForwardProblem;
use super::system::System;

/// Whether the answer is unique for every force, load offset and contact drift.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Proved: exactly one answer whatever the force, the load offset and the drift. Where false and
    /// C is regular without contacts, some force has another count.
    pub unique: bool,
    /// Factor by which every μ may grow before uniqueness is lost; below 1, where it is not there, what is
    /// left of the friction where it ends, counted from none. `None`: without bound, or pieces are singular
    /// whatever the friction.
    pub margin: Option<f64>,
    /// `det(A + Diag(ε_i μ_i) C)` by sign pattern of ε.
    pub determinants: BTreeMap<String, f64>,
    /// The same for patterns with a stuck (`0`) or open (`l`) element, and with contacts; rows of
    /// contacts in units of `J A⁻¹ Jᵀ`. The first 4096, the least always among them.
    pub mode_determinants: BTreeMap<String, f64>,
    /// An element at rest holds more than it opposes once moving, `μ_s > μ_d`.
    pub static_exceeds_kinetic: bool,
    /// A pattern has dependent rows.
    pub has_singular: bool,
}

/// Tests that prove uniqueness without a sign pattern, for coordinates in motion.
///
/// Either number below 1 bounds the sign-real spectral radius of `Diag(μ) C A⁻¹`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SufficientTests {
    /// Upper bound on the Perron radius of `|Diag(μ) C A⁻¹|`.
    pub perron_radius: f64,
    /// 2-norm of `Diag(μ) C A⁻¹`, rows and columns in units of `√A_ii`.
    pub norm: f64,
    /// Whether one of them decides: below 1, no contact, and nothing at rest.
    pub decide: bool,
}

/// Patterns with a stuck or open element listed; beyond, only determinants below all before.
const LISTED: usize = 4096;

/// Power steps of the Perron bound; each step's bound holds, more steps make it sharper.
const PERRON_STEPS: usize = 60;

/// Judges a problem for every input.
///
/// Each sign pattern is a linear piece. The answer is unique for every input if all pieces have a
/// positive determinant, and, where none is singular, only if; patterns with stuck elements count
/// when an element is at rest.
pub fn verdict(problem: &ForwardProblem) -> Result<Verdict, ForwardInputError> {
    let system = assemble(problem, Variation::NONE)?;
    let mut determinants = BTreeMap::new();
    let mut mode_determinants = BTreeMap::new();
    let (mut least, mut has_singular) = (f64::INFINITY, false);
    let sign = order_sign(&system);
    let is_plain = problem.contacts.is_empty();
    walk(&system, |leaf| {
        let scaled = leaf.determinant.map_or(0.0, |d| d * sign);
        let is_least = scaled < least;
        least = least.min(scaled);
        has_singular |= leaf.determinant.is_none();
        let symbols = system.symbols(leaf.path);
        let is_sliding = is_plain && !symbols.contains('0');
        let map = if is_sliding {
            &mut determinants
        } else if mode_determinants.len() < LISTED || is_least {
            &mut mode_determinants
        } else {
            return;
        };
        map.insert(symbols, scaled * system.determinant_unit + 0.0);
    });
    let mut all = determinants.values().chain(mode_determinants.values());
    if !all.all(|d: &f64| d.is_finite()) {
        return Err(ForwardInputError::Overflow);
    }
    let static_exceeds_kinetic = static_exceeds_kinetic(problem);
    let unique = least > 0.0 && !static_exceeds_kinetic;
    Ok(Verdict {
        unique,
        // Static above kinetic friction at rest has two answers somewhere whatever the factor.
        margin: match static_exceeds_kinetic {
            true => None,
            false => margin(problem, unique)?,
        },
        determinants,
        mode_determinants,
        static_exceeds_kinetic,
        has_singular,
    })
}

/// An element at rest with `μ_s > μ_d`.
fn static_exceeds_kinetic(problem: &ForwardProblem) -> bool {
    let joints = problem.friction.iter().zip(&problem.velocity);
    let mut joints = joints.filter(|(given, v)| **v == 0.0 && given.mu_s > given.mu_d);
    let mut contacts = problem
        .contacts
        .iter()
        .filter(|c| c.slip == 0.0 && c.tangent.is_some() && c.friction.mu_s > c.friction.mu_d);
    joints.next().is_some() || contacts.next().is_some()
}

/// The cheap tests; `None` without friction on the coordinates.
pub fn sufficient_tests(
    problem: &ForwardProblem,
) -> Result<Option<SufficientTests>, ForwardInputError> {
    problem.check()?;
    let n = problem.coordinates();
    if problem.friction.is_empty() {
        return Ok(None);
    }
    let ratio = load_ratio(problem)?;
    let perron_radius = perron_bound(&ratio, n);
    let norm = singular_values(&mut ratio.clone(), n)
        .into_iter()
        .fold(0.0, f64::max);
    let is_moving = problem.velocity.iter().all(|v| *v != 0.0);
    Ok(Some(SufficientTests {
        perron_radius,
        norm,
        decide: perron_radius.min(norm) < 1.0 && is_moving && problem.contacts.is_empty(),
    }))
}

/// `Diag(μ) C A⁻¹` with rows and columns in units of `√A_ii`, row by row.
fn load_ratio(problem: &ForwardProblem) -> Result<Vec<f64>, ForwardInputError> {
    let n = problem.coordinates();
    let mut factor = Cholesky::new();
    factor
        .factor(&problem.inertia.concat(), n)
        .map_err(ForwardInputError::NotPositiveDefinite)?;
    let root = |i: usize| problem.inertia[i][i].sqrt();
    let mut ratio = Vec::with_capacity(n * n);
    for i in 0..n {
        // A is symmetric: row i of C A⁻¹ is A⁻¹ applied to row i of C.
        let mut row = problem.load_matrix[i].clone();
        factor.solve_lower(&mut row);
        factor.solve_lower_transposed(&mut row);
        let mu = problem.friction[i].mu_d / root(i);
        ratio.extend(row.iter().enumerate().map(|(j, x)| mu * x * root(j)));
    }
    Ok(ratio)
}

/// Collatz and Wielandt: `max (|M| x)_i / x_i` bounds the Perron radius for every positive x.
fn perron_bound(m: &[f64], n: usize) -> f64 {
    let mut x = vec![1.0; n];
    let mut bound = f64::INFINITY;
    let size = m.iter().fold(0.0f64, |most, a| most.max(a.abs()));
    for _ in 0..PERRON_STEPS {
        let rows = m.chunks_exact(n);
        let y: Vec<f64> = rows
            .map(|row| row.iter().zip(&x).map(|(a, b)| a.abs() * b).sum())
            .collect();
        let ratios = y.iter().zip(&x).map(|(a, b)| a / b);
        bound = bound.min(ratios.fold(0.0, f64::max));
        // A multiple of x keeps every component positive and damps oscillation.
        let next: Vec<f64> = y.iter().zip(&x).map(|(a, b)| a + 0.5 * size * b).collect();
        let most = next.iter().fold(0.0f64, |most, a| most.max(*a));
        if most == 0.0 {
            return 0.0;
        }
        x = next.into_iter().map(|a| a / most).collect();
    }
    bound
}

/// Attempts to leave a face by a small change of force and drift.
const DEGREE_ATTEMPTS: u32 = 4;

/// Size of that change, relative to the forces.
const DEGREE_STEP: f64 = 1e-6;

/// Degree `Σ sign det` over the answers: the same for every force off the faces.
///
/// `None` where a piece is singular, where `μ_s > μ_d` at rest (no continuous family joins the
/// forces), or where no nearby force is off the faces.
pub(super) fn degree(
    problem: &ForwardProblem,
    system: &System,
    has_singular: bool,
) -> Result<Option<i32>, ForwardInputError> {
    if has_singular || static_exceeds_kinetic(problem) {
        return Ok(None);
    }
    let mut tried = problem.clone();
    let mut pieces = None;
    for attempt in 1..=DEGREE_ATTEMPTS {
        let current = pieces.as_ref().unwrap_or(system);
        let found = collect(current, &tried, Keep::Answers)?.found;
        if found.answers.iter().all(|answer| answer.index != 0) {
            return Ok(Some(found.answers.iter().map(|a| i32::from(a.index)).sum()));
        }
        nudge(&mut tried, problem, &system.frame, f64::from(attempt));
        pieces = Some(assemble(&tried, Variation::NONE)?);
    }
    Ok(None)
}

/// Another force and drift nearby, in a direction of no special position.
fn nudge(tried: &mut ForwardProblem, problem: &ForwardProblem, frame: &Frame, attempt: f64) {
    let mut angle = attempt;
    let mut step = |size: f64| {
        angle += 1.0;
        DEGREE_STEP * attempt * size * (angle * angle).sin()
    };
    for i in 0..problem.coordinates() {
        let size = problem.force[i].abs() + problem.bias[i].abs() + frame.root[i] * frame.scale;
        tried.force[i] = problem.force[i] + step(size);
    }
    for (k, (contact, given)) in tried.contacts.iter_mut().zip(&problem.contacts).enumerate() {
        for axis in 0..2 {
            let unit = frame.contact_acceleration(2 * k + axis);
            contact.drift[axis] = given.drift[axis] + step(unit);
        }
    }
}
