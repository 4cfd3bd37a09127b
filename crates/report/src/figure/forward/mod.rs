//! Diagrams of forward dynamics with friction: graph, counts, constraint lines, region maps.
//!
//! [`graph_svg`] draws force against acceleration for one coordinate, [`counts_svg`] and
//! [`line_counts_svg`] the number of answers against the force, [`lines_svg`] the constraints of two
//! coordinates, [`map_svg`] regions over two parameters. All are as wide as a journal column.

mod counts;
mod graph;
mod lines;
mod map;
mod pen;
mod places;
mod regions;
mod strip;

pub use counts::{counts_svg, line_counts_svg};
pub use graph::{GraphLabels, graph_svg, graph_window};
pub use lines::lines_svg;
pub use map::{MapAxis, map_svg};
