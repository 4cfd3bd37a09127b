//! Contacts whose answers are known in closed form, and refusals of pairs.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Feature, Outline, Shape, Touch};
use carom_multibody::plane::Plane;
use carom_multibody::{Body, Model, ModelBuilder, Vector};
use carom_support::multibody::Start;

/// A body with a shape, free above the world with another.
fn above(first: Shape, second: Shape) -> (Model<Plane>, Vec<Feature>) {
    let body = Body {
        shapes: vec![("s".to_owned(), first)],
        ..Body::new(1.0, 1.0)
    };
    let mut builder = ModelBuilder::<Plane>::new();
    builder.body("a", body).world_shape("w", second);
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("world", "w")).unwrap();
    (model, features)
}

fn touches(model: &Model<Plane>, features: &[Feature], q: [f64; 3]) -> Vec<Touch> {
    let mut work = model.workspace();
    let start = Start {
        t: 0.0,
        q: q.to_vec(),
        v: vec![0.0; 3],
    };
    let placed = model.place(&mut work, start.state());
    features
        .iter()
        .map(|feature| placed.touch(feature))
        .collect()
}

fn half_space() -> Shape {
    let normal = Vector([0.0, 2.0]);
    Shape::new(Outline::HalfSpace { normal })
}

fn boxed(x: f64, y: f64) -> Shape {
    let size = Vector([x, y]);
    Shape::new(Outline::Box { size })
}

#[test]
fn a_gap_is_negative_by_the_depth_of_a_small_overlap() {
    let disk = || Shape::new(Outline::Disk { radius: 0.3 });
    let capsule = || {
        Shape::new(Outline::Capsule {
            length: 1.0,
            radius: 0.3,
        })
    };
    let flats = [half_space(), boxed(4.0, 2.0).at([0.0, -1.0]), {
        let length = 4.0;
        Shape::new(Outline::Capsule {
            length,
            radius: 0.5,
        })
        .at([0.0, -0.5])
    }];
    for flat in flats {
        for (shape, reach) in [
            (disk(), 0.3),
            (capsule(), 0.3),
            (boxed(0.4, 0.6), 0.3),
            (Shape::new(Outline::Point), 0.0),
        ] {
            for depth in [1e-12, 1e-8, 1e-3, 0.1] {
                let (model, features) = above(shape.clone(), flat.clone());
                let found = touches(&model, &features, [0.1, reach - depth, 0.0]);
                let least = found.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
                assert!((least + depth).abs() < 1e-15, "{least} {depth}");
            }
        }
    }
}

#[test]
fn a_box_landing_flat_touches_with_two_corners_in_vertex_order() {
    let (model, features) = above(boxed(2.0, 1.0), half_space());
    let found = touches(&model, &features, [0.3, 0.5, 0.0]);
    let gaps: Vec<f64> = found.iter().map(|touch| touch.gap).collect();
    assert_eq!(gaps, [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(found[0].point_a.0, [-0.7, 0.0]);
    assert_eq!(
        (found[0].normal.0, found[0].tangent.0),
        ([0.0, 1.0], [1.0, 0.0])
    );
}

#[test]
fn cap_meeting_cap_is_one_contact_and_side_meeting_side_two() {
    let capsule = || {
        Shape::new(Outline::Capsule {
            length: 1.0,
            radius: 0.25,
        })
    };
    let (model, features) = above(capsule(), capsule());
    let closed = |q| {
        let found = touches(&model, &features, q);
        found
            .iter()
            .filter(|t| t.is_owned && t.gap.abs() < 1e-12)
            .count()
    };
    assert_eq!(closed([1.5, 0.0, 0.0]), 1, "in line");
    let tilt: f64 = 0.3;
    let (x, y) = (1.0 + 0.5 * tilt.cos(), 0.5 * tilt.sin());
    assert_eq!(closed([x, y, tilt]), 1, "tilted, cap to cap");
    assert_eq!(closed([0.25, 0.5, 0.0]), 2, "side by side, shifted");
}

#[test]
fn a_disk_in_free_fall_nears_the_floor_with_the_acceleration_of_gravity() {
    let body = Body {
        shapes: vec![("s".to_owned(), Shape::new(Outline::Disk { radius: 0.3 }))],
        ..Body::new(2.0, 0.1)
    };
    let mut builder = ModelBuilder::<Plane>::new();
    builder.gravity([0.0, -9.81]).body("a", body);
    builder.world_shape("floor", half_space());
    let model = builder.build().unwrap();
    let feature = &model.features(("a", "s"), ("world", "floor")).unwrap()[0];
    let start = Start {
        t: 0.0,
        q: vec![0.0, 2.0, 0.4],
        v: vec![0.5, -1.0, 3.0],
    };
    let mut work = model.workspace();
    let mut placed = model.place(&mut work, start.state());
    let mut acceleration = [0.0; 3];
    placed.accelerations(&[0.0; 3], &mut acceleration).unwrap();
    let touch = placed.touch(feature);
    let bias = placed.contact_bias(feature, &touch);
    let (mut n, mut t) = ([0.0; 3], [0.0; 3]);
    placed.contact_rows(&touch, &mut n, &mut t);
    assert_eq!((n, t[0], t[1]), ([0.0, 1.0, 0.0], 1.0, 0.0));
    assert!((t[2] - 0.3).abs() < 1e-15);
    let fall: f64 = n.iter().zip(acceleration).map(|(j, a)| j * a).sum();
    assert!((fall + bias.n + 9.81).abs() < 1e-14);
    assert!((touch.gap - 1.7).abs() < 1e-15);
    assert!((touch.v_n + 1.0).abs() < 1e-15 && (touch.v_t - 1.4).abs() < 1e-15);
}

#[test]
fn pairs_without_a_gap_are_refused_by_name() {
    let point = || Shape::new(Outline::Point);
    let body = Body {
        shapes: vec![("p".to_owned(), point()), ("h".to_owned(), half_space())],
        ..Body::new(1.0, 1.0)
    };
    let mut builder = ModelBuilder::<Plane>::new();
    builder.body("a", body);
    builder
        .world_shape("p", point())
        .world_shape("h", half_space());
    let model = builder.build().unwrap();
    let said = |first, second| model.features(first, second).unwrap_err().to_string();
    assert_eq!(
        said(("a", "p"), ("world", "p")),
        "a.p and world.p are both a point, expected at least one shape that is not"
    );
    assert_eq!(
        said(("a", "h"), ("world", "h")),
        "a.h and world.h are both a half_space, expected at least one shape that is not"
    );
    assert_eq!(
        said(("a", "p"), ("a", "h")),
        "both shapes are on a, expected shapes of two bodies"
    );
    assert_eq!(
        said(("a", "q"), ("world", "h")),
        "shape a.q: there is no such shape, expected the name of a shape of a"
    );
    assert_eq!(model.features(("a", "h"), ("world", "p")).unwrap().len(), 1);
}
