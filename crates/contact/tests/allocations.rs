//! Solving allocates nothing: a counting allocator says so.
#![allow(clippy::unwrap_used, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom_contact::impact::Law;
use carom_contact::impact::planar::{Batch, BatchResults, PlanarImpact, solve, solve_batch};
use carom_contact::space::{ContactSpace, Friction, Mechanism};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

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
