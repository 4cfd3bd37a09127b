//! Contacts that stay closed: resting, sliding, rolling, letting go, against closed forms.
#![allow(clippy::unwrap_used)]

mod common;

use carom_multibody::contact::Outline;
use carom_sim::{ContactMode, End, Event, Happening, Run, Transition, run};
use common::scene::Scene;

const G: f64 = 9.81;

fn close(what: &str, found: f64, wanted: f64, bound: f64) {
    let miss = (found - wanted).abs();
    assert!(miss <= bound, "{what}: {found} for {wanted}");
}

/// The run, which must reach its time with its energy accounted for.
fn simulate(scene: &Scene) -> Run {
    let run = run(&mut scene.setup()).unwrap();
    assert_eq!(run.end, End::Duration);
    let ledger = run.ledger.unwrap();
    let residual = ledger.residual().abs();
    assert!(residual <= 1e-10 * ledger.largest, "{residual:e}");
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
    close("rest", last.time, 4.063712768872, 1e-9);
    close("ratio", pile.ratio, 0.8, 1e-6);
    assert!(pile.bound < 1e-9);
    assert_eq!(last.modes_after, [(0, ContactMode::Closed)]);
    close("height", run.q[1], 0.0, 1e-15);
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
    close("bouncing", last.time - first.time, 0.903047281971, 1e-9);
    let along = |event: &Event| slope.cos() * event.q[0] - slope.sin() * event.q[1];
    close("way", along(last) - along(first), 4.0, 1e-9);
    close(
        "speed",
        last.v_post[0].hypot(last.v_post[1]),
        6.644170377105,
        1e-9,
    );
    let later = 6.644170377105 + 0.5 * G * (2.0 - last.time);
    close("sliding", run.v[0].hypot(run.v[1]), later, 1e-8);
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
        close("way", way, 4.5 * pull, 1e-11 * (1.0 + pull));
        assert!((run.q[0] * slope.sin() + run.q[1] * slope.cos()).abs() < 1e-14);
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
    close("time", event.time, 0.291247997670, 1e-11);
    close("speed", event.v_post[0], 10.0 / 7.0, 1e-11);
    close("way", event.q[0], 0.499282281720, 1e-11);
    close("rolls", run.v[0], 10.0 / 7.0, 1e-11);
    close("turns", run.v[2], -10.0 / 7.0 / 0.03, 1e-9);
}

/// A uniform stick of length 1 on its foot, leaning by an angle from the vertical to the right.
fn stick(lean: f64, mu: f64, duration: f64) -> Scene {
    Scene {
        inertia: 1.0 / 12.0,
        skin: Outline::Capsule {
            length: 1.0 - 2e-9,
            radius: 1e-9,
        },
        q: [0.0; 3],
        friction: [mu; 2],
        duration,
        ..Scene::default()
    }
    .standing(lean)
}

impl Scene {
    /// Put with its lower end on the floor.
    fn standing(mut self, lean: f64) -> Self {
        let up = std::f64::consts::FRAC_PI_2 - lean;
        let half = 0.5 - 1e-9;
        self.q = [half * up.cos(), half * up.sin() + 1e-9, up];
        self
    }
}

#[test]
fn a_falling_stick_slips_forward_where_friction_says() {
    let scene = stick(1e-3, 0.5, 3.0);
    let mut setup = scene.setup();
    setup.options.duration = 2.5;
    let run = run(&mut setup).unwrap();
    let (kind, _) = transitions(&run)[0];
    assert_eq!(kind, Transition::Slip);
    let lean = 90.0 - run.events[0].q[2].to_degrees();
    close("lean", lean, 51.977855451506, 1e-3);
}
