//! Mechanisms with closed loops in motion: four-bar linkages and slider-cranks, free and at stops.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::{Closer, PlaneMechanism, SpaceMechanism};
use carom_multibody::plane::PlaneJoint;
use carom_multibody::space::SpaceJoint;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder, SpaceModelBuilder, Vector};
use carom_sim::record::record;
use carom_sim::{End, Options, Rule, Setup, SimError, run};
use carom_support::random::full_or;
use carom_support::sim::assert_balanced;
use common::openness;

/// Ground, crank, coupler, rocker (m).
const LENGTHS: [f64; 4] = [1.0, 0.4, 1.0, 0.8];
const G: f64 = 9.81;
const RADIUS: f64 = 0.05;
/// The stop is a wall to the right of this abscissa.
const WALL: f64 = 1.1;

/// Relative angles at O, A and D that close the linkage with the crank at an angle.
fn angles(crank: f64) -> [f64; 3] {
    let [ground, a, b, c] = LENGTHS;
    let (x, y) = (ground - a * crank.cos(), -a * crank.sin());
    let diagonal = x.hypot(y);
    let cos = (b * b + diagonal * diagonal - c * c) / (2.0 * b * diagonal);
    let coupler = y.atan2(x) + cos.acos();
    let tip = [
        a * crank.cos() + b * coupler.cos() - ground,
        a * crank.sin() + b * coupler.sin(),
    ];
    [crank, coupler - crank, tip[1].atan2(tip[0])]
}

/// Mass and central inertia of a bar.
fn bar(length: f64) -> (f64, f64) {
    (2.0 * length, 2.0 * length * length * length / 12.0)
}

fn rule(name: &str, restitution: f64) -> Rule {
    Rule {
        name: name.to_owned(),
        law: Law::Poisson,
        friction: Friction::NONE,
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

fn options(duration: f64, samples: usize) -> Options {
    Options {
        duration,
        samples,
        ..Options::default()
    }
}

/// A four-bar linkage; the disk at the end of its rocker may meet a wall.
fn four_bar(copies: usize) -> PlaneMechanism {
    let [ground, a, b, c] = LENGTHS;
    let body = |length: f64| {
        let (mass, inertia) = bar(length);
        Body {
            center: [0.5 * length, 0.0].into(),
            ..Body::new(mass, inertia)
        }
    };
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -G]);
    let mut rocker = body(c);
    let tip = Shape::new(Outline::Disk { radius: RADIUS }).at([c, 0.0]);
    rocker.shapes.push(("tip".to_owned(), tip));
    builder.body("crank", body(a)).body("coupler", body(b));
    builder.body("rocker", rocker);
    let pin = |parent: &str, child: &str, at: f64| Joint {
        parent_at: [at, 0.0].into(),
        ..Joint::new(PlaneJoint::Revolute, parent, child)
    };
    builder.joint("O", pin("world", "crank", 0.0));
    builder.joint("A", pin("crank", "coupler", a));
    builder.joint("D", pin("world", "rocker", ground));
    for k in 0..copies {
        let closing = Joint {
            child_at: [b, 0.0].into(),
            ..pin("rocker", "coupler", c)
        };
        builder.joint(&format!("B{k}"), closing);
    }
    let normal = [-1.0, 0.0].into();
    let wall = Shape::new(Outline::HalfSpace { normal }).at([WALL, 0.0]);
    builder.world_shape("wall", wall);
    let model = builder.build().unwrap();
    let features = model.features(("rocker", "tip"), ("world", "wall"));
    PlaneMechanism::new(model, features.unwrap())
}

fn linkage(copies: usize, rate: f64, options: Options) -> Setup {
    let mut mechanism = four_bar(copies);
    let mut q = angles(2.0).to_vec();
    let mut v = vec![rate, 0.0, 0.0];
    let [first, second, third] = derivative(2.0);
    v.copy_from_slice(&[first * rate, second * rate, third * rate]);
    Closer::default().settle(&mut mechanism, 0.0, &mut q, &mut v);
    Setup {
        mechanism,
        rules: vec![rule("hit", 0.7)],
        q,
        v,
        options,
    }
}

/// Rates of the angles per rate of the crank, by central differences, extrapolated.
fn derivative(crank: f64) -> [f64; 3] {
    let central = |h: f64| {
        let (more, less) = (angles(crank + h), angles(crank - h));
        [0, 1, 2].map(|k| (more[k] - less[k]) / (2.0 * h))
    };
    let (a, b, c) = (central(4e-3), central(2e-3), central(1e-3));
    [0, 1, 2].map(|k| {
        let (ab, bc) = (b[k] + (b[k] - a[k]) / 3.0, c[k] + (c[k] - b[k]) / 3.0);
        bc + (bc - ab) / 15.0
    })
}

#[test]
fn a_free_four_bar_linkage_keeps_its_energy_and_its_loop() {
    let duration = full_or(100.0, 10.0);
    let mut setup = linkage(1, 6.0, options(duration, 500));
    let mechanism = setup.mechanism.model().clone();
    setup.mechanism = PlaneMechanism::new(mechanism, Vec::new());
    setup.rules.clear();
    let run = run(&mut setup).unwrap();
    assert_eq!((run.end.clone(), run.events.len()), (End::Duration, 0));
    let ledger = run.ledger.unwrap();
    let residual = ledger.residual().abs() / ledger.largest;
    assert!(residual < 1e-10, "{residual:e}");
    let open = openness(&mut setup, &run);
    assert!(open < 1e-10, "{open:e}");
    assert!(run.q[0].abs() > 10.0, "the crank goes round: {}", run.q[0]);
}

/// Kinetic energy per half the squared rate of the crank, and the velocity of the tip to the right.
fn reduced(crank: f64) -> (f64, f64) {
    let [_, a, b, c] = LENGTHS;
    let ([first, second, third], angle) = (derivative(crank), angles(crank));
    let (coupler, turned) = (angle[0] + angle[1], first + second);
    let middle = [
        -a * crank.sin() * first - 0.5 * b * coupler.sin() * turned,
        a * crank.cos() * first + 0.5 * b * coupler.cos() * turned,
    ];
    let [crank, coupler, rocker] = [a, b, c].map(bar);
    let sum = (crank.1 + crank.0 * 0.25 * a * a) * first * first
        + coupler.1 * turned * turned
        + coupler.0 * (middle[0] * middle[0] + middle[1] * middle[1])
        + (rocker.1 + rocker.0 * 0.25 * c * c) * third * third;
    (sum, -c * angle[2].sin() * third)
}

#[test]
fn a_four_bar_linkage_strikes_a_stop_as_a_point_of_its_reduced_inertia() {
    let mut setup = linkage(1, -4.0, options(1.5, 50));
    let run = run(&mut setup).unwrap();
    assert!(run.events.len() >= 2, "{}", run.events.len());
    assert_balanced(&run, 1e-10);
    assert!(openness(&mut setup, &run) < 1e-10);
    for event in &run.events {
        let (inertia, speed) = reduced(event.q[0]);
        let (before, after) = (event.v_pre[0], event.v_post[0]);
        assert!((after + 0.7 * before).abs() < 1e-10 * before.abs());
        let impulse = event.impact().unwrap().solution.end.unwrap().impulse.n;
        // The wall pushes to the left: p (−speed) = inertia Δ(rate of the crank).
        let expected = -inertia * (after - before) / speed;
        assert!(
            (impulse - expected).abs() < 1e-8 * impulse,
            "{impulse} {expected}"
        );
    }
}

#[test]
fn a_pin_given_twice_changes_no_motion_and_its_impulses_are_not_unique() {
    let (mut once, mut twice) = (
        linkage(1, -4.0, options(1.0, 20)),
        linkage(2, -4.0, options(1.0, 20)),
    );
    let (a, b) = (run(&mut once).unwrap(), run(&mut twice).unwrap());
    assert_eq!(a.events.len(), b.events.len());
    for (x, y) in a.events.iter().zip(&b.events) {
        assert!((x.time - y.time).abs() < 1e-10);
        assert!((x.v_post[0] - y.v_post[0]).abs() < 1e-9);
    }
    let (a, b) = (
        record(&mut once, &a).unwrap(),
        record(&mut twice, &b).unwrap(),
    );
    let (a, b) = (&a.events[0].joint_impulses, &b.events[0].joint_impulses);
    assert!(a["B0"].unique && !b["B0"].unique && !b["B1"].unique && b["O"].unique && b["A"].unique);
    for k in 0..2 {
        let shared = b["B0"].force[k] + b["B1"].force[k];
        assert!((a["B0"].force[k] - shared).abs() < 1e-9);
        assert!((a["O"].force[k] - b["O"].force[k]).abs() < 1e-9);
    }
}

/// The linkage rebuilt in space, its plane the x–z plane; every pin is a revolute joint.
fn lifted(options: Options) -> Setup<SpaceMechanism> {
    let [ground, a, b, c] = LENGTHS;
    let axis = Vector([0.0, -1.0, 0.0]);
    let body = |length: f64| {
        let (mass, inertia) = bar(length);
        Body {
            center: [0.5 * length, 0.0, 0.0].into(),
            ..Body::new(mass, [0.01, inertia, inertia].into())
        }
    };
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0, 0.0, -G]);
    let mut rocker = body(c);
    let tip = SolidShape::new(Solid::Ball { radius: RADIUS }).at([c, 0.0, 0.0]);
    rocker.shapes.push(("tip".to_owned(), tip));
    builder.body("crank", body(a)).body("coupler", body(b));
    builder.body("rocker", rocker);
    let pin = |parent: &str, child: &str, at: f64| Joint {
        parent_at: [at, 0.0, 0.0].into(),
        ..Joint::new(SpaceJoint::Revolute { axis }, parent, child)
    };
    builder.joint("O", pin("world", "crank", 0.0));
    builder.joint("A", pin("crank", "coupler", a));
    builder.joint("D", pin("world", "rocker", ground));
    let closing = Joint {
        child_at: [b, 0.0, 0.0].into(),
        ..pin("rocker", "coupler", c)
    };
    builder.joint("B0", closing);
    let normal = [-1.0, 0.0, 0.0].into();
    let wall = SolidShape::new(Solid::HalfSpace { normal }).at([WALL, 0.0, 0.0]);
    builder.world_shape("wall", wall);
    let model = builder.build().unwrap();
    let features = model.features(("rocker", "tip"), ("world", "wall"));
    let flat = linkage(1, -4.0, options.clone());
    Setup {
        mechanism: SpaceMechanism::new(model, features.unwrap()),
        rules: flat.rules,
        q: flat.q,
        v: flat.v,
        options,
    }
}

#[test]
fn a_linkage_rebuilt_in_space_does_what_it_does_in_the_plane() {
    let mut flat = linkage(1, -4.0, options(1.5, 20));
    let mut solid = lifted(options(1.5, 20));
    let (a, b) = (run(&mut flat).unwrap(), run(&mut solid).unwrap());
    assert!(a.events.len() >= 2);
    assert_eq!((a.events.len(), &a.end), (b.events.len(), &b.end));
    for (x, y) in a.events.iter().zip(&b.events) {
        assert!((x.time - y.time).abs() < 1e-9, "{} {}", x.time, y.time);
        for k in 0..3 {
            assert!((x.v_post[k] - y.v_post[k]).abs() < 1e-8);
        }
    }
    assert!(openness(&mut solid, &b) < 1e-10);
    let (a, b) = (
        record(&mut flat, &a).unwrap(),
        record(&mut solid, &b).unwrap(),
    );
    let (flat, solid) = (&a.events[0].joint_impulses, &b.events[0].joint_impulses);
    for joint in ["O", "A", "D", "B0"] {
        // Out of the plane three constraints repeat others: what they carry is not determined.
        assert!(flat[joint].unique && !solid[joint].unique);
        let (x, y) = (&flat[joint].force, &solid[joint].force);
        assert!((x[0] - y[0]).abs() < 1e-8 && (x[1] - y[2]).abs() < 1e-8);
    }
}

#[test]
fn a_start_that_does_not_close_is_refused_with_its_residual_or_solved_for() {
    let mut setup = linkage(1, 0.0, options(0.1, 3));
    setup.q[2] += 0.01;
    let refused = run(&mut setup).unwrap_err();
    let SimError::Open {
        joint,
        residual,
        unit,
        was_solved_for: false,
        ..
    } = refused
    else {
        panic!("{refused:?}");
    };
    assert_eq!((&*joint, unit), ("B0", "m"));
    assert!((1e-3..9e-3).contains(&residual.abs()), "{residual}");
    setup.options.assemble = true;
    let solved = run(&mut setup).unwrap();
    assert!(openness(&mut setup, &solved) < 1e-10);
    setup.q = linkage(1, 0.0, options(0.1, 3)).q;
    setup.v = vec![1.0, 0.0, 0.0];
    setup.options.assemble = false;
    let refused = run(&mut setup).unwrap_err().to_string();
    assert!(
        refused.contains("joint B0 closes a loop") && refused.contains("m/s"),
        "{refused}"
    );
}

#[test]
fn a_linkage_too_short_to_close_says_by_how_much() {
    let mut setup = linkage(1, 0.0, options(0.1, 3));
    let mut builder = PlaneModelBuilder::new();
    builder
        .body("a", Body::new(1.0, 1.0))
        .body("b", Body::new(1.0, 1.0));
    let pin = |child: &str, at: f64| Joint {
        parent_at: [at, 0.0].into(),
        ..Joint::new(PlaneJoint::Revolute, "world", child)
    };
    builder.joint("O", pin("a", 0.0)).joint("D", pin("b", 3.0));
    let closing = Joint {
        parent_at: [1.0, 0.0].into(),
        child_at: [1.0, 0.0].into(),
        ..Joint::new(PlaneJoint::Revolute, "a", "b")
    };
    builder.joint("B", closing);
    setup.mechanism = PlaneMechanism::new(builder.build().unwrap(), Vec::new());
    setup.rules.clear();
    (setup.q, setup.v) = (vec![0.3, 2.5], vec![0.0; 2]);
    setup.options.assemble = true;
    let refused = run(&mut setup).unwrap_err();
    let SimError::Open {
        residual,
        was_solved_for: true,
        ..
    } = refused
    else {
        panic!("{refused:?}");
    };
    assert!((residual.abs() - 1.0).abs() < 0.05, "{residual}");
}

/// A crank at a steady rate drives a slider; the pin of the slider closes the loop.
fn slider_crank(wall: f64, duration: f64) -> Setup {
    let (crank, rod) = (0.2, 0.7);
    let mut builder = PlaneModelBuilder::new();
    let body = |mass: f64, length: f64| Body {
        center: [0.5 * length, 0.0].into(),
        ..Body::new(mass, mass * length * length / 12.0)
    };
    let mut slider = Body::new(0.5, 0.01);
    let nose = Shape::new(Outline::Point).at([0.1, 0.0]);
    slider.shapes.push(("nose".to_owned(), nose));
    builder.gravity([0.0, -G]).body("crank", body(1.0, crank));
    builder.body("rod", body(1.5, rod)).body("slider", slider);
    let turning = Joint {
        motion: Some(Motion {
            offset: 1.0,
            rate: 5.0,
            ..Motion::default()
        }),
        ..Joint::new(PlaneJoint::Revolute, "world", "crank")
    };
    let elbow = Joint {
        parent_at: [crank, 0.0].into(),
        damping: 0.02,
        ..Joint::new(PlaneJoint::Revolute, "crank", "rod")
    };
    let axis = [1.0, 0.0].into();
    let guide = Joint::new(PlaneJoint::Prismatic { axis }, "world", "slider");
    let pin = Joint {
        parent_at: [rod, 0.0].into(),
        ..Joint::new(PlaneJoint::Revolute, "rod", "slider")
    };
    builder.joint("O", turning).joint("A", elbow);
    builder.joint("guide", guide).joint("pin", pin);
    let normal = [-1.0, 0.0].into();
    let stop = Shape::new(Outline::HalfSpace { normal }).at([wall, 0.0]);
    builder.world_shape("stop", stop);
    let model = builder.build().unwrap();
    let features = model
        .features(("slider", "nose"), ("world", "stop"))
        .unwrap();
    Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![rule("hit", 0.5)],
        q: vec![-1.3, 0.7],
        v: vec![0.0, 0.0],
        options: Options {
            assemble: true,
            ..options(duration, 40)
        },
    }
}

#[test]
fn a_driven_slider_crank_moves_as_its_triangle_and_books_the_work_of_the_crank() {
    let mut setup = slider_crank(2.0, 3.0);
    let run = run(&mut setup).unwrap();
    for sample in &run.samples {
        let angle = 1.0 + 5.0 * sample.time;
        let (x, y): (f64, f64) = (0.2 * angle.cos(), 0.2 * angle.sin());
        let slider = x + (0.49 - y * y).sqrt();
        assert!(
            (sample.q[1] - slider).abs() < 1e-10,
            "{} {slider}",
            sample.q[1]
        );
    }
    let ledger = run.ledger.unwrap();
    assert!(
        ledger.motions.abs() > 1e-2 && ledger.damping < -1e-3,
        "{ledger:?}"
    );
    assert!(
        ledger.residual().abs() < 1e-10 * ledger.largest,
        "{ledger:?}"
    );
    assert!(openness(&mut setup, &run) < 1e-10);
}

#[test]
fn nothing_gives_way_where_a_driven_slider_crank_meets_a_stop() {
    let mut setup = slider_crank(0.95, 3.0);
    let run = run(&mut setup).unwrap();
    assert!(
        matches!(run.end, End::NoAnswer { .. } | End::Jammed { .. }),
        "{:?}",
        run.end
    );
}
