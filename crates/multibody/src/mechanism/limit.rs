//! Stops of joint coordinates, as contacts.

use super::Gap;
use super::setting::Setting;
use crate::dynamics::{Bounds, State};
use crate::model::Model;

/// Which end of the way of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The least coordinate.
    Lower,
    /// The greatest.
    Upper,
}

/// One stop of one joint: `gap = ±(q − bound)`.
#[derive(Debug, Clone, PartialEq)]
pub struct JointLimit {
    /// `joint.lower` or `joint.upper`.
    pub name: String,
    /// Which end.
    pub stop: Stop,
    /// Coordinate at the stop (m or rad).
    pub bound: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Unit of the coordinate.
    pub unit: &'static str,
    /// Place of the coordinate among the positions, and of its rate among the rates.
    pub(crate) position: usize,
    pub(crate) rate: usize,
}

impl JointLimit {
    /// `+1` where the gap grows with the coordinate.
    pub(crate) fn sense(&self) -> f64 {
        match self.stop {
            Stop::Lower => 1.0,
            Stop::Upper => -1.0,
        }
    }

    pub(super) fn gap(&self, state: State<'_>) -> Gap {
        Gap {
            gap: self.sense() * (state.q[self.position] - self.bound),
            v_n: self.sense() * state.v[self.rate],
        }
    }

    pub(super) fn gap_speed(&self, bounds: &Bounds<'_>) -> f64 {
        let (low, high) = bounds.v;
        low[self.rate].abs().max(high[self.rate].abs())
    }
}

/// The stops of a model, joint by joint, lower before upper; infinite bounds have none.
pub(super) fn limits<A: Setting>(model: &Model<A>) -> Vec<JointLimit> {
    let mut found = Vec::new();
    for record in model.joints() {
        let Some(limits) = record.joint.limits else {
            continue;
        };
        let (Some(position), Some(rate)) =
            (record.positions.clone().next(), record.rates.clone().next())
        else {
            continue;
        };
        let unit = A::columns(&record.joint.kind).1.first().map_or("", |c| c.1);
        let ends = [
            (Stop::Lower, limits.lower, "lower"),
            (Stop::Upper, limits.upper, "upper"),
        ];
        for (stop, bound, word) in ends.into_iter().filter(|end| end.1.is_finite()) {
            found.push(JointLimit {
                name: format!("{}.{word}", record.name),
                stop,
                bound,
                restitution: limits.restitution,
                unit,
                position,
                rate,
            });
        }
    }
    found
}
