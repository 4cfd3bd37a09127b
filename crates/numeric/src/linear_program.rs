//! Small linear programs: is there a point, and how far does it reach?

use crate::lemke::{Lemke, LemkeEnd};

/// How far a polyhedron reaches along one direction.
#[derive(Debug, Clone, PartialEq)]
pub enum Reach {
    /// No point satisfies the inequalities.
    Empty,
    /// The objective has no bound.
    Unbounded,
    /// The greatest value and a point that attains it.
    At(f64, Vec<f64>),
}

/// Greatest `cᵀx` over `{x : G x + h >= 0}`, x free; `rows` holds `(g, h)` pairs.
///
/// Kuhn–Tucker conditions of the program are a complementarity problem with a skew, hence positive
/// semidefinite, matrix: Lemke's method ends at a solution or proves that there is none.
pub fn maximise(c: &[f64], rows: &[(Vec<f64>, f64)]) -> Reach {
    match optimum(c, rows) {
        Some(x) => Reach::At(c.iter().zip(&x).map(|(a, b)| a * b).sum(), x),
        None if c.iter().all(|x| *x == 0.0) => Reach::Empty,
        None => match optimum(&vec![0.0; c.len()], rows) {
            Some(_) => Reach::Unbounded,
            None => Reach::Empty,
        },
    }
}

/// With x = u − v and multipliers y: `w = M z + q` for `z = (u, v, y)`.
fn optimum(c: &[f64], rows: &[(Vec<f64>, f64)]) -> Option<Vec<f64>> {
    let (n, m) = (c.len(), rows.len());
    let size = 2 * n + m;
    let mut matrix = vec![0.0; size * size];
    let mut q = vec![0.0; size];
    for (j, cost) in c.iter().enumerate() {
        (q[j], q[n + j]) = (-cost, *cost);
    }
    for (i, (g, h)) in rows.iter().enumerate() {
        let r = 2 * n + i;
        q[r] = *h;
        for (j, g_j) in g.iter().enumerate() {
            matrix[r * size + j] = *g_j;
            matrix[r * size + n + j] = -g_j;
            matrix[j * size + r] = -g_j;
            matrix[(n + j) * size + r] = *g_j;
        }
    }
    let mut lemke = Lemke::new();
    match lemke.solve(&matrix, &q) {
        LemkeEnd::Solved => {
            let z = lemke.z();
            Some((0..n).map(|j| z[j] - z[n + j]).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_rays_and_empty_sets_are_told_apart() {
        // x <= 1, y <= 2, x + y <= 2.5
        let rows = vec![
            (vec![-1.0, 0.0], 1.0),
            (vec![0.0, -1.0], 2.0),
            (vec![-1.0, -1.0], 2.5),
        ];
        match maximise(&[1.0, 2.0], &rows) {
            Reach::At(value, x) => {
                assert!((value - 4.5).abs() < 1e-12);
                assert!((x[0] - 0.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(maximise(&[-1.0, 0.0], &rows), Reach::Unbounded);
        let mut empty = rows;
        empty.push((vec![1.0, 0.0], -2.0));
        assert_eq!(maximise(&[1.0, 0.0], &empty), Reach::Empty);
        assert_eq!(maximise(&[0.0, 0.0], &empty), Reach::Empty);
    }

    #[test]
    fn random_boxes_are_measured() {
        let mut rng = fastrand::Rng::with_seed(8);
        for _ in 0..200 {
            let n = rng.usize(1..5);
            let centre: Vec<f64> = (0..n).map(|_| 4.0 * rng.f64() - 2.0).collect();
            let mut rows = Vec::new();
            for j in 0..n {
                for sign in [1.0, -1.0] {
                    let mut g = vec![0.0; n];
                    g[j] = sign;
                    rows.push((g, 0.5 - sign * centre[j]));
                }
            }
            let c: Vec<f64> = (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect();
            let wanted: f64 = c
                .iter()
                .zip(&centre)
                .map(|(a, b)| a * b + 0.5 * a.abs())
                .sum();
            match maximise(&c, &rows) {
                Reach::At(value, _) => assert!((value - wanted).abs() < 1e-10),
                other => panic!("{other:?}"),
            }
        }
    }
}
