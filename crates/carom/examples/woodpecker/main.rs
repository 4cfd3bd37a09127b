//! The woodpecker toy as a user's own system: constant mass matrix, linear gaps, three contacts with
//! friction.
//!
//! Prints the cycle it settles into; with a folder as argument, draws its phases there.
#![allow(clippy::print_stdout)]

mod toy;

use carom::figure::RunFigure;
use carom::sim::record::record;
use carom::sim::{Event, run};
use toy::{BEAK, released};

type Fault = Box<dyn std::error::Error>;

/// Time until the cycle has settled, and time drawn after it (s).
const SETTLED: f64 = 12.0;
const DRAWN: f64 = 0.45;

fn main() -> Result<(), Fault> {
    let drawing = peck()?;
    println!("{}", drawing.cycle);
    if let Some(folder) = std::env::args().nth(1) {
        let path = std::path::Path::new(&folder).join("woodpecker-linear.svg");
        std::fs::write(path, drawing.svg)?;
    }
    Ok(())
}

/// The cycle in words and its phase figure.
pub(crate) struct Drawing {
    pub(crate) cycle: String,
    pub(crate) svg: String,
}

/// Lets the toy run until it has settled, then draws what follows.
pub(crate) fn peck() -> Result<Drawing, Fault> {
    let mut setup = released(SETTLED)?;
    let long = run(&mut setup)?;
    let is_blow = |event: &&Event| event.impact().is_some_and(|i| i.contact == BEAK);
    let blows: Vec<&Event> = long.events.iter().filter(is_blow).collect();
    let [.., before, last] = &blows[..] else {
        return Err("the beak never strikes".into());
    };
    let cycle = format!(
        "period {:.4} s, fall {:.2} mm a cycle, beak at {:.3} m/s",
        last.time - before.time,
        1e3 * (before.q[0] - last.q[0]),
        0.02 * last.v_pre[2].abs()
    );
    (setup.q, setup.v) = (long.q, long.v);
    setup.options.duration = DRAWN;
    let drawn = run(&mut setup)?;
    let drawn = record(&mut setup, &drawn)?;
    let svg = RunFigure::Contacts.svg(&drawn).ok_or("nothing to draw")?;
    Ok(Drawing { cycle, svg })
}
