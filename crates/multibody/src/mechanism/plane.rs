//! A plane model as a mechanism.

use super::limit::limits;
use super::{
    ContactDrift, ContactImpulse, ContactPlace, Derivative, Gap, Group, JointForce, JointLimit,
    MassSolver, Mechanism, MotionFault, Positions, Rows,
};
use crate::contact::{Bounds, ContactComponents, Feature, Touch};
use crate::dynamics::{Energy, Placed, PointForce, Powers, Reaction, State, Workspace};
use crate::model::{JointId, Model};
use crate::plane::linkage::Linkage;
use crate::plane::{Plane, PlaneJoint};
use crate::scene::Scene;
use crate::vector::Vector;

/// A plane model with its work arrays and its contacts: pairs of shapes first, then the limits of
/// its joints.
#[derive(Debug, Clone)]
pub struct PlaneMechanism {
    model: Model<Plane>,
    work: Workspace<Plane>,
    features: Vec<Feature>,
    limits: Vec<JointLimit>,
    no_force: Vec<f64>,
    forces: Vec<PointForce<Plane>>,
    /// The couplings, where every joint is revolute and bodies are few.
    linkage: Option<Linkage>,
}

impl PlaneMechanism {
    /// From a model and the contacts to watch, as [`Model::features`] gives them. The limits of its
    /// joints become contacts after these.
    pub fn new(model: Model<Plane>, features: Vec<Feature>) -> Self {
        Self {
            work: model.workspace(),
            limits: limits(&model, unit),
            no_force: vec![0.0; model.rates()],
            forces: Vec::new(),
            linkage: Linkage::of(&model),
            model,
            features,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model<Plane> {
        &self.model
    }

    /// The contacts between shapes.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The contacts at the stops of joints; the first has the index `features().len()`.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// The mechanism at a state, for questions beyond [`Mechanism`].
    pub fn place(&mut self, state: State<'_>) -> Placed<'_, Plane> {
        self.model.place(&mut self.work, state)
    }

    /// How every pair of shapes touches at a state, in order; the mechanism is placed once.
    pub fn touches(&mut self, state: State<'_>) -> impl Iterator<Item = Touch> {
        let placed = self.model.place(&mut self.work, state);
        self.features
            .iter()
            .map(move |feature| placed.touch(feature))
    }

    #[cfg(test)]
    pub(crate) fn is_linkage(&self) -> bool {
        self.linkage.is_some()
    }

    fn limit(&self, contact: usize) -> Option<&JointLimit> {
        self.limits.get(contact.wrapping_sub(self.features.len()))
    }
}

impl AsRef<[JointLimit]> for PlaneMechanism {
    fn as_ref(&self) -> &[JointLimit] {
        &self.limits
    }
}

/// Unit of the coordinate of a joint with one.
fn unit(kind: &PlaneJoint) -> &'static str {
    match kind {
        PlaneJoint::Prismatic { .. } => "m",
        _ => "rad",
    }
}

fn joint_force(reaction: Reaction<Plane>) -> JointForce {
    let [x, y] = reaction.force.0;
    JointForce {
        force: [x, y, 0.0],
        moment: [0.0, 0.0, reaction.moment],
    }
}

impl Mechanism for PlaneMechanism {
    fn rates(&self) -> usize {
        self.model.rates()
    }

    fn positions(&self) -> usize {
        self.model.positions()
    }

    fn contacts(&self) -> usize {
        self.features.len() + self.limits.len()
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        self.model.position_rate(state.q, state.v, out);
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).mass(out);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).bias(out);
    }

    fn accelerations(
        &mut self,
        state: State<'_>,
        _: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let mut placed = self.model.place(&mut self.work, state);
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)
    }

    /// Few bodies on revolute joints need no placing.
    #[inline]
    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        let Derivative { q, v } = out;
        if let Some(linkage) = &self.linkage
            && linkage.rates(state, &self.no_force, Derivative { q, v })
        {
            return Ok(());
        }
        self.model.position_rate(state.q, state.v, q);
        self.accelerations(state, solver, v)
    }

    fn motion(
        &mut self,
        state: State<'_>,
        _: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        let mut placed = self.model.place(&mut self.work, state);
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)?;
        Ok(placed.balance(out, &[]).powers())
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        let (pairs, stops) = out.split_at_mut(self.features.len());
        if !pairs.is_empty() {
            for (gap, touch) in pairs.iter_mut().zip(self.touches(state)) {
                (gap.gap, gap.v_n) = (touch.gap, touch.v_n);
            }
        }
        for (gap, limit) in stops.iter_mut().zip(&self.limits) {
            *gap = limit.gap(state);
        }
    }

    fn gap_speeds(&mut self, bounds: &Bounds<'_>, out: &mut [f64]) {
        let (pairs, stops) = out.split_at_mut(self.features.len());
        for (speed, feature) in pairs.iter_mut().zip(&self.features) {
            *speed = self.model.gap_speed(feature, bounds);
        }
        for (speed, limit) in stops.iter_mut().zip(&self.limits) {
            *speed = limit.gap_speed(bounds);
        }
    }

    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        if let Some(limit) = self.limit(contact) {
            rows.normal[limit.rate] = limit.sense();
            return ContactDrift::default();
        }
        let placed = self.model.place(&mut self.work, state);
        let feature = &self.features[contact];
        let touch = placed.touch(feature);
        ContactDrift {
            velocity: placed.contact_rows(&touch, rows.normal, rows.tangent),
            acceleration: placed.contact_bias(feature, &touch),
        }
    }

    fn has_tangent(&self, contact: usize) -> bool {
        self.limit(contact).is_none()
    }

    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        let feature = self.features.get(contact)?;
        let touch = self.model.place(&mut self.work, state).touch(feature);
        let flat = |r: Vector<2>| [r.0[0], r.0[1], 0.0];
        Some(ContactPlace {
            point: flat(touch.point_a),
            normal: flat(touch.normal),
            tangents: [flat(touch.tangent), [0.0; 3]],
        })
    }

    fn gap_unit(&self, contact: usize) -> &'static str {
        self.limit(contact).map_or("m", |limit| limit.unit)
    }

    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        let Some(feature) = self.features.get(contact) else {
            return true;
        };
        self.model
            .place(&mut self.work, state)
            .touch(feature)
            .is_owned
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        Some(self.place(state).energy())
    }

    fn does_work(&self) -> bool {
        self.model.does_work()
    }

    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        self.place(state).balance(acceleration, &[]).powers()
    }

    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        out.clear();
        let joints = self.model.joints().len();
        let mut placed = self.place(state);
        let balance = placed.balance(acceleration, &[]);
        out.extend((0..joints).map(|k| joint_force(balance.reaction(JointId(k)))));
    }

    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        out.clear();
        let mut placed = self.model.place(&mut self.work, state);
        self.forces.clear();
        for acting in impulses {
            if let Some(feature) = self.features.get(acting.contact) {
                let ContactComponents { n, t } = acting.impulse;
                let touch = placed.touch(feature);
                self.forces.extend(touch.forces(ContactComponents { n, t }));
            }
        }
        let joints = self.model.joints().len();
        let balance = placed.impulse_balance(jump, &self.forces);
        out.extend((0..joints).map(|k| joint_force(balance.reaction(JointId(k)))));
        balance.motion_work()
    }

    fn groups(&self) -> Vec<Group> {
        let group = |record: &crate::model::JointRecord<Plane>| {
            let (kind, columns): (_, &[(&str, &str)]) = match record.joint.kind {
                PlaneJoint::Revolute => ("revolute", &[("angle", "rad")]),
                PlaneJoint::Prismatic { .. } => ("prismatic", &[("way", "m")]),
                PlaneJoint::Fixed => ("fixed", &[]),
                PlaneJoint::Free => ("free", &[("x", "m"), ("y", "m"), ("angle", "rad")]),
            };
            Group {
                name: record.name.clone(),
                kind,
                positions: columns.iter().map(|c| c.0.to_owned()).collect(),
                units: columns.iter().map(|c| c.1).collect(),
                rates: columns.len(),
            }
        };
        self.model.joints().iter().map(group).collect()
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.read(&self.model, state);
    }

    fn scene(&self) -> Option<Scene> {
        Some(Scene::of_plane(&self.model))
    }

    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        out.clear();
        let placed = self.model.place(&mut self.work, state);
        for record in placed.model.bodies() {
            let pose = placed.pose(record.id);
            let [x, y] = pose.origin.0;
            out.extend([x, y, pose.rotation.radians()]);
        }
    }
}
