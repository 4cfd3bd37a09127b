//! One end of a phase by Lemke's method, for more contacts than are enumerated.

use carom_numeric::orthogonal::length;
use carom_numeric::{Lemke, LemkeEnd, dot};

use super::phase::{Behaviour, Found, Phase};
use super::system::{SAME_VELOCITY, System};
use crate::impact::{ImpactInputError, Law, Mode};

/// The phase as a complementarity problem, `z = (s, p⁺, p⁻, λ)` per contact:
///
/// ```text
/// 0 <= s   ⟂  u_n + target >= 0          p_n = floor + s,  p_t = p⁺ − p⁻
/// 0 <= p⁺  ⟂  λ + u_t >= 0
/// 0 <= p⁻  ⟂  λ − u_t >= 0
/// 0 <= λ   ⟂  μ p_n − p⁺ − p⁻ >= 0       λ: size of the slip
/// ```
///
/// The matrix is copositive; with velocities of the mechanism's own a ray is not met in compression
/// nor in expansion. Where one is met, or the pivots do not end, the problem is weighed otherwise, which
/// leads along another path.
#[derive(Debug, Default)]
pub(super) struct RoughLemke {
    lemke: Lemke,
    matrix: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
}

/// Paths that are tried.
const PATHS: usize = 8;

impl RoughLemke {
    /// One end, or those of a set of velocities; none where every path ends in a ray.
    pub(super) fn solve(
        &mut self,
        phase: &Phase<'_>,
        law: Law,
    ) -> Result<Vec<Found>, ImpactInputError> {
        self.pose(phase);
        let mut is_unfinished = false;
        for path in 0..PATHS {
            match self.follow(path) {
                LemkeEnd::Solved => return Ok(self.ends(phase)),
                LemkeEnd::Ray => {}
                LemkeEnd::PivotLimit | LemkeEnd::NotFinite => is_unfinished = true,
            }
        }
        let pivots = self.lemke.pivots();
        match is_unfinished {
            true => Err(ImpactInputError::Unfinished { law, pivots }),
            false => Ok(Vec::new()),
        }
    }

    /// Solves the problem in the variables `D⁻¹z`, D powers of two that differ from path to path.
    fn follow(&mut self, path: usize) -> LemkeEnd {
        let n = self.q.len();
        let exponent = |i: usize| (path * (i * i + 3 * i + 1)) % 7;
        let weights: Vec<f64> = (0..n).map(|i| f64::powi(2.0, exponent(i) as i32)).collect();
        let pairs = (0..n * n).map(|at| weights[at / n] * weights[at % n]);
        let matrix: Vec<f64> = self.matrix.iter().zip(pairs).map(|(m, d)| m * d).collect();
        let q: Vec<f64> = self.q.iter().zip(&weights).map(|(q, d)| q * d).collect();
        let end = self.lemke.solve(&matrix, &q);
        if end == LemkeEnd::Solved {
            self.z.clear();
            let z = self.lemke.z().iter().zip(&weights);
            self.z.extend(z.map(|(z, d)| z * d));
        }
        end
    }

    /// The ends with the velocity of the solution: the modes with the fewest conditions for it hold all
    /// impulses that lead to it.
    fn ends(&self, phase: &Phase<'_>) -> Vec<Found> {
        let own = self.pattern(phase);
        let found = self.found(phase, own.clone());
        let mut kept = Vec::new();
        for pattern in [widest(phase, &found), own] {
            let exact = System::of(phase, &pattern).solve();
            if exact.iter().any(|end| end.is_apart) {
                return exact;
            }
            if kept.is_empty() {
                kept = exact;
            }
        }
        match kept.is_empty() || found.is_apart {
            true => vec![found],
            false => kept,
        }
    }

    /// Contacts with friction, in order.
    fn rough<'a>(phase: &'a Phase<'_>) -> impl Iterator<Item = (usize, usize)> + 'a {
        let tangents = phase.scene.tangent.iter().enumerate();
        tangents.filter_map(|(i, t)| t.map(|t| (i, t)))
    }

    fn pose(&mut self, phase: &Phase<'_>) {
        let scene = phase.scene;
        let (k, rows) = (scene.k, &scene.rows);
        let rough: Vec<(usize, usize)> = Self::rough(phase).collect();
        let size = k + 3 * rough.len();
        // Row of the space and sign of each variable that is an impulse.
        let normals = (0..k).map(|i| (i, 1.0));
        let sides = rough.iter().flat_map(|(_, t)| [(*t, 1.0), (*t, -1.0)]);
        let pushes: Vec<(usize, f64)> = normals.chain(sides).collect();
        let mut base = Vec::new();
        let mut floor = phase.floor.to_vec();
        floor.resize(phase.u.len(), 0.0);
        rows.sum(&floor, &mut base);
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.q.clear();
        for (a, (r, sign)) in pushes.iter().enumerate() {
            for (b, (c, other)) in pushes.iter().enumerate() {
                self.matrix[a * size + b] = sign * other * rows.w()[r * phase.u.len() + c];
            }
            let target = if a < k { phase.target[a] } else { 0.0 };
            let start = phase.u[*r] + dot(rows.vector(*r), &base);
            self.q.push(sign * start + target);
        }
        for (j, (i, _)) in rough.iter().enumerate() {
            let (slip, plus) = (k + 2 * rough.len() + j, k + 2 * j);
            self.matrix[slip * size + i] = scene.mu_d[*i];
            for side in [plus, plus + 1] {
                self.matrix[side * size + slip] = 1.0;
                self.matrix[slip * size + side] = -1.0;
            }
            self.q.push(scene.mu_d[*i] * phase.floor[*i]);
        }
    }

    /// The modes of the solution.
    fn pattern(&self, phase: &Phase<'_>) -> Vec<Behaviour> {
        let (z, k) = (&self.z, phase.scene.k);
        let rough: Vec<(usize, usize)> = Self::rough(phase).collect();
        let mut pattern: Vec<Behaviour> = (0..k)
            .map(|i| Behaviour {
                is_closed: z[i] > 0.0,
                mode: None,
            })
            .collect();
        for (j, (i, _)) in rough.iter().enumerate() {
            let (plus, minus) = (z[k + 2 * j], z[k + 2 * j + 1]);
            let slip = z[k + 2 * rough.len() + j];
            let is_pushed = z[*i] > 0.0 || phase.floor[*i] > 0.0;
            pattern[*i].mode = match (slip > 0.0, plus > minus) {
                _ if !is_pushed => None,
                (false, _) => Some(Mode::Stick),
                (true, true) => Some(Mode::SlipBackward),
                (true, false) => Some(Mode::SlipForward),
            };
        }
        pattern
    }

    /// The solution as Lemke's method has it.
    fn found(&self, phase: &Phase<'_>, behaviours: Vec<Behaviour>) -> Found {
        let (z, k, rows) = (&self.z, phase.scene.k, &phase.scene.rows);
        let mut p = vec![0.0; phase.u.len()];
        for i in 0..k {
            p[i] = phase.floor[i] + z[i];
        }
        for (j, (_, t)) in Self::rough(phase).enumerate() {
            p[t] = z[k + 2 * j] - z[k + 2 * j + 1];
        }
        let mut jump = Vec::new();
        rows.sum(&p, &mut jump);
        let after = (0..p.len()).map(|r| phase.u[r] + dot(rows.vector(r), &jump));
        let u: Vec<f64> = after.collect();
        let scale = phase.scene.speed + length(&jump);
        let misses = (0..k).map(|i| (u[i] + phase.target[i]).min(z[i]).abs() / scale);
        let most = p
            .iter()
            .fold(f64::MIN_POSITIVE, |most, x| x.abs().max(most));
        let beyond = Self::rough(phase).map(|(i, t)| p[t].abs() - phase.scene.mu_d[i] * p[i]);
        let beyond = beyond.map(|x| x / most);
        Found {
            miss: misses.chain(beyond).fold(0.0, f64::max),
            is_apart: phase.is_apart(&u, &jump),
            p,
            u,
            shares: Vec::new(),
            ends: Vec::new(),
            behaviours,
        }
    }
}

/// What contacts do at the velocity of an end, with the fewest conditions: closed where the velocity
/// allows it, stuck where nothing slips.
fn widest(phase: &Phase<'_>, found: &Found) -> Vec<Behaviour> {
    let scene = phase.scene;
    let mut jump = Vec::new();
    scene.rows.sum(&found.p, &mut jump);
    let zero = SAME_VELOCITY * (scene.speed + length(&jump));
    let behaviour = |i: usize| {
        let is_closed = (found.u[i] + phase.target[i]).abs() <= zero;
        let is_pushed = is_closed || phase.floor[i] > 0.0;
        let slip = scene.tangent[i].filter(|_| is_pushed).map(|t| found.u[t]);
        Behaviour {
            is_closed,
            mode: slip.map(|u_t| match u_t.abs() <= zero {
                true => Mode::Stick,
                false => Mode::slip(u_t),
            }),
        }
    };
    (0..scene.k).map(behaviour).collect()
}
