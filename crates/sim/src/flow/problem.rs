//! What the integrator asks of the motion: rates, guards, and how fast these can change.

use carom_multibody::State;
use carom_multibody::contact::Bounds;
use carom_ode::{Point, Problem, Tube};

use super::{Flow, Interrupted};

impl Problem for Flow<'_> {
    type Failure = Interrupted;

    /// A step that is too long may try states without inertia: their rates are not numbers, and the
    /// step is taken shorter. Only what no shorter step avoids is a fault of the mechanism.
    #[inline]
    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Interrupted> {
        if self.interrupt.get() {
            return Err(Interrupted);
        }
        // A sum that is finite is one of finite numbers.
        if !self.is_free() || !y.iter().sum::<f64>().is_finite() {
            self.rate_somewhere(t, y, dy);
            return Ok(());
        }
        let (q, v) = y.split_at(self.positions);
        if let Err(fault) = self.rates_in_flight(t, [q, v], dy) {
            self.refuse(Some(fault), dy);
        }
        Ok(())
    }

    fn begin_step(&mut self, t: f64, y: &mut [f64], dy: &mut [f64]) {
        self.charts.renew(t, y, dy);
    }

    fn settle(&mut self, t: f64, y: &mut [f64]) {
        self.settle_folded(t, y);
    }

    fn guards(
        &mut self,
        at: Point<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), Interrupted> {
        let (folded, rest) = at.y.split_at(self.positions);
        let mut room = std::mem::take(&mut self.room);
        let q = self.charts.unfold(at.t, folded, &mut room);
        let state = State::new(at.t, q, &rest[..self.rates]).on(self.pieces.all());
        self.mechanism.gaps(state, &mut self.gaps);
        let acceleration = &at.dy[self.positions..self.positions + self.rates];
        let own = &mut self.own;
        if !own.is_empty() {
            self.mechanism.guard_values(state, acceleration, own);
        }
        self.room = room;
        if self.own.iter().any(|guard| guard.rate.is_nan()) {
            self.difference_rates(at);
        }
        let contacts = self.gaps.iter().map(|gap| (gap.gap, gap.v_n));
        let own = self.own.iter().map(|guard| (guard.value, guard.rate));
        for ((value, rate), found) in values.iter_mut().zip(&mut *rates).zip(contacts.chain(own)) {
            (*value, *rate) = found;
        }
        let count = self.gaps.len() + self.own.len();
        if !self.closed.held().is_empty() && values.len() > count {
            self.mode_guards(at, &mut values[count..], &mut rates[count..]);
        }
        Ok(())
    }

    /// Guards of the system's own have no bound and are always searched.
    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        let (q_low, low) = tube.low.split_at(self.positions);
        let (q_high, high) = tube.high.split_at(self.positions);
        let bounds = Bounds {
            t: (tube.from, tube.until),
            q: (q_low, q_high),
            v: (&low[..self.rates], &high[..self.rates]),
        };
        let (gaps, rest) = speeds.split_at_mut(self.gaps.len());
        self.mechanism.gap_speeds(&bounds, gaps);
        if self.is_in_contact {
            self.mode_speeds(tube.until - tube.from, &mut rest[self.own.len()..]);
        }
    }
}
