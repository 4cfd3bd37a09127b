//! The answer to `carom forward` as tables.

use carom_contact::forward::{
    Continuum, ForwardProblem, ForwardResult, Mode, PieceRow, Refuted, Resolution, ResolutionKind,
};

use super::verdict;
use crate::number::significant;
use crate::table::{Heading, columns};

/// What was asked, with names.
#[derive(Debug, Clone)]
pub struct ForwardQuestion<'a> {
    /// What stands above the tables.
    pub heading: Heading<'a>,
    /// The problem.
    pub problem: &'a ForwardProblem,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the friction elements: coordinates, then contacts.
    pub elements: Vec<String>,
    /// Every sign pattern with its determinant.
    pub pieces: &'a [PieceRow],
}

/// Rows shown of a long table.
const ROWS: usize = 32;

/// Answers, refuted modes, verdict, pieces and what follows where nothing is consistent.
pub fn forward_table(question: &ForwardQuestion<'_>, result: &ForwardResult) -> String {
    let digits = question.heading.digits;
    let mut lines = vec![match question.heading.title {
        Some(title) => format!("{title}   ({})", question.heading.file),
        None => question.heading.file.to_owned(),
    }];
    lines.push(existence(result));
    lines.push(String::new());
    if !result.answers.is_empty() {
        lines.extend(columns(&answer_rows(question, result)));
        lines.extend(more(result.answers.len()));
        lines.push(String::new());
    }
    for family in &result.continua {
        lines.push(continuum(family, digits));
    }
    if result.refuted_count > 0 {
        lines.extend(refuted(&question.elements, &result.refuted, digits));
        lines.extend(more(result.refuted_count));
        lines.push(String::new());
    }
    lines.extend(verdict::sentences(question.problem, result, digits));
    if question.pieces.len() > 1 {
        lines.push(String::new());
        lines.extend(pieces(question));
    }
    if result.resolution.is_some() {
        let others = result.resolutions.iter().skip(1);
        for (k, resolution) in result.resolution.iter().chain(others).enumerate() {
            lines.push(if k == 0 {
                String::new()
            } else {
                "or".to_owned()
            });
            lines.extend(jump(resolution, digits));
        }
    } else if result.count == Some(0) {
        lines.push(
            "what follows: not found; jumps that set what is at rest in motion, or that several \
             contacts and loads take together, are not sought"
                .to_owned(),
        );
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn existence(result: &ForwardResult) -> String {
    match result.count {
        None => "a continuum of accelerations is consistent with friction".to_owned(),
        Some(0) => "no acceleration is consistent with friction".to_owned(),
        Some(1) => "one acceleration is consistent with friction".to_owned(),
        Some(n) => format!("{n} accelerations are consistent with friction"),
    }
}

fn modes(modes: &[Mode]) -> String {
    let names: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
    names.join(" ")
}

/// One column per answer, as the laws of an impact stand side by side.
fn answer_rows(question: &ForwardQuestion<'_>, result: &ForwardResult) -> Vec<Vec<String>> {
    let digits = question.heading.digits;
    let answers = &result.answers[..result.answers.len().min(ROWS)];
    let row = |name: String, value: &dyn Fn(usize) -> String| {
        let cells = (0..answers.len()).map(value);
        std::iter::once(name).chain(cells).collect::<Vec<String>>()
    };
    let number = |list: &[f64], i: usize| {
        list.get(i)
            .map_or("-".to_owned(), |x| significant(*x, digits))
    };
    let mut rows = vec![row(String::new(), &|k| format!("answer {}", k + 1))];
    for (i, name) in question.elements.iter().enumerate() {
        let mode = |k: usize| {
            let mode = answers[k].mode.get(i);
            mode.map_or("-".to_owned(), |mode| mode.name().to_owned())
        };
        rows.push(row(format!("mode {name}"), &mode));
    }
    for (i, name) in question.coordinates.iter().enumerate() {
        let acceleration = |k: usize| number(&answers[k].acceleration, i);
        rows.push(row(format!("acceleration {name}"), &acceleration));
    }
    for (i, name) in question.elements.iter().enumerate() {
        let load = |k: usize| number(&answers[k].normal_load, i);
        let friction = |k: usize| number(&answers[k].friction_force, i);
        rows.push(row(format!("normal load {name}"), &load));
        rows.push(row(format!("friction force {name}"), &friction));
    }
    let contacts = question.problem.contacts.len();
    let first = question.elements.len() - contacts.min(question.elements.len());
    for (c, name) in question.elements[first..].iter().enumerate() {
        for (part, what) in ["normal", "tangent"].into_iter().enumerate() {
            let cell = |k: usize| {
                let at = answers[k].contact_acceleration.get(c);
                at.map_or("-".to_owned(), |a| significant(a[part], digits))
            };
            rows.push(row(format!("{what} acceleration {name}"), &cell));
        }
    }
    rows
}

pub(super) fn continuum(family: &Continuum, digits: usize) -> String {
    let list = |list: &[f64]| {
        let numbers: Vec<String> = list.iter().map(|x| significant(*x, digits)).collect();
        format!("({})", numbers.join(", "))
    };
    let mut text = format!(
        "continuum ({}): acceleration {}",
        modes(&family.mode),
        list(&family.point)
    );
    for (k, direction) in family.direction.iter().enumerate() {
        let end =
            |x: Option<f64>, open: &str| x.map_or(open.to_owned(), |x| significant(x, digits));
        let [low, high] = family.bounds.get(k).copied().unwrap_or([None; 2]);
        text.push_str(&format!(
            " + t {}, t from {} to {}",
            list(direction),
            end(low, "-∞"),
            end(high, "∞")
        ));
    }
    text
}

/// Modes that fail, each with what it breaks.
pub(super) fn refuted(elements: &[String], all: &[Refuted], digits: usize) -> Vec<String> {
    let head = ["refuted mode", "signs", "breaks", "at", "by"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for refuted in all.iter().take(ROWS) {
        let by = refuted.missed_by;
        rows.push(vec![
            modes(&refuted.mode),
            refuted.signs.clone(),
            refuted.inequality.text().to_owned(),
            elements.get(refuted.element).cloned().unwrap_or_default(),
            by.map_or("no solution".to_owned(), |x| significant(x, digits)),
        ]);
    }
    columns(&rows)
}

fn pieces(question: &ForwardQuestion<'_>) -> Vec<String> {
    let digits = question.heading.digits;
    let list = |list: &Option<Vec<f64>>| match list {
        None => "-".to_owned(),
        Some(list) => {
            let numbers: Vec<String> = list.iter().map(|x| significant(*x, digits)).collect();
            numbers.join(", ")
        }
    };
    let head = ["piece", "determinant", "acceleration", "normal load", ""];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for piece in question.pieces.iter().take(ROWS) {
        rows.push(vec![
            piece.signs.clone(),
            significant(piece.determinant, digits),
            list(&piece.acceleration),
            list(&piece.normal_load),
            ["", "consistent"][usize::from(piece.is_consistent)].to_owned(),
        ]);
    }
    let mut lines = columns(&rows);
    lines.extend(more(question.pieces.len()));
    lines
}

/// What a long table leaves out.
pub(super) fn more(count: usize) -> Option<String> {
    (count > ROWS).then(|| format!("and {} more", count - ROWS))
}

fn jump(resolution: &Resolution, digits: usize) -> Vec<String> {
    let list = |list: &[f64]| {
        let numbers: Vec<String> = list.iter().map(|x| significant(*x, digits)).collect();
        numbers.join(", ")
    };
    let mut lines = vec![match (resolution.kind, &resolution.law) {
        (ResolutionKind::Seizure, _) => "what follows: a seizure, the velocity jumps".to_owned(),
        (_, Some(law)) => format!("what follows: an impact without collision ({law})"),
        _ => "what follows: an impact without collision".to_owned(),
    }];
    lines.push(format!(
        "  normal impulse {}; friction impulse {}",
        list(&resolution.normal_impulse),
        list(&resolution.friction_impulse)
    ));
    match &resolution.velocity_after {
        Some(after) => lines.push(format!("  velocity after {}", list(after))),
        None => lines.push(format!(
            "  jump of velocity {}",
            list(&resolution.velocity_change)
        )),
    }
    lines.push(format!(
        "  energy lost {} J",
        significant(resolution.energy_loss, digits)
    ));
    if let Some(next) = &resolution.next_modes {
        let mut next: Vec<String> = next.iter().map(|m| modes(m)).collect();
        let all = next.clone();
        let mut k = 0;
        next.retain(|text| {
            k += 1;
            !all[..k - 1].contains(text)
        });
        let text = match next.is_empty() {
            true => "none is consistent".to_owned(),
            false => next.join(" or "),
        };
        lines.push(format!("  then: {text}"));
    }
    lines
}
