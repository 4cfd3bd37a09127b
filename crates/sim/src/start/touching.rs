//! The collision of a mechanism at its start: the contacts that touch, all of them at once.

use carom_contact::impact::{Contact, ImpactProblem, ImpactResult};
use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, FrameImpulse, Gap, Mechanism};
use carom_ode::Effort;
use indexmap::IndexMap;

use crate::collide::problem::problem;
use crate::collide::reactions::Struck;
use crate::record::{self, JointImpulseRecord, PlaceRecord, RunRecord};
use crate::scale::Scale;
use crate::{End, Run, Sample, Setup, SimError};

/// The collision of a mechanism at its start.
#[derive(Debug, Clone, PartialEq)]
pub struct Touching {
    /// Mass matrix, velocity and the rows of the contacts that touch; joints that close loops and
    /// prescribed motions are its constraints.
    pub problem: ImpactProblem,
    /// Where each contact is, by name; the stops of joints are nowhere.
    pub places: IndexMap<String, PlaceRecord>,
    /// Names of the contacts that are stops of an angle: their impulses are in N·m·s, their velocities
    /// in rad/s.
    pub angles: Vec<String>,
    /// Lengths of the normals that the rows count in.
    pub lengths: Vec<f64>,
    contacts: Vec<usize>,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// Poses the collision of the contacts that touch at the start.
///
/// `lengths` are those of the normals of the contacts: the row of a contact and its impulse count in
/// them. One that differs from 1 takes the tangents with it. An empty list is all ones.
///
/// A gap below 1e-9 of the length of the mechanism, or of the largest position, touches; where none does the
/// nearest contact is the error.
pub fn touching(
    setup: &mut Setup<dyn Mechanism + '_>,
    lengths: &[f64],
) -> Result<Touching, SimError> {
    setup.check()?;
    let (q, v) = setup.start()?;
    let (t, mechanism) = (0.0, &mut setup.mechanism);
    let state = State::new(t, &q, &v);
    let scale = Scale::of(mechanism, state, &setup.options);
    let contacts = find(mechanism, state, &scale, |contact| {
        setup.rules[contact].name.clone()
    })?;
    let mut problem = problem(mechanism, state, &contacts, &setup.rules);
    let length = |contact: &usize| lengths.get(*contact).copied().unwrap_or(1.0);
    let lengths: Vec<f64> = contacts.iter().map(length).collect();
    for (posed, length) in problem.contacts.iter_mut().zip(&lengths) {
        if *length != 1.0 {
            posed.normal.iter_mut().for_each(|x| *x *= length);
            (posed.tangent, posed.tangents) = (None, None);
        }
    }
    let dimension = mechanism.dimension();
    let places = contacts.iter().filter_map(|contact| {
        let place = mechanism.contact_place(state, *contact)?;
        let name = setup.rules[*contact].name.clone();
        Some((name, PlaceRecord::of(&place, dimension)))
    });
    let places = places.collect();
    let about = contacts.iter().filter(|c| mechanism.gap_unit(**c) == "rad");
    let angles = about.map(|contact| setup.rules[*contact].name.clone());
    Ok(Touching {
        angles: angles.collect(),
        problem,
        places,
        contacts,
        lengths,
        q,
        v,
    })
}

/// The contacts that touch; refuses overlap, and a start at which none touches.
fn find(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    scale: &Scale,
    name: impl Fn(usize) -> String,
) -> Result<Vec<usize>, SimError> {
    let mut gaps = vec![Gap::default(); mechanism.contacts()];
    mechanism.gaps(state, &mut gaps);
    let mut found = Vec::new();
    let mut nearest: Option<(usize, f64)> = None;
    for (contact, Gap { gap, .. }) in gaps.iter().enumerate() {
        let near = scale.meeting(contact, state.q);
        if *gap > near || !mechanism.owns_touch(state, contact) {
            if *gap > near && nearest.is_none_or(|(_, least)| *gap < least) {
                nearest = Some((contact, *gap));
            }
            continue;
        }
        if *gap < -near {
            return Err(SimError::Overlap {
                contact: name(contact),
                gap: *gap,
                unit: mechanism.gap_unit(contact),
            });
        }
        found.push(contact);
    }
    match (found.is_empty(), nearest) {
        (false, _) => Ok(found),
        (true, None) => Err(SimError::NoContacts),
        (true, Some((contact, gap))) => Err(SimError::Apart {
            contact: name(contact),
            gap,
            unit: mechanism.gap_unit(contact),
        }),
    }
}

impl Touching {
    /// Reaction impulse of every joint by a result of the problem, with what of it is unique; none
    /// where the impact has no end.
    pub fn joint_impulses(
        &self,
        mechanism: &mut dyn Mechanism,
        result: &ImpactResult,
    ) -> IndexMap<String, JointImpulseRecord> {
        let state = self.state();
        let forces = self.struck().joint_forces(mechanism, state, result);
        let dimension = mechanism.dimension();
        let names = mechanism.groups().into_iter().map(|group| group.name);
        let named = names.zip(&forces);
        named
            .map(|(name, force)| (name, JointImpulseRecord::of(force, dimension)))
            .collect()
    }

    /// The impulse of each contact that has a place, in world axes (N·s).
    pub fn impulses(&self, result: &ImpactResult) -> Vec<(String, Vec<f64>)> {
        let struck = self.struck();
        let pushes = struck.pushes(result).zip(&self.problem.contacts);
        let impulse = |(push, contact): (FrameImpulse, &Contact)| {
            let place = self.places.get(&contact.name)?;
            let along = |k: usize| {
                let tangents = place.tangents.iter().zip(push.impulse.t);
                let rubbed: f64 = tangents.map(|(t, p)| t[k] * p).sum();
                place.normal[k] * push.impulse.n + rubbed
            };
            let sum = (0..place.normal.len()).map(along).collect();
            Some((contact.name.clone(), sum))
        };
        pushes.filter_map(impulse).collect()
    }

    /// The start as a record of one sample, to draw.
    pub fn record(&self, setup: &mut Setup<dyn Mechanism + '_>) -> Result<RunRecord, SimError> {
        let (q, v) = (self.q.clone(), self.v.clone());
        let sample = Sample {
            modes: Vec::new(),
            ways: Vec::new(),
            is_start: true,
            time: 0.0,
            q: q.clone(),
            v: v.clone(),
        };
        let run = Run {
            modes: Vec::new(),
            ways: Vec::new(),
            events: Vec::new(),
            samples: vec![sample],
            ledger: None,
            end: End::Duration,
            time: 0.0,
            q,
            v,
            effort: Effort::default(),
        };
        record::record(setup, &run)
    }

    /// Positions and rates of the start, loops closed.
    pub fn state(&self) -> State<'_> {
        State::new(0.0, &self.q, &self.v)
    }

    fn struck(&self) -> Struck<'_> {
        Struck {
            problem: &self.problem,
            contacts: &self.contacts,
            lengths: &self.lengths,
        }
    }
}
