//! What the run of a scene comes to, by the bar it is held to.

use std::collections::BTreeSet;

use carom_contact::impact::{Law, NoteCode};
use carom_multibody::State;
use carom_multibody::mechanism::{Gap, Mechanism};
use carom_scenario::read_scenario;
use carom_sim::record::{EndKind, EventKind, EventRecord, RunRecord, record};
use carom_sim::{ContactMode, Event, Run, Setup, Watch, run_watched};

use crate::invariance::scene::Scene;

/// Depth of an overlap, as part of the size of what moves.
const DEPTH: f64 = 1e-9;
/// Growth of the energy, as part of the largest term of the ledger.
const GROWTH: f64 = 1e-9;
/// Velocities after an impact that differ by more, as part of the largest, are two.
const APART: f64 = 1e-7;
/// Rows of the trajectory of a run.
const ROWS: usize = 501;

/// What the run of a scene comes to.
pub(super) struct Told {
    pub(super) run: RunRecord,
    /// The deepest overlap at a row, as part of the size of what moves; when, and of which contact.
    pub(super) depth: (f64, f64, usize),
    /// The largest growth of the energy, as part of the largest term of the ledger, and when.
    pub(super) growth: (f64, f64),
    /// Contacts that are closed in one row and open in the next, or the reverse, without an event.
    pub(super) lapses: Vec<String>,
}

impl Told {
    /// Runs a scene; `watch` may stop it.
    pub(super) fn of(scene: &Scene, watch: impl FnMut() -> bool) -> Result<Self, String> {
        let text = scene.toml();
        let scenario = read_scenario("scene.toml", &text, &[]).map_err(|e| e.render())?;
        let mut setup = scenario.build().map_err(|e| e.render())?;
        setup.options.samples = ROWS;
        Self::of_setup(&mut *setup, watch)
    }

    fn of_setup(
        setup: &mut Setup<dyn Mechanism>,
        mut is_over: impl FnMut() -> bool,
    ) -> Result<Self, String> {
        let mut watch = |_| match is_over() {
            true => Watch::Stop,
            false => Watch::GoOn,
        };
        let done = run_watched(setup, &mut watch).map_err(|error| error.to_string())?;
        let run = record(setup, &done).map_err(|error| error.to_string())?;
        Ok(Self {
            depth: deepest(setup, &done),
            growth: growth(&run),
            lapses: lapses(&done, setup.rules.len()),
            run,
        })
    }

    /// What breaks the bar.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = self.lapses.clone();
        let end = &self.run.end;
        let is_end_of_mechanics = matches!(
            end.kind,
            EndKind::Duration | EndKind::NoAnswer | EndKind::SeveralAnswers | EndKind::Jammed
        );
        if !is_end_of_mechanics {
            faults.push(format!("end {}: {}", end.kind.name(), end.reason));
        }
        let (depth, time, contact) = self.depth;
        if depth > DEPTH {
            faults.push(format!(
                "contact {contact} overlaps by {depth:.1e} at {time} s"
            ));
        }
        faults.extend(tie(&self.run));
        let (growth, time) = self.growth;
        if growth > GROWTH {
            faults.push(format!("energy grows by {growth:.1e} up to {time} s"));
        }
        faults
    }

    fn count(&self, kind: EventKind) -> usize {
        let events = self.run.events.iter();
        events.filter(|event| event.kind == kind).count()
    }

    /// The modes that contacts take.
    pub(super) fn modes(&self) -> BTreeSet<&str> {
        let events = self.run.events.iter();
        let modes = events.flat_map(|event| event.modes_after.values());
        modes.map(String::as_str).collect()
    }

    /// A line for each event.
    pub(super) fn events(&self) -> String {
        let events = self.run.events.iter().map(|event| {
            let contacts = event.contacts.iter().map(|contact| {
                let speed = contact.velocity_before.normal.unwrap_or(0.0);
                format!("{} {speed:.2e}", contact.name)
            });
            let contacts: Vec<String> = contacts.collect();
            let notes: Vec<_> = event.notes.iter().map(|note| note.code).collect();
            format!(
                "{} {:?} {} [{}] then {:?} gains {:?} {notes:?}",
                event.index,
                event.time,
                event.kind.name(),
                contacts.join(", "),
                event.modes_after,
                event.energy_change
            )
        });
        events.collect::<Vec<_>>().join("\n")
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let run = &self.run;
        let (residual, friction) = run.ledger.as_ref().map_or((0.0, 0.0), |ledger| {
            let scale = ledger.entries.scale;
            (ledger.residual / scale, ledger.entries.friction / scale)
        });
        let counts = [
            EventKind::Impact,
            EventKind::Accumulation,
            EventKind::Stick,
            EventKind::Slip,
            EventKind::Reverse,
            EventKind::Release,
        ];
        let counts = counts.map(|kind| format!("{} {}", kind.name(), self.count(kind)));
        format!(
            "{} t={:.3} events={} ({}) steps={} pen={:.1e}@{:.3}#{} res={residual:.1e} \
             gain={:.1e}@{:.3} fric={friction:.1e} modes={:?} {} | {}",
            run.end.kind.name().to_uppercase(),
            run.time,
            run.events.len(),
            counts.join(", "),
            run.effort.steps_accepted,
            self.depth.0,
            self.depth.1,
            self.depth.2,
            self.growth.0,
            self.growth.1,
            self.modes(),
            self.lapses.join("; "),
            run.end.reason
        )
    }
}

fn deepest(setup: &mut Setup<dyn Mechanism>, done: &Run) -> (f64, f64, usize) {
    let mechanism = &mut setup.mechanism;
    let size = mechanism.extent();
    let mut gaps = vec![Gap::default(); mechanism.contacts()];
    let mut deepest = (0.0f64, 0.0, 0);
    for sample in &done.samples {
        let state = State::new(sample.time, &sample.q, &sample.v);
        mechanism.gaps(state, &mut gaps);
        for (contact, gap) in gaps.iter().enumerate() {
            let depth = -gap.gap / size;
            if depth > deepest.0 && mechanism.owns_touch(state, contact) {
                deepest = (depth, sample.time, contact);
            }
        }
    }
    deepest
}

/// Whether an impact says that its law makes energy.
fn says_gain(event: &EventRecord) -> bool {
    let mut notes = event.notes.iter();
    event.law != Some(Law::Energetic) && notes.any(|note| note.code == NoteCode::EnergyGain)
}

/// Nothing drives these scenes: the energy of no row, and of no side of an event, is above an earlier one, but by what
/// laws of impact are said to make.
fn growth(run: &RunRecord) -> (f64, f64) {
    let Some(ledger) = &run.ledger else {
        return (f64::INFINITY, 0.0);
    };
    let gains = run.events.iter().map(|event| match says_gain(event) {
        true => event.energy_change.unwrap_or(0.0),
        false => 0.0,
    });
    let gains: Vec<f64> = gains.collect();
    let made = |events: usize| gains[..events].iter().sum::<f64>();
    let before = |time: f64| run.events.iter().filter(|event| event.time < time).count();
    let mut most = (0.0, 0.0);
    let mut note = |gain: f64, time: f64| {
        if gain / ledger.entries.scale > most.0 {
            most = (gain / ledger.entries.scale, time);
        }
    };
    let around = run.around_events.iter().map(|columns| (columns, true));
    let rows = run.trajectory.iter().map(|columns| (columns, false));
    for (columns, is_around) in rows.chain(around) {
        let mut least = f64::INFINITY;
        let parts = columns.kinetic.iter().zip(&columns.potential);
        for (row, ((kinetic, potential), time)) in parts.zip(&columns.time).enumerate() {
            let events = if is_around {
                row.div_ceil(2)
            } else {
                before(*time)
            };
            let energy = kinetic + potential - made(events);
            note(energy - least, *time);
            least = least.min(energy);
        }
    }
    for event in run.events.iter().filter(|event| !says_gain(event)) {
        note(event.energy_change.unwrap_or(0.0), event.time);
    }
    most
}

/// What is wrong with an end for the want of a unique velocity: it names the key that goes on, and the velocities it
/// has found differ.
fn tie(run: &RunRecord) -> Option<String> {
    let end = &run.end;
    let is_impact = end.answers.is_empty() && end.continua.is_empty();
    if end.kind != EndKind::SeveralAnswers || !is_impact {
        return None;
    }
    if !end.reason.contains("run.simultaneous = \"path\"") {
        return Some(format!("no way on is named: {}", end.reason));
    }
    let outcomes = run.events.last().map_or(&[][..], |last| &last.outcomes);
    let found: Vec<&Vec<f64>> = outcomes
        .iter()
        .filter_map(|o| o.velocity.as_ref())
        .collect();
    let apart = found.iter().skip(1).any(|other| {
        let pairs = || found[0].iter().zip(other.iter());
        let largest = pairs().fold(0.0f64, |most, (a, b)| most.max(a.abs()).max(b.abs()));
        pairs().any(|(a, b)| (a - b).abs() > APART * largest)
    });
    (!apart).then(|| format!("{} outcomes do not differ", found.len()))
}

fn is_closed(modes: &[(usize, ContactMode)], contact: usize) -> bool {
    let mut modes = modes.iter();
    modes.any(|(closed, mode)| *closed == contact && *mode != ContactMode::Open)
}

fn lapses(done: &Run, contacts: usize) -> Vec<String> {
    let mut lapses = Vec::new();
    for rows in done.samples.windows(2) {
        let [one, two] = [&rows[0].modes, &rows[1].modes];
        let changed = (0..contacts).filter(|c| is_closed(one, *c) != is_closed(two, *c));
        let between = |event: &&Event| rows[0].time <= event.time && event.time <= rows[1].time;
        let is_told = |contact: usize| {
            let mut events = done.events.iter().filter(between);
            let changes = |event: &Event| {
                event.contacts().contains(&contact)
                    || is_closed(&event.modes_before, contact)
                        != is_closed(&event.modes_after, contact)
            };
            events.any(changes)
        };
        for contact in changed.filter(|contact| !is_told(*contact)) {
            lapses.push(format!(
                "contact {contact} changes between rows at {} s and {} s without an event",
                rows[0].time, rows[1].time
            ));
        }
    }
    lapses
}
