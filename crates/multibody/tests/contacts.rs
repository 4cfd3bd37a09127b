//! Gaps against sampled outlines, rates against numerical differentiation.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Feature, Outline, Shape, Touch};
use carom_multibody::mechanism::{Gap, MassSolver, Rows};
use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{
    Body, Contacts as _, Dynamics, Joint, Model, ModelBuilder, Motion, Placed, PlaneMechanism,
    Pose, Vector,
};
use carom_support::multibody::{Drawn, Start};
use carom_support::near::derivative;
use carom_support::random::{count, either_sign, seeds};
use fastrand::Rng;

fn random_polygon(rng: &mut Rng) -> Outline {
    // Corners on an ellipse are convex.
    let (n, size) = (rng.usize(3..8), [0.2 + rng.f64(), 0.2 + rng.f64()]);
    let turn = std::f64::consts::TAU / n as f64;
    let corner = |i: usize, shift: f64| {
        let (sin, cos) = (turn * (i as f64 + shift)).sin_cos();
        Vector([size[0] * cos, size[1] * sin])
    };
    let shifts: Vec<f64> = (0..n).map(|_| 0.6 * rng.f64()).collect();
    Outline::Polygon {
        vertices: shifts
            .iter()
            .enumerate()
            .map(|(i, s)| corner(i, *s))
            .collect(),
    }
}

const KINDS: usize = 6;

fn random_outline(rng: &mut Rng, kind: usize) -> Outline {
    let mut size = || 0.1 + 0.7 * rng.f64();
    match kind {
        0 => Outline::Point,
        1 => Outline::Disk { radius: size() },
        2 => Outline::Capsule {
            length: size(),
            radius: 0.4 * size(),
        },
        3 => Outline::Box {
            size: Vector([size(), size()]),
        },
        4 => random_polygon(rng),
        _ => Outline::HalfSpace {
            normal: Plane::vector(rng, 2.0),
        },
    }
}

pub(crate) fn random_shape(rng: &mut Rng, kind: usize) -> Shape {
    Shape {
        angle: either_sign(rng, 3.0),
        ..Shape::new(random_outline(rng, kind)).at(Plane::vector(rng, 0.3))
    }
}

/// Two bodies, each on a moving carrier, one of them prescribed, with a shape each.
fn two_bodies(rng: &mut Rng, kinds: (usize, usize)) -> (Model<Plane>, Vec<Feature>) {
    let mut builder = ModelBuilder::<Plane>::new();
    builder.gravity([0.3, -9.81]);
    let axis = Plane::vector(rng, 1.0);
    for (carrier, name, kind) in [("c", "a", kinds.0), ("d", "b", kinds.1)] {
        builder.body(carrier, Body::new(1.0, 0.2));
        let shape = random_shape(rng, kind);
        let body = Body {
            center: Plane::vector(rng, 0.2),
            shapes: vec![("s".to_owned(), shape)],
            ..Body::new(1.0, 0.1)
        };
        builder.body(name, body);
        let hinge = Joint {
            parent_at: Plane::vector(rng, 0.4),
            child_at: Plane::vector(rng, 0.4),
            ..Joint::new(PlaneJoint::Revolute, carrier, name)
        };
        builder.joint(&format!("h{name}"), hinge);
    }
    let motion = Some(Motion {
        offset: 0.3,
        rate: 0.4,
        amplitude: 0.3,
        frequency: 1.7,
        phase: 0.2,
    });
    let slide = PlaneJoint::Prismatic { axis };
    builder.joint(
        "jd",
        Joint {
            motion,
            ..Joint::new(slide, "world", "d")
        },
    );
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("b", "s")).unwrap();
    (model, features)
}

/// Pairs of kinds that are offered.
pub(crate) fn pairs() -> Vec<(usize, usize)> {
    let all = (0..KINDS).flat_map(|a| (0..KINDS).map(move |b| (a, b)));
    all.filter(|pair| !matches!(pair, (0, 0) | (5, 5)))
        .collect()
}

/// Point of an outline at a place from 0 to 1, in the shape's frame.
fn rim(outline: &Outline, place: f64) -> Vector<2> {
    let circle = |radius: f64, turn: f64| {
        let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
        Vector([radius * cos, radius * sin])
    };
    let walk = |corners: &[Vector<2>]| {
        let way = place.rem_euclid(1.0) * corners.len() as f64;
        let i = (way as usize).min(corners.len() - 1);
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        a + (b - a) * (way - i as f64)
    };
    match outline {
        Outline::Point => Vector::default(),
        Outline::Disk { radius } => circle(*radius, place),
        Outline::Capsule { length, radius } => {
            // Quarters: cap, side, cap, side.
            let (x, quarter) = (0.5 * length, (place.rem_euclid(1.0) * 4.0).min(3.999_999));
            let part = quarter.fract();
            match quarter as usize {
                0 => circle(*radius, 0.5 * part - 0.25) + Vector([x, 0.0]),
                1 => Vector([x - length * part, *radius]),
                2 => circle(*radius, 0.5 * part + 0.25) - Vector([x, 0.0]),
                _ => Vector([length * part - x, -radius]),
            }
        }
        Outline::Box { size } => {
            let Vector([x, y]) = *size * 0.5;
            walk(&[[x, y], [-x, y], [-x, -y], [x, -y]].map(Vector))
        }
        Outline::Polygon { vertices } => walk(vertices),
        Outline::HalfSpace { normal } => normal.turned() * ((place - 0.5) * 40.0 / normal.norm()),
    }
}

/// Least distance of two rims: a grid, then ever finer grids about its best places.
fn sampled_distance(shapes: [&Shape; 2], poses: [Pose<Plane>; 2]) -> f64 {
    let point = |k: usize, place: f64| {
        let turned = carom_multibody::plane::Angle::new(shapes[k].angle);
        poses[k].point(shapes[k].at + turned.apply(rim(&shapes[k].outline, place)))
    };
    const N: usize = 120;
    let places = |k: usize, middle: f64, width: f64| -> Vec<(f64, Vector<2>)> {
        let place = |i: usize| middle + width * (i as f64 / N as f64 - 0.5);
        (0..=N).map(|i| (place(i), point(k, place(i)))).collect()
    };
    let best = |a: &[(f64, Vector<2>)], b: &[(f64, Vector<2>)]| {
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        let apart = pairs.map(|(a, b)| ((a.1 - b.1).norm(), a.0, b.0));
        apart.min_by(|x, y| x.0.total_cmp(&y.0)).unwrap()
    };
    let mut found = best(&places(0, 0.5, 1.0), &places(1, 0.5, 1.0));
    let mut width = 1.0;
    for _ in 0..16 {
        width *= 0.4;
        let finer = best(&places(0, found.1, width), &places(1, found.2, width));
        if finer.0 <= found.0 {
            found = finer;
        }
    }
    found.0
}

fn least_gap(placed: &Placed<'_, Plane>, features: &[Feature]) -> f64 {
    let gaps = features.iter().map(|feature| placed.touch(feature).gap);
    gaps.fold(f64::INFINITY, f64::min)
}

#[test]
fn the_least_gap_is_the_sampled_distance_of_the_outlines() {
    let mut rng = Rng::with_seed(21);
    let mut compared = 0;
    for pair in pairs() {
        for _ in seeds(60) {
            let (model, features) = two_bodies(&mut rng, pair);
            let start = Start::random(&mut rng, &model);
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            let shapes = [("a", "s"), ("b", "s")].map(|(b, s)| model.shape(b, s).unwrap());
            let poses = ["a", "b"].map(|name| placed.pose(model.body(name).unwrap()));
            let gap = least_gap(&placed, &features);
            let sampled = sampled_distance(shapes, poses);
            if gap < 0.0 || sampled < 0.02 {
                continue; // overlapping: the rims cross, or one is inside the other
            }
            compared += 1;
            assert!((gap - sampled).abs() < 1e-6, "{pair:?}: {gap} {sampled}");
            // Leaving out what other features own loses nothing.
            let owned = features.iter().map(|feature| placed.touch(feature));
            let owned = owned.filter(|touch| touch.is_owned).map(|touch| touch.gap);
            let owned = owned.fold(f64::INFINITY, f64::min);
            assert!((owned - gap).abs() < 1e-13, "{pair:?}: {owned} {gap}");
        }
    }
    assert!(compared >= count(800), "{compared}");
}

/// The two instants see the same smooth piece of the gap.
fn same_piece(a: &Touch, b: &Touch) -> bool {
    let turn = a.normal - b.normal;
    (a.curvature == 0.0) == (b.curvature == 0.0) && turn.norm() < 0.1
}

#[test]
fn rates_and_accelerations_of_contacts_are_the_derivatives_of_gap_and_slip() {
    let mut rng = Rng::with_seed(22);
    let mut compared = 0;
    for pair in pairs() {
        for _ in 0..count(100) {
            let (model, features) = two_bodies(&mut rng, pair);
            let start = Start::random(&mut rng, &model);
            let n = model.rates();
            let acceleration: Vec<f64> = (0..n).map(|_| either_sign(&mut rng, 3.0)).collect();
            let mut work = model.workspace();
            let feature = &features[rng.usize(0..features.len())];
            let mut touch_at = |dt: f64| {
                let later = start.after(&model, dt, &acceleration);
                model.place(&mut work, later.state()).touch(feature)
            };
            const H: f64 = 4e-3;
            let now = touch_at(0.0);
            let is_smooth = [-H, H].iter().all(|dt| same_piece(&now, &touch_at(*dt)));
            if !is_smooth || now.curvature > 10.0 {
                continue;
            }
            compared += 1;
            let rates = [
                derivative(|dt| touch_at(dt).gap, H),
                derivative(|dt| touch_at(dt).v_n, H),
                derivative(|dt| touch_at(dt).v_t, H),
            ];
            let placed = model.place(&mut work, start.state());
            let (mut j_n, mut j_t) = (vec![f64::NAN; n], vec![f64::NAN; n]);
            let drift = placed.contact_rows(&now, &mut j_n, &mut j_t);
            let bias = placed.contact_bias(feature, &now);
            let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
            let found = [
                now.v_n,
                dot(&j_n, &acceleration) + bias.n,
                dot(&j_t, &acceleration) + bias.t,
            ];
            for (x, y) in found.iter().zip(rates) {
                assert!(
                    (x - y).abs() < 1e-7 * (1.0 + x.abs()),
                    "{pair:?} {found:?} {rates:?}"
                );
            }
            assert!((dot(&j_n, &start.v) + drift.n - now.v_n).abs() < 1e-12);
            assert!((dot(&j_t, &start.v) + drift.t - now.v_t).abs() < 1e-12);
            let apart = now.point_a - now.point_b - now.normal * now.gap;
            assert!(apart.norm() < 1e-14);
            let cross = now.tangent.0[0] * now.normal.0[1] - now.tangent.0[1] * now.normal.0[0];
            assert!((cross - 1.0).abs() < 1e-14, "(t, n) is right-handed");
        }
    }
    assert!(compared >= count(2000), "{compared}");
}

#[test]
fn swapping_the_shapes_reverses_the_normal_and_nothing_else() {
    let mut rng = Rng::with_seed(23);
    for pair in pairs() {
        for _ in 0..count(100) {
            let (model, features) = two_bodies(&mut rng, pair);
            let swapped = model.features(("b", "s"), ("a", "s")).unwrap();
            assert_eq!(swapped.len(), features.len());
            let start = Start::random(&mut rng, &model);
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            for feature in &features {
                let touch = placed.touch(feature);
                let other = swapped.iter().map(|feature| placed.touch(feature));
                let same = |other: &Touch| {
                    let rates = [other.v_n - touch.v_n, other.v_t - touch.v_t];
                    let apart = [
                        (other.normal + touch.normal).norm(),
                        (other.point_a - touch.point_b).norm(),
                        (other.point_b - touch.point_a).norm(),
                        (other.gap - touch.gap).abs(),
                    ];
                    apart.iter().chain(&rates).all(|x| x.abs() < 1e-12)
                };
                assert!(other.into_iter().any(|other| same(&other)), "{pair:?}");
            }
        }
    }
}

#[test]
fn the_mechanism_of_the_event_loop_answers_as_the_placed_model() {
    let mut rng = Rng::with_seed(24);
    let (model, features) = two_bodies(&mut rng, (3, 2));
    let start = Start::random(&mut rng, &model);
    let (n, count) = (model.rates(), features.len());
    let mut mechanism = PlaneMechanism::new(model.clone(), features.clone());
    assert_eq!(
        (mechanism.positions(), mechanism.rates()),
        (model.positions(), n)
    );
    assert_eq!(mechanism.contacts(), count);
    let mut work = model.workspace();
    let mut placed = model.place(&mut work, start.state());
    let (mut mass, mut bias) = (
        [vec![0.0; n * n], vec![0.0; n * n]],
        [vec![0.0; n], vec![0.0; n]],
    );
    placed.mass(&mut mass[0]);
    mechanism.mass(start.state(), &mut mass[1]);
    placed.bias(&mut bias[0]);
    mechanism.bias(start.state(), &mut bias[1]);
    assert_eq!((&mass[0], &bias[0]), (&mass[1], &bias[1]));
    let mut gaps = vec![Gap::default(); count];
    mechanism.gaps(start.state(), &mut gaps);
    for (i, feature) in features.iter().enumerate() {
        let touch = placed.touch(feature);
        let (gap, v_n) = (touch.gap, touch.v_n);
        assert_eq!(gaps[i], Gap { gap, v_n });
        let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
        let rows = Rows {
            normal: &mut normal,
            tangent: &mut tangent,
        };
        let drift = mechanism.contact_rows(start.state(), i, rows);
        let dot: f64 = normal.iter().zip(&start.v).map(|(a, b)| a * b).sum();
        assert!((dot + drift.velocity.n - touch.v_n).abs() < 1e-13);
        assert_eq!(drift.acceleration, placed.contact_bias(feature, &touch));
    }
}

/// A mechanism seen only through its mass matrix and bias, as a user's own system is.
struct Bare(PlaneMechanism);

impl Dynamics for Bare {
    fn rates(&self) -> usize {
        self.0.rates()
    }
    fn mass(&mut self, state: carom_multibody::State<'_>, out: &mut [f64]) {
        self.0.mass(state, out);
    }
    fn bias(&mut self, state: carom_multibody::State<'_>, out: &mut [f64]) {
        self.0.bias(state, out);
    }
}

#[test]
fn mass_and_bias_alone_give_the_accelerations_of_the_tree() {
    let mut rng = Rng::with_seed(77);
    for _ in 0..count(2000) {
        let (model, features) = two_bodies(&mut rng, (3, 2));
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let mut tree = PlaneMechanism::new(model, features);
        let mut bare = Bare(tree.clone());
        let (mut a, mut b, mut c) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut solver = MassSolver::default();
        tree.accelerations(start.state(), &mut solver, &mut a)
            .unwrap();
        bare.accelerations(start.state(), &mut solver, &mut b)
            .unwrap();
        let powers = tree.motion(start.state(), &mut solver, &mut c).unwrap();
        assert_eq!(a, c);
        assert_eq!(powers, tree.powers(start.state(), &a));
        let size = a.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (x, y) in a.iter().zip(&b) {
            assert!((x - y).abs() < 1e-9 * size, "{a:?} {b:?}");
        }
    }
}

#[test]
fn the_stops_of_a_joint_are_contacts_after_the_pairs_of_shapes() {
    let mut builder = carom_multibody::PlaneModelBuilder::new();
    builder.body("arm", Body::new(1.0, 0.1));
    let hinge = Joint {
        limits: Some(carom_multibody::Limits {
            lower: -0.5,
            upper: 1.5,
            restitution: 0.25,
        }),
        ..Joint::new(PlaneJoint::Revolute, "world", "arm")
    };
    builder.joint("hinge", hinge);
    let mut mechanism = PlaneMechanism::new(builder.build().unwrap(), Vec::new());
    assert_eq!(mechanism.contacts(), 2);
    let names: Vec<&str> = mechanism.limits().iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["hinge.lower", "hinge.upper"]);
    let state = carom_multibody::State::new(0.0, &[0.25], &[2.0]);
    let mut gaps = [Gap::default(); 2];
    mechanism.gaps(state, &mut gaps);
    let gap = |gap, v_n| Gap { gap, v_n };
    assert_eq!(gaps, [gap(0.75, 2.0), gap(1.25, -2.0)]);
    for (contact, sense) in [(0, 1.0), (1, -1.0)] {
        let (mut normal, mut tangent) = ([0.0], [0.0]);
        let rows = Rows {
            normal: &mut normal,
            tangent: &mut tangent,
        };
        mechanism.contact_rows(state, contact, rows);
        assert_eq!((normal, tangent), ([sense], [0.0]));
        assert!(!mechanism.has_tangent(contact));
    }
}
