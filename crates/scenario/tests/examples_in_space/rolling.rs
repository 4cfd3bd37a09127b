//! Disks and coins that roll on their edge.

use std::f64::consts::FRAC_PI_2;

use carom_support::near::assert_close;

use super::{Vec3, cross, dot, finished, sample, turned};

const GRAVITY: f64 = 9.81;

/// A thin disk that rolls on a level floor. About e1, level along its edge, e2, from the contact to the
/// centre, and e3, its axis, its angular velocity is w1 = θ̇, w2, w3, θ its slope against the floor. Rolling, the
/// two others are functions of the slope alone (Appell, Korteweg), linear in what they were, and so is the energy:
///
/// ```text
/// A dw2/dθ = C w3 − A w2 cot θ      (C + m a²) dw3/dθ = m a² w2
/// 2 E = (A + m a²) w1² + A w2² + (C + m a²) w3² + 2 m g a sin θ
/// ```
struct Disk {
    mass: f64,
    radius: f64,
    across: f64,
    along: f64,
}

/// Slope and angular velocities of a disk that rolls.
#[derive(Clone, Copy)]
struct Lean {
    slope: f64,
    w: Vec3,
}

impl Disk {
    fn of(mass: f64, radius: f64) -> Self {
        let across = 0.25 * mass * radius * radius;
        Self {
            mass,
            radius,
            across,
            along: 2.0 * across,
        }
    }

    /// m a² (kg·m²)
    fn ring(&self) -> f64 {
        self.mass * self.radius * self.radius
    }

    fn read(&self, coordinates: &[f64], rates: &[f64]) -> Lean {
        let axis = turned(&coordinates[3..], [0.0, 0.0, 1.0]);
        let sin = coordinates[2] / self.radius;
        let edge = cross([0.0, 0.0, 1.0], axis).map(|x| x / sin);
        let w = &rates[3..];
        Lean {
            slope: FRAC_PI_2 - axis[2].asin(),
            w: [dot(w, &edge), dot(w, &cross(axis, edge)), dot(w, &axis)],
        }
    }

    /// Twice the energy (J).
    fn energy(&self, lean: Lean) -> f64 {
        let weight = 2.0 * self.mass * GRAVITY * self.radius * lean.slope.sin();
        let moments = [
            self.across + self.ring(),
            self.across,
            self.along + self.ring(),
        ];
        weight + (0..3).map(|k| moments[k] * lean.w[k].powi(2)).sum::<f64>()
    }

    fn rates(&self, slope: f64, w: [f64; 2]) -> [f64; 2] {
        [
            self.along / self.across * w[1] - w[0] / slope.tan(),
            self.ring() / (self.along + self.ring()) * w[0],
        ]
    }

    /// What w2 and w3 are at another slope, by Runge and Kutta; w1² follows from the energy.
    fn carried(&self, from: Lean, slope: f64) -> (f64, [f64; 2]) {
        let steps = 200;
        let h = (slope - from.slope) / f64::from(steps);
        let mut w = [from.w[1], from.w[2]];
        for k in 0..steps {
            let at = from.slope + h * f64::from(k);
            let on = |r: [f64; 2], part: f64| [w[0] + part * h * r[0], w[1] + part * h * r[1]];
            let a = self.rates(at, w);
            let b = self.rates(at + 0.5 * h, on(a, 0.5));
            let c = self.rates(at + 0.5 * h, on(b, 0.5));
            let d = self.rates(at + h, on(c, 1.0));
            w = [0, 1].map(|i| w[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
        }
        let still = Lean {
            slope,
            w: [0.0, w[0], w[1]],
        };
        let left = self.energy(from) - self.energy(still);
        (left / (self.across + self.ring()), w)
    }

    /// Where the disk turns round, between a slope it has and one it cannot have.
    fn turns_at(&self, from: Lean, beyond: f64) -> f64 {
        let (mut inside, mut outside) = (from.slope, beyond);
        for _ in 0..60 {
            let middle = 0.5 * (inside + outside);
            let can = self.carried(from, middle).0 > 0.0;
            *(if can { &mut inside } else { &mut outside }) = middle;
        }
        inside
    }
}

/// The lean of a disk that rolls keeps to its integrals, and swings between the slopes they allow.
#[track_caller]
fn assert_swings(name: &str, (body, disk): (&str, Disk), from: f64, beyond: [f64; 2]) {
    let record = finished(name, &[]);
    let trajectory = record.trajectory.as_ref().unwrap();
    let rows = trajectory.time.iter().enumerate();
    let rolls: Vec<Lean> = rows
        .filter(|(_, t)| **t >= from)
        .map(|(row, _)| sample(&record, body, row))
        .map(|(coordinates, rates)| disk.read(&coordinates, &rates))
        .collect();
    let first = rolls[0];
    for lean in rolls.iter().step_by(20) {
        let (square, [w2, w3]) = disk.carried(first, lean.slope);
        let size = first.w[2].abs() + first.w[1].abs();
        assert_close("w1²", lean.w[0].powi(2), square, 1e-8 * size * size);
        assert_close("w2", lean.w[1], w2, 1e-9 * size);
        assert_close("w3", lean.w[2], w3, 1e-9 * size);
    }
    let slopes = rolls.iter().map(|lean| lean.slope);
    let least = slopes.clone().fold(f64::INFINITY, f64::min);
    let most = slopes.fold(f64::NEG_INFINITY, f64::max);
    for (reached, beyond) in [(least, beyond[0]), (most, beyond[1])] {
        let end = disk.turns_at(first, beyond);
        let short = (end - reached) * (end - first.slope).signum();
        assert!(short > -1e-9 && short < 1e-4, "{reached} of {end}");
    }
}

#[test]
fn a_disk_that_rolls_wobbles_between_the_slopes_of_appell_and_korteweg() {
    let disk = Disk::of(1.2, 0.3);
    assert_swings("disk-rolls", ("disk", disk), 0.0, [0.1, 3.0]);
}

#[test]
fn a_coin_that_has_come_to_roll_nods_between_the_slopes_of_appell_and_korteweg() {
    let coin = Disk::of(0.0085, 0.012_875);
    assert_swings("coin", ("coin", coin), 0.011, [0.05, 1.5]);
}
