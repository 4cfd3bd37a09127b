//! What interrupted the motion.

use carom_contact::impact::planar::{PlanarImpact, PlanarSolution};
use carom_contact::impact::{Law, Method, Outcome};
use carom_multibody::mechanism::JointForce;

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
}

/// The collision of one contact, with the problem it solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The contact.
    pub contact: usize,
    /// The problem in contact space, to be solved again.
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
    /// Work of the normal impulses together (J).
    pub work: f64,
    /// Work of the friction impulses together (J).
    pub friction_work: f64,
}

impl Event {
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
            Happening::Reset { .. } => [0.0; 2],
        }
    }
}
