//! Which impacts in space never leave a plane.

use carom_numeric::CompleteOrthogonal;

use crate::contact_space::{ContactSpace, TIE};

/// Parts across the plane of an impact below this are the round-off of turned axes: of `W_n⊥` and `W_d⊥`
/// relative to `√(W_nn W_max)` and `√(W_dd W_max)`, W_max the largest diagonal element, and of `v_⊥` relative
/// to the velocity of the contact point. Anything larger is followed in space: a plane would cost its digits.
pub const PLANAR_ROUND_OFF: f64 = 16.0 * TIE;

/// A velocity across the plane below this part of what the motion of the whole mechanism could give,
/// `√W_⊥⊥ √(q̇ᵀMq̇)`, is round-off.
const ACROSS_NOISE: f64 = 1e-13;

/// An impact in space that stays in the plane of its normal and one tangent direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarEffect {
    /// The tangent direction d, a unit vector along (t1, t2); its larger component is positive.
    pub direction: [f64; 2],
    /// Velocity across the plane, along d⊥ = (−d₂, d₁): zero but for round-off (m/s).
    pub v_across: f64,
    /// `W_⊥⊥ = 0`: nothing moves the contact point across the plane. While it sticks, an impulse
    /// along d⊥ within the cone moves nothing; it is given as 0.
    pub is_held_across: bool,
}

/// Why a frictional impact in space is not planar: the numbers, for the best direction there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialFriction {
    /// Velocity of the contact point before, along n, t1, t2 (m/s).
    pub v: [f64; 3],
    /// The direction d that comes closest, along (t1, t2).
    pub direction: [f64; 2],
    /// `|v_⊥|` relative to `|v|`.
    pub v_across: f64,
    /// `|W_n⊥|` relative to `√(W_nn W_max)`.
    pub w_normal: f64,
    /// `|W_d⊥|` relative to `√(W_dd W_max)`.
    pub w_tangent: f64,
    /// It is planar, and a stuck contact cannot rebound (σ = 0): a halt arrests what moves, which only the
    /// path in space tells.
    pub arrests: bool,
}

impl std::fmt::Display for SpatialFriction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([v_n, v_1, v_2], [d_1, d_2]) = (self.v, self.direction);
        if self.arrests {
            return write!(
                f,
                "spatial friction: a contact that sticks is arrested, for nothing it can move along parts the \
                 bodies, and no impulse plane shows that; the slip is along ({d_1}, {d_2}) of t1, t2"
            );
        }
        write!(
            f,
            "spatial friction: the slip leaves every plane through the normal, and no impulse plane shows it; \
             with v = ({v_n}, {v_1}, {v_2}) m/s along n, t1, t2 the closest direction is ({d_1}, {d_2}) \
             along t1, t2, and across it v is {:.3e} of its size, W_n {:.3e} and W_t {:.3e} of theirs, \
             expected at most {PLANAR_ROUND_OFF:.1e} each",
            self.v_across, self.w_normal, self.w_tangent
        )
    }
}

impl std::error::Error for SpatialFriction {}

/// The direction in which a frictional impact in space is planar, or the evidence that there is none.
///
/// `rows` are the normal and both tangent rows of the contact, `v` its velocity along them. With d a
/// tangent direction and d⊥ the other, the impact stays in the plane (n, d) when
///
/// ```text
/// v_⊥⁻ = 0,   W_n⊥ = 0,   W_d⊥ = 0
/// ```
///
/// Proof. Let the impulse so far lie in the plane (n, d). Then `v_⊥ = v_⊥⁻ + W_⊥n p_n + W_⊥d p_d = 0`:
/// the slip is along ±d, and Coulomb's `dp_t = −μ v_t/|v_t| dp_n` keeps the impulse in the plane. At
/// rest, sticking needs `W_tt dp_t = −W_tn dp_n`; W_tt is diagonal in (d, d⊥) and W_tn is along d, so
/// that `dp_t` is along d (along d⊥ it is zero, or moves nothing) and the cone asks of it what it asks
/// in the plane. Slip that starts from rest along a unit vector e needs `W_tn − μ W_tt e = k e` with
/// `k > 0`; across the plane this reads `−μ W_⊥⊥ e_⊥ = k e_⊥`, hence `e_⊥ = 0`. Routh's flow is that
/// of the plane, corner by corner.
///
/// d is the direction of v_t⁻ where that decides, else that of W_tn, else a principal direction of
/// W_tt: each makes one of the conditions hold exactly, and the one that misses the others least is
/// taken. With neither slip nor W_tn every direction has the same answer. A contact that cannot rebound once
/// it sticks (σ = 0) is left to the path in space.
///
/// # Panics
///
/// When there is no such row.
pub fn planar_effect(
    space: &ContactSpace,
    rows: [usize; 3],
    v: [f64; 3],
) -> Result<PlanarEffect, SpatialFriction> {
    let w = rows.map(|i| rows.map(|j| space.w(i, j)));
    let seen = Seen {
        w,
        v,
        most: w[0][0].max(w[1][1]).max(w[2][2]),
        mechanism_speed: space.speed(),
    };
    let principal = 0.5 * (2.0 * w[1][2]).atan2(w[1][1] - w[2][2]);
    let (sin, cos) = principal.sin_cos();
    let candidates = [
        unit([v[1], v[2]]),
        unit([w[0][1], w[0][2]]),
        Some([cos, sin]),
        Some([-sin, cos]),
    ];
    let judged = candidates.into_iter().flatten();
    let judged = judged.map(|direction| seen.judge(oriented(direction)));
    let better = |a: SpatialFriction, b| if worst(&b) < worst(&a) { b } else { a };
    let best = judged.reduce(better);
    let best = best.unwrap_or_else(|| seen.judge([1.0, 0.0]));
    if worst(&best) > PLANAR_ROUND_OFF {
        return Err(best);
    }
    let flat = space.planar_along(rows[0], [rows[1], rows[2]], best.direction);
    if flat.is_ok_and(|(w, _)| w.tt() > 0.0 && w.nn_stuck() == 0.0) {
        return Err(SpatialFriction {
            arrests: true,
            ..best
        });
    }
    let [d_1, d_2] = best.direction;
    let held = CompleteOrthogonal::RANK_TOLERANCE * CompleteOrthogonal::RANK_TOLERANCE;
    Ok(PlanarEffect {
        direction: best.direction,
        v_across: d_1 * v[2] - d_2 * v[1],
        is_held_across: seen.across(best.direction)[2] <= held * seen.most,
    })
}

/// A contact in space as it is judged.
struct Seen {
    w: [[f64; 3]; 3],
    v: [f64; 3],
    /// Largest diagonal element of W (1/kg).
    most: f64,
    /// `√(q̇ᵀMq̇)`.
    mechanism_speed: f64,
}

impl Seen {
    /// `W_n⊥`, `W_d⊥`, `W_⊥⊥` of a direction d.
    fn across(&self, [d_1, d_2]: [f64; 2]) -> [f64; 3] {
        let [[_, n_1, n_2], [_, w_11, w_12], [_, _, w_22]] = self.w;
        [
            d_1 * n_2 - d_2 * n_1,
            d_1 * d_2 * (w_22 - w_11) + (d_1 - d_2) * (d_1 + d_2) * w_12,
            d_2 * d_2 * w_11 - 2.0 * d_1 * d_2 * w_12 + d_1 * d_1 * w_22,
        ]
    }

    /// How far a direction misses.
    fn judge(&self, direction: [f64; 2]) -> SpatialFriction {
        let ([d_1, d_2], v) = (direction, self.v);
        let [n_across, d_across, across] = self.across(direction);
        let [[nn, ..], [_, w_11, w_12], [_, _, w_22]] = self.w;
        let along = d_1 * d_1 * w_11 + 2.0 * d_1 * d_2 * w_12 + d_2 * d_2 * w_22;
        let size = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let noise = ACROSS_NOISE * across.max(0.0).sqrt() * self.mechanism_speed;
        SpatialFriction {
            v,
            direction,
            v_across: ratio(d_1 * v[2] - d_2 * v[1], size + noise / PLANAR_ROUND_OFF),
            w_normal: ratio(n_across, (nn * self.most).sqrt()),
            w_tangent: ratio(d_across, (along.max(0.0) * self.most).sqrt()),
            arrests: false,
        }
    }
}

fn worst(judged: &SpatialFriction) -> f64 {
    judged.v_across.max(judged.w_normal).max(judged.w_tangent)
}

/// The size of `x` relative to a scale; nothing is no part of nothing.
fn ratio(x: f64, scale: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.abs() / scale }
}

fn unit([x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let size = x.hypot(y);
    (size > 0.0).then(|| [x / size, y / size])
}

/// The direction or its opposite, so that the larger component is positive.
fn oriented([x, y]: [f64; 2]) -> [f64; 2] {
    let larger = if x.abs() >= y.abs() { x } else { y };
    let sign = if larger < 0.0 { -1.0 } else { 1.0 };
    [sign * x + 0.0, sign * y + 0.0]
}
