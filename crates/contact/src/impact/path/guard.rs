//! Where a power series that must not be negative becomes so.

use carom_numeric::root::bracketed;

use super::series::{Coefficients, ORDER};

/// Where a quantity leaves what it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Crossing {
    /// Not on this step.
    Never,
    /// It is zero at the start and falls.
    AtStart,
    /// Here, in the variable of the series.
    At(f64),
}

/// Halvings of the step after which a root is a point.
const HALVINGS: usize = 48;

/// The first place in `(0, rho]` where `c` falls below zero. Coefficients whose term on the step is below `noise`
/// are zero at the start.
pub(super) fn first_crossing(c: &Coefficients, rho: f64, noise: f64) -> Crossing {
    let mut a = *c;
    let mut power = 1.0;
    for x in &mut a {
        *x *= power;
        power *= rho;
    }
    let Some(lead) = a.iter().position(|x| x.abs() > noise) else {
        return Crossing::Never;
    };
    if a[lead] < 0.0 {
        return Crossing::AtStart;
    }
    let q = &a[lead..];
    let rest: f64 = q[1..].iter().map(|x| x.min(0.0)).sum();
    if q[0] + rest > 0.0 {
        return Crossing::Never;
    }
    match first_root(q) {
        Some(part) => Crossing::At(part * rho),
        None => Crossing::Never,
    }
}

/// Value of a polynomial.
pub(super) fn value(q: &[f64], x: f64) -> f64 {
    q.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// The first root of a polynomial in `(0, 1]` that is positive at 0: Bernstein's form is halved, left first, until
/// it has one change of sign.
fn first_root(q: &[f64]) -> Option<f64> {
    let mut left_to_do = vec![(bernstein(q), 0.0, 1.0, 0)];
    while let Some((b, from, to, depth)) = left_to_do.pop() {
        let changes = b
            .windows(2)
            .filter(|p| (p[0] > 0.0) != (p[1] > 0.0))
            .count();
        if changes == 0 {
            if b[0] <= 0.0 {
                return Some(from);
            }
            continue;
        }
        if depth >= HALVINGS {
            return Some(from);
        }
        if changes == 1 && value(q, from) > 0.0 && value(q, to) <= 0.0 {
            return bracketed(|x| value(q, x), from, to).or(Some(to));
        }
        let (left, right) = halves(&b);
        let middle = 0.5 * (from + to);
        left_to_do.push((right, middle, to, depth + 1));
        left_to_do.push((left, from, middle, depth + 1));
    }
    None
}

/// Coefficients in Bernstein's form on [0, 1].
fn bernstein(q: &[f64]) -> Vec<f64> {
    let n = q.len() - 1;
    // b_j = Σ_m C(j, m)/C(n, m) q_m
    let one = |j: usize| {
        let mut ratio = 1.0;
        let mut sum = q[0];
        for m in 1..=j {
            ratio *= (j + 1 - m) as f64 / (n + 1 - m) as f64;
            sum += ratio * q[m];
        }
        sum
    };
    (0..=n).map(one).collect()
}

/// Both halves of a form, by de Casteljau.
fn halves(b: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut row = b.to_vec();
    let mut left = Vec::with_capacity(b.len());
    let mut right = Vec::with_capacity(b.len());
    while !row.is_empty() {
        left.push(row[0]);
        right.push(row[row.len() - 1]);
        for j in 1..row.len() {
            row[j - 1] = 0.5 * (row[j - 1] + row[j]);
        }
        row.pop();
    }
    right.reverse();
    (left, right)
}

/// `a b` to the order of the series.
pub(super) fn product(a: &Coefficients, b: &Coefficients) -> Coefficients {
    let mut out = [0.0; ORDER + 1];
    for (m, sum) in out.iter_mut().enumerate() {
        *sum = (0..=m).map(|j| a[j] * b[m - j]).sum();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(low: &[f64]) -> Coefficients {
        let mut c = [0.0; ORDER + 1];
        c[..low.len()].copy_from_slice(low);
        c
    }

    #[test]
    fn the_first_of_several_roots_is_found_and_a_touch_is_none() {
        // (x − 0.3)(x − 0.5)(x − 0.9) is negative at first: its opposite is asked.
        let three = series(&[0.135, -0.87, 1.7, -1.0]);
        match first_crossing(&three, 1.0, 1e-15) {
            Crossing::At(x) => assert!((x - 0.3).abs() < 1e-15, "{x}"),
            other => panic!("{other:?}"),
        }
        let above = series(&[0.25 + 1e-6, -1.0, 1.0]);
        assert_eq!(first_crossing(&above, 1.0, 1e-15), Crossing::Never);
        assert_eq!(first_crossing(&three, 0.2, 1e-15), Crossing::Never);
    }

    #[test]
    fn what_starts_at_zero_is_judged_by_its_first_term() {
        assert_eq!(
            first_crossing(&series(&[1e-17, -1.0]), 1.0, 1e-15),
            Crossing::AtStart
        );
        match first_crossing(&series(&[0.0, 1.0, -2.0]), 1.0, 1e-15) {
            Crossing::At(x) => assert!((x - 0.5).abs() < 1e-15),
            other => panic!("{other:?}"),
        }
        assert_eq!(first_crossing(&series(&[]), 1.0, 1e-15), Crossing::Never);
    }
}
