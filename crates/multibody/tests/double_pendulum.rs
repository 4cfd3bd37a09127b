//! The double pendulum of paper 001 against its textbook matrices and 34-digit reference values.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{ContactComponents, Feature, Outline, Shape};
use carom_multibody::plane::Plane;
use carom_multibody::plane::PlaneJoint::Revolute;
use carom_multibody::{Body, Joint, Model, PlaneModelBuilder, State};
use fastrand::Rng;
use serde_json::Value;

const M1: f64 = 3.2;
const M2: f64 = 3.8;
const L1: f64 = 0.5;
const LC: f64 = 0.3627;
const I1: f64 = 0.0676;
const I2: f64 = 0.164;
const G: f64 = 9.81;

fn pendulum() -> (Model<Plane>, Feature) {
    let tip = Shape::new(Outline::Disk { radius: 0.05 }).at([0.0, -0.65]);
    let up = [0.0, 1.0].into();
    let obstacle = Shape::new(Outline::HalfSpace { normal: up }).at([0.0, -0.9]);
    let upper = Body {
        center: [0.0, -0.5 * L1].into(),
        ..Body::new(M1, I1)
    };
    let lower = Body {
        center: [0.0, -LC].into(),
        shapes: vec![("tip".to_owned(), tip)],
        ..Body::new(M2, I2)
    };
    let elbow = Joint {
        parent_at: [0.0, -L1].into(),
        ..Joint::new(Revolute, "upper", "lower")
    };
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -G]);
    builder.body("upper", upper).body("lower", lower);
    builder.joint("O", Joint::new(Revolute, "world", "upper"));
    builder.joint("A", elbow).world_shape("obstacle", obstacle);
    let model = builder.build().unwrap();
    let features = model.features(("lower", "tip"), ("world", "obstacle"));
    let feature = features.unwrap().remove(0);
    (model, feature)
}

/// From absolute angles to joint coordinates.
fn relative([first, second]: [f64; 2]) -> [f64; 2] {
    [first, second - first]
}

#[test]
fn mass_and_bias_are_those_of_the_textbook() {
    let (model, _) = pendulum();
    let (mut work, mut rng) = (model.workspace(), Rng::with_seed(3));
    for _ in 0..1000 {
        let [p1, p2, w1, w2] = [0; 4].map(|_| 8.0 * rng.f64() - 4.0);
        let coupling = M2 * L1 * LC * (p1 - p2).cos();
        let (a, b) = (I1 + M1 * L1 * L1 / 4.0 + M2 * L1 * L1, I2 + M2 * LC * LC);
        let whirl = M2 * L1 * LC * (p1 - p2).sin();
        let h1 = whirl * w2 * w2 + (0.5 * M1 + M2) * L1 * G * p1.sin();
        let h2 = -whirl * w1 * w1 + M2 * G * LC * p2.sin();
        let (mut mass, mut bias) = ([0.0; 4], [0.0; 2]);
        let (q, v) = (&relative([p1, p2]), &relative([w1, w2]));
        let mut placed = model.place(&mut work, State::new(0.0, q, v));
        placed.mass(&mut mass);
        placed.bias(&mut bias);
        let textbook = [a + 2.0 * coupling + b, coupling + b, coupling + b, b];
        for (x, y) in mass.iter().zip(textbook) {
            assert!((x - y).abs() < 1e-14 * 4.0, "{mass:?}");
        }
        for (x, y) in bias.iter().zip([h1 + h2, h2]) {
            assert!(
                (x - y).abs() < 1e-14 * 64.0,
                "{bias:?}: terms of up to 60 N·m"
            );
        }
    }
}

fn reference() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../cases/pendulum-reference/expected.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

fn pair(value: &Value, key: &str) -> [f64; 2] {
    [0, 1].map(|i| value[key][i].as_f64().unwrap())
}

/// P, R at O and V, H at A, x to the left, as forces on the child with x to the right.
fn on_children(printed: &Value) -> [[f64; 2]; 2] {
    [
        [number(printed, "R"), number(printed, "P")],
        [number(printed, "H"), -number(printed, "V")],
    ]
}

#[test]
fn reactions_at_the_start_are_those_of_the_reference() {
    let (model, _) = pendulum();
    let mut work = model.workspace();
    for case in reference()["cases"].as_array().unwrap() {
        let psi = pair(&case["initial"], "psi_deg").map(f64::to_radians);
        let (q, v) = (&relative(psi), &relative(pair(&case["initial"], "w")));
        let mut placed = model.place(&mut work, State::new(0.0, q, v));
        let energy = placed.energy().total();
        assert!((energy - number(case, "E0")).abs() < 1e-12, "{energy}");
        let mut acceleration = [0.0; 2];
        placed.accelerations(&[0.0; 2], &mut acceleration).unwrap();
        let balance = placed.balance(&acceleration, &[]);
        let printed = on_children(&case["reactions_t0"]);
        for (name, printed) in ["O", "A"].iter().zip(printed) {
            let reaction = balance.reaction(model.joint(name).unwrap());
            for (x, y) in reaction.force.0.iter().zip(printed) {
                assert!((x - y).abs() < 1e-12, "{name}: {reaction:?} {printed:?}");
            }
            assert!(reaction.moment.abs() < 1e-13, "{reaction:?}");
        }
    }
}

#[test]
fn gaps_velocities_and_joint_impulses_at_impacts_are_those_of_the_reference() {
    let (model, tip) = pendulum();
    let (mut work, mut met) = (model.workspace(), 0);
    let cases = reference();
    let cases = cases["cases"].as_array().unwrap();
    for impact in cases.iter().flat_map(|c| c["impacts"].as_array().unwrap()) {
        let (before, after) = (pair(impact, "w_minus"), pair(impact, "w_plus"));
        let (q, v) = (&relative(pair(impact, "psi")), &relative(before));
        let mut placed = model.place(&mut work, State::new(0.0, q, v));
        let touch = placed.touch(&tip);
        assert!(touch.gap.abs() < 1e-13, "{touch:?}");
        assert!((touch.v_n - number(impact, "vn_minus")).abs() < 1e-12);
        assert!((touch.v_t + number(impact, "vt_minus")).abs() < 1e-12);
        // The reference counts T to the left.
        let p = ContactComponents {
            n: number(impact, "F"),
            t: -number(impact, "T"),
        };
        let jump = relative([after[0] - before[0], after[1] - before[1]]);
        let balance = placed.impulse_balance(&jump, &touch.forces(p));
        let printed = on_children(&impact["joint_impulse"]);
        for (name, printed) in ["O", "A"].iter().zip(printed) {
            let reaction = balance.reaction(model.joint(name).unwrap());
            for (x, y) in reaction.force.0.iter().zip(printed) {
                assert!((x - y).abs() < 1e-12, "{name}: {reaction:?} {printed:?}");
            }
            assert!(reaction.moment.abs() < 1e-12, "{reaction:?}");
        }
        let mut missing = [0.0; 2];
        balance.missing_impulse(&mut missing);
        assert!(missing.iter().all(|x| x.abs() < 1e-12), "{missing:?}");
        met += 1;
    }
    assert_eq!(met, 14);
}

#[test]
fn the_inverse_inertia_at_the_tip_is_that_of_the_paper() {
    let (model, tip) = pendulum();
    let mut work = model.workspace();
    let cases = reference();
    for impact in cases["cases"][0]["impacts"].as_array().unwrap() {
        let (q, v) = (&relative(pair(impact, "psi")), &[0.0; 2]);
        let mut placed = model.place(&mut work, State::new(0.0, q, v));
        let (mut m, mut n, mut t) = ([0.0; 4], [0.0; 2], [0.0; 2]);
        placed.mass(&mut m);
        let touch = placed.touch(&tip);
        placed.contact_rows(&touch, &mut n, &mut t);
        let determinant = m[0] * m[3] - m[1] * m[2];
        let w = |x: [f64; 2], y: [f64; 2]| {
            (m[3] * x[0] * y[0] - m[1] * (x[0] * y[1] + x[1] * y[0]) + m[0] * x[1] * y[1])
                / determinant
        };
        // γ, α, ε are W_nn, W_tt and W_nt, t to the left.
        assert!((w(n, n) - number(impact, "gamma")).abs() < 1e-13);
        assert!((w(t, t) - number(impact, "alpha")).abs() < 1e-13);
        assert!((w(n, t) + number(impact, "epsilon")).abs() < 1e-13);
    }
}
