//! Paper 003: two jointed solids that collide at three points; its screws, its example and its claims.

mod book;
mod example;
mod figures;
mod frames;
mod geometry;
mod intro;
mod law;
mod neighbours;
mod pair;
mod screws;
mod singular;
mod symbols;
#[cfg(test)]
mod tests;

use carom::InputError;

use crate::finding::Keyed;
use crate::{Figure, Paper};
use book::{Book, Systems};

const PRINTED: &str = include_str!("../../../../cases/paper-003/printed.toml");

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
        paper: "003",
        items: items.collect(),
        equations: symbols::equations(&book.systems)?,
    })
}

/// Every finding, under the key of its claim.
fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let mut all = intro::findings()?;
    all.extend(law::findings(systems)?);
    all.extend(geometry::findings(systems)?);
    all.extend(example::findings(systems)?);
    all.extend(singular::findings(systems)?);
    all.extend(neighbours::findings(systems)?);
    Ok(all)
}

/// The frames of Fig. 1 with the impulses of the particular case.
pub(crate) fn figures() -> Result<Vec<Figure>, InputError> {
    figures::figures(&Book::read(PRINTED)?.systems)
}
