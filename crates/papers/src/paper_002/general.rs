//! Section 3: several coordinates.

use std::collections::BTreeSet;

use carom::InputError;
use carom::forward::lines::{AccelerationPlane, Arm, acceleration_plane};
use carom::forward::{Answer, ForwardProblem, answers};

use super::systems::{Dice, Systems, TRIED, listed, refused};
use crate::finding::{Finding, Keyed, ROUND_OFF, balance, show, worst};

/// A system of two coordinates with its answers.
struct Solved {
    problem: ForwardProblem,
    answers: Vec<Answer>,
}

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let rough = solved(2.5)?;
    let smooth = solved(0.0)?;
    Ok(vec![
        ("eq2", balance_of_forces(&rough)),
        ("eq4", friction_term(&rough)),
        ("eq5", lost_bars(&rough)),
        ("eq5-set", intersections(&rough)?),
        ("eq6", frictionless(&smooth)),
        ("eq6-unique", unique_without_friction(&smooth)),
        ("v-shaped", v_shaped(&rough)?),
        ("several-or-none", counts(&rough)),
        ("dissipation", dissipation(&rough)),
        ("iteration", no_iteration(systems)?),
    ])
}

/// A sequence of systems with friction up to `most`.
fn solved(most: f64) -> Result<Vec<Solved>, InputError> {
    let mut dice = Dice(2);
    let mut all = Vec::with_capacity(TRIED);
    for _ in 0..TRIED {
        let problem = dice.two(most);
        let answers = answers(&problem).map_err(refused)?.answers;
        all.push(Solved { problem, answers });
    }
    Ok(all)
}

fn each(systems: &[Solved]) -> impl Iterator<Item = (&ForwardProblem, &Answer)> + Clone {
    systems.iter().flat_map(|solved| {
        let Solved { problem, answers } = solved;
        answers.iter().map(move |answer| (problem, answer))
    })
}

/// Row i of a matrix times a vector.
fn row(matrix: &[Vec<f64>], i: usize, x: &[f64]) -> f64 {
    matrix[i].iter().zip(x).map(|(m, x)| m * x).sum()
}

fn balance_of_forces(systems: &[Solved]) -> Finding {
    let residual = |(p, a): (&ForwardProblem, &Answer)| {
        let of = |i: usize| {
            let inertia = row(&p.inertia, i, &a.acceleration);
            balance(&[inertia, p.bias[i], a.friction_force[i], -p.force[i]])
        };
        of(0).max(of(1))
    };
    let count = each(systems).count();
    let what = format!("over {count} answers of {TRIED} systems of two coordinates");
    Finding::identity(
        worst(each(systems).map(residual)),
        &what,
        "A q\" + b + f - tau",
    )
}

fn friction_term(systems: &[Solved]) -> Finding {
    let exact = |(p, a): (&ForwardProblem, &Answer)| {
        let of = |i: usize| {
            let load = row(&p.load_matrix, i, &a.acceleration) + p.load_offset[i];
            let term = p.friction[i].mu_d * p.velocity[i] * load.abs();
            // Friction comes from the balance of forces: it is as exact as the forces are large.
            let size = p.force[i].abs() + p.bias[i].abs() + term.abs();
            let inertia = row(&p.inertia, i, &a.acceleration).abs();
            (term - a.friction_force[i]) / (size + inertia)
        };
        worst([of(0), of(1)])
    };
    let negative = each(systems).flat_map(|(_, a)| &a.normal_load);
    let negative = negative.filter(|load| **load < 0.0).count();
    let what = format!("with the forces of the answers, {negative} of their loads negative");
    Finding::identity(
        worst(each(systems).map(exact)),
        &what,
        "mu_i sgn(q'_i) |C q\" + d|_i - f_i",
    )
}

/// (5) as printed, without bars and with d outside of the product.
fn lost_bars(systems: &[Solved]) -> Finding {
    let side = |(p, a): (&ForwardProblem, &Answer), bars: bool| {
        let of = |i: usize| {
            let inertia = row(&p.inertia, i, &a.acceleration);
            let load = row(&p.load_matrix, i, &a.acceleration);
            let factor = p.friction[i].mu_d * p.velocity[i];
            if bars {
                let term = factor * (load + p.load_offset[i]).abs();
                balance(&[inertia, p.bias[i], term, -p.force[i]])
            } else {
                let terms = [
                    inertia,
                    p.bias[i],
                    factor * load,
                    p.load_offset[i],
                    -p.force[i],
                ];
                balance(&terms)
            }
        };
        of(0).max(of(1))
    };
    let with = worst(each(systems).map(|pair| side(pair, true)));
    let without = each(systems).map(|pair| side(pair, false));
    let least = without.clone().fold(f64::INFINITY, f64::min);
    let most = worst(without);
    Finding::misprint(
        [most <= ROUND_OFF, with <= ROUND_OFF],
        format!(
            "residual {} with bars, up to {} without",
            show(with),
            show(most)
        ),
        format!(
            "over {} answers the printed form leaves {} to {} of its largest term; A q\" + b + Diag[mu_i sgn(q'_i)] |C q\" + d| = tau leaves {}",
            each(systems).count(),
            show(least),
            show(most),
            show(with)
        ),
    )
}

/// Where two arms cross within their bounds.
fn crossing(one: &Arm, other: &Arm) -> Option<[f64; 2]> {
    let [ux, uy] = one.direction;
    let [vx, vy] = other.direction;
    let (dx, dy) = (other.point[0] - one.point[0], other.point[1] - one.point[1]);
    let cross = ux * vy - uy * vx;
    let (s, t) = ((dx * vy - dy * vx) / cross, (dx * uy - dy * ux) / cross);
    let is_within = |arm: &Arm, t: f64| {
        let low = arm.bounds[0].is_none_or(|low| t >= low);
        low && arm.bounds[1].is_none_or(|high| t <= high)
    };
    (cross.abs() > 0.0 && is_within(one, s) && is_within(other, t))
        .then_some([one.point[0] + s * ux, one.point[1] + s * uy])
}

fn crossings(plane: &AccelerationPlane) -> Vec<[f64; 2]> {
    let [first, second] = &plane.constraints[..] else {
        return Vec::new();
    };
    let pairs = first
        .arms
        .iter()
        .flat_map(|a| second.arms.iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| crossing(a, b)).collect()
}

fn intersections(systems: &[Solved]) -> Result<Finding, InputError> {
    let (mut same, mut met, mut far) = (0, 0, 0.0f64);
    for solved in systems {
        let plane = acceleration_plane(&solved.problem).map_err(refused)?;
        let found = crossings(&plane);
        same += usize::from(found.len() == solved.answers.len());
        for answer in &solved.answers {
            let near = |p: &[f64; 2]| {
                let d = [p[0] - answer.acceleration[0], p[1] - answer.acceleration[1]];
                let size = 1.0 + answer.acceleration[0].abs() + answer.acceleration[1].abs();
                d[0].hypot(d[1]) / size
            };
            far = far.max(found.iter().map(near).fold(f64::INFINITY, f64::min));
            met += 1;
        }
    }
    Ok(Finding::holds(
        same == systems.len() && far < 1e-9,
        format!("{met} intersections, {met} answers"),
        format!(
            "in {same} of {TRIED} systems of two coordinates the arms of the two Vs cross as often as there are answers; the farthest crossing is {} from its answer, relative",
            show(far)
        ),
    ))
}

fn frictionless(systems: &[Solved]) -> Finding {
    let side = |(p, a): (&ForwardProblem, &Answer), has_force: bool| {
        let of = |i: usize| {
            let inertia = row(&p.inertia, i, &a.acceleration);
            if has_force {
                balance(&[inertia, p.bias[i], -p.force[i]])
            } else {
                balance(&[inertia, -p.bias[i]])
            }
        };
        of(0).max(of(1))
    };
    let right = worst(each(systems).map(|pair| side(pair, true)));
    let printed = worst(each(systems).map(|pair| side(pair, false)));
    Finding::misprint(
        [printed <= ROUND_OFF, right <= ROUND_OFF],
        format!("A q\" = tau - b to {}", show(right)),
        format!(
            "without friction (5) is A q\" + b = tau: over {} systems A q\" = tau - b leaves {} and the printed A q\" = b up to {} of its largest term",
            systems.len(),
            show(right),
            show(printed)
        ),
    )
}

fn unique_without_friction(systems: &[Solved]) -> Finding {
    let one = systems.iter().filter(|s| s.answers.len() == 1).count();
    Finding::holds(
        one == systems.len(),
        format!("1 answer in {one} of {TRIED} systems"),
        format!(
            "with mu = 0 and A symmetric, positive definite, {one} of {TRIED} systems of two coordinates have exactly 1 answer"
        ),
    )
}

fn v_shaped(systems: &[Solved]) -> Result<Finding, InputError> {
    let (mut all, mut vees) = (0, 0);
    for solved in systems {
        let plane = acceleration_plane(&solved.problem).map_err(refused)?;
        for line in &plane.constraints {
            all += 1;
            let ends: Vec<[f64; 2]> = line.arms.iter().flat_map(end_points).collect();
            let is_v = matches!(ends[..], [p, q] if {
                let size = 1.0 + p[0].abs() + p[1].abs();
                (p[0] - q[0]).hypot(p[1] - q[1]) < 1e-9 * size
            });
            vees += usize::from(line.arms.len() == 2 && is_v);
        }
    }
    Ok(Finding::holds(
        all == vees && all > 0,
        format!("{vees} of {all} constraints are two rays from one point"),
        format!(
            "in the plane of accelerations {vees} of {all} constraints of random systems are two rays that share their end"
        ),
    ))
}

fn end_points(arm: &Arm) -> Vec<[f64; 2]> {
    let ends = arm.bounds.iter().flatten();
    let at = |t: &f64| [0, 1].map(|k| arm.point[k] + t * arm.direction[k]);
    ends.map(at).collect()
}

fn counts(systems: &[Solved]) -> Finding {
    let seen: BTreeSet<usize> = systems.iter().map(|s| s.answers.len()).collect();
    let list: Vec<String> = seen.iter().map(usize::to_string).collect();
    let list = list.join(", ");
    Finding::holds(
        seen.contains(&0) && seen.iter().any(|count| *count > 1),
        format!("{list} answers"),
        format!(
            "{TRIED} systems of two moving coordinates, A and C symmetric and positive definite, have {list} answers"
        ),
    )
}

fn dissipation(systems: &[Solved]) -> Finding {
    let power = |(p, a): (&ForwardProblem, &Answer)| -> f64 {
        let pairs = a.friction_force.iter().zip(&p.velocity);
        pairs.map(|(f, v)| f * v).fold(f64::INFINITY, f64::min)
    };
    let least = each(systems).map(power).fold(f64::INFINITY, f64::min);
    Finding::holds(
        least >= -ROUND_OFF,
        format!("least power taken by one element {} W", show(least)),
        format!(
            "over {} answers each element takes f_i q'_i >= {} of power",
            each(systems).count(),
            show(least)
        ),
    )
}

/// Absolute values need no iteration: the closed form has every answer.
fn no_iteration(systems: &Systems) -> Result<Finding, InputError> {
    let scalar = &systems.scalar;
    let mut residuals = Vec::new();
    for mu in [scalar.low_mu, scalar.high_mu] {
        let closed = scalar.with(mu)?;
        for k in -50..=50 {
            let tau = 0.1 * f64::from(k);
            for sign in [1.0, -1.0] {
                let found = listed(&closed, tau, sign);
                residuals.extend(
                    found
                        .iter()
                        .map(|a| scalar.residual(mu, sign, a.acceleration, tau)),
                );
            }
        }
    }
    let (count, most) = (residuals.len(), worst(residuals));
    Ok(Finding::corrected(
        [
            !(count > 0 && most <= ROUND_OFF),
            count > 0 && most <= ROUND_OFF,
        ],
        format!("{count} answers without iteration, residual {}", show(most)),
        format!(
            "with normal forces of fixed direction the equations are linear for each sign pattern: {count} answers of (7) from the closed form satisfy it to {}; iteration is needed only for roots of sums of squares (radially loaded bearings)",
            show(most)
        ),
    ))
}
