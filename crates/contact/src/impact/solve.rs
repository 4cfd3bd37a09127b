//! From coordinates to contact space, through the impact, and back.

mod flat;
mod path;
mod set;
mod several;
mod sides;
mod spatial;
mod stated;

use std::borrow::Cow;

use carom_numeric::dot;

use self::flat::{cone_residual, contact_notes, contact_result};
use self::sides::{One, Sides, one};
pub use self::spatial::ImpactPicture;
use super::planar::{ImpulsePlane, PlanarImpact, PlanarSolution, impulse_plane};
use super::result::{ConstraintResult, ContactResult, Determinacy, ImpactResult, Pair};
use super::result::{PathCorner, Residuals};
use super::{Contact, ImpactInputError, ImpactProblem, Law, Method, Note};
use super::{determinacy, gripping, planar};
use crate::contact_space::{ContactSpace, Mechanism};
use crate::impact::{ContactType, Mode};

/// Solves an impact problem by one law.
///
/// With one contact the method makes no difference; it is carried into the result. For several laws prepare the problem once: [`Prepared`].
pub fn solve(
    problem: &ImpactProblem,
    law: Law,
    method: Method,
) -> Result<ImpactResult, ImpactInputError> {
    Prepared::new(problem)?.solve(law, method)
}

/// A problem checked and brought to contact space, ready for any number of laws.
#[derive(Debug, Clone)]
pub struct Prepared<'a> {
    problem: Cow<'a, ImpactProblem>,
    space: ContactSpace,
    mass: Vec<f64>,
    rows: Vec<f64>,
    joints: Vec<f64>,
    /// One contact as it is solved alone; of several there is none.
    impact: Option<One>,
}

impl<'a> Prepared<'a> {
    /// Checks the problem, factors its mass matrix and reduces its contacts.
    pub fn new(problem: &'a ImpactProblem) -> Result<Self, ImpactInputError> {
        problem.check()?;
        let mass = problem.mass.concat();
        // Every normal row, then every tangent row.
        let normals = problem.contacts.iter().flat_map(|c| &c.normal);
        let tangents = problem.contacts.iter().flat_map(Contact::tangent_rows);
        let tangents = tangents.flatten();
        let rows: Vec<f64> = normals.chain(tangents).copied().collect();
        let joint_rows = problem.constraints.iter().flat_map(|c| c.rows.iter());
        let joints: Vec<f64> = joint_rows.flatten().copied().collect();
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: &mass,
                velocity: &problem.velocity,
                rows: &rows,
                constraints: &joints,
            })
            .map_err(ImpactInputError::Mechanism)?;
        let impact = match &problem.contacts[..] {
            [contact] => Some(one(&space, contact)?),
            _ => None,
        };
        Ok(Self {
            problem: Cow::Borrowed(problem),
            space,
            mass,
            rows,
            joints,
            impact,
        })
    }

    /// Solves by one law.
    pub fn solve(&self, law: Law, method: Method) -> Result<ImpactResult, ImpactInputError> {
        self.check_tangential(law)?;
        match &self.impact {
            Some(one) => self.solve_one(one, law, method),
            None => self.solve_several(law, method, None),
        }
    }

    /// Solves one contact after another in a stated order; with one contact as any method.
    pub fn solve_in_order(
        &self,
        law: Law,
        order: &[usize],
    ) -> Result<ImpactResult, ImpactInputError> {
        self.check_tangential(law)?;
        match &self.impact {
            Some(one) => self.solve_one(one, law, Method::Sequential),
            None => self.solve_several(law, Method::Sequential, Some(order)),
        }
    }

    /// Whether some contact has a tangential restitution.
    fn has_tangential(&self) -> bool {
        let mut contacts = self.problem.contacts.iter();
        contacts.any(|contact| contact.tangential_restitution.is_some())
    }

    /// Refuses a law that has no tangential restitution where a contact has one.
    fn check_tangential(&self, law: Law) -> Result<(), ImpactInputError> {
        gripping::check_law(law, self.has_tangential())
    }

    /// Of laws to draw those that the contact has; the first refusal, where it has none of them.
    fn drawn(&self, laws: &[Law]) -> Result<Vec<Law>, ImpactInputError> {
        let checked = laws
            .iter()
            .map(|law| self.check_tangential(*law).map(|()| *law));
        let (offered, refused): (Vec<_>, Vec<_>) = checked.partition(Result::is_ok);
        match (offered.is_empty(), refused.into_iter().next()) {
            (true, Some(Err(error))) => Err(error),
            _ => Ok(offered.into_iter().flatten().collect()),
        }
    }

    fn solve_one(
        &self,
        one: &One,
        law: Law,
        method: Method,
    ) -> Result<ImpactResult, ImpactInputError> {
        match one {
            One::Planar(impact, sides) => {
                let solution = planar_solution(impact, law)?;
                self.one_result(impact, sides, &solution, method)
            }
            One::Spatial(impact, _) => self.solve_spatial(impact, law, method),
        }
    }

    /// The result of one contact whose impact has been solved in contact space, in space along a direction of
    /// (t1, t2): nothing is solved again.
    pub fn told(
        &self,
        impact: &PlanarImpact,
        direction: Option<[f64; 2]>,
        solution: &PlanarSolution,
        method: Method,
    ) -> Result<ImpactResult, ImpactInputError> {
        let (_, sides) = self.planar()?;
        self.one_result(impact, &sides.facing(direction), solution, method)
    }

    /// The one contact in its own plane.
    fn planar(&self) -> Result<(&PlanarImpact, &Sides), ImpactInputError> {
        match &self.impact {
            Some(One::Planar(impact, sides)) => Ok((impact, sides)),
            Some(One::Spatial(_, source)) => Err(ImpactInputError::OutOfPlane {
                contact: 0,
                source: *source,
            }),
            None => Err(ImpactInputError::SeveralInOnePlane {
                found: self.problem.contacts.len(),
            }),
        }
    }

    fn one_result(
        &self,
        impact: &PlanarImpact,
        sides: &Sides,
        solution: &PlanarSolution,
        method: Method,
    ) -> Result<ImpactResult, ImpactInputError> {
        let contact = &self.problem.contacts[0];
        let moved = match &solution.end {
            Some(end) => {
                let balance = Balance {
                    energy_change: end.energy_change,
                    energy_scale: end.energy_scale,
                    energy_residual: end.energy_residual,
                    momentum_residual: end.momentum_residual,
                    cone: cone_residual(impact, solution),
                    v_post: sides.rows_after(end),
                    motion: None,
                };
                Some(self.move_by(&sides.impulses(end.impulse), &balance)?)
            }
            None => None,
        };
        let determinacy = self.determinacy(impact, sides, solution);
        let is_shared = solution.end.is_some() && leaves_impulse_open(sides, solution);
        let shares = match is_shared {
            false => &[][..],
            true => &determinacy.null_space,
        };
        let mut constraints = self.constraint_results(moved.as_ref(), shares);
        if !determinacy.velocity_unique {
            constraints.iter_mut().for_each(|c| c.unique.fill(false));
        }
        Ok(ImpactResult {
            law: solution.law,
            method,
            outcome: solution.outcome,
            energy_change: moved.as_ref().map(|moved| moved.energy_change),
            contacts: vec![ContactResult {
                spatial: self.facts_along(sides),
                ..contact_result(contact, impact, sides, solution)
            }],
            constraints,
            determinacy,
            residuals: moved
                .as_ref()
                .map_or(Residuals::NONE, |moved| moved.residuals),
            notes: self.notes(contact_notes(contact, impact, sides, solution)),
            velocity: self.velocity_after(moved),
            outcomes: Vec::new(),
        })
    }

    /// What a solution of one contact determines.
    fn determinacy(&self, impact: &PlanarImpact, sides: &Sides, s: &PlanarSolution) -> Determinacy {
        let is_shared = leaves_impulse_open(sides, s);
        match sides {
            Sides::None | Sides::Plane => {
                determinacy::of(&impact.w(), sides.has_tangent(), is_shared, s)
            }
            Sides::Along(_) | Sides::Smooth { .. } => {
                let is_one = s.end.is_some() && !s.findings.another_is_consistent();
                determinacy::in_space(&self.space, is_one, is_shared)
            }
        }
    }

    /// The impulse plane of the contact, with the ends of the laws asked for.
    pub fn diagram(&self, laws: &[Law]) -> Result<ImpulsePlane, ImpactInputError> {
        let (impact, _) = self.planar()?;
        let laws = self.drawn(laws)?;
        let solutions = laws.iter().map(|law| planar_solution(impact, *law));
        let solutions = solutions.collect::<Result<Vec<_>, _>>()?;
        Ok(impulse_plane(impact, &solutions))
    }

    /// Velocity after, constraint impulses, and how well the balances close, by what is given back.
    fn move_by(&self, p: &[f64], end: &Balance<'_>) -> Result<Moved, ImpactInputError> {
        if self.is_stated() {
            return self.stated_move(p, end);
        }
        let before = &self.problem.velocity;
        let mut after = before.clone();
        match end.motion {
            Some(motion) => self.space.apply_motion(motion, &mut after),
            None => self.space.apply(p, &mut after),
        }
        let mut lambda = vec![0.0; self.space.constraints()];
        self.space.constraint_impulses(p, &mut lambda);
        let joint_work: f64 = self.joint_rates().zip(&lambda).map(|(a, b)| a * b).sum();
        let energy_change = end.energy_change + joint_work;
        let (t_before, t_after) = (self.kinetic(before), self.kinetic(&after));
        let miss = (t_after - t_before - energy_change).abs();
        let momentum = self.momentum_residual(&after, p, &lambda)
            + self.rate_residual(&after, &end.v_post)
            + end.momentum_residual;
        let scale = t_before.max(t_after).max(end.energy_scale);
        let energy = ratio(miss, scale) + end.energy_residual;
        let numbers = after.iter().chain(&lambda);
        let sum: f64 = numbers.map(|x| x.abs()).sum();
        if !(sum + momentum + energy + t_before + t_after).is_finite() {
            let source = super::PointImpactError::Overflow;
            return Err(ImpactInputError::Impact { contact: 0, source });
        }
        let residuals = Residuals {
            momentum: Some(momentum),
            energy: Some(energy),
            cone: Some(end.cone),
        };
        Ok(Moved {
            velocity: after,
            lambda,
            energy_change,
            residuals,
        })
    }

    /// `G q̇` row by row; zero where it is round-off or drift.
    fn joint_rates(&self) -> impl Iterator<Item = f64> + '_ {
        let velocity = &self.problem.velocity;
        let n = velocity.len().max(1); // without coordinates there are no constraints
        self.joints.chunks_exact(n).map(move |row| {
            let rate = dot(row, velocity);
            let terms: f64 = row.iter().zip(velocity).map(|(a, b)| (a * b).abs()).sum();
            let is_drift = rate.abs() <= ContactSpace::DRIFT_TOLERANCE * terms;
            if is_drift { 0.0 } else { rate }
        })
    }

    /// `½ q̇ᵀ M q̇`.
    fn kinetic(&self, v: &[f64]) -> f64 {
        let rows = self.mass.chunks_exact(v.len());
        0.5 * rows.zip(v).map(|(row, x)| x * dot(row, v)).sum::<f64>()
    }

    /// `|M Δq̇ − Jᵀp − Gᵀλ|` over its largest term, every coordinate counted by its inertia, `1/√M_ii`.
    /// Infinities and NaN come through as such.
    fn momentum_residual(&self, after: &[f64], p: &[f64], lambda: &[f64]) -> f64 {
        let n = after.len();
        let column = |rows: &[f64], x: &[f64], i: usize| -> f64 {
            rows.chunks_exact(n).zip(x).map(|(row, x)| row[i] * x).sum()
        };
        let before = &self.problem.velocity;
        let (mut misses, mut largest) = (0.0, 0.0f64);
        for (i, row) in self.mass.chunks_exact(n).enumerate() {
            let weight = row[i].abs().sqrt();
            let gains = row.iter().zip(after.iter().zip(before));
            let gained: f64 = gains.map(|(m, (a, b))| m * (a - b)).sum();
            let (pushed, held) = (column(&self.rows, p, i), column(&self.joints, lambda, i));
            misses += (gained - pushed - held).abs() / weight;
            let terms = row.iter().zip(after).chain(row.iter().zip(before));
            let terms = terms.map(|(m, x)| (m * x).abs());
            largest = terms
                .chain([pushed.abs(), held.abs()])
                .fold(largest, |most, term| most.max(term / weight));
        }
        ratio(misses, largest)
    }

    /// How far `q̇⁺` misses the rates of the constraints, which the impact keeps, each beside the terms of
    /// its own row, and the velocities given for the contacts, each beside the largest terms of the rows of
    /// its contact (they are one velocity, whatever the tangents it is counted along): the worst.
    fn rate_residual(&self, after: &[f64], v_post: &[(usize, f64)]) -> f64 {
        let n = after.len();
        let before = &self.problem.velocity;
        let pairs = before.iter().zip(after);
        let sizes: Vec<f64> = pairs.map(|(a, b)| a.abs() + b.abs()).collect();
        let terms = |row: &[f64]| -> f64 {
            let pairs = row.iter().zip(&sizes);
            pairs.map(|(j, v)| j.abs() * v).sum()
        };
        let held = self.joints.chunks_exact(n).map(|row| {
            let jump = after.iter().zip(before).map(|(a, b)| a - b);
            let moved: f64 = row.iter().zip(jump).map(|(g, v)| g * v).sum();
            ratio(moved.abs(), terms(row))
        });
        let owners = self.row_owners();
        let mut sizes_seen = vec![0.0f64; self.problem.contacts.len()];
        for (row, owner) in self.rows.chunks_exact(n).zip(&owners) {
            sizes_seen[*owner] = sizes_seen[*owner].max(terms(row));
        }
        let seen = v_post.iter().map(|(i, v)| {
            let row = &self.rows[i * n..(i + 1) * n];
            ratio((dot(row, after) - v).abs(), sizes_seen[owners[*i]])
        });
        held.chain(seen).fold(0.0, f64::max)
    }

    /// The contact of every row: every normal, then every tangent.
    fn row_owners(&self) -> Vec<usize> {
        let contacts = self.problem.contacts.iter().enumerate();
        let tangents = contacts.flat_map(|(i, c)| c.tangent_rows().map(move |_| i));
        (0..self.problem.contacts.len()).chain(tangents).collect()
    }

    /// `shares`: directions, one number per contact row, along which the impulses may change.
    fn constraint_results(
        &self,
        moved: Option<&Moved>,
        shares: &[Vec<f64>],
    ) -> Vec<ConstraintResult> {
        let is_shared = self.shared_constraints(shares);
        let rates: Vec<f64> = self.joint_rates().collect();
        let mut start = 0;
        let mut results = Vec::with_capacity(self.problem.constraints.len());
        for constraint in &self.problem.constraints {
            let range = start..start + constraint.rows.len();
            start = range.end;
            results.push(ConstraintResult {
                name: constraint.name.clone(),
                impulse: moved.map(|m| m.lambda[range.clone()].iter().map(|x| x + 0.0).collect()),
                work: moved.map(|m| dot(&m.lambda[range.clone()], &rates[range.clone()]) + 0.0),
                unique: range
                    .map(|j| self.space.constraint_is_unique(j) && !is_shared[j])
                    .collect(),
            });
        }
        results
    }

    /// Constraint impulses that change along the shares of the contacts.
    fn shared_constraints(&self, shares: &[Vec<f64>]) -> Vec<bool> {
        let mut is_shared = vec![false; self.space.constraints()];
        let mut lambda = vec![0.0; self.space.constraints()];
        let mut one = vec![0.0; self.space.rows()];
        for share in shares {
            self.space.constraint_impulses(share, &mut lambda);
            // What single contacts of the share would ask is the scale of its round-off.
            let mut largest = vec![0.0f64; lambda.len()];
            for (i, x) in share.iter().enumerate() {
                let mut answer = vec![0.0; lambda.len()];
                one.fill(0.0);
                one[i] = *x;
                self.space.constraint_impulses(&one, &mut answer);
                for (most, a) in largest.iter_mut().zip(&answer) {
                    *most = most.max(a.abs());
                }
            }
            for (is_shared, (x, most)) in is_shared.iter_mut().zip(lambda.iter().zip(&largest)) {
                *is_shared |= x.abs() > SHARE_TOLERANCE * most;
            }
        }
        is_shared
    }

    /// The remarks of the solution, then those of the problem.
    fn notes(&self, mut notes: Vec<Note>) -> Vec<Note> {
        let contacts = self.problem.contacts.iter();
        let smooth = contacts.filter(|c| !c.has_tangent() && c.friction.mu_s > 0.0);
        notes.extend(smooth.map(Note::friction_without_tangent));
        let constraints = self.problem.constraints.iter();
        let rows = constraints.flat_map(|c| (0..c.rows.len()).map(move |k| (c, k)));
        let moving = rows
            .zip(self.joint_rates())
            .filter(|(_, rate)| *rate != 0.0);
        notes.extend(moving.map(|((c, k), rate)| Note::moving_constraint(c, k, rate)));
        notes
    }
}

/// A constraint impulse is determined when it changes along a share by less than this fraction of what
/// single contacts of the share ask of it.
const SHARE_TOLERANCE: f64 = 1e-9;

/// What the contacts say of their own balances.
struct Balance<'a> {
    energy_change: f64,
    energy_scale: f64,
    energy_residual: f64,
    momentum_residual: f64,
    cone: f64,
    /// Contact row and the velocity given for it.
    v_post: Vec<(usize, f64)>,
    /// What the impulses do in the space of the whitened rows, where that is better known than they are.
    motion: Option<&'a [f64]>,
}

/// What an impact with an end does to the mechanism.
struct Moved {
    velocity: Vec<f64>,
    lambda: Vec<f64>,
    energy_change: f64,
    residuals: Residuals,
}

/// Whether an impulse along a tangent moves nothing and is left open by friction.
fn leaves_impulse_open(sides: &Sides, s: &PlanarSolution) -> bool {
    let is_held = sides.has_tangent() && s.findings.tangent_impulse_undetermined;
    is_held || sides.leaves_open(s)
}

fn ratio(miss: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { miss / largest }
}

fn planar_solution(impact: &PlanarImpact, law: Law) -> Result<PlanarSolution, ImpactInputError> {
    let refuse = |source| ImpactInputError::Impact { contact: 0, source };
    planar::solve(impact, law).map_err(refuse)
}
