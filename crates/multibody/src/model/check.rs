//! Checks of the numbers and names a model is built from.

use std::collections::BTreeSet;

use super::{Body, Joint, Load, ModelError};
use crate::algebra::{Algebra, JointKind};
use crate::vector::Linear;

/// Names of one sort, each to be used once.
pub(super) struct Names<'a> {
    what: &'static str,
    taken: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(what: &'static str) -> Self {
        let taken = BTreeSet::new();
        Self { what, taken }
    }

    pub(super) fn take<F>(&mut self, name: &'a str) -> Result<(), ModelError<F>> {
        if self.taken.insert(name) {
            Ok(())
        } else {
            Err(ModelError::NameTaken {
                what: self.what,
                name: name.to_owned(),
            })
        }
    }
}

/// The element in whose name numbers are checked.
struct Element(String);

impl Element {
    fn finite<F>(&self, quantity: &'static str, value: impl Linear) -> Result<(), ModelError<F>> {
        match value.not_finite() {
            None => Ok(()),
            Some(value) => Err(ModelError::NotFinite {
                element: self.0.clone(),
                quantity,
                value,
            }),
        }
    }

    fn not_negative<F>(&self, quantity: &'static str, value: f64) -> Result<(), ModelError<F>> {
        self.finite(quantity, value)?;
        if value < 0.0 {
            return Err(ModelError::Negative {
                element: self.0.clone(),
                quantity,
                value,
            });
        }
        Ok(())
    }
}

type Check<A> = Result<(), ModelError<<A as Algebra>::ShapeFault>>;

pub(super) fn gravity<A: Algebra>(gravity: A::Vector) -> Check<A> {
    Element("world".to_owned()).finite("gravity", gravity)
}

pub(super) fn body<A: Algebra>(name: &str, body: &Body<A>) -> Check<A> {
    let element = Element(format!("body {name}"));
    element.not_negative("mass", body.mass)?;
    element.not_negative("inertia", A::least_inertia(body.inertia))?;
    element.finite("center", body.center)?;
    shapes::<A>(name, &body.shapes)
}

pub(super) fn shapes<A: Algebra>(body: &str, shapes: &[(String, A::Shape)]) -> Check<A> {
    let mut names = Names::of("shape");
    for (name, shape) in shapes {
        names.take(name)?;
        if let Some(source) = A::shape_fault(shape) {
            let shape = format!("{body}.{name}");
            return Err(ModelError::Shape { shape, source });
        }
    }
    Ok(())
}

pub(super) fn joint<A: Algebra>(name: &str, joint: &Joint<A>) -> Check<A> {
    let element = Element(format!("joint {name}"));
    element.finite("parent_at", joint.parent_at)?;
    element.finite("child_at", joint.child_at)?;
    element.not_negative("damping", joint.damping)?;
    let turned = A::rotation_fault(joint.parent_rotation).unwrap_or(0.0);
    element.finite("parent_rotation", turned)?;
    if let Some(spring) = joint.spring {
        element.not_negative("spring.stiffness", spring.stiffness)?;
        element.finite("spring.rest", spring.rest)?;
    }
    if let Some(drive) = joint.drive {
        element.finite("drive.amplitude", drive.amplitude)?;
        element.finite("drive.frequency", drive.frequency)?;
        element.finite("drive.phase", drive.phase)?;
    }
    motion::<A>(&element, joint)?;
    limits::<A>(name, &element, joint)?;
    one_coordinate(name, joint)
}

fn motion<A: Algebra>(element: &Element, joint: &Joint<A>) -> Check<A> {
    let Some(motion) = joint.motion else {
        return Ok(());
    };
    element.finite("motion.offset", motion.offset)?;
    element.finite("motion.rate", motion.rate)?;
    element.finite("motion.amplitude", motion.amplitude)?;
    element.finite("motion.frequency", motion.frequency)?;
    element.finite("motion.phase", motion.phase)
}

fn limits<A: Algebra>(name: &str, element: &Element, joint: &Joint<A>) -> Check<A> {
    let Some(limits) = joint.limits else {
        return Ok(());
    };
    element.not_negative("limits.restitution", limits.restitution)?;
    // An infinite limit is one that is never met; an undefined one fails the comparison.
    if limits.lower < limits.upper {
        return Ok(());
    }
    Err(ModelError::EmptyLimits {
        joint: name.to_owned(),
        lower: limits.lower,
        upper: limits.upper,
    })
}

fn one_coordinate<A: Algebra>(name: &str, joint: &Joint<A>) -> Check<A> {
    let found = joint.kind.rates();
    let given = [
        ("spring", joint.spring.is_some()),
        ("damping", joint.damping != 0.0),
        ("drive", joint.drive.is_some()),
        ("motion", joint.motion.is_some()),
        ("limits", joint.limits.is_some()),
    ];
    if joint.motion.is_some() && joint.limits.is_some() {
        let joint = name.to_owned();
        return Err(ModelError::LimitedMotion { joint });
    }
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((quantity, _)) if found != 1 => Err(ModelError::NeedsOneCoordinate {
            joint: name.to_owned(),
            quantity,
            found,
        }),
        _ => Ok(()),
    }
}

/// A joint that closes a loop only holds: nothing acts along its coordinate.
pub(super) fn closure<A: Algebra>(name: &str, joint: &Joint<A>) -> Check<A> {
    if joint.parent == joint.child {
        return Err(ModelError::JoinsItself {
            joint: name.to_owned(),
            body: joint.child.clone(),
        });
    }
    let given = [
        ("spring", joint.spring.is_some()),
        ("damping", joint.damping != 0.0),
        ("drive", joint.drive.is_some()),
        ("motion", joint.motion.is_some()),
        ("limits", joint.limits.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((quantity, _)) => Err(ModelError::ActsOnClosure {
            joint: name.to_owned(),
            quantity,
        }),
        None => Ok(()),
    }
}

pub(super) fn load<A: Algebra>(name: &str, load: &Load<A>) -> Check<A> {
    let element = Element(format!("load {name}"));
    element.finite("at", load.at)?;
    element.finite("force", load.force.constant)?;
    element.finite("force.amplitude", load.force.amplitude)?;
    element.finite("force.frequency", load.force.frequency)?;
    element.finite("force.phase", load.force.phase)?;
    element.finite("torque", load.torque.constant)?;
    element.finite("torque.amplitude", load.torque.amplitude)?;
    element.finite("torque.frequency", load.torque.frequency)?;
    element.finite("torque.phase", load.torque.phase)
}
