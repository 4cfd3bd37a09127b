//! What a mechanism must be before it is reduced.

use carom_numeric::NotPositiveDefinite;

use super::{ContactSpace, Mechanism};

/// Why a mechanism was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReductionError {
    /// A slice has the wrong length.
    Shape {
        /// Which slice.
        which: &'static str,
        /// Its length.
        found: usize,
        /// What its length must be a multiple of, or equal to.
        expected: usize,
    },
    /// An element is infinite or not a number.
    NotFinite {
        /// Which slice.
        which: &'static str,
        /// Index in it.
        index: usize,
        /// The value.
        value: f64,
    },
    /// `M_ij` and `M_ji` differ.
    Asymmetric {
        /// Row i.
        row: usize,
        /// Column j.
        column: usize,
        /// `M_ij`
        here: f64,
        /// `M_ji`
        there: f64,
    },
    /// The mass matrix is not positive definite.
    NotPositiveDefinite(NotPositiveDefinite),
    /// The elements are finite but a product of them is not.
    Overflow {
        /// What overflowed.
        what: &'static str,
    },
}

impl std::fmt::Display for ReductionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shape {
                which,
                found,
                expected,
            } => write!(
                f,
                "{which} has {found} elements, expected {expected} or rows of that length"
            ),
            Self::NotFinite {
                which,
                index,
                value,
            } => write!(
                f,
                "{which}: element {index} is {value}, expected a finite number"
            ),
            Self::Asymmetric {
                row,
                column,
                here,
                there,
            } => write!(
                f,
                "mass matrix is not symmetric: element [{row}][{column}] is {here} but [{column}][{row}] is {there}"
            ),
            Self::NotPositiveDefinite(error) => {
                write!(f, "mass matrix is not positive definite: {error}")
            }
            Self::Overflow { what } => write!(
                f,
                "numbers too large or too small: {what} overflows; expected values whose products stay below 1e308 (rescale the units)"
            ),
        }
    }
}

impl std::error::Error for ReductionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotPositiveDefinite(error) => Some(error),
            _ => None,
        }
    }
}

/// Shapes, finite numbers, symmetry; definiteness is judged by the factorisation.
pub(super) fn check(mechanism: &Mechanism<'_>, n: usize) -> Result<(), ReductionError> {
    let shape = |which, found, expected| ReductionError::Shape {
        which,
        found,
        expected,
    };
    if n == 0 {
        return Err(shape("velocity", 0, 1));
    }
    if mechanism.mass.len() != n * n {
        return Err(shape("mass", mechanism.mass.len(), n * n));
    }
    let slices = [
        ("mass", mechanism.mass),
        ("velocity", mechanism.velocity),
        ("contact rows", mechanism.rows),
        ("constraint rows", mechanism.constraints),
    ];
    for (which, values) in slices {
        if values.len() % n != 0 {
            return Err(shape(which, values.len(), n));
        }
        if let Some(index) = values.iter().position(|x| !x.is_finite()) {
            return Err(ReductionError::NotFinite {
                which,
                index,
                value: values[index],
            });
        }
    }
    check_symmetry(mechanism.mass, n)
}

fn check_symmetry(mass: &[f64], n: usize) -> Result<(), ReductionError> {
    for row in 0..n {
        for column in row + 1..n {
            let (here, there) = (mass[row * n + column], mass[column * n + row]);
            let scale = mass[row * n + row].abs().sqrt() * mass[column * n + column].abs().sqrt();
            // Written so that an overflowing difference fails too.
            if here != there && !((here - there).abs() <= ContactSpace::SYMMETRY_TOLERANCE * scale)
            {
                return Err(ReductionError::Asymmetric {
                    row,
                    column,
                    here,
                    there,
                });
            }
        }
    }
    Ok(())
}
