//! Shape of a guard on a short interval, judged by a cubic through its ends.

/// A guard and its rate at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    /// Fraction of the step.
    pub(crate) theta: f64,
    /// Value of the guard.
    pub(crate) g: f64,
    /// Its rate per step length, `h ġ`.
    pub(crate) r: f64,
}

/// What can happen to a guard between three knots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Rounding throughout, of a value below `zero` or of one that moves by less: no information.
    Flat,
    /// The sign cannot change: the hull of the cubic is further from zero than its error.
    Quiet,
    /// At most one extremum in each part.
    Simple,
    /// The cubic does not fit, or more than one extremum may hide in a part.
    Rough,
}

/// The cubic's misfit at the point between is multiplied by this before a sign is trusted. In the parts
/// the true misfit is about a tenth.
const MISFIT_SAFETY: f64 = 2.0;
/// Weight of the misfit of the rate: a quintic shows itself only there.
const RATE_MISFIT_WEIGHT: f64 = 0.25;
/// The cubic fits when its misfit is below this fraction of the guard's variation.
const FIT: f64 = 0.02;
/// Rounding of a guard as a fraction of its size, allowed for before it is called wild.
const NOISE: f64 = 1e-9;
/// Misfit of the rate on a part, over the misfit of the value and the length of the part.
const RATE_ERROR_GAIN: f64 = 1.0;
/// A cubic's inner control values stand at a third of its interval.
const THIRD: f64 = 1.0 / 3.0;

/// Bézier control values of the cubic with the values and rates of `a` and `b`.
fn controls(a: Knot, b: Knot) -> [f64; 4] {
    let third = (b.theta - a.theta) * THIRD;
    [a.g, a.g + third * a.r, b.g - third * b.r, b.g]
}

/// Misfit at `m` of the cubic through `a` and `b`.
///
/// With `s` the fraction of the interval and `L` its length:
///
/// ```text
/// H  = (1+2s)(1−s)² g_a + s²(3−2s) g_b + L s(1−s)² r_a − L s²(1−s) r_b
/// H' = 6s(1−s) (g_b − g_a)/L + (1−s)(1−3s) r_a + s(3s−2) r_b
/// ```
fn misfit(a: Knot, m: Knot, b: Knot) -> f64 {
    let length = b.theta - a.theta;
    let s = (m.theta - a.theta) / length;
    let rest = 1.0 - s;
    let lift = a.g + s * s * (3.0 - 2.0 * s) * (b.g - a.g);
    let value = lift + length * s * rest * (rest * a.r - s * b.r);
    let chord = 6.0 * s * rest * (b.g - a.g) / length;
    let rate = chord + rest * (1.0 - 3.0 * s) * a.r + s * (3.0 * s - 2.0) * b.r;
    (m.g - value).abs() + RATE_MISFIT_WEIGHT * length * (m.r - rate).abs()
}

/// Whether the rate can vanish more than once between `a` and `b`.
fn may_hide_extrema(a: Knot, b: Knot, error: f64) -> bool {
    if a.r * b.r < 0.0 {
        return false; // one extremum, and the fit says no more
    }
    let length = b.theta - a.theta;
    let hull = controls(a, b);
    let middle = (hull[2] - hull[1]) / (length * THIRD);
    let sense = if a.r == 0.0 { b.r } else { a.r };
    let margin = RATE_ERROR_GAIN * error / length;
    sense.signum() * middle <= margin
}

/// Least and greatest of the control values of both parts.
fn bounds(first: &[f64; 4], second: &[f64; 4]) -> (f64, f64) {
    let both = first.iter().chain(second);
    both.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
        (low.min(x), high.max(x))
    })
}

/// Bounds and misfit of a guard on `[a, b]` with a point `m` between.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    knots: [Knot; 3],
    low: f64,
    high: f64,
    error: f64,
    zero: f64,
}

impl Fit {
    /// Compares the guard at `m` with the cubic; `zero` is the round-off of its value.
    pub(crate) fn new(knots: [Knot; 3], zero: f64) -> Self {
        let [a, m, b] = knots;
        let (low, high) = bounds(&controls(a, m), &controls(m, b));
        Self {
            knots,
            low,
            high,
            error: misfit(a, m, b),
            zero,
        }
    }

    /// Whether the cubic describes the guard at all; a guard that varies faster than its samples
    /// is wild.
    pub(crate) fn is_wild(&self) -> bool {
        let noise = NOISE * self.low.abs().max(self.high.abs()) + self.zero;
        !(self.error <= FIT * (self.high - self.low) + noise)
    }

    /// What can happen on the interval; `quiet_matters` lets intervals without change of sign go.
    pub(crate) fn judge(&self, quiet_matters: bool) -> Shape {
        let [a, m, b] = self.knots;
        if self.low.abs().max(self.high.abs()) + self.error <= self.zero {
            return Shape::Flat;
        }
        let safe = MISFIT_SAFETY * self.error + self.zero;
        if quiet_matters && (self.low > safe || self.high < -safe) {
            return Shape::Quiet;
        }
        let change = self.high - self.low;
        let fits = self.error <= FIT * change + self.zero;
        if change + self.error <= self.zero {
            Shape::Flat
        } else if fits && !may_hide_extrema(a, m, self.error) && !may_hide_extrema(m, b, self.error)
        {
            Shape::Simple
        } else {
            Shape::Rough
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knots(f: impl Fn(f64) -> (f64, f64)) -> [Knot; 3] {
        [0.0, 0.45, 1.0].map(|theta| {
            let (g, r) = f(theta);
            Knot { theta, g, r }
        })
    }

    fn judged(f: impl Fn(f64) -> (f64, f64)) -> Shape {
        Fit::new(knots(f), 1e-14).judge(true)
    }

    #[test]
    fn a_cubic_has_no_misfit() {
        let [a, m, b] = knots(|x| (x * x * x - 2.0 * x, 3.0 * x * x - 2.0));
        assert!(misfit(a, m, b) < 1e-15);
    }

    #[test]
    fn a_parabola_that_dips_is_simple_and_one_far_above_is_quiet() {
        let dip = |x: f64| ((x - 0.4).powi(2) - 1e-8, 2.0 * (x - 0.4));
        assert_eq!(judged(dip), Shape::Simple);
        let high = |x: f64| (1.0 + (x - 0.4).powi(2), 2.0 * (x - 0.4));
        assert_eq!(judged(high), Shape::Quiet);
    }

    #[test]
    fn two_extrema_in_one_part_are_rough() {
        let wiggle = |x: f64| ((20.0 * x).sin() + 0.5, 20.0 * (20.0 * x).cos());
        assert_eq!(judged(wiggle), Shape::Rough);
        let pair = |x: f64| {
            let (p, q) = (x - 0.2, x - 0.3); // extrema
            (x * x * x / 3.0 - 0.25 * x * x + 0.06 * x - 0.0045, p * q)
        };
        assert_eq!(judged(pair), Shape::Rough);
    }

    /// A guard that rested a rounding beyond its zero was once cut up to the last depth, again and again.
    #[test]
    fn rounding_noise_about_a_value_as_large_as_zero_is_flat() {
        let noise = |x: f64| (-1e-14 + if x == 0.45 { 6e-17 } else { 0.0 }, 8e-16);
        assert_eq!(judged(noise), Shape::Flat);
    }

    #[test]
    fn rounding_noise_is_flat() {
        assert_eq!(judged(|x| (1e-17 * x, 1e-17)), Shape::Flat);
    }
}
