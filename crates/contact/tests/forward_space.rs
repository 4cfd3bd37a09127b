//! Contacts in space at rest or sliding: all accelerations.
#![allow(clippy::unwrap_used)]

use carom_contact::cone::alone::{OneContact, RestMode};
use carom_contact::cone::{ConeContact, ConeProblem, ConeSolver, Verdict};
use carom_contact::contact_space::Friction;
use carom_contact::forward::space::{TouchContact, TouchMode, TouchProblem, answers};
use carom_support::cases::{cases, numbers};
use carom_support::contact::cone::Posed;
use carom_support::contact::mechanism::dot;
use carom_support::near::{assert_all_near, difference};
use carom_support::random::{count, full_or};
use fastrand::Rng;

fn resting(posed: &Posed) -> Vec<TouchContact> {
    let mu = posed.contacts.iter().map(|c| c.mu);
    mu.map(|mu| TouchContact::at_rest(mu).unwrap()).collect()
}

#[test]
fn reference_cases_have_the_answers_of_the_book() {
    let mut compared = 0;
    for case in cases("spatial-forward-reference") {
        let (w, drift) = (numbers(&case["W"]), numbers(&case["drift"]));
        let mu = case["friction"].as_f64().unwrap();
        let one = OneContact {
            w: [0, 1, 2].map(|a| [0, 1, 2].map(|b| w[3 * a + b])),
            d: [drift[0], drift[1], drift[2]],
            mu_s: mu,
            mu_d: mu,
        };
        let all = one.answers();
        let wanted = case["expected"]["answers"].as_array().unwrap();
        assert_eq!(all.answers.len(), wanted.len(), "{}", case["id"]);
        assert!(all.is_clear, "{}", case["id"]);
        for expected in wanted {
            let force = numbers(&expected["force"]);
            let near = |force_found: &[f64]| difference(force_found, &force);
            let found = all
                .answers
                .iter()
                .min_by(|a, b| near(&a.force).total_cmp(&near(&b.force)));
            let found = found.unwrap();
            assert_all_near("force", &found.force, &force, 1e-11);
            let acceleration = numbers(&expected["acceleration"]);
            assert_all_near("acceleration", &found.acceleration, &acceleration, 1e-11);
            let mode = match found.mode {
                RestMode::Lift => "lift",
                RestMode::Stick => "stick",
                RestMode::Onset => "onset",
            };
            assert_eq!(expected["mode"], mode);
            let is_attracting = expected["direction_is"].as_str().map(|x| x == "attracting");
            assert_eq!(found.is_attracting, is_attracting, "{}", case["id"]);
            compared += 1;
        }
        let contacts = [TouchContact::at_rest(mu).unwrap()];
        let problem = TouchProblem {
            w: &w,
            drift: &drift,
            contacts: &contacts,
            pivots: &[],
        };
        let several = answers(&problem).unwrap();
        assert_eq!(several.answers.len(), wanted.len());
        assert!(several.is_complete);
        let verdict = if wanted.len() == 1 {
            Verdict::Unique
        } else {
            Verdict::Several
        };
        assert_eq!(several.acceleration, verdict);
    }
    assert!(compared >= 15, "{compared}");
}

#[test]
fn three_answers_occur_below_the_friction_of_painleve() {
    let w = [4.0, -5.0, 3.0, -5.0, 7.0, -5.0, 3.0, -5.0, 7.0];
    let contacts = [TouchContact::at_rest(0.6).unwrap()];
    let drift = [-1.0, -0.1, 3.2];
    let found = answers(&TouchProblem {
        w: &w,
        drift: &drift,
        contacts: &contacts,
        pivots: &[],
    })
    .unwrap();
    let mut loads: Vec<f64> = found.answers.iter().map(|a| a.force[0]).collect();
    loads.sort_by(f64::total_cmp);
    assert_all_near("λ_n", &loads, &[0.844591162, 1.419928109, 1.65], 1e-9);
    assert!(0.6 < 4.0 / 34f64.sqrt());
}

#[test]
fn a_box_on_four_corners_at_rest_on_the_level_stays() {
    let posed = Posed::on_four_corners(&mut Rng::with_seed(91), 0.3);
    let mut drift = vec![0.0; 12];
    (0..4).for_each(|i| drift[3 * i] = -9.81);
    let contacts = resting(&posed);
    let found = answers(&TouchProblem {
        w: &posed.w,
        drift: &drift,
        contacts: &contacts,
        pivots: &[],
    })
    .unwrap();
    let first = &found.answers[0];
    assert!(
        first.acceleration.iter().all(|a| a.abs() < 1e-12),
        "{found:?}"
    );
    assert_eq!(first.modes, [TouchMode::Stick; 4]);
    assert!(!first.is_force_unique && !found.is_complete);
}

/// The natural residual of forces, sliding contacts by their own law.
fn misses(posed: &Posed, contacts: &[TouchContact], force: &[f64]) -> f64 {
    let n = posed.q.len();
    let mut worst = 0.0f64;
    for (i, contact) in contacts.iter().enumerate() {
        let a = [0, 1, 2].map(|c| {
            let row = 3 * i + c;
            dot(&posed.w[row * n..(row + 1) * n], force) + posed.q[row]
        });
        let f = &force[3 * i..3 * i + 3];
        let mu = contact.friction.mu_d();
        worst = worst.max(f[0].min(a[0]).abs());
        match contact.slip {
            Some(u) => {
                worst = worst.max((f[1] + mu * f[0] * u[0]).hypot(f[2] + mu * f[0] * u[1]));
            }
            None => {
                worst = worst.max(f[1].hypot(f[2]) - mu * f[0]);
                let work = mu * f[0] * a[1].hypot(a[2]) + f[1] * a[1] + f[2] * a[2];
                worst = worst.max(work.abs());
            }
        }
    }
    worst
}

#[test]
fn every_answer_of_several_contacts_meets_signorini_and_coulomb() {
    let mut rng = Rng::with_seed(92);
    let (mut unique, mut several, mut iterated) = (0, 0, 0);
    for _ in 0..count(1500) {
        let k = rng.usize(1..5);
        let mu = if rng.u8(0..3) == 0 { 2.0 } else { 0.9 };
        let posed = Posed::random(&mut rng, 3 * k + 2, k, mu);
        let mut contacts = resting(&posed);
        for contact in &mut contacts {
            if rng.bool() {
                continue;
            }
            let (s, c) = (std::f64::consts::TAU * rng.f64()).sin_cos();
            contact.slip = Some([c, s]);
        }
        let problem = TouchProblem {
            w: &posed.w,
            drift: &posed.q,
            contacts: &contacts,
            pivots: &[],
        };
        let found = answers(&problem).unwrap();
        for answer in &found.answers {
            let size = 1.0 + answer.force.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let miss = misses(&posed, &contacts, &answer.force);
            assert!(
                miss < 1e-9 * size * size,
                "{miss:e} {posed:?} {contacts:?} {answer:?}"
            );
            iterated += usize::from(!answer.is_exact);
        }
        let resting = contacts.iter().filter(|c| c.slip.is_none()).count();
        assert!(!found.answers.is_empty() || resting < k, "{posed:?}");
        unique += usize::from(found.acceleration == Verdict::Unique);
        several += usize::from(found.acceleration == Verdict::Several);
    }
    assert!(
        unique > count(300) && several >= full_or(5, 0),
        "{unique} {several}"
    );
    assert!(iterated >= count(50), "{iterated}");
}

#[test]
fn the_iteration_finds_one_of_the_answers_in_closed_form() {
    let (mut rng, mut solver) = (Rng::with_seed(93), ConeSolver::new());
    for _ in 0..count(500) {
        let posed = Posed::random(&mut rng, 8, 2, 0.9);
        let (s, c) = (std::f64::consts::TAU * rng.f64()).sin_cos();
        let mut contacts = resting(&posed);
        contacts[0].slip = Some([c, s]);
        let problem = TouchProblem {
            w: &posed.w,
            drift: &posed.q,
            contacts: &contacts,
            pivots: &[],
        };
        let found = answers(&problem).unwrap();
        let mut cones = posed.contacts.clone();
        cones[0] = ConeContact {
            slip: Some([c, s]),
            ..cones[0]
        };
        let asked = ConeProblem {
            w: &posed.w,
            q: &posed.q,
            contacts: &cones,
        };
        let end = solver.solve(&asked).unwrap();
        if end.is_solved && found.is_complete {
            let near = found
                .answers
                .iter()
                .map(|a| difference(&a.acceleration, solver.velocity()));
            let near = near.fold(f64::INFINITY, f64::min);
            assert!(near < 1e-9, "{posed:?} {found:?}");
        }
    }
}

#[test]
fn static_friction_above_kinetic_leaves_rest_and_slip_both_consistent() {
    let w = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let friction = Friction::new(0.5, 0.3).unwrap();
    let contacts = [TouchContact {
        friction,
        slip: None,
    }];
    let found = answers(&TouchProblem {
        w: &w,
        drift: &[-1.0, 0.4, 0.0],
        contacts: &contacts,
        pivots: &[],
    });
    let found = found.unwrap();
    let modes: Vec<TouchMode> = found.answers.iter().map(|a| a.modes[0]).collect();
    assert_eq!(modes, [TouchMode::Stick, TouchMode::Onset]);
    assert_eq!(found.acceleration, Verdict::Several);
}
