//! A contact of an instant, with its slip.

use super::TouchContact;
use crate::contact_space::Friction;
use crate::forward::problem::ForwardContact;

/// A contact that touches, with its slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlippingContact {
    /// Coulomb's coefficients.
    pub friction: Friction,
    /// Slip along t1 and t2 (m/s), of which its way alone decides about accelerations; zero is rest.
    pub slip: [f64; 2],
}

impl SlippingContact {
    /// Whether it has friction.
    pub fn is_rough(&self) -> bool {
        self.friction.mu_s() > 0.0
    }

    /// Whether it does not slip.
    pub fn rests(&self) -> bool {
        self.slip == [0.0; 2]
    }

    /// The unit vector along which it slips; none at rest.
    pub fn way(&self) -> Option<[f64; 2]> {
        let [a, b] = self.slip;
        let size = a.abs().max(b.abs());
        let (a, b) = (a / size, b / size);
        let length = a.hypot(b);
        (size > 0.0).then(|| [a / length, b / length])
    }

    /// The contact of a problem of accelerations; one without friction slides along any way.
    pub(super) fn touch(&self) -> TouchContact {
        TouchContact {
            friction: self.friction,
            slip: match self.is_rough() {
                false => Some([1.0, 0.0]),
                true => self.way(),
            },
        }
    }

    /// The contact of the plane it is while it slides, its tangent along its way; none at rest.
    pub fn in_plane(
        &self,
        normal: &[f64],
        tangents: Option<[&[f64]; 2]>,
        drift: [f64; 3],
    ) -> Option<ForwardContact> {
        let (mut tangent, mut along) = (None, 0.0);
        if let (true, Some([t_1, t_2])) = (self.is_rough(), tangents) {
            let [a, b] = self.way()?;
            let row = t_1.iter().zip(t_2).map(|(x, y)| a * x + b * y);
            tangent = Some(row.collect());
            along = a * drift[1] + b * drift[2];
        }
        Some(ForwardContact {
            normal: normal.to_vec(),
            slip: if tangent.is_some() { 1.0 } else { 0.0 },
            tangent,
            drift: [drift[0], along],
            friction: self.friction.into(),
        })
    }
}
