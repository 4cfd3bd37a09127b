//! A force that shows that answers are not unique.

use carom_numeric::{RowElimination, dot};
use serde::{Deserialize, Serialize};

use super::answers::answers;
use super::assemble::{Variation, assemble};
use super::enumerate::{order_sign, walk};
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::ForwardProblem;
use super::system::{Place, System};

/// An input with another count than the problem asked about, verified by enumeration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The force.
    pub force: Vec<f64>,
    /// The load offset, where the one given allows no witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_offset: Option<Vec<f64>>,
    /// Drift of the contacts under that force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Vec<[f64; 2]>>,
    /// Its number of answers; `None` for a continuum.
    pub count: Option<usize>,
}

impl Witness {
    /// The problem with the input of the witness.
    pub fn apply(&self, problem: &ForwardProblem) -> ForwardProblem {
        let mut other = problem.clone();
        other.force.clone_from(&self.force);
        if let Some(offset) = &self.load_offset {
            other.load_offset.clone_from(offset);
        }
        for (contact, drift) in other.contacts.iter_mut().zip(self.drift.iter().flatten()) {
            contact.drift = *drift;
        }
        other
    }
}

/// Points tried with the offsets given, then as many with offsets of their own.
const ATTEMPTS: usize = 300;

/// Share of the forces that are turned round, away from the point they were made for.
const MIRRORED: f64 = 0.4;

/// Seed of the points: the same problem has the same witness.
const SEED: u64 = 0x5eed;

/// Searches a force with another count than `count`.
///
/// A point is put inside a piece whose determinant is not positive (or anywhere else, by turns) and
/// the force that keeps it there is computed; enumeration then counts the answers of that force.
pub fn witness(
    problem: &ForwardProblem,
    count: Option<usize>,
) -> Result<Option<Witness>, ForwardInputError> {
    let system = assemble(problem, Variation::NONE)?;
    let paths = paths(&system);
    let mut sampler = Sampler {
        problem,
        system: &system,
        random: SEED,
    };
    for keeps_offset in [true, false] {
        for attempt in 0..ATTEMPTS {
            let is_good_turn = attempt % 4 == 3 && !paths.good.is_empty() || paths.bad.is_empty();
            let list = if is_good_turn {
                &paths.good
            } else {
                &paths.bad
            };
            let path = &list[(sampler.unit() * list.len() as f64) as usize % list.len()];
            let Some(mut found) = sampler.input(path, keeps_offset) else {
                continue;
            };
            let Ok(counted) = answers(&found.apply(problem)) else {
                continue;
            };
            found.count = counted.count();
            if found.count != count {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Pieces by the sign of their determinant, a few of each.
struct Paths {
    good: Vec<Vec<usize>>,
    bad: Vec<Vec<usize>>,
}

fn paths(system: &System) -> Paths {
    let sign = order_sign(system);
    let mut paths = Paths {
        good: Vec::new(),
        bad: Vec::new(),
    };
    walk(system, |leaf| {
        let is_good = leaf.determinant.is_some_and(|d| d * sign > 0.0);
        let list = if is_good {
            &mut paths.good
        } else {
            &mut paths.bad
        };
        if list.len() < ATTEMPTS {
            list.push(leaf.path.to_vec());
        }
    });
    paths
}

struct Sampler<'a> {
    problem: &'a ForwardProblem,
    system: &'a System,
    random: u64,
}

/// What a point inside a piece looks like.
struct Target {
    /// Per coordinate: mode and the sign of the load (0 where it is free).
    joints: Vec<(Mode, f64)>,
    /// Per contact: mode and sign of the slip.
    contacts: Vec<Mode>,
}

/// An acceleration demanded of a contact, normal (axis 0) or tangent (1).
struct Wanted {
    row: Vec<f64>,
    contact: usize,
    axis: usize,
    acceleration: f64,
}

impl Sampler<'_> {
    /// A number from 0 to 1 (splitmix64).
    fn unit(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A positive number over two decades.
    fn size(&mut self) -> f64 {
        10f64.powf(2.0 * self.unit() - 1.0)
    }

    fn target(&mut self, path: &[usize]) -> Target {
        let p = self.problem;
        let mut target = Target {
            joints: vec![(Mode::Slide, 0.0); p.coordinates()],
            contacts: vec![Mode::LiftOff; p.contacts.len()],
        };
        for (element, choice) in self.system.elements.iter().zip(path) {
            let choice = &element.choices[*choice];
            let branch = (self.unit() * choice.branches.len() as f64) as usize;
            let mode = choice.branches[branch % choice.branches.len()].mode;
            match element.place {
                Place::Contact(k) => target.contacts[k] = mode,
                Place::Coordinate(i) => {
                    let kappa = if choice.symbol == '-' { -1.0 } else { 1.0 };
                    let sign = match mode {
                        _ if element.choices.len() == 1 => 0.0,
                        Mode::OnsetForward => kappa,
                        Mode::OnsetBackward => -kappa,
                        Mode::Slide => kappa * p.velocity[i].signum(),
                        _ => {
                            if self.unit() < 0.5 {
                                1.0
                            } else {
                                -1.0
                            }
                        }
                    };
                    target.joints[i] = (mode, sign);
                }
            }
        }
        target
    }

    /// An input for which a point of this piece is an answer, if one is met.
    fn input(&mut self, path: &[usize], keeps_offset: bool) -> Option<Witness> {
        let target = self.target(path);
        let p = self.problem;
        let n = p.coordinates();
        let mut load_offset = None;
        let q = if p.friction.is_empty() {
            (0..n).map(|i| self.acceleration(i)).collect()
        } else if keeps_offset {
            self.with_loads(&target)?
        } else {
            let (q, offset) = self.with_offset(&target);
            load_offset = Some(offset);
            q
        };
        let (q, gamma) = self.touching(q, &target, keeps_offset)?;
        let mut force = self.joint_forces(&q, load_offset.as_ref(), &target);
        for k in 0..p.contacts.len() {
            self.add_contact_force(k, target.contacts[k], &mut force);
        }
        if self.unit() < MIRRORED {
            // No point of any piece need lie here: this is how a force without answer is met.
            let size = self.size();
            force
                .iter_mut()
                .zip(&p.bias)
                .for_each(|(f, b)| *f = b - size * (*f - b));
        }
        let drift = (!p.contacts.is_empty()).then(|| self.drift(&force, &gamma));
        Some(Witness {
            force,
            load_offset,
            drift,
            count: None,
        })
    }

    /// Accelerations with the loads demanded, `C q̈ = N − d`, and none where stuck.
    fn with_loads(&mut self, target: &Target) -> Option<Vec<f64>> {
        let p = self.problem;
        let n = p.coordinates();
        let mut elimination = RowElimination::default();
        elimination.start(n, 1);
        for i in 0..n {
            let (mode, sign) = target.joints[i];
            let mut row = vec![0.0; n + 1];
            row[i] = 1.0;
            if mode != Mode::Stick && sign == 0.0 {
                row[n] = self.acceleration(i);
            } else if mode != Mode::Stick {
                row[..n].copy_from_slice(&p.load_matrix[i]);
                let scale = self.load_scale(i);
                row[n] = sign * self.size() * scale - p.load_offset[i];
            }
            elimination.push(&row)?;
        }
        let mut q = vec![0.0; n];
        elimination.solve(0, &mut q);
        let fits = |i: usize| {
            let (mode, sign) = target.joints[i];
            let load = dot(&p.load_matrix[i], &q) + p.load_offset[i];
            (match mode {
                Mode::OnsetForward => q[i] > 0.0,
                Mode::OnsetBackward => q[i] < 0.0,
                _ => true,
            }) && (sign == 0.0 || load * sign > 0.0)
        };
        (0..n).all(fits).then_some(q)
    }

    fn load_scale(&self, i: usize) -> f64 {
        let p = self.problem;
        let frame = &self.system.frame;
        let row = p.load_matrix[i].iter().zip(&frame.root);
        let row = row.map(|(c, root)| (c * frame.scale / root).abs());
        let size = p.load_offset[i].abs() + row.sum::<f64>();
        if size > 0.0 { size } else { 1.0 }
    }

    /// An acceleration of coordinate i of the size the problem gives it, of either sign.
    fn acceleration(&mut self, i: usize) -> f64 {
        let frame = &self.system.frame;
        (2.0 * self.unit() - 1.0) * 4.0 * frame.scale / frame.root[i]
    }

    /// Accelerations and loads of the signs demanded, with the offset that joins them.
    fn with_offset(&mut self, target: &Target) -> (Vec<f64>, Vec<f64>) {
        let p = self.problem;
        let mut q = Vec::with_capacity(p.coordinates());
        for (i, (mode, _)) in target.joints.iter().enumerate() {
            let frame = &self.system.frame;
            let size = self.size() * frame.scale / frame.root[i];
            q.push(match mode {
                Mode::OnsetForward => size,
                Mode::OnsetBackward => -size,
                Mode::Stick => 0.0,
                _ => size * (2.0 * self.unit() - 1.0),
            });
        }
        let mut offset = Vec::with_capacity(q.len());
        for (i, (_, sign)) in target.joints.iter().enumerate() {
            let load = sign * self.size() * self.load_scale(i);
            offset.push(load - dot(&p.load_matrix[i], &q));
        }
        (q, offset)
    }

    /// Brings contacts to the accelerations demanded: by moving q̈ where every coordinate is free to
    /// (one contact after another), else by a rate term γ of their own.
    fn touching(
        &mut self,
        mut q: Vec<f64>,
        target: &Target,
        keeps_rate: bool,
    ) -> Option<(Vec<f64>, Vec<[f64; 2]>)> {
        let p = self.problem;
        let frame = &self.system.frame;
        let rate = |row: Option<&Vec<f64>>, drift: f64| {
            drift - row.map_or(0.0, |row| dot(row, &frame.free))
        };
        let mut gamma: Vec<[f64; 2]> = p
            .contacts
            .iter()
            .map(|c| {
                [
                    rate(Some(&c.normal), c.drift[0]),
                    rate(c.tangent.as_ref(), c.drift[1]),
                ]
            })
            .collect();
        let rows = self.wanted(target);
        if keeps_rate && p.friction.is_empty() {
            self.move_onto(&mut q, &rows, &gamma)?;
        } else if keeps_rate && !rows.is_empty() {
            return None;
        } else {
            for w in &rows {
                gamma[w.contact][w.axis] = w.acceleration - dot(&w.row, &q);
            }
        }
        Some((q, gamma))
    }

    /// Rows of contacts whose accelerations a target demands.
    fn wanted(&mut self, target: &Target) -> Vec<Wanted> {
        let p = self.problem;
        let mut rows = Vec::new();
        for (k, mode) in target.contacts.iter().enumerate() {
            let unit = |axis: usize| self.system.frame.contact_acceleration(2 * k + axis);
            let (normal, tangent) = (unit(0), unit(1));
            let (normal, tangent) = match mode {
                Mode::LiftOff => (self.size() * normal, None),
                Mode::Stick => (0.0, Some(0.0)),
                Mode::OnsetForward => (0.0, Some(self.size() * tangent)),
                Mode::OnsetBackward => (0.0, Some(-self.size() * tangent)),
                Mode::Slide | Mode::Onset => (0.0, None),
            };
            let contact = &p.contacts[k];
            let given = [
                (Some(&contact.normal), Some(normal)),
                (contact.tangent.as_ref(), tangent),
            ];
            for (axis, (row, acceleration)) in given.into_iter().enumerate() {
                if let (Some(row), Some(acceleration)) = (row, acceleration) {
                    rows.push(Wanted {
                        row: row.clone(),
                        contact: k,
                        axis,
                        acceleration,
                    });
                }
            }
        }
        rows
    }

    /// Least change of q̈ (in kinetic energy) that gives every row its wanted acceleration.
    fn move_onto(&self, q: &mut [f64], rows: &[Wanted], gamma: &[[f64; 2]]) -> Option<()> {
        let respond = |w: &Wanted| self.system.frame.response(&w.row);
        let responses: Vec<Vec<f64>> = rows.iter().map(respond).collect();
        let mut elimination = RowElimination::default();
        elimination.start(rows.len(), 1);
        for w in rows {
            let mut line: Vec<f64> = responses.iter().map(|x| dot(&w.row, x)).collect();
            line.push(w.acceleration - gamma[w.contact][w.axis] - dot(&w.row, q));
            elimination.push(&line)?;
        }
        let mut amounts = vec![0.0; rows.len()];
        elimination.solve(0, &mut amounts);
        for (response, amount) in responses.iter().zip(&amounts) {
            q.iter_mut()
                .zip(response)
                .for_each(|(a, b)| *a += amount * b);
        }
        Some(())
    }

    /// `A q̈ + b + f`.
    fn joint_forces(&mut self, q: &[f64], offset: Option<&Vec<f64>>, target: &Target) -> Vec<f64> {
        let p = self.problem;
        let mut force = Vec::with_capacity(q.len());
        for i in 0..q.len() {
            let mut sum = dot(&p.inertia[i], q) + p.bias[i];
            if let Some(given) = p.friction.get(i) {
                let d = offset.unwrap_or(&p.load_offset)[i];
                let load = (dot(&p.load_matrix[i], q) + d).abs();
                sum += load
                    * match target.joints[i].0 {
                        Mode::OnsetForward => given.mu_d,
                        Mode::OnsetBackward => -given.mu_d,
                        Mode::Stick => self.held(given.mu_s, given.mu_d),
                        _ => given.mu_d * p.velocity[i].signum(),
                    };
            }
            force.push(sum);
        }
        force
    }

    /// A ratio of friction to load that sticks; between `μ_d` and `μ_s` where they differ.
    fn held(&mut self, mu_s: f64, mu_d: f64) -> f64 {
        let sign = if self.unit() < 0.5 { -1.0 } else { 1.0 };
        let share = self.unit();
        sign * if mu_s > mu_d {
            mu_d + share * (mu_s - mu_d)
        } else {
            share * mu_s
        }
    }

    /// Subtracts `Jᵀλ` of a closed contact.
    fn add_contact_force(&mut self, k: usize, mode: Mode, force: &mut [f64]) {
        let contact = &self.problem.contacts[k];
        if mode == Mode::LiftOff {
            return;
        }
        let column = self.problem.coordinates() + 2 * k;
        let normal = self.system.frame.force(column, self.size());
        let ratio = match mode {
            Mode::OnsetForward => -contact.friction.mu_d,
            Mode::OnsetBackward => contact.friction.mu_d,
            Mode::Stick => self.held(contact.friction.mu_s, contact.friction.mu_d),
            _ if contact.slip == 0.0 => 0.0,
            _ => -contact.friction.mu_d * contact.slip.signum(),
        };
        for (i, x) in force.iter_mut().enumerate() {
            let tangent = contact.tangent.as_ref().map_or(0.0, |row| row[i]);
            *x -= normal * (contact.normal[i] + ratio * tangent);
        }
    }

    /// Drift of each contact under a force, `γ + J A⁻¹(τ − b)`.
    fn drift(&self, force: &[f64], gamma: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let p = self.problem;
        let rest: Vec<f64> = force.iter().zip(&p.bias).map(|(a, b)| a - b).collect();
        let free = self.system.frame.response(&rest);
        let pairs = p.contacts.iter().zip(gamma).map(|(contact, rate)| {
            let tangent = contact.tangent.as_ref().map_or(0.0, |row| dot(row, &free));
            [rate[0] + dot(&contact.normal, &free), rate[1] + tangent]
        });
        pairs.collect()
    }
}
