//! What W alone proves, whatever the forces.

use super::TouchContact;
use super::posed::SpatialForward;
use crate::cone::{ConeContact, ConeProblem, ConeSolver};
use crate::forward::error::ForwardInputError;
use crate::forward::result::Condition;

/// A determinant below this part of its sizes is that of a singular matrix.
const LOSS: f64 = 1e-9;

/// The numbers that hold for every force, of contacts alone.
pub(super) fn of(
    posed: &SpatialForward,
    weighed: &SpatialForward,
    contacts: &[TouchContact],
) -> Result<Condition, ForwardInputError> {
    let mut found = Condition::default();
    if posed.joints.iter().any(|joint| joint.friction.mu_s() > 0.0) {
        return Ok(found);
    }
    let is_judged = contacts.iter().all(TouchContact::has_one_coefficient);
    if contacts.len() > 1 && is_judged {
        found.uniqueness_bound = uniqueness_bound(weighed, contacts)?;
    }
    if let [contact] = &posed.contacts[..] {
        let w = [0, 1, 2].map(|a| [0, 1, 2].map(|b| posed.w(a, b)));
        let coupling = w[0][1].hypot(w[0][2]);
        found.mu_p = (coupling > 0.0).then(|| w[0][0] / coupling);
        found.sure_friction = sure_friction(&w);
        let beside = |sure: f64| contact.friction.mu_d() / sure;
        found.uniqueness_bound = found.sure_friction.filter(|_| is_judged).map(beside);
        let slip = contacts[0].slip.filter(|_| contact.is_rough());
        let along = |[a, b]: [f64; 2]| a * w[0][1] + b * w[0][2];
        found.p = slip.map(|u| w[0][0] - contact.friction.mu_d() * along(u));
    }
    let all = [
        found.uniqueness_bound,
        found.mu_p,
        found.sure_friction,
        found.p,
    ];
    match all.iter().flatten().all(|x| x.is_finite()) {
        true => Ok(found),
        false => Err(ForwardInputError::Overflow),
    }
}

/// The bound of [`ConeSolver::uniqueness`], below one a proof.
fn uniqueness_bound(
    weighed: &SpatialForward,
    contacts: &[TouchContact],
) -> Result<Option<f64>, ForwardInputError> {
    let k = 3 * contacts.len();
    let rows = weighed.rows();
    let own = (0..k).flat_map(|i| &weighed.w[i * rows..i * rows + k]);
    let cone = |contact: &TouchContact| ConeContact {
        slip: contact.slip,
        ..ConeContact::new(contact.friction.mu_d())
    };
    let cones: Vec<ConeContact> = contacts.iter().map(cone).collect();
    let problem = ConeProblem {
        w: &own.copied().collect::<Vec<f64>>(),
        q: &weighed.drift[..k],
        contacts: &cones,
    };
    let mut solver = ConeSolver::new();
    solver
        .solve(&problem)
        .map_err(ForwardInputError::Delassus)?;
    Ok(solver.uniqueness().bound)
}

/// Friction below which one contact surely has one answer, `2/√((W⁻¹)_nn λ₂)` with λ₂ the larger eigenvalue of
/// W_tt; none where W is singular.
fn sure_friction(w: &[[f64; 3]; 3]) -> Option<f64> {
    let [[nn, n1, n2], [_, a, b], [_, _, c]] = *w;
    let across = a * c - b * b;
    let det = nn * across - n1 * (n1 * c - b * n2) + n2 * (n1 * b - a * n2);
    let largest = 0.5 * (a + c) + (0.5 * (a - c)).hypot(b);
    let is_regular = det > LOSS * nn * largest * largest && across > LOSS * largest * largest;
    is_regular.then(|| 2.0 / (across / det * largest).sqrt())
}
