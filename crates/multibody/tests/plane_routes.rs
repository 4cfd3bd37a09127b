//! The tree algorithms of the plane against differentiated poses and energies.
#![allow(clippy::unwrap_used)]

use carom_multibody::plane::Plane;
use carom_multibody::{Model, Vector, Workspace};
use carom_support::multibody::{Start, models};
use carom_support::near::{derivative, difference};
use fastrand::Rng;
use nalgebra::DMatrix;

use crate::second_routes::mass;

#[test]
fn the_mass_matrix_sums_the_bodies_seen_through_differentiated_poses() {
    let mut rng = Rng::with_seed(12);
    for (_, model) in models::<Plane>(&mut rng, 500) {
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
    let rate = derivative(|h| momentum(&start.after(model, h, &still)), 0.02);
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
    for (mut parts, _) in models::<Plane>(&mut rng, 500) {
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
fn the_position_rate_is_the_rate_in_the_plane() {
    let mut rng = Rng::with_seed(17);
    for (_, model) in models::<Plane>(&mut rng, 100) {
        let start = Start::random(&mut rng, &model);
        let mut out = vec![0.0; model.positions()];
        model.position_rate(&start.q, &start.v, &mut out);
        assert_eq!(out, start.v);
    }
}
