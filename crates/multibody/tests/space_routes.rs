//! The tree algorithms in space against routes that share nothing with them.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{Drive, Joint, Linear as _, Model, SpaceModelBuilder, Spring, Workspace};
use carom_numeric::Cholesky;
use common::maximal_space::{Maximal, V3, matrix, turn, v3};
use common::space::{Parts, Start, models, random_forces, random_kind};
use common::{count, derivative, spread};
use fastrand::Rng;

fn mass(model: &Model<Space>, start: &Start) -> Vec<f64> {
    let mut out = vec![f64::NAN; model.rates() * model.rates()];
    let mut work = model.workspace();
    model.place(&mut work, start.state()).mass(&mut out);
    out
}

/// Largest difference of two lists over the largest number in them, 1 at least.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().chain(b).all(|x| x.is_finite()), "{a:?} {b:?}");
    let scale = a.iter().chain(b).fold(1.0, |s: f64, x| s.max(x.abs()));
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, f64::max) / scale
}

#[test]
fn the_mass_matrix_has_the_columns_of_inverse_dynamics() {
    let mut rng = Rng::with_seed(111);
    for (_, model) in models(&mut rng, 1000) {
        let start = Start::random(&mut rng, &model);
        let (n, m) = (model.rates(), mass(&model, &start));
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut rest, mut column) = (vec![0.0; n], vec![0.0; n]);
        placed.balance(&vec![0.0; n], &[]).missing_force(&mut rest);
        let mut bias = vec![0.0; n];
        placed.bias(&mut bias);
        assert!(difference(&rest, &bias) < 1e-13);
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            placed
                .impulse_balance(&unit, &[])
                .missing_impulse(&mut column);
            assert!(difference(&m[k * n..(k + 1) * n], &column) < 1e-13);
        }
    }
}

#[test]
fn twists_are_the_rates_of_poses() {
    let mut rng = Rng::with_seed(112);
    for (_, model) in models(&mut rng, 500) {
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
                        let turned = turn(&later.rotation) * turn(&pose.rotation).inverse();
                        let moved = v3(later.origin);
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
fn lack(parts: &Parts, model: &Model<Space>, start: &Start, i: usize) -> (V3, V3) {
    let (mut work, still) = (model.workspace(), vec![0.0; model.rates()]);
    let [a, b, c, x, y, z] = std::array::from_fn(|k| {
        let at = |h: f64| velocity(model, &mut work, &start.after(model, h, &still), i)[k];
        derivative(at, 0.01)
    });
    let record = &model.bodies()[i];
    let placed = model.place(&mut work, start.state());
    let pose = placed.pose(record.id);
    let omega = v3(placed.twist(record.id).angular);
    let r = turn(&pose.rotation).to_rotation_matrix();
    let inertia = r.matrix() * matrix(record.body.inertia) * r.matrix().transpose();
    let mut moment = inertia * V3::new(a, b, c) + omega.cross(&(inertia * omega));
    let mut force = (V3::new(x, y, z) - v3(model.gravity())) * record.body.mass;
    let center = v3(placed.center(record.id));
    for (_, load) in parts.loads.iter().filter(|l| l.1.body == record.name) {
        let push = v3(load.force.at(start.t));
        force -= push;
        moment -= v3(load.torque.at(start.t)) + (v3(pose.point(load.at)) - center).cross(&push);
    }
    (moment, force)
}

/// Power of all forces and of inertia in the motion of each rate.
fn virtual_power(parts: &Parts, model: &Model<Space>, start: &Start) -> Vec<f64> {
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
    for (parts, model) in models(&mut rng, 300) {
        let start = Start::random(&mut rng, &model);
        let mut bias = vec![0.0; model.rates()];
        let mut work = model.workspace();
        model.place(&mut work, start.state()).bias(&mut bias);
        let other = virtual_power(&parts, &model, &start);
        assert!(difference(&bias, &other) < 1e-9);
    }
}

#[test]
fn accelerations_and_reactions_are_those_of_maximal_coordinates_with_multipliers() {
    let mut rng = Rng::with_seed(114);
    let (mut prescribed, mut most) = (0, 0);
    for (parts, model) in models(&mut rng, 500) {
        let start = Start::random(&mut rng, &model);
        let forces = random_forces(&mut rng, &model);
        let n = model.rates();
        most = most.max(n);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut acting, mut acceleration) = (vec![0.0; n], vec![0.0; n]);
        placed.add_generalised(&forces, &mut acting);
        placed.accelerations(&acting, &mut acceleration).unwrap();
        let mut other = Maximal::new(&placed, start.t);
        for (_, load) in &parts.loads {
            other.add_load(load);
        }
        other.add_forces(&forces);
        let other = other.solve();
        assert!(other.violation < 1e-12, "{}", other.violation);
        let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
        let balance = placed.balance(&acceleration, &forces);
        let found = model.bodies().iter().zip(centers).flat_map(|(record, at)| {
            let a = balance.acceleration(record.id, at);
            [a.angular.0, a.linear.0]
        });
        let found: Vec<[f64; 3]> = found.collect();
        let apart = difference(found.as_flattened(), other.accelerations.as_flattened());
        assert!(apart < 1e-9, "{apart:e}");
        let mut reactions = Vec::new();
        for (index, record) in model.joints().iter().enumerate() {
            let joint = model.joint(&record.name).unwrap();
            let reaction = balance.reaction(joint);
            reactions.extend([reaction.force.0, reaction.moment.0]);
            let forces = (balance.motion_force(joint), other.motion_forces[index]);
            if let (Some(a), Some(b)) = forces {
                prescribed += 1;
                assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()), "{a} {b}");
            } else {
                assert_eq!(forces, (None, None));
            }
        }
        let apart = difference(reactions.as_flattened(), other.reactions.as_flattened());
        assert!(apart < 1e-9, "{apart:e}");
        let mut missing = vec![f64::NAN; n];
        balance.missing_force(&mut missing);
        assert!(missing.iter().all(|x| x.abs() < 1e-8), "{missing:?}");
    }
    assert!(
        prescribed >= count(100) && most >= 15,
        "{prescribed} {most}"
    );
}

#[test]
fn every_body_alone_obeys_newton_and_euler() {
    let mut rng = Rng::with_seed(115);
    for (parts, model) in models(&mut rng, 500) {
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
                v3(placed.joint_frame(joint).origin)
            })
            .collect();
        let balance = placed.balance(&acceleration, &[]);
        for (record, (pose, center, twist)) in model.bodies().iter().zip(&places) {
            let (center_at, omega) = (v3(*center), v3(twist.angular));
            let a = balance.acceleration(record.id, *center);
            let r = turn(&pose.rotation).to_rotation_matrix();
            let inertia = r.matrix() * matrix(record.body.inertia) * r.matrix().transpose();
            let mut force = (v3(a.linear) - v3(model.gravity())) * record.body.mass;
            let mut moment = inertia * v3(a.angular) + omega.cross(&(inertia * omega));
            let mut size = 1.0 + force.norm();
            for (k, joint) in model.joints().iter().enumerate() {
                let reaction = balance.reaction(model.joint(&joint.name).unwrap());
                let sense = match (joint.child == record.id, joint.parent == record.id) {
                    (true, _) => 1.0,
                    (_, true) => -1.0,
                    _ => continue,
                };
                let push = v3(reaction.force) * sense;
                force -= push;
                moment -= v3(reaction.moment) * sense + (joints[k] - center_at).cross(&push);
                size += push.norm() + v3(reaction.moment).norm();
            }
            for (_, load) in parts.loads.iter().filter(|l| l.1.body == record.name) {
                let push = v3(load.force.at(start.t));
                force -= push;
                let arm = v3(pose.point(load.at)) - center_at;
                moment -= v3(load.torque.at(start.t)) + arm.cross(&push);
            }
            let left = force.norm() + moment.norm();
            assert!(left < 1e-12 * size, "{left:e} of {size}");
        }
    }
}

#[test]
fn accelerations_are_those_of_the_factored_mass_matrix() {
    let mut rng = Rng::with_seed(116);
    for (_, model) in models(&mut rng, 1000) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let m = mass(&model, &start);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let force: Vec<f64> = (0..n).map(|_| spread(&mut rng, 3.0)).collect();
        let (mut bias, mut found) = (vec![0.0; n], vec![0.0; n]);
        placed.bias(&mut bias);
        placed.accelerations(&force, &mut found).unwrap();
        let mut factor = Cholesky::new();
        factor.factor(&m, n).unwrap();
        let mut other: Vec<f64> = force.iter().zip(&bias).map(|(f, h)| f - h).collect();
        factor.solve_lower(&mut other);
        factor.solve_lower_transposed(&mut other);
        assert!(difference(&found, &other) < 1e-9);
    }
}

#[test]
fn the_energy_changes_by_the_powers() {
    let mut rng = Rng::with_seed(117);
    for (_, model) in models(&mut rng, 1000) {
        let start = Start::random(&mut rng, &model);
        let forces = random_forces(&mut rng, &model);
        let n = model.rates();
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut acting, mut acceleration) = (vec![0.0; n], vec![0.0; n]);
        placed.add_generalised(&forces, &mut acting);
        placed.accelerations(&acting, &mut acceleration).unwrap();
        let contact: f64 = forces
            .iter()
            .map(|f| placed.velocity(f.body, f.point).dot(f.force))
            .sum();
        let powers = placed.balance(&acceleration, &forces).powers();
        let rate = derivative(
            |h| {
                let later = start.after(&model, h, &acceleration);
                model.place(&mut work, later.state()).energy().total()
            },
            2e-3,
        );
        let expected = powers.total() + contact;
        let parts = [
            powers.damping,
            powers.drives,
            powers.loads,
            powers.motions,
            contact,
        ];
        let energy = model.place(&mut work, start.state()).energy();
        let scale = parts
            .iter()
            .fold(1.0 + energy.total().abs(), |s, x| s + x.abs());
        assert!((rate - expected).abs() < 1e-8 * scale, "{rate} {expected}");
    }
}

#[test]
fn an_impact_conserves_what_the_ledger_counts() {
    // ΔT = ½ (v⁺ + v⁻)·Jᵀp + work of the prescribed motions.
    let mut rng = Rng::with_seed(118);
    for (_, model) in models(&mut rng, 1000) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let impulses = random_forces(&mut rng, &model);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let mut jump = vec![0.0; n];
        placed.add_generalised(&impulses, &mut jump);
        let mut m = vec![0.0; n * n];
        placed.mass(&mut m);
        let mut factor = Cholesky::new();
        factor.factor(&m, n).unwrap();
        factor.solve_lower(&mut jump);
        factor.solve_lower_transposed(&mut jump);
        let balance = placed.impulse_balance(&jump, &impulses);
        let mut missing = vec![0.0; n];
        balance.missing_impulse(&mut missing);
        assert!(missing.iter().all(|x| x.abs() < 1e-10), "{missing:?}");
        let motions = balance.motion_work();
        let mut after = start.clone();
        after.v.iter_mut().zip(&jump).for_each(|(v, j)| *v += j);
        let mut speeds = |start: &Start| -> (f64, f64) {
            let placed = model.place(&mut work, start.state());
            let power = |f: &carom_multibody::PointForce<Space>| {
                placed.velocity(f.body, f.point).dot(f.force)
            };
            (placed.energy().kinetic, impulses.iter().map(power).sum())
        };
        let ((before, p_before), (after, p_after)) = (speeds(&start), speeds(&after));
        let gained = 0.5 * (p_before + p_after) + motions;
        assert!((after - before - gained).abs() < 1e-11 * (1.0 + after + before));
    }
}

#[test]
fn at_the_reference_every_child_frame_is_its_joint_frame() {
    let mut rng = Rng::with_seed(119);
    for _ in 0..200 {
        let kind = random_kind(&mut rng);
        let mut builder = SpaceModelBuilder::new();
        builder.body("b", carom_multibody::Body::new(1.0, [1.0; 3].into()));
        let joint = Joint {
            parent_at: [0.1, 0.2, 0.3].into(),
            parent_rotation: common::space::rotation(&mut rng),
            ..Joint::new(kind, "world", "b")
        };
        let turned = joint.parent_rotation;
        builder.joint("j", joint);
        let model = builder.build().unwrap();
        let (q, v) = (model.reference(), vec![0.0; model.rates()]);
        let mut work = model.workspace();
        let state = carom_multibody::State {
            t: 0.0,
            q: &q,
            v: &v,
        };
        let pose = model.place(&mut work, state).pose(model.body("b").unwrap());
        let apart = difference(&pose.rotation.quaternion(), &turned.quaternion());
        assert!(apart < 1e-15, "{kind:?}");
        assert_eq!(pose.origin.0, [0.1, 0.2, 0.3]);
        if matches!(kind, SpaceJoint::Spherical | SpaceJoint::Free) {
            assert_eq!(model.positions(), model.rates() + 1);
        }
    }
}
