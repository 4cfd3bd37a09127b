//! The path from the first touch to the last separation.

use super::patience::{halted, stillness};
use super::problem::{PathContact, PathImpact, PathImpactError};
use super::series::{Series, is_turning};
use super::share::{Share, share};
use super::solution::{PathCompression, PathEnd, PathPoint, PathSolution};
use super::state::{AT_REST, Grip, Press, State};
use super::watch::{Happening, Kind, apply, break_away, next};
use crate::contact_space::SpatialVector;
use crate::impact::{ContactType, Mode, Outcome, Phase};

/// Changes of mode after which a path is given up.
pub const PHASE_LIMIT: usize = 6_000;

/// Steps after which a path is given up.
const STEP_LIMIT: usize = 24_000;

/// Changes of mode at one moment, per contact, after which friction is taken as it is.
const CHANGES_AT_ONCE: usize = 12;

/// A slip below this part of its largest size halts within a few steps, or is round-off already.
const HALTING: f64 = 1e-10;

/// A path is given up when a velocity reaches this many times the largest at its start.
const GROWTH_LIMIT: f64 = 1e9;

/// A gain of energy below this part of the works is round-off.
const GAIN_TOLERANCE: f64 = 1e-12;

/// Follows the path of several contacts to its end.
///
/// `infeasible` where it has not ended after [`PHASE_LIMIT`] changes of mode: bodies held between others that
/// return everything, or growing motions of Poisson's restitution. `jammed` where a contact is driven and nothing
/// moves it.
pub fn solve(impact: &PathImpact) -> Result<PathSolution, PathImpactError> {
    let Some(units) = Units::of(impact) else {
        return Ok(March::new(impact).finish(impact, &Units::NONE, Outcome::NoImpact));
    };
    let scaled = units.scaled(impact);
    let mut march = March::new(&scaled);
    if !march.close_gaps(&scaled) {
        return Ok(march.finish(impact, &units, Outcome::NoImpact));
    }
    let outcome = match march.is_driven(&scaled) {
        true => Outcome::Jammed,
        false => march.run(&scaled),
    };
    let solution = march.finish(impact, &units, outcome);
    let sums = solution.energy_change + solution.momentum_residual + solution.energy_residual;
    match sums.is_finite() {
        true => Ok(solution),
        false => Err(PathImpactError::Overflow),
    }
}

/// Units in which the largest normal mobility, speed and rate are one.
struct Units {
    v: f64,
    w: f64,
    stiffness: f64,
}

impl Units {
    const NONE: Self = Self {
        v: 1.0,
        w: 1.0,
        stiffness: 1.0,
    };

    /// `None` where nothing moves.
    fn of(impact: &PathImpact) -> Option<Self> {
        let largest = |list: &[f64]| list.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let n = impact.rows();
        let (v, w) = (largest(&impact.v), largest(&impact.w));
        let pairs = impact.contacts.iter().zip(&impact.starts);
        let rates = pairs.map(|(c, row)| c.stiffness * impact.w[row * n + row] / w);
        let stiffness = rates.fold(0.0, f64::max);
        let stiffness = if stiffness > 0.0 { stiffness } else { 1.0 };
        (v > 0.0).then_some(Self {
            v,
            w: if w > 0.0 { w } else { 1.0 },
            stiffness,
        })
    }

    fn scaled(&self, impact: &PathImpact) -> PathImpact {
        let by = |list: &[f64], unit: f64| list.iter().map(|x| x / unit).collect();
        let contacts = impact.contacts.iter().map(|c| PathContact {
            stiffness: c.stiffness / self.stiffness,
            ..*c
        });
        PathImpact {
            w: by(&impact.w, self.w),
            v: by(&impact.v, self.v),
            terms: by(&impact.terms, self.v),
            contacts: contacts.collect(),
            starts: impact.starts.clone(),
        }
    }
}

/// What a contact has done so far.
#[derive(Debug, Clone, Default)]
struct Trail {
    corners: Vec<PathPoint>,
    compressions: usize,
    halt: Option<Phase>,
    sticks: Option<bool>,
}

struct March {
    state: State,
    trails: Vec<Trail>,
    phases: usize,
    /// Part of its largest size below which an approach counts as rest.
    still: f64,
    is_shared: bool,
    slip_also_consistent: bool,
}

impl March {
    fn new(impact: &PathImpact) -> Self {
        Self {
            state: State::start(impact),
            trails: vec![Trail::default(); impact.contacts.len()],
            phases: 0,
            still: AT_REST,
            is_shared: false,
            slip_also_consistent: false,
        }
    }

    /// Presses contacts that touch and approach; whether there is one.
    fn close_gaps(&mut self, impact: &PathImpact) -> bool {
        let mut any = false;
        for i in 0..impact.contacts.len() {
            let touches = !self.state.is_loaded(i) && self.state.sites[i].gap == 0.0;
            if touches && self.approaches(impact, i) {
                self.state.press(impact, i);
                any = true;
            }
        }
        any
    }

    fn approaches(&self, impact: &PathImpact, i: usize) -> bool {
        let row = impact.starts[i];
        self.state.v[row] < -self.still * self.state.reach[row]
    }

    /// Whether a contact that approaches is moved by nothing.
    fn is_driven(&self, impact: &PathImpact) -> bool {
        let n = impact.rows();
        let stands = |i: usize| impact.w[impact.starts[i] * (n + 1)] <= 0.0;
        (0..impact.contacts.len()).any(|i| self.state.is_loaded(i) && stands(i))
    }

    fn run(&mut self, impact: &PathImpact) -> Outcome {
        let mut series = Series::default();
        let (mut changes, mut halting) = (0, 0);
        for step in 0..STEP_LIMIT {
            self.still = stillness(self.phases.max(step / 4));
            let is_loaded = |i: usize| self.state.is_loaded(i);
            if !(0..impact.contacts.len()).any(is_loaded) && !self.fly(impact) {
                return Outcome::Solved;
            }
            series.build(impact, &mut self.state);
            if series.is_quiet(impact, &self.state, self.still) {
                (0..impact.contacts.len()).for_each(|i| self.part(impact, i));
                return Outcome::Solved;
            }
            let is_beyond = self.state.v.iter().any(|v| !(v.abs() < GROWTH_LIMIT));
            if self.phases >= PHASE_LIMIT || is_beyond {
                break;
            }
            halting = if self.is_halting(impact) {
                halting + 1
            } else {
                0
            };
            self.state.halted = halted(halting);
            let rho = series.length(impact, &self.state);
            let limit = CHANGES_AT_ONCE * impact.contacts.len();
            // What cannot be told apart at one moment is taken as it is.
            let counts = |h: &Happening| {
                h.at > 0.0 || changes <= limit || (is_press(h.kind) && changes <= 2 * limit)
            };
            let events = next(&series, impact, &self.state, rho, counts);
            let at = events.first().map_or(rho, |first| first.at);
            if at > 0.0 {
                changes = 0;
                self.note(impact, &series);
                series.follow(impact, &mut self.state, at);
            } else {
                changes += events.len().max(1);
            }
            self.happen(impact, &series, &events, at);
        }
        Outcome::Infeasible
    }

    /// Whether a slip is next to its halt.
    fn is_halting(&self, impact: &PathImpact) -> bool {
        (0..impact.contacts.len()).any(|i| {
            let halting = HALTING * self.state.slip_reach(impact, i);
            is_turning(impact, &self.state, i) && self.state.slip(impact, i) <= halting
        })
    }

    /// No force acts: moves on to where the next gap closes. Whether one does.
    fn fly(&mut self, impact: &PathImpact) -> bool {
        let closing = (0..impact.contacts.len()).filter(|i| self.approaches(impact, *i));
        let time = |i: usize| self.state.sites[i].gap / -self.state.v[impact.starts[i]];
        let Some(first) = closing.map(time).reduce(f64::min) else {
            return false;
        };
        for i in 0..impact.contacts.len() {
            let v = self.state.v[impact.starts[i]];
            let is_next = self.approaches(impact, i) && time_left(&self.state, i, v) <= first;
            let site = &mut self.state.sites[i];
            site.gap = match is_next {
                true => 0.0,
                false => (site.gap + v * first).max(0.0),
            };
        }
        self.close_gaps(impact)
    }

    /// Events of a moment; those along the normal first, and no friction where a contact has opened.
    fn happen(&mut self, impact: &PathImpact, series: &Series, events: &[Happening], at: f64) {
        let (presses, grips): (Vec<&Happening>, Vec<&Happening>) =
            events.iter().partition(|h| is_press(h.kind));
        for happening in presses.into_iter().chain(grips) {
            let i = happening.contact;
            if !is_press(happening.kind) && !self.state.is_loaded(i) {
                continue;
            }
            let force = series.friction(impact, i, at);
            self.mark(happening);
            if happening.kind == Kind::Part {
                self.part(impact, i);
            }
            self.phases += 1;
            if happening.kind == Kind::Break && series.shares(impact, i) && self.share(impact) {
                return;
            }
            apply(impact, &mut self.state, *happening, force);
        }
    }

    /// Contacts that stick share anew what holds them, or those whose cones are full slip. Whether that is all.
    fn share(&mut self, impact: &PathImpact) -> bool {
        match share(impact, &self.state) {
            Share::Kept(weights) => {
                let sites = self.state.sites.iter_mut().zip(weights);
                sites.for_each(|(site, weight)| site.weight = weight);
                true
            }
            Share::Full(slipping) => {
                for (i, way) in &slipping {
                    break_away(impact, &mut self.state, *i, *way);
                }
                !slipping.is_empty()
            }
        }
    }

    fn mark(&mut self, happening: &Happening) {
        let phase = match self.state.sites[happening.contact].press {
            Press::Unloading => Phase::Restitution,
            _ => Phase::Compression,
        };
        let trail = &mut self.trails[happening.contact];
        match happening.kind {
            Kind::Turn => trail.compressions += 1,
            Kind::Halt if trail.halt.is_none() => trail.halt = Some(phase),
            _ => {}
        }
    }

    /// The last corner of a contact that opens.
    fn part(&mut self, impact: &PathImpact, i: usize) {
        if !self.state.is_loaded(i) {
            return;
        }
        let last = self.trails[i].corners.last().map(|c| (c.phase, c.mode));
        let (phase, mode) = last.unwrap_or((Phase::Restitution, None));
        self.add_corner(impact, i, phase, mode);
    }

    fn add_corner(&mut self, impact: &PathImpact, i: usize, phase: Phase, mode: Option<Mode>) {
        let corner = PathPoint {
            impulse: vector(impact, i, &self.state.p),
            v: vector(impact, i, &self.state.v),
            phase,
            mode,
        };
        self.trails[i].corners.push(corner);
    }

    /// Corners of the contacts whose phase or mode is a new one from here.
    fn note(&mut self, impact: &PathImpact, series: &Series) {
        self.is_shared |= series.is_shared;
        for i in 0..impact.contacts.len() {
            let site = self.state.sites[i];
            let phase = match site.press {
                Press::Open => continue,
                Press::Loading => Phase::Compression,
                Press::Unloading => Phase::Restitution,
            };
            let mode = match site.grip {
                Grip::Smooth => None,
                Grip::Rest | Grip::Stick | Grip::Held(_) => Some(Mode::Stick),
                Grip::Slip(_) if impact.contacts[i].tangents == 2 => Some(Mode::Slip),
                Grip::Slip(u) => Some(Mode::slip(u[0])),
            };
            let trail = &mut self.trails[i];
            if trail.sticks.is_none() || trail.halt.is_some() {
                trail.sticks = mode.map(|mode| mode == Mode::Stick);
            }
            if site.grip == Grip::Stick {
                self.slip_also_consistent |= series.is_static_only(impact, i);
            }
            let last = self.trails[i].corners.last().map(|c| (c.phase, c.mode));
            let is_new = last != Some((phase, mode)) || site.load == 0.0;
            if is_new {
                self.add_corner(impact, i, phase, mode);
            }
        }
    }

    fn finish(mut self, impact: &PathImpact, units: &Units, outcome: Outcome) -> PathSolution {
        let impulse = units.v / units.w;
        let state = &mut self.state;
        state.v.iter_mut().for_each(|v| *v *= units.v);
        state.p.iter_mut().for_each(|p| *p *= impulse);
        state.work.iter_mut().for_each(|w| *w *= units.v * impulse);
        if outcome == Outcome::NoImpact {
            state.v.clone_from(&impact.v);
        }
        let balance = Balance::of(impact, state);
        let ends = (0..impact.contacts.len()).map(|i| self.end(impact, units, i));
        let contacts: Vec<PathEnd> = ends.collect();
        let excess = contacts.iter().zip(&impact.contacts).map(|(end, c)| {
            let side = end.impulse.t[0].hypot(end.impulse.t[1]);
            let over = (side - c.friction.mu_s() * end.impulse.n).max(0.0);
            if over > 0.0 {
                over / side.max(end.impulse.n)
            } else {
                0.0
            }
        });
        PathSolution {
            outcome,
            energy_change: balance.energy_change,
            energy_scale: balance.energy_scale,
            energy_gain: balance.energy_change > GAIN_TOLERANCE * balance.energy_scale,
            momentum_residual: balance.momentum_residual,
            energy_residual: balance.energy_residual,
            cone_residual: excess.fold(0.0, f64::max),
            phases: self.phases,
            left: if self.still > AT_REST {
                self.still
            } else {
                0.0
            },
            friction_shared: self.is_shared,
            slip_also_consistent: self.slip_also_consistent,
            contacts,
        }
    }

    fn end(&self, impact: &PathImpact, units: &Units, i: usize) -> PathEnd {
        let trail = &self.trails[i];
        let scale = |x: SpatialVector, unit: f64| SpatialVector {
            n: x.n * unit,
            t: x.t.map(|t| t * unit),
        };
        let corner = |c: &PathPoint| PathPoint {
            impulse: scale(c.impulse, units.v / units.w),
            v: scale(c.v, units.v),
            ..*c
        };
        PathEnd {
            impulse: vector(impact, i, &self.state.p),
            v_post: vector(impact, i, &self.state.v),
            work: vector(impact, i, &self.state.work),
            contact_type: contact_type(&impact.contacts[i], trail),
            compression: PathCompression {
                count: trail.compressions,
            },
            path: trail.corners.iter().map(corner).collect(),
        }
    }
}

fn time_left(state: &State, i: usize, v: f64) -> f64 {
    state.sites[i].gap / -v
}

fn is_press(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Turn | Kind::PressAgain | Kind::Part | Kind::Close
    )
}

fn contact_type(contact: &PathContact, trail: &Trail) -> ContactType {
    if trail.corners.is_empty() {
        return ContactType::NoImpact;
    }
    if contact.tangents == 0 {
        return ContactType::Frictionless;
    }
    match (trail.halt, trail.sticks) {
        (None, Some(true)) => ContactType::NonSlidingCompression,
        (None, _) => ContactType::PermanentSliding,
        (Some(Phase::Compression), Some(true)) => ContactType::NonSlidingCompression,
        (Some(Phase::Restitution), Some(true)) => ContactType::NonSlidingRestitution,
        (Some(Phase::Compression), _) => ContactType::ReverseCompression,
        (Some(Phase::Restitution), _) => ContactType::ReverseRestitution,
    }
}

fn vector(impact: &PathImpact, i: usize, list: &[f64]) -> SpatialVector {
    let span = impact.span(i);
    let mut t = [0.0; 2];
    for (t, x) in t.iter_mut().zip(&list[span.start + 1..span.end]) {
        *t = x + 0.0;
    }
    SpatialVector {
        n: list[span.start] + 0.0,
        t,
    }
}

/// How well the totals close.
struct Balance {
    energy_change: f64,
    energy_scale: f64,
    momentum_residual: f64,
    energy_residual: f64,
}

impl Balance {
    fn of(impact: &PathImpact, state: &State) -> Self {
        let n = impact.rows();
        let ratio = |miss: f64, size: f64| if size > 0.0 { miss / size } else { 0.0 };
        let (mut work, mut size, mut momentum) = (0.0, 0.0f64, 0.0f64);
        for row in 0..n {
            let w = &impact.w[row * n..(row + 1) * n];
            let parts = w.iter().zip(&state.p).map(|(w, p)| w * p);
            let (mut jump, mut largest) = (0.0, impact.terms[row].max(state.v[row].abs()));
            for part in parts {
                jump += part;
                largest = f64::max(largest, part.abs());
                size = size.max((0.5 * part * state.p[row]).abs());
            }
            let miss = (state.v[row] - impact.v[row] - jump).abs();
            momentum = momentum.max(ratio(miss, largest));
            work += state.p[row] * (impact.v[row] + 0.5 * jump);
            size = size.max((state.p[row] * impact.v[row]).abs());
        }
        let energy_change: f64 = state.work.iter().sum();
        Self {
            energy_change: energy_change + 0.0,
            energy_scale: size,
            momentum_residual: momentum,
            energy_residual: ratio((energy_change - work).abs(), size),
        }
    }
}
