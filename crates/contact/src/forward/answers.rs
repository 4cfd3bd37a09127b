//! Every consistent acceleration.

use serde::{Deserialize, Serialize};

use super::assemble::{Variation, assemble};
use super::continuum::{Continuum, Family, family};
use super::enumerate::walk;
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::ForwardProblem;
use super::refuted::{Refuted, Relation};
use super::system::{Place, Standing, System};

/// One consistent acceleration, with loads, friction and modes of the elements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// q̈.
    pub acceleration: Vec<f64>,
    /// `C q̈ + d` of each coordinate with friction, then the normal force of each contact (N).
    pub normal_load: Vec<f64>,
    /// f of each coordinate (it resists motion as a load), then the tangent force on the body at
    /// each contact.
    pub friction_force: Vec<f64>,
    /// Mode of each element.
    pub mode: Vec<Mode>,
    /// Acceleration of each contact, normal and tangent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contact_acceleration: Vec<[f64; 2]>,
    /// Of the rod: acceleration of its tip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_acceleration: Option<TipAcceleration>,
    /// Sign of the determinant of its piece; 0 on a face or where forces are not unique.
    pub index: i8,
    /// Whether the contact forces are determined.
    pub forces_unique: bool,
}

/// Acceleration of a rod's tip (m/s²).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TipAcceleration {
    /// Off the floor.
    pub normal: f64,
    /// Along the floor.
    pub tangent: f64,
}

/// Every answer of a forward problem; none, one, several and a continuum are results alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForwardAnswers {
    /// Isolated answers, in lexicographic order of acceleration.
    pub answers: Vec<Answer>,
    /// Families of answers on singular pieces.
    pub continua: Vec<Continuum>,
}

impl ForwardAnswers {
    /// Number of answers; `None` for a continuum.
    pub fn count(&self) -> Option<usize> {
        self.continua.is_empty().then_some(self.answers.len())
    }
}

/// Lists the consistent accelerations of a problem.
pub fn answers(problem: &ForwardProblem) -> Result<ForwardAnswers, ForwardInputError> {
    let system = assemble(problem, Variation::NONE)?;
    Ok(collect(&system, problem, Keep::Answers)?.found)
}

/// Whether failed modes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Answers,
    Everything,
}

/// Failed modes listed at most; beyond, they are counted.
pub(super) const REFUTED_LISTED: usize = 4096;

/// What an enumeration finds.
pub(super) struct Collected {
    pub(super) found: ForwardAnswers,
    pub(super) refuted: Vec<Refuted>,
    pub(super) refuted_count: usize,
}

/// A consistent piece before answers on shared faces are merged.
struct Candidate {
    z: Vec<f64>,
    path: Vec<usize>,
    branches: Vec<usize>,
    is_tight: Vec<bool>,
    determinant: Option<f64>,
    forces_unique: bool,
}

struct Collector<'a> {
    system: &'a System,
    problem: &'a ForwardProblem,
    keep: Keep,
    candidates: Vec<Candidate>,
    continua: Vec<Continuum>,
    refuted: Vec<Refuted>,
    refuted_count: usize,
    has_overflowed: bool,
}

/// Walks over every piece and sorts what it finds.
pub(super) fn collect(
    system: &System,
    problem: &ForwardProblem,
    keep: Keep,
) -> Result<Collected, ForwardInputError> {
    let mut collector = Collector {
        system,
        problem,
        keep,
        candidates: Vec::new(),
        continua: Vec::new(),
        refuted: Vec::new(),
        refuted_count: 0,
        has_overflowed: false,
    };
    let mut z = vec![0.0; system.size];
    walk(system, |leaf| match leaf.determinant {
        Some(determinant) => {
            leaf.solve(0, &mut z);
            collector.regular(leaf.path, &z, determinant);
        }
        None => collector.singular(leaf.path),
    });
    if collector.has_overflowed {
        return Err(ForwardInputError::Overflow);
    }
    Ok(collector.finish())
}

impl Collector<'_> {
    fn regular(&mut self, path: &[usize], z: &[f64], determinant: f64) {
        if !z.iter().all(|x| x.is_finite()) {
            self.has_overflowed = true;
            return;
        }
        let elements = self.system.elements.iter().zip(path);
        let mut broken = elements.filter(|(element, choice)| !element.holds(**choice, z));
        if broken.next().is_some() {
            self.refuted_count += 1;
            if self.keep == Keep::Everything && self.refuted.len() < REFUTED_LISTED {
                self.refute(path, z);
            }
            return;
        }
        self.accept(path, z.to_vec(), Some(determinant), true);
    }

    fn accept(&mut self, path: &[usize], z: Vec<f64>, determinant: Option<f64>, unique: bool) {
        let elements = self.system.elements.iter().zip(path);
        let best = elements.map(|(element, choice)| element.best_branch(*choice, &z));
        let (branches, standings): (Vec<usize>, Vec<Standing>) = best.unzip();
        self.candidates.push(Candidate {
            z,
            path: path.to_vec(),
            branches,
            is_tight: standings.iter().map(|s| *s != Standing::Inside).collect(),
            determinant,
            forces_unique: unique,
        });
    }

    /// Notes the demand of the first element that is broken.
    fn refute(&mut self, path: &[usize], z: &[f64]) {
        let mut branches = Vec::with_capacity(path.len());
        let mut first = None;
        for (element, choice) in self.system.elements.iter().zip(path) {
            let (branch, standing) = element.best_branch(*choice, z);
            if let (Standing::Outside(c), None) = (standing, first) {
                let condition = &element.choices[*choice].branches[branch].conditions[c];
                let index = self.system.index(element.place).unwrap_or(0);
                first = Some((index, condition.relation, condition.at(z).0));
            }
            branches.push(branch);
        }
        let (element, relation, slack) = first.unwrap_or((0, Relation::Solvable, 0.0));
        let mode = self.modes(path, &branches, Some(z));
        let signs = self.system.symbols(path);
        let miss = slack.abs();
        self.refuted
            .push(Refuted::new(mode, signs, element, relation, Some(miss)));
    }

    /// Every combination of branches of a singular piece.
    fn singular(&mut self, path: &[usize]) {
        let system = self.system;
        let choice = |e: usize| &system.elements[e].choices[path[e]];
        let rows = (0..path.len()).flat_map(|e| choice(e).rows.iter().map(Vec::as_slice));
        let rows: Vec<&[f64]> = rows.collect();
        let mut branches = vec![0; path.len()];
        loop {
            let parts = (0..path.len()).map(|e| &choice(e).branches[branches[e]]);
            let conditions: Vec<_> = parts.flat_map(|b| b.conditions.iter()).collect();
            let found = family(system, &rows, &conditions);
            self.take(path, &branches, found);
            let next = (0..path.len()).find(|&e| branches[e] + 1 < choice(e).branches.len());
            let Some(next) = next else { break };
            branches[..next].fill(0);
            branches[next] += 1;
        }
    }

    fn take(&mut self, path: &[usize], branches: &[usize], found: Family) {
        let refuse = |this: &mut Self, relation: Relation| {
            this.refuted_count += 1;
            if this.keep == Keep::Everything && this.refuted.len() < REFUTED_LISTED {
                let mode = this.modes(path, branches, None);
                let signs = this.system.symbols(path);
                this.refuted
                    .push(Refuted::new(mode, signs, 0, relation, None));
            }
        };
        match found {
            Family::Contradiction => refuse(self, Relation::Solvable),
            Family::Empty(index) => {
                let elements = self.system.elements.iter().zip(path).zip(branches);
                let parts = elements.map(|((e, c), b)| &e.choices[*c].branches[*b]);
                let condition = parts.flat_map(|b| b.conditions.iter()).nth(index);
                let relation = condition.map_or(Relation::Solvable, |c| c.relation);
                refuse(self, relation);
            }
            Family::Point(x) => {
                let z: Vec<f64> = x
                    .iter()
                    .zip(&self.system.unit)
                    .map(|(a, b)| a * b)
                    .collect();
                let is_unique = self.system.size == self.system.n;
                self.accept(path, z, None, is_unique);
            }
            Family::Many {
                point,
                directions,
                bounds,
            } => {
                let continuum = Continuum {
                    dimension: directions.len(),
                    point,
                    direction: directions,
                    bounds,
                    mode: self.modes(path, branches, None),
                    signs: self.system.symbols(path),
                };
                self.continua.push(continuum);
            }
        }
    }

    /// Modes in the order shown. A coordinate at rest without friction takes its mode from q̈.
    fn modes(&self, path: &[usize], branches: &[usize], z: Option<&[f64]>) -> Vec<Mode> {
        let system = self.system;
        let mut modes = vec![Mode::Slide; system.shown()];
        for ((element, choice), branch) in system.elements.iter().zip(path).zip(branches) {
            let Some(index) = system.index(element.place) else {
                continue;
            };
            modes[index] = element.choices[*choice].branches[*branch].mode;
            let Place::Coordinate(i) = element.place else {
                continue;
            };
            let is_free = element.choices.len() == 1 && self.problem.velocity[i] == 0.0;
            modes[index] = match z.map(|z| z[i]) {
                Some(x) if is_free && x > 0.0 => Mode::OnsetForward,
                Some(x) if is_free && x < 0.0 => Mode::OnsetBackward,
                Some(_) if is_free => Mode::Stick,
                _ => modes[index],
            };
        }
        modes
    }

    fn finish(mut self) -> Collected {
        let mut answers: Vec<(usize, Answer)> = Vec::new();
        let mut kept: Vec<Candidate> = Vec::new();
        for candidate in std::mem::take(&mut self.candidates) {
            let answer = self.answer(&candidate);
            if self
                .continua
                .iter()
                .any(|family| family.holds(&answer.acceleration))
            {
                continue;
            }
            let rank: usize = answer.mode.iter().map(|mode| mode.rank()).sum();
            let shares = |other: &Candidate| {
                candidate.meets(other) || candidate.has_other_forces(other, self.system.n)
            };
            let Some(k) = kept.iter().position(shares) else {
                kept.push(candidate);
                answers.push((rank, answer));
                continue;
            };
            let is_unique =
                answer.forces_unique && answers[k].1.forces_unique && candidate.meets(&kept[k]);
            if rank < answers[k].0 {
                kept[k] = candidate;
                answers[k] = (rank, answer);
            }
            answers[k].1.forces_unique = is_unique;
        }
        let mut list: Vec<Answer> = answers.into_iter().map(|(_, answer)| answer).collect();
        list.sort_by(|a, b| lexicographic(&a.acceleration, &b.acceleration));
        let mut families: Vec<Continuum> = Vec::new();
        self.continua
            .sort_by_key(|family| std::cmp::Reverse(family.dimension));
        for family in self.continua {
            if !families
                .iter()
                .any(|other| is_same(other, &family) || other.covers(&family))
            {
                families.push(family);
            }
        }
        Collected {
            found: ForwardAnswers {
                answers: list,
                continua: families,
            },
            refuted: self.refuted,
            refuted_count: self.refuted_count,
        }
    }

    fn answer(&self, candidate: &Candidate) -> Answer {
        let (system, z) = (self.system, &candidate.z);
        let mode = self.modes(&candidate.path, &candidate.branches, Some(z));
        let joints = if system.has_joints { system.n } else { 0 };
        let mut acceleration = system.acceleration(z);
        let is_face = candidate.is_tight.iter().any(|tight| *tight);
        for i in 0..joints {
            if mode[i] == Mode::Stick {
                acceleration[i] = 0.0;
            }
        }
        let mut normal_load = system.normal_loads(z);
        for (load, mode) in normal_load.iter_mut().zip(&mode) {
            if *mode == Mode::LiftOff {
                *load = 0.0;
            }
        }
        let friction_force = self.friction_forces(&mode, &normal_load, z);
        let pairs = system.contact_accelerations.chunks_exact(2);
        Answer {
            acceleration,
            normal_load,
            friction_force,
            mode,
            contact_acceleration: pairs.map(|p| [p[0].value(z), p[1].value(z)]).collect(),
            tip_acceleration: None,
            index: match candidate.determinant {
                Some(determinant) if !is_face => {
                    let sign = determinant * super::enumerate::order_sign(system);
                    if sign > 0.0 { 1 } else { -1 }
                }
                _ => 0,
            },
            forces_unique: candidate.forces_unique,
        }
    }

    /// Friction by Coulomb's law where it slides, by the balance of forces where it sticks.
    fn friction_forces(&self, mode: &[Mode], load: &[f64], z: &[f64]) -> Vec<f64> {
        let system = self.system;
        let mut forces = Vec::with_capacity(mode.len());
        for (i, given) in self.problem.friction.iter().enumerate() {
            let sign = match mode[i] {
                Mode::OnsetForward => 1.0,
                Mode::OnsetBackward => -1.0,
                _ => self.problem.velocity[i].signum(),
            };
            forces.push(if mode[i] == Mode::Stick {
                system.frictions[i].value(z) + 0.0
            } else {
                sign * given.mu_d * load[i].abs() + 0.0
            });
        }
        for (j, mode) in (system.n + 1..system.size)
            .step_by(2)
            .zip(&mode[forces.len()..])
        {
            let is_open = *mode == Mode::LiftOff;
            forces.push(if is_open {
                0.0
            } else {
                z[j] / system.unit[j] + 0.0
            });
        }
        forces
    }
}

impl Candidate {
    /// Two pieces share an answer on a face: wherever they differ, both are tight.
    fn meets(&self, other: &Self) -> bool {
        (0..self.path.len()).all(|e| {
            let is_one = self.path[e] == other.path[e] && self.branches[e] == other.branches[e];
            is_one || (self.is_tight[e] && other.is_tight[e])
        }) && self.is_near(other)
    }

    /// One acceleration, with contact forces shared in another way.
    fn has_other_forces(&self, other: &Self, n: usize) -> bool {
        let scale = self
            .z
            .iter()
            .chain(&other.z)
            .fold(0.0f64, |most, x| most.max(x.abs()));
        let mut pairs = self.z[..n].iter().zip(&other.z);
        self.z.len() > n
            && pairs.all(|(a, b)| (a - b).abs() <= SAME_MOTION * scale)
            && !self.is_near(other)
    }

    fn is_near(&self, other: &Self) -> bool {
        let scale = self
            .z
            .iter()
            .chain(&other.z)
            .fold(0.0f64, |most, x| most.max(x.abs()));
        let mut pairs = self.z.iter().zip(&other.z);
        pairs.all(|(a, b)| (a - b).abs() <= MERGE * scale)
    }
}

/// Accelerations that differ by less than this fraction of the unknowns are one.
const SAME_MOTION: f64 = 1e-12;

/// Answers of pieces that meet on a face are one when they differ by less than this.
const MERGE: f64 = 1e-7;

fn is_same(a: &Continuum, b: &Continuum) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= MERGE * (1.0 + x.abs() + y.abs());
    let same = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| near(*x, *y));
    let bound = |x: Option<f64>, y: Option<f64>| match (x, y) {
        (Some(x), Some(y)) => near(x, y),
        (None, None) => true,
        _ => false,
    };
    a.dimension == b.dimension
        && same(&a.point, &b.point)
        && a.direction
            .iter()
            .zip(&b.direction)
            .all(|(x, y)| same(x, y))
        && a.bounds
            .iter()
            .zip(&b.bounds)
            .all(|(x, y)| bound(x[0], y[0]) && bound(x[1], y[1]))
}

fn lexicographic(a: &[f64], b: &[f64]) -> std::cmp::Ordering {
    let unequal = a.iter().zip(b).map(|(x, y)| x.total_cmp(y));
    unequal.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}
