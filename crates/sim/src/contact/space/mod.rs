//! Which modes contacts with friction take in space: what the accelerations that friction allows say.

mod hint;
mod standing;

use super::choose::{Cause, Choice};
use super::mode::ContactMode;
use super::standing::Touch;
use crate::journal::end::{NoAnswer, NotOffered};
use crate::world::World;
use crate::{End, Several, SimError};
use standing::{Found, SpaceAnswer, SpaceStanding};

impl World<'_> {
    /// The answer of a forward problem in space, guards that vanished taken at their word first.
    pub(super) fn choice_in_space(
        &mut self,
        touches: Vec<Touch>,
        cause: &Cause,
    ) -> Result<Choice, SimError> {
        if !self.choices.is_restless()
            && let Some(held) = self.hinted_in_space(&touches, cause)?
        {
            return Ok(Choice::Held(held));
        }
        let standing = self.pose_in_space(touches)?;
        let found = self.answers_in_space(&standing)?;
        let contacts = || standing.contacts();
        Ok(match &found.answers[..] {
            [answer] => Choice::Held(standing.held(answer)),
            [] if found.is_complete => Choice::End(End::NoAnswer {
                contacts: contacts(),
                reason: NoAnswer::NoAcceleration,
            }),
            [] => Choice::End(End::NotOffered {
                contacts: contacts(),
                reason: NotOffered::NotFound,
            }),
            several => match (self.shared_equally(&standing)?, self.pick_in_space(several)) {
                (Some(answer), _) => Choice::Held(standing.held(&answer)),
                (None, Some(answer)) => Choice::Held(standing.held(answer)),
                (None, None) => Choice::End(End::SeveralAnswers {
                    contacts: contacts(),
                    answers: several.iter().map(|one| standing.told(one)).collect(),
                    continua: Vec::new(),
                }),
            },
        })
    }

    fn pose_in_space(&mut self, touches: Vec<Touch>) -> Result<SpaceStanding, SimError> {
        let now = self.now();
        let flow = &mut self.flow;
        let posed = SpaceStanding::pose(flow.mechanism, now.state(), touches, &flow.scale);
        posed.map_err(|source| self.stuck(source))
    }

    /// All answers that were found; those in which a contact begins to slip that another holds by its static
    /// friction are left out.
    fn answers_in_space(&self, standing: &SpaceStanding) -> Result<Found, SimError> {
        let found = standing.answers().map_err(|source| self.stuck(source))?;
        Ok(standing.at_rest(found))
    }

    /// The answer of contacts that share their loads as equally stiff ones do.
    fn shared_equally(&self, standing: &SpaceStanding) -> Result<Option<SpaceAnswer>, SimError> {
        let shared = standing.shared_equally();
        shared.map_err(|source| self.stuck(source))
    }

    /// The answer of several that the policy picks.
    fn pick_in_space<'f>(&self, several: &'f [SpaceAnswer]) -> Option<&'f SpaceAnswer> {
        let mut answers = several.iter();
        match self.options.several {
            Several::Stop => None,
            Several::Keep => answers.find(|answer| {
                let mut modes = answer.modes.iter();
                modes.all(|(contact, mode)| self.mode(*contact) == *mode)
            }),
            Several::LiftOff => answers.find(|answer| {
                let mut modes = answer.modes.iter();
                modes.any(|(_, mode)| *mode == ContactMode::Open)
            }),
        }
    }
}
