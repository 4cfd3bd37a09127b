//! Friction against pivoting about the normal of a contact: one row more, bounded by the load of the contact.
//!
//! ```text
//! −μ r_n <= r_p <= μ r_n where u_p = 0,    r_p = −μ r_n sgn u_p where not
//! ```
//!
//! It counts apart from the friction along the surface: neither takes anything off the other.

use super::problem::ConeInputError;
use super::scene::Scene;
use crate::contact_space::is_in_range;

/// The row of a contact that pivots, after the rows of all contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConePivot {
    /// The contact.
    pub contact: usize,
    /// Coefficient in the unit of the row: `μ r/ℓ` where that is the turning rate times a length ℓ.
    pub mu: f64,
    /// Sign of a pivoting under way, so that `r_p = −μ r_n sense` whatever `u_p`; none at rest.
    pub sense: Option<f64>,
}

/// What a contact does about its normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PivotMode {
    /// The contact bears nothing, and resists nothing.
    Free,
    /// `u_p = 0`, `|r_p| <= μ r_n`.
    Held,
    /// `u_p > 0`, `r_p = −μ r_n`.
    Forward,
    /// `u_p < 0`, `r_p = μ r_n`.
    Backward,
}

impl PivotMode {
    /// Pivoting in the sense of a rate.
    pub fn pivoting(rate: f64) -> Self {
        match rate > 0.0 {
            true => Self::Forward,
            false => Self::Backward,
        }
    }

    /// Sign of the rate; zero where there is none, or none that matters.
    pub fn sense(self) -> f64 {
        match self {
            Self::Free | Self::Held => 0.0,
            Self::Forward => 1.0,
            Self::Backward => -1.0,
        }
    }
}

impl ConePivot {
    /// Whether it belongs to one of so many contacts, with numbers that mean something.
    pub(super) fn check(&self, index: usize, contacts: usize) -> Result<(), ConeInputError> {
        let wrong = |which, value| ConeInputError::OutOfRange {
            which,
            index,
            value,
        };
        let sense = self.sense.unwrap_or(1.0);
        if self.contact >= contacts {
            return Err(wrong("pivot contact", self.contact as f64));
        }
        if !(self.mu >= 0.0 && is_in_range(self.mu)) {
            return Err(wrong("pivot friction", self.mu));
        }
        match sense.abs() == 1.0 {
            true => Ok(()),
            false => Err(wrong("pivot sense", sense)),
        }
    }
}

/// Value and slopes of the map of a pivot, `dF = a·dr + b·du` along (n, p).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PivotPiece {
    pub(super) f: f64,
    pub(super) a: [f64; 2],
    pub(super) b: [f64; 2],
}

/// The numbers of a contact and its pivot: impulses and velocities along (n, p), and what the latter are
/// multiplied by.
#[derive(Debug, Clone, Copy)]
pub(super) struct PivotState {
    pub(super) rho: [f64; 2],
    pub(super) r: [f64; 2],
    pub(super) u: [f64; 2],
}

impl PivotState {
    /// Load by which friction is bounded, on a contact that returns at least `floor`; whether it grows with it.
    fn load(&self, floor: f64) -> (f64, bool) {
        let pressed = self.r[0] - floor - self.rho[0] * self.u[0];
        (floor + pressed.max(0.0), pressed > 0.0)
    }

    /// `F_p = r_p − (r_p − ρ u_p brought to within ±μ load)`, as along a tangent.
    pub(super) fn piece(&self, law: &ConePivot, floor: f64) -> PivotPiece {
        let ([_, rho], [load, r], [_, u]) = (self.rho, self.r, self.u);
        if let Some(sense) = law.sense {
            return PivotPiece {
                f: r + law.mu * sense * load,
                a: [law.mu * sense, 1.0],
                b: [0.0; 2],
            };
        }
        let (bound, is_pressed) = self.load(floor);
        let (radius, z) = (law.mu * bound, r - rho * u);
        if z.abs() <= radius && radius > 0.0 {
            return PivotPiece {
                f: rho * u,
                a: [0.0; 2],
                b: [0.0, rho],
            };
        }
        let side = law.mu * z.signum() * f64::from(u8::from(z != 0.0));
        let slope = if is_pressed { side } else { 0.0 };
        PivotPiece {
            f: r - side * bound,
            a: [-slope, 1.0],
            b: [slope * self.rho[0], 0.0],
        }
    }

    /// What is missed of the law, and of its bounds alone.
    pub(super) fn misses(&self, law: &ConePivot) -> [f64; 2] {
        let ([load, r], [_, u]) = (self.r, self.u);
        let bound = law.mu * load.max(0.0);
        match law.sense {
            Some(sense) => [r + sense * bound; 2],
            None => [r - within(bound, r - u), r - within(bound, r)],
        }
    }

    /// What the pivot of a contact does; `side` is the part of its bound that is round-off.
    fn mode(&self, law: &ConePivot, floor: f64, side: f64) -> PivotMode {
        let (bound, _) = self.load(floor);
        let z = self.r[1] - self.rho[1] * self.u[1];
        match law.sense {
            _ if bound <= 0.0 => PivotMode::Free,
            Some(sense) => PivotMode::pivoting(sense),
            None if z.abs() <= law.mu * bound * (1.0 + side) => PivotMode::Held,
            None => PivotMode::pivoting(-z),
        }
    }
}

/// A number brought to within ±bound.
pub(super) fn within(bound: f64, x: f64) -> f64 {
    x.min(bound).max(-bound)
}

impl Scene {
    /// Numbers of pivot `j` and its contact, of impulses and velocities.
    pub(super) fn pivot_state(&self, j: usize, r: &[f64], u: &[f64]) -> PivotState {
        let contact = self.pivots[j].contact;
        let (n, p) = (3 * contact, self.pivot_row(j));
        PivotState {
            rho: [self.rho[contact][0], self.pivot_rho[j]],
            r: [r[n], r[p]],
            u: [u[n], u[p]],
        }
    }

    /// What pivot `j` does.
    pub(super) fn pivot_mode(&self, j: usize, r: &[f64], u: &[f64], side: f64) -> PivotMode {
        let law = &self.pivots[j];
        let floor = self.contacts[law.contact].floor;
        self.pivot_state(j, r, u).mode(law, floor, side)
    }

    /// The row of pivot `j`.
    pub(super) fn pivot_row(&self, j: usize) -> usize {
        3 * self.contacts.len() + j
    }
}
