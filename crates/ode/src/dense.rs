//! Dense output: the trajectory inside one step.

use crate::coefficients::{DENSE_4, DENSE_5, DENSE_6, DENSE_7, Row};
use crate::problem::State;
use crate::step::{LAST, Trial, stages_of, weighted};

/// Coefficients of the interpolating polynomial.
const TERMS: usize = 8;

/// The trajectory inside one step, of order 7 for the state and 6 for its rate.
///
/// With `θ = (t − t₀)/h` the state is the polynomial of degree 7
///
/// ```text
/// y = c₀ + θ(c₁ + (1−θ)(c₂ + θ(c₃ + (1−θ)(c₄ + θ(c₅ + (1−θ)(c₆ + θ c₇))))))
/// ```
///
/// which meets the states and the rates at both ends. Outside the step it extrapolates. Cloning
/// it keeps the segment beyond the step.
///
/// Reference: `HairerNorsettWanner1993`.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseStep<S> {
    start: f64,
    end: f64,
    c: [S; TERMS],
}

#[inline(always)]
fn dense_sum<S: State, const M: usize>(out: &mut S, row: &Row<M>, trial: &Trial<S>) {
    let out = out.as_mut();
    let n = out.len();
    let k = stages_of(row, &trial.k, n);
    for i in 0..n {
        out[i] = trial.h() * weighted(row, &k, i);
    }
}

impl<S: State> DenseStep<S> {
    pub(crate) fn new(y: &S) -> Self {
        Self {
            start: 0.0,
            end: 0.0,
            c: std::array::from_fn(|_| y.clone()),
        }
    }

    /// Reads the coefficients off a finished step.
    pub(crate) fn fill(&mut self, trial: &Trial<S>) {
        (self.start, self.end) = (trial.t, trial.t_new);
        let h = trial.h();
        let n = trial.y.as_ref().len();
        for i in 0..n {
            let y = trial.y.as_ref()[i];
            let rise = trial.y_new.as_ref()[i] - y;
            let bend = h * trial.k[0].as_ref()[i] - rise;
            self.c[0].as_mut()[i] = y;
            self.c[1].as_mut()[i] = rise;
            self.c[2].as_mut()[i] = bend;
            self.c[3].as_mut()[i] = rise - h * trial.k[LAST].as_ref()[i] - bend;
        }
        dense_sum(&mut self.c[4], &DENSE_4, trial);
        dense_sum(&mut self.c[5], &DENSE_5, trial);
        dense_sum(&mut self.c[6], &DENSE_6, trial);
        dense_sum(&mut self.c[7], &DENSE_7, trial);
    }

    /// Start of the step (s).
    pub fn start(&self) -> f64 {
        self.start
    }

    /// End of the step (s).
    pub fn end(&self) -> f64 {
        self.end
    }

    /// State and rate at time `t`.
    ///
    /// # Panics
    ///
    /// When `y` or `dy` is shorter than the state.
    pub fn eval(&self, t: f64, y: &mut [f64], dy: &mut [f64]) {
        let h = self.end - self.start;
        let theta = if h == 0.0 { 0.0 } else { (t - self.start) / h };
        self.eval_fraction(theta, y, dy);
    }

    /// State and rate at the fraction `theta` of the step.
    #[inline]
    pub(crate) fn eval_fraction(&self, theta: f64, y: &mut [f64], dy: &mut [f64]) {
        let n = self.c[0].as_ref().len();
        let c: [&[f64]; TERMS] = std::array::from_fn(|j| &self.c[j].as_ref()[..n]);
        let (y, dy) = (&mut y[..n], &mut dy[..n]);
        let h = self.end - self.start;
        let per_second = if h == 0.0 { 0.0 } else { 1.0 / h };
        let rest = 1.0 - theta;
        for i in 0..n {
            let (mut p, mut slope) = (c[TERMS - 1][i], 0.0);
            for j in (0..TERMS - 1).rev() {
                if j % 2 == 0 {
                    slope = p + theta * slope;
                    p = c[j][i] + theta * p;
                } else {
                    slope = rest * slope - p;
                    p = c[j][i] + rest * p;
                }
            }
            y[i] = p;
            dy[i] = slope * per_second;
        }
    }
}
