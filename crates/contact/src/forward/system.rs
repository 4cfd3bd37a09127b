//! The linear pieces of a problem: per element the rows it may contribute and when they hold.

use super::affine::{Form, Point};
use super::frame::Frame;
use super::mode::Mode;
use super::refuted::Relation;

/// An inequality `g·z + h + t·slope >= 0` over the scaled unknowns z; t runs along a line of forces.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) g: Vec<f64>,
    pub(super) h: f64,
    /// Size of the terms that h is the sum of.
    pub(super) terms: f64,
    pub(super) slope: f64,
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

/// Every linear piece of a problem, in scaled unknowns z: accelerations, then two forces per contact.
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
    /// What the unknowns stand for.
    pub(super) frame: Frame,
    /// Product of the factors by which rows and columns were scaled: true over scaled determinant.
    pub(super) determinant_unit: f64,
    /// Load of each coordinate, `N = g·z + h`.
    pub(super) loads: Vec<Condition>,
    /// Friction force of each coordinate, from the balance of forces.
    pub(super) frictions: Vec<Condition>,
    /// Contact accelerations, normal and tangent by turns.
    pub(super) contact_accelerations: Vec<Condition>,
}

/// A condition counts as met, and as tight, within this fraction of its terms.
pub(super) const FACE: f64 = 1e-12;

/// A condition broken by more than this fraction of the unknowns is broken however they were solved for.
const CLEARLY: f64 = 1e-6;

/// A sum, zero where it is round-off of its terms.
pub(super) fn clean(sum: f64, terms: f64) -> f64 {
    if sum.abs() <= FACE * terms { 0.0 } else { sum }
}

impl Condition {
    /// Slack and the size of its terms.
    pub(super) fn at(&self, z: &[f64]) -> (f64, f64) {
        let (mut sum, mut terms) = (self.h, self.terms);
        for (g, x) in self.g.iter().zip(z) {
            let term = g * x;
            sum += term;
            terms += term.abs();
        }
        (sum, terms)
    }

    /// Slack, and how much of it may be round-off.
    pub(super) fn judged(&self, point: &Point) -> (f64, f64) {
        let (slack, terms) = self.at(&point.z);
        let pairs = self.g.iter().zip(&point.error);
        let hidden: f64 = pairs.map(|(g, error)| g.abs() * error).sum();
        (slack, FACE * terms + hidden)
    }

    /// Slack alone, zero where that is round-off of its terms.
    pub(super) fn value(&self, z: &[f64]) -> f64 {
        let (sum, terms) = self.at(z);
        clean(sum, terms)
    }

    /// Whether it is broken beyond doubt at unknowns none of which exceeds `most`.
    fn is_clearly_broken(&self, z: &[f64], most: f64) -> bool {
        let (slack, terms) = self.at(z);
        let reach: f64 = self.g.iter().map(|g| g.abs()).sum();
        slack < -CLEARLY * (terms + reach * most)
    }

    /// The form at t along the line of forces.
    pub(super) fn advance(&mut self, t: f64) {
        let by = t * self.slope;
        self.h += by;
        self.terms += by.abs();
    }

    /// The same form with its sign turned, under another name.
    pub(super) fn times(&self, factor: f64, relation: Relation) -> Self {
        Self {
            g: self.g.iter().map(|x| factor * x).collect(),
            h: factor * self.h,
            terms: factor.abs() * self.terms,
            slope: factor * self.slope,
            relation,
        }
    }

    /// `factor·self + other`.
    pub(super) fn plus(&self, factor: f64, other: &Self, relation: Relation) -> Self {
        let mut sum = self.times(factor, relation);
        for (x, y) in sum.g.iter_mut().zip(&other.g) {
            *x = clean(*x + y, x.abs() + y.abs());
        }
        sum.terms += other.terms;
        sum.h = clean(sum.h + other.h, sum.terms);
        sum.slope = clean(sum.slope + other.slope, sum.slope.abs() + other.slope.abs());
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
    /// Where a point stands, and by how many times what may be round-off a condition is broken the most.
    fn standing(&self, point: &Point) -> (Standing, f64) {
        let (mut standing, mut worst) = (Standing::Inside, 1.0);
        for (index, condition) in self.conditions.iter().enumerate() {
            let (slack, room) = condition.judged(point);
            if -slack > worst * room {
                worst = -slack / room;
                standing = Standing::Outside(index);
            } else if slack <= room && standing == Standing::Inside {
                standing = Standing::OnFace;
            }
        }
        (standing, worst)
    }
}

impl Element {
    /// Whether no branch of a choice can hold at z, beyond doubt.
    pub(super) fn is_clearly_broken(&self, choice: usize, z: &[f64], most: f64) -> bool {
        let mut branches = self.choices[choice].branches.iter();
        branches.all(|b| b.conditions.iter().any(|c| c.is_clearly_broken(z, most)))
    }

    /// The branch of a choice that holds at a point, or the one least broken, with its standing.
    pub(super) fn best_branch(&self, choice: usize, point: &Point) -> (usize, Standing) {
        let branches = &self.choices[choice].branches;
        let mut best = (0, Standing::Outside(0), f64::INFINITY);
        for (index, branch) in branches.iter().enumerate() {
            let miss = match branch.standing(point) {
                (Standing::Inside, _) => return (index, Standing::Inside),
                (Standing::OnFace, _) => (index, Standing::OnFace, 0.0),
                (standing, by) => (index, standing, by),
            };
            if miss.2 < best.2 {
                best = miss;
            }
        }
        (best.0, best.1)
    }
}

impl System {
    /// Accelerations q̈ of the unknowns z, zero where they are round-off of their terms.
    pub(super) fn acceleration(&self, z: &[f64]) -> Vec<f64> {
        let found = self.frame.accelerations(z).into_iter();
        found.map(|(x, terms)| clean(x, terms)).collect()
    }

    /// Rows of a choice of each element, as equations.
    pub(super) fn equations(&self, path: &[usize]) -> Vec<Form> {
        let chosen = self.elements.iter().zip(path);
        let rows = chosen.flat_map(|(element, choice)| &element.choices[*choice].rows);
        rows.map(|row| (row[..self.size].to_vec(), -row[self.size]))
            .collect()
    }

    /// Whether a path is consistent at its point.
    pub(super) fn holds(&self, path: &[usize], point: &Point) -> bool {
        let mut chosen = self.elements.iter().zip(path);
        chosen.all(|(element, choice)| {
            !matches!(element.best_branch(*choice, point).1, Standing::Outside(_))
        })
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
        let contacts = forces.map(|j| self.frame.force(j, z[j]));
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
