//! What the tests of every paper ask of its verdicts.
#![allow(clippy::unwrap_used)]

use carom_papers::{Item, Paper, Verdict};

/// Places of the items with a verdict.
pub(crate) fn with(paper: &Paper, verdict: Verdict) -> Vec<&str> {
    let items = paper.items.iter().filter(|item| item.verdict == verdict);
    items.map(|item| item.place.as_str()).collect()
}

/// The item of a place.
pub(crate) fn item<'a>(paper: &'a Paper, place: &str) -> &'a Item {
    let mut items = paper.items.iter();
    items.find(|item| item.place == place).unwrap()
}

/// Every item has a place of its own and a proof with a number.
pub(crate) fn check_places_and_proofs(paper: &Paper) {
    for (k, item) in paper.items.iter().enumerate() {
        let mut before = paper.items[..k].iter();
        let is_new = before.all(|other| other.place != item.place);
        assert!(is_new, "{}", item.place);
        let proof = item.proof.as_deref().unwrap();
        let digits = proof.chars().filter(char::is_ascii_digit).count();
        assert!(digits > 1, "{}: {proof}", item.place);
        assert!(!proof.contains("NaN") && !item.computed.to_string().contains("NaN"));
    }
}
