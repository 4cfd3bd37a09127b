//! Contacts in space that touch, at rest or sliding: the accelerations that friction allows.
//!
//! ```text
//! a = W λ + d
//! sliding along u    0 <= λ_n ⟂ a_n >= 0,   λ_t = −μ_d λ_n u
//! at rest            lift   λ = 0, a_n >= 0
//!                    stick  a = 0, |λ_t| <= μ_s λ_n
//!                    onset  a_n = 0, a_t ≠ 0, λ_t = −μ_d λ_n a_t/|a_t|
//! ```
//!
//! A contact may resist pivoting about its normal too, along a row of its own:
//!
//! ```text
//! pivots             λ_p = −μ_d λ_n sgn ω_n
//! at rest            held   a_p = 0, |λ_p| <= μ_s λ_n
//!                    begins a_p ≠ 0, λ_p = −μ_d λ_n sgn a_p
//! ```
//!
//! All but an onset are linear. Every combination of modes with at most one onset is solved exactly: the
//! others are eliminated, and the directions of the onset are the roots of a quartic
//! ([`OneContact`](crate::cone::alone::OneContact)). Two onsets and more are left to
//! [`ConeSolver`]: one answer, found by iteration. One contact has one or three answers wherever it was
//! tried; unlike in the plane three occur below the friction of Painlevé's paradox.

mod bounds;
mod equal;
mod notes;
mod pattern;
mod posed;
mod problem;
mod result;
mod rough;
mod sliding;
mod slipping;
mod stated;
mod told;

use crate::cone::{
    ConeContact, ConeInputError, ConeMode, ConePivot, ConeProblem, ConeSolver, PivotMode, Verdict,
};
use crate::contact_space::Friction;

pub use self::equal::equally_stiff;
use self::pattern::Pattern;
pub use self::posed::{Motion, RoughJoint, SpatialForward};
pub use self::problem::{SpatialForwardContact, SpatialForwardProblem};
pub use self::result::{
    ForwardNote, ForwardNoteCode, FrictionForce, SpatialAnswer, SpatialForwardResult,
    SpatialResolution,
};
pub use self::rough::JOINT_COMBINATIONS;
pub use self::slipping::SlippingContact;
pub use self::stated::{StatedForward, StatedTouch};

/// Contacts in space that touch, rows (n, t1, t2) for each, and after them one row for each pivot.
#[derive(Debug, Clone, Copy)]
pub struct TouchProblem<'a> {
    /// Inverse inertia W by rows, symmetric and positive semidefinite (1/kg).
    pub w: &'a [f64],
    /// Accelerations without contact forces (m/s²).
    pub drift: &'a [f64],
    /// The contacts.
    pub contacts: &'a [TouchContact],
    /// Those of them that resist pivoting, one for a contact at most.
    pub pivots: &'a [TouchPivot],
}

/// A contact that touches: `v_n = 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchContact {
    /// Coulomb's coefficients.
    pub friction: Friction,
    /// Unit vector along (t1, t2) in which it slides; none at rest.
    pub slip: Option<[f64; 2]>,
}

/// A contact that resists pivoting about its normal. Its row is the turning rate times a length ℓ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPivot {
    /// Which.
    pub contact: usize,
    /// Coefficients in the unit of its row, `μ r/ℓ`.
    pub friction: Friction,
    /// Sign of its turning rate, 1 or −1; none at rest.
    pub sense: Option<f64>,
}

/// What a contact does at the instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchMode {
    /// `a = 0`, `|λ_t| <= μ_s λ_n`.
    Stick,
    /// It slides on: `a_n = 0`, `λ_n >= 0`.
    Slide,
    /// It starts to slip along `a_t`.
    Onset,
    /// `λ = 0`, `a_n >= 0`.
    Lift,
}

/// One consistent acceleration.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchAnswer {
    /// What each contact does.
    pub modes: Vec<TouchMode>,
    /// What each pivot does.
    pub pivots: Vec<PivotMode>,
    /// Forces λ, three for each contact, then one for each pivot (N).
    pub force: Vec<f64>,
    /// Accelerations `W λ + d` (m/s²).
    pub acceleration: Vec<f64>,
    /// Of the only onset: whether slips in directions near its own turn towards it.
    pub is_attracting: Option<bool>,
    /// Whether no other force was found that belongs to this acceleration, and none can in these modes.
    pub is_force_unique: bool,
    /// Whether it was found in closed form; if not, by iteration.
    pub is_exact: bool,
}

/// The accelerations that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchAnswers {
    /// In lexicographic order of acceleration.
    pub answers: Vec<TouchAnswer>,
    /// Whether every answer is listed: at most one contact at rest, none of whose inequalities is decided
    /// by round-off, and no combination of modes with shared forces.
    pub is_complete: bool,
    /// Of the acceleration: `Unique` where the list is complete and holds one, or by the bound of
    /// [`ConeSolver::uniqueness`]; `Several` where it holds more.
    pub acceleration: Verdict,
    /// Largest acceleration without contact forces (m/s²).
    drift: f64,
}

/// Contacts up to which all combinations of modes are gone through; of contacts that resist pivoting at rest, each
/// of which has four modes in place of two, half as many.
pub const ENUMERATED: usize = 10;

/// Answers that differ by less than this part of their size are one.
const SAME: f64 = 1e-9;

/// Finds the accelerations that friction allows to contacts in space.
pub fn answers(problem: &TouchProblem<'_>) -> Result<TouchAnswers, ConeInputError> {
    let contacts: Vec<ConeContact> = problem.contacts.iter().map(TouchContact::cone).collect();
    let posed = ConeProblem {
        w: problem.w,
        q: problem.drift,
        contacts: &contacts,
    };
    let pivots: Vec<ConePivot> = problem.pivots.iter().map(TouchPivot::cone).collect();
    let mut solver = ConeSolver::new();
    let end = solver.solve_with(&posed, &pivots)?; // checks the numbers too
    let resting = problem.contacts.iter().filter(|c| c.slip.is_none()).count();
    let mut found = TouchAnswers {
        answers: Vec::new(),
        is_complete: resting <= 1,
        acceleration: Verdict::Undecided,
        drift: largest(problem.drift),
    };
    match problem.combinations() <= 1 << ENUMERATED {
        true => Pattern::new(problem).enumerate(&mut found),
        false => found.is_complete = false,
    }
    if end.is_solved && !found.is_complete {
        found.add(problem.by_iteration(&solver));
    }
    found.sort();
    found.judge(problem, &mut solver);
    Ok(found)
}

impl TouchContact {
    /// A contact at rest with one coefficient; none where it is not a coefficient.
    pub fn at_rest(mu: f64) -> Option<Self> {
        let friction = Friction::uniform(mu).ok()?;
        let slip = None;
        Some(Self { friction, slip })
    }

    /// With its kinetic coefficient alone.
    fn cone(&self) -> ConeContact {
        ConeContact {
            slip: self.slip,
            ..ConeContact::new(self.friction.mu_d())
        }
    }

    fn has_one_coefficient(&self) -> bool {
        self.slip.is_some() || is_one(&self.friction)
    }
}

fn is_one(friction: &Friction) -> bool {
    friction.mu_s().to_bits() == friction.mu_d().to_bits()
}

impl TouchPivot {
    /// With its kinetic coefficient alone.
    fn cone(&self) -> ConePivot {
        ConePivot {
            contact: self.contact,
            mu: self.friction.mu_d(),
            sense: self.sense,
        }
    }

    fn has_one_coefficient(&self) -> bool {
        self.sense.is_some() || is_one(&self.friction)
    }
}

impl TouchProblem<'_> {
    /// How many modes the contacts have together, but for onsets.
    fn combinations(&self) -> usize {
        let each = (0..self.contacts.len()).map(|i| {
            let mut own = self.pivots.iter().filter(|pivot| pivot.contact == i);
            match own.any(|pivot| pivot.sense.is_none()) {
                true => 4,
                false => 2,
            }
        });
        each.fold(1usize, |all, one| all.saturating_mul(one))
    }

    /// The answer of the iteration.
    fn by_iteration(&self, solver: &ConeSolver) -> TouchAnswer {
        let modes = solver.modes().iter().zip(self.contacts);
        let name = |(mode, contact): (&ConeMode, &TouchContact)| match (mode, contact.slip) {
            (ConeMode::Open, _) => TouchMode::Lift,
            (ConeMode::Stick, _) => TouchMode::Stick,
            (ConeMode::Slide, Some(_)) => TouchMode::Slide,
            (ConeMode::Slide, None) => TouchMode::Onset,
        };
        TouchAnswer {
            modes: modes.map(name).collect(),
            pivots: solver.pivots().to_vec(),
            force: solver.impulse().to_vec(),
            acceleration: solver.velocity().to_vec(),
            is_attracting: None,
            is_force_unique: false,
            is_exact: false,
        }
    }
}

impl TouchAnswers {
    /// Adds an answer unless its acceleration is there: where modes meet in one motion the first is kept,
    /// and its forces are not unique if they differ.
    fn add(&mut self, answer: TouchAnswer) {
        let drift = self.drift;
        let is_same =
            |known: &&mut TouchAnswer| is_near(&known.acceleration, &answer.acceleration, drift);
        match self.answers.iter_mut().find(is_same) {
            None => self.answers.push(answer),
            Some(known) => known.is_force_unique &= is_near(&known.force, &answer.force, 0.0),
        }
    }

    fn sort(&mut self) {
        let order = |x: &TouchAnswer, y: &TouchAnswer| {
            let pairs = x.acceleration.iter().zip(&y.acceleration);
            let mut orders = pairs.map(|(a, b)| a.total_cmp(b));
            orders
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        self.answers.sort_by(order);
    }

    /// What the list says about uniqueness, and the bound where it does not.
    fn judge(&mut self, problem: &TouchProblem<'_>, solver: &mut ConeSolver) {
        // Those that were added differ.
        if self.answers.len() > 1 {
            self.acceleration = Verdict::Several;
        } else if self.is_complete && self.answers.len() == 1 {
            self.acceleration = Verdict::Unique;
        } else if problem
            .contacts
            .iter()
            .all(TouchContact::has_one_coefficient)
            && problem.pivots.iter().all(TouchPivot::has_one_coefficient)
        {
            self.acceleration = solver.uniqueness().velocity;
        }
    }
}

/// Number by number, beside the largest, `least` at least.
fn is_near(a: &[f64], b: &[f64], least: f64) -> bool {
    let size = largest(a).max(largest(b)).max(least);
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= SAME * size)
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most, x| x.abs().max(most))
}
