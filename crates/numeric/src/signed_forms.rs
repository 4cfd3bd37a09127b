//! Linear forms with demanded signs: is there a point, and can a form be strictly positive?

use crate::dot;

/// Sign that a variable or a form must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Either.
    Any,
    /// `>= 0`.
    NotNegative,
    /// `<= 0`.
    NotPositive,
    /// `= 0`.
    Zero,
}

/// Whether every demand can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Multipliers of the forms as given prove that no point exists, not even nearly.
    Nowhere,
    /// There is a point, or round-off hides whether there is.
    Somewhere,
}

/// Forms `w = A y + b` of variables `y`, as given: rows of A and entries of b of the order of one.
#[derive(Debug, Clone)]
pub struct SignedForms {
    columns: usize,
    matrix: Vec<f64>,
    constants: Vec<f64>,
}

/// A corner of the set in which demands hold: all variables but the basic ones are zero.
///
/// Demands may be sharpened one after another, so that a tree of ever stricter demands shares its
/// work. What is refused is proved by multipliers of the forms as given: round-off of the pivots
/// decides nothing.
#[derive(Debug, Clone)]
pub struct SignedCorner<'a> {
    forms: &'a SignedForms,
    /// Rows `[a… | constant]`, one per basic variable.
    rows: Vec<f64>,
    basic: Vec<usize>,
    others: Vec<usize>,
    /// Per variable, then per form.
    sign: Vec<Sign>,
    /// What a demand may be missed by; larger where round-off hides whether it holds.
    room: Vec<f64>,
}

/// A demand that is missed by less holds.
const DEMAND_MET: f64 = 1e-12;

/// Beyond this, in units of the multipliers, demands contradict each other.
const CONTRADICTION: f64 = 1e-9;

/// A form that cannot exceed this, in units of the multipliers, is not strictly positive.
const STRICT: f64 = 1e-12;

/// A form above this is strictly positive.
const CLEAR: f64 = 1e-10;

/// An element below this fraction of its row is round-off.
const ROW_NOISE: f64 = 1e-11;

/// Pivots per form until a question is left open.
const PIVOTS: usize = 12;

impl SignedForms {
    /// Forms with the rows `matrix`, `columns` numbers each, and their constants.
    ///
    /// # Panics
    ///
    /// When the matrix has not one row per constant.
    pub fn new(columns: usize, matrix: Vec<f64>, constants: Vec<f64>) -> Self {
        assert_eq!(matrix.len(), columns * constants.len(), "one row per form");
        Self {
            columns,
            matrix,
            constants,
        }
    }

    /// The corner `y = 0`, where variables are not negative and forms are free.
    pub fn corner(&self) -> SignedCorner<'_> {
        let (n, m) = (self.columns, self.constants.len());
        let mut rows = Vec::with_capacity(m * (n + 1));
        for (i, constant) in self.constants.iter().enumerate() {
            rows.extend_from_slice(&self.matrix[i * n..(i + 1) * n]);
            rows.push(*constant);
        }
        let mut sign = vec![Sign::NotNegative; n];
        sign.resize(n + m, Sign::Any);
        SignedCorner {
            forms: self,
            rows,
            basic: (n..n + m).collect(),
            others: (0..n).collect(),
            sign,
            room: vec![DEMAND_MET; n + m],
        }
    }
}

impl SignedCorner<'_> {
    /// Demands a sign of variable `index`.
    pub fn demand_variable(&mut self, index: usize, sign: Sign) {
        self.sign[index] = sign;
    }

    /// Demands a sign of form `index`.
    pub fn demand_form(&mut self, index: usize, sign: Sign) {
        self.sign[self.forms.columns + index] = sign;
    }

    fn width(&self) -> usize {
        self.others.len() + 1
    }

    fn row(&self, r: usize) -> &[f64] {
        &self.rows[r * self.width()..(r + 1) * self.width()]
    }

    fn value(&self, r: usize) -> f64 {
        self.rows[(r + 1) * self.width() - 1]
    }

    /// The sense in which basic variable `r` must move to meet its demand, and how far.
    fn missed(&self, r: usize) -> Option<(f64, f64)> {
        let (variable, value) = (self.basic[r], self.value(r));
        let is_below = value < -self.room[variable];
        let is_above = value > self.room[variable];
        match self.sign[variable] {
            Sign::NotNegative | Sign::Zero if is_below => Some((1.0, -value)),
            Sign::NotPositive | Sign::Zero if is_above => Some((-1.0, value)),
            _ => None,
        }
    }

    /// Whether moving the variable of a column as its sign allows moves a row by `slope` upwards.
    fn helps(&self, column: usize, slope: f64) -> bool {
        match self.sign[self.others[column]] {
            Sign::Any => slope != 0.0,
            Sign::NotNegative => slope > 0.0,
            Sign::NotPositive => slope < 0.0,
            Sign::Zero => false,
        }
    }

    /// The column that moves row `r` most in a sense.
    fn entering(&self, r: usize, sense: f64) -> Option<usize> {
        let row = &self.row(r)[..self.others.len()];
        let most = row.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let mut best = None;
        let mut largest = ROW_NOISE * most.max(1.0);
        for (column, slope) in row.iter().enumerate() {
            if slope.abs() > largest && self.helps(column, sense * slope) {
                (best, largest) = (Some(column), slope.abs());
            }
        }
        best
    }

    /// Looks for a point in which every demand holds.
    pub fn settle(&mut self) -> Settled {
        for _ in 0..PIVOTS * self.basic.len() {
            let missed = (0..self.basic.len()).filter_map(|r| Some((r, self.missed(r)?)));
            let worst = missed.max_by(|a, b| a.1.1.total_cmp(&b.1.1));
            let Some((r, (sense, by))) = worst else {
                return Settled::Somewhere;
            };
            match self.entering(r, sense) {
                Some(column) => self.pivot(r, column),
                None => match self.bound(r, sense) {
                    Some(bound) if bound < -CONTRADICTION => return Settled::Nowhere,
                    _ => self.room[self.basic[r]] = 2.0 * by,
                },
            }
        }
        Settled::Somewhere
    }

    /// Whether form `index`, times `sense`, can be strictly positive where every demand holds, as far
    /// as can be told. To be asked after [`SignedCorner::settle`].
    pub fn can_be_positive(&mut self, index: usize, sense: f64) -> bool {
        let variable = self.forms.columns + index;
        match self.sign[variable] {
            Sign::Zero => return false,
            Sign::NotNegative if sense < 0.0 => return false,
            Sign::NotPositive if sense > 0.0 => return false,
            _ => {}
        }
        for _ in 0..PIVOTS * self.basic.len() {
            let Some(r) = self.basic.iter().position(|b| *b == variable) else {
                if !self.take_in(variable, sense) {
                    return true;
                }
                continue;
            };
            if sense * self.value(r) > CLEAR {
                return true;
            }
            let Some(column) = self.entering(r, sense) else {
                return self.bound(r, sense).is_none_or(|bound| bound > STRICT);
            };
            match self.blocking(r, column, sense) {
                Some(row) => self.pivot(row, column),
                None => return true,
            }
        }
        true
    }

    /// Makes a variable basic by growing it; whether something stops it.
    fn take_in(&mut self, variable: usize, sense: f64) -> bool {
        let Some(column) = self.others.iter().position(|o| *o == variable) else {
            return false;
        };
        match self.stop(column, sense, None) {
            Some(row) => {
                self.pivot(row, column);
                true
            }
            None => false,
        }
    }

    /// The row that first stops row `r` from moving in a sense along a column.
    fn blocking(&self, r: usize, column: usize, sense: f64) -> Option<usize> {
        let slope = sense * self.row(r)[column];
        self.stop(column, slope.signum(), Some(r))
    }

    /// The row that first comes to its bound as the variable of a column moves.
    fn stop(&self, column: usize, direction: f64, except: Option<usize>) -> Option<usize> {
        let mut best: Option<(usize, f64, f64)> = None;
        for r in (0..self.basic.len()).filter(|r| Some(*r) != except) {
            let row = self.row(r);
            let slope = direction * row[column];
            let most = row[..self.others.len()]
                .iter()
                .fold(1.0f64, |most, x| most.max(x.abs()));
            let falls = match self.sign[self.basic[r]] {
                Sign::Any => continue,
                Sign::Zero => slope != 0.0,
                Sign::NotNegative => slope < 0.0,
                Sign::NotPositive => slope > 0.0,
            };
            if !falls || slope.abs() <= ROW_NOISE * most {
                continue;
            }
            let room = match self.sign[self.basic[r]] {
                Sign::NotNegative => self.value(r).max(0.0),
                Sign::NotPositive => (-self.value(r)).max(0.0),
                _ => 0.0,
            };
            let step = room / slope.abs();
            let is_first = best.is_none_or(|(_, least, size)| {
                step < least || (step == least && slope.abs() > size)
            });
            if is_first {
                best = Some((r, step, slope.abs()));
            }
        }
        best.map(|(r, ..)| r)
    }

    /// Upper bound of basic variable `r` times `sense`, in units of the multipliers that prove it from
    /// the forms as given; none where they do not.
    fn bound(&self, r: usize, sense: f64) -> Option<f64> {
        let n = self.forms.columns;
        let form = |i: usize| &self.forms.matrix[i * n..(i + 1) * n];
        let mut left = vec![0.0; n];
        let (mut constant, mut size) = (0.0, 1.0);
        match self.basic[r].checked_sub(n) {
            Some(i) => {
                let own = form(i).iter().map(|x| sense * x);
                left.iter_mut().zip(own).for_each(|(a, b)| *a = b);
                constant = sense * self.forms.constants[i];
            }
            None => left[self.basic[r]] = sense,
        }
        for (column, slope) in self.row(r)[..self.others.len()].iter().enumerate() {
            let slope = sense * slope;
            let Some(i) = self.others[column].checked_sub(n) else {
                continue;
            };
            if slope == 0.0 || self.helps(column, slope) {
                continue; // round-off: what it would add is judged with the variables
            }
            left.iter_mut()
                .zip(form(i))
                .for_each(|(a, b)| *a -= slope * b);
            constant -= slope * self.forms.constants[i];
            size += slope.abs();
        }
        let is_proof = |(g, x): (usize, &f64)| match self.sign[g] {
            Sign::Zero => true,
            Sign::NotNegative => *x <= ROW_NOISE * size,
            Sign::NotPositive => *x >= -ROW_NOISE * size,
            Sign::Any => x.abs() <= ROW_NOISE * size,
        };
        let holds = left.iter().enumerate().all(is_proof);
        holds.then_some(constant / size)
    }

    /// Variable `column` of the others changes places with basic variable `r`.
    fn pivot(&mut self, r: usize, column: usize) {
        let width = self.width();
        let mut source = self.row(r).to_vec();
        let pivot = source[column];
        source[column] = -1.0;
        source.iter_mut().for_each(|x| *x /= -pivot);
        for (i, target) in self.rows.chunks_exact_mut(width).enumerate() {
            let factor = std::mem::take(&mut target[column]);
            if i != r && factor != 0.0 {
                let pairs = target.iter_mut().zip(&source);
                pairs.for_each(|(x, y)| *x += factor * y);
            }
        }
        self.rows[r * width..(r + 1) * width].copy_from_slice(&source);
        std::mem::swap(&mut self.basic[r], &mut self.others[column]);
    }

    /// The variables y at this corner.
    pub fn point(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.forms.columns];
        for (r, basic) in self.basic.iter().enumerate() {
            if let Some(slot) = y.get_mut(*basic) {
                *slot = self.value(r);
            }
        }
        y
    }

    /// The forms at this corner, from the rows as given.
    pub fn forms(&self) -> Vec<f64> {
        let (n, y) = (self.forms.columns, self.point());
        let constants = self.forms.constants.iter().enumerate();
        let value = |(i, b): (usize, &f64)| dot(&self.forms.matrix[i * n..(i + 1) * n], &y) + b;
        constants.map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear_program::{Reach, maximise};

    const SIGNS: [Sign; 4] = [Sign::Any, Sign::NotNegative, Sign::NotPositive, Sign::Zero];

    /// The demands as rows of a linear program over y.
    fn program(forms: &SignedForms, signs: &[Sign]) -> Vec<(Vec<f64>, f64)> {
        let n = forms.columns;
        let mut rows = Vec::new();
        for j in 0..n {
            let mut g = vec![0.0; n];
            g[j] = 1.0;
            rows.push((g, 0.0));
        }
        for (i, sign) in signs.iter().enumerate() {
            let g = forms.matrix[i * n..(i + 1) * n].to_vec();
            let (h, minus) = (forms.constants[i], g.iter().map(|x| -x).collect::<Vec<_>>());
            if matches!(sign, Sign::NotNegative | Sign::Zero) {
                rows.push((g, h));
            }
            if matches!(sign, Sign::NotPositive | Sign::Zero) {
                rows.push((minus, -h));
            }
        }
        rows
    }

    /// A corner with the demands, sharpened one after another; none where one cannot hold.
    fn sharpened<'a>(forms: &'a SignedForms, signs: &[Sign]) -> Option<SignedCorner<'a>> {
        let mut corner = forms.corner();
        for (i, sign) in signs.iter().enumerate() {
            corner.demand_form(i, *sign);
            if corner.settle() == Settled::Nowhere {
                return None;
            }
        }
        Some(corner)
    }

    #[test]
    fn demands_sharpened_one_by_one_agree_with_linear_programs() {
        let mut rng = fastrand::Rng::with_seed(31);
        let mut seen = [0; 4];
        for _ in 0..2000 {
            let (n, m) = (rng.usize(1..6), rng.usize(1..7));
            let mut matrix: Vec<f64> = (0..n * m).map(|_| 2.0 * rng.f64() - 1.0).collect();
            let mut constants: Vec<f64> = (0..m).map(|_| 2.0 * rng.f64() - 1.0).collect();
            if m > 1 && rng.bool() {
                matrix.copy_within(0..n, n * (m - 1)); // a form twice
                constants[m - 1] = constants[0];
            }
            let signs: Vec<Sign> = (0..m).map(|_| SIGNS[rng.usize(0..4)]).collect();
            let forms = SignedForms::new(n, matrix, constants);
            let rows = program(&forms, &signs);
            let is_empty = maximise(&vec![0.0; n], &rows) == Reach::Empty;
            let Some(mut corner) = sharpened(&forms, &signs) else {
                assert!(is_empty);
                seen[0] += 1;
                continue;
            };
            assert!(!is_empty);
            for (value, sign) in corner.forms().iter().zip(&signs) {
                let is_met = match sign {
                    Sign::Any => true,
                    Sign::NotNegative => *value > -1e-9,
                    Sign::NotPositive => *value < 1e-9,
                    Sign::Zero => value.abs() < 1e-9,
                };
                assert!(is_met && corner.point().iter().all(|y| *y > -1e-9));
            }
            seen[1] += 1;
            let sense = if rng.bool() { 1.0 } else { -1.0 };
            let c: Vec<f64> = forms.matrix[..n].iter().map(|x| sense * x).collect();
            let wanted = match maximise(&c, &rows) {
                Reach::At(value, _) => value + sense * forms.constants[0] > 1e-9,
                Reach::Unbounded => true,
                Reach::Empty => panic!("there is a point"),
            };
            assert_eq!(corner.can_be_positive(0, sense), wanted);
            seen[2 + usize::from(wanted)] += 1;
        }
        assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
    }
}
