//! How far the guards of closed contacts can travel in a step.
//!
//! Their values come with the accelerations at every stage of a step. A step is only accepted when its stages
//! resolve the motion to the tolerance, and forces are what moves it: between the stages they go no further than
//! [`SAFETY`] times as far as the stages show. Guards that cannot reach zero so need no search.

use super::Flow;
use crate::contact::closed::{Sheet, Trigger};

/// Between the stages a guard goes at most this many times as far as from stage to stage.
const SAFETY: f64 = 2.0;

/// Least and greatest values of the guards of closed contacts since the last step, by their places on the board.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    low: Vec<f64>,
    high: Vec<f64>,
    last: Vec<f64>,
    rates: Vec<f64>,
    /// Whether every stage so far was seen.
    is_known: bool,
}

impl Reach {
    /// Forgets what was seen: the guards are others from here on.
    pub(crate) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Goes on from the values seen last, the end of one step and the start of the next.
    fn start(&mut self) {
        self.is_known = !self.last.is_empty() && self.last.iter().all(|x| x.is_finite());
        self.low.clone_from(&self.last);
        self.high.clone_from(&self.last);
    }

    fn add(&mut self) {
        let ends = self.low.iter_mut().zip(&mut self.high);
        for ((low, high), x) in ends.zip(&self.last) {
            *low = low.min(*x);
            *high = high.max(*x);
        }
    }
}

impl Flow<'_> {
    /// Sees the guards of closed contacts at a stage, of the accelerations just computed.
    pub(super) fn see_stage(&mut self, y: &[f64], dy: &[f64]) {
        let board = self.board();
        let places = board.len() - board.first_of_modes();
        if self.closed.held().is_empty() || self.closed.is_redundant() {
            self.reach.forget();
            return;
        }
        let mut reach = std::mem::take(&mut self.reach);
        reach.last.resize(places, 0.0);
        reach.rates.resize(places, 0.0);
        self.closed.write_forces(board, &mut reach.last);
        let (_, v, _) = self.split(y);
        let (_, acceleration, _) = self.split(dy);
        let mut sheet = Sheet {
            board,
            values: &mut reach.last,
            rates: &mut reach.rates,
        };
        self.closed.write_slips(v, acceleration, &mut sheet);
        reach.add();
        self.reach = reach;
    }

    /// Speeds of the guards of closed contacts in a step of length `h` (s) that is finished; infinite where
    /// nothing is known. The next step begins.
    pub(super) fn mode_speeds(&mut self, h: f64, speeds: &mut [f64]) {
        if self.reach.is_known {
            let ends = self.reach.low.iter().zip(&self.reach.high);
            for (speed, (low, high)) in speeds.iter_mut().zip(ends) {
                *speed = SAFETY * (high - low) / h;
            }
            let board = self.board();
            for contact in self.closed.with_ends() {
                speeds[board.place(Trigger::End(contact))] = f64::INFINITY;
            }
        }
        self.reach.start();
    }
}
