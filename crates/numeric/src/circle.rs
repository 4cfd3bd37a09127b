//! Directions in which a trigonometric polynomial of the second degree vanishes.

use crate::root::bracketed;

/// `T(φ) = c₀ + c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CirclePolynomial {
    /// c₀.
    pub c0: f64,
    /// c₁.
    pub c1: f64,
    /// s₁.
    pub s1: f64,
    /// c₂.
    pub c2: f64,
    /// s₂.
    pub s2: f64,
}

/// Where a polynomial on the circle vanishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CircleRoots {
    /// Everywhere: all coefficients are zero, or one is not a number.
    Everywhere,
    /// In so many directions, at most four; a double one counts once. The others are not set.
    Angles([f64; 4], usize),
}

impl CircleRoots {
    /// The angles, none where it vanishes everywhere.
    pub fn angles(&self) -> &[f64] {
        match self {
            Self::Everywhere => &[],
            Self::Angles(angles, count) => &angles[..*count],
        }
    }
}

impl CirclePolynomial {
    /// A value below this fraction of its terms is a zero, where the slope vanishes too.
    pub const DOUBLE: f64 = 64.0 * f64::EPSILON;

    /// Steps of Newton's method on the circle after the quartic.
    const POLISH: usize = 3;

    /// The value at an angle.
    pub fn value(&self, angle: f64) -> f64 {
        let (s, c) = angle.sin_cos();
        let (cos2, sin2) = (c * c - s * s, 2.0 * s * c);
        self.c0 + self.c1 * c + self.s1 * s + self.c2 * cos2 + self.s2 * sin2
    }

    /// The derivative at an angle.
    pub fn slope(&self, angle: f64) -> f64 {
        let (s, c) = angle.sin_cos();
        let (cos2, sin2) = (c * c - s * s, 2.0 * s * c);
        self.s1 * c - self.c1 * s + 2.0 * (self.s2 * cos2 - self.c2 * sin2)
    }

    /// Every direction in which it vanishes.
    ///
    /// With `t = tan(θ/2)` from where the polynomial is largest it is a quartic whose leading
    /// coefficient is its largest value: all roots are of moderate size, and those of the derivatives
    /// keep them apart.
    pub fn roots(&self) -> CircleRoots {
        let step = std::f64::consts::TAU / 16.0;
        let samples = (0..16).map(|i| f64::from(i) * step);
        let larger = |a: f64, b: f64| {
            if self.value(b).abs() > self.value(a).abs() {
                b
            } else {
                a
            }
        };
        let pole = samples.fold(0.0, larger);
        if !(self.value(pole).abs() > 0.0) {
            return CircleRoots::Everywhere;
        }
        let from = pole + std::f64::consts::PI;
        let turned = self.turned(from);
        let quartic = turned.quartic();
        if quartic.iter().any(|x| !x.is_finite()) {
            return CircleRoots::Everywhere;
        }
        let (mut roots, count) = quartic_roots(&quartic);
        for root in &mut roots[..count] {
            *root = self.polished(from + 2.0 * root.atan());
        }
        CircleRoots::Angles(roots, count)
    }

    /// The same with angles counted from `from`.
    fn turned(&self, from: f64) -> Self {
        let ((s, c), (sin2, cos2)) = (from.sin_cos(), (2.0 * from).sin_cos());
        Self {
            c0: self.c0,
            c1: self.c1 * c + self.s1 * s,
            s1: self.s1 * c - self.c1 * s,
            c2: self.c2 * cos2 + self.s2 * sin2,
            s2: self.s2 * cos2 - self.c2 * sin2,
        }
    }

    /// `T (1 + t²)²` by powers of `t = tan(φ/2)`, from the constant up.
    fn quartic(&self) -> [f64; 5] {
        let Self { c0, c1, s1, c2, s2 } = *self;
        [
            c0 + c1 + c2,
            2.0 * s1 + 4.0 * s2,
            2.0 * c0 - 6.0 * c2,
            2.0 * s1 - 4.0 * s2,
            c0 - c1 + c2,
        ]
    }

    /// Newton steps as long as they bring the value down.
    fn polished(&self, start: f64) -> f64 {
        let (mut angle, mut value) = (start, self.value(start));
        for _ in 0..Self::POLISH {
            let next = angle - value / self.slope(angle);
            let at_next = self.value(next);
            if !(at_next.abs() < value.abs()) {
                break;
            }
            (angle, value) = (next, at_next);
        }
        angle
    }
}

/// Real roots of a quartic given from the constant up, its leading coefficient not zero.
///
/// The roots of each derivative separate those of the one above: between neighbours a sign change is
/// bracketed, and a critical point without value is a double root.
fn quartic_roots(quartic: &[f64; 5]) -> ([f64; 4], usize) {
    let (mut known, mut count) = ([0.0; 4], 0);
    for degree in 1..=4 {
        let derivative = derivative_of_degree(quartic, degree);
        (known, count) = climb(&derivative[..=degree], &known[..count]);
    }
    (known, count)
}

/// The derivative of a quartic that has this degree, up to a factor.
fn derivative_of_degree(quartic: &[f64; 5], degree: usize) -> [f64; 5] {
    let mut p = *quartic;
    for top in (degree + 1..=4).rev() {
        for i in 0..top {
            p[i] = p[i + 1] * (i + 1) as f64 / top as f64;
        }
        p[top] = 0.0;
    }
    p
}

/// Roots of a polynomial between the roots of its derivative.
fn climb(p: &[f64], critical: &[f64]) -> ([f64; 4], usize) {
    let value = |t: f64| p.iter().rev().fold(0.0, |sum, a| sum * t + a);
    // The coefficients are sums of each other's size.
    let size: f64 = p.iter().map(|a| a.abs()).sum();
    let terms = |t: f64| size * t.abs().max(1.0).powi(p.len() as i32 - 1);
    let (mut roots, mut count) = ([0.0; 4], 0);
    let top = p.len() - 1;
    let ratios = p[..top].iter().map(|a| (a / p[top]).abs());
    let bound = 1.0 + ratios.fold(0.0, f64::max);
    let (mut left, mut is_zero_left) = (-bound, false);
    let ends = critical.iter().copied().chain([bound]).enumerate();
    for (i, right) in ends {
        let is_critical = i < critical.len();
        let is_zero = is_critical && value(right).abs() <= CirclePolynomial::DOUBLE * terms(right);
        let between = match is_zero || is_zero_left {
            true => None,
            false => bracketed(value, left, right),
        };
        let found = if is_zero { Some(right) } else { between };
        if let Some(root) = found.filter(|_| count < 4) {
            roots[count] = root;
            count += 1;
        }
        (left, is_zero_left) = (right, is_zero);
    }
    (roots, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(angle: f64) -> f64 {
        angle.rem_euclid(std::f64::consts::TAU)
    }

    #[test]
    fn every_sign_change_around_the_circle_is_a_root() {
        let mut rng = fastrand::Rng::with_seed(41);
        let mut counts = [0; 5];
        for _ in 0..3000 {
            let mut draw = || rng.f64() - 0.5;
            let p = CirclePolynomial {
                c0: draw(),
                c1: draw(),
                s1: draw(),
                c2: draw(),
                s2: draw(),
            };
            let roots = p.roots();
            for angle in roots.angles() {
                assert!(p.value(*angle).abs() < 1e-14, "{p:?} {angle}");
            }
            let n = 2000;
            let at = |i: u32| p.value(f64::from(i) * std::f64::consts::TAU / f64::from(n));
            let changes = (0..n).filter(|i| at(*i) * at(i + 1) < 0.0).count();
            assert!(roots.angles().len() >= changes, "{p:?}");
            counts[roots.angles().len()] += 1;
        }
        assert!(
            counts[0] > 50 && counts[2] > 50 && counts[4] > 50,
            "{counts:?}"
        );
    }

    #[test]
    fn the_double_angle_has_four_roots_and_a_touching_one_counts_once() {
        let four = CirclePolynomial {
            c2: 1.0,
            ..Default::default()
        };
        assert_eq!(four.roots().angles().len(), 4);
        let touching = CirclePolynomial {
            c0: 1.0,
            c1: -1.0,
            ..Default::default()
        };
        let roots = touching.roots();
        assert_eq!(roots.angles().len(), 1);
        let angle = turn(roots.angles()[0] + 1.0) - 1.0;
        assert!(angle.abs() < 1e-7, "{angle}");
        assert_eq!(CirclePolynomial::default().roots(), CircleRoots::Everywhere);
    }
}
