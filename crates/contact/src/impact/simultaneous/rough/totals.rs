//! Whether what was found holds by its totals.

use carom_numeric::orthogonal::length;

use super::Ending;
use super::gather::{Gathered, Group};
use super::phase::OWN_TERMS;
use super::system::TOLERANCE;
use crate::contact_space::ContactSpace;
use crate::impact::Law;

impl Gathered<'_> {
    /// Whether what was found and does not hold is the round-off of equations that contradict each
    /// other, impulses beyond every size, and not an answer without digits.
    pub(super) fn is_out_of_reach(&self, law: Law) -> bool {
        let mut motion = vec![0.0; self.scene.rows.n()];
        let left = self.scene.rows.motion_with(&self.scene.v, &mut motion);
        let may_jam = left > ContactSpace::DRIFT_TOLERANCE * length(&self.scene.v);
        let may_be = law != Law::Poisson || may_jam; // what moves freely can be stopped
        self.groups.is_empty()
            || (may_be
                && self
                    .groups
                    .iter()
                    .all(|group| self.scene.is_boundless(&group.p)))
    }

    /// Whether an ending holds by its totals: contacts part, impulses lie in their cones and the works
    /// are the energy gained. Where impulses are so large beside the velocities that no digit of those
    /// is left, it does not. `room`: what may be left of an approach beside the largest velocity.
    pub(super) fn is_true(&self, group: &Group, ending: &Ending, room: f64) -> bool {
        let after = self.scene.rows.velocities(&self.scene.v, &group.jump);
        let speed = self.scene.speed + length(&group.jump);
        let terms = |i: usize| self.scene.v[i].abs() + self.scene.rows.terms(i, &group.jump);
        let least = |i: usize| -OWN_TERMS * terms(i) - room * speed;
        let parts = (0..self.scene.k).all(|i| after[i] >= least(i));
        let pairs = after.iter().zip(&self.scene.v).zip(&group.p);
        let halves = pairs.map(|((after, before), p)| 0.5 * p * (after + before));
        let (gain, own) = (halves.sum::<f64>(), ending.energy_change);
        let energy = ending.energy_scale.max(speed * speed);
        let most = group.p.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let is_in_cone = |i: usize| {
            let side = self.scene.tangent[i].map_or(0.0, |t| group.p[t].abs());
            let cone = self.scene.mu_s[i] * group.p[i];
            side <= cone * (1.0 + OWN_TERMS) + 10.0 * TOLERANCE * most
        };
        let is_bounded = !self.scene.is_boundless(&group.p);
        is_bounded
            && parts
            && (gain - own).abs() <= OWN_TERMS * energy
            && (0..self.scene.k).all(is_in_cone)
    }
}
