//! The verdict in words, with the inequality behind it.

use carom_contact::forward::{Condition, ForwardProblem, ForwardResult, Witness};

use crate::number::significant;

/// Sentences about existence and uniqueness, one a line.
pub(super) fn sentences(
    problem: &ForwardProblem,
    result: &ForwardResult,
    digits: usize,
) -> Vec<String> {
    let number = |x: f64| significant(x, digits);
    let mut lines = vec![format!(
        "{}: {}",
        headline(result),
        reason(problem, result, digits)
    )];
    let condition = &result.condition;
    lines.extend(thresholds(condition, digits));
    lines.push(match result.friction_margin {
        Some(margin) if margin > 1.0 => format!(
            "margin: all friction may grow by the factor {} before uniqueness is lost",
            number(margin)
        ),
        Some(margin) => format!(
            "margin: uniqueness needs all friction below {} times what it is",
            number(margin)
        ),
        None if result.unique_for_every_force.is_none() => {
            "margin: none; no multiple of the friction settles it".to_owned()
        }
        None => "margin: none; no multiple of the friction changes the verdict".to_owned(),
    });
    if let Some(degree) = result.degree {
        let proves = match degree {
            0 => "",
            _ => ", so that every force has an answer",
        };
        lines.push(format!("degree: {degree}{proves}"));
    }
    lines.extend(result.witness.as_ref().map(|w| witness(w, digits)));
    lines
}

fn headline(result: &ForwardResult) -> &'static str {
    match result.unique_for_every_force {
        Some(true) => "unique for every force",
        Some(false) => "not unique for every force",
        None => "unique here, undecided for every force",
    }
}

/// The inequality that decides.
fn reason(problem: &ForwardProblem, result: &ForwardResult, digits: usize) -> String {
    let condition = &result.condition;
    let tip = problem.contacts.first();
    if let (Some(plus), Some(minus), Some(tip)) = (condition.p_plus, condition.p_minus, tip) {
        let inequality = of_rod(tip.slip, plus, minus, digits);
        let is_static = tip.slip == 0.0 && tip.friction.mu_s > tip.friction.mu_d;
        return match is_static && plus > 0.0 && minus > 0.0 {
            true => format!("{inequality}, but static friction exceeds kinetic"),
            false => inequality,
        };
    }
    if problem.coordinates() == 1 && problem.friction.len() == 1 && problem.contacts.is_empty() {
        return of_one(problem, digits);
    }
    let all = condition
        .determinants
        .iter()
        .chain(&condition.mode_determinants);
    let least = all.min_by(|a, b| a.1.total_cmp(b.1));
    let Some((signs, least)) = least else {
        return "there is no friction".to_owned();
    };
    let least = significant(*least, digits);
    if result.unique_for_every_force == Some(true) {
        return format!("every determinant is positive, the least is {least} (signs {signs})");
    }
    let is_static = exceeds_at_rest(problem);
    match least.starts_with('-') || (least == "0" && !is_static) {
        true => format!("the determinant of signs {signs} is {least} <= 0"),
        false if least == "0" => format!(
            "static friction exceeds kinetic at rest (and forces are shared: the determinant of \
             signs {signs} is 0)"
        ),
        false => {
            format!(
                "determinants are positive (least {least}), but static friction exceeds kinetic"
            )
        }
    }
}

/// An element at rest holds more than it drags.
fn exceeds_at_rest(problem: &ForwardProblem) -> bool {
    let joints = problem.friction.iter().zip(&problem.velocity);
    let mut joints = joints.map(|(given, v)| *v == 0.0 && given.mu_s > given.mu_d);
    let contacts = problem.contacts.iter();
    let mut contacts = contacts.map(|c| c.slip == 0.0 && c.friction.mu_s > c.friction.mu_d);
    joints.any(|exceeds| exceeds) || contacts.any(|exceeds| exceeds)
}

fn of_one(problem: &ForwardProblem, digits: usize) -> String {
    let number = |x: f64| significant(x, digits);
    let (a, c, given) = (
        problem.inertia[0][0],
        problem.load_matrix[0][0],
        problem.friction[0],
    );
    let slope = given.mu_d * c.abs();
    let relation = if slope < a {
        "<"
    } else if slope > a {
        ">"
    } else {
        "="
    };
    let inequality = format!("μ|c| = {} {relation} a = {}", number(slope), number(a));
    let is_static = problem.velocity[0] == 0.0 && given.mu_s > given.mu_d;
    match is_static && slope < a {
        true => format!("{inequality}, but static friction exceeds kinetic"),
        false => inequality,
    }
}

/// p of the slips that are possible: of the one there is, or of both from rest.
fn of_rod(slip: f64, plus: f64, minus: f64, digits: usize) -> String {
    let number = |x: f64| significant(x, digits);
    let sides = [(1.0, "right", plus), (-1.0, "left", minus)];
    let possible = sides.iter().filter(|(sign, ..)| sign * slip >= 0.0);
    if let Some((_, side, p)) = possible.clone().find(|(.., p)| *p <= 0.0) {
        let p = number(*p);
        return format!("slipping {side}, pressing pulls the tip down: p = {p} 1/kg <= 0");
    }
    let all: Vec<String> = possible
        .map(|(_, side, p)| format!("{} 1/kg slipping {side}", number(*p)))
        .collect();
    format!(
        "pressing pushes the tip off the floor, p = {}",
        all.join(", ")
    )
}

/// The thresholds that belong to the problem.
fn thresholds(condition: &Condition, digits: usize) -> Vec<String> {
    let number = |x: f64| significant(x, digits);
    let mut lines = Vec::new();
    if let Some(critical) = condition.critical_friction {
        let vertex = condition.vertex_force.map_or(String::new(), |force| {
            format!("; the load vanishes at the force {}", number(force))
        });
        lines.push(format!("critical friction: {}{vertex}", number(critical)));
    }
    if let (Some(mu), Some(angle)) = (condition.mu_p, condition.angle_p) {
        let window = condition
            .window
            .flatten()
            .map_or(String::new(), |[low, high]| {
                format!(
                    "; here between {}° and {}°",
                    number(low.to_degrees()),
                    number(high.to_degrees())
                )
            });
        lines.push(format!(
            "p < 0 needs friction above {}, first at {}° from the floor{window}",
            number(mu),
            number(angle.to_degrees())
        ));
    }
    if let Some(second) = condition.second_critical_friction {
        lines.push(format!(
            "second critical friction: {}; above it slides reach the paradox in another way",
            number(second)
        ));
    }
    lines
}

fn witness(witness: &Witness, digits: usize) -> String {
    let list = |list: &[f64]| {
        let numbers: Vec<String> = list.iter().map(|x| significant(*x, digits)).collect();
        numbers.join(", ")
    };
    let answers = match witness.count {
        None => "a continuum of answers".to_owned(),
        Some(1) => "1 answer".to_owned(),
        Some(n) => format!("{n} answers"),
    };
    let offset = witness.load_offset.as_ref().map_or(String::new(), |d| {
        format!(" with load offset ({})", list(d))
    });
    let drift = witness.drift.as_ref().map_or(String::new(), |drift| {
        let flat: Vec<f64> = drift.iter().flatten().copied().collect();
        format!(" (drift {})", list(&flat))
    });
    format!(
        "witness: force ({}){offset}{drift} has {answers}",
        list(&witness.force)
    )
}
