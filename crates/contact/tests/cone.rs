//! Contacts with friction in space: the round cone, from one contact to sixty.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::cone::alone::{OneContact, RestMode};
use carom_contact::cone::{
    ConeContact, ConeImpact, ConeInputError, ConeProblem, ConeSolver, Verdict, moreau, poisson,
};
use carom_contact::contact_space::{ContactSpace, Friction, Mechanism, PlanarVector};
use carom_contact::impact::simultaneous::rough::{self, Ending, RoughClosing, Way};
use carom_contact::impact::{Law, Outcome};
use carom_support::cases::numbers;
use carom_support::contact::cone::{Posed, fclib, fclib_reference};
use carom_support::contact::mechanism::dot;
use carom_support::near::{assert_all_near, difference};
use carom_support::random::{between, count, either_sign, list};
use fastrand::Rng;

/// Six answers are known to it, with different velocities.
const SEVERAL: &str = "OneObject-i1028-138";

fn length(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// The natural residual, computed by its definition from impulses in the units given.
fn natural(posed: &Posed, r: &[f64]) -> f64 {
    let n = posed.q.len();
    let mean = (0..n).map(|i| posed.w[i * n + i]).sum::<f64>() / n as f64;
    let size = length(&posed.q);
    let mut squares = 0.0;
    for (i, contact) in posed.contacts.iter().enumerate() {
        let u = [0, 1, 2].map(|a| {
            let row = 3 * i + a;
            (dot(&posed.w[row * n..(row + 1) * n], r) + posed.q[row]) / size
        });
        let r = [0, 1, 2].map(|a| r[3 * i + a] * mean / size);
        let mu = contact.mu;
        let z = [
            r[0] - u[0] - mu * u[1].hypot(u[2]),
            r[1] - u[1],
            r[2] - u[2],
        ];
        let reach = z[1].hypot(z[2]);
        let p = if reach <= mu * z[0] {
            z
        } else if mu * reach <= -z[0] {
            [0.0; 3]
        } else {
            let n = (z[0] + mu * reach) / (1.0 + mu * mu);
            [n, mu * n * z[1] / reach, mu * n * z[2] / reach]
        };
        squares += (0..3).map(|a| (r[a] - p[a]).powi(2)).sum::<f64>();
    }
    squares.sqrt()
}

#[test]
fn every_problem_of_the_collection_is_solved_to_round_off() {
    let (mut solver, reference) = (ConeSolver::new(), fclib_reference());
    let problems = fclib();
    assert_eq!(problems.len(), 24);
    for posed in problems {
        let name = &posed.name;
        let end = solver.solve(&posed.problem()).unwrap();
        assert!(
            end.is_solved && end.residual.natural < 1e-12,
            "{name}: {end:?}"
        );
        let parts = end.residual;
        let most = parts.cone.max(parts.approach).max(parts.complementarity);
        assert!(most < 1e-11, "{name}: {parts:?}");
        assert!(natural(&posed, solver.impulse()) < 1e-12, "{name}");
        let wanted = numbers(&reference[name]["velocity"]);
        let apart: Vec<f64> = solver
            .velocity()
            .iter()
            .zip(&wanted)
            .map(|(a, b)| a - b)
            .collect();
        let apart = length(&apart) / length(&posed.q);
        assert!(apart < 1e-8 || name == SEVERAL, "{name}: {apart:e}");
    }
}

#[test]
fn uniqueness_is_claimed_only_where_it_is_proved() {
    let (mut solver, reference) = (ConeSolver::new(), fclib_reference());
    let mut proved = 0;
    for posed in fclib() {
        let name = &posed.name;
        solver.solve(&posed.problem()).unwrap();
        let found = solver.uniqueness();
        let known = reference[name]["uniqueness_bound"].as_f64();
        if let (Some(found), Some(known)) = (found.bound, known) {
            assert!(
                found * found <= known * (1.0 + 1e-9),
                "{name}: {found} {known}"
            );
        }
        proved += usize::from(found.velocity == Verdict::Unique);
        if name == SEVERAL {
            assert_ne!(found.velocity, Verdict::Unique);
            assert_eq!(found.impulse, Verdict::Several);
        }
    }
    assert!(proved >= 4, "{proved}");
}

#[test]
fn random_mechanisms_are_solved_whatever_the_rank_of_w() {
    let (mut rng, mut solver) = (Rng::with_seed(71), ConeSolver::new());
    let mut deficient = 0;
    for _ in 0..count(4000) {
        let k = rng.usize(1..9);
        let posed = match rng.u8(0..4) {
            0 => Posed::on_four_corners(&mut rng, 0.3),
            1 => Posed::random(&mut rng, 3 * k, k, 1.0),
            2 => Posed::random(&mut rng, 3 * k + 3, k, 1.0),
            _ => Posed::random(&mut rng, 6, k, 0.7),
        };
        let end = solver.solve(&posed.problem()).unwrap();
        assert!(end.is_solved, "{}: {end:?}", posed.name);
        assert!(natural(&posed, solver.impulse()) < 1e-10, "{}", posed.name);
        deficient += usize::from(posed.contacts.len() > 2 && posed.name.contains("n = 6"));
    }
    assert!(deficient > count(500) / 2, "{deficient}");
}

#[test]
fn a_box_pressed_on_four_corners_has_a_family_of_velocities() {
    let (mut rng, mut solver) = (Rng::with_seed(72), ConeSolver::new());
    let mut several = 0;
    for _ in 0..count(200) {
        let posed = Posed::on_four_corners(&mut rng, 0.3);
        solver.solve(&posed.problem()).unwrap();
        let found = solver.uniqueness();
        assert_ne!(found.velocity, Verdict::Unique);
        if found.velocity == Verdict::Several {
            several += 1;
            let other = found.other.unwrap();
            let moved: Vec<f64> = solver
                .impulse()
                .iter()
                .zip(&other)
                .map(|(a, b)| a + b)
                .collect();
            assert!(natural(&posed, &moved) < 1e-11);
            let n = posed.q.len();
            let apart: Vec<f64> = (0..n)
                .map(|i| dot(&posed.w[i * n..(i + 1) * n], &other))
                .collect();
            assert!(length(&apart) > 1e-7 * length(&posed.q));
        }
    }
    assert!(several >= count(100), "{several}");
}

#[test]
fn a_single_contact_is_solved_by_one_of_all_its_answers() {
    let (mut rng, mut solver) = (Rng::with_seed(73), ConeSolver::new());
    let mut counts = [0; 6];
    for _ in 0..count(20_000) {
        let posed = Posed::random(&mut rng, 3, 1, 2.0);
        let mu = posed.contacts[0].mu;
        let w = [0, 1, 2].map(|a| [0, 1, 2].map(|b| posed.w[3 * a + b]));
        let d = [0, 1, 2].map(|a| posed.q[a]);
        let all = OneContact {
            w,
            d,
            mu_s: mu,
            mu_d: mu,
        }
        .answers();
        counts[all.answers.len()] += 1;
        assert!(!all.answers.is_empty(), "{posed:?}");
        for answer in &all.answers {
            let near = 1e-10 * (1.0 + length(&answer.force) * posed.w[0].max(posed.w[4]));
            assert!(
                natural(&posed, &answer.force) < near,
                "{posed:?} {answer:?}"
            );
        }
        let end = solver.solve(&posed.problem()).unwrap();
        assert!(end.is_solved, "{posed:?} {end:?}");
        let velocity = solver.velocity();
        let nearest = all
            .answers
            .iter()
            .map(|a| difference(&a.acceleration, velocity));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-9, "{posed:?}: {velocity:?} {all:?}");
        if all.is_clear && all.answers.len() > 1 {
            assert_ne!(solver.uniqueness().velocity, Verdict::Unique, "{posed:?}");
        }
    }
    assert!(counts[1] > 0 && counts[3] > count(20), "{counts:?}");
    assert_eq!(
        counts[2] + counts[4] + counts[5],
        0,
        "one or three: {counts:?}"
    );
}

/// Directions of slip in which friction opposes the motion, by going round in small steps.
fn onsets_by_scan(one: &OneContact, steps: u32) -> usize {
    let turn = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let ray = [1.0, -one.mu_d * c, -one.mu_d * s];
        let gain = [0, 1, 2].map(|i| dot(&one.w[i], &ray));
        let load = -one.d[0] / gain[0];
        let a = [1, 2].map(|i| one.d[i] + load * gain[i]);
        let (along, across) = (c * a[0] + s * a[1], c * a[1] - s * a[0]);
        (across, load > 0.0 && along > 0.0)
    };
    let step = std::f64::consts::TAU / f64::from(steps);
    let is_onset = |i: &u32| {
        let (from, to) = (turn(f64::from(*i) * step), turn(f64::from(i + 1) * step));
        from.0 * to.0 < 0.0 && from.1 && to.1
    };
    (0..steps).filter(is_onset).count()
}

#[test]
fn onsets_of_one_contact_are_those_a_scan_of_all_directions_meets() {
    let mut rng = Rng::with_seed(74);
    let mut met = 0;
    for _ in 0..count(2000) {
        let posed = Posed::random(&mut rng, 3, 1, 2.0);
        let mu = posed.contacts[0].mu;
        let one = OneContact {
            w: [0, 1, 2].map(|a| [0, 1, 2].map(|b| posed.w[3 * a + b])),
            d: [0, 1, 2].map(|a| posed.q[a]),
            mu_s: mu,
            mu_d: mu,
        };
        let all = one.answers().answers;
        let onsets = all.iter().filter(|a| a.mode == RestMode::Onset).count();
        let scanned = onsets_by_scan(&one, 4000);
        // Two roots within a step of the scan, or one beside its end, are not met.
        assert!(onsets >= scanned, "{one:?} {all:?}");
        met += usize::from(onsets == scanned);
    }
    assert!(met * 100 >= count(2000) * 97, "{met}");
}

#[test]
fn units_of_mass_length_and_time_scale_the_answer() {
    let (mut rng, mut solver) = (Rng::with_seed(75), ConeSolver::new());
    for _ in 0..count(300) {
        let k = rng.usize(1..6);
        let posed = Posed::random(&mut rng, 3 * k + 1, k, 0.8);
        solver.solve(&posed.problem()).unwrap();
        let (plain, modes) = (solver.velocity().to_vec(), solver.modes().to_vec());
        for (w, q) in [(1e-12, 1e9), (1e15, 1e-20), (3.7, 0.01)] {
            let other = posed.in_units(w, q);
            solver.solve(&other.problem()).unwrap();
            let back: Vec<f64> = solver.velocity().iter().map(|u| u / q).collect();
            assert_all_near("velocity", &back, &plain, 1e-9);
            assert_eq!(solver.modes(), modes);
        }
    }
}

#[test]
fn the_order_in_which_contacts_are_listed_does_not_matter() {
    let (mut rng, mut solver) = (Rng::with_seed(76), ConeSolver::new());
    for _ in 0..count(300) {
        let k = rng.usize(2..7);
        let posed = match rng.bool() {
            true => Posed::random(&mut rng, 3 * k + 1, k, 0.8),
            false => Posed::on_four_corners(&mut rng, 0.3),
        };
        let k = posed.contacts.len();
        solver.solve(&posed.problem()).unwrap();
        let plain = solver.velocity().to_vec();
        let mut order: Vec<usize> = (0..k).collect();
        rng.shuffle(&mut order);
        solver.solve(&posed.listed(&order).problem()).unwrap();
        for (place, i) in order.iter().enumerate() {
            let found = &solver.velocity()[3 * place..3 * place + 3];
            assert_all_near(&posed.name, found, &plain[3 * i..3 * i + 3], 1e-7);
        }
    }
}

/// Rows of a planar mechanism and its velocities at `k` contacts.
struct InPlane {
    space: ContactSpace,
    v: Vec<PlanarVector>,
    friction: Vec<Friction>,
    posed: Posed,
}

/// The second tangent moves nothing.
fn in_plane(rng: &mut Rng, n: usize, k: usize) -> InPlane {
    let (rows, velocity) = (list(rng, 2 * k * n, 1.0), list(rng, n, 1.0));
    let mut mass = vec![0.0; n * n];
    (0..n).for_each(|i| mass[i * n + i] = 1.0);
    let mut space = ContactSpace::new();
    let mechanism = Mechanism {
        mass: &mass,
        velocity: &velocity,
        rows: &rows,
        constraints: &[],
    };
    space.reduce(&mechanism).unwrap();
    let mu: Vec<f64> = (0..k).map(|_| between(rng, 0.0, 0.6)).collect();
    let mut spatial = Vec::new();
    for pair in rows.chunks_exact(2 * n) {
        spatial.extend_from_slice(pair);
        spatial.resize(spatial.len() + n, 0.0);
    }
    let along = |i: usize| dot(&rows[i * n..(i + 1) * n], &velocity);
    InPlane {
        space,
        v: (0..k)
            .map(|i| PlanarVector {
                n: along(2 * i),
                t: along(2 * i + 1),
            })
            .collect(),
        friction: mu
            .iter()
            .map(|mu| Friction::uniform(*mu).unwrap())
            .collect(),
        posed: Posed::of_rows("in a plane", &spatial, n, &velocity, &mu),
    }
}

/// The one ending of a planar impact by modes, where it is the only one.
fn only_ending(plane: &InPlane, restitution: &[f64], law: Law) -> Option<Ending> {
    let k = plane.v.len();
    let normals: Vec<usize> = (0..k).map(|i| 2 * i).collect();
    let tangents: Vec<Option<usize>> = (0..k).map(|i| Some(2 * i + 1)).collect();
    let closing = RoughClosing {
        normals: &normals,
        tangents: &tangents,
        v: &plane.v,
        friction: &plane.friction,
        restitution,
    };
    let set = rough::solve(&plane.space, &closing, law).unwrap();
    let is_one = set.outcome == Outcome::Solved && set.endings.len() == 1 && set.is_complete;
    let ending = set.endings.into_iter().next().filter(|_| is_one)?;
    matches!(ending.way, Way::Modes(_)).then_some(ending)
}

#[test]
fn impacts_in_a_plane_end_as_the_planar_solver_says() {
    let (mut rng, mut solver) = (Rng::with_seed(77), ConeSolver::new());
    let mut compared = [0; 2];
    for _ in 0..count(600) {
        let k = rng.usize(1..4);
        let n = 2 * k + rng.usize(0..2);
        let plane = in_plane(&mut rng, n, k);
        let restitution: Vec<f64> = (0..k).map(|_| rng.f64()).collect();
        let impact = ConeImpact {
            w: &plane.posed.w,
            v: &plane.posed.q,
            friction: &plane.friction,
            restitution: &restitution,
        };
        let ends = [
            (Law::Moreau, moreau(&mut solver, &impact).unwrap()),
            (Law::Poisson, poisson(&mut solver, &impact).unwrap()),
        ];
        for (which, (law, end)) in ends.into_iter().enumerate() {
            let Some(ending) = only_ending(&plane, &restitution, law) else {
                continue;
            };
            assert!(end.is_solved, "{end:?}");
            for (i, contact) in ending.contacts.iter().enumerate() {
                let found = &end.v_post[3 * i..3 * i + 3];
                let wanted = [contact.v_post.n, contact.v_post.t[0], 0.0];
                assert_all_near(law.name(), found, &wanted, 1e-9);
                let works = [contact.work.n, contact.work.t[0], 0.0];
                assert_all_near("work", &end.work[i], &works, 1e-9);
            }
            compared[which] += 1;
        }
    }
    assert!(compared.iter().all(|x| *x >= count(100)), "{compared:?}");
}

/// The same problem with the tangents of each contact turned.
fn turned(posed: &Posed, angles: &[f64]) -> Posed {
    let n = posed.q.len();
    let part = |i: usize, j: usize| {
        let ((s, c), is_own) = (angles[i / 3].sin_cos(), i / 3 == j / 3);
        match (i % 3, j % 3) {
            _ if !is_own => 0.0,
            (0, 0) => 1.0,
            (1, 1) | (2, 2) => c,
            (1, 2) => s,
            (2, 1) => -s,
            _ => 0.0,
        }
    };
    let turn = nalgebra::DMatrix::from_fn(n, n, part);
    let w = &turn * nalgebra::DMatrix::from_row_slice(n, n, &posed.w) * turn.transpose();
    let q = &turn * nalgebra::DVector::from_column_slice(&posed.q);
    Posed {
        name: posed.name.clone(),
        w: w.as_slice().to_vec(),
        q: q.as_slice().to_vec(),
        contacts: posed.contacts.clone(),
    }
}

#[test]
fn tangents_that_are_turned_turn_the_answer() {
    let (mut rng, mut solver) = (Rng::with_seed(79), ConeSolver::new());
    for _ in 0..count(300) {
        let k = rng.usize(1..6);
        let posed = Posed::random(&mut rng, 3 * k + 1, k, 0.8);
        solver.solve(&posed.problem()).unwrap();
        let plain = solver.velocity().to_vec();
        let angles: Vec<f64> = (0..k).map(|_| either_sign(&mut rng, 3.0)).collect();
        solver.solve(&turned(&posed, &angles).problem()).unwrap();
        for (i, angle) in angles.iter().enumerate() {
            let ((s, c), v) = (angle.sin_cos(), &plain[3 * i..3 * i + 3]);
            let wanted = [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]];
            assert_all_near(
                "turned",
                &solver.velocity()[3 * i..3 * i + 3],
                &wanted,
                1e-8,
            );
        }
    }
}

#[test]
fn nothing_to_do_and_nothing_that_can_move_are_answers() {
    let mut solver = ConeSolver::new();
    let contacts = [ConeContact::new(0.5); 2];
    let (w, q) = (vec![0.0; 36], [0.0; 6]);
    let still = ConeProblem {
        w: &w,
        q: &q,
        contacts: &contacts,
    };
    let end = solver.solve(&still).unwrap();
    assert!(end.is_solved && solver.impulse().iter().all(|r| *r == 0.0));
    let q = [1.0, 2.0, 0.0, 0.0, 0.0, -3.0];
    let parting = ConeProblem {
        w: &w,
        q: &q,
        contacts: &contacts,
    };
    assert!(solver.solve(&parting).unwrap().is_solved);
    let q = [-1.0, 2.0, 0.0, 0.0, 0.0, -3.0];
    let walled = ConeProblem {
        w: &w,
        q: &q,
        contacts: &contacts,
    };
    let end = solver.solve(&walled).unwrap();
    assert!(!end.is_solved && end.residual.natural.is_finite());
    assert!(solver.impulse().iter().all(|r| r.is_finite()));
    let none = ConeProblem {
        w: &[],
        q: &[],
        contacts: &[],
    };
    assert!(solver.solve(&none).unwrap().is_solved);
    assert_eq!(solver.uniqueness().bound, None);
}

#[test]
fn a_malformed_problem_is_refused_with_its_element() {
    let mut solver = ConeSolver::new();
    let identity = |x: f64| vec![x, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let mut said = |w: &[f64], q: &[f64], mu: f64| {
        let contacts = [ConeContact::new(mu)];
        let error = solver.solve(&ConeProblem {
            w,
            q,
            contacts: &contacts,
        });
        error.unwrap_err().to_string()
    };
    let q = [-1.0, 0.0, 0.0];
    assert!(said(&identity(1.0), &q[..2], 0.3).contains("expected 9 and 3"));
    assert!(said(&identity(f64::NAN), &q, 0.3).contains("W[0] is NaN"));
    assert!(said(&identity(-1.0), &q, 0.3).contains("W[0][0] is -1e0"));
    let friction = "contact 0: friction coefficient is -0.1, expected a finite number >= 0";
    assert_eq!(said(&identity(1.0), &q, -0.1), friction);
    let mut skew = identity(1.0);
    skew[1] = 0.1;
    assert!(said(&skew, &q, 0.3).contains("symmetric"));
    let huge = said(&identity(1.0), &[f64::INFINITY, 0.0, 0.0], 0.3);
    assert!(huge.contains("q[0] is inf"), "{huge}");
    let shape = ConeInputError::Shape {
        contacts: 1,
        pivots: 0,
        w: 9,
        q: 2,
    };
    assert!(shape.to_string().contains("1 contacts"));
}

#[test]
fn extreme_coefficients_and_masses_give_no_nan() {
    let (mut rng, mut solver) = (Rng::with_seed(78), ConeSolver::new());
    for _ in 0..count(500) {
        let k = rng.usize(1..5);
        let mut posed = Posed::random(&mut rng, 4, k, 1.0);
        for contact in &mut posed.contacts {
            contact.mu = 10f64.powf(either_sign(&mut rng, 8.0));
        }
        let end = solver.solve(&posed.problem()).unwrap();
        let numbers = solver.impulse().iter().chain(solver.velocity());
        assert!(
            numbers
                .chain([&end.residual.natural])
                .all(|x| x.is_finite()),
            "{posed:?}"
        );
    }
}
