//! Scenarios in space that are wrong, and keys of one space in the other, refused at line and column.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::built;

const GOOD: &str = r#"space = "space"
gravity = [0.0, 0.0, -9.81]

[bodies.upper]
mass = 3.2
inertia = [0.0676, 0.0676, 0.001]
center = [0.0, 0.0, -0.25]

[bodies.lower]
mass = 3.8
inertia = [[0.164, 0.001, 0.0], [0.001, 0.164, 0.0], [0.0, 0.0, 0.01]]
shapes.tip = { ball = { radius = 0.05 }, at = [0.0, 0.0, -0.65] }
shapes.knee = { box = { size = [0.1, 0.1, 0.2] }, rotation = { axis = [1.0, 0.0, 0.0], angle = "30 deg" } }

[bodies.puck]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
start = { position = [3.0, 0.0, 1.0], rotation = [1.0, 0.1, 0.0, 0.0], velocity = [0.0, 0.0, 1.0], angular_velocity = [0.0, 0.0, "90 deg/s"] }

[world]
shapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] }, at = [0.0, 0.0, -2.9] }

[joints.O]
kind = "spherical"
parent = "world"
child = "upper"
start = { rotation = { axis = [0.0, 1.0, 0.0], angle = "140 deg" }, angular_velocity = [1.2, 0.0, 0.0] }

[joints.A]
kind = "universal"
parent = "upper"
child = "lower"
parent_at = [0.0, 0.0, -0.5]
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
start = { position = ["10 deg", 0.2], rate = [0.0, "-5 deg/s"] }

[contacts.hit]
between = ["lower.tip", "world.floor"]
restitution = 0.9

[loads.push]
body = "lower"
force = [1.0, 0.0, 0.0]
torque = { amplitude = [0.0, 0.0, 1.0], frequency = 2.0 }

[run]
duration = 6.0
"#;

fn refused(old: &str, new: &str, mark: &str, path: &str, said: &str) {
    common::refused(GOOD, (old, new), mark, path, said);
}

#[test]
fn the_good_file_is_good() {
    built(GOOD).unwrap();
}

#[test]
fn vectors_have_as_many_numbers_as_the_space_has_directions() {
    for (key, value, path) in [
        ("gravity = [0.0, 0.0, -9.81]", "[0, -9.81]", "gravity"),
        (
            "center = [0.0, 0.0, -0.25]",
            "[0, 1]",
            "bodies.upper.center",
        ),
        (
            "parent_at = [0.0, 0.0, -0.5]",
            "[0, 1]",
            "joints.A.parent_at",
        ),
        ("force = [1.0, 0.0, 0.0]", "[1, 0]", "loads.push.force"),
        (
            "normal = [0.0, 0.0, 1.0]",
            "[0, 1]",
            "world.shapes.floor.half_space.normal",
        ),
        (
            "size = [0.1, 0.1, 0.2]",
            "[0.1, 0.1]",
            "bodies.lower.shapes.knee.box.size",
        ),
        (
            "amplitude = [0.0, 0.0, 1.0]",
            "1",
            "loads.push.torque.amplitude",
        ),
    ] {
        let (name, _) = key.split_once(" = ").unwrap();
        let said = "three numbers [x, y, z] in space";
        refused(key, &format!("{name} = {value}"), value, path, said);
    }
    refused(
        "[0.0, 1.0, 0.0]]",
        "[0.0, 1.0]]",
        "[0.0, 1.0]",
        "joints.A.axes[1]",
        "three numbers [x, y, z] in space",
    );
    refused(
        "velocity = [0.0, 0.0, 1.0]",
        "velocity = [0.0, 1.0]",
        "[0.0, 1.0]",
        "bodies.puck.start.velocity",
        "found 2 numbers, expected [x, y, z]",
    );
    let plane = "run.duration = 1\nbodies.b = { mass = 1, inertia = 1 }\n";
    for (more, path, said) in [
        (
            "gravity = [0, 0, -9.81]\n",
            "gravity",
            "two numbers [x, y] in the plane",
        ),
        (
            "loads.l = { body = \"b\", torque = [0, 0, 1] }\n",
            "loads.l.torque",
            "a number in the plane",
        ),
        (
            "bodies.c = { mass = 1, inertia = [1, 1, 1] }\n",
            "bodies.c.inertia",
            "a number >= 0, in the plane",
        ),
    ] {
        let error = built(&format!("{plane}{more}")).unwrap_err();
        assert_eq!(error.path.as_deref(), Some(path), "{}", error.render());
        assert!(error.message.contains(said), "{}", error.render());
    }
}

#[test]
fn an_inertia_is_one_that_masses_can_have() {
    let principal = "inertia = [0.0676, 0.0676, 0.001]";
    for (value, said) in [
        ("0.0676", "three principal moments"),
        ("[0.0676, 0.0676]", "three numbers or three rows"),
        (
            "[0.25, 0.25, 0.75]",
            "exceeds the sum of the two others by 0.25",
        ),
        ("[0.1, -0.1, 0.1]", "the least principal moment is -0.1"),
        (
            "[[0.1, 0.2, 0], [0.2, 0.1, 0], [0, 0, 0.1]]",
            "the least principal moment is -0.1",
        ),
        (
            "[[0.1, 0, 0], [0, 0.1, 0], 0.1]",
            "three numbers or three rows",
        ),
    ] {
        let new = format!("inertia = {value}");
        refused(principal, &new, value, "bodies.upper.inertia", said);
    }
    refused(
        "[[0.164, 0.001, 0.0]",
        "[[0.164, 0.002, 0.0]",
        "0.002",
        "bodies.lower.inertia[0][1]",
        "found 0.002 here and 0.001 at [1][0], expected a symmetric matrix",
    );
    refused(
        "[0.1, 0.1, 0.1]",
        "[0.1, nan, 0.1]",
        "nan",
        "bodies.puck.inertia[1]",
        "NaN",
    );
    // A rod without thickness cannot spin freely about itself.
    refused(
        "[0.1, 0.1, 0.1]",
        "[0.1, 0.1, 0.0]",
        "[0.1, 0.1, 0.0]",
        "bodies.puck.inertia",
        "moves an inertia of",
    );
    built(&GOOD.replace("[0.1, 0.1, 0.1]", "[0.0833, 0.0833, 0.1667]")).unwrap();
}

#[test]
fn rotations_are_turns_about_an_axis_or_quaternions() {
    let turn = "rotation = { axis = [0.0, 1.0, 0.0], angle = \"140 deg\" }";
    let path = "joints.O.start.rotation";
    for (value, mark, key, said) in [
        (
            "\"140 deg\"",
            "\"140",
            "",
            "a table {axis, angle} or four numbers",
        ),
        ("2.4", "2.4", "", "a table {axis, angle} or four numbers"),
        ("[1, 0, 0]", "[1", "", "found a list of 3"),
        ("[0, 0, 0, 0]", "[0", "", "every number is zero"),
        (
            "{ axis = [0, 0, 0], angle = 1 }",
            "[0",
            ".axis",
            "every number is zero",
        ),
        (
            "{ axis = [0, 1], angle = 1 }",
            "[0",
            ".axis",
            "three numbers",
        ),
        (
            "{ axis = [0, 1, 0] }",
            "{",
            ".angle",
            "\"angle\" is missing",
        ),
        (
            "{ axis = [0, 1, 0], angel = 1 }",
            "angel",
            ".angel",
            "did you mean \"angle\"?",
        ),
        ("[1, 0, nan, 0]", "nan", "[2]", "NaN"),
    ] {
        refused(
            turn,
            &format!("rotation = {value}"),
            mark,
            &format!("{path}{key}"),
            said,
        );
    }
    let tiny = "rotation = [1e-200, 0, 0, 1e-200]";
    built(&GOOD.replace(turn, tiny)).unwrap();
    let plane = "run.duration = 1\nbodies.b = { mass = 1, inertia = 1 }\njoints.j = { kind = \
                 \"revolute\", parent = \"world\", child = \"b\", parent_rotation = [1, 0, 0, 0] }\n";
    let error = built(plane).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("joints.j.parent_rotation"));
    assert!(error.message.contains("an angle, in the plane"), "{error}");
}

#[test]
fn what_belongs_to_the_plane_is_refused_in_space_and_the_other_way_round() {
    let tip = "{ ball = { radius = 0.05 }, at = [0.0, 0.0, -0.65] }";
    let path = "bodies.lower.shapes.tip";
    for (new, key, said) in [
        (
            "{ polygon = { vertices = [[0, 0], [1, 0], [0, 1]] } }",
            "polygon",
            "expected a polyhedron",
        ),
        (
            "{ point = {}, angle = 1 }",
            "angle",
            "expected the key \"rotation\"",
        ),
    ] {
        refused(tip, new, key, &format!("{path}.{key}"), said);
    }
    let plane = "run.duration = 1\nbodies.b = { mass = 1, inertia = 1 }\n";
    let joint = "kind = \"revolute\", parent = \"world\", child = \"b\"";
    for (more, path, said) in [
        (
            "world.shapes.s = { ball = { radius = 1 } }".to_owned(),
            "world.shapes.s.ball",
            "expected a disk",
        ),
        (
            "world.shapes.s = { cylinder = { radius = 1, length = 1 } }".to_owned(),
            "world.shapes.s.cylinder",
            "expected a disk or a capsule",
        ),
        (
            "world.shapes.s = { ellipsoid = { semi_axes = [1, 1, 1] } }".to_owned(),
            "world.shapes.s.ellipsoid",
            "expected a disk or a capsule",
        ),
        (
            "world.shapes.s = { bowl = { radius = 1 } }".to_owned(),
            "world.shapes.s.bowl",
            "expected half_spaces",
        ),
        (
            "world.shapes.s = { tube = { radius = 1 } }".to_owned(),
            "world.shapes.s.tube",
            "expected half_spaces",
        ),
        (
            "world.shapes.s = { polyhedron = { vertices = [] } }".to_owned(),
            "world.shapes.s.polyhedron",
            "expected a polygon",
        ),
        (
            "world.shapes.s = { point = {}, rotation = [1, 0, 0, 0] }".to_owned(),
            "world.shapes.s.rotation",
            "expected the key \"angle\"",
        ),
        (
            format!("joints.j = {{ {joint}, lead = 0.1 }}"),
            "joints.j.lead",
            "a revolute joint has no lead",
        ),
        (
            format!("joints.j = {{ {joint}, axes = [[1, 0], [0, 1]] }}"),
            "joints.j.axes",
            "a revolute joint has no axes in the plane",
        ),
        (
            format!("joints.j = {{ {joint}, start.velocity = [1, 0] }}"),
            "joints.j.start.velocity",
            "no such start in the plane, expected position, rate",
        ),
        (
            format!("joints.j = {{ {} }}", joint.replace("revolute", "screw")),
            "joints.j.kind",
            "there is no screw joint in the plane",
        ),
    ] {
        let error = built(&format!("{plane}{more}\n")).unwrap_err();
        assert_eq!(error.path.as_deref(), Some(path), "{}", error.render());
        assert!(error.message.contains(said), "{}", error.render());
        assert_eq!(error.line, Some(3), "{}", error.render());
    }
}

#[test]
fn joints_have_the_axes_and_starts_of_their_kind() {
    let axes = "axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]";
    let path = "joints.A";
    let error = built(&GOOD.replace(axes, "")).unwrap_err();
    assert!(error.message.contains("\"axes\" is missing"), "{error}");
    assert_eq!(error.path.as_deref(), Some(path), "{error}");
    for (new, mark, key, said) in [
        (
            "axis = [1, 0, 0]",
            "axis",
            "axis",
            "a universal joint has no axis in space",
        ),
        ("axes = []", "[]", "axes", "found 0 axes, expected two"),
        (
            "axes = [[1, 0, 0]]",
            "[[1",
            "axes",
            "found 1 axes, expected two",
        ),
        (
            "axes = [[1, 0, 0], [2, 0, 0]]",
            "[[1",
            "axes",
            "not parallel",
        ),
        (
            "axes = [[1, 0, 0], [0, 0, 0]]",
            "[[1",
            "axes",
            "axis of length 0",
        ),
    ] {
        refused(axes, new, mark, &format!("{path}.{key}"), said);
    }
    for key in ["damping = 1", "spring = { stiffness = 1 }", "motion = {}"] {
        let (word, _) = key.split_once(' ').unwrap();
        let start = "start = { position = [\"10 deg\", 0.2], rate = [0.0, \"-5 deg/s\"] }";
        let path = format!("{path}.{word}");
        refused(start, key, word, &path, "on a joint of 2 coordinates");
    }
    refused(
        "[\"10 deg\", 0.2]",
        "0.2",
        "0.2",
        "joints.A.start.position",
        "found 1 number, expected [angle, angle]",
    );
    let turn = "rotation = { axis = [0.0, 1.0, 0.0], angle = \"140 deg\" }";
    for key in ["position = 1", "rate = 1", "velocity = [0, 0, 1]"] {
        let (word, _) = key.split_once(' ').unwrap();
        let path = format!("joints.O.start.{word}");
        let said =
            "a spherical joint has no such start in space, expected rotation, angular_velocity";
        refused(turn, key, word, &path, said);
    }
    refused(
        "velocity = [0.0, 0.0, 1.0]",
        "rate = [0.0, 0.0, 1.0]",
        "rate",
        "bodies.puck.start.rate",
        "a free joint has no such start in space",
    );
    refused(
        "\"90 deg/s\"",
        "\"90 deg\"",
        "\"90 deg\"",
        "bodies.puck.start.angular_velocity[2]",
        "\"10 deg/s\"",
    );
    let screw = "kind = \"screw\"\naxis = [0, 0, 1]\nparent = \"upper\"";
    let text = GOOD.replace("kind = \"universal\"\nparent = \"upper\"", screw);
    let error = built(&text.replace(axes, "")).unwrap_err();
    assert!(error.message.contains("\"lead\" is missing"), "{error}");
}

#[test]
fn polyhedra_are_convex_solids_of_a_bounded_size() {
    let tip = "{ ball = { radius = 0.05 }, at = [0.0, 0.0, -0.65] }";
    let path = "bodies.lower.shapes.tip.polyhedron.vertices";
    let solid = |vertices: &str| format!("{{ polyhedron = {{ vertices = {vertices} }} }}");
    for (vertices, mark, index, said) in [
        ("[[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "[[0", "", "3 vertices"),
        (
            "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
            "[[0",
            "",
            "in one plane",
        ),
        (
            "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]",
            "[0.1, 0.1, 0.1]",
            "[4]",
            "no corner",
        ),
        (
            "[[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]",
            "[1, 0]",
            "[1]",
            "three numbers",
        ),
    ] {
        refused(tip, &solid(vertices), mark, &format!("{path}{index}"), said);
    }
    let many: Vec<String> = (0..300).map(|k| format!("[{k}, {}, 0]", k * k)).collect();
    let many = solid(&format!("[{}]", many.join(", ")));
    refused(tip, &many, "[[0", path, "at most 256");
}

/// Points on a sphere, far enough apart for their hull to be clear.
fn sphere(count: usize) -> String {
    let point = |k: usize| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sin, cos) = (k as f64 * 2.4).sin_cos();
        let r = (1.0 - z * z).sqrt();
        format!("[{}, {}, {z}]", r * cos, r * sin)
    };
    let points: Vec<String> = (0..count).map(point).collect();
    format!(
        "{{ polyhedron = {{ vertices = [{}] }} }}",
        points.join(", ")
    )
}

#[test]
fn pairs_of_polyhedra_with_too_many_crossings_are_refused_before_they_are_made() {
    let ball = sphere(70);
    let text = format!(
        "space = \"space\"\nrun.duration = 1\n\
         bodies.a = {{ mass = 1, inertia = [1, 1, 1], shapes.s = {ball} }}\n\
         bodies.b = {{ mass = 1, inertia = [1, 1, 1], start.position = [3, 0, 0], shapes.s = {ball} }}\n\
         contacts.c = {{ between = [\"a.s\", \"b.s\"], restitution = 0 }}\n"
    );
    let error = built(&text).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("contacts.c"), "{error}");
    let said = "expand into 11025 contacts, expected at most 10000";
    assert!(error.message.contains(said), "{error}");
}

#[test]
fn a_polyhedron_of_the_most_vertices_is_read() {
    let text = format!(
        "space = \"space\"\nrun.duration = 1\nworld.shapes.f = {{ half_space = {{ normal = [0, 0, 1] }} \
         }}\nbodies.a = {{ mass = 1, inertia = [1, 1, 1], start.position = [0, 0, 2], shapes.s = {} }}\n\
         contacts.c = {{ between = [\"a.s\", \"world.f\"], restitution = 0 }}\n",
        sphere(256)
    );
    built(&text).unwrap();
}

#[test]
fn an_ellipsoid_without_three_semi_axes_above_zero_or_on_what_it_cannot_meet_is_refused() {
    let tip = "{ ball = { radius = 0.05 }, at = [0.0, 0.0, -0.65] }";
    let path = "bodies.lower.shapes.tip";
    for (value, mark, key, said) in [
        (
            "{ ellipsoid = { semi_axes = [0.1, 0.2] } }",
            "[0.1, 0.2]",
            ".ellipsoid.semi_axes",
            "three numbers [x, y, z] in space",
        ),
        (
            "{ ellipsoid = { semi_axes = [0.1, 0.2, 0.0] } }",
            "[0.1, 0.2, 0.0]",
            ".ellipsoid.semi_axes",
            "semi-axis is 0, expected a number > 0",
        ),
        (
            "{ ellipsoid = { radii = [0.1, 0.2, 0.3] } }",
            "radii",
            ".ellipsoid.radii",
            "did you mean \"semi_axes\"?",
        ),
        (
            "{ egg = { semi_axes = [0.1, 0.2, 0.3] } }",
            "egg",
            ".egg",
            "did you mean \"ellipsoid\"?",
        ),
        (
            "{ ellipsoid = { semi_axes = [1, 1, 1] }, point = {} }",
            "{ ellipsoid = { semi_axes = [1, 1, 1] }, point = {} }",
            "",
            "found 2 outlines, expected exactly one of point, ball, disk, cylinder, ellipsoid",
        ),
    ] {
        refused(tip, value, mark, &format!("{path}{key}"), said);
    }
    let on = |floor: &str| {
        built(&format!(
            "space = \"space\"\nrun.duration = 1\nworld.shapes.f = {floor}\n\
             bodies.a = {{ mass = 1, inertia = [1, 1, 1], start.position = [0, 0, 2], \
             shapes.s = {{ ellipsoid = {{ semi_axes = [0.1, 0.2, 0.3] }} }} }}\n\
             contacts.c = {{ between = [\"a.s\", \"world.f\"], restitution = 0 }}\n"
        ))
    };
    on("{ half_space = { normal = [0, 0, 1] } }").unwrap();
    let error = on("{ ball = { radius = 1 } }").unwrap_err();
    let said = "a.s is an ellipsoid and world.f a ball: no gap between these is offered; an ellipsoid is \
                offered with half_space";
    assert!(error.message.contains(said), "{error}");
    assert_eq!(error.path.as_deref(), Some("contacts.c.between"));
}
