//! The friction forces that keep contacts from slipping.

use carom_numeric::Lu;

use super::problem::PathImpact;

/// Eigenvalues of the scaled matrix below this part of the largest are zero: rows move together.
const DEPENDENT: f64 = 1e-11;

/// Rounds of rotations after which an eigenvalue problem is solved for certain.
const ROUNDS: usize = 60;

/// The rows that must not move, and the forces along them per acceleration to be undone.
#[derive(Debug, Clone, Default)]
pub(super) struct Hold {
    pub(super) rows: Vec<usize>,
    /// Inverse of W over those rows, by columns: of all forces the least `Σ g_i W_ii f_i²`.
    inverse: Vec<f64>,
    /// Forces that move nothing, in units of `scales`.
    idle: Vec<f64>,
    scales: Vec<f64>,
}

impl Hold {
    /// Of contacts with the weights of the list.
    pub(super) fn of(impact: &PathImpact, contacts: &[usize], weights: &[f64]) -> Self {
        let tangents = |i: &usize| impact.span(*i).skip(1);
        let rows: Vec<usize> = contacts.iter().flat_map(tangents).collect();
        let n = rows.len();
        let total = impact.rows();
        let w = |a: usize, b: usize| impact.w[rows[a] * total + rows[b]];
        // Both rows of a contact are scaled alike: its tangents may be turned.
        let size = |i: &usize| {
            let span = impact.span(*i).skip(1);
            let trace: f64 = span.map(|r| impact.w[r * total + r]).sum();
            let scale = if trace > 0.0 {
                trace.sqrt().recip()
            } else {
                0.0
            };
            vec![scale; impact.contacts[*i].tangents]
        };
        let scales: Vec<f64> = contacts.iter().flat_map(size).collect();
        let mut matrix = vec![0.0; n * n];
        for a in 0..n {
            for b in 0..n {
                matrix[a * n + b] = w(a, b) * scales[a] * scales[b];
            }
        }
        let (mut inverse, idle) = pseudo_inverse(matrix, n);
        if let Some(sharing) = Sharing::of(&idle, &each_row(impact, contacts, weights)) {
            let columns = inverse.chunks_exact_mut(n);
            columns.for_each(|column| sharing.apply(column));
        }
        let scaled = inverse.iter_mut().enumerate();
        scaled.for_each(|(k, x)| *x *= scales[k / n.max(1)] * scales[k % n.max(1)]);
        Self {
            inverse,
            idle,
            scales,
            rows,
        }
    }

    /// The force along row `a` of the list that undoes the accelerations.
    pub(super) fn force(&self, a: usize, accelerations: &[f64]) -> f64 {
        let n = self.rows.len();
        let row = self.inverse.iter().skip(a).step_by(n);
        -row.zip(accelerations).map(|(x, y)| x * y).sum::<f64>()
    }

    /// Whether some forces move nothing.
    pub(super) fn is_shared(&self) -> bool {
        !self.idle.is_empty()
    }

    /// Forces along the rows that move as much and are least by other weights, one for each row.
    pub(super) fn shared(&self, forces: &[f64], weights: &[f64]) -> Vec<f64> {
        let scaled = forces.iter().zip(&self.scales);
        let scaled = scaled.map(|(f, scale)| if *scale > 0.0 { f / scale } else { 0.0 });
        let mut shared: Vec<f64> = scaled.collect();
        if let Some(sharing) = Sharing::of(&self.idle, weights) {
            sharing.apply(&mut shared);
        }
        let scaled = shared.iter_mut().zip(&self.scales);
        scaled.for_each(|(f, scale)| *f *= scale);
        shared
    }
}

/// The weight of each contact for each of its tangents.
pub(super) fn each_row(impact: &PathImpact, contacts: &[usize], weights: &[f64]) -> Vec<f64> {
    let each = contacts.iter().zip(weights);
    let each = each.flat_map(|(i, weight)| vec![*weight; impact.contacts[*i].tangents]);
    each.collect()
}

/// Shares forces anew: takes off them what they have along those that move nothing, N, by the weights G. The rest is
/// least by these.
///
/// ```text
/// f − N (Nᵀ G N)⁻¹ Nᵀ G f
/// ```
///
/// Which forces move nothing is known before the weights are, and these may differ as much as loads do.
struct Sharing<'a> {
    idle: &'a [f64],
    weights: &'a [f64],
    lu: Lu,
}

impl<'a> Sharing<'a> {
    /// None where nothing is shared.
    fn of(idle: &'a [f64], weights: &'a [f64]) -> Option<Self> {
        let n = weights.len();
        let k = idle.len() / n.max(1);
        let element = |a: usize, b: usize| {
            let terms = (0..n).map(|r| idle[a * n + r] * weights[r] * idle[b * n + r]);
            terms.sum::<f64>()
        };
        let pairs = (0..k).flat_map(|a| (0..k).map(move |b| (a, b)));
        let matrix: Vec<f64> = pairs.map(|(a, b)| element(a, b)).collect();
        let mut lu = Lu::new();
        (k > 0 && lu.factor(&matrix, k)).then_some(Self { idle, weights, lu })
    }

    fn apply(&self, forces: &mut [f64]) {
        let n = forces.len();
        let weighed = || forces.iter().zip(self.weights).map(|(f, g)| f * g);
        let along = |idle: &[f64]| idle.iter().zip(weighed()).map(|(x, f)| x * f).sum();
        let right: Vec<f64> = self.idle.chunks_exact(n).map(along).collect();
        let mut parts = vec![0.0; right.len()];
        self.lu.solve(&right, &mut parts);
        for (idle, part) in self.idle.chunks_exact(n).zip(parts) {
            forces
                .iter_mut()
                .zip(idle)
                .for_each(|(f, x)| *f -= part * x);
        }
    }
}

/// Pseudo-inverse of a symmetric semidefinite matrix, and its null vectors one after another, by Jacobi's rotations.
fn pseudo_inverse(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut q = vec![0.0; n * n];
    (0..n).for_each(|i| q[i * n + i] = 1.0);
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for i in 0..n {
            for j in 0..i {
                is_done &= !rotate(&mut a, &mut q, n, [i, j]);
            }
        }
        if is_done {
            break;
        }
    }
    let largest = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
    let (kept, idle): (Vec<usize>, Vec<usize>) =
        (0..n).partition(|i| a[i * n + i] > DEPENDENT * largest);
    let mut inverse = vec![0.0; n * n];
    for &k in &kept {
        let value = a[k * n + k];
        for i in 0..n {
            for j in 0..n {
                inverse[i * n + j] += q[i * n + k] * q[j * n + k] / value;
            }
        }
    }
    let q = &q;
    let idle = idle.iter().flat_map(|k| (0..n).map(move |i| q[i * n + k]));
    (inverse, idle.collect())
}

/// Makes one element zero; whether it was not.
fn rotate(a: &mut [f64], q: &mut [f64], n: usize, [i, j]: [usize; 2]) -> bool {
    let off = a[i * n + j];
    let size = (a[i * n + i].abs() * a[j * n + j].abs()).sqrt();
    if off == 0.0 || off.abs() <= f64::EPSILON * 0.25 * size || off.abs() < f64::MIN_POSITIVE {
        return false;
    }
    let theta = (a[j * n + j] - a[i * n + i]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = (t * t + 1.0).sqrt().recip();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + i], a[k * n + j]);
        a[k * n + i] = c * x - s * y;
        a[k * n + j] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[i * n + k], a[j * n + k]);
        a[i * n + k] = c * x - s * y;
        a[j * n + k] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (q[k * n + i], q[k * n + j]);
        q[k * n + i] = c * x - s * y;
        q[k * n + j] = s * x + c * y;
    }
    true
}
