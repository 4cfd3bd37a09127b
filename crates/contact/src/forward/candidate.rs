//! Consistent pieces, and when two of them are one answer.

use super::affine::Point;
use super::system::{FACE, System};

/// A consistent piece before answers on shared faces are merged.
pub(super) struct Candidate {
    pub(super) point: Point,
    pub(super) path: Vec<usize>,
    pub(super) branches: Vec<usize>,
    pub(super) is_tight: Vec<bool>,
    pub(super) determinant: Option<f64>,
    pub(super) forces_unique: bool,
    /// Accelerations, with what of each may be round-off and the size of its terms.
    motion: Vec<Known>,
}

/// A number, what of it may be round-off, and the size of the terms it is the sum of.
#[derive(Debug, Clone, Copy)]
struct Known {
    value: f64,
    room: f64,
    terms: f64,
}

/// Accelerations of a piece with dependent rows are known to this fraction of their terms, as well as the
/// rows depend on each other.
const SHARED: f64 = 1e-9;

impl Candidate {
    pub(super) fn new(system: &System, point: Point, path: &[usize]) -> Self {
        let values = system.frame.accelerations(&point.z);
        let hidden = system.frame.spread(&point.error);
        let known = values.into_iter().zip(hidden);
        let motion = known.map(|((value, terms), hidden)| Known {
            value,
            room: FACE * terms + hidden,
            terms,
        });
        Self {
            motion: motion.collect(),
            point,
            path: path.to_vec(),
            branches: Vec::new(),
            is_tight: Vec::new(),
            determinant: None,
            forces_unique: true,
        }
    }

    /// One acceleration, whatever the modes and however contact forces are shared.
    pub(super) fn is_one_motion(&self, other: &Self) -> bool {
        let is_sure = self.determinant.is_some() && other.determinant.is_some();
        self.is_within(if is_sure { 0.0 } else { SHARED }, other)
    }

    fn is_within(&self, fraction: f64, other: &Self) -> bool {
        let mut pairs = self.motion.iter().zip(&other.motion);
        pairs.all(|(a, b)| {
            let room = (a.room + b.room).max(fraction * (a.terms + b.terms));
            (a.value - b.value).abs() <= room
        })
    }

    /// Of two pieces with one motion as far as dependent rows let it be known, the one without such
    /// rows is the exact one.
    pub(super) fn is_exact_beside(&self, other: &Self) -> bool {
        self.determinant.is_some() && other.determinant.is_none() && !self.is_within(0.0, other)
    }

    /// The same contact forces, as far as they are known.
    pub(super) fn has_forces_of(&self, other: &Self) -> bool {
        let n = self.motion.len();
        let (a, b) = (&self.point, &other.point);
        (n..a.z.len()).all(|j| {
            let own = FACE * (a.z[j].abs() + b.z[j].abs());
            (a.z[j] - b.z[j]).abs() <= own + a.error[j] + b.error[j]
        })
    }
}

/// Accelerations that differ by less than this fraction of the largest are listed as if they were equal.
const LISTED_AS_EQUAL: f64 = 1e-9;

/// Places of answers in lexicographic order of their accelerations, whatever round-off does to components
/// that are equal.
pub(super) fn lexicographic(accelerations: &[&Vec<f64>]) -> Vec<usize> {
    let width = accelerations.first().map_or(0, |q| q.len());
    let mut keys = vec![Vec::with_capacity(width); accelerations.len()];
    for i in 0..width {
        let value = |k: usize| accelerations[k][i];
        let mut order: Vec<usize> = (0..accelerations.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let sizes = order.iter().map(|k| value(*k).abs());
        let room = LISTED_AS_EQUAL * sizes.fold(0.0, f64::max);
        let mut class = 0;
        for (place, k) in order.iter().enumerate() {
            class += usize::from(place > 0 && value(*k) - value(order[place - 1]) > room);
            keys[*k].push(class);
        }
    }
    let mut order: Vec<usize> = (0..accelerations.len()).collect();
    order.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
    order
}
