//! How the tangents of a contact stand to the plane in which it is solved.

use carom_numeric::dot;

use super::super::planar::{ImpactEnd, PathPoint, PlanarImpact, PlanarSolution};
use super::super::spatial::{PlanarEffect, SpatialFriction, SpatialImpact, planar_effect};
use super::super::{Contact, ImpactInputError, Mode, Tangential};
use super::spatial::spatial_impact;
use crate::contact_space::{ContactSpace, Friction, PlanarDelassus, PlanarVector};

/// The tangents of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sides {
    /// No tangent row.
    None,
    /// Its tangent is that of the plane.
    Plane,
    /// Two tangents, and friction along one direction of theirs.
    Along(PlanarEffect),
    /// Two tangents without friction: velocity along them, before and per normal impulse.
    Smooth { v_t: [f64; 2], w_nt: [f64; 2] },
}

/// One contact as it is solved alone.
#[derive(Debug, Clone)]
pub(super) enum One {
    /// In its own plane, and how its tangents stand to that.
    Planar(PlanarImpact, Sides),
    /// In space, with what keeps it from being planar.
    Spatial(Box<SpatialImpact>, SpatialFriction),
}

/// The contact in its own plane, or in space where friction turns out of one. Without a tangent row, and
/// without friction in space, nothing acts sideways.
pub(super) fn one(space: &ContactSpace, contact: &Contact) -> Result<One, ImpactInputError> {
    let refuse = |source| ImpactInputError::Delassus { contact: 0, source };
    let friction = contact.coefficients();
    let friction = friction.map_err(|source| ImpactInputError::Friction { contact: 0, source })?;
    let sides = match Sides::of(space, contact) {
        Ok(sides) => sides,
        Err(evidence) => return spatial_impact(space, contact, evidence),
    };
    let (w, v, friction) = match sides {
        Sides::Plane => {
            let (w, v) = space.planar(0, 1).map_err(refuse)?;
            (w, v, friction)
        }
        Sides::Along(effect) => {
            let along = space.planar_along(0, [1, 2], effect.direction);
            let (w, v) = along.map_err(refuse)?;
            (w, v, friction)
        }
        Sides::None | Sides::Smooth { .. } => {
            let w = PlanarDelassus::new(space.w(0, 0), 0.0, 0.0).map_err(refuse)?;
            let (n, t) = (space.v(0), 0.0);
            (w, PlanarVector { n, t }, Friction::NONE)
        }
    };
    let impact = PlanarImpact::new(w, v, friction, contact.restitution);
    let impact = impact
        .and_then(|impact| impact.with_tangential_restitution(contact.tangential_restitution));
    let impact = impact.map_err(|source| ImpactInputError::Impact { contact: 0, source })?;
    Ok(One::Planar(impact, sides))
}

impl Sides {
    fn of(space: &ContactSpace, contact: &Contact) -> Result<Self, SpatialFriction> {
        if contact.tangents.is_none() {
            return Ok(match contact.tangent {
                Some(_) => Self::Plane,
                None => Self::None,
            });
        }
        if !contact.has_friction() {
            return Ok(Self::Smooth {
                v_t: [space.v(1), space.v(2)],
                w_nt: [space.w(0, 1), space.w(0, 2)],
            });
        }
        let v = [space.v(0), space.v(1), space.v(2)];
        planar_effect(space, [0, 1, 2], v).map(Self::Along)
    }

    /// The same with friction along a direction that may be the opposite one.
    pub(super) fn facing(self, direction: Option<[f64; 2]>) -> Self {
        match (self, direction) {
            (Self::Along(effect), Some(d)) if dot(&effect.direction, &d) < 0.0 => {
                Self::Along(PlanarEffect {
                    direction: effect.direction.map(|x| -x),
                    v_across: -effect.v_across,
                    ..effect
                })
            }
            _ => self,
        }
    }

    /// Whether friction, be it zero, acts on a tangent.
    pub(super) fn has_tangent(&self) -> bool {
        matches!(self, Self::Plane | Self::Along(_))
    }

    /// The impulses of an end, one per row.
    pub(super) fn impulses(&self, p: PlanarVector) -> Vec<f64> {
        let mut all = vec![p.n];
        if *self != Self::None {
            all.extend_from_slice(self.impulse(p.t).numbers());
        }
        all
    }

    /// Contact rows with their velocities after.
    pub(super) fn rows_after(&self, end: &ImpactEnd) -> Vec<(usize, f64)> {
        let mut all = vec![(0, end.v_post.n)];
        if let Some(v_t) = self.velocity(end.impulse.n, end.v_post.t) {
            all.extend(v_t.numbers().iter().enumerate().map(|(k, v)| (k + 1, *v)));
        }
        all
    }

    /// Tangent impulse.
    pub(super) fn impulse(&self, p_t: f64) -> Tangential {
        match self {
            Self::None | Self::Plane => Tangential::Plane(p_t),
            Self::Along(effect) => Tangential::Space(effect.direction.map(|d| p_t * d)),
            Self::Smooth { .. } => Tangential::Space([0.0; 2]),
        }
    }

    /// Tangent velocity after the normal impulse `p_n`, `v_t` in the plane.
    pub(super) fn velocity(&self, p_n: f64, v_t: f64) -> Option<Tangential> {
        match self {
            Self::None => None,
            Self::Plane => Some(Tangential::Plane(v_t)),
            Self::Along(effect) => {
                let ([d_1, d_2], across) = (effect.direction, effect.v_across);
                let both = [d_1 * v_t - d_2 * across, d_2 * v_t + d_1 * across];
                Some(Tangential::Space(both))
            }
            Self::Smooth { v_t, w_nt } => {
                let along = |k: usize| v_t[k] + w_nt[k] * p_n;
                Some(Tangential::Space([along(0), along(1)]))
            }
        }
    }

    /// Work of the friction impulse; in space of its parts.
    pub(super) fn work(&self, work: f64) -> Tangential {
        match self {
            Self::None | Self::Plane => Tangential::Plane(work),
            Self::Along(effect) => Tangential::Space(effect.direction.map(|d| work * d * d)),
            Self::Smooth { .. } => Tangential::Space([0.0; 2]),
        }
    }

    /// Whether the contact starts without slip.
    pub(super) fn starts_at_rest(&self, s: &PlanarSolution) -> bool {
        match self {
            Self::None => false,
            Self::Plane | Self::Along(_) => s.started_at_rest,
            Self::Smooth { v_t, .. } => *v_t == [0.0; 2],
        }
    }

    /// Whether part of the impulse across the plane of the impact is left open.
    pub(super) fn leaves_open(&self, s: &PlanarSolution) -> bool {
        match self {
            Self::Along(effect) => effect.is_held_across && sticks(s),
            _ => false,
        }
    }
}

/// Whether the contact point is at rest on some way of an impact.
pub(super) fn sticks(s: &PlanarSolution) -> bool {
    let stuck = |point: &PathPoint| point.mode == Mode::Stick;
    let is_at_rest = s.end.is_some_and(|end| end.v_post.t == 0.0);
    let holds_on_the_whole = s.findings.grips || (!s.law.follows_the_path() && is_at_rest);
    holds_on_the_whole || s.path().iter().any(stuck)
}
