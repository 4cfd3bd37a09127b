//! The tree algorithms against routes that share nothing with them.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::plane::Plane;
use carom_multibody::{Linear as _, Model, Vector, Workspace};
use carom_numeric::Cholesky;
use common::maximal::Maximal;
use common::{Start, count, derivative, models, random_forces, spread};
use fastrand::Rng;
use nalgebra::DMatrix;

fn mass(model: &Model<Plane>, start: &Start) -> Vec<f64> {
    let mut out = vec![f64::NAN; model.rates() * model.rates()];
    let mut work = model.workspace();
    model.place(&mut work, start.state()).mass(&mut out);
    out
}

fn random_rates(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| spread(rng, 3.0)).collect()
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
    let mut rng = Rng::with_seed(11);
    for (_, model) in models(&mut rng, 2000) {
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
            placed.balance(&unit, &[]).missing_force(&mut column);
            let felt: Vec<f64> = column.iter().zip(&rest).map(|(c, r)| c - r).collect();
            let scale = 1.0 + rest.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
            assert!(difference(&m[k * n..(k + 1) * n], &felt) < 1e-13 * scale);
        }
    }
}

#[test]
fn the_mass_matrix_sums_the_bodies_seen_through_differentiated_poses() {
    let mut rng = Rng::with_seed(12);
    for (_, model) in models(&mut rng, 500) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let mut work = model.workspace();
        let mut sum = DMatrix::zeros(n, n);
        for record in model.bodies() {
            let mut jac = DMatrix::zeros(3, n);
            for k in 0..n {
                for row in 0..3 {
                    jac[(row, k)] = derivative(
                        |h| {
                            let mut moved = start.clone();
                            moved.q[k] += h;
                            let placed = model.place(&mut work, moved.state());
                            let Vector([x, y]) = placed.center(record.id);
                            [placed.pose(record.id).rotation.radians(), x, y][row]
                        },
                        0.05,
                    );
                }
            }
            let m = record.body.mass;
            let weight = nalgebra::Matrix3::from_diagonal(&[record.body.inertia, m, m].into());
            sum += jac.transpose() * weight * jac;
        }
        let found = mass(&model, &start);
        assert!(difference(&found, sum.as_slice()) < 1e-10);
    }
}

/// Kinetic less potential energy (J).
fn lagrangian(model: &Model<Plane>, work: &mut Workspace<Plane>, start: &Start) -> f64 {
    let energy = model.place(work, start.state()).energy();
    energy.kinetic - energy.gravity - energy.springs
}

/// `d/dt(∂L/∂v_k) − ∂L/∂q_k` with unchanged rates.
fn lagrange(model: &Model<Plane>, start: &Start, k: usize) -> f64 {
    let work = &mut model.workspace();
    let still = vec![0.0; model.rates()];
    // L is quadratic in v: a plain central difference is exact, with any step.
    let mut momentum = |start: &Start| {
        let (mut more, mut less) = (start.clone(), start.clone());
        more.v[k] += 1.0;
        less.v[k] -= 1.0;
        0.5 * (lagrangian(model, work, &more) - lagrangian(model, work, &less))
    };
    let rate = derivative(|h| momentum(&start.after(h, &still)), 0.02);
    let slope = derivative(
        |h| {
            let mut moved = start.clone();
            moved.q[k] += h;
            lagrangian(model, work, &moved)
        },
        0.02,
    );
    rate - slope
}

#[test]
fn the_bias_is_that_of_lagrange() {
    // Loads, dampers and drives have no potential and are left out; the next test has them.
    let mut rng = Rng::with_seed(13);
    for (mut parts, _) in models(&mut rng, 500) {
        parts.loads.clear();
        for (_, joint) in &mut parts.joints {
            (joint.damping, joint.drive) = (0.0, None);
        }
        let model = parts.build();
        let start = Start::random(&mut rng, &model);
        let mut bias = vec![0.0; model.rates()];
        let mut work = model.workspace();
        model.place(&mut work, start.state()).bias(&mut bias);
        let other: Vec<f64> = (0..model.rates())
            .map(|k| lagrange(&model, &start, k))
            .collect();
        assert!(difference(&bias, &other) < 1e-8);
    }
}

#[test]
fn accelerations_and_reactions_are_those_of_maximal_coordinates_with_multipliers() {
    let mut rng = Rng::with_seed(14);
    let (mut prescribed, mut most) = (0, 0);
    for (parts, model) in models(&mut rng, 2000) {
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
            [a.angular, a.linear.0[0], a.linear.0[1]]
        });
        let found: Vec<f64> = found.collect();
        assert!(difference(&found, other.accelerations.as_flattened()) < 1e-10);
        let mut reactions = Vec::new();
        for (index, record) in model.joints().iter().enumerate() {
            let joint = model.joint(&record.name).unwrap();
            let reaction = balance.reaction(joint);
            reactions.extend([reaction.force.0[0], reaction.force.0[1], reaction.moment]);
            let forces = (balance.motion_force(joint), other.motion_forces[index]);
            if let (Some(a), Some(b)) = forces {
                prescribed += 1;
                assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
            } else {
                assert_eq!(forces, (None, None));
            }
        }
        assert!(difference(&reactions, other.reactions.as_flattened()) < 1e-10);
        let mut missing = vec![f64::NAN; n];
        balance.missing_force(&mut missing);
        assert!(missing.iter().all(|x| x.abs() < 1e-9), "{missing:?}");
    }
    assert!(
        prescribed >= count(500) && most >= 15,
        "{prescribed} {most}"
    );
}

#[test]
fn accelerations_are_those_of_the_factored_mass_matrix() {
    let mut rng = Rng::with_seed(15);
    for (_, model) in models(&mut rng, 2000) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let m = mass(&model, &start);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let force = random_rates(&mut rng, n);
        let (mut bias, mut found) = (vec![0.0; n], vec![0.0; n]);
        placed.bias(&mut bias);
        placed.accelerations(&force, &mut found).unwrap();
        let mut factor = Cholesky::new();
        factor.factor(&m, n).unwrap();
        let mut other: Vec<f64> = force.iter().zip(&bias).map(|(f, h)| f - h).collect();
        factor.solve_lower(&mut other);
        factor.solve_lower_transposed(&mut other);
        assert!(difference(&found, &other) < 1e-10);
    }
}

#[test]
fn the_energy_changes_by_the_powers() {
    let mut rng = Rng::with_seed(16);
    for (_, model) in models(&mut rng, 2000) {
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
        assert!(powers.damping <= 0.0);
        let rate = derivative(
            |h| {
                let later = start.after(h, &acceleration);
                model.place(&mut work, later.state()).energy().total()
            },
            4e-3,
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
        assert!((rate - expected).abs() < 1e-9 * scale, "{rate} {expected}");
    }
}

#[test]
fn the_position_rate_is_the_rate_in_the_plane() {
    let mut rng = Rng::with_seed(17);
    for (_, model) in models(&mut rng, 100) {
        let start = Start::random(&mut rng, &model);
        let mut out = vec![0.0; model.positions()];
        model.position_rate(&start.q, &start.v, &mut out);
        assert_eq!(out, start.v);
    }
}

#[test]
fn an_impact_conserves_what_the_ledger_counts() {
    // ΔT = ½ (v⁺ + v⁻)·Jᵀp + work of the prescribed motions.
    let mut rng = Rng::with_seed(18);
    for (_, model) in models(&mut rng, 2000) {
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
            let power = |f: &carom_multibody::PointForce<Plane>| {
                placed.velocity(f.body, f.point).dot(f.force)
            };
            (placed.energy().kinetic, impulses.iter().map(power).sum())
        };
        let ((before, p_before), (after, p_after)) = (speeds(&start), speeds(&after));
        let gained = 0.5 * (p_before + p_after) + motions;
        assert!((after - before - gained).abs() < 1e-11 * (1.0 + after + before));
    }
}
