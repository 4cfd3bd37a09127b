//! Quadratics without cancellation.

use crate::lanes::Real;

/// Step `x >= 0` that carries a line of value `v` and slope `k` over the area `r`.
///
/// Solves `v x + k x²/2 = r` for `v >= 0`, `r >= 0`, by the root that does not cancel:
///
/// ```text
/// x = 2 r / (v + √(v² + 2 k r))
/// ```
///
/// `k >= 0`; `r <= 0` gives 0. With `v = 0` and `k = 0` no finite step covers a positive area: the answer is
/// infinite.
#[inline(always)]
pub fn step_over_area<T: Real>(v: T, k: T, r: T) -> T {
    let twice = r + r;
    let discriminant = v * v + k * twice;
    r.if_positive(twice / (v + discriminant.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_line_is_crossed_at_constant_rate() {
        assert_eq!(step_over_area(4.0, 0.0, 2.0), 0.5);
    }

    #[test]
    fn a_line_from_zero_covers_its_triangle() {
        assert_eq!(step_over_area(0.0, 2.0, 9.0), 3.0);
    }

    #[test]
    fn nothing_to_cover_takes_no_step_even_on_a_line_at_zero() {
        assert_eq!(step_over_area(0.0, 0.0, 0.0), 0.0);
        assert_eq!(step_over_area(0.0, 2.0, -1.0), 0.0);
    }

    #[test]
    fn a_line_at_zero_never_covers_an_area() {
        assert_eq!(step_over_area(0.0, 0.0, 1.0), f64::INFINITY);
    }

    #[test]
    fn the_step_keeps_its_digits_where_the_textbook_root_cancels() {
        // v² swamps 2kr: (−v + √(v² + 2kr))/k returns 0 here.
        let (v, k, r) = (1.0e9, 1.0, 1.0e-9);
        let x = step_over_area(v, k, r);
        assert!((x - 1.0e-18).abs() < 1.0e-33, "{x}");
    }

    #[test]
    fn the_step_covers_the_area_for_a_sweep_of_scales() {
        for i in -6..=6 {
            for j in -6..=6 {
                let (v, k, r) = (10f64.powi(i), 10f64.powi(j), 0.37);
                let x = step_over_area(v, k, r);
                assert!((v * x + 0.5 * k * x * x - r).abs() < 1e-15, "{v} {k}: {x}");
            }
        }
    }
}
