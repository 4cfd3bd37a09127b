//! Malformed models are refused with a sentence that names the element.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{
    Body, Drive, Harmonic, Joint, Limits, Load, ModelBuilder, Motion, SingularMass, Spring, State,
    Vector,
};

/// What a model of bodies a and b with a joint each says when it is changed and built.
fn refusal(change: impl FnOnce(&mut ModelBuilder<Plane>) -> &mut ModelBuilder<Plane>) -> String {
    let mut builder = ModelBuilder::new();
    builder.body("a", Body::new(1.0, 0.1));
    change(&mut builder);
    builder.build().unwrap_err().to_string()
}

fn revolute(parent: &str, child: &str) -> Joint<Plane> {
    Joint::new(PlaneJoint::Revolute, parent, child)
}

#[test]
fn a_name_is_used_once() {
    let said = refusal(|b| b.body("a", Body::new(1.0, 1.0)));
    assert_eq!(said, "body a: the name is taken, expected a new one");
    let said = refusal(|b| b.body("world", Body::new(1.0, 1.0)));
    assert_eq!(said, "body world: the name is taken, expected a new one");
    let said = refusal(|b| {
        b.joint("j", revolute("world", "a"))
            .joint("j", revolute("world", "a"))
    });
    assert_eq!(said, "joint j: the name is taken, expected a new one");
    let said = refusal(|b| b.load("l", Load::new("a")).load("l", Load::new("a")));
    assert_eq!(said, "load l: the name is taken, expected a new one");
    let said = refusal(|b| {
        b.body("c", Body::new(1.0, 1.0))
            .joint("c", revolute("world", "a"))
    });
    assert_eq!(said, "joint c: the name is taken, expected a new one");
}

#[test]
fn an_unknown_body_is_named_with_who_asked() {
    let said = refusal(|b| b.joint("j", revolute("up", "a")));
    assert_eq!(
        said,
        "joint j: there is no body \"up\", expected a body's name"
    );
    let said = refusal(|b| b.load("l", Load::new("world")));
    assert_eq!(
        said,
        "load l: there is no body \"world\", expected a body's name"
    );
    let said = refusal(|b| b.load("l", Load::new("up")));
    assert_eq!(
        said,
        "load l: there is no body \"up\", expected a body's name"
    );
}

#[test]
fn joints_start_at_the_world_and_join_two_bodies() {
    let said = refusal(|b| b.joint("j", revolute("a", "world")));
    assert_eq!(
        said,
        "joint j: leads to the world, expected a body as child"
    );
    let said = refusal(|b| {
        b.joint("j", revolute("world", "a"))
            .joint("k", revolute("a", "a"))
    });
    assert_eq!(
        said,
        "joint k: joins body a with itself, expected two bodies"
    );
    let said = refusal(|b| {
        let damped = Joint {
            damping: 1.0,
            ..revolute("world", "a")
        };
        b.joint("j", revolute("world", "a")).joint("k", damped)
    });
    assert_eq!(
        said,
        "joint k: damping needs a coordinate, which a joint that closes a loop has not; expected it \
         on a joint of the tree (the first that leads to a body)"
    );
    let said = refusal(|b| {
        b.body("b", Body::new(1.0, 1.0))
            .body("c", Body::new(1.0, 1.0));
        b.joint("j", revolute("world", "a"));
        b.joint("k", revolute("c", "b"))
            .joint("l", revolute("b", "c"))
    });
    assert_eq!(
        said,
        "joint k: body b hangs on itself, expected a tree that starts at the world"
    );
    let said = refusal(|b| b.joint("j", revolute("a", "a")));
    assert_eq!(
        said,
        "joint j: body a hangs on itself, expected a tree that starts at the world"
    );
}

#[test]
fn undefined_and_negative_numbers_are_named() {
    let said = refusal(|b| b.gravity([0.0, f64::NAN]));
    assert_eq!(said, "world: gravity is NaN, expected a finite number");
    let said = refusal(|b| b.body("b", Body::new(-1.0, 0.1)));
    assert_eq!(said, "body b: mass is -1, expected a number >= 0");
    let said = refusal(|b| b.body("b", Body::new(1.0, f64::INFINITY)));
    assert_eq!(said, "body b: inertia is inf, expected a finite number");
}

#[test]
fn undefined_and_negative_numbers_of_joints_are_named() {
    let said = refusal(|b| {
        let damping = -0.5;
        b.joint(
            "j",
            Joint {
                damping,
                ..revolute("world", "a")
            },
        )
    });
    assert_eq!(said, "joint j: damping is -0.5, expected a number >= 0");
    let said = refusal(|b| {
        let spring = Some(Spring {
            stiffness: 1.0,
            rest: f64::NAN,
        });
        b.joint(
            "j",
            Joint {
                spring,
                ..revolute("world", "a")
            },
        )
    });
    assert_eq!(
        said,
        "joint j: spring.rest is NaN, expected a finite number"
    );
    let said = refusal(|b| {
        let motion = Some(Motion {
            frequency: f64::INFINITY,
            ..Motion::default()
        });
        b.joint(
            "j",
            Joint {
                motion,
                ..revolute("world", "a")
            },
        )
    });
    assert_eq!(
        said,
        "joint j: motion.frequency is inf, expected a finite number"
    );
}

#[test]
fn undefined_numbers_of_loads_and_rotations_are_named() {
    let said = refusal(|b| {
        let torque = Harmonic::steady(f64::NAN);
        b.load(
            "l",
            Load {
                torque,
                ..Load::new("a")
            },
        )
    });
    assert_eq!(said, "load l: torque is NaN, expected a finite number");
    let said = refusal(|b| {
        let parent_rotation = f64::NAN.into();
        b.joint(
            "j",
            Joint {
                parent_rotation,
                ..revolute("world", "a")
            },
        )
    });
    assert_eq!(
        said,
        "joint j: parent_rotation is NaN, expected a finite number"
    );
}

#[test]
fn a_slide_needs_a_direction_and_limits_need_room() {
    let said = refusal(|b| {
        let kind = PlaneJoint::Prismatic {
            axis: Vector([0.0, 0.0]),
        };
        b.joint("j", Joint::new(kind, "world", "a"))
    });
    assert_eq!(
        said,
        "joint j: axis of length 0, expected a finite length > 0"
    );
    let said = refusal(|b| {
        let limits = Some(Limits {
            lower: 1.0,
            upper: 1.0,
            restitution: 0.5,
        });
        b.joint(
            "j",
            Joint {
                limits,
                ..revolute("world", "a")
            },
        )
    });
    assert_eq!(said, "joint j: limits from 1 to 1, expected lower < upper");
}

#[test]
fn what_acts_along_a_coordinate_needs_exactly_one() {
    let drive = Some(Drive {
        amplitude: 1.0,
        frequency: 1.0,
        phase: 0.0,
    });
    let free = Joint {
        drive,
        ..Joint::new(PlaneJoint::Free, "world", "a")
    };
    let said = refusal(|b| b.joint("j", free));
    assert_eq!(
        said,
        "joint j: drive on a joint of 3 coordinates, expected a joint of one"
    );
}

#[test]
fn a_coordinate_that_moves_no_inertia_is_named() {
    let said = refusal(|b| b.body("b", Body::new(0.0, 0.0)));
    assert_eq!(
        said,
        "joint b: coordinate 2 moves an inertia of 0e0, expected a positive number above round-off"
    );
    // A point mass at the end of a massless link, but the link ends at its own joint.
    let said = refusal(|b| {
        b.body("link", Body::new(0.0, 0.0))
            .joint("j", revolute("world", "link"));
        b.joint("k", Joint::new(PlaneJoint::Fixed, "link", "a"));
        b.body("point", Body::new(1.0, 0.0))
            .joint("l", revolute("a", "point"))
    });
    assert!(
        said.starts_with("joint l: coordinate 0 moves an inertia of 0e0"),
        "{said}"
    );
}

#[test]
fn massless_links_are_accepted_where_what_hangs_on_them_has_inertia() {
    let mut builder = ModelBuilder::<Plane>::new();
    builder
        .body("link", Body::new(0.0, 0.0))
        .body("bob", Body::new(1.0, 0.0));
    let end = Joint {
        parent_at: [0.0, -2.0].into(),
        ..Joint::new(PlaneJoint::Fixed, "link", "bob")
    };
    builder
        .joint("O", revolute("world", "link"))
        .joint("end", end);
    builder.gravity([0.0, -9.81]);
    let model = builder.build().unwrap();
    let mut work = model.workspace();
    let (q, v) = (&[0.3], &[0.0]);
    let mut placed = model.place(&mut work, State::new(0.0, q, v));
    let mut out = [0.0];
    placed.accelerations(&[0.0], &mut out).unwrap();
    assert!((out[0] + 9.81 / 2.0 * 0.3_f64.sin()).abs() < 1e-14);
}

#[test]
fn a_mechanism_that_is_singular_in_one_configuration_says_so_there() {
    // A point mass on a massless slide and a massless arm: in line, the arm and the slide do the same.
    let mut builder = ModelBuilder::<Plane>::new();
    builder.body("slide", Body::new(0.0, 0.0));
    let bob = Body {
        center: [0.0, -1.0].into(),
        ..Body::new(1.0, 0.0)
    };
    let axis = Vector([1.0, 0.0]);
    builder
        .body("bob", bob)
        .joint("arm", revolute("slide", "bob"));
    builder.joint(
        "rail",
        Joint::new(PlaneJoint::Prismatic { axis }, "world", "slide"),
    );
    let model = builder.build().unwrap();
    let mut work = model.workspace();
    let mut ask = |angle: f64| {
        let (q, v) = (&[angle, 0.0], &[0.0; 2]);
        let mut placed = model.place(&mut work, State::new(0.0, q, v));
        placed.accelerations(&[0.0; 2], &mut [0.0; 2])
    };
    assert!(ask(0.5).is_ok());
    let SingularMass { joint, .. } = ask(0.0).unwrap_err();
    assert_eq!(model.joints()[joint.index()].name, "rail");
}

#[test]
fn shapes_that_are_no_outline_are_refused() {
    let said = |outline: Outline| {
        let shapes = vec![("s".to_owned(), Shape::new(outline))];
        refusal(|b| {
            b.body(
                "b",
                Body {
                    shapes,
                    ..Body::new(1.0, 1.0)
                },
            )
        })
    };
    assert_eq!(
        said(Outline::Disk { radius: 0.0 }),
        "shape b.s: radius is 0, expected a number > 0"
    );
    let polygon = |vertices: &[[f64; 2]]| Outline::Polygon {
        vertices: vertices.iter().map(|v| Vector(*v)).collect(),
    };
    assert_eq!(
        said(polygon(&[[0.0, 0.0], [1.0, 0.0]])),
        "shape b.s: 2 vertices, expected at least 3"
    );
    assert_eq!(
        said(polygon(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])),
        "shape b.s: the outline does not turn left at vertex 0, expected a convex polygon, \
         counter-clockwise"
    );
    let star = [0.0_f64, 2.0, 4.0, 1.0, 3.0].map(|i| {
        let angle = i * std::f64::consts::TAU / 5.0;
        [angle.cos(), angle.sin()]
    });
    assert_eq!(
        said(polygon(&star)),
        "shape b.s: the outline goes round more than once, expected a convex polygon"
    );
    assert_eq!(
        said(Outline::HalfSpace {
            normal: Vector([0.0, 0.0])
        }),
        "shape b.s: length of the normal is 0, expected a number > 0"
    );
    let capsule = Outline::Capsule {
        length: f64::NAN,
        radius: 1.0,
    };
    assert_eq!(
        said(capsule),
        "shape b.s: length is NaN, expected a finite number"
    );
}
