//! The event loop.

use std::cell::Cell;

use carom_multibody::State;
use carom_multibody::mechanism::{Crossing, Mechanism};
use carom_ode::{Effort, Guard, Integrator, Stop};

use crate::accumulation::Pending;
use crate::approach::LastImpact;
use crate::batch::{Batch, Fires, batch, touching};
use crate::event::Event;
use crate::flow::Flow;
use crate::idle::Idle;
use crate::impact::Collider;
use crate::mode::ContactMode;
use crate::modes::Cause;
use crate::overlap::refuse_overlap;
use crate::piling::{Pile, Piling};
use crate::reset::Resets;
use crate::sample::{Sample, Sampler};
use crate::sustained::{Held, Sustained};
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
    /// The contacts closed at the end, and what they do.
    pub modes: Vec<(usize, ContactMode)>,
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

pub(crate) type Watcher<'a> = &'a mut dyn FnMut(Progress) -> Watch;

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
    /// The contacts closed from the start on, and what they do.
    pub fn modes_at_start(&self) -> &[(usize, ContactMode)] {
        match (self.samples.first(), self.events.first()) {
            (Some(sample), _) => &sample.modes,
            (None, Some(event)) => &event.modes_before,
            (None, None) => &self.modes,
        }
    }

    /// The last state, where the repeated run ended a round-off before it.
    fn last_sample(&self, samples: usize) -> Option<Sample> {
        let v_pre = |event: &Event| (event.time == self.time).then(|| event.v_pre.clone());
        let v = self.events.last().and_then(v_pre);
        (self.samples.len() + 1 == samples).then(|| Sample {
            time: self.time,
            q: self.q.clone(),
            v: v.unwrap_or_else(|| self.v.clone()),
            modes: self.modes.clone(),
            is_start: false,
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
    let end = course.go(watch);
    let run = end.map(|end| course.finish(end));
    (0..setup.rules.len()).for_each(|contact| setup.mechanism.free_piece(contact));
    run
}

/// A run under way.
pub(crate) struct Course<'a, M> {
    pub(crate) flow: Flow<'a, M>,
    pub(crate) motion: Integrator<Vec<f64>>,
    pub(crate) sampler: Sampler,
    pub(crate) collider: Collider,
    /// The impacts of each contact, and of all in turn.
    pub(crate) pilings: Vec<Piling>,
    pub(crate) turns: Piling,
    /// A pile just found, and one whose limit is on the way.
    pub(crate) pile: Option<Pile>,
    /// An open contact whose gap turned out to be noise.
    pub(crate) flat: Option<usize>,
    /// Contacts that the law of an impact just brought to rest, with their slips.
    pub(crate) stopped: Vec<(usize, f64)>,
    pub(crate) pending: Option<Pending>,
    /// Contacts whose forces grew without bound, driven by something prescribed.
    pub(crate) locked: Vec<usize>,
    /// The resets of each guard of the system's own.
    pub(crate) resets: Vec<Resets>,
    pub(crate) last: LastImpact,
    ledger: Option<Ledger>,
    pub(crate) events: Vec<Event>,
    /// The contacts closed in the smooth motion last taken up.
    pub(crate) closed: Vec<(usize, ContactMode)>,
    /// What the motion cost before contacts stayed closed.
    pub(crate) spent: Effort,
    pub(crate) rules: &'a [Rule],
    pub(crate) options: &'a Options,
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
            pile: None,
            flat: None,
            stopped: Vec::new(),
            pending: None,
            locked: Vec::new(),
            resets: vec![Resets::default(); own],
            last: LastImpact::default(),
            ledger,
            events: Vec::new(),
            closed: Vec::new(),
            spent: Effort::default(),
            rules: &setup.rules,
            options,
        })
    }

    /// Flow, then what the guards mean, until something ends the run.
    fn go(&mut self, mut watch: Option<Watcher<'_>>) -> Result<End, SimError> {
        let mut idle = Idle::default();
        if let Some(end) = self.begin()? {
            return Ok(end);
        }
        loop {
            let stop = self.flow_on(&mut watch)?;
            self.refuse_missed()?;
            let has_reached = self.pending.is_some() && self.reach_limit();
            match stop {
                Some(Stop::End) if has_reached && self.motion.time() < self.options.duration => {
                    continue;
                }
                Some(Stop::End) => return Ok(End::Duration),
                None => return Ok(End::Interrupted),
                Some(Stop::Event) => {}
            }
            if let Some(end) = self.lock() {
                return Ok(end);
            }
            if let Some(contact) = self.flat.take() {
                match self.close_flat(contact)? {
                    Some(end) => return Ok(end),
                    None => continue,
                }
            }
            let fires = batch(&mut self.flow, &mut self.motion, &self.last);
            let is_idle = matches!(fires.batch, Batch::Nothing) && fires.own.is_empty();
            if is_idle && idle.is_stuck(self.motion.time()) {
                return Err(self.undecided());
            }
            if let Some(end) = self.answer(fires)? {
                return Ok(end);
            }
            if self.events.len() >= self.options.max_events {
                return Ok(End::EventLimit);
            }
        }
    }

    /// Modes of contacts that touch at the start, unless some approach: these collide first.
    fn begin(&mut self) -> Result<Option<End>, SimError> {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let touching = touching(&mut self.flow, state);
        let gaps = self.flow.gaps(state).to_vec();
        let approaches = |contact: &usize| {
            let mechanism = &mut *self.flow.mechanism;
            self.last
                .approaches(mechanism, state, *contact, gaps[*contact].v_n)
        };
        let is_asked = self.options.sustained && !touching.is_empty();
        match is_asked && !touching.iter().any(approaches) {
            true => self.choose_modes(Cause::jump(touching)),
            false => Ok(None),
        }
    }

    /// What the guards that fired lead to; what ends the run with them, if anything.
    fn answer(&mut self, fires: Fires) -> Result<Option<End>, SimError> {
        let mut cause = Cause {
            triggers: fires.triggers,
            has_jumped: !fires.own.is_empty(),
            ..Cause::default()
        };
        let mut end = match fires.batch {
            Batch::Nothing => None,
            Batch::Persists(contacts) => match self.options.sustained {
                false => Some(self.close(contacts)),
                true => {
                    self.land(&contacts);
                    cause.landed = contacts;
                    None
                }
            },
            Batch::Closing { closing, touching } => {
                let end = self.collide(&closing, &touching)?;
                cause.has_jumped = true;
                cause.landed = [closing, touching].concat();
                end
            }
        };
        for guard in fires.own {
            end = end.or_else(|| self.reset(guard));
        }
        if end.is_some() {
            return Ok(end);
        }
        if let Some(pile) = self.pile.take() {
            return self.accumulate(pile);
        }
        let is_landing =
            (!cause.has_jumped && !cause.landed.is_empty()) || !self.stopped.is_empty();
        match is_landing || (self.flow.sustained.is_some() && cause.is_any()) {
            true => self.choose_modes(cause),
            false => Ok(None),
        }
    }

    /// Contacts are closed and stay closed; one that bounced up to now has come to its limit.
    fn close(&self, contacts: Vec<usize>) -> End {
        let pile = self.closed_pile(&contacts);
        pile.map_or(End::ContactPersists { contacts }, End::of)
    }

    /// The pile that a contact which stays closed has come to the limit of.
    fn closed_pile(&self, contacts: &[usize]) -> Option<Pile> {
        let q = self.flow.split(self.motion.state()).0;
        let size = q.iter().fold(0.0f64, |size, q| size.max(q.abs()));
        let time = self.motion.time();
        match contacts {
            [contact] => self.turns.closed(*contact, time, size),
            _ => None,
        }
    }

    /// Notes the pile that contacts which stay closed have come to the limit of.
    fn land(&mut self, contacts: &[usize]) {
        self.pile = self.closed_pile(contacts);
    }

    pub(crate) fn book(&mut self, mut event: Event) {
        event.modes_before.clone_from(&self.closed);
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

    /// Takes a sample back to the surfaces its closed contacts lie on.
    fn settle_sample(&mut self, sample: &mut Sample) {
        let Sample {
            time,
            q,
            v,
            modes,
            is_start,
        } = sample;
        let rules = self.rules;
        if let Some(sustained) = &mut self.flow.sustained {
            let mechanism = &mut *self.flow.mechanism;
            let held = modes.iter().map(|mode| Held::of(mechanism, *mode, rules));
            let held: Vec<Held> = held.collect();
            let state = State { t: *time, q, v };
            sustained.put(mechanism, state, held, *is_start);
        }
        self.flow.settle_state(*time, q, v);
    }

    fn finish(mut self, end: End) -> Run {
        self.reach_limit();
        let effort = self.effort();
        let time = self.motion.time();
        let (q, v, works) = self.flow.split(self.motion.state());
        let (q, v, works) = (q.to_vec(), v.to_vec(), works.to_vec());
        let energy = self.flow.energy(time, &q, &v);
        let books = self.ledger.zip(energy);
        let modes = self.flow.sustained.as_ref().map(Sustained::modes);
        let modes = modes.unwrap_or_default();
        let mut samples = std::mem::take(&mut self.sampler.samples);
        samples
            .iter_mut()
            .for_each(|sample| self.settle_sample(sample));
        Run {
            ledger: books.map(|(ledger, energy)| ledger.closed(energy, &works)),
            events: self.events,
            samples,
            end,
            time,
            q,
            v,
            modes,
            effort,
        }
    }
}

/// One guard per contact, then those of the system.
pub(crate) fn guards<M: Mechanism>(mechanism: &M) -> Vec<Guard> {
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
