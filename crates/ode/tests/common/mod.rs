//! Problems from closures, and full counts in release, one in a hundred in debug.
#![allow(dead_code)]

use carom_ode::{Point, Problem};
use std::convert::Infallible;

/// `ẏ = f(t, y)` with guards `g`; neither ever fails.
pub(crate) struct Closures<F, G> {
    pub(crate) f: F,
    pub(crate) g: G,
}

impl<F, G> Problem for Closures<F, G>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    G: FnMut(Point<'_>, &mut [f64], &mut [f64]),
{
    type Failure = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        (self.f)(t, y, dy);
        Ok(())
    }

    fn guards(
        &mut self,
        at: Point<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), Infallible> {
        (self.g)(at, values, rates);
        Ok(())
    }
}

/// A problem with guards.
pub(crate) fn guarded<F, G>(f: F, g: G) -> Closures<F, G>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    G: FnMut(Point<'_>, &mut [f64], &mut [f64]),
{
    Closures { f, g }
}

/// A problem without guards.
pub(crate) fn free<F>(f: F) -> impl Problem<Failure = Infallible>
where
    F: FnMut(f64, &[f64], &mut [f64]),
{
    Closures {
        f,
        g: |_: Point<'_>, _: &mut [f64], _: &mut [f64]| {},
    }
}

/// `ÿ = −y`
pub(crate) fn oscillator(_t: f64, y: &[f64], dy: &mut [f64]) {
    (dy[0], dy[1]) = (y[1], -y[0]);
}

/// Gravity of the falling things (m/s²).
pub(crate) const GRAVITY: f64 = 9.81;

/// `ÿ = −g`
pub(crate) fn fall(_t: f64, y: &[f64], dy: &mut [f64]) {
    (dy[0], dy[1]) = (y[1], -GRAVITY);
}

/// Guard 0: height above zero.
pub(crate) fn height(at: Point<'_>, values: &mut [f64], rates: &mut [f64]) {
    (values[0], rates[0]) = (at.y[0], at.y[1]);
}

/// Full count in release, one in a hundred in debug.
pub(crate) fn count(full: usize) -> usize {
    if cfg!(debug_assertions) {
        full / 100
    } else {
        full
    }
}
