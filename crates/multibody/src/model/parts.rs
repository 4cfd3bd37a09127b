//! What a model is made of, as the user gives it.

use super::Passive;
use crate::algebra::Algebra;

/// A rigid body. Its frame is the user's to place.
#[derive(Debug, Clone, PartialEq)]
pub struct Body<A: Algebra> {
    /// Mass (kg), not negative.
    pub mass: f64,
    /// Inertia about the mass centre (kg·m²).
    pub inertia: A::CentralInertia,
    /// Mass centre in the body frame (m).
    pub center: A::Vector,
    /// Named outlines in the body frame.
    pub shapes: Vec<(String, A::Shape)>,
}

impl<A: Algebra> Body<A> {
    /// A body with its mass centre at the origin of its frame and no shapes.
    pub fn new(mass: f64, inertia: A::CentralInertia) -> Self {
        Self {
            mass,
            inertia,
            center: A::Vector::default(),
            shapes: Vec::new(),
        }
    }
}

/// Name of the parent that does not move.
pub const WORLD: &str = "world";

/// A joint and what acts along its coordinate.
///
/// `spring`, `damping`, `drive`, `motion` and `limits` need a joint of one coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint<A: Algebra> {
    /// Motion it leaves free.
    pub kind: A::Joint,
    /// Body it starts from, or [`WORLD`].
    pub parent: String,
    /// Body it leads to.
    pub child: String,
    /// The joint in the parent's frame (m).
    pub parent_at: A::Vector,
    /// Joint axes in the parent's frame; with a zero coordinate the child's axes are these.
    pub parent_rotation: A::Rotation,
    /// The joint in the child's frame (m).
    pub child_at: A::Vector,
    /// Viscous damping c, force `−c q̇` (N·s/m or N·m·s).
    pub damping: f64,
    /// Spring along the coordinate.
    pub spring: Option<Spring>,
    /// Force or torque that time prescribes.
    pub drive: Option<Drive>,
    /// Makes the coordinate a function of time.
    pub motion: Option<Motion>,
    /// Stops of the coordinate: kept for the simulation, not used here.
    pub limits: Option<Limits>,
}

impl<A: Algebra> Joint<A> {
    /// A joint between the origins of two frames, with nothing acting along it.
    pub fn new(kind: A::Joint, parent: &str, child: &str) -> Self {
        Self {
            kind,
            parent: parent.to_owned(),
            child: child.to_owned(),
            parent_at: A::Vector::default(),
            parent_rotation: A::Rotation::default(),
            child_at: A::Vector::default(),
            damping: 0.0,
            spring: None,
            drive: None,
            motion: None,
            limits: None,
        }
    }

    /// Force of spring, damper and drive at time `t`, coordinate `q` and rate `v` (N or N·m).
    pub fn force(&self, t: f64, q: f64, v: f64) -> f64 {
        let passive = Passive {
            damping: self.damping,
            spring: self.spring,
            drive: self.drive,
        };
        passive.force(t, q, v)
    }
}

/// Force `−stiffness (q − rest)` along a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Stiffness (N/m or N·m/rad).
    pub stiffness: f64,
    /// Coordinate at which it is slack (m or rad).
    pub rest: f64,
}

/// Force `amplitude cos(frequency t + phase)` along a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Largest force (N or N·m).
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    pub frequency: f64,
    /// Phase at t = 0 (rad).
    pub phase: f64,
}

impl Drive {
    /// Force at time t (N or N·m).
    #[inline(always)]
    pub fn at(&self, t: f64) -> f64 {
        self.amplitude * (self.frequency * t + self.phase).cos()
    }
}

/// Coordinate `offset + rate t + amplitude sin(frequency t + phase)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Coordinate to start from (m or rad).
    pub offset: f64,
    /// Steady rate (m/s or rad/s).
    pub rate: f64,
    /// Amplitude of the oscillation (m or rad).
    pub amplitude: f64,
    /// Its angular frequency (rad/s).
    pub frequency: f64,
    /// Its phase at t = 0 (rad).
    pub phase: f64,
}

impl Motion {
    /// Coordinate, rate and acceleration at time t.
    ///
    /// A sine or cosine that is round-off of its argument within the first turn is zero: a motion with the phase
    /// of a right angle starts at rest.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let argument = self.frequency * t + self.phase;
        let round_off = f64::EPSILON * argument.abs().min(std::f64::consts::TAU);
        let exact = |x: f64| match x.abs() <= round_off {
            true => 0.0,
            false => x,
        };
        let (sin, cos) = argument.sin_cos();
        let (sin, cos) = (exact(sin), exact(cos));
        let swing = self.amplitude * self.frequency;
        [
            self.offset + self.rate * t + self.amplitude * sin,
            self.rate + swing * cos,
            -swing * self.frequency * sin,
        ]
    }
}

/// Stops of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Least coordinate (m or rad).
    pub lower: f64,
    /// Greatest coordinate (m or rad).
    pub upper: f64,
    /// Coefficient of restitution at the stops.
    pub restitution: f64,
}

/// `constant + amplitude cos(frequency t + phase)`
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Harmonic<T> {
    /// Steady part.
    pub constant: T,
    /// Amplitude of the oscillation.
    pub amplitude: T,
    /// Angular frequency (rad/s).
    pub frequency: f64,
    /// Phase at t = 0 (rad).
    pub phase: f64,
}

impl<T: crate::vector::Linear> Harmonic<T> {
    /// A value that does not change.
    pub fn steady(constant: T) -> Self {
        Self {
            constant,
            ..Self::default()
        }
    }

    /// Whether it is zero at all times.
    pub fn is_zero(&self) -> bool {
        self.constant == T::default() && self.amplitude == T::default()
    }

    /// Value at time t.
    pub fn at(&self, t: f64) -> T {
        self.constant + self.amplitude * (self.frequency * t + self.phase).cos()
    }
}

/// Force and torque from the world on a body, in world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Load<A: Algebra> {
    /// The body.
    pub body: String,
    /// Point of the body frame on which the force acts (m).
    pub at: A::Vector,
    /// Force (N).
    pub force: Harmonic<A::Vector>,
    /// Torque (N·m).
    pub torque: Harmonic<A::Angular>,
}

impl<A: Algebra> Load<A> {
    /// No load yet, at the origin of the body's frame.
    pub fn new(body: &str) -> Self {
        Self {
            body: body.to_owned(),
            at: A::Vector::default(),
            force: Harmonic::default(),
            torque: Harmonic::default(),
        }
    }
}
