//! One step of the Dormand–Prince method of order 8(5,3).

use crate::Error;
use crate::coefficients::*;
use crate::dense::DenseStep;
use crate::measure::Measure;
use crate::problem::{Flow, Problem, State};

/// Stages of a step, those of the dense output included.
const STAGES: usize = 16;
/// Stage that holds the rate at the end of the step.
pub(crate) const LAST: usize = 12;
/// Stages at 0, 1/3, 0.65, 0.86 and 1 of the step.
const SPREAD: [usize; 5] = [0, 5, 8, 10, LAST];
/// Weight of the third-order estimate in the combined error.
const THIRD_ORDER_WEIGHT: f64 = 0.01;

/// A step from `(t, y)` to `(t_new, y_new)` with its stages; every array is allocated once.
#[derive(Debug, Clone)]
pub(crate) struct Trial<S> {
    pub(crate) t: f64,
    pub(crate) t_new: f64,
    pub(crate) y: S,
    pub(crate) y_new: S,
    /// Rates at the stages; `k[0]` at the start, `k[LAST]` at the end.
    pub(crate) k: [S; STAGES],
    /// State at the stage under way.
    pub(crate) stage: S,
}

/// `out = y + h Σ weight k`
#[inline(always)]
fn combine<S: State, const M: usize>(out: &mut S, y: &S, h: f64, row: &Row<M>, k: &[S; STAGES]) {
    let (out, y) = (out.as_mut(), y.as_ref());
    let n = out.len();
    let k = stages_of(row, k, n);
    match n {
        // As many numbers as one or two bodies have: without a loop over them.
        2 => combine_few::<2, M>(out, y, h, row, k),
        4 => combine_few::<4, M>(out, y, h, row, k),
        _ => combine_many(out, y, h, row, k),
    }
}

#[inline(always)]
fn combine_many<const M: usize>(out: &mut [f64], y: &[f64], h: f64, row: &Row<M>, k: [&[f64]; M]) {
    let n = out.len();
    let y = &y[..n];
    for i in 0..n {
        out[i] = y[i] + h * weighted(row, &k, i);
    }
}

/// The same of `N` numbers.
#[inline(always)]
fn combine_few<const N: usize, const M: usize>(
    out: &mut [f64],
    y: &[f64],
    h: f64,
    row: &Row<M>,
    k: [&[f64]; M],
) {
    let (out, y) = (&mut out[..N], &y[..N]);
    let mut sums = [0.0; N]; // in the order of `weighted`
    for (weight, k) in row.weight.iter().zip(k) {
        for (sum, k) in sums.iter_mut().zip(&k[..N]) {
            *sum += weight * k;
        }
    }
    for i in 0..N {
        out[i] = y[i] + h * sums[i];
    }
}

/// The stages that enter a row, each with `n` components.
#[inline(always)]
pub(crate) fn stages_of<'a, S: State, const M: usize>(
    row: &Row<M>,
    k: &'a [S; STAGES],
    n: usize,
) -> [&'a [f64]; M] {
    let mut stages: [&[f64]; M] = [&[]; M];
    for j in 0..M {
        stages[j] = &k[row.from[j]].as_ref()[..n];
    }
    stages
}

/// `Σ weight k_i` of component `i`
#[inline(always)]
pub(crate) fn weighted<const M: usize>(row: &Row<M>, k: &[&[f64]; M], i: usize) -> f64 {
    let mut sum = 0.0;
    for j in 0..M {
        sum += row.weight[j] * k[j][i];
    }
    sum
}

/// Whether every component is a finite number.
pub(crate) fn is_finite<S: State>(x: &S) -> bool {
    x.as_ref().iter().all(|a| a.is_finite())
}

impl<S: State> Trial<S> {
    pub(crate) fn new(y: S) -> Self {
        Self {
            t: 0.0,
            t_new: 0.0,
            y_new: y.clone(),
            k: std::array::from_fn(|_| y.clone()),
            stage: y.clone(),
            y,
        }
    }

    /// Length of the step (s).
    pub(crate) fn h(&self) -> f64 {
        self.t_new - self.t
    }

    /// Rate at the start, `k[0]`; must be finite.
    pub(crate) fn refresh<P: Problem>(
        &mut self,
        flow: &mut Flow<'_, P>,
    ) -> Result<(), Error<P::Failure>> {
        flow.rate(self.t, self.y.as_ref(), self.k[0].as_mut())?;
        if is_finite(&self.k[0]) {
            Ok(())
        } else {
            Err(Error::NonFiniteRate { t: self.t })
        }
    }

    #[inline(always)]
    fn take<P: Problem, const M: usize>(
        &mut self,
        flow: &mut Flow<'_, P>,
        stage: usize,
        row: &Row<M>,
    ) -> Result<(), Error<P::Failure>> {
        let h = self.h();
        combine(&mut self.stage, &self.y, h, row, &self.k);
        let t = if row.node == 1.0 {
            self.t_new
        } else {
            self.t + row.node * h
        };
        flow.rate(t, self.stage.as_ref(), self.k[stage].as_mut())
    }

    /// The eleven stages after the first, and the solution `y_new`.
    pub(crate) fn run<P: Problem>(
        &mut self,
        flow: &mut Flow<'_, P>,
    ) -> Result<(), Error<P::Failure>> {
        self.take(flow, 1, &STAGE_1)?;
        self.take(flow, 2, &STAGE_2)?;
        self.take(flow, 3, &STAGE_3)?;
        self.take(flow, 4, &STAGE_4)?;
        self.take(flow, 5, &STAGE_5)?;
        self.take(flow, 6, &STAGE_6)?;
        self.take(flow, 7, &STAGE_7)?;
        self.take(flow, 8, &STAGE_8)?;
        self.take(flow, 9, &STAGE_9)?;
        self.take(flow, 10, &STAGE_10)?;
        self.take(flow, 11, &STAGE_11)?;
        let h = self.h();
        combine(&mut self.y_new, &self.y, h, &SOLUTION, &self.k);
        Ok(())
    }

    /// The end as the problem settles it, and the rate there: the first stage of the next step.
    pub(crate) fn finish<P: Problem>(
        &mut self,
        flow: &mut Flow<'_, P>,
    ) -> Result<(), Error<P::Failure>> {
        flow.problem.settle(self.t_new, self.y_new.as_mut());
        flow.rate(self.t_new, self.y_new.as_ref(), self.k[LAST].as_mut())
    }

    /// Largest magnitude of each component's rate at stages spread over a finished step.
    #[inline]
    pub(crate) fn largest_rates(&self, out: &mut [f64]) {
        let n = out.len();
        let k: [&[f64]; SPREAD.len()] = std::array::from_fn(|j| &self.k[SPREAD[j]].as_ref()[..n]);
        for i in 0..n {
            let larger = |a: f64, b: f64| if b > a { b } else { a };
            out[i] = k.iter().fold(0.0, |most, k| larger(most, k[i].abs()));
        }
    }

    /// `h |λ|` as the last two stages of a finished step show it, both at its end; the dense output
    /// must not have been computed.
    ///
    /// Reference: `HairerNorsettWanner1993` (detection of stiffness).
    pub(crate) fn stability(&self, measure: &Measure<S>) -> f64 {
        let (mut rates, mut states) = (0.0, 0.0);
        for i in 0..self.y.as_ref().len() {
            let dk = self.k[LAST].as_ref()[i] - self.k[LAST - 1].as_ref()[i];
            let dy = self.y_new.as_ref()[i] - self.stage.as_ref()[i];
            let size = measure.sizes.as_ref()[i];
            rates += (dk / size) * (dk / size);
            states += (dy / size) * (dy / size);
        }
        if states > 0.0 {
            self.h() * (rates / states).sqrt()
        } else {
            0.0
        }
    }

    /// Error of the step over the tolerance; the step is good up to 1.
    ///
    /// With `‖·‖` the root mean square of the components, each over its tolerance:
    ///
    /// ```text
    /// err = h ‖e₅‖² / √(‖e₅‖² + 0.01 ‖e₃‖²)
    /// ```
    pub(crate) fn error(&self, measure: &Measure<S>) -> f64 {
        let n = self.y.as_ref().len();
        let (y, y_new) = (&self.y.as_ref()[..n], &self.y_new.as_ref()[..n]);
        let k5 = stages_of(&ERROR_5, &self.k, n);
        let k3 = stages_of(&ERROR_3, &self.k, n);
        let (mut fifth, mut third) = (0.0, 0.0);
        for i in 0..n {
            let scale = measure.tolerance(i, y[i], y_new[i]);
            let (e5, e3) = (weighted(&ERROR_5, &k5, i), weighted(&ERROR_3, &k3, i));
            fifth += (e5 / scale) * (e5 / scale);
            third += (e3 / scale) * (e3 / scale);
        }
        let both = fifth + THIRD_ORDER_WEIGHT * third;
        if both == 0.0 {
            return 0.0; // every stage agrees: the motion is a polynomial the method knows
        }
        self.h() * fifth / (both * n as f64).sqrt()
    }

    /// Dense output of the finished step: three more stages and the coefficients.
    pub(crate) fn densify<P: Problem>(
        &mut self,
        flow: &mut Flow<'_, P>,
        dense: &mut DenseStep<S>,
    ) -> Result<(), Error<P::Failure>> {
        self.take(flow, 13, &STAGE_13)?;
        self.take(flow, 14, &STAGE_14)?;
        self.take(flow, 15, &STAGE_15)?;
        dense.fill(self);
        Ok(())
    }

    /// Makes the end of the step the start of the next.
    pub(crate) fn commit(&mut self) {
        self.t = self.t_new;
        std::mem::swap(&mut self.y, &mut self.y_new);
        self.k.swap(0, LAST);
    }
}
