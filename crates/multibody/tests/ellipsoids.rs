//! An ellipsoid on a plane: a ball where its semi-axes are equal, its closed form elsewhere.
#![allow(clippy::unwrap_used)]

use carom_multibody::space::Space;
use carom_multibody::space::contact::{Solid, SolidFeature, SolidShape, SolidTouch};
use carom_multibody::{Linear as _, Model, Placed, SpaceModelBuilder, State, Vector};
use carom_support::multibody::Start;
use carom_support::near::{assert_all_near, assert_near};
use carom_support::random::count;
use fastrand::Rng;

use crate::space_contacts::two_bodies_of;

/// All that is said of a contact: gap, directions, points, rates, rows, biases.
fn said(placed: &Placed<'_, Space>, feature: &SolidFeature, rates: usize) -> Vec<f64> {
    let touch = placed.touch(feature);
    let mut rows = [0; 3].map(|_| vec![f64::NAN; rates]);
    let [j_n, j_1, j_2] = &mut rows;
    let drift = placed.contact_rows(&touch, [j_n, j_1, j_2]);
    let bias = placed.contact_bias(feature, &touch);
    let SolidTouch {
        gap,
        v_n,
        v_t: [v_1, v_2],
        ..
    } = touch;
    let mut all = vec![gap, v_n, v_1, v_2];
    let vectors = [touch.normal, touch.point_a, touch.point_b];
    all.extend(vectors.iter().flat_map(|r| r.0));
    all.extend(touch.tangents.iter().flat_map(|r| r.0));
    all.extend(rows.iter().flatten());
    all.extend([drift.n, drift.t[0], drift.t[1]]);
    all.extend([bias.n, bias.t[0], bias.t[1]]);
    all.push(placed.pivot_bias(feature, &touch));
    all
}

/// Two bodies with a half-space on one, as drawn, and a ball or something else in its place on the other.
fn drawn(seed: u64, kinds: (usize, usize), other: impl Fn(f64) -> Solid) -> (Model<Space>, Rng) {
    let mut rng = Rng::with_seed(seed);
    let (model, features) = two_bodies_of(&mut rng, kinds, |solid| match solid {
        Solid::Ball { radius } => other(radius),
        solid => solid,
    });
    assert_eq!(features.len(), 1);
    (model, rng)
}

fn feature(model: &Model<Space>) -> SolidFeature {
    model.features(("a", "s"), ("b", "s")).unwrap().remove(0)
}

#[test]
fn an_ellipsoid_of_equal_semi_axes_says_what_a_ball_says() {
    for seed in 0..count(400) as u64 {
        for kinds in [(1, 5), (5, 1)] {
            let told = [
                |radius| Solid::Ball { radius },
                |radius| Solid::Ellipsoid {
                    semi_axes: Vector([radius; 3]),
                },
            ]
            .map(|solid: fn(f64) -> Solid| {
                let (model, mut rng) = drawn(seed, kinds, solid);
                let start = Start::random(&mut rng, &model);
                let mut work = model.workspace();
                let placed = model.place(&mut work, start.state());
                (
                    said(&placed, &feature(&model), model.rates()),
                    model.extent(),
                )
            });
            assert_all_near("as a ball", &told[1].0, &told[0].0, 1e-12);
            assert_eq!(told[0].1, told[1].1);
        }
    }
}

/// The lowest point in the closed form of its square: `gap = h − √(nᵀ D n)`, `x = −D n/√(nᵀ D n)`.
#[test]
fn an_ellipsoid_touches_where_its_normal_is_that_of_the_plane() {
    for seed in 0..count(400) as u64 {
        let mut axes = Rng::with_seed(!seed);
        let semi_axes = Vector([0; 3].map(|_| 10f64.powf(-2.0 * axes.f64())));
        let (model, mut rng) = drawn(seed, (1, 5), |_| Solid::Ellipsoid { semi_axes });
        let start = Start::random(&mut rng, &model);
        let mut work = model.workspace();
        let placed = model.place(&mut work, start.state());
        let touch = placed.touch(&feature(&model));
        let shape: &SolidShape = model.shape("a", "s").unwrap();
        let pose = placed.pose(model.body("a").unwrap());
        let local = |r: Vector<3>| shape.rotation.undo(pose.rotation.undo(r));
        let out = local(touch.point_a - pose.point(shape.at));
        let n = local(touch.normal);
        let square = |k: usize| semi_axes.0[k].powi(2);
        let on: f64 = (0..3).map(|k| out.0[k].powi(2) / square(k)).sum();
        assert_near("on the surface", on, 1.0, 1e-12);
        let support = (0..3)
            .map(|k| square(k) * n.0[k].powi(2))
            .sum::<f64>()
            .sqrt();
        let wanted = Vector([0, 1, 2].map(|k| -square(k) * n.0[k] / support));
        assert!((out - wanted).norm() < 1e-12);
        let height = touch.normal.dot(pose.point(shape.at) - touch.point_b);
        assert_near("gap", touch.gap, height - support, 1e-12);
    }
}

/// Turning about an axis of its own over a level plane, an ellipsoid comes down on the side that is less curved:
/// `g̈ = ω² (c − a²/c)`, with c the semi-axis that is up and a²/c the radius of curvature there.
#[test]
fn the_second_derivative_of_the_gap_at_a_pole_is_that_of_its_radius_of_curvature() {
    let (a, b, c, rate) = (0.3, 0.5, 0.2, 1.7);
    let semi_axes = Vector([a, b, c]);
    let normal = Vector([0.0, 0.0, 1.0]);
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0; 3]);
    builder.body(
        "a",
        carom_multibody::Body {
            shapes: vec![(
                "s".to_owned(),
                SolidShape::new(Solid::Ellipsoid { semi_axes }),
            )],
            ..carom_multibody::Body::new(1.0, [0.1; 3].into())
        },
    );
    builder.world_shape("floor", SolidShape::new(Solid::HalfSpace { normal }));
    let model = builder.build().unwrap();
    let feature = model
        .features(("a", "s"), ("world", "floor"))
        .unwrap()
        .remove(0);
    let mut work = model.workspace();
    let mut q = model.reference();
    q[2] = c;
    for (omega, across) in [([0.0, rate, 0.0], a), ([rate, 0.0, 0.0], b)] {
        let v = [0.0, 0.0, 0.0, omega[0], omega[1], omega[2]];
        let placed = model.place(&mut work, State::new(0.0, &q, &v));
        let touch = placed.touch(&feature);
        assert_near("touches", touch.gap, 0.0, 1e-15);
        let bias = placed.contact_bias(&feature, &touch);
        let wanted = rate * rate * (c - across * across / c);
        assert_near("gap", bias.n, wanted, 1e-14);
    }
}
