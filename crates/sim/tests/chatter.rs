//! Impacts without number in finite time: their limits, and those that come out of one.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::Law;
use carom_multibody::mechanism::Contacts;
use carom_sim::record::{EndKind, EventKind, record};
use carom_sim::{Accumulation, ContactMode, End, Event, Happening, NoAnswer, Run, run};
use carom_support::sim::assert_balanced;
use common::wedge::Wedge;

fn piles(run: &Run) -> Vec<(&Event, &Accumulation)> {
    let mut found = Vec::new();
    for event in &run.events {
        if let Happening::Accumulation(pile) = &event.what {
            found.push((event, pile));
        }
    }
    found
}

/// Aitken's limit of three instants.
fn aitken([a, b, c]: [f64; 3]) -> f64 {
    c - (c - b) * (c - b) / ((c - b) - (b - a))
}

/// Paper 001 ends its motion where the impacts pile up; here it goes on to 20 s.
#[test]
fn the_double_pendulum_goes_through_its_chatter_into_contact_and_on() {
    let mut setup = common::pendulum(0.9, 0.15, 20.0, 2001);
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_balanced(&run, 1e-10);
    let found = piles(&run);
    let (event, pile) = found[0];
    assert!(pile.bound < 1e-6, "{pile:?}");
    // Three impacts, ten before the last computed, lead to the same instant.
    let before = |e: &&Event| e.time < event.time && e.impact().is_some();
    let times: Vec<f64> = run.events.iter().filter(before).map(|e| e.time).collect();
    for k in [0, 4] {
        let at = times.len() - 1 - k;
        let limit = aitken([times[at - 2], times[at - 1], times[at]]);
        assert!((limit - pile.limit).abs() < 1e-6, "{limit} {pile:?}");
    }
    let told = record(&mut setup, &run).unwrap();
    let written = told
        .events
        .iter()
        .find(|e| e.kind == EventKind::Accumulation);
    let written = written.unwrap().accumulation.unwrap();
    assert_eq!((written.limit, written.bound), (pile.limit, pile.bound));
    // It has come to rest: it sticks for the 13 s that are left, without creep.
    let in_contact = run.samples.iter().filter(|sample| !sample.modes.is_empty());
    let mut count = 0;
    for sample in in_contact {
        let state = carom_multibody::State::new(sample.time, &sample.q, &sample.v);
        let mut gaps = [carom_multibody::mechanism::Gap::default()];
        setup.mechanism.gaps(state, &mut gaps);
        assert!(gaps[0].gap.abs() < 1e-13 && gaps[0].v_n.abs() < 1e-12);
        count += 1;
    }
    assert!(count > 1200, "{count}");
    assert_eq!(run.modes, [(0, ContactMode::Stick)]);
    assert!(run.v.iter().all(|v| v.abs() < 1e-14), "{:?}", run.v);
    let drift = run.q.iter().zip(&event.q_post).map(|(a, b)| (a - b).abs());
    assert!(drift.fold(0.0, f64::max) < 1e-12);
}

#[test]
fn the_limit_of_a_chatter_does_not_hang_on_the_tolerance() {
    let limit = |tolerance: f64| {
        let mut setup = common::pendulum(0.9, 0.15, 20.0, 0);
        setup.options.tolerance = tolerance;
        let run = run(&mut setup).unwrap();
        piles(&run)[0].1.limit
    };
    let (fine, coarse) = (limit(1e-13), limit(1e-11));
    assert!((fine - coarse).abs() < 1e-6, "{fine} {coarse}");
}

/// Each flight of duration 2v gives the slip `2kv`; the impact stops it at `p = 2kv/(μb − c)` and ends
/// with `v⁺ = e (a − c²/b) p_c`: the ratio is not e. For k = 1.8 it is 1.664, and for k = 0.2 it is
/// below 1.
fn ratio(wedge: &Wedge, restitution: f64) -> f64 {
    let [a, b, c] = wedge.w;
    let halt = 2.0 * wedge.pull / (wedge.mu * b - c);
    let v_n = -1.0 + (a - wedge.mu * c) * halt;
    assert!(v_n < 0.0, "it stops in compression");
    restitution * (halt * (a - c * c / b) - v_n)
}

#[test]
fn impacts_of_a_coupled_system_pile_up_by_a_ratio_that_is_not_their_restitution() {
    let wedge = Wedge {
        w: [1.0, 2.5, 0.75],
        pull: 0.2,
        mu: 1.2,
    };
    let expected = ratio(&wedge, 0.8);
    assert!(expected < 1.0 && (expected - 0.8).abs() > 0.05);
    let run = run(&mut wedge.setup(Law::Poisson, 0.8, 0.5, 40.0)).unwrap();
    assert_eq!(run.end, End::Duration);
    let found = piles(&run);
    assert_eq!(found.len(), 1);
    assert!(
        (found[0].1.ratio - expected).abs() < 1e-5,
        "{:?}",
        found[0].1
    );
    // From the second impact on the flights are geometric.
    let times: Vec<f64> = run.events[..2].iter().map(|event| event.time).collect();
    let limit = times[0] + (times[1] - times[0]) / (1.0 - expected);
    let miss = (limit - found[0].1.limit).abs();
    let bound = found[0].1.bound;
    assert!(
        miss < 1e-9 && miss <= bound && bound < 1e-7,
        "{miss:e} {bound:e}"
    );
    assert_eq!(found[0].0.modes_after, [(0, ContactMode::Stick)]);
    assert!(run.v.iter().all(|v| v.abs() < 1e-12), "{:?}", run.v);
}

#[test]
fn impacts_that_grow_out_of_rest_are_refused_with_their_ratio() {
    let wedge = Wedge {
        w: [1.0, 2.5, 0.75],
        pull: 1.8,
        mu: 1.2,
    };
    let mut setup = wedge.setup(Law::Poisson, 0.8, 1e-8, 100.0);
    let run = run(&mut setup).unwrap();
    let End::NoAnswer {
        reason: NoAnswer::ReverseChatter(growth),
        ..
    } = run.end
    else {
        unreachable!("{:?}", run.end);
    };
    assert!((growth.ratio - 1.664).abs() < 1e-6, "{growth:?}");
    assert!(growth.origin < run.events[0].time, "{growth:?}");
    assert!(run.events.len() < 20 && run.time < 1.0);
    let told = record(&mut setup, &run).unwrap();
    assert_eq!(told.end.kind, EndKind::NoAnswer);
    assert!(told.end.reason.contains("reverse chatter"));
    assert_eq!(told.end.accumulation.unwrap().ratio, growth.ratio);
}

/// The same body put down without a bounce stays where it is.
#[test]
fn a_body_that_would_chatter_away_rests_where_nothing_starts_it() {
    let wedge = Wedge {
        w: [1.0, 2.5, 0.75],
        pull: 1.8,
        mu: 1.2,
    };
    let run = run(&mut wedge.setup(Law::Poisson, 0.8, 0.0, 100.0)).unwrap();
    assert_eq!(run.end, End::Duration);
    assert!(run.events.is_empty());
    assert_eq!(run.modes, [(0, ContactMode::Stick)]);
    assert!(run.q.iter().chain(&run.v).all(|x| x.abs() < 1e-15));
}
