//! The table of pieces: every sign pattern with its determinant, its acceleration and its fate.

use serde::{Deserialize, Serialize};

use super::affine::affine;
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
    walk(&system, |leaf| {
        let found = affine(&system.equations(leaf.path), system.size);
        let found = found.filter(|f| f.directions.is_empty() && leaf.determinant.is_some());
        let z = found.as_ref().map(|f| &f.point.z[..]);
        rows.push(PieceRow {
            signs: system.symbols(leaf.path),
            determinant: leaf.determinant.map_or(0.0, |d| d * unit),
            acceleration: z.map(|z| system.acceleration(z)),
            normal_load: z.map(|z| system.normal_loads(z)),
            is_consistent: found.is_some_and(|f| system.holds(leaf.path, &f.point)),
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
