//! The path followed piece by piece, phase by phase.

use super::ending::Ending;
use super::flow::Flow;
use super::line::Line;
use super::normal_form::{Known, NormalForm};
use super::path::{EventKind, Events, Frame, Observer, SpatialMode};
use super::piece::{Piece, turning_places};
use super::state::{Goal, State};
use super::taylor::Taylor;
use crate::impact::Phase;
use crate::impact::PointImpactError;

/// Pieces allowed; a path has a handful, a few dozen where it turns slowly while it halts.
const MOST_PIECES: usize = 4000;

/// A path on its way.
pub(super) struct March<'a, O> {
    flow: &'a Flow,
    frame: Frame,
    observer: &'a mut O,
    pub(super) ending: Ending,
    pub(super) events: Events,
    pub(super) halt: Option<Halt>,
}

/// Where slip halts, and what follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halt {
    /// The phase it halts in.
    pub(super) phase: Phase,
    /// At the start.
    pub(super) is_start: bool,
    /// The static cone holds it.
    pub(super) is_stuck: bool,
}

/// How a path ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Finish {
    /// By its law.
    Ended(State),
    /// The contact sticks with `v = 0` and nothing can move it: impulses beyond move nothing.
    Arrested(State),
    /// No finite impulse ends it.
    Jammed,
}

impl<'a, O: Observer> March<'a, O> {
    pub(super) fn new(flow: &'a Flow, frame: Frame, ending: Ending, observer: &'a mut O) -> Self {
        Self {
            flow,
            frame,
            observer,
            ending,
            events: Events::default(),
            halt: None,
        }
    }

    /// Follows the path from its start: a slip that turns, in steps; near an invariant direction in one
    /// piece; along one on a straight line; from rest by the rule of rest.
    pub(super) fn follow(&mut self, start: State) -> Result<Finish, PointImpactError> {
        let flow = self.flow;
        let (mut state, mut known) = (start, Known::default());
        for _ in 0..MOST_PIECES {
            let slip = state.slip();
            if flow.is_rest(slip) {
                return Ok(self.leave_rest(&state));
            }
            let u = [state.x[0] / slip, state.x[1] / slip];
            if flow.mu == 0.0 {
                return Ok(self.along(Line::frictionless(flow, state)));
            }
            if flow.is_invariant(u) {
                return Ok(self.along(Line::along(flow, state, u, flow.growth(u))));
            }
            if let Some(form) = NormalForm::near(flow, &state, u, &mut known) {
                if let Some(end) = self.through(&form, u) {
                    return Ok(Finish::Ended(end));
                }
                state = form.last();
                if form.is_attracting() && !flow.is_rest(state.slip()) {
                    let line = Line::along(flow, state, form.u, flow.growth(form.u));
                    return Ok(self.along(line));
                }
                continue;
            }
            let step = Taylor::step(flow, &state, u);
            if let Some(end) = self.through(&step, u) {
                return Ok(Finish::Ended(end));
            }
            state = step.last();
        }
        Err(PointImpactError::Unfinished {
            pieces: MOST_PIECES,
        })
    }

    /// Along a straight slip: to its end, or to the halt and on by the rule of rest.
    fn along(&mut self, line: Line) -> Finish {
        if let Some(end) = self.stretch(&line, 0.0, line.length()) {
            return Finish::Ended(end);
        }
        if line.is_endless() {
            return self.jammed(&line);
        }
        self.leave_rest(&line.last())
    }

    /// The rule of rest: stick where the static cone allows it, else leave along the outgoing direction.
    fn leave_rest(&mut self, state: &State) -> Finish {
        let flow = self.flow;
        let is_stuck = flow.holds();
        let is_start = state.p == 0.0;
        let state = flow.at_halt(state);
        let phase = self.ending.phase;
        self.halt = Some(Halt {
            phase,
            is_start,
            is_stuck,
        });
        let mode = if is_stuck {
            SpatialMode::Stick
        } else {
            SpatialMode::Slip
        };
        if !is_start {
            let point = self.frame.point(&state, phase, mode);
            self.events.push(EventKind::Halt, point);
        }
        if is_stuck && flow.sigma == 0.0 && state.v_n == 0.0 && flow.lambda[1] > 0.0 {
            self.finish(&state, mode);
            return Finish::Arrested(state);
        }
        let line = if is_stuck {
            Line::stuck(flow, state)
        } else {
            let point = self.frame.point(&state, phase, mode);
            self.events.push(EventKind::Restart, point);
            let (u, r) = flow.outgoing();
            Line::along(flow, state, u, r)
        };
        match self.stretch(&line, 0.0, f64::INFINITY) {
            Some(end) => Finish::Ended(end),
            None => self.jammed(&line),
        }
    }

    fn jammed(&mut self, line: &Line) -> Finish {
        let phase = self.ending.phase;
        self.observer.finish(&line.at(0.0), phase, line.mode());
        Finish::Jammed
    }

    /// Through a curved piece, over stretches on which `v_n` is monotone.
    fn through<P: Piece>(&mut self, piece: &P, first: [f64; 2]) -> Option<State> {
        let length = piece.length();
        let mut from = 0.0;
        for to in turning_places(self.flow, piece, first) {
            if to > from {
                if let Some(end) = self.stretch(piece, from, to) {
                    return Some(end);
                }
                from = to;
            }
        }
        if length > from {
            return self.stretch(piece, from, length);
        }
        None
    }

    /// Through a stretch on which `v_n` is monotone: at most a compression that ends, the law's end, an
    /// approach that begins again.
    fn stretch<P: Piece>(&mut self, piece: &P, mut from: f64, to: f64) -> Option<State> {
        let last = if to == piece.length() {
            piece.last()
        } else {
            piece.at(to)
        };
        let v_last = self.flow.settled(&last);
        loop {
            if self.ending.phase == Phase::Compression {
                let v_from = piece.value(Goal::NormalVelocity, from).0;
                if v_last < 0.0 || (v_last == 0.0 && !(v_from < 0.0)) {
                    break;
                }
                let place = if v_last == 0.0 {
                    to
                } else {
                    piece.reach(Goal::NormalVelocity, 0.0, from, to)
                };
                if let Some(end) = self.compressed(piece, from, place) {
                    return Some(end);
                }
                from = place;
                if v_last == 0.0 {
                    return None;
                }
            } else {
                let falls = v_last < 0.0;
                let limit = if falls {
                    piece.reach(Goal::NormalVelocity, 0.0, from, to)
                } else {
                    to
                };
                if let Some(end) = self.ended(piece, from, limit) {
                    return Some(end);
                }
                if !falls {
                    break;
                }
                self.approached(piece, from, limit);
                from = limit;
                if !(to > from) {
                    return None;
                }
            }
        }
        if to.is_finite() {
            self.observer.stretch(piece, from, to, self.ending.phase);
        }
        None
    }

    /// Greatest compression; the end, if nothing is restored.
    fn compressed<P: Piece>(&mut self, piece: &P, from: f64, place: f64) -> Option<State> {
        let phase = self.ending.phase;
        self.observer.stretch(piece, from, place, phase);
        let state = State {
            v_n: 0.0,
            ..piece.at(place)
        };
        self.ending.compressed(&state);
        let point = self.frame.point(&state, Phase::Restitution, piece.mode());
        self.events.push(EventKind::GreatestCompression, point);
        if !self.ending.is_over() {
            return None;
        }
        self.finish(&state, piece.mode());
        Some(state)
    }

    /// The end of the impact before `limit`, if it is reached.
    fn ended<P: Piece>(&mut self, piece: &P, from: f64, limit: f64) -> Option<State> {
        let at_limit = if limit == piece.length() {
            piece.last()
        } else {
            piece.at(limit)
        };
        if !self.ending.is_reached(&at_limit) {
            return None;
        }
        let (goal, target) = (self.ending.goal(), self.ending.target());
        let place = piece.reach(goal, target, from, limit);
        if !place.is_finite() {
            return None;
        }
        let mut state = piece.at(place);
        if goal == Goal::NormalVelocity {
            state.v_n = target;
        }
        self.observer.stretch(piece, from, place, self.ending.phase);
        self.finish(&state, piece.mode());
        Some(state)
    }

    fn approached<P: Piece>(&mut self, piece: &P, from: f64, place: f64) {
        let state = piece.at(place);
        self.observer.stretch(piece, from, place, self.ending.phase);
        self.ending.approached(&state);
        let point = self.frame.point(&state, Phase::Compression, piece.mode());
        self.events.push(EventKind::SecondCompression, point);
    }

    fn finish(&mut self, state: &State, mode: SpatialMode) {
        let phase = self.ending.phase;
        let point = self.frame.point(state, phase, mode);
        self.events.push(EventKind::End, point);
        self.observer.finish(state, phase, mode);
    }
}
