//! The linear pieces of a problem: per element the rows it may contribute and when they hold.

use super::mode::Mode;
use super::refuted::Relation;

/// An inequality `g·z + h + t·slope >= 0` over the scaled unknowns z; t runs along a line of forces.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) g: Vec<f64>,
    pub(super) h: f64,
    pub(super) slope: f64,
    /// Size the form has for unknowns as large as the forces of the problem make them.
    pub(super) floor: f64,
    pub(super) relation: Relation,
}

/// A convex part of a choice: its mode and what must hold.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) mode: Mode,
    pub(super) conditions: Vec<Condition>,
}

/// One linear form of an element: one row per coordinate, two per contact.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// `+` and `-`: sign of `f N`; `0`: stuck; `l`: lift-off.
    pub(super) symbol: char,
    pub(super) rows: Vec<Vec<f64>>,
    pub(super) branches: Vec<Branch>,
}

/// Where an element sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Coordinate i, with or without friction.
    Coordinate(usize),
    /// Contact k.
    Contact(usize),
}

/// A coordinate or contact with everything it may do.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) place: Place,
    pub(super) choices: Vec<Choice>,
}

/// Every linear piece of a problem, in scaled unknowns `z = (√A_ii q̈_i, ω_n λ_n, ω_t λ_t, …)`.
#[derive(Debug, Clone)]
pub(super) struct System {
    /// Coordinates.
    pub(super) n: usize,
    /// Unknowns: coordinates, then two per contact.
    pub(super) size: usize,
    /// Whether the coordinates are friction elements.
    pub(super) has_joints: bool,
    /// Elements with one choice first, then coordinates, then contacts.
    pub(super) elements: Vec<Element>,
    /// `z_j / unit_j` is acceleration or force j.
    pub(super) unit: Vec<f64>,
    /// Product of the factors by which rows and columns were scaled: true over scaled determinant.
    pub(super) determinant_unit: f64,
    /// Size of the unknowns z that the forces of the problem could make.
    pub(super) size_of_unknowns: f64,
    /// Load of each coordinate, `N = g·z + h`.
    pub(super) loads: Vec<Condition>,
    /// Friction force of each coordinate, from the balance of forces.
    pub(super) frictions: Vec<Condition>,
    /// Contact accelerations, normal and tangent by turns.
    pub(super) contact_accelerations: Vec<Condition>,
}

/// A condition counts as met, and as tight, within this fraction of its terms.
pub(super) const FACE: f64 = 1e-12;

impl Condition {
    /// Slack and the size of its terms.
    pub(super) fn at(&self, z: &[f64]) -> (f64, f64) {
        let (mut sum, mut terms) = (self.h, self.h.abs() + self.floor);
        for (g, x) in self.g.iter().zip(z) {
            let term = g * x;
            sum += term;
            terms += term.abs();
        }
        (sum, terms)
    }

    /// Slack alone.
    pub(super) fn value(&self, z: &[f64]) -> f64 {
        let (sum, terms) = self.at(z);
        if sum.abs() <= FACE * terms { 0.0 } else { sum }
    }

    /// The same form with its sign turned, under another name.
    pub(super) fn times(&self, factor: f64, relation: Relation) -> Self {
        Self {
            g: self.g.iter().map(|x| factor * x).collect(),
            h: factor * self.h,
            slope: factor * self.slope,
            floor: factor.abs() * self.floor,
            relation,
        }
    }

    /// `factor·self + other`.
    pub(super) fn plus(&self, factor: f64, other: &Self, relation: Relation) -> Self {
        let mut sum = self.times(factor, relation);
        for (x, y) in sum.g.iter_mut().zip(&other.g) {
            *x += y;
        }
        sum.h += other.h;
        sum.slope += other.slope;
        sum.floor += other.floor;
        sum
    }
}

/// Where a point stands towards a branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Standing {
    /// Every condition holds with room.
    Inside,
    /// Every condition holds, one is tight.
    OnFace,
    /// Condition of this index is broken the most.
    Outside(usize),
}

impl Branch {
    /// Where z stands, by the condition broken the most.
    pub(super) fn standing(&self, z: &[f64]) -> Standing {
        let mut standing = Standing::Inside;
        let mut worst = -FACE;
        for (index, condition) in self.conditions.iter().enumerate() {
            let (slack, terms) = condition.at(z);
            if slack < worst * terms {
                worst = slack / terms;
                standing = Standing::Outside(index);
            } else if slack <= FACE * terms && standing == Standing::Inside {
                standing = Standing::OnFace;
            }
        }
        standing
    }
}

impl Element {
    /// Whether one of the branches of a choice holds at z; stops at the first.
    pub(super) fn holds(&self, choice: usize, z: &[f64]) -> bool {
        let branches = self.choices[choice].branches.iter();
        let met = |c: &Condition| {
            let (slack, terms) = c.at(z);
            slack >= -FACE * terms
        };
        branches.clone().any(|b| b.conditions.iter().all(met))
    }

    /// The branch of a choice that holds at z, or the one least broken, with its standing.
    pub(super) fn best_branch(&self, choice: usize, z: &[f64]) -> (usize, Standing) {
        let branches = &self.choices[choice].branches;
        let mut best = (0, Standing::Outside(0), f64::INFINITY);
        for (index, branch) in branches.iter().enumerate() {
            let standing = branch.standing(z);
            let miss = match standing {
                Standing::Inside => return (index, standing),
                Standing::OnFace => 0.0,
                Standing::Outside(c) => {
                    let (slack, terms) = branch.conditions[c].at(z);
                    -slack / terms
                }
            };
            if miss < best.2 {
                best = (index, standing, miss);
            }
        }
        (best.0, best.1)
    }
}

impl System {
    /// Accelerations q̈ of the unknowns z.
    pub(super) fn acceleration(&self, z: &[f64]) -> Vec<f64> {
        let pairs = z.iter().zip(&self.unit).take(self.n);
        pairs.map(|(x, unit)| x / unit + 0.0).collect()
    }

    /// Number of friction elements shown: coordinates with friction, then contacts.
    pub(super) fn shown(&self) -> usize {
        let joints = if self.has_joints { self.n } else { 0 };
        joints + (self.size - self.n) / 2
    }

    /// Index of an element among those shown.
    pub(super) fn index(&self, place: Place) -> Option<usize> {
        match place {
            Place::Coordinate(i) => self.has_joints.then_some(i),
            Place::Contact(k) => Some(k + if self.has_joints { self.n } else { 0 }),
        }
    }

    /// Normal loads of the elements shown: `C q̈ + d`, then the contact forces.
    pub(super) fn normal_loads(&self, z: &[f64]) -> Vec<f64> {
        let joints = if self.has_joints {
            &self.loads[..]
        } else {
            &[]
        };
        let forces = (self.n..self.size).step_by(2);
        let contacts = forces.map(|j| z[j] / self.unit[j] + 0.0);
        joints
            .iter()
            .map(|load| load.value(z) + 0.0)
            .chain(contacts)
            .collect()
    }

    /// Symbols of the choices of a path, in the order shown.
    pub(super) fn symbols(&self, path: &[usize]) -> String {
        let mut symbols = vec![' '; self.shown()];
        for (element, choice) in self.elements.iter().zip(path) {
            if let Some(index) = self.index(element.place) {
                symbols[index] = element.choices[*choice].symbol;
            }
        }
        symbols.into_iter().collect()
    }
}
