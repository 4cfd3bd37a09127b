//! Remarks that go with a result: a code for programs, a sentence for people.

mod gripping;
mod path;
mod several;

use serde::{Deserialize, Serialize};

use super::planar::{self, PlanarImpact, PlanarSolution};
use super::spatial::{self, PlanarEffect, SpatialImpact, SpatialSolution};
use super::{Constraint, Contact, Law};
use crate::impact::Outcome;

/// A remark: what a reader should know beside the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it is about.
    pub code: NoteCode,
    /// Plain sentence.
    pub sentence: String,
}

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteCode {
    /// No finite impulse ends the impact.
    Jammed,
    /// The law has no solution.
    Infeasible,
    /// `v_n⁻ = 0` with a jam slope.
    ImpactWithoutCollision,
    /// Pressing makes the bodies approach faster, at first.
    JamSlope,
    /// `μ_d < μ_c <= μ_s`: sticking was chosen.
    ReverseSlipAlsoConsistent,
    /// The kinetic energy grows.
    EnergyGain,
    /// Nothing can move the contact sideways.
    TangentImpulseUndetermined,
    /// The slip at the end opposes the slip at the start of a slide assumed throughout.
    SlipContradicted,
    /// A coefficient of friction without a tangent row.
    FrictionWithoutTangent,
    /// The velocity given moves a constraint.
    MovingConstraint,
    /// Contacts share an impulse in more than one way.
    ImpulsesNotUnique,
    /// The velocities depend on how contacts share an impulse.
    VelocityNotUnique,
    /// An impact in space that stays in one plane.
    PlanarInEffect,
    /// The linear law pulls at a contact.
    PullingImpulse,
    /// The linear law leaves a contact approaching.
    StillApproaching,
    /// Whether the coefficients lose energy for every approach.
    Dissipative,
    /// Several velocities are consistent; all known are in `outcomes`.
    SeveralOutcomes,
    /// Other outcomes were not looked for.
    OutcomesNotSought,
    /// Newton's ratio with friction asks Coulomb's law of totals.
    FrictionOnTotals,
    /// A contact that sticks where nothing is left to move.
    Arrested,
    /// The bodies approach a second time within the impact.
    SecondCompression,
    /// A contact grips, and tangential restitution gives its slip back.
    TangentialRebound,
    /// Friction does not hold what tangential restitution asks for.
    NoTangentialRebound,
    /// The modes of an outcome.
    Modes,
    /// The order of collisions of an outcome.
    Order,
}

/// What is said of an impact whose contact may grip.
fn of_grip(s: &SpatialSolution, impact: &SpatialImpact) -> [(bool, NoteCode, String); 2] {
    [
        (
            s.findings.grips,
            NoteCode::TangentialRebound,
            gripping::grips(impact.tangential_restitution()),
        ),
        (
            s.findings.cannot_grip,
            NoteCode::NoTangentialRebound,
            gripping::does_not(spatial::asked(impact), impact.friction()),
        ),
    ]
}

impl Note {
    fn new(code: NoteCode, sentence: impl Into<String>) -> Self {
        Self {
            code,
            sentence: sentence.into(),
        }
    }

    /// The remarks of a planar solution, in the order of [`NoteCode`].
    pub(super) fn of(s: &PlanarSolution, impact: &PlanarImpact, has_tangent: bool) -> Vec<Self> {
        let found = s.findings;
        let is_solved = s.outcome == Outcome::Solved;
        let mut notes = Vec::new();
        let mut say = |holds: bool, code, sentence: &dyn Fn() -> String| {
            if holds {
                notes.push(Self::new(code, sentence()));
            }
        };
        say(s.outcome == Outcome::Jammed, NoteCode::Jammed, &|| {
            jammed(s, impact)
        });
        let is_infeasible = s.outcome == Outcome::Infeasible;
        say(is_infeasible, NoteCode::Infeasible, &|| infeasible(s.law));
        let is_without = is_solved && found.without_collision;
        say(is_without, NoteCode::ImpactWithoutCollision, &|| {
            WITHOUT_COLLISION.to_owned()
        });
        let has_slope =
            is_solved && found.jam_slope && !found.without_collision && is_slipping(impact);
        say(has_slope, NoteCode::JamSlope, &|| JAM_SLOPE.to_owned());
        let is_static = found.reverse_also_consistent;
        say(
            is_static,
            NoteCode::ReverseSlipAlsoConsistent,
            &|| match s.law.follows_the_path() {
                true => STATIC_ONLY.to_owned(),
                false => OTHER_MODE.to_owned(),
            },
        );
        say(found.energy_gain, NoteCode::EnergyGain, &|| gain(s));
        // Without friction the tangent impulse is zero, whatever it could move.
        let is_rough = impact.friction().mu_s() > 0.0;
        let is_held = has_tangent && is_rough && found.tangent_impulse_undetermined;
        say(is_held, NoteCode::TangentImpulseUndetermined, &|| {
            held(impact)
        });
        say(found.slip_contradicted, NoteCode::SlipContradicted, &|| {
            CONTRADICTED.to_owned()
        });
        let beta = impact.tangential_restitution();
        say(found.grips, NoteCode::TangentialRebound, &|| {
            gripping::grips(beta)
        });
        say(found.cannot_grip, NoteCode::NoTangentialRebound, &|| {
            let asked = planar::asked(impact).map(|p| [p.n, p.t]);
            gripping::does_not(asked, impact.friction())
        });
        notes
    }

    /// Of an impact in space solved in the plane of its normal and one direction.
    pub(super) fn of_plane(effect: &PlanarEffect, sticks: bool) -> Vec<Self> {
        let [d_1, d_2] = effect.direction;
        let sentence = format!(
            "the impact is planar in effect: it stays in the plane of the normal and the direction \
             ({d_1}, {d_2}) along t1, t2"
        );
        let mut notes = vec![Self::new(NoteCode::PlanarInEffect, sentence)];
        if sticks && effect.is_held_across {
            let sentence = HELD_ACROSS.to_owned();
            notes.push(Self::new(NoteCode::TangentImpulseUndetermined, sentence));
        }
        notes
    }

    /// The remarks of a solution in space, in the order of [`NoteCode`].
    pub(super) fn of_spatial(s: &SpatialSolution, impact: &SpatialImpact) -> Vec<Self> {
        let found = s.findings;
        let is_solved = s.outcome == Outcome::Solved;
        let law = s.law;
        let jam = format!(
            "no finite impulse satisfies {law}: friction stops the contact point where pressing cannot part it"
        );
        let consistent = match law.follows_the_path() {
            true => STATIC_IN_SPACE,
            false => OTHER_IN_SPACE,
        };
        let gain = s.end.map_or(0.0, |end| end.energy_change);
        let compressions = s.compression.map_or(0, |compression| compression.count);
        let all = [
            (s.outcome == Outcome::Jammed, NoteCode::Jammed, jam),
            (
                s.outcome == Outcome::Infeasible,
                NoteCode::Infeasible,
                infeasible(law),
            ),
            (
                is_solved && found.without_collision,
                NoteCode::ImpactWithoutCollision,
                WITHOUT_COLLISION.to_owned(),
            ),
            (
                is_solved && found.jam_slope && !found.without_collision,
                NoteCode::JamSlope,
                JAM_SLOPE.to_owned(),
            ),
            (
                found.slip_also_consistent,
                NoteCode::ReverseSlipAlsoConsistent,
                consistent.to_owned(),
            ),
            (
                found.energy_gain,
                NoteCode::EnergyGain,
                gain_sentence(law, gain),
            ),
            (
                found.tangent_impulse_undetermined,
                NoteCode::TangentImpulseUndetermined,
                HELD_IN_SPACE.to_owned(),
            ),
            (
                found.slip_contradicted,
                NoteCode::SlipContradicted,
                CONTRADICTED.to_owned(),
            ),
            (found.arrested, NoteCode::Arrested, ARRESTED.to_owned()),
            (
                compressions > 1,
                NoteCode::SecondCompression,
                TWICE.to_owned(),
            ),
        ];
        let all = all.into_iter().chain(of_grip(s, impact));
        let said = all.filter(|(holds, ..)| *holds);
        said.map(|(_, code, sentence)| Self::new(code, sentence))
            .collect()
    }

    pub(super) fn friction_without_tangent(contact: &Contact) -> Self {
        let sentence = format!(
            "contact {} has friction {} but no tangent row: it is solved as frictionless",
            contact.name, contact.friction.mu_s
        );
        Self::new(NoteCode::FrictionWithoutTangent, sentence)
    }

    /// About row `row` of a constraint.
    pub(super) fn moving_constraint(constraint: &Constraint, row: usize, rate: f64) -> Self {
        let row = match constraint.rows.len() {
            1 => String::new(),
            _ => format!(", row {row},"),
        };
        let sentence = format!(
            "constraint {}{row} moves with the velocity given (G q̇ = {rate}): the impact keeps that rate, and \
             the work of this constraint is part of the energy change",
            constraint.name
        );
        Self::new(NoteCode::MovingConstraint, sentence)
    }
}

const WITHOUT_COLLISION: &str = "the bodies touch without approaching (v_n = 0) and friction \
    drives them together (W_nn - mu sigma W_nt < 0): solved as an impact; no impact is also \
    consistent";
const JAM_SLOPE: &str = "at first W_nn - mu sigma W_nt <= 0: pressing makes the bodies approach \
    faster, until slip halts";
pub(super) const STATIC_ONLY: &str = "slip halts with mu_kinetic < |W_nt|/W_tt <= mu_static: sticking is \
    chosen, reverse slip is also consistent";
const OTHER_MODE: &str = "another mode assumed throughout is also consistent and ends with another slip: \
    sticking is chosen before sliding, and sliding on before reverse slip";
const CONTRADICTED: &str = "friction is taken against the slip at the end, which is not the slip \
    the impact starts with: sliding throughout is an assumption here";
const STATIC_IN_SPACE: &str = "slip halts with mu_kinetic < |W_tt^-1 W_tn| <= mu_static: sticking is chosen, \
    slip along the outgoing direction is also consistent";
const OTHER_IN_SPACE: &str = "another slip assumed throughout is also consistent: the one nearest to the slip \
    at the start is given";
const HELD_IN_SPACE: &str = "nothing can move the contact point along some tangent direction: while it sticks, \
    its impulse in that direction is not determined and given as 0";
const ARRESTED: &str = "the contact sticks and nothing is left to move: restitution has nothing to act on; the \
    impulse is given at the halt, and what is added beyond it moves nothing";
const TWICE: &str =
    "the bodies approach a second time within the impact: the compressions are counted together";
const HELD_ACROSS: &str = "nothing can move the contact point across that plane: while it sticks, its \
    impulse in that direction is not determined and given as 0";

/// A slip below this part of the approach is the round-off of rest.
const SLIP_ROUND_OFF: f64 = 1e-12;

/// Whether the contact slips at first, beyond round-off.
fn is_slipping(impact: &PlanarImpact) -> bool {
    let (w, v) = (impact.w(), impact.v_pre());
    // Each beside the mobility of its own row: units do not matter.
    v.t.abs() * w.nn().sqrt() > SLIP_ROUND_OFF * v.n.abs() * w.tt().sqrt()
}

fn jammed(s: &PlanarSolution, impact: &PlanarImpact) -> String {
    let law = s.law;
    if impact.w().nn() == 0.0 {
        return format!(
            "no finite impulse satisfies {law}: nothing moves the contact point along its normal \
             (W_nn = 0)"
        );
    }
    format!(
        "no finite impulse satisfies {law}: the contact point can move along one line only (W is \
         singular) and friction stops it there"
    )
}

fn infeasible(law: Law) -> String {
    format!(
        "neither sticking nor sliding throughout reaches the end velocity of {law}: the contact point \
         cannot move so under that friction"
    )
}

fn gain(s: &PlanarSolution) -> String {
    gain_sentence(s.law, s.end.map_or(0.0, |end| end.energy_change))
}

fn gain_sentence(law: Law, gain: f64) -> String {
    format!("{law} creates energy here: the kinetic energy grows by {gain:.4e} J")
}

fn held(impact: &PlanarImpact) -> String {
    let how = if impact.v_pre().t == 0.0 {
        "not determined and given as 0"
    } else {
        "the friction of the slip it is driven with, and moves nothing"
    };
    format!("nothing can move the contact point sideways (W_tt = 0): its tangent impulse is {how}")
}
