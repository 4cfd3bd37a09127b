//! The source papers as cases: what they print, what comes out, and a verdict per cell and claim.
//!
//! Printed values live in the case book (`cases/paper-NNN/`); this crate recomputes them through the
//! [`carom`] facade. A disagreement is called a misprint only with a proof: an identity the printed
//! value violates and the computed one satisfies.

mod item;
mod paper_000;

pub use item::{Item, Paper, Shown, Verdict};

/// A paper that can be recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Key on the command line.
    pub key: &'static str,
    /// What it is.
    pub title: &'static str,
}

/// Every paper offered.
pub const PAPERS: &[Entry] = &[Entry {
    key: "000",
    title: "Elkaranshawy and Bajaba: impact with friction in planar multibody systems (Routh's method, three coefficients of restitution)",
}];

/// Recomputes a paper; `None` for an unknown key.
pub fn recompute(key: &str) -> Option<Result<Paper, carom::InputError>> {
    match key {
        "000" => Some(paper_000::recompute()),
        _ => None,
    }
}
