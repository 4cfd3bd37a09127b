//! One of several contacts, solved as if it were the only one.

use crate::contact_space::{
    ContactSpace, Friction, PlanarDelassus, PlanarVector, SpatialVector, on_line,
};
use crate::impact::planar::{self, PlanarImpact};
use crate::impact::spatial::{self, SpatialImpact};
use crate::impact::{ContactType, ImpactInputError, Law};

/// A contact among others: its rows and coefficients.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneOf<'a> {
    pub(super) space: &'a ContactSpace,
    /// Its place among the contacts.
    pub(super) contact: usize,
    /// Its rows.
    pub(super) normal: usize,
    pub(super) tangents: [Option<usize>; 2],
    pub(super) friction: Friction,
    pub(super) restitution: f64,
    pub(super) tangential_restitution: Option<f64>,
}

/// What the impact of one contact did.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneEnd {
    pub(super) impulse: SpatialVector,
    pub(super) v_post: SpatialVector,
    pub(super) work: SpatialVector,
    pub(super) energy_change: f64,
    pub(super) energy_scale: f64,
    pub(super) energy_gain: bool,
    pub(super) contact_type: ContactType,
    /// It sticks by its static coefficient alone.
    pub(super) could_reverse: bool,
    /// Another end is consistent.
    pub(super) has_another: bool,
    /// A tangent impulse moves nothing and is open.
    pub(super) is_side_open: bool,
    /// It grips: its slip comes back.
    pub(super) grips: bool,
}

impl OneOf<'_> {
    /// Its impact from velocity `v`; none where it has no end.
    pub(super) fn solve(
        &self,
        v: SpatialVector,
        law: Law,
    ) -> Result<Option<OneEnd>, ImpactInputError> {
        match self.pair() {
            Some(tangents) => self.solve_in_space(tangents, v, law),
            None => self.solve_in_plane(v, law),
        }
    }

    /// Both tangents, where friction acts on them.
    pub(super) fn pair(&self) -> Option<[usize; 2]> {
        match self.tangents {
            [Some(a), Some(b)] if self.friction.mu_s() > 0.0 => Some([a, b]),
            _ => None,
        }
    }

    /// The question in the plane. Without friction in space the normal acts alone.
    pub(super) fn planar(&self, v: PlanarVector) -> Result<PlanarImpact, ImpactInputError> {
        let contact = self.contact;
        let refuse = |source| ImpactInputError::Delassus { contact, source };
        let (w, v, friction) = match self.tangents {
            [Some(tangent), None] => {
                let (w, _) = self.space.planar(self.normal, tangent).map_err(refuse)?;
                (w, put_on_line(&w, v), self.friction)
            }
            _ => {
                let nn = self.space.w(self.normal, self.normal);
                let w = PlanarDelassus::new(nn, 0.0, 0.0).map_err(refuse)?;
                (w, PlanarVector { n: v.n, t: 0.0 }, Friction::NONE)
            }
        };
        PlanarImpact::new(w, v, friction, self.restitution)
            .and_then(|impact| impact.with_tangential_restitution(self.tangential_restitution))
            .map_err(|source| ImpactInputError::Impact { contact, source })
    }

    /// The question in space.
    pub(super) fn spatial(
        &self,
        tangents: [usize; 2],
        v: SpatialVector,
    ) -> Result<SpatialImpact, ImpactInputError> {
        let contact = self.contact;
        let reduced = self.space.spatial_at(self.normal, tangents, v);
        let (w, v) = reduced.map_err(|source| ImpactInputError::Delassus { contact, source })?;
        SpatialImpact::new(w, v, self.friction, self.restitution)
            .and_then(|impact| impact.with_tangential_restitution(self.tangential_restitution))
            .map_err(|source| ImpactInputError::Impact { contact, source })
    }

    fn solve_in_plane(
        &self,
        v: SpatialVector,
        law: Law,
    ) -> Result<Option<OneEnd>, ImpactInputError> {
        let contact = self.contact;
        let impact = self.planar(PlanarVector { n: v.n, t: v.t[0] })?;
        let solution = planar::solve(&impact, law);
        let s = solution.map_err(|source| ImpactInputError::Impact { contact, source })?;
        let found = s.findings;
        Ok(s.end.map(|end| OneEnd {
            impulse: end.impulse.into(),
            v_post: end.v_post.into(),
            work: end.work.into(),
            energy_change: end.energy_change,
            energy_scale: end.energy_scale,
            energy_gain: found.energy_gain,
            contact_type: match self.tangents {
                [Some(_), None] => s.contact_type,
                _ => ContactType::Frictionless,
            },
            could_reverse: found.reverse_also_consistent,
            has_another: found.another_is_consistent(),
            is_side_open: self.tangents[0].is_some() && found.tangent_impulse_undetermined,
            grips: found.grips,
        }))
    }

    fn solve_in_space(
        &self,
        tangents: [usize; 2],
        v: SpatialVector,
        law: Law,
    ) -> Result<Option<OneEnd>, ImpactInputError> {
        let contact = self.contact;
        let impact = self.spatial(tangents, v)?;
        let solution = spatial::solve(&impact, law);
        let s = solution.map_err(|source| ImpactInputError::Impact { contact, source })?;
        let found = s.findings;
        Ok(s.end.map(|end| OneEnd {
            impulse: end.impulse,
            v_post: end.v_post,
            work: SpatialVector {
                n: end.work.n,
                t: end.work.t,
            },
            energy_change: end.energy_change,
            energy_scale: end.energy_scale,
            energy_gain: found.energy_gain,
            contact_type: s.contact_type,
            could_reverse: found.slip_also_consistent,
            has_another: found.another_is_consistent(),
            is_side_open: found.tangent_impulse_undetermined,
            grips: found.grips,
        }))
    }
}

/// A contact that can move along one line only has its velocity there, up to drift.
fn put_on_line(w: &PlanarDelassus, v: PlanarVector) -> PlanarVector {
    match w.nn_stuck() == 0.0 && w.tt() > 0.0 {
        true if w.nn() >= w.tt() => on_line(v, w.nn(), w.nt()),
        true => on_line(v, w.nt(), w.tt()),
        false => v,
    }
}
