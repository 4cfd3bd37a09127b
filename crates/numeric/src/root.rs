//! Where a function changes sign, to round-off.

/// Steps allowed; bisection alone reaches neighbouring numbers in fewer.
const STEPS: usize = 200;

/// A place between `a` and `b` where `f` changes sign, to neighbouring floating-point numbers or
/// an exact zero; `None` where the ends have one sign or a value is not a number.
///
/// Secant steps that keep the bracket (Illinois), with a bisection whenever the bracket has not
/// halved in three steps: never slower than bisection by more than that factor.
pub fn bracketed(mut f: impl FnMut(f64) -> f64, a: f64, b: f64) -> Option<f64> {
    let (mut low, mut high) = (a, b);
    let (mut at_low, mut at_high) = (f(a), f(b));
    if at_low == 0.0 {
        return Some(low);
    }
    if at_high == 0.0 {
        return Some(high);
    }
    if !(at_low * at_high.signum() < 0.0) {
        return None;
    }
    let mut width = (high - low).abs();
    for step in 1..=STEPS {
        let middle = 0.5 * low + 0.5 * high;
        if middle == low || middle == high {
            break;
        }
        let is_slow = step % 3 == 0 && (high - low).abs() > 0.5 * width;
        if step % 3 == 0 {
            width = (high - low).abs();
        }
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let is_inside = (secant - low) * (secant - high) < 0.0;
        let x = if is_slow || !is_inside {
            middle
        } else {
            secant
        };
        let value = f(x);
        if value == 0.0 {
            return Some(x);
        }
        if value.is_nan() {
            return None;
        }
        if (value < 0.0) == (at_low < 0.0) {
            (low, at_low, at_high) = (x, value, 0.5 * at_high);
        } else {
            (high, at_high, at_low) = (x, value, 0.5 * at_low);
        }
    }
    Some(0.5 * low + 0.5 * high)
}

/// The two neighbouring numbers between which `is_left` turns from true to false, going from `a`
/// (where it holds) to `b` (where it does not).
pub fn switch(mut is_left: impl FnMut(f64) -> bool, a: f64, b: f64) -> (f64, f64) {
    let (mut left, mut right) = (a, b);
    for _ in 0..STEPS {
        let middle = 0.5 * left + 0.5 * right;
        if middle == left || middle == right {
            break;
        }
        if is_left(middle) {
            left = middle;
        } else {
            right = middle;
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_round_off_in_few_steps() {
        let mut rng = fastrand::Rng::with_seed(4);
        for _ in 0..500 {
            let root = 4.0 * rng.f64() - 2.0;
            let mut calls = 0;
            let f = |x: f64| {
                calls += 1;
                (x - root) * (1.0 + (x - root) * (x - root))
            };
            let found = bracketed(f, -3.0, 3.0).unwrap();
            assert!(
                (found - root).abs() < 1e-15 * (1.0 + root.abs()),
                "{found} {root}"
            );
            assert!(calls < 80, "{calls}");
        }
        assert_eq!(bracketed(|x| x * x + 1.0, -1.0, 1.0), None);
        assert_eq!(bracketed(|_| f64::NAN, -1.0, 1.0), None);
    }

    #[test]
    fn a_switch_is_closed_in_on_from_both_sides() {
        let (left, right) = switch(|x| x * x < 2.0, 1.0, 2.0);
        assert!(left * left < 2.0 && right * right >= 2.0 && right - left < 1e-15);
    }
}
