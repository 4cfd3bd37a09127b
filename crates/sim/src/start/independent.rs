//! A forward problem in the coordinates that closed loops leave independent.
//!
//! The loops `G q̈ = −bias` are solved for as many accelerations as they determine, `q̈ = B q̈_i + c`:
//!
//! ```text
//! Bᵀ A B q̈_i + Bᵀ (b + A c) = Bᵀ τ + Σ (J B)ᵀ λ
//! ```

use carom_contact::forward::ForwardProblem;
use carom_multibody::mechanism::Dynamics;
use carom_multibody::{ConstraintRows, ConstraintSolver, State};
use carom_numeric::dot;

use super::instant::Instant;

/// Of the coordinates that a row determines well, to this part of the best, the last is the dependent one.
const WELL: f64 = 0.1;

/// Takes the coordinates that depend on others by closed loops out of a problem without friction in joints.
pub(super) fn eliminate(found: &mut Instant, mechanism: &mut dyn Dynamics, state: State<'_>) {
    let mut closures = ConstraintRows::default();
    mechanism.constraint_rows(state, &mut closures);
    let inertia = &found.problem.inertia;
    let diagonal = inertia.iter().enumerate().map(|(j, row)| row[j].sqrt());
    let solved = Solved::of(&closures, &diagonal.collect::<Vec<_>>());
    found.problem = solved.reduced(&found.problem);
    found.coordinates = pick(&found.coordinates, &solved.independent);
    found.arms = pick(&found.arms, &solved.independent);
    found.loads_per_force = pick(&found.loads_per_force, &solved.independent);
}

fn pick<T: Clone>(list: &[T], places: &[usize]) -> Vec<T> {
    places
        .iter()
        .filter_map(|j| list.get(*j))
        .cloned()
        .collect()
}

/// The loops, solved for the accelerations they determine.
struct Solved {
    independent: Vec<usize>,
    /// B by columns, one for each independent coordinate.
    columns: Vec<Vec<f64>>,
    /// c.
    offset: Vec<f64>,
}

impl Solved {
    /// By elimination with coordinates measured by the roots of their inertia.
    fn of(closures: &ConstraintRows, measures: &[f64]) -> Self {
        let n = measures.len();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for (row, bias) in closures.rows.chunks_exact(n.max(1)).zip(&closures.bias) {
            let size = sizes(row, measures).fold(0.0f64, |most, x| most.max(x));
            if size > 0.0 {
                let all = row.iter().chain([bias]);
                rows.push(all.map(|x| x / size).collect());
            }
        }
        let mut dependent: Vec<usize> = Vec::new();
        for k in 0..rows.len() {
            let Some((row, column)) = pivot(&rows[k..], measures) else {
                rows.truncate(k);
                break;
            };
            rows.swap(k, k + row);
            let by = rows[k][column];
            rows[k].iter_mut().for_each(|x| *x /= by);
            let pivot = rows[k].clone();
            let (before, rest) = rows.split_at_mut(k);
            for other in before.iter_mut().chain(&mut rest[1..]) {
                let factor = other[column];
                let pairs = other.iter_mut().zip(&pivot);
                pairs.for_each(|(x, p)| *x -= factor * p);
                other[column] = 0.0;
            }
            dependent.push(column);
        }
        let independent: Vec<usize> = (0..n).filter(|j| !dependent.contains(j)).collect();
        let mut offset = vec![0.0; n];
        let mut columns = vec![vec![0.0; n]; independent.len()];
        for (column, j) in columns.iter_mut().zip(&independent) {
            column[*j] = 1.0;
        }
        for (row, j) in rows.iter().zip(&dependent) {
            offset[*j] = -row[n];
            for (column, i) in columns.iter_mut().zip(&independent) {
                column[*j] = -row[*i];
            }
        }
        Self {
            independent,
            columns,
            offset,
        }
    }

    fn onto(&self, row: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|column| dot(column, row)).collect()
    }

    /// The problem in the independent coordinates. Drifts of contacts are accelerations without contact forces and
    /// stay.
    fn reduced(&self, problem: &ForwardProblem) -> ForwardProblem {
        let times = |x: &[f64]| -> Vec<f64> {
            let rows = problem.inertia.iter();
            rows.map(|row| dot(row, x)).collect()
        };
        let pushed = times(&self.offset);
        let bias = problem.bias.iter().zip(&pushed).map(|(b, p)| b + p);
        let bias: Vec<f64> = bias.collect();
        let mut reduced = ForwardProblem {
            inertia: self.columns.iter().map(|c| self.onto(&times(c))).collect(),
            bias: self.onto(&bias),
            velocity: pick(&problem.velocity, &self.independent),
            force: self.onto(&problem.force),
            ..problem.clone()
        };
        for contact in &mut reduced.contacts {
            contact.normal = self.onto(&contact.normal);
            contact.tangent = contact.tangent.as_deref().map(|row| self.onto(row));
        }
        reduced
    }
}

/// Sizes of the parts of a row.
fn sizes<'a>(row: &'a [f64], measures: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    row.iter().zip(measures).map(|(g, size)| g.abs() / size)
}

/// Row and coordinate to solve for next; none where what is left of the rows is round-off.
fn pivot(rows: &[Vec<f64>], measures: &[f64]) -> Option<(usize, usize)> {
    let largest = |row: &Vec<f64>| sizes(row, measures).fold(0.0, f64::max);
    let (row, size) = rows
        .iter()
        .map(largest)
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let parts: Vec<f64> = sizes(&rows[row], measures).collect();
    let column = parts.iter().rposition(|part| *part >= WELL * size)?;
    (size > ConstraintSolver::REPEATED).then_some((row, column))
}
