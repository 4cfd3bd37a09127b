//! How far the reactions of the two simulations are apart.

use carom::sim::record::Trajectory;

use super::strike::strikes;
use super::world::World;
use crate::finding::Finding;

/// Difference of the reactions of a joint in the pieces between the impacts of the smooth run.
pub(super) fn divergence(world: &World, joint: &str) -> Finding {
    let tracks = world
        .motions()
        .map(|motion| motion.record.trajectory.as_ref());
    let [Some(a), Some(b)] = tracks else {
        return Finding::holds(false, "no samples", "no samples");
    };
    let mut pieces = Vec::new();
    let mut from = 0.0;
    let ends = strikes(&world.smooth).into_iter().map(|s| s.time);
    for to in ends.chain([world.smooth.setup.options.duration]) {
        pieces.push(apart(a, b, joint, from..to));
        from = to;
    }
    let parted = pieces.iter().skip(1).all(|piece| piece.mean > 0.0);
    let grows = |of: fn(&Apart) -> f64| pieces.iter().map(of).is_sorted();
    let list = |of: fn(&Apart) -> f64| {
        let shown = pieces.iter().map(|piece| format!("{:.3}", of(piece)));
        shown.collect::<Vec<_>>().join(", ")
    };
    let (mean, share) = (|piece: &Apart| piece.mean, |piece: &Apart| piece.share);
    Finding::refuted(
        [
            grows(mean) || grows(share),
            pieces[0].mean == 0.0 && parted && falls_after_the_second(&pieces),
        ],
        "apart, but less and less after the second impact",
        format!(
            "mean difference of the two forces between the impacts of the smooth run {} N, as a fraction of their mean size {}: it is greatest in the piece after the second impact and falls from there",
            list(mean),
            list(share)
        ),
    )
}

fn falls_after_the_second(pieces: &[Apart]) -> bool {
    let later = pieces.iter().skip(2).map(|piece| piece.mean);
    later.is_sorted_by(|a, b| a > b)
}

/// Difference of two forces over a stretch of time.
struct Apart {
    /// Mean length of the difference (N).
    mean: f64,
    /// The same over the mean length of the two forces.
    share: f64,
}

fn apart(a: &Trajectory, b: &Trajectory, joint: &str, within: std::ops::Range<f64>) -> Apart {
    let (mut differences, mut sizes) = (0.0, 0.0);
    let inside: Vec<usize> = (0..a.time.len())
        .filter(|k| within.contains(&a.time[*k]))
        .collect();
    if let (Some(one), Some(other)) = (a.reactions.get(joint), b.reactions.get(joint)) {
        for k in &inside {
            let [p, q] = [one, other].map(|series| [series.force[0][*k], series.force[1][*k]]);
            differences += (p[0] - q[0]).hypot(p[1] - q[1]);
            sizes += (p[0].hypot(p[1]) + q[0].hypot(q[1])) / 2.0;
        }
    }
    Apart {
        mean: differences / inside.len() as f64,
        share: differences / sizes,
    }
}
