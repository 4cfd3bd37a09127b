//! Things much smaller than their way meet: the gap dips below zero in a tiny part of a step, as a V.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_ode::{Guard, Integrator, Kind, Options, Point, Problem, Stop, Tube};
use carom_support::random::full_or;
use common::{GRAVITY, count};
use std::convert::Infallible;

/// Two balls that fly towards each other, with drag: places, then velocities, of one and the other.
struct Pair {
    /// Sum of the radii.
    reach: f64,
    gravity: f64,
    drag: f64,
    is_bounded: bool,
}

impl Problem for Pair {
    type Failure = Infallible;

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        for (y, dy) in y.chunks(4).zip(dy.chunks_mut(4)) {
            (dy[0], dy[1]) = (y[2], y[3]);
            (dy[2], dy[3]) = (-self.drag * y[2], -self.gravity - self.drag * y[3]);
        }
        Ok(())
    }

    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        let y = at.y;
        let (x, z) = (y[4] - y[0], y[5] - y[1]);
        let (u, w) = (y[6] - y[2], y[7] - y[3]);
        let apart = x.hypot(z);
        g[0] = apart - self.reach;
        r[0] = match apart > 0.0 {
            true => (x * u + z * w) / apart,
            false => -u.hypot(w),
        };
        Ok(())
    }

    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        if self.is_bounded {
            let most = |i: usize| tube.low[i].abs().max(tube.high[i].abs());
            speeds[0] = most(2) + most(3) + most(6) + most(7);
        }
    }
}

/// How two balls start, and when they meet if they pass within their reach.
struct Flight {
    y: [f64; 8],
    pair: Pair,
    off: f64,
}

impl Flight {
    /// Balls that pass at a distance of `off` reaches.
    fn random(random: &mut fastrand::Rng, off: f64) -> Self {
        let reach = 10f64.powf(-1.0 - 11.0 * random.f64());
        let pair = Pair {
            reach,
            gravity: if random.bool() { GRAVITY } else { 0.0 },
            drag: if random.bool() { 0.3 } else { 0.0 },
            is_bounded: random.bool(),
        };
        let rise = 3.0 * random.f64();
        let (u, w) = (1.0 + random.f64(), -1.0 - random.f64());
        let way = 1.0 + random.f64();
        let off = off * reach;
        let y = [0.0, 0.0, u, rise, way, off, w, rise];
        Self { y, pair, off }
    }

    fn meeting(&self) -> f64 {
        let (reach, drag) = (self.pair.reach, self.pair.drag);
        let closing = self.y[2] - self.y[6];
        let half = (reach - self.off).sqrt() * (reach + self.off).sqrt();
        let time = (self.y[4] - half) / closing;
        match drag > 0.0 {
            true => -(-drag * time).ln_1p() / drag,
            false => time,
        }
    }

    fn integrator(&self) -> Integrator<[f64; 8]> {
        let guards = vec![Guard::falling().sized(self.pair.reach, 1.0)];
        Integrator::new(self.y, guards, Options::default()).unwrap()
    }
}

/// Head-on, a tiny ball was found and its lowest gap then sought with the curvature of a smooth dip: it
/// was missed once in ten flights, with drag once in two.
#[test]
fn tiny_balls_that_meet_head_on_or_off_their_centres_are_not_missed() {
    let mut random = fastrand::Rng::with_seed(81);
    let (mut tiny, mut head_on) = (0, 0);
    for k in 0..count(4_000) {
        let off = if k % 2 == 0 { 0.0 } else { 0.99 * random.f64() };
        let mut flight = Flight::random(&mut random, off);
        let mut run = flight.integrator();
        let reach = flight.pair.reach;
        let stop = run.advance(&mut flight.pair, 2.0);
        assert_eq!(stop, Ok(Stop::Event), "reach {reach:e}, off {off}");
        assert_eq!(run.fired()[0].kind, Kind::Crossing, "reach {reach:e}");
        let miss = (run.time() - flight.meeting()).abs();
        assert!(miss < 1e-12, "reach {reach:e}, off {off}: {miss:e}");
        tiny += usize::from(reach < 1e-9);
        head_on += usize::from(reach < 1e-6 && off == 0.0);
    }
    assert!(
        tiny > full_or(800, 4) && head_on > full_or(800, 4),
        "{tiny} {head_on}"
    );
}

#[test]
fn tiny_balls_that_pass_each_other_make_no_event() {
    let mut random = fastrand::Rng::with_seed(82);
    for _ in 0..count(2_000) {
        let off = 1.01 + random.f64();
        let mut flight = Flight::random(&mut random, off);
        // What the round-off of the flight leaves of a distance: below it nobody knows who passes.
        if flight.pair.reach < 1e-10 {
            continue;
        }
        let mut run = flight.integrator();
        let stop = run.advance(&mut flight.pair, 1.5);
        assert_eq!(
            stop,
            Ok(Stop::End),
            "reach {:e}, off {off}",
            flight.pair.reach
        );
    }
}
