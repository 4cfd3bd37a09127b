//! Where every joule went.

use crate::ImpactEvent;
use crate::flow::WORKS;

/// Energies and works of a run (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ledger {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// The same at the end.
    pub end: f64,
    /// Work of the joint dampers, never positive.
    pub damping: f64,
    /// Work of the joint drives.
    pub drives: f64,
    /// Work of the loads.
    pub loads: f64,
    /// Work of prescribed motions, between impacts and in them.
    pub motions: f64,
    /// Work of the normal impulses of all impacts.
    pub impacts_normal: f64,
    /// Work of the friction impulses of all impacts.
    pub impacts_friction: f64,
    /// Largest energy or work met, by which the residual is judged.
    pub largest: f64,
}

impl Ledger {
    pub(crate) fn opened(energy: f64) -> Self {
        Self {
            start: energy,
            end: energy,
            largest: energy.abs(),
            ..Self::default()
        }
    }

    pub(crate) fn book(&mut self, event: &ImpactEvent) {
        if let Some(end) = event.solution.end {
            self.impacts_normal += end.work.n;
            self.impacts_friction += end.work.t;
        }
        self.motions += event.motion_work;
    }

    pub(crate) fn saw(&mut self, energy: f64) {
        self.largest = self.largest.max(energy.abs());
    }

    pub(crate) fn closed(mut self, energy: f64, works: &[f64]) -> Self {
        let mut smooth = [0.0; WORKS];
        smooth.copy_from_slice(works);
        self.damping += smooth[0];
        self.drives += smooth[1];
        self.loads += smooth[2];
        self.motions += smooth[3];
        self.end = energy;
        self.saw(energy);
        for work in [self.damping, self.drives, self.loads, self.motions] {
            self.saw(work);
        }
        self
    }

    /// What does not add up: `end − start − Σ works` (J).
    pub fn residual(&self) -> f64 {
        let smooth = self.damping + self.drives + self.loads + self.motions;
        self.end - self.start - (smooth + self.impacts_normal + self.impacts_friction)
    }
}
