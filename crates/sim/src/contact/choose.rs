//! Which modes contacts take after an event: every consistent answer of the forward problem.

use carom_contact::forward::{Answer, ForwardAnswers, ForwardInputError};
use carom_multibody::State;
use carom_multibody::mechanism::Dimension;

use super::closed::{Held, Trigger};
use super::mode::{ContactMode, Pivot};
use super::pivot::PivotRows;
use super::rows::ContactRows;
use super::standing::{Standing, Touch};
use super::way::{FixedWays, Way, inner};
use crate::flow::board::GuardId;
use crate::journal::end::{NoAnswer, NotOffered};
use crate::pile::piling::Pile;
use crate::scale::Scale;
use crate::world::World;
use crate::{End, Several, SimError, Stuck};

/// What happened in an instant, and why modes are chosen anew.
#[derive(Debug, Default)]
pub(crate) struct Cause {
    /// Guards of closed contacts that vanished.
    pub(crate) triggers: Vec<Trigger>,
    /// Guards of the system's own that fired.
    pub(crate) own: Vec<usize>,
    /// Contacts that have closed.
    pub(crate) landed: Vec<usize>,
    /// Contacts that touch at rest where others came to the ends of their surfaces.
    pub(crate) handed: Vec<usize>,
    /// Contacts that left their surfaces at a sharp end.
    pub(crate) left: Vec<usize>,
    /// Contacts that came off in this instant.
    pub(crate) came_off: Vec<usize>,
    /// Contacts that the law of an impact just brought to rest, with their slips (m/s).
    pub(crate) stopped: Vec<(usize, [f64; 2])>,
    /// An open contact whose gap is noise: it must close.
    pub(crate) flat: Option<usize>,
    /// Impacts that turned out to pile up.
    pub(crate) pile: Option<Pile>,
    /// Whether a contact has passed from one piece of its surface to another.
    pub(crate) has_passed: bool,
    /// Whether the rates jumped: what closed contacts do is read off the rates again.
    pub(crate) has_jumped: bool,
    /// Impacts without collision in this instant.
    pub(crate) jumps: usize,
}

impl Cause {
    /// A jump of the rates that may leave contacts closed.
    pub(crate) fn jump(landed: Vec<usize>) -> Self {
        Self {
            landed,
            has_jumped: true,
            ..Self::default()
        }
    }

    /// An open contact whose gap is noise.
    pub(crate) fn flat(contact: usize) -> Self {
        Self {
            landed: vec![contact],
            flat: Some(contact),
            ..Self::default()
        }
    }

    /// What is left of it once the rates have jumped without collision.
    pub(crate) fn again(&self) -> Self {
        Self {
            flat: self.flat,
            jumps: self.jumps + 1,
            ..Self::jump(Vec::new())
        }
    }

    /// Whether contacts came to the ends of their pieces and stay there, and nothing else happened.
    pub(crate) fn is_nothing(&self) -> bool {
        let mut triggers = self.triggers.iter();
        let is_end = triggers.all(|trigger| matches!(trigger, Trigger::End(_)));
        let moves = self.has_passed || !self.left.is_empty();
        is_end && !moves && !self.has_jumped && self.landed.is_empty()
    }

    /// Whether slips, or pivotings, came to their ends.
    fn stops_slips(&self) -> bool {
        let mut triggers = self.triggers.iter();
        self.stops_a_slip() || triggers.any(|trigger| matches!(trigger, Trigger::Pivot(_)))
    }

    /// Whether slips came to their ends.
    fn stops_a_slip(&self) -> bool {
        let mut triggers = self.triggers.iter();
        triggers.any(|trigger| matches!(trigger, Trigger::Slip(_)))
    }

    /// Whether anything happened.
    pub(crate) fn is_any(&self) -> bool {
        self.has_jumped || !self.triggers.is_empty() || !self.landed.is_empty()
    }
}

/// What the contacts that touch do from now on.
pub(crate) enum Chosen {
    /// They take these modes, or keep those they had.
    Modes(Change),
    /// No acceleration is consistent.
    Nothing(Standing),
    /// The run ends.
    End(End),
}

/// Modes before and after a choice.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// The contacts that were closed.
    pub(crate) old: Vec<(usize, ContactMode)>,
    /// The contacts that are.
    pub(crate) new: Vec<(usize, ContactMode)>,
    /// The fixed ways of those that slide in space.
    pub(crate) ways: FixedWays,
    /// The contacts in space whose slip came to its end and goes on another way.
    pub(crate) turned: Vec<usize>,
    /// Whether anything was taken up: if not, the choice left everything as it was.
    pub(crate) is_taken: bool,
}

impl Change {
    /// The contacts that were closed and are open.
    pub(crate) fn opened(&self) -> Vec<usize> {
        let is_closed = |contact: usize| self.new.iter().any(|(closed, _)| *closed == contact);
        let old = self.old.iter().map(|(contact, _)| *contact);
        old.filter(|contact| !is_closed(*contact)).collect()
    }

    /// The contacts that were open and are closed.
    pub(crate) fn landed(&self) -> Vec<usize> {
        let was_closed = |contact: usize| self.old.iter().any(|(closed, _)| *closed == contact);
        let new = self.new.iter().map(|(contact, _)| *contact);
        new.filter(|contact| !was_closed(*contact)).collect()
    }
}

/// What the forward problem says.
pub(super) enum Choice {
    /// One answer, or one that the policy picks.
    Held(Vec<Held>),
    /// No acceleration is consistent.
    Nothing(Standing),
    /// The run ends.
    End(End),
}

/// In space slips below this part of those whose ways are held fixed end together, and pivotings as slow.
const TOGETHER: f64 = 1e-3;
/// Jumps without collision in one instant before the run ends.
const MOST_JUMPS: usize = 16;
/// A guard of closed contacts that is beyond zero by no more than this part of its size is let be where
/// nothing changes …
const PASSED_BY: f64 = 1e-11;
/// … and asked again so many times deeper.
const DEEPER: f64 = 10.0;

impl World<'_> {
    /// Chooses the modes of all contacts that touch, and goes on in them.
    pub(crate) fn choose(&mut self, cause: &mut Cause) -> Result<Chosen, SimError> {
        self.choices.add(self.motion.time());
        self.pass_ends(cause);
        let touches = self.touches(cause);
        if cause.jumps >= MOST_JUMPS {
            return Ok(Chosen::End(End::NoAnswer {
                contacts: touches.iter().map(|touch| touch.contact).collect(),
                reason: NoAnswer::NoAcceleration,
            }));
        }
        if touches.is_empty() && self.flow.closed.held().is_empty() {
            return Ok(Chosen::Modes(Change::default()));
        }
        let choice = match self.flow.mechanism.dimension() {
            Dimension::Space if touches.iter().any(Touch::is_rough) => {
                self.choice_in_space(touches, cause)?
            }
            _ => self.choice(touches, cause)?,
        };
        Ok(match choice {
            Choice::Held(held) => Chosen::Modes(self.take_modes(held, cause)?),
            Choice::Nothing(standing) => Chosen::Nothing(standing),
            Choice::End(end) => Chosen::End(end),
        })
    }

    /// The contacts that touch and neither approach nor leave, with their slips.
    fn touches(&mut self, cause: &Cause) -> Vec<Touch> {
        let mut now = self.now();
        let held = self.flow.closed.held().to_vec();
        let mut contacts: Vec<usize> = held.iter().map(|held| held.contact).collect();
        let landed = cause.landed.iter().chain(&cause.handed);
        contacts.extend(landed.filter(|contact| !cause.came_off.contains(contact)));
        contacts.sort_unstable();
        contacts.dedup();
        contacts.retain(|contact| !cause.left.contains(contact));
        let mut touches = Vec::new();
        for contact in contacts {
            let known = held.iter().find(|held| held.contact == contact);
            if known.is_none() && !self.keep_piece(&mut now, contact) {
                let shallow = self.scale().shallow(contact, &now.q);
                self.motion.pass_within(contact, shallow); // at a sharp corner, which it leaves
                continue;
            }
            if let Some(slip) = self.slip_of(contact, known, now.state(), cause) {
                let rule = &self.rules[contact];
                let touch = Touch::of(self.flow.mechanism, contact, slip, rule);
                let touch = self.piling.let_pivot(touch);
                let spin = match touch.radius > 0.0 {
                    true => self.spin_of(contact, known, now.state(), cause),
                    false => 0.0,
                };
                touches.push(touch.pivoting(spin));
            }
        }
        touches
    }

    /// The slip of a contact that touches; nothing of one that approaches or leaves.
    fn slip_of(
        &mut self,
        contact: usize,
        known: Option<&Held>,
        state: State<'_>,
        cause: &Cause,
    ) -> Option<[f64; 2]> {
        let stopped = cause
            .stopped
            .iter()
            .find(|(stopped, _)| *stopped == contact);
        match known {
            _ if stopped.is_some() => stopped.map(|(_, slip)| *slip),
            Some(held) if !cause.has_jumped => {
                let rows = ContactRows::of(self.flow.mechanism, state, contact);
                Some(slip_on(held, &rows, state, cause, self.scale()))
            }
            _ => {
                let mechanism = &mut *self.flow.mechanism;
                self.last
                    .slip_at_rest(mechanism, state, contact, !cause.has_jumped)
            }
        }
    }

    /// The rate at which a contact that touches pivots about its normal; of one that has just begun to, its sense is
    /// all that counts.
    fn spin_of(
        &mut self,
        contact: usize,
        known: Option<&Held>,
        state: State<'_>,
        cause: &Cause,
    ) -> f64 {
        let known = known.filter(|_| !cause.has_jumped);
        let is_free = known.is_some_and(|held| held.mode.pivot() == Some(Pivot::Free));
        let Some(held) = known.filter(|_| !is_free) else {
            let flow = &mut self.flow;
            return self.last.spin(flow.mechanism, state, contact, &flow.scale);
        };
        let sense = held.mode.pivot_sense();
        let rate = sense * PivotRows::of(self.flow.mechanism, state, contact).rate(0, state.v);
        let is_ending = held.mode.is_sliding() && held.way != Way::Turning;
        let together = if is_ending { 1.0 } else { TOGETHER };
        let has_stopped = cause.triggers.contains(&Trigger::Pivot(contact));
        let goes_on = has_stopped && !cause.stops_a_slip() && self.ends_with_slip(held, state);
        let stops_too = cause.stops_slips() && rate <= together * self.scale().slow_pivot();
        match rate > 0.0 {
            _ if goes_on => sense * self.scale().least_pivot(),
            _ if has_stopped || stops_too => 0.0,
            true => sense * rate,
            false => sense * self.scale().least_pivot(),
        }
    }

    /// Whether the slip of a contact is next to its end, so that its pivoting, which has come to its own, ends with
    /// it: it goes beyond by less than counts.
    fn ends_with_slip(&mut self, held: &Held, state: State<'_>) -> bool {
        let Way::Fixed(way) = held.way else {
            return false;
        };
        let acceleration = self.flow.acceleration(state.t, self.motion.state());
        let mechanism = &mut *self.flow.mechanism;
        let rows = ContactRows::of(mechanism, state, held.contact);
        let slip = inner(way, rows.slips(0, state.v));
        let rate = inner(way, rows.slip_rates(0, &acceleration));
        let pivot = PivotRows::of(mechanism, state, held.contact);
        let beyond = pivot.acceleration(0, &acceleration).abs() * slip / -rate;
        held.mode.is_sliding() && rate < 0.0 && beyond <= self.scale().slow_pivot()
    }

    pub(crate) fn pose(&mut self, touches: Vec<Touch>) -> Result<Standing, SimError> {
        let now = self.now();
        let posed = Standing::pose(self.flow.mechanism, now.state(), touches, &self.flow.scale);
        posed.map_err(|source| SimError::Singular {
            time: now.t,
            source,
        })
    }

    /// The answer of a forward problem, guards that vanished taken at their word first.
    fn choice(&mut self, touches: Vec<Touch>, cause: &Cause) -> Result<Choice, SimError> {
        if let Some(held) = self.hinted(&touches, cause)? {
            return Ok(Choice::Held(held));
        }
        let standing = self.pose(touches)?;
        let contacts = || standing.touches.iter().map(|touch| touch.contact).collect();
        let found = match self.answers(&standing)? {
            Ok(found) => standing.at_rest(found),
            Err(reason) => {
                let contacts = contacts();
                return Ok(Choice::End(End::NotOffered { contacts, reason }));
            }
        };
        Ok(match (found.count(), &found.answers[..]) {
            (Some(1), [answer]) => Choice::Held(standing.held(answer)),
            (Some(0), _) => Choice::Nothing(standing),
            _ => match standing
                .of_smooth(&found)
                .or_else(|| self.pick(&standing, &found))
            {
                Some(answer) => Choice::Held(standing.held(answer)),
                None => Choice::End(End::SeveralAnswers {
                    contacts: contacts(),
                    answers: standing.told(found.answers),
                    continua: found.continua,
                }),
            },
        })
    }

    /// All answers, or why they are not listed.
    pub(crate) fn answers(
        &self,
        standing: &Standing,
    ) -> Result<Result<ForwardAnswers, NotOffered>, SimError> {
        match standing.answers() {
            Ok(found) => Ok(Ok(found)),
            Err(ForwardInputError::TooManyElements { found }) => {
                Ok(Err(NotOffered::TooManyContacts(found)))
            }
            Err(error) => Err(self.stuck(Stuck::Forward(error))),
        }
    }

    /// The answer of several that the policy picks.
    fn pick<'f>(&self, standing: &Standing, found: &'f ForwardAnswers) -> Option<&'f Answer> {
        let is_kept = |answer: &&Answer| {
            let modes = standing.modes(answer);
            modes
                .iter()
                .all(|(contact, new)| self.mode(*contact) == *new)
        };
        let lifts = |answer: &&Answer| {
            let modes = standing.modes(answer);
            modes.iter().any(|(_, new)| *new == ContactMode::Open)
        };
        match self.options.several {
            Several::Stop => None,
            Several::Keep => found.answers.iter().find(is_kept),
            Several::LiftOff => found.answers.iter().find(lifts),
        }
    }

    /// Goes on in new modes: holds what is closed, arms the guards.
    fn take_modes(&mut self, mut held: Vec<Held>, cause: &Cause) -> Result<Change, SimError> {
        self.piling.name_free(&mut held, self.rules);
        let old = self.flow.closed.modes();
        let is_same = held == self.flow.closed.held();
        if !self.flow.is_in_contact && held.is_empty() {
            return Ok(Change::default());
        }
        self.extend()?;
        let new: Vec<_> = held.iter().map(|held| (held.contact, held.mode)).collect();
        if is_same && !cause.has_jumped && !cause.has_passed {
            self.pass_triggers(cause);
            return Ok(Change::default());
        }
        let now = self.now();
        let turned = self.turned(&held, cause);
        let done = self.flow.hold(now.state(), held);
        done.map_err(|source| SimError::Singular {
            time: now.t,
            source,
        })?;
        self.flow.closed.starts_together = cause.triggers.contains(&Trigger::Margin);
        let (mut q, mut v) = (now.q, now.v);
        self.flow.settle_state(now.t, &mut q, &mut v);
        self.put(&q, &v);
        self.arm_modes();
        Ok(Change {
            old,
            new,
            ways: self.flow.closed.fixed_ways(),
            turned,
            is_taken: true,
        })
    }

    /// The contacts in space whose slip came to its end along the way it had, and goes on along another.
    fn turned(&self, held: &[Held], cause: &Cause) -> Vec<usize> {
        let closed = self.flow.closed.held().iter();
        let ended = closed.filter(|old| {
            let is_fixed = old.mode.is_sliding_in_space() && old.way != Way::Turning;
            let goes_on = |new: &Held| {
                let is_it = new.contact == old.contact && new.mode.is_sliding_in_space();
                is_it && new.way != Way::Turning
            };
            let trigger = Trigger::Slip(old.contact);
            is_fixed && cause.triggers.contains(&trigger) && held.iter().any(goes_on)
        });
        ended.map(|held| held.contact).collect()
    }

    /// Guards whose contact stays as it is are let be, until they go clearly deeper: forces at their limits
    /// that nothing answers are asked again.
    fn pass_triggers(&mut self, cause: &Cause) {
        let board = self.flow.board();
        let fired = self.motion.fired().to_vec();
        for trigger in self.flow.closed.watched() {
            if cause.triggers.contains(&trigger) {
                let guard = board.index(GuardId::Mode(trigger));
                let found = fired.iter().find(|fired| fired.guard == guard);
                let depth = found.map_or(0.0, |fired| DEEPER * fired.value.abs());
                let least = match trigger {
                    Trigger::Pivot(_) => self.scale().slow_pivot(),
                    _ => PASSED_BY * self.scale().trigger(trigger),
                };
                self.motion.pass_within(guard, depth.max(least));
            }
        }
    }

    /// Contacts that touched without approaching and open all the same come off: their gaps are asked again
    /// where they are clearly deeper.
    pub(crate) fn let_go(&mut self, landed: &[usize]) {
        let now = self.now();
        let gaps = self.flow.gaps(now.state()).to_vec();
        for contact in landed {
            if !self.is_open(*contact) {
                continue;
            }
            let depth = DEEPER * gaps[*contact].gap.abs();
            let least = self.flow.scale.shallow(*contact, &now.q);
            self.motion.pass_within(*contact, depth.max(least));
        }
    }
}

/// The slip of a contact that was closed up to now; of one that has just begun to slide, or is about to end, its
/// way is all that counts.
fn slip_on(
    held: &Held,
    rows: &ContactRows,
    state: State<'_>,
    cause: &Cause,
    scale: &Scale,
) -> [f64; 2] {
    let slips = rows.slips(0, state.v);
    let Way::Fixed(way) = held.way else {
        return slips;
    };
    let slip = inner(way, slips);
    let has_stopped = cause.triggers.contains(&Trigger::Slip(held.contact));
    let stops_too = cause.stops_slips() && held.tangents == 2 && slip <= TOGETHER * scale.slow();
    if has_stopped || stops_too || !held.mode.is_sliding() {
        return [0.0; 2];
    }
    match slip > 0.0 {
        true => way.map(|part| part * slip),
        false => way.map(|part| part * scale.least_speed()),
    }
}
