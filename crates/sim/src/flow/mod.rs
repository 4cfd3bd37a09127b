//! The smooth motion between events, as the integrator sees it.

use std::cell::Cell;

use carom_multibody::State;
use carom_multibody::mechanism::{
    Closer, Derivative, Gap, GuardValue, MassSolver, Mechanism, MotionFault,
};
use carom_ode::{Integrator, Point, SetupError};

use crate::Options;
use crate::contact::closed::{Closed, Held, Projection, Sheet};
use crate::contact::pieces::Pieces;
use crate::scale::Scale;
use board::Board;
pub(crate) use charts::Charts;
use reach::Reach;

mod advance;
pub(crate) mod board;
mod charts;
mod ends;
mod extend;
mod idle;
mod overlap;
mod problem;
mod reach;
mod sort;

pub(crate) use advance::Flowed;
pub(crate) use idle::Idle;
pub(crate) use overlap::refuse_overlap;
pub(crate) use sort::{Batch, Fires};

/// Works integrated beside the motion: damping, drives, loads, prescribed motions.
pub(crate) const WORKS: usize = 4;
/// The same and friction, once contacts have stayed closed.
pub(crate) const WORKS_IN_CONTACT: usize = WORKS + 1;

/// Half the time over which a rate that is not known is differenced, as a part of the time of the motion.
const DIFFERENCE: f64 = 1e-6;

/// Part of the energy of the motion that works are measured by: they are small, and add up.
const WORK_PART: f64 = 1.0;

/// Steps allowed between two events.
const MAX_STEPS: u64 = 10_000_000;

/// The watcher asked the smooth motion to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// State `(q, v, works)` of a mechanism, quaternions of round bodies among q as [`Charts`] write them, works only where something
/// does any. One guard per contact,
/// its gap; then the system's own guards. Once contacts have stayed closed, works always and with
/// friction, and the guards of their modes after the others.
pub(crate) struct Flow<'a> {
    pub(crate) mechanism: &'a mut dyn Mechanism,
    /// Raised by the watcher; the next evaluation obeys.
    pub(crate) interrupt: &'a Cell<bool>,
    /// Why the last evaluation that failed did.
    pub(crate) fault: Option<MotionFault>,
    positions: usize,
    rates: usize,
    does_work: bool,
    /// How quaternions of round bodies are integrated, and room to write positions.
    charts: Charts,
    has_charts: bool,
    room: Vec<f64>,
    moved: Vec<f64>,
    /// Whether loops, or other constraints, are to be kept closed.
    is_closed: bool,
    closer: Closer,
    solver: MassSolver,
    gaps: Vec<Gap>,
    own: Vec<GuardValue>,
    /// The contacts that are closed, and the equations of the motion with them.
    pub(crate) closed: Closed,
    pub(crate) pieces: Pieces,
    /// How far the guards of closed contacts went in the step under way.
    reach: Reach,
    /// Whether contacts have stayed closed: friction does work from then on, and modes have guards.
    pub(crate) is_in_contact: bool,
    pub(crate) scale: Scale,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(mechanism: &'a mut dyn Mechanism, interrupt: &'a Cell<bool>) -> Self {
        let charts = Charts::new(mechanism.orientations(), mechanism.positions());
        Self {
            positions: mechanism.positions(),
            rates: mechanism.rates(),
            does_work: mechanism.does_work(),
            has_charts: !charts.is_empty(),
            charts,
            room: Vec::new(),
            moved: Vec::new(),
            is_closed: mechanism.constraints() > 0,
            closer: Closer::default(),
            solver: MassSolver::default(),
            gaps: vec![Gap::default(); mechanism.contacts()],
            own: vec![GuardValue::default(); mechanism.guards()],
            closed: Closed::default(),
            pieces: Pieces::default(),
            reach: Reach::default(),
            is_in_contact: false,
            scale: Scale::default(),
            mechanism,
            interrupt,
            fault: None,
        }
    }

    /// Total and kinetic energy of the mechanism at a state, where it knows them.
    pub(crate) fn energy(&mut self, t: f64, q: &[f64], v: &[f64]) -> Option<(f64, f64)> {
        let energy = self.mechanism.energy(State::new(t, q, v))?;
        Some((energy.total(), energy.kinetic))
    }

    /// Gaps of all contacts at a state.
    pub(crate) fn gaps(&mut self, state: State<'_>) -> &[Gap] {
        self.mechanism.gaps(state, &mut self.gaps);
        &self.gaps
    }

    /// The start of the integration: no work done yet.
    pub(crate) fn start(&mut self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let works: &[f64] = if self.does_work { &[0.0; WORKS] } else { &[] };
        let mut y = [q, v, works].concat();
        self.put(&mut y, q, v);
        y
    }

    /// Takes sizes to measure by.
    pub(crate) fn measure(&mut self, scale: Scale) {
        self.closed = Closed::default();
        self.pieces = Pieces::new(&scale);
        self.scale = scale;
    }

    /// The integrator of a start, its tolerances measured by the sizes of the model.
    pub(crate) fn integrator(
        &self,
        start: Vec<f64>,
        q: &[f64],
        options: &Options,
    ) -> Result<Integrator<Vec<f64>>, SetupError> {
        let works = start.len() - self.positions - self.rates;
        let mut origin = vec![0.0; start.len()];
        for ((origin, q), size) in origin.iter_mut().zip(q).zip(&self.scale.positions) {
            if *size == self.scale.length {
                *origin = *q; // a length: where the scene stands does not matter
            }
        }
        let ode = carom_ode::Options {
            max_steps: MAX_STEPS,
            sizes: self.state_sizes(works),
            origin,
            time: self.scale.time,
            ..carom_ode::Options::with_tolerance(options.tolerance)
        };
        let guards = Board::of(self.mechanism).free_guards(self.mechanism, &self.scale);
        Integrator::new(start, guards, ode)
    }

    /// What each component of a state is measured by, with so many works.
    pub(crate) fn state_sizes(&self, works: usize) -> Vec<f64> {
        let works = vec![WORK_PART * self.scale.energy; works];
        let mut sizes = [&self.scale.positions[..], &self.scale.rates, &works].concat();
        self.charts.widen(&mut sizes);
        sizes
    }

    /// Accelerations at a state; zero where there are none, which the motion will say.
    pub(crate) fn acceleration(&mut self, t: f64, y: &[f64]) -> Vec<f64> {
        let mut dy = vec![0.0; y.len()];
        if self.rates(t, y, &mut dy).is_err() {
            dy.fill(0.0);
        }
        self.split(&dy).1.to_vec()
    }

    /// Positions, rates and works of a state, quaternions of round bodies as the integrator has them.
    pub(crate) fn split<'s>(&self, y: &'s [f64]) -> (&'s [f64], &'s [f64], &'s [f64]) {
        let (q, rest) = y.split_at(self.positions);
        let (v, works) = rest.split_at(self.rates);
        (q, v, works)
    }

    /// Rates of change of a state wherever it is; where there are none, why not.
    #[inline(never)]
    fn rate_somewhere(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        if !y.iter().all(|x| x.is_finite()) {
            return self.refuse(self.fault, dy);
        }
        match self.rates(t, y, dy) {
            Ok(()) if self.is_in_contact => self.see_stage(y, dy),
            Ok(()) => {}
            Err(fault) => self.refuse(Some(fault), dy),
        }
    }

    /// There are no rates of change.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, fault: Option<MotionFault>, dy: &mut [f64]) {
        self.fault = fault;
        dy.fill(f64::NAN);
        self.reach.forget();
    }

    /// Whether a state is q and v, and nothing but the mechanism moves it.
    #[inline(always)]
    fn is_free(&self) -> bool {
        !(self.is_in_contact | self.does_work | self.has_charts)
    }

    /// Rates of change of a state.
    pub(crate) fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MotionFault> {
        let (folded, rest) = y.split_at(self.positions);
        let v = &rest[..self.rates];
        match self.has_charts {
            true => self.rates_in_charts(t, [folded, v], dy),
            false => self.rates_at(t, [folded, v], dy),
        }
    }

    /// The same where there are quaternions of round bodies.
    #[inline(never)]
    fn rates_in_charts(
        &mut self,
        t: f64,
        [folded, v]: [&[f64]; 2],
        dy: &mut [f64],
    ) -> Result<(), MotionFault> {
        let mut room = std::mem::take(&mut self.room);
        let q = self.charts.unfold(t, folded, &mut room);
        let moved = self.rates_at(t, [q, v], dy);
        self.room = room;
        self.charts.rates(t, folded, v, &mut dy[..self.positions]);
        moved
    }

    /// The same at positions and rates.
    #[inline]
    fn rates_at(&mut self, t: f64, [q, v]: [&[f64]; 2], dy: &mut [f64]) -> Result<(), MotionFault> {
        if self.is_in_contact {
            return self.rates_in_contact(t, [q, v], dy);
        }
        if self.does_work {
            return self.rates_and_works(t, [q, v], dy);
        }
        self.rates_in_flight(t, [q, v], dy)
    }

    /// The same where nothing but the mechanism moves it.
    #[inline(always)]
    fn rates_in_flight(
        &mut self,
        t: f64,
        [q, v]: [&[f64]; 2],
        dy: &mut [f64],
    ) -> Result<(), MotionFault> {
        let state = State::new(t, q, v).on(self.pieces.all());
        let (q_rate, acceleration) = dy.split_at_mut(self.positions);
        let out = Derivative {
            q: q_rate,
            v: acceleration,
        };
        self.mechanism.derivative(state, &mut self.solver, out)
    }

    /// The same where something does work.
    #[inline(never)]
    fn rates_and_works(
        &mut self,
        t: f64,
        [q, v]: [&[f64]; 2],
        dy: &mut [f64],
    ) -> Result<(), MotionFault> {
        let state = State::new(t, q, v).on(self.pieces.all());
        let (q_rate, rest) = dy.split_at_mut(self.positions);
        let (acceleration, works) = rest.split_at_mut(self.rates);
        self.mechanism.position_rate(state, q_rate);
        let powers = self
            .mechanism
            .motion(state, &mut self.solver, acceleration)?;
        works.copy_from_slice(&[powers.damping, powers.drives, powers.loads, powers.motions]);
        Ok(())
    }

    /// The same once contacts have stayed closed.
    #[inline(never)]
    fn rates_in_contact(
        &mut self,
        t: f64,
        [q, v]: [&[f64]; 2],
        dy: &mut [f64],
    ) -> Result<(), MotionFault> {
        let state = State::new(t, q, v).on(self.pieces.all());
        let (q_rate, rest) = dy.split_at_mut(self.positions);
        let (acceleration, works) = rest.split_at_mut(self.rates);
        self.mechanism.position_rate(state, q_rate);
        self.closed
            .accelerate(&mut *self.mechanism, state, acceleration)?;
        works.fill(0.0);
        if self.does_work {
            let powers = self.mechanism.powers(state, acceleration);
            let powers = [powers.damping, powers.drives, powers.loads, powers.motions];
            works[..WORKS].copy_from_slice(&powers);
        }
        let powers = self.closed.powers(v);
        works[WORKS - 1] += powers.motions;
        works[WORKS] = powers.friction;
        Ok(())
    }

    /// Replaces rates of the system's own guards that are not known by central differences along the
    /// motion. They resolve a hop that is much shorter than a step.
    fn difference_rates(&mut self, at: Point<'_>) {
        let mut sides = [Vec::new(), Vec::new()];
        let difference = DIFFERENCE * self.scale.time;
        for (side, step) in sides.iter_mut().zip([-difference, difference]) {
            let (t, y) = (at.t + step, at.y.iter().zip(at.dy));
            let y: Vec<f64> = y.map(|(y, dy)| y + step * dy).collect();
            let mut dy = vec![0.0; y.len()];
            if self.rates(t, &y, &mut dy).is_err() {
                return; // left to the integrator
            }
            let (q, v) = self.placed(t, &y);
            let acceleration = &dy[self.positions..self.positions + self.rates];
            *side = self.own.clone();
            let state = State::new(t, &q, &v).on(self.pieces.all());
            self.mechanism.guard_values(state, acceleration, side);
        }
        for (i, guard) in self.own.iter_mut().enumerate() {
            if guard.rate.is_nan() {
                guard.rate = (sides[1][i].value - sides[0][i].value) / (2.0 * difference);
            }
        }
    }

    /// Takes a state back to those that mean something: unit quaternions, closed loops.
    #[inline]
    pub(crate) fn settle_state(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) {
        self.mechanism.normalise(q);
        if !self.closed.held().is_empty() {
            let mut projection = Projection {
                mechanism: &mut *self.mechanism,
                held: self.closed.held(),
                contacts: self.closed.contacts(),
                gaps: &mut self.gaps,
                scale: &self.scale,
                pieces: self.pieces.all(),
            };
            self.closer.settle(&mut projection, t, q, v);
        } else if self.is_closed {
            self.closer.settle(&mut *self.mechanism, t, q, v);
            self.solver.closed.heed(self.closer.solver());
        }
    }

    /// Goes on with these contacts closed, each on its piece of surface; forces are measured from here on by
    /// their size at this state.
    pub(crate) fn hold(&mut self, state: State<'_>, held: Vec<Held>) -> Result<(), MotionFault> {
        self.reach.forget();
        let old = self.closed.held();
        self.pieces.follow(self.mechanism, state, old, &held);
        let state = state.on(self.pieces.all());
        self.closed.hold(self.mechanism, state, held, &self.scale)
    }

    /// Finds which constraints are independent at a state where they hold.
    pub(crate) fn heed(&mut self, state: State<'_>) {
        if self.is_closed && self.closer.see(&mut *self.mechanism, state) {
            self.solver.closed.heed(self.closer.solver());
        }
    }

    /// Forces of the closed contacts a little before and after a point, differenced along the motion.
    ///
    /// Off the motion by the square of the time rows that depend on each other do so no longer: where there
    /// are such, the states are settled.
    fn difference_forces(&mut self, at: Point<'_>, rates: &mut [f64]) {
        let is_redundant = self.closed.is_redundant();
        let mut sides = [vec![0.0; rates.len()], vec![0.0; rates.len()]];
        let difference = DIFFERENCE * self.scale.time;
        for (side, step) in sides.iter_mut().zip([-difference, difference]) {
            let y = at.y.iter().zip(at.dy);
            let mut y: Vec<f64> = y.map(|(y, dy)| y + step * dy).collect();
            if is_redundant {
                self.settle_folded(at.t + step, &mut y);
            }
            let mut dy = vec![0.0; y.len()];
            if self.rates(at.t + step, &y, &mut dy).is_err() {
                return; // left to the integrator
            }
            self.closed.write_forces(self.board(), side);
        }
        let [before, after] = sides;
        for ((rate, before), after) in rates.iter_mut().zip(before).zip(after) {
            *rate = (after - before) / (2.0 * difference);
        }
    }

    /// Guards of the modes of closed contacts, and their rates.
    fn mode_guards(&mut self, at: Point<'_>, values: &mut [f64], rates: &mut [f64]) {
        values.fill(0.0);
        rates.fill(f64::NAN);
        self.difference_forces(at, rates);
        let mut dy = vec![0.0; at.y.len()];
        let is_moving = self.rates(at.t, at.y, &mut dy).is_ok();
        let (_, v, _) = self.split(at.y);
        let (_, acceleration, _) = self.split(at.dy);
        if !is_moving {
            values.fill(f64::NAN); // refused by the integrator
            return;
        }
        let board = self.board();
        self.closed.write_forces(board, values);
        let mut sheet = Sheet {
            board,
            values,
            rates,
        };
        self.closed.write_slips(v, acceleration, &mut sheet);
        let (q, v) = self.placed(at.t, at.y);
        let state = State::new(at.t, &q, &v).on(self.pieces.all());
        self.closed.write_ends(self.mechanism, state, &mut sheet);
    }

    /// Which guard watches what.
    pub(crate) fn board(&self) -> Board {
        Board {
            contacts: self.gaps.len(),
            own: self.own.len(),
        }
    }

    /// Positions and rates of a state.
    pub(crate) fn placed(&self, t: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (folded, v, _) = self.split(y);
        let mut room = Vec::new();
        let q = self.charts.unfold(t, folded, &mut room).to_vec();
        (q, v.to_vec())
    }

    /// Takes a state of the integrator back to those that mean something.
    fn settle_folded(&mut self, t: f64, y: &mut [f64]) {
        let (folded, rest) = y.split_at_mut(self.positions);
        let v = &mut rest[..self.rates];
        if !self.has_charts {
            self.settle_state(t, folded, v);
            return;
        }
        let mut room = std::mem::take(&mut self.room);
        let mut moved = std::mem::take(&mut self.moved);
        self.charts.unfold(t, folded, &mut room);
        self.mechanism.normalise(&mut room);
        moved.clone_from(&room);
        self.settle_state(t, &mut moved, v);
        self.charts.settle(t, &room, &mut moved, folded);
        (self.room, self.moved) = (room, moved);
    }

    /// Writes positions and rates into a state.
    pub(crate) fn put(&mut self, y: &mut [f64], q: &[f64], v: &[f64]) {
        self.charts.fold(q, &mut y[..self.positions]);
        y[self.positions..self.positions + self.rates].copy_from_slice(v);
    }
}
