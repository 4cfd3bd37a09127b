//! Smooth motion to the next event, and why it cannot go on.

use carom_ode::{Error, Stop};

use super::board::{Board, GuardId};
use super::{Flow, Interrupted};
use crate::contact::Cause;
use crate::journal::Journal;
use crate::journal::watch::{Progress, Watch, Watcher};
use crate::world::World;
use crate::{SimError, Stuck};

/// A force beyond so many times its size when the contact took up its mode has no bound.
const LOCKED: f64 = 1e6;

/// A force so many times its size when the contact began to slide may be on its way to infinity …
const GROWN: f64 = 2.0;
/// … where what pushes and rubs moves its contacts by less than this part of what it did then.
const LEVERAGE: f64 = 1e-2;

/// How a smooth motion came to its end.
pub(crate) enum Flowed {
    /// Guards vanished.
    ToGuards,
    /// The time asked for is over.
    ToTheEnd,
    /// The watcher stopped it.
    Interrupted,
    /// Forces of closed contacts grew without bound, driven by something prescribed.
    Locked(Vec<usize>),
    /// The force of a contact that slides grew without bound: so many times what it was.
    Jammed(usize, f64),
    /// The gap of an open contact turned out to be noise.
    Flat(usize),
}

impl World<'_> {
    /// Smooth motion to the next event.
    pub(crate) fn flow(
        &mut self,
        journal: &mut Journal,
        watch: &mut Option<Watcher<'_>>,
    ) -> Result<Flowed, SimError> {
        let duration = self.options.duration;
        let until = journal.until(self.motion.time(), duration);
        let closed = &self.flow.closed;
        (journal.closed, journal.ways) = (closed.modes(), closed.fixed_ways());
        let is_start = self.motion.time() == 0.0 && journal.events.is_empty();
        let state = self.motion.state();
        journal.sampler.close(is_start, closed, state);
        let sampler = &mut journal.sampler;
        let (events, interrupt) = (journal.events.len(), self.flow.interrupt);
        self.flow.fault = None;
        let is_seen = watch.is_some() || !sampler.is_done();
        let mut see = |flow: &mut Flow<'_>, step: &carom_ode::DenseStep<Vec<f64>>| {
            sampler.see(flow, step);
            let progress = Progress {
                time: step.end(),
                duration,
                events,
            };
            let wish = watch.as_mut().map(|watch| watch(progress));
            interrupt.set(wish == Some(Watch::Stop));
        };
        let stop = match is_seen {
            true => self
                .motion
                .advance_observed(&mut self.flow, until, &mut see),
            false => self.motion.advance(&mut self.flow, until),
        };
        match stop {
            Ok(Stop::Event) => Ok(Flowed::ToGuards),
            Ok(Stop::End) => Ok(Flowed::ToTheEnd),
            Err(error) => self.halted(error),
        }
    }

    /// What a motion comes to that the integrator cannot take further.
    fn halted(&mut self, error: Error<Interrupted>) -> Result<Flowed, SimError> {
        match error {
            Error::Problem {
                source: Interrupted,
                ..
            } => Ok(Flowed::Interrupted),
            Error::RoughGuard { guard, .. } if self.lies_flat(guard) => Ok(Flowed::Flat(guard)),
            Error::StepUnderflow { .. } | Error::TooFast { .. } | Error::RoughGuard { .. } => {
                let locked = self.boundless();
                if !locked.is_empty() && self.is_driven(&locked) {
                    return Ok(Flowed::Locked(locked));
                }
                match self.jamming() {
                    Some((contact, growth)) => Ok(Flowed::Jammed(contact, growth)),
                    None => Err(self.failure(error)),
                }
            }
            error => Err(self.failure(error)),
        }
    }

    /// Whether what is prescribed moves some of these contacts.
    pub(crate) fn is_driven(&mut self, contacts: &[usize]) -> bool {
        let now = self.now();
        let prescribed = self.flow.mechanism.prescribed(now.state(), contacts);
        prescribed.is_some_and(|all| !all.joints.is_empty())
    }

    /// Closed contacts whose forces have grown without bound.
    fn boundless(&self) -> Vec<usize> {
        let closed = &self.flow.closed;
        let held = closed.held().iter().enumerate();
        let is_locked = |i: usize| closed.force(i).n.abs() > LOCKED * closed.scale();
        let locked = held.filter(|(i, _)| is_locked(*i));
        locked.map(|(_, held)| held.contact).collect()
    }

    /// A contact that slides with a force that has grown, and has next to nothing left to push against.
    fn jamming(&self) -> Option<(usize, f64)> {
        let leverage = self.flow.closed.leverage()?;
        let grown = self.hardest().filter(|(_, growth)| *growth > GROWN);
        grown.filter(|_| leverage < LEVERAGE)
    }

    /// Of the contacts that slide the one with the largest force, and how many times that is the size of the
    /// forces when the modes were set.
    pub(crate) fn hardest(&self) -> Option<(usize, f64)> {
        let closed = &self.flow.closed;
        let held = closed.held().iter().enumerate();
        let slides = held.filter(|(_, held)| held.mode.rubs());
        let growths =
            slides.map(|(i, held)| (held.contact, closed.force(i).n.abs() / closed.scale()));
        growths.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether the gap of an open contact is round-off, so that it is noise as a guard.
    fn lies_flat(&mut self, guard: usize) -> bool {
        let now = self.now();
        let gap = self.flow.gaps(now.state()).get(guard).map(|gap| gap.gap);
        let is_zero = gap.is_some_and(|gap| self.scale().is_closed(guard, gap, &now.q));
        is_zero && self.options.sustained
    }

    /// Whether a contact that lies flat was asked for its mode, and is open all the same.
    pub(crate) fn is_still_flat(&self, cause: &Cause) -> bool {
        cause.flat.is_some_and(|contact| self.is_open(contact))
    }

    /// Contacts that fire again and again without touching, or without changing what they do.
    pub(crate) fn undecided(&self) -> SimError {
        let board = Board::of(self.flow.mechanism);
        let fired = || {
            self.motion
                .fired()
                .iter()
                .map(|fired| board.id(fired.guard))
        };
        let of_modes = fired().filter_map(|id| match id {
            GuardId::Mode(trigger) => trigger.contact(),
            _ => None,
        });
        let of_modes: Vec<usize> = of_modes.collect();
        let of_gaps = fired().filter_map(|id| match id {
            GuardId::Gap(contact) => Some(contact),
            _ => None,
        });
        self.stuck(match of_modes.is_empty() {
            true => Stuck::TouchUndecided {
                contacts: self.names(&of_gaps.collect::<Vec<_>>()),
            },
            false => Stuck::ModeUndecided {
                contacts: self.names(&of_modes),
            },
        })
    }

    /// Why the smooth motion cannot go on.
    fn failure(&self, error: Error<Interrupted>) -> SimError {
        match (error, self.flow.fault) {
            (Error::NonFiniteRate { t: time }, Some(source)) => SimError::Singular { time, source },
            (error, _) => self.stuck(Stuck::Step(error)),
        }
    }
}
