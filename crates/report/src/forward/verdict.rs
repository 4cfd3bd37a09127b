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
    if let (Some(plus), Some(minus)) = (condition.p_plus, condition.p_minus) {
        return of_rod(plus, minus, digits);
    }
    if problem.coordinates() == 1 && problem.friction.len() == 1 && problem.contacts.is_empty() {
        return of_one(problem, digits);
    }
    let all = condition
        .determinants
        .iter()
        .chain(&condition.mode_determinants);
    let least = all.clone().min_by(|a, b| a.1.total_cmp(b.1));
    let Some((signs, least)) = least else {
        return "there is no friction".to_owned();
    };
    let count = all.count();
    let least = significant(*least, digits);
    if result.unique_for_every_force == Some(true) {
        return format!(
            "every determinant is positive, the least of {count} is {least} (signs {signs})"
        );
    }
    match least.starts_with('-') || least == "0" {
        true => format!("the determinant of signs {signs} is {least} <= 0"),
        false => {
            format!(
                "determinants are positive (least {least}), but static friction exceeds kinetic"
            )
        }
    }
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

fn of_rod(plus: f64, minus: f64, digits: usize) -> String {
    let number = |x: f64| significant(x, digits);
    match (plus > 0.0, minus > 0.0) {
        (true, true) => format!(
            "pressing pushes the tip off the floor, p = {} 1/kg slipping right, {} 1/kg left",
            number(plus),
            number(minus)
        ),
        (true, false) => format!(
            "slipping left, pressing pulls the tip down: p = {} 1/kg <= 0",
            number(minus)
        ),
        _ => format!(
            "slipping right, pressing pulls the tip down: p = {} 1/kg <= 0",
            number(plus)
        ),
    }
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
        let window = condition.window.map_or(String::new(), |[low, high]| {
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
