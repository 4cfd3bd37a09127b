//! A run with its names: what is written to `run.json`, drawn and tabled.
//!
//! Everything is keyed by the names of the scenario, in its order, and stands in SI units.

mod assembly;
mod carried;
mod contact;
mod end;
mod event;
mod joint;
mod moment;
mod motion;
mod place;
mod trajectory;

pub use assembly::{AssemblyRecord, MovedRecord};
pub use carom_multibody::scene::{Bodies, BodyScene, Outline, Scene};
pub use end::{Accumulation, EndKind, EndRecord};
pub use event::{EventKind, EventRecord, PosedProblem};
pub use joint::{JointImpulseRecord, UniqueComponents};
pub use moment::Moment;
pub use place::PlaceRecord;
pub use trajectory::{ForceSeries, ReactionSeries, Trajectory};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use carom_multibody::mechanism::Mechanism;

use crate::{Ledger, Rule, Run, Setup, SimError};

/// One list of numbers per joint, by name.
pub type PerJoint = IndexMap<String, Vec<f64>>;

/// A run, complete: how it ended, every event, the ledger, the effort, the sampled motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Title of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How the run ended.
    #[serde(flatten)]
    pub end: EndRecord,
    /// When it ended (s).
    pub time: f64,
    /// The time asked for (s).
    pub duration: f64,
    /// How the start given was changed to close the loops; none where that is not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<AssemblyRecord>,
    /// The contacts that are closed from the start on, and what they do: as `modes_after` of an event.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub modes_at_start: IndexMap<String, String>,
    /// The contacts that share their forces in more than one way while they are closed; the motion does
    /// not depend on the share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_forces: Vec<String>,
    /// Those of them whose share decides the motion: they slide different ways, and share as equally stiff contacts
    /// do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen_forces: Vec<String>,
    /// Every event, in order.
    pub events: Vec<EventRecord>,
    /// Energies and works; none where the system does not know its energy.
    pub ledger: Option<LedgerRecord>,
    /// What the integration cost.
    pub effort: EffortRecord,
    /// State at the end.
    #[serde(rename = "final")]
    pub last: FinalState,
    /// Names and units of the coordinates, joint by joint.
    pub joints: Vec<JointColumns>,
    /// What the bodies look like, to draw them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<Scene>,
    /// The sampled motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<Trajectory>,
    /// The states just before and just after every event, in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around_events: Option<Trajectory>,
}

/// Where every joule went, and what does not add up (J).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// Energies and works.
    #[serde(flatten)]
    pub entries: Ledger,
    /// `end − start − Σ works`.
    pub residual: f64,
}

/// What the integration cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffortRecord {
    /// Steps whose error passed.
    pub steps_accepted: u64,
    /// Steps taken again.
    pub steps_rejected: u64,
    /// Evaluations of the accelerations.
    pub evaluations: u64,
    /// Evaluations of the guards.
    pub guard_evaluations: u64,
    /// Sub-steps that polished an event.
    pub polish_steps: u64,
    /// Sets of guards that fired.
    pub events: u64,
}

/// State at the end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalState {
    /// Coordinates of every joint (m or rad).
    pub coordinates: PerJoint,
    /// Rates of every joint (m/s or rad/s).
    pub rates: PerJoint,
}

/// The coordinates of one joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointColumns {
    /// Name of the joint.
    pub name: String,
    /// Its kind, as in a scenario; `own` for a user's own system.
    pub kind: String,
    /// One name per coordinate, such as `angle`, `x`.
    pub coordinates: Vec<String>,
    /// The unit of each coordinate: `m`, `rad`, or empty.
    pub units: Vec<String>,
}

impl RunRecord {
    /// Unit of the gap of a contact: `m`, or `rad` at the stop of an angle. Its impulses are then N·m·s, its
    /// forces N·m.
    pub fn gap_unit(&self, contact: &str) -> &str {
        let sampled = [&self.trajectory, &self.around_events]
            .into_iter()
            .flatten();
        let mut told = sampled.filter_map(|columns| columns.gap_units.get(contact));
        told.next()
            .map_or_else(|| self.unit_of_stop(contact), String::as_str)
    }

    /// The same without samples, by the name of the stop: `joint.lower` or `joint.upper`.
    fn unit_of_stop(&self, contact: &str) -> &str {
        let ends = [".lower", ".upper"];
        let joint = ends.iter().find_map(|end| contact.strip_suffix(end));
        let mut own = self
            .joints
            .iter()
            .filter(|one| Some(one.name.as_str()) == joint);
        let unit = own.next().and_then(|joint| joint.units.first());
        unit.filter(|unit| *unit == "rad")
            .map_or("m", String::as_str)
    }
}

/// Puts names to a run.
///
/// Every impact is told in generalised coordinates, as `carom impact` would from the file.
pub fn record(setup: &mut Setup<dyn Mechanism + '_>, run: &Run) -> Result<RunRecord, SimError> {
    let names = motion::Names::of(&setup.mechanism);
    let rules = &setup.rules;
    let mut events = Vec::with_capacity(run.events.len());
    for (index, event) in run.events.iter().enumerate() {
        let record = event::EventRecord::of(&mut setup.mechanism, rules, &names, event)?;
        let index = index + 1;
        events.push(EventRecord { index, ..record });
    }
    let mechanism = &mut setup.mechanism;
    let is_sampled = !run.samples.is_empty();
    let trajectory = motion::trajectory(mechanism, rules, &names, run.samples.iter().cloned());
    let around = run.events.iter().flat_map(motion::sides);
    let around_events = motion::trajectory(mechanism, rules, &names, around);
    let listed = |pick: fn(&Trajectory) -> &Vec<String>| -> Vec<String> {
        let both = [&trajectory, &around_events];
        let is_listed = |rule: &&Rule| both.iter().any(|all| pick(all).contains(&rule.name));
        let named = rules.iter().filter(is_listed);
        named.map(|rule| rule.name.clone()).collect()
    };
    let shared_forces = listed(|columns| &columns.shared_forces);
    let chosen_forces = listed(|columns| &columns.chosen_forces);
    let modes = run.modes_at_start().iter();
    let modes = modes.map(|(c, mode)| (rules[*c].name.clone(), mode.name().to_owned()));
    let modes_at_start = modes.collect();
    Ok(RunRecord {
        title: None,
        end: EndRecord::of(&setup.mechanism, rules, run),
        time: run.time,
        duration: setup.options.duration,
        assembly: AssemblyRecord::of(setup, &names),
        modes_at_start,
        shared_forces,
        chosen_forces,
        events,
        ledger: run.ledger.as_ref().map(LedgerRecord::of),
        effort: EffortRecord::of(&run.effort),
        last: names.state(&mut setup.mechanism, run.time, &run.q, &run.v),
        joints: names.columns(),
        scene: setup.mechanism.scene(),
        trajectory: is_sampled.then_some(trajectory),
        around_events: is_sampled.then_some(around_events),
    })
}

impl LedgerRecord {
    fn of(ledger: &Ledger) -> Self {
        Self {
            entries: *ledger,
            residual: ledger.residual(),
        }
    }
}

impl EffortRecord {
    fn of(effort: &carom_ode::Effort) -> Self {
        Self {
            steps_accepted: effort.steps_accepted,
            steps_rejected: effort.steps_rejected,
            evaluations: effort.evaluations,
            guard_evaluations: effort.guard_evaluations,
            polish_steps: effort.polish_steps,
            events: effort.events,
        }
    }
}
