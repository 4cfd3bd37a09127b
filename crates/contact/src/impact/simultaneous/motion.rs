//! The motion that contacts ask for, where the impulses behind it nearly cancel.

use carom_numeric::{Lu, dot};

use super::Simultaneous;

/// Impulses that add up to more than so many velocities nearly cancel.
const CANCELLED: f64 = 64.0;
/// Rounds in which rows and columns are scaled to a largest element of one.
const ROUNDS: usize = 16;
/// Contacts of a refined answer pull or approach by no more than this part of the sizes that add up.
const MISSED: f64 = 1e-10;

impl Simultaneous {
    /// The motion of contacts that push, from the velocities they ask for; how far it misses complementarity.
    ///
    /// A light body that heavy ones press has impulses as large as theirs, and its motion is what these leave
    /// after they have cancelled. Rows and motion are solved for together,
    ///
    /// ```text
    /// w − X p = 0,   Xᵀ w = −q
    /// ```
    ///
    /// scaled so that neither is small beside the other: w keeps the digits that `X p` loses. None where
    /// impulses do not cancel, or the contacts that push depend on each other.
    pub(super) fn refine(&mut self) -> Option<f64> {
        let pressed: f64 = self.p.iter().sum();
        let size = self.after_size();
        if pressed <= CANCELLED * size {
            return None;
        }
        let pushing: Vec<usize> = (0..self.p.len()).filter(|&i| self.p[i] > 0.0).collect();
        let (motion, p) = self.asked_of(&pushing)?;
        let slack = |i: usize| self.q[i] + dot(self.rows.vector(i), &motion);
        let slack: Vec<f64> = (0..self.p.len()).map(slack).collect();
        let pulls = p.iter().fold(0.0f64, |most, p| most.max(-p));
        let nears = slack.iter().fold(0.0f64, |most, v| most.max(-v));
        if !(pulls <= MISSED * pressed && nears <= MISSED * size) {
            return None;
        }
        let held = pushing.iter().map(|&i| slack[i].abs());
        let miss = held.fold(nears, f64::max) / size;
        self.p.fill(0.0);
        for (&i, p) in pushing.iter().zip(&p) {
            self.p[i] = p.max(0.0);
        }
        self.jump = motion;
        self.slack = slack;
        Some(miss)
    }

    /// The motion, and the impulses of the contacts that push, that bring these to the velocities they ask for.
    fn asked_of(&self, pushing: &[usize]) -> Option<(Vec<f64>, Vec<f64>)> {
        let (n, m) = (self.rows.n(), self.rows.n() + pushing.len());
        let mut a = vec![0.0; m * m];
        (0..n).for_each(|c| a[c * m + c] = 1.0);
        for (k, &i) in pushing.iter().enumerate() {
            for (c, x) in self.rows.vector(i).iter().enumerate() {
                a[c * m + n + k] = -x;
                a[(n + k) * m + c] = *x;
            }
        }
        let (rows, columns) = scale(&mut a, m);
        let mut right = vec![0.0; m];
        for (k, &i) in pushing.iter().enumerate() {
            right[n + k] = -self.q[i] * rows[n + k];
        }
        let (mut lu, mut found) = (Lu::new(), vec![0.0; m]);
        if !lu.factor(&a, m) {
            return None;
        }
        lu.solve(&right, &mut found);
        found.iter_mut().zip(&columns).for_each(|(x, c)| *x *= c);
        let p = found.split_off(n);
        let is_finite = found.iter().chain(&p).all(|x| x.is_finite());
        is_finite.then_some((found, p))
    }
}

/// Scales rows and columns of a matrix, each by the root of its largest element in turn, until all of these are
/// near one; what they were multiplied by.
fn scale(a: &mut [f64], m: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (vec![1.0; m], vec![1.0; m]);
    let root = |largest: f64| match largest > 0.0 {
        true => largest.sqrt().recip(),
        false => 1.0,
    };
    for _ in 0..ROUNDS {
        let along = |i: usize| a[i * m..(i + 1) * m].iter();
        let most = |list: &mut dyn Iterator<Item = &f64>| list.fold(0.0f64, |s, x| s.max(x.abs()));
        let by_row: Vec<f64> = (0..m).map(|i| root(most(&mut along(i)))).collect();
        let by_column: Vec<f64> = (0..m)
            .map(|j| root(most(&mut a.iter().skip(j).step_by(m))))
            .collect();
        for i in 0..m {
            for j in 0..m {
                a[i * m + j] *= by_row[i] * by_column[j];
            }
            rows[i] *= by_row[i];
            columns[i] *= by_column[i];
        }
    }
    (rows, columns)
}
