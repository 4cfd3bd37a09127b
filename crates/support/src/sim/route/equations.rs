//! The equations of motion of a mechanism whose contacts do what they are told.

use super::balance::Balanced;
use super::frame::{Frame, NUMBERS, dot, minus, norm, quaternion_rate};
use super::held::{AXES, Held, Kind, Look, Push, Sizes, tangents, way};
use super::link::Link;

use super::model::Model;

/// The equations, with what was seen at the last look.
pub struct Equations<'a> {
    pub model: &'a Model,
    pub held: Vec<Held>,
    pub sizes: Sizes,
    /// Coordinates of the links near the motion, to count whole turns by.
    pub known: Vec<f64>,
    is_regular: bool,
}

/// A slip slower than this part of the speeds has the way it had: near zero it turns without bound.
const SLOW: f64 = 1e-9;
/// The same of one that begins: what its first way misses dies out at once.
const BEGINS: f64 = 1e-8;
/// Looks for the way of a slip that begins.
const LOOKS: usize = 400;
/// Difference of two ways that are one.
const SAME_WAY: f64 = 1e-14;

impl<'a> Equations<'a> {
    /// Contacts closed at positions of a run.
    pub fn new(model: &'a Model, held: Vec<Held>, sizes: Sizes, q: &[f64]) -> Self {
        let coordinate = |link: &Link| match link.positions.len() {
            1 => q[link.positions.start],
            _ => 0.0,
        };
        Self {
            model,
            held,
            sizes,
            known: model.links.iter().map(coordinate).collect(),
            is_regular: false,
        }
    }

    /// Begins a motion: contacts that slide from rest find the ways along which they are accelerated.
    pub fn begin(&mut self, t: f64, frames: &[Frame]) {
        let looks = self.looks(frames);
        for (held, look) in self.held.iter_mut().zip(&looks) {
            let slip = look.map_or([0.0; 3], |look| look.slip.at());
            held.begins = norm(slip) <= BEGINS * self.sizes.speed && held.mode.is_sliding();
            held.way = if held.begins { [0.0; 3] } else { way(slip) };
        }
        let at_rest: Vec<bool> = self.held.iter().map(|held| held.begins).collect();
        self.is_regular = false;
        for _ in 0..LOOKS {
            if !at_rest.contains(&true) {
                break;
            }
            let (balanced, _) = self.solve(t, frames);
            let mut change = 0.0f64;
            for (i, look) in looks.iter().enumerate() {
                if let (true, Some(look)) = (at_rest[i], look) {
                    let found = way(self.slip_acceleration(i, look, &balanced, frames));
                    change = change.max(norm(minus(found, self.held[i].way)));
                    self.held[i].way = found;
                }
            }
            if change < SAME_WAY {
                break;
            }
        }
        self.is_regular = self.balance(t, frames).is_regular();
    }

    /// Whether contact `i` keeps the way it had.
    fn keeps_way(&self, i: usize, look: &Option<Look>) -> bool {
        let part = if self.held[i].begins { BEGINS } else { SLOW };
        look.is_some_and(|look| norm(look.slip.at()) <= part * self.sizes.speed)
    }

    fn looks(&self, frames: &[Frame]) -> Vec<Option<Look>> {
        let look = |held: &Held| match &held.contact {
            Kind::Shapes(form) => Some(Look::of(form, frames)),
            Kind::Stop { .. } => None,
        };
        self.held.iter().map(look).collect()
    }

    /// How far closed contacts are from their surfaces, approach, leave or slip where they stick; parts of the
    /// sizes.
    pub fn violation(&self, frames: &[Frame]) -> f64 {
        let looks = self.looks(frames);
        let pairs = self.held.iter().zip(&looks);
        let broken = pairs.filter_map(|(held, look)| {
            let (look, Sizes { length, speed, .. }) = ((*look)?, self.sizes);
            let (gap, slip) = (look.touch.gap, look.slip.at());
            let sticks = if held.mode.is_sticking() {
                norm(slip)
            } else {
                0.0
            };
            Some((gap.at.abs() / length).max(gap.rate.abs().max(sticks) / speed))
        });
        broken.fold(0.0, f64::max)
    }

    /// The fastest slip of each contact that slides.
    pub fn slips(&self, frames: &[Frame]) -> Vec<f64> {
        let looks = self.looks(frames);
        let pairs = self.held.iter().zip(&looks);
        let slides = pairs.filter(|(held, _)| held.mode.is_sliding());
        slides
            .map(|(_, look)| look.map_or(0.0, |look| norm(look.slip.at())))
            .collect()
    }

    /// How the slip of a contact grows.
    fn slip_acceleration(
        &self,
        i: usize,
        look: &Look,
        balanced: &Balanced,
        frames: &[Frame],
    ) -> [f64; 3] {
        let Kind::Shapes(form) = &self.held[i].contact else {
            return [0.0; 3];
        };
        let along = |axis: [f64; 3]| {
            let row = self.wrench(form, frames, look.touch.point.at(), axis);
            let parts = row.iter().zip(&balanced.acceleration);
            parts.map(|(x, a)| x * a).sum::<f64>() + dot(axis, look.slip.rate())
        };
        let all = AXES.map(along);
        let normal = look.touch.normal.at();
        let out = dot(normal, all);
        [0, 1, 2].map(|k| all[k] - out * normal[k])
    }

    /// Accelerations and multipliers at a place, and the looks that they belong to.
    pub fn solve(&mut self, t: f64, frames: &[Frame]) -> (Balanced, Vec<Option<Look>>) {
        let looks = self.looks(frames);
        for i in 0..self.held.len() {
            if !self.keeps_way(i, &looks[i]) {
                self.held[i].begins = false;
                self.held[i].way = looks[i].map_or([0.0; 3], |look| way(look.slip.at()));
            }
        }
        let balance = self.balance(t, frames);
        (balance.solve(self.is_regular), looks)
    }

    /// Follows the angles of joints over half a turn.
    fn count_turns(&mut self, frames: &[Frame]) {
        for (link, known) in self.model.links.iter().zip(&mut self.known) {
            if link.is_passive() {
                *known = link.way(&frames[link.parent], &frames[link.child], *known);
            }
        }
    }

    /// Rates of the state.
    pub fn rate(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        let frames = self.model.read(y);
        self.count_turns(&frames);
        let (balanced, _) = self.solve(t, &frames);
        let bodies = y.chunks_exact(NUMBERS).zip(out.chunks_exact_mut(NUMBERS));
        for ((y, out), a) in bodies.zip(balanced.acceleration.chunks_exact(6)) {
            out[..3].copy_from_slice(&y[7..10]);
            let omega = [y[10], y[11], y[12]];
            out[3..7].copy_from_slice(&quaternion_rate(omega, [y[3], y[4], y[5], y[6]]));
            out[7..].copy_from_slice(a);
        }
    }

    /// Forces of the closed contacts, of multipliers.
    pub fn pushes(&self, balanced: &Balanced, looks: &[Option<Look>]) -> Vec<Push> {
        let joints = balanced.multipliers.len() - self.held.iter().map(Held::rows).sum::<usize>();
        let mut at = joints;
        let each = self.held.iter().zip(looks);
        let push = |(held, look): (&Held, &Option<Look>)| {
            let own = at..at + held.rows();
            at = own.end;
            let is_unique = balanced.is_unique[own.clone()].iter().all(|is| *is);
            let all = &balanced.multipliers[own];
            let Some(look) = look else {
                return Push {
                    force: [0.0; 3],
                    normal: all[0],
                    spin: 0.0,
                    is_unique,
                    slip: 0.0,
                };
            };
            let normal = look.touch.normal.at();
            let [t1, t2] = tangents(normal);
            let (mut rubs, mut last) = (held.way.map(|x| -held.mu * all[0] * x), 1);
            if !held.mode.is_sliding() {
                rubs = [0.0; 3];
            }
            if held.mode.is_sticking() {
                rubs = [0, 1, 2].map(|i| all[1] * t1[i] + all[2] * t2[i]);
                last = 3;
            }
            let sense = held.mode.pivot().map_or(0.0, |pivot| pivot.sense());
            let spin = match (held.radius > 0.0, held.mode.pivot()) {
                (true, None) => held.radius * all[last],
                _ => -held.mu * held.radius * sense * all[0],
            };
            Push {
                force: [0, 1, 2].map(|i| all[0] * normal[i] + rubs[i]),
                normal: all[0],
                spin,
                is_unique,
                slip: norm(look.slip.at()),
            }
        };
        each.map(push).collect()
    }
}
