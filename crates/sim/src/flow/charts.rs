//! Quaternions of round bodies as the integrator sees them: small turns away from steady precessions.
//!
//! A ball that rolls turns fast, and nothing else is fast: its quaternion would need a step for every half radian. No gap
//! sees it turn, so that a step may hold many turns and the search for events misses nothing.

use carom_multibody::mechanism::Orientation;
use carom_multibody::space::Turning;

/// Unit quaternions whose numbers differ by no more are one: taken to unit length again, they round otherwise.
const SAME: f64 = 4.0 * f64::EPSILON;

/// A quaternion, and the steady precession it is near.
#[derive(Debug, Clone, Copy)]
struct Chart {
    place: Orientation,
    turning: Turning,
}

/// Every quaternion of a round body. In a state of the integrator its four numbers are (θ, 0), with θ the turn
/// away from the steady precession.
#[derive(Debug, Clone, Default)]
pub(crate) struct Charts {
    all: Vec<Chart>,
    /// Count of positions: rates follow them in a state.
    positions: usize,
}

fn quaternion(q: &[f64], place: Orientation) -> [f64; 4] {
    std::array::from_fn(|i| q[place.position + i])
}

fn theta(folded: &[f64], place: Orientation) -> [f64; 3] {
    std::array::from_fn(|i| folded[place.position + i])
}

fn omega(v: &[f64], place: Orientation) -> [f64; 3] {
    std::array::from_fn(|i| v[place.rate + i])
}

fn write(to: &mut [f64], place: Orientation, [x, y, z]: [f64; 3]) {
    to[place.position..place.position + 4].copy_from_slice(&[x, y, z, 0.0]);
}

impl Charts {
    pub(crate) fn new(places: Vec<Orientation>, positions: usize) -> Self {
        let chart = |place| Chart {
            place,
            turning: Turning::still([1.0, 0.0, 0.0, 0.0]),
        };
        Self {
            all: places.into_iter().map(chart).collect(),
            positions,
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Sizes of the components of a state from those of positions: a turn is twice what its quaternion shows.
    pub(crate) fn widen(&self, sizes: &mut [f64]) {
        for chart in &self.all {
            let at = chart.place.position..chart.place.position + 4;
            sizes[at].iter_mut().for_each(|size| *size *= 2.0);
        }
    }

    /// Writes positions into a state of the integrator, each quaternion at rest from here on.
    pub(crate) fn fold(&mut self, q: &[f64], folded: &mut [f64]) {
        folded.copy_from_slice(q);
        for chart in &mut self.all {
            chart.turning = Turning::still(quaternion(q, chart.place));
            write(folded, chart.place, [0.0; 3]);
        }
    }

    /// Positions of a state of the integrator; `room` is there to write them where there are quaternions.
    pub(crate) fn unfold<'s>(
        &self,
        t: f64,
        folded: &'s [f64],
        room: &'s mut Vec<f64>,
    ) -> &'s [f64] {
        if self.all.is_empty() {
            return folded;
        }
        room.clear();
        room.extend_from_slice(folded);
        for Chart { place, turning } in &self.all {
            let at = place.position..place.position + 4;
            room[at].copy_from_slice(&turning.quaternion(t, theta(folded, *place)));
        }
        room
    }

    /// Writes positions that have moved a little from `before` back into the state of the integrator they come
    /// from; turns that have not moved keep their bits.
    pub(crate) fn settle(&self, t: f64, before: &[f64], moved: &mut [f64], folded: &mut [f64]) {
        for Chart { place, turning } in &self.all {
            let now = quaternion(moved, *place);
            let pairs = now.iter().zip(quaternion(before, *place));
            let stays = pairs.map(|(a, b)| (a - b).abs()).all(|x| x <= SAME);
            let theta = match stays {
                true => theta(folded, *place),
                false => turning.theta(t, now),
            };
            write(moved, *place, theta);
        }
        folded.copy_from_slice(moved);
    }

    /// Replaces the rates of quaternions by those of their turns.
    pub(crate) fn rates(&self, t: f64, folded: &[f64], v: &[f64], q_rate: &mut [f64]) {
        for Chart { place, turning } in &self.all {
            let rate = turning.theta_rate(t, theta(folded, *place), omega(v, *place));
            write(q_rate, *place, rate);
        }
    }

    /// Starts from here with the steady precessions of the rates there are.
    pub(crate) fn renew(&mut self, t: f64, state: &mut [f64], rate: &mut [f64]) {
        for Chart { place, turning } in &mut self.all {
            let [omega, change] = [&*state, &*rate].map(|y| omega(&y[self.positions..], *place));
            let now = turning.quaternion(t, theta(state, *place));
            *turning = Turning::new(t, now, omega, change);
            write(state, *place, [0.0; 3]);
            write(rate, *place, [0.0; 3]);
        }
    }
}
