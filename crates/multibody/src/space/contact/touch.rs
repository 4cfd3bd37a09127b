//! A contact of a placed mechanism: gap, directions, points, rates, Jacobian rows.

use super::feature::SolidFeature;
use super::frame::tangents;
use super::reach::SolidOverlap;
use crate::dynamics::{Placed, PointForce};
use crate::model::BodyId;
use crate::piece::Piece;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// One contact at one instant. Body A is the first of the pair, body B the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidTouch {
    /// Distance, negative when overlapping (m). Of edges whose solids overlap elsewhere it is less than
    /// the distance of their points by twice the depth.
    pub gap: f64,
    /// Unit normal from B to A, world axes.
    pub normal: Vector<3>,
    /// Unit tangents t1 and t2; (t1, t2, n) is right-handed.
    pub tangents: [Vector<3>; 2],
    /// Body A.
    pub body_a: BodyId,
    /// Body B.
    pub body_b: BodyId,
    /// Contact point on A, world axes (m).
    pub point_a: Vector<3>,
    /// Contact point on B: `point_a − gap n` (m).
    pub point_b: Vector<3>,
    /// Rate of the gap; positive separates (m/s).
    pub v_n: f64,
    /// Velocity of the contact point of A along t1 and t2 relative to that of B (m/s).
    pub v_t: [f64; 2],
    /// False where a touching here belongs to another feature of the same pair.
    pub is_owned: bool,
    /// The piece it keeps to.
    pub piece: Option<Piece>,
}

/// A normal and two tangent numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameComponents {
    /// Along the normal.
    pub n: f64,
    /// Along t1 and t2.
    pub t: [f64; 2],
}

impl SolidTouch {
    /// A contact force (N), or impulse (N·s), as it acts on A and, reversed, on B.
    pub fn forces(&self, f: FrameComponents) -> [PointForce<Space>; 2] {
        let [t1, t2] = self.tangents;
        let force = self.normal * f.n + t1 * f.t[0] + t2 * f.t[1];
        let on = |body, point, force| PointForce { body, point, force };
        [
            on(self.body_a, self.point_a, force),
            on(self.body_b, self.point_b, -force),
        ]
    }
}

impl Placed<'_, Space> {
    /// Gap, directions, points and rates of a contact on any piece of its surface.
    pub fn touch(&self, feature: &SolidFeature) -> SolidTouch {
        self.touch_on(feature, None)
    }

    /// The same of a contact that keeps to a piece, where it does.
    pub fn touch_on(&self, feature: &SolidFeature, piece: Option<Piece>) -> SolidTouch {
        let reach = self.reach(feature, piece, &mut SolidOverlap::default());
        let ((body_a, body_b), tangents) = (reach.bodies, tangents(reach.normal));
        let slip = self.slip(&reach);
        SolidTouch {
            gap: reach.gap(),
            normal: reach.normal,
            tangents,
            body_a,
            body_b,
            point_a: reach.point_a,
            point_b: reach.point_b(),
            v_n: self.gap_rate(&reach, slip),
            v_t: tangents.map(|t| t.dot(slip)),
            is_owned: reach.is_owned,
            piece,
        }
    }

    /// Writes the Jacobian rows of a contact along n, t1 and t2 and returns what prescribed motions
    /// add: `v_n = rows[0]·v + drift.n`, `v_t = rows[1, 2]·v + drift.t`.
    ///
    /// # Panics
    ///
    /// When a row has not the length of the rates.
    pub fn contact_rows(&self, touch: &SolidTouch, rows: [&mut [f64]; 3]) -> FrameComponents {
        let base = self.common_base(touch.body_a, touch.body_b);
        let row = |direction: Vector<3>, row: &mut [f64]| {
            row.fill(0.0);
            let on = |body, point, force| PointForce { body, point, force };
            self.add_row_up_to(base, on(touch.body_a, touch.point_a, direction), row)
                + self.add_row_up_to(base, on(touch.body_b, touch.point_b, -direction), row)
        };
        let [n, row_1, row_2] = rows;
        let [t1, t2] = touch.tangents;
        FrameComponents {
            n: row(touch.normal, n),
            t: [
                row(t1, row_1) + self.add_common_turning(base, t2 * touch.gap, row_1),
                row(t2, row_2) + self.add_common_turning(base, t1 * -touch.gap, row_2),
            ],
        }
    }

    /// Adds to a tangent row what the turning of the body on which both bodies hang does: their points
    /// are a gap apart, `t·(ω × g n) = ω·(g n × t)`, with `about` the second factor. Everything else it
    /// does moves both alike, and is left out rather than cancelled.
    fn add_common_turning(&self, base: BodyId, about: Vector<3>, tangent: &mut [f64]) -> f64 {
        let (mut i, mut drift) = (base.0, 0.0);
        while i != 0 {
            let node = &self.model.nodes[i];
            for c in 0..node.columns {
                let along = about.dot(self.work.columns[node.column + c].angular);
                match node.motion {
                    None => tangent[node.v_at + c] += along,
                    Some(_) => drift += along * self.work.rates[node.column + c],
                }
            }
            i = node.parent;
        }
        drift
    }
}
