use std::collections::BTreeSet;

use super::*;
use crate::Verdict;

/// Places of the items with a verdict.
fn places(paper: &Paper, verdict: Verdict) -> BTreeSet<&str> {
    let items = paper.items.iter().filter(|item| item.verdict == verdict);
    items.map(|item| item.place.as_str()).collect()
}

fn perturbed(change: &str) -> Paper {
    recompute_from(PRINTED, &[Override::parse(change).unwrap()]).unwrap()
}

#[test]
fn every_claim_is_evaluated_and_every_evaluation_is_claimed() {
    let book = Book::read(PRINTED).unwrap();
    let world = World::new(book.pendulum().unwrap(), &[]).unwrap();
    let found = findings(&world, &[]).unwrap();
    let mut evaluated: Vec<&str> = found.iter().map(|(key, _)| *key).collect();
    let mut claimed: Vec<&str> = book.keys().collect();
    evaluated.sort_unstable();
    claimed.sort_unstable();
    assert_eq!(evaluated, claimed);
}

#[test]
fn a_wrong_digit_in_the_case_book_is_called_false() {
    let text = PRINTED.replacen("0.3627", "0.3672", 1);
    let paper = recompute_from(&text, &[]).unwrap();
    let wrong = places(&paper, Verdict::Unexplained);
    for place in [
        "p. 9, section 4, lc",
        "p. 4, Eq. (3), A",
        "p. 7, Eq. (36), alpha",
    ] {
        assert!(wrong.contains(place), "{place}: {wrong:?}");
    }
}

/// Places of the items whose verdict is another one, or which are gone.
fn changed(whole: &Paper, other: &Paper) -> BTreeSet<String> {
    let verdict = |place: &str| {
        let item = other.items.iter().find(|item| item.place == place);
        item.map(|item| item.verdict)
    };
    let moved = whole.items.iter();
    let moved = moved.filter(|item| verdict(&item.place) != Some(item.verdict));
    moved.map(|item| item.place.clone()).collect()
}

/// Changes of the scenarios that both runs notice: small ones first, then large ones.
const CHANGES: &[&str] = &[
    "bodies.lower.mass=3.800001",
    "contacts.hit.friction=0.16",
    "joints.A.start={position=-4.2, rate=-1.3}",
    "bodies.upper.inertia=0.067601",
    "joints.A.parent_at=[0, -0.500001]",
    "bodies.lower.center=[0, -0.3629]",
    "bodies.lower.shapes.tip.disk.radius=0.12",
    "bodies.lower.inertia=0.17",
    "bodies.upper.inertia=0.07",
    "bodies.upper.mass=3.3",
    "bodies.lower.mass=3.9",
    "joints.O.start={position=2.5, rate=1.3}",
    "joints.A.damping=0.01",
    "contacts.hit.restitution=1",
    "run.duration=5",
    "world.shapes.obstacle.at=[0, -1.3]",
];

/// Changes of the case book: D out of reach, and within reach of the joint A.
const MISREADINGS: &[&str] = &["\"1.3\"", "\"0.4\""];

/// Claims that hold for every pendulum: formulae alone, and books that always balance.
const HOLD_FOR_ALL: &[&str] = &[
    "p. 4, Eq. (10)",
    "p. 4, text below Eq. (6), sign of |A|",
    "p. 9, section 4, energy balance",
];

/// Each item notices at least one change; in debug builds a few changes are tried.
#[test]
fn every_verdict_can_change() {
    let whole = recompute().unwrap();
    let tried = if cfg!(debug_assertions) {
        3
    } else {
        CHANGES.len()
    };
    let mut noticed = BTreeSet::new();
    for change in &CHANGES[..tried] {
        let paper = perturbed(change);
        assert!(!paper.is_explained(), "{change}");
        noticed.extend(changed(&whole, &paper));
    }
    for depth in MISREADINGS {
        let text = PRINTED.replace(D_PRINTED, &format!("quantity = \"D\"\nprinted = {depth}"));
        let paper = recompute_from(&text, &[]).unwrap();
        assert!(!paper.is_explained(), "{depth}");
        noticed.extend(changed(&whole, &paper));
    }
    let all: BTreeSet<String> = whole.items.iter().map(|item| item.place.clone()).collect();
    let unmoved: Vec<&String> = all.difference(&noticed).collect();
    if cfg!(debug_assertions) {
        assert!(noticed.len() > 60, "{unmoved:?}");
    } else {
        assert_eq!(unmoved, HOLD_FOR_ALL);
    }
}

const D_PRINTED: &str = "quantity = \"D\"\nprinted = \"0.9\"";

#[test]
fn a_millionth_of_the_mass_breaks_the_equations_of_motion_and_of_impact() {
    let paper = perturbed(CHANGES[0]);
    let wrong = places(&paper, Verdict::Unexplained);
    for place in [
        "p. 4, Eq. (3), A",
        "p. 4, Eq. (3), Q",
        "p. 4, Eq. (6)",
        "p. 5, Eq. (15)",
        "p. 7, Eq. (36), alpha",
        "p. 5, Eqs. (15), (16), (18) for forces",
    ] {
        assert!(wrong.contains(place), "{place}: {wrong:?}");
    }
}
