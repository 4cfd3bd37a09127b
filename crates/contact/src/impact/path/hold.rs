//! The friction forces that keep contacts from slipping.

use super::problem::PathImpact;

/// Eigenvalues of the scaled matrix below this part of the largest are zero: rows move together.
const DEPENDENT: f64 = 1e-11;

/// Rounds of rotations after which an eigenvalue problem is solved for certain.
const ROUNDS: usize = 60;

/// The rows that must not move, and the forces along them per acceleration to be undone.
#[derive(Debug, Clone, Default)]
pub(super) struct Hold {
    pub(super) rows: Vec<usize>,
    /// Pseudo-inverse of W over those rows, least `Σ g_i W_ii f_i²`.
    inverse: Vec<f64>,
    /// Some forces move nothing.
    pub(super) is_shared: bool,
}

impl Hold {
    /// Of contacts with the weights of the list.
    pub(super) fn of(impact: &PathImpact, contacts: &[usize], weights: &[f64]) -> Self {
        let tangents = |i: &usize| impact.span(*i).skip(1);
        let rows: Vec<usize> = contacts.iter().flat_map(tangents).collect();
        let n = rows.len();
        let total = impact.rows();
        let w = |a: usize, b: usize| impact.w[rows[a] * total + rows[b]];
        // Both rows of a contact are scaled alike: its tangents may be turned.
        let size = |(i, weight): (&usize, &f64)| {
            let span = impact.span(*i).skip(1);
            let trace: f64 = span.map(|r| weight * impact.w[r * total + r]).sum();
            let scale = if trace > 0.0 {
                trace.sqrt().recip()
            } else {
                0.0
            };
            vec![scale; impact.contacts[*i].tangents]
        };
        let scales: Vec<f64> = contacts.iter().zip(weights).flat_map(size).collect();
        let mut matrix = vec![0.0; n * n];
        for a in 0..n {
            for b in 0..n {
                matrix[a * n + b] = w(a, b) * scales[a] * scales[b];
            }
        }
        let (inverse, rank) = pseudo_inverse(matrix, n);
        let scaled = inverse.iter().enumerate();
        let scaled = scaled.map(|(k, x)| x * scales[k / n.max(1)] * scales[k % n.max(1)]);
        Self {
            inverse: scaled.collect(),
            is_shared: rank < n,
            rows,
        }
    }

    /// The force along row `a` of the list that undoes the accelerations.
    pub(super) fn force(&self, a: usize, accelerations: &[f64]) -> f64 {
        let n = self.rows.len();
        let row = &self.inverse[a * n..(a + 1) * n];
        -row.iter()
            .zip(accelerations)
            .map(|(x, y)| x * y)
            .sum::<f64>()
    }
}

/// Pseudo-inverse and rank of a symmetric semidefinite matrix, by Jacobi's rotations.
fn pseudo_inverse(mut a: Vec<f64>, n: usize) -> (Vec<f64>, usize) {
    let mut q = vec![0.0; n * n];
    (0..n).for_each(|i| q[i * n + i] = 1.0);
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for i in 0..n {
            for j in 0..i {
                is_done &= !rotate(&mut a, &mut q, n, [i, j]);
            }
        }
        if is_done {
            break;
        }
    }
    let largest = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
    let kept: Vec<usize> = (0..n)
        .filter(|i| a[i * n + i] > DEPENDENT * largest)
        .collect();
    let mut inverse = vec![0.0; n * n];
    for &k in &kept {
        let value = a[k * n + k];
        for i in 0..n {
            for j in 0..n {
                inverse[i * n + j] += q[i * n + k] * q[j * n + k] / value;
            }
        }
    }
    (inverse, kept.len())
}

/// Makes one element zero; whether it was not.
fn rotate(a: &mut [f64], q: &mut [f64], n: usize, [i, j]: [usize; 2]) -> bool {
    let off = a[i * n + j];
    let size = (a[i * n + i].abs() * a[j * n + j].abs()).sqrt();
    if off == 0.0 || off.abs() <= f64::EPSILON * 0.25 * size || off.abs() < f64::MIN_POSITIVE {
        return false;
    }
    let theta = (a[j * n + j] - a[i * n + i]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = (t * t + 1.0).sqrt().recip();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + i], a[k * n + j]);
        a[k * n + i] = c * x - s * y;
        a[k * n + j] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[i * n + k], a[j * n + k]);
        a[i * n + k] = c * x - s * y;
        a[j * n + k] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (q[k * n + i], q[k * n + j]);
        q[k * n + i] = c * x - s * y;
        q[k * n + j] = s * x + c * y;
    }
    true
}
