//! Ways of slips that begin or end, to their last digits.

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, MotionFault};
use carom_numeric::CompleteOrthogonal;

use super::{Closed, Held};
use crate::contact::way::{Way, inner, speed};

/// Ways that turn by no more than this are found (rad).
const FOUND: f64 = 1e-13;
/// Turn by which the accelerations are differenced (rad).
const TURN_DIFFERENCE: f64 = 1e-5;
/// An acceleration along a way below this part of the others is not what the slip grows by.
const NO_GROWTH: f64 = 1e-9;
/// The first step, in units of the time in which slips grow or die by a factor e; each is twice the one before.
const FIRST_STEP: f64 = 0.5;
/// Turn of one step (rad).
const TURN_AT_ONCE: f64 = 0.5;
/// A way beyond this is another one (rad).
const MOST_TURN: f64 = 1.0;
/// Steps allowed.
const ALIGN_STEPS: usize = 40;

impl Closed {
    /// Turns fixed ways to those that the slips have at the instant they begin or end, along their accelerations:
    /// `u × a_t(u) = 0`; and the accelerations with them.
    ///
    /// The way of a slip that ends was fixed a little before, where it still turned, and what was left of it was known
    /// to fewer digits; one that begins was pushed off against the friction that held it, and kinetic friction lets
    /// it go another way. The motion does not see the difference; forces of that very instant do. Slips that end
    /// together may end in ways without number, which depend on how they came there: they keep those they had.
    pub(crate) fn align(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        acceleration: &mut [f64],
    ) -> Result<(), MotionFault> {
        let each = self.held.iter().enumerate();
        let fixed = each.filter(|(_, held)| held.fixed_way().is_some());
        let places: Vec<usize> = fixed.map(|(i, _)| i).collect();
        if places.is_empty() {
            return Ok(());
        }
        let mut slips = Slips {
            given: self.held.clone(),
            closed: self,
            mechanism,
            state,
            places,
            acceleration,
        };
        slips.align()
    }
}

/// The slips with fixed ways, to be turned.
struct Slips<'a> {
    closed: &'a mut Closed,
    mechanism: &'a mut dyn Contacts,
    state: State<'a>,
    given: Vec<Held>,
    places: Vec<usize>,
    acceleration: &'a mut [f64],
}

impl Slips<'_> {
    fn align(&mut self) -> Result<(), MotionFault> {
        let still = vec![0.0; self.places.len()];
        let mut turns = still.clone();
        let before = self.rates(&still)?;
        if before.iter().filter(|rate| rate[0] < 0.0).count() > 1 {
            return Ok(());
        }
        let mut duration = FIRST_STEP;
        for _ in 0..ALIGN_STEPS {
            let step = self.step(&turns, duration)?;
            duration *= 2.0;
            turns.iter_mut().zip(&step).for_each(|(x, d)| *x += d);
            if step.iter().all(|d| d.abs() <= FOUND) {
                break;
            }
        }
        let after = self.rates(&turns)?;
        let is_same = |(before, after): (&[f64; 2], &[f64; 2])| before[0] * after[0] >= 0.0;
        let is_near = turns.iter().all(|turn| turn.abs() <= MOST_TURN);
        if !is_near || !before.iter().zip(&after).all(is_same) {
            self.rates(&still)?;
        }
        Ok(())
    }

    /// Rates of the slips along and across their ways, turned by so much.
    fn rates(&mut self, turns: &[f64]) -> Result<Vec<[f64; 2]>, MotionFault> {
        for (place, turn) in self.places.iter().zip(turns) {
            let way = self.given[*place].way.along([0.0; 2]);
            let (sin, cos) = turn.sin_cos();
            let turned = [cos * way[0] - sin * way[1], sin * way[0] + cos * way[1]];
            self.closed.held[*place].way = Way::Fixed(turned);
        }
        let closed = &mut *self.closed;
        closed.accelerate(self.mechanism, self.state, self.acceleration)?;
        let rates = self.places.iter().map(|place| {
            let rates = closed.rows.slip_rates(*place, self.acceleration);
            let way = closed.ways[*place];
            [inner(way, rates), inner([-way[1], way[0]], rates)]
        });
        Ok(rates.collect())
    }

    /// An implicit step along the turning of the slips, `dθ/dτ = a_⊥/|a_∥|` as they begin, or end, together: in the
    /// limit of long ones Newton's method.
    fn step(&mut self, turns: &[f64], duration: f64) -> Result<Vec<f64>, MotionFault> {
        let n = turns.len();
        let mut matrix = Vec::with_capacity(n * n);
        let mut turned = turns.to_vec();
        for (k, turn) in turns.iter().enumerate() {
            turned[k] = turn + TURN_DIFFERENCE;
            let ahead = self.rates(&turned)?;
            turned[k] = turn - TURN_DIFFERENCE;
            let behind = self.rates(&turned)?;
            turned[k] = *turn;
            let pairs = ahead.iter().zip(&behind);
            matrix.extend(pairs.map(|(a, b)| (b[1] - a[1]) / (2.0 * TURN_DIFFERENCE)));
        }
        let rates = self.rates(turns)?;
        let sizes = matrix.iter().map(|x| x.abs());
        let sizes = sizes.chain(rates.iter().map(|rate| speed(*rate)));
        let least = NO_GROWTH * sizes.fold(0.0, f64::max);
        for (k, rate) in rates.iter().enumerate() {
            matrix[k * n + k] += rate[0].abs().max(least) / duration;
        }
        let across: Vec<f64> = rates.iter().map(|rate| rate[1]).collect();
        let mut step = vec![0.0; n];
        let mut found = CompleteOrthogonal::new();
        found.decompose(&matrix, n, n);
        found.least_norm(&across, &mut step);
        let bound = |d: &mut f64| *d = d.clamp(-TURN_AT_ONCE, TURN_AT_ONCE);
        step.iter_mut().for_each(bound);
        Ok(step)
    }
}
