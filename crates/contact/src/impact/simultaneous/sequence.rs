//! One contact after another, each by its own law in closed form, until none approaches.
//!
//! The contacts are gone through in a stated order, again and again; each that approaches collides by
//! itself and changes the velocities of the others. The end may depend on the order: without one, all
//! orders of up to [`ORDERED_LIMIT`] contacts are tried and the ends are a set.

use carom_numeric::orthogonal::length;

use super::rough::{ContactEnd, Ending, OutcomeSet, RoughClosing, Way, single, slip_type};
use crate::contact_space::{ContactSpace, PlanarVector};
use crate::impact::problem::check_offered;
use crate::impact::{ContactType, ImpactInputError, Law, Method, Outcome};
use crate::impact::{PointImpactError, planar};

/// Contacts of which every order is tried.
pub const ORDERED_LIMIT: usize = 6;

/// Collisions after which a stated order is given up.
pub const COLLISION_LIMIT: usize = 100_000;

/// Collisions after which one of several orders is given up.
const COLLISION_LIMIT_EACH: usize = 10_000;

/// A contact approaches when its velocity is below minus this fraction of the largest.
const APPROACH_TOLERANCE: f64 = 1e-13;

/// A velocity below this fraction of the terms it is the sum of is zero.
const STEP_NOISE: f64 = 1e-13;

/// A sequence is given up when a velocity reaches this many times the largest at its start.
const GROWTH_LIMIT: f64 = 1e9;

/// Velocities and impulses that differ by less than this fraction are one.
const SAME: f64 = 1e-9;

/// Solves contacts one after another; `laws` and `closing` have one entry per contact.
///
/// `order` lists every contact once. Without it all orders are tried up to [`ORDERED_LIMIT`] contacts,
/// and beyond that the contacts as they are listed. Laws that compare totals of one impact
/// (`moreau`, `whittaker`) are refused.
///
/// # Panics
///
/// When there is no such row, or the lists differ in length.
pub fn solve(
    space: &ContactSpace,
    closing: &RoughClosing<'_>,
    laws: &[Law],
    order: Option<&[usize]>,
) -> Result<OutcomeSet, ImpactInputError> {
    let k = closing.normals.len();
    assert_eq!(laws.len(), k, "one law per contact");
    laws.iter()
        .try_for_each(|law| check_offered(*law, Method::Sequential))?;
    closing.check(space)?;
    if closing.v.iter().all(|v| v.n >= 0.0) {
        return Ok(OutcomeSet::of(vec![Ending::nothing(closing)], true));
    }
    let chain = Chain::new(space, closing, laws);
    let listed: Vec<usize> = (0..k).collect();
    if let Some(order) = order {
        check_order(order, k)?;
        return Ok(OutcomeSet::of(
            vec![chain.run(order, COLLISION_LIMIT)?],
            true,
        ));
    }
    if k > ORDERED_LIMIT {
        let ending = chain.run(&listed, COLLISION_LIMIT)?;
        return Ok(OutcomeSet::of(vec![ending], false));
    }
    let mut endings: Vec<Ending> = Vec::new();
    let mut order = listed;
    loop {
        let ending = chain.run(&order, COLLISION_LIMIT_EACH)?;
        chain.gather(&mut endings, ending);
        if !next_order(&mut order) {
            break;
        }
    }
    endings.sort_by_key(|ending| chain.key(ending));
    Ok(OutcomeSet::of(endings, true))
}

fn check_order(order: &[usize], k: usize) -> Result<(), ImpactInputError> {
    let is_whole = order.len() == k && (0..k).all(|i| order.contains(&i));
    match is_whole {
        true => Ok(()),
        false => Err(ImpactInputError::Order {
            found: order.to_vec(),
            expected: k,
        }),
    }
}

/// The next order in the dictionary; whether there is one.
fn next_order(order: &mut [usize]) -> bool {
    let rises = |i: &usize| order[*i] < order[*i + 1];
    let Some(place) = (0..order.len().saturating_sub(1)).rev().find(rises) else {
        return false;
    };
    let above = (place + 1..order.len()).rev();
    let Some(other) = above.into_iter().find(|&j| order[j] > order[place]) else {
        return false;
    };
    order.swap(place, other);
    order[place + 1..].reverse();
    true
}

/// The contacts of a sequence and how each moves the others.
struct Chain<'a> {
    space: &'a ContactSpace,
    closing: &'a RoughClosing<'a>,
    laws: &'a [Law],
    /// Response of every row to every row; row of the normal of contact i is 2i, of its tangent 2i + 1.
    w: Vec<f64>,
    /// Length of each normal and tangent row.
    size: Vec<f64>,
    side: Vec<f64>,
    /// Velocity below which a scaled approach is round-off.
    floor: f64,
}

/// Where a sequence stands.
struct State {
    v: Vec<PlanarVector>,
    /// Largest terms that each velocity has been the sum of.
    terms: Vec<PlanarVector>,
    /// Some contact stuck by its static coefficient alone.
    could_reverse: bool,
    contacts: Vec<ContactEnd>,
    /// Collisions of each contact.
    struck: Vec<usize>,
    energy_scale: f64,
    collisions: usize,
}

impl<'a> Chain<'a> {
    fn new(space: &'a ContactSpace, closing: &'a RoughClosing<'a>, laws: &'a [Law]) -> Self {
        let pairs = closing.normals.iter().zip(closing.tangents);
        let rows: Vec<Option<usize>> = pairs.flat_map(|(n, t)| [Some(*n), *t]).collect();
        let element = |a: &Option<usize>, b: &Option<usize>| match (a, b) {
            (Some(a), Some(b)) => space.w(*a, *b),
            _ => 0.0,
        };
        let w = rows
            .iter()
            .flat_map(|a| rows.iter().map(move |b| element(a, b)));
        let lengths = rows.iter().map(|row| match row {
            Some(row) if space.w(*row, *row) > 0.0 => space.w(*row, *row).sqrt(),
            _ => 1.0,
        });
        let lengths: Vec<f64> = lengths.collect();
        let speeds = closing.v.iter().enumerate();
        let speeds = speeds.flat_map(|(i, v)| [v.n / lengths[2 * i], v.t / lengths[2 * i + 1]]);
        let speed = speeds.fold(0.0f64, |most, x| most.max(x.abs()));
        Self {
            w: w.collect(),
            size: lengths.iter().step_by(2).copied().collect(),
            side: lengths.iter().skip(1).step_by(2).copied().collect(),
            floor: APPROACH_TOLERANCE * speed,
            space,
            closing,
            laws,
        }
    }

    /// Collides in this order until no contact approaches.
    fn run(&self, order: &[usize], limit: usize) -> Result<Ending, ImpactInputError> {
        let mut state = State {
            v: self.closing.v.to_vec(),
            terms: self.first_terms(),
            could_reverse: false,
            contacts: Ending::nothing(self.closing).contacts,
            struck: vec![0; self.closing.v.len()],
            energy_scale: 0.0,
            collisions: 0,
        };
        loop {
            let before = state.collisions;
            for &i in order {
                if !self.approaches(i, &state) {
                    continue;
                }
                if state.collisions == limit || self.is_beyond(state.v[i], i) {
                    return Ok(Ending::without(
                        Outcome::Infeasible,
                        self.way(order, &state),
                    ));
                }
                if !self.collide(i, &mut state)? {
                    return Ok(Ending::without(Outcome::Jammed, self.way(order, &state)));
                }
            }
            if state.collisions == before {
                return self.ending(order, state);
            }
        }
    }

    /// Whether a contact comes closer by more than round-off, to which each of its collisions adds.
    fn approaches(&self, i: usize, state: &State) -> bool {
        let carried = STEP_NOISE * (state.struck[i] as f64) * state.terms[i].n;
        state.v[i].n < -(self.floor * self.size[i]).max(carried)
    }

    /// Terms of the velocities before.
    fn first_terms(&self) -> Vec<PlanarVector> {
        let closing = self.closing;
        let contacts = closing.v.iter().zip(closing.normals).zip(closing.tangents);
        let terms = contacts.map(|((v, n), t)| PlanarVector {
            n: self.space.terms(*n).max(v.n.abs()),
            t: t.map_or(0.0, |t| self.space.terms(t)).max(v.t.abs()),
        });
        terms.collect()
    }

    /// Whether a velocity has grown out of all proportion: Newton's ratio may gain energy every time.
    fn is_beyond(&self, v: PlanarVector, i: usize) -> bool {
        let most = GROWTH_LIMIT * self.floor / APPROACH_TOLERANCE;
        v.n.abs() > most * self.size[i] || v.t.abs() > most * self.side[i]
    }

    fn way(&self, order: &[usize], state: &State) -> Way {
        Way::Order {
            order: order.to_vec(),
            collisions: state.collisions,
            orders: 1,
        }
    }

    /// One contact by itself; whether it ends.
    fn collide(&self, i: usize, state: &mut State) -> Result<bool, ImpactInputError> {
        let impact = single(self.space, self.closing, i, state.v[i])?;
        let refuse = |source| ImpactInputError::Impact { contact: i, source };
        let solution = planar::solve(&impact, self.laws[i]).map_err(refuse)?;
        let Some(end) = solution.end else {
            return Ok(false);
        };
        let rows = 2 * state.v.len();
        let add = |v: &mut f64, terms: &mut f64, row: usize| {
            let w = &self.w[row * rows + 2 * i..];
            let parts = [w[0] * end.impulse.n, w[1] * end.impulse.t];
            *terms = terms.max(v.abs() + parts[0].abs() + parts[1].abs());
            let sum = *v + (parts[0] + parts[1]);
            *v = if sum.abs() <= STEP_NOISE * *terms {
                0.0
            } else {
                sum
            };
        };
        let pairs = state.v.iter_mut().zip(&mut state.terms).enumerate();
        for (j, (v, terms)) in pairs {
            add(&mut v.n, &mut terms.n, 2 * j);
            add(&mut v.t, &mut terms.t, 2 * j + 1);
        }
        state.could_reverse |= solution.findings.reverse_also_consistent;
        state.v[i].n = end.v_post.n;
        if self.closing.tangents[i].is_some() {
            state.v[i].t = end.v_post.t;
        }
        let own = &mut state.contacts[i];
        own.contact_type = match self.closing.tangents[i] {
            Some(_) => solution.contact_type,
            None => ContactType::Frictionless,
        };
        own.impulse.n += end.impulse.n;
        own.impulse.t += end.impulse.t;
        own.work.n += end.work.n;
        own.work.t += end.work.t;
        state.energy_scale = state.energy_scale.max(end.energy_scale);
        state.collisions += 1;
        state.struck[i] += 1;
        Ok(true)
    }

    fn ending(&self, order: &[usize], state: State) -> Result<Ending, ImpactInputError> {
        let way = self.way(order, &state);
        let mut contacts = state.contacts;
        for (i, contact) in contacts.iter_mut().enumerate() {
            contact.v_post = PlanarVector {
                n: state.v[i].n + 0.0,
                t: state.v[i].t + 0.0,
            };
            // Of several collisions the type says what the slip did from first to last.
            if state.struck[i] > 1 && self.closing.tangents[i].is_some() {
                let v_t = contact.v_post.t;
                contact.contact_type = slip_type([self.closing.v[i].t, v_t, v_t]);
            }
        }
        let energy_change: f64 = contacts.iter().map(|c| c.work.n + c.work.t).sum();
        if !(energy_change + state.energy_scale).is_finite() {
            let source = PointImpactError::Overflow;
            return Err(ImpactInputError::Impact { contact: 0, source });
        }
        let slack = Ending::ENERGY_TOLERANCE * state.energy_scale;
        Ok(Ending {
            outcome: Outcome::Solved,
            impulses_unique: vec![true; contacts.len()],
            contacts,
            energy_change: energy_change + 0.0,
            energy_scale: state.energy_scale,
            energy_gain: energy_change > slack,
            could_reverse: state.could_reverse,
            ..Ending::without(Outcome::Solved, way)
        })
    }

    /// What the impulses of an ending do to the mechanism, whitened.
    fn jump(&self, ending: &Ending) -> Vec<f64> {
        let mut jump = vec![0.0; self.space.coordinates()];
        for (i, contact) in ending.contacts.iter().enumerate() {
            let normal = (Some(self.closing.normals[i]), contact.impulse.n);
            let tangent = (self.closing.tangents[i], contact.impulse.t);
            for (row, p) in [normal, tangent] {
                let Some(row) = row else { continue };
                for (a, b) in jump.iter_mut().zip(self.space.vector(row)) {
                    *a += p * b;
                }
            }
        }
        jump
    }

    /// Adds an ending, or counts it with one that has the same velocity.
    fn gather(&self, endings: &mut Vec<Ending>, ending: Ending) {
        let jump = self.jump(&ending);
        let scale = self.floor / APPROACH_TOLERANCE + length(&jump);
        let known = endings.iter_mut().find(|known| {
            let pairs = self.jump(known).into_iter().zip(&jump);
            let apart: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
            known.outcome == ending.outcome && length(&apart) <= SAME * scale
        });
        let Some(known) = known else {
            endings.push(ending);
            return;
        };
        known.could_reverse |= ending.could_reverse;
        if let Way::Order { orders, .. } = &mut known.way {
            *orders += 1;
        }
        let share = self.apart(known, &ending);
        if share.iter().all(|p| *p == PlanarVector::default()) {
            return;
        }
        for (is_unique, p) in known.impulses_unique.iter_mut().zip(&share) {
            *is_unique &= *p == PlanarVector::default();
        }
        known.shares.push(share);
    }

    /// Difference of the impulses of two endings; zero where it is round-off beside the largest, impulses
    /// counted with the lengths of their rows.
    fn apart(&self, a: &Ending, b: &Ending) -> Vec<PlanarVector> {
        let scaled = |(i, c): (usize, &ContactEnd)| {
            let (n, t) = (c.impulse.n * self.size[i], c.impulse.t * self.side[i]);
            n.abs().max(t.abs())
        };
        let all = a.contacts.iter().enumerate();
        let all = all.chain(b.contacts.iter().enumerate());
        let largest = all.map(scaled).fold(0.0, f64::max);
        let clear = |x: f64, size: f64| match (x * size).abs() <= SAME * largest {
            true => 0.0,
            false => x,
        };
        let pairs = a.contacts.iter().zip(&b.contacts).enumerate();
        let apart = pairs.map(|(i, (a, b))| PlanarVector {
            n: clear(a.impulse.n - b.impulse.n, self.size[i]),
            t: clear(a.impulse.t - b.impulse.t, self.side[i]),
        });
        apart.collect()
    }

    /// A velocity rounded, to order by; endings without one come last.
    fn key(&self, ending: &Ending) -> (bool, Vec<i64>) {
        let jump = self.jump(ending);
        let unit = 10.0 * SAME * (self.floor / APPROACH_TOLERANCE + length(&jump));
        let rounded = jump.iter().map(|x| (x / unit).round() as i64);
        (!ending.has_end(), rounded.collect())
    }
}
