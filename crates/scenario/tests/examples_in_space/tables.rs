//! Tables that are pushed until they slide.

use carom_sim::record::RunRecord;
use carom_support::near::{assert_close, assert_near};

use super::finished;

const GRAVITY: f64 = 9.81;

fn hypot(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn struck(record: &RunRecord, k: usize) -> Vec<&str> {
    let contacts = record.events[k].contacts.iter();
    contacts.map(|contact| &contact.name[..]).collect()
}

#[track_caller]
fn assert_at_rest(record: &RunRecord) {
    assert!(record.last.rates["table"].iter().all(|rate| *rate == 0.0));
    let ledger = &record.ledger.as_ref().unwrap().entries;
    assert_close(
        "works",
        ledger.loads,
        -ledger.friction,
        1e-10 * ledger.largest,
    );
}

#[test]
fn a_three_legged_table_turns_about_the_leg_that_holds_longest() {
    let record = finished("table-three-pushed", &[]);
    let (front, left, right) = ([0.3, 0.0], [-0.15, 0.25], [-0.15, -0.25]);
    let (centre, hand, height) = ([-0.05, -0.12], [-0.2, 0.3], 0.4);
    let weight = 6.0 * GRAVITY;
    // Loads by their moments about the right leg, at a force F along x: N = N0 + F n.
    let away = |p: [f64; 2]| [p[0] - right[0], p[1] - right[1]];
    let moment = |force: f64| (away(centre)[0] * weight + height * force) / away(front)[0];
    let loads = |force: f64| {
        let front_load = moment(force);
        let left_load = (away(centre)[1] * weight - away(front)[1] * front_load) / away(left)[1];
        [front_load, left_load]
    };
    let rubbed = |force: f64| {
        let [front_load, left_load] = loads(force);
        0.3 * (front_load * hypot(front, right) + left_load * hypot(left, right))
    };
    let per_newton = rubbed(1.0) - rubbed(0.0);
    let force = rubbed(0.0) / (away(hand)[1] - per_newton);
    assert_eq!(struck(&record, 0), ["front", "left"]);
    assert_near(
        "slips at",
        record.events[0].time,
        (force / 9.0).asin(),
        1e-11,
    );
    assert_eq!(struck(&record, 1), ["right"]);
    assert_at_rest(&record);
}

#[test]
fn a_four_legged_table_holds_as_long_as_any_share_of_its_weight_can() {
    let record = finished("table-four-pushed", &[]);
    // Leg c without load: b and d carry by their moments about a, and rub at 0.8 m and 0.6 m from it.
    let weight = 8.0 * GRAVITY;
    let force = 0.35 * weight * (0.17 + 0.2) / (0.6 - 0.35 * 0.05);
    let slips = (force / 19.0).asin() / 0.8;
    assert_eq!(struck(&record, 0), ["b", "c", "d"]);
    assert_near("slips at", record.events[0].time, slips, 1e-9);
    assert_eq!(record.chosen_forces, ["a", "b", "c", "d"]);
    let forces = &record.trajectory.as_ref().unwrap().contact_forces;
    for row in 0..400 {
        let loads = forces.values().map(|force| force.normal[row]);
        assert_near("loads", loads.sum(), weight, 1e-10);
    }
    assert_at_rest(&record);
}
