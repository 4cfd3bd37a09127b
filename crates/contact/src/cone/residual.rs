//! How far an answer misses the laws of its contacts.

use super::piece::project;
use super::scene::Scene;

/// Largest part of Coulomb's and Signorini's laws that is missed, in the units of the problem's own size:
/// W beside its mean diagonal element, velocities beside |q|.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ConeResidual {
    /// `|r − P_K(r − û)|` with `û = u + μ|u_t| n`: zero exactly at an answer.
    pub natural: f64,
    /// Distance of the impulses from their cones.
    pub cone: f64,
    /// Approach that is left, `|min(u_n, 0)|`: distance of û from the dual cones.
    pub approach: f64,
    /// `Σ |(r_n − floor) u_n + μ r_n |u_t| + r_t·u_t|`: work that an answer has not.
    pub complementarity: f64,
}

/// What a contact does at an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConeMode {
    /// No impulse beyond the floor, `u_n >= 0`.
    Open,
    /// `u = 0`, `|r_t| <= μ r_n`.
    Stick,
    /// `u_n = 0`, `r_t = −μ r_n u_t/|u_t|`.
    Slide,
}

impl ConeMode {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slide => "slide",
        }
    }
}

/// Residuals of scaled impulses and their velocities.
pub(super) fn residual(scene: &Scene, r: &[f64], u: &[f64]) -> ConeResidual {
    let mut squares = [0.0; 3];
    let mut complementarity = 0.0;
    for (i, law) in scene.contacts.iter().enumerate() {
        let at = |x: &[f64]| [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
        let (r, u) = (at(r), at(u));
        let slip = u[1].hypot(u[2]);
        let (natural, cone) = match law.slip {
            None => {
                let moved = [r[0] - u[0] - law.mu * slip, r[1] - u[1], r[2] - u[2]];
                let near = |z| apart(r, project(law.mu, law.floor, z));
                (near(moved), near(r))
            }
            Some(d) => {
                let on = |n: f64| [n, -law.mu * r[0] * d[0], -law.mu * r[0] * d[1]];
                let natural = apart(r, on(law.floor.max(r[0] - u[0])));
                (natural, apart(r, on(law.floor.max(r[0]))))
            }
        };
        squares[0] += natural * natural;
        squares[1] += cone * cone;
        squares[2] += u[0].min(0.0) * u[0].min(0.0);
        let rub = match law.slip {
            None => law.mu * r[0] * slip + r[1] * u[1] + r[2] * u[2],
            Some(_) => 0.0,
        };
        complementarity += ((r[0] - law.floor) * u[0] + rub).abs();
    }
    for (j, law) in scene.pivots.iter().enumerate() {
        let state = scene.pivot_state(j, r, u);
        let [natural, cone] = state.misses(law);
        squares[0] += natural * natural;
        squares[1] += cone * cone;
        if law.sense.is_none() {
            let work = law.mu * state.r[0] * state.u[1].abs() + state.r[1] * state.u[1];
            complementarity += work.abs();
        }
    }
    let [natural, cone, approach] = squares.map(f64::sqrt);
    ConeResidual {
        natural,
        cone,
        approach,
        complementarity,
    }
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2])
}

/// A tangent impulse within this part of its cone's side belongs to a contact that sticks, if its
/// velocity is round-off.
pub(super) const MODE_SIDE: f64 = 1e-12;

/// What contact `i` does, by the side of `r − ρ u` that is larger: the sum tells both apart where either
/// is round-off.
pub(super) fn mode(scene: &Scene, i: usize, r: &[f64], u: &[f64]) -> ConeMode {
    let (law, rho) = (&scene.contacts[i], scene.rho[i]);
    let (r, u) = (&r[3 * i..3 * i + 3], &u[3 * i..3 * i + 3]);
    let pressed = r[0] - law.floor - rho[0] * u[0];
    if !(pressed > 0.0) {
        return ConeMode::Open;
    }
    match law.slip.is_none() && is_held(scene, i, r, u) {
        true => ConeMode::Stick,
        false => ConeMode::Slide,
    }
}

/// Whether contact `i`, pressed or at its floor, slips.
pub(super) fn slips(scene: &Scene, i: usize, r: &[f64], u: &[f64]) -> bool {
    !is_held(scene, i, &r[3 * i..3 * i + 3], &u[3 * i..3 * i + 3])
}

/// Whether `r_t − ρ u_t` of contact `i` is within its cone.
fn is_held(scene: &Scene, i: usize, r: &[f64], u: &[f64]) -> bool {
    let (law, rho) = (&scene.contacts[i], scene.rho[i]);
    let pressed = (r[0] - law.floor - rho[0] * u[0]).max(0.0);
    let radius = law.mu * (law.floor + pressed);
    let reach = (r[1] - rho[1] * u[1]).hypot(r[2] - rho[1] * u[2]);
    reach <= radius * (1.0 + MODE_SIDE)
}
