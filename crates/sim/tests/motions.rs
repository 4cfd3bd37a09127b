//! Impacts of mechanisms with prescribed motions, solved again alone.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::Friction;
use carom_contact::impact::{ImpactResult, Law, Method, NoteCode, Tangential, solve};
use carom_multibody::contact::Outline;
use carom_multibody::mechanism::{
    ContactDrift, ContactImpulse, Contacts, Drawing, Dynamics, Gap, Guards, JointForce, Rows,
    Setting, SpaceMechanism, TreeMechanism,
};
use carom_multibody::space::contact::{FrameComponents, Solid, SolidShape};
use carom_multibody::space::{Rotation, SpaceJoint};
use carom_multibody::{Body, Joint, Motion, SpaceModelBuilder, State};
use carom_sim::record::{EventRecord, record};
use carom_sim::{Event, Options, Rule, Run, Setup, run};
use carom_support::random::{either_sign, seeds};
use common::lift::lift;
use common::spec::{Draw, Spec};

const DRAW: Draw = Draw {
    laws: &[Law::Newton, Law::Poisson, Law::Energetic, Law::Moreau],
    max_friction: 0.8,
    max_frequency: 10.0,
    max_stiffness: 200.0,
    duration: 1.0,
};

/// What the impacts compared were like.
#[derive(Debug, Default)]
struct Tally {
    impacts: usize,
    rough: usize,
    several: usize,
    /// Motions that have an impulse.
    pushed: usize,
    /// Impacts in which the motions do work.
    worked: usize,
}

fn motion_from(rng: &mut fastrand::Rng, q: f64) -> Motion {
    let (amplitude, phase) = (either_sign(rng, 0.3), either_sign(rng, 3.0));
    Motion {
        offset: q - amplitude * phase.sin(),
        rate: either_sign(rng, 1.0),
        amplitude,
        frequency: 5.0 * rng.f64(),
        phase,
    }
}

/// A random plane mechanism, half of whose revolute and prismatic joints move as prescribed; every
/// fourth of the bodies they carry has no mass.
fn moved_spec(seed: u64) -> Spec {
    let mut spec = Spec::random(seed, &DRAW);
    spec.options.max_events = 40;
    let rng = &mut fastrand::Rng::with_seed(seed + 1);
    for (start, (_, body)) in spec.starts.iter_mut().zip(&mut spec.bodies) {
        if start.q.len() != 1 || rng.bool() {
            continue;
        }
        start.joint.motion = Some(motion_from(rng, start.q[0]));
        (start.joint.limits, start.joint.drive) = (None, None);
        if rng.usize(..4) == 0 {
            (body.mass, body.inertia) = (0.0, 0.0);
        }
    }
    spec
}

fn near(what: &str, (a, b): (f64, f64), scale: f64) -> Result<(), String> {
    match (a - b).abs() <= 1e-10 * scale {
        true => Ok(()),
        false => Err(format!("{what}: {a:e}, in the run {b:e}, of {scale:e}")),
    }
}

fn parts(impulse: Option<Tangential>) -> [f64; 2] {
    match impulse {
        Some(Tangential::Plane(t)) => [t, 0.0],
        Some(Tangential::Space(t)) => t,
        None => [0.0; 2],
    }
}

/// Impulses of the contacts of a result.
fn impulses(again: &ImpactResult) -> Vec<FrameComponents> {
    let contacts = again.contacts.iter();
    let impulse = contacts.map(|contact| FrameComponents {
        n: contact.impulse.normal.unwrap(),
        t: parts(contact.impulse.tangent),
    });
    impulse.collect()
}

/// The contacts of a run's event do the same in the problem solved alone.
fn compare_contacts(again: &ImpactResult, event: &Event, scale: f64) -> Result<(), String> {
    let found = impulses(again);
    let wanted: Vec<f64> = match &event.what {
        carom_sim::Happening::Impact(impact) => vec![impact.solution.end.unwrap().impulse.n],
        carom_sim::Happening::Collision(collision) => collision.impulses.clone(),
        _ => Vec::new(),
    };
    // A graze has the round-off of momenta far above its own impulse.
    let largest = wanted.iter().fold(1e-3f64, |a, b| a.max(b.abs()));
    for (found, wanted) in found.iter().zip(&wanted) {
        near("normal impulse", (found.n, *wanted), largest)?;
    }
    if let Some(impact) = event.impact() {
        let t = impact.solution.end.unwrap().impulse.t;
        let [d_1, d_2] = impact.direction.unwrap_or([1.0, 0.0]);
        near("first tangent", (found[0].t[0], d_1 * t), largest)?;
        near("second tangent", (found[0].t[1], d_2 * t), largest)?;
    }
    let normal = again.contacts.iter().filter_map(|c| c.work.normal);
    let friction = again.contacts.iter().map(|c| parts(c.work.tangent));
    let [wanted_normal, wanted_friction] = event.works();
    near("normal work", (normal.sum(), wanted_normal), scale)?;
    let friction = friction.map(|[a, b]| a + b).sum();
    near("friction work", (friction, wanted_friction), scale)
}

/// Every motion has the impulse that the balance of impulses of the whole mechanism gives it.
fn compare_motions<A: Setting>(
    mechanism: &mut TreeMechanism<A>,
    again: &ImpactResult,
    event: &Event,
    tally: &mut Tally,
) -> Result<(), String> {
    let (model, features) = (mechanism.model().clone(), mechanism.features().to_vec());
    let jump: Vec<f64> = event
        .v_post
        .iter()
        .zip(&event.v_pre)
        .map(|(a, b)| a - b)
        .collect();
    let mut placed = mechanism.place(State::new(event.time, &event.q, &event.v_pre));
    let mut forces = Vec::new();
    for (contact, impulse) in event.contacts().iter().zip(impulses(again)) {
        if let Some(feature) = features.get(*contact) {
            forces.extend(A::forces(&A::touch(&placed, feature, None), impulse));
        }
    }
    let rates: Vec<f64> = model
        .prescribed()
        .filter_map(|j| placed.motion_rate(j))
        .collect();
    let balance = placed.impulse_balance(&jump, &forces);
    let terms = impulses(again)
        .into_iter()
        .map(|p| p.n.abs() + p.t[0].abs() + p.t[1].abs());
    let scale = terms.sum::<f64>().max(1e-3);
    assert_eq!(again.constraints.len(), rates.len());
    let motions = model.prescribed().zip(&again.constraints).zip(&rates);
    for ((joint, constraint), rate) in motions {
        let name = &model.joints()[joint.index()].name;
        assert_eq!(constraint.name, format!("prescribed motion of {name}"));
        let wanted = balance.motion_impulse(joint).unwrap();
        let found = constraint.impulse.as_ref().unwrap()[0];
        near("impulse of a motion", (found, wanted), 10.0 * scale)?;
        let work = constraint.work.unwrap();
        near("work of a motion", (work, wanted * rate), 10.0 * scale)?;
        tally.pushed += usize::from(found.abs() > 1e-6 * scale);
    }
    let after = &again.velocity.as_ref().unwrap()[event.v_post.len()..];
    assert_eq!(after.len(), rates.len());
    for (after, rate) in after.iter().zip(&rates) {
        near("prescribed rate", (*after, *rate), rate.abs())?;
    }
    Ok(())
}

fn compare<A: Setting>(
    mechanism: &mut TreeMechanism<A>,
    (written, event): (&EventRecord, &Event),
    tally: &mut Tally,
) -> Result<(), String> {
    let posed = written.problem.as_ref().unwrap();
    let again = solve(&posed.problem, posed.law, Method::Complementarity).unwrap();
    let (Some(velocity), Some(change)) = (&again.velocity, event.energy_change) else {
        return match (again.energy_change, written.energy_change) {
            (None, None) => Ok(()),
            _ => Err("one of the two has no end".to_owned()),
        };
    };
    let size = event
        .v_pre
        .iter()
        .chain(&event.v_post)
        .fold(1.0f64, |a, b| a.max(b.abs()));
    for pair in velocity.iter().zip(&event.v_post) {
        near("rate", (*pair.0, *pair.1), size)?;
    }
    let kinetic = |v: &[f64]| {
        let rows = posed.problem.mass.iter().zip(v);
        let momenta = rows.map(|(row, x)| x * row.iter().zip(v).map(|(m, x)| m * x).sum::<f64>());
        0.5 * momenta.sum::<f64>()
    };
    let (before, after) = (kinetic(&posed.problem.velocity), kinetic(velocity));
    let own = event.impact().and_then(|impact| impact.solution.end);
    let scale = before
        .max(after)
        .max(own.map_or(0.0, |end| end.energy_scale))
        .max(1e-3);
    compare_contacts(&again, event, scale)?;
    near(
        "energy change",
        (again.energy_change.unwrap(), change),
        scale,
    )?;
    near("kinetic energy", (after - before, change), scale)?;
    let works = again.constraints.iter().filter_map(|c| c.work);
    near(
        "work of the motions",
        (works.sum(), event.motion_work),
        scale,
    )?;
    compare_motions(mechanism, &again, event, tally)?;
    tally.impacts += 1;
    tally.rough += usize::from(event.works()[1] != 0.0);
    tally.several += usize::from(event.contacts().len() > 1);
    tally.worked += usize::from(event.motion_work.abs() > 1e-6 * scale);
    Ok(())
}

/// Compares every impact of a run with its problem solved alone.
fn compare_run<A: Setting>(
    setup: &mut Setup<TreeMechanism<A>>,
    run: &Run,
    tally: &mut Tally,
) -> Result<(), String> {
    let written = record(setup, run).map_err(|error| error.to_string())?;
    for pair in written.events.iter().zip(&run.events) {
        compare(&mut setup.mechanism, pair, tally)
            .map_err(|fault| format!("event {}: {fault}", pair.0.index))?;
        let codes = pair.0.notes.iter().map(|note| note.code);
        assert_eq!(
            codes.filter(|c| *c == NoteCode::MovingConstraint).count(),
            0
        );
    }
    Ok(())
}

/// Runs what is drawn from each seed; those that move as prescribed are compared.
fn sweep<A: Setting>(count: u64, draw: impl Fn(u64) -> Option<Setup<TreeMechanism<A>>>) -> Tally {
    let (mut tally, mut faults) = (Tally::default(), Vec::new());
    for seed in seeds(count) {
        let Some(mut setup) = draw(seed) else {
            continue;
        };
        let model = setup.mechanism.model();
        if model.rates() == 0 || model.prescribed().next().is_none() {
            continue;
        }
        let Ok(run) = run(&mut setup) else {
            continue;
        };
        if let Err(fault) = compare_run(&mut setup, &run, &mut tally) {
            faults.push(format!("seed {seed}, {fault}"));
        }
    }
    let shown = &faults[..faults.len().min(20)];
    assert!(
        faults.is_empty(),
        "{} of {tally:?}: {shown:#?}",
        faults.len()
    );
    let least = usize::try_from(seeds(count).end).unwrap() / 2;
    assert!(tally.impacts > least, "{tally:?}");
    assert!(
        tally.pushed > least / 2 && tally.worked > least / 2,
        "{tally:?}"
    );
    tally
}

#[test]
fn an_impact_beside_prescribed_motions_is_the_same_alone_as_in_its_run() {
    let tally = sweep(3000, |seed| moved_spec(seed).setup());
    assert!(tally.rough > tally.impacts / 10, "{tally:?}");
}

#[test]
fn rough_impacts_in_space_beside_prescribed_motions_are_the_same_alone() {
    let tally = sweep(3000, |seed| {
        let mut spec = moved_spec(seed);
        for (_, body) in &mut spec.bodies {
            body.shapes[0].1.outline = Outline::Disk { radius: 0.1 };
        }
        let axis = [0.3, -0.5, 0.8];
        lift(&spec, &Rotation::about(axis, 0.01 * seed as f64))
    });
    assert!(tally.rough > tally.impacts / 20, "{tally:?}");
}

/// Bodies on all kinds of joints of space, between six walls.
fn in_a_box(seed: u64) -> Option<Setup<SpaceMechanism>> {
    let rng = &mut fastrand::Rng::with_seed(seed);
    let count = rng.usize(2..=4);
    let triple = |rng: &mut fastrand::Rng, size: f64| [0; 3].map(|_| either_sign(rng, size));
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    for k in 0..count {
        let ball = SolidShape::new(Solid::Ball { radius: 0.1 }).at(triple(rng, 0.3));
        let mass = 0.3 + 2.0 * rng.f64();
        let moments = [0.0; 3].map(|_| mass * (0.05 + 0.04 * rng.f64()));
        let body = Body {
            center: triple(rng, 0.2).into(),
            shapes: vec![("skin".to_owned(), ball)],
            ..Body::new(mass, moments.into())
        };
        builder.body(&format!("b{k}"), body);
        let axis = [either_sign(rng, 1.0), either_sign(rng, 1.0), 1.0].into();
        let kind = match rng.usize(..6) {
            0 | 1 => SpaceJoint::Revolute { axis },
            2 | 3 => SpaceJoint::Prismatic { axis },
            4 => SpaceJoint::Screw { axis, lead: 0.2 },
            _ => SpaceJoint::Spherical,
        };
        let is_moved = !matches!(kind, SpaceJoint::Spherical) && rng.bool();
        let parent = if k == 0 {
            "world".to_owned()
        } else {
            format!("b{}", rng.usize(..k))
        };
        let joint = Joint {
            parent_at: triple(rng, 0.4).into(),
            parent_rotation: Rotation::about(triple(rng, 1.0), either_sign(rng, 3.0)),
            motion: is_moved.then(|| motion_from(rng, 0.0)),
            ..Joint::new(kind, &parent, &format!("b{k}"))
        };
        builder.joint(&format!("j{k}"), joint);
    }
    let walls = [0, 1, 2].into_iter().flat_map(|k| [(k, 1.0), (k, -1.0)]);
    for (axis, sense) in walls.clone() {
        let (mut normal, mut at) = ([0.0; 3], [0.0; 3]);
        (normal[axis], at[axis]) = (sense, -1.2 * sense);
        let wall = SolidShape::new(Solid::HalfSpace {
            normal: normal.into(),
        })
        .at(at);
        builder.world_shape(&format!("wall{axis}{sense}"), wall);
    }
    let model = builder.build().ok()?;
    let v: Vec<f64> = (0..model.rates()).map(|_| either_sign(rng, 3.0)).collect();
    let q = model.reference();
    let (mut features, mut rules) = (Vec::new(), Vec::new());
    let mut work = model.workspace();
    let placed = model.place(&mut work, State::new(0.0, &q, &v));
    for k in 0..count {
        for (axis, sense) in walls.clone() {
            let wall = format!("wall{axis}{sense}");
            let found = model
                .features((&format!("b{k}"), "skin"), ("world", &wall))
                .ok()?;
            let apart = found.into_iter().filter(|f| placed.touch(f).gap > 0.01);
            for feature in apart {
                features.push(feature);
                rules.push(Rule {
                    name: format!("b{k}-{wall}"),
                    law: [Law::Newton, Law::Poisson][rng.usize(..2)],
                    friction: Friction::NONE,
                    restitution: rng.f64(),
                    spin_radius: 0.0,
                    tangential_restitution: None,
                });
            }
        }
    }
    let is_free = model.rates() > 0;
    is_free.then(|| Setup {
        mechanism: SpaceMechanism::new(model, features),
        rules,
        q,
        v,
        options: Options {
            duration: 1.0,
            max_events: 40,
            sustained: false,
            ..Options::default()
        },
    })
}

#[test]
fn smooth_impacts_of_spatial_trees_beside_prescribed_motions_are_the_same_alone() {
    sweep(3000, in_a_box);
}

/// A ball above a table that rises at 0.7 m/s, in coordinates of its own: the table is a drift.
struct AboveTable;

impl Dynamics for AboveTable {
    fn rates(&self) -> usize {
        1
    }
    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        out[0] = 2.0;
    }
    fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
        out[0] = 2.0 * 9.81;
    }
}

impl Contacts for AboveTable {
    fn contacts(&self) -> usize {
        1
    }
    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        out[0] = Gap {
            gap: state.q[0] - 0.7 * state.t,
            v_n: state.v[0] - 0.7,
        };
    }
    fn contact_rows(&mut self, _: State<'_>, _: usize, rows: Rows<'_>) -> ContactDrift {
        rows.normal[0] = 1.0;
        let mut drift = ContactDrift::default();
        drift.velocity.n = -0.7;
        drift
    }
    fn has_tangent(&self, _: usize) -> bool {
        false
    }
    fn impulse_reactions(
        &mut self,
        _: State<'_>,
        _: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        out.clear();
        impulses.iter().map(|acting| 0.7 * acting.impulse.n).sum()
    }
}

impl Guards for AboveTable {}

impl Drawing for AboveTable {}

#[test]
fn a_system_of_ones_own_meets_a_moving_surface_alone_as_in_its_run() {
    let mut setup = Setup {
        mechanism: AboveTable,
        rules: vec![Rule {
            name: "hit".to_owned(),
            law: Law::Poisson,
            friction: Friction::NONE,
            restitution: 0.5,
            spin_radius: 0.0,
            tangential_restitution: None,
        }],
        q: vec![1.0],
        v: vec![0.0],
        options: Options {
            duration: 0.6,
            sustained: false,
            ..Options::default()
        },
    };
    let run = run(&mut setup).unwrap();
    let written = record(&mut setup, &run).unwrap();
    let (event, posed) = (&run.events[0], written.events[0].problem.as_ref().unwrap());
    let again = solve(&posed.problem, posed.law, Method::Complementarity).unwrap();
    let (before, after) = (event.v_pre[0], event.v_post[0]);
    assert!((again.velocity.as_ref().unwrap()[0] - after).abs() < 1e-14);
    let change = after * after - before * before;
    assert!((again.energy_change.unwrap() - change).abs() < 1e-12);
    assert!((event.energy_change.unwrap() - change).abs() < 1e-12);
    assert_eq!(again.constraints[0].name, "prescribed motion");
    let push = 2.0 * (after - before);
    assert!((again.constraints[0].impulse.as_ref().unwrap()[0] - 0.7 * push).abs() < 1e-12);
}
