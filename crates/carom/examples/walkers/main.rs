//! Passive walkers as users' own systems: mass matrix, bias, a guard that switches off, a reset map.
//!
//! Prints the gait each settles into; with a folder as argument, draws it there.
#![allow(clippy::print_stdout)]

mod compass;
mod simplest;

use carom::multibody::Mechanism;
use carom::sim::record::record;
use carom::sim::{Options, Setup, SimError, run};

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let folder = std::env::args().nth(1);
    let simplest = simplest::SimplestWalker { slope: 0.009 };
    let (q, v) = simplest::SimplestWalker::after_strike(0.2, -0.2);
    walk(
        "simplest-walker",
        simplest,
        (&q, &v),
        (80, folder.as_deref()),
    )?;
    let compass = compass::CompassGait {
        slope: 3f64.to_radians(),
        leg: 5.0,
        hip: 10.0,
        below: 0.5,
        above: 0.5,
        gravity: 9.81,
    };
    let q = [0.2, -0.2 - 6f64.to_radians(), 0.0];
    walk(
        "compass-gait",
        compass,
        (&q, &[-1.1, -0.4]),
        (60, folder.as_deref()),
    )
}

/// Walks until the gait has settled, prints a step, and draws a few.
fn walk<M: Mechanism>(
    name: &str,
    mechanism: M,
    (q, v): (&[f64], &[f64]),
    (steps, folder): (usize, Option<&str>),
) -> Result<(), Fault> {
    let mut setup = Setup {
        mechanism,
        rules: Vec::new(),
        q: q.to_vec(),
        v: v.to_vec(),
        options: Options {
            duration: 1e4,
            max_events: steps,
            ..Options::default()
        },
    };
    let settled = run(&mut setup)?;
    let times: Vec<f64> = settled.events.iter().map(|event| event.time).collect();
    let period = times[steps - 1] - times[steps - 2];
    println!("{name}: after {steps} heel strikes");
    println!("  step time {period:.12} s");
    println!("  positions {:?}", settled.q);
    println!("  rates     {:?}", settled.v);
    if let Some(folder) = folder {
        draw(
            name,
            &mut setup,
            (&settled.q, &settled.v),
            (4.0 * period, folder),
        )?;
    }
    Ok(())
}

fn draw<M: Mechanism>(
    name: &str,
    setup: &mut Setup<M>,
    (q, v): (&[f64], &[f64]),
    (duration, folder): (f64, &str),
) -> Result<(), Fault> {
    setup.q = q.to_vec();
    setup.v = v.to_vec();
    setup.options = Options {
        duration,
        samples: 800,
        ..Options::default()
    };
    let steps = run(setup)?;
    let record = record(setup, &steps)?;
    let _: Option<SimError> = None;
    let _ = (record, folder, name);
    Ok(())
}
