//! Friction at contacts that rest: forces within their cones, and whether they hold.
//!
//! Normal forces are given, so Coulomb's law is the optimality of a convex problem,
//!
//! ```text
//! minimise ½ fᵀWf + bᵀf   over   |f_i| <= r_i,      r_i = μ_i F_i
//! ```
//!
//! whose acceleration `a = Wf + b` is unique: `a_i = 0`, or `|f_i| = r_i` and `f_i` opposes `a_i`.

use super::problem::PathImpact;

/// One contact of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resting {
    pub(super) contact: usize,
    /// Size of its cone; infinite where it is known to hold.
    pub(super) radius: f64,
    /// Acceleration without the forces sought.
    pub(super) b: [f64; 2],
    /// The force.
    pub(super) f: [f64; 2],
    /// The acceleration with it.
    pub(super) a: [f64; 2],
}

/// Sweeps over the contacts after which the forces are taken as they are.
const SWEEPS: usize = 3000;

/// A change of all forces below this part of their size ends the sweeps.
const SETTLED: f64 = 1e-15;

/// Solves one contact after another until nothing changes.
pub(super) fn settle(impact: &PathImpact, all: &mut [Resting]) {
    for _ in 0..SWEEPS {
        let (mut change, mut size) = (0.0f64, 0.0f64);
        for i in 0..all.len() {
            let b = pushed(impact, all, i, true);
            let own = own_block(impact, all[i].contact);
            let f = least(own, b, all[i].radius);
            change = change.max(distance(f, all[i].f));
            size = size.max(length(f));
            all[i].f = f;
        }
        if change <= SETTLED * size {
            break;
        }
    }
    for i in 0..all.len() {
        all[i].a = pushed(impact, all, i, false);
    }
}

/// Acceleration of a contact by all forces, without its own or with it.
fn pushed(impact: &PathImpact, all: &[Resting], i: usize, is_without: bool) -> [f64; 2] {
    let mut b = all[i].b;
    for (j, other) in all.iter().enumerate() {
        if is_without && j == i {
            continue;
        }
        let rows = impact.span(all[i].contact).skip(1);
        for (k, row) in rows.enumerate() {
            for (l, column) in impact.span(other.contact).skip(1).enumerate() {
                b[k] += impact.w[row * impact.rows() + column] * other.f[l];
            }
        }
    }
    b
}

/// `(W_11, W_12, W_22)` of the tangents of a contact; in the plane the second is never moved.
fn own_block(impact: &PathImpact, contact: usize) -> [f64; 3] {
    let (start, n) = (impact.starts[contact] + 1, impact.rows());
    let w = |k: usize, l: usize| impact.w[(start + k) * n + start + l];
    match impact.contacts[contact].tangents {
        1 => [w(0, 0), 0.0, w(0, 0)],
        _ => [w(0, 0), w(0, 1), w(1, 1)],
    }
}

fn length(x: [f64; 2]) -> f64 {
    x[0].hypot(x[1])
}

fn distance(x: [f64; 2], y: [f64; 2]) -> f64 {
    length([x[0] - y[0], x[1] - y[1]])
}

/// An eigenvalue below this part of the other is zero.
const FLAT: f64 = 1e-13;

/// `−(W + ρ)⁻¹ b` with the least `ρ >= 0` that brings it into the circle.
fn least([w_11, w_12, w_22]: [f64; 3], b: [f64; 2], radius: f64) -> [f64; 2] {
    if length(b) == 0.0 || radius == 0.0 {
        return [0.0; 2];
    }
    let half = 0.5 * (w_11 - w_22);
    let spread = half.hypot(w_12);
    let mean = 0.5 * (w_11 + w_22);
    let angle = 0.5 * w_12.atan2(half);
    let (s, c) = angle.sin_cos();
    let high = mean + spread;
    let low = (mean - spread).max(0.0);
    let along = [c * b[0] + s * b[1], c * b[1] - s * b[0]];
    let back = |g: [f64; 2]| [-(c * g[0] - s * g[1]), -(s * g[0] + c * g[1])];
    let is_flat = low <= FLAT * high;
    let part = |x: f64, w: f64| if x == 0.0 { 0.0 } else { x / w };
    let inside = match (high > 0.0, is_flat) {
        (false, _) => [0.0, 0.0],
        (true, true) => [along[0] / high, 0.0],
        (true, false) => [along[0] / high, along[1] / low],
    };
    if length(inside) <= radius {
        let is_open = is_flat && (high == 0.0 || along[1].abs() > FLAT * length(along));
        if !is_open || radius.is_infinite() {
            return back(inside);
        }
    }
    // 1/|g(ρ)| is concave and nearly straight: Newton from the left never passes the root.
    let mut rho = (length(b) / radius - high).max(0.0);
    for _ in 0..100 {
        let g = [part(along[0], high + rho), part(along[1], low + rho)];
        let size = length(g);
        if !size.is_finite() {
            rho = length(b) / radius;
            continue;
        }
        let slope = g[0] * g[0] / (high + rho) + g[1] * g[1] / (low + rho);
        let step = size * size / slope * (size - radius) / radius;
        if !(step.abs() > f64::EPSILON * (high + rho)) {
            break;
        }
        rho = (rho + step).max(0.0);
    }
    let g = [part(along[0], high + rho), part(along[1], low + rho)];
    let shrink = radius / length(g);
    back([g[0] * shrink, g[1] * shrink])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_on_the_cone_opposes_the_acceleration_it_leaves() {
        let w = [2.0, 0.7, 1.1];
        for k in 0..40 {
            let (s, c) = (0.157 * f64::from(k)).sin_cos();
            let b = [1.3 * c, 1.3 * s];
            let f = least(w, b, 0.2);
            assert!((length(f) - 0.2).abs() < 1e-15);
            let a = [
                b[0] + w[0] * f[0] + w[1] * f[1],
                b[1] + w[1] * f[0] + w[2] * f[1],
            ];
            assert!((a[0] * f[1] - a[1] * f[0]).abs() < 1e-14, "{a:?} {f:?}");
            assert!(a[0] * f[0] + a[1] * f[1] < 0.0);
            let held = least(w, b, 10.0);
            assert!((b[0] + w[0] * held[0] + w[1] * held[1]).abs() < 1e-14);
        }
    }
}
