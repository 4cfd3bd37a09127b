//! Whether forces that are not unique can be shared within the laws.

use carom_numeric::linear_program::{Reach, maximise};

use super::Closed;
use super::guards::Trigger;
use crate::contact::mode::ContactMode;

/// An inequality `g·λ >= 0` over the multipliers, and what breaks where it fails.
struct Demand {
    g: Vec<f64>,
    trigger: Trigger,
}

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
        if self.found.rank() == self.multipliers.len() {
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

    /// The margin, and where on the family of forces it is.
    fn best(&self) -> (f64, Vec<f64>) {
        let directions = self.directions();
        let k = directions.len();
        let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
        for demand in self.demands() {
            let (mut slopes, h) = self.along_directions(&demand, &directions);
            slopes.push(-1.0);
            rows.push((slopes, h));
        }
        let mut goal = vec![0.0; k + 1];
        goal[k] = 1.0;
        rows.push((goal.iter().map(|x| -x).collect(), 1.0)); // no more than the forces themselves
        match maximise(&goal, &rows) {
            Reach::At(value, mut t) => {
                t.truncate(k);
                (value, t)
            }
            Reach::Empty | Reach::Unbounded => (-1.0, vec![0.0; k]),
        }
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
            if closed.mode != ContactMode::Stick {
                add(&[(at, 1.0)], Trigger::Force(contact));
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
