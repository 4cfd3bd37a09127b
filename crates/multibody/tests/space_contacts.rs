//! Gaps of solids against sampled distances, rates against numerical differentiation.
#![allow(clippy::unwrap_used)]

use carom_multibody::mechanism::{Drawing, Dynamics, FrameRows, Gap, Rows};
use carom_multibody::space::contact::{Solid, SolidFeature, SolidShape, SolidTouch};
use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{
    Body, Contacts as _, Joint, Linear as _, Model, ModelBuilder, Motion, Placed, Pose,
    SpaceMechanism, Vector,
};
use carom_support::multibody::{Drawn, Start};
use carom_support::near::derivative;
use carom_support::random::{count, either_sign};
use fastrand::Rng;

fn random_polyhedron(rng: &mut Rng) -> Solid {
    // Points of an ellipsoid are all corners.
    let size = [0; 3].map(|_| 0.2 + 0.4 * rng.f64());
    let mut corner = || {
        let r = Space::vector(rng, 1.0);
        let unit = r * r.norm().recip();
        Vector([0, 1, 2].map(|i| size[i] * unit.0[i]))
    };
    Solid::Polyhedron {
        vertices: (0..7).map(|_| corner()).collect(),
    }
}

pub(crate) const KINDS: usize = 11;

pub(crate) fn random_solid(rng: &mut Rng, kind: usize) -> Solid {
    let mut size = || 0.15 + 0.5 * rng.f64();
    match kind {
        0 => Solid::Point,
        1 => Solid::Ball { radius: size() },
        2 => Solid::Capsule {
            length: size(),
            radius: 0.4 * size(),
        },
        3 => Solid::Box {
            size: Vector([size(), size(), size()]),
        },
        4 => random_polyhedron(rng),
        5 => Solid::HalfSpace {
            normal: Space::vector(rng, 2.0),
        },
        6 => Solid::Disk { radius: size() },
        7 => Solid::Cylinder {
            radius: size(),
            length: size(),
        },
        8 => Solid::Bowl {
            radius: 2.0 + size(),
        },
        9 => Solid::Tube {
            radius: 2.0 + size(),
        },
        _ => Solid::Ellipsoid {
            semi_axes: Vector([size(), size(), size()]),
        },
    }
}

/// Two bodies, each on a moving carrier, one of them prescribed, with a shape each.
fn two_bodies(rng: &mut Rng, kinds: (usize, usize)) -> (Model<Space>, Vec<SolidFeature>) {
    two_bodies_of(rng, kinds, |solid| solid)
}

/// The same with other solids in place of those drawn.
pub(crate) fn two_bodies_of(
    rng: &mut Rng,
    kinds: (usize, usize),
    other: impl Fn(Solid) -> Solid,
) -> (Model<Space>, Vec<SolidFeature>) {
    let mut builder = ModelBuilder::<Space>::new();
    builder.gravity([0.3, 0.1, -9.81]);
    let axis = Space::vector(rng, 1.0);
    for (carrier, name, kind) in [("c", "a", kinds.0), ("d", "b", kinds.1)] {
        builder.body(carrier, Body::new(1.0, Space::inertia(rng)));
        let solid = other(random_solid(rng, kind));
        let at = Space::vector(rng, 0.3);
        let shape = SolidShape::new(solid).at(at).turned(Space::rotation(rng));
        let body = Body {
            center: Space::vector(rng, 0.2),
            shapes: vec![("s".to_owned(), shape)],
            ..Body::new(1.0, Space::inertia(rng))
        };
        builder.body(name, body);
        let hinge = Joint {
            parent_at: Space::vector(rng, 0.4),
            child_at: Space::vector(rng, 0.4),
            ..Joint::new(SpaceJoint::Spherical, carrier, name)
        };
        builder.joint(&format!("h{name}"), hinge);
    }
    let motion = Some(Motion {
        offset: 0.3,
        rate: 0.4,
        amplitude: 0.3,
        frequency: 1.7,
        phase: 0.2,
    });
    let screw = SpaceJoint::Screw { axis, lead: 0.2 };
    let driven = Joint {
        motion,
        ..Joint::new(screw, "world", "d")
    };
    builder.joint("jd", driven);
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("b", "s")).unwrap();
    (model, features)
}

/// Pairs of kinds that are offered.
fn pairs() -> Vec<(usize, usize)> {
    let all = (0..KINDS).flat_map(|a| (0..KINDS).map(move |b| (a, b)));
    let mut all: Vec<_> = all.filter(|pair| is_offered(*pair)).collect();
    all.sort_by_key(|(a, b)| a.max(b) / 10); // what was drawn before there were ellipsoids is drawn as before
    all
}

/// Whether a pair of kinds has contacts.
pub(crate) fn is_offered((a, b): (usize, usize)) -> bool {
    let (first, second) = (a.min(b), a.max(b));
    let is_hollow = |kind| matches!(kind, 5 | 8 | 9);
    let is_turned = |kind| matches!(kind, 6 | 7 | 10);
    match (first, second) {
        (0, 0) => false,
        (0 | 1, 7) | (1, 6) => true,
        (5, second) => is_turned(second),
        (first, second) if is_hollow(second) => !is_turned(first) && !is_hollow(first),
        (_, second) => !is_turned(second),
    }
}

/// Whether one of a pair is the inside of a sphere or of a cylinder.
fn is_inner((a, b): (usize, usize)) -> bool {
    matches!(a.max(b), 8 | 9)
}

fn shape<'a>(model: &'a Model<Space>, body: &str) -> &'a SolidShape {
    model.shape(body, "s").unwrap()
}

/// Greatest extent of a solid along a unit vector of its own frame.
fn support(solid: &Solid, n: Vector<3>) -> f64 {
    match solid {
        Solid::Point => 0.0,
        Solid::Ball { radius } => *radius,
        Solid::Capsule { length, radius } => 0.5 * length * n.0[0].abs() + radius,
        Solid::Box { size } => (0..3).map(|i| 0.5 * size.0[i] * n.0[i].abs()).sum(),
        Solid::Polyhedron { vertices } => vertices
            .iter()
            .map(|r| n.dot(*r))
            .fold(f64::NEG_INFINITY, f64::max),
        Solid::Disk { radius } => radius * n.0[0].hypot(n.0[1]),
        Solid::Cylinder { radius, length } => {
            radius * n.0[0].hypot(n.0[1]) + 0.5 * length * n.0[2].abs()
        }
        Solid::Ellipsoid { semi_axes } => {
            let stretched = Vector([0, 1, 2].map(|i| semi_axes.0[i] * n.0[i]));
            stretched.norm()
        }
        Solid::Bowl { .. } | Solid::Tube { .. } => f64::INFINITY,
        Solid::HalfSpace { normal } => {
            let apart = (n - *normal * normal.norm().recip()).norm();
            if apart < 1e-12 { 0.0 } else { f64::INFINITY }
        }
    }
}

/// How far a point of the shape's frame is outside a solid, at least; round-off inside.
fn outside(rng: &mut Rng, solid: &Solid, p: Vector<3>) -> f64 {
    if let Solid::HalfSpace { normal } = solid {
        return normal.dot(p) * normal.norm().recip();
    }
    let mut worst = p.norm() - support(solid, p * p.norm().recip());
    for _ in 0..100 {
        let n = Space::vector(rng, 1.0);
        let n = n * n.norm().recip();
        worst = worst.max(n.dot(p) - support(solid, n));
    }
    worst
}

/// Two placed shapes.
struct Pair<'a> {
    shapes: [&'a SolidShape; 2],
    poses: [Pose<Space>; 2],
}

impl Pair<'_> {
    /// Greatest extent of a shape along a direction.
    fn extent(&self, k: usize, n: Vector<3>) -> f64 {
        let (shape, pose) = (self.shapes[k], self.poses[k]);
        let turned = pose.rotation.then(&shape.rotation);
        n.dot(pose.point(shape.at)) + support(&shape.solid, turned.undo(n))
    }

    /// Gap seen along a direction: least of the first minus greatest of the second. The distance of
    /// convex solids is the greatest of these, and no less than any.
    fn gap(&self, n: Vector<3>) -> f64 {
        -self.extent(0, -n) - self.extent(1, n)
    }

    /// The only direction along which the pair can be apart, where one is a half-space.
    fn only_direction(&self) -> Option<Vector<3>> {
        let out = |k: usize, sense: f64| match &self.shapes[k].solid {
            Solid::HalfSpace { normal } => {
                let turned = self.poses[k].rotation.then(&self.shapes[k].rotation);
                Some(turned.apply(*normal * (sense / normal.norm())))
            }
            _ => None,
        };
        out(1, 1.0).or_else(|| out(0, -1.0))
    }

    /// What a hollow leaves between a shape and its wall along a direction from its centre or axis.
    fn room(&self, n: Vector<3>) -> f64 {
        let (shape, pose) = (self.shapes[1], self.poses[1]);
        let radius = match &shape.solid {
            Solid::Bowl { radius } | Solid::Tube { radius } => *radius,
            _ => f64::NAN,
        };
        radius + n.dot(pose.point(shape.at)) - self.extent(0, n)
    }

    /// A direction less what of it is along the axis of a tube.
    fn hollow_normal(&self, n: Vector<3>) -> Vector<3> {
        let turned = self.poses[1].rotation.then(&self.shapes[1].rotation);
        let axis = turned.apply(Vector([0.0, 0.0, 1.0]));
        match self.shapes[1].solid {
            Solid::Tube { .. } => n - axis * axis.dot(n),
            _ => n,
        }
    }

    fn hollow_direction(&self, rng: &mut Rng) -> Vector<3> {
        let n = self.hollow_normal(Space::vector(rng, 1.0));
        n * n.norm().recip()
    }

    /// Greatest gap over many directions, refined about the best.
    fn sampled(&self, rng: &mut Rng) -> f64 {
        if let Some(n) = self.only_direction() {
            return self.gap(n);
        }
        let unit = |n: Vector<3>| n * n.norm().recip();
        let mut best = (f64::NEG_INFINITY, Vector::default());
        for i in 0..1000 {
            let width = 1.01 - 1e-3 * f64::from(i);
            let n = unit(best.1 * f64::from(u8::from(i > 300)) + Space::vector(rng, width));
            if self.gap(n) > best.0 {
                best = (self.gap(n), n);
            }
        }
        best.0
    }
}

fn least_gap(placed: &Placed<'_, Space>, features: &[SolidFeature]) -> SolidTouch {
    let touches = features.iter().map(|feature| placed.touch(feature));
    touches.min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap()
}

#[test]
fn the_least_gap_is_the_sampled_distance() {
    let mut rng = Rng::with_seed(121);
    let (mut apart, mut crossings) = (0, 0);
    for pair in pairs().into_iter().filter(|pair| !is_inner(*pair)) {
        for _ in 0..count(150) {
            let (model, features) = two_bodies(&mut rng, pair);
            let start = Start::random(&mut rng, &model);
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            let touch = least_gap(&placed, &features);
            let poses = ["a", "b"].map(|body| placed.pose(model.body(body).unwrap()));
            let shapes = [shape(&model, "a"), shape(&model, "b")];
            let pair_placed = Pair { shapes, poses };
            let sampled = pair_placed.sampled(&mut rng);
            let is_smooth = features.len() == 1;
            if sampled > 0.0 || is_smooth {
                // Seen along its own normal the pair is as far apart: no distance is greater.
                let seen = match pair_placed.only_direction() {
                    Some(n) => {
                        assert!((n - touch.normal).norm() < 1e-13);
                        sampled
                    }
                    None => pair_placed.gap(touch.normal),
                };
                assert!(
                    (touch.gap - seen).abs() < 1e-12,
                    "{pair:?} {} {seen}",
                    touch.gap
                );
                assert!(
                    touch.gap > sampled - 1e-12 && touch.gap < sampled + 0.05,
                    "{pair:?} {} {sampled}",
                    touch.gap
                );
                for (k, point) in [touch.point_a, touch.point_b].into_iter().enumerate() {
                    let (shape, pose) = (shapes[k], poses[k]);
                    let in_body = pose.rotation.undo(point - pose.origin);
                    let local = shape.rotation.undo(in_body - shape.at);
                    if shape.solid != Solid::Point {
                        assert!(outside(&mut rng, &shape.solid, local) < 1e-12, "{pair:?}");
                    }
                }
                apart += usize::from(sampled > 0.0);
            }
            if sampled > 0.0 && !is_smooth {
                // Of all contacts at the least gap, one owns the touching.
                let near = features.iter().map(|feature| placed.touch(feature));
                let owners = near.filter(|t| t.is_owned && t.gap < touch.gap + 1e-12);
                assert_eq!(owners.count(), 1, "{pair:?}");
                let crosses = features.iter().enumerate().any(|(i, feature)| {
                    let probes = features.len() - crossing_count(&shapes);
                    i >= probes && placed.touch(feature).gap == touch.gap
                });
                crossings += usize::from(crosses);
            }
        }
    }
    assert!(
        apart >= count(2000) && crossings >= count(100),
        "{apart} {crossings}"
    );
}

/// A shape is inside of a sphere as far as its points are from the centre, of a cylinder as far as they are from
/// the axis: as its extents along all directions, or all across the axis, from there.
#[test]
fn the_least_gap_in_a_hollow_is_what_the_extents_of_a_shape_leave() {
    let mut rng = Rng::with_seed(126);
    for (kind, hollow) in (0..5).flat_map(|kind| [(kind, 8), (kind, 9)]) {
        for _ in 0..count(100) {
            let (model, features) = two_bodies(&mut rng, (kind, hollow));
            let start = Start::random(&mut rng, &model);
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            let touch = least_gap(&placed, &features);
            let poses = ["a", "b"].map(|body| placed.pose(model.body(body).unwrap()));
            let shapes = [shape(&model, "a"), shape(&model, "b")];
            let pair = Pair { shapes, poses };
            let left = |n: Vector<3>| pair.room(n);
            let n = -touch.normal;
            assert!((left(n) - touch.gap).abs() < 1e-12, "{kind} in {hollow}");
            for _ in 0..100 {
                assert!(left(pair.hollow_direction(&mut rng)) >= touch.gap - 1e-12);
            }
            assert!((pair.hollow_normal(n) - n).norm() < 1e-12);
            assert!(touch.is_owned);
        }
    }
}

/// Count of pairs of rods.
fn crossing_count(shapes: &[&SolidShape; 2]) -> usize {
    let rods = |shape: &SolidShape| match &shape.solid {
        Solid::Capsule { .. } => 1,
        Solid::Box { .. } => 12,
        // All faces triangles: E = 3 V − 6.
        Solid::Polyhedron { vertices } => 3 * vertices.len() - 6,
        _ => 0,
    };
    rods(shapes[0]) * rods(shapes[1])
}

fn values(t: &SolidTouch) -> [f64; 4] {
    [t.gap, t.v_n, t.v_t[0], t.v_t[1]]
}

/// Whether a kink is near: it shows as a large fourth difference.
fn is_rough(mut touch_at: impl FnMut(f64) -> SolidTouch, h: f64) -> bool {
    let steps = [-h, -0.5 * h, 0.0, 0.5 * h, h].map(|dt| values(&touch_at(dt)));
    (0..4).any(|k| {
        let d = |i: usize| steps[i][k];
        (d(0) - 4.0 * d(1) + 6.0 * d(2) - 4.0 * d(3) + d(4)).abs() > 1e-8
    })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Rows times rates are the rates; returns rows times accelerations with the biases.
fn by_rows(
    placed: &Placed<'_, Space>,
    feature: &SolidFeature,
    touch: &SolidTouch,
    (v, acceleration): (&[f64], &[f64]),
) -> [f64; 3] {
    let mut rows = [0; 3].map(|_| vec![f64::NAN; v.len()]);
    let [j_n, j_1, j_2] = &mut rows;
    let drift = placed.contact_rows(touch, [j_n, j_1, j_2]);
    let bias = placed.contact_bias(feature, touch);
    assert!((dot(&rows[0], v) + drift.n - touch.v_n).abs() < 1e-12);
    for k in 0..2 {
        assert!((dot(&rows[1 + k], v) + drift.t[k] - touch.v_t[k]).abs() < 1e-12);
    }
    let biases = [bias.n, bias.t[0], bias.t[1]];
    std::array::from_fn(|k| dot(&rows[k], acceleration) + biases[k])
}

/// Edges of solids that overlap along another axis: their gap is not the distance of their points.
fn touches_elsewhere(touch: &SolidTouch) -> bool {
    let apart = (touch.point_a - touch.point_b).dot(touch.normal);
    !touch.is_owned && apart - touch.gap > 1e-12
}

fn assert_well_formed(touch: &SolidTouch) {
    let apart = touch.point_a - touch.point_b - touch.normal * touch.gap;
    assert!(apart.norm() < 1e-14);
    let [t1, t2] = touch.tangents;
    assert!((t1.cross(t2) - touch.normal).norm() < 1e-13, "right-handed");
    assert!(t1.0[0] > 0.0 && t1.dot(touch.normal).abs() < 1e-13);
}

#[test]
fn rates_and_biases_are_derivatives_and_rows_times_rates() {
    const H: f64 = 1e-3;
    let mut rng = Rng::with_seed(122);
    let mut compared = 0;
    for pair in pairs() {
        for _ in 0..count(300) {
            let (model, features) = two_bodies(&mut rng, pair);
            let start = Start::random(&mut rng, &model);
            let acceleration: Vec<f64> =
                start.v.iter().map(|_| either_sign(&mut rng, 3.0)).collect();
            let mut work = model.workspace();
            let feature = &features[rng.usize(0..features.len())];
            let mut touch_at = |dt: f64| {
                let later = start.after(&model, dt, &acceleration);
                model.place(&mut work, later.state()).touch(feature)
            };
            let now = touch_at(0.0);
            if is_rough(&mut touch_at, H) || now.normal.0[0].abs() > 0.99 {
                continue;
            }
            compared += 1;
            let rates: [f64; 4] =
                std::array::from_fn(|k| derivative(|dt| values(&touch_at(dt))[k], H));
            let placed = model.place(&mut work, start.state());
            if touches_elsewhere(&now) {
                continue;
            }
            let [a, b, c] = by_rows(&placed, feature, &now, (&start.v, &acceleration));
            let found = [now.v_n, a, b, c];
            for (x, y) in found.iter().zip(rates) {
                assert!(
                    (x - y).abs() < 2e-6 * (1.0 + x.abs()),
                    "{pair:?} {feature:?} {found:?} {rates:?}"
                );
            }
            assert_well_formed(&now);
        }
    }
    assert!(compared >= count(4000), "{compared}");
}

/// Story: the gap of two edges jumped where their solids overlap less along another axis, and a search
/// that trusts its rate passed over the touching.
#[test]
fn edges_of_solids_that_overlap_elsewhere_have_a_gap_without_jumps() {
    const H: f64 = 1e-4;
    let mut rng = Rng::with_seed(125);
    let (mut sunk, mut smooth) = (0, 0);
    for _ in 0..4000 {
        if sunk >= count(1000) {
            break;
        }
        let (model, features) = two_bodies(&mut rng, (3, 4));
        let start = Start::random(&mut rng, &model);
        let still = vec![0.0; start.v.len()];
        let mut work = model.workspace();
        for feature in &features {
            let mut touch_at = |dt: f64| {
                let later = start.after(&model, dt, &still);
                model.place(&mut work, later.state()).touch(feature)
            };
            let now = touch_at(0.0);
            if !touches_elsewhere(&now) {
                continue;
            }
            sunk += 1;
            let rate = derivative(|dt| touch_at(dt).gap, H);
            assert!(rate.abs() < 100.0, "no jump: {rate}");
            if !is_rough(&mut touch_at, H) {
                smooth += 1;
                assert!((now.v_n - rate).abs() < 2e-6 * (1.0 + rate.abs()));
            }
        }
    }
    assert!(sunk >= count(1000) && 2 * smooth > sunk, "{sunk} {smooth}");
}

#[test]
fn swapping_the_shapes_reverses_the_normal_and_nothing_else() {
    let mut rng = Rng::with_seed(123);
    for pair in pairs() {
        for _ in 0..count(50) {
            let (model, features) = two_bodies(&mut rng, pair);
            let swapped = model.features(("b", "s"), ("a", "s")).unwrap();
            assert_eq!(swapped.len(), features.len());
            let start = Start::random(&mut rng, &model);
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            let others: Vec<SolidTouch> = swapped.iter().map(|f| placed.touch(f)).collect();
            for feature in &features {
                let touch = placed.touch(feature);
                let same = |other: &SolidTouch| {
                    let apart = [
                        (other.normal + touch.normal).norm(),
                        (other.point_a - touch.point_b).norm(),
                        (other.point_b - touch.point_a).norm(),
                        (other.tangents[0] - touch.tangents[0]).norm(),
                        other.gap - touch.gap,
                        other.v_n - touch.v_n,
                        other.v_t[0] + touch.v_t[0],
                        other.v_t[1] - touch.v_t[1],
                    ];
                    apart.iter().all(|x| x.abs() < 1e-11)
                };
                assert!(others.iter().any(same), "{pair:?}");
            }
        }
    }
}

#[test]
fn no_gap_changes_faster_than_its_bound() {
    let mut rng = Rng::with_seed(124);
    let mut closest = 0.0f64;
    for pair in pairs() {
        for _ in 0..count(1000) {
            let (model, features) = two_bodies(&mut rng, pair);
            let start = Start::random(&mut rng, &model);
            let wide = |x: &[f64], by: f64| x.iter().map(|x| x + by).collect::<Vec<f64>>();
            let (q, v) = (
                (wide(&start.q, -0.1), wide(&start.q, 0.2)),
                (wide(&start.v, -0.1), wide(&start.v, 0.1)),
            );
            let bounds = carom_multibody::contact::Bounds {
                t: (start.t - 0.1, start.t + 0.1),
                q: (&q.0, &q.1),
                v: (&v.0, &v.1),
            };
            let mut work = model.workspace();
            let placed = model.place(&mut work, start.state());
            for feature in &features {
                let (v_n, bound) = (
                    placed.touch(feature).v_n.abs(),
                    model.gap_speed(feature, &bounds),
                );
                assert!(v_n <= bound, "{pair:?}: {v_n} beyond {bound}");
                closest = closest.max(v_n / bound);
            }
        }
    }
    assert!(closest > 0.3, "the bound is not idle: {closest}");
}

#[test]
fn edges_that_pass_through_each_other_change_the_sign_of_their_gap() {
    // Two cubes, one turned so that its lowest edge crosses the highest of the other.
    let cube = || Solid::Box {
        size: [1.0; 3].into(),
    };
    let roof =
        carom_multibody::space::Rotation::about([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_4);
    let keel =
        carom_multibody::space::Rotation::about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_4);
    let mut builder = ModelBuilder::<Space>::new();
    let body = Body {
        shapes: vec![("s".to_owned(), SolidShape::new(cube()).turned(keel))],
        ..Body::new(1.0, [1.0; 3].into())
    };
    builder.body("a", body);
    builder.world_shape("w", SolidShape::new(cube()).turned(roof));
    let model = builder.build().unwrap();
    let features = model.features(("a", "s"), ("world", "w")).unwrap();
    assert_eq!(features.len(), 8 + 8 + 144);
    let mut work = model.workspace();
    let height = 2.0f64.sqrt();
    let mut q = model.reference();
    for gap in [0.3, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -0.02] {
        q[2] = height + gap;
        let state = carom_multibody::State::new(0.0, &q, &[0.0, 0.0, -2.0, 0.0, 0.0, 0.0]);
        let placed = model.place(&mut work, state);
        let touches = features.iter().map(|f| placed.touch(f));
        let owned: Vec<SolidTouch> = touches
            .filter(|t| t.is_owned && t.gap < 0.5 * gap.abs() + 0.31)
            .filter(|t| (t.gap - gap).abs() < 1e-14)
            .collect();
        let [touch] = owned[..] else {
            panic!("one crossing at {gap}: {owned:?}");
        };
        assert!((touch.normal - Vector([0.0, 0.0, 1.0])).norm() < 1e-14);
        assert!((touch.v_n + 2.0).abs() < 1e-14);
        assert!(touch.point_b.0[0].abs() < 1e-14 && touch.point_b.0[1].abs() < 1e-14);
        let nearest = features.iter().map(|f| placed.touch(f).gap);
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!((nearest - gap).abs() < 1e-14, "{nearest} at {gap}");
    }
}

#[test]
fn the_mechanism_of_the_event_loop_answers_as_the_placed_model() {
    let mut rng = Rng::with_seed(125);
    let (model, features) = two_bodies(&mut rng, (3, 2));
    let start = Start::random(&mut rng, &model);
    let (n, count) = (model.rates(), features.len());
    let mut mechanism = SpaceMechanism::new(model.clone(), features.clone());
    assert_eq!(mechanism.positions(), model.positions());
    assert!(mechanism.positions() > n);
    assert_eq!(mechanism.contacts(), count);
    let groups = mechanism.groups();
    let named: usize = groups.iter().map(|g| g.positions.len()).sum();
    // The prescribed coordinate is named too.
    assert_eq!(named, model.positions() + 1);
    let mut work = model.workspace();
    let placed = model.place(&mut work, start.state());
    let mut gaps = vec![Gap::default(); count];
    mechanism.gaps(start.state(), &mut gaps);
    for (i, feature) in features.iter().enumerate() {
        let touch = placed.touch(feature);
        let (gap, v_n) = (touch.gap, touch.v_n);
        assert_eq!(gaps[i], Gap { gap, v_n });
        let mut rows = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let [normal, t1, t2] = &mut rows;
        let into = FrameRows {
            normal,
            tangents: [t1, t2],
        };
        let drift = mechanism.contact_frame_rows(start.state(), i, into);
        assert_eq!(drift.acceleration, placed.contact_bias(feature, &touch));
        let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
        let into = Rows {
            normal: &mut normal,
            tangent: &mut tangent,
        };
        let flat = mechanism.contact_rows(start.state(), i, into);
        assert_eq!((&normal, &tangent), (&rows[0], &rows[1]));
        assert_eq!(flat.velocity.t, drift.velocity.t[0]);
    }
    let mut poses = Vec::new();
    mechanism.poses(start.state(), &mut poses);
    assert_eq!(poses.len(), 7 * model.bodies().len());
}
