//! Malformed questions get typed answers; nothing hangs, nothing panics.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_ode::{Error, Guard, Integrator, Options, Point, SetupError, Stop};
use common::{fall, free, guarded, height};

fn refused(options: Options) -> String {
    match Integrator::new([1.0], vec![], options) {
        Err(error @ SetupError::BadOption { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn tolerances_that_are_zero_negative_or_no_numbers_are_refused() {
    for bad in [0.0, -1e-9, f64::NAN, f64::INFINITY] {
        let said = refused(Options::with_tolerance(bad));
        assert!(said.starts_with(&format!("relative is {bad}")), "{said}");
        let absolute = Options {
            absolute: bad,
            ..Options::default()
        };
        assert!(refused(absolute).starts_with(&format!("absolute is {bad}")));
    }
    let said = refused(Options {
        max_step: 0.0,
        ..Options::default()
    });
    assert_eq!(said, "max_step is 0, expected a number > 0");
}

#[test]
fn guards_with_bad_zeros_are_refused() {
    let guard = Guard {
        graze: -1.0,
        ..Guard::falling()
    };
    let error = Integrator::new([1.0], vec![guard], Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "guard.graze is -1, expected a finite number >= 0"
    );
}

#[test]
fn states_without_components_or_with_no_numbers_are_refused() {
    let empty = Integrator::new([0.0; 0], vec![], Options::default());
    assert_eq!(empty.unwrap_err(), SetupError::EmptyState);
    let bad = Integrator::new(vec![1.0, f64::INFINITY], vec![], Options::default());
    let value = f64::INFINITY;
    let expected = SetupError::BadState {
        component: 1,
        value,
    };
    assert_eq!(bad.unwrap_err(), expected);
}

#[test]
fn ends_that_are_infinite_past_or_no_numbers_are_refused() {
    let mut run = Integrator::new([1.0, 0.0], vec![], Options::default()).unwrap();
    for until in [f64::INFINITY, f64::NAN, -1.0] {
        let error = run.advance(&mut free(fall), until).unwrap_err();
        assert!(matches!(error, Error::BadSpan { .. }), "{error}");
    }
    assert_eq!(run.advance(&mut free(fall), 0.0), Ok(Stop::End));
}

#[test]
fn a_rate_that_is_no_number_is_named() {
    let mut run = Integrator::new([1.0], vec![], Options::default()).unwrap();
    let mut nowhere = free(|_t, _y: &[f64], dy: &mut [f64]| dy[0] = f64::NAN);
    let error = run.advance(&mut nowhere, 1.0).unwrap_err();
    assert_eq!(error, Error::NonFiniteRate { t: 0.0 });
    // √(1 − t) has no rate past 1.
    let mut root = free(|t: f64, _y: &[f64], dy: &mut [f64]| dy[0] = (1.0 - t).sqrt());
    let error = run.advance(&mut root, 2.0).unwrap_err();
    let named = matches!(
        error,
        Error::NonFiniteRate { .. } | Error::StepUnderflow { .. }
    );
    assert!(named, "{error}");
    assert!((run.time() - 1.0).abs() < 1e-6 && run.time() <= 1.0);
}

#[test]
fn an_escape_to_infinity_is_a_step_underflow() {
    let mut run = Integrator::new([1.0], vec![], Options::default()).unwrap();
    let mut blow_up = free(|_t, y: &[f64], dy: &mut [f64]| dy[0] = y[0] * y[0]); // y = 1/(1 − t)
    let error = run.advance(&mut blow_up, 2.0).unwrap_err();
    assert!(matches!(error, Error::StepUnderflow { .. }), "{error}");
    assert!((run.time() - 1.0).abs() < 1e-6);
}

#[test]
fn steps_are_counted_against_their_limit() {
    let options = Options {
        max_step: 1e-3,
        max_steps: 50,
        ..Options::default()
    };
    let mut run = Integrator::new([1.0, 0.0], vec![], options).unwrap();
    let error = run.advance(&mut free(fall), 1.0).unwrap_err();
    assert!(matches!(error, Error::TooManySteps { limit: 50, .. }));
}

#[test]
fn a_guard_that_is_no_number_is_named_unless_disarmed() {
    let mut problem = guarded(fall, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (at.y[0], at.y[1]);
        (g[1], r[1]) = (f64::NAN, 0.0);
    });
    let guards = vec![Guard::falling(); 2];
    let mut run = Integrator::new([1.0, 0.0], guards, Options::default()).unwrap();
    let error = run.advance(&mut problem, 1.0).unwrap_err();
    assert_eq!(error, Error::NonFiniteGuard { guard: 1, t: 0.0 });
    run.arm(1, false);
    assert_eq!(run.advance(&mut problem, 1.0), Ok(Stop::Event));
}

#[test]
fn a_guard_of_noise_above_its_zero_is_named_and_does_not_hang() {
    let mut seed = fastrand::Rng::with_seed(1);
    let mut problem = guarded(fall, move |_: Point<'_>, g: &mut [f64], r: &mut [f64]| {
        (g[0], r[0]) = (1.0 + seed.f64(), 1e6 * (seed.f64() - 0.5));
    });
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    match run.advance(&mut problem, 1.0) {
        Ok(Stop::End) | Err(Error::RoughGuard { guard: 0, .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_integration_can_go_on_after_an_error() {
    let mut broken = true;
    let mut run = Integrator::new([1.0, 0.0], vec![Guard::falling()], Options::default()).unwrap();
    for _ in 0..2 {
        let mut problem = guarded(fall, |at: Point<'_>, g: &mut [f64], r: &mut [f64]| {
            height(at, g, r);
            if broken && at.t > 0.2 {
                g[0] = f64::NAN;
            }
        });
        let stop = run.advance(&mut problem, 1.0);
        assert_eq!(stop.is_err(), broken, "{stop:?}");
        broken = false;
    }
    assert!((run.time() - (2.0f64 / common::GRAVITY).sqrt()).abs() < 1e-14);
}
