//! Small linear programs: is there a point, and how far does it reach?

/// How far a polyhedron reaches along one direction.
#[derive(Debug, Clone, PartialEq)]
pub enum Reach {
    /// No point satisfies the inequalities.
    Empty,
    /// The objective has no bound.
    Unbounded,
    /// The greatest value and a point that attains it.
    At(f64, Vec<f64>),
}

/// A coefficient below this fraction of the largest of its row is round-off.
const COEFFICIENT_NOISE: f64 = 1e-12;
/// A row that misses zero by less than this fraction of the sizes involved is met.
const ROW_MET: f64 = 1e-11;

/// Pivots allowed; round-off could lead in a circle.
const PIVOTS: usize = 10_000;

/// Greatest `cᵀx` over `{x : G x + h >= 0}`, x free; `rows` holds `(g, h)` pairs.
///
/// The simplex method on a dictionary: each free x takes the place of a slack once and for all, an
/// artificial variable leads to a first point, Bland's rule never comes to a dictionary twice.
pub fn maximise(c: &[f64], rows: &[(Vec<f64>, f64)]) -> Reach {
    let mut dictionary = Dictionary::new(c, rows);
    dictionary.free_variables_enter();
    if !dictionary.finds_a_point() {
        return Reach::Empty;
    }
    match dictionary.climb() {
        true => {
            let x = dictionary.point();
            Reach::At(c.iter().zip(&x).map(|(a, b)| a * b).sum(), x)
        }
        false => Reach::Unbounded,
    }
}

/// Basic variables as affine forms of the others: `y_i = b_i + Σ a_ij y_j`.
///
/// Variables `0..n` are x, `n..n+m` the slacks, `n+m` the artificial one.
struct Dictionary {
    n: usize,
    basic: Vec<usize>,
    others: Vec<usize>,
    /// `[a_i… | b_i]` per basic variable; the last row is the objective.
    rows: Vec<Vec<f64>>,
    /// Size of the constants.
    size: f64,
}

impl Dictionary {
    fn new(c: &[f64], rows: &[(Vec<f64>, f64)]) -> Self {
        let (n, m) = (c.len(), rows.len());
        let row = |(g, h): &(Vec<f64>, f64)| [&g[..], &[*h]].concat();
        let objective = [c, &[0.0]].concat();
        Self {
            n,
            basic: (n..n + m).collect(),
            others: (0..n).collect(),
            rows: rows.iter().map(row).chain([objective]).collect(),
            size: rows
                .iter()
                .fold(0.0, |size, (_, h)| f64::max(size, h.abs())),
        }
    }

    /// Every x that a row depends on becomes basic; it never leaves, being free.
    fn free_variables_enter(&mut self) {
        let m = self.basic.len();
        for column in 0..self.n {
            let is_slack = |i: &usize| self.basic[*i] >= self.n;
            let size = |i: &usize| self.rows[*i][column].abs();
            let best = (0..m)
                .filter(is_slack)
                .max_by(|i, k| size(i).total_cmp(&size(k)));
            if let Some(row) = best.filter(|row| size(row) > COEFFICIENT_NOISE) {
                self.pivot(row, column);
            }
        }
    }

    /// Leads to a point that meets every row; whether there is one.
    fn finds_a_point(&mut self) -> bool {
        let width = self.others.len();
        let constants = (0..self.basic.len()).filter(|i| self.basic[*i] >= self.n);
        let worst = constants.min_by(|i, k| self.rows[*i][width].total_cmp(&self.rows[*k][width]));
        let Some(worst) = worst.filter(|i| self.rows[*i][width] < 0.0) else {
            return true;
        };
        let artificial = self.n + self.basic.len();
        let objective = self.rows.pop().unwrap_or_default();
        for (row, basic) in self.rows.iter_mut().zip(&self.basic) {
            row.insert(width, f64::from(u8::from(*basic >= self.n)));
        }
        let mut aim = vec![0.0; width + 2];
        aim[width] = -1.0;
        self.others.push(artificial);
        self.rows.push(aim);
        let carried = self.rows.len();
        self.rows.insert(
            carried - 1,
            [&objective[..width], &[0.0], &objective[width..]].concat(),
        );
        self.basic.push(usize::MAX); // the objective rides along
        self.pivot(worst, width);
        self.climb();
        let gap = self
            .rows
            .last()
            .and_then(|aim| aim.last())
            .copied()
            .unwrap_or(0.0);
        let is_met = -gap <= ROW_MET * self.size;
        self.drop_artificial(artificial);
        is_met
    }

    /// The artificial variable leaves for good, and the objective takes its place back.
    fn drop_artificial(&mut self, artificial: usize) {
        if let Some(row) = self.basic.iter().position(|b| *b == artificial) {
            let size = |j: &usize| self.rows[row][*j].abs();
            let is_slack = |j: &usize| self.others[*j] >= self.n;
            let columns = (0..self.others.len()).filter(is_slack);
            let best = columns.max_by(|j, k| size(j).total_cmp(&size(k)));
            if let Some(column) = best.filter(|column| size(column) > COEFFICIENT_NOISE) {
                self.pivot(row, column);
            }
        }
        self.rows.pop();
        self.basic.pop(); // the objective is last again
        if let Some(column) = self.others.iter().position(|o| *o == artificial) {
            self.others.remove(column);
            self.rows.iter_mut().for_each(|row| {
                row.remove(column);
            });
        }
    }

    /// Improves the last row as far as it goes; whether it has a bound.
    fn climb(&mut self) -> bool {
        for _ in 0..PIVOTS {
            let width = self.others.len();
            let aim = &self.rows[self.rows.len() - 1];
            let scale = aim[..width].iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            let rises =
                |j: &usize| self.others[*j] >= self.n && aim[*j] > COEFFICIENT_NOISE * scale;
            let free =
                |j: &usize| self.others[*j] < self.n && aim[*j].abs() > COEFFICIENT_NOISE * scale;
            if (0..width).any(|j| free(&j)) {
                return false; // no row depends on it
            }
            let entering = (0..width).filter(rises).min_by_key(|j| self.others[*j]);
            let Some(column) = entering else { return true };
            let Some(row) = self.blocking(column) else {
                return false;
            };
            self.pivot(row, column);
        }
        true
    }

    /// The slack that first comes to zero as a variable grows; of several the one of least index.
    fn blocking(&self, column: usize) -> Option<usize> {
        let width = self.others.len();
        let falls = |i: &usize| {
            let is_slack = self.basic[*i] >= self.n && self.basic[*i] != usize::MAX;
            let row = &self.rows[*i];
            let scale = row[..width].iter().fold(0.0, |s: f64, x| s.max(x.abs()));
            is_slack && row[column] < -COEFFICIENT_NOISE * scale
        };
        let ratio = |i: usize| (self.rows[i][width] / -self.rows[i][column]).max(0.0);
        let rows = (0..self.basic.len()).filter(falls);
        rows.min_by(|&i, &k| {
            let order = ratio(i).total_cmp(&ratio(k));
            order.then(self.basic[i].cmp(&self.basic[k]))
        })
    }

    /// Variable `column` of the others changes places with basic variable `row`.
    fn pivot(&mut self, row: usize, column: usize) {
        let mut source = std::mem::take(&mut self.rows[row]);
        let pivot = source[column];
        source[column] = -1.0;
        source.iter_mut().for_each(|x| *x /= -pivot);
        for (i, target) in self.rows.iter_mut().enumerate() {
            let factor = std::mem::take(target.get_mut(column).unwrap_or(&mut 0.0));
            if i != row && factor != 0.0 {
                target
                    .iter_mut()
                    .zip(&source)
                    .for_each(|(x, y)| *x += factor * y);
            }
        }
        self.rows[row] = source;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    /// x with every other variable at zero.
    fn point(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.n];
        for (basic, row) in self.basic.iter().zip(&self.rows) {
            if let (Some(slot), Some(value)) = (x.get_mut(*basic), row.last()) {
                *slot = *value;
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_rays_and_empty_sets_are_told_apart() {
        // x <= 1, y <= 2, x + y <= 2.5
        let rows = vec![
            (vec![-1.0, 0.0], 1.0),
            (vec![0.0, -1.0], 2.0),
            (vec![-1.0, -1.0], 2.5),
        ];
        match maximise(&[1.0, 2.0], &rows) {
            Reach::At(value, x) => {
                assert!((value - 4.5).abs() < 1e-12);
                assert!((x[0] - 0.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(maximise(&[-1.0, 0.0], &rows), Reach::Unbounded);
        let mut empty = rows;
        empty.push((vec![1.0, 0.0], -2.0));
        assert_eq!(maximise(&[1.0, 0.0], &empty), Reach::Empty);
        assert_eq!(maximise(&[0.0, 0.0], &empty), Reach::Empty);
    }

    /// Story: two feet that share a friction force leave it an interval; a complementarity form of the
    /// program, with every free variable split in two, lost it.
    #[test]
    fn an_interval_far_from_zero_is_found() {
        for (low, high) in [(2.97, 3.78), (-3.78, -2.97), (-1.0, 2.0), (1e-9, 2e-9)] {
            let mut rows = vec![(vec![1.0], -low), (vec![-1.0], high), (vec![1.0], 9.0)];
            rows.push((vec![0.0], 1.0));
            for (c, wanted) in [(1.0, high), (-1.0, -low)] {
                let Reach::At(value, _) = maximise(&[c], &rows) else {
                    panic!("{low} {high}");
                };
                assert!((value - wanted).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_polyhedron_reaches_to_its_furthest_corner() {
        let mut rng = fastrand::Rng::with_seed(9);
        for _ in 0..500 {
            let (n, m) = (rng.usize(1..4), rng.usize(4..9));
            let mut number = || 2.0 * rng.f64() - 1.0;
            let mut rows: Vec<(Vec<f64>, f64)> = (0..m)
                .map(|_| ((0..n).map(|_| number()).collect(), number()))
                .collect();
            let c: Vec<f64> = (0..n).map(|_| number()).collect();
            for j in 0..n {
                for sign in [1.0, -1.0] {
                    let mut g = vec![0.0; n];
                    g[j] = sign;
                    rows.push((g, 3.0));
                }
            }
            let wanted = furthest_corner(&c, &rows);
            match (maximise(&c, &rows), wanted) {
                (Reach::At(value, x), Some(wanted)) => {
                    assert!((value - wanted).abs() < 1e-9, "{value} {wanted}");
                    let meets = |(g, h): &(Vec<f64>, f64)| crate::dot(g, &x) + h > -1e-9;
                    assert!(rows.iter().all(meets));
                }
                (Reach::Empty, None) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Greatest objective over every point where n rows meet and all others hold.
    fn furthest_corner(c: &[f64], rows: &[(Vec<f64>, f64)]) -> Option<f64> {
        let n = c.len();
        let choices = (0..1usize << rows.len()).filter(|set| set.count_ones() as usize == n);
        let corners = choices.filter_map(|set| {
            let chosen: Vec<&(Vec<f64>, f64)> = (0..rows.len())
                .filter(|i| set >> i & 1 == 1)
                .map(|i| &rows[i])
                .collect();
            let matrix = nalgebra::DMatrix::from_fn(n, n, |i, j| chosen[i].0[j]);
            let side = nalgebra::DVector::from_fn(n, |i, _| -chosen[i].1);
            let x = matrix.lu().solve(&side)?;
            let holds = |(g, h): &(Vec<f64>, f64)| crate::dot(g, x.as_slice()) + h > -1e-10;
            rows.iter().all(holds).then(|| crate::dot(c, x.as_slice()))
        });
        corners.reduce(f64::max)
    }

    #[test]
    fn random_boxes_are_measured() {
        let mut rng = fastrand::Rng::with_seed(8);
        for _ in 0..200 {
            let n = rng.usize(1..5);
            let centre: Vec<f64> = (0..n).map(|_| 4.0 * rng.f64() - 2.0).collect();
            let mut rows = Vec::new();
            for j in 0..n {
                for sign in [1.0, -1.0] {
                    let mut g = vec![0.0; n];
                    g[j] = sign;
                    rows.push((g, 0.5 - sign * centre[j]));
                }
            }
            let c: Vec<f64> = (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect();
            let wanted: f64 = c
                .iter()
                .zip(&centre)
                .map(|(a, b)| a * b + 0.5 * a.abs())
                .sum();
            match maximise(&c, &rows) {
                Reach::At(value, _) => assert!((value - wanted).abs() < 1e-10),
                other => panic!("{other:?}"),
            }
        }
    }
}
