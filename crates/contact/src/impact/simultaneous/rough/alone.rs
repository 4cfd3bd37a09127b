//! A contact that acts alone: Routh's path in closed form, if the others stay open along it.

use super::super::one::OneOf;
use super::RoughClosing;
use crate::contact_space::ContactSpace;
use crate::impact::planar::{PlanarSolution, solve};
use crate::impact::{ImpactInputError, Law};

/// Another contact closes when its velocity falls below this fraction of the largest.
const OPEN_TOLERANCE: f64 = 1e-12;

/// The only contact that approaches, solved alone.
pub(super) struct Alone {
    pub(super) contact: usize,
    pub(super) solution: PlanarSolution,
}

/// The only approaching contact, where it ends by itself and drives no other into contact.
///
/// Moreau's law compares totals, which the enumeration does too.
pub(super) fn alone(
    space: &ContactSpace,
    closing: &RoughClosing<'_>,
    law: Law,
) -> Result<Option<Alone>, ImpactInputError> {
    let mut approaching = (0..closing.v.len()).filter(|&i| closing.v[i].n < 0.0);
    let (Some(contact), None) = (approaching.next(), approaching.next()) else {
        return Ok(None);
    };
    if law == Law::Moreau {
        return Ok(None);
    }
    let one = OneOf {
        space,
        contact,
        normal: closing.normals[contact],
        tangents: [closing.tangents[contact], None],
        friction: closing.friction[contact],
        restitution: closing.restitution[contact],
        tangential_restitution: None, // not offered by complementarity
    };
    let impact = one.planar(closing.v[contact])?;
    let refuse = |source| ImpactInputError::Impact { contact, source };
    let solution = solve(&impact, law).map_err(refuse)?;
    let path = solution.path();
    let stays_open = |j: usize| {
        let row = closing.normals[j];
        let per_n = space.w(row, closing.normals[contact]);
        let per_t = closing.tangents[contact].map_or(0.0, |t| space.w(row, t));
        path.iter().all(|corner| {
            let (n, t) = (per_n * corner.p_n, per_t * corner.p_t);
            let terms = closing.v[j].n.abs() + n.abs() + t.abs();
            closing.v[j].n + n + t >= -OPEN_TOLERANCE * terms
        })
    };
    let others = (0..closing.v.len()).filter(|&j| j != contact);
    let is_alone = solution.end.is_some() && others.into_iter().all(stays_open);
    Ok(is_alone.then_some(Alone { contact, solution }))
}
