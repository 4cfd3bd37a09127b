//! Impacts of several contacts in space, by laws on total impulses.
//!
//! Every answer that is found is an end: the first, and those of other velocities.

use carom_numeric::dot;

use super::phase::ImpactPhase;
use super::problem::{ConeInputError, check_range};
use super::residual::ConeMode;
use super::solver::ConeSolver;
use super::uniqueness::Verdict;
use crate::contact_space::Friction;

/// Contacts that collide or touch at one instant, in contact space; rows (n, t1, t2).
#[derive(Debug, Clone, Copy)]
pub struct ConeImpact<'a> {
    /// Inverse inertia W by rows (1/kg).
    pub w: &'a [f64],
    /// Velocities before (m/s). Contacts that touch without approaching take part.
    pub v: &'a [f64],
    /// Friction of each contact.
    pub friction: &'a [Friction],
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
    /// Work at each contact, along n, t1 and t2 (J).
    pub work: Vec<[f64; 3]>,
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
    /// Ends with other velocities that were found; there may be more.
    pub others: Vec<ConeImpactEnd>,
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
    impact.by_ratio(solver, Coefficients::Kinetic)
}

/// Newton's ratio with friction on total impulses: Moreau's law, but a contact that sticks is held by its
/// static coefficient. Sticking is tried first; a contact that slips then does so by its kinetic one.
pub fn newton(
    solver: &mut ConeSolver,
    impact: &ConeImpact<'_>,
) -> Result<ConeImpactEnd, ConeInputError> {
    impact.by_ratio(solver, Coefficients::Both)
}

/// Poisson's law in two phases: a compression without restitution, and an expansion whose normal
/// impulses return at least their part of it.
///
/// ```text
/// v_c = v⁻ + W P_c,    K ∋ P_c ⟂ v_c + μ|v_tc| n ∈ K*
/// v⁺ = v_c + W P_e,    0 <= P_ne − e P_nc ⟂ v_n⁺ >= 0,   P_te ∈ −μ P_ne ∂|v_t⁺|
/// ```
///
/// A contact that sticks is held by its static coefficient, as by [`newton`]. Of every compression found each
/// expansion found is an end.
pub fn poisson(
    solver: &mut ConeSolver,
    impact: &ConeImpact<'_>,
) -> Result<ConeImpactEnd, ConeInputError> {
    impact.check()?;
    let which = Coefficients::Both;
    let floors = vec![0.0; impact.friction.len()];
    let mut ends = Vec::new();
    for compression in impact.phases(solver, impact.v, &floors, which)? {
        let returned = |(i, e): (usize, &f64)| (e * compression.impulse[3 * i]).max(0.0);
        let pairs = impact.restitution.iter().enumerate();
        let floors: Vec<f64> = pairs.map(returned).collect();
        if !compression.is_solved || floors.iter().all(|floor| *floor == 0.0) {
            ends.push(impact.finish(vec![compression]));
            continue;
        }
        let expansions = impact.phases(solver, &compression.v, &floors, which)?;
        let both = expansions
            .into_iter()
            .map(|next| vec![compression.clone(), next]);
        ends.extend(both.map(|phases| impact.finish(phases)));
    }
    Ok(impact.gather(ends, which))
}

/// Which coefficients of friction a law knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coefficients {
    /// The kinetic one holds a stuck contact too.
    Kinetic,
    /// The static one holds, the kinetic one slips.
    Both,
}

impl ConeImpact<'_> {
    /// Newton's ratio at approaching contacts.
    fn by_ratio(
        &self,
        solver: &mut ConeSolver,
        which: Coefficients,
    ) -> Result<ConeImpactEnd, ConeInputError> {
        self.check()?;
        let back = |i: usize| match i % 3 {
            0 => self.restitution[i / 3] * self.v[i].min(0.0),
            _ => 0.0,
        };
        let q: Vec<f64> = (0..self.v.len()).map(|i| self.v[i] + back(i)).collect();
        let floors = vec![0.0; self.friction.len()];
        let found = self.phases(solver, &q, &floors, which)?;
        let ends = found.into_iter().map(|mut phase| {
            phase.v = (0..q.len()).map(|i| phase.v[i] - back(i)).collect();
            self.finish(vec![phase])
        });
        Ok(self.gather(ends.collect(), which))
    }

    fn check(&self) -> Result<(), ConeInputError> {
        let (contacts, q) = (self.friction.len(), self.v.len());
        if q != 3 * contacts || self.restitution.len() != contacts || self.w.len() != q * q {
            let w = self.w.len();
            return Err(ConeInputError::Shape {
                contacts,
                pivots: 0,
                w,
                q,
            });
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

    /// Sums the phases: impulses, works `P·(v before + v after)/2`, energy, verdicts.
    fn finish(&self, phases: Vec<ImpactPhase>) -> ConeImpactEnd {
        let n = self.v.len();
        let mut end = ConeImpactEnd {
            is_solved: phases.iter().all(|phase| phase.is_solved),
            impulse: vec![0.0; n],
            v_post: self.v.to_vec(),
            work: vec![[0.0; 3]; n / 3],
            energy_change: 0.0,
            energy_scale: 0.0,
            modes: phases.last().map_or(Vec::new(), |last| last.modes.clone()),
            velocity: Verdict::Unique,
            impulses: Verdict::Unique,
            others: Vec::new(),
            phases,
        };
        for phase in &end.phases {
            for (i, p) in phase.impulse.iter().enumerate() {
                end.work[i / 3][i % 3] += 0.5 * p * (end.v_post[i] + phase.v[i]);
                end.impulse[i] += p;
            }
            end.v_post.copy_from_slice(&phase.v);
        }
        self.add_energy(&mut end);
        (end.velocity, end.impulses) = verdicts(&end.phases);
        end
    }

    /// The first end with the others of other velocities, and what they tell of uniqueness.
    fn gather(&self, mut ends: Vec<ConeImpactEnd>, which: Coefficients) -> ConeImpactEnd {
        let mut first = ends.remove(0);
        let knows_two = which == Coefficients::Both;
        if knows_two && self.friction.iter().any(|f| f.mu_s() > f.mu_d()) {
            // The bounds are those of one coefficient.
            first.velocity = first.velocity.weakened();
            first.impulses = first.impulses.weakened();
        }
        for other in ends.into_iter().filter(|end| end.is_solved) {
            first.impulses = Verdict::Several;
            let known = std::iter::once(&first).chain(&first.others);
            if known
                .into_iter()
                .all(|end| is_apart(&end.v_post, &other.v_post))
            {
                first.velocity = Verdict::Several;
                first.others.push(other);
            }
        }
        first
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
            match is_one {
                true => (velocity, impulse),
                false => (velocity.weakened(), impulse.weakened()),
            }
        }
    }
}

/// Velocities that differ by more than this part of the largest are two: far above the residual of an answer.
const ANOTHER: f64 = 1e-6;

fn is_apart(a: &[f64], b: &[f64]) -> bool {
    let most = a.iter().chain(b).fold(0.0f64, |most, x| most.max(x.abs()));
    let mut pairs = a.iter().zip(b);
    pairs.any(|(a, b)| (a - b).abs() > ANOTHER * most)
}
