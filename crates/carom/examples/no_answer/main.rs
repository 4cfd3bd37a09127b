//! Questions of forward dynamics with none, one or several answers, each with its picture.
//!
//! Prints what each comes to; with a folder as argument, draws it there.
#![allow(clippy::print_stdout)]

use carom::figure::forward::{
    GraphLabels, MapAxis, counts_svg, graph_svg, graph_window, lines_svg, map_svg,
};
use carom::figure::{Axis, series_chart};
use carom::forward::lines::acceleration_plane;
use carom::forward::map::rod_map;
use carom::forward::rod::Rod;
use carom::forward::scalar::ScalarFriction;
use carom::forward::screw::Screw;
use carom::forward::{ForwardProblem, solve};
use carom::resolution::{resolve_rod, seizures};
use carom::{Law, significant};

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

/// A question: what it comes to, in words and as a picture.
pub(crate) struct Drawing {
    pub(crate) name: &'static str,
    pub(crate) words: String,
    pub(crate) svg: Option<String>,
}

/// Every question of the page.
pub(crate) fn draw() -> Result<Vec<Drawing>, Fault> {
    Ok(vec![
        graph("forward-one", 0.3, 0.5)?,
        graph("forward-several", 0.8, 0.5)?,
        rest()?,
        two_coordinates()?,
        screw()?,
        rod_regions()?,
        impact()?,
        seizure()?,
    ])
}

fn number(x: f64) -> String {
    significant(x, 4)
}

fn count(found: Option<usize>) -> String {
    match found {
        None => "a continuum of answers".to_owned(),
        Some(0) => "no answer".to_owned(),
        Some(1) => "one answer".to_owned(),
        Some(count) => format!("{count} answers"),
    }
}

/// `q̈ + 0.2 + μ sgn(q̇) |2 q̈ + 3| = τ`
fn scalar(mu: f64) -> Result<ScalarFriction, Fault> {
    Ok(ScalarFriction::new(1.0, 0.2, 2.0, 3.0, mu.into())?)
}

fn labels() -> GraphLabels<'static> {
    GraphLabels {
        title: "",
        acceleration: Axis::new("acceleration q̈", "rad/s²"),
        force: Axis::new("torque τ", "N·m"),
        points: &[],
    }
}

fn graph(name: &'static str, mu: f64, tau: f64) -> Result<Drawing, Fault> {
    let scalar = scalar(mu)?;
    let [low, high] = graph_window(&scalar, tau)?;
    let graph = scalar.graph(tau, low, high)?;
    let counts = [1.0, 0.0, -1.0].map(|v| count(scalar.answers(tau, v).count()));
    Ok(Drawing {
        name,
        words: format!(
            "with μ = {mu} and τ = {tau} there is {} moving forward, {} at rest, {} moving backward",
            counts[0], counts[1], counts[2]
        )
        .replace("is 2", "are 2"),
        svg: graph_svg(&[&graph], &scalar.count_diagram(), &labels()),
    })
}

fn rest() -> Result<Drawing, Fault> {
    let scalar = scalar(0.8)?;
    let found = scalar.answers(-1.75, 0.0);
    let list: Vec<String> = found.iter().map(|a| number(a.acceleration)).collect();
    let diagram = scalar.count_diagram();
    Ok(Drawing {
        name: "forward-rest",
        words: format!(
            "at rest under τ = -1.75 the acceleration is {}",
            list.join(", ")
        ),
        svg: counts_svg(&diagram, &Axis::new("torque τ", "N·m"), ""),
    })
}

fn two_coordinates() -> Result<Drawing, Fault> {
    let problem = ForwardProblem {
        inertia: vec![vec![2.0, 0.6], vec![0.6, 1.0]],
        bias: vec![0.3, -0.2],
        load_matrix: vec![vec![3.0, 0.5], vec![0.5, 2.0]],
        load_offset: vec![1.5, 1.0],
        friction: vec![1.1.into(), 0.9.into()],
        velocity: vec![1.0, 1.0],
        force: vec![2.0, 1.5],
        contacts: Vec::new(),
    };
    let result = solve(&problem)?;
    let plane = acceleration_plane(&problem)?;
    let axes = [Axis::new("q̈_1", "rad/s²"), Axis::new("q̈_2", "rad/s²")];
    let margin = result.friction_margin.map_or("none".to_owned(), number);
    Ok(Drawing {
        name: "forward-lines",
        words: format!("{}, friction margin {margin}", count(result.count)),
        svg: lines_svg(&plane, [&axes[0], &axes[1]], ""),
    })
}

fn screw() -> Result<Drawing, Fault> {
    let screw = Screw {
        inertia: 1e-3,
        mass: 20.0,
        lead: 0.01,
        helix: 8f64.to_radians(),
        thread: 14.5f64.to_radians(),
        friction: 0.3.into(),
        gravity: 9.81,
        velocity: -1.0,
        force: -2.0,
    };
    let (numbers, scalar) = (screw.numbers()?, screw.scalar()?);
    let result = screw.solve()?;
    let fall = -screw.gravity / screw.lead;
    let graph = scalar.graph(screw.force, 1.7 * fall, -0.7 * fall)?;
    let critical = numbers.critical_friction.map_or("none".to_owned(), number);
    Ok(Drawing {
        name: "forward-screw",
        words: format!(
            "unique up to μ = {critical}; at μ = 0.3, lowering under -2 N·m, {}",
            count(result.count)
        ),
        svg: graph_svg(&[&graph], &scalar.count_diagram(), &labels()),
    })
}

/// A rod of 1 m and 1 kg; its tip slides to the left on a rough floor.
fn rod() -> Rod {
    Rod {
        mass: 1.0,
        half_length: 0.5,
        inertia: 1.0 / 12.0,
        angle: 1.0,
        rate: 0.0,
        slip: -1.0,
        friction: 1.8.into(),
        gravity: 9.81,
        force: [0.0; 2],
        torque: 0.0,
        restitution: 0.5,
        law: Law::Poisson,
    }
}

fn rod_regions() -> Result<Drawing, Fault> {
    let numbers = rod().numbers()?;
    let spread = |low: f64, high: f64, count: u32| -> Vec<f64> {
        let step = (high - low) / f64::from(count - 1);
        (0..count).map(|k| low + step * f64::from(k)).collect()
    };
    let map = rod_map(&rod(), &spread(0.1, 1.5, 61), &spread(0.0, 8.0, 41))?;
    let window = numbers.window.unwrap_or([f64::NAN; 2]);
    let [low, high] = window.map(|angle| number(angle.to_degrees()));
    Ok(Drawing {
        name: "forward-rod",
        words: format!(
            "μ = 1.8 is above μ_P = {}; between {low}° and {high}° sliding fails",
            number(numbers.mu_p)
        ),
        svg: map_svg(
            &map,
            &MapAxis::degrees("angle φ"),
            &MapAxis::new("angular velocity", "rad/s"),
            "",
        ),
    })
}

fn impact() -> Result<Drawing, Fault> {
    let result = resolve_rod(&rod())?;
    let jump = result.resolution.ok_or("the rod has an answer")?;
    let path = jump.impulse_path.ok_or("the impact has no path")?;
    let corners: Vec<(f64, f64)> = path.corners.iter().map(|p| (p[0], p[1])).collect();
    let (slides, sticks) = corners.split_at(2);
    let sticks = [&slides[1..], sticks].concat();
    let after = jump.contact_velocity_after[0];
    Ok(Drawing {
        name: "forward-impact",
        words: format!(
            "the tip, at -1 m/s before, has {} m/s after and leaves at {} m/s; the impulses are {} and {} N·s, {} J are lost",
            number(after[1]),
            number(after[0]),
            number(jump.normal_impulse[0]),
            number(jump.friction_impulse[0]),
            number(jump.energy_loss)
        ),
        svg: series_chart(
            None,
            Axis::new("normal impulse p_n", "N·s"),
            Axis::new("friction impulse p_t", "N·s"),
            vec![("tip slides", slides.to_vec()), ("tip sticks", sticks)],
        ),
    })
}

fn seizure() -> Result<Drawing, Fault> {
    let problem = ForwardProblem {
        inertia: vec![vec![1.0]],
        bias: vec![0.2],
        load_matrix: vec![vec![2.0]],
        load_offset: vec![3.0],
        friction: vec![0.8.into()],
        velocity: vec![2.0],
        force: vec![-2.0],
        contacts: Vec::new(),
    };
    let found = solve(&problem)?.count;
    let jump = seizures(&problem)?.into_iter().next();
    let jump = jump.ok_or("nothing seizes")?;
    let after = jump.velocity_after.map_or(f64::NAN, |v| v[0]);
    Ok(Drawing {
        name: "seizure",
        words: format!(
            "{}; the velocity jumps from 2 to {} rad/s, friction impulse {}, load impulse {} N·m·s, {} J are lost",
            count(found),
            number(after),
            number(jump.friction_impulse[0]),
            number(jump.normal_impulse[0]),
            number(jump.energy_loss)
        ),
        svg: None,
    })
}
