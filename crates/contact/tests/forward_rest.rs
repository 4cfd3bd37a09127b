//! Rest: the ends of the static band, and feet that share a load.
#![allow(clippy::unwrap_used)]

use crate::forward_common;
use carom_contact::contact_space::GivenFriction;

use carom_contact::forward::counts::count_along;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{ForwardContact, ForwardProblem, Mode, answers, solve};
use fastrand::Rng;
use forward_common::dupont;

const GRAVITY: f64 = 9.81;

/// A foot of a box of 2 kg whose mass centre is 0.25 m above the floor.
fn foot(x: f64, force: f64, friction: GivenFriction) -> ForwardContact {
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
    let friction = GivenFriction { mu_s, mu_d };
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
    problem.friction[0] = GivenFriction {
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

/// Two blocks pushed along a floor against each other by a smooth side; its row is that of the two feet
/// together, but for `off`.
fn pushed_together(off: f64) -> ForwardProblem {
    let foot = |own: usize, height: f64, drift: [f64; 2], mu: f64| {
        let (mut normal, mut tangent) = (vec![0.0; 6], vec![0.0; 6]);
        (normal[own + 1], normal[own + 2]) = (1.0, 0.1);
        (tangent[own], tangent[own + 2]) = (1.0, height);
        ForwardContact {
            normal,
            tangent: Some(tangent),
            drift,
            slip: 0.0,
            friction: mu.into(),
        }
    };
    let side = ForwardContact {
        normal: vec![-1.0, off, -0.15 + off, 1.0, -off, 0.1 - off],
        tangent: None,
        drift: [-10.0 - 40.0 * off, 0.0],
        slip: 0.0,
        friction: GivenFriction::default(),
    };
    let inertia = [0.5, 0.5, 0.0054, 0.8, 0.8, 0.0053];
    let row = |i: usize| {
        (0..6)
            .map(|j| if i == j { inertia[i] } else { 0.0 })
            .collect()
    };
    ForwardProblem {
        inertia: (0..6).map(row).collect(),
        bias: vec![-5.0, 4.905, 0.0, 0.0, 7.848, 0.0],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
        force: vec![0.0; 6],
        contacts: vec![
            foot(0, 0.15, [-11.37, 8.83], 0.5),
            foot(3, 0.1, [-11.37, -1.17], 0.8),
            side,
        ],
    }
}

/// Story: rows of two feet and of the side between their blocks agreed to 1e-11. The directions in which
/// their forces are shared had accelerations of 1e-10 by round-off and were called a continuum, and a
/// run ended with several answers.
#[test]
fn forces_shared_by_nearly_dependent_rows_are_no_continuum() {
    for off in [
        0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1.5e-11, -1e-13, -1e-12, -1e-11,
    ] {
        let found = answers(&pushed_together(off)).unwrap();
        assert_eq!(found.count(), Some(1), "{off}: {found:?}");
        let answer = &found.answers[0];
        let feet = answer.contact_acceleration[..2].iter().flatten();
        assert!(feet.into_iter().all(|a| a.abs() < 1e-8), "{off}");
        assert!(answer.mode == [Mode::Stick, Mode::Stick, Mode::Slide] || off != 0.0);
        assert!(!answer.forces_unique || off != 0.0);
    }
}

#[test]
fn a_block_between_two_walls_slows_down_as_hard_as_it_is_squeezed() {
    let wall = |sense: f64, off: f64| ForwardContact {
        normal: vec![off, sense],
        tangent: Some(vec![1.0, off]),
        drift: [0.0, 0.0],
        slip: 1.0,
        friction: 0.3.into(),
    };
    for off in [0.0, 1e-15, 1e-14] {
        let problem = ForwardProblem {
            inertia: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
            bias: vec![0.0; 2],
            load_matrix: Vec::new(),
            load_offset: Vec::new(),
            friction: Vec::new(),
            velocity: Vec::new(),
            force: vec![0.0; 2],
            contacts: vec![wall(1.0, 0.0), wall(-1.0, off)],
        };
        let found = answers(&problem).unwrap();
        assert_eq!(found.count(), None, "{off}");
        let family = &found.continua[0];
        assert_eq!(family.mode, [Mode::Slide; 2]);
        assert!(family.direction[0][0].abs() > 0.1, "{family:?}");
    }
}

/// Story: beside a block at rest two others fell touching each other. Their forces are zero, and by
/// round-off negative; a share of forces was judged by its own size, so that the block was not said to
/// stand but to start sliding at no acceleration.
#[test]
fn a_block_stands_whatever_falls_beside_it() {
    let mut problem = standing(0.0, 0.1, 0.1);
    let fall = [0.0, -GRAVITY, 0.0];
    for (row, own) in [
        (3, 0.957),
        (4, 0.957),
        (5, 0.0199),
        (6, 0.8),
        (7, 0.8),
        (8, 0.0113),
    ] {
        problem.inertia.iter_mut().for_each(|x| x.push(0.0));
        let mut line = vec![0.0; row + 1];
        line[row] = own;
        problem.inertia.push(line);
        problem.bias.push(-own * fall[row % 3]);
        problem.force.push(0.0);
    }
    problem.velocity.clear();
    for contact in &mut problem.contacts {
        contact.normal.resize(9, 0.0);
        contact
            .tangent
            .iter_mut()
            .for_each(|row| row.resize(9, 0.0));
    }
    let at = |x: [f64; 6]| [&[0.0; 3][..], &x].concat();
    problem.contacts.push(ForwardContact {
        normal: at([9e-30, -1.0, 0.2 - 3e-15, -9e-30, 1.0, -0.2]),
        tangent: Some(at([-1.0, -9e-30, 0.05, 1.0, 9e-30, 0.05])),
        drift: [4e-62, 7e-61],
        slip: 0.0,
        friction: 1.2.into(),
    });
    let found = answers(&problem).unwrap();
    assert_eq!(found.count(), Some(1));
    assert_eq!(found.answers[0].mode[..2], [Mode::Stick; 2]);
    assert_eq!(
        solve(&problem).unwrap().answers[0].mode[..2],
        [Mode::Stick; 2]
    );
}
