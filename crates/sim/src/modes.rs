//! Which modes contacts take after an event: every consistent answer of the forward problem.

use carom_contact::forward::{Answer, ForwardAnswers, ForwardInputError};
use carom_multibody::State;
use carom_multibody::mechanism::{Dimension, Mechanism, MotionFault};
use carom_numeric::dot;

use crate::batch::shallow;
use crate::end::NoAnswer;
use crate::mode::ContactMode;
use crate::rows::ContactRows;
use crate::run::Course;
use crate::standing::{Standing, Touch};
use crate::sustained::{Held, PER_CONTACT, Trigger};
use crate::{End, Several, SimError};

/// Why modes are chosen anew.
#[derive(Debug, Default)]
pub(crate) struct Cause {
    /// Guards of closed contacts that vanished.
    pub(crate) triggers: Vec<(usize, Trigger)>,
    /// Contacts that have closed.
    pub(crate) landed: Vec<usize>,
    /// Contacts that left their surfaces at a sharp end.
    pub(crate) left: Vec<usize>,
    /// Whether a contact has passed from one piece of its surface to another.
    pub(crate) has_passed: bool,
    /// Whether the rates jumped: what closed contacts do is read off the rates again.
    pub(crate) has_jumped: bool,
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

    /// Whether contacts came to the ends of their pieces and stay there, and nothing else happened.
    pub(crate) fn is_nothing(&self) -> bool {
        let mut triggers = self.triggers.iter();
        let is_end = triggers.all(|(_, trigger)| *trigger == Trigger::End);
        let moves = self.has_passed || !self.left.is_empty();
        is_end && !moves && !self.has_jumped && self.landed.is_empty()
    }

    /// Whether anything happened.
    pub(crate) fn is_any(&self) -> bool {
        self.has_jumped || !self.triggers.is_empty() || !self.landed.is_empty()
    }
}

/// What the forward problem says.
enum Choice {
    /// One answer, or one that the policy picks.
    Held(Vec<Held>),
    /// No acceleration is consistent.
    Nothing(Standing),
    /// The run ends.
    End(End),
}

/// Jumps without collision in one instant before the run ends.
const MOST_JUMPS: usize = 16;
/// A rate below this is zero: its square has no digits (SI).
const LEAST_RATE: f64 = 1e-90;
/// A guard of closed contacts that is beyond zero by no more than this is let be where nothing changes …
const SHALLOW: f64 = 1e-11;
/// … and asked again so many times deeper.
const DEEPER: f64 = 10.0;
/// Slip of a contact that has just begun to slide (m/s): its sign is what counts.
const LEAST_SLIP: f64 = 1e-60;

impl<M: Mechanism> Course<'_, M> {
    /// Chooses the modes of all contacts that touch, and records what changes; what ends the run.
    pub(crate) fn choose_modes(&mut self, cause: Cause) -> Result<Option<End>, SimError> {
        let landed = cause.landed.clone();
        let end = self.choose(cause);
        self.stopped.clear();
        self.free_open();
        self.tell_open(&landed);
        end
    }

    /// Contacts of the last impact that did not stay closed are open after it, slow as they may be.
    fn tell_open(&mut self, landed: &[usize]) {
        let time = self.motion.time();
        let Some(last) = self.events.last_mut().filter(|last| last.time == time) else {
            return;
        };
        for contact in landed {
            if last.modes_after.iter().all(|(known, _)| known != contact) {
                last.modes_after.push((*contact, ContactMode::Open));
            }
        }
        last.modes_after
            .sort_unstable_by_key(|(contact, _)| *contact);
    }

    /// Lets the contacts that are open be on any piece of their surfaces.
    fn free_open(&mut self) {
        for contact in 0..self.rules.len() {
            let sustained = self.flow.sustained.as_ref();
            if sustained.is_none_or(|s| s.mode(contact) == ContactMode::Open) {
                self.flow.mechanism.free_piece(contact);
            }
        }
    }

    fn choose(&mut self, mut cause: Cause) -> Result<Option<End>, SimError> {
        self.pass_ends(&mut cause);
        for _ in 0..MOST_JUMPS {
            let touches = self.touches(&cause);
            let is_free = self
                .flow
                .sustained
                .as_ref()
                .is_none_or(|s| s.held().is_empty());
            if touches.is_empty() && is_free {
                return Ok(None);
            }
            if let Some(end) = self.refuse_spatial(&touches) {
                return Ok(Some(end));
            }
            match self.choice(touches, &cause)? {
                Choice::Held(held) => return self.take_modes(held, &cause).map(|()| None),
                Choice::End(end) => return Ok(Some(end)),
                Choice::Nothing(standing) => {
                    if let Some(end) = self.jump_without_collision(&standing)? {
                        return Ok(Some(end));
                    }
                    let touched = standing.touches.iter();
                    cause = Cause::jump(touched.map(|touch| touch.contact).collect());
                }
            }
        }
        let contacts = cause.landed;
        let reason = NoAnswer::NoAcceleration;
        Ok(Some(End::NoAnswer { contacts, reason }))
    }

    /// Time, positions and rates.
    pub(crate) fn now(&self) -> (f64, Vec<f64>, Vec<f64>) {
        let (q, v, _) = self.flow.split(self.motion.state());
        let clean = |v: &f64| if v.abs() < LEAST_RATE { 0.0 } else { *v };
        let rates = v.iter().map(clean).collect();
        (self.motion.time(), q.to_vec(), rates)
    }

    /// Contacts with friction in space that would stay closed.
    fn refuse_spatial(&self, touches: &[Touch]) -> Option<End> {
        let rough = touches.iter().filter(|touch| touch.friction.mu_s > 0.0);
        let contacts: Vec<usize> = rough.map(|touch| touch.contact).collect();
        let is_refused = self.flow.mechanism.dimension() == Dimension::Space;
        (is_refused && !contacts.is_empty()).then_some(End::ContactPersists { contacts })
    }

    /// The contacts that touch and neither approach nor leave, with their slips.
    fn touches(&mut self, cause: &Cause) -> Vec<Touch> {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let held = self.flow.sustained.as_ref().map_or(&[][..], |s| s.held());
        let held = held.to_vec();
        let mut contacts: Vec<usize> = held.iter().map(|held| held.contact).collect();
        contacts.extend_from_slice(&cause.landed);
        contacts.sort_unstable();
        contacts.dedup();
        contacts.retain(|contact| !cause.left.contains(contact));
        let mut touches = Vec::new();
        for contact in contacts {
            let known = held.iter().find(|held| held.contact == contact);
            if known.is_none()
                && !self
                    .flow
                    .mechanism
                    .keep_piece(state, contact, crate::ends::SOON)
            {
                self.motion.pass_within(contact, shallow(state)); // at a sharp corner, which it leaves
                continue;
            }
            let stopped = self.stopped.iter().find(|(stopped, _)| *stopped == contact);
            let slip = match known {
                _ if stopped.is_some() => stopped.map(|(_, slip)| *slip),
                Some(held) if !cause.has_jumped => {
                    let rows = ContactRows::of(self.flow.mechanism, state, contact);
                    Some(slip_of(held, &rows, state, cause))
                }
                _ => {
                    let asked = (contact, !cause.has_jumped);
                    self.last.slip_at_rest(self.flow.mechanism, state, asked)
                }
            };
            let rule = &self.rules[contact];
            let touch = |slip| Touch::of(self.flow.mechanism, contact, slip, rule);
            touches.extend(slip.map(touch));
        }
        touches
    }

    pub(crate) fn pose(&mut self, touches: Vec<Touch>) -> Result<Standing, SimError> {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        let posed = Standing::pose(self.flow.mechanism, state, touches);
        posed.map_err(|source| SimError::Singular { time: t, source })
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
                return Ok(Choice::End(End::NoAnswer { contacts, reason }));
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
    ) -> Result<Result<ForwardAnswers, NoAnswer>, SimError> {
        match standing.answers() {
            Ok(found) => Ok(Ok(found)),
            Err(ForwardInputError::TooManyElements { found }) => {
                Ok(Err(NoAnswer::TooManyContacts(found)))
            }
            Err(error) => Err(SimError::Integration {
                time: self.motion.time(),
                message: error.to_string(),
            }),
        }
    }

    /// The answer of several that the policy picks.
    fn pick<'f>(&self, standing: &Standing, found: &'f ForwardAnswers) -> Option<&'f Answer> {
        let mode = |contact: usize| match &self.flow.sustained {
            Some(sustained) => sustained.mode(contact),
            None => ContactMode::Open,
        };
        let is_kept = |answer: &&Answer| {
            let modes = standing.modes(answer);
            modes.iter().all(|(contact, new)| mode(*contact) == *new)
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

    /// Goes on in new modes: holds what is closed, arms the guards, records what changed.
    fn take_modes(&mut self, held: Vec<Held>, cause: &Cause) -> Result<(), SimError> {
        let old: Vec<(usize, ContactMode)> = match &self.flow.sustained {
            Some(sustained) => sustained.modes(),
            None if held.is_empty() => return Ok(()),
            None => Vec::new(),
        };
        self.extend()?;
        let is_same = held.len() == old.len()
            && held
                .iter()
                .zip(&old)
                .all(|(new, old)| (new.contact, new.mode) == *old);
        if is_same && !cause.has_jumped && !cause.has_passed {
            self.pass_triggers(cause);
            return Ok(());
        }
        let (t, mut q, mut v) = self.now();
        let state = State { t, q: &q, v: &v };
        if let Some(sustained) = &mut self.flow.sustained {
            let done = sustained.hold(&mut *self.flow.mechanism, state, held);
            done.map_err(|source: MotionFault| SimError::Singular { time: t, source })?;
        }
        self.flow.settle_state(t, &mut q, &mut v);
        self.flow.put(self.motion.state_mut(), &q, &v);
        self.arm_modes();
        self.record_modes(&old, cause);
        Ok(())
    }

    /// Guards whose contact stays as it is are let be, until they go clearly deeper: forces at their limits
    /// that nothing answers are asked again.
    fn pass_triggers(&mut self, cause: &Cause) {
        let first = self.rules.len() + self.resets.len();
        let contacts = self.rules.len();
        let watched = match &self.flow.sustained {
            Some(sustained) => sustained.watched(contacts),
            None => Vec::new(),
        };
        let fired = self.motion.fired().to_vec();
        for (guard, contact, trigger) in watched {
            if cause.triggers.contains(&(contact, trigger)) {
                let found = fired.iter().find(|fired| fired.guard == first + guard);
                let depth = found.map_or(0.0, |fired| DEEPER * fired.value.abs());
                self.motion.pass_within(first + guard, depth.max(SHALLOW));
            }
        }
    }

    /// Arms the gaps of open contacts and the guards of the modes of closed ones.
    fn arm_modes(&mut self) {
        let contacts = self.rules.len();
        let first = contacts + self.resets.len();
        for guard in first..=first + PER_CONTACT * contacts {
            self.motion.arm(guard, false);
        }
        let Some(sustained) = &self.flow.sustained else {
            return;
        };
        for contact in 0..contacts {
            let is_open = sustained.mode(contact) == ContactMode::Open;
            self.motion.arm(contact, is_open);
        }
        for (guard, _, _) in sustained.watched(contacts) {
            self.motion.arm(first + guard, true);
        }
    }
}

/// The slip of a contact that was closed up to now.
fn slip_of(held: &Held, rows: &ContactRows, state: State<'_>, cause: &Cause) -> f64 {
    let has_stopped = cause.triggers.contains(&(held.contact, Trigger::Slip));
    if has_stopped || !held.mode.is_sliding() {
        return 0.0;
    }
    let tangent = rows.tangents(0).next();
    let v_t = tangent.map_or(0.0, |row| dot(row, state.v));
    let along = held.mode.sense() * (v_t + rows.drift(0).velocity.t[0]);
    held.mode.sense() * along.max(LEAST_SLIP)
}
