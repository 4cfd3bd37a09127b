//! Contacts in space that resist pivoting about their normals: every acceleration meets the law, and the iteration
//! finds one of them.
#![allow(clippy::unwrap_used)]

use carom_contact::cone::{ConeInputError, ConePivot, ConeProblem, ConeSolver, PivotMode, Verdict};
use carom_contact::contact_space::Friction;
use carom_contact::forward::space::{
    TouchAnswer, TouchContact, TouchMode, TouchPivot, TouchProblem, answers, equally_stiff,
};
use carom_support::contact::cone::Posed;
use carom_support::contact::mechanism::dot;
use carom_support::near::{assert_all_near, difference};
use carom_support::random::{count, full_or, list};
use fastrand::Rng;

/// Contacts with rows for their pivots after all others.
#[derive(Debug)]
struct Pivoted {
    posed: Posed,
    contacts: Vec<TouchContact>,
    pivots: Vec<TouchPivot>,
}

impl Pivoted {
    /// A random mechanism of enough coordinates, its contacts and pivots at rest or moving.
    fn random(rng: &mut Rng) -> Self {
        let k = rng.usize(1..4);
        let of: Vec<usize> = (0..k).filter(|_| rng.u8(0..3) > 0).collect();
        let n = 3 * k + of.len() + 1;
        let (rows, motion) = (list(rng, (n - 1) * n, 1.0), list(rng, n, 1.0));
        let mu: Vec<f64> = (0..k).map(|_| 0.9 * rng.f64()).collect();
        let posed = Posed::of_rows("pivots", &rows, n, &motion, &mu);
        let contact = |mu: &f64| {
            let (s, c) = (std::f64::consts::TAU * rng.f64()).sin_cos();
            TouchContact {
                slip: rng.bool().then_some([c, s]),
                ..TouchContact::at_rest(*mu).unwrap()
            }
        };
        let contacts = mu.iter().map(contact).collect();
        let pivot = |contact: usize| TouchPivot {
            contact,
            friction: Friction::uniform(2.0 * rng.f64()).unwrap(),
            sense: [None, None, Some(1.0), Some(-1.0)][rng.usize(..4)],
        };
        let pivots = of.into_iter().map(pivot).collect();
        Self {
            posed,
            contacts,
            pivots,
        }
    }

    fn problem(&self) -> TouchProblem<'_> {
        TouchProblem {
            w: &self.posed.w,
            drift: &self.posed.q,
            contacts: &self.contacts,
            pivots: &self.pivots,
        }
    }

    /// Whether a contact slides or pivots already: Painlevé's paradox may leave it without an answer.
    fn moves(&self) -> bool {
        let slides = self.contacts.iter().any(|contact| contact.slip.is_some());
        slides || self.pivots.iter().any(|pivot| pivot.sense.is_some())
    }

    /// How far forces miss Signorini's, Coulomb's and the pivots' law.
    fn misses(&self, force: &[f64]) -> f64 {
        let n = self.posed.q.len();
        let a = |i: usize| dot(&self.posed.w[i * n..(i + 1) * n], force) + self.posed.q[i];
        let mut worst = 0.0f64;
        for (i, contact) in self.contacts.iter().enumerate() {
            let ([a_n, a_1, a_2], f) = ([0, 1, 2].map(|c| a(3 * i + c)), &force[3 * i..]);
            let mu = contact.friction.mu_d();
            worst = worst.max(f[0].min(a_n).abs());
            worst = worst.max(match contact.slip {
                Some(u) => (f[1] + mu * f[0] * u[0]).hypot(f[2] + mu * f[0] * u[1]),
                None => (f[1].hypot(f[2]) - mu * f[0])
                    .max((mu * f[0] * a_1.hypot(a_2) + f[1] * a_1 + f[2] * a_2).abs()),
            });
        }
        for (j, pivot) in self.pivots.iter().enumerate() {
            let row = 3 * self.contacts.len() + j;
            let (bound, f, a) = (
                pivot.friction.mu_d() * force[3 * pivot.contact],
                force[row],
                a(row),
            );
            worst = worst.max(match pivot.sense {
                Some(sense) => (f + sense * bound).abs(),
                None => (f.abs() - bound).max((bound * a.abs() + f * a).abs()),
            });
        }
        worst
    }
}

fn size(answer: &TouchAnswer) -> f64 {
    1.0 + answer.force.iter().fold(0.0f64, |m, x| m.max(x.abs()))
}

#[test]
fn every_answer_with_pivots_meets_signorini_coulomb_and_the_bound_of_the_torque() {
    let mut rng = Rng::with_seed(511);
    let mut met = [0; 4];
    let (mut with_onset, mut unique, mut iterated) = (0, 0, 0);
    for _ in 0..count(1200) {
        let posed = Pivoted::random(&mut rng);
        let found = answers(&posed.problem()).unwrap();
        assert!(!found.answers.is_empty() || posed.moves(), "{posed:?}");
        for answer in &found.answers {
            let (miss, size) = (posed.misses(&answer.force), size(answer));
            assert!(miss < 1e-9 * size * size, "{miss:e} {posed:?} {answer:?}");
            for (mode, pivot) in answer.pivots.iter().zip(&posed.pivots) {
                let lifts = answer.modes[pivot.contact] == TouchMode::Lift;
                assert_eq!(*mode == PivotMode::Free, lifts, "{posed:?} {answer:?}");
                met[*mode as usize] += usize::from(pivot.sense.is_none());
                let begins = *mode != PivotMode::Held && !lifts;
                let slips = answer.modes.contains(&TouchMode::Onset);
                with_onset += usize::from(begins && slips && pivot.sense.is_none());
            }
            iterated += usize::from(!answer.is_exact);
        }
        unique += usize::from(found.acceleration == Verdict::Unique);
    }
    assert!(met.iter().all(|met| *met >= full_or(61, 0)), "{met:?}");
    assert!(
        with_onset >= full_or(31, 0) && unique > count(300),
        "{with_onset} {unique}"
    );
    assert!(iterated >= full_or(31, 0), "{iterated}");
}

#[test]
fn the_iteration_with_pivots_finds_one_of_the_answers_in_closed_form() {
    let (mut rng, mut solver) = (Rng::with_seed(512), ConeSolver::new());
    let mut compared = 0;
    for _ in 0..count(600) {
        let posed = Pivoted::random(&mut rng);
        let found = answers(&posed.problem()).unwrap();
        let mut contacts = posed.posed.contacts.clone();
        for (cone, touch) in contacts.iter_mut().zip(&posed.contacts) {
            cone.slip = touch.slip;
        }
        let cone = |pivot: &TouchPivot| ConePivot {
            contact: pivot.contact,
            mu: pivot.friction.mu_d(),
            sense: pivot.sense,
        };
        let pivots: Vec<ConePivot> = posed.pivots.iter().map(cone).collect();
        let asked = ConeProblem {
            contacts: &contacts,
            ..posed.posed.problem()
        };
        let end = solver.solve_with(&asked, &pivots).unwrap();
        let has_none = found.answers.is_empty() && posed.moves();
        assert!(end.is_solved || has_none, "{posed:?} {found:?}");
        if end.is_solved && found.is_complete {
            let apart = |a: &TouchAnswer| difference(&a.acceleration, solver.velocity());
            let near = found
                .answers
                .iter()
                .map(apart)
                .fold(f64::INFINITY, f64::min);
            assert!(near < 1e-9, "{posed:?} {found:?}");
            compared += 1;
        }
    }
    assert!(compared > count(250), "{compared}");
}

#[test]
fn the_length_that_a_turning_rate_is_measured_with_changes_no_answer() {
    let mut rng = Rng::with_seed(513);
    for _ in 0..count(200) {
        let posed = Pivoted::random(&mut rng);
        let (first, n) = (3 * posed.contacts.len(), posed.posed.q.len());
        let length = |i: usize| if i < first { 1.0 } else { 0.25 };
        let mut other = Pivoted {
            posed: posed.posed.clone(),
            contacts: posed.contacts.clone(),
            pivots: posed.pivots.clone(),
        };
        for (at, w) in other.posed.w.iter_mut().enumerate() {
            *w *= length(at / n) * length(at % n);
        }
        (first..n).for_each(|i| other.posed.q[i] *= length(i));
        for pivot in &mut other.pivots {
            pivot.friction = Friction::uniform(4.0 * pivot.friction.mu_d()).unwrap();
        }
        let (one, two) = [&posed, &other]
            .map(|p| answers(&p.problem()).unwrap())
            .into();
        if !(one.is_complete && two.is_complete) {
            continue;
        }
        assert_eq!(one.answers.len(), two.answers.len(), "{posed:?}");
        for (a, b) in one.answers.iter().zip(&two.answers) {
            assert_eq!((&a.modes, &a.pivots), (&b.modes, &b.pivots));
            let force: Vec<f64> = (0..n).map(|i| b.force[i] * length(i)).collect();
            assert!(difference(&a.force, &force) < 1e-9, "{posed:?}");
        }
    }
}

/// A unit of mass and of moment on a floor, with a torque drift.
fn alone(friction: Friction, turning: f64) -> Vec<(PivotMode, f64)> {
    let mut w = [0.0; 16];
    (0..4).for_each(|i| w[5 * i] = 1.0);
    let contacts = [TouchContact::at_rest(1.0).unwrap()];
    let pivots = [TouchPivot {
        contact: 0,
        friction,
        sense: None,
    }];
    let found = answers(&TouchProblem {
        w: &w,
        drift: &[-2.0, 0.0, 0.0, turning],
        contacts: &contacts,
        pivots: &pivots,
    });
    let found = found.unwrap().answers;
    let told = found.iter().map(|a| (a.pivots[0], a.acceleration[3]));
    told.collect()
}

#[test]
fn a_contact_begins_to_pivot_where_the_torque_is_beyond_its_bound() {
    let friction = Friction::new(0.3, 0.2).unwrap();
    assert_eq!(alone(friction, 0.3), [(PivotMode::Held, 0.0)]);
    assert_eq!(alone(friction, 0.7), [(PivotMode::Forward, 0.7 - 0.4)]);
    assert_eq!(alone(friction, -0.7), [(PivotMode::Backward, 0.4 - 0.7)]);
    // Within the band of static friction it may do both.
    let both = alone(friction, 0.5);
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(both[0], (PivotMode::Held, 0.0));
    assert!(both[1].0 == PivotMode::Forward && (both[1].1 - 0.1).abs() < 1e-15);
}

#[test]
fn contacts_that_slide_and_pivot_share_their_loads_as_equally_stiff_ones() {
    // A body that turns about the middle of four corners, each a quarter of its weight: the torque is that of the
    // slips and of the pivots.
    let (mu, radius, weight): (f64, f64, f64) = (0.3, 0.2, 4.0);
    let corners = [[1.0, 0.5], [1.0, -0.5], [-1.0, 0.5], [-1.0, -0.5]];
    let mut rows = Vec::new();
    for [x, y] in corners {
        rows.extend([0.0, 0.0, 1.0, y, -x, 0.0]);
        rows.extend([1.0, 0.0, 0.0, 0.0, 0.0, -y]);
        rows.extend([0.0, 1.0, 0.0, 0.0, 0.0, x]);
    }
    corners
        .iter()
        .for_each(|_| rows.extend([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    let posed = Posed::of_rows(
        "box",
        &rows,
        6,
        &[0.0, 0.0, -weight, 0.0, 0.0, 0.0],
        &[mu; 4],
    );
    let arm = 1.0f64.hypot(0.5);
    let contacts = corners.map(|[x, y]| TouchContact {
        slip: Some([-y / arm, x / arm]),
        ..TouchContact::at_rest(mu).unwrap()
    });
    let friction = Friction::uniform(mu * radius).unwrap();
    let pivots: [TouchPivot; 4] = std::array::from_fn(|contact| TouchPivot {
        contact,
        friction,
        sense: Some(1.0),
    });
    let found = equally_stiff(&TouchProblem {
        w: &posed.w,
        drift: &posed.q,
        contacts: &contacts,
        pivots: &pivots,
    });
    let found = found.unwrap();
    let loads: Vec<f64> = (0..4).map(|i| found.force[3 * i]).collect();
    assert_all_near("loads", &loads, &[1.0; 4], 1e-13);
    assert_all_near("torques", &found.force[12..], &[-mu * radius; 4], 1e-13);
    let turning = -mu * weight * (arm + radius);
    assert_all_near("turning", &found.acceleration[12..], &[turning; 4], 1e-13);
}

#[test]
fn a_pivot_without_a_contact_or_with_numbers_that_mean_nothing_is_refused() {
    let posed = Posed::of_rows("one", &[1.0; 16], 4, &[1.0; 4], &[0.5]);
    let good = ConePivot {
        contact: 0,
        mu: 0.1,
        sense: None,
    };
    let said = |pivots: &[ConePivot]| {
        let end = ConeSolver::new().solve_with(&posed.problem(), pivots);
        end.map(|_| String::new())
            .unwrap_or_else(|error: ConeInputError| error.to_string())
    };
    assert_eq!(said(&[good]), "");
    assert!(said(&[]).starts_with("1 contacts with 16 elements of W and 4 of q, expected 9 and 3"));
    let far = ConePivot { contact: 1, ..good };
    assert!(said(&[far]).starts_with("pivot contact[0] is 1e0"));
    let loose = ConePivot { mu: -0.1, ..good };
    assert!(said(&[loose]).starts_with("pivot friction[0] is -1e-1"));
    let skew = ConePivot {
        sense: Some(0.5),
        ..good
    };
    assert!(said(&[skew]).starts_with("pivot sense[0] is 5e-1"));
    let twice = said(&[good, good]);
    assert!(
        twice.starts_with("1 contacts and 2 pivots with 16 elements"),
        "{twice}"
    );
}
