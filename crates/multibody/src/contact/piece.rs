//! Contacts that stay closed keep to one smooth piece of a surface until its end.
//!
//! At the end of a side its curvature jumps, or its normal does. Up to there the motion is smooth, beyond it
//! is another one: the end is an event, and the motion before it does not see what lies beyond.

use super::closeness::AHEAD;
use super::distance;
use super::feature::Feature;
use crate::dynamics::Placed;
use crate::piece::Piece;
use crate::plane::Plane;
use crate::vector::{Linear, Vector};

impl Placed<'_, Plane> {
    /// The piece that a contact is on or moves onto; none where that belongs to another contact, or is a
    /// sharp corner that a point leaves. It is looked for no further ahead than it moves in a time `soon` (s).
    pub fn piece_ahead(&self, feature: &Feature, soon: f64) -> Option<Piece> {
        let (local, u) = self.seen_from_target(feature);
        let far = AHEAD * feature.target.size() / u.norm(); // infinite at rest
        let ahead = self.spot(feature, local).moved(u * far.min(soon));
        let near = self.near(feature, ahead);
        let is_corner = matches!(near.piece, Some(distance::Piece::Corner(_)));
        let is_sharp = is_corner && feature.probe.radius == 0.0 && !feature.target.is_round();
        let is_owned = near.is_on_side || !feature.owns_sides_only;
        (is_owned && !is_sharp).then(|| near.piece.into())
    }

    /// How far a contact is from the end of a piece (m), and the rate of that (m/s); none where there is no
    /// end.
    pub fn room(&self, feature: &Feature, piece: Piece) -> Option<(f64, f64)> {
        let piece = piece.of_plane()?;
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
