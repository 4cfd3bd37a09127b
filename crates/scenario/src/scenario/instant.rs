//! A scenario at its start as a forward problem: friction in joints, contacts that touch.

use carom_multibody::mechanism::{Drawing, Group};
use carom_multibody::{Model, State};
use carom_sim::instant::{Acting, Instant, InstantError, LoadedJoint, Rubbing, instant};

use super::dialect::Dialect;
use super::{Mechanics, Parts, Scenario};
use crate::InputError;

impl Scenario {
    /// Accelerations at the start with friction in joints and at contacts that touch: A, b, C, d and
    /// the rows of the contacts, read off the mechanism.
    pub fn instant(&self) -> Result<Instant, InputError> {
        match &self.mechanics {
            Mechanics::Plane(parts) => self.instant_of(parts),
            Mechanics::Space(parts) => self.instant_of(parts),
        }
    }

    /// Whether a joint has friction, which a run does not take yet.
    pub fn has_joint_friction(&self) -> bool {
        self.joint_with_friction().is_some()
    }

    fn joint_with_friction(&self) -> Option<&str> {
        let first = match &self.mechanics {
            Mechanics::Plane(parts) => parts.frictions.first(),
            Mechanics::Space(parts) => parts.frictions.first(),
        };
        first.map(|(name, _)| name.as_str())
    }

    /// Refuses a run or an impact with friction in a joint.
    pub(super) fn refuse_friction(&self, asked: &str) -> Result<(), InputError> {
        let Some(joint) = self.joint_with_friction() else {
            return Ok(());
        };
        let message = format!(
            "friction in a joint is not offered yet in {asked}, expected the key to be left out; `carom \
             forward` reads it and solves the instant of the start"
        );
        let path = format!("joints.{joint}.friction");
        Err(self.file.key_error(&path, message))
    }

    fn instant_of<A: Dialect>(&self, parts: &Parts<A>) -> Result<Instant, InputError> {
        self.refuse_spots()?;
        let mut setup = self.setup(parts)?;
        let model = self.model(parts)?;
        let mut q = setup.q.clone();
        model.normalise(&mut q);
        let v = setup.v.clone();
        let state = State::new(0.0, &q, &v);
        let acting = Acting {
            frictions: elements(&model, parts, state),
            forces: model.drives(state.t),
            coordinates: names(&model, &setup.mechanism.groups()),
        };
        let found = instant(&mut setup, acting);
        found.map_err(|error| self.locate_instant(&error))
    }

    fn locate_instant(&self, error: &InstantError) -> InputError {
        let path = match error {
            InstantError::Start(error) => return self.locate(error),
            InstantError::Approaches { contact, .. } => self.contact_path(contact),
            InstantError::Pivoting { contact, .. } => {
                format!("{}.spin_radius", self.contact_path(contact))
            }
            InstantError::Loop { joint, .. } => format!("joints.{joint}"),
            InstantError::LoadedByContact { joint, .. } => format!("joints.{joint}.friction"),
            _ => String::new(),
        };
        self.file.error(&path, error.to_string())
    }
}

/// Names of the rates: the joint, and where it has several their own.
fn names<A: Dialect>(model: &Model<A>, groups: &[Group]) -> Vec<String> {
    let mut names = vec![String::new(); model.rates()];
    for (record, group) in model.joints().iter().zip(groups) {
        let own = &mut names[record.rates.clone()];
        let (count, is_named) = (own.len(), own.len() == group.positions.len());
        for (k, name) in own.iter_mut().enumerate() {
            *name = match (count, is_named) {
                (1, _) => record.name.clone(),
                (_, true) => format!("{}.{}", record.name, group.positions[k]),
                _ => format!("{}.{k}", record.name),
            };
        }
    }
    names
}

/// The joints with friction, with how their loads are read.
fn elements<A: Dialect>(model: &Model<A>, parts: &Parts<A>, state: State<'_>) -> Vec<LoadedJoint> {
    let mut work = model.workspace();
    let placed = model.place(&mut work, state);
    let mut found = Vec::new();
    for (name, given) in &parts.frictions {
        let Some(id) = model.joint(name) else {
            continue;
        };
        let given = Rubbing {
            joint: id,
            friction: given.friction,
            radius: given.radius.unwrap_or(0.0),
            preload: given.preload,
        };
        found.extend(LoadedJoint::of(&placed, state, given));
    }
    found
}
