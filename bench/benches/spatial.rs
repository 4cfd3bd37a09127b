//! One impact in space, from W and v.
//!
//! `cargo bench -p carom-bench --bench spatial`. Compare lines of one run with each other, not runs.

use carom_contact::contact_space::{Friction, SpatialDelassus, SpatialVector};
use carom_contact::impact::Law;
use carom_contact::impact::spatial::{SpatialImpact, solve, trace};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const LAWS: [Law; 5] = Law::ALL;

/// Contacts of mechanisms of 3 to 9 coordinates, μ up to `most`.
fn impacts(n: usize, most: f64) -> Vec<SpatialImpact> {
    let mut rng = fastrand::Rng::with_seed(5);
    let one = |rng: &mut fastrand::Rng| {
        let degrees = 3 + rng.usize(..7);
        let mut row = || -> Vec<f64> { (0..degrees).map(|_| 2.0 * rng.f64() - 1.0).collect() };
        let (x_n, x_1, x_2) = (row(), row(), row());
        let w = SpatialDelassus::from_vectors(&x_n, [&x_1, &x_2], 1e-14).ok()?;
        let v = SpatialVector {
            n: -0.1 - rng.f64(),
            t: [2.0 * rng.f64() - 1.0, 2.0 * rng.f64() - 1.0],
        };
        let friction = Friction::uniform(most * rng.f64()).ok()?;
        SpatialImpact::new(w, v, friction, rng.f64()).ok()
    };
    (0..n).filter_map(|_| one(&mut rng)).collect()
}

/// A thousand random impacts one by one: time per impact.
#[divan::bench(args = LAWS)]
fn thousand_random_impacts(bencher: Bencher<'_, '_>, law: Law) {
    let impacts = impacts(1000, 1.0);
    bencher.counter(ItemsCount::new(impacts.len())).bench(|| {
        for impact in black_box(&impacts) {
            let _ = black_box(solve(impact, law));
        }
    });
}

/// The same with their curves drawn.
#[divan::bench]
fn thousand_drawn(bencher: Bencher<'_, '_>) {
    let impacts = impacts(1000, 1.0);
    bencher.counter(ItemsCount::new(impacts.len())).bench(|| {
        for impact in black_box(&impacts) {
            let _ = black_box(trace(impact, Law::Energetic));
        }
    });
}
