//! Positive roots of a quartic.

use carom_numeric::root::bracketed;

/// At most four numbers, in order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Roots {
    list: [f64; 4],
    len: usize,
}

impl Roots {
    fn push(&mut self, root: f64) {
        let is_new = self.len == 0 || self.list[self.len - 1] < root;
        if is_new && self.len < self.list.len() {
            self.list[self.len] = root;
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        self.list[..self.len].iter().copied()
    }
}

/// The roots `>= 0` of `Σ a_k x^k` with `a_4 = 1`: between neighbouring roots of its derivative a
/// polynomial is monotone, and so on down to a line.
pub(super) fn positive_roots(a: [f64; 5]) -> Roots {
    let most = a[..4].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let bound = 1.0 + most; // Cauchy
    if !bound.is_finite() {
        return Roots::default();
    }
    let mut stops = Roots::default();
    for degree in 1..=4 {
        // The derivative of the order that has this degree.
        let mut c = a;
        for _ in degree..4 {
            for k in 1..5 {
                c[k - 1] = k as f64 * c[k];
            }
            c[4] = 0.0;
        }
        let value = |x: f64| c.iter().rev().fold(0.0, |sum, a| sum * x + a);
        let mut found = Roots::default();
        let mut from = 0.0;
        for to in stops.iter().chain(std::iter::once(bound)) {
            if let Some(root) = bracketed(value, from, to) {
                found.push(root);
            }
            from = to;
        }
        stops = found;
    }
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_below_zero_are_left_out_and_the_others_come_in_order() {
        // (x − 1)(x − 2)(x − 3)(x + 4)
        let roots = positive_roots([-24.0, 38.0, -13.0, -2.0, 1.0]);
        let found: Vec<f64> = roots.iter().collect();
        assert_eq!(found.len(), 3, "{found:?}");
        for (root, wanted) in found.iter().zip([1.0, 2.0, 3.0]) {
            assert!((root - wanted).abs() < 1e-13, "{found:?}");
        }
    }

    #[test]
    fn a_quartic_that_is_positive_has_none() {
        assert_eq!(positive_roots([1.0, 0.0, 1.0, 0.0, 1.0]).iter().count(), 0);
    }
}
