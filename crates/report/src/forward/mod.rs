//! Forward problems for the terminal: answers, verdicts, counts, maps.

mod answers;
mod counts;
mod space;
mod verdict;

pub use answers::{ForwardQuestion, forward_table};
pub use counts::{count_table, line_count_table, map_table};
pub use space::{SpatialForwardQuestion, spatial_forward_table};
