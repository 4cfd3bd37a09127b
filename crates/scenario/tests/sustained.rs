//! Scenarios in which contacts stay closed come to the numbers of their cases.
#![allow(clippy::unwrap_used)]

use carom_scenario::examples::SUSTAINED;
use carom_scenario::read_scenario;
use carom_sim::record::{EventKind, EventRecord, RunRecord};
use carom_sim::{ContactMode, End, Happening, Run, run};
use carom_support::cases::{Book, text};
use carom_support::near::assert_near;
use carom_support::scenario;

fn ran(name: &str, set: &[&str]) -> RunRecord {
    scenario::ran(&scenario::changed(name, set)).1
}

fn recorded(text: &str) -> RunRecord {
    scenario::ran(&scenario::read(text)).1
}

fn of_kind(record: &RunRecord, kind: EventKind) -> Vec<&EventRecord> {
    let events = record.events.iter();
    events.filter(|event| event.kind == kind).collect()
}

fn coordinate(event: &EventRecord, joint: &str, index: usize) -> f64 {
    event.coordinates[joint][index]
}

fn rate(event: &EventRecord, joint: &str, index: usize) -> f64 {
    event.rates_after.as_ref().unwrap()[joint][index]
}

/// Every example reaches its time; works add up; closed contacts press and stay closed; gaps stay
/// open; it takes no more than a million evaluations.
#[test]
fn every_example_in_contact_closes_its_ledger_and_no_contact_pulls_or_overlaps() {
    for example in SUSTAINED {
        let name = example.name;
        let record = ran(name, &[]);
        assert_eq!(record.end.kind.name(), "duration", "{name}");
        let ledger = record.ledger.as_ref().unwrap();
        let miss = ledger.residual.abs() / ledger.entries.largest;
        assert!(miss <= 1e-10, "{name}: {miss:e}");
        assert!(ledger.entries.friction <= 0.0, "{name}");
        let trajectory = record.trajectory.as_ref().unwrap();
        let gaps = trajectory.gaps.values().flatten();
        let least = gaps.fold(0.0f64, |least, gap| least.min(*gap));
        assert!(least > -1e-12, "{name}: {least:e}");
        assert!(!trajectory.contact_forces.is_empty(), "{name}");
        let all = trajectory.contact_forces.values();
        let loads = all.flat_map(|force| &force.normal);
        let largest = loads.fold(0.0f64, |most, f| most.max(*f));
        for (contact, force) in &trajectory.contact_forces {
            let most = force.normal.iter().fold(0.0f64, |most, f| most.max(*f));
            let least = force.normal.iter().fold(0.0f64, |least, f| least.min(*f));
            // One that bears nothing is round-off of its neighbours.
            assert!(
                least >= -1e-9 * most - f64::EPSILON * largest,
                "{name}, {contact}: {least} of {most}"
            );
        }
        let evaluations = record.effort.evaluations;
        assert!(evaluations < 1_000_000, "{name}: {evaluations}");
    }
}

#[test]
fn every_example_in_contact_repeats_its_bits() {
    let run_of = |text: &str| -> Run {
        let file = read_scenario("case.toml", text, &[]).unwrap();
        scenario::ran(&file).0
    };
    for example in SUSTAINED {
        assert!(
            run_of(example.text) == run_of(example.text),
            "{}",
            example.name
        );
    }
}

/// P17.
#[test]
fn the_ball_on_the_incline_leaps_four_metres_and_then_slides() {
    let book = Book::open("ball-on-incline");
    let record = ran("ball-on-incline", &[]);
    let first = &record.events[0];
    let piles = of_kind(&record, EventKind::Accumulation);
    let [pile] = piles[..] else {
        unreachable!("{}", piles.len());
    };
    book.assert_near("bouncing", pile.time - first.time);
    let way = |k| coordinate(pile, "ball", k) - coordinate(first, "ball", k);
    book.assert_near("travel", f64::hypot(way(0), way(1)));
    book.assert_near(
        "speed",
        f64::hypot(rate(pile, "ball", 0), rate(pile, "ball", 1)),
    );
    assert_eq!(pile.modes_after["slope"], "closed");
    // It slides on with g sin 30°.
    let rates = &record.last.rates["ball"];
    let sliding = f64::hypot(rates[0], rates[1]) - book.number("speed");
    assert_near("gain", sliding, 4.905 * (record.time - pile.time), 1e-11);
}

/// P20, P21.
#[test]
fn the_block_rocks_at_its_instants_and_comes_to_stand() {
    let book = Book::open("rocking-block");
    let record = ran("rocking-block", &[]);
    let (times, rates) = (book.numbers("times"), book.numbers("rates_after"));
    for (event, (time, after)) in record.events.iter().zip(times.iter().zip(&rates)) {
        assert_near("time", event.time, *time, book.number("tolerance"));
        let w = rate(event, "block", 2);
        assert_near("rate", w.abs(), *after, book.number("tolerance"));
        assert_near(
            "factor",
            w / event.rates_before["block"][2],
            book.number("factor"),
            1e-11,
        );
        let impulse = &event.contacts[0].impulse;
        let p_t = impulse.tangent.unwrap().plane().unwrap();
        let ratio = p_t.abs() / impulse.normal.unwrap();
        assert_near("cone", ratio, book.number("cone"), 1e-11);
    }
    let last = record.events.last().unwrap();
    assert_eq!(last.kind, EventKind::Accumulation);
    assert_near(
        "rest",
        last.time,
        book.number("rest"),
        book.number("rest_tolerance"),
    );
    assert!(record.last.rates["block"].iter().all(|v| v.abs() < 1e-14));
}

/// A block of half-diagonal 1 m that comes down on its left corner from a tilt, with a rate.
fn block_landing(degrees: f64, tilt: f64, rate: f64) -> String {
    let (a, turn) = (degrees.to_radians(), -tilt);
    let (sin, cos) = ((a - tilt).sin(), (a - tilt).cos());
    format!(
        "run.duration = 0.5\n[bodies.block]\nmass = 1\ninertia = {:?}\n\
         shapes.skin = {{ box = {{ size = [{:?}, {:?}] }} }}\n\
         start = {{ position = [{:?}, {cos:?}, {turn:?}], rate = [{:?}, {:?}, {rate:?}] }}\n\
         [world]\nshapes.floor = {{ half_space = {{ normal = [0, 1] }} }}\n\
         [contacts.floor]\nbetween = [\"block.skin\", \"world.floor\"]\nrestitution = 0\nfriction = 3\n",
        1.0 / 3.0,
        2.0 * a.sin(),
        2.0 * a.cos(),
        -sin,
        -rate * cos,
        -rate * sin,
    )
}

/// P20: slender blocks rock on, a flat one stops.
#[test]
fn a_landing_throws_a_slender_block_on_and_stops_a_flat_one() {
    for (degrees, factor, cone) in [
        (15.0, 0.899519052838, 0.197418393587),
        (20.0, 0.824533332339, 0.264226856654),
    ] {
        let record = recorded(&block_landing(degrees, 0.01, 1.0));
        let landing = &record.events[0];
        assert_near(
            "factor",
            rate(landing, "block", 2) / landing.rates_before["block"][2],
            factor,
            1e-11,
        );
        let impulse = &landing.contacts[0].impulse;
        let p_t = impulse.tangent.unwrap().plane().unwrap();
        assert_near("cone", p_t.abs() / impulse.normal.unwrap(), cone, 1e-11);
    }
    let flat = recorded(&block_landing(60.0, 0.01, 1.0));
    let landing = &flat.events[0];
    assert!(landing.rates_before["block"][2] > 0.9);
    assert!(rate(landing, "block", 2).abs() < 1e-14);
    assert_eq!(flat.end.kind.name(), "duration");
    assert!(flat.last.rates["block"].iter().all(|v| v.abs() < 1e-14));
}

/// P22; with an inertia J the factor of a landing is (m l² cos 45° + J)/(m l² + J).
#[test]
fn the_rimless_wheel_settles_to_its_gait() {
    let book = Book::open("rimless-wheel");
    let record = ran("rimless-wheel", &[]);
    let [.., before, last] = &record.events[..] else {
        unreachable!();
    };
    let w = -rate(last, "wheel", 2);
    book.assert_near("rate_after", w);
    book.assert_near("step", last.time - before.time);
    let inertia = 1e-6;
    let factor = (0.5f64.sqrt() + inertia) / (1.0 + inertia);
    let fall = 4.0 * 9.81 * 22.5f64.to_radians().sin() * 6f64.to_radians().sin();
    let gait = (factor.powi(2) / (1.0 - factor.powi(2)) * fall / (1.0 + inertia)).sqrt();
    assert_near("gait", w, gait, 1e-9);
    // Each step halves what is left of the square of the rate.
    let squares: Vec<f64> = record
        .events
        .iter()
        .map(|e| rate(e, "wheel", 2).powi(2))
        .collect();
    let left = |k: usize| squares[k] - gait.powi(2);
    assert_near(
        "multiplier",
        left(5) / left(4),
        book.number("multiplier"),
        1e-5,
    );
}

/// P25.
#[test]
fn the_foot_of_the_falling_stick_slips_forwards_late_or_backwards_early() {
    let book = Book::open("falling-stick");
    let slips = |mu: f64| {
        let record = ran("falling-stick", &[&format!("contacts.foot.friction={mu}")]);
        let first = record.events[0].clone();
        assert_eq!(first.kind, EventKind::Slip);
        let angle = -coordinate(&first, "stick", 2).to_degrees();
        (angle, first.modes_after["foot"].clone())
    };
    let (angle, mode) = slips(0.5);
    book.assert_near("slips_at", angle);
    assert_eq!(mode, "slide+");
    // Just below the greatest ratio it slips backwards where that is met, above it holds.
    let greatest = book.number("greatest_ratio");
    let (early, mode) = slips(greatest - 1e-9);
    assert_near("greatest_at", early, book.number("greatest_at"), 1e-3);
    assert_eq!(mode, "slide-");
    let (late, mode) = slips(greatest + 1e-9);
    assert!(late > book.number("zero_at"), "{late}");
    assert_eq!(mode, "slide+");
}

/// P25: friction over normal force along the way.
#[test]
fn the_floor_pushes_the_foot_of_the_stick_forwards_and_then_back() {
    let book = Book::open("falling-stick");
    let record = ran("falling-stick", &["run.duration=0.42", "run.samples=2001"]);
    let trajectory = record.trajectory.as_ref().unwrap();
    let force = &trajectory.contact_forces["foot"];
    let angles = &trajectory.coordinates["stick"][2];
    let (mut greatest, mut turned) = (0.0f64, 0.0);
    for ((n, t), angle) in force.normal.iter().zip(&force.tangent).zip(angles) {
        greatest = greatest.max(t / n);
        if *t > 0.0 {
            turned = -angle.to_degrees();
        }
    }
    assert_near("greatest", greatest, book.number("greatest_ratio"), 1e-6);
    assert_near("zero", turned, book.number("zero_at"), 2e-3);
}

/// P26.
#[test]
fn the_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let book = Book::open("ladder");
    let record = ran("ladder", &[]);
    let release = &of_kind(&record, EventKind::Release)[0];
    assert_eq!(release.contacts[0].name, "wall");
    let sine = (-coordinate(release, "ladder", 2)).sin() / 60f64.to_radians().sin();
    book.assert_near("sine_ratio", sine);
}

/// P26: a particle on a smooth disk, started a little down with the speed it has there.
#[test]
fn a_ball_that_rolls_off_a_ball_leaves_it_at_ten_seventeenths_of_its_height() {
    let book = Book::open("ball-on-ball");
    let record = recorded(&text("ball-on-ball/scenario.toml"));
    let release = record.events.iter().find(|e| e.kind == EventKind::Release);
    let place = |k: usize| coordinate(release.unwrap(), "ball", k);
    book.assert_near("angle", place(0).atan2(place(1)).to_degrees());
}

#[test]
fn a_particle_leaves_a_smooth_disk_at_two_thirds_of_its_height() {
    let start = 5f64.to_radians();
    let speed = (2.0 * 9.81 * (1.0 - start.cos())).sqrt();
    let text = format!(
        "run.duration = 1\n[bodies.bead]\nmass = 1\ninertia = 0.1\nshapes.skin = {{ point = {{}} }}\n\
         start = {{ position = [{:?}, {:?}, 0], rate = [{:?}, {:?}, 0] }}\n\
         [world]\nshapes.disk = {{ disk = {{ radius = 1 }} }}\n\
         [contacts.disk]\nbetween = [\"bead.skin\", \"world.disk\"]\nrestitution = 0\n",
        start.sin(),
        start.cos(),
        speed * start.cos(),
        -speed * start.sin(),
    );
    let record = recorded(&text);
    let release = &of_kind(&record, EventKind::Release)[0];
    assert_near("height", coordinate(release, "bead", 1), 2.0 / 3.0, 1e-11);
}

/// P27.
#[test]
fn the_cue_ball_rolls_after_two_sevenths_of_its_speed_are_gone() {
    let book = Book::open("cue-ball");
    let record = ran("cue-ball", &[]);
    let sticks = of_kind(&record, EventKind::Stick);
    let [stick] = sticks[..] else {
        unreachable!("{}", sticks.len());
    };
    book.assert_near("rolls_at", stick.time);
    book.assert_near("speed", rate(stick, "ball", 0));
    book.assert_near("distance", coordinate(stick, "ball", 0));
    book.assert_near("speed", record.last.rates["ball"][0]);
}

/// P27, second part: friction acts along the slip of a ball, whose direction does not change, so that the ball
/// moves as in the plane along it and evenly across. Slip (−3, 3) m/s at a velocity of (2, 0) m/s.
#[test]
fn a_cue_ball_with_side_spin_turns_aside_until_it_rolls() {
    let book = Book::open("cue-ball");
    let (along, across) = (
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::FRAC_1_SQRT_2,
    );
    let (v, slip, radius) = (-2.0 * along, 3.0 / along, 0.02844);
    let start = format!("bodies.ball.start.rate=[{v}, 0.0, {}]", (slip - v) / radius);
    let record = ran("cue-ball", &[&start]);
    let sticks = of_kind(&record, EventKind::Stick);
    let [stick] = sticks[..] else {
        unreachable!("{}", sticks.len());
    };
    book.assert_near("spun_rolls_at", stick.time);
    let (u, w) = (rate(stick, "ball", 0), 2.0 * across);
    book.assert_near("spun_speed_x", -u * along + w * across);
    book.assert_near("spun_speed_y", u * along + w * across);
}

/// P29.
#[test]
fn the_block_on_the_belt_slips_and_sticks_for_its_times() {
    let book = Book::open("stick-slip");
    let record = ran("stick-slip", &[]);
    assert!(record.events.len() >= 8, "{}", record.events.len());
    for pair in record.events.windows(2) {
        let lasts = pair[1].time - pair[0].time;
        match pair[0].kind {
            EventKind::Slip => book.assert_near("slip", lasts),
            EventKind::Stick => book.assert_near("stick", lasts),
            kind => unreachable!("{}", kind.name()),
        }
    }
    let slips = of_kind(&record, EventKind::Slip);
    book.assert_near("period", slips[2].time - slips[1].time);
    let motions = record.ledger.unwrap().entries.motions;
    assert!(motions > 0.5, "the drum drives it: {motions}");
}

/// P30.
#[test]
fn den_hartogs_oscillator_settles_to_its_amplitude_and_never_stops() {
    let book = Book::open("den-hartog");
    let record = ran("den-hartog", &[]);
    assert_eq!(
        of_kind(&record, EventKind::Reverse).len(),
        record.events.len()
    );
    for event in &record.events[record.events.len() - 4..] {
        book.assert_near("greatest", coordinate(event, "spring", 0).abs());
    }
}

/// P35, and several turns on.
#[test]
fn the_slider_with_clearance_first_lands_flat_and_goes_on_for_turns() {
    let book = Book::open("slider-crank-clearance");
    let record = ran("slider-crank-clearance", &[]);
    let first = &record.events[0];
    let names: Vec<&str> = first.contacts.iter().map(|c| c.name.as_str()).collect();
    let wanted = book.0["contacts"].as_array().unwrap().iter();
    assert_eq!(
        names,
        wanted.map(|x| x.as_str().unwrap()).collect::<Vec<_>>()
    );
    assert_near(
        "time",
        first.time,
        book.number("time"),
        book.number("time_tolerance"),
    );
    let joints = ["shaft", "crank-pin", "wrist-pin"];
    let (mut angle, mut rate) = (0.0, 0.0);
    let wanted = book
        .numbers("angles")
        .into_iter()
        .zip(book.numbers("rates"));
    for (joint, (angle_wanted, rate_wanted)) in joints.iter().zip(wanted) {
        angle += coordinate(first, joint, 0);
        rate += first.rates_before[*joint][0];
        assert_near("angle", angle, angle_wanted, book.number("tolerance"));
        assert_near("rate", rate, rate_wanted, book.number("tolerance"));
    }
    let turns = record.last.coordinates["shaft"][0] / std::f64::consts::TAU;
    assert!(turns > 3.0, "{turns}");
    assert!(!of_kind(&record, EventKind::Accumulation).is_empty());
    assert!(!of_kind(&record, EventKind::Release).is_empty());
}

#[test]
fn the_woodpecker_sticks_slips_falls_and_strikes_in_every_cycle() {
    let record = ran("woodpecker", &["run.duration=3", "run.samples=2"]);
    let blows = of_kind(&record, EventKind::Impact).into_iter();
    let blows: Vec<_> = blows.filter(|e| e.contacts[0].name == "beak").collect();
    let [.., before, last] = &blows[..] else {
        unreachable!();
    };
    // The full geometry settles to one blow a cycle.
    let earlier = blows[blows.len() - 3];
    let period = last.time - before.time;
    assert_near("period", before.time - earlier.time, period, 1e-4);
    let fall = |from: &EventRecord, to: &EventRecord| {
        coordinate(from, "pole", 0) - coordinate(to, "pole", 0)
    };
    assert_near("fall", fall(earlier, before), fall(before, last), 1e-5);
    assert!((0.12..0.16).contains(&period), "{period}");
    for kind in [EventKind::Stick, EventKind::Slip, EventKind::Release] {
        let during = of_kind(&record, kind).into_iter();
        let during = during.filter(|e| (before.time..last.time).contains(&e.time));
        assert_eq!(during.count(), 1, "{}", kind.name());
    }
}

#[test]
fn blocks_thrown_into_a_corner_come_to_lie_flat_and_still() {
    let record = ran("corner", &[]);
    for (block, height) in [("large", 0.15), ("small", 0.1)] {
        assert!(
            record.last.rates[block].iter().all(|v| v.abs() < 1e-12),
            "{block}"
        );
        assert_near(block, record.last.coordinates[block][1], height, 1e-12);
    }
    let ledger = record.ledger.unwrap().entries;
    assert!(ledger.end < ledger.start);
}

/// The pendulum of paper 001 continued: its first impacts are those of P10, its chatter ends in contact.
#[test]
fn the_rough_pendulum_chatters_into_contact_and_rests_on_to_twenty_seconds() {
    let settled = |tolerance: &str| {
        let set = format!("run.tolerance={tolerance}");
        let scenario = scenario::changed("pendulum-settles", &[&set]);
        run(&mut scenario.build_plane().unwrap()).unwrap()
    };
    let run = settled("1e-12");
    assert_eq!((&run.end, run.time), (&End::Duration, 20.0));
    for (event, time) in
        run.events
            .iter()
            .zip([1.4781753668, 2.3924904222, 3.0869958707, 3.7789958164])
    {
        assert_near("time", event.time, time, 1e-9);
    }
    let last = run.events.last().unwrap();
    let Happening::Accumulation(pile) = &last.what else {
        unreachable!("{}", run.events.len());
    };
    let again = settled("3e-14");
    let Happening::Accumulation(finer) = &again.events.last().unwrap().what else {
        unreachable!("{}", again.events.len());
    };
    assert_near("limit", pile.limit, finer.limit, 1e-8);
    assert!(pile.bound < 1e-8, "{}", pile.bound);
    assert!(pile.ratio > 0.8 && pile.ratio < 0.9, "{}", pile.ratio);
    assert_eq!(last.modes_after, [(0, ContactMode::Stick)]);
    assert!(run.v.iter().all(|v| v.abs() < 1e-14), "{:?}", run.v);
}
