//! Orders of the method, and trajectories against closed forms and second routes.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_ode::{Integrator, Options, Stop};
use common::{free, oscillator};

/// Steps of one length: tolerances so loose that only the cap decides.
fn fixed_step(h: f64) -> Options {
    Options {
        relative: 0.9,
        absolute: 1e6,
        max_step: h,
        first_step: h,
        ..Options::default()
    }
}

/// A nonlinear oscillator with time in its rate; the last route is its own fine integration.
fn pendulum(t: f64, y: &[f64], dy: &mut [f64]) {
    (dy[0], dy[1]) = (y[1], -y[0].sin() + 0.3 * (0.7 * t).cos());
}

fn end_of_pendulum(options: Options) -> [f64; 2] {
    let mut run = Integrator::new([1.0, 0.2], vec![], options).unwrap();
    run.advance(&mut free(pendulum), 4.0).unwrap();
    *run.state()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn steps_converge_with_order_eight() {
    let exact = end_of_pendulum(fixed_step(1.0 / 64.0));
    let errors = [0.5, 0.25].map(|h| distance(end_of_pendulum(fixed_step(h)), exact));
    let order = (errors[0] / errors[1]).log2();
    assert!((7.6..9.0).contains(&order), "order {order}, {errors:?}");
}

/// Greatest error of the dense output in one step of length `h` from an exact state.
fn dense_error(h: f64) -> (f64, f64) {
    let mut run = Integrator::new([0.0, 1.0], vec![], fixed_step(h)).unwrap();
    let mut errors = (0.0f64, 0.0f64);
    run.advance_observed(&mut free(oscillator), h, &mut |_, step| {
        for k in 1..20 {
            let t = h * f64::from(k) / 20.0;
            let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
            step.eval(t, &mut y, &mut dy);
            errors.0 = errors.0.max(distance(y, [t.sin(), t.cos()]));
            errors.1 = errors.1.max(distance(dy, [t.cos(), -t.sin()]));
        }
    })
    .unwrap();
    errors
}

#[test]
fn dense_output_converges_with_order_seven_and_its_rate_with_six() {
    let (coarse, fine) = (dense_error(1.0), dense_error(0.5));
    // The error inside one step of a method of order p shrinks as h^(p + 1), that of its rate as h^p.
    let order = (coarse.0 / fine.0).log2() - 1.0;
    let order_of_rate = (coarse.1 / fine.1).log2();
    assert!((6.7..7.8).contains(&order), "{order}: {coarse:?} {fine:?}");
    assert!((6.5..7.8).contains(&order_of_rate), "{order_of_rate}");
}

#[test]
fn dense_output_meets_states_and_rates_at_both_ends() {
    let mut run = Integrator::new([0.3, 1.0], vec![], Options::default()).unwrap();
    let mut last = ([0.3, 1.0], 0.0);
    run.advance_observed(&mut free(oscillator), 7.0, &mut |_, step| {
        let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
        assert_eq!(step.start(), last.1);
        step.eval(step.start(), &mut y, &mut dy);
        assert!(distance(y, last.0) < 1e-15 && distance(dy, [y[1], -y[0]]) < 1e-13);
        step.eval(step.end(), &mut y, &mut dy);
        assert!(distance(dy, [y[1], -y[0]]) < 1e-13);
        last = (y, step.end());
    })
    .unwrap();
    assert_eq!((last.1, run.time()), (7.0, 7.0));
    assert!(distance(last.0, *run.state()) < 1e-15);
}

#[test]
fn harmonic_oscillator_returns_after_a_hundred_turns() {
    let end = 200.0 * std::f64::consts::PI;
    let mut run = Integrator::new([1.0, 0.0], vec![], Options::default()).unwrap();
    assert_eq!(run.advance(&mut free(oscillator), end), Ok(Stop::End));
    assert_eq!(run.time(), end);
    assert!(
        distance(*run.state(), [1.0, 0.0]) < 2e-10,
        "{:?}",
        run.state()
    );
}

#[test]
fn kepler_orbit_of_eccentricity_six_tenths_closes_after_fifty_turns() {
    let e: f64 = 0.6;
    let start = [1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()];
    let mut kepler = free(|_t, y: &[f64], dy: &mut [f64]| {
        let r = y[0].hypot(y[1]);
        let pull = -1.0 / (r * r * r);
        dy.copy_from_slice(&[y[2], y[3], pull * y[0], pull * y[1]]);
    });
    let mut run = Integrator::new(start, vec![], Options::with_tolerance(1e-14)).unwrap();
    run.advance(&mut kepler, 100.0 * std::f64::consts::PI)
        .unwrap();
    for (a, b) in run.state().iter().zip(start) {
        assert!((a - b).abs() < 2e-9, "{:?}", run.state());
    }
}

#[test]
fn arenstorf_orbit_closes() {
    let mu = 0.012277471;
    let period = 17.065_216_560_157_964;
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    let mut bodies = free(move |_t, y: &[f64], dy: &mut [f64]| {
        let nu = 1.0 - mu;
        let earth = ((y[0] + mu).powi(2) + y[1].powi(2)).powf(1.5);
        let moon = ((y[0] - nu).powi(2) + y[1].powi(2)).powf(1.5);
        let pull = |y, r, s| y - nu * r / earth - mu * s / moon;
        (dy[0], dy[1]) = (y[2], y[3]);
        dy[2] = pull(y[0] + 2.0 * y[3], y[0] + mu, y[0] - nu);
        dy[3] = pull(y[1] - 2.0 * y[2], y[1], y[1]);
    });
    let mut run = Integrator::new(start, vec![], Options::with_tolerance(1e-13)).unwrap();
    run.advance(&mut bodies, period).unwrap();
    let miss = (run.state()[0] - start[0]).hypot(run.state()[1]);
    assert!(miss < 1e-5, "{miss}"); // the orbit amplifies an error by some 1e7
}

#[test]
fn fast_decay_is_followed_at_the_price_of_steps() {
    let mut decay = free(|t: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = -500.0 * (y[0] - t.cos()) - t.sin();
    });
    let mut run = Integrator::new([2.0], vec![], Options::with_tolerance(1e-10)).unwrap();
    run.advance(&mut decay, 5.0).unwrap();
    assert!((run.state()[0] - 5f64.cos()).abs() < 1e-9);
    assert!(run.effort().steps_accepted > 300);
}

/// `exp(A) x` by its Taylor series on `2^-s A`, applied `2^s` times.
fn exponential(a: &[f64], x: &[f64], time: f64) -> Vec<f64> {
    let n = x.len();
    let norm = a.chunks(n).map(|r| r.iter().map(|v| v.abs()).sum::<f64>());
    let parts = (4.0 * time * norm.fold(0.0, f64::max)).ceil();
    let mut y = x.to_vec();
    for _ in 0..parts as usize {
        let mut term = y.clone();
        for k in 1..30 {
            let scale = time / parts / f64::from(k);
            term = a
                .chunks(n)
                .map(|row| scale * row.iter().zip(&term).map(|(p, q)| p * q).sum::<f64>())
                .collect();
            y.iter_mut().zip(&term).for_each(|(p, q)| *p += q);
        }
    }
    y
}

#[test]
fn linear_systems_of_2_10_and_100_states_follow_the_matrix_exponential() {
    let mut random = fastrand::Rng::with_seed(7);
    for n in [2, 10, 100] {
        let a: Vec<f64> = (0..n * n)
            .map(|_| (2.0 * random.f64() - 1.0) / (n as f64).sqrt())
            .collect();
        let x: Vec<f64> = (0..n).map(|_| 2.0 * random.f64() - 1.0).collect();
        let mut linear = free(|_t, y: &[f64], dy: &mut [f64]| {
            for (d, row) in dy.iter_mut().zip(a.chunks(n)) {
                *d = row.iter().zip(y).map(|(p, q)| p * q).sum();
            }
        });
        let mut run = Integrator::new(x.clone(), vec![], Options::default()).unwrap();
        run.advance(&mut linear, 3.0).unwrap();
        for (got, want) in run.state().iter().zip(exponential(&a, &x, 3.0)) {
            assert!((got - want).abs() < 2e-11, "{n}: {got} {want}");
        }
    }
}

#[test]
fn array_and_heap_states_give_the_same_bytes() {
    let options = Options::default();
    let mut array = Integrator::new([1.0, 0.2], vec![], options.clone()).unwrap();
    let mut heap = Integrator::new(vec![1.0, 0.2], vec![], options).unwrap();
    array.advance(&mut free(pendulum), 20.0).unwrap();
    heap.advance(&mut free(pendulum), 20.0).unwrap();
    assert_eq!(array.state()[..], heap.state()[..]);
    assert_eq!(array.effort(), heap.effort());
}
