//! Singular values of a small matrix, to their own relative accuracy.

use crate::dot;

/// Sweeps allowed; convergence is quadratic and takes fewer than ten.
const SWEEPS: usize = 40;

/// Columns are orthogonal when their product is below this fraction of their lengths.
const ORTHOGONAL: f64 = 4.0 * f64::EPSILON;

/// Singular values of the matrix whose columns of length `n` stand one after another in `x`, in
/// the order of the columns they end in. `x` is used up.
///
/// One-sided Jacobi (Hestenes): pairs of columns are rotated until all are orthogonal; their
/// lengths are then the singular values. Meant for no more columns than rows.
///
/// # Panics
///
/// When `x` has not whole columns.
pub fn singular_values(x: &mut [f64], n: usize) -> Vec<f64> {
    assert!(n > 0 && x.len().is_multiple_of(n), "whole columns");
    let m = x.len() / n;
    for _ in 0..SWEEPS {
        let mut is_done = true;
        for i in 0..m {
            for j in i + 1..m {
                let (head, tail) = x.split_at_mut(j * n);
                is_done &= rotate(&mut head[i * n..(i + 1) * n], &mut tail[..n]);
            }
        }
        if is_done {
            break;
        }
    }
    x.chunks_exact(n).map(crate::orthogonal::length).collect()
}

/// Makes two columns orthogonal; whether they were.
fn rotate(a: &mut [f64], b: &mut [f64]) -> bool {
    let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
    // Written so that a NaN ends it too.
    if !(ab.abs() > ORTHOGONAL * (aa * bb).sqrt()) {
        return true;
    }
    let zeta = (bb - aa) / (2.0 * ab);
    let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = cosine * tangent;
    for (x, y) in a.iter_mut().zip(b) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn squares_of_the_singular_values_are_the_eigenvalues_of_the_gram_matrix() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..300 {
            let m = rng.usize(1..8);
            let n = m + rng.usize(0..4);
            let x = DMatrix::from_fn(n, m, |_, _| rng.f64() - 0.5);
            let mut found = singular_values(&mut x.as_slice().to_vec(), n);
            found.sort_by(f64::total_cmp);
            let gram = (x.transpose() * &x).symmetric_eigen();
            let mut wanted: Vec<f64> = gram.eigenvalues.iter().copied().collect();
            wanted.sort_by(f64::total_cmp);
            let top = wanted[m - 1];
            for (a, b) in found.iter().zip(&wanted) {
                assert!((a * a - b).abs() < 1e-13 * top, "{found:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn a_small_singular_value_keeps_its_digits() {
        // Columns (1, 0) and (1, s): the product of the singular values is the determinant s.
        let s = 1e-9;
        let found = singular_values(&mut [1.0, 0.0, 1.0, s], 2);
        assert!((found[0] * found[1] / s - 1.0).abs() < 1e-6, "{found:?}");
        assert_eq!(singular_values(&mut [0.0; 4], 2), [0.0, 0.0]);
    }
}
