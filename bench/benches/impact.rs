//! One impact from W and v; from M, J, q̇; a batch of a million.
//!
//! `cargo bench -p carom-bench`. Compare lines of one run with each other, not runs.

use carom_bench::{Columns, naive};
use carom_contact::contact_space::{ContactSpace, Friction, Mechanism};
use carom_contact::impact::Law;
use carom_contact::impact::planar::{BatchResults, PlanarImpact, solve, solve_batch};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const LAWS: [Law; 5] = Law::ALL;

/// The rod of the paper: the same problem again and again, every branch predicted.
#[divan::bench(args = LAWS)]
fn one_impact_repeated(bencher: Bencher<'_, '_>, law: Law) {
    let impact = Columns::random(1, 1).impacts()[0];
    bencher.bench(|| solve(black_box(&impact), law));
}

/// A thousand random impacts one by one, full results: time per impact.
#[divan::bench(args = LAWS)]
fn thousand_random_impacts(bencher: Bencher<'_, '_>, law: Law) {
    let impacts = Columns::random(1000, 2).impacts();
    bencher.counter(ItemsCount::new(impacts.len())).bench(|| {
        for impact in black_box(&impacts) {
            let _ = black_box(solve(impact, law));
        }
    });
}

/// The yardstick: a naive march, impulses, velocities and works only.
#[divan::bench]
fn thousand_random_impacts_naive(bencher: Bencher<'_, '_>) {
    let impacts = Columns::random(1000, 2).impacts();
    bencher.counter(ItemsCount::new(impacts.len())).bench(|| {
        for impact in black_box(&impacts) {
            black_box(naive::march(impact));
        }
    });
}

/// A million random impacts in one batch.
#[divan::bench(args = LAWS, sample_count = 30)]
fn million_in_a_batch(bencher: Bencher<'_, '_>, law: Law) {
    let columns = Columns::random(1_000_000, 3);
    let mut results = BatchResults::default();
    bencher
        .counter(ItemsCount::new(1_000_000usize))
        .bench_local(|| {
            let _ = solve_batch(black_box(&columns.batch()), law, &mut results);
            black_box(&results);
        });
}

/// Four thousand in a batch: fits the cache, shows the arithmetic without the memory.
#[divan::bench(args = LAWS)]
fn four_thousand_in_a_batch(bencher: Bencher<'_, '_>, law: Law) {
    let columns = Columns::random(4096, 3);
    let mut results = BatchResults::default();
    bencher.counter(ItemsCount::new(4096usize)).bench_local(|| {
        let _ = solve_batch(black_box(&columns.batch()), law, &mut results);
        black_box(&results);
    });
}

/// Mass matrix, Jacobian rows and velocity to velocity after the impact.
#[divan::bench(args = [2, 7, 30])]
fn from_coordinates(bencher: Bencher<'_, '_>, n: usize) {
    let mut rng = fastrand::Rng::with_seed(4);
    let a: Vec<f64> = (0..n * n).map(|_| rng.f64() - 0.5).collect();
    let mut mass = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            mass[i * n + j] = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
        }
        mass[i * n + i] += 0.1;
    }
    let rows: Vec<f64> = (0..2 * n).map(|_| rng.f64() - 0.5).collect();
    let mut velocity: Vec<f64> = (0..n).map(|_| rng.f64() - 0.5).collect();
    if rows[..n]
        .iter()
        .zip(&velocity)
        .map(|(a, b)| a * b)
        .sum::<f64>()
        > 0.0
    {
        velocity.iter_mut().for_each(|x| *x = -*x);
    }
    let mut space = ContactSpace::new();
    let mut after = velocity.clone();
    bencher.bench_local(|| {
        let mechanism = Mechanism {
            mass: black_box(&mass),
            velocity: &velocity,
            rows: &rows,
            constraints: &[],
        };
        space.reduce(&mechanism).ok()?;
        let (w, v) = space.planar(0, 1).ok()?;
        let friction = Friction::uniform(0.5).ok()?;
        let impact = PlanarImpact::new(w, v, friction, 0.8).ok()?;
        let end = solve(&impact, Law::Energetic).ok()?.end?;
        after.copy_from_slice(&velocity);
        space.apply(&[end.impulse.n, end.impulse.t], &mut after);
        black_box(&after);
        Some(end)
    });
}
