//! A model, in the plane or in space, as a mechanism.

use super::closed::Loops;
use super::limit::limits;
use super::setting::Setting;
use super::{
    Closure, ContactDrift, ContactImpulse, ContactPlace, Derivative, Dimension, FrameDrift,
    FrameImpulse, FrameRows, Gap, Group, GuardValue, JointForce, JointLimit, MassSolver, Mechanism,
    MotionFault, Positions, Prescribed, Rows,
};
use crate::algebra::JointKind as _;
use crate::contact::Bounds;
use crate::dynamics::{Energy, Placed, PointForce, Powers, State, Workspace};
use crate::loops::{ClosingKind as _, ClosureRecord, ConstraintRows};
use crate::model::{JointId, JointRecord, Model};
use crate::piece::Piece;
use crate::scene::Scene;
use crate::space::contact::FrameComponents;

/// A model with its work arrays and its contacts: pairs of shapes first, then the limits of its
/// joints.
#[derive(Debug, Clone)]
pub struct TreeMechanism<A: Setting> {
    pub(super) model: Model<A>,
    pub(super) work: Workspace<A>,
    pub(super) features: Vec<A::Feature>,
    pub(super) limits: Vec<JointLimit>,
    no_force: Vec<f64>,
    pub(super) forces: Vec<PointForce<A>>,
    pub(super) loops: Loops<A>,
    /// A row that is asked for by nobody.
    spare: Vec<f64>,
    pub(super) shortcut: A::Shortcut,
}

impl<A: Setting> TreeMechanism<A> {
    /// From a model and the contacts to watch, as `Model::features` gives them. The limits of its
    /// joints become contacts after these.
    pub fn new(model: Model<A>, features: Vec<A::Feature>) -> Self {
        Self {
            work: model.workspace(),
            limits: limits(&model),
            no_force: vec![0.0; model.rates()],
            forces: Vec::new(),
            loops: Loops::default(),
            spare: vec![0.0; model.rates()],
            shortcut: A::shortcut(&model),
            model,
            features,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model<A> {
        &self.model
    }

    /// The contacts between shapes.
    pub fn features(&self) -> &[A::Feature] {
        &self.features
    }

    /// The contacts at the stops of joints; the first has the index `features().len()`.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// The mechanism at a state, for questions beyond [`Mechanism`].
    pub fn place(&mut self, state: State<'_>) -> Placed<'_, A> {
        self.model.place(&mut self.work, state)
    }

    /// How one pair of shapes touches; none at a stop of a joint.
    fn touch(&mut self, state: State<'_>, contact: usize) -> Option<A::Touch> {
        let feature = self.features.get(contact)?;
        let placed = self.model.place(&mut self.work, state);
        Some(A::touch(&placed, feature, state.piece(contact)))
    }

    /// Velocity of a contact per unit of each prescribed rate; a stop of a joint has none.
    fn moved_by(
        &mut self,
        state: State<'_>,
        contact: usize,
        joints: &[JointId],
    ) -> Vec<FrameComponents> {
        let Some(feature) = self.features.get(contact) else {
            return vec![FrameComponents::default(); joints.len()];
        };
        let n = self.model.rates();
        let mut free = vec![0.0; 3 * n];
        let piece = state.piece(contact);
        let mut placed = self.model.place(&mut self.work, state);
        let columns = joints.iter().map(|joint| {
            placed.move_alone(*joint);
            let (normal, tangents) = free.split_at_mut(n);
            let tangents = tangents.split_at_mut(n).into();
            A::frame_rows(&placed, feature, piece, FrameRows { normal, tangents }).velocity
        });
        columns.collect()
    }

    fn limit(&self, contact: usize) -> Option<&JointLimit> {
        self.limits.get(contact.wrapping_sub(self.features.len()))
    }
}

impl<A: Setting> AsRef<[JointLimit]> for TreeMechanism<A> {
    fn as_ref(&self) -> &[JointLimit] {
        &self.limits
    }
}

fn group<A: Setting>(record: &JointRecord<A>) -> Group {
    let (kind, columns) = A::columns(&record.joint.kind);
    Group {
        name: record.name.clone(),
        kind,
        positions: columns.iter().map(|c| c.0.to_owned()).collect(),
        units: columns.iter().map(|c| c.1).collect(),
        rates: record.joint.kind.rates(),
    }
}

impl<A: Setting> Mechanism for TreeMechanism<A> {
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

    fn extent(&self) -> f64 {
        self.model.extent()
    }

    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        self.model.sizes(length, time, q, v);
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
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let mut placed = self.model.place(&mut self.work, state);
        if !self.model.closures().is_empty() {
            return placed.closed_accelerations(&mut solver.closed, &self.no_force, out);
        }
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)
    }

    #[inline]
    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        let Derivative { q, v } = out;
        if A::take_shortcut(&self.shortcut, state, &self.no_force, Derivative { q, v }) {
            return Ok(());
        }
        self.model.position_rate(state.q, state.v, q);
        self.accelerations(state, solver, v)
    }

    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        if !self.model.closures().is_empty() {
            self.accelerations(state, solver, out)?;
            return Ok(self.powers(state, out));
        }
        let mut placed = self.model.place(&mut self.work, state);
        let solved = placed.accelerations(&self.no_force, out);
        solved.map_err(MotionFault::Singular)?;
        Ok(placed.balance(out, &[]).powers())
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        let (pairs, stops) = out.split_at_mut(self.features.len());
        if !pairs.is_empty() {
            let placed = self.model.place(&mut self.work, state);
            let mut shared = A::Shared::default();
            for (contact, (gap, feature)) in pairs.iter_mut().zip(&self.features).enumerate() {
                *gap = A::gap(&placed, feature, state.piece(contact), &mut shared);
            }
        }
        for (gap, limit) in stops.iter_mut().zip(&self.limits) {
            *gap = limit.gap(state);
        }
    }

    fn gaps_of(&mut self, state: State<'_>, contacts: &[usize], out: &mut [Gap]) {
        let placed = self.model.place(&mut self.work, state);
        let mut shared = A::Shared::default();
        let first = self.features.len();
        for contact in contacts {
            match self.features.get(*contact) {
                Some(feature) => {
                    let piece = state.piece(*contact);
                    out[*contact] = A::gap(&placed, feature, piece, &mut shared);
                }
                None => out[*contact] = self.limits[*contact - first].gap(state),
            }
        }
    }

    fn gap_speeds(&mut self, bounds: &Bounds<'_>, out: &mut [f64]) {
        let (pairs, stops) = out.split_at_mut(self.features.len());
        for (speed, feature) in pairs.iter_mut().zip(&self.features) {
            *speed = A::gap_speed(&self.model, feature, bounds);
        }
        for (speed, limit) in stops.iter_mut().zip(&self.limits) {
            *speed = limit.gap_speed(bounds);
        }
    }

    /// In space along n and t1.
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
        A::frame_rows(&placed, &self.features[contact], state.piece(contact), rows)
    }

    fn prescribed(&mut self, state: State<'_>, contacts: &[usize]) -> Option<Prescribed> {
        let joints: Vec<JointId> = self.model.prescribed().collect();
        let all = self.model.rates() + joints.len();
        let mut mass = vec![0.0; all * all];
        self.place(state).mass_of_all(&mut mass);
        let placed = self.place(state);
        let rates = joints.iter().filter_map(|joint| placed.motion_rate(*joint));
        let rates = rates.collect();
        let names = joints
            .iter()
            .map(|joint| &self.model.joints()[joint.0].name);
        let names = names.cloned().collect();
        let contacts = contacts.iter();
        let columns = contacts.map(|contact| self.moved_by(state, *contact, &joints));
        Some(Prescribed {
            joints: names,
            rates,
            mass,
            columns: columns.collect(),
            constraints: self.constraints_moved_by(state, &joints),
        })
    }

    fn has_tangent(&self, contact: usize) -> bool {
        self.limit(contact).is_none()
    }

    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        let touch = self.touch(state, contact)?;
        Some(A::contact_place(&touch))
    }

    fn gap_unit(&self, contact: usize) -> &'static str {
        self.limit(contact).map_or("m", |limit| limit.unit)
    }

    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        let touch = self.touch(state, contact);
        touch.is_none_or(|touch| A::is_owned(&touch))
    }

    fn piece_ahead(&mut self, state: State<'_>, contact: usize, soon: f64) -> Option<Piece> {
        let Some(feature) = self.features.get(contact) else {
            return Some(Piece::WHOLE);
        };
        let placed = self.model.place(&mut self.work, state);
        A::piece_ahead(&placed, feature, soon)
    }

    fn piece_room(&mut self, state: State<'_>, contact: usize) -> Option<GuardValue> {
        let (feature, piece) = (self.features.get(contact)?, state.piece(contact)?);
        let room = A::room(&self.model.place(&mut self.work, state), feature, piece);
        room.map(|(value, rate)| GuardValue { value, rate })
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        Some(self.place(state).energy())
    }

    fn does_work(&self) -> bool {
        self.model.does_work()
    }

    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        self.balanced(state, acceleration, |_, balance| balance.powers())
    }

    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        out.clear();
        self.balanced(state, acceleration, |model, balance| {
            let joints = (0..model.joints().len()).map(JointId);
            out.extend(joints.map(|joint| A::joint_force(balance.reaction(joint))));
        });
        if !self.model.closures().is_empty() {
            let mut placed = self.model.place(&mut self.work, state);
            self.loops.add_reactions(&mut placed, out);
        }
    }

    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        let framed = impulses.iter().map(|acting| FrameImpulse {
            contact: acting.contact,
            impulse: acting.impulse.into(),
        });
        self.read_impulses(state, jump, framed, out)
    }

    fn frame_impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[FrameImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        self.read_impulses(state, jump, impulses.iter().copied(), out)
    }

    /// The joints of the tree, then those that close loops, which have no coordinates.
    fn groups(&self) -> Vec<Group> {
        let joints = self.model.joints().iter().map(group);
        let closures = self.model.closures().iter().map(|record| Group {
            name: record.name.clone(),
            kind: A::columns(&record.joint.kind).0,
            positions: Vec::new(),
            units: Vec::new(),
            rates: 0,
        });
        joints.chain(closures).collect()
    }

    fn constraints(&self) -> usize {
        self.model.constraints()
    }

    fn closures(&self) -> Vec<Closure> {
        let unit = |is_angle: bool| if is_angle { "rad" } else { "m" };
        let closure = |record: &ClosureRecord<A>| Closure {
            name: record.name.clone(),
            units: (0..record.rows.len())
                .map(|k| unit(record.joint.kind.is_angle(k)))
                .collect(),
        };
        self.model.closures().iter().map(closure).collect()
    }

    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        self.place(state).closures(out);
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.read(&self.model, state);
    }

    fn dimension(&self) -> Dimension {
        A::DIMENSION
    }

    fn scene(&self) -> Option<Scene> {
        Some(A::scene(&self.model))
    }

    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        out.clear();
        let placed = self.model.place(&mut self.work, state);
        for record in placed.model.bodies() {
            A::write_pose(placed.pose(record.id), out);
        }
    }
}
