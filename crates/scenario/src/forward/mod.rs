//! Forward problems: files of their own, or scenarios at their start.

mod contact;
mod raw;
mod stated;

pub(crate) use raw::RawForward;
pub(crate) use stated::RawStatedForward;

use carom_contact::forward::rod::Rod;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::space::{SpatialForward, SpatialForwardProblem, StatedForward};
use carom_contact::forward::{ForwardInputError, ForwardProblem};
use carom_contact::impact::Law;
use carom_sim::instant::Instant;

use crate::document::{self, Document, Override, Source, Value};
use crate::file::Kind;
use crate::problem::at_line;
use crate::scenario::spot::Placed;
use crate::{InputError, scenario};

/// A forward problem as read, with what it needs to explain itself.
#[derive(Debug, Clone)]
pub struct ForwardFile {
    /// Title, if the file has one.
    pub title: Option<String>,
    /// The problem, in the form it was written in.
    pub form: ForwardForm,
    file: Placed,
}

/// The forms a forward problem is written in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ForwardForm {
    /// Matrices, forces and contacts.
    General {
        /// The problem.
        problem: Box<ForwardProblem>,
        /// Restitution of the impact that may follow.
        restitution: f64,
        /// Its law.
        law: Law,
    },
    /// Matrices, forces and contacts in space.
    Space {
        /// The problem.
        problem: Box<SpatialForwardProblem>,
        /// The impact that may follow.
        after: JumpLaw,
    },
    /// Contacts in space, stated in contact space.
    ContactSpace {
        /// The problem.
        problem: Box<StatedForward>,
        /// The impact that may follow.
        after: JumpLaw,
    },
    /// A mass raised by a screw.
    Screw(Screw),
    /// A rod on a floor.
    Rod(Box<Rod>),
    /// A scenario at its start.
    Instant(Box<Instant>),
}

/// The impact that may follow where no acceleration is consistent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpLaw {
    /// Its restitution.
    pub restitution: f64,
    /// Its law.
    pub law: Law,
}

impl ForwardForm {
    /// The problem in matrices; refused where contacts are in space ([`Self::posed`]).
    pub fn problem(&self) -> Result<ForwardProblem, ForwardInputError> {
        match self {
            Self::General { problem, .. } => Ok((**problem).clone()),
            Self::Screw(screw) => screw.problem(),
            Self::Rod(rod) => rod.problem(),
            Self::Instant(instant) if instant.space.is_none() => Ok(instant.problem.clone()),
            Self::Instant(_) | Self::Space { .. } | Self::ContactSpace { .. } => {
                Err(ForwardInputError::InSpace)
            }
        }
    }

    /// The problem at its contacts and joints, where contacts are in space.
    pub fn posed(&self) -> Option<Result<SpatialForward, ForwardInputError>> {
        match self {
            Self::Space { problem, .. } => Some(problem.pose()),
            Self::ContactSpace { problem, .. } => Some(problem.pose()),
            Self::Instant(instant) => instant.space.as_deref().cloned().map(Ok),
            _ => None,
        }
    }

    /// The impact that may follow where no acceleration is consistent.
    pub fn jump_law(&self) -> JumpLaw {
        let of = |restitution, law| JumpLaw { restitution, law };
        match self {
            Self::General {
                restitution, law, ..
            } => of(*restitution, *law),
            Self::Space { after, .. } | Self::ContactSpace { after, .. } => *after,
            Self::Screw(_) => of(0.0, Law::Poisson),
            Self::Rod(rod) => of(rod.restitution, rod.law),
            Self::Instant(instant) => of(instant.restitution, instant.law),
        }
    }

    /// Whether contacts are in space.
    pub fn is_in_space(&self) -> bool {
        match self {
            Self::Space { .. } | Self::ContactSpace { .. } => true,
            Self::Instant(instant) => instant.space.is_some(),
            _ => false,
        }
    }
}

impl ForwardFile {
    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The problem in matrices.
    pub fn problem(&self) -> Result<ForwardProblem, InputError> {
        self.form.problem().map_err(|error| self.locate(&error))
    }

    /// Points an error of the physics at the place in the file it is about.
    pub fn locate(&self, error: &ForwardInputError) -> InputError {
        let path = match self.form {
            ForwardForm::Instant(_) => String::new(),
            _ => error.path(),
        };
        self.file.error(&path, error.to_string())
    }

    /// An error about the file as a whole.
    pub fn refuse(&self, message: impl Into<String>) -> InputError {
        self.file.error("", message)
    }

    /// The full path of a parameter: as typed, or inside the `screw` or `rod` of the file.
    pub fn parameter(&self, typed: &str) -> String {
        let first = typed.split(['.', '[']).next().unwrap_or(typed);
        let inside = match self.form {
            ForwardForm::Screw(_) => "screw",
            ForwardForm::Rod(_) => "rod",
            _ => return typed.to_owned(),
        };
        match first == inside {
            true => typed.to_owned(),
            false => format!("{inside}.{typed}"),
        }
    }

    /// The same file with numbers at paths changed.
    pub fn with(&self, numbers: &[Override]) -> Result<Self, InputError> {
        let document = self.file.document.clone().with(numbers)?;
        read_document(self.file.source(), document, self.file.line)
    }
}

/// Reads a forward problem, or a scenario at its start, from a text after applying overrides.
///
/// ```
/// let rod = carom_scenario::read_forward("rod.toml", r#"
/// [rod]
/// mass = 1
/// half_length = 0.5
/// angle = "120 deg"
/// slip = 1
/// friction = 1.8
/// "#, &[])?;
/// assert_eq!(rod.problem()?.contacts.len(), 1);
/// # Ok::<(), carom_scenario::InputError>(())
/// ```
pub fn read_forward(
    name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<ForwardFile, InputError> {
    let source = Source { name, text };
    read_document(source, Document::parse(source)?.with(overrides)?, 1)
}

/// Reads a forward problem or scenario in JSON that stands on line `line` (from 1) of a stream.
pub fn read_forward_in(
    name: &str,
    line: usize,
    text: &str,
    overrides: &[Override],
) -> Result<ForwardFile, InputError> {
    let source = Source { name, text };
    let read = Document::parse_json(source).and_then(|document| document.with(overrides));
    read_document(source, read.map_err(|error| at_line(error, line))?, line)
}

/// Reads a document whose overrides are applied.
pub(crate) fn read_document(
    source: Source<'_>,
    document: Document,
    line: usize,
) -> Result<ForwardFile, InputError> {
    let moved = |error| at_line(error, line);
    let file = Placed {
        name: source.name.to_owned(),
        text: source.text.to_owned(),
        document,
        line,
    };
    let (title, form) = match Kind::of(&file.document) {
        Kind::Scenario => {
            let scenario = scenario::read_document(source, file.document.clone(), line)?;
            let instant = scenario.instant()?;
            (scenario.title, ForwardForm::Instant(Box::new(instant)))
        }
        Kind::Problem | Kind::Forward => {
            refuse_other_files(&file)?;
            match stated::is_stated(&file)? {
                true => {
                    let raw: RawStatedForward =
                        document::read(source, &file.document).map_err(moved)?;
                    (raw.title.clone(), raw.form())
                }
                false => {
                    let raw: RawForward = document::read(source, &file.document).map_err(moved)?;
                    (raw.title.clone(), raw.form(&file)?)
                }
            }
        }
    };
    let file = ForwardFile { title, form, file };
    let checked = match file.form.posed() {
        Some(posed) => posed.map(|_| ()),
        None => file.problem()?.check(),
    };
    checked.map_err(|error| file.locate(&error))?;
    Ok(file)
}

/// An impact problem, a run, or something that is no table, is told apart from a forward problem.
fn refuse_other_files(file: &Placed) -> Result<(), InputError> {
    let Value::Table(entries) = &file.document.root.value else {
        let found = file.document.root.value.describe();
        let message =
            format!("found {found}, expected a table with inertia, screw, rod or delassus");
        return Err(file.error("", message));
    };
    for (key, ..) in entries {
        let kind = match key.as_str() {
            "mass" | "constraints" | "contact_velocity" => {
                "an impact problem, which `carom impact` reads"
            }
            "end" | "events" => "a run",
            _ => continue,
        };
        let message = format!(
            "the key \"{key}\" belongs to {kind}; expected a forward problem with inertia, screw or \
             rod, or with delassus and drift, or a scenario"
        );
        return Err(file.key_error(key, message));
    }
    Ok(())
}
