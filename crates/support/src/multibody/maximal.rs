//! Second route: every body has the rates of a free one (angular velocity, velocity of the mass centre),
//! joints are constraints on them. The plane lies in space, and what would leave it is left out.
//!
//! ```text
//! | M  −Gᵀ | | ẍ |   |  F |
//! | G   0  | | λ | = | −γ |        G ẍ + γ = 0: second derivative of the constraints
//! ```

use carom_multibody::space::SpaceJoint;
use carom_multibody::{BodyId, JointRecord, Load, Placed, PointForce};
use nalgebra::{DMatrix, DVector, UnitQuaternion};

use super::{Drawn, V3};

/// A body of the second route, or the world.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Index of its first coordinate; none for the world.
    at: Option<usize>,
    origin: V3,
    center: V3,
    turned: UnitQuaternion<f64>,
    omega: V3,
    center_velocity: V3,
}

impl Piece {
    fn point<A: Drawn>(&self, local: A::Vector) -> V3 {
        self.origin + self.turned * A::lifted(local)
    }

    fn velocity(&self, point: V3) -> V3 {
        self.center_velocity + self.omega.cross(&(point - self.center))
    }

    /// Acceleration of a point beyond its Jacobian times ẍ.
    fn drift(&self, point: V3) -> V3 {
        self.omega.cross(&self.omega.cross(&(point - self.center)))
    }
}

/// A constraint row: its Jacobian by body, its drift γ, its value and its rate.
#[derive(Debug, Clone)]
struct Row {
    entries: Vec<(usize, f64)>,
    drift: f64,
    value: f64,
    rate: f64,
}

impl Row {
    fn plus(mut self, other: Self, factor: f64) -> Self {
        let scaled = other.entries.iter().map(|(i, x)| (*i, factor * x));
        self.entries.extend(scaled);
        self.drift += factor * other.drift;
        self.value += factor * other.value;
        self.rate += factor * other.rate;
        self
    }
}

fn entries<A: Drawn>(at: usize, angular: V3, linear: V3) -> impl Iterator<Item = (usize, f64)> {
    let numbers = A::numbers_of(angular, linear).enumerate();
    numbers.map(move |(i, x)| (at + i, x))
}

/// Two unit vectors across a unit vector.
fn across(axis: V3) -> [V3; 2] {
    let helper = if axis.x.abs() < 0.6 { V3::x() } else { V3::y() };
    let first = axis.cross(&helper).normalize();
    [first, axis.cross(&first)]
}

/// What the second route finds.
pub struct Solved {
    /// Angular acceleration and acceleration of the mass centre of each body, in the order of the
    /// bodies: [`Drawn::numbers`].
    pub accelerations: Vec<f64>,
    /// Moment about the joint and force on the child of each joint.
    pub reactions: Vec<f64>,
    /// Force along the coordinate of each prescribed joint.
    pub motion_forces: Vec<Option<f64>>,
    /// Largest violation of the constraints and of their rates by the poses and twists given.
    pub violation: f64,
}

/// The mechanism in maximal coordinates, at the poses and twists of the placed model.
pub struct Maximal<'a, A: Drawn> {
    placed: &'a Placed<'a, A>,
    t: f64,
    pieces: Vec<Piece>,
    mass: DMatrix<f64>,
    force: DVector<f64>,
    /// Impulses alone act, and velocities jump.
    is_impulse: bool,
}

impl<'a, A: Drawn> Maximal<'a, A> {
    pub fn new(placed: &'a Placed<'a, A>, t: f64) -> Self {
        let records = placed.model().bodies();
        let size = A::RATES.len();
        let n = size * records.len();
        let mut pieces = vec![Piece {
            at: None,
            origin: V3::zeros(),
            center: V3::zeros(),
            turned: UnitQuaternion::identity(),
            omega: V3::zeros(),
            center_velocity: V3::zeros(),
        }];
        let (mut mass, mut force) = (DMatrix::zeros(n, n), DVector::zeros(n));
        for (i, record) in records.iter().enumerate() {
            let pose = placed.pose(record.id);
            let turned = A::lifted_rotation(pose.rotation);
            let origin = A::lifted(pose.origin);
            let center = origin + turned * A::lifted(record.body.center);
            let twist = placed.twist(record.id);
            let omega = A::lifted_angular(twist.angular);
            pieces.push(Piece {
                at: Some(size * i),
                origin,
                center,
                turned,
                omega,
                center_velocity: A::lifted(twist.linear) + omega.cross(&(center - origin)),
            });
            let r = turned.to_rotation_matrix();
            let inertia =
                r.matrix() * A::lifted_inertia(record.body.inertia) * r.matrix().transpose();
            let m = record.body.mass;
            for (a, j) in A::RATES.iter().enumerate() {
                for (b, k) in A::RATES.iter().enumerate() {
                    mass[(size * i + a, size * i + b)] = match (*j < 3, *k < 3) {
                        (true, true) => inertia[(*j, *k)],
                        _ => m * f64::from(u8::from(j == k)),
                    };
                }
            }
            let gyroscopic = -omega.cross(&(inertia * omega));
            let weight = A::lifted(placed.model().gravity()) * m;
            for (k, x) in entries::<A>(size * i, gyroscopic, weight) {
                force[k] += x;
            }
        }
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
    fn records(&self) -> Vec<JointRecord<A>> {
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

    fn piece(&self, body: BodyId) -> Piece {
        let records = self.placed.model().bodies();
        let place = records.iter().position(|record| record.id == body);
        self.pieces[place.map_or(0, |place| place + 1)]
    }

    fn ends(&self, record: &JointRecord<A>) -> (Piece, Piece) {
        (self.piece(record.parent), self.piece(record.child))
    }

    fn push(&mut self, piece: Piece, point: V3, force: V3, torque: V3) {
        if let Some(at) = piece.at {
            let moment = torque + (point - piece.center).cross(&force);
            for (k, x) in entries::<A>(at, moment, force) {
                self.force[k] += x;
            }
        }
    }

    pub fn add_load(&mut self, load: &Load<A>) {
        let piece = self.piece(self.placed.model().body(&load.body).unwrap());
        let force = A::lifted(load.force.at(self.t));
        let torque = A::lifted_angular(load.torque.at(self.t));
        self.push(piece, piece.point::<A>(load.at), force, torque);
    }

    pub fn add_forces(&mut self, forces: &[PointForce<A>]) {
        for acting in forces {
            let piece = self.piece(acting.body);
            self.push(
                piece,
                A::lifted(acting.point),
                A::lifted(acting.force),
                V3::zeros(),
            );
        }
    }

    /// Orientation of the parent's joint frame in the world.
    fn base(&self, record: &JointRecord<A>) -> UnitQuaternion<f64> {
        self.ends(record).0.turned * A::lifted_rotation(record.joint.parent_rotation)
    }

    /// The turn of the child from the joint frame, in world axes.
    fn relative(&self, record: &JointRecord<A>) -> UnitQuaternion<f64> {
        self.ends(record).1.turned * self.base(record).inverse()
    }

    /// Angle of the child in the joint frame about a unit axis of the world.
    fn angle(&self, record: &JointRecord<A>, axis: V3) -> f64 {
        let relative = self.relative(record);
        2.0 * relative.imag().dot(&axis).atan2(relative.w)
    }

    /// `d·(P_c − P_p)` with a direction d that turns with the parent.
    fn point_row(&self, record: &JointRecord<A>, d: V3) -> Row {
        let (p, c) = self.ends(record);
        let (from, to) = (
            p.point::<A>(record.joint.parent_at),
            c.point::<A>(record.joint.child_at),
        );
        let (apart, speed) = (to - from, c.velocity(to) - p.velocity(from));
        let d_rate = p.omega.cross(&d);
        let mut found = Vec::new();
        if let Some(at) = c.at {
            found.extend(entries::<A>(at, (to - c.center).cross(&d), d));
        }
        if let Some(at) = p.at {
            let lever = d.cross(&apart) - (from - p.center).cross(&d);
            found.extend(entries::<A>(at, lever, -d));
        }
        Row {
            entries: found,
            drift: d.dot(&(c.drift(to) - p.drift(from)))
                + 2.0 * d_rate.dot(&speed)
                + p.omega.cross(&d_rate).dot(&apart),
            value: d.dot(&apart),
            rate: d.dot(&speed) + d_rate.dot(&apart),
        }
    }

    /// `w·(ω_c − ω_p)` with a direction w that changes at a rate.
    fn turn_row(&self, record: &JointRecord<A>, w: V3, w_rate: V3, value: f64) -> Row {
        let (p, c) = self.ends(record);
        let mut found = Vec::new();
        found.extend(
            c.at.into_iter()
                .flat_map(|at| entries::<A>(at, w, V3::zeros())),
        );
        found.extend(
            p.at.into_iter()
                .flat_map(|at| entries::<A>(at, -w, V3::zeros())),
        );
        Row {
            entries: found,
            drift: w_rate.dot(&(c.omega - p.omega)),
            value,
            rate: w.dot(&(c.omega - p.omega)),
        }
    }

    fn no_turn(&self, record: &JointRecord<A>, directions: &[V3]) -> Vec<Row> {
        let (p, _) = self.ends(record);
        let row = |d: &V3| {
            let value = self.relative(record).imag().dot(d);
            self.turn_row(record, *d, p.omega.cross(d), value)
        };
        directions.iter().map(row).collect()
    }

    fn no_slide(&self, record: &JointRecord<A>, directions: &[V3]) -> Vec<Row> {
        let row = |d: &V3| self.point_row(record, *d);
        directions.iter().map(row).collect()
    }

    /// The angle, or the way, along a unit axis of the world.
    fn coordinate_row(&self, record: &JointRecord<A>, axis: V3) -> Row {
        let (p, _) = self.ends(record);
        match A::lifted_kind(record.joint.kind) {
            SpaceJoint::Prismatic { .. } => self.point_row(record, axis),
            _ => self.turn_row(record, axis, p.omega.cross(&axis), self.angle(record, axis)),
        }
    }

    fn axis(&self, record: &JointRecord<A>) -> Option<V3> {
        match A::lifted_kind(record.joint.kind) {
            SpaceJoint::Revolute { axis }
            | SpaceJoint::Prismatic { axis }
            | SpaceJoint::Cylindrical { axis }
            | SpaceJoint::Screw { axis, .. } => {
                Some(self.base(record) * V3::from(axis.0).normalize())
            }
            _ => None,
        }
    }

    /// The second axis is carried by the child; its angle with the first stays.
    fn universal(&self, record: &JointRecord<A>, first: V3, second: V3) -> Row {
        let (p, c) = self.ends(record);
        let a = self.base(record) * first;
        let b = c.turned * second;
        let (a_rate, b_rate) = (p.omega.cross(&a), c.omega.cross(&b));
        let w_rate = b_rate.cross(&a) + b.cross(&a_rate);
        let value = a.dot(&b) - first.dot(&second);
        self.turn_row(record, b.cross(&a), w_rate, value)
    }

    /// Constraint rows of a joint; that of a prescribed coordinate comes last.
    fn rows(&self, record: &JointRecord<A>) -> Vec<Row> {
        let all = [V3::x(), V3::y(), V3::z()];
        let axis = self.axis(record);
        let sides = axis.map_or([V3::zeros(); 2], across);
        let (turns, slides): (&[V3], &[V3]) = match A::lifted_kind(record.joint.kind) {
            SpaceJoint::Revolute { .. } => (&sides, &all),
            SpaceJoint::Prismatic { .. } => (&all, &sides),
            SpaceJoint::Fixed => (&all, &all),
            SpaceJoint::Free => (&[], &[]),
            SpaceJoint::Spherical | SpaceJoint::Universal { .. } => (&[], &all),
            SpaceJoint::Cylindrical { .. } | SpaceJoint::Screw { .. } => (&sides, &sides),
        };
        let mut rows = self.no_turn(record, turns);
        rows.extend(self.no_slide(record, slides));
        // What would leave the plane has no rate there.
        rows.retain(|row| row.entries.iter().any(|(_, x)| *x != 0.0));
        if let SpaceJoint::Universal { first, second } = A::lifted_kind(record.joint.kind) {
            rows.push(self.universal(
                record,
                V3::from(first.0).normalize(),
                V3::from(second.0).normalize(),
            ));
        }
        let Some(axis) = axis else {
            return rows;
        };
        if let SpaceJoint::Screw { lead, .. } = A::lifted_kind(record.joint.kind) {
            let advance = self.point_row(record, axis);
            rows.push(advance.plus(self.coordinate_row(record, axis), -lead));
        }
        if let Some(motion) = record.joint.motion {
            let mut row = self.coordinate_row(record, axis);
            let [value, rate, acceleration] = motion.at(self.t);
            row.value -= value;
            row.rate -= rate;
            row.drift -= acceleration;
            rows.push(row);
        }
        rows
    }

    /// Spring, damper and drive as a force along the axis, or a torque, on the child.
    fn passive(&self, record: &JointRecord<A>) -> (V3, V3) {
        let joint = &record.joint;
        let Some(axis) = self.axis(record).filter(|_| !self.is_impulse) else {
            return (V3::zeros(), V3::zeros());
        };
        let row = self.coordinate_row(record, axis);
        let spring = joint
            .spring
            .map_or(0.0, |s| -s.stiffness * (row.value - s.rest));
        let drive = joint.drive.map_or(0.0, |d| {
            d.amplitude * (d.frequency * self.t + d.phase).cos()
        });
        let force = spring + drive - joint.damping * row.rate;
        match A::lifted_kind(joint.kind) {
            SpaceJoint::Prismatic { .. } => (axis * force, V3::zeros()),
            _ => (V3::zeros(), axis * force),
        }
    }

    pub fn solve(mut self) -> Solved {
        let records = self.records();
        for record in &records {
            let (force, torque) = self.passive(record);
            let (p, c) = self.ends(record);
            let at = c.point::<A>(record.joint.child_at);
            self.push(c, at, force, torque);
            self.push(p, at, -force, -torque);
        }
        let by_joint: Vec<Vec<Row>> = records.iter().map(|record| self.rows(record)).collect();
        let rows: Vec<&Row> = by_joint.iter().flatten().collect();
        let n = self.force.len();
        let mut system = DMatrix::zeros(n + rows.len(), n + rows.len());
        let mut right = DVector::zeros(n + rows.len());
        system.view_mut((0, 0), (n, n)).copy_from(&self.mass);
        right.rows_mut(0, n).copy_from(&self.force);
        for (k, row) in rows.iter().enumerate() {
            right[n + k] = if self.is_impulse { 0.0 } else { -row.drift };
            for (i, value) in &row.entries {
                system[(n + k, *i)] += value;
                system[(*i, n + k)] -= value;
            }
        }
        // Refined once: near a singular configuration a single solution is off by more than what it judges.
        let factors = system.clone().lu();
        let first = factors.solve(&right).unwrap();
        let answer = factors.solve(&(right - system * &first)).unwrap() + first;
        self.read(&by_joint, &answer)
    }

    fn read(&self, by_joint: &[Vec<Row>], answer: &DVector<f64>) -> Solved {
        let n = self.force.len();
        let records = self.records();
        let (mut k, mut reactions, mut motion_forces) = (n, Vec::new(), Vec::new());
        for (record, rows) in records.iter().zip(by_joint) {
            let child = self.piece(record.child);
            let at = child.at.unwrap();
            let mut on_center = [0.0; 6];
            for row in rows {
                for (i, value) in row.entries.iter().filter(|(i, _)| *i >= at) {
                    if let Some(rate) = A::RATES.get(i - at) {
                        on_center[*rate] += value * answer[k];
                    }
                }
                k += 1;
            }
            let (passive, torque) = self.passive(record);
            let (moment, force) = (
                V3::from_column_slice(&on_center[..3]),
                V3::from_column_slice(&on_center[3..]),
            );
            let joint = child.point::<A>(record.joint.child_at);
            let moment = moment + (child.center - joint).cross(&force) + torque;
            reactions.extend(A::numbers_of(moment, force + passive));
            motion_forces.push(record.joint.motion.map(|_| answer[k - 1]));
        }
        Solved {
            accelerations: answer.as_slice()[..n].to_vec(),
            reactions,
            motion_forces,
            violation: by_joint.iter().flatten().fold(0.0, |worst: f64, row| {
                worst.max(row.value.abs()).max(row.rate.abs())
            }),
        }
    }
}
