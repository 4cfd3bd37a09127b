//! A mechanism as an event loop sees it.

use crate::contact::{ContactComponents, Feature, Touch};
use crate::dynamics::{Placed, SingularMass, State, Workspace};
use crate::model::Model;
use crate::plane::Plane;
use crate::plane::linkage::Linkage;

/// What a simulation asks of a mechanism: `M v̇ + h = Jᵀ f`, and contacts with gaps.
///
/// Matrices are row by row; slices have the lengths of [`Mechanism::positions`],
/// [`Mechanism::rates`] and [`Mechanism::contacts`]. Every question is asked at a state of its own;
/// work arrays belong to the mechanism, hence `&mut self`.
pub trait Mechanism {
    /// Length of `q`.
    fn positions(&self) -> usize;
    /// Length of `v`.
    fn rates(&self) -> usize;
    /// Count of contacts.
    fn contacts(&self) -> usize;
    /// Rate of change of the positions.
    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]);
    /// Mass matrix, n × n.
    fn mass(&mut self, state: State<'_>, out: &mut [f64]);
    /// Bias h.
    fn bias(&mut self, state: State<'_>, out: &mut [f64]);
    /// Gaps of all contacts (m).
    fn gaps(&mut self, state: State<'_>, out: &mut [f64]);
    /// Normal and tangential velocity of all contacts (m/s).
    fn contact_velocities(&mut self, state: State<'_>, out: &mut [ContactComponents]);
    /// Rows of one contact, and what adds to `J v` (m/s) and to `J v̇` (m/s²).
    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift;
}

/// Where the Jacobian rows of a contact go.
#[derive(Debug)]
pub struct Rows<'a> {
    /// `v_n` per unit of each rate.
    pub normal: &'a mut [f64],
    /// `v_t` per unit of each rate.
    pub tangent: &'a mut [f64],
}

/// What velocity and acceleration of a contact have beyond `J v` and `J v̇`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactDrift {
    /// `v − J v` (m/s): prescribed motions.
    pub velocity: ContactComponents,
    /// `dv/dt − J v̇` (m/s²): `J̇ v` and prescribed motions.
    pub acceleration: ContactComponents,
}

/// Where the rates of change of a state go.
#[derive(Debug)]
pub struct Derivative<'a> {
    /// Of the positions.
    pub q: &'a mut [f64],
    /// Of the rates.
    pub v: &'a mut [f64],
}

/// A plane model with its work arrays and its contacts.
#[derive(Debug, Clone)]
pub struct PlaneMechanism {
    model: Model<Plane>,
    work: Workspace<Plane>,
    features: Vec<Feature>,
    /// The couplings, where every joint is revolute and bodies are few.
    linkage: Option<Linkage>,
}

impl PlaneMechanism {
    /// From a model and the contacts to watch, as [`Model::features`] gives them.
    pub fn new(model: Model<Plane>, features: Vec<Feature>) -> Self {
        let work = model.workspace();
        Self {
            linkage: Linkage::of(&model),
            work,
            features,
            model,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model<Plane> {
        &self.model
    }

    /// The contacts.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The mechanism at a state, for questions beyond [`Mechanism`].
    pub fn place(&mut self, state: State<'_>) -> Placed<'_, Plane> {
        self.model.place(&mut self.work, state)
    }

    /// Rates of change of positions and rates at a state, `M v̇ + h = force`; a few bodies on
    /// revolute joints need no placing for them.
    ///
    /// # Panics
    ///
    /// When `force`, `out` or the state have not the lengths of the model.
    #[inline]
    pub fn rates_of_change(
        &mut self,
        state: State<'_>,
        force: &[f64],
        out: Derivative<'_>,
    ) -> Result<(), SingularMass> {
        let Derivative { q, v } = out;
        if let Some(linkage) = &self.linkage
            && linkage.rates(state, force, Derivative { q, v })
        {
            return Ok(());
        }
        self.model.position_rate(state.q, state.v, q);
        self.place(state).accelerations(force, v)
    }

    #[cfg(test)]
    pub(crate) fn is_linkage(&self) -> bool {
        self.linkage.is_some()
    }

    /// How every contact touches at a state, in order; the mechanism is placed once.
    pub fn touches(&mut self, state: State<'_>) -> impl Iterator<Item = Touch> {
        let placed = self.model.place(&mut self.work, state);
        self.features
            .iter()
            .map(move |feature| placed.touch(feature))
    }
}

impl Mechanism for PlaneMechanism {
    fn positions(&self) -> usize {
        self.model.positions()
    }

    fn rates(&self) -> usize {
        self.model.rates()
    }

    fn contacts(&self) -> usize {
        self.features.len()
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        self.model.position_rate(state.q, state.v, out);
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).mass(out);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        self.place(state).bias(out);
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [f64]) {
        for (gap, touch) in out.iter_mut().zip(self.touches(state)) {
            *gap = touch.gap;
        }
    }

    fn contact_velocities(&mut self, state: State<'_>, out: &mut [ContactComponents]) {
        for (velocity, touch) in out.iter_mut().zip(self.touches(state)) {
            *velocity = ContactComponents {
                n: touch.v_n,
                t: touch.v_t,
            };
        }
    }

    fn contact_rows(&mut self, state: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        let placed = self.model.place(&mut self.work, state);
        let feature = &self.features[contact];
        let touch = placed.touch(feature);
        ContactDrift {
            velocity: placed.contact_rows(&touch, rows.normal, rows.tangent),
            acceleration: placed.contact_bias(feature, &touch),
        }
    }
}
