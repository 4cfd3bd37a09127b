//! A break on a small rack.

use carom_contact::impact::Tangential;
use carom_sim::record::{EventRecord, RunRecord};
use carom_support::near::{assert_all_near, assert_near};

use super::finished;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 0.17;
const RADIUS: f64 = 0.028575;
const CLOTH: f64 = 0.2;
const BALLS: [&str; 4] = ["cue", "one", "two", "three"];

/// What a ball has after an event: velocity, angular velocity.
fn after<'a>(event: &'a EventRecord, ball: &str) -> &'a [f64] {
    &event.rates_after.as_ref().unwrap()[ball]
}

/// The last event in which a ball is struck.
fn last_blow<'a>(record: &'a RunRecord, ball: &str) -> &'a EventRecord {
    let mut blows = record.events.iter().rev();
    let is_struck = |event: &&EventRecord| {
        let contacts = event.contacts.iter();
        let struck = contacts.filter(|c| c.impulse.normal.is_some_and(|p| p > 0.0));
        struck
            .flat_map(|c| c.name.split('-'))
            .any(|name| name == ball)
    };
    blows.find(is_struck).unwrap()
}

#[test]
fn a_break_changes_the_momentum_of_the_balls_by_the_impulses_of_the_cloth_alone() {
    let record = finished("break", &[]);
    let event = &record.events[0];
    let mut change = [0.0; 3];
    for ball in BALLS {
        for (k, sum) in change.iter_mut().enumerate() {
            *sum += MASS * (after(event, ball)[k] - event.rates_before[ball][k]);
        }
    }
    let mut impulse = [0.0; 3];
    for contact in event
        .contacts
        .iter()
        .filter(|c| BALLS.contains(&&c.name[..]))
    {
        let Some(Tangential::Space([x, y])) = contact.impulse.tangent else {
            unreachable!("{contact:?}");
        };
        let parts = impulse
            .iter_mut()
            .zip([x, y, contact.impulse.normal.unwrap()]);
        parts.for_each(|(sum, part)| *sum += part);
    }
    assert_all_near("momentum", &change, &impulse, 1e-12);
    assert!(
        impulse[2] > 0.01,
        "topspin presses the first ball down: {impulse:?}"
    );
}

#[test]
fn the_balls_hop_slide_and_roll_after_a_break_as_balls_do() {
    let record = finished("break", &[]);
    let struck = &record.events[0];
    for ball in ["cue", "two", "three"] {
        let hop = 2.0 * after(struck, ball)[2] / GRAVITY;
        let landing = last_blow(&record, ball);
        assert_near(ball, landing.time, struck.time + hop, 1e-12);
    }
    for ball in BALLS {
        let blow = last_blow(&record, ball);
        let [x, y, _, spin_x, spin_y, _] = after(blow, ball)[..] else {
            unreachable!("{ball}");
        };
        let slip = [x - RADIUS * spin_y, y + RADIUS * spin_x];
        let slides = 2.0 * slip[0].hypot(slip[1]) / (7.0 * CLOTH * GRAVITY);
        let rolls = record.events.iter().find(|event| {
            event.time > blow.time && event.contacts.iter().any(|contact| contact.name == ball)
        });
        assert_near(ball, rolls.unwrap().time, blow.time + slides, 1e-11);
        let rolling = [x - slip[0] / 3.5, y - slip[1] / 3.5];
        assert_all_near(ball, &record.last.rates[ball][..2], &rolling, 1e-11);
    }
}
