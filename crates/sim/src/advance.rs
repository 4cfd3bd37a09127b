//! Smooth motion to the next event, and why it cannot go on.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_ode::{Error, Stop};

use crate::flow::Interrupted;
use crate::mode::ContactMode;
use crate::modes::Cause;
use crate::overlap::refuse_missed;
use crate::run::{Course, Watcher};
use crate::sustained::PER_CONTACT;
use crate::watch::{Progress, Watch};
use crate::{End, SimError};

/// A force beyond so many times its size when the contact took up its mode has no bound.
const LOCKED: f64 = 1e6;
/// A gap below this part of the positions may be noise.
const FLAT: f64 = 1e-12;

impl<M: Mechanism> Course<'_, M> {
    /// Smooth motion to the next event; nothing when the watcher stopped it.
    pub(crate) fn flow_on(
        &mut self,
        watch: &mut Option<Watcher<'_>>,
    ) -> Result<Option<Stop>, SimError> {
        let (until, duration) = (self.until(), self.options.duration);
        if let Some(sustained) = &self.flow.sustained {
            self.closed = sustained.modes();
            let is_start = self.motion.time() == 0.0 && self.events.is_empty();
            self.sampler.close(is_start, &self.closed);
        }
        let sampler = &mut self.sampler;
        let (events, interrupt) = (self.events.len(), self.flow.interrupt);
        self.flow.fault = None;
        let is_seen = watch.is_some() || !sampler.is_done();
        let mut see = |step: &carom_ode::DenseStep<Vec<f64>>| {
            sampler.see(step);
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
            Ok(stop) => Ok(Some(stop)),
            Err(Error::Problem {
                source: Interrupted,
                ..
            }) => Ok(None),
            Err(Error::RoughGuard { guard, .. }) if self.lies_flat(guard) => {
                self.flat = Some(guard);
                Ok(Some(Stop::Event))
            }
            Err(Error::StepUnderflow { .. } | Error::TooFast { .. } | Error::RoughGuard { .. })
                if self.is_locked() =>
            {
                Ok(Some(Stop::Event))
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Whether forces of closed contacts have grown without bound: what is prescribed drives the mechanism
    /// against them, and it has no way left to give.
    fn is_locked(&mut self) -> bool {
        self.locked = self.boundless();
        if !self.is_driven(&self.locked.clone()) {
            self.locked.clear();
        }
        !self.locked.is_empty()
    }

    /// Whether what is prescribed moves some of these contacts.
    pub(crate) fn is_driven(&mut self, contacts: &[usize]) -> bool {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let prescribed = self.flow.mechanism.prescribed(state, contacts);
        prescribed.is_some_and(|all| !all.joints.is_empty())
    }

    /// Closed contacts whose forces have grown without bound.
    fn boundless(&self) -> Vec<usize> {
        let Some(sustained) = &self.flow.sustained else {
            return Vec::new();
        };
        let held = sustained.held().iter().enumerate();
        let is_locked = |i: usize| sustained.force(i).n.abs() > LOCKED * sustained.scale();
        let locked = held.filter(|(i, _)| is_locked(*i));
        locked.map(|(_, held)| held.contact).collect()
    }

    /// The end of a motion that is locked, if it is.
    pub(crate) fn lock(&mut self) -> Option<End> {
        let contacts = std::mem::take(&mut self.locked);
        (!contacts.is_empty()).then_some(End::Jammed {
            contacts,
            is_prescribed: true,
        })
    }

    pub(crate) fn refuse_missed(&mut self) -> Result<(), SimError> {
        let y = self.motion.state().clone();
        let (q, v, _) = self.flow.split(&y);
        let t = self.motion.time();
        let state = State { t, q, v };
        refuse_missed(&mut self.flow, state, self.rules)
    }

    /// Whether the gap of an open contact is round-off, so that it is noise as a guard.
    fn lies_flat(&mut self, guard: usize) -> bool {
        let (t, q, v) = self.now();
        let size = q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let gaps = self.flow.gaps(State { t, q: &q, v: &v });
        let is_zero = gaps
            .get(guard)
            .is_some_and(|gap| gap.gap.abs() <= FLAT * size);
        is_zero && self.options.sustained
    }

    /// An open contact that lies flat and does not come off is closed.
    pub(crate) fn close_flat(&mut self, contact: usize) -> Result<Option<End>, SimError> {
        let landed = vec![contact];
        let end = self.choose_modes(Cause {
            landed,
            ..Cause::default()
        })?;
        let sustained = self.flow.sustained.as_ref();
        let is_open = sustained.is_none_or(|s| s.mode(contact) == ContactMode::Open);
        match is_open && end.is_none() {
            true => Err(self.undecided()),
            false => Ok(end),
        }
    }

    /// Contacts that fire again and again without touching.
    pub(crate) fn undecided(&self) -> SimError {
        let first = self.rules.len() + self.resets.len();
        let fired = || self.motion.fired().iter().map(|fired| fired.guard);
        let names = |contacts: Vec<usize>| {
            let rules = contacts.iter().filter_map(|k| self.rules.get(*k));
            let names: Vec<&str> = rules.map(|rule| rule.name.as_str()).collect();
            names.join(", ")
        };
        let of_modes = fired().filter(|guard| *guard >= first);
        let of_modes: Vec<usize> = of_modes
            .map(|guard| (guard - first) / PER_CONTACT)
            .collect();
        let message = match of_modes.is_empty() {
            true => format!(
                "whether {} touch cannot be told: faces or edges meet almost flat",
                names(fired().collect())
            ),
            false => format!(
                "whether {} go on as they do cannot be told: forces or slips stay at round-off",
                names(of_modes)
            ),
        };
        SimError::Integration {
            time: self.motion.time(),
            message,
        }
    }

    /// Why the smooth motion cannot go on.
    fn failure(&self, error: &Error<Interrupted>) -> SimError {
        match (error, self.flow.fault) {
            (Error::NonFiniteRate { t: time }, Some(source)) => SimError::Singular {
                time: *time,
                source,
            },
            _ => SimError::Integration {
                time: self.motion.time(),
                message: error.to_string(),
            },
        }
    }
}
