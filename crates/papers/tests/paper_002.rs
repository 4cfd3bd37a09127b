//! Paper 002 from the outside: every verdict, and the figures.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use carom_papers::{Paper, Verdict, figures, recompute};

use crate::common::{check_places_and_proofs, item, with};

fn paper() -> Paper {
    recompute("002").unwrap().unwrap()
}

#[test]
fn four_misprints_eleven_corrections_and_eight_refutations_are_proved_and_all_else_agrees() {
    let paper = paper();
    assert_eq!(
        with(&paper, Verdict::Misprint),
        [
            "section 3.2, Eq. (5)",
            "section 3.2, Eq. (6)",
            "section 4.1.1, near-critical friction",
            "section 5.2, Fig. 7, point B",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::HoldsWithCorrection),
        [
            "section 3.1",
            "section 4, two ambiguous points",
            "section 4.1.2, point B",
            "section 4.1.3, Eq. (10)",
            "section 5, Eq. (12)",
            "section 5, Eq. (13)",
            "section 5.1, Eq. (14)",
            "section 5.1, Eq. (15)",
            "section 5.2, nonoverhauling screws",
            "section 5.2, mass",
            "section 5.2, Fig. 7, lowering",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::False),
        [
            "section 4, text below Eq. (9)",
            "section 4, static coefficient",
            "section 4.1, start from rest",
            "section 4.1, Fig. 3, points A and A'",
            "section 4.1, Fig. 3, point C",
            "section 4.1.3, text below Eq. (10)",
            "section 5.2, slender rod",
            "section 6, typical friction",
        ]
    );
    assert!(with(&paper, Verdict::Unexplained).is_empty());
    assert_eq!(paper.items.len(), 67);
    assert_eq!(paper.count(Verdict::Agrees), 44);
}

#[test]
fn every_item_has_a_place_of_its_own_a_proof_and_a_number() {
    let paper = paper();
    check_places_and_proofs(&paper);
}

#[test]
fn every_numbered_equation_and_every_graph_is_judged() {
    let paper = paper();
    let judged = |name: String| paper.items.iter().any(|item| item.place.contains(&name));
    for number in 1..=15 {
        assert!(judged(format!("Eq. ({number})")), "{number}");
    }
    for number in [1, 2, 3, 4, 6, 7] {
        assert!(judged(format!("Fig. {number}")), "{number}");
    }
}

#[test]
fn proofs_state_the_numbers_of_the_systems() {
    let paper = paper();
    let said = [
        ("section 4, static coefficient", "q\" = 0 and 0.084375"),
        ("section 4.1, start from rest", "q\" = -1.673077, -0.75"),
        (
            "section 4.1, Fig. 3, points A and A'",
            "q\" = -8.666667, 0.1538462",
        ),
        (
            "section 4.1, Fig. 3, point C",
            "with q' < 0 q\" = -1.519231, -1.416667",
        ),
        ("section 4.1.1, near-critical friction", "q\" = -5001.5"),
        (
            "section 5.2, slender rod",
            "0.4582576 for k = 0.05, 1.333333 for k = 0.3333333, 2.828427 for k = 1",
        ),
        ("section 5.2, Fig. 7, point B", "-I g/l = -0.981 N m"),
    ];
    for (place, words) in said {
        let proof = item(&paper, place).proof.as_deref().unwrap();
        assert!(proof.contains(words), "{proof}");
    }
}

#[test]
fn the_graphs_are_drawn_with_their_letters_and_become_pictures() {
    let drawn = figures("002").unwrap().unwrap();
    let names: Vec<&str> = drawn.iter().map(|figure| figure.name).collect();
    let wanted = [
        "figure-1", "figure-2", "figure-3", "figure-4", "figure-6", "figure-7",
    ];
    assert_eq!(names, wanted);
    let letters: [&[&str]; 6] = [
        &[],
        &["A", "A'", "B", "B'", "B''", "C", "C'"],
        &["A", "A'", "B", "B'", "B''", "C"],
        &["A", "A'"],
        &[],
        &["A", "B", "C"],
    ];
    for (figure, letters) in drawn.iter().zip(letters) {
        for letter in letters {
            let own = format!(">{letter}</text>");
            assert!(figure.svg.contains(&own), "{} {letter}", figure.name);
        }
        let png = carom::to_png(&figure.svg, 2.0).unwrap();
        let file = format!("paper-002-{}.png", figure.name);
        std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(file), png).unwrap();
    }
    assert_eq!(
        drawn,
        figures("002").unwrap().unwrap(),
        "same input, same bytes"
    );
}
