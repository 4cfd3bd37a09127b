//! Modes that fail, with the inequality they break.

use serde::{Deserialize, Serialize};

use super::mode::Mode;

/// What a mode demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// The load has the sign assumed, plus.
    #[serde(rename = "N >= 0")]
    LoadPositive,
    /// The load has the sign assumed, minus.
    #[serde(rename = "N <= 0")]
    LoadNegative,
    /// A coordinate at rest starts forward.
    #[serde(rename = "q̈ >= 0")]
    StartsForward,
    /// A coordinate at rest starts backward.
    #[serde(rename = "q̈ <= 0")]
    StartsBackward,
    /// The friction cone holds what is stuck.
    #[serde(rename = "|f| <= μ_s |N|")]
    ConeHolds,
    /// A closed contact presses.
    #[serde(rename = "λ_n >= 0")]
    Presses,
    /// A contact that lifts off opens.
    #[serde(rename = "a_n >= 0")]
    Opens,
    /// A contact at rest starts to slip forward.
    #[serde(rename = "a_t >= 0")]
    SlipsForward,
    /// A contact at rest starts to slip backward.
    #[serde(rename = "a_t <= 0")]
    SlipsBackward,
    /// The balance of forces has a solution in this mode.
    #[serde(rename = "A q̈ + b + f = τ + Jᵀλ")]
    Solvable,
}

impl Relation {
    /// The inequality as text.
    pub fn text(self) -> &'static str {
        match self {
            Self::LoadPositive => "N >= 0",
            Self::LoadNegative => "N <= 0",
            Self::StartsForward => "q̈ >= 0",
            Self::StartsBackward => "q̈ <= 0",
            Self::ConeHolds => "|f| <= μ_s |N|",
            Self::Presses => "λ_n >= 0",
            Self::Opens => "a_n >= 0",
            Self::SlipsForward => "a_t >= 0",
            Self::SlipsBackward => "a_t <= 0",
            Self::Solvable => "A q̈ + b + f = τ + Jᵀλ",
        }
    }
}

/// A mode that was tried and failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refuted {
    /// Mode of each element.
    pub mode: Vec<Mode>,
    /// Sign pattern: `+`, `-` the sign of `f N`, `0` stuck, `l` lift-off.
    pub signs: String,
    /// Index of the element whose demand is broken.
    pub element: usize,
    /// The demand.
    pub inequality: Relation,
    /// How far it is missed, in the unit of the inequality; `None` where a singular mode has no
    /// solution at all.
    pub missed_by: Option<f64>,
    /// The same in words.
    pub sentence: String,
}

impl Refuted {
    pub(super) fn new(
        mode: Vec<Mode>,
        signs: String,
        element: usize,
        inequality: Relation,
        missed_by: Option<f64>,
    ) -> Self {
        let name = mode.get(element).map_or("free", |m| m.name());
        let sentence = match missed_by {
            Some(miss) => format!(
                "element {element} in mode {name} needs {}, missed by {miss:.6e}",
                inequality.text()
            ),
            None => format!("the rows of signs {signs} are dependent and contradict the forces"),
        };
        Self {
            mode,
            signs,
            element,
            inequality,
            missed_by,
            sentence,
        }
    }
}
