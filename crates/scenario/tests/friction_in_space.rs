//! Contacts with friction that stay closed in space come to the numbers of their closed forms, and of second
//! integrations (`cases/spatial-motion-reference`).
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use carom_sim::record::{EndKind, EventKind, RunRecord};
use carom_support::cases::{cases, numbers};
use carom_support::near;
use carom_support::scenario::{ran, read};
use serde_json::Value;

/// Digits of what was integrated on both sides.
const INTEGRATED: f64 = 1e-9;
/// Digits of a closed form.
const CLOSED_FORM: f64 = 1e-11;

fn case(id: &str) -> Value {
    let all = cases("spatial-motion-reference");
    all.into_iter().find(|case| case["id"] == id).unwrap()
}

/// One of the parameters, as a scenario writes it.
fn given(case: &Value, key: &str) -> String {
    case["parameters"][key].to_string()
}

fn expected(case: &Value, key: &str) -> Vec<f64> {
    numbers(&case["expected"][key])
}

fn number(case: &Value, key: &str) -> f64 {
    case["expected"][key].as_f64().unwrap()
}

/// A ball on the floor of a scene.
struct Ball<'a> {
    case: &'a Value,
    position: &'a str,
    gravity: [f64; 3],
    duration: f64,
    /// What follows in the table of its start, and in that of its shape.
    more: [String; 2],
}

impl Ball<'_> {
    fn run(&self) -> RunRecord {
        let [start, shape] = &self.more;
        let case = self.case;
        let restitution = case["parameters"]["restitution"].as_f64().unwrap_or(0.0);
        let text = format!(
            "space = \"space\"\ngravity = {:?}\n[bodies.ball]\nmass = {}\ninertia = {}\n\
             shapes.skin = {{ ball = {{ radius = {} }}{shape} }}\n\
             start = {{ position = {}, angular_velocity = {}{start} }}\n\
             [world]\nshapes.floor = {{ half_space = {{ normal = [0.0, 0.0, 1.0] }} }}\n\
             [contacts.bed]\nbetween = [\"ball.skin\", \"world.floor\"]\nrestitution = {restitution}\n\
             friction = {}\n[run]\nduration = {}\n",
            self.gravity,
            given(case, "mass"),
            inertia(case),
            given(case, "radius"),
            given(case, self.position),
            given(case, "angular_velocity"),
            given(case, "friction"),
            self.duration,
        );
        finished(&text)
    }
}

fn inertia(case: &Value) -> String {
    let all = &case["parameters"];
    match all.get("moment_across") {
        Some(across) => format!("[{across}, {across}, {}]", all["moment_along"]),
        None => format!("[{0}, {0}, {0}]", all["inertia"]),
    }
}

fn velocity(case: &Value, key: &str) -> String {
    format!(", velocity = {}", given(case, key))
}

fn finished(text: &str) -> RunRecord {
    let (_, record) = ran(&read(text));
    assert_eq!(record.end.kind, EndKind::Duration, "{:?}", record.end);
    let ledger = record.ledger.as_ref().unwrap();
    assert!(
        ledger.residual.abs() < 1e-11 * ledger.entries.scale,
        "{ledger:?}"
    );
    record
}

/// Coordinates of the ball at the end: position, quaternion, velocity, angular velocity.
fn last(record: &RunRecord, body: &str) -> Vec<f64> {
    [&record.last.coordinates[body][..], &record.last.rates[body]].concat()
}

#[track_caller]
fn close(found: f64, expected: f64, digits: f64) {
    near::assert_near("a number", found, expected, digits);
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], digits: f64) {
    for (a, b) in found.iter().zip(expected) {
        close(*a, *b, digits);
    }
}

/// When a contact came to stick.
fn stuck_at(record: &RunRecord) -> f64 {
    let mut sticks = record.events.iter().filter(|e| e.kind == EventKind::Stick);
    sticks.next().unwrap().time
}

#[test]
fn a_cue_ball_with_side_spin_swerves_on_a_parabola_and_rolls() {
    let case = case("S01");
    let record = Ball {
        case: &case,
        position: "position",
        gravity: [0.0, 0.0, -9.81],
        duration: 1.0,
        more: [velocity(&case, "velocity"), String::new()],
    }
    .run();
    close(
        stuck_at(&record),
        number(&case, "slip_ends_at"),
        CLOSED_FORM,
    );
    let event = &record.events[0];
    let there = &event.coordinates["ball"];
    near(&there[..2], &expected(&case, "position_then"), CLOSED_FORM);
    let end = last(&record, "ball");
    near(&end[..2], &expected(&case, "position_at_1s"), CLOSED_FORM);
    near(
        &end[7..9],
        &expected(&case, "velocity_rolling"),
        CLOSED_FORM,
    );
    near(
        &end[10..],
        &expected(&case, "angular_velocity_rolling"),
        CLOSED_FORM,
    );
}

#[test]
fn a_ball_thrown_across_an_incline_turns_its_slip_down_the_slope_and_rolls() {
    let case = case("S02");
    let slope = case["parameters"]["slope_degrees"]
        .as_f64()
        .unwrap()
        .to_radians();
    let ends = number(&case, "slip_ends_at");
    let record = Ball {
        case: &case,
        position: "position",
        gravity: [9.81 * slope.sin(), 0.0, -9.81 * slope.cos()],
        duration: ends + 1.0,
        more: [velocity(&case, "velocity"), String::new()],
    }
    .run();
    close(stuck_at(&record), ends, CLOSED_FORM);
    let end = last(&record, "ball");
    near(
        &end[..2],
        &expected(&case, "position_one_second_later"),
        CLOSED_FORM,
    );
    near(
        &end[7..9],
        &expected(&case, "velocity_one_second_later"),
        CLOSED_FORM,
    );
    close(
        end[12],
        number(&case, "angular_velocity_normal"),
        CLOSED_FORM,
    );
}

#[test]
fn a_ball_on_a_turntable_rolls_on_a_circle_at_two_sevenths_of_its_rate() {
    let case = case("S03");
    let text = format!(
        "space = \"space\"\ngravity = [0.0, 0.0, -9.81]\n[bodies.table]\nmass = 1.0\n\
         inertia = [1.0, 1.0, 1.0]\nshapes.top = {{ half_space = {{ normal = [0.0, 0.0, 1.0] }} }}\n\
         [bodies.ball]\nmass = {}\ninertia = {}\nshapes.skin = {{ ball = {{ radius = {} }} }}\n\
         start = {{ position = {}, velocity = {}, angular_velocity = {} }}\n\
         [joints.axle]\nkind = \"revolute\"\nparent = \"world\"\nchild = \"table\"\n\
         axis = [0.0, 0.0, 1.0]\nmotion = {{ rate = {} }}\n[contacts.bed]\n\
         between = [\"ball.skin\", \"table.top\"]\nrestitution = 0.0\nfriction = {}\n\
         [run]\nduration = 10.0\n",
        given(&case, "mass"),
        inertia(&case),
        given(&case, "radius"),
        given(&case, "position"),
        given(&case, "velocity"),
        given(&case, "angular_velocity"),
        given(&case, "table_rate"),
        given(&case, "friction"),
    );
    let record = finished(&text);
    assert!(record.events.is_empty());
    let end = last(&record, "ball");
    near(&end[..2], &expected(&case, "position_at_10s"), CLOSED_FORM);
    near(&end[7..9], &expected(&case, "velocity_at_10s"), CLOSED_FORM);
    near(
        &end[10..],
        &expected(&case, "angular_velocity_at_10s"),
        CLOSED_FORM,
    );
    let force = &record.trajectory.as_ref().unwrap().contact_forces["bed"];
    let rubs = force
        .tangent
        .last()
        .unwrap()
        .hypot(*force.second_tangent.last().unwrap());
    close(rubs, number(&case, "friction_force"), CLOSED_FORM);
}

/// The axis of a body turned by a quaternion (w, x, y, z): its z axis.
fn axis(q: &[f64]) -> [f64; 3] {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    [
        2.0 * (x * z + w * y),
        2.0 * (y * z - w * x),
        1.0 - 2.0 * (x * x + y * y),
    ]
}

fn tippe_top(duration: f64) -> (Value, RunRecord) {
    let case = case("S08");
    let e = numbers(&case["parameters"]["axis"]);
    let turn = format!(
        "{}, rotation = {{ axis = [0.0, 1.0, 0.0], angle = {:?} }}",
        velocity(&case, "velocity_of_mass_centre"),
        e[0].atan2(e[2])
    );
    let record = Ball {
        case: &case,
        position: "mass_centre",
        gravity: [0.0, 0.0, -9.81],
        duration,
        more: [
            turn,
            format!(", at = [0.0, 0.0, {}]", given(&case, "offset")),
        ],
    }
    .run();
    (case, record)
}

#[test]
fn a_tippe_top_slides_rolls_and_keeps_jelletts_integral() {
    let (case, record) = tippe_top(0.1);
    let end = last(&record, "ball");
    near(
        &axis(&end[3..7]),
        &expected(&case, "axis_at_0p1"),
        INTEGRATED,
    );
    near(
        &end[..3],
        &expected(&case, "mass_centre_at_0p1"),
        INTEGRATED,
    );
    near(
        &end[7..10],
        &expected(&case, "velocity_of_mass_centre_at_0p1"),
        INTEGRATED,
    );
    near(
        &end[10..],
        &expected(&case, "angular_velocity_at_0p1"),
        INTEGRATED,
    );

    let (case, record) = tippe_top(0.5);
    close(stuck_at(&record), number(&case, "slip_ends_at"), INTEGRATED);
    let end = last(&record, "ball");
    near(
        &axis(&end[3..7]),
        &expected(&case, "axis_at_0p5_rolling"),
        1e-8,
    );
    near(
        &end[7..10],
        &expected(&case, "velocity_of_mass_centre_at_0p5"),
        1e-8,
    );
    let jellett = jellett(&case, &end);
    let expected = number(&case, "jellett");
    assert!(
        (jellett - expected).abs() < 1e-9 * expected.abs(),
        "{jellett} {expected}"
    );
}

/// `L·(a e − R z)`, L about the mass centre.
fn jellett(case: &Value, end: &[f64]) -> f64 {
    let of = |key: &str| case["parameters"][key].as_f64().unwrap();
    let (across, along) = (of("moment_across"), of("moment_along"));
    let e = axis(&end[3..7]);
    let w = &end[10..13];
    let spin: f64 = (0..3).map(|i| w[i] * e[i]).sum();
    let momentum = |i: usize| across * (w[i] - spin * e[i]) + along * spin * e[i];
    let (a, r) = (of("offset"), of("radius"));
    (0..3)
        .map(|i| momentum(i) * (a * e[i] - if i == 2 { r } else { 0.0 }))
        .sum()
}

#[test]
fn a_coin_that_rolls_in_a_circle_is_back_after_its_period() {
    let case = case("S06");
    let text = format!(
        "space = \"space\"\n[bodies.coin]\nmass = {}\ninertia = [{2}, {2}, {3}]\n\
         shapes.rim = {{ disk = {{ radius = {1} }} }}\n\
         start = {{ position = {4}, velocity = {5}, angular_velocity = {6}, \
         rotation = {{ axis = [0.0, 1.0, 0.0], angle = \"{7} deg\" }} }}\n\
         [world]\nshapes.floor = {{ half_space = {{ normal = [0.0, 0.0, 1.0] }} }}\n\
         [contacts.edge]\nbetween = [\"coin.rim\", \"world.floor\"]\nrestitution = 0.0\nfriction = {8}\n\
         [run]\nduration = {9}\n",
        given(&case, "mass"),
        given(&case, "radius"),
        given(&case, "moment_diameter"),
        given(&case, "moment_axis"),
        given(&case, "mass_centre"),
        given(&case, "velocity"),
        given(&case, "angular_velocity"),
        given(&case, "theta_degrees"),
        given(&case, "friction"),
        case["expected"]["period"],
    );
    let record = finished(&text);
    assert!(record.events.is_empty(), "it rolls all the time");
    let end = last(&record, "coin");
    let home = expected(&case, "returns_after_one_period_to");
    near(&end[..3], &home, CLOSED_FORM);
    near(
        &end[7..10],
        &numbers(&case["parameters"]["velocity"]),
        INTEGRATED,
    );
    near(
        &axis(&end[3..7]),
        &numbers(&case["parameters"]["axis"]),
        INTEGRATED,
    );
}

#[test]
fn a_ball_that_rolls_in_a_vertical_tube_falls_and_climbs_again() {
    // Rolling inside a rough tube the height swings about its mean at √(2/7) of the rate of the way round, and
    // the spin along the radius beside it: the golfer's ball comes out of the hole again.
    let (radius, tube, speed) = (0.02, 0.1, 1.5);
    let rate: f64 = speed / (tube - radius);
    let swing = (2.0f64 / 7.0).sqrt() * rate;
    let text = format!(
        "space = \"space\"\n[bodies.ball]\nmass = 0.05\ninertia = [8e-6, 8e-6, 8e-6]\n\
         shapes.skin = {{ ball = {{ radius = {radius} }} }}\n\
         start = {{ position = [{0}, 0.0, 0.0], velocity = [0.0, {speed}, 0.0], \
         angular_velocity = [0.0, 0.0, {1}] }}\n\
         [world]\nshapes.wall = {{ tube = {{ radius = {tube} }} }}\n\
         [contacts.wall]\nbetween = [\"ball.skin\", \"world.wall\"]\nrestitution = 0.0\nfriction = 2.0\n\
         [run]\nduration = {2}\n",
        tube - radius,
        -speed / radius,
        std::f64::consts::PI / swing,
    );
    let record = finished(&text);
    assert!(record.events.is_empty(), "{:?}", record.events);
    let end = last(&record, "ball");
    let depth = 2.0 * (5.0 / 7.0) * 9.81 / (swing * swing);
    close(end[2], -depth, INTEGRATED);
    close(end[9], 0.0, INTEGRATED);
    close(end[0].hypot(end[1]), tube - radius, CLOSED_FORM);
}

#[test]
fn a_bouncing_ball_with_spin_slips_then_grips_and_rolls_after_its_last_bounce() {
    let case = case("S09");
    let record = Ball {
        case: &case,
        position: "centre",
        gravity: [0.0, 0.0, -9.81],
        duration: 6.0,
        more: [velocity(&case, "velocity"), String::new()],
    }
    .run();
    let impacts = case["expected"]["impacts"].as_array().unwrap();
    for (event, impact) in record.events.iter().zip(impacts) {
        close(event.time, impact["t"].as_f64().unwrap(), CLOSED_FORM);
        let after = &event.rates_after.as_ref().unwrap()["ball"];
        near(
            &after[..3],
            &numbers(&impact["velocity_after"]),
            CLOSED_FORM,
        );
        near(
            &after[3..],
            &numbers(&impact["angular_velocity_after"]),
            CLOSED_FORM,
        );
    }
    // 1.2 m less a radius is fallen once, then each flight is shorter by the restitution 3/4.
    let fall = (2.0 * (1.2 - 0.033) / 9.81f64).sqrt();
    let limit = record
        .events
        .iter()
        .find(|e| e.kind == EventKind::Accumulation);
    close(limit.unwrap().time, fall * (1.0 + 2.0 * 0.75 / 0.25), 1e-10);
    let end = last(&record, "ball");
    near(&end[7..9], &[1.22, 0.277_142_857_142_86], CLOSED_FORM);
}

#[test]
fn a_cut_with_side_and_follow_throws_the_object_ball() {
    let case = case("S11");
    let mut text = String::from("space = \"space\"\ngravity = [0.0, 0.0, 0.0]\n");
    for (name, start) in [
        (
            "cue",
            format!(
                "position = {}, velocity = {}, angular_velocity = {}",
                given(&case, "cue_centre"),
                given(&case, "cue_velocity"),
                given(&case, "cue_angular_velocity")
            ),
        ),
        ("object", "position = [0.0, 0.0, 0.0]".to_owned()),
    ] {
        writeln!(
            text,
            "[bodies.{name}]\nmass = {}\ninertia = {}\nshapes.skin = {{ ball = {{ radius = {} }} }}\n\
             start = {{ {start} }}",
            given(&case, "mass"),
            inertia(&case),
            given(&case, "radius"),
        )
        .unwrap();
    }
    writeln!(
        text,
        "[contacts.hit]\nbetween = [\"cue.skin\", \"object.skin\"]\nrestitution = {}\nfriction = {}\n\
         [run]\nduration = 0.3",
        given(&case, "restitution"),
        given(&case, "friction"),
    )
    .unwrap();
    let record = finished(&text);
    close(
        record.events[0].time,
        number(&case, "contact_at"),
        CLOSED_FORM,
    );
    for (body, of) in [("cue", "cue"), ("object", "object")] {
        let end = last(&record, body);
        near(
            &end[7..10],
            &expected(&case, &format!("{of}_velocity_after")),
            CLOSED_FORM,
        );
        near(
            &end[10..],
            &expected(&case, &format!("{of}_angular_velocity_after")),
            CLOSED_FORM,
        );
    }
}

/// A body on point feet that slides and turns on a floor.
fn table(case: &Value, duration: f64) -> RunRecord {
    let of = |key: &str| case["parameters"][key].as_f64().unwrap();
    let (height, yaw) = (of("height"), of("yaw_inertia"));
    let mut text = format!(
        "space = \"space\"\ngravity = [0.0, 0.0, -9.81]\n[bodies.table]\nmass = {}\n\
         inertia = [0.03, 0.03, {yaw:?}]\nstart = {{ position = [0.0, 0.0, {height:?}], \
         velocity = [1.2, 0.4, 0.0], angular_velocity = [0.0, 0.0, {:?}] }}\n",
        of("mass"),
        of("yaw_rate"),
    );
    let feet = case["parameters"]["feet"].as_array().unwrap();
    for (i, foot) in feet.iter().enumerate() {
        let [x, y] = [0, 1].map(|k| foot[k].as_f64().unwrap());
        writeln!(
            text,
            "shapes.foot{i} = {{ point = {{}}, at = [{x:?}, {y:?}, {:?}] }}",
            -height
        )
        .unwrap();
    }
    text += "[world]\nshapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] } }\n[contacts]\n";
    for i in 0..feet.len() {
        writeln!(
            text,
            "foot{i} = {{ between = [\"table.foot{i}\", \"world.floor\"], restitution = 0.0, friction = {:?} }}",
            of("friction")
        )
        .unwrap();
    }
    writeln!(text, "[run]\nduration = {duration:?}\nsamples = 31").unwrap();
    finished(&text)
}

#[test]
fn a_three_legged_table_slides_turns_and_stops_both_at_once() {
    let case = case("S13");
    let record = table(&case, 0.3);
    let forces = &record.trajectory.as_ref().unwrap().contact_forces;
    for (i, load) in expected(&case, "loads_at_start").iter().enumerate() {
        close(forces[&format!("foot{i}")].normal[0], *load, CLOSED_FORM);
    }
    let end = last(&record, "table");
    near(&end[..2], &expected(&case, "position"), INTEGRATED);
    near(&end[7..9], &expected(&case, "velocity"), INTEGRATED);
    close(end[12], number(&case, "yaw_rate"), INTEGRATED);

    let record = table(&case, 1.0);
    close(stuck_at(&record), number(&case, "stops_at"), INTEGRATED);
    let end = last(&record, "table");
    near(&end[..2], &expected(&case, "rest_position"), INTEGRATED);
    close(
        2.0 * end[6].atan2(end[3]),
        number(&case, "rest_yaw"),
        INTEGRATED,
    );
    assert!(end[7..].iter().all(|rate| rate.abs() < 1e-15), "{end:?}");
}

/// Four loads and three equations: the loads of equally stiff feet are taken, and the run says so.
#[test]
fn a_four_legged_table_that_slides_and_turns_shares_its_loads_as_equally_stiff_feet_do() {
    let case = case("S14");
    let record = table(&case, 0.3);
    let forces = &record.trajectory.as_ref().unwrap().contact_forces;
    for (i, load) in expected(&case, "loads_equal_compliance").iter().enumerate() {
        close(forces[&format!("foot{i}")].normal[0], *load, CLOSED_FORM);
    }
    assert_eq!(record.chosen_forces, ["foot0", "foot1", "foot2", "foot3"]);
    let record = table(&case, 1.0);
    assert!(
        last(&record, "table")[7..]
            .iter()
            .all(|rate| rate.abs() < 1e-15)
    );
}
