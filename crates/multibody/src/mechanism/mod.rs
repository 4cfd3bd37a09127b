//! A mechanism as an event loop sees it.
//!
//! [`Mechanism`] is the door for systems of your own, in four parts by who asks: [`Dynamics`] (M and h, energies,
//! constraints), [`Contacts`] (gaps and their Jacobian rows), [`Guards`] (and reset maps), [`Drawing`] (names, bodies).
//! The event loop does the rest.
//! [`TreeMechanism`] is the instance for a [`Model`](crate::Model): [`PlaneMechanism`] in the plane,
//! [`SpaceMechanism`] in space.

mod closed;
mod closer;
mod contacts;
mod drawing;
mod dynamics;
mod fault;
mod guards;
mod limit;
mod parts;
mod plane;
mod prescribed;
mod setting;
mod space;
mod tree;

pub use closer::{Closer, Open};
pub use contacts::Contacts;
pub use drawing::Drawing;
pub use dynamics::{Dynamics, Orientation};
pub use fault::{MassSolver, MotionFault};
pub use guards::Guards;
pub use limit::{JointLimit, Stop};
pub use parts::{
    Closure, ContactDrift, ContactImpulse, ContactPlace, Crossing, Derivative, Dimension,
    FrameDrift, FrameImpulse, FrameRows, Gap, Group, GuardValue, JointForce, PivotDrift, Positions,
    Reset, Rows,
};
pub use plane::PlaneMechanism;
pub use prescribed::Prescribed;
pub use setting::{Column, Setting};
pub use space::SpaceMechanism;
pub use tree::TreeMechanism;

/// What a simulation asks of a mechanism: how it moves, and what may interrupt its motion.
///
/// Whatever has the four parts is a mechanism. Of [`Dynamics`] three functions must be given; everything else has a default
/// for systems that lack it. The event loop asks through `&mut dyn Mechanism`, so it is compiled once for all systems.
///
/// ```
/// use carom_multibody::State;
/// use carom_multibody::mechanism::{
///     ContactDrift, Contacts, Drawing, Dynamics, Gap, Guards, Mechanism, Rows,
/// };
///
/// /// A ball above a floor: one coordinate, its height.
/// struct Ball;
///
/// impl Dynamics for Ball {
///     fn rates(&self) -> usize {
///         1
///     }
///     fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
///         out[0] = 2.0;
///     }
///     fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
///         out[0] = 2.0 * 9.81;
///     }
/// }
///
/// impl Contacts for Ball {
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
///
/// impl Guards for Ball {}
/// impl Drawing for Ball {}
///
/// fn is_whole(_: &impl Mechanism) {}
/// is_whole(&Ball);
/// ```
pub trait Mechanism: Contacts + Guards + Drawing {}

impl<M: Contacts + Guards + Drawing> Mechanism for M {}
