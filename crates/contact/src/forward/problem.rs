//! The question: inertia, loads, friction, velocities and forces at one instant.

use carom_numeric::Cholesky;
use serde::{Deserialize, Serialize};

use super::error::ForwardInputError;
use crate::contact_space::{ContactSpace, GivenFriction, is_in_range};

/// Most friction elements (with more than one sign pattern each) whose patterns are all enumerated.
/// [`answers`](super::answers()) of contacts alone goes through those that can hold, of as many contacts as there are.
pub const MAX_ELEMENTS: usize = 12;

/// Accelerations of a system with friction: `A q̈ + b + f = τ + Σ Jᵀλ`.
///
/// It is written as a problem file reads it. Without `friction` no coordinate carries a friction
/// element, and `load_matrix`, `load_offset` and `velocity` stay empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForwardProblem {
    /// A, row by row: symmetric, positive definite.
    pub inertia: Vec<Vec<f64>>,
    /// b: Coriolis, centrifugal and gravity terms.
    pub bias: Vec<f64>,
    /// C of the loads `N = C q̈ + d`, row by row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load_matrix: Vec<Vec<f64>>,
    /// d of the loads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load_offset: Vec<f64>,
    /// μ of each coordinate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<GivenFriction>,
    /// q̇ of each coordinate, or its sign; 0 is rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub velocity: Vec<f64>,
    /// τ: applied forces.
    pub force: Vec<f64>,
    /// Unilateral contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ForwardContact>,
}

/// A unilateral contact that is closed at the instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForwardContact {
    /// Jacobian row of the normal velocity; `a_n > 0` separates.
    pub normal: Vec<f64>,
    /// Jacobian row of the tangent velocity; absent: frictionless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangent: Option<Vec<f64>>,
    /// Contact acceleration (normal, tangent) without contact forces, at `q̈ = A⁻¹(τ − b)` (m/s²).
    pub drift: [f64; 2],
    /// Tangent velocity, or its sign; 0 is rest.
    #[serde(default)]
    pub slip: f64,
    /// μ of the contact.
    #[serde(default)]
    pub friction: GivenFriction,
}

impl ForwardProblem {
    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        self.force.len()
    }

    /// Number of friction elements: the coordinates if they have friction, then the contacts.
    pub fn elements(&self) -> usize {
        self.friction.len() + self.contacts.len()
    }

    /// Checks shapes, numbers, coefficients and the inertia matrix, and that all patterns can be enumerated.
    pub fn check(&self) -> Result<(), ForwardInputError> {
        self.check_form()?;
        match self.elements_with_patterns() {
            found if found > MAX_ELEMENTS => Err(ForwardInputError::TooManyElements { found }),
            _ => Ok(()),
        }
    }

    /// Checks shapes, numbers, coefficients and the inertia matrix.
    pub(super) fn check_form(&self) -> Result<(), ForwardInputError> {
        let n = self.force.len();
        if n == 0 {
            return Err(ForwardInputError::NoCoordinates);
        }
        check_list("force", &self.force, n)?;
        check_list("bias", &self.bias, n)?;
        check_matrix("inertia", &self.inertia, n)?;
        let joints = if self.friction.is_empty() { 0 } else { n };
        check_length("friction", self.friction.len(), joints)?;
        check_length("load_matrix", self.load_matrix.len(), joints)?;
        if joints > 0 {
            check_matrix("load_matrix", &self.load_matrix, n)?;
        }
        check_list("load_offset", &self.load_offset, joints)?;
        if joints > 0 || !self.velocity.is_empty() {
            check_list("velocity", &self.velocity, n)?;
        }
        for (i, given) in self.friction.iter().enumerate() {
            check_friction(*given, || format!("friction[{i}]"))?;
        }
        for (k, contact) in self.contacts.iter().enumerate() {
            contact.check(k, n)?;
        }
        self.check_inertia()
    }

    /// Friction elements with more than one sign pattern.
    pub(super) fn elements_with_patterns(&self) -> usize {
        let joints = self.friction.iter().filter(|given| given.mu_s > 0.0);
        joints.count() + self.contacts.len()
    }

    fn check_inertia(&self) -> Result<(), ForwardInputError> {
        let n = self.force.len();
        let a = &self.inertia;
        for row in 0..n {
            for column in row + 1..n {
                let (here, there) = (a[row][column], a[column][row]);
                let scale = a[row][row].abs().sqrt() * a[column][column].abs().sqrt();
                let is_symmetric = (here - there).abs() <= ContactSpace::SYMMETRY_TOLERANCE * scale;
                if here != there && !is_symmetric {
                    return Err(ForwardInputError::Asymmetric {
                        row,
                        column,
                        here,
                        there,
                    });
                }
            }
        }
        let factored = Cholesky::new().factor(&a.concat(), n);
        factored.map_err(ForwardInputError::NotPositiveDefinite)
    }
}

impl ForwardContact {
    fn check(&self, k: usize, n: usize) -> Result<(), ForwardInputError> {
        check_list(&format!("contacts[{k}].normal"), &self.normal, n)?;
        if let Some(tangent) = &self.tangent {
            check_list(&format!("contacts[{k}].tangent"), tangent, n)?;
        }
        check_list(&format!("contacts[{k}].drift"), &self.drift, 2)?;
        check_number(|| format!("contacts[{k}].slip"), self.slip)?;
        check_friction(self.friction, || format!("contacts[{k}].friction"))
    }
}

/// Refuses coefficients out of range.
pub(super) fn check_friction(
    given: GivenFriction,
    path: impl Fn() -> String,
) -> Result<(), ForwardInputError> {
    let refuse = |source| ForwardInputError::Friction {
        path: path(),
        source,
    };
    given.checked().map(|_| ()).map_err(refuse)
}

pub(super) fn check_length(
    path: &str,
    found: usize,
    expected: usize,
) -> Result<(), ForwardInputError> {
    if found == expected {
        return Ok(());
    }
    Err(ForwardInputError::Length {
        path: path.to_owned(),
        found,
        expected,
    })
}

pub(super) fn check_number(path: impl Fn() -> String, value: f64) -> Result<(), ForwardInputError> {
    if is_in_range(value) {
        return Ok(());
    }
    Err(ForwardInputError::OutOfRange {
        path: path(),
        value,
    })
}

pub(super) fn check_list(path: &str, list: &[f64], n: usize) -> Result<(), ForwardInputError> {
    check_length(path, list.len(), n)?;
    for (j, value) in list.iter().enumerate() {
        check_number(|| format!("{path}[{j}]"), *value)?;
    }
    Ok(())
}

pub(super) fn check_matrix(
    path: &str,
    rows: &[Vec<f64>],
    n: usize,
) -> Result<(), ForwardInputError> {
    check_length(path, rows.len(), n)?;
    for (i, row) in rows.iter().enumerate() {
        check_list(&format!("{path}[{i}]"), row, n)?;
    }
    Ok(())
}
