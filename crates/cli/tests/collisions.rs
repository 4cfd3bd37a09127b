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
    assert_eq!(results.len(), 7);
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
        assert!(!text.contains("NaN"));
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
