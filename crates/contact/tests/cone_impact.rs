//! Impacts of several contacts in space by laws on total impulses.
#![allow(clippy::unwrap_used)]

use carom_contact::cone::{
    ConeImpact, ConeImpactEnd, ConeMode, ConeSolver, Verdict, moreau, poisson,
};
use carom_contact::contact_space::Friction;
use carom_support::contact::cone::Posed;
use carom_support::contact::mechanism::dot;
use carom_support::near::{assert_all_near, assert_near};
use carom_support::random::count;
use fastrand::Rng;

fn mu(posed: &Posed) -> Vec<f64> {
    posed.contacts.iter().map(|c| c.mu).collect()
}

fn uniform(mu: &[f64]) -> Vec<Friction> {
    mu.iter()
        .map(|mu| Friction::uniform(*mu).unwrap())
        .collect()
}

/// Momentum, works, energy and the cone, whatever the law.
fn audit(posed: &Posed, restitution: &[f64], end: &ConeImpactEnd) {
    let n = posed.q.len();
    for i in 0..n {
        let v = posed.q[i] + dot(&posed.w[i * n..(i + 1) * n], &end.impulse);
        assert_near("v⁺ = v⁻ + W P", end.v_post[i], v, 1e-9);
    }
    let works: f64 = end.work.iter().flatten().sum();
    assert!((works - end.energy_change).abs() < 1e-9 * end.energy_scale.max(1e-3));
    for (i, mu) in mu(posed).iter().enumerate() {
        let p = &end.impulse[3 * i..3 * i + 3];
        assert!(p[1].hypot(p[2]) <= mu * p[0] + 1e-9, "{p:?}");
        assert!(end.v_post[3 * i] >= -1e-9, "{restitution:?} {end:?}");
    }
}

#[test]
fn a_ball_that_does_not_slip_rebounds_by_its_restitution() {
    // A point of mass 2: W = ½.
    let w: Vec<f64> = (0..9).map(|i| if i % 4 == 0 { 0.5 } else { 0.0 }).collect();
    let (v, mu, restitution) = ([-1.0, 0.3, -0.4], [0.9], [0.6]);
    let impact = ConeImpact {
        w: &w,
        v: &v,
        friction: &uniform(&mu),
        restitution: &restitution,
    };
    let mut solver = ConeSolver::new();
    for end in [
        moreau(&mut solver, &impact).unwrap(),
        poisson(&mut solver, &impact).unwrap(),
    ] {
        assert!(end.is_solved);
        assert_all_near("v⁺", &end.v_post, &[0.6, 0.0, 0.0], 1e-13);
        assert_all_near("P", &end.impulse, &[3.2, -0.6, 0.8], 1e-13);
        assert_near("energy", end.energy_change, -(1.0 - 0.36) - 0.25, 1e-13);
        assert_eq!(
            (end.velocity, end.impulses),
            (Verdict::Unique, Verdict::Unique)
        );
    }
}

#[test]
fn a_ball_that_slides_loses_friction_times_its_impulse() {
    let w: Vec<f64> = (0..9).map(|i| if i % 4 == 0 { 1.0 } else { 0.0 }).collect();
    let (v, mu, restitution) = ([-1.0, 3.0, -4.0], [0.5], [0.5]);
    let impact = ConeImpact {
        w: &w,
        v: &v,
        friction: &uniform(&mu),
        restitution: &restitution,
    };
    let mut solver = ConeSolver::new();
    for end in [
        moreau(&mut solver, &impact).unwrap(),
        poisson(&mut solver, &impact).unwrap(),
    ] {
        // P_n = 1.5, P_t = −0.75 (0.6, −0.8)
        assert_all_near("v⁺", &end.v_post, &[0.5, 2.55, -3.4], 1e-13);
        // Moreau's shifted velocity closes, Poisson's contact has left its floor.
        let slides = [ConeMode::Slide, ConeMode::Open];
        assert!(slides.contains(&end.modes[0]), "{:?}", end.modes);
    }
}

#[test]
fn nothing_happens_where_nothing_approaches() {
    let mut rng = Rng::with_seed(81);
    let mut posed = Posed::random(&mut rng, 9, 3, 0.5);
    (0..3).for_each(|i| posed.q[3 * i] = 0.1);
    let (mu, restitution) = (mu(&posed), [0.5; 3]);
    let impact = ConeImpact {
        w: &posed.w,
        v: &posed.q,
        friction: &uniform(&mu),
        restitution: &restitution,
    };
    for law in [moreau, poisson] {
        let end = law(&mut ConeSolver::new(), &impact).unwrap();
        assert!(end.is_solved && end.energy_change == 0.0);
        assert_all_near("v⁺", &end.v_post, &posed.q, 1e-15);
    }
}

#[test]
fn impulses_keep_momentum_cone_and_energy() {
    let (mut rng, mut solver) = (Rng::with_seed(82), ConeSolver::new());
    let mut expanded = 0;
    for _ in 0..count(1000) {
        let k = rng.usize(1..6);
        let posed = match rng.bool() {
            true => Posed::random(&mut rng, 3 * k + 2, k, 0.8),
            false => Posed::on_four_corners(&mut rng, 0.3),
        };
        let (mu, e) = (mu(&posed), rng.f64());
        let restitution = vec![e; mu.len()];
        let impact = ConeImpact {
            w: &posed.w,
            v: &posed.q,
            friction: &uniform(&mu),
            restitution: &restitution,
        };
        for law in [moreau, poisson] {
            let end = law(&mut solver, &impact).unwrap();
            assert!(end.is_solved, "{posed:?}");
            audit(&posed, &restitution, &end);
            expanded += usize::from(end.phases.len() == 2);
        }
        let end = poisson(&mut solver, &impact).unwrap();
        if let [compression, expansion] = &end.phases[..] {
            for i in 0..mu.len() {
                let least = e * compression.impulse[3 * i];
                assert!(expansion.impulse[3 * i] >= least - 1e-9 * (1.0 + least));
            }
        }
    }
    assert!(expanded > count(400), "{expanded}");
}

#[test]
fn both_laws_agree_without_restitution() {
    let (mut rng, mut solver) = (Rng::with_seed(83), ConeSolver::new());
    for _ in 0..count(200) {
        let posed = Posed::random(&mut rng, 12, 3, 0.6);
        let (mu, restitution) = (mu(&posed), [0.0; 3]);
        let impact = ConeImpact {
            w: &posed.w,
            v: &posed.q,
            friction: &uniform(&mu),
            restitution: &restitution,
        };
        let a = moreau(&mut solver, &impact).unwrap();
        let b = poisson(&mut solver, &impact).unwrap();
        assert_eq!(a.v_post, b.v_post);
    }
}

#[test]
fn a_restitution_beyond_one_is_refused() {
    let impact = ConeImpact {
        w: &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        v: &[-1.0, 0.0, 0.0],
        friction: &uniform(&[0.1]),
        restitution: &[1.5],
    };
    let error = moreau(&mut ConeSolver::new(), &impact).unwrap_err();
    let said = "contact 0: restitution is 1.5, expected a number from 0 to 1";
    assert_eq!(error.to_string(), said);
}
