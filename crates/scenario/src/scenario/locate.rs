//! Errors of the layers below, pointed at the key they are about.

use carom_contact::impact::{ImpactInputError, ImpactProblem};
use carom_multibody::ModelError;
use carom_sim::SimError;

use super::dialect::Dialect;
use super::{Parts, Scenario};
use crate::InputError;

impl Scenario {
    /// Points an error of a run at the place in the file it is about.
    pub fn locate(&self, error: &SimError) -> InputError {
        let path = match error {
            SimError::Overlap { contact, .. }
            | SimError::Apart { contact, .. }
            | SimError::Impact { contact, .. } => self.contact_path(contact),
            SimError::Open { joint, .. } => format!("joints.{joint}"),
            SimError::OutOfRange { which, .. } if which == "duration" => "run.duration".to_owned(),
            SimError::Order { .. } => "run.order".to_owned(),
            SimError::NoContacts => "contacts".to_owned(),
            SimError::Motion { .. } => "run".to_owned(),
            _ => String::new(),
        };
        self.file.error(&path, error.to_string())
    }

    /// Points an error of the collision at the start at the contact it is about.
    pub fn locate_impact(&self, problem: &ImpactProblem, error: &ImpactInputError) -> InputError {
        let path = error.path();
        let number = path.strip_prefix("contacts[").and_then(|rest| {
            let (number, _) = rest.split_once(']')?;
            number.parse::<usize>().ok()
        });
        let contact = number.and_then(|i| problem.contacts.get(i));
        let message = match error {
            // The file names neither: they are asked for.
            ImpactInputError::LawRefused { .. }
            | ImpactInputError::NotTangential { .. }
            | ImpactInputError::MethodRefused { .. } => {
                return InputError::whole(&self.file.name, error.to_string());
            }
            other => other.to_string(),
        };
        let path = contact.map_or("contacts".to_owned(), |c| self.contact_path(&c.name));
        self.file.error(&path, message)
    }

    /// Where a contact of the run was written: a pair of shapes, or a stop of a joint.
    pub(super) fn contact_path(&self, contact: &str) -> String {
        let (name, part) = contact.split_once('.').unwrap_or((contact, ""));
        if matches!(part, "lower" | "upper") {
            return format!("joints.{name}.limits.{part}");
        }
        format!("contacts.{name}")
    }

    /// Points an error of a pair of shapes at its `between`.
    pub(super) fn locate_pair(&self, contact: &str, why: String) -> InputError {
        self.file.error(&format!("contacts.{contact}.between"), why)
    }

    /// Points an error of the model at the key it is about.
    pub(super) fn locate_model<A: Dialect>(
        &self,
        parts: &Parts<A>,
        error: &ModelError<A::ShapeFault>,
    ) -> InputError {
        let said = error.to_string();
        match error {
            ModelError::NameTaken { what, name } => {
                let table = if *what == "body" { "bodies" } else { "joints" };
                self.file.key_error(&format!("{table}.{name}"), said)
            }
            ModelError::Shape { shape, source } => {
                let path = shape_path(shape, &A::fault_key(source));
                self.file.error(&path, source.to_string())
            }
            ModelError::NoInertia { joint, .. } => {
                let path = inertia_path(parts, joint);
                let said = match path.ends_with(".mass") {
                    true => format!("no mass, and {said}"),
                    false => said,
                };
                self.file.error(&path, said)
            }
            ModelError::NeedsOneCoordinate {
                joint, quantity, ..
            }
            | ModelError::ActsOnClosure { joint, quantity } => {
                let path = format!("joints.{joint}.{quantity}");
                self.file.key_error(&path, bare(&said))
            }
            ModelError::NoAxis { joint, .. } | ModelError::ParallelAxes { joint, .. } => {
                let joint = format!("joints.{joint}");
                let has_two = self.file.has(&joint, "axes");
                let key = ["axis", "axes"][usize::from(has_two)];
                self.file.error(&format!("{joint}.{key}"), bare(&said))
            }
            other => self.file.error(&model_path(other), bare(&said)),
        }
    }
}

/// The key of a shape, or of the number of it that is refused.
fn shape_path(shape: &str, key: &str) -> String {
    let path = match shape.split_once('.') {
        Some(("world", name)) => format!("world.shapes.{name}"),
        Some((body, name)) => format!("bodies.{body}.shapes.{name}"),
        None => String::new(),
    };
    format!("{path}.{key}").trim_end_matches('.').to_owned()
}

/// The number of the child that leaves a coordinate without inertia.
fn inertia_path<A: Dialect>(parts: &Parts<A>, joint: &str) -> String {
    let joints = parts.joints.iter();
    let child = joints
        .filter(|(name, _)| name == joint)
        .map(|(_, joint)| joint.child.as_str())
        .next()
        .unwrap_or(joint);
    let body = parts.bodies.iter().find(|(name, _)| name == child);
    match body {
        Some((name, body)) if body.mass == 0.0 => format!("bodies.{name}.mass"),
        Some((name, body)) if A::least_inertia(body.inertia) == 0.0 => {
            format!("bodies.{name}.inertia")
        }
        _ => format!("joints.{joint}"),
    }
}

/// A message without the element at its head, which the path names already.
fn bare(message: &str) -> &str {
    let is_element = |head: &str| {
        ["body ", "joint ", "load "]
            .iter()
            .any(|what| head.starts_with(what))
    };
    match message.split_once(": ") {
        Some((head, rest)) if is_element(head) => rest,
        _ => message,
    }
}

/// The key an error of the model is about.
fn model_path<F>(error: &ModelError<F>) -> String {
    match error {
        ModelError::UnknownBody { element, .. } => element_path(element),
        ModelError::WorldAsChild { joint }
        | ModelError::Cycle { joint, .. }
        | ModelError::JoinsItself { joint, .. } => {
            format!("joints.{joint}.child")
        }
        ModelError::NotFinite {
            element, quantity, ..
        }
        | ModelError::Negative {
            element, quantity, ..
        } => match element_path(element) {
            path if path.is_empty() => (*quantity).to_owned(),
            path => format!("{path}.{quantity}"),
        },
        ModelError::LimitedMotion { joint } | ModelError::EmptyLimits { joint, .. } => {
            format!("joints.{joint}.limits")
        }
        _ => String::new(),
    }
}

/// `body upper` is written at `bodies.upper`; the world at the root.
fn element_path(element: &str) -> String {
    match element.split_once(' ') {
        Some(("body", name)) => format!("bodies.{name}"),
        Some(("joint", name)) => format!("joints.{name}"),
        Some(("load", name)) => format!("loads.{name}"),
        _ => String::new(),
    }
}
