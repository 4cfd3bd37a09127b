//! Friction in joints.

use carom_contact::contact_space::Friction;

use super::Binder;
use crate::InputError;
use crate::scenario::JointFriction;
use crate::scenario::dialect::Dialect;
use crate::scenario::raw::{KindName, RawJoint, RawJointFriction};
use crate::scenario::spot::Spot;
use crate::scenario::value::Named;

impl<A: Dialect> Binder<'_, A> {
    /// The friction of every joint that has some.
    pub(super) fn frictions(
        &self,
        joints: &Named<RawJoint>,
    ) -> Result<Vec<(String, JointFriction)>, InputError> {
        let mut found = Vec::new();
        for (name, joint) in &joints.0 {
            if let Some(raw) = &joint.friction {
                let spot = self.spot(format!("joints.{name}.friction"));
                found.push((name.clone(), self.friction(&spot, joint, raw)?));
            }
        }
        Ok(found)
    }

    fn friction(
        &self,
        spot: &Spot<'_>,
        joint: &RawJoint,
        raw: &RawJointFriction,
    ) -> Result<JointFriction, InputError> {
        if let Some(why) = A::friction_fault(joint.kind) {
            let message = format!(
                "{why}; expected friction in a prismatic joint in the plane or in a screw joint"
            );
            return Err(spot.key_error(message));
        }
        if joint.motion.is_some() {
            let message = "the motion prescribes the coordinate whatever the friction, expected the \
                           key to be left out";
            return Err(spot.key_error(message));
        }
        match (joint.kind, raw.radius) {
            (KindName::Screw, None) => {
                let message = "the key \"radius\" is missing, expected the pitch radius of the thread \
                               (m)";
                return Err(spot.error(message));
            }
            (KindName::Screw, Some(_)) | (_, None) => {}
            (kind, Some(_)) => {
                let name = kind.name();
                let message =
                    format!("a {name} joint has no radius, expected the key to be left out");
                return Err(spot.key("radius").key_error(message));
            }
        }
        let mu_d = raw.kinetic.0;
        let friction = Friction::new(raw.r#static.map_or(mu_d, |x| x.0), mu_d);
        Ok(JointFriction {
            friction: friction.map_err(|error| spot.error(error.to_string()))?,
            radius: raw.radius.map(|x| x.0),
            preload: raw.preload.map_or(0.0, |x| x.0),
        })
    }
}
