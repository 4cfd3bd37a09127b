//! Energies of a placed mechanism and the powers that change them.

use super::place::{Placed, inertia};
use crate::algebra::{Algebra, InertiaMap};
use crate::vector::Linear;

/// Energy of a mechanism, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// `½ Σ V·I V` (J).
    pub kinetic: f64,
    /// `−Σ m g·c`, zero where the mass centres are at the world's origin (J).
    pub gravity: f64,
    /// `½ Σ k (q − rest)²` (J).
    pub springs: f64,
}

impl Energy {
    /// Sum (J).
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.springs
    }
}

/// Powers that change the energy; positive feeds the mechanism.
///
/// Between impacts, and with the power of contact forces added, their sum is the rate of
/// [`Energy::total`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Powers {
    /// Of the joint dampers, never positive (W).
    pub damping: f64,
    /// Of the joint drives (W).
    pub drives: f64,
    /// Of the loads on bodies (W).
    pub loads: f64,
    /// Of what enforces the prescribed motions (W).
    pub motions: f64,
}

impl Powers {
    /// Sum (W).
    pub fn total(&self) -> f64 {
        self.damping + self.drives + self.loads + self.motions
    }
}

impl<A: Algebra> Placed<'_, A> {
    /// Kinetic and potential energy (J).
    pub fn energy(&self) -> Energy {
        let bodies = self.model.nodes.iter().zip(&self.work.moving).skip(1);
        let mut energy = Energy {
            springs: self.work.found.spring_energy,
            ..Energy::default()
        };
        for (node, moving) in bodies {
            let momentum = inertia(node, moving).times(moving.twist);
            energy.kinetic += 0.5 * momentum.power(moving.twist);
            let center = moving.pose.point(node.center);
            energy.gravity -= node.mass * self.model.gravity.dot(center);
        }
        energy
    }
}
