//! Event times against closed forms; sets; time in guards; double roots.

use crate::common;

use carom_ode::{Fired, Guard, Integrator, Kind, Options, Point, Problem, Stop};
use common::{GRAVITY, fall, guarded, height, oscillator};
use std::f64::consts::PI;

/// Tolerance at which the integration itself is near round-off.
fn fine() -> Options {
    Options::with_tolerance(1e-14)
}

fn value_of_first(at: Point<'_>, g: &mut [f64], r: &mut [f64]) {
    (g[0], r[0]) = (at.y[0], at.y[1]);
}

#[test]
fn oscillator_crosses_zero_every_half_turn_to_1e_13() {
    let mut problem = guarded(oscillator, value_of_first);
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::either()], fine()).unwrap();
    for k in 0..40 {
        assert_eq!(run.advance(&mut problem, 1e3), Ok(Stop::Event));
        let exact = PI * (f64::from(k) + 0.5);
        let miss = (run.time() - exact).abs();
        assert!(miss < 1e-13 * exact.max(1.0), "{k}: {miss:e}");
        assert!(run.state()[0].abs() < 1e-14);
    }
}

#[test]
fn falling_and_rising_guards_see_only_their_own_crossings() {
    let mut problem = guarded(oscillator, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0], at.y[1]);
        (g[1], r[1]) = (at.y[0], at.y[1]);
    });
    let guards = vec![Guard::falling(), Guard::rising()];
    let mut run = Integrator::new([1.0, 0.0], guards, fine()).unwrap();
    run.pass(1); // it starts on its far side, by the caller's leave
    let mut seen = Vec::new();
    while run.advance(&mut problem, 20.0).unwrap() == Stop::Event {
        let fired = run.fired()[0];
        assert_eq!((run.fired().len(), fired.kind), (1, Kind::Crossing));
        seen.push((fired.guard, run.time()));
        run.pass(fired.guard);
    }
    assert_eq!(seen.len(), 6);
    for (k, (guard, t)) in seen.iter().enumerate() {
        assert_eq!(*guard, k % 2);
        assert!((t - PI * (k as f64 + 0.5)).abs() < 2e-13);
    }
}

#[test]
fn twenty_bounces_keep_the_closed_form_to_1e_13() {
    let mut ball = guarded(fall, height);
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    let restitution = 0.8;
    let first = (2.0 / GRAVITY).sqrt();
    let mut exact = first;
    for bounce in 1..=20 {
        assert_eq!(run.advance(&mut ball, 100.0), Ok(Stop::Event));
        let miss = (run.time() / exact - 1.0).abs();
        assert!(miss < 1e-13, "bounce {bounce}: {miss:e}");
        run.state_mut()[1] *= -restitution;
        exact += 2.0 * first * restitution.powi(bounce);
    }
}

#[test]
fn guards_that_vanish_together_are_one_set_by_index() {
    // Four balls from the same height; the third starts higher.
    let mut balls = guarded(
        |_t: f64, y: &[f64], dy: &mut [f64]| {
            dy[..4].copy_from_slice(&y[4..]);
            dy[4..].fill(-GRAVITY);
        },
        |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
            g.copy_from_slice(&at.y[..4]);
            r.copy_from_slice(&at.y[4..]);
        },
    );
    let start = [1.0, 1.0 + 1e-13, 1.1, 1.0, 0.0, 0.0, 0.0, 0.0];
    let mut run = Integrator::new(start, vec![Guard::falling(); 4], Options::default()).unwrap();
    assert_eq!(run.advance(&mut balls, 3.0), Ok(Stop::Event));
    let set: Vec<usize> = run.fired().iter().map(|f| f.guard).collect();
    assert_eq!(set, [0, 1, 3]);
    assert!(run.fired().iter().all(|f| f.value.abs() < 1e-12));
    for i in [4, 5, 7] {
        run.state_mut()[i] *= -1.0;
    }
    assert_eq!(run.advance(&mut balls, 3.0), Ok(Stop::Event));
    assert_eq!(run.fired().len(), 1);
    assert_eq!(run.fired()[0].guard, 2);
    assert!((run.time() - (2.2 / GRAVITY).sqrt()).abs() < 1e-14);
}

#[test]
fn a_guard_of_time_alone_fires_at_its_time() {
    let mut clock = guarded(oscillator, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (0.123456789 - at.t, -1.0);
    });
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    run.advance(&mut clock, 5.0).unwrap();
    assert!((run.time() - 0.123456789).abs() < 1e-16);
}

#[test]
fn a_table_that_vibrates_is_met_though_the_flight_is_one_step() {
    // The rate knows nothing of the table, so steps grow without bound while it shakes.
    let (amplitude, omega) = (0.01, 300.0);
    let mut drift = guarded(
        |_t: f64, _y: &[f64], dy: &mut [f64]| dy[0] = -0.05,
        move |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
            g[0] = at.y[0] - amplitude * (omega * at.t).sin();
            r[0] = at.dy[0] - amplitude * omega * (omega * at.t).cos();
        },
    );
    let mut run = Integrator::new([1.0], vec![Guard::falling()], Options::default()).unwrap();
    assert_eq!(run.advance(&mut drift, 100.0), Ok(Stop::Event));
    // Second route: march the closed form in tiny steps to the first sign change.
    let gap = |t: f64| 1.0 - 0.05 * t - amplitude * (omega * t).sin();
    let first = (0..).map(|k| 1e-5 * f64::from(k)).find(|t| gap(*t) <= 0.0);
    let late = first.unwrap() - run.time();
    assert!((0.0..1e-5).contains(&late), "{late:e}");
    assert!(gap(run.time()).abs() < 1e-12);
}

#[test]
fn a_double_root_is_a_grazing_and_the_motion_goes_on_past_it() {
    let mut problem = guarded(oscillator, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0] + 1.0, at.y[1]);
    });
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], fine()).unwrap();
    for k in 0..10 {
        assert_eq!(run.advance(&mut problem, 1e3), Ok(Stop::Event));
        let Fired { kind, value, .. } = run.fired()[0];
        assert_eq!(kind, Kind::Grazing, "{k}");
        assert!(value.abs() < 1e-12);
        let exact = PI * f64::from(2 * k + 1);
        assert!((run.time() - exact).abs() < 1e-11, "{k}: {}", run.time());
    }
}

#[test]
fn an_event_at_the_very_end_is_an_event_and_then_the_end() {
    let mut clock = guarded(oscillator, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (2.0 - at.t, -1.0);
    });
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    assert_eq!(run.advance(&mut clock, 2.0), Ok(Stop::Event));
    assert_eq!(run.time(), 2.0);
    run.pass(0);
    assert_eq!(run.advance(&mut clock, 2.0), Ok(Stop::End));
}

#[test]
fn a_guard_without_a_rate_is_located_as_well() {
    let mut problem = guarded(oscillator, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0] + 0.999999, f64::NAN); // below zero for 2.8 ms
    });
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], fine()).unwrap();
    assert_eq!(run.advance(&mut problem, 20.0), Ok(Stop::Event));
    let exact = (-0.999999f64).acos();
    assert!((run.time() - exact).abs() < 1e-11, "{}", run.time() - exact);
}

#[test]
fn advancing_in_pieces_finds_the_events_of_one_advance() {
    let times = |piece: f64| {
        let mut problem = guarded(oscillator, value_of_first);
        let guards = vec![Guard::either()];
        let mut run = Integrator::new([1.0, 0.0], guards, Options::default()).unwrap();
        let mut times = Vec::new();
        for k in 1.. {
            let until = (piece * f64::from(k)).min(12.0);
            while run.advance(&mut problem, until).unwrap() == Stop::Event {
                times.push(run.time());
            }
            if until == 12.0 {
                return times;
            }
        }
        times
    };
    let (whole, pieces) = (times(12.0), times(0.01));
    assert_eq!((whole.len(), pieces.len()), (4, 4));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-11;
    assert!(whole.iter().zip(&pieces).all(close));
}

#[test]
fn an_observed_segment_ends_at_the_event_in_the_state_handed_back() {
    let mut ball = guarded(fall, height);
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    let mut segments = Vec::new();
    let stop = run.advance_observed(&mut ball, 9.0, &mut |_, step| segments.push(step.clone()));
    assert_eq!(stop, Ok(Stop::Event));
    let last = segments.last().unwrap();
    assert_eq!(last.end(), run.time());
    let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
    last.eval(run.time(), &mut y, &mut dy);
    assert!((y[1] - run.state()[1]).abs() < 1e-14 && (dy[1] + GRAVITY).abs() < 1e-12);
}

#[test]
fn same_input_gives_the_same_bytes() {
    let run_once = || {
        let mut ball = guarded(fall, height);
        let guards = vec![Guard::falling()];
        let mut run = Integrator::new([1.0, 0.3], guards, Options::default()).unwrap();
        let mut bytes = Vec::new();
        for _ in 0..12 {
            run.advance(&mut ball, 100.0).unwrap();
            bytes.extend(run.time().to_bits().to_le_bytes());
            bytes.extend(run.state()[1].to_bits().to_le_bytes());
            run.state_mut()[1] *= -0.7;
        }
        (bytes, *run.effort())
    };
    assert_eq!(run_once(), run_once());
}

/// A problem that refuses to be evaluated past a time.
struct Edge;

impl Problem for Edge {
    type Failure = String;
    fn rate(&mut self, t: f64, _y: &[f64], dy: &mut [f64]) -> Result<(), String> {
        dy[0] = 1.0;
        if t > 1.0 {
            return Err("past the edge".to_owned());
        }
        Ok(())
    }
}

#[test]
fn a_failure_of_the_problem_stops_at_the_last_good_point() {
    let mut run = Integrator::new([0.0], vec![], Options::default()).unwrap();
    let error = run.advance(&mut Edge, 5.0).unwrap_err();
    assert!(error.to_string().ends_with("past the edge"), "{error}");
    assert!(run.time() <= 1.0 && (run.state()[0] - run.time()).abs() < 1e-15);
    assert_eq!(run.advance(&mut Edge, 1.0), Ok(Stop::End));
}

/// Story: a ball rises through a ceiling, turns 6 cm above it, and strikes a wall in between. In a step
/// of 200 s an extremum so near zero is judged by sub-steps; it comes after the wall, and the ceiling,
/// which comes before, was passed over with it.
#[test]
fn a_dip_whose_bottom_comes_after_another_event_still_begins_before_it() {
    let fly = |_t: f64, y: &[f64], dy: &mut [f64]| {
        (dy[0], dy[1], dy[2]) = (7.0, y[2], -9.81);
    };
    let mut problem = guarded(fly, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (0.6 - at.y[0], -at.dy[0]);
        (g[1], r[1]) = (0.9 - at.y[1], -at.dy[1]);
    });
    let guards = vec![Guard::falling(), Guard::falling()];
    let start = [-0.4, 0.8163039121871173, 1.671561318913745];
    let options = Options {
        first_step: 200.0,
        ..fine()
    };
    let mut run = Integrator::new(start, guards, options).unwrap();
    assert_eq!(run.advance(&mut problem, 200.0), Ok(Stop::Event));
    assert_eq!(run.fired()[0].guard, 1, "the ceiling first");
    assert!((run.time() - 0.0609835566).abs() < 1e-9);
}
