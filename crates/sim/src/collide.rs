//! The impacts of an instant: solved, applied, booked.

use carom_contact::impact::Outcome;
use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;

use crate::collision::{common_law, is_smooth};
use crate::end::NoAnswer;
use crate::event::{Event, Happening};
use crate::impact::Strike;
use crate::mode::ContactMode;
use crate::piling::strokes;
use crate::run::Course;
use crate::{End, Several, SimError};

impl<M: Mechanism> Course<'_, M> {
    /// The impacts of an instant, one for each group of contacts that feel each other; what ends the
    /// run with them, if anything.
    pub(crate) fn collide(
        &mut self,
        closing: &[usize],
        touching: &[usize],
    ) -> Result<Option<End>, SimError> {
        if self.flow.mechanism.rates() == 0 {
            return Ok(Some(End::Jammed {
                contacts: closing.to_vec(),
                is_prescribed: true,
            }));
        }
        if closing.len() + touching.len() == 1 {
            return self.collide_group(closing, touching);
        }
        let t = self.motion.time();
        let (q, v, _) = self.flow.split(self.motion.state());
        let state = State { t, q, v };
        let contacts = [closing, touching].concat();
        let groups = self.collider.coupled(self.flow.mechanism, state, &contacts);
        let mut end = None;
        for group in groups {
            let is_closing = |contact: &usize| closing.contains(contact);
            let (closing, touching): (Vec<_>, Vec<_>) = group.into_iter().partition(is_closing);
            if !closing.is_empty() && end.is_none() {
                end = self.collide_group(&closing, &touching)?;
            }
        }
        Ok(end)
    }

    /// The impact of contacts that feel each other: solve, apply, book.
    fn collide_group(
        &mut self,
        closing: &[usize],
        touching: &[usize],
    ) -> Result<Option<End>, SimError> {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        if let [contact] = *closing {
            let rule = &self.rules[contact];
            let strike = self
                .collider
                .strike(self.flow.mechanism, state, contact, rule)?;
            let event = match strike {
                Strike::Event(event) => *event,
                Strike::Spatial(evidence) => {
                    let reason = NoAnswer::SpatialFriction(evidence);
                    return Ok(Some(End::no_answer(contact, reason)));
                }
            };
            let impact = event.impact();
            let outcome = impact.map_or(Outcome::Solved, |impact| impact.solution.outcome);
            if outcome != Outcome::Solved {
                return Ok(self.end_with(event, outcome, vec![contact]));
            }
            if !self.drives_together(&event, touching) {
                return Ok(self.apply(event));
            }
        }
        let mut contacts = [closing, touching].concat();
        contacts.sort_unstable();
        self.collide_together(state, contacts)
    }

    /// An impact of several contacts.
    fn collide_together(
        &mut self,
        state: State<'_>,
        contacts: Vec<usize>,
    ) -> Result<Option<End>, SimError> {
        let method = self.options.simultaneous;
        let mechanism = &mut *self.flow.mechanism;
        let law = match common_law(mechanism, &contacts, self.rules, method) {
            Ok(law) => law,
            Err(reason) => return Ok(Some(End::NoAnswer { contacts, reason })),
        };
        let rules = (self.rules, law);
        let collider = &mut self.collider;
        let event = match is_smooth(&contacts, self.rules, method) {
            true => collider.strike_together(mechanism, state, &contacts, rules)?,
            false => collider.strike_posed(mechanism, state, &contacts, (rules, self.options))?,
        };
        let Happening::Collision(collision) = &event.what else {
            return Ok(None);
        };
        let is_kept = self.options.several == Several::Keep;
        Ok(match collision.outcome {
            Outcome::Solved => self.apply(event),
            Outcome::Undetermined if is_kept => self.apply(event),
            outcome => self.end_with(event, outcome, contacts),
        })
    }

    /// An impact that is not solved ends the run; it is the last event where there was one.
    fn end_with(
        &mut self,
        mut event: Event,
        outcome: Outcome,
        contacts: Vec<usize>,
    ) -> Option<End> {
        let reason = NoAnswer::Infeasible;
        let end = match outcome {
            // Closed, and its approach is round-off: nothing to strike, and nothing opens it.
            Outcome::NoImpact if self.options.sustained => {
                self.note_rest(&contacts);
                return None;
            }
            Outcome::NoImpact => return Some(End::ContactPersists { contacts }),
            Outcome::Jammed => End::Jammed {
                is_prescribed: match event.impact() {
                    Some(impact) => impact.problem.w().nn() == 0.0,
                    None => self.is_driven(&contacts),
                },
                contacts,
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
            Outcome::Solved => return None,
        };
        self.events.push(event);
        Some(end)
    }

    /// Notes contacts that rest, and the slips they rest with.
    fn note_rest(&mut self, contacts: &[usize]) {
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        for contact in contacts {
            let mechanism = &mut *self.flow.mechanism;
            let slip = self.last.slip_at_rest(mechanism, state, (*contact, true));
            self.stopped.extend(slip.map(|slip| (*contact, slip)));
        }
    }

    /// Puts the rates after an impact into the motion and looks for piles, which end a run that does
    /// not go on in contact.
    pub(crate) fn apply(&mut self, event: Event) -> Option<End> {
        let strokes = strokes(&event);
        let size = event.q.iter().fold(0.0f64, |size, q| size.max(q.abs()));
        self.last = self.collider.speed_at(event.time);
        self.note_stopped(&event);
        self.flow
            .put(self.motion.state_mut(), &event.q_post, &event.v_post);
        self.book(event);
        let mut found = None;
        let mut grown = None;
        // A contact that rests and is pushed in the impact of another does not strike.
        let rests = |contact: usize| match &self.flow.sustained {
            Some(sustained) => sustained.mode(contact) != ContactMode::Open,
            None => false,
        };
        let strokes = strokes.into_iter().filter(|stroke| !rests(stroke.contact));
        for stroke in strokes.collect::<Vec<_>>() {
            let until = self.options.duration;
            let shared = self.turns.note(stroke, size, until);
            let own = self.pilings[stroke.contact].note_cycle(stroke, size, until);
            found = found.or(shared).or(own);
            let growth = self.turns.growth();
            grown = grown.or(growth.map(|growth| (stroke.contact, growth)));
        }
        if let Some((contact, growth)) = grown {
            return Some(End::no_answer(contact, NoAnswer::ReverseChatter(growth)));
        }
        match self.options.sustained {
            false => found.map(End::of),
            true => {
                self.pile = found.or(self.pile.take());
                None
            }
        }
    }

    /// Notes a contact that its impact brought to rest: what its velocity has left is round-off, and the
    /// law knows its slip.
    fn note_stopped(&mut self, event: &Event) {
        let Some(impact) = event.impact().filter(|_| self.options.sustained) else {
            return;
        };
        let end = impact.solution.end.filter(|end| end.v_post.n == 0.0);
        self.stopped
            .extend(end.map(|end| (impact.contact, end.v_post.t)));
    }

    /// Whether an impact makes contacts that touch approach, so that they take part in it.
    fn drives_together(&mut self, event: &Event, touching: &[usize]) -> bool {
        if touching.is_empty() {
            return false;
        }
        let state = State {
            t: event.time,
            q: &event.q,
            v: &event.v_post,
        };
        let gaps = self.flow.gaps(state).to_vec();
        let mechanism = &mut *self.flow.mechanism;
        let last = self.collider.speed_at(event.time);
        let mut touching = touching.iter();
        touching.any(|contact| last.approaches(mechanism, state, *contact, gaps[*contact].v_n))
    }
}
