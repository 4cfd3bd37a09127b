//! Bodies, joints and shapes; no time integration, no contact laws.
//!
//! A [`Model`] is a tree of bodies, built from named parts by a [`ModelBuilder`] and then frozen.
//! [`Model::place`] puts it at a state (t, q, v); the [`Placed`] mechanism answers with the mass
//! matrix M and the bias h of
//!
//! ```text
//! M(q) v̇ + h(q, v, t) = Jᵀ f
//! ```
//!
//! with accelerations, the forces through the joints, energies and powers, and, of shapes that
//! may touch, the gaps with their rates and Jacobian rows ([`contact`]). The tree algorithms
//! ([`dynamics`]) are written once over an [`algebra`]; [`plane::Plane`] is its instance with
//! 3-vectors, [`space::Space`] that with 6-vectors. Work arrays live in a [`Workspace`]; no question allocates.
//!
//! Signs: y up, angles counter-clockwise (plane), z up (space); normals point from the second shape to the first; joint
//! forces act on the child, at the joint, in world axes. SI units.
//!
//! ```
//! use carom_multibody::contact::{Outline, Shape};
//! use carom_multibody::plane::PlaneJoint::Revolute;
//! use carom_multibody::{Body, Joint, PlaneModelBuilder, State};
//!
//! let mut builder = PlaneModelBuilder::new();
//! let tip = Shape::new(Outline::Disk { radius: 0.05 }).at([0.0, -0.65]);
//! let floor = Shape::new(Outline::HalfSpace { normal: [0.0, 1.0].into() }).at([0.0, -0.9]);
//! let upper = Body { center: [0.0, -0.25].into(), ..Body::new(3.2, 0.0676) };
//! let lower = Body {
//!     center: [0.0, -0.3627].into(),
//!     shapes: vec![("tip".to_owned(), tip)],
//!     ..Body::new(3.8, 0.164)
//! };
//! builder.gravity([0.0, -9.81]).body("upper", upper).body("lower", lower);
//! builder.world_shape("floor", floor).joint("O", Joint::new(Revolute, "world", "upper"));
//! let elbow = Joint { parent_at: [0.0, -0.5].into(), ..Joint::new(Revolute, "upper", "lower") };
//! builder.joint("A", elbow);
//! let model = builder.build()?;
//!
//! let (mut work, q, v) = (model.workspace(), [2.4, -4.0], [1.2, -1.7]);
//! let mut placed = model.place(&mut work, State::new(0.0, &q, &v));
//! let mut acceleration = [0.0; 2];
//! placed.accelerations(&[0.0; 2], &mut acceleration)?;
//! let touch = placed.touch(&model.features(("lower", "tip"), ("world", "floor"))?[0]);
//! assert!(touch.gap > 0.0);
//! let elbow = model.joint("A").ok_or("there is an elbow")?;
//! let reaction = placed.balance(&acceleration, &[]).reaction(elbow);
//! assert!(reaction.moment.abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algebra;
pub mod contact;
pub mod dynamics;
pub mod loops;
pub mod mechanism;
pub mod model;
mod piece;
pub mod plane;
pub mod scene;
pub mod screws;
pub mod space;
pub mod vector;

pub use algebra::{Algebra, Pose, Twist, Wrench};
pub use dynamics::{
    Balance, Energy, ImpulseBalance, Placed, PointForce, Powers, Reaction, SingularMass, State,
    Workspace,
};
pub use loops::{ClosureId, ClosureRecord, ConstraintRows, ConstraintSolver, PointWrench};
pub use mechanism::{
    Contacts, Drawing, Dynamics, Guards, Mechanism, MotionFault, PlaneMechanism, SpaceMechanism,
};
pub use model::{
    Body, BodyId, BodyRecord, Drive, Harmonic, Joint, JointId, JointRecord, Limits, Load, Model,
    ModelBuilder, ModelError, Motion, Spring, WORLD,
};
pub use piece::Piece;
pub use vector::{Linear, Vector};

/// A mechanism in the plane.
pub type PlaneModel = Model<plane::Plane>;
/// Builder of a mechanism in the plane.
pub type PlaneModelBuilder = ModelBuilder<plane::Plane>;
/// A mechanism in space.
pub type SpaceModel = Model<space::Space>;
/// Builder of a mechanism in space.
pub type SpaceModelBuilder = ModelBuilder<space::Space>;
