//! Remarks that go with a result: a code for programs, a sentence for people.

use serde::{Deserialize, Serialize};

use super::Contact;
use super::planar::{PlanarImpact, PlanarSolution};
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
        say(is_infeasible, NoteCode::Infeasible, &|| infeasible(s));
        let is_without = is_solved && found.without_collision;
        say(is_without, NoteCode::ImpactWithoutCollision, &|| {
            WITHOUT_COLLISION.to_owned()
        });
        let has_slope = is_solved && found.jam_slope && !found.without_collision;
        say(has_slope, NoteCode::JamSlope, &|| JAM_SLOPE.to_owned());
        let is_static = found.reverse_also_consistent;
        say(is_static, NoteCode::ReverseSlipAlsoConsistent, &|| {
            STATIC_ONLY.to_owned()
        });
        say(found.energy_gain, NoteCode::EnergyGain, &|| gain(s));
        let is_held = has_tangent && found.tangent_impulse_undetermined;
        say(is_held, NoteCode::TangentImpulseUndetermined, &|| {
            held(impact)
        });
        say(found.slip_contradicted, NoteCode::SlipContradicted, &|| {
            CONTRADICTED.to_owned()
        });
        notes
    }

    pub(super) fn friction_without_tangent(contact: &Contact) -> Self {
        let sentence = format!(
            "contact {} has friction {} but no tangent row: it is solved as frictionless",
            contact.name, contact.friction.0
        );
        Self::new(NoteCode::FrictionWithoutTangent, sentence)
    }

    pub(super) fn moving_constraint(row: usize, rate: f64) -> Self {
        let sentence = format!(
            "the velocity given moves constraint row {row} (G q̇ = {rate:e}): the impact keeps that rate, and the constraint's work is part of the energy change"
        );
        Self::new(NoteCode::MovingConstraint, sentence)
    }
}

const WITHOUT_COLLISION: &str = "the bodies touch without approaching (v_n = 0) and friction \
    drives them together (W_nn - mu sigma W_nt < 0): solved as an impact; no impact is also \
    consistent";
const JAM_SLOPE: &str = "at first W_nn - mu sigma W_nt <= 0: pressing makes the bodies approach \
    faster, until slip halts";
const STATIC_ONLY: &str = "slip halts with mu_kinetic < |W_nt|/W_tt <= mu_static: sticking is \
    chosen, reverse slip is also consistent";
const CONTRADICTED: &str = "friction is taken against the slip at the end, which is not the slip \
    the impact starts with: sliding throughout is an assumption here";

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

fn infeasible(s: &PlanarSolution) -> String {
    format!(
        "neither sticking nor sliding throughout reaches the end velocity of {}: the contact point \
         cannot move so under that friction",
        s.law
    )
}

fn gain(s: &PlanarSolution) -> String {
    let gain = s.end.map_or(0.0, |end| end.energy_change);
    format!(
        "{} creates energy here: the kinetic energy grows by {gain:.4e} J",
        s.law
    )
}

fn held(impact: &PlanarImpact) -> String {
    let how = if impact.v_pre().t == 0.0 {
        "not determined and given as 0"
    } else {
        "the friction of the slip it is driven with, and moves nothing"
    };
    format!("nothing can move the contact point sideways (W_tt = 0): its tangent impulse is {how}")
}
