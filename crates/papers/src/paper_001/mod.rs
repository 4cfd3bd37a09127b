//! Paper 001: the double pendulum that collides with a rough obstacle; its equations, its two
//! simulations and its figures.

mod book;
mod collision;
mod divergence;
mod equations;
mod figures;
mod friction;
mod method;
mod numerics;
mod pendulum;
mod reference;
mod results;
mod routh;
mod strike;
#[cfg(test)]
mod tests;
mod world;

use carom::{InputError, Override};

use crate::finding::Keyed;
use crate::{Figure, Paper};
use book::Book;
use world::World;

const PRINTED: &str = include_str!("../../../../cases/paper-001/printed.toml");

/// Recomputes every printed number, equation and claim.
pub(crate) fn recompute() -> Result<Paper, InputError> {
    recompute_from(PRINTED, &[])
}

/// The same from another case file and with values of the scenarios changed.
fn recompute_from(printed: &str, overrides: &[Override]) -> Result<Paper, InputError> {
    let book = Book::read(printed)?;
    let world = World::new(book.pendulum()?, overrides)?;
    let mut items = book.items(&world, &findings(&world, overrides)?);
    items.extend(reference::items(&world)?);
    Ok(Paper {
        paper: "001",
        items,
        equations: Vec::new(),
    })
}

/// Every finding, under the key of its claim.
fn findings(world: &World, overrides: &[Override]) -> Result<Vec<Keyed>, InputError> {
    let mut all = equations::findings(world);
    all.extend(numerics::findings(world));
    all.extend(collision::findings(world)?);
    all.extend(friction::findings(world)?);
    all.extend(results::findings(world, overrides)?);
    Ok(all)
}

/// Figures 5 to 9.
pub(crate) fn figures() -> Result<Vec<Figure>, InputError> {
    let world = World::new(Book::read(PRINTED)?.pendulum()?, &[])?;
    Ok(figures::figures(&world))
}
