//! `carom forward` as a user runs it.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use common::{carom, carom_with, folder};
use serde_json::Value;

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

fn near(value: &Value, expected: f64) -> bool {
    let x = value.as_f64().unwrap();
    (x - expected).abs() <= 1e-10 * (1.0 + expected.abs())
}

#[test]
fn every_example_has_the_count_its_description_tells() {
    for (name, count, unique) in [
        ("screw-unique", 1, true),
        ("screw-paradox", 0, false),
        ("rod-slides", 1, true),
        ("rod-inconsistent", 0, false),
        ("rod-indeterminate", 2, false),
        ("two-joints-several", 2, false),
        ("at-rest-three", 3, false),
        ("seizure", 0, false),
        ("screw-joint", 0, false),
        ("rod-on-floor", 0, false),
        ("slider-in-guide", 1, true),
    ] {
        let ran = carom(&["forward", "--example", name, "--json"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}");
        let result = ran.json();
        assert_eq!(result["count"], count, "{name}");
        assert_eq!(result["unique_for_every_force"], unique, "{name}");
        let answers = result["answers"].as_array().unwrap();
        assert_eq!(answers.len(), count, "{name}");
        assert_eq!(result["resolution"].is_null(), count != 0, "{name}");
        let text = carom(&["forward", "--example", name]);
        let said = match unique {
            true => "\nunique for every force: ",
            false => "\nnot unique for every force: ",
        };
        assert!(text.out.contains(said), "{name}: {}", cut(&text.out));
        assert_eq!(carom(&["forward", "--example", name, "--quiet"]).out, "");
        assert_eq!(carom(&["check", "--example", name]).code, 0, "{name}");
    }
}

#[test]
fn the_mechanism_of_the_screw_answers_as_the_shorthand() {
    for (torque, rate) in [(0.0, -1.0), (-30.0, -1.0), (3.0, 1.0), (20.0, 0.0)] {
        let screw = carom(&[
            "forward",
            "--json",
            "--example",
            "screw-paradox",
            "--set",
            &format!("screw.force={torque}"),
            "--set",
            &format!("screw.velocity={rate}"),
        ]);
        let joint = carom(&[
            "forward",
            "--json",
            "--example",
            "screw-joint",
            "--set",
            &format!("joints.thread.drive.amplitude={torque}"),
            "--set",
            &format!("joints.thread.start.rate={rate}"),
        ]);
        let (screw, joint) = (screw.json(), joint.json());
        assert_eq!(screw["count"], joint["count"], "{torque} {rate}");
        for (a, b) in screw["answers"]
            .as_array()
            .unwrap()
            .iter()
            .zip(joint["answers"].as_array().unwrap())
        {
            for key in ["acceleration", "normal_load", "friction_force"] {
                assert!(near(&b[key][0], a[key][0].as_f64().unwrap()), "{key}");
            }
            assert_eq!(a["mode"], b["mode"]);
        }
        let vertex = screw["condition"]["vertex_force"].as_f64().unwrap();
        assert!(near(&joint["condition"]["vertex_force"], vertex));
        assert!(near(
            &screw["condition"]["vertex_force"],
            -0.0004 * 9.81 / 0.002
        ));
        let critical = screw["condition"]["critical_friction"].as_f64().unwrap();
        let critical = critical / 0.25f64.cos(); // the joint's coefficient is μ / cos θ
        assert!(near(&joint["condition"]["critical_friction"], critical));
        let witness = &joint["witness"];
        let again = carom(&[
            "forward",
            "--json",
            "--example",
            "screw-joint",
            "--set",
            &format!("joints.thread.drive.amplitude={}", witness["force"][0]),
            "--set",
            &format!("joints.thread.start.rate={rate}"),
        ]);
        assert_eq!(again.json()["count"], witness["count"], "the witness holds");
    }
}

#[test]
fn the_text_names_answers_refuted_modes_the_verdict_and_what_follows() {
    let out = carom(&["forward", "--example", "rod-inconsistent", "--digits", "5"]).out;
    for said in [
        "no acceleration is consistent with friction",
        "lift-off          l  a_n >= 0  tip  0.85741",
        "slipping left, pressing pulls the tip down: p = -0.56569 1/kg <= 0",
        "p < 0 needs friction above 1.3333, first at 63.435°",
        "margin: uniqueness needs all friction below 0.74086 times",
        "degree: 0",
        "witness: force",
        "what follows: an impact without collision (poisson)",
        "energy lost 0.20216 J",
    ] {
        assert!(out.contains(said), "{said}: {}", out);
    }
    let out = carom(&["forward", "--example", "seizure"]).out;
    for said in [
        "μ|c| = 2.07 > a = 1.1",
        "a seizure",
        "critical friction: 0.4782609",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let out = carom(&["forward", "--example", "two-joints-several"]).out;
    assert!(
        out.contains("the determinant of signs -+ is -21.6 <= 0"),
        "{out}"
    );
    assert_eq!(out.matches("consistent\n").count(), 2, "{out}");
}

#[test]
fn json_lines_give_json_lines_and_a_bad_line_does_not_stop_the_others() {
    let good = r#"{"inertia": [[1]], "load_matrix": [[0.5]], "load_offset": [1], "friction": [0.2], "velocity": [1], "force": [2]}"#;
    let rod = r#"{"rod": {"mass": 1, "half_length": 1, "angle": 1.1, "rate": 1.3, "slip": -1, "friction": 1.8, "gravity": 1}}"#;
    let bad = r#"{"rod": {"mas": 1}}"#;
    let input = format!("{good}\n{bad}\n\n{rod}\n");
    let ran = carom_with(&["forward", "-", "--json"], input.as_bytes());
    assert_eq!(ran.code, 1);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 3);
    assert!(near(&lines[0]["answers"][0]["acceleration"][0], 1.8 / 1.1));
    let error = &lines[1]["error"];
    assert_eq!(
        (&error["path"], &error["line"]),
        (&"rod.mas".into(), &2.into())
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("did you mean \"mass\"?")
    );
    assert_eq!(lines[2]["count"], 2);
    let ran = carom_with(&["forward", "-"], b"");
    assert_eq!(ran.code, 2);
    let ran = carom_with(
        &["forward", "-", "--diagram"],
        format!("{good}\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.json_lines().len()), (0, 1));
}

#[test]
fn a_diagram_has_breaks_and_rows() {
    let ran = carom(&[
        "forward",
        "--example",
        "at-rest-three",
        "--diagram",
        "--json",
    ]);
    let found = ran.json();
    let breaks = found["breaks"].as_array().unwrap();
    assert!(
        breaks.iter().any(|x| near(x, 0.3 - 1.1 * 1.7 / 2.3)),
        "the vertex force"
    );
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * breaks.len() + 1);
    let first = &rows[0];
    assert_eq!(
        (
            &first["moving_plus"],
            &first["at_rest"],
            &first["moving_minus"]
        ),
        (&0.into(), &1.into(), &2.into())
    );
    assert!(rows.iter().any(|row| row["at_rest"] == 3));
    let text = carom(&["forward", "--example", "at-rest-three", "--diagram"]).out;
    assert!(
        text.starts_with("force") && text.contains("moving +"),
        "{text}"
    );
    let line = carom(&[
        "forward",
        "--example",
        "two-joints-several",
        "--diagram",
        "--along",
        "-1,0.5",
        "--json",
    ]);
    let line = line.json();
    assert_eq!(line["direction"], serde_json::json!([-1.0, 0.5]));
    let counts = line["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["count"].as_u64());
    assert!(counts.collect::<std::collections::BTreeSet<_>>().len() > 1);
    let wrong = carom(&[
        "forward",
        "--example",
        "two-joints-several",
        "--diagram",
        "--along",
        "1",
    ]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("expected 2"), "{}", cut(&wrong.err));
}

#[test]
fn a_map_of_the_rod_shows_its_regions_with_boundaries_on_p_zero() {
    let ran = carom(&[
        "forward",
        "--example",
        "rod-inconsistent",
        "--map",
        "angle=0.1:1.5:15,rate=0:3:13",
        "--json",
    ]);
    assert_eq!(ran.code, 0, "{}", cut(&ran.err));
    let map = ran.json();
    assert_eq!(
        map["parameters"],
        serde_json::json!(["rod.angle", "rod.rate"])
    );
    let labels: std::collections::BTreeSet<String> = map["labels"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|label| label.as_str().unwrap().to_owned())
        .collect();
    let wanted = ["inconsistent", "indeterminate", "lift-off", "slide"];
    assert_eq!(labels, wanted.map(str::to_owned).into_iter().collect());
    let boundaries = map["boundaries"].as_array().unwrap();
    let found = boundaries
        .iter()
        .find(|b| b["between"] == serde_json::json!(["inconsistent", "slide"]))
        .unwrap();
    let mut points = 0;
    for end in found["segments"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|s| s.as_array().unwrap())
    {
        let angle = end[0].as_f64().unwrap();
        let (sin, cos) = angle.sin_cos();
        let p = 1.0 + 3.0 * cos * (cos - 1.8 * sin);
        assert!(p.abs() < 1e-12, "{angle}: {p}");
        points += 1;
    }
    assert!(points >= 4);
    let text = carom(&[
        "forward",
        "--example",
        "rod-inconsistent",
        "--map",
        "angle=6deg:85deg:9,friction=0.1:2:9",
    ]);
    assert!(text.out.contains("inconsistent | slide"), "{}", text.out);
}

#[test]
fn any_number_of_the_file_is_a_parameter_of_a_map() {
    for (example, map, x) in [
        (
            "at-rest-three",
            "friction[0]=0.1:1.5:5,force[0]=-2:2:5",
            "friction[0]",
        ),
        (
            "screw-paradox",
            "helix=0.05:1.2:5,force=-3:3:5",
            "screw.helix",
        ),
        (
            "slider-in-guide",
            "joints.guide.friction.kinetic=0:0.4:3,joints.guide.drive.amplitude=-3:3:3",
            "joints.guide.friction.kinetic",
        ),
    ] {
        let ran = carom(&["forward", "--example", example, "--map", map, "--json"]);
        assert_eq!(ran.code, 0, "{example}: {}", cut(&ran.err));
        assert_eq!(ran.json()["parameters"][0], x);
    }
    for (map, said) in [
        ("angle=0:1:5", "expected two"),
        ("angle=0:1:5,rate", "LOW:HIGH:COUNT"),
        ("angle=1:0:5,rate=0:1:5", "expected LOW < HIGH"),
        ("angle=0:1:1,rate=0:1:5", "expected 2 to 2000"),
        ("angel=0.1:1:5,rate=0:1:5", "did you mean \"angle\"?"),
        ("mass=-1:1:5,rate=0:1:5", "expected a positive number"),
    ] {
        let ran = carom(&["forward", "--example", "rod-slides", "--map", map]);
        assert_eq!(ran.code, 2, "{map}");
        assert!(ran.err.contains(said), "{map}: {}", cut(&ran.err));
    }
}

#[test]
fn every_figure_is_drawn_as_svg_and_png_and_not_over_an_old_one() {
    let folder = folder("forward-figures");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    for (k, arguments) in [
        &["--example", "screw-paradox"][..],
        &["--example", "screw-paradox", "--diagram"],
        &["--example", "two-joints-several"],
        &["--example", "two-joints-several", "--diagram"],
        &["--example", "rod-inconsistent"],
        &[
            "--example",
            "rod-slides",
            "--map",
            "angle=0.1:1.5:9,rate=0:3:9",
        ],
        &["--example", "screw-joint"],
        &["--example", "rod-on-floor"],
    ]
    .into_iter()
    .enumerate()
    {
        let file = path(&format!("{k}.svg"));
        let ran = carom(&[&["forward", "--plot", &file][..], arguments].concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", cut(&ran.err));
        assert!(ran.out.contains("drawn in"), "{}", cut(&ran.out));
        let svg = std::fs::read_to_string(&file).unwrap();
        assert!(svg.starts_with("<svg") && svg.len() > 1000, "{arguments:?}");
    }
    let file = path("0.svg");
    let again = carom(&["forward", "--plot", &file, "--example", "seizure"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("exists already"), "{}", cut(&again.err));
    let forced = carom(&[
        "forward",
        "--plot",
        &file,
        "--example",
        "seizure",
        "--force",
        "--json",
    ]);
    assert_eq!((forced.code, forced.json()["count"].as_u64()), (0, Some(0)));
    let file = path("a.png");
    assert_eq!(
        carom(&["forward", "--plot", &file, "--example", "seizure"]).code,
        0
    );
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    let other = carom(&["forward", "--plot", &path("a.pdf"), "--example", "seizure"]);
    assert_eq!(other.code, 2);
    let two = [
        "forward",
        "--plot",
        &path("b.svg"),
        "--example",
        "seizure",
        "--example",
        "rod-slides",
    ];
    assert_eq!(carom(&two).code, 2);
}

#[test]
fn a_file_from_disk_with_an_override_and_a_wrong_one() {
    let folder = folder("forward-files");
    let file = folder.join("rod.toml");
    let text = carom(&["examples", "show", "rod-slides"]).out;
    std::fs::write(&file, &text).unwrap();
    let name = file.to_string_lossy();
    let set = [
        "forward",
        &name,
        "--set",
        "rod.angle=1.1",
        "--set",
        "rod.friction=1.8",
        "--json",
    ];
    let ran = carom(&set);
    assert_eq!(ran.json()["count"], 0);
    std::fs::write(&file, text.replace("slip = -1.0", "slop = -1.0")).unwrap();
    let ran = carom(&["forward", &name]);
    assert_eq!(ran.code, 2);
    for said in [
        "rod.toml:10:1",
        "rod.slop",
        "did you mean \"slip\"?",
        "^^^^",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let both = carom(&["forward", &name, "--example", "rod-slides"]);
    assert_eq!(both.code, 1, "one of two failed");
    let impact = carom(&["forward", "--example", "rod"]);
    assert!(impact.err.contains("carom impact"), "{}", cut(&impact.err));
    let other = carom(&["impact", "--example", "rod-slides"]);
    assert!(other.err.contains("carom forward"), "{}", cut(&other.err));
}

#[test]
fn the_schema_and_the_examples_know_forward_problems() {
    let schema = carom(&["schema", "forward"]).json();
    for key in ["inertia", "screw", "rod", "contacts", "load_matrix"] {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    let list = carom(&["examples"]).out;
    assert!(list.contains("Forward problems") && list.contains("screw-joint"));
    let folder = folder("forward-examples");
    let file = folder.join("s.toml").to_string_lossy().into_owned();
    let copied = carom(&["examples", "copy", "screw-joint", &file]);
    assert!(copied.out.contains("carom forward"), "{}", copied.out);
}

#[test]
fn a_run_refuses_friction_in_a_joint_and_names_what_reads_it() {
    let ran = carom(&["run", "--example", "slider-in-guide"]);
    assert_eq!(ran.code, 2);
    for said in [
        "joints.guide.friction",
        "not offered yet in a run",
        "carom forward",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", cut(&ran.err));
    }
}
