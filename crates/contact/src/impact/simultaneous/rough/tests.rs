//! Lemke's method against the enumeration of modes.

use super::lemke::RoughLemke;
use super::pattern::enumerate;
use super::phase::{Found, Phase};
use super::scene::Scene;
use super::{RoughClosing, solve};
use crate::contact_space::{ContactSpace, Friction, Mechanism, PlanarVector};
use crate::impact::{Law, Outcome};

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

/// One contact of three boxes flush on an incline (sine 0.2 or so).
struct Flush {
    /// Rows of normal and tangent, box by box.
    normal: [[f64; 3]; 3],
    tangent: [[f64; 3]; 3],
    v: PlanarVector,
    mu: f64,
    restitution: f64,
}

/// Velocities (n, t) of the contacts between boxes.
const APPROACH: PlanarVector = PlanarVector {
    n: -2.982021842456127e-16,
    t: 1.166806228172168e-6,
};
const PART: PlanarVector = PlanarVector {
    n: 1.4489289018106297e-6,
    t: 1.3490022048999194e-5,
};
const RISE: PlanarVector = PlanarVector {
    n: 1.5241178674895262e-6,
    t: 1.3287829360051837e-20,
};

/// Cosine and sine of the incline.
const INCLINE: [f64; 2] = [0.9800665778412416, 0.19866933079506122];
/// Rows of a box that a contact does not touch.
const STILL: [f64; 3] = [0.0; 3];

/// The contacts of the third box with the two others.
fn between() -> [Flush; 2] {
    let [c, s] = INCLINE;
    let (c_off, s_off) = (0.9800665778417565, 0.19866933079252086);
    let (a_off, b_off) = (1.3860234464123986, 0.2809608620343697);
    let side = Flush {
        normal: [
            [-c, -s, 8.798075845283452e-12],
            STILL,
            [c, s, 1.082003561597413],
        ],
        tangent: [
            [-s, c, 1.4411533842457844],
            STILL,
            [s, -c, 1.352504452003953],
        ],
        v: APPROACH,
        mu: 0.8,
        restitution: 0.9,
    };
    let [turn, across] = [-2.3237900077224487, 0.7745966692474866];
    let top = Flush {
        normal: [
            STILL,
            [b_off, -a_off, turn],
            [-s_off, c_off, 0.5538351361122491],
        ],
        tangent: [
            STILL,
            [-a_off, -b_off, across],
            [c_off, s_off, 1.082003561600919],
        ],
        v: PART,
        mu: 0.3,
        restitution: 0.8,
    };
    [side, top]
}

fn flush() -> [Flush; 6] {
    let [c, s] = INCLINE;
    let (a, b) = (1.3860234464116705, 0.28096086203796233);
    let first = |x: f64| Flush {
        normal: [[-s, c, x], STILL, STILL],
        tangent: [[c, s, 0.9607689228305228], STILL, STILL],
        v: PlanarVector {
            n: 0.0,
            t: 1.3998061338457546e-5,
        },
        mu: 0.0,
        restitution: 0.9,
    };
    let second = |x: f64, height: f64, v: PlanarVector| Flush {
        normal: [STILL, [-b, a, x], STILL],
        tangent: [STILL, [a, b, height], STILL],
        v,
        mu: 0.3,
        restitution: 0.0,
    };
    let [side, top] = between();
    [
        first(-1.441153384245784),
        first(1.4411533842457842),
        second(-2.3237900077244573, 0.7745966692414633, RISE),
        second(
            2.3237900077244436,
            0.7745966692415037,
            PlanarVector::default(),
        ),
        side,
        top,
    ]
}

/// Story: of three boxes one approached another by 3e-16 m/s while all slid at 1e-5 m/s. Impulses that
/// Lemke's method left at round-off lay outside their cones, and the impact was refused.
#[test]
fn an_approach_of_round_off_in_a_stack_is_stopped() {
    let given = flush();
    let normals = given.iter().flat_map(|one| one.normal);
    let rows = normals.chain(given.iter().flat_map(|one| one.tangent));
    let rows: Vec<f64> = rows.flatten().collect();
    let mass: Vec<f64> = (0..81).map(|i| f64::from(u8::from(i % 10 == 0))).collect();
    let mut space = ContactSpace::new();
    let mechanism = Mechanism {
        mass: &mass,
        velocity: &[0.0; 9],
        rows: &rows,
        constraints: &[],
    };
    space.reduce(&mechanism).unwrap();
    let sample = Sample {
        space,
        normals: (0..6).collect(),
        tangents: (6..12).map(Some).collect(),
        v: given.iter().map(|one| one.v).collect(),
        friction: given
            .iter()
            .map(|one| Friction::uniform(one.mu).unwrap())
            .collect(),
        restitution: given.iter().map(|one| one.restitution).collect(),
    };
    for law in [Law::Newton, Law::Moreau, Law::Poisson] {
        let set = solve(&sample.space, &sample.closing(), law).unwrap();
        assert_eq!(set.outcome, Outcome::Solved, "{law}");
        let contacts = &set.endings[0].contacts;
        assert!(
            (contacts[4].v_post.n + 0.9 * given[4].v.n).abs() < 1e-24,
            "{law}"
        );
        assert!(contacts.iter().all(|c| c.v_post.n > -1e-24), "{law}");
    }
}
