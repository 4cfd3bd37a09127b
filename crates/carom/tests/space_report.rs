//! A run in space on paper: its page, its figures, its tables.
#![allow(clippy::unwrap_used)]

use carom::figure::RunFigure;
use carom::multibody::mechanism::SpaceMechanism;
use carom::multibody::space::contact::{Solid, SolidShape};
use carom::multibody::space::{Rotation, SpaceJoint, Symmetric};
use carom::multibody::{Body, Joint, SpaceModelBuilder};
use carom::sim::record::{RunRecord, Scene, record};
use carom::sim::{Options, Rule, Setup, run};
use carom::{Law, RunFiles, contact_space::Friction, run_files, run_report};
use serde_json::Value;

const GRAVITY: f64 = 9.81;

/// A box and a ball thrown onto a floor, beside a pendulum.
fn thrown() -> RunRecord {
    let mut builder = SpaceModelBuilder::new();
    let size = [0.4, 0.24, 0.2].into();
    let shaped = |mass: f64, inertia: [f64; 3], solid: Solid| Body {
        shapes: vec![("skin".to_owned(), SolidShape::new(solid))],
        ..Body::new(mass, Symmetric::from(inertia))
    };
    let arm = Body {
        center: [0.0, 0.0, -0.5].into(),
        ..shaped(1.0, [0.01, 0.01, 0.01], Solid::Point)
    };
    let swing = SpaceJoint::Revolute {
        axis: [1.0, 0.0, 0.0].into(),
    };
    let mut hinge = Joint::new(swing, "world", "arm");
    hinge.parent_at = [-0.8, 0.0, 1.3].into();
    let floor = Solid::HalfSpace {
        normal: [0.0, 0.0, 1.0].into(),
    };
    builder
        .gravity([0.0, 0.0, -GRAVITY])
        .body("arm", arm)
        .joint("hinge", hinge)
        .body(
            "block",
            shaped(2.0, [0.02, 0.03, 0.04], Solid::Box { size }),
        )
        .body(
            "ball",
            shaped(1.0, [0.004; 3], Solid::Ball { radius: 0.12 }),
        )
        .world_shape("floor", SolidShape::new(floor));
    let model = builder.build().unwrap();
    let mut features = model
        .features(("block", "skin"), ("world", "floor"))
        .unwrap();
    let corners = features.len();
    features.extend(
        model
            .features(("ball", "skin"), ("world", "floor"))
            .unwrap(),
    );
    let rule = |name: String, mu: f64| Rule {
        name,
        law: Law::Poisson,
        friction: Friction::uniform(mu).unwrap(),
        restitution: 0.7,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    let mut rules: Vec<Rule> = (0..corners)
        .map(|k| rule(format!("corner.{k}"), 0.0))
        .collect();
    rules.push(rule("bounce".to_owned(), 0.3));
    let turn = Rotation::about([1.0, 0.6, 0.2], 0.5).quaternion();
    let mut q = vec![0.9, 0.0, 0.3, 1.0];
    q.extend(turn);
    q.extend([0.6, -0.5, 0.9, 1.0, 0.0, 0.0, 0.0]);
    let v = vec![
        0.0, 0.2, 0.1, 0.0, 1.0, 2.0, 0.0, -0.8, 0.5, 0.0, 0.0, 3.0, 1.0,
    ];
    let options = Options {
        duration: 1.2,
        samples: 240,
        ..Options::default()
    };
    let mechanism = SpaceMechanism::new(model, features);
    let mut setup = Setup {
        mechanism,
        rules,
        q,
        v,
        options,
    };
    let ran = run(&mut setup).unwrap();
    record(&mut setup, &ran).unwrap()
}

fn embedded(page: &str) -> Value {
    let start = page.split("<script id=\"data\" type=\"application/json\">");
    let text = start.last().unwrap().split("</script>").next().unwrap();
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_run_in_space_has_a_page_with_poses_and_impulses_in_three_axes() {
    let record = thrown();
    assert!(matches!(record.scene, Some(Scene::Space(_))));
    assert!(record.events.len() > 3, "{} events", record.events.len());
    let page = run_report(&record, 10).unwrap();
    if let Some(path) = std::env::var_os("CAROM_SPACE_PAGE") {
        std::fs::write(path, &page).unwrap();
    }
    let numbers = embedded(&page);
    let scene = &numbers["scene"];
    assert_eq!(scene["space"], "space");
    let rows = numbers["time"].as_array().unwrap().len();
    for body in scene["bodies"].as_array().unwrap() {
        let pose = body["pose"].as_array().unwrap();
        assert_eq!(pose.len(), 7, "{}", body["name"]);
        assert!(
            pose.iter()
                .all(|column| column.as_array().unwrap().len() == rows)
        );
    }
    for (shown, event) in numbers["events"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&record.events)
    {
        let arrows = shown["detail"]["arrows"].as_array().unwrap();
        assert_eq!(arrows.len(), event.contacts.len());
        for (arrow, contact) in arrows.iter().zip(&event.contacts) {
            // The floor is level: the normal impulse is the one along z.
            let up = arrow["impulse"][2].as_f64().unwrap();
            assert!((up - contact.impulse.normal.unwrap()).abs() < 1e-12 * up.abs());
            assert!(arrow["at"][2].as_f64().unwrap().abs() < 1e-9);
            assert_eq!(arrow["both"], false);
        }
    }
}

#[test]
fn every_figure_of_a_run_in_space_is_drawn_and_its_data_tabled() {
    let record = thrown();
    let what = RunFiles {
        figures: RunFigure::ALL.to_vec(),
        impulse_planes: true,
        png: false,
        planes: 3,
        report: false,
    };
    let files: Vec<_> = run_files(&record, what).map(Result::unwrap).collect();
    let text = |name: &str| {
        let file = files.iter().find(|file| file.name == name);
        String::from_utf8(
            file.unwrap_or_else(|| panic!("{name} is missing"))
                .bytes
                .clone(),
        )
        .unwrap()
    };
    // No contact of this run stays closed.
    let drawn = RunFigure::ALL.into_iter();
    for figure in drawn.filter(|figure| *figure != RunFigure::Contacts) {
        let svg = text(&format!("{}.svg", figure.name()));
        assert!(
            !svg.contains("NaN") && !svg.contains("inf"),
            "{}",
            figure.name()
        );
        if let Some(folder) = std::env::var_os("CAROM_SPACE_FIGURES") {
            let path = std::path::Path::new(&folder).join(format!("{}.svg", figure.name()));
            std::fs::write(path, svg).unwrap();
        }
    }
    let header = text("trajectory.csv").lines().next().unwrap().to_owned();
    for column in [
        "ball_qw",
        "ball_omega_x_rad_per_s",
        "ball_x_rate_m_per_s",
        "hinge_moment_z_Nm",
        "body_block_qz",
    ] {
        assert!(
            header.split(',').any(|name| name == column),
            "{column} is not in {header}"
        );
    }
    for row in text("trajectory.csv").lines() {
        assert_eq!(row.split(',').count(), header.split(',').count());
        assert!(row.split(',').all(|cell| !cell.is_empty()));
    }
    let events = text("events.csv");
    assert!(
        events
            .lines()
            .next()
            .unwrap()
            .contains("p_n_Ns,p_t1_Ns,p_t2_Ns")
    );
    assert!(text("impacts.csv").starts_with("index,time_s,contact,corner,p_n_Ns,p_t1_Ns,p_t2_Ns,"));
}
