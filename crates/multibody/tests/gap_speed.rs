//! The bound on a gap's rate holds wherever the mechanism is within its bounds.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Bounds, Outline, Shape};
use carom_multibody::plane::PlaneJoint::{Free, Prismatic, Revolute};
use carom_multibody::{Body, Joint, Motion, PlaneModel, PlaneModelBuilder, State};
use carom_support::random::count;

fn body(shape: Shape) -> Body<carom_multibody::plane::Plane> {
    Body {
        center: [0.1, 0.2].into(),
        shapes: vec![("shape".to_owned(), shape)],
        ..Body::new(1.0, 0.3)
    }
}

/// A swinging arm with a slide on it, a driven turntable and a free ball.
fn model() -> PlaneModel {
    let disk = |radius: f64| Shape::new(Outline::Disk { radius }).at([0.3, -0.4]);
    let size = [0.5, 0.3].into();
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -9.81]);
    builder.body("arm", body(disk(0.1)));
    builder.body("slide", body(disk(0.2)));
    builder.body(
        "table",
        body(Shape::new(Outline::Box { size }).at([0.2, 0.1])),
    );
    builder.body("ball", body(disk(0.3)));
    let normal = [0.0, 1.0].into();
    let floor = Shape::new(Outline::HalfSpace { normal }).at([0.0, -3.0]);
    builder.world_shape("floor", floor);
    let at = |x: f64, y: f64| [x, y].into();
    builder.joint(
        "shoulder",
        Joint {
            parent_at: at(0.2, 0.5),
            child_at: at(0.1, 0.3),
            ..Joint::new(Revolute, "world", "arm")
        },
    );
    let axis = [0.6, 0.8].into();
    builder.joint(
        "rail",
        Joint {
            parent_at: at(-0.1, -0.6),
            child_at: at(0.0, 0.1),
            ..Joint::new(Prismatic { axis }, "arm", "slide")
        },
    );
    let motion = Motion {
        offset: 0.4,
        rate: -0.8,
        amplitude: 0.5,
        frequency: 3.0,
        phase: 0.2,
    };
    builder.joint(
        "drive",
        Joint {
            parent_at: at(0.4, -1.0),
            child_at: at(-0.2, 0.0),
            motion: Some(motion),
            ..Joint::new(Revolute, "world", "table")
        },
    );
    builder.joint("loose", Joint::new(Free, "world", "ball"));
    builder.build().unwrap()
}

#[test]
fn no_gap_changes_faster_than_its_bound() {
    let model = model();
    let pairs = [
        (("arm", "shape"), ("world", "floor")),
        (("slide", "shape"), ("world", "floor")),
        (("slide", "shape"), ("table", "shape")),
        (("table", "shape"), ("slide", "shape")),
        (("ball", "shape"), ("slide", "shape")),
        (("ball", "shape"), ("table", "shape")),
        (("table", "shape"), ("world", "floor")),
    ];
    let features: Vec<_> = pairs
        .iter()
        .flat_map(|(a, b)| model.features(*a, *b).unwrap())
        .collect();
    let mut rng = fastrand::Rng::with_seed(51);
    let mut work = model.workspace();
    let (n, m) = (model.positions(), model.rates());
    let mut closest = 0.0f64;
    for _ in 0..count(20_000) {
        let mut box_of = |count: usize| -> (Vec<f64>, Vec<f64>) {
            let pairs = (0..count).map(|_| {
                let (middle, half) = (4.0 * rng.f64() - 2.0, rng.f64());
                (middle - half, middle + half)
            });
            pairs.unzip()
        };
        let (q, v, t) = (box_of(n), box_of(m), box_of(1));
        let mut inside = |(low, high): &(Vec<f64>, Vec<f64>)| -> Vec<f64> {
            let both = low.iter().zip(high);
            both.map(|(a, b)| a + rng.f64() * (b - a)).collect()
        };
        let bounds = Bounds {
            t: (t.0[0], t.1[0]),
            q: (&q.0, &q.1),
            v: (&v.0, &v.1),
        };
        let (q, v, t) = (inside(&q), inside(&v), inside(&t));
        let state = State::new(t[0], &q, &v);
        let placed = model.place(&mut work, state);
        for feature in &features {
            let (v_n, bound) = (
                placed.touch(feature).v_n.abs(),
                model.gap_speed(feature, &bounds),
            );
            assert!(v_n <= bound, "{feature:?}: {v_n} beyond {bound}");
            closest = closest.max(v_n / bound);
        }
    }
    assert!(closest > 0.5, "the bound is not idle: {closest}");
}
