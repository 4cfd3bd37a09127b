//! Mechanisms as plain descriptions, drawn at random and changed as a whole: mirrored, moved,
//! renamed, scaled.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Feature, Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{self, Fixed, Free, Prismatic, Revolute};
use carom_multibody::plane::{Angle, Plane};
use carom_multibody::{Body, Drive, Joint, Limits, Motion, PlaneModelBuilder, Spring, State};
use carom_sim::{Options, Rule, Setup};
use fastrand::Rng;

use crate::random::{chance, either_sign};

/// A pair of shapes that may touch, and how.
#[derive(Debug, Clone)]
pub struct Pair {
    pub first: String,
    /// A body, or `world` for a world shape of that name.
    pub second: (String, String),
    pub rule: Rule,
}

/// A joint with its coordinates and rates at the start.
#[derive(Debug, Clone)]
pub struct Start {
    pub name: String,
    pub joint: Joint<Plane>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// Everything that makes a setup; every body has one shape, `skin`.
#[derive(Debug, Clone)]
pub struct Spec {
    pub gravity: [f64; 2],
    pub bodies: Vec<(String, Body<Plane>)>,
    pub starts: Vec<Start>,
    pub world: Vec<(String, Shape)>,
    pub pairs: Vec<Pair>,
    pub options: Options,
}

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
        let placed = model.place(
            &mut work,
            State {
                t: 0.0,
                q: &q,
                v: &v,
            },
        );
        self.pairs.retain(|pair| {
            let features = features(&model, pair);
            features.is_some_and(|all| all.iter().all(|f| placed.touch(f).gap > 0.01))
        });
    }

    fn model(&self) -> Option<carom_multibody::PlaneModel> {
        let mut builder = PlaneModelBuilder::new();
        builder.gravity(self.gravity);
        for (name, body) in &self.bodies {
            builder.body(name, body.clone());
        }
        for start in &self.starts {
            builder.joint(&start.name, start.joint.clone());
        }
        for (name, shape) in &self.world {
            builder.world_shape(name, shape.clone());
        }
        builder.build().ok()
    }

    fn start_of(&self, model: &carom_multibody::PlaneModel) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; model.positions()], vec![0.0; model.rates()]);
        for record in model.joints() {
            let start = self.starts.iter().find(|s| s.name == record.name).unwrap();
            if record.joint.motion.is_none() {
                q[record.positions.clone()].copy_from_slice(&start.q);
                v[record.rates.clone()].copy_from_slice(&start.v);
            }
        }
        (q, v)
    }

    /// The setup; none where no mechanism can be made, or nothing is left free.
    pub fn setup(&self) -> Option<Setup> {
        let model = self.model()?;
        if model.rates() == 0 {
            return None;
        }
        let (q, v) = self.start_of(&model);
        let (mut all, mut rules) = (Vec::new(), Vec::new());
        for pair in &self.pairs {
            for (k, feature) in features(&model, pair)?.into_iter().enumerate() {
                all.push(feature);
                rules.push(Rule {
                    name: format!("{}.{k}", pair.rule.name),
                    ..pair.rule.clone()
                });
            }
        }
        let mechanism = PlaneMechanism::new(model, all);
        rules.extend(Rule::of_limits(&mechanism));
        Some(Setup {
            mechanism,
            rules,
            q,
            v,
            options: self.options.clone(),
        })
    }

    /// The mirror image, x to −x.
    pub fn mirrored(&self) -> Self {
        let mut image = self.clone();
        image.gravity[0] = -image.gravity[0];
        for (_, body) in &mut image.bodies {
            body.center.0[0] *= -1.0;
            body.shapes.iter_mut().for_each(|s| mirror_shape(&mut s.1));
        }
        image.world.iter_mut().for_each(|s| mirror_shape(&mut s.1));
        for start in &mut image.starts {
            mirror_start(start);
        }
        image
    }

    /// Everything moved by (x, y).
    pub fn moved(&self, by: [f64; 2]) -> Self {
        let mut there = self.clone();
        for (_, shape) in &mut there.world {
            shape.at = [shape.at.0[0] + by[0], shape.at.0[1] + by[1]].into();
        }
        for start in there
            .starts
            .iter_mut()
            .filter(|s| s.joint.parent == "world")
        {
            let at = start.joint.parent_at.0;
            start.joint.parent_at = [at[0] + by[0], at[1] + by[1]].into();
        }
        there
    }

    /// The same bodies, joints and contacts under other names, in the reverse order.
    pub fn renamed(&self) -> Self {
        let mut other = self.clone();
        let name = |body: &str| match body.strip_prefix('b') {
            Some(k) => format!("z{}", 9 - k.parse::<i32>().unwrap()),
            None => body.to_owned(),
        };
        other.bodies.iter_mut().for_each(|b| b.0 = name(&b.0));
        for start in &mut other.starts {
            start.name = format!("x{}", start.name);
            start.joint.parent = name(&start.joint.parent);
            start.joint.child = name(&start.joint.child);
        }
        for pair in &mut other.pairs {
            pair.first = name(&pair.first);
            pair.second.0 = name(&pair.second.0);
        }
        other.bodies.reverse();
        other.starts.reverse();
        other.pairs.reverse();
        other
    }

    /// Lengths and masses in other units; gravity keeps the time.
    pub fn scaled(&self, length: f64, mass: f64) -> Self {
        let mut other = self.clone();
        other.gravity = other.gravity.map(|g| g * length);
        for (_, body) in &mut other.bodies {
            body.mass *= mass;
            body.inertia *= mass * length * length;
            body.center = body.center * length;
            let shapes = body.shapes.iter_mut();
            shapes.for_each(|s| scale_shape(&mut s.1, length));
        }
        let shapes = other.world.iter_mut();
        shapes.for_each(|s| scale_shape(&mut s.1, length));
        for start in &mut other.starts {
            scale_start(start, length, mass);
        }
        other
    }
}

fn features(model: &carom_multibody::PlaneModel, pair: &Pair) -> Option<Vec<Feature>> {
    let first = (pair.first.as_str(), "skin");
    let second = (pair.second.0.as_str(), pair.second.1.as_str());
    model.features(first, second).ok()
}

fn mirror_shape(shape: &mut Shape) {
    shape.at.0[0] *= -1.0;
    shape.angle = -shape.angle;
    match &mut shape.outline {
        Outline::HalfSpace { normal } => normal.0[0] *= -1.0,
        Outline::Polygon { vertices } => {
            vertices.iter_mut().for_each(|r| r.0[0] *= -1.0);
            vertices.reverse();
        }
        _ => {}
    }
}

fn mirror_start(start: &mut Start) {
    let joint = &mut start.joint;
    joint.parent_at.0[0] *= -1.0;
    joint.child_at.0[0] *= -1.0;
    joint.parent_rotation = Angle::new(-joint.parent_rotation.radians());
    match &mut joint.kind {
        Prismatic { axis } => axis.0[0] *= -1.0,
        Revolute => {
            start.q[0] *= -1.0;
            start.v[0] *= -1.0;
            turn_back(joint);
        }
        Free => {
            for i in [0, 2] {
                start.q[i] *= -1.0;
                start.v[i] *= -1.0;
            }
        }
        Fixed => {}
    }
}

/// The same joint with its coordinate counted the other way.
fn turn_back(joint: &mut Joint<Plane>) {
    if let Some(spring) = &mut joint.spring {
        spring.rest = -spring.rest;
    }
    if let Some(drive) = &mut joint.drive {
        drive.amplitude = -drive.amplitude;
    }
    if let Some(motion) = &mut joint.motion {
        motion.offset = -motion.offset;
        motion.rate = -motion.rate;
        motion.amplitude = -motion.amplitude;
    }
    if let Some(limits) = &mut joint.limits {
        (limits.lower, limits.upper) = (-limits.upper, -limits.lower);
    }
}

fn scale_shape(shape: &mut Shape, length: f64) {
    shape.at = shape.at * length;
    match &mut shape.outline {
        Outline::Disk { radius } => *radius *= length,
        Outline::Capsule {
            length: long,
            radius,
        } => {
            *long *= length;
            *radius *= length;
        }
        Outline::Box { size } => *size = *size * length,
        Outline::Polygon { vertices } => vertices.iter_mut().for_each(|r| *r = *r * length),
        Outline::Point | Outline::HalfSpace { .. } => {}
    }
}

fn scale_start(start: &mut Start, length: f64, mass: f64) {
    let joint = &mut start.joint;
    joint.parent_at = joint.parent_at * length;
    joint.child_at = joint.child_at * length;
    let (way, force) = match joint.kind {
        PlaneJoint::Prismatic { .. } => (length, mass * length),
        _ => (1.0, mass * length * length),
    };
    let numbers = if joint.kind == Free { 2 } else { start.q.len() };
    let way_of_free = if joint.kind == Free { length } else { way };
    for x in start.q[..numbers].iter_mut().chain(&mut start.v[..numbers]) {
        *x *= way_of_free;
    }
    joint.damping *= force / way;
    if let Some(spring) = &mut joint.spring {
        spring.stiffness *= force / way;
        spring.rest *= way;
    }
    if let Some(drive) = &mut joint.drive {
        drive.amplitude *= force;
    }
    if let Some(motion) = &mut joint.motion {
        motion.offset *= way;
        motion.rate *= way;
        motion.amplitude *= way;
    }
    if let Some(limits) = &mut joint.limits {
        limits.lower *= way;
        limits.upper *= way;
    }
}
