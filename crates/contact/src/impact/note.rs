//! Remarks that go with a result: a code for programs, a sentence for people.

use serde::Serialize;

use super::Law;
use super::planar::{Findings, Outcome, PlanarSolution};

/// A remark: what a reader should know beside the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Stable code.
    pub code: &'static str,
    /// Plain sentence.
    pub sentence: String,
}

impl Note {
    pub(super) fn new(code: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            code,
            sentence: sentence.into(),
        }
    }

    /// The remarks of a planar solution, in a fixed order.
    pub(super) fn of(solution: &PlanarSolution) -> Vec<Self> {
        let Findings {
            without_collision,
            jam_slope,
            reverse_also_consistent,
            energy_gain,
            tangent_impulse_undetermined,
            slip_contradicted,
        } = solution.findings;
        let law = solution.law;
        let gain = solution.end.map_or(0.0, |end| end.energy_change);
        let candidates = [
            (
                solution.outcome == Outcome::Jammed,
                "jammed",
                jam_sentence(law),
            ),
            (
                solution.outcome == Outcome::Infeasible,
                "infeasible",
                format!(
                    "neither sticking nor sliding throughout reaches the end velocity of {law}: the \
                     contact point can move along one line only and friction holds it there"
                ),
            ),
            (
                without_collision,
                "impact_without_collision",
                "the bodies touch without approaching (v_n = 0) and friction drives them together \
                 (W_nn - mu sigma W_nt < 0): solved as an impact; no impact is also consistent"
                    .to_owned(),
            ),
            (
                jam_slope && !without_collision,
                "jam_slope",
                "at first W_nn - mu sigma W_nt <= 0: pressing makes the bodies approach faster, until \
                 slip halts"
                    .to_owned(),
            ),
            (
                reverse_also_consistent,
                "reverse_slip_also_consistent",
                "slip halts with mu_kinetic < |W_nt|/W_tt <= mu_static: sticking is chosen, reverse \
                 slip is also consistent"
                    .to_owned(),
            ),
            (
                energy_gain,
                "energy_gain",
                format!("{law} creates energy here: the kinetic energy grows by {gain:.6} J"),
            ),
            (
                tangent_impulse_undetermined,
                "tangent_impulse_undetermined",
                "nothing can move the contact point sideways (W_tt = 0): its tangent impulse is not \
                 determined and given as 0"
                    .to_owned(),
            ),
            (
                slip_contradicted,
                "slip_contradicted",
                "the slip at the end opposes the slip at the start: one mode throughout is assumed, \
                 not found"
                    .to_owned(),
            ),
        ];
        candidates
            .into_iter()
            .filter(|(holds, ..)| *holds)
            .map(|(_, code, sentence)| Self { code, sentence })
            .collect()
    }
}

fn jam_sentence(law: Law) -> String {
    format!(
        "no finite impulse satisfies {law}: the contact point can move along one line only (W is \
         singular) and friction stops it there"
    )
}
