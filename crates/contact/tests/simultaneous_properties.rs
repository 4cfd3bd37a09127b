//! Random simultaneous impacts: what must hold whatever the mechanism, and degenerate ones.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::contact_space::{ContactSpace, Mechanism};
use carom_contact::impact::Tangential;
use carom_contact::impact::simultaneous::{Closing, Simultaneous, SimultaneousEnd};
use carom_contact::impact::{
    Constraint, ImpactProblem, ImpactResult, Law, Method, NoteCode, Outcome, Prepared, solve,
};
use carom_support::contact::several::{mass, row, smooth};
use carom_support::random::full_or;
use common::{between, count};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

const BOTH: [Law; 2] = [Law::Newton, Law::Poisson];

/// `k` contacts of `n` coordinates, most of them approaching, coefficients equal or not.
fn problem(rng: &mut Rng, n: usize, k: usize, is_equal: bool) -> ImpactProblem {
    let velocity = row(rng, n);
    let common = rng.f64();
    let contacts = (0..k).map(|i| {
        let mut normal = row(rng, n);
        let v_n: f64 = normal.iter().zip(&velocity).map(|(a, b)| a * b).sum();
        if v_n > 0.0 && rng.u8(0..4) > 0 {
            normal.iter_mut().for_each(|x| *x = -*x);
        }
        smooth(i, normal, if is_equal { common } else { rng.f64() })
    });
    let contacts = contacts.collect();
    ImpactProblem {
        mass: mass(rng, n),
        velocity,
        contacts,
        constraints: Vec::new(),
    }
}

fn by(problem: &ImpactProblem, law: Law) -> ImpactResult {
    let result = solve(problem, law, Method::default());
    result.unwrap_or_else(|error| panic!("{error}: {problem:?}"))
}

fn numbers(result: &ImpactResult) -> Vec<f64> {
    let contacts = result.contacts.iter();
    let contacts = contacts.flat_map(|c| [c.impulse, c.velocity_before, c.velocity_after, c.work]);
    let pairs = contacts
        .flat_map(|pair| [pair.normal, pair.tangent.and_then(Tangential::plane)])
        .flatten();
    let velocity = result.velocity.iter().flatten().copied();
    let spaces = result.determinacy.null_space.iter().flatten().copied();
    pairs
        .chain(velocity)
        .chain(spaces)
        .chain(result.energy_change)
        .collect()
}

#[track_caller]
fn assert_same_velocity(a: &ImpactResult, b: &ImpactResult, tolerance: f64) {
    let (a, b) = (a.velocity.as_ref().unwrap(), b.velocity.as_ref().unwrap());
    let scale = a.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < tolerance * scale, "{a:?} {b:?}");
    }
}

fn gains(result: &ImpactResult) -> bool {
    result.notes.iter().any(|n| n.code == NoteCode::EnergyGain)
}

#[test]
fn one_contact_alone_moves_by_the_closed_form() {
    let mut rng = Rng::with_seed(1);
    let (mut space, mut solver) = (ContactSpace::new(), Simultaneous::new());
    for _ in 0..count(20_000) {
        let n = rng.usize(1..8);
        let problem = problem(&mut rng, n, 1, false);
        let only = &problem.contacts[0];
        space
            .reduce(&Mechanism {
                mass: &problem.mass.concat(),
                velocity: &problem.velocity,
                rows: &only.normal,
                constraints: &[],
            })
            .unwrap();
        let (w, v) = (space.w(0, 0), space.v(0));
        let closing = Closing {
            rows: &[0],
            v_n: &[v],
            restitution: &[only.restitution],
        };
        for law in BOTH {
            let end = solver.solve(&space, &closing, law).unwrap();
            let wanted = (-(1.0 + only.restitution) * v / w).max(0.0);
            let found = solver.impulses()[0];
            assert!((found - wanted).abs() <= 1e-10 * wanted, "{found} {wanted}");
            let alone = by(&problem, law);
            assert_eq!(end.outcome, alone.outcome);
            let change = alone.energy_change.unwrap();
            assert!((end.energy_change - change).abs() <= 1e-10 * change.abs().max(1.0));
        }
    }
}

/// A contact added far from closing: the others move as if it were not there.
#[test]
fn a_receding_contact_that_is_not_pushed_changes_nothing() {
    let mut rng = Rng::with_seed(2);
    let mut seen = 0;
    for _ in 0..count(20_000) {
        let n = rng.usize(2..8);
        let mut problem = problem(&mut rng, n, 2, false);
        let before = BOTH.map(|law| by(&problem, law));
        problem
            .contacts
            .push(smooth(2, row(&mut rng, n), rng.f64()));
        for (law, before) in BOTH.iter().zip(&before) {
            let after = by(&problem, *law);
            let last = &after.contacts[2];
            let is_idle = last.velocity_before.normal > Some(0.0)
                && last.velocity_after.normal > Some(1e-6)
                && last.impulse.normal == Some(0.0)
                && last.path.is_empty();
            let is_open_on_the_way = *law == Law::Newton; // Poisson may touch in compression
            if is_idle && is_open_on_the_way && before.outcome == Outcome::Solved {
                seen += 1;
                assert_same_velocity(before, &after, 1e-10);
            }
        }
    }
    assert!(seen > count(2_000), "{seen}");
}

#[test]
fn relabelling_the_contacts_changes_nothing() {
    let mut rng = Rng::with_seed(3);
    let mut singular = 0;
    for round in 0..count(10_000) {
        let (n, k) = (rng.usize(1..7), rng.usize(2..7));
        let problem = problem(&mut rng, n, k, round % 2 == 0);
        let mut order: Vec<usize> = (0..k).collect();
        rng.shuffle(&mut order);
        let mut other = problem.clone();
        other.contacts = order.iter().map(|&i| problem.contacts[i].clone()).collect();
        for law in BOTH {
            let (a, b) = (by(&problem, law), by(&other, law));
            assert_eq!(a.outcome, b.outcome, "{problem:?}");
            assert_eq!(a.determinacy.rank, b.determinacy.rank);
            singular += usize::from(a.determinacy.rank < k);
            if a.velocity.is_none() {
                continue;
            }
            assert_same_velocity(&a, &b, 1e-8);
            for (here, &there) in order.iter().enumerate() {
                let unique = |r: &ImpactResult, i: usize| r.determinacy.impulses_unique[i];
                assert_eq!(unique(&b, here), unique(&a, there), "{problem:?}");
                let p = |r: &ImpactResult, i: usize| r.contacts[i].impulse.normal.unwrap();
                let (x, y) = (p(&b, here), p(&a, there));
                assert!(
                    (x - y).abs() < 1e-7 * x.abs().max(1.0),
                    "{x} {y} {problem:?}"
                );
            }
        }
    }
    assert!(singular > count(2_000), "{singular}");
}

#[test]
fn a_repeated_contact_moves_nothing_and_shares_the_impulse() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..count(10_000) {
        let n = rng.usize(3..8);
        let k = rng.usize(1..4);
        let problem = problem(&mut rng, n, k, true);
        let mut doubled = problem.clone();
        let mut copy = problem.contacts[0].clone();
        let unit = between(&mut rng, 0.5, 2.0); // a row in other units is the same contact
        copy.normal.iter_mut().for_each(|x| *x *= unit);
        doubled.contacts.push(copy);
        for law in BOTH {
            let (one, two) = (by(&problem, law), by(&doubled, law));
            assert_eq!(two.determinacy.rank, k.min(n));
            if one.outcome == Outcome::NoImpact {
                assert_eq!(two.outcome, Outcome::NoImpact);
                continue;
            }
            assert_same_velocity(&one, &two, 1e-9);
            let p = |r: &ImpactResult, i: usize| r.contacts[i].impulse.normal.unwrap();
            let (first, last) = (p(&two, 0), p(&two, k));
            let whole = p(&one, 0);
            assert!((first + unit * last - whole).abs() < 1e-8 * whole.max(1.0));
            // Least norm: in proportion to the rows.
            assert!(
                (last - unit * first).abs() < 1e-8 * whole.max(1.0),
                "{first} {last}"
            );
            let is_shared = !two.determinacy.impulses_unique[0];
            assert_eq!(is_shared, !two.determinacy.impulses_unique[k]);
            assert!(is_shared || whole < 1e-8, "{two:?}");
        }
    }
}

#[test]
fn energy_never_grows_under_poisson_with_equal_coefficients_and_newton_says_when_it_does() {
    let mut rng = Rng::with_seed(5);
    let (mut grown, mut solved) = (0, 0);
    for round in 0..count(20_000) {
        let (n, k) = (rng.usize(1..7), rng.usize(2..7));
        let problem = problem(&mut rng, n, k, round % 2 == 0);
        for law in BOTH {
            let result = by(&problem, law);
            let Some(change) = result.energy_change else {
                continue;
            };
            solved += 1;
            let works = result.contacts.iter().map(|c| c.work.normal.unwrap());
            let scale = works.fold(0.0f64, |most, x| most.max(x.abs()));
            let is_growth = change > 1e-10 * scale;
            grown += usize::from(is_growth && law == Law::Newton);
            assert!(!is_growth || gains(&result), "{result:?}");
            assert!(!gains(&result) || change > 0.0);
            let is_equal = round % 2 == 0;
            assert!(
                !(is_equal && law == Law::Poisson && is_growth),
                "{result:?}"
            );
        }
    }
    assert!(
        solved > count(20_000) && grown > count(200),
        "{solved} {grown}"
    );
}

/// Second route: complementarity checked on velocities from the multipliers of one large system.
#[test]
fn constrained_contacts_move_as_the_saddle_point_system_says() {
    let mut rng = Rng::with_seed(6);
    for _ in 0..count(10_000) {
        let n = rng.usize(3..9);
        let (m, k) = (rng.usize(1..n - 1), rng.usize(2..6));
        let mut problem = problem(&mut rng, n, k, false);
        let rows: Vec<Vec<f64>> = (0..m).map(|_| row(&mut rng, n)).collect();
        let g = DMatrix::from_fn(m, n, |i, j| rows[i][j]);
        let mut velocity = DVector::from_vec(problem.velocity.clone());
        let gram = (&g * g.transpose()).lu().solve(&(&g * &velocity)).unwrap();
        velocity -= g.transpose() * gram;
        problem.velocity = velocity.iter().copied().collect();
        problem.constraints = vec![Constraint {
            name: "g".to_owned(),
            rows,
        }];
        for law in BOTH {
            let result = by(&problem, law);
            if result.velocity.is_none() || result.outcome == Outcome::NoImpact {
                continue;
            }
            check_saddle_point(&problem, &g, &velocity, &result);
        }
    }
}

fn check_saddle_point(
    problem: &ImpactProblem,
    g: &DMatrix<f64>,
    velocity: &DVector<f64>,
    result: &ImpactResult,
) {
    let (m, n, k) = (g.nrows(), g.ncols(), problem.contacts.len());
    let mut system = DMatrix::zeros(n + m, n + m);
    let mass = DMatrix::from_fn(n, n, |i, j| problem.mass[i][j]);
    system.view_mut((0, 0), (n, n)).copy_from(&mass);
    system.view_mut((0, n), (n, m)).copy_from(&-g.transpose());
    system.view_mut((n, 0), (m, n)).copy_from(g);
    let jac = DMatrix::from_fn(k, n, |i, j| problem.contacts[i].normal[j]);
    let p = DVector::from_fn(k, |i, _| result.contacts[i].impulse.normal.unwrap());
    let mut b = DVector::zeros(n + m);
    b.rows_mut(0, n).copy_from(&(jac.transpose() * &p));
    let x = system.lu().solve(&b).unwrap();
    let after = velocity + x.rows(0, n);
    let scale = after.amax().max(p.amax()).max(1.0);
    let found = result.velocity.as_ref().unwrap();
    for i in 0..n {
        assert!((found[i] - after[i]).abs() < 1e-8 * scale);
    }
    let before = &jac * velocity;
    let v_n = &jac * after;
    for i in 0..k {
        assert!(p[i] >= 0.0);
        let e = match result.law {
            Law::Newton => problem.contacts[i].restitution,
            _ => 0.0, // Poisson: nothing approaches at the end
        };
        let slack = v_n[i] + e * before[i].min(0.0);
        assert!(slack > -1e-8 * scale, "{slack:e} {problem:?}");
        let is_complementary = slack.abs().min(p[i]) < 1e-8 * scale;
        assert!(result.law != Law::Newton || is_complementary);
    }
    assert!(result.residuals.momentum.unwrap() < 1e-9);
    assert!(result.residuals.energy.unwrap() < 1e-9);
}

#[test]
fn units_of_the_rows_scale_impulses_and_nothing_else() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..count(5_000) {
        let (n, k) = (rng.usize(2..7), rng.usize(2..6));
        let problem = problem(&mut rng, n, k.min(n), false);
        let mut other = problem.clone();
        for contact in &mut other.contacts {
            let unit = 10f64.powf(between(&mut rng, -8.0, 8.0));
            contact.normal.iter_mut().for_each(|x| *x *= unit);
        }
        for law in BOTH {
            let (a, b) = (by(&problem, law), by(&other, law));
            assert_eq!(a.outcome, b.outcome);
            assert_eq!(a.determinacy.rank, b.determinacy.rank);
            assert_same_velocity(&a, &b, 1e-8);
        }
    }
}

/// Rows of small integers: duplicates, opposites, zeros, clamps, contacts at rest.
#[test]
fn degenerate_contacts_get_an_answer_or_a_reason_and_never_a_nan() {
    let mut rng = Rng::with_seed(8);
    let mut seen = [0; 4];
    for _ in 0..count(50_000) {
        let (n, k) = (rng.usize(1..5), rng.usize(2..8));
        let digit = |rng: &mut Rng| f64::from(rng.i8(-1..=1));
        let contacts = (0..k).map(|i| {
            let normal = (0..n).map(|_| digit(&mut rng)).collect();
            let restitution = f64::from(rng.u8(0..=2)) / 2.0;
            smooth(i, normal, restitution)
        });
        let contacts = contacts.collect();
        let rows = (0..rng.usize(0..3)).map(|_| (0..n).map(|_| digit(&mut rng)).collect());
        let constraints = vec![Constraint {
            name: "g".to_owned(),
            rows: rows.collect(),
        }];
        let problem = ImpactProblem {
            mass: mass(&mut rng, n),
            velocity: (0..n).map(|_| digit(&mut rng)).collect(),
            contacts,
            constraints,
        };
        for law in BOTH {
            let result = by(&problem, law);
            assert!(numbers(&result).iter().all(|x| x.is_finite()), "{result:?}");
            let kind = match result.outcome {
                Outcome::Solved => 0,
                Outcome::NoImpact => 1,
                Outcome::Infeasible => 2,
                Outcome::Jammed => 3,
                Outcome::Undetermined => continue,
            };
            seen[kind] += 1;
            let has_reason = result.notes.iter().any(|note| !note.sentence.is_empty());
            assert!(kind < 2 || (has_reason && result.velocity.is_none()));
            assert!(kind != 2 || law == Law::Newton, "{problem:?}");
            let is_moving = result
                .notes
                .iter()
                .any(|n| n.code == NoteCode::MovingConstraint);
            assert!(kind != 3 || is_moving, "{result:?}");
        }
    }
    assert!(seen.iter().all(|&x| x > count(200)), "{seen:?}");
}

#[test]
fn two_hundred_contacts_of_one_body_are_solved() {
    let mut rng = Rng::with_seed(9);
    let contacts = full_or(200, 30);
    for n in [6, 40, 220] {
        let problem = problem(&mut rng, n, contacts, true);
        let prepared = Prepared::new(&problem).unwrap();
        for law in BOTH {
            let result = prepared.solve(law, Method::default()).unwrap();
            assert_eq!(result.determinacy.rank, n.min(contacts));
            assert!(numbers(&result).iter().all(|x| x.is_finite()));
            if result.velocity.is_some() {
                assert!(
                    result.residuals.cone.unwrap() < 1e-9,
                    "{:?}",
                    result.residuals
                );
                assert!(
                    result.residuals.energy.unwrap() < 1e-9,
                    "{:?}",
                    result.residuals
                );
            }
        }
    }
}

#[test]
fn contacts_that_all_recede_or_rest_have_no_impact() {
    let mut rng = Rng::with_seed(10);
    let mut problem = problem(&mut rng, 4, 5, false);
    let velocity = problem.velocity.clone();
    for contact in &mut problem.contacts {
        let v_n: f64 = contact
            .normal
            .iter()
            .zip(&velocity)
            .map(|(a, b)| a * b)
            .sum();
        if v_n < 0.0 {
            contact.normal.iter_mut().for_each(|x| *x = -*x);
        }
    }
    for is_at_rest in [false, true] {
        if is_at_rest {
            problem.velocity.fill(0.0);
        }
        for law in BOTH {
            let result = by(&problem, law);
            assert_eq!(result.outcome, Outcome::NoImpact);
            assert_eq!(result.velocity.as_ref(), Some(&problem.velocity));
            assert_eq!(result.energy_change, Some(0.0));
        }
    }
}

/// The simulator calls the solver with the drift of prescribed motions, again and again.
#[test]
fn the_solver_reads_the_velocities_it_is_given_and_repeats_its_bits() {
    let mut rng = Rng::with_seed(11);
    let problem = problem(&mut rng, 3, 4, true);
    let rows: Vec<f64> = problem
        .contacts
        .iter()
        .flat_map(|c| c.normal.clone())
        .collect();
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &problem.mass.concat(),
            velocity: &[0.0; 3],
            rows: &rows,
            constraints: &[],
        })
        .unwrap();
    let at_work: Vec<f64> = problem
        .contacts
        .iter()
        .map(|c| {
            c.normal
                .iter()
                .zip(&problem.velocity)
                .map(|(a, b)| a * b)
                .sum()
        })
        .collect();
    let restitution = [problem.contacts[0].restitution; 4];
    let closing = Closing {
        rows: &[0, 1, 2, 3],
        v_n: &at_work,
        restitution: &restitution,
    };
    let mut solver = Simultaneous::new();
    for law in BOTH {
        let first: SimultaneousEnd = solver.solve(&space, &closing, law).unwrap();
        let impulses = solver.impulses().to_vec();
        assert!(impulses.iter().any(|p| *p > 0.0));
        assert_eq!(solver.solve(&space, &closing, law).unwrap(), first);
        assert_eq!(solver.impulses(), impulses);
        let whole = by(&problem, law);
        for (p, contact) in impulses.iter().zip(&whole.contacts) {
            assert!((p - contact.impulse.normal.unwrap()).abs() < 1e-12);
        }
    }
}
