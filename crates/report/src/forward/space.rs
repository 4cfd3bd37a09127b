//! The answer to `carom forward` in space as a table.

use carom_contact::forward::space::{
    FrictionForce, SpatialAnswer, SpatialForwardResult, SpatialResolution,
};
use carom_contact::forward::{ForwardProblem, ForwardResult};

use super::answers::{continuum, more, refuted};
use super::verdict;
use crate::number::significant;
use crate::table::{Heading, columns};

/// What was asked, with names.
#[derive(Debug, Clone)]
pub struct SpatialForwardQuestion<'a> {
    /// What stands above the tables.
    pub heading: Heading<'a>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the elements: coordinates where some have friction, then contacts.
    pub elements: Vec<String>,
    /// How many of the elements are contacts.
    pub contacts: usize,
    /// The same problem in matrices, where every contact slides.
    pub sliding: Option<&'a ForwardProblem>,
}

/// Answers shown of a long table.
const SHOWN: usize = 32;

/// Answers side by side, what is proved about them, and what follows where there is none.
pub fn spatial_forward_table(
    question: &SpatialForwardQuestion<'_>,
    result: &SpatialForwardResult,
) -> String {
    let digits = question.heading.digits;
    let mut lines = vec![match question.heading.title {
        Some(title) => format!("{title}   ({})", question.heading.file),
        None => question.heading.file.to_owned(),
    }];
    lines.push(existence(result));
    lines.push(String::new());
    if !result.answers.is_empty() {
        lines.extend(columns(&rows(question, &result.answers)));
        lines.extend(more(result.answers.len()));
        lines.push(String::new());
    }
    for family in &result.continua {
        lines.push(continuum(family, digits));
    }
    if let Some(count) = result.refuted_count.filter(|count| *count > 0) {
        lines.extend(refuted(&question.elements, &result.refuted, digits));
        lines.extend(more(count));
        lines.push(String::new());
    }
    lines.extend(result.notes.iter().map(|note| note.sentence.clone()));
    if let Some(plane) = question.sliding.filter(|_| result.refuted_count.is_some()) {
        lines.extend(verdict::sentences(plane, &as_in_plane(result), digits));
    }
    lines.extend(proved(result, digits));
    for (k, jump) in result.resolutions.iter().enumerate() {
        lines.extend((k > 0).then(|| "or".to_owned()));
        lines.extend(followed(jump, digits));
    }
    if result.count == Some(0) && result.resolution.is_none() {
        lines.push(
            "what follows: not found; jumps that several contacts, or contacts and joints, take together are \
             not sought"
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

/// The verdict for every force as a problem of the plane has it.
fn as_in_plane(result: &SpatialForwardResult) -> ForwardResult {
    ForwardResult {
        count: result.count,
        answers: Vec::new(),
        continua: Vec::new(),
        refuted: Vec::new(),
        refuted_count: 0,
        unique_for_every_force: result.unique_for_every_force,
        friction_margin: result.friction_margin,
        degree: result.degree,
        condition: result.condition.clone(),
        witness: result.witness.clone(),
        resolution: None,
        resolutions: Vec::new(),
    }
}

fn existence(result: &SpatialForwardResult) -> String {
    match (result.count, result.answers.len()) {
        (None, _) if !result.continua.is_empty() => {
            "a continuum of accelerations is consistent with friction".to_owned()
        }
        (Some(0), _) => "no acceleration is consistent with friction".to_owned(),
        (Some(1), _) => "one acceleration is consistent with friction".to_owned(),
        (Some(n), _) => format!("{n} accelerations are consistent with friction"),
        (None, 0) => "no acceleration consistent with friction was found".to_owned(),
        (None, 1) => "one acceleration consistent with friction was found".to_owned(),
        (None, n) => format!("{n} accelerations consistent with friction were found"),
    }
}

/// One column per answer.
fn rows(question: &SpatialForwardQuestion<'_>, all: &[SpatialAnswer]) -> Vec<Vec<String>> {
    let digits = question.heading.digits;
    let answers = &all[..all.len().min(SHOWN)];
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: String, value: &dyn Fn(&SpatialAnswer) -> Option<f64>| {
        let cell = |one| value(one).map_or("-".to_owned(), |x| significant(x, digits));
        let cells = answers.iter().map(cell);
        rows.push(std::iter::once(name).chain(cells).collect());
    };
    for (i, name) in question.coordinates.iter().enumerate() {
        if answers.iter().any(|one| one.acceleration.is_some()) {
            let of = |one: &SpatialAnswer| one.acceleration.as_ref()?.get(i).copied();
            row(format!("acceleration {name}"), &of);
        }
    }
    for (i, name) in question.elements.iter().enumerate() {
        row(format!("normal load {name}"), &|one| {
            one.normal_load.get(i).copied()
        });
        let width = answers.first().and_then(|one| one.friction_force.get(i));
        let width = width.map_or(1, |force| force.numbers().len());
        for k in 0..width {
            let along = if width > 1 { ["t1 ", "t2 "][k] } else { "" };
            let of = |one: &SpatialAnswer| {
                let force = one.friction_force.get(i).map(FrictionForce::numbers);
                force.and_then(|force| force.get(k)).copied()
            };
            row(format!("friction force {along}{name}"), &of);
        }
    }
    let first = question.elements.len() - question.contacts;
    for (c, name) in question.elements[first..].iter().enumerate() {
        for (k, part) in ["normal", "t1", "t2"].into_iter().enumerate() {
            let of = |one: &SpatialAnswer| one.contact_acceleration.get(c).map(|a| a[k]);
            row(format!("{part} acceleration {name}"), &of);
        }
    }
    let numbered = (0..answers.len()).map(|k| format!("answer {}", k + 1));
    let head = vec![std::iter::once(String::new()).chain(numbered).collect()];
    [head, modes(question, answers), rows].concat()
}

/// Modes, and of contacts that start to slip whether others turn to their way.
fn modes(question: &SpatialForwardQuestion<'_>, answers: &[SpatialAnswer]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (i, name) in question.elements.iter().enumerate() {
        let mode = |one: &SpatialAnswer| one.mode.get(i).map_or("-", |mode| mode.name()).to_owned();
        let cells = answers.iter().map(mode);
        rows.push(
            std::iter::once(format!("mode {name}"))
                .chain(cells)
                .collect(),
        );
    }
    if answers.iter().any(|one| one.attracting.is_some()) {
        let way = |one: &SpatialAnswer| match one.attracting {
            Some(true) => "attracting".to_owned(),
            Some(false) => "repelling".to_owned(),
            None => "-".to_owned(),
        };
        let cells = answers.iter().map(way);
        rows.push(
            std::iter::once("way of the onset".to_owned())
                .chain(cells)
                .collect(),
        );
    }
    rows
}

/// What holds for every force.
fn proved(result: &SpatialForwardResult, digits: usize) -> Vec<String> {
    let (number, condition) = (|x: f64| significant(x, digits), &result.condition);
    let mut lines = Vec::new();
    if let Some(critical) = condition.critical_friction {
        lines.push(format!("critical friction: {}", number(critical)));
    }
    if result.unique_for_every_force.is_some() {
        // Said already.
    } else if let Some(sure) = condition.sure_friction {
        lines.push(format!(
            "one answer for every force surely with friction below {}",
            number(sure)
        ));
    } else if let Some(bound) = condition.uniqueness_bound {
        lines.push(format!(
            "one answer for every force surely where the bound is below 1: here it is {}",
            number(bound)
        ));
    }
    if let Some(mu) = condition.mu_p {
        lines.push(format!(
            "sliding some way can be inconsistent with friction above {}",
            number(mu)
        ));
    }
    if let Some(p) = condition.p {
        let does = if p > 0.0 {
            "pushes the contact open"
        } else {
            "pulls the contact down"
        };
        lines.push(format!("sliding, pressing {does}: p = {} 1/kg", number(p)));
    }
    lines
}

fn followed(jump: &SpatialResolution, digits: usize) -> Vec<String> {
    let list = |list: &[f64]| {
        let numbers: Vec<String> = list.iter().map(|x| significant(*x, digits)).collect();
        numbers.join(", ")
    };
    let rubs: Vec<String> = jump
        .friction_impulse
        .iter()
        .map(|f| list(f.numbers()))
        .collect();
    let mut lines = vec![
        format!("what follows: an impact without collision ({})", jump.law),
        format!(
            "  normal impulse {}; friction impulse ({})",
            list(&jump.normal_impulse),
            rubs.join("), (")
        ),
    ];
    match (&jump.velocity_after, &jump.velocity_change) {
        (Some(after), _) => lines.push(format!("  velocity after {}", list(after))),
        (None, Some(change)) => lines.push(format!("  jump of velocity {}", list(change))),
        (None, None) => {
            let after = jump.contact_velocity_after.iter().map(|v| list(v));
            let after: Vec<String> = after.collect();
            lines.push(format!("  contact velocity after ({})", after.join("), (")));
        }
    }
    lines.push(format!(
        "  energy lost {} J",
        significant(jump.energy_loss, digits)
    ));
    lines
}
