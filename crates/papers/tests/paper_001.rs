//! Paper 001 from the outside: every verdict, and the figures.
#![allow(clippy::unwrap_used)]

use carom_papers::{Paper, Verdict, figures, recompute};

use crate::common::{item, with};

fn paper() -> Paper {
    recompute("001").unwrap().unwrap()
}

#[test]
fn two_misprints_six_corrections_and_two_refutations_are_proved_and_all_else_agrees() {
    let paper = paper();
    assert_eq!(
        with(&paper, Verdict::Misprint),
        [
            "p. 3, text above section 3.1",
            "p. 8, text below Fig. 4, end of collision",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::HoldsWithCorrection),
        [
            "p. 4, text below Eq. (6), order of the method",
            "p. 4, Eq. (9)",
            "p. 6, Eq. (30)",
            "p. 7, Eq. (32)",
            "p. 7, Eq. (36), epsilon",
            "p. 8, Eq. (37)",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::False),
        ["p. 10, section 4, Fig. 8", "p. 10, section 4, Fig. 9"]
    );
    assert!(with(&paper, Verdict::Unexplained).is_empty());
    assert_eq!(paper.items.len(), 137);
    assert_eq!(paper.count(Verdict::Agrees), 127);
}

#[test]
fn every_item_has_a_place_of_its_own_a_proof_and_a_number() {
    let paper = paper();
    for (k, item) in paper.items.iter().enumerate() {
        let mut before = paper.items[..k].iter();
        assert!(
            before.all(|other| other.place != item.place),
            "{}",
            item.place
        );
        let proof = item.proof.as_deref().unwrap();
        let said = format!("{} {proof}", item.computed);
        assert!(said.chars().any(|c| c.is_ascii_digit()), "{}", item.place);
    }
}

#[test]
fn every_numbered_equation_is_judged() {
    let paper = paper();
    let judged = |number: u32| {
        let own = [format!("Eq. ({number})"), format!(" ({number})")];
        let mut items = paper.items.iter();
        items.any(|item| own.iter().any(|own| item.place.contains(own)))
    };
    let missing: Vec<u32> = (1..=37).filter(|number| !judged(*number)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_first_rough_impact_has_the_numbers_of_the_reference() {
    let paper = paper();
    let shown = |what: &str| {
        let place = format!("section 4, mu = 0.15, impact 1, {what}");
        item(&paper, &place).computed.to_string()
    };
    assert_eq!(shown("t (s)"), "1.478175367");
    assert_eq!(shown("F (N s)"), "26.49606526");
    assert_eq!(shown("change of energy (J)"), "-16.90637731");
    assert_eq!(shown("type of contact"), "reverse_compression");
}

#[test]
fn figures_five_to_nine_are_drawn_and_repeat_byte_for_byte() {
    let drawn = figures("001").unwrap().unwrap();
    let names: Vec<&str> = drawn.iter().map(|figure| figure.name).collect();
    let wanted = ["figure-5", "figure-6", "figure-7", "figure-8", "figure-9"];
    assert_eq!(names, wanted);
    for figure in &drawn {
        assert!(figure.svg.contains("μ = 0.15"), "{}", figure.name);
        assert_eq!(figure.svg.matches("NaN").count(), 0);
    }
    assert_eq!(drawn, figures("001").unwrap().unwrap());
}

#[test]
fn an_unknown_paper_is_none() {
    assert!(recompute("999").is_none() && figures("999").is_none());
    assert!(figures("000").unwrap().unwrap().is_empty());
}
