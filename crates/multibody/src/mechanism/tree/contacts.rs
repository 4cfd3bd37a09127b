//! The contacts of a model: pairs of shapes, then stops of joints.

use super::TreeMechanism;
use crate::contact::Bounds;
use crate::dynamics::State;
use crate::mechanism::setting::Setting;
use crate::mechanism::{
    ContactDrift, ContactImpulse, ContactPlace, Contacts, Dimension, FrameDrift, FrameImpulse,
    FrameRows, Gap, GuardValue, JointForce, JointLimit, PivotDrift, Prescribed, Rows,
};
use crate::model::JointId;
use crate::piece::Piece;
use crate::space::contact::FrameComponents;

impl<A: Setting> TreeMechanism<A> {
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

impl<A: Setting> Contacts for TreeMechanism<A> {
    fn contacts(&self) -> usize {
        self.features.len() + self.limits.len()
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

    fn has_pivot(&self, contact: usize) -> bool {
        A::DIMENSION == Dimension::Space && self.limit(contact).is_none()
    }

    fn pivot_row(&mut self, state: State<'_>, contact: usize, row: &mut [f64]) -> PivotDrift {
        let Some(feature) = self.features.get(contact) else {
            return PivotDrift::default();
        };
        let placed = self.model.place(&mut self.work, state);
        A::pivot_row(&placed, feature, state.piece(contact), row)
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
            spin: 0.0,
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

    fn dimension(&self) -> Dimension {
        A::DIMENSION
    }
}
