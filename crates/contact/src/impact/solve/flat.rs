//! One contact in its own plane, in the shape of a result.

use super::sides::{Sides, sticks};
use super::{Contact, ContactResult, ContactType, Law, Mode, Note, Pair, PathCorner, ratio};
use crate::impact::planar::{self, PlanarImpact, PlanarSolution};

pub(super) fn contact_notes(
    contact: &Contact,
    impact: &PlanarImpact,
    sides: &Sides,
    s: &PlanarSolution,
) -> Vec<Note> {
    let mut notes = Note::of(s, impact, sides.has_tangent());
    if let Sides::Smooth { v_t, .. } = sides {
        let is_asked = contact.tangential_restitution.is_some() && *v_t != [0.0; 2];
        notes.extend(is_asked.then(Note::smooth_does_not_grip));
    }
    if let Sides::Along(effect) = sides {
        notes.extend(Note::of_plane(effect, sticks(s)));
    }
    notes
}

pub(super) fn contact_result(
    contact: &Contact,
    impact: &PlanarImpact,
    sides: &Sides,
    s: &PlanarSolution,
) -> ContactResult {
    let has_tangent = sides.has_tangent();
    let contact_type = match s.contact_type {
        ContactType::NoImpact => ContactType::NoImpact,
        _ if !has_tangent => ContactType::Frictionless,
        known => known,
    };
    let corner = |point: &planar::PathPoint| PathCorner {
        p_n: point.p_n,
        p_t: sides.impulse(point.p_t),
        v_n: point.v_n,
        v_t: sides.velocity(point.p_n, point.v_t),
        phase: point.phase,
        mode: has_tangent.then_some(point.mode),
    };
    let (end, before) = (s.end.as_ref(), impact.v_pre());
    ContactResult {
        name: contact.name.clone(),
        contact_type,
        started_at_rest: sides.starts_at_rest(s),
        impulse: Pair {
            normal: end.map(|end| end.impulse.n),
            tangent: end.map(|end| sides.impulse(end.impulse.t)),
        },
        velocity_before: Pair {
            normal: Some(before.n),
            tangent: sides.velocity(0.0, before.t),
        },
        velocity_after: Pair {
            normal: end.map(|end| end.v_post.n),
            tangent: end.and_then(|end| sides.velocity(end.impulse.n, end.v_post.t)),
        },
        work: Pair {
            normal: end.map(|end| end.work.n),
            tangent: end.map(|end| sides.work(end.work.t)),
        },
        path: s.path().iter().map(corner).collect(),
        spatial: None,
    }
}

/// Worst excess of `|dp_t|` over the cone, on the segments of the path or on the totals.
pub(super) fn cone_residual(impact: &PlanarImpact, s: &PlanarSolution) -> f64 {
    let friction = impact.friction();
    let excess = |p_n: f64, p_t: f64, mu: f64| (p_t.abs() - mu * p_n).max(0.0);
    let total = s.end.map_or(0.0, |end| end.impulse.n);
    if !s.law.follows_the_path() || s.findings.grips {
        let p_t = s.end.map_or(0.0, |end| end.impulse.t);
        let mu = match s.law {
            Law::Moreau => friction.mu_d(),
            _ => friction.mu_s(),
        };
        return ratio(excess(total, p_t, mu), total);
    }
    let path = s.path();
    let worst = path.windows(2).map(|ends| {
        let mu = match ends[0].mode {
            Mode::Stick => friction.mu_s(),
            Mode::SlipForward | Mode::SlipBackward | Mode::Slip => friction.mu_d(),
        };
        excess(ends[1].p_n - ends[0].p_n, ends[1].p_t - ends[0].p_t, mu)
    });
    ratio(worst.fold(0.0, f64::max), total)
}
