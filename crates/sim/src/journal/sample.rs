//! States at even times.

use carom_ode::DenseStep;

use crate::contact::closed::Closed;
use crate::contact::mode::ContactMode;
use crate::contact::way::FixedWays;
use crate::flow::Flow;
use crate::world::Now;

/// A state on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// When (s).
    pub time: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Rates; at an impact those before it.
    pub v: Vec<f64>,
    /// The contacts that are closed, and what they do.
    pub modes: Vec<(usize, ContactMode)>,
    /// The fixed ways of those that slide in space.
    pub ways: FixedWays,
    /// Whether the motion begins here: closed contacts are on the pieces of surface that they move onto, not
    /// on those they come from.
    pub is_start: bool,
}

/// Collects states at even times.
pub(crate) struct Sampler {
    pub(crate) samples: Vec<Sample>,
    next: usize,
    count: usize,
    duration: f64,
    y: Vec<f64>,
    dy: Vec<f64>,
    modes: Vec<(usize, ContactMode)>,
    ways: FixedWays,
}

impl Sampler {
    /// `count` states over `duration`, first and last included; the first is the start.
    pub(crate) fn new(count: usize, duration: f64, start: &Now) -> Self {
        let mut samples = Vec::new();
        if count > 0 {
            samples.push(Sample {
                time: 0.0,
                q: start.q.clone(),
                v: start.v.clone(),
                modes: Vec::new(),
                ways: Vec::new(),
                is_start: true,
            });
        }
        Self {
            samples,
            next: 1,
            count,
            duration,
            y: Vec::new(),
            dy: Vec::new(),
            modes: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// The closed contacts from now on, and how large a state is; nothing has happened yet at the start.
    pub(crate) fn close(&mut self, is_start: bool, closed: &Closed, state: &[f64]) {
        self.y.resize(state.len(), 0.0);
        self.dy.resize(state.len(), 0.0);
        self.modes = closed.modes();
        self.ways = closed.fixed_ways();
        if let ([start], true) = (&mut self.samples[..], is_start) {
            start.modes.clone_from(&self.modes);
            start.ways.clone_from(&self.ways);
        }
    }

    /// Whether every state was seen.
    pub(crate) fn is_done(&self) -> bool {
        self.next >= self.count
    }

    pub(crate) fn see(&mut self, flow: &Flow<'_>, step: &DenseStep<Vec<f64>>) {
        while self.next < self.count {
            let time = self.duration * (self.next as f64 / (self.count - 1) as f64);
            if time > step.end() {
                break;
            }
            self.next += 1;
            step.eval(time, &mut self.y, &mut self.dy);
            let (q, v) = flow.placed(time, &self.y);
            self.samples.push(Sample {
                time,
                q,
                v,
                modes: self.modes.clone(),
                ways: self.ways.clone(),
                is_start: false,
            });
        }
    }
}
