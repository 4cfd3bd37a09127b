//! The event loop.

mod collide;

use std::cell::Cell;

use carom_multibody::State;
use carom_multibody::mechanism::{Crossing, Mechanism};
use carom_ode::{Effort, Error, Guard, Integrator, Stop};

use crate::approach::LastImpact;
use crate::batch::{Batch, batch};
use crate::event::Event;
use crate::flow::{Flow, Interrupted};
use crate::idle::Idle;
use crate::impact::Collider;
use crate::overlap::{refuse_missed, refuse_overlap};
use crate::piling::Piling;
use crate::reset::Resets;
use crate::sample::{Sample, Sampler};
use crate::watch::{Progress, Watch};
use crate::{End, Ledger, Options, Rule, Setup, SimError};

/// A finished run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Every event, in order.
    pub events: Vec<Event>,
    /// States evenly spaced over the time of the run (of an interrupted one: over the time asked for,
    /// as far as it came).
    pub samples: Vec<Sample>,
    /// Energies and works, where the mechanism knows its energy.
    pub ledger: Option<Ledger>,
    /// How it ended.
    pub end: End,
    /// When (s).
    pub time: f64,
    /// Positions at the end.
    pub q: Vec<f64>,
    /// Rates at the end.
    pub v: Vec<f64>,
    /// What the integration cost.
    pub effort: Effort,
}

/// Runs a mechanism until its time is up or the physics ends it.
pub fn run<M: Mechanism>(setup: &mut Setup<M>) -> Result<Run, SimError> {
    start(setup, None)
}

/// Checks all that a run checks before it starts, overlap included.
pub fn check<M: Mechanism>(setup: &mut Setup<M>) -> Result<(), SimError> {
    setup.check()?;
    let interrupt = Cell::new(false);
    let options = setup.options.clone();
    Course::new(setup, &options, &interrupt).map(|_| ())
}

/// The same, with a watcher that is asked after every step and may stop the run.
pub fn run_watched<M: Mechanism>(
    setup: &mut Setup<M>,
    watch: Watcher<'_>,
) -> Result<Run, SimError> {
    start(setup, Some(watch))
}

type Watcher<'a> = &'a mut dyn FnMut(Progress) -> Watch;

fn start<M: Mechanism>(setup: &mut Setup<M>, watch: Option<Watcher<'_>>) -> Result<Run, SimError> {
    setup.check()?;
    let mut run = go(setup, &setup.options.clone(), watch)?;
    let is_early = run.time > 0.0 && run.time < setup.options.duration;
    if is_early && setup.options.samples > 1 && run.end != End::Interrupted {
        // The samples were spread over the time asked for: once more, over the time there was.
        let options = Options {
            duration: run.time,
            ..setup.options.clone()
        };
        if let Ok(again) = go(setup, &options, None) {
            run.samples = again.samples;
            run.samples.extend(run.last_sample(options.samples));
        }
    }
    Ok(run)
}

impl Run {
    /// The last state, where the repeated run ended a round-off before it.
    fn last_sample(&self, samples: usize) -> Option<Sample> {
        let v_pre = |event: &Event| (event.time == self.time).then(|| event.v_pre.clone());
        let v = self.events.last().and_then(v_pre);
        (self.samples.len() + 1 == samples).then(|| Sample {
            time: self.time,
            q: self.q.clone(),
            v: v.unwrap_or_else(|| self.v.clone()),
        })
    }
}

fn go<M: Mechanism>(
    setup: &mut Setup<M>,
    options: &Options,
    watch: Option<Watcher<'_>>,
) -> Result<Run, SimError> {
    let interrupt = Cell::new(false);
    let mut course = Course::new(setup, options, &interrupt)?;
    let end = course.go(watch)?;
    Ok(course.finish(end))
}

/// A run under way.
pub(crate) struct Course<'a, M> {
    pub(crate) flow: Flow<'a, M>,
    pub(crate) motion: Integrator<Vec<f64>>,
    sampler: Sampler,
    collider: Collider,
    /// The impacts of each contact, and of all in turn.
    pilings: Vec<Piling>,
    turns: Piling,
    /// The resets of each guard of the system's own.
    pub(crate) resets: Vec<Resets>,
    last: LastImpact,
    ledger: Option<Ledger>,
    events: Vec<Event>,
    pub(crate) rules: &'a [Rule],
    options: &'a Options,
}

impl<'a, M: Mechanism> Course<'a, M> {
    fn new(
        setup: &'a mut Setup<M>,
        options: &'a Options,
        interrupt: &'a Cell<bool>,
    ) -> Result<Self, SimError> {
        let (q, v) = &setup.start()?;
        let guards = guards(&setup.mechanism);
        let own = setup.mechanism.guards();
        let mut flow = Flow::new(&mut setup.mechanism, interrupt);
        flow.heed(State { t: 0.0, q, v });
        refuse_overlap(&mut flow, State { t: 0.0, q, v }, &setup.rules)?;
        let ledger = flow.energy(0.0, q, v).map(Ledger::opened);
        let ode = carom_ode::Options {
            max_steps: MAX_STEPS,
            ..carom_ode::Options::with_tolerance(options.tolerance)
        };
        let start = flow.start(q, v);
        let sampler = Sampler::new(options.samples, options.duration, &start, q, v);
        let motion = Integrator::new(start, guards, ode);
        let refused = |error: carom_ode::SetupError| SimError::Integration {
            time: 0.0,
            message: error.to_string(),
        };
        Ok(Self {
            flow,
            motion: motion.map_err(refused)?,
            sampler,
            collider: Collider::default(),
            pilings: vec![Piling::default(); setup.rules.len()],
            turns: Piling::default(),
            resets: vec![Resets::default(); own],
            last: LastImpact::default(),
            ledger,
            events: Vec::new(),
            rules: &setup.rules,
            options,
        })
    }

    /// Flow, then what the guards mean, until something ends the run.
    fn go(&mut self, mut watch: Option<Watcher<'_>>) -> Result<End, SimError> {
        let mut idle = Idle::default();
        loop {
            let stop = self.flow_on(&mut watch)?;
            self.refuse_missed()?;
            match stop {
                Some(Stop::End) => return Ok(End::Duration),
                None => return Ok(End::Interrupted),
                Some(Stop::Event) => {}
            }
            let (batch, own) = batch(&mut self.flow, &mut self.motion, &self.last);
            let mut end = match batch {
                Batch::Nothing if own.is_empty() && idle.is_stuck(self.motion.time()) => {
                    return Err(self.undecided());
                }
                Batch::Nothing => None,
                Batch::Persists(contacts) => Some(self.close(contacts)),
                Batch::Closing { closing, touching } => self.collide(&closing, &touching)?,
            };
            for guard in own {
                end = end.or_else(|| self.reset(guard));
            }
            if let Some(end) = end {
                return Ok(end);
            }
            if self.events.len() >= self.options.max_events {
                return Ok(End::EventLimit);
            }
        }
    }

    fn refuse_missed(&mut self) -> Result<(), SimError> {
        let y = self.motion.state().clone();
        let (q, v, _) = self.flow.split(&y);
        let t = self.motion.time();
        let state = State { t, q, v };
        refuse_missed(&mut self.flow, state, self.rules)
    }

    /// Contacts that fire again and again without touching.
    fn undecided(&self) -> SimError {
        let fired = self.motion.fired().iter();
        let names = fired.filter_map(|fired| self.rules.get(fired.guard));
        let names: Vec<&str> = names.map(|rule| rule.name.as_str()).collect();
        SimError::Integration {
            time: self.motion.time(),
            message: format!(
                "whether {} touch cannot be told: faces or edges meet almost flat",
                names.join(", ")
            ),
        }
    }

    /// Smooth motion to the next event; nothing when the watcher stopped it.
    fn flow_on(&mut self, watch: &mut Option<Watcher<'_>>) -> Result<Option<Stop>, SimError> {
        let (sampler, until) = (&mut self.sampler, self.options.duration);
        let (events, interrupt) = (self.events.len(), self.flow.interrupt);
        self.flow.fault = None;
        let is_seen = watch.is_some() || !sampler.is_done();
        let mut see = |step: &carom_ode::DenseStep<Vec<f64>>| {
            sampler.see(step);
            let progress = Progress {
                time: step.end(),
                duration: until,
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
            Err(error) => Err(self.failure(&error)),
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

    /// Contacts are closed and stay closed; one that bounced up to now has come to its limit.
    fn close(&self, contacts: Vec<usize>) -> End {
        let q = self.flow.split(self.motion.state()).0;
        let size = q.iter().fold(0.0f64, |size, q| size.max(q.abs()));
        let time = self.motion.time();
        let pile = match contacts[..] {
            [contact] => self.turns.closed(contact, time, size),
            _ => None,
        };
        pile.map_or(End::ContactPersists { contacts }, End::of)
    }

    pub(crate) fn book(&mut self, event: Event) {
        if let Some(ledger) = &mut self.ledger {
            ledger.book(&event);
        }
        // A flight is often as short as the one before; a step much longer than both might pass over it.
        let before = self.events.last().map_or(0.0, |last| last.time);
        if event.time - before > crate::piling::LAST_TAIL {
            self.motion.shorten_step(event.time - before);
        }
        self.events.push(event);
    }

    fn finish(mut self, end: End) -> Run {
        let time = self.motion.time();
        let (q, v, works) = self.flow.split(self.motion.state());
        let (q, v, works) = (q.to_vec(), v.to_vec(), works.to_vec());
        let energy = self.flow.energy(time, &q, &v);
        let books = self.ledger.zip(energy);
        for sample in &mut self.sampler.samples {
            let Sample { time, q, v } = sample;
            self.flow.settle_state(*time, q, v);
        }
        Run {
            ledger: books.map(|(ledger, energy)| ledger.closed(energy, &works)),
            events: self.events,
            samples: self.sampler.samples,
            end,
            time,
            q,
            v,
            effort: *self.motion.effort(),
        }
    }
}

/// One guard per contact, then those of the system.
fn guards<M: Mechanism>(mechanism: &M) -> Vec<Guard> {
    let own = (0..mechanism.guards()).map(|guard| match mechanism.guard_crossing(guard) {
        Crossing::Falling => Guard::falling(),
        Crossing::Rising => Guard::rising(),
        Crossing::Either => Guard::either(),
    });
    let contacts = std::iter::repeat_n(Guard::falling(), mechanism.contacts());
    contacts.chain(own).collect()
}

/// Steps allowed between two events.
const MAX_STEPS: u64 = 10_000_000;
