//! Impacts that pile up: the motion goes on at their limit.
//!
//! The impacts left out take the time τ to the limit, and together the normal impulse that stops the
//! contact and carries its load meanwhile. The motion that is stopped at once, by a pull `−v_n/W`
//! with its share of friction, and then held closed has the same impulse and the same mean normal
//! velocity: at the limit it is off by terms of third order in τ.

use carom_multibody::State;
use carom_multibody::mechanism::{Dimension, Gap};

use super::piling::{LAST_TAIL, Pile, Piling, Reach};
use crate::contact::closed::Held;
use crate::contact::mode::{ContactMode, Pivot};
use crate::contact::rows::ContactRows;
use crate::contact::standing::Touch;
use crate::contact::way::{inner, speed};
use crate::contact::{Cause, Chosen};
use crate::flow::WORKS;
use crate::journal::event::{Accumulation, Event, Happening};
use crate::machine::{Machine, Next};
use crate::world::{Now, World};
use crate::{End, SimError};

/// A jump under way: the contacts are closed, the limit is not reached.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) what: Accumulation,
    energy_change: Option<f64>,
    motion_work: f64,
    /// Work of friction up to now, before the contacts slide on to the limit (J).
    friction: f64,
}

/// A slip below so many normal velocities of the pile stops with it.
const STOPS_WITH: f64 = 2.0;
/// Contacts of a pile are no further away than the fastest goes in so many of its last intervals.
const REACH: f64 = 4.0;
/// Another contact stays clear of a pile by so many times the way it goes until the limit.
const CLEAR: f64 = 2.0;
/// Round-off of an energy, as a part of the energies.
const GAIN: f64 = 1e-12;

impl Machine<'_> {
    /// The pile that a contact which stays closed has come to the limit of.
    pub(crate) fn closed_pile(&self, contacts: &[usize]) -> Option<Pile> {
        let now = self.world.now();
        match contacts {
            [contact] => {
                let reach = self.world.reach(&now.q);
                self.journal.turns.closed(*contact, now.t, &reach)
            }
            _ => None,
        }
    }

    /// Takes the motion to the limit of impacts that pile up; the run ends where it cannot.
    pub(crate) fn accumulate(&mut self, mut pile: Pile, cause: Cause) -> Result<Next, SimError> {
        let world = &mut self.world;
        if !world.options.sustained {
            return Ok(Next::End(End::of(pile)));
        }
        world.extend()?;
        let now = world.now();
        world.leave_out_far(&mut pile);
        world.take_in_near(&mut pile);
        let world = &mut self.world;
        let before = world.flow.energy(now.t, &now.q, &now.v);
        world.piling.begin(&pile.contacts, world.rules);
        let work = world.stop_pile(&pile)?;
        // What the last impact left of the slips of these contacts the pile has stopped.
        let mut stopped = cause.stopped;
        stopped.retain(|(contact, _)| !world.flow.closed.contacts().contains(contact));
        let mut landing = Cause {
            stopped,
            ..Cause::jump(pile.contacts.clone())
        };
        let chosen = world.choose(&mut landing)?;
        let after = world.now();
        let energy = world.flow.energy(after.t, &after.q, &after.v);
        let change = before.zip(energy).map(|(before, after)| after.0 - before.0);
        let size = before.map_or(0.0, |(total, kinetic)| total.abs().max(kinetic));
        let sum = Sum { work, size };
        let is_pile = world.presses(&pile, &after.v, sum) && world.is_alone(&pile);
        let is_late = world.is_late(&pile);
        let is_clear = is_late || world.slides_on(&pile, &now, &after);
        // Where nothing is consistent yet, the impacts to come may still bring it to rest.
        let is_early = match chosen {
            Chosen::Modes(_) => !(is_pile && is_clear),
            Chosen::Nothing(_) => !is_late,
            Chosen::End(_) => false,
        };
        if is_early {
            world.piling.end();
            world.put(&now.q, &now.v);
            if !is_pile {
                self.forget(&pile);
            }
            return Ok(Next::Choose(Cause::jump(pile.contacts)));
        }
        self.forget(&pile);
        let next = self.take(chosen, &landing);
        self.leave_open(now.t);
        self.journal.pending = Some(Pending {
            what: Accumulation {
                contacts: pile.contacts,
                interval: pile.interval,
                ratio: pile.ratio,
                limit: pile.limit.max(now.t),
                bound: pile.bound,
            },
            energy_change: change,
            motion_work: change.map_or(0.0, |change| beyond(change - work, GAIN * size)),
            friction: self.world.friction_work(),
        });
        Ok(next.unwrap_or(Next::Flow))
    }

    /// The last impact computed is not the last one: its contacts do what it leaves them to do.
    fn leave_open(&mut self, t: f64) {
        let (closed, ways) = (self.journal.closed.clone(), self.journal.ways.clone());
        if let Some(last) = self.journal.last_at(t) {
            (last.modes_after, last.ways_after) = (closed, ways);
            let struck = last.contacts().to_vec();
            last.modes_after
                .retain(|(contact, _)| !struck.contains(contact));
        }
    }

    /// Lets the impacts of a pile be past.
    fn forget(&mut self, pile: &Pile) {
        self.journal.turns = Piling::default();
        for contact in &pile.contacts {
            self.journal.pilings[*contact] = Piling::default();
        }
    }

    /// Records a jump that has reached its limit, or was overtaken by another event; whether there was
    /// one.
    pub(crate) fn reach_limit(&mut self) -> bool {
        let Some(pending) = self.journal.pending.take() else {
            return false;
        };
        // The impacts left out rub on the way to the limit: that work is theirs.
        self.world.piling.end();
        let rubbed = self.world.friction_work() - pending.friction;
        self.world.take_friction_work(rubbed);
        let now = self.world.now();
        self.book(Event {
            energy_change: pending.energy_change.map(|change| change + rubbed),
            motion_work: pending.motion_work,
            modes_after: self.world.flow.closed.modes(),
            ways_after: self.world.flow.closed.fixed_ways(),
            ..Event::at(now.state(), Happening::Accumulation(pending.what))
        });
        true
    }
}

/// Work of the contacts in a jump, and the energies it is a small part of (J).
#[derive(Debug, Clone, Copy)]
struct Sum {
    work: f64,
    size: f64,
}

impl World<'_> {
    /// What times and heights of a pile are measured by.
    pub(crate) fn reach(&self, q: &[f64]) -> Reach {
        let scale = self.scale();
        Reach {
            spacing: scale.spacing(q),
            parted: scale.parted(q),
            time: scale.time,
            until: self.options.duration,
        }
    }

    /// Whether what presses the contacts of a pile together stops them within its time: some stay
    /// closed, and friction takes back what the pull gave. If not, it is no pile.
    fn presses(&self, pile: &Pile, v: &[f64], sum: Sum) -> bool {
        let tail = (pile.limit - self.motion.time()).max(0.0);
        let taken = -self.flow.closed.powers(v).friction * tail;
        let is_closed = pile.contacts.iter().any(|c| !self.is_open(*c));
        is_closed && sum.work <= taken + GAIN * sum.size
    }

    /// Whether a pile is as near its limit as round-off lets it come, or, where its slips die with it, so
    /// near that the way they go in the flights left out, `Σ a d²/2`, is within the stated bound. Of contacts that
    /// grip and whose slips outlive their approach the impacts are gone through one by one.
    fn is_late(&self, pile: &Pile) -> bool {
        let time = self.scale().time;
        let tail = pile.limit - self.motion.time();
        let way = 0.5 * tail * tail * (1.0 - pile.ratio) / (1.0 + pile.ratio);
        let is_within = pile.stops && way <= pile.bound * time;
        pile.is_at_limit || is_within || (pile.wanes && tail < LAST_TAIL * time)
    }

    /// Whether every contact with friction that is closed from now on slides one way all the time to the
    /// limit, before the pile is stopped and after. If not, its impacts stop it or turn it round on the way, and
    /// what is left of it at the limit cannot be foreseen yet.
    fn slides_on(&mut self, pile: &Pile, before: &Now, after: &Now) -> bool {
        let tail = (pile.limit - after.t).max(0.0);
        let acceleration = self.flow.acceleration(after.t, self.motion.state());
        let held = self.flow.closed.held().to_vec();
        let mechanism = &mut *self.flow.mechanism;
        held.iter().filter(|held| held.mu_s > 0.0).all(|held| {
            let rows = ContactRows::of(mechanism, after.state(), held.contact);
            let (slip, stopped) = (rows.slips(0, &before.v), rows.slips(0, &after.v));
            let rate = speed(rows.slip_rates(0, &acceleration));
            let jump = speed([stopped[0] - slip[0], stopped[1] - slip[1]]);
            let change = jump + rate * tail;
            let is_sliding = inner(held.way.along(stopped), slip) > CLEAR * change;
            let was_stuck = held.mode.is_sticking() && !pile.contacts.contains(&held.contact);
            let grips = pile.grips.contains(&held.contact);
            (is_sliding && !grips) || was_stuck
        })
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
        let now = self.now();
        let tail = pile.limit - now.t;
        if pile.bound >= tail || tail < LAST_TAIL * self.scale().time {
            return true;
        }
        let gaps = self.flow.gaps(now.state()).to_vec();
        let acceleration = self.flow.acceleration(now.t, self.motion.state());
        let mut open = (0..gaps.len()).filter(|c| self.flow.closed.mode(*c) == ContactMode::Open);
        let mechanism = &mut *self.flow.mechanism;
        open.all(|contact| {
            let rows = ContactRows::of(mechanism, now.state(), contact);
            let bias = rows.drift(0).acceleration.n;
            let a_n = carom_numeric::dot(rows.normal(0), &acceleration) + bias;
            let Gap { gap, v_n } = gaps[contact];
            let least = v_n.min(0.0) * tail + 0.5 * a_n.min(0.0) * tail * tail;
            least == 0.0 || gap + CLEAR * least > 0.0
        })
    }

    /// Leaves contacts out of a pile that are further away than its impacts reach.
    fn leave_out_far(&mut self, pile: &mut Pile) {
        let now = self.now();
        let gaps = self.flow.gaps(now.state()).to_vec();
        let speeds = pile.contacts.iter().map(|c| gaps[*c].v_n.abs());
        let reach = REACH * pile.interval * speeds.fold(0.0, f64::max);
        let scale = self.scale();
        pile.contacts
            .retain(|c| gaps[*c].gap.abs() <= reach || scale.is_closed(*c, gaps[*c].gap, &now.q));
    }

    /// Takes contacts into a pile that touch and do not part beyond round-off in its time: a body that rocks
    /// from one corner, where it comes to rest, to the other comes to rest on both.
    fn take_in_near(&mut self, pile: &mut Pile) {
        let now = self.now();
        let near = self.scale().parted(&now.q);
        let gaps = self.flow.gaps(now.state()).to_vec();
        for (contact, Gap { gap, v_n }) in gaps.into_iter().enumerate() {
            let is_near = gap.abs() + v_n.abs() * pile.interval <= near;
            let is_new = self.is_open(contact) && !pile.contacts.contains(&contact);
            if is_near && is_new && self.flow.mechanism.owns_touch(now.state(), contact) {
                pile.contacts.push(contact);
            }
        }
        pile.contacts.sort_unstable();
    }

    /// Stops the contacts of a pile, as the impacts left out do together; the work of the contacts in it
    /// (J).
    fn stop_pile(&mut self, pile: &Pile) -> Result<f64, SimError> {
        let now = self.now();
        let held = self.piled(pile, now.state());
        let singular = |source| SimError::Singular {
            time: now.t,
            source,
        };
        let flow = &mut self.flow;
        flow.hold(now.state(), held).map_err(singular)?;
        let state = now.state().on(flow.pieces.all());
        let stopped = flow.closed.stop(flow.mechanism, state);
        let (mut v_post, work) = stopped.map_err(singular)?;
        let mut q_post = now.q.clone();
        self.flow.settle_state(now.t, &mut q_post, &mut v_post);
        self.last = self.collider.speed_at(now.t);
        self.put(&q_post, &v_post);
        Ok(work)
    }

    /// The contacts of a pile, and those closed already, each in the mode its slip says.
    fn piled(&mut self, pile: &Pile, state: State<'_>) -> Vec<Held> {
        let mut all = pile.contacts.clone();
        all.extend_from_slice(self.flow.closed.contacts());
        all.sort_unstable();
        all.dedup();
        let gaps = self.flow.gaps(state).to_vec();
        let speeds = pile.contacts.iter().map(|c| gaps[*c].v_n.abs());
        let fastest = speeds.fold(0.0, f64::max);
        let mut modes = Vec::new();
        for contact in all {
            let mechanism = &mut *self.flow.mechanism;
            let slip = ContactRows::of(mechanism, state, contact).slips(0, state.v);
            let touch = Touch::of(mechanism, contact, slip, &self.rules[contact]);
            let mode = match mechanism.dimension() {
                _ if !touch.is_rough() => ContactMode::Closed,
                // Every impact left out gives the slip back, and in the end none is left.
                _ if pile.grips.contains(&contact) => ContactMode::Stick,
                _ if speed(slip) <= STOPS_WITH * fastest => ContactMode::Stick,
                Dimension::Plane => ContactMode::sliding(slip[0]),
                Dimension::Space => ContactMode::Slide,
            };
            let spin = match touch.radius > 0.0 {
                true => self.last.spin(mechanism, state, contact, &self.flow.scale),
                false => 0.0,
            };
            let mode = mode.with_pivot(Pivot::of(spin));
            modes.push(Held::of(mechanism, contact, mode, self.rules));
        }
        self.piling.name_free(&mut modes, self.rules);
        modes
    }
}

/// A number, or zero where it is no larger than round-off.
fn beyond(x: f64, round_off: f64) -> f64 {
    if x.abs() > round_off { x } else { 0.0 }
}
