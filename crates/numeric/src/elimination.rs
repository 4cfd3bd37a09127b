//! Elimination row by row, so that systems sharing their first rows share the work.

/// Rows eliminated so far, with column pivots; a later row can be taken back.
///
/// Each row of `[matrix | right-hand sides]` is freed of the pivot columns of the rows before it, and
/// its largest remaining element becomes its pivot. Walking a tree of systems that differ in their
/// last rows costs one row per node.
#[derive(Debug, Clone, Default)]
pub struct RowElimination {
    size: usize,
    width: usize,
    rows: Vec<f64>,
    pivots: Vec<usize>,
    is_free: Vec<bool>,
}

impl RowElimination {
    /// A pivot below this fraction of the largest element its row came with counts as zero.
    pub const SINGULAR: f64 = 1e-12;

    /// No row yet, of a system of `size` unknowns with `sides` right-hand sides.
    pub fn start(&mut self, size: usize, sides: usize) {
        (self.size, self.width) = (size, size + sides);
        self.rows.clear();
        self.rows.resize(size * self.width, 0.0);
        self.pivots.clear();
        self.is_free.clear();
        self.is_free.resize(size, true);
    }

    /// Number of rows held.
    pub fn depth(&self) -> usize {
        self.pivots.len()
    }

    /// Adds a row. Its signed pivot (the product over all rows is the determinant), or `None` where
    /// it depends on the rows before it; the row is then not held.
    ///
    /// # Panics
    ///
    /// When the row is not as wide as the system or there are as many rows as unknowns.
    pub fn push(&mut self, row: &[f64]) -> Option<f64> {
        let (depth, width) = (self.pivots.len(), self.width);
        let (done, rest) = self.rows.split_at_mut(depth * width);
        let new = &mut rest[..width];
        new.copy_from_slice(row);
        let size_of = |row: &[f64]| row.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let scale = size_of(&new[..self.size]);
        for (earlier, pivot) in done.chunks_exact(width).zip(&self.pivots) {
            let factor = new[*pivot] / earlier[*pivot];
            if factor != 0.0 {
                for (x, y) in new.iter_mut().zip(earlier) {
                    *x -= factor * y;
                }
                new[*pivot] = 0.0;
            }
        }
        let (mut column, mut most, mut before, mut place) = (0, 0.0, 0, 0);
        for j in 0..self.size {
            if self.is_free[j] {
                if new[j].abs() > most {
                    (column, most, place) = (j, new[j].abs(), before);
                }
                before += 1;
            }
        }
        // Written so that a NaN counts as dependent.
        if !(most > Self::SINGULAR * scale) {
            return None;
        }
        self.pivots.push(column);
        self.is_free[column] = false;
        let pivot = new[column];
        Some(if place % 2 == 0 { pivot } else { -pivot })
    }

    /// Takes rows back until `depth` are held.
    pub fn truncate(&mut self, depth: usize) {
        while self.pivots.len() > depth {
            if let Some(column) = self.pivots.pop() {
                self.is_free[column] = true;
            }
        }
    }

    /// The unknowns for right-hand side `side`, once there are as many rows as unknowns.
    pub fn solve(&self, side: usize, z: &mut [f64]) {
        let (size, width) = (self.size, self.width);
        for r in (0..self.pivots.len()).rev() {
            let row = &self.rows[r * width..(r + 1) * width];
            let later = &self.pivots[r + 1..];
            let known: f64 = later.iter().map(|&j| row[j] * z[j]).sum();
            z[self.pivots[r]] = (row[size + side] - known) / row[self.pivots[r]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn pivots_multiply_to_the_determinant_and_rows_solve_the_system() {
        let mut rng = fastrand::Rng::with_seed(21);
        let mut elimination = RowElimination::default();
        for _ in 0..300 {
            let n = rng.usize(1..9);
            let m = DMatrix::from_fn(n, n, |_, _| rng.f64() - 0.5);
            let b = DMatrix::from_fn(n, 2, |_, _| rng.f64() - 0.5);
            elimination.start(n, 2);
            let mut determinant = 1.0;
            for i in 0..n {
                let row: Vec<f64> = m.row(i).iter().chain(b.row(i).iter()).copied().collect();
                if i > 0 && rng.bool() {
                    // A row taken back leaves no trace.
                    let held = elimination.depth();
                    let other: Vec<f64> = row.iter().map(|x| 1.0 - x * x).collect();
                    elimination.push(&other);
                    elimination.truncate(held);
                }
                determinant *= elimination.push(&row).unwrap();
            }
            let wanted = m.determinant();
            assert!(
                (determinant - wanted).abs() < 1e-12,
                "{determinant} {wanted}"
            );
            let x = m.clone().lu().solve(&b).unwrap();
            for side in 0..2 {
                let mut z = vec![0.0; n];
                elimination.solve(side, &mut z);
                let scale = 1e-11 * x.amax().max(1.0) / wanted.abs().min(1.0);
                for i in 0..n {
                    assert!((z[i] - x[(i, side)]).abs() < scale);
                }
            }
        }
    }

    #[test]
    fn a_row_that_depends_on_earlier_ones_is_not_held() {
        let mut elimination = RowElimination::default();
        elimination.start(2, 1);
        assert!(elimination.push(&[1.0, 2.0, 3.0]).is_some());
        assert_eq!(elimination.push(&[0.1, 0.2, 0.5]), None);
        assert_eq!(elimination.depth(), 1);
        assert!(elimination.push(&[0.0, 1.0, 1.0]).is_some());
    }
}
