//! Rows, coordinates, masses and velocities in other units change no statement.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Constraint, Contact, ImpactProblem, ImpactResult, Law, Method, NoteCode, Outcome, solve,
};
use fastrand::Rng;

use crate::common::count;

/// Units of every row and coordinate, of mass and of velocity.
struct Units {
    normals: Vec<f64>,
    tangents: Vec<f64>,
    constraints: Vec<Vec<f64>>,
    coordinates: Vec<f64>,
    mass: f64,
    velocity: f64,
}

impl Units {
    fn draw(rng: &mut Rng, problem: &ImpactProblem) -> Self {
        let mut unit = |most: f64| 10f64.powf(most * (2.0 * rng.f64() - 1.0));
        let k = problem.contacts.len();
        Self {
            normals: (0..k).map(|_| unit(6.0)).collect(),
            tangents: (0..k).map(|_| unit(6.0)).collect(),
            constraints: problem
                .constraints
                .iter()
                .map(|c| c.rows.iter().map(|_| unit(6.0)).collect())
                .collect(),
            coordinates: problem.velocity.iter().map(|_| unit(3.0)).collect(),
            mass: unit(12.0),
            velocity: unit(6.0),
        }
    }

    /// The same collision: `q̇ = D q̇'`, `M' = D M D`, `J' = J D`; friction with the units of its rows.
    fn apply(&self, problem: &ImpactProblem) -> ImpactProblem {
        let d = &self.coordinates;
        let row = |row: &[f64], unit: f64| -> Vec<f64> {
            row.iter().zip(d).map(|(x, d)| x * d * unit).collect()
        };
        let contact = |(i, c): (usize, &Contact)| {
            let ratio = self.normals[i] / self.tangents[i];
            Contact {
                normal: row(&c.normal, self.normals[i]),
                tangent: c.tangent.as_ref().map(|t| row(t, self.tangents[i])),
                friction: GivenFriction {
                    mu_s: c.friction.mu_s * ratio,
                    mu_d: c.friction.mu_d * ratio,
                },
                ..c.clone()
            }
        };
        let constraint = |(c, units): (&Constraint, &Vec<f64>)| Constraint {
            rows: c
                .rows
                .iter()
                .zip(units)
                .map(|(r, unit)| row(r, *unit))
                .collect(),
            ..c.clone()
        };
        let masses = problem.mass.iter().zip(d);
        ImpactProblem {
            mass: masses.map(|(r, d)| row(r, d * self.mass)).collect(),
            velocity: problem
                .velocity
                .iter()
                .zip(d)
                .map(|(v, d)| v * self.velocity / d)
                .collect(),
            contacts: problem.contacts.iter().enumerate().map(contact).collect(),
            constraints: problem
                .constraints
                .iter()
                .zip(&self.constraints)
                .map(constraint)
                .collect(),
        }
    }
}

/// Contacts of numbers k/4, some of them dependent, with friction or without, under constraints or not.
fn draw(rng: &mut Rng, is_rough: bool, most: usize) -> ImpactProblem {
    let quarter = |rng: &mut Rng, most: i32| f64::from(rng.i32(-most..=most)) / 4.0;
    let n = rng.usize(2..5);
    let root: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| if i == j { 1.0 } else { quarter(rng, 2) })
                .collect()
        })
        .collect();
    let product = |i: usize, j: usize| {
        (0..n).map(|k| root[i][k] * root[j][k]).sum::<f64>() + if i == j { 0.5 } else { 0.0 }
    };
    let row = |rng: &mut Rng| -> Vec<f64> { (0..n).map(|_| quarter(rng, 4)).collect() };
    let mut contacts: Vec<Contact> = Vec::new();
    for i in 0..rng.usize(1..=most) {
        let mut normal = row(rng);
        if i > 1 && rng.bool() {
            normal = (0..n)
                .map(|c| contacts[0].normal[c] + contacts[1].normal[c])
                .collect();
        }
        let kinetic = f64::from(rng.u8(1..7)) / 4.0;
        let more = if rng.u8(0..4) == 0 { 0.5 } else { 0.0 };
        contacts.push(Contact {
            name: i.to_string(),
            normal,
            tangent: is_rough.then(|| row(rng)),
            tangents: None,
            stiffness: 1.0,
            friction: if is_rough {
                GivenFriction {
                    mu_s: kinetic + more,
                    mu_d: kinetic,
                }
            } else {
                GivenFriction::default()
            },
            restitution: f64::from(rng.u8(0..5)) / 4.0,
            tangential_restitution: None,
        });
    }
    let mut rows: Vec<Vec<f64>> = (0..rng.usize(0..3)).map(|_| row(rng)).collect();
    if rows.len() == 2 && rng.bool() {
        rows.push((0..n).map(|c| rows[0][c] - 2.0 * rows[1][c]).collect());
    }
    let velocity = row(rng);
    // The constraints hold before the impact.
    let constraints = rows
        .into_iter()
        .filter(|g| carom_numeric::dot(g, &velocity) == 0.0);
    let constraint = |(i, g): (usize, Vec<f64>)| Constraint {
        name: format!("G{i}"),
        rows: vec![g],
    };
    ImpactProblem {
        mass: (0..n)
            .map(|i| (0..n).map(|j| product(i, j)).collect())
            .collect(),
        contacts,
        constraints: constraints.enumerate().map(constraint).collect(),
        velocity,
    }
}

/// Remarks about the impulses given, or about the first of several outcomes.
const GIVEN: [NoteCode; 4] = [
    NoteCode::ImpulsesNotUnique,
    NoteCode::PullingImpulse,
    NoteCode::VelocityNotUnique,
    NoteCode::EnergyGain,
];

/// Everything a result states, without its numbers.
fn statements(result: &ImpactResult) -> String {
    // Types belong to the impulses given, which depend on units where they are not unique.
    let is_unique = result.determinacy.impulses_unique.iter().all(|is| *is);
    let types = result.contacts.iter().filter(|_| is_unique);
    let types: Vec<_> = types.map(|c| (c.contact_type, c.started_at_rest)).collect();
    let held: Vec<_> = result.constraints.iter().map(|c| &c.unique).collect();
    let mut codes: Vec<_> = result.notes.iter().map(|note| note.code).collect();
    codes.retain(|code| is_unique || !GIVEN.contains(code));
    let d = &result.determinacy;
    format!(
        "{:?} rank {} null {} velocity {} impulses {:?} held {held:?} {types:?} {codes:?}",
        result.outcome,
        d.rank,
        d.null_space.len(),
        d.velocity_unique,
        d.impulses_unique
    )
}

#[track_caller]
fn compare(problem: &ImpactProblem, units: &Units, (law, method): (Law, Method)) -> Outcome {
    let said = || serde_json::to_string(problem).unwrap();
    let here =
        solve(problem, law, method).unwrap_or_else(|e| panic!("{e}: {law} {method} {}", said()));
    let there = solve(&units.apply(problem), law, method)
        .unwrap_or_else(|e| panic!("{e}: {law} {method} {}", said()));
    assert_eq!(
        statements(&here),
        statements(&there),
        "{law} {method} {}",
        said()
    );
    if let (true, Some(a), Some(b)) = (
        here.determinacy.velocity_unique,
        &here.velocity,
        &there.velocity,
    ) {
        let size = a
            .iter()
            .chain(&problem.velocity)
            .fold(0.0f64, |most, v| most.max(v.abs()));
        for ((a, b), d) in a.iter().zip(b).zip(&units.coordinates) {
            let b = b * d / units.velocity;
            assert!(
                (a - b).abs() <= 1e-9 * size,
                "{a} {b} {law} {method} {}",
                said()
            );
        }
    }
    here.outcome
}

/// Story: rows of joints and contacts in other units turned `unique` into its opposite; a null vector with
/// a component below 1.8e-3 did not count.
#[test]
fn rows_in_other_units_change_no_statement_without_friction() {
    let mut rng = Rng::with_seed(321);
    for _ in 0..count(800) {
        let problem = draw(&mut rng, false, 5);
        let units = Units::draw(&mut rng, &problem);
        for law in [Law::Newton, Law::Poisson] {
            compare(&problem, &units, (law, Method::Complementarity));
        }
        compare(&problem, &units, (Law::Newton, Method::Linear));
    }
}

#[test]
fn rows_in_other_units_change_no_statement_with_friction() {
    let mut rng = Rng::with_seed(322);
    let mut solved = 0;
    for _ in 0..count(300) {
        let problem = draw(&mut rng, true, 3);
        let units = Units::draw(&mut rng, &problem);
        for law in [Law::Newton, Law::Moreau, Law::Poisson] {
            let outcome = compare(&problem, &units, (law, Method::Complementarity));
            solved += usize::from(outcome == Outcome::Solved);
        }
    }
    assert!(solved > 200 || cfg!(debug_assertions), "{solved}");
}

#[test]
fn rows_in_other_units_change_no_statement_of_a_sequence_or_of_one_contact() {
    let mut rng = Rng::with_seed(323);
    for _ in 0..count(300) {
        let problem = draw(&mut rng, true, 3);
        let units = Units::draw(&mut rng, &problem);
        let alone = ImpactProblem {
            contacts: problem.contacts[..1].to_vec(),
            ..problem.clone()
        };
        let own = Units::draw(&mut rng, &alone);
        for law in Law::ALL {
            compare(&alone, &own, (law, Method::Complementarity));
            if law.follows_the_path() && problem.contacts.len() > 1 {
                compare(&problem, &units, (law, Method::Sequential));
            }
        }
    }
}
