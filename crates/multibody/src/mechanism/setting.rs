//! What the plane and space answer each in its own way.

use std::fmt::Debug;

use super::{
    ContactPlace, Derivative, Dimension, FrameDrift, FrameRows, Gap, JointForce, PivotDrift,
};
use crate::algebra::{Algebra, Pose};
use crate::contact::Bounds;
use crate::dynamics::{Placed, PointForce, Reaction, State};
use crate::loops::PointWrench;
use crate::model::{BodyId, Model};
use crate::piece::Piece;
use crate::scene::Scene;
use crate::space::contact::FrameComponents;

/// Name and unit of a position.
pub type Column = (&'static str, &'static str);

/// The plane or space as a [`TreeMechanism`](super::TreeMechanism) asks it.
pub trait Setting: Algebra {
    /// One smooth contact of a pair of shapes.
    type Feature: Clone + Debug;
    /// A contact at one instant.
    type Touch: Copy + Debug;
    /// What contacts of one pair of shapes share at one instant.
    type Shared: Default;
    /// What makes the motion of some models quicker to find.
    type Shortcut: Clone + Debug;
    /// Which of the two.
    const DIMENSION: Dimension;

    /// The shortcut of a model.
    fn shortcut(model: &Model<Self>) -> Self::Shortcut;
    /// Rates of change of a state without contact forces; false where the shortcut does not serve.
    fn take_shortcut(
        shortcut: &Self::Shortcut,
        state: &State<'_>,
        no_force: &[f64],
        out: &mut Derivative<'_>,
    ) -> bool;

    /// Kind of a joint as in a scenario, and its positions.
    fn columns(kind: &Self::Joint) -> (&'static str, &'static [Column]);
    /// A reaction with components along all axes of space.
    fn joint_force(reaction: Reaction<Self>) -> JointForce;
    /// Writes the numbers of a pose.
    fn write_pose(pose: Pose<Self>, out: &mut Vec<f64>);
    /// What the bodies look like.
    fn scene(model: &Model<Self>) -> Scene;

    /// What the rate of a gap never exceeds within bounds.
    fn gap_speed(model: &Model<Self>, feature: &Self::Feature, bounds: &Bounds<'_>) -> f64;
    /// Whether its gap stays as it is when a body turns about the origin of its frame.
    fn is_round(feature: &Self::Feature, body: BodyId) -> bool;
    /// A contact of a placed mechanism, on the piece of surface that it keeps to, where it does.
    fn touch(
        placed: &Placed<'_, Self>,
        feature: &Self::Feature,
        piece: Option<Piece>,
    ) -> Self::Touch;
    /// Its gap and the rate of it, one of many of one placed mechanism in turn.
    fn gap(
        placed: &Placed<'_, Self>,
        feature: &Self::Feature,
        piece: Option<Piece>,
        shared: &mut Self::Shared,
    ) -> Gap;
    /// Whether a touching here is that of this contact.
    fn is_owned(touch: &Self::Touch) -> bool;
    /// The smooth piece of surface a contact is on or moves onto; none where that is not its own, or is left.
    fn piece_ahead(placed: &Placed<'_, Self>, feature: &Self::Feature, soon: f64) -> Option<Piece>;
    /// How far it is from the end of a piece (m), and the rate of that, where it has one.
    fn room(placed: &Placed<'_, Self>, feature: &Self::Feature, piece: Piece)
    -> Option<(f64, f64)>;
    /// Where it is.
    fn contact_place(touch: &Self::Touch) -> ContactPlace;
    /// A force or impulse, as it acts on A and, reversed, on B.
    fn forces(touch: &Self::Touch, impulse: FrameComponents) -> [PointForce<Self>; 2];
    /// Jacobian rows and drift; in the plane the second tangent is left alone.
    fn frame_rows(
        placed: &Placed<'_, Self>,
        feature: &Self::Feature,
        piece: Option<Piece>,
        rows: FrameRows<'_>,
    ) -> FrameDrift;
    /// A moment along the normal, as it acts on A and, reversed, on B; none in the plane.
    fn couple(touch: &Self::Touch, spin: f64) -> Option<[PointWrench<Self>; 2]> {
        let _ = (touch, spin);
        None
    }
    /// Row and drift of the rate at which it pivots about its normal; nothing pivots in the plane.
    fn pivot_row(
        placed: &Placed<'_, Self>,
        feature: &Self::Feature,
        piece: Option<Piece>,
        row: &mut [f64],
    ) -> PivotDrift {
        let _ = (placed, feature, piece, row);
        PivotDrift::default()
    }
}
