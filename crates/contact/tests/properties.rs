//! What every planar impact must satisfy, over random problems with their ties and zeros.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use carom_contact::contact_space::{ContactSpace, Friction, Mechanism, PlanarVector};
use carom_contact::impact::Law;
use carom_contact::impact::planar::{PlanarImpact, PlanarSolution, solve};
use carom_contact::impact::{ContactType, Outcome, PointImpactError};
use common::audit::{BALANCE, audit, is_false_alarm};
use common::mechanism::{Sample, dot};
use common::{Problem, ROUTH, assert_close, count, either_sign, largest};
use fastrand::Rng;

/// Runs a check and names the problem it failed on.
fn naming(x: &impl std::fmt::Debug, check: impl FnOnce()) {
    if let Err(cause) = catch_unwind(AssertUnwindSafe(check)) {
        eprintln!("on {x:?}");
        resume_unwind(cause);
    }
}

/// How often each regime was met.
#[derive(Debug, Default)]
struct Tally {
    types: [usize; 7],
    jam_slope: usize,
    jammed: usize,
    without_collision: usize,
    reverse_also_consistent: usize,
    gains: usize,
}

impl Tally {
    fn add(&mut self, s: &PlanarSolution) {
        let index = ContactType::ALL.iter().position(|t| *t == s.contact_type);
        self.types[index.unwrap()] += 1;
        self.jammed += usize::from(s.outcome == Outcome::Jammed);
        self.jam_slope += usize::from(s.findings.jam_slope);
        self.without_collision += usize::from(s.findings.without_collision);
        self.reverse_also_consistent += usize::from(s.findings.reverse_also_consistent);
        self.gains += usize::from(s.findings.energy_gain);
    }

    /// Every regime but `Frictionless`, which a contact with two rows never has.
    fn assert_each_reached(&self, least: usize) {
        for (contact_type, n) in ContactType::ALL.iter().zip(self.types) {
            let is_met = n >= least || *contact_type == ContactType::Frictionless;
            assert!(is_met, "{contact_type:?}: {self:?}");
        }
        let others = [
            self.jam_slope,
            self.jammed,
            self.without_collision,
            self.reverse_also_consistent,
            self.gains,
        ];
        assert!(others.iter().all(|n| *n >= least), "{self:?}");
    }
}

#[test]
fn every_impact_balances_its_energy_and_keeps_coulombs_law_on_every_segment() {
    let mut rng = Rng::with_seed(41);
    let mut tally = Tally::default();
    let n = count(1_000_000);
    for _ in 0..n {
        let x = Problem::delicate(&mut rng);
        let impact = x.impact();
        naming(&x, || {
            for law in ROUTH {
                let s = solve(&impact, law).unwrap();
                audit(&impact, &s);
                tally.add(&s);
            }
        });
    }
    tally.assert_each_reached(n / 200);
}

#[test]
fn a_gain_of_energy_is_never_announced_for_round_off() {
    let mut rng = Rng::with_seed(42);
    let mut false_alarms = Vec::new();
    let mut gains = 0;
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        for law in ROUTH {
            let s = x.solve(law);
            gains += usize::from(s.findings.energy_gain);
            if is_false_alarm(&s) {
                false_alarms.push((x, law));
            }
        }
    }
    assert!(gains > count(3_000), "{gains}");
    let first = false_alarms.first();
    assert!(
        false_alarms.is_empty(),
        "{} false alarms, first {first:?}",
        false_alarms.len()
    );
}

/// Ends that must agree, within round-off of their largest terms.
fn assert_same_end(x: &Problem, s: &PlanarSolution, other: &PlanarSolution) {
    let (a, b) = match (s.end, other.end) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => {
            assert_eq!(a.is_some(), b.is_some());
            return;
        }
    };
    let (p_n, p_t) = (a.impulse.n, a.impulse.t);
    let p = largest(&[p_n, p_t]);
    assert_close("p_n", b.impulse.n, p_n, BALANCE * p);
    assert_close("p_t", b.impulse.t, p_t, BALANCE * p);
    let v_n = largest(&[x.v_n, x.a * p_n, x.c * p_t]);
    let v_t = largest(&[x.v_t, x.c * p_n, x.b * p_t]);
    assert_close("v_n", b.v_post.n, a.v_post.n, BALANCE * v_n);
    assert_close("v_t", b.v_post.t, a.v_post.t, BALANCE * v_t);
}

#[test]
fn the_three_laws_agree_when_the_slope_never_changes_or_nothing_is_restored() {
    let mut rng = Rng::with_seed(43);
    let mut reached = [0usize; 4];
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        let [newton, poisson, energetic] = ROUTH.map(|law| x.solve(law));
        let slides = newton.contact_type == ContactType::PermanentSliding;
        // Without collision Newton's law has no velocity to restore.
        let is_struck = x.v_n < 0.0;
        let reasons = [
            slides && x.v_t != 0.0 && is_struck,
            x.restitution == 0.0,
            x.c == 0.0 && is_struck,
            x.mu_s == 0.0 && is_struck,
        ];
        for (n, is) in reached.iter_mut().zip(reasons) {
            *n += usize::from(is);
        }
        if reasons.contains(&true) {
            naming(&x, || {
                assert_same_end(&x, &newton, &poisson);
                assert_same_end(&x, &newton, &energetic);
            });
        }
    }
    assert!(reached.iter().all(|n| *n > count(5_000)), "{reached:?}");
}

#[test]
fn the_mirror_image_of_an_impact_has_the_mirror_image_for_answer() {
    let mut rng = Rng::with_seed(44);
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        let mirrored = Problem {
            c: -x.c,
            v_t: -x.v_t,
            ..x
        };
        for law in Law::ALL {
            let (s, m) = (x.solve(law), mirrored.solve(law));
            assert_eq!((s.outcome, s.contact_type), (m.outcome, m.contact_type));
            assert_eq!(s.findings, m.findings, "{x:?} {law}");
            assert_eq!(s.compression, m.compression);
            let flip = |v: PlanarVector| PlanarVector { n: v.n, t: -v.t };
            let (a, b) = (s.end, m.end);
            assert_eq!(a.map(|a| a.impulse), b.map(|b| flip(b.impulse)), "{x:?}");
            assert_eq!(a.map(|a| a.v_post), b.map(|b| flip(b.v_post)), "{x:?}");
            assert_eq!(a.map(|a| a.work), b.map(|b| b.work), "{x:?}");
        }
    }
}

#[test]
fn units_of_mass_length_and_time_scale_the_answer_and_change_no_bit_of_it() {
    // Powers of two commute with rounding: the answers scale exactly.
    let mut rng = Rng::with_seed(45);
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        let mass = 2f64.powi(rng.i32(-20..=20));
        let speed = 2f64.powi(rng.i32(-20..=20)); // length over time
        let scaled = Problem {
            a: x.a / mass,
            c: x.c / mass,
            b: x.b / mass,
            v_n: x.v_n * speed,
            v_t: x.v_t * speed,
            ..x
        };
        for law in Law::ALL {
            let (s, t) = (x.solve(law), scaled.solve(law));
            assert_eq!((s.outcome, s.contact_type), (t.outcome, t.contact_type));
            assert_eq!(s.findings, t.findings, "{x:?} {law}");
            let times = |v: PlanarVector, by: f64| PlanarVector {
                n: v.n * by,
                t: v.t * by,
            };
            let (impulse, energy) = (mass * speed, mass * speed * speed);
            let (a, b) = (s.end, t.end);
            assert_eq!(
                a.map(|a| times(a.impulse, impulse)),
                b.map(|b| b.impulse),
                "{x:?} {law}"
            );
            assert_eq!(a.map(|a| times(a.v_post, speed)), b.map(|b| b.v_post));
            assert_eq!(a.map(|a| times(a.work, energy)), b.map(|b| b.work));
        }
    }
}

/// The mechanism's own balance: `½ q̇ᵀMq̇` and `J q̇` before and after.
fn check_mechanism(
    sample: &Sample,
    space: &mut ContactSpace,
    impact: &PlanarImpact,
    s: &PlanarSolution,
) {
    let Some(end) = s.end else { return };
    let mut after = sample.velocity.clone();
    space.apply(&[end.impulse.n, end.impulse.t], &mut after);
    let (t_pre, t_post) = (sample.energy(&sample.velocity), sample.energy(&after));
    let (p, v) = (end.impulse, impact.v_pre());
    let scale = largest(&[t_pre, t_post, v.n * p.n, v.t * p.t]);
    assert_close("½q̇ᵀMq̇", end.energy_change, t_post - t_pre, BALANCE * scale);
    let size = largest(&after).max(largest(&sample.velocity));
    for (row, wanted) in sample
        .rows
        .chunks_exact(sample.n)
        .zip([end.v_post.n, end.v_post.t])
    {
        assert_close("J q̇⁺", dot(row, &after), wanted, 1e-11 * size);
    }
}

#[test]
fn a_mechanism_of_one_to_twelve_degrees_of_freedom_loses_the_energy_the_works_say() {
    let mut rng = Rng::with_seed(46);
    let mut tally = Tally::default();
    let mut space = ContactSpace::new();
    let n = count(120_000);
    for i in 0..n {
        let sample = Sample::draw(&mut rng, 1 + i % 12);
        space
            .reduce(&Mechanism {
                mass: &sample.mass,
                velocity: &sample.velocity,
                rows: &sample.rows,
                constraints: &[],
            })
            .unwrap();
        let x = Problem::delicate(&mut rng);
        let (w, v) = space.planar(0, 1).unwrap();
        let friction = Friction::new(x.mu_s, x.mu_d).unwrap();
        let impact = PlanarImpact::new(w, v, friction, x.restitution).unwrap();
        naming(&impact, || {
            for law in ROUTH {
                let s = solve(&impact, law).unwrap();
                audit(&impact, &s);
                check_mechanism(&sample, &mut space, &impact, &s);
                tally.add(&s);
            }
        });
    }
    let types = &tally.types;
    assert!(types[..5].iter().all(|k| *k > n / 200), "{tally:?}");
    assert!(tally.jammed > n / 200 && types[6] > n / 200, "{tally:?}");
}

#[test]
fn laws_of_totals_keep_newtons_ratio_and_coulombs_cone() {
    let mut rng = Rng::with_seed(47);
    let mut reached = [0usize; 3];
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        let impact = x.impact();
        for (law, mu) in [(Law::Moreau, x.mu_d), (Law::Whittaker, x.mu_s)] {
            let s = x.solve(law);
            if s.outcome != Outcome::Solved {
                let is_singular = impact.w().nn_stuck() <= BALANCE * x.a;
                assert!(x.v_n >= 0.0 || is_singular, "{law} {x:?}: {s:?}");
                continue;
            }
            naming(&(x, law), || check_totals(&x, mu, &s));
            let is_stuck = s.contact_type == ContactType::NonSlidingCompression;
            let kind = if is_stuck {
                0
            } else {
                1 + usize::from(s.findings.slip_contradicted)
            };
            reached[kind] += 1;
        }
    }
    assert!(reached.iter().all(|n| *n > count(10_000)), "{reached:?}");
}

/// `v_n⁺ = −e v_n⁻`, and either `v_t⁺ = 0` inside the cone or full friction against `v_t⁺`.
fn check_totals(x: &Problem, mu: f64, s: &PlanarSolution) {
    let end = s.end.unwrap();
    let (p, v) = (end.impulse, end.v_post);
    assert_eq!(v.n, -x.restitution * x.v_n);
    assert!(p.n >= 0.0 && s.path().is_empty());
    assert!(end.momentum_residual < BALANCE, "{s:?}");
    let round_off = BALANCE * largest(&[mu * p.n, p.t]);
    if s.contact_type == ContactType::NonSlidingCompression {
        assert_eq!(v.t, 0.0);
        assert!(p.t.abs() <= mu * p.n + round_off);
    } else {
        assert_close("|p_t|", p.t.abs(), x.mu_d * p.n, round_off);
        let power = BALANCE * largest(&[x.v_t, x.c * p.n, x.b * p.t]) * p.t.abs();
        assert!(p.t * v.t <= power, "friction opposes the slip: {s:?}");
    }
}

#[test]
fn reported_residuals_are_round_off_of_their_largest_term() {
    let mut rng = Rng::with_seed(49);
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        for law in Law::ALL {
            let Some(end) = x.solve(law).end else {
                continue;
            };
            let residuals = (end.momentum_residual, end.energy_residual);
            let is_small = residuals.0 <= BALANCE && residuals.1 <= BALANCE;
            assert!(is_small, "{residuals:?} by {law} for {x:?}");
        }
    }
}

/// A delicate problem in units up to `10^most` away from SI.
fn in_far_units(rng: &mut Rng, most: f64) -> Problem {
    let mut x = Problem::delicate(rng);
    let mass = 10f64.powf(either_sign(rng, most));
    let speed = 10f64.powf(either_sign(rng, most));
    (x.a, x.b, x.c) = (x.a / mass, x.b / mass, x.c / mass);
    (x.v_n, x.v_t) = (x.v_n * speed, x.v_t * speed);
    x
}

/// Finite numbers that balance; energies too small to be normal numbers have no digits to check.
fn check_any_size(s: &PlanarSolution) {
    let mut numbers: Vec<f64> = s.compression.iter().flat_map(|c| [c.p_n, c.work]).collect();
    for x in s.path().iter() {
        numbers.extend([x.p_n, x.p_t, x.v_n, x.v_t]);
    }
    if let Some(end) = s.end {
        numbers.extend([end.impulse.n, end.impulse.t, end.v_post.n, end.v_post.t]);
        numbers.extend([end.work.n, end.work.t, end.energy_change]);
        assert!(end.momentum_residual <= BALANCE, "{s:?}");
        let has_digits = largest(&[end.work.n, end.work.t]) > 1e-280;
        assert!(!has_digits || end.energy_residual <= BALANCE, "{s:?}");
    }
    assert!(numbers.iter().all(|x| x.is_finite()), "{s:?}");
}

#[test]
fn units_eighty_decades_away_cost_no_digit() {
    let mut rng = Rng::with_seed(50);
    for _ in 0..count(200_000) {
        let x = in_far_units(&mut rng, 80.0);
        for law in Law::ALL {
            naming(&(x, law), || check_any_size(&x.solve(law)));
        }
    }
}

#[test]
fn numbers_of_any_size_give_an_answer_that_balances_or_an_error() {
    let mut rng = Rng::with_seed(48);
    let (mut solved, mut refused) = (0usize, 0usize);
    let n = count(300_000);
    for _ in 0..n {
        let x = in_far_units(&mut rng, 200.0);
        let Some(impact) = x.try_impact() else {
            refused += 1;
            continue;
        };
        for law in Law::ALL {
            match solve(&impact, law) {
                Ok(s) => {
                    solved += 1;
                    naming(&(x, law), || check_any_size(&s));
                }
                Err(error) => assert_eq!(error, PointImpactError::Overflow),
            }
        }
    }
    assert!(solved > n / 2 && refused > n / 10, "{solved} {refused}");
}
