//! Section 4.1.1: friction near a/c, and the jump beyond it.

use carom::InputError;
use carom::forward::Mode;
use carom::resolution::seizures;

use super::systems::{Scalar, Systems, listed, refused, unresolved};
use crate::finding::{Finding, Keyed, ROUND_OFF, show};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let scalar = &systems.scalar;
    Ok(vec![
        ("near-critical", near_critical(scalar)?),
        ("large-deceleration", large_deceleration(scalar)?),
        ("time-and-distance", time_and_distance(scalar)?),
        ("jumps-to-zero", seizes(scalar)?),
    ])
}

/// The acceleration just below the vertex at `μ = a/c ± ε`; `None` without an answer.
fn near(scalar: &Scalar, epsilon: f64) -> Result<Option<f64>, InputError> {
    let closed = scalar.with(scalar.critical() + epsilon)?;
    let found = listed(&closed, scalar.vertex() - SLIGHT, 1.0);
    Ok(found.first().map(|a| a.acceleration))
}

/// A slight decrease of the force.
const SLIGHT: f64 = 0.01;
const EPSILON: f64 = 1e-6;

fn near_critical(scalar: &Scalar) -> Result<Finding, InputError> {
    let (above, below) = (near(scalar, EPSILON)?, near(scalar, -EPSILON)?);
    let x = below.unwrap_or(f64::NAN);
    Ok(Finding::misprint(
        [above.is_some_and(|x| x < -1e3), x < -1e3],
        format!("q\" = {} at a/c - {EPSILON:e}", show(x)),
        format!(
            "with q' > 0 and tau {SLIGHT} below b - a d/c, mu = a/c - {EPSILON:e} gives q\" = {}; mu = a/c + {EPSILON:e} as printed has {} answers, the line (9) falls",
            show(x),
            usize::from(above.is_some())
        ),
    ))
}

fn large_deceleration(scalar: &Scalar) -> Result<Finding, InputError> {
    let closed = scalar.with(scalar.critical() - EPSILON)?;
    let drawn = closed
        .graph(scalar.vertex() - SLIGHT, -1e6, 1e6)
        .map_err(refused)?;
    let jump = drawn.transitions.iter().find(|t| t.velocity == 1);
    let (from, to) = jump.map_or((f64::NAN, f64::NAN), |t| (t.from, t.to));
    let is_reversed = jump.is_some_and(|t| t.mode == Mode::OnsetBackward);
    Ok(Finding::holds(
        is_reversed && from < -1e3,
        format!("q\" = {}, then {}", show(from), show(to)),
        format!(
            "at mu = a/c - {EPSILON:e} and tau {SLIGHT} below b - a d/c, q\" = {}; at q' = 0 it jumps to {} on the V of q' < 0",
            show(from),
            show(to)
        ),
    ))
}

fn time_and_distance(scalar: &Scalar) -> Result<Finding, InputError> {
    let mut rows = Vec::new();
    for epsilon in [1e-2, 1e-4, 1e-6] {
        let x = near(scalar, -epsilon)?.unwrap_or(f64::NAN);
        rows.push((epsilon, 1.0 / x.abs(), 0.5 / x.abs()));
    }
    let shrinks = rows
        .windows(2)
        .all(|w| w[1].1 < 0.05 * w[0].1 && w[1].2 < 0.05 * w[0].2);
    let list: Vec<String> = rows
        .iter()
        .map(|(e, t, s)| format!("{e:e}: {} s, {}", show(*t), show(*s)))
        .collect();
    let last = rows.last().map_or(f64::NAN, |row| row.1);
    Ok(Finding::holds(
        shrinks,
        format!("{} s at 1e-6", show(last)),
        format!(
            "time and distance from unit speed at mu = a/c - epsilon, {}",
            list.join("; ")
        ),
    ))
}

fn seizes(scalar: &Scalar) -> Result<Finding, InputError> {
    let v = 2.0;
    let tau = scalar.vertex() - 1.0;
    let found = seizures(&scalar.problem(scalar.high_mu, v, tau)).map_err(unresolved)?;
    let below = seizures(&scalar.problem(scalar.low_mu, v, tau)).map_err(unresolved)?;
    let jump = found.first();
    let after = jump
        .and_then(|j| j.velocity_after.as_ref())
        .map_or(f64::NAN, |v| v[0]);
    let (p_f, p_n) = jump.map_or((f64::NAN, f64::NAN), |j| {
        (j.friction_impulse[0], j.normal_impulse[0])
    });
    let is_held = after == 0.0 && p_f.abs() <= scalar.high_mu * p_n.abs() + ROUND_OFF;
    Ok(Finding::holds(
        is_held && below.is_empty(),
        format!("q' = {} after", show(after)),
        format!(
            "from q' = {} at tau = {} the velocity jumps to {}: friction impulse {} of at most mu times the load impulse {}; with mu = {} below a/c no such jump is admissible",
            show(v),
            show(tau),
            show(after),
            show(p_f),
            show(p_n),
            show(scalar.low_mu)
        ),
    ))
}
