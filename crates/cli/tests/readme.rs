//! The README runs: every `$ carom …` line gives the output printed below it, and the pictures are
//! the ones the commands draw. `cargo xtask pictures` draws those of the gallery anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
#[allow(dead_code)]
#[path = "../../carom/examples/determines/main.rs"]
mod determines;
#[allow(dead_code)]
#[path = "../../carom/examples/no_answer/main.rs"]
mod no_answer;
#[allow(dead_code)]
#[path = "../../carom/examples/walkers/main.rs"]
mod walkers;

use std::path::Path;
use std::process::Command;

use common::{carom, folder};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Commands and expected outputs of the `console` blocks.
fn sessions(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => found.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = found.last_mut().unwrap();
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    found
}

#[test]
fn every_console_line_of_the_readme_gives_its_output() {
    let pages = ["README.md", "docs/life-in-contact.md"];
    let pages = pages.map(|page| std::fs::read_to_string(root().join(page)).unwrap());
    let sessions = sessions(&pages.concat());
    assert!(sessions.len() >= 7, "{}", sessions.len());
    let bin = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let folder = folder("readme");
    for (command, expected) in sessions {
        let output = Command::new("sh")
            .args(["-c", &command])
            .env("PATH", &path)
            .current_dir(&folder)
            .output()
            .unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(out, expected, "$ {command}\n{err}");
    }
}

#[test]
fn the_pictures_of_the_documents_are_the_ones_the_command_draws() {
    let folder = folder("readme-pictures");
    for name in ["rod", "double-pendulum"] {
        let drawn = folder.join(format!("{name}.svg"));
        let drawn = drawn.to_str().unwrap();
        assert_eq!(
            carom(&["impact", "--example", name, "-q", "--plot", drawn]).code,
            0
        );
        let kept = root().join(format!("docs/images/{name}.svg"));
        let kept = std::fs::read_to_string(kept).unwrap();
        let drawn = std::fs::read_to_string(drawn).unwrap();
        assert!(kept == drawn, "docs/images/{name}.svg is out of date");
    }
}

/// Whether pictures are written instead of compared.
fn draws_anew() -> bool {
    std::env::var_os("CAROM_DRAW_PICTURES").is_some()
}

/// Compares a picture with the one kept in `docs/images`.
fn compare(name: &str, drawn: &str) {
    let kept = root().join(format!("docs/images/{name}.svg"));
    if draws_anew() {
        std::fs::write(&kept, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(
        kept == drawn,
        "docs/images/{name}.svg is out of date: cargo xtask pictures"
    );
    assert!(drawn.len() < 150_000, "{name}: {} bytes", drawn.len());
}

/// What a run came to, in the words of the gallery.
fn outcome(run: &serde_json::Value) -> String {
    let number = |value: &serde_json::Value| carom::significant(value.as_f64().unwrap(), 6);
    let count = run["events"].as_array().unwrap().len();
    let (end, ledger) = (run["end"].as_str().unwrap(), &run["ledger"]);
    let energy = |key: &str| {
        let (value, size) = (
            ledger[key].as_f64().unwrap(),
            ledger["largest"].as_f64().unwrap(),
        );
        let is_zero = value.abs() < 1e-12 * size; // round-off
        carom::significant(if is_zero { 0.0 } else { value }, 6)
    };
    format!(
        "{count} {}; end `{end}` at {} s; energy {} J at the start, {} J at the end.",
        if count == 1 { "event" } else { "events" },
        number(&run["time"]),
        energy("start"),
        energy("end")
    )
}

#[test]
fn every_scenario_of_the_gallery_comes_to_its_outcome_and_draws_its_picture() {
    let gallery = std::fs::read_to_string(root().join("docs/examples.md")).unwrap();
    let folder = folder("gallery");
    let mut shown = Vec::new();
    for section in gallery.split("\n## ").skip(1) {
        let Some(command) = section.lines().find_map(|l| l.strip_prefix("carom run ")) else {
            continue;
        };
        let name = section.lines().next().unwrap();
        let drawn = folder.join(name);
        let mut words: Vec<&str> = vec!["run", "-q"];
        words.extend(command.split_whitespace());
        *words.last_mut().unwrap() = drawn.to_str().unwrap();
        assert!(carom(&words).code < 2, "{command}");
        let run = carom(&["run", "--example", name, "--json"]).json();
        let outcome = outcome(&run);
        assert!(section.contains(&outcome), "{name}: {outcome}");
        // The words for a picture start with the name of the figure.
        assert!(section.contains(&format!("](images/{name}.svg)")), "{name}");
        let words = section.split("![").nth(1).unwrap();
        let figure = format!("{}.svg", words.split(':').next().unwrap());
        let svg = std::fs::read_to_string(drawn.join(figure)).unwrap();
        compare(name, &svg);
        shown.push(name.to_owned());
    }
    let list = carom(&["examples"]).out;
    for heading in ["Scenarios:", "Scenarios in contact:"] {
        let scenarios = list.split(heading).nth(1).unwrap().lines().skip(1);
        let scenarios = scenarios.map_while(|line| line.strip_prefix("  "));
        for line in scenarios {
            let name = line.split_whitespace().next().unwrap();
            let is_shown = shown.iter().any(|n| n == name);
            assert!(is_shown, "docs/examples.md has no {name}");
        }
    }
}

#[test]
fn every_collision_of_the_gallery_draws_its_picture() {
    let gallery = std::fs::read_to_string(root().join("docs/examples.md")).unwrap();
    let folder = folder("gallery-collisions");
    let mut shown = 0;
    for section in gallery.split("\n## ").skip(1) {
        let has = |line: &str| line.starts_with("carom impact --example ");
        if !section.lines().any(has) {
            continue;
        }
        let name = section.lines().next().unwrap();
        let drawn = folder.join(format!("{name}.svg"));
        let plot = drawn.to_str().unwrap();
        let drew = carom(&["impact", "--example", name, "-q", "--plot", plot]);
        assert_eq!(drew.code, 0, "{name}: {}", drew.err);
        assert!(section.contains(&format!("](images/{name}.svg)")), "{name}");
        compare(name, &std::fs::read_to_string(drawn).unwrap());
        shown += 1;
    }
    let list = carom(&["examples"]).out;
    let listed = list.split("Collisions of scenarios:").nth(1).unwrap();
    let listed = listed.lines().skip(1).map_while(|l| l.strip_prefix("  "));
    assert_eq!(shown, listed.count());
}

#[test]
fn the_walkers_of_the_gallery_walk_and_draw_their_pictures() {
    let gallery = std::fs::read_to_string(root().join("docs/examples.md")).unwrap();
    for drawing in walkers::walk().unwrap() {
        let mut printed = drawing.gait.lines();
        let time = printed.nth(1).unwrap().trim();
        let rounded = &time[..time.len() - "0000 s".len()];
        assert!(gallery.contains(rounded), "{}: {time}", drawing.name);
        compare(drawing.name, &drawing.svg);
    }
}

#[test]
fn questions_with_no_or_several_answers_come_to_what_the_gallery_page_says() {
    let page = root().join("docs/when-mechanics-has-no-answer.md");
    let page = std::fs::read_to_string(page).unwrap();
    let words: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for drawing in no_answer::draw().unwrap() {
        let said = drawing.words.replace('-', "−");
        assert!(words.contains(&said), "{}: {said}", drawing.name);
        if let Some(svg) = drawing.svg {
            assert!(page.contains(&format!("](images/{}.svg)", drawing.name)));
            compare(drawing.name, &svg);
        }
    }
}

#[test]
fn collisions_at_several_points_come_to_what_their_page_says() {
    let page = root().join("docs/what-a-collision-determines.md");
    let page = std::fs::read_to_string(page).unwrap();
    let words: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let drawings = determines::draw().unwrap();
    assert_eq!(drawings.len(), 11);
    for drawing in drawings {
        let said = drawing.words.replace('-', "−");
        assert!(words.contains(&said), "{}: {said}", drawing.name);
        if let Some(svg) = drawing.svg {
            assert!(page.contains(&format!("](images/{}.svg)", drawing.name)));
            compare(drawing.name, &svg);
        }
    }
}
