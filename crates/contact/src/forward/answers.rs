//! Every consistent acceleration.

use serde::{Deserialize, Serialize};

use super::assemble::{Variation, assemble_any};
use super::collect::{Keep, collect};
use super::continuum::Continuum;
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::ForwardProblem;

/// One consistent acceleration, with loads, friction and modes of the elements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// q̈.
    pub acceleration: Vec<f64>,
    /// `C q̈ + d` of each coordinate with friction, then the normal force of each contact (N).
    pub normal_load: Vec<f64>,
    /// f of each coordinate (it resists motion as a load), then the tangent force on the body at
    /// each contact.
    pub friction_force: Vec<f64>,
    /// Mode of each element.
    pub mode: Vec<Mode>,
    /// Acceleration of each contact, normal and tangent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contact_acceleration: Vec<[f64; 2]>,
    /// Of the rod: acceleration of its tip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_acceleration: Option<TipAcceleration>,
    /// Sign of the determinant of its piece; 0 on a face or where forces are not unique.
    pub index: i8,
    /// Whether the contact forces are determined.
    pub forces_unique: bool,
}

/// Acceleration of a rod's tip (m/s²).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TipAcceleration {
    /// Off the floor.
    pub normal: f64,
    /// Along the floor.
    pub tangent: f64,
}

/// Every answer of a forward problem; none, one, several and a continuum are results alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForwardAnswers {
    /// Isolated answers, in lexicographic order of acceleration.
    pub answers: Vec<Answer>,
    /// Families of answers on singular pieces.
    pub continua: Vec<Continuum>,
}

impl ForwardAnswers {
    /// Number of answers; `None` for a continuum.
    pub fn count(&self) -> Option<usize> {
        self.continua.is_empty().then_some(self.answers.len())
    }
}

/// Lists the consistent accelerations of a problem.
///
/// Of contacts alone only patterns that can hold are gone through, so that there may be more of them than
/// [`MAX_ELEMENTS`](super::MAX_ELEMENTS); where too many can, the answer is an error.
pub fn answers(problem: &ForwardProblem) -> Result<ForwardAnswers, ForwardInputError> {
    let system = assemble_any(problem, Variation::NONE)?;
    Ok(collect(&system, problem, Keep::Answers)?.found)
}
