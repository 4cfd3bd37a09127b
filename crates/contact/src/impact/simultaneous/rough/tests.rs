//! Lemke's method against the enumeration of modes.

use super::lemke::RoughLemke;
use super::pattern::enumerate;
use super::phase::{Found, Phase};
use super::scene::Scene;
use super::{RoughClosing, solve};
use crate::impact::{Law, Outcome};
use crate::space::{ContactSpace, Friction, Mechanism, PlanarVector};

/// A random mechanism with `k` rough contacts: rows are normals, then tangents.
struct Sample {
    space: ContactSpace,
    normals: Vec<usize>,
    tangents: Vec<Option<usize>>,
    v: Vec<PlanarVector>,
    friction: Vec<Friction>,
    restitution: Vec<f64>,
}

impl Sample {
    fn new(rng: &mut fastrand::Rng, n: usize, k: usize, mu: f64) -> Self {
        let mut number = || rng.f64() - 0.5;
        let mut mass = vec![0.0; n * n];
        (0..n).for_each(|i| mass[i * n + i] = 0.6 + number());
        let velocity: Vec<f64> = (0..n).map(|_| number()).collect();
        let mut rows: Vec<f64> = (0..2 * k * n).map(|_| number()).collect();
        for row in rows[..k * n].chunks_exact_mut(n) {
            let v: f64 = row.iter().zip(&velocity).map(|(a, b)| a * b).sum();
            row.iter_mut().for_each(|x| *x *= -v.signum());
        }
        let mut space = ContactSpace::new();
        let mechanism = Mechanism {
            mass: &mass,
            velocity: &velocity,
            rows: &rows,
            constraints: &[],
        };
        space.reduce(&mechanism).unwrap();
        let v = |i: usize| PlanarVector {
            n: space.v(i),
            t: space.v(k + i),
        };
        Self {
            v: (0..k).map(v).collect(),
            normals: (0..k).collect(),
            tangents: (k..2 * k).map(Some).collect(),
            friction: (0..k).map(|_| Friction::uniform(mu).unwrap()).collect(),
            restitution: vec![0.4; k],
            space,
        }
    }

    fn closing(&self) -> RoughClosing<'_> {
        RoughClosing {
            normals: &self.normals,
            tangents: &self.tangents,
            v: &self.v,
            friction: &self.friction,
            restitution: &self.restitution,
        }
    }
}

fn is_near(a: &Found, b: &Found) -> bool {
    let size = a.u.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    a.u.iter()
        .zip(&b.u)
        .all(|(x, y)| (x - y).abs() < 1e-8 * size)
}

#[test]
fn what_lemkes_method_finds_is_among_the_enumerated_ends_of_both_phases() {
    let mut rng = fastrand::Rng::with_seed(31);
    let (mut compared, mut rays) = (0, 0);
    for round in 0..300 {
        let k = 2 + round % 2;
        let n = 2 + rng.usize(0..5);
        let sample = Sample::new(&mut rng, n, k, 0.2 + 0.01 * (round % 100) as f64);
        let scene = Scene::of(&sample.space, &sample.closing(), false);
        let zeros = vec![0.0; k];
        let compression = Phase {
            scene: &scene,
            u: &scene.v,
            floor: &zeros,
            target: &zeros,
        };
        let one = RoughLemke::default().solve(&compression, Law::Poisson);
        let one = one.unwrap().swap_remove(0); // a compression always ends
        assert!(enumerate(&compression).iter().any(|f| is_near(f, &one)));
        let floor: Vec<f64> = one.p[..k].iter().map(|p| 0.7 * p).collect();
        let expansion = Phase {
            u: &one.u,
            floor: &floor,
            ..compression
        };
        let two = RoughLemke::default().solve(&expansion, Law::Poisson);
        let two = two.unwrap().swap_remove(0); // and so does an expansion
        assert!(enumerate(&expansion).iter().any(|f| is_near(f, &two)));
        let target: Vec<f64> = scene.v[..k].iter().map(|v| 0.7 * v.min(0.0)).collect();
        let totals = Phase {
            target: &target,
            floor: &zeros,
            u: &scene.v,
            scene: &scene,
        };
        match &RoughLemke::default().solve(&totals, Law::Moreau).unwrap()[..] {
            [all, ..] => assert!(enumerate(&totals).iter().any(|f| is_near(f, all))),
            [] => rays += 1,
        }
        compared += 1;
    }
    assert!(compared == 300 && rays < 100, "{compared} {rays}");
}

#[test]
fn a_law_that_does_not_fit_is_refused_and_nothing_approaching_is_no_impact() {
    let mut rng = fastrand::Rng::with_seed(32);
    let mut sample = Sample::new(&mut rng, 4, 2, 0.5);
    for law in [Law::Energetic, Law::Whittaker] {
        assert!(solve(&sample.space, &sample.closing(), law).is_err());
    }
    sample.v.iter_mut().for_each(|v| v.n = v.n.abs());
    let set = solve(&sample.space, &sample.closing(), Law::Poisson).unwrap();
    assert_eq!((set.outcome, set.endings.len()), (Outcome::NoImpact, 1));
}
