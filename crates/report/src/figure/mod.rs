//! Figures: drawn once as SVG, turned into PNG where asked.
//!
//! [`impact_svg`] draws an impact of one contact; [`RunFigure`] draws a run; [`Chart`] draws any curves in the
//! same hand; [`forward`] draws the diagrams of forward dynamics with friction; [`sketch`] draws bodies and impulses in space.

mod axis;
mod chart;
pub mod forward;
mod frame;
mod hodograph;
mod impulse_plane;
mod motion;
mod png;
mod run;
pub mod sketch;
mod svg;

pub use axis::Axis;
pub use chart::{Chart, Panel, series_chart};
pub use hodograph::hodograph_svg;
pub use impulse_plane::impulse_plane_svg;
pub use motion::{Blow, Push, collision_svg};
pub(crate) use motion::{bars, traced};
pub use png::{PngError, to_png};
pub(crate) use run::sparse_note;
pub use run::{RunFigure, phase, series};
pub use svg::literal;

use carom_contact::impact::ImpactPicture;

/// Draws an impact of one contact: its impulse plane, or in space its hodograph.
pub fn impact_svg(picture: &ImpactPicture, title: &str) -> String {
    match picture {
        ImpactPicture::Plane(plane) => impulse_plane_svg(plane, title),
        ImpactPicture::Space(drawn) => hodograph_svg(drawn, title),
    }
}
