//! What the components of a state are measured by.

use crate::problem::State;
use crate::{Options, SetupError};

/// Spacings of a component below which no error is measured; the least relative tolerance is as large.
const SPACINGS: f64 = Options::MIN_RELATIVE / f64::EPSILON;

/// Sizes and origins of the components, one of each.
#[derive(Debug, Clone)]
pub(crate) struct Measure<S> {
    /// What each component is measured by.
    pub(crate) sizes: S,
    /// From where each component is measured.
    pub(crate) origin: S,
    /// Error allowed in each component at its origin: `absolute × size`, and what rounding needs there.
    floor: S,
    relative: f64,
}

impl<S: State> Measure<S> {
    pub(crate) fn new(start: &S, options: &Options) -> Result<Self, SetupError> {
        let sizes = filled(start, "sizes", &options.sizes, 1.0)?;
        let origin = filled(start, "origin", &options.origin, 0.0)?;
        let mut floor = sizes.clone();
        for (tolerance, origin) in floor.as_mut().iter_mut().zip(origin.as_ref()) {
            *tolerance *= options.absolute;
            *tolerance += SPACINGS * f64::EPSILON * origin.abs();
        }
        Ok(Self {
            sizes,
            origin,
            floor,
            relative: options.relative,
        })
    }

    /// Error allowed in a component that goes from `y` to `y_new`:
    /// `absolute × size + relative |y − origin|`, and what rounding needs at the origin; away from it the
    /// relative part is no less than rounding needs.
    #[inline(always)]
    pub(crate) fn tolerance(&self, i: usize, y: f64, y_new: f64) -> f64 {
        let origin = self.origin.as_ref()[i];
        let way = (y - origin).abs().max((y_new - origin).abs());
        self.floor.as_ref()[i] + self.relative * way
    }
}

/// One number per component; those given, or all the same.
fn filled<S: State>(
    start: &S,
    name: &'static str,
    given: &[f64],
    otherwise: f64,
) -> Result<S, SetupError> {
    let mut all = start.clone();
    let (found, expected) = (given.len(), all.as_ref().len());
    if given.is_empty() {
        all.as_mut().fill(otherwise);
    } else if found == expected {
        all.as_mut().copy_from_slice(given);
    } else {
        return Err(SetupError::BadCount {
            name,
            found,
            expected,
        });
    }
    Ok(all)
}
