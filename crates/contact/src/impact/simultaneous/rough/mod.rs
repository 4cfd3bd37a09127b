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

pub(super) use self::alone::single;
use self::copies::Copies;
use self::gather::Gathered;
pub(super) use self::gather::slip_type;
use self::lemke::RoughLemke;
use self::pattern::enumerate;
use self::phase::{Found, Origin, Phase};
use self::scene::Scene;
use super::super::{ContactType, ImpactInputError, Law, Mode, Outcome};
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

/// Every outcome of a simultaneous impact.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeSet {
    /// `Solved` when all endings have one velocity, `Undetermined` when they differ, else what the
    /// only ending says.
    pub outcome: Outcome,
    /// The endings, by velocity; where they depend on how a compression is shared, those of the share
    /// of least norm first.
    pub endings: Vec<Ending>,
    /// Whether no other combination of modes, or order, is left to try.
    pub is_complete: bool,
    /// Poisson's velocities depend on how the compression is shared: the endings are those of the
    /// share of least norm and of the ends of the set of shares.
    pub depends_on_share: bool,
}

/// One way a simultaneous impact ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// `Solved`, `NoImpact`, `Jammed` or `Infeasible`; the last two have no contacts.
    pub outcome: Outcome,
    /// One per contact.
    pub contacts: Vec<ContactEnd>,
    /// Change of kinetic energy (J).
    pub energy_change: f64,
    /// Largest term of the works (J).
    pub energy_scale: f64,
    /// `energy_change` is positive beyond round-off.
    pub energy_gain: bool,
    /// Whether each impulse is the same in all endings of this velocity.
    pub impulses_unique: Vec<bool>,
    /// Directions along which the impulses may change without a change of velocity.
    pub shares: Vec<Vec<PlanarVector>>,
    /// How far the conditions are missed, relative.
    pub complementarity: f64,
    /// Whether impulses that are not unique have least norm (in each phase, for Poisson).
    pub is_least_norm: bool,
    /// It comes from an end of the set of shares of a compression, not from that of least norm.
    pub is_share_end: bool,
    /// A contact that collides by itself sticks by its static coefficient alone: it could slip back, and
    /// the velocities are not unique.
    pub could_reverse: bool,
    /// How it comes about.
    pub way: Way,
}

/// How an ending comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// Nothing approaches.
    Nothing,
    /// By the modes of the contacts in the last phase; `None` is open or without friction.
    Modes(Vec<Option<Mode>>),
    /// One contact acts, or several that act as one, along Routh's path.
    Alone(Vec<usize>),
    /// One contact after another.
    Order {
        /// The order, first contact first.
        order: Vec<usize>,
        /// Collisions until none approached.
        collisions: usize,
        /// How many of the orders tried end with this velocity.
        orders: usize,
    },
}

/// What one contact did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEnd {
    /// Impulse on A (N·s).
    pub impulse: PlanarVector,
    /// Velocity after (m/s).
    pub v_post: PlanarVector,
    /// Works (J).
    pub work: PlanarVector,
    /// What its slip did.
    pub contact_type: ContactType,
}

impl Ending {
    /// A gain of energy below this fraction of the works is round-off.
    pub const ENERGY_TOLERANCE: f64 = 1e-12;

    /// An ending without impulses.
    pub(super) fn without(outcome: Outcome, way: Way) -> Self {
        Self {
            outcome,
            contacts: Vec::new(),
            energy_change: 0.0,
            energy_scale: 0.0,
            energy_gain: false,
            impulses_unique: Vec::new(),
            shares: Vec::new(),
            complementarity: 0.0,
            is_least_norm: false,
            is_share_end: false,
            could_reverse: false,
            way,
        }
    }

    /// Nothing approaches: no impulse.
    pub(super) fn nothing(closing: &RoughClosing<'_>) -> Self {
        let still = |v: &PlanarVector| ContactEnd {
            impulse: PlanarVector::default(),
            v_post: *v,
            work: PlanarVector::default(),
            contact_type: ContactType::NoImpact,
        };
        Self {
            contacts: closing.v.iter().map(still).collect(),
            impulses_unique: vec![true; closing.v.len()],
            ..Self::without(Outcome::NoImpact, Way::Nothing)
        }
    }

    /// Whether there are impulses and velocities after.
    pub fn has_end(&self) -> bool {
        !matches!(self.outcome, Outcome::Jammed | Outcome::Infeasible)
    }
}

impl OutcomeSet {
    pub(super) fn of(endings: Vec<Ending>, is_complete: bool) -> Self {
        let outcome = match &endings[..] {
            [one] => one.outcome,
            _ => Outcome::Undetermined,
        };
        Self {
            outcome,
            endings,
            is_complete,
            depends_on_share: false,
        }
    }

    fn without(outcome: Outcome, is_complete: bool) -> Self {
        let ending = Ending::without(outcome, Way::Nothing);
        Self::of(vec![ending], is_complete)
    }
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
        return Ok(OutcomeSet::of(vec![Ending::nothing(closing)], true));
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
