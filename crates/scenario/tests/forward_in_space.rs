//! Forward problems with contacts in space: files, and mechanisms at their start.
#![allow(clippy::unwrap_used)]

use carom_contact::forward::answers;
use carom_contact::forward::space::{ForwardNoteCode, SpatialForwardResult};
use carom_contact::impact::Law;
use carom_contact::resolution::solve_and_resolve_in_space;
use carom_scenario::examples::example;
use carom_scenario::{InputError, Override, forward_schema, read_forward};
use carom_support::near::{assert_all_near, assert_near};

fn refused(text: &str) -> InputError {
    read_forward("t.toml", text, &[]).unwrap_err()
}

fn solved(text: &str, set: &[String]) -> SpatialForwardResult {
    let overrides: Vec<Override> = set.iter().map(|t| Override::parse(t).unwrap()).collect();
    let file = read_forward("t.toml", text, &overrides).unwrap();
    let posed = file.form.posed().unwrap().unwrap();
    let after = file.form.jump_law();
    solve_and_resolve_in_space(&posed, after.restitution, after.law).unwrap()
}

fn modes(result: &SpatialForwardResult) -> Vec<Vec<&'static str>> {
    let names = result
        .answers
        .iter()
        .map(|one| one.mode.iter().map(|mode| mode.name()).collect());
    names.collect()
}

const MATRICES: &str = r#"
inertia = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]
force = [0.5, -1.0, -20.0]
contacts = [
    { normal = [0, 0, 1], tangents = [[1, 0, 0], [0, 1, 0]], drift = [-10.0, 0.25, -0.5], slip = [0, 0], friction = 0.3 },
]
"#;

#[test]
fn a_particle_on_a_floor_is_held_starts_and_slides_in_space() {
    let held = solved(MATRICES, &[]);
    assert_eq!((held.count, modes(&held)), (Some(1), vec![vec!["stick"]]));
    let along = held.answers[0].friction_force[0].numbers().to_vec();
    assert_all_near("held by", &along, &[-0.5, 1.0], 1e-14);
    assert_eq!(held.answers[0].acceleration.as_deref(), Some(&[0.0; 3][..]));
    // Pulled by 0.5 and −1 N under 20 N, it starts where μ < √1.25/20.
    let starts = solved(MATRICES, &["contacts[0].friction=0.05".to_owned()]);
    assert_eq!(modes(&starts), [["onset"]]);
    let pull = 1.25f64.sqrt();
    let found = starts.answers[0].acceleration.clone().unwrap();
    let most = (pull - 1.0) / (2.0 * pull);
    assert_all_near("starts", &found, &[0.5 * most, -most, 0.0], 1e-14);
    let slides = solved(MATRICES, &["contacts[0].slip=[3, 4]".to_owned()]);
    assert_eq!(modes(&slides), [["slide"]]);
    let found = slides.answers[0].acceleration.clone().unwrap();
    assert_all_near("slides", &found, &[0.25 - 1.8, -0.5 - 2.4, 0.0], 1e-14);
    assert_eq!(
        slides.unique_for_every_force,
        Some(true),
        "its way is known"
    );
    let lifted = solved(MATRICES, &["contacts[0].drift=[1, 0, 0]".to_owned()]);
    assert_eq!(modes(&lifted), [["lift-off"]]);
}

#[test]
fn what_is_malformed_in_space_is_refused_at_its_place() {
    let stated = example("at-rest-three-space").unwrap().text;
    for (text, old, new, path, said) in [
        (
            MATRICES,
            "tangents = [[1, 0, 0], [0, 1, 0]]",
            "tangent = [1, 0, 0]",
            "contacts[0].tangent",
            "two rows",
        ),
        (
            MATRICES,
            "[0, 1, 0]]",
            "[0, 1]]",
            "contacts[0].tangents[1]",
            "expected 3",
        ),
        (
            MATRICES,
            "[[1, 0, 0], [0, 1, 0]]",
            "[[1, 0, 0]]",
            "contacts[0].tangents",
            "2",
        ),
        (
            MATRICES,
            "drift = [-10.0, 0.25, -0.5]",
            "drift = [-10.0, 0.25]",
            "contacts[0].drift",
            "expected 3 (n, t1, t2)",
        ),
        (
            MATRICES,
            "drift = [-10.0, 0.25, -0.5]",
            "drift = [-10.0]",
            "contacts[0].drift",
            "found 1 number",
        ),
        (
            MATRICES,
            "slip = [0, 0]",
            "slip = 1",
            "contacts[0].slip",
            "expected [t1, t2]",
        ),
        (
            MATRICES,
            "slip = [0, 0]",
            "slip = [1, 0, 0]",
            "contacts[0].slip",
            "2",
        ),
        (
            MATRICES,
            "slip = [0, 0]",
            "slip = \"fast\"",
            "contacts[0].slip",
            "a number or a list",
        ),
        (
            MATRICES,
            "friction = 0.3",
            "friction = -0.3",
            "contacts[0].friction",
            ">= 0",
        ),
        (
            MATRICES,
            "friction = 0.3",
            "fraction = 0.3",
            "contacts[0].fraction",
            "friction",
        ),
        (
            MATRICES,
            "force = [0.5, -1.0, -20.0]",
            "delassus = [[1]]",
            "inertia",
            "contact space",
        ),
        (
            stated,
            "drift = [-1.0, -0.1, 3.2]",
            "drift = [-1.0, -0.1]",
            "drift",
            "expected 3",
        ),
        (
            stated,
            "[-5.0, 7.0, -5.0]",
            "[-5.0, 7.0]",
            "delassus[1]",
            "expected 3",
        ),
        (
            stated,
            "[-5.0, 7.0, -5.0]",
            "[-5.5, 7.0, -5.0]",
            "delassus[0][1]",
            "symmetric",
        ),
        (
            stated,
            "[4.0, -5.0, 3.0]",
            "[3.0, -5.0, 3.0]",
            "delassus",
            "semidefinite",
        ),
        (
            stated,
            "friction = 0.6",
            "friction = 0.6, slip = 1.0",
            "contacts[0].slip",
            "2",
        ),
        (
            stated,
            "drift =",
            "contact_velocity =",
            "contact_velocity",
            "impact problem",
        ),
        (stated, "delassus =", "mass =", "mass", "impact problem"),
        (
            stated,
            "contacts = [{ friction = 0.6 }]",
            "contacts = []",
            "contacts",
            "at least one",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let error = refused(&text.replace(old, new));
        let found = error.path.clone().unwrap_or_default();
        assert!(
            found.starts_with(path),
            "{new}: {found} for {path}: {error}"
        );
        assert!(error.message.contains(said), "{new}: {error}");
        assert!(error.line.is_some(), "{new}: {error}");
    }
    let missing = refused("drift = [1, 2, 3]\ncontacts = [{}]\n");
    assert!(
        missing.message.contains("\"delassus\" is missing"),
        "{missing}"
    );
}

#[test]
fn the_schema_tells_the_two_forms_of_a_forward_problem_apart() {
    let schema = forward_schema();
    let forms = schema["oneOf"].as_array().unwrap();
    assert_eq!(forms.len(), 2);
    assert_eq!(forms[0]["properties"]["delassus"], false);
    assert_eq!(forms[1]["properties"]["inertia"], false);
    assert!(schema["properties"]["drift"].is_object());
    let required = forms[1]["required"].as_array().unwrap();
    for key in ["delassus", "drift", "contacts"] {
        assert!(required.iter().any(|one| one == key), "{key}");
    }
}

const BALL: &str = r#"
space = "space"
[bodies.ball]
mass = 2.0
inertia = [0.032, 0.032, 0.032]                  # 2/5 m r²
shapes.skin = { ball = { radius = 0.2 } }
start = { position = [0.3, -0.4, 0.2] }
[world]
shapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] } }
[contacts.bed]
between = ["ball.skin", "world.floor"]
restitution = 0.0
friction = 0.3
"#;

#[test]
fn a_ball_put_down_on_a_slope_rolls_or_slides_as_its_closed_form_says() {
    for (slope, aside) in [(20f64, 0.4f64), (43.0, -2.0), (50.0, 1.1)] {
        let ((sin, cos), (s, c)) = (slope.to_radians().sin_cos(), aside.sin_cos());
        let gravity = [9.81 * sin * c, 9.81 * sin * s, -9.81 * cos];
        let result = solved(BALL, &[format!("gravity={gravity:?}")]);
        let rolls = 0.3 >= 2.0 / 7.0 * sin / cos;
        let (mode, down) = match rolls {
            true => ("stick", 5.0 / 7.0 * 9.81 * sin),
            false => ("onset", 9.81 * (sin - 0.3 * cos)),
        };
        assert_eq!(
            (result.count, modes(&result)),
            (Some(1), vec![vec![mode]]),
            "{slope}"
        );
        let found = result.answers[0].acceleration.clone().unwrap();
        assert_all_near("down", &found[..3], &[down * c, down * s, 0.0], 1e-12);
        assert_near(
            "N",
            result.answers[0].normal_load[0],
            2.0 * 9.81 * cos,
            1e-12,
        );
    }
}

#[test]
fn a_rod_on_a_floor_in_space_answers_as_the_rod_of_the_plane() {
    let (rod, space) = (
        example("rod-slides").unwrap().text,
        example("rod-on-floor-space").unwrap().text,
    );
    let mut counts = std::collections::BTreeSet::new();
    for (angle, rate, slip, mu) in [
        (1.1f64, 0.4, -1.0, 1.8),
        (1.1, 1.3, -1.0, 1.8),
        (1.0, -0.3, -1.0, 0.5),
        (1.0, 1.4, 0.7, 0.5),
        (2.0, 0.4, 1.0, 0.3),
        (1.1, 0.4, 0.0, 1.8),
        (1.1, 0.0, 0.0, 0.2),
    ] {
        let set = |pairs: &[(&str, f64)]| -> Vec<Override> {
            pairs
                .iter()
                .map(|(key, x)| Override::number(key, *x))
                .collect()
        };
        let plane = [
            ("rod.angle", angle),
            ("rod.rate", rate),
            ("rod.slip", slip),
            ("rod.friction", mu),
        ];
        let plane = read_forward("rod.toml", rod, &set(&plane))
            .unwrap()
            .problem()
            .unwrap();
        let (sin, cos) = angle.sin_cos();
        // The rod lies along x of its body; turning it up is turning about −y.
        let result = solved(
            space,
            &[
                format!("bodies.rod.start.position=[0, 0, {sin:?}]"),
                format!("bodies.rod.start.rotation.angle={angle:?}"),
                format!(
                    "bodies.rod.start.velocity=[{:?}, 0, {:?}]",
                    slip - rate * sin,
                    rate * cos
                ),
                format!("bodies.rod.start.angular_velocity=[0, {:?}, 0]", -rate),
                format!("contacts.foot.friction={mu}"),
            ],
        );
        let wanted = answers(&plane).unwrap().answers;
        assert_eq!(
            result.count,
            Some(wanted.len()),
            "{angle} {rate} {slip} {mu}"
        );
        for (found, wanted) in result.answers.iter().zip(&wanted) {
            assert_near("N", found.normal_load[0], wanted.normal_load[0], 1e-11);
            let all = found.acceleration.clone().unwrap();
            let in_plane = [all[0], all[2], -all[4]];
            assert_all_near("acceleration", &in_plane, &wanted.acceleration, 1e-11);
            let along = [wanted.friction_force[0], 0.0];
            assert_all_near("friction", found.friction_force[0].numbers(), &along, 1e-11);
        }
        assert_eq!(result.resolution.is_some(), wanted.is_empty());
        counts.insert(wanted.len());
    }
    assert_eq!(counts.len(), 3, "none, one, two");
}

#[test]
fn a_box_at_rest_on_four_corners_stays_and_nothing_more_is_claimed() {
    let text = r#"
space = "space"
gravity = [0.0, 0.0, -9.81]
[bodies.box]
mass = 3.0
inertia = [0.05, 0.06, 0.07]
shapes.skin = { box = { size = [0.4, 0.3, 0.2] } }
start = { position = [0.0, 0.0, 0.1] }
[world]
shapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] } }
[contacts.bed]
between = ["box.skin", "world.floor"]
restitution = 0.0
friction = 0.4
"#;
    let result = solved(text, &[]);
    assert_eq!(modes(&result), [["stick"; 4]]);
    assert_eq!(
        result.answers[0].acceleration.as_deref(),
        Some(&[0.0; 6][..])
    );
    assert_near(
        "weight",
        result.answers[0].normal_load.iter().sum(),
        3.0 * 9.81,
        1e-12,
    );
    assert!(
        (result.count, result.is_complete) == (None, false) && !result.answers[0].forces_unique
    );
    let codes: Vec<ForwardNoteCode> = result.notes.iter().map(|note| note.code).collect();
    assert_eq!(
        codes,
        [
            ForwardNoteCode::OthersNotExcluded,
            ForwardNoteCode::SharedForces
        ]
    );
}

/// A ball on the flat top of a nut that a rough thread carries: the ball loads the thread.
const NUT: &str = r#"
space = "space"
gravity = [0.0, 0.0, -9.81]
[bodies.nut]
mass = 4.0
inertia = [0.1, 0.1, 0.02]
shapes.top = { half_space = { normal = [0.0, 0.0, 1.0] }, at = [0.0, 0.0, 0.05] }
[joints.thread]
kind = "screw"
parent = "world"
child = "nut"
axis = [0.0, 0.0, 1.0]
lead = 0.02
start = { rate = -3.0 }
friction = { kinetic = 0.2, radius = 0.05 }
"#;

#[test]
fn a_ball_on_a_rough_thread_moves_it_as_its_force_alone_would() {
    let ball = r#"
[bodies.ball]
mass = 1.5
inertia = [0.006, 0.006, 0.006]
shapes.skin = { ball = { radius = 0.1 } }
start = { position = [0.2, 0.0, 0.15], velocity = [0.1, -0.3, -0.06] }
[contacts.bed]
between = ["ball.skin", "nut.top"]
restitution = 0.0
friction = 0.35
"#;
    for (rate, lifts) in [(-3.0, false), (0.0, false), (-3.0, true)] {
        let mut set = vec![format!("joints.thread.start.rate={rate}")];
        if rate == 0.0 {
            set.push("bodies.ball.start.velocity=[0.1, -0.3, 0.0]".to_owned());
        }
        if lifts {
            set.push("joints.thread.drive.amplitude=-3".to_owned());
        }
        let result = solved(&format!("{NUT}{ball}"), &set);
        assert_eq!(result.count, Some(1), "{result:?}");
        let one = &result.answers[0];
        assert_eq!(one.mode.last().unwrap().name(), "slide");
        let along = one.friction_force.last().unwrap().numbers();
        let load = *one.normal_load.last().unwrap();
        assert!(load > 1.0 && along[0].hypot(along[1]) > 0.3);
        // What acts on the nut instead: the force at the point below the ball, turned round.
        let instead = format!(
            "{NUT}[loads.ball]\nbody = \"nut\"\nat = [0.2, 0.0, 0.05]\nforce = [{:?}, {:?}, {:?}]\n",
            -along[0], -along[1], -load
        );
        let overrides: Vec<Override> = set
            .iter()
            .filter(|one| one.starts_with("joints"))
            .map(|t| Override::parse(t).unwrap())
            .collect();
        let alone = read_forward("t.toml", &instead, &overrides)
            .unwrap()
            .problem()
            .unwrap();
        let wanted = answers(&alone).unwrap().answers;
        assert_eq!(wanted.len(), 1);
        let turns = one.acceleration.as_ref().unwrap()[0];
        assert_near("thread", turns, wanted[0].acceleration[0], 1e-10);
        assert_near("load", one.normal_load[0], wanted[0].normal_load[0], 1e-10);
        assert_eq!(one.mode[0], wanted[0].mode[0]);
    }
}

#[test]
fn the_impact_that_follows_is_ended_by_the_law_of_the_contact() {
    let text = example("rod-on-floor-space").unwrap().text;
    let loss = |law: Law, restitution: f64| {
        let set = [
            format!("contacts.foot.law={law}"),
            format!("contacts.foot.restitution={restitution}"),
        ];
        let result = solved(text, &set);
        assert_eq!(result.count, Some(0));
        let jump = result.resolution.unwrap();
        assert_eq!(jump.law, law);
        jump.contact_velocity_after[0][0]
    };
    assert_eq!(loss(Law::Poisson, 0.0), 0.0);
    assert!(loss(Law::Energetic, 0.5) > 0.01);
    assert!(loss(Law::Poisson, 0.5) > loss(Law::Energetic, 0.5));
}
