//! Guards with known speeds: steps far from zero are not searched, and nothing is missed for it.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_ode::{Effort, Guard, Integrator, Options, Point, Problem, Stop, Tube};
use common::{GRAVITY, count};
use std::convert::Infallible;

/// A point under gravity on a plane, with a guard `y₀ + sway cos(ωt)` above a floor that sways.
struct Fall {
    sway: f64,
    omega: f64,
    /// Whether the guard's speed is told.
    is_bounded: bool,
}

impl Problem for Fall {
    type Failure = Infallible;

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        // A pendulum beside the point keeps the steps short.
        (dy[0], dy[1]) = (y[1], -GRAVITY);
        (dy[2], dy[3]) = (y[3], -400.0 * y[2].sin());
        Ok(())
    }

    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        let (sin, cos) = (self.omega * at.t).sin_cos();
        g[0] = at.y[0] + self.sway * cos;
        r[0] = at.y[1] - self.sway * self.omega * sin;
        Ok(())
    }

    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        assert!(tube.from < tube.until && tube.low[1] <= tube.high[1]);
        if self.is_bounded {
            let fall = tube.low[1].abs().max(tube.high[1].abs());
            speeds[0] = fall + self.sway * self.omega;
        }
    }
}

fn random_fall(random: &mut fastrand::Rng) -> Fall {
    Fall {
        sway: 0.3 * random.f64(),
        omega: 20.0 * random.f64(),
        is_bounded: false,
    }
}

/// Times and states of every event of some bounces, and what they cost.
fn bounces(problem: &mut Fall, height: f64) -> (Vec<(f64, [f64; 4])>, Effort) {
    let start = [height, 0.0, 1.0, 0.0];
    let guards = vec![Guard::falling()];
    let mut run = Integrator::new(start, guards, Options::default()).unwrap();
    let mut events = Vec::new();
    while events.len() < 5 && run.advance(problem, 3.0) == Ok(Stop::Event) {
        events.push((run.time(), *run.state()));
        // Up again, faster than any sway: the guard leaves zero.
        run.state_mut()[1] = 7.0;
    }
    (events, *run.effort())
}

#[test]
fn bounded_guards_fire_at_the_same_bits_with_fewer_looks() {
    let mut random = fastrand::Rng::with_seed(41);
    let (mut events, mut looks, mut all_looks) = (0, 0, 0);
    for _ in 0..count(2_000) {
        let mut problem = random_fall(&mut random);
        let height = 0.5 + 3.0 * random.f64();
        let (plain, cost) = bounces(&mut problem, height);
        problem.is_bounded = true;
        let (bounded, less) = bounces(&mut problem, height);
        assert_eq!(plain, bounded);
        assert_eq!(cost.steps_accepted, less.steps_accepted);
        assert!(less.evaluations <= cost.evaluations);
        events += plain.len();
        looks += less.guard_evaluations;
        all_looks += cost.guard_evaluations;
    }
    assert!(
        events > count(3_000),
        "the sweep must reach events: {events}"
    );
    assert!(5 * looks < 2 * all_looks, "{looks} looks of {all_looks}");
}

/// `½ g (t − t_low)² − depth` as a state beside a pendulum, its speed told.
struct Dip;

impl Problem for Dip {
    type Failure = Infallible;

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        (dy[0], dy[1]) = (y[1], GRAVITY);
        (dy[2], dy[3]) = (y[3], -400.0 * y[2].sin());
        Ok(())
    }

    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        (g[0], r[0]) = (at.y[0], at.y[1]);
        Ok(())
    }

    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        speeds[0] = tube.low[1].abs().max(tube.high[1].abs());
    }
}

#[test]
fn dips_of_bounded_guards_are_all_found_and_near_misses_make_no_event() {
    let mut random = fastrand::Rng::with_seed(42);
    let mut shallow = 0;
    for _ in 0..count(10_000) {
        let (t_low, depth) = (
            0.1 + 0.6 * random.f64(),
            10f64.powf(-2.0 - 6.0 * random.f64()),
        );
        shallow += usize::from(depth < 1e-7);
        let half = (2.0 * depth / GRAVITY).sqrt();
        let bowl = 0.5 * GRAVITY * t_low * t_low;
        let start = |offset: f64| [bowl + offset, -GRAVITY * t_low, 1.0, 0.0];
        let guards = vec![Guard::either()];
        let mut run = Integrator::new(start(-depth), guards, Options::default()).unwrap();
        for exact in [t_low - half, t_low + half] {
            assert_eq!(run.advance(&mut Dip, 2.0), Ok(Stop::Event), "{depth:e}");
            let miss = run.time() - exact;
            assert!(miss.abs() < 1e-10, "depth {depth:e}: {miss:e}");
        }
        assert_eq!(run.advance(&mut Dip, 2.0), Ok(Stop::End));
        let guards = vec![Guard::falling()];
        let mut run = Integrator::new(start(depth), guards, Options::default()).unwrap();
        assert_eq!(run.advance(&mut Dip, 2.0), Ok(Stop::End), "{depth:e}");
    }
    assert!(shallow >= count(1000), "the sweep must reach shallow dips");
}
