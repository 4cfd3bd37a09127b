//! The impacts of an instant: solved, applied, booked.

mod coupling;
pub(crate) mod law;
pub(crate) mod order;
pub(crate) mod problem;
pub(crate) mod reactions;
mod single;
mod together;

use carom_contact::impact::{Method, Outcome};
use carom_multibody::State;

pub(crate) use single::Collider;

use crate::contact::Cause;
use crate::journal::end::{NoAnswer, NotOffered};
use crate::journal::event::{Event, Happening, Impact};
use crate::machine::{Closing, Machine, Next};
use crate::pile::piling::{Growth, strokes};
use crate::world::{Now, World};
use crate::{End, Several, SimError};
use law::{Rules, common_law};
use single::Strike;

/// Spacings of the terms of a slip within which it is zero after an impact.
const SLIP_ULPS: f64 = 16.0;

/// What became of the impact of contacts that feel each other.
enum Struck {
    /// It happened.
    Event(Event),
    /// It has no end, or none that is unique: the run ends with it, or with why it could not be posed.
    Unsolved(Option<Event>, End),
    /// Contacts that touch with an approach that is round-off: nothing strikes, and nothing opens them.
    Rest(Vec<usize>),
}

impl Machine<'_> {
    /// The impacts of an instant, one for each group of contacts that feel each other.
    pub(crate) fn collide(
        &mut self,
        contacts: &Closing,
        mut cause: Cause,
    ) -> Result<Next, SimError> {
        cause.has_jumped = true;
        cause.landed = [&contacts.closing[..], &contacts.touching].concat();
        if self.world.flow.mechanism.rates() == 0 {
            return Ok(Next::End(End::Jammed {
                contacts: contacts.closing.clone(),
                is_prescribed: true,
            }));
        }
        for group in self.world.groups(contacts) {
            let end = match self.world.strike(&group)? {
                Struck::Event(event) => self.apply(event, &mut cause),
                Struck::Unsolved(event, end) => {
                    event
                        .into_iter()
                        .for_each(|event| self.journal.enter(event));
                    Some(end)
                }
                Struck::Rest(contacts) => {
                    cause
                        .stopped
                        .extend(self.world.slips_at_rest(&contacts, true));
                    None
                }
            };
            if let Some(end) = end {
                return Ok(Next::End(end));
            }
        }
        Ok(Next::Reset(cause))
    }

    /// Puts the rates after an impact into the motion and looks for piles, which end a run that does
    /// not go on in contact.
    fn apply(&mut self, event: Event, cause: &mut Cause) -> Option<End> {
        let strokes = strokes(&event);
        let reach = self.world.reach(&event.q);
        self.world.apply(&event);
        cause.stopped.extend(self.world.stopped(&event));
        self.book(event);
        let mut found = None;
        let mut grown: Option<(usize, Growth)> = None;
        // A contact that rests and is pushed in the impact of another does not strike.
        for stroke in strokes {
            if !self.world.is_open(stroke.contact) {
                continue;
            }
            let shared = self.journal.turns.note(stroke, &reach);
            let own = self.journal.pilings[stroke.contact].note_cycle(stroke, &reach);
            found = found.or(shared).or(own);
            let growth = self.journal.turns.growth();
            grown = grown.or(growth.map(|growth| (stroke.contact, growth)));
        }
        if let Some((contact, growth)) = grown {
            return Some(End::no_answer(contact, NoAnswer::ReverseChatter(growth)));
        }
        if !self.world.options.sustained {
            return found.map(End::of);
        }
        cause.pile = found.or(cause.pile.take());
        None
    }
}

impl World<'_> {
    /// The contacts of an instant, in groups that feel each other; those in which nothing closes are left out.
    fn groups(&mut self, contacts: &Closing) -> Vec<Closing> {
        let Closing { closing, touching } = contacts;
        let all = [&closing[..], touching].concat();
        let now = self.now();
        let groups = match all.len() {
            1 => vec![all],
            _ => self
                .collider
                .coupled(self.flow.mechanism, now.state(), &all),
        };
        let split = groups.into_iter().map(|group| {
            let is_closing = |contact: &usize| closing.contains(contact);
            let (closing, touching) = group.into_iter().partition(is_closing);
            Closing { closing, touching }
        });
        split.filter(|group| !group.closing.is_empty()).collect()
    }

    /// The impact of contacts that feel each other. One that closes alone is solved alone, unless that drives
    /// others together.
    fn strike(&mut self, group: &Closing) -> Result<Struck, SimError> {
        let mut now = self.now();
        for contact in group.closing.iter().chain(&group.touching) {
            let mechanism = &mut *self.flow.mechanism;
            if mechanism.has_tangent(*contact) && self.rules[*contact].friction.mu_s() > 0.0 {
                self.collider.still(mechanism, *contact, &mut now);
            }
        }
        if let [contact] = group.closing[..] {
            let rule = &self.rules[contact];
            let mechanism = &mut *self.flow.mechanism;
            let event = match self
                .collider
                .strike(mechanism, now.state(), contact, rule)?
            {
                Strike::Event(event) => *event,
                Strike::Spatial => {
                    let rules = Rules {
                        of_contacts: self.rules,
                        law: rule.law,
                        method: self.options.simultaneous,
                        order: &self.options.order,
                    };
                    self.collider
                        .strike_together(mechanism, now.state(), &[contact], rules)?
                }
            };
            let outcome = match &event.what {
                Happening::Impact(impact) => impact.solution.outcome,
                Happening::Collision(alone) => alone.outcome,
                _ => Outcome::Solved,
            };
            if outcome != Outcome::Solved {
                return Ok(self.unsolved(event, outcome, vec![contact]));
            }
            if !self.drives_together(&event, &group.touching) || self.strikes_first(group) {
                return Ok(Struck::Event(event));
            }
        }
        self.strike_together(now.state(), group)
    }

    /// Whether a contact that closes goes first, before others that are as good as closed: their law has no form
    /// for an impact of several, and they are not closed yet.
    fn strikes_first(&self, group: &Closing) -> bool {
        let contacts = [&group.closing[..], &group.touching].concat();
        let method = self.options.simultaneous;
        let law = common_law(self.flow.mechanism, &contacts, self.rules, method);
        let is_refused = matches!(law, Err(NotOffered::Law(..) | NotOffered::Tangential(_)));
        is_refused && group.touching.iter().all(|contact| self.is_open(*contact))
    }

    /// An impact of several contacts.
    fn strike_together(&mut self, state: State<'_>, group: &Closing) -> Result<Struck, SimError> {
        let mut contacts = [&group.closing[..], &group.touching].concat();
        contacts.sort_unstable();
        let method = self.options.simultaneous;
        let mechanism = &mut *self.flow.mechanism;
        let law = match common_law(mechanism, &contacts, self.rules, method) {
            Ok(law) => law,
            Err(reason) => {
                return Ok(Struck::Unsolved(None, End::NotOffered { contacts, reason }));
            }
        };
        let rules = Rules {
            of_contacts: self.rules,
            law,
            method,
            order: &self.options.order,
        };
        let collider = &mut self.collider;
        let event = collider.strike_together(mechanism, state, &contacts, rules)?;
        let (outcome, is_idle) = match &event.what {
            Happening::Collision(all) => (all.outcome, all.impulses.iter().all(|p| *p == 0.0)),
            _ => (Outcome::Solved, false),
        };
        if is_idle && outcome == Outcome::Solved {
            // What approached did so by round-off, and nothing pushes.
            return Ok(Struck::Rest(group.closing.clone()));
        }
        let is_kept = self.options.several == Several::Keep;
        Ok(match outcome {
            Outcome::Solved => Struck::Event(event),
            Outcome::Undetermined if is_kept => Struck::Event(event),
            outcome => self.unsolved(event, outcome, contacts),
        })
    }

    /// An impact that is not solved ends the run; it is the last event where there was one.
    fn unsolved(&mut self, mut event: Event, outcome: Outcome, contacts: Vec<usize>) -> Struck {
        let reason = NoAnswer::Infeasible;
        let is_path = contacts.len() > 1 && self.options.simultaneous == Method::Path;
        let end = match outcome {
            Outcome::NoImpact if self.options.sustained => return Struck::Rest(contacts),
            Outcome::NoImpact => {
                return Struck::Unsolved(None, End::ContactPersists { contacts });
            }
            Outcome::Solved => return Struck::Event(event),
            Outcome::Jammed => End::Jammed {
                is_prescribed: match event.impact() {
                    Some(impact) => impact.problem.w().nn() == 0.0,
                    None => self.is_driven(&contacts),
                },
                contacts,
            },
            // A path is followed up to a bound: that it never ends is not proved.
            Outcome::Infeasible if is_path => End::NotOffered {
                contacts,
                reason: NotOffered::PathUnended,
            },
            Outcome::Infeasible => End::NoAnswer { contacts, reason },
            Outcome::Undetermined => {
                event.untake();
                End::SeveralAnswers {
                    contacts,
                    answers: Vec::new(),
                    continua: Vec::new(),
                }
            }
        };
        Struck::Unsolved(Some(event), end)
    }

    /// The impact of a contact that touches at rest, as an event in which nothing changes.
    pub(crate) fn touch_down(&mut self, contact: usize, now: &Now) -> Option<Event> {
        let rule = &self.rules[contact];
        let mechanism = &mut *self.flow.mechanism;
        let struck = self.collider.strike(mechanism, now.state(), contact, rule);
        let Ok(Strike::Event(event)) = struck else {
            return None;
        };
        Some(Event {
            v_post: now.v.clone(),
            energy_change: Some(0.0),
            motion_work: 0.0,
            joint_impulses: Vec::new(),
            modes_after: self.flow.closed.modes(),
            ways_after: self.flow.closed.fixed_ways(),
            ..*event
        })
    }

    /// Of contacts those that rest, all where that is known, and the slips they rest with.
    fn slips_at_rest(&mut self, contacts: &[usize], all_rest: bool) -> Vec<(usize, [f64; 2])> {
        let (now, last) = (self.now(), self.last);
        let mechanism = &mut *self.flow.mechanism;
        let slips = contacts.iter().filter_map(|contact| {
            let slip = last.slip_at_rest(mechanism, now.state(), *contact, all_rest);
            slip.map(|slip| (*contact, slip))
        });
        slips.collect()
    }

    /// Puts the rates after an impact into the motion.
    fn apply(&mut self, event: &Event) {
        self.last = self.collider.speed_at(event.time);
        self.put(&event.q_post, &event.v_post);
        self.flow.scale.saw(&event.v_post);
    }

    /// Contacts that their impact brought to rest, with their slips: what their velocities have left is
    /// round-off.
    fn stopped(&mut self, event: &Event) -> Vec<(usize, [f64; 2])> {
        if !self.options.sustained {
            return Vec::new();
        }
        match &event.what {
            Happening::Impact(impact) => stopped(impact).into_iter().collect(),
            Happening::Collision(all) => self.slips_at_rest(&all.contacts, false),
            _ => Vec::new(),
        }
    }

    /// Whether an impact makes contacts that touch approach, so that they take part in it.
    fn drives_together(&mut self, event: &Event, touching: &[usize]) -> bool {
        if touching.is_empty() {
            return false;
        }
        let pieces = self.flow.pieces.all().to_vec();
        let state = State::new(event.time, &event.q, &event.v_post).on(&pieces);
        let gaps = self.flow.gaps(state).to_vec();
        let mechanism = &mut *self.flow.mechanism;
        let last = self.collider.speed_at(event.time);
        let mut touching = touching.iter();
        touching.any(|contact| last.approaches(mechanism, state, *contact, gaps[*contact].v_n))
    }
}

/// A contact that its impact brought to rest, and its slip, as the law knows it.
fn stopped(impact: &Impact) -> Option<(usize, [f64; 2])> {
    let end = impact.solution.end.filter(|end| end.v_post.n == 0.0)?;
    let (v, w) = (impact.problem.v_pre(), impact.problem.w());
    // The normal itself is known to round-off only: the approach counts as the slip does.
    let terms = [v.n, v.t, w.nt() * end.impulse.n, w.tt() * end.impulse.t];
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    let is_still = end.v_post.t.abs() <= SLIP_ULPS * f64::EPSILON * size;
    let slip = if is_still { 0.0 } else { end.v_post.t };
    let way = impact.direction.unwrap_or([1.0, 0.0]);
    Some((impact.contact, way.map(|part| part * slip)))
}
