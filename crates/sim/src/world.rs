//! A mechanism in motion: physics without history.

use std::cell::Cell;

use carom_multibody::mechanism::Mechanism;
use carom_multibody::{Piece, State};
use carom_ode::{Effort, Integrator};

use crate::collide::Collider;
use crate::contact::approach::LastImpact;
use crate::contact::mode::ContactMode;
use crate::flow::{Flow, refuse_overlap};
use crate::pile::unresisted::Unresisted;
use crate::scale::Scale;
use crate::{Options, Rule, Setup, SimError, Stuck};

/// A mechanism in motion, with its contacts and what they do.
pub(crate) struct World<'a> {
    /// The mechanism and the equations of its smooth motion.
    pub(crate) flow: Flow<'a>,
    pub(crate) motion: Integrator<Vec<f64>>,
    pub(crate) collider: Collider,
    pub(crate) last: LastImpact,
    /// What the motion cost before contacts stayed closed.
    pub(crate) spent: Effort,
    pub(crate) rules: &'a [Rule],
    pub(crate) options: &'a Options,
    /// Contacts that stand for impacts up to their limit.
    pub(crate) piling: Unresisted,
    pub(crate) choices: Choices,
}

/// Choices of modes in one instant.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    time: f64,
    count: usize,
}

/// Choices in one instant after which guards at their limits are not taken at their word any longer: what they ask
/// for ends at once.
const MOST_CHOICES: usize = 12;

impl Choices {
    /// One more at a time.
    pub(crate) fn add(&mut self, time: f64) {
        self.count = if time == self.time { self.count + 1 } else { 1 };
        self.time = time;
    }

    /// Whether modes come and go in this instant.
    pub(crate) fn is_restless(&self) -> bool {
        self.count > MOST_CHOICES
    }
}

/// Time, positions and rates, to be kept while the world moves on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Now {
    pub(crate) t: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// The pieces of surface that contacts keep to.
    pub(crate) pieces: Vec<Option<Piece>>,
}

impl Now {
    pub(crate) fn state(&self) -> State<'_> {
        State::new(self.t, &self.q, &self.v).on(&self.pieces)
    }
}

/// A rate below this part of its size is zero: round-off of round-off.
const LEAST_RATE: f64 = f64::EPSILON * f64::EPSILON;
/// Flights shorter than this part of the time of the motion do not shorten the next step.
const SHORT_FLIGHT: f64 = 1e-6;

impl<'a> World<'a> {
    /// The mechanism at its start, loops closed; an overlap is refused.
    pub(crate) fn new(
        setup: &'a mut Setup<dyn Mechanism + '_>,
        options: &'a Options,
        interrupt: &'a Cell<bool>,
    ) -> Result<Self, SimError> {
        let (q, v) = &setup.start()?;
        let state = State::new(0.0, q, v);
        let mut flow = Flow::new(&mut setup.mechanism, interrupt);
        flow.heed(state);
        let scale = Scale::of(flow.mechanism, state, options);
        flow.measure(scale);
        refuse_overlap(&mut flow, state, &setup.rules)?;
        let start = flow.start(q, v);
        let motion = flow.integrator(start, q, options);
        Ok(Self {
            motion: motion.map_err(|error| SimError::Motion {
                time: 0.0,
                source: Stuck::Setup(error),
            })?,
            flow,
            collider: Collider::default(),
            last: LastImpact::default(),
            spent: Effort::default(),
            rules: &setup.rules,
            options,
            piling: Unresisted::default(),
            choices: Choices::default(),
        })
    }

    /// Time, positions and rates.
    pub(crate) fn now(&self) -> Now {
        let (q, v) = self.flow.placed(self.motion.time(), self.motion.state());
        let clean = |(v, size): (&f64, &f64)| match v.abs() < LEAST_RATE * size {
            true => 0.0,
            false => *v,
        };
        Now {
            t: self.motion.time(),
            q,
            v: v.iter().zip(&self.flow.scale.rates).map(clean).collect(),
            pieces: self.flow.pieces.all().to_vec(),
        }
    }

    /// The sizes that tolerances are measured by.
    pub(crate) fn scale(&self) -> &Scale {
        &self.flow.scale
    }

    /// What a contact does.
    pub(crate) fn mode(&self, contact: usize) -> ContactMode {
        self.flow.closed.mode(contact)
    }

    /// Whether a contact is open.
    pub(crate) fn is_open(&self, contact: usize) -> bool {
        self.mode(contact) == ContactMode::Open
    }

    /// Whether there is time left.
    pub(crate) fn is_on_time(&self) -> bool {
        self.motion.time() < self.options.duration
    }

    /// Puts positions and rates into the motion.
    pub(crate) fn put(&mut self, q: &[f64], v: &[f64]) {
        self.flow.put(self.motion.state_mut(), q, v);
    }

    /// Lets the next step be no longer than a flight, unless that was the end of a pile.
    pub(crate) fn shorten_step(&mut self, flight: f64) {
        if flight > SHORT_FLIGHT * self.scale().time {
            self.motion.shorten_step(flight);
        }
    }

    /// Keeps a contact to the piece of surface that it is on or moves onto, from this instant on; whether there
    /// is one.
    pub(crate) fn keep_piece(&mut self, now: &mut Now, contact: usize) -> bool {
        let flow = &mut self.flow;
        let is_kept = flow.pieces.keep(flow.mechanism, now.state(), contact);
        now.pieces = flow.pieces.all().to_vec();
        is_kept
    }

    /// Lets a contact be on any piece of its surface, from this instant on.
    pub(crate) fn free_piece(&mut self, now: &mut Now, contact: usize) {
        self.flow.pieces.free(contact);
        now.pieces = self.flow.pieces.all().to_vec();
    }

    /// Lets the contacts that are open be on any piece of their surfaces.
    pub(crate) fn free_open(&mut self) {
        for contact in 0..self.rules.len() {
            if self.is_open(contact) {
                self.flow.pieces.free(contact);
            }
        }
    }

    /// Names of contacts, to be told.
    pub(crate) fn names(&self, contacts: &[usize]) -> String {
        let rules = contacts.iter().filter_map(|k| self.rules.get(*k));
        let names: Vec<&str> = rules.map(|rule| rule.name.as_str()).collect();
        names.join(", ")
    }

    /// An error of the motion at this instant.
    pub(crate) fn stuck(&self, source: Stuck) -> SimError {
        SimError::Motion {
            time: self.motion.time(),
            source,
        }
    }
}
