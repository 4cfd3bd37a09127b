//! How far both routes are apart.

use super::equations::Equations;
use super::frame::{Frame, dot, minus, norm};
use super::held::Sizes;

/// How far both routes are apart, as parts of the sizes of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Apart {
    pub place: f64,
    pub turn: f64,
    /// The same at samples, where a run shows round bodies that turn fast less well.
    pub turn_between: f64,
    pub velocity: f64,
    pub force: f64,
    /// Of the accelerations under the forces that the run tells.
    pub acceleration: f64,
    /// Forces that were compared one by one.
    pub forces: usize,
    /// Whether contacts begin to slide in it.
    pub begins: bool,
}

impl Apart {
    pub fn worst(&self) -> f64 {
        let all = [
            self.place,
            self.turn,
            self.velocity,
            self.force,
            self.acceleration,
        ];
        all.into_iter().fold(0.0, f64::max)
    }
}

impl Apart {
    /// The greater of each.
    pub fn and(self, other: Self) -> Self {
        Self {
            place: self.place.max(other.place),
            turn: self.turn.max(other.turn),
            turn_between: self.turn_between.max(other.turn_between),
            velocity: self.velocity.max(other.velocity),
            force: self.force.max(other.force),
            acceleration: self.acceleration.max(other.acceleration),
            forces: self.forces + other.forces,
            begins: self.begins || other.begins,
        }
    }

    pub(super) fn see(&mut self, [found, wanted]: [&[Frame]; 2], sizes: Sizes, is_between: bool) {
        let mut turn = 0.0f64;
        for (a, b) in found.iter().zip(wanted).skip(1) {
            let place = norm(minus(a.center.at(), b.center.at())) / sizes.length;
            let linear = norm(minus(a.linear, b.linear)) / sizes.speed;
            let angular = norm(minus(a.angular, b.angular)) * sizes.reach / sizes.speed;
            self.place = self.place.max(place);
            self.velocity = self.velocity.max(linear).max(angular);
            for (c, d) in a.turn.iter().zip(b.turn) {
                turn = turn.max(norm(minus(c.at(), d.at())));
            }
        }
        match is_between {
            true => self.turn_between = self.turn_between.max(turn),
            false => self.turn = self.turn.max(turn),
        }
    }

    pub(super) fn see_accelerations(&mut self, a: &[f64], b: &[f64], equations: &Equations<'_>) {
        let length = equations.sizes.reach;
        let least = norm(equations.model.gravity);
        let told = |list: &[f64]| -> Vec<[f64; 3]> {
            let threes = list.chunks_exact(3).enumerate();
            threes
                .map(|(k, x)| [0, 1, 2].map(|i| if k % 2 == 1 { length * x[i] } else { x[i] }))
                .collect()
        };
        let (a, b) = (told(a), told(b));
        let size = a.iter().map(|x| dot(*x, *x).sqrt()).fold(least, f64::max);
        for (x, y) in a.iter().zip(&b) {
            self.acceleration = self.acceleration.max(norm(minus(*x, *y)) / size);
        }
    }
}
