//! The inverse inertia a planar contact feels.

use carom_numeric::dot;

use super::{PlanarVector, TIE, is_in_range};

/// Inverse inertia seen at one planar contact, `W = J M⁻¹ Jᵀ`.
///
/// ```text
/// W = | nn  nt |        dv = W dp,   rows and columns (normal, tangent)
///     | nt  tt |
/// ```
///
/// Symmetric, positive semidefinite (checked where it is built). Singular exactly when the contact
/// point can move along one line only, as in a mechanism of one degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarDelassus {
    nn: f64,
    nt: f64,
    tt: f64,
    nn_stuck: f64,
}

/// Why a matrix was refused as a Delassus matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum DelassusError {
    /// An element is infinite or not a number.
    NotFinite {
        /// `W_nn`, `W_nt` or `W_tt`.
        which: &'static str,
        /// The value given.
        value: f64,
    },
    /// An element is too large or too small for its products to keep their digits.
    OutOfRange {
        /// `W_nn` or `W_tt`.
        which: &'static str,
        /// The value given.
        value: f64,
    },
    /// `W_nn < 0`, `W_tt < 0` or `W_nt² > W_nn W_tt`.
    NotPositive {
        /// `W_nn` (1/kg).
        nn: f64,
        /// `W_nt` (1/kg).
        nt: f64,
        /// `W_tt` (1/kg).
        tt: f64,
    },
    /// The matrix of a contact in space is not positive semidefinite.
    NotPositiveInSpace {
        /// Rows and columns (n, t1, t2) (1/kg).
        w: [[f64; 3]; 3],
    },
    /// The matrix of a contact in space is not symmetric.
    Asymmetric {
        /// An element.
        which: &'static str,
        /// Its value (1/kg).
        value: f64,
        /// The value across the diagonal (1/kg).
        other: f64,
    },
}

impl std::fmt::Display for DelassusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite { which, value } => {
                write!(f, "{which} is {value}, expected a finite number")
            }
            Self::OutOfRange { which, value } => write!(
                f,
                "{which} is {value:e}, expected zero or a size from 1e-100 to 1e100 (rescale the units)"
            ),
            Self::NotPositive { nn, nt, tt } => write!(
                f,
                "W = [[{nn}, {nt}], [{nt}, {tt}]] is not positive semidefinite, expected W_nn >= 0, \
                 W_tt >= 0 and W_nt² <= W_nn W_tt"
            ),
            Self::NotPositiveInSpace { w } => write!(
                f,
                "W = {w:?} is not positive semidefinite, expected no motion that an impulse gives energy of \
                 the wrong sign"
            ),
            Self::Asymmetric {
                which,
                value,
                other,
            } => write!(
                f,
                "{which} is {value} and its mirror image {other}, expected W to be symmetric"
            ),
        }
    }
}

impl std::error::Error for DelassusError {}

impl PlanarDelassus {
    /// From the three elements (1/kg).
    pub fn new(nn: f64, nt: f64, tt: f64) -> Result<Self, DelassusError> {
        Self::rounded([nn, nt, tt], TIE)
    }

    /// From elements `W_nn, W_nt, W_tt` that are known to the fraction `round_off` only: a slope while stuck
    /// below that fraction of `W_nn` is none.
    pub(crate) fn rounded([nn, nt, tt]: [f64; 3], round_off: f64) -> Result<Self, DelassusError> {
        check_size(nn, nt, tt)?;
        let nn_stuck = stuck_slope(nn, nt, tt, round_off);
        if nn < 0.0 || tt < 0.0 || nn_stuck < 0.0 {
            return Err(DelassusError::NotPositive { nn, nt, tt });
        }
        Ok(Self {
            nn,
            nt,
            tt,
            nn_stuck,
        })
    }

    /// From the vectors `x = L⁻¹ Jᵀ` of the two rows, `M = L Lᵀ`, so that `W = xᵀx`.
    ///
    /// The slope while stuck is the squared length of what is left of `x_n` beside `x_t`. It keeps
    /// its digits where `W_nn − W_nt²/W_tt` has lost them to cancellation. `round_off` is the
    /// relative error to expect in the vectors: a remainder below it is a singular W.
    pub fn from_vectors(x_n: &[f64], x_t: &[f64], round_off: f64) -> Result<Self, DelassusError> {
        let (nn, nt, tt) = (dot(x_n, x_n), dot(x_n, x_t), dot(x_t, x_t));
        check_size(nn, nt, tt)?;
        let ratio = if tt > 0.0 { nt / tt } else { 0.0 };
        let remainder = x_n.iter().zip(x_t).map(|(a, b)| a - ratio * b);
        let left: f64 = remainder.map(|x| x * x).sum();
        let is_singular = left <= round_off * round_off * nn;
        let nn_stuck = if is_singular { 0.0 } else { left };
        Ok(Self {
            nn,
            nt,
            tt,
            nn_stuck,
        })
    }

    /// Of a contact that can move along one line only, `(n, t)` per unit of that motion.
    pub(crate) fn along_a_line(n: f64, t: f64) -> Result<Self, DelassusError> {
        let (nn, nt, tt) = (n * n, n * t, t * t);
        check_size(nn, nt, tt)?;
        let nn_stuck = if tt > 0.0 { 0.0 } else { nn };
        Ok(Self {
            nn,
            nt,
            tt,
            nn_stuck,
        })
    }

    /// Normal velocity per normal impulse, `>= 0` (1/kg).
    #[inline]
    pub fn nn(&self) -> f64 {
        self.nn
    }

    /// Tangent velocity per normal impulse, either sign (1/kg).
    #[inline]
    pub fn nt(&self) -> f64 {
        self.nt
    }

    /// Tangent velocity per tangent impulse, `>= 0` (1/kg).
    #[inline]
    pub fn tt(&self) -> f64 {
        self.tt
    }

    /// Normal velocity per normal impulse while the contact sticks, `W_nn − W_nt²/W_tt` (1/kg).
    ///
    /// Zero when a stuck contact cannot rebound: W singular with `W_tt > 0`, or `W_nn = 0`. Without
    /// `W_tt` nothing moves the contact sideways and it is `W_nn`.
    #[inline]
    pub fn nn_stuck(&self) -> f64 {
        self.nn_stuck
    }

    /// Least friction coefficient with which a stuck contact stays stuck, `μ_c = |W_nt|/W_tt`.
    ///
    /// Sticking needs `dv_t = 0`, hence `dp_t/dp_n = −W_nt/W_tt`; the friction cone holds that ratio
    /// exactly when `μ >= μ_c`. Zero where `W_tt = 0`: nothing then moves the contact sideways.
    pub fn stick_threshold(&self) -> f64 {
        if self.tt > 0.0 {
            self.nt.abs() / self.tt
        } else {
            0.0
        }
    }

    /// Velocity gained by an impulse, `W p` (m/s).
    #[inline]
    pub fn times(&self, p: PlanarVector) -> PlanarVector {
        PlanarVector {
            n: self.nn * p.n + self.nt * p.t,
            t: self.nt * p.n + self.tt * p.t,
        }
    }

    /// Rank of W: 0, 1 or 2.
    pub fn rank(&self) -> usize {
        match (self.nn > 0.0, self.tt > 0.0, self.nn_stuck > 0.0) {
            (true, true, true) => 2,
            (false, false, _) => 0,
            _ => 1,
        }
    }
}

/// Every element finite, and the diagonal within [`super::RANGE`].
fn check_size(nn: f64, nt: f64, tt: f64) -> Result<(), DelassusError> {
    for (which, value) in [("W_nn", nn), ("W_nt", nt), ("W_tt", tt)] {
        if !value.is_finite() {
            return Err(DelassusError::NotFinite { which, value });
        }
    }
    for (which, value) in [("W_nn", nn), ("W_tt", tt)] {
        if !is_in_range(value) {
            return Err(DelassusError::OutOfRange { which, value });
        }
    }
    Ok(())
}

/// `W_nn − W_nt²/W_tt`, zero below round-off (a singular W); without `W_tt` it is `W_nn`.
fn stuck_slope(nn: f64, nt: f64, tt: f64, round_off: f64) -> f64 {
    if tt == 0.0 {
        // J_t = 0, so that W_nt must vanish too.
        return if nt == 0.0 { nn } else { -nt.abs() };
    }
    let slope = nn - nt * (nt / tt);
    if slope.abs() <= round_off * nn {
        0.0
    } else {
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_that_would_create_energy_is_refused() {
        for (nn, nt, tt) in [
            (-1.0, 0.0, 1.0),
            (1.0, 0.0, -1.0),
            (1.0, 2.0, 1.0),
            (1.0, 1e-9, 0.0),
        ] {
            let error = PlanarDelassus::new(nn, nt, tt).unwrap_err();
            assert!(
                matches!(error, DelassusError::NotPositive { .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn a_contact_of_one_degree_of_freedom_has_exactly_no_slope_when_stuck() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..10_000 {
            let (n, t, m) = (rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() + 0.1);
            let w = PlanarDelassus::new(n * n / m, n * t / m, t * t / m).unwrap();
            assert_eq!(w.nn_stuck(), 0.0, "{w:?}");
            assert_eq!(w.rank(), 1);
        }
    }

    #[test]
    fn the_stuck_slope_keeps_its_digits_next_to_a_singular_matrix() {
        // Rows (1, 0) and (1, s): the exact slope is s²/(1 + s²).
        let s: f64 = 1e-6;
        let exact = s * s / (1.0 + s * s);
        let w = PlanarDelassus::from_vectors(&[1.0, 0.0], &[1.0, s], 1e-15).unwrap();
        assert!((w.nn_stuck() / exact - 1.0).abs() < 1e-9, "{w:?}");
        let plain = PlanarDelassus::new(w.nn(), w.nt(), w.tt()).unwrap();
        assert!((plain.nn_stuck() / exact - 1.0).abs() > 1e-9, "{plain:?}");
    }

    #[test]
    fn a_contact_that_cannot_move_sideways_sticks_under_any_friction() {
        let w = PlanarDelassus::new(1.125, 0.0, 0.0).unwrap();
        assert_eq!(
            (w.stick_threshold(), w.nn_stuck(), w.rank()),
            (0.0, 1.125, 1)
        );
    }

    #[test]
    fn an_undefined_element_is_named() {
        let error = PlanarDelassus::new(1.0, f64::NAN, 1.0).unwrap_err();
        assert_eq!(error.to_string(), "W_nt is NaN, expected a finite number");
    }
}
