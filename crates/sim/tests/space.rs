//! Plane mechanisms rebuilt in space do what they do in the plane, whichever way they are turned.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::{Law, Outcome};
use carom_multibody::Vector;
use carom_multibody::contact::Outline;
use carom_multibody::space::Rotation;
use carom_sim::record::EventRecord;
use carom_sim::{End, run};
use carom_support::near::assert_close;
use carom_support::random::{count, full_or, seeds};
use carom_support::sim::recorded;
use common::cases;
use common::lift::{lift, rates, up};
use common::spec::{Draw, Spec};

/// The impulses of an event in world axes, contact by contact; none at the stops of joints.
fn impulses(event: &EventRecord) -> Vec<Vector<3>> {
    let mut found = Vec::new();
    for contact in &event.contacts {
        let Some(place) = event.places.get(&contact.name) else {
            continue;
        };
        let world = |r: &[f64]| match r {
            [x, y] => up([*x, *y]),
            _ => Vector([r[0], r[1], r[2]]),
        };
        let mut sum = world(&place.normal) * contact.impulse.normal.unwrap();
        let tangent = contact.impulse.tangent.unwrap();
        for (t, p) in place.tangents.iter().zip(tangent.numbers()) {
            sum = sum + world(t) * *p;
        }
        found.push(sum);
    }
    found
}

/// Largest number of a list, at least one.
fn size(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(1.0, |a: f64, b| a.max(b.abs()))
}

/// The same run in the plane and in space, turned by `outer`.
#[track_caller]
fn assert_same(name: &str, spec: &Spec, outer: &Rotation, time: f64) -> usize {
    let (flat, flat_record) = recorded(&mut spec.setup().unwrap());
    let mut lifted = lift(spec, outer).unwrap();
    let (solid, solid_record) = recorded(&mut lifted);
    assert_eq!(
        std::mem::discriminant(&flat.end),
        std::mem::discriminant(&solid.end),
        "{name}: {:?} {:?}",
        flat.end,
        solid.end
    );
    assert_eq!(flat.events.len(), solid.events.len(), "{name}");
    // Errors grow with every impact.
    let mut loose = time;
    let events = flat.events.iter().zip(&solid.events);
    for (k, (a, b)) in events.enumerate() {
        let at = format!("{name}, event {k}");
        assert_close(&at, a.time, b.time, loose);
        assert_eq!(a.contacts(), b.contacts(), "{at}");
        let scale = size(a.v_post.iter().copied());
        let v: Vec<f64> = lifted_rates(spec, &a.v_post);
        for (x, y) in v.iter().zip(&b.v_post) {
            assert_close(&at, *x, *y, 100.0 * loose * scale);
        }
        let (change, other) = (a.energy_change.unwrap(), b.energy_change.unwrap());
        assert_close(&at, change, other, 100.0 * loose * size([change]));
        for (one, other) in a.joint_impulses.iter().zip(&b.joint_impulses) {
            let scale = 100.0 * loose * size(one.force.into_iter().chain(one.moment));
            let force = outer.apply(up([one.force[0], one.force[1]]));
            let moment = outer.apply(Vector([0.0, -one.moment[2], 0.0]));
            assert!((force - Vector(other.force)).norm() < scale, "{at}");
            assert!((moment - Vector(other.moment)).norm() < scale, "{at}");
        }
        let (one, other) = (&flat_record.events[k], &solid_record.events[k]);
        let pushes = impulses(one);
        assert_eq!(pushes.len(), one.places.len());
        for (p, other) in pushes.iter().zip(impulses(other)) {
            let miss = (outer.apply(*p) - other).norm();
            assert!(miss < 100.0 * loose * size(p.0), "{at}: {miss:e}");
        }
        loose *= 1.3;
    }
    let (one, other) = (flat.ledger.unwrap(), solid.ledger.unwrap());
    assert_close(name, one.end, other.end, 1e-8 * one.largest);
    let closes = other.residual().abs();
    assert!(closes < 1e-10 * other.largest, "{name}: {closes:e}");
    flat.events.len()
}

/// Rates of the plane, joint by joint, as those of space.
fn lifted_rates(spec: &Spec, v: &[f64]) -> Vec<f64> {
    let model = spec.setup().unwrap();
    let mut all = Vec::new();
    for record in model.mechanism.model().joints() {
        all.extend(rates(&v[record.rates.clone()]));
    }
    all
}

#[test]
fn plane_mechanisms_do_in_space_what_they_do_in_the_plane() {
    for (name, spec) in cases::all() {
        let events = assert_same(name, &spec, &Rotation::default(), 1e-11);
        assert!(events >= 3, "{name}: {events} events");
    }
}

/// Random trees with springs, dampers, drives, prescribed motions and stops, all of them round.
#[test]
fn random_plane_mechanisms_do_in_space_what_they_do_in_the_plane() {
    let draw = Draw {
        laws: &[Law::Newton, Law::Poisson, Law::Energetic],
        max_friction: 0.6,
        max_frequency: 10.0,
        max_stiffness: 200.0,
        duration: 0.6,
    };
    let (mut compared, mut rough) = (0, 0);
    for seed in seeds(2000) {
        let mut spec = Spec::random(seed, &draw);
        for (_, body) in &mut spec.bodies {
            body.shapes[0].1.outline = Outline::Disk { radius: 0.1 };
        }
        let (Some(mut flat), Some(mut solid)) = (spec.setup(), lift(&spec, &Rotation::default()))
        else {
            continue;
        };
        let (Ok(flat), Ok(solid)) = (run(&mut flat), run(&mut solid)) else {
            continue;
        };
        let pairs = flat.events.iter().zip(&solid.events).take(3);
        for (a, b) in pairs {
            assert_close(&format!("seed {seed}"), a.time, b.time, 1e-9);
            // A halt that arrests the mechanism leaves restitution nothing to act on: a jam by the law of the
            // plane, told as an arrest in space.
            if a.impact()
                .is_some_and(|impact| impact.solution.outcome == Outcome::Jammed)
            {
                break;
            }
            assert_eq!(a.contacts(), b.contacts(), "seed {seed}");
            let scale = size(a.v_post.iter().copied());
            for (x, y) in lifted_rates(&spec, &a.v_post).iter().zip(&b.v_post) {
                assert_close(&format!("seed {seed}"), *x, *y, 1e-7 * scale);
            }
            rough += usize::from(a.works()[1] != 0.0);
            compared += 1;
        }
        let least = flat.events.len().min(3);
        assert!(solid.events.len() >= least, "seed {seed}: {:?}", solid.end);
    }
    let expected = count(2000);
    assert!(
        compared > expected && rough > expected / 4,
        "{compared} {rough}"
    );
}

#[test]
fn turning_a_whole_scene_changes_no_impact() {
    let mut rng = fastrand::Rng::with_seed(11);
    let turns = full_or(12, 1);
    for _ in 0..turns {
        let outer = Rotation::new([0; 4].map(|_| 2.0 * rng.f64() - 1.0));
        for (name, spec) in cases::all() {
            assert_same(name, &spec, &outer, 1e-10);
        }
    }
}

#[test]
fn relabelled_contacts_change_nothing_in_space() {
    for (name, spec) in cases::all() {
        let mut other = spec.clone();
        other.pairs.reverse();
        for pair in &mut other.pairs {
            pair.rule.name = format!("x{}", pair.rule.name);
        }
        let one = run(&mut lift(&spec, &Rotation::default()).unwrap()).unwrap();
        let other = run(&mut lift(&other, &Rotation::default()).unwrap()).unwrap();
        assert_eq!(one.events.len(), other.events.len(), "{name}");
        for (a, b) in one.events.iter().zip(&other.events) {
            assert_eq!((a.time, &a.v_post), (b.time, &b.v_post), "{name}");
        }
        assert_eq!(one.ledger, other.ledger);
    }
}

#[test]
fn a_smooth_ball_that_bounces_in_space_piles_up_as_in_the_plane() {
    let mut spec = cases::ball(0.0);
    spec.pairs.truncate(1);
    spec.options.duration = 20.0;
    let flat = run(&mut spec.setup().unwrap()).unwrap();
    let solid = run(&mut lift(&spec, &Rotation::default()).unwrap()).unwrap();
    let limit = |end: &End| match end {
        End::Accumulates { limit, .. } => *limit,
        other => panic!("{other:?}"),
    };
    assert_close("limit", limit(&flat.end), limit(&solid.end), 1e-9);
}
