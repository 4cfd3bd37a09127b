//! Problems from closures.

use carom_ode::{Point, Problem};
use std::convert::Infallible;

pub use crate::random::count;

/// `ẏ = f(t, y)` with guards `g`; neither ever fails.
pub struct Closures<F, G> {
    pub f: F,
    pub g: G,
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
pub fn guarded<F, G>(f: F, g: G) -> Closures<F, G>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    G: FnMut(Point<'_>, &mut [f64], &mut [f64]),
{
    Closures { f, g }
}

/// A problem without guards.
pub fn free<F>(f: F) -> impl Problem<Failure = Infallible>
where
    F: FnMut(f64, &[f64], &mut [f64]),
{
    Closures {
        f,
        g: |_: Point<'_>, _: &mut [f64], _: &mut [f64]| {},
    }
}

/// `ÿ = −y`
pub fn oscillator(_t: f64, y: &[f64], dy: &mut [f64]) {
    (dy[0], dy[1]) = (y[1], -y[0]);
}

/// Gravity of the falling things (m/s²).
pub const GRAVITY: f64 = 9.81;

/// `ÿ = −g`
pub fn fall(_t: f64, y: &[f64], dy: &mut [f64]) {
    (dy[0], dy[1]) = (y[1], -GRAVITY);
}

/// Guard 0: height above zero.
pub fn height(at: Point<'_>, values: &mut [f64], rates: &mut [f64]) {
    (values[0], rates[0]) = (at.y[0], at.y[1]);
}
