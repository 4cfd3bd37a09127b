//! Rest: the ends of the static band, and feet that share a load.
#![allow(clippy::unwrap_used)]

use crate::forward_common;

use carom_contact::forward::counts::count_along;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{Coefficients, ForwardContact, ForwardProblem, Mode, answers, solve};
use fastrand::Rng;
use forward_common::dupont;

const GRAVITY: f64 = 9.81;

/// A foot of a box of 2 kg whose mass centre is 0.25 m above the floor.
fn foot(x: f64, force: f64, friction: Coefficients) -> ForwardContact {
    ForwardContact {
        normal: vec![0.0, 1.0, x],
        tangent: Some(vec![1.0, 0.0, 0.25]),
        drift: [-GRAVITY, force / 2.0],
        slip: 0.0,
        friction,
    }
}

/// A box at rest on two feet, pushed along the floor at its mass centre.
fn standing(force: f64, mu_s: f64, mu_d: f64) -> ForwardProblem {
    let friction = Coefficients { mu_s, mu_d };
    ForwardProblem {
        inertia: vec![
            vec![2.0, 0.0, 0.0],
            vec![0.0, 2.0, 0.0],
            vec![0.0, 0.0, 0.1],
        ],
        bias: vec![0.0, 2.0 * GRAVITY, 0.0],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: vec![0.0; 3],
        force: vec![force, 0.0, 0.0],
        contacts: vec![foot(-0.5, force, friction), foot(0.5, force, friction)],
    }
}

/// Story: where the friction forces of least norm break a cone, other shares of the same push do not;
/// the box was said not to stand though each foot had room, and `onset+` at no acceleration was given
/// beside `stick`.
#[test]
fn a_box_on_two_feet_stands_up_to_the_static_limit() {
    let limit = 0.5 * 2.0 * GRAVITY;
    for force in [0.0, 3.0, 5.0, 7.0, 9.0, 9.5, 9.8, -9.8] {
        let found = answers(&standing(force, 0.5, 0.4)).unwrap();
        let rests: Vec<_> = found
            .answers
            .iter()
            .filter(|a| a.acceleration.iter().all(|x| x.abs() < 1e-12))
            .collect();
        assert_eq!(rests.len(), 1, "{force}");
        assert_eq!(rests[0].mode, [Mode::Stick; 2], "{force}");
        assert!(!rests[0].forces_unique);
        let slides = usize::from(f64::abs(force) > 0.8 * limit);
        assert_eq!(found.answers.len(), 1 + slides, "{force}");
    }
    let slipping = answers(&standing(9.9, 0.5, 0.4)).unwrap().answers;
    assert_eq!(slipping.len(), 1);
    assert!(slipping[0].acceleration[0] > 0.9);
}

#[test]
fn the_counts_of_a_box_on_two_feet_change_at_the_limits_of_friction() {
    let mut problem = standing(0.0, 0.5, 0.4);
    for contact in &mut problem.contacts {
        contact.drift[1] = 0.0;
    }
    // Along the line the drift of a contact stays: the push acts through the feet alone.
    let counts = count_along(&problem, &[1.0, 0.0, 0.0]).unwrap();
    assert!(
        counts
            .rows
            .iter()
            .all(|row| row.count.is_none_or(|n| n >= 1))
    );
    let at_zero = counts.rows.iter().find(|row| row.at.abs() < 1e-9);
    assert!(at_zero.is_none_or(|row| row.count == Some(1)), "{counts:?}");
}

/// Story: at the end of the static band stick and the onset of motion are one answer; round-off of an
/// acceleration that is zero kept them apart.
#[test]
fn at_the_end_of_the_static_band_there_is_one_answer() {
    for (mu, tau, wanted) in [(0.3, 1.1, 1), (0.3, -0.7, 1), (0.8, 2.6, 1), (0.8, 1.0, 1)] {
        let count = solve(&dupont(mu, tau, 0.0)).unwrap().count;
        assert_eq!(count, Some(wanted), "mu {mu}, tau {tau}");
    }
    let mut rng = Rng::with_seed(31);
    let mut tenth = |most: i32| f64::from(rng.i32(1..most)) / 10.0;
    for _ in 0..500 {
        let (a, c, d, b) = (tenth(30) + 1.0, tenth(20), tenth(20), tenth(10));
        let mu = (tenth(10) * 0.9 * a / c * 10.0).round() / 100.0;
        if mu * c >= a {
            continue;
        }
        let problem = ForwardProblem {
            inertia: vec![vec![a]],
            bias: vec![b],
            load_matrix: vec![vec![c]],
            load_offset: vec![d],
            friction: vec![mu.into()],
            velocity: vec![0.0],
            force: vec![b + mu * d],
            contacts: Vec::new(),
        };
        let result = solve(&problem).unwrap();
        assert_eq!(result.unique_for_every_force, Some(true));
        assert_eq!(result.count, Some(1), "{problem:?}");
        assert_eq!(result.answers[0].mode, [Mode::Stick]);
    }
}

/// Story: the factor by which friction may grow was given though two answers remain for every factor.
#[test]
fn static_above_kinetic_friction_at_rest_has_no_margin() {
    let mut problem = dupont(0.1, 0.5, 0.0);
    problem.friction[0] = Coefficients {
        mu_s: 0.2,
        mu_d: 0.1,
    };
    let result = solve(&problem).unwrap();
    assert_eq!(result.unique_for_every_force, Some(false));
    assert_eq!(result.friction_margin, None);
    let witness = result.witness.unwrap();
    assert_eq!(witness.count, Some(2));
}

/// Story: stick and onset were two answers at the ends of the band, so that the first torque tried, at
/// a break, was taken for a witness with a count it has nowhere near.
#[test]
fn the_witness_of_a_screw_holds_nearby() {
    let screw = Screw {
        inertia: 0.001014114052483195,
        mass: 207.2755226187994,
        lead: 0.06573503438152467,
        helix: 0.0594612050043214,
        thread: 0.25,
        friction: 0.42578737879856626.into(),
        gravity: GRAVITY,
        velocity: 0.0,
        force: 0.05234491871526945,
    };
    let witness = screw.solve().unwrap().witness.unwrap();
    for factor in [1.0 - 1e-7, 1.0, 1.0 + 1e-7] {
        let force = witness.force[0] * factor;
        let count = Screw { force, ..screw }.solve().unwrap().count;
        assert_eq!(count, witness.count, "{factor}");
    }
}
