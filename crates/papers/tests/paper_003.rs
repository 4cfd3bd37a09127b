//! Paper 003 from the outside: every verdict, and the figures.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use carom_papers::{Paper, Verdict, figures, recompute};

use crate::common::{check_places_and_proofs, item, with};

fn paper() -> Paper {
    recompute("003").unwrap().unwrap()
}

#[test]
fn eleven_misprints_three_corrections_and_seven_refutations_are_proved_and_all_else_agrees() {
    let paper = paper();
    assert_eq!(
        with(&paper, Verdict::Misprint),
        [
            "section 2, Eq. (2)",
            "section 2, Eq. (4)",
            "section 3, joints",
            "section 3, Eq. (19)",
            "section 3, Eq. (25)",
            "section 3, Eq. (26)",
            "section 3, Eq. (27)",
            "section 3, Eq. (28)",
            "section 3, Eq. (31), second line",
            "section 3, Eq. (33), second line",
            "section 3, Eq. (37)",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::HoldsWithCorrection),
        [
            "section 1, successive collisions",
            "section 1, energetic coefficient",
            "section 3, invertibility",
        ]
    );
    assert_eq!(
        with(&paper, Verdict::False),
        [
            "section 1, vanishing velocities",
            "section 1, ratio of velocities",
            "section 1, coefficient without friction",
            "section 3, Eq. (36)",
            "section 4, particular case",
            "section 3, what is asked for",
            "section 3, coefficients of each point",
        ]
    );
    assert!(with(&paper, Verdict::Unexplained).is_empty());
    assert_eq!(paper.items.len(), 61);
    assert_eq!(paper.count(Verdict::Agrees), 40);
}

#[test]
fn every_item_has_a_place_of_its_own_and_a_proof_with_a_number() {
    let paper = paper();
    check_places_and_proofs(&paper);
}

#[test]
fn every_numbered_equation_is_judged() {
    let paper = paper();
    for number in 1..=41 {
        let name = format!("({number})");
        let is_judged = paper.items.iter().any(|item| item.place.contains(&name));
        assert!(is_judged, "{name}");
    }
}

#[test]
fn proofs_state_the_numbers_of_the_frames() {
    let paper = paper();
    let said = [
        (
            "section 1, coefficient without friction",
            "P = (1.591756, 1.587881, 1.323157) by Newton, (1.524706, 1.605882, 1.367059) by Poisson",
        ),
        (
            "section 3, G2 of the particular case",
            "would be 16 a^2, not 9 a^2",
        ),
        (
            "section 4, particular case",
            "P1 + P3 = (1 + k) delta1/g = 1.239437",
        ),
        ("section 4, particular case", "dT = -0.6197183 J"),
        (
            "section 3, Eq. (19)",
            "-a1 k gives S1^T eta Q1 = 1, with +a1 k 0",
        ),
        (
            "section 4, conditions: a ball joint",
            "rank 3, P by the linear law (0.6707183, 0.39925, 0.5687183)",
        ),
        ("section 1, vanishing velocities", "0.8866935"),
    ];
    for (place, words) in said {
        let proof = item(&paper, place).proof.as_deref().unwrap();
        assert!(proof.contains(words), "{proof}");
    }
}

#[test]
fn the_frames_are_drawn_with_their_letters_and_become_pictures() {
    let drawn = figures("003").unwrap().unwrap();
    let names: Vec<&str> = drawn.iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["figure-1", "figure-1-ball"]);
    // P2 is zero in the least-norm share of the particular case, and has no arrow.
    let arrows = |k: usize| drawn[k].svg.matches("<polygon").count();
    assert_eq!((arrows(0), arrows(1)), (5, 6));
    for figure in &drawn {
        let png = carom::to_png(&figure.svg, 2.0).unwrap();
        let file = format!("paper-003-{}.png", figure.name);
        std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(file), png).unwrap();
    }
    assert_eq!(
        drawn,
        figures("003").unwrap().unwrap(),
        "same input, same bytes"
    );
}
