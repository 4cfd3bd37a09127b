//! Friction at one instant: the forward problem of a mechanism at its start.
//!
//! ```text
//! M v̇ + h + f = Jᵀλ,    f_i = μ_i sgn(v_i) |N_i|,    N = C v̇ + d
//! ```
//!
//! A joint whose load has a fixed direction carries `N = n·F + m·M + offset` of what goes through it,
//! and that is affine in the accelerations: C is the answer of the joint to a unit jump of each rate,
//! d what it carries without acceleration. Contacts that touch and do not approach press or lift off; those
//! with friction in space, and those that load a joint with friction there, are posed in contact space.
//!
//! Derivation in `docs/theory/forward-friction.md`.

use carom_contact::contact_space::{Friction, GivenFriction};
use carom_contact::forward::ForwardProblem;
use carom_contact::forward::space::SpatialForward;
use carom_contact::impact::Law;
use carom_multibody::algebra::JointKind;
use carom_multibody::mechanism::{
    Contacts, Dimension, Dynamics, Gap, JointForce, MassSolver, Mechanism,
};
use carom_multibody::{Algebra, JointId, Placed, State};

use super::{in_space, independent};
use crate::contact::rows::ContactRows;
use crate::contact::standing::{self, Touch};
use crate::scale::Scale;
use crate::{Rule, Setup, SimError};

/// Friction in a joint of one coordinate whose load has a fixed direction.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedJoint {
    /// The joint, as [`Drawing::groups`](carom_multibody::mechanism::Drawing::groups) counts them.
    pub joint: usize,
    /// Its rate.
    pub rate: usize,
    /// Direction n of the force in the load, world axes.
    pub force: [f64; 3],
    /// Direction m of the moment in the load, world axes (1/m).
    pub moment: [f64; 3],
    /// What adds to the load (N), the share of the joint's own drive, spring and damper included.
    pub offset: f64,
    /// How much of the offset a unit of the driving force makes.
    pub offset_per_force: f64,
    /// Force along the coordinate per friction force: 1 m/m of a guide, `√(r² + l²)` of a thread.
    pub arm: f64,
    /// Coefficients of friction.
    pub friction: GivenFriction,
}

/// Coulomb friction of a joint, as it is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rubbing {
    /// The joint.
    pub joint: JointId,
    /// Coefficients.
    pub friction: Friction,
    /// Pitch radius of a thread (m); nothing reads that of a guide.
    pub radius: f64,
    /// What adds to the load (N).
    pub preload: f64,
}

impl LoadedJoint {
    /// The friction of a joint of a model at a state; none where its load has no fixed direction.
    pub fn of<A: Algebra>(
        placed: &Placed<'_, A>,
        state: State<'_>,
        given: Rubbing,
    ) -> Option<Self> {
        let record = &placed.model().joints()[given.joint.index()];
        let rotation = placed.joint_frame(given.joint).rotation;
        let joint = &record.joint;
        let reading = joint.kind.load(rotation, given.radius)?;
        let rate = record.rates.start;
        let own = joint.force(state.t, state.q[record.positions.start], state.v[rate]);
        Some(Self {
            joint: given.joint.index(),
            rate,
            force: reading.force,
            moment: reading.moment,
            offset: reading.own * own + given.preload,
            offset_per_force: reading.own,
            arm: reading.arm,
            friction: given.friction.into(),
        })
    }

    pub(super) fn load(&self, through: &[JointForce]) -> f64 {
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let reaction = through.get(self.joint).copied().unwrap_or_default();
        dot(&self.force, &reaction.force) + dot(&self.moment, &reaction.moment)
    }
}

/// A mechanism at its start, as a forward problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Instant {
    /// The problem, in the rates of the mechanism, of closed loops in those that they leave independent; without
    /// contacts where `space` has them.
    pub problem: ForwardProblem,
    /// Contacts in space with friction, or that load a joint with friction, with all joints beside them.
    pub space: Option<Box<SpatialForward>>,
    /// Names of the rates of the problem.
    pub coordinates: Vec<String>,
    /// Names of the contacts that touch.
    pub contacts: Vec<String>,
    /// Force along each coordinate per friction force of its element, where it has one.
    pub arms: Vec<Option<f64>>,
    /// How much of each load a unit of the driving force makes.
    pub loads_per_force: Vec<f64>,
    /// Restitution of the contact, for the impact that may follow; of several, the first's.
    pub restitution: f64,
    /// Its law.
    pub law: Law,
}

/// Why a start has no forward problem.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InstantError {
    /// The start is refused.
    Start(SimError),
    /// A contact approaches: the instant is an impact.
    Approaches {
        /// Name of the contact.
        contact: String,
        /// Its normal velocity.
        v_n: f64,
    },
    /// A joint closes a loop in a mechanism with friction in joints.
    Loop {
        /// Name of the joint.
        joint: String,
    },
    /// A contact that touches resists pivoting.
    Pivoting {
        /// Name of the contact.
        contact: String,
        /// Its spin radius (m).
        radius: f64,
    },
    /// The load of a joint with friction depends on the force of a contact.
    LoadedByContact {
        /// Name of the joint.
        joint: String,
        /// Name of the contact.
        contact: String,
    },
}

impl std::fmt::Display for InstantError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(error) => write!(f, "{error}"),
            Self::Approaches { contact, v_n } => write!(
                f,
                "contact {contact} touches and approaches at {} m/s: an impact; expected a normal \
                 velocity of 0 (sliding, rolling, rest), or a gap",
                -v_n
            ),
            Self::Pivoting { contact, radius } => write!(
                f,
                "contact {contact} touches and resists pivoting at a spin radius of {radius} m: not offered yet in \
                 forward problems; expected 0"
            ),
            Self::Loop { joint } => write!(
                f,
                "joint {joint} closes a loop, whose reactions load joints with friction: not offered yet; \
                 expected joints without friction, or a mechanism without loops"
            ),
            Self::LoadedByContact { joint, contact } => write!(
                f,
                "the load of joint {joint} depends on the force of contact {contact}: not offered yet; \
                 expected friction in joints that the contact does not load"
            ),
        }
    }
}

impl std::error::Error for InstantError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            _ => None,
        }
    }
}

/// Velocities below this fraction of the terms they are the sum of are zero.
const SETTLED: f64 = 1e-12;

/// What acts at the instant beyond what the mechanism says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Acting {
    /// Friction in joints.
    pub frictions: Vec<LoadedJoint>,
    /// Driving force of each rate: τ, taken out of the bias.
    pub forces: Vec<f64>,
    /// Name of each rate.
    pub coordinates: Vec<String>,
}

/// The forward problem of a mechanism at its start.
pub fn instant(
    setup: &mut Setup<dyn Mechanism + '_>,
    acting: Acting,
) -> Result<Instant, InstantError> {
    let frictions = &acting.frictions;
    crate::check(setup).map_err(InstantError::Start)?;
    let (q, v) = setup.start().map_err(InstantError::Start)?;
    let state = State::new(0.0, &q, &v);
    let mechanism = &mut setup.mechanism;
    let scale = Scale::of(mechanism, state, &setup.options);
    let mut found = Instant {
        problem: balance(mechanism, state, &acting.forces),
        space: None,
        coordinates: acting.coordinates,
        contacts: Vec::new(),
        arms: vec![None; v.len()],
        loads_per_force: vec![0.0; v.len()],
        restitution: 0.0,
        law: Law::Poisson,
    };
    if !frictions.is_empty() {
        add_loads(&mut found, mechanism, state, frictions);
    }
    let mut free = vec![0.0; v.len()];
    let moved = mechanism.accelerations(state, &mut MassSolver::default(), &mut free);
    moved.map_err(|source| InstantError::Start(SimError::Singular { time: 0.0, source }))?;
    let moment = Moment {
        state,
        free: &free,
        scale: &scale,
    };
    add_contacts(&mut found, mechanism, moment, &setup.rules, frictions)?;
    Ok(found)
}

/// The state of the instant, the accelerations without contact forces, and what they are measured by.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) state: State<'a>,
    pub(super) free: &'a [f64],
    pub(super) scale: &'a Scale,
}

/// `M`, `h` without the driving forces, and these.
fn balance(mechanism: &mut dyn Dynamics, state: State<'_>, forces: &[f64]) -> ForwardProblem {
    let n = state.v.len();
    let (mut mass, mut bias) = (vec![0.0; n * n], vec![0.0; n]);
    mechanism.mass(state, &mut mass);
    mechanism.bias(state, &mut bias);
    let sums = bias.iter().zip(forces).map(|(h, force)| h + force);
    ForwardProblem {
        inertia: mass.chunks(n.max(1)).map(<[f64]>::to_vec).collect(),
        bias: sums.collect(),
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: state.v.to_vec(),
        force: forces.to_vec(),
        contacts: Vec::new(),
    }
}

/// C and d of the joints with friction; the other coordinates carry nothing.
fn add_loads(
    found: &mut Instant,
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    frictions: &[LoadedJoint],
) {
    let n = state.v.len();
    let mut through = Vec::new();
    let mut c = vec![vec![0.0; n]; n];
    let mut unit = vec![0.0; n];
    for k in 0..n {
        unit[k] = 1.0;
        mechanism.impulse_reactions(state, &unit, &[], &mut through);
        unit[k] = 0.0;
        for element in frictions {
            c[element.rate][k] = element.load(&through);
        }
    }
    mechanism.reactions(state, &unit, &mut through);
    let mut d = vec![0.0; n];
    let mut coefficients = vec![GivenFriction::default(); n];
    for element in frictions {
        d[element.rate] = element.load(&through) + element.offset;
        coefficients[element.rate] = element.friction.times(element.arm);
        found.arms[element.rate] = Some(element.arm);
        found.loads_per_force[element.rate] = element.offset_per_force;
    }
    found.problem.load_matrix = c;
    found.problem.load_offset = d;
    found.problem.friction = coefficients;
}

/// The contacts that touch and neither approach nor leave.
fn add_contacts(
    found: &mut Instant,
    mechanism: &mut dyn Mechanism,
    at: Moment<'_>,
    rules: &[Rule],
    frictions: &[LoadedJoint],
) -> Result<(), InstantError> {
    let mut touches = Vec::new();
    for (contact, slip) in touching(mechanism, at, rules)? {
        let rule = &rules[contact];
        if rule.spin_radius > 0.0 {
            return Err(InstantError::Pivoting {
                contact: rule.name.clone(),
                radius: rule.spin_radius,
            });
        }
        if touches.is_empty() {
            (found.restitution, found.law) = (rule.restitution, rule.law);
        }
        touches.push(Touch::of(mechanism, contact, slip, rule));
        found.contacts.push(rule.name.clone());
    }
    let is_rough = touches.iter().any(Touch::is_rough);
    let loaded = first_loaded(mechanism, at.state, &touches, frictions);
    let has_loops = mechanism.constraints() > 0;
    let is_in_space = mechanism.dimension() == Dimension::Space
        && (is_rough || loaded.is_some() || (has_loops && !touches.is_empty()));
    refuse_loops(mechanism, frictions)?;
    if is_in_space {
        let mut posed = in_space::posed(mechanism, at, &touches, &found.problem, frictions)?;
        if loaded.is_none() && !has_loops {
            let contacts = in_space::sliding(mechanism, at, &posed, &touches);
            posed.sliding = contacts.map(|contacts| {
                let system = found.problem.clone();
                Box::new(ForwardProblem { contacts, ..system })
            });
        }
        found.space = Some(Box::new(posed));
        return Ok(());
    }
    if let Some((joint, contact)) = loaded {
        return Err(InstantError::LoadedByContact {
            joint: mechanism.groups()[joint].name.clone(),
            contact: rules[contact].name.clone(),
        });
    }
    for touch in &touches {
        let rows = ContactRows::of(mechanism, at.state, touch.contact);
        let closed = standing::contact(&rows, touch, at.free, at.scale);
        found.problem.contacts.push(closed);
    }
    if has_loops {
        independent::eliminate(found, mechanism, at.state);
    }
    Ok(())
}

/// Refuses closed loops beside friction in joints: what these carry depends on the reactions of the loops.
fn refuse_loops(
    mechanism: &mut dyn Contacts,
    frictions: &[LoadedJoint],
) -> Result<(), InstantError> {
    match mechanism.closures().into_iter().next() {
        Some(closure) if !frictions.is_empty() => Err(InstantError::Loop {
            joint: closure.name,
        }),
        _ => Ok(()),
    }
}

/// The contacts that touch and neither approach nor leave, with their slips.
fn touching(
    mechanism: &mut dyn Contacts,
    at: Moment<'_>,
    rules: &[Rule],
) -> Result<Vec<(usize, [f64; 2])>, InstantError> {
    let state = at.state;
    let mut gaps = vec![Gap::default(); mechanism.contacts()];
    mechanism.gaps(state, &mut gaps);
    let mut found = Vec::new();
    for (contact, (gap, rule)) in gaps.iter().zip(rules).enumerate() {
        let meets = gap.gap.abs() <= at.scale.meeting(contact, state.q);
        if !meets || !mechanism.owns_touch(state, contact) {
            continue;
        }
        let rows = ContactRows::of(mechanism, state, contact);
        let drift = rows.drift(0).velocity;
        let v_n = settled(rows.normal(0), state.v, drift.n);
        if v_n < 0.0 {
            let contact = rule.name.clone();
            return Err(InstantError::Approaches { contact, v_n });
        }
        if v_n == 0.0 {
            let mut slip = [0.0; 2];
            for ((slip, row), drift) in slip.iter_mut().zip(rows.tangents(0)).zip(drift.t) {
                *slip = settled(row, state.v, drift);
            }
            found.push((contact, slip));
        }
    }
    Ok(found)
}

/// `row · v + drift`, zero where that is round-off of its terms.
fn settled(row: &[f64], v: &[f64], drift: f64) -> f64 {
    let terms = row.iter().zip(v).map(|(j, v)| j * v);
    let sum = terms.clone().sum::<f64>() + drift;
    let size = terms.map(f64::abs).sum::<f64>() + drift.abs();
    if sum.abs() <= SETTLED * size {
        0.0
    } else {
        sum
    }
}

/// The first joint with friction whose load the force of a contact would change, and that contact.
fn first_loaded(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    touches: &[Touch],
    frictions: &[LoadedJoint],
) -> Option<(usize, usize)> {
    touches.iter().find_map(|touch| {
        let along = match touch.is_rough() {
            true => 1 + mechanism.dimension().tangents(),
            false => 1,
        };
        let loads = in_space::loads(mechanism, state, touch.contact, frictions);
        let is_loaded = |j: &usize| loads[..along].iter().any(|by| by[*j].abs() > SETTLED);
        let j = (0..frictions.len()).find(is_loaded)?;
        Some((frictions[j].joint, touch.contact))
    })
}
