//! Paper 002: forward dynamics with Coulomb friction; its equations, its claims and its graphs.

mod book;
mod closing;
mod critical;
mod figures;
mod general;
mod graph;
mod paradox;
mod rod;
mod screw;
mod systems;
#[cfg(test)]
mod tests;
mod threads;

use carom::InputError;

use crate::finding::Keyed;
use crate::{Figure, Paper};
use book::Book;
use systems::Systems;

const PRINTED: &str = include_str!("../../../../cases/paper-002/printed.toml");

/// Judges every numbered equation and every claim.
pub(crate) fn recompute() -> Result<Paper, InputError> {
    recompute_from(PRINTED)
}

/// The same from another case file.
fn recompute_from(printed: &str) -> Result<Paper, InputError> {
    let book = Book::read(printed)?;
    let findings = findings(&book.systems)?;
    let items = book.claims.iter().map(|claim| claim.item(&findings));
    Ok(Paper {
        paper: "002",
        items: items.collect(),
        equations: Vec::new(),
    })
}

/// Every finding, under the key of its claim.
fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let mut all = general::findings(systems)?;
    all.extend(rod::findings(systems)?);
    all.extend(graph::findings(systems)?);
    all.extend(paradox::findings(systems)?);
    all.extend(critical::findings(systems)?);
    all.extend(screw::findings(systems)?);
    all.extend(threads::findings(systems)?);
    all.extend(closing::findings(systems)?);
    Ok(all)
}

/// Figures 1 to 4, 6 and 7.
pub(crate) fn figures() -> Result<Vec<Figure>, InputError> {
    figures::figures(&Book::read(PRINTED)?.systems)
}
