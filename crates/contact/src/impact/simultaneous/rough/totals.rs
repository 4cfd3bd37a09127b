//! Whether what was found holds by its totals.

use carom_numeric::orthogonal::length;

use super::Ending;
use super::gather::{Gathered, Group, ROUND_OFF};
use super::system::TOLERANCE;
use crate::impact::Law;
use crate::space::ContactSpace;

/// The totals of an ending may miss their conditions by this fraction.
const TOTALS: f64 = 1e-7;

/// Impulses beyond the velocities over this are round-off of a contradiction.
const BOUNDLESS: f64 = 1e-12;

impl Gathered<'_> {
    /// Whether impulses are so large that no digit of the velocities is left.
    fn is_boundless(&self, group: &Group) -> bool {
        let pressed: f64 = group.p.iter().map(|x| x.abs()).sum();
        pressed * BOUNDLESS > self.scene.speed
    }

    /// Whether what was found and does not hold is the round-off of equations that contradict each
    /// other, impulses beyond every size, and not an answer without digits.
    pub(super) fn is_out_of_reach(&self, law: Law) -> bool {
        let mut motion = vec![0.0; self.scene.rows.n()];
        let left = self.scene.rows.motion_with(&self.scene.v, &mut motion);
        let may_jam = left > ContactSpace::DRIFT_TOLERANCE * length(&self.scene.v);
        let may_be = law != Law::Poisson || may_jam; // what moves freely can be stopped
        self.groups.is_empty()
            || (may_be && self.groups.iter().all(|group| self.is_boundless(group)))
    }

    /// Whether an ending holds by its totals: contacts part, impulses lie in their cones and the works
    /// are the energy gained. Where impulses are so large beside the velocities that no digit of those
    /// is left, it does not.
    pub(super) fn is_true(&self, group: &Group, ending: &Ending) -> bool {
        let after = self.scene.rows.velocities(&self.scene.v, &group.jump);
        let speed = self.scene.speed + length(&group.jump);
        let terms = |i: usize| -> f64 {
            let pairs = self.scene.rows.vector(i).iter().zip(&group.jump);
            self.scene.v[i].abs() + pairs.map(|(x, j)| (x * j).abs()).sum::<f64>()
        };
        let least = |i: usize| -TOTALS * terms(i) - ROUND_OFF * speed;
        let parts = (0..self.scene.k).all(|i| after[i] >= least(i));
        let pairs = after.iter().zip(&self.scene.v).zip(&group.p);
        let halves = pairs.map(|((after, before), p)| 0.5 * p * (after + before));
        let (gain, own) = (halves.sum::<f64>(), ending.energy_change);
        let energy = ending.energy_scale.max(speed * speed);
        let most = group.p.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let is_in_cone = |i: usize| {
            let side = self.scene.tangent[i].map_or(0.0, |t| group.p[t].abs());
            let cone = self.scene.mu_s[i] * group.p[i];
            side <= cone * (1.0 + TOTALS) + 10.0 * TOLERANCE * most
        };
        let is_bounded = !self.is_boundless(group);
        is_bounded
            && parts
            && (gain - own).abs() <= TOTALS * energy
            && (0..self.scene.k).all(is_in_cone)
    }
}
