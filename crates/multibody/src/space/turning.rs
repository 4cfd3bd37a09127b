//! Orientation near a steady turn, by three numbers.

use super::rotation::{product, unit};
use crate::plane::sine::sin_cos;
use crate::vector::{Linear, Vector};

/// Orientations as small turns θ away from a steady precession.
///
/// ```text
/// q(t) = exp(θ) exp(κ τ) exp(s τ + ½ a ŝ τ²) q₀,     τ = t − t₀,  exp(θ) = (cos |θ|/2, sin |θ|/2 θ/|θ|)
/// θ̇ = ω' − ½ θ × ω' + c θ × (θ × ω'),     ω' = ω − exp(θ) ω_s,    c = (1 − ½|θ| cot ½|θ|)/|θ|²
/// ω_s = κ + exp(κ τ) (s + a ŝ τ)          angular velocity of the precession
/// ```
///
/// At t₀ the angular velocity of the precession is that of the body, and its rate, as far as it goes, that of the
/// body's. A body that turns or precesses steadily has θ = 0 for ever, however fast it turns. Axes are those in which
/// ω is given.
///
/// Limits: |θ| below 2π.
///
/// Reference: `MuntheKaas1999`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    since: f64,
    anchor: [f64; 4],
    /// κ (rad/s)
    precession: Vector<3>,
    /// s (rad/s)
    spin: Vector<3>,
    /// a ŝ (rad/s²)
    gain: Vector<3>,
}

/// A precession faster than this part of the angular velocity is none.
const SLOW: f64 = 0.25;

/// A quaternion whose square is one up to so much is of unit length: what does not turn keeps its bits.
const UNIT: f64 = 8.0 * f64::EPSILON;
/// A turn by no more than this is below the spacing of the numbers that would hold it (rad).
const LEAST: f64 = f64::EPSILON;
/// Below this square of the angle the series is used (rad²).
const SMALL: f64 = 0.25;
/// `(1 − x cot x)/(4 x²)` at `4 x² = |θ|²`, as a series of |θ|².
const SERIES: [f64; 8] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    3617.0 / 10_670_622_842_880_000.0,
];

impl Turning {
    /// An orientation at rest.
    pub fn still(quaternion: [f64; 4]) -> Self {
        Self {
            since: 0.0,
            anchor: of_unit_length(quaternion),
            precession: Vector::default(),
            spin: Vector::default(),
            gain: Vector::default(),
        }
    }

    /// From an orientation at an instant on, at an angular velocity that changes at a rate.
    pub fn new(t: f64, quaternion: [f64; 4], omega: [f64; 3], rate: [f64; 3]) -> Self {
        let (omega, rate) = (Vector(omega), Vector(rate));
        let square = omega.dot(omega);
        let mut found = Self {
            since: t,
            spin: omega,
            ..Self::still(quaternion)
        };
        let precession = omega.cross(rate) * square.recip();
        if !(precession.dot(precession) < SLOW * SLOW * square) {
            return found;
        }
        let spin = omega - precession;
        let gain = rate.dot(omega) / spin.dot(omega);
        found.precession = omega.cross(rate - spin * gain) * square.recip();
        found.spin = omega - found.precession;
        found.gain = found.spin * gain;
        found
    }

    /// The steady precession at an instant.
    fn steady(&self, t: f64) -> [f64; 4] {
        if self.spin == Vector::default() {
            return self.anchor;
        }
        let past = t - self.since;
        let turn = self.spin * past + self.gain * (0.5 * past * past);
        let spun = product(exp(turn), self.anchor);
        match self.precession == Vector::default() {
            true => spun,
            false => product(exp(self.precession * past), spun),
        }
    }

    /// Its angular velocity.
    fn steady_rate(&self, t: f64) -> Vector<3> {
        let past = t - self.since;
        let spin = self.spin + self.gain * past;
        match self.precession == Vector::default() {
            true => spin,
            false => self.precession + turned(exp(self.precession * past), spin),
        }
    }

    /// The orientation that is a turn θ away from the steady one.
    pub fn quaternion(&self, t: f64, theta: [f64; 3]) -> [f64; 4] {
        let theta = Vector(theta);
        match theta.dot(theta) <= LEAST * LEAST {
            true => self.steady(t),
            false => product(exp(theta), self.steady(t)),
        }
    }

    /// Rate of θ at an angular velocity.
    pub fn theta_rate(&self, t: f64, theta: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
        let (theta, omega, steady) = (Vector(theta), Vector(omega), self.steady_rate(t));
        if theta == Vector::default() {
            return (omega - steady).0;
        }
        let own = omega - turned(exp(theta), steady);
        let across = theta.cross(own);
        let again = theta.cross(across);
        (own - across * 0.5 + again * curl(theta.dot(theta))).0
    }

    /// The turn θ from the steady orientation to another.
    pub fn theta(&self, t: f64, quaternion: [f64; 4]) -> [f64; 3] {
        let [w, x, y, z] = self.steady(t);
        let [w, x, y, z] = product(unit(quaternion), [w, -x, -y, -z]);
        let (w, axis) = match w < 0.0 {
            true => (-w, Vector([-x, -y, -z])),
            false => (w, Vector([x, y, z])),
        };
        let sine = axis.norm();
        match sine > 0.0 {
            true => (axis * (2.0 * sine.atan2(w) / sine)).0,
            false => [0.0; 3],
        }
    }
}

/// The quaternion itself where it has unit length.
fn of_unit_length(quaternion: [f64; 4]) -> [f64; 4] {
    let square: f64 = quaternion.iter().map(|x| x * x).sum();
    match (square - 1.0).abs() <= UNIT {
        true => quaternion,
        false => unit(quaternion),
    }
}

/// The unit quaternion of a turn about and by a vector.
fn exp(theta: Vector<3>) -> [f64; 4] {
    let angle = theta.norm();
    if angle == 0.0 {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let (sin, cos) = sin_cos(0.5 * angle);
    let Vector([x, y, z]) = theta * (sin / angle);
    [cos, x, y, z]
}

/// A vector turned by a unit quaternion.
fn turned([w, x, y, z]: [f64; 4], r: Vector<3>) -> Vector<3> {
    let axis = Vector([x, y, z]);
    let twice = axis.cross(r) * 2.0;
    r + twice * w + axis.cross(twice)
}

/// `(1 − ½|θ| cot ½|θ|)/|θ|²` of the square of |θ|.
fn curl(square: f64) -> f64 {
    if square < SMALL {
        return SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c);
    }
    let half = 0.5 * square.sqrt();
    let (sin, cos) = sin_cos(half);
    (1.0 - half * cos / sin) / square
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn vector(rng: &mut Rng, most: f64) -> [f64; 3] {
        std::array::from_fn(|_| most * (2.0 * rng.f64() - 1.0))
    }

    fn quaternion(rng: &mut Rng) -> [f64; 4] {
        unit(std::array::from_fn(|_| 2.0 * rng.f64() - 1.0))
    }

    #[test]
    fn a_turn_away_from_a_steady_one_is_read_back() {
        let mut rng = Rng::with_seed(5);
        for _ in 0..1000 {
            let (q, omega, rate) = (
                quaternion(&mut rng),
                vector(&mut rng, 20.0),
                vector(&mut rng, 9.0),
            );
            let turning = Turning::new(0.3, q, omega, rate);
            let theta = vector(&mut rng, 1.5);
            let back = turning.theta(0.9, turning.quaternion(0.9, theta));
            assert!(
                (0..3).all(|i| (back[i] - theta[i]).abs() < 1e-13),
                "{theta:?}"
            );
        }
    }

    #[test]
    fn a_body_that_turns_steadily_stays_at_the_start_of_its_chart() {
        let mut rng = Rng::with_seed(6);
        let (q, omega) = (quaternion(&mut rng), vector(&mut rng, 30.0));
        let turning = Turning::new(1.0, q, omega, [0.0; 3]);
        assert_eq!(turning.theta_rate(1.5, [0.0; 3], omega), [0.0; 3]);
        let axis = Vector(omega);
        let about = super::super::Rotation::about(axis, axis.norm() * 0.7).quaternion();
        let expected = product(about, q);
        let found = turning.quaternion(1.7, [0.0; 3]);
        assert!((0..4).all(|i| (found[i] - expected[i]).abs() < 1e-14));
    }

    /// `q̇ = ½ ω q`, by differences.
    #[test]
    fn the_rate_of_a_turn_moves_the_quaternion_by_its_angular_velocity() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..1000 {
            let (q, start, turn) = (
                quaternion(&mut rng),
                vector(&mut rng, 3.0),
                vector(&mut rng, 1.0),
            );
            let turning = Turning::new(0.0, q, start, turn);
            let (theta, omega) = (vector(&mut rng, 1.2), vector(&mut rng, 3.0));
            let (t, h) = (0.4, 1e-5);
            let rate = turning.theta_rate(t, theta, omega);
            let at = |step: f64| {
                let moved = std::array::from_fn(|i| theta[i] + step * rate[i]);
                turning.quaternion(t + step, moved)
            };
            let (before, now, after) = (at(-h), at(0.0), at(h));
            let [x, y, z] = omega.map(|x| 0.5 * x);
            let expected = product([0.0, x, y, z], now);
            for i in 0..4 {
                let found = (after[i] - before[i]) / (2.0 * h);
                assert!((found - expected[i]).abs() < 1e-8, "{theta:?} {omega:?}");
            }
        }
    }

    /// ω = exp(κ t) Ω with κ across Ω.
    #[test]
    fn a_body_that_precesses_steadily_stays_near_the_start_of_its_chart() {
        let (precession, omega) = (Vector([0.0, 0.0, 0.8]), Vector([40.0, 9.0, 0.0]));
        let rate = precession.cross(omega);
        let turning = Turning::new(0.0, [1.0, 0.0, 0.0, 0.0], omega.0, rate.0);
        for t in [0.0, 0.3, 1.1] {
            let now = turned(exp(precession * t), omega);
            let away = Vector(turning.theta_rate(t, [0.0; 3], now.0));
            assert!(away.norm() < 1e-13 * omega.norm(), "{t}: {away:?}");
        }
    }

    /// The first two terms of the angular velocity are those given.
    #[test]
    fn a_steady_precession_follows_the_angular_velocity_and_its_rate() {
        let mut rng = Rng::with_seed(8);
        for _ in 0..1000 {
            let (omega, rate) = (vector(&mut rng, 30.0), vector(&mut rng, 9.0));
            let turning = Turning::new(0.0, quaternion(&mut rng), omega, rate);
            let slow = turning.precession.norm() / Vector(omega).norm();
            assert!(slow < 2.0 * SLOW);
            let h = 1e-6;
            let change = (turning.steady_rate(h) - turning.steady_rate(-h)) * (0.5 / h);
            let miss = (change - Vector(rate)).norm() / Vector(rate).norm();
            assert!(turning.precession == Vector::default() || miss < 3.0 * slow + 1e-6);
        }
    }

    #[test]
    fn the_series_of_a_small_turn_meets_its_closed_form() {
        let half: f64 = 0.25;
        let closed = (1.0 - half * half.cos() / half.sin()) / (4.0 * half * half);
        assert!((curl(4.0 * half * half * 0.999_999) - closed).abs() < 1e-9);
        let below = curl(SMALL * (1.0 - f64::EPSILON));
        assert!((below - curl(SMALL)).abs() < 1e-15);
    }
}
