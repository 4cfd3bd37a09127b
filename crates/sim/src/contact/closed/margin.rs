//! Whether forces that are not unique can be shared within the laws.

use carom_numeric::linear_program::{Reach, maximise};

use super::Closed;
use super::guards::Trigger;
use crate::contact::way::{speed, unit};

/// An inequality `g·λ >= 0` over the multipliers, and what breaks where it fails.
struct Demand {
    g: Vec<f64>,
    trigger: Trigger,
}

/// Planes that cut the cones of space before the margin is taken as it is.
const MOST_CUTS: usize = 40;
/// Forces outside a cone by no more than this part of the margin, or …
const CUT_PART: f64 = 1e-9;
/// … of their size, are in it.
const CUT: f64 = 1e-13;
/// A change of shares that moves something moves it by more than this part of what each of them would.
const MOVES: f64 = 1e-9;
/// A demand within this of the least one is as tight.
const TIGHT: f64 = 1e-9;

impl Closed {
    /// Greatest least slack of all demands, as a part of the size of the forces: negative where no way
    /// to share the forces presses everywhere and stays within every cone.
    pub(crate) fn margin(&self) -> f64 {
        self.best().0
    }

    /// The demands that are tight however the forces are shared, where they are shared best.
    pub(crate) fn tightest(&self) -> Vec<Trigger> {
        let (margin, _) = self.best();
        let directions = self.directions();
        let demands = self.demands();
        let forms = demands
            .iter()
            .map(|d| self.along_directions(d, &directions));
        let forms: Vec<(Vec<f64>, f64)> = forms.collect();
        let room = forms.iter().map(|(g, h)| (g.clone(), h - margin + TIGHT));
        let room: Vec<(Vec<f64>, f64)> = room.collect();
        let is_tight = |(g, h): &(Vec<f64>, f64)| match maximise(g, &room) {
            Reach::At(value, _) => value + h <= margin + TIGHT.sqrt(),
            Reach::Empty => true,
            Reach::Unbounded => false,
        };
        let tight = demands
            .iter()
            .zip(&forms)
            .filter(|(_, form)| is_tight(form));
        tight.map(|(demand, _)| demand.trigger).collect()
    }

    /// Of forces that are not unique, takes those that leave the most room within the laws; they stay as
    /// they are where none obey them.
    pub(crate) fn share_within_laws(&mut self) {
        let sizes = self.multipliers.iter().map(|x| x.abs());
        self.scale = sizes.fold(f64::MIN_POSITIVE, f64::max);
        if self.found.rank() == self.multipliers.len() || self.share_decides() {
            return;
        }
        let (margin, t) = self.best();
        if margin < -TIGHT {
            return;
        }
        for (direction, t) in self.directions().iter().zip(t) {
            let parts = self.multipliers.iter_mut().zip(direction);
            parts.for_each(|(x, d)| *x += self.scale * t * d);
        }
    }

    /// Whether the motion depends on how the forces are shared: contacts that slide different ways, whose loads
    /// repeat each other's work.
    pub(crate) fn share_decides(&self) -> bool {
        let n = self.terms.len().max(1);
        self.rubs()
            && self.directions().iter().any(|direction| {
                let (mut moved, mut size) = (vec![0.0; n], 0.0f64);
                for (column, d) in self.along.chunks_exact(n).zip(direction) {
                    for (x, c) in moved.iter_mut().zip(column) {
                        *x += c * d;
                        size = size.max((c * d).abs());
                    }
                }
                moved.iter().any(|x| x.abs() > MOVES * size)
            })
    }

    /// The margin, and where on the family of forces it is. The round cones of space are cut by planes, one more
    /// where the forces found leave them, until none do.
    fn best(&self) -> (f64, Vec<f64>) {
        let directions = self.directions();
        let k = directions.len();
        let cones = self.cones();
        let mut demands = self.demands();
        let mut goal = vec![0.0; k + 1];
        goal[k] = 1.0;
        let mut best = (-1.0, vec![0.0; k]);
        for _ in 0..=MOST_CUTS {
            let demand = |demand: &Demand| {
                let (mut slopes, h) = self.along_directions(demand, &directions);
                slopes.push(-1.0);
                (slopes, h)
            };
            let mut rows: Vec<(Vec<f64>, f64)> = demands.iter().map(demand).collect();
            rows.push((goal.iter().map(|x| -x).collect(), 1.0)); // no more than the forces themselves
            let Reach::At(value, mut t) = maximise(&goal, &rows) else {
                break;
            };
            t.truncate(k);
            let forces = self.moved_along(&directions, &t);
            let cuts = cones
                .iter()
                .filter_map(|cone| self.cut(*cone, &forces, value));
            let cuts: Vec<Demand> = cuts.collect();
            best = (value, t);
            if cuts.is_empty() {
                break;
            }
            demands.extend(cuts);
        }
        best
    }

    /// The multipliers, as parts of their size, moved along the ways in which they may change.
    fn moved_along(&self, directions: &[Vec<f64>], t: &[f64]) -> Vec<f64> {
        let mut forces: Vec<f64> = self.multipliers.iter().map(|x| x / self.scale).collect();
        for (direction, t) in directions.iter().zip(t) {
            let parts = forces.iter_mut().zip(direction);
            parts.for_each(|(x, d)| *x += t * d);
        }
        forces
    }

    /// The held contacts whose round cones share forces that are not unique.
    fn cones(&self) -> Vec<usize> {
        let each = self.held.iter().enumerate();
        let cones = each.filter(|(i, held)| held.sticking() == 2 && !self.is_unique(*i));
        cones.map(|(i, _)| i).collect()
    }

    /// The plane that holds forces within the cone of a contact where they leave it beyond a margin.
    fn cut(&self, held: usize, forces: &[f64], margin: f64) -> Option<Demand> {
        let at = self.at(held);
        let t = [forces[at + 1], forces[at + 2]];
        let slack = self.held[held].mu_s * forces[at] - speed(t);
        let way = unit(t).filter(|_| slack < margin - CUT_PART * margin.abs() - CUT)?;
        Some(self.plane(held, way))
    }

    /// `μ_s λ_n − u·λ_t >= 0` of a contact that sticks in space.
    fn plane(&self, held: usize, way: [f64; 2]) -> Demand {
        let at = self.at(held);
        let mut g = vec![0.0; self.multipliers.len()];
        g[at] = self.held[held].mu_s;
        (g[at + 1], g[at + 2]) = (-way[0], -way[1]);
        let trigger = Trigger::Cone(self.held[held].contact);
        Demand { g, trigger }
    }

    /// Ways in which the multipliers may change and nothing else does.
    fn directions(&self) -> Vec<Vec<f64>> {
        let mut flat = Vec::new();
        self.found.null_space(&mut flat);
        let m = self.multipliers.len().max(1);
        flat.chunks_exact(m).map(<[f64]>::to_vec).collect()
    }

    /// A demand along the family: its slopes, and its value at the least forces.
    fn along_directions(&self, demand: &Demand, directions: &[Vec<f64>]) -> (Vec<f64>, f64) {
        let dot = |x: &[f64]| carom_numeric::dot(&demand.g, x);
        let slopes = directions.iter().map(|d| dot(d)).collect();
        (slopes, dot(&self.multipliers) / self.scale)
    }

    /// What the forces of every closed contact must meet, where they are not unique; those that are have
    /// guards of their own.
    fn demands(&self) -> Vec<Demand> {
        let m = self.multipliers.len();
        let mut demands = Vec::new();
        for (held, closed) in self.held.iter().enumerate() {
            if self.is_unique(held) {
                continue;
            }
            let at = self.at(held);
            let mut add = |parts: &[(usize, f64)], trigger: Trigger| {
                let mut g = vec![0.0; m];
                parts.iter().for_each(|(j, x)| g[*j] = *x);
                demands.push(Demand { g, trigger });
            };
            let contact = closed.contact;
            if closed.is_pivot_held() {
                let (last, triggers) = (at + closed.rows() - 1, Trigger::torques(contact));
                for (side, trigger) in triggers {
                    add(&[(at, closed.mu_s), (last, -side)], trigger);
                }
            }
            if !closed.mode.is_sticking() {
                add(&[(at, 1.0)], Trigger::Force(contact));
                continue;
            }
            if closed.tangents == 2 {
                add(&[(at, 1.0)], Trigger::Force(contact));
                for way in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
                    demands.push(self.plane(held, way));
                }
                continue;
            }
            let [forward, backward] = [
                Trigger::ConeForward(contact),
                Trigger::ConeBackward(contact),
            ];
            for (side, trigger) in [(1.0, forward), (-1.0, backward)] {
                add(&[(at, closed.mu_s), (at + 1, -side)], trigger);
            }
        }
        demands
    }
}
