//! Mechanisms with closed loops against maximal coordinates with multipliers.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::algebra::JointKind as _;
use carom_multibody::mechanism::{
    Closer, ContactImpulse, JointForce, MassSolver, Mechanism, PlaneMechanism,
};
use carom_multibody::plane::{Plane, PlaneJoint};

use carom_multibody::contact::{ContactComponents, Outline, Shape};
use carom_multibody::{ConstraintRows, Joint, Model, PointForce, Pose, State, Vector};
use common::{count, derivative, spread};
use fastrand::Rng;

/// Largest difference of two lists over the largest number in them, 1 at least.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().chain(b).all(|x| x.is_finite()), "{a:?} {b:?}");
    let scale = a.iter().chain(b).fold(1.0, |s: f64, x| s.max(x.abs()));
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, f64::max) / scale
}

/// Two different bodies, the second with a joint of its own that leads to it.
fn ends(rng: &mut Rng, led_to: &[String]) -> (String, String) {
    let child = led_to[rng.usize(0..led_to.len())].clone();
    loop {
        let parent = match rng.usize(0..=led_to.len()) {
            0 => "world".to_owned(),
            p => led_to[p - 1].clone(),
        };
        if parent != child {
            return (parent, child);
        }
    }
}

pub(crate) mod plane {
    use super::*;
    use common::maximal::Maximal;
    use common::{Parts, Start, models, vector};

    fn flat(forces: &[JointForce]) -> Vec<f64> {
        let three = |f: &JointForce| [f.force[0], f.force[1], f.moment[2]];
        forces.iter().flat_map(three).collect()
    }

    /// A joint that closes a loop and holds at this very state.
    fn closing(rng: &mut Rng, parts: &Parts, model: &Model<Plane>, start: &Start) -> Joint<Plane> {
        let led_to: Vec<String> = parts.joints.iter().map(|(_, j)| j.child.clone()).collect();
        let (parent, child) = ends(rng, &led_to);
        let kind = match rng.usize(0..5) {
            0 | 1 => PlaneJoint::Revolute,
            2 | 3 => PlaneJoint::Prismatic {
                axis: vector(rng, 1.0),
            }
            .normalised()
            .unwrap(),
            _ => PlaneJoint::Fixed,
        };
        let mut work = model.workspace();
        let placed = model.place(&mut work, start.state());
        let pose = |name: &str| placed.pose(model.body(name).unwrap());
        let (from, to) = (pose(&parent), pose(&child));
        let q: Vec<f64> = (0..kind.positions()).map(|_| spread(rng, 1.0)).collect();
        let turned = match kind {
            PlaneJoint::Revolute => q[0],
            _ => 0.0,
        };
        let parent_at = vector(rng, 0.6);
        let parent_rotation = (to.rotation.radians() - from.rotation.radians() - turned).into();
        let base = from.then(&Pose {
            rotation: parent_rotation,
            origin: parent_at,
        });
        let point = kind.placement(&base, &q).origin;
        Joint {
            parent_at,
            parent_rotation,
            child_at: to.rotation.undo(point - to.origin),
            ..Joint::new(kind, &parent, &child)
        }
    }

    /// Random mechanisms with loops, at states that close them.
    pub(crate) fn closed(rng: &mut Rng, full: usize) -> Vec<(Parts, PlaneMechanism, Start)> {
        let mut found = Vec::new();
        for (mut parts, model) in models(rng, full) {
            if parts.joints.len() < 2 {
                continue;
            }
            let mut start = Start::random(rng, &model);
            for k in 0..1 + rng.usize(0..2) {
                let joint = closing(rng, &parts, &model, &start);
                parts.joints.push((format!("c{k}"), joint));
            }
            let mut mechanism = with_contact(rng, &parts);
            let mut closer = Closer::default();
            closer.settle(&mut mechanism, start.t, &mut start.q, &mut start.v);
            let open = closer.worst(&mut mechanism, start.state()).unwrap();
            let is_closed = open.value.abs() < 1e-11;
            if is_closed && rank(&mut mechanism, &start) == mechanism.constraints() {
                found.push((parts, mechanism, start));
            }
        }
        found
    }

    /// The mechanism with a point of one body that may touch a floor.
    fn with_contact(rng: &mut Rng, parts: &Parts) -> PlaneMechanism {
        let mut parts = parts.clone();
        let last = rng.usize(0..parts.bodies.len());
        let at = vector(rng, 0.5);
        let (name, body) = &mut parts.bodies[last];
        let tip = Shape::new(Outline::Point).at(at);
        body.shapes.push(("tip".to_owned(), tip));
        let name = name.clone();
        let mut builder = parts.builder();
        let normal = [0.6, 0.8].into();
        builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal }));
        let model = builder.build().unwrap();
        let features = model.features((&name, "tip"), ("world", "floor")).unwrap();
        PlaneMechanism::new(model, features)
    }

    fn rank(mechanism: &mut PlaneMechanism, start: &Start) -> usize {
        super::rank(mechanism, start.state())
    }

    #[test]
    fn accelerations_and_reactions_are_those_of_maximal_coordinates() {
        let mut rng = Rng::with_seed(61);
        let mut seen = 0;
        for (parts, mut mechanism, start) in closed(&mut rng, 2000) {
            let (mut a, mut forces) = (vec![0.0; mechanism.rates()], Vec::new());
            let mut solver = MassSolver::default();
            mechanism
                .accelerations(start.state(), &mut solver, &mut a)
                .unwrap();
            mechanism.reactions(start.state(), &a, &mut forces);
            let model = mechanism.model().clone();
            let mut work = model.workspace();
            let mut placed = model.place(&mut work, start.state());
            let mut other = Maximal::new(&placed, start.t);
            parts
                .loads
                .iter()
                .for_each(|(_, load)| other.add_load(load));
            let other = other.solve();
            assert!(other.violation < 1e-10, "{:e}", other.violation);
            let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
            let balance = placed.balance(&a, &[]);
            let found = model.bodies().iter().zip(centers).map(|(record, at)| {
                let a = balance.acceleration(record.id, at);
                [a.angular, a.linear.0[0], a.linear.0[1]]
            });
            let found: Vec<[f64; 3]> = found.collect();
            let apart = difference(found.as_flattened(), other.accelerations.as_flattened());
            if !super::is_tame(other.reactions.as_flattened()) {
                continue;
            }
            seen += 1;
            assert!(apart < 1e-10, "{apart:e}");
            assert!(forces.iter().all(JointForce::is_unique));
            let apart = difference(&flat(&forces), other.reactions.as_flattened());
            assert!(apart < 1e-10, "{apart:e}");
        }
        assert!(seen >= count(400), "{seen}");
    }

    #[test]
    fn impact_velocities_and_joint_impulses_are_those_of_maximal_coordinates() {
        let mut rng = Rng::with_seed(62);
        let mut seen = 0;
        for (_, mut mechanism, start) in closed(&mut rng, 2000) {
            let model = mechanism.model().clone();
            let impulse = ContactComponents {
                n: rng.f64(),
                t: spread(&mut rng, 0.5),
            };
            let place = mechanism.contact_place(start.state(), 0).unwrap();
            let [n, t] = [place.normal, place.tangents[0]].map(|d| Vector([d[0], d[1]]));
            let body = model.bodies().iter().find(|r| !r.body.shapes.is_empty());
            let impulses = [PointForce {
                body: body.unwrap().id,
                point: Vector([place.point[0], place.point[1]]),
                force: n * impulse.n + t * impulse.t,
            }];
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            let mut push = vec![0.0; model.rates()];
            placed.add_generalised(&impulses, &mut push);
            let mut other = Maximal::new(&placed, start.t).impulsive();
            other.add_forces(&impulses);
            let other = other.solve();
            if !super::is_tame(other.reactions.as_flattened()) {
                continue;
            }
            let jump = super::jump(&mut mechanism, start.state(), &push);
            let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
            let rest: Vec<_> = super::velocities_plane(&model, &start, &centers);
            let mut after = start.clone();
            after.v.iter_mut().zip(&jump).for_each(|(v, j)| *v += j);
            let moved: Vec<_> = super::velocities_plane(&model, &after, &centers);
            let found: Vec<f64> = moved.iter().zip(&rest).map(|(a, b)| a - b).collect();
            let apart = difference(&found, other.accelerations.as_flattened());
            assert!(apart < 1e-10, "{apart:e}");
            let (acting, mut forces) = (
                [ContactImpulse {
                    contact: 0,
                    impulse,
                }],
                Vec::new(),
            );
            mechanism.impulse_reactions(start.state(), &jump, &acting, &mut forces);
            assert!(forces.iter().all(JointForce::is_unique));
            let apart = difference(&flat(&forces), other.reactions.as_flattened());
            assert!(apart < 1e-10, "{apart:e}");
            seen += 1;
        }
        assert!(seen >= count(400), "{seen}");
    }

    #[test]
    fn rows_and_bias_are_derivatives_of_the_residuals() {
        let mut rng = Rng::with_seed(63);
        for (_, mut mechanism, start) in closed(&mut rng, 300) {
            let mut a = vec![0.0; mechanism.rates()];
            let mut solver = MassSolver::default();
            mechanism
                .accelerations(start.state(), &mut solver, &mut a)
                .unwrap();
            let mut rows = ConstraintRows::default();
            mechanism.constraint_rows(start.state(), &mut rows);
            for k in 0..rows.count() {
                let mut value = |h: f64| {
                    let mut rows = ConstraintRows::default();
                    let later = start.after_2(h, &a);
                    mechanism.constraint_rows(later.state(), &mut rows);
                    rows.value[k]
                };
                let rate = derivative(&mut value, 1e-3);
                assert!(rate.abs() < 1e-8, "{rate:e}");
                let mut rate = |h: f64| {
                    let mut rows = ConstraintRows::default();
                    let later = start.after_2(h, &a);
                    mechanism.constraint_rows(later.state(), &mut rows);
                    rows.rate(k, &later.v)
                };
                let scale = a.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
                let acceleration = derivative(&mut rate, 1e-3);
                assert!(acceleration.abs() < 1e-7 * scale, "{acceleration:e}");
            }
        }
    }
}

fn velocities_plane(
    model: &Model<Plane>,
    start: &common::Start,
    centers: &[Vector<2>],
) -> Vec<f64> {
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let bodies = model.bodies().iter().zip(centers);
    let six = bodies.flat_map(|(record, at)| {
        let v = placed.velocity(record.id, *at);
        [placed.twist(record.id).angular, v.0[0], v.0[1]]
    });
    six.collect()
}

/// Whether reactions are of the size of what acts: near a singular configuration no route keeps its
/// digits.
fn is_tame(reactions: &[f64]) -> bool {
    reactions.iter().all(|x| x.abs() < 1e3)
}

fn rank<M: Mechanism>(mechanism: &mut M, state: State<'_>) -> usize {
    let mut solver = carom_multibody::ConstraintSolver::default();
    mechanism.mass(state, solver.matrix(state.v.len()));
    mechanism.constraint_rows(state, solver.rows_mut());
    solver.factor().unwrap();
    solver.rank()
}

/// Jump of the rates under generalised impulses, the loops kept closed.
fn jump<M: Mechanism>(mechanism: &mut M, state: State<'_>, push: &[f64]) -> Vec<f64> {
    let mut solver = carom_multibody::ConstraintSolver::default();
    mechanism.mass(state, solver.matrix(state.v.len()));
    mechanism.constraint_rows(state, solver.rows_mut());
    solver.rows_mut().bias.fill(0.0);
    solver.factor().unwrap();
    let mut jump: Vec<f64> = push.iter().map(|p| -p).collect();
    solver.accelerate(&mut jump);
    jump
}
