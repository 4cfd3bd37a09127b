//! The answer to `carom impact` as a table: laws side by side.

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Contact, ContactResult, ContactType, ImpactProblem, ImpactResult, Law, Method, NoteCode,
    Outcome,
};

use crate::along::{Along, is_rubbed};
use crate::number::{significant, zeroed};
use crate::outcomes::outcome_tables;
use crate::path::path_rows;
use crate::prose::shortened;
use crate::scales::Scales;

/// What stands above a table.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// Title of the problem, if it has one.
    pub title: Option<&'a str>,
    /// Name of the file.
    pub file: &'a str,
    /// Significant digits of the numbers.
    pub digits: usize,
    /// Names of the contacts that are stops of an angle: their impulses are in N m s, their velocities
    /// in rad/s.
    pub angles: &'a [String],
}

impl Heading<'_> {
    /// Whether a contact is a stop of an angle.
    pub(crate) fn is_angle(&self, contact: &str) -> bool {
        self.angles.iter().any(|name| name == contact)
    }

    /// Units of the impulse and of the velocity of a contact.
    pub(crate) fn units(&self, contact: &str) -> [&'static str; 2] {
        match self.is_angle(contact) {
            true => ["N m s", "rad/s"],
            false => ["N s", "m/s"],
        }
    }
}

/// Results of one problem by one or several laws, side by side, with path and remarks.
pub fn impact_table(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> String {
    let mut out = question_lines(heading, problem, results);
    let groups = by_method(results);
    let is_one = groups.len() == 1;
    for group in groups {
        let (first, is_several) = (&group[0], problem.contacts.len() > 1);
        if !is_one || is_several {
            out.push_str(&format!("\n{}\n", method_words(first.method)));
        }
        if is_several {
            out.push_str(&format!("{}\n", determined(first)));
        }
        out.push_str(&answer_lines(heading, problem, group));
    }
    out
}

/// Results of one method after another, as they stand.
pub(crate) fn by_method(results: &[ImpactResult]) -> Vec<&[ImpactResult]> {
    results.chunk_by(|a, b| a.method == b.method).collect()
}

/// What a method does, as a heading.
pub(crate) fn method_words(method: Method) -> &'static str {
    match method {
        Method::Linear => "linear: every contact follows its law, even where it would have to pull",
        Method::Complementarity => "complementarity: all at once, no contact pulls",
        Method::Sequential => "sequential: one contact after another until none approaches",
        Method::Path => "path: all along Routh's path, as stiff springs share it",
    }
}

/// Rank and condition of the contacts.
pub(crate) fn determined(result: &ImpactResult) -> String {
    let what = &result.determinacy;
    let condition = match what.condition {
        Some(condition) => format!("condition {}", significant(condition, 3)),
        None => "singular".to_owned(),
    };
    format!(
        "rank {} of {} contacts, {condition}",
        what.rank,
        result.contacts.len()
    )
}

/// Title, file and what is asked of each contact.
pub(crate) fn question_lines(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> String {
    let mut out = match heading.title {
        Some(title) => format!("{title}   ({})\n", heading.file),
        None => format!("{}\n", heading.file),
    };
    if let Some(first) = results.first() {
        for i in 0..problem.contacts.len() {
            out.push_str(question(heading, problem, first, i).trim_end());
            out.push('\n');
        }
    }
    out
}

/// What came out, laws side by side, with path, remarks and sets of outcomes.
pub(crate) fn answer_lines(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for i in 0..problem.contacts.len() {
        type_lines(problem, results, i)
            .iter()
            .for_each(|text| line(text));
    }
    if let Some(text) = direction_line(results, heading.digits) {
        line(&text);
    }
    line("");
    for text in columns(&number_rows(heading, problem, results)) {
        line(&text);
    }
    let path = path_rows(results, heading.digits);
    if path.len() > 1 {
        line("");
        columns(&path).iter().for_each(|text| line(text));
    }
    line("");
    line(&residual_line(results));
    for (laws, sentence) in notes(results) {
        line(&format!("note ({laws}): {sentence}"));
    }
    for set in outcome_tables(heading, problem, results) {
        line("");
        line(&set.heading);
        columns(&set.rows).iter().for_each(|text| line(text));
        set.ways.iter().for_each(|text| line(text));
    }
    out
}

pub(crate) fn question(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    first: &ImpactResult,
    i: usize,
) -> String {
    let digits = heading.digits;
    let (contact, result) = (&problem.contacts[i], &first.contacts[i]);
    let show = |x: Option<f64>| x.map_or("-".to_owned(), |x| significant(x, digits));
    let before = result.velocity_before;
    let (along, scales) = (Along::of(result), Scales::of([result]));
    let GivenFriction { mu_s, mu_d } = contact.friction;
    let friction = match contact.has_tangent() {
        false => "no friction".to_owned(),
        true if mu_s == mu_d => format!("friction {mu_d}"),
        true => format!("friction {mu_s} static, {mu_d} kinetic"),
    };
    let slip = before.tangent.map_or(String::new(), |_| {
        let slip = before.tangent.map(|v| scales.velocity(along.value(v)));
        format!(", slip {} m/s", show(slip))
    });
    let [_, unit] = heading.units(&result.name);
    format!(
        "contact {}: normal velocity {} {unit}{slip}, restitution {}{}, {friction}",
        result.name,
        show(before.normal.map(|v| scales.velocity(v))),
        contact.restitution,
        tangential_words(contact)
    )
}

/// The tangential restitution of a contact that has one.
pub(crate) fn tangential_words(contact: &Contact) -> String {
    let beta = contact.tangential_restitution;
    beta.map_or(String::new(), |beta| {
        format!(", tangential restitution {beta}")
    })
}

/// Along what the tangent values are told, in space with friction.
pub(crate) fn direction_line(results: &[ImpactResult], digits: usize) -> Option<String> {
    let contacts = results.iter().flat_map(|r| &r.contacts);
    let mut rubbed = contacts.filter(|c| is_rubbed(c)).map(Along::of);
    let [d_1, d_2] = rubbed.find_map(Along::direction)?;
    let [d_1, d_2] = [d_1, d_2].map(|x| significant(zeroed(x, 1.0), digits));
    Some(format!("p_t and v_t are along (t1, t2) = ({d_1}, {d_2})"))
}

/// What contact `i` does, in words; laws that share it share a line.
pub(crate) fn type_lines(
    problem: &ImpactProblem,
    results: &[ImpactResult],
    i: usize,
) -> Vec<String> {
    let asked = problem.contacts.get(i).map(|contact| contact.friction);
    let is_smooth = asked.is_some_and(GivenFriction::is_none);
    let words = |result: &ImpactResult| match is_smooth.then(|| smooth_words(result, i)).flatten() {
        Some(words) => format!("{} ({words})", ContactType::Frictionless.name()),
        None => type_words(result, i),
    };
    let groups = grouped(results.iter().map(|r| (r.law, words(r))));
    let is_one = groups.len() == 1;
    let of = match results {
        [first, ..] if first.contacts.len() > 1 => format!(" of {}", first.contacts[i].name),
        _ => String::new(),
    };
    groups
        .into_iter()
        .map(|(laws, words)| match is_one {
            true => format!("type{of}: {words}"),
            false => format!("type{of} ({laws}): {words}"),
        })
        .collect()
}

/// Without friction the type in files says what the slip does; none where there is no slip to tell of.
fn smooth_words(result: &ImpactResult, i: usize) -> Option<&'static str> {
    match result.contacts[i].contact_type {
        _ if result.outcome == Outcome::Infeasible => None,
        ContactType::NoImpact | ContactType::Frictionless => None,
        ContactType::NonSlidingCompression | ContactType::NonSlidingRestitution => Some("no slip"),
        ContactType::PermanentSliding => Some("slip keeps its sign"),
        ContactType::ReverseCompression => Some("slip changes sign in compression"),
        ContactType::ReverseRestitution => Some("slip changes sign in restitution"),
    }
}

fn type_words(result: &ImpactResult, i: usize) -> String {
    let contact = &result.contacts[i];
    let name = contact.contact_type.name();
    let at_rest = contact.started_at_rest;
    let mut notes = result.notes.iter();
    let grips = notes.any(|note| note.code == NoteCode::TangentialRebound);
    let words = match contact.contact_type {
        ContactType::ReverseCompression if grips => {
            "friction holds, tangential restitution reverses the slip"
        }
        ContactType::NonSlidingCompression if grips => "friction holds, no slip after",
        ContactType::NoImpact => "the bodies do not approach",
        ContactType::Frictionless if contact.velocity_before.tangent.is_some() => "μ = 0",
        ContactType::Frictionless => "no tangent row",
        _ if result.contacts.len() > 1 => several_words(contact),
        _ if result.outcome == Outcome::Infeasible => "no mode throughout is consistent",
        kind if !result.law.follows_the_path() => match kind {
            ContactType::NonSlidingCompression => "sticking assumed throughout",
            ContactType::PermanentSliding => "sliding assumed throughout",
            _ => "sliding assumed throughout, against the slip it started with",
        },
        ContactType::PermanentSliding if at_rest => "starts at rest, then slips one way",
        ContactType::PermanentSliding => "slip never halts",
        ContactType::NonSlidingCompression if at_rest => "starts at rest and sticks",
        ContactType::NonSlidingCompression => "slip halts in compression, then sticks",
        ContactType::NonSlidingRestitution => "slip halts in restitution, then sticks",
        ContactType::ReverseCompression => "slip halts in compression and reverses",
        ContactType::ReverseRestitution => "slip halts in restitution and reverses",
    };
    format!("{name} ({words})")
}

/// Among several contacts the type says what the slip does, with friction or without.
fn several_words(contact: &ContactResult) -> &'static str {
    let p_t = contact.impulse.tangent.map_or(0.0, |p_t| p_t.size());
    match (contact.contact_type, p_t == 0.0) {
        (ContactType::NonSlidingCompression, true) => "no friction, no slip",
        (ContactType::ReverseCompression, true) => "no friction, slip changes sign in compression",
        (ContactType::ReverseRestitution, true) => "no friction, slip changes sign in restitution",
        (_, true) => "no friction, slip keeps its sign",
        (ContactType::NonSlidingCompression, _) => "sticks from compression on",
        (ContactType::NonSlidingRestitution, _) => "sticks in restitution",
        (ContactType::ReverseCompression, _) => "slip reverses in compression",
        (ContactType::ReverseRestitution, _) => "slip reverses in restitution",
        _ => "slip keeps its sign",
    }
}

pub(crate) fn number_rows(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[ImpactResult],
) -> Vec<Vec<String>> {
    let show = |x: Option<f64>| x.map_or("-".to_owned(), |x| significant(x, heading.digits));
    let row = |label: &str, value: Picked<'_>| {
        let cells = results.iter().map(|r| show(value(r)));
        std::iter::once(label.to_owned()).chain(cells).collect()
    };
    let text = |label: &str, value: &dyn Fn(&ImpactResult) -> String| {
        let cells = results.iter().map(value);
        std::iter::once(label.to_owned()).chain(cells).collect()
    };
    let mut rows: Vec<Vec<String>> = vec![text("law", &|r| r.law.name().to_owned())];
    if by_method(results).len() > 1 {
        rows.push(text("method", &|r| r.method.name().to_owned()));
    }
    if results.iter().any(|r| r.outcome != Outcome::Solved) {
        rows.push(text("outcome", &|r| r.outcome.name().to_owned()));
    }
    for i in 0..problem.contacts.len() {
        let units = heading.units(&problem.contacts[i].name);
        rows.extend(contact_rows((problem, units), results, i, &row));
    }
    rows.push(text("energy change (J)", &|r| {
        let gains = r.notes.iter().any(|note| note.code == NoteCode::EnergyGain);
        format!("{}{}", show(r.energy_change), if gains { " !" } else { "" })
    }));
    for i in 0..problem.velocity.len() {
        rows.push(row(&format!("velocity[{i}] after"), &|r| {
            r.velocity.as_ref().and_then(|v| v.get(i).copied())
        }));
    }
    for (i, constraint) in results[0].constraints.iter().enumerate() {
        for k in 0..constraint.unique.len() {
            let is_unique = results.iter().all(|r| r.constraints[i].unique[k]);
            let mark = if is_unique { "" } else { " (not unique)" };
            let label = format!("impulse {}[{k}]{mark}", constraint.name);
            rows.push(row(&label, &|r| {
                let impulses = r.constraints.get(i)?.impulse.as_ref();
                impulses.and_then(|x| x.get(k).copied())
            }));
        }
    }
    rows
}

/// A number of a result, by each law.
type Picked<'a> = &'a dyn Fn(&ImpactResult) -> Option<f64>;

/// The rows of contact `i`.
fn contact_rows(
    (problem, [impulse, velocity]): (&ImpactProblem, [&str; 2]),
    results: &[ImpactResult],
    i: usize,
    row: &dyn Fn(&str, Picked<'_>) -> Vec<String>,
) -> Vec<Vec<String>> {
    let (is_one, contact) = (problem.contacts.len() == 1, &problem.contacts[i]);
    let scales = Scales::of(results.iter().flat_map(|r| &r.contacts));
    let mut rows = Vec::new();
    let of = match is_one {
        true => String::new(),
        false => format!(" {}", contact.name),
    };
    let along = shared_along(results, i);
    rows.push(row(&format!("p_n{of} ({impulse})"), &|r| {
        Some(scales.impulse(r.contacts[i].impulse.normal?))
    }));
    let is_rough = contact.tangent.is_some() && contact.friction.mu_s > 0.0;
    if is_one || is_rough {
        let label = format!("{}{of} (N s)", along.symbol("p_t"));
        rows.push(row(&label, &|r| {
            Some(scales.impulse(along.value(r.contacts[i].impulse.tangent?)))
        }));
    }
    rows.push(row(&format!("v_n{of} after ({velocity})"), &|r| {
        Some(scales.velocity(r.contacts[i].velocity_after.normal?))
    }));
    if is_one || contact.has_tangent() {
        let label = format!("{}{of} after (m/s)", along.symbol("v_t"));
        rows.push(row(&label, &|r| {
            let v_t = r.contacts[i].velocity_after.tangent?;
            Some(scales.velocity(along.value(v_t)))
        }));
    }
    let kind = if is_one || is_rough { " normal" } else { "" };
    rows.push(row(&format!("work{kind}{of} (J)"), &|r| {
        Some(scales.work(r.contacts[i].work.normal?))
    }));
    if is_one || is_rough {
        rows.push(row(&format!("work friction{of} (J)"), &|r| {
            Some(scales.work(work_of_friction(&r.contacts[i])?))
        }));
    }
    rows
}

/// Along what contact `i` is told by all laws: that of the first with a direction.
pub(crate) fn shared_along(results: &[ImpactResult], i: usize) -> Along {
    let told = results.iter().filter_map(|r| r.contacts.get(i));
    let told: Vec<Along> = told.map(Along::of).collect();
    let directed = told.iter().copied().find(|a| a.direction().is_some());
    directed.or(told.first().copied()).unwrap_or(Along::Plane)
}

/// Work of the friction impulse (J), of both its parts in space.
fn work_of_friction(contact: &ContactResult) -> Option<f64> {
    let parts = contact.work.tangent?;
    Some(parts.numbers().iter().sum())
}

/// First column to the left, numbers to the right, a last column of words to the left.
pub(crate) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, k: usize| row.get(k).cloned().unwrap_or_default();
    let width = |k: usize| {
        let widths = rows.iter().map(|row| cell(row, k).chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let words_at = rows
        .first()
        .and_then(|row| row.iter().position(|c| c == "then"));
    rows.iter()
        .map(|row| {
            let cells = (0..count).map(|k| match k {
                0 => format!("{:<w$}", cell(row, k), w = widths[k]),
                k if Some(k) == words_at => format!("   {}", cell(row, k)),
                k => format!("{:>w$}", cell(row, k), w = widths[k] + 2),
            });
            cells.collect::<String>()
        })
        .collect()
}

pub(crate) fn residual_line(results: &[ImpactResult]) -> String {
    if results.iter().all(|r| r.residuals.momentum.is_none()) {
        return "no residuals: the impact has no end".to_owned();
    }
    let worst = |pick: &dyn Fn(&ImpactResult) -> Option<f64>| {
        let most = results.iter().filter_map(pick).fold(0.0, f64::max);
        significant(most, 2)
    };
    let cone = match results.iter().any(|r| r.contacts.len() > 1) {
        true => "complementarity",
        false => "friction cone",
    };
    format!(
        "largest residuals: momentum {}, energy {}, {cone} {} (relative)",
        worst(&|r| r.residuals.momentum),
        worst(&|r| r.residuals.energy),
        worst(&|r| r.residuals.cone)
    )
}

pub(crate) fn notes(results: &[ImpactResult]) -> Vec<(String, String)> {
    grouped(results.iter().flat_map(|r| {
        let sentences = r.notes.iter().map(|note| shortened(&note.sentence));
        sentences.map(|sentence| (r.law, sentence))
    }))
}

/// Gathers equal texts under the laws they belong to, in order of appearance.
fn grouped(items: impl Iterator<Item = (Law, String)>) -> Vec<(String, String)> {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for (law, text) in items {
        match groups.iter_mut().find(|(_, known)| *known == text) {
            Some((laws, _)) => laws.push(law.name()),
            None => groups.push((vec![law.name()], text)),
        }
    }
    let join = |(laws, text): (Vec<&str>, String)| (laws.join(", "), text);
    groups.into_iter().map(join).collect()
}
