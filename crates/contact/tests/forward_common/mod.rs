//! Random forward problems, shared by the tests of `forward`.
#![allow(dead_code)] // each test file uses its own part

use carom_contact::forward::ForwardProblem;
use fastrand::Rng;

use crate::common::{between, chance, either_sign};

/// Numbers of either sign.
pub(crate) fn list(rng: &mut Rng, n: usize, most: f64) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng, most)).collect()
}

/// A random symmetric positive definite matrix.
pub(crate) fn spd(rng: &mut Rng, n: usize) -> Vec<Vec<f64>> {
    let a: Vec<Vec<f64>> = (0..n).map(|_| list(rng, n, 1.0)).collect();
    let dot = |i: usize, j: usize| a[i].iter().zip(&a[j]).map(|(x, y)| x * y).sum::<f64>();
    let element = |i: usize, j: usize| dot(i, j) + if i == j { 0.3 } else { 0.0 };
    (0..n)
        .map(|i| (0..n).map(|j| element(i, j)).collect())
        .collect()
}

/// A random problem without contacts, a third of its coordinates at rest.
pub(crate) fn random_problem(rng: &mut Rng, n: usize) -> ForwardProblem {
    let strength = between(rng, 0.0, 1.5);
    ForwardProblem {
        inertia: spd(rng, n),
        bias: list(rng, n, 1.0),
        load_matrix: (0..n).map(|_| list(rng, n, 1.0)).collect(),
        load_offset: list(rng, n, 1.0),
        friction: (0..n).map(|_| (strength * rng.f64()).into()).collect(),
        velocity: (0..n)
            .map(|_| {
                if chance(rng, 0.3) {
                    0.0
                } else {
                    either_sign(rng, 1.0)
                }
            })
            .collect(),
        force: list(rng, n, 3.0),
        contacts: Vec::new(),
    }
}

/// P33: a = 1, b = 0.2, c = 2, d = 3.
pub(crate) fn dupont(mu: f64, tau: f64, velocity: f64) -> ForwardProblem {
    ForwardProblem {
        inertia: vec![vec![1.0]],
        bias: vec![0.2],
        load_matrix: vec![vec![2.0]],
        load_offset: vec![3.0],
        friction: vec![mu.into()],
        velocity: vec![velocity],
        force: vec![tau],
        contacts: Vec::new(),
    }
}
