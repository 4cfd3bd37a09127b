//! Mechanisms in space with closed loops against maximal coordinates with multipliers.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::algebra::JointKind as _;
use carom_multibody::mechanism::{
    Closer, FrameImpulse, JointForce, MassSolver, Mechanism, SpaceMechanism,
};
use carom_multibody::space::contact::{FrameComponents, Solid, SolidShape};
use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{
    ConstraintRows, ConstraintSolver, Joint, Model, PointForce, Pose, State, Vector,
};
use common::maximal_space::Maximal;
use common::space::{Parts, Start, models, random_kind, vector};
use common::{count, spread};
use fastrand::Rng;

/// Largest difference of two lists over the largest number in them, 1 at least.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().chain(b).all(|x| x.is_finite()), "{a:?} {b:?}");
    let scale = a.iter().chain(b).fold(1.0, |s: f64, x| s.max(x.abs()));
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, f64::max) / scale
}

fn flat(forces: &[JointForce]) -> Vec<f64> {
    let six = |f: &JointForce| f.force.into_iter().chain(f.moment);
    forces.iter().flat_map(six).collect()
}

/// Near a singular configuration no route keeps its digits.
fn is_tame(reactions: &[f64]) -> bool {
    reactions.iter().all(|x| x.abs() < 1e3)
}

/// A joint that closes a loop and holds at this very state.
fn closing(rng: &mut Rng, parts: &Parts, model: &Model<Space>, start: &Start) -> Joint<Space> {
    let led_to: Vec<&str> = parts.joints.iter().map(|(_, j)| &*j.child).collect();
    let child = led_to[rng.usize(0..led_to.len())];
    let parent = loop {
        let parent = [&["world"][..], &led_to].concat()[rng.usize(0..=led_to.len())];
        if parent != child {
            break parent;
        }
    };
    let kind = loop {
        let kind = random_kind(rng);
        if kind != SpaceJoint::Free {
            break kind.normalised().unwrap();
        }
    };
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let pose = |name: &str| placed.pose(model.body(name).unwrap());
    let (from, to) = (pose(parent), pose(child));
    let q: Vec<f64> = (0..kind.positions()).map(|_| spread(rng, 1.0)).collect();
    let turned = kind.placement(&Pose::default(), &q).rotation.inverse();
    let parent_rotation = from.rotation.inverse().then(&to.rotation).then(&turned);
    let parent_at = vector(rng, 0.6);
    let base = from.then(&Pose {
        rotation: parent_rotation,
        origin: parent_at,
    });
    let point = kind.placement(&base, &q).origin;
    Joint {
        parent_at,
        parent_rotation,
        child_at: to.rotation.undo(point - to.origin),
        ..Joint::new(kind, parent, child)
    }
}

/// The mechanism with a point of one body that may touch a floor.
fn with_contact(rng: &mut Rng, parts: &Parts) -> SpaceMechanism {
    let mut parts = parts.clone();
    let last = rng.usize(0..parts.bodies.len());
    let at = vector(rng, 0.5);
    let (name, body) = &mut parts.bodies[last];
    let tip = SolidShape::new(Solid::Point).at(at);
    body.shapes.push(("tip".to_owned(), tip));
    let name = name.clone();
    let mut builder = parts.builder();
    let normal = [0.48, 0.6, 0.64].into();
    builder.world_shape("floor", SolidShape::new(Solid::HalfSpace { normal }));
    let model = builder.build().unwrap();
    let features = model.features((&name, "tip"), ("world", "floor")).unwrap();
    SpaceMechanism::new(model, features)
}

fn solver<M: Mechanism>(mechanism: &mut M, state: State<'_>) -> ConstraintSolver {
    let mut solver = ConstraintSolver::default();
    mechanism.mass(state, solver.matrix(state.v.len()));
    mechanism.constraint_rows(state, solver.rows_mut());
    solver.factor().unwrap();
    solver
}

/// Random mechanisms with loops, at states that close them, their constraints independent.
pub(crate) fn closed(rng: &mut Rng, full: usize) -> Vec<(Parts, SpaceMechanism, Start)> {
    let mut found = Vec::new();
    for (mut parts, model) in models(rng, full) {
        if parts.joints.len() < 2 || model.rates() < 6 {
            continue;
        }
        let mut start = Start::random(rng, &model);
        for k in 0..1 + rng.usize(0..2) {
            let joint = closing(rng, &parts, &model, &start);
            parts.joints.push((format!("c{k}"), joint));
        }
        let mut mechanism = with_contact(rng, &parts);
        let mut closer = Closer::default();
        let mut rows = ConstraintRows::default();
        mechanism.constraint_rows(start.state(), &mut rows);
        assert!(
            rows.value.iter().all(|x| x.abs() < 1e-13),
            "{:?}",
            rows.value
        );
        closer.settle(&mut mechanism, start.t, &mut start.q, &mut start.v);
        let open = closer.worst(&mut mechanism, start.state()).unwrap();
        let rank = solver(&mut mechanism, start.state()).rank();
        if open.value.abs() < 1e-11 && rank == mechanism.constraints() {
            found.push((parts, mechanism, start));
        }
    }
    found
}

#[test]
fn accelerations_and_reactions_are_those_of_maximal_coordinates() {
    let mut rng = Rng::with_seed(161);
    let mut seen = 0;
    for (parts, mut mechanism, start) in closed(&mut rng, 1000) {
        let (mut a, mut forces) = (vec![0.0; mechanism.rates()], Vec::new());
        let mut solver = MassSolver::default();
        let state = start.state();
        mechanism.accelerations(state, &mut solver, &mut a).unwrap();
        mechanism.reactions(state, &a, &mut forces);
        let model = mechanism.model().clone();
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, state);
        let mut other = Maximal::new(&placed, start.t);
        for (_, load) in &parts.loads {
            other.add_load(load);
        }
        let other = other.solve();
        assert!(other.violation < 1e-10, "{:e}", other.violation);
        let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
        let balance = placed.balance(&a, &[]);
        let found = model.bodies().iter().zip(centers).flat_map(|(record, at)| {
            let a = balance.acceleration(record.id, at);
            [a.angular.0, a.linear.0]
        });
        let found: Vec<[f64; 3]> = found.collect();
        if !is_tame(other.reactions.as_flattened()) {
            continue;
        }
        seen += 1;
        let apart = difference(found.as_flattened(), other.accelerations.as_flattened());
        assert!(apart < 1e-10, "{apart:e}");
        assert!(forces.iter().all(JointForce::is_unique));
        let apart = difference(&flat(&forces), other.reactions.as_flattened());
        assert!(apart < 1e-10, "{apart:e}");
    }
    assert!(seen >= count(100), "{seen}");
}

#[test]
fn impact_velocities_and_joint_impulses_are_those_of_maximal_coordinates() {
    let mut rng = Rng::with_seed(162);
    let mut seen = 0;
    for (_, mut mechanism, start) in closed(&mut rng, 1000) {
        let (model, state) = (mechanism.model().clone(), start.state());
        let t = [spread(&mut rng, 0.5), spread(&mut rng, 0.5)];
        let impulse = FrameComponents { n: rng.f64(), t };
        let place = mechanism.contact_place(state, 0).unwrap();
        let [t1, t2] = place.tangents.map(Vector);
        let body = model.bodies().iter().find(|r| !r.body.shapes.is_empty());
        let impulses = [PointForce {
            body: body.unwrap().id,
            point: Vector(place.point),
            force: Vector(place.normal) * impulse.n + t1 * impulse.t[0] + t2 * impulse.t[1],
        }];
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, state);
        let mut other = Maximal::new(&placed, start.t).impulsive();
        other.add_forces(&impulses);
        let other = other.solve();
        if !is_tame(other.reactions.as_flattened()) {
            continue;
        }
        seen += 1;
        let mut jump = vec![0.0; model.rates()];
        placed.add_generalised(&impulses, &mut jump);
        jump.iter_mut().for_each(|x| *x = -*x);
        let mut solver = solver(&mut mechanism, state);
        solver.rows_mut().bias.fill(0.0);
        solver.accelerate(&mut jump);
        let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
        // Jumps of the velocities: prescribed rates stay, so that only those of the free ones add.
        let balance = placed.impulse_balance(&jump, &impulses);
        let found = model.bodies().iter().zip(centers).flat_map(|(record, at)| {
            let v = balance.velocity_jump(record.id, at);
            [v.angular.0, v.linear.0]
        });
        let found: Vec<[f64; 3]> = found.collect();
        let apart = difference(found.as_flattened(), other.accelerations.as_flattened());
        assert!(apart < 1e-10, "{apart:e}");
        let (acting, mut forces) = (
            [FrameImpulse {
                contact: 0,
                impulse,
            }],
            Vec::new(),
        );
        mechanism.frame_impulse_reactions(state, &jump, &acting, &mut forces);
        assert!(forces.iter().all(JointForce::is_unique));
        let apart = difference(&flat(&forces), other.reactions.as_flattened());
        assert!(apart < 1e-10, "{apart:e}");
    }
    assert!(seen >= count(100), "{seen}");
}

#[test]
fn a_closing_joint_given_twice_changes_no_acceleration_and_is_not_unique() {
    let mut rng = Rng::with_seed(163);
    let mut seen = 0;
    for (mut parts, mut once, start) in closed(&mut rng, 300) {
        let (name, joint) = parts.joints.last().cloned().unwrap();
        parts.joints.push(("again".to_owned(), joint));
        let mut twice = SpaceMechanism::new(parts.build(), Vec::new());
        let (state, n) = (start.state(), once.rates());
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let mut solver = MassSolver::default();
        once.accelerations(state, &mut solver, &mut a).unwrap();
        twice.accelerations(state, &mut solver, &mut b).unwrap();
        let (mut single, mut double) = (Vec::new(), Vec::new());
        once.reactions(state, &a, &mut single);
        twice.reactions(state, &b, &mut double);
        if !is_tame(&flat(&single)) {
            continue;
        }
        seen += 1;
        assert!(difference(&a, &b) < 1e-10);
        let groups = twice.groups();
        let at = |name: &str| groups.iter().position(|g| g.name == name).unwrap();
        let (first, second) = (double[at(&name)], double[at("again")]);
        assert!(!first.is_unique() && !second.is_unique());
        assert!(difference(&flat(&[first]), &flat(&[second])) < 1e-10);
        let whole = flat(&[first]).into_iter().zip(flat(&[second]));
        let whole: Vec<f64> = whole.map(|(a, b)| a + b).collect();
        let k = once.groups().iter().position(|g| g.name == name).unwrap();
        assert!(difference(&whole, &flat(&single[k..k + 1])) < 1e-9);
        let others = |k: usize| groups[k].name != name && groups[k].name != "again";
        for k in (0..double.len()).filter(|k| others(*k)) {
            assert!(double[k].is_unique());
        }
    }
    assert!(seen >= count(60), "{seen}");
}

#[test]
fn the_rates_of_the_residuals_stay_zero_along_the_motion() {
    let mut rng = Rng::with_seed(164);
    for (_, mut mechanism, start) in closed(&mut rng, 300) {
        let mut a = vec![0.0; mechanism.rates()];
        let mut solver = MassSolver::default();
        mechanism
            .accelerations(start.state(), &mut solver, &mut a)
            .unwrap();
        let scale = a.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        if scale > 1e3 {
            continue;
        }
        let model = mechanism.model().clone();
        let m = mechanism.constraints();
        for k in 0..m {
            let rate = |h: f64| {
                let mut rows = ConstraintRows::default();
                let later = start.after(&model, h, &a);
                let mut placed = mechanism.clone();
                placed.constraint_rows(later.state(), &mut rows);
                rows.rate(k, &later.v)
            };
            let acceleration = common::derivative(rate, 1e-3);
            assert!(
                acceleration.abs() < 1e-7 * scale,
                "{acceleration:e} {scale}"
            );
        }
    }
}
