//! Linear equations of any rank, with what is known of their solution.

use super::system::FACE;

/// An equation or inequality over the unknowns: `g·z + h`.
pub(super) type Form = (Vec<f64>, f64);

/// Elements of rows are known to this fraction of themselves.
const ROWS_KNOWN: f64 = 1e-13;

/// An element that elimination leaves of larger terms is zero below this fraction of them.
const DEPENDENT: f64 = 1e-12;

/// Dependent equations agree when they miss each other by less than this fraction of their terms.
const COMPATIBLE: f64 = 1e-11;

/// A point, and how far each unknown may be from what exact arithmetic gives.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) z: Vec<f64>,
    pub(super) error: Vec<f64>,
}

/// The solutions of some equations: a point and the directions in which others lie.
pub(super) struct Affine {
    pub(super) point: Point,
    pub(super) directions: Vec<Vec<f64>>,
}

/// Equations freed of each other: `T G`, and how.
struct Reduced<'a> {
    equations: &'a [Form],
    size: usize,
    /// `T G`, row by row, and the size of what each element was made of on the way.
    left: Vec<f64>,
    terms: Vec<f64>,
    /// T, row by row.
    made_of: Vec<f64>,
    /// Unknown that a row determines.
    pivot: Vec<Option<usize>>,
    is_free: Vec<bool>,
}

/// The solutions of equations `g·z + h = 0`; `None` where they contradict each other.
///
/// Gauss and Jordan with the largest pivot of all. An element is zero when it is round-off of the terms it
/// is the sum of, so that parts of a problem that do not act on each other are judged each by itself.
pub(super) fn affine(equations: &[Form], size: usize) -> Option<Affine> {
    let mut reduced = Reduced::new(equations, size);
    while let Some((row, column)) = reduced.next_pivot() {
        reduced.eliminate(row, column);
    }
    let mut z = vec![0.0; size];
    for _ in 0..2 {
        let rest = reduced.residuals(&z);
        for (row, pivot) in reduced.pivot.iter().enumerate() {
            if let Some(j) = pivot {
                z[*j] += reduced.combined(row, &rest);
            }
        }
    }
    let (rest, terms) = (reduced.residuals(&z), reduced.sizes(&z));
    let mut error = vec![0.0; size];
    // T itself is known as well: residuals of round-off leave the square of it even where nothing acts.
    let least = ROWS_KNOWN * ROWS_KNOWN * terms.iter().fold(0.0, |most, x| f64::max(most, *x));
    for (row, pivot) in reduced.pivot.iter().enumerate() {
        let size = reduced.weighed(row, &terms);
        match pivot {
            Some(j) => error[*j] = ROWS_KNOWN * size + least,
            None if reduced.combined(row, &rest).abs() > COMPATIBLE * size + least => return None,
            None => {}
        }
    }
    Some(Affine {
        directions: reduced.directions(),
        point: Point { z, error },
    })
}

fn subtract(from: &mut [f64], factor: f64, list: &[f64]) {
    let pairs = from.iter_mut().zip(list);
    pairs.for_each(|(x, y)| *x -= factor * y);
}

impl<'a> Reduced<'a> {
    fn new(equations: &'a [Form], size: usize) -> Self {
        let m = equations.len();
        let left: Vec<f64> = equations.iter().flat_map(|(g, _)| g.clone()).collect();
        let mut made_of = vec![0.0; m * m];
        (0..m).for_each(|i| made_of[i * m + i] = 1.0);
        Self {
            equations,
            size,
            terms: left.iter().map(|x| x.abs()).collect(),
            left,
            made_of,
            pivot: vec![None; m],
            is_free: vec![true; size],
        }
    }

    /// The largest element left in a row and a column without pivot; what is round-off becomes zero.
    fn next_pivot(&mut self) -> Option<(usize, usize)> {
        loop {
            let (mut best, mut most) = (None, 0.0);
            for row in (0..self.pivot.len()).filter(|row| self.pivot[*row].is_none()) {
                for column in (0..self.size).filter(|column| self.is_free[*column]) {
                    let size = self.left[row * self.size + column].abs();
                    if size > most {
                        (best, most) = (Some((row, column)), size);
                    }
                }
            }
            let (row, column) = best?;
            if most > DEPENDENT * self.terms[row * self.size + column] {
                return best;
            }
            self.left[row * self.size + column] = 0.0;
        }
    }

    fn eliminate(&mut self, row: usize, column: usize) {
        self.pivot[row] = Some(column);
        self.is_free[column] = false;
        let (size, m) = (self.size, self.pivot.len());
        let pivot = self.left[row * size + column];
        let scaled = |list: &mut [f64], width: usize, by: f64| -> Vec<f64> {
            let own = &mut list[row * width..(row + 1) * width];
            own.iter_mut().for_each(|x| *x /= by);
            own.to_vec()
        };
        let left = scaled(&mut self.left, size, pivot);
        let terms = scaled(&mut self.terms, size, pivot.abs());
        let made_of = scaled(&mut self.made_of, m, pivot);
        for other in (0..m).filter(|other| *other != row) {
            let at = other * size + column;
            let factor = std::mem::take(&mut self.left[at]);
            // Round-off is taken out before it spreads to columns where nothing tells it from a number.
            if factor.abs() > DEPENDENT * self.terms[at] {
                subtract(
                    &mut self.left[other * size..(other + 1) * size],
                    factor,
                    &left,
                );
                subtract(
                    &mut self.made_of[other * m..(other + 1) * m],
                    factor,
                    &made_of,
                );
                let own = &mut self.terms[other * size..(other + 1) * size];
                subtract(own, -factor.abs(), &terms);
                self.left[at] = 0.0;
            }
        }
    }

    /// `−h − g·z` of each equation.
    fn residuals(&self, z: &[f64]) -> Vec<f64> {
        let rest = |(g, h): &Form| -h - carom_numeric::dot(g, z);
        self.equations.iter().map(rest).collect()
    }

    /// Size of the terms of each equation.
    fn sizes(&self, z: &[f64]) -> Vec<f64> {
        let size = |(g, h): &Form| {
            let terms = g.iter().zip(z).map(|(a, b)| (a * b).abs());
            h.abs() + terms.sum::<f64>()
        };
        self.equations.iter().map(size).collect()
    }

    /// A row of T times a list.
    fn combined(&self, row: usize, list: &[f64]) -> f64 {
        let m = self.pivot.len();
        carom_numeric::dot(&self.made_of[row * m..(row + 1) * m], list)
    }

    /// The same of sizes.
    fn weighed(&self, row: usize, sizes: &[f64]) -> f64 {
        let m = self.pivot.len();
        let own = self.made_of[row * m..(row + 1) * m].iter();
        own.zip(sizes).map(|(t, size)| t.abs() * size).sum()
    }

    /// One direction per unknown that no row determines.
    fn directions(&self) -> Vec<Vec<f64>> {
        let free = (0..self.size).filter(|column| self.is_free[*column]);
        let direction = |column: usize| {
            let mut direction = vec![0.0; self.size];
            direction[column] = 1.0;
            for (row, pivot) in self.pivot.iter().enumerate() {
                let at = row * self.size + column;
                let is_some = self.left[at].abs() > FACE * self.terms[at];
                if let (Some(j), true) = (pivot, is_some) {
                    direction[*j] = -self.left[at];
                }
            }
            direction
        };
        free.map(direction).collect()
    }
}
