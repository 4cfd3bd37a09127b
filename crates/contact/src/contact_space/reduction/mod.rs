//! From generalised coordinates to contact space: `W = J M⁻¹ Jᵀ` under bilateral constraints.

mod check;
mod freedom;
mod stated;
#[cfg(test)]
mod tests;

pub use check::ReductionError;

use carom_numeric::orthogonal::length;
use carom_numeric::{Cholesky, dot};

use self::freedom::Freedom;
use super::{DelassusError, PlanarDelassus, PlanarVector, SpatialDelassus, SpatialVector, TIE};

/// A mechanism at the instant of a collision: flat, row-major slices.
#[derive(Debug, Clone, Copy)]
pub struct Mechanism<'a> {
    /// Mass matrix M, n × n (SI).
    pub mass: &'a [f64],
    /// Generalised velocity q̇ before the impact, n.
    pub velocity: &'a [f64],
    /// Contact rows J, k × n: `v = J q̇`.
    pub rows: &'a [f64],
    /// Bilateral constraint rows G, m × n: the impact leaves `G q̇` as it is. Often empty.
    pub constraints: &'a [f64],
}

/// The contact rows of a mechanism, whitened by its inertia and freed of its constraints.
///
/// The constraints leave the motions `q̇ = Z s`. With `ZᵀM Z = L Lᵀ` each row becomes `x = L⁻¹ ZᵀJᵀ`; then
///
/// ```text
/// W = xᵀ x,   Δq̇ = Z L⁻ᵀ x p,   Gᵀλ = M Δq̇ − Jᵀp
/// ```
///
/// Without constraints `Z = 1`. Buffers are kept: reducing mechanisms of one size again and again allocates
/// once. After a refusal the space is empty.
#[derive(Debug, Clone, Default)]
pub struct ContactSpace {
    n: usize,
    m: usize,
    /// Of `ZᵀM Z`; without constraints of M.
    factor: Cholesky,
    /// Of M itself, where there are constraints.
    whole: Cholesky,
    freedom: Freedom,
    inertia: Vec<f64>,
    work: Vec<f64>,
    degrees: usize,
    free: Vec<f64>,
    /// Per contact row: Δq̇ of a unit impulse, and the constraint impulses that answer it.
    response: Vec<f64>,
    answer: Vec<f64>,
    v: Vec<f64>,
    /// Sizes that add up to each velocity.
    terms: Vec<f64>,
    /// `√(q̇ᵀ M q̇)`: the speed of the whole mechanism.
    speed: f64,
    /// W itself, where it was stated in place of a mechanism.
    stated: Vec<f64>,
}

impl ContactSpace {
    /// Largest difference of `M_ij` and `M_ji`, relative to `√(M_ii M_jj)`, that passes as round-off.
    pub const SYMMETRY_TOLERANCE: f64 = 1e-12;

    /// Contact velocities that constraints forbid pass as drift below this fraction of the speed of
    /// the mechanism.
    pub const DRIFT_TOLERANCE: f64 = 1e-9;

    /// An empty space; [`ContactSpace::reduce`] fills it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factors the mass matrix and maps every contact row to contact space.
    pub fn reduce(&mut self, mechanism: &Mechanism<'_>) -> Result<(), ReductionError> {
        self.empty();
        let n = mechanism.velocity.len();
        check::check(mechanism, n)?;
        let m = mechanism.constraints.len() / n;
        self.degrees = n;
        let factor = match m {
            0 => &mut self.factor,
            _ => &mut self.whole,
        };
        factor
            .factor(mechanism.mass, n)
            .map_err(ReductionError::NotPositiveDefinite)?;
        if m > 0 {
            self.free_of_constraints(mechanism, n)?;
        }
        let momenta = mechanism
            .mass
            .chunks_exact(n)
            .map(|row| dot(row, mechanism.velocity));
        let twice_kinetic: f64 = momenta.zip(mechanism.velocity).map(|(p, v)| p * v).sum();
        self.speed = twice_kinetic.max(0.0).sqrt();
        for row in mechanism.rows.chunks_exact(n) {
            match m {
                0 => self.add_row(row, mechanism.velocity),
                _ => self.add_held_row(row, mechanism),
            }
        }
        let is_finite = |x: &[f64]| x.iter().all(|a| a.is_finite());
        let sound = [
            ("J q̇", is_finite(&self.v)),
            ("L⁻¹ Jᵀ", is_finite(&self.free)),
            (
                "M⁻¹ Jᵀ",
                is_finite(&self.response) && is_finite(&self.answer),
            ),
        ];
        if let Some((what, _)) = sound.iter().find(|(_, is_sound)| !is_sound) {
            let error = ReductionError::Overflow { what };
            self.empty();
            return Err(error);
        }
        (self.n, self.m) = (n, m);
        Ok(())
    }

    fn empty(&mut self) {
        (self.n, self.m) = (0, 0);
        for buffer in [
            &mut self.free,
            &mut self.response,
            &mut self.answer,
            &mut self.v,
            &mut self.terms,
            &mut self.stated,
        ] {
            buffer.clear();
        }
    }

    /// The motions that are left, and their inertia.
    fn free_of_constraints(
        &mut self,
        mechanism: &Mechanism<'_>,
        n: usize,
    ) -> Result<(), ReductionError> {
        self.freedom.find(mechanism.mass, mechanism.constraints, n);
        self.degrees = self.freedom.degrees();
        self.freedom.inertia(mechanism.mass, &mut self.inertia);
        self.factor
            .factor(&self.inertia, self.degrees)
            .map_err(ReductionError::NotPositiveDefinite)
    }

    /// Velocity, whitened row and response of a row of a mechanism without constraints.
    fn add_row(&mut self, row: &[f64], velocity: &[f64]) {
        let start = self.free.len();
        self.free.extend_from_slice(row);
        self.factor.solve_lower(&mut self.free[start..]);
        let terms = terms(row, velocity);
        self.add_velocity(row, velocity, round_off(row.len()) * terms);
        self.response.extend_from_slice(&self.free[start..]);
        self.factor
            .solve_lower_transposed(&mut self.response[start..]);
    }

    /// The same under constraints, with their answer.
    fn add_held_row(&mut self, row: &[f64], mechanism: &Mechanism<'_>) {
        let (n, d) = (row.len(), self.degrees);
        let m = mechanism.constraints.len() / n;
        let start = self.free.len();
        self.free.resize(start + n, 0.0); // zeros follow the degrees of freedom
        let free = &mut self.free[start..start + d];
        let is_absorbed = self.freedom.reduce(row, free);
        self.factor.solve_lower(free);
        // A forbidden velocity is drift beside the most this row could see of the motion,
        // |J q̇| <= |L⁻¹Jᵀ| |Lᵀq̇|; any other is round-off beside its own terms.
        let noise = match is_absorbed {
            true => {
                self.work.clear();
                self.work.extend_from_slice(row);
                self.whole.solve_lower(&mut self.work);
                Self::DRIFT_TOLERANCE * length(&self.work) * self.speed
            }
            false => round_off(n) * terms(row, mechanism.velocity),
        };
        self.add_velocity(row, mechanism.velocity, noise);
        self.work.clear();
        self.work.extend_from_slice(&self.free[start..start + d]);
        self.factor.solve_lower_transposed(&mut self.work);
        self.response.resize(start + n, 0.0);
        self.freedom.motion(&self.work, &mut self.response[start..]);
        let first = self.answer.len();
        self.answer.resize(first + m, 0.0);
        self.freedom.answer(
            mechanism.mass,
            row,
            &self.response[start..],
            &mut self.answer[first..],
        );
    }

    /// `J q̇`, zero where it is noise.
    fn add_velocity(&mut self, row: &[f64], velocity: &[f64], noise: f64) {
        let sum = dot(row, velocity);
        self.v.push(if sum.abs() < noise { 0.0 } else { sum });
        self.terms.push(terms(row, velocity));
    }

    /// Number of generalised coordinates.
    pub fn coordinates(&self) -> usize {
        self.n
    }

    /// Number of contact rows.
    pub fn rows(&self) -> usize {
        self.v.len()
    }

    /// Number of constraint rows.
    pub fn constraints(&self) -> usize {
        self.m
    }

    /// Degrees of freedom left by the constraints.
    pub fn degrees_of_freedom(&self) -> usize {
        if self.n == 0 { 0 } else { self.degrees }
    }

    /// Velocity of contact row `i` before the impact (m/s).
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn v(&self, i: usize) -> f64 {
        self.v[i]
    }

    /// Size of the terms `J_j q̇_j` that velocity `i` is the sum of (m/s).
    pub(crate) fn terms(&self, i: usize) -> f64 {
        self.terms[i]
    }

    /// Element of the Delassus matrix `W = J M⁻¹ Jᵀ` between contact rows `i` and `j` (SI).
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn w(&self, i: usize, j: usize) -> f64 {
        match self.stated_element(i, j) {
            Some(w) => w,
            None => dot(self.vector(i), self.vector(j)),
        }
    }

    /// Row `i` in the whitened space, freed of the constraints.
    pub(crate) fn vector(&self, i: usize) -> &[f64] {
        &self.free[i * self.n..(i + 1) * self.n]
    }

    /// The 2 × 2 Delassus matrix of a normal and a tangent row, and their velocity.
    ///
    /// With one degree of freedom the contact point moves along one line: W is singular by
    /// construction, and the velocity is put on that line (unless a constraint really moves), so
    /// that round-off and drift do not decide whether the impact jams.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn planar(
        &self,
        normal: usize,
        tangent: usize,
    ) -> Result<(PlanarDelassus, PlanarVector), DelassusError> {
        if let Some(stated) = self.stated_planar(normal, &[(tangent, 1.0)]) {
            return stated;
        }
        let v = PlanarVector {
            n: self.v[normal],
            t: self.v[tangent],
        };
        self.planar_of(self.vector(normal), self.vector(tangent), v)
    }

    /// The same along the unit vector `direction` of two tangent rows.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn planar_along(
        &self,
        normal: usize,
        tangents: [usize; 2],
        direction: [f64; 2],
    ) -> Result<(PlanarDelassus, PlanarVector), DelassusError> {
        let ([a, b], [i, j]) = (direction, tangents);
        if let Some(stated) = self.stated_planar(normal, &[(i, a), (j, b)]) {
            return stated;
        }
        let v = PlanarVector {
            n: self.v[normal],
            t: a * self.v[i] + b * self.v[j],
        };
        let both = self.vector(i).iter().zip(self.vector(j));
        let x_t: Vec<f64> = both.map(|(x, y)| a * x + b * y).collect();
        self.planar_of(self.vector(normal), &x_t, v)
    }

    /// The 3 × 3 Delassus matrix of a normal and two tangent rows, and their velocity.
    ///
    /// With one degree of freedom the velocity is put on the one line the contact point can move along, as
    /// in the plane.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn spatial(
        &self,
        normal: usize,
        tangents: [usize; 2],
    ) -> Result<(SpatialDelassus, SpatialVector), DelassusError> {
        let v = SpatialVector {
            n: self.v[normal],
            t: tangents.map(|i| self.v[i]),
        };
        self.spatial_at(normal, tangents, v)
    }

    /// The same at another velocity.
    pub(crate) fn spatial_at(
        &self,
        normal: usize,
        tangents: [usize; 2],
        v: SpatialVector,
    ) -> Result<(SpatialDelassus, SpatialVector), DelassusError> {
        let rows = [normal, tangents[0], tangents[1]];
        if let Some(stated) = self.stated_spatial(rows) {
            return stated;
        }
        let x = rows.map(|i| self.vector(i));
        let round_off = TIE * self.n as f64 * self.factor.loss();
        let w = SpatialDelassus::from_vectors(x[0], [x[1], x[2]], round_off)?;
        let mut v = [v.n, v.t[0], v.t[1]];
        if self.degrees_of_freedom() == 1 {
            let longer = if length(x[1]) >= length(x[2]) {
                x[1]
            } else {
                x[2]
            };
            let longer = if length(x[0]) >= length(longer) {
                x[0]
            } else {
                longer
            };
            v = on_line_in_space(Self::DRIFT_TOLERANCE, v, x.map(|x| dot(x, longer)));
        }
        Ok((
            w,
            SpatialVector {
                n: v[0],
                t: [v[1], v[2]],
            },
        ))
    }

    fn planar_of(
        &self,
        x_n: &[f64],
        x_t: &[f64],
        v: PlanarVector,
    ) -> Result<(PlanarDelassus, PlanarVector), DelassusError> {
        if self.degrees_of_freedom() > 1 {
            let round_off = TIE * self.n as f64 * self.factor.loss();
            return Ok((PlanarDelassus::from_vectors(x_n, x_t, round_off)?, v));
        }
        let longer = if length(x_n) >= length(x_t) { x_n } else { x_t };
        let size = length(longer);
        if size == 0.0 {
            return Ok((PlanarDelassus::along_a_line(0.0, 0.0)?, v));
        }
        let (n, t) = (dot(x_n, longer) / size, dot(x_t, longer) / size);
        let w = PlanarDelassus::along_a_line(n, t)?;
        Ok((w, on_line(v, n, t)))
    }

    /// `√(q̇ᵀMq̇)` before the impact: the speed of the whole mechanism.
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Adds to `velocity` the jump `Δq̇ = M⁻¹(Jᵀp + Gᵀλ)` of the impulses `p`, one per row.
    ///
    /// # Panics
    ///
    /// When `p` has not one impulse per contact row or `velocity` not one number per coordinate.
    pub fn apply(&self, p: &[f64], velocity: &mut [f64]) {
        assert_eq!(velocity.len(), self.n, "one number per coordinate");
        self.add_per_row(&self.response, p, velocity);
    }

    /// Adds to `velocity` the jump `Δq̇ = Z L⁻ᵀ w` of a motion w in the space of the whitened rows.
    ///
    /// # Panics
    ///
    /// When a list has not one number per coordinate.
    pub(crate) fn apply_motion(&self, motion: &[f64], velocity: &mut [f64]) {
        assert_eq!(velocity.len(), self.n, "one number per coordinate");
        let mut left = motion[..self.degrees].to_vec();
        self.factor.solve_lower_transposed(&mut left);
        let mut jump = left.clone();
        if self.m > 0 {
            jump.resize(self.n, 0.0);
            self.freedom.motion(&left, &mut jump);
        }
        velocity.iter_mut().zip(&jump).for_each(|(v, x)| *v += x);
    }

    /// Constraint impulses `λ` that answer the contact impulses `p` (least norm where not unique).
    ///
    /// # Panics
    ///
    /// When `p` has not one impulse per contact row or `impulses` not one number per constraint row.
    pub fn constraint_impulses(&self, p: &[f64], impulses: &mut [f64]) {
        assert_eq!(impulses.len(), self.m, "one number per constraint row");
        impulses.fill(0.0);
        self.add_per_row(&self.answer, p, impulses);
    }

    fn add_per_row(&self, per_row: &[f64], p: &[f64], out: &mut [f64]) {
        assert_eq!(p.len(), self.v.len(), "one impulse per contact row");
        if out.is_empty() {
            return;
        }
        for (row, p_i) in per_row.chunks_exact(out.len()).zip(p) {
            for (a, b) in out.iter_mut().zip(row) {
                *a += p_i * b;
            }
        }
    }

    /// Whether constraint impulse `j` is determined, or shared with a redundant constraint.
    pub fn constraint_is_unique(&self, j: usize) -> bool {
        self.m == 0 || self.freedom.is_unique(j)
    }
}

/// The point of the line along `(n, t)` closest to `v`, where it is close; else `v`.
pub(crate) fn on_line(v: PlanarVector, n: f64, t: f64) -> PlanarVector {
    on_line_within(ContactSpace::DRIFT_TOLERANCE, v, [n, t])
}

/// The same, close being a part of the velocity below `tolerance`.
fn on_line_within(tolerance: f64, v: PlanarVector, [n, t]: [f64; 2]) -> PlanarVector {
    let along = (n * v.n + t * v.t) / (n * n + t * t);
    let on = PlanarVector {
        n: n * along,
        t: t * along,
    };
    let miss = (v.n - on.n).abs() + (v.t - on.t).abs();
    let is_close = miss <= tolerance * (v.n.abs() + v.t.abs());
    if is_close { on } else { v }
}

/// The same in space.
fn on_line_in_space(tolerance: f64, v: [f64; 3], line: [f64; 3]) -> [f64; 3] {
    let size = dot(&line, &line);
    if size == 0.0 {
        return v;
    }
    let along = dot(&line, &v) / size;
    let on = line.map(|x| x * along);
    let apart = v.iter().zip(&on).map(|(a, b)| (a - b).abs());
    let speeds = v.iter().map(|x| x.abs());
    let is_close = apart.sum::<f64>() <= tolerance * speeds.sum::<f64>();
    if is_close { on } else { v }
}

/// `Σ |J_j q̇_j|`.
fn terms(row: &[f64], velocity: &[f64]) -> f64 {
    row.iter().zip(velocity).map(|(a, b)| (a * b).abs()).sum()
}

/// Relative round-off of a sum of so many products.
fn round_off(count: usize) -> f64 {
    TIE.max(count as f64 * f64::EPSILON)
}
