//! Figures of runs, drawn and looked at by number.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use carom_report::figure::{Axis, Chart, Panel, RunFigure, phase, series, series_chart, to_png};
use carom_sim::record::{EventRecord, Outline, RunRecord};
use common::{ball, hostile, pendulum};

/// Keeps a drawing and its picture for the eye.
fn keep(name: &str, svg: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let png = to_png(svg, 2.0).unwrap();
    std::fs::write(folder.join(format!("{name}.svg")), svg).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
}

/// Every figure of a run that has something to draw.
fn drawn(record: &RunRecord) -> Vec<(&'static str, String)> {
    let figures = RunFigure::ALL.into_iter();
    figures
        .filter_map(|figure| Some((figure.name(), figure.svg(record)?)))
        .collect()
}

/// The value of an attribute at the start of an element.
fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let after = element.split(&format!("{name}=\"")).nth(1).unwrap();
    after.split('"').next().unwrap()
}

/// The corners of the curves: paths only, grids and borders are other elements.
fn curves(svg: &str) -> Vec<Vec<(f64, f64)>> {
    let number = |text: &str| text.parse::<f64>().unwrap();
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (number(x), number(y))
    };
    let paths = svg.split("<path d=\"").skip(1);
    let paths = paths.filter(|path| !path.starts_with("M0,0V"));
    paths
        .map(|path| {
            let steps = path.split('"').next().unwrap().replace('M', " ");
            steps.split_whitespace().map(point).collect()
        })
        .collect()
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

#[test]
fn a_drawing_repeats_byte_by_byte() {
    assert_eq!(drawn(&pendulum(300)), drawn(&pendulum(300)));
}

#[test]
fn a_rate_jumps_vertically_between_the_values_of_the_event() {
    let record = pendulum(700);
    let points = series::rate(&record, "O", 0);
    for event in &record.events {
        let at: Vec<f64> = points
            .iter()
            .filter(|p| p.0 == event.time)
            .map(|p| p.1)
            .collect();
        let after = event.rates_after.as_ref().unwrap();
        assert_eq!(at, [event.rates_before["O"][0], after["O"][0]]);
    }
    // On paper too: as many vertical pieces as events, in either curve.
    for curve in curves(&RunFigure::Rates.svg(&record).unwrap()) {
        let is_jump = |w: &&[(f64, f64)]| w[0].0 == w[1].0 && (w[0].1 - w[1].1).abs() > 50.0;
        assert_eq!(
            curve.windows(2).filter(is_jump).count(),
            record.events.len()
        );
    }
}

#[test]
fn the_energy_steps_by_what_the_event_booked() {
    let record = pendulum(500);
    let total = series::energy(&record);
    let (kinetic, potential) = (series::kinetic(&record), series::potential(&record));
    for event in &record.events {
        let at = |points: &[(f64, f64)]| {
            let here = points.iter().filter(|p| p.0 == event.time);
            here.map(|p| p.1).collect::<Vec<f64>>()
        };
        assert_eq!(at(&total)[1] - at(&total)[0], event.energy_change.unwrap());
        for side in 0..2 {
            let sum = at(&kinetic)[side] + at(&potential)[side];
            assert!((sum - at(&total)[side]).abs() < 1e-12);
        }
    }
}

#[test]
fn curves_of_one_run_share_their_instants() {
    let record = pendulum(100);
    let times = |points: Vec<(f64, f64)>| points.into_iter().map(|p| p.0).collect::<Vec<f64>>();
    let rate = times(series::rate(&record, "O", 0));
    assert_eq!(rate.len(), 100 + 2 * record.events.len());
    assert_eq!(rate, times(series::rate(&record, "A", 0)));
    assert_eq!(rate, times(series::reaction(&record, "A", 1)));
    assert!(series::rate(&record, "no such joint", 0).is_empty());
}

#[test]
fn a_run_without_a_trajectory_has_no_figure() {
    assert!(drawn(&common::empty()).is_empty());
    let mut record = pendulum(50);
    record.trajectory = None;
    assert!(drawn(&record).is_empty());
    assert_eq!(phase(&record, "A", 0), None);
    assert_eq!(phase(&pendulum(50), "A", 1), None);
}

#[test]
fn a_hundred_thousand_samples_make_a_drawing_below_a_megabyte() {
    for record in [ball(100_000), pendulum(100_000), hostile(100_000)] {
        for (name, svg) in drawn(&record) {
            assert!(svg.len() < 1_000_000, "{name}: {} bytes", svg.len());
        }
        for joint in &record.joints {
            let svg = phase(&record, &joint.name, 0);
            assert!(svg.is_none_or(|svg| svg.len() < 1_000_000));
        }
    }
}

#[test]
fn a_hundred_thousand_events_make_a_drawing_below_a_megabyte() {
    let mut record = pendulum(2000);
    let template = record.events[0].clone();
    let count = 100_000;
    let event = |k: usize| EventRecord {
        index: k + 1,
        time: 6.0 * k as f64 / count as f64,
        ..template.clone()
    };
    record.events = (0..count).map(event).collect();
    for (name, svg) in drawn(&record) {
        assert!(svg.len() < 1_000_000, "{name}: {} bytes", svg.len());
        keep(&format!("many-{name}"), &svg);
    }
}

#[test]
fn no_record_makes_a_figure_panic_or_hold_what_is_no_number() {
    for samples in [0, 1, 2, 50] {
        for record in [ball(samples), pendulum(samples), hostile(samples)] {
            for (name, svg) in drawn(&record) {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
                to_png(&svg, 0.5).unwrap();
                if samples == 50 && record.joints.len() > 2 {
                    keep(&format!("hostile-{name}"), &svg);
                }
            }
        }
    }
}

#[test]
fn names_cannot_break_out_of_a_drawing() {
    for (name, svg) in drawn(&hostile(20)) {
        assert!(!svg.contains("<script"), "{name}");
    }
}

/// A text with its ends, approximately.
fn texts(svg: &str) -> Vec<(String, f64, f64)> {
    let elements = svg.split("<text x=").skip(1);
    elements
        .map(|rest| {
            let element = format!("x={}", rest.split("</text>").next().unwrap());
            let number = |name: &str| attribute(&element, name).parse::<f64>().unwrap();
            let (_, content) = element.split_once('>').unwrap();
            let mut text = String::new();
            let mut is_tag = false;
            for c in content.chars() {
                match c {
                    '<' => is_tag = true,
                    '>' => is_tag = false,
                    c if !is_tag => text.push(c),
                    _ => {}
                }
            }
            for (code, c) in [
                ("&lt;", "<"),
                ("&gt;", ">"),
                ("&quot;", "\""),
                ("&amp;", "&"),
            ] {
                text = text.replace(code, c);
            }
            let width = 0.58 * number("font-size") * text.chars().count() as f64;
            let left = match attribute(&element, "text-anchor") {
                "start" => number("x"),
                "middle" => number("x") - width / 2.0,
                _ => number("x") - width,
            };
            (text, left, left + width)
        })
        .collect()
}

#[test]
fn no_text_leaves_the_canvas() {
    let mut count = 0;
    for record in [ball(200), pendulum(200), hostile(200)] {
        for (name, svg) in drawn(&record) {
            for (text, left, right) in texts(&svg) {
                count += 1;
                assert!(
                    left > 0.0 && right < 480.0,
                    "{name}: {text:?} {left} {right}"
                );
            }
        }
    }
    assert!(count > 100, "the search must find texts, got {count}");
}

#[test]
fn curves_stay_inside_the_canvas() {
    for record in [ball(200), pendulum(200), hostile(200)] {
        for (name, svg) in drawn(&record) {
            let height: f64 = attribute(&svg, "height").parse().unwrap();
            let points = curves(&svg).into_iter().flatten();
            for (x, y) in points {
                let is_inside = (0.0..=480.0).contains(&x) && (0.0..=height).contains(&y);
                assert!(is_inside, "{name}: {x}, {y}");
            }
        }
    }
}

#[test]
fn a_chart_of_two_cases_shares_one_legend() {
    let (smooth, rough) = (pendulum(600), ball(600));
    let panel = |name: &str, axis: usize| {
        Panel::new(Axis::new(name, "N"))
            .line("μ = 0", series::reaction(&smooth, "O", axis))
            .line("μ = 0.15", series::reaction(&smooth, "A", axis))
    };
    let chart = Chart::new(Axis::new("time", "s"))
        .panel(panel("P_y", 1))
        .panel(panel("R_x", 0));
    let svg = chart.titled("Reaction at the joint O").svg("").unwrap();
    assert_eq!(svg.matches("μ = 0.15").count(), 1);
    keep("cases", &svg);
    let path = |record: &RunRecord| {
        let columns = &record.trajectory.as_ref().unwrap().poses["ball"];
        let pairs = columns[0].iter().zip(&columns[1]);
        pairs.map(|(x, y)| (*x, *y)).collect::<Vec<_>>()
    };
    let curves = vec![("ball", path(&rough))];
    let (x, y) = (Axis::new("x", "m"), Axis::new("y", "m"));
    keep("series", &series_chart(None, x, y, curves).unwrap());
    let panel = Panel::new(Axis::new("y", "m")).line("", path(&rough));
    let chart = Chart::new(Axis::new("x", "m")).panel(panel).equal();
    keep("equal", &chart.svg("").unwrap());
}

#[test]
fn a_gap_is_zero_at_its_impact_between_samples() {
    let record = ball(40);
    let points = series::gap(&record, "floor");
    for event in &record.events {
        assert!(points.contains(&(event.time, 0.0)));
    }
}

#[test]
fn an_impulse_that_is_not_unique_is_called_so() {
    let mut record = pendulum(50);
    let words = "x, not unique";
    let draw = |record: &RunRecord| RunFigure::Reactions.svg(record).unwrap();
    assert!(!draw(&record).contains(words));
    record.events[0].joint_impulses["A"].unique = false;
    assert!(draw(&record).contains(words));
}

#[test]
fn boxes_capsules_and_slopes_are_drawn_inside_the_window() {
    let mut record = ball(300);
    let scene = record.scene.as_mut().unwrap();
    let slope = Outline::HalfSpace {
        point: [0.0, -0.15],
        normal: [0.19611613513818404, 0.9805806756909201],
    };
    let far_wall = Outline::Polygon {
        corners: vec![[1.7, -9.0], [40.0, -9.0], [40.0, 9.0], [1.7, 9.0]],
    };
    let peg = common::disk([0.9, 0.9], 0.04);
    scene.world.outlines = vec![slope, far_wall, peg];
    scene.bodies[0].outlines = vec![
        Outline::Polygon {
            corners: vec![[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]],
        },
        Outline::Round {
            from: [0.1, 0.0],
            to: [0.2, 0.1],
            radius: 0.02,
        },
    ];
    let svg = RunFigure::Motion.svg(&record).unwrap();
    assert_eq!(svg.matches("url(#hatch)").count(), 3);
    let height: f64 = attribute(&svg, "height").parse().unwrap();
    for list in svg.split("points=\"").skip(1) {
        let list = list.split('"').next().unwrap();
        for (x, y) in list.split(' ').map(|pair| pair.split_once(',').unwrap()) {
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            assert!((0.0..=480.0).contains(&x) && (0.0..=height).contains(&y));
        }
    }
    keep("shapes", &svg);
}
