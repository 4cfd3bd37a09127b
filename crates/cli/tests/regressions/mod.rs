//! Bugs that were, each with its story.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{carom, carom_with, folder};

/// A map over the slip of a rod crossed rest, where the levels that refine its boundaries end: the
/// command panicked on the shorter list.
#[test]
fn a_map_over_the_slip_of_a_rod_passes_rest() {
    let map = "slip=-1:1:7,angle=10deg:80deg:8";
    let ran = carom(&[
        "forward",
        "--example",
        "rod-inconsistent",
        "--map",
        map,
        "--json",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let regions = ran.json()["boundaries"].as_array().unwrap().len();
    assert!(regions > 0);
}

/// At the vertex force itself there is one answer. The band of forces that count as the vertex grew
/// with the load, beyond the width taken for a line, and the boundary fell apart into two.
#[test]
fn the_boundary_between_none_and_two_answers_of_a_screw_is_one_line_at_the_vertex() {
    let map = "force=-5:5:40,friction=0.12:0.5:12";
    let ran = carom(&[
        "forward",
        "--example",
        "screw-paradox",
        "--map",
        map,
        "--json",
    ]);
    let json = ran.json();
    let boundaries = json["boundaries"].as_array().unwrap();
    assert_eq!(boundaries.len(), 1);
    assert_eq!(boundaries[0]["between"], serde_json::json!(["0", "2"]));
    let vertex = -0.0004 * 9.81 / 0.002;
    for segment in boundaries[0]["segments"].as_array().unwrap() {
        for end in 0..2 {
            let force = segment[end][0].as_f64().unwrap();
            assert!((force - vertex).abs() < 1e-13, "{force}");
        }
    }
}

/// One number varied twice was drawn as a map.
#[test]
fn a_map_needs_two_different_numbers() {
    let map = "angle=0:1:5,rod.angle=0:1:5";
    let ran = carom(&["forward", "--example", "rod-slides", "--map", map]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("the map varies rod.angle twice"),
        "{}",
        ran.err
    );
}

/// The verdict of a rod sliding to the right was explained by the slope of a slip to the left.
#[test]
fn the_verdict_of_a_rod_names_the_slip_there_is() {
    for (slip, said) in [
        ("1", "\nunique for every force: pressing pushes"),
        (
            "-1",
            "\nnot unique for every force: slipping left, pressing pulls",
        ),
        (
            "0",
            "\nnot unique for every force: slipping left, pressing pulls",
        ),
    ] {
        let set = format!("rod.slip={slip}");
        let ran = carom(&["forward", "--example", "rod-inconsistent", "--set", &set]);
        assert!(ran.out.contains(said), "{slip}: {}", ran.out);
    }
}

/// `--plot` with a stream drew the first problem before it refused the second.
#[test]
fn a_stream_is_not_drawn_in_part() {
    let good = r#"{"inertia": [[1]], "force": [2]}"#;
    let file = folder("stream-not-drawn").join("a.svg");
    let path = file.to_str().unwrap();
    let input = format!("{good}\n{good}\n");
    let ran = carom_with(&["forward", "-", "--plot", path], input.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(!file.exists());
}

/// Friction without loads was answered by a length, "load_matrix has 0 elements, expected 1", and
/// numbers far from 1 by hundreds of zeros.
#[test]
fn what_is_missing_beside_friction_is_named_and_large_numbers_are_short() {
    for (text, said) in [
        (
            "inertia = [[1]]\nforce = [1]\nfriction = [0.1]\nvelocity = [1]\nload_offset = [1]",
            "the key \"load_matrix\" is missing, expected it with \"friction\"",
        ),
        (
            "inertia = [[1]]\nforce = [1]\nfriction = [0.1]\nload_matrix = [[1]]\nload_offset = [1]",
            "the key \"velocity\" is missing",
        ),
        (
            "inertia = [[1]]\nforce = [1]\nload_matrix = [[1]]",
            "expected the key \"friction\" beside them",
        ),
        ("inertia = [[1]]\nforce = [1e200]", "force[0] is 1e200,"),
        ("inertia = 1e200\nforce = [1]", "found the number 1e200,"),
    ] {
        let ran = carom_with(&["forward", "-"], text.as_bytes());
        assert_eq!(ran.code, 2, "{text}");
        assert!(ran.err.contains(said), "{text}: {}", ran.err);
    }
}

/// An example of the help set a kinetic coefficient above the static one of the file: it was refused.
#[test]
fn the_examples_of_the_help_can_be_run() {
    let help = carom(&["forward", "--help"]).out;
    let folder = folder("help-examples");
    let mut count = 0;
    for line in help
        .lines()
        .filter(|l| l.contains("carom forward --example"))
    {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let inside = |word: &str| folder.join(word).to_string_lossy().into_owned();
        let words: Vec<String> = words
            .iter()
            .map(|word| match word.ends_with(".svg") {
                true => inside(word),
                false => (*word).to_owned(),
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = carom(&words);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}");
        count += 1;
    }
    assert!(count > 3, "{count}");
}
