//! `carom impact` from the outside.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{carom, carom_with, folder};
use serde_json::Value;

const ROD: &str = r#"{"mass": [[1,0,0],[0,1,0],[0,0,0.08333333333333333]], "velocity": [0.6,-1,0], "contacts": [{"name": "B", "normal": [0,1,-0.3535533905932738], "tangent": [1,0,0.3535533905932738], "friction": {"static": 0.73, "kinetic": 0.7}, "restitution": 0.82}], "constraints": [], "law": "energetic", "method": "complementarity"}"#;

#[test]
fn the_rod_of_the_paper_is_answered_by_every_law_in_the_keys_of_the_contract() {
    let answer = carom(&["impact", "--example", "rod", "--json"]).json();
    let results = answer["results"].as_array().unwrap();
    let laws: Vec<&str> = results.iter().map(|r| r["law"].as_str().unwrap()).collect();
    assert_eq!(
        laws,
        ["newton", "poisson", "energetic", "moreau", "whittaker"]
    );
    let result = results[2].as_object().unwrap();
    let keys: Vec<&str> = result.keys().map(String::as_str).collect();
    let expected = "constraints contacts determinacy energy_change law method notes outcome residuals velocity";
    assert_eq!(keys.join(" "), expected);
    let contact = &result["contacts"][0];
    for key in [
        "name",
        "type",
        "started_at_rest",
        "impulse",
        "velocity_before",
        "velocity_after",
        "work",
        "path",
    ] {
        assert!(contact.get(key).is_some(), "{key}");
    }
    assert_eq!(contact["type"], "non_sliding_compression");
    let path = contact["path"].as_array().unwrap();
    let modes: Vec<&str> = path.iter().map(|p| p["mode"].as_str().unwrap()).collect();
    assert_eq!(modes, ["slip+", "stick", "stick", "stick"]);
    assert!((result["energy_change"].as_f64().unwrap() + 0.0915884307692308).abs() < 1e-14);
    assert_eq!(results[0]["notes"][0]["code"], "energy_gain");
    for key in ["momentum", "energy", "cone"] {
        assert!(result["residuals"][key].as_f64().unwrap() < 1e-14, "{key}");
    }
}

#[test]
fn one_law_gives_one_object() {
    let ran = carom_with(&["impact", "-"], ROD.as_bytes());
    assert_eq!(ran.code, 0);
    assert_eq!(ran.json()["law"], "energetic");
    let all = carom_with(&["impact", "-", "--law", "all"], ROD.as_bytes());
    assert_eq!(all.json()["results"].as_array().unwrap().len(), 5);
}

#[test]
fn newtons_gain_of_energy_stands_in_the_table_and_in_a_note() {
    let table = carom(&["impact", "--example", "rod"]).out;
    assert!(table.contains("0.010125 !"), "{table}");
    assert!(table.contains("creates energy here"), "{table}");
    assert!(table.contains("non_sliding_compression"), "{table}");
}

#[test]
fn a_bad_line_is_answered_in_its_place_and_the_others_go_on() {
    let lines = [
        ROD,
        "{\"mass\": [[1]]}",
        "not json",
        "",
        &ROD.replace("0.82", "1.5"),
        "\u{fffd}",
        &ROD.replace("\"kinetic\": 0.7", "\"kinetic\": 1e999"),
        ROD,
    ];
    let mut input = lines.join("\n").into_bytes();
    input.extend_from_slice(b"\n\xff\xfe\n");
    let ran = carom_with(&["impact", "-", "--json"], &input);
    assert_eq!(ran.code, 1);
    let answers = ran.json_lines();
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0], answers[6]);
    let error = |i: usize| &answers[i]["error"];
    assert_eq!(error(1)["line"], 2);
    assert_eq!(error(1)["path"], "velocity");
    assert_eq!(error(2)["line"], 3);
    assert_eq!(error(3)["line"], 5);
    assert_eq!(error(3)["path"], "contacts[0].restitution");
    assert!(error(3)["column"].as_u64().unwrap() > 200);
    assert!(error(5)["message"].as_str().unwrap().contains("too large"));
    assert_eq!(error(7)["line"], 9);
}

#[test]
fn a_document_over_several_lines_is_not_taken_for_json_lines() {
    let pretty = ROD.replace(", \"velocity\"", ",\n\"velocity\"");
    let ran = carom_with(&["impact", "-"], pretty.as_bytes());
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("energetic"), "{}", ran.out);
    assert!(ran.out.contains("p_n (N s)"));
}

#[test]
fn malformed_problems_are_refused_with_place_and_range() {
    let rod = carom(&["examples", "show", "rod"]).out;
    for (from, to, place, said) in [
        (
            "static = 0.73",
            "static = -1",
            "contacts[0].friction",
            "expected a finite number >= 0",
        ),
        (
            "static = 0.73",
            "static = 0.5",
            "contacts[0].friction",
            "expected static >= kinetic",
        ),
        (
            "restitution = 0.82",
            "restitution = 2",
            "contacts[0].restitution",
            "from 0 to 1",
        ),
        (
            "restitution = 0.82",
            "restitution = nan",
            "contacts[0].restitution",
            "is NaN",
        ),
        (
            "[0.6, -1.0, 0.0]",
            "[0.6, inf, 0.0]",
            "velocity[1]",
            "is inf, expected a finite number",
        ),
        (
            "[0.6, -1.0, 0.0]",
            "[0.6, -1.0]",
            "mass",
            "has 3 elements, expected 2",
        ),
        (
            "[0, 1, 0]",
            "[0, 1]",
            "mass[1]",
            "has 2 elements, expected 3",
        ),
        ("[0, 1, 0]", "[0, -1, 0]", "mass[1]", "pivot 1 is -1.0"),
        ("[0, 1, 0]", "[0.5, 1, 0]", "mass[0][1]", "not symmetric"),
        (
            "tangent = ",
            "tangnt = ",
            "contacts[0].tangnt",
            "did you mean \"tangent\"?",
        ),
        (
            "tangent = ",
            "tangents = ",
            "contacts[0].tangents",
            "expected a list",
        ),
        (
            "mass = ",
            "mass = 3 #",
            "mass",
            "found the number 3, expected a list",
        ),
        (
            "friction = ",
            "# ",
            "contacts[0]",
            "\"friction\" is missing",
        ),
        (
            "name = \"B\"",
            "name = 3",
            "contacts[0].name",
            "found the number 3, expected a text",
        ),
        (
            "[[contacts]]",
            "law = \"hertz\"\n[[contacts]]",
            "law",
            "Allowed: all, newton",
        ),
        (
            "0.6, -1.0, 0.0]",
            "1e300, -1e300, 1e300]",
            "contacts[0]",
            "from 1e-100 to 1e100",
        ),
    ] {
        assert!(rod.contains(from), "{from}");
        let ran = carom_with(&["impact", "-"], rod.replacen(from, to, 1).as_bytes());
        assert_eq!(ran.code, 2, "{to}: {}", ran.out);
        assert_eq!(ran.out, "", "{to}");
        assert!(ran.err.contains(said), "{to}: {}", ran.err);
        assert!(ran.err.contains(place), "{to}: {}", ran.err);
        assert!(ran.err.contains("--> -:"), "{to}: {}", ran.err);
    }
}

#[test]
fn an_error_points_at_line_and_column() {
    let rod = carom(&["examples", "show", "rod"]).out;
    let bad = rod.replace("restitution = 0.82", "restitution = 8.2");
    let ran = carom_with(&["impact", "-", "--json"], bad.as_bytes());
    let error = &ran.json()["error"];
    let line = rod.lines().position(|l| l.contains("restitution")).unwrap() + 1;
    assert_eq!(
        (error["line"].as_u64(), error["column"].as_u64()),
        (Some(line as u64), Some(15))
    );
    assert!(ran.err.contains("^^^"), "{}", ran.err);
}

#[test]
fn garbage_of_any_kind_is_refused_and_never_panics() {
    let mut rng = 1u64;
    let mut noise = || {
        rng = rng
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (rng >> 33) as u8
    };
    let size = if cfg!(debug_assertions) {
        1 << 20
    } else {
        100_000_000
    };
    let inputs: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\n\n".to_vec(),
        b"[".repeat(100_000),
        b"{\"mass\":".repeat(50_000),
        vec![b'a'; size],
        (0..100_000).map(|_| noise()).collect(),
        b"null".to_vec(),
        b"[1, 2".to_vec(),
        b"\xef\xbb\xbfmass = 1".to_vec(),
        "\"\\".repeat(1000).into_bytes(),
    ];
    for input in inputs {
        let ran = carom_with(&["impact", "-"], &input);
        let start: Vec<u8> = input.iter().take(20).copied().collect();
        let is_error_line = ran.code == 1 && ran.out.contains("\"error\"");
        assert!(ran.code == 2 || is_error_line, "{start:?}: {}", ran.code);
        assert!(!ran.err.contains("panicked"), "{start:?}: {}", ran.err);
        assert!(ran.err.len() < 2000, "{start:?}");
    }
}

#[test]
fn overrides_change_a_value_and_name_themselves_when_wrong() {
    let base = [
        "impact",
        "--example",
        "rod",
        "--law",
        "poisson",
        "--json",
        "--set",
    ];
    let with = |set: &str| carom(&[&base[..], &[set]].concat());
    let slippery = with("contacts.B.friction=0.3").json();
    assert_eq!(slippery["contacts"][0]["type"], "reverse_compression");
    assert_eq!(slippery, with("contacts[0].friction=0.3").json());
    let wrong = with("contacts.0.restitution=7");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("--set contacts.0.restitution=7"),
        "{}",
        wrong.err
    );
}

#[test]
fn pictures_are_drawn_once_and_overwritten_only_by_force() {
    let folder = folder("pictures");
    let svg = folder.join("rod.svg");
    let svg = svg.to_str().unwrap();
    assert_eq!(
        carom(&["impact", "--example", "rod", "-q", "--plot", svg]).code,
        0
    );
    let first = std::fs::read_to_string(svg).unwrap();
    assert!(first.contains("line of sticking"));
    let refused = carom(&["impact", "--example", "rod", "-q", "--plot", svg]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(
        carom(&[
            "impact",
            "--example",
            "disk",
            "-q",
            "--plot",
            svg,
            "--force"
        ])
        .code,
        0
    );
    assert_ne!(first, std::fs::read_to_string(svg).unwrap());
    let png = folder.join("rod.PNG");
    assert_eq!(
        carom(&[
            "impact",
            "--example",
            "rod",
            "-q",
            "--plot",
            png.to_str().unwrap()
        ])
        .code,
        0
    );
    assert_eq!(&std::fs::read(png).unwrap()[1..4], b"PNG");
    assert_eq!(
        carom(&["impact", "--example", "rod", "--plot", "rod.pdf"]).code,
        2
    );
}

#[test]
fn a_run_repeated_gives_the_same_bytes() {
    for arguments in [
        &["impact", "--example", "rod", "--json"][..],
        &["impact", "--example", "double-pendulum"],
        &["papers", "000", "--json"],
        &["schema", "problem"],
    ] {
        assert_eq!(carom(arguments).out, carom(arguments).out);
    }
}

#[test]
fn a_missing_file_does_not_stop_the_others() {
    let folder = folder("several");
    let good = folder.join("ball.toml");
    std::fs::write(&good, carom(&["examples", "show", "ball"]).out).unwrap();
    let ran = carom(&[
        "impact",
        "no-such-file.toml",
        good.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(ran.code, 1);
    let answers = ran.json_lines();
    assert!(
        answers[0]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("cannot be read")
    );
    assert!(answers[1]["results"].is_array());
    assert_eq!(carom(&["impact", "no-such-file.toml"]).code, 2);
    assert_eq!(carom(&["impact"]).code, 2);
}

#[test]
fn a_jam_is_an_answer_with_nulls_and_a_reason() {
    let answer = carom(&["impact", "--example", "jam", "--json"]);
    assert_eq!(answer.code, 0);
    let newton = &answer.json()["results"][0];
    assert_eq!(newton["outcome"], "jammed");
    assert_eq!(newton["velocity"], Value::Null);
    assert_eq!(newton["contacts"][0]["impulse"]["normal"], Value::Null);
    assert_eq!(newton["notes"][0]["code"], "jammed");
    let poisson = &answer.json()["results"][1];
    assert_eq!(poisson["outcome"], "solved");
    assert_eq!(poisson["contacts"][0]["velocity_after"]["normal"], 0.0);
}

#[test]
fn constraint_impulses_come_back_with_their_names() {
    let answer = carom(&[
        "impact",
        "--example",
        "percussion",
        "--law",
        "poisson",
        "--json",
    ])
    .json();
    let pivot = &answer["constraints"][0];
    assert_eq!(pivot["name"], "pivot");
    assert_eq!(pivot["unique"], serde_json::json!([true, true]));
    // Struck at the centre of percussion the pivot feels nothing along the blow.
    assert!(pivot["impulse"][0].as_f64().unwrap().abs() < 1e-15);
}

/// The energy of a constraint that moves was left out: `energy_change` had the wrong sign and its
/// residual, 2.84, passed as solved.
#[test]
fn the_work_of_a_moving_constraint_is_part_of_the_energy_change() {
    let problem = r#"{"mass":[[1,0],[0,1]],"velocity":[-1,0.5],"contacts":[{"normal":[1,0.3],"tangent":[0,1],"friction":0.3,"restitution":0.5}],"constraints":[{"rows":[[1,1]]}],"law":"poisson"}"#;
    let answer = carom_with(&["impact", "-"], problem.as_bytes()).json();
    let velocity: Vec<f64> = answer["velocity"]
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect();
    let kinetic = 0.5 * (velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    let change = answer["energy_change"].as_f64().unwrap();
    assert!((change - (kinetic - 0.625)).abs() < 1e-14, "{change}");
    assert!(answer["residuals"]["energy"].as_f64().unwrap() < 1e-14);
    assert!(answer["constraints"][0]["work"].as_f64().unwrap() > 1.0);
    assert_eq!(answer["notes"][0]["code"], "moving_constraint");
}

/// A slip that is zero up to the round-off of `J q̇` decided the type of contact, and a scale
/// factor of ten changed it.
#[test]
fn a_velocity_that_is_round_off_of_its_terms_is_zero() {
    let problem = |a: &str, b: &str| {
        format!(
            r#"{{"mass":[[1,0],[0,1]],"velocity":[{a},{b}],"contacts":[{{"normal":[-1,-0.5],"tangent":[3,-1],"friction":0.1,"restitution":0.5}}],"law":"poisson"}}"#
        )
    };
    for (a, b) in [("0.1", "0.3"), ("1", "3")] {
        let answer = carom_with(&["impact", "-"], problem(a, b).as_bytes()).json();
        let contact = &answer["contacts"][0];
        assert_eq!(contact["started_at_rest"], true, "{a}");
        assert_eq!(contact["type"], "permanent_sliding", "{a}");
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_passed_over() {
    let marked = format!("\u{feff}{ROD}\r\n{ROD}\r\n");
    let ran = carom_with(&["impact", "-"], marked.as_bytes());
    assert_eq!((ran.code, ran.json_lines().len()), (0, 2), "{}", ran.err);
}

#[test]
fn a_fault_at_the_end_of_a_line_is_a_fault_of_that_line() {
    let input = format!("{ROD}\n{{\"mass\": [[1]]\n{ROD}\n");
    let answers = carom_with(&["impact", "-"], input.as_bytes()).json_lines();
    assert_eq!(answers[1]["error"]["line"], 2);
    assert_eq!(answers[2]["law"], "energetic");
}

#[test]
fn a_quiet_stream_still_complains_and_an_empty_one_is_no_problem() {
    let folder = folder("quiet");
    let file = folder.join("bad.jsonl");
    std::fs::write(&file, "{}\n").unwrap();
    let ran = carom(&["impact", file.to_str().unwrap(), "-q"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("missing"), "{}", ran.err);
    std::fs::write(&file, "\n").unwrap();
    let ran = carom(&["impact", file.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the stream is empty"), "{}", ran.err);
}

#[test]
fn one_line_of_json_on_standard_input_can_be_drawn() {
    let folder = folder("one-line");
    let svg = folder.join("one.svg");
    let ran = carom_with(
        &["impact", "-", "-q", "--plot", svg.to_str().unwrap()],
        ROD.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(svg.exists());
}

/// 200 000 keys in one table took more than a minute: each was compared with all before it.
#[test]
fn a_table_of_very_many_keys_is_refused_at_once() {
    let keys: Vec<String> = (0..200_000).map(|i| format!("\"k{i}\":1")).collect();
    let ran = carom_with(
        &["impact", "-"],
        format!("{{{}}}\n", keys.join(",")).as_bytes(),
    );
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("unknown key"), "{}", ran.out);
}

/// A block on two points of a floor and one of a wall, rough.
const CORNER: &str = r#"{"mass": [[1,0,0],[0,1,0],[0,0,0.2]], "velocity": [-1, -1, 0.1], "contacts": [
    {"name": "left", "normal": [0,1,-0.5], "tangent": [1,0,0.3], "friction": 0.6, "restitution": 0.3},
    {"name": "right", "normal": [0,1,0.5], "tangent": [1,0,0.3], "friction": 0.6, "restitution": 0.3},
    {"name": "wall", "normal": [1,0,0.1], "tangent": [0,-1,0.5], "friction": 0.5, "restitution": 0.3}]"#;

#[test]
fn rough_contacts_together_are_solved_and_said_what_is_determined() {
    let problem = format!("{CORNER}}}");
    let answer = carom_with(&["impact", "-", "--json"], problem.as_bytes()).json();
    let results = answer["results"].as_array().unwrap();
    let laws: Vec<&str> = results.iter().map(|r| r["law"].as_str().unwrap()).collect();
    assert_eq!(laws, ["newton", "poisson", "moreau"]);
    for result in results {
        let outcomes = result["outcomes"].as_array();
        assert_eq!(result["outcome"] == "undetermined", outcomes.is_some());
        assert!(result["contacts"][0]["impulse"]["tangent"].is_number());
    }
    let text = format!(
        "{}\n",
        problem
            .replace('\n', " ")
            .replace(", \"contacts\"", ",\n\"contacts\"")
    );
    let ran = carom_with(&["impact", "-"], text.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in [
        "p_t left (N s)",
        "work friction wall (J)",
        "left out: energetic",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
}

#[test]
fn a_sequence_in_every_order_is_a_set_of_outcomes_and_in_one_order_one() {
    let all = format!("{CORNER},\n\"method\": \"sequential\", \"law\": \"poisson\"}}");
    let ran = carom_with(&["impact", "-"], all.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in ["undetermined", "outcome 1:", "contacts taken in the order"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let answer = carom_with(&["impact", "-", "--json"], all.as_bytes()).json();
    let outcomes = answer["outcomes"].as_array().unwrap();
    assert!(outcomes.len() > 1);
    assert_eq!(answer["velocity"], outcomes[0]["velocity"]);
    assert!(
        outcomes
            .iter()
            .all(|o| o["outcome"] == "solved" && o.get("outcomes").is_none())
    );
    let one = all.replace(
        "\"law\"",
        "\"order\": [\"wall\", \"left\", \"right\"], \"law\"",
    );
    let answer = carom_with(&["impact", "-", "--json"], one.as_bytes()).json();
    assert_eq!(answer["outcome"], "solved");
    assert!(answer.get("outcomes").is_none());
    let bad = one.replace("\"wall\", \"left\"", "\"wall\", \"wall\"");
    let error = &carom_with(&["impact", "-", "--json"], bad.as_bytes()).json()["error"];
    assert_eq!(error["path"], "order");
}

#[test]
fn contacts_with_friction_in_space_that_close_together_are_solved() {
    let two = ROD.replace(
        "\"contacts\": [",
        "\"contacts\": [{\"normal\": [0,1,0], \"tangents\": [[1,0,0],[0,0,1]], \"friction\": 0.1, \"restitution\": 0}, ",
    );
    let two = two.replace(
        ", \"law\": \"energetic\", \"method\": \"complementarity\"",
        "",
    );
    let ran = carom_with(&["impact", "-", "--json"], two.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer = ran.json();
    for result in answer["results"].as_array().unwrap() {
        assert_eq!(result["contacts"].as_array().unwrap().len(), 2);
        for contact in result["contacts"].as_array().unwrap() {
            let velocity = &contact["velocity_after"]["normal"];
            assert!(velocity.as_f64().unwrap() > -1e-12, "{result}");
        }
        assert!(result["residuals"]["momentum"].as_f64().unwrap() < 1e-12);
    }
    let laws: Vec<&str> = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["law"].as_str().unwrap())
        .collect();
    assert!(
        laws.contains(&"newton") && laws.contains(&"poisson"),
        "{laws:?}"
    );
}

#[test]
fn a_bounce_of_the_super_ball_is_solved_again_and_the_laws_without_it_are_left_out() {
    let folder = folder("superball");
    let out = folder.join("run");
    let out = out.to_str().unwrap();
    assert_eq!(
        carom(&["run", "-q", "--example", "superball", "-o", out]).code,
        0
    );
    let run = format!("{out}/run.json");
    let all = carom(&["impact", &run, "--event", "2", "--law", "all", "--json"]).json();
    let result = &all["results"][0];
    assert_eq!(all["results"].as_array().unwrap().len(), 1);
    assert_eq!(all["left_out"].as_array().unwrap().len(), 4);
    assert_eq!(result["contacts"][0]["type"], "reverse_compression");
    assert_eq!(result["contacts"][0]["path"], Value::Array(Vec::new()));
    assert_eq!(result["notes"][0]["code"], "tangential_rebound");
    let vx = result["velocity"][0].as_f64().unwrap();
    assert!((vx + 2.5 * 31.0 / 49.0).abs() < 1e-12, "{vx}");
    let table = carom(&["impact", &run, "--event", "2"]).out;
    for said in [
        "restitution 1, tangential restitution 1, friction 0.8",
        "reverse_compression (friction holds, tangential restitution reverses the slip)",
    ] {
        assert!(table.contains(said), "{said}: {table}");
    }
    let refused = carom(&["impact", &run, "--event", "2", "--law", "moreau"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--law moreau"), "{}", refused.err);
    let page = folder.join("page.html");
    let page = page.to_str().unwrap();
    let drawn = carom(&[
        "impact", &run, "--event", "2", "--law", "all", "--html", page,
    ]);
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains("tangential restitution 1"));
    let set = "contacts.0.tangential_restitution=1.5";
    let error = carom(&["check", "--example", "disk", "--set", set]);
    assert_eq!(error.code, 1);
    assert!(
        error.err.contains("expected a number from 0 to 1"),
        "{}",
        error.err
    );
}

#[test]
fn three_balls_are_answered_together_and_the_laws_left_out_are_named() {
    let ran = carom(&["impact", "--example", "three-balls"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in [
        "contact second-third: normal velocity 0 m/s",
        "p_n first-second (N s)",
        "v_n second-third after (m/s)",
        "-0.3333333",
        "left out: energetic",
        "left out: whittaker",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let answer = carom(&["impact", "--example", "three-balls", "--json"]).json();
    let laws = |key: &str| -> Vec<String> {
        let entries = answer[key].as_array().unwrap().iter();
        let laws = entries.map(|entry| entry["law"].as_str().unwrap().to_owned());
        laws.collect()
    };
    assert_eq!(laws("results"), ["newton", "poisson", "moreau"]);
    assert_eq!(laws("left_out"), ["energetic", "whittaker"]);
    let determinacy = &answer["results"][1]["determinacy"];
    assert_eq!(determinacy["rank"], 2);
    let velocity = &answer["results"][1]["velocity"];
    for (i, wanted) in [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0].into_iter().enumerate() {
        assert!((velocity[i].as_f64().unwrap() - wanted).abs() < 1e-14);
    }
    let ran = carom(&[
        "impact",
        "--example",
        "three-balls",
        "--law",
        "energetic",
        "--json",
    ]);
    assert_eq!((ran.code, &ran.json()["error"]["path"]), (2, &"law".into()));
    let ran = carom(&["check", "--example", "three-balls"]);
    assert!(ran.out.contains("2 contacts"), "{}", ran.out);
}

#[test]
fn the_answer_is_written_as_a_page_that_is_not_overwritten_by_accident() {
    let path = folder("impact-page").join("rod.html");
    let name = path.to_str().unwrap();
    let page = || std::fs::read_to_string(&path).unwrap();
    let ran = carom(&["impact", "--example", "rod", "--html", name]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("page written in"));
    let first = page();
    assert!(first.contains("<h1>Rod striking the ground at 45 degrees</h1>"));
    assert!(first.contains("data:image/svg+xml,"));
    let again = carom(&["impact", "--example", "rod", "--html", name]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("--force"));
    let forced = carom(&["impact", "--example", "rod", "--html", name, "--force"]);
    assert_eq!((forced.code, page()), (0, first));
}

#[test]
fn a_page_needs_a_name_of_its_own_and_one_problem() {
    let wrong = carom(&["impact", "--example", "rod", "--html", "rod.pdf"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("ends in .html"));
    let path = folder("impact-pages").join("two.html");
    let name = path.to_str().unwrap();
    let two = [
        "impact",
        "--example",
        "rod",
        "--example",
        "ball",
        "--html",
        name,
    ];
    let many = carom(&two);
    assert_eq!(many.code, 2);
    assert!(!path.exists());
    // Several contacts have no impulse plane; the page tells the rest.
    let three = carom(&["impact", "--example", "three-balls", "--html", name]);
    assert_eq!(three.code, 0, "{}", three.err);
    assert!(!std::fs::read_to_string(&path).unwrap().contains("<figure>"));
}

#[test]
fn the_reference_impacts_in_space_are_answered_from_their_delassus_matrices() {
    let cases = carom_support::cases::cases("spatial-impact-reference");
    let lines = cases.iter().map(|case| {
        let (problem, expected) = (&case["problem"], &case["expected"]);
        let contact = &problem["contacts"][0];
        let stated = serde_json::json!({
            "delassus": expected["W"],
            "contact_velocity": expected["v_before"],
            "contacts": [{"friction": contact["friction"], "restitution": contact["restitution"]}],
            "law": problem["law"],
        });
        format!("{stated}\n")
    });
    let lines: String = lines.collect();
    let checked = carom_with(&["check", "-"], lines.as_bytes());
    assert_eq!(checked.code, 0);
    let said = "impact problem in contact space (n, t1, t2) with 1 contact";
    assert!(checked.out.contains(said), "{}", checked.out);
    let ran = carom_with(&["impact", "-", "--json"], lines.as_bytes());
    assert_eq!(ran.code, 0);
    for (case, line) in cases.iter().zip(ran.out.lines()) {
        let result: Value = serde_json::from_str(line).unwrap();
        assert!(result.get("velocity").is_none(), "{result}");
        let contact = &result["contacts"][0];
        for (key, wanted) in [("impulse", "P"), ("velocity_after", "v")] {
            let wanted = carom_support::cases::numbers(&case["expected"][wanted]);
            let mut found = vec![contact[key]["normal"].as_f64().unwrap()];
            found.extend(carom_support::cases::numbers(&contact[key]["tangent"]));
            carom_support::near::assert_all_near(key, &found, &wanted, 1e-11);
        }
    }
}
