//! A second route to life in contact: stiff springs in place of rigid contacts, in their limit.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::Law;
use carom_sim::{Happening, run};
use common::wedge::Wedge;

/// A contact that is a stiff spring across the surface, stiffer when it lets go: it gives back the part
/// e² of its energy. Friction along it is Coulomb's.
struct Springy {
    wedge: Wedge,
    stiffness: f64,
    restitution: f64,
}

/// Steps in a quarter of the time of a contact.
const STEPS: f64 = 20_000.0;

impl Springy {
    fn force(&self, depth: f64, deepest: f64, is_compressing: bool) -> f64 {
        let e2 = self.restitution * self.restitution;
        let force = match is_compressing {
            true => self.stiffness * depth,
            false => self.stiffness / e2 * (depth - deepest * (1.0 - e2)),
        };
        force.max(0.0)
    }

    /// Friction under a load: what holds the contact, within the cone, or what opposes its slip.
    fn friction(&self, f_n: f64, v_t: f64) -> f64 {
        let [_, b, c] = self.wedge.w;
        let holds = -(self.wedge.pull + c * f_n) / b;
        let room = self.wedge.mu * f_n;
        match v_t == 0.0 {
            true => holds.clamp(-room, room),
            false => -room * v_t.signum(),
        }
    }

    /// Through one contact, from an approach to the end of the force; the time it takes, or none where
    /// it does not part any more.
    fn strike(&self, v: &mut [f64; 2]) -> Option<f64> {
        let [a, b, c] = self.wedge.w;
        let step = (self.stiffness * a).sqrt().recip() / STEPS;
        let (mut depth, mut deepest, mut time) = (0.0, 0.0f64, 0.0);
        let mut is_compressing = true;
        loop {
            depth -= 0.5 * step * v[0];
            let f_n = self.force(depth, deepest, is_compressing);
            let f_t = self.friction(f_n, v[1]);
            let was = v[1];
            // Leapfrog: velocities with the force at the middle of their step.
            v[0] += step * (-1.0 + a * f_n + c * f_t);
            v[1] += step * (self.wedge.pull + c * f_n + b * f_t);
            let is_held = was == 0.0 && f_t.abs() < self.wedge.mu * f_n;
            if is_held || was * v[1] < 0.0 {
                v[1] = 0.0;
            }
            depth -= 0.5 * step * v[0];
            time += step;
            deepest = deepest.max(depth);
            if is_compressing && v[0] > 0.0 {
                is_compressing = false;
                if deepest < 4.0 / self.stiffness {
                    return None; // its weight alone presses it half as deep
                }
            }
            if !is_compressing && self.force(depth, deepest, false) == 0.0 {
                return Some(time);
            }
        }
    }

    /// When a body dropped from a height parts for the last time.
    fn rest(&self, height: f64) -> f64 {
        let mut time = (2.0 * height).sqrt();
        let mut v = [-time, self.wedge.pull * time];
        for _ in 0..10_000 {
            let Some(taken) = self.strike(&mut v) else {
                return time;
            };
            let flight = 2.0 * v[0];
            time += taken + flight;
            v = [-v[0], v[1] + self.wedge.pull * flight];
        }
        f64::NAN
    }
}

/// The limit of the impacts of the rigid body.
fn limit(wedge: Wedge, restitution: f64, height: f64) -> f64 {
    let run = run(&mut wedge.setup(Law::Energetic, restitution, height, 100.0)).unwrap();
    let last = run.events.last().unwrap();
    assert!(matches!(last.what, Happening::Accumulation(_)));
    last.time
}

#[test]
fn stiff_springs_come_to_rest_at_the_limit_of_the_rigid_impacts() {
    let ball = Wedge {
        w: [1.0, 1.0, 0.0],
        pull: 0.0,
        mu: 0.0,
    };
    let coupled = Wedge {
        w: [1.0, 2.5, 0.75],
        pull: 0.2,
        mu: 1.2,
    };
    for (wedge, restitution) in [(ball, 0.7), (coupled, 0.6)] {
        let rigid = limit(wedge, restitution, 0.5);
        let soft = |stiffness: f64| {
            let spring = Springy {
                wedge,
                stiffness,
                restitution,
            };
            (spring.rest(0.5) - rigid).abs()
        };
        let (coarse, fine) = (soft(1e6), soft(1e10));
        assert!(fine < 2e-3 * rigid, "{fine:e} of {rigid}");
        assert!(fine < 0.1 * coarse, "{fine:e} after {coarse:e}");
    }
}

/// The block of the belt, held by a stiff spring with a damper where it sticks: the instants at which
/// it slips and sticks.
fn stick_slip(stiffness: f64, cycles: usize) -> Vec<f64> {
    let (belt, mu_s, mu_d) = (0.1, 0.4, 0.25);
    let step = 0.05 / stiffness.sqrt();
    let damping = stiffness.sqrt();
    let (mut t, mut x, mut v) = (0.0, 0.0, belt);
    let mut stretch = 0.0; // of the spring that holds the block to the belt
    let mut sticks = true;
    let mut instants = Vec::new();
    while instants.len() < 2 * cycles {
        let hold = |x: f64, v: f64, stretch: f64| match sticks {
            true => -x + stiffness * stretch + damping * (belt - v),
            false => -x + mu_d,
        };
        let a = hold(x, v, stretch);
        let (x_mid, v_mid) = (x + 0.5 * step * v, v + 0.5 * step * a);
        let stretch_mid = stretch + 0.5 * step * (belt - v);
        let a_mid = hold(x_mid, v_mid, stretch_mid);
        x += step * v_mid;
        v += step * a_mid;
        stretch += step * (belt - v_mid);
        t += step;
        let is_changed = match sticks {
            true => stiffness * stretch + damping * (belt - v) > mu_s,
            false => v >= belt && a_mid > 0.0 && x < mu_d,
        };
        if is_changed {
            sticks = !sticks;
            stretch = mu_d / stiffness;
            if sticks {
                stretch = x / stiffness;
            }
            instants.push(t);
        }
    }
    instants
}

#[test]
fn a_stiff_spring_on_a_belt_sticks_and_slips_in_the_cycle_of_the_rigid_block() {
    let slip = 2.0 * (std::f64::consts::PI - 1.5f64.atan());
    let mut expected = Vec::new();
    let mut t = 4.0;
    for _ in 0..3 {
        expected.extend([t, t + slip]);
        t += slip + 3.0;
    }
    let miss = |stiffness: f64| {
        let found = stick_slip(stiffness, 3);
        let pairs = found.iter().zip(&expected);
        pairs.fold(0.0f64, |most, (a, b)| most.max((a - b).abs()))
    };
    let (coarse, fine) = (miss(1e3), miss(1e5));
    assert!(
        fine < 1e-2 && fine < 0.2 * coarse,
        "{fine:e} after {coarse:e}"
    );
}
