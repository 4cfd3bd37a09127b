//! Where a body is and how it moves when nothing accelerates it.

use carom_multibody::space::Rotation;

use super::course::{Arrow, Course};

/// Columns of a rotation matrix.
pub type Turn = [Arrow; 3];

/// A frame that moves: the mass centre of a body and its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    pub center: Arrow,
    pub turn: Turn,
    /// Of its origin, seen from the mass centre, in body axes.
    pub origin: [f64; 3],
    pub linear: [f64; 3],
    pub angular: [f64; 3],
}

/// Place of a mass centre, quaternion, velocity and angular velocity in world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moving {
    pub center: [f64; 3],
    pub quaternion: [f64; 4],
    pub linear: [f64; 3],
    pub angular: [f64; 3],
}

/// Numbers of a [`Moving`] in the state that is integrated.
pub const NUMBERS: usize = 13;

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

pub fn unit(a: [f64; 3]) -> [f64; 3] {
    a.map(|x| x / norm(a))
}

/// `½ ω q`, ω in world axes.
pub fn quaternion_rate(omega: [f64; 3], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    let turned = cross(omega, [x, y, z]);
    let scalar = -dot(omega, [x, y, z]);
    let [a, b, c] = [0, 1, 2].map(|i| w * omega[i] + turned[i]);
    [scalar, a, b, c].map(|x| 0.5 * x)
}

/// Columns of the matrix of a unit quaternion that moves.
fn columns([w, x, y, z]: [Course; 4]) -> Turn {
    let one = Course::fixed(1.0);
    let twice = |a: Course, b: Course| (a * b) * 2.0;
    [
        Arrow([
            one - twice(y, y) - twice(z, z),
            twice(x, y) + twice(w, z),
            twice(x, z) - twice(w, y),
        ]),
        Arrow([
            twice(x, y) - twice(w, z),
            one - twice(x, x) - twice(z, z),
            twice(y, z) + twice(w, x),
        ]),
        Arrow([
            twice(x, z) + twice(w, y),
            twice(y, z) - twice(w, x),
            one - twice(x, x) - twice(y, y),
        ]),
    ]
}

/// The turn of a quaternion of any length that changes at `½ ω q`, with ω steady.
pub fn turning(quaternion: [f64; 4], omega: [f64; 3]) -> Turn {
    let size = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    let q = quaternion.map(|x| x / size);
    let (rate, square) = (quaternion_rate(omega, q), dot(omega, omega));
    columns(std::array::from_fn(|i| Course {
        at: q[i],
        rate: rate[i],
        bend: -0.25 * square * q[i],
    }))
}

/// A turn that stays.
pub fn still(rotation: &Rotation) -> Turn {
    turning(rotation.quaternion(), [0.0; 3])
}

/// A turn by an angle about a unit axis.
pub fn about(axis: [f64; 3], angle: Course) -> Turn {
    let half = angle * 0.5;
    let sin = half.sin();
    let [x, y, z] = axis.map(|a| sin * a);
    columns([half.cos(), x, y, z])
}

pub fn turned(turn: &Turn, r: Arrow) -> Arrow {
    turn[0] * r.0[0] + turn[1] * r.0[1] + turn[2] * r.0[2]
}

/// First the outer turn, then the inner one in the axes it made.
pub fn then(outer: &Turn, inner: &Turn) -> Turn {
    inner.map(|column| turned(outer, column))
}

/// Angular velocity of a turn: `2 ω = Σ c × ċ` over its columns.
pub fn omega(turn: &Turn) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for column in turn {
        let part = cross(column.at(), column.rate());
        sum = [0, 1, 2].map(|i| sum[i] + 0.5 * part[i]);
    }
    sum
}

impl Moving {
    pub fn read(y: &[f64]) -> Self {
        let three = |at: usize| [y[at], y[at + 1], y[at + 2]];
        Self {
            center: three(0),
            quaternion: [y[3], y[4], y[5], y[6]],
            linear: three(7),
            angular: three(10),
        }
    }

    pub fn numbers(&self) -> [f64; NUMBERS] {
        let all = [
            &self.center[..],
            &self.quaternion,
            &self.linear,
            &self.angular,
        ];
        let mut out = [0.0; NUMBERS];
        let slots = out.iter_mut().zip(all.concat());
        slots.for_each(|(slot, x)| *slot = x);
        out
    }

    /// The frame of a body whose origin is there, seen from its mass centre.
    pub fn frame(&self, origin: [f64; 3]) -> Frame {
        let frame = Frame {
            center: Arrow::fixed(self.center),
            turn: turning(self.quaternion, [0.0; 3]),
            origin,
            linear: [0.0; 3],
            angular: [0.0; 3],
        };
        frame.moved(self.linear, self.angular)
    }
}

impl Frame {
    /// The world.
    pub fn world() -> Self {
        let still = Moving {
            quaternion: [1.0, 0.0, 0.0, 0.0],
            ..Moving::default()
        };
        still.frame([0.0; 3])
    }

    /// The same place at other velocities, which stay.
    pub fn moved(&self, linear: [f64; 3], angular: [f64; 3]) -> Self {
        let center = self.center.at();
        let slid = |i: usize| Course {
            at: center[i],
            rate: linear[i],
            bend: 0.0,
        };
        let turned = |column: Arrow| {
            let at = column.at();
            let rate = cross(angular, at);
            let bend = cross(angular, rate);
            Arrow([0, 1, 2].map(|i| Course {
                at: at[i],
                rate: rate[i],
                bend: bend[i],
            }))
        };
        Self {
            center: Arrow([0, 1, 2].map(slid)),
            turn: self.turn.map(turned),
            origin: self.origin,
            linear,
            angular,
        }
    }

    /// A direction of the body's axes.
    pub fn direction(&self, local: [f64; 3]) -> Arrow {
        turned(&self.turn, Arrow::fixed(local))
    }

    /// A point of the body's frame.
    pub fn point(&self, local: [f64; 3]) -> Arrow {
        let from_center = [0, 1, 2].map(|i| local[i] + self.origin[i]);
        self.center + self.direction(from_center)
    }

    /// A point of the world in the body's frame, at this instant.
    pub fn local(&self, point: [f64; 3]) -> [f64; 3] {
        let away = minus(point, self.center.at());
        [0, 1, 2].map(|i| dot(self.turn[i].at(), away) - self.origin[i])
    }

    /// Velocity of the body's material at a point that moves, while nothing accelerates the body.
    pub fn velocity(&self, point: Arrow) -> Arrow {
        let spin = Arrow::fixed(self.angular);
        Arrow::fixed(self.linear) + spin.cross(point - self.center)
    }

    pub fn moving(&self) -> Moving {
        let [x, y, z] = self.turn.map(Arrow::at);
        Moving {
            center: self.center.at(),
            quaternion: quaternion([x, y, z]),
            linear: self.linear,
            angular: self.angular,
        }
    }
}

/// Unit quaternion of a matrix given by its columns: of its four numbers that which is largest is found first.
fn quaternion([x, y, z]: [[f64; 3]; 3]) -> [f64; 4] {
    let squares = [
        1.0 + x[0] + y[1] + z[2],
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
    ];
    let largest = (0..4).max_by(|a, b| squares[*a].total_cmp(&squares[*b]));
    let rows = [
        [squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]],
        [y[2] - z[1], squares[1], y[0] + x[1], z[0] + x[2]],
        [z[0] - x[2], y[0] + x[1], squares[2], z[1] + y[2]],
        [x[1] - y[0], z[0] + x[2], z[1] + y[2], squares[3]],
    ];
    let row = rows[largest.unwrap_or(0)];
    let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    row.map(|x| x / size)
}
