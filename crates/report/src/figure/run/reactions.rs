//! Reactions of the joints: forces and moments over time, impulses at the events.

use carom_sim::record::{JointImpulseRecord, RunRecord};

use super::super::axis::Axis;
use super::super::chart::{Chart, Panel};
use super::super::svg::literal;
use super::{over_time, series};

const AXES: [&str; 3] = ["x", "y", "z"];
/// Most joints with panels of their own; more share one panel per axis.
const OWN: usize = 2;
/// What is below this fraction of the largest force or impulse is round-off; a moment is judged
/// against the largest force of its joint at an arm of [`ARM`].
const ROUND_OFF: f64 = 1e-9;
/// One metre.
const ARM: f64 = 1.0;

/// Forces, moments, impulses and their moments, as far as there are any beyond round-off.
pub(super) fn reactions(record: &RunRecord) -> Chart {
    let joints = Joint::all(record);
    let all = [
        What::Force,
        What::Moment,
        What::Impulse,
        What::ImpulseMoment,
    ];
    let panels = all.into_iter().flat_map(|what| panels(&joints, what));
    panels.fold(over_time(record), Chart::panel)
}

/// Panels of one quantity: a moment has one; other quantities one for each of a few joints, else one
/// for each axis.
fn panels(joints: &[Joint<'_>], what: What) -> Vec<Panel> {
    let shown: Vec<&Joint<'_>> = joints.iter().filter(|joint| joint.has(what)).collect();
    let axes = shown.iter().map(|joint| joint.axes).max().unwrap_or(0);
    if matches!(what, What::Moment | What::ImpulseMoment) {
        let all = shown.iter();
        return vec![all.fold(what.panel(""), |panel, joint| joint.moments(panel, what))];
    }
    if shown.len() <= OWN {
        let own = shown.iter().map(|joint| {
            let axes = AXES.iter().enumerate().take(joint.axes);
            axes.fold(what.panel(""), |panel, (k, axis)| {
                joint.curve(panel, what, k, axis)
            })
        });
        return own.collect();
    }
    let each = AXES.iter().enumerate().take(axes).map(|(k, axis)| {
        let all = shown.iter();
        all.fold(what.panel(axis), |panel, joint| {
            joint.curve(panel, what, k, "")
        })
    });
    let mut each: Vec<Panel> = each.collect();
    let pressed = if what == What::Impulse {
        shown
            .iter()
            .map(|joint| joint.largest_impulse)
            .fold(0.0, f64::max)
    } else {
        0.0
    };
    let largest = each.iter().map(Panel::largest).fold(pressed, f64::max);
    each.retain(|panel| is_beyond(panel.largest(), largest));
    each
}

/// What a panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Force,
    Moment,
    Impulse,
    ImpulseMoment,
}

impl What {
    /// An empty panel; along one axis where it has a name.
    fn panel(self, axis: &str) -> Panel {
        let (quantity, unit) = match self {
            Self::Force => ("force", "N"),
            Self::Moment => ("moment", "N·m"),
            Self::Impulse => ("impulse", "N·s"),
            Self::ImpulseMoment => ("moment", "N·m·s"),
        };
        Panel::new(Axis::new(format!("{quantity} {axis}").trim_end(), unit))
    }
}

/// A joint with its largest reactions.
struct Joint<'a> {
    record: &'a RunRecord,
    name: &'a str,
    axes: usize,
    /// Components of its moment.
    turns: usize,
    has_force: bool,
    has_moment: bool,
    has_impulse: bool,
    has_impulse_moment: bool,
    is_unique: bool,
    /// Largest impulse of the whole run.
    largest_impulse: f64,
}

impl<'a> Joint<'a> {
    /// The joints that hold something: a free body has none.
    fn all(record: &'a RunRecord) -> Vec<Self> {
        let Some(trajectory) = &record.trajectory else {
            return Vec::new();
        };
        let forces = trajectory.reactions.values().flat_map(|r| &r.force);
        let largest_force = largest(forces.flatten());
        let impulses = record.events.iter().flat_map(|e| e.joint_impulses.values());
        let contacts = record.events.iter().flat_map(|e| &e.contacts);
        let pressed: Vec<f64> = contacts.filter_map(|c| c.impulse.normal).collect();
        let largest_impulse = largest(impulses.flat_map(|i| &i.force).chain(&pressed));
        let is_free = |name: &str| {
            record
                .joints
                .iter()
                .any(|j| j.name == name && j.kind == "free")
        };
        let joints = trajectory
            .reactions
            .iter()
            .filter(|(name, _)| !is_free(name));
        let joint = joints.map(|(name, reaction)| {
            let force = largest(reaction.force.iter().flatten());
            let of_joint = || impulses_of(record, name);
            let impulse = largest(of_joint().flat_map(|i| &i.force));
            let twist = largest(of_joint().flat_map(|i| i.moment.components()));
            Self {
                record,
                name,
                axes: reaction.force.len().min(AXES.len()),
                turns: reaction.moment.components().len(),
                has_force: is_beyond(force, largest_force),
                has_moment: is_beyond(
                    largest(reaction.moment.components().iter().flatten()),
                    ARM * force,
                ),
                has_impulse: is_beyond(impulse, largest_impulse),
                has_impulse_moment: is_beyond(twist, ARM * largest_impulse),
                is_unique: of_joint().all(|impulse| impulse.unique),
                largest_impulse,
            }
        });
        joint.collect()
    }

    fn has(&self, what: What) -> bool {
        match what {
            What::Force => self.has_force,
            What::Moment => self.has_moment,
            What::Impulse => self.has_impulse,
            What::ImpulseMoment => self.has_impulse_moment,
        }
    }

    /// Adds a curve for each component of the moment.
    fn moments(&self, panel: Panel, what: What) -> Panel {
        let axes: &[&str] = if self.turns == 1 { &[""] } else { &AXES };
        let axes = axes.iter().enumerate();
        axes.fold(panel, |panel, (k, axis)| self.curve(panel, what, k, axis))
    }

    /// Adds a curve; the legend says where an impulse is one choice of several.
    fn curve(&self, panel: Panel, what: What, component: usize, axis: &str) -> Panel {
        let name = format!("{} {axis}", literal(self.name));
        let name = name.trim_end();
        let doubtful = match self.is_unique {
            true => name.to_owned(),
            false => format!("{name}, not unique"),
        };
        let at_events = |pick: &dyn Fn(&JointImpulseRecord) -> Option<f64>| {
            let events = self.record.events.iter();
            let values = events.filter_map(|event| {
                let impulse = event.joint_impulses.get(self.name)?;
                Some((event.time, pick(impulse)?))
            });
            values.collect::<Vec<_>>()
        };
        let Self {
            record,
            name: joint,
            ..
        } = self;
        match what {
            What::Force => panel.line(name, series::reaction(record, joint, component)),
            What::Moment => panel.line(name, series::moment(record, joint, component)),
            What::Impulse => {
                let points = at_events(&|impulse| impulse.force.get(component).copied());
                panel.stems(&doubtful, points)
            }
            What::ImpulseMoment => {
                let points = at_events(&|i| i.moment.components().get(component).copied());
                panel.stems(&doubtful, points)
            }
        }
    }
}

fn impulses_of<'a>(
    record: &'a RunRecord,
    joint: &str,
) -> impl Iterator<Item = &'a JointImpulseRecord> {
    let events = record.events.iter();
    events.filter_map(move |event| event.joint_impulses.get(joint))
}

fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    let finite = numbers
        .into_iter()
        .map(|x| x.abs())
        .filter(|x| x.is_finite());
    finite.fold(0.0, f64::max)
}

/// Whether a number is more than the round-off of a scale; a scale of zero has none.
fn is_beyond(number: f64, scale: f64) -> bool {
    number > ROUND_OFF * scale
}
