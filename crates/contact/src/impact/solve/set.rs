//! Outcomes of several contacts, with friction or one after another, as results.

use super::super::result::Determinacy;
use super::super::simultaneous::rough::{self, ContactEnd, Ending, OutcomeSet, RoughClosing};
use super::super::simultaneous::{Closing, Simultaneous, SpatialClosing, round, sequence};
use super::super::{Law, Method, Note, Outcome, Tangential};
use super::{Balance, Contact, ContactResult, ImpactInputError, ImpactResult, Pair};
use super::{Prepared, Residuals};
use crate::contact_space::{Friction, PlanarVector, SpatialVector};

/// The contacts of a problem: one entry per contact.
pub(super) struct Listed {
    normals: Vec<usize>,
    tangents: Vec<[Option<usize>; 2]>,
    v: Vec<SpatialVector>,
    friction: Vec<Friction>,
    restitution: Vec<f64>,
    tangential: Vec<Option<f64>>,
}

impl Listed {
    fn closing(&self) -> SpatialClosing<'_> {
        SpatialClosing {
            normals: &self.normals,
            tangents: &self.tangents,
            v: &self.v,
            friction: &self.friction,
            restitution: &self.restitution,
            tangential_restitution: &self.tangential,
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

    fn listed(&self) -> Result<Listed, ImpactInputError> {
        let contacts = &self.problem.contacts;
        let starts = self.tangent_starts();
        let rows = |(i, c): (usize, &Contact)| match c.tangent_rows().count() {
            0 => [None; 2],
            1 => [Some(starts[i]), None],
            _ => [Some(starts[i]), Some(starts[i] + 1)],
        };
        let tangents: Vec<[Option<usize>; 2]> = contacts.iter().enumerate().map(rows).collect();
        let velocity = |i: usize| SpatialVector {
            n: self.space.v(i),
            t: tangents[i].map(|row| row.map_or(0.0, |row| self.space.v(row))),
        };
        let friction = contacts.iter().enumerate().map(|(contact, c)| {
            let refuse = |source| ImpactInputError::Friction { contact, source };
            match c.has_tangent() {
                true => c.coefficients().map_err(refuse),
                false => Ok(Friction::NONE),
            }
        });
        Ok(Listed {
            normals: (0..contacts.len()).collect(),
            v: (0..contacts.len()).map(velocity).collect(),
            friction: friction.collect::<Result<_, _>>()?,
            restitution: contacts.iter().map(|c| c.restitution).collect(),
            tangential: contacts.iter().map(|c| c.tangential_restitution).collect(),
            tangents,
        })
    }

    /// With friction in the plane, by complementarity; contacts in space are without.
    pub(super) fn solve_rough(&self, law: Law) -> Result<ImpactResult, ImpactInputError> {
        let listed = self.listed()?;
        let is_flat = |i: usize| listed.tangents[i][1].is_none();
        let k = listed.normals.len();
        let tangents = (0..k).map(|i| listed.tangents[i][0].filter(|_| is_flat(i)));
        let tangents: Vec<Option<usize>> = tangents.collect();
        let v = (0..k).map(|i| PlanarVector {
            n: listed.v[i].n,
            t: tangents[i].map_or(0.0, |_| listed.v[i].t[0]),
        });
        let mut set = rough::solve(
            &self.space,
            &RoughClosing {
                normals: &listed.normals,
                tangents: &tangents,
                v: &v.collect::<Vec<_>>(),
                friction: &listed.friction,
                restitution: &listed.restitution,
            },
            law,
        )?;
        for ending in &mut set.endings {
            let p = self.row_impulses(ending.contacts.iter().map(|c| c.impulse));
            let ends = ending.contacts.iter_mut().zip(&listed.tangents);
            for (end, tangents) in ends {
                if let [Some(a), Some(b)] = tangents {
                    end.v_post.t = [*a, *b].map(|row| self.slip(row, &p));
                }
            }
        }
        self.set_result(&listed, law, Method::Complementarity, &set)
    }

    /// With friction in space, by complementarity.
    pub(super) fn solve_round(&self, law: Law) -> Result<ImpactResult, ImpactInputError> {
        let listed = self.listed()?;
        let set = round::solve(&self.space, &listed.closing(), law)?;
        self.set_result(&listed, law, Method::Complementarity, &set)
    }

    /// One contact after another.
    pub(super) fn solve_sequence(
        &self,
        law: Law,
        order: Option<&[usize]>,
    ) -> Result<ImpactResult, ImpactInputError> {
        let listed = self.listed()?;
        let laws = vec![law; listed.normals.len()];
        let set = sequence::solve(&self.space, &listed.closing(), &laws, order)?;
        self.set_result(&listed, law, Method::Sequential, &set)
    }

    /// One result, or the first of several with the others beside it.
    fn set_result(
        &self,
        listed: &Listed,
        law: Law,
        method: Method,
        set: &OutcomeSet,
    ) -> Result<ImpactResult, ImpactInputError> {
        let base = self.base_determinacy(listed, law)?;
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
            first.determinacy.impulses_unique = self.alike(listed, &set.endings);
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
    fn base_determinacy(&self, listed: &Listed, law: Law) -> Result<Determinacy, ImpactInputError> {
        let v_n: Vec<f64> = listed.v.iter().map(|v| v.n).collect();
        let closing = Closing {
            rows: &listed.normals,
            v_n: &v_n,
            restitution: &listed.restitution,
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
            let sides = self.problem.contacts[i].tangent_rows().count();
            let tangents = (0..sides).map(|k| (starts[i] + k, end.v_post.t[k]));
            std::iter::once((i, end.v_post.n)).chain(tangents.collect::<Vec<_>>())
        });
        rows.collect()
    }

    /// One number per contact row: normals, then tangents.
    fn row_impulses(&self, impulses: impl Iterator<Item = SpatialVector>) -> Vec<f64> {
        let mut p = vec![0.0; self.space.rows()];
        let starts = self.tangent_starts();
        for (i, impulse) in impulses.enumerate() {
            p[i] = impulse.n;
            for k in 0..self.problem.contacts[i].tangent_rows().count() {
                p[starts[i] + k] = impulse.t[k];
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
        let side = |t: [f64; 2]| match before {
            Some(Tangential::Space(_)) => Tangential::Space(t),
            _ => Tangential::Plane(t[0]),
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
                tangent: end
                    .filter(|_| before.is_some())
                    .map(|end| side(end.v_post.t)),
            },
            work: Pair {
                normal: end.map(|end| end.work.n),
                tangent: end.map(|end| side(end.work.t)),
            },
            path: Vec::new(),
            spatial: None,
        }
    }

    /// Contacts whose impulse is the same in every ending, beside the largest; impulses count with the
    /// mobility of their rows.
    fn alike(&self, listed: &Listed, endings: &[Ending]) -> Vec<bool> {
        let mobility = |row: usize| self.space.w(row, row).sqrt();
        let size = |i: usize, p: SpatialVector| {
            let sides = listed.tangents[i].iter().zip(p.t);
            let sides = sides.map(|(row, p)| row.map_or(0.0, |row| (p * mobility(row)).abs()));
            sides.fold((p.n * mobility(listed.normals[i])).abs(), f64::max)
        };
        let all = endings.iter().flat_map(|e| e.contacts.iter().enumerate());
        let largest = all.map(|(i, c)| size(i, c.impulse)).fold(0.0, f64::max);
        let is_alike = |i: usize| {
            endings.iter().all(|e| {
                let (Some(a), Some(b)) = (e.contacts.get(i), endings[0].contacts.get(i)) else {
                    return false;
                };
                let apart = SpatialVector {
                    n: a.impulse.n - b.impulse.n,
                    t: [0, 1].map(|k| a.impulse.t[k] - b.impulse.t[k]),
                };
                e.impulses_unique[i] && size(i, apart) <= super::SHARE_TOLERANCE * largest
            })
        };
        (0..listed.normals.len()).map(is_alike).collect()
    }
}
