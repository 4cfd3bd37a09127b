//! Contacts given more than once: solved as one, which shares its impulse equally.

use carom_numeric::orthogonal::length;

use super::super::ending::Choice;
use super::{ContactEnd, Ending, OutcomeSet, RoughClosing, Way};
use crate::contact_space::{ContactSpace, Friction, PlanarVector, SpatialVector};

/// Rows and velocities that differ by less than this fraction are equal.
const EQUAL: f64 = 1e-13;

/// Which contacts are copies of which.
pub(super) struct Copies {
    /// Per contact, its place among the distinct ones.
    place: Vec<usize>,
    /// The first of each.
    first: Vec<usize>,
}

/// Distinct contacts: one entry per contact in each list.
pub(super) struct Distinct {
    normals: Vec<usize>,
    tangents: Vec<Option<usize>>,
    v: Vec<PlanarVector>,
    friction: Vec<Friction>,
    restitution: Vec<f64>,
}

impl Distinct {
    pub(super) fn closing(&self) -> RoughClosing<'_> {
        RoughClosing {
            normals: &self.normals,
            tangents: &self.tangents,
            v: &self.v,
            friction: &self.friction,
            restitution: &self.restitution,
        }
    }
}

impl Copies {
    pub(super) fn of(space: &ContactSpace, closing: &RoughClosing<'_>) -> Self {
        let (mut place, mut first): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for i in 0..closing.normals.len() {
            let known = first.iter().position(|&j| is_copy(space, closing, i, j));
            place.push(known.unwrap_or(first.len()));
            if known.is_none() {
                first.push(i);
            }
        }
        Self { place, first }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.len() == self.place.len()
    }

    /// The first of each.
    pub(super) fn distinct(&self, closing: &RoughClosing<'_>) -> Distinct {
        Distinct {
            normals: self.first.iter().map(|i| closing.normals[*i]).collect(),
            tangents: self.first.iter().map(|i| closing.tangents[*i]).collect(),
            v: self.first.iter().map(|i| closing.v[*i]).collect(),
            friction: self.first.iter().map(|i| closing.friction[*i]).collect(),
            restitution: self.first.iter().map(|i| closing.restitution[*i]).collect(),
        }
    }

    /// Gives every copy its part.
    pub(super) fn spread(&self, set: OutcomeSet) -> OutcomeSet {
        let endings = set.endings.into_iter();
        OutcomeSet {
            endings: endings.map(|ending| self.spread_one(ending)).collect(),
            ..set
        }
    }

    fn count(&self, place: usize) -> f64 {
        self.place.iter().filter(|p| **p == place).count() as f64
    }

    fn spread_one(&self, ending: Ending) -> Ending {
        if ending.contacts.is_empty() {
            return ending;
        }
        let part = |p: SpatialVector, place: usize| SpatialVector {
            n: p.n / self.count(place),
            t: p.t.map(|t| t / self.count(place)),
        };
        let of_copy = |&place: &usize| {
            let whole = ending.contacts[place];
            ContactEnd {
                impulse: part(whole.impulse, place),
                work: part(whole.work, place),
                ..whole
            }
        };
        let is_alone = |place: usize| {
            self.count(place) == 1.0 || ending.contacts[place].impulse == SpatialVector::default()
        };
        let spread = |share: &Vec<SpatialVector>| {
            let parts = self.place.iter().map(|&place| part(share[place], place));
            parts.collect()
        };
        let mut shares: Vec<Vec<SpatialVector>> = ending.shares.iter().map(spread).collect();
        shares.extend(self.swaps());
        Ending {
            contacts: self.place.iter().map(of_copy).collect(),
            impulses_unique: self
                .place
                .iter()
                .map(|&place| ending.impulses_unique[place] && is_alone(place))
                .collect(),
            choice: match ending.shares.is_empty() {
                true => ending.choice,
                false => Choice::OneOfThem,
            },
            shares,
            way: self.spread_way(ending.way.clone()),
            ..ending
        }
    }

    /// What one copy gives another takes, along the normal and along the tangent.
    fn swaps(&self) -> Vec<Vec<SpatialVector>> {
        let copies = (0..self.place.len()).filter(|&i| self.first[self.place[i]] != i);
        let swap = |i: usize, unit: SpatialVector| {
            let mut share = vec![SpatialVector::default(); self.place.len()];
            share[i] = unit;
            share[self.first[self.place[i]]] = SpatialVector {
                n: -unit.n,
                t: unit.t.map(|t| -t),
            };
            share
        };
        let units = [(1.0, 0.0), (0.0, 1.0)].map(|(n, t)| SpatialVector { n, t: [t, 0.0] });
        copies
            .flat_map(|i| units.map(|unit| swap(i, unit)))
            .collect()
    }

    fn spread_way(&self, way: Way) -> Way {
        match way {
            Way::Modes(modes) => Way::Modes(self.place.iter().map(|p| modes[*p]).collect()),
            Way::Alone(places) => {
                let copies = 0..self.place.len();
                Way::Alone(
                    copies
                        .filter(|i| places.contains(&self.place[*i]))
                        .collect(),
                )
            }
            other => other,
        }
    }
}

fn is_copy(space: &ContactSpace, closing: &RoughClosing<'_>, i: usize, j: usize) -> bool {
    let is_equal = |a: usize, b: usize| {
        let (x, y) = (space.vector(a), space.vector(b));
        let apart: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).collect();
        length(&apart) <= EQUAL * length(x)
    };
    let near = |a: f64, b: f64| (a - b).abs() <= EQUAL * a.abs().max(b.abs());
    let (v, w) = (closing.v[i], closing.v[j]);
    let has_same_tangent = match (closing.tangents[i], closing.tangents[j]) {
        (Some(a), Some(b)) => is_equal(a, b),
        (a, b) => a == b,
    };
    closing.friction[i] == closing.friction[j]
        && closing.restitution[i] == closing.restitution[j]
        && near(v.n, w.n)
        && near(v.t, w.t)
        && has_same_tangent
        && is_equal(closing.normals[i], closing.normals[j])
}
