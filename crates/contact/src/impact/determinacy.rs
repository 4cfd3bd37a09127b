//! What a collision determines: rank, impulses that move nothing, condition.

use carom_numeric::CompleteOrthogonal;
use carom_numeric::orthogonal::length;
use carom_numeric::singular::singular_values;

use super::planar::PlanarSolution;
use super::result::Determinacy;
use crate::contact_space::{ContactSpace, PlanarDelassus};

/// Of one contact with the rows (normal, tangent), or the normal alone; `is_shared`: its impulse is not
/// unique though its velocity is.
pub(super) fn of(
    w: &PlanarDelassus,
    has_tangent: bool,
    is_shared: bool,
    s: &PlanarSolution,
) -> Determinacy {
    let is_one = s.end.is_some() && !s.findings.another_is_consistent();
    Determinacy {
        rank: if has_tangent {
            w.rank()
        } else {
            usize::from(w.nn() > 0.0)
        },
        null_space: null_space(w, has_tangent),
        velocity_unique: is_one,
        impulses_unique: vec![is_one && !is_shared],
        compatibility_residual: 0.0,
        condition: condition(w, has_tangent),
    }
}

/// Of one contact in space with the rows (normal, t1, t2); `is_one`: no other end is consistent; `is_shared`: its
/// impulse is not unique.
pub(super) fn in_space(space: &ContactSpace, is_one: bool, is_shared: bool) -> Determinacy {
    let (n, rows) = (space.coordinates(), space.rows());
    let mut vectors = (0..rows)
        .flat_map(|i| space.vector(i).to_vec())
        .collect::<Vec<_>>();
    // Both tangents have one unit; the normal may have another.
    let sides = vectors.chunks_exact(n).skip(1);
    let most = sides.map(length).fold(0.0, f64::max);
    for row in vectors.chunks_exact_mut(n).skip(1) {
        if length(row) <= CompleteOrthogonal::RANK_TOLERANCE * most {
            row.fill(0.0); // round-off: nothing moves the contact that way
        }
    }
    let (mut factor, mut null_space) = (CompleteOrthogonal::new(), Vec::new());
    factor.decompose(&vectors, n, rows);
    factor.null_space(&mut null_space);
    let values = singular_values(&mut vectors, n);
    let (small, large) = values
        .iter()
        .fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
    let ratio = large / small;
    Determinacy {
        rank: factor.rank(),
        null_space: null_space.chunks_exact(rows).map(<[f64]>::to_vec).collect(),
        velocity_unique: is_one,
        impulses_unique: vec![is_one && !is_shared],
        compatibility_residual: 0.0,
        condition: (factor.rank() == rows)
            .then_some(ratio * ratio)
            .filter(|x| x.is_finite()),
    }
}

/// Impulses that change no contact velocity, as unit vectors (normal, tangent).
fn null_space(w: &PlanarDelassus, has_tangent: bool) -> Vec<Vec<f64>> {
    if !has_tangent {
        return if w.nn() > 0.0 {
            vec![]
        } else {
            vec![vec![1.0]]
        };
    }
    match w.rank() {
        2 => vec![],
        0 => vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        // W = x xᵀ: the null vector is orthogonal to either row; the longer row is the safer.
        _ => {
            let (x, y) = if w.nn() >= w.tt() {
                (-w.nt(), w.nn())
            } else {
                (w.tt(), -w.nt())
            };
            let length = (x * x + y * y).sqrt();
            vec![vec![x / length + 0.0, y / length + 0.0]]
        }
    }
}

/// Ratio of the eigenvalues of W, the small one by its stable form `det/λ_max`.
fn condition(w: &PlanarDelassus, has_tangent: bool) -> Option<f64> {
    if !has_tangent {
        return (w.nn() > 0.0).then_some(1.0);
    }
    let half = 0.5 * (w.nn() - w.tt());
    let large = 0.5 * (w.nn() + w.tt()) + (half * half + w.nt() * w.nt()).sqrt();
    let small = w.nn_stuck() * (w.tt() / large);
    (w.rank() == 2)
        .then(|| large / small)
        .filter(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_null_space_moves_nothing_and_has_the_missing_rank() {
        for (nn, nt, tt) in [
            (2.5, -1.5, 2.5),
            (1.0, 2.0, 4.0),
            (4.0, -2.0, 1.0),
            (1.0, 0.0, 0.0),
            (0.0, 0.0, 3.0),
            (0.0, 0.0, 0.0),
        ] {
            let w = PlanarDelassus::new(nn, nt, tt).unwrap();
            let basis = null_space(&w, true);
            assert_eq!(basis.len() + w.rank(), 2, "{w:?}");
            for z in basis {
                assert!((z[0] * z[0] + z[1] * z[1] - 1.0).abs() < 1e-15);
                assert!((nn * z[0] + nt * z[1]).abs() + (nt * z[0] + tt * z[1]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn the_condition_is_the_ratio_of_the_eigenvalues() {
        let w = PlanarDelassus::new(2.5, -1.5, 2.5).unwrap(); // eigenvalues 4 and 1
        assert!((condition(&w, true).unwrap() - 4.0).abs() < 1e-14);
        let singular = PlanarDelassus::new(1.0, 2.0, 4.0).unwrap();
        assert_eq!(condition(&singular, true), None);
    }
}
