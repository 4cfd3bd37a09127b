//! The smooth motion between events, as the integrator sees it.

use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::{Energy, SingularMass, State};
use carom_ode::{Point, Problem};

/// Works integrated beside the motion: damping, drives, loads, prescribed motions.
pub(crate) const WORKS: usize = 4;

/// State `(q, v, works)` of a planar mechanism; one guard per contact, its gap.
pub(crate) struct Flow<'a> {
    pub(crate) mechanism: &'a mut PlaneMechanism,
    positions: usize,
    rates: usize,
    no_force: Vec<f64>,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(mechanism: &'a mut PlaneMechanism) -> Self {
        let (positions, rates) = (mechanism.model().positions(), mechanism.model().rates());
        Self {
            mechanism,
            positions,
            rates,
            no_force: vec![0.0; rates],
        }
    }

    /// Energies of the mechanism at a state.
    pub(crate) fn energy(&mut self, t: f64, q: &[f64], v: &[f64]) -> Energy {
        self.mechanism.place(State { t, q, v }).energy()
    }

    /// The start of the integration: no work done yet.
    pub(crate) fn start(q: &[f64], v: &[f64]) -> Vec<f64> {
        [q, v, &[0.0; WORKS]].concat()
    }

    /// Positions, rates and works of a state.
    pub(crate) fn split<'s>(&self, y: &'s [f64]) -> (&'s [f64], &'s [f64], &'s [f64]) {
        let (q, rest) = y.split_at(self.positions);
        let (v, works) = rest.split_at(self.rates);
        (q, v, works)
    }
}

impl Problem for Flow<'_> {
    type Failure = SingularMass;

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), SingularMass> {
        let (q, rest) = y.split_at(self.positions);
        let v = &rest[..self.rates];
        let (q_rate, rest) = dy.split_at_mut(self.positions);
        let (acceleration, works) = rest.split_at_mut(self.rates);
        self.mechanism.model().position_rate(q, v, q_rate);
        let mut placed = self.mechanism.place(State { t, q, v });
        placed.accelerations(&self.no_force, acceleration)?;
        let powers = placed.balance(acceleration, &[]).powers();
        let powers = [powers.damping, powers.drives, powers.loads, powers.motions];
        works.copy_from_slice(&powers);
        Ok(())
    }

    fn guards(
        &mut self,
        at: Point<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), SingularMass> {
        let (q, rest) = at.y.split_at(self.positions);
        let v = &rest[..self.rates];
        let touches = self.mechanism.touches(State { t: at.t, q, v });
        for ((value, rate), touch) in values.iter_mut().zip(rates).zip(touches) {
            (*value, *rate) = (touch.gap, touch.v_n);
        }
        Ok(())
    }
}
