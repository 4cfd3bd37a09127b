//! Plane mechanisms rebuilt in space: x to x, y to z, angles about −y.

use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::SpaceMechanism;
use carom_multibody::plane::Plane;
use carom_multibody::plane::PlaneJoint;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, Space, SpaceJoint};
use carom_multibody::{Body, Joint, SpaceModelBuilder, Vector};
use carom_sim::{Rule, Setup};

use super::spec::{Spec, Start};

/// A vector of the plane in space.
pub fn up(r: [f64; 2]) -> Vector<3> {
    Vector([r[0], 0.0, r[1]])
}

/// A turn by an angle, counter-clockwise in the x–z picture.
pub fn turn(angle: f64) -> Rotation {
    Rotation::about([0.0, -1.0, 0.0], angle)
}

/// Round outlines and half-spaces have a solid of the same section.
fn solid(shape: &Shape) -> Option<SolidShape> {
    let solid = match &shape.outline {
        Outline::Point => Solid::Point,
        Outline::Disk { radius } => Solid::Ball { radius: *radius },
        Outline::Capsule { length, radius } => Solid::Capsule {
            length: *length,
            radius: *radius,
        },
        Outline::HalfSpace { normal } => Solid::HalfSpace {
            normal: up(normal.0),
        },
        Outline::Box { .. } | Outline::Polygon { .. } => return None,
    };
    let placed = SolidShape::new(solid).at(up(shape.at.0));
    Some(placed.turned(turn(shape.angle)))
}

/// The axis of the plane's turns is a principal axis; the other moments matter to nothing.
fn body(flat: &Body<Plane>) -> Option<Body<Space>> {
    let moments = [0.7, 1.0, 0.6].map(|part| part * flat.inertia);
    let mut shapes = Vec::new();
    for (name, shape) in &flat.shapes {
        shapes.push((name.clone(), solid(shape)?));
    }
    Some(Body {
        center: up(flat.center.0),
        shapes,
        ..Body::new(flat.mass, moments.into())
    })
}

fn joint(flat: &Joint<Plane>, outer: &Rotation) -> Joint<Space> {
    let kind = match flat.kind {
        PlaneJoint::Revolute => SpaceJoint::Revolute {
            axis: [0.0, -1.0, 0.0].into(),
        },
        PlaneJoint::Prismatic { axis } => SpaceJoint::Prismatic { axis: up(axis.0) },
        PlaneJoint::Fixed => SpaceJoint::Fixed,
        PlaneJoint::Free => SpaceJoint::Free,
    };
    let (at, rotation) = (up(flat.parent_at.0), turn(flat.parent_rotation.radians()));
    let (parent_at, parent_rotation) = match flat.parent.as_str() {
        "world" => (outer.apply(at), outer.then(&rotation)),
        _ => (at, rotation),
    };
    Joint {
        parent_at,
        parent_rotation,
        child_at: up(flat.child_at.0),
        damping: flat.damping,
        spring: flat.spring,
        drive: flat.drive,
        motion: flat.motion,
        limits: flat.limits,
        ..Joint::new(kind, &flat.parent, &flat.child)
    }
}

/// Coordinates of a joint in space.
pub fn positions(q: &[f64]) -> Vec<f64> {
    match q {
        [x, y, angle] => {
            let mut all = up([*x, *y]).0.to_vec();
            all.extend(turn(*angle).quaternion());
            all
        }
        _ => q.to_vec(),
    }
}

/// Rates of a joint in space.
pub fn rates(v: &[f64]) -> Vec<f64> {
    match v {
        [x, y, omega] => vec![*x, 0.0, *y, 0.0, -omega, 0.0],
        _ => v.to_vec(),
    }
}

/// The mechanism in space, turned as a whole; none where a shape has no counterpart.
pub fn lift(spec: &Spec, outer: &Rotation) -> Option<Setup<SpaceMechanism>> {
    let mut builder = SpaceModelBuilder::new();
    builder.gravity(outer.apply(up(spec.gravity)));
    for (name, flat) in &spec.bodies {
        builder.body(name, body(flat)?);
    }
    for Start {
        name, joint: flat, ..
    } in &spec.starts
    {
        builder.joint(name, joint(flat, outer));
    }
    for (name, shape) in &spec.world {
        let shape = solid(shape)?;
        let (at, rotation) = (outer.apply(shape.at), outer.then(&shape.rotation));
        builder.world_shape(name, shape.at(at).turned(rotation));
    }
    let model = builder.build().ok()?;
    let (mut q, mut v) = (model.reference(), vec![0.0; model.rates()]);
    for record in model.joints() {
        let start = spec.starts.iter().find(|s| s.name == record.name)?;
        if record.joint.motion.is_none() {
            q[record.positions.clone()].copy_from_slice(&positions(&start.q));
            v[record.rates.clone()].copy_from_slice(&rates(&start.v));
        }
    }
    let (mut features, mut rules) = (Vec::new(), Vec::new());
    for pair in &spec.pairs {
        let second = (pair.second.0.as_str(), pair.second.1.as_str());
        let found = model.features((&pair.first, "skin"), second).ok()?;
        for (k, feature) in found.into_iter().enumerate() {
            features.push(feature);
            rules.push(Rule {
                name: format!("{}.{k}", pair.rule.name),
                ..pair.rule.clone()
            });
        }
    }
    let mechanism = SpaceMechanism::new(model, features);
    rules.extend(Rule::of_limits(&mechanism));
    Some(Setup {
        mechanism,
        rules,
        q,
        v,
        options: spec.options.clone(),
    })
}
