//! The README runs: every `$ carom …` line gives the output printed below it, and the pictures are
//! the ones the command draws.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

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
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let sessions = sessions(&readme);
    assert!(sessions.len() >= 6, "{}", sessions.len());
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
