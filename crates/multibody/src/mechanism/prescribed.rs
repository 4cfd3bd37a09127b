//! Prescribed motions as an impact meets them.

use crate::space::contact::FrameComponents;

/// Prescribed motions at a state: coordinates beside the free ones, whose rates no impact changes.
///
/// With v the free rates and u the prescribed ones,
///
/// ```text
/// 2T = (v, u)ᵀ M (v, u)        velocity of a contact = J v + J_u u        G v + G_u u = 0
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prescribed {
    /// Names of their joints.
    pub joints: Vec<String>,
    /// Their rates u (m/s or rad/s).
    pub rates: Vec<f64>,
    /// M of all rates, free ones first, row by row. Positive definite along v; along u only
    /// semidefinite where a motion moves no inertia of its own.
    pub mass: Vec<f64>,
    /// J_u: for each contact asked for, its velocity per unit of each prescribed rate.
    pub columns: Vec<Vec<FrameComponents>>,
    /// G_u: rate of each constraint per unit of each prescribed rate, row by row.
    pub constraints: Vec<f64>,
}
