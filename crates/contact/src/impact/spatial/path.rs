//! The path of an impact in space: its points, its events, and the curve drawn through them.

use serde::{Deserialize, Serialize};

use super::flow::Flow;
use super::piece::Piece;
use super::state::State;
use crate::contact_space::SpatialDelassus;
use crate::impact::Phase;

/// What the contact point does along a piece of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpatialMode {
    /// `v_t ≠ 0`, or leaving rest.
    Slip,
    /// `v_t = 0` and the cone holds it.
    Stick,
}

/// A point of the path. Phase and mode are those of the piece that starts here; the last point repeats
/// those of the piece that ends there.
///
/// `v_t` over the points is the hodograph, `(p_t, p_n)` the path through impulse space.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SpatialPoint {
    /// Normal impulse so far (N·s).
    pub p_n: f64,
    /// Tangent impulse so far (N·s).
    pub p_t: [f64; 2],
    /// Normal velocity (m/s).
    pub v_n: f64,
    /// Tangent velocity (m/s).
    pub v_t: [f64; 2],
    /// Phase from here on.
    pub phase: Phase,
    /// Mode from here on.
    pub mode: SpatialMode,
}

/// What happens at a point of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// `v_n` rises through zero.
    GreatestCompression,
    /// `v_n` falls through zero: the bodies approach again.
    SecondCompression,
    /// `v_t = 0` is reached.
    Halt,
    /// Slip leaves rest along the outgoing direction, at a halt or at the start.
    Restart,
    /// The law ends the impact.
    End,
}

/// An event of the path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathEvent {
    /// What happens.
    pub kind: EventKind,
    /// Where.
    pub at: SpatialPoint,
}

/// Most events of one impact: two compressions and what parts them, halt and restart, the end.
const MOST: usize = 6;

/// The events of a path, in order of normal impulse.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Events {
    list: [Option<PathEvent>; MOST],
    len: usize,
}

impl Events {
    /// Appends an event; a seventh is never reached.
    pub(super) fn push(&mut self, kind: EventKind, at: SpatialPoint) {
        if let Some(slot) = self.list.get_mut(self.len) {
            *slot = Some(PathEvent { kind, at });
            self.len += 1;
        }
    }

    /// The events, in order.
    pub fn iter(&self) -> impl Iterator<Item = &PathEvent> + '_ {
        self.list.iter().flatten()
    }

    /// The first event of a kind.
    pub fn first(&self, kind: EventKind) -> Option<&PathEvent> {
        self.iter().find(|event| event.kind == kind)
    }
}

/// From the axes and units of the flow to those of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    w: SpatialDelassus,
    v: f64,
    p: f64,
}

impl Frame {
    pub(super) fn of(flow: &Flow, w: SpatialDelassus) -> Self {
        Self {
            w,
            v: flow.units.v,
            p: flow.units.p,
        }
    }

    /// A vector of the flow, in units of `unit`, along (t1, t2); never −0.
    pub(super) fn tangent(&self, x: [f64; 2], unit: f64) -> [f64; 2] {
        self.w.to_tangents(x).map(|x| unit * x + 0.0)
    }

    pub(super) fn point(&self, state: &State, phase: Phase, mode: SpatialMode) -> SpatialPoint {
        SpatialPoint {
            p_n: self.p * state.p,
            p_t: self.tangent(state.p_t, self.p),
            v_n: self.v * state.v_n + 0.0,
            v_t: self.tangent(state.x, self.v),
            phase,
            mode,
        }
    }

    /// Units of velocity, impulse and work.
    pub(super) fn units(&self) -> [f64; 3] {
        [self.v, self.p, self.v * self.p]
    }
}

/// Who watches the path as it is followed.
pub(super) trait Observer {
    /// A stretch of a piece within one phase.
    fn stretch<P: Piece>(&mut self, piece: &P, from: f64, to: f64, phase: Phase);

    /// The last state known.
    fn finish(&mut self, state: &State, phase: Phase, mode: SpatialMode);
}

/// Nobody.
#[derive(Debug)]
pub(super) struct Unseen;

impl Observer for Unseen {
    #[inline]
    fn stretch<P: Piece>(&mut self, _: &P, _: f64, _: f64, _: Phase) {}

    #[inline]
    fn finish(&mut self, _: &State, _: Phase, _: SpatialMode) {}
}

/// Draws the curve: every event, and enough points between.
#[derive(Debug)]
pub(super) struct Drawing {
    frame: Frame,
    pub(super) points: Vec<SpatialPoint>,
}

impl Drawing {
    pub(super) fn new(frame: Frame) -> Self {
        Self {
            frame,
            points: Vec::new(),
        }
    }
}

impl Observer for Drawing {
    fn stretch<P: Piece>(&mut self, piece: &P, from: f64, to: f64, phase: Phase) {
        if !(to > from) {
            return;
        }
        let parts = if to.is_finite() {
            1 + piece.points_between()
        } else {
            1
        };
        for i in 0..parts {
            let y = if i == 0 {
                from
            } else {
                from + (to - from) * (i as f64 / parts as f64)
            };
            let point = self.frame.point(&piece.at(y), phase, piece.mode());
            self.points.push(point);
        }
    }

    fn finish(&mut self, state: &State, phase: Phase, mode: SpatialMode) {
        self.points.push(self.frame.point(state, phase, mode));
    }
}
