//! Figures 5–9 of the paper from Carom's runs.

use carom::figure::{Axis, Chart, Panel};
use carom::sim::record::{RunRecord, Trajectory};

use super::world::World;
use crate::Figure;

/// Points `(time (s), value)`.
type Curve = Vec<(f64, f64)>;

/// Reads a column of a trajectory.
type Column<'a> = &'a dyn Fn(&Trajectory, usize) -> f64;

/// Figures 5 to 9.
pub(super) fn figures(world: &World) -> Vec<Figure> {
    let drawn = [
        figure(
            world,
            "figure-5",
            "Fig. 5: mechanical energy, stepwise at the impacts",
            &[("energy", "J", &|t, k| t.kinetic[k] + t.potential[k])],
        ),
        figure(
            world,
            "figure-6",
            "Fig. 6: angular velocity of the rod OA",
            &[("dψ_1/dt", "rad/s", &|t, k| rate(t, "O", k))],
        ),
        figure(
            world,
            "figure-7",
            "Fig. 7: angular velocity of the second part",
            &[("dψ_2/dt", "rad/s", &|t, k| {
                rate(t, "O", k) + rate(t, "A", k)
            })],
        ),
        figure(
            world,
            "figure-8",
            "Fig. 8: reaction at the joint O, vertical P and horizontal R",
            &[
                ("P", "N", &|t, k| force(t, "O", 1, k)),
                ("R", "N", &|t, k| force(t, "O", 0, k)),
            ],
        ),
        figure(
            world,
            "figure-9",
            "Fig. 9: reaction at the joint A, vertical V and horizontal H",
            &[
                ("V", "N", &|t, k| -force(t, "A", 1, k)),
                ("H", "N", &|t, k| force(t, "A", 0, k)),
            ],
        ),
    ];
    drawn.into_iter().flatten().collect()
}

/// One panel per quantity, both runs in each.
fn figure(
    world: &World,
    name: &'static str,
    caption: &'static str,
    panels: &[(&str, &str, Column<'_>)],
) -> Option<Figure> {
    let mut chart = Chart::new(Axis::new("time", "s"));
    for (symbol, unit, column) in panels {
        let [smooth, rough] = world.motions().map(|motion| curve(&motion.record, *column));
        let panel = Panel::new(Axis::new(symbol, unit))
            .line("μ = 0", smooth)
            .line("μ = 0.15", rough);
        chart = chart.panel(panel);
    }
    let svg = chart.svg(caption)?;
    Some(Figure { name, caption, svg })
}

fn rate(motion: &Trajectory, joint: &str, k: usize) -> f64 {
    motion
        .rates
        .get(joint)
        .map_or(f64::NAN, |rates| rates[0][k])
}

fn force(motion: &Trajectory, joint: &str, axis: usize, k: usize) -> f64 {
    motion
        .reactions
        .get(joint)
        .map_or(f64::NAN, |reaction| reaction.force[axis][k])
}

/// Samples, and at each impact the values just before and just after it.
fn curve(record: &RunRecord, column: Column<'_>) -> Curve {
    let (Some(samples), Some(events)) = (&record.trajectory, &record.around_events) else {
        return Vec::new();
    };
    let points = |motion: &Trajectory| -> Curve {
        let times = motion.time.iter().enumerate();
        times.map(|(k, time)| (*time, column(motion, k))).collect()
    };
    let jumps = points(events);
    let mut all: Curve = points(samples);
    all.retain(|(time, _)| jumps.iter().all(|(instant, _)| instant != time));
    all.extend(jumps);
    all.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: before stays ahead of after
    all
}
