//! Random forward problems.

use carom_contact::forward::ForwardProblem;
use fastrand::Rng;

pub use crate::random::list;
use crate::random::{between, chance, definite, either_sign};

/// A random problem without contacts, a third of its coordinates at rest.
pub fn random_problem(rng: &mut Rng, n: usize) -> ForwardProblem {
    let strength = between(rng, 0.0, 1.5);
    ForwardProblem {
        inertia: definite(rng, n, 1.0, 0.3),
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
pub fn dupont(mu: f64, tau: f64, velocity: f64) -> ForwardProblem {
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
