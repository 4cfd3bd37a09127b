//! A mechanism changed as a whole: mirrored, moved, renamed, scaled.

use carom_multibody::Joint;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::PlaneJoint::{self, Fixed, Free, Prismatic, Revolute};
use carom_multibody::plane::{Angle, Plane};

use super::{Spec, Start};

impl Spec {
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
