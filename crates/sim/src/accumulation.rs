//! Impacts that pile up: the motion goes on at their limit.
//!
//! The impacts left out take the time τ to the limit, and together the normal impulse that stops the
//! contact and carries its load meanwhile. The motion that is stopped at once, by a pull `−v_n/W`
//! with its share of friction, and then held closed has the same impulse and the same mean normal
//! velocity: at the limit it is off by terms of third order in τ.

use carom_multibody::State;
use carom_multibody::mechanism::{Dimension, Gap, Mechanism};

use crate::batch::acceleration;
use crate::event::{Accumulation, Event, Happening};
use crate::flow::WORKS;
use crate::mode::ContactMode;
use crate::modes::Cause;
use crate::piling::{LAST_TAIL, PARTED_ULPS, Pile, Piling};
use crate::rows::ContactRows;
use crate::run::Course;
use crate::standing::Touch;
use crate::sustained::{Held, Sustained};
use crate::{End, SimError};

/// A jump under way: the contacts are closed, the limit is not reached.
#[derive(Debug)]
pub(crate) struct Pending {
    what: Accumulation,
    energy_change: Option<f64>,
    motion_work: f64,
    /// Work of friction up to now, before the contacts slide on to the limit (J).
    friction: f64,
}

/// A slip below so many normal velocities of the pile stops with it.
const STOPS_WITH: f64 = 2.0;
/// Contacts of a pile are no further away than the fastest goes in so many of its last intervals …
const REACH: f64 = 4.0;
/// … or than this part of the positions.
const ROUND_OFF: f64 = 1e-13;
/// Another contact stays clear of a pile by so many times the way it goes until the limit.
const CLEAR: f64 = 2.0;
/// Landings whose round-off adds up in an extrapolated limit.
const LANDINGS: f64 = 4.0;
/// Round-off of an energy, as a part of the energies.
const GAIN: f64 = 1e-12;

impl<M: Mechanism> Course<'_, M> {
    /// Takes the motion to the limit of impacts that pile up; what ends the run where it cannot.
    pub(crate) fn accumulate(&mut self, pile: Pile) -> Result<Option<End>, SimError> {
        let is_rough = |c: &usize| self.rules[*c].friction.mu_s() > 0.0;
        let is_space = self.flow.mechanism.dimension() == Dimension::Space;
        let is_refused = is_space && pile.contacts.iter().any(is_rough);
        if !self.options.sustained || is_refused {
            return Ok(Some(End::of(pile)));
        }
        self.extend()?;
        let (t, q, v) = self.now();
        let mut pile = pile;
        self.leave_out_far(&mut pile);
        self.take_in_near(&mut pile);
        pile.bound += self.landing_noise(&pile, &q);
        let before = self.flow.energy(t, &q, &v);
        self.turns = Piling::default();
        let contacts = pile.contacts.iter();
        contacts.for_each(|c| self.pilings[*c] = Piling::default());
        let work = self.stop_pile(&pile)?;
        let modes = self.closed.clone();
        let end = self.choose_modes(Cause::jump(pile.contacts.clone()))?;
        if let Some(last) = self.events.last_mut().filter(|last| last.time == t) {
            last.modes_after = modes; // the last impact computed is not the last one
        }
        let (_, q_post, v_post) = self.now();
        let after = self.flow.energy(t, &q_post, &v_post);
        let change = before.zip(after).map(|(before, after)| after.0 - before.0);
        let size = before.map_or(0.0, |(total, kinetic)| total.abs().max(kinetic));
        let is_pile = self.presses(&pile, &v_post, (work, size)) && self.is_alone(&pile);
        if end.is_none() && !is_pile {
            self.flow.put(self.motion.state_mut(), &q, &v);
            return self.choose_modes(Cause::jump(pile.contacts));
        }
        self.pending = Some(Pending {
            what: Accumulation {
                contacts: pile.contacts,
                interval: pile.interval,
                ratio: pile.ratio,
                limit: pile.limit.max(t),
                bound: pile.bound,
            },
            energy_change: change,
            motion_work: change.map_or(0.0, |change| beyond(change - work, GAIN * size)),
            friction: self.friction_work(),
        });
        Ok(end)
    }

    /// Whether what presses the contacts of a pile together stops them within its time: some stay
    /// closed, and friction takes back what the pull gave. If not, it is no pile.
    fn presses(&self, pile: &Pile, v: &[f64], (work, size): (f64, f64)) -> bool {
        let Some(sustained) = &self.flow.sustained else {
            return false;
        };
        let is_closed = |c: &usize| sustained.mode(*c) != ContactMode::Open;
        let tail = (pile.limit - self.motion.time()).max(0.0);
        let taken = -sustained.powers(v).friction * tail;
        pile.contacts.iter().any(is_closed) && work <= taken + GAIN * size
    }

    /// Work of friction in closed contacts up to now (J).
    fn friction_work(&self) -> f64 {
        let works = self.flow.split(self.motion.state()).2;
        works.get(WORKS).copied().unwrap_or(0.0)
    }

    /// Takes a work of friction out of that of closed contacts.
    fn take_friction_work(&mut self, work: f64) {
        let sums = self.motion.state_mut().iter_mut();
        if let Some(sum) = sums.last() {
            *sum -= work;
        }
    }

    /// Whether no other contact closes before the limit of a pile that is foreseen, and not yet reached.
    fn is_alone(&mut self, pile: &Pile) -> bool {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let tail = pile.limit - t;
        if pile.bound >= tail || tail < LAST_TAIL {
            return true;
        }
        let gaps = self.flow.gaps(state).to_vec();
        let acceleration = acceleration(&mut self.flow, t, self.motion.state());
        let sustained = self.flow.sustained.as_ref();
        let is_open = |c: &usize| sustained.is_none_or(|s| s.mode(*c) == ContactMode::Open);
        let open: Vec<usize> = (0..gaps.len()).filter(is_open).collect();
        open.into_iter().all(|contact| {
            let rows = ContactRows::of(self.flow.mechanism, state, contact);
            let bias = rows.drift(0).acceleration.n;
            let a_n = carom_numeric::dot(rows.normal(0), &acceleration) + bias;
            let Gap { gap, v_n } = gaps[contact];
            let least = v_n.min(0.0) * tail + 0.5 * a_n.min(0.0) * tail * tail;
            least == 0.0 || gap + CLEAR * least > 0.0
        })
    }

    /// How far the limit may be off because round-off of the positions moves every landing (s): the last
    /// impacts are slow, and the extrapolation enlarges what they miss.
    fn landing_noise(&self, pile: &Pile, q: &[f64]) -> f64 {
        let Some(last) = self.turns.last().filter(|_| pile.ratio < 1.0) else {
            return 0.0;
        };
        let size = q.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let moved = f64::EPSILON * size / last.v_n.0.abs().max(last.v_n.1.abs());
        let noise = LANDINGS * moved / ((1.0 - pile.ratio) * (1.0 - pile.ratio));
        if noise.is_finite() { noise } else { 0.0 }
    }

    /// Leaves contacts out of a pile that are further away than its impacts reach.
    fn leave_out_far(&mut self, pile: &mut Pile) {
        let (t, q, v) = self.now();
        let gaps = self.flow.gaps(State { t, q: &q, v: &v }).to_vec();
        let speeds = pile.contacts.iter().map(|c| gaps[*c].v_n.abs());
        let reach = REACH * pile.interval * speeds.fold(0.0, f64::max);
        let size = q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let near = reach.max(ROUND_OFF * size);
        pile.contacts.retain(|c| gaps[*c].gap.abs() <= near);
    }

    /// Takes contacts into a pile that touch and do not part beyond round-off in its time: a body that rocks
    /// from one corner, where it comes to rest, to the other comes to rest on both.
    fn take_in_near(&mut self, pile: &mut Pile) {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let size = q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let near = PARTED_ULPS * f64::EPSILON * size;
        let gaps = self.flow.gaps(state).to_vec();
        for (contact, Gap { gap, v_n }) in gaps.into_iter().enumerate() {
            let is_near = gap.abs() + v_n.abs() * pile.interval <= near;
            let sustained = self.flow.sustained.as_ref();
            let is_open = sustained.is_none_or(|s| s.mode(contact) == ContactMode::Open);
            let is_new = is_open && !pile.contacts.contains(&contact);
            if is_near && is_new && self.flow.mechanism.owns_touch(state, contact) {
                pile.contacts.push(contact);
            }
        }
        pile.contacts.sort_unstable();
    }

    /// Stops the contacts of a pile, as the impacts left out do together; the work of the contacts in it
    /// (J).
    fn stop_pile(&mut self, pile: &Pile) -> Result<f64, SimError> {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let held = self.piled(pile, state);
        let singular = |source| SimError::Singular { time: t, source };
        let mechanism = &mut *self.flow.mechanism;
        let Some(sustained) = &mut self.flow.sustained else {
            return Ok(0.0);
        };
        sustained.hold(mechanism, state, held).map_err(singular)?;
        let (mut v_post, work) = sustained.stop(mechanism, state).map_err(singular)?;
        let mut q_post = q.clone();
        self.flow.settle_state(t, &mut q_post, &mut v_post);
        self.last = self.collider.speed_at(t);
        self.flow.put(self.motion.state_mut(), &q_post, &v_post);
        Ok(work)
    }

    /// The contacts of a pile, and those closed already, each in the mode its slip says.
    fn piled(&mut self, pile: &Pile, state: State<'_>) -> Vec<Held> {
        let (held, mut all) = match &self.flow.sustained {
            Some(sustained) => (sustained.held().to_vec(), pile.contacts.clone()),
            None => (Vec::new(), pile.contacts.clone()),
        };
        all.extend(held.iter().map(|held| held.contact));
        all.sort_unstable();
        all.dedup();
        let gaps = self.flow.gaps(state).to_vec();
        let speed = pile.contacts.iter().map(|c| gaps[*c].v_n.abs());
        let speed = speed.fold(0.0, f64::max);
        let mut modes = Vec::new();
        for contact in all {
            let rows = ContactRows::of(self.flow.mechanism, state, contact);
            let tangent = rows.tangents(0).next();
            let v_t = tangent.map_or(0.0, |row| carom_numeric::dot(row, state.v));
            let v_t = v_t + rows.drift(0).velocity.t[0];
            let touch = Touch::of(self.flow.mechanism, contact, v_t, &self.rules[contact]);
            modes.push(Held {
                contact,
                mode: match touch.friction.mu_s > 0.0 {
                    false => ContactMode::Closed,
                    true if v_t.abs() <= STOPS_WITH * speed => ContactMode::Stick,
                    true => ContactMode::sliding(v_t),
                },
                mu_s: touch.friction.mu_s,
                mu_d: touch.friction.mu_d,
            });
        }
        modes
    }

    /// The instant up to which the motion may go on.
    pub(crate) fn until(&self) -> f64 {
        let limit = self.pending.as_ref().map(|pending| pending.what.limit);
        let duration = self.options.duration;
        limit.map_or(duration, |limit| limit.clamp(self.motion.time(), duration))
    }

    /// Records a jump that has reached its limit, or was overtaken by another event; whether there was
    /// one.
    pub(crate) fn reach_limit(&mut self) -> bool {
        let Some(pending) = self.pending.take() else {
            return false;
        };
        // The impacts left out rub on the way to the limit: that work is theirs.
        let rubbed = self.friction_work() - pending.friction;
        self.take_friction_work(rubbed);
        let (time, q, v) = self.now();
        let sustained = self.flow.sustained.as_ref();
        let modes_after = sustained.map(Sustained::modes).unwrap_or_default();
        self.book(Event {
            time,
            q_post: q.clone(),
            v_post: v.clone(),
            q,
            v_pre: v,
            what: Happening::Accumulation(pending.what),
            energy_change: pending.energy_change.map(|change| change + rubbed),
            motion_work: pending.motion_work,
            joint_impulses: Vec::new(),
            modes_before: Vec::new(),
            modes_after,
        });
        true
    }
}

/// A number, or zero where it is no larger than round-off.
fn beyond(x: f64, round_off: f64) -> f64 {
    if x.abs() > round_off { x } else { 0.0 }
}
