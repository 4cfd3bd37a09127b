//! The source papers as cases: what they print, what comes out, and a verdict per cell and claim.
//!
//! Printed values live in the case book (`cases/paper-NNN/`); this crate recomputes them through the
//! [`carom`] facade. A disagreement is called a misprint only with a proof: an identity the printed
//! value violates and the computed one satisfies.

mod claim;
mod finding;
mod item;
mod paper_000;
mod paper_001;
mod paper_002;
mod paper_003;
mod report;

pub use item::{Equation, Figure, Item, Paper, Shown, Symbol, Value, Verdict};
pub use report::report_html;

/// A paper that can be recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Key on the command line.
    pub key: &'static str,
    /// What it is.
    pub title: &'static str,
}

/// Every paper offered.
pub const PAPERS: &[Entry] = &[
    Entry {
        key: "000",
        title: "Elkaranshawy and Bajaba: impact with friction in planar multibody systems (Routh's method, three coefficients of restitution)",
    },
    Entry {
        key: "001",
        title: "double pendulum that collides with a rough obstacle (piecewise smooth motion, Routh's method, Poisson's hypothesis)",
    },
    Entry {
        key: "002",
        title: "Dupont: existence and uniqueness of forward dynamics with Coulomb friction (scalar graph, screw drive)",
    },
    Entry {
        key: "003",
        title: "Dragna, Pandrea and Stanescu: simultaneous collision of two jointed solids at three points (screws, frictionless)",
    },
];

/// Recomputes a paper; `None` for an unknown key.
pub fn recompute(key: &str) -> Option<Result<Paper, carom::InputError>> {
    match key {
        "000" => Some(paper_000::recompute()),
        "001" => Some(paper_001::recompute()),
        "002" => Some(paper_002::recompute()),
        "003" => Some(paper_003::recompute()),
        _ => None,
    }
}

/// What a paper is; empty for an unknown key.
pub fn title(key: &str) -> &'static str {
    let entry = PAPERS.iter().find(|entry| entry.key == key);
    entry.map_or("", |entry| entry.title)
}

/// Draws the figures of a paper that are regenerated; `None` for an unknown key.
pub fn figures(key: &str) -> Option<Result<Vec<Figure>, carom::InputError>> {
    match key {
        "000" => Some(Ok(Vec::new())),
        "001" => Some(paper_001::figures()),
        "002" => Some(paper_002::figures()),
        "003" => Some(paper_003::figures()),
        _ => None,
    }
}
