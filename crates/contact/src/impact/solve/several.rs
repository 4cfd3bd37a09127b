//! Several contacts of a whole mechanism: what is offered, and those without friction.

use super::super::gripping;
use super::super::problem::check_offered;
use super::super::simultaneous::{Closing, Simultaneous, SimultaneousEnd};
use super::super::{Law, Method, Note, Phase, Tangential};
use super::{Balance, Contact, ContactResult, ContactType, ImpactInputError, ImpactResult, Mode};
use super::{ConstraintResult, Moved, Pair, PathCorner, Prepared, Residuals};

/// One contact at the ends of the phases.
struct Track<'a> {
    contact: &'a Contact,
    /// Normal impulse, normal and tangent velocity: before, at greatest compression, after.
    stages: [(f64, f64, Option<Tangential>); 3],
    work: f64,
    has_phases: bool,
    has_end: bool,
}

impl Prepared<'_> {
    /// Several contacts by a law and a method; the pairs that are not offered are refused.
    pub(super) fn solve_several(
        &self,
        law: Law,
        method: Method,
        order: Option<&[usize]>,
    ) -> Result<ImpactResult, ImpactInputError> {
        let contacts = &self.problem.contacts;
        let rough = |c: &&Contact| c.has_tangent() && c.has_friction();
        let is_rough = contacts.iter().any(|c| rough(&c));
        let is_round = contacts.iter().filter(rough).any(|c| c.tangents.is_some());
        check_offered(law, method)?;
        gripping::check_method(method, self.has_tangential())?;
        match method {
            Method::Sequential => self.solve_sequence(law, order),
            Method::Complementarity if is_round => self.solve_round(law),
            Method::Complementarity if is_rough => self.solve_rough(law),
            Method::Complementarity => self.solve_smooth(law, method),
            Method::Linear if is_rough => Err(ImpactInputError::MethodRefused {
                method,
                reason: "a contact has friction, and the linear law has none; expected \
                         complementarity or sequential",
            }),
            Method::Linear => self.solve_smooth(law, method),
            Method::Path => self.solve_path(law),
        }
    }

    /// Without friction, all together.
    fn solve_smooth(&self, law: Law, method: Method) -> Result<ImpactResult, ImpactInputError> {
        let found = self.problem.contacts.len();
        let rows: Vec<usize> = (0..found).collect();
        let v_n: Vec<f64> = rows.iter().map(|&i| self.space.v(i)).collect();
        let contacts = self.problem.contacts.iter();
        let restitution: Vec<f64> = contacts.map(|c| c.restitution).collect();
        let closing = Closing {
            rows: &rows,
            v_n: &v_n,
            restitution: &restitution,
        };
        let mut solver = Simultaneous::new();
        let end = match method {
            Method::Linear => solver.solve_linear(&self.space, &closing)?,
            _ => solver.solve(&self.space, &closing, law)?,
        };
        let moved = match end.has_end() {
            true => {
                let mut p = solver.impulses().to_vec();
                p.resize(self.space.rows(), 0.0); // tangents: no friction
                Some(self.move_by(&p, &balance(&end, &solver))?)
            }
            false => None,
        };
        let names: Vec<&str> = self.problem.contacts.iter().map(|c| &c.name[..]).collect();
        Ok(ImpactResult {
            law,
            method,
            outcome: end.outcome,
            energy_change: moved.as_ref().map(|moved| moved.energy_change),
            contacts: self.contact_results(&solver, &v_n, &end),
            constraints: self.shared_results(&solver, moved.as_ref()),
            determinacy: match method {
                Method::Linear => solver.linear_determinacy(&closing, &end),
                _ => solver.determinacy(&closing, &end),
            },
            residuals: moved
                .as_ref()
                .map_or(Residuals::NONE, |moved| moved.residuals),
            notes: self.notes(Note::of_several(&solver, &end, method, &closing, &names)),
            velocity: self.velocity_after(moved),
            outcomes: Vec::new(),
        })
    }

    /// Constraint impulses; those that change with a share of the contacts are not unique.
    fn shared_results(
        &self,
        solver: &Simultaneous,
        moved: Option<&Moved>,
    ) -> Vec<ConstraintResult> {
        let shares = solver.shares().into_iter().map(|mut share| {
            share.resize(self.space.rows(), 0.0); // tangents: no friction
            share
        });
        let mut results = self.constraint_results(moved, &shares.collect::<Vec<_>>());
        let is_known = moved.is_some() && solver.velocity_is_known();
        if !is_known {
            results.iter_mut().for_each(|c| c.unique.fill(false));
        }
        results
    }

    fn contact_results(
        &self,
        solver: &Simultaneous,
        v_n: &[f64],
        end: &SimultaneousEnd,
    ) -> Vec<ContactResult> {
        let has_end = end.has_end();
        let zeros = vec![0.0; v_n.len()];
        let (p, v_post, works) = match has_end {
            true => (solver.impulses(), solver.v_post(), solver.works()),
            false => (&zeros[..], v_n, &zeros[..]),
        };
        let (p_comp, v_comp) = match has_end {
            true => solver.compression(),
            false => (&zeros[..], v_n),
        };
        let mut row = v_n.len(); // the next tangent row
        let mut results = Vec::with_capacity(v_n.len());
        for (i, contact) in self.problem.contacts.iter().enumerate() {
            let slip = |stage: usize| {
                let p = [&zeros[..], p_comp, p][stage];
                match (&contact.tangent, &contact.tangents) {
                    (Some(_), _) => Some(Tangential::Plane(self.slip(row, p))),
                    (_, Some(_)) => {
                        Some(Tangential::Space([row, row + 1].map(|r| self.slip(r, p))))
                    }
                    (None, None) => None,
                }
            };
            let track = Track {
                contact,
                stages: [
                    (0.0, v_n[i], slip(0)),
                    (p_comp[i], v_comp[i], slip(1)),
                    (p[i], v_post[i], slip(2)),
                ],
                work: works[i],
                has_phases: end.law == Law::Poisson,
                has_end,
            };
            results.push(track.result());
            row += contact.tangent_rows().count();
        }
        results
    }

    /// Velocity of a tangent row after the impulses `p` of the first rows.
    pub(super) fn slip(&self, row: usize, p: &[f64]) -> f64 {
        let (mut sum, mut terms) = (self.space.v(row), self.space.terms(row));
        for (i, p) in p.iter().enumerate() {
            let gained = self.space.w(row, i) * p;
            sum += gained;
            terms += gained.abs();
        }
        let is_round_off = sum.abs() <= Simultaneous::VELOCITY_NOISE * terms;
        if is_round_off { 0.0 } else { sum }
    }
}

/// The solver's velocities are sums over its own impulses: nothing beside them to miss.
fn balance<'a>(end: &SimultaneousEnd, solver: &'a Simultaneous) -> Balance<'a> {
    Balance {
        motion: Some(solver.motion()),
        v_post: solver.v_post().iter().copied().enumerate().collect(),
        energy_change: end.energy_change,
        energy_scale: end.energy_scale,
        energy_residual: 0.0,
        momentum_residual: 0.0,
        cone: end.complementarity,
    }
}

impl Track<'_> {
    fn result(&self) -> ContactResult {
        let [before, _, after] = self.stages;
        let end = |x: f64| self.has_end.then_some(x);
        ContactResult {
            name: self.contact.name.clone(),
            contact_type: self.contact_type(),
            started_at_rest: before.2.is_some_and(|v_t| v_t.size() == 0.0),
            impulse: Pair {
                normal: end(after.0),
                tangent: self.has_end.then_some(self.nothing()),
            },
            velocity_before: Pair {
                normal: Some(before.1),
                tangent: before.2,
            },
            velocity_after: Pair {
                normal: end(after.1),
                tangent: after.2.filter(|_| self.has_end),
            },
            work: Pair {
                normal: end(self.work + 0.0),
                tangent: self.has_end.then_some(self.nothing()),
            },
            path: self.path(),
            spatial: None,
        }
    }

    /// No tangent impulse.
    fn nothing(&self) -> Tangential {
        match self.stages[0].2 {
            Some(Tangential::Space(_)) => Tangential::Space([0.0; 2]),
            _ => Tangential::Plane(0.0),
        }
    }

    /// Without a tangent and in space `frictionless`; in the plane, when its slip changes sign.
    fn contact_type(&self) -> ContactType {
        let [before, compressed, after] = self.stages;
        let slip = |v_t: Option<Tangential>| v_t.and_then(Tangential::plane);
        let slips = (slip(before.2), slip(compressed.2), slip(after.2));
        let (Some(v_t), Some(v_t_comp), Some(v_t_post)) = slips else {
            return match before.1 >= 0.0 && after.0 == 0.0 {
                true => ContactType::NoImpact,
                false => ContactType::Frictionless,
            };
        };
        // Newton has no phases: impulses grow in proportion, and the contact's own compression ends
        // where its normal velocity passes zero.
        let v_t_comp = match self.has_phases {
            true => v_t_comp,
            false if before.1 < 0.0 && after.1 > before.1 => {
                let part = (before.1 / (before.1 - after.1)).min(1.0);
                v_t + part * (v_t_post - v_t)
            }
            false => v_t,
        };
        match () {
            () if before.1 >= 0.0 && after.0 == 0.0 => ContactType::NoImpact,
            () if v_t == 0.0 && v_t_post == 0.0 => ContactType::NonSlidingCompression,
            () if v_t * v_t_comp < 0.0 => ContactType::ReverseCompression,
            () if v_t * v_t_post < 0.0 => ContactType::ReverseRestitution,
            () => ContactType::PermanentSliding,
        }
    }

    /// The ends of Poisson's phases; Newton's law knows only totals.
    fn path(&self) -> Vec<PathCorner> {
        let [_, compressed, after] = self.stages;
        if !self.has_end || !self.has_phases || after.0 == 0.0 {
            return Vec::new();
        }
        let phases = [Phase::Compression, Phase::Restitution, Phase::Restitution];
        let corners = self.stages.iter().zip(phases);
        let corner =
            |((p_n, v_n, v_t), phase): (&(f64, f64, Option<Tangential>), Phase)| PathCorner {
                p_n: *p_n,
                p_t: self.nothing(),
                v_n: *v_n,
                v_t: *v_t,
                phase,
                mode: v_t
                    .or(compressed.2)
                    .and_then(Tangential::plane)
                    .map(slip_mode),
            };
        corners.map(corner).collect()
    }
}

fn slip_mode(v_t: f64) -> Mode {
    match v_t {
        0.0 => Mode::Stick,
        v_t => Mode::slip(v_t),
    }
}
