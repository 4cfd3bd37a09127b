//! Mechanisms of the plane and of space with closed loops against maximal coordinates with multipliers.
#![allow(clippy::unwrap_used)]

use carom_multibody::algebra::JointKind;
use carom_multibody::mechanism::{
    Closer, Contacts, Drawing, Dynamics, FrameImpulse, JointForce, MassSolver, Mechanism,
    TreeMechanism,
};
use carom_multibody::space::contact::FrameComponents;
use carom_multibody::{ConstraintRows, ConstraintSolver, Joint, Model, PointForce, Pose, State};
use carom_support::in_plane_and_space;
use carom_support::multibody::maximal::Maximal;
use carom_support::multibody::{Drawn, Parts, Start, models};
use carom_support::near::{derivative, difference};
use carom_support::random::{either_sign, full_or, list};
use fastrand::Rng;

in_plane_and_space!(
    accelerations_and_reactions_are_those_of_maximal_coordinates,
    impact_velocities_and_joint_impulses_are_those_of_maximal_coordinates,
    a_closing_joint_given_twice_changes_no_acceleration_and_is_not_unique,
    rows_and_bias_are_derivatives_of_the_residuals,
);

/// Near a singular configuration no route keeps its digits.
fn is_tame(reactions: &[f64]) -> bool {
    reactions.iter().all(|x| x.abs() < 1e3)
}

/// A joint that closes a loop and holds at this very state.
fn closing<A: Drawn>(rng: &mut Rng, parts: &Parts<A>, model: &Model<A>, start: &Start) -> Joint<A> {
    let led_to: Vec<&str> = parts.joints.iter().map(|(_, j)| &*j.child).collect();
    let child = led_to[rng.usize(0..led_to.len())];
    let parent = loop {
        let parent = [&["world"][..], &led_to].concat()[rng.usize(0..=led_to.len())];
        if parent != child {
            break parent;
        }
    };
    let kind = loop {
        let kind = A::kind(rng);
        if kind != A::Joint::free() {
            break kind.normalised().unwrap();
        }
    };
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let pose = |name: &str| placed.pose(model.body(name).unwrap());
    let (from, to) = (pose(parent), pose(child));
    let q = list(rng, kind.positions(), 1.0);
    let turned = A::inverse(kind.placement(&Pose::default(), &q).rotation);
    let relative = A::compose(A::inverse(from.rotation), to.rotation);
    let (parent_at, parent_rotation) = (A::vector(rng, 0.6), A::compose(relative, turned));
    let base = from.then(&Pose {
        rotation: parent_rotation,
        origin: parent_at,
    });
    let point = kind.placement(&base, &q).origin;
    Joint {
        parent_at,
        parent_rotation,
        child_at: A::rotate(A::inverse(to.rotation), point - to.origin),
        ..Joint::new(kind, parent, child)
    }
}

/// The mechanism with a point of one body that may touch a floor.
fn with_contact<A: Drawn>(rng: &mut Rng, parts: &Parts<A>) -> TreeMechanism<A> {
    let mut parts = parts.clone();
    let last = rng.usize(0..parts.bodies.len());
    let (name, body) = &mut parts.bodies[last];
    let tip = A::point(A::vector(rng, 0.5));
    body.shapes.push(("tip".to_owned(), tip));
    let name = name.clone();
    let mut builder = parts.builder();
    builder.world_shape("floor", A::half_space(A::lowered([0.48, 0.6, 0.64])));
    let model = builder.build().unwrap();
    let features = A::features(&model, (&name, "tip"), ("world", "floor"));
    TreeMechanism::new(model, features)
}

fn solver<M: Mechanism>(mechanism: &mut M, state: State<'_>) -> ConstraintSolver {
    let mut solver = ConstraintSolver::default();
    mechanism.mass(state, solver.matrix(state.v.len()));
    mechanism.constraint_rows(state, solver.rows_mut());
    solver.factor().unwrap();
    solver
}

/// Random mechanisms with loops, at states that close them, their constraints independent.
pub(crate) fn closed<A: Drawn>(
    rng: &mut Rng,
    full: usize,
) -> Vec<(Parts<A>, TreeMechanism<A>, Start)> {
    let mut found = Vec::new();
    for (mut parts, model) in models(rng, full) {
        if parts.joints.len() < 2 || model.rates() < A::RATES.len() {
            continue;
        }
        let mut start = Start::random(rng, &model);
        for k in 0..1 + rng.usize(0..2) {
            let joint = closing(rng, &parts, &model, &start);
            parts.joints.push((format!("c{k}"), joint));
        }
        let mut mechanism = with_contact(rng, &parts);
        let mut rows = ConstraintRows::default();
        mechanism.constraint_rows(start.state(), &mut rows);
        let open = rows
            .value
            .iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(open < 1e-13, "{:?}", rows.value);
        let mut closer = Closer::default();
        closer.settle(&mut mechanism, start.t, &mut start.q, &mut start.v);
        let open = closer.worst(&mut mechanism, start.state()).unwrap();
        let rank = solver(&mut mechanism, start.state()).rank();
        if open.value.abs() < 1e-11 && rank == mechanism.constraints() {
            found.push((parts, mechanism, start));
        }
    }
    found
}

/// What a sweep over so many mechanisms must have compared at least.
const fn enough(full: usize) -> usize {
    full_or(full / 10, full / 1000)
}

fn accelerations_and_reactions_are_those_of_maximal_coordinates<A: Drawn>() {
    let mut rng = Rng::with_seed(61);
    let mut seen = 0;
    for (parts, mut mechanism, start) in closed::<A>(&mut rng, A::MODELS) {
        let (mut a, mut forces) = (vec![0.0; mechanism.rates()], Vec::new());
        let (mut solver, state) = (MassSolver::default(), start.state());
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
        if !is_tame(&other.reactions) {
            continue;
        }
        seen += 1;
        let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
        let balance = placed.balance(&a, &[]);
        let found = model.bodies().iter().zip(centers).flat_map(|(record, at)| {
            let a = balance.acceleration(record.id, at);
            A::numbers(a.angular, a.linear)
        });
        let found: Vec<f64> = found.collect();
        let apart = difference(&found, &other.accelerations);
        assert!(apart < 1e-10, "{apart:e}");
        assert!(forces.iter().all(JointForce::is_unique));
        let apart = difference(&A::carried(&forces), &other.reactions);
        assert!(apart < 1e-9, "{apart:e}");
    }
    assert!(seen >= enough(A::MODELS), "{seen}");
}

/// Angular velocities, and velocities of points, of all bodies.
fn velocities<A: Drawn>(model: &Model<A>, start: &Start, points: &[A::Vector]) -> Vec<f64> {
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let bodies = model.bodies().iter().zip(points);
    let numbers = bodies.flat_map(|(record, at)| {
        let v = placed.velocity(record.id, *at);
        A::numbers(placed.twist(record.id).angular, v)
    });
    numbers.collect()
}

fn impact_velocities_and_joint_impulses_are_those_of_maximal_coordinates<A: Drawn>() {
    let mut rng = Rng::with_seed(62);
    let mut seen = 0;
    for (_, mut mechanism, start) in closed::<A>(&mut rng, A::MODELS) {
        let (model, state) = (mechanism.model().clone(), start.state());
        let mut t = [either_sign(&mut rng, 0.5), either_sign(&mut rng, 0.5)];
        let place = mechanism.contact_place(state, 0).unwrap();
        t[place.tangents.len().min(2)..].fill(0.0);
        let impulse = FrameComponents { n: rng.f64(), t };
        let along = |direction: [f64; 3], part: f64| A::lowered(direction) * part;
        let slides = place.tangents.into_iter().zip(t);
        let force = slides.fold(along(place.normal, impulse.n), |sum, (tangent, part)| {
            sum + along(tangent, part)
        });
        let body = model.bodies().iter().find(|r| !r.body.shapes.is_empty());
        let impulses = [PointForce {
            body: body.unwrap().id,
            point: A::lowered(place.point),
            force,
        }];
        let mut work = model.workspace();
        let placed = model.place(&mut work, state);
        let mut other = Maximal::new(&placed, start.t).impulsive();
        other.add_forces(&impulses);
        let other = other.solve();
        if !is_tame(&other.reactions) {
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
        let mut after = start.clone();
        after.v.iter_mut().zip(&jump).for_each(|(v, j)| *v += j);
        let before = velocities(&model, &start, &centers);
        let found = velocities(&model, &after, &centers).into_iter().zip(before);
        let found: Vec<f64> = found.map(|(after, before)| after - before).collect();
        let apart = difference(&found, &other.accelerations);
        assert!(apart < 1e-10, "{apart:e}");
        let acting = [FrameImpulse {
            contact: 0,
            impulse,
            spin: 0.0,
        }];
        let mut forces = Vec::new();
        mechanism.frame_impulse_reactions(state, &jump, &acting, &mut forces);
        assert!(forces.iter().all(JointForce::is_unique));
        let apart = difference(&A::carried(&forces), &other.reactions);
        assert!(apart < 1e-10, "{apart:e}");
    }
    assert!(seen >= enough(A::MODELS), "{seen}");
}

fn a_closing_joint_given_twice_changes_no_acceleration_and_is_not_unique<A: Drawn>() {
    let mut rng = Rng::with_seed(63);
    let mut seen = 0;
    for (mut parts, mut once, start) in closed::<A>(&mut rng, 300) {
        let (name, joint) = parts.joints.last().cloned().unwrap();
        parts.joints.push(("again".to_owned(), joint));
        let mut twice = TreeMechanism::new(parts.build(), Vec::new());
        let (state, n) = (start.state(), once.rates());
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let mut solver = MassSolver::default();
        once.accelerations(state, &mut solver, &mut a).unwrap();
        twice.accelerations(state, &mut solver, &mut b).unwrap();
        let (mut single, mut double) = (Vec::new(), Vec::new());
        once.reactions(state, &a, &mut single);
        twice.reactions(state, &b, &mut double);
        if !is_tame(&A::carried(&single)) {
            continue;
        }
        seen += 1;
        assert!(difference(&a, &b) < 1e-10);
        let groups = twice.groups();
        let at = |name: &str| groups.iter().position(|g| g.name == name).unwrap();
        let pair = [double[at(&name)], double[at("again")]];
        assert!(!pair[0].is_unique() && !pair[1].is_unique());
        let [first, second] = pair.map(|force| A::carried(&[force]));
        assert!(difference(&first, &second) < 1e-10);
        let whole = first.iter().zip(&second).map(|(a, b)| a + b);
        let whole: Vec<f64> = whole.collect();
        let k = once.groups().iter().position(|g| g.name == name).unwrap();
        assert!(difference(&whole, &A::carried(&single[k..k + 1])) < 1e-9);
        let others = |k: usize| groups[k].name != name && groups[k].name != "again";
        for k in (0..double.len()).filter(|k| others(*k)) {
            assert!(double[k].is_unique());
        }
    }
    assert!(seen >= enough(300), "{seen}");
}

fn rows_and_bias_are_derivatives_of_the_residuals<A: Drawn>() {
    let mut rng = Rng::with_seed(64);
    for (_, mut mechanism, start) in closed::<A>(&mut rng, 300) {
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
        for k in 0..mechanism.constraints() {
            let mut at = |h: f64| {
                let mut rows = ConstraintRows::default();
                let later = start.after(&model, h, &a);
                mechanism.constraint_rows(later.state(), &mut rows);
                [rows.value[k], rows.rate(k, &later.v)]
            };
            let rate = derivative(|h| at(h)[0], 1e-3);
            assert!(rate.abs() < 1e-8, "{rate:e}");
            let acceleration = derivative(|h| at(h)[1], 1e-3);
            assert!(
                acceleration.abs() < 1e-7 * scale,
                "{acceleration:e} {scale}"
            );
        }
    }
}
