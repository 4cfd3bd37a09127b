//! Collisions at several points: what each law determines, and what not.
//!
//! Prints what each comes to; with a folder as argument, draws the tables there.
#![allow(clippy::print_stdout)]

use carom::examples::example;
use carom::figure::sketch::{Role, Sketch};
use carom::{
    Contact, ImpactProblem, ImpactResult, Law, Method, NoteCode, read_problem, significant, solve,
};

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let folder = std::env::args().nth(1);
    for drawing in draw()? {
        println!("{}: {}", drawing.name, drawing.words);
        if let Some((folder, svg)) = folder.as_ref().zip(drawing.svg) {
            let path = std::path::Path::new(folder).join(drawing.name);
            std::fs::write(path.with_extension("svg"), svg)?;
        }
    }
    Ok(())
}

/// A collision: what it comes to, in words and perhaps as a picture.
pub(crate) struct Drawing {
    pub(crate) name: &'static str,
    pub(crate) words: String,
    pub(crate) svg: Option<String>,
}

/// Every collision of the page.
pub(crate) fn draw() -> Result<Vec<Drawing>, Fault> {
    Ok(vec![
        cradle()?,
        three_legs()?,
        four_legs()?,
        unequal_legs()?,
        two_frames()?,
        pulling()?,
        coefficients()?,
        opposed()?,
        gain()?,
        flat_rod()?,
        corner()?,
    ])
}

fn said(name: &'static str, words: String) -> Drawing {
    Drawing {
        name,
        words,
        svg: None,
    }
}

const TOGETHER: Method = Method::Complementarity;

fn number(x: f64) -> String {
    // Round-off is zero to the reader.
    significant(if x.abs() < 1e-12 { 0.0 } else { x }, 4)
}

fn list(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(|x| number(*x)).collect();
    format!("({})", words.join(", "))
}

fn built_in(name: &str) -> Result<ImpactProblem, Fault> {
    let found = example(name).ok_or("no such example")?;
    Ok(read_problem(found.file, found.text, &[])?.problem)
}

fn velocity(result: &ImpactResult) -> String {
    list(result.velocity.as_deref().unwrap_or(&[]))
}

fn normal_impulses(result: &ImpactResult) -> Vec<f64> {
    let contacts = result.contacts.iter();
    contacts.filter_map(|c| c.impulse.normal).collect()
}

fn change(result: &ImpactResult) -> String {
    result.energy_change.map_or("none".to_owned(), number)
}

/// A contact without friction.
fn smooth(name: &str, normal: &[f64], restitution: f64) -> Contact {
    Contact {
        name: name.to_owned(),
        normal: normal.to_vec(),
        tangent: None,
        tangents: None,
        stiffness: 1.0,
        friction: 0.0.into(),
        restitution,
        tangential_restitution: None,
    }
}

/// A problem with a diagonal mass matrix.
fn problem(mass: &[f64], velocity: &[f64], contacts: Vec<Contact>) -> ImpactProblem {
    let n = mass.len();
    let row = |i: usize| (0..n).map(|k| if i == k { mass[i] } else { 0.0 }).collect();
    ImpactProblem {
        mass: (0..n).map(row).collect(),
        velocity: velocity.to_vec(),
        contacts,
        constraints: Vec::new(),
    }
}

fn cradle() -> Result<Drawing, Fault> {
    let balls = built_in("three-balls")?;
    let together = solve(&balls, Law::Newton, TOGETHER)?;
    let after = solve(&balls, Law::Newton, Method::Sequential)?;
    Ok(said(
        "cradle",
        format!(
            "together the balls leave with {}, one after another with {}",
            velocity(&together),
            velocity(&after)
        ),
    ))
}

fn three_legs() -> Result<Drawing, Fault> {
    let table = built_in("table-three-legs")?;
    let found = solve(&table, Law::Newton, TOGETHER)?;
    let unique = found.determinacy.impulses_unique.iter();
    Ok(Drawing {
        name: "determines-three",
        words: format!(
            "rank {} of 3, impulses {} N·s, {} of 3 unique",
            found.determinacy.rank,
            list(&normal_impulses(&found)),
            unique.filter(|u| **u).count()
        ),
        svg: sketch(&table, &found),
    })
}

fn four_legs() -> Result<Drawing, Fault> {
    let table = built_in("table-four-legs")?;
    let found = solve(&table, Law::Newton, TOGETHER)?;
    let facts = &found.determinacy;
    let z = facts.null_space.first().map_or(&[][..], |z| &z[..]);
    let first = z.first().copied().unwrap_or(1.0);
    let z: Vec<f64> = z.iter().map(|x| x / first).collect();
    Ok(Drawing {
        name: "determines-four",
        words: format!(
            "rank {} of 4, {} of 4 impulses unique, velocities {}; {} added to the impulses moves nothing; ΔT = {} J",
            facts.rank,
            facts.impulses_unique.iter().filter(|u| **u).count(),
            if facts.velocity_unique {
                "unique"
            } else {
                "not unique"
            },
            list(&z),
            change(&found)
        ),
        svg: sketch(&table, &found),
    })
}

/// Legs and their impulses; a leg at (x, y) has the row (0, 0, 1, y, −x, 0).
fn sketch(table: &ImpactProblem, found: &ImpactResult) -> Option<String> {
    const HEIGHT: f64 = 0.35;
    let feet = table
        .contacts
        .iter()
        .map(|c| [-c.normal[4], c.normal[3], 0.0]);
    let feet: Vec<[f64; 3]> = feet.collect();
    let top = |[x, y, _]: [f64; 3]| [x, y, HEIGHT];
    let mut edge: Vec<[f64; 3]> = feet.iter().map(|foot| top(*foot)).collect();
    edge.extend(edge.first().copied());
    let mut sketch = Sketch::default().line(Role::First, &edge);
    let p = normal_impulses(found);
    let largest = p.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(*x));
    for (foot, p) in feet.iter().zip(&p) {
        sketch = sketch.line(Role::First, &[*foot, top(*foot)]);
        let start = [foot[0], foot[1], -0.3 * p / largest];
        let by = [0.0, 0.0, 0.3 * p / largest];
        sketch = sketch.arrow(Role::Impulse, "", [start, by]);
        sketch = sketch.point(&format!("{} N·s", number(*p)), start);
    }
    sketch.svg("table dropped on its legs")
}

fn unequal_legs() -> Result<Drawing, Fault> {
    let mut table = built_in("table-four-legs")?;
    table.contacts[0].restitution = 0.6;
    let [linear, newton, poisson] = [
        solve(&table, Law::Newton, Method::Linear)?,
        solve(&table, Law::Newton, TOGETHER)?,
        solve(&table, Law::Poisson, TOGETHER)?,
    ];
    Ok(said(
        "unequal-legs",
        format!(
            "the linear law is {}, Newton's {}, Poisson's {}",
            linear.outcome.name(),
            newton.outcome.name(),
            poisson.outcome.name()
        ),
    ))
}

fn two_frames() -> Result<Drawing, Fault> {
    let found = solve(&built_in("two-frames")?, Law::Newton, TOGETHER)?;
    let p = normal_impulses(&found);
    let count = |k: usize| found.constraints[k].unique.iter().filter(|u| **u).count();
    Ok(said(
        "two-frames",
        format!(
            "rank {} of 3, P_1 + P_3 = {} N·s, ΔT = {} J; {} of 5 and {} of 5 components of the joint impulses are unique",
            found.determinacy.rank,
            number(p[0] + p[2]),
            change(&found),
            count(0),
            count(1)
        ),
    ))
}

/// The legs of the three-legged table, with other coefficients and another fall.
fn plate(velocity: &[f64], k: [f64; 3]) -> Result<ImpactProblem, Fault> {
    let mut table = built_in("table-three-legs")?;
    table.velocity = velocity.to_vec();
    for (contact, k) in table.contacts.iter_mut().zip(k) {
        contact.restitution = k;
    }
    Ok(table)
}

fn pulling() -> Result<Drawing, Fault> {
    let table = plate(&[0.0, 0.0, -1.3, 1.1, 2.4, 0.0], [0.5; 3])?;
    let linear = solve(&table, Law::Newton, Method::Linear)?;
    let newton = solve(&table, Law::Newton, TOGETHER)?;
    Ok(said(
        "pulling",
        format!(
            "the linear law asks for {} N·s, complementarity for {} N·s",
            list(&normal_impulses(&linear)),
            list(&normal_impulses(&newton))
        ),
    ))
}

fn coefficients() -> Result<Drawing, Fault> {
    let table = plate(&[0.1, 0.2, -1.5, 0.2, -0.1, 0.3], [0.6, 0.5, 0.4])?;
    let [newton, poisson] = [
        solve(&table, Law::Newton, TOGETHER)?,
        solve(&table, Law::Poisson, TOGETHER)?,
    ];
    Ok(said(
        "coefficients",
        format!(
            "Newton gives {} N·s, Poisson {} N·s",
            list(&normal_impulses(&newton)),
            list(&normal_impulses(&poisson))
        ),
    ))
}

/// A slider that touches a wall on either side.
fn opposed() -> Result<Drawing, Fault> {
    let contacts = vec![smooth("left", &[1.0], 0.5), smooth("right", &[-1.0], 0.5)];
    let slider = problem(&[1.0], &[-1.0], contacts);
    let [newton, poisson] = [
        solve(&slider, Law::Newton, TOGETHER)?,
        solve(&slider, Law::Poisson, TOGETHER)?,
    ];
    Ok(said(
        "opposed",
        format!(
            "Newton's law is {}, Poisson's {} with {} m/s after",
            newton.outcome.name(),
            poisson.outcome.name(),
            number(poisson.velocity.map_or(f64::NAN, |v| v[0]))
        ),
    ))
}

/// `W = [[1, −0.9], [−0.9, 1]]`, one contact approaching, the other receding.
fn gain() -> Result<Drawing, Fault> {
    let c = 0.19f64.sqrt();
    let contacts = vec![
        smooth("struck", &[1.0, 0.0], 1.0),
        smooth("receding", &[-0.9, c], 1.0),
    ];
    let pair = problem(&[1.0, 1.0], &[-1.0, -0.4 / c], contacts);
    let [newton, poisson] = [
        solve(&pair, Law::Newton, TOGETHER)?,
        solve(&pair, Law::Poisson, TOGETHER)?,
    ];
    let is_told = newton.notes.iter().any(|n| n.code == NoteCode::EnergyGain);
    Ok(said(
        "gain",
        format!(
            "ΔT = {} J by Newton ({}), {} J by Poisson",
            change(&newton),
            if is_told { "noted" } else { "not noted" },
            change(&poisson)
        ),
    ))
}

fn flat_rod() -> Result<Drawing, Fault> {
    let found = solve(&built_in("rod-lands-flat")?, Law::Poisson, TOGETHER)?;
    Ok(said(
        "flat-rod",
        format!(
            "normal impulses {} N·s, velocity after {}",
            list(&normal_impulses(&found)),
            velocity(&found)
        ),
    ))
}

/// A square plate whose lower corners meet the floor and a wall at 45°.
fn corner() -> Result<Drawing, Fault> {
    let s = 0.5f64.sqrt();
    let rough = |name: &str, normal: [f64; 3], tangent: [f64; 3]| Contact {
        tangent: Some(tangent.to_vec()),
        friction: 1.5.into(),
        ..smooth(name, &normal, 0.0)
    };
    let contacts = vec![
        rough("floor", [0.0, 1.0, -0.5], [1.0, 0.0, 0.5]),
        rough("wall", [-s, s, 0.0], [s, s, s]),
    ];
    let plate = problem(&[1.0, 1.0, 0.05], &[-1.0, -1.0, 1.0], contacts);
    let found = solve(&plate, Law::Moreau, TOGETHER)?;
    let ends: Vec<String> = found.outcomes.iter().map(velocity).collect();
    Ok(said(
        "corner",
        format!(
            "{} outcomes, velocities {}",
            found.outcomes.len(),
            ends.join(" and ")
        ),
    ))
}
