//! What counts as rest, and as halted, the longer a path takes.

use super::state::{AT_REST, HALTED};

/// Changes of mode, or a quarter of the steps, after which what is left of an endless path begins to count as
/// rest.
const PATIENCE: usize = 1_500;

/// So many further ones make what counts as rest ten times larger.
const IMPATIENCE: usize = 500;

/// Decades by which rest is at most enlarged.
const STILLEST: usize = 8;

/// Steps next to a halt after which what is left of a slip begins to count as round-off: a halt takes half as many.
/// Slips of one body are not all moved by it where its contacts repeat each other's work, and what does not fit is
/// left.
const HALT_STEPS: usize = 64;

/// So many further ones make what has halted ten times larger …
const HALT_FURTHER: usize = 16;

/// … by at most these decades.
const HALT_DECADES: usize = 4;

/// What counts as rest after so much effort: bodies caught between others strike without end.
pub(super) fn stillness(effort: usize) -> f64 {
    let decades = effort.saturating_sub(PATIENCE) / IMPATIENCE;
    AT_REST * 10f64.powi(decades.min(STILLEST) as i32)
}

/// Part of its largest size below which a slip has halted after so many steps next to its halt.
pub(super) fn halted(steps: usize) -> f64 {
    let decades = steps.saturating_sub(HALT_STEPS).div_ceil(HALT_FURTHER);
    HALTED * 10f64.powi(decades.min(HALT_DECADES) as i32)
}
