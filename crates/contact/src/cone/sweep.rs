//! A start for Newton's method: every contact answered alone, the others as they are.

use super::alone::OneContact;
use super::pivot::within;
use super::scene::Scene;

/// Sweeps of a start.
const SWEEPS: usize = 30;

/// Moves `r` by damped sweeps over all contacts at once; the order of the contacts does not matter.
///
/// ```text
/// r_i ← (1 − ω) r_i + ω (answer of contact i alone, with q_i + Σ_{j≠i} W_ij r_j)
/// ```
///
/// Of several answers of a contact the one nearest to its impulse is taken.
pub(super) fn sweep(scene: &Scene, r: &mut [f64], u: &mut [f64]) {
    let contacts = scene.contacts.len();
    let share = 1.0 / (contacts as f64).sqrt();
    for _ in 0..SWEEPS {
        scene.velocity(r, u);
        for i in 0..contacts {
            let own = [r[3 * i], r[3 * i + 1], r[3 * i + 2]];
            let Some(other) = nearest(scene, i, own, u) else {
                continue;
            };
            for a in 0..3 {
                r[3 * i + a] += share * (other[a] - own[a]);
            }
        }
        for (j, law) in scene.pivots.iter().enumerate() {
            let state = scene.pivot_state(j, r, u);
            let bound = law.mu * state.r[0].max(0.0);
            let still = within(bound, state.r[1] - state.rho[1] * state.u[1]);
            let other = law.sense.map_or(still, |sense| -sense * bound);
            r[scene.pivot_row(j)] += share * (other - state.r[1]);
        }
    }
}

/// The answer of one contact alone that is nearest to its impulse.
fn nearest(scene: &Scene, i: usize, own: [f64; 3], u: &[f64]) -> Option<[f64; 3]> {
    let law = &scene.contacts[i];
    let at = |a: usize, b: usize| scene.w[(3 * i + a) * scene.n + 3 * i + b];
    let w = [0, 1, 2].map(|a| [0, 1, 2].map(|b| at(a, b)));
    let d = [0, 1, 2].map(|a| u[3 * i + a] - (0..3).map(|b| w[a][b] * own[b]).sum::<f64>());
    let (mu_s, mu_d) = (law.mu, law.mu);
    let apart = |x: &[f64; 3]| (x[0] - own[0]).hypot(x[1] - own[1]).hypot(x[2] - own[2]);
    let mut found: Option<[f64; 3]> = None;
    OneContact { w, d, mu_s, mu_d }.visit(|answer| {
        if found.is_none_or(|known| apart(&answer.force) < apart(&known)) {
            found = Some(answer.force);
        }
    });
    found.map(|force| [force[0].max(law.floor), force[1], force[2]])
}
