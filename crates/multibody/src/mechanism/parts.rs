//! The nouns of the questions an event loop asks.

use crate::algebra::Algebra;
use crate::contact::ContactComponents;
use crate::dynamics::State;
use crate::model::Model;
use crate::space::contact::FrameComponents;

/// Where the rates of change of a state go.
#[derive(Debug)]
pub struct Derivative<'a> {
    /// Of the positions.
    pub q: &'a mut [f64],
    /// Of the rates.
    pub v: &'a mut [f64],
}

/// Where the Jacobian rows of a contact go.
#[derive(Debug)]
pub struct Rows<'a> {
    /// `v_n` per unit of each rate.
    pub normal: &'a mut [f64],
    /// `v_t` per unit of each rate.
    pub tangent: &'a mut [f64],
}

/// What velocity and acceleration of a contact have beyond `J v` and `J v̇`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactDrift {
    /// `v − J v` (m/s): prescribed motions.
    pub velocity: ContactComponents,
    /// `dv/dt − J v̇` (m/s²): `J̇ v` and prescribed motions.
    pub acceleration: ContactComponents,
}

/// Where the Jacobian rows of a contact in space go.
#[derive(Debug)]
pub struct FrameRows<'a> {
    /// `v_n` per unit of each rate.
    pub normal: &'a mut [f64],
    /// `v_t` along t1 and t2 per unit of each rate.
    pub tangents: [&'a mut [f64]; 2],
}

/// What velocity and acceleration of a contact in space have beyond `J v` and `J v̇`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameDrift {
    /// `v − J v` (m/s): prescribed motions.
    pub velocity: FrameComponents,
    /// `dv/dt − J v̇` (m/s²): `J̇ v` and prescribed motions.
    pub acceleration: FrameComponents,
}

/// What the rate at which a contact pivots, `ω_n = n·(ω_A − ω_B)`, has beyond `J v`, and its own rate beyond `J v̇`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PivotDrift {
    /// `ω_n − J v` (rad/s): prescribed motions.
    pub velocity: f64,
    /// `dω_n/dt − J v̇` (rad/s²): `J̇ v` and prescribed motions.
    pub acceleration: f64,
}

/// Impulse of one contact in space (N·s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameImpulse {
    /// The contact.
    pub contact: usize,
    /// Its impulse on A.
    pub impulse: FrameComponents,
    /// Its moment on A along the normal (N·m·s).
    pub spin: f64,
}

impl From<ContactComponents> for FrameComponents {
    /// The tangent of the plane is the first of space.
    fn from(ContactComponents { n, t }: ContactComponents) -> Self {
        Self { n, t: [t, 0.0] }
    }
}

impl From<FrameComponents> for ContactComponents {
    /// The second tangent is left out.
    fn from(FrameComponents { n, t: [t, _] }: FrameComponents) -> Self {
        Self { n, t }
    }
}

impl From<ContactDrift> for FrameDrift {
    fn from(drift: ContactDrift) -> Self {
        Self {
            velocity: drift.velocity.into(),
            acceleration: drift.acceleration.into(),
        }
    }
}

/// Where a contact is, in world axes. In the plane the third components and the second tangent are
/// zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactPlace {
    /// Contact point on A (m).
    pub point: [f64; 3],
    /// Unit normal from B to A.
    pub normal: [f64; 3],
    /// Unit tangents t1 and t2.
    pub tangents: [[f64; 3]; 2],
}

/// A gap and its rate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gap {
    /// Distance, negative when overlapping (m).
    pub gap: f64,
    /// Its rate; positive separates (m/s).
    pub v_n: f64,
}

/// A guard of the system's own and its rate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GuardValue {
    /// Its value.
    pub value: f64,
    /// Its rate; `NaN` where it is not known.
    pub rate: f64,
}

/// Which change of sign of a guard is an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// From positive to negative.
    Falling,
    /// From negative to positive.
    Rising,
    /// Either.
    Either,
}

/// What follows a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// The motion goes on from the new state.
    GoOn,
    /// The run ends here.
    Stop,
}

/// Impulse of one contact (N·s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactImpulse {
    /// The contact.
    pub contact: usize,
    /// Its impulse on A.
    pub impulse: ContactComponents,
}

/// What a joint does to its child, at the joint, in world axes. In the plane only x, y and the
/// moment about z differ from zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointForce {
    /// Force (N) or impulse (N·s).
    pub force: [f64; 3],
    /// Its moment about the joint (N·m or N·m·s).
    pub moment: [f64; 3],
    /// Whether each component, of the force and then of the moment, is the same in all answers; where
    /// joints that close loops repeat others, those of the least multipliers are given.
    pub unique: [bool; 6],
}

impl JointForce {
    /// Whether all of it is determined.
    pub fn is_unique(&self) -> bool {
        self.unique == [true; 6]
    }
}

impl Default for JointForce {
    fn default() -> Self {
        Self {
            force: [0.0; 3],
            moment: [0.0; 3],
            unique: [true; 6],
        }
    }
}

/// A joint that closes a loop, or a bilateral constraint of a system of your own.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Its name.
    pub name: String,
    /// Unit of each of its constraints: `m` or `rad`.
    pub units: Vec<&'static str>,
}

/// Plane or space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// x right, y up.
    Plane,
    /// z up.
    Space,
}

impl Dimension {
    /// Count of its axes.
    pub fn axes(self) -> usize {
        match self {
            Self::Plane => 2,
            Self::Space => 3,
        }
    }

    /// Count of the tangents of a contact.
    pub fn tangents(self) -> usize {
        self.axes() - 1
    }

    /// Count of the numbers of a pose.
    pub fn pose(self) -> usize {
        match self {
            Self::Plane => 3,
            Self::Space => 7,
        }
    }
}

/// Coordinates that belong together: those of a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Name of the joint.
    pub name: String,
    /// Its kind, as in a scenario; `own` for a user's own system.
    pub kind: &'static str,
    /// Names of its positions.
    pub positions: Vec<String>,
    /// Unit of each position: `m`, `rad`, or empty.
    pub units: Vec<&'static str>,
    /// Count of its rates.
    pub rates: usize,
}

impl Group {
    /// The coordinates of a system without joints: `q`, numbered from 0.
    pub fn own(positions: usize, rates: usize) -> Self {
        Self {
            name: "q".to_owned(),
            kind: "own",
            positions: (0..positions).map(|k| k.to_string()).collect(),
            units: vec![""; positions],
            rates,
        }
    }
}

/// Coordinates and rates, group by group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Positions {
    /// Positions.
    pub q: Vec<f64>,
    /// Rates.
    pub v: Vec<f64>,
}

impl Positions {
    /// The coordinates of a model, joint by joint, prescribed ones included.
    pub(super) fn read<A: Algebra>(&mut self, model: &Model<A>, state: State<'_>) {
        self.q.clear();
        self.v.clear();
        for record in model.joints() {
            match record.joint.motion {
                Some(motion) => {
                    let [q, v, _] = motion.at(state.t);
                    self.q.push(q);
                    self.v.push(v);
                }
                None => {
                    self.q.extend_from_slice(&state.q[record.positions.clone()]);
                    self.v.extend_from_slice(&state.v[record.rates.clone()]);
                }
            }
        }
    }
}
