//! How near is near enough, and derivatives by differences.

/// The largest of some magnitudes.
pub fn largest(terms: &[f64]) -> f64 {
    terms.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// `found` meets `wanted` within `bound`.
#[track_caller]
pub fn assert_close(what: &str, found: f64, wanted: f64, bound: f64) {
    let miss = (found - wanted).abs();
    assert!(
        miss <= bound,
        "{what}: {found:e} for {wanted:e}, off by {miss:e}, allowed {bound:e}"
    );
}

/// `found` meets `wanted` within `tolerance` of its size, at least of one.
#[track_caller]
pub fn assert_near(what: &str, found: f64, wanted: f64, tolerance: f64) {
    assert_close(what, found, wanted, tolerance * wanted.abs().max(1.0));
}

/// Number by number, [`assert_near`].
#[track_caller]
pub fn assert_all_near(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(
        found.len(),
        wanted.len(),
        "{what}: {found:?} for {wanted:?}"
    );
    for (a, b) in found.iter().zip(wanted) {
        assert_near(what, *a, *b, tolerance);
    }
}

/// Largest difference of two lists over the largest number in them, 1 at least.
#[track_caller]
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().chain(b).all(|x| x.is_finite()), "{a:?} {b:?}");
    let scale = a.iter().chain(b).fold(1.0, |s: f64, x| s.max(x.abs()));
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, f64::max) / scale
}

/// Derivative at zero by central differences, extrapolated twice: errors of order h⁶.
pub fn derivative(mut f: impl FnMut(f64) -> f64, h: f64) -> f64 {
    let mut central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let (a, b, c) = (central(h), central(0.5 * h), central(0.25 * h));
    let (ab, bc) = (b + (b - a) / 3.0, c + (c - b) / 3.0);
    bc + (bc - ab) / 15.0
}

/// Derivative at zero by central differences extrapolated to order h⁸, with the change that the last
/// extrapolation made: how far it can be trusted.
pub fn derivative_with_doubt(mut f: impl FnMut(f64) -> f64, h: f64) -> (f64, f64) {
    let mut row = [1.0, 0.5, 0.25, 0.125].map(|part| {
        let h = part * h;
        (f(h) - f(-h)) / (2.0 * h)
    });
    let (mut order, mut last) = (4.0, row[3]);
    for k in (1..row.len()).rev() {
        last = row[k];
        for i in 0..k {
            row[i] = row[i + 1] + (row[i + 1] - row[i]) / (order - 1.0);
        }
        order *= 4.0;
    }
    (row[0], (row[0] - last).abs())
}
