//! What counts as touching, along or ahead, in the plane and in space: parts of the shapes involved, and
//! what rounding leaves of their places.

use crate::vector::Vector;

/// A corner this part of the target's size off its surface is on it.
pub(crate) const ON: f64 = 1e-12;
/// Feet this part of [`ON`] from the end of a side are at the end: nearer than it, so that of two corners
/// that meet at least one is on a side.
pub(crate) const END: f64 = 0.25;
/// A side or edge that sinks into a target by less than this sine lies along it.
pub(crate) const ALONG: f64 = 1e-9;
/// A corner so many times [`ON`] behind a side that it could have come through, or more, has come through it
/// only if the shapes overlap, and no deeper than so many times what they overlap by.
pub(crate) const DEEP: f64 = 8.0;
pub(crate) const DEEPER: f64 = 2.0;
/// How far ahead a contact is looked for, as a part of the target: of two pieces that meet where it is, it
/// is the one that it moves onto.
pub(crate) const AHEAD: f64 = 1e-9;
/// Spacings of the places of two bodies that are left of the place of one seen from the other.
const SPACINGS: f64 = 8.0;

/// A point in the frame of a target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<const N: usize> {
    pub(crate) at: Vector<N>,
    /// Round-off of its place (m): that of the places it is a difference of.
    pub(crate) blur: f64,
}

impl<const N: usize> Spot<N> {
    /// A point that was found from places.
    pub(crate) fn new(at: Vector<N>, places: [Vector<N>; 3]) -> Self {
        let all = places.iter().chain([&at]).flat_map(|place| place.0);
        let far = all.fold(0.0, |most: f64, x| most.max(x.abs()));
        let blur = SPACINGS * f64::EPSILON * far;
        Self { at, blur }
    }

    /// The same round-off elsewhere.
    pub(crate) fn moved(self, way: Vector<N>) -> Self {
        let at = self.at + way;
        Self { at, ..self }
    }

    /// Distance from a surface of a target of some size within which the point is on it (m).
    pub(crate) fn on(&self, size: f64) -> f64 {
        ON * size + self.blur
    }
}
