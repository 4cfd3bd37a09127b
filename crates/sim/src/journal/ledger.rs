//! Where every joule went.

use serde::{Deserialize, Serialize};

use super::event::{Event, Happening};
use crate::flow::WORKS_IN_CONTACT;

/// Energies and works of a run (J).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
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
    /// Work of friction in contacts that stay closed, never positive.
    #[serde(default)]
    pub friction: f64,
    /// Change of energy in the impacts that jumps to the limits of accumulations left out.
    #[serde(default)]
    pub accumulations: f64,
    /// Change of energy in the resets of the system's own events.
    pub resets: f64,
    /// Largest energy or work of the motion: kinetic, total, or done by something.
    pub largest: f64,
    /// Largest term that energies and works are sums of, at least `largest`: the round-off of the residual
    /// is a part of it. A light body near a jam has terms that its works are small differences of.
    #[serde(default)]
    pub scale: f64,
}

impl Ledger {
    /// From the energy at the start, total and kinetic.
    pub(crate) fn opened(total: f64, kinetic: f64) -> Self {
        let mut ledger = Self {
            start: total,
            end: total,
            ..Self::default()
        };
        ledger.saw(total);
        ledger.saw(kinetic);
        ledger
    }

    pub(crate) fn book(&mut self, event: &Event) {
        let [normal, friction] = event.works();
        self.impacts_normal += normal;
        self.impacts_friction += friction;
        self.motions += event.motion_work;
        if let (Happening::Reset { .. }, Some(change)) = (&event.what, event.energy_change) {
            self.resets += change;
        }
        if let (Happening::Accumulation(_), Some(change)) = (&event.what, event.energy_change) {
            self.accumulations += change - event.motion_work;
        }
        self.saw(normal);
        self.saw(friction);
        let end = event.impact().and_then(|impact| impact.solution.end);
        let terms = end.map_or(0.0, |end| end.energy_scale);
        self.scale = self.scale.max(terms);
    }

    fn saw(&mut self, energy: f64) {
        self.largest = self.largest.max(energy.abs());
        self.scale = self.scale.max(self.largest);
    }

    /// With the energy at the end, total and kinetic, and the works of the smooth motion.
    pub(crate) fn closed(mut self, total: f64, kinetic: f64, works: &[f64]) -> Self {
        let mut smooth = [0.0; WORKS_IN_CONTACT];
        for (sum, work) in smooth.iter_mut().zip(works) {
            *sum = *work;
        }
        self.damping += smooth[0];
        self.drives += smooth[1];
        self.loads += smooth[2];
        self.motions += smooth[3];
        self.friction += smooth[4];
        self.end = total;
        let works = [
            self.damping,
            self.drives,
            self.loads,
            self.motions,
            self.friction,
        ];
        for energy in [total, kinetic].into_iter().chain(works) {
            self.saw(energy);
        }
        self
    }

    /// What does not add up: `end − start − Σ works` (J).
    pub fn residual(&self) -> f64 {
        let smooth = self.damping + self.drives + self.loads + self.motions + self.friction;
        let impacts =
            self.impacts_normal + self.impacts_friction + self.accumulations + self.resets;
        self.end - self.start - (smooth + impacts)
    }
}
