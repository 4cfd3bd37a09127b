//! Passive walkers as users' own systems: mass matrix, bias, a guard that switches off, a reset map.
//!
//! Prints the gait each settles into; with a folder as argument, draws it there.
#![allow(clippy::print_stdout)]

mod compass;
mod simplest;

use carom::figure::RunFigure;
use carom::multibody::Mechanism;
use carom::sim::record::record;
use carom::sim::{Options, Run, Setup, run};

type Fault = Box<dyn std::error::Error>;
type Standing<'a> = Setup<dyn Mechanism + 'a>;

/// Steps drawn.
const DRAWN: f64 = 4.0;

fn main() -> Result<(), Fault> {
    let folder = std::env::args().nth(1);
    for drawing in walk()? {
        println!("{}", drawing.gait);
        if let Some(folder) = &folder {
            let path = std::path::Path::new(folder).join(drawing.name);
            std::fs::write(path.with_extension("svg"), drawing.svg)?;
        }
    }
    Ok(())
}

/// A walker's gait in words and as its phase figure.
pub(crate) struct Drawing {
    pub(crate) name: &'static str,
    pub(crate) gait: String,
    pub(crate) svg: String,
}

/// Both walkers, each let walk until its gait has settled.
pub(crate) fn walk() -> Result<[Drawing; 2], Fault> {
    let simplest = simplest::SimplestWalker { slope: 0.009 };
    let (q, v) = simplest::SimplestWalker::after_strike(0.2, -0.2);
    let compass = compass::CompassGait {
        slope: 3f64.to_radians(),
        leg: 5.0,
        hip: 10.0,
        below: 0.5,
        above: 0.5,
        gravity: 9.81,
    };
    let lean = [0.2, -0.2 - 6f64.to_radians(), 0.0];
    Ok([
        settle("simplest-walker", &mut standing(simplest, &q, &v), 80)?,
        settle(
            "compass-gait",
            &mut standing(compass, &lean, &[-1.1, -0.4]),
            60,
        )?,
    ])
}

fn standing<M: Mechanism>(mechanism: M, q: &[f64], v: &[f64]) -> Setup<M> {
    Setup {
        mechanism,
        rules: Vec::new(),
        q: q.to_vec(),
        v: v.to_vec(),
        options: Options::default(),
    }
}

/// Walks that many steps, then draws a few more.
fn settle(name: &'static str, setup: &mut Standing<'_>, steps: usize) -> Result<Drawing, Fault> {
    setup.options = Options {
        duration: 1e4,
        max_events: steps,
        ..Options::default()
    };
    let settled = run(setup)?;
    let times: Vec<f64> = settled.events.iter().map(|event| event.time).collect();
    let [.., before, last] = times[..] else {
        return Err(format!("{name} fell after {} steps", times.len()).into());
    };
    let period = last - before;
    let gait = format!(
        "{name}: after {steps} heel strikes\n  step time {period:.12} s\n  positions {:?}\n  rates     {:?}",
        settled.q, settled.v
    );
    let svg = draw(setup, settled, DRAWN * period)?;
    Ok(Drawing { name, gait, svg })
}

/// Rates against angles over a while, from where a run ended.
fn draw(setup: &mut Standing<'_>, from: Run, duration: f64) -> Result<String, Fault> {
    setup.q = from.q;
    setup.v = from.v;
    setup.options = Options {
        duration,
        samples: 800,
        ..Options::default()
    };
    let steps = run(setup)?;
    let record = record(setup, &steps)?;
    let drawn = RunFigure::Phase.svg(&record);
    drawn.ok_or_else(|| "nothing moved".into())
}
