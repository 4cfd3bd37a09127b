//! The same scene in other units, in another frame, listed otherwise.

use super::scene::{Body, Contact, Free, Joint, Kind, Motion, Outline, Scene, Shape, WORLD, Wave};
use super::turn::{
    NO_TURN, Turn, Vector, after, axial, length, mirrored, mirrored_turn, plus, times, turned,
};

/// How a twin differs from its scene.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// Units of length, mass and time.
    Units([f64; 3]),
    /// The whole world turned.
    Turned(Turn),
    /// The whole world seen in a mirror.
    Mirrored,
    /// The whole world elsewhere.
    Shifted(Vector),
    /// The whole world on a base that moves at a steady velocity.
    Carried(Vector),
    /// Bodies, joints, shapes, contacts and loads in another order.
    Relisted(u64),
    /// The two shapes of every contact in the other order.
    Swapped,
}

impl Change {
    /// Seconds of the twin in a second of the scene.
    pub(crate) fn time(self) -> f64 {
        match self {
            Self::Units([_, _, time]) => time,
            _ => 1.0,
        }
    }

    /// Whether slips change their sign: with the normal mirrored, (t, n) stays right-handed.
    pub(crate) fn reverses_slip(self) -> bool {
        matches!(self, Self::Mirrored)
    }

    /// How far from the origin a twin is (m), in scenes of some metres.
    pub(crate) fn distance(self) -> f64 {
        match self {
            Self::Shifted(by) => length(by),
            _ => 0.0,
        }
    }

    /// By how much errors of gaps grow with the distance from the origin, in scenes of some metres.
    pub(crate) fn roughness(self) -> f64 {
        1.0 + 0.01 * self.distance()
    }

    pub(crate) fn of(self, scene: &Scene) -> Scene {
        let mut twin = scene.clone();
        match self {
            Self::Units(units) => in_units(&mut twin, units),
            Self::Turned(turn) => turn_world(&mut twin, turn),
            Self::Mirrored => mirror(&mut twin),
            Self::Shifted(by) => shift(&mut twin, by),
            Self::Carried(velocity) => carry(&mut twin, velocity),
            Self::Relisted(seed) => relist(&mut twin, seed),
            Self::Swapped => {
                for Contact { between, .. } in &mut twin.contacts {
                    between.swap(0, 1);
                }
            }
        }
        twin
    }
}

/// All shapes, of bodies and of the world.
fn shapes(scene: &mut Scene) -> impl Iterator<Item = &mut Shape> {
    let bodies = scene.bodies.iter_mut().flat_map(|body| &mut body.shapes);
    bodies.chain(&mut scene.world)
}

fn starts(scene: &mut Scene) -> impl Iterator<Item = &mut Free> {
    scene
        .bodies
        .iter_mut()
        .filter_map(|body| body.start.as_mut())
}

fn rooted(scene: &mut Scene) -> impl Iterator<Item = &mut Joint> {
    scene
        .joints
        .iter_mut()
        .filter(|joint| joint.parent == WORLD)
}

fn in_units(scene: &mut Scene, [l, m, t]: [f64; 3]) {
    let force = m * l / (t * t);
    scene.gravity = times(scene.gravity, l / (t * t));
    scene.duration *= t;
    for body in &mut scene.bodies {
        body.mass *= m;
        body.inertia = times(body.inertia, m * l * l);
        body.center = times(body.center, l);
    }
    for shape in shapes(scene) {
        shape.at = times(shape.at, l);
        match &mut shape.outline {
            Outline::Point | Outline::HalfSpace(_) => {}
            Outline::Round(radius)
            | Outline::Disk(radius)
            | Outline::Bowl(radius)
            | Outline::Tube(radius) => *radius *= l,
            Outline::Capsule { length, radius } | Outline::Cylinder { length, radius } => {
                *length *= l;
                *radius *= l;
            }
            Outline::Box(size) | Outline::Ellipsoid(size) => *size = times(*size, l),
            Outline::Corners(all) => all.iter_mut().for_each(|v| *v = times(*v, l)),
        }
    }
    for start in starts(scene) {
        start.at = times(start.at, l);
        start.velocity = times(start.velocity, l / t);
        start.spin = times(start.spin, 1.0 / t);
    }
    for joint in &mut scene.joints {
        joint_in_units(joint, [l, m, t]);
    }
    for load in &mut scene.loads {
        load.at = times(load.at, l);
        load.constant = times(load.constant, force);
        load.amplitude = times(load.amplitude, force);
        load.frequency /= t;
        load.torque = times(load.torque, force * l);
    }
}

fn joint_in_units(joint: &mut Joint, [l, m, t]: [f64; 3]) {
    joint.parent_at = times(joint.parent_at, l);
    joint.child_at = times(joint.child_at, l);
    joint.ball.1 = times(joint.ball.1, 1.0 / t);
    // Unit of the coordinate, and of the force along it times the coordinate.
    let way = if joint.kind == Kind::Prismatic {
        l
    } else {
        1.0
    };
    let work = m * l * l / (t * t);
    joint.start = [joint.start[0] * way, joint.start[1] * way / t];
    joint.damping *= work * t / (way * way);
    if let Some([stiffness, rest]) = &mut joint.spring {
        *stiffness *= work / (way * way);
        *rest *= way;
    }
    let wave = |wave: &mut Wave, size: f64| {
        wave.amplitude *= size;
        wave.frequency /= t;
    };
    if let Some(drive) = &mut joint.drive {
        wave(drive, work / way);
    }
    if let Some(motion) = &mut joint.motion {
        motion.offset *= way;
        motion.rate *= way / t;
        wave(&mut motion.wave, way);
    }
    if let Some(limits) = &mut joint.limits {
        limits.lower *= way;
        limits.upper *= way;
    }
}

/// A half-space is turned by its normal, other shapes with their axes.
fn turn_shape(shape: &mut Shape, turn: Turn) {
    shape.at = turned(turn, shape.at);
    match &mut shape.outline {
        Outline::HalfSpace(normal) if shape.turn == NO_TURN => *normal = turned(turn, *normal),
        _ => shape.turn = after(turn, shape.turn),
    }
}

pub(crate) fn turn_world(scene: &mut Scene, turn: Turn) {
    scene.gravity = turned(turn, scene.gravity);
    for shape in &mut scene.world {
        turn_shape(shape, turn);
    }
    for start in starts(scene) {
        start.at = turned(turn, start.at);
        start.turn = after(turn, start.turn);
        start.velocity = turned(turn, start.velocity);
        start.spin = turned(turn, start.spin);
    }
    for joint in rooted(scene) {
        joint.parent_at = turned(turn, joint.parent_at);
        joint.turn = after(turn, joint.turn);
    }
    for load in &mut scene.loads {
        load.constant = turned(turn, load.constant);
        load.amplitude = turned(turn, load.amplitude);
        load.torque = turned(turn, load.torque);
    }
}

pub(crate) fn shift(scene: &mut Scene, by: Vector) {
    for shape in &mut scene.world {
        shape.at = plus(shape.at, by);
    }
    for start in starts(scene) {
        start.at = plus(start.at, by);
    }
    for joint in rooted(scene) {
        joint.parent_at = plus(joint.parent_at, by);
    }
}

fn mirror(scene: &mut Scene) {
    scene.gravity = mirrored(scene.gravity);
    for body in &mut scene.bodies {
        body.center = mirrored(body.center);
    }
    for shape in shapes(scene) {
        shape.at = mirrored(shape.at);
        shape.turn = mirrored_turn(shape.turn);
        match &mut shape.outline {
            Outline::HalfSpace(normal) => *normal = mirrored(*normal),
            Outline::Corners(all) => {
                all.iter_mut().for_each(|v| *v = mirrored(*v));
                all.reverse(); // counter-clockwise again
            }
            _ => {}
        }
    }
    for start in starts(scene) {
        start.at = mirrored(start.at);
        start.turn = mirrored_turn(start.turn);
        start.velocity = mirrored(start.velocity);
        start.spin = axial(start.spin);
    }
    let is_plane = scene.is_plane;
    for joint in &mut scene.joints {
        mirror_joint(joint, is_plane);
    }
    for load in &mut scene.loads {
        load.at = mirrored(load.at);
        load.constant = mirrored(load.constant);
        load.amplitude = mirrored(load.amplitude);
        load.torque = axial(load.torque);
    }
}

/// The axis of a hinge in space turns round as axes do; in the plane it stays and the angle changes its
/// sign.
fn mirror_joint(joint: &mut Joint, is_plane: bool) {
    joint.parent_at = mirrored(joint.parent_at);
    joint.child_at = mirrored(joint.child_at);
    joint.turn = mirrored_turn(joint.turn);
    joint.ball = (mirrored_turn(joint.ball.0), axial(joint.ball.1));
    match joint.kind {
        Kind::Revolute if is_plane => reverse(joint),
        Kind::Revolute => joint.axis = axial(joint.axis),
        _ => joint.axis = mirrored(joint.axis),
    }
}

/// The coordinate with the other sign.
fn reverse(joint: &mut Joint) {
    joint.start = joint.start.map(|x| -x);
    if let Some([_, rest]) = &mut joint.spring {
        *rest = -*rest;
    }
    if let Some(drive) = &mut joint.drive {
        drive.amplitude = -drive.amplitude;
    }
    if let Some(motion) = &mut joint.motion {
        motion.offset = -motion.offset;
        motion.rate = -motion.rate;
        motion.wave.amplitude = -motion.wave.amplitude;
    }
    if let Some(limits) = &mut joint.limits {
        (limits.lower, limits.upper) = (-limits.upper, -limits.lower);
    }
}

/// Name of the base that carries the world.
pub(crate) const BASE: &str = "base";

fn carry(scene: &mut Scene, velocity: Vector) {
    for start in starts(scene) {
        start.velocity = plus(start.velocity, velocity);
    }
    for joint in rooted(scene) {
        joint.parent = BASE.to_owned();
    }
    for contact in &mut scene.contacts {
        for shape in &mut contact.between {
            if let Some(name) = shape.strip_prefix("world.") {
                *shape = format!("{BASE}.{name}");
            }
        }
    }
    let mass: f64 = scene.bodies.iter().map(|body| body.mass).sum();
    let inertia = scene.bodies[0].inertia;
    scene.bodies.push(Body {
        name: BASE.to_owned(),
        mass,
        inertia,
        center: [0.0; 3],
        shapes: std::mem::take(&mut scene.world),
        start: None,
    });
    let rail = Joint {
        name: BASE.to_owned(),
        kind: Kind::Prismatic,
        parent: WORLD.to_owned(),
        child: BASE.to_owned(),
        parent_at: [0.0; 3],
        child_at: [0.0; 3],
        turn: NO_TURN,
        axis: velocity,
        start: [0.0; 2],
        ball: (NO_TURN, [0.0; 3]),
        damping: 0.0,
        spring: None,
        drive: None,
        motion: Some(Motion {
            offset: 0.0,
            rate: length(velocity),
            wave: Wave {
                amplitude: 0.0,
                frequency: 0.0,
                phase: 0.0,
            },
        }),
        limits: None,
        closes: false,
    };
    scene.joints.insert(0, rail);
}

/// Joints that close loops stay behind those of the tree.
fn relist(scene: &mut Scene, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    rng.shuffle(&mut scene.bodies);
    rng.shuffle(&mut scene.world);
    rng.shuffle(&mut scene.joints);
    rng.shuffle(&mut scene.contacts);
    rng.shuffle(&mut scene.loads);
    scene.joints.sort_by_key(|joint| joint.closes);
    for body in &mut scene.bodies {
        rng.shuffle(&mut body.shapes);
    }
}

/// The scene with its numbers changed in the digits that `size` says, each kind of number by a factor of
/// its own: what touches still touches, what is equal or zero still is.
pub(crate) fn nudged(scene: &Scene, seed: u64, size: f64) -> Scene {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut factor = || 1.0 + size * (0.5 + 0.5 * rng.f64()) * [-1.0, 1.0][rng.usize(..2)];
    let [gravity, inertia, rate, bounce, rough, force] = std::array::from_fn(|_| factor());
    let mut twin = scene.clone();
    twin.gravity = times(twin.gravity, gravity);
    for body in &mut twin.bodies {
        body.inertia = times(body.inertia, inertia);
    }
    for start in starts(&mut twin) {
        start.velocity = times(start.velocity, rate);
        start.spin = times(start.spin, rate);
    }
    for joint in &mut twin.joints {
        joint.start[1] *= rate;
        joint.ball.1 = times(joint.ball.1, rate);
        joint.damping *= force;
        if let Some([stiffness, _]) = &mut joint.spring {
            *stiffness *= force;
        }
        if let Some(drive) = &mut joint.drive {
            drive.amplitude *= force;
        }
        if let Some(motion) = &mut joint.motion {
            motion.rate *= rate;
        }
        if let Some(limits) = &mut joint.limits {
            limits.restitution = (limits.restitution * bounce).min(1.0);
        }
    }
    for contact in &mut twin.contacts {
        contact.skin.restitution = (contact.skin.restitution * bounce).min(1.0);
        contact.skin.friction = contact.skin.friction.map(|mu| mu * rough);
    }
    for load in &mut twin.loads {
        load.constant = times(load.constant, force);
        load.amplitude = times(load.amplitude, force);
        load.torque = times(load.torque, force);
    }
    twin
}
