//! The closed form over lanes: the formulas of `closed_form.rs`, without a branch.
//!
//! Every `select` chooses between two numbers already computed; lanes that a choice discards may
//! hold anything. Names and order of operations are those of the scalar form, so that both round
//! alike.

use carom_numeric::lanes::{Lanes, Mask, Real, WIDTH};

use crate::contact_space::{RANGE, TIE};
use crate::impact::restitution::{Rebound, Restitution};

/// Eight impacts.
pub(super) struct LaneInputs {
    pub(super) a: Lanes,
    pub(super) c: Lanes,
    pub(super) b: Lanes,
    pub(super) v_n: Lanes,
    pub(super) v_t: Lanes,
    pub(super) mu_s: Lanes,
    pub(super) mu_d: Lanes,
    pub(super) restitution: Lanes,
}

/// Their ends, zero where there is none.
pub(super) struct LaneEnds {
    pub(super) p_n: Lanes,
    pub(super) p_t: Lanes,
    pub(super) v_n: Lanes,
    pub(super) v_t: Lanes,
    pub(super) w_n: Lanes,
    pub(super) w_t: Lanes,
    /// 0 solved, 1 no impact, 2 jammed, 3 refused.
    pub(super) outcome: Mask,
    /// Index into `ContactType::ALL`.
    pub(super) kind: Mask,
}

#[inline(always)]
fn constant(x: f64) -> Lanes {
    Lanes::constant(x)
}

#[inline(always)]
fn unless_tied(x: Lanes, scale: Lanes) -> Lanes {
    x.abs()
        .at_most(constant(TIE) * scale)
        .select(Lanes::ZERO, x)
}

#[inline(always)]
fn is_positive(x: Lanes) -> Mask {
    x.above(Lanes::ZERO)
}

#[inline(always)]
fn code(x: u64) -> Mask {
    Mask([x; WIDTH])
}

struct Segment {
    friction: Lanes,
    v_n: Lanes,
    v_t: Lanes,
}

#[inline(always)]
fn slip(x: &LaneInputs, sigma: Lanes) -> Segment {
    let friction = -x.mu_d * sigma;
    Segment {
        friction,
        v_n: unless_tied(x.a + friction * x.c, x.a + x.mu_d * x.c.abs()),
        v_t: unless_tied(x.c + friction * x.b, x.c.abs() + x.mu_d * x.b),
    }
}

#[inline(always)]
fn after_halt(x: &LaneInputs, a_stuck: Lanes, ratio: Lanes) -> (Mask, Segment) {
    let sticks = (x.c.abs() * constant(1.0 - TIE)).at_most(x.mu_s * x.b);
    let is_leaning_back = Lanes::ZERO.above(x.c);
    let on = slip(x, is_leaning_back.select(constant(-1.0), constant(1.0)));
    let then = Segment {
        friction: sticks.select(-ratio, on.friction),
        v_n: sticks.select(a_stuck, on.v_n),
        v_t: sticks.select(Lanes::ZERO, on.v_t),
    };
    (sticks, then)
}

/// Slope while stuck and the ratio `c/b`, both for `b = 0` too; see `PlanarDelassus::new`.
#[inline(always)]
fn stuck(x: &LaneInputs) -> (Lanes, Lanes) {
    let has_tangent = is_positive(x.b);
    let ratio = has_tangent.select(x.c / x.b, Lanes::ZERO);
    let slope = unless_tied(x.a - x.c * ratio, x.a);
    (has_tangent.select(slope, x.a - x.c.abs()), ratio)
}

/// Zero, or a size within `contact_space::RANGE`.
#[inline(always)]
fn is_in_range(x: Lanes) -> Mask {
    let size = x.abs();
    let is_inside = constant(*RANGE.start()).at_most(size) & size.at_most(constant(*RANGE.end()));
    x.equals(Lanes::ZERO) | is_inside
}

/// The checks of `PlanarDelassus::new`, `Friction::new` and `PlanarImpact::new`.
#[inline(always)]
fn is_legal(x: &LaneInputs, a_stuck: Lanes) -> Mask {
    let is_psd = Lanes::ZERO.at_most(x.a) & Lanes::ZERO.at_most(x.b) & Lanes::ZERO.at_most(a_stuck);
    let is_lone = is_positive(x.b) | x.c.equals(Lanes::ZERO);
    let is_cone = Lanes::ZERO.at_most(x.mu_d) & x.mu_d.at_most(x.mu_s);
    let is_cone = is_cone & x.mu_s.at_most(constant(*RANGE.end()));
    let is_ratio = Lanes::ZERO.at_most(x.restitution) & x.restitution.at_most(constant(1.0));
    let is_sized = is_in_range(x.a) & is_in_range(x.b) & is_in_range(x.v_n) & is_in_range(x.v_t);
    is_psd & is_lone & is_cone & is_ratio & is_sized & x.c.is_finite()
}

/// Whether, where and in which phase slip halts.
struct Halt {
    in_compression: Mask,
    in_restitution: Mask,
    /// Normal impulse at the halt, and where a slide would end compression.
    p_h: Lanes,
    p_p: Lanes,
    /// Normal velocity at the halt.
    v_h: Lanes,
}

impl Halt {
    #[inline(always)]
    fn slides_on(&self) -> Mask {
        !(self.in_compression | self.in_restitution)
    }
}

/// Steps 1 to 3 of `closed_form`.
#[inline(always)]
fn halt(x: &LaneInputs, first: &Segment, sigma: Lanes, at_rest: Mask) -> Halt {
    let (zero, one) = (Lanes::ZERO, constant(1.0));
    let slip_speed = x.v_t.abs();
    let slowing = -sigma * first.v_t;
    let reach_p = slip_speed * first.v_n;
    let reach_h = -x.v_n * slowing;
    let terms_h = x.mu_d * x.b + x.c.abs();
    let terms_p = x.a + x.mu_d * x.c.abs();
    let lead = unless_tied(reach_h - reach_p, slip_speed * terms_p - x.v_n * terms_h);
    let is_slowing = is_positive(slowing) & !at_rest;
    let has_slope = is_positive(first.v_n);
    let in_compression = at_rest | (is_slowing & (is_positive(lead) | !has_slope));
    let slack = reach_p - x.v_n * terms_h;
    let lasts = ((one + x.restitution) * reach_h - reach_p).above(constant(TIE) * slack);
    let in_restitution = is_slowing & !in_compression & lasts;

    let is_tie = lead.equals(zero) & has_slope;
    let is_compression_surer = (first.v_n * terms_h).above(slowing * terms_p);
    let p_slide = -x.v_n / first.v_n;
    let p_halt = (is_tie & is_compression_surer).select(p_slide, slip_speed / slowing);
    let p_h = at_rest.select(zero, p_halt);
    Halt {
        in_compression,
        in_restitution,
        p_h,
        p_p: (is_tie & in_restitution).select(p_h, p_slide),
        v_h: at_rest.select(x.v_n, -lead / slowing),
    }
}

/// Step 4 of `closed_form`: greatest compression, and from where the last segment leads on.
#[inline(always)]
fn rebound(x: &LaneInputs, then: &Segment, halt: &Halt) -> Rebound<Lanes> {
    let half = constant(0.5);
    let Halt { p_h, p_p, v_h, .. } = *halt;
    let w_h = half * p_h * (x.v_n + v_h);
    let p_c_then = p_h - v_h / then.v_n;
    let w_c_then = w_h + half * v_h * (p_c_then - p_h);
    let p_c = halt.in_compression.select(p_c_then, p_p);
    let w_c = halt.in_compression.select(w_c_then, half * p_p * x.v_n);
    Rebound {
        restitution: x.restitution,
        v_n_pre: x.v_n,
        p_c,
        w_c,
        p_n: halt.in_restitution.select(p_h, p_c),
        v_n: halt.in_restitution.select(v_h, Lanes::ZERO),
        w_n: halt.in_restitution.select(w_h, w_c),
        slope: then.v_n,
    }
}

/// The end: impulses, velocities, works; which lanes jam.
struct End {
    p: [Lanes; 2],
    v: [Lanes; 2],
    w: [Lanes; 2],
    jams: Mask,
}

/// Step 5 of `closed_form`.
#[inline(always)]
fn end<L: Restitution>(x: &LaneInputs, segments: [&Segment; 2], sigma: Lanes, halt: &Halt) -> End {
    let half = constant(0.5);
    let [first, then] = segments;
    let slides_on = halt.slides_on();
    let from = rebound(x, then, halt);
    let left = L::impulse_left(&from);
    let (v_n_then, w_n_then) = L::end(&from, left);
    let p_n = slides_on.select(halt.p_p + x.restitution * halt.p_p, from.p_n + left);
    let v_n = slides_on.select(-x.restitution * x.v_n, v_n_then);
    let w_n = slides_on.select(half * p_n * (x.v_n + v_n), w_n_then);

    let after = p_n - halt.p_h;
    let slip_left = x.v_t.abs() + sigma * first.v_t * p_n;
    let v_t_slide = sigma * slip_left.if_positive(slip_left);
    let v_t = slides_on.select(v_t_slide, then.v_t * after);
    let (before, behind) = (first.friction * halt.p_h, then.friction * after);
    let p_t_slide = first.friction * p_n;
    let w_t_slide = half * ((x.v_t + v_t) * p_t_slide);
    let w_t_halt = half * (x.v_t * before + v_t * behind);

    let is_endless = halt.in_compression | left.equals(constant(f64::INFINITY));
    let jams_then = !is_positive(then.v_n) & is_endless;
    End {
        p: [p_n, slides_on.select(p_t_slide, before + behind)],
        v: [v_n, v_t],
        w: [w_n, slides_on.select(w_t_slide, w_t_halt)],
        jams: (slides_on & !is_positive(first.v_n)) | (!slides_on & jams_then),
    }
}

/// Eight impacts by one law; see `closed_form`.
#[inline(always)]
pub(super) fn lanes<L: Restitution>(x: &LaneInputs) -> LaneEnds {
    let (zero, one) = (Lanes::ZERO, constant(1.0));
    let (a_stuck, ratio) = stuck(x);
    let at_rest = x.v_t.equals(zero);
    let sigma = is_positive(x.v_t).select(one, -one);
    let first = slip(x, at_rest.select(zero, sigma));
    let (sticks, then) = after_halt(x, a_stuck, ratio);
    let strikes = zero.above(x.v_n) | (x.v_n.equals(zero) & zero.above(first.v_n));
    let halt = halt(x, &first, sigma, at_rest);
    let End { p, v, w, jams } = end::<L>(x, [&first, &then], sigma, &halt);

    let is_finite = (p[0] + p[1] + v[0] + v[1] + w[0] + w[1]).is_finite();
    let refused = !is_legal(x, a_stuck) | (strikes & !jams & !is_finite);
    let solved = strikes & !jams & !refused;
    let unmoved = !strikes & !refused;
    let struck = strikes & !refused;
    let kind_c = (sticks & code(1)) | (!sticks & !at_rest & code(3));
    let kind_r = (sticks & code(2)) | (!sticks & code(4));
    let kind = (halt.in_compression & kind_c) | (halt.in_restitution & kind_r);
    // Adding zero turns −0 into 0.
    let keep = |value: Lanes, idle: Lanes| solved.select(value + zero, unmoved.select(idle, zero));
    LaneEnds {
        p_n: keep(p[0], zero),
        p_t: keep(p[1], zero),
        v_n: keep(v[0], x.v_n),
        v_t: keep(v[1], x.v_t),
        w_n: keep(w[0], zero),
        w_t: keep(w[1], zero),
        outcome: (strikes & jams & code(2)) | (!strikes & code(1)) | (refused & code(3)),
        kind: (struck & kind) | (!struck & code(6)),
    }
}
