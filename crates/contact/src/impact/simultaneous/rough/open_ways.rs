//! What the impulses of an end with friction leave open, over all its phases.

use carom_numeric::nonnegative::liftable;
use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, dot};

use super::phase::Found;
use super::scene::Scene;

/// A velocity below this fraction of the largest is zero, and an impulse likewise.
const ZERO: f64 = 1e-10;

/// Which impulses are the same in every end with the velocities found, and directions of the others.
pub(super) struct OpenWays {
    pub(super) unique: Vec<bool>,
    /// Scaled impulses of all rows.
    pub(super) shares: Vec<Vec<f64>>,
}

/// An unknown that is not negative: how much it is, what it adds to the equations and to the totals.
struct Unknown {
    is_positive: bool,
    /// `X p` of each phase, then one number per contact that sticks in expansion.
    column: Vec<f64>,
    /// Scaled total impulses.
    totals: Vec<f64>,
}

/// How a contact acts at the end of a phase, by its velocity.
#[derive(Clone, Copy, PartialEq)]
enum Acts {
    /// It slips, or has no friction: `p_t = slope p_n`.
    Along(f64),
    /// It is at rest: anything in the cone.
    Cone(f64),
}

struct Pose<'a> {
    scene: &'a Scene,
    restitution: &'a [f64],
    target: &'a [f64],
    phases: &'a [Found],
    unknowns: Vec<Unknown>,
}

impl OpenWays {
    /// With given velocities the impulses are a polyhedron: contacts that end on their target push, those
    /// that slip along their cone, those at rest inside it, in expansion beyond their share of the
    /// compression.
    pub(super) fn of(scene: &Scene, restitution: &[f64], target: &[f64], phases: &[Found]) -> Self {
        let mut pose = Pose {
            scene,
            restitution,
            target,
            phases,
            unknowns: Vec::new(),
        };
        for i in 0..scene.k {
            pose.compress(i);
            if phases.len() > 1 {
                pose.expand(i);
            }
        }
        pose.judge()
    }
}

impl Pose<'_> {
    /// Numbers of all equations: one block per phase, and the sums of contacts that stick in expansion.
    fn height(&self) -> usize {
        self.phases.len() * self.scene.rows.n() + self.scene.k
    }

    fn size(&self, phase: usize) -> f64 {
        let u = self.phases[phase].u.iter();
        u.fold(self.scene.speed, |most, x| most.max(x.abs()))
    }

    fn is_closed(&self, phase: usize, i: usize) -> bool {
        let target = if self.phases.len() > 1 {
            0.0
        } else {
            self.target[i]
        };
        self.phases[phase].u[i] + target <= ZERO * self.size(phase)
    }

    fn acts(&self, phase: usize, i: usize) -> Acts {
        let Some(t) = self.scene.tangent[i] else {
            return Acts::Along(0.0);
        };
        let u_t = self.phases[phase].u[t];
        match u_t.abs() <= ZERO * self.size(phase) {
            true => Acts::Cone(self.scene.mu_s[i]),
            false => Acts::Along(-self.scene.mu_d[i] * u_t.signum()),
        }
    }

    /// Adds an unknown that pushes `p_n = 1`, `p_t = slope` in a phase.
    fn add(&mut self, phase: usize, i: usize, slope: f64, amount: f64) -> usize {
        let rows = &self.scene.rows;
        let n = rows.n();
        let mut column = vec![0.0; self.height()];
        let mut totals = vec![0.0; self.scene.v.len()];
        totals[i] = 1.0;
        let tangent = self.scene.tangent[i].filter(|_| slope != 0.0);
        for (row, weight) in [(Some(i), 1.0), (tangent, slope)] {
            let Some(row) = row else { continue };
            totals[row] = weight;
            let block = column[phase * n..(phase + 1) * n].iter_mut();
            block
                .zip(rows.vector(row))
                .for_each(|(a, x)| *a += weight * x);
        }
        let most = self.phases.iter().flat_map(|f| &f.p);
        let most = most.fold(0.0f64, |most, p| most.max(p.abs()));
        self.unknowns.push(Unknown {
            is_positive: amount > ZERO * most,
            column,
            totals,
        });
        self.unknowns.len() - 1
    }

    /// Pushes of contact `i` in a phase, as unknowns: the edges of its cone.
    fn push(&mut self, phase: usize, i: usize, amount: f64) -> Vec<usize> {
        match self.acts(phase, i) {
            Acts::Cone(mu) if mu > 0.0 => {
                let t = self.scene.tangent[i];
                let side = t.map_or(0.0, |t| self.phases[phase].p[t]) / mu;
                [1.0, -1.0]
                    .map(|sign| self.add(phase, i, sign * mu, 0.5 * (amount + sign * side)))
                    .to_vec()
            }
            Acts::Cone(_) => vec![self.add(phase, i, 0.0, amount)],
            Acts::Along(slope) => vec![self.add(phase, i, slope, amount)],
        }
    }

    /// The first phase of contact `i`; what it gives comes back in expansion.
    fn compress(&mut self, i: usize) {
        if !self.is_closed(0, i) {
            return;
        }
        let given = self.push(0, i, self.phases[0].p[i]);
        if self.phases.len() < 2 {
            return;
        }
        let (e, n) = (self.restitution[i], self.scene.rows.n());
        let back = self.acts(1, i);
        let sum = 2 * n + i;
        for unknown in given {
            let (rows, own) = (&self.scene.rows, &mut self.unknowns[unknown]);
            let Acts::Along(slope) = back else {
                own.column[sum] -= e;
                continue;
            };
            let tangent = self.scene.tangent[i];
            for (row, weight) in [(Some(i), e), (tangent, e * slope)] {
                let Some(row) = row else { continue };
                own.totals[row] += weight;
                let block = own.column[n..2 * n].iter_mut();
                block
                    .zip(rows.vector(row))
                    .for_each(|(a, x)| *a += weight * x);
            }
        }
    }

    /// The second phase of contact `i`, beyond what comes back.
    fn expand(&mut self, i: usize) {
        let floor = self.restitution[i] * self.phases[0].p[i];
        let beyond = self.phases[1].p[i] - floor;
        let is_closed = self.is_closed(1, i);
        if let Acts::Along(slope) = self.acts(1, i) {
            if is_closed {
                self.add(1, i, slope, beyond);
            }
            return;
        }
        // At rest the whole of what it gives is in its cone: a + b = e P_c + s.
        let sum = 2 * self.scene.rows.n() + i;
        for unknown in self.push(1, i, floor + beyond) {
            self.unknowns[unknown].column[sum] += 1.0;
        }
        if is_closed {
            let s = self.add(1, i, 0.0, beyond);
            let own = &mut self.unknowns[s];
            own.column.fill(0.0);
            own.totals.fill(0.0);
            own.column[sum] = -1.0;
        }
    }

    fn judge(&self) -> OpenWays {
        let height = self.height();
        let flat = |which: &[&Unknown]| -> Vec<f64> {
            which.iter().flat_map(|u| &u.column).copied().collect()
        };
        let all: Vec<&Unknown> = self.unknowns.iter().collect();
        let signs: Vec<bool> = all.iter().map(|u| u.is_positive).collect();
        let is_lifted = liftable(&flat(&all), height, &signs);
        let pairs = all.into_iter().zip(is_lifted);
        let free: Vec<&Unknown> = pairs.filter(|(_, is)| *is).map(|(u, _)| u).collect();
        let (mut factor, mut null) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose(&flat(&free), height, free.len());
        factor.null_space(&mut null);
        let total = |row: usize| -> Vec<f64> { free.iter().map(|u| u.totals[row]).collect() };
        let is_fixed: Vec<bool> = (0..self.scene.v.len())
            .map(|row| factor.is_fixed(&total(row)))
            .collect();
        let is_unique = |i: usize| is_fixed[i] && self.scene.tangent[i].is_none_or(|t| is_fixed[t]);
        let directions = null.chunks_exact(free.len().max(1)).map(|z| {
            let rows = 0..self.scene.v.len();
            let parts = rows.map(|row| match is_fixed[row] {
                true => 0.0,
                false => dot(&total(row), z),
            });
            parts.collect::<Vec<f64>>()
        });
        OpenWays {
            unique: (0..self.scene.k).map(is_unique).collect(),
            shares: directions.filter(|d| length(d) > 0.0).collect(),
        }
    }
}
