//! How large the numbers of a collision are, to tell them from their round-off.

use carom_contact::impact::{ContactResult, Pair, Tangential};

use crate::number::zeroed;

/// The largest impulse (N·s) and velocity (m/s) of the contacts of a collision.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(crate) struct Scales {
    impulse: f64,
    velocity: f64,
}

impl Scales {
    pub(crate) fn of<'a>(contacts: impl IntoIterator<Item = &'a ContactResult>) -> Self {
        let size = |pair: Pair| {
            let along = pair.tangent.map_or(0.0, Tangential::size);
            pair.normal.unwrap_or(0.0).abs().max(along)
        };
        let mut scales = Self {
            impulse: 0.0,
            velocity: 0.0,
        };
        for contact in contacts {
            let (before, after) = (contact.velocity_before, contact.velocity_after);
            scales.impulse = scales.impulse.max(size(contact.impulse));
            scales.velocity = scales.velocity.max(size(before)).max(size(after));
            for corner in &contact.path {
                scales.impulse = scales.impulse.max(corner.p_n.abs());
            }
        }
        scales
    }

    /// An impulse, or zero where it is round-off.
    pub(crate) fn impulse(self, p: f64) -> f64 {
        zeroed(p, self.impulse)
    }

    /// A velocity, or zero where it is round-off.
    pub(crate) fn velocity(self, v: f64) -> f64 {
        zeroed(v, self.velocity)
    }

    /// A work, or zero where it is round-off.
    pub(crate) fn work(self, joules: f64) -> f64 {
        zeroed(joules, self.impulse * self.velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_contact::impact::ContactType;

    #[test]
    fn a_velocity_of_round_off_is_zero_beside_those_of_other_contacts() {
        let pair = |normal: f64| Pair {
            normal: Some(normal),
            tangent: None,
        };
        let contact = |before: f64| ContactResult {
            name: String::new(),
            contact_type: ContactType::Frictionless,
            started_at_rest: false,
            impulse: pair(2.0),
            velocity_before: pair(before),
            velocity_after: pair(0.0),
            work: pair(0.0),
            path: Vec::new(),
            spatial: None,
        };
        let all = [contact(-3.5e-15), contact(-1.0)];
        assert_eq!(Scales::of(&all).velocity(-3.5e-15), 0.0);
        assert_eq!(Scales::of(&all[..1]).velocity(-3.5e-15), -3.5e-15);
    }
}
