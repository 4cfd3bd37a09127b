//! Why a model was refused.

use std::fmt;

use crate::algebra::AxisFault;

/// Why a model was refused. Every message names the element.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelError<F> {
    /// Two elements of one sort have the same name, or a body is called `world`.
    NameTaken {
        /// `body`, `joint`, `load` or `shape`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A joint or load names a body that does not exist.
    UnknownBody {
        /// The joint or load, as `joint A`.
        element: String,
        /// The name given.
        body: String,
    },
    /// A contact names a shape that does not exist.
    UnknownShape {
        /// The body, or `world`.
        body: String,
        /// The name given.
        shape: String,
    },
    /// A joint leads to the world.
    WorldAsChild {
        /// The joint.
        joint: String,
    },
    /// A joint that closes a loop starts from the body it leads to.
    JoinsItself {
        /// The joint.
        joint: String,
        /// The body.
        body: String,
    },
    /// A spring, damper, drive, motion or limit on a joint that closes a loop: it has no coordinate.
    ActsOnClosure {
        /// The joint.
        joint: String,
        /// What was put on it.
        quantity: &'static str,
    },
    /// Bodies connected in a ring that never reaches the world.
    Cycle {
        /// A joint of the ring.
        joint: String,
        /// The body it leads to.
        body: String,
    },
    /// A number is infinite or undefined.
    NotFinite {
        /// The element, as `body upper`.
        element: String,
        /// Which of its numbers.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A number that must not be negative is.
    Negative {
        /// The element, as `body upper`.
        element: String,
        /// Which of its numbers.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// The axis of a joint has no direction.
    NoAxis {
        /// The joint.
        joint: String,
        /// Its length, or the component that is not a number.
        value: f64,
    },
    /// The lead of a screw is infinite or undefined.
    NoLead {
        /// The joint.
        joint: String,
        /// The value given (m per radian).
        value: f64,
    },
    /// The two axes of a joint are parallel.
    ParallelAxes {
        /// The joint.
        joint: String,
        /// Sine of the angle between them.
        sin: f64,
    },
    /// A spring, damper, drive, motion or limit on a joint that has not exactly one coordinate.
    NeedsOneCoordinate {
        /// The joint.
        joint: String,
        /// What was put on it.
        quantity: &'static str,
        /// How many coordinates it has.
        found: usize,
    },
    /// Limits on a joint whose coordinate is prescribed: nothing could stop it.
    LimitedMotion {
        /// The joint.
        joint: String,
    },
    /// Limits that leave no room: `lower < upper` is needed.
    EmptyLimits {
        /// The joint.
        joint: String,
        /// Least coordinate.
        lower: f64,
        /// Greatest coordinate.
        upper: f64,
    },
    /// Nothing resists a coordinate: all that moves with it has no inertia in its direction.
    NoInertia {
        /// The joint of the coordinate.
        joint: String,
        /// Its index in the joint.
        coordinate: usize,
        /// Inertia left in its direction (kg or kg·m²).
        value: f64,
    },
    /// A shape was refused.
    Shape {
        /// The shape, as `lower.tip`.
        shape: String,
        /// What is wrong with it.
        source: F,
    },
}

impl<F: fmt::Display> fmt::Display for ModelError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameTaken { what, name } => {
                write!(f, "{what} {name}: the name is taken, expected a new one")
            }
            Self::UnknownBody { element, body } => write!(
                f,
                "{element}: there is no body \"{body}\", expected a body's name"
            ),
            Self::UnknownShape { body, shape } => write!(
                f,
                "shape {body}.{shape}: there is no such shape, expected the name of a shape of {body}"
            ),
            Self::WorldAsChild { joint } => {
                write!(
                    f,
                    "joint {joint}: leads to the world, expected a body as child"
                )
            }
            Self::JoinsItself { joint, body } => write!(
                f,
                "joint {joint}: joins body {body} with itself, expected two bodies"
            ),
            Self::ActsOnClosure { joint, quantity } => write!(
                f,
                "joint {joint}: {quantity} needs a coordinate, which a joint that closes a loop has \
                 not; expected it on a joint of the tree (the first that leads to a body)"
            ),
            Self::Cycle { joint, body } => write!(
                f,
                "joint {joint}: body {body} hangs on itself, expected a tree that starts at the world"
            ),
            other => other.fmt_number(f),
        }
    }
}

impl<F> ModelError<F> {
    /// What is wrong with the axes of a joint.
    pub(super) fn of_axis(joint: &str, fault: AxisFault) -> Self {
        let joint = joint.to_owned();
        match fault {
            AxisFault::NoDirection(value) => Self::NoAxis { joint, value },
            AxisFault::NoLead(value) => Self::NoLead { joint, value },
            AxisFault::Parallel(sin) => Self::ParallelAxes { joint, sin },
        }
    }
}

impl<F: fmt::Display> ModelError<F> {
    /// The messages about numbers.
    fn fmt_number(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite {
                element,
                quantity,
                value,
            } => write!(
                f,
                "{element}: {quantity} is {value}, expected a finite number"
            ),
            Self::Negative {
                element,
                quantity,
                value,
            } => write!(
                f,
                "{element}: {quantity} is {value}, expected a number >= 0"
            ),
            other => other.fmt_joint(f),
        }
    }

    /// The messages about joints and shapes.
    fn fmt_joint(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAxis { joint, value } => write!(
                f,
                "joint {joint}: axis of length {value}, expected a finite length > 0"
            ),
            Self::NoLead { joint, value } => write!(
                f,
                "joint {joint}: lead is {value}, expected a finite number"
            ),
            Self::ParallelAxes { joint, sin } => write!(
                f,
                "joint {joint}: axes with a sine of {sin:e} between them, expected axes that are not \
                 parallel"
            ),
            Self::NeedsOneCoordinate {
                joint,
                quantity,
                found,
            } => write!(
                f,
                "joint {joint}: {quantity} on a joint of {found} coordinates, expected a joint of one"
            ),
            Self::LimitedMotion { joint } => write!(
                f,
                "joint {joint}: limits on a coordinate that a motion prescribes, expected one or the \
                 other"
            ),
            Self::EmptyLimits {
                joint,
                lower,
                upper,
            } => write!(
                f,
                "joint {joint}: limits from {lower} to {upper}, expected lower < upper"
            ),
            Self::NoInertia {
                joint,
                coordinate,
                value,
            } => write!(
                f,
                "joint {joint}: coordinate {coordinate} moves an inertia of {value:e}, expected a \
                 positive number above round-off"
            ),
            Self::Shape { shape, source } => write!(f, "shape {shape}: {source}"),
            _ => Ok(()),
        }
    }
}

impl<F: std::error::Error + 'static> std::error::Error for ModelError<F> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Shape { source, .. } => Some(source),
            _ => None,
        }
    }
}
