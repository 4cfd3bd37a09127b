//! What is refused in space, and what is said.
#![allow(clippy::unwrap_used)]

use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{Body, Joint, SpaceModelBuilder, Spring, Vector};

fn refusal(change: impl FnOnce(&mut Body<Space>, &mut Joint<Space>)) -> String {
    let mut body = Body::new(1.0, [0.3, 0.4, 0.5].into());
    let axis = [0.0, 0.0, 1.0].into();
    let mut joint = Joint::new(SpaceJoint::Revolute { axis }, "world", "b");
    change(&mut body, &mut joint);
    let mut builder = SpaceModelBuilder::new();
    builder.body("b", body).joint("j", joint);
    builder.build().unwrap_err().to_string()
}

fn shape_refusal(solid: Solid) -> String {
    refusal(|body, _| body.shapes.push(("s".to_owned(), SolidShape::new(solid))))
}

#[test]
fn an_axis_without_direction_is_refused() {
    let zero = Vector::default();
    let said = refusal(|_, joint| joint.kind = SpaceJoint::Cylindrical { axis: zero });
    assert_eq!(
        said,
        "joint j: axis of length 0, expected a finite length > 0"
    );
    let x = Vector([1.0, 0.0, 0.0]);
    let lead = f64::NAN;
    let said = refusal(|_, joint| joint.kind = SpaceJoint::Screw { axis: x, lead });
    assert_eq!(said, "joint j: lead is NaN, expected a finite number");
    let (first, second) = (x, -x);
    let said = refusal(|_, joint| joint.kind = SpaceJoint::Universal { first, second });
    assert_eq!(
        said,
        "joint j: axes with a sine of 0e0 between them, expected axes that are not parallel"
    );
}

#[test]
fn what_needs_one_coordinate_is_refused_on_a_spherical_joint() {
    let said = refusal(|_, joint| {
        joint.kind = SpaceJoint::Spherical;
        joint.spring = Some(Spring {
            stiffness: 1.0,
            rest: 0.0,
        });
    });
    assert_eq!(
        said,
        "joint j: spring on a joint of 3 coordinates, expected a joint of one"
    );
}

#[test]
fn an_inertia_with_a_negative_moment_is_refused() {
    let said = refusal(|body, _| body.inertia = [0.3, -0.4, 0.5].into());
    assert_eq!(said, "body b: inertia is -0.4, expected a number >= 0");
    assert_eq!(Symmetric::from_rows([[1.0; 3], [2.0; 3], [1.0; 3]]), None);
    let said = refusal(|_, joint| joint.parent_rotation = Rotation::new([0.0; 4]));
    assert_eq!(
        said,
        "joint j: parent_rotation is NaN, expected a finite number"
    );
}

#[test]
fn solids_without_inside_or_with_idle_vertices_are_refused() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let flat: Vec<Vector<3>> = square.iter().map(|[x, y]| Vector([*x, *y, 2.0])).collect();
    let polyhedron = |vertices: &[Vector<3>]| Solid::Polyhedron {
        vertices: vertices.to_vec(),
    };
    assert_eq!(
        shape_refusal(polyhedron(&flat)),
        "shape b.s: all vertices in one plane, expected a solid"
    );
    assert_eq!(
        shape_refusal(polyhedron(&flat[..3])),
        "shape b.s: 3 vertices, expected at least 4"
    );
    let mut pyramid = flat.clone();
    pyramid.push(Vector([0.5, 0.5, 3.0]));
    for idle in [[0.5, 0.5, 2.5], [0.5, 0.5, 2.0], [0.5, 0.0, 2.0]] {
        let mut vertices = pyramid.clone();
        vertices.push(Vector(idle));
        assert_eq!(
            shape_refusal(polyhedron(&vertices)),
            "shape b.s: vertex 5 is no corner of the convex hull, expected corners only"
        );
    }
    let size = Vector([1.0, 0.0, 1.0]);
    assert_eq!(
        shape_refusal(Solid::Box { size }),
        "shape b.s: size is 0, expected a number > 0"
    );
}

#[test]
fn pairs_without_a_gap_are_refused() {
    let normal = Vector([0.0, 0.0, 1.0]);
    let half_space = || SolidShape::new(Solid::HalfSpace { normal });
    let mut builder = SpaceModelBuilder::new();
    let body = Body {
        shapes: vec![("h".to_owned(), half_space())],
        ..Body::new(1.0, [1.0; 3].into())
    };
    builder.body("b", body).world_shape("floor", half_space());
    let model = builder.build().unwrap();
    let said = |a, b| model.features(a, b).unwrap_err().to_string();
    assert_eq!(
        said(("b", "h"), ("world", "floor")),
        "b.h and world.floor are both a half_space, expected at least one shape that is not"
    );
    assert_eq!(
        said(("b", "h"), ("b", "h")),
        "both shapes are on b, expected shapes of two bodies"
    );
    assert!(said(("b", "x"), ("world", "floor")).contains("b.x"));
}

/// Two shapes, each on a body of its own.
fn refused_pair(a: Solid, b: Solid) -> String {
    let mut builder = SpaceModelBuilder::new();
    for (name, solid) in [("a", a), ("b", b)] {
        let body = Body {
            shapes: vec![("s".to_owned(), SolidShape::new(solid))],
            ..Body::new(1.0, [1.0; 3].into())
        };
        builder.body(name, body);
    }
    let model = builder.build().unwrap();
    let found = model.features(("a", "s"), ("b", "s"));
    found.unwrap_err().to_string()
}

#[test]
fn pairs_of_curved_solids_that_have_no_gap_say_which_have() {
    let (radius, length) = (0.2, 0.5);
    let disk = || Solid::Disk { radius };
    let cylinder = || Solid::Cylinder { radius, length };
    let size = Vector([0.1; 3]);
    assert_eq!(
        refused_pair(disk(), Solid::Box { size }),
        "a.s is a disk and b.s a box: no gap between these is offered; a disk is offered with \
         half_space and ball"
    );
    assert_eq!(
        refused_pair(Solid::Capsule { length, radius }, cylinder()),
        "a.s is a capsule and b.s a cylinder: no gap between these is offered; a cylinder is offered \
         with half_space, ball and point"
    );
    let said = refused_pair(Solid::Tube { radius }, disk());
    assert!(said.starts_with("a.s is a tube and b.s a disk"), "{said}");
    let ellipsoid = || Solid::Ellipsoid { semi_axes: size };
    let offered = "no gap between these is offered; an ellipsoid is offered with half_space";
    assert_eq!(
        refused_pair(ellipsoid(), ellipsoid()),
        format!("a.s is an ellipsoid and b.s an ellipsoid: {offered}")
    );
    for other in [
        Solid::Point,
        Solid::Ball { radius },
        Solid::Box { size },
        Solid::Capsule { length, radius },
        Solid::Bowl { radius },
        Solid::Tube { radius },
    ] {
        let name = other.name();
        let said = refused_pair(other.clone(), ellipsoid());
        assert_eq!(
            said,
            format!("a.s is a {name} and b.s an ellipsoid: {offered}")
        );
        let said = refused_pair(ellipsoid(), other);
        assert_eq!(
            said,
            format!("a.s is an ellipsoid and b.s a {name}: {offered}")
        );
    }
    for said in [
        refused_pair(disk(), Solid::Point),
        refused_pair(ellipsoid(), cylinder()),
        refused_pair(disk(), ellipsoid()),
        refused_pair(cylinder(), disk()),
        refused_pair(Solid::Bowl { radius }, Solid::Tube { radius }),
    ] {
        assert!(said.contains("no gap between these is offered"), "{said}");
    }
    assert_eq!(
        refused_pair(Solid::Tube { radius }, Solid::Tube { radius }),
        "a.s and b.s are both a tube, expected at least one shape that is not"
    );
    assert_eq!(
        refused_pair(Solid::Ball { radius: 0.2 }, Solid::Bowl { radius }),
        "a.s has a radius of 0.2, expected less than that of b.s, 0.2"
    );
    assert_eq!(
        refused_pair(Solid::Tube { radius }, Solid::Ball { radius: 0.3 }),
        "b.s has a radius of 0.3, expected less than that of a.s, 0.2"
    );
}

#[test]
fn curved_solids_without_a_size_are_refused() {
    for (solid, quantity) in [
        (Solid::Disk { radius: 0.0 }, "radius"),
        (Solid::Bowl { radius: -1.0 }, "radius"),
        (Solid::Tube { radius: 0.0 }, "radius"),
        (
            Solid::Cylinder {
                radius: 1.0,
                length: 0.0,
            },
            "length",
        ),
        (
            Solid::Ellipsoid {
                semi_axes: Vector([1.0, 1.0, 0.0]),
            },
            "shape b.s: semi-axis is 0",
        ),
        (
            Solid::Ellipsoid {
                semi_axes: Vector([1.0, -2.0, 1.0]),
            },
            "shape b.s: semi-axis is -2",
        ),
    ] {
        let said = shape_refusal(solid);
        assert!(
            said.contains(quantity) && said.contains("expected a number > 0"),
            "{said}"
        );
    }
    let semi_axes = Vector([1.0, f64::INFINITY, 1.0]);
    assert_eq!(
        shape_refusal(Solid::Ellipsoid { semi_axes }),
        "shape b.s: semi-axis is inf, expected a finite number"
    );
}
