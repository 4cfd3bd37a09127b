//! What the caller supplies: rates of the state and values of the guards.

use crate::{Effort, Error};

/// A state of fixed size: an array when the size is known at compile time, a `Vec` otherwise.
///
/// Implemented for every clonable type that shows itself as a slice of `f64`.
pub trait State: Clone + AsRef<[f64]> + AsMut<[f64]> {}

impl<T: Clone + AsRef<[f64]> + AsMut<[f64]>> State for T {}

/// One point of a trajectory.
#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// Time (s).
    pub t: f64,
    /// State `y(t)`.
    pub y: &'a [f64],
    /// Its rate `ẏ(t)`. Inside a step this is the rate of the dense output, at the ends of a step
    /// and at an event it is the problem's own.
    pub dy: &'a [f64],
}

/// All the states that a piece of trajectory can pass through: a box around it.
#[derive(Debug, Clone, Copy)]
pub struct Tube<'a> {
    /// Where the piece begins (s).
    pub from: f64,
    /// Where it ends (s).
    pub until: f64,
    /// Least value of each component of the state.
    pub low: &'a [f64],
    /// Greatest value of each component of the state.
    pub high: &'a [f64],
}

/// An initial value problem `ẏ = f(t, y)` with scalar guards `g(t, y)`.
pub trait Problem {
    /// Why the problem could not be evaluated; it stops the integration and is handed back.
    /// [`std::convert::Infallible`] when it always can.
    type Failure;

    /// Writes `ẏ = f(t, y)` into `dy`.
    ///
    /// Called at trial points too, which a rejected step or an event discards.
    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Self::Failure>;

    /// Called before a step is tried: the state may be written in other coordinates from here on, and its rate with
    /// it; nothing by default. Step, dense output and guards up to the next step are then in these.
    fn begin_step(&mut self, t: f64, y: &mut [f64], dy: &mut [f64]) {
        let _ = (t, y, dy);
    }

    /// Takes the end of a step at `t`, whose error has passed, back to the states that mean something,
    /// such as quaternions to unit length or a closed loop; nothing by default.
    ///
    /// It may move the state by no more than the error of the step. Asked before the rate at the end
    /// is evaluated, so that the next step and the dense output start and end there.
    fn settle(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }

    /// Writes every guard and its rate along the trajectory, `ġ = ∂g/∂t + ∂g/∂y · ẏ`.
    ///
    /// A rate may be left `NaN` when it is not known: it is then differenced on the dense output,
    /// which costs two more calls per point and leaves the time of a grazing at the order of the
    /// dense output. Entries of disarmed guards are not read.
    fn guards(
        &mut self,
        at: Point<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), Self::Failure> {
        let _ = (at, values, rates);
        Ok(())
    }

    /// Writes, for every guard, what its `|ġ|` never exceeds in a tube; entries left infinite say
    /// nothing, and that is what happens by default.
    ///
    /// A guard that is further from zero than it can travel needs no look inside a step. The bound
    /// must hold: with one that is too small, events are missed.
    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        let _ = (tube, speeds);
    }
}

/// The problem with its calls counted and its failures placed in time.
pub(crate) struct Flow<'a, P> {
    pub(crate) problem: &'a mut P,
    pub(crate) effort: &'a mut Effort,
}

impl<P: Problem> Flow<'_, P> {
    #[inline]
    pub(crate) fn rate(
        &mut self,
        t: f64,
        y: &[f64],
        dy: &mut [f64],
    ) -> Result<(), Error<P::Failure>> {
        self.effort.evaluations += 1;
        let done = self.problem.rate(t, y, dy);
        done.map_err(|source| Error::Problem { t, source })
    }

    #[inline]
    pub(crate) fn guards(
        &mut self,
        at: Point<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), Error<P::Failure>> {
        self.effort.guard_evaluations += 1;
        let done = self.problem.guards(at, values, rates);
        done.map_err(|source| Error::Problem { t: at.t, source })
    }
}
