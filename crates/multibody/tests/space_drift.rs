//! What sticking and rolling ask of a contact in space: the rates of all three of its velocities, to
//! nine digits, on pieces that are kept, with the other body carried by a turntable.
#![allow(clippy::unwrap_used)]

use carom_multibody::space::contact::{Solid, SolidFeature, SolidShape, SolidTouch};
use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{Body, Joint, Linear, Model, ModelBuilder, Motion, Placed, Vector};
use carom_support::multibody::{Drawn, Start};
use carom_support::near::derivative_with_doubt;
use carom_support::random::{count, either_sign};
use fastrand::Rng;

use crate::space_contacts::{KINDS, is_offered, random_solid};

/// Where the bodies of a pair hang.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scene {
    /// One is free, the other on a turntable that is driven to and fro.
    Turntable,
    /// One is free, the other is fixed to the world.
    Ground,
    /// Both hang on one free body.
    Shared,
}

const SCENES: [Scene; 3] = [Scene::Turntable, Scene::Ground, Scene::Shared];

fn carried(rng: &mut Rng, kind: usize) -> Body<Space> {
    let shape = SolidShape::new(random_solid(rng, kind))
        .at(Space::vector(rng, 0.3))
        .turned(Space::rotation(rng));
    Body {
        center: Space::vector(rng, 0.2),
        shapes: vec![("s".to_owned(), shape)],
        ..Body::new(1.0, Space::inertia(rng))
    }
}

fn pair_in(
    rng: &mut Rng,
    scene: Scene,
    kinds: (usize, usize),
) -> (Model<Space>, Vec<SolidFeature>) {
    let mut builder = ModelBuilder::<Space>::new();
    builder.body("a", carried(rng, kinds.0));
    builder.body("b", carried(rng, kinds.1));
    let axis = Space::vector(rng, 1.0);
    let places = |rng: &mut Rng, joint: Joint<Space>| Joint {
        parent_at: Space::vector(rng, 0.4),
        child_at: Space::vector(rng, 0.4),
        ..joint
    };
    match scene {
        Scene::Turntable => {
            let motion = Motion {
                offset: 0.3,
                rate: 0.7,
                amplitude: 0.4,
                frequency: 1.7,
                phase: 0.2,
            };
            let table = Joint::new(SpaceJoint::Revolute { axis }, "world", "b");
            let table = Joint {
                motion: Some(motion),
                ..places(rng, table)
            };
            builder.joint("table", table);
        }
        Scene::Ground => {
            let fixed = places(rng, Joint::new(SpaceJoint::Fixed, "world", "b"));
            builder.joint("ground", fixed);
        }
        Scene::Shared => {
            builder.body("c", Body::new(1.0, Space::inertia(rng)));
            let ball = places(rng, Joint::new(SpaceJoint::Spherical, "c", "a"));
            let rail = places(rng, Joint::new(SpaceJoint::Cylindrical { axis }, "c", "b"));
            builder.joint("ball", ball).joint("rail", rail);
        }
    }
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("b", "s")).unwrap();
    (model, features)
}

/// Gap, its rate, both slips, and the rate at which the bodies turn against each other about the normal.
fn velocities(placed: &Placed<'_, Space>, touch: &SolidTouch) -> [f64; 5] {
    let turning = placed.twist(touch.body_a).angular - placed.twist(touch.body_b).angular;
    let pivots = touch.normal.dot(turning);
    [touch.gap, touch.v_n, touch.v_t[0], touch.v_t[1], pivots]
}

/// Rows times accelerations with the biases.
fn by_rows(
    placed: &Placed<'_, Space>,
    feature: &SolidFeature,
    touch: &SolidTouch,
    acceleration: &[f64],
) -> [f64; 4] {
    let mut rows = [0; 4].map(|_| vec![f64::NAN; acceleration.len()]);
    let [j_n, j_1, j_2, j_p] = &mut rows;
    placed.contact_rows(touch, [j_n, j_1, j_2]);
    placed.pivot_row(touch, j_p);
    let bias = placed.contact_bias(feature, touch);
    let turned = placed.pivot_bias(feature, touch);
    let biases = [bias.n, bias.t[0], bias.t[1], turned];
    std::array::from_fn(|k| {
        let pushed: f64 = rows[k].iter().zip(acceleration).map(|(j, a)| j * a).sum();
        pushed + biases[k]
    })
}

/// A differentiation whose last extrapolation changed more than this part of the rates has met a place
/// that is almost singular (rods almost parallel, a corner almost at a centre).
const DOUBT: f64 = 1e-10;
const AGREES: f64 = 1e-9;

/// Compares one of the contacts that own what touches there; whether it could be.
fn agrees(
    rng: &mut Rng,
    (model, features): &(Model<Space>, Vec<SolidFeature>),
    what: &str,
) -> bool {
    let start = Start::random(rng, model);
    let acceleration: Vec<f64> = start.v.iter().map(|_| either_sign(rng, 3.0)).collect();
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let owners = features.iter();
    let owners = owners.filter_map(|f| Some((f, placed.piece_ahead(f, 0.0)?)));
    let owners: Vec<_> = owners.collect();
    if owners.is_empty() {
        return false;
    }
    let (feature, piece) = owners[rng.usize(0..owners.len())];
    let touch = placed.touch_on(feature, Some(piece));
    let [a_n, a_1, a_2, a_p] = by_rows(&placed, feature, &touch, &acceleration);
    let mut row = vec![f64::NAN; start.v.len()];
    let drift = placed.pivot_row(&touch, &mut row);
    let parts = row.iter().zip(&start.v).map(|(j, v)| j * v);
    let pivots = parts.sum::<f64>() + drift;
    let seen = velocities(&placed, &touch)[4];
    assert!(
        (pivots - seen).abs() < 1e-12 * (1.0 + seen.abs()),
        "{what}: {pivots} {seen}"
    );
    let mut along = |k: usize| {
        let at = |dt: f64| {
            let later = start.after(model, dt, &acceleration);
            let placed = model.place(&mut work, later.state());
            velocities(&placed, &placed.touch_on(feature, Some(piece)))[k]
        };
        derivative_with_doubt(at, 8e-3)
    };
    let found = [touch.v_n, a_n, a_1, a_2, a_p];
    let size = found.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let rates: [(f64, f64); 5] = std::array::from_fn(&mut along);
    if rates.iter().any(|(_, doubt)| *doubt > DOUBT * size) {
        return false;
    }
    for (found, (wanted, _)) in found.iter().zip(rates) {
        let miss = (found - wanted).abs();
        assert!(
            miss <= AGREES * size,
            "{what}: {found:?} for {wanted:?}, off {miss:e}"
        );
    }
    true
}

#[test]
fn rates_of_all_velocities_of_a_kept_contact_and_of_its_pivoting_are_known_to_nine_digits() {
    let mut rng = Rng::with_seed(131);
    let kinds = || (0..KINDS).flat_map(|a| (0..KINDS).map(move |b| (a, b)));
    for scene in SCENES {
        for pair in kinds().filter(|pair| is_offered(*pair)) {
            let (mut tried, mut compared) = (0, 0);
            while compared < count(60) && tried < 2400 {
                tried += 1;
                let drawn = pair_in(&mut rng, scene, pair);
                let what = format!("{scene:?} {pair:?}");
                compared += usize::from(agrees(&mut rng, &drawn, &what));
            }
            assert_eq!(compared, count(60), "{scene:?} {pair:?} of {tried}");
        }
    }
}

/// The frame of a contact turns fast where its normal passes world x; what a force does, and the
/// acceleration as a vector, do not know of it.
#[test]
fn the_acceleration_of_a_contact_that_sticks_does_not_depend_on_its_tangents() {
    let mut rng = Rng::with_seed(132);
    for k in 0..count(400) {
        let off = 10f64.powf(-12.0 * rng.f64());
        let normal = Vector([1.0, either_sign(&mut rng, off), either_sign(&mut rng, off)]);
        let roll = roll_of(&mut rng, normal);
        let plain = roll_of_turned(&roll);
        // The slip is round-off, and that is turned at the spin of the tangents.
        let spin = roll.0.1.norm() / normal.0[1].hypot(normal.0[2]).max(1e-8);
        let miss = (roll.1 - plain).norm();
        assert!(miss < 1e-14 + 1e-15 * spin, "{k}: {miss:e}, {off:e} from x");
    }
}

/// A ball that rolls without slip on a ball of the world, whose contact has a normal; the spin and the
/// bias of its contact as a vector.
type Rolled = ((Vector<3>, Vector<3>), Vector<3>);

fn roll_of(rng: &mut Rng, normal: Vector<3>) -> Rolled {
    let n = normal * normal.norm().recip();
    let omega = Space::vector(rng, 2.0);
    ((n, omega), rolling_bias(n, omega))
}

/// The same seen in axes turned by a quarter about z and then about x, turned back.
fn roll_of_turned(((n, omega), _): &Rolled) -> Vector<3> {
    let turn = |r: Vector<3>| Vector([r.0[1], r.0[2], r.0[0]]);
    let back = |r: Vector<3>| Vector([r.0[2], r.0[0], r.0[1]]);
    back(rolling_bias(turn(*n), turn(*omega)))
}

fn rolling_bias(n: Vector<3>, omega: Vector<3>) -> Vector<3> {
    const SMALL: f64 = 0.3;
    const LARGE: f64 = 0.9;
    let ball = |radius| SolidShape::new(Solid::Ball { radius });
    let mut builder = ModelBuilder::<Space>::new();
    let body = Body {
        shapes: vec![("s".to_owned(), ball(SMALL))],
        ..Body::new(1.0, [0.1; 3].into())
    };
    builder.body("a", body).world_shape("w", ball(LARGE));
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("world", "w")).unwrap();
    let mut q = model.reference();
    let at = n * (SMALL + LARGE);
    q[..3].copy_from_slice(&at.0);
    let v = omega.cross(n * SMALL); // v_center = ω × (center − contact)
    let rates = [v.0, omega.0].concat();
    let mut work = model.workspace();
    let placed = model.place(&mut work, carom_multibody::State::new(0.0, &q, &rates));
    let touch = placed.touch(&features[0]);
    assert!(touch.v_n.abs() < 1e-14 && touch.v_t.iter().all(|v| v.abs() < 1e-14));
    let bias = placed.contact_bias(&features[0], &touch);
    let [t1, t2] = touch.tangents;
    touch.normal * bias.n + t1 * bias.t[0] + t2 * bias.t[1]
}
