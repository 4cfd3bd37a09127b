//! The integrator: steps, events and restarts.

mod attempt;
mod outlook;

use crate::board::Board;
use crate::dense::DenseStep;
use crate::guard::{Guard, Phase};
use crate::leeway::Leeway;
use crate::measure::Measure;
use crate::pace::Pace;
use crate::problem::{Flow, Point, Problem, State};
use crate::search::{Search, Verdict};
use crate::step::{LAST, Trial, is_finite};
use crate::{Effort, Error, Fired, Kind, Options, SetupError, Stop};

/// Spacings of the time axis left of a guard by rounding at its event.
const RESIDUAL_ULPS: f64 = 4.0;

/// Spacings of the time axis in a step that is shortened on request, at least.
const SHORTENED_ULPS: f64 = 1024.0;

/// Steps taken again because of a rough guard, allowed from the start and per accepted step.
const RETAKES: (u64, u64) = (64, 4);

/// What an advance shows of its steps.
type Observer<'a, P, S> = Option<&'a mut dyn FnMut(&mut P, &DenseStep<S>)>;

/// An adaptive integrator with guards; all its arrays are allocated when it is built.
///
/// It owns time and state; the [`Problem`] is passed to each call, and may change between calls.
#[derive(Debug, Clone)]
pub struct Integrator<S> {
    options: Options,
    measure: Measure<S>,
    trial: Trial<S>,
    polish: Trial<S>,
    dense: DenseStep<S>,
    board: Board<S>,
    leeway: Leeway<S>,
    /// The guards at the start of the step are not on the board: the last search was passed over.
    is_start_unseen: bool,
    pace: Pace,
    fired: Vec<Fired>,
    effort: Effort,
    /// Steps limited by stability, of those looked at.
    stiff_steps: u64,
    /// Good steps that were looked at.
    seen_steps: u64,
    /// The guards are to be placed anew.
    unplaced: bool,
}

impl<S: State> Integrator<S> {
    /// An integrator at time 0 in the given state, with all its guards armed.
    pub fn new(start: S, guards: Vec<Guard>, options: Options) -> Result<Self, SetupError> {
        options.check()?;
        guards.iter().try_for_each(Guard::check)?;
        let mut components = start.as_ref().iter().enumerate();
        if components.len() == 0 {
            return Err(SetupError::EmptyState);
        }
        if let Some((component, &value)) = components.find(|(_, value)| !value.is_finite()) {
            return Err(SetupError::BadState { component, value });
        }
        Ok(Self {
            measure: Measure::new(&start, &options)?,
            polish: Trial::new(start.clone()),
            dense: DenseStep::new(&start),
            fired: Vec::with_capacity(guards.len()),
            leeway: Leeway::new(&start, guards.len()),
            is_start_unseen: true,
            board: Board::new(&start, guards),
            trial: Trial::new(start),
            pace: Pace::new(&options),
            effort: Effort::default(),
            stiff_steps: 0,
            seen_steps: 0,
            unplaced: true,
            options,
        })
    }

    /// Present time (s).
    pub fn time(&self) -> f64 {
        self.trial.t
    }

    /// Present state; at an event the state computed for its time, never moved off it.
    pub fn state(&self) -> &S {
        &self.trial.y
    }

    /// The state, to be changed; every guard is placed anew by the re-arming rule of [`Guard`].
    pub fn state_mut(&mut self) -> &mut S {
        self.unplaced = true;
        &mut self.trial.y
    }

    /// Sets the clock; every guard is placed anew.
    pub fn set_time(&mut self, t: f64) {
        self.unplaced = true;
        self.trial.t = t;
    }

    /// Guards of the last event, by index; empty when the last call ran to its end.
    pub fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// What the integration has cost so far.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// Tolerances and limits.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Switches a guard on or off; switched on, it is placed by the re-arming rule of [`Guard`].
    ///
    /// # Panics
    ///
    /// When there is no such guard.
    pub fn arm(&mut self, guard: usize, armed: bool) {
        self.board.watches[guard].armed = armed;
        self.unplaced = true;
    }

    /// Whether a guard is switched on.
    ///
    /// # Panics
    ///
    /// When there is no such guard.
    pub fn is_armed(&self, guard: usize) -> bool {
        self.board.watches[guard].armed
    }

    /// Lets a guard be on its far side: it does not fire until it has come back and falls again.
    ///
    /// # Panics
    ///
    /// When there is no such guard.
    pub fn pass(&mut self, guard: usize) {
        self.pass_within(guard, f64::INFINITY);
    }

    /// Lets a guard be on its far side by no more than a depth: it fires where it goes beyond that, or once
    /// it has come back and falls again.
    ///
    /// # Panics
    ///
    /// When there is no such guard.
    pub fn pass_within(&mut self, guard: usize, depth: f64) {
        self.board.watches[guard].allowed = depth;
        self.unplaced = true;
    }

    /// Forgets the step size, so that the next step is chosen from the rates, as the first was.
    ///
    /// For a restart in a much faster motion; a step too long is also found out by its error.
    pub fn forget_step(&mut self) {
        self.pace = Pace::new(&self.options);
    }

    /// Takes the next step no longer than `longest` (s): what follows an event may be as short as what
    /// came before it.
    pub fn shorten_step(&mut self, longest: f64) {
        let least = SHORTENED_ULPS * f64::EPSILON * self.trial.t.abs();
        if longest > 0.0 {
            self.pace.shorten(longest.max(least));
        }
    }

    /// Integrates until a guard fires or `until` is reached, exactly.
    pub fn advance<P: Problem>(
        &mut self,
        problem: &mut P,
        until: f64,
    ) -> Result<Stop, Error<P::Failure>> {
        self.integrate(problem, until, None)
    }

    /// As [`Integrator::advance`], and shows every accepted step, cut at the event if there is one.
    pub fn advance_observed<P: Problem>(
        &mut self,
        problem: &mut P,
        until: f64,
        observe: &mut dyn FnMut(&mut P, &DenseStep<S>),
    ) -> Result<Stop, Error<P::Failure>> {
        self.integrate(problem, until, Some(observe))
    }

    fn integrate<P: Problem>(
        &mut self,
        problem: &mut P,
        until: f64,
        mut observer: Observer<'_, P, S>,
    ) -> Result<Stop, Error<P::Failure>> {
        self.fired.clear();
        let from = self.trial.t;
        if !(until >= from && until.is_finite()) {
            return Err(Error::BadSpan { from, until });
        }
        self.prepare(problem, until)?;
        if self.fire_violated() {
            return Ok(Stop::Event);
        }
        let guarded = self.board.is_armed();
        let mut left = self.options.max_steps;
        let mut retakes = 0;
        while self.trial.t < until {
            self.attempt(problem, until, &mut left)?;
            let verdict = self.look_inside(problem, guarded, observer.is_some())?;
            match verdict {
                Verdict::Nothing => self.commit(problem, guarded, &mut observer),
                Verdict::Event => {
                    self.commit_event(problem, &mut observer)?;
                    return Ok(Stop::Event);
                }
                Verdict::TooRough(guard) => {
                    retakes += 1;
                    let (first, per_step) = RETAKES;
                    let used = self.options.max_steps - left;
                    self.shorten(guard, retakes <= first + (used - retakes) / per_step)?;
                }
            }
        }
        Ok(Stop::End)
    }

    /// Rate and guards at the start; the guards placed if they are to be; the first step chosen.
    fn prepare<P: Problem>(
        &mut self,
        problem: &mut P,
        until: f64,
    ) -> Result<(), Error<P::Failure>> {
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        self.trial.refresh(&mut flow)?;
        if self.board.is_armed() {
            self.see_start(problem)?;
            if self.unplaced {
                self.board.classify();
                self.unplaced = false;
            }
        }
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        if self.pace.is_unset() && self.trial.t < until {
            self.pace
                .choose(&mut self.trial, &mut flow, &self.measure, &self.options)?;
        }
        Ok(())
    }

    /// Guards at the start of the step.
    fn see_start<P: Problem>(&mut self, problem: &mut P) -> Result<(), Error<P::Failure>> {
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        let at = Point {
            t: self.trial.t,
            y: self.trial.y.as_ref(),
            dy: self.trial.k[0].as_ref(),
        };
        let start = &mut self.board.start;
        flow.guards(at, &mut start.values, &mut start.rates)?;
        self.board.check(self.trial.t, &self.board.start.values)?;
        self.leeway.measure(&self.board.start.values);
        self.is_start_unseen = false;
        Ok(())
    }

    /// Guards at the end of the step.
    fn see_end<P: Problem>(&mut self, problem: &mut P) -> Result<(), Error<P::Failure>> {
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        let at = Point {
            t: self.trial.t_new,
            y: self.trial.y_new.as_ref(),
            dy: self.trial.k[LAST].as_ref(),
        };
        let end = &mut self.board.end;
        flow.guards(at, &mut end.values, &mut end.rates)?;
        self.board.check(self.trial.t_new, &self.board.end.values)
    }

    /// Whether every guard is too far from zero to reach it in this step. If not, the guards at both
    /// ends are on the board.
    fn is_out_of_reach<P: Problem>(&mut self, problem: &mut P) -> Result<bool, Error<P::Failure>> {
        let (h, options) = (self.trial.h(), &self.options);
        self.leeway.ask(problem, &self.trial);
        if self.leeway.spend(&self.board, h, options) {
            self.is_start_unseen = true;
            return Ok(true);
        }
        if self.is_start_unseen {
            self.see_start(problem)?;
            if self.leeway.spend(&self.board, h, &self.options) {
                self.is_start_unseen = true;
                return Ok(true);
            }
        }
        self.see_end(problem)?;
        Ok(self.leeway.spans(&self.board, h, &self.options))
    }

    /// Fires the guards that moved deeper right from the start.
    fn fire_violated(&mut self) -> bool {
        let board = &mut self.board;
        for (guard, watch) in board.watches.iter_mut().enumerate() {
            if watch.armed && watch.phase == Phase::Violated {
                self.fired.push(Fired {
                    guard,
                    kind: Kind::Violated,
                    value: board.start.values[guard],
                    rate: board.start.rates[guard],
                });
            }
        }
        if self.fired.is_empty() {
            return false;
        }
        self.unplaced = true;
        self.effort.events += 1;
        true
    }

    /// Dense output when somebody wants it, and the search for events in it.
    fn look_inside<P: Problem>(
        &mut self,
        problem: &mut P,
        guarded: bool,
        observed: bool,
    ) -> Result<Verdict, Error<P::Failure>> {
        let search_on = guarded && !self.is_out_of_reach(problem)?;
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        if search_on || observed {
            self.trial.densify(&mut flow, &mut self.dense)?;
        }
        if !search_on {
            return Ok(Verdict::Nothing);
        }
        let mut search = Search {
            flow,
            trial: &self.trial,
            dense: &self.dense,
            polish: &mut self.polish,
            board: &mut self.board,
            options: &self.options,
        };
        search.run()
    }

    /// Accepts a step without event.
    fn commit<P>(&mut self, problem: &mut P, guarded: bool, observer: &mut Observer<'_, P, S>) {
        self.effort.steps_accepted += 1;
        if let Some(observe) = observer {
            observe(problem, &self.dense);
        }
        self.trial.commit();
        if guarded && !self.is_start_unseen {
            self.board.commit();
            self.leeway.measure(&self.board.start.values);
        }
    }

    /// Takes the step again at half its length, unless that was done too often.
    fn shorten<F>(&mut self, guard: usize, again: bool) -> Result<(), Error<F>> {
        self.effort.steps_rejected += 1;
        self.pace.halve(self.trial.h());
        let t = self.trial.t;
        if again && self.pace.step() >= Pace::smallest(t, &self.options) {
            Ok(())
        } else {
            Err(Error::RoughGuard { guard, t })
        }
    }

    /// Accepts the part of the step before the event.
    fn commit_event<P: Problem>(
        &mut self,
        problem: &mut P,
        observer: &mut Observer<'_, P, S>,
    ) -> Result<(), Error<P::Failure>> {
        let t = self.board.earliest();
        let mut search = Search {
            flow: Flow {
                problem,
                effort: &mut self.effort,
            },
            trial: &self.trial,
            dense: &self.dense,
            polish: &mut self.polish,
            board: &mut self.board,
            options: &self.options,
        };
        search.sub_step(t)?;
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        if let Some(observe) = observer
            && t > self.trial.t
        {
            self.polish.densify(&mut flow, &mut self.dense)?;
            observe(problem, &self.dense);
        }
        self.collect(t);
        self.effort.steps_accepted += 1;
        self.effort.events += 1;
        self.trial.t = t;
        std::mem::swap(&mut self.trial.y, &mut self.polish.y_new);
        self.unplaced = true;
        Ok(())
    }

    /// The set of guards that fire together, by index, and what rounding leaves of each.
    fn collect(&mut self, t: f64) {
        let board = &mut self.board;
        let last = t + self.options.window();
        board.found.retain(|found| found.t <= last);
        board.found.sort_unstable_by_key(|found| found.guard);
        for found in &board.found {
            let guard = found.guard;
            let (value, rate) = (board.probe.values[guard], board.probe.rates[guard]);
            let watch = &mut board.watches[guard];
            let spacing = RESIDUAL_ULPS * f64::EPSILON * t.abs();
            let rate_or_zero = if rate.is_nan() { 0.0 } else { rate.abs() };
            watch.residual = value.abs() + spacing * rate_or_zero;
            if found.kind == Kind::Grazing {
                watch.rate_residual = rate_or_zero;
            }
            watch.allowed = 0.0;
            self.fired.push(Fired {
                guard,
                kind: found.kind,
                value,
                rate,
            });
        }
    }
}
