//! Routh's path at several contacts together: closed forms, one contact, stiff springs in time, invariance.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::{Friction, PlanarDelassus, PlanarVector};
use carom_contact::contact_space::{SpatialDelassus, SpatialVector};
use carom_contact::impact::path::{PathContact, PathImpact, PathSolution, solve};
use carom_contact::impact::planar::{self, PlanarImpact};
use carom_contact::impact::spatial::{self, SpatialImpact};
use carom_contact::impact::{Law, Outcome};
use carom_support::random::{between, chance, count, either_sign, list};
use common::assert_close;
use fastrand::Rng;

fn smooth(restitution: f64) -> PathContact {
    PathContact {
        tangents: 0,
        friction: Friction::NONE,
        restitution,
        law: Law::Energetic,
        stiffness: 1.0,
    }
}

/// Balls in a row, contact i between i and i + 1: W and the velocities after.
fn row_of_balls(masses: &[f64], v: &[f64], contacts: &[PathContact]) -> (PathSolution, Vec<f64>) {
    let k = masses.len() - 1;
    let mut w = vec![0.0; k * k];
    for i in 0..k {
        w[i * k + i] = 1.0 / masses[i] + 1.0 / masses[i + 1];
        if i > 0 {
            w[i * k + i - 1] = -1.0 / masses[i];
            w[(i - 1) * k + i] = -1.0 / masses[i];
        }
    }
    let closing = v.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let s = solve(&PathImpact::new(w, closing, contacts.to_vec()).unwrap()).unwrap();
    let p = |i: usize| s.contacts.get(i).map_or(0.0, |c| c.impulse.n);
    let after = (0..masses.len()).map(|i| {
        let left = if i > 0 { p(i - 1) } else { 0.0 };
        v[i] + (left - p(i)) / masses[i]
    });
    let after = after.collect();
    (s, after)
}

#[test]
fn three_equal_balls_part_as_linear_springs_part_them() {
    // Two modes, ω² = 1 and 3: x = F_1 + F_2 and F_1 − F_2 are sines until F_2 … F_1 reaches zero.
    let (s, v) = row_of_balls(&[1.0; 3], &[1.0, 0.0, 0.0], &[smooth(1.0); 2]);
    assert_eq!(s.outcome, Outcome::Solved);
    for (found, printed) in v.iter().zip([-0.13026, 0.15023, 0.98003]) {
        assert_close("printed velocity", *found, printed, 1e-5);
    }
    // Until the first parts at t*: F_1 = (sin t + sin(√3 t)/√3)/2, F_2 = (sin t − sin(√3 t)/√3)/2.
    let root3 = 3f64.sqrt();
    let f_1 = |t: f64| 0.5 * (t.sin() + (root3 * t).sin() / root3);
    let (mut low, mut high) = (2.0, 3.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f_1(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    let t = low;
    let impulse = |sign: f64| 0.5 * (1.0 - t.cos()) + sign * (1.0 - (root3 * t).cos()) / 6.0;
    let (p_1, p_2) = (impulse(1.0), impulse(-1.0));
    assert_close("first impulse", s.contacts[0].impulse.n, p_1, 1e-14);
    // Then the second alone: energy of the pair is kept.
    let f_2 = 0.5 * (t.sin() - (root3 * t).sin() / root3);
    let (v_2, v_3) = (p_1 - p_2, p_2);
    let apart = ((v_3 - v_2).powi(2) + 2.0 * f_2 * f_2).sqrt();
    let middle = 0.5 * (v_2 + v_3);
    for (found, exact) in v
        .iter()
        .zip([1.0 - p_1, middle - 0.5 * apart, middle + 0.5 * apart])
    {
        assert_close("velocity", *found, exact, 1e-14);
    }
}

fn rough(tangents: usize, mu: f64, law: Law, restitution: f64) -> PathContact {
    PathContact {
        tangents,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        law,
        stiffness: 1.0,
    }
}

const LAWS: [Law; 2] = [Law::Energetic, Law::Poisson];

#[test]
fn one_contact_in_the_plane_is_rouths() {
    let mut rng = Rng::with_seed(7);
    let mut types = std::collections::BTreeMap::new();
    for _ in 0..count(20_000) {
        let (x, y) = (list(&mut rng, 3, 1.0), list(&mut rng, 3, 1.0));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (nn, nt, tt) = (dot(&x, &x), dot(&x, &y), dot(&y, &y));
        let (v_n, v_t) = (-between(&mut rng, 0.01, 1.0), either_sign(&mut rng, 1.0));
        let v_t = if chance(&mut rng, 0.1) { 0.0 } else { v_t };
        let mu_d = between(&mut rng, 0.0, 1.5);
        let mu_s = mu_d * if chance(&mut rng, 0.3) { 1.2 } else { 1.0 };
        let friction = Friction::new(mu_s, mu_d).unwrap();
        let e = if chance(&mut rng, 0.1) {
            0.0
        } else {
            rng.f64()
        };
        let Ok(w) = PlanarDelassus::new(nn, nt, tt) else {
            continue;
        };
        let v = PlanarVector { n: v_n, t: v_t };
        let alone = PlanarImpact::new(w, v, friction, e).unwrap();
        for law in LAWS {
            let exact = planar::solve(&alone, law).unwrap();
            let Some(end) = exact.end else { continue };
            let contact = PathContact {
                tangents: 1,
                friction,
                restitution: e,
                law,
                stiffness: between(&mut rng, 0.1, 10.0),
            };
            let impact = PathImpact::new(vec![nn, nt, nt, tt], vec![v_n, v_t], vec![contact]);
            let found = solve(&impact.unwrap()).unwrap();
            let own = &found.contacts[0];
            let size = end.impulse.n.abs();
            let told = format!("{alone:?} {law}: {found:?} {exact:?}");
            assert_eq!(found.outcome, Outcome::Solved, "{told}");
            assert!(
                (own.impulse.n - end.impulse.n).abs() <= 1e-11 * size,
                "{told}"
            );
            assert!(
                (own.impulse.t[0] - end.impulse.t).abs() <= 1e-11 * size,
                "{told}"
            );
            assert!(
                (own.work.n - end.work.n).abs() <= 1e-11 * end.energy_scale,
                "{told}"
            );
            assert_eq!(own.contact_type, exact.contact_type, "{told}");
            *types.entry(exact.contact_type).or_insert(0) += 1;
        }
    }
    assert!(types.len() >= 5, "{types:?}");
}

#[test]
fn one_contact_in_space_is_rouths() {
    let mut rng = Rng::with_seed(8);
    let mut types = std::collections::BTreeMap::new();
    let mut worst = 0.0f64;
    for _ in 0..count(2_000).max(300) {
        let x: Vec<Vec<f64>> = (0..3).map(|_| list(&mut rng, 6, 1.0)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let w: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| dot(&x[i], &x[j])));
        let slip = if chance(&mut rng, 0.1) { 0.0 } else { 1.0 };
        let v = SpatialVector {
            n: -between(&mut rng, 0.01, 1.0),
            t: [
                slip * either_sign(&mut rng, 1.0),
                slip * either_sign(&mut rng, 1.0),
            ],
        };
        let friction = Friction::uniform(between(&mut rng, 0.0, 1.5)).unwrap();
        let e = rng.f64();
        let Ok(delassus) = SpatialDelassus::new(w) else {
            continue;
        };
        let alone = SpatialImpact::new(delassus, v, friction, e).unwrap();
        for law in LAWS {
            let exact = spatial::solve(&alone, law).unwrap();
            let Some(end) = exact.end else { continue };
            let contact = PathContact {
                friction,
                ..rough(2, 0.0, law, e)
            };
            let impact = PathImpact::new(w.concat(), vec![v.n, v.t[0], v.t[1]], vec![contact]);
            let found = solve(&impact.unwrap()).unwrap();
            let own = &found.contacts[0];
            let size = end.impulse.n.abs();
            let told = format!("{alone:?} {law}: {found:?} {exact:?}");
            assert_eq!(found.outcome, Outcome::Solved, "{told}");
            for (a, b) in [
                (own.impulse.n, end.impulse.n),
                (own.impulse.t[0], end.impulse.t[0]),
                (own.impulse.t[1], end.impulse.t[1]),
            ] {
                worst = worst.max((a - b).abs() / size);
                assert!((a - b).abs() <= 1e-11 * size, "{told}");
            }
            assert_eq!(own.contact_type, exact.contact_type, "{told}");
            *types.entry(exact.contact_type).or_insert(0) += 1;
        }
    }
    assert!(types.len() >= 3, "{types:?}");
}

/// Contacts of a random mechanism: W of any rank, friction, laws and stiffnesses mixed.
fn random_impact(rng: &mut Rng, tangents: usize) -> PathImpact {
    let k = 1 + rng.usize(1..5);
    let freedom = rng.usize(1..8);
    let rows = k * (1 + tangents);
    let x: Vec<Vec<f64>> = (0..rows).map(|_| list(rng, freedom, 1.0)).collect();
    let velocity = list(rng, freedom, 1.0);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let w = x
        .iter()
        .flat_map(|a| x.iter().map(move |b| dot(a, b)))
        .collect();
    let v = x.iter().map(|a| dot(a, &velocity)).collect();
    let contacts = (0..k).map(|_| {
        let mu_d = if chance(rng, 0.2) {
            0.0
        } else {
            between(rng, 0.0, 1.2)
        };
        let mu_s = mu_d * if chance(rng, 0.2) { 1.3 } else { 1.0 };
        PathContact {
            tangents,
            friction: Friction::new(mu_s, mu_d).unwrap(),
            restitution: if chance(rng, 0.15) {
                0.0
            } else {
                between(rng, 0.0, 0.95)
            },
            law: LAWS[rng.usize(0..2)],
            stiffness: if chance(rng, 0.5) {
                1.0
            } else {
                between(rng, 0.1, 10.0)
            },
        }
    });
    PathImpact::new(w, v, contacts.collect()).unwrap()
}

#[test]
fn random_contacts_end_finite_and_lawful() {
    for (tangents, full, most) in [(0, 1000, 0.02), (1, 1500, 0.02), (2, 100, 0.12)] {
        let mut rng = Rng::with_seed(11 + tangents as u64);
        let (mut solved, mut endless) = (0, 0);
        for seed in 0..count(full) {
            let impact = random_impact(&mut rng, tangents);
            let Ok(s) = solve(&impact) else {
                endless += 1; // motions that Poisson's restitution makes grow
                continue;
            };
            match s.outcome {
                Outcome::Solved => solved += 1,
                Outcome::NoImpact => continue,
                _ => {
                    // Caught between others: strikes that do not die out.
                    endless += 1;
                    continue;
                }
            }
            let told = || format!("{tangents} seed {seed}: {impact:?} {s:?}");
            assert!(s.momentum_residual < 1e-10, "{}", told());
            assert!(s.energy_residual < 1e-10, "{}", told());
            assert!(s.cone_residual < 1e-11, "{}", told());
            for c in &s.contacts {
                let left = 1e-12f64.max(10.0 * s.left);
                assert!(c.impulse.n >= 0.0 && c.v_post.n >= -left, "{}", told());
            }
            let is_energetic = impact.contacts().iter().all(|c| c.law == Law::Energetic);
            assert!(!(s.energy_gain && is_energetic), "{}", told());
        }
        let share = f64::from(endless) / f64::from(solved + endless).max(1.0);
        assert!(
            solved > 0 && share <= most + 2.0 / f64::from(solved),
            "{tangents}: {share}"
        );
    }
}

#[test]
fn a_box_that_lands_flat_bounces_as_one_and_sticks_like_one() {
    // Half-width 1, half-height 0.5, unit mass, I = 5/12; corners with rows (n, t) each.
    let inverse = 12.0 / 5.0;
    let row = |x: f64| ([0.0, 1.0, x], [1.0, 0.0, 0.5]);
    let rows: Vec<[f64; 3]> = [-1.0, 1.0]
        .iter()
        .flat_map(|x| [row(*x).0, row(*x).1])
        .collect();
    let w = rows.iter().flat_map(|a| {
        rows.iter()
            .map(move |b| a[0] * b[0] + a[1] * b[1] + inverse * a[2] * b[2])
    });
    for law in LAWS {
        let impact = PathImpact::new(
            w.clone().collect(),
            vec![-1.0, 0.0, -1.0, 0.0],
            vec![rough(1, 0.5, law, 0.6); 2],
        );
        let s = solve(&impact.unwrap()).unwrap();
        assert_eq!(s.outcome, Outcome::Solved);
        for c in &s.contacts {
            assert_close("v_n", c.v_post.n, 0.6, 1e-14);
            assert_close("p_n", c.impulse.n, 0.8, 1e-14);
            assert!(c.impulse.t[0].abs() < 1e-14 && c.v_post.t[0].abs() < 1e-14);
        }
    }
}

#[test]
fn two_pushes_of_unequal_stiffness_agree_with_springs_marched_in_time() {
    let mut rng = Rng::with_seed(21);
    let mut compared = 0;
    for _ in 0..count(200).max(10) {
        let impact = random_pair(&mut rng);
        let s = solve(&impact).unwrap();
        if s.outcome != Outcome::Solved || s.phases > 60 {
            continue;
        }
        let marched = march(&impact);
        for (i, c) in s.contacts.iter().enumerate() {
            let told = format!("{impact:?} {s:?} {marched:?}");
            assert!(
                (c.impulse.n - marched[i]).abs() < 2e-4 * (1.0 + marched[i]),
                "{told}"
            );
        }
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}

/// Two rough contacts in the plane, slipping, energetic.
fn random_pair(rng: &mut Rng) -> PathImpact {
    let x: Vec<Vec<f64>> = (0..4).map(|_| list(rng, 5, 1.0)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let w = x
        .iter()
        .flat_map(|a| x.iter().map(move |b| dot(a, b)))
        .collect();
    let v = vec![
        -1.0,
        either_sign(rng, 1.0),
        -between(rng, 0.1, 1.0),
        either_sign(rng, 1.0),
    ];
    let contact = |rng: &mut Rng| PathContact {
        stiffness: between(rng, 0.3, 3.0),
        ..rough(
            1,
            between(rng, 0.0, 0.8),
            Law::Energetic,
            between(rng, 0.3, 1.0),
        )
    };
    let contacts = vec![contact(rng), contact(rng)];
    PathImpact::new(w, v, contacts).unwrap()
}

/// The stiff springs in time with small steps, friction smoothed over slips of 1e-7: normal impulses.
fn march(impact: &PathImpact) -> Vec<f64> {
    let (w, contacts) = (impact.delassus(), impact.contacts());
    let mut v = impact.v_pre().to_vec();
    let (mut load, mut gap, mut p) = ([0.0f64; 2], [0.0f64; 2], vec![0.0; 2]);
    let h = 2e-5;
    for step in 0..20_000_000 {
        let mut f = [0.0; 4];
        for i in 0..2 {
            f[2 * i] = load[i];
            let mu = contacts[i].friction.mu_d();
            // Implicit in the slip of its own row: no chatter at rest.
            let free = v[2 * i + 1]
                + h * (0..2)
                    .map(|j| w[(2 * i + 1) * 4 + 2 * j] * load[j])
                    .sum::<f64>();
            let hold = -free / (h * w[(2 * i + 1) * 5]);
            f[2 * i + 1] = hold.clamp(-mu * load[i], mu * load[i]);
        }
        for (row, v) in v.iter_mut().enumerate() {
            *v += h * (0..4).map(|j| w[row * 4 + j] * f[j]).sum::<f64>();
        }
        let mut is_over = step > 100;
        for i in 0..2 {
            p[i] += h * load[i];
            let (v_n, c) = (v[2 * i], &contacts[i]);
            if gap[i] > 0.0 || (load[i] == 0.0 && v_n > 0.0) {
                gap[i] = (gap[i] + h * v_n).max(0.0);
            } else {
                let soft = if v_n > 0.0 {
                    c.restitution * c.restitution
                } else {
                    1.0
                };
                load[i] = (load[i] - h * c.stiffness / soft * v_n).max(0.0);
            }
            is_over &= load[i] == 0.0 && v_n >= 0.0;
        }
        if is_over {
            break;
        }
    }
    p
}
