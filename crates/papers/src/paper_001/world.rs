//! Both simulations of section 4 by Carom, and Carom's matrices at random states.

use carom::contact_space::{self, ContactSpace, PlanarDelassus, PlanarVector};
use carom::multibody::State;
use carom::multibody::mechanism::{
    Contacts, Dynamics, Gap, JointForce, MassSolver, PlaneMechanism, Rows,
};
use carom::sim::record::{RunRecord, record};
use carom::sim::{Run, Setup, run};
use carom::{InputError, Override, Scenario, examples, read_scenario};

use super::pendulum::{Angles, Driving, Matrix, Pendulum};

/// One simulation: what it started from, the run, and the run with its names.
pub(super) struct Motion {
    pub(super) scenario: Scenario,
    pub(super) setup: Setup,
    pub(super) run: Run,
    pub(super) record: RunRecord,
}

/// Damping and torques for (3), which section 4 leaves out.
pub(super) const DRIVING: Driving = Driving {
    c: [0.37, 0.11],
    amplitude: [5.3, 2.9],
    frequency: [4.1, 6.7],
};

/// States at which equations are evaluated.
const STATES: usize = 200;

/// What every claim may ask for.
pub(super) struct World {
    /// The paper's parameters, as printed.
    pub(super) pendulum: Pendulum,
    pub(super) smooth: Motion,
    pub(super) rough: Motion,
    pub(super) states: Vec<RandomState>,
}

/// Carom's view of a random state, in the paper's coordinates ψ1, ψ2; t to the right.
pub(super) struct RandomState {
    pub(super) t: f64,
    pub(super) at: Angles,
    pub(super) mass: Matrix,
    /// ψ̈ with [`DRIVING`].
    pub(super) driven: [f64; 2],
    /// ψ̈ without.
    pub(super) free: [f64; 2],
    /// Reactions on the child at O and at A, without driving (N).
    pub(super) reactions: [JointForce; 2],
    pub(super) gap: f64,
    pub(super) v_n: f64,
    pub(super) v_t: f64,
    pub(super) w: PlanarDelassus,
    pub(super) kinetic: f64,
}

impl Motion {
    /// Runs a built-in scenario with some values changed.
    pub(super) fn of(name: &str, overrides: &[Override]) -> Result<Self, InputError> {
        let scenario = scenario(name, "", overrides)?;
        let mut setup = scenario.build_plane()?;
        let refuse = |error: carom::sim::SimError| InputError::whole(name, error.to_string());
        let run = run(&mut setup).map_err(refuse)?;
        let record = record(&mut setup, &run).map_err(refuse)?;
        Ok(Self {
            scenario,
            setup,
            run,
            record,
        })
    }

    /// Friction coefficient of its contact.
    pub(super) fn mu(&self) -> f64 {
        self.setup.rules[0].friction.mu_d()
    }
}

/// Relative coordinates of the mechanism into the paper's angles.
pub(super) fn angles(q: &[f64], v: &[f64]) -> Angles {
    Angles {
        psi: [q[0], q[0] + q[1]],
        rate: [v[0], v[0] + v[1]],
    }
}

fn scenario(name: &str, more: &str, overrides: &[Override]) -> Result<Scenario, InputError> {
    let example = examples::example(name)
        .ok_or_else(|| InputError::whole(name, "there is no such example"))?;
    read_scenario(example.file, &format!("{}{more}", example.text), overrides)
}

impl World {
    pub(super) fn new(pendulum: Pendulum, overrides: &[Override]) -> Result<Self, InputError> {
        let smooth = Motion::of("pendulum-smooth", overrides)?;
        let rough = Motion::of("pendulum-rough", overrides)?;
        let mut free = rough.setup.mechanism.clone();
        let mut driven = driven(overrides)?;
        let mut random = Random(1);
        let states = (0..STATES)
            .map(|_| RandomState::of(&mut free, &mut driven, &mut random))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            pendulum,
            smooth,
            rough,
            states,
        })
    }

    /// Both simulations, the smooth one first.
    pub(super) fn motions(&self) -> [&Motion; 2] {
        [&self.smooth, &self.rough]
    }
}

/// The same pendulum with dampers in its joints and torques on its bodies.
fn driven(overrides: &[Override]) -> Result<PlaneMechanism, InputError> {
    let Driving {
        c,
        amplitude: a,
        frequency: f,
    } = DRIVING;
    let torque = |name: &str, i: usize| {
        format!(
            "[loads.M{i}]\nbody = \"{name}\"\ntorque = {{ amplitude = {}, frequency = {} }}\n",
            a[i], f[i]
        )
    };
    let loads = format!("\n{}{}", torque("upper", 0), torque("lower", 1));
    let mut all = overrides.to_vec();
    for (joint, c) in ["O", "A"].into_iter().zip(c) {
        all.push(Override::parse(&format!("joints.{joint}.damping={c}"))?);
    }
    Ok(scenario("pendulum-rough", &loads, &all)?
        .build_plane()?
        .mechanism)
}

impl RandomState {
    fn of(
        free: &mut PlaneMechanism,
        driven: &mut PlaneMechanism,
        random: &mut Random,
    ) -> Result<Self, InputError> {
        let t = 10.0 * random.unit();
        let q = [random.between(3.2), random.between(6.4)];
        let v = [random.between(8.0), random.between(16.0)];
        let state = State::new(t, &q, &v);
        let relative = accelerations(free, state)?;
        let with = accelerations(driven, state)?;
        let mut reactions = Vec::new();
        free.reactions(state, &relative, &mut reactions);
        let mut mass = [0.0; 4];
        free.mass(state, &mut mass);
        let mut gaps = [Gap::default()];
        free.gaps(state, &mut gaps);
        let (w, v_contact) = contact(free, state, &mass)?;
        let absolute = |a: [f64; 2]| [a[0], a[0] + a[1]];
        Ok(Self {
            t,
            at: angles(&q, &v),
            mass: absolute_mass(mass),
            driven: absolute(with),
            free: absolute(relative),
            reactions: [reactions[0], reactions[1]],
            gap: gaps[0].gap,
            v_n: v_contact.n,
            v_t: v_contact.t,
            w,
            kinetic: free.energy(state).map_or(f64::NAN, |energy| energy.kinetic),
        })
    }
}

fn refuse(error: impl std::fmt::Display) -> InputError {
    InputError::whole("paper 001", error.to_string())
}

fn accelerations(mechanism: &mut PlaneMechanism, state: State<'_>) -> Result<[f64; 2], InputError> {
    let mut out = [0.0; 2];
    let solved = mechanism.accelerations(state, &mut MassSolver::default(), &mut out);
    solved.map_err(refuse).map(|()| out)
}

/// W and the velocity of the contact, from Carom's rows.
fn contact(
    mechanism: &mut PlaneMechanism,
    state: State<'_>,
    mass: &[f64],
) -> Result<(PlanarDelassus, PlanarVector), InputError> {
    let (mut normal, mut tangent) = ([0.0; 2], [0.0; 2]);
    let rows = Rows {
        normal: &mut normal,
        tangent: &mut tangent,
    };
    mechanism.contact_rows(state, 0, rows);
    let mut space = ContactSpace::new();
    let reduced = space.reduce(&contact_space::Mechanism {
        mass,
        velocity: state.v,
        rows: &[normal, tangent].concat(),
        constraints: &[],
    });
    reduced.map_err(refuse)?;
    space.planar(0, 1).map_err(refuse)
}

/// `Bᵀ M B` with `v_relative = B v_absolute`, `B = [[1, 0], [−1, 1]]`.
fn absolute_mass([a, b, c, d]: [f64; 4]) -> Matrix {
    [[a - b - c + d, b - d], [c - d, d]]
}

/// Numbers without pattern, the same every time (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    /// From 0 to 1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From `−bound` to `bound`.
    pub(super) fn between(&mut self, bound: f64) -> f64 {
        bound * (2.0 * self.unit() - 1.0)
    }
}
