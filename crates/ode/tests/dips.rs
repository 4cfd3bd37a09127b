//! No missed contact: dips of any depth inside one step, and no contact where there is none.

use crate::common;

use carom_ode::{Guard, Integrator, Kind, Options, Point, Problem, Stop};
use common::{GRAVITY, count, guarded};
use std::convert::Infallible;

/// Random depth between 1e-2 and 1e-8, evenly over the decades.
fn random_depth(random: &mut fastrand::Rng) -> f64 {
    10f64.powf(-2.0 - 6.0 * random.f64())
}

/// A guard `½ g (t − t_low)² − depth` carried as state: it dips below zero once.
fn dip(t_low: f64, depth: f64) -> ([f64; 2], impl Problem<Failure = Infallible>) {
    let start = [0.5 * GRAVITY * t_low * t_low - depth, -GRAVITY * t_low];
    let problem = guarded(
        |_t: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], GRAVITY),
        |at: Point<'_>, g: &mut [f64], r: &mut [f64]| (g[0], r[0]) = (at.y[0], at.y[1]),
    );
    (start, problem)
}

#[test]
fn ten_thousand_shallow_dips_are_all_found_as_pairs_of_roots() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut shallow = 0;
    for _ in 0..count(10_000) {
        let (t_low, depth) = (0.1 + 0.6 * random.f64(), random_depth(&mut random));
        shallow += usize::from(depth < 1e-7);
        let half = (2.0 * depth / GRAVITY).sqrt();
        let (start, mut problem) = dip(t_low, depth);
        let mut run = Integrator::new(start, vec![Guard::either()], Options::default()).unwrap();
        for exact in [t_low - half, t_low + half] {
            assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
            assert_eq!(run.fired()[0].kind, Kind::Crossing, "depth {depth:e}");
            let miss = run.time() - exact;
            assert!(miss.abs() < 1e-10, "depth {depth:e}: {miss:e}");
        }
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::End));
    }
    assert!(shallow >= count(1000), "the sweep must reach shallow dips");
}

#[test]
fn near_misses_make_no_event() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..count(10_000) {
        let (t_low, clearance) = (0.1 + 0.6 * random.f64(), random_depth(&mut random));
        let (start, mut problem) = dip(t_low, -clearance);
        let mut run = Integrator::new(start, vec![Guard::falling()], Options::default()).unwrap();
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::End));
    }
}

/// `1 + offset + a cos(ωt)` with a slow swing under it: many extrema in a step of a free drift.
struct Wave {
    omega: f64,
    /// Height of the lowest trough above zero.
    clearance: f64,
    /// Time of the lowest trough.
    t_low: f64,
}

impl Wave {
    /// Curvature of the slow bowl that makes one trough the lowest.
    const BOWL: f64 = 0.5;

    fn guard(&self, t: f64) -> (f64, f64) {
        let s = t - self.t_low;
        let g = 1.0 - (self.omega * s).cos() + Self::BOWL * s * s + self.clearance;
        (
            g,
            self.omega * (self.omega * s).sin() + 2.0 * Self::BOWL * s,
        )
    }
}

impl Problem for Wave {
    type Failure = Infallible;
    fn rate(&mut self, _t: f64, _y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        dy[0] = 1.0;
        Ok(())
    }
    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        (g[0], r[0]) = self.guard(at.t);
        Ok(())
    }
}

fn random_wave(random: &mut fastrand::Rng, sign: f64) -> Wave {
    Wave {
        omega: 3.0 + 60.0 * random.f64(),
        clearance: sign * random_depth(random),
        t_low: 1.0 + 3.0 * random.f64(),
    }
}

#[test]
fn a_dip_among_many_troughs_of_one_step_is_found() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut most_extrema, mut fewest) = (0.0f64, u64::MAX);
    for _ in 0..count(10_000) {
        let mut wave = random_wave(&mut random, -1.0);
        let mut run = Integrator::new([0.0], vec![Guard::falling()], Options::default()).unwrap();
        assert_eq!(
            run.advance(&mut wave, 6.0),
            Ok(Stop::Event),
            "{}",
            wave.clearance
        );
        let (g, r) = wave.guard(run.time());
        assert!(g.abs() < 1e-13, "{g:e}");
        assert!(r < 0.0 && run.time() < wave.t_low);
        // No other trough is below zero: the bowl lifts the neighbours.
        let period = std::f64::consts::TAU / wave.omega;
        if wave.clearance.abs() < 0.4 * period * period {
            assert!(wave.t_low - run.time() < 0.5 * period);
        }
        let steps = run.effort().steps_accepted;
        most_extrema = most_extrema.max(2.0 * run.time() / period / steps as f64);
        fewest = fewest.min(steps);
    }
    assert!(
        most_extrema > 5.0,
        "several extrema per step: {most_extrema}"
    );
    assert!(fewest < 12, "steps are not capped: {fewest}");
}

#[test]
fn troughs_that_stay_clear_make_no_event() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..count(10_000) {
        let mut wave = random_wave(&mut random, 1.0);
        let mut run = Integrator::new([0.0], vec![Guard::falling()], Options::default()).unwrap();
        assert_eq!(
            run.advance(&mut wave, 6.0),
            Ok(Stop::End),
            "{}",
            wave.clearance
        );
    }
}

#[test]
fn dips_of_a_nonlinear_motion_are_found_in_its_own_steps() {
    // A pendulum swings up to its turning angle; the guard is the angle left to a wall just below it.
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..count(2_000) {
        let (top, depth) = (0.5 + 1.5 * random.f64(), random_depth(&mut random));
        let wall = top - depth;
        let mut problem = guarded(
            |_t: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -y[0].sin()),
            |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
                (g[0], r[0]) = (wall + at.y[0], at.y[1]);
            },
        );
        let mut run =
            Integrator::new([top, 0.0], vec![Guard::falling()], Options::default()).unwrap();
        assert_eq!(
            run.advance(&mut problem, 12.0),
            Ok(Stop::Event),
            "{depth:e}"
        );
        // Energy tells the speed at the wall: the second route to the state at the event.
        let speed = (2.0 * (wall.cos() - top.cos())).sqrt();
        assert!((run.state()[1] + speed).abs() * speed < 1e-11, "{depth:e}");
        assert!(run.fired()[0].value.abs() < 1e-14);
    }
}
