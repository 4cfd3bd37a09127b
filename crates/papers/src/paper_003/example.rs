//! Section 3: equations (30) to (41), and the word for the joints.

use carom::{ImpactResult, InputError, Law, Method};

use super::book::Systems;
use super::frames::{Frames, Joint};
use super::neighbours::on_a_ball;
use super::pair::{Pair, Side, apart, impulses, matrices_apart};
use super::screws::{Matrix, Screw, Vector, combined, cross, inverse, pairing, product, times};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let frames = &systems.general;
    let pair = frames.hinged();
    let mut all = vec![
        ("joint-name", joint_name(frames)),
        ("eq30", start(frames, &pair)),
        ("eq32", energy(&pair)),
        ("eq34", outer(frames, &pair)),
        ("eq35", closing(&pair)?),
        ("eq36", no_inverse(systems, &pair)?),
        ("eq37", bracket(systems)),
        ("eq38", columns(frames, &pair)),
    ];
    all.extend(normal_velocities(frames, &pair));
    all.extend(reduced(frames, &pair));
    all.extend(joint_impulses(frames, &pair)?);
    Ok(all)
}

/// "cylindrically jointed".
fn joint_name(frames: &Frames) -> Finding {
    let cylindrical = frames.side(0, Joint::Cylindrical, &[0.0, 0.0]);
    let hinge = frames.side(0, Joint::Revolute, &[0.0]);
    let along = |s: &Screw| worst(cylindrical.q.iter().map(|q| pairing(s, q)));
    let printed = worst(hinge.s.iter().map(along));
    let own = worst(hinge.s.iter().map(|s| pairing(s, &hinge.q[0])));
    Finding::misprint(
        [printed <= ROUND_OFF, own <= ROUND_OFF],
        "revolute",
        format!(
            "S1 has {} columns and Q1 one motion: a hinge, S1^T eta Q1 = {}; a cylindrical joint has {} and also slides along k, on which the printed S1 does work {}",
            hinge.s.len(),
            show(own),
            cylindrical.s.len(),
            show(printed)
        ),
    )
}

/// Equation (30).
fn start(frames: &Frames, pair: &Pair) -> Finding {
    let [a1, .., a5] = frames.a;
    let [w1, w2] = frames.omega;
    let printed = [
        [0.0, 0.0, -w1, a1 * w1, 0.0, 0.0],
        [0.0, 0.0, -w2, -a5 * w2, 0.0, 0.0],
    ];
    Finding::identity(
        apart(&printed.concat(), &pair.before().concat()),
        "of both twists",
        "the rates -omega about k at O1 and O2",
    )
}

/// Equation (31), both lines.
fn normal_velocities(frames: &Frames, pair: &Pair) -> [Keyed; 2] {
    let [a1, .., a5] = frames.a;
    let [w1, w2] = frames.omega;
    let before = pair.before();
    let printed = |body: usize| -> Vec<f64> {
        let value = |u: &Screw| match body {
            0 => a1 * w1 * u[0] - w1 * u[5],
            _ => -a5 * w2 * u[0] - w2 * u[5],
        };
        pair.sides[body].u.iter().map(value).collect()
    };
    let first = apart(&printed(0), &pair.sides[0].normal_velocities(&before[0]));
    let with = [0, 1].map(|u| apart(&printed(1), &pair.sides[u].normal_velocities(&before[1])));
    [
        (
            "eq31",
            Finding::identity(
                first,
                "over three contacts",
                "U1^T eta v1 against a1 omega alpha - omega C",
            ),
        ),
        (
            "eq31-second",
            Finding::misprint(
                [with[0] <= ROUND_OFF, with[1] <= ROUND_OFF],
                "U2^T eta v2",
                format!(
                    "the numbers at the right are those of U2: residual {} with U1 as printed, {} with U2",
                    show(with[0]),
                    show(with[1])
                ),
            ),
        ),
    ]
}

/// Equation (32): `½ vᵀ η M v` is the kinetic energy.
fn energy(pair: &Pair) -> Finding {
    let one = |i: usize| {
        let (side, v) = (&pair.sides[i], pair.before()[i]);
        let squares = |a: &[f64]| a.iter().map(|x| x * x).collect::<Vec<f64>>();
        let [turn, move_] = [squares(&v[..3]), squares(&v[3..])];
        let turning: f64 = turn
            .iter()
            .zip(side.inertia.moments)
            .map(|(w, j)| 0.5 * j * w)
            .sum();
        let by_hand = turning + 0.5 * side.inertia.mass * move_.iter().sum::<f64>();
        apart(&[0.5 * pairing(&v, &side.inertia.momentum(&v))], &[by_hand])
    };
    Finding::identity(
        worst([one(0), one(1)]),
        "of the energy",
        "v^T eta M v / 2 of both bodies at the start",
    )
}

/// Equation (33), both lines.
fn reduced(frames: &Frames, pair: &Pair) -> [Keyed; 2] {
    let [a1, .., a5] = frames.a;
    let own = |i: usize| pair.sides[i].reduced[0][0];
    let value = |i: usize, arm: f64| frames.mass[i] * arm + frames.moments[i][2];
    let first = apart(&[own(0)], &[value(0, a1 * a1)]);
    let readings = [a5 * a1, a1 * a1, a5 * a5].map(|arm| apart(&[own(1)], &[value(1, arm)]));
    [
        (
            "eq33",
            Finding::identity(first, "of M1red", "Q1^T eta M1 Q1 = m1 a1^2 + Jz1"),
        ),
        (
            "eq33-second",
            Finding::misprint(
                [
                    worst([readings[0], readings[1]]) <= ROUND_OFF,
                    readings[2] <= ROUND_OFF,
                ],
                "m2 a5^2 + Jz2",
                format!(
                    "there is no a_51: Q2^T eta M2 Q2 is {}; residual {} with a5 a1, {} with a1^2, {} with a5^2",
                    show(own(1)),
                    show(readings[0]),
                    show(readings[1]),
                    show(readings[2])
                ),
            ),
        ),
    ]
}

/// Equation (34): both matrices have rank one.
fn outer(frames: &Frames, pair: &Pair) -> Finding {
    let [a1, .., a5] = frames.a;
    let one = |i: usize, arm: f64| {
        let side = &pair.sides[i];
        let c: Vec<f64> = side.u.iter().map(|u| u[5] + arm * u[0]).collect();
        let printed: Matrix = c
            .iter()
            .map(|x| c.iter().map(|y| x * y / side.reduced[0][0]).collect())
            .collect();
        matrices_apart(&printed, &side.g())
    };
    Finding::identity(
        worst([one(0, -a1), one(1, a5)]),
        "of G1 and G2",
        "lambda_ij = (C_i - a1 alpha_i)(C_j - a1 alpha_j), nu_ij = (F_i + a5 alpha_i)(F_j + a5 alpha_j): rank 1 each",
    )
}

/// Equation (35), against the mechanism in its two rates.
fn closing(pair: &Pair) -> Result<Finding, InputError> {
    let found = pair.solved(Law::Newton, Method::Linear)?;
    let speeds = found
        .contacts
        .iter()
        .map(|c| -c.velocity_before.normal.unwrap_or(f64::NAN));
    let speeds: Vec<f64> = speeds.collect();
    Ok(Finding::identity(
        apart(&pair.delta(), &speeds),
        "over three contacts",
        "delta against 12 coordinates",
    ))
}

/// Equation (36): the inverse never exists.
fn no_inverse(systems: &Systems, pair: &Pair) -> Result<Finding, InputError> {
    const TRIED: u32 = 500;
    let mut most = 0.0f64;
    for seed in 1..=TRIED {
        let w = systems.general.shuffled(seed).hinged().w();
        let diagonal: f64 = (0..3).map(|k| w[k][k]).product();
        most = most.max((inverse(&w).0 / diagonal).abs());
    }
    let rank = pair.solved(Law::Newton, Method::Linear)?.determinacy.rank;
    let ball = on_a_ball(&systems.singular);
    let unit = product(&ball.w(), &inverse(&ball.w()).1);
    let is_real = (0..3).all(|k| (unit[k][k] - 1.0).abs() < ROUND_OFF);
    Ok(Finding::refuted(
        [most > ROUND_OFF, rank == 2 && is_real],
        format!("rank {rank} of 3"),
        format!(
            "W = c c^T/M1 + d d^T/M2 has rank 2 at most: two bodies of one freedom each; |det W| is at most {} of the product of its diagonal over {TRIED} frames of other dimensions, masses and directions; with one more freedom (frame 1 on a ball joint) the inverse exists",
            show(most)
        ),
    ))
}

/// Equation (37): where the bracket belongs.
fn bracket(systems: &Systems) -> Finding {
    let pair = on_a_ball(&systems.singular);
    let delta = pair.delta();
    let inverse = inverse(&pair.w()).1;
    let literal: Vec<f64> = times(&inverse, &delta)
        .iter()
        .zip(pair.k.iter().zip(&delta))
        .map(|(x, (k, d))| x + k * d)
        .collect();
    let missed = [literal, pair.impulses()].map(|p| apart(&times(&pair.w(), &p), &pair.asked()));
    Finding::misprint(
        [missed[0] <= ROUND_OFF, missed[1] <= ROUND_OFF],
        "(G1+G2)^-1 [I + K] delta",
        format!(
            "as printed an impulse and a velocity are added; (7) and (8) ask W P = (I + K) delta: residual {} as printed, {} with the bracket around I + K as in (11)",
            show(missed[0]),
            show(missed[1])
        ),
    )
}

/// Equation (38).
fn columns(frames: &Frames, pair: &Pair) -> Finding {
    let a1 = frames.a[0];
    let side = &pair.sides[0];
    let printed = side.u.iter().map(|u| {
        let m = side.reduced[0][0];
        let (alpha, c) = (u[0], u[5]);
        [
            0.0,
            0.0,
            (c - a1 * alpha) / m,
            (-a1 * c + a1 * a1 * alpha) / m,
            0.0,
            0.0,
        ]
    });
    let printed: Vec<Screw> = printed.collect();
    Finding::identity(
        apart(&printed.concat(), &side.pushed().concat()),
        "of 18 entries",
        "Q1 M1red^-1 Q1^T eta U1",
    )
}

/// Equations (39) to (41), and the same for frame 2.
fn joint_impulses(frames: &Frames, pair: &Pair) -> Result<[Keyed; 4], InputError> {
    let found = pair.solved(Law::Newton, Method::Linear)?;
    let p = impulses(&found);
    let side = &pair.sides[0];
    let (e, l) = (side.asked_of_joint(&p), side.joint_mass());
    let by_hand = [
        l[0][0] * e[0],
        l[1][1] * e[1],
        l[2][2] * e[2] + l[2][3] * e[3],
        l[3][2] * e[2] + l[3][3] * e[3],
        l[4][4] * e[4],
    ];
    let freed = apart(&as_free(frames, side, &p), &e);
    let words =
        "velocity of O1 and omega_x, omega_y the contacts would give frame 1 without its joint";
    Ok([
        ("eq39", Finding::identity(freed, "of five entries", words)),
        ("eq40", pattern(&l)),
        ("eq41", joint("xi1", 0, &by_hand, &found)),
        ("second-linkage", joint("xi2", 1, &pair.xi(1, &p), &found)),
    ])
}

/// Entries of L outside the printed pattern.
fn pattern(l: &Matrix) -> Finding {
    let is_kept = |i: usize, k: usize| i == k || (i.min(k), i.max(k)) == (2, 3);
    let others = (0..25).filter(|n| !is_kept(n / 5, n % 5));
    let others = worst(others.map(|n| l[n / 5][n % 5]));
    Finding::identity(
        others / worst(l.concat()),
        "outside the printed pattern",
        "(S1^T eta M1^-1 S1)^-1 couples only the force along k with the couple about i: entries (3,4) and (4,3)",
    )
}

/// ξ against the constraint impulses of twelve coordinates.
fn joint(name: &str, body: usize, xi: &[f64], found: &ImpactResult) -> Finding {
    let library = found.constraints.get(body);
    let impulse = library.and_then(|c| c.impulse.as_deref()).unwrap_or(&[]);
    let unique = library.map_or(&[][..], |c| &c.unique);
    let unique = unique.iter().filter(|u| **u).count();
    let route = apart(xi, impulse);
    let list: Vec<String> = xi.iter().map(|x| show(*x)).collect();
    Finding::holds(
        route <= ROUND_OFF,
        format!("{name} = {}", list.join(", ")),
        format!(
            "with the least-norm P against the constraint impulses of 12 coordinates: {}; {unique} of the 5 components are unique, P itself is not",
            show(route)
        ),
    )
}

/// Velocity of O_1 and the angular velocities about i and j that the impulses give a free body.
fn as_free(frames: &Frames, side: &Side, p: &[f64]) -> Vec<f64> {
    let [fx, fy, fz, mx, my, mz] = combined(&side.u, p);
    let [jx, jy, jz] = side.inertia.moments;
    let omega: Vector = [mx / jx, my / jy, mz / jz];
    let turned = cross(omega, frames.joint_arm(0));
    let moved = [fx, fy, fz].map(|f| f / side.inertia.mass);
    let velocity = (0..3).map(|k| moved[k] + turned[k]);
    velocity.chain([omega[0], omega[1]]).collect()
}
