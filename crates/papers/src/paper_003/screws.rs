//! Screws in Plücker coordinates: twists (ω; v_C), wrenches (force; moment about C), and small matrices of them.

/// Six coordinates of a screw, two vectors.
pub(super) type Screw = [f64; 6];

/// A vector of space.
pub(super) type Vector = [f64; 3];

/// A small dense matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Two vectors as one screw.
pub(super) fn screw(first: Vector, second: Vector) -> Screw {
    std::array::from_fn(|k| if k < 3 { first[k] } else { second[k - 3] })
}

/// `η a`: the halves change places, equation (1).
pub(super) fn eta(a: &Screw) -> Screw {
    std::array::from_fn(|k| a[(k + 3) % 6])
}

/// `aᵀ η b`: the power of a wrench on a twist; zero when they are reciprocal.
pub(super) fn pairing(a: &Screw, b: &Screw) -> f64 {
    dot(&eta(a), b)
}

/// Mass and central moments of inertia, equation (32).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inertia {
    pub(super) mass: f64,
    pub(super) moments: Vector,
}

impl Inertia {
    /// `M v`: momentum and angular momentum of a twist.
    pub(super) fn momentum(&self, v: &Screw) -> Screw {
        std::array::from_fn(|k| {
            if k < 3 {
                self.mass * v[k + 3]
            } else {
                self.moments[k - 3] * v[k - 3]
            }
        })
    }

    /// `M⁻¹ w`: the twist a wrench gives a body at rest.
    pub(super) fn twist(&self, w: &Screw) -> Screw {
        std::array::from_fn(|k| {
            if k < 3 {
                w[k + 3] / self.moments[k]
            } else {
                w[k - 3] / self.mass
            }
        })
    }
}

/// `Aᵀ η B` of two lists of screws.
pub(super) fn pairings(a: &[Screw], b: &[Screw]) -> Matrix {
    let row = |x: &Screw| b.iter().map(|y| pairing(x, y)).collect();
    a.iter().map(row).collect()
}

/// `Σ c_k a_k`.
pub(super) fn combined(a: &[Screw], c: &[f64]) -> Screw {
    std::array::from_fn(|k| a.iter().zip(c).map(|(x, c)| c * x[k]).sum())
}

pub(super) fn times(a: &Matrix, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| dot(row, x)).collect()
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let b = transposed(b);
    a.iter().map(|row| times(&b, row)).collect()
}

pub(super) fn transposed(a: &Matrix) -> Matrix {
    let columns = a.first().map_or(0, Vec::len);
    let column = |k: usize| a.iter().map(|row| row[k]).collect();
    (0..columns).map(column).collect()
}

pub(super) fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    let row = |(x, y): (&Vec<f64>, &Vec<f64>)| x.iter().zip(y).map(|(x, y)| x + y).collect();
    a.iter().zip(b).map(row).collect()
}

/// Determinant and inverse by elimination with row exchanges; the inverse of a singular matrix is not a number.
pub(super) fn inverse(a: &Matrix) -> (f64, Matrix) {
    let n = a.len();
    let unit = |i: usize| (0..n).map(move |k| f64::from(u8::from(i == k)));
    let widen = |(i, row): (usize, &Vec<f64>)| row.iter().copied().chain(unit(i)).collect();
    let mut rows: Matrix = a.iter().enumerate().map(widen).collect();
    let mut determinant = 1.0;
    for k in 0..n {
        let size = |i: &usize| rows[*i][k].abs();
        let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j)));
        let pivot = pivot.unwrap_or(k);
        if pivot != k {
            rows.swap(k, pivot);
            determinant = -determinant;
        }
        let lead = rows[k][k];
        determinant *= lead;
        rows[k].iter_mut().for_each(|x| *x /= lead);
        let own = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k];
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let right = rows.into_iter().map(|row| row[n..].to_vec()).collect();
    (determinant, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrench_through_the_axis_of_a_hinge_does_no_work_on_it() {
        let at = [0.3, -0.2, 0.5];
        let hinge = screw([0.0, 0.0, 1.0], cross(at, [0.0, 0.0, 1.0]));
        let push = [0.4, -1.0, 2.0];
        assert!(pairing(&screw(push, cross(at, push)), &hinge).abs() < 1e-15);
        let beside = cross([0.3, 0.8, 0.5], push);
        assert!(pairing(&screw(push, beside), &hinge).abs() > 0.1);
    }

    #[test]
    fn an_inverse_undoes_its_matrix_and_a_singular_one_has_none() {
        let a = vec![
            vec![0.0, 2.0, 1.0],
            vec![1.0, 3.0, 0.0],
            vec![2.0, 0.5, 4.0],
        ];
        let (determinant, b) = inverse(&a);
        let unit = product(&a, &b);
        for (i, row) in unit.iter().enumerate() {
            for (k, x) in row.iter().enumerate() {
                assert!((x - f64::from(u8::from(i == k))).abs() < 1e-14);
            }
        }
        assert!((determinant + 13.5).abs() < 1e-13, "{determinant}");
        let (none, _) = inverse(&vec![vec![1.0, 2.0], vec![2.0, 4.0]]);
        assert_eq!(none, 0.0);
    }
}
