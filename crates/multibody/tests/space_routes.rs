//! The tree algorithms of space against differentiated poses and velocities, and Newton and Euler.
#![allow(clippy::unwrap_used)]

use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{Body, Drive, Joint, Model, SpaceModelBuilder, Spring, State, Workspace};
use carom_support::multibody::{Drawn, Parts, Start, V3, models};
use carom_support::near::{derivative, difference};
use fastrand::Rng;
use nalgebra::Matrix3;

/// Inertia about the mass centre, in world axes.
fn inertia(body: &Body<Space>, rotation: carom_multibody::space::Rotation) -> Matrix3<f64> {
    let r = Space::lifted_rotation(rotation).to_rotation_matrix();
    r.matrix() * Space::lifted_inertia(body.inertia) * r.matrix().transpose()
}

#[test]
fn twists_are_the_rates_of_poses() {
    let mut rng = Rng::with_seed(112);
    for (_, model) in models::<Space>(&mut rng, 500) {
        let start = Start::random(&mut rng, &model);
        let still = vec![0.0; model.rates()];
        let mut work = model.workspace();
        for record in model.bodies() {
            let now = model.place(&mut work, start.state());
            let (pose, twist) = (now.pose(record.id), now.twist(record.id));
            let mut rate = |part: usize| {
                derivative(
                    |h| {
                        let later = start.after(&model, h, &still);
                        let later = model.place(&mut work, later.state()).pose(record.id);
                        // The turn since now, as a rotation vector.
                        let turned = Space::lifted_rotation(later.rotation)
                            * Space::lifted_rotation(pose.rotation).inverse();
                        let moved = Space::lifted(later.origin);
                        let way = turned.scaled_axis();
                        [way.x, way.y, way.z, moved.x, moved.y, moved.z][part]
                    },
                    0.01,
                )
            };
            let rates: Vec<f64> = (0..6).map(&mut rate).collect();
            let found = [twist.angular.0, twist.linear.0];
            assert!(difference(found.as_flattened(), &rates) < 1e-9);
        }
    }
}

/// Angular velocity, and velocity of the mass centre, of one body.
fn velocity(
    model: &Model<Space>,
    work: &mut Workspace<Space>,
    start: &Start,
    i: usize,
) -> [f64; 6] {
    let record = &model.bodies()[i];
    let placed = model.place(work, start.state());
    let center = placed.velocity(record.id, placed.center(record.id));
    let both = [placed.twist(record.id).angular.0, center.0];
    both.as_flattened().try_into().unwrap()
}

/// Moment about the mass centre and force that a body lacks, by differentiated velocities.
fn lack(parts: &Parts<Space>, model: &Model<Space>, start: &Start, i: usize) -> (V3, V3) {
    let (mut work, still) = (model.workspace(), vec![0.0; model.rates()]);
    let [a, b, c, x, y, z] = std::array::from_fn(|k| {
        let at = |h: f64| velocity(model, &mut work, &start.after(model, h, &still), i)[k];
        derivative(at, 0.01)
    });
    let record = &model.bodies()[i];
    let placed = model.place(&mut work, start.state());
    let pose = placed.pose(record.id);
    let omega = Space::lifted(placed.twist(record.id).angular);
    let inertia = inertia(&record.body, pose.rotation);
    let mut moment = inertia * V3::new(a, b, c) + omega.cross(&(inertia * omega));
    let mut force = (V3::new(x, y, z) - Space::lifted(model.gravity())) * record.body.mass;
    let center = Space::lifted(placed.center(record.id));
    for (_, load) in parts.loads.iter().filter(|l| l.1.body == record.name) {
        let push = Space::lifted(load.force.at(start.t));
        force -= push;
        moment -= Space::lifted(load.torque.at(start.t))
            + (Space::lifted(pose.point(load.at)) - center).cross(&push);
    }
    (moment, force)
}

/// Power of all forces and of inertia in the motion of each rate.
fn virtual_power(parts: &Parts<Space>, model: &Model<Space>, start: &Start) -> Vec<f64> {
    let (mut work, mut out) = (model.workspace(), vec![0.0; model.rates()]);
    for i in 0..model.bodies().len() {
        let (moment, force) = lack(parts, model, start, i);
        let base = velocity(model, &mut work, start, i);
        for (k, out) in out.iter_mut().enumerate() {
            let mut more = start.clone();
            more.v[k] += 1.0;
            let moved = velocity(model, &mut work, &more, i);
            let column: [f64; 6] = std::array::from_fn(|k| moved[k] - base[k]);
            *out += moment.dot(&V3::from_column_slice(&column[..3]))
                + force.dot(&V3::from_column_slice(&column[3..]));
        }
    }
    for record in model.joints() {
        let joint = &record.joint;
        let places = (record.rates.clone().next(), record.positions.clone().next());
        if let (Some(v_at), Some(q_at)) = places {
            let stretch = |s: Spring| s.stiffness * (start.q[q_at] - s.rest);
            let push = |d: Drive| d.amplitude * (d.frequency * start.t + d.phase).cos();
            out[v_at] += joint.spring.map_or(0.0, stretch) + joint.damping * start.v[v_at]
                - joint.drive.map_or(0.0, push);
        }
    }
    out
}

#[test]
fn the_bias_is_the_virtual_power_of_differentiated_velocities() {
    let mut rng = Rng::with_seed(113);
    for (parts, model) in models::<Space>(&mut rng, 300) {
        let start = Start::random(&mut rng, &model);
        let mut bias = vec![0.0; model.rates()];
        let mut work = model.workspace();
        model.place(&mut work, start.state()).bias(&mut bias);
        let other = virtual_power(&parts, &model, &start);
        assert!(difference(&bias, &other) < 1e-9);
    }
}

#[test]
fn every_body_alone_obeys_newton_and_euler() {
    let mut rng = Rng::with_seed(115);
    for (parts, model) in models::<Space>(&mut rng, 500) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let mut acceleration = vec![0.0; n];
        placed
            .accelerations(&vec![0.0; n], &mut acceleration)
            .unwrap();
        let places: Vec<_> = model
            .bodies()
            .iter()
            .map(|r| (placed.pose(r.id), placed.center(r.id), placed.twist(r.id)))
            .collect();
        let joints: Vec<V3> = (0..model.joints().len())
            .map(|k| {
                let joint = model.joint(&model.joints()[k].name).unwrap();
                Space::lifted(placed.joint_frame(joint).origin)
            })
            .collect();
        let balance = placed.balance(&acceleration, &[]);
        for (record, (pose, center, twist)) in model.bodies().iter().zip(&places) {
            let (center_at, omega) = (Space::lifted(*center), Space::lifted(twist.angular));
            let a = balance.acceleration(record.id, *center);
            let inertia = inertia(&record.body, pose.rotation);
            let mut force =
                (Space::lifted(a.linear) - Space::lifted(model.gravity())) * record.body.mass;
            let mut moment = inertia * Space::lifted(a.angular) + omega.cross(&(inertia * omega));
            let mut size = 1.0 + force.norm();
            for (k, joint) in model.joints().iter().enumerate() {
                let reaction = balance.reaction(model.joint(&joint.name).unwrap());
                let sense = match (joint.child == record.id, joint.parent == record.id) {
                    (true, _) => 1.0,
                    (_, true) => -1.0,
                    _ => continue,
                };
                let push = Space::lifted(reaction.force) * sense;
                force -= push;
                moment -=
                    Space::lifted(reaction.moment) * sense + (joints[k] - center_at).cross(&push);
                size += push.norm() + Space::lifted(reaction.moment).norm();
            }
            for (_, load) in parts.loads.iter().filter(|l| l.1.body == record.name) {
                let push = Space::lifted(load.force.at(start.t));
                force -= push;
                let arm = Space::lifted(pose.point(load.at)) - center_at;
                moment -= Space::lifted(load.torque.at(start.t)) + arm.cross(&push);
            }
            let left = force.norm() + moment.norm();
            assert!(left < 1e-12 * size, "{left:e} of {size}");
        }
    }
}

#[test]
fn at_the_reference_every_child_frame_is_its_joint_frame() {
    let mut rng = Rng::with_seed(119);
    for _ in 0..200 {
        let kind = Space::kind(&mut rng);
        let mut builder = SpaceModelBuilder::new();
        builder.body("b", Body::new(1.0, [1.0; 3].into()));
        let joint = Joint {
            parent_at: [0.1, 0.2, 0.3].into(),
            parent_rotation: Space::rotation(&mut rng),
            ..Joint::new(kind, "world", "b")
        };
        let turned = joint.parent_rotation;
        builder.joint("j", joint);
        let model = builder.build().unwrap();
        let (q, v) = (model.reference(), vec![0.0; model.rates()]);
        let mut work = model.workspace();
        let state = State::new(0.0, &q, &v);
        let pose = model.place(&mut work, state).pose(model.body("b").unwrap());
        let apart = difference(&pose.rotation.quaternion(), &turned.quaternion());
        assert!(apart < 1e-15, "{kind:?}");
        assert_eq!(pose.origin.0, [0.1, 0.2, 0.3]);
        if matches!(kind, SpaceJoint::Spherical | SpaceJoint::Free) {
            assert_eq!(model.positions(), model.rates() + 1);
        }
    }
}
