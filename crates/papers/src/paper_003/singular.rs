//! The particular case: what its matrices are, and what it determines.

use carom::{ImpactResult, InputError, Law, Method};

use super::book::Systems;
use super::frames::Frames;
use super::pair::{Pair, apart, impulses, lost, matrices_apart};
use super::screws::{Matrix, screw};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let frames = &systems.singular;
    let pair = frames.hinged();
    Ok(vec![
        ("not-invertible", never(systems)?),
        ("g1", printed_matrix(&pair, 0, 1.0)),
        ("g2", second_matrix(frames, &pair)),
        ("not-solvable", determined(&pair)?),
        ("joint-impulses", joints(&pair)?),
        ("unequal", unequal(frames)?),
    ])
}

/// The printed pattern with a factor on a².
fn pattern(pair: &Pair, body: usize, factor: f64, a: f64) -> Matrix {
    let x = factor * a * a / pair.sides[body].reduced[0][0];
    vec![vec![x, 0.0, x], vec![0.0; 3], vec![x, 0.0, x]]
}

/// a of the particular case: a_1.
fn length(pair: &Pair) -> f64 {
    -pair.sides[0].q[0][3]
}

fn printed_matrix(pair: &Pair, body: usize, factor: f64) -> Finding {
    let printed = pattern(pair, body, factor, length(pair));
    let residual = matrices_apart(&printed, &pair.sides[body].g());
    Finding::identity(
        residual,
        "of nine entries",
        "U^T eta Q M_red^-1 Q^T eta U from the points of Fig. 1",
    )
}

/// G_2 is right, and contradicts (26) as printed.
fn second_matrix(frames: &Frames, pair: &Pair) -> Finding {
    let own = matrices_apart(&pattern(pair, 1, 9.0, length(pair)), &pair.sides[1].g());
    let mut read = pair.clone();
    let [_, a2, _, a4, _] = frames.a;
    let n = frames.directions[0];
    read.sides[1].u[0] = screw(n, [-a4 * n[2], -a2 * n[1], a4 * n[0] + a2 * n[1]]);
    let a = length(pair);
    let first = |pair: &Pair| pair.sides[1].g()[0][0] * pair.sides[1].reduced[0][0] / (a * a);
    Finding::holds(
        own <= ROUND_OFF,
        format!("{} a^2 at (1,1)", show(first(pair))),
        format!(
            "from the points of Fig. 1 to {}; with the moment printed in (26) the first entry would be {} a^2, not 9 a^2",
            show(own),
            show(first(&read))
        ),
    )
}

/// "not invertible any time".
fn never(systems: &Systems) -> Result<Finding, InputError> {
    let rank = |frames: &Frames| -> Result<usize, InputError> {
        let mut pair = frames.hinged();
        pair.k = vec![0.5; 3];
        Ok(pair
            .solved(Law::Poisson, Method::Complementarity)?
            .determinacy
            .rank)
    };
    const TRIED: u32 = 100;
    let mut most = 0;
    for seed in 1..=TRIED {
        most = most.max(rank(&systems.general.shuffled(seed))?);
    }
    let own = rank(&systems.singular)?;
    Ok(Finding::corrected(
        [most == 3, most == 2 && own == 1],
        format!("rank {own}; never above {most}"),
        format!(
            "not only at times: two hinged bodies have two rates, so that three normals have rank 2 at most, in {TRIED} frames of other dimensions and directions too; in the particular case it is {own}"
        ),
    ))
}

fn newton(pair: &Pair, method: Method) -> Result<ImpactResult, InputError> {
    pair.solved(Law::Newton, method)
}

/// "cannot be solved because it leads to a non-invertible matrix".
fn determined(pair: &Pair) -> Result<Finding, InputError> {
    let found = newton(pair, Method::Linear)?;
    let p = impulses(&found);
    let (delta, a) = (pair.delta(), length(pair));
    let g = a * a / pair.sides[0].reduced[0][0] + 9.0 * a * a / pair.sides[1].reduced[0][0];
    let together = (1.0 + pair.k[0]) * delta[0] / g;
    // Another share of the same impulse, and a push at A2 that moves nothing.
    let other = [together, 0.7, 0.0];
    let ends = [&p[..], &other].map(|p| pair.after(p).concat());
    let change = found.energy_change.unwrap_or(f64::NAN);
    let free = worst(found.determinacy.null_space.iter().map(|z| z[0] + z[2]));
    let velocity = found.velocity.as_deref().unwrap_or(&[]);
    let residuals = [
        apart(&[p[0] + p[2]], &[together]),
        apart(&ends[0], &ends[1]),
        apart(&ends[0], velocity),
        apart(&[change], &[lost(pair, &p)]),
        free,
    ];
    let facts = &found.determinacy;
    let is_stated = facts.velocity_unique && !facts.impulses_unique.contains(&true);
    let rates = pair.after(&p).map(|v| show(v[2]));
    Ok(Finding::refuted(
        [
            !facts.velocity_unique,
            is_stated && worst(residuals) <= ROUND_OFF,
        ],
        format!(
            "P1 + P3 = {}, omega = {}, dT = {}",
            show(together),
            rates.join(", "),
            show(change)
        ),
        format!(
            "rank {}, delta = ({}, {}, {}); P2 is free and only P1 + P3 = (1 + k) delta1/g = {} N s is determined, but the velocities (omega {} and {} rad/s) and dT = {} J are those of every share: residual {}",
            facts.rank,
            show(delta[0]),
            show(delta[1]),
            show(delta[2]),
            show(together),
            rates[0],
            rates[1],
            show(change),
            show(worst(residuals))
        ),
    ))
}

/// The impulses asked for at O_1 and O_2.
fn joints(pair: &Pair) -> Result<Finding, InputError> {
    let found = newton(pair, Method::Linear)?;
    let unique: Vec<Vec<bool>> = found.constraints.iter().map(|c| c.unique.clone()).collect();
    // Every component along every null vector, by (17) and (18).
    let moves = |i: usize, k: usize| {
        let z = found.determinacy.null_space.iter();
        worst(z.map(|z| pair.xi(i, z)[k])) > ROUND_OFF
    };
    let agrees = (0..2).all(|i| (0..5).all(|k| unique.get(i).is_some_and(|u| u[k] != moves(i, k))));
    let count = |i: usize| {
        unique
            .get(i)
            .map_or(0, |u| u.iter().filter(|u| **u).count())
    };
    Ok(Finding::refuted(
        [
            count(0) + count(1) == 10,
            agrees && count(0) + count(1) < 10,
        ],
        format!("{} and {} of 5 components are unique", count(0), count(1)),
        format!(
            "a component of xi is unique when no impulse that moves nothing asks anything of it: {} of 5 at O1 and {} of 5 at O2; the same by (17), (18) over a basis of the null space of W and by the library",
            count(0),
            count(1)
        ),
    ))
}

/// k_1 ≠ k_3.
fn unequal(frames: &Frames) -> Result<Finding, InputError> {
    let mut pair = frames.hinged();
    pair.k = vec![0.6, 0.3, 0.4];
    let linear = newton(&pair, Method::Linear)?;
    let [newton, poisson] =
        [Law::Newton, Law::Poisson].map(|law| pair.solved(law, Method::Complementarity));
    let (newton, poisson) = (newton?, poisson?);
    let asked = (pair.k[0] - pair.k[2]) * pair.delta()[0];
    let residual = linear.determinacy.compatibility_residual;
    let is_so = linear.outcome.name() == "infeasible"
        && newton.determinacy.velocity_unique
        && !poisson.determinacy.velocity_unique
        && apart(&[residual * 2f64.sqrt()], &[asked]) <= ROUND_OFF;
    let v: Vec<String> = newton
        .contacts
        .iter()
        .map(|c| show(c.velocity_after.normal.unwrap_or(f64::NAN)))
        .collect();
    Ok(Finding::refuted(
        [linear.outcome.name() == "solved", is_so],
        format!("linear law {}", linear.outcome.name()),
        format!(
            "k = (0.6, 0.3, 0.4): A1 and A3 share one velocity and are asked for two, (11) has no solution at all, z^T K delta = {} for z = (1, 0, -1); Newton's complementarity has one velocity, v_n = {}; Poisson's depends on the share of the compression: {}",
            show(asked),
            v.join(", "),
            poisson.outcome.name()
        ),
    ))
}
