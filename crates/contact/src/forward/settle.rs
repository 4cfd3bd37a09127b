//! Numbers of a contact that are zero but for round-off.

use super::problem::ForwardContact;

/// Sizes of the terms that the numbers of a contact are sums of.
///
/// A velocity that an impact has just stopped is a sum of the velocities before it and of what its impulses
/// gave: its terms are theirs, however small it is itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactTerms {
    /// Of the drift, normal and tangent (m/s²).
    pub drift: [f64; 2],
    /// Of the slip (m/s).
    pub slip: f64,
}

/// A slip or drift below this fraction of its terms is zero: what round-off leaves of an impact of several
/// contacts, whose rows may be nearly dependent.
const SETTLED: f64 = 1e-11;

impl ForwardContact {
    /// The contact with a slip, and a drift, that are round-off of their terms at zero: a slip says by its
    /// sign alone whether a contact slides or may stick.
    pub fn settled(mut self, terms: &ContactTerms) -> Self {
        let settle = |x: &mut f64, size: f64| {
            if x.abs() <= SETTLED * size {
                *x = 0.0;
            }
        };
        settle(&mut self.slip, terms.slip);
        settle(&mut self.drift[0], terms.drift[0]);
        settle(&mut self.drift[1], terms.drift[1]);
        self
    }
}
