//! Effort of a double pendulum under watch: the search must stay cheap when nothing happens.

use crate::common;

use carom_ode::{Guard, Integrator, Options, Point, Stop};
use common::{GRAVITY, guarded};

/// Double pendulum of point masses, absolute angles; rods of 1 m, masses of 1 kg.
fn pendulum(_t: f64, y: &[f64], dy: &mut [f64]) {
    let (s, c) = (y[0] - y[1]).sin_cos();
    let (w1, w2) = (y[2] * y[2], y[3] * y[3]);
    let p = -s * w2 - 2.0 * GRAVITY * y[0].sin();
    let q = s * w1 - GRAVITY * y[1].sin();
    let det = 2.0 - c * c;
    (dy[0], dy[1]) = (y[2], y[3]);
    (dy[2], dy[3]) = ((p - c * q) / det, (2.0 * q - c * p) / det);
}

/// Height of the lower mass above a floor 2.1 m below the pivot.
fn floor(at: Point<'_>, g: &mut [f64], r: &mut [f64]) {
    let ((s1, c1), (s2, c2)) = (at.y[0].sin_cos(), at.y[1].sin_cos());
    (g[0], r[0]) = (2.1 - c1 - c2, s1 * at.y[2] + s2 * at.y[3]);
}

#[test]
fn watching_a_double_pendulum_costs_three_rates_and_six_guards_a_step() {
    let mut problem = guarded(pendulum, floor);
    let start = [2.0, 1.0, 0.0, 0.0];
    let mut free = Integrator::new(start, vec![], Options::default()).unwrap();
    let guards = vec![Guard::falling()];
    let mut watched = Integrator::new(start, guards, Options::default()).unwrap();
    assert_eq!(free.advance(&mut problem, 20.0), Ok(Stop::End));
    assert_eq!(watched.advance(&mut problem, 20.0), Ok(Stop::End));
    assert_eq!(free.state(), watched.state());
    let (f, w) = (free.effort(), watched.effort());
    assert!((1000..2000).contains(&f.steps_accepted), "{f:?}");
    assert_eq!(w.evaluations, f.evaluations + 3 * w.steps_accepted);
    let per_step = w.guard_evaluations as f64 / w.steps_accepted as f64;
    assert!((6.0..6.5).contains(&per_step), "{w:?}");
    assert_eq!((w.polish_steps, w.events), (0, 0));
}

#[test]
fn an_impact_costs_a_few_sub_steps() {
    let mut ball = guarded(common::fall, common::height);
    let guards = vec![Guard::falling()];
    let mut run = Integrator::new([1.0, 0.0], guards, Options::default()).unwrap();
    for _ in 0..10 {
        assert_eq!(run.advance(&mut ball, 100.0), Ok(Stop::Event));
        run.state_mut()[1] *= -0.9;
    }
    let effort = run.effort();
    assert_eq!(effort.events, 10);
    assert!(effort.polish_steps <= 30, "{effort:?}");
}
