//! What every impact in space must satisfy, over random mechanisms with their thresholds, zeros and
//! singular matrices; and a second route to a thousand of them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::contact_space::{Friction, SpatialDelassus, SpatialVector};
use carom_contact::impact::Law;
use carom_contact::impact::spatial::{SpatialImpact, SpatialSolution, solve};
use carom_contact::impact::{ContactType, Outcome};
use common::spatial::{SpatialProblem, march};
use common::{Problem, ROUTH, count};
use fastrand::Rng;

/// Balances close to this many units of their largest terms.
const BALANCE: f64 = 1e-12;

/// How often each regime was met.
#[derive(Debug, Default)]
struct Tally {
    types: [usize; 7],
    jammed: usize,
    arrested: usize,
    second: usize,
    without_collision: usize,
    static_only: usize,
    gains: usize,
}

impl Tally {
    fn add(&mut self, s: &SpatialSolution) {
        let index = ContactType::ALL.iter().position(|t| *t == s.contact_type);
        self.types[index.unwrap()] += 1;
        self.jammed += usize::from(s.outcome == Outcome::Jammed);
        self.arrested += usize::from(s.findings.arrested);
        self.second += usize::from(s.compression.is_some_and(|c| c.count > 1));
        self.without_collision += usize::from(s.findings.without_collision);
        self.static_only += usize::from(s.findings.slip_also_consistent);
        self.gains += usize::from(s.findings.energy_gain);
    }
}

fn listed(v: SpatialVector) -> [f64; 3] {
    [v.n, v.t[0], v.t[1]]
}

/// Finite, balanced, inside the cone, and no energy from a law that promises so.
fn audit(x: &SpatialProblem, impact: &SpatialImpact, s: &SpatialSolution) {
    let Some(end) = s.end else {
        assert_eq!(s.outcome, Outcome::Jammed, "{x:?}");
        return;
    };
    let numbers = listed(end.impulse).into_iter().chain(listed(end.v_post));
    assert!(numbers.into_iter().all(f64::is_finite), "{x:?}: {s:?}");
    assert!(end.energy_residual <= BALANCE, "{x:?}: {s:?}");
    assert!(end.momentum_residual <= BALANCE, "{x:?}: {s:?}");
    assert!(end.cone_residual <= BALANCE, "{x:?}: {s:?}");
    let parts = end.work.n + end.work.t[0] + end.work.t[1];
    let miss = (parts - end.energy_change).abs();
    assert!(miss <= BALANCE * end.energy_scale, "{x:?}: {s:?}");
    assert!(end.v_post.n >= -BALANCE * impact.v_pre().n.abs().max(1.0));
    if s.law != Law::Newton {
        assert!(!s.findings.energy_gain, "{x:?}: {s:?}");
    }
}

#[test]
fn every_spatial_impact_balances_its_energy_and_keeps_coulombs_law() {
    let mut rng = Rng::with_seed(61);
    let mut tally = Tally::default();
    let n = count(1_000_000);
    for i in 0..n {
        let x = SpatialProblem::delicate(&mut rng);
        let impact = x.impact();
        let law = ROUTH[i % 3];
        let s = solve(&impact, law).unwrap_or_else(|error| panic!("{x:?}: {error}"));
        audit(&x, &impact, &s);
        tally.add(&s);
    }
    for (contact_type, reached) in ContactType::ALL.iter().zip(tally.types) {
        let is_met = reached >= n / 5000 || *contact_type == ContactType::Frictionless;
        assert!(is_met, "{contact_type:?}: {tally:?}");
    }
    let others = [
        tally.jammed,
        tally.arrested,
        tally.without_collision,
        tally.static_only,
        tally.gains,
    ];
    assert!(others.iter().all(|k| *k >= n / 5000), "{tally:?}");
    assert!(n < 100_000 || tally.second > 10, "{tally:?}");
}

/// Largest difference of velocities after, relative to the speeds of both.
fn apart(a: &SpatialSolution, b: &SpatialSolution, by: impl Fn([f64; 3]) -> [f64; 3]) -> f64 {
    let (Some(one), Some(other)) = (a.end, b.end) else {
        return if a.end.is_some() == b.end.is_some() {
            0.0
        } else {
            f64::INFINITY
        };
    };
    let (one, other) = (listed(one.v_post), by(listed(other.v_post)));
    let pairs = one.iter().zip(other);
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Whether slip that halts may stick or leave by a hair, and the difference shows: two coefficients, or a
/// singular W, which arrests what sticks.
fn hangs_by_a_hair(x: &SpatialProblem) -> bool {
    let threshold = x.w().stick_threshold();
    let shows = x.mu_s > x.mu_d || x.w().nn_stuck() == 0.0;
    shows && (x.mu_s - threshold).abs() <= 1e-9 * threshold
}

#[test]
fn units_change_no_digit_and_tangents_only_turn_the_answer() {
    let mut rng = Rng::with_seed(62);
    for i in 0..count(100_000) {
        let x = SpatialProblem::delicate(&mut rng);
        if hangs_by_a_hair(&x) {
            continue;
        }
        let law = ROUTH[i % 3];
        let s = solve(&x.impact(), law).unwrap();
        let speed = x.v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let other = solve(&x.scaled(0.25, 1024.0).impact(), law).unwrap();
        let back = |v: [f64; 3]| v.map(|v| v / 1024.0);
        assert_eq!(apart(&s, &other, back), 0.0, "{x:?}: {s:?} {other:?}");
        assert_eq!(s.contact_type, other.contact_type, "{x:?}");
        let angle = 6.3 * rng.f64();
        let other = solve(&x.turned(angle).impact(), law).unwrap();
        let (sin, cos) = angle.sin_cos();
        let back = |v: [f64; 3]| [v[0], cos * v[1] - sin * v[2], sin * v[1] + cos * v[2]];
        let miss = apart(&s, &other, back);
        // A singular W near its threshold may take a great impulse, of which W p is a small difference.
        let most = x
            .w()
            .matrix()
            .as_flattened()
            .iter()
            .fold(0.0, |m: f64, w| m.max(w.abs()));
        let terms = s.end.map_or(0.0, |end| most * end.impulse.n);
        let bound = 1e-11 * speed + 1e-13 * terms;
        assert!(miss <= bound, "{miss:e} {x:?}: {s:?} {other:?}");
    }
}

#[test]
fn planar_impacts_in_space_have_the_answer_of_their_plane() {
    let mut rng = Rng::with_seed(63);
    let mut types = [0usize; 7];
    for i in 0..count(10_000) {
        let mut x = Problem::general(&mut rng);
        match i % 10 {
            0 => x.v_t = 0.0,
            1 => x.mu_d = 0.0,
            2 => (x.mu_s, x.mu_d) = (x.c.abs() / x.b * 1.5, x.c.abs() / x.b * 1.5),
            _ => {}
        }
        let across = 10f64.powf(4.0 * rng.f64() - 2.0) * x.b;
        let (sin, cos) = (6.3 * rng.f64()).sin_cos();
        let turn = |along: f64, side: f64| [cos * along - sin * side, sin * along + cos * side];
        let [n_1, n_2] = turn(x.c, 0.0);
        let (w_11, w_22) = (
            cos * cos * x.b + sin * sin * across,
            sin * sin * x.b + cos * cos * across,
        );
        let w_12 = sin * cos * (x.b - across);
        let w = [[x.a, n_1, n_2], [n_1, w_11, w_12], [n_2, w_12, w_22]];
        let v = SpatialVector {
            n: x.v_n,
            t: turn(x.v_t, 0.0),
        };
        let friction = Friction::new(x.mu_s, x.mu_d).unwrap();
        let w = SpatialDelassus::new(w).unwrap();
        let impact = SpatialImpact::new(w, v, friction, x.restitution).unwrap();
        for law in Law::ALL {
            let (flat, solid) = (x.solve(law), solve(&impact, law).unwrap());
            assert_eq!(flat.outcome, solid.outcome, "{x:?} {law}");
            assert_eq!(flat.contact_type, solid.contact_type, "{x:?} {law}");
            types[ContactType::ALL
                .iter()
                .position(|t| *t == flat.contact_type)
                .unwrap()] += 1;
            let (Some(a), Some(b)) = (flat.end, solid.end) else {
                continue;
            };
            let p = a.impulse.n.abs().max(a.impulse.t.abs());
            let speed = x
                .v_n
                .abs()
                .max(x.v_t.abs())
                .max(a.v_post.n.abs())
                .max(a.v_post.t.abs());
            let wanted = [
                a.impulse.n,
                turn(a.impulse.t, 0.0)[0],
                turn(a.impulse.t, 0.0)[1],
            ];
            for (found, wanted) in listed(b.impulse).iter().zip(wanted) {
                assert!(
                    (found - wanted).abs() <= 1e-11 * p,
                    "{x:?} {law}: {a:?} {b:?}"
                );
            }
            let wanted = [
                a.v_post.n,
                turn(a.v_post.t, 0.0)[0],
                turn(a.v_post.t, 0.0)[1],
            ];
            for (found, wanted) in listed(b.v_post).iter().zip(wanted) {
                assert!(
                    (found - wanted).abs() <= 1e-11 * speed,
                    "{x:?} {law}: {a:?} {b:?}"
                );
            }
            let miss = (a.energy_change - b.energy_change).abs();
            assert!(miss <= 1e-11 * a.energy_scale, "{x:?} {law}");
        }
    }
    assert!(
        types[..5].iter().all(|n| *n >= count(10_000) / 1000),
        "{types:?}"
    );
}

#[test]
fn a_thousand_impacts_agree_with_a_direct_integration() {
    let mut rng = Rng::with_seed(64);
    let (mut compared, mut halted) = (0, 0);
    for i in 0..count(1_000) {
        let degrees = 3 + i % 9;
        let x = SpatialProblem::general(&mut rng, degrees);
        let (impact, law) = (x.impact(), ROUTH[i % 3]);
        let s = solve(&impact, law).unwrap();
        let (Some(end), Some(other)) = (s.end, march(&impact, law)) else {
            continue;
        };
        compared += 1;
        halted += usize::from(s.contact_type != ContactType::PermanentSliding);
        let speed = x.v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let p = other.p[0];
        for k in 0..3 {
            let miss = (listed(end.impulse)[k] - other.p[k]).abs();
            assert!(miss <= 1e-8 * p, "{miss:e} {x:?} {law}: {s:?} {other:?}");
            let miss = (listed(end.v_post)[k] - other.v[k]).abs();
            assert!(
                miss <= 1e-8 * speed,
                "{miss:e} {x:?} {law}: {s:?} {other:?}"
            );
        }
        let miss = (end.work.n - other.w_n).abs();
        assert!(miss <= 1e-8 * end.energy_scale, "{miss:e} {x:?} {law}");
    }
    assert!(compared * 100 >= count(1_000) * 98, "{compared}");
    assert!(halted * 10 >= compared, "{halted} of {compared}");
}

#[test]
fn laws_of_totals_meet_coulombs_law_and_newtons_ratio() {
    let mut rng = Rng::with_seed(65);
    let (mut solved, mut sliding) = (0, 0);
    for i in 0..count(100_000) {
        let x = SpatialProblem::general(&mut rng, 3 + i % 9);
        let impact = x.impact();
        for law in [Law::Moreau, Law::Whittaker] {
            let s = solve(&impact, law).unwrap();
            let Some(end) = s.end else {
                assert_eq!(s.outcome, Outcome::Infeasible);
                continue;
            };
            solved += 1;
            assert!(end.energy_residual <= 1e-10, "{x:?} {s:?}");
            assert!(end.cone_residual <= 1e-10, "{x:?} {s:?}");
            let [p_1, p_2] = end.impulse.t;
            let [v_1, v_2] = end.v_post.t;
            let speed = x.v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            if v_1.hypot(v_2) > 1e-6 * speed {
                sliding += 1;
                // p_t = −μ p_n v_t/|v_t|
                let pull = x.mu_d * end.impulse.n / v_1.hypot(v_2);
                let miss = (p_1 + pull * v_1).hypot(p_2 + pull * v_2);
                assert!(miss <= 1e-7 * end.impulse.n, "{miss:e} {x:?} {s:?}");
            }
        }
    }
    assert!(solved * 100 >= 2 * count(100_000) * 99, "{solved}");
    assert!(sliding * 5 > solved, "{sliding} of {solved}");
}
