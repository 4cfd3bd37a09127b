//! Tangential restitution over random mechanisms, in the plane and in space.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::contact_space::{GivenFriction, PlanarVector, SpatialVector};
use carom_contact::impact::planar::{self, PlanarImpact, PlanarSolution};
use carom_contact::impact::spatial::{self, SpatialImpact, SpatialSolution};
use carom_contact::impact::{
    Constraint, Contact, ContactType, ImpactProblem, Law, Method, NoteCode, Outcome, solve,
};
use carom_support::contact::several::{mass, row};
use carom_support::near::assert_near;
use common::spatial::SpatialProblem;
use common::{Problem, chance, count};
use fastrand::Rng;

/// Balances close to this many units of their largest terms.
const BALANCE: f64 = 1e-12;

fn in_plane(x: &Problem, beta: Option<f64>) -> (PlanarImpact, PlanarSolution) {
    let impact = x.impact().with_tangential_restitution(beta).unwrap();
    let solution = planar::solve(&impact, Law::Newton);
    (
        impact,
        solution.unwrap_or_else(|error| panic!("{x:?} {beta:?}: {error}")),
    )
}

fn in_space(x: &SpatialProblem, beta: Option<f64>) -> (SpatialImpact, SpatialSolution) {
    let impact = x.impact().with_tangential_restitution(beta).unwrap();
    let solution = spatial::solve(&impact, Law::Newton);
    (
        impact,
        solution.unwrap_or_else(|error| panic!("{x:?} {beta:?}: {error}")),
    )
}

/// A coefficient with its ends.
fn some_beta(rng: &mut Rng) -> f64 {
    match rng.u8(0..8) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.f64(),
    }
}

/// How often each regime was met.
#[derive(Debug, Default)]
struct Tally {
    grips: usize,
    does_not: usize,
    gains: usize,
    loses: usize,
}

#[test]
fn a_planar_contact_grips_inside_the_cone_and_goes_on_without_it_outside() {
    let mut rng = Rng::with_seed(2811);
    let mut tally = Tally::default();
    for _ in 0..count(300_000) {
        let x = Problem::delicate(&mut rng);
        let beta = some_beta(&mut rng);
        let (impact, s) = in_plane(&x, Some(beta));
        let (_, without) = in_plane(&x, None);
        if !s.findings.grips {
            tally.does_not += usize::from(s.findings.cannot_grip);
            let mut bare = s;
            bare.findings.cannot_grip = false;
            assert_eq!(bare, without, "{x:?}");
            continue;
        }
        tally.grips += 1;
        let end = s.end.unwrap();
        let (v, p) = (impact.v_pre(), end.impulse);
        assert_eq!(end.v_post.n, -x.restitution * v.n + 0.0);
        assert_eq!(end.v_post.t, -beta * v.t + 0.0);
        assert!(
            p.n > 0.0 && p.t.abs() <= x.mu_s * p.n * (1.0 + BALANCE),
            "{x:?}"
        );
        assert!(end.momentum_residual <= BALANCE, "{x:?}: {s:?}");
        assert!(end.energy_residual <= BALANCE, "{x:?}: {s:?}");
        assert!(s.path().is_empty() && s.outcome == Outcome::Solved);
        let halves = 0.5 * (1.0 - x.restitution) * v.n * p.n + 0.5 * (1.0 - beta) * v.t * p.t;
        let miss = (end.energy_change - halves).abs();
        assert!(miss <= BALANCE * end.energy_scale, "{x:?}: {miss:e}");
        tally.gains += usize::from(s.findings.energy_gain);
        tally.loses += usize::from(end.energy_change < 0.0);
        assert!(x.c != 0.0 || !s.findings.energy_gain, "{x:?}");
    }
    let met = [tally.grips, tally.does_not, tally.gains, tally.loses];
    assert!(met.iter().all(|n| *n > count(2_000)), "{tally:?}");
}

/// β = 0 asks for rest at the end; without the key friction alone says whether the slip ends so.
#[test]
fn no_tangential_restitution_is_another_thing_than_one_of_zero() {
    let mut rng = Rng::with_seed(2812);
    let (mut same, mut differ) = (0, 0);
    for _ in 0..count(50_000) {
        let x = Problem::general(&mut rng);
        let (_, held) = in_plane(&x, Some(0.0));
        let (_, free) = in_plane(&x, None);
        if !held.findings.grips {
            continue;
        }
        let (a, b) = (held.end.unwrap(), free.end.unwrap());
        assert_eq!(a.v_post.t, 0.0);
        assert_eq!(held.contact_type, ContactType::NonSlidingCompression);
        if b.v_post.t == 0.0 {
            same += 1;
            let size = a.impulse.n.abs().max(a.impulse.t.abs());
            assert!((a.impulse.n - b.impulse.n).abs() <= 1e-10 * size, "{x:?}");
        } else {
            differ += 1;
        }
    }
    assert!(
        same > count(5_000) && differ > count(200),
        "{same} {differ}"
    );
}

#[test]
fn mirror_and_units_change_nothing_in_the_plane() {
    let mut rng = Rng::with_seed(2813);
    for _ in 0..count(50_000) {
        let x = Problem::delicate(&mut rng);
        let beta = Some(some_beta(&mut rng));
        let mirrored = Problem {
            c: -x.c,
            v_t: -x.v_t,
            ..x
        };
        let ((_, s), (_, m)) = (in_plane(&x, beta), in_plane(&mirrored, beta));
        assert_eq!((s.contact_type, s.findings), (m.contact_type, m.findings));
        let flip = |v: PlanarVector| PlanarVector { n: v.n, t: -v.t };
        assert_eq!(
            s.end.map(|end| (end.impulse, end.v_post)),
            m.end.map(|end| (flip(end.impulse), flip(end.v_post))),
            "{x:?}"
        );
        let (mass, speed) = (2f64.powi(rng.i32(-20..=20)), 2f64.powi(rng.i32(-20..=20)));
        let scaled = Problem {
            a: x.a / mass,
            c: x.c / mass,
            b: x.b / mass,
            v_n: x.v_n * speed,
            v_t: x.v_t * speed,
            ..x
        };
        let (_, t) = in_plane(&scaled, beta);
        assert_eq!((s.contact_type, s.findings), (t.contact_type, t.findings));
        let times = |v: PlanarVector| PlanarVector {
            n: v.n * mass * speed,
            t: v.t * mass * speed,
        };
        assert_eq!(
            s.end.map(|end| times(end.impulse)),
            t.end.map(|end| end.impulse),
            "{x:?}"
        );
    }
}

fn listed(v: SpatialVector) -> [f64; 3] {
    [v.n, v.t[0], v.t[1]]
}

#[test]
fn a_contact_in_space_grips_as_its_numbers_say_whatever_its_tangents_and_units() {
    let mut rng = Rng::with_seed(2814);
    let mut tally = Tally::default();
    for _ in 0..count(60_000) {
        let x = SpatialProblem::delicate(&mut rng);
        let beta = some_beta(&mut rng);
        let (impact, s) = in_space(&x, Some(beta));
        if !s.findings.grips {
            tally.does_not += usize::from(s.findings.cannot_grip);
            let (_, without) = in_space(&x, None);
            assert_eq!((s.end, s.outcome), (without.end, without.outcome), "{x:?}");
            continue;
        }
        tally.grips += 1;
        let end = s.end.unwrap();
        let (v, p) = (listed(impact.v_pre()), listed(end.impulse));
        let wanted = [-x.restitution * v[0], -beta * v[1], -beta * v[2]];
        assert_eq!(listed(end.v_post), wanted.map(|v| v + 0.0), "{x:?}");
        let residuals = [
            end.momentum_residual,
            end.energy_residual,
            end.cone_residual,
        ];
        assert!(residuals.iter().all(|r| *r <= BALANCE), "{x:?}: {end:?}");
        let halves = 0.5 * (1.0 - x.restitution) * v[0] * p[0]
            + 0.5 * (1.0 - beta) * (v[1] * p[1] + v[2] * p[2]);
        let miss = (end.energy_change - halves).abs();
        assert!(miss <= BALANCE * end.energy_scale, "{x:?}: {miss:e}");
        tally.gains += usize::from(s.findings.energy_gain);
        tally.loses += usize::from(end.energy_change < 0.0);
        assert!(spatial::trace(&impact, Law::Newton).unwrap().is_empty());
        let (_, scaled) = in_space(&x.scaled(0.25, 1024.0), Some(beta));
        let back = scaled.end.map(|end| listed(end.v_post).map(|v| v / 1024.0));
        assert_eq!(back, Some(listed(end.v_post)), "{x:?}");
        let near_edge = (p[1].hypot(p[2]) / p[0] / x.mu_s - 1.0).abs() < 1e-9;
        let near_singular = x.w().nn_stuck() < 1e-9 * x.w().matrix()[0][0];
        if near_edge || near_singular {
            continue;
        }
        let angle = 6.3 * rng.f64();
        let (_, turned) = in_space(&x.turned(angle), Some(beta));
        let other = listed(turned.end.unwrap().impulse);
        let (sin, cos) = angle.sin_cos();
        let back = [
            other[0],
            cos * other[1] - sin * other[2],
            sin * other[1] + cos * other[2],
        ];
        let size = p.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        for (a, b) in back.iter().zip(p) {
            assert!((a - b).abs() <= 1e-6 * size, "{x:?}: {back:?} for {p:?}");
        }
    }
    let met = [tally.grips, tally.does_not, tally.gains, tally.loses];
    assert!(met.iter().all(|n| *n > count(200)), "{tally:?}");
}

#[test]
fn an_impact_that_keeps_to_a_plane_grips_alike_in_space() {
    let mut rng = Rng::with_seed(2815);
    let mut grips = 0;
    for _ in 0..count(10_000) {
        let x = Problem::general(&mut rng);
        let beta = some_beta(&mut rng);
        let (_, flat) = in_plane(&x, Some(beta));
        let space = SpatialProblem {
            rows: [
                vec![x.a.sqrt(), 0.0, 0.0],
                vec![x.c / x.a.sqrt(), (x.b - x.c * x.c / x.a).sqrt(), 0.0],
                vec![0.0, 0.0, 0.7],
            ],
            v: [x.v_n, x.v_t, 0.0],
            mu_s: x.mu_s,
            mu_d: x.mu_d,
            restitution: x.restitution,
        };
        let (_, solid) = in_space(&space, Some(beta));
        assert_eq!(flat.findings.grips, solid.findings.grips, "{x:?}");
        grips += usize::from(flat.findings.grips);
        let (Some(a), Some(b)) = (flat.end, solid.end) else {
            continue;
        };
        let size = a.impulse.n.abs().max(a.impulse.t.abs());
        assert!((a.impulse.n - b.impulse.n).abs() <= 1e-10 * size, "{x:?}");
        assert!(
            (a.impulse.t - b.impulse.t[0]).abs() <= 1e-10 * size,
            "{x:?}"
        );
    }
    assert!(grips > count(1_000), "{grips}");
}

/// A mechanism of `n` coordinates with a constraint, its contact with one tangent or two.
fn mechanism(rng: &mut Rng, n: usize) -> ImpactProblem {
    let mut velocity = row(rng, n);
    let held = row(rng, n);
    let size: f64 = held.iter().map(|g| g * g).sum();
    let rate: f64 = held.iter().zip(&velocity).map(|(g, v)| g * v).sum();
    for (v, g) in velocity.iter_mut().zip(&held) {
        *v -= rate / size * g;
    }
    let mut normal = row(rng, n);
    let approach: f64 = normal.iter().zip(&velocity).map(|(a, b)| a * b).sum();
    if approach > 0.0 {
        normal.iter_mut().for_each(|x| *x = -*x);
    }
    let is_plane = rng.bool();
    let mu = 3.0 * rng.f64();
    ImpactProblem {
        mass: mass(rng, n),
        velocity,
        contacts: vec![Contact {
            name: "c".to_owned(),
            normal,
            tangent: is_plane.then(|| row(rng, n)),
            tangents: (!is_plane).then(|| [row(rng, n), row(rng, n)]),
            stiffness: 1.0,
            friction: GivenFriction {
                mu_s: mu,
                mu_d: if chance(rng, 0.5) { mu } else { 0.8 * mu },
            },
            restitution: rng.f64(),
            tangential_restitution: Some(rng.f64()),
        }],
        constraints: vec![Constraint {
            name: "g".to_owned(),
            rows: vec![held],
        }],
    }
}

/// The rows of the contact turn the velocities given to those asked, by the coordinates alone.
#[test]
fn whole_mechanisms_that_grip_have_both_ratios() {
    let mut rng = Rng::with_seed(2816);
    let (mut grips, mut does_not) = (0, 0);
    for _ in 0..count(10_000) {
        let n = rng.usize(5..9);
        let problem = mechanism(&mut rng, n);
        let result = solve(&problem, Law::Newton, Method::default()).unwrap();
        let has = |code| result.notes.iter().any(|note| note.code == code);
        does_not += usize::from(has(NoteCode::NoTangentialRebound));
        if !has(NoteCode::TangentialRebound) {
            continue;
        }
        grips += 1;
        let contact = &problem.contacts[0];
        let after = result.velocity.as_ref().unwrap();
        let size = after.iter().chain(&problem.velocity);
        let size = size.fold(0.0, |m: f64, v| m.max(v.abs()));
        let beta = contact.tangential_restitution.unwrap();
        let tangents = contact.tangent_rows().map(|row| (row, beta));
        let rows = tangents.chain([(&contact.normal, contact.restitution)]);
        for (row, ratio) in rows {
            let dot = |v: &[f64]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
            let (before, after) = (dot(&problem.velocity), dot(after));
            assert_near("ratio", after, -ratio * before, 1e-11 * size.max(1.0));
        }
        for residual in [result.residuals.momentum, result.residuals.energy] {
            assert!(residual.unwrap() < 1e-10, "{problem:?}: {result:?}");
        }
        assert!(result.residuals.cone.unwrap() < 1e-14, "{result:?}");
        let changed = result.energy_change.unwrap();
        assert_eq!(
            has(NoteCode::EnergyGain),
            changed > 0.0 && has(NoteCode::EnergyGain)
        );
        assert!(result.contacts[0].path.is_empty());
    }
    assert!(
        grips > count(2_000) && does_not > count(2_000),
        "{grips} {does_not}"
    );
}
