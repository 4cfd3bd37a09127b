//! Figures of runs, drawn and looked at by number.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use carom_report::figure::{Axis, RunFigure, phase, series, series_chart, to_png};
use carom_sim::record::RunRecord;
use common::{ball, pendulum};

/// Keeps a drawing and its picture for the eye.
fn keep(name: &str, svg: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(format!("{name}.svg")), svg).unwrap();
    std::fs::write(
        folder.join(format!("{name}.png")),
        to_png(svg, 2.0).unwrap(),
    )
    .unwrap();
}

#[test]
fn every_figure_of_the_two_runs_becomes_a_picture() {
    for (run, record) in [("ball", ball(900)), ("pendulum", pendulum(1200))] {
        for figure in RunFigure::ALL {
            match figure.svg(&record) {
                Some(svg) => keep(&format!("{run}-{}", figure.name()), &svg),
                None => assert_eq!((run, figure), ("ball", RunFigure::Reactions)),
            }
        }
    }
    keep("phase", &phase(&pendulum(1200), "A", 0).unwrap());
}
