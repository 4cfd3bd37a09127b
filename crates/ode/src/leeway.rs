//! How far the guards are from zero at least: steps in which none can reach it need no search.

use crate::Options;
use crate::board::Board;
use crate::guard::Phase;
use crate::problem::{Problem, State, Tube};
use crate::search::touch_margin;
use crate::step::Trial;

/// A component leaves the start of a step at most this many times faster than at any of its stages.
/// A step is only accepted when its stages resolve the rate to the tolerance, which leaves no room
/// for a rate twice as large between them.
const RATE_SAFETY: f64 = 2.0;

/// Least distances of the guards from zero, used up by their largest speeds.
#[derive(Debug, Clone)]
pub(crate) struct Leeway<S> {
    /// What is left of each guard's distance at the start of the step.
    left: Vec<f64>,
    /// Bound on each guard's speed in the step; infinite where none is known.
    speeds: Vec<f64>,
    low: S,
    high: S,
}

impl<S: State> Leeway<S> {
    pub(crate) fn new(y: &S, guards: usize) -> Self {
        Self {
            left: vec![0.0; guards],
            speeds: vec![f64::INFINITY; guards],
            low: y.clone(),
            high: y.clone(),
        }
    }

    /// Takes the distances anew from values of the guards.
    pub(crate) fn measure(&mut self, values: &[f64]) {
        for (left, value) in self.left.iter_mut().zip(values) {
            *left = value.abs();
        }
    }

    /// Asks for the speeds of the guards in the tube of a finished step.
    pub(crate) fn ask<P: Problem>(&mut self, problem: &mut P, trial: &Trial<S>) {
        let y = trial.y.as_ref();
        let (low, high) = (self.low.as_mut(), self.high.as_mut());
        trial.largest_rates(high);
        for i in 0..y.len() {
            let reach = RATE_SAFETY * trial.h() * high[i];
            (low[i], high[i]) = (y[i] - reach, y[i] + reach);
        }
        self.speeds.fill(f64::INFINITY);
        let tube = Tube {
            from: trial.t,
            until: trial.t_new,
            low,
            high,
        };
        problem.guard_speeds(tube, &mut self.speeds);
    }

    /// Whether no armed guard can come near zero in a step of length `h`; its way is then booked.
    pub(crate) fn spend(&mut self, board: &Board<S>, h: f64, options: &Options) -> bool {
        let suffices = (0..self.left.len()).all(|i| {
            let watch = &board.watches[i];
            let margin = touch_margin(&watch.guard, self.left[i], options);
            !watch.armed
                || (watch.phase == Phase::Clear && self.left[i] - self.speeds[i] * h > margin)
        });
        if suffices {
            for (left, speed) in self.left.iter_mut().zip(&self.speeds) {
                *left -= speed * h;
            }
        }
        suffices
    }

    /// Whether no armed guard can come near zero between the samples at both ends of the step: the
    /// way there and back is too long.
    pub(crate) fn spans(&self, board: &Board<S>, h: f64, options: &Options) -> bool {
        (0..self.left.len()).all(|i| {
            let watch = &board.watches[i];
            let (a, b) = (board.start.values[i], board.end.values[i]);
            let margin = touch_margin(&watch.guard, board.size(i), options);
            !watch.armed
                || (watch.phase == Phase::Clear
                    && watch.orient * a > margin
                    && watch.orient * b > margin
                    && (a + b).abs() - self.speeds[i] * h > 2.0 * margin)
        })
    }
}
