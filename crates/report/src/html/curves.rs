//! The curves of a page, thinned and rounded to what a screen shows.

use std::borrow::Cow;

use carom_sim::record::{Bodies, RunRecord, Scene};
use serde::Serialize;

use crate::columns::{Column, columns, is_angular, rate_columns};
use crate::figure::series;

/// Points of a curve; of more, one sample in several is shown (those at events always).
const MOST_POINTS: usize = 6000;
/// Significant digits of the curves and of their instants.
const DIGITS: i32 = 7;
const TIME_DIGITS: i32 = 10;
/// What is below this part of the largest of its kind is round-off and not drawn.
const ROUND_OFF: f64 = 1e-9;
const AXES: [&str; 3] = ["x", "y", "z"];

type Point = (f64, f64);

/// Curves of one quantity over time.
#[derive(Serialize)]
pub(super) struct Panel {
    id: String,
    title: String,
    unit: String,
    curves: Vec<Curve>,
}

#[derive(Serialize)]
struct Curve {
    name: String,
    /// Instants, where they are not those of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<Vec<f64>>,
    y: Vec<f64>,
}

/// The instants of a page, and which rows of a curve they are.
pub(super) struct Thinned {
    /// The instants (s), rounded.
    pub(super) time: Vec<f64>,
    /// Of how many samples one is kept.
    pub(super) every: usize,
    full: Vec<f64>,
    kept: Vec<bool>,
}

impl Thinned {
    pub(super) fn of(record: &RunRecord) -> Self {
        let samples = record.trajectory.as_ref().map_or(0, |t| t.time.len());
        let every = samples.div_ceil(MOST_POINTS).max(1);
        let full: Vec<f64> = instants(record);
        let kept = keep(&full, every);
        let pairs = full.iter().zip(&kept).filter(|(_, kept)| **kept);
        let time = pairs.map(|(t, _)| rounded(*t, TIME_DIGITS)).collect();
        Self {
            time,
            every,
            full,
            kept,
        }
    }

    /// A column of the pose of a body at the instants of the page.
    pub(super) fn pose(&self, record: &RunRecord, body: &str, column: usize) -> Vec<f64> {
        self.curve(String::new(), &series::pose(record, body, column))
            .y
    }

    fn curve(&self, name: String, points: &[Point]) -> Curve {
        let same = points.len() == self.full.len();
        let same = same && points.iter().zip(&self.full).all(|(p, t)| p.0 == *t);
        let kept = match same {
            true => Cow::Borrowed(&self.kept),
            false => {
                let time: Vec<f64> = points.iter().map(|p| p.0).collect();
                Cow::Owned(keep(&time, self.every))
            }
        };
        let left = || points.iter().zip(kept.iter()).filter(|(_, kept)| **kept);
        Curve {
            name,
            x: (!same).then(|| left().map(|(p, _)| rounded(p.0, TIME_DIGITS)).collect()),
            y: left().map(|(p, _)| rounded(p.1, DIGITS)).collect(),
        }
    }
}

/// Which rows are kept: one in so many, the last, and both sides of every jump.
fn keep(time: &[f64], every: usize) -> Vec<bool> {
    let twin = |k: usize| {
        let before = k > 0 && time[k - 1] == time[k];
        before || time.get(k + 1) == Some(&time[k])
    };
    let is_kept = |k: usize| k.is_multiple_of(every) || k + 1 == time.len() || twin(k);
    (0..time.len()).map(is_kept).collect()
}

/// The instants most curves share: samples and both sides of every event.
fn instants(record: &RunRecord) -> Vec<f64> {
    let bodies = record.scene.iter().flat_map(|scene| scene.names());
    let poses = bodies.map(|body| series::pose(record, body, 0));
    let coordinates = columns(record).into_iter();
    let coordinates = coordinates.map(|c| series::coordinate(record, c.joint, c.index));
    let curves = poses.chain(coordinates);
    let first = curves.into_iter().find(|curve| !curve.is_empty());
    first.unwrap_or_default().iter().map(|p| p.0).collect()
}

/// The number with so many significant digits.
fn rounded(x: f64, digits: i32) -> f64 {
    let text = format!("{:.*e}", (digits - 1) as usize, x);
    let short = text.parse().unwrap_or(x);
    if short == 0.0 { 0.0 } else { short }
}

/// Every panel that has something to show.
pub(super) fn panels(record: &RunRecord, thinned: &Thinned) -> Vec<Panel> {
    let mut panels = by_unit(record, thinned, false);
    panels.extend(by_unit(record, thinned, true));
    let energies = [
        ("total", series::energy(record)),
        ("kinetic", series::kinetic(record)),
        ("potential", series::potential(record)),
    ];
    let energies = energies.map(|(name, points)| thinned.curve(name.to_owned(), &points));
    panels.push(panel("energy", "Energy", "J", energies.into()));
    panels.extend(reactions(record, thinned));
    panels.extend(gaps(record, thinned));
    panels.extend(contact_forces(record, thinned));
    panels.retain(|panel| panel.curves.iter().any(|curve| !curve.y.is_empty()));
    panels
}

fn panel(id: &str, title: &str, unit: &str, curves: Vec<Curve>) -> Panel {
    Panel {
        id: id.to_owned(),
        title: title.to_owned(),
        unit: unit.to_owned(),
        curves,
    }
}

/// A panel per unit of the coordinates, or of their rates; units of which nothing ever differs from
/// zero are left out beside others.
fn by_unit(record: &RunRecord, thinned: &Thinned, of_rates: bool) -> Vec<Panel> {
    let columns = match of_rates {
        true => rate_columns(record),
        false => columns(record),
    };
    let mut units: Vec<&str> = Vec::new();
    for column in &columns {
        if !units.contains(&column.unit) {
            units.push(column.unit);
        }
    }
    let of = |(k, unit): (usize, &&str)| {
        let inside = columns.iter().filter(|column| column.unit == *unit);
        let curves = inside.map(|column| {
            let points = match of_rates {
                true => series::rate(record, column.joint, column.index),
                false => series::coordinate(record, column.joint, column.index),
            };
            thinned.curve(curve_name(column), &points)
        });
        let mut names = columns.iter().filter(|column| column.unit == *unit);
        let (title, unit) = match names.all(Column::is_quaternion) && !of_rates {
            true => ("Turns (unit quaternions)", String::new()),
            false => titled(unit, of_rates),
        };
        let id = if of_rates { "rates" } else { "coordinates" };
        panel(&format!("{id}-{k}"), title, &unit, curves.collect())
    };
    let mut panels: Vec<Panel> = units.iter().enumerate().map(of).collect();
    let moves = |panel: &Panel| panel.curves.iter().any(|curve| largest(curve) > 0.0);
    if panels.iter().any(moves) {
        panels.retain(moves);
    }
    panels
}

fn curve_name(column: &Column<'_>) -> String {
    match column.has_siblings {
        true => format!("{} {}", column.joint, column.name),
        false => column.joint.to_owned(),
    }
}

fn titled(unit: &str, of_rates: bool) -> (&'static str, String) {
    match (unit, of_rates) {
        ("rad", false) => ("Angles", "rad".to_owned()),
        ("m", false) => ("Positions", "m".to_owned()),
        (unit, false) => ("Coordinates", unit.to_owned()),
        ("rad", true) => ("Angular velocities", "rad/s".to_owned()),
        ("m", true) => ("Velocities", "m/s".to_owned()),
        ("", true) => ("Rates", "1/s".to_owned()),
        (unit, true) => ("Rates", format!("{unit}/s")),
    }
}

fn largest(curve: &Curve) -> f64 {
    let sizes = curve.y.iter().map(|y| y.abs()).filter(|y| y.is_finite());
    sizes.fold(0.0, f64::max)
}

/// Size of the bodies as they are drawn: an arm to judge moments by (m).
fn arm(record: &RunRecord) -> f64 {
    fn longest<const D: usize>(scene: &Bodies<[f64; D]>) -> f64 {
        let points = scene.bodies.iter().flat_map(|body| &body.points);
        points.flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
    }
    match &record.scene {
        Some(Scene::Plane(scene)) => longest(scene),
        Some(Scene::Space(scene)) => longest(scene),
        None => 0.0,
    }
}

/// Forces, and moments where there are any beyond round-off; a free body has none.
fn reactions(record: &RunRecord, thinned: &Thinned) -> Vec<Panel> {
    let Some(trajectory) = &record.trajectory else {
        return Vec::new();
    };
    let is_free = |name: &str| {
        let mut joints = record.joints.iter();
        joints.any(|joint| joint.name == name && joint.kind == "free")
    };
    let held = || trajectory.reactions.iter().filter(|r| !is_free(r.0));
    let forces = held().flat_map(|(name, reaction)| {
        let axes = AXES.iter().enumerate().take(reaction.force.len());
        axes.map(move |(k, axis)| {
            let points = series::reaction(record, name, k);
            thinned.curve(format!("{name} {axis}"), &points)
        })
    });
    let mut forces: Vec<Curve> = forces.collect();
    let moments = held().flat_map(|(name, reaction)| {
        let count = reaction.moment.components().len();
        let axes: &[&str] = if count == 1 { &[""] } else { &AXES };
        axes.iter().enumerate().map(move |(k, axis)| {
            let points = series::moment(record, name, k);
            thinned.curve(format!("{name} {axis}").trim_end().to_owned(), &points)
        })
    });
    let mut moments: Vec<Curve> = moments.collect();
    let force = forces.iter().map(largest).fold(0.0, f64::max);
    forces.retain(|curve| largest(curve) > ROUND_OFF * force);
    let moment = moments
        .iter()
        .map(largest)
        .fold(force * arm(record), f64::max);
    moments.retain(|curve| largest(curve) > ROUND_OFF * moment);
    vec![
        panel("reactions", "Reactions of the joints", "N", forces),
        panel("moments", "Reaction moments of the joints", "N·m", moments),
    ]
}

/// Forces of the contacts that stay closed, friction where there is any, torques of the stops of angles and of
/// contacts that resist pivoting.
fn contact_forces(record: &RunRecord, thinned: &Thinned) -> [Panel; 4] {
    let trajectory = record.trajectory.iter();
    let names = trajectory.flat_map(|t| t.contact_forces.keys());
    let (turns, pressed): (Vec<&String>, Vec<&String>) =
        names.partition(|name| is_angular(record, name));
    let curves = |names: &[&String], of: fn(&RunRecord, &str) -> Vec<(f64, f64)>| -> Vec<Curve> {
        let curve = |name: &&String| thinned.curve((*name).clone(), &of(record, name));
        names.iter().map(curve).collect()
    };
    let normal = curves(&pressed, series::normal_force);
    let mut friction = curves(&pressed, series::friction_force);
    let most = normal.iter().map(largest).fold(0.0, f64::max);
    friction.retain(|curve| largest(curve) > ROUND_OFF * most);
    let mut torques = curves(&pressed, series::spin_torque);
    torques.retain(|curve| !curve.y.is_empty());
    let stops = curves(&turns, series::normal_force);
    let (title, rubbed, stopped, turned) = (
        "Normal forces of closed contacts",
        "Friction of closed contacts",
        "Torques of closed stops",
        "Torques against pivoting of closed contacts",
    );
    [
        panel("contact-normal", title, "N", normal),
        panel("contact-friction", rubbed, "N", friction),
        panel("contact-stop", stopped, "N·m", stops),
        panel("contact-spin", turned, "N·m", torques),
    ]
}

fn gaps(record: &RunRecord, thinned: &Thinned) -> Vec<Panel> {
    let Some(trajectory) = &record.trajectory else {
        return Vec::new();
    };
    let mut units: Vec<&str> = Vec::new();
    for contact in trajectory.gaps.keys() {
        let unit = record.gap_unit(contact);
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    let of = |(k, unit): (usize, &&str)| {
        let names = trajectory.gaps.keys();
        let inside = names.filter(|name| record.gap_unit(name) == *unit);
        let curves = inside.map(|name| thinned.curve(name.clone(), &series::gap(record, name)));
        panel(&format!("gaps-{k}"), "Gaps", unit, curves.collect())
    };
    units.iter().enumerate().map(of).collect()
}
