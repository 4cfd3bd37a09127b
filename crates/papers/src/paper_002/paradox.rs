//! Section 4.1: one coordinate, friction above a/c.

use carom::InputError;
use carom::forward::Mode;
use carom::forward::graph::CountRow;

use super::systems::{Dice, Scalar, Systems, TRIED, graph, listed};
use crate::finding::{Finding, Keyed, show};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let scalar = &systems.scalar;
    Ok(vec![
        ("negative-slope", negative_slope(scalar)?),
        ("must-leave-static", starts_inside(scalar)?),
        ("a-and-a-prime", one_from_rest(scalar)?),
        ("b-three", three_over_velocities(scalar)?),
        ("only-static-c", below_vertex(scalar)?),
        ("no-solution", none_below(scalar)?),
        ("negative-velocities", mirrored(scalar)?),
        ("zero-to-three", zero_to_three(scalar)?),
        ("only-b", only_stick(scalar)?),
        ("opposite-loads", opposite_loads(scalar)?),
        ("known-load", known_load()?),
        ("eq10", exact_condition()?),
        ("only-moving", at_rest_too(scalar)?),
        ("none-and-several", none_and_several(scalar)?),
    ])
}

/// A force between the lower edge of the static region and the vertex.
fn between(scalar: &Scalar) -> f64 {
    0.5 * (scalar.edge(scalar.high_mu, -1.0) + scalar.vertex())
}

fn accelerations(scalar: &Scalar, tau: f64, velocity: f64) -> Result<Vec<f64>, InputError> {
    let found = listed(&scalar.high()?, tau, velocity);
    Ok(found.iter().map(|a| a.acceleration).collect())
}

fn words(numbers: &[f64]) -> String {
    let list: Vec<String> = numbers.iter().map(|x| show(*x)).collect();
    match list.len() {
        0 => "none".to_owned(),
        _ => list.join(", "),
    }
}

fn negative_slope(scalar: &Scalar) -> Result<Finding, InputError> {
    let drawn = graph(&scalar.high()?, 0.0)?;
    let own = |sign: i8| {
        let branch = drawn.branches.iter().find(|b| b.velocity * b.load == sign);
        branch.map_or(f64::NAN, |b| b.slope)
    };
    let (rising, falling) = (own(1), own(-1));
    let wanted = scalar.a - scalar.high_mu * scalar.c;
    Ok(Finding::holds(
        rising > 0.0 && falling < 0.0 && (falling - wanted).abs() < 1e-9,
        format!("slopes {} and {}", show(rising), show(falling)),
        format!(
            "with mu = {} above a/c = {} the line (9) has the slope a - mu c = {}, (8) the slope {}",
            show(scalar.high_mu),
            show(scalar.critical()),
            show(falling),
            show(rising)
        ),
    ))
}

fn starts_inside(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = between(scalar);
    let found = listed(&scalar.high()?, tau, 0.0);
    let starts: Vec<f64> = found
        .iter()
        .filter(|a| a.mode != Mode::Stick)
        .map(|a| a.acceleration)
        .collect();
    let sticks = found.iter().any(|a| a.mode == Mode::Stick);
    let band = [-1.0, 1.0].map(|sign| scalar.edge(scalar.high_mu, sign));
    Ok(Finding::refuted(
        [starts.is_empty(), sticks && !starts.is_empty()],
        format!("{} answers at rest at tau = {}", found.len(), show(tau)),
        format!(
            "tau = {} lies inside the static region {} to {}, yet besides stick the system at rest may start with q\" = {}",
            show(tau),
            show(band[0]),
            show(band[1]),
            words(&starts)
        ),
    ))
}

fn one_from_rest(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = scalar.edge(scalar.high_mu, 1.0) + 0.4;
    let rest = accelerations(scalar, tau, 0.0)?;
    let moving = accelerations(scalar, tau, 1.0)?;
    let backward = moving.iter().any(|x| *x < 0.0);
    Ok(Finding::refuted(
        [
            rest.len() == 2,
            rest.len() == 1 && rest[0] > 0.0 && moving.len() == 2 && backward,
        ],
        format!("{} answer at rest, q\" = {}", rest.len(), words(&rest)),
        format!(
            "at tau = {} above b + mu d the V of q' > 0 has q\" = {}; from rest only q\" = {} starts forward, the other would start backward against the friction assumed",
            show(tau),
            words(&moving),
            words(&rest)
        ),
    ))
}

fn three_over_velocities(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = 0.5 * (scalar.vertex() + scalar.edge(scalar.high_mu, 1.0));
    let rest = listed(&scalar.high()?, tau, 0.0);
    let moving = accelerations(scalar, tau, 1.0)?;
    let sticks = rest.len() == 1 && rest[0].mode == Mode::Stick;
    Ok(Finding::holds(
        sticks && moving.len() == 2 && moving[0] != moving[1],
        format!("stick and q\" = {}", words(&moving)),
        format!(
            "at tau = {}: at rest stick alone; with q' > 0, q\" = {}",
            show(tau),
            words(&moving)
        ),
    ))
}

fn below_vertex(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = scalar.vertex() - 0.05;
    let rest = accelerations(scalar, tau, 0.0)?;
    let back = accelerations(scalar, tau, -1.0)?;
    Ok(Finding::refuted(
        [
            rest.len() == 1 && back.is_empty(),
            rest.len() == 3 && back.len() == 2,
        ],
        format!("{} answers at rest, {} with q' < 0", rest.len(), back.len()),
        format!(
            "at tau = {}, just below b - a d/c = {}: at rest q\" = {}, with q' < 0 q\" = {}; only q' > 0 has none",
            show(tau),
            show(scalar.vertex()),
            words(&rest),
            words(&back)
        ),
    ))
}

fn none_below(scalar: &Scalar) -> Result<Finding, InputError> {
    let high = scalar.high()?;
    let forces = (1..=40).map(|k| scalar.vertex() - 0.1 * f64::from(k));
    let none = forces
        .filter(|tau| listed(&high, *tau, 1.0).is_empty())
        .count();
    let above = listed(&high, scalar.vertex() + 0.1, 1.0).len();
    Ok(Finding::holds(
        none == 40 && above == 2,
        format!("0 answers at {none} of 40 forces"),
        format!(
            "with q' > 0, {none} of 40 forces below b - a d/c = {} have no answer; just above there are {above}",
            show(scalar.vertex())
        ),
    ))
}

fn mirrored(scalar: &Scalar) -> Result<Finding, InputError> {
    let high = scalar.high()?;
    let count = |shift: f64| listed(&high, scalar.vertex() + shift, -1.0).len();
    let (below, at, above) = (count(-0.1), count(0.0), count(0.1));
    Ok(Finding::holds(
        (below, at, above) == (2, 1, 0),
        format!("{below}, {at}, {above} answers"),
        format!(
            "with q' < 0 there are {below}, {at}, {above} answers below, at and above tau = {}",
            show(scalar.vertex())
        ),
    ))
}

/// Least and greatest count of each velocity over every force.
fn extremes(scalar: &Scalar) -> Result<[(usize, usize); 3], InputError> {
    let diagram = scalar.high()?.count_diagram();
    let of = |read: fn(&CountRow) -> Option<usize>| {
        let counts = diagram
            .rows
            .iter()
            .map(|row| read(row).unwrap_or(usize::MAX));
        (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0))
    };
    Ok([
        of(|r| r.moving_plus),
        of(|r| r.at_rest),
        of(|r| r.moving_minus),
    ])
}

fn zero_to_three(scalar: &Scalar) -> Result<Finding, InputError> {
    let [plus, rest, minus] = extremes(scalar)?;
    let least = plus.0.min(rest.0).min(minus.0);
    let most = plus.1.max(rest.1).max(minus.1);
    Ok(Finding::holds(
        (least, most) == (0, 3),
        format!("{least} to {most}"),
        format!(
            "over every force: {} to {} answers with q' > 0, {} to {} at rest, {} to {} with q' < 0; the three belong to rest",
            plus.0, plus.1, rest.0, rest.1, minus.0, minus.1
        ),
    ))
}

fn only_stick(scalar: &Scalar) -> Result<Finding, InputError> {
    let above = 0.5 * (scalar.vertex() + scalar.edge(scalar.high_mu, 1.0));
    let (one, three) = (
        accelerations(scalar, above, 0.0)?,
        accelerations(scalar, between(scalar), 0.0)?,
    );
    Ok(Finding::corrected(
        [
            one.len() == 1 && three.len() == 1,
            one.len() == 1 && three.len() == 3,
        ],
        format!(
            "{} answer above b - a d/c, {} below",
            one.len(),
            three.len()
        ),
        format!(
            "at rest inside the static region tau = {} has {} answer; tau = {} has {}, q\" = {}: rest is alone only above b - a d/c = {}",
            show(above),
            one.len(),
            show(between(scalar)),
            three.len(),
            words(&three),
            show(scalar.vertex())
        ),
    ))
}

fn opposite_loads(scalar: &Scalar) -> Result<Finding, InputError> {
    let high = scalar.high()?;
    let mut pairs = 0;
    let mut opposite = 0;
    for k in 1..=40 {
        let found = listed(&high, scalar.vertex() + 0.15 * f64::from(k), 1.0);
        if let [one, other] = found[..] {
            pairs += 1;
            opposite += usize::from(one.normal_load * other.normal_load < 0.0);
        }
    }
    Ok(Finding::holds(
        pairs == 40 && opposite == pairs,
        format!("{opposite} of {pairs} pairs"),
        format!(
            "at 40 forces above b - a d/c there are {pairs} pairs with q' > 0; in {opposite} of them the loads have opposite signs"
        ),
    ))
}

/// With the sign of the load given there is at most one answer.
fn known_load() -> Result<Finding, InputError> {
    let mut dice = Dice(13);
    let (mut several, mut twice) = (0, 0);
    for _ in 0..TRIED {
        let (scalar, tau) = (dice.scalar(), dice.between(-4.0, 4.0));
        let found = listed(&scalar.low()?, tau, dice.sign());
        several += usize::from(found.len() > 1);
        let plus = found.iter().filter(|a| a.normal_load > 0.0).count();
        let minus = found.iter().filter(|a| a.normal_load < 0.0).count();
        twice += usize::from(plus > 1 || minus > 1);
    }
    Ok(Finding::holds(
        several > 0 && twice == 0,
        format!("{twice} of {several} ambiguous systems keep two"),
        format!(
            "of {TRIED} random systems {several} have two answers; given the sign of the load {twice} still have two"
        ),
    ))
}

/// `μ|c| < a`, against counts at many forces.
fn exact_condition() -> Result<Finding, InputError> {
    let mut dice = Dice(17);
    let (mut printed, mut exact, mut negative, mut own) = (0, 0, 0, 0);
    for _ in 0..TRIED {
        let scalar = dice.scalar();
        let diagram = scalar.low()?.count_diagram();
        let one = |row: &CountRow| [row.moving_plus, row.moving_minus] == [Some(1); 2];
        let is_unique = diagram.rows.iter().all(one);
        let is_wrong = (scalar.low_mu < scalar.critical()) != is_unique;
        printed += usize::from(is_wrong);
        own += usize::from(is_wrong && scalar.c < 0.0);
        exact += usize::from((scalar.low_mu * scalar.c.abs() < scalar.a) != is_unique);
        negative += usize::from(scalar.c < 0.0);
    }
    Ok(Finding::corrected(
        [printed == 0, exact == 0 && own == printed && negative > 0],
        "mu |c| < a".to_owned(),
        format!(
            "over {TRIED} random systems, {negative} with c < 0, mu |c| < a fails to tell whether every force has one answer in {exact}, mu < a/c in {printed}, of which {own} have c < 0"
        ),
    ))
}

fn at_rest_too(scalar: &Scalar) -> Result<Finding, InputError> {
    let rest = accelerations(scalar, between(scalar), 0.0)?;
    Ok(Finding::refuted(
        [rest.len() == 1, rest.len() == 3],
        format!("{} answers at rest", rest.len()),
        format!(
            "at rest and tau = {}, between b - mu d = {} and b - a d/c = {}, there are {} answers, q\" = {}",
            show(between(scalar)),
            show(scalar.edge(scalar.high_mu, -1.0)),
            show(scalar.vertex()),
            rest.len(),
            words(&rest)
        ),
    ))
}

fn none_and_several(scalar: &Scalar) -> Result<Finding, InputError> {
    let [plus, _, _] = extremes(scalar)?;
    Ok(Finding::holds(
        plus == (0, 2),
        format!("{} and {} answers", plus.0, plus.1),
        format!(
            "one system with mu = {} has {} answers with q' > 0 below tau = {} and {} above",
            show(scalar.high_mu),
            plus.0,
            show(scalar.vertex()),
            plus.1
        ),
    ))
}
