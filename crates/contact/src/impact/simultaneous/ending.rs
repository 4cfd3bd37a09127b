//! How a simultaneous impact ends, and every way it may.

use carom_numeric::dot;

use crate::contact_space::SpatialVector;
use crate::impact::{ContactType, Mode, Outcome};

/// Every outcome of a simultaneous impact.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeSet {
    /// `Solved` when all endings have one velocity, `Undetermined` when they differ, else what the
    /// only ending says.
    pub outcome: Outcome,
    /// The endings, by velocity; where they depend on how a compression is shared, those of the share
    /// of least norm first.
    pub endings: Vec<Ending>,
    /// Whether no other combination of modes, or order, is left to try; in space, whether the velocities and the
    /// impulses are proved to be unique.
    pub is_complete: bool,
    /// Found on the round cones of space: the endings are those that were found, not all there are.
    pub in_space: bool,
    /// Poisson's velocities depend on how the compression is shared: the endings are those of the
    /// share of least norm and of the ends of the set of shares.
    pub depends_on_share: bool,
}

/// One way a simultaneous impact ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// `Solved`, `NoImpact`, `Jammed` or `Infeasible`; the last two have no contacts.
    pub outcome: Outcome,
    /// One per contact.
    pub contacts: Vec<ContactEnd>,
    /// Change of kinetic energy (J).
    pub energy_change: f64,
    /// Largest term of the works (J).
    pub energy_scale: f64,
    /// `energy_change` is positive beyond round-off.
    pub energy_gain: bool,
    /// Whether each impulse is the same in all endings of this velocity.
    pub impulses_unique: Vec<bool>,
    /// Directions along which the impulses may change without a change of velocity.
    pub shares: Vec<Vec<SpatialVector>>,
    /// How far the conditions are missed, relative.
    pub complementarity: f64,
    /// Which impulses are given where they are not unique.
    pub choice: Choice,
    /// It comes from an end of the set of shares of a compression, not from that of least norm.
    pub is_share_end: bool,
    /// A contact that collides by itself sticks by its static coefficient alone: it could slip back, and
    /// the velocities are not unique.
    pub could_reverse: bool,
    /// Of a sequence, per contact, the collisions in which it gripped and its slip came back.
    pub gripped: Vec<usize>,
    /// How it comes about.
    pub way: Way,
}

/// Which impulses are given where they are not unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Those of least norm (in each phase, for Poisson).
    LeastNorm,
    /// One choice among them.
    OneOfThem,
    /// Those of contacts that are equally compliant, in the limit of none.
    EqualCompliance,
}

/// How an ending comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// Nothing approaches.
    Nothing,
    /// By the modes of the contacts in the last phase; `None` is open or without friction.
    Modes(Vec<Option<Mode>>),
    /// One contact acts, or several that act as one, along Routh's path.
    Alone(Vec<usize>),
    /// One contact after another.
    Order {
        /// The order, first contact first.
        order: Vec<usize>,
        /// Collisions until none approached.
        collisions: usize,
        /// How many of the orders tried end with this velocity.
        orders: usize,
    },
}

/// What one contact did; in the plane the first tangent is its tangent, the second nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEnd {
    /// Impulse on A (N·s).
    pub impulse: SpatialVector,
    /// Velocity after (m/s).
    pub v_post: SpatialVector,
    /// Works (J).
    pub work: SpatialVector,
    /// What its slip did.
    pub contact_type: ContactType,
}

impl Ending {
    /// A gain of energy below this fraction of the works is round-off.
    pub const ENERGY_TOLERANCE: f64 = 1e-12;

    /// An ending without impulses.
    pub(super) fn without(outcome: Outcome, way: Way) -> Self {
        Self {
            outcome,
            contacts: Vec::new(),
            energy_change: 0.0,
            energy_scale: 0.0,
            energy_gain: false,
            impulses_unique: Vec::new(),
            shares: Vec::new(),
            complementarity: 0.0,
            choice: Choice::OneOfThem,
            is_share_end: false,
            could_reverse: false,
            gripped: Vec::new(),
            way,
        }
    }

    /// Nothing approaches: no impulse.
    pub(super) fn nothing(v: impl Iterator<Item = SpatialVector>) -> Self {
        let still = |v: SpatialVector| ContactEnd {
            impulse: SpatialVector::default(),
            v_post: v,
            work: SpatialVector::default(),
            contact_type: ContactType::NoImpact,
        };
        let contacts: Vec<ContactEnd> = v.map(still).collect();
        Self {
            impulses_unique: vec![true; contacts.len()],
            contacts,
            ..Self::without(Outcome::NoImpact, Way::Nothing)
        }
    }

    /// Whether there are impulses and velocities after.
    pub fn has_end(&self) -> bool {
        !matches!(self.outcome, Outcome::Jammed | Outcome::Infeasible)
    }
}

impl OutcomeSet {
    pub(super) fn of(endings: Vec<Ending>, is_complete: bool) -> Self {
        let outcome = match &endings[..] {
            [one] => one.outcome,
            _ => Outcome::Undetermined,
        };
        Self {
            outcome,
            endings,
            is_complete,
            in_space: false,
            depends_on_share: false,
        }
    }

    /// Whether some ending has velocities after.
    pub fn has_end(&self) -> bool {
        self.endings.iter().any(Ending::has_end)
    }

    /// No ending, for the reason that `outcome` is.
    pub(super) fn without(outcome: Outcome, is_complete: bool) -> Self {
        let ending = Ending::without(outcome, Way::Nothing);
        Self::of(vec![ending], is_complete)
    }
}

/// Type by the slip before, at greatest compression and after. Where it has turned by more than a right angle
/// it has reversed; in the plane that is a change of sign.
pub(super) fn slip_type([v_t, v_t_comp, v_t_post]: [[f64; 2]; 3]) -> ContactType {
    let is_against = |a: [f64; 2]| dot(&v_t, &a) < 0.0;
    match () {
        () if v_t_comp == [0.0; 2] && v_t_post == [0.0; 2] => ContactType::NonSlidingCompression,
        () if v_t_post == [0.0; 2] => ContactType::NonSlidingRestitution,
        () if is_against(v_t_comp) => ContactType::ReverseCompression,
        () if is_against(v_t_post) => ContactType::ReverseRestitution,
        () => ContactType::PermanentSliding,
    }
}
