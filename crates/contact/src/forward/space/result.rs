//! The answer in space in the shape files and programs read.

use serde::{Deserialize, Serialize};

use crate::forward::continuum::Continuum;
use crate::forward::mode::Mode;
use crate::forward::refuted::Refuted;
use crate::forward::result::{Condition, ResolutionKind};
use crate::forward::witness::Witness;
use crate::law::Law;

/// Everything about one forward problem with contacts in space.
///
/// Where every contact slides, the ways of friction are known and it is a problem of the plane: families, refuted modes, the
/// verdict for every force at these slips, all as there. Where one rests what stands on sign patterns is not there:
/// `unique_for_every_force`, `friction_margin`, `degree` and `witness` are none, families and refuted modes are not
/// listed. `condition` has what is proved for every force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpatialForwardResult {
    /// Number of consistent accelerations where that is proved; `None` for a family, and where others are not
    /// excluded.
    pub count: Option<usize>,
    /// Whether every answer is listed, and proved to be.
    pub is_complete: bool,
    /// The answers that were found, in lexicographic order of acceleration.
    pub answers: Vec<SpatialAnswer>,
    /// Families of answers, where every contact slides.
    pub continua: Vec<Continuum>,
    /// Refuted modes, where every contact slides.
    pub refuted: Vec<Refuted>,
    /// How many modes fail, where every contact slides.
    pub refuted_count: Option<usize>,
    /// Whether every force has one answer, where every contact slides.
    pub unique_for_every_force: Option<bool>,
    /// Factor by which all μ may grow before uniqueness is lost, likewise.
    pub friction_margin: Option<f64>,
    /// `Σ sign det` over the answers, likewise.
    pub degree: Option<i32>,
    /// What is proved for every force.
    pub condition: Condition,
    /// An input with another count, likewise; its drifts are those along the normal and the way of each slip.
    pub witness: Option<Witness>,
    /// What happens when it is proved that no acceleration is consistent; of several jumps the first.
    pub resolution: Option<SpatialResolution>,
    /// Every jump that may happen then, that of `resolution` first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<SpatialResolution>,
    /// What the list says, and what it does not.
    pub notes: Vec<ForwardNote>,
}

/// One consistent acceleration of contacts in space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpatialAnswer {
    /// q̈; none of a problem stated in contact space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Vec<f64>>,
    /// Load of each coordinate with friction, then the normal force of each contact (N).
    pub normal_load: Vec<f64>,
    /// f of each coordinate (it resists motion as a load), then the force on the body along t1 and t2 at each contact.
    pub friction_force: Vec<FrictionForce>,
    /// Mode of each element.
    pub mode: Vec<Mode>,
    /// Acceleration of each contact, (n, t1, t2).
    pub contact_acceleration: Vec<[f64; 3]>,
    /// Of the only contact that starts to slip: whether slips in directions near its own turn towards it.
    pub attracting: Option<bool>,
    /// Whether the forces are determined.
    pub forces_unique: bool,
    /// Whether it was found in closed form; if not, by iteration.
    pub exact: bool,
}

/// Friction along one coordinate, or along t1 and t2. Files have one number or two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FrictionForce {
    /// Along a coordinate.
    Joint(f64),
    /// Along t1 and t2.
    Contact([f64; 2]),
}

impl FrictionForce {
    /// One number, or both.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Joint(force) => std::slice::from_ref(force),
            Self::Contact(force) => force,
        }
    }
}

/// What a reader should be told beside the answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForwardNote {
    /// Which remark.
    pub code: ForwardNoteCode,
    /// The same in words.
    pub sentence: String,
}

/// The remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForwardNoteCode {
    /// Answers were found, and it is not proved that there is no other.
    OthersNotExcluded,
    /// No answer was found, and it is not proved that there is none.
    NoneFound,
    /// One answer is proved by a bound that holds for every force.
    UniqueByBound,
    /// An answer was found by iteration.
    Iterated,
    /// Forces of an answer may be shared in more than one way.
    SharedForces,
    /// The loads decide the motion: that of equally stiff contacts.
    EquallyStiff,
}

/// What happens when no acceleration is consistent: a jump of velocity at one contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpatialResolution {
    /// An impact without collision.
    pub kind: ResolutionKind,
    /// Law that ends it.
    pub law: Law,
    /// Normal impulse of each element (N·s).
    pub normal_impulse: Vec<f64>,
    /// Friction impulse of each element, on the body.
    pub friction_impulse: Vec<FrictionForce>,
    /// Jump of the generalised velocity; none of a problem stated in contact space.
    pub velocity_change: Option<Vec<f64>>,
    /// Generalised velocity after, where the one before was given.
    pub velocity_after: Option<Vec<f64>>,
    /// Velocity of each contact after, (n, t1, t2) (m/s).
    pub contact_velocity_after: Vec<[f64; 3]>,
    /// What was lost (J).
    pub energy_loss: f64,
}
