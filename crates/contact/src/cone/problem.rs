//! The question: W, the velocities without impulse, and a law for each contact.

use super::pivot::ConePivot;
use crate::contact_space::is_in_range;

/// Contacts with Coulomb's friction in space, rows (n, t1, t2) for each.
///
/// ```text
/// u = W r + q,    0 <= r_n − floor ⟂ u_n >= 0,    r_t ∈ −μ r_n ∂|u_t|
/// ```
///
/// Without a floor this is `K ∋ r ⟂ u + μ|u_t| n ∈ K*` with `K = {|r_t| <= μ r_n}`. Velocities and
/// impulses here may as well be accelerations and forces.
#[derive(Debug, Clone, Copy)]
pub struct ConeProblem<'a> {
    /// Inverse inertia W by rows, symmetric and positive semidefinite, of any rank (1/kg).
    pub w: &'a [f64],
    /// Velocity that is left without impulses, three numbers for each contact (m/s).
    pub q: &'a [f64],
    /// The contacts.
    pub contacts: &'a [ConeContact],
}

/// The law of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConeContact {
    /// Coulomb's coefficient.
    pub mu: f64,
    /// Least normal impulse (N·s); zero but in an expansion that returns part of a compression.
    pub floor: f64,
    /// Unit vector along (t1, t2) in which the contact slips already, so that `r_t = −μ r_n slip`
    /// whatever `u_t`; none at rest, and in an impact.
    pub slip: Option<[f64; 2]>,
}

impl ConeContact {
    /// A contact whose friction follows its own velocity, without a floor.
    pub fn new(mu: f64) -> Self {
        Self {
            mu,
            floor: 0.0,
            slip: None,
        }
    }
}

/// Why a cone problem was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ConeInputError {
    /// The lists do not belong together.
    Shape {
        /// Number of contacts.
        contacts: usize,
        /// Number of pivots.
        pivots: usize,
        /// Elements of W.
        w: usize,
        /// Elements of q.
        q: usize,
    },
    /// A number is infinite, not a number, or so large or small that products lose their digits.
    OutOfRange {
        /// `W`, `q`, `floor`, `slip` …
        which: &'static str,
        /// Its index in the list.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// `W_ij` and `W_ji` differ.
    NotSymmetric {
        /// i.
        row: usize,
        /// j.
        column: usize,
        /// The larger difference allowed was [`ConeProblem::SYMMETRY_TOLERANCE`] of `√(W_ii W_jj)`.
        difference: f64,
    },
    /// `W_ii < 0`, or `W_ij² > W_ii W_jj`.
    NotPositive {
        /// i.
        row: usize,
        /// j.
        column: usize,
        /// `W_ij` (1/kg).
        value: f64,
    },
    /// A coefficient of friction is negative or not a number.
    BadFriction {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        mu: f64,
    },
    /// A coefficient of restitution is not between 0 and 1.
    BadRestitution {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        restitution: f64,
    },
}

impl std::fmt::Display for ConeInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shape {
                contacts,
                pivots,
                w,
                q,
            } => {
                let rows = 3 * contacts + pivots;
                write!(f, "{contacts} contacts ")?;
                if *pivots > 0 {
                    write!(f, "and {pivots} pivots ")?;
                }
                write!(
                    f,
                    "with {w} elements of W and {q} of q, expected {} and {rows}",
                    rows * rows
                )
            }
            Self::OutOfRange {
                which,
                index,
                value,
            } => write!(
                f,
                "{which}[{index}] is {value:e}, expected a number within its bounds (zero or a size from \
                 1e-100 to 1e100; a floor >= 0; a slip of length one)"
            ),
            Self::NotSymmetric {
                row,
                column,
                difference,
            } => write!(
                f,
                "W[{row}][{column}] and W[{column}][{row}] differ by {difference:e} of their size, expected \
                 a symmetric matrix"
            ),
            Self::NotPositive { row, column, value } => write!(
                f,
                "W[{row}][{column}] is {value:e}, expected W_ii >= 0 and W_ij² <= W_ii W_jj (positive \
                 semidefinite)"
            ),
            Self::BadFriction { contact, mu } => write!(
                f,
                "contact {contact}: friction coefficient is {mu}, expected a finite number >= 0"
            ),
            Self::BadRestitution {
                contact,
                restitution,
            } => write!(
                f,
                "contact {contact}: restitution is {restitution}, expected a number from 0 to 1"
            ),
        }
    }
}

impl std::error::Error for ConeInputError {}

impl ConeProblem<'_> {
    /// Largest difference of `W_ij` and `W_ji`, relative to `√(W_ii W_jj)`, that passes as round-off.
    pub const SYMMETRY_TOLERANCE: f64 = 1e-9;

    /// A minor `W_ii W_jj − W_ij²` may be below zero by this part of its terms.
    pub const MINOR_TOLERANCE: f64 = 1e-6;

    /// Everything the solvers rely on but the sign of larger minors.
    pub(super) fn check(&self, pivots: &[ConePivot]) -> Result<(), ConeInputError> {
        let (k, n) = (self.contacts.len(), self.q.len());
        if n != 3 * k + pivots.len() || self.w.len() != n * n {
            return Err(ConeInputError::Shape {
                contacts: k,
                pivots: pivots.len(),
                w: self.w.len(),
                q: n,
            });
        }
        check_range("W", self.w)?;
        check_range("q", self.q)?;
        for (contact, law) in self.contacts.iter().enumerate() {
            law.check(contact)?;
        }
        for (index, pivot) in pivots.iter().enumerate() {
            pivot.check(index, k)?;
        }
        (0..n * n).try_for_each(|at| self.check_pair(at / n, at % n))
    }

    /// Symmetric, and no minor of two rows below zero.
    fn check_pair(&self, row: usize, column: usize) -> Result<(), ConeInputError> {
        let n = self.q.len();
        let (value, other) = (self.w[row * n + column], self.w[column * n + row]);
        let size = (self.w[row * n + row].abs() * self.w[column * n + column].abs()).sqrt();
        let is_negative = row == column && value < 0.0;
        if is_negative || value.abs() > size * (1.0 + Self::MINOR_TOLERANCE) {
            return Err(ConeInputError::NotPositive { row, column, value });
        }
        let difference = (value - other).abs();
        if difference > Self::SYMMETRY_TOLERANCE * size {
            return Err(ConeInputError::NotSymmetric {
                row,
                column,
                difference: difference / size,
            });
        }
        Ok(())
    }
}

impl ConeContact {
    /// How far the length of a slip direction may be from one.
    pub const UNIT_TOLERANCE: f64 = 1e-9;

    fn check(&self, contact: usize) -> Result<(), ConeInputError> {
        if !(self.mu >= 0.0 && is_in_range(self.mu)) {
            return Err(ConeInputError::BadFriction {
                contact,
                mu: self.mu,
            });
        }
        let wrong = |which, value| ConeInputError::OutOfRange {
            which,
            index: contact,
            value,
        };
        if !(self.floor >= 0.0 && is_in_range(self.floor)) {
            return Err(wrong("floor", self.floor));
        }
        let length = self.slip.map_or(1.0, |[a, b]| a.hypot(b));
        if !((length - 1.0).abs() <= Self::UNIT_TOLERANCE) {
            return Err(wrong("slip", length));
        }
        Ok(())
    }
}

/// Every number of a list zero or within [`crate::contact_space::RANGE`].
pub(super) fn check_range(which: &'static str, list: &[f64]) -> Result<(), ConeInputError> {
    match list.iter().position(|x| !is_in_range(*x)) {
        None => Ok(()),
        Some(index) => Err(ConeInputError::OutOfRange {
            which,
            index,
            value: list[index],
        }),
    }
}
