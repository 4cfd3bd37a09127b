//! From generalised coordinates to contact space: `W = J M⁻¹ Jᵀ` under bilateral constraints.

use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::{Cholesky, CompleteOrthogonal, NotPositiveDefinite};

use super::{DelassusError, PlanarDelassus, TIE};

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

/// Why a mechanism was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReductionError {
    /// A slice has the wrong length.
    Shape {
        /// Which slice.
        which: &'static str,
        /// Its length.
        found: usize,
        /// What its length must be a multiple of, or equal to.
        expected: usize,
    },
    /// An element is infinite or not a number.
    NotFinite {
        /// Which slice.
        which: &'static str,
        /// Index in it.
        index: usize,
        /// The value.
        value: f64,
    },
    /// `M_ij` and `M_ji` differ.
    Asymmetric {
        /// Row i.
        row: usize,
        /// Column j.
        column: usize,
        /// `M_ij`
        here: f64,
        /// `M_ji`
        there: f64,
    },
    /// The mass matrix is not positive definite.
    NotPositiveDefinite(NotPositiveDefinite),
    /// The elements are finite but a product of them is not.
    Overflow {
        /// What overflowed.
        what: &'static str,
    },
}

impl std::fmt::Display for ReductionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shape {
                which,
                found,
                expected,
            } => write!(
                f,
                "{which} has {found} elements, expected {expected} or rows of that length"
            ),
            Self::NotFinite {
                which,
                index,
                value,
            } => write!(
                f,
                "{which}: element {index} is {value}, expected a finite number"
            ),
            Self::Asymmetric {
                row,
                column,
                here,
                there,
            } => write!(
                f,
                "mass matrix is not symmetric: element [{row}][{column}] is {here} but [{column}][{row}] is {there}"
            ),
            Self::NotPositiveDefinite(error) => {
                write!(f, "mass matrix is not positive definite: {error}")
            }
            Self::Overflow { what } => write!(
                f,
                "numbers too large or too small: {what} overflows; expected values whose products stay below 1e308 (rescale the units)"
            ),
        }
    }
}

impl std::error::Error for ReductionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotPositiveDefinite(error) => Some(error),
            _ => None,
        }
    }
}

/// The contact rows of a mechanism, whitened by its inertia and freed of its constraints.
///
/// With `M = L Lᵀ` each row becomes `x = L⁻¹ Jᵀ`; its component in the range of `L⁻¹ Gᵀ` is what
/// the constraints absorb and is removed. Then
///
/// ```text
/// W = xᵀ x,   Δq̇ = L⁻ᵀ x p,   λ = −(L⁻¹Gᵀ)⁺ (absorbed part of L⁻¹Jᵀ) p
/// ```
///
/// Buffers are kept: reducing mechanisms of one size again and again allocates once.
#[derive(Debug, Clone, Default)]
pub struct ContactSpace {
    n: usize,
    factor: Cholesky,
    joints: CompleteOrthogonal,
    whitened_joints: Vec<f64>,
    whitened: Vec<f64>,
    free: Vec<f64>,
    v: Vec<f64>,
    scratch: Vec<f64>,
}

impl ContactSpace {
    /// Largest difference of `M_ij` and `M_ji`, relative to `√(M_ii M_jj)`, that passes as round-off.
    pub const SYMMETRY_TOLERANCE: f64 = 1e-12;

    /// An empty space; [`ContactSpace::reduce`] fills it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factors the mass matrix and maps every contact row to contact space.
    pub fn reduce(&mut self, mechanism: &Mechanism<'_>) -> Result<(), ReductionError> {
        let n = mechanism.velocity.len();
        check(mechanism, n)?;
        self.n = n;
        self.factor
            .factor(mechanism.mass, n)
            .map_err(ReductionError::NotPositiveDefinite)?;
        whiten(
            &self.factor,
            mechanism.constraints,
            n,
            &mut self.whitened_joints,
        );
        let m = mechanism.constraints.len() / n;
        self.joints.decompose(&self.whitened_joints, n, m);
        whiten(&self.factor, mechanism.rows, n, &mut self.whitened);
        self.free.clear();
        self.free.extend_from_slice(&self.whitened);
        for (free, whole) in self
            .free
            .chunks_exact_mut(n)
            .zip(self.whitened.chunks_exact(n))
        {
            project_out(free, self.joints.range());
            if length(free) <= CompleteOrthogonal::RANK_TOLERANCE * length(whole) {
                free.fill(0.0); // the constraints absorb this row whole
            }
        }
        self.v.clear();
        self.v.extend(
            mechanism
                .rows
                .chunks_exact(n)
                .map(|row| dot(row, mechanism.velocity)),
        );
        let is_finite = |x: &[f64]| x.iter().all(|a| a.is_finite());
        if !is_finite(&self.v) {
            return Err(ReductionError::Overflow { what: "J q̇" });
        }
        if !is_finite(&self.free) {
            return Err(ReductionError::Overflow {
                what: "L⁻¹ Jᵀ"
            });
        }
        Ok(())
    }

    /// Number of generalised coordinates.
    pub fn coordinates(&self) -> usize {
        self.n
    }

    /// Degrees of freedom left by the constraints.
    pub fn degrees_of_freedom(&self) -> usize {
        self.n - self.joints.rank()
    }

    /// Velocity of contact row `i` before the impact (m/s).
    pub fn v(&self, i: usize) -> f64 {
        self.v[i]
    }

    /// Row `i` in the whitened space, freed of the constraints.
    pub fn vector(&self, i: usize) -> &[f64] {
        &self.free[i * self.n..(i + 1) * self.n]
    }

    /// The 2 × 2 Delassus matrix of a normal row and a tangent row.
    ///
    /// With one degree of freedom it is singular by construction, and returned so.
    pub fn planar(&self, normal: usize, tangent: usize) -> Result<PlanarDelassus, DelassusError> {
        let round_off = if self.degrees_of_freedom() <= 1 {
            1.0
        } else {
            TIE * self.n as f64 * self.factor.diagonal_spread()
        };
        PlanarDelassus::from_vectors(self.vector(normal), self.vector(tangent), round_off)
    }

    /// Adds to `velocity` the jump `Δq̇ = M⁻¹(Jᵀp + Gᵀλ)` of the impulses `p`, one per row.
    pub fn apply(&mut self, p: &[f64], velocity: &mut [f64]) {
        combine(&self.free, p, self.n, &mut self.scratch);
        self.factor.solve_lower_transposed(&mut self.scratch);
        for (a, b) in velocity.iter_mut().zip(&self.scratch) {
            *a += b;
        }
    }

    /// Constraint impulses `λ` that answer the contact impulses `p` (least norm where not unique).
    pub fn constraint_impulses(&mut self, p: &[f64], impulses: &mut [f64]) {
        combine(&self.free, p, self.n, &mut self.scratch);
        for (x, &p_i) in self.whitened.chunks_exact(self.n).zip(p) {
            for (a, b) in self.scratch.iter_mut().zip(x) {
                *a -= p_i * b;
            }
        }
        self.joints.least_norm(&self.scratch, impulses);
    }

    /// Whether constraint impulse `j` is determined, or shared with a redundant constraint.
    pub fn constraint_is_unique(&self, j: usize) -> bool {
        self.joints.is_unique(j)
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

fn whiten(factor: &Cholesky, rows: &[f64], n: usize, out: &mut Vec<f64>) {
    out.clear();
    out.extend_from_slice(rows);
    for row in out.chunks_exact_mut(n) {
        factor.solve_lower(row);
    }
}

fn combine(vectors: &[f64], p: &[f64], n: usize, out: &mut Vec<f64>) {
    out.clear();
    out.resize(n, 0.0);
    for (x, &p_i) in vectors.chunks_exact(n).zip(p) {
        for (a, b) in out.iter_mut().zip(x) {
            *a += p_i * b;
        }
    }
}

fn check(mechanism: &Mechanism<'_>, n: usize) -> Result<(), ReductionError> {
    let shape = |which, found, expected| ReductionError::Shape {
        which,
        found,
        expected,
    };
    if n == 0 {
        return Err(shape("velocity", 0, 1));
    }
    if mechanism.mass.len() != n * n {
        return Err(shape("mass", mechanism.mass.len(), n * n));
    }
    let slices = [
        ("mass", mechanism.mass),
        ("velocity", mechanism.velocity),
        ("contact rows", mechanism.rows),
        ("constraint rows", mechanism.constraints),
    ];
    for (which, values) in slices {
        if values.len() % n != 0 {
            return Err(shape(which, values.len(), n));
        }
        if let Some(index) = values.iter().position(|x| !x.is_finite()) {
            return Err(ReductionError::NotFinite {
                which,
                index,
                value: values[index],
            });
        }
    }
    check_symmetry(mechanism.mass, n)
}

fn check_symmetry(mass: &[f64], n: usize) -> Result<(), ReductionError> {
    for row in 0..n {
        for column in row + 1..n {
            let (here, there) = (mass[row * n + column], mass[column * n + row]);
            let scale = mass[row * n + row].abs().sqrt() * mass[column * n + column].abs().sqrt();
            // Written so that an overflowing difference fails too.
            if here != there && !((here - there).abs() <= ContactSpace::SYMMETRY_TOLERANCE * scale)
            {
                return Err(ReductionError::Asymmetric {
                    row,
                    column,
                    here,
                    there,
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    struct Sample {
        mass: DMatrix<f64>,
        rows: DMatrix<f64>,
        joints: DMatrix<f64>,
        velocity: DVector<f64>,
    }

    fn sample(rng: &mut fastrand::Rng, n: usize, m: usize) -> Sample {
        let mut matrix = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| rng.f64() - 0.5);
        let a = matrix(n, n);
        Sample {
            mass: &a * a.transpose() + DMatrix::identity(n, n) * 0.05,
            rows: matrix(2, n),
            joints: matrix(m, n),
            velocity: matrix(n, 1).column(0).into_owned(),
        }
    }

    fn row_major(m: &DMatrix<f64>) -> Vec<f64> {
        m.transpose().as_slice().to_vec()
    }

    fn reduce(s: &Sample) -> ContactSpace {
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: s.mass.as_slice(),
                velocity: s.velocity.as_slice(),
                rows: &row_major(&s.rows),
                constraints: &row_major(&s.joints),
            })
            .unwrap();
        space
    }

    /// Second route: the textbook saddle-point system of multipliers, by LU.
    fn saddle_point(s: &Sample, p: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let (n, m) = (s.mass.nrows(), s.joints.nrows());
        let mut k = DMatrix::zeros(n + m, n + m);
        k.view_mut((0, 0), (n, n)).copy_from(&s.mass);
        k.view_mut((0, n), (n, m))
            .copy_from(&(-s.joints.transpose()));
        k.view_mut((n, 0), (m, n)).copy_from(&s.joints);
        let mut b = DVector::zeros(n + m);
        b.rows_mut(0, n).copy_from(&(s.rows.transpose() * p));
        let x = k.lu().solve(&b).unwrap();
        (x.rows(0, n).into_owned(), x.rows(n, m).into_owned())
    }

    #[test]
    fn impulses_move_a_constrained_mechanism_as_the_saddle_point_system_says() {
        let mut rng = fastrand::Rng::with_seed(6);
        for _ in 0..300 {
            let n = rng.usize(2..13);
            let m = rng.usize(0..n - 1);
            let s = sample(&mut rng, n, m);
            let mut space = reduce(&s);
            assert_eq!(space.degrees_of_freedom(), n - m);
            let p = DVector::from_vec(vec![rng.f64(), rng.f64() - 0.5]);
            let (jump, multipliers) = saddle_point(&s, &p);
            let mut found = vec![0.0; n];
            space.apply(p.as_slice(), &mut found);
            let mut impulses = vec![0.0; m];
            space.constraint_impulses(p.as_slice(), &mut impulses);
            let scale = jump.amax().max(1.0);
            for i in 0..n {
                assert!((found[i] - jump[i]).abs() < 1e-10 * scale);
            }
            let scale = multipliers.iter().fold(1.0f64, |a, b| a.max(b.abs()));
            for j in 0..m {
                assert!((impulses[j] - multipliers[j]).abs() < 1e-9 * scale);
                assert!(space.constraint_is_unique(j));
            }
            let w = space.planar(0, 1).unwrap();
            let gained = &s.rows * jump;
            let expected = w.times(crate::space::PlanarVector { n: p[0], t: p[1] });
            let scale = (w.nn() + w.tt()).max(1.0);
            assert!((gained[0] - expected.n).abs() < 1e-10 * scale);
            assert!((gained[1] - expected.t).abs() < 1e-10 * scale);
        }
    }

    #[test]
    fn a_doubled_constraint_changes_no_motion_and_shares_its_impulse() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut s = sample(&mut rng, 5, 2);
        let mut once = reduce(&s);
        s.joints = s.joints.clone().insert_row(2, 0.0);
        let copy = s.joints.row(1).into_owned();
        s.joints.row_mut(2).copy_from(&copy);
        let mut twice = reduce(&s);
        let p = [0.7, -0.2];
        let (mut a, mut b) = (vec![0.0; 5], vec![0.0; 5]);
        once.apply(&p, &mut a);
        twice.apply(&p, &mut b);
        for i in 0..5 {
            assert!((a[i] - b[i]).abs() < 1e-13);
        }
        let (mut single, mut shared) = (vec![0.0; 2], vec![0.0; 3]);
        once.constraint_impulses(&p, &mut single);
        twice.constraint_impulses(&p, &mut shared);
        assert!((shared[0] - single[0]).abs() < 1e-12);
        assert!((shared[1] - 0.5 * single[1]).abs() < 1e-12);
        assert_eq!(
            [0, 1, 2].map(|j| twice.constraint_is_unique(j)),
            [true, false, false]
        );
    }

    #[test]
    fn a_contact_on_a_constrained_point_has_no_mobility_at_all() {
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: &[2.0, 0.3, 0.3, 1.0],
                velocity: &[0.0, 1.0],
                rows: &[0.3, 0.1, 1.0, 0.0],
                constraints: &[3.0, 1.0],
            })
            .unwrap();
        let w = space.planar(0, 1).unwrap();
        assert_eq!((w.nn(), w.nt()), (0.0, 0.0));
        assert!(w.tt() > 0.0);
    }

    fn refusal(mass: &[f64], velocity: &[f64], rows: &[f64]) -> String {
        ContactSpace::new()
            .reduce(&Mechanism {
                mass,
                velocity,
                rows,
                constraints: &[],
            })
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_malformed_mechanism_is_refused_with_its_fault() {
        let unit = [1.0, 0.0, 0.0, 1.0];
        let (v, j) = ([0.0, -1.0], [0.0, 1.0, 1.0, 0.0]);
        assert!(refusal(&[1.0, 0.5, 0.1, 1.0], &v, &j).contains("[0][1] is 0.5 but [1][0] is 0.1"));
        assert!(refusal(&[1.0, 2.0, 2.0, 1.0], &v, &j).contains("pivot 1 is -3e0"));
        assert!(refusal(&[-1.0, 0.0, 0.0, 1.0], &v, &j).contains("pivot 0 is -1e0"));
        assert!(refusal(&unit[..3], &v, &j).contains("mass has 3 elements, expected 4"));
        assert!(refusal(&unit, &[0.0, f64::NAN], &j).contains("velocity: element 1 is NaN"));
        assert!(refusal(&unit, &v, &j[..3]).contains("contact rows has 3 elements"));
        assert!(refusal(&unit, &[1e300, 0.0], &[0.0, 1.0, 1e300, 0.0]).contains("overflows"));
        assert!(refusal(&[], &[], &[]).contains("velocity has 0 elements"));
    }
}
