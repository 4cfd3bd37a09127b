//! What the scripts of a page draw: curves, scene, poses, events.

use carom_contact::impact::planar::ImpulsePlane;
use carom_contact::impact::spatial::Hodograph;
use carom_contact::impact::{ContactResult, ImpactPicture, ImpactResult};
use carom_sim::record::{
    Bodies, BodyScene, EventRecord, JointImpulseRecord, Outline, PerJoint, RunRecord, Scene,
};
use serde::Serialize;

use super::changes::change;
use super::curves::{Panel, Thinned, panels};
use super::phases::{Met, Step, Struck, Units, law_name, steps};
use super::tables::shown;
use crate::along::{Along, is_rubbed};
use crate::columns::{deed, is_smooth, is_stop, rate_columns};
use crate::figure::{bars, traced};
use crate::prose::{shortened, with_minus};
use crate::scales::Scales;

/// Events whose contacts, paths and planes are in the page, the first ones.
const MOST_DETAILS: usize = 500;

/// Everything the scripts need.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    /// When the run ended (s).
    end: f64,
    /// Instants of the curves (s).
    time: Vec<f64>,
    /// Of how many samples one is shown.
    every: usize,
    panels: Vec<Panel>,
    scene: Option<AnyScene<'a>>,
    events: Vec<EventData<'a>>,
    /// Every rate, in the order of the joints.
    rates: Vec<RateData<'a>>,
}

/// A rate: its joint, its place among the rates of the joint, its name and unit.
#[derive(Serialize)]
struct RateData<'a> {
    joint: &'a str,
    index: usize,
    name: &'a str,
    unit: String,
}

/// A scene of the plane or of space.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyScene<'a> {
    Plane(SceneData<'a, [f64; 2]>),
    Space(SceneData<'a, [f64; 3]>),
}

/// What is drawn: the world, and bodies with their poses over time.
#[derive(Serialize)]
struct SceneData<'a, P> {
    space: &'static str,
    world: &'a BodyScene<P>,
    bodies: Vec<BodyData<'a, P>>,
}

#[derive(Serialize)]
struct BodyData<'a, P> {
    name: &'a str,
    outlines: &'a [Outline<P>],
    points: &'a [P],
    bars: Vec<[P; 2]>,
    traced: Vec<P>,
    /// Columns over the instants: x, y, angle; in space x, y, z and quaternion.
    pose: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct EventData<'a> {
    index: usize,
    time: f64,
    name: String,
    detail: Option<Detail<'a>>,
}

/// An event with all its numbers, as `run.json` has them.
#[derive(Serialize)]
struct Detail<'a> {
    law: Option<&'static str>,
    method: Option<&'static str>,
    energy_before: Option<f64>,
    energy_change: Option<f64>,
    contacts: &'a [ContactResult],
    rates_before: &'a PerJoint,
    rates_after: &'a Option<PerJoint>,
    joint_impulses: Vec<(&'a str, &'a JointImpulseRecord)>,
    notes: Vec<String>,
    /// Sizes of the impulses and velocities, to tell round-off.
    scales: Scales,
    /// Per contact: what it does, in a few words.
    deeds: Vec<String>,
    /// All outcomes, where there are several and none is taken.
    outcomes: Vec<OutcomeData<'a>>,
    /// Per contact: its units, whether it is the stop of a joint, the direction its tangent values have in space, and what
    /// it goes through.
    units: Vec<Units>,
    stops: Vec<bool>,
    directions: Vec<Option<[f64; 2]>>,
    steps: Vec<Vec<Step>>,
    plane: Option<&'a ImpulsePlane>,
    hodograph: Option<&'a Hodograph>,
    arrows: Vec<Arrow>,
}

/// One of several outcomes.
#[derive(Serialize)]
struct OutcomeData<'a> {
    energy_change: Option<f64>,
    contacts: &'a [ContactResult],
}

impl<'a> OutcomeData<'a> {
    fn of(result: &'a ImpactResult) -> Self {
        Self {
            energy_change: result.energy_change,
            contacts: &result.contacts,
        }
    }
}

/// An impulse on the bodies at a point, and its opposite.
#[derive(Serialize)]
struct Arrow {
    at: Vec<f64>,
    impulse: Vec<f64>,
    /// Whether the other body moves too.
    both: bool,
}

impl<'a> Data<'a> {
    pub(super) fn of(record: &'a RunRecord, pictures: &'a [(usize, ImpactPicture)]) -> Self {
        let thinned = Thinned::of(record);
        let panels = panels(record, &thinned);
        let scene = record.scene.as_ref();
        let events = shown(record).enumerate().map(|(k, event)| EventData {
            index: event.index,
            time: event.time,
            name: name(event),
            detail: (k < MOST_DETAILS).then(|| detail(record, event, pictures)),
        });
        let rates = rate_columns(record).into_iter().map(|column| RateData {
            joint: column.joint,
            index: column.index,
            name: column.name,
            unit: match column.unit {
                "" => "1/s".to_owned(),
                unit => format!("{unit}/s"),
            },
        });
        Self {
            end: record.time,
            every: thinned.every,
            panels,
            scene: scene.and_then(|scene| any_scene(record, scene, &thinned)),
            events: events.collect(),
            rates: rates.collect(),
            time: thinned.time,
        }
    }
}

fn name(event: &EventRecord) -> String {
    let contacts: Vec<&str> = event.contacts.iter().map(|c| c.name.as_str()).collect();
    let who = match contacts.is_empty() {
        true => event.guard.clone().unwrap_or_default(),
        false => contacts.join(", "),
    };
    format!("{} {who}", event.kind.name().replace('_', " "))
}

fn any_scene<'a>(record: &RunRecord, scene: &'a Scene, thinned: &Thinned) -> Option<AnyScene<'a>> {
    match scene {
        Scene::Plane(scene) => scene_data(record, scene, thinned, "plane", 3).map(AnyScene::Plane),
        Scene::Space(scene) => scene_data(record, scene, thinned, "space", 7).map(AnyScene::Space),
    }
}

/// The bodies whose poses are known throughout; none where there is none.
fn scene_data<'a, const D: usize>(
    record: &RunRecord,
    scene: &'a Bodies<[f64; D]>,
    thinned: &Thinned,
    space: &'static str,
    columns: usize,
) -> Option<SceneData<'a, [f64; D]>> {
    let bodies = scene.bodies.iter().filter_map(|body| {
        let pose = (0..columns).map(|column| thinned.pose(record, &body.name, column));
        let pose: Vec<Vec<f64>> = pose.collect();
        let is_whole = |column: &Vec<f64>| column.len() == thinned.time.len();
        let is_known = pose.iter().all(is_whole) && pose.iter().flatten().all(|x| x.is_finite());
        is_known.then(|| BodyData {
            name: &body.name,
            outlines: &body.outlines,
            points: &body.points,
            bars: bars(body),
            traced: traced(body),
            pose,
        })
    });
    let bodies: Vec<BodyData<'a, [f64; D]>> = bodies.collect();
    (!bodies.is_empty() && thinned.time.len() > 1).then_some(SceneData {
        space,
        world: &scene.world,
        bodies,
    })
}

fn detail<'a>(
    record: &'a RunRecord,
    event: &'a EventRecord,
    pictures: &'a [(usize, ImpactPicture)],
) -> Detail<'a> {
    let picture = pictures.iter().find(|(index, _)| *index == event.index);
    let (plane, hodograph) = match picture {
        Some((_, ImpactPicture::Plane(plane))) => (Some(plane), None),
        Some((_, ImpactPicture::Space(drawn))) => (None, Some(&**drawn)),
        None => (None, None),
    };
    let impulses = event.joint_impulses.iter();
    let units = event.contacts.iter().map(|c| Units::of(record, &c.name));
    let units: Vec<Units> = units.collect();
    let stops = event.contacts.iter().map(|c| is_stop(event, c));
    let stops: Vec<bool> = stops.collect();
    let law = event.law.filter(|_| !stops.iter().all(|is_stop| *is_stop));
    let directions = event.contacts.iter().map(|contact| {
        let rubbed = is_rubbed(contact).then(|| Along::of(contact));
        rubbed.and_then(Along::direction)
    });
    let notes = event.notes.iter().map(|note| note.sentence.as_str());
    let deeds = event
        .contacts
        .iter()
        .map(|contact| deed(event, Some(contact)));
    let outcomes = event
        .outcomes
        .iter()
        .filter(|_| event.rates_after.is_none());
    Detail {
        law: law.map(law_name),
        method: event.method.map(|method| method.name()),
        energy_before: event.energy_before,
        energy_change: event.energy_change,
        contacts: &event.contacts,
        rates_before: &event.rates_before,
        rates_after: &event.rates_after,
        joint_impulses: impulses.map(|(name, i)| (name.as_str(), i)).collect(),
        notes: notes.map(|words| with_minus(&shortened(words))).collect(),
        scales: Scales::of(&event.contacts),
        deeds: deeds.map(|deed| deed.replace('_', " ")).collect(),
        outcomes: outcomes.map(OutcomeData::of).collect(),
        directions: directions.collect(),
        steps: told(event, &units, &stops),
        stops,
        units,
        plane,
        hodograph,
        arrows: arrows(record, event),
    }
}

/// What each contact of an event goes through.
fn told(event: &EventRecord, units: &[Units], stops: &[bool]) -> Vec<Vec<Step>> {
    let met = |is_stop: bool| match is_stop {
        true => Met::Stop,
        false => Met::Bodies(event.law),
    };
    let each = event.contacts.iter().zip(units).zip(stops);
    let steps = each.map(|((contact, units), is_stop)| match event.kind.is_blow() {
        false => change(event, contact),
        true => steps(Struck {
            contact,
            met: met(*is_stop),
            units: *units,
            is_smooth: is_smooth(event, contact),
            mode_after: event.modes_after.get(&contact.name).map(String::as_str),
            is_open: !event.outcomes.is_empty() && event.rates_after.is_none(),
        }),
    });
    steps.collect()
}

/// The impulses at their places; the stop of a joint is nowhere.
fn arrows(record: &RunRecord, event: &EventRecord) -> Vec<Arrow> {
    let arrows = event.contacts.iter().filter_map(|contact| {
        let place = event.places.get(&contact.name)?;
        let scene = record.scene.as_ref();
        let is_on_world = scene.is_none_or(|scene| scene.is_on_world(&place.point));
        Some(Arrow {
            at: place.point.clone(),
            impulse: place.impulse(contact)?,
            both: !is_on_world,
        })
    });
    arrows.collect()
}
