//! Several contacts with friction in the plane that close together: every consistent outcome.
//!
//! ```text
//! in each phase   0 <= s ⟂ u_n + g >= 0,   p_n = floor + s
//!                 stick u_t = 0, |p_t| <= μ_s p_n   or   slip p_t = −μ_d sign(u_t) p_n
//! Newton, Moreau  one phase: floor 0, g = e v_n⁻ at approaching contacts
//! Poisson         compression: floor 0, g = 0; expansion: floor e P_c, g = 0
//! ```
//!
//! Coulomb's law is asked of the impulses of a phase. There is no theorem of uniqueness: modes
//! (open, stick, slip either way) are enumerated and every consistent one is an outcome, up to
//! [`PATTERN_LIMIT`] combinations; beyond, Lemke's method finds one. A contact that acts alone
//! follows Routh's path in closed form. Copies of a contact act as one.

mod alone;
mod copies;
mod gather;
mod lemke;
mod open_ways;
mod pattern;
mod phase;
mod scene;
mod shares;
mod system;
#[cfg(test)]
mod tests;
mod totals;

use self::copies::Copies;
use self::gather::Gathered;
use self::lemke::RoughLemke;
use self::pattern::enumerate;
use self::phase::{Found, Origin, Phase};
use self::scene::Scene;
use super::super::{ImpactInputError, Law, Outcome};
pub use super::ending::{ContactEnd, Ending, OutcomeSet, Way};
use super::{Simultaneous, closing};
use crate::contact_space::{ContactSpace, Friction, PlanarVector};

/// Combinations of modes up to which all outcomes are found: four contacts with friction.
pub const PATTERN_LIMIT: usize = 256;

/// Combinations of modes that are tried where Lemke's method finds nothing: six contacts.
const LAST_RESORT_LIMIT: usize = 46_656;

/// Contacts in the plane that close together: one entry per contact in each list.
#[derive(Debug, Clone, Copy)]
pub struct RoughClosing<'a> {
    /// Normal row of each contact in the [`ContactSpace`].
    pub normals: &'a [usize],
    /// Tangent row of each contact, if it has one; without it friction does not act.
    pub tangents: &'a [Option<usize>],
    /// Velocity of each contact (m/s), drift of prescribed motions included; tangent part zero
    /// without a tangent. The velocities of the space are not read.
    pub v: &'a [PlanarVector],
    /// Friction of each contact.
    pub friction: &'a [Friction],
    /// Coefficient of restitution of each contact.
    pub restitution: &'a [f64],
}

/// Finds the outcomes of contacts with friction in the plane, by Newton's, Moreau's or Poisson's law.
///
/// Newton and Moreau ask Coulomb's law of the total impulses; Moreau knows the kinetic coefficient
/// only. `energetic` and `whittaker` are refused, with the reason.
///
/// # Panics
///
/// When there is no such row, or the lists differ in length.
pub fn solve(
    space: &ContactSpace,
    closing: &RoughClosing<'_>,
    law: Law,
) -> Result<OutcomeSet, ImpactInputError> {
    closing::is_poisson(law)?;
    closing.check(space)?;
    if closing.v.iter().all(|v| v.n >= 0.0) {
        return Ok(OutcomeSet::of(
            vec![Ending::nothing(closing.v.iter().map(|v| (*v).into()))],
            true,
        ));
    }
    let copies = Copies::of(space, closing);
    if copies.is_empty() {
        return solve_distinct(space, closing, law);
    }
    let set = solve_distinct(space, &copies.distinct(closing).closing(), law)?;
    Ok(copies.spread(set))
}

/// The outcomes of contacts none of which is a copy of another.
fn solve_distinct(
    space: &ContactSpace,
    closing: &RoughClosing<'_>,
    law: Law,
) -> Result<OutcomeSet, ImpactInputError> {
    let is_poisson = closing::is_poisson(law)?;
    let scene = Scene::of(space, closing, law == Law::Moreau);
    let is_complete = scene.patterns() <= PATTERN_LIMIT;
    let search = Search {
        scene: &scene,
        law,
        is_complete,
    };
    let mut gathered = Gathered::new(space, &scene, closing, is_complete);
    gathered.lead(alone::alone(space, closing, law)?);
    match is_poisson {
        true => search.poisson(closing, &mut gathered)?,
        false => search.newton(&mut gathered)?,
    }
    let endings = gathered.endings(law)?;
    if !endings.is_empty() {
        return Ok(OutcomeSet {
            depends_on_share: gathered.depends_on_share,
            ..OutcomeSet::of(endings, is_complete)
        });
    }
    let zeros = vec![0.0; scene.k];
    let is_stopped = !is_poisson && !search.phase(&scene.v, &zeros, &zeros)?.is_empty();
    Ok(match is_stopped {
        true => OutcomeSet::without(Outcome::Infeasible, is_complete),
        false => OutcomeSet::without(Outcome::Jammed, is_complete),
    })
}

/// How the phases of a scene are searched.
struct Search<'a> {
    scene: &'a Scene,
    law: Law,
    is_complete: bool,
}

impl Search<'_> {
    /// The consistent ends of one phase.
    fn phase(
        &self,
        u: &[f64],
        floor: &[f64],
        target: &[f64],
    ) -> Result<Vec<Found>, ImpactInputError> {
        let phase = Phase {
            scene: self.scene,
            u,
            floor,
            target,
        };
        if self.is_complete {
            return Ok(enumerate(&phase));
        }
        let found = RoughLemke::default().solve(&phase, self.law);
        let holds = |end: &Found| {
            let is_met = end.miss <= Simultaneous::COMPLEMENTARITY_TOLERANCE;
            is_met && !self.scene.is_boundless(&end.p)
        };
        let is_found = found.as_ref().is_ok_and(|ends| ends.iter().any(holds));
        if is_found || phase.patterns() > LAST_RESORT_LIMIT {
            return found;
        }
        match (enumerate(&phase), found) {
            (all, Ok(ends)) if all.is_empty() => Ok(ends),
            (all, _) => Ok(all),
        }
    }

    fn newton(&self, gathered: &mut Gathered<'_>) -> Result<(), ImpactInputError> {
        let scene = self.scene;
        let target = gathered.target.clone();
        let floor = vec![0.0; scene.k];
        for found in self.phase(&scene.v, &floor, &target)? {
            gathered.add(&[found], Origin::Least);
        }
        Ok(())
    }

    fn poisson(
        &self,
        closing: &RoughClosing<'_>,
        gathered: &mut Gathered<'_>,
    ) -> Result<(), ImpactInputError> {
        let scene = self.scene;
        let zeros = vec![0.0; scene.k];
        let compressions = self.phase(&scene.v, &zeros, &zeros)?;
        for compression in &compressions {
            self.expand(closing, compression.clone(), Origin::Least, gathered)?;
        }
        for compression in &compressions {
            for share in &compression.ends {
                let other = Found {
                    p: share.p.clone(),
                    ..compression.clone()
                };
                self.expand(closing, other, share.origin, gathered)?;
            }
        }
        Ok(())
    }

    /// The expansions of one share of a compression.
    fn expand(
        &self,
        closing: &RoughClosing<'_>,
        compression: Found,
        origin: Origin,
        gathered: &mut Gathered<'_>,
    ) -> Result<(), ImpactInputError> {
        let k = self.scene.k;
        let floor = (0..k).map(|i| closing.restitution[i] * compression.p[i]);
        let floor: Vec<f64> = floor.collect();
        for expansion in self.phase(&compression.u, &floor, &vec![0.0; k])? {
            gathered.add(&[compression.clone(), expansion], origin);
        }
        Ok(())
    }
}
