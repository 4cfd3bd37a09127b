//! Figures: drawn once as SVG, turned into PNG where asked.

mod frame;
mod impulse_plane;
mod png;
mod svg;

pub use impulse_plane::impulse_plane_svg;
pub use png::{PngError, to_png};
