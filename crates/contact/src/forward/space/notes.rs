//! What a list of answers says, in words.

use super::ENUMERATED;
use super::posed::SpatialForward;
use super::result::{ForwardNote, ForwardNoteCode, SpatialAnswer};

/// What is proved about a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proof {
    pub(super) is_complete: bool,
    pub(super) is_by_bound: bool,
    pub(super) bound: Option<f64>,
}

/// The remarks on a list of answers.
pub(super) fn of(
    posed: &SpatialForward,
    answers: &[SpatialAnswer],
    proof: Proof,
) -> Vec<ForwardNote> {
    let mut notes = Vec::new();
    let mut say = |code, sentence: String| notes.push(ForwardNote { code, sentence });
    if !proof.is_complete {
        let why = why(posed, answers);
        match answers.is_empty() {
            true => say(
                ForwardNoteCode::NoneFound,
                format!("no acceleration was found; that there is none is not proved: {why}"),
            ),
            false => say(
                ForwardNoteCode::OthersNotExcluded,
                format!("these answers were found; others are not excluded: {why}"),
            ),
        }
    }
    if let (true, Some(bound)) = (proof.is_by_bound, proof.bound) {
        let sentence =
            format!("one answer is proved for every force: the bound {bound:.6} is below 1");
        say(ForwardNoteCode::UniqueByBound, sentence);
    }
    if let Some(places) = places(answers, |one| !one.exact) {
        let sentence = format!("found by iteration, not in closed form: answer {places}");
        say(ForwardNoteCode::Iterated, sentence);
    }
    if let Some(places) = places(answers, |one| !one.forces_unique) {
        let sentence = format!(
            "forces may be shared in more than one way, and where contacts slide different ways the \
             acceleration goes with the share; one share is listed: answer {places}"
        );
        say(ForwardNoteCode::SharedForces, sentence);
    }
    notes
}

/// The remarks on contacts that all slide; where loads decide the motion, that of equally stiff contacts.
pub(super) fn of_sliding(
    answers: &[SpatialAnswer],
    equally_stiff: Option<&Vec<f64>>,
) -> Vec<ForwardNote> {
    let mut notes = Vec::new();
    let mut say = |code, sentence: String| notes.push(ForwardNote { code, sentence });
    if let Some(places) = places(answers, |one| !one.forces_unique) {
        let sentence = format!("forces may be shared in more than one way: answer {places}");
        say(ForwardNoteCode::SharedForces, sentence);
    }
    if let Some(acceleration) = equally_stiff {
        let numbers: Vec<String> = acceleration.iter().map(|a| format!("{a:.6e}")).collect();
        let sentence = format!(
            "the acceleration goes with the share of the loads; of equally stiff contacts it is ({})",
            numbers.join(", ")
        );
        say(ForwardNoteCode::EquallyStiff, sentence);
    }
    notes
}

/// The places, from one, of answers of some kind; none where there is no such answer.
fn places(answers: &[SpatialAnswer], is_it: impl Fn(&SpatialAnswer) -> bool) -> Option<String> {
    let each = answers.iter().enumerate().filter(|(_, one)| is_it(one));
    let places: Vec<String> = each.map(|(k, _)| (k + 1).to_string()).collect();
    (!places.is_empty()).then(|| places.join(", "))
}

/// Why a list is not proved complete.
fn why(posed: &SpatialForward, answers: &[SpatialAnswer]) -> String {
    let is_resting = |contact: &&super::SlippingContact| contact.is_rough() && contact.rests();
    let resting = posed.contacts.iter().filter(is_resting).count();
    if posed.contacts.len() > ENUMERATED {
        return format!(
            "{} contacts touch, and combinations of modes are gone through up to {ENUMERATED}",
            posed.contacts.len()
        );
    }
    if resting > 1 {
        return format!(
            "of {resting} contacts at rest two or more may start to slip together, and of such answers \
             not all are sought"
        );
    }
    if answers.iter().any(|one| !one.forces_unique) {
        return "forces are shared in more than one way".to_owned();
    }
    "an inequality is decided by round-off, or forces of a combination of modes are not determined"
        .to_owned()
}
