//! Impacts of several contacts in space, by laws on total impulses.

use carom_numeric::dot;

use super::problem::{ConeContact, ConeInputError, ConeProblem, check_range};
use super::residual::{ConeMode, ConeResidual};
use super::solver::{ConeEnd, ConeSolver};
use super::uniqueness::{ConeUniqueness, Verdict};

/// Contacts that collide or touch at one instant, in contact space; rows (n, t1, t2).
#[derive(Debug, Clone, Copy)]
pub struct ConeImpact<'a> {
    /// Inverse inertia W by rows (1/kg).
    pub w: &'a [f64],
    /// Velocities before (m/s). Contacts that touch without approaching take part.
    pub v: &'a [f64],
    /// Coefficient of friction of each contact.
    pub mu: &'a [f64],
    /// Coefficient of restitution of each contact, from 0 to 1.
    pub restitution: &'a [f64],
}

/// What an impact did. Where no contact approaches no impulse is an answer, and is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ConeImpactEnd {
    /// Every phase met its laws; if not, the nearest found is given.
    pub is_solved: bool,
    /// Total impulses (N·s).
    pub impulse: Vec<f64>,
    /// Velocities after (m/s).
    pub v_post: Vec<f64>,
    /// Work at each contact, normal and tangent (J).
    pub work: Vec<[f64; 2]>,
    /// `v⁻·P + ½ PᵀWP` (J); a gain is reported, not clipped.
    pub energy_change: f64,
    /// Largest term of it (J).
    pub energy_scale: f64,
    /// What each contact does at the end.
    pub modes: Vec<ConeMode>,
    /// The phases: one by Moreau's law, compression and expansion by Poisson's.
    pub phases: Vec<ImpactPhase>,
    /// Whether the velocities after are unique.
    pub velocity: Verdict,
    /// Whether the impulses are unique.
    pub impulses: Verdict,
}

/// One phase of an impact.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactPhase {
    /// Impulses of the phase (N·s).
    pub impulse: Vec<f64>,
    /// Velocities at its end (m/s).
    pub v: Vec<f64>,
    /// What it misses of its laws.
    pub residual: ConeResidual,
    /// What was proved about its answers.
    pub uniqueness: ConeUniqueness,
}

/// Moreau's law: Newton's ratio and Coulomb's friction at the velocities after.
///
/// ```text
/// v⁺ = v⁻ + W P,   K ∋ P ⟂ v⁺ + e v_n⁻ n + μ|v_t⁺| n ∈ K*,   e at approaching contacts
/// ```
///
/// For one contact this is not Routh's path: it relates the total impulse to the slip at the end.
///
/// Reference: `Moreau1988`.
pub fn moreau(
    solver: &mut ConeSolver,
    impact: &ConeImpact<'_>,
) -> Result<ConeImpactEnd, ConeInputError> {
    impact.check()?;
    let back = |i: usize| match i % 3 {
        0 => impact.restitution[i / 3] * impact.v[i].min(0.0),
        _ => 0.0,
    };
    let q: Vec<f64> = (0..impact.v.len()).map(|i| impact.v[i] + back(i)).collect();
    let floors = vec![0.0; impact.mu.len()];
    let (end, mut phase) = impact.phase(solver, &q, &floors)?;
    phase.v = (0..q.len()).map(|i| phase.v[i] - back(i)).collect();
    let modes = solver.modes().to_vec();
    Ok(impact.finish(vec![phase], modes, end.is_solved))
}

/// Poisson's law in two phases: a compression without restitution, and an expansion whose normal
/// impulses return at least their part of it.
///
/// ```text
/// v_c = v⁻ + W P_c,    K ∋ P_c ⟂ v_c + μ|v_tc| n ∈ K*
/// v⁺ = v_c + W P_e,    0 <= P_ne − e P_nc ⟂ v_n⁺ >= 0,   P_te ∈ −μ P_ne ∂|v_t⁺|
/// ```
///
/// Where compression impulses are shared in several ways the one found is expanded.
pub fn poisson(
    solver: &mut ConeSolver,
    impact: &ConeImpact<'_>,
) -> Result<ConeImpactEnd, ConeInputError> {
    impact.check()?;
    let floors = vec![0.0; impact.mu.len()];
    let (compressed, compression) = impact.phase(solver, impact.v, &floors)?;
    let returned = |(i, e): (usize, &f64)| (e * compression.impulse[3 * i]).max(0.0);
    let floors: Vec<f64> = impact
        .restitution
        .iter()
        .enumerate()
        .map(returned)
        .collect();
    if floors.iter().all(|floor| *floor == 0.0) {
        let modes = solver.modes().to_vec();
        return Ok(impact.finish(vec![compression], modes, compressed.is_solved));
    }
    let (expanded, expansion) = impact.phase(solver, &compression.v, &floors)?;
    let is_solved = compressed.is_solved && expanded.is_solved;
    let modes = solver.modes().to_vec();
    Ok(impact.finish(vec![compression, expansion], modes, is_solved))
}

impl ConeImpact<'_> {
    fn check(&self) -> Result<(), ConeInputError> {
        let (contacts, q) = (self.mu.len(), self.v.len());
        if q != 3 * contacts || self.restitution.len() != contacts || self.w.len() != q * q {
            let w = self.w.len();
            return Err(ConeInputError::Shape { contacts, w, q });
        }
        check_range("v", self.v)?;
        let is_wrong = |e: &f64| !(0.0..=1.0).contains(e);
        match self.restitution.iter().position(is_wrong) {
            None => Ok(()),
            Some(contact) => Err(ConeInputError::BadRestitution {
                contact,
                restitution: self.restitution[contact],
            }),
        }
    }

    /// One cone problem with its verdicts.
    fn phase(
        &self,
        solver: &mut ConeSolver,
        q: &[f64],
        floors: &[f64],
    ) -> Result<(ConeEnd, ImpactPhase), ConeInputError> {
        let pairs = self.mu.iter().zip(floors);
        let contacts: Vec<ConeContact> = pairs
            .map(|(mu, floor)| ConeContact {
                floor: *floor,
                ..ConeContact::new(*mu)
            })
            .collect();
        let (w, contacts) = (self.w, &contacts[..]);
        let end = solver.solve(&ConeProblem { w, q, contacts })?;
        let phase = ImpactPhase {
            impulse: solver.impulse().to_vec(),
            v: solver.velocity().to_vec(),
            residual: end.residual,
            uniqueness: solver.uniqueness(),
        };
        Ok((end, phase))
    }

    /// Sums the phases: impulses, works `P·(v before + v after)/2`, energy, verdicts.
    fn finish(
        &self,
        phases: Vec<ImpactPhase>,
        modes: Vec<ConeMode>,
        is_solved: bool,
    ) -> ConeImpactEnd {
        let n = self.v.len();
        let mut end = ConeImpactEnd {
            is_solved,
            impulse: vec![0.0; n],
            v_post: self.v.to_vec(),
            work: vec![[0.0; 2]; n / 3],
            energy_change: 0.0,
            energy_scale: 0.0,
            modes,
            velocity: Verdict::Unique,
            impulses: Verdict::Unique,
            phases,
        };
        for phase in &end.phases {
            for (i, p) in phase.impulse.iter().enumerate() {
                let part = usize::from(i % 3 > 0);
                end.work[i / 3][part] += 0.5 * p * (end.v_post[i] + phase.v[i]);
                end.impulse[i] += p;
            }
            end.v_post.copy_from_slice(&phase.v);
        }
        self.add_energy(&mut end);
        (end.velocity, end.impulses) = verdicts(&end.phases);
        end
    }

    /// `v⁻·P + ½ PᵀWP` and the largest of its terms.
    fn add_energy(&self, end: &mut ConeImpactEnd) {
        let n = self.v.len();
        for (i, p) in end.impulse.iter().enumerate() {
            let gained = 0.5 * dot(&self.w[i * n..(i + 1) * n], &end.impulse);
            end.energy_change += p * (self.v[i] + gained);
            let term = (p * self.v[i]).abs().max((p * gained).abs());
            end.energy_scale = end.energy_scale.max(term);
        }
    }
}

/// Of the whole impact. An expansion is asked of one compression only: where that is not proved to be the
/// only one, what is unique in the expansion is not in the impact.
fn verdicts(phases: &[ImpactPhase]) -> (Verdict, Verdict) {
    match phases {
        [] => (Verdict::Unique, Verdict::Unique),
        [one] => (one.uniqueness.velocity, one.uniqueness.impulse),
        [first, rest @ ..] => {
            let is_one = first.uniqueness.impulse == Verdict::Unique;
            let (velocity, impulse) = verdicts(rest);
            let weaken = |verdict| match verdict {
                Verdict::Unique if !is_one => Verdict::Undecided,
                other => other,
            };
            (weaken(velocity), weaken(impulse))
        }
    }
}
