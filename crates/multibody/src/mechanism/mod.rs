//! A mechanism as an event loop sees it.
//!
//! [`Mechanism`] is the door for systems of your own: give M and h, and where they exist gaps with
//! their Jacobian rows, energies, guards and reset maps; the event loop does the rest.
//! [`TreeMechanism`] is the instance for a [`Model`](crate::Model): [`PlaneMechanism`] in the plane,
//! [`SpaceMechanism`] in space.

mod closed;
mod closer;
mod fault;
mod limit;
mod parts;
mod plane;
mod prescribed;
mod setting;
mod space;
mod tree;

pub use closer::{Closer, Open};
pub use fault::{MassSolver, MotionFault};
pub use limit::{JointLimit, Stop};
pub use parts::{
    Closure, ContactDrift, ContactImpulse, ContactPlace, Crossing, Derivative, Dimension,
    FrameDrift, FrameImpulse, FrameRows, Gap, Group, GuardValue, JointForce, Positions, Reset,
    Rows,
};
pub use plane::PlaneMechanism;
pub use prescribed::Prescribed;
pub use setting::{Column, Setting};
pub use space::SpaceMechanism;
pub use tree::TreeMechanism;

use crate::contact::Bounds;
use crate::dynamics::{Energy, Powers, State};
use crate::loops::ConstraintRows;
use crate::piece::Piece;
use crate::scene::Scene;

/// What a simulation asks of a mechanism: `M v̇ + h = Jᵀ f`, and what may interrupt its motion.
///
/// Only [`rates`](Mechanism::rates), [`mass`](Mechanism::mass) and [`bias`](Mechanism::bias) must be
/// given; everything else has a default for systems that lack it. Matrices are row by row; slices
/// have the lengths announced. Every question is asked at a state of its own, and its answer must
/// depend on that state only; work arrays belong to the mechanism, hence `&mut self`.
///
/// ```
/// use carom_multibody::State;
/// use carom_multibody::mechanism::{ContactDrift, Gap, Mechanism, Rows};
///
/// /// A ball above a floor: one coordinate, its height.
/// struct Ball;
///
/// impl Mechanism for Ball {
///     fn rates(&self) -> usize {
///         1
///     }
///     fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
///         out[0] = 2.0;
///     }
///     fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
///         out[0] = 2.0 * 9.81;
///     }
///     fn contacts(&self) -> usize {
///         1
///     }
///     fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
///         out[0] = Gap { gap: state.q[0], v_n: state.v[0] };
///     }
///     fn contact_rows(&mut self, _: State<'_>, _: usize, rows: Rows<'_>) -> ContactDrift {
///         rows.normal[0] = 1.0;
///         ContactDrift::default()
///     }
/// }
/// ```
pub trait Mechanism {
    /// Count of degrees of freedom: the length of `v`.
    fn rates(&self) -> usize;

    /// Mass matrix, n × n, symmetric positive definite.
    fn mass(&mut self, state: State<'_>, out: &mut [f64]);

    /// Bias h: everything but `M v̇` and contact forces, on the left.
    fn bias(&mut self, state: State<'_>, out: &mut [f64]);

    /// Length of `q`.
    fn positions(&self) -> usize {
        self.rates()
    }

    /// Rate of change of the positions; `v` itself by default.
    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(state.v);
    }

    /// Size of what moves and touches (m): shapes, links, radii of gyration; zero where the system does
    /// not know.
    fn extent(&self) -> f64 {
        0.0
    }

    /// What each position and each rate is measured by, given a length (m) and a time (s): for a length
    /// and its rate L and L/T, for an angle or a quaternion 1 and 1/T.
    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        q.fill(length);
        v.fill(length / time);
    }

    /// Takes positions back to those that mean a placement, as quaternions to unit length; nothing by
    /// default. To be called after a step, or when a state is handed on.
    fn normalise(&mut self, q: &mut [f64]) {
        let _ = q;
    }

    /// Accelerations without contact forces; by default `M⁻¹(−h)`, under the constraints where there
    /// are any.
    fn accelerations(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let n = self.rates();
        self.bias(state, out);
        if self.constraints() == 0 {
            self.mass(state, solver.matrix(n));
            return solver.solve(out);
        }
        let closed = &mut solver.closed;
        self.mass(state, closed.matrix(n));
        self.constraint_rows(state, closed.rows_mut());
        closed.factor().map_err(MotionFault::Mass)?;
        closed.accelerate(out);
        Ok(())
    }

    /// Count of bilateral constraints, as of joints that close loops; none by default.
    fn constraints(&self) -> usize {
        0
    }

    /// The constraints by name, in the order of their rows.
    fn closures(&self) -> Vec<Closure> {
        Vec::new()
    }

    /// Residuals, rows, drift and bias of all constraints: `g`, and `g̈ = G v̇ + bias`.
    ///
    /// A system that has constraints gives M and h as without them; accelerations, impacts and what
    /// keeps the constraints in a run follow from the rows.
    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        out.reset(0, state.v.len());
    }

    /// Rates of change of positions and rates, in one go.
    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        self.position_rate(state, out.q);
        self.accelerations(state, solver, out.v)
    }

    /// Accelerations and the powers beside them, in one go.
    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        self.accelerations(state, solver, out)?;
        Ok(self.powers(state, out))
    }

    /// Count of contacts.
    fn contacts(&self) -> usize {
        0
    }

    /// Gap of every contact and its rate.
    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        let _ = (state, out);
    }

    /// The same of some contacts, at their places; the others need not be written.
    fn gaps_of(&mut self, state: State<'_>, contacts: &[usize], out: &mut [Gap]) {
        let _ = contacts;
        self.gaps(state, out);
    }

    /// For every contact, what the rate of its gap never exceeds within bounds; entries left as they
    /// are, infinite, say nothing.
    ///
    /// A gap further from zero than it can travel needs no look inside a step. The bound must hold:
    /// with one that is too small, contacts are missed.
    fn gap_speeds(&mut self, bounds: &Bounds<'_>, out: &mut [f64]) {
        let _ = (bounds, out);
    }

    /// Rows of one contact, and what adds to `J v` and `J v̇`. The rows come in filled with zeros.
    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        let _ = (state, contact, rows);
        ContactDrift::default()
    }

    /// Rows of one contact along n, t1 and t2, as [`Mechanism::contact_rows`] gives those along n and
    /// t1. The rows come in filled with zeros; by default there is no second tangent.
    fn contact_frame_rows(
        &mut self,
        state: State<'_>,
        contact: usize,
        rows: FrameRows<'_>,
    ) -> FrameDrift {
        let [tangent, _] = rows.tangents;
        let normal = rows.normal;
        self.contact_rows(state, contact, Rows { normal, tangent })
            .into()
    }

    /// The prescribed motions at a state, and what they do to the contacts asked for; by default none
    /// are known, and the drifts of the contacts are all that is seen of them.
    fn prescribed(&mut self, state: State<'_>, contacts: &[usize]) -> Option<Prescribed> {
        let _ = (state, contacts);
        None
    }

    /// Whether a contact has a tangent. One without is frictionless.
    fn has_tangent(&self, contact: usize) -> bool {
        let _ = contact;
        true
    }

    /// Where a contact is and how it is turned; nothing by default, and at a stop of a joint.
    fn contact_place(&mut self, state: State<'_>, contact: usize) -> Option<ContactPlace> {
        let _ = (state, contact);
        None
    }

    /// The unit of a gap: `m`, or `rad` at a stop of an angle.
    fn gap_unit(&self, contact: usize) -> &'static str {
        let _ = contact;
        "m"
    }

    /// Whether a touching at this state belongs to the contact, not to a neighbouring one.
    fn owns_touch(&mut self, state: State<'_>, contact: usize) -> bool {
        let _ = (state, contact);
        true
    }

    /// The smooth piece of surface that a contact is on or moves onto; none where there is none that is its
    /// own: a sharp corner that it leaves. What lies ahead further than it moves in a time `soon` (s) is not
    /// looked at. By default surfaces are smooth as a whole.
    fn piece_ahead(&mut self, state: State<'_>, contact: usize, soon: f64) -> Option<Piece> {
        let _ = (state, contact, soon);
        Some(Piece::WHOLE)
    }

    /// How far a contact is from the end of the piece that it keeps to, where that has one.
    fn piece_room(&mut self, state: State<'_>, contact: usize) -> Option<GuardValue> {
        let _ = (state, contact);
        None
    }

    /// Energies; without them there is no ledger.
    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let _ = state;
        None
    }

    /// Whether [`Mechanism::powers`] is ever other than zero.
    fn does_work(&self) -> bool {
        false
    }

    /// Powers that change the energy between events.
    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        let _ = (state, acceleration);
        Powers::default()
    }

    /// Forces through the joints in motion, in the order of [`Mechanism::groups`]; none by default.
    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        let _ = (state, acceleration);
        out.clear();
    }

    /// Impulses through the joints in an impact, given the jump of the rates; returns the work of
    /// prescribed motions (J). A system of your own whose contacts drift because the surfaces it
    /// meets are moved returns `−Σ drift·p`.
    fn impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[ContactImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        let _ = (state, jump, impulses);
        out.clear();
        0.0
    }

    /// The same with impulses along both tangents; by default the second is left out.
    fn frame_impulse_reactions(
        &mut self,
        state: State<'_>,
        jump: &[f64],
        impulses: &[FrameImpulse],
        out: &mut Vec<JointForce>,
    ) -> f64 {
        let flat = impulses.iter().map(|acting| ContactImpulse {
            contact: acting.contact,
            impulse: acting.impulse.into(),
        });
        let flat: Vec<ContactImpulse> = flat.collect();
        self.impulse_reactions(state, jump, &flat, out)
    }

    /// Count of the system's own guards.
    fn guards(&self) -> usize {
        0
    }

    /// Name of a guard.
    fn guard_name(&self, guard: usize) -> String {
        format!("guard {guard}")
    }

    /// Which change of sign of a guard is an event.
    fn guard_crossing(&self, guard: usize) -> Crossing {
        let _ = guard;
        Crossing::Falling
    }

    /// Value and rate of every guard of the system's own; a rate may be `NaN` where it is not known.
    fn guard_values(&mut self, state: State<'_>, acceleration: &[f64], out: &mut [GuardValue]) {
        let _ = (state, acceleration, out);
    }

    /// Whether a guard that just vanished counts; one that is switched off passes unnoticed.
    fn is_switched_on(&mut self, state: State<'_>, guard: usize) -> bool {
        let _ = (state, guard);
        true
    }

    /// What an event of a guard does to the state: the reset map.
    fn reset(&mut self, guard: usize, t: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        let _ = (guard, t, q, v);
        Reset::GoOn
    }

    /// Coordinates by name, joint by joint; by default one group `q` without units.
    fn groups(&self) -> Vec<Group> {
        vec![Group::own(self.positions(), self.rates())]
    }

    /// Coordinates and rates as [`Mechanism::groups`] names them, prescribed ones included.
    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.q.clear();
        out.q.extend_from_slice(state.q);
        out.v.clear();
        out.v.extend_from_slice(state.v);
    }

    /// Plane or space.
    fn dimension(&self) -> Dimension {
        Dimension::Plane
    }

    /// What the bodies look like; nothing by default.
    fn scene(&self) -> Option<Scene> {
        None
    }

    /// Poses of the bodies: x, y (m) and angle (rad) of each; in space x, y, z (m) and the unit
    /// quaternion (w, x, y, z).
    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        let _ = state;
        out.clear();
    }
}
