//! Second route: every body has three coordinates (mass centre, angle), joints are constraints.
//!
//! ```text
//! | M  −Gᵀ | | ẍ |   |  F |
//! | G   0  | | λ | = | −γ |        G ẍ + γ = 0: second derivative of the constraints
//! ```

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{BodyId, JointRecord, Placed, PointForce, Vector, WORLD};
use nalgebra::{DMatrix, DVector};

use super::GRAVITY;

type V2 = nalgebra::Vector2<f64>;

fn v2(v: Vector<2>) -> V2 {
    V2::new(v.0[0], v.0[1])
}

fn turned(v: V2) -> V2 {
    V2::new(-v.y, v.x)
}

fn rotated(angle: f64, v: V2) -> V2 {
    nalgebra::Rotation2::new(angle) * v
}

/// A body of the second route, or the world.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Index of its first coordinate; none for the world.
    at: Option<usize>,
    origin: V2,
    center: V2,
    angle: f64,
    omega: f64,
    center_velocity: V2,
}

impl Piece {
    fn point(&self, local: Vector<2>) -> V2 {
        self.origin + rotated(self.angle, v2(local))
    }

    fn velocity(&self, point: V2) -> V2 {
        self.center_velocity + turned(point - self.center) * self.omega
    }

    /// Acceleration of a point beyond its Jacobian times ẍ.
    fn drift(&self, point: V2) -> V2 {
        -(point - self.center) * self.omega * self.omega
    }
}

/// A constraint row: its Jacobian by body, its drift γ, its value and its rate.
struct Row {
    entries: Vec<(usize, f64)>,
    drift: f64,
    value: f64,
    rate: f64,
}

/// What the second route finds.
pub struct Solved {
    /// (angular, x, y) acceleration of the mass centre of each body, in the order of the bodies.
    pub accelerations: Vec<[f64; 3]>,
    /// (force x, force y, moment about the joint) on the child of each joint.
    pub reactions: Vec<[f64; 3]>,
    /// Force along the coordinate of each prescribed joint.
    pub motion_forces: Vec<Option<f64>>,
    /// Largest violation of the constraints and of their rates by the poses and twists given.
    pub violation: f64,
}

/// The mechanism in maximal coordinates, at the poses and twists of the placed model.
pub struct Maximal<'a> {
    placed: &'a Placed<'a, Plane>,
    t: f64,
    pieces: Vec<Piece>,
    /// Place of each body by name, 1 + its index; 0 is the world.
    mass: Vec<f64>,
    force: DVector<f64>,
    /// Impulses alone act, and velocities jump.
    is_impulse: bool,
}

impl<'a> Maximal<'a> {
    pub fn new(placed: &'a Placed<'a, Plane>, t: f64) -> Self {
        let records = placed.model().bodies();
        let mut pieces = vec![Piece {
            at: None,
            origin: V2::zeros(),
            center: V2::zeros(),
            angle: 0.0,
            omega: 0.0,
            center_velocity: V2::zeros(),
        }];
        let (mut mass, mut force) = (Vec::new(), Vec::new());
        for (i, record) in records.iter().enumerate() {
            let pose = placed.pose(record.id);
            let angle = pose.rotation.radians();
            let center = v2(pose.origin) + rotated(angle, v2(record.body.center));
            let twist = placed.twist(record.id);
            pieces.push(Piece {
                at: Some(3 * i),
                origin: v2(pose.origin),
                center,
                angle,
                omega: twist.angular,
                center_velocity: v2(twist.linear)
                    + turned(center - v2(pose.origin)) * twist.angular,
            });
            let m = record.body.mass;
            mass.extend([record.body.inertia, m, m]);
            force.extend([0.0, m * GRAVITY[0], m * GRAVITY[1]]);
        }
        let force = DVector::from_vec(force);
        Self {
            placed,
            t,
            pieces,
            mass,
            force,
            is_impulse: false,
        }
    }

    /// The same for an instant in which only impulses act, those added from here on.
    pub fn impulsive(mut self) -> Self {
        self.force.fill(0.0);
        self.is_impulse = true;
        self
    }

    /// The joints of the tree, then those that close loops.
    fn records(&self) -> Vec<JointRecord<Plane>> {
        let model = self.placed.model();
        let closing = model.closures().iter().map(|closure| JointRecord {
            name: closure.name.clone(),
            joint: closure.joint.clone(),
            parent: closure.parent,
            child: closure.child,
            positions: 0..0,
            rates: 0..0,
            is_implicit: false,
        });
        model.joints().iter().cloned().chain(closing).collect()
    }

    fn piece(&self, name: &str) -> Piece {
        let records = self.placed.model().bodies();
        let place = records.iter().position(|record| record.name == name);
        assert!(place.is_some() || name == WORLD);
        self.pieces[place.map_or(0, |place| place + 1)]
    }

    fn push(&mut self, piece: Piece, point: V2, force: V2, torque: f64) {
        if let Some(at) = piece.at {
            let arm = point - piece.center;
            self.force[at] += torque + turned(arm).dot(&force);
            self.force[at + 1] += force.x;
            self.force[at + 2] += force.y;
        }
    }

    pub fn add_load(&mut self, load: &carom_multibody::Load<Plane>) {
        let piece = self.piece(&load.body);
        let force = v2(load.force.at(self.t));
        let torque = load.torque.at(self.t);
        self.push(piece, piece.point(load.at), force, torque);
    }

    pub fn add_forces(&mut self, forces: &[PointForce<Plane>]) {
        for force in forces {
            let place = self.placed.model().bodies().iter();
            let place = place
                .map(|record| record.id)
                .position(|id| id == force.body);
            if force.body != BodyId::WORLD {
                let piece = self.pieces[place.unwrap() + 1];
                self.push(piece, v2(force.point), v2(force.force), 0.0);
            }
        }
    }

    /// Axis, way and speed of a joint's coordinate.
    fn coordinate(&self, record: &JointRecord<Plane>) -> (V2, f64, f64) {
        let (p, c) = (
            self.piece(&record.joint.parent),
            self.piece(&record.joint.child),
        );
        let base = p.angle + record.joint.parent_rotation.radians();
        let (from, to) = (
            p.point(record.joint.parent_at),
            c.point(record.joint.child_at),
        );
        match record.joint.kind {
            PlaneJoint::Prismatic { axis } => {
                let axis = rotated(base, v2(axis));
                let speed = c.velocity(to) - p.velocity(to);
                (axis, axis.dot(&(to - from)), axis.dot(&speed))
            }
            _ => (V2::zeros(), c.angle - base, c.omega - p.omega),
        }
    }

    /// Spring, damper and drive as a force along the axis, or a torque, on the child.
    fn passive(&self, record: &JointRecord<Plane>) -> (V2, f64) {
        if self.is_impulse {
            return (V2::zeros(), 0.0);
        }
        let joint = &record.joint;
        let (axis, q, rate) = self.coordinate(record);
        let spring = joint.spring.map_or(0.0, |s| -s.stiffness * (q - s.rest));
        let drive = joint.drive.map_or(0.0, |d| {
            d.amplitude * (d.frequency * self.t + d.phase).cos()
        });
        let force = spring + drive - joint.damping * rate;
        match joint.kind {
            PlaneJoint::Prismatic { .. } => (axis * force, 0.0),
            PlaneJoint::Revolute => (V2::zeros(), force),
            _ => (V2::zeros(), 0.0),
        }
    }

    /// `direction·(P_c − P_p) = target(t)` with a direction that turns with the parent (or not).
    fn point_row(&self, record: &JointRecord<Plane>, direction: V2, turns: f64) -> Row {
        let (p, c) = (
            self.piece(&record.joint.parent),
            self.piece(&record.joint.child),
        );
        let (from, to) = (
            p.point(record.joint.parent_at),
            c.point(record.joint.child_at),
        );
        let (apart, speed) = (to - from, c.velocity(to) - p.velocity(from));
        let omega = turns * p.omega;
        let mut entries = Vec::new();
        if let Some(at) = c.at {
            let lever = direction.dot(&turned(to - c.center));
            entries.extend([(at, lever), (at + 1, direction.x), (at + 2, direction.y)]);
        }
        if let Some(at) = p.at {
            let lever =
                -direction.dot(&turned(from - p.center)) + turns * turned(direction).dot(&apart);
            entries.extend([(at, lever), (at + 1, -direction.x), (at + 2, -direction.y)]);
        }
        let drift = direction.dot(&(c.drift(to) - p.drift(from)))
            + 2.0 * omega * turned(direction).dot(&speed)
            - omega * omega * direction.dot(&apart);
        Row {
            entries,
            drift,
            value: direction.dot(&apart),
            rate: direction.dot(&speed) + omega * turned(direction).dot(&apart),
        }
    }

    fn angle_row(&self, record: &JointRecord<Plane>) -> Row {
        let (p, c) = (
            self.piece(&record.joint.parent),
            self.piece(&record.joint.child),
        );
        let mut entries: Vec<_> = c.at.map(|at| (at, 1.0)).into_iter().collect();
        entries.extend(p.at.map(|at| (at, -1.0)));
        Row {
            entries,
            drift: 0.0,
            value: c.angle - p.angle - record.joint.parent_rotation.radians(),
            rate: c.omega - p.omega,
        }
    }

    /// Constraint rows of a joint; that of a prescribed coordinate comes last.
    fn rows(&self, record: &JointRecord<Plane>) -> Vec<Row> {
        let pin = |s: &Self| {
            let x = s.point_row(record, V2::x(), 0.0);
            vec![x, s.point_row(record, V2::y(), 0.0)]
        };
        let (axis, ..) = self.coordinate(record);
        let mut rows = match record.joint.kind {
            PlaneJoint::Revolute => pin(self),
            PlaneJoint::Prismatic { .. } => vec![
                self.angle_row(record),
                self.point_row(record, turned(axis), 1.0),
            ],
            PlaneJoint::Fixed => {
                let mut rows = pin(self);
                rows.push(self.angle_row(record));
                rows
            }
            PlaneJoint::Free => Vec::new(),
        };
        if let Some(motion) = record.joint.motion {
            let mut row = match record.joint.kind {
                PlaneJoint::Prismatic { .. } => self.point_row(record, axis, 1.0),
                _ => self.angle_row(record),
            };
            let [value, rate, acceleration] = motion.at(self.t);
            row.value -= value;
            row.rate -= rate;
            row.drift -= acceleration;
            rows.push(row);
        }
        rows
    }

    pub fn solve(mut self) -> Solved {
        let records = self.records();
        for record in &records {
            let (force, torque) = self.passive(record);
            let (p, c) = (
                self.piece(&record.joint.parent),
                self.piece(&record.joint.child),
            );
            let at = c.point(record.joint.child_at);
            self.push(c, at, force, torque);
            self.push(p, at, -force, -torque);
        }
        let by_joint: Vec<Vec<Row>> = records.iter().map(|record| self.rows(record)).collect();
        let rows: Vec<&Row> = by_joint.iter().flatten().collect();
        let n = self.mass.len();
        let mut system = DMatrix::zeros(n + rows.len(), n + rows.len());
        let mut right = DVector::zeros(n + rows.len());
        for i in 0..n {
            system[(i, i)] = self.mass[i];
            right[i] = self.force[i];
        }
        for (k, row) in rows.iter().enumerate() {
            right[n + k] = if self.is_impulse { 0.0 } else { -row.drift };
            for (i, value) in &row.entries {
                system[(n + k, *i)] += value;
                system[(*i, n + k)] -= value;
            }
        }
        let answer = system.lu().solve(&right).unwrap();
        self.read(&by_joint, &answer)
    }

    fn read(&self, by_joint: &[Vec<Row>], answer: &DVector<f64>) -> Solved {
        let n = self.mass.len();
        let records = self.records();
        let (mut k, mut reactions, mut motion_forces) = (n, Vec::new(), Vec::new());
        for (record, rows) in records.iter().zip(by_joint) {
            let child = self.piece(&record.joint.child);
            let at = child.at.unwrap();
            let mut on_center = [0.0; 3];
            for row in rows {
                for (i, value) in row.entries.iter().filter(|(i, _)| (at..at + 3).contains(i)) {
                    on_center[i - at] += value * answer[k];
                }
                k += 1;
            }
            let (passive, torque) = self.passive(record);
            let force = V2::new(on_center[1], on_center[2]);
            let joint = child.point(record.joint.child_at);
            let moment = on_center[0] + turned(child.center - joint).dot(&force) + torque;
            reactions.push([force.x + passive.x, force.y + passive.y, moment]);
            motion_forces.push(record.joint.motion.map(|_| answer[k - 1]));
        }
        let rows = by_joint.iter().flatten();
        Solved {
            accelerations: (0..n / 3)
                .map(|i| [answer[3 * i], answer[3 * i + 1], answer[3 * i + 2]])
                .collect(),
            reactions,
            motion_forces,
            violation: rows.fold(0.0, |worst: f64, row| {
                worst.max(row.value.abs()).max(row.rate.abs())
            }),
        }
    }
}
