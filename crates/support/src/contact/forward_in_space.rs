//! Forward problems in space: random ones, those of the plane among them, and a second look at every answer.

use std::f64::consts::TAU;

use carom_contact::forward::space::{
    FrictionForce, SpatialAnswer, SpatialForwardContact, SpatialForwardProblem,
};
use carom_contact::forward::{ForwardContact, ForwardProblem, Mode};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

use super::forward::random_problem;
use crate::random::{between, chance, list};

/// A random system of `n` coordinates, with friction in the first or in two of them where asked for.
pub fn random_system(rng: &mut Rng, n: usize, is_rough: bool) -> ForwardProblem {
    let mut system = random_problem(rng, n);
    system.friction.truncate(if is_rough { n } else { 0 });
    let smooth = rng.usize(1..3);
    let friction = system.friction.iter_mut();
    friction.skip(smooth).for_each(|given| *given = 0.0.into());
    if !is_rough {
        for list in [&mut system.load_offset, &mut system.velocity] {
            list.clear();
        }
        system.load_matrix.clear();
    }
    system
}

/// A random contact of the plane whose tangent leans on its normal, at rest as often as sliding.
pub fn random_contact(rng: &mut Rng, n: usize) -> ForwardContact {
    let mu = between(rng, 0.0, 2.0);
    let normal = list(rng, n, 1.0);
    let tangent = normal.iter().map(|x| x + 1.2 * (rng.f64() - 0.5));
    ForwardContact {
        tangent: Some(tangent.collect()),
        normal,
        drift: [2.0 * rng.f64() - 1.5, 2.0 * rng.f64() - 1.0],
        slip: if rng.bool() {
            0.0
        } else {
            2.0 * rng.f64() - 1.0
        },
        friction: mu.into(),
    }
}

/// A random contact in space.
pub fn random_spatial_contact(rng: &mut Rng, n: usize) -> SpatialForwardContact {
    let (a, b) = (rng.f64() - 0.5, rng.f64() - 0.5);
    SpatialForwardContact {
        normal: list(rng, n, 1.0),
        tangents: (!chance(rng, 0.1)).then(|| [list(rng, n, 1.0), list(rng, n, 1.0)]),
        drift: [2.0 * rng.f64() - 1.5, a, b],
        slip: if rng.bool() { [0.0; 2] } else { [b, a] },
        friction: between(rng, 0.0, 1.2).into(),
    }
}

/// (a, b) turned by an angle.
pub fn turned([a, b]: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * a - s * b, s * a + c * b]
}

/// The same contact, its tangents and all along them turned by an angle.
pub fn with_tangents_turned(contact: &SpatialForwardContact, angle: f64) -> SpatialForwardContact {
    let [d_n, d_1, d_2] = contact.drift;
    let [d_1, d_2] = turned([d_1, d_2], angle);
    let turned_rows = |[a, b]: &[Vec<f64>; 2]| {
        let pairs = a.iter().zip(b).map(|(x, y)| turned([*x, *y], angle));
        let pairs: Vec<[f64; 2]> = pairs.collect();
        [0, 1].map(|k| pairs.iter().map(|pair| pair[k]).collect())
    };
    SpatialForwardContact {
        tangents: contact.tangents.as_ref().map(turned_rows),
        drift: [d_n, d_1, d_2],
        slip: turned(contact.slip, angle),
        ..contact.clone()
    }
}

/// A problem of the plane in space: each contact has a second tangent along a coordinate of its own, and its tangents
/// are turned by an angle, which is returned.
pub fn in_space(rng: &mut Rng, plane: &ForwardProblem) -> (SpatialForwardProblem, Vec<f64>) {
    let (n, k) = (plane.coordinates(), plane.contacts.len());
    let wide = |row: &Vec<f64>| [&row[..], &vec![0.0; k]].concat();
    let unit = |i: usize| -> Vec<f64> { (0..n + k).map(|j| f64::from(u8::from(i == j))).collect() };
    let system = widened(rng, plane);
    let angles: Vec<f64> = (0..k).map(|_| TAU * rng.f64()).collect();
    let flat = |(i, contact): (usize, &ForwardContact)| SpatialForwardContact {
        normal: wide(&contact.normal),
        tangents: contact.tangent.as_ref().map(|t| [wide(t), unit(n + i)]),
        drift: [contact.drift[0], contact.drift[1], 0.0],
        slip: [contact.slip, 0.0],
        friction: contact.friction,
    };
    let pairs = plane.contacts.iter().enumerate().map(flat).zip(&angles);
    let contacts = pairs.map(|(flat, angle)| with_tangents_turned(&flat, *angle));
    let contacts = contacts.collect();
    (SpatialForwardProblem { system, contacts }, angles)
}

/// A system with as many free coordinates more as it has contacts, and without these.
fn widened(rng: &mut Rng, plane: &ForwardProblem) -> ForwardProblem {
    let mut system = plane.clone();
    for _ in 0..plane.contacts.len() {
        for row in system.inertia.iter_mut().chain(&mut system.load_matrix) {
            row.push(0.0);
        }
        let n = system.inertia.len();
        let mut own = vec![0.0; n + 1];
        own[n] = between(rng, 0.2, 3.0);
        system.inertia.push(own);
        system.bias.push(0.0);
        system.force.push(0.0);
        if !system.friction.is_empty() {
            system.load_matrix.push(vec![0.0; n + 1]);
            system.friction.push(0.0.into());
            system.load_offset.push(0.0);
        }
        if !system.velocity.is_empty() {
            system.velocity.push(0.0);
        }
    }
    system.contacts.clear();
    system
}

/// How far an answer misses the balance of forces, Signorini and Coulomb, from the matrices alone; beside the size of
/// its forces.
pub fn missed(problem: &SpatialForwardProblem, answer: &SpatialAnswer) -> f64 {
    let look = Look::new(problem, answer);
    let (joints, contacts) = (problem.system.friction.len(), problem.contacts.len());
    let mut left = look.left.clone();
    let mut worst = 0.0f64;
    for i in 0..joints {
        left[i] += answer.friction_force[i].numbers()[0];
        worst = worst.max(look.joint(i));
    }
    for k in 0..contacts {
        let along = answer.friction_force[joints + k].numbers();
        let forces = [answer.normal_load[joints + k], along[0], along[1]];
        for (row, force) in look.rows(k).iter().zip(forces) {
            left -= row * force;
        }
        worst = worst.max(look.contact(k));
    }
    let along = answer
        .friction_force
        .iter()
        .flat_map(FrictionForce::numbers);
    let forces = answer.normal_load.iter().chain(along);
    let size = forces.fold(1.0f64, |most, x| most.max(x.abs()));
    worst.max(left.amax()) / (size * size)
}

/// An answer beside its problem.
struct Look<'a> {
    problem: &'a SpatialForwardProblem,
    answer: &'a SpatialAnswer,
    q: DVector<f64>,
    /// q̈ less what it is without contacts and friction.
    beyond: DVector<f64>,
    /// `A q̈ + b − τ`.
    left: DVector<f64>,
}

impl<'a> Look<'a> {
    fn new(problem: &'a SpatialForwardProblem, answer: &'a SpatialAnswer) -> Self {
        let system = &problem.system;
        let n = system.coordinates();
        let a = DMatrix::from_fn(n, n, |i, j| system.inertia[i][j]);
        let driving = DVector::from_fn(n, |i, _| system.force[i] - system.bias[i]);
        let free = a.clone().lu().solve(&driving);
        let q = DVector::from_vec(answer.acceleration.clone().unwrap_or_default());
        Self {
            problem,
            answer,
            beyond: &q - free.unwrap_or_else(|| DVector::zeros(n)),
            left: &a * &q - driving,
            q,
        }
    }

    fn joint(&self, i: usize) -> f64 {
        let system = &self.problem.system;
        let row = DVector::from_vec(system.load_matrix[i].clone());
        let load = self.answer.normal_load[i];
        let (given, f) = (
            system.friction[i],
            self.answer.friction_force[i].numbers()[0],
        );
        let slides = |sense: f64| (f - sense * given.mu_d * load.abs()).abs();
        let by_law = match (system.velocity[i], self.answer.mode[i]) {
            (0.0, Mode::Stick) => (f.abs() - given.mu_s * load.abs()).max(self.q[i].abs()),
            (0.0, _) => slides(if self.q[i] < 0.0 { -1.0 } else { 1.0 }),
            (v, _) => slides(v.signum()),
        };
        let balance = (row.dot(&self.q) + system.load_offset[i] - load).abs();
        by_law.max(balance)
    }

    fn rows(&self, k: usize) -> [DVector<f64>; 3] {
        let contact = &self.problem.contacts[k];
        let zero = || vec![0.0; self.q.len()];
        let [t_1, t_2] = contact.tangents.clone().unwrap_or([zero(), zero()]);
        [contact.normal.clone(), t_1, t_2].map(DVector::from_vec)
    }

    fn contact(&self, k: usize) -> f64 {
        let (contact, rows) = (&self.problem.contacts[k], self.rows(k));
        let at = self.problem.system.friction.len() + k;
        let (normal, along) = (self.answer.normal_load[at], &self.answer.friction_force[at]);
        let along = [along.numbers()[0], along.numbers()[1]];
        let moved = [0, 1, 2].map(|c| rows[c].dot(&self.beyond) + contact.drift[c]);
        let mu = match contact.tangents {
            Some(_) => contact.friction,
            None => 0.0.into(),
        };
        let opposes = |[a, b]: [f64; 2]| {
            let most = mu.mu_d * normal / a.hypot(b);
            (along[0] + most * a).hypot(along[1] + most * b)
        };
        let (slips, rubs) = (moved[1].hypot(moved[2]), along[0].hypot(along[1]));
        let by_law = match self.answer.mode[at] {
            Mode::Stick => slips.max(rubs - mu.mu_s * normal),
            Mode::Onset => opposes([moved[1], moved[2]]),
            Mode::Slide if mu.mu_s > 0.0 => opposes(contact.slip),
            _ => rubs,
        };
        let told = self.answer.contact_acceleration[k];
        let told = (0..3).map(|c| (moved[c] - told[c]).abs());
        told.fold(by_law.max(normal.min(moved[0]).abs()), f64::max)
    }
}
