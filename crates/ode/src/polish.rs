//! Roots and extrema of a guard: bracketed on the dense output, polished by full-order sub-steps.

use crate::board::Found;
use crate::guard::Guard;
use crate::problem::{Point, Problem, State};
use crate::search::{Search, Searched, oriented};
use crate::shape::Knot;
use crate::step::{LAST, is_finite};
use crate::{Error, Kind};

/// Iterations of a bracketed root on the dense output; bisection alone needs fewer.
const MAX_DENSE: usize = 120;
/// Every so many iterations an extremum is bracketed by halving.
const HALVE_EVERY: usize = 3;
/// An extremum's value is found to this fraction of itself or of the grazing tolerance.
const EXTREMUM_FRACTION: f64 = 1e-3;
/// Sub-steps that may polish one root; bisection alone needs fewer.
const MAX_POLISH: usize = 80;
/// Sub-steps that may polish one extremum.
const MAX_TOUCH: usize = 6;
/// Sub-steps that may polish a sharp one; halving alone needs fewer.
const MAX_SHARP: usize = 160;
/// Part of the bracket by which the true root may lie outside the one of the dense output.
const BRACKET_SLACK: f64 = 1e-3;
/// Half the distance over which the rate is differenced at an extremum, of the step.
const CURVATURE_DIFFERENCE: f64 = 1e-4;
/// Spacings of the time axis within which a root is at round-off.
const ROOT_ULPS: f64 = 2.0;
/// Below its `zero` a value that does not fall by this factor is rounding.
const STAGNATION: f64 = 0.5;

/// Times between which a root lies, with what is known of the signs there.
struct Bracket {
    low: f64,
    high: f64,
    seen_positive: bool,
    seen_negative: bool,
}

impl Bracket {
    fn narrow(&mut self, x: f64, g: f64) {
        if g > 0.0 {
            (self.low, self.seen_positive) = (x, true);
        } else {
            (self.high, self.seen_negative) = (x, true);
        }
    }

    /// Newton's next point when it stays inside, else the middle.
    fn next(&self, x: f64, g: f64, r: f64) -> f64 {
        let newton = x - g / r;
        if newton > self.low && newton < self.high {
            newton
        } else {
            0.5 * (self.low + self.high)
        }
    }
}

impl<S: State, P: Problem> Search<'_, S, P> {
    /// Extremum on the dense output between two knots whose rates differ in sign (as given, not
    /// oriented): regula falsi on the rate with halvings.
    pub(crate) fn dense_extremum(&mut self, i: usize, a: Knot, b: Knot) -> Searched<Knot, P> {
        let orient = self.board.watches[i].orient;
        let graze = self.board.watches[i].guard.graze;
        let (mut a, mut b) = (a, b);
        for count in 1..=MAX_DENSE {
            let chord = a.theta + (b.theta - a.theta) * (a.r / (a.r - b.r));
            let inside = chord > a.theta && chord < b.theta;
            let theta = if inside && count % HALVE_EVERY != 0 {
                chord
            } else {
                0.5 * (a.theta + b.theta)
            };
            let knot = oriented(self.dense_knot(i, theta)?, orient);
            let doubt = knot.r.abs() * (b.theta - a.theta);
            let narrow = b.theta - a.theta <= ROOT_ULPS * f64::EPSILON * b.theta;
            if narrow || doubt <= EXTREMUM_FRACTION * graze.min(knot.g.abs()) {
                return Ok(knot);
            }
            if (knot.r > 0.0) == (a.r > 0.0) {
                a = knot;
            } else {
                b = knot;
            }
        }
        Ok(if a.r.abs() < b.r.abs() { a } else { b })
    }

    /// Root of `g + shift` on the dense output between oriented knots, `a` positive, `b` not.
    fn dense_root(&mut self, i: usize, a: Knot, b: Knot, shift: f64) -> Searched<Knot, P> {
        if a.g + shift <= 0.0 {
            return Ok(a); // only rounding separates the guard from zero where the fall begins
        }
        let mut bracket = Bracket {
            low: a.theta,
            high: b.theta,
            seen_positive: true,
            seen_negative: true,
        };
        let mut knot = b;
        let mut last_move = b.theta - a.theta;
        for _ in 0..MAX_DENSE {
            let g = knot.g + shift;
            bracket.narrow(knot.theta, g);
            let slow = (2.0 * g).abs() > (last_move * knot.r).abs();
            let middle = 0.5 * (bracket.low + bracket.high);
            let next = if slow {
                middle
            } else {
                bracket.next(knot.theta, g, knot.r)
            };
            last_move = next - knot.theta;
            let spacing = ROOT_ULPS * f64::EPSILON * knot.theta;
            if g.abs() <= spacing * knot.r.abs() || last_move.abs() <= spacing {
                break;
            }
            knot = self.dense_knot(i, next)?;
        }
        Ok(knot)
    }

    /// Full-order sub-step from the start of the step to `t`; the oriented guard there, its rate
    /// per second.
    pub(crate) fn probe(&mut self, i: usize, t: f64) -> Searched<Knot, P> {
        self.sub_step(t)?;
        let watch = &self.board.watches[i];
        Ok(Knot {
            theta: t,
            g: watch.orient * self.board.probe.values[i] + watch.lift,
            r: watch.orient * self.board.probe.rates[i],
        })
    }

    /// Full-order sub-step to `t`, unless the last one went there; the guards there are left in
    /// `board.probe`.
    pub(crate) fn sub_step(&mut self, t: f64) -> Searched<(), P> {
        if self.board.probed == Some(t) {
            return Ok(());
        }
        self.board.probed = None;
        let polish = &mut *self.polish;
        polish.t = self.trial.t;
        polish.t_new = t;
        polish.y.as_mut().copy_from_slice(self.trial.y.as_ref());
        let first = self.trial.k[0].as_ref();
        polish.k[0].as_mut().copy_from_slice(first);
        polish.run(&mut self.flow)?;
        polish.finish(&mut self.flow)?;
        self.flow.effort.polish_steps += 1;
        if !is_finite(&polish.k[LAST]) {
            return Err(Error::NonFiniteRate { t });
        }
        let at = Point {
            t,
            y: polish.y_new.as_ref(),
            dy: polish.k[LAST].as_ref(),
        };
        let probe = &mut self.board.probe;
        self.flow.guards(at, &mut probe.values, &mut probe.rates)?;
        self.board.check(t, &self.board.probe.values)?;
        self.board.probed = Some(t);
        Ok(())
    }

    /// A fall through zero between oriented knots: located, polished, recorded.
    pub(crate) fn cross(&mut self, i: usize, a: Knot, b: Knot) -> Searched<(), P> {
        let root = self.dense_root(i, a, b, 0.0)?;
        let slack = BRACKET_SLACK * (b.theta - a.theta);
        let bracket = Bracket {
            low: self.time((a.theta - slack).max(0.0)),
            high: self.time((b.theta + slack).min(1.0)),
            seen_positive: false,
            seen_negative: false,
        };
        self.record_root(i, root, bracket)
    }

    /// The same down to an extremum `low` that full-order sub-steps found at `bottom`, beyond zero.
    fn cross_above(&mut self, i: usize, a: Knot, low: Knot, bottom: Knot) -> Searched<(), P> {
        let root = self.dense_root(i, a, low, bottom.g - low.g)?;
        let slack = BRACKET_SLACK * (low.theta - a.theta);
        let bracket = Bracket {
            low: self.time((a.theta - slack).max(0.0)),
            high: bottom.theta,
            seen_positive: false,
            seen_negative: true,
        };
        self.record_root(i, root, bracket)
    }

    fn record_root(&mut self, i: usize, root: Knot, bracket: Bracket) -> Searched<(), P> {
        if self.is_late(root.theta) {
            return Ok(());
        }
        let mut found = self.polish_root(i, root, bracket)?;
        if found.is_none() && self.probe(i, self.trial.t_new)?.g < 0.0 {
            // A loose tolerance lets the dense output be off by more than its bracket.
            let whole = Bracket {
                low: self.trial.t,
                high: self.trial.t_new,
                seen_positive: false,
                seen_negative: true,
            };
            found = self.polish_root(i, root, whole)?;
        }
        if let Some(t) = found {
            let kind = Kind::Crossing;
            self.board.record(Found { guard: i, kind, t });
        }
        Ok(())
    }

    /// Newton's iteration on full-order sub-steps, kept inside its bracket.
    ///
    /// None when the full-order solution has no root there.
    fn polish_root(&mut self, i: usize, root: Knot, bracket: Bracket) -> Searched<Option<f64>, P> {
        let mut bracket = bracket;
        let zero = self.board.watches[i].guard.zero;
        let dense_rate = root.r / self.trial.h();
        let mut t = self.time(root.theta);
        if !(t >= bracket.low && t <= bracket.high) {
            t = 0.5 * (bracket.low + bracket.high);
        }
        let (mut best_t, mut best_g) = (t, f64::INFINITY);
        let mut spacing_g = 0.0;
        for _ in 0..MAX_POLISH {
            let knot = self.probe(i, t)?;
            bracket.narrow(t, knot.g);
            let r = if knot.r.is_nan() { dense_rate } else { knot.r };
            let stalled = knot.g.abs() <= zero && knot.g.abs() >= STAGNATION * best_g;
            if knot.g.abs() < best_g {
                (best_t, best_g) = (t, knot.g.abs());
            }
            let spacing = ROOT_ULPS * f64::EPSILON * t.abs();
            spacing_g = spacing * r.abs();
            let narrow = bracket.high - bracket.low <= spacing;
            if knot.g.abs() <= spacing_g || knot.g == 0.0 || stalled || narrow {
                break;
            }
            t = bracket.next(t, knot.g, r);
        }
        let sure = bracket.seen_positive && bracket.seen_negative;
        Ok((sure || best_g <= zero + spacing_g).then_some(best_t))
    }

    /// An extremum near zero between the permitted side and the far one: grazing, a shallow dip or
    /// a near miss, decided by full-order sub-steps.
    pub(crate) fn touch(&mut self, i: usize, a: Knot, low: Knot) -> Searched<(), P> {
        if self.is_late(low.theta) {
            // The way down to it may not be: a long step is trusted with little near zero.
            return match low.g < 0.0 {
                true => self.cross(i, a, low),
                false => Ok(()),
            };
        }
        let bottom = self.polish_extremum(i, low)?;
        let graze = self.board.watches[i].guard.graze;
        if bottom.g < -graze {
            self.cross_above(i, a, low, bottom)?;
        } else if bottom.g <= graze {
            let (kind, t) = (Kind::Grazing, bottom.theta);
            self.board.record(Found { guard: i, kind, t });
        }
        Ok(())
    }

    /// Root of the rate on full-order sub-steps, its slope differenced on the dense output; the
    /// knot's `theta` is a time.
    fn polish_extremum(&mut self, i: usize, low: Knot) -> Searched<Knot, P> {
        let before = (low.theta - CURVATURE_DIFFERENCE).max(0.0);
        let after = (low.theta + CURVATURE_DIFFERENCE).min(1.0);
        let rise = self.dense_knot(i, after)?.r - self.dense_knot(i, before)?.r;
        let h = self.trial.h();
        let curvature = rise / ((after - before) * h * h);
        let Guard { graze, zero, .. } = self.board.watches[i].guard;
        let mut knot = self.probe(i, self.time(low.theta))?;
        for _ in 0..MAX_TOUCH {
            let move_by = -knot.r / curvature;
            let small = (knot.r * move_by).abs() <= EXTREMUM_FRACTION * graze;
            let spacing = ROOT_ULPS * f64::EPSILON * knot.theta.abs();
            if !move_by.is_finite() || (small && move_by.abs() <= spacing) {
                break;
            }
            let t = (knot.theta + move_by).clamp(self.trial.t, self.trial.t_new);
            let better = self.probe(i, t)?;
            let worse = better.g > knot.g + zero || better.r.abs() >= knot.r.abs();
            if worse {
                return self.sharp_extremum(i, knot, better);
            }
            knot = better;
        }
        Ok(knot)
    }

    /// Least value of a guard whose rate changes sign almost at once, as that of a distance between
    /// things much smaller than their way; on both sides of it the slope is all that is seen.
    ///
    /// Bracketed on full-order sub-steps, where the tangents of both sides meet and by halving, until
    /// the guard is surely beyond zero or surely clear of it: the dense output may be off by more than
    /// the whole dip. The lower of both knots where they do not bracket it.
    fn sharp_extremum(&mut self, i: usize, a: Knot, b: Knot) -> Searched<Knot, P> {
        let graze = self.board.watches[i].guard.graze;
        let is_ahead = a.theta < b.theta;
        let (mut left, mut right) = if is_ahead { (a, b) } else { (b, a) };
        let mut best = a;
        for count in 1..=MAX_SHARP {
            let width = right.theta - left.theta;
            let doubt = best.r.abs() * width;
            let narrow = width <= ROOT_ULPS * f64::EPSILON * right.theta.abs();
            let sure = best.g < -graze || best.g - doubt > graze;
            let brackets = left.r < 0.0 && right.r > 0.0;
            if !brackets || sure || narrow || doubt <= EXTREMUM_FRACTION * graze {
                break;
            }
            let meet = (right.g - left.g - right.r * width) / (left.r - right.r);
            let inside = meet > 0.0 && meet < width && count % HALVE_EVERY != 0;
            let x = if inside { meet } else { 0.5 * width };
            let knot = self.probe(i, left.theta + x)?;
            match knot.r < 0.0 {
                true => left = knot,
                false => right = knot,
            }
            if knot.g < best.g {
                best = knot;
            }
        }
        Ok(best)
    }
}
