//! Mechanisms in space: those of the plane again, the world turned, names and order changed.
#![allow(clippy::unwrap_used)]

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{
    Body, Harmonic, Joint, JointId, Linear as _, Load, Model, SpaceModelBuilder, Vector,
};
use carom_support::multibody::{Drawn, Parts, Start, models};
use carom_support::random::{count, either_sign};
use fastrand::Rng;

/// Where the axes of the plane are in space; the third is that of its angles.
#[derive(Debug, Clone, Copy)]
struct Embedding([Vector<3>; 3]);

impl Embedding {
    fn vector(&self, r: Vector<2>) -> Vector<3> {
        self.0[0] * r.0[0] + self.0[1] * r.0[1]
    }

    fn inertia(&self, rng: &mut Rng, moment: f64) -> Symmetric {
        // Only the moment about the normal matters, as long as nothing couples with it.
        let (a, b) = (0.1 + rng.f64(), 0.1 + rng.f64());
        let weights = [a, b, moment];
        let element = |i: usize, j: usize| -> f64 {
            (0..3)
                .map(|k| weights[k] * self.0[k].0[i] * self.0[k].0[j])
                .sum()
        };
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| element(i, j)));
        Symmetric::from_rows(rows).unwrap()
    }

    fn harmonic<T, U>(&self, h: &Harmonic<T>, map: impl Fn(T) -> U) -> Harmonic<U>
    where
        T: Copy,
    {
        Harmonic {
            constant: map(h.constant),
            amplitude: map(h.amplitude),
            frequency: h.frequency,
            phase: h.phase,
        }
    }

    fn joint(&self, joint: &Joint<Plane>) -> Joint<Space> {
        let axis = self.0[2];
        let kind = match joint.kind {
            PlaneJoint::Prismatic { axis } => SpaceJoint::Prismatic {
                axis: self.vector(axis),
            },
            PlaneJoint::Fixed => SpaceJoint::Fixed,
            _ => SpaceJoint::Revolute { axis },
        };
        Joint {
            parent_at: self.vector(joint.parent_at),
            parent_rotation: Rotation::about(axis, joint.parent_rotation.radians()),
            child_at: self.vector(joint.child_at),
            damping: joint.damping,
            spring: joint.spring,
            drive: joint.drive,
            motion: joint.motion,
            ..Joint::new(kind, &joint.parent, &joint.child)
        }
    }

    fn model(&self, rng: &mut Rng, parts: &Parts<Plane>) -> Model<Space> {
        let mut builder = SpaceModelBuilder::new();
        builder.gravity(self.vector(Plane::GRAVITY));
        for (name, body) in &parts.bodies {
            let inertia = self.inertia(rng, body.inertia);
            let body = Body {
                center: self.vector(body.center),
                ..Body::new(body.mass, inertia)
            };
            builder.body(name, body);
        }
        for (name, joint) in &parts.joints {
            builder.joint(name, self.joint(joint));
        }
        for (name, load) in &parts.loads {
            let load = Load {
                at: self.vector(load.at),
                force: self.harmonic(&load.force, |f| self.vector(f)),
                torque: self.harmonic(&load.torque, |n| self.0[2] * n),
                ..Load::new(&load.body)
            };
            builder.load(name, load);
        }
        builder.build().unwrap()
    }
}

/// Random parts of the plane, free joints made revolute: theirs have other coordinates in space.
fn plane_parts(rng: &mut Rng) -> Parts<Plane> {
    let bodies = rng.usize(1..=12);
    let mut parts = Parts::random(rng, bodies);
    for (_, joint) in &mut parts.joints {
        if joint.kind == PlaneJoint::Free {
            joint.kind = PlaneJoint::Revolute;
        }
    }
    for (name, _) in &parts.bodies {
        if parts.joints.iter().all(|(_, joint)| joint.child != *name) {
            let joint = Joint::new(PlaneJoint::Revolute, "world", name);
            parts.joints.push((format!("to_{name}"), joint));
        }
    }
    parts
}

fn assert_same(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().chain(b).fold(1.0, |s: f64, x| s.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-12 * scale, "{a:?} {b:?}");
    }
}

#[test]
fn a_plane_mechanism_in_space_is_the_plane_mechanism() {
    let mut rng = Rng::with_seed(131);
    let axes = [
        Vector([1.0, 0.0, 0.0]),
        Vector([0.0, 1.0, 0.0]),
        Vector([0.0, 0.0, 1.0]),
    ];
    let upright = Embedding([axes[0], axes[2], -axes[1]]);
    for round in 0..count(1000) {
        let embedding = [Embedding(axes), upright][round % 2];
        let parts = plane_parts(&mut rng);
        let plane = parts.build();
        let n = plane.rates();
        if n == 0 {
            continue;
        }
        let space = embedding.model(&mut rng, &parts);
        let start = Start::random(&mut rng, &plane);
        let (mut flat, mut solid) = (plane.workspace(), space.workspace());
        let mut a = plane.place(&mut flat, start.state());
        let mut b = space.place(&mut solid, start.state());
        let (mut m, mut h, mut v) = (
            [vec![0.0; n * n], vec![0.0; n * n]],
            [vec![0.0; n], vec![0.0; n]],
            [vec![0.0; n], vec![0.0; n]],
        );
        a.mass(&mut m[0]);
        b.mass(&mut m[1]);
        assert_same(&m[0], &m[1]);
        a.bias(&mut h[0]);
        b.bias(&mut h[1]);
        assert_same(&h[0], &h[1]);
        let zero = vec![0.0; n];
        a.accelerations(&zero, &mut v[0]).unwrap();
        b.accelerations(&zero, &mut v[1]).unwrap();
        let size = v[0].iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        let apart = v[0].iter().zip(&v[1]).map(|(x, y)| (x - y).abs());
        // The same to round-off times the condition of M.
        assert!(apart.fold(0.0, f64::max) < 1e-10 * size);
        let energies = (a.energy(), b.energy());
        assert_same(&[energies.0.total()], &[energies.1.total()]);
        let (a, b) = (a.balance(&v[0], &[]), b.balance(&v[0], &[]));
        let (mut flat, mut solid) = (Vec::new(), Vec::new());
        for record in plane.joints() {
            let joint: JointId = plane.joint(&record.name).unwrap();
            let (p, s) = (a.reaction(joint), b.reaction(joint));
            flat.extend(embedding.vector(p.force).0);
            flat.extend((embedding.0[2] * p.moment).0);
            solid.extend(s.force.0);
            solid.extend(s.moment.0);
        }
        assert_same(&flat, &solid);
        assert_same(&[a.powers().total()], &[b.powers().total()]);
    }
}

#[test]
fn a_turned_world_turns_the_forces_and_changes_no_coordinate() {
    let mut rng = Rng::with_seed(132);
    for (parts, _) in models::<Space>(&mut rng, 500) {
        let mut parts = parts;
        for (name, _) in &parts.bodies {
            if parts.joints.iter().all(|(_, joint)| joint.child != *name) {
                let joint = Joint::new(SpaceJoint::Free, "world", name);
                parts.joints.push((format!("to_{name}"), joint));
            }
        }
        let model = parts.build();
        let turned = Space::rotation(&mut rng);
        let mut other = parts.clone();
        other.gravity = turned.apply(parts.gravity);
        for (_, joint) in other.joints.iter_mut().filter(|j| j.1.parent == "world") {
            joint.parent_at = turned.apply(joint.parent_at);
            joint.parent_rotation = turned.then(&joint.parent_rotation);
        }
        for (_, load) in &mut other.loads {
            for part in [&mut load.force, &mut load.torque] {
                part.constant = turned.apply(part.constant);
                part.amplitude = turned.apply(part.amplitude);
            }
        }
        let other = other.build();
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let (mut work, mut other_work) = (model.workspace(), other.workspace());
        let mut a = model.place(&mut work, start.state());
        let mut b = other.place(&mut other_work, start.state());
        let (mut m, mut h) = (
            [vec![0.0; n * n], vec![0.0; n * n]],
            [vec![0.0; n], vec![0.0; n]],
        );
        a.mass(&mut m[0]);
        b.mass(&mut m[1]);
        assert_same(&m[0], &m[1]);
        a.bias(&mut h[0]);
        b.bias(&mut h[1]);
        assert_same(&h[0], &h[1]);
        let v: Vec<f64> = (0..n).map(|_| either_sign(&mut rng, 3.0)).collect();
        let (a, b) = (a.balance(&v, &[]), b.balance(&v, &[]));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for record in model.joints() {
            let joint = model.joint(&record.name).unwrap();
            first.extend(turned.apply(a.reaction(joint).force).0);
            first.extend(turned.apply(a.reaction(joint).moment).0);
            second.extend(b.reaction(joint).force.0);
            second.extend(b.reaction(joint).moment.0);
        }
        assert_same(&first, &second);
    }
}

#[test]
fn a_cylindrical_joint_is_a_revolute_one_on_a_slide() {
    // The same motion with and without a body without inertia between, and a universal joint as two
    // revolute ones.
    let mut rng = Rng::with_seed(134);
    for _ in 0..count(500) {
        let body = Body {
            center: Space::vector(&mut rng, 0.5),
            ..Body::new(1.3, Space::inertia(&mut rng))
        };
        let nothing = || Body::new(0.0, Symmetric::default());
        let (axis, second) = (Space::vector(&mut rng, 1.0), Space::vector(&mut rng, 1.0));
        let (first_kinds, kind) = match rng.bool() {
            true => (
                [
                    SpaceJoint::Prismatic { axis },
                    SpaceJoint::Revolute { axis },
                ],
                SpaceJoint::Cylindrical { axis },
            ),
            false => (
                [
                    SpaceJoint::Revolute { axis },
                    SpaceJoint::Revolute { axis: second },
                ],
                SpaceJoint::Universal {
                    first: axis,
                    second,
                },
            ),
        };
        let mut one = SpaceModelBuilder::new();
        one.gravity([0.0, 0.0, -9.81]).body("b", body.clone());
        one.joint("j", Joint::new(kind, "world", "b"));
        let mut two = SpaceModelBuilder::new();
        two.gravity([0.0, 0.0, -9.81])
            .body("between", nothing())
            .body("b", body);
        two.joint("j1", Joint::new(first_kinds[0], "world", "between"));
        two.joint("j2", Joint::new(first_kinds[1], "between", "b"));
        let (one, two) = (one.build().unwrap(), two.build().unwrap());
        let start = Start::random(&mut rng, &one);
        let mut other = start.clone();
        if matches!(kind, SpaceJoint::Cylindrical { .. }) {
            other.q.reverse();
            other.v.reverse();
        }
        let answer = |model: &Model<Space>, start: &Start| {
            let mut work = model.workspace();
            let mut placed = model.place(&mut work, start.state());
            let mut out = vec![0.0; 2];
            placed.accelerations(&[0.0; 2], &mut out).unwrap();
            (out, placed.energy().total())
        };
        let ((a, e), (mut b, f)) = (answer(&one, &start), answer(&two, &other));
        if matches!(kind, SpaceJoint::Cylindrical { .. }) {
            b.reverse();
        }
        assert!((e - f).abs() < 1e-12 * (1.0 + e.abs()));
        let size = a.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-9 * size));
        assert!(axis.dot(axis) > 0.0);
    }
}
