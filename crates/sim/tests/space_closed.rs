//! Closed contacts in space without friction: resting, sliding, letting go.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::mechanism::{Contacts, Gap, SpaceMechanism};
use carom_multibody::space::SpaceJoint;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::{Body, Joint, SpaceModelBuilder, State, Vector};
use carom_sim::{ContactMode, End, Happening, Options, Rule, Run, Setup, Transition, run};
use carom_support::near::assert_close;
use carom_support::sim::assert_balanced;

const G: f64 = 9.81;

/// A free body of mass 1 and a fixed solid that it may touch.
fn pair(skin: Solid, fixed: Solid, restitution: f64, mu: f64) -> Setup<SpaceMechanism> {
    let body = Body {
        shapes: vec![("skin".to_owned(), SolidShape::new(skin))],
        ..Body::new(1.0, [0.02, 0.03, 0.04].into())
    };
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0, 0.0, -G]).body("body", body);
    builder.joint("body", Joint::new(SpaceJoint::Free, "world", "body"));
    builder.world_shape("fixed", SolidShape::new(fixed));
    let model = builder.build().unwrap();
    let features = model
        .features(("body", "skin"), ("world", "fixed"))
        .unwrap();
    let rule = |k: usize| Rule {
        name: format!("hit.{k}"),
        law: Law::Poisson,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    Setup {
        rules: (0..features.len()).map(rule).collect(),
        q: model.reference(),
        v: vec![0.0; model.rates()],
        mechanism: SpaceMechanism::new(model, features),
        options: Options {
            samples: 51,
            ..Options::default()
        },
    }
}

/// The run, which reaches its time with its energy accounted for and closed contacts at round-off.
fn simulate(setup: &mut Setup<SpaceMechanism>) -> Run {
    let run = run(setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_balanced(&run, 1e-10);
    let mut gaps = vec![Gap::default(); setup.rules.len()];
    for sample in &run.samples {
        let (q, v) = (&sample.q[..], &sample.v[..]);
        let state = State::new(sample.time, q, v);
        setup.mechanism.gaps(state, &mut gaps);
        for (contact, _) in &sample.modes {
            let Gap { gap, v_n } = gaps[*contact];
            assert!(gap.abs() < 1e-12 && v_n.abs() < 1e-11, "{gap:e} {v_n:e}");
        }
    }
    run
}

fn half_space(normal: [f64; 3]) -> Solid {
    let normal = Vector(normal);
    Solid::HalfSpace { normal }
}

#[test]
fn a_puck_rests_on_four_corners_and_glides_when_it_is_pushed() {
    let puck = Solid::Box {
        size: [0.4, 0.6, 0.2].into(),
    };
    for push in [0.0, 1.5] {
        let mut setup = pair(puck.clone(), half_space([0.0, 0.0, 1.0]), 0.0, 0.0);
        setup.q[2] = 0.1;
        setup.v[0] = push;
        setup.v[5] = 2.0 * push; // it turns about the vertical as it glides
        setup.options.duration = 50.0;
        let run = simulate(&mut setup);
        assert!(run.events.is_empty());
        assert_eq!(run.modes.len(), 4);
        assert!(
            run.modes
                .iter()
                .all(|(_, mode)| *mode == ContactMode::Closed)
        );
        assert_close("x", run.q[0], 50.0 * push, 1e-10);
        assert_close("z", run.q[2], 0.1, 1e-14);
        assert_close("turns", run.v[5], 2.0 * push, 1e-12);
    }
}

#[test]
fn a_ball_dropped_on_a_smooth_incline_in_space_bounces_and_slides_down() {
    let slope = 30f64.to_radians();
    let normal = [0.0, slope.sin(), slope.cos()];
    let mut setup = pair(Solid::Ball { radius: 0.1 }, half_space(normal), 0.5, 0.0);
    let fall = 0.1 / slope.cos() + 1.0; // it touches after one metre
    setup.q[..3].copy_from_slice(&[0.0, 0.0, fall]);
    setup.v[0] = 0.3;
    setup.options.duration = 2.0;
    let run = simulate(&mut setup);
    let (first, last) = (&run.events[0], run.events.last().unwrap());
    assert!(matches!(last.what, Happening::Accumulation(_)));
    assert_close("bouncing", last.time - first.time, 0.903047281971, 1e-9);
    let along = |q: &[f64]| q[1] * slope.cos() - q[2] * slope.sin();
    assert_close("way", along(&last.q) - along(&first.q), 4.0, 1e-9);
    assert_close("across", run.q[0], 0.6, 1e-12);
    let speed = 6.644170377105 + G * slope.sin() * (2.0 - last.time);
    assert_close("speed", along(&run.v[..3]), speed, 1e-9);
}

#[test]
fn a_ball_leaves_a_smooth_ball_at_two_thirds_of_its_height() {
    let (small, start) = (0.2, 0.2f64);
    let mut setup = pair(
        Solid::Ball { radius: small },
        Solid::Ball { radius: 1.0 },
        0.0,
        0.0,
    );
    let reach = 1.0 + small;
    let aside = reach * start.sin();
    setup.q[..3].copy_from_slice(&[0.6 * aside, 0.8 * aside, reach * start.cos()]);
    setup.options.duration = 1.2;
    let run = simulate(&mut setup);
    let event = &run.events[0];
    let release = Transition::Release;
    assert!(matches!(event.what, Happening::Transition { kind, .. } if kind == release));
    assert_close("height", event.q[2] / reach, 2.0 / 3.0 * start.cos(), 1e-11);
    assert_close("plane", event.q[1] / event.q[0], 0.8 / 0.6, 1e-11);
}

/// The slip of the ball ends at 2 v/(7 μ g), with 5/7 of its speed.
#[test]
fn a_rough_ball_that_slides_on_a_plane_in_space_comes_to_roll() {
    let mut setup = pair(
        Solid::Ball { radius: 0.1 },
        half_space([0.0, 0.0, 1.0]),
        0.0,
        0.3,
    );
    setup.q[2] = 0.1;
    setup.v[0] = 1.0;
    let run = simulate(&mut setup);
    let event = &run.events[0];
    let stick = Transition::Stick;
    assert!(matches!(event.what, Happening::Transition { kind, .. } if kind == stick));
    assert_eq!(event.modes_after, [(0, ContactMode::Stick)]);
    let rolls = run.v[0];
    assert_close("no slip", rolls, 0.1 * run.v[4], 1e-12);
    assert_close("time", event.time, (1.0 - rolls) / (0.3 * 9.81), 1e-11);
}
