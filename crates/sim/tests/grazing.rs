//! No contact is missed, however shallow and brief, and none is invented.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{Prismatic, Revolute};
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder};
use carom_sim::{Options, Rule, Run, Setup, run};
use carom_support::random::count;

fn rule() -> Vec<Rule> {
    vec![Rule {
        name: "graze".to_owned(),
        law: Law::Poisson,
        friction: Friction::NONE,
        restitution: 0.9,
        spin_radius: 0.0,
        tangential_restitution: None,
    }]
}

fn simulate(mechanism: PlaneMechanism, q: Vec<f64>, v: Vec<f64>, duration: f64) -> Run {
    let options = Options {
        duration,
        ..Options::default()
    };
    run(&mut Setup {
        mechanism,
        rules: rule(),
        q,
        v,
        options,
    })
    .unwrap()
}

/// Depths from 1e-2 to 1e-8 m, and as many near misses.
fn depth(rng: &mut fastrand::Rng) -> f64 {
    let size = 10f64.powf(-2.0 - 6.0 * rng.f64());
    if rng.bool() { size } else { -size }
}

/// A spinning disk thrown under a ceiling, which its highest point would pass by the depth.
#[test]
fn a_thrown_disk_meets_the_ceiling_exactly_when_its_parabola_does() {
    let rng = &mut fastrand::Rng::with_seed(7);
    let (mut dips, mut misses) = (0, 0);
    for k in 0..count(5000) {
        let (radius, up) = (0.01 + rng.f64(), 0.5 + 10.0 * rng.f64());
        let (across, spin) = (20.0 * rng.f64() - 10.0, 100.0 * rng.f64());
        let depth = depth(rng);
        let ceiling = up * up / (2.0 * 9.81) + radius - depth;
        if ceiling <= radius + 1e-3 {
            continue;
        }
        let mut builder = PlaneModelBuilder::new();
        let disk = Body {
            center: [0.3 * radius, 0.0].into(),
            shapes: vec![(
                "skin".to_owned(),
                Shape::new(Outline::Disk { radius }).at([0.3 * radius, 0.0]),
            )],
            ..Body::new(1.0, 0.1)
        };
        let normal = [0.0, -1.0].into();
        let shape = Shape::new(Outline::HalfSpace { normal }).at([0.0, ceiling]);
        builder.gravity([0.0, -9.81]).body("disk", disk);
        builder.world_shape("ceiling", shape);
        let model = builder.build().unwrap();
        let features = model
            .features(("disk", "skin"), ("world", "ceiling"))
            .unwrap();
        // The frame's origin circles about the mass centre, which flies the parabola from 0.
        let q = vec![-0.3 * radius, 0.0, 0.0];
        let v = vec![across, up - spin * 0.3 * radius, spin];
        let run = simulate(PlaneMechanism::new(model, features), q, v, 2.0 * up / 9.81);
        let rise = (2.0 * depth.max(0.0) / 9.81).sqrt();
        let wanted = up / 9.81 - rise;
        match run.events.first() {
            Some(event) => {
                // Near the top a height of 1e-11 m, which the steps may be off by, is a time of
                // 1e-11/(g·rise).
                let allowed = 1e-11 + 1e-12 * (1.0 + ceiling) / rise;
                let miss = (event.time - wanted).abs();
                assert!(
                    depth > 0.0 && miss < allowed,
                    "{k}: {depth:e}, off by {miss:e}"
                );
                dips += 1;
            }
            None => {
                assert!(depth < 0.0, "{k}: {depth:e} m deep and missed");
                misses += 1;
            }
        }
    }
    assert!(dips > count(5000) / 4 && misses > count(5000) / 4);
}

/// The tip of a rod that spins fast passes a floor set from its lowest point: milliseconds at most.
#[test]
fn the_far_tip_of_a_spinning_rod_meets_the_floor_exactly_when_it_dips() {
    let rng = &mut fastrand::Rng::with_seed(8);
    let (mut dips, mut misses) = (0, 0);
    for k in 0..count(4000) {
        let (length, radius) = (0.2 + 3.0 * rng.f64(), 0.2 * rng.f64() + 1e-3);
        let (omega, depth) = (5.0 + 295.0 * rng.f64(), depth(rng));
        let is_driven = rng.bool();
        let mut builder = PlaneModelBuilder::new();
        let tip = Shape::new(Outline::Disk { radius }).at([length, 0.0]);
        let rod = Body {
            shapes: vec![("tip".to_owned(), tip)],
            ..Body::new(1.0, 1.0)
        };
        let normal = [0.0, 1.0].into();
        let floor = Shape::new(Outline::HalfSpace { normal }).at([0.0, -length - radius + depth]);
        let hub = Joint {
            motion: is_driven.then_some(Motion {
                rate: omega,
                ..Motion::default()
            }),
            ..Joint::new(Revolute, "world", "rod")
        };
        // Without gravity and about its mass centre the rod turns evenly, driven or not.
        builder.body("rod", rod).joint("hub", hub);
        let bystander = Joint::new(Prismatic { axis: normal }, "world", "bystander");
        builder
            .body("bystander", Body::new(1.0, 1.0))
            .joint("line", bystander);
        builder.world_shape("floor", floor);
        let model = builder.build().unwrap();
        let features = model.features(("rod", "tip"), ("world", "floor")).unwrap();
        let (q, v) = match is_driven {
            true => (vec![0.0], vec![0.3]),
            false => (vec![0.0, 0.0], vec![omega, 0.3]),
        };
        let order = model.joints().iter().position(|j| j.name == "hub").unwrap();
        let v = if !is_driven && order == 1 {
            vec![0.3, omega]
        } else {
            v
        };
        let mechanism = PlaneMechanism::new(model, features);
        let run = simulate(mechanism, q, v, 6.0 / omega);
        let is_hit = !run.events.is_empty();
        assert_eq!(
            is_hit,
            depth > 0.0,
            "{k}: {depth:e} m, driven {is_driven}, {omega} rad/s"
        );
        if is_hit {
            let turned = 1.5 * std::f64::consts::PI - (1.0 - depth / length).acos();
            let slope = omega * (2.0 * depth * length).sqrt();
            let miss = (run.events[0].time - turned / omega).abs();
            assert!(
                miss < 1e-12 + 3e-14 * (1.0 + length) / slope,
                "{k}: {miss:e}"
            );
            dips += 1;
        } else {
            misses += 1;
        }
    }
    assert!(dips > count(4000) / 4 && misses > count(4000) / 4);
}

/// Free motion of a double pendulum; the floor is set from the lowest point its tip reaches.
#[test]
fn the_tip_of_a_double_pendulum_meets_a_floor_that_its_free_motion_would_cross() {
    let rng = &mut fastrand::Rng::with_seed(9);
    let build = |floor: f64| {
        let mut builder = PlaneModelBuilder::new();
        builder.gravity([0.0, -9.81]);
        let rod = || Body {
            center: [0.0, -0.4].into(),
            shapes: vec![("tip".to_owned(), Shape::new(Outline::Point).at([0.0, -1.0]))],
            ..Body::new(1.0, 0.1)
        };
        let elbow = Joint {
            parent_at: [0.0, -1.0].into(),
            ..Joint::new(Revolute, "one", "two")
        };
        builder.body("one", rod()).body("two", rod());
        builder
            .joint("hub", Joint::new(Revolute, "world", "one"))
            .joint("elbow", elbow);
        let normal = [0.0, 1.0].into();
        let floor = Shape::new(Outline::HalfSpace { normal }).at([0.0, floor]);
        builder.world_shape("floor", floor);
        let model = builder.build().unwrap();
        let features = model.features(("two", "tip"), ("world", "floor")).unwrap();
        PlaneMechanism::new(model, features)
    };
    let height = |q: &[f64]| -q[0].cos() - (q[0] + q[1]).cos();
    let (mut dips, mut misses) = (0, 0);
    for k in 0..count(1000) {
        let q = vec![6.0 * rng.f64() - 3.0, 6.0 * rng.f64() - 3.0];
        let v = vec![6.0 * rng.f64() - 3.0, 6.0 * rng.f64() - 3.0];
        let depth = depth(rng);
        // The free motion, sampled so finely that a parabola through three samples is exact.
        let samples = 40_001;
        let free = run(&mut Setup {
            mechanism: build(-10.0),
            rules: rule(),
            q: q.clone(),
            v: v.clone(),
            options: Options {
                duration: 1.0,
                samples,
                ..Options::default()
            },
        })
        .unwrap();
        let heights: Vec<f64> = free.samples.iter().map(|s| height(&s.q)).collect();
        let lowest = (1..samples - 1)
            .min_by(|a, b| heights[*a].total_cmp(&heights[*b]))
            .unwrap();
        let [a, b, c] = [heights[lowest - 1], heights[lowest], heights[lowest + 1]];
        if !(a > b && c > b) {
            continue; // the lowest point is an end
        }
        let bottom = b - (c - a) * (c - a) / (8.0 * (a - 2.0 * b + c));
        if heights[0] < bottom + depth + 1e-3 {
            continue;
        }
        let run = simulate(
            build(bottom + depth),
            q,
            v,
            free.samples[lowest + 1].time + 0.02,
        );
        // The parabola is good to some 1e-12 m.
        assert_eq!(!run.events.is_empty(), depth > 0.0, "{k}: {depth:e} m");
        if depth > 0.0 {
            dips += 1;
        } else {
            misses += 1;
        }
    }
    assert!(
        dips > count(1000) / 8 && misses > count(1000) / 8,
        "{dips} {misses}"
    );
}
