use std::collections::BTreeSet;

use super::*;
use crate::Verdict;

#[test]
fn every_claim_is_evaluated_and_every_evaluation_is_claimed() {
    let book = Book::read(PRINTED).unwrap();
    let found = findings(&book.systems).unwrap();
    let mut evaluated: Vec<&str> = found.iter().map(|(key, _)| *key).collect();
    let mut claimed: Vec<&str> = book.claims.iter().map(|claim| claim.key.as_str()).collect();
    evaluated.sort_unstable();
    claimed.sort_unstable();
    assert_eq!(evaluated, claimed);
}

/// Keys of the claims whose verdict is another one after a change of the case book.
fn moved(from: &str, to: &str) -> BTreeSet<String> {
    let changed = PRINTED.replacen(from, to, 1);
    assert_ne!(changed, PRINTED, "{from}");
    let whole = recompute().unwrap();
    let other = recompute_from(&changed).unwrap();
    let pairs = whole.items.iter().zip(&other.items);
    let differ = pairs.filter(|(a, b)| a.verdict != b.verdict);
    differ.map(|(a, _)| a.place.clone()).collect()
}

#[test]
fn claims_on_figure_2_fail_with_too_much_friction_and_those_on_figure_3_with_too_little() {
    let two = moved("low_mu = 0.3", "low_mu = 0.9");
    let three = moved("high_mu = 0.8", "high_mu = 0.4");
    assert!(two.len() >= 5, "{two:?}");
    assert!(three.len() >= 9, "{three:?}");
    let of = |places: &BTreeSet<String>, figure: &str| places.iter().any(|p| p.contains(figure));
    assert!(of(&two, "Fig. 2") && !of(&two, "Fig. 3"), "{two:?}");
    assert!(of(&three, "Fig. 3") && !of(&three, "Fig. 2"), "{three:?}");
}

#[test]
fn claims_on_a_screw_fail_on_another_screw() {
    let light = moved("mass = 20.0", "mass = 2.0");
    assert!(light.len() >= 2, "{light:?}");
    let locked = moved("helix = 20.0", "helix = 4.0");
    assert!(locked.len() >= 2, "{locked:?}");
}

#[test]
fn a_rod_that_slides_on_is_no_proof_that_it_stops() {
    let smooth = moved("friction = 1.8", "friction = 0.8");
    assert!(
        smooth.iter().any(|place| place.contains("section 2")),
        "{smooth:?}"
    );
}

#[test]
fn a_claim_nobody_evaluates_is_unexplained() {
    let text = PRINTED.replacen("key = \"eq7\"", "key = \"eq70\"", 1);
    let paper = recompute_from(&text).unwrap();
    assert_eq!(paper.count(Verdict::Unexplained), 1);
}
