//! Mechanisms drawn at random.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::PlaneJoint::{Fixed, Free, Prismatic, Revolute};
use carom_multibody::plane::{Angle, Plane};
use carom_multibody::{Body, Drive, Joint, Limits, Motion, Spring, State};
use carom_sim::{Options, Rule};
use fastrand::Rng;

use super::{Pair, Spec, Start, features};
use crate::random::{chance, either_sign};

/// What a random mechanism may have.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    pub laws: &'static [Law],
    pub max_friction: f64,
    /// Drives and prescribed motions up to this (rad/s).
    pub max_frequency: f64,
    pub max_stiffness: f64,
    pub duration: f64,
}

fn outline(rng: &mut Rng) -> Outline {
    let size = |rng: &mut Rng| 0.05 + 0.25 * rng.f64();
    match rng.usize(..6) {
        0 => Outline::Point,
        1 | 2 => Outline::Disk { radius: size(rng) },
        3 => Outline::Capsule {
            length: 2.0 * size(rng),
            radius: 0.5 * size(rng),
        },
        4 => Outline::Box {
            size: [size(rng), 2.0 * size(rng)].into(),
        },
        _ => {
            let s = size(rng);
            let vertices = vec![
                [-s, -s].into(),
                [s, -0.8 * s].into(),
                [0.7 * s, s].into(),
                [-0.5 * s, 1.2 * s].into(),
            ];
            Outline::Polygon { vertices }
        }
    }
}

fn body(rng: &mut Rng) -> Body<Plane> {
    let mass = 10f64.powf(either_sign(rng, 1.0));
    let shape = Shape {
        outline: outline(rng),
        at: [either_sign(rng, 0.4), either_sign(rng, 0.4)].into(),
        angle: either_sign(rng, 3.0),
    };
    Body {
        center: [either_sign(rng, 0.3), either_sign(rng, 0.3)].into(),
        shapes: vec![("skin".to_owned(), shape)],
        ..Body::new(mass, mass * (0.02 + 0.2 * rng.f64()))
    }
}

fn start(rng: &mut Rng, index: usize, draw: &Draw) -> Start {
    let axis = [either_sign(rng, 1.0), 1.0 + either_sign(rng, 0.5)].into();
    let kind = match rng.usize(..10) {
        0..=4 => Revolute,
        5..=6 => Prismatic { axis },
        7 if index > 0 => Fixed,
        _ => Free,
    };
    let parent = match rng.usize(..=index) {
        k if k < index && kind != Free => format!("b{k}"),
        _ => "world".to_owned(),
    };
    let count = match kind {
        Revolute | Prismatic { .. } => 1,
        Free => 3,
        Fixed => 0,
    };
    let mut joint = Joint {
        parent_at: [either_sign(rng, 0.6), either_sign(rng, 0.6)].into(),
        parent_rotation: Angle::new(either_sign(rng, 2.0)),
        child_at: [either_sign(rng, 0.3), either_sign(rng, 0.3)].into(),
        ..Joint::new(kind, &parent, &format!("b{index}"))
    };
    let mut numbers =
        |size: f64| -> Vec<f64> { (0..count).map(|_| either_sign(rng, size)).collect() };
    let (q, v) = (numbers(1.0), numbers(4.0));
    if count == 1 {
        act_along(rng, &mut joint, q[0], draw);
    }
    Start {
        name: format!("j{index}"),
        joint,
        q,
        v,
    }
}

/// Spring, damper, drive, motion and stops of a joint of one coordinate.
fn act_along(rng: &mut Rng, joint: &mut Joint<Plane>, q: f64, draw: &Draw) {
    if chance(rng, 0.4) {
        let stiffness = draw.max_stiffness * rng.f64().powi(3);
        let rest = q + either_sign(rng, 0.5);
        joint.spring = Some(Spring { stiffness, rest });
    }
    if chance(rng, 0.3) {
        joint.damping = rng.f64();
    }
    let frequency = draw.max_frequency * rng.f64().powi(2);
    let phase = either_sign(rng, 3.0);
    if chance(rng, 0.15) {
        let amplitude = either_sign(rng, 0.5).min(0.5 * 20.0 / (1.0 + frequency));
        joint.motion = Some(Motion {
            offset: q,
            rate: either_sign(rng, 1.0),
            amplitude,
            frequency,
            phase,
        });
    } else if chance(rng, 0.3) {
        joint.drive = Some(Drive {
            amplitude: either_sign(rng, 10.0),
            frequency,
            phase,
        });
    }
    if joint.motion.is_none() && chance(rng, 0.25) {
        joint.limits = Some(Limits {
            lower: q - 0.05 - rng.f64(),
            upper: q + 0.05 + rng.f64(),
            restitution: rng.f64(),
        });
    }
}

fn rule(rng: &mut Rng, name: &str, draw: &Draw) -> Rule {
    let mu = match rng.usize(..3) {
        0 => 0.0,
        _ => draw.max_friction * rng.f64(),
    };
    let restitution = match rng.usize(..6) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.f64(),
    };
    Rule {
        name: name.to_owned(),
        law: draw.laws[rng.usize(..draw.laws.len())],
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

impl Spec {
    /// Two to six bodies on all kinds of joints above a floor, between walls, beside a peg.
    pub fn random(seed: u64, draw: &Draw) -> Self {
        let rng = &mut Rng::with_seed(seed);
        let count = rng.usize(2..=6);
        let bodies = (0..count).map(|k| (format!("b{k}"), body(rng))).collect();
        let starts = (0..count).map(|k| start(rng, k, draw)).collect();
        let plane = |normal: [f64; 2], at: [f64; 2]| {
            let normal = normal.into();
            Shape::new(Outline::HalfSpace { normal }).at(at)
        };
        let world = vec![
            (
                "floor".to_owned(),
                plane([either_sign(rng, 0.2), 1.0], [0.0, -2.0]),
            ),
            (
                "left".to_owned(),
                plane([1.0, either_sign(rng, 0.2)], [-2.5, 0.0]),
            ),
            (
                "right".to_owned(),
                plane([-1.0, either_sign(rng, 0.2)], [2.5, 0.0]),
            ),
            (
                "peg".to_owned(),
                Shape::new(Outline::Disk { radius: 0.2 }).at([either_sign(rng, 2.0), -1.0]),
            ),
        ];
        let mut pairs = Vec::new();
        for k in 0..count {
            for shape in ["floor", "left", "right", "peg"] {
                if chance(rng, 0.6) {
                    let second = ("world".to_owned(), shape.to_owned());
                    pairs.push((format!("b{k}"), second));
                }
            }
            for other in k + 1..count {
                if chance(rng, 0.4) {
                    let second = (format!("b{other}"), "skin".to_owned());
                    pairs.push((format!("b{k}"), second));
                }
            }
        }
        let pairs = pairs.into_iter().map(|(first, second)| Pair {
            rule: rule(rng, &format!("{first}-{}-{}", second.0, second.1), draw),
            first,
            second,
        });
        let mut spec = Self {
            gravity: [0.0, -9.81],
            bodies,
            starts,
            world,
            pairs: pairs.collect(),
            options: Options {
                duration: draw.duration,
                sustained: false,
                ..Options::default()
            },
        };
        spec.drop_overlaps();
        spec
    }

    /// Leaves out pairs that touch at the start.
    fn drop_overlaps(&mut self) {
        let Some(model) = self.model() else {
            self.pairs.clear();
            return;
        };
        let (q, v) = self.start_of(&model);
        let mut work = model.workspace();
        let placed = model.place(&mut work, State::new(0.0, &q, &v));
        self.pairs.retain(|pair| {
            let features = features(&model, pair);
            features.is_some_and(|all| all.iter().all(|f| placed.touch(f).gap > 0.01))
        });
    }
}
