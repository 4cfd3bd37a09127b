//! Several contacts along Routh's path together, in the shape of a result.

use super::super::path::PathSolution;
use super::super::path::{self, PathContact, PathEnd, PathImpact, PathImpactError, PathPoint};
use super::super::result::Determinacy;
use super::super::simultaneous::{Closing, Simultaneous};
use super::super::{Law, Method, Note, Outcome, Tangential};
use super::{Balance, Contact, ContactResult, ImpactInputError, ImpactResult, Pair, PathCorner};
use super::{Prepared, Residuals};
use crate::contact_space::{Friction, SpatialVector};

impl Prepared<'_> {
    /// All contacts together along Routh's path.
    pub(super) fn solve_path(&self, law: Law) -> Result<ImpactResult, ImpactInputError> {
        let impact = self.path_impact(law)?;
        let solution = path::solve(&impact).map_err(refused)?;
        let has_end = !matches!(solution.outcome, Outcome::Jammed | Outcome::Infeasible);
        let moved = match has_end {
            true => Some(self.move_by(&self.path_impulses(&solution), &self.balance(&solution))?),
            false => None,
        };
        let is_known = has_end && !solution.slip_also_consistent;
        let mut constraints = self.constraint_results(moved.as_ref(), &[]);
        if !is_known || solution.friction_shared {
            constraints.iter_mut().for_each(|c| c.unique.fill(false));
        }
        let names: Vec<&str> = self.problem.contacts.iter().map(|c| &c.name[..]).collect();
        let contacts = self.problem.contacts.iter().zip(&solution.contacts);
        let contacts = contacts.enumerate();
        let contacts =
            contacts.map(|(i, (contact, end))| self.path_contact(i, contact, end, has_end));
        Ok(ImpactResult {
            law,
            method: Method::Path,
            outcome: solution.outcome,
            energy_change: moved.as_ref().map(|moved| moved.energy_change),
            contacts: contacts.collect(),
            constraints,
            determinacy: self.path_determinacy(&solution, is_known)?,
            residuals: moved
                .as_ref()
                .map_or(Residuals::NONE, |moved| moved.residuals),
            notes: self.notes(Note::of_path(&solution, law, &names)),
            velocity: moved.map(|moved| moved.velocity),
            outcomes: Vec::new(),
        })
    }

    /// Rows of the space in the order of a path: each normal with its tangents.
    fn path_rows(&self) -> Vec<usize> {
        let mut next = self.problem.contacts.len();
        let rows = self.problem.contacts.iter().enumerate();
        let rows = rows.flat_map(|(i, contact)| {
            let tangents = next..next + contact.tangent_rows().count();
            next = tangents.end;
            std::iter::once(i).chain(tangents)
        });
        rows.collect()
    }

    fn path_impact(&self, law: Law) -> Result<PathImpact, ImpactInputError> {
        let rows = self.path_rows();
        let w = |a: &usize| {
            rows.iter()
                .map(|b| self.space.w(*a, *b))
                .collect::<Vec<_>>()
        };
        let terms: Vec<f64> = rows.iter().map(|row| self.space.terms(*row)).collect();
        let contacts = self.problem.contacts.iter().enumerate().map(|(i, c)| {
            let refuse = |source| ImpactInputError::Friction { contact: i, source };
            Ok(PathContact {
                tangents: c.tangent_rows().count(),
                friction: match c.has_tangent() {
                    true => c.coefficients().map_err(refuse)?,
                    false => Friction::NONE,
                },
                restitution: c.restitution,
                law,
                stiffness: c.stiffness,
            })
        });
        let impact = PathImpact::new(
            rows.iter().flat_map(w).collect(),
            rows.iter().map(|row| self.space.v(*row)).collect(),
            contacts.collect::<Result<Vec<_>, ImpactInputError>>()?,
        );
        Ok(impact.map_err(refused)?.with_terms(&terms))
    }

    /// One impulse per row of the space.
    fn path_impulses(&self, solution: &PathSolution) -> Vec<f64> {
        self.path_values(solution, |end| end.impulse)
            .into_iter()
            .fold(vec![0.0; self.space.rows()], |mut p, (row, x)| {
                p[row] = x;
                p
            })
    }

    /// A row and a number for each of them.
    fn path_values(
        &self,
        solution: &PathSolution,
        of: impl Fn(&PathEnd) -> SpatialVector,
    ) -> Vec<(usize, f64)> {
        let contacts = self.problem.contacts.iter().zip(&solution.contacts);
        let values = contacts.flat_map(|(contact, end)| {
            let x = of(end);
            let all = [x.n, x.t[0], x.t[1]];
            all.into_iter().take(1 + contact.tangent_rows().count())
        });
        self.path_rows().into_iter().zip(values).collect()
    }

    fn balance(&self, solution: &PathSolution) -> Balance<'static> {
        Balance {
            energy_change: solution.energy_change,
            energy_scale: solution.energy_scale,
            energy_residual: solution.energy_residual,
            momentum_residual: solution.momentum_residual,
            cone: solution.cone_residual,
            v_post: self.path_values(solution, |end| end.v_post),
            motion: None,
        }
    }

    /// The law selects: velocities are unique, and impulses unless friction at rest can be shared in many ways.
    fn path_determinacy(
        &self,
        solution: &PathSolution,
        is_known: bool,
    ) -> Result<Determinacy, ImpactInputError> {
        let contacts = &self.problem.contacts;
        let rows: Vec<usize> = (0..contacts.len()).collect();
        let v_n: Vec<f64> = rows.iter().map(|i| self.space.v(*i)).collect();
        let restitution: Vec<f64> = contacts.iter().map(|c| c.restitution).collect();
        let closing = Closing {
            rows: &rows,
            v_n: &v_n,
            restitution: &restitution,
        };
        let base = Simultaneous::new().look(&self.space, &closing, Law::Poisson)?;
        let is_unique = |(c, end): (&Contact, &PathEnd)| {
            let is_shared = solution.friction_shared && c.has_tangent() && c.has_friction();
            is_known && !(is_shared && end.impulse.n > 0.0)
        };
        let impulses = contacts.iter().zip(&solution.contacts).map(is_unique);
        Ok(Determinacy {
            velocity_unique: is_known,
            impulses_unique: impulses.collect(),
            ..base
        })
    }

    fn path_contact(
        &self,
        i: usize,
        contact: &Contact,
        end: &PathEnd,
        has_end: bool,
    ) -> ContactResult {
        let side = |t: [f64; 2]| match contact.tangents {
            Some(_) => Tangential::Space(t),
            None => Tangential::Plane(t[0]),
        };
        let slip = |t: [f64; 2]| contact.has_tangent().then(|| side(t));
        let rows = self.path_rows();
        let own = rows.iter().position(|row| *row == i).unwrap_or(0);
        let mut before = [0.0; 2];
        for (k, x) in before
            .iter_mut()
            .enumerate()
            .take(contact.tangent_rows().count())
        {
            *x = self.space.v(rows[own + 1 + k]);
        }
        let corner = |c: &PathPoint| PathCorner {
            p_n: c.impulse.n,
            p_t: side(c.impulse.t),
            v_n: c.v.n,
            v_t: slip(c.v.t),
            phase: c.phase,
            mode: c.mode,
        };
        ContactResult {
            spatial: None,
            name: contact.name.clone(),
            contact_type: end.contact_type,
            started_at_rest: contact.has_tangent() && before == [0.0; 2],
            impulse: Pair {
                normal: has_end.then_some(end.impulse.n),
                tangent: has_end.then(|| side(end.impulse.t)),
            },
            velocity_before: Pair {
                normal: Some(self.space.v(i)),
                tangent: slip(before),
            },
            velocity_after: Pair {
                normal: has_end.then_some(end.v_post.n),
                tangent: slip(end.v_post.t).filter(|_| has_end),
            },
            work: Pair {
                normal: has_end.then_some(end.work.n),
                tangent: has_end.then(|| side(end.work.t)),
            },
            path: match has_end {
                true => end.path.iter().map(corner).collect(),
                false => Vec::new(),
            },
        }
    }
}

fn refused(source: PathImpactError) -> ImpactInputError {
    ImpactInputError::Path { source }
}
