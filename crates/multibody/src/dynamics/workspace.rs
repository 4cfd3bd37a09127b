//! The arrays every algorithm works in.

use crate::algebra::{Algebra, Pose, Twist, Wrench};
use crate::model::Model;

/// Kinematics of one body: reference point at the origin of its frame, world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moving<A: Algebra> {
    pub(crate) pose: Pose<A>,
    pub(crate) twist: Twist<A>,
    /// From the parent's origin to its own (m).
    pub(crate) r: A::Vector,
    /// From the joint to its own origin (m).
    pub(crate) arm: A::Vector,
    /// What its acceleration has beyond the parent's when the free rates do not change.
    pub(crate) drift: Twist<A>,
    /// Acceleration when the free rates do not change, minus gravity.
    pub(crate) carried: Twist<A>,
}

/// Inertia and forces of one body at its reference point, world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inert<A: Algebra> {
    pub(crate) inertia: A::Inertia,
    /// `V ×* I V` minus the loads: the force at no acceleration.
    pub(crate) force: Wrench<A>,
}

/// What is felt of a subtree whose joints give way, at the reference point of its first body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Felt<A: Algebra> {
    pub(crate) inertia: A::Yielding,
    /// The force at no acceleration.
    pub(crate) force: Wrench<A>,
}

/// Results of the elimination of one rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pivot<A: Algebra> {
    pub(crate) u: Wrench<A>,
    /// `1/d`
    pub(crate) inverse: f64,
    pub(crate) excess: f64,
}

/// Energies and powers that the placing finds on its way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) spring_energy: f64,
    pub(crate) damping: f64,
    pub(crate) drives: f64,
    pub(crate) loads: f64,
}

/// Work arrays for one model, reusable for any number of states.
#[derive(Debug, Clone)]
pub struct Workspace<A: Algebra> {
    /// Instant of the placing (s).
    pub(crate) t: f64,
    /// Whether `inert` belongs to the present placing.
    pub(crate) is_weighed: bool,
    pub(crate) moving: Vec<Moving<A>>,
    pub(crate) inert: Vec<Inert<A>>,
    /// Twist per unit of each rate, at the body's origin.
    pub(crate) columns: Vec<Twist<A>>,
    /// Every rate, prescribed ones included.
    pub(crate) rates: Vec<f64>,
    /// Force of spring, damper and drive along each rate.
    pub(crate) passive: Vec<f64>,
    pub(crate) found: Found,
    // Written by each algorithm for itself.
    pub(crate) subtree: Vec<Felt<A>>,
    pub(crate) composite: Vec<A::Inertia>,
    pub(crate) pivots: Vec<Pivot<A>>,
    pub(crate) accelerations: Vec<Twist<A>>,
    pub(crate) wrenches: Vec<Wrench<A>>,
}

impl<A: Algebra> Workspace<A> {
    pub(crate) fn new(model: &Model<A>) -> Self {
        let (bodies, columns) = (model.nodes.len(), model.columns);
        Self {
            t: 0.0,
            is_weighed: false,
            moving: vec![Moving::default(); bodies],
            inert: vec![Inert::default(); bodies],
            columns: vec![Twist::default(); columns],
            rates: vec![0.0; columns],
            passive: vec![0.0; columns],
            found: Found::default(),
            subtree: vec![Felt::default(); bodies],
            composite: vec![A::Inertia::default(); bodies],
            pivots: vec![Pivot::default(); columns],
            accelerations: vec![Twist::default(); bodies],
            wrenches: vec![Wrench::default(); bodies],
        }
    }
}

impl<A: Algebra> Default for Moving<A> {
    fn default() -> Self {
        Self {
            pose: Pose::default(),
            twist: Twist::default(),
            r: A::Vector::default(),
            arm: A::Vector::default(),
            drift: Twist::default(),
            carried: Twist::default(),
        }
    }
}

impl<A: Algebra> Default for Inert<A> {
    fn default() -> Self {
        Self {
            inertia: A::Inertia::default(),
            force: Wrench::default(),
        }
    }
}

impl<A: Algebra> Default for Felt<A> {
    fn default() -> Self {
        Self {
            inertia: A::Yielding::default(),
            force: Wrench::default(),
        }
    }
}

impl<A: Algebra> Default for Pivot<A> {
    fn default() -> Self {
        Self {
            u: Wrench::default(),
            inverse: f64::default(),
            excess: f64::default(),
        }
    }
}
