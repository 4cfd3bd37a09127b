//! The event loop.

use carom_contact::impact::Outcome;
use carom_multibody::State;
use carom_multibody::mechanism::PlaneMechanism;
use carom_ode::{DenseStep, Effort, Fired, Guard, Integrator, Kind, Stop};

use crate::flow::Flow;
use crate::impact::{Collider, ImpactEvent};
use crate::piling::Piling;
use crate::{Ledger, Options, Rule, Setup, SimError};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// The time asked for was reached.
    Duration,
    /// A contact closed and stays closed.
    ContactPersists {
        /// The contact.
        contact: usize,
    },
    /// Impacts of one contact pile up.
    Accumulates {
        /// The contact.
        contact: usize,
        /// Last interval between its impacts (s).
        interval: f64,
        /// Ratio of successive intervals.
        ratio: f64,
        /// Estimated instant they lead to (s).
        limit: f64,
    },
    /// Several contacts closed together; only one at a time is solved yet.
    SeveralContacts {
        /// The contacts.
        contacts: Vec<usize>,
    },
    /// An impact has no end: no finite impulse satisfies its law, or the law has no solution. It is
    /// the last event, and its solution says which.
    Jammed {
        /// The contact.
        contact: usize,
    },
    /// The impacts allowed were used up.
    EventLimit,
}

/// A state on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// When (s).
    pub time: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Rates; at an impact those before it.
    pub v: Vec<f64>,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Every impact, in order.
    pub events: Vec<ImpactEvent>,
    /// States evenly spaced in time, as far as the run came.
    pub samples: Vec<Sample>,
    /// Energies and works.
    pub ledger: Ledger,
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
pub fn run(setup: Setup) -> Result<Run, SimError> {
    setup.check()?;
    let Setup {
        mut mechanism,
        rules,
        q,
        v,
        options,
    } = setup;
    let mut course = Course::new(&mut mechanism, &rules, &options, (&q, &v))?;
    let end = course.go()?;
    let (time, effort) = (course.motion.time(), *course.motion.effort());
    let (q, v, works) = course.flow.split(course.motion.state());
    let (q, v, works) = (q.to_vec(), v.to_vec(), works.to_vec());
    let energy = course.flow.energy(time, &q, &v);
    course.ledger.saw(energy.kinetic);
    Ok(Run {
        ledger: course.ledger.closed(energy.total(), &works),
        events: course.events,
        samples: course.sampler.samples,
        end,
        time,
        q,
        v,
        effort,
    })
}

/// A run under way.
struct Course<'a> {
    flow: Flow<'a>,
    motion: Integrator<Vec<f64>>,
    sampler: Sampler,
    collider: Collider,
    pilings: Vec<Piling>,
    ledger: Ledger,
    events: Vec<ImpactEvent>,
    rules: &'a [Rule],
    options: &'a Options,
}

impl<'a> Course<'a> {
    fn new(
        mechanism: &'a mut PlaneMechanism,
        rules: &'a [Rule],
        options: &'a Options,
        (q, v): (&[f64], &[f64]),
    ) -> Result<Self, SimError> {
        let mut flow = Flow::new(mechanism);
        let energy = flow.energy(0.0, q, v);
        let mut ledger = Ledger::opened(energy.total());
        ledger.saw(energy.kinetic);
        refuse_overlap(&mut flow, q, v, rules)?;
        let guards = vec![Guard::falling(); rules.len()];
        let ode = carom_ode::Options::with_tolerance(options.tolerance);
        let motion = Integrator::new(Flow::start(q, v), guards, ode);
        Ok(Self {
            flow,
            motion: motion.map_err(|error| stopped(0.0, error.to_string()))?,
            sampler: Sampler::new(options, q, v),
            collider: Collider::default(),
            pilings: vec![Piling::default(); rules.len()],
            ledger,
            events: Vec::new(),
            rules,
            options,
        })
    }

    /// Flow, then impact, until something ends the run.
    fn go(&mut self) -> Result<End, SimError> {
        loop {
            let (sampler, until) = (&mut self.sampler, self.options.duration);
            let stop = self
                .motion
                .advance_observed(&mut self.flow, until, &mut |step| sampler.see(step))
                .map_err(|error| stopped(self.motion.time(), error.to_string()))?;
            if stop == Stop::End {
                return Ok(End::Duration);
            }
            let end = match closing(&mut self.flow, &mut self.motion) {
                Closing::Nothing => None,
                Closing::Ends(end) => Some(end),
                Closing::One(contact) => self.collide(contact)?,
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// One impact: solve, apply, book; what ends the run with it, if anything.
    fn collide(&mut self, contact: usize) -> Result<Option<End>, SimError> {
        let t = self.motion.time();
        let (q, v, _) = self.flow.split(self.motion.state());
        let state = State { t, q, v };
        let rule = &self.rules[contact];
        let event = self
            .collider
            .strike(self.flow.mechanism, state, contact, rule)?;
        match event.solution.outcome {
            Outcome::Solved => {}
            // Closed, and its approach is round-off: nothing to strike, and nothing opens it.
            Outcome::NoImpact => return Ok(Some(End::ContactPersists { contact })),
            Outcome::Jammed | Outcome::Undetermined | Outcome::Infeasible => {
                self.events.push(event);
                return Ok(Some(End::Jammed { contact }));
            }
        }
        self.ledger.book(&event);
        let n = event.q.len();
        let y = self.motion.state_mut();
        y[n..n + event.v_post.len()].copy_from_slice(&event.v_post);
        self.events.push(event);
        let pile = self.pilings[contact].note(t);
        if let Some(pile) = pile {
            return Ok(Some(End::Accumulates {
                contact,
                interval: pile.interval,
                ratio: pile.ratio,
                limit: pile.limit,
            }));
        }
        let is_full = self.events.len() >= self.options.max_events;
        Ok(is_full.then_some(End::EventLimit))
    }
}

fn stopped(time: f64, message: String) -> SimError {
    SimError::Integration { time, message }
}

/// A contact that overlaps by more than round-off of the lengths involved has no history.
fn refuse_overlap(
    flow: &mut Flow<'_>,
    q: &[f64],
    v: &[f64],
    rules: &[Rule],
) -> Result<(), SimError> {
    for (i, rule) in rules.iter().enumerate() {
        let feature = flow.mechanism.features()[i].clone();
        let gap = flow
            .mechanism
            .place(State { t: 0.0, q, v })
            .touch(&feature)
            .gap;
        if gap < -OVERLAP {
            return Err(SimError::Overlap {
                contact: rule.name.clone(),
                gap,
            });
        }
    }
    Ok(())
}

/// Overlap that passes as touching at the start (m).
const OVERLAP: f64 = 1e-12;

/// What the guards that fired mean.
enum Closing {
    /// A graze, or a feature that does not own its touch.
    Nothing,
    /// One contact closes with an approach.
    One(usize),
    /// The run ends here.
    Ends(End),
}

fn closing(flow: &mut Flow<'_>, motion: &mut Integrator<Vec<f64>>) -> Closing {
    let fired: Vec<Fired> = motion.fired().to_vec();
    let (t, y) = (motion.time(), motion.state().clone());
    let (q, v, _) = flow.split(&y);
    let mut closing = Vec::new();
    for event in &fired {
        let feature = flow.mechanism.features()[event.guard].clone();
        let touch = flow.mechanism.place(State { t, q, v }).touch(&feature);
        match event.kind {
            _ if !touch.is_owned => motion.pass(event.guard),
            Kind::Grazing => {}
            Kind::Violated if touch.v_n >= 0.0 => {
                return Closing::Ends(End::ContactPersists {
                    contact: event.guard,
                });
            }
            Kind::Crossing | Kind::Violated => closing.push(event.guard),
        }
    }
    match closing[..] {
        [] => Closing::Nothing,
        [contact] => Closing::One(contact),
        _ => Closing::Ends(End::SeveralContacts { contacts: closing }),
    }
}

/// Collects states at even times.
struct Sampler {
    samples: Vec<Sample>,
    times: Vec<f64>,
    positions: usize,
    rates: usize,
    y: Vec<f64>,
    dy: Vec<f64>,
}

impl Sampler {
    fn new(options: &Options, q: &[f64], v: &[f64]) -> Self {
        let n = options.samples;
        let last = n.saturating_sub(1).max(1) as f64;
        let time = |k: usize| options.duration * (k as f64 / last);
        let mut times: Vec<f64> = (0..n).map(time).collect();
        times.reverse(); // the next one is the last
        let mut samples = Vec::with_capacity(n);
        if times.pop().is_some() {
            samples.push(Sample {
                time: 0.0,
                q: q.to_vec(),
                v: v.to_vec(),
            });
        }
        let state = Flow::start(q, v);
        Self {
            samples,
            times,
            positions: q.len(),
            rates: v.len(),
            dy: state.clone(),
            y: state,
        }
    }

    fn see(&mut self, step: &DenseStep<Vec<f64>>) {
        while let Some(time) = self.times.pop_if(|time| *time <= step.end()) {
            step.eval(time, &mut self.y, &mut self.dy);
            let (q, rest) = self.y.split_at(self.positions);
            self.samples.push(Sample {
                time,
                q: q.to_vec(),
                v: rest[..self.rates].to_vec(),
            });
        }
    }
}
