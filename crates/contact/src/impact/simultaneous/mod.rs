//! Several contacts that close together.
//!
//! Without friction, by complementarity ([`Simultaneous`]):
//!
//! ```text
//! Newton    0 <= P ⟂ v⁺ + K v⁻ >= 0,   K at approaching contacts only
//! Poisson   0 <= P_c ⟂ v_c >= 0,       v_c = v⁻ + W P_c
//!           0 <= P_e − K P_c ⟂ v⁺ >= 0, v⁺ = v_c + W P_e
//! ```
//!
//! W may be singular: impulses are then shared in many ways and the one of least norm is given.
//! Newton's velocities are unique whenever they exist; opposed contacts can leave them none.
//! Poisson's always exist, and depend on how the compression is shared where unequal coefficients
//! weigh it. [`Simultaneous::solve_linear`] is Newton's ratio at every contact, pulling or not.
//!
//! With friction in the plane: [`rough`], every consistent outcome; in space: [`round`]. One contact after
//! another: [`sequence`]. Reference: `docs/theory/simultaneous-impact.md`.

mod agreement;
mod choices;
mod closing;
pub mod ending;
mod facts;
mod linear;
mod motion;
mod one;
mod open_ways;
pub mod rough;
pub mod round;
mod rows;
pub mod sequence;
mod sharing;

pub use closing::{Closing, SimultaneousEnd, SpatialClosing};

use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, Distance, LeastDistance, Lemke, LemkeEnd, dot};

use self::agreement::Agreement;
use self::rows::Rows;
use self::sharing::Sharing;
use super::{ImpactInputError, Law, Outcome};
use crate::contact_space::ContactSpace;

/// Solver of simultaneous impacts without friction; its buffers serve any number of them.
///
/// ```
/// use carom_contact::impact::Law;
/// use carom_contact::impact::simultaneous::{Closing, Simultaneous};
/// use carom_contact::contact_space::{ContactSpace, Mechanism};
///
/// // Three equal balls in a row, the first moving: both contacts close together.
/// let mut space = ContactSpace::new();
/// space.reduce(&Mechanism {
///     mass: &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
///     velocity: &[1.0, 0.0, 0.0],
///     rows: &[-1.0, 1.0, 0.0, 0.0, -1.0, 1.0],
///     constraints: &[],
/// })?;
/// let mut solver = Simultaneous::new();
/// let closing = Closing { rows: &[0, 1], v_n: &[-1.0, 0.0], restitution: &[1.0, 1.0] };
/// solver.solve(&space, &closing, Law::Poisson)?;
/// let mut velocity = [1.0, 0.0, 0.0];
/// space.apply(solver.impulses(), &mut velocity);
/// for (v, wanted) in velocity.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
///     assert!((v - wanted).abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Simultaneous {
    lemke: Lemke,
    sharing: Sharing,
    rows: Rows,
    /// Scaled by the lengths of the rows: velocities before, the vector q of the problem, impulses.
    v: Vec<f64>,
    q: Vec<f64>,
    p: Vec<f64>,
    p_comp: Vec<f64>,
    /// Contacts that may push in compression.
    closed_comp: Vec<usize>,
    returned: Vec<f64>,
    jump: Vec<f64>,
    /// What the impulses do to the mechanism, at the end and at greatest compression.
    motion: Vec<f64>,
    motion_comp: Vec<f64>,
    slack: Vec<f64>,
    ray: Vec<f64>,
    directions: Vec<f64>,
    /// Directions along which the impulses may change, of all phases.
    shares: Vec<f64>,
    plain: CompleteOrthogonal,
    /// Largest scaled velocity.
    speed: f64,
    miss: f64,
    is_least_norm: bool,
    is_known: bool,
    /// Whether velocities after depend on a share of the compression is not settled.
    is_unsettled: bool,
    unique: Vec<bool>,
    /// In the units given.
    impulses: Vec<f64>,
    impulses_comp: Vec<f64>,
    v_comp: Vec<f64>,
    v_post: Vec<f64>,
    works: Vec<f64>,
}

/// Whether a complementarity problem has a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Solution,
    Ray,
}

impl Simultaneous {
    /// A contact is closed when its velocity is below this fraction of the largest.
    pub const CLOSED_TOLERANCE: f64 = 1e-10;

    /// A gain of energy below this fraction of the works is round-off.
    pub const ENERGY_TOLERANCE: f64 = 1e-12;

    /// An answer that misses complementarity by a larger fraction is not given.
    pub const COMPLEMENTARITY_TOLERANCE: f64 = 1e-8;

    /// A velocity below this fraction of the terms it is the sum of is round-off.
    pub const VELOCITY_NOISE: f64 = 1e-13;

    /// An empty solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves the contacts of a reduced space that close together.
    ///
    /// Without friction `moreau` is `newton`; `energetic` and `whittaker` are refused, with the
    /// reason. Contacts that recede take part: they push only where they would close.
    ///
    /// # Panics
    ///
    /// When there is no such row, or the lists differ in length.
    pub fn solve(
        &mut self,
        space: &ContactSpace,
        closing: &Closing<'_>,
        law: Law,
    ) -> Result<SimultaneousEnd, ImpactInputError> {
        let is_poisson = closing::is_poisson(law)?;
        closing.check(space)?;
        self.start(space, closing);
        if closing.v_n.iter().all(|v| *v >= 0.0) {
            return self.finish(closing, law, Outcome::NoImpact);
        }
        let found = match is_poisson {
            true => self.poisson(closing),
            false => self.newton(closing),
        };
        if found == Found::Ray {
            let outcome = self.why_not();
            return Ok(SimultaneousEnd::without(law, outcome, self.rows.rank()));
        }
        let outcome = match is_poisson.then(|| self.look_at_shares(closing)) {
            None => Outcome::Solved,
            Some(Agreement::Whole) => {
                self.look_at_totals(closing);
                Outcome::Solved
            }
            Some(agreement) => {
                self.unique.fill(false);
                match agreement {
                    Agreement::Broken => Outcome::Undetermined,
                    _ => Outcome::Solved,
                }
            }
        };
        self.finish(closing, law, outcome)
    }

    /// Takes the rows and scales the velocities.
    fn start(&mut self, space: &ContactSpace, closing: &Closing<'_>) {
        let k = closing.rows.len();
        self.rows.take(space, closing.rows);
        self.v.clear();
        let scaled = closing.v_n.iter().enumerate();
        self.v.extend(scaled.map(|(i, v)| v / self.rows.size(i)));
        self.speed = self.v.iter().fold(0.0, |most, v| v.abs().max(most));
        self.rows.remove_drift(&mut self.v);
        self.shares.clear();
        for buffer in [&mut self.p, &mut self.p_comp, &mut self.ray] {
            buffer.clear();
            buffer.resize(k, 0.0);
        }
        for motion in [&mut self.motion, &mut self.motion_comp] {
            motion.clear();
            motion.resize(self.rows.n(), 0.0);
        }
        self.directions.clear();
        self.unique.clear();
        self.unique.resize(k, true);
        (self.miss, self.is_least_norm) = (0.0, true);
        (self.is_known, self.is_unsettled) = (false, false);
    }

    /// `q = v⁻ + K v⁻`, K at approaching contacts.
    fn newton(&mut self, closing: &Closing<'_>) -> Found {
        self.q.clear();
        let pairs = self.v.iter().zip(closing.restitution);
        let asked = pairs.map(|(v, e)| if *v < 0.0 { v + e * v } else { *v });
        self.q.extend(asked);
        let found = self.complementarity();
        self.motion.clone_from(&self.jump);
        found
    }

    /// Compression, then expansion by `P_e = K P_c + s`: `q = v⁻ + W (P_c + K P_c)` for s.
    fn poisson(&mut self, closing: &Closing<'_>) -> Found {
        self.q.clone_from(&self.v);
        if self.complementarity() == Found::Ray {
            return Found::Ray;
        }
        self.p_comp.clone_from(&self.p);
        self.motion_comp.clone_from(&self.jump);
        self.directions.clear();
        self.directions.extend_from_slice(self.sharing.directions());
        self.closed_comp.clear();
        self.closed_comp.extend_from_slice(self.sharing.closed());
        self.ask_expansion(closing);
        if self.complementarity() == Found::Ray {
            return Found::Ray;
        }
        for (p, returned) in self.p.iter_mut().zip(&self.returned) {
            *p += returned;
        }
        add(&mut self.motion, &self.jump);
        Found::Solution
    }

    /// `q = v_c + W K p` of the compression `p_comp`, with `v_c = 0` at contacts it leaves closed; `(1 + K) p`
    /// stays in `returned`.
    fn ask_expansion(&mut self, closing: &Closing<'_>) {
        let weighed = self.p_comp.iter().zip(closing.restitution);
        self.returned.clear();
        self.returned.extend(weighed.map(|(p, e)| p * e));
        self.give_back(closing);
        let terms = self.speed + self.returned.iter().sum::<f64>();
        self.q.clear();
        for (i, v) in self.slack.iter().enumerate() {
            let sum = v + dot(self.rows.vector(i), &self.jump);
            let is_round_off = sum.abs() <= Self::VELOCITY_NOISE * terms;
            self.q.push(if is_round_off { 0.0 } else { sum });
        }
        let both = self.returned.iter_mut().zip(&self.p_comp);
        both.for_each(|(returned, p)| *returned += p);
        self.motion.clone_from(&self.motion_comp);
        add(&mut self.motion, &self.jump);
    }

    /// What `K p_comp` does, into `jump`: a part of the motion of the compression, and what the contacts give
    /// back beside that part.
    fn give_back(&mut self, closing: &Closing<'_>) {
        let pairs = self.p_comp.iter().zip(closing.restitution);
        let most = pairs.clone().max_by(|a, b| a.0.total_cmp(b.0));
        let part = most.map_or(0.0, |(_, e)| *e);
        let beside: Vec<f64> = pairs.map(|(p, e)| p * (e - part)).collect();
        self.rows.sum(&beside, &mut self.jump);
        let whole = self.jump.iter_mut().zip(&self.motion_comp);
        whole.for_each(|(x, w)| *x += part * w);
    }

    /// `0 <= p ⟂ W p + q >= 0`: p of least norm, and which impulses are unique so far.
    ///
    /// Pivots first; where they lose their digits or meet a ray that proves nothing, least distance
    /// decides.
    fn complementarity(&mut self) -> Found {
        let end = self.lemke.solve(self.rows.w(), &self.q);
        self.p.copy_from_slice(self.lemke.z());
        let is_good = end == LemkeEnd::Solved && self.misses() <= Self::COMPLEMENTARITY_TOLERANCE;
        let is_ray = end == LemkeEnd::Ray && self.keeps_ray();
        if is_ray || (!is_good && self.by_least_distance() == Found::Ray) {
            return Found::Ray;
        }
        let floor = Self::CLOSED_TOLERANCE * self.after_size();
        let slack = &self.slack;
        let is_closed = |i: usize| slack[i] <= floor;
        self.is_least_norm &= self.sharing.settle(&self.rows, is_closed, &mut self.p);
        self.shares.extend_from_slice(self.sharing.directions());
        for (all, one) in self.unique.iter_mut().zip(self.sharing.unique()) {
            *all &= one;
        }
        let miss = self.misses();
        let miss = self.refine().unwrap_or(miss);
        self.miss = self.miss.max(miss);
        // What closed contacts keep of their velocity is round-off.
        let floor = Self::CLOSED_TOLERANCE * self.after_size();
        let closed = self.slack.iter_mut().filter(|slack| **slack <= floor);
        closed.for_each(|slack| *slack = 0.0);
        Found::Solution
    }

    /// Size of the velocities that add up after what is in `jump`.
    fn after_size(&self) -> f64 {
        self.speed + length(&self.jump)
    }

    /// How far `p` misses complementarity, `|min(p, slack)|` beside the sizes that add up; what `p` does
    /// stays in `jump`, its slack in `slack`.
    fn misses(&mut self) -> f64 {
        self.rows.sum(&self.p, &mut self.jump);
        let size = self.after_size();
        // Large impulses that nearly cancel leave no digit of the sum.
        let pressed: f64 = self.p.iter().sum();
        let mut worst = f64::EPSILON * pressed / size;
        self.slack.clear();
        for (i, q) in self.q.iter().enumerate() {
            let slack = q + dot(self.rows.vector(i), &self.jump);
            worst = worst.max(slack.min(self.p[i]).abs() / size);
            self.slack.push(slack);
        }
        worst
    }

    /// The problem as the shortest motion that meets every contact.
    fn by_least_distance(&mut self) -> Found {
        let mut solver = LeastDistance::default();
        let end = solver.solve(self.rows.vectors(), self.rows.n(), &self.q);
        if end == Distance::Empty {
            self.ray.copy_from_slice(solver.p());
            return Found::Ray;
        }
        self.p.copy_from_slice(solver.p());
        self.misses();
        Found::Solution
    }

    /// After a ray: no impulse stops the approach (a jam), or none gives what Newton asks.
    fn why_not(&mut self) -> Outcome {
        self.unique.fill(false);
        let mut solver = LeastDistance::default();
        let end = solver.solve(self.rows.vectors(), self.rows.n(), &self.v);
        match end {
            Distance::Empty => {
                self.ray.copy_from_slice(solver.p());
                Outcome::Jammed
            }
            Distance::Found => Outcome::Infeasible,
        }
    }

    /// Keeps a ray of the pivots that proves what it should: `y >= 0`, `W y = 0`, `qᵀy < 0`.
    fn keeps_ray(&mut self) -> bool {
        self.ray.copy_from_slice(self.lemke.ray());
        self.rows.sum(&self.ray, &mut self.jump);
        let size = length(&self.ray);
        let is_null = length(&self.jump) <= CompleteOrthogonal::RANK_TOLERANCE * size;
        let gain = -dot(&self.ray, &self.q);
        is_null && gain > Self::COMPLEMENTARITY_TOLERANCE * size * length(&self.q)
    }

    fn unfinished(&self, law: Law) -> ImpactInputError {
        ImpactInputError::Unfinished {
            law,
            pivots: self.lemke.pivots(),
        }
    }
}

/// Adds a vector to another.
fn add(sum: &mut [f64], part: &[f64]) {
    sum.iter_mut().zip(part).for_each(|(a, b)| *a += b);
}
