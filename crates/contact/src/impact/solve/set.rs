//! Outcomes of several contacts, with friction or one after another, as results.

use super::super::result::Determinacy;
use super::super::simultaneous::rough::{self, ContactEnd, Ending, OutcomeSet, RoughClosing};
use super::super::simultaneous::{Closing, Simultaneous, sequence};
use super::super::{Law, Method, Note, Outcome, Tangential};
use super::{Balance, Contact, ContactResult, ImpactInputError, ImpactResult, Pair};
use super::{Prepared, Residuals};
use crate::contact_space::{Friction, PlanarVector};

/// The contacts of a problem in the plane: one entry per contact.
pub(super) struct Flat {
    normals: Vec<usize>,
    tangents: Vec<Option<usize>>,
    v: Vec<PlanarVector>,
    friction: Vec<Friction>,
    restitution: Vec<f64>,
}

impl Flat {
    fn closing(&self) -> RoughClosing<'_> {
        RoughClosing {
            normals: &self.normals,
            tangents: &self.tangents,
            v: &self.v,
            friction: &self.friction,
            restitution: &self.restitution,
        }
    }
}

impl Prepared<'_> {
    /// First tangent row of each contact.
    fn tangent_starts(&self) -> Vec<usize> {
        let mut next = self.problem.contacts.len();
        let starts = self.problem.contacts.iter().map(|contact| {
            let start = next;
            next += contact.tangent_rows().count();
            start
        });
        starts.collect()
    }

    fn flat(&self) -> Result<Flat, ImpactInputError> {
        let contacts = &self.problem.contacts;
        let starts = self.tangent_starts();
        let tangent = |(i, c): (usize, &Contact)| c.tangent.as_ref().map(|_| starts[i]);
        let tangents: Vec<Option<usize>> = contacts.iter().enumerate().map(tangent).collect();
        let velocity = |i: usize| PlanarVector {
            n: self.space.v(i),
            t: tangents[i].map_or(0.0, |row| self.space.v(row)),
        };
        let friction = contacts.iter().enumerate().map(|(contact, c)| {
            let refuse = |source| ImpactInputError::Friction { contact, source };
            match c.tangent {
                Some(_) => c.coefficients().map_err(refuse),
                None => Ok(Friction::NONE),
            }
        });
        Ok(Flat {
            normals: (0..contacts.len()).collect(),
            v: (0..contacts.len()).map(velocity).collect(),
            friction: friction.collect::<Result<_, _>>()?,
            restitution: contacts.iter().map(|c| c.restitution).collect(),
            tangents,
        })
    }

    /// With friction in the plane, by complementarity.
    pub(super) fn solve_rough(&self, law: Law) -> Result<ImpactResult, ImpactInputError> {
        let flat = self.flat()?;
        let set = rough::solve(&self.space, &flat.closing(), law)?;
        self.set_result(&flat, law, Method::Complementarity, &set)
    }

    /// One contact after another.
    pub(super) fn solve_sequence(
        &self,
        law: Law,
        order: Option<&[usize]>,
    ) -> Result<ImpactResult, ImpactInputError> {
        let flat = self.flat()?;
        let laws = vec![law; flat.normals.len()];
        let set = sequence::solve(&self.space, &flat.closing(), &laws, order)?;
        self.set_result(&flat, law, Method::Sequential, &set)
    }

    /// One result, or the first of several with the others beside it.
    fn set_result(
        &self,
        flat: &Flat,
        law: Law,
        method: Method,
        set: &OutcomeSet,
    ) -> Result<ImpactResult, ImpactInputError> {
        let base = self.base_determinacy(flat, law)?;
        let mut results = Vec::with_capacity(set.endings.len());
        for ending in &set.endings {
            results.push(self.ending_result(ending, law, method, &base, set.is_complete)?);
        }
        let names: Vec<&str> = self.problem.contacts.iter().map(|c| &c.name[..]).collect();
        let told = Note::of_set(set, law, method, &names);
        let mut first = results[0].clone();
        if results.len() > 1 {
            first.outcome = Outcome::Undetermined;
            first.determinacy.velocity_unique = false;
            first.determinacy.impulses_unique = self.alike(flat, &set.endings);
            first
                .constraints
                .iter_mut()
                .for_each(|c| c.unique.fill(false));
            first.outcomes = results;
            first.notes.retain(|note| !note.is_way());
        }
        first.notes.splice(0..0, told);
        Ok(first)
    }

    /// Rank, null space and condition over the normal rows.
    fn base_determinacy(&self, flat: &Flat, law: Law) -> Result<Determinacy, ImpactInputError> {
        let v_n: Vec<f64> = flat.v.iter().map(|v| v.n).collect();
        let closing = Closing {
            rows: &flat.normals,
            v_n: &v_n,
            restitution: &flat.restitution,
        };
        Simultaneous::new().look(&self.space, &closing, law)
    }

    fn ending_result(
        &self,
        ending: &Ending,
        law: Law,
        method: Method,
        base: &Determinacy,
        is_complete: bool,
    ) -> Result<ImpactResult, ImpactInputError> {
        let names: Vec<&str> = self.problem.contacts.iter().map(|c| &c.name[..]).collect();
        let moved = match ending.has_end() {
            true => {
                let impulses = ending.contacts.iter().map(|c| c.impulse);
                let p = self.row_impulses(impulses);
                let balance = Balance {
                    energy_change: ending.energy_change,
                    energy_scale: ending.energy_scale,
                    energy_residual: 0.0,
                    momentum_residual: 0.0,
                    cone: ending.complementarity,
                    v_post: self.rows_after(ending),
                    motion: None,
                };
                Some(self.move_by(&p, &balance)?)
            }
            false => None,
        };
        let shares = ending.shares.iter();
        let shares = shares.map(|share| self.row_impulses(share.iter().copied()));
        let mut constraints =
            self.constraint_results(moved.as_ref(), &shares.collect::<Vec<Vec<f64>>>());
        // Where not all outcomes are sought nothing is known to be unique.
        let is_known = ending.has_end()
            && !ending.could_reverse
            && (is_complete || ending.outcome == Outcome::NoImpact);
        if !is_known {
            constraints.iter_mut().for_each(|c| c.unique.fill(false));
        }
        let k = self.problem.contacts.len();
        Ok(ImpactResult {
            law,
            method,
            outcome: ending.outcome,
            energy_change: moved.as_ref().map(|moved| moved.energy_change),
            contacts: (0..k).map(|i| self.contact_end(ending, i)).collect(),
            constraints,
            determinacy: Determinacy {
                velocity_unique: is_known,
                impulses_unique: match is_known {
                    true => ending.impulses_unique.clone(),
                    false => vec![false; k],
                },
                ..base.clone()
            },
            residuals: moved
                .as_ref()
                .map_or(Residuals::NONE, |moved| moved.residuals),
            notes: self.notes(Note::of_ending(ending, law, method, &names, is_complete)),
            velocity: self.velocity_after(moved),
            outcomes: Vec::new(),
        })
    }

    /// Contact rows with the velocities an ending gives for them.
    fn rows_after(&self, ending: &Ending) -> Vec<(usize, f64)> {
        let starts = self.tangent_starts();
        let contacts = ending.contacts.iter().enumerate();
        let rows = contacts.flat_map(|(i, end)| {
            let has_tangent = self.problem.contacts[i].tangent.is_some();
            let tangent = has_tangent.then_some((starts[i], end.v_post.t));
            [Some((i, end.v_post.n)), tangent].into_iter().flatten()
        });
        rows.collect()
    }

    /// One number per contact row: normals, then tangents.
    fn row_impulses(&self, impulses: impl Iterator<Item = PlanarVector>) -> Vec<f64> {
        let mut p = vec![0.0; self.space.rows()];
        let starts = self.tangent_starts();
        for (i, impulse) in impulses.enumerate() {
            p[i] = impulse.n;
            if self.problem.contacts[i].tangent.is_some() {
                p[starts[i]] = impulse.t;
            }
        }
        p
    }

    fn contact_end(&self, ending: &Ending, i: usize) -> ContactResult {
        let contact = &self.problem.contacts[i];
        let start = self.tangent_starts()[i];
        let end: Option<&ContactEnd> = ending.contacts.get(i);
        let before = match (&contact.tangent, &contact.tangents) {
            (Some(_), _) => Some(Tangential::Plane(self.space.v(start))),
            (_, Some(_)) => Some(Tangential::Space(
                [start, start + 1].map(|r| self.space.v(r)),
            )),
            (None, None) => None,
        };
        let after = |end: &ContactEnd| match before? {
            Tangential::Plane(_) => Some(Tangential::Plane(end.v_post.t)),
            Tangential::Space(_) => {
                let p = self.row_impulses(ending.contacts.iter().map(|c| c.impulse));
                Some(Tangential::Space(
                    [start, start + 1].map(|r| self.slip(r, &p)),
                ))
            }
        };
        let side = |x: f64| match before {
            Some(Tangential::Space(_)) => Tangential::Space([0.0; 2]),
            _ => Tangential::Plane(x),
        };
        ContactResult {
            name: contact.name.clone(),
            contact_type: end.map_or(super::ContactType::NoImpact, |end| end.contact_type),
            started_at_rest: before.is_some_and(|v_t| v_t.size() == 0.0),
            impulse: Pair {
                normal: end.map(|end| end.impulse.n),
                tangent: end.map(|end| side(end.impulse.t)),
            },
            velocity_before: Pair {
                normal: Some(self.space.v(i)),
                tangent: before,
            },
            velocity_after: Pair {
                normal: end.map(|end| end.v_post.n),
                tangent: end.and_then(after),
            },
            work: Pair {
                normal: end.map(|end| end.work.n),
                tangent: end.map(|end| side(end.work.t)),
            },
            path: Vec::new(),
        }
    }

    /// Contacts whose impulse is the same in every ending, beside the largest; impulses count with the
    /// mobility of their rows.
    fn alike(&self, flat: &Flat, endings: &[Ending]) -> Vec<bool> {
        let mobility = |row: usize| self.space.w(row, row).sqrt();
        let size = |i: usize, p: PlanarVector| {
            let side = flat.tangents[i].map_or(0.0, |t| (p.t * mobility(t)).abs());
            (p.n * mobility(flat.normals[i])).abs().max(side)
        };
        let all = endings.iter().flat_map(|e| e.contacts.iter().enumerate());
        let largest = all.map(|(i, c)| size(i, c.impulse)).fold(0.0, f64::max);
        let is_alike = |i: usize| {
            endings.iter().all(|e| {
                let (Some(a), Some(b)) = (e.contacts.get(i), endings[0].contacts.get(i)) else {
                    return false;
                };
                let apart = PlanarVector {
                    n: a.impulse.n - b.impulse.n,
                    t: a.impulse.t - b.impulse.t,
                };
                e.impulses_unique[i] && size(i, apart) <= super::SHARE_TOLERANCE * largest
            })
        };
        (0..flat.normals.len()).map(is_alike).collect()
    }
}
