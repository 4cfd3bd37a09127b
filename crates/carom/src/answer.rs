//! One problem file in, one answer out.

use carom_contact::impact::planar::ImpulsePlane;
use carom_contact::impact::{ImpactInputError, ImpactPicture, ImpactResult, Method};
use carom_report::{Heading, figure, impact_html, impact_table, picture_part};
use carom_scenario::{InputError, ProblemFile};
use serde::{Serialize, Serializer};

use crate::left_out::{self, LeftOut};

/// The answer to an impact problem: one result per law.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// One result per law, in the order of [`crate::Law::ALL`].
    pub results: Vec<ImpactResult>,
    /// Every law was asked for (the default), not one.
    pub is_all: bool,
    /// Where every law was asked for: those not offered for several contacts, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// One law: its result. All laws: `{"results": […]}`, and `left_out` where there is such a law.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct All<'a> {
            results: &'a [ImpactResult],
            #[serde(skip_serializing_if = "<[LeftOut]>::is_empty")]
            left_out: &'a [LeftOut],
        }
        match (&self.results[..], self.is_all) {
            ([result], false) => result.serialize(serializer),
            (results, _) => {
                let left_out = &self.left_out;
                All { results, left_out }.serialize(serializer)
            }
        }
    }
}

/// Solves the problem of a file by the law it names, or by all that the problem has.
pub fn impact(file: &ProblemFile) -> Result<Answer, InputError> {
    impact_by(file, &[file.method])
}

/// The same by several methods, one after another.
pub fn impact_by(file: &ProblemFile, methods: &[Method]) -> Result<Answer, InputError> {
    let locate = |error| file.locate(&error);
    let prepared = file.prepare().map_err(locate)?;
    let is_all = file.law.is_none() || methods.len() > 1;
    let (mut results, mut left_out, mut first) = (Vec::new(), Vec::new(), None);
    let laws = file.laws();
    let each = methods
        .iter()
        .flat_map(|m| laws.iter().map(move |law| (*m, *law)));
    for (method, law) in each {
        let solved = match (method, &file.order) {
            (Method::Sequential, Some(order)) => prepared.solve_in_order(law, order),
            (method, _) => prepared.solve(law, method),
        };
        match solved {
            Ok(result) => results.push(result),
            Err(error) if is_all && is_refusal(&error) => {
                let reason = error.to_string();
                first = first.or(Some(error));
                left_out.push(LeftOut {
                    law,
                    method,
                    reason,
                });
            }
            Err(error) => return Err(locate(error)),
        }
    }
    if let (Some(error), []) = (first, &results[..]) {
        return Err(locate(error));
    }
    Ok(Answer {
        results,
        is_all,
        left_out,
    })
}

/// Whether a law or a method is not offered for contacts that are well posed.
fn is_refusal(error: &ImpactInputError) -> bool {
    matches!(
        error,
        ImpactInputError::LawRefused { .. }
            | ImpactInputError::NotTangential { .. }
            | ImpactInputError::MethodRefused { .. }
    )
}

/// Checks a file as far as solving it would, and says what it holds.
pub fn check(file: &ProblemFile) -> Result<String, InputError> {
    impact(file)?;
    let problem = &file.problem;
    let rows: usize = problem.constraints.iter().map(|c| c.rows.len()).sum();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    if let Some(stated) = &file.contact_space {
        let rows = stated.contact_velocity.len() / stated.contacts.len();
        let stack = ["n", "n, t", "n, t1, t2"][rows - 1];
        let contacts = count(stated.contacts.len(), "contact");
        return Ok(format!(
            "impact problem in contact space ({stack}) with {contacts}"
        ));
    }
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
    let prepared = file.prepare().map_err(locate)?;
    prepared.diagram(&file.laws()).map_err(locate)
}

/// The impulse plane of a problem, drawn.
pub fn impulse_plane_svg(file: &ProblemFile) -> Result<String, InputError> {
    let title = file.title.as_deref().unwrap_or(file.name());
    Ok(figure::impulse_plane_svg(&impulse_plane(file)?, title))
}

/// What there is to draw of the one contact of a problem: its impulse plane, or in space its hodograph.
pub fn impact_picture(file: &ProblemFile) -> Result<ImpactPicture, InputError> {
    let locate = |error| file.locate(&error);
    let prepared = file.prepare().map_err(locate)?;
    prepared.picture(&file.laws()).map_err(locate)
}

/// That picture, drawn.
pub fn picture_svg(file: &ProblemFile, picture: &ImpactPicture) -> String {
    let title = file.title.as_deref().unwrap_or(file.name());
    figure::impact_svg(picture, title)
}

/// The answer as a table for people, with `digits` significant digits.
pub fn table(file: &ProblemFile, answer: &Answer, digits: usize) -> String {
    let mut table = impact_table(&heading(file, digits), &file.problem, &answer.results);
    table.push_str(&left_out::lines(&answer.left_out));
    table
}

fn heading(file: &ProblemFile, digits: usize) -> Heading<'_> {
    Heading {
        title: file.title.as_deref(),
        file: file.name(),
        digits,
        angles: &file.angles,
    }
}

/// The answer as one page that needs no network, with the impulse plane or hodograph where there is one.
pub fn impact_report(file: &ProblemFile, answer: &Answer, digits: usize) -> String {
    let left_out = left_out::sentences(&answer.left_out);
    let picture = impact_picture(file).ok(); // several contacts have none
    let picture = picture.map(|picture| picture_part(&picture, picture_svg(file, &picture)));
    impact_html(
        &heading(file, digits),
        &file.problem,
        &answer.results,
        &left_out,
        picture,
    )
}
