//! One impact as a page: laws side by side, the impulse plane, the phases in words.

use carom_contact::impact::{ImpactPicture, ImpactProblem, ImpactResult, Method};

use super::parts::{Part, page_html};
use super::phases::{Met, Struck, Units, law_name, law_words, steps};
use super::summary::sentence;
use crate::collision::{CollisionResult, joint_rows};
use crate::outcomes::outcome_tables;
use crate::path::path_rows;
use crate::table::{self, Heading};

/// The answer to an impact problem, complete in one file.
///
/// `left_out` says why laws are missing, `picture` is the drawing of the impulse plane or, in space, of the
/// hodograph: [`picture_part`].
pub fn impact_html(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
    left_out: &[String],
    picture: Option<Part>,
) -> String {
    page(heading, problem, results, left_out, picture, None)
}

/// The picture of one contact as a part of a page.
pub fn picture_part(picture: &ImpactPicture, svg: String) -> Part {
    let (heading, caption) = match picture {
        ImpactPicture::Plane(_) => ("Impulse plane", PLANE),
        ImpactPicture::Space(_) => ("Slip and impulses", SPACE),
    };
    Part::Figure {
        heading: heading.to_owned(),
        caption: caption.to_owned(),
        svg,
    }
}

const PLANE: &str = "Tangent impulse against normal impulse: the path starts at the origin, turns where \
    the slip halts and ends where each law says.";
const SPACE: &str = "Left the slip as it turns, from its start to where each law ends it, with the directions in \
    which slip does not turn (arrows: the way slip along them goes); right the size of the friction impulse \
    against the normal impulse, below the friction cone.";

/// The collision of a mechanism, complete in one file; `picture` shows its bodies and impulses.
pub fn collision_html(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[CollisionResult],
    left_out: &[String],
    picture: Option<&str>,
) -> String {
    let picture = picture.map(|svg| Part::Figure {
        heading: "Bodies and impulses".to_owned(),
        caption: "Impulses of the contacts on their first bodies, in proportion to each other."
            .to_owned(),
        svg: svg.to_owned(),
    });
    let plain: Vec<ImpactResult> = results.iter().map(|r| r.result.clone()).collect();
    let mut joints = joint_rows(results, heading.digits);
    let methods = results.iter().map(|r| r.result.method.name().to_owned());
    let methods = std::iter::once("method".to_owned()).chain(methods);
    let has_joints = joints.len() > 1;
    joints.insert(1, methods.collect());
    let joints = has_joints.then(|| Part::Table {
        heading: "Joint impulses (* not unique)".to_owned(),
        rows: with_units(joints),
    });
    page(heading, problem, &plain, left_out, picture, joints)
}

fn page(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
    left_out: &[String],
    picture: Option<Part>,
    joints: Option<Part>,
) -> String {
    let title = heading.title.unwrap_or(heading.file);
    let mut parts = vec![summary(heading, problem, results, left_out)];
    parts.extend(picture);
    if !results.is_empty() {
        parts.push(Part::Table {
            heading: "Laws side by side".to_owned(),
            rows: with_units(table::number_rows(heading, problem, results)),
        });
    }
    parts.extend(joints);
    let sets = outcome_tables(heading, problem, results);
    for set in sets {
        let told = ("How they come about".to_owned(), set.ways.join("\n"));
        parts.push(Part::Table {
            heading: sentence(&set.heading),
            rows: with_units(set.rows),
        });
        parts.push(Part::Words {
            heading: "Outcomes".to_owned(),
            paragraphs: vec![told],
        });
    }
    parts.extend(phases(heading, problem, results));
    let corners = path_rows(results, heading.digits);
    if corners.len() > 1 {
        parts.push(Part::Table {
            heading: "Corners of the path (N·s, m/s)".to_owned(),
            rows: corners,
        });
    }
    page_html(title, &format!("one impact, {}", heading.file), &parts)
}

/// The first column with a dot in its products of units.
fn with_units(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for label in rows.iter_mut().filter_map(|row| row.first_mut()) {
        *label = label
            .replace("(N s)", "(N·s)")
            .replace("(N m s)", "(N·m·s)");
    }
    rows
}

/// What each law says, once.
fn laws_assumed(results: &[ImpactResult]) -> Vec<String> {
    let mut laws: Vec<String> = Vec::new();
    for words in results.iter().map(|result| law_words(result.law)) {
        if !laws.iter().any(|known| known == words) {
            laws.push(words.to_owned());
        }
    }
    laws
}

fn summary(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
    left_out: &[String],
) -> Part {
    let short = Heading {
        digits: SHOWN,
        ..*heading
    };
    let mut paragraphs = Vec::new();
    let mut say = |heading: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            paragraphs.push((heading.to_owned(), lines.join("\n")));
        }
    };
    let contacts = 0..problem.contacts.len();
    if let Some(first) = results.first() {
        let question = |i: usize| sentence(&table::question(&short, problem, first, i));
        say("What collides", contacts.clone().map(question).collect());
        let types = contacts.flat_map(|i| table::type_lines(problem, results, i));
        let types = types.chain(table::direction_line(results, SHOWN));
        say(
            "What happens",
            types.map(|line| sentence(&spaced(&line))).collect(),
        );
    }
    say("Which laws were assumed", laws_assumed(results));
    let methods = table::by_method(results);
    let is_one = methods.len() == 1;
    if problem.contacts.len() > 1 {
        let rank = |group: &&[ImpactResult]| {
            format!(
                "{}: {}.",
                group[0].method.name(),
                table::determined(&group[0])
            )
        };
        say("What is determined", methods.iter().map(rank).collect());
    }
    say("What was not unique", not_unique(results));
    say(
        "Where the energy went",
        results.iter().map(|r| energy(r, is_one)).collect(),
    );
    let notes = table::notes(results).into_iter();
    say(
        "Remarks",
        notes
            .map(|(_, words)| format!("{}.", sentence(&words)))
            .collect(),
    );
    say("Left out", left_out.to_vec());
    say(
        "How well it closes",
        vec![sentence(&table::residual_line(results)) + "."],
    );
    Part::Words {
        heading: "Summary".to_owned(),
        paragraphs,
    }
}

/// Names of types with spaces; p_t and v_t stay.
fn spaced(line: &str) -> String {
    match line.starts_with("type") {
        true => line.replace('_', " "),
        false => line.to_owned(),
    }
}

/// Significant digits of the summary.
const SHOWN: usize = 7;

fn not_unique(results: &[ImpactResult]) -> Vec<String> {
    let velocities = |result: &&ImpactResult| !result.determinacy.velocity_unique;
    let impulses = |result: &&ImpactResult| {
        let all = result.determinacy.impulses_unique.iter();
        let joints = result.constraints.iter().flat_map(|c| &c.unique);
        !all.chain(joints).all(|is_unique| *is_unique)
    };
    let mut told = Vec::new();
    let is_one = table::by_method(results).len() == 1;
    let names = |which: &[&ImpactResult]| {
        let names: Vec<String> = which.iter().map(|r| named(r, is_one)).collect();
        names.join(", ")
    };
    let open: Vec<&ImpactResult> = results.iter().filter(velocities).collect();
    if !open.is_empty() {
        told.push(format!("The velocities after ({}).", names(&open)));
    }
    let shared: Vec<&ImpactResult> = results.iter().filter(impulses).collect();
    let is_sequence = |r: &&ImpactResult| r.method == Method::Sequential;
    let (chosen, least): (Vec<_>, Vec<_>) = shared.into_iter().partition(is_sequence);
    for (which, shown) in [
        (least, "the least is shown"),
        (chosen, "one choice is shown"),
    ] {
        if !which.is_empty() {
            told.push(format!(
                "How contacts or constraints share the impulse ({}); {shown}.",
                names(&which)
            ));
        }
    }
    if told.is_empty() {
        told.push("Nothing: each law has one answer, in velocities and impulses.".to_owned());
    }
    told
}

/// A law, with the method where there are several.
fn named(result: &ImpactResult, is_only_method: bool) -> String {
    match is_only_method {
        true => law_name(result.law).to_owned(),
        false => format!("{} by {}", law_name(result.law), result.method.name()),
    }
}

fn energy(result: &ImpactResult, is_only_method: bool) -> String {
    let name = sentence(&named(result, is_only_method));
    let show = |x: f64| crate::significant(x.abs(), SHOWN);
    match result.energy_change {
        Some(change) if change > 0.0 => format!("{name}: {} J are created.", show(change)),
        Some(change) => format!("{name}: {} J are lost.", show(change)),
        None => format!("{name}: no finite impulse ends the impact."),
    }
}

/// The phases by each law that follows a path.
fn phases(heading: &Heading<'_>, problem: &ImpactProblem, results: &[ImpactResult]) -> Vec<Part> {
    let told = results
        .iter()
        .filter(|result| result.law.follows_the_path());
    let told = told.flat_map(|result| {
        let contacts = result.contacts.iter();
        contacts.filter(|c| c.path.len() > 1).map(|contact| {
            let units = match heading.is_angle(&contact.name) {
                true => Units::ANGLE,
                false => Units::LENGTH,
            };
            let mut own = problem.contacts.iter().filter(|c| c.name == contact.name);
            let struck = Struck {
                contact,
                met: Met::Bodies(Some(result.law)),
                units,
                is_smooth: own.any(|c| c.friction.is_none()),
                mode_after: None,
                is_open: !result.outcomes.is_empty() && result.velocity.is_none(),
            };
            let steps = steps(struck).into_iter();
            Part::Steps {
                heading: format!("{} by {}", contact.name, law_name(result.law)),
                steps: steps.map(|step| (step.name, step.words)).collect(),
            }
        })
    });
    told.collect()
}
