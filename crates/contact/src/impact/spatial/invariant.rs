//! Directions in which slip does not turn.

use serde::{Deserialize, Serialize};

use super::flow::{cross, dot, length};
use crate::contact_space::{SpatialDelassus, TIE};

/// A direction in which slip does not turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct InvariantDirection {
    /// Angle of the slip from t1 towards t2 (rad).
    pub angle: f64,
    /// Unit vector of the slip along (t1, t2).
    pub direction: [f64; 2],
    /// `r = ds/dp_n`: slip along it grows where positive, halts where negative (1/kg).
    #[serde(rename = "r")]
    pub rate: f64,
    /// `k = dv_n/dp_n` of slip along it (1/kg).
    #[serde(rename = "k")]
    pub normal_rate: f64,
    /// Slip near it turns towards it; where not, away from it.
    #[serde(rename = "attracting")]
    pub is_attracting: bool,
    /// Slip leaves rest along it: `r > 0`, where `μ < μ_stick`.
    #[serde(rename = "outgoing")]
    pub is_outgoing: bool,
}

/// The invariant directions of a contact: two or four, or every one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InvariantDirections {
    found: [Option<InvariantDirection>; 4],
    /// Every direction is one: slip never turns (a sphere).
    pub every: bool,
}

impl InvariantDirections {
    /// Those there are; the attracting one in the quadrant of `W_tn` first.
    pub fn iter(&self) -> impl Iterator<Item = &InvariantDirection> + '_ {
        self.found.iter().flatten()
    }
}

/// The directions u in which slip under the friction `mu` does not turn.
///
/// ```text
/// (μ W_tt + r) u = W_tn,  |u| = 1
/// ```
///
/// In the principal axes of `W_tt` one lies in the quadrant of `W_tn` and attracts, its counterpart in the
/// opposite quadrant repels; two more, one of each kind, in the quadrant across axis 1 exactly when
///
/// ```text
/// |b1|^⅔ + |b2|^⅔ < (μ(λ2 − λ1))^⅔
/// ```
///
/// `r > 0` for one of them, the outgoing one, exactly when `μ < μ_stick`. Reference: `BhattKoechling1995`.
pub fn invariant_directions(w: &SpatialDelassus, mu: f64) -> InvariantDirections {
    let (b, [l_1, l_2]) = (w.coupling(), w.principal_values());
    let apart = mu * (l_2 - l_1);
    let mut all = InvariantDirections::default();
    let size = length(b).max(apart);
    if size <= TIE * (mu * l_2 + w.nn()) {
        all.every = true;
        return all;
    }
    let quadrants = Quadrants {
        b: b.map(f64::abs),
        apart,
        signs: b.map(|b| if b < 0.0 { -1.0 } else { 1.0 }),
    };
    let found = quadrants.roots();
    let describe = |u: [f64; 2]| {
        let along = l_1 * u[0] * u[0] + l_2 * u[1] * u[1];
        let beside = l_1 * u[1] * u[1] + l_2 * u[0] * u[0];
        let rate = dot(b, u) - mu * along;
        let direction = w.to_tangents(u).map(|x| x + 0.0);
        InvariantDirection {
            angle: direction[1].atan2(direction[0]),
            direction,
            rate,
            normal_rate: w.nn() - mu * dot(b, u),
            is_attracting: -rate - mu * beside < 0.0,
            is_outgoing: rate > TIE * (dot(b, u).abs() + mu * along),
        }
    };
    all.found = found.map(|u| u.map(describe));
    all
}

/// g over the quadrants of the principal axes, mirrored so that `b >= 0`.
struct Quadrants {
    b: [f64; 2],
    /// `μ(λ2 − λ1)`
    apart: f64,
    signs: [f64; 2],
}

impl Quadrants {
    /// `g = u × b − μ(λ2−λ1) u1 u2`.
    fn turn(&self, u: [f64; 2]) -> f64 {
        cross(u, self.b) - self.apart * u[0] * u[1]
    }

    fn roots(&self) -> [Option<[f64; 2]>; 4] {
        let found = if self.b[0] == 0.0 || self.b[1] == 0.0 {
            self.on_an_axis()
        } else {
            self.in_quadrants()
        };
        let mirrored = |u: [f64; 2]| [self.signs[0] * u[0], self.signs[1] * u[1]];
        found.map(|u| u.map(mirrored))
    }

    fn in_quadrants(&self) -> [Option<[f64; 2]>; 4] {
        let quarter = std::f64::consts::FRAC_PI_2;
        // The two roots between meet where tan θ = (b2/b1)^⅓.
        let fold = self.b[1].cbrt().atan2(self.b[0].cbrt());
        let between = [-1.0, 1.0];
        let are_there = self.turn(at(between, fold)) > 0.0;
        [
            self.root([1.0, 1.0], 0.0, quarter),
            self.root(between, 0.0, fold).filter(|_| are_there),
            self.root(between, fold, quarter).filter(|_| are_there),
            self.root([-1.0, -1.0], 0.0, quarter),
        ]
    }

    /// `W_tn` along an axis: `g` is a product, of which one factor has its roots on that axis.
    fn on_an_axis(&self) -> [Option<[f64; 2]>; 4] {
        let is_second = self.b[0] == 0.0;
        let (size, axis) = if is_second {
            (self.b[1], [0.0, 1.0])
        } else {
            (self.b[0], [1.0, 0.0])
        };
        let back = axis.map(|x| 0.0 - x);
        if size >= self.apart {
            return [Some(axis), None, None, Some(back)];
        }
        let cos = size / self.apart;
        let sin = ((1.0 - cos) * (1.0 + cos)).sqrt();
        if is_second {
            [Some([sin, cos]), Some([-sin, cos]), Some(axis), Some(back)]
        } else {
            [
                Some(axis),
                Some(back),
                Some([-cos, sin]),
                Some([-cos, -sin]),
            ]
        }
    }

    /// The root between two angles of a quadrant.
    fn root(&self, quadrant: [f64; 2], from: f64, to: f64) -> Option<[f64; 2]> {
        let value = |angle: f64| self.turn(at(quadrant, angle));
        let found = carom_numeric::root::bracketed(value, from, to)?;
        Some(at(quadrant, found))
    }
}

/// The direction at an angle from axis 1 within a quadrant.
fn at(quadrant: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [quadrant[0] * cos, quadrant[1] * sin]
}
