//! States under their names.

use carom_multibody::State;
use carom_multibody::mechanism::{
    Contacts, Drawing, Gap, Group, JointForce, MassSolver, Mechanism, Positions,
};
use carom_multibody::scene::Scene;
use indexmap::IndexMap;

use super::carried::Carried;
use super::{FinalState, ForceSeries, JointColumns, Moment, PerJoint, ReactionSeries, Trajectory};
use crate::scale::Scale;
use crate::{ContactMode, Event, Options, Rule, Sample};

/// The joints of a mechanism and their coordinates.
pub(super) struct Names {
    groups: Vec<Group>,
}

impl Names {
    pub(super) fn of(mechanism: &dyn Drawing) -> Self {
        Self {
            groups: mechanism.groups(),
        }
    }

    pub(super) fn joints(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|group| group.name.as_str())
    }

    pub(super) fn columns(&self) -> Vec<JointColumns> {
        let columns = |group: &Group| JointColumns {
            name: group.name.clone(),
            kind: group.kind.to_owned(),
            coordinates: group.positions.clone(),
            units: group.units.iter().map(|unit| (*unit).to_owned()).collect(),
        };
        self.groups.iter().map(columns).collect()
    }

    /// Coordinates and rates, joint by joint.
    pub(super) fn state(
        &self,
        mechanism: &mut dyn Drawing,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> FinalState {
        let mut all = Positions::default();
        mechanism.coordinates(State::new(t, q, v), &mut all);
        let positions = |group: &Group| group.positions.len();
        FinalState {
            coordinates: self.shared_out(&all.q, positions),
            rates: self.shared_out(&all.v, |group| group.rates),
        }
    }

    fn shared_out(&self, numbers: &[f64], count: impl Fn(&Group) -> usize) -> PerJoint {
        let mut rest = numbers;
        let mut shared = PerJoint::new();
        for group in &self.groups {
            let (own, others) = rest.split_at(count(group));
            shared.insert(group.name.clone(), own.to_vec());
            rest = others;
        }
        shared
    }
}

/// The sampled motion with what goes with it: energies, reactions, gaps, poses.
pub(super) fn trajectory(
    mechanism: &mut dyn Mechanism,
    rules: &[Rule],
    names: &Names,
    samples: impl Iterator<Item = Sample>,
) -> Trajectory {
    let samples: Vec<Sample> = samples.collect();
    let scale = samples.first().map(|start| scale(mechanism, start));
    let carried = Carried::new(&scale.unwrap_or_default(), mechanism.dimension());
    let mut columns = Columns::new(mechanism, rules, names, carried);
    let is_closed = |contact: usize| move |(closed, _): &(usize, ContactMode)| *closed == contact;
    for (contact, rule) in rules.iter().enumerate() {
        let mut modes = samples.iter().flat_map(|sample| &sample.modes);
        if modes.any(is_closed(contact)) {
            let forces = &mut columns.trajectory.contact_forces;
            forces.insert(rule.name.clone(), ForceSeries::default());
            columns
                .trajectory
                .modes
                .insert(rule.name.clone(), Vec::new());
        }
    }
    for sample in &samples {
        columns.add(mechanism, names, rules, sample);
    }
    let shared = columns.carried.shared.iter();
    columns.trajectory.shared_forces = shared.map(|c| rules[*c].name.clone()).collect();
    let chosen = columns.carried.chosen.iter();
    columns.trajectory.chosen_forces = chosen.map(|c| rules[*c].name.clone()).collect();
    columns.trajectory
}

/// The sizes of the motion at a sample.
fn scale(mechanism: &mut dyn Contacts, sample: &Sample) -> Scale {
    let Sample { time, q, v, .. } = sample;
    let state = State::new(*time, q, v);
    Scale::of(mechanism, state, &Options::default())
}

/// The states before and after an event.
pub(super) fn sides(event: &Event) -> [Sample; 2] {
    let closed = |modes: &[(usize, ContactMode)]| {
        let closed = modes.iter().filter(|(_, mode)| *mode != ContactMode::Open);
        closed.copied().collect()
    };
    [
        Sample {
            time: event.time,
            q: event.q.clone(),
            v: event.v_pre.clone(),
            modes: closed(&event.modes_before),
            ways: event.ways_before.clone(),
            is_start: false,
        },
        Sample {
            time: event.time,
            q: event.q_post.clone(),
            v: event.v_post.clone(),
            modes: closed(&event.modes_after),
            ways: event.ways_after.clone(),
            is_start: true,
        },
    ]
}

/// A trajectory that grows, with its buffers.
struct Columns {
    trajectory: Trajectory,
    solver: MassSolver,
    acceleration: Vec<f64>,
    reactions: Vec<JointForce>,
    gaps: Vec<Gap>,
    poses: Vec<f64>,
    carried: Carried,
}

impl Columns {
    fn new(mechanism: &dyn Mechanism, rules: &[Rule], names: &Names, carried: Carried) -> Self {
        let mut trajectory = Trajectory::default();
        for group in &names.groups {
            let name = || group.name.clone();
            let positions = vec![Vec::new(); group.positions.len()];
            trajectory.coordinates.insert(name(), positions);
            trajectory
                .rates
                .insert(name(), vec![Vec::new(); group.rates]);
        }
        for (contact, rule) in rules.iter().enumerate() {
            trajectory.gaps.insert(rule.name.clone(), Vec::new());
            let unit = mechanism.gap_unit(contact).to_owned();
            trajectory.gap_units.insert(rule.name.clone(), unit);
        }
        let columns = mechanism.dimension().pose();
        for body in mechanism.scene().iter().flat_map(Scene::names) {
            let pose = vec![Vec::new(); columns];
            trajectory.poses.insert(body.to_owned(), pose);
        }
        Self {
            trajectory,
            solver: MassSolver::default(),
            acceleration: vec![0.0; mechanism.rates()],
            reactions: Vec::new(),
            gaps: vec![Gap::default(); mechanism.contacts()],
            poses: Vec::new(),
            carried,
        }
    }

    fn add(
        &mut self,
        mechanism: &mut dyn Mechanism,
        names: &Names,
        rules: &[Rule],
        sample: &Sample,
    ) {
        let Sample { time, q, v, .. } = sample;
        let (q, v) = (q.as_slice(), v.as_slice());
        let state = State::new(*time, q, v);
        self.trajectory.time.push(*time);
        let named = names.state(mechanism, *time, q, v);
        append(&mut self.trajectory.coordinates, &named.coordinates);
        append(&mut self.trajectory.rates, &named.rates);
        if let Some(energy) = mechanism.energy(state) {
            self.trajectory.kinetic.push(energy.kinetic);
            self.trajectory
                .potential
                .push(energy.gravity + energy.springs);
        }
        self.carried.weigh(mechanism, state, sample, rules);
        self.add_reactions(mechanism, names, state);
        self.carried
            .write(&mut self.trajectory.contact_forces, rules);
        write_modes(&mut self.trajectory.modes, rules, sample);
        mechanism.gaps(state, &mut self.gaps);
        for (column, gap) in self.trajectory.gaps.values_mut().zip(&self.gaps) {
            column.push(gap.gap);
        }
        mechanism.poses(state, &mut self.poses);
        let columns = self.trajectory.poses.values_mut().flatten();
        for (column, number) in columns.zip(&self.poses) {
            column.push(*number);
        }
    }

    /// Forces through the joints; none where the mechanism has no acceleration.
    fn add_reactions(&mut self, mechanism: &mut dyn Contacts, names: &Names, state: State<'_>) {
        let moves = mechanism.accelerations(state, &mut self.solver, &mut self.acceleration);
        if moves.is_err() {
            return;
        }
        mechanism.reactions(state, &self.acceleration, &mut self.reactions);
        let carried = &mut self.carried;
        carried.add_reactions(mechanism, state, &self.acceleration, &mut self.reactions);
        let dimension = mechanism.dimension();
        for (name, force) in names.joints().zip(&self.reactions) {
            let series = self.trajectory.reactions.entry(name.to_owned());
            let series = series.or_insert_with(|| ReactionSeries {
                force: vec![Vec::new(); dimension.axes()],
                moment: Moment::columns(dimension),
            });
            for (column, number) in series.force.iter_mut().zip(force.force) {
                column.push(number);
            }
            series.moment.push(&Moment::of(force.moment, dimension));
        }
    }
}

/// Appends what the contacts do to their columns.
fn write_modes(columns: &mut IndexMap<String, Vec<String>>, rules: &[Rule], sample: &Sample) {
    for (contact, rule) in rules.iter().enumerate() {
        let Some(column) = columns.get_mut(&rule.name) else {
            continue;
        };
        let mode = sample.modes.iter().find(|(closed, _)| *closed == contact);
        let mode = mode.map_or(ContactMode::Open, |(_, mode)| *mode);
        column.push(mode.name().to_owned());
    }
}

fn append(columns: &mut IndexMap<String, Vec<Vec<f64>>>, numbers: &PerJoint) {
    let numbers = numbers.values().flatten();
    for (column, number) in columns.values_mut().flatten().zip(numbers) {
        column.push(*number);
    }
}
