//! The motion that contacts ask for, where the impulses behind it nearly cancel.

use carom_numeric::{Lu, dot};

use super::Simultaneous;

/// Impulses that add up to more than so many velocities nearly cancel.
const CANCELLED: f64 = 64.0;
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
    ///
    /// With d the largest component of the rows along each coordinate and s the least of their squares, the
    /// unknowns are `d w` and `s p`: no coefficient is larger than one, and those of the rows are what is left
    /// where a mass is large.
    fn asked_of(&self, pushing: &[usize]) -> Option<(Vec<f64>, Vec<f64>)> {
        let (n, m) = (self.rows.n(), self.rows.n() + pushing.len());
        let rows = || pushing.iter().map(|&i| self.rows.vector(i));
        let along = |c: usize| rows().fold(0.0f64, |most, x| most.max(x[c].abs()));
        let reach: Vec<f64> = (0..n).map(along).collect();
        let moved = reach.iter().filter(|d| **d > 0.0);
        let least = moved.fold(f64::INFINITY, |least, d| least.min(d * d));
        let mut a = vec![0.0; m * m];
        for (c, d) in reach.iter().enumerate() {
            a[c * m + c] = if *d > 0.0 { least / (d * d) } else { 1.0 };
        }
        for (k, x) in rows().enumerate() {
            for c in (0..n).filter(|c| reach[*c] > 0.0) {
                let part = x[c] / reach[c];
                a[c * m + n + k] = -part;
                a[(n + k) * m + c] = part;
            }
        }
        let asked = pushing.iter().map(|&i| -self.q[i]);
        let right: Vec<f64> = std::iter::repeat_n(0.0, n).chain(asked).collect();
        let (mut lu, mut found) = (Lu::new(), vec![0.0; m]);
        if !lu.factor(&a, m) {
            return None;
        }
        lu.solve(&right, &mut found);
        let p: Vec<f64> = found.split_off(n).iter().map(|p| p / least).collect();
        for (w, d) in found.iter_mut().zip(&reach) {
            *w = if *d > 0.0 { *w / d } else { 0.0 };
        }
        let is_finite = found.iter().chain(&p).all(|x| x.is_finite());
        is_finite.then_some((found, p))
    }
}
