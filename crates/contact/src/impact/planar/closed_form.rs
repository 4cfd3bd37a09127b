//! The closed form: halts, ends and works of a planar impact as algebra, without a branch.
//!
//! One function serves the single impact and the lanes of a batch, so that both give the same
//! bits. Every `if` chooses between two numbers already computed.

use crate::impact::restitution::{Rebound, Restitution};
use crate::space::TIE;

/// What the closed form reads, in the symbols of the paper: W = [[a, c], [c, b]].
#[derive(Debug, Clone, Copy)]
pub(super) struct Inputs {
    pub(super) a: f64,
    pub(super) c: f64,
    pub(super) b: f64,
    /// `a − c²/b`: slope `dv_n/dp_n` while stuck.
    pub(super) a_stuck: f64,
    pub(super) v_n: f64,
    pub(super) v_t: f64,
    pub(super) mu_s: f64,
    pub(super) mu_d: f64,
    pub(super) restitution: f64,
}

/// What the closed form finds. With `jams` or without `strikes` the end means nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClosedForm {
    /// There is an impact: approaching, or at rest with a jam slope.
    pub(super) strikes: bool,
    /// No finite impulse ends the impact.
    pub(super) jams: bool,
    /// Slip halts before greatest compression (a start at rest included).
    pub(super) halts_in_compression: bool,
    /// Slip halts after it.
    pub(super) halts_in_restitution: bool,
    /// Once halted, the contact sticks.
    pub(super) sticks: bool,
    /// `dp_t/dp_n` and `dv_n/dp_n` of the first segment.
    pub(super) first: Segment,
    /// The same after the halt.
    pub(super) second: Segment,
    /// Normal impulse at the halt of slip.
    pub(super) p_h: f64,
    /// Normal velocity there.
    pub(super) v_h: f64,
    /// Normal impulse and work at greatest compression.
    pub(super) p_c: f64,
    pub(super) w_c: f64,
    /// The end: impulses, velocities, works.
    pub(super) p_n: f64,
    pub(super) p_t: f64,
    pub(super) v_n: f64,
    pub(super) v_t: f64,
    pub(super) w_n: f64,
    pub(super) w_t: f64,
}

/// Rates along one straight segment of the impulse plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// `dp_t/dp_n`
    pub(super) friction: f64,
    /// `dv_n/dp_n` (1/kg)
    pub(super) v_n: f64,
    /// `dv_t/dp_n` (1/kg)
    pub(super) v_t: f64,
}

/// `x`, or exactly zero where it is round-off of terms as large as `scale`.
#[inline(always)]
fn unless_tied(x: f64, scale: f64) -> f64 {
    if x.abs() <= TIE * scale { 0.0 } else { x }
}

/// Rates while slipping with `v_t` of sign `sigma` (0: no friction acts).
#[inline(always)]
fn slip(x: &Inputs, sigma: f64) -> Segment {
    let friction = -x.mu_d * sigma;
    Segment {
        friction,
        v_n: unless_tied(x.a + friction * x.c, x.a + x.mu_d * x.c.abs()),
        v_t: unless_tied(x.c + friction * x.b, x.c.abs() + x.mu_d * x.b),
    }
}

/// Rates once slip has halted: stuck where the cone allows it, else slipping with the sign of `c`.
#[inline(always)]
fn after_halt(x: &Inputs) -> (bool, Segment) {
    let sticks = x.mu_s * x.b >= x.c.abs() * (1.0 - TIE);
    let on = slip(x, if x.c < 0.0 { -1.0 } else { 1.0 });
    let ratio = x.c / x.b;
    let stuck = Segment {
        friction: if x.b > 0.0 { -ratio } else { 0.0 },
        v_n: x.a_stuck,
        v_t: 0.0,
    };
    (
        sticks,
        Segment {
            friction: if sticks { stuck.friction } else { on.friction },
            v_n: if sticks { stuck.v_n } else { on.v_n },
            v_t: if sticks { stuck.v_t } else { on.v_t },
        },
    )
}

/// Solves one impact. The steps are those of the impulse plane:
///
/// ```text
/// 1  slide along the friction line; slip would halt at p_h = |v_t|/(μb − σc)
/// 2  without a halt compression would end at p_p = −v_n/(a − μσc) and the impact at (1 + e) p_p
/// 3  the order of p_h, p_p, (1 + e) p_p says whether and in which phase slip halts
/// 4  after a halt: along the line of sticking, or the reversed friction line
/// 5  the law of restitution says where on the last segment the impact ends
/// ```
///
/// The comparisons of step 3 are multiplied out, so that they need no division and know their own
/// round-off: a halt on the line of greatest compression is a tie, and is put exactly there.
#[inline(always)]
pub(super) fn closed_form<L: Restitution>(x: &Inputs) -> ClosedForm {
    let e = x.restitution;
    let at_rest = x.v_t == 0.0;
    let sigma = if x.v_t > 0.0 { 1.0 } else { -1.0 };
    let first = slip(x, if at_rest { 0.0 } else { sigma });
    let (sticks, second) = after_halt(x);
    let slip_speed = x.v_t.abs();
    let slowing = -sigma * first.v_t; // rate at which |v_t| falls

    // Step 3. p_h < p_p  ⇔  |v_t| (a − μσc) < −v_n (μb − σc).
    let reach_p = slip_speed * first.v_n;
    let reach_h = -x.v_n * slowing;
    let scale = slip_speed * (x.a + x.mu_d * x.c.abs()) - x.v_n * (x.mu_d * x.b + x.c.abs());
    let lead = unless_tied(reach_h - reach_p, scale);
    let halts = at_rest | (slowing > 0.0);
    let halts_in_compression = at_rest | (halts & ((lead > 0.0) | (first.v_n <= 0.0)));
    let lasts = (1.0 + e) * reach_h - reach_p > TIE * scale;
    let halts_in_restitution = halts & !halts_in_compression & lasts;
    let slides_on = !(halts_in_compression | halts_in_restitution);

    // Steps 1 and 2. The tie lead = 0 gives v_h = 0 exactly, and p_h = p_p.
    let p_p = -x.v_n / first.v_n;
    let v_h = if at_rest { x.v_n } else { -lead / slowing };
    let p_h = if at_rest { 0.0 } else { slip_speed / slowing };
    let p_h = if !at_rest & (lead == 0.0) & (first.v_n > 0.0) { p_p } else { p_h };
    let w_h = 0.5 * p_h * (x.v_n + v_h);

    // Step 4: greatest compression.
    let p_c_stuck = p_h - v_h / second.v_n;
    let p_c = if halts_in_compression { p_c_stuck } else { p_p };
    let w_c_stuck = w_h + 0.5 * v_h * (p_c_stuck - p_h);
    let w_c = if halts_in_compression { w_c_stuck } else { 0.5 * p_p * x.v_n };

    // Step 5: from greatest compression, or from a halt in restitution, straight to the end.
    let slope = if slides_on { first.v_n } else { second.v_n };
    let from = Rebound {
        restitution: e,
        v_n_pre: x.v_n,
        p_c,
        w_c,
        p_n: if halts_in_restitution { p_h } else { p_c },
        v_n: if halts_in_restitution { v_h } else { 0.0 },
        w_n: if halts_in_restitution { w_h } else { w_c },
        slope,
    };
    let left = L::impulse_left(&from);
    // On one slope the three laws agree: use the form all share.
    let step = if slides_on { e * p_p } else { left };
    let (v_end, w_end) = L::end(&from, step);
    let v_n = if slides_on { -e * x.v_n } else { v_end };
    let p_n = from.p_n + step;

    let after = if slides_on { 0.0 } else { p_n - p_h };
    let before = if slides_on { p_n } else { p_h };
    let slip_left = (slip_speed - slowing * p_n).max(0.0);
    let v_t = if slides_on { sigma * slip_left } else { second.v_t * after };
    let v_t_halt = if slides_on { v_t } else { 0.0 };
    let p_t_before = first.friction * before;
    let p_t_after = second.friction * after;

    let strikes = (x.v_n < 0.0) | ((x.v_n == 0.0) & (first.v_n < 0.0));
    // A stuck contact of a singular W cannot rebound; a slide without slope never ends.
    let jams = (slope <= 0.0) & (slides_on | halts_in_compression | (left == f64::INFINITY));
    ClosedForm {
        strikes,
        jams,
        halts_in_compression,
        halts_in_restitution,
        sticks,
        first,
        second,
        p_h,
        v_h,
        p_c,
        w_c,
        p_n,
        p_t: p_t_before + p_t_after,
        v_n,
        v_t,
        w_n: if slides_on { 0.5 * p_n * (x.v_n + v_n) } else { w_end },
        w_t: 0.5 * ((x.v_t + v_t_halt) * p_t_before + v_t * p_t_after),
    }
}
