//! Files out: tables for the terminal, CSV, figures as SVG and PNG, a page of a run.
//!
//! Nothing here computes physics: tables and figures show what [`carom_contact`] returned for one
//! impact and what a [`carom_sim::record::RunRecord`] says of a run.

mod along;
mod collision;
mod columns;
pub mod figure;
mod forward;
mod html;
mod number;
mod outcomes;
mod path;
mod prose;
mod run;
mod scales;
mod table;

pub use collision::{CollisionResult, collision_table};
pub use forward::{
    ForwardQuestion, SpatialForwardQuestion, count_table, forward_table, line_count_table,
    map_table, spatial_forward_table,
};
pub use html::{Part, collision_html, impact_html, page_html, picture_part, report_html};
pub use number::significant;
pub use run::{
    around_events_csv, end_sentence, event_table, events_csv, hodograph_csv, impacts_csv,
    ledger_table, trajectory_csv,
};
pub use table::{Heading, impact_table};
