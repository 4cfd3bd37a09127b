//! Samples and findings of a search, allocated once.

use crate::guard::{Guard, Watch};
use crate::problem::State;
use crate::search::{CUT, FIRST_CUTS, MAX_DEPTH};
use crate::shape::Knot;
use crate::{Error, Kind};

/// Every guard at one point of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    pub(crate) theta: f64,
    /// Halvings that led to the interval it ends.
    depth: usize,
    /// Ancestors of that interval, the nearest in a row, that were not rough.
    calm: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) rates: Vec<f64>,
}

impl Sample {
    fn new(guards: usize) -> Self {
        Self {
            theta: 0.0,
            depth: 0,
            calm: 0,
            values: vec![0.0; guards],
            rates: vec![0.0; guards],
        }
    }

    fn copy_from(&mut self, other: &Self) {
        self.theta = other.theta;
        self.values.copy_from_slice(&other.values);
        self.rates.copy_from_slice(&other.rates);
    }

    fn knot(&self, i: usize, h: f64) -> Knot {
        Knot {
            theta: self.theta,
            g: self.values[i],
            r: self.rates[i] * h,
        }
    }
}

/// A guard that fires, with its polished time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) guard: usize,
    pub(crate) kind: Kind,
    pub(crate) t: f64,
}

/// The guards under watch and the samples of the step under examination.
///
/// Intervals are examined from left to right: `left` is the present left end, `stack` holds the
/// right ends still to come, the nearest on top.
#[derive(Debug, Clone)]
pub(crate) struct Board<S> {
    pub(crate) watches: Vec<Watch>,
    /// Guards at the start of the step.
    pub(crate) start: Sample,
    /// Guards at the end of the step.
    pub(crate) end: Sample,
    pub(crate) left: Sample,
    pub(crate) mid: Sample,
    pub(crate) scratch: Sample,
    /// Guards at the end of the last sub-step, and its time.
    pub(crate) probe: Sample,
    pub(crate) probed: Option<f64>,
    pub(crate) found: Vec<Found>,
    pub(crate) y: S,
    pub(crate) dy: S,
    stack: Vec<Sample>,
    spares: Vec<Sample>,
    pair: (Sample, Sample),
}

impl<S: State> Board<S> {
    pub(crate) fn new(y: &S, guards: Vec<Guard>) -> Self {
        let count = guards.len();
        let blank = || Sample::new(count);
        let depth = MAX_DEPTH + FIRST_CUTS.len() + 2;
        Self {
            watches: guards.into_iter().map(Watch::new).collect(),
            start: blank(),
            end: blank(),
            left: blank(),
            mid: blank(),
            scratch: blank(),
            probe: blank(),
            probed: None,
            found: Vec::with_capacity(count),
            y: y.clone(),
            dy: y.clone(),
            stack: Vec::with_capacity(depth),
            spares: (0..depth).map(|_| blank()).collect(),
            pair: (blank(), blank()),
        }
    }

    /// Whether any guard is armed.
    pub(crate) fn is_armed(&self) -> bool {
        self.watches.iter().any(|watch| watch.armed)
    }

    /// Remembers where the guards stand at the start of the step.
    pub(crate) fn remember(&mut self) {
        for watch in &mut self.watches {
            watch.at_start = (watch.phase, watch.orient);
        }
    }

    /// Clears the findings and the stack; `left` and the guards are at the start of the step.
    pub(crate) fn begin(&mut self) {
        self.found.clear();
        self.probed = None;
        self.spares.append(&mut self.stack);
        self.left.copy_from(&self.start);
        (self.left.theta, self.end.theta) = (0.0, 1.0);
        for watch in &mut self.watches {
            watch.found = false;
            (watch.phase, watch.orient) = watch.at_start;
        }
    }

    pub(crate) fn push_end(&mut self) {
        let mut end = self.take_spare();
        end.copy_from(&self.end);
        self.push(end);
    }

    pub(crate) fn push(&mut self, mut sample: Sample) {
        (sample.depth, sample.calm) = (0, 0);
        self.stack.push(sample);
    }

    /// A spare sample; the pool holds as many as the deepest search needs.
    pub(crate) fn take_spare(&mut self) -> Sample {
        let count = self.watches.len();
        self.spares.pop().unwrap_or_else(|| Sample::new(count))
    }

    pub(crate) fn take_pair(&mut self) -> (Sample, Sample) {
        std::mem::take(&mut self.pair)
    }

    pub(crate) fn put_pair(&mut self, before: Sample, after: Sample) {
        self.pair = (before, after);
    }

    /// Cuts that led to the present interval and calm ancestors; none when the step is done.
    pub(crate) fn interval(&self) -> Option<(usize, usize)> {
        self.stack.last().map(|right| (right.depth, right.calm))
    }

    /// The point that cuts the present interval.
    pub(crate) fn cut(&self) -> f64 {
        let right = self.stack.last().map_or(1.0, |right| right.theta);
        self.left.theta + CUT * (right - self.left.theta)
    }

    /// Cuts the present interval; `calm` of its parts.
    pub(crate) fn split(&mut self, calm: usize) {
        let mut mid = self.take_spare();
        mid.copy_from(&self.mid);
        if let Some(right) = self.stack.last_mut() {
            right.depth += 1;
            right.calm = calm;
            (mid.depth, mid.calm) = (right.depth, calm);
        }
        self.stack.push(mid);
    }

    /// Goes on to the next interval.
    pub(crate) fn go_right(&mut self) {
        if let Some(right) = self.stack.pop() {
            let passed = std::mem::replace(&mut self.left, right);
            self.spares.push(passed);
        }
    }

    /// Left end, cut and right end of the present interval for one guard.
    pub(crate) fn knots(&self, i: usize, h: f64) -> [Knot; 3] {
        let right = self.stack.last().unwrap_or(&self.end);
        [&self.left, &self.mid, right].map(|sample| sample.knot(i, h))
    }

    /// Largest value of a guard at the ends of the step.
    pub(crate) fn size(&self, i: usize) -> f64 {
        self.start.values[i].abs().max(self.end.values[i].abs())
    }

    /// Whether the rate of an armed guard is not known.
    pub(crate) fn has_unknown_rate(&self, rates: &[f64]) -> bool {
        let mut both = self.watches.iter().zip(rates);
        both.any(|(watch, rate)| watch.armed && rate.is_nan())
    }

    /// Refuses armed guards that are not finite.
    pub(crate) fn check<F>(&self, t: f64, values: &[f64]) -> Result<(), Error<F>> {
        let mut both = self.watches.iter().zip(values);
        match both.position(|(watch, value)| watch.armed && !value.is_finite()) {
            Some(guard) => Err(Error::NonFiniteGuard { guard, t }),
            None => Ok(()),
        }
    }

    pub(crate) fn record(&mut self, found: Found) {
        self.watches[found.guard].found = true;
        self.found.push(found);
    }

    /// Time of the earliest finding; infinite when there is none.
    pub(crate) fn earliest(&self) -> f64 {
        self.found.iter().fold(f64::INFINITY, |t, f| t.min(f.t))
    }

    /// The end of a step without event is the start of the next.
    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        for watch in &mut self.watches {
            watch.forget_leave();
        }
    }

    /// Places every armed guard by its first non-zero derivative at the start.
    pub(crate) fn classify(&mut self) {
        for (i, watch) in self.watches.iter_mut().enumerate() {
            if watch.armed {
                watch.classify(self.start.values[i], self.start.rates[i]);
            }
        }
    }
}
