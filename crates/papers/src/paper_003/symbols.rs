//! Equations (19) to (41), symbol by symbol, with the frames of the case file.

use carom::{InputError, Law, Method};

use super::book::Systems;
use super::frames::{AXES, Frames};
use super::pair::{Pair, Side, impulses};
use super::screws::{Matrix, Screw, Vector, cross, transposed};
use crate::{Equation, Symbol, Value};

/// The equations with the frames of general dimensions, then with those of the particular case.
pub(super) fn equations(systems: &Systems) -> Result<Vec<Equation>, InputError> {
    let mut all = of("general frames", &systems.general)?;
    all.extend(of("particular case", &systems.singular)?);
    Ok(all)
}

fn of(system: &'static str, frames: &Frames) -> Result<Vec<Equation>, InputError> {
    let pair = frames.hinged();
    let mut told = geometry(frames, &pair);
    told.extend(before(frames, &pair));
    told.extend(collision(&pair)?);
    let equation = |(place, symbols): (String, Vec<Symbol>)| Equation {
        place,
        system,
        symbols,
    };
    Ok(told.into_iter().map(equation).collect())
}

type Told = (String, Vec<Symbol>);

fn told(number: impl std::fmt::Display, symbols: Vec<Symbol>) -> Told {
    (format!("Eq. ({number})"), symbols)
}

fn symbol(name: impl Into<String>, value: impl Into<Value>) -> Symbol {
    Symbol {
        symbol: name.into(),
        value: value.into(),
    }
}

/// Columns of screws as the matrix that is printed, row by row.
fn matrix(columns: &[Screw]) -> Matrix {
    let columns: Matrix = columns.iter().map(|screw| screw.to_vec()).collect();
    transposed(&columns)
}

/// (19) to (29): arms, their products, S, Q and U.
fn geometry(frames: &Frames, pair: &Pair) -> Vec<Told> {
    let joint = |i: usize| {
        let arm = frames.joint_arm(i);
        let name = format!("C{0}O{0}", i + 1);
        let axes = ["i", "j", "k"].into_iter().zip(AXES);
        let products = axes.map(|(e, axis)| symbol(format!("{name} x {e}"), cross(arm, axis)));
        std::iter::once(symbol(&name, arm))
            .chain(products)
            .collect()
    };
    let screws = |i: usize| {
        let side = &pair.sides[i];
        vec![
            symbol(format!("S{}", i + 1), matrix(&side.s)),
            symbol(format!("Q{}", i + 1), matrix(&side.q)),
        ]
    };
    let moment = |i: usize, k: usize| {
        let (arm, n): (Vector, Vector) = (frames.arm(i, k), frames.directions[k]);
        let name = format!("C{}A{}", i + 1, k + 1);
        let product = symbol(format!("{name} x n{}", k + 1), cross(arm, n));
        vec![symbol(name, arm), product]
    };
    let mut all = vec![
        told(19, joint(0)),
        told(20, joint(1)),
        told(21, screws(0)),
        told(22, screws(1)),
    ];
    let places = (0..2).flat_map(|i| (0..3).map(move |k| (i, k)));
    all.extend(places.map(|(i, k)| told(23 + 3 * i + k, moment(i, k))));
    let [u1, u2] = [0, 1].map(|i| matrix(&pair.sides[i].u));
    all.push(told(29, vec![symbol("U1", u1), symbol("U2", u2)]));
    all
}

/// (30) to (36): velocities before, inertia, λ, ν, G, δ and g.
fn before(frames: &Frames, pair: &Pair) -> Vec<Told> {
    let twists = pair.before();
    let each = |name: &str, value: &dyn Fn(usize) -> Value| -> Vec<Symbol> {
        let one = |i: usize| symbol(format!("{name}{}", i + 1), value(i));
        (0..2).map(one).collect()
    };
    let normal = |i: usize| pair.sides[i].normal_velocities(&twists[i]).into();
    let inertia = |i: usize| inertia(&pair.sides[i]).into();
    let reduced = |i: usize| Value::Number(pair.sides[i].reduced[0][0]);
    let products = [("lambda", 0, -frames.a[0]), ("nu", 1, frames.a[4])];
    let products = products.map(|(name, i, arm)| symbol(name, outer(&pair.sides[i], arm)));
    let g = each("G", &|i| pair.sides[i].g().into());
    let w = pair.w();
    // Two bodies of one freedom each: three rows are never independent.
    let inverse = vec![symbol("g", w), symbol("h", Value::Nothing)];
    vec![
        told(30, each("v0_", &|i| twists[i].into())),
        told(31, each("v_n0_", &normal)),
        told(32, each("M", &inertia)),
        told(33, each("M_red", &reduced)),
        told(34, products.into_iter().chain(g).collect()),
        told(35, vec![symbol("delta", pair.delta())]),
        told(36, inverse),
    ]
}

/// (37) to (41): P of least norm, what it does to frame 1, ε, L and ξ.
fn collision(pair: &Pair) -> Result<Vec<Told>, InputError> {
    let p = impulses(&pair.solved(Law::Newton, Method::Linear)?);
    let side = &pair.sides[0];
    let pushed = matrix(&side.pushed());
    let epsilon = side.asked_of_joint(&p);
    Ok(vec![
        told(37, vec![symbol("P, of least norm", p.clone())]),
        told(38, vec![symbol("Q1 M1red^-1 Q1^T eta U1", pushed)]),
        told(39, vec![symbol("epsilon", epsilon)]),
        told(40, vec![symbol("L", side.joint_mass())]),
        told(41, vec![symbol("xi1", pair.xi(0, &p))]),
    ])
}

/// `[[0, m E], [J, 0]]`
fn inertia(side: &Side) -> Matrix {
    let unit = |k: usize| -> Screw { std::array::from_fn(|i| f64::from(u8::from(i == k))) };
    let columns: Vec<Screw> = (0..6).map(|k| side.inertia.momentum(&unit(k))).collect();
    matrix(&columns)
}

/// λ or ν: products of what a contact turns the frame with.
fn outer(side: &Side, arm: f64) -> Matrix {
    let c: Vec<f64> = side.u.iter().map(|u| u[5] + arm * u[0]).collect();
    c.iter()
        .map(|x| c.iter().map(|y| x * y).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Book, PRINTED};
    use super::*;

    fn value<'a>(all: &'a [Equation], place: &str, name: &str) -> &'a Value {
        let of_frames = all.iter().filter(|e| e.system == "general frames");
        let mut symbols = of_frames
            .filter(|e| e.place == place)
            .flat_map(|e| &e.symbols);
        &symbols.find(|s| s.symbol == name).unwrap().value
    }

    #[test]
    fn every_equation_from_19_to_41_has_values_that_fit_each_other() {
        let book = Book::read(PRINTED).unwrap();
        let all = equations(&book.systems).unwrap();
        for number in 19..=41 {
            let place = format!("Eq. ({number})");
            assert_eq!(
                all.iter().filter(|e| e.place == place).count(),
                2,
                "{place}"
            );
        }
        let (Value::Matrix(lambda), Value::Matrix(g), Value::Number(m)) = (
            value(&all, "Eq. (34)", "lambda"),
            value(&all, "Eq. (34)", "G1"),
            value(&all, "Eq. (33)", "M_red1"),
        ) else {
            panic!("kinds of values");
        };
        let (Value::List(e), Value::Matrix(l), Value::List(xi)) = (
            value(&all, "Eq. (39)", "epsilon"),
            value(&all, "Eq. (40)", "L"),
            value(&all, "Eq. (41)", "xi1"),
        ) else {
            panic!("kinds of values");
        };
        for i in 0..3 {
            for k in 0..3 {
                assert!((lambda[i][k] / m - g[i][k]).abs() < 1e-14);
            }
        }
        assert!((l[2][2] * e[2] + l[2][3] * e[3] - xi[2]).abs() < 1e-13);
        assert!(xi[0].abs() > 0.1);
    }
}
