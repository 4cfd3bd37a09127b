//! One contact in space whose friction turns out of a plane.

use super::super::planar::ImpulsePlane;
use super::super::spatial::{self, SpatialEnd, SpatialFriction, SpatialImpact, SpatialSolution};
use super::super::spatial::{
    EventKind, Hodograph, SpatialFacts, SpatialMode, SpatialPoint, hodograph,
};
use super::super::{Contact, Law, Method, Note, Phase, Tangential};
use super::sides::Sides;
use super::{Balance, ContactResult, ImpactInputError, ImpactResult, Mode, One, Pair, PathCorner};
use super::{Prepared, Residuals, determinacy};
use serde::Serialize;

use crate::contact_space::{ContactSpace, SpatialVector};

/// The contact as an impact in space, with what keeps it from being planar.
pub(super) fn spatial_impact(
    space: &ContactSpace,
    contact: &Contact,
    evidence: SpatialFriction,
) -> Result<One, ImpactInputError> {
    let impact = in_space(space, contact)?;
    Ok(One::Spatial(Box::new(impact), evidence))
}

/// The contact as an impact in space, whether it leaves its plane or not.
fn in_space(space: &ContactSpace, contact: &Contact) -> Result<SpatialImpact, ImpactInputError> {
    let friction = contact.coefficients();
    let friction = friction.map_err(|source| ImpactInputError::Friction { contact: 0, source })?;
    let reduced = space.spatial(0, [1, 2]);
    let (w, v) = reduced.map_err(|source| ImpactInputError::Delassus { contact: 0, source })?;
    let impact = SpatialImpact::new(w, v, friction, contact.restitution);
    let impact = impact
        .and_then(|impact| impact.with_tangential_restitution(contact.tangential_restitution));
    impact.map_err(|source| ImpactInputError::Impact { contact: 0, source })
}

/// The picture of one contact: its impulse plane, or in space its hodograph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ImpactPicture {
    /// An impact that keeps to one plane.
    Plane(ImpulsePlane),
    /// One whose slip turns.
    Space(Box<Hodograph>),
}

impl Prepared<'_> {
    /// What there is to draw of one contact, with the ends of the laws asked for.
    pub fn picture(&self, laws: &[Law]) -> Result<ImpactPicture, ImpactInputError> {
        match &self.impact {
            Some(One::Spatial(..)) => {
                let drawn = self.hodograph(laws)?;
                Ok(ImpactPicture::Space(Box::new(drawn)))
            }
            _ => self.diagram(laws).map(ImpactPicture::Plane),
        }
    }

    /// The hodograph of a contact in space with friction, also of one that keeps to a plane, with the ends of
    /// the laws asked for.
    pub fn hodograph(&self, laws: &[Law]) -> Result<Hodograph, ImpactInputError> {
        let refuse = |source| ImpactInputError::Impact { contact: 0, source };
        let laws = self.drawn(laws)?;
        match &self.impact {
            Some(One::Spatial(impact, _)) => hodograph(impact, &laws).map_err(refuse),
            Some(One::Planar(_, Sides::Along(_))) => {
                let impact = in_space(&self.space, &self.problem.contacts[0])?;
                hodograph(&impact, &laws).map_err(refuse)
            }
            Some(One::Planar(..)) => Err(ImpactInputError::NoHodograph { contact: 0 }),
            None => Err(ImpactInputError::SeveralInOnePlane {
                found: self.problem.contacts.len(),
            }),
        }
    }

    /// Thresholds and directions of a contact in space that keeps to a plane.
    pub(super) fn facts_along(&self, sides: &Sides) -> Option<SpatialFacts> {
        let Sides::Along(_) = sides else {
            return None;
        };
        let impact = in_space(&self.space, &self.problem.contacts[0]).ok()?;
        Some(SpatialFacts::of(&impact.w(), impact.friction()))
    }

    /// One contact along Routh's path in space, or by a law that compares totals.
    pub(super) fn solve_spatial(
        &self,
        impact: &SpatialImpact,
        law: Law,
        method: Method,
    ) -> Result<ImpactResult, ImpactInputError> {
        let solution = spatial::solve(impact, law);
        let solution =
            solution.map_err(|source| ImpactInputError::Impact { contact: 0, source })?;
        let moved = match &solution.end {
            Some(end) => Some(self.move_by(&listed(end.impulse), &balance(end))?),
            None => None,
        };
        let is_one = solution.end.is_some() && !solution.findings.another_is_consistent();
        let is_shared = solution.findings.tangent_impulse_undetermined;
        let determinacy = determinacy::in_space(&self.space, is_one, is_shared);
        let shares = match solution.end.is_some() && is_shared {
            false => &[][..],
            true => &determinacy.null_space,
        };
        let mut constraints = self.constraint_results(moved.as_ref(), shares);
        if !is_one {
            constraints.iter_mut().for_each(|c| c.unique.fill(false));
        }
        let contact = &self.problem.contacts[0];
        Ok(ImpactResult {
            law,
            method,
            outcome: solution.outcome,
            energy_change: moved.as_ref().map(|moved| moved.energy_change),
            contacts: vec![contact_result(contact, impact, &solution)],
            constraints,
            determinacy,
            residuals: moved
                .as_ref()
                .map_or(Residuals::NONE, |moved| moved.residuals),
            notes: self.notes(Note::of_spatial(&solution, impact)),
            velocity: self.velocity_after(moved),
            outcomes: Vec::new(),
        })
    }
}

fn listed(x: SpatialVector) -> [f64; 3] {
    [x.n, x.t[0], x.t[1]]
}

fn balance(end: &SpatialEnd) -> Balance<'_> {
    Balance {
        energy_change: end.energy_change,
        energy_scale: end.energy_scale,
        energy_residual: end.energy_residual,
        momentum_residual: end.momentum_residual,
        cone: end.cone_residual,
        v_post: listed(end.v_post).into_iter().enumerate().collect(),
        motion: None,
    }
}

fn contact_result(contact: &Contact, impact: &SpatialImpact, s: &SpatialSolution) -> ContactResult {
    let (end, before) = (s.end.as_ref(), impact.v_pre());
    let pair = |x: Option<SpatialVector>| Pair {
        normal: x.map(|x| x.n),
        tangent: x.map(|x| Tangential::Space(x.t)),
    };
    ContactResult {
        name: contact.name.clone(),
        contact_type: s.contact_type,
        started_at_rest: s.started_at_rest,
        impulse: pair(end.map(|end| end.impulse)),
        velocity_before: pair(Some(before)),
        velocity_after: pair(end.map(|end| end.v_post)),
        work: Pair {
            normal: end.map(|end| end.work.n),
            tangent: end.map(|end| Tangential::Space(end.work.t)),
        },
        path: corners(before, s),
        spatial: Some(SpatialFacts::of(&impact.w(), impact.friction())),
    }
}

/// The start and the events of the path; none for a law that compares totals, or without an impact.
fn corners(before: SpatialVector, s: &SpatialSolution) -> Vec<PathCorner> {
    let corner = |point: &SpatialPoint| PathCorner {
        p_n: point.p_n,
        p_t: Tangential::Space(point.p_t),
        v_n: point.v_n,
        v_t: Some(Tangential::Space(point.v_t)),
        phase: point.phase,
        mode: Some(match point.mode {
            SpatialMode::Slip => Mode::Slip,
            SpatialMode::Stick => Mode::Stick,
        }),
    };
    let mut corners: Vec<PathCorner> = Vec::new();
    for event in s.events.iter() {
        let mut next = corner(&event.at);
        match event.kind {
            EventKind::GreatestCompression | EventKind::SecondCompression => next.v_n = 0.0,
            EventKind::Halt => next.v_t = Some(Tangential::Space([0.0; 2])),
            EventKind::Restart | EventKind::End => {}
        }
        // A halt that leaves again at once is one corner, and so is an end where another event is.
        match corners.last_mut().filter(|last| last.p_n == next.p_n) {
            Some(last) => *last = next,
            None => corners.push(next),
        }
    }
    let starts = corners.first().is_some_and(|first| first.p_n > 0.0);
    if starts {
        let sticks = before.t == [0.0; 2] && s.events.first(EventKind::Restart).is_none();
        corners.insert(
            0,
            PathCorner {
                p_n: 0.0,
                p_t: Tangential::Space([0.0; 2]),
                v_n: before.n,
                v_t: Some(Tangential::Space(before.t)),
                phase: Phase::Compression,
                mode: Some(if sticks { Mode::Stick } else { Mode::Slip }),
            },
        );
    }
    corners
}
