//! Stiff, fast, long, light, heavy, coarse and fine: a run ends in bounded effort, or says why not.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::contact::Outline;
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{Prismatic, Revolute};
use carom_multibody::{Body, Joint, PlaneModelBuilder, Spring};
use carom_sim::{End, Options, Run, Setup, Watch, run, run_watched};
use common::scene::Scene;
use common::{pendulum, table};

/// A mass on a spring and a damper.
fn oscillator(mass: f64, stiffness: f64, damping: f64, duration: f64) -> Run {
    let mut builder = PlaneModelBuilder::new();
    let axis = [1.0, 0.0].into();
    let rest = 0.0;
    let joint = Joint {
        damping,
        spring: Some(Spring { stiffness, rest }),
        ..Joint::new(Prismatic { axis }, "world", "mass")
    };
    builder
        .body("mass", Body::new(mass, mass))
        .joint("line", joint);
    run(&mut Setup {
        mechanism: PlaneMechanism::new(builder.build().unwrap(), Vec::new()),
        rules: Vec::new(),
        q: vec![0.1],
        v: vec![0.0],
        options: Options {
            duration,
            ..Options::default()
        },
    })
    .unwrap()
}

/// Why a run failed on the way.
fn failure(run: &Run) -> String {
    let End::Failed { error } = &run.end else {
        unreachable!("{:?}", run.end);
    };
    error.to_string()
}

#[test]
fn a_stiff_damper_is_refused_by_name_and_soon() {
    for damping in [1e8, 1e9, 1e12] {
        let said = failure(&oscillator(1.0, 1.0, damping, 10.0));
        assert!(
            said.contains("stiff at t = ") && said.contains("expected softer"),
            "{said}"
        );
    }
}

#[test]
fn a_damper_that_can_be_followed_is() {
    let run = oscillator(1.0, 1.0, 1e4, 1.0);
    let slow = 0.1 * (-1e-4f64).exp();
    assert!((run.q[0] - slow).abs() < 1e-7, "{}", run.q[0]);
}

#[test]
fn an_oscillation_too_fast_for_its_time_is_refused_by_name_and_soon() {
    let said = failure(&oscillator(1e-9, 1e9, 0.0, 10.0));
    assert!(
        said.contains("too fast") && said.contains("expected a slower"),
        "{said}"
    );
}

#[test]
fn masses_from_a_microgram_to_a_million_tons_swing_alike() {
    let swing = |mass: f64| {
        let run = oscillator(mass, 100.0 * mass, 0.3 * mass, 2.0);
        (run.q[0], run.effort.steps_accepted)
    };
    let (q, steps) = swing(1.0);
    for mass in [1e-9, 1e-3, 1e3, 1e9] {
        let (other, taken) = swing(mass);
        assert!((other - q).abs() < 1e-11, "{mass}: {other} {q}");
        assert!(taken < 3 * steps, "{mass}: {taken} steps for {steps}");
    }
}

#[test]
fn a_slow_pendulum_swings_for_a_day_and_keeps_its_energy() {
    let mut builder = PlaneModelBuilder::new();
    let bob = Body {
        center: [0.0, -100.0].into(),
        ..Body::new(1.0, 0.0)
    };
    builder.gravity([0.0, -9.81]).body("bob", bob);
    builder.joint("pivot", Joint::new(Revolute, "world", "bob"));
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(builder.build().unwrap(), Vec::new()),
        rules: Vec::new(),
        q: vec![1.0],
        v: vec![0.0],
        options: Options {
            duration: 1e5,
            ..Options::default()
        },
    })
    .unwrap();
    assert_eq!((run.time, run.end), (1e5, End::Duration));
    let ledger = run.ledger.unwrap();
    // The error of a step is 1e-12 or less, and there are some 40 000 steps.
    assert!(
        ledger.residual().abs() < 1e-8 * ledger.largest,
        "{:e}",
        ledger.residual()
    );
}

#[test]
fn every_tolerance_that_is_allowed_ends_and_the_finer_is_the_nearer() {
    let wanted = [1.4781753668, 2.3924904222, 3.0869958707, 3.7789958164];
    let mut misses = Vec::new();
    for tolerance in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-14] {
        let mut setup = pendulum(0.9, 0.15, 4.0, 0);
        setup.options.tolerance = tolerance;
        let run = run(&mut setup).unwrap();
        assert_eq!(run.end, End::Duration, "{tolerance}");
        misses.push((run.events[0].time - wanted[0]).abs());
    }
    assert!(
        misses[0] < 0.1 && misses[3] < 1e-7 && misses[5] < 1e-9,
        "{misses:?}"
    );
    for tolerance in [0.0, 1e-17, 2.0, f64::NAN] {
        let mut setup = pendulum(0.9, 0.15, 4.0, 0);
        setup.options.tolerance = tolerance;
        assert!(run(&mut setup).is_err(), "{tolerance}");
    }
}

#[test]
fn a_watcher_stops_a_run_within_a_step_and_what_there_is_comes_back() {
    let whole = run(&mut pendulum(0.9, 0.15, 6.0, 601)).unwrap();
    for stop_at in [0.0, 1.0, 2.5, 4.0] {
        let mut steps_after = 0;
        let mut setup = pendulum(0.9, 0.15, 6.0, 601);
        let watched = run_watched(&mut setup, &mut |progress| {
            steps_after += usize::from(progress.time > stop_at);
            if progress.time > stop_at {
                Watch::Stop
            } else {
                Watch::GoOn
            }
        });
        let watched = watched.unwrap();
        assert_eq!((watched.end, steps_after), (End::Interrupted, 1));
        assert!(watched.time > stop_at && watched.time < stop_at + 0.5);
        let count = watched.events.len();
        assert_eq!(watched.events[..], whole.events[..count]);
        let seen = watched.samples.len();
        assert!(watched.samples[..] == whole.samples[..seen] && seen > (100.0 * stop_at) as usize);
        assert!(watched.ledger.unwrap().residual().abs() < 1e-9);
    }
}

/// Steps accepted and rejected, evaluations, evaluations of guards, polishing steps, events.
fn effort(run: &Run) -> [u64; 6] {
    let e = run.effort;
    [
        e.steps_accepted,
        e.steps_rejected,
        e.evaluations,
        e.guard_evaluations,
        e.polish_steps,
        e.events,
    ]
}

/// A block of half-diagonal 1 that rocks on its corners until it stands.
fn rocking() -> Scene {
    let a = 15f64.to_radians();
    let (sin, cos) = (0.5 * a).sin_cos();
    Scene {
        inertia: 1.0 / 3.0,
        skin: Outline::Box {
            size: [2.0 * a.sin(), 2.0 * a.cos()].into(),
        },
        q: [
            cos * a.sin() - sin * a.cos(),
            sin * a.sin() + cos * a.cos(),
            0.5 * a,
        ],
        friction: [1.0; 2],
        duration: 10.0,
        ..Scene::default()
    }
}

/// A rough ball that bounces to its limit on an incline, slides and rolls.
fn bouncing() -> Scene {
    let slope = 10f64.to_radians();
    Scene {
        inertia: 0.004,
        skin: Outline::Disk { radius: 0.1 },
        q: [0.0, 1.0, 0.0],
        walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
        restitution: 0.7,
        friction: [0.3; 2],
        duration: 5.0,
        ..Scene::default()
    }
}

/// A snapshot: a change here is a change of speed, to be made knowingly.
#[test]
fn the_effort_of_known_runs_does_not_change_unseen() {
    let efforts = || {
        let mut rattling = table();
        [
            effort(&run(&mut pendulum(0.9, 0.15, 6.0, 0)).unwrap()),
            effort(&run(&mut rattling).unwrap()),
            effort(&run(&mut rocking().setup()).unwrap()),
            effort(&run(&mut bouncing().setup()).unwrap()),
            effort(&oscillator(1.0, 1e4, 0.1, 10.0)),
        ]
    };
    let found = efforts();
    assert_eq!(found, efforts(), "a repeat");
    assert_eq!(
        found,
        [
            [485, 95, 7218, 483, 19, 10],
            [435, 51, 6043, 440, 12, 12],
            [176, 18, 4493, 1822, 131, 96],
            [52, 0, 1712, 1022, 77, 33],
            [4232, 345, 54592, 0, 0, 0],
        ]
    );
}
