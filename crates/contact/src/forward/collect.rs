//! One walk over every piece: what is consistent, what is not, and why.

use super::affine::{Form, Point, affine};
use super::answers::{Answer, ForwardAnswers};
use super::candidate::{Candidate, lexicographic};
use super::continuum::{Continuum, Family, Span, branchings, family};
use super::enumerate::{Leaf, order_sign, visit, walk};
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::{ForwardProblem, MAX_ELEMENTS};
use super::prune::{Patterns, patterns};
use super::refuted::{Refuted, Relation};
use super::system::{Place, Standing, System};

/// Whether failed modes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Answers,
    Everything,
}

/// Failed modes listed at most; beyond, they are counted.
const REFUTED_LISTED: usize = 4096;

/// Unknowns have no units, and what drives the problem is of this size.
const DRIVEN: f64 = 1.0;

/// What an enumeration finds.
pub(super) struct Collected {
    pub(super) found: ForwardAnswers,
    pub(super) refuted: Vec<Refuted>,
    pub(super) refuted_count: usize,
}

struct Collector<'a> {
    system: &'a System,
    problem: &'a ForwardProblem,
    keep: Keep,
    candidates: Vec<Candidate>,
    continua: Vec<(Span, Continuum)>,
    refuted: Vec<Refuted>,
    refuted_count: usize,
    has_overflowed: bool,
}

/// Walks over every piece and sorts what it finds; without the failed modes, over those pieces of
/// contacts that can hold.
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
    let look = |leaf: &Leaf<'_>| collector.look(leaf, &mut z);
    let some = match keep {
        Keep::Answers => patterns(system),
        Keep::Everything => Patterns::All,
    };
    let found = problem.elements_with_patterns();
    match some {
        Patterns::Some(paths) => visit(system, &paths, look),
        Patterns::All if found <= MAX_ELEMENTS => walk(system, look),
        Patterns::All | Patterns::TooMany => {
            return Err(ForwardInputError::TooManyElements { found });
        }
    }
    let has_overflowed = collector.has_overflowed;
    let collected = collector.finish();
    let is_sound = |a: &Answer| {
        let lists = [&a.acceleration, &a.normal_load, &a.friction_force];
        lists.into_iter().flatten().all(|x| x.is_finite())
    };
    if has_overflowed || !collected.found.answers.iter().all(is_sound) {
        return Err(ForwardInputError::Overflow);
    }
    Ok(collected)
}

impl Collector<'_> {
    /// A piece: refuted beyond doubt, or solved with what is known of its unknowns.
    fn look(&mut self, leaf: &Leaf<'_>, z: &mut [f64]) {
        if leaf.determinant.is_some() {
            leaf.solve(0, z);
            let most = z.iter().fold(DRIVEN, |most, x| f64::max(most, x.abs()));
            if !most.is_finite() {
                self.has_overflowed = true;
                return;
            }
            let mut elements = self.system.elements.iter().zip(leaf.path);
            let is_broken = elements.any(|(e, choice)| e.is_clearly_broken(*choice, z, most));
            if is_broken && !self.lists_refuted() {
                self.refuted_count += 1;
                return;
            }
        }
        let equations = self.system.equations(leaf.path);
        match affine(&equations, self.system.size) {
            Some(found) if found.directions.is_empty() => {
                self.regular(leaf.path, found.point, leaf.determinant);
            }
            _ => self.singular(leaf.path, &equations),
        }
    }

    fn lists_refuted(&self) -> bool {
        self.keep == Keep::Everything && self.refuted.len() < REFUTED_LISTED
    }

    fn regular(&mut self, path: &[usize], point: Point, determinant: Option<f64>) {
        if !point.z.iter().all(|x| x.is_finite()) {
            self.has_overflowed = true;
        } else if self.system.holds(path, &point) {
            self.accept(path, point, determinant, true);
        } else {
            self.refuted_count += 1;
            if self.lists_refuted() {
                self.refute(path, &point);
            }
        }
    }

    fn accept(&mut self, path: &[usize], point: Point, determinant: Option<f64>, unique: bool) {
        let elements = self.system.elements.iter().zip(path);
        let best = elements.map(|(element, choice)| element.best_branch(*choice, &point));
        let (branches, standings): (Vec<usize>, Vec<Standing>) = best.unzip();
        let mut candidate = Candidate::new(self.system, point, path);
        candidate.branches = branches;
        candidate.is_tight = standings.iter().map(|s| *s != Standing::Inside).collect();
        candidate.determinant = determinant;
        candidate.forces_unique = unique;
        self.candidates.push(candidate);
    }

    /// Notes the demand of the first element that is broken.
    fn refute(&mut self, path: &[usize], point: &Point) {
        let mut branches = Vec::with_capacity(path.len());
        let mut first = None;
        for (element, choice) in self.system.elements.iter().zip(path) {
            let (branch, standing) = element.best_branch(*choice, point);
            if let (Standing::Outside(c), None) = (standing, first) {
                let condition = &element.choices[*choice].branches[branch].conditions[c];
                let index = self.system.index(element.place).unwrap_or(0);
                first = Some((index, condition.relation, condition.at(&point.z).0));
            }
            branches.push(branch);
        }
        let (element, relation, slack) = first.unwrap_or((0, Relation::Solvable, 0.0));
        let mode = self.modes(path, &branches, Some(&point.z));
        let signs = self.system.symbols(path);
        let miss = slack.abs();
        self.refuted
            .push(Refuted::new(mode, signs, element, relation, Some(miss)));
    }

    /// Every combination of branches of a singular piece.
    fn singular(&mut self, path: &[usize], equations: &[Form]) {
        let system = self.system;
        let choice = |e: usize| &system.elements[e].choices[path[e]];
        for branches in branchings(system, path) {
            let parts = (0..path.len()).map(|e| &choice(e).branches[branches[e]]);
            let conditions: Vec<_> = parts.flat_map(|b| b.conditions.iter()).collect();
            let found = family(system, equations, &conditions);
            self.take(path, &branches, found);
        }
    }

    fn take(&mut self, path: &[usize], branches: &[usize], found: Family) {
        match found {
            Family::Contradiction => self.refute_singular(path, branches, Relation::Solvable),
            Family::Empty(index) => {
                let elements = self.system.elements.iter().zip(path).zip(branches);
                let parts = elements.map(|((e, c), b)| &e.choices[*c].branches[*b]);
                let condition = parts.flat_map(|b| b.conditions.iter()).nth(index);
                let relation = condition.map_or(Relation::Solvable, |c| c.relation);
                self.refute_singular(path, branches, relation);
            }
            Family::Point { point, unique } => self.accept(path, point, None, unique),
            Family::Many(span) => {
                let mode = self.modes(path, branches, None);
                let told = span.told(self.system, mode, self.system.symbols(path));
                self.continua.push((span, told));
            }
        }
    }

    /// A singular piece without an answer: there is no number to miss a demand by.
    fn refute_singular(&mut self, path: &[usize], branches: &[usize], relation: Relation) {
        self.refuted_count += 1;
        if self.lists_refuted() {
            let mode = self.modes(path, branches, None);
            let signs = self.system.symbols(path);
            self.refuted
                .push(Refuted::new(mode, signs, 0, relation, None));
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
            modes[index] = match z.map(|z| system.acceleration(z)[i]) {
                Some(x) if is_free && x > 0.0 => Mode::OnsetForward,
                Some(x) if is_free && x < 0.0 => Mode::OnsetBackward,
                Some(_) if is_free => Mode::Stick,
                _ => modes[index],
            };
        }
        modes
    }

    /// Merges what pieces share and sorts the rest.
    fn finish(mut self) -> Collected {
        let candidates = std::mem::take(&mut self.candidates);
        let merged = self.merged(candidates);
        let accelerations: Vec<_> = merged.iter().map(|a| &a.acceleration).collect();
        let order = lexicographic(&accelerations);
        let mut families: Vec<(Span, Continuum)> = Vec::new();
        for family in self.continua {
            if !families.iter().any(|(known, _)| known.covers(&family.0)) {
                families.retain(|(known, _)| !family.0.covers(known));
                families.push(family);
            }
        }
        families.sort_by_key(|(span, _)| std::cmp::Reverse(span.dimension()));
        Collected {
            found: ForwardAnswers {
                answers: order.into_iter().map(|k| merged[k].clone()).collect(),
                continua: families.into_iter().map(|(_, told)| told).collect(),
            },
            refuted: self.refuted,
            refuted_count: self.refuted_count,
        }
    }

    /// One answer per acceleration off the families, named by its lowest modes.
    fn merged(&self, candidates: Vec<Candidate>) -> Vec<Answer> {
        let mut kept: Vec<(Candidate, usize, Answer)> = Vec::new();
        for candidate in candidates {
            let mut families = self.continua.iter();
            if families.any(|(family, _)| family.holds(&candidate.point.z)) {
                continue;
            }
            let mut answer = self.answer(&candidate);
            let rank: usize = answer.mode.iter().map(|mode| mode.rank()).sum();
            let shares = |(other, ..): &(Candidate, usize, Answer)| candidate.is_one_motion(other);
            let Some(k) = kept.iter().position(shares) else {
                kept.push((candidate, rank, answer));
                continue;
            };
            let known = &mut kept[k];
            let is_unique = answer.forces_unique && known.2.forces_unique;
            let is_unique = is_unique && candidate.has_forces_of(&known.0);
            let is_better = match candidate.is_exact_beside(&known.0) {
                true => true,
                false => rank < known.1 && !known.0.is_exact_beside(&candidate),
            };
            if is_better {
                answer.forces_unique = is_unique;
                *known = (candidate, rank, answer);
            } else {
                known.2.forces_unique = is_unique;
            }
        }
        kept.into_iter().map(|(.., answer)| answer).collect()
    }

    fn answer(&self, candidate: &Candidate) -> Answer {
        let (system, z) = (self.system, &candidate.point.z);
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
                    let sign = determinant * order_sign(system);
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
                system.frame.force(j, z[j])
            });
        }
        forces
    }
}
