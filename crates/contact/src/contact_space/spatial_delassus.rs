//! The inverse inertia a contact in space feels.

use carom_numeric::dot;

use super::principal::{Principal, principal};
use super::{DelassusError, SpatialVector, TIE, is_in_range};

/// Inverse inertia seen at one contact in space, `W = J M⁻¹ Jᵀ`, along (n, t1, t2).
///
/// ```text
/// W = | W_nn  W_nt |        dv = W dp;   W_tt = λ1 e1 e1ᵀ + λ2 e2 e2ᵀ,   0 <= λ1 <= λ2
///     | W_tn  W_tt |        b = W_tn,    c = W_tt⁺ b,    σ = W_nn − b·c >= 0
/// ```
///
/// Symmetric, positive semidefinite, of any rank. While the contact sticks the friction impulse is
/// `−c` and the normal velocity gained `σ` per unit of normal impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialDelassus {
    w: [[f64; 3]; 3],
    /// e2, along (t1, t2); e1 is it turned by −90°.
    axis: [f64; 2],
    lambda: [f64; 2],
    /// Along e1 and e2, as `lambda` and `c`.
    b: [f64; 2],
    c: [f64; 2],
    sigma: f64,
}

/// Differences of `W_ij` and `W_ji` that pass as round-off, relative to `√(W_ii W_jj)`.
const ASYMMETRY: f64 = 1e-12;

const NAMES: [[&str; 3]; 3] = [
    ["W_nn", "W_nt1", "W_nt2"],
    ["W_t1n", "W_t1t1", "W_t1t2"],
    ["W_t2n", "W_t2t1", "W_t2t2"],
];

impl SpatialDelassus {
    /// From the matrix (1/kg), rows and columns (n, t1, t2).
    pub fn new(w: [[f64; 3]; 3]) -> Result<Self, DelassusError> {
        Self::rounded(w, TIE)
    }

    /// From a matrix whose elements are known to the fraction `round_off` only: what is left of them below
    /// that fraction is none.
    pub(crate) fn rounded(w: [[f64; 3]; 3], round_off: f64) -> Result<Self, DelassusError> {
        let w = checked(w)?;
        let not_positive = DelassusError::NotPositiveInSpace { w };
        let [[nn, n_1, n_2], [_, w_11, w_12], [_, _, w_22]] = w;
        if nn < 0.0 || w_11 < 0.0 || w_22 < 0.0 {
            return Err(not_positive);
        }
        let found = principal([w_11, w_12, w_22], round_off).ok_or(not_positive)?;
        let Principal { axis, lambda } = found;
        let b = in_axes(axis, [n_1, n_2]);
        let (lambda, c, sigma) = stuck(nn, lambda, b, round_off).ok_or(not_positive)?;
        let b = [if lambda[0] > 0.0 { b[0] } else { 0.0 }, b[1]];
        Ok(Self {
            w,
            axis,
            lambda,
            b,
            c,
            sigma,
        })
    }

    /// From the vectors `x = L⁻¹ Jᵀ` of the three rows, `M = L Lᵀ`, so that `W = xᵀx`.
    ///
    /// What is left of one vector beside others keeps its digits where a difference of elements of W
    /// has lost them. `round_off` is the relative error to expect in the vectors: a remainder below it
    /// is none.
    pub fn from_vectors(
        x_n: &[f64],
        x_t: [&[f64]; 2],
        round_off: f64,
    ) -> Result<Self, DelassusError> {
        let [x_1, x_2] = x_t;
        let (nn, n_1, n_2) = (dot(x_n, x_n), dot(x_n, x_1), dot(x_n, x_2));
        let (w_11, w_12, w_22) = (dot(x_1, x_1), dot(x_1, x_2), dot(x_2, x_2));
        let w = checked([[nn, n_1, n_2], [n_1, w_11, w_12], [n_2, w_12, w_22]])?;
        let axis = principal([w_11, w_12, w_22], TIE).map_or([0.0, 1.0], |found| found.axis);
        // The vectors along the axes; the first is freed of what round-off left of the second.
        let pairs = || x_1.iter().zip(x_2);
        let along_2 = || pairs().map(|(x, y)| axis[0] * x + axis[1] * y);
        let across = || pairs().map(|(x, y)| axis[1] * x - axis[0] * y);
        let largest: f64 = along_2().map(|y| y * y).sum();
        let mixed: f64 = along_2().zip(across()).map(|(y, z)| y * z).sum();
        let tilt = if largest > 0.0 { mixed / largest } else { 0.0 };
        let along_1 = || across().zip(along_2()).map(|(z, y)| z - tilt * y);
        let left: f64 = along_1().map(|z| z * z).sum();
        let is_flat = left <= round_off * round_off * largest;
        let lambda = [if is_flat { 0.0 } else { left }, largest];
        let b_1: f64 = along_1().zip(x_n).map(|(z, x)| z * x).sum();
        let b_2: f64 = along_2().zip(x_n).map(|(y, x)| y * x).sum();
        let b = [if is_flat { 0.0 } else { b_1 }, b_2];
        let c = [over(b[0], lambda[0]), over(b[1], lambda[1])];
        let beside = along_1().zip(along_2()).zip(x_n);
        let beside = beside.map(|((z, y), x)| x - c[0] * z - c[1] * y);
        let sigma: f64 = beside.map(|x| x * x).sum();
        let is_singular = sigma <= round_off * round_off * nn;
        Ok(Self {
            w,
            axis: tilted(axis, tilt),
            lambda,
            b,
            c,
            sigma: if is_singular { 0.0 } else { sigma },
        })
    }

    /// The matrix, rows and columns (n, t1, t2) (1/kg).
    #[inline]
    pub fn matrix(&self) -> &[[f64; 3]; 3] {
        &self.w
    }

    /// Normal velocity per normal impulse, `>= 0` (1/kg).
    #[inline]
    pub fn nn(&self) -> f64 {
        self.w[0][0]
    }

    /// Principal values λ1 <= λ2 of `W_tt` (1/kg).
    #[inline]
    pub fn principal_values(&self) -> [f64; 2] {
        self.lambda
    }

    /// Normal velocity per normal impulse while the contact sticks, `σ = W_nn − W_nt W_tt⁺ W_tn` (1/kg).
    ///
    /// Zero where a stuck contact cannot rebound: a mechanism of one or two degrees of freedom.
    #[inline]
    pub fn nn_stuck(&self) -> f64 {
        self.sigma
    }

    /// `W_tn` along the principal axes (1/kg).
    #[inline]
    pub(crate) fn coupling(&self) -> [f64; 2] {
        self.b
    }

    /// `c = W_tt⁺ W_tn` along the principal axes.
    #[inline]
    pub(crate) fn stuck_friction(&self) -> [f64; 2] {
        self.c
    }

    /// Least coefficient with which a contact at rest stays at rest, `μ_stick = |W_tt⁺ W_tn|`.
    ///
    /// Sticking needs `dv_t = 0`, hence `dp_t/dp_n = −W_tt⁺ W_tn`; the cone holds that ratio exactly when
    /// `μ >= μ_stick`.
    pub fn stick_threshold(&self) -> f64 {
        length(self.c)
    }

    /// Least coefficient with which some direction of slip jams, `μ_P = W_nn/|W_tn|`: beyond it pressing
    /// along such a slip makes the bodies approach. Infinite without coupling.
    pub fn jam_threshold(&self) -> f64 {
        let [[nn, n_1, n_2], ..] = self.w;
        if n_1 == 0.0 && n_2 == 0.0 {
            return f64::INFINITY;
        }
        nn / length([n_1, n_2])
    }

    /// Rank of W: 0 to 3.
    pub fn rank(&self) -> usize {
        let counted = [self.lambda[0], self.lambda[1], self.sigma];
        counted.iter().filter(|x| **x > 0.0).count()
    }

    /// Velocity gained by an impulse, `W p` (m/s).
    #[inline]
    pub fn times(&self, p: SpatialVector) -> SpatialVector {
        let row = |i: usize| self.w[i][0] * p.n + self.w[i][1] * p.t[0] + self.w[i][2] * p.t[1];
        SpatialVector {
            n: row(0),
            t: [row(1), row(2)],
        }
    }

    /// A tangent vector along the principal axes.
    #[inline]
    pub(crate) fn to_axes(self, t: [f64; 2]) -> [f64; 2] {
        in_axes(self.axis, t)
    }

    /// A vector of the principal axes along (t1, t2).
    #[inline]
    pub(crate) fn to_tangents(self, x: [f64; 2]) -> [f64; 2] {
        let [a, b] = self.axis;
        [b * x[0] + a * x[1], b * x[1] - a * x[0]]
    }
}

/// Along e1 = (a2, −a1) and e2 = (a1, a2).
#[inline]
fn in_axes([a, b]: [f64; 2], t: [f64; 2]) -> [f64; 2] {
    [b * t[0] - a * t[1], a * t[0] + b * t[1]]
}

/// e2 turned by a small angle towards e1.
fn tilted([a, b]: [f64; 2], tilt: f64) -> [f64; 2] {
    let (x, y) = (a + tilt * b, b - tilt * a);
    let size = length([x, y]);
    [x / size, y / size]
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn over(x: f64, y: f64) -> f64 {
    if y > 0.0 { x / y } else { 0.0 }
}

/// Every element finite, the diagonal within [`super::RANGE`], the rest symmetric: and made so exactly.
fn checked(w: [[f64; 3]; 3]) -> Result<[[f64; 3]; 3], DelassusError> {
    let mut even = w;
    for i in 0..3 {
        for j in 0..3 {
            let (which, value) = (NAMES[i][j], w[i][j]);
            if !value.is_finite() {
                return Err(DelassusError::NotFinite { which, value });
            }
            if i == j && !is_in_range(value) {
                return Err(DelassusError::OutOfRange { which, value });
            }
            let other = w[j][i];
            let size = (w[i][i].abs() * w[j][j].abs()).sqrt();
            if (value - other).abs() > ASYMMETRY * size {
                return Err(DelassusError::Asymmetric {
                    which,
                    value,
                    other,
                });
            }
            even[i][j] = 0.5 * value + 0.5 * other;
        }
    }
    Ok(even)
}

/// Principal values, `c` and `σ` of a matrix given by its elements, zero where they are round-off; none
/// where the matrix would create energy.
///
/// ```text
/// σ = W_nn − b2²/λ2 − b1²/λ1
/// ```
///
/// λ1 is known to round-off of λ2 and b1 to that of W: the last term knows its own error.
#[allow(clippy::type_complexity, reason = "three numbers of one factorisation")]
fn stuck(
    nn: f64,
    lambda: [f64; 2],
    b: [f64; 2],
    round_off: f64,
) -> Option<([f64; 2], [f64; 2], f64)> {
    let [mut l_1, l_2] = lambda;
    if l_2 == 0.0 {
        let is_coupled = b[0] != 0.0 || b[1] != 0.0;
        return (!is_coupled).then_some(([0.0; 2], [0.0; 2], nn));
    }
    let size = (nn * l_2).sqrt();
    let c_2 = b[1] / l_2;
    let rest = nn - b[1] * c_2;
    if rest < -4.0 * round_off * nn {
        return None;
    }
    let rest = if rest <= round_off * nn { 0.0 } else { rest };
    if b[0].abs() <= 4.0 * round_off * size {
        let c_1 = if l_1 > 0.0 { b[0] / l_1 } else { 0.0 };
        let sigma = (rest - b[0] * c_1).max(0.0);
        return Some(([l_1, l_2], [c_1, c_2], sigma));
    }
    let noise = round_off * (l_2 * nn + size * b[0].abs());
    let left = l_1 * rest - b[0] * b[0];
    if left < -4.0 * noise {
        return None;
    }
    if left <= noise || rest == 0.0 {
        l_1 = if rest > 0.0 { b[0] * b[0] / rest } else { l_1 };
        return Some(([l_1, l_2], [over(b[0], l_1), c_2], 0.0));
    }
    let c_1 = b[0] / l_1;
    Some(([l_1, l_2], [c_1, c_2], left / l_1))
}

#[cfg(test)]
mod tests;
