//! Mechanisms of the plane that are rebuilt in space.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::Plane;
use carom_multibody::plane::PlaneJoint::{self, Free, Prismatic, Revolute};
use carom_multibody::{Body, Drive, Joint, Limits, Motion, Spring};
use carom_sim::{Options, Rule};

use super::spec::{Pair, Spec, Start};

fn rule(name: &str, law: Law, restitution: f64, mu: f64) -> Rule {
    Rule {
        name: name.to_owned(),
        law,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

fn skinned(mass: f64, inertia: f64, center: [f64; 2], skin: Shape) -> Body<Plane> {
    Body {
        center: center.into(),
        shapes: vec![("skin".to_owned(), skin)],
        ..Body::new(mass, inertia)
    }
}

fn disk(radius: f64) -> Shape {
    Shape::new(Outline::Disk { radius })
}

fn half_space(normal: [f64; 2], at: [f64; 2]) -> Shape {
    let normal = normal.into();
    Shape::new(Outline::HalfSpace { normal }).at(at)
}

fn start(name: &str, joint: Joint<Plane>, q: &[f64], v: &[f64]) -> Start {
    Start {
        name: name.to_owned(),
        joint,
        q: q.to_vec(),
        v: v.to_vec(),
    }
}

fn on_world(kind: PlaneJoint, child: &str) -> Joint<Plane> {
    Joint::new(kind, "world", child)
}

fn spec(bodies: Vec<(&str, Body<Plane>)>, starts: Vec<Start>, duration: f64) -> Spec {
    let named = |(name, body): (&str, Body<Plane>)| (name.to_owned(), body);
    Spec {
        gravity: [0.0, -9.81],
        bodies: bodies.into_iter().map(named).collect(),
        starts,
        world: Vec::new(),
        pairs: Vec::new(),
        options: Options {
            duration,
            sustained: false,
            ..Options::default()
        },
    }
}

impl Spec {
    fn against(mut self, body: &str, shape: (&str, Shape), rule: Rule) -> Self {
        if self.world.iter().all(|(name, _)| name != shape.0) {
            self.world.push((shape.0.to_owned(), shape.1));
        }
        self.pairs.push(Pair {
            first: body.to_owned(),
            second: ("world".to_owned(), shape.0.to_owned()),
            rule,
        });
        self
    }

    fn between(mut self, first: &str, second: &str, rule: Rule) -> Self {
        self.pairs.push(Pair {
            first: first.to_owned(),
            second: (second.to_owned(), "skin".to_owned()),
            rule,
        });
        self
    }
}

/// The double pendulum of paper 001.
pub fn pendulum(restitution: f64, mu: f64, duration: f64) -> Spec {
    let upper = Body {
        center: [0.0, -0.25].into(),
        ..Body::new(3.2, 0.0676)
    };
    let tip = disk(0.05).at([0.0, -0.65]);
    let lower = skinned(3.8, 0.164, [0.0, -0.3627], tip);
    let elbow = Joint {
        parent_at: [0.0, -0.5].into(),
        ..Joint::new(Revolute, "upper", "lower")
    };
    let first = 140f64.to_radians();
    let starts = vec![
        start("O", on_world(Revolute, "upper"), &[first], &[1.2]),
        start("A", elbow, &[(-90f64).to_radians() - first], &[-1.7]),
    ];
    let obstacle = ("obstacle", half_space([0.0, 1.0], [0.0, -0.9]));
    spec(vec![("upper", upper), ("lower", lower)], starts, duration).against(
        "lower",
        obstacle,
        rule("hit", Law::Poisson, restitution, mu),
    )
}

/// A spinning ball that bounces on a slope and off a wall.
pub fn ball(mu: f64) -> Spec {
    let body = skinned(0.6, 0.6 * 0.4 * 0.01, [0.0, 0.0], disk(0.1));
    let free = start(
        "ball",
        on_world(Free, "ball"),
        &[0.0, 0.8, 0.3],
        &[0.7, 0.2, 9.0],
    );
    spec(vec![("ball", body)], vec![free], 1.5)
        .against(
            "ball",
            ("floor", half_space([-0.1, 1.0], [0.0, 0.0])),
            rule("floor", Law::Energetic, 0.8, mu),
        )
        .against(
            "ball",
            ("wall", half_space([-1.0, 0.0], [0.6, 0.0])),
            rule("wall", Law::Newton, 0.7, mu),
        )
}

/// A rod with round ends that falls askew.
pub fn rod(mu: f64) -> Spec {
    let skin = Shape::new(Outline::Capsule {
        length: 0.8,
        radius: 0.03,
    });
    let body = skinned(1.2, 1.2 * 0.64 / 12.0, [0.0, 0.0], skin);
    let free = start(
        "rod",
        on_world(Free, "rod"),
        &[0.0, 1.0, 0.6],
        &[0.4, 0.0, 1.0],
    );
    spec(vec![("rod", body)], vec![free], 0.9).against(
        "rod",
        ("floor", half_space([0.0, 1.0], [0.0, 0.0])),
        rule("floor", Law::Poisson, 0.6, mu),
    )
}

/// A slanted slider that a spring drives against a stop.
pub fn hammer() -> Spec {
    let axis = [0.6, 0.8].into();
    let skin = Shape::new(Outline::Point).at([0.0, 0.1]);
    let head = skinned(2.0, 1.0, [0.0, 0.0], skin);
    let slide = Joint {
        parent_at: [0.1, 0.2].into(),
        spring: Some(Spring {
            stiffness: 300.0,
            rest: -0.2,
        }),
        damping: 0.8,
        ..on_world(Prismatic { axis }, "head")
    };
    let starts = vec![start("slide", slide, &[0.4], &[0.0])];
    spec(vec![("head", head)], starts, 1.5).against(
        "head",
        ("anvil", half_space([0.3, 1.0], [0.0, 0.2])),
        rule("hit", Law::Newton, 0.75, 0.05),
    )
}

/// Three pendulums side by side, a hair apart.
pub fn cradle() -> Spec {
    let names = ["left", "middle", "right"];
    let bob = || {
        skinned(
            0.5,
            0.5 * 0.4 * 0.0025,
            [0.0, -0.5],
            disk(0.05).at([0.0, -0.5]),
        )
    };
    let hung = |k: usize| {
        let joint = Joint {
            parent_at: [0.1005 * k as f64, 0.0].into(),
            ..on_world(Revolute, names[k])
        };
        let angle = if k == 0 { -0.6 } else { 0.0 };
        start(names[k], joint, &[angle], &[0.0])
    };
    let bodies = names.map(|name| (name, bob())).to_vec();
    let elastic = |name: &str| rule(name, Law::Newton, 0.95, 0.0);
    spec(bodies, (0..3).map(hung).collect(), 3.0)
        .between("left", "middle", elastic("first"))
        .between("middle", "right", elastic("second"))
}

/// A pendulum between stops, driven.
pub fn stops() -> Spec {
    let bar = Body {
        center: [0.0, -0.3].into(),
        ..Body::new(1.1, 0.05)
    };
    let joint = Joint {
        drive: Some(Drive {
            amplitude: 2.5,
            frequency: 7.0,
            phase: 0.4,
        }),
        limits: Some(Limits {
            lower: -0.4,
            upper: 0.9,
            restitution: 0.6,
        }),
        damping: 0.05,
        ..on_world(Revolute, "bar")
    };
    let starts = vec![start("pivot", joint, &[0.5], &[1.0])];
    spec(vec![("bar", bar)], starts, 3.0)
}

/// A ball on a slider above a table that is shaken askew.
pub fn table() -> Spec {
    let ball = skinned(0.3, 1.0, [0.0, 0.0], Shape::new(Outline::Point));
    let top = half_space([0.0, 1.0], [0.0, 0.0]);
    let table = skinned(2.0, 1.0, [0.0, 0.0], top);
    let shaken = Joint {
        motion: Some(Motion {
            amplitude: 0.01,
            frequency: 40.0,
            ..Motion::default()
        }),
        ..on_world(
            Prismatic {
                axis: [0.3, 1.0].into(),
            },
            "table",
        )
    };
    let line = on_world(
        Prismatic {
            axis: [0.0, 1.0].into(),
        },
        "ball",
    );
    let starts = vec![
        start("ball", line, &[0.2], &[0.0]),
        start("table", shaken, &[0.0], &[0.0]),
    ];
    spec(vec![("ball", ball), ("table", table)], starts, 1.0).between(
        "ball",
        "table",
        rule("hit", Law::Poisson, 0.6, 0.3),
    )
}

/// All of them, by name.
pub fn all() -> Vec<(&'static str, Spec)> {
    vec![
        ("smooth pendulum", pendulum(0.9, 0.0, 4.0)),
        ("rough pendulum", pendulum(0.9, 0.15, 4.0)),
        ("smooth ball", ball(0.0)),
        ("rough ball", ball(0.3)),
        ("smooth rod", rod(0.0)),
        ("rough rod", rod(0.4)),
        ("hammer", hammer()),
        ("cradle", cradle()),
        ("stops", stops()),
        ("table", table()),
    ]
}
