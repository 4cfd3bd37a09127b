//! What the scripts of a page draw: curves, scene, poses, events.

use carom_contact::impact::planar::ImpulsePlane;
use carom_contact::impact::{ContactResult, Note};
use carom_sim::record::{
    BodyScene, EventRecord, JointImpulseRecord, Outline, PerJoint, RunRecord, Scene,
};
use serde::Serialize;

use super::curves::{Panel, Thinned, panels};
use super::phases::{Step, law_name, steps};
use super::tables::shown;
use super::touch::{Pose, touches};
use crate::figure::{bars, traced};

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
    scene: Option<SceneData<'a>>,
    events: Vec<EventData<'a>>,
    /// Names and units of the coordinates.
    joints: Vec<JointData<'a>>,
}

#[derive(Serialize)]
struct JointData<'a> {
    name: &'a str,
    coordinates: &'a [String],
    units: &'a [String],
}

/// What is drawn: the world, and bodies with their poses over time.
#[derive(Serialize)]
struct SceneData<'a> {
    world: &'a BodyScene,
    bodies: Vec<BodyData<'a>>,
}

#[derive(Serialize)]
struct BodyData<'a> {
    name: &'a str,
    outlines: &'a [Outline],
    points: &'a [[f64; 2]],
    bars: Vec<[[f64; 2]; 2]>,
    traced: Vec<[f64; 2]>,
    /// Columns x, y, angle over the instants.
    pose: [Vec<f64>; 3],
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
    notes: &'a [Note],
    /// Per contact.
    steps: Vec<Vec<Step>>,
    plane: Option<&'a ImpulsePlane>,
    arrows: Vec<Arrow>,
}

/// An impulse on the bodies at a point, and its opposite.
#[derive(Serialize)]
struct Arrow {
    at: [f64; 2],
    impulse: [f64; 2],
    /// Whether the other body moves too.
    both: bool,
}

impl<'a> Data<'a> {
    pub(super) fn of(record: &'a RunRecord, planes: &'a [(usize, ImpulsePlane)]) -> Self {
        let thinned = Thinned::of(record);
        let panels = panels(record, &thinned);
        let scene = record.scene.as_ref();
        let events = shown(record).enumerate().map(|(k, event)| EventData {
            index: event.index,
            time: event.time,
            name: name(event),
            detail: (k < MOST_DETAILS).then(|| detail(record, event, planes)),
        });
        let joints = record.joints.iter().map(|joint| JointData {
            name: &joint.name,
            coordinates: &joint.coordinates,
            units: &joint.units,
        });
        Self {
            end: record.time,
            every: thinned.every,
            panels,
            scene: scene.and_then(|scene| scene_data(record, scene, &thinned)),
            events: events.collect(),
            joints: joints.collect(),
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
    format!("{} {who}", event.kind.name())
}

/// The bodies whose poses are known throughout; none where there is none.
fn scene_data<'a>(
    record: &RunRecord,
    scene: &'a Scene,
    thinned: &Thinned,
) -> Option<SceneData<'a>> {
    let bodies = scene.bodies.iter().filter_map(|body| {
        let pose = [0, 1, 2].map(|column| thinned.pose(record, &body.name, column));
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
    let bodies: Vec<BodyData<'a>> = bodies.collect();
    (!bodies.is_empty() && thinned.time.len() > 1).then_some(SceneData {
        world: &scene.world,
        bodies,
    })
}

fn detail<'a>(
    record: &'a RunRecord,
    event: &'a EventRecord,
    planes: &'a [(usize, ImpulsePlane)],
) -> Detail<'a> {
    let plane = planes.iter().find(|(index, _)| *index == event.index);
    let impulses = event.joint_impulses.iter();
    Detail {
        law: event.law.map(law_name),
        method: event.method.map(|method| method.name()),
        energy_before: event.energy_before,
        energy_change: event.energy_change,
        contacts: &event.contacts,
        rates_before: &event.rates_before,
        rates_after: &event.rates_after,
        joint_impulses: impulses.map(|(name, i)| (name.as_str(), i)).collect(),
        notes: &event.notes,
        steps: event.contacts.iter().map(|c| steps(c, event.law)).collect(),
        plane: plane.map(|(_, plane)| plane),
        arrows: arrows(record, event).unwrap_or_default(),
    }
}

/// The impulses where the outlines touch; none where the touching places are not as many as the
/// contacts, such as at the stop of a joint.
fn arrows(record: &RunRecord, event: &EventRecord) -> Option<Vec<Arrow>> {
    let scene = record.scene.as_ref()?;
    let around = record.around_events.as_ref()?;
    let place = record.events.iter().position(|e| e.index == event.index)?;
    let row = 2 * place;
    let pose = |body: &BodyScene| -> Option<Pose> {
        let columns = around.poses.get(&body.name)?;
        let value = |k: usize| columns.get(k)?.get(row).copied();
        Some([value(0)?, value(1)?, value(2)?])
    };
    let poses: Option<Vec<Pose>> = scene.bodies.iter().map(pose).collect();
    let places = touches(scene, &poses?);
    if places.len() != event.contacts.len() {
        return None;
    }
    let arrows = places.iter().zip(&event.contacts).map(|(touch, contact)| {
        let (p_n, p_t) = (
            contact.impulse.normal?,
            contact.impulse.tangent.unwrap_or(0.0),
        );
        let [x, y] = touch.normal;
        // (t, n) is right-handed: t is n turned clockwise.
        let impulse = [p_n * x + p_t * y, p_n * y - p_t * x];
        Some(Arrow {
            at: touch.at,
            impulse,
            both: !touch.on_world,
        })
    });
    arrows.collect()
}
