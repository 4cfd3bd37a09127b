//! Symmetric 3 × 3 matrices.

use crate::vector::{Linear, Vector};

/// A symmetric 3 × 3 matrix; as the inertia of a body, about its mass centre in body axes (kg·m²).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Symmetric {
    /// First of the diagonal.
    pub xx: f64,
    /// Second of the diagonal.
    pub yy: f64,
    /// Third of the diagonal.
    pub zz: f64,
    /// Off the diagonal; of an inertia, minus the product of inertia `Σ m x y`.
    pub xy: f64,
    /// Off the diagonal.
    pub xz: f64,
    /// Off the diagonal.
    pub yz: f64,
}

/// A moment below this part of the greatest counts as zero: that of a thin rod about its axis.
const THIN: f64 = 64.0 * f64::EPSILON;
/// Sweeps after which Jacobi's rotations have long converged.
const SWEEPS: usize = 12;

impl From<[f64; 3]> for Symmetric {
    fn from([xx, yy, zz]: [f64; 3]) -> Self {
        Self {
            xx,
            yy,
            zz,
            ..Self::default()
        }
    }
}

impl Symmetric {
    /// From rows; none where the matrix is not symmetric.
    pub fn from_rows(rows: [[f64; 3]; 3]) -> Option<Self> {
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rows;
        ([xy, xz, yz] == [yx, zx, zy]).then_some(Self {
            xx,
            yy,
            zz,
            xy,
            xz,
            yz,
        })
    }

    /// Its rows.
    #[inline(always)]
    pub fn rows(&self) -> [Vector<3>; 3] {
        [
            Vector([self.xx, self.xy, self.xz]),
            Vector([self.xy, self.yy, self.yz]),
            Vector([self.xz, self.yz, self.zz]),
        ]
    }

    #[inline(always)]
    pub(super) fn times(&self, r: Vector<3>) -> Vector<3> {
        Vector(self.rows().map(|row| row.dot(r)))
    }

    #[inline(always)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            zz: self.zz + other.zz,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yz: self.yz + other.yz,
        }
    }

    /// `a bᵀ + b aᵀ`, halved
    #[inline(always)]
    pub(super) fn product(a: Vector<3>, b: Vector<3>) -> Self {
        let (Vector([ax, ay, az]), Vector([bx, by, bz])) = (a, b);
        Self {
            xx: ax * bx,
            yy: ay * by,
            zz: az * bz,
            xy: 0.5 * (ax * by + ay * bx),
            xz: 0.5 * (ax * bz + az * bx),
            yz: 0.5 * (ay * bz + az * by),
        }
    }

    /// `self − a bᵀ` where the product is symmetric, as for parallel a and b.
    #[inline(always)]
    pub(super) fn less(&self, a: Vector<3>, b: Vector<3>) -> Self {
        let (Vector([ax, ay, az]), Vector([bx, by, bz])) = (a, b);
        Self {
            xx: self.xx - ax * bx,
            yy: self.yy - ay * by,
            zz: self.zz - az * bz,
            xy: self.xy - ax * by,
            xz: self.xz - ax * bz,
            yz: self.yz - ay * bz,
        }
    }

    /// By how much the greatest eigenvalue exceeds the sum of the two others; negative where it does not.
    ///
    /// No mass turns more about one axis than about the two others together: `½ tr I − I` is the sum of
    /// `m r rᵀ`.
    pub fn excess(&self) -> f64 {
        let half = self.half_trace();
        let spread = Self {
            xx: half - self.xx,
            yy: half - self.yy,
            zz: half - self.zz,
            xy: -self.xy,
            xz: -self.xz,
            yz: -self.yz,
        };
        -2.0 * spread.least()
    }

    /// Half the sum of the eigenvalues.
    pub fn half_trace(&self) -> f64 {
        0.5 * (self.xx + self.yy + self.zz)
    }

    /// `factor` times the identity.
    #[inline(always)]
    pub(super) fn isotropic(factor: f64) -> Self {
        Self::from([factor; 3])
    }

    /// `R A Rᵀ` with R given by its rows.
    #[inline(always)]
    pub(super) fn turned(&self, r: &[Vector<3>; 3]) -> Self {
        let [x, y, z] = r.map(|row| self.times(row));
        Self {
            xx: r[0].dot(x),
            yy: r[1].dot(y),
            zz: r[2].dot(z),
            xy: r[0].dot(y),
            xz: r[0].dot(z),
            yz: r[1].dot(z),
        }
    }

    /// Least eigenvalue, zero where it is zero but for round-off; undefined numbers come back.
    pub(super) fn least(&self) -> f64 {
        let all = [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz];
        if let Some(value) = all.into_iter().find(|x| !x.is_finite()) {
            return value;
        }
        let values = self.eigenvalues();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let size = values.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
        if least.abs() <= THIN * size {
            0.0
        } else {
            least
        }
    }

    /// Greatest eigenvalue.
    pub(super) fn greatest(&self) -> f64 {
        self.eigenvalues().into_iter().fold(0.0, f64::max)
    }

    /// Eigenvalues by Jacobi's rotations; those of a diagonal matrix are its elements.
    fn eigenvalues(&self) -> [f64; 3] {
        let mut a = self.rows().map(|row| row.0);
        for _ in 0..SWEEPS {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                if a[p][q] != 0.0 {
                    rotate(&mut a, p, q);
                }
            }
        }
        [a[0][0], a[1][1], a[2][2]]
    }
}

/// One rotation in the plane of axes p and q that makes `a_pq` zero.
fn rotate(a: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let tan = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let cos = tan.hypot(1.0).recip();
    let sin = tan * cos;
    let r = 3 - p - q;
    let shift = tan * a[p][q];
    a[p][p] -= shift;
    a[q][q] += shift;
    let (rp, rq) = (a[r][p], a[r][q]);
    (a[r][p], a[r][q]) = (cos * rp - sin * rq, sin * rp + cos * rq);
    (a[p][r], a[q][r]) = (a[r][p], a[r][q]);
    (a[p][q], a[q][p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rotation;

    #[test]
    fn a_turned_rod_has_no_negative_moment() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let turned = Rotation::new([0; 4].map(|_| rng.f64() - 0.5));
            let rod = Symmetric::from([0.0, 0.3, 0.3]).turned(turned.rows());
            assert_eq!(rod.least(), 0.0, "{rod:?}");
            let body = Symmetric::from([0.1, 0.2, 0.25]).turned(turned.rows());
            assert!((body.least() - 0.1).abs() < 1e-15);
            let wrong = Symmetric::from([-0.1, 0.2, 0.3]).turned(turned.rows());
            assert!((wrong.least() + 0.1).abs() < 1e-15);
        }
    }
}
