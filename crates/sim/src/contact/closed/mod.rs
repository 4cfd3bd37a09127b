//! Smooth motion with closed contacts.
//!
//! ```text
//! M v̇ + h = Σ J_nᵀ λ_n + J_tᵀ λ_t + Gᵀ γ
//! J_n v̇ + bias_n = 0                    closed
//! J_t v̇ + bias_t = 0                    sticking
//! λ_t = −μ u λ_n,   u = v_t/|v_t|        sliding
//! J_p v̇ + bias_p = 0                    held about its normal, J_p = r n·(ω_A − ω_B)
//! λ_p = −μ λ_n sgn ω_n                   pivoting; the torque is r λ_p
//! G v̇ + bias = 0                        loops
//! ```
//!
//! With `M = L Lᵀ` and the whitened rows `B = L⁻¹ rowsᵀ` and columns of force F, the multipliers solve
//! `BᵀF λ = −bias − Bᵀa`, `a = −L⁻¹h`, by a decomposition that reveals the rank: of redundant contacts
//! the forces are the least ones, and the accelerations are unique.

mod align;
mod guards;
mod jam;
mod margin;
mod projection;
mod stop;

use carom_multibody::mechanism::{Contacts, MotionFault};
use carom_multibody::{ConstraintRows, State};
use carom_numeric::orthogonal::project_out;
use carom_numeric::{Cholesky, CompleteOrthogonal, dot};

use crate::Rule;
use crate::contact::mode::ContactMode;
use crate::contact::pivot::PivotRows;
use crate::contact::rows::ContactRows;
use crate::contact::standing::Touch;
use crate::contact::way::{FixedWays, Way, inner};
use crate::scale::Scale;

pub(crate) use guards::{Sheet, Trigger};
pub(crate) use projection::Projection;

/// A contact that is closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Held {
    pub(crate) contact: usize,
    pub(crate) mode: ContactMode,
    /// Where it slips, the way.
    pub(crate) way: Way,
    /// Tangents it would stick along: one in the plane, two in space.
    pub(crate) tangents: usize,
    pub(crate) mu_s: f64,
    pub(crate) mu_d: f64,
    /// Radius at which friction resists its pivoting; zero where nothing does (m).
    pub(crate) radius: f64,
}

impl Held {
    /// A contact in a mode, with the friction of its rule.
    pub(crate) fn of(
        mechanism: &dyn Contacts,
        contact: usize,
        mode: ContactMode,
        rules: &[Rule],
    ) -> Self {
        let touch = Touch::of(mechanism, contact, [0.0; 2], &rules[contact]);
        Self {
            contact,
            mode,
            way: mode.way(),
            tangents: mechanism.dimension().tangents(),
            mu_s: touch.friction.mu_s,
            mu_d: touch.friction.mu_d,
            radius: touch.radius,
        }
    }

    /// The same along the fixed way of it, if it is among these.
    pub(crate) fn along(mut self, ways: &[(usize, [f64; 2])]) -> Self {
        let found = ways.iter().find(|(contact, _)| *contact == self.contact);
        if let Some((_, way)) = found {
            self.way = Way::Fixed(*way);
        }
        self
    }

    /// The way it slides along in space, where that is fixed.
    pub(crate) fn fixed_way(&self) -> Option<(usize, [f64; 2])> {
        match self.way {
            Way::Fixed(way) if self.mode.is_sliding_in_space() => Some((self.contact, way)),
            _ => None,
        }
    }

    /// Rows that hold it: the normal, the tangents where it sticks, the pivoting where it is held.
    fn rows(&self) -> usize {
        1 + self.sticking() + usize::from(self.is_pivot_held())
    }

    /// Tangents along which it sticks.
    fn sticking(&self) -> usize {
        match self.mode.is_sticking() {
            true => self.tangents,
            false => 0,
        }
    }

    /// Whether friction holds it against pivoting.
    pub(crate) fn is_pivot_held(&self) -> bool {
        self.radius > 0.0 && self.mode.pivot().is_none()
    }
}

/// Force of a closed contact (N).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ContactForce {
    pub(crate) n: f64,
    /// Along t1 and t2.
    pub(crate) t: [f64; 2],
    /// Against pivoting: its torque is so much at the spin radius.
    pub(crate) p: f64,
}

/// Powers of the contacts (W).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ContactPowers {
    /// Of friction, never positive.
    pub(crate) friction: f64,
    /// Of the prescribed motions that carry the surfaces.
    pub(crate) motions: f64,
}

/// The closed contacts and the equations of the motion with them.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    held: Vec<Held>,
    contacts: Vec<usize>,
    /// Whether the piece of surface that each is kept to ends.
    has_end: Vec<bool>,
    rows: ContactRows,
    /// Of the rates at which contacts pivot, times their radii (m/s).
    pivots: PivotRows,
    closures: ConstraintRows,
    mass: Vec<f64>,
    factor: Cholesky,
    /// Whitened rows and columns of force, one after another, and the biases of the rows.
    across: Vec<f64>,
    along: Vec<f64>,
    bias: Vec<f64>,
    /// Whitened tangents, those of a contact one after another.
    sides: Vec<f64>,
    /// Whitened rows of those that pivot.
    turns: Vec<f64>,
    /// The way of each contact at the last look; zero where it does not slip.
    ways: Vec<[f64; 2]>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    found: CompleteOrthogonal,
    multipliers: Vec<f64>,
    /// Largest force when the modes were set (N).
    scale: f64,
    /// A slip in space slower than this keeps its way: at zero it has none (m/s).
    slow: f64,
    /// Whether contacts began to slip together, in directions that are known less well.
    pub(crate) starts_together: bool,
    is_redundant: bool,
    /// Of the rows and columns when the modes were set, where contacts slide.
    first_determinant: Option<f64>,
    spare: Vec<f64>,
    /// Whitened accelerations, where no contact slides.
    whitened: Vec<f64>,
    /// Sizes of the terms that add up to the whitened accelerations.
    terms: Vec<f64>,
}

/// Accelerations below this part of the terms they are the sum of are zero: what rests stays at rest.
const HELD_STILL: f64 = 256.0 * f64::EPSILON;
/// The same of contacts that begin to slip together in space: which way they would with a little less friction is
/// nearly which way they do, and what the difference does is no acceleration.
const STARTED_STILL: f64 = 1e-5;

impl Closed {
    /// The closed contacts, in the order of their index.
    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    /// Indices of the closed contacts.
    pub(crate) fn contacts(&self) -> &[usize] {
        &self.contacts
    }

    /// The closed contacts and what they do.
    pub(crate) fn modes(&self) -> Vec<(usize, ContactMode)> {
        let held = self.held.iter();
        held.map(|held| (held.contact, held.mode)).collect()
    }

    /// The ways of those that slide in space along fixed ones.
    pub(crate) fn fixed_ways(&self) -> FixedWays {
        self.held.iter().filter_map(Held::fixed_way).collect()
    }

    /// Largest force when the modes were set (N).
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether some forces are not unique.
    pub(crate) fn is_redundant(&self) -> bool {
        self.is_redundant
    }

    /// The closed contacts whose piece of surface ends.
    pub(crate) fn with_ends(&self) -> impl Iterator<Item = usize> {
        let pairs = self.contacts.iter().zip(&self.has_end);
        pairs.filter(|(_, has)| **has).map(|(contact, _)| *contact)
    }

    /// Mode of a contact.
    pub(crate) fn mode(&self, contact: usize) -> ContactMode {
        let held = self.held.iter().find(|held| held.contact == contact);
        held.map_or(ContactMode::Open, |held| held.mode)
    }

    /// Replaces the closed contacts.
    pub(crate) fn put(&mut self, held: Vec<Held>) {
        self.contacts.clear();
        self.contacts.extend(held.iter().map(|held| held.contact));
        self.held = held;
    }

    /// Replaces the closed contacts; forces are measured from here on by their size at this state.
    pub(crate) fn hold(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        held: Vec<Held>,
        scale: &Scale,
    ) -> Result<(), MotionFault> {
        self.put(held);
        let contacts = self.contacts.iter();
        let has_end = contacts.map(|contact| mechanism.piece_room(state, *contact).is_some());
        self.has_end = has_end.collect();
        let mut acceleration = vec![0.0; state.v.len()];
        self.accelerate(mechanism, state, &mut acceleration)?;
        self.scale = self.force_size(scale);
        self.slow = scale.slow();
        self.is_redundant = self.found.rank() < self.multipliers.len()
            && (0..self.held.len()).any(|i| !self.is_unique(i));
        self.first_determinant = self.determinant();
        Ok(())
    }

    /// The largest force, and what it takes to make the accelerations there are, or those that the motion
    /// turns by: contacts that bear nothing are measured by the weights around them.
    fn force_size(&self, scale: &Scale) -> f64 {
        let n = self.terms.len().max(1);
        let largest = |list: &[f64]| list.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let rows = self.across.chunks_exact(n).map(|row| dot(row, row));
        let row = rows.fold(0.0, f64::max).sqrt();
        let turning = scale.length / (scale.time * scale.time * row * row);
        let weight = (largest(&self.terms) / row).max(turning);
        let weight = if weight.is_finite() { weight } else { 0.0 };
        match largest(&self.multipliers).max(weight) {
            0.0 => 1.0,
            size => size,
        }
    }

    /// Accelerations at a state; the forces stay with the contacts.
    pub(crate) fn accelerate(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let n = state.v.len();
        self.mass.resize(n * n, 0.0);
        mechanism.mass(state, &mut self.mass);
        let factored = self.factor.factor(&self.mass, n);
        factored.map_err(MotionFault::Mass)?;
        mechanism.bias(state, out);
        out.iter_mut().for_each(|x| *x = -*x);
        self.factor.solve_lower(out);
        self.look(mechanism, state);
        self.share(out);
        self.push(out);
        self.factor.solve_lower_transposed(out);
        Ok(())
    }

    /// Whitened rows and columns at a state.
    fn look(&mut self, mechanism: &mut dyn Contacts, state: State<'_>) {
        let n = state.v.len();
        self.closures.reset(0, n);
        if mechanism.constraints() > 0 {
            mechanism.constraint_rows(state, &mut self.closures);
        }
        self.rows.look(mechanism, state, &self.contacts);
        let resisted = self.held.iter().map(|held| (held.contact, held.radius));
        self.pivots.look(mechanism, state, resisted);
        self.bias.clear();
        self.bias.extend_from_slice(&self.closures.bias);
        self.across.clear();
        self.across.extend_from_slice(&self.closures.rows);
        self.along.clear();
        self.along.extend_from_slice(&self.closures.rows);
        self.sides.clear();
        self.ways.clear();
        for (i, held) in self.held.iter().enumerate() {
            let drift = self.rows.drift(i).acceleration;
            let normal = self.rows.normal(i);
            self.bias.push(drift.n);
            self.across.extend_from_slice(normal);
            let from = self.along.len();
            self.along.extend_from_slice(normal);
            let way = held.way.along(self.rows.slips(i, state.v));
            self.ways.push(way);
            for (tangent, way) in self.rows.tangents(i).zip(way) {
                self.sides.extend_from_slice(tangent);
                let ratio = -held.mu_d * way;
                for (x, t) in self.along[from..].iter_mut().zip(tangent) {
                    *x += ratio * t;
                }
            }
            let pivot = self.pivots.row(i);
            if let Some((row, _)) = pivot.filter(|_| held.mode.pivot().is_some()) {
                let ratio = -held.mu_d * held.mode.pivot_sense();
                for (x, p) in self.along[from..].iter_mut().zip(row) {
                    *x += ratio * p;
                }
            }
            if held.mode.is_sticking() {
                for (tangent, drift) in self.rows.tangents(i).zip(drift.t) {
                    self.bias.push(drift);
                    self.across.extend_from_slice(tangent);
                    self.along.extend_from_slice(tangent);
                }
            }
            if let Some((row, drift)) = pivot.filter(|_| held.is_pivot_held()) {
                self.bias.push(drift.acceleration);
                self.across.extend_from_slice(row);
                self.along.extend_from_slice(row);
            }
        }
        self.turns.clear();
        self.turns.extend_from_slice(self.pivots.all());
        self.whiten(n);
    }

    /// Takes rows and columns to coordinates of unit inertia.
    fn whiten(&mut self, n: usize) {
        for row in self.across.chunks_exact_mut(n.max(1)) {
            self.factor.solve_lower(row);
        }
        for list in [&mut self.along, &mut self.sides, &mut self.turns] {
            for column in list.chunks_exact_mut(n.max(1)) {
                self.factor.solve_lower(column);
            }
        }
    }

    /// The multipliers that hold the rows against whitened accelerations `free`.
    ///
    /// Without sliding friction B = F: what the rows leave of `free`, and the least `d` with `Bᵀd = −bias`, are
    /// the accelerations, to their last digit whatever share of the forces is taken; `B λ` is what they differ
    /// from `free` by. Otherwise `BᵀF λ = −bias − Bᵀ free`.
    fn share(&mut self, free: &[f64]) {
        let n = free.len().max(1);
        let m = self.bias.len();
        self.multipliers.clear();
        self.multipliers.resize(m, 0.0);
        self.right.clear();
        if !self.rubs() {
            self.right.extend(self.bias.iter().map(|b| -b));
            self.found.decompose(&self.across, n, m);
            self.whitened.clear();
            self.whitened.resize(free.len(), 0.0);
            self.found
                .least_norm_transposed(&self.right, &mut self.whitened);
            self.spare.clear();
            self.spare.extend_from_slice(free);
            project_out(&mut self.spare, self.found.range());
            let parts = self.whitened.iter_mut().zip(&self.spare);
            parts.for_each(|(a, left)| *a += left);
            let parts = self.spare.iter_mut().zip(&self.whitened).zip(free);
            parts.for_each(|((d, a), free)| *d = a - free);
            self.found.least_norm(&self.spare, &mut self.multipliers);
            return;
        }
        let rows = self.across.chunks_exact(n).zip(&self.bias);
        self.right.extend(rows.map(|(row, b)| -b - dot(row, free)));
        self.matrix.clear();
        for column in self.along.chunks_exact(n) {
            let rows = self.across.chunks_exact(n);
            self.matrix.extend(rows.map(|row| dot(row, column)));
        }
        self.found.decompose(&self.matrix, m, m);
        self.found.least_norm(&self.right, &mut self.multipliers);
    }

    /// Adds what the multipliers do; what they cancel but for round-off is zero.
    fn push(&mut self, whitened: &mut [f64]) {
        let n = whitened.len().max(1);
        self.terms.clear();
        self.terms.extend(whitened.iter().map(|x| x.abs()));
        for (column, force) in self.along.chunks_exact(n).zip(&self.multipliers) {
            for ((x, size), c) in whitened.iter_mut().zip(&mut self.terms).zip(column) {
                *x += c * force;
                *size += (c * force).abs();
            }
        }
        if !self.rubs() {
            whitened.copy_from_slice(&self.whitened);
        }
        for (x, size) in whitened.iter_mut().zip(&self.terms) {
            if x.abs() <= HELD_STILL * size {
                *x = 0.0;
            }
        }
    }

    /// Whether a contact slides, or pivots against friction.
    fn rubs(&self) -> bool {
        self.held.iter().any(|held| held.mode.rubs())
    }

    /// Round-off of the rate of the slip of held contact `i`, of the last accelerations: that of its normal
    /// force counts μ times.
    fn slip_noise(&self, i: usize, slip: f64) -> f64 {
        let n = self.terms.len();
        let width = self.rows.width() - 1;
        let sides = self.sides.chunks_exact(n.max(1)).skip(i * width);
        let parts = sides.take(width).zip(self.ways[i]).map(|(side, way)| {
            let parts = side.iter().zip(&self.terms);
            way.abs() * parts.map(|(x, size)| (x * size).abs()).sum::<f64>()
        });
        self.still(slip) * (1.0 + self.held[i].mu_d) * parts.sum::<f64>()
    }

    /// The same of the rate at which it pivots (m/s²).
    fn pivot_noise(&self, i: usize, rate: f64) -> f64 {
        let Some(place) = self.pivots.place(i) else {
            return 0.0;
        };
        let n = self.terms.len();
        let row = &self.turns[place * n..(place + 1) * n];
        let parts = row.iter().zip(&self.terms);
        let sum: f64 = parts.map(|(x, size)| (x * size).abs()).sum();
        self.still(rate) * (1.0 + self.held[i].mu_d) * sum
    }

    /// Part of the terms of an acceleration below which it is none, at a slip that goes on or has not begun.
    fn still(&self, slip: f64) -> f64 {
        match self.starts_together && slip <= 0.0 && self.rows.width() == 3 {
            true => STARTED_STILL,
            false => HELD_STILL,
        }
    }

    /// Place of the first row of held contact `i`.
    fn at(&self, i: usize) -> usize {
        self.closures.count() + self.held[..i].iter().map(Held::rows).sum::<usize>()
    }

    /// Whether the force of held contact `i` is the same in all answers.
    pub(crate) fn is_unique(&self, i: usize) -> bool {
        let at = self.at(i);
        (at..at + self.held[i].rows()).all(|row| self.found.is_unique(row))
    }

    /// Force of held contact `i`, of the last accelerations.
    pub(crate) fn force(&self, i: usize) -> ContactForce {
        let (at, held) = (self.at(i), &self.held[i]);
        let n = self.multipliers[at];
        let mut t = self.ways[i].map(|way| -held.mu_d * way * n);
        let last = at + 1 + held.sticking();
        if held.mode.is_sticking() {
            let along = &self.multipliers[at + 1..last];
            t.iter_mut().zip(along).for_each(|(t, f)| *t = *f);
        }
        let p = match held.is_pivot_held() {
            true => self.multipliers[last],
            false => -held.mu_d * held.mode.pivot_sense() * n,
        };
        ContactForce { n, t, p }
    }

    /// Powers of the contacts, of the last accelerations.
    pub(crate) fn powers(&self, v: &[f64]) -> ContactPowers {
        let mut powers = ContactPowers::default();
        for (i, held) in self.held.iter().enumerate() {
            let (force, drift) = (self.force(i), self.rows.drift(i).velocity);
            if held.mode.is_sliding() {
                powers.friction += inner(force.t, self.rows.slips(i, v));
            }
            powers.motions -= force.n * drift.n + inner(force.t, drift.t);
            if let Some((_, drift)) = self.pivots.row(i) {
                if held.mode.pivot().is_some() {
                    powers.friction += force.p * self.pivots.rate(i, v);
                }
                powers.motions -= force.p * drift.velocity;
            }
        }
        powers
    }
}
