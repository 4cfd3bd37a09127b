//! Contacts that collide together along one path (`run.simultaneous = "path"`): what complementarity refuses or leaves open
//! runs through with this one key.
#![allow(clippy::unwrap_used)]

use carom_contact::impact::Method;
use carom_sim::record::{EndKind, RunRecord};
use carom_support::near::assert_near;
use carom_support::scenario::{ran, read};

/// A body on a floor, with what else stands there.
const BOX: &str = "bodies.box = { mass = 1, inertia = 0.02, shapes.skin.box = { size = [0.4, 0.2] }, start = START }\n\
                   world.shapes.floor = { half_space = { normal = [0, 1] } }\n\
                   contacts.floor = { between = [\"box.skin\", \"world.floor\"], RULE, friction = 0.3 }\n\
                   run.duration = 3\n";

fn a_box(start: &str, rule: &str, more: &str) -> String {
    BOX.replace("START", start).replace("RULE", rule) + more
}

/// The run by the path, and whether its energy only falls.
fn along_the_path(text: &str) -> RunRecord {
    let (_, record) = ran(&read(&format!("{text}run.simultaneous = \"path\"\n")));
    assert_eq!(record.end.kind, EndKind::Duration, "{:?}", record.end);
    let ledger = record.ledger.as_ref().unwrap();
    let scale = ledger.entries.scale;
    assert!(ledger.residual.abs() < 1e-11 * scale, "{ledger:?}");
    for event in &record.events {
        let gained: Option<f64> = event.energy_change;
        assert!(
            gained.is_none_or(|gained| gained < 1e-12 * scale),
            "{event:?}"
        );
    }
    record
}

fn assert_rests(record: &RunRecord, body: &str, posture: [f64; 2]) {
    assert!(record.last.rates[body].iter().all(|rate| *rate == 0.0));
    let there = &record.last.coordinates[body];
    assert_near("height", there[1], posture[0], 1e-9);
    assert_near("angle", there[2], posture[1], 1e-9);
}

#[test]
fn a_box_that_lands_flat_bounces_by_the_energetic_law_until_it_rests() {
    let text = a_box(
        "{ position = [0, 0.5, 0] }",
        "law = \"energetic\", restitution = 0.5",
        "",
    );
    let (_, record) = ran(&read(&text));
    assert_eq!(record.end.kind, EndKind::NotOffered);
    assert!(record.end.reason.contains("run.simultaneous = \"path\""));

    let record = along_the_path(&text);
    assert_rests(&record, "box", [0.1, 0.0]);
    let fall = (2.0f64 * 0.4 / 9.81).sqrt();
    assert_near("first", record.events[0].time, fall, 1e-13);
    assert_near("second", record.events[1].time, 2.0 * fall, 1e-12);
    let last = record.events.last().unwrap().time;
    assert_near("last", last, 3.0 * fall, 1e-9);
}

#[test]
fn a_box_that_lands_flat_and_slides_comes_to_rest() {
    let start = "{ position = [0, 0.5, 0], rate = [1, 0, 0] }";
    let text = a_box(start, "law = \"energetic\", restitution = 0.5", "");
    assert_rests(&along_the_path(&text), "box", [0.1, 0.0]);
}

#[test]
fn a_box_that_slides_into_a_stop_tips_and_comes_to_rest() {
    let stop = "world.shapes.stop = { disk = { radius = 0.05 }, at = [0.6, 0.15] }\n\
                contacts.stop = { between = [\"box.skin\", \"world.stop\"], restitution = 0.3, friction = 0.3 }\n";
    let start = "{ position = [0, 0.1, 0], rate = [2, 0, 0] }";
    let record = along_the_path(&a_box(start, "restitution = 0.3", stop));
    let first = &record.events[0];
    assert!(first.contacts.len() > 1, "a corner and the stop: {first:?}");
    assert_eq!(first.method, Some(Method::Path));
    assert_rests(&record, "box", [0.1, 0.0]);
}

#[test]
fn a_tall_box_topples_over_a_step_and_lies_on_it() {
    let text = "bodies.box = { mass = 1, inertia = 0.05, shapes.skin.box = { size = [0.2, 0.6] }, start = { position = [0, 0.3, 0], rate = [1.5, 0, 0] } }\n\
                world.shapes.floor = { half_space = { normal = [0, 1] } }\n\
                world.shapes.step = { box = { size = [1.0, 0.06] }, at = [0.8, 0.03] }\n\
                contacts.floor = { between = [\"box.skin\", \"world.floor\"], restitution = 0.1, friction = 0.4 }\n\
                contacts.step = { between = [\"box.skin\", \"world.step\"], restitution = 0.1, friction = 0.4 }\n\
                run.duration = 2\n";
    let record = along_the_path(text);
    assert_rests(&record, "box", [0.16, -std::f64::consts::FRAC_PI_2]);
}

#[test]
fn a_wheel_that_rolls_into_a_wall_climbs_until_it_grips() {
    let text = "bodies.wheel = { mass = 1, inertia = 0.005, shapes.rim.disk = { radius = 0.1 }, start = { position = [0, 0.1, 0], rate = [1, 0, -10] } }\n\
                world.shapes.floor = { half_space = { normal = [0, 1] } }\n\
                world.shapes.wall = { half_space = { normal = [-1, 0] }, at = [0.5, 0] }\n\
                contacts.floor = { between = [\"wheel.rim\", \"world.floor\"], restitution = 0.3, friction = 0.4 }\n\
                contacts.wall = { between = [\"wheel.rim\", \"world.wall\"], restitution = 0.5, friction = 0.4 }\n\
                run.duration = 1\n";
    let record = along_the_path(text);
    // The slip of 1 m/s at the wall is stopped by 1/(1/m + R²/I) = 1/3 N s, below 0.4 * 1.5.
    assert_near("wall", record.events[0].time, 0.4, 1e-13);
    let flight = 2.0 / 3.0 / 9.81;
    assert_near("floor", record.events[1].time, 0.4 + flight, 1e-12);
}

#[test]
fn a_die_that_is_cast_comes_to_rest_on_a_face() {
    let text = "space = \"space\"\n\
                bodies.die = { mass = 0.005, inertia = [2.1e-7, 2.1e-7, 2.1e-7], shapes.faces.box = { size = [0.016, 0.016, 0.016] }, start = { position = [0, 0, 0.12], velocity = [0.8, 0.1, -0.5], rotation = [0.7, 0.3, -0.2, 0.5], angular_velocity = [25, -40, 15] } }\n\
                world.shapes.table = { half_space = { normal = [0, 0, 1] } }\n\
                contacts.cast = { between = [\"die.faces\", \"world.table\"], restitution = 0.45, friction = 0.3 }\n\
                run.duration = 1\n";
    let (_, open) = ran(&read(text));
    assert_eq!(open.end.kind, EndKind::SeveralAnswers);
    assert!(open.end.reason.contains("run.simultaneous = \"path\""));
    let record = along_the_path(text);
    assert!(record.last.rates["die"].iter().all(|rate| *rate == 0.0));
    assert_near("height", record.last.coordinates["die"][2], 0.008, 1e-12);
}
