//! What happens when no acceleration is consistent: the velocity jumps.
//!
//! Bilateral elements seize: friction and load impulses hold each other. A unilateral contact
//! collides although nothing approaches: an impact without collision. This is the one place that
//! knows both [`crate::forward`] and [`crate::impact`].
//!
//! Reference: `Dupont1992`; derivation in `docs/theory/forward-friction.md`.

mod collision;
mod seizure;
mod spatial;

pub use collision::{impact_without_collision, impacts_without_collision};
pub use seizure::seizures;
pub use spatial::{solve_and_resolve_in_space, spatial_impacts_without_collision};

use carom_numeric::{Cholesky, orthogonal};

use crate::contact_space::FrictionError;
use crate::forward::rod::Rod;
use crate::forward::screw::Screw;
use crate::forward::{
    ForwardInputError, ForwardProblem, ForwardResult, Mode, Resolution, answers, solve,
};
use crate::impact::PointImpactError;
use crate::law::Law;

/// Why a jump could not be computed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResolutionError {
    /// The forward problem was refused.
    Forward(ForwardInputError),
    /// The coefficients of friction are out of range.
    Friction(FrictionError),
    /// The impact was refused.
    Impact(PointImpactError),
    /// The law of restitution does not follow the path of an impact.
    LawRefused(Law),
}

impl std::fmt::Display for ResolutionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Forward(error) => write!(f, "{error}"),
            Self::Friction(error) => write!(f, "{error}"),
            Self::Impact(error) => write!(f, "{error}"),
            Self::LawRefused(law) => write!(
                f,
                "law is {law}, which compares total impulses and sees no impact without an approach; \
                 expected newton, poisson or energetic"
            ),
        }
    }
}

impl std::error::Error for ResolutionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Forward(error) => Some(error),
            Self::Friction(error) => Some(error),
            Self::Impact(error) => Some(error),
            Self::LawRefused(_) => None,
        }
    }
}

impl From<ForwardInputError> for ResolutionError {
    fn from(error: ForwardInputError) -> Self {
        Self::Forward(error)
    }
}

/// Impulses and the velocities they give are known to this fraction of their terms.
const IMPULSES_KNOWN: f64 = 1e-12;

/// A product of lists, and the size of its terms.
fn measured(row: &[f64], change: &[f64]) -> (f64, f64) {
    let terms = row.iter().zip(change).map(|(a, b)| a * b);
    terms.fold((0.0, 0.0), |(sum, size), term| {
        (sum + term, size + term.abs())
    })
}

/// The most a row can see of a jump: its length times that of the jump, both in the norm of the inertia. A
/// velocity that cancels is compared with this, whatever the coordinates.
fn most_seen(problem: &ForwardProblem, row: &[f64], change: &[f64]) -> f64 {
    let mut factor = Cholesky::new();
    let n = problem.coordinates();
    if factor.factor(&problem.inertia.concat(), n).is_err() {
        return 0.0;
    }
    let mut x = row.to_vec();
    factor.solve_lower(&mut x);
    orthogonal::length(&x) * (2.0 * collision::kinetic(problem, change)).sqrt()
}

/// The first of the jumps of velocity a problem admits ([`resolutions`]).
pub fn resolve(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<Option<Resolution>, ResolutionError> {
    let all = resolutions(problem, restitution, law)?;
    Ok(all.into_iter().next())
}

/// Every jump of velocity a problem admits but those in which several contacts, or contacts and loads with
/// friction, take impulses together.
///
/// Impacts without collision go before seizures, in the order of their contacts; of seizures those that stop
/// the fewest coordinates first. What follows a seizure without contacts is judged with the bias and loads
/// given; what follows an impact depends on rates this problem does not carry ([`resolve_rod`]
/// knows them).
pub fn resolutions(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<Vec<Resolution>, ResolutionError> {
    let mut all = match problem.contacts.is_empty() {
        true => Vec::new(),
        false => impacts_without_collision(problem, restitution, law)?,
    };
    all.extend(seizures(problem)?);
    Ok(all)
}

/// Everything about a problem, with the jumps that may follow where nothing is consistent.
pub fn solve_and_resolve(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<ForwardResult, ResolutionError> {
    let result = solve(problem)?;
    match result.count {
        Some(0) => Ok(result.with_resolutions(resolutions(problem, restitution, law)?)),
        _ => Ok(result),
    }
}

/// Everything about a rod, with the impact without collision that follows where nothing is
/// consistent, and the modes after it.
pub fn resolve_rod(rod: &Rod) -> Result<ForwardResult, ResolutionError> {
    let result = rod.solve()?;
    match result.count {
        Some(0) => Ok(result.with_resolutions(rod_impact(rod)?.into_iter().collect())),
        _ => Ok(result),
    }
}

/// Everything about a screw, with the jumps that may follow where nothing is consistent.
pub fn resolve_screw(screw: &Screw) -> Result<ForwardResult, ResolutionError> {
    let result = screw.solve()?;
    match result.count {
        Some(0) => {
            let jumps = resolutions(&screw.problem()?, 0.0, Law::Poisson)?;
            Ok(result.with_resolutions(jumps))
        }
        _ => Ok(result),
    }
}

/// The impact without collision of a sliding rod, whether or not an acceleration is consistent too.
pub fn rod_impact(rod: &Rod) -> Result<Option<Resolution>, ResolutionError> {
    let jump = impact_without_collision(&rod.problem()?, rod.restitution, rod.law)?;
    let Some(mut jump) = jump else {
        return Ok(None);
    };
    let has_left = jump.contact_velocity_after.iter().any(|v| v[0] > 0.0);
    if let (false, Some([x, y, turn])) = (has_left, jump.velocity_after.as_deref()) {
        let mut after = rod.with_velocity(&[*x, *y, *turn]);
        if jump.contact_velocity_after.iter().all(|v| v[1] == 0.0) {
            after.slip = 0.0;
        }
        jump.next_modes = Some(modes(&after.problem()?)?);
    }
    Ok(Some(jump))
}

/// Modes of each answer of a problem.
fn modes(problem: &ForwardProblem) -> Result<Vec<Vec<Mode>>, ForwardInputError> {
    let found = answers(problem)?;
    let points = found.answers.into_iter().map(|answer| answer.mode);
    Ok(points
        .chain(found.continua.into_iter().map(|c| c.mode))
        .collect())
}
