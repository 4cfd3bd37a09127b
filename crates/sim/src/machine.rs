//! The event loop, as a machine: what happens next, until something ends the run.

use crate::contact::standing::Standing;
use crate::contact::{Cause, Chosen};
use crate::flow::{Batch, Fires, Flowed, Idle};
use crate::journal::Journal;
use crate::journal::event::Event;
use crate::journal::watch::Watcher;
use crate::pile::piling::Pile;
use crate::world::{Now, World};
use crate::{End, NoAnswer, SimError};

/// What the machine does next.
pub(crate) enum Next {
    /// Smooth motion to the first guard, or to the end of the time.
    Flow,
    /// Guards vanished: what they mean.
    Sort,
    /// Contacts close.
    Collide(Closing, Cause),
    /// Guards of the system's own.
    Reset(Cause),
    /// Modes of all contacts that touch.
    Choose(Cause),
    /// No acceleration is consistent with friction: impact without collision.
    Jump(Box<Standing>, Cause),
    /// Impacts without number: to their limit.
    Accumulate(Pile, Cause),
    /// The run is over.
    End(End),
}

/// The contacts of an impact.
#[derive(Debug)]
pub(crate) struct Closing {
    /// Contacts that approach.
    pub(crate) closing: Vec<usize>,
    /// Contacts that touch without approaching.
    pub(crate) touching: Vec<usize>,
}

/// A run under way: the world in motion, and what is written about it.
pub(crate) struct Machine<'a> {
    pub(crate) world: World<'a>,
    pub(crate) journal: Journal,
}

impl Machine<'_> {
    /// The whole simulation.
    pub(crate) fn go(&mut self, mut watch: Option<Watcher<'_>>) -> Result<End, SimError> {
        let mut idle = Idle::default();
        let mut next = self.begin();
        loop {
            next = match next {
                Next::Flow => self.flow(&mut watch)?,
                Next::Sort => self.sort(&mut idle)?,
                Next::Collide(contacts, cause) => self.collide(&contacts, cause)?,
                Next::Reset(cause) => self.reset(cause),
                Next::Choose(cause) => self.choose(cause)?,
                Next::Jump(standing, cause) => self.jump(&standing, cause)?,
                Next::Accumulate(pile, cause) => self.accumulate(pile, cause)?,
                Next::End(end) => return Ok(end),
            };
        }
    }

    /// Modes of contacts that touch at the start, unless some approach: these collide first.
    fn begin(&mut self) -> Next {
        let touching = self.world.touching();
        let is_asked = self.world.options.sustained && !touching.is_empty();
        match is_asked && !self.world.any_approaches(&touching) {
            true => Next::Choose(Cause::jump(touching)),
            false => Next::Flow,
        }
    }

    /// Smooth motion, which may pass the limit of a pile on its way.
    fn flow(&mut self, watch: &mut Option<Watcher<'_>>) -> Result<Next, SimError> {
        if self.journal.events.len() >= self.world.options.max_events {
            return Ok(Next::End(End::EventLimit));
        }
        let flowed = self.world.flow(&mut self.journal, watch)?;
        self.world.refuse_missed()?;
        let has_reached = self.reach_limit();
        Ok(match flowed {
            Flowed::ToTheEnd if has_reached && self.world.is_on_time() => {
                self.settle(Cause::default())
            }
            Flowed::ToTheEnd => Next::End(End::Duration),
            Flowed::Interrupted => Next::End(End::Interrupted),
            Flowed::ToGuards => Next::Sort,
            Flowed::Locked(contacts) => Next::End(End::Jammed {
                contacts,
                is_prescribed: true,
            }),
            Flowed::Jammed(contact, growth) => {
                let reason = NoAnswer::DynamicJam(growth);
                Next::End(End::no_answer(contact, reason))
            }
            Flowed::Flat(contact) => Next::Choose(Cause::flat(contact)),
        })
    }

    /// What the guards that vanished mean. Contacts come first, then the system's own.
    fn sort(&mut self, idle: &mut Idle) -> Result<Next, SimError> {
        let Fires {
            batch,
            own,
            triggers,
        } = self.world.sort();
        let events = self.journal.events.len();
        if idle.is_stuck(self.world.motion.time(), events, self.world.scale()) {
            return Err(self.world.undecided());
        }
        if let Some((contact, growth)) = self.world.pole(&triggers) {
            let reason = NoAnswer::DynamicJam(growth);
            return Ok(Next::End(End::no_answer(contact, reason)));
        }
        let mut cause = Cause {
            triggers,
            has_jumped: !own.is_empty(),
            own,
            ..Cause::default()
        };
        Ok(match batch {
            Batch::Nothing => Next::Reset(cause),
            Batch::Closing(contacts) => Next::Collide(contacts, cause),
            Batch::Persists(contacts) => {
                let pile = self.closed_pile(&contacts);
                if !self.world.options.sustained {
                    return Ok(Next::End(match pile {
                        Some(pile) => End::of(pile),
                        None => End::ContactPersists { contacts },
                    }));
                }
                (cause.pile, cause.landed) = (pile, contacts);
                Next::Reset(cause)
            }
        })
    }

    /// Where an instant leads once its impacts and resets are done: to the limit of a pile, to other modes,
    /// or on as before.
    pub(crate) fn settle(&self, mut cause: Cause) -> Next {
        if let Some(pile) = cause.pile.take() {
            return Next::Accumulate(pile, cause);
        }
        let has_landed = !cause.has_jumped && !cause.landed.is_empty();
        let is_asked = self.world.piling.is_over || !cause.stopped.is_empty();
        let is_landing = has_landed || is_asked;
        match is_landing || (self.world.flow.is_in_contact && cause.is_any()) {
            true => Next::Choose(cause),
            false => Next::Flow,
        }
    }

    /// Chooses the modes of all contacts that touch, and records what changes.
    ///
    /// What came off in this very instant is not asked whether it touches: it does, for no time.
    fn choose(&mut self, mut cause: Cause) -> Result<Next, SimError> {
        self.world.piling.is_over = false;
        if !cause.has_jumped {
            cause.came_off = self.journal.released_at(self.world.motion.time());
        }
        let chosen = self.world.choose(&mut cause)?;
        if let Some(next) = self.take(chosen, &cause) {
            return Ok(next);
        }
        if self.world.is_still_flat(&cause) {
            return Err(self.world.undecided());
        }
        if !cause.has_jumped {
            self.world.let_go(&cause.landed);
        }
        Ok(Next::Flow)
    }

    /// Writes down modes that were chosen; what follows where none were.
    pub(crate) fn take(&mut self, chosen: Chosen, cause: &Cause) -> Option<Next> {
        let next = match chosen {
            Chosen::Modes(change) => {
                let now = self.world.now();
                let (mut landed, opened) = (change.landed(), change.opened());
                landed.retain(|contact| cause.landed.contains(contact));
                for event in self.journal.note_modes(change, cause, &now) {
                    self.book(event);
                }
                if !cause.has_jumped {
                    self.world.let_go(&opened);
                }
                if !cause.has_jumped && self.journal.last_at(now.t).is_none() {
                    self.tell_landed(&landed, &now);
                }
                None
            }
            Chosen::Nothing(standing) => {
                return Some(Next::Jump(Box::new(standing), cause.again()));
            }
            Chosen::End(end) => Some(Next::End(end)),
        };
        self.world.free_open();
        let asked = [&cause.landed[..], &cause.handed].concat();
        self.journal.tell_open(&asked, self.world.motion.time());
        next
    }

    /// Contacts that have come to rest on their surfaces without an impact: each closes with an event of its
    /// own, an impact without an impulse.
    fn tell_landed(&mut self, landed: &[usize], now: &Now) {
        for contact in landed {
            if let Some(event) = self.world.touch_down(*contact, now) {
                self.book(event);
            }
        }
    }

    /// Enters an event, and lets the next step be no longer than the flight before it: a flight is often as
    /// short as the last, and a step much longer than both might pass over it.
    pub(crate) fn book(&mut self, event: Event) {
        let flight = self.journal.book(event);
        self.world.shorten_step(flight);
    }
}
