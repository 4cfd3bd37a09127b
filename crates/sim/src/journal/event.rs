//! What interrupted the motion.

use carom_contact::impact::planar::{PlanarImpact, PlanarSolution};
use carom_contact::impact::{ImpactProblem, ImpactResult, Law, Method, Outcome};
use carom_multibody::State;
use carom_multibody::mechanism::JointForce;

use crate::contact::mode::ContactMode;
use crate::contact::way::FixedWays;

/// An event of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When (s).
    pub time: f64,
    /// Positions before.
    pub q: Vec<f64>,
    /// Rates before.
    pub v_pre: Vec<f64>,
    /// Positions after; those before unless a reset changed them.
    pub q_post: Vec<f64>,
    /// Rates after; those before when an impact has no end, or none of its several outcomes is taken.
    pub v_post: Vec<f64>,
    /// What happened.
    pub what: Happening,
    /// Change of energy (J), work of prescribed motions included; none where it is not known, or no
    /// outcome is taken.
    pub energy_change: Option<f64>,
    /// Work that prescribed motions did in the instant (J).
    pub motion_work: f64,
    /// Reaction impulse of every joint, in the order of the groups of the mechanism.
    pub joint_impulses: Vec<JointForce>,
    /// The contacts that were closed up to the event, and what they did.
    pub modes_before: Vec<(usize, ContactMode)>,
    /// What the contacts of the event and those closed after it do then.
    pub modes_after: Vec<(usize, ContactMode)>,
    /// The fixed ways of the contacts that slid in space up to the event.
    pub ways_before: FixedWays,
    /// The same of those that slide after it.
    pub ways_after: FixedWays,
}

/// What happened in an event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Happening {
    /// One contact collided.
    Impact(Box<Impact>),
    /// Several contacts collided together.
    Collision(Collision),
    /// A guard of the system's own fired, and its reset map was applied.
    Reset {
        /// The guard.
        guard: usize,
    },
    /// Contacts that stay closed change their mode.
    Transition {
        /// How.
        kind: Transition,
        /// Which.
        contacts: Vec<usize>,
    },
    /// Impacts piled up, and the motion was taken to their limit.
    Accumulation(Accumulation),
    /// No acceleration was consistent with friction: a contact collided although nothing approached.
    WithoutCollision(WithoutCollision),
}

/// How closed contacts change their mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// The normal force vanished: the contact opens.
    Release,
    /// The slip vanished, and friction holds the contact.
    Stick,
    /// Friction reached its cone: the contact slips.
    Slip,
    /// The slip vanished and goes on the other way, in space another way.
    Reverse,
}

/// Impacts without number in finite time.
#[derive(Debug, Clone, PartialEq)]
pub struct Accumulation {
    /// The contacts that struck.
    pub contacts: Vec<usize>,
    /// The last interval between impacts that was computed, or round of several (s).
    pub interval: f64,
    /// Ratio of successive intervals.
    pub ratio: f64,
    /// The instant they lead to (s).
    pub limit: f64,
    /// How far that may be off (s), as estimated.
    pub bound: f64,
}

/// An impact without collision.
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutCollision {
    /// The contacts that touched.
    pub contacts: Vec<usize>,
    /// Law that ends it.
    pub law: Law,
    /// Impulse of each contact, normal and tangent (N·s).
    pub impulses: Vec<[f64; 2]>,
    /// Velocity of each contact before (m/s).
    pub v_pre: Vec<[f64; 2]>,
    /// The same after.
    pub v_post: Vec<[f64; 2]>,
    /// Work of the normal and of the friction impulses (J).
    pub works: [f64; 2],
}

/// The collision of one contact, with the problem it solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The contact.
    pub contact: usize,
    /// The problem in contact space.
    pub problem: PlanarImpact,
    /// In space with friction: the unit vector along (t1, t2) that is the tangent of the problem.
    pub direction: Option<[f64; 2]>,
    /// Its solution: type, path, impulses, works, residuals.
    pub solution: PlanarSolution,
}

/// The collision of several contacts at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// The contacts that take part: those that close and those that touch.
    pub contacts: Vec<usize>,
    /// Law of restitution.
    pub law: Law,
    /// How they were solved together.
    pub method: Method,
    /// Places in `contacts` in the order stated for a sequence.
    pub order: Option<Vec<usize>>,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether the motion goes on with the numbers below. Where the run ends for want of a unique
    /// outcome they are those of the first, which did not happen.
    pub is_taken: bool,
    /// Normal impulses (N·s), zero where nothing pushes.
    pub impulses: Vec<f64>,
    /// Friction impulses (N·s) along the tangents of the plane, zero without friction.
    pub friction_impulses: Vec<f64>,
    /// Normal velocities before (m/s).
    pub v_n_pre: Vec<f64>,
    /// Normal velocities after (m/s).
    pub v_n_post: Vec<f64>,
    /// Slips after (m/s), along the tangents of the plane, or how fast in space; zero without friction.
    pub slips: Vec<f64>,
    /// Work of the normal impulses together (J).
    pub work: f64,
    /// Work of the friction impulses together (J).
    pub friction_work: f64,
    /// The problem that was solved, and its result.
    pub posed: Box<Posed>,
}

/// A collision in generalised coordinates, posed and solved as `carom impact` does.
#[derive(Debug, Clone, PartialEq)]
pub struct Posed {
    /// Mass matrix, rates, contacts, constraints.
    pub problem: ImpactProblem,
    /// What came out.
    pub result: ImpactResult,
}

impl Event {
    /// What happens at a state: the one constructor of events. As it stands nothing changes; what does is
    /// put in its place.
    pub(crate) fn at(state: State<'_>, what: Happening) -> Self {
        Self {
            time: state.t,
            q: state.q.to_vec(),
            v_pre: state.v.to_vec(),
            q_post: state.q.to_vec(),
            v_post: state.v.to_vec(),
            what,
            energy_change: Some(0.0),
            motion_work: 0.0,
            joint_impulses: Vec::new(),
            modes_before: Vec::new(),
            modes_after: Vec::new(),
            ways_before: Vec::new(),
            ways_after: Vec::new(),
        }
    }

    /// The collision of one contact, if this is one.
    pub fn impact(&self) -> Option<&Impact> {
        match &self.what {
            Happening::Impact(impact) => Some(impact),
            _ => None,
        }
    }

    /// Leaves the motion as it was: of several outcomes none happens.
    pub(crate) fn untake(&mut self) {
        if let Happening::Collision(collision) = &mut self.what {
            collision.is_taken = false;
        }
        self.v_post.clone_from(&self.v_pre);
        self.energy_change = None;
        self.motion_work = 0.0;
        self.joint_impulses.clear();
    }

    /// Whether several outcomes are known and none of them happened.
    pub fn is_open(&self) -> bool {
        matches!(&self.what, Happening::Collision(collision) if !collision.is_taken)
    }

    /// The contacts that took part.
    pub fn contacts(&self) -> &[usize] {
        match &self.what {
            Happening::Impact(impact) => std::slice::from_ref(&impact.contact),
            Happening::Collision(collision) => &collision.contacts,
            Happening::Transition { contacts, .. } => contacts,
            Happening::Accumulation(accumulation) => &accumulation.contacts,
            Happening::WithoutCollision(jump) => &jump.contacts,
            Happening::Reset { .. } => &[],
        }
    }

    /// Works of the normal and of the friction impulses (J).
    pub fn works(&self) -> [f64; 2] {
        match &self.what {
            Happening::Impact(impact) => impact
                .solution
                .end
                .map_or([0.0; 2], |end| [end.work.n, end.work.t]),
            Happening::Collision(collision) if !collision.is_taken => [0.0; 2],
            Happening::Collision(collision) => [collision.work, collision.friction_work],
            Happening::WithoutCollision(jump) => jump.works,
            Happening::Reset { .. } | Happening::Transition { .. } | Happening::Accumulation(_) => {
                [0.0; 2]
            }
        }
    }
}
