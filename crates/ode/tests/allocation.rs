//! No step, event or restart allocates.
#![allow(clippy::unwrap_used)]

use carom_ode::{Guard, Integrator, Options, Point, State, Stop};
use carom_support::allocations::{Counting, allocations};
use carom_support::ode::{GRAVITY, guarded};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `n/2` balls bounce for 3 s; allocations during the run, and events.
fn bounced<S: State>(start: S) -> (usize, u64) {
    let n = start.as_ref().len() / 2;
    let mut balls = guarded(
        |_t: f64, y: &[f64], dy: &mut [f64]| {
            dy[..n].copy_from_slice(&y[n..]);
            dy[n..].fill(-GRAVITY);
        },
        |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
            g.copy_from_slice(&at.y[..n]);
            r.copy_from_slice(&at.y[n..]);
        },
    );
    let guards = vec![Guard::falling(); n];
    let mut run = Integrator::new(start, guards, Options::default()).unwrap();
    let mut lowest = f64::INFINITY;
    let mut observe = |_: &mut _, step: &carom_ode::DenseStep<S>| lowest = lowest.min(step.end());
    let allocated = allocations(|| {
        while run.advance_observed(&mut balls, 3.0, &mut observe).unwrap() == Stop::Event {
            for k in 0..run.fired().len() {
                let ball = n + run.fired()[k].guard;
                run.state_mut().as_mut()[ball] *= -1.0;
            }
        }
    });
    (allocated, run.effort().events)
}

/// Balls at rest at different heights.
fn heights(n: usize) -> Vec<f64> {
    let mut start: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * i as f64 / n as f64).collect();
    start.resize(2 * n, 0.0);
    start
}

#[test]
fn nothing_is_allocated_after_the_integrator_is_built() {
    for n in [1, 5, 50] {
        let (allocated, events) = bounced(heights(n));
        assert_eq!(allocated, 0, "{} states", 2 * n);
        assert!(events >= 2 * n as u64, "the run must meet events: {events}");
    }
    let (allocated, events) = bounced([1.0, 1.2, 0.0, 0.0]);
    assert!(allocated == 0 && events > 4);
}
