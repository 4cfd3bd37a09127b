//! A run as text: tables for the terminal, CSV for programs.

mod csv;
mod event_table;
mod events_csv;
mod hodograph_csv;
mod impacts_csv;
mod ledger_table;
mod remarks;
mod trajectory_csv;

pub use event_table::event_table;
pub use events_csv::events_csv;
pub use hodograph_csv::hodograph_csv;
pub use impacts_csv::impacts_csv;
pub use ledger_table::{end_sentence, ledger_table};
pub(crate) use ledger_table::{piled, residual_sentence};
pub(crate) use remarks::assembly_words;
pub use trajectory_csv::{around_events_csv, trajectory_csv};
