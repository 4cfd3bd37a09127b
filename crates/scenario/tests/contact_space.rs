//! Impact problems stated in contact space: what is read, and where faults are.
#![allow(clippy::unwrap_used)]

use carom_contact::impact::{Law, Method};
use carom_scenario::{Override, problem_schema, read_problem};
use carom_support::scenario::assert_explained;

const PAGE: &str = include_str!("../../../docs/problem-format.md");

const SPACE: &str = r#"title = "a brick"
delassus = [[1.0, 0.2, 0.0], [0.2, 3.1, 0.4], [0.0, 0.4, 2.8]]
contact_velocity = [-1.0, 0.6, 0.3]
law = "energetic"

[[contacts]]
friction = { static = 0.4, kinetic = 0.3 }
restitution = 0.5
"#;

#[test]
fn the_page_explains_every_key_of_both_forms() {
    assert_explained(PAGE, &problem_schema(), 12);
}

#[test]
fn the_problem_of_the_page_is_read_and_solved() {
    let block = PAGE.split("```json\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    let file = read_problem("page.json", block, &[]).unwrap();
    let result = file.prepare().unwrap();
    assert!(result.solve(Law::Energetic, Method::default()).is_ok());
}

#[test]
fn toml_and_json_state_the_same_problem_and_overrides_reach_it() {
    let file = read_problem("brick.toml", SPACE, &[]).unwrap();
    let stated = file.contact_space.clone().unwrap();
    assert_eq!(stated.contacts[0].name, "0");
    let text = serde_json::to_string(&stated).unwrap();
    let again = read_problem("brick.json", &text, &[]).unwrap();
    assert_eq!(again.contact_space, file.contact_space);
    let other: Override = Override::parse("contacts.0.restitution=0.25").unwrap();
    let other = read_problem("brick.toml", SPACE, &[other]).unwrap();
    assert_eq!(other.problem.contacts[0].restitution, 0.25);
}

#[test]
fn a_fault_points_at_its_line_and_key() {
    for (from, to, path, line, says) in [
        ("0.2, 3.1", "0.3, 3.1", "delassus[0][1]", 2, "not symmetric"),
        (
            "3.1, 0.4",
            "-3.1, 0.4",
            "delassus[1][1]",
            2,
            "not positive semidefinite",
        ),
        (
            "[-1.0, 0.6, 0.3]",
            "[-1.0, 0.6, 0.3, 0.0]",
            "contact_velocity",
            3,
            "4 numbers for 1 contact",
        ),
        (
            "[-1.0, 0.6, 0.3]",
            "[-1.0, 0.6]",
            "delassus",
            2,
            "3 rows, expected 2",
        ),
        (
            "[0.2, 3.1, 0.4]",
            "[0.2, 3.1]",
            "delassus[1]",
            2,
            "2 elements, expected 3",
        ),
        (
            "law",
            "mass = [[1.0]]\nlaw",
            "mass",
            4,
            "of a problem in coordinates",
        ),
        ("delassus =", "delasus =", "delasus", 2, "delassus"),
        (
            "restitution = 0.5",
            "restitution = 1.5",
            "contacts[0].restitution",
            8,
            "from 0 to 1",
        ),
        (
            "friction = { static = 0.4, kinetic = 0.3 }\n",
            "",
            "contacts[0]",
            6,
            "\"friction\" is missing",
        ),
        (
            "restitution = 0.5",
            "restitution = 0.5\nnormal = [1.0]",
            "contacts[0].normal",
            9,
            "normal",
        ),
    ] {
        let text = SPACE.replacen(from, to, 1);
        assert_ne!(text, SPACE, "{from}");
        let read = read_problem("brick.toml", &text, &[]);
        let error =
            match read.and_then(|file| file.prepare().map(|_| ()).map_err(|e| file.locate(&e))) {
                Err(error) => error,
                Ok(()) => panic!("{to} is read"),
            };
        assert_eq!(error.path.as_deref(), Some(path), "{error}");
        assert_eq!(error.line, Some(line), "{error}");
        assert!(error.message.contains(says), "{error}");
    }
}
