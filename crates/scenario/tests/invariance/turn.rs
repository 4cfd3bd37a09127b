//! Vectors and rotations of scenes: three numbers in the plane too, where the third is zero.

pub(crate) type Vector = [f64; 3];

/// A unit quaternion (w, x, y, z); in the plane about z.
pub(crate) type Turn = [f64; 4];

pub(crate) const NO_TURN: Turn = [1.0, 0.0, 0.0, 0.0];

pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

pub(crate) fn times(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

pub(crate) fn length(a: Vector) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A turn about an axis of any length.
pub(crate) fn about(axis: Vector, angle: f64) -> Turn {
    let size = length(axis);
    let (sin, cos) = (angle / 2.0).sin_cos();
    let [x, y, z] = axis.map(|x| sin * x / size);
    [cos, x, y, z]
}

/// The second turn, then the first.
pub(crate) fn after(a: Turn, b: Turn) -> Turn {
    let ([w, x, y, z], [s, i, j, k]) = (a, b);
    [
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i,
        w * k + x * j - y * i + z * s,
    ]
}

pub(crate) fn turned(turn: Turn, v: Vector) -> Vector {
    let axis = [turn[1], turn[2], turn[3]];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|k| v[k] + 2.0 * (turn[0] * once[k] + twice[k]))
}

/// The angle of a turn in the plane.
pub(crate) fn angle(turn: Turn) -> f64 {
    2.0 * turn[3].atan2(turn[0])
}

/// A vector in the mirror x = 0.
pub(crate) fn mirrored(v: Vector) -> Vector {
    [-v[0], v[1], v[2]]
}

/// An axis of rotation in that mirror.
pub(crate) fn axial(v: Vector) -> Vector {
    [v[0], -v[1], -v[2]]
}

/// A turn in that mirror.
pub(crate) fn mirrored_turn(turn: Turn) -> Turn {
    [turn[0], turn[1], -turn[2], -turn[3]]
}
