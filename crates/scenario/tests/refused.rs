//! Scenarios that are wrong, each refused at its line and column.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_scenario::{InputError, Override, Scenario, read_scenario, read_scenario_in};
use common::built;

const GOOD: &str = r#"title = "two links"
gravity = [0.0, -9.81]

[bodies.upper]
mass = 3.2
inertia = 0.0676
center = [0.0, -0.25]

[bodies.lower]
mass = 3.8
inertia = 0.164
shapes.tip = { disk = { radius = 0.05 }, at = [0.0, -0.65] }
shapes.knee = { box = { size = [0.1, 0.1] } }

[world]
shapes.floor = { half_space = { normal = [0.0, 1.0] }, at = [0.0, -0.9] }

[joints.O]
kind = "revolute"
parent = "world"
child = "upper"
start = { position = "140 deg", rate = 1.2 }

[joints.A]
kind = "revolute"
parent = "upper"
child = "lower"
parent_at = [0.0, -0.5]
start = { position = "-230 deg", rate = -1.7 }

[contacts.hit]
between = ["lower.tip", "world.floor"]
restitution = 0.9
friction = 0.15

[loads.push]
body = "lower"
force = [1.0, 0.0]

[run]
duration = 6.0
"#;

fn read(text: &str) -> Result<Scenario, InputError> {
    read_scenario("t.toml", text, &[])
}

/// The good file with one part replaced is refused at the place of `mark` in it.
fn refused(old: &str, new: &str, mark: &str, path: &str, said: &str) {
    common::refused(GOOD, (old, new), mark, path, said);
}

#[test]
fn the_good_file_is_good() {
    built(GOOD).unwrap();
}

#[test]
fn unknown_names_are_refused_with_a_suggestion() {
    let hint = |name: &str| format!("did you mean \"{name}\"?");
    for (old, new, mark, path, name) in [
        (
            "parent = \"upper\"",
            "parent = \"uper\"",
            "\"uper\"",
            "joints.A.parent",
            "upper",
        ),
        (
            "child = \"lower\"",
            "child = \"loer\"",
            "\"loer\"",
            "joints.A.child",
            "lower",
        ),
        (
            "body = \"lower\"",
            "body = \"lowr\"",
            "\"lowr\"",
            "loads.push.body",
            "lower",
        ),
        (
            "\"lower.tip\"",
            "\"lower.tp\"",
            "\"lower.tp\"",
            "contacts.hit.between[0]",
            "tip",
        ),
        (
            "\"world.floor\"",
            "\"wold.floor\"",
            "\"wold",
            "contacts.hit.between[1]",
            "world",
        ),
        (
            "restitution",
            "restitutoin",
            "restitutoin",
            "contacts.hit.restitutoin",
            "restitution",
        ),
        ("[loads.push]", "[load.push]", "load", "load", "loads"),
    ] {
        refused(old, new, mark, path, &hint(name));
    }
    refused(
        "kind = \"revolute\"\nparent = \"upper\"",
        "kind = \"revolut\"\nparent = \"upper\"",
        "\"revolut\"",
        "joints.A.kind",
        &hint("revolute"),
    );
    refused(
        "kind = \"revolute\"\nparent = \"upper\"",
        "kind = \"hinge\"\nparent = \"upper\"",
        "\"hinge\"",
        "joints.A.kind",
        &hint("revolute"),
    );
    refused(
        "\"lower.tip\"",
        "\"lower\"",
        "\"lower\"",
        "contacts.hit.between[0]",
        "\"body.shape\"",
    );
    refused(
        "\"lower.tip\"",
        "\"upper.tip\"",
        "\"upper",
        "contacts.hit.between[0]",
        "has no shapes",
    );
    let three = "[\"lower.tip\", \"world.floor\", \"lower.knee\"]";
    refused(
        "[\"lower.tip\", \"world.floor\"]",
        three,
        three,
        "contacts.hit.between",
        "found 3 shapes",
    );
}

#[test]
fn numbers_out_of_range_are_refused_where_they_stand() {
    for (key, value, path, said) in [
        ("mass = 3.8", "-3.8", "bodies.lower.mass", ">= 0"),
        (
            "mass = 3.8",
            "nan",
            "bodies.lower.mass",
            "found the number NaN",
        ),
        (
            "inertia = 0.164",
            "inf",
            "bodies.lower.inertia",
            "the number inf",
        ),
        ("mass = 3.8", "1e300", "bodies.lower.mass", "at most 1e40"),
        (
            "mass = 3.8",
            "\"heavy\"",
            "bodies.lower.mass",
            "the text \"heavy\"",
        ),
        (
            "radius = 0.05",
            "0",
            "bodies.lower.shapes.tip.disk.radius",
            "> 0",
        ),
        (
            "restitution = 0.9",
            "1.5",
            "contacts.hit.restitution",
            "from 0 to 1",
        ),
        (
            "restitution = 0.9",
            "nan",
            "contacts.hit.restitution",
            "from 0 to 1",
        ),
        ("friction = 0.15", "-1", "contacts.hit.friction", ">= 0"),
        ("friction = 0.15", "nan", "contacts.hit.friction", "NaN"),
        (
            "friction = 0.15",
            "{ static = 0.1, kinetic = 0.2 }",
            "contacts.hit.friction",
            "static >= kinetic",
        ),
        ("duration = 6.0", "0", "run.duration", "> 0"),
        ("duration = 6.0", "-1", "run.duration", "> 0"),
        ("duration = 6.0", "inf", "run.duration", "> 0"),
        (
            "gravity = [0.0, -9.81]",
            "[0, -9.81, 0]",
            "gravity",
            "found a list of 3",
        ),
        (
            "gravity = [0.0, -9.81]",
            "9.81",
            "gravity",
            "two numbers [x, y]",
        ),
        (
            "parent_at = [0.0, -0.5]",
            "[0.0]",
            "joints.A.parent_at",
            "a list of 1",
        ),
        ("force = [1.0, 0.0]", "3", "loads.push.force", "two numbers"),
    ] {
        let (name, _) = key.split_once(" = ").unwrap();
        refused(key, &format!("{name} = {value}"), value, path, said);
    }
    refused(
        "[0.0, -0.25]",
        "[0.0, nan]",
        "nan",
        "bodies.upper.center[1]",
        "NaN",
    );
    refused(
        "size = [0.1, 0.1]",
        "size = [0.1, 0]",
        "[0.1, 0]",
        "bodies.lower.shapes.knee.box.size",
        "> 0",
    );
    refused(
        "normal = [0.0, 1.0]",
        "normal = [0, 0]",
        "[0, 0]",
        "world.shapes.floor.half_space.normal",
        "length of the normal",
    );
}

#[test]
fn no_coefficient_of_restitution_is_assumed() {
    let error = built(&GOOD.replace("restitution = 0.9\n", "")).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("contacts.hit.restitution"));
    assert_eq!(
        (error.line, error.column),
        (Some(31), Some(1)),
        "{}",
        error.render()
    );
}

#[test]
fn options_of_the_run_are_refused_beyond_their_limits() {
    for (key, value, said) in [
        ("tolerance", "0", "from 1e-15 to 0.01"),
        ("tolerance", "-1e-9", "from 1e-15 to 0.01"),
        ("tolerance", "nan", "from 1e-15 to 0.01"),
        ("tolerance", "1e-17", "from 1e-15 to 0.01"),
        ("samples", "0", "from 2 to 1000000"),
        ("samples", "1000000000", "from 2 to 1000000"),
        ("samples", "1.5", "whole number"),
        ("max_events", "0", "from 1 to 100000000"),
        ("simultaneous", "\"all\"", "unknown name \"all\""),
        ("several_answers", "\"branch\"", "not offered yet"),
    ] {
        let new = format!("{key} = {value}\nduration = 6.0");
        refused(
            "duration = 6.0",
            &new,
            &format!("{value}\n"),
            &format!("run.{key}"),
            said,
        );
    }
}

#[test]
fn what_comes_later_is_refused_as_such() {
    let key = "friction = { kinetic = 0.1 }\nparent_at"; // a revolute bearing: its load is not linear
    let path = "joints.A.friction";
    refused("parent_at", key, "friction", path, "not offered yet");
}

#[test]
fn a_contact_at_an_instant_has_a_point_a_normal_and_two_bodies() {
    let hit = "between = [\"lower.tip\", \"world.floor\"]";
    let bodies = "between = [\"lower\", \"world\"]\npoint = [0, 0]\nnormal = [0, 2]";
    let cases = [
        (
            "point = [0, 0]\nbetween",
            "point = [0, 0]",
            "point",
            "without a normal",
        ),
        (
            "normal = [0, 1]\nbetween",
            "normal = [0, 1]",
            "normal",
            "without a point",
        ),
        (
            "raw = true\nbetween",
            "raw = true",
            "raw",
            "expected both keys",
        ),
    ];
    for (new, at, key, said) in cases {
        refused("between", new, at, &format!("contacts.hit.{key}"), said);
    }
    let no_body = bodies.replace("\"lower\"", "\"lower.tip\"");
    refused(
        hit,
        &no_body,
        "\"lower.tip\"",
        "contacts.hit.between[0]",
        "unknown body",
    );
    let flat = bodies.replace("[0, 2]", "[0, 0]");
    refused(
        hit,
        &flat,
        "[0, 0]\nrest",
        "contacts.hit.normal",
        "no length",
    );
    let rough = format!("{bodies}\nraw = true");
    refused(
        hit,
        &rough,
        "0.15",
        "contacts.hit.friction",
        "expected friction 0",
    );
    refused(
        hit,
        bodies,
        "point",
        "contacts.hit.point",
        "`carom impact` solves",
    );
}

#[test]
fn joints_that_make_no_tree_are_refused() {
    let ring = "parent = \"lower\"\nchild = \"upper\"\nstart = { position = \"140";
    refused(
        "parent = \"world\"\nchild = \"upper\"\nstart = { position = \"140",
        ring,
        "\"upper\"",
        "joints.O.child",
        "hangs on itself",
    );
    let second =
        "[joints.L]\nkind = \"revolute\"\nparent = \"world\"\nchild = \"lower\"\n[contacts.hit]";
    let started = second.replace("[contacts", "start = { position = 1 }\n[contacts");
    refused(
        "[contacts.hit]",
        &started,
        "start = { position = 1 }",
        "joints.L.start",
        "this one closes a loop",
    );
    let damped = second.replace("[contacts", "damping = 1\n[contacts");
    refused(
        "[contacts.hit]",
        &damped,
        "damping = 1",
        "joints.L.damping",
        "a joint that closes a loop has not",
    );
    let alone = second.replace("\"world\"", "\"lower\"");
    refused(
        "[contacts.hit]",
        &alone,
        "\"lower\"\n[contacts",
        "joints.L.child",
        "joins body lower with itself",
    );
    let to_world =
        "[joints.L]\nkind = \"revolute\"\nparent = \"lower\"\nchild = \"world\"\n[contacts.hit]";
    refused(
        "[contacts.hit]",
        to_world,
        "\"world\"",
        "joints.L.child",
        "leads to the world",
    );
}

#[test]
fn a_coordinate_without_inertia_is_refused_at_the_body_without_it() {
    refused(
        "mass = 3.8\ninertia = 0.164",
        "mass = 0\ninertia = 0",
        "0\n",
        "bodies.lower.mass",
        "moves an inertia of 0",
    );
    refused(
        "mass = 3.8\ninertia = 0.164",
        "mass = 1\ninertia = 0",
        "0\n",
        "bodies.lower.inertia",
        "moves an inertia of 0",
    );
    let free = "[bodies.dust]\nmass = 0\ninertia = 0\n[world]";
    refused(
        "[world]",
        free,
        "0\n",
        "bodies.dust.mass",
        "moves an inertia of 0",
    );
}

#[test]
fn names_are_steps_of_a_path_and_belong_to_one_thing() {
    refused(
        "[bodies.upper]",
        "[bodies.\"up.per\"]",
        "\"up.per\"",
        "bodies.up.per",
        "step of a path",
    );
    refused(
        "[loads.push]",
        "[loads.\"\"]",
        "\"\"",
        "loads.",
        "step of a path",
    );
    refused(
        "[loads.push]",
        "[loads.\"a=b\"]",
        "\"a=b\"",
        "loads.a=b",
        "step of a path",
    );
    let world = "[bodies.world]\nmass = 1\ninertia = 1\n[world]";
    refused("[world]", world, "world]", "bodies.world", "the world's");
    let twice = "[bodies.upper]\nmass = 1\ninertia = 1\n[world]";
    let text = GOOD.replace("[world]", twice);
    let error = read(&text).unwrap_err();
    assert_eq!(error.line, Some(15), "{}", error.render());
    assert!(error.message.contains("duplicate"), "{}", error.render());
    let json = r#"{"bodies": {"b": {"mass": 1, "inertia": 1}, "b": {"mass": 2, "inertia": 1}}, "run": {"duration": 1}}"#;
    let error = read_scenario("t.json", json, &[]).unwrap_err();
    assert_eq!(
        (error.line, error.column),
        (Some(1), Some(45)),
        "{}",
        error.render()
    );
    // A free body lends its name to its joint.
    let taken = "[bodies.O]\nmass = 1\ninertia = 1\n[world]";
    let error = built(&GOOD.replace("[world]", taken)).unwrap_err();
    assert_eq!(
        error.path.as_deref(),
        Some("joints.O"),
        "{}",
        error.render()
    );
}

#[test]
fn joints_are_refused_what_their_coordinate_cannot_have() {
    let start = "start = { position = \"-230 deg\", rate = -1.7 }";
    refused(
        start,
        &format!("motion = {{ amplitude = 0.1 }}\n{start}"),
        "start",
        "joints.A.start",
        "motion prescribes",
    );
    refused(
        start,
        "start = { position = [1, 2] }",
        "[1, 2]",
        "joints.A.start.position",
        "found 2 numbers",
    );
    refused(
        start,
        "start = { rate = \"10 deg\" }",
        "\"10 deg\"",
        "joints.A.start.rate",
        "\"10 deg/s\"",
    );
    refused(
        start,
        "start = { position = \"10 dg\" }",
        "\"10 dg\"",
        "joints.A.start.position",
        "\"140 deg\"",
    );
    refused(
        start,
        "limits = { lower = 1, upper = -1, restitution = 0.5 }",
        "{",
        "joints.A.limits",
        "lower < upper",
    );
    refused(
        start,
        "limits = { restitution = 0.5 }",
        "{",
        "joints.A.limits",
        "there is no limit",
    );
    refused(
        start,
        "limits = { lower = 0 }",
        "{",
        "joints.A.limits.restitution",
        "is missing",
    );
    refused(start, "damping = -1", "-1", "joints.A.damping", ">= 0");
    refused(
        start,
        "spring = { stiffness = -1 }",
        "-1",
        "joints.A.spring.stiffness",
        ">= 0",
    );
    refused(
        start,
        "axis = [1, 0]",
        "axis",
        "joints.A.axis",
        "a revolute joint has no axis in the plane",
    );
    let kind = "kind = \"revolute\"\nparent = \"upper\"";
    let fixed = "kind = \"fixed\"\nmotion = {}\nparent = \"upper\"";
    let text = GOOD.replace(start, "").replace(kind, fixed);
    let error = built(&text).unwrap_err();
    assert_eq!(
        error.path.as_deref(),
        Some("joints.A.motion"),
        "{}",
        error.render()
    );
    assert_eq!(
        (error.line, error.column),
        (Some(26), Some(1)),
        "{}",
        error.render()
    );
    let text = GOOD.replace(kind, "kind = \"prismatic\"\nparent = \"upper\"");
    let error = built(&text).unwrap_err();
    assert!(
        error.message.contains("\"axis\" is missing"),
        "{}",
        error.render()
    );
    assert_eq!(
        (error.line, error.column),
        (Some(24), Some(1)),
        "{}",
        error.render()
    );
    let slide = "kind = \"prismatic\"\naxis = [0, 0]\nparent = \"upper\"";
    let text = GOOD.replace(start, "").replace(kind, slide);
    let error = built(&text).unwrap_err();
    assert_eq!(
        error.path.as_deref(),
        Some("joints.A.axis"),
        "{}",
        error.render()
    );
    let slide = "kind = \"prismatic\"\naxis = [0, 1]\nparent = \"upper\"";
    refused(
        kind,
        slide,
        "\"-230 deg\"",
        "joints.A.start.position",
        "a number in m",
    );
    let led = "inertia = 0.164\nstart = { rate = [0, 0, 1] }";
    refused(
        "inertia = 0.164",
        led,
        "start",
        "bodies.lower.start",
        "joints.A.start",
    );
}

#[test]
fn pairs_and_outlines_that_have_no_gap_are_refused() {
    let between = "[\"lower.tip\", \"world.floor\"]";
    let own = "[\"lower.tip\", \"lower.knee\"]";
    refused(
        between,
        own,
        own,
        "contacts.hit.between",
        "both shapes are on lower",
    );
    let tip = "{ disk = { radius = 0.05 }, at = [0.0, -0.65] }";
    let path = "bodies.lower.shapes.tip";
    refused(tip, "{ at = [0, 0] }", "{", path, "found 0 outlines");
    refused(
        tip,
        "{ point = {}, disk = { radius = 1 } }",
        "{",
        path,
        "found 2 outlines",
    );
    let bow = "{ polygon = { vertices = [[0, 0], [1, 0], [1, -1]] } }";
    refused(
        tip,
        bow,
        "[0, 0]",
        &format!("{path}.polygon.vertices[0]"),
        "turn left",
    );
    let thin = "{ polygon = { vertices = [[0, 0], [1, 0]] } }";
    refused(
        tip,
        thin,
        "[[0, 0]",
        &format!("{path}.polygon.vertices"),
        "2 vertices",
    );
    let corners: Vec<String> = (0..300)
        .map(|k| {
            let (sin, cos) = (f64::from(k) * 0.02).sin_cos();
            format!("[{cos}, {sin}]")
        })
        .collect();
    let many = format!("{{ polygon = {{ vertices = [{}] }} }}", corners.join(", "));
    refused(
        tip,
        &many,
        "[[",
        &format!("{path}.polygon.vertices"),
        "at most 256",
    );
}

#[test]
fn files_that_are_no_scenario_say_what_they_are() {
    let said = |name: &str, text: &str| read_scenario(name, text, &[]).unwrap_err();
    for text in ["", "  \n", "\u{feff}"] {
        let error = said("t.toml", text);
        assert!(
            error.message.contains("the file is empty"),
            "{}",
            error.render()
        );
    }
    let error = said("t.toml", "mass = [[1]]\nvelocity = [1]");
    assert!(
        error.message.contains("impact problem"),
        "{}",
        error.render()
    );
    assert_eq!((error.line, error.column), (Some(1), Some(1)));
    let error = said("t.json", "[1, 2]");
    assert!(
        error.message.contains("found a list of 2"),
        "{}",
        error.render()
    );
    let error = said("t.toml", "[run]\nduration = 1\n");
    assert!(
        error.message.contains("\"bodies\" is missing"),
        "{}",
        error.render()
    );
    let error = said("t.toml", "[bodies]\n[run]\nduration = 1\n");
    assert!(error.message.contains("at least one"), "{}", error.render());
    let timeless = read("[bodies.b]\nmass = 1\ninertia = 1\n").unwrap();
    let error = timeless.build().unwrap_err();
    assert!(
        error.message.contains("\"run\" is missing"),
        "{}",
        error.render()
    );
}

#[test]
fn an_overlap_found_by_the_run_points_at_its_contact() {
    let scenario = read(&GOOD.replace("-0.9]", "2.0]")).unwrap();
    let error = carom_sim::run(&mut scenario.build_plane().unwrap()).unwrap_err();
    let error = scenario.locate(&error);
    assert_eq!(
        error.path.as_deref(),
        Some("contacts.hit"),
        "{}",
        error.render()
    );
    assert_eq!(error.line, Some(31), "{}", error.render());
}

#[test]
fn an_override_is_named_in_its_error_and_a_stream_gives_its_line() {
    let set = [Override::parse("bodies.upper.mass=-1").unwrap()];
    let error = read_scenario("t.toml", GOOD, &set).unwrap_err();
    assert_eq!(
        (error.line, error.file.as_str()),
        (None, "--set bodies.upper.mass=-1")
    );
    let line = r#"{"bodies": {"b": {"mass": 0, "inertia": 1}}, "run": {"duration": 1}}"#;
    let error = read_scenario_in("-", 7, line, &[])
        .unwrap()
        .build()
        .unwrap_err();
    assert_eq!(
        (error.line, error.column),
        (Some(7), Some(27)),
        "{}",
        error.render()
    );
    let error = read_scenario_in("-", 7, &line.replace('0', "-1"), &[]).unwrap_err();
    assert_eq!(
        (error.line, error.column),
        (Some(7), Some(27)),
        "{}",
        error.render()
    );
}

fn chain(n: usize) -> String {
    let mut text = String::from(
        "[run]\nduration = 1\n[world]\nshapes.floor = { half_space = { normal = [0, 1] } }\n",
    );
    for i in 0..n {
        let parent = match i {
            0 => "world".to_owned(),
            i => format!("b{}", i - 1),
        };
        text.push_str(&format!(
            "[bodies.b{i}]\nmass = 1\ninertia = 0.1\ncenter = [0.5, 0]\n\
             shapes.end = {{ point = {{}} }}\n[contacts.c{i}]\nrestitution = 0.5\n\
             between = [\"b{i}.end\", \"world.floor\"]\n[joints.j{i}]\n\
             kind = \"revolute\"\nparent = \"{parent}\"\nchild = \"b{i}\"\nparent_at = [1, 0]\n"
        ));
    }
    text
}

#[test]
fn ten_thousand_links_are_read_and_more_are_refused() {
    let scenario = read(&chain(10_000)).unwrap();
    let setup = scenario.build_plane().unwrap();
    assert_eq!(setup.q.len(), 10_000);
    let error = read(&chain(10_001)).unwrap_err();
    assert!(
        error
            .message
            .contains("found 10001 bodies, expected at most 10000"),
        "{error}"
    );
}

#[test]
fn pairs_that_expand_into_too_many_contacts_are_refused() {
    let corners: Vec<String> = (0..200)
        .map(|k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 200.0).sin_cos();
            format!("[{cos}, {sin}]")
        })
        .collect();
    let wheel = format!("{{ polygon = {{ vertices = [{}] }} }}", corners.join(", "));
    let mut text = format!(
        "run.duration = 1\nbodies.a = {{ mass = 1, inertia = 1, shapes.rim = {wheel} }}\n\
         bodies.b = {{ mass = 1, inertia = 1, start.position = [3, 0, 0], shapes.rim = {wheel} }}\n"
    );
    for i in 0..30 {
        text.push_str(&format!(
            "contacts.c{i} = {{ between = [\"a.rim\", \"b.rim\"], restitution = 0 }}\n"
        ));
    }
    let error = built(&text).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("contacts.c25"), "{error}");
    assert!(
        error
            .message
            .contains("10400 contacts, expected at most 10000"),
        "{error}"
    );
}
