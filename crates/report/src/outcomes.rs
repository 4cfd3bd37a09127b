//! Several outcomes of one impact, beside each other.

use carom_contact::impact::{ImpactProblem, ImpactResult, NoteCode};

use crate::table::{Heading, number_rows};

/// The outcomes of one law beside each other.
pub(crate) struct OutcomeTable {
    pub(crate) heading: String,
    /// One column per outcome.
    pub(crate) rows: Vec<Vec<String>>,
    /// How each comes about.
    pub(crate) ways: Vec<String>,
}

/// A table per result with several outcomes.
pub(crate) fn outcome_tables(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> Vec<OutcomeTable> {
    let several = results.iter().filter(|r| !r.outcomes.is_empty());
    let table = |result: &ImpactResult| {
        let all = result.outcomes.len();
        let shown = &result.outcomes[..all.min(OUTCOMES_SHOWN)];
        let mut rows = number_rows(heading, problem, shown);
        let numbers = (1..=shown.len()).map(|i| i.to_string());
        let head = std::iter::once("outcome".to_owned()).chain(numbers);
        rows[0] = head.collect();
        let first = match all > shown.len() {
            true => format!(", the first {} shown", shown.len()),
            false => String::new(),
        };
        OutcomeTable {
            heading: format!("{}: {all} outcomes{first}", result.law),
            rows,
            ways: ways(shown),
        }
    };
    several.map(table).collect()
}

/// Outcomes that fit beside each other.
const OUTCOMES_SHOWN: usize = 8;

/// How each outcome comes about.
fn ways(outcomes: &[ImpactResult]) -> Vec<String> {
    let is_way = |code: NoteCode| matches!(code, NoteCode::Modes | NoteCode::Order);
    let numbered = outcomes.iter().enumerate();
    let told = numbered.filter_map(|(i, r)| {
        let note = r.notes.iter().find(|note| is_way(note.code))?;
        Some(format!("outcome {}: {}", i + 1, note.sentence))
    });
    told.collect()
}
