//! The pruned tree against the walk over every pattern.
#![allow(clippy::unwrap_used)]

use crate::contact_space::GivenFriction;
use carom_numeric::{NonNegative, dot};
use fastrand::Rng;

use super::super::answers::{ForwardAnswers, answers};
use super::super::assemble::{Variation, assemble};
use super::super::collect::{Keep, collect};
use super::super::problem::{ForwardContact, ForwardProblem, MAX_ELEMENTS};
use super::{Patterns, patterns};

const GRAVITY: f64 = 9.81;

fn either_sign(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

fn list(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng)).collect()
}

/// Bodies of unit inertia with contacts, which act with `drift` where no force does.
fn problem(n: usize, contacts: Vec<ForwardContact>) -> ForwardProblem {
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    ForwardProblem {
        inertia: (0..n).map(unit).collect(),
        bias: vec![0.0; n],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: vec![0.0; n],
        contacts,
    }
}

fn friction(rng: &mut Rng) -> GivenFriction {
    let mu_d = 1.5 * rng.f64() * f64::from(rng.u8(0..4).min(1));
    let mu_s = if rng.u8(0..4) == 0 { 1.2 * mu_d } else { mu_d };
    GivenFriction { mu_s, mu_d }
}

/// Contacts with any rows, some of them given twice, some slipping.
fn wild(rng: &mut Rng, k: usize) -> ForwardProblem {
    let n = rng.usize(2..7);
    let mut contacts: Vec<ForwardContact> = Vec::new();
    for _ in 0..k {
        let other = (!contacts.is_empty()).then(|| rng.usize(0..contacts.len()));
        let contact = match other.filter(|_| rng.u8(0..5) == 0) {
            Some(i) => contacts[i].clone(),
            None => ForwardContact {
                normal: list(rng, n),
                tangent: (rng.u8(0..6) > 0).then(|| list(rng, n)),
                drift: [either_sign(rng) - 0.5, either_sign(rng)],
                slip: if rng.u8(0..3) == 0 {
                    either_sign(rng)
                } else {
                    0.0
                },
                friction: friction(rng),
            },
        };
        contacts.push(contact);
    }
    problem(n, contacts)
}

/// A pile of boxes of unit mass and size, each on two feet on the one below, on an incline.
fn pile(feet: &[f64], slope: f64, mu: impl Fn(usize) -> GivenFriction) -> ForwardProblem {
    let boxes = feet.len();
    let n = 3 * boxes;
    let weight = [GRAVITY * slope.sin(), -GRAVITY * slope.cos()];
    let mut contacts = Vec::new();
    for (level, foot) in feet.iter().enumerate() {
        for side in [-1.0, 1.0] {
            let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
            let own = 3 * level;
            (normal[own + 1], normal[own + 2]) = (1.0, side * foot);
            (tangent[own], tangent[own + 2]) = (1.0, 0.5);
            let is_floor = level == 0;
            if !is_floor {
                let below = own - 3;
                (normal[below + 1], normal[below + 2]) = (-1.0, -side * foot);
                (tangent[below], tangent[below + 2]) = (-1.0, 0.5);
            }
            let share = f64::from(u8::from(is_floor));
            contacts.push(ForwardContact {
                normal,
                tangent: Some(tangent),
                drift: [share * weight[1], share * weight[0]],
                slip: 0.0,
                friction: mu(level),
            });
        }
    }
    let mut given = problem(n, contacts);
    for level in 0..boxes {
        given.force[3 * level..3 * level + 2].copy_from_slice(&weight);
    }
    given
}

fn both(problem: &ForwardProblem) -> [ForwardAnswers; 2] {
    let system = assemble(problem, Variation::NONE).unwrap();
    let keeps = [Keep::Answers, Keep::Everything];
    keeps.map(|keep| collect(&system, problem, keep).unwrap().found)
}

fn compare(problem: &ForwardProblem) -> Option<usize> {
    let [pruned, all] = both(problem);
    assert_eq!(pruned.count(), all.count(), "{problem:?}");
    for (a, b) in pruned.answers.iter().zip(&all.answers) {
        assert_eq!(a.mode, b.mode, "{problem:?}");
        assert_eq!((a.index, a.forces_unique), (b.index, b.forces_unique));
        for (x, y) in a.acceleration.iter().zip(&b.acceleration) {
            assert!((x - y).abs() <= 1e-9 * (1.0 + x.abs()));
        }
    }
    let most = |found: &ForwardAnswers| found.continua.iter().map(|c| c.dimension).max();
    assert_eq!(most(&pruned), most(&all), "{problem:?}");
    all.count()
}

fn rounds(full: usize) -> usize {
    if cfg!(debug_assertions) {
        full / 20
    } else {
        full
    }
}

#[test]
fn random_contacts_have_the_answers_that_every_pattern_gives() {
    let mut rng = Rng::with_seed(81);
    let mut seen = [0; 5];
    for round in 0..rounds(4000) {
        let k = 3 + usize::from(round % 8 == 0) + usize::from(round % 40 == 0);
        let count = compare(&wild(&mut rng, k));
        seen[count.map_or(4, |n| n.min(3))] += 1;
    }
    assert!(seen[..3].iter().all(|n| *n > rounds(20)), "{seen:?}");
    assert!(seen[3] >= rounds(10), "{seen:?}"); // none in debug
}

#[test]
fn piles_on_an_incline_have_the_answers_that_every_pattern_gives() {
    let mut rng = Rng::with_seed(82);
    for round in 0..rounds(200) {
        let boxes = if round % 25 == 0 { 3 } else { 2 };
        let feet: Vec<f64> = (0..boxes).map(|_| 0.1 + 0.4 * rng.f64()).collect();
        let slope = [0.0, 0.6 * rng.f64()][round % 2];
        let mu = friction(&mut rng);
        compare(&pile(&feet, slope, |_| mu));
    }
}

/// Story: a run of a stack of boxes took minutes, because each of the 65536 patterns of its eight
/// contacts was solved at every event, most of them singular.
#[test]
fn eight_feet_at_rest_leave_few_patterns() {
    for slope in [0.0, 0.1] {
        let given = pile(&[0.4, 0.35, 0.3, 0.25], slope, |_| 0.5.into());
        let system = assemble(&given, Variation::NONE).unwrap();
        let Patterns::Some(left) = patterns(&system) else {
            panic!("the patterns of contacts at rest are cut");
        };
        assert!(left.len() <= 4, "{}", left.len());
        let found = collect(&system, &given, Keep::Answers).unwrap().found;
        assert_eq!(found.count(), Some(1));
        let answer = &found.answers[0];
        assert!(answer.acceleration.iter().all(|x| x.abs() < 1e-12));
        assert!(!answer.forces_unique);
    }
}

/// Story: a stack of seven boxes was refused, because it has more than twelve contacts.
#[test]
fn a_pile_of_more_contacts_than_patterns_could_be_listed_for_stands() {
    let feet: Vec<f64> = (0..9).map(|level| 0.4 - 0.02 * f64::from(level)).collect();
    for slope in [0.0, 0.05] {
        // Steeper than 0.09 it tips as a whole.
        let given = pile(&feet, slope, |_| 0.5.into());
        assert!(given.contacts.len() > MAX_ELEMENTS);
        let found = answers(&given).unwrap();
        assert_eq!(found.count(), Some(1));
        let acceleration = &found.answers[0].acceleration;
        assert!(
            acceleration.iter().all(|x| x.abs() < 1e-11),
            "{acceleration:?}"
        );
    }
}

/// Without friction the accelerations are those nearest to the free ones that do not approach (Gauss):
/// forces `λ >= 0` of least `|X λ + L^-1 τ|`, X the whitened normals.
#[test]
fn many_smooth_contacts_move_as_gauss_says() {
    let mut rng = Rng::with_seed(83);
    for _ in 0..rounds(200) {
        let (n, k) = (6, 13 + rng.usize(0..6));
        let force = list(&mut rng, n);
        let rows: Vec<Vec<f64>> = (0..k).map(|_| list(&mut rng, n)).collect();
        let contacts = rows.iter().map(|row| ForwardContact {
            normal: row.clone(),
            tangent: None,
            drift: [dot(row, &force), 0.0],
            slip: 0.0,
            friction: 0.0.into(),
        });
        let mut given = problem(n, contacts.collect());
        given.force.copy_from_slice(&force);
        let mut shares = vec![0.0; k];
        let ended = NonNegative::default().solve(&rows.concat(), &force, &mut shares);
        assert!(ended);
        let mut wanted = force;
        for (row, share) in rows.iter().zip(&shares) {
            wanted
                .iter_mut()
                .zip(row)
                .for_each(|(a, x)| *a += x * share);
        }
        let found = answers(&given).unwrap();
        assert_eq!(found.count(), Some(1));
        for (x, y) in found.answers[0].acceleration.iter().zip(&wanted) {
            assert!((x - y).abs() < 1e-9, "{x} {y}");
        }
    }
}
