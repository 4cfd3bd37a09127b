//! Guards: scalars whose change of sign is an event.

use crate::SetupError;
use crate::options::{is_size, refuse_first};

/// Which change of sign of a guard is an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `g` goes from positive to negative; the positive side is the permitted one.
    Falling,
    /// `g` goes from negative to positive; the negative side is the permitted one.
    Rising,
    /// Any change of sign; both sides are permitted.
    Either,
}

/// A guard's direction, its size and its three zeros.
///
/// # Re-arming
///
/// At the start, after an event, and after the caller touched the state or the guard, a guard is
/// placed by the sign of its first non-zero derivative:
///
/// 1. its value, when larger than `zero` (for a guard that just fired: than twice what rounding
///    left of it at the event, too);
/// 2. else its rate, when larger than `rate_zero`;
/// 3. else its value at the first later point of the trajectory where it exceeds `zero`.
///
/// A guard on its permitted side waits for its crossing. A guard at or beyond zero that moves back
/// to the permitted side does not fire. One that moves deeper fires at once as
/// [`Kind::Violated`](crate::Kind::Violated), and the caller decides: change the state, disarm the
/// guard, or let it [`pass`](crate::Integrator::pass).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard {
    /// Which change of sign is an event.
    pub direction: Direction,
    /// What its values are measured by, in the guard's unit; default 1.
    pub size: f64,
    /// Round-off of the value, in the guard's unit; default `1e-14` of its size.
    pub zero: f64,
    /// Round-off of the rate, in the guard's unit per second; default `1e-12` of its size per unit of
    /// time.
    pub rate_zero: f64,
    /// An extremum this close to zero is a grazing, in the guard's unit; default `1e-12` of its size.
    pub graze: f64,
}

impl Guard {
    /// A guard of the given direction with the default zeros.
    pub fn new(direction: Direction) -> Self {
        Self {
            direction,
            size: 1.0,
            zero: 1e-14,
            rate_zero: 1e-12,
            graze: 1e-12,
        }
    }

    /// The same guard with values larger by a factor, and times longer by another.
    pub fn sized(self, size: f64, time: f64) -> Self {
        Self {
            size: self.size * size,
            zero: self.zero * size,
            rate_zero: self.rate_zero * (size / time),
            graze: self.graze * size,
            ..self
        }
    }

    /// A guard that fires when it goes from positive to negative.
    pub fn falling() -> Self {
        Self::new(Direction::Falling)
    }

    /// A guard that fires when it goes from negative to positive.
    pub fn rising() -> Self {
        Self::new(Direction::Rising)
    }

    /// A guard that fires at every change of sign.
    pub fn either() -> Self {
        Self::new(Direction::Either)
    }

    /// The size or the first zero that is out of its range, if any.
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        let allowed = "a finite number >= 0";
        let good = |x: f64| x >= 0.0 && x.is_finite();
        refuse_first(&[
            (
                "guard.size",
                self.size,
                "a finite number > 0",
                is_size(self.size),
            ),
            ("guard.zero", self.zero, allowed, good(self.zero)),
            (
                "guard.rate_zero",
                self.rate_zero,
                allowed,
                good(self.rate_zero),
            ),
            ("guard.graze", self.graze, allowed, good(self.graze)),
        ])
    }
}

/// Where a guard stands; signs are oriented so that the permitted side is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// `g > 0`, or at zero and rising: the next fall through zero is an event.
    Clear,
    /// `g <= 0` and moving back to the permitted side.
    Leaving,
    /// `g = 0` and `ġ = 0`: the first later point decides.
    Undecided,
    /// `g < 0` by the caller's leave.
    Far,
    /// `g <= 0` and moving deeper: fires at once.
    Violated,
}

/// A guard under watch.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) guard: Guard,
    pub(crate) armed: bool,
    /// How deep the caller lets the guard be on the far side until it comes back; 0 is no leave.
    pub(crate) allowed: f64,
    /// What is added to the guard while it is searched for the place where it goes too deep.
    pub(crate) lift: f64,
    /// Sign that makes the permitted side positive.
    pub(crate) orient: f64,
    pub(crate) phase: Phase,
    /// Phase and orientation at the start of the step under examination.
    pub(crate) at_start: (Phase, f64),
    /// What the last event left of value and rate.
    pub(crate) residual: f64,
    pub(crate) rate_residual: f64,
    /// Nothing can happen in the interval under examination.
    pub(crate) quiet: bool,
    /// Its event in the step under examination is already found.
    pub(crate) found: bool,
}

/// Factor by which a value may exceed what the last event left of it and still be zero.
const RESIDUAL_MARGIN: f64 = 2.0;

impl Watch {
    pub(crate) fn new(guard: Guard) -> Self {
        Self {
            guard,
            armed: true,
            allowed: 0.0,
            lift: 0.0,
            orient: 1.0,
            phase: Phase::Undecided,
            at_start: (Phase::Undecided, 1.0),
            residual: 0.0,
            rate_residual: 0.0,
            quiet: false,
            found: false,
        }
    }

    /// Places the guard by the sign of its first non-zero derivative.
    pub(crate) fn classify(&mut self, value: f64, rate: f64) {
        let near = self.guard.zero.max(RESIDUAL_MARGIN * self.residual);
        let still = self
            .guard
            .rate_zero
            .max(RESIDUAL_MARGIN * self.rate_residual);
        self.orient = match self.guard.direction {
            Direction::Falling => 1.0,
            Direction::Rising => -1.0,
            Direction::Either if value.abs() > near => value.signum(),
            Direction::Either if rate.abs() > still => rate.signum(),
            Direction::Either => 1.0,
        };
        let (g, r) = (self.orient * value, self.orient * rate);
        self.phase = if g > near {
            Phase::Clear
        } else if r > still {
            Phase::Leaving
        } else if r < -still {
            self.deeper(g)
        } else if g < -near {
            self.beyond(g)
        } else {
            Phase::Undecided
        };
        (self.residual, self.rate_residual) = (0.0, 0.0);
        self.forget_leave();
    }

    /// A guard that has come back to its permitted side has no leave to fall again.
    pub(crate) fn forget_leave(&mut self) {
        if self.phase == Phase::Clear {
            self.allowed = 0.0;
        }
    }

    /// Whether the caller lets an oriented value be.
    fn is_allowed(&self, g: f64) -> bool {
        self.allowed > 0.0 && g >= -self.allowed
    }

    /// Phase of a guard at or beyond zero that moves deeper.
    pub(crate) fn deeper(&self, g: f64) -> Phase {
        if self.is_allowed(g) {
            Phase::Far
        } else {
            Phase::Violated
        }
    }

    /// Phase of a guard clearly beyond zero whose rate vanishes or is unknown.
    fn beyond(&self, g: f64) -> Phase {
        if self.is_allowed(g) {
            Phase::Far
        } else {
            Phase::Leaving
        }
    }
}
