//! What can be proved about other answers.

use carom_numeric::orthogonal::length;
use carom_numeric::singular::singular_values;
use carom_numeric::{Cholesky, CompleteOrthogonal, dot};

use super::alone::OneContact;
use super::problem::ConeContact;
use super::residual::residual;
use super::scene::Scene;
use super::solver::ConeSolver;

/// Whether something is the same in every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Proved: it is.
    Unique,
    /// Another answer was found: it is not.
    Several,
    /// Neither was shown.
    Undecided,
}

impl Verdict {
    /// Without a proof of uniqueness.
    pub(super) fn weakened(self) -> Self {
        match self {
            Self::Unique => Self::Undecided,
            other => other,
        }
    }
}

/// What was proved about the answers of a cone problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ConeUniqueness {
    /// Of the velocities.
    pub velocity: Verdict,
    /// Of the impulses.
    pub impulse: Verdict,
    /// Below one the answer is unique (see [`ConeSolver::uniqueness`]); none where W is singular.
    pub bound: Option<f64>,
    /// Another answer minus the one given, where one was found (N·s).
    pub other: Option<Vec<f64>>,
}

/// W is regular only if its factors lose fewer digits than this: the proof rests on `W⁻¹`.
const LOSS: f64 = 1e4;

/// A bound this close to one proves nothing.
const MARGIN: f64 = 1e-6;

/// Singular values of the generalised Jacobian below this are looked at; what is claimed of them is
/// checked by another answer.
const SOFT: f64 = 1e-9;

/// `|W z|` below this part of `|z|`, with W of mean diagonal one: z moves nothing.
const STILL: f64 = 1e-13;

/// Another answer has a residual below this, beside one and the size of its impulses,
const MET: f64 = 1e-13;

/// and lies at least so far from the first: seven digits and more above its residual.
const APART: f64 = 1e-6;

/// Directions of a null space that are followed.
const DIRECTIONS: usize = 6;

impl ConeSolver {
    /// What can be proved about the answers of the problem that was solved last.
    ///
    /// Two answers that differ by x in their impulses and `y = W x` in their velocities satisfy
    /// `xᵀWx <= Σ μ_i |x_ni| |y_ti|`. The functionals x_n and y_t are orthogonal in the metric of W, so
    /// that for regular W, with the diagonal matrix D of the μ_i (or their roots on both sides),
    ///
    /// ```text
    /// bound² = λmax(D (W⁻¹)_NN D) λmax(W_TT) / 4 < 1    proves one answer.
    /// ```
    ///
    /// Without friction velocities are unique. Otherwise the null space of the generalised Jacobian is
    /// followed: a vector z with `W z = 0` along which the answer stays one shows other impulses, a
    /// second answer found beside the first with another velocity shows those. Where nothing is shown
    /// nothing is claimed. One contact alone is answered by all its answers.
    pub fn uniqueness(&mut self) -> ConeUniqueness {
        let mut found = ConeUniqueness {
            velocity: Verdict::Undecided,
            impulse: Verdict::Undecided,
            bound: None,
            other: None,
        };
        if self.scene.n == 0 || !self.is_solved() {
            return found;
        }
        found.bound = bound(&self.scene);
        if found.bound.is_some_and(|bound| bound < 1.0 - MARGIN) {
            (found.velocity, found.impulse) = (Verdict::Unique, Verdict::Unique);
            return found;
        }
        let is_smooth = |law: &ConeContact| law.mu == 0.0;
        if self.scene.pivots.is_empty() && self.scene.contacts.iter().all(is_smooth) {
            found.velocity = Verdict::Unique;
        }
        if !self.look_alone(&mut found) {
            self.look_along_null_space(&mut found);
        }
        found
    }

    /// One contact without a floor: all its answers. Whether they settle it.
    fn look_alone(&self, found: &mut ConeUniqueness) -> bool {
        let scene = &self.scene;
        let [law] = &scene.contacts[..] else {
            return false;
        };
        if law.floor > 0.0 || law.slip.is_some() || !scene.pivots.is_empty() {
            return false;
        }
        let w = [0, 1, 2].map(|a| [0, 1, 2].map(|b| scene.w[3 * a + b]));
        let d = [scene.q[0], scene.q[1], scene.q[2]];
        let (mu_s, mu_d) = (law.mu, law.mu);
        let all = OneContact { w, d, mu_s, mu_d }.answers();
        if !all.is_clear {
            return false;
        }
        let verdict = match all.answers.len() {
            1 => Verdict::Unique,
            _ => Verdict::Several,
        };
        (found.velocity, found.impulse) = (verdict, verdict);
        let away = |force: &[f64; 3]| -> f64 {
            let apart = force.iter().zip(&self.r).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f64::max)
        };
        let forces = all.answers.iter().map(|a| a.force);
        let far = forces.reduce(|a, b| if away(&b) > away(&a) { b } else { a });
        if verdict == Verdict::Several {
            found.other = far.map(|force| self.difference(&force));
        }
        true
    }

    /// Another scaled answer minus the one given, in the units given.
    fn difference(&self, other: &[f64]) -> Vec<f64> {
        let pairs = other.iter().zip(&self.r);
        pairs
            .map(|(a, b)| (a - b) * self.scene.impulse_unit)
            .collect()
    }

    /// Follows null vectors of the generalised Jacobian to other answers.
    fn look_along_null_space(&mut self, found: &mut ConeUniqueness) {
        let n = self.scene.n;
        let mut by_columns = vec![0.0; n * n];
        for (i, row) in self.jacobian().chunks_exact(n).enumerate() {
            row.iter()
                .enumerate()
                .for_each(|(j, x)| by_columns[j * n + i] = *x);
        }
        let (mut factor, mut null) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose_to(SOFT, &by_columns, n, n);
        factor.null_space(&mut null);
        let moved: Vec<f64> = null.chunks_exact(n).flat_map(|z| self.moved(z)).collect();
        for z in still(&null, &moved, n).chunks_exact(n).take(DIRECTIONS) {
            if let Some(other) = self.along_still(z) {
                found.impulse = Verdict::Several;
                found.other = Some(self.difference(&other));
                break;
            }
        }
        if found.velocity == Verdict::Unique {
            return;
        }
        let both = null.chunks_exact(n).zip(moved.chunks_exact(n));
        let moving = both.filter(|(_, w)| length(w) > SOFT).map(|(z, _)| z);
        for z in moving.take(DIRECTIONS) {
            if let Some(other) = self.along_moving(z) {
                (found.velocity, found.impulse) = (Verdict::Several, Verdict::Several);
                found.other = Some(self.difference(&other));
                return;
            }
        }
    }

    /// `W z`.
    fn moved(&self, z: &[f64]) -> Vec<f64> {
        (0..self.scene.n)
            .map(|i| dot(self.scene.row(i), z))
            .collect()
    }

    /// An answer along a vector that moves nothing.
    fn along_still(&self, z: &[f64]) -> Option<Vec<f64>> {
        if length(&self.moved(z)) > STILL * length(z) {
            return None;
        }
        let size = 1.0 + length(&self.r);
        let steps = [0.1, 0.01, 1e-3, 1e-4].into_iter().flat_map(|t| [t, -t]);
        let along = steps.map(|t| {
            let pairs = self.r.iter().zip(z);
            pairs.map(|(r, z)| r + t * size * z).collect::<Vec<f64>>()
        });
        let mut u = vec![0.0; z.len()];
        along.into_iter().find(|r| {
            self.scene.velocity(r, &mut u);
            residual(&self.scene, r, &u).natural <= MET * size
        })
    }

    /// An answer with another velocity, found from a point along a vector that moves something.
    fn along_moving(&mut self, z: &[f64]) -> Option<Vec<f64>> {
        let size = 1.0 + length(&self.r);
        for part in [0.1, -0.1, 0.01, -0.01, 1e-3, -1e-3] {
            let pairs = self.r.iter().zip(z);
            let start: Vec<f64> = pairs.map(|(r, z)| r + part * size * z).collect();
            let (other, u, miss) = self.answer_from(&start);
            let apart: Vec<f64> = u.iter().zip(&self.u).map(|(a, b)| a - b).collect();
            let is_met = miss <= MET * (1.0 + length(&other));
            if is_met && length(&apart) > APART {
                return Some(other);
            }
        }
        None
    }
}

/// Combinations of null vectors that W moves nowhere, one after another.
fn still(null: &[f64], moved: &[f64], n: usize) -> Vec<f64> {
    let count = null.len() / n;
    let mut columns = moved.to_vec();
    for column in columns.chunks_exact_mut(n) {
        if length(column) <= SOFT {
            column.fill(0.0);
        }
    }
    let (mut factor, mut parts) = (CompleteOrthogonal::new(), Vec::new());
    factor.decompose_to(SOFT, &columns, n, count);
    factor.null_space(&mut parts);
    let mut out = Vec::new();
    for part in parts.chunks_exact(count.max(1)) {
        let sum = |i: usize| (0..count).map(|c| part[c] * null[c * n + i]).sum::<f64>();
        out.extend((0..n).map(sum));
    }
    out
}

/// The bound of [`ConeSolver::uniqueness`] by the better of both weights; none where W is singular, or contacts
/// resist pivoting, for which it is not made.
fn bound(scene: &Scene) -> Option<f64> {
    if !scene.pivots.is_empty() {
        return None;
    }
    let (n, k) = (scene.n, scene.contacts.len());
    let mut factor = Cholesky::new();
    factor.factor(&scene.w, n).ok()?;
    if factor.loss() > LOSS {
        return None;
    }
    let weigh = |power: f64| {
        let mu = |i: usize| scene.contacts[i].mu.powf(power);
        let mut normals = vec![0.0; n * k];
        for (i, column) in normals.chunks_exact_mut(n).enumerate() {
            column[3 * i] = scene.contacts[i].mu / mu(i).max(f64::MIN_POSITIVE);
            factor.solve_lower(column);
        }
        let tangents: Vec<usize> = (0..n).filter(|i| i % 3 != 0).collect();
        let element = |i: &usize, j: &usize| mu(i / 3) * scene.w[i * n + j] * mu(j / 3);
        let mut w_tt: Vec<f64> = tangents
            .iter()
            .flat_map(|i| tangents.iter().map(move |j| element(i, j)))
            .collect();
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let inverse = most(singular_values(&mut normals, n));
        let along = most(singular_values(&mut w_tt, 2 * k));
        0.5 * inverse * along.sqrt()
    };
    let least = weigh(0.0).min(weigh(0.5));
    Some(least).filter(|x| x.is_finite())
}
