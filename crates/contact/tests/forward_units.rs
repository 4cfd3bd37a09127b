//! Units, coordinates and the listing change no statement about a forward problem.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::forward::{ForwardContact, ForwardProblem, ForwardResult, Mode, answers};
use carom_contact::impact::Law;
use carom_contact::resolution::solve_and_resolve;
use common::{assert_close, chance, count, either_sign};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

fn small(rng: &mut Rng, n: usize) -> Vec<f64> {
    loop {
        let list: Vec<f64> = (0..n).map(|_| f64::from(rng.i32(-2..3))).collect();
        if list.iter().any(|x| *x != 0.0) {
            return list;
        }
    }
}

/// Inertia and force of whole numbers, and contacts of which some share their rows: ties and dependent
/// rows are the rule.
fn with_ties(rng: &mut Rng) -> ForwardProblem {
    let (n, k) = (rng.usize(1..4), rng.usize(1..4));
    let b = DMatrix::from_fn(n, n, |_, _| f64::from(rng.i32(-2..3)));
    let inertia = &b * b.transpose() + DMatrix::identity(n, n);
    let force = DVector::from_fn(n, |_, _| f64::from(rng.i32(-3..4)));
    let free = inertia.clone().cholesky().unwrap().solve(&force);
    let along = |row: &[f64]| row.iter().zip(&free).map(|(a, b)| a * b).sum::<f64>();
    let mut contacts: Vec<ForwardContact> = Vec::new();
    for _ in 0..k {
        let mut normal = small(rng, n);
        let mut tangent = (!chance(rng, 0.1)).then(|| small(rng, n));
        if let Some(other) = contacts.first().filter(|_| chance(rng, 0.3)) {
            normal.clone_from(&other.normal);
            tangent = tangent.filter(|_| rng.bool()).or(other.tangent.clone());
        }
        let slip = [0.0, 0.0, 0.0, 1.0, -1.0][rng.usize(0..5)];
        contacts.push(ForwardContact {
            drift: [along(&normal), tangent.as_deref().map_or(0.0, along)],
            slip: tangent.as_ref().map_or(0.0, |_| slip),
            friction: [0.0, 0.25, 0.5, 1.0, 2.0][rng.usize(0..5)].into(),
            normal,
            tangent,
        });
    }
    let row = |i: usize| inertia.row(i).iter().copied().collect();
    ForwardProblem {
        inertia: (0..n).map(row).collect(),
        bias: force.iter().map(|x| -x).collect(),
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: vec![0.0; n],
        contacts,
    }
}

/// A number spread over decades, of no round value.
fn decades(rng: &mut Rng, most: f64) -> f64 {
    10f64.powf(either_sign(rng, most))
}

/// Every contact in a unit of length of its own: both its rows, its drift and its slip.
fn with_rows_in_other_units(rng: &mut Rng, given: &ForwardProblem) -> ForwardProblem {
    let mut problem = given.clone();
    for contact in &mut problem.contacts {
        let unit = decades(rng, 6.0);
        let rows = contact.normal.iter_mut();
        let rows = rows.chain(contact.tangent.iter_mut().flatten());
        let all = rows.chain(&mut contact.drift).chain([&mut contact.slip]);
        all.for_each(|x| *x *= unit);
    }
    problem
}

/// The problem in coordinates q' with `q = T q'`.
fn with_coordinates(given: &ForwardProblem, t: &DMatrix<f64>) -> ForwardProblem {
    let n = given.force.len();
    let list = |row: &[f64]| -> Vec<f64> {
        let turned = t.transpose() * DVector::from_column_slice(row);
        turned.iter().copied().collect()
    };
    let mut problem = given.clone();
    let inertia = DMatrix::from_fn(n, n, |i, j| given.inertia[i][j]);
    let moved = t.transpose() * inertia * t;
    let symmetric = |i: usize, j: usize| moved[(i.min(j), i.max(j))];
    problem.inertia = (0..n)
        .map(|i| (0..n).map(|j| symmetric(i, j)).collect())
        .collect();
    (problem.force, problem.bias) = (list(&given.force), list(&given.bias));
    for contact in &mut problem.contacts {
        contact.normal = list(&contact.normal);
        contact.tangent = contact.tangent.as_deref().map(list);
    }
    problem
}

/// Other units of mass and time.
fn with_mass_and_time(rng: &mut Rng, given: &ForwardProblem) -> ForwardProblem {
    let (mass, time) = (decades(rng, 12.0), decades(rng, 3.0));
    let mut problem = given.clone();
    let inertia = problem.inertia.iter_mut().flatten();
    inertia.for_each(|x| *x *= mass);
    let forces = problem.force.iter_mut().chain(&mut problem.bias);
    forces.for_each(|x| *x *= mass / (time * time));
    for contact in &mut problem.contacts {
        contact.drift = contact.drift.map(|x| x / (time * time));
        contact.slip /= time;
    }
    problem
}

fn changed(rng: &mut Rng, given: &ForwardProblem, turn: usize) -> ForwardProblem {
    let n = given.force.len();
    match turn % 4 {
        0 => with_rows_in_other_units(rng, given),
        1 => {
            let t = DMatrix::from_fn(n, n, |i, j| if i == j { decades(rng, 4.0) } else { 0.0 });
            with_coordinates(given, &t)
        }
        2 => {
            let t = DMatrix::from_fn(n, n, |i, j| {
                either_sign(rng, 1.0) + if i == j { 2.0 * n as f64 } else { 0.0 }
            });
            with_coordinates(given, &t)
        }
        _ => {
            let rows = with_rows_in_other_units(rng, given);
            with_mass_and_time(rng, &rows)
        }
    }
}

fn told(problem: &ForwardProblem) -> ForwardResult {
    solve_and_resolve(problem, 0.0, Law::Poisson).unwrap()
}

fn mirrored(mode: Mode) -> Mode {
    match mode {
        Mode::OnsetForward => Mode::OnsetBackward,
        Mode::OnsetBackward => Mode::OnsetForward,
        other => other,
    }
}

/// Everything a result states that has no unit; modes sorted, for answers may be listed in another order.
#[derive(Debug, PartialEq)]
struct Statements {
    count: Option<usize>,
    modes: Vec<(Vec<Mode>, bool)>,
    dimensions: Vec<usize>,
    unique: Option<bool>,
    has_margin: bool,
    degree: Option<i32>,
    jumps: usize,
    refuted: usize,
}

fn statements(found: &ForwardResult, name: impl Fn(&[Mode]) -> Vec<Mode>) -> Statements {
    let named = found.answers.iter();
    let mut modes: Vec<_> = named.map(|a| (name(&a.mode), a.forces_unique)).collect();
    modes.sort();
    let mut dimensions: Vec<usize> = found.continua.iter().map(|c| c.dimension).collect();
    dimensions.sort_unstable();
    Statements {
        count: found.count,
        modes,
        dimensions,
        unique: found.unique_for_every_force,
        has_margin: found.friction_margin.is_some(),
        degree: found.degree,
        jumps: found.resolutions.len(),
        refuted: found.refuted_count,
    }
}

#[test]
fn units_and_coordinates_change_no_statement_about_contacts() {
    let mut rng = Rng::with_seed(1701);
    let (mut shared, mut several, mut families) = (0, 0, 0);
    for turn in 0..count(3_000) {
        let problem = with_ties(&mut rng);
        let found = told(&problem);
        let other = changed(&mut rng, &problem, turn);
        let moved = told(&other);
        let same = |modes: &[Mode]| modes.to_vec();
        assert_eq!(
            statements(&found, same),
            statements(&moved, same),
            "{problem:?}\n{other:?}"
        );
        if let (Some(a), Some(b)) = (found.friction_margin, moved.friction_margin) {
            assert_close("margin", b, a, 1e-9 * a);
        }
        shared += usize::from(found.answers.iter().any(|a| !a.forces_unique));
        several += usize::from(found.count != Some(1));
        families += usize::from(found.count.is_none());
    }
    let least = count(3_000) / 200;
    assert!(
        shared > least && several > least && families >= least / 2,
        "{shared} {several} {families}"
    );
}

#[test]
fn the_listing_and_the_sense_of_tangents_change_no_statement() {
    let mut rng = Rng::with_seed(1702);
    for _ in 0..count(2_000) {
        let problem = with_ties(&mut rng);
        let found = told(&problem);
        let mut turned = problem.clone();
        turned.contacts.reverse();
        let back = |modes: &[Mode]| modes.iter().rev().copied().collect::<Vec<_>>();
        let same = |modes: &[Mode]| modes.to_vec();
        let listed = statements(&told(&turned), back);
        // Of several names for one motion the first met is given: only shared forces have them.
        if found.answers.iter().all(|a| a.forces_unique) && found.count.is_some() {
            assert_eq!(statements(&found, same), listed, "{problem:?}");
        } else {
            assert_eq!(
                (found.count, found.answers.len()),
                (listed.count, listed.modes.len())
            );
        }
        let mut mirror = problem.clone();
        for contact in &mut mirror.contacts {
            contact.tangent.iter_mut().flatten().for_each(|x| *x = -*x);
            (contact.drift[1], contact.slip) = (-contact.drift[1], -contact.slip);
        }
        let over = |modes: &[Mode]| modes.iter().map(|m| mirrored(*m)).collect::<Vec<_>>();
        let (own, other) = (statements(&found, same), statements(&told(&mirror), over));
        assert_eq!((own.count, own.dimensions), (other.count, other.dimensions));
        assert_eq!((own.unique, own.degree), (other.unique, other.degree));
    }
}

/// Whether every principal minor of `W_nn − W_nt Diag(σ μ f)` is positive.
fn is_p_matrix(m: &DMatrix<f64>) -> bool {
    let k = m.nrows();
    (1..1usize << k).all(|set| {
        let rows: Vec<usize> = (0..k).filter(|i| set >> i & 1 == 1).collect();
        let minor = DMatrix::from_fn(rows.len(), rows.len(), |i, j| m[(rows[i], rows[j])]);
        minor.determinant() > 0.0
    })
}

/// `W_nn` and `W_nt Diag(σ μ)` of contacts that slide.
fn sliding(p: &ForwardProblem) -> [DMatrix<f64>; 2] {
    let (n, k) = (p.force.len(), p.contacts.len());
    let inertia = DMatrix::from_fn(n, n, |i, j| p.inertia[i][j]);
    let inverse = inertia.try_inverse().unwrap();
    let normal = DMatrix::from_fn(k, n, |i, j| p.contacts[i].normal[j]);
    let pushed = DMatrix::from_fn(n, k, |i, j| {
        let contact = &p.contacts[j];
        contact.slip.signum() * contact.friction.mu_d * contact.tangent.as_ref().unwrap()[i]
    });
    let own = &normal * &inverse;
    [&own * normal.transpose(), own * pushed]
}

#[test]
fn the_margin_is_where_a_minor_of_sliding_contacts_first_vanishes() {
    let mut rng = Rng::with_seed(1703);
    let (mut found, mut unbounded, mut come_back) = (0, 0, 0);
    for _ in 0..count(1_000) {
        let k = rng.usize(1..5);
        let n = k + rng.usize(0..3);
        let b = DMatrix::from_fn(n, n, |_, _| either_sign(&mut rng, 1.0));
        let inertia = &b * b.transpose() + DMatrix::identity(n, n) * 0.3;
        let contact = |rng: &mut Rng| ForwardContact {
            normal: (0..n).map(|_| either_sign(rng, 1.0)).collect(),
            tangent: Some((0..n).map(|_| either_sign(rng, 1.0)).collect()),
            drift: [either_sign(rng, 1.0), either_sign(rng, 1.0)],
            slip: either_sign(rng, 1.0).signum(),
            friction: rng.f64().into(),
        };
        let row = |i: usize| inertia.row(i).iter().copied().collect();
        let problem = ForwardProblem {
            inertia: (0..n).map(row).collect(),
            bias: vec![0.0; n],
            load_matrix: Vec::new(),
            load_offset: Vec::new(),
            friction: Vec::new(),
            velocity: Vec::new(),
            force: vec![0.0; n],
            contacts: (0..k).map(|_| contact(&mut rng)).collect(),
        };
        let [own, slope] = sliding(&problem);
        let holds = |f: f64| is_p_matrix(&(&own - &slope * f));
        let verdict = carom_contact::forward::verdict(&problem).unwrap();
        assert_eq!(verdict.unique, holds(1.0), "{problem:?}");
        let start = if verdict.unique { 1.0 } else { 0.0 };
        // Steps of 0.2 % of (1 + f), up to 50.
        let steps = (0..).scan(start, |f, _| {
            *f += 0.002 * (1.0 + *f);
            Some(*f)
        });
        let mut last = start;
        let lost = steps.take_while(|f| *f < 50.0).find(|f| {
            let is_lost = !holds(*f);
            last = if is_lost { last } else { *f };
            is_lost
        });
        match (lost, verdict.margin) {
            (Some(lost), Some(margin)) => {
                found += 1;
                assert!(margin <= lost, "{margin} {lost} {problem:?}");
                // A dip between two steps is seen by the margin alone.
                let is_here = margin >= last || !holds(margin * (1.0 + 1e-7));
                assert!(is_here, "{margin} {last} {problem:?}");
                come_back += usize::from((1..200).any(|i| holds(margin + 0.05 * f64::from(i))));
            }
            (None, margin) => {
                unbounded += 1;
                let is_dip = |f: f64| f >= 49.0 || !holds(f * (1.0 + 1e-7));
                assert!(margin.is_none_or(is_dip), "{margin:?} {problem:?}");
            }
            (Some(lost), None) => panic!("no margin, lost at {lost}: {problem:?}"),
        }
    }
    let least = count(1_000) / 50;
    assert!(found > least && unbounded > least, "{found} {unbounded}");
    assert!(come_back > 0 || cfg!(debug_assertions), "{come_back}");
}

/// A wheel at rest between a slope of 0.5 rad and a vertical wall.
fn wheel(slip: f64, scale: f64) -> ForwardProblem {
    const GRAVITY: f64 = 9.81;
    let (sin, cos) = 0.5f64.sin_cos();
    let contact = |normal: [f64; 2], slip: f64| {
        let tangent = [normal[1], -normal[0]];
        ForwardContact {
            normal: vec![normal[0], normal[1], 0.0],
            // The point touched lies opposite to the normal, 0.1 m from the centre.
            tangent: Some(vec![tangent[0], tangent[1], 0.1]),
            drift: [-GRAVITY * normal[1], -GRAVITY * tangent[1]],
            slip,
            friction: 0.8.into(),
        }
    };
    let inertia = [scale, scale, 0.005 * scale];
    let row = |i: usize| {
        (0..3)
            .map(|j| if i == j { inertia[i] } else { 0.0 })
            .collect()
    };
    ForwardProblem {
        inertia: (0..3).map(row).collect(),
        bias: vec![0.0, GRAVITY * scale, 0.0],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: vec![0.0; 3],
        contacts: vec![contact([-sin, cos], slip), contact([1.0, 0.0], -slip)],
    }
}

/// Story: a wheel that an impact had stopped in a corner kept slips of 8e-13 m/s; taken for sliding, no
/// acceleration was consistent. Told what the slips are sums of, it rests.
#[test]
fn a_wheel_in_a_corner_rests_whatever_round_off_an_impact_left_of_its_slip() {
    use carom_contact::forward::ContactTerms;
    for mass in [1.0, 1e-12, 1e12] {
        for slip in [0.0, 8e-13, -8e-13] {
            let mut problem = wheel(slip, mass);
            let terms = ContactTerms {
                slip: 0.4,
                ..ContactTerms::default()
            };
            let contacts = problem.contacts.into_iter();
            problem.contacts = contacts.map(|c| c.settled(&terms)).collect();
            let found = answers(&problem).unwrap();
            assert_eq!(found.count(), Some(1), "{found:?}");
            let answer = &found.answers[0];
            assert_eq!(answer.mode, [Mode::Stick; 2]);
            assert!(
                answer.acceleration.iter().all(|x| x.abs() < 1e-12),
                "{answer:?}"
            );
            assert!(!answer.forces_unique); // friction up and down the corner may hold each other
        }
    }
}
