//! Screws of two bodies jointed to the world, against the book and against momentum.
#![allow(clippy::unwrap_used)]

use carom_multibody::screws::{Screw, ScrewContact, ScrewFault, Screws, power};
use carom_multibody::space::SpaceJoint;
use carom_multibody::{Body, BodyId, Joint, Model, SpaceModelBuilder, State, Vector};
use carom_support::cases::{cases, numbers};
use serde_json::Value;

fn vector(value: &Value) -> Vector<3> {
    Vector(numbers(value).try_into().unwrap())
}

fn joint(body: &Value, name: &str) -> Joint<carom_multibody::space::Space> {
    let center = vector(&body["C"]);
    let axis = || vector(&body["axis"]);
    let (kind, at) = match body["joint"].as_str().unwrap() {
        "free" => (SpaceJoint::Free, Vector::default()),
        "fixed" => (SpaceJoint::Fixed, center),
        "spherical" => (SpaceJoint::Spherical, vector(&body["point"])),
        "revolute" => (
            SpaceJoint::Revolute { axis: axis() },
            vector(&body["point"]),
        ),
        other => unreachable!("{other}"),
    };
    let is_free = kind == SpaceJoint::Free;
    Joint {
        parent_at: at,
        child_at: if is_free {
            Vector::default()
        } else {
            at - center
        },
        ..Joint::new(kind, "world", name)
    }
}

/// The two bodies of a case with their state.
fn bodies(case: &Value) -> (Model<carom_multibody::space::Space>, Vec<f64>, Vec<f64>) {
    let mut builder = SpaceModelBuilder::new();
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for (k, body) in case["input"]["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let name = ["one", "two"][k];
        let moments: [f64; 3] = numbers(&body["J"]).try_into().unwrap();
        builder.body(name, Body::new(body["m"].as_f64().unwrap(), moments.into()));
        builder.joint(name, joint(body, name));
        let rates = body.get("rates").map(numbers).unwrap_or_default();
        let unturned = [1.0, 0.0, 0.0, 0.0];
        match body["joint"].as_str().unwrap() {
            "free" => {
                q.extend(numbers(&body["C"]));
                q.extend(unturned);
                v.extend_from_slice(&rates[3..]);
                v.extend_from_slice(&rates[..3]);
            }
            "spherical" => {
                q.extend(unturned);
                v.extend(rates);
            }
            _ => {
                q.extend(rates.iter().map(|_| 0.0));
                v.extend(rates);
            }
        }
    }
    (builder.build().unwrap(), q, v)
}

fn screws(case: &Value) -> Screws {
    let (model, q, v) = bodies(case);
    let mut work = model.workspace();
    let placed = model.place(&mut work, State::new(0.0, &q, &v));
    let contacts = case["input"]["contacts"].as_array().unwrap().iter();
    let is_raw = case["name"].as_str().unwrap().contains("raw");
    let contacts: Vec<ScrewContact> = contacts
        .map(|contact| {
            let normal = vector(&contact["normal"]);
            let size = if is_raw { 1.0 } else { normal.norm() };
            ScrewContact {
                point: vector(&contact["point"]),
                normal: normal * size.recip(),
            }
        })
        .collect();
    let ids = ["one", "two"].map(|name| model.body(name).unwrap());
    placed.screws(ids, &contacts).unwrap()
}

#[track_caller]
fn close(what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let scale = wanted.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (a, b) in found.iter().zip(wanted) {
        assert!(
            (a - b).abs() < 1e-10 * scale,
            "{what}: {found:?} {wanted:?}"
        );
    }
}

#[test]
fn matrices_velocities_and_joint_impulses_are_those_of_the_book() {
    let mut jointed = 0;
    for case in cases("simultaneous-reference") {
        let (found, book) = (screws(&case), &case["expected"]);
        let name = case["id"].as_str().unwrap();
        let [one, two] = &found.bodies;
        close(name, &one.g.concat(), &numbers(&book["G1"]));
        close(name, &two.g.concat(), &numbers(&book["G2"]));
        close(name, &found.w.concat(), &numbers(&book["W"]));
        close(name, &found.delta, &numbers(&book["delta"]));
        let linear = &book["linear"];
        if linear["P"].is_null() {
            continue;
        }
        let impulses = numbers(&linear["P"]);
        let [v1, v2] = found.velocities(&impulses);
        close(name, &v1, &numbers(&linear["v1"]));
        close(name, &v2, &numbers(&linear["v2"]));
        let [w1, w2] = found.joint_wrenches(&impulses);
        close(name, &w1, &numbers(&linear["joint_wrench1"]));
        close(name, &w2, &numbers(&linear["joint_wrench2"]));
        jointed += usize::from(!one.s.is_empty() && w1.iter().any(|x| x.abs() > 1e-3));
    }
    assert!(jointed >= 3, "{jointed}");
}

fn momentum(inertia: &[Screw; 6], motion: &Screw) -> Vec<f64> {
    let row = |row: &Screw| row.iter().zip(motion).map(|(a, b)| a * b).sum();
    inertia.iter().map(row).collect()
}

#[test]
fn wrenches_of_a_joint_have_no_power_in_what_it_permits_and_momentum_is_kept() {
    for case in cases("simultaneous-reference") {
        let found = screws(&case);
        let impulses: Vec<f64> = (0..found.delta.len()).map(|k| 1.0 + k as f64).collect();
        let (after, held) = (found.velocities(&impulses), found.joint_wrenches(&impulses));
        for (k, body) in found.bodies.iter().enumerate() {
            assert_eq!(body.q.len() + body.s.len(), 6);
            for (s, q) in body
                .s
                .iter()
                .flat_map(|s| body.q.iter().map(move |q| (s, q)))
            {
                assert!(power(s, q).abs() < 1e-14);
            }
            // M (v − v⁰) = ∓U P + S ξ
            let jump: Screw = std::array::from_fn(|i| after[k][i] - body.velocity[i]);
            let (pushed, sense) = (body.pushed(&impulses), [-1.0, 1.0][k]);
            let acting: Vec<f64> = (0..6).map(|i| sense * pushed[i] + held[k][i]).collect();
            close("momentum", &momentum(&body.inertia, &jump), &acting);
        }
    }
}

#[test]
fn the_frames_of_the_paper_have_its_screws() {
    let case = cases("simultaneous-reference")
        .into_iter()
        .find(|case| case["id"] == "S16")
        .unwrap();
    let found = screws(&case);
    // Equations (21), (22) with a1 = a5 = a = 0.5: S as printed, Q about the pivot.
    let [one, two] = &found.bodies;
    let (a1, a5) = (0.5, 0.5);
    let s = |arm: f64| -> [Screw; 5] {
        [
            [1.0, 0.0, 0.0, 0.0, 0.0, arm],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -arm, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        ]
    };
    close("S1", one.s.as_flattened(), s(a1).as_flattened());
    close("S2", two.s.as_flattened(), s(-a5).as_flattened());
    close("Q1", one.q.as_flattened(), &[0.0, 0.0, 1.0, -a1, 0.0, 0.0]);
    close("Q2", two.q.as_flattened(), &[0.0, 0.0, 1.0, a5, 0.0, 0.0]);
}

#[test]
fn bodies_joined_to_others_are_refused_and_the_world_is_a_body_that_never_moves() {
    let mut builder = SpaceModelBuilder::new();
    for name in ["one", "two", "alone"] {
        builder.body(name, Body::new(1.0, [1.0; 3].into()));
    }
    let axis = [0.0, 0.0, 1.0].into();
    let pin = |parent: &str, child: &str| Joint::new(SpaceJoint::Revolute { axis }, parent, child);
    builder
        .joint("O", pin("world", "one"))
        .joint("A", pin("one", "two"));
    builder.joint("B", pin("world", "alone"));
    let model = builder.build().unwrap();
    let (q, v) = (model.reference(), vec![1.0; model.rates()]);
    let mut work = model.workspace();
    let placed = model.place(&mut work, State::new(0.0, &q, &v));
    let contact = ScrewContact {
        point: Vector([0.5, 0.0, 0.0]),
        normal: Vector([0.0, 1.0, 0.0]),
    };
    let id = |name: &str| model.body(name).unwrap();
    for body in ["one", "two"] {
        let refused = placed.screws([id(body), id("alone")], &[contact]);
        let body = body.to_owned();
        assert_eq!(refused, Err(ScrewFault::NotAlone { body }));
    }
    let same = placed.screws([id("alone"); 2], &[contact]).unwrap_err();
    assert_eq!(
        same.to_string(),
        "both bodies are alone, expected two bodies"
    );
    let found = placed
        .screws([BodyId::WORLD, id("alone")], &[contact])
        .unwrap();
    assert_eq!(found.bodies[0].g, [[0.0]]);
    assert!((found.w[0][0] - 0.25).abs() < 1e-15 && (found.delta[0] + 0.5).abs() < 1e-15);
    let [ground, _] = found.joint_wrenches(&[2.0]);
    close("ground", &ground, &[0.0, 2.0, 0.0, 0.0, 0.0, 1.0]);
}
