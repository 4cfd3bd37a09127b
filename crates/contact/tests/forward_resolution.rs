//! Seizures, and the screw in its two forms.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use crate::forward_common;

use carom_contact::forward::rod::Rod;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{ForwardContact, ForwardProblem, ResolutionKind, answers, solve};
use carom_contact::impact::Law;
use carom_contact::resolution::{resolve, seizures, solve_and_resolve};
use common::{assert_close, between, count, either_sign};
use fastrand::Rng;
use forward_common::{list, random_problem};

#[test]
fn a_seizure_is_admissible_exactly_above_the_critical_friction() {
    let mut rng = Rng::with_seed(308);
    let mut seized = 0;
    for _ in 0..count(10_000) {
        let mut problem = random_problem(&mut rng, 1);
        problem.velocity[0] = between(&mut rng, 0.1, 2.0);
        let (a, c) = (problem.inertia[0][0], problem.load_matrix[0][0]);
        let jumps = seizures(&problem).unwrap();
        assert_eq!(
            jumps.len(),
            usize::from(problem.friction[0].mu_d * c.abs() >= a)
        );
        for jump in jumps {
            seized += 1;
            assert_close(
                "P_f",
                jump.friction_impulse[0],
                -a * problem.velocity[0],
                1e-14,
            );
            assert_close(
                "P_n",
                jump.normal_impulse[0],
                -c * problem.velocity[0],
                1e-14,
            );
            assert_eq!(jump.velocity_after, Some(vec![0.0]));
        }
    }
    assert!(seized > 3, "{seized}");
}

#[test]
fn seizures_of_several_coordinates_obey_coulomb_on_impulses_and_lose_energy() {
    let mut rng = Rng::with_seed(309);
    let (mut found, mut resolved, mut none) = (0, 0, 0);
    for _ in 0..count(6_000) {
        let n = rng.usize(2..5);
        let mut problem = random_problem(&mut rng, n);
        problem.velocity = list(&mut rng, n, 1.0);
        for given in &mut problem.friction {
            *given = (2.0 * given.mu_d).into();
        }
        for jump in seizures(&problem).unwrap() {
            found += 1;
            assert!(jump.energy_loss > 0.0, "{problem:?} {jump:?}");
            for i in 0..n {
                let most = problem.friction[i].mu_d * jump.normal_impulse[i].abs();
                assert!(jump.friction_impulse[i].abs() <= most * (1.0 + 1e-9) + 1e-12);
                let after = jump.velocity_after.as_ref().unwrap()[i];
                assert!(after * problem.velocity[i] >= 0.0);
            }
        }
        if answers(&problem).unwrap().count() == Some(0) {
            none += 1;
            let result = solve_and_resolve(&problem, 0.0, Law::Poisson).unwrap();
            resolved += usize::from(result.resolution.is_some());
        }
    }
    assert!(
        found > 0 && none > 0 && resolved > 0,
        "{found} {none} {resolved}"
    );
}

#[test]
fn the_efficiencies_of_textbooks_agree_with_first_principles_while_helix_and_friction_angle_stay_below_a_right_angle()
 {
    let mut rng = Rng::with_seed(310);
    let mut compared = 0;
    for _ in 0..count(20_000) {
        let screw = Screw {
            inertia: between(&mut rng, 1e-4, 1e-2),
            mass: between(&mut rng, 1.0, 400.0),
            lead: between(&mut rng, 1e-3, 1e-2),
            helix: between(&mut rng, 0.05, 1.2),
            thread: between(&mut rng, 0.0, 0.5),
            friction: between(&mut rng, 0.0, 0.6).into(),
            gravity: 9.81,
            velocity: if rng.bool() { 1.0 } else { -1.0 },
            force: either_sign(&mut rng, 5.0),
        };
        let numbers = screw.numbers().unwrap();
        if screw.helix + numbers.rho > 1.5 {
            continue;
        }
        compared += 1;
        // The textbook's efficiencies: slope and load by the sign of the load torque.
        let weight = screw.mass * screw.gravity * screw.lead;
        let mut wanted: Vec<f64> = Vec::new();
        for (inverse, slope, same) in [
            (
                numbers.inverse_efficiency_driving,
                numbers.slope_driving,
                true,
            ),
            (
                numbers.inverse_efficiency_driven,
                numbers.slope_driven,
                false,
            ),
        ] {
            let x = (screw.force - weight * inverse) / slope;
            let load = screw.mass * screw.lead * screw.lead * x + weight;
            if (load * screw.velocity > 0.0) == same {
                wanted.push(x);
            }
        }
        wanted.sort_by(f64::total_cmp);
        let found = answers(&screw.problem().unwrap()).unwrap();
        assert_eq!(found.count(), Some(wanted.len()), "{screw:?}");
        let closed = screw.scalar().unwrap().answers(screw.force, screw.velocity);
        for ((a, b), x) in found.answers.iter().zip(closed.iter()).zip(&wanted) {
            assert_close("q̈", a.acceleration[0], *x, 1e-8 * (1.0 + x.abs()));
            assert_close("q̈", b.acceleration, *x, 1e-8 * (1.0 + x.abs()));
        }
        let unique = solve(&screw.problem().unwrap())
            .unwrap()
            .unique_for_every_force;
        let below = numbers
            .critical_friction
            .is_none_or(|mu| screw.friction.mu_d < mu);
        assert_eq!(unique, Some(below), "{screw:?}");
    }
    assert!(compared > 100, "{compared}");
}

/// A rod in the paradox, its tip sliding to the left.
fn jammed_rod() -> ForwardProblem {
    let rod = Rod {
        mass: 1.0,
        half_length: 1.0,
        inertia: 1.0 / 3.0,
        angle: 1.0,
        rate: 0.0,
        slip: -1.0,
        friction: 2.0.into(),
        gravity: 9.81,
        force: [0.0; 2],
        torque: 0.0,
        restitution: 0.0,
        law: Law::Poisson,
    };
    rod.problem().unwrap()
}

#[test]
fn an_impact_without_collision_happens_alone_beside_steady_loads_and_contacts_that_open() {
    let alone = resolve(&jammed_rod(), 0.5, Law::Poisson).unwrap().unwrap();
    let mut beside = jammed_rod();
    beside.friction = vec![0.3.into(); 3];
    beside.load_matrix = vec![vec![0.0; 3]; 3];
    beside.load_offset = vec![5.0; 3];
    beside.velocity = vec![-1.0, 0.0, 0.0];
    // A ceiling at the mass centre would be approached, a floor there is left.
    let mut other = |sign: f64| {
        beside.contacts.truncate(1);
        beside.contacts.push(ForwardContact {
            normal: vec![0.0, sign, 0.0],
            tangent: None,
            drift: [0.0; 2],
            slip: 0.0,
            friction: 0.0.into(),
        });
        resolve(&beside, 0.5, Law::Poisson).unwrap()
    };
    assert_eq!(other(-1.0), None);
    let jump = other(1.0).unwrap();
    assert_eq!(jump.kind, ResolutionKind::ImpactWithoutCollision);
    assert_eq!(jump.velocity_change, alone.velocity_change);
    assert_eq!(jump.normal_impulse[3..], [alone.normal_impulse[0], 0.0]);
    assert_eq!(jump.contact_velocity_after[1][0], jump.velocity_change[1]);
    assert!(jump.contact_velocity_after[1][0] > 0.0);
    // A load that feels the jump would take an impulse of its own.
    beside.load_matrix[0] = vec![0.0, 1.0, 0.0];
    assert_eq!(resolve(&beside, 0.5, Law::Poisson).unwrap(), None);
}

#[test]
fn a_seizure_beside_a_contact_happens_only_where_the_contact_does_not_approach() {
    let mut problem = forward_common::dupont(0.8, -2.0, 2.0);
    let alone = seizures(&problem).unwrap();
    for sign in [1.0, -1.0] {
        problem.contacts = vec![ForwardContact {
            normal: vec![sign],
            tangent: None,
            drift: [0.5, 0.0],
            slip: 0.0,
            friction: 0.0.into(),
        }];
        let found = seizures(&problem).unwrap();
        assert_eq!(found.len(), usize::from(sign < 0.0));
        for jump in found {
            assert_eq!(jump.velocity_change, alone[0].velocity_change);
            assert_eq!(jump.contact_velocity_after, [[2.0, 0.0]]);
            assert_eq!(jump.normal_impulse, [-4.0, 0.0]);
            assert_eq!(jump.next_modes, None);
        }
    }
}
