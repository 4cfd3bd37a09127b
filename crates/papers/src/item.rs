//! Cells, claims and verdicts.

use serde::Serialize;

/// What a recomputation says of a printed value or claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The computed value rounds to the printed digits, or the claim holds.
    Agrees,
    /// The printed value violates an identity that the computed one satisfies.
    Misprint,
    /// The claim holds once the correction in the proof is made.
    HoldsWithCorrection,
    /// The claim is refuted by the counterexample in the proof.
    False,
    /// Neither agrees nor is explained: a check that failed. Written as `false`.
    #[serde(rename = "false")]
    Unexplained,
}

impl Verdict {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Misprint => "misprint",
            Self::HoldsWithCorrection => "holds_with_correction",
            Self::False | Self::Unexplained => "false",
        }
    }
}

/// A number, or words where the claim is not one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// A number.
    Number(f64),
    /// Words.
    Words(String),
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => f.pad(&carom::significant(*x, 10)),
            Self::Words(words) => f.pad(words),
        }
    }
}

impl From<&str> for Shown {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

/// One cell or claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Where in the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// What it states.
    pub claim: String,
    /// As printed.
    pub printed: Shown,
    /// As computed.
    pub computed: Shown,
    /// The verdict.
    pub verdict: Verdict,
    /// The one-line proof, where the verdict needs one.
    pub proof: Option<String>,
}

/// A recomputed paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paper {
    /// Key.
    pub paper: &'static str,
    /// One item per cell or claim.
    pub items: Vec<Item>,
    /// The equations that are evaluated symbol by symbol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equations: Vec<Equation>,
}

/// An equation with the values of its symbols, corrected where it is misprinted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equation {
    /// Where in the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// The system it is evaluated with.
    pub system: &'static str,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
}

/// A symbol and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Symbol {
    /// As printed, in ASCII.
    pub symbol: String,
    /// Its value, SI units.
    pub value: Value,
}

/// A number, a vector, or a matrix row by row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// It does not exist.
    Nothing,
    /// A number.
    Number(f64),
    /// A vector.
    List(Vec<f64>),
    /// A matrix by rows.
    Matrix(Vec<Vec<f64>>),
}

impl From<Vec<f64>> for Value {
    fn from(list: Vec<f64>) -> Self {
        Self::List(list)
    }
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(list: [f64; N]) -> Self {
        Self::List(list.to_vec())
    }
}

impl From<Vec<Vec<f64>>> for Value {
    fn from(rows: Vec<Vec<f64>>) -> Self {
        Self::Matrix(rows)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |numbers: &[f64]| {
            let shown: Vec<String> = numbers.iter().map(|x| carom::significant(*x, 7)).collect();
            shown.join(", ")
        };
        match self {
            Self::Nothing => f.write_str("does not exist"),
            Self::Number(x) => f.write_str(&carom::significant(*x, 7)),
            Self::List(numbers) => write!(f, "({})", list(numbers)),
            Self::Matrix(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", list(row))).collect();
                write!(f, "[{}]", rows.join(", "))
            }
        }
    }
}

impl Paper {
    /// Whether every disagreement is explained.
    pub fn is_explained(&self) -> bool {
        self.items
            .iter()
            .all(|item| item.verdict != Verdict::Unexplained)
    }

    /// How many items have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.items
            .iter()
            .filter(|item| item.verdict == verdict)
            .count()
    }
}

/// A figure of a paper, drawn anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Name of its file, without an ending.
    pub name: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// The drawing.
    pub svg: String,
}

/// A number as printed: its value and half a unit of its last digit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) half_unit: f64,
}

impl Printed {
    /// Reads digits such as `-0.0489` or `6.76e-2`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let value = text.parse().ok()?;
        let (digits, power) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = digits.split_once('.').map_or(0, |(_, digits)| digits.len());
        let power: i32 = power.parse().ok()?;
        Some(Self {
            value,
            half_unit: 0.5 * 10f64.powi(power - decimals as i32),
        })
    }

    /// Whether a value rounds to the printed digits (a tie may round either way).
    pub(crate) fn holds(&self, value: f64) -> bool {
        (value - self.value).abs() <= self.half_unit * (1.0 + 1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_hold_what_rounds_to_them() {
        let printed = Printed::parse("-2.458").unwrap();
        assert!(printed.holds(-2.4584) && !printed.holds(-2.4589));
        assert!(Printed::parse("1").unwrap().holds(1.4));
        let power = Printed::parse("6.76e-2").unwrap();
        assert!(power.holds(0.06764) && !power.holds(0.06766));
        assert!(Printed::parse("x").is_none());
    }
}
