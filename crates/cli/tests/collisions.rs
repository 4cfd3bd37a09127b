//! `carom impact` of scenarios.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{carom, carom_with, folder};

#[test]
fn a_scenario_is_solved_by_every_method_with_its_joints() {
    let ran = carom(&["impact", "--example", "jointed-frames"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in [
        "Two jointed frames",
        "linear: every contact",
        "complementarity: all at once",
        "sequential: one contact",
        "rank 1 of 3 contacts, singular",
        "hinge1 p_x (N s)",
        "0.6197183 *",
        "* not unique",
        "left out:",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let table = carom(&["impact", "--example", "three-legged-table"]).out;
    assert!(
        !table.contains("joint impulses"),
        "a free body carries nothing: {table}"
    );
}

#[test]
fn the_json_of_a_scenario_has_joint_impulses_places_and_screws() {
    let all = carom(&["impact", "--example", "jointed-frames", "--json"]).json();
    let results = all["results"].as_array().unwrap();
    assert_eq!(results.len(), 9);
    assert_eq!(results[0]["method"], "linear");
    assert_eq!(results[0]["joint_impulses"]["hinge1"]["unique"], false);
    let unique = &results[0]["joint_impulses"]["hinge1"]["unique_components"];
    assert_eq!(unique["force"], serde_json::json!([true, false, false]));
    assert_eq!(results[0]["screws"]["xi"][0].as_array().unwrap().len(), 5);
    assert_eq!(
        all["places"]["A1"]["point"],
        serde_json::json!([0.0, 0.0, 0.5])
    );
    assert!(all["left_out"][0]["method"].is_string());
    let one = [
        "impact",
        "--example",
        "four-legged-table",
        "--json",
        "--law",
        "newton",
    ];
    let one = carom(&[&one[..], &["--method", "complementarity"]].concat()).json();
    assert_eq!(
        (one["law"].as_str(), one["determinacy"]["rank"].as_u64()),
        (Some("newton"), Some(3))
    );
    assert!(one["joint_impulses"]["table"]["unique"].as_bool().unwrap());
    let set = [
        "impact",
        "--example",
        "four-legged-table",
        "--json",
        "--law",
        "newton",
        "--set",
    ];
    let slow = carom(&[&set[..], &["bodies.table.start.velocity=[0,0,-0.5]"]].concat()).json();
    assert_eq!(slow["results"].as_array().unwrap().len(), 3);
}

#[test]
fn bodies_and_impulses_are_drawn_in_the_plane_and_in_space() {
    let folder = folder("collisions");
    for name in [
        "rod-landing-flat",
        "four-legged-table",
        "jointed-frames",
        "cradle-in-contact",
    ] {
        let file = |end: &str| {
            folder
                .join(format!("{name}.{end}"))
                .to_str()
                .unwrap()
                .to_owned()
        };
        let (svg, png, html) = (file("svg"), file("png"), file("html"));
        let ran = carom(&[
            "impact",
            "--example",
            name,
            "--plot",
            &svg,
            "--html",
            &html,
            "-q",
        ]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        let text = std::fs::read_to_string(&svg).unwrap();
        assert!(
            text.starts_with("<svg") && text.contains("impulse, at most"),
            "{name}"
        );
        assert!(text.contains(">newton by ") && !text.contains("NaN"));
        let page = std::fs::read_to_string(&html).unwrap();
        assert!(page.contains("Bodies and impulses") && page.contains("sequential"));
        assert_eq!(
            carom(&["impact", "--example", name, "--plot", &svg]).code,
            2
        );
        let drawn = carom(&[
            "impact",
            "--example",
            name,
            "--plot",
            &png,
            "--law",
            "newton",
        ]);
        assert!(
            drawn.out.contains("bodies and impulses drawn in"),
            "{}",
            drawn.err
        );
        assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_scenario_without_a_collision_at_its_start_says_what_is_nearest() {
    let ran = carom(&["impact", "--example", "pendulum-rough"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err
            .contains("no contact touches at the start: the nearest, hit"),
        "{}",
        ran.err
    );
    let ran = carom(&["run", "--example", "jointed-frames"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("contacts.A1.point") && ran.err.contains("`carom impact` solves"));
    let wrong = carom(&[
        "impact",
        "--example",
        "jointed-frames",
        "--method",
        "newton",
    ]);
    assert!(
        wrong.code == 2 && wrong.err.contains("expected linear"),
        "{}",
        wrong.err
    );
    let refused = [
        "impact",
        "--example",
        "jointed-frames",
        "--method",
        "linear",
        "--law",
        "poisson",
    ];
    let refused = carom(&refused);
    assert!(
        refused.code == 2 && refused.err.contains("linear"),
        "{}",
        refused.err
    );
    let checked = carom(&["check", "--example", "jointed-frames"]);
    assert!(
        checked.out.contains("a collision of 3 contacts"),
        "{}",
        checked.out
    );
}

#[test]
fn problems_take_a_method_too() {
    let all = carom(&[
        "impact",
        "--example",
        "three-balls",
        "--method",
        "all",
        "--json",
    ])
    .json();
    let methods = all["results"].as_array().unwrap().iter();
    let methods: Vec<&str> = methods.map(|r| r["method"].as_str().unwrap()).collect();
    assert_eq!(
        methods.iter().filter(|m| **m == "sequential").count(),
        3,
        "{methods:?}"
    );
    assert_eq!(methods[0], "linear");
    let text = carom(&["impact", "--example", "three-balls", "--method", "all"]).out;
    assert!(
        text.contains("linear: every") && text.contains("sequential: one"),
        "{text}"
    );
    let one = carom(&[
        "impact",
        "--example",
        "three-balls",
        "--method",
        "sequential",
        "--json",
    ]);
    assert_eq!(one.json()["results"][0]["method"], "sequential");
}

#[test]
fn lines_may_be_scenarios() {
    let line = r#"{"bodies": {"a": {"mass": 1, "inertia": 1, "start": {"rate": [0, -1, 0]}}}, "contacts": {"c": {"between": ["a", "world"], "point": [0, 0], "normal": [0, 1], "restitution": 0.5}}, "run": {"duration": 1}}"#;
    let ran = carom_with(
        &["impact", "-", "--json", "--law", "newton"],
        format!("{line}\n{line}\n").as_bytes(),
    );
    let lines = ran.json_lines();
    assert_eq!((ran.code, lines.len()), (0, 2), "{}", ran.err);
    assert_eq!(lines[1]["velocity"][1], 0.5);
}

/// A parallelogram whose bar slides along a rough stop; nothing moves the contact sideways.
const BAR: &str = "gravity = [0, 0]
bodies.left = { mass = 1, inertia = 0.1, center = [0, 0.25] }
bodies.right = { mass = 1, inertia = 0.1, center = [0, 0.25] }
bodies.top = { mass = 2, inertia = 0.2, center = [0.5, 0], shapes.nose = { point = {}, at = [1.2, 0] } }
world.shapes.stop = { half_space = { normal = [-1, 0] }, at = [1.2, 0] }
joints.L = { kind = \"revolute\", parent = \"world\", child = \"left\", start.rate = -2 }
joints.R = { kind = \"revolute\", parent = \"world\", child = \"right\", parent_at = [1, 0], start.rate = -2 }
joints.A = { kind = \"revolute\", parent = \"left\", child = \"top\", parent_at = [0, 0.5], start.rate = 2 }
joints.B = { kind = \"revolute\", parent = \"right\", child = \"top\", parent_at = [0, 0.5], child_at = [1, 0] }
contacts.hit = { between = [\"top.nose\", \"world.stop\"], restitution = 0.5, friction = 0.2 }
";

/// The constraint said that its impulse is unique, the joint that it is not.
#[test]
fn a_pin_that_takes_an_undetermined_friction_impulse_is_not_unique_by_either_name() {
    let arguments = ["impact", "-", "--law", "poisson", "--json"];
    let found = carom_with(&arguments, BAR.as_bytes()).json();
    let truth = serde_json::json!([true, false]);
    assert_eq!(found["constraints"][0]["unique"], truth);
    let joint = &found["joint_impulses"]["B"]["unique_components"];
    assert_eq!(joint["force"], truth);
    let table = carom_with(&["impact", "-", "--law", "poisson"], BAR.as_bytes()).out;
    assert!(table.contains("impulse B[1] (not unique)"), "{table}");
}

#[test]
fn a_stop_of_an_angle_is_told_in_its_own_units() {
    let text = "gravity = [0, 0]\nbodies.arm = { mass = 1, inertia = 0.1, center = [0.3, 0] }\n\
        joints.h = { kind = \"revolute\", parent = \"world\", child = \"arm\", start.rate = -1, \
        limits = { lower = 0, restitution = 0.8 } }\n";
    let table = carom_with(&["impact", "-", "--law", "newton"], text.as_bytes()).out;
    for said in [
        "normal velocity -1 rad/s",
        "p_n (N m s)",
        "v_n after (rad/s)",
    ] {
        assert!(table.contains(said), "{said}: {table}");
    }
}

#[test]
fn every_method_of_a_problem_with_friction_leaves_out_those_it_has_not() {
    let all = [
        "impact",
        "--example",
        "rod-lands-flat",
        "--method",
        "all",
        "--law",
        "all",
    ];
    let ran = carom(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told: Vec<&str> = ran
        .out
        .lines()
        .filter(|l| l.starts_with("left out:"))
        .collect();
    assert_eq!(told.len(), 1, "{}", ran.out);
    assert!(
        told[0].contains("linear with newton, poisson"),
        "{}",
        told[0]
    );
    assert!(ran.out.contains("rank 2 of 2 contacts"), "{}", ran.out);
    let json = carom(&[&all[..], &["--json"]].concat()).json();
    assert_eq!(json["left_out"][0]["method"], "linear");
    assert!(!ran.out.contains("-0 ") && !json.to_string().contains("-0.0,"));
}

#[test]
fn a_law_that_the_command_line_asks_for_is_not_blamed_on_the_file() {
    let asked = [
        "impact",
        "--example",
        "three-balls",
        "--method",
        "linear",
        "--law",
        "poisson",
    ];
    let ran = carom(&asked);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--> --law poisson"), "{}", ran.err);
    assert!(!ran.err.contains(":1:"), "{}", ran.err);
}

#[test]
fn the_screws_are_told_by_the_symbols_of_the_paper() {
    let one = ["impact", "--example", "jointed-frames", "--law", "newton"];
    let table = carom(&[&one[..], &["--method", "complementarity"]].concat()).out;
    for said in ["M_red,1 = [[", "G_2 = [[", "δ = (2.5, 0, 2.5)", "ξ_1 = ("] {
        assert!(table.contains(said), "{said}: {table}");
    }
    let json = carom(&[&one[..], &["--json"]].concat()).json();
    let body = &json["results"][0]["screws"]["bodies"][1];
    for (key, count) in [
        ("U", 3),
        ("Q", 1),
        ("S", 5),
        ("M", 6),
        ("M_red", 1),
        ("G", 3),
    ] {
        assert_eq!(body[key].as_array().unwrap().len(), count, "{key}");
    }
}

#[test]
fn an_event_of_several_contacts_is_drawn_with_its_bodies() {
    let folder = folder("event-of-several");
    let place = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let out = place("run");
    let run = [
        "run",
        "--example",
        "slider-crank-clearance",
        "-o",
        &out,
        "-q",
    ];
    carom(&[&run[..], &["--figures", "none", "--no-report"]].concat());
    let (record, svg) = (place("run/run.json"), place("event.svg"));
    let ran = carom(&["impact", &record, "--event", "1", "--plot", &svg]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for said in ["upper.2", "upper.3", "slider", "poisson by complementarity"] {
        assert!(drawn.contains(said), "{said}");
    }
}

/// A tip and a stop of its hinge ask for different velocities: the linear law contradicts itself.
#[test]
fn a_law_without_an_answer_is_drawn_without_impulses_and_says_so() {
    let text = "gravity = [0, 0]\nbodies.arm = { mass = 1, inertia = 0.1, center = [0.3, 0], \
        shapes.t = { point = {}, at = [0.5, 0] } }\nworld.shapes.w = { half_space = { normal = [0, 1] } }\n\
        joints.h = { kind = \"revolute\", parent = \"world\", child = \"arm\", start.rate = -1, \
        limits = { lower = 0, restitution = 0.8 } }\n\
        contacts.t = { between = [\"arm.t\", \"world.w\"], restitution = 0.5 }\n";
    let folder = folder("no-answer");
    let svg = folder.join("a.svg").to_str().unwrap().to_owned();
    let asked = [
        "impact", "-", "--law", "newton", "--method", "linear", "--plot", &svg,
    ];
    let ran = carom_with(&asked, text.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("newton by linear: infeasible, no impulses"));
    assert!(!drawn.contains("at most 0 N"));
}

#[test]
fn a_contact_of_a_body_with_itself_is_refused_at_its_place() {
    let itself = ["impact", "--example", "jointed-frames", "--set"];
    let ran = carom(
        &[
            &itself[..],
            &["contacts.A1.between=[\"frame1\", \"frame1\"]"],
        ]
        .concat(),
    );
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("found \"frame1\" twice"), "{}", ran.err);
}
