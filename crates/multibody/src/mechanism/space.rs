//! A model in space as a mechanism.

use super::limit::limits;
use super::{
    ContactDrift, ContactImpulse, ContactPlace, Dimension, FrameDrift, FrameImpulse, FrameRows,
    Gap, Group, JointForce, JointLimit, MassSolver, Mechanism, MotionFault, Positions, Rows,
};
use crate::dynamics::{
    Bounds, Energy, ImpulseBalance, Placed, PointForce, Powers, Reaction, State, Workspace,
};
use crate::model::{JointId, JointRecord, Model};
use crate::scene::Scene;
use crate::space::contact::{SolidFeature, SolidTouch};
use crate::space::{Space, SpaceJoint};

/// A model in space with its work arrays and its contacts: pairs of shapes first, then the limits of
/// its joints.
#[derive(Debug, Clone)]
pub struct SpaceMechanism {
    model: Model<Space>,
    work: Workspace<Space>,
    features: Vec<SolidFeature>,
    limits: Vec<JointLimit>,
    no_force: Vec<f64>,
    forces: Vec<PointForce<Space>>,
    /// A row that is asked for by nobody.
    spare: Vec<f64>,
}

impl SpaceMechanism {
    /// From a model and the contacts to watch, as [`Model::features`] gives them. The limits of its
    /// joints become contacts after these.
    pub fn new(model: Model<Space>, features: Vec<SolidFeature>) -> Self {
        Self {
            work: model.workspace(),
            limits: limits(&model, unit),
            no_force: vec![0.0; model.rates()],
            forces: Vec::new(),
            spare: vec![0.0; model.rates()],
            model,
            features,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model<Space> {
        &self.model
    }

    /// The contacts between shapes.
    pub fn features(&self) -> &[SolidFeature] {
        &self.features
    }

    /// The contacts at the stops of joints; the first has the index `features().len()`.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// The mechanism at a state, for questions beyond [`Mechanism`].
    pub fn place(&mut self, state: State<'_>) -> Placed<'_, Space> {
        self.model.place(&mut self.work, state)
    }

    /// How every pair of shapes touches at a state, in order; the mechanism is placed once.
    pub fn touches(&mut self, state: State<'_>) -> impl Iterator<Item = SolidTouch> {
        let placed = self.model.place(&mut self.work, state);
        self.features
            .iter()
            .map(move |feature| placed.touch(feature))
    }

    fn limit(&self, contact: usize) -> Option<&JointLimit> {
        self.limits.get(contact.wrapping_sub(self.features.len()))
    }

    /// Joint impulses, with the contact impulses gathered in `forces`.
    fn read_impulses(&mut self, state: State<'_>, jump: &[f64], out: &mut Vec<JointForce>) -> f64 {
        let joints = self.model.joints().len();
        let mut placed = self.model.place(&mut self.work, state);
        let balance: ImpulseBalance<'_, Space> = placed.impulse_balance(jump, &self.forces);
        out.clear();
        out.extend((0..joints).map(|k| joint_force(balance.reaction(JointId(k)))));
        balance.motion_work()
    }

    fn gather(&mut self, state: State<'_>, impulses: impl Iterator<Item = FrameImpulse>) {
        let placed = self.model.place(&mut self.work, state);
        self.forces.clear();
        for acting in impulses {
            if let Some(feature) = self.features.get(acting.contact) {
                let touch = placed.touch(feature);
                self.forces.extend(touch.forces(acting.impulse));
            }
        }
    }
}

impl AsRef<[JointLimit]> for SpaceMechanism {
    fn as_ref(&self) -> &[JointLimit] {
        &self.limits
    }
}

/// Unit of the coordinate of a joint with one.
fn unit(kind: &SpaceJoint) -> &'static str {
    match kind {
        SpaceJoint::Prismatic { .. } => "m",
        _ => "rad",
    }
}

fn joint_force(reaction: Reaction<Space>) -> JointForce {
    JointForce {
        force: reaction.force.0,
        moment: reaction.moment.0,
    }
}

/// Kind of a joint as in a scenario, names and units of its positions.
fn names(kind: &SpaceJoint) -> (&'static str, &'static [(&'static str, &'static str)]) {
    const FREE: [(&str, &str); 7] = [
        ("x", "m"),
        ("y", "m"),
        ("z", "m"),
        ("qw", ""),
        ("qx", ""),
        ("qy", ""),
        ("qz", ""),
    ];
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

fn group(record: &JointRecord<Space>) -> Group {
    use crate::algebra::JointKind as _;
    let (kind, columns) = names(&record.joint.kind);
    Group {
        name: record.name.clone(),
        kind,
        positions: columns.iter().map(|c| c.0.to_owned()).collect(),
        units: columns.iter().map(|c| c.1).collect(),
        rates: record.joint.kind.rates(),
    }
}

impl Mechanism for SpaceMechanism {
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

    fn normalise(&mut self, q: &mut [f64]) {
        self.model.normalise(q);
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

    /// Along n and t1.
    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        let Rows { normal, tangent } = rows;
        let mut spare = std::mem::take(&mut self.spare);
        let tangents = [tangent, &mut spare[..]];
        let drift = self.contact_frame_rows(state, contact, FrameRows { normal, tangents });
        self.spare = spare;
        ContactDrift {
            velocity: drift.velocity.into(),
            acceleration: drift.acceleration.into(),
        }
    }

    fn contact_frame_rows(
        &mut self,
        state: State<'_>,
        contact: usize,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        if let Some(limit) = self.limit(contact) {
            rows.normal[limit.rate] = limit.sense();
            return FrameDrift::default();
        }
        let placed = self.model.place(&mut self.work, state);
        let feature = &self.features[contact];
        let touch = placed.touch(feature);
        let [t1, t2] = rows.tangents;
        FrameDrift {
            velocity: placed.contact_rows(&touch, [rows.normal, t1, t2]),
            acceleration: placed.contact_bias(feature, &touch),
        }
    }

    fn has_tangent(&self, contact: usize) -> bool {
        self.limit(contact).is_none()
    }

    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        let feature = self.features.get(contact)?;
        let touch = self.model.place(&mut self.work, state).touch(feature);
        Some(ContactPlace {
            point: touch.point_a.0,
            normal: touch.normal.0,
            tangents: touch.tangents.map(|t| t.0),
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
        let framed = |acting: &ContactImpulse| FrameImpulse {
            contact: acting.contact,
            impulse: acting.impulse.into(),
        };
        self.gather(state, impulses.iter().map(framed));
        self.read_impulses(state, jump, out)
    }

    fn frame_impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[FrameImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        self.gather(state, impulses.iter().copied());
        self.read_impulses(state, jump, out)
    }

    fn groups(&self) -> Vec<Group> {
        self.model.joints().iter().map(group).collect()
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.read(&self.model, state);
    }

    fn dimension(&self) -> Dimension {
        Dimension::Space
    }

    fn scene(&self) -> Option<Scene> {
        Some(Scene::of_space(&self.model))
    }

    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        out.clear();
        let placed = self.model.place(&mut self.work, state);
        for record in placed.model.bodies() {
            let pose = placed.pose(record.id);
            out.extend(pose.origin.0);
            out.extend(pose.rotation.quaternion());
        }
    }
}
