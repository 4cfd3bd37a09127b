//! Section 3: equations (19) to (29), arms and moments of Fig. 1.

use carom::InputError;

use super::book::Systems;
use super::frames::{AXES, Frames};
use super::pair::{Pair, apart};
use super::screws::{Screw, Vector, cross, minus, pairings, screw};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let frames = &systems.general;
    let mut all = joints(frames)?;
    all.extend(joint_screws(frames));
    all.extend(moments_of_one(frames)?);
    all.extend(moments_of_two(frames)?);
    all.push(("eq29", lines(frames)));
    Ok(all)
}

/// `Sᵀ η Q` over the size of its terms.
fn reciprocity(s: &[Screw], q: &[Screw]) -> f64 {
    let size = |w: &Screw| w.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let largest = |list: &[Screw]| list.iter().map(size).fold(0.0, f64::max);
    worst(pairings(s, q).concat()) / (largest(s) * largest(q))
}

/// Momentum balances of both bodies with a changed reading of the symbols.
fn balances(pair: &Pair, frames: &Frames) -> Result<f64, InputError> {
    let p = pair.least()?;
    Ok(worst(
        [0, 1].map(|i| pair.balance(i, &frames.normals(i), &p)),
    ))
}

/// Equations (19) and (20).
fn joints(frames: &Frames) -> Result<Vec<Keyed>, InputError> {
    let right = frames.hinged();
    let mut printed = right.clone();
    printed.sides[0].s[0] = screw(AXES[0], [0.0, 0.0, -frames.a[0]]);
    let own = [&printed, &right].map(|pair| reciprocity(&pair.sides[0].s, &pair.sides[0].q));
    let balance = [balances(&printed, frames)?, balances(&right, frames)?];
    let arm = frames.joint_arm(1);
    let a5 = frames.a[4];
    let wanted = [[0.0, 0.0, -a5], [0.0; 3], [a5, 0.0, 0.0]];
    let second = worst((0..3).map(|k| apart(&cross(arm, AXES[k]), &wanted[k])));
    Ok(vec![
        (
            "eq19",
            Finding::misprint(
                [
                    worst([own[0], balance[0]]) <= ROUND_OFF,
                    worst([own[1], balance[1]]) <= ROUND_OFF,
                ],
                "C1O1 x i = +a1 k",
                format!(
                    "(-a1 j) x i = +a1 k, as S1 of (21) has it; the first column of S1 with -a1 k gives S1^T eta Q1 = {}, with +a1 k {}; M1 dv1 = -U1 P + S1 xi1 is missed by {} and by {}",
                    show(own[0]),
                    show(own[1]),
                    show(balance[0]),
                    show(balance[1])
                ),
            ),
        ),
        (
            "eq20",
            Finding::identity(
                second,
                "of three products",
                "C2O2 x (i, j, k) from the points of Fig. 1",
            ),
        ),
    ])
}

/// Equations (21) and (22).
fn joint_screws(frames: &Frames) -> Vec<Keyed> {
    let pair = frames.hinged();
    let [a1, a5] = [frames.a[0], frames.a[4]];
    let finding = |i: usize, arm: f64| {
        let printed_s = [
            [1.0, 0.0, 0.0, 0.0, 0.0, -arm],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, arm, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        ];
        let printed_q = [[0.0, 0.0, 1.0, arm, 0.0, 0.0]];
        let side = &pair.sides[i];
        let differ = apart(&printed_s.concat(), &side.s.concat())
            + apart(&printed_q.concat(), &side.q.concat());
        let residual = reciprocity(&printed_s, &printed_q);
        Finding::holds(
            worst([differ, residual]) <= ROUND_OFF,
            "S^T eta Q = 0",
            format!(
                "five forces and couples at O against the rotation about k: S^T eta Q = {}; the columns of the geometry differ by {}",
                show(residual),
                show(differ)
            ),
        )
    };
    vec![("eq21", finding(0, -a1)), ("eq22", finding(1, a5))]
}

/// A printed moment in place of a column of U, tried on the balances.
fn column(
    frames: &Frames,
    body: usize,
    contact: usize,
    printed: Vector,
) -> Result<[f64; 4], InputError> {
    let right = frames.hinged();
    let mut read = right.clone();
    let n = frames.directions[contact];
    read.sides[body].u[contact] = screw(n, printed);
    let pitch = |u: &Screw| u[0] * u[3] + u[1] * u[4] + u[2] * u[5];
    let pitch = |pair: &Pair| pitch(&pair.sides[body].u[contact]).abs();
    Ok([
        pitch(&read),
        pitch(&right),
        balances(&read, frames)?,
        balances(&right, frames)?,
    ])
}

fn judged(found: [f64; 4], computed: &str, words: &str) -> Finding {
    let [pitch, right_pitch, balance, right_balance] = found;
    Finding::misprint(
        [
            worst([pitch, balance]) <= ROUND_OFF,
            worst([right_pitch, right_balance]) <= ROUND_OFF,
        ],
        computed,
        format!(
            "{words}; n . (CA x n) is {} as printed, {} corrected; M dv = -+U P + S xi is missed by {} as printed, {} corrected",
            show(pitch),
            show(right_pitch),
            show(balance),
            show(right_balance)
        ),
    )
}

/// Equations (23) to (25).
fn moments_of_one(frames: &Frames) -> Result<Vec<Keyed>, InputError> {
    let [_, a2, a3, a4, _] = frames.a;
    let [n1, n2, n3] = frames.directions;
    let product = |k: usize, printed: Vector| {
        let truth = cross(frames.arm(0, k), frames.directions[k]);
        Finding::identity(
            apart(&truth, &printed),
            "of the product",
            "C1A x n from the points of Fig. 1",
        )
    };
    let third = column(frames, 0, 2, [a3 * n2[1], -a3 * n3[0], 0.0])?;
    Ok(vec![
        ("eq23", product(0, [-a2 * n1[1], a2 * n1[0], 0.0])),
        (
            "eq24",
            product(1, [a3 * n2[1] + a4 * n2[2], -a3 * n2[0], -a4 * n2[0]]),
        ),
        (
            "eq25",
            judged(
                third,
                "a3 beta3 i - a3 alpha3 j",
                "beta3 in place of beta2: the third impulse has its own direction",
            ),
        ),
    ])
}

/// Equations (26) to (28).
fn moments_of_two(frames: &Frames) -> Result<Vec<Keyed>, InputError> {
    let [_, a2, a3, a4, _] = frames.a;
    let [n1, _, n3] = frames.directions;
    let first = [-a4 * n1[2], -a2 * n1[1], a4 * n1[0] + a2 * n1[1]];
    let first = column(frames, 1, 0, first)?;
    let second = column(frames, 1, 1, [a3, -a3, 0.0])?;
    // C1A − C2A is C1C2 = a4 j at each of the points.
    let between = [0.0, a4, 0.0];
    let gap = |one: Vector, two: Vector| apart(&minus(one, two), &between);
    let own = [
        gap(frames.arm(0, 0), [a2, -a4, 0.0]),
        gap(frames.arm(0, 0), [0.0, -a4, a2]),
    ];
    let third = [0.0, -a4, -a3];
    let labels = [gap(third, frames.arm(1, 2)), gap(frames.arm(0, 2), third)];
    let product = apart(
        &cross(third, n3),
        &[a3 * n3[1] - a4 * n3[2], -a3 * n3[0], a4 * n3[0]],
    );
    let words = format!(
        "the arm is -a4 j + a2 k, the product (-a4 gamma1 - a2 beta1, a2 alpha1, a4 alpha1): C1A1 - C2A1 = C1C2 = a4 j is missed by {} with a2 i, {} with a2 k",
        show(own[0]),
        show(own[1])
    );
    Ok(vec![
        (
            "eq26",
            judged(first, "(-a4 g1 - a2 b1, a2 a1, a4 a1)", &words),
        ),
        (
            "eq27",
            judged(
                second,
                "a3 beta2 i - a3 alpha2 j",
                "(-a3 k) x n2 needs the components of n2",
            ),
        ),
        (
            "eq28",
            Finding::misprint(
                [
                    labels[0] <= ROUND_OFF,
                    worst([labels[1], product]) <= ROUND_OFF,
                ],
                "C2A3",
                format!(
                    "there is no C3, and C1A3 is in (25): read as the arm from C2, C1A3 - C2A3 = a4 j to {}; read as the arm from C1 it is missed by {}; the product agrees to {}",
                    show(labels[1]),
                    show(labels[0]),
                    show(product)
                ),
            ),
        ),
    ])
}

/// Equation (29): every column is a line.
fn lines(frames: &Frames) -> Finding {
    let pitch = |u: &Screw| (u[0] * u[3] + u[1] * u[4] + u[2] * u[5]).abs();
    let all = [0, 1].map(|i| worst(frames.normals(i).iter().map(pitch)));
    Finding::identity(
        worst(all),
        "of n . m over six columns",
        "a normal is a line: its moment is at right angles to it",
    )
}
