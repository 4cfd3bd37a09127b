//! Events of the system's own: its reset maps.

use carom_multibody::mechanism::{Crossing, Reset};
use carom_ode::{Point, Problem};

use super::event::{Event, Happening};
use crate::End;
use crate::contact::Cause;
use crate::flow::Interrupted;
use crate::flow::board::GuardId;
use crate::machine::{Machine, Next};
use crate::pile::piling::{Piling, Reach, Stroke};
use crate::world::{Now, World};

/// Resets of one guard in one instant before the run ends.
const MOST_IN_AN_INSTANT: usize = 32;
/// A rate below this part of the one before a reset is zero.
const RATE_ZERO: f64 = 1e-12;

/// The last resets of one guard.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resets {
    time: f64,
    in_instant: usize,
    piling: Piling,
}

impl Resets {
    /// Whether the guard was reset in this instant already.
    fn was_at(&self, time: f64) -> bool {
        self.in_instant > 0 && self.time == time
    }

    /// Notes a reset, with the rates of the guard before and after; whether they lead nowhere.
    fn note(&mut self, time: f64, rates: (f64, f64), reach: &Reach) -> bool {
        let is_same = self.was_at(time);
        self.in_instant = if is_same { self.in_instant + 1 } else { 1 };
        self.time = time;
        let stroke = Stroke {
            time,
            contact: 0,
            v_n: rates,
            gains: false,
            slip: 0.0,
            grips: false,
        };
        let piles = !is_same && self.piling.note(stroke, reach).is_some();
        piles || self.in_instant > MOST_IN_AN_INSTANT
    }
}

impl Machine<'_> {
    /// The system's own events of an instant: their reset maps, applied and booked.
    pub(crate) fn reset(&mut self, cause: Cause) -> Next {
        for guard in &cause.own {
            if let Some(end) = self.reset_one(*guard) {
                return Next::End(end);
            }
        }
        self.settle(cause)
    }

    /// A guard that goes on falling after its reset has been seen and passes; one that was turned
    /// back is armed again. One that its resets hold at zero ends the run, as do resets without end.
    fn reset_one(&mut self, guard: usize) -> Option<End> {
        let world = &mut self.world;
        let now = world.now();
        let falls_before = world.fall(guard);
        let (after, reset) = world.reset(guard);
        let is_changed = after != now;
        let falls_after = world.fall(guard);
        if !is_changed || falls_after < -RATE_ZERO * falls_before.abs() {
            let place = world.flow.board().index(GuardId::Own(guard));
            world.motion.pass(place);
        }
        let energies = [&now, &after].map(|at| world.flow.energy(at.t, &at.q, &at.v));
        let [before, later] = energies.map(|energy| energy.map(|(total, _)| total));
        let reach = world.reach(&after.q);
        let Now {
            q: q_post,
            v: v_post,
            ..
        } = after;
        self.book(Event {
            q_post,
            v_post,
            energy_change: later.zip(before).map(|(later, before)| later - before),
            ..Event::at(now.state(), Happening::Reset { guard })
        });
        let resets = &mut self.journal.resets[guard];
        let is_held = !is_changed && resets.was_at(now.t);
        let piles = resets.note(now.t, (falls_before, falls_after), &reach);
        match reset {
            Reset::Stop => Some(End::Stopped { guard }),
            Reset::GoOn => (is_held || piles).then_some(End::ResetsRepeat { guard }),
        }
    }
}

impl World<'_> {
    /// Applies the reset map of a guard.
    fn reset(&mut self, guard: usize) -> (Now, Reset) {
        let mut now = self.now();
        let mechanism = &mut *self.flow.mechanism;
        let reset = mechanism.reset(guard, now.t, &mut now.q, &mut now.v);
        mechanism.normalise(&mut now.q);
        self.flow.heed(now.state());
        self.put(&now.q, &now.v);
        (now, reset)
    }

    /// Rate of a guard at the present state, negative where it moves to the side that is an event;
    /// never negative where both sides are.
    fn fall(&mut self, guard: usize) -> f64 {
        let sense = match self.flow.mechanism.guard_crossing(guard) {
            Crossing::Falling => 1.0,
            Crossing::Rising => -1.0,
            Crossing::Either => return f64::INFINITY,
        };
        let (t, y) = (self.motion.time(), self.motion.state().clone());
        let mut dy = vec![0.0; y.len()];
        if self.flow.rates(t, &y, &mut dy).is_err() {
            return 0.0; // the motion will say so
        }
        let board = self.flow.board();
        let count = board.first_of_modes();
        let (mut values, mut rates) = (vec![0.0; count], vec![0.0; count]);
        let at = Point { t, y: &y, dy: &dy };
        match self.flow.guards(at, &mut values, &mut rates) {
            Ok(()) => sense * rates[board.index(GuardId::Own(guard))],
            Err(Interrupted) => 0.0,
        }
    }
}
