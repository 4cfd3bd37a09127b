//! What pages and tables say of every example, compared with the record: kinds, units, modes, ends.
#![allow(clippy::unwrap_used)]

use carom::examples::{SCENARIOS, SUSTAINED};
use carom::figure::RunFigure;
use carom::sim::record::{EndKind, EventKind, EventRecord, RunRecord};
use carom::{Override, read_scenario, run_files, simulate};
use serde_json::Value;

/// What no example comes to: an impact without collision, a collision with several outcomes, ends by limits.
const MORE: [(&str, &str); 3] = [
    (
        "rod without an acceleration",
        "bodies.rod = { mass = 1, inertia = 0.3333333333333333, shapes.skin.polygon.vertices = [[-1, 0], [1, 0], [0, 0.3]], start = { position = [0.5, 0.8660254037844386, \"60 deg\"], rate = [-1, 0, 0] } }
         world.shapes.floor.half_space.normal = [0, 1]
         contacts.tip = { between = [\"rod.skin\", \"world.floor\"], law = \"poisson\", restitution = 0.0, friction = 2 }
         run.duration = 0.2",
    ),
    (
        "die",
        "space = \"space\"
         bodies.die = { mass = 0.005, inertia = [2.1e-7, 2.1e-7, 2.1e-7], shapes.faces.box = { size = [0.016, 0.016, 0.016] }, start = { position = [0, 0, 0.12], velocity = [0.8, 0.1, -0.5], rotation = [0.7, 0.3, -0.2, 0.5], angular_velocity = [25, -40, 15] } }
         world.shapes.table = { half_space = { normal = [0, 0, 1] } }
         contacts.cast = { between = [\"die.faces\", \"world.table\"], restitution = 0.45, friction = 0.3 }
         run.duration = 1",
    ),
    (
        "ball of few impacts",
        "bodies.ball = { mass = 1, inertia = 0.1, shapes.skin.point = {}, start.position = [0, 1, 0] }
         world.shapes.floor.half_space.normal = [0, 1]
         contacts.hit = { between = [\"ball.skin\", \"world.floor\"], restitution = 0.5 }
         run = { duration = 5, max_events = 3 }",
    ),
];

/// Every example that moves, and more, run with few samples.
fn runs() -> impl Iterator<Item = (&'static str, RunRecord)> {
    let few = Override::parse("run.samples=20").unwrap();
    let examples = SCENARIOS.iter().chain(SUSTAINED);
    let all = examples.map(|example| (example.name, example.text));
    all.chain(MORE).filter_map(move |(name, text)| {
        let read = read_scenario("scene.toml", text, std::slice::from_ref(&few));
        let scenario = read.unwrap();
        let is_run = scenario.has_duration() && !scenario.has_joint_friction();
        is_run.then(|| (name, simulate(&scenario).unwrap()))
    })
}

fn files(record: &RunRecord) -> Vec<(String, String)> {
    let what = carom::RunFiles {
        figures: Vec::new(),
        impulse_planes: false,
        png: false,
        planes: 0,
        report: true,
    };
    let files = run_files(record, what).map(Result::unwrap);
    let texts = files.map(|file| (file.name, String::from_utf8(file.bytes).unwrap()));
    texts.collect()
}

/// The numbers and words embedded in a page.
fn embedded(page: &str) -> Value {
    let start = page.split("<script id=\"data\" type=\"application/json\">");
    let text = start.last().unwrap().split("</script>").next().unwrap();
    serde_json::from_str(text).unwrap()
}

/// The sentences on contact `k` of an event, in one line.
fn words(detail: &Value, k: usize) -> String {
    let steps = detail["steps"][k].as_array().unwrap().iter();
    let told = steps.map(|s| {
        format!(
            "{}: {}",
            s["name"].as_str().unwrap(),
            s["words"].as_str().unwrap()
        )
    });
    told.collect::<Vec<_>>().join(" ")
}

/// Whether a contact of an event has no friction.
fn is_smooth(event: &EventRecord, contact: &str) -> bool {
    let posed = event
        .problem
        .iter()
        .flat_map(|posed| &posed.problem.contacts);
    let mut own = posed.filter(|posed| posed.name == contact);
    own.any(|posed| posed.friction.is_none())
}

fn check_contact(name: &str, record: &RunRecord, event: &EventRecord, k: usize, detail: &Value) {
    let contact = &event.contacts[k];
    let said = words(detail, k);
    let at = format!("{name}, event {}, {}: {said}", event.index, contact.name);
    let mode = event.modes_after.get(&contact.name).map(String::as_str);
    let is_stop = detail["stops"][k].as_bool().unwrap();
    match event.kind {
        EventKind::Impact | EventKind::ImpactWithoutCollision => {
            let has_end = contact.impulse.normal.is_some();
            assert_eq!(
                said.contains("no finite impulse"),
                !has_end && event.outcomes.is_empty(),
                "{at}"
            );
            assert_eq!(
                said.contains("several outcomes"),
                !has_end && !event.outcomes.is_empty(),
                "{at}"
            );
            assert!(
                !said.contains("stay together") || mode != Some("open"),
                "{at}"
            );
        }
        EventKind::Release => assert!(said.contains("it is open from here on"), "{at}"),
        EventKind::Stick => assert!(said.contains("it sticks"), "{at}"),
        EventKind::Slip | EventKind::Reverse => assert!(said.contains("it slips"), "{at}"),
        EventKind::Accumulation => assert!(said.contains("pile up"), "{at}"),
        _ => {}
    }
    if !event.kind.is_blow() {
        for false_here in ["the bodies part", "stay together", "compression", "p_n ="] {
            assert!(!said.contains(false_here), "{at}");
        }
    }
    if is_smooth(event, &contact.name) || is_stop {
        for false_here in ["sticking", "slipping", "friction is too weak", "it sticks"] {
            assert!(!said.contains(false_here), "{at}");
        }
    }
    let is_angle = record.gap_unit(&contact.name) == "rad";
    let unit = detail["units"][k]["impulse"].as_str().unwrap();
    assert_eq!(unit, if is_angle { "N·m·s" } else { "N·s" }, "{at}");
    if is_angle {
        assert!(!said.contains("m/s") && !said.contains(" N·s"), "{at}");
    }
}

fn check_page(name: &str, record: &RunRecord, page: &str) {
    let data = embedded(page);
    let body = page.split("<body>").nth(1).unwrap();
    let body = body.split("\"use strict\"").next().unwrap();
    let blows = record.events.iter().filter(|event| event.kind.is_blow());
    let hits = record
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Impact);
    let hits = hits.count();
    assert_eq!(
        body.contains("Nothing collided."),
        blows.clone().count() == 0 && record.end.kind != EndKind::NoAnswer,
        "{name}"
    );
    assert_eq!(
        body.contains("No law of impact was needed."),
        blows.count() == 0,
        "{name}"
    );
    if hits > 0 {
        let counted = if hits == 1 {
            "1 impact: ".to_owned()
        } else {
            format!("{hits} impacts: ")
        };
        assert!(body.contains(&counted), "{name}: {counted}");
    }
    let is_early = record.end.kind != EndKind::Duration;
    assert_eq!(body.contains("ended early"), is_early, "{name}");
    if record.end.kind == EndKind::SeveralAnswers {
        assert!(
            body.contains("run.several_answers"),
            "{name}: which key goes on"
        );
    }
    for (event, told) in record.events.iter().zip(data["events"].as_array().unwrap()) {
        let title = told["name"].as_str().unwrap();
        assert!(
            title.starts_with(&event.kind.name().replace('_', " ")),
            "{name}: {title}"
        );
        for k in 0..event.contacts.len() {
            check_contact(name, record, event, k, &told["detail"]);
        }
    }
}

/// Columns in N·s and m/s are of contacts along lengths, those in N·m·s and rad/s of the stops of angles.
fn check_table(name: &str, record: &RunRecord, csv: &str) {
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |wanted: &str| head.iter().position(|name| *name == wanted);
    let (contact, length) = (column("contact").unwrap(), column("p_n_Ns").unwrap());
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let is_angle = record.gap_unit(cells[contact]) == "rad";
        let angular = column("p_n_Nms").map_or("", |k| cells[k]);
        assert!(!is_angle || cells[length].is_empty(), "{name}: {line}");
        assert!(is_angle || angular.is_empty(), "{name}: {line}");
    }
}

/// Every unit in which a coordinate moves has its axis among the phase portraits.
fn check_phases(name: &str, record: &RunRecord) {
    let Some(trajectory) = &record.trajectory else {
        return;
    };
    for joint in &record.joints {
        let columns = &trajectory.coordinates[&joint.name];
        for (unit, values) in joint.units.iter().zip(columns) {
            let moves = values.iter().any(|value| *value != values[0]);
            let label = match (moves, unit.as_str()) {
                (true, "m") => "position (",
                (true, "rad") => "angle (",
                _ => continue,
            };
            let drawn = RunFigure::Phase.svg(record);
            assert!(
                drawn.is_some_and(|svg| svg.contains(label)),
                "{name}: {label}"
            );
        }
    }
}

#[test]
fn every_page_and_table_says_what_the_record_holds() {
    let (mut kinds, mut ends, mut angles) = (Vec::new(), Vec::new(), 0);
    for (name, record) in runs() {
        check_phases(name, &record);
        for (file, text) in files(&record) {
            match file.as_str() {
                "report.html" => check_page(name, &record, &text),
                "events.csv" | "impacts.csv" => check_table(name, &record, &text),
                _ => {}
            }
        }
        let contacts = record.events.iter().flat_map(|event| &event.contacts);
        angles += contacts
            .filter(|c| record.gap_unit(&c.name) == "rad")
            .count();
        kinds.extend(record.events.iter().map(|event| event.kind.name()));
        ends.push(record.end.kind.name());
    }
    for list in [&mut kinds, &mut ends] {
        list.sort_unstable();
        list.dedup();
    }
    assert!(angles > 0 && kinds.len() == 7, "{angles} {kinds:?}");
    assert!(ends.len() == 4, "{ends:?}");
}

/// The stop of an angle was told in N·s and m/s wherever a run had no samples to tell its unit by.
#[test]
fn the_unit_of_a_stop_is_known_without_samples() {
    let example = carom::examples::example("hammer").unwrap();
    let scenario = read_scenario(example.file, example.text, &[]).unwrap();
    let told = simulate(&scenario).unwrap();
    let bare = RunRecord {
        trajectory: None,
        around_events: None,
        ..told.clone()
    };
    let contacts = told.events.iter().flat_map(|event| &event.contacts);
    let units = contacts.map(|c| (told.gap_unit(&c.name), bare.gap_unit(&c.name)));
    let units: Vec<(&str, &str)> = units.collect();
    assert!(units.iter().all(|(one, other)| one == other), "{units:?}");
    assert!(units.iter().any(|(unit, _)| *unit == "rad"), "{units:?}");
}
