//! Solving allocates nothing: a counting allocator says so.
#![allow(clippy::unwrap_used)]

use carom_contact::cone::ConeSolver;
use carom_contact::contact_space::{ContactSpace, Friction, Mechanism};
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::impact::Law;
use carom_contact::impact::planar::{Batch, BatchResults, PlanarImpact, solve, solve_batch};
use carom_contact::impact::spatial::{self, SpatialImpact};
use carom_support::allocations::{Counting, allocations};
use carom_support::contact::cone::fclib;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MASS: [f64; 9] = [1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 0.3];
const ROWS: [f64; 6] = [0.0, 1.0, -0.4, 1.0, 0.0, 0.3];

#[test]
fn an_impact_from_coordinates_allocates_nothing_once_its_buffers_are_there() {
    for constraints in [&[][..], &[0.0, 0.0, 1.0]] {
        let mechanism = Mechanism {
            mass: &MASS,
            velocity: &[0.6, -1.0, 0.0],
            rows: &ROWS,
            constraints,
        };
        let mut space = ContactSpace::new();
        space.reduce(&mechanism).unwrap();
        let (mut velocity, mut lambda) = ([0.6, -1.0, 0.0], [0.0]);
        let count = allocations(|| {
            space.reduce(&mechanism).unwrap();
            let (w, v) = space.planar(0, 1).unwrap();
            let friction = Friction::uniform(0.4).unwrap();
            let impact = PlanarImpact::new(w, v, friction, 0.5).unwrap();
            for law in Law::ALL {
                let solution = solve(&impact, law).unwrap();
                let end = solution.end.unwrap();
                let _ = solution.path();
                space.apply(&[end.impulse.n, end.impulse.t], &mut velocity);
            }
            space.constraint_impulses(&[1.0, 0.5], &mut lambda[..constraints.len() / 3]);
        });
        assert_eq!(count, 0, "{constraints:?}");
    }
}

#[test]
fn an_impact_in_space_allocates_nothing() {
    let mechanism = Mechanism {
        mass: &MASS,
        velocity: &[0.6, -1.0, 0.2],
        rows: &[0.0, 1.0, -0.4, 1.0, 0.0, 0.3, 0.2, 0.1, 1.0],
        constraints: &[],
    };
    let mut space = ContactSpace::new();
    space.reduce(&mechanism).unwrap();
    let count = allocations(|| {
        let (w, v) = space.spatial(0, [1, 2]).unwrap();
        for mu in [0.0, 0.1, 0.4, 3.0] {
            let friction = Friction::uniform(mu).unwrap();
            let impact = SpatialImpact::new(w, v, friction, 0.5).unwrap();
            for law in Law::ALL {
                let _ = spatial::solve(&impact, law).unwrap();
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_batch_allocates_nothing_once_its_results_are_there() {
    let (one, minus) = (vec![1.0; 1000], vec![-1.0; 1000]);
    let (zero, half) = (vec![0.0; 1000], vec![0.5; 1000]);
    let batch = Batch {
        w_nn: &one,
        w_nt: &zero,
        w_tt: &one,
        v_n: &minus,
        v_t: &half,
        mu_s: &half,
        mu_d: &half,
        restitution: &half,
    };
    let mut results = BatchResults::default();
    solve_batch(&batch, Law::Poisson, &mut results).unwrap();
    for law in Law::ALL {
        let count = allocations(|| solve_batch(&batch, law, &mut results).unwrap());
        assert_eq!(count, 0, "{law}");
    }
}

#[test]
fn accelerations_of_one_coordinate_are_found_without_an_allocation() {
    let scalar = ScalarFriction::new(1.0, 0.2, 2.0, 3.0, 0.8.into()).unwrap();
    let mut found = 0;
    let count = allocations(|| {
        for velocity in [1.0, 0.0, -1.0] {
            for k in -50..50 {
                found += scalar.answers(0.1 * f64::from(k), velocity).iter().count();
            }
        }
    });
    assert_eq!(count, 0);
    assert!(found > 100, "{found}");
}

#[test]
fn contacts_in_space_are_solved_without_allocation_once_the_buffers_are_there() {
    let mut solver = ConeSolver::new();
    for posed in fclib() {
        solver.solve(&posed.problem()).unwrap();
        let count = allocations(|| {
            solver.solve(&posed.problem()).unwrap();
        });
        assert_eq!(count, 0, "{}", posed.name);
    }
}
