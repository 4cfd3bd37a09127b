//! Accelerations from a mass matrix, and why there may be none.

use carom_numeric::{Cholesky, NotPositiveDefinite};

use crate::dynamics::SingularMass;
use crate::loops::ConstraintSolver;

/// Why a mechanism has no accelerations at a state.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MotionFault {
    /// A joint coordinate has no inertia.
    Singular(SingularMass),
    /// The mass matrix is not positive definite.
    Mass(NotPositiveDefinite),
}

impl std::fmt::Display for MotionFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Singular(source) => write!(f, "{source}"),
            Self::Mass(source) => write!(f, "mass matrix: {source}"),
        }
    }
}

impl std::error::Error for MotionFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Singular(source) => Some(source),
            Self::Mass(source) => Some(source),
        }
    }
}

/// Work arrays to solve `M v̇ = −h` for systems that give M and h.
#[derive(Debug, Clone, Default)]
pub struct MassSolver {
    mass: Vec<f64>,
    factor: Cholesky,
    /// The same with constraints.
    pub closed: ConstraintSolver,
}

impl MassSolver {
    /// Where the mass matrix goes.
    pub fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.mass.resize(n * n, 0.0);
        &mut self.mass
    }

    /// Replaces the bias h by the accelerations `−M⁻¹ h`.
    pub fn solve(&mut self, bias: &mut [f64]) -> Result<(), MotionFault> {
        let factored = self.factor.factor(&self.mass, bias.len());
        factored.map_err(MotionFault::Mass)?;
        for x in bias.iter_mut() {
            *x = -*x;
        }
        self.factor.solve_lower(bias);
        self.factor.solve_lower_transposed(bias);
        Ok(())
    }
}
