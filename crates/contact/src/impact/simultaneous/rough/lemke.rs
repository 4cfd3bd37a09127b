//! One end of a phase by Lemke's method, for more contacts than are enumerated.

use carom_numeric::orthogonal::length;
use carom_numeric::{Lemke, LemkeEnd, dot};

use super::phase::{Behaviour, Found, Phase};
use super::system::System;
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
/// nor in expansion.
#[derive(Debug, Default)]
pub(super) struct RoughLemke {
    lemke: Lemke,
    matrix: Vec<f64>,
    q: Vec<f64>,
}

impl RoughLemke {
    /// One end, or none where Lemke's method meets a ray.
    pub(super) fn solve(
        &mut self,
        phase: &Phase<'_>,
        law: Law,
    ) -> Result<Option<Found>, ImpactInputError> {
        self.pose(phase);
        match self.lemke.solve(&self.matrix, &self.q) {
            LemkeEnd::Solved => {}
            LemkeEnd::Ray => return Ok(None),
            LemkeEnd::PivotLimit | LemkeEnd::NotFinite => {
                let pivots = self.lemke.pivots();
                return Err(ImpactInputError::Unfinished { law, pivots });
            }
        }
        let pattern = self.pattern(phase);
        let exact = System::of(phase, &pattern).solve().into_iter().next();
        Ok(Some(exact.unwrap_or_else(|| self.found(phase, pattern))))
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
        let (z, k) = (self.lemke.z(), phase.scene.k);
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
        let (z, k, rows) = (self.lemke.z(), phase.scene.k, &phase.scene.rows);
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
        Found {
            miss: misses.fold(0.0, f64::max),
            p,
            u,
            shares: Vec::new(),
            ends: Vec::new(),
            behaviours,
        }
    }
}
