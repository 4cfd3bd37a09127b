//! The table of pieces: every sign pattern with its determinant, its acceleration and its fate.

use serde::{Deserialize, Serialize};

use super::assemble::{Variation, assemble};
use super::enumerate::{order_sign, walk};
use super::error::ForwardInputError;
use super::problem::ForwardProblem;

/// One sign pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceRow {
    /// Sign pattern: `+`, `-` the sign of `f N`, `0` stuck, `l` lift-off.
    pub signs: String,
    /// Determinant of its rows; 0 where they are dependent.
    pub determinant: f64,
    /// The acceleration its rows give; `None` where they are dependent.
    pub acceleration: Option<Vec<f64>>,
    /// Loads at that acceleration.
    pub normal_load: Option<Vec<f64>>,
    /// Whether it is consistent.
    pub is_consistent: bool,
}

/// Lists every sign pattern of a problem.
pub fn pieces(problem: &ForwardProblem) -> Result<Vec<PieceRow>, ForwardInputError> {
    let system = assemble(problem, Variation::NONE)?;
    let unit = system.determinant_unit * order_sign(&system);
    let mut rows = Vec::new();
    let mut z = vec![0.0; system.size];
    walk(&system, |leaf| {
        let solved = leaf.determinant.is_some();
        if solved {
            leaf.solve(0, &mut z);
        }
        let mut elements = system.elements.iter().zip(leaf.path);
        rows.push(PieceRow {
            signs: system.symbols(leaf.path),
            determinant: leaf.determinant.map_or(0.0, |d| d * unit),
            acceleration: solved.then(|| system.acceleration(&z)),
            normal_load: solved.then(|| system.normal_loads(&z)),
            is_consistent: solved && elements.all(|(e, choice)| e.holds(*choice, &z)),
        });
    });
    let is_finite = |list: &Option<Vec<f64>>| list.iter().flatten().all(|x| x.is_finite());
    if rows
        .iter()
        .all(|r| is_finite(&r.acceleration) && is_finite(&r.normal_load))
    {
        Ok(rows)
    } else {
        Err(ForwardInputError::Overflow)
    }
}
