//! Paper 003 from within: the frames against the reference book, and a changed book that is noticed.
#![allow(clippy::unwrap_used)]

use carom::{Law, Method};
use serde_json::Value;

use super::book::Book;
use super::pair::{apart, impulses, matrices_apart};
use super::*;
use crate::Verdict;

const BOOK: &str = include_str!("../../../../cases/simultaneous-reference/expected.json");

#[test]
fn the_particular_case_is_case_s16_of_the_reference_book() {
    let systems = Book::read(PRINTED).unwrap().systems;
    let pair = systems.singular.hinged();
    let book: Value = serde_json::from_str(BOOK).unwrap();
    let case = book["cases"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["id"] == "S16")
        .unwrap();
    let expected = &case["expected"];
    let matrix = |v: &Value| -> Vec<Vec<f64>> { serde_json::from_value(v.clone()).unwrap() };
    let list = |v: &Value| -> Vec<f64> { serde_json::from_value(v.clone()).unwrap() };
    assert!(matrices_apart(&pair.sides[0].g(), &matrix(&expected["G1"])) < 1e-14);
    assert!(matrices_apart(&pair.sides[1].g(), &matrix(&expected["G2"])) < 1e-14);
    assert!(apart(&pair.delta(), &list(&expected["delta"])) < 1e-14);
    let linear = &expected["linear"];
    let found = pair.solved(Law::Newton, Method::Linear).unwrap();
    let p = impulses(&found);
    assert!(apart(&p, &list(&linear["P"])) < 1e-12);
    for (i, v) in pair.after(&p).iter().enumerate() {
        assert!(apart(v, &list(&linear[format!("v{}", i + 1)])) < 1e-12);
        assert!(apart(&pair.xi(i, &p), &list(&linear[format!("xi{}", i + 1)])) < 1e-12);
    }
}

#[test]
fn frames_that_are_not_those_of_the_paper_are_told_from_it() {
    let changed = PRINTED.replace(
        "a = [0.5, 0.5, 0.5, 1.0, 0.5]",
        "a = [0.5, 0.5, 0.5, 1.0, 0.6]",
    );
    assert_ne!(changed, PRINTED);
    let paper = recompute_from(&changed).unwrap();
    let wrong: Vec<&str> = paper
        .items
        .iter()
        .filter(|item| item.verdict == Verdict::Unexplained)
        .map(|item| item.place.as_str())
        .collect();
    assert!(
        wrong.contains(&"section 3, G2 of the particular case"),
        "{wrong:?}"
    );
    assert!(
        !wrong.contains(&"section 3, G1 of the particular case"),
        "{wrong:?}"
    );
}

#[test]
fn a_claim_nothing_evaluates_is_unexplained_and_a_broken_book_is_refused() {
    let changed = PRINTED.replace("key = \"eq19\"", "key = \"eq190\"");
    let paper = recompute_from(&changed).unwrap();
    assert_eq!(paper.count(Verdict::Unexplained), 1);
    assert!(recompute_from("systems = 3").is_err());
}
