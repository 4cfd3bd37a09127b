//! Figures of runs, drawn and looked at by number.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use std::path::Path;

use carom_report::figure::{Axis, Chart, Panel, RunFigure, phase, series, series_chart, to_png};
use carom_sim::record::{
    EventRecord, JointImpulseRecord, Moment, Outline, RunRecord, Scene, Trajectory,
};
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
                None if figure == RunFigure::Contacts => {} // nothing stays closed
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
    let scene = record.scene.as_mut().and_then(Scene::plane_mut).unwrap();
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

/// The run with rows around its events in which every column is what it is at the sample before,
/// plus 1 before the event and plus 2 after it.
fn with_rows_around_events(mut record: RunRecord) -> RunRecord {
    let sampled = record.trajectory.clone().unwrap();
    let mut around = Trajectory::default();
    let rows: Vec<(f64, usize, f64)> = record
        .events
        .iter()
        .flat_map(|event| {
            let k = sampled.time.partition_point(|t| *t < event.time) - 1;
            [(event.time, k, 1.0), (event.time, k, 2.0)]
        })
        .collect();
    let take = |column: &Vec<f64>| rows.iter().map(|(_, k, d)| column[*k] + d).collect();
    let lists = |columns: &Vec<Vec<f64>>| columns.iter().map(take).collect::<Vec<Vec<f64>>>();
    around.time = rows.iter().map(|row| row.0).collect();
    around.kinetic = take(&sampled.kinetic);
    around.potential = take(&sampled.potential);
    for (name, columns) in &sampled.poses {
        around.poses.insert(name.clone(), lists(columns));
    }
    for (name, reaction) in &sampled.reactions {
        let mut reaction = reaction.clone();
        reaction.force = lists(&reaction.force);
        reaction.moment = Moment::Plane(take(reaction.moment.plane().unwrap()));
        around.reactions.insert(name.clone(), reaction);
    }
    for (name, gap) in &sampled.gaps {
        around.gaps.insert(name.clone(), take(gap));
    }
    record.around_events = Some(around);
    record
}

#[test]
fn curves_take_what_the_run_recorded_around_its_events() {
    let record = with_rows_around_events(pendulum(200));
    let around = record.around_events.as_ref().unwrap();
    let curves = [
        (
            series::reaction(&record, "A", 1),
            &around.reactions["A"].force[1],
        ),
        (
            series::moment(&record, "O", 0),
            around.reactions["O"].moment.plane().unwrap(),
        ),
        (series::potential(&record), &around.potential),
        (series::kinetic(&record), &around.kinetic),
        (series::gap(&record, "hit"), &around.gaps["hit"]),
    ];
    for (curve, expected) in curves {
        assert_eq!(curve.len(), 200 + 2 * record.events.len());
        for (k, event) in record.events.iter().enumerate() {
            let at = curve.iter().filter(|p| p.0 == event.time).map(|p| p.1);
            assert_eq!(at.collect::<Vec<_>>(), expected[2 * k..2 * k + 2]);
        }
    }
    assert!(drawn(&record) != drawn(&pendulum(200)));
}

#[test]
fn rows_that_are_not_those_of_the_events_are_not_used() {
    let plain = drawn(&pendulum(200));
    let mut record = with_rows_around_events(pendulum(200));
    let around = record.around_events.as_mut().unwrap();
    around.time.iter_mut().for_each(|t| *t += 0.1);
    assert!(drawn(&record) == plain);
    record.around_events = Some(Trajectory::default());
    assert!(drawn(&record) == plain);
    // A column that stops early is left alone, the others are used.
    let mut record = with_rows_around_events(pendulum(200));
    let around = record.around_events.as_mut().unwrap();
    around.potential.truncate(3);
    assert_eq!(
        series::potential(&record),
        series::potential(&pendulum(200))
    );
}

#[test]
fn hostile_rows_around_events_make_no_figure_panic() {
    for samples in [1, 2, 50] {
        for record in [ball(samples), hostile(samples)] {
            let mut record = with_rows_around_events(record);
            let around = record.around_events.as_mut().unwrap();
            for column in around.poses.values_mut().flatten() {
                column[0] = f64::NAN;
                column[1] = 1e300;
            }
            for keep in [usize::MAX, 3, 0] {
                let around = record.around_events.as_mut().unwrap();
                around
                    .poses
                    .values_mut()
                    .flatten()
                    .for_each(|c| c.truncate(keep));
                around.kinetic.truncate(keep);
                for (name, svg) in drawn(&record) {
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
                }
            }
        }
    }
}

#[test]
fn a_moment_of_round_off_is_not_drawn() {
    let units = |record: &RunRecord| {
        let svg = RunFigure::Reactions.svg(record).unwrap();
        svg.matches("N·m").count()
    };
    let mut record = pendulum(100);
    let reactions = |record: &mut RunRecord, moment: f64| {
        let reactions = &mut record.trajectory.as_mut().unwrap().reactions;
        reactions["O"].moment.components_mut()[0][7] = moment;
        record.events[0].joint_impulses["O"].moment = Moment::Plane(moment);
    };
    reactions(&mut record, 1e-12);
    assert_eq!(units(&record), 0);
    reactions(&mut record, 1e-3);
    assert_eq!(units(&record), 2);
}

#[test]
fn a_free_body_has_no_reactions_to_draw() {
    let mut record = ball(50);
    let reaction = |k: usize| 1e-16 * (k as f64).sin();
    let series = carom_sim::record::ReactionSeries {
        force: vec![(0..50).map(reaction).collect(); 2],
        moment: Moment::Plane(vec![0.0; 50]),
    };
    let trajectory = record.trajectory.as_mut().unwrap();
    trajectory.reactions.insert("ball".to_owned(), series);
    let impulse = JointImpulseRecord {
        force: vec![0.0, 1e-17],
        moment: Moment::Plane(0.0),
        unique: true,
        unique_components: None,
    };
    for event in &mut record.events {
        event
            .joint_impulses
            .insert("ball".to_owned(), impulse.clone());
    }
    assert_eq!(RunFigure::Reactions.svg(&record), None);
}

#[test]
fn the_reactions_of_many_joints_share_panels_and_no_name_is_cut() {
    let mut record = pendulum(200);
    let reaction = record.trajectory.as_ref().unwrap().reactions["O"].clone();
    for k in 0..12 {
        let name = format!("string{k}");
        let trajectory = record.trajectory.as_mut().unwrap();
        trajectory.reactions.insert(name.clone(), reaction.clone());
        for event in &mut record.events {
            let mut impulse = event.joint_impulses["O"].clone();
            impulse.force.iter_mut().for_each(|p| *p *= 1e-3);
            event.joint_impulses.insert(name.clone(), impulse);
        }
    }
    let svg = RunFigure::Reactions.svg(&record).unwrap();
    let height: f64 = attribute(&svg, "height").parse().unwrap();
    assert!(height < 1000.0, "{height}");
    assert!(!svg.contains('…'));
    keep("many-joints", &svg);
}

#[test]
fn gaps_have_a_panel_for_each_unit() {
    let mut record = pendulum(50);
    let trajectory = record.trajectory.as_mut().unwrap();
    let gap = trajectory.gaps["hit"].clone();
    trajectory.gaps.insert("stop".to_owned(), gap);
    trajectory.gap_units = common::list([("stop", "rad".to_owned())]);
    let svg = RunFigure::Gaps.svg(&record).unwrap();
    assert!(svg.contains("gap (m)") && svg.contains("gap (rad)"));
}

#[test]
fn a_point_on_a_line_is_seen_in_a_window_of_some_breadth() {
    let mut record = ball(100);
    let x: Vec<f64> = (0..100).map(|k| (f64::from(k) / 9.0).sin()).collect();
    let poses = vec![x, vec![0.0; 100], vec![0.0; 100]];
    record.trajectory.as_mut().unwrap().poses = common::list([("ball", poses)]);
    let scene = record.scene.as_mut().and_then(Scene::plane_mut).unwrap();
    scene.world.outlines.clear();
    for outlines in [Vec::new(), vec![common::disk([0.0, 0.0], 0.0)]] {
        record
            .scene
            .as_mut()
            .and_then(Scene::plane_mut)
            .unwrap()
            .bodies[0]
            .outlines = outlines;
        let svg = RunFigure::Motion.svg(&record).unwrap();
        let height: f64 = attribute(&svg, "height").parse().unwrap();
        assert!((200.0..300.0).contains(&height), "{height}");
        // Start, end, ghosts and impacts have a mark each, the window its border.
        assert_eq!(
            svg.matches("<polygon").count(),
            1 + 20 + record.events.len()
        );
    }
    keep("point", &RunFigure::Motion.svg(&record).unwrap());
}

#[test]
fn a_table_that_moves_shows_its_surface_at_every_pose() {
    let mut record = ball(100);
    let bare = RunFigure::Motion.svg(&record).unwrap();
    let surface = common::floor(-0.05);
    record
        .scene
        .as_mut()
        .and_then(Scene::plane_mut)
        .unwrap()
        .bodies[0]
        .outlines
        .push(surface);
    let svg = RunFigure::Motion.svg(&record).unwrap();
    let lines = |svg: &str| svg.matches("<polyline").count();
    assert!(lines(&svg) >= lines(&bare) + 20);
}

#[test]
fn energies_far_apart_have_a_panel_each_and_zero_coordinates_none() {
    let panels = |record: &RunRecord, figure: RunFigure, axis: &str| {
        figure.svg(record).unwrap().matches(axis).count()
    };
    let mut record = ball(100);
    assert_eq!(panels(&record, RunFigure::Energy, "energy (J)"), 1);
    assert_eq!(panels(&record, RunFigure::Coordinates, "angle (rad)"), 1);
    let trajectory = record.trajectory.as_mut().unwrap();
    trajectory.potential.iter_mut().for_each(|e| *e -= 900.0);
    trajectory.coordinates["ball"][2].fill(0.0);
    for event in &mut record.events {
        event.energy_before = event.energy_before.map(|e| e - 900.0);
        event.coordinates["ball"][2] = 0.0;
    }
    assert_eq!(panels(&record, RunFigure::Energy, "energy (J)"), 2);
    assert_eq!(panels(&record, RunFigure::Coordinates, "angle (rad)"), 0);
}

#[test]
fn a_dense_curve_is_solid_and_thin() {
    let mut record = pendulum(4000);
    let wave: Vec<f64> = (0..4000).map(|k| (f64::from(k) / 5.0).sin()).collect();
    record.events.clear();
    let trajectory = record.trajectory.as_mut().unwrap();
    trajectory.coordinates["A"][0] = wave;
    let svg = RunFigure::Coordinates.svg(&record).unwrap();
    let paths = svg.split("<path").skip(1);
    let ends = paths.map(|path| path.split("/>").next().unwrap());
    assert_eq!(ends.filter(|path| path.contains("dasharray")).count(), 0);
}
