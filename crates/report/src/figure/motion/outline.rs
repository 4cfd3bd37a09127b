//! Outlines in the plane and in space alike: middles, insides, bars, traced points.

use carom_sim::record::{BodyScene, Outline};

/// Most centres of one body that leave a trace.
const TRACES: usize = 3;

/// Middle of an outline in its body.
fn centre<const D: usize>(outline: &Outline<[f64; D]>) -> Option<[f64; D]> {
    let mean = |points: &[[f64; D]]| {
        let count = points.len() as f64;
        let sum = |k: usize| points.iter().map(|p| p[k]).sum::<f64>();
        (!points.is_empty()).then(|| std::array::from_fn(|k| sum(k) / count))
    };
    match outline {
        Outline::Round { from, to, .. } => mean(&[*from, *to]),
        Outline::Polygon { corners } | Outline::Polyhedron { corners, .. } => mean(corners),
        Outline::Cylinder { center, .. } | Outline::Ellipsoid { center, .. } => Some(*center),
        Outline::HalfSpace { .. } | Outline::Bowl { .. } | Outline::Tube { .. } => None,
    }
}

/// Bars of a body: from its first joint to its other points and to its outlines, where the first
/// joint does not lie inside an outline already.
pub(crate) fn bars<const D: usize>(body: &BodyScene<[f64; D]>) -> Vec<[[f64; D]; 2]> {
    let Some(root) = body.points.first().copied() else {
        return Vec::new();
    };
    // A point has no inside, a half-space or hollow no end.
    let is_inside = |outline: &Outline<[f64; D]>| match outline {
        Outline::Round { radius: 0.0, .. }
        | Outline::HalfSpace { .. }
        | Outline::Bowl { .. }
        | Outline::Tube { .. } => false,
        solid => solid.height(root) <= 0.0,
    };
    if body.outlines.iter().any(is_inside) {
        return Vec::new();
    }
    let centres = body.outlines.iter().filter_map(centre);
    let ends = body.points.iter().copied().chain(centres);
    ends.filter(|end| *end != root)
        .map(|end| [root, end])
        .collect()
}

/// The points of a body that leave a trace: its outlines' centres, else its point farthest from
/// the first, else its origin.
pub(crate) fn traced<const D: usize>(body: &BodyScene<[f64; D]>) -> Vec<[f64; D]> {
    let centres = body.outlines.iter().filter_map(centre);
    let centres: Vec<_> = centres.take(TRACES).collect();
    if !centres.is_empty() {
        return centres;
    }
    let root = body.points.first().copied().unwrap_or([0.0; D]);
    let far = body.points.iter().copied();
    let away = |p: &[f64; D]| -> f64 { p.iter().zip(root).map(|(x, y)| (x - y).powi(2)).sum() };
    let far = far.max_by(|a, b| away(a).sqrt().total_cmp(&away(b).sqrt()));
    vec![far.unwrap_or(root)]
}
