//! Random mechanisms in generalised coordinates.

use fastrand::Rng;

use crate::random::{chance, either_sign};

/// A random mechanism of `n` coordinates and its contact rows.
pub struct Sample {
    pub n: usize,
    pub mass: Vec<f64>,
    pub rows: Vec<f64>,
    pub velocity: Vec<f64>,
}

impl Sample {
    pub fn draw(rng: &mut Rng, n: usize) -> Self {
        let root: Vec<f64> = (0..n * n).map(|_| either_sign(rng, 1.0)).collect();
        let mut mass = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let dot: f64 = (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
                mass[i * n + j] = dot + if i == j { 0.1 } else { 0.0 };
            }
        }
        let mut rows: Vec<f64> = (0..2 * n).map(|_| either_sign(rng, 1.0)).collect();
        let mut velocity: Vec<f64> = (0..n).map(|_| either_sign(rng, 1.0)).collect();
        if chance(rng, 0.02) {
            rows[n..].fill(0.0); // no motion along the tangent
        }
        if dot(&rows[..n], &velocity) > 0.0 && chance(rng, 0.95) {
            velocity.iter_mut().for_each(|x| *x = -*x);
        }
        Self {
            n,
            mass,
            rows,
            velocity,
        }
    }

    pub fn energy(&self, velocity: &[f64]) -> f64 {
        let moved = self.mass.chunks_exact(self.n).map(|row| dot(row, velocity));
        0.5 * moved.zip(velocity).map(|(a, b)| a * b).sum::<f64>()
    }
}

/// Scalar product.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
