//! One problem file in, one answer out.

use carom_contact::impact::planar::ImpulsePlane;
use carom_contact::impact::{ImpactResult, Prepared};
use carom_report::{Heading, figure, impact_table};
use carom_scenario::{InputError, ProblemFile};
use serde::{Serialize, Serializer};

/// The answer to an impact problem: one result per law.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// One result per law, in the order of [`crate::Law::ALL`].
    pub results: Vec<ImpactResult>,
    /// Every law was asked for (the default), not one.
    pub is_all: bool,
}

/// One law: its result. All laws: `{"results": […]}`.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct All<'a> {
            results: &'a [ImpactResult],
        }
        match (&self.results[..], self.is_all) {
            ([result], false) => result.serialize(serializer),
            (results, _) => All { results }.serialize(serializer),
        }
    }
}

/// Solves the problem of a file by the law it names, or by all.
pub fn impact(file: &ProblemFile) -> Result<Answer, InputError> {
    let locate = |error| file.locate(&error);
    let prepared = Prepared::new(&file.problem).map_err(locate)?;
    let results = file
        .laws()
        .into_iter()
        .map(|law| prepared.solve(law, file.method));
    Ok(Answer {
        results: results.collect::<Result<_, _>>().map_err(locate)?,
        is_all: file.law.is_none(),
    })
}

/// Checks a file as far as solving it would, and says what it holds.
pub fn check(file: &ProblemFile) -> Result<String, InputError> {
    impact(file)?;
    let problem = &file.problem;
    let rows: usize = problem.constraints.iter().map(|c| c.rows.len()).sum();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    Ok(format!(
        "impact problem with {}, {}, {}",
        count(problem.velocity.len(), "coordinate"),
        count(problem.contacts.len(), "contact"),
        count(rows, "constraint row")
    ))
}

/// The impulse plane of a problem, as data.
pub fn impulse_plane(file: &ProblemFile) -> Result<ImpulsePlane, InputError> {
    let locate = |error| file.locate(&error);
    let prepared = Prepared::new(&file.problem).map_err(locate)?;
    prepared.diagram(&file.laws()).map_err(locate)
}

/// The impulse plane of a problem, drawn.
pub fn impulse_plane_svg(file: &ProblemFile) -> Result<String, InputError> {
    let title = file.title.as_deref().unwrap_or(file.name());
    Ok(figure::impulse_plane_svg(&impulse_plane(file)?, title))
}

/// The answer as a table for people, with `digits` significant digits.
pub fn table(file: &ProblemFile, answer: &Answer, digits: usize) -> String {
    let heading = Heading {
        title: file.title.as_deref(),
        file: file.name(),
        digits,
    };
    impact_table(&heading, &file.problem, &answer.results)
}
