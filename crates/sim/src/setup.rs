//! What a run starts from.

use std::fmt;

use carom_contact::contact_space::Friction;
use carom_contact::impact::{Law, Method};
use carom_multibody::State;
use carom_multibody::mechanism::{
    Closer, Dimension, JointLimit, Mechanism, Open, PlaneMechanism, SpaceMechanism,
};

use crate::SimError;

/// How one contact collides.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Law of restitution.
    pub law: Law,
    /// Friction coefficients.
    pub friction: Friction,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Radius at which friction resists pivoting about the normal, in space (m): a closed contact carries a torque
    /// up to `μ r λ_n`. Zero: none, as in impacts.
    pub spin_radius: f64,
    /// Coefficient of tangential restitution, 0 to 1, where it has one; its law is Newton's.
    pub tangential_restitution: Option<f64>,
}

/// Limits and tolerances of a run; every field has a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Simulated time (s); default 1.
    pub duration: f64,
    /// Error allowed per step, as a part of the sizes of the model: lengths of shapes and links, the time and
    /// the energy of the motion; default `1e-12`.
    pub tolerance: f64,
    /// Sampled states, evenly spaced, first and last included; default 0.
    pub samples: usize,
    /// Impacts allowed; default 100 000.
    pub max_events: usize,
    /// How contacts that close together are solved; default complementarity.
    pub simultaneous: Method,
    /// Names of contacts in the order in which the sequential method lets them collide; default
    /// none: every order of up to six contacts. Those that are not named follow, as they are listed.
    pub order: Vec<String>,
    /// What to do where an impact, or an acceleration in contact, has several answers; default stop.
    pub several: Several,
    /// Whether a start that does not close the loops of the mechanism is solved for, nearest to the
    /// one given; default no: it is refused.
    pub assemble: bool,
    /// Whether the motion goes on where contacts stay closed or impacts pile up; default yes. If not,
    /// the run ends there.
    pub sustained: bool,
}

/// What to do where mechanics has several answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Several {
    /// End the run with them.
    #[default]
    Stop,
    /// Of an impact, go on with the first, as the solver orders them; the others stay in the event.
    /// Of accelerations, with the one that keeps the modes before, where it is among them.
    Keep,
    /// Of accelerations, go on with the one in which a contact lifts off.
    LiftOff,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            duration: 1.0,
            tolerance: 1e-12,
            samples: 0,
            max_events: 100_000,
            simultaneous: Method::Complementarity,
            order: Vec::new(),
            several: Several::Stop,
            assemble: false,
            sustained: true,
        }
    }
}

/// A mechanism with a rule for each of its contacts, its start and the options.
///
/// The mechanism may be a user's own: see [`Mechanism`].
#[derive(Clone)]
pub struct Setup<M: ?Sized = PlaneMechanism> {
    /// One rule per contact, those of joint limits after those of pairs of shapes.
    pub rules: Vec<Rule>,
    /// Positions at time 0.
    pub q: Vec<f64>,
    /// Rates at time 0.
    pub v: Vec<f64>,
    /// Limits and tolerances.
    pub options: Options,
    /// The mechanism and its contacts; the last field, so that any setup is a `Setup<dyn Mechanism>` where one is asked for.
    pub mechanism: M,
}

// Here, so that what moves a mechanism of the plane or of space is compiled with the event loop.
impl From<Setup<PlaneMechanism>> for Box<Setup<dyn Mechanism>> {
    fn from(setup: Setup<PlaneMechanism>) -> Self {
        Box::new(setup)
    }
}

impl From<Setup<SpaceMechanism>> for Box<Setup<dyn Mechanism>> {
    fn from(setup: Setup<SpaceMechanism>) -> Self {
        Box::new(setup)
    }
}

impl<M: ?Sized> fmt::Debug for Setup<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("rules", &self.rules)
            .field("q", &self.q)
            .field("v", &self.v)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Rule {
    /// The rules of the joint limits of a mechanism, plane or space, in their order.
    pub fn of_limits(mechanism: &impl AsRef<[JointLimit]>) -> impl Iterator<Item = Self> {
        mechanism.as_ref().iter().map(Self::of_limit)
    }

    /// Refuses a tangential restitution out of range, and one of a law that has none.
    fn check_tangential(&self) -> Result<(), SimError> {
        let Some(beta) = self.tangential_restitution else {
            return Ok(());
        };
        let name = &self.name;
        if !(0.0..=1.0).contains(&beta) {
            return Err(SimError::OutOfRange {
                which: format!("tangential_restitution of contact {name}"),
                value: beta,
                allowed: "a number from 0 to 1",
            });
        }
        match self.law.tangential_refusal() {
            None => Ok(()),
            Some(reason) => Err(SimError::NotTangential {
                contact: name.clone(),
                law: self.law,
                reason,
            }),
        }
    }

    /// The rule of one joint limit.
    pub fn of_limit(limit: &JointLimit) -> Self {
        Self {
            name: limit.name.clone(),
            law: Law::Newton,
            friction: Friction::NONE,
            restitution: limit.restitution,
            spin_radius: 0.0,
            tangential_restitution: None,
        }
    }
}

impl<M: Mechanism + ?Sized> Setup<M> {
    /// The positions and rates to start from: those given, taken to a placement, with all loops
    /// closed.
    pub fn start(&mut self) -> Result<(Vec<f64>, Vec<f64>), SimError> {
        let (mut q, mut v) = (self.q.clone(), self.v.clone());
        self.mechanism.normalise(&mut q);
        match q.iter().find(|x| !x.is_finite()) {
            None => self.closed(&mut q, &mut v).map(|()| (q, v)),
            Some(value) => Err(SimError::OutOfRange {
                which: "a position of the start, taken to unit length,".to_owned(),
                value: *value,
                allowed: "a quaternion of a length other than zero",
            }),
        }
    }

    /// Closes the loops of a start: one that is off by more than a tolerance is solved for where the
    /// options ask for it, and refused otherwise.
    fn closed(&mut self, q: &mut [f64], v: &mut [f64]) -> Result<(), SimError> {
        if self.mechanism.constraints() == 0 {
            return Ok(());
        }
        let mut closer = Closer::default();
        let found = match self.options.assemble {
            true => closer.assemble(&mut self.mechanism, 0.0, q, v).err(),
            false => closer.worst(&mut self.mechanism, State::new(0.0, q, v)),
        };
        match found {
            Some(open) if open.is_open() => Err(self.open(open)),
            _ => {
                closer.settle(&mut self.mechanism, 0.0, q, v);
                Ok(())
            }
        }
    }

    /// Friction against pivoting has a length, is friction, and there is none in the plane.
    fn check_spin(&self, rule: &Rule) -> Result<(), SimError> {
        let is_spatial = self.mechanism.dimension() == Dimension::Space;
        let allowed = match (is_spatial, rule.friction.mu_s() > 0.0) {
            (false, _) => "zero: in the plane nothing pivots about a normal",
            (_, false) => "zero where there is no friction",
            (true, true) => "a finite length >= 0",
        };
        let radius = rule.spin_radius;
        let is_meant =
            radius >= 0.0 && radius.is_finite() && is_spatial && rule.friction.mu_s() > 0.0;
        match is_meant || radius == 0.0 {
            true => Ok(()),
            false => Err(SimError::OutOfRange {
                which: format!("spin radius of contact {}", rule.name),
                value: radius,
                allowed,
            }),
        }
    }

    pub(crate) fn open(&self, open: Open) -> SimError {
        let closures = self.mechanism.closures();
        let mut rows = closures.iter().flat_map(|closure| {
            let units = closure.units.iter();
            units.map(|unit| (closure.name.clone(), *unit))
        });
        let (joint, unit) = rows.nth(open.constraint).unwrap_or_default();
        SimError::Open {
            joint,
            residual: open.value,
            allowed: open.allowed,
            unit: match (unit, open.is_rate) {
                ("rad", false) => "rad",
                ("rad", true) => "rad/s",
                (_, false) => "m",
                (_, true) => "m/s",
            },
            was_solved_for: self.options.assemble,
        }
    }

    /// Checks lengths and ranges; overlap is judged when the run starts.
    pub fn check(&self) -> Result<(), SimError> {
        let lengths = [
            ("rules", self.rules.len(), self.mechanism.contacts()),
            ("q", self.q.len(), self.mechanism.positions()),
            ("v", self.v.len(), self.mechanism.rates()),
        ];
        for (which, found, expected) in lengths {
            if found != expected {
                return Err(SimError::Length {
                    which,
                    found,
                    expected,
                });
            }
        }
        let out = |which: &str, value: f64, allowed: &'static str| SimError::OutOfRange {
            which: which.to_owned(),
            value,
            allowed,
        };
        let duration = self.options.duration;
        if !(duration > 0.0 && duration.is_finite()) {
            return Err(out("duration", duration, "a finite number > 0"));
        }
        if let Some(x) = self.q.iter().chain(&self.v).find(|x| !x.is_finite()) {
            return Err(out(
                "a position or rate of the start",
                *x,
                "a finite number",
            ));
        }
        let listed: Vec<&str> = self.rules.iter().map(|rule| &rule.name[..]).collect();
        crate::collide::order::check(&self.options.order, &listed)?;
        let mut names = std::collections::HashSet::new();
        for rule in &self.rules {
            if !names.insert(&rule.name) {
                let name = rule.name.clone();
                return Err(SimError::DuplicateName { name });
            }
            if !(0.0..=1.0).contains(&rule.restitution) {
                let which = format!("restitution of contact {}", rule.name);
                return Err(out(&which, rule.restitution, "a number from 0 to 1"));
            }
            self.check_spin(rule)?;
            rule.check_tangential()?;
        }
        Ok(())
    }
}
