//! `carom papers`, `examples`, `check`, `schema` from the outside.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{carom, carom_with, folder};

#[test]
fn paper_000_is_recomputed_and_every_disagreement_is_proved() {
    let ran = carom(&["papers", "000", "--json"]);
    assert_eq!(ran.code, 0);
    let paper = ran.json();
    assert_eq!(paper["paper"], "000");
    let items = paper["items"].as_array().unwrap();
    assert!(items.len() > 70);
    for item in items {
        for key in ["where", "claim", "verdict"] {
            assert!(item[key].is_string(), "{key}: {item}");
        }
        assert!(!item["printed"].is_null() && !item["computed"].is_null());
        assert_eq!(
            item["proof"].is_string(),
            item["verdict"] != "agrees",
            "{item}"
        );
    }
    let text = carom(&["papers"]).out;
    assert!(
        text.contains("5 misprints proved") && text.contains("0 unexplained"),
        "{text}"
    );
    assert_eq!(carom(&["papers", "999"]).code, 2);
}

#[test]
fn papers_without_a_key_lists_all() {
    let ran = carom(&["papers", "--quiet"]);
    assert_eq!(ran.code, 0);
    let heads: Vec<&str> = ran
        .out
        .lines()
        .filter(|line| line.starts_with("paper "))
        .collect();
    let keys = ["000:", "001:", "002:", "003:"];
    assert!(heads.len() == 4 && heads.iter().zip(keys).all(|(head, key)| head.contains(key)));
    assert!(ran.out.lines().count() <= 12, "{}", ran.out);
}

#[test]
fn papers_001_to_003_are_recomputed_in_the_shape_agreed_upon() {
    for key in ["001", "002", "003"] {
        let ran = carom(&["papers", key, "--json"]);
        assert_eq!((ran.code, ran.out.lines().count()), (0, 1));
        let paper = ran.json();
        let keys = |value: &serde_json::Value| {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort_unstable();
            keys
        };
        let beside = keys(&paper).into_iter().filter(|key| key != "equations");
        assert_eq!(beside.collect::<Vec<_>>(), ["items", "paper"]);
        assert_eq!(paper["paper"], key);
        for item in paper["items"].as_array().unwrap() {
            let wanted = ["claim", "computed", "printed", "proof", "verdict", "where"];
            assert_eq!(keys(item), wanted);
            assert!(item["proof"].is_string(), "{item}");
            let verdict = item["verdict"].as_str().unwrap();
            assert!(["agrees", "misprint", "holds_with_correction", "false"].contains(&verdict));
        }
    }
}

#[test]
fn paper_002_draws_its_graphs() {
    let folder = folder("paper-002").join("figures");
    let folder = folder.to_str().unwrap();
    let ran = carom(&["papers", "002", "-o", folder]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for figure in [1, 2, 3, 4, 6, 7] {
        assert!(ran.out.contains(&format!("Fig. {figure}: ")), "{}", ran.out);
        let svg = std::fs::read_to_string(format!("{folder}/paper-002-figure-{figure}.svg"));
        assert!(svg.unwrap().starts_with("<svg"));
    }
    let page = std::fs::read_to_string(format!("{folder}/report.html")).unwrap();
    assert!(page.contains("4 are misprints, proved"));
}

#[test]
fn paper_003_draws_its_frames_and_explains_everything() {
    let folder = folder("paper-003").join("figures");
    let folder = folder.to_str().unwrap();
    let ran = carom(&["papers", "003", "-o", folder]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = std::fs::read_to_string(format!("{folder}/paper-003-figure-1.svg"));
    assert!(svg.unwrap().starts_with("<svg"));
    let page = std::fs::read_to_string(format!("{folder}/report.html")).unwrap();
    assert!(page.contains("11 are misprints, proved") && page.contains("0 are unexplained"));
}

#[test]
fn paper_001_draws_its_figures_once_and_overwrites_them_only_when_forced() {
    let folder = folder("paper-001").join("figures");
    let folder = folder.to_str().unwrap();
    let ran = carom(&["papers", "001", "-o", folder]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for figure in 5..=9 {
        assert!(ran.out.contains(&format!("Fig. {figure}: ")), "{}", ran.out);
        let file = |ending: &str| format!("{folder}/paper-001-figure-{figure}.{ending}");
        assert!(ran.out.contains(&file("svg")));
        let svg = std::fs::read_to_string(file("svg")).unwrap();
        assert!(svg.starts_with("<svg"));
        assert_eq!(&std::fs::read(file("png")).unwrap()[1..4], b"PNG");
    }
    let refused = carom(&["papers", "001", "-o", folder]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    let again = carom(&["papers", "001", "-o", folder, "--force", "--quiet"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(!again.out.contains("Fig. 5"), "{}", again.out);
    let other = carom(&["papers", "000", "-o", folder, "-q", "--force"]);
    assert_eq!(other.code, 0, "{}", other.err);
}

#[test]
fn proofs_of_items_that_agree_are_printed_when_asked_for() {
    let some = carom(&["papers", "001"]).out;
    let all = carom(&["papers", "001", "--proofs"]).out;
    assert!(some.contains("Eq. (30) [holds_with_correction]"));
    assert!(!some.contains("Eq. (6) [agrees]") && all.contains("Eq. (6) [agrees]"));
}

#[test]
fn every_example_runs_shows_and_copies() {
    let list = carom(&["examples", "--json"]).json();
    let rows = list.as_array().unwrap();
    assert!(rows.len() >= 20);
    let folder = folder("examples");
    let collisions = [
        "four-legged-table",
        "three-legged-table",
        "rod-landing-flat",
        "cradle-in-contact",
        "jointed-frames",
        "slider-crank-corners",
        "four-bar-stop",
    ];
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let at_start = [
            "screw-joint",
            "rod-on-floor",
            "slider-in-guide",
            "rod-on-floor-space",
        ];
        let at_start = at_start.contains(&name);
        let (command, wanted) = match row["kind"].as_str().unwrap() {
            "problem" => ("impact", ""),
            "forward" => ("forward", "which `carom forward` reads"),
            _ if at_start => ("forward", ""),
            _ if collisions.contains(&name) => ("impact", ""),
            _ => ("run", ""),
        };
        let ran = carom(&[command, "--example", name]);
        // One ends early, with its evidence.
        let code = i32::from(name == "reverse-chatter");
        assert_eq!(ran.code, code, "{name}: {}", ran.err);
        if row["kind"] == "forward" {
            let wrong = carom(&["impact", "--example", name]);
            assert_eq!(wrong.code, 2);
            assert!(wrong.err.contains(wanted), "{name}");
        }
        let file = folder.join(format!("{name}.toml"));
        let file = file.to_str().unwrap();
        assert_eq!(carom(&["examples", "copy", name, file]).code, 0);
        assert_eq!(carom(&["examples", "copy", name, file]).code, 2);
        let copied = std::fs::read_to_string(file).unwrap();
        assert_eq!(copied, carom(&["examples", "show", name]).out);
        assert_eq!(carom(&["check", file]).code, 0);
    }
    let unknown = carom(&["examples", "show", "nothing"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("there is no example"),
        "{}",
        unknown.err
    );
}

#[test]
fn check_tells_good_files_from_bad_ones_and_from_missing_ones() {
    let good = carom(&["check", "--example", "rod"]);
    assert_eq!(good.code, 0);
    assert!(
        good.out
            .contains("ok, impact problem with 3 coordinates, 1 contact")
    );
    let bad = carom(&[
        "check",
        "--example",
        "rod",
        "--set",
        "mass=[[1,0,0],[0,0,0],[0,0,1]]",
        "--json",
    ]);
    assert_eq!(bad.code, 1);
    let report = bad.json();
    assert_eq!(report["ok"], false);
    assert!(
        report["error"]["message"]
            .as_str()
            .unwrap()
            .contains("pivot 1")
    );
    assert_eq!(carom(&["check", "no-such-file.toml"]).code, 2);
    let lines = "{\"mass\": [[1]], \"velocity\": [-1], \"contacts\": [{\"normal\": [1], \"restitution\": 0}]}\n{}\n";
    let stream = carom_with(&["check", "-"], lines.as_bytes());
    assert_eq!(stream.code, 1);
    assert!(stream.out.contains("-:1: ok"), "{}", stream.out);
    assert!(stream.err.contains("-:2:1"), "{}", stream.err);
    // An error of the physics, found after reading, is placed on its line of the stream too.
    let singular = lines.replace("{}", "{\"mass\": [[0]], \"velocity\": [-1], \"contacts\": [{\"normal\": [1], \"restitution\": 0}]}");
    let stream = carom_with(&["check", "-"], singular.as_bytes());
    assert!(stream.err.contains("-:2:11"), "{}", stream.err);
    let solved = carom_with(&["impact", "-"], singular.as_bytes());
    assert_eq!(solved.json_lines()[1]["error"]["line"], 2);
}

#[test]
fn check_says_what_a_scenario_holds_and_where_it_is_wrong() {
    let good = carom(&["check", "--example", "pendulum-rough"]);
    assert_eq!(good.code, 0, "{}", good.err);
    assert!(
        good.out
            .contains("ok, scenario with 2 bodies, 2 joints, 2 degrees of freedom, 1 contact, 6 s"),
        "{}",
        good.out
    );
    let bad = carom(&[
        "check",
        "--example",
        "pendulum-rough",
        "--set",
        "joints.A.parent=uper",
        "--json",
    ]);
    assert_eq!(bad.code, 1);
    let error = bad.json()["error"].clone();
    assert_eq!(error["path"], "joints.A.parent");
    assert!(
        error["message"].as_str().unwrap().contains("\"upper\"?"),
        "{error}"
    );
    // One line of a stream, and the next.
    let line = r#"{"bodies": {"b": {"mass": 1, "inertia": 1}}, "run": {"duration": 1}}"#;
    let stream = format!("{line}\n{}\n", line.replace("\"mass\": 1", "\"mass\": -1"));
    let ran = carom_with(&["check", "-"], stream.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("-:1: ok, scenario with 1 body"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("-:2:27"), "{}", ran.err);
}

#[test]
fn examples_are_listed_kind_by_kind() {
    let text = carom(&["examples"]).out;
    let at = |what: &str| text.find(what).unwrap();
    assert!(at("Problems:") < at("  rod "));
    assert!(at("  ball ") < at("Scenarios:"));
    assert!(at("Scenarios:") < at("  pendulum-rough "));
}

#[test]
fn the_schema_is_a_json_schema_that_describes_every_key() {
    for format in ["problem", "scenario"] {
        let schema = carom(&["schema", format]).json();
        assert!(
            schema["$schema"]
                .as_str()
                .unwrap()
                .contains("json-schema.org")
        );
        let properties = schema["properties"].as_object().unwrap();
        for (key, value) in properties {
            let is_described = value.get("description").is_some() || value.get("anyOf").is_some();
            assert!(is_described, "{key}: {value}");
        }
    }
}

#[test]
fn help_names_every_command_and_option() {
    let help = carom(&["--help"]).out;
    for command in ["impact", "papers", "examples", "check", "schema"] {
        assert!(help.contains(command), "{help}");
        let own = carom(&[command, "--help"]);
        assert_eq!(own.code, 0);
        assert!(own.out.contains("Usage"), "{}", own.out);
    }
    let version = carom(&["--version"]).out;
    assert!(version.starts_with("carom "), "{version}");
}

#[test]
fn the_page_of_the_papers_has_a_row_for_every_item_and_an_image_for_every_figure() {
    let out = common::folder("papers-page");
    let name = out.to_str().unwrap();
    let items = |key: &str| {
        let told = carom(&["papers", key, "--json"]).json();
        told["items"].as_array().unwrap().len()
    };
    let ran = carom(&["papers", "-o", name, "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    let rows = page.matches("<th scope=\"row\"").count();
    let items: usize = ["000", "001", "002", "003"].map(items).iter().sum();
    assert_eq!(rows, items);
    let files = std::fs::read_dir(&out).unwrap();
    let figures = files.filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|ending| ending == "svg")
    });
    assert_eq!(page.matches("<figure>").count(), figures.count());
}

#[test]
fn the_equations_of_paper_003_are_evaluated_symbol_by_symbol() {
    let table = carom(&["papers", "003", "--values"]).out;
    for said in [
        "Eq. (34), general frames",
        "lambda = [[",
        "epsilon = (",
        "h = does not exist",
    ] {
        assert!(table.contains(said), "{said}");
    }
    let json = carom(&["papers", "003", "--json"]).json();
    let equations = json["equations"].as_array().unwrap();
    assert_eq!(equations.len(), 46, "(19) to (41) with two systems");
    let last = equations.last().unwrap();
    assert_eq!(last["where"], "Eq. (41)");
    assert_eq!(last["symbols"][0]["value"].as_array().unwrap().len(), 5);
}

#[test]
fn a_mistyped_example_is_answered_with_those_it_may_have_been_meant_for() {
    for (typed, meant) in [
        ("penduum", "pendulum-rough"),
        ("dise", "dice"),
        ("crank", "slider-crank"),
    ] {
        let told = carom(&["run", "--example", typed]);
        assert_eq!(told.code, 2);
        let wanted = format!("there is no example \"{typed}\", did you mean ");
        assert!(
            told.err.contains(&wanted) && told.err.contains(meant),
            "{}",
            told.err
        );
    }
    let nonsense = carom(&["run", "--example", "zzzzzz"]);
    assert!(!nonsense.err.contains("did you mean"), "{}", nonsense.err);
}

#[test]
fn shells_complete_and_every_command_has_a_manual_page() {
    let commands = [
        "run", "impact", "forward", "papers", "examples", "check", "schema",
    ];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = carom(&["completions", shell]);
        assert_eq!(script.code, 0);
        assert!(
            commands.iter().all(|name| script.out.contains(name)),
            "{shell}"
        );
    }
    let page = carom(&["man"]);
    assert_eq!(page.code, 0);
    assert!(
        page.out.starts_with(".ie") || page.out.contains(".TH carom 1"),
        "{}",
        page.out
    );
    let pages = folder("man");
    assert_eq!(carom(&["man", "--to", pages.to_str().unwrap()]).code, 0);
    for name in commands {
        let text = std::fs::read_to_string(pages.join(format!("carom-{name}.1"))).unwrap();
        assert!(text.contains(&format!(".TH carom-{name} 1")), "{text}");
    }
}

#[test]
fn carom_alone_says_what_to_try_and_what_it_says_runs() {
    let alone = carom(&[]);
    let tries = alone.err.lines().chain(alone.out.lines());
    let tries: Vec<&str> = tries
        .filter_map(|line| line.trim_start().strip_prefix("Try:").or(Some(line)))
        .collect();
    let tries: Vec<&str> = tries
        .into_iter()
        .map(str::trim_start)
        .filter(|line| line.starts_with("carom "))
        .collect();
    assert_eq!(tries.len(), 3, "{tries:?}");
    for line in tries {
        let command = line.split("   ").next().unwrap();
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let words: Vec<&str> = words.split(|word| *word == "-o").next().unwrap().to_vec();
        assert_eq!(carom(&words).code, 0, "{command}");
    }
}
