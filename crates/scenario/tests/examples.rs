//! The scenarios of the case book move as they should.
#![allow(clippy::unwrap_used)]

use carom_contact::impact::ContactType;
use carom_multibody::State;
use carom_multibody::mechanism::Closer;
use carom_scenario::examples::SCENARIOS;
use carom_sim::{End, Event, Happening, Ledger, Run, run};
use carom_support::cases::Book;
use carom_support::near::assert_near;
use carom_support::scenario::changed;

/// An example with overrides, run, with the names of its contacts.
struct Ran {
    run: Run,
    names: Vec<String>,
}

fn ran(name: &str, set: &[&str]) -> Ran {
    let mut setup = changed(name, set).build().unwrap();
    let names = setup.rules.iter().map(|rule| rule.name.clone()).collect();
    let run = run(&mut setup).unwrap();
    Ran { run, names }
}

impl Ran {
    /// The events of one contact.
    fn of(&self, contact: &str) -> Vec<&Event> {
        let events = self.run.events.iter();
        events
            .filter(|event| self.names[event.contacts()[0]] == contact)
            .collect()
    }

    fn ledger(&self) -> Ledger {
        self.run.ledger.unwrap()
    }

    fn times(&self) -> Vec<f64> {
        self.run.events.iter().map(|event| event.time).collect()
    }
}

#[test]
fn every_scenario_closes_its_ledger_and_repeats_its_bits() {
    for example in SCENARIOS {
        let first = ran(example.name, &[]).run;
        let ledger = first.ledger.unwrap();
        let miss = ledger.residual().abs() / ledger.largest;
        assert!(miss <= 1e-10, "{}: {miss:e}", example.name);
        assert_eq!(first, ran(example.name, &[]).run, "{}", example.name);
        assert!(first.samples.len() > 2, "{}", example.name);
    }
}

/// P9: the reference of 34 digits; the sixth instant repeats an error of the start 46 times.
#[test]
fn the_smooth_pendulum_strikes_six_times_at_its_instants() {
    let smooth = ran("pendulum-smooth", &[]);
    assert_eq!(smooth.run.end, End::Duration);
    let times = [
        1.4781753668,
        2.3897168250,
        2.9030937359,
        3.7043576819,
        4.5178643673,
        5.4218479948,
    ];
    assert_eq!(smooth.run.events.len(), times.len());
    for (found, wanted) in smooth.times().iter().zip(times) {
        assert_near("time", *found, wanted, 1e-10);
    }
    assert_near("start", smooth.ledger().start, 21.51565656292034, 1e-13);
}

/// P10.
#[test]
fn the_rough_pendulum_strikes_ten_times_and_first_reverses() {
    let rough = ran("pendulum-rough", &[]);
    assert_eq!(
        (&rough.run.end, rough.run.events.len()),
        (&End::Duration, 10)
    );
    let times = [1.4781753668, 2.3924904222, 3.0869958707, 3.7789958164];
    for (found, wanted) in rough.times().iter().zip(times) {
        assert_near("time", *found, wanted, 1e-10);
    }
    let first = &rough.run.events[0];
    let end = first.impact().unwrap().solution.end.unwrap();
    assert_eq!(
        first.impact().unwrap().solution.contact_type,
        ContactType::ReverseCompression
    );
    assert_near("p_n", end.impulse.n, 26.49606526, 1e-9);
    assert_near("p_t", end.impulse.t, -2.34764101, 1e-8);
    assert_near("dE", first.energy_change.unwrap(), -16.90637731, 1e-9);
    assert_near("upper rate", first.v_post[0], -1.28626425, 1e-8);
    let lower = first.v_post[0] + first.v_post[1];
    assert_near("lower rate", lower, 10.95428861, 1e-8);
}

/// The smooth pendulum is the rough one with another friction.
#[test]
fn an_override_makes_one_example_of_another() {
    let smooth = ran("pendulum-smooth", &[]);
    let changed = ran("pendulum-rough", &["contacts.hit.friction=0"]);
    assert_eq!(smooth.run, changed.run);
}

#[test]
fn the_driven_pendulum_books_dampers_drives_and_impacts() {
    let ledger = ran("pendulum-driven", &[]).ledger();
    assert!(ledger.damping < -1.0 && ledger.drives > 1.0, "{ledger:?}");
    assert!(ledger.impacts_normal < -1.0 && ledger.impacts_friction < -1.0);
}

/// P16.
#[test]
fn the_ball_piles_up_its_impacts_where_the_series_ends() {
    let book = Book::open("bouncing-ball");
    let ball = ran("bouncing-ball", &[]);
    assert_eq!(ball.run.end, End::Duration);
    let last = ball.run.events.last().unwrap();
    let Happening::Accumulation(pile) = &last.what else {
        unreachable!("{last:?}");
    };
    book.assert_near("limit", pile.limit);
    book.assert_near("limit", last.time);
    assert_near("ratio", pile.ratio, book.number("ratio"), 1e-3);
    assert!(pile.bound < 1e-9, "{pile:?}");
    // It lies on the floor to the end.
    assert_eq!((ball.run.time, ball.run.v[1]), (6.0, 0.0));
    assert!(ball.run.q[1].abs() < 1e-15, "{:?}", ball.run.q);
}

/// One event each period of the forcing, at the phase and rate expected.
fn is_periodic(ran: &Ran, book: &Book) {
    assert_eq!(ran.run.end, End::Duration);
    let turns = book.number("frequency") / std::f64::consts::TAU;
    for event in &ran.run.events[ran.run.events.len() - 4..] {
        let phase = (event.time * turns).fract() * std::f64::consts::TAU;
        book.assert_near("phase", phase);
        book.assert_near("rate_after", event.v_post[0]);
    }
    let times = ran.times();
    let period = times[times.len() - 1] - times[times.len() - 2];
    assert_near("period", period * turns, 1.0, book.number("tolerance"));
}

/// P32.
#[test]
fn the_impact_oscillator_settles_to_one_impact_each_period() {
    let book = Book::open("impact-oscillator");
    is_periodic(&ran("impact-oscillator", &[]), &book);
}

/// P31, existence.
#[test]
fn the_ball_on_the_table_settles_to_one_landing_each_period() {
    let table = ran("vibrating-table", &[]);
    is_periodic(&table, &Book::open("vibrating-table"));
    assert!(table.ledger().motions > 0.0, "{:?}", table.ledger());
}

/// P31, flip at Γ = 1.526823700519: below it the period-one motion draws in, above it does not.
#[test]
fn the_landings_alternate_beyond_the_flip() {
    let spread = |gamma: f64| {
        let amplitude = gamma * 9.81 / 2500.0;
        let set = format!("joints.shaker.motion.amplitude={amplitude}");
        let run = ran("vibrating-table", &[&set, "run.duration=25"]).run;
        let rates: Vec<f64> = run.events.iter().map(|event| event.v_post[0]).collect();
        let last = rates.len() - 1;
        (rates[last] - rates[last - 1]).abs()
    };
    let (below, above) = (spread(1.48), spread(1.56));
    assert!(below < 1e-5, "{below}");
    assert!(above > 1e-2, "{above}");
}

/// P19.
#[test]
fn collisions_of_block_ball_and_wall_count_the_digits_of_pi() {
    let book = Book::open("galperin");
    let counts = book.0["collisions"].as_array().unwrap();
    for (n, count) in counts.iter().enumerate() {
        let mass = 100f64.powi(n as i32);
        let set = format!("bodies.block.mass={mass}");
        let run = ran("galperin", &[&set]).run;
        assert_eq!(run.end, End::Duration);
        assert_eq!(run.events.len() as u64, count.as_u64().unwrap(), "{mass}");
    }
}

#[test]
fn the_cradle_passes_the_blow_through_and_back_one_gap_at_a_time() {
    let cradle = ran("newtons-cradle", &[]);
    assert_eq!(cradle.run.end, End::Duration);
    let order: Vec<&str> = cradle
        .run
        .events
        .iter()
        .map(|event| &*cradle.names[event.contacts()[0]])
        .collect();
    let there = ["hit1", "hit2", "hit3", "hit4"];
    let back = ["hit4", "hit3", "hit2", "hit1"];
    assert_eq!(order, [there, back].concat());
    // A gap of 1e-6 m at the speed of the blow, L ω.
    let blow = &cradle.run.events[0];
    let gap = (cradle.run.events[1].time - blow.time) * 0.3 * blow.v_pre[0];
    assert_near("gap", gap / 1e-6, 1.0, 1e-4);
}

#[test]
fn the_hammer_strikes_blow_after_blow() {
    let hammer = ran("hammer", &[]);
    assert_eq!(hammer.run.end, End::Duration);
    assert!(hammer.of("blow").len() >= 5, "{:?}", hammer.times());
    assert!(hammer.ledger().drives > 0.0);
    // The blows throw it back as far as its stop at 30 degrees.
    let angles = hammer.run.samples.iter().map(|sample| sample.q[0]);
    let highest = angles.fold(f64::NEG_INFINITY, f64::max).to_degrees();
    assert!(highest > 28.0, "{highest}");
}

/// Largest residual of the loops of a scenario at its samples and events.
fn openness(example: &str, run: &carom_sim::Run) -> f64 {
    let mut mechanism = changed(example, &[]).build_plane().unwrap().mechanism;
    let mut closer = Closer::default();
    let samples = run.samples.iter().map(|s| (s.time, &s.q, &s.v));
    let events = run.events.iter().map(|e| (e.time, &e.q, &e.v_post));
    samples.chain(events).fold(0.0, |most: f64, (t, q, v)| {
        let open = closer.worst(&mut mechanism, State::new(t, q, v)).unwrap();
        most.max(open.value.abs())
    })
}

#[test]
fn the_rocker_strikes_its_stop_again_and_again_and_the_loop_stays_closed() {
    let linkage = ran("four-bar", &[]);
    assert_eq!(linkage.run.end, End::Duration);
    assert!(linkage.run.events.len() >= 3, "{:?}", linkage.times());
    assert!(openness("four-bar", &linkage.run) < 1e-10);
    // One degree of freedom: every rate is turned by the restitution.
    for event in &linkage.run.events {
        for (after, before) in event.v_post.iter().zip(&event.v_pre) {
            assert_near("rate", after / before, -0.7, 1e-9);
        }
    }
}

#[test]
fn a_slider_that_hits_flat_turns_its_flywheel_back_and_shares_the_blow() {
    let slider = ran("slider-crank", &[]);
    assert_eq!(slider.run.end, End::Duration);
    assert!(slider.run.events.len() >= 4, "{:?}", slider.times());
    assert!(openness("slider-crank", &slider.run) < 1e-10);
    for event in &slider.run.events {
        assert_near("ends", event.contacts().len() as f64, 2.0, 0.0);
        assert_near("flywheel", event.v_post[0] / event.v_pre[0], -0.8, 1e-9);
    }
}

#[test]
fn a_start_that_does_not_close_is_an_error_at_its_joint_with_the_residual() {
    let scenario = changed("four-bar", &["run.assemble=false"]);
    let error = carom_sim::run(&mut scenario.build_plane().unwrap()).unwrap_err();
    let error = scenario.locate(&error);
    assert_eq!(error.path.as_deref(), Some("joints.B"));
    assert!(error.message.contains("off by"), "{}", error.message);
    assert!(error.message.contains("assemble"), "{}", error.message);
}

#[test]
fn both_ends_of_the_rod_strike_in_turn_until_they_pile_up() {
    let rod = ran("falling-rod", &[]);
    assert_eq!(rod.run.end, End::Duration);
    let pile = rod.run.events.iter().find_map(|event| match &event.what {
        Happening::Accumulation(pile) => Some(pile),
        _ => None,
    });
    let pile = pile.unwrap();
    assert_eq!(pile.contacts.len(), 2);
    assert_near("limit", pile.limit, 1.341629059, 1e-6);
    let first: Vec<&str> = rod.run.events[..4]
        .iter()
        .map(|event| &*rod.names[event.contacts()[0]])
        .collect();
    assert_eq!(first, ["floor.0", "floor.1", "floor.0", "floor.1"]);
}
