//! Random counts and numbers.

use std::ops::Range;

use fastrand::Rng;

/// How many random cases a test tries: all in release, one in a hundred in debug, at least one. What a sweep
/// must have reached shrinks with it.
pub const fn count(full: usize) -> usize {
    full_or(full, full.div_ceil(100))
}

/// An effort that is not a count of random cases: full in release, another in debug.
pub const fn full_or<T: Copy>(full: T, in_debug: T) -> T {
    if cfg!(debug_assertions) {
        in_debug
    } else {
        full
    }
}

/// The seeds of so many random cases.
pub const fn seeds(full: u64) -> Range<u64> {
    0..count(full as usize) as u64
}

/// A number between two bounds.
pub fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// A number of either sign up to `most`.
pub fn either_sign(rng: &mut Rng, most: f64) -> f64 {
    most * (2.0 * rng.f64() - 1.0)
}

/// Numbers of either sign up to `most`.
pub fn list(rng: &mut Rng, n: usize, most: f64) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng, most)).collect()
}

/// True this often.
pub fn chance(rng: &mut Rng, probability: f64) -> bool {
    rng.f64() < probability
}

/// A symmetric positive definite matrix by rows: `A Aᵀ` of elements up to `most`, and `least` on the
/// diagonal.
pub fn definite(rng: &mut Rng, n: usize, most: f64, least: f64) -> Vec<Vec<f64>> {
    let a: Vec<Vec<f64>> = (0..n).map(|_| list(rng, n, most)).collect();
    let dot = |i: usize, j: usize| a[i].iter().zip(&a[j]).map(|(x, y)| x * y).sum::<f64>();
    let element = |i: usize, j: usize| dot(i, j) + if i == j { least } else { 0.0 };
    (0..n)
        .map(|i| (0..n).map(|j| element(i, j)).collect())
        .collect()
}
