//! The same mechanism in other units, or far from the origin: the same answers.
#![allow(clippy::unwrap_used)]

use crate::{contacts, loops, space_contacts};

use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::{
    Closer, Contacts, Dynamics, FrameRows, Gap, MassSolver, Mechanism, Setting, TreeMechanism,
};
use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, Space, Symmetric};
use carom_multibody::{
    Body, ConstraintSolver, Joint, Limits, Model, ModelBuilder, PlaneMechanism, SpaceMechanism,
    State, Vector,
};
use carom_support::multibody::units::{Kit, Units, Written};
use carom_support::multibody::{Drawn, Parts};
use carom_support::random::{count, either_sign};
use fastrand::Rng;

/// What a mechanism says at a state, all numbers over their units.
#[derive(Debug, Clone, PartialEq, Default)]
struct Said {
    numbers: Vec<f64>,
    flags: Vec<bool>,
    counts: Vec<usize>,
}

impl Said {
    /// Adds numbers, each over a unit.
    fn add(&mut self, numbers: &[f64], unit: impl Fn(usize) -> f64) {
        let all = numbers.iter().enumerate();
        self.numbers.extend(all.map(|(i, x)| x / unit(i)));
    }
}

/// Units of the rates of a mechanism, times a second.
fn coordinate_units<M: Mechanism>(mechanism: &M, units: Units) -> [Vec<f64>; 2] {
    let mut q = vec![0.0; mechanism.positions()];
    let mut v = vec![0.0; mechanism.rates()];
    mechanism.sizes(units.length, 1.0, &mut q, &mut v);
    [q, v]
}

/// A state in SI and a mechanism in its own units.
struct Posed<A: Setting> {
    mechanism: TreeMechanism<A>,
    units: Units,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<A: Setting> Posed<A> {
    fn new(mechanism: TreeMechanism<A>, units: Units, state: State<'_>) -> Self {
        let [of_q, of_v] = coordinate_units(&mechanism, units);
        let q = state.q.iter().zip(&of_q).map(|(x, unit)| x * unit);
        let v = state.v.iter().zip(&of_v);
        let v = v.map(|(x, unit)| x * unit / units.time);
        Self {
            q: q.collect(),
            v: v.collect(),
            t: state.t * units.time,
            units,
            mechanism,
        }
    }

    fn says(&mut self) -> Said {
        let mut said = Said::default();
        let (units, n) = (self.units, self.mechanism.rates());
        let [_, of_v] = coordinate_units(&self.mechanism, units);
        let state = State::new(self.t, &self.q, &self.v);
        let mechanism = &mut self.mechanism;
        said.add(&[mechanism.extent()], |_| units.length);
        let (mut mass, mut a) = (vec![0.0; n * n], vec![0.0; n]);
        mechanism.mass(state, &mut mass);
        let inertia = units.mass * units.length * units.length;
        said.add(&mass, |k| inertia / (of_v[k / n] * of_v[k % n]));
        mechanism.bias(state, &mut a);
        said.add(&a, |k| units.energy() / of_v[k]);
        let mut solver = MassSolver::default();
        if mechanism.accelerations(state, &mut solver, &mut a).is_ok() {
            said.add(&a, |k| of_v[k] / units.time / units.time);
            let mut forces = Vec::new();
            mechanism.reactions(state, &a, &mut forces);
            for joint in &forces {
                said.add(&joint.force, |_| units.force());
                said.add(&joint.moment, |_| units.energy());
                said.flags.extend(joint.unique);
            }
        }
        if let Some(energy) = mechanism.energy(state) {
            said.add(&[energy.kinetic], |_| units.energy());
        }
        self.ask_loops(&mut said, &of_v);
        self.ask_contacts(&mut said, &of_v);
        said
    }

    fn ask_loops(&mut self, said: &mut Said, of_v: &[f64]) {
        let (mechanism, units, n) = (&mut self.mechanism, self.units, of_v.len());
        if mechanism.constraints() == 0 {
            return;
        }
        let state = State::new(self.t, &self.q, &self.v);
        let mut solver = ConstraintSolver::default();
        mechanism.mass(state, solver.matrix(n));
        mechanism.constraint_rows(state, solver.rows_mut());
        let closures = mechanism.closures().into_iter();
        let row_units: Vec<f64> = closures
            .flat_map(|closure| closure.units)
            .map(|unit| if unit == "m" { units.length } else { 1.0 })
            .collect();
        let rows = solver.rows();
        said.add(&rows.rows, |k| row_units[k / n] / of_v[k % n]);
        said.add(&rows.bias, |k| row_units[k] / units.time / units.time);
        if solver.factor().is_ok() {
            said.counts.push(solver.rank());
        }
        let open = Closer::default().worst(mechanism, state).unwrap();
        said.flags.push(open.is_open());
    }

    fn ask_contacts(&mut self, said: &mut Said, of_v: &[f64]) {
        let (mechanism, units, n) = (&mut self.mechanism, self.units, of_v.len());
        let state = State::new(self.t, &self.q, &self.v);
        let mut gaps = vec![Gap { gap: 0.0, v_n: 0.0 }; mechanism.contacts()];
        mechanism.gaps(state, &mut gaps);
        for (contact, gap) in gaps.iter().enumerate() {
            let unit = match mechanism.gap_unit(contact) {
                "m" => units.length,
                _ => 1.0,
            };
            said.add(&[gap.gap], |_| unit);
            said.add(&[gap.v_n], |_| unit / units.time);
            let mut rows = vec![0.0; 3 * n];
            let (normal, tangents) = rows.split_at_mut(n);
            let tangents = tangents.split_at_mut(n).into();
            let drift =
                mechanism.contact_frame_rows(state, contact, FrameRows { normal, tangents });
            said.add(&rows, |k| unit / of_v[k % n]);
            let pull = [drift.acceleration.n, drift.acceleration.t[0]];
            said.add(&pull, |_| unit / units.time / units.time);
            said.flags.push(mechanism.owns_touch(state, contact));
            let soon = 1e-3 * units.time;
            let mut pieces = vec![None; mechanism.contacts()];
            pieces[contact] = mechanism.piece_ahead(state, contact, soon);
            said.flags.push(pieces[contact].is_some());
            if let Some(room) = mechanism.piece_room(state.on(&pieces), contact) {
                said.add(&[room.value], |_| units.length);
                said.add(&[room.rate], |_| units.length / units.time);
            }
        }
    }
}

/// A mechanism with its contacts, in some units.
fn built<A: Written>(
    kit: &Kit<A>,
    units: Units,
    contacts: impl Fn(&Model<A>) -> Vec<A::Feature>,
) -> TreeMechanism<A> {
    let model = kit.build(units);
    let features = contacts(&model);
    TreeMechanism::new(model, features)
}

/// A random mechanism in SI with a state, and how its contacts are found.
struct Sample<A: Written> {
    kit: Kit<A>,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// The named shapes between which contacts are looked for.
const PAIRS: [[(&str, &str); 2]; 2] = [
    [("first", "s"), ("second", "s")],
    [("first", "s"), ("world", "s")],
];

impl Sample<Plane> {
    /// Loops, springs, drives, loads, stops, and two bodies with shapes that touch each other and the
    /// world.
    fn plane(rng: &mut Rng) -> Option<Self> {
        let (parts, _, start) = loops::closed::<Plane>(rng, 3).pop()?;
        let mut kit = Kit {
            parts,
            world: vec![("s".into(), contacts::random_shape(rng, 5))],
        };
        let (mut q, mut v) = (start.q, start.v);
        for name in ["first", "second"] {
            let kind = rng.usize(1..5);
            let mut body = Body::new(0.5 + rng.f64(), 0.1 + rng.f64());
            let shape = contacts::random_shape(rng, kind);
            body.shapes.push(("s".into(), shape));
            kit.parts.bodies.push((name.into(), body));
        }
        let limits = Some(Limits {
            lower: -0.5,
            upper: 1.5,
            restitution: 0.5,
        });
        let axis = Plane::vector(rng, 1.0);
        let slide = Joint {
            limits,
            ..Joint::new(PlaneJoint::Prismatic { axis }, "world", "first")
        };
        kit.parts.joints.push(("slide".into(), slide));
        let built = kit.build(Units::SI);
        // Bodies left free come last; what was there before keeps its numbers.
        let old = q.len();
        q.resize(built.positions(), 0.0);
        v.resize(built.rates(), 0.0);
        q[old..].iter_mut().for_each(|x| *x = either_sign(rng, 1.0));
        v[old..].iter_mut().for_each(|x| *x = either_sign(rng, 1.0));
        let t = start.t;
        Some(Self { kit, t, q, v })
    }
}

impl Sample<Space> {
    fn space(rng: &mut Rng) -> Option<Self> {
        let (parts, _, start) = loops::closed::<Space>(rng, 3).pop()?;
        // A floor, a bowl or a tube, with all that they may hold; disks and cylinders beside a ball on a floor.
        let around = [5, 5, 8, 9][rng.usize(0..4)];
        let kinds = match around == 5 && rng.bool() {
            true => [6 + rng.usize(0..2), 1],
            false => [rng.usize(1..5), rng.usize(1..5)],
        };
        let floor = SolidShape::new(space_contacts::random_solid(rng, around));
        let mut kit = Kit {
            parts,
            world: vec![("s".into(), floor)],
        };
        for (name, kind) in ["first", "second"].into_iter().zip(kinds) {
            let mut body = Body::new(0.5 + rng.f64(), Space::inertia(rng));
            let solid = space_contacts::random_solid(rng, kind);
            let shape = SolidShape::new(solid).turned(Space::rotation(rng));
            body.shapes.push(("s".into(), shape));
            kit.parts.bodies.push((name.into(), body));
        }
        let built = kit.build(Units::SI);
        let (mut q, mut v, old) = (start.q, start.v, start.t);
        let known = (q.len(), v.len());
        q.resize(built.positions(), 0.0);
        v.resize(built.rates(), 0.0);
        q[known.0..]
            .iter_mut()
            .for_each(|x| *x = either_sign(rng, 0.6));
        v[known.1..]
            .iter_mut()
            .for_each(|x| *x = either_sign(rng, 1.0));
        built.normalise(&mut q);
        Some(Self { kit, t: old, q, v })
    }
}

impl<A: Written> Sample<A> {
    fn says(&self, units: Units, contacts: impl Fn(&Model<A>) -> Vec<A::Feature>) -> Said {
        let mechanism = built(&self.kit, units, contacts);
        let state = State::new(self.t, &self.q, &self.v);
        Posed::new(mechanism, units, state).says()
    }
}

fn plane_contacts(model: &Model<Plane>) -> Vec<carom_multibody::contact::Feature> {
    let pair = |pair: &[(&str, &str); 2]| model.features(pair[0], pair[1]).unwrap();
    PAIRS.iter().flat_map(pair).collect()
}

fn space_contacts_of(model: &Model<Space>) -> Vec<carom_multibody::space::contact::SolidFeature> {
    let pair = |pair: &[(&str, &str); 2]| model.features(pair[0], pair[1]).unwrap();
    PAIRS.iter().flat_map(pair).collect()
}

/// Largest difference over the largest number there is.
fn apart(a: &Said, b: &Said) -> f64 {
    assert_eq!(a.numbers.len(), b.numbers.len());
    let scale = a.numbers.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    let pairs = a.numbers.iter().zip(&b.numbers);
    pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs() / scale))
}

/// Compares what a mechanism says in SI, in binary units and in any.
fn compare(rng: &mut Rng, says: impl Fn(Units) -> Said) {
    let said = says(Units::SI);
    let units = Units::binary(rng);
    assert_eq!(said, says(units), "{units:?}");
    let units = Units::any(rng);
    let other = says(units);
    assert_eq!(said.counts, other.counts, "{units:?}");
    let flags = said.flags.iter().zip(&other.flags);
    let differ: Vec<usize> = flags
        .enumerate()
        .filter_map(|(k, (a, b))| (a != b).then_some(k))
        .collect();
    assert!(differ.is_empty(), "{units:?}: {differ:?}");
    assert!(apart(&said, &other) < 1e-9, "{}", apart(&said, &other));
}

#[test]
fn a_plane_mechanism_says_the_same_in_all_units() {
    let mut rng = Rng::with_seed(301);
    let mut seen = 0;
    while seen < count(300) {
        let Some(sample) = Sample::plane(&mut rng) else {
            continue;
        };
        compare(&mut rng, |units| sample.says(units, plane_contacts));
        seen += 1;
    }
}

#[test]
fn a_mechanism_in_space_says_the_same_in_all_units() {
    let mut rng = Rng::with_seed(302);
    let mut seen = 0;
    while seen < count(200) {
        let Some(sample) = Sample::space(&mut rng) else {
            continue;
        };
        compare(&mut rng, |units| sample.says(units, space_contacts_of));
        seen += 1;
    }
}

/// Some bodies lose their mass or inertia: what nothing resists is refused, whatever the units.
#[test]
fn what_is_refused_does_not_depend_on_the_units() {
    let mut rng = Rng::with_seed(305);
    let mut refused = 0;
    for _ in 0..count(1000) {
        let bodies = rng.usize(1..6);
        let mut parts = Parts::<Space>::random(&mut rng, bodies);
        for (_, body) in &mut parts.bodies {
            if rng.f64() < 0.3 {
                (body.mass, body.inertia) = (0.0, Symmetric::default());
            } else if rng.f64() < 0.2 {
                body.inertia = Symmetric::default();
            }
        }
        let kit = Kit::<Space> {
            parts,
            world: Vec::new(),
        };
        let refusal = |units: Units| {
            let built = kit.builder(units).build();
            built.is_err()
        };
        let said = refusal(Units::SI);
        refused += usize::from(said);
        for units in [Units::binary(&mut rng), Units::any(&mut rng)] {
            assert_eq!(said, refusal(units), "{units:?}");
        }
    }
    assert!(
        refused > count(100) && refused < count(900),
        "{refused} refusals"
    );
}

/// Two equal boxes face to face, the upper one shifted along the face and perhaps sunk a little.
fn stacked_plane(at: [f64; 2], shift: f64) -> PlaneMechanism {
    let mut builder = ModelBuilder::<Plane>::new();
    let size = [0.8, 0.4].into();
    for (name, y) in [("lower", 0.0), ("upper", 0.4)] {
        let mut body = Body::new(1.0, 0.1);
        body.shapes
            .push(("s".into(), Shape::new(Outline::Box { size })));
        builder.body(name, body);
        let x = if y > 0.0 { shift } else { 0.0 };
        let fixed = Joint {
            parent_at: [at[0] + x, at[1] + y].into(),
            ..Joint::new(PlaneJoint::Free, "world", name)
        };
        builder.joint(&format!("{name} joint"), fixed);
    }
    let model = builder.build().unwrap();
    let features = model.features(("upper", "s"), ("lower", "s")).unwrap();
    PlaneMechanism::new(model, features)
}

/// Which contacts of boxes that lie on each other touch and are owned.
fn touching<M: Mechanism>(mechanism: &mut M, q: &[f64], near: f64) -> Vec<bool> {
    let v = vec![0.0; mechanism.rates()];
    let state = State::new(0.0, q, &v);
    let mut gaps = vec![Gap { gap: 0.0, v_n: 0.0 }; mechanism.contacts()];
    mechanism.gaps(state, &mut gaps);
    let all = gaps.iter().enumerate();
    all.map(|(k, gap)| gap.gap.abs() <= near && mechanism.owns_touch(state, k))
        .collect()
}

/// A corner was on a side within a part of the side's size, whatever rounding left of its place: boxes a
/// million sizes away touched with other corners than boxes near the origin.
#[test]
fn boxes_face_to_face_far_away_touch_with_the_corners_that_touch_near_the_origin() {
    let mut rng = Rng::with_seed(303);
    for _ in 0..count(300) {
        let shift = [0.0, 0.2, -0.3][rng.usize(0..3)];
        let q = [0.0; 6];
        let near = touching(&mut stacked_plane([0.0; 2], shift), &q, 1e-12);
        assert_eq!(near.iter().filter(|is_touching| **is_touching).count(), 2);
        let far = [
            1e6 * either_sign(&mut rng, 1.0),
            1e6 * either_sign(&mut rng, 1.0),
        ];
        let seen = touching(&mut stacked_plane(far, shift), &q, 1e-8);
        assert_eq!(near, seen, "{far:?} {shift}");
    }
}

#[test]
fn boxes_in_space_far_away_touch_with_the_corners_that_touch_near_the_origin() {
    let mut rng = Rng::with_seed(304);
    let build = |at: Vector<3>, shift: Vector<3>| {
        let mut builder = ModelBuilder::<Space>::new();
        let size = [0.8, 0.6, 0.4].into();
        for (name, above) in [("lower", Vector([0.0; 3])), ("upper", shift)] {
            let mut body = Body::new(1.0, Symmetric::from([0.1; 3]));
            let shape = SolidShape::new(Solid::Box { size }).turned(Rotation::default());
            body.shapes.push(("s".into(), shape));
            builder.body(name, body);
            let free = carom_multibody::space::SpaceJoint::Free;
            let joint = Joint {
                parent_at: at + above,
                ..Joint::new(free, "world", name)
            };
            builder.joint(&format!("{name} joint"), joint);
        }
        let model = builder.build().unwrap();
        let q = model.reference();
        let features = model.features(("upper", "s"), ("lower", "s")).unwrap();
        (SpaceMechanism::new(model, features), q)
    };
    for _ in 0..count(100) {
        let aligned = rng.usize(0..3);
        let x = if aligned < 2 {
            0.0
        } else {
            either_sign(&mut rng, 0.3)
        };
        let y = if aligned < 1 {
            0.0
        } else {
            either_sign(&mut rng, 0.2)
        };
        let shift = Vector([x, y, 0.4]);
        let (mut mechanism, q) = build(Vector([0.0; 3]), shift);
        let near = touching(&mut mechanism, &q, 1e-12);
        let far = Space::vector(&mut rng, 1e6);
        let (mut mechanism, q) = build(far, shift);
        let seen = touching(&mut mechanism, &q, 1e-8);
        let touching = near.iter().filter(|is_touching| **is_touching).count();
        assert_eq!(touching, 4, "the corners of where the faces overlap");
        assert_eq!(near, seen, "{far:?} {shift:?}");
    }
}
