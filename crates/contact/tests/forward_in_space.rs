//! Forward problems in space: the book, the plane as a part of space, and what each answer must meet.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::TAU;

use carom_contact::cone::{ConeContact, ConeProblem, ConeSolver};
use carom_contact::forward::space::{
    ForwardNoteCode, FrictionForce, SpatialAnswer, SpatialForwardProblem, StatedForward,
    StatedTouch,
};
use carom_contact::forward::{Answer, ForwardProblem, Mode, answers};
use carom_contact::impact::Law;
use carom_contact::resolution::{impact_without_collision, solve_and_resolve_in_space};
use carom_support::cases::{cases, numbers};
use carom_support::contact::forward_in_space::{
    in_space, missed, random_contact, random_spatial_contact, random_system, turned,
    with_tangents_turned,
};
use carom_support::near::{assert_all_near, assert_near, difference};
use carom_support::random::{count, full_or};
use fastrand::Rng;

fn stated(w: &[f64], drift: &[f64], mu: f64) -> StatedForward {
    StatedForward {
        delassus: w.chunks(drift.len()).map(<[f64]>::to_vec).collect(),
        drift: drift.to_vec(),
        contacts: vec![
            StatedTouch {
                slip: [0.0; 2],
                friction: mu.into(),
            };
            drift.len() / 3
        ],
    }
}

#[test]
fn the_book_is_answered_with_its_modes_forces_and_thresholds() {
    let mut compared = 0;
    for case in cases("spatial-forward-reference") {
        let (w, drift) = (numbers(&case["W"]), numbers(&case["drift"]));
        let mu = case["friction"].as_f64().unwrap();
        let result = stated(&w, &drift, mu).pose().unwrap().solve().unwrap();
        let expected = &case["expected"];
        let wanted = expected["answers"].as_array().unwrap();
        assert_eq!(result.count, Some(wanted.len()), "{}", case["id"]);
        assert!(result.notes.is_empty() && result.unique_for_every_force.is_none());
        let moves = |one: &SpatialAnswer| one.contact_acceleration[0];
        assert!(result.answers.is_sorted_by(|a, b| moves(a) <= moves(b)));
        for wanted in wanted {
            let [force, moved] = ["force", "acceleration"].map(|key| numbers(&wanted[key]));
            let near = |one: &&SpatialAnswer| (one.normal_load[0] - force[0]).abs() < 1e-6;
            let found = result.answers.iter().find(near).unwrap();
            let along = found.friction_force[0].numbers();
            let own = [found.normal_load[0], along[0], along[1]];
            assert_all_near("force", &own, &force, 1e-11);
            assert_all_near(
                "acceleration",
                &found.contact_acceleration[0],
                &moved,
                1e-11,
            );
            let mode = found.mode[0].name().replace("lift-off", "lift");
            assert_eq!(wanted["mode"], mode.as_str(), "{}", case["id"]);
            let attracts = wanted["direction_is"].as_str().map(|x| x == "attracting");
            assert_eq!(found.attracting, attracts);
            assert!(found.acceleration.is_none() && found.exact && found.forces_unique);
            compared += 1;
        }
        let condition = result.condition;
        for (found, key) in [
            (condition.mu_p, "mu_painleve"),
            (condition.sure_friction, "mu_unique_sufficient"),
        ] {
            assert_near(key, found.unwrap(), expected[key].as_f64().unwrap(), 1e-11);
        }
    }
    assert!(compared >= 15, "{compared}");
}

/// Of a problem of the plane: coordinates and contacts, some with rough joints.
fn random_in_plane(rng: &mut Rng) -> ForwardProblem {
    let n = rng.usize(4..6);
    let is_rough = rng.bool();
    let mut problem = random_system(rng, n, is_rough);
    let contacts = rng.usize(1..3);
    problem.contacts = (0..contacts).map(|_| random_contact(rng, n)).collect();
    problem
}

/// An answer of the plane as the problem in space lists it.
fn told(answer: &Answer, angles: &[f64]) -> (Vec<f64>, Vec<String>) {
    let joints = answer.mode.len() - angles.len();
    let mut numbers = answer.normal_load.clone();
    numbers.extend(&answer.friction_force[..joints]);
    for (f_t, angle) in answer.friction_force[joints..].iter().zip(angles) {
        numbers.extend(turned([*f_t, 0.0], *angle));
    }
    let modes = answer.mode.iter().enumerate().map(|(i, mode)| match mode {
        Mode::OnsetForward | Mode::OnsetBackward if i >= joints => "onset".to_owned(),
        mode => mode.name().to_owned(),
    });
    (numbers, modes.collect())
}

/// The same of an answer in space, without the joints that space adds.
fn seen(answer: &SpatialAnswer, joints: usize, contacts: usize) -> (Vec<f64>, Vec<String>) {
    let first = answer.mode.len() - contacts;
    let keeps = |i: &usize| *i < joints || *i >= first;
    let places = || (0..answer.mode.len()).filter(keeps);
    let mut numbers: Vec<f64> = places().map(|i| answer.normal_load[i]).collect();
    numbers.extend(places().flat_map(|i| answer.friction_force[i].numbers()));
    let modes = places().map(|i| answer.mode[i].name().to_owned());
    (numbers, modes.collect())
}

#[test]
fn a_problem_of_the_plane_has_the_same_answers_in_space() {
    let mut rng = Rng::with_seed(601);
    let (mut complete, mut several, mut none, mut rough, mut open) = (0, 0, 0, 0, 0);
    for _ in 0..count(600) {
        let plane = random_in_plane(&mut rng);
        let (problem, angles) = in_space(&mut rng, &plane);
        let wanted = answers(&plane).unwrap().answers;
        let result = problem.pose().unwrap().solve().unwrap();
        let wanted: Vec<_> = wanted.iter().map(|one| told(one, &angles)).collect();
        let joints = plane.friction.len();
        let found: Vec<_> = result
            .answers
            .iter()
            .map(|one| seen(one, joints, angles.len()))
            .collect();
        let is_near = |a: &(Vec<f64>, Vec<String>), b: &(Vec<f64>, Vec<String>)| {
            a.1 == b.1 && difference(&a.0, &b.0) < 1e-9
        };
        let onsets = |one: &(Vec<f64>, Vec<String>)| {
            one.1[joints..]
                .iter()
                .filter(|mode| *mode == "onset")
                .count()
        };
        for one in &found {
            assert!(
                wanted.iter().any(|other| is_near(one, other)),
                "{plane:?} {one:?} {wanted:?}"
            );
        }
        for one in wanted
            .iter()
            .filter(|one| onsets(one) < 2 || result.is_complete)
        {
            assert!(
                found.iter().any(|other| is_near(one, other)),
                "{plane:?} {one:?} {found:?}"
            );
        }
        complete += usize::from(result.count.is_some());
        several += usize::from(result.count > Some(1));
        none += usize::from(result.count == Some(0));
        rough += usize::from(result.count.is_some() && joints > 0);
        open += usize::from(result.count.is_none());
    }
    assert!(
        complete > count(350) && rough >= full_or(121, 1),
        "{complete} {rough}"
    );
    assert!(
        several >= full_or(21, 0) && none >= full_or(21, 0),
        "{several} {none}"
    );
    assert!(open >= full_or(21, 0), "two contacts at rest: {open}");
}

fn random_problem(rng: &mut Rng) -> SpatialForwardProblem {
    let (k, is_rough) = (rng.usize(1..4), rng.bool());
    let n = if is_rough {
        rng.usize(1..4)
    } else {
        rng.usize(2..9)
    };
    let system = random_system(rng, n, is_rough);
    let contacts = (0..k).map(|_| random_spatial_contact(rng, n)).collect();
    SpatialForwardProblem { system, contacts }
}

#[test]
fn every_answer_meets_the_balance_of_forces_signorini_and_coulomb() {
    let mut rng = Rng::with_seed(602);
    let (mut checked, mut several, mut iterated, mut shared, mut onset) = (0, 0, 0, 0, 0);
    for _ in 0..count(1500) {
        let problem = random_problem(&mut rng);
        let result = problem.pose().unwrap().solve().unwrap();
        for answer in &result.answers {
            let miss = missed(&problem, answer);
            assert!(miss < 1e-8, "{miss:e} {problem:?} {answer:?}");
            checked += 1;
            iterated += usize::from(!answer.exact);
            shared += usize::from(!answer.forces_unique);
            onset += usize::from(answer.mode.contains(&Mode::Onset));
        }
        several += usize::from(result.answers.len() > 1);
        let says = result.notes.iter().any(|note| {
            use ForwardNoteCode::{NoneFound, OthersNotExcluded};
            [NoneFound, OthersNotExcluded].contains(&note.code)
        });
        assert_eq!(says, result.count.is_none());
        assert!(
            result
                .count
                .is_none_or(|count| count == result.answers.len())
        );
    }
    assert!(
        checked > count(1000) && several >= full_or(16, 0),
        "{checked} {several}"
    );
    assert!(
        onset > count(100) && shared >= full_or(21, 0),
        "{onset} {shared}"
    );
    assert!(iterated >= full_or(5, 0), "{iterated}");
}

/// What must stay: counts and modes, in any order, and the loads by their sizes.
fn statement(problem: &SpatialForwardProblem) -> (Option<usize>, Vec<Vec<&'static str>>) {
    let result = problem.pose().unwrap().solve().unwrap();
    let names = |one: &SpatialAnswer| one.mode.iter().map(|mode| mode.name()).collect();
    let mut modes: Vec<Vec<&str>> = result.answers.iter().map(names).collect();
    modes.sort();
    (result.count, modes)
}

#[test]
fn tangents_that_turn_rows_in_other_units_and_another_order_tell_the_same_story() {
    let mut rng = Rng::with_seed(603);
    for _ in 0..count(300) {
        let given = random_problem(&mut rng);
        let wanted = statement(&given);
        let mut other = given.clone();
        for contact in &mut other.contacts {
            *contact = with_tangents_turned(contact, TAU * rng.f64());
            let unit = 10f64.powf(12.0 * rng.f64() - 6.0);
            let rows = contact.normal.iter_mut();
            let rows = rows.chain(contact.tangents.iter_mut().flatten().flatten());
            let all = rows.chain(&mut contact.drift).chain(&mut contact.slip);
            all.for_each(|x| *x *= unit);
        }
        assert_eq!(statement(&other), wanted, "{given:?}");
        let heavier = 10f64.powf(12.0 * rng.f64() - 6.0);
        let system = &mut other.system;
        let forces = system.bias.iter_mut().chain(&mut system.force);
        let forces = forces.chain(system.inertia.iter_mut().flatten());
        let loads = system
            .load_matrix
            .iter_mut()
            .flatten()
            .chain(&mut system.load_offset);
        forces.chain(loads).for_each(|x| *x *= heavier);
        assert_eq!(statement(&other), wanted, "{given:?}");
        other.contacts.reverse();
        let joints = other.system.friction.len();
        let mut relisted = wanted;
        relisted
            .1
            .iter_mut()
            .for_each(|modes| modes[joints..].reverse());
        relisted.1.sort();
        assert_eq!(statement(&other), relisted, "{given:?}");
    }
}

#[test]
fn the_contact_space_of_a_problem_has_its_answers() {
    let mut rng = Rng::with_seed(604);
    let mut compared = 0;
    for _ in 0..count(300) {
        let mut problem = random_problem(&mut rng);
        if !problem.system.friction.is_empty() {
            continue;
        }
        for contact in &mut problem.contacts {
            let n = problem.system.coordinates();
            contact
                .tangents
                .get_or_insert_with(|| [vec![1.0; n], vec![0.5; n]]);
        }
        let posed = problem.pose().unwrap();
        let mut stated = stated(&posed.w, &posed.drift, 0.0);
        for (own, contact) in stated.contacts.iter_mut().zip(&problem.contacts) {
            (own.slip, own.friction) = (contact.slip, contact.friction);
        }
        let (whole, part) = (
            posed.solve().unwrap(),
            stated.pose().unwrap().solve().unwrap(),
        );
        // Without the coordinates less is proved where all contacts slide; nothing else may differ.
        assert!(
            part.count.is_none() || whole.count == part.count,
            "{whole:?} {part:?}"
        );
        for one in &whole.answers {
            let near = part.answers.iter().filter(|other| {
                one.mode == other.mode && difference(&one.normal_load, &other.normal_load) < 1e-9
            });
            assert_eq!(near.count(), 1, "{problem:?}");
            compared += 1;
        }
    }
    assert!(compared > count(80), "{compared}");
}

#[test]
fn below_the_sure_friction_no_force_has_more_than_one_answer() {
    let mut rng = Rng::with_seed(605);
    let (mut sure, mut several) = (0, 0);
    for _ in 0..count(2000) {
        let system = random_system(&mut rng, 3, false);
        let mut contact = random_spatial_contact(&mut rng, 3);
        contact.slip = [0.0; 2];
        contact.friction = (2.0 * rng.f64()).into();
        let Some(_) = contact.tangents else { continue };
        let mu = contact.friction.mu_d;
        let contacts = vec![contact];
        let posed = SpatialForwardProblem { system, contacts }.pose().unwrap();
        let result = posed.solve().unwrap();
        let Some(least) = result.condition.sure_friction else {
            continue;
        };
        let mut solver = ConeSolver::new();
        let cones = [ConeContact::new(mu)];
        let (w, q) = (&posed.w[..], &posed.drift[..]);
        let contacts = &cones[..];
        if solver
            .solve(&ConeProblem { w, q, contacts })
            .unwrap()
            .is_solved
        {
            let bound = solver.uniqueness().bound.unwrap_or(mu / least);
            assert_near("the bound of several", bound * least, mu, 1e-6);
        }
        sure += usize::from(mu < least);
        several += usize::from(result.answers.len() > 1);
        assert!(mu >= least || result.count == Some(1), "{result:?}");
    }
    assert!(
        sure > count(400) && several >= full_or(5, 0),
        "{sure} {several}"
    );
}

#[test]
fn painleves_rod_in_space_collides_without_an_approach_as_in_the_plane() {
    let mut rng = Rng::with_seed(606);
    let mut jumps = 0;
    for _ in 0..count(300) {
        let mut plane = random_system(&mut rng, 3, false);
        plane.velocity = vec![0.3, -0.2, 0.5];
        let mut contact = random_contact(&mut rng, 3);
        contact.slip = 0.4;
        contact.friction = 1.4.into();
        plane.contacts = vec![contact];
        let (problem, angles) = in_space(&mut rng, &plane);
        let posed = problem.pose().unwrap();
        let result = solve_and_resolve_in_space(&posed, 0.5, Law::Poisson).unwrap();
        if result.count != Some(0) {
            assert!(result.resolution.is_none());
            continue;
        }
        let wanted = impact_without_collision(&plane, 0.5, Law::Poisson)
            .unwrap()
            .unwrap();
        let found = result.resolution.unwrap();
        let own = [wanted.normal_impulse[0], wanted.energy_loss];
        assert_all_near(
            "impulse",
            &[found.normal_impulse[0], found.energy_loss],
            &own,
            1e-9,
        );
        let along = turned([wanted.friction_impulse[0], 0.0], angles[0]);
        assert_eq!(found.friction_impulse.len(), 1);
        assert_all_near(
            "friction",
            found.friction_impulse[0].numbers(),
            &along,
            1e-9,
        );
        let after = &found.velocity_after.unwrap()[..3];
        assert_all_near("after", after, &wanted.velocity_after.unwrap(), 1e-9);
        jumps += 1;
    }
    assert!(jumps >= full_or(20, 0), "{jumps}");
}

#[test]
fn malformed_questions_say_where() {
    let good = stated(
        &[4.0, -5.0, 3.0, -5.0, 7.0, -5.0, 3.0, -5.0, 7.0],
        &[-1.0, -0.1, 3.2],
        0.6,
    );
    let change = |what: &dyn Fn(&mut StatedForward)| {
        let mut bad = good.clone();
        what(&mut bad);
        let error = bad.pose().unwrap_err();
        (error.path(), error.to_string())
    };
    for (found, path, said) in [
        (change(&|p| p.contacts.clear()), "contacts", "at least one"),
        (change(&|p| p.drift.truncate(2)), "drift", "expected 3"),
        (
            change(&|p| p.delassus.truncate(2)),
            "delassus",
            "expected 3",
        ),
        (
            change(&|p| p.delassus[1].truncate(2)),
            "delassus[1]",
            "expected 3",
        ),
        (
            change(&|p| p.delassus[0][2] = 3.1),
            "delassus[0][2]",
            "symmetric",
        ),
        (
            change(&|p| p.delassus[0][0] = -4.0),
            "delassus[0][0]",
            "semidefinite",
        ),
        (
            change(&|p| p.delassus[0][0] = 0.5),
            "delassus[0][0]",
            "semidefinite",
        ),
        (change(&|p| p.drift[1] = f64::NAN), "drift[1]", "NaN"),
        (
            change(&|p| p.contacts[0].friction = (-1.0).into()),
            "contacts[0].friction",
            ">= 0",
        ),
        (
            change(&|p| p.contacts[0].slip[1] = f64::INFINITY),
            "contacts[0].slip[1]",
            "inf",
        ),
    ] {
        assert!(
            found.0.starts_with(path.split("[0][0]").next().unwrap()),
            "{found:?} {path}"
        );
        assert!(found.1.contains(said), "{found:?}");
    }
}

#[test]
fn friction_is_written_as_a_number_of_a_joint_and_a_pair_of_a_contact() {
    let both = [
        FrictionForce::Joint(0.5),
        FrictionForce::Contact([1.0, -2.0]),
    ];
    let text = serde_json::to_string(&both).unwrap();
    assert_eq!(text, "[0.5,[1.0,-2.0]]");
    assert_eq!(
        serde_json::from_str::<[FrictionForce; 2]>(&text).unwrap(),
        both
    );
}
