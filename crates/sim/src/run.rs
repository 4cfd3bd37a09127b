//! A run from its start to its end.

use std::cell::Cell;

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_ode::Effort;

use crate::collide::law::common_law;
use crate::contact::closed::Held;
use crate::contact::mode::ContactMode;
use crate::contact::way::FixedWays;
use crate::journal::Journal;
use crate::journal::event::Event;
use crate::journal::ledger::Ledger;
use crate::journal::reset::Resets;
use crate::journal::sample::{Sample, Sampler};
use crate::journal::watch::Watcher;
use crate::machine::Machine;
use crate::pile::piling::Piling;
use crate::world::{Now, World};
use crate::{End, NotOffered, Options, Setup, SimError};

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
    /// The fixed ways of those that slide in space.
    pub ways: FixedWays,
    /// What the integration cost.
    pub effort: Effort,
}

/// What a run of this mechanism would end with as not offered, should contacts of it collide together.
pub fn not_offered(setup: &Setup<dyn Mechanism + '_>) -> Option<NotOffered> {
    let contacts: Vec<usize> = (0..setup.mechanism.contacts()).collect();
    let method = setup.options.simultaneous;
    let law = common_law(&setup.mechanism, &contacts, &setup.rules, method);
    law.err().filter(|_| contacts.len() > 1)
}

/// Runs a mechanism until its time is up or the physics ends it.
///
/// What is wrong with the start is an error. A motion that cannot go on ends with [`End::Failed`], and
/// everything up to there is in the run.
pub fn run(setup: &mut Setup<dyn Mechanism + '_>) -> Result<Run, SimError> {
    start(setup, None)
}

/// Checks all that a run checks before it starts, overlap included.
pub fn check(setup: &mut Setup<dyn Mechanism + '_>) -> Result<(), SimError> {
    setup.check()?;
    let interrupt = Cell::new(false);
    let options = setup.options.clone();
    World::new(setup, &options, &interrupt).map(|_| ())
}

/// The same as [`run`], with a watcher that is asked after every step and may stop the run.
pub fn run_watched(
    setup: &mut Setup<dyn Mechanism + '_>,
    watch: Watcher<'_>,
) -> Result<Run, SimError> {
    start(setup, Some(watch))
}

fn start(
    setup: &mut Setup<dyn Mechanism + '_>,
    watch: Option<Watcher<'_>>,
) -> Result<Run, SimError> {
    setup.check()?;
    let options = setup.options.clone();
    let mut run = go(setup, &options, watch)?;
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
        if self.samples.len() + 1 != samples {
            return None;
        }
        let at_end = |event: &&Event| event.time == self.time;
        let (q, v, modes, ways) = match self.events.iter().find(at_end) {
            Some(event) => (
                &event.q,
                &event.v_pre,
                &event.modes_before,
                &event.ways_before,
            ),
            None => (&self.q, &self.v, &self.modes, &self.ways),
        };
        Some(Sample {
            time: self.time,
            q: q.clone(),
            v: v.clone(),
            modes: modes.clone(),
            ways: ways.clone(),
            is_start: false,
        })
    }
}

fn go(
    setup: &mut Setup<dyn Mechanism + '_>,
    options: &Options,
    watch: Option<Watcher<'_>>,
) -> Result<Run, SimError> {
    let interrupt = Cell::new(false);
    let mut machine = Machine::new(World::new(setup, options, &interrupt)?);
    let end = machine.go(watch).unwrap_or_else(End::failed);
    Ok(machine.finish(end))
}

impl<'a> Machine<'a> {
    /// A world at its start, and an empty journal.
    fn new(mut world: World<'a>) -> Self {
        let (start, options) = (world.now(), world.options);
        let energy = world.flow.energy(0.0, &start.q, &start.v);
        let journal = Journal {
            events: Vec::new(),
            ledger: energy.map(|(total, kinetic)| Ledger::opened(total, kinetic)),
            sampler: Sampler::new(options.samples, options.duration, &start),
            closed: Vec::new(),
            ways: Vec::new(),
            pilings: vec![Piling::default(); world.rules.len()],
            turns: Piling::default(),
            pending: None,
            resets: vec![Resets::default(); world.flow.board().own],
        };
        Self { world, journal }
    }

    /// Takes a sample back to the surfaces its closed contacts lie on.
    fn settle_sample(&mut self, sample: &mut Sample) {
        let Sample {
            time,
            q,
            v,
            modes,
            is_start,
            ..
        } = sample;
        let (flow, rules) = (&mut self.world.flow, self.world.rules);
        if flow.is_in_contact {
            let mechanism = &mut *flow.mechanism;
            let held = modes.iter();
            let held = held.map(|(contact, mode)| Held::of(mechanism, *contact, *mode, rules));
            let held: Vec<Held> = held.collect();
            let state = State::new(*time, q, v);
            flow.pieces.lay(mechanism, state, &held, *is_start);
            flow.closed.put(held);
        }
        flow.settle_state(*time, q, v);
    }

    fn finish(mut self, end: End) -> Run {
        self.reach_limit();
        let effort = self.world.effort();
        let Now { t: time, q, v, .. } = self.world.now();
        let works = self.world.flow.split(self.world.motion.state()).2.to_vec();
        let energy = self.world.flow.energy(time, &q, &v);
        let books = self.journal.ledger.zip(energy);
        let closed = &self.world.flow.closed;
        let (modes, ways) = (closed.modes(), closed.fixed_ways());
        let mut samples = std::mem::take(&mut self.journal.sampler.samples);
        samples
            .iter_mut()
            .for_each(|sample| self.settle_sample(sample));
        Run {
            ledger: books.map(|(ledger, (total, kinetic))| ledger.closed(total, kinetic, &works)),
            events: self.journal.events,
            samples,
            end,
            time,
            q,
            v,
            modes,
            ways,
            effort,
        }
    }
}
