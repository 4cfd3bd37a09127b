//! Mechanisms in the plane.

use super::setting::{Column, Setting};
use super::{
    ContactPlace, Derivative, Dimension, FrameDrift, FrameRows, Gap, JointForce, TreeMechanism,
};
use crate::algebra::Pose;
use crate::contact::{Bounds, Feature, Touch};
use crate::dynamics::{Placed, PointForce, Reaction, State};
use crate::model::{BodyId, Model};
use crate::piece::Piece;
use crate::plane::linkage::Linkage;
use crate::plane::{Plane, PlaneJoint};
use crate::scene::Scene;
use crate::space::contact::FrameComponents;
use crate::vector::Vector;

/// A plane model as a mechanism.
pub type PlaneMechanism = TreeMechanism<Plane>;

impl PlaneMechanism {
    #[cfg(test)]
    pub(crate) fn is_linkage(&self) -> bool {
        self.shortcut.is_some()
    }
}

/// A vector of the plane among those of space.
fn flat(r: Vector<2>) -> [f64; 3] {
    [r.0[0], r.0[1], 0.0]
}

impl Setting for Plane {
    type Feature = Feature;
    type Touch = Touch;
    type Shared = ();
    /// The couplings, where every joint is revolute and bodies are few: they need no placing.
    type Shortcut = Option<Linkage>;
    const DIMENSION: Dimension = Dimension::Plane;

    fn shortcut(model: &Model<Self>) -> Option<Linkage> {
        Linkage::of(model)
    }

    #[inline]
    fn take_shortcut(
        shortcut: &Option<Linkage>,
        state: &State<'_>,
        no_force: &[f64],
        out: &mut Derivative<'_>,
    ) -> bool {
        let linkage = shortcut.as_ref();
        linkage.is_some_and(|linkage| linkage.rates(state, no_force, out))
    }

    fn columns(kind: &PlaneJoint) -> (&'static str, &'static [Column]) {
        match kind {
            PlaneJoint::Revolute => ("revolute", &[("angle", "rad")]),
            PlaneJoint::Prismatic { .. } => ("prismatic", &[("way", "m")]),
            PlaneJoint::Fixed => ("fixed", &[]),
            PlaneJoint::Free => ("free", &[("x", "m"), ("y", "m"), ("angle", "rad")]),
        }
    }

    fn joint_force(reaction: Reaction<Self>) -> JointForce {
        JointForce {
            force: flat(reaction.force),
            moment: [0.0, 0.0, reaction.moment],
            ..JointForce::default()
        }
    }

    fn write_pose(pose: Pose<Self>, out: &mut Vec<f64>) {
        let [x, y] = pose.origin.0;
        out.extend([x, y, pose.rotation.radians()]);
    }

    fn scene(model: &Model<Self>) -> Scene {
        Scene::of_plane(model)
    }

    fn gap_speed(model: &Model<Self>, feature: &Feature, bounds: &Bounds<'_>) -> f64 {
        model.gap_speed(feature, bounds)
    }

    fn is_round(_: &Feature, _: BodyId) -> bool {
        false // nothing in the plane asks
    }

    fn touch(placed: &Placed<'_, Self>, feature: &Feature, piece: Option<Piece>) -> Touch {
        placed.touch_on(feature, piece)
    }

    #[inline]
    fn gap(placed: &Placed<'_, Self>, feature: &Feature, piece: Option<Piece>, (): &mut ()) -> Gap {
        let touch = placed.touch_on(feature, piece);
        Gap {
            gap: touch.gap,
            v_n: touch.v_n,
        }
    }

    fn is_owned(touch: &Touch) -> bool {
        touch.is_owned
    }

    fn piece_ahead(placed: &Placed<'_, Self>, feature: &Feature, soon: f64) -> Option<Piece> {
        placed.piece_ahead(feature, soon)
    }

    fn room(placed: &Placed<'_, Self>, feature: &Feature, piece: Piece) -> Option<(f64, f64)> {
        placed.room(feature, piece)
    }

    fn contact_place(touch: &Touch) -> ContactPlace {
        ContactPlace {
            point: flat(touch.point_a),
            normal: flat(touch.normal),
            tangents: [flat(touch.tangent), [0.0; 3]],
        }
    }

    fn forces(touch: &Touch, impulse: FrameComponents) -> [PointForce<Self>; 2] {
        touch.forces(impulse.into())
    }

    fn frame_rows(
        placed: &Placed<'_, Self>,
        feature: &Feature,
        piece: Option<Piece>,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        let touch = placed.touch_on(feature, piece);
        let [tangent, _] = rows.tangents;
        FrameDrift {
            velocity: placed.contact_rows(&touch, rows.normal, tangent).into(),
            acceleration: placed.contact_bias(feature, &touch).into(),
        }
    }
}
