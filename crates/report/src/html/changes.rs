//! Events without a blow in words: what a contact that is closed goes over to.

use carom_contact::impact::ContactResult;
use carom_sim::record::{EventKind, EventRecord};

use super::phases::Step;
use super::summary::sentence;
use crate::prose::with_minus;
use crate::run::piled;

/// What a contact goes through in an event that is no blow.
pub(super) fn change(event: &EventRecord, contact: &ContactResult) -> Vec<Step> {
    let step = |name: &str, words: String| Step {
        name: name.to_owned(),
        words,
    };
    let then = next(event, contact);
    let why = match event.kind {
        EventKind::Release => "the force that holds it closed has come to zero",
        EventKind::Stick => "its slip has come to zero, and friction can hold it",
        EventKind::Slip => "friction can no longer hold it",
        EventKind::Reverse => "its slip has come to zero, and friction cannot hold it",
        EventKind::Accumulation => {
            let names = [contact.name.clone()];
            let pile = event.accumulation.as_ref().map(|pile| piled(pile, &names));
            let mut steps = Vec::new();
            steps.extend(pile.map(|words| step("Accumulation", with_minus(&words) + ".")));
            steps.push(step("From there", format!("{then}.")));
            return steps;
        }
        EventKind::User | EventKind::Impact | EventKind::ImpactWithoutCollision => {
            return vec![step("From there", format!("{then}."))];
        }
        #[allow(unreachable_patterns)]
        _ => return Vec::new(),
    };
    let name = sentence(&event.kind.name().replace('_', " "));
    vec![step(&name, format!("{why}: {then}."))]
}

/// What a contact does from an event on.
fn next(event: &EventRecord, contact: &ContactResult) -> String {
    let Some(mode) = event.modes_after.get(&contact.name) else {
        return "what it does next is not decided".to_owned();
    };
    let mut words = mode.split(' ');
    let first = match words.next() {
        Some("open") => "it is open from here on",
        Some("closed") => "it stays closed, without friction",
        Some("stick") => "it sticks",
        Some("slide") => "it slips",
        Some("slide+") => "it slips along +t",
        Some("slide-") => "it slips along −t",
        _ => return format!("its mode is {mode}"),
    };
    let pivot = match words.next() {
        Some("pivot+") => " and turns about its normal, from t1 to t2",
        Some("pivot-") => " and turns about its normal, from t2 to t1",
        _ => "",
    };
    format!("{first}{pivot}")
}
