//! Exact restarts: a guard that fired is re-armed by the sign of its first non-zero derivative.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_ode::{Guard, Integrator, Kind, Options, Point, Stop};
use common::{GRAVITY, fall, guarded, height};

fn ball(start: [f64; 2]) -> Integrator<[f64; 2]> {
    Integrator::new(start, vec![Guard::falling()], Options::default()).unwrap()
}

#[test]
fn a_ball_bounces_down_to_a_micrometre_per_second() {
    let mut problem = guarded(fall, height);
    let mut run = ball([0.0, 1.0]);
    let mut speed = 1.0;
    let mut bounces = 0;
    while speed > 1e-6 {
        let before = run.time();
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
        let flight = run.time() - before;
        let exact = 2.0 * speed / GRAVITY;
        let rounding = 4.0 * f64::EPSILON * run.time();
        assert!(
            (flight - exact).abs() < 1e-9 * exact + rounding,
            "{speed:e}: {flight:e}"
        );
        assert_eq!(run.fired()[0].kind, Kind::Crossing);
        speed *= 0.7;
        run.state_mut()[1] = speed;
        bounces += 1;
    }
    assert_eq!(bounces, 39);
}

#[test]
fn a_guard_a_hair_below_zero_that_rises_does_not_fire() {
    let mut problem = guarded(fall, height);
    let mut run = ball([-1e-17, 1.0]);
    assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
    assert_eq!(run.fired()[0].kind, Kind::Crossing);
    assert!((run.time() - 2.0 / GRAVITY).abs() < 1e-15);
}

#[test]
fn a_guard_a_hair_below_zero_that_falls_is_violated_at_once() {
    let mut problem = guarded(fall, height);
    for start in [-1e-17, 0.0, 1e-17] {
        let mut run = ball([start, -1.0]);
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
        assert_eq!(run.fired()[0].kind, Kind::Violated);
        assert_eq!((run.time(), run.state()), (0.0, &[start, -1.0]));
        assert_eq!(run.effort().steps_accepted, 0);
    }
}

#[test]
fn a_crossing_without_a_change_of_state_comes_back_as_violated_until_passed() {
    let mut problem = guarded(fall, height);
    let mut run = ball([1.0, 0.0]);
    for kind in [Kind::Crossing, Kind::Violated, Kind::Violated] {
        assert_eq!(run.advance(&mut problem, 1.0), Ok(Stop::Event));
        assert_eq!(run.fired()[0].kind, kind);
    }
    run.pass(0);
    assert_eq!(run.advance(&mut problem, 1.0), Ok(Stop::End));
    assert_eq!(run.advance(&mut problem, 2.0), Ok(Stop::End));
}

#[test]
fn a_disarmed_guard_is_not_seen_and_can_be_armed_again() {
    let mut problem = guarded(fall, height);
    let mut run = ball([1.0, 0.0]);
    run.arm(0, false);
    assert!(!run.is_armed(0));
    assert_eq!(run.advance(&mut problem, 1.0), Ok(Stop::End));
    assert_eq!(run.effort().guard_evaluations, 0);
    run.arm(0, true);
    assert_eq!(run.advance(&mut problem, 2.0), Ok(Stop::Event));
    assert_eq!((run.fired()[0].kind, run.time()), (Kind::Violated, 1.0));
}

#[test]
fn a_guard_at_rest_on_zero_is_placed_by_the_first_later_point() {
    // g = 0 and ġ = 0 at the start: gravity decides, and turned round it lifts.
    let mut down = guarded(fall, height);
    let mut run = ball([0.0, 0.0]);
    assert_eq!(run.advance(&mut down, 1.0), Ok(Stop::Event));
    assert_eq!((run.fired()[0].kind, run.time()), (Kind::Violated, 0.0));
    let up = |_t: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], 1.0 - y[0]);
    let mut lifted = guarded(up, height);
    let mut run = ball([0.0, 0.0]); // y = 1 − cos t touches zero again after a turn
    assert_eq!(run.advance(&mut lifted, 7.0), Ok(Stop::Event));
    assert_eq!(run.fired()[0].kind, Kind::Grazing);
    assert!((run.time() - std::f64::consts::TAU).abs() < 1e-11);
}

/// Story: in millimetres a plastic impact left a gap of −3e-13 and a rate of −9e-13, which count as
/// zero; on its way down the guard was taken for one that is beyond zero for good, and the ball fell
/// through the floor.
#[test]
fn a_guard_that_round_off_left_beyond_zero_at_rest_fires_when_it_sinks() {
    const FLOOR: f64 = 1000.1;
    let mut problem = guarded(fall, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (3.0 * at.y[0] - 3.0 * FLOOR, 3.0 * at.y[1]);
    });
    let mut left = 0;
    for k in 0..200 {
        let mut run = ball([FLOOR + 6500.0 + 0.1 * f64::from(k), -6500.0]);
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
        left += u32::from(3.0 * run.state()[0] != 3.0 * FLOOR);
        *run.state_mut() = [FLOOR.next_down(), -1e-13];
        assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event), "{k}");
        assert_eq!(run.fired()[0].kind, Kind::Violated);
    }
    assert!(left > 10, "{left}");
}

#[test]
fn a_guard_that_stays_zero_never_fires() {
    let still = |_t: f64, _y: &[f64], dy: &mut [f64]| dy.fill(0.0);
    let mut problem = guarded(still, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (1e-16 * (1e9 * at.t).sin(), 0.0); // rounding noise
    });
    let mut run = ball([0.0, 0.0]);
    assert_eq!(run.advance(&mut problem, 100.0), Ok(Stop::End));
}

#[test]
fn a_guard_that_leaves_and_turns_back_too_soon_is_violated_where_it_turns() {
    let mut problem = guarded(fall, height);
    let mut run = ball([-0.5, 1.0]); // rises by 5 cm only
    assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
    assert_eq!(run.fired()[0].kind, Kind::Violated);
    assert!((run.time() - 1.0 / GRAVITY).abs() < 1e-9);
}

#[test]
fn a_reset_of_the_whole_state_is_judged_by_the_new_value() {
    let mut problem = guarded(fall, height);
    let mut run = ball([1.0, 0.0]);
    run.advance(&mut problem, 10.0).unwrap();
    *run.state_mut() = [1.0, 0.0];
    let first = run.time();
    assert_eq!(run.advance(&mut problem, 10.0), Ok(Stop::Event));
    assert_eq!(run.fired()[0].kind, Kind::Crossing);
    assert!((run.time() - 2.0 * first).abs() < 1e-14);
}

#[test]
fn a_guard_let_pass_within_a_depth_fires_where_it_goes_deeper_and_once_it_has_come_back() {
    let swing = |_t: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -y[0]);
    let mut problem = guarded(swing, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0], at.y[1]);
    });
    for depth in [0.0, 1e-9, 0.25, 0.999] {
        let mut run = ball([1.0, 0.0]);
        assert_eq!(run.advance(&mut problem, 20.0), Ok(Stop::Event));
        run.pass_within(0, depth);
        assert_eq!(run.advance(&mut problem, 20.0), Ok(Stop::Event));
        let exact = (-depth).acos();
        let steep = (1.0 - depth * depth).sqrt();
        assert!((run.time() - exact).abs() < 1e-12 / steep, "{depth}");
        run.pass_within(0, 1.001);
        assert_eq!(run.advance(&mut problem, 20.0), Ok(Stop::Event));
        let next = 2.5 * std::f64::consts::PI; // up through zero at 3π/2, down again
        assert!((run.time() - next).abs() < 1e-11, "{depth}");
    }
}

#[test]
fn a_dip_let_pass_fires_again_at_the_next_one() {
    // cos t + 1 − 1e-6 dips at every odd multiple of π.
    let swing = |_t: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -y[0]);
    let mut problem = guarded(swing, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0] + 1.0 - 1e-6, at.y[1]);
    });
    let mut run = ball([1.0, 0.0]);
    let half = (-1.0f64 + 1e-6).acos();
    for k in 0..8 {
        assert_eq!(run.advance(&mut problem, 1e3), Ok(Stop::Event));
        assert_eq!(run.fired()[0].kind, Kind::Crossing);
        let exact = half + std::f64::consts::TAU * f64::from(k);
        assert!((run.time() - exact).abs() < 1e-9, "{k}");
        run.pass(0);
    }
}
