//! The same motion in other units: the same steps, events and states.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_ode::{Effort, Guard, Integrator, Kind, Options, Point, Problem, Stop, Tube};
use common::{GRAVITY, count};
use std::convert::Infallible;

/// Units in which lengths and times are written.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    time: f64,
}

impl Units {
    fn speed(self) -> f64 {
        self.length / self.time
    }

    fn acceleration(self) -> f64 {
        self.speed() / self.time
    }
}

/// A ball that bounces with drag beside a swinging pendulum: height, velocity, angle, rate.
///
/// Guards: the ball on the floor; the ball at the height of a shelf, either way; the pendulum at its
/// lowest point, rising; the ball as high as the pendulum's bob, which dips and grazes.
struct Bounce {
    units: Units,
    /// Where the floor is.
    floor: f64,
    drag: f64,
    is_bounded: bool,
}

const SHELF: f64 = 0.37;
const STIFFNESS: f64 = 31.0;

impl Problem for Bounce {
    type Failure = Infallible;

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        let Units { time, .. } = self.units;
        let drag = self.drag / time;
        (dy[0], dy[1]) = (y[1], -GRAVITY * self.units.acceleration() - drag * y[1]);
        (dy[2], dy[3]) = (y[3], -STIFFNESS * y[2].sin() / time / time);
        Ok(())
    }

    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        let length = self.units.length;
        let (sin, cos) = at.y[2].sin_cos();
        let height = at.y[0] - self.floor;
        (g[0], r[0]) = (height, at.y[1]);
        (g[1], r[1]) = (height - SHELF * length, at.y[1]);
        (g[2], r[2]) = (at.y[2], at.y[3]);
        let bob = (1.0 - 0.5 * cos) * length;
        (g[3], r[3]) = (bob - height, 0.5 * sin * at.y[3] * length - at.y[1]);
        Ok(())
    }

    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        if self.is_bounded {
            let most = |i: usize| tube.low[i].abs().max(tube.high[i].abs());
            (speeds[0], speeds[1], speeds[2]) = (most(1), most(1), most(3));
            speeds[3] = most(1) + 0.5 * most(3) * self.units.length;
        }
    }
}

/// One event in units of metres and seconds.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    t: f64,
    y: [f64; 4],
    guards: Vec<(usize, Kind)>,
}

/// Where the pendulum starts and how the ball does.
#[derive(Debug, Clone, Copy)]
struct Start {
    height: f64,
    velocity: f64,
    angle: f64,
    drag: f64,
}

fn random_start(random: &mut fastrand::Rng) -> Start {
    Start {
        height: 0.2 + random.f64(),
        velocity: 2.0 * random.f64() - 1.0,
        angle: 2.0 * random.f64() - 1.0,
        drag: 0.3 * random.f64(),
    }
}

/// The motion with its floor at `floor` lengths, told in metres and seconds.
fn history(start: Start, units: Units, floor: f64) -> (Vec<Seen>, [f64; 4], Effort) {
    let Units { length, time } = units;
    let sizes = [length, units.speed(), 1.0, 1.0 / time];
    let floor = floor * length;
    let y = [
        floor + start.height * length,
        start.velocity * units.speed(),
        start.angle,
        0.0,
    ];
    let sized = |guard: Guard, size: f64| guard.sized(size, time);
    let guards = vec![
        sized(Guard::falling(), length),
        sized(Guard::either(), length),
        sized(Guard::rising(), 1.0),
        sized(Guard::falling(), length),
    ];
    let options = Options {
        sizes: sizes.to_vec(),
        origin: vec![floor, 0.0, 0.0, 0.0],
        time,
        ..Options::default()
    };
    let told = |y: &[f64; 4]| {
        let [height, v, angle, rate] = *y;
        [
            (height - floor) / length,
            v / units.speed(),
            angle,
            rate * time,
        ]
    };
    let mut problem = Bounce {
        units,
        floor,
        drag: start.drag,
        is_bounded: true,
    };
    let mut run = Integrator::new(y, guards, options).unwrap();
    let mut seen = Vec::new();
    while seen.len() < 12 && run.advance(&mut problem, 2.0 * time) == Ok(Stop::Event) {
        let guards: Vec<_> = run.fired().iter().map(|f| (f.guard, f.kind)).collect();
        if guards[0].0 == 0 {
            run.state_mut()[1] *= -0.8;
        }
        for (guard, _) in &guards {
            if *guard == 2 || *guard == 3 {
                run.pass(*guard);
            }
        }
        let t = run.time() / time;
        let y = told(run.state());
        seen.push(Seen { t, y, guards });
    }
    let end = told(run.state());
    (seen, end, *run.effort())
}

const METRES: Units = Units {
    length: 1.0,
    time: 1.0,
};

#[test]
fn a_motion_in_units_of_powers_of_two_is_the_same_to_the_last_bit() {
    let mut random = fastrand::Rng::with_seed(71);
    let mut events = 0;
    for _ in 0..count(300) {
        let start = random_start(&mut random);
        let told = history(start, METRES, 0.0);
        let units = Units {
            length: 2f64.powi(random.i32(-40..40)),
            time: 2f64.powi(random.i32(-30..30)),
        };
        assert_eq!(told, history(start, units, 0.0), "{units:?}");
        events += told.0.len();
    }
    assert!(
        events > count(1500),
        "the sweep must reach events: {events}"
    );
}

#[test]
fn a_motion_in_any_units_has_the_same_steps_and_events() {
    let mut random = fastrand::Rng::with_seed(72);
    for _ in 0..count(300) {
        let start = random_start(&mut random);
        let (seen, end, effort) = history(start, METRES, 0.0);
        let units = Units {
            length: 10f64.powf(18.0 * random.f64() - 9.0),
            time: 10f64.powf(18.0 * random.f64() - 9.0),
        };
        let (other, other_end, other_effort) = history(start, units, 0.0);
        assert_eq!(seen.len(), other.len(), "{start:?} {units:?}");
        for (a, b) in seen.iter().zip(&other) {
            assert_eq!(a.guards, b.guards, "{start:?} {units:?}");
            assert!((a.t - b.t).abs() < 1e-11, "{a:?} {b:?}");
        }
        let apart = |i: usize| (end[i] - other_end[i]).abs();
        assert!((0..4).all(|i| apart(i) < 1e-9), "{end:?} {other_end:?}");
        let (a, b) = (effort.steps_accepted, other_effort.steps_accepted);
        assert!(a.abs_diff(b) <= 1 + a / 10, "{effort:?} {other_effort:?}");
    }
}

/// Errors were once measured by `|y|`: the farther from zero a thing was, the coarser it moved.
#[test]
fn a_motion_far_from_zero_is_followed_as_closely_as_round_off_lets() {
    let mut random = fastrand::Rng::with_seed(73);
    for _ in 0..count(100) {
        let start = random_start(&mut random);
        let (seen, _, effort) = history(start, METRES, 0.0);
        for floor in [1e3, -1e6] {
            let (far, _, far_effort) = history(start, METRES, floor);
            let of = |all: &[Seen]| all.iter().filter(|s| s.guards[0].0 == 0).count();
            assert_eq!(of(&seen), of(&far), "{start:?}");
            let (a, b) = (effort.steps_accepted, far_effort.steps_accepted);
            assert!(a.abs_diff(b) <= 1 + a / 10, "{effort:?} {far_effort:?}");
        }
    }
}

#[test]
fn sizes_origins_and_the_unit_of_time_are_checked() {
    let refused = |options: Options| {
        let built = Integrator::new([0.0, 0.0], vec![], options);
        built.unwrap_err().to_string()
    };
    let given = Options::default;
    let sizes = |sizes: &[f64]| Options {
        sizes: sizes.to_vec(),
        ..given()
    };
    let said = refused(sizes(&[1.0]));
    assert_eq!(said, "sizes has 1 numbers, expected 2 or none");
    let said = refused(sizes(&[1.0, 0.0]));
    assert_eq!(said, "sizes is 0, expected finite numbers > 0");
    let origin = vec![0.0, f64::NAN];
    let said = refused(Options { origin, ..given() });
    assert_eq!(said, "origin is NaN, expected finite numbers");
    let time = -1.0;
    let said = refused(Options { time, ..given() });
    assert_eq!(said, "time is -1, expected a finite number > 0");
}
