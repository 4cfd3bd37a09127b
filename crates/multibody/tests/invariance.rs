//! What must not change: frames, names, the order of the input; and what size must not break.
#![allow(clippy::unwrap_used)]

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{Body, Joint, Model, ModelBuilder, Motion, State};
use carom_support::in_plane_and_space;
use carom_support::multibody::{Drawn, Start, models};
use fastrand::Rng;

in_plane_and_space!(
    the_order_of_the_input_changes_no_digit,
    other_body_frames_give_the_same_motion_and_reactions,
    a_mechanism_far_from_the_origin_moves_as_one_near_it,
);

/// Accelerations by joint name and reactions by joint name.
type Answer = Vec<(String, Vec<f64>)>;

/// Answers of a model in the state given by joint, sorted by joint.
fn answer<A: Drawn>(model: &Model<A>, given: &Model<A>, start: &Start) -> Answer {
    let n = model.rates();
    let mut own = start.clone();
    for record in given.joints() {
        let there = &model.joints()[model.joint(&record.name).unwrap().index()];
        let (q, v) = (
            &start.q[record.positions.clone()],
            &start.v[record.rates.clone()],
        );
        own.q[there.positions.clone()].copy_from_slice(q);
        own.v[there.rates.clone()].copy_from_slice(v);
    }
    let mut work = model.workspace();
    let mut placed = model.place(&mut work, own.state());
    let mut acceleration = vec![0.0; n];
    placed
        .accelerations(&vec![0.0; n], &mut acceleration)
        .unwrap();
    let balance = placed.balance(&acceleration, &[]);
    let mut answer: Answer = Vec::new();
    for record in model.joints() {
        let reaction = balance.reaction(model.joint(&record.name).unwrap());
        let mut numbers = acceleration[record.rates.clone()].to_vec();
        numbers.extend(A::numbers(reaction.moment, reaction.force));
        answer.push((record.name.clone(), numbers));
    }
    answer.sort_by(|a, b| a.0.cmp(&b.0));
    answer
}

fn the_order_of_the_input_changes_no_digit<A: Drawn>() {
    let mut rng = Rng::with_seed(31);
    for (mut parts, model) in models::<A>(&mut rng, A::MODELS / 2) {
        let start = Start::random(&mut rng, &model);
        rng.shuffle(&mut parts.bodies);
        rng.shuffle(&mut parts.joints);
        rng.shuffle(&mut parts.loads);
        let other = parts.build();
        assert_eq!(
            answer(&model, &model, &start),
            answer(&other, &model, &start)
        );
    }
}

fn other_body_frames_give_the_same_motion_and_reactions<A: Drawn>() {
    let mut rng = Rng::with_seed(32);
    for (mut parts, model) in models::<A>(&mut rng, A::MODELS / 2) {
        let start = Start::random(&mut rng, &model);
        for (name, body) in &mut parts.bodies {
            // Origin moved by −d: everything in the frame is at d more. A body left free has its
            // origin as coordinates, and keeps it.
            if !parts.joints.iter().any(|(_, joint)| joint.child == *name) {
                continue;
            }
            let d = A::vector(&mut rng, 2.0);
            body.center = body.center + d;
            for (_, joint) in &mut parts.joints {
                if joint.parent == *name {
                    joint.parent_at = joint.parent_at + d;
                }
                if joint.child == *name {
                    joint.child_at = joint.child_at + d;
                }
            }
            for (_, load) in parts
                .loads
                .iter_mut()
                .filter(|(_, load)| load.body == *name)
            {
                load.at = load.at + d;
            }
        }
        let other = parts.build();
        let (a, b) = (
            answer(&model, &model, &start),
            answer(&other, &model, &start),
        );
        for ((name, a), (_, b)) in a.iter().zip(&b) {
            let scale = a.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            for (x, y) in a.iter().zip(b) {
                assert!((x - y).abs() < 1e-9 * scale, "{name}: {a:?} {b:?}");
            }
        }
    }
}

fn a_mechanism_far_from_the_origin_moves_as_one_near_it<A: Drawn>() {
    let mut rng = Rng::with_seed(33);
    for (mut parts, _) in models::<A>(&mut rng, 200) {
        let roots: Vec<String> = parts.bodies.iter().map(|(name, _)| name.clone()).collect();
        parts
            .joints
            .retain(|(_, joint)| roots.contains(&joint.child));
        let near = parts.build();
        let start = Start::random(&mut rng, &near);
        for (_, joint) in parts.joints.iter_mut().filter(|(_, j)| j.parent == "world") {
            joint.parent_at = joint.parent_at + A::lowered([1e6, -1e6, 1e6]);
        }
        let far = parts.build();
        // Only relative positions enter: the same bytes.
        assert_eq!(answer(&near, &near, &start), answer(&far, &near, &start));
    }
}

#[test]
fn a_table_that_is_moved_does_the_work_its_load_takes_up() {
    let mut builder = ModelBuilder::<Plane>::new();
    builder
        .gravity([0.0, -9.81])
        .body("table", Body::new(3.0, 0.1));
    let axis = [0.0, 1.0].into();
    let motion = Motion {
        offset: 0.2,
        rate: 0.3,
        amplitude: 0.4,
        frequency: 5.0,
        phase: 0.7,
    };
    let lift = Joint {
        motion: Some(motion),
        ..Joint::new(PlaneJoint::Prismatic { axis }, "world", "table")
    };
    builder.joint("lift", lift);
    let model = builder.build().unwrap();
    assert_eq!((model.positions(), model.rates()), (0, 0));
    let mut work = model.workspace();
    let mut at = |t: f64| {
        let (q, v) = (&[][..], &[][..]);
        let mut placed = model.place(&mut work, State::new(t, q, v));
        let energy = placed.energy().total();
        let balance = placed.balance(&[], &[]);
        let force = balance.motion_force(model.joint("lift").unwrap()).unwrap();
        let [_, rate, a] = motion.at(t);
        assert!((force - 3.0 * (9.81 + a)).abs() < 1e-13);
        assert!((balance.powers().motions - force * rate).abs() < 1e-13);
        (energy, balance.powers().motions)
    };
    let (steps, end) = (2000, 1.3);
    let h = end / f64::from(steps);
    let work_done: f64 = (0..steps)
        .map(|i| {
            let t = h * f64::from(i);
            h / 6.0 * (at(t).1 + 4.0 * at(t + 0.5 * h).1 + at(t + h).1)
        })
        .sum();
    let gained = at(end).0 - at(0.0).0;
    assert!((work_done - gained).abs() < 1e-10, "{work_done} {gained}");
}

#[test]
fn ten_thousand_bodies_in_a_chain_or_apart_are_built_and_answered() {
    const N: usize = 10_000;
    for is_chain in [true, false] {
        let mut builder = ModelBuilder::<Plane>::new();
        builder.gravity([0.0, -9.81]);
        for i in (0..N).rev() {
            let center = [0.0, -0.05].into();
            builder.body(
                &format!("b{i}"),
                Body {
                    center,
                    ..Body::new(0.1, 1e-4)
                },
            );
        }
        for i in (0..N).rev().filter(|_| is_chain) {
            let parent = match i {
                0 => "world".to_owned(),
                _ => format!("b{}", i - 1),
            };
            let hinge = Joint {
                parent_at: [0.0, if i == 0 { 0.0 } else { -0.1 }].into(),
                ..Joint::new(PlaneJoint::Revolute, &parent, &format!("b{i}"))
            };
            builder.joint(&format!("j{i}"), hinge);
        }
        let model = builder.build().unwrap();
        let n = model.rates();
        assert_eq!(n, if is_chain { N } else { 3 * N });
        let (q, v) = (vec![1e-4; n], vec![0.0; n]);
        let state = State::new(0.0, &q, &v);
        let (mut work, mut out) = (model.workspace(), vec![0.0; n]);
        let mut placed = model.place(&mut work, state);
        placed.accelerations(&vec![0.0; n], &mut out).unwrap();
        let balance = placed.balance(&out, &[]);
        let mut missing = vec![f64::NAN; n];
        balance.missing_force(&mut missing);
        let weight = 0.1 * 9.81 * N as f64;
        let worst = missing.iter().fold(0.0, |w: f64, x| w.max(x.abs()));
        assert!(worst < 1e-9 * weight, "{worst}");
    }
}
