//! Events of the system's own: its reset maps.

use carom_multibody::State;
use carom_multibody::mechanism::{Crossing, Mechanism, Reset};
use carom_ode::{Point, Problem};

use crate::End;
use crate::event::{Event, Happening};
use crate::flow::Interrupted;
use crate::piling::{Piling, Stroke};
use crate::run::Course;

/// Resets of one guard in one instant before the run ends.
const MOST_IN_AN_INSTANT: usize = 32;
/// A rate below this is zero (the guard's unit per second).
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
    fn note(&mut self, time: f64, rates: (f64, f64), size: f64) -> bool {
        let is_same = self.was_at(time);
        self.in_instant = if is_same { self.in_instant + 1 } else { 1 };
        self.time = time;
        let stroke = Stroke {
            time,
            contact: 0,
            v_n: rates,
            gains: false,
        };
        let piles = !is_same && self.piling.note(stroke, size, f64::INFINITY).is_some();
        piles || self.in_instant > MOST_IN_AN_INSTANT
    }
}

impl<M: Mechanism> Course<'_, M> {
    /// The system's own event: its reset map, applied and booked.
    ///
    /// A guard that goes on falling after its reset has been seen and passes; one that was turned
    /// back is armed again. One that its resets hold at zero ends the run, as do resets without end.
    pub(crate) fn reset(&mut self, guard: usize) -> Option<End> {
        let t = self.motion.time();
        let (q, v, _) = self.flow.split(self.motion.state());
        let (mut q_post, mut v_post) = (q.to_vec(), v.to_vec());
        let (q, v_pre) = (q.to_vec(), v.to_vec());
        let before = self.flow.energy(t, &q, &v_pre);
        let falls_before = self.fall(guard);
        let reset = self
            .flow
            .mechanism
            .reset(guard, t, &mut q_post, &mut v_post);
        self.flow.mechanism.normalise(&mut q_post);
        let after = self.flow.energy(t, &q_post, &v_post);
        let is_changed = (&q_post, &v_post) != (&q, &v_pre);
        let state = State {
            t,
            q: &q_post,
            v: &v_post,
        };
        self.flow.heed(state);
        self.flow.put(self.motion.state_mut(), &q_post, &v_post);
        let falls_after = self.fall(guard);
        if !is_changed || falls_after < -RATE_ZERO {
            self.motion.pass(self.rules.len() + guard);
        }
        let size = q_post.iter().fold(0.0f64, |size, q| size.max(q.abs()));
        let event = Event {
            time: t,
            q,
            v_pre,
            q_post,
            v_post,
            what: Happening::Reset { guard },
            energy_change: before.zip(after).map(|(before, after)| after.0 - before.0),
            motion_work: 0.0,
            joint_impulses: Vec::new(),
            modes_before: Vec::new(),
            modes_after: Vec::new(),
        };
        self.book(event);
        let is_held = !is_changed && self.resets[guard].was_at(t);
        let piles = self.resets[guard].note(t, (falls_before, falls_after), size);
        match reset {
            Reset::Stop => Some(End::Stopped { guard }),
            Reset::GoOn => (is_held || piles).then_some(End::ResetsRepeat { guard }),
        }
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
        let (contacts, all) = (self.rules.len(), self.rules.len() + self.resets.len());
        let (mut values, mut rates) = (vec![0.0; all], vec![0.0; all]);
        let at = Point { t, y: &y, dy: &dy };
        match self.flow.guards(at, &mut values, &mut rates) {
            Ok(()) => sense * rates[contacts + guard],
            Err(Interrupted) => 0.0,
        }
    }
}
