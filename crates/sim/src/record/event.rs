//! One event of a run, in the words of the files.

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    ContactResult, ContactType, Determinacy, ImpactProblem, ImpactResult, Law, Method, Note,
    NoteCode, Outcome, Pair, Prepared, Tangential,
};
use carom_multibody::mechanism::{Contacts, JointForce, Mechanism};
use carom_multibody::{Energy, State};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::motion::Names;

use super::{Accumulation, JointImpulseRecord, PerJoint, PlaceRecord};
use crate::collide::problem::problem;
use crate::collide::reactions::Struck;
use crate::contact::mode::ContactMode;
use crate::journal::event::{Event, Happening, Impact, Posed, Transition};
use crate::{ImpactFault, Rule, SimError};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// Bodies collided.
    Impact,
    /// No acceleration was consistent with friction: a contact collided although nothing approached.
    ImpactWithoutCollision,
    /// A contact that was closed opened.
    Release,
    /// A contact stopped slipping.
    Stick,
    /// A contact began to slip.
    Slip,
    /// A contact slips the other way.
    Reverse,
    /// Impacts piled up; the motion goes on at their limit.
    Accumulation,
    /// The user's own event.
    User,
}

impl EventKind {
    /// Whether contacts collide in it.
    pub fn is_blow(self) -> bool {
        matches!(self, Self::Impact | Self::ImpactWithoutCollision)
    }

    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::ImpactWithoutCollision => "impact_without_collision",
            Self::Release => "release",
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Reverse => "reverse",
            Self::Accumulation => "accumulation",
            Self::User => "user",
        }
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its number, from 1.
    pub index: usize,
    /// When (s).
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
    /// Name of the guard of the user's own event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// What each contact did, as in an impact result.
    pub contacts: Vec<ContactResult>,
    /// Where each contact is, by name; the stops of joints are nowhere.
    #[serde(default)]
    pub places: IndexMap<String, PlaceRecord>,
    /// Law of the impact; none for the user's own events.
    pub law: Option<Law>,
    /// How several contacts are treated.
    pub method: Option<Method>,
    /// Change of the kinetic energy (J), work of prescribed motions included.
    pub energy_change: Option<f64>,
    /// Energy, kinetic and potential, just before (J).
    pub energy_before: Option<f64>,
    /// Coordinates of every joint.
    pub coordinates: PerJoint,
    /// Coordinates after, where the user's own event changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinates_after: Option<PerJoint>,
    /// Rates before.
    pub rates_before: PerJoint,
    /// Rates after; null when the impact has no end, or none of its outcomes is taken.
    pub rates_after: Option<PerJoint>,
    /// Reaction impulse of every joint.
    pub joint_impulses: IndexMap<String, JointImpulseRecord>,
    /// What each contact of the event, and each that is closed, does afterwards: `open`, `slide+`,
    /// `slide-`, `stick`, or `closed` where it has no friction; `stick pivot+`, `slide pivot-` … where it pivots
    /// about its normal against a torque.
    pub modes_after: IndexMap<String, String>,
    /// Of an accumulation: the last interval computed, the ratio, the limit, and how far that may be
    /// off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accumulation: Option<Accumulation>,
    /// Remarks.
    pub notes: Vec<Note>,
    /// What the collision determines, of several contacts at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub determinacy: Option<Determinacy>,
    /// Where velocities are not unique, the outcomes known. A run that goes on has taken the first, whose
    /// numbers the event has; one that stops has taken none, and the event has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<ImpactResult>,
    /// The problem that was solved, to be solved again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<PosedProblem>,
}

/// A problem as a file has it, with its law.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PosedProblem {
    /// Mass matrix, velocity, contacts, constraints.
    #[serde(flatten)]
    pub problem: ImpactProblem,
    /// Law of restitution.
    pub law: Law,
    /// How several contacts are treated.
    pub method: Method,
    /// Names of the contacts in the order stated for a sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
}

impl EventRecord {
    pub(super) fn of(
        mechanism: &mut dyn Mechanism,
        rules: &[Rule],
        names: &Names,
        event: &Event,
    ) -> Result<Self, SimError> {
        let state = State::new(event.time, &event.q, &event.v_pre);
        let before = names.state(mechanism, event.time, &event.q, &event.v_pre);
        let after = names.state(mechanism, event.time, &event.q_post, &event.v_post);
        let solved = solved(mechanism, rules, event)?;
        let ends = solved.as_ref().is_none_or(|s| s.result.velocity.is_some());
        let has_end = ends && !event.is_open();
        let forces = joint_impulses(mechanism, event, solved.as_ref());
        let dimension = mechanism.dimension();
        let impulses = names.joints().zip(forces.iter().filter(|_| has_end));
        let impulses = impulses
            .map(|(name, force)| (name.to_owned(), JointImpulseRecord::of(force, dimension)));
        let is_moved = event.q_post != event.q;
        let mut record = Self {
            index: 0,
            time: event.time,
            kind: EventKind::User,
            guard: None,
            contacts: Vec::new(),
            places: places(mechanism, rules, event, state),
            law: None,
            method: None,
            energy_change: event.energy_change,
            energy_before: energy_before(mechanism.energy(state), event),
            coordinates: before.coordinates,
            coordinates_after: is_moved.then_some(after.coordinates),
            rates_before: before.rates,
            rates_after: has_end.then_some(after.rates),
            joint_impulses: impulses.collect(),
            modes_after: IndexMap::new(),
            accumulation: accumulation(&event.what),
            notes: Vec::new(),
            determinacy: None,
            outcomes: Vec::new(),
            problem: None,
        };
        if let Happening::Reset { guard } = event.what {
            record.guard = Some(mechanism.guard_name(guard));
        }
        if let Some(solved) = solved {
            record.take(solved);
            if event.is_open() {
                record.leave_open();
            }
        } else {
            record.contacts = super::contact::contacts(mechanism, rules, event);
        }
        if let Happening::WithoutCollision(jump) = &event.what {
            record.law = Some(jump.law);
        }
        record.kind = kind(&event.what);
        for (contact, mode) in &event.modes_after {
            let name = rules[*contact].name.clone();
            record.modes_after.insert(name, mode.name().to_owned());
        }
        Ok(record)
    }

    fn take(&mut self, solved: Solved) {
        let Solved {
            problem,
            mut result,
            order,
        } = solved;
        self.law = Some(result.law);
        self.method = Some(result.method);
        let asked = problem.contacts.iter().map(|contact| contact.friction);
        let modes = result.contacts.iter().zip(asked);
        self.modes_after = modes
            .map(|(contact, friction)| {
                (contact.name.clone(), mode(contact, friction).name().into())
            })
            .collect();
        if result.outcome == Outcome::Undetermined && result.outcomes.is_empty() {
            result.outcomes = vec![result.clone()]; // one of a continuum
        }
        if result.contacts.len() > 1 {
            self.determinacy = Some(result.determinacy);
        }
        let (law, method) = (result.law, result.method);
        self.outcomes = result.outcomes;
        self.contacts = result.contacts;
        // That motions are prescribed is said by the scenario, not anew by every impact.
        let notes = result.notes.into_iter();
        self.notes = notes
            .filter(|note| note.code != NoteCode::MovingConstraint)
            .collect();
        self.problem = Some(PosedProblem {
            problem,
            law,
            method,
            order,
        });
    }
}

/// What a contact does just after an impact, by its velocities alone.
fn mode(contact: &ContactResult, friction: GivenFriction) -> ContactMode {
    let v = contact.velocity_after;
    let is_smooth = friction.is_none();
    match (contact.contact_type, v.tangent.and_then(Tangential::plane)) {
        _ if v.normal.is_some_and(|v_n| v_n > 0.0) => ContactMode::Open,
        (_, Some(_)) if is_smooth => ContactMode::Closed,
        (ContactType::NonSlidingCompression | ContactType::NonSlidingRestitution, Some(_)) => {
            ContactMode::Stick
        }
        (_, Some(v_t)) if v_t != 0.0 => ContactMode::sliding(v_t),
        (_, Some(_)) => ContactMode::Stick,
        (_, None) if is_smooth => ContactMode::Closed,
        (_, None) if v.tangent.is_some_and(|t| t.value() != 0.0) => ContactMode::Slide,
        (_, None) if v.tangent.is_some() => ContactMode::Stick,
        (_, None) => ContactMode::Closed,
    }
}

/// Reaction impulses of the joints, with what of them is unique.
fn joint_impulses(
    mechanism: &mut dyn Contacts,
    event: &Event,
    solved: Option<&Solved>,
) -> Vec<JointForce> {
    let mut forces = event.joint_impulses.clone();
    if let Some(solved) = solved {
        let struck = Struck {
            problem: &solved.problem,
            contacts: event.contacts(),
            lengths: &[],
        };
        let state = State::new(event.time, &event.q, &event.v_pre);
        struck.mark(mechanism, state, &solved.result, &mut forces);
    }
    forces
}

/// Where the contacts of an event are, by name.
fn places(
    mechanism: &mut dyn Contacts,
    rules: &[Rule],
    event: &Event,
    state: State<'_>,
) -> IndexMap<String, PlaceRecord> {
    let dimension = mechanism.dimension();
    let places = event.contacts().iter().filter_map(|contact| {
        let place = mechanism.contact_place(state, *contact)?;
        let name = rules[*contact].name.clone();
        Some((name, PlaceRecord::of(&place, dimension)))
    });
    places.collect()
}

/// Energy just before an event (J). An accumulation is written with the state at its limit, after the impacts
/// left out.
fn energy_before(at: Option<Energy>, event: &Event) -> Option<f64> {
    let taken = match event.what {
        Happening::Accumulation(_) => event.energy_change.unwrap_or(0.0),
        _ => 0.0,
    };
    at.map(|energy| energy.total() - taken)
}

fn accumulation(what: &Happening) -> Option<Accumulation> {
    let Happening::Accumulation(pile) = what else {
        return None;
    };
    Some(Accumulation {
        interval: pile.interval,
        ratio: pile.ratio,
        limit: pile.limit,
        bound: pile.bound,
    })
}

fn kind(what: &Happening) -> EventKind {
    match what {
        Happening::Impact(_) | Happening::Collision(_) => EventKind::Impact,
        Happening::WithoutCollision(_) => EventKind::ImpactWithoutCollision,
        Happening::Accumulation(_) => EventKind::Accumulation,
        Happening::Transition { kind, .. } => match kind {
            Transition::Release => EventKind::Release,
            Transition::Stick => EventKind::Stick,
            Transition::Slip => EventKind::Slip,
            Transition::Reverse => EventKind::Reverse,
        },
        Happening::Reset { .. } => EventKind::User,
    }
}

impl EventRecord {
    /// Takes away what only one of the outcomes has: none of them happened.
    fn leave_open(&mut self) {
        self.modes_after.clear();
        let is_open = |note: &&mut Note| {
            matches!(
                note.code,
                NoteCode::SeveralOutcomes | NoteCode::VelocityNotUnique
            )
        };
        if let Some(note) = self.notes.iter_mut().find(is_open) {
            note.sentence.push_str("; the run ends here and takes none");
        }
        for contact in &mut self.contacts {
            let nothing = Pair {
                normal: None,
                tangent: None,
            };
            contact.impulse = nothing;
            contact.velocity_after = nothing;
            contact.work = nothing;
            contact.path.clear();
        }
    }
}

/// The impact of an event in generalised coordinates, and its result.
struct Solved {
    problem: ImpactProblem,
    result: ImpactResult,
    order: Option<Vec<String>>,
}

/// What an impact solved. Of several contacts that stays with the event; of one the problem is posed here and
/// told what was found in contact space.
fn solved(
    mechanism: &mut dyn Contacts,
    rules: &[Rule],
    event: &Event,
) -> Result<Option<Solved>, SimError> {
    Ok(match &event.what {
        Happening::Impact(impact) => Some(told(mechanism, rules, event, impact)?),
        Happening::Collision(all) => {
            let Posed { problem, result } = (*all.posed).clone();
            let name = |place: &usize| problem.contacts[*place].name.clone();
            let order = all.order.as_ref();
            Some(Solved {
                order: order.map(|places| places.iter().map(name).collect()),
                problem,
                result,
            })
        }
        _ => None,
    })
}

/// The impact of one contact.
fn told(
    mechanism: &mut dyn Contacts,
    rules: &[Rule],
    event: &Event,
    impact: &Impact,
) -> Result<Solved, SimError> {
    let state = State::new(event.time, &event.q, &event.v_pre);
    let problem = problem(mechanism, state, &[impact.contact], rules);
    let Impact {
        problem: planar,
        direction,
        solution,
        ..
    } = impact;
    let told = Prepared::new(&problem)
        .and_then(|posed| posed.told(planar, *direction, solution, Method::Complementarity));
    let result = told.map_err(|error| SimError::Impact {
        time: event.time,
        contact: rules[impact.contact].name.clone(),
        source: ImpactFault::Several(error),
    })?;
    Ok(Solved {
        problem,
        result,
        order: None,
    })
}
