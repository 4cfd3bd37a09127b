//! Unilateral contacts, alone and mixed with friction in coordinates.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::forward::rod::Rod;
use carom_contact::forward::{Answer, ForwardContact, ForwardProblem, Mode, answers, solve};
use carom_contact::impact::Law;
use carom_contact::resolution::{impact_without_collision, resolve, resolve_rod, rod_impact};
use common::{assert_close, between, chance, count, either_sign};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

fn list(rng: &mut Rng, n: usize, most: f64) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng, most)).collect()
}

fn spd(rng: &mut Rng, n: usize) -> Vec<Vec<f64>> {
    let a = DMatrix::from_fn(n, n, |_, _| either_sign(rng, 1.0));
    let m = &a * a.transpose() + DMatrix::identity(n, n) * 0.3;
    m.row_iter()
        .map(|row| row.iter().copied().collect())
        .collect()
}

/// Random contacts; where `mixed`, the coordinates have friction too.
fn random_problem(rng: &mut Rng, n: usize, k: usize, mixed: bool) -> ForwardProblem {
    let joints = if mixed { n } else { 0 };
    let strength = between(rng, 0.0, 1.5);
    let contact = |rng: &mut Rng| ForwardContact {
        normal: list(rng, n, 1.0),
        tangent: (!chance(rng, 0.1)).then(|| list(rng, n, 1.0)),
        drift: [either_sign(rng, 2.0), either_sign(rng, 2.0)],
        slip: if chance(rng, 0.4) {
            0.0
        } else {
            either_sign(rng, 1.0)
        },
        friction: (2.0 * strength * rng.f64()).into(),
    };
    ForwardProblem {
        inertia: spd(rng, n),
        bias: list(rng, n, 1.0),
        load_matrix: (0..joints).map(|_| list(rng, n, 1.0)).collect(),
        load_offset: list(rng, joints, 1.0),
        friction: (0..joints).map(|_| (strength * rng.f64()).into()).collect(),
        velocity: (0..joints)
            .map(|_| {
                if chance(rng, 0.3) {
                    0.0
                } else {
                    either_sign(rng, 1.0)
                }
            })
            .collect(),
        force: list(rng, n, 2.0),
        contacts: (0..k).map(|_| contact(rng)).collect(),
    }
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

/// Contacts in contact space, `a = W λ + drift`, and the way back to coordinates.
struct ContactSpace {
    w: DMatrix<f64>,
    drift: DVector<f64>,
    free: DVector<f64>,
    response: DMatrix<f64>,
}

fn contact_space(p: &ForwardProblem) -> ContactSpace {
    let (n, k) = (p.force.len(), p.contacts.len());
    let inverse = matrix(&p.inertia).try_inverse().unwrap();
    let nothing = vec![0.0; n];
    let mut jac = DMatrix::zeros(2 * k, n);
    let mut drift = DVector::zeros(2 * k);
    for (c, contact) in p.contacts.iter().enumerate() {
        let tangent = contact.tangent.as_ref().unwrap_or(&nothing);
        for j in 0..n {
            (jac[(2 * c, j)], jac[(2 * c + 1, j)]) = (contact.normal[j], tangent[j]);
        }
        (drift[2 * c], drift[2 * c + 1]) = (contact.drift[0], contact.drift[1]);
    }
    ContactSpace {
        w: &jac * &inverse * jac.transpose(),
        drift,
        free: &inverse * DVector::from_fn(n, |i, _| p.force[i] - p.bias[i]),
        response: &inverse * jac.transpose(),
    }
}

fn is_smooth(contact: &ForwardContact) -> bool {
    contact.tangent.is_none() || contact.friction.mu_s == 0.0
}

/// Modes a contact may have: 0 lift-off, 1 stick, 2 slips forward, 3 slips backward.
fn fits(contact: &ForwardContact, digit: usize) -> bool {
    match digit {
        0 => true,
        1 => !is_smooth(contact) && contact.slip == 0.0,
        2 => is_smooth(contact) || contact.slip >= 0.0,
        _ => !is_smooth(contact) && contact.slip <= 0.0,
    }
}

/// Forces of contacts in these modes.
fn forces(p: &ForwardProblem, space: &ContactSpace, digits: &[usize]) -> Option<DVector<f64>> {
    let k = digits.len();
    let mut m = DMatrix::zeros(2 * k, 2 * k);
    let mut side = DVector::zeros(2 * k);
    for (c, contact) in p.contacts.iter().enumerate() {
        let mu = if is_smooth(contact) {
            0.0
        } else {
            contact.friction.mu_d
        };
        if digits[c] == 0 {
            (m[(2 * c, 2 * c)], m[(2 * c + 1, 2 * c + 1)]) = (1.0, 1.0);
            continue;
        }
        m.row_mut(2 * c).copy_from(&space.w.row(2 * c));
        side[2 * c] = -space.drift[2 * c];
        if digits[c] == 1 {
            m.row_mut(2 * c + 1).copy_from(&space.w.row(2 * c + 1));
            side[2 * c + 1] = -space.drift[2 * c + 1];
        } else {
            m[(2 * c + 1, 2 * c + 1)] = 1.0;
            m[(2 * c + 1, 2 * c)] = if digits[c] == 2 { mu } else { -mu };
        }
    }
    m.lu().solve(&side)
}

/// Second route for contacts alone: every mode of every contact in contact space.
fn in_contact_space(p: &ForwardProblem) -> Vec<Vec<f64>> {
    let (space, k) = (contact_space(p), p.contacts.len());
    let mut found: Vec<Vec<f64>> = Vec::new();
    for code in 0..4usize.pow(k as u32) {
        let digits: Vec<usize> = (0..k).map(|c| code / 4usize.pow(c as u32) % 4).collect();
        if !p
            .contacts
            .iter()
            .zip(&digits)
            .all(|(c, digit)| fits(c, *digit))
        {
            continue;
        }
        let Some(force) = forces(p, &space, &digits) else {
            continue;
        };
        let a = &space.w * &force + &space.drift;
        let holds = |c: usize| {
            let contact = &p.contacts[c];
            let is_at_rest = contact.slip == 0.0 && !is_smooth(contact);
            match digits[c] {
                0 => a[2 * c] >= 0.0,
                1 => force[2 * c + 1].abs() <= contact.friction.mu_s * force[2 * c],
                2 => force[2 * c] >= 0.0 && (!is_at_rest || a[2 * c + 1] >= 0.0),
                _ => force[2 * c] >= 0.0 && (!is_at_rest || a[2 * c + 1] <= 0.0),
            }
        };
        if (0..k).all(holds) {
            let q = &space.free + &space.response * &force;
            found.push(q.iter().copied().collect());
        }
    }
    found.sort_by(|a, b| a.partial_cmp(b).unwrap());
    found
}

#[test]
fn contacts_alone_have_the_answers_of_contact_space() {
    let mut rng = Rng::with_seed(201);
    let mut counts = [0usize; 5];
    for _ in 0..count(20_000) {
        let k = rng.usize(1..4);
        let n = 2 * k + rng.usize(0..3);
        let problem = random_problem(&mut rng, n, k, false);
        let wanted = in_contact_space(&problem);
        let found = answers(&problem).unwrap().answers;
        assert_eq!(found.len(), wanted.len(), "{problem:?}");
        for (answer, wanted) in found.iter().zip(&wanted) {
            for (x, y) in answer.acceleration.iter().zip(wanted) {
                let scale = wanted.iter().fold(1.0f64, |most, x| most.max(x.abs()));
                assert_close("q̈", *x, *y, 1e-7 * scale);
            }
        }
        counts[found.len().min(4)] += 1;
    }
    assert!(
        counts[0] > 0 && counts[1] > 0 && counts[2] > 0,
        "{counts:?}"
    );
}

/// The law of every element, read off the answer alone.
#[track_caller]
fn audit(p: &ForwardProblem, answer: &Answer) {
    let n = p.force.len();
    let q = &answer.acceleration;
    let joints = p.friction.len();
    let size = q
        .iter()
        .chain(&answer.normal_load)
        .fold(1.0f64, |most, x| most.max(x.abs()));
    let room = 1e-8 * size;
    for i in 0..n {
        let inertia: f64 = p.inertia[i].iter().zip(q).map(|(a, b)| a * b).sum();
        let mut rest = p.force[i] - p.bias[i] - inertia;
        if joints > 0 {
            rest -= answer.friction_force[i];
        }
        for (k, contact) in p.contacts.iter().enumerate() {
            rest += contact.normal[i] * answer.normal_load[joints + k];
            let tangent = contact.tangent.as_ref().map_or(0.0, |row| row[i]);
            rest += tangent * answer.friction_force[joints + k];
        }
        assert!(rest.abs() < room, "balance {i} misses {rest:e}: {p:?}");
    }
    for i in 0..joints {
        let load: f64 = p.load_matrix[i].iter().zip(q).map(|(a, b)| a * b).sum();
        assert_close("load", answer.normal_load[i], load + p.load_offset[i], room);
        let (f, most) = (
            answer.friction_force[i],
            p.friction[i].mu_d * answer.normal_load[i].abs(),
        );
        match answer.mode[i] {
            Mode::Stick => assert!(q[i] == 0.0 && f.abs() <= most + room),
            Mode::OnsetForward => assert!(q[i] > 0.0 && (f - most).abs() < room),
            Mode::OnsetBackward => assert!(q[i] < 0.0 && (f + most).abs() < room),
            Mode::Slide => assert!(f * p.velocity[i] >= 0.0 && (f.abs() - most).abs() < room),
            Mode::LiftOff | Mode::Onset => panic!("a coordinate cannot"),
        }
    }
    audit_contacts(p, answer, room);
}

#[track_caller]
fn audit_contacts(p: &ForwardProblem, answer: &Answer, room: f64) {
    let joints = p.friction.len();
    let size = room / 1e-8;
    for (k, contact) in p.contacts.iter().enumerate() {
        let (f_n, f_t) = (
            answer.normal_load[joints + k],
            answer.friction_force[joints + k],
        );
        let [a_n, a_t] = answer.contact_acceleration[k];
        let is_smooth = contact.tangent.is_none() || contact.friction.mu_s == 0.0;
        let most = if is_smooth {
            0.0
        } else {
            contact.friction.mu_d * f_n
        };
        match answer.mode[joints + k] {
            Mode::LiftOff => assert!(f_n == 0.0 && f_t == 0.0 && a_n > -room),
            Mode::Stick => {
                assert!(a_n.abs() < room && a_t.abs() < room && f_t.abs() <= most + room)
            }
            Mode::OnsetForward => assert!((f_t + most).abs() < room && a_t > -room),
            Mode::OnsetBackward => assert!((f_t - most).abs() < room && a_t < room),
            Mode::Onset => panic!("a mode of space"),
            Mode::Slide => assert!(
                f_n > -room && (f_t + contact.slip.signum() * most).abs() < room,
                "{p:?} {answer:?}"
            ),
        }
        assert!(a_n > -room && f_n > -room && (a_n * f_n).abs() < room * size);
    }
}

#[test]
fn mixed_answers_obey_every_law_and_their_indices_sum_to_the_degree() {
    let mut rng = Rng::with_seed(202);
    let (mut found, mut several, mut degrees) = (0, 0, 0);
    for turn in 0..count(3_000) {
        let (n, k) = (rng.usize(1..4), rng.usize(1..3));
        let mut problem = random_problem(&mut rng, n, k, true);
        let all = answers(&problem).unwrap().answers;
        for answer in all.iter().filter(|a| a.forces_unique) {
            audit(&problem, answer);
            found += 1;
        }
        several += usize::from(all.len() > 1);
        // Where redundant contacts leave the verdict open, the search for a witness takes long.
        let is_turn = turn % 5 == 0 || n >= 2 * k;
        let Some(degree) = is_turn.then(|| solve(&problem).unwrap().degree).flatten() else {
            continue;
        };
        degrees += 1;
        for _ in 0..5 {
            // The degree does not depend on force, offset or drift.
            problem.force = list(&mut rng, n, 5.0);
            problem.load_offset = list(&mut rng, n, 2.0);
            for contact in &mut problem.contacts {
                contact.drift = [either_sign(&mut rng, 3.0), either_sign(&mut rng, 3.0)];
            }
            let other = answers(&problem).unwrap();
            let sum: i32 = other.answers.iter().map(|a| i32::from(a.index)).sum();
            assert_eq!(sum, degree, "{problem:?}");
        }
    }
    assert!(
        found > 20 && several > 0 && degrees > 3,
        "{found} {several} {degrees}"
    );
}

#[test]
fn a_unique_contact_problem_has_one_answer_for_every_drift_and_any_other_a_witness() {
    let mut rng = Rng::with_seed(203);
    let (mut unique, mut others, mut redundant) = (0, 0, 0);
    for _ in 0..count(2_000) {
        let k = rng.usize(1..3);
        let (n, mixed) = (2 * k + rng.usize(0..2), k == 1 && rng.bool());
        let mut problem = random_problem(&mut rng, n, k, mixed);
        let result = solve(&problem).unwrap();
        if result.unique_for_every_force == Some(true) {
            unique += 1;
            for _ in 0..20 {
                problem.force = list(&mut rng, n, 5.0);
                for contact in &mut problem.contacts {
                    contact.drift = [either_sign(&mut rng, 3.0), either_sign(&mut rng, 3.0)];
                }
                assert_eq!(answers(&problem).unwrap().count(), Some(1), "{problem:?}");
            }
        } else if let Some(witness) = &result.witness {
            others += 1;
            assert_eq!(result.unique_for_every_force, Some(false));
            let counted = answers(&witness.apply(&problem)).unwrap().count();
            assert_eq!(counted, witness.count);
            assert_ne!(counted, result.count);
        } else {
            // Undecided: more rows can be stuck at once than there are coordinates.
            redundant += 1;
            let least = result.condition.mode_determinants.values().copied();
            assert_eq!(least.fold(f64::INFINITY, f64::min), 0.0, "{problem:?}");
            assert_eq!(result.unique_for_every_force, None);
        }
    }
    assert!(
        unique > 3 && others > 3 && redundant < others,
        "{unique} {others} {redundant}"
    );
}

fn uniform_rod(angle: f64, mu: f64) -> Rod {
    Rod {
        mass: 1.0,
        half_length: 1.0,
        inertia: 1.0 / 3.0,
        angle,
        rate: 0.0,
        slip: -1.0,
        friction: mu.into(),
        gravity: 9.81,
        force: [0.0; 2],
        torque: 0.0,
        restitution: 0.0,
        law: Law::Poisson,
    }
}

#[test]
fn the_window_of_a_uniform_rod_is_that_of_the_benchmarks() {
    // P14
    for (mu, low, high) in [
        (1.4, 55.5858108079, 69.9518669841),
        (2.0, 37.3773681407, 79.1876830364),
    ] {
        let numbers = uniform_rod(1.0, mu).numbers().unwrap();
        assert_close("μ_P", numbers.mu_p, 4.0 / 3.0, 1e-15);
        assert_close("angle", numbers.angle_p.tan(), 2.0, 1e-14);
        let [from, to] = numbers.window.unwrap();
        assert_close("window", from.to_degrees(), low, 1e-10);
        assert_close("window", to.to_degrees(), high, 1e-10);
        for angle in [from, to] {
            assert!(uniform_rod(angle, mu).slope(-1.0).abs() < 1e-14);
        }
    }
    assert_eq!(uniform_rod(1.0, 1.3).numbers().unwrap().window, None);
}

#[test]
fn an_impact_without_collision_is_that_of_the_benchmarks() {
    // P15
    let angle = 60f64.to_radians();
    for (restitution, law, v_n, loss) in [
        (0.0, Law::Poisson, 0.0, 0.21875),
        (0.5, Law::Poisson, 0.199852016258, 0.202524038462),
        (0.5, Law::Energetic, 0.127648252579, 0.212130531468),
    ] {
        let rod = Rod {
            restitution,
            law,
            ..uniform_rod(angle, 2.0)
        };
        assert_close("p", rod.slope(-1.0), -0.848076211353, 1e-12);
        let jump = resolve_rod(&rod).unwrap().resolution.unwrap();
        let compression = jump.impulse_path.as_ref().unwrap().compression.unwrap();
        assert_close("p_c", compression, 0.324759526419, 1e-12);
        assert_close("v_n", jump.contact_velocity_after[0][0], v_n, 1e-12);
        assert_eq!(jump.contact_velocity_after[0][1], 0.0);
        assert_close("loss", jump.energy_loss, loss, 1e-12);
        let balance = jump.energy_before.unwrap() - jump.energy_after.unwrap();
        assert_close("energies", balance, jump.energy_loss, 1e-14);
        assert_eq!(jump.next_modes.is_some(), v_n == 0.0);
    }
}

#[test]
fn the_two_rates_of_approach_are_equal_at_the_second_critical_friction() {
    // Rates at p = 0 and no normal drift, by differences of p and of the sliding equations.
    for k in [0.05, 1.0 / 3.0, 1.0] {
        let rod = Rod {
            inertia: k,
            gravity: 1.0,
            ..uniform_rod(1.0, 2.0)
        };
        let mu = rod.numbers().unwrap().second_critical_friction;
        let ratio = |mu: f64| {
            let mut rod = rod.clone();
            rod.friction = mu.into();
            rod.angle = rod.numbers().unwrap().window.unwrap()[0];
            let rate = (1.0 / rod.angle.sin()).sqrt();
            let step = 1e-5;
            let slope = |angle: f64| {
                Rod {
                    angle,
                    ..rod.clone()
                }
                .slope(-1.0)
            };
            let p_angle = (slope(rod.angle + step) - slope(rod.angle - step)) / (2.0 * step);
            // Angular acceleration per normal force, over the inertia; drift per rate.
            let turn = (mu * rod.angle.sin() - rod.angle.cos()) / rod.inertia;
            let first = rate * p_angle;
            let second = -2.0 * turn * rate * rod.angle.sin();
            first / second
        };
        assert_close("ratio", ratio(mu), 1.0, 1e-7);
        assert!((ratio(1.05 * mu) - 1.0) * (ratio(0.97 * mu) - 1.0) < 0.0);
    }
    let uniform = uniform_rod(1.0, 2.0).numbers().unwrap();
    assert_close(
        "uniform",
        uniform.second_critical_friction,
        8.0 / 27f64.sqrt(),
        1e-15,
    );
}

#[test]
fn a_jump_is_offered_beside_rival_answers_and_never_where_pressing_opens() {
    let paradox = Rod {
        rate: 4.0,
        ..uniform_rod(1.1, 1.8)
    };
    assert_eq!(resolve_rod(&paradox).unwrap().count, Some(2));
    assert!(resolve_rod(&paradox).unwrap().resolution.is_none());
    let jump = rod_impact(&paradox).unwrap().unwrap();
    // P_n = W_nt v / det W for e = 0.
    let (sin, cos) = 1.1f64.sin_cos();
    let (nn, nt, tt) = (
        1.0 + 3.0 * cos * cos,
        -3.0 * sin * cos,
        1.0 + 3.0 * sin * sin,
    );
    assert_close(
        "p_n",
        jump.normal_impulse[0],
        -nt / (nn * tt - nt * nt),
        1e-13,
    );
    let calm = uniform_rod(1.1, 0.5);
    assert_eq!(rod_impact(&calm).unwrap(), None);
    let problem = calm.problem().unwrap();
    assert_eq!(resolve(&problem, 0.5, Law::Poisson).unwrap(), None);
    let error = impact_without_collision(&problem, 0.5, Law::Moreau).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected newton, poisson or energetic"),
        "{error}"
    );
}

#[test]
fn redundant_contacts_leave_forces_undetermined_and_the_acceleration_unique() {
    let floor = |x: f64| ForwardContact {
        normal: vec![1.0, x],
        tangent: None,
        drift: [-9.81, 0.0],
        slip: 0.0,
        friction: 0.0.into(),
    };
    let mut problem = ForwardProblem {
        inertia: vec![vec![2.0, 0.0], vec![0.0, 0.5]],
        bias: vec![2.0 * 9.81, 0.0],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: vec![0.0, 0.0],
        contacts: vec![floor(-1.0), floor(0.0), floor(1.0)],
    };
    let result = solve(&problem).unwrap();
    assert_eq!(result.count, Some(1), "{:?}", result.answers);
    let answer = &result.answers[0];
    assert!(answer.acceleration.iter().all(|x| x.abs() < 1e-12));
    assert!(!answer.forces_unique);
    let total: f64 = answer.normal_load.iter().sum();
    assert_close("weight", total, 2.0 * 9.81, 1e-9);
    problem.contacts.truncate(1);
    assert_eq!(solve(&problem).unwrap().count, Some(1));
}
