//! Accelerations with friction: the closed form of one coordinate, enumeration of several.
//!
//! `cargo bench -p carom-bench --bench forward`. Compare lines of one run with each other, not runs.

use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::{ForwardContact, ForwardProblem, answers, solve, verdict};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use fastrand::Rng;

fn main() {
    divan::main();
}

fn problem(rng: &mut Rng, n: usize, velocity: f64) -> ForwardProblem {
    let mut list = |n: usize| (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<f64>>();
    let a: Vec<Vec<f64>> = (0..n).map(|_| list(n)).collect();
    let dot = |i: usize, j: usize| a[i].iter().zip(&a[j]).map(|(x, y)| x * y).sum::<f64>();
    let element = |i: usize, j: usize| dot(i, j) + if i == j { 0.3 } else { 0.0 };
    ForwardProblem {
        inertia: (0..n)
            .map(|i| (0..n).map(|j| element(i, j)).collect())
            .collect(),
        bias: list(n),
        load_matrix: (0..n).map(|_| list(n)).collect(),
        load_offset: list(n),
        friction: vec![0.4.into(); n],
        velocity: list(n).iter().map(|x| velocity * x.signum()).collect(),
        force: list(n),
        contacts: Vec::new(),
    }
}

/// A thousand random systems of one coordinate, in motion or at rest: time per system.
#[divan::bench(args = [1.0, 0.0])]
fn scalar_closed_form(bencher: Bencher<'_, '_>, velocity: f64) {
    let mut rng = Rng::with_seed(7);
    let mut systems = Vec::new();
    while systems.len() < 1000 {
        if let Ok(scalar) = ScalarFriction::of(&problem(&mut rng, 1, 1.0)) {
            systems.push((scalar, 4.0 * rng.f64() - 2.0));
        }
    }
    bencher.counter(ItemsCount::new(systems.len())).bench(|| {
        for (scalar, tau) in black_box(&systems) {
            black_box(scalar.answers(*tau, velocity));
        }
    });
}

/// Every sign pattern of coordinates in motion.
#[divan::bench(args = [1, 2, 3, 6, 9, 12])]
fn enumeration_in_motion(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(&mut Rng::with_seed(8), n, 1.0);
    bencher.bench(|| answers(black_box(&problem)));
}

/// Every pattern of coordinates at rest: stuck, and both signs.
#[divan::bench(args = [1, 2, 3, 6])]
fn enumeration_at_rest(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(&mut Rng::with_seed(8), n, 0.0);
    bencher.bench(|| answers(black_box(&problem)));
}

/// A pile of boxes at rest, two feet each: the patterns of contacts that can hold.
#[divan::bench(args = [2, 4, 6])]
fn pile_at_rest(bencher: Bencher<'_, '_>, boxes: usize) {
    let problem = pile(boxes);
    bencher.bench(|| answers(black_box(&problem)));
}

/// Boxes of unit mass and size, one on the other.
fn pile(boxes: usize) -> ForwardProblem {
    let n = 3 * boxes;
    let weight = |i: usize| if i % 3 == 1 { -9.81 } else { 0.0 };
    let mut contacts = Vec::new();
    for (own, side) in (0..n).step_by(3).flat_map(|own| [(own, -0.5), (own, 0.5)]) {
        let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
        (normal[own + 1], normal[own + 2]) = (1.0, side);
        (tangent[own], tangent[own + 2]) = (1.0, 0.5);
        if let Some(below) = own.checked_sub(3) {
            (normal[below + 1], normal[below + 2]) = (-1.0, -side);
            (tangent[below], tangent[below + 2]) = (-1.0, 0.5);
        }
        contacts.push(ForwardContact {
            normal,
            tangent: Some(tangent),
            drift: [if own == 0 { -9.81 } else { 0.0 }, 0.0],
            slip: 0.0,
            friction: 0.5.into(),
        });
    }
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    ForwardProblem {
        inertia: (0..n).map(unit).collect(),
        bias: vec![0.0; n],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: (0..n).map(weight).collect(),
        contacts,
    }
}

/// Determinants by sign pattern, and the friction margin.
#[divan::bench(args = [1, 3, 6])]
fn verdict_for_every_force(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(&mut Rng::with_seed(8), n, 1.0);
    bencher.bench(|| verdict(black_box(&problem)));
}

/// Everything: answers, refuted modes, verdict, degree, witness.
#[divan::bench(args = [1, 3, 6])]
fn whole_result(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(&mut Rng::with_seed(8), n, 1.0);
    bencher.bench(|| solve(black_box(&problem)));
}
