//! Several outcomes of one impact, beside each other.

use carom_contact::impact::{ImpactProblem, ImpactResult, Method, NoteCode};

use crate::table::{Heading, by_method, number_rows};

/// The outcomes of one law beside each other.
pub(crate) struct OutcomeTable {
    pub(crate) heading: String,
    /// One column per outcome.
    pub(crate) rows: Vec<Vec<String>>,
    /// How each comes about.
    pub(crate) ways: Vec<String>,
}

/// A table per result with several outcomes; laws of one method with the same ones share it.
pub(crate) fn outcome_tables(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> Vec<OutcomeTable> {
    let several = results.iter().filter(|r| !r.outcomes.is_empty());
    let mut tables: Vec<Gathered> = Vec::new();
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
        let found = OutcomeTable {
            heading: String::new(),
            rows,
            ways: ways(shown),
        };
        (found, format!("{all} outcomes{first}"))
    };
    for result in several {
        let (table, counted) = table(result);
        let same = |known: &&mut Gathered| {
            let known = (known.method, &known.table.rows, &known.table.ways);
            known == (result.method, &table.rows, &table.ways)
        };
        match tables.iter_mut().find(same) {
            Some(known) => known.laws.push(result.law.name()),
            None => tables.push(Gathered {
                table,
                laws: vec![result.law.name()],
                method: result.method,
                counted,
            }),
        }
    }
    let is_one = by_method(results).len() == 1;
    tables
        .into_iter()
        .map(|table| table.named(is_one))
        .collect()
}

/// Laws of one method with the same outcomes.
struct Gathered {
    table: OutcomeTable,
    laws: Vec<&'static str>,
    method: Method,
    counted: String,
}

impl Gathered {
    fn named(self, is_only_method: bool) -> OutcomeTable {
        let by = match is_only_method {
            true => String::new(),
            false => format!(" by {}", self.method.name()),
        };
        OutcomeTable {
            heading: format!("{}{by}: {}", self.laws.join(", "), self.counted),
            ..self.table
        }
    }
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
