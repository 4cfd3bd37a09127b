//! A contact that acts alone: Routh's path, if the others stay open along it.

use super::super::SpatialClosing;
use super::super::ending::{Choice, Ending, Way};
use super::super::one::{OneEnd, OneOf};
use crate::contact_space::{ContactSpace, PlanarVector, SpatialVector};
use crate::impact::{ImpactInputError, Law, Outcome, planar, spatial};

/// Another contact closes when its velocity falls below this part of the terms it is the sum of.
const OPEN_TOLERANCE: f64 = 1e-12;

/// Impulses of other contacts below this part of the largest are none.
const UNLOADED: f64 = 1e-9;

/// The only contact that approaches, where it ends by itself and drives no other into contact.
pub(super) struct Alone<'a> {
    space: &'a ContactSpace,
    closing: &'a SpatialClosing<'a>,
    contact: usize,
    end: OneEnd,
}

impl<'a> Alone<'a> {
    /// Finds it. Moreau's law compares totals, which all contacts together do too.
    pub(super) fn find(
        space: &'a ContactSpace,
        closing: &'a SpatialClosing<'a>,
        law: Law,
    ) -> Result<Option<Self>, ImpactInputError> {
        let mut approaching = (0..closing.v.len()).filter(|&i| closing.v[i].n < 0.0);
        let (Some(contact), None) = (approaching.next(), approaching.next()) else {
            return Ok(None);
        };
        if law == Law::Moreau {
            return Ok(None);
        }
        let one = closing.one(space, contact);
        let Some(end) = one.solve(closing.v[contact], law)? else {
            return Ok(None);
        };
        let alone = Self {
            space,
            closing,
            contact,
            end,
        };
        let path = path(&one, closing.v[contact], law)?;
        let mut others = (0..closing.v.len()).filter(|&j| j != contact);
        let stays_open = |j: usize| {
            path.iter().all(|impulse| {
                let (sum, terms) = alone.after(closing.normals[j], closing.v[j].n, *impulse);
                sum >= -OPEN_TOLERANCE * terms
            })
        };
        Ok(others.all(stays_open).then_some(alone))
    }

    /// Velocity of a row after an impulse of the contact, `v` before, and the terms it is the sum of.
    fn after(&self, row: usize, v: f64, impulse: SpatialVector) -> (f64, f64) {
        let rows = self.closing.rows(self.contact).into_iter();
        let pairs = rows.zip([impulse.n, impulse.t[0], impulse.t[1]]);
        let (mut sum, mut terms) = (v, v.abs());
        for (own, p) in pairs {
            let part = own.map_or(0.0, |own| self.space.w(row, own) * p);
            sum += part;
            terms += part.abs();
        }
        (sum, terms)
    }

    /// Whether an ending is that of this contact alone: no other pushes.
    pub(super) fn stands_for(&self, ending: &Ending) -> bool {
        let pushed = ending.contacts.iter().map(|c| c.impulse.n);
        let most = pushed.clone().fold(0.0, f64::max);
        let mut pushed = pushed.enumerate();
        pushed.all(|(i, p)| i == self.contact || p <= UNLOADED * most)
    }

    /// The ending along Routh's path.
    pub(super) fn ending(&self) -> Ending {
        let (closing, end) = (self.closing, &self.end);
        let mut ending = Ending::nothing(closing.v.iter().copied());
        for (j, contact) in ending.contacts.iter_mut().enumerate() {
            let v = closing.v[j];
            let slip = |k: usize| {
                let row = closing.tangents[j][k];
                row.map_or(0.0, |row| self.after(row, v.t[k], end.impulse).0)
            };
            contact.v_post = SpatialVector {
                n: self.after(closing.normals[j], v.n, end.impulse).0,
                t: [slip(0), slip(1)],
            };
        }
        let own = &mut ending.contacts[self.contact];
        let is_pair = closing.one(self.space, self.contact).pair().is_some();
        own.v_post.n = end.v_post.n;
        match closing.tangents[self.contact] {
            _ if is_pair => own.v_post.t = end.v_post.t,
            [Some(_), None] => own.v_post.t[0] = end.v_post.t[0],
            _ => {}
        }
        (own.impulse, own.work) = (end.impulse, end.work);
        own.contact_type = end.contact_type;
        if end.is_side_open {
            ending.impulses_unique[self.contact] = false;
            ending.shares = self.sides();
        }
        Ending {
            outcome: Outcome::Solved,
            energy_change: end.energy_change,
            energy_scale: end.energy_scale,
            energy_gain: end.energy_gain,
            could_reverse: end.has_another,
            choice: Choice::LeastNorm,
            way: Way::Alone(vec![self.contact]),
            ..ending
        }
    }

    /// Shares along either tangent of the contact.
    fn sides(&self) -> Vec<Vec<SpatialVector>> {
        let along = |t: [f64; 2]| {
            let mut share = vec![SpatialVector::default(); self.closing.v.len()];
            share[self.contact].t = t;
            share
        };
        vec![along([1.0, 0.0]), along([0.0, 1.0])]
    }
}

/// Impulses on the way of one contact.
fn path(
    one: &OneOf<'_>,
    v: SpatialVector,
    law: Law,
) -> Result<Vec<SpatialVector>, ImpactInputError> {
    let contact = one.contact;
    if let Some(tangents) = one.pair() {
        let impact = one.spatial(tangents, v)?;
        let points = spatial::trace(&impact, law);
        let points = points.map_err(|source| ImpactInputError::Impact { contact, source })?;
        let impulse = |p: &spatial::SpatialPoint| SpatialVector { n: p.p_n, t: p.p_t };
        return Ok(points.iter().map(impulse).collect());
    }
    let impact = one.planar(PlanarVector { n: v.n, t: v.t[0] })?;
    let solution = planar::solve(&impact, law);
    let solution = solution.map_err(|source| ImpactInputError::Impact { contact, source })?;
    let corners = solution.path();
    let impulse = |p: &planar::PathPoint| SpatialVector {
        n: p.p_n,
        t: [p.p_t, 0.0],
    };
    Ok(corners.iter().map(impulse).collect())
}
