//! Impact problems: the file format, key by key.

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Constraint, Contact, ContactSpaceProblem, ImpactInputError, ImpactProblem, Law, Method,
    Prepared,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, value::MapAccessDeserializer};

use crate::InputError;
use crate::contact_space::{self, RawContactSpace};
use crate::document::{self, Document, Override, Source, Value};
use crate::names::{AnyLawOrAll, AnyMethod, Name};

/// An impact problem as read, with what it needs to explain itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ProblemFile {
    /// Title, if the file has one.
    pub title: Option<String>,
    /// The problem. Of one stated in contact space its contacts, without coordinates.
    pub problem: ImpactProblem,
    /// The statement in contact space, where the file has one.
    pub contact_space: Option<ContactSpaceProblem>,
    /// The law asked for; `None`: all, side by side.
    pub law: Option<Law>,
    /// The method asked for.
    pub method: Method,
    /// The order of a sequence, if one is stated.
    pub order: Option<Vec<usize>>,
    /// Of an event of a run: names of the contacts that are stops of an angle, with p_n in N·m·s and
    /// v_n in rad/s.
    pub angles: Vec<String>,
    name: String,
    text: String,
    document: Document,
    /// Line of the stream the text stands on, from 1.
    line: usize,
}

impl ProblemFile {
    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The problem checked and in contact space, ready to be solved.
    pub fn prepare(&self) -> Result<Prepared<'_>, ImpactInputError> {
        match &self.contact_space {
            Some(stated) => Prepared::stated(stated),
            None => Prepared::new(&self.problem),
        }
    }

    /// The laws to solve: the one asked for, or all.
    pub fn laws(&self) -> Vec<Law> {
        self.law.map_or_else(|| Law::ALL.to_vec(), |law| vec![law])
    }

    /// The contacts of a stated order, each once, by name.
    fn places(&self, names: &[String]) -> Result<Vec<usize>, InputError> {
        let contacts = &self.problem.contacts;
        let place = |name: &String| contacts.iter().position(|c| c.name == *name);
        let places: Option<Vec<usize>> = names.iter().map(place).collect();
        let is_whole = |places: &Vec<usize>| {
            places.len() == contacts.len() && (0..contacts.len()).all(|i| places.contains(&i))
        };
        places.filter(is_whole).ok_or_else(|| {
            let known: Vec<&str> = contacts.iter().map(|c| c.name.as_str()).collect();
            let message = format!(
                "the order is [{}], expected each contact once: {}",
                names.join(", "),
                known.join(", ")
            );
            let source = Source {
                name: &self.name,
                text: &self.text,
            };
            let origin = &self.document.closest("order").origin;
            origin.error(source, "order", message)
        })
    }

    /// Points an error of the physics at the place in the file it is about.
    pub fn locate(&self, error: &ImpactInputError) -> InputError {
        let source = Source {
            name: &self.name,
            text: &self.text,
        };
        let path = error.path();
        let origin = &self.document.closest(&path).origin;
        // The path names the contact already.
        let message = error.to_string();
        let bare = message
            .split_once(": ")
            .filter(|(head, _)| path.starts_with("contacts[") && head.starts_with("contact "));
        let message = bare.map_or(message.as_str(), |(_, rest)| rest).to_owned();
        at_line(origin.error(source, &path, message), self.line)
    }
}

/// Reads an impact problem from a text, after applying overrides.
pub fn read_problem(
    name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<ProblemFile, InputError> {
    let source = Source { name, text };
    read_document(source, Document::parse(source)?.with(overrides)?, 1)
}

/// Reads a document whose overrides are applied, and which stands on line `line` of a stream.
pub(crate) fn read_document(
    source: Source<'_>,
    document: Document,
    line: usize,
) -> Result<ProblemFile, InputError> {
    match read_whole(source, document) {
        Ok(file) => Ok(ProblemFile { line, ..file }),
        Err(error) => Err(at_line(error, line)),
    }
}

fn read_whole(source: Source<'_>, document: Document) -> Result<ProblemFile, InputError> {
    refuse_other_files(source, &document)?;
    let asked = match contact_space::is_stated(source, &document)? {
        true => RawContactSpace::read(source, &document)?.into(),
        false => Question::of(document::read(source, &document)?, source, &document)?,
    };
    let mut file = ProblemFile {
        title: asked.title,
        order: None,
        angles: Vec::new(),
        law: asked.law,
        method: asked.method,
        problem: asked.problem,
        contact_space: asked.contact_space,
        name: source.name.to_owned(),
        text: source.text.to_owned(),
        document,
        line: 1,
    };
    let checked = match &file.contact_space {
        Some(stated) => stated
            .check()
            .and_then(|()| stated.contacts_alone().map(Some)),
        None => file.problem.check().map(|()| None),
    };
    if let Some(contacts) = checked.map_err(|error| file.locate(&error))? {
        file.problem = contacts;
    }
    file.order = asked.order.map(|names| file.places(&names)).transpose()?;
    Ok(file)
}

/// What a file asks, however it states it.
struct Question {
    title: Option<String>,
    problem: ImpactProblem,
    contact_space: Option<ContactSpaceProblem>,
    law: Option<Law>,
    method: Method,
    order: Option<Vec<String>>,
}

impl Question {
    fn of(raw: RawProblem, source: Source<'_>, document: &Document) -> Result<Self, InputError> {
        Ok(Self {
            title: raw.title.clone(),
            law: raw.law.and_then(Name::law),
            method: raw.method.map_or(Method::default(), Name::method),
            order: raw.order.clone(),
            contact_space: None,
            problem: raw.into_problem(source, document)?,
        })
    }
}

impl From<RawContactSpace> for Question {
    fn from(raw: RawContactSpace) -> Self {
        Self {
            title: raw.title.clone(),
            law: raw.law.and_then(Name::law),
            method: raw.method.map_or(Method::default(), Name::method),
            order: raw.order.clone(),
            problem: ImpactProblem {
                mass: Vec::new(),
                velocity: Vec::new(),
                contacts: Vec::new(),
                constraints: Vec::new(),
            },
            contact_space: Some(raw.into_problem()),
        }
    }
}

/// Reads an impact problem in JSON that stands on line `line` (from 1) of a stream.
pub fn read_problem_in(
    name: &str,
    line: usize,
    text: &str,
    overrides: &[Override],
) -> Result<ProblemFile, InputError> {
    let source = Source { name, text };
    let read = Document::parse_json(source).and_then(|document| document.with(overrides));
    read_document(source, read.map_err(|error| at_line(error, line))?, line)
}

/// An error that counts lines from its own text, moved to the line the text stands on.
pub(crate) fn at_line(error: InputError, line: usize) -> InputError {
    let is_placed = error.line.is_some() || line > 1;
    InputError {
        line: is_placed.then(|| error.line.unwrap_or(1) + line - 1),
        ..error
    }
}

fn name_by_position(problem: &mut ImpactProblem) {
    let contacts = problem.contacts.iter_mut().map(|c| &mut c.name);
    let constraints = problem.constraints.iter_mut().map(|c| &mut c.name);
    for (i, name) in contacts.enumerate().chain(constraints.enumerate()) {
        if name.is_empty() {
            *name = i.to_string();
        }
    }
}

/// Files of other kinds are told apart by name.
fn refuse_other_files(source: Source<'_>, document: &Document) -> Result<(), InputError> {
    let Value::Table(entries) = &document.root.value else {
        let found = document.root.value.describe();
        let message = format!("found {found}, expected a table with mass, velocity and contacts");
        return Err(document.root.origin.error(source, "", message));
    };
    for (key, origin, _) in entries {
        let kind = match key.as_str() {
            "bodies" | "joints" => "a scenario, which `carom run` simulates",
            "inertia" | "screw" | "rod" | "drift" => {
                "a forward problem, which `carom forward` reads"
            }
            "end" | "events" => "a run, of which `carom impact --event N` solves an impact again",
            _ => continue,
        };
        let message = format!(
            "the key \"{key}\" belongs to {kind}; expected an impact problem with mass, velocity and \
             contacts"
        );
        return Err(origin.error(source, key, message));
    }
    Ok(())
}

/// One collision of a mechanism: mass matrix, velocity before, contact rows.
///
/// SI units. The contact row gives the relative velocity of the bodies: `v_n = normal · velocity`,
/// positive when they separate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Carom impact problem")]
pub(crate) struct RawProblem {
    /// A title to show above the results.
    title: Option<String>,
    /// Mass matrix M, n rows of n numbers, symmetric and positive definite.
    #[schemars(length(min = 1))]
    mass: Vec<Vec<f64>>,
    /// Generalised velocity before the impact, n numbers.
    #[schemars(length(min = 1))]
    velocity: Vec<f64>,
    /// The contacts that close; several have friction in the plane only.
    #[schemars(length(min = 1))]
    contacts: Vec<RawContact>,
    /// Bilateral constraints; the impact leaves their rates as they are. Default: none.
    #[serde(default)]
    constraints: Vec<RawConstraint>,
    /// Law of restitution. Default: all, side by side.
    law: Option<Name<AnyLawOrAll>>,
    /// How several contacts are solved together; one contact has the same answer by each.
    /// Default: complementarity.
    method: Option<Name<AnyMethod>>,
    /// For the method sequential: names of all contacts in the order in which they collide. Default:
    /// every order of up to six contacts, else as they are listed.
    order: Option<Vec<String>>,
}

/// A contact: Jacobian rows and coefficients.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawContact {
    /// Name. Default: its position, from 0.
    name: Option<String>,
    /// Jacobian row of the normal velocity, n numbers; positive velocity separates.
    normal: Vec<f64>,
    /// Jacobian row of the tangent velocity in the plane, n numbers. Without tangents the contact is
    /// frictionless.
    tangent: Option<Vec<f64>>,
    /// Jacobian rows of the velocities along t1 and t2 in space, n numbers each; in place of
    /// `tangent`.
    tangents: Option<[Vec<f64>; 2]>,
    /// Coefficient of friction, or a static and a kinetic one. Required with a tangent.
    friction: Option<RawFriction>,
    /// Coefficient of restitution, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    restitution: f64,
    /// Coefficient of tangential restitution, from 0 to 1, of the law newton: where friction holds it the slip
    /// comes back by it. Default: none.
    #[schemars(range(min = 0.0, max = 1.0))]
    tangential_restitution: Option<f64>,
    /// Stiffness beside that of the other contacts, for the method `path`. Default 1.
    stiffness: Option<f64>,
}

/// Bilateral constraint rows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawConstraint {
    /// Name. Default: its position, from 0.
    name: Option<String>,
    /// Rows of n numbers; `row · velocity` is not changed by the impact.
    rows: Vec<Vec<f64>>,
}

/// Friction as a file has it, one number or a pair, with the place of every fault.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawFriction(pub(crate) GivenFriction);

/// A static and a kinetic coefficient of friction, static >= kinetic >= 0.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct FrictionTable {
    /// Coefficient that holds a contact at rest.
    #[schemars(range(min = 0.0))]
    r#static: f64,
    /// Coefficient that acts while it slips.
    #[schemars(range(min = 0.0))]
    kinetic: f64,
}

impl<'de> Deserialize<'de> for RawFriction {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> de::Visitor<'de> for Either {
            type Value = RawFriction;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number or a table {static, kinetic}")
            }

            fn visit_f64<E>(self, mu: f64) -> Result<RawFriction, E> {
                Ok(RawFriction(mu.into()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<RawFriction, A::Error> {
                let table = FrictionTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawFriction(GivenFriction {
                    mu_s: table.r#static,
                    mu_d: table.kinetic,
                }))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for RawFriction {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Friction".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let table = generator.subschema_for::<FrictionTable>();
        schemars::json_schema!({ "anyOf": [{ "type": "number", "minimum": 0 }, table] })
    }
}

/// Contact `i` has a tangent and no coefficient of friction.
pub(crate) fn friction_is_missing(source: Source<'_>, document: &Document, i: usize) -> InputError {
    let path = format!("contacts[{i}]");
    let message = "the key \"friction\" is missing, expected a number or {static, \
                   kinetic} (leave out the tangents for a frictionless contact)";
    let origin = &document.closest(&path).origin;
    origin.error(source, &path, message.to_owned())
}

impl RawProblem {
    fn into_problem(
        self,
        source: Source<'_>,
        document: &Document,
    ) -> Result<ImpactProblem, InputError> {
        let mut contacts = Vec::with_capacity(self.contacts.len());
        for (i, raw) in self.contacts.into_iter().enumerate() {
            let has_tangent = raw.tangent.is_some() || raw.tangents.is_some();
            if has_tangent && raw.friction.is_none() {
                return Err(friction_is_missing(source, document, i));
            }
            let friction = raw.friction.unwrap_or_default().0;
            contacts.push(Contact {
                name: raw.name.unwrap_or_default(),
                normal: raw.normal,
                tangent: raw.tangent,
                tangents: raw.tangents,
                friction,
                restitution: raw.restitution,
                tangential_restitution: raw.tangential_restitution,
                stiffness: raw.stiffness.unwrap_or(Contact::EQUAL_STIFFNESS),
            });
        }
        let constraint = |raw: RawConstraint| Constraint {
            name: raw.name.unwrap_or_default(),
            rows: raw.rows,
        };
        let mut problem = ImpactProblem {
            mass: self.mass,
            velocity: self.velocity,
            contacts,
            constraints: self.constraints.into_iter().map(constraint).collect(),
        };
        name_by_position(&mut problem);
        Ok(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_written_as_the_reader_reads_it() {
        for example in crate::examples::PROBLEMS {
            let file = read_problem(example.file, example.text, &[]).unwrap();
            let text = serde_json::to_string(&file.problem).unwrap();
            let again = read_problem("again.json", &text, &[]);
            let again = again.unwrap_or_else(|error| panic!("{}: {error}", example.name));
            assert_eq!(again.problem, file.problem, "{text}");
        }
    }

    #[test]
    fn two_tangents_are_read_and_an_impulse_plane_that_is_not_there_points_at_them() {
        let text = r#"{"mass": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "velocity": [-1, 0.5, 0.2],
            "contacts": [{"normal": [1, 0.1, 0], "tangents": [[0, 1, 0], [0, 0, 1]],
                          "friction": 0.3, "restitution": 0.5}]}"#;
        let file = read_problem("space.json", text, &[]).unwrap();
        assert!(file.problem.contacts[0].tangents.is_some());
        let written = serde_json::to_string(&file.problem).unwrap();
        let again = read_problem("again.json", &written, &[]).unwrap();
        assert_eq!(again.problem, file.problem);
        let prepared = carom_contact::impact::Prepared::new(&file.problem).unwrap();
        assert!(prepared.solve(Law::Newton, file.method).is_ok());
        let error = file.locate(&prepared.diagram(&[Law::Newton]).unwrap_err());
        assert_eq!(error.path.as_deref(), Some("contacts[0].tangents"));
        assert_eq!(error.line, Some(2));
    }
}
