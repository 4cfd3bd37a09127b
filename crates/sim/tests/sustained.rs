//! Contacts that stay closed: resting, sliding, rolling, letting go, against closed forms.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::contact::Outline;
use carom_sim::{ContactMode, End, Event, Happening, Run, Transition, run};
use carom_support::near::assert_close;
use carom_support::sim::assert_balanced;
use common::scene::Scene;

const G: f64 = 9.81;

/// The run, which must reach its time with its energy accounted for.
fn simulate(scene: &Scene) -> Run {
    let run = run(&mut scene.setup()).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_balanced(&run, 1e-10);
    run
}

fn transitions(run: &Run) -> Vec<(Transition, f64)> {
    let named = |event: &Event| match &event.what {
        Happening::Transition { kind, .. } => Some((*kind, event.time)),
        _ => None,
    };
    run.events.iter().filter_map(named).collect()
}

#[test]
fn a_ball_dropped_bounces_to_rest_at_the_instant_of_the_closed_form_and_stays() {
    let run = simulate(&Scene {
        q: [0.0, 1.0, 0.0],
        restitution: 0.8,
        duration: 10.0,
        ..Scene::default()
    });
    let last = run.events.last().unwrap();
    let Happening::Accumulation(pile) = &last.what else {
        unreachable!("{:?}", last.what);
    };
    assert_close("rest", last.time, 4.063712768872, 1e-9);
    assert_close("ratio", pile.ratio, 0.8, 1e-6);
    assert!(pile.bound < 1e-9);
    assert_eq!(last.modes_after, [(0, ContactMode::Closed)]);
    assert_close("height", run.q[1], 0.0, 1e-15);
    assert_eq!(run.v[1], 0.0);
}

#[test]
fn a_ball_on_a_smooth_incline_bounces_for_a_while_and_slides_on() {
    let slope = 30f64.to_radians();
    let run = simulate(&Scene {
        q: [0.0, 1.0, 0.0],
        walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
        restitution: 0.5,
        duration: 2.0,
        ..Scene::default()
    });
    let (first, last) = (&run.events[0], run.events.last().unwrap());
    assert!(matches!(last.what, Happening::Accumulation(_)));
    assert_close("bouncing", last.time - first.time, 0.903047281971, 1e-9);
    let along = |event: &Event| slope.cos() * event.q[0] - slope.sin() * event.q[1];
    assert_close("way", along(last) - along(first), 4.0, 1e-9);
    assert_close(
        "speed",
        last.v_post[0].hypot(last.v_post[1]),
        6.644170377105,
        1e-9,
    );
    let later = 6.644170377105 + 0.5 * G * (2.0 - last.time);
    assert_close("sliding", run.v[0].hypot(run.v[1]), later, 1e-8);
}

#[test]
fn a_block_on_an_incline_sticks_below_the_angle_of_friction_and_slides_above() {
    for (angle, mu) in [(20f64, 0.5), (35.0, 0.5), (35.0, 0.0)] {
        let slope = angle.to_radians();
        let run = simulate(&Scene {
            walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
            friction: [mu; 2],
            duration: 3.0,
            ..Scene::default()
        });
        let pull = G * (slope.sin() - mu * slope.cos()).max(0.0);
        let way = run.q[0] * slope.cos() - run.q[1] * slope.sin();
        assert_close("way", way, 4.5 * pull, 1e-11 * (1.0 + pull));
        let gap = run.q[0] * slope.sin() + run.q[1] * slope.cos();
        assert!(gap.abs() < 1e-15 * (1.0 + way), "{gap:e} after {way} m");
    }
}

#[test]
fn a_block_that_sticks_on_an_incline_has_not_crept_after_a_million_seconds() {
    let slope = 20f64.to_radians();
    let run = simulate(&Scene {
        walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
        friction: [0.5; 2],
        duration: 1e6,
        ..Scene::default()
    });
    assert!(run.q.iter().all(|x| x.abs() < 1e-12), "{:?}", run.q);
    assert!(run.events.is_empty());
}

#[test]
fn a_cue_ball_slides_and_then_rolls() {
    let run = simulate(&Scene {
        inertia: 0.4 * 0.03 * 0.03,
        skin: Outline::Disk { radius: 0.03 },
        q: [0.0, 0.03, 0.0],
        v: [2.0, 0.0, 0.0],
        friction: [0.2; 2],
        duration: 1.0,
        ..Scene::default()
    });
    assert_eq!(transitions(&run).len(), 1);
    let event = &run.events[0];
    assert!(matches!(
        event.what,
        Happening::Transition {
            kind: Transition::Stick,
            ..
        }
    ));
    assert_close("time", event.time, 0.291247997670, 1e-11);
    assert_close("speed", event.v_post[0], 10.0 / 7.0, 1e-11);
    assert_close("way", event.q[0], 0.499282281720, 1e-11);
    assert_close("rolls", run.v[0], 10.0 / 7.0, 1e-11);
    assert_close("turns", run.v[2], -10.0 / 7.0 / 0.03, 1e-9);
}

/// A uniform stick of length 1 that fell from the vertical about its foot, at a lean to the right.
fn falling(lean: f64, mu: f64) -> Scene {
    let up = std::f64::consts::FRAC_PI_2 - lean;
    let rate = -(3.0 * G * (1.0 - lean.cos())).sqrt();
    let (x, y) = (0.5 * up.cos(), 0.5 * up.sin());
    Scene {
        inertia: 1.0 / 12.0,
        skin: Outline::Polygon {
            vertices: vec![[-0.5, 0.0].into(), [0.5, 0.0].into(), [0.0, 0.1].into()],
        },
        q: [x, y, up],
        v: [-rate * y, rate * x, rate],
        friction: [mu; 2],
        ..Scene::default()
    }
}

/// Lean (deg) at which the foot of a falling stick slips first, and how.
fn first_slip(mu: f64) -> (f64, ContactMode) {
    let run = simulate(&falling(0.05, mu));
    assert_eq!(transitions(&run)[0].0, Transition::Slip);
    let lean = 90.0 - run.events[0].q[2].to_degrees();
    (lean, run.events[0].modes_after[0].1)
}

#[test]
fn a_falling_stick_slips_forward_where_friction_says() {
    let (lean, mode) = first_slip(0.5);
    assert_close("lean", lean, 51.977855451506, 1e-9);
    assert_eq!(mode, ContactMode::SlideForward);
}

/// The greatest ratio of friction to load is `15 √10/128`, at `acos 9/11`.
#[test]
fn a_falling_stick_slips_backward_below_the_greatest_ratio_and_forward_above() {
    let most = 15.0 * 10f64.sqrt() / 128.0;
    let (lean, mode) = first_slip(most - 1e-8);
    assert_close("lean", lean, 35.096801227585, 0.02);
    assert_eq!(mode, ContactMode::SlideBackward);
    let (lean, mode) = first_slip(most + 1e-8);
    assert!(lean > 48.189685104221, "{lean}");
    assert_eq!(mode, ContactMode::SlideForward);
}

/// A body on a fixed disk of radius 1, off its top by an angle; the angle at which it lets go.
fn lets_go(skin: Outline, radius: f64, mu: f64, start: f64) -> f64 {
    let reach = 1.0 + radius;
    let run = simulate(&Scene {
        inertia: 0.4 * radius.max(0.1).powi(2),
        skin,
        q: [reach * start.sin(), reach * start.cos(), 0.0],
        walls: Vec::new(),
        pegs: vec![([0.0, 0.0], 1.0)],
        friction: [mu; 2],
        duration: 1.5,
        ..Scene::default()
    });
    let release = |event: &&Event| {
        let release = Transition::Release;
        matches!(event.what, Happening::Transition { kind, .. } if kind == release)
    };
    let event = run.events.iter().find(release).unwrap();
    event.q[0].atan2(event.q[1])
}

#[test]
fn a_particle_leaves_a_smooth_sphere_at_two_thirds_of_its_height() {
    for start in [0.02f64, 0.3] {
        let angle = lets_go(Outline::Point, 0.0, 0.0, start);
        assert_close("cosine", angle.cos(), 2.0 / 3.0 * start.cos(), 1e-11);
    }
}

/// With finite friction it slips just before, by an angle that falls with μ.
#[test]
fn a_ball_that_rolls_leaves_a_fixed_ball_at_ten_seventeenths_of_its_height() {
    let miss = |mu: f64| {
        let angle = lets_go(Outline::Disk { radius: 0.25 }, 0.25, mu, 0.1);
        angle.cos() - 10.0 / 17.0 * 0.1f64.cos()
    };
    let (coarse, fine) = (miss(100.0), miss(200.0));
    assert!(
        fine.abs() < 6e-5 && coarse.abs() < 1.2e-4,
        "{fine:e} {coarse:e}"
    );
    assert_close("limit", 2.0 * fine - coarse, 0.0, 1e-6);
}

#[test]
fn a_box_that_sticks_on_two_corners_has_not_crept_after_a_million_seconds() {
    let slope = 20f64.to_radians();
    let scene = Scene {
        skin: Outline::Box {
            size: [0.6, 0.4].into(),
        },
        inertia: 0.52 / 12.0,
        q: [0.2 * slope.sin(), 0.2 * slope.cos(), -slope],
        walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
        friction: [0.5; 2],
        duration: 1e6,
        ..Scene::default()
    };
    let run = simulate(&scene);
    for (found, start) in run.q.iter().zip(scene.q) {
        assert_close("place", *found, start, 1e-12);
    }
    assert_eq!(run.modes.len(), 2);
    assert!(run.events.is_empty() && run.v.iter().all(|v| *v == 0.0));
}

/// Friction does work for 200 s on end; the gap stays round-off, and so does the ledger.
#[test]
fn a_block_slides_far_without_leaving_its_plane() {
    let slope = 31f64.to_radians();
    let mut setup = Scene {
        walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
        friction: [0.6; 2],
        duration: 200.0,
        ..Scene::default()
    }
    .setup();
    setup.options.samples = 401;
    let run = run(&mut setup).unwrap();
    let ledger = run.ledger.unwrap();
    assert!(ledger.residual().abs() <= 1e-10 * ledger.largest);
    let pull = G * (slope.sin() - 0.6 * slope.cos());
    let way = 0.5 * pull * 200.0 * 200.0;
    assert_close(
        "work",
        ledger.friction,
        -0.6 * G * slope.cos() * way,
        1e-10 * ledger.largest,
    );
    for sample in &run.samples {
        let gap = sample.q[0] * slope.sin() + sample.q[1] * slope.cos();
        let v_n = sample.v[0] * slope.sin() + sample.v[1] * slope.cos();
        assert!(gap.abs() < 1e-12 && v_n.abs() < 1e-12, "{gap:e} {v_n:e}");
    }
}
