//! Forward problems: what the page says is what is read, what is malformed is refused at its place,
//! and a mechanism gives the matrices written by hand.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use carom_contact::forward::{ForwardProblem, answers};
use carom_scenario::examples::{FORWARDS, example};
use carom_scenario::{
    ForwardFile, ForwardForm, Override, forward_schema, read_forward, read_forward_in,
    read_scenario,
};
use carom_support::scenario::assert_explained;

const PAGE: &str = include_str!("../../../docs/forward-format.md");

fn named(name: &str) -> &'static str {
    example(name).unwrap().text
}

fn read(name: &str, set: &[&str]) -> ForwardFile {
    let overrides: Vec<Override> = set.iter().map(|t| Override::parse(t).unwrap()).collect();
    read_forward("t.toml", named(name), &overrides).unwrap()
}

#[test]
fn the_page_explains_every_key_of_the_schema() {
    assert_explained(PAGE, &forward_schema(), 25);
}

#[test]
fn every_block_of_the_page_is_read() {
    let blocks: Vec<&str> = PAGE
        .split("```toml\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 3);
    for block in blocks {
        let found = read_forward("page.toml", block, &[]);
        assert!(found.is_ok(), "{}", found.unwrap_err().render());
    }
}

#[test]
fn a_forward_problem_in_json_is_the_one_in_toml() {
    for example in FORWARDS {
        let table: toml::Table = example.text.parse().unwrap();
        let json = serde_json::to_string(&table).unwrap();
        let toml = read_forward(example.file, example.text, &[]).unwrap();
        let again = read_forward_in("t", 1, &json, &[]).unwrap();
        assert_eq!(toml.form, again.form, "{}", example.name);
    }
}

#[test]
fn what_is_malformed_is_refused_at_its_line_and_path() {
    let rod = named("rod-slides");
    let seizure = named("seizure");
    for (text, old, new, path, line, said) in [
        (
            rod,
            "mass = 1.0",
            "mas = 1.0",
            "rod.mas",
            6,
            "did you mean \"mass\"?",
        ),
        (
            rod,
            "mass = 1.0",
            "mass = -1.0",
            "rod.mass",
            6,
            "expected a positive number",
        ),
        (
            rod,
            "mass = 1.0",
            "mass = \"1\"",
            "rod.mass",
            6,
            "found the text \"1\", expected a number",
        ),
        (
            rod,
            "friction = 0.5",
            "friction = -1",
            "rod.friction",
            11,
            ">= 0",
        ),
        (
            rod,
            "rate = -0.3",
            "rate = \"3 deg\"",
            "rod.rate",
            9,
            "deg/s",
        ),
        (
            rod,
            "angle = 1.0",
            "angle = \"3 deg/s\"",
            "rod.angle",
            8,
            "an angle",
        ),
        (
            rod,
            "[rod]",
            "force = [1]\n[rod]",
            "force",
            5,
            "inside the screw or rod",
        ),
        (
            rod,
            "[rod]",
            "inertia = [[1]]\n[rod]",
            "inertia",
            5,
            "one of screw, rod, inertia",
        ),
        (
            rod,
            "gravity = 1.0",
            "law = \"moreau\"",
            "rod.law",
            12,
            "newton, poisson, energetic",
        ),
        (
            rod,
            "gravity = 1.0",
            "restitution = 2",
            "rod.restitution",
            12,
            "from 0 to 1",
        ),
        (
            seizure,
            "force = [-0.8]",
            "force = [-0.8, 1]",
            "bias",
            5,
            "expected 2",
        ),
        (
            seizure,
            "friction = [0.9]",
            "friction = [0.9, 1]",
            "friction",
            8,
            "expected 1",
        ),
        (
            seizure,
            "inertia = [[1.1]]",
            "inertia = [[-1.1]]",
            "inertia[0]",
            4,
            "not positive definite",
        ),
        (
            seizure,
            "velocity = [1.7]",
            "",
            "velocity",
            1,
            "is missing, expected it with \"friction\"",
        ),
        (
            seizure,
            "force = [-0.8]",
            "mass = [[1]]",
            "mass",
            10,
            "an impact problem",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let error = read_forward("t.toml", &text.replace(old, new), &[]).unwrap_err();
        assert_eq!(error.path.as_deref(), Some(path), "{new}: {error}");
        assert_eq!(error.line, Some(line), "{new}: {error}");
        assert!(error.message.contains(said), "{new}: {error}");
    }
    let error = read_forward("t.toml", "title = \"x\"\n", &[]).unwrap_err();
    assert!(
        error.message.contains("expected the key inertia"),
        "{error}"
    );
    let error = read_forward("t.json", "[1]", &[]);
    assert!(error.is_err());
}

#[test]
fn a_parameter_is_found_inside_its_shorthand() {
    let rod = read("rod-slides", &[]);
    assert_eq!(rod.parameter("angle"), "rod.angle");
    assert_eq!(rod.parameter("rod.angle"), "rod.angle");
    let steeper = rod.with(&[Override::number("rod.angle", 1.1)]).unwrap();
    let ForwardForm::Rod(rod) = steeper.form else {
        unreachable!("a rod stays a rod")
    };
    assert_eq!(rod.angle, 1.1);
    assert_eq!(
        read("seizure", &[]).parameter("load_offset[0]"),
        "load_offset[0]"
    );
}

fn is_near(a: f64, b: f64, digits: f64) -> bool {
    (a - b).abs() <= digits * (1.0 + a.abs().max(b.abs()))
}

/// Same answers, coordinate by coordinate, to a fraction.
fn same_answers(a: &ForwardProblem, b: &ForwardProblem, digits: f64, what: &str) {
    let (a, b) = (answers(a).unwrap().answers, answers(b).unwrap().answers);
    assert_eq!(a.len(), b.len(), "{what}");
    for (x, y) in a.iter().zip(&b) {
        assert_eq!(x.mode, y.mode, "{what}");
        let lists = [
            (&x.acceleration, &y.acceleration),
            (&x.normal_load, &y.normal_load),
            (&x.friction_force, &y.friction_force),
        ];
        for (p, q) in lists.into_iter().flat_map(|(p, q)| p.iter().zip(q)) {
            assert!(is_near(*p, *q, digits), "{what}: {p} {q}");
        }
    }
}

#[test]
fn a_screw_joint_answers_as_the_screw_does() {
    let mut counts = BTreeSet::new();
    for torque in [-30.0, -2.5, -1.962, 0.0, 3.0, 40.0] {
        for rate in [-1.0, 0.0, 1.0] {
            let screw = read(
                "screw-paradox",
                &[
                    &format!("screw.force={torque}"),
                    &format!("screw.velocity={rate}"),
                ],
            );
            let joint = read(
                "screw-joint",
                &[
                    &format!("joints.thread.drive.amplitude={torque}"),
                    &format!("joints.thread.start.rate={rate}"),
                ],
            );
            let (screw, joint) = (screw.problem().unwrap(), joint.problem().unwrap());
            let pairs = [
                (screw.inertia[0][0], joint.inertia[0][0]),
                (screw.bias[0], joint.bias[0]),
                (screw.load_matrix[0][0], joint.load_matrix[0][0]),
                (screw.load_offset[0], joint.load_offset[0]),
                (screw.friction[0].mu_d, joint.friction[0].mu_d),
            ];
            for (a, b) in pairs {
                assert!((a - b).abs() <= 1e-13 * a.abs(), "{torque} {rate}: {a} {b}");
            }
            same_answers(&screw, &joint, 1e-10, "screw");
            counts.insert(answers(&screw).unwrap().count());
        }
    }
    assert!(counts.len() >= 3, "none, one, several: {counts:?}");
}

#[test]
fn a_rod_on_a_floor_answers_as_the_rod_does() {
    let text = named("rod-on-floor");
    let mut counts = BTreeSet::new();
    for (angle, rate, slip, mu) in [
        (1.1f64, 0.4, -1.0, 1.8),
        (1.1, 1.3, -1.0, 1.8),
        (1.0, -0.3, -1.0, 0.5),
        (1.0, 1.4, 0.7, 0.5),
        (2.0, 0.4, 1.0, 0.3),
        (1.1, 0.4, 0.0, 1.8),
    ] {
        let (sin, cos) = angle.sin_cos();
        let set = [
            format!("bodies.rod.start.position=[0, {sin:?}, {angle:?}]"),
            format!(
                "bodies.rod.start.rate=[{:?}, {:?}, {rate:?}]",
                slip - rate * sin,
                rate * cos
            ),
            format!("contacts.foot.friction={mu}"),
        ];
        let overrides: Vec<Override> = set.iter().map(|t| Override::parse(t).unwrap()).collect();
        let built = read_forward("rod.toml", text, &overrides).unwrap();
        let set = [
            format!("rod.angle={angle:?}"),
            format!("rod.rate={rate:?}"),
            format!("rod.slip={slip:?}"),
            format!("rod.friction={mu}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let rod = read("rod-slides", &set);
        let (built, rod) = (built.problem().unwrap(), rod.problem().unwrap());
        same_answers(&rod, &built, 1e-12, "rod");
        counts.insert(answers(&rod).unwrap().count());
    }
    assert_eq!(counts.len(), 3, "none, one, two");
}

/// The slider at x with the bob's mass centre at l (cos φ, sin φ) from it:
///
/// ```text
/// A = [[M+m, −m l sin φ], [·, J + m l²]],   b = [−m l φ̇² cos φ, m g l cos φ]
/// N = (M+m) g + m l (cos φ φ̈ − sin φ φ̇²)
/// ```
#[test]
fn a_slider_in_a_guide_gives_the_matrices_written_by_hand() {
    let problem = read("slider-in-guide", &[]).problem().unwrap();
    let (big, m, inertia, l, g): (f64, f64, f64, f64, f64) = (2.0, 1.5, 0.02, 0.4, 9.81);
    let (sin, cos) = (-30f64).to_radians().sin_cos();
    let rate: f64 = 2.0;
    let by_hand = ForwardProblem {
        inertia: vec![
            vec![big + m, -m * l * sin],
            vec![-m * l * sin, inertia + m * l * l],
        ],
        bias: vec![-m * l * rate * rate * cos, m * g * l * cos],
        load_matrix: vec![vec![0.0, m * l * cos], vec![0.0, 0.0]],
        load_offset: vec![(big + m) * g - m * l * sin * rate * rate, 0.0],
        friction: vec![problem.friction[0], 0.0.into()],
        velocity: vec![1.0, 2.0],
        force: vec![3.0, 0.0],
        contacts: Vec::new(),
    };
    let given = problem.friction[0];
    assert_eq!((given.mu_s, given.mu_d), (0.4, 0.3));
    for (a, b) in [
        (problem.inertia.concat(), by_hand.inertia.concat()),
        (problem.load_matrix.concat(), by_hand.load_matrix.concat()),
        (problem.bias.clone(), by_hand.bias.clone()),
        (problem.load_offset.clone(), by_hand.load_offset.clone()),
        (problem.force.clone(), by_hand.force.clone()),
    ] {
        for (x, y) in a.iter().zip(&b) {
            assert!(is_near(*x, *y, 1e-14), "{x} {y}");
        }
    }
    same_answers(&by_hand, &problem, 1e-13, "slider");
    let loaded = read("slider-in-guide", &["joints.guide.friction.preload=7"]);
    let offset = loaded.problem().unwrap().load_offset[0];
    assert!(is_near(offset, by_hand.load_offset[0] + 7.0, 1e-14));
}

#[test]
fn a_mechanism_without_a_linear_load_is_refused_with_the_reason() {
    let slider = named("slider-in-guide");
    let screw = named("screw-joint");
    let rod = named("rod-on-floor");
    for (text, old, new, path, said) in [
        (
            slider,
            "kind = \"revolute\"",
            "kind = \"revolute\"\nfriction = { kinetic = 0.1, radius = 0.02 }",
            "joints.pin.friction",
            "not linear in the accelerations",
        ),
        (
            slider,
            "kinetic = 0.3, static = 0.4",
            "kinetic = 0.3, radius = 0.1",
            "joints.guide.friction.radius",
            "has no radius",
        ),
        (
            slider,
            "kinetic = 0.3, static = 0.4",
            "kinetic = 0.3, static = 0.1",
            "joints.guide.friction",
            "static >= kinetic",
        ),
        (
            slider,
            "start = { rate = 1.0 }\ndrive = { amplitude = 3.0 }             # N",
            "motion = { rate = 1.0 }",
            "joints.guide.friction",
            "the motion prescribes",
        ),
        (
            screw,
            ", radius = 0.024946643897232175",
            "",
            "joints.thread.friction",
            "\"radius\" is missing",
        ),
        (
            screw,
            "kind = \"screw\"",
            "kind = \"prismatic\"",
            "joints.thread.friction",
            "not linear in the accelerations",
        ),
        (
            rod,
            "0.18143844857023095",
            "-0.2",
            "contacts.foot",
            "an impact",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let error = read_forward("t.toml", &text.replace(old, new), &[]).unwrap_err();
        assert_eq!(error.path.as_deref(), Some(path), "{new}: {error}");
        assert!(error.message.contains(said), "{new}: {error}");
        assert!(error.line.is_some(), "{error}");
    }
}

#[test]
fn a_contact_that_loads_a_rough_guide_is_refused() {
    let text = named("slider-in-guide").replace(
        "[run]",
        "[world]\nshapes.floor = { half_space = { normal = [0, 1] }, at = [0, -0.1] }\n\
         [contacts.foot]\nbetween = [\"slider.foot\", \"world.floor\"]\nrestitution = 0\n[run]",
    );
    let text = text.replace(
        "inertia = 0.01",
        "inertia = 0.01\nshapes.foot = { point = {}, at = [0, -0.1] }",
    );
    let error = read_forward("t.toml", &text, &[]).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("joints.guide.friction"));
    assert!(
        error
            .message
            .contains("depends on the force of contact foot"),
        "{error}"
    );
}

#[test]
fn a_contact_that_is_apart_takes_no_part() {
    let set = ["bodies.rod.start.position=[0, 1.5, 1.1]"];
    let problem = read("rod-on-floor", &set).problem().unwrap();
    assert!(problem.contacts.is_empty());
    assert_eq!(answers(&problem).unwrap().count(), Some(1));
}

#[test]
fn a_run_with_friction_in_a_joint_is_refused() {
    for name in ["slider-in-guide", "screw-joint"] {
        let scenario = read_scenario("t.toml", named(name), &[]).unwrap();
        let error = scenario.build().map(|_| ()).unwrap_err();
        let path = error.path.clone().unwrap();
        assert!(path.ends_with(".friction"), "{path}");
        assert!(
            error.message.contains("not offered yet in a run"),
            "{error}"
        );
        assert!(error.message.contains("carom forward"), "{error}");
    }
}
