//! Files out: tables for the terminal, figures as SVG and PNG.
//!
//! Nothing here computes physics: tables and figures show what [`carom_contact`] returned.

pub mod figure;
mod number;
mod table;

pub use number::significant;
pub use table::{Heading, impact_table};
