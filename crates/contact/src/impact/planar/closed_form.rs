//! The closed form: halts, ends and works of a planar impact as algebra.
//!
//! `lanes.rs` holds the same formulas without branches, for batches; a test holds the two together
//! bit by bit.

use super::solution::Compression;
use crate::contact_space::TIE;
use crate::impact::restitution::{Rebound, Restitution};

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

/// Rates along one straight segment of the impulse plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    /// `dp_t/dp_n`
    pub(super) friction: f64,
    /// `dv_n/dp_n` (1/kg)
    pub(super) v_n: f64,
    /// `dv_t/dp_n` (1/kg)
    pub(super) v_t: f64,
    /// Sign of the slip; zero while stuck.
    pub(super) sigma: f64,
}

impl Segment {
    /// The contact sticks.
    #[inline(always)]
    pub(super) fn is_stuck(&self) -> bool {
        self.sigma == 0.0
    }
}

/// Where slip halts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Halt {
    /// Normal impulse there.
    pub(super) p_n: f64,
    /// Normal velocity there: negative in compression.
    pub(super) v_n: f64,
    /// Before greatest compression.
    pub(super) is_in_compression: bool,
    /// What follows.
    pub(super) then: Segment,
}

/// The end of an impact: impulses, velocities, works.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) p_n: f64,
    pub(super) p_t: f64,
    pub(super) v_n: f64,
    pub(super) v_t: f64,
    pub(super) w_n: f64,
    pub(super) w_t: f64,
}

/// What the closed form finds.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClosedForm {
    /// The first segment; of no length for a start at rest.
    pub(super) first: Segment,
    /// The halt of slip; at the start for a start at rest; absent when slip lasts.
    pub(super) halt: Option<Halt>,
    /// Normal impulse and work at greatest compression; absent when it is not reached.
    pub(super) compression: Option<Compression>,
    /// Absent when no finite impulse ends the impact.
    pub(super) end: Option<End>,
}

/// `x`, or exactly zero where it is round-off of terms as large as `scale`.
#[inline(always)]
fn unless_tied(x: f64, scale: f64) -> f64 {
    if x.abs() <= TIE * scale { 0.0 } else { x }
}

impl Inputs {
    /// Rates while slipping with `v_t` of sign `sigma`.
    #[inline(always)]
    fn slip(&self, sigma: f64) -> Segment {
        let friction = -self.mu_d * sigma;
        Segment {
            friction,
            v_n: unless_tied(
                self.a + friction * self.c,
                self.a + self.mu_d * self.c.abs(),
            ),
            v_t: unless_tied(
                self.c + friction * self.b,
                self.c.abs() + self.mu_d * self.b,
            ),
            sigma,
        }
    }

    /// Rates once slip has halted: stuck where the cone allows it, else slipping with the sign of
    /// `c`. Without `b` nothing moves the contact sideways: it stays without an impulse.
    #[inline(always)]
    fn after_halt(&self) -> Segment {
        let is_stuck = self.mu_s * self.b >= self.c.abs() * (1.0 - TIE);
        if !is_stuck {
            return self.slip(if self.c < 0.0 { -1.0 } else { 1.0 });
        }
        Segment {
            friction: if self.b > 0.0 {
                -(self.c / self.b)
            } else {
                0.0
            },
            v_n: self.a_stuck,
            v_t: 0.0,
            sigma: 0.0,
        }
    }

    /// Where slip halts before the impact ends, if it does: step 3 of [`closed_form`].
    #[inline(always)]
    fn halt(&self, first: Segment) -> Option<Halt> {
        if self.v_t == 0.0 {
            return Some(Halt {
                p_n: 0.0,
                v_n: self.v_n,
                is_in_compression: true,
                then: self.after_halt(),
            });
        }
        let slip_speed = self.v_t.abs();
        let slowing = if self.v_t > 0.0 {
            -first.v_t
        } else {
            first.v_t
        };
        if slowing <= 0.0 {
            return None;
        }
        let reach_p = slip_speed * first.v_n;
        let reach_h = -self.v_n * slowing;
        let terms_h = self.mu_d * self.b + self.c.abs();
        let terms_p = self.a + self.mu_d * self.c.abs();
        let scale = slip_speed * terms_p - self.v_n * terms_h;
        let lead = unless_tied(reach_h - reach_p, scale);
        let is_in_compression = lead > 0.0 || first.v_n <= 0.0;
        let slack = reach_p - self.v_n * terms_h;
        let lasts = (1.0 + self.restitution) * reach_h - reach_p > TIE * slack;
        if !is_in_compression && !lasts {
            return None;
        }
        // On a tie both lines give the place: take the one whose slope has kept more digits.
        let is_tie = lead == 0.0 && first.v_n > 0.0;
        let is_compression_surer = first.v_n * terms_h > slowing * terms_p;
        Some(Halt {
            p_n: if is_tie && is_compression_surer {
                -self.v_n / first.v_n
            } else {
                slip_speed / slowing
            },
            v_n: -lead / slowing,
            is_in_compression,
            then: self.after_halt(),
        })
    }
}

/// Solves one impact, or says that there is none. The steps are those of the impulse plane:
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
pub(super) fn closed_form<L: Restitution>(x: &Inputs) -> Option<ClosedForm> {
    let sigma = if x.v_t > 0.0 { 1.0 } else { -1.0 };
    let first = x.slip(if x.v_t == 0.0 { 0.0 } else { sigma });
    let strikes = x.v_n < 0.0 || (x.v_n == 0.0 && first.v_n < 0.0);
    if !strikes {
        return None;
    }
    let halt = x.halt(first);
    let (compression, end) = match &halt {
        None => slide_to_the_end(x, first, sigma),
        Some(halt) => end_after_halt::<L>(x, first, halt),
    };
    Some(ClosedForm {
        first,
        halt,
        compression,
        end,
    })
}

type CompressionAndEnd = (Option<Compression>, Option<End>);

/// Slip lasts: on one slope the three laws agree. A slide without slope never ends.
#[inline(always)]
fn slide_to_the_end(x: &Inputs, first: Segment, sigma: f64) -> CompressionAndEnd {
    if first.v_n <= 0.0 {
        return (None, None);
    }
    let p_p = -x.v_n / first.v_n;
    let p_n = p_p + x.restitution * p_p;
    let v_n = -x.restitution * x.v_n;
    let slip_left = (x.v_t.abs() + sigma * first.v_t * p_n).max(0.0);
    let v_t = sigma * slip_left;
    let p_t = first.friction * p_n;
    let end = End {
        p_n,
        p_t,
        v_n,
        v_t,
        w_n: 0.5 * p_n * (x.v_n + v_n),
        w_t: 0.5 * ((x.v_t + v_t) * p_t),
    };
    let work = 0.5 * p_p * x.v_n;
    (Some(Compression { p_n: p_p, work }), Some(end))
}

/// Slip halts: steps 4 and 5. A stuck contact of a singular W may jam.
#[inline(always)]
fn end_after_halt<L: Restitution>(x: &Inputs, first: Segment, halt: &Halt) -> CompressionAndEnd {
    let then = halt.then;
    let w_h = 0.5 * halt.p_n * (x.v_n + halt.v_n);
    let (p_c, w_c) = if halt.is_in_compression {
        if then.v_n <= 0.0 {
            return (None, None);
        }
        let p_c = halt.p_n - halt.v_n / then.v_n;
        (p_c, w_h + 0.5 * halt.v_n * (p_c - halt.p_n))
    } else {
        let is_tie = halt.v_n == 0.0;
        let p_p = if is_tie { halt.p_n } else { -x.v_n / first.v_n };
        (p_p, 0.5 * p_p * x.v_n)
    };
    let from = Rebound {
        restitution: x.restitution,
        v_n_pre: x.v_n,
        p_c,
        w_c,
        p_n: if halt.is_in_compression {
            p_c
        } else {
            halt.p_n
        },
        v_n: if halt.is_in_compression {
            0.0
        } else {
            halt.v_n
        },
        w_n: if halt.is_in_compression { w_c } else { w_h },
        slope: then.v_n,
    };
    let compression = Some(Compression {
        p_n: p_c,
        work: w_c,
    });
    let step = L::impulse_left(&from);
    if then.v_n <= 0.0 && step == f64::INFINITY {
        return (compression, None);
    }
    let (v_n, w_n) = L::end(&from, step);
    let p_n = from.p_n + step;
    let after = p_n - halt.p_n;
    let v_t = then.v_t * after;
    let p_t_before = first.friction * halt.p_n;
    let p_t_after = then.friction * after;
    let end = End {
        p_n,
        p_t: p_t_before + p_t_after,
        v_n,
        v_t,
        w_n,
        w_t: 0.5 * (x.v_t * p_t_before + v_t * p_t_after),
    };
    (compression, Some(end))
}
