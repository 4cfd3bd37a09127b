//! Sine and cosine by operations that round alike everywhere, both at once.
//!
//! The angle is taken off its nearest multiple of a quarter turn, in twice the working precision, and
//! the Taylor polynomials of the rest are summed:
//!
//! ```text
//! x = k π/2 + y + y',   |y| ≤ π/4,   |y'| ≤ ½ ulp(y)
//! ```
//!
//! Limits: within one spacing of the true value up to [`FAR_ANGLE`]; beyond it the platform's own functions
//! answer.

/// Angles beyond this many radians are left to the platform.
const FAR_ANGLE: f64 = 1e5;
/// Quarter turns per radian.
const PER_QUARTER: f64 = std::f64::consts::FRAC_2_PI;
/// A quarter turn in three parts; multiples of the first two up to 2²⁰ are exact.
const QUARTER: [f64; 3] = [
    1.5707963267341256,
    6.077100506303966e-11,
    2.0222662487959506e-21,
];
/// Adding and subtracting it rounds to an integer, which its last bits then hold.
const ROUNDER: f64 = 6755399441055744.0; // 1.5 × 2⁵²

/// `1/n!` with the sign of its term, from the third power on for the sine, the fourth for the cosine.
const SINE: [f64; 8] = inverse_factorials(3);
const COSINE: [f64; 7] = inverse_factorials(4);

const fn inverse_factorials<const N: usize>(first: u64) -> [f64; N] {
    let mut out = [0.0; N];
    let mut i = 0;
    while i < N {
        let (mut product, mut n) = (1u64, 2);
        while n <= first + 2 * i as u64 {
            product *= n;
            n += 1;
        }
        // The sine starts with −1/3!, the cosine with +1/4!.
        let sign = if (i % 2 == 0) == (first % 2 == 1) {
            -1.0
        } else {
            1.0
        };
        out[i] = sign / product as f64;
        i += 1;
    }
    out
}

/// Sine and cosine of `x` radians.
#[inline(always)]
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    // Written so that what is not a number is far, too.
    if !(x.abs() <= FAR_ANGLE) {
        return x.sin_cos();
    }
    near_sin_cos(x)
}

/// Both functions of an angle that is not far.
#[inline(always)]
fn near_sin_cos(x: f64) -> (f64, f64) {
    let shifted = x * PER_QUARTER + ROUNDER;
    let quarters = shifted - ROUNDER;
    let (sin, cos) = {
        let (y, low) = rest(x, quarters);
        of_rest(y, low)
    };
    // The quarter changes seldom: a branch that is foreseen does not wait for it.
    match shifted.to_bits() & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// `x − quarters π/2` as a sum of two numbers, the second far smaller.
#[inline(always)]
fn rest(x: f64, quarters: f64) -> (f64, f64) {
    let high = x - quarters * QUARTER[0]; // exact
    let taken = quarters * QUARTER[1]; // exact
    let y = high - taken;
    let back = y - high;
    let lost = (high - (y - back)) - (taken + back);
    (y, lost - quarters * QUARTER[2])
}

/// Sine and cosine of `y + low` with `|y| ≤ π/4`.
#[inline(always)]
fn of_rest(y: f64, low: f64) -> (f64, f64) {
    let z = y * y;
    let z2 = z * z;
    let z4 = z2 * z2;
    let [s0, s1, s2, s3, s4, s5, s6, s7] = SINE;
    let odd = ((s0 + z * s1) + z2 * (s2 + z * s3)) + z4 * ((s4 + z * s5) + z2 * (s6 + z * s7));
    let [c0, c1, c2, c3, c4, c5, c6] = COSINE;
    let even = ((c0 + z * c1) + z2 * (c2 + z * c3)) + z4 * ((c4 + z * c5) + z2 * c6);
    let half = 0.5 * z;
    let near = 1.0 - half;
    let sin = y + (y * z * odd + low * near);
    let cos = near + (((1.0 - near) - half) + (z2 * even - y * low));
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_support::random::count;

    /// Spacings between two numbers.
    fn apart(a: f64, b: f64) -> f64 {
        (a - b).abs() / (b.abs() * f64::EPSILON).max(f64::MIN_POSITIVE)
    }

    #[test]
    fn sine_and_cosine_are_the_platforms_within_a_spacing() {
        let mut rng = fastrand::Rng::with_seed(11);
        for k in 0..count(2_000_000) {
            let span = [1.0, 10.0, 1e3, FAR_ANGLE][k % 4];
            let x = span * (2.0 * rng.f64() - 1.0);
            let (found, known) = (sin_cos(x), x.sin_cos());
            assert!(apart(found.0, known.0) <= 1.0, "sin {x:?}: {found:?}");
            assert!(apart(found.1, known.1) <= 1.0, "cos {x:?}: {found:?}");
        }
    }

    #[test]
    fn angles_next_to_quarter_turns_keep_every_digit() {
        for k in -60_000..60_000 {
            let quarter = f64::from(k) * std::f64::consts::FRAC_PI_2;
            for x in [quarter.next_down(), quarter, quarter.next_up()] {
                let (found, known) = (sin_cos(x), x.sin_cos());
                assert!(apart(found.0, known.0) <= 1.0, "sin {x:?}: {found:?}");
                assert!(apart(found.1, known.1) <= 1.0, "cos {x:?}: {found:?}");
            }
        }
    }

    #[test]
    fn a_mirrored_angle_has_the_same_cosine_and_the_opposite_sine() {
        let mut rng = fastrand::Rng::with_seed(12);
        for _ in 0..10_000 {
            let x = 100.0 * rng.f64();
            let (s, c) = sin_cos(x);
            assert_eq!(sin_cos(-x), (-s, c));
        }
    }

    #[test]
    fn what_is_far_or_no_number_is_left_to_the_platform() {
        assert_eq!(sin_cos(1e15), 1e15f64.sin_cos());
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }
}
