//! The answer in the shape files and programs read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answers::Answer;
use super::continuum::Continuum;
use super::mode::Mode;
use super::refuted::Refuted;
use super::screw::ScrewNumbers;
use super::witness::Witness;
use crate::law::Law;

/// Everything about one forward problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForwardResult {
    /// Number of consistent accelerations; `None` for a continuum.
    pub count: Option<usize>,
    /// Isolated answers, in lexicographic order of acceleration.
    pub answers: Vec<Answer>,
    /// Families of answers.
    pub continua: Vec<Continuum>,
    /// Modes that fail, each with the inequality it breaks.
    pub refuted: Vec<Refuted>,
    /// How many modes fail; the list stops at 4096.
    pub refuted_count: usize,
    /// Whether every force (with a singular C every load offset too, with contacts every drift) has
    /// exactly one answer: true is proved by the determinants, false by this problem's own count or
    /// by the witness. `None`: undecided, as with contacts that are redundant whatever the friction.
    pub unique_for_every_force: Option<bool>,
    /// Factor by which all μ may grow before uniqueness is lost; below 1, where it is not there, what is
    /// left of the friction where it ends, counted from none. `None`: without bound, or pieces are singular
    /// whatever the friction.
    pub friction_margin: Option<f64>,
    /// `Σ sign det` over the answers of any regular force; `None` where it is not defined.
    pub degree: Option<i32>,
    /// The numbers behind the verdict.
    pub condition: Condition,
    /// An input with another count, when not unique.
    pub witness: Option<Witness>,
    /// What happens when no acceleration is consistent; of several jumps the first.
    pub resolution: Option<Resolution>,
    /// Every jump that may happen then, that of `resolution` first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<Resolution>,
}

impl ForwardResult {
    /// The result with the jumps that may follow.
    pub fn with_resolutions(self, resolutions: Vec<Resolution>) -> Self {
        Self {
            resolution: resolutions.first().cloned(),
            resolutions,
            ..self
        }
    }
}

/// The numbers behind a verdict; those that do not belong to the problem are absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Condition {
    /// Of one coordinate: the answer is unique for every force below this μ, `a/|c|`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical_friction: Option<f64>,
    /// Of one coordinate: the force at which the load vanishes, `b − a d/c`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex_force: Option<f64>,
    /// `det(A + Diag(ε_i μ_i) C)` by sign pattern.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub determinants: BTreeMap<String, f64>,
    /// The same for patterns with stuck (`0`) or open (`l`) elements, and with contacts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mode_determinants: BTreeMap<String, f64>,
    /// Upper bound on the Perron radius of `|Diag(μ) C A⁻¹|`: below 1 it proves uniqueness of moving
    /// elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perron_radius: Option<f64>,
    /// 2-norm of `Diag(μ) C A⁻¹`: below 1 it proves the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub norm: Option<f64>,
    /// Of the screw: friction angle, efficiencies, slopes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screw: Option<ScrewNumbers>,
    /// Of the rod, and of one contact in space: least friction with which sliding, some way, can be inconsistent.
    #[serde(rename = "mu_P", skip_serializing_if = "Option::is_none")]
    pub mu_p: Option<f64>,
    /// Of the rod: the angle at which it first is (rad, from the floor, acute).
    #[serde(rename = "angle_P", skip_serializing_if = "Option::is_none")]
    pub angle_p: Option<f64>,
    /// Of the rod: acute angles between which it is (rad); none below `mu_P`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub window: Option<Option<[f64; 2]>>,
    /// Of the rod: tip acceleration per normal force while slipping to the right (1/kg).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_plus: Option<f64>,
    /// Of the rod: the same while slipping to the left (1/kg).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_minus: Option<f64>,
    /// Of one contact in space that slides: normal acceleration per normal force (1/kg); at zero and below pressing
    /// does not open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Of one contact in space: with friction below it (static and kinetic alike) every force has one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure_friction: Option<f64>,
    /// Of contacts in space: below 1 it proves one answer for every force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness_bound: Option<f64>,
    /// Of the rod: friction above which sliding into the paradox changes its character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_critical_friction: Option<f64>,
}

/// A key that is there, with a value or null.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// How a velocity jumps where no acceleration is consistent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionKind {
    /// Bilateral elements stop: impulses of friction and load hold each other.
    Seizure,
    /// A sliding contact compresses although nothing approaches.
    ImpactWithoutCollision,
}

/// What happens when no acceleration is consistent: a jump of velocity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// Seizure or impact without collision.
    pub kind: ResolutionKind,
    /// Law that ends an impact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Law>,
    /// Normal impulse of each element (N·s, or its unit times s).
    pub normal_impulse: Vec<f64>,
    /// Friction impulse of each element, as it acts on the coordinate or the body.
    pub friction_impulse: Vec<f64>,
    /// Jump of the generalised velocity.
    pub velocity_change: Vec<f64>,
    /// Generalised velocity after, where the one before was given.
    pub velocity_after: Option<Vec<f64>>,
    /// Velocity of each contact after, normal and tangent (m/s).
    pub contact_velocity_after: Vec<[f64; 2]>,
    /// Kinetic energy before (J), where the velocity was given.
    pub energy_before: Option<f64>,
    /// Kinetic energy after (J), likewise.
    pub energy_after: Option<f64>,
    /// What was lost (J).
    pub energy_loss: f64,
    /// Corners (p_n, p_t) of an impact's path, and its normal impulse at greatest compression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse_path: Option<ImpulsePath>,
    /// Modes of each answer right after; `None` where the contact has separated or the forces
    /// after the jump are not known.
    pub next_modes: Option<Vec<Vec<Mode>>>,
}

/// The way through the impulse plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImpulsePath {
    /// Corners (p_n, p_t) (N·s).
    pub corners: Vec<[f64; 2]>,
    /// Normal impulse at greatest compression (N·s).
    pub compression: Option<f64>,
    /// Normal work up to there (J).
    pub compression_work: Option<f64>,
}
