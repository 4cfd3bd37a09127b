//! One contact after another, each by its own law in closed form, until none approaches.
//!
//! The contacts are gone through in a stated order, again and again; each that approaches collides by
//! itself and changes the velocities of the others. The end may depend on the order: without one, all
//! orders of up to [`ORDERED_LIMIT`] contacts are tried and the ends are a set.

use carom_numeric::orthogonal::length;

use super::closing::SpatialClosing;
use super::ending::{ContactEnd, Ending, OutcomeSet, Way, slip_type};
use crate::contact_space::{ContactSpace, SpatialVector};
use crate::impact::PointImpactError;
use crate::impact::gripping::check_law;
use crate::impact::problem::check_offered;
use crate::impact::{ImpactInputError, Law, Method, Outcome};

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
    closing: &SpatialClosing<'_>,
    laws: &[Law],
    order: Option<&[usize]>,
) -> Result<OutcomeSet, ImpactInputError> {
    let k = closing.normals.len();
    assert_eq!(laws.len(), k, "one law per contact");
    laws.iter()
        .try_for_each(|law| check_offered(*law, Method::Sequential))?;
    let mut pairs = laws.iter().zip(closing.tangential_restitution);
    pairs.try_for_each(|(law, beta)| check_law(*law, beta.is_some()))?;
    closing.check(space)?;
    if closing.v.iter().all(|v| v.n >= 0.0) {
        return Ok(OutcomeSet::of(
            vec![Ending::nothing(closing.v.iter().copied())],
            true,
        ));
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
    closing: &'a SpatialClosing<'a>,
    laws: &'a [Law],
    /// Response of every row to every row; those of contact i are 3i, normal, and the two tangents.
    w: Vec<f64>,
    /// Length of each row.
    size: Vec<f64>,
    /// Velocity below which a scaled approach is round-off.
    floor: f64,
}

/// Where a sequence stands.
struct State {
    /// Velocities of all rows.
    v: Vec<f64>,
    /// Largest terms that each velocity has been the sum of.
    terms: Vec<f64>,
    /// Some contact stuck by its static coefficient alone.
    could_reverse: bool,
    contacts: Vec<ContactEnd>,
    /// Collisions of each contact, and those in which it gripped.
    struck: Vec<usize>,
    gripped: Vec<usize>,
    energy_scale: f64,
    collisions: usize,
}

impl<'a> Chain<'a> {
    fn new(space: &'a ContactSpace, closing: &'a SpatialClosing<'a>, laws: &'a [Law]) -> Self {
        let k = closing.normals.len();
        let rows: Vec<Option<usize>> = (0..k).flat_map(|i| closing.rows(i)).collect();
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
        let size: Vec<f64> = lengths.collect();
        let speeds = closing.v.iter().flat_map(listed).zip(&size);
        let speed = speeds.fold(0.0f64, |most, (v, size)| most.max((v / size).abs()));
        Self {
            w: w.collect(),
            size,
            floor: APPROACH_TOLERANCE * speed,
            space,
            closing,
            laws,
        }
    }

    /// Collides in this order until no contact approaches.
    fn run(&self, order: &[usize], limit: usize) -> Result<Ending, ImpactInputError> {
        let mut state = State {
            v: self.closing.v.iter().flat_map(listed).collect(),
            terms: self.first_terms(),
            could_reverse: false,
            contacts: Ending::nothing(self.closing.v.iter().copied()).contacts,
            struck: vec![0; self.closing.v.len()],
            gripped: vec![0; self.closing.v.len()],
            energy_scale: 0.0,
            collisions: 0,
        };
        loop {
            let before = state.collisions;
            for &i in order {
                if !self.approaches(i, &state) {
                    continue;
                }
                if state.collisions == limit || self.is_beyond(&state.v, i) {
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
        let carried = STEP_NOISE * (state.struck[i] as f64) * state.terms[3 * i];
        state.v[3 * i] < -(self.floor * self.size[3 * i]).max(carried)
    }

    /// Terms of the velocities before.
    fn first_terms(&self) -> Vec<f64> {
        let rows = (0..self.closing.v.len()).flat_map(|i| self.closing.rows(i));
        let pairs = rows.zip(self.closing.v.iter().flat_map(listed));
        let terms = pairs.map(|(row, v)| row.map_or(0.0, |r| self.space.terms(r)).max(v.abs()));
        terms.collect()
    }

    /// Whether a velocity of contact `i` has grown out of all proportion: Newton's ratio may gain energy every
    /// time.
    fn is_beyond(&self, v: &[f64], i: usize) -> bool {
        let most = GROWTH_LIMIT * self.floor / APPROACH_TOLERANCE;
        (3 * i..3 * i + 3).any(|row| v[row].abs() > most * self.size[row])
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
        let one = self.closing.one(self.space, i);
        let own = 3 * i..3 * i + 3;
        let before = vector(&state.v[own.clone()]);
        let Some(end) = one.solve(before, self.laws[i])? else {
            return Ok(false);
        };
        let (rows, impulse) = (state.v.len(), listed(&end.impulse));
        let pairs = state.v.iter_mut().zip(&mut state.terms).enumerate();
        for (row, (v, terms)) in pairs {
            let w = &self.w[row * rows..][own.clone()];
            let parts: [f64; 3] = std::array::from_fn(|k| w[k] * impulse[k]);
            let sizes = parts[0].abs() + parts[1].abs() + parts[2].abs();
            *terms = terms.max(v.abs() + sizes);
            let sum = *v + (parts[0] + parts[1] + parts[2]);
            *v = match sum.abs() <= STEP_NOISE * *terms {
                true => 0.0,
                false => sum,
            };
        }
        state.could_reverse |= end.could_reverse;
        state.v[3 * i] = end.v_post.n;
        // Without friction in space the impact knows the normal only.
        for k in (0..2).filter(|k| self.acts_along(i, *k)) {
            state.v[3 * i + 1 + k] = end.v_post.t[k];
        }
        let own = &mut state.contacts[i];
        own.contact_type = end.contact_type;
        for (sum, part) in [(&mut own.impulse, end.impulse), (&mut own.work, end.work)] {
            sum.n += part.n;
            sum.t[0] += part.t[0];
            sum.t[1] += part.t[1];
        }
        state.energy_scale = state.energy_scale.max(end.energy_scale);
        state.collisions += 1;
        state.struck[i] += 1;
        state.gripped[i] += usize::from(end.grips);
        Ok(true)
    }

    /// Whether the impact of contact `i` knows its tangent `k`: the one of the plane, both where friction acts
    /// in space.
    fn acts_along(&self, i: usize, k: usize) -> bool {
        let is_pair = self.closing.one(self.space, i).pair().is_some();
        is_pair || (k == 0 && matches!(self.closing.tangents[i], [Some(_), None]))
    }

    fn ending(&self, order: &[usize], state: State) -> Result<Ending, ImpactInputError> {
        let way = self.way(order, &state);
        let mut contacts = state.contacts;
        for (i, contact) in contacts.iter_mut().enumerate() {
            let [n, t_1, t_2] = [0, 1, 2].map(|k| state.v[3 * i + k] + 0.0);
            let t = [t_1, t_2];
            contact.v_post = SpatialVector { n, t };
            // Of several collisions the type says what the slip did from first to last.
            if state.struck[i] > 1 && self.acts_along(i, 0) {
                contact.contact_type = slip_type([self.closing.v[i].t, t, t]);
            }
        }
        let works = contacts.iter().flat_map(|c| listed(&c.work));
        let energy_change: f64 = works.sum();
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
            gripped: state.gripped,
            ..Ending::without(Outcome::Solved, way)
        })
    }

    /// What the impulses of an ending do to the mechanism, whitened.
    fn jump(&self, ending: &Ending) -> Vec<f64> {
        let mut jump = vec![0.0; self.space.coordinates()];
        for (i, contact) in ending.contacts.iter().enumerate() {
            let rows = self.closing.rows(i);
            for (row, p) in rows.into_iter().zip(listed(&contact.impulse)) {
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
        if share.iter().all(|p| *p == SpatialVector::default()) {
            return;
        }
        for (is_unique, p) in known.impulses_unique.iter_mut().zip(&share) {
            *is_unique &= *p == SpatialVector::default();
        }
        known.shares.push(share);
    }

    /// Difference of the impulses of two endings; zero where it is round-off beside the largest, impulses
    /// counted with the lengths of their rows.
    fn apart(&self, a: &Ending, b: &Ending) -> Vec<SpatialVector> {
        let rows = |ending: &Ending| -> Vec<f64> {
            let contacts = ending.contacts.iter();
            contacts.flat_map(|c| listed(&c.impulse)).collect()
        };
        let (a, b) = (rows(a), rows(b));
        let sizes = a.iter().zip(&self.size).chain(b.iter().zip(&self.size));
        let largest = sizes.fold(0.0f64, |most, (p, size)| most.max((p * size).abs()));
        let pairs = a.iter().zip(&b).zip(&self.size);
        let apart = pairs.map(|((a, b), size)| {
            let is_same = ((a - b) * size).abs() <= SAME * largest;
            if is_same { 0.0 } else { a - b }
        });
        let apart: Vec<f64> = apart.collect();
        apart.chunks_exact(3).map(vector).collect()
    }

    /// A velocity rounded, to order by; endings without one come last.
    fn key(&self, ending: &Ending) -> (bool, Vec<i64>) {
        let jump = self.jump(ending);
        let unit = 10.0 * SAME * (self.floor / APPROACH_TOLERANCE + length(&jump));
        let rounded = jump.iter().map(|x| (x / unit).round() as i64);
        (!ending.has_end(), rounded.collect())
    }
}

/// Normal and tangents in the order of the rows.
fn listed(x: &SpatialVector) -> [f64; 3] {
    [x.n, x.t[0], x.t[1]]
}

/// The vector of three rows.
fn vector(rows: &[f64]) -> SpatialVector {
    SpatialVector {
        n: rows[0],
        t: [rows[1], rows[2]],
    }
}
