//! What the guards that vanished together mean.

use carom_multibody::State;
use carom_multibody::mechanism::Gap;
use carom_ode::{Fired, Kind};

use super::board::{Board, GuardId};
use crate::contact::approach::{has_no_flight, is_drowned, opens};
use crate::contact::closed::Trigger;
use crate::machine::Closing;
use crate::world::{Now, World};

/// What the contacts whose gaps vanished do.
pub(crate) enum Batch {
    /// A graze, a feature that does not own its touch, guards of other kinds alone.
    Nothing,
    /// Contacts close; others touch at that instant.
    Closing(Closing),
    /// Contacts are closed and do not open.
    Persists(Vec<usize>),
}

/// Part of the depth down to which a contact is let be, beyond which a feature that does not own its touch is
/// clearly past it.
const PASSED: f64 = 0.5;

/// A force that changes its sign where it is more than this part of its size does not vanish there.
const NOT_ZERO: f64 = 1e-6;
/// Contacts that slide are not moved by what pushes and rubs where it does less than this part of what it did.
const NO_LEVERAGE: f64 = 1e-9;

/// A contact whose gap is left is past its touching after so many times its gap.
const PAST: f64 = 2.0;
/// Spacings of time by which the instant of a touching may be early.
const INSTANT_ULPS: f64 = 4.0;

/// An event: what the contacts do, the system's own guards that fired and count, in their order, and
/// the guards of closed contacts that did. All of them are honoured, contacts first.
pub(crate) struct Fires {
    pub(crate) batch: Batch,
    pub(crate) own: Vec<usize>,
    pub(crate) triggers: Vec<Trigger>,
}

/// What an open contact whose gap vanished does.
enum Landing {
    /// It passes, or touches without meaning.
    Nothing,
    Closes,
    Stays,
}

impl World<'_> {
    /// Sorts out the guards that fired.
    pub(crate) fn sort(&mut self) -> Fires {
        let fired: Vec<Fired> = self.motion.fired().to_vec();
        let board = Board::of(self.flow.mechanism);
        let y = self.motion.state().clone();
        let (q, v) = self.flow.placed(self.motion.time(), &y);
        let now = Now {
            t: self.motion.time(),
            q,
            v,
            pieces: self.flow.pieces.all().to_vec(),
        };
        let gaps = self.flow.gaps(now.state()).to_vec();
        let acceleration = self.flow.acceleration(now.t, &y);
        let (mut closing, mut staying) = (Vec::new(), Vec::new());
        let (mut own, mut triggers) = (Vec::new(), Vec::new());
        for event in &fired {
            match board.id(event.guard) {
                GuardId::Mode(trigger) if event.kind != Kind::Grazing => triggers.push(trigger),
                GuardId::Mode(_) => {}
                GuardId::Own(guard) => own.extend(self.switched_on(guard, event, &now)),
                GuardId::Gap(contact) => {
                    let gap = gaps[contact];
                    match self.landing(event, gap, &now, &acceleration) {
                        Landing::Nothing => {}
                        Landing::Closes => closing.push(contact),
                        Landing::Stays => staying.push(contact),
                    }
                }
            }
        }
        let batch = match (closing.is_empty(), staying.is_empty()) {
            (false, _) => {
                let mut touching = self.touching();
                touching.retain(|contact| !closing.contains(contact));
                Batch::Closing(Closing { closing, touching })
            }
            (true, false) => Batch::Persists(staying),
            (true, true) => Batch::Nothing,
        };
        Fires {
            batch,
            own,
            triggers,
        }
    }

    /// A contact whose force is infinite: its sign changed and it did not vanish, or what contacts that slide do
    /// moves them no longer.
    pub(crate) fn pole(&self, triggers: &[Trigger]) -> Option<(usize, f64)> {
        let mut forces = triggers.iter().filter(|t| matches!(t, Trigger::Force(_)));
        let leverage = self.flow.closed.leverage();
        let is_singular = leverage.is_some_and(|leverage| leverage <= NO_LEVERAGE);
        if triggers.contains(&Trigger::Jam) || (is_singular && forces.next().is_some()) {
            return self.hardest();
        }
        let board = self.flow.board();
        let is_infinite = |contact: usize| {
            let guard = board.index(GuardId::Mode(Trigger::Force(contact)));
            let mut fired = self.motion.fired().iter();
            let is_pole = |fired: &Fired| {
                let crosses = fired.guard == guard && fired.kind != Kind::Violated;
                crosses && fired.value.abs() > NOT_ZERO
            };
            triggers.contains(&Trigger::Force(contact)) && fired.any(is_pole)
        };
        self.hardest().filter(|(contact, _)| is_infinite(*contact))
    }

    /// A guard of the system's own that counts; one that is switched off passes.
    fn switched_on(&mut self, guard: usize, event: &Fired, now: &Now) -> Option<usize> {
        if !self.flow.mechanism.is_switched_on(now.state(), guard) {
            self.motion.pass(event.guard);
            return None;
        }
        (event.kind != Kind::Grazing).then_some(guard)
    }

    /// What an open contact whose gap vanished does.
    fn landing(&mut self, event: &Fired, gap: Gap, now: &Now, acceleration: &[f64]) -> Landing {
        let (contact, state) = (event.guard, now.state());
        let shallow = self.scale().shallow(contact, &now.q);
        if self.jumps(contact, gap, now) {
            self.motion.pass_within(contact, shallow);
            return Landing::Nothing;
        }
        let mechanism = &mut *self.flow.mechanism;
        if !mechanism.owns_touch(state, contact) {
            match gap.gap < -PASSED * shallow {
                true => self.motion.pass(contact),
                false => self.motion.pass_within(contact, shallow), // it may come to own it yet
            }
            return Landing::Nothing;
        }
        if event.kind == Kind::Grazing {
            return Landing::Nothing;
        }
        if has_no_flight(mechanism, state, contact, gap.v_n, acceleration) {
            return Landing::Stays;
        }
        let is_deep = event.kind == Kind::Violated && gap.gap >= -shallow;
        if is_deep && is_drowned(mechanism, state, contact, gap, acceleration) {
            return Landing::Stays;
        }
        if self.last.approaches(mechanism, state, contact, gap.v_n) {
            return Landing::Closes;
        }
        // At rest but for round-off, or so flat a graze that the search took it for a crossing: the
        // acceleration decides.
        if opens(mechanism, state, contact, acceleration) {
            self.motion.pass_within(contact, shallow);
            return Landing::Nothing;
        }
        Landing::Stays
    }

    /// Whether the sign of a gap changed for an instant only, at a corner whose sides change place, and not by
    /// a touching: it is not near zero, and past what would be its touching it is open.
    fn jumps(&mut self, contact: usize, gap: Gap, now: &Now) -> bool {
        let early = INSTANT_ULPS * f64::EPSILON * now.t.abs() * gap.v_n.abs();
        if gap.gap <= early || self.scale().touches(contact, gap.gap, &now.q) {
            return false;
        }
        let time = PAST * gap.gap / gap.v_n.abs();
        let mechanism = &mut *self.flow.mechanism;
        let mut past = now.q.clone();
        let mut rate = vec![0.0; past.len()];
        mechanism.position_rate(now.state(), &mut rate);
        past.iter_mut()
            .zip(&rate)
            .for_each(|(q, rate)| *q += time * rate);
        let past = State::new(now.t + time, &past, &now.v).on(&now.pieces);
        !time.is_finite() || self.flow.gaps(past)[contact].gap > 0.0
    }

    /// Contacts that are closed now, held or with a gap that is round-off.
    pub(crate) fn touching(&mut self) -> Vec<usize> {
        let now = self.now();
        let gaps = self.flow.gaps(now.state()).to_vec();
        let mut touching = Vec::new();
        for (contact, Gap { gap, .. }) in gaps.iter().enumerate() {
            let is_closed = !self.is_open(contact) || self.scale().touches(contact, *gap, &now.q);
            if is_closed && self.flow.mechanism.owns_touch(now.state(), contact) {
                touching.push(contact);
            }
        }
        touching
    }

    /// Whether some of the contacts approach.
    pub(crate) fn any_approaches(&mut self, contacts: &[usize]) -> bool {
        let now = self.now();
        let gaps = self.flow.gaps(now.state()).to_vec();
        contacts.iter().any(|contact| {
            let mechanism = &mut *self.flow.mechanism;
            self.last
                .approaches(mechanism, now.state(), *contact, gaps[*contact].v_n)
        })
    }
}
