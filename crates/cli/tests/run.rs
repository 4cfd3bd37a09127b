//! `carom run`: what it prints, writes and refuses.
#![allow(clippy::unwrap_used)]

use crate::common;

use std::path::Path;

use common::{carom, carom_with, folder};
use serde_json::Value;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_rough_pendulum_strikes_ten_times_and_closes_its_ledger() {
    let ran = carom(&["run", "--example", "pendulum-rough"]);
    assert_eq!(ran.code, 0);
    let said = &ran.out;
    for wanted in [
        "1.47817537",
        "reverse_compression",
        "the ledger closes",
        "the time asked for was reached",
    ] {
        assert!(said.contains(wanted), "{wanted} is not in\n{said}");
    }
}

#[test]
fn json_has_the_keys_agreed_upon_and_nothing_else_is_printed() {
    let ran = carom(&["run", "--example", "pendulum-rough", "--json"]);
    let run = ran.json();
    assert!(ran.err.is_empty());
    for key in ["end", "time", "events", "ledger", "effort", "final"] {
        assert!(run.get(key).is_some(), "{key}");
    }
    assert_eq!(
        (&run["end"], &run["time"]),
        (&"duration".into(), &6.0.into())
    );
    let event = &run["events"][0];
    for key in [
        "index",
        "time",
        "kind",
        "contacts",
        "law",
        "method",
        "energy_change",
        "coordinates",
        "rates_before",
        "rates_after",
        "joint_impulses",
        "modes_after",
        "notes",
    ] {
        assert!(event.get(key).is_some(), "{key}");
    }
    assert_eq!(
        (&event["index"], &event["kind"]),
        (&1.into(), &"impact".into())
    );
    let number = |value: &Value| value.as_f64().unwrap();
    let hit = &event["contacts"][0];
    assert!((number(&hit["impulse"]["normal"]) - 26.49606526).abs() < 1e-7);
    assert!((number(&hit["impulse"]["tangent"]) + 2.34764101).abs() < 1e-7);
    let elbow = &event["joint_impulses"]["A"];
    assert!((number(&elbow["force"][0]) - 5.382134).abs() < 1e-6);
    assert_eq!(elbow["unique"], true);
    assert!(run["final"]["coordinates"]["O"][0].is_number());
    assert!(run["ledger"]["residual"].is_number());
}

#[test]
fn the_folder_holds_tables_figures_and_a_record_whose_events_are_solved_again() {
    let out = folder("run-files");
    let out_name = out.to_str().unwrap();
    let ran = carom(&["run", "--example", "pendulum-smooth", "-o", out_name]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for name in [
        "run.json",
        "events.csv",
        "trajectory.csv",
        "motion.svg",
        "coordinates.svg",
        "rates.svg",
        "energy.svg",
        "reactions.svg",
        "impacts/impact-001.svg",
        "impacts/impact-006.svg",
    ] {
        assert!(out.join(name).is_file(), "{name}");
    }
    assert_eq!(read(&out.join("events.csv")).lines().count(), 7);
    assert_eq!(read(&out.join("trajectory.csv")).lines().count(), 1201);
    assert!(read(&out.join("events.csv")).starts_with("index,time_s,"));
    let record = out.join("run.json");
    let run: Value = serde_json::from_str(&read(&record)).unwrap();
    let again = carom(&["impact", record.to_str().unwrap(), "--event", "3", "--json"]);
    assert_eq!(again.json()["contacts"], run["events"][2]["contacts"]);
    // A run is no problem: which of its impacts is meant must be said.
    let which = carom(&["impact", record.to_str().unwrap()]);
    assert_eq!(which.code, 2);
    assert!(which.err.contains("--event N"));
    let beyond = carom(&["impact", record.to_str().unwrap(), "--event", "7"]);
    assert!(beyond.err.contains("from 1 to 6"));
}

#[test]
fn a_run_repeated_writes_the_same_bytes() {
    let (one, two) = (folder("run-one"), folder("run-two"));
    for out in [&one, &two] {
        carom(&["run", "--example", "hammer", "-o", out.to_str().unwrap()]);
    }
    for name in [
        "run.json",
        "report.html",
        "events.csv",
        "trajectory.csv",
        "motion.svg",
    ] {
        let (a, b) = (read(&one.join(name)), read(&two.join(name)));
        assert!(a == b, "{name} differs");
    }
}

#[test]
fn a_folder_with_something_in_it_is_not_touched_unless_forced() {
    let out = folder("run-full");
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    std::fs::create_dir_all(out.join("impacts")).unwrap();
    std::fs::write(out.join("impacts/impact-099.svg"), "old").unwrap();
    let out_name = out.to_str().unwrap();
    let refused = carom(&["run", "--example", "galperin", "-o", out_name]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--force"));
    assert!(!out.join("run.json").exists());
    let forced = carom(&["run", "--example", "galperin", "-o", out_name, "--force"]);
    assert_eq!(forced.code, 0);
    assert_eq!(read(&out.join("notes.txt")), "mine");
    assert!(
        !out.join("impacts/impact-099.svg").exists(),
        "an older run's"
    );
}

#[test]
fn a_run_that_ends_early_says_how_and_exits_with_one() {
    let few = "run.max_events=3";
    let ran = carom(&["run", "--example", "bouncing-ball", "--json", "--set", few]);
    assert_eq!(ran.code, 1);
    let run = ran.json();
    assert_eq!(run["end"], "event_limit");
    assert_eq!(run["events"].as_array().unwrap().len(), 3);
}

#[test]
fn a_ball_that_bounces_without_end_comes_to_rest_at_the_limit() {
    let ran = carom(&["run", "--example", "bouncing-ball", "--json"]);
    assert_eq!(ran.code, 0);
    let run = ran.json();
    assert_eq!(run["end"], "duration");
    let last = run["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["kind"], "accumulation");
    let told = |key: &str| last["accumulation"][key].as_f64().unwrap();
    let miss = (told("limit") - 4.063712768872).abs();
    assert!(miss < 1e-12 + told("bound"), "{miss}");
}

#[test]
fn values_are_overridden_and_faults_point_at_their_place() {
    let set = ["run", "--example", "pendulum-rough", "--json", "--set"];
    let early = carom(&[&set[..], &["run.duration=1.0"]].concat());
    assert_eq!(early.json()["events"], Value::Array(Vec::new()));
    let hanging = [
        "joints.O.start.position=0",
        "--set",
        "joints.A.start.position=0",
    ];
    let wrong = carom(&[&set[..], &hanging].concat());
    let error = &wrong.json()["error"];
    assert_eq!(wrong.code, 2);
    assert!(
        error["message"].as_str().unwrap().contains("overlaps"),
        "{error}"
    );
    assert_eq!(error["path"], "contacts.hit");
}

#[test]
fn scenarios_come_a_line_at_a_time_and_a_bad_line_stops_no_other() {
    let ball = r#"{"bodies": {"b": {"mass": 1, "inertia": 1}}, "run": {"duration": 1}}"#;
    let wrong = r#"{"bodies": {"b": {"mass": 0, "inertia": 1}}, "run": {"duration": 1}}"#;
    let ran = carom_with(
        &["run", "-"],
        format!("{ball}\n{wrong}\n{ball}\n").as_bytes(),
    );
    assert_eq!(ran.code, 1);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["end"], "duration");
    assert_eq!(lines[1]["error"]["line"], 2);
    assert_eq!(lines[2], lines[0]);
}

/// Whether a process has said what it does about an interrupt, SIGINT, the second of the signals.
#[cfg(target_os = "linux")]
fn hears_interrupts(pid: u32) -> bool {
    let status = read(Path::new(&format!("/proc/{pid}/status")));
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let signals = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
    signals & 0b10 != 0
}

/// The first interrupt ends the run at its next step; what there is gets written.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_run_cleanly_and_writes_what_there_is() {
    let out = folder("run-interrupted");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(["run", "--example", "pendulum-driven", "--json", "-o"]);
    command.arg(&out).args(["--set", "run.duration=30000"]);
    command.args(["--set", "world.shapes.obstacle.at=[0, -5]"]);
    command.stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    while !hears_interrupts(child.id()) {
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.unwrap().success());
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let run: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(run["end"], "interrupted");
    assert!(out.join("run.json").is_file() && out.join("events.csv").is_file());
}

#[test]
fn the_report_embeds_the_impulse_plane_of_every_impact_with_the_path_of_the_record() {
    let out = folder("run-report");
    let out_name = out.to_str().unwrap();
    let arguments = ["run", "--example", "pendulum-rough", "-o", out_name];
    carom(&[&arguments[..], &["--figures", "none"]].concat());
    let page = read(&out.join("report.html"));
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    let start = page.split("<script id=\"data\" type=\"application/json\">");
    let numbers = start.last().unwrap().split("</script>").next().unwrap();
    let numbers: Value = serde_json::from_str(numbers).unwrap();
    let run: Value = serde_json::from_str(&read(&out.join("run.json"))).unwrap();
    let events = run["events"].as_array().unwrap();
    assert_eq!(events.len(), 10);
    for (shown, event) in numbers["events"].as_array().unwrap().iter().zip(events) {
        let (path, plane) = (&event["contacts"][0]["path"], &shown["detail"]["plane"]);
        let corners = plane["path"].as_array().unwrap();
        assert_eq!(corners.len(), path.as_array().unwrap().len());
        for (corner, told) in corners.iter().zip(path.as_array().unwrap()) {
            assert_eq!(
                (&corner["p_n"], &corner["p_t"]),
                (&told["p_n"], &told["p_t"])
            );
        }
        assert_eq!(shown["detail"]["arrows"].as_array().unwrap().len(), 1);
    }
    let without = [&arguments[..], &["--no-report", "--force"]].concat();
    assert_eq!(carom(&without).code, 0);
    assert!(!out.join("report.html").exists(), "an older run's");
}

#[test]
fn figures_named_one_by_one_are_the_only_ones() {
    let out = folder("run-named");
    let name = out.to_str().unwrap();
    let run = |more: &[&str]| {
        let mut arguments = vec!["run", "--example", "pendulum-smooth", "-o", name, "--force"];
        arguments.extend(more);
        let ran = carom(&arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut drawn: Vec<String> = std::fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".svg"))
            .collect();
        drawn.sort();
        let planes = std::fs::read_dir(out.join("impacts"));
        (drawn, planes.map_or(0, Iterator::count))
    };
    assert_eq!(run(&["--energy"]).0, ["energy.svg"]);
    for figure in [
        "motion",
        "coordinates",
        "rates",
        "phase",
        "energy",
        "reactions",
        "gaps",
    ] {
        let (drawn, planes) = run(&[&format!("--{figure}")]);
        assert_eq!((drawn, planes), (vec![format!("{figure}.svg")], 0));
    }
    assert_eq!(run(&["--impulse-planes"]), (Vec::new(), 6));
    assert_eq!(run(&["--energy", "--figures", "none"]), (Vec::new(), 0));
    assert_eq!(run(&[]).0.len(), 7);
}

#[test]
fn what_the_figures_show_is_in_the_tables() {
    let out = folder("run-tables");
    let name = out.to_str().unwrap();
    carom(&[
        "run",
        "--example",
        "pendulum-smooth",
        "-o",
        name,
        "--figures",
        "none",
    ]);
    let run: Value = serde_json::from_str(&read(&out.join("run.json"))).unwrap();
    let table = |name: &str| -> Vec<Vec<String>> {
        let text = read(&out.join(name));
        let rows = text
            .lines()
            .map(|row| row.split(',').map(str::to_owned).collect());
        rows.collect()
    };
    let around = table("around_events.csv");
    assert_eq!(
        around.len(),
        1 + 2 * run["events"].as_array().unwrap().len()
    );
    for column in [
        "A_angle_rad",
        "energy_J",
        "O_force_x_N",
        "hit_gap_m",
        "body_lower_angle_rad",
    ] {
        let place = around[0].iter().position(|name| name == column);
        assert!(place.is_some(), "{column}");
        assert_eq!(table("trajectory.csv")[0], around[0]);
    }
    let corners = table("impacts.csv");
    let path = run["events"][0]["contacts"][0]["path"].as_array().unwrap();
    let of_first: Vec<&Vec<String>> = corners.iter().filter(|row| row[0] == "1").collect();
    assert_eq!(of_first.len(), path.len());
    for (row, corner) in of_first.iter().zip(path) {
        assert_eq!(row[4].parse::<f64>().ok(), corner["p_n"].as_f64());
    }
}

/// A weight slides along a lift that rises as prescribed, and strikes the floor.
const LIFT: &str = r#"
run.duration = 0.6
[bodies.base]
mass = 1.0
inertia = 0.1
[bodies.weight]
mass = 2.0
inertia = 0.1
shapes.foot = { point = {} }
[world]
shapes.floor = { half_space = { normal = [0, 1] }, at = [0, -0.5] }
[joints.lift]
kind = "prismatic"
parent = "world"
child = "base"
axis = [0, 1]
motion = { rate = 1.0 }
[joints.slider]
kind = "prismatic"
parent = "base"
child = "weight"
axis = [0, 1]
[contacts.hit]
between = ["weight.foot", "world.floor"]
restitution = 0.5
"#;

/// The event solved alone lost 18 J where the run lost 8.1 J, and pulled at a lift that feels
/// nothing.
#[test]
fn an_impact_on_a_lift_loses_alone_what_it_loses_in_its_run() {
    let out = folder("run-lift");
    let ran = carom_with(
        &["run", "-", "-o", out.to_str().unwrap(), "--figures", "none"],
        LIFT.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record = out.join("run.json");
    let run: Value = serde_json::from_str(&read(&record)).unwrap();
    let again = carom(&["impact", record.to_str().unwrap(), "--event", "1", "--json"]).json();
    let change = run["events"][0]["energy_change"].as_f64().unwrap();
    assert!((change + 8.1075).abs() < 1e-9, "{change}");
    let alone = again["energy_change"].as_f64().unwrap();
    assert!((alone - change).abs() < 1e-12, "{alone}");
    let lift = &again["constraints"][0];
    assert_eq!(lift["name"], "prescribed motion of lift");
    assert!(lift["impulse"][0].as_f64().unwrap().abs() < 1e-12);
}

#[test]
fn a_pendulum_in_space_shows_the_signs_of_its_slip_as_the_one_in_the_plane_does() {
    let pushes = |example: &str| -> Vec<String> {
        let friction = "contacts.hit.friction=0.15";
        let table = carom(&["run", "--example", example, "--set", friction]).out;
        let rows = table.lines().filter(|line| line.contains(" hit "));
        let cell = |line: &str| line.split_whitespace().nth(5).unwrap().to_owned();
        rows.map(cell).collect()
    };
    let (plane, space) = (pushes("pendulum-rough"), pushes("pendulum-in-space"));
    let signs =
        |list: &[String]| -> Vec<bool> { list.iter().map(|p| p.starts_with('-')).collect() };
    assert_eq!(plane[0], space[0]);
    assert_eq!(signs(&plane), signs(&space));
    assert!(signs(&space).contains(&true) && signs(&space).contains(&false));
}
