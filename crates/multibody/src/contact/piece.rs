//! Contacts that stay closed keep to one smooth piece of a surface until its end.
//!
//! At the end of a side its curvature jumps, or its normal does. Up to there the motion is smooth, beyond it
//! is another one: the end is an event, and the motion before it does not see what lies beyond.

use super::distance::Piece;
use super::feature::Feature;
use crate::dynamics::Placed;
use crate::plane::Plane;
use crate::vector::{Linear, Vector};

/// How far ahead a probe is looked for, as a part of the target and in time (s): of two pieces that meet
/// where it is, it is the one that it moves onto.
const AHEAD: f64 = 1e-9;
const SOON: f64 = 1e-3;

impl Feature {
    /// Lets the contact be on any piece.
    pub fn free(&mut self) {
        self.kept = None;
    }
}

impl Placed<'_, Plane> {
    /// Keeps a contact to the piece that it is on or moves onto; false where that belongs to another
    /// contact, or is a sharp corner that a point leaves.
    pub fn keep(&self, feature: &mut Feature) -> bool {
        let (local, u) = self.seen_from_target(feature);
        let far = AHEAD * feature.target.size() / u.norm(); // infinite at rest
        let ahead = local + u * far.min(SOON);
        let near = self.near(feature, ahead);
        let is_corner = matches!(near.piece, Some(Piece::Corner(_)));
        let is_sharp = is_corner && feature.probe.radius == 0.0 && !feature.target.is_round();
        let is_owned = near.is_on_side || !feature.owns_sides_only;
        let is_kept = is_owned && !is_sharp;
        if is_kept {
            feature.kept = near.piece;
        }
        is_kept
    }

    /// How far a contact is from the end of the piece it is kept to (m), and the rate of that (m/s); none
    /// where there is no end.
    pub fn room(&self, feature: &Feature) -> Option<(f64, f64)> {
        let piece = feature.kept?;
        let (local, u) = self.seen_from_target(feature);
        let (value, gradient) = feature.target.room(piece, local);
        Some((value, gradient.dot(u)))
    }

    /// Place and velocity of the probe in the frame of the target.
    fn seen_from_target(&self, feature: &Feature) -> (Vector<2>, Vector<2>) {
        let (probe, target) = (feature.probe, feature.target_body);
        let frame = self.pose(target);
        let center = self.pose(probe.body).point(probe.at);
        let u = self.velocity(probe.body, center) - self.velocity(target, center);
        let undo = |r| frame.rotation.undo(r);
        (undo(center - frame.origin), undo(u))
    }
}
