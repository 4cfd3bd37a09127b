//! Mechanisms in space.

use super::setting::{Column, Setting};
use super::{
    ContactPlace, Derivative, Dimension, FrameDrift, FrameRows, Gap, JointForce, PivotDrift,
    TreeMechanism,
};
use crate::algebra::Pose;
use crate::contact::Bounds;
use crate::dynamics::{Placed, PointForce, Reaction, State};
use crate::loops::PointWrench;
use crate::model::{BodyId, Model};
use crate::piece::Piece;
use crate::scene::Scene;
use crate::space::contact::{FrameComponents, SolidFeature, SolidOverlap, SolidTouch};
use crate::space::{Space, SpaceJoint};

/// A model in space as a mechanism.
pub type SpaceMechanism = TreeMechanism<Space>;

/// A place and a quaternion.
const FREE: [Column; 7] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qw", ""),
    ("qx", ""),
    ("qy", ""),
    ("qz", ""),
];

impl Setting for Space {
    type Feature = SolidFeature;
    type Touch = SolidTouch;
    type Shared = SolidOverlap;
    type Shortcut = ();
    const DIMENSION: Dimension = Dimension::Space;

    fn shortcut(_: &Model<Self>) {}

    #[inline]
    fn take_shortcut((): &(), _: &State<'_>, _: &[f64], _: &mut Derivative<'_>) -> bool {
        false
    }

    fn columns(kind: &SpaceJoint) -> (&'static str, &'static [Column]) {
        match kind {
            SpaceJoint::Revolute { .. } => ("revolute", &[("angle", "rad")]),
            SpaceJoint::Prismatic { .. } => ("prismatic", &[("way", "m")]),
            SpaceJoint::Fixed => ("fixed", &[]),
            SpaceJoint::Free => ("free", &FREE),
            SpaceJoint::Spherical => ("spherical", FREE.split_at(3).1),
            SpaceJoint::Cylindrical { .. } => ("cylindrical", &[("angle", "rad"), ("way", "m")]),
            SpaceJoint::Universal { .. } => ("universal", &[("angle1", "rad"), ("angle2", "rad")]),
            SpaceJoint::Screw { .. } => ("screw", &[("angle", "rad")]),
        }
    }

    fn joint_force(reaction: Reaction<Self>) -> JointForce {
        JointForce {
            force: reaction.force.0,
            moment: reaction.moment.0,
            ..JointForce::default()
        }
    }

    fn write_pose(pose: Pose<Self>, out: &mut Vec<f64>) {
        out.extend(pose.origin.0);
        out.extend(pose.rotation.quaternion());
    }

    fn scene(model: &Model<Self>) -> Scene {
        Scene::of_space(model)
    }

    fn gap_speed(model: &Model<Self>, feature: &SolidFeature, bounds: &Bounds<'_>) -> f64 {
        model.gap_speed(feature, bounds)
    }

    fn is_round(feature: &SolidFeature, body: BodyId) -> bool {
        feature.is_round(body)
    }

    fn touch(
        placed: &Placed<'_, Self>,
        feature: &SolidFeature,
        piece: Option<Piece>,
    ) -> SolidTouch {
        placed.touch_on(feature, piece)
    }

    fn gap(
        placed: &Placed<'_, Self>,
        feature: &SolidFeature,
        piece: Option<Piece>,
        shared: &mut SolidOverlap,
    ) -> Gap {
        let (gap, v_n) = placed.gap(feature, piece, shared);
        Gap { gap, v_n }
    }

    fn is_owned(touch: &SolidTouch) -> bool {
        touch.is_owned
    }

    fn piece_ahead(placed: &Placed<'_, Self>, feature: &SolidFeature, soon: f64) -> Option<Piece> {
        placed.piece_ahead(feature, soon)
    }

    fn room(placed: &Placed<'_, Self>, feature: &SolidFeature, piece: Piece) -> Option<(f64, f64)> {
        placed.room(feature, piece)
    }

    fn contact_place(touch: &SolidTouch) -> ContactPlace {
        ContactPlace {
            point: touch.point_a.0,
            normal: touch.normal.0,
            tangents: touch.tangents.map(|t| t.0),
        }
    }

    fn forces(touch: &SolidTouch, impulse: FrameComponents) -> [PointForce<Self>; 2] {
        touch.forces(impulse)
    }

    fn frame_rows(
        placed: &Placed<'_, Self>,
        feature: &SolidFeature,
        piece: Option<Piece>,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        let touch = placed.touch_on(feature, piece);
        let [t1, t2] = rows.tangents;
        FrameDrift {
            velocity: placed.contact_rows(&touch, [rows.normal, t1, t2]),
            acceleration: placed.contact_bias(feature, &touch),
        }
    }

    fn couple(touch: &SolidTouch, spin: f64) -> Option<[PointWrench<Self>; 2]> {
        (spin != 0.0).then(|| touch.couple(spin))
    }

    fn pivot_row(
        placed: &Placed<'_, Self>,
        feature: &SolidFeature,
        piece: Option<Piece>,
        row: &mut [f64],
    ) -> PivotDrift {
        let touch = placed.touch_on(feature, piece);
        PivotDrift {
            velocity: placed.pivot_row(&touch, row),
            acceleration: placed.pivot_bias(feature, &touch),
        }
    }
}
