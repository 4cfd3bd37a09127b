//! The two frames of Fig. 1: where joints, mass centres and points of contact are.

use serde::Deserialize;

use super::pair::{Pair, Side};
use super::screws::{Inertia, Screw, Vector, cross, minus, screw};

/// The frames as data: dimensions a_1 to a_5, bodies, directions of the impulses.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Frames {
    pub(super) a: [f64; 5],
    pub(super) mass: [f64; 2],
    /// Central moments of inertia of the first and the second frame.
    pub(super) moments: [Vector; 2],
    /// ω_10 and ω_20.
    pub(super) omega: [f64; 2],
    /// (α, β, γ) of each impulse, not normalised.
    pub(super) directions: [Vector; 3],
    pub(super) k: [f64; 3],
}

const ZERO: Vector = [0.0; 3];
/// i, j, k.
pub(super) const AXES: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Frames {
    /// C_1 and C_2; C_1 is the origin.
    pub(super) fn centers(&self) -> [Vector; 2] {
        [ZERO, [0.0, self.a[3], 0.0]]
    }

    /// O_1 and O_2.
    pub(super) fn joints(&self) -> [Vector; 2] {
        [[0.0, -self.a[0], 0.0], [0.0, self.a[3] + self.a[4], 0.0]]
    }

    /// A_1, A_2, A_3.
    pub(super) fn points(&self) -> [Vector; 3] {
        let [_, a2, a3, a4, _] = self.a;
        [[0.0, 0.0, a2], [0.0, a4, -a3], [0.0, 0.0, -a3]]
    }

    /// `C_iO_i`
    pub(super) fn joint_arm(&self, i: usize) -> Vector {
        minus(self.joints()[i], self.centers()[i])
    }

    /// `C_iA_k`
    pub(super) fn arm(&self, i: usize, k: usize) -> Vector {
        minus(self.points()[k], self.centers()[i])
    }

    pub(super) fn inertia(&self, i: usize) -> Inertia {
        Inertia {
            mass: self.mass[i],
            moments: self.moments[i],
        }
    }

    /// Screws of the contact normals on body i, as the geometry has them.
    pub(super) fn normals(&self, i: usize) -> Vec<Screw> {
        let one = |k: usize| {
            let n = self.directions[k];
            screw(n, cross(self.arm(i, k), n))
        };
        (0..3).map(one).collect()
    }

    /// Body i on a joint of its own kind, with its rates.
    pub(super) fn side(&self, i: usize, kind: Joint, rates: &[f64]) -> Side {
        let (q, s) = kind.screws(self.joint_arm(i));
        Side::new(self.inertia(i), self.normals(i), q, s, rates.to_vec())
    }

    /// Both frames on hinges: the example of the paper.
    pub(super) fn hinged(&self) -> Pair {
        let side = |i: usize| self.side(i, Joint::Revolute, &[-self.omega[i]]);
        Pair {
            sides: [side(0), side(1)],
            k: self.k.to_vec(),
        }
    }
}

/// A joint with the ground at O; axes along k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Revolute,
    Cylindrical,
    Ball,
    Free,
}

impl Joint {
    /// Permitted motions Q and constraint wrenches S, with `arm` from C to O.
    fn screws(self, arm: Vector) -> (Vec<Screw>, Vec<Screw>) {
        let turn = |e: &Vector| screw(*e, cross(arm, *e));
        let slide = |e: &Vector| screw(ZERO, *e);
        let couple = slide;
        let [x, y, z] = &AXES;
        match self {
            Self::Revolute => (
                vec![turn(z)],
                vec![turn(x), turn(y), turn(z), couple(x), couple(y)],
            ),
            Self::Cylindrical => (
                vec![turn(z), slide(z)],
                vec![turn(x), turn(y), couple(x), couple(y)],
            ),
            Self::Ball => (
                AXES.iter().map(turn).collect(),
                AXES.iter().map(turn).collect(),
            ),
            Self::Free => {
                let twist = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
                ((0..6).map(twist).collect(), Vec::new())
            }
        }
    }
}

impl Frames {
    /// Frames of other dimensions, masses and directions: multiples of irrational numbers, the same for the same seed.
    pub(super) fn shuffled(&self, seed: u32) -> Self {
        let mut count = 0u32;
        let mut next = |low: f64, high: f64| {
            count += 1;
            let turn = f64::from(seed) * (f64::from(count) + 0.5).sqrt();
            low + (high - low) * turn.fract()
        };
        Self {
            a: std::array::from_fn(|_| next(0.1, 2.0)),
            mass: std::array::from_fn(|_| next(0.2, 5.0)),
            moments: std::array::from_fn(|_| std::array::from_fn(|_| next(0.1, 1.0))),
            omega: std::array::from_fn(|_| next(0.2, 3.0)),
            directions: std::array::from_fn(|_| std::array::from_fn(|_| next(-1.0, 1.0))),
            k: self.k,
        }
    }
}
