//! Random scenes: whatever is thrown on a floor or into a corner ends with a named outcome.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::Law;
use carom_multibody::State;
use carom_multibody::contact::Outline;
use carom_multibody::mechanism::Dynamics;
use carom_sim::{End, Happening, Run, Setup, Transition, run};
use carom_support::random::seeds;
use common::scene::Scene;

/// Scenes of a run of the tests.
const SCENES: u64 = seeds(200).end;

fn skin(rng: &mut fastrand::Rng) -> Outline {
    let size = 0.1 + 0.4 * rng.f64();
    match rng.usize(0..4) {
        0 => Outline::Disk { radius: size },
        1 => Outline::Capsule {
            length: 2.0 * size,
            radius: 0.1 * size,
        },
        2 => Outline::Box {
            size: [size, size * (0.05 + rng.f64())].into(),
        },
        _ => {
            let corners = rng.usize(3..7);
            let turn = rng.f64();
            let corner = |k: usize| {
                let angle = std::f64::consts::TAU * (k as f64 + turn) / corners as f64;
                [size * angle.cos(), size * angle.sin()].into()
            };
            Outline::Polygon {
                vertices: (0..corners).map(corner).collect(),
            }
        }
    }
}

fn scene(seed: u64) -> Scene {
    let mut rng = fastrand::Rng::with_seed(seed);
    let rng = &mut rng;
    let spread = |rng: &mut fastrand::Rng, x: f64| x * (2.0 * rng.f64() - 1.0);
    let mass = 0.5 + rng.f64();
    let mut walls = vec![([spread(rng, 0.3), 1.0], [0.0, 0.0])];
    if rng.bool() {
        walls.push(([1.0, spread(rng, 0.5)], [-2.5, 0.0]));
    }
    if rng.bool() {
        walls.push(([-1.0, spread(rng, 0.5)], [2.5, 0.0]));
    }
    let mu = if rng.usize(0..5) == 0 {
        0.0
    } else {
        1.2 * rng.f64()
    };
    Scene {
        mass,
        inertia: mass * (0.005 + 0.03 * rng.f64()),
        skin: skin(rng),
        q: [spread(rng, 0.3), 1.8 + rng.f64(), spread(rng, 3.0)],
        v: [spread(rng, 2.0), spread(rng, 2.0), spread(rng, 5.0)],
        walls,
        law: Law::Poisson,
        restitution: if rng.usize(0..4) == 0 {
            0.0
        } else {
            0.9 * rng.f64()
        },
        friction: [mu; 2],
        duration: 10.0,
        ..Scene::default()
    }
}

/// Depth below the walls of the points of a skin, from its pose alone.
fn deepest(scene: &Scene, q: &[f64]) -> f64 {
    let (points, radius): (Vec<[f64; 2]>, f64) = match &scene.skin {
        Outline::Disk { radius } => (vec![[0.0; 2]], *radius),
        Outline::Capsule { length, radius } => {
            (vec![[-0.5 * length, 0.0], [0.5 * length, 0.0]], *radius)
        }
        Outline::Box { size } => {
            let [x, y] = size.0.map(|x| 0.5 * x);
            (vec![[-x, -y], [x, -y], [x, y], [-x, y]], 0.0)
        }
        Outline::Polygon { vertices } => (vertices.iter().map(|v| v.0).collect(), 0.0),
        _ => unreachable!("no such skin is thrown"),
    };
    let (sin, cos) = q[2].sin_cos();
    let mut least = f64::INFINITY;
    for [x, y] in points {
        let at = [q[0] + cos * x - sin * y, q[1] + sin * x + cos * y];
        for (n, base) in &scene.walls {
            let above = n[0] * (at[0] - base[0]) + n[1] * (at[1] - base[1]);
            least = least.min(above / n[0].hypot(n[1]) - radius);
        }
    }
    least
}

fn state<'a>(q: &'a [f64], v: &'a [f64]) -> State<'a> {
    State::new(0.0, q, v)
}

fn check(seed: u64, scene: &Scene, setup: &mut Setup, run: &Run) {
    let ledger = run.ledger.unwrap();
    let residual = ledger.residual().abs();
    assert!(
        residual <= 1e-10 * ledger.largest,
        "{seed}: {residual:e} of {}",
        ledger.largest
    );
    let mut energy = f64::INFINITY;
    let mut look = |q: &[f64], v: &[f64], what: &str| {
        let depth = deepest(scene, q);
        assert!(depth > -1e-9, "{seed}, {what}: {depth:e}");
        let now = setup.mechanism.energy(state(q, v)).unwrap().total();
        let gain = now - energy;
        assert!(gain <= 1e-9 * ledger.largest, "{seed}, {what}: {gain:e}");
        energy = now;
    };
    look(&setup.q.clone(), &setup.v.clone(), "start");
    let is_whole = run.end == End::Duration;
    for (k, event) in run.events.iter().enumerate() {
        look(&event.q, &event.v_pre, "before");
        if is_whole || k + 1 < run.events.len() {
            look(&event.q_post, &event.v_post, "after"); // the last may not have been applied
        }
    }
    look(&run.q, &run.v, "end");
    for sample in &run.samples {
        let depth = deepest(scene, &sample.q);
        assert!(depth > -1e-9, "{seed} at {}: {depth:e}", sample.time);
    }
}

#[test]
fn whatever_is_thrown_ends_with_a_name_and_gains_no_energy() {
    let mut reached = 0;
    let mut met = [0; 4]; // accumulations, releases, sticks, slips and reversals
    for seed in 0..SCENES {
        let scene = scene(seed);
        let mut setup = scene.setup();
        setup.options.samples = 101;
        setup.options.max_events = 3000;
        let run = run(&mut setup).unwrap_or_else(|error| unreachable!("{seed}: {error}"));
        check(seed, &scene, &mut setup, &run);
        assert_ne!(run.end, End::EventLimit, "{seed}");
        reached += u64::from(run.end == End::Duration);
        for event in &run.events {
            let kind = match &event.what {
                Happening::Accumulation(_) => 0,
                Happening::Transition { kind, .. } => match kind {
                    Transition::Release => 1,
                    Transition::Stick => 2,
                    _ => 3,
                },
                _ => continue,
            };
            met[kind] += 1;
        }
    }
    assert!(10 * reached > 9 * SCENES, "{reached} of {SCENES}");
    let is_swept = SCENES > 2;
    assert!(!is_swept || met.iter().all(|count| *count > 3), "{met:?}");
}
