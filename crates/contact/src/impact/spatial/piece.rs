//! A piece of the path along which everything is known as a function of one variable.

use carom_numeric::quadratic::step_over_area;
use carom_numeric::root::bracketed;

use super::flow::{Flow, cross, dot};
use super::state::{Goal, State};
use crate::impact::spatial::path::SpatialMode;

/// A piece of the path, in a variable y that grows from 0 with the normal impulse.
pub(super) trait Piece {
    /// Where it ends; may be infinite.
    fn length(&self) -> f64;

    /// The state at a finite y.
    fn at(&self, y: f64) -> State;

    /// A quantity and its derivative by y.
    fn value(&self, goal: Goal, y: f64) -> (f64, f64);

    /// Slip or stick.
    fn mode(&self) -> SpatialMode {
        SpatialMode::Slip
    }

    /// The state at its end; of an endless piece the limits.
    fn last(&self) -> State {
        self.at(self.length())
    }

    /// How many points a curve through its ends needs between them.
    fn points_between(&self) -> usize;

    /// Where `goal` passes `target`, between places on either side of it.
    fn reach(&self, goal: Goal, target: f64, from: f64, to: f64) -> f64 {
        let value = |y: f64| {
            let (value, slope) = self.value(goal, y);
            (value - target, slope)
        };
        crossing(value, self.guess(goal, target, from), from, to)
    }

    /// Where `goal` would pass `target` if the rates stayed as they are at `from`.
    fn guess(&self, goal: Goal, target: f64, from: f64) -> f64 {
        let (value, slope) = self.value(goal, from);
        if goal != Goal::NormalWork {
            return from + (target - value) / slope;
        }
        let (v_n, rise) = self.value(Goal::NormalVelocity, from);
        let (_, per_p) = self.value(Goal::Impulse, from);
        let left = (target - value) / per_p;
        from + step_over_area(v_n.max(0.0), rise.max(0.0), left)
    }
}

/// Steps allowed: Newton's few, or as many bisections as a number has digits.
const MOST_STEPS: usize = 80;

/// After a Newton step this small (of the place found) the next would be round-off.
const LAST_STEP: f64 = 1e-9;

/// Where a function, given with its slope, changes sign on a stretch on which it is monotone: Newton's
/// method in a bracket, from a guess. The end to which it has not changed it, if it does not.
fn crossing(value: impl Fn(f64) -> (f64, f64), guess: f64, from: f64, to: f64) -> f64 {
    let (mut low, mut high) = (from, to);
    let at_low = value(low).0;
    let is_rising = at_low < 0.0;
    let mut y = guess;
    if !(low < y && y < high) {
        let at_high = value(high).0;
        if at_low == 0.0 || at_high == 0.0 || (at_high < 0.0) == is_rising {
            return if at_low == 0.0 { low } else { high };
        }
        y = low + (high - low) * (at_low / (at_low - at_high));
    }
    for _ in 0..MOST_STEPS {
        let (f, slope) = value(y);
        if (f > 0.0) == is_rising {
            high = y;
        } else {
            low = y;
        }
        let newton = y - f / slope;
        let is_inside = low < newton && newton < high;
        let next = if is_inside {
            newton
        } else {
            0.5 * low + 0.5 * high
        };
        let step = (next - y).abs();
        let is_found = f == 0.0 || next == low || next == high;
        y = if f == 0.0 { y } else { next };
        if is_found || (is_inside && step <= LAST_STEP * y) {
            break;
        }
    }
    y
}

/// The places inside a piece where the slip enters or leaves the arc of directions in which pressing
/// makes the bodies approach, in order; between them `v_n` is monotone.
pub(super) fn turning_places<P: Piece>(flow: &Flow, piece: &P, first: [f64; 2]) -> [f64; 2] {
    let end = piece.length();
    let mut places = [end; 2];
    let Some(arc) = flow.jam_arc() else {
        return places;
    };
    let last = piece.last().x;
    for (place, edge) in places.iter_mut().zip(arc) {
        let side = |x: [f64; 2]| cross(x, edge);
        let is_ahead = dot(first, edge) > 0.0 || dot(last, edge) > 0.0;
        if is_ahead && side(first) * side(last) < 0.0 {
            let found = bracketed(|y| side(piece.at(y).x), 0.0, end);
            *place = found.unwrap_or(end);
        }
    }
    if places[1] < places[0] {
        places.swap(0, 1);
    }
    places
}
