//! Collisions in space against closed forms: several corners at once, walls, rough balls, skew rods.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::{Law, Method, NoteCode, Pair, Tangential, solve};
use carom_multibody::mechanism::SpaceMechanism;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, SpaceJoint};
use carom_multibody::{Body, Joint, SpaceModelBuilder, Vector};
use carom_sim::record::{Moment, RunRecord};
use carom_sim::{End, Happening, Options, Rule, Run, Setup, run};
use carom_support::sim::assert_balanced;

const GRAVITY: f64 = 9.81;

fn free(name: &str, center: [f64; 3]) -> Joint<carom_multibody::space::Space> {
    Joint {
        child_at: center.into(),
        ..Joint::new(SpaceJoint::Free, "world", name)
    }
}

/// Bodies with a skin each, free, and half-spaces `(normal, offset)` that all of them may strike.
fn scene(
    gravity: f64,
    bodies: &[(&str, f64, [f64; 3], Solid)],
    walls: &[([f64; 3], f64)],
    rule: &Rule,
) -> Setup<SpaceMechanism> {
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0, 0.0, -gravity]);
    for (name, mass, moments, solid) in bodies {
        let body = Body {
            shapes: vec![("skin".to_owned(), SolidShape::new(solid.clone()))],
            ..Body::new(*mass, (*moments).into())
        };
        builder.body(name, body).joint(name, free(name, [0.0; 3]));
    }
    for (k, (normal, offset)) in walls.iter().enumerate() {
        let at = Vector(normal.map(|n| n * offset));
        let normal = Vector(*normal);
        let shape = SolidShape::new(Solid::HalfSpace { normal }).at(at);
        builder.world_shape(&format!("wall{k}"), shape);
    }
    let model = builder.build().unwrap();
    let (mut features, mut rules) = (Vec::new(), Vec::new());
    for (name, ..) in bodies {
        for wall in 0..walls.len() {
            let second = format!("wall{wall}");
            let found = model.features((name, "skin"), ("world", &second)).unwrap();
            for (k, feature) in found.into_iter().enumerate() {
                features.push(feature);
                rules.push(Rule {
                    name: format!("{name}-{wall}.{k}"),
                    ..rule.clone()
                });
            }
        }
    }
    Setup {
        q: model.reference(),
        v: vec![0.0; model.rates()],
        mechanism: SpaceMechanism::new(model, features),
        rules,
        options: Options {
            sustained: false,
            ..Options::default()
        },
    }
}

fn rule(law: Law, restitution: f64, mu: f64) -> Rule {
    Rule {
        name: String::new(),
        law,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

fn recorded(setup: &mut Setup<SpaceMechanism>) -> (Run, RunRecord) {
    let (run, record) = carom_support::sim::recorded(setup);
    let text = serde_json::to_string(&record).unwrap();
    let again: RunRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(again, record);
    (run, record)
}

const FLOOR: [([f64; 3], f64); 1] = [([0.0, 0.0, 1.0], 0.0)];

#[test]
fn a_ball_in_a_box_goes_the_unfolded_straight_way() {
    let ball = ("ball", 0.7, [0.01; 3], Solid::Ball { radius: 0.1 });
    let sides = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let walls: Vec<_> = sides
        .iter()
        .flat_map(|n| [(*n, -1.0), (n.map(|x| -x), -1.0)])
        .collect();
    let mut setup = scene(0.0, &[ball], &walls, &rule(Law::Poisson, 1.0, 0.0));
    let (from, v) = ([0.1, -0.2, 0.3], [1.3, -0.9, 0.47]);
    setup.q[..3].copy_from_slice(&from);
    setup.v[..3].copy_from_slice(&v);
    setup.v[3..].copy_from_slice(&[3.0, 1.0, -2.0]);
    setup.options.duration = 19.9;
    let (run, record) = recorded(&mut setup);
    let mut expected: Vec<(f64, usize)> = Vec::new();
    for axis in 0..3 {
        let first = (0.9 - from[axis] * v[axis].signum()) / v[axis].abs();
        let times = (0..).map(|k| first + f64::from(k) * 1.8 / v[axis].abs());
        expected.extend(times.take_while(|t| *t < 19.9).map(|t| (t, axis)));
    }
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(run.events.len(), expected.len());
    for ((event, written), (t, axis)) in run.events.iter().zip(&record.events).zip(expected) {
        assert!((event.time - t).abs() < 1e-12 * t.max(1.0), "{t}");
        let turned: Vec<f64> = event.v_pre[..3]
            .iter()
            .zip(&event.v_post)
            .map(|(a, b)| a + b)
            .collect();
        assert!(turned[axis].abs() < 1e-13);
        // The place is on the wall, a radius from the centre.
        let place = &written.places[&written.contacts[0].name];
        assert!((place.point[axis].abs() - 1.0).abs() < 1e-12);
        assert_eq!((place.normal.len(), place.tangents.len()), (3, 2));
    }
    let ledger = run.ledger.unwrap();
    assert!((ledger.end - ledger.start).abs() < 1e-13 * ledger.largest);
    assert!(
        (run.v[3] - 3.0).abs() < 1e-12,
        "smooth walls leave the spin"
    );
}

#[test]
fn a_tetrahedron_dropped_flat_shares_its_impulse_by_the_place_of_its_mass_centre() {
    let (mass, restitution, drop) = (1.4, 0.5, 0.3);
    // The frame is at the mass centre, above the inside of the base.
    let base = [[0.5, -0.2], [-0.3, 0.4], [-0.25, -0.3]];
    let mut vertices: Vec<Vector<3>> = base.iter().map(|[x, y]| Vector([*x, *y, -0.2])).collect();
    vertices.push([0.05, 0.02, 0.6].into());
    let area = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a * d - b * c;
    let whole = area(base[0], base[1]) + area(base[1], base[2]) + area(base[2], base[0]);
    let share = |k: usize| area(base[(k + 1) % 3], base[(k + 2) % 3]) / whole;
    for law in [Law::Newton, Law::Poisson] {
        let solid = Solid::Polyhedron {
            vertices: vertices.clone(),
        };
        let body = ("tetrahedron", mass, [0.03, 0.05, 0.06], solid);
        let mut setup = scene(GRAVITY, &[body], &FLOOR, &rule(law, restitution, 0.0));
        setup.q[2] = 0.2 + drop;
        setup.options.duration = 0.4;
        let (run, record) = recorded(&mut setup);
        let event = &run.events[0];
        let t = (2.0 * drop / GRAVITY).sqrt();
        assert!((event.time - t).abs() < 1e-12);
        let Happening::Collision(all) = &event.what else {
            panic!("three corners strike at once");
        };
        assert_eq!(all.contacts, [0, 1, 2]);
        for k in 0..3 {
            let p = mass * (1.0 + restitution) * GRAVITY * t * share(k);
            assert!(share(k) > 0.0 && (all.impulses[k] - p).abs() < 1e-12, "{k}");
        }
        assert!((event.v_post[2] - restitution * GRAVITY * t).abs() < 1e-12);
        assert!(event.v_post[3..].iter().all(|w| w.abs() < 1e-12));
        let determinacy = record.events[0].determinacy.as_ref().unwrap();
        assert_eq!(
            (determinacy.rank, determinacy.impulses_unique.len()),
            (3, 3)
        );
        assert!(determinacy.impulses_unique.iter().all(|is| *is));
        assert_eq!(record.events[0].places.len(), 3);
    }
}

#[test]
fn a_box_dropped_flat_has_four_corners_for_three_freedoms_and_piles_up() {
    let (mass, restitution, drop) = (2.0, 0.5, 0.3);
    let size = [0.4, 0.3, 0.2].into();
    let body = ("box", mass, [0.03, 0.05, 0.06], Solid::Box { size });
    let mut setup = scene(
        GRAVITY,
        &[body],
        &FLOOR,
        &rule(Law::Newton, restitution, 0.0),
    );
    setup.q[2] = 0.1 + drop;
    setup.options.duration = 10.0;
    let (run, record) = recorded(&mut setup);
    let t = (2.0 * drop / GRAVITY).sqrt();
    let Happening::Collision(all) = &run.events[0].what else {
        panic!("four corners strike at once");
    };
    assert_eq!(all.contacts, [0, 1, 2, 3]);
    for p in &all.impulses {
        let quarter = mass * (1.0 + restitution) * GRAVITY * t / 4.0;
        assert!((p - quarter).abs() < 1e-12);
    }
    let determinacy = record.events[0].determinacy.as_ref().unwrap();
    assert_eq!(determinacy.rank, 3);
    assert_eq!(determinacy.null_space.len(), 1);
    assert_eq!(determinacy.impulses_unique, [false; 4]);
    let End::Accumulates {
        limit,
        ref contacts,
        ..
    } = run.end
    else {
        panic!("{:?}", run.end);
    };
    assert_eq!(*contacts, [0, 1, 2, 3]);
    let exact = t * (1.0 + restitution) / (1.0 - restitution);
    assert!((limit - exact).abs() < 1e-9, "{limit} {exact}");
}

#[test]
fn two_balls_that_land_at_one_instant_are_two_impacts() {
    let ball = |name| (name, 0.7, [0.01; 3], Solid::Ball { radius: 0.1 });
    let mut setup = scene(
        GRAVITY,
        &[ball("a"), ball("b")],
        &FLOOR,
        &rule(Law::Energetic, 0.8, 0.2),
    );
    for (k, x) in [0.0, 1.0].into_iter().enumerate() {
        setup.q[7 * k] = x;
        setup.q[7 * k + 2] = 0.5;
    }
    setup.options.duration = 0.4;
    let run = run(&mut setup).unwrap();
    assert_eq!(run.events.len(), 2);
    assert_eq!(run.events[0].time, run.events[1].time);
    assert_eq!(
        (run.events[0].contacts(), run.events[1].contacts()),
        (&[0][..], &[1][..])
    );
}

#[test]
fn a_ball_that_falls_on_a_floor_without_rebound_stays() {
    let ball = ("ball", 0.7, [0.01; 3], Solid::Ball { radius: 0.1 });
    let mut setup = scene(GRAVITY, &[ball], &FLOOR, &rule(Law::Newton, 0.0, 0.0));
    setup.q[..3].copy_from_slice(&[0.0, 0.0, 0.5]);
    setup.v[..2].copy_from_slice(&[0.3, 0.4]);
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::ContactPersists { contacts: vec![0] });
}

/// A ball has the same inverse inertia in all tangent directions: its impact is planar whichever way
/// it slips, and a slide through has friction `μ p_n` against the slip.
#[test]
fn a_rough_ball_thrown_askew_bounces_in_the_plane_of_its_slip() {
    let (mass, radius, mu, restitution) = (0.7, 0.1, 0.05, 0.8);
    let ball = ("ball", mass, [0.0028; 3], Solid::Ball { radius });
    let mut setup = scene(
        GRAVITY,
        &[ball],
        &FLOOR,
        &rule(Law::Poisson, restitution, mu),
    );
    setup.q[2] = 0.6;
    setup.v.copy_from_slice(&[2.0, 1.0, 0.0, -4.0, 3.0, 7.0]);
    setup.options.duration = 0.5;
    let (run, record) = recorded(&mut setup);
    let (event, written) = (&run.events[0], &record.events[0]);
    let v_n = -(2.0 * GRAVITY * 0.5f64).sqrt();
    let p_n = -mass * (1.0 + restitution) * v_n;
    // v + ω × (−r e_z)
    let slip = [2.0 - 3.0 * radius, 1.0 - 4.0 * radius];
    let size = slip[0].hypot(slip[1]);
    let contact = &written.contacts[0];
    assert!((contact.impulse.normal.unwrap() - p_n).abs() < 1e-12);
    let Some(Tangential::Space(p_t)) = contact.impulse.tangent else {
        panic!("{:?}", contact.impulse);
    };
    for k in 0..2 {
        assert!(
            (p_t[k] + mu * p_n * slip[k] / size).abs() < 1e-12,
            "{p_t:?}"
        );
        let v = setup.v[k] + p_t[k] / mass;
        assert!((event.v_post[k] - v).abs() < 1e-12);
    }
    assert!(
        (event.v_post[5] - 7.0).abs() < 1e-13,
        "nothing turns it about the normal"
    );
    let code = |note: &carom_contact::impact::Note| note.code == NoteCode::PlanarInEffect;
    assert!(written.notes.iter().any(code), "{:?}", written.notes);
    let posed = written.problem.as_ref().unwrap();
    assert!(posed.problem.contacts[0].tangents.is_some());
    let again = solve(&posed.problem, posed.law, Method::default()).unwrap();
    assert_eq!(again.contacts, written.contacts);
    assert_balanced(&run, 1e-11);
}

fn skew_rod(mu: f64) -> Setup<SpaceMechanism> {
    let rod = Solid::Capsule {
        length: 0.8,
        radius: 0.03,
    };
    let body = ("rod", 1.2, [0.002, 0.064, 0.064], rod);
    let mut setup = scene(GRAVITY, &[body], &FLOOR, &rule(Law::Energetic, 0.6, mu));
    setup.q[2] = 0.8;
    let tilted = Rotation::about([0.0, -1.0, 0.0], 0.5).quaternion();
    setup.q[3..].copy_from_slice(&tilted);
    setup.v[1] = 0.4; // across the plane in which the rod leans
    setup
}

/// The impact is Routh's path in space, and the run goes on after it.
#[test]
fn friction_that_leaves_the_plane_turns_the_slip() {
    let mut setup = skew_rod(0.3);
    let (run, record) = recorded(&mut setup);
    let first = &record.events[0];
    let hit = &first.contacts[0];
    let tangent = |pair: Pair| match pair.tangent {
        Some(Tangential::Space(t)) => t,
        other => panic!("{other:?}"),
    };
    let (before, after) = (tangent(hit.velocity_before), tangent(hit.velocity_after));
    assert!((before[1].abs() - 0.4).abs() < 1e-12, "{before:?}");
    let turned = before[0] * after[1] - before[1] * after[0];
    assert!(
        turned.abs() > 1e-3 * before[0].hypot(before[1]),
        "{after:?}"
    );
    // The record solved by itself: the same impact.
    let posed = first.problem.as_ref().unwrap();
    let again = solve(&posed.problem, posed.law, posed.method).unwrap();
    assert_eq!(again.contacts[0].impulse, hit.impulse);
    assert!(run.events.len() > 1);
    let ledger = record.ledger.as_ref().unwrap();
    assert!(
        ledger.residual.abs() < 1e-9 * ledger.entries.scale,
        "{ledger:?}"
    );
    // The same rod without friction, and the rod that falls in its own plane, go on.
    let smooth = self::run(&mut skew_rod(0.0)).unwrap();
    assert!(!smooth.events.is_empty());
    let mut planar = skew_rod(0.3);
    planar.v[1] = 0.0;
    let planar = self::run(&mut planar).unwrap();
    assert!(!planar.events.is_empty());
    assert!(planar.v[1].abs() < 1e-12, "it stays in its plane");
}

#[test]
fn joint_impulses_in_space_have_three_moments() {
    let mut builder = SpaceModelBuilder::new();
    let skin = SolidShape::new(Solid::Ball { radius: 0.05 }).at([0.5, 0.1, 0.0]);
    let body = Body {
        center: [0.25, 0.0, 0.0].into(),
        shapes: vec![("skin".to_owned(), skin)],
        ..Body::new(1.0, [0.01, 0.03, 0.03].into())
    };
    builder.gravity([0.0, 0.0, -GRAVITY]).body("arm", body);
    let axis = [0.0, 1.0, 0.0].into();
    builder.joint(
        "hinge",
        Joint::new(SpaceJoint::Revolute { axis }, "world", "arm"),
    );
    let normal = [0.0, 0.0, 1.0].into();
    let floor = SolidShape::new(Solid::HalfSpace { normal }).at([0.0, 0.0, -0.3]);
    builder.world_shape("floor", floor);
    let model = builder.build().unwrap();
    let features = model.features(("arm", "skin"), ("world", "floor")).unwrap();
    let mut setup = Setup {
        q: vec![0.0],
        v: vec![0.0],
        mechanism: SpaceMechanism::new(model, features),
        rules: vec![Rule {
            name: "hit".to_owned(),
            ..rule(Law::Newton, 0.5, 0.0)
        }],
        options: Options {
            duration: 0.4,
            samples: 20,
            sustained: false,
            ..Options::default()
        },
    };
    let (run, record) = recorded(&mut setup);
    let impulse = &record.events[0].joint_impulses["hinge"];
    assert_eq!(impulse.force.len(), 3);
    let Moment::Space([m_x, m_y, _]) = impulse.moment else {
        panic!("{impulse:?}");
    };
    // The floor pushes 0.1 beside the plane of the arm's mass: the hinge holds that moment about x,
    // and none about its own axis.
    let p_n = record.events[0].contacts[0].impulse.normal.unwrap();
    assert!((m_x + 0.1 * p_n).abs() < 1e-12, "{m_x} {p_n}");
    assert!(m_y.abs() < 1e-12);
    let series = &record.trajectory.unwrap().reactions["hinge"];
    assert_eq!(
        (series.force.len(), series.moment.components().len()),
        (3, 3)
    );
    assert!(series.moment.components().iter().all(|c| c.len() == 20));
    assert!(!run.events.is_empty());
}
