//! Ends found, gathered by velocity and brought back to their units.

use carom_numeric::orthogonal::length;

use super::super::ending::{Choice, slip_type};
use super::alone::Alone;
use super::open_ways::OpenWays;
use super::phase::{Found, Origin, SUM_NOISE};
use super::scene::Scene;
use super::system::{SAME_VELOCITY, TOLERANCE};
use super::{ContactEnd, Ending, RoughClosing, Way};
use crate::contact_space::{ContactSpace, PlanarVector, SpatialVector};
use crate::impact::PointImpactError;
use crate::impact::{ContactType, ImpactInputError, Law, Outcome};

/// Endings of shares of least norm first, then by velocity.
type Order = (bool, Vec<i64>);

/// The ends of a scene with one velocity each.
pub(super) struct Gathered<'a> {
    pub(super) space: &'a ContactSpace,
    pub(super) scene: &'a Scene,
    pub(super) closing: &'a RoughClosing<'a>,
    alone: Option<Led>,
    /// What Newton's law asks beside the velocities, `e v_n⁻` at approaching contacts (scaled).
    pub(super) target: Vec<f64>,
    /// Some velocity was found only from an end of the shares of a compression.
    pub(super) depends_on_share: bool,
    /// Whether every outcome is sought.
    is_complete: bool,
    pub(super) groups: Vec<Group>,
}

/// The end of the contact that acts alone, and other impulses with its velocity.
struct Led {
    alone: Alone,
    p: Vec<f64>,
    jump: Vec<f64>,
    shares: Vec<Vec<f64>>,
}

/// Ends with one velocity: the one of least norm, and what differs.
pub(super) struct Group {
    phases: Vec<Found>,
    pub(super) p: Vec<f64>,
    pub(super) jump: Vec<f64>,
    unique: Vec<bool>,
    shares: Vec<Vec<f64>>,
    is_share_end: bool,
}

impl Group {
    fn is_apart(&self) -> bool {
        self.phases.iter().all(|found| found.is_apart)
    }
}

impl<'a> Gathered<'a> {
    pub(super) fn new(
        space: &'a ContactSpace,
        scene: &'a Scene,
        closing: &'a RoughClosing<'a>,
        is_complete: bool,
    ) -> Self {
        let approach = |i: usize| closing.restitution[i] * scene.v[i].min(0.0);
        Self {
            target: (0..scene.k).map(approach).collect(),
            space,
            scene,
            closing,
            alone: None,
            depends_on_share: false,
            is_complete,
            groups: Vec::new(),
        }
    }

    /// Takes the contact that acts alone: its end along Routh's path stands for every end in which no
    /// other pushes.
    pub(super) fn lead(&mut self, alone: Option<Alone>) {
        self.alone = alone.map(|alone| {
            let impulse = alone.solution.end.map(|end| end.impulse);
            let impulse = impulse.unwrap_or_default();
            let (rows, i) = (&self.scene.rows, alone.contact);
            let mut p = vec![0.0; self.scene.v.len()];
            p[i] = impulse.n * rows.size(i);
            let mut shares = Vec::new();
            if let Some(t) = self.scene.tangent[i] {
                p[t] = impulse.t * rows.size(t);
                if alone.solution.findings.tangent_impulse_undetermined {
                    let mut share = vec![0.0; p.len()];
                    share[t] = 1.0;
                    shares.push(share);
                }
            }
            let mut jump = Vec::new();
            rows.sum(&p, &mut jump);
            Led {
                alone,
                p,
                jump,
                shares,
            }
        });
    }

    /// Takes an end, given by its phases, from a share of the compression; those of least norm come
    /// first.
    pub(super) fn add(&mut self, phases: &[Found], origin: Origin) {
        let rows = self.scene.v.len();
        let total = |r: usize| phases.iter().map(|found| found.p[r]).sum::<f64>();
        let p: Vec<f64> = (0..rows).map(total).collect();
        let mut jump = Vec::new();
        self.scene.rows.sum(&p, &mut jump);
        let open = self.open_ways(phases);
        if self.is_of_alone(&p, &jump, &open.shares) {
            return;
        }
        let group = Group {
            phases: phases.to_vec(),
            p,
            jump,
            unique: open.unique,
            shares: open.shares,
            is_share_end: origin != Origin::Least,
        };
        let slack = self.slack(&group.p, &group.jump);
        let known = self.groups.iter().position(|known| {
            let apart = known.jump.iter().zip(&group.jump).map(|(a, b)| a - b);
            length(&apart.collect::<Vec<_>>()) <= slack
        });
        match known {
            Some(i) => self.merge(i, group, origin),
            None => {
                self.depends_on_share |= origin != Origin::Least;
                if origin != Origin::Inside {
                    self.groups.push(group);
                }
            }
        }
    }

    /// What the impulses leave open. Where not all outcomes are sought nothing is known to be unique, and
    /// the shares of the phases are enough.
    fn open_ways(&self, phases: &[Found]) -> OpenWays {
        if self.is_complete {
            let (e, target) = (self.closing.restitution, &self.target);
            return OpenWays::of(self.scene, e, target, phases);
        }
        let nothing = vec![0.0; self.scene.v.len()];
        let shares = phases.iter().flat_map(|found| &found.shares);
        let shares: Vec<Vec<f64>> = shares.map(|share| apart(share, &nothing)).collect();
        let mut unique = vec![true; self.scene.k];
        for share in &shares {
            self.mark(&mut unique, share);
        }
        OpenWays { unique, shares }
    }

    /// Velocities closer than this are one: they are sums of large terms where contacts press against
    /// each other.
    fn slack(&self, p: &[f64], jump: &[f64]) -> f64 {
        let pressed: f64 = p.iter().map(|x| x.abs()).sum();
        SAME_VELOCITY * (self.scene.speed + length(jump)) + SUM_NOISE * pressed
    }

    /// Whether an end is that of the contact solved alone, by its velocity or because no other pushes;
    /// what differs is kept.
    fn is_of_alone(&mut self, p: &[f64], jump: &[f64], shares: &[Vec<f64>]) -> bool {
        let slack = self.slack(p, jump);
        let Some(led) = &mut self.alone else {
            return false;
        };
        let most = p.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let own = led.alone.contact;
        let is_only = (0..self.scene.k).all(|i| i == own || p[i] <= TOLERANCE * most);
        let off: Vec<f64> = jump.iter().zip(&led.jump).map(|(a, b)| a - b).collect();
        let is_same = length(&off) <= slack;
        if is_same {
            let apart = apart(p, &led.p);
            if length(&apart) > 0.0 {
                led.shares.push(apart);
            }
        }
        if is_same || is_only {
            led.shares.extend_from_slice(shares);
        }
        is_same || is_only
    }

    /// Contacts that a difference of impulses touches are not unique.
    fn mark(&self, unique: &mut [bool], difference: &[f64]) {
        for (i, is_unique) in unique.iter_mut().enumerate() {
            let side = self.scene.tangent[i].map_or(0.0, |t| difference[t]);
            *is_unique &= difference[i] == 0.0 && side == 0.0;
        }
    }

    /// Two ends of one velocity: the smaller represents them.
    fn merge(&mut self, i: usize, mut other: Group, origin: Origin) {
        let mut known = self.groups.swap_remove(i);
        let apart = apart(&known.p, &other.p);
        if length(&apart) > 0.0 {
            self.mark(&mut known.unique, &apart);
            known.shares.push(apart);
        }
        for (a, b) in known.unique.iter_mut().zip(&other.unique) {
            *a &= b;
        }
        known.shares.append(&mut other.shares);
        let is_less = self.scene.size(&other.p) < self.scene.size(&known.p) * (1.0 - TOLERANCE);
        let is_better = match (other.is_apart(), known.is_apart()) {
            (true, false) => true,
            (false, true) => false,
            _ => is_less,
        };
        if origin == Origin::Least && is_better {
            (known.phases, known.p, known.jump) = (other.phases, other.p, other.jump);
        }
        self.groups.push(known);
    }

    /// The endings, ordered by the velocity they lead to.
    pub(super) fn endings(&self, law: Law) -> Result<Vec<Ending>, ImpactInputError> {
        let mut all = self.true_endings(law, SUM_NOISE)?;
        if all.is_empty() && self.alone.is_none() {
            // An approach far below the other velocities, at rows that nearly depend on each other.
            all = self.true_endings(law, SAME_VELOCITY)?;
        }
        if all.is_empty() && self.alone.is_none() && !self.is_out_of_reach(law) {
            return Err(ImpactInputError::Unfinished { law, pivots: 0 });
        }
        if let Some(led) = &self.alone {
            all.push(((false, self.key(&led.jump)), self.alone_ending(led)));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(all.into_iter().map(|(_, ending)| ending).collect())
    }

    /// The endings that hold by their totals, with what orders them.
    fn true_endings(&self, law: Law, room: f64) -> Result<Vec<(Order, Ending)>, ImpactInputError> {
        let mut all = Vec::new();
        for group in &self.groups {
            let ending = self.ending(group, law)?;
            if self.is_true(group, &ending, room) {
                all.push(((group.is_share_end, self.key(&group.jump)), ending));
            }
        }
        Ok(all)
    }

    /// A velocity rounded, to order by.
    fn key(&self, jump: &[f64]) -> Vec<i64> {
        let unit = SAME_VELOCITY * 10.0 * (self.scene.speed + length(jump));
        jump.iter().map(|x| (x / unit).round() as i64).collect()
    }

    fn ending(&self, group: &Group, law: Law) -> Result<Ending, ImpactInputError> {
        let impulses: Vec<PlanarVector> =
            (0..self.scene.k).map(|i| self.plain(&group.p, i)).collect();
        let mut contacts = Vec::new();
        let mut energy_scale = 0.0f64;
        for i in 0..self.scene.k {
            let (work, scale) = self.work(&group.phases, i);
            energy_scale = energy_scale.max(scale);
            contacts.push(ContactEnd {
                impulse: impulses[i].into(),
                v_post: self.after(&group.phases, &impulses, i).into(),
                work: work.into(),
                contact_type: self.kind(&group.phases, &impulses, i),
            });
        }
        let energy_change: f64 = contacts.iter().map(|c| c.work.n + c.work.t[0]).sum();
        let ends = contacts.iter().flat_map(|c| [c.impulse, c.v_post]);
        let sum: f64 = ends.map(|x| x.n.abs() + x.t[0].abs()).sum();
        if !(sum + energy_scale + energy_change).is_finite() {
            let source = PointImpactError::Overflow;
            return Err(ImpactInputError::Impact { contact: 0, source });
        }
        let miss = group.phases.iter().fold(0.0f64, |most, f| most.max(f.miss));
        if miss > super::super::Simultaneous::COMPLEMENTARITY_TOLERANCE {
            return Err(ImpactInputError::Unfinished { law, pivots: 0 });
        }
        let last = group.phases.last();
        let modes = last.map_or(Vec::new(), |f| {
            f.behaviours.iter().map(|b| b.mode).collect()
        });
        Ok(Ending {
            outcome: Outcome::Solved,
            contacts,
            energy_change: energy_change + 0.0,
            energy_scale,
            energy_gain: energy_change > Ending::ENERGY_TOLERANCE * energy_scale,
            impulses_unique: group.unique.clone(),
            shares: self.plain_shares(&group.shares),
            complementarity: miss,
            choice: match group.is_share_end {
                true => Choice::OneOfThem,
                false => Choice::LeastNorm,
            },
            is_share_end: group.is_share_end,
            could_reverse: false,
            gripped: Vec::new(),
            way: Way::Modes(modes),
        })
    }

    /// Scaled numbers of all rows as the impulse of contact `i` (N·s).
    fn plain(&self, p: &[f64], i: usize) -> PlanarVector {
        let rows = &self.scene.rows;
        PlanarVector {
            n: p[i] / rows.size(i) + 0.0,
            t: self.scene.tangent[i].map_or(0.0, |t| p[t] / rows.size(t)) + 0.0,
        }
    }

    fn plain_shares(&self, shares: &[Vec<f64>]) -> Vec<Vec<SpatialVector>> {
        let plain = |p: &Vec<f64>| (0..self.scene.k).map(|i| self.plain(p, i).into()).collect();
        shares.iter().map(plain).collect()
    }

    /// Works of contact `i` and the largest of their terms: impulses grow in proportion in a phase.
    fn work(&self, phases: &[Found], i: usize) -> (PlanarVector, f64) {
        let mut scale = 0.0f64;
        let mut along = |row: usize| {
            let (mut start, mut work) = (self.scene.v[row], 0.0);
            for found in phases {
                let halves = [found.p[row] * start, found.p[row] * found.u[row]];
                scale = halves.iter().fold(scale, |a, b| a.max(b.abs()));
                work += 0.5 * (halves[0] + halves[1]);
                start = found.u[row];
            }
            work + 0.0
        };
        let work = PlanarVector {
            n: along(i),
            t: self.scene.tangent[i].map_or(0.0, along),
        };
        (work, scale)
    }

    /// Velocity of contact `i` after.
    fn after(&self, phases: &[Found], impulses: &[PlanarVector], i: usize) -> PlanarVector {
        let rows = &self.scene.rows;
        let at = |row: usize| phases.last().map_or(0.0, |f| f.u[row]) * rows.size(row) + 0.0;
        let t = match (self.scene.tangent[i], self.closing.tangents[i]) {
            (Some(t), _) => at(t),
            (None, Some(row)) => self.slip(row, self.closing.v[i].t, impulses),
            (None, None) => 0.0,
        };
        PlanarVector { n: at(i), t }
    }

    /// Velocity of a row after impulses, `v` before.
    fn slip(&self, row: usize, v: f64, impulses: &[PlanarVector]) -> f64 {
        let gained = impulses.iter().enumerate().map(|(j, p)| {
            let per_t = self.closing.tangents[j].map_or(0.0, |t| self.space.w(row, t));
            self.space.w(row, self.closing.normals[j]) * p.n + per_t * p.t
        });
        v + gained.sum::<f64>()
    }

    /// What the slip of contact `i` did, from its ends in each phase.
    fn kind(&self, phases: &[Found], impulses: &[PlanarVector], i: usize) -> ContactType {
        let v = self.closing.v[i];
        if impulses[i].n == 0.0 {
            return ContactType::NoImpact;
        }
        if self.closing.tangents[i].is_none() {
            return ContactType::Frictionless;
        }
        let v_t_post = self.after(phases, impulses, i).t;
        let first = phases.first().filter(|_| phases.len() > 1);
        let v_t_comp = match (first, self.scene.tangent[i]) {
            (Some(found), Some(t)) => found.u[t],
            _ => v_t_post,
        };
        slip_type([v.t, v_t_comp, v_t_post].map(|t| [t, 0.0]))
    }

    fn alone_ending(&self, led: &Led) -> Ending {
        let alone = &led.alone;
        let mut ending = Ending::nothing(self.closing.v.iter().map(|v| (*v).into()));
        let end = alone.solution.end;
        let mut impulses = vec![PlanarVector::default(); self.scene.k];
        if let Some(end) = end {
            impulses[alone.contact] = end.impulse;
            let own = &mut ending.contacts[alone.contact];
            own.impulse = end.impulse.into();
            (own.v_post, own.work) = (end.v_post.into(), end.work.into());
            own.contact_type = match self.closing.tangents[alone.contact] {
                Some(_) => alone.solution.contact_type,
                None => ContactType::Frictionless,
            };
            (ending.energy_change, ending.energy_scale) = (end.energy_change, end.energy_scale);
            ending.energy_gain = alone.solution.findings.energy_gain;
        }
        for j in (0..self.scene.k).filter(|&j| j != alone.contact) {
            let v = self.closing.v[j];
            let t = self.closing.tangents[j];
            ending.contacts[j].v_post = PlanarVector {
                n: self.slip(self.closing.normals[j], v.n, &impulses),
                t: t.map_or(0.0, |row| self.slip(row, v.t, &impulses)),
            }
            .into();
        }
        for share in &led.shares {
            self.mark(&mut ending.impulses_unique, share);
        }
        ending.shares = self.plain_shares(&led.shares);
        (ending.outcome, ending.choice) = (Outcome::Solved, Choice::LeastNorm);
        ending.could_reverse = alone.solution.findings.another_is_consistent();
        ending.way = Way::Alone(vec![alone.contact]);
        ending
    }
}

/// Difference of two lists of scaled impulses; zero where it is round-off beside the largest.
fn apart(a: &[f64], b: &[f64]) -> Vec<f64> {
    let floor = SAME_VELOCITY * length(a).max(length(b));
    let pairs = a.iter().zip(b).map(|(a, b)| a - b);
    pairs
        .map(|x| if x.abs() <= floor { 0.0 } else { x })
        .collect()
}
