//! Joints with friction beside contacts in space: one combination of their modes after another.
//!
//! In each of its modes the friction φ of a joint is affine in the forces of the contacts:
//!
//! ```text
//! slides, or starts    φ = −σ μ_d ε N,  ε N >= 0,  σ the sense of the motion (σ q̈ > 0 from rest)
//! sticks               q̈ = 0,  |φ| <= μ_s |N|
//! ```
//!
//! Eliminated, it leaves contacts with a matrix W of their own, which need not be symmetric. [`Pattern`] finds
//! their answers as those of contacts alone; those that the joints allow are kept.

use carom_numeric::{Lu, dot};

use super::pattern::Pattern;
use super::posed::{RoughJoint, SpatialForward};
use super::{ENUMERATED, TouchAnswer, TouchAnswers, TouchContact, TouchProblem, is_near, largest};
use crate::cone::Verdict;
use crate::forward::mode::Mode;

/// An inequality may be missed by this part of its terms.
const MISS: f64 = 1e-12;

/// One that holds or fails by less than this part is not clear.
const UNCLEAR: f64 = 1e-9;

/// Combinations of modes of joints that are gone through.
pub const JOINT_COMBINATIONS: usize = 4096;

/// An answer of contacts and joints together: forces and accelerations have a row for each.
#[derive(Debug, Clone)]
pub(super) struct Combined {
    pub(super) touch: TouchAnswer,
    pub(super) joints: Vec<Mode>,
}

/// What was found, and whether nothing else is consistent.
#[derive(Debug, Clone, Default)]
pub(super) struct CombinedAnswers {
    pub(super) answers: Vec<Combined>,
    pub(super) is_complete: bool,
}

/// What a joint does in one combination.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Choice {
    /// It has no friction.
    Smooth,
    Stick,
    /// It moves, or starts, in the sense σ, its load of sign ε.
    Rub {
        sense: f64,
        sign: f64,
        mode: Mode,
    },
}

/// How many combinations of modes the joints have; none where they are too many to count.
pub(super) fn combinations(joints: &[RoughJoint]) -> Option<usize> {
    let mut counts = joints.iter().map(|joint| choices(joint).len());
    counts.try_fold(1, |all: usize, one| all.checked_mul(one))
}

/// Rest before motion.
fn choices(joint: &RoughJoint) -> Vec<Choice> {
    let rub = |sense: f64, mode| [1.0, -1.0].map(|sign| Choice::Rub { sense, sign, mode });
    match joint.velocity {
        _ if joint.friction.mu_s() == 0.0 => vec![Choice::Smooth],
        0.0 => {
            let starts = [(1.0, Mode::OnsetForward), (-1.0, Mode::OnsetBackward)];
            let starts = starts
                .into_iter()
                .flat_map(|(sense, mode)| rub(sense, mode));
            std::iter::once(Choice::Stick).chain(starts).collect()
        }
        v => rub(v.signum(), Mode::Slide).to_vec(),
    }
}

/// Every combination of modes of the joints, with every one of the contacts that has at most one onset.
pub(super) struct Rough<'a> {
    posed: &'a SpatialForward,
    contacts: &'a [TouchContact],
    choices: Vec<Choice>,
    lu: Lu,
    /// Friction of the joints per unit of each force of the contacts, joint by joint.
    per_force: Vec<f64>,
    /// Friction of the joints without forces of the contacts.
    alone: Vec<f64>,
    found: CombinedAnswers,
    drift: f64,
}

impl<'a> Rough<'a> {
    pub(super) fn new(posed: &'a SpatialForward, contacts: &'a [TouchContact]) -> Self {
        Self {
            posed,
            contacts,
            choices: Vec::new(),
            lu: Lu::new(),
            per_force: Vec::new(),
            alone: Vec::new(),
            found: CombinedAnswers {
                answers: Vec::new(),
                is_complete: true,
            },
            drift: largest(&posed.drift),
        }
    }

    /// Goes through all combinations.
    pub(super) fn enumerate(mut self) -> CombinedAnswers {
        let own: Vec<Vec<Choice>> = self.posed.joints.iter().map(choices).collect();
        let count: usize = own.iter().map(Vec::len).product();
        for mut at in 0..count {
            self.choices.clear();
            for choices in &own {
                self.choices.push(choices[at % choices.len()]);
                at /= choices.len();
            }
            match self.eliminate() {
                true => self.with_contacts(),
                false => self.found.is_complete = false,
            }
        }
        self.found
    }

    /// Friction of the joints as functions of the forces of the contacts; whether they are determined.
    fn eliminate(&mut self) -> bool {
        let (k, rows) = (self.posed.contact_rows(), self.posed.rows());
        let m = self.choices.len();
        let equations: Vec<f64> = (0..m).flat_map(|j| self.equation(j)).collect();
        let each = || equations.chunks_exact(rows + 1);
        let own: Vec<f64> = each().flat_map(|row| &row[k..rows]).copied().collect();
        if !self.lu.factor(&own, m) || self.lu.least_pivot() <= MISS {
            return false;
        }
        self.per_force = vec![0.0; m * k];
        let mut x = vec![0.0; m];
        for c in (0..k).chain([rows]) {
            let b: Vec<f64> = each().map(|row| -row[c]).collect();
            self.lu.solve(&b, &mut x);
            for (j, x) in x.iter().enumerate().filter(|_| c < k) {
                self.per_force[j * k + c] = *x;
            }
        }
        self.alone = x;
        true
    }

    /// What vanishes in the mode of joint `j`: factors of all forces, then a number.
    fn equation(&self, j: usize) -> Vec<f64> {
        let (posed, joint) = (self.posed, &self.posed.joints[j]);
        let (rows, own) = (posed.rows(), posed.contact_rows() + j);
        let mut equation = match self.choices[j] {
            Choice::Stick => {
                let row = posed.w[own * rows..(own + 1) * rows].iter().copied();
                return row.chain([posed.drift[own]]).collect();
            }
            Choice::Rub { sense, sign, .. } => {
                let factor = sense * sign * joint.friction.mu_d();
                let all = joint.load.iter().chain([&joint.offset]);
                all.map(|x| factor * x).collect()
            }
            Choice::Smooth => vec![0.0; rows + 1],
        };
        equation[own] += 1.0;
        equation
    }

    /// The contacts with the joints eliminated.
    fn with_contacts(&mut self) {
        let k = self.posed.contact_rows();
        let sum = |own: f64, row: usize, x: &dyn Fn(usize) -> f64| {
            let joints = 0..self.alone.len();
            cleared(own, joints.map(|j| self.posed.w(row, k + j) * x(j)))
        };
        let element = |i: usize, c: usize| {
            let through = |j: usize| self.per_force[j * k + c];
            sum(self.posed.w(i, c), i, &through)
        };
        let pairs = (0..k).flat_map(|i| (0..k).map(move |c| (i, c)));
        let w: Vec<f64> = pairs.map(|(i, c)| element(i, c)).collect();
        let drift = (0..k).map(|i| sum(self.posed.drift[i], i, &|j| self.alone[j]));
        let drift: Vec<f64> = drift.collect();
        let problem = TouchProblem {
            w: &w,
            drift: &drift,
            contacts: self.contacts,
            pivots: &[],
        };
        let resting = self.contacts.iter().filter(|c| c.slip.is_none()).count();
        let mut found = TouchAnswers {
            answers: Vec::new(),
            is_complete: resting <= 1,
            acceleration: Verdict::Undecided,
            drift: self.drift,
        };
        match self.contacts.len() <= ENUMERATED {
            true => Pattern::new(&problem).enumerate(&mut found),
            false => found.is_complete = false,
        }
        self.found.is_complete &= found.is_complete;
        for answer in found.answers {
            self.offer(answer);
        }
    }

    /// Keeps an answer of the contacts that the joints allow.
    fn offer(&mut self, mut touch: TouchAnswer) {
        let k = self.posed.contact_rows();
        let mut force = touch.force.clone();
        for (row, alone) in self.per_force.chunks_exact(k.max(1)).zip(&self.alone) {
            force.push(dot(row, &touch.force) + alone);
        }
        let acceleration = self.posed.moved(&force);
        let (mut is_met, mut is_clear, mut is_refuted) = (true, true, false);
        let mut ask = |slack: f64, size: f64| {
            is_met &= slack >= -MISS * size;
            is_clear &= slack.abs() > UNCLEAR * size || size == 0.0;
            is_refuted |= slack < -UNCLEAR * size;
        };
        for (j, (choice, joint)) in self.choices.iter().zip(&self.posed.joints).enumerate() {
            let ((load, terms), a) = (joint.loaded(&force), acceleration[k + j]);
            match choice {
                Choice::Smooth => {}
                Choice::Stick => {
                    let (limit, reach) = (joint.friction.mu_s(), force[k + j].abs());
                    ask(limit * load.abs() - reach, limit * terms + reach);
                }
                Choice::Rub { sense, sign, mode } => {
                    ask(sign * load, terms);
                    if *mode != Mode::Slide {
                        ask(sense * a, self.terms(k + j, &force));
                    }
                }
            }
        }
        if !is_met {
            self.found.is_complete &= is_refuted;
            return;
        }
        self.found.is_complete &= is_clear;
        touch.acceleration.extend(&acceleration[k..]);
        touch.force = force;
        let joints = self.joint_modes(&mut touch.acceleration[k..]);
        self.add(Combined { touch, joints });
    }

    /// Size of the terms that the acceleration of a row is the sum of.
    fn terms(&self, row: usize, force: &[f64]) -> f64 {
        let each = force.iter().enumerate();
        let sum: f64 = each.map(|(i, f)| (self.posed.w(row, i) * f).abs()).sum();
        sum + self.posed.drift[row].abs()
    }

    /// Names what the joints do; those that stick have no acceleration.
    fn joint_modes(&self, acceleration: &mut [f64]) -> Vec<Mode> {
        let joints = self.choices.iter().zip(&self.posed.joints);
        let each = joints.zip(acceleration);
        let mode = |((choice, joint), a): ((&Choice, &RoughJoint), &mut f64)| match choice {
            Choice::Stick => {
                *a = 0.0;
                Mode::Stick
            }
            Choice::Rub { mode, .. } => *mode,
            Choice::Smooth => smooth_mode(joint.velocity, *a),
        };
        each.map(mode).collect()
    }

    /// Adds an answer unless its acceleration is there: the first stays, its forces are not unique if they differ.
    fn add(&mut self, answer: Combined) {
        let drift = self.drift;
        let is_same = |known: &&mut Combined| {
            is_near(&known.touch.acceleration, &answer.touch.acceleration, drift)
        };
        match self.found.answers.iter_mut().find(is_same) {
            None => self.found.answers.push(answer),
            Some(known) => {
                let is_one = is_near(&known.touch.force, &answer.touch.force, 0.0);
                known.touch.is_force_unique &= is_one;
            }
        }
    }
}

/// A sum with a number, zero where it is round-off of its terms.
fn cleared(number: f64, terms: impl Iterator<Item = f64>) -> f64 {
    let (sum, size) = terms.fold((number, number.abs()), |(sum, size), term| {
        (sum + term, size + term.abs())
    });
    if sum.abs() <= MISS * size { 0.0 } else { sum }
}

/// What a joint without friction does.
pub(super) fn smooth_mode(velocity: f64, acceleration: f64) -> Mode {
    match (velocity == 0.0, acceleration) {
        (false, _) => Mode::Slide,
        (true, a) if a > 0.0 => Mode::OnsetForward,
        (true, a) if a < 0.0 => Mode::OnsetBackward,
        (true, _) => Mode::Stick,
    }
}
