//! One step of the path as power series in scaled time.
//!
//! In the plane all rates are linear while no mode changes. In space the directions of slip turn; next to a halt
//! the clock is the slip itself, `dt = (s/s_0) dθ`, in which the approach to the halt is an exponential.

use super::decide::decide;
use super::guard::value;
use super::hold::Hold;
use super::onset::Onset;
use super::problem::PathImpact;
use super::state::{Grip, NOISE, Press, State};
use crate::impact::Law;

/// Order of the series.
pub(super) const ORDER: usize = 18;

/// Coefficients of a quantity.
pub(super) type Coefficients = [f64; ORDER + 1];

/// What a step may leave off, beside the sizes of its quantities.
const TRUNCATION: f64 = 1e-17;

/// Longest step, in units of the fastest period over 2π.
const LONGEST: f64 = 1.5;

/// A slip that starts from rest is straight on this part of a period: it turns by less than round-off.
const ONSET: f64 = 1e-9;

/// It is straight until it has this part of the largest slip of its row: below, its direction is round-off.
const STARTED: f64 = 4e-14;

/// And no longer than this part of a period.
const LONGEST_ONSET: f64 = 1e-6;

/// An acceleration below this part of its terms is none.
pub(super) const HELD: f64 = 1e-12;

/// Orders that are looked at for it.
const HELD_ORDERS: usize = 6;

const ZERO: Coefficients = [0.0; ORDER + 1];

/// The series of a step from a state.
#[derive(Debug, Clone, Default)]
pub(super) struct Series {
    /// Time of one unit of the variable, at the start.
    pub(super) h: f64,
    pub(super) v: Vec<Coefficients>,
    pub(super) f: Vec<Coefficients>,
    pub(super) load: Vec<Coefficients>,
    swing: Vec<Coefficients>,
    pub(super) gap: Vec<Coefficients>,
    /// Size of the slip of contacts that turn.
    pub(super) slip: Vec<Coefficients>,
    pub(super) turn: Vec<[Coefficients; 2]>,
    /// Rate of time by the variable, in `h`.
    clock: Coefficients,
    clock_of: Option<usize>,
    /// Accelerations.
    pub(super) a: Vec<Coefficients>,
    pub(super) hold: Hold,
    held: Vec<usize>,
    pub(super) is_shared: bool,
    /// Slips in space that start from rest.
    pub(super) onsets: Vec<Onset>,
    /// They have no series.
    pub(super) is_failed: bool,
    is_onset: bool,
    /// Another slip is faster than an onset.
    is_short: bool,
}

impl Series {
    /// The series from a state; contacts that rest undecided are decided on the way, order by order.
    pub(super) fn build(&mut self, impact: &PathImpact, state: &mut State) {
        let before = state.sites.clone();
        self.expand(impact, state, false);
        if self.is_failed {
            state.sites.clone_from(&before);
            self.expand(impact, state, true);
            // A slip that was found to start at a higher order is one from the first.
            if !self.is_onset && starts_in_space(impact, state) {
                self.expand(impact, state, true);
            }
        }
    }

    /// Order by order; slips that start from rest are straight where they have no series.
    fn expand(&mut self, impact: &PathImpact, state: &mut State, is_straight: bool) {
        self.start(impact, state);
        for m in 0..ORDER {
            if !is_straight {
                self.note_onsets(impact, state, None);
                self.aim_onsets(impact, state, m);
            }
            self.forces(impact, state, m);
            decide(self, impact, state, m);
            if !is_straight {
                self.note_onsets(impact, state, None);
                self.aim_onsets(impact, state, m);
            }
            self.hold_still(impact, state, m);
            self.accelerate(impact, state, m);
            if m == 0 {
                self.choose_clock(impact, state, is_straight);
            }
            self.wind(m);
            self.turn_onsets(impact, m);
            self.raise(impact, state, m);
            self.raise_onsets(impact, state, m);
            self.watch_resting(impact, state, m);
            if !is_straight {
                self.note_onsets(impact, state, Some(m + 1));
            }
            if self.is_failed {
                return;
            }
        }
    }

    /// The clock of order `m`.
    fn wind(&mut self, m: usize) {
        if let Some(i) = self.clock_of {
            self.clock[m] = self.slip[i][m] / self.slip[i][0];
        }
    }

    fn start(&mut self, impact: &PathImpact, state: &State) {
        let (rows, contacts) = (impact.rows(), impact.contacts.len());
        for (list, n) in [
            (&mut self.v, rows),
            (&mut self.f, rows),
            (&mut self.a, rows),
            (&mut self.load, contacts),
            (&mut self.swing, contacts),
            (&mut self.gap, contacts),
            (&mut self.slip, contacts),
        ] {
            list.clear();
            list.resize(n, ZERO);
        }
        self.turn.clear();
        self.turn.resize(contacts, [ZERO; 2]);
        for (c, v) in self.v.iter_mut().zip(&state.v) {
            c[0] = *v;
        }
        for (i, site) in state.sites.iter().enumerate() {
            (self.load[i][0], self.swing[i][0], self.gap[i][0]) = (site.load, site.swing, site.gap);
        }
        self.h = 1.0;
        self.clock = ZERO;
        self.clock[0] = 1.0;
        (self.clock_of, self.is_onset, self.is_shared) = (None, false, false);
        self.onsets.clear();
        self.is_failed = false;
        self.held.clear();
        self.hold = Hold::default();
    }

    /// Forces of order `m` at contacts that slip, and along all normals.
    fn forces(&mut self, impact: &PathImpact, state: &State, m: usize) {
        for i in 0..impact.contacts.len() {
            if !state.is_loaded(i) {
                continue;
            }
            let span = impact.span(i);
            self.f[span.start][m] = self.load[i][m];
            let mu = impact.contacts[i].friction.mu_d();
            match state.sites[i].grip {
                Grip::Slip(_) if is_turning(impact, state, i) || self.onset(i).is_some() => {
                    if self.onset(i).is_none() {
                        self.direction(impact, i, m);
                    }
                    for (k, row) in span.skip(1).enumerate() {
                        let pairs = (0..=m).map(|j| self.load[i][j] * self.turn[i][k][m - j]);
                        self.f[row][m] = -mu * pairs.sum::<f64>();
                    }
                }
                Grip::Slip(u) | Grip::Held(u) => {
                    for (k, row) in span.skip(1).enumerate() {
                        self.f[row][m] = -mu * self.load[i][m] * u[k];
                    }
                }
                Grip::Smooth | Grip::Rest | Grip::Stick => {}
            }
        }
    }

    /// `s` and `u` of order `m`: `s² = x·x`, `s u = x`.
    fn direction(&mut self, impact: &PathImpact, i: usize, m: usize) {
        let start = impact.starts[i] + 1;
        let x = [&self.v[start], &self.v[start + 1]];
        let s = &mut self.slip[i];
        if m == 0 {
            s[0] = x[0][0].hypot(x[1][0]);
        } else {
            let squares = (0..=m).map(|j| x[0][j] * x[0][m - j] + x[1][j] * x[1][m - j]);
            let own = (1..m).map(|j| s[j] * s[m - j]);
            s[m] = (squares.sum::<f64>() - own.sum::<f64>()) / (2.0 * s[0]);
        }
        for k in 0..2 {
            let lower = (1..=m).map(|j| s[j] * self.turn[i][k][m - j]);
            self.turn[i][k][m] = (x[k][m] - lower.sum::<f64>()) / s[0];
        }
    }

    /// Forces of order `m` at contacts that stick.
    fn hold_still(&mut self, impact: &PathImpact, state: &State, m: usize) {
        let sticks = |i: &usize| state.sites[*i].grip == Grip::Stick;
        let stuck: Vec<usize> = (0..state.sites.len()).filter(sticks).collect();
        if stuck != self.held {
            let weights: Vec<f64> = stuck.iter().map(|i| state.sites[*i].weight).collect();
            self.hold = Hold::of(impact, &stuck, &weights);
            self.held = stuck;
        }
        self.is_shared |= self.hold.is_shared();
        let rows = &self.hold.rows;
        rows.iter().for_each(|row| self.f[*row][m] = 0.0);
        let pushed: Vec<f64> = rows
            .iter()
            .map(|row| self.pushed(impact, *row, m))
            .collect();
        for a in 0..rows.len() {
            self.f[self.hold.rows[a]][m] = self.hold.force(a, &pushed);
        }
    }

    /// `W f` of a row at order `m`.
    pub(super) fn pushed(&self, impact: &PathImpact, row: usize, m: usize) -> f64 {
        let n = impact.rows();
        let w = &impact.w[row * n..(row + 1) * n];
        w.iter().zip(&self.f).map(|(w, f)| w * f[m]).sum()
    }

    fn accelerate(&mut self, impact: &PathImpact, state: &State, m: usize) {
        for row in 0..impact.rows() {
            self.a[row][m] = self.pushed(impact, row, m);
        }
        for (i, site) in state.sites.iter().enumerate() {
            if matches!(site.grip, Grip::Stick | Grip::Held(_)) {
                impact.span(i).skip(1).for_each(|row| self.a[row][m] = 0.0);
            }
        }
    }

    /// The fastest rate of the state sets the unit of the variable; a slip that halts sets its clock.
    fn choose_clock(&mut self, impact: &PathImpact, state: &State, is_straight: bool) {
        let fastest = fastest(impact, state);
        let mut rate = fastest;
        let mut halting = None;
        for i in 0..impact.contacts.len() {
            if impact.contacts[i].tangents != 2 || !matches!(state.sites[i].grip, Grip::Slip(_)) {
                continue;
            }
            let span = impact.span(i);
            let a = [self.a[span.start + 1][0], self.a[span.start + 2][0]];
            let x = [state.v[span.start + 1], state.v[span.start + 2]];
            let s = x[0].hypot(x[1]);
            if s == 0.0 {
                self.is_onset |= is_straight;
                continue;
            }
            let own = a[0].hypot(a[1]) / s;
            if own > rate {
                rate = own;
                let slows = x[0] * a[0] + x[1] * a[1] < 0.0;
                halting = slows.then_some(i);
            }
        }
        self.clock_of = halting;
        self.is_short = rate * ONSET > fastest;
        self.h = match self.is_onset {
            true => (ONSET / fastest).min(1.0 / rate),
            false => 1.0 / rate,
        };
    }

    /// Everything to order `m + 1`.
    fn raise(&mut self, impact: &PathImpact, state: &State, m: usize) {
        let step = self.h / (m + 1) as f64;
        for row in 0..impact.rows() {
            self.v[row][m + 1] = step * self.timed(&self.a[row], m);
        }
        for (i, site) in state.sites.iter().enumerate() {
            let rules = &impact.contacts[i];
            let v_n = self.timed(&self.v[impact.starts[i]], m);
            let restitution = rules.returns();
            match (site.press, rules.law) {
                (Press::Open, _) => self.gap[i][m + 1] = step * v_n,
                (Press::Loading, _) => self.load[i][m + 1] = -step * rules.stiffness * v_n,
                (Press::Unloading, Law::Poisson) => {
                    let (load, swing) =
                        (self.timed(&self.load[i], m), self.timed(&self.swing[i], m));
                    self.load[i][m + 1] = -step * site.pulse * swing;
                    self.swing[i][m + 1] = step * site.pulse * load;
                }
                (Press::Unloading, _) => {
                    let stiffness = rules.stiffness / (restitution * restitution);
                    self.load[i][m + 1] = -step * stiffness * v_n;
                }
            }
        }
    }

    /// Order `m` of a rate by time, as one by the variable.
    pub(super) fn timed(&self, rate: &Coefficients, m: usize) -> f64 {
        match self.clock_of {
            None => rate[m],
            Some(_) => (0..=m).map(|j| self.clock[j] * rate[m - j]).sum(),
        }
    }

    /// Contacts that rest without a load yet and are moved begin to slip.
    fn watch_resting(&self, impact: &PathImpact, state: &mut State, m: usize) {
        for i in 0..impact.contacts.len() {
            if state.sites[i].grip != Grip::Rest {
                continue;
            }
            let rows = impact.span(i).skip(1);
            let mut u = [0.0; 2];
            rows.zip(&mut u)
                .for_each(|(row, u)| *u = self.v[row][m + 1]);
            let size = u[0].hypot(u[1]);
            if size
                > NOISE
                    * state
                        .slip_reach(impact, i)
                        .max(state.reach[impact.starts[i]])
            {
                state.sites[i].grip = Grip::Slip([u[0] / size, u[1] / size]);
            }
        }
    }

    /// How far the series may be followed.
    pub(super) fn length(&self, impact: &PathImpact, state: &State) -> f64 {
        if self.is_onset {
            return self.straight(impact, state);
        }
        let mut length = LONGEST;
        let mut bound = |c: &Coefficients, scale: f64| {
            for m in [ORDER - 1, ORDER] {
                let part = (TRUNCATION * scale / c[m].abs()).powf((m as f64).recip());
                length = length.min(part);
            }
        };
        for (c, reach) in self.v.iter().zip(&state.reach) {
            bound(c, *reach);
        }
        for (i, c) in self
            .load
            .iter()
            .enumerate()
            .filter(|(i, _)| state.is_loaded(*i))
        {
            bound(c, load_scale(impact, state, i));
        }
        length
    }

    /// How far slips that start from rest are straight.
    fn straight(&self, impact: &PathImpact, state: &State) -> f64 {
        let starting = (0..impact.contacts.len()).filter(|i| is_starting(impact, state, *i));
        let started = |i: usize| {
            let size = STARTED * state.slip_reach(impact, i);
            let terms = |row: usize| self.v[row].iter().enumerate().skip(1);
            let part = |(m, c): (usize, &f64)| (size / c.abs()).powf((m as f64).recip());
            let parts = impact.span(i).skip(1).flat_map(terms).map(part);
            parts.fold(f64::INFINITY, f64::min)
        };
        if self.is_short {
            return 1.0; // another slip halts sooner
        }
        let most = LONGEST_ONSET / ONSET;
        let part = starting.map(started).fold(1.0, f64::max);
        part.min(most)
    }

    /// The state at a place of the step.
    pub(super) fn follow(&self, impact: &PathImpact, state: &mut State, x: f64) {
        for row in 0..impact.rows() {
            let is_pushed = self.f[row].iter().any(|f| *f != 0.0);
            if is_pushed {
                let power = super::guard::product(&self.v[row], &self.f[row]);
                state.p[row] += self.integral(&self.f[row], x);
                state.work[row] += self.integral(&power, x);
            }
            state.v[row] = value(&self.v[row], x);
            state.reach[row] = state.reach[row].max(state.v[row].abs());
        }
        for (i, site) in state.sites.iter_mut().enumerate() {
            match site.press {
                Press::Open => site.gap = value(&self.gap[i], x).max(0.0),
                Press::Loading | Press::Unloading => site.load = value(&self.load[i], x).max(0.0),
            }
            site.swing = value(&self.swing[i], x);
            site.is_broken = false;
        }
    }

    /// Friction of a contact at a place of the step.
    pub(super) fn friction(&self, impact: &PathImpact, i: usize, x: f64) -> [f64; 2] {
        let mut f = [0.0; 2];
        for (row, f) in impact.span(i).skip(1).zip(&mut f) {
            *f = value(&self.f[row], x);
        }
        if f != [0.0; 2] || x > 0.0 {
            return f;
        }
        // At the start of a load its first order is what counts.
        for m in 1..ORDER {
            for (row, f) in impact.span(i).skip(1).zip(&mut f) {
                *f = self.f[row][m];
            }
            if f != [0.0; 2] {
                break;
            }
        }
        f
    }

    /// Whether a contact in space may give some of what holds it to others.
    pub(super) fn shares(&self, impact: &PathImpact, i: usize) -> bool {
        impact.contacts[i].tangents == 2 && self.hold.is_shared()
    }

    /// Whether nothing moves a contact that is about to slip: others hold what moves with it.
    pub(super) fn is_held(&self, impact: &PathImpact, i: usize) -> bool {
        let n = impact.rows();
        let is_still = |row: usize, m: usize| {
            let w = &impact.w[row * n..(row + 1) * n];
            let terms = w.iter().zip(&self.f).map(|(w, f)| (w * f[m]).abs());
            self.a[row][m].abs() <= HELD * terms.sum::<f64>()
        };
        impact
            .span(i)
            .skip(1)
            .all(|row| (0..HELD_ORDERS).all(|m| is_still(row, m)))
    }

    /// Whether a contact that sticks does so by its static coefficient alone.
    pub(super) fn is_static_only(&self, impact: &PathImpact, i: usize) -> bool {
        let friction = impact.contacts[i].friction;
        let lead = self.load[i].iter().position(|x| *x > 0.0);
        let Some(m) = lead.filter(|_| friction.mu_s() > friction.mu_d()) else {
            return false;
        };
        let squares = impact.span(i).skip(1).map(|row| self.f[row][m].powi(2));
        squares.sum::<f64>().sqrt() > friction.mu_d() * self.load[i][m]
    }

    fn integral(&self, rate: &Coefficients, x: f64) -> f64 {
        let mut sum = ZERO;
        for m in 0..ORDER {
            sum[m + 1] = self.h / (m + 1) as f64 * self.timed(rate, m);
        }
        value(&sum, x)
    }

    /// Whether nothing moves any more: loads that are left are in balance.
    pub(super) fn is_quiet(&self, impact: &PathImpact, state: &State, noise: f64) -> bool {
        (0..impact.contacts.len()).all(|i| {
            let row = impact.starts[i];
            let still = noise * state.reach[row];
            let (v, change) = (self.v[row][0], self.v[row][1]);
            match state.is_loaded(i) {
                true => v.abs() <= still && change.abs() <= still,
                false => v >= -still && change >= -still,
            }
        })
    }
}

/// Whether the slip has a direction that turns, and not one that is only about to start.
pub(super) fn is_turning(impact: &PathImpact, state: &State, i: usize) -> bool {
    let is_slipping = matches!(state.sites[i].grip, Grip::Slip(_));
    is_slipping && impact.contacts[i].tangents == 2 && state.slip(impact, i) > 0.0
}

/// Whether a slip in space starts from rest.
fn starts_in_space(impact: &PathImpact, state: &State) -> bool {
    (0..impact.contacts.len()).any(|i| is_starting(impact, state, i))
}

pub(super) fn is_starting(impact: &PathImpact, state: &State, i: usize) -> bool {
    let is_slipping = matches!(state.sites[i].grip, Grip::Slip(_));
    is_slipping && impact.contacts[i].tangents == 2 && state.slip(impact, i) == 0.0
}

/// Size of the loads of a contact: what its speed makes of its stiffness.
pub(super) fn load_scale(impact: &PathImpact, state: &State, i: usize) -> f64 {
    let row = impact.starts[i];
    let own = impact.w[row * impact.rows() + row].max(f64::MIN_POSITIVE);
    let stiffness = impact.contacts[i].stiffness;
    state.reach[row] * (stiffness / own).sqrt()
}

/// The fastest rate of the springs that act.
pub(super) fn fastest(impact: &PathImpact, state: &State) -> f64 {
    let mut square = 0.0;
    let mut pulse = 0.0f64;
    for (i, site) in state.sites.iter().enumerate() {
        let rules = &impact.contacts[i];
        let row = impact.starts[i];
        let own = impact.w[row * impact.rows() + row] * rules.stiffness;
        match (site.press, rules.law) {
            (Press::Open, _) => {}
            (Press::Unloading, Law::Poisson) => pulse = pulse.max(site.pulse),
            (Press::Unloading, _) => square += own / (rules.returns() * rules.returns()),
            (Press::Loading, _) => square += own,
        }
    }
    square.sqrt().max(pulse)
}
