//! How a contact pivots about its normal.

use super::feature::SolidFeature;
use super::touch::SolidTouch;
use crate::algebra::Wrench;
use crate::dynamics::Placed;
use crate::loops::PointWrench;
use crate::model::BodyId;
use crate::space::Space;
use crate::vector::{Linear, Vector};

impl SolidTouch {
    /// A moment along the normal (N·m), or its impulse (N·m·s), as it acts on A and, reversed, on B.
    pub fn couple(&self, spin: f64) -> [PointWrench<Space>; 2] {
        let on = |body, point, spin: f64| PointWrench {
            body,
            point,
            wrench: Wrench {
                moment: self.normal * spin,
                force: Vector::default(),
            },
        };
        [
            on(self.body_a, self.point_a, spin),
            on(self.body_b, self.point_b, -spin),
        ]
    }
}

impl Placed<'_, Space> {
    /// Writes the row of the rate at which a contact pivots about its normal and returns what prescribed motions
    /// add: `n·(ω_A − ω_B) = row·v + drift`.
    ///
    /// # Panics
    ///
    /// When the row has not the length of the rates.
    pub fn pivot_row(&self, touch: &SolidTouch, row: &mut [f64]) -> f64 {
        assert_eq!(row.len(), self.model.rates, "a row has one number per rate");
        row.fill(0.0);
        let base = self.common_base(touch.body_a, touch.body_b);
        self.add_turning(base, touch.body_a, touch.normal, row)
            + self.add_turning(base, touch.body_b, -touch.normal, row)
    }

    /// Rate of `n·(ω_A − ω_B)` when the free rates do not change:
    ///
    /// ```text
    /// ṅ·(ω_A − ω_B) + n·(α_A − α_B)
    /// ```
    pub fn pivot_bias(&self, feature: &SolidFeature, touch: &SolidTouch) -> f64 {
        let turning = |body| self.twist(body).angular;
        let bias = |body, point| self.acceleration_bias(body, point).angular;
        let rate = self.contact_motion(feature, touch).normal;
        let apart = turning(touch.body_a) - turning(touch.body_b);
        let turned = bias(touch.body_a, touch.point_a) - bias(touch.body_b, touch.point_b);
        rate.dot(apart) + touch.normal.dot(turned)
    }

    /// Adds to a row the turning of a body about an axis, as seen from a body further in on which it hangs.
    fn add_turning(&self, base: BodyId, body: BodyId, axis: Vector<3>, row: &mut [f64]) -> f64 {
        let (mut i, mut drift) = (body.0, 0.0);
        while i != base.0 {
            let node = &self.model.nodes[i];
            for c in 0..node.columns {
                let along = axis.dot(self.work.columns[node.column + c].angular);
                match node.motion {
                    None => row[node.v_at + c] += along,
                    Some(_) => drift += along * self.work.rates[node.column + c],
                }
            }
            i = node.parent;
        }
        drift
    }
}
