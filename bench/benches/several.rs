//! Several contacts at once: 3, 10, 50 and 200, by each method.
//!
//! `cargo bench -p carom-bench --bench several`. Compare lines of one run with each other, not runs.

use carom_bench::Several;
use carom_contact::impact::Law;
use carom_contact::impact::simultaneous::{Simultaneous, rough, sequence};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const COUNTS: [usize; 4] = [3, 10, 50, 200];

/// One body on many legs without friction: six coordinates, so that impulses are shared.
#[divan::bench(args = COUNTS, sample_count = 20)]
fn legs_by_newton(bencher: Bencher<'_, '_>, k: usize) {
    complementarity(bencher, &Several::legs(k, 1), Law::Newton);
}

/// The same by Poisson.
#[divan::bench(args = COUNTS, sample_count = 20)]
fn legs_by_poisson(bencher: Bencher<'_, '_>, k: usize) {
    complementarity(bencher, &Several::legs(k, 1), Law::Poisson);
}

/// A row of balls, each touching the next: as many coordinates as balls.
#[divan::bench(args = COUNTS, sample_count = 20)]
fn balls_by_newton(bencher: Bencher<'_, '_>, k: usize) {
    complementarity(bencher, &Several::balls(k), Law::Newton);
}

/// The linear law on the row of balls.
#[divan::bench(args = COUNTS, sample_count = 20)]
fn balls_by_the_linear_law(bencher: Bencher<'_, '_>, k: usize) {
    let several = Several::balls(k);
    let mut solver = Simultaneous::new();
    bencher.bench_local(|| {
        let end = solver.solve_linear(&several.space, black_box(&several.closing()));
        black_box(end.is_ok())
    });
}

/// One ball after another.
#[divan::bench(args = COUNTS, sample_count = 20)]
fn balls_one_after_another(bencher: Bencher<'_, '_>, k: usize) {
    let several = Several::balls(k);
    let (order, laws) = ((0..k).collect::<Vec<_>>(), vec![Law::Poisson; k]);
    bencher.bench_local(|| {
        let closing = several.in_turn();
        let set = sequence::solve(&several.space, black_box(&closing), &laws, Some(&order));
        black_box(set.is_ok())
    });
}

/// Friction in the plane, every outcome: up to four contacts.
#[divan::bench(args = [2, 3, 4], sample_count = 20)]
fn rough_every_outcome(bencher: Bencher<'_, '_>, k: usize) {
    with_friction(bencher, &Several::rough_legs(k, 2));
}

/// Friction in the plane, one outcome by Lemke's method.
#[divan::bench(args = [10, 50, 200], sample_count = 5, sample_size = 1)]
fn rough_one_outcome(bencher: Bencher<'_, '_>, k: usize) {
    with_friction(bencher, &Several::rough_legs(k, 2));
}

fn complementarity(bencher: Bencher<'_, '_>, several: &Several, law: Law) {
    let mut solver = Simultaneous::new();
    bencher.bench_local(|| {
        let end = solver.solve(&several.space, black_box(&several.closing()), law);
        black_box(end.is_ok())
    });
}

fn with_friction(bencher: Bencher<'_, '_>, several: &Several) {
    bencher.bench_local(|| {
        let set = rough::solve(&several.space, black_box(&several.rough()), Law::Poisson);
        black_box(set.is_ok())
    });
}
