//! Search for events inside one step, on its dense output.
//!
//! The step is cut into intervals. On each the guard is compared, at a point between, with the cubic
//! through its values and rates at the ends; intervals where the sign cannot change are passed
//! over, the others are cut until each part holds at most one extremum. Extrema are then found as
//! roots of the rate and roots between them, so that a dip between two points is not missed. A guard
//! that the first intervals do not fit at all (it shakes faster than the state) is searched again
//! with every interval confirmed by its parts.

use crate::board::{Board, Found, Sample};
use crate::dense::DenseStep;
use crate::guard::{Direction, Guard, Phase};
use crate::problem::{Flow, Point, Problem, State};
use crate::shape::{Fit, Knot, Shape};
use crate::step::Trial;
use crate::{Error, Kind, Options};

/// Cuts of an interval before its shape is taken as it is.
pub(crate) const MAX_DEPTH: usize = 12;
/// First cuts of a step, late ones first; unequal, so that no period hides between them.
pub(crate) const FIRST_CUTS: [f64; 2] = [0.6517, 0.2891];
/// Where an interval is cut; off the middle, for the same reason.
pub(crate) const CUT: f64 = 0.4587;
/// Generations that must agree before an interval of a wild guard is trusted.
const CONFIRMATIONS: usize = 2;
/// Rough intervals of the last depth allowed in a step before the step is taken shorter.
const MAX_ROUGH: usize = 256;
/// Part of the step within which the order of two roots is left to their polished times.
const ORDER_WINDOW: f64 = 1e-6;
/// Half the distance over which an unknown rate is differenced, as a fraction of the step.
const DIFFERENCE: f64 = 1e-4;
/// Least relative accuracy that the dense output is trusted with near zero.
const DENSE_TRUST: f64 = 1e-6;
/// Tolerances of the step within which the dense output is trusted near zero.
const DENSE_TOLERANCES: f64 = 100.0;

/// What a step holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No event: the step stands.
    Nothing,
    /// The board holds at least one guard that fired.
    Event,
    /// This guard is too rough for a step of this length.
    TooRough(usize),
}

/// The search in one step: the step, its dense output, a second step to polish with.
pub(crate) struct Search<'a, S, P> {
    pub(crate) flow: Flow<'a, P>,
    pub(crate) trial: &'a Trial<S>,
    pub(crate) dense: &'a DenseStep<S>,
    pub(crate) polish: &'a mut Trial<S>,
    pub(crate) board: &'a mut Board<S>,
    pub(crate) options: &'a Options,
}

/// Result of a part of the search.
pub(crate) type Searched<T, P> = Result<T, Error<<P as Problem>::Failure>>;

impl<S: State, P: Problem> Search<'_, S, P> {
    /// Finds the earliest event of the step, with every guard that fires with it.
    pub(crate) fn run(&mut self) -> Searched<Verdict, P> {
        self.board.remember();
        match self.scan(false)? {
            Some(verdict) => Ok(verdict),
            None => Ok(self.scan(true)?.unwrap_or(Verdict::Nothing)),
        }
    }

    /// Goes through the step from left to right. None when a guard turned out to be wild: then no
    /// interval is trusted before its parts and their parts agree.
    fn scan(&mut self, wild: bool) -> Searched<Option<Verdict>, P> {
        self.begin()?;
        let mut rough = 0;
        while let Some((depth, calm)) = self.board.interval() {
            if self.is_late(self.board.left.theta) {
                break;
            }
            self.examine_cut()?;
            if !wild && depth == 0 && self.is_wild() {
                return Ok(None);
            }
            let worst = self.judge_all();
            let calm = if worst.is_some() { 0 } else { calm + 1 };
            let trusted = worst.is_none() && (!wild || calm > CONFIRMATIONS);
            if !trusted && depth < MAX_DEPTH {
                self.board.split(calm);
                continue;
            }
            rough += usize::from(worst.is_some());
            if let Some(guard) = worst
                && rough > MAX_ROUGH
            {
                return Ok(Some(Verdict::TooRough(guard)));
            }
            self.follow_all()?;
            self.board.go_right();
        }
        Ok(Some(if self.board.found.is_empty() {
            Verdict::Nothing
        } else {
            Verdict::Event
        }))
    }

    /// Time at a fraction of the step.
    pub(crate) fn time(&self, theta: f64) -> f64 {
        if theta == 1.0 {
            self.trial.t_new
        } else {
            self.trial.t + theta * self.trial.h()
        }
    }

    /// Whether a dense root at `theta` is surely later than the earliest event.
    pub(crate) fn is_late(&self, theta: f64) -> bool {
        let window = ORDER_WINDOW * self.trial.h() + self.options.window();
        self.time(theta) > self.board.earliest() + window
    }

    /// Lays the ends and the first cuts on the board.
    fn begin(&mut self) -> Searched<(), P> {
        self.board.begin();
        self.fill_rates_of(|board| &mut board.left)?;
        self.fill_rates_of(|board| &mut board.end)?;
        self.board.push_end();
        for theta in FIRST_CUTS {
            let mut cut = self.board.take_spare();
            let done = self.sample(theta, &mut cut);
            self.board.push(cut);
            done?;
        }
        Ok(())
    }

    /// Evaluates every guard on the dense output.
    fn sample(&mut self, theta: f64, out: &mut Sample) -> Searched<(), P> {
        out.theta = theta;
        self.evaluate(theta, &mut out.values, &mut out.rates)?;
        self.fill_rates(out)
    }

    fn evaluate(&mut self, theta: f64, values: &mut [f64], rates: &mut [f64]) -> Searched<(), P> {
        let (y, dy) = (&mut self.board.y, &mut self.board.dy);
        self.dense.eval_fraction(theta, y.as_mut(), dy.as_mut());
        let t = self.trial.t + theta * self.trial.h();
        let at = Point {
            t,
            y: y.as_ref(),
            dy: dy.as_ref(),
        };
        self.flow.guards(at, values, rates)?;
        self.board.check(t, values)
    }

    /// Replaces unknown rates of one of the board's samples.
    fn fill_rates_of(&mut self, pick: fn(&mut Board<S>) -> &mut Sample) -> Searched<(), P> {
        let mut sample = std::mem::take(pick(self.board));
        let done = self.fill_rates(&mut sample);
        *pick(self.board) = sample;
        done
    }

    /// Replaces unknown rates of armed guards by differences on the dense output.
    fn fill_rates(&mut self, sample: &mut Sample) -> Searched<(), P> {
        if !self.board.has_unknown_rate(&sample.rates) {
            return Ok(());
        }
        let low = (sample.theta - DIFFERENCE).max(0.0);
        let high = (sample.theta + DIFFERENCE).min(1.0);
        let length = (high - low) * self.trial.h();
        let (mut before, mut after) = self.board.take_pair();
        let done = self
            .evaluate(low, &mut before.values, &mut before.rates)
            .and_then(|()| self.evaluate(high, &mut after.values, &mut after.rates));
        for (i, rate) in sample.rates.iter_mut().enumerate() {
            if rate.is_nan() {
                *rate = (after.values[i] - before.values[i]) / length;
            }
        }
        self.board.put_pair(before, after);
        done
    }

    fn examine_cut(&mut self) -> Searched<(), P> {
        let theta = self.board.cut();
        let mut mid = std::mem::take(&mut self.board.mid);
        let done = self.sample(theta, &mut mid);
        self.board.mid = mid;
        done
    }

    fn fit(&self, i: usize) -> Fit {
        let zero = self.board.watches[i].guard.zero;
        Fit::new(self.board.knots(i, self.trial.h()), zero)
    }

    /// Whether an armed guard varies faster than its samples.
    fn is_wild(&self) -> bool {
        let watches = self.board.watches.iter().enumerate();
        let mut armed = watches.filter(|(_, watch)| watch.armed);
        armed.any(|(i, _)| self.fit(i).is_wild())
    }

    /// Marks the guards to which nothing can happen; the first rough one, if any.
    fn judge_all(&mut self) -> Option<usize> {
        let mut rough = None;
        for i in 0..self.board.watches.len() {
            let watch = &self.board.watches[i];
            let mut quiet = true;
            if watch.armed && !watch.found {
                let shape = self.fit(i).judge(watch.phase != Phase::Leaving);
                // One that round-off left beyond zero, at rest, has not shown yet where it goes.
                let [a, _, b] = self.board.knots(i, self.trial.h());
                let (above, below) = (watch.orient * a.g, watch.orient * b.g);
                let sinks = match watch.phase {
                    Phase::Clear => above.max(below) < -watch.guard.zero,
                    Phase::Undecided => below < 0.0,
                    Phase::Far => below < -watch.allowed,
                    _ => false,
                };
                quiet = shape == Shape::Flat || (shape == Shape::Quiet && !sinks);
                if shape == Shape::Rough && rough.is_none() {
                    rough = Some(i);
                }
            }
            self.board.watches[i].quiet = quiet;
        }
        rough
    }

    fn follow_all(&mut self) -> Searched<(), P> {
        let h = self.trial.h();
        for i in 0..self.board.watches.len() {
            let [a, m, b] = self.board.knots(i, h);
            let watch = &mut self.board.watches[i];
            if watch.quiet {
                if watch.orient * b.g > watch.guard.zero {
                    watch.phase = Phase::Clear;
                }
                continue;
            }
            self.follow(i, a, m)?;
            self.follow(i, m, b)?;
        }
        Ok(())
    }

    /// Follows one guard over an interval with at most one extremum.
    fn follow(&mut self, i: usize, a: Knot, b: Knot) -> Searched<(), P> {
        if a.r * b.r < 0.0 {
            let top = self.dense_extremum(i, a, b)?;
            self.follow_monotone(i, a, top, true)?;
            self.follow_monotone(i, top, b, false)
        } else {
            self.follow_monotone(i, a, b, b.r == 0.0)
        }
    }

    /// Follows one guard over a rise or a fall; `b` may be an extremum.
    fn follow_monotone(&mut self, i: usize, a: Knot, b: Knot, extremum: bool) -> Searched<(), P> {
        let margin = self.touch_margin(i);
        let watch = &mut self.board.watches[i];
        if watch.found {
            return Ok(());
        }
        let (a, b) = (oriented(a, watch.orient), oriented(b, watch.orient));
        let zero = watch.guard.zero;
        match watch.phase {
            Phase::Clear if a.g < -zero && b.g < a.g => return self.look_back(i, a),
            Phase::Clear if extremum && b.g < a.g && b.g.abs() <= margin => {
                return self.touch(i, a, b);
            }
            Phase::Clear if b.g <= 0.0 => return self.cross(i, a, b),
            Phase::Leaving | Phase::Far if b.g > 0.0 => watch.phase = Phase::Clear,
            Phase::Leaving if a.g - b.g > zero => self.turn_back(i, a),
            Phase::Undecided if b.g > zero => watch.phase = Phase::Clear,
            Phase::Undecided if b.g < -zero => self.turn_back(i, Knot { theta: 0.0, ..a }),
            _ => {}
        }
        let watch = &self.board.watches[i];
        match watch.phase == Phase::Far && b.g < -watch.allowed {
            true => self.sink(i, a, b),
            false => Ok(()),
        }
    }

    /// A guard whose fall through zero was too shallow for the step to tell goes on falling: it fires late
    /// rather than never.
    fn look_back(&mut self, i: usize, from: Knot) -> Searched<(), P> {
        let t = self.time(from.theta);
        let found = self.probe(i, t)?;
        if found.g < -self.board.watches[i].guard.zero {
            let (guard, kind) = (i, Kind::Violated);
            self.board.record(Found { guard, kind, t });
        }
        Ok(())
    }

    /// A guard on its far side goes deeper than the caller allows between oriented knots.
    fn sink(&mut self, i: usize, a: Knot, b: Knot) -> Searched<(), P> {
        let lift = self.board.watches[i].allowed;
        let lifted = |knot: Knot| Knot {
            g: knot.g + lift,
            ..knot
        };
        self.board.watches[i].lift = lift;
        let done = self.cross(i, lifted(a), lifted(b));
        self.board.watches[i].lift = 0.0;
        done
    }

    /// A guard at or beyond zero moves deeper from an oriented knot on.
    fn turn_back(&mut self, i: usize, from: Knot) {
        let watch = &mut self.board.watches[i];
        if watch.guard.direction == Direction::Either {
            watch.orient = -watch.orient;
            watch.phase = Phase::Clear; // both sides are permitted: it stands on the other one
            return;
        }
        watch.phase = watch.deeper(from.g);
        if watch.phase == Phase::Violated {
            let t = self.time(from.theta);
            self.board.record(Found {
                guard: i,
                kind: Kind::Violated,
                t,
            });
        }
    }

    /// Extrema closer to zero than this are judged on full-order sub-steps.
    fn touch_margin(&self, i: usize) -> f64 {
        let (board, options) = (&*self.board, self.options);
        touch_margin(&board.watches[i].guard, board.size(i), options)
    }

    /// One guard on the dense output, oriented so that the permitted side is positive.
    pub(crate) fn dense_knot(&mut self, i: usize, theta: f64) -> Searched<Knot, P> {
        let mut sample = std::mem::take(&mut self.board.scratch);
        let done = self.sample(theta, &mut sample);
        let knot = Knot {
            theta,
            g: sample.values[i],
            r: sample.rates[i] * self.trial.h(),
        };
        self.board.scratch = sample;
        let watch = &self.board.watches[i];
        let mut knot = oriented(knot, watch.orient);
        knot.g += watch.lift;
        done.map(|()| knot)
    }
}

/// Distance from zero within which a guard of this size is judged on full-order sub-steps.
pub(crate) fn touch_margin(guard: &Guard, size: f64, options: &Options) -> f64 {
    let trust = DENSE_TRUST.max(DENSE_TOLERANCES * options.relative);
    guard.graze + trust * size + DENSE_TOLERANCES * options.absolute * guard.size
}

/// The knot with both signs multiplied by `orient`.
pub(crate) fn oriented(knot: Knot, orient: f64) -> Knot {
    Knot {
        g: orient * knot.g,
        r: orient * knot.r,
        ..knot
    }
}
