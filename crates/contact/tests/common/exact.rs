//! Small linear algebra, complementarity and linear programs in exact rational numbers: the second route of
//! every statement about rank, feasibility and uniqueness.

use num_rational::BigRational;

/// An exact number.
pub(crate) type Q = BigRational;
/// Rows of exact numbers.
pub(crate) type Matrix = Vec<Vec<Q>>;

/// The number a double stands for.
pub(crate) fn exact(x: f64) -> Q {
    Q::from_float(x).unwrap()
}

pub(crate) fn zero() -> Q {
    exact(0.0)
}

pub(crate) fn one() -> Q {
    exact(1.0)
}

pub(crate) fn dot(x: &[Q], y: &[Q]) -> Q {
    x.iter().zip(y).fold(zero(), |sum, (a, b)| sum + a * b)
}

/// `A x` of rows A.
pub(crate) fn times(a: &[Vec<Q>], x: &[Q]) -> Vec<Q> {
    a.iter().map(|row| dot(row, x)).collect()
}

/// The nearest double.
pub(crate) fn double(x: &Q) -> f64 {
    let (n, d) = (x.numer().to_string(), x.denom().to_string());
    // Through decimal digits: both may be beyond the range of doubles.
    let cut = |s: &str| -> (f64, i32) {
        let digits = s.trim_start_matches('-');
        let kept = &digits[..digits.len().min(18)];
        let sign = if s.starts_with('-') { -1.0 } else { 1.0 };
        (
            sign * kept.parse::<f64>().unwrap(),
            (digits.len() - kept.len()) as i32,
        )
    };
    let ((a, i), (b, j)) = (cut(&n), cut(&d));
    a / b * 10f64.powi(i - j)
}

/// Reduced row echelon form in place; the pivot columns.
pub(crate) fn reduce(a: &mut Matrix, columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for c in 0..columns {
        let r = pivots.len();
        let Some(found) = (r..a.len()).find(|&i| a[i][c] != zero()) else {
            continue;
        };
        a.swap(r, found);
        let pivot = a[r][c].clone();
        a[r].iter_mut().for_each(|x| *x = &*x / &pivot);
        let source = a[r].clone();
        for (i, row) in a.iter_mut().enumerate() {
            if i != r && row[c] != zero() {
                let factor = row[c].clone();
                row.iter_mut()
                    .zip(&source)
                    .for_each(|(x, y)| *x = &*x - &factor * y);
            }
        }
        pivots.push(c);
    }
    pivots
}

pub(crate) fn rank(a: &[Vec<Q>]) -> usize {
    let mut a = a.to_vec();
    let columns = a.first().map_or(0, Vec::len);
    reduce(&mut a, columns).len()
}

/// The solution of a square system, if it has one only.
pub(crate) fn solve(a: &[Vec<Q>], b: &[Q]) -> Option<Vec<Q>> {
    let n = b.len();
    let rows = a.iter().zip(b);
    let mut all: Matrix = rows
        .map(|(row, b)| [&row[..], std::slice::from_ref(b)].concat())
        .collect();
    let pivots = reduce(&mut all, n);
    (pivots.len() == n).then(|| all.iter().map(|row| row[n].clone()).collect())
}

/// `0 <= p ⟂ W p + q >= 0` with W positive semidefinite, by trying every set of contacts that push with a
/// regular submatrix: if there is a solution, one of its corners is among them.
pub(crate) fn complementarity(w: &[Vec<Q>], q: &[Q]) -> Option<Vec<Q>> {
    let k = q.len();
    (0..1usize << k).find_map(|set| {
        let on: Vec<usize> = (0..k).filter(|i| set >> i & 1 == 1).collect();
        let part: Matrix = on
            .iter()
            .map(|i| on.iter().map(|j| w[*i][*j].clone()).collect())
            .collect();
        let wanted: Vec<Q> = on.iter().map(|i| -&q[*i]).collect();
        let found = solve(&part, &wanted)?;
        if found.iter().any(|p| *p < zero()) {
            return None;
        }
        let mut p = vec![zero(); k];
        on.iter().zip(found).for_each(|(i, x)| p[*i] = x);
        let slack = times(w, &p);
        let parts = slack.iter().zip(q).all(|(a, b)| a + b >= zero());
        parts.then_some(p)
    })
}

/// What a linear program says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Most {
    Empty,
    Unbounded,
    At(Q),
}

/// Greatest `f·y` over `{y >= 0 : A y = b}`, by the simplex method with Bland's rule.
pub(crate) fn greatest(a: &[Vec<Q>], b: &[Q], f: &[Q]) -> Most {
    let (m, n) = (a.len(), f.len());
    // Rows [A | artificial | b] with b >= 0.
    let mut rows: Matrix = Vec::new();
    for (i, (row, b)) in a.iter().zip(b).enumerate() {
        let sign = if *b < zero() { -one() } else { one() };
        let mut all: Vec<Q> = row.iter().map(|x| x * &sign).collect();
        all.extend((0..m).map(|j| if i == j { one() } else { zero() }));
        all.push(b * &sign);
        rows.push(all);
    }
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut aim = vec![zero(); n];
    aim.extend(vec![-one(); m]);
    if climb(&mut rows, &mut basis, &aim, n + m) != Most::At(zero()) {
        return Most::Empty;
    }
    // Artificial variables leave, or their rows say nothing.
    for r in 0..m {
        if basis[r] >= n
            && let Some(c) = (0..n).find(|&c| rows[r][c] != zero())
        {
            pivot(&mut rows, r, c);
            basis[r] = c;
        }
    }
    let mut aim = f.to_vec();
    aim.extend(vec![zero(); m]);
    climb(&mut rows, &mut basis, &aim, n)
}

fn pivot(rows: &mut Matrix, r: usize, c: usize) {
    let by = rows[r][c].clone();
    rows[r].iter_mut().for_each(|x| *x = &*x / &by);
    let source = rows[r].clone();
    for (i, row) in rows.iter_mut().enumerate() {
        if i != r && row[c] != zero() {
            let factor = row[c].clone();
            row.iter_mut()
                .zip(&source)
                .for_each(|(x, y)| *x = &*x - &factor * y);
        }
    }
}

fn climb(rows: &mut Matrix, basis: &mut [usize], aim: &[Q], width: usize) -> Most {
    let last = aim.len();
    loop {
        let reduced = |c: usize| {
            let rows = rows.iter().zip(basis.iter());
            rows.fold(aim[c].clone(), |sum, (row, b)| sum - &aim[*b] * &row[c])
        };
        let Some(c) = (0..width).find(|c| !basis.contains(c) && reduced(*c) > zero()) else {
            let value = rows.iter().zip(basis.iter());
            return Most::At(value.fold(zero(), |sum, (row, b)| sum + &aim[*b] * &row[last]));
        };
        let mut best: Option<(usize, Q)> = None;
        for r in 0..rows.len() {
            if rows[r][c] <= zero() {
                continue;
            }
            let ratio = &rows[r][last] / &rows[r][c];
            let is_less = match &best {
                None => true,
                Some((k, least)) => ratio < *least || (ratio == *least && basis[r] < basis[*k]),
            };
            if is_less {
                best = Some((r, ratio));
            }
        }
        let Some((r, _)) = best else {
            return Most::Unbounded;
        };
        pivot(rows, r, c);
        basis[r] = c;
    }
}

/// Whether `f·y` is the same over the whole set `{y >= 0 : A y = b}`, which is not empty.
pub(crate) fn is_fixed(a: &[Vec<Q>], b: &[Q], f: &[Q]) -> bool {
    let turned: Vec<Q> = f.iter().map(|x| -x).collect();
    match (greatest(a, b, f), greatest(a, b, &turned)) {
        (Most::At(high), Most::At(low)) => high == -low,
        _ => false,
    }
}

/// Doubles as rows of exact numbers.
pub(crate) fn matrix(rows: &[Vec<f64>]) -> Matrix {
    let row = |row: &Vec<f64>| row.iter().map(|x| exact(*x)).collect();
    rows.iter().map(row).collect()
}

pub(crate) fn transposed(a: &[Vec<Q>], columns: usize) -> Matrix {
    let column = |c: usize| a.iter().map(|row| row[c].clone()).collect();
    (0..columns).map(column).collect()
}

/// `J (M⁻¹ − M⁻¹Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹)`, transposed: what a unit impulse of each row does to the mechanism
/// whose constraints G hold.
pub(crate) fn responses(mass: &[Vec<f64>], rows: &[Vec<f64>], joints: &[Vec<f64>]) -> Matrix {
    let n = mass.len();
    let mass = matrix(mass);
    // Independent constraint rows.
    let g = matrix(joints);
    let mut columns = transposed(&g, n);
    let kept: Matrix = reduce(&mut columns, g.len())
        .into_iter()
        .map(|i| g[i].clone())
        .collect();
    // [M Gᵀ; G 0] (q̇, −λ) = (Jᵀ, 0)
    let m = kept.len();
    let mut whole: Matrix = Vec::new();
    for i in 0..n {
        let mut row = mass[i].clone();
        row.extend(kept.iter().map(|g| g[i].clone()));
        whole.push(row);
    }
    for g in &kept {
        whole.push([&g[..], &vec![zero(); m]].concat());
    }
    let answer = |row: &Vec<f64>| {
        let mut side: Vec<Q> = row.iter().map(|x| exact(*x)).collect();
        side.extend(vec![zero(); m]);
        solve(&whole, &side).unwrap()[..n].to_vec()
    };
    rows.iter().map(answer).collect()
}
