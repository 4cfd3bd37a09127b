//! Tangent values with a sign, in the plane and in space.

use carom_contact::impact::{ContactResult, Mode, Tangential};

/// A tangent vector below this part of the sizes it is met with is none.
const NONE: f64 = 1e-12;
/// A vector across the direction of an impact, relative to its own size, at most.
const ACROSS: f64 = 1e-6;

/// Along what the tangent values of a contact are told.
///
/// In the plane they have a sign. In space they have one where the impact keeps to the plane of its
/// normal and one direction d; else their length is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Along {
    /// Along t.
    Plane,
    /// Along the unit vector d in (t1, t2).
    Direction([f64; 2]),
    /// Along no direction in particular.
    Length,
}

impl Along {
    /// What the impact of a contact keeps to: all its tangent impulses and velocities lie along one
    /// line. Its modes orient d (`slip+`: v_t along d), else its larger component is positive.
    pub(crate) fn of(contact: &ContactResult) -> Self {
        let pairs = [
            contact.impulse,
            contact.velocity_before,
            contact.velocity_after,
        ];
        let mut tangents = pairs.iter().filter_map(|pair| pair.tangent);
        if tangents.all(|tangent| tangent.plane().is_some()) {
            return Self::Plane;
        }
        let vectors = vectors(contact);
        let longest = vectors.iter().copied();
        let longest = longest.max_by(|a, b| size(*a).total_cmp(&size(*b)));
        let Some(long) = longest.filter(|v| size(*v) > 0.0) else {
            return Self::Length;
        };
        let d = oriented(contact, long.map(|x| x / size(long)));
        let is_across = |v: &[f64; 2]| (d[0] * v[1] - d[1] * v[0]).abs() > ACROSS * size(*v);
        match vectors.iter().any(is_across) {
            true => Self::Length,
            false => Self::Direction(d),
        }
    }

    /// A tangent value along it.
    pub(crate) fn value(self, tangent: Tangential) -> f64 {
        match (self, tangent) {
            (Self::Direction([d_1, d_2]), Tangential::Space([x, y])) => d_1 * x + d_2 * y,
            (_, tangent) => tangent.value(),
        }
    }

    /// The symbol of a tangent value, between bars where it is a length.
    pub(crate) fn symbol(self, symbol: &str) -> String {
        match self {
            Self::Length => format!("|{symbol}|"),
            _ => symbol.to_owned(),
        }
    }

    /// The direction in space.
    pub(crate) fn direction(self) -> Option<[f64; 2]> {
        match self {
            Self::Direction(d) => Some(d),
            _ => None,
        }
    }
}

/// Whether friction pushed along the contact.
pub(crate) fn is_rubbed(contact: &ContactResult) -> bool {
    let p_t = contact.impulse.tangent.map_or(0.0, Tangential::size);
    let least = NONE * contact.impulse.normal.map_or(0.0, f64::abs);
    let on_the_way = contact.path.iter().map(|corner| corner.p_t.size());
    on_the_way.fold(p_t, f64::max) > least
}

fn size([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// The tangent impulses relative to the normal one, the velocities relative to the speed; round-off
/// left out.
fn vectors(contact: &ContactResult) -> Vec<[f64; 2]> {
    let speed = [contact.velocity_before, contact.velocity_after].map(|pair| {
        let along = pair.tangent.map_or(0.0, Tangential::size);
        pair.normal.unwrap_or(0.0).abs() + along
    });
    let press = contact.path.iter().map(|corner| corner.p_n.abs());
    let press = press.fold(contact.impulse.normal.unwrap_or(0.0).abs(), f64::max);
    let speed = speed[0].max(speed[1]);
    let path = contact.path.iter();
    let impulses = path.clone().map(|corner| corner.p_t);
    let impulses = impulses.chain(contact.impulse.tangent);
    let velocities = path.filter_map(|corner| corner.v_t);
    let velocities = velocities.chain(contact.velocity_before.tangent);
    let velocities = velocities.chain(contact.velocity_after.tangent);
    let all = impulses.map(|p| (p, press));
    let all = all.chain(velocities.map(|v| (v, speed)));
    let relative = all.filter_map(|(tangent, scale)| match tangent {
        Tangential::Space(v) if size(v) > NONE * scale => Some(v.map(|x| x / scale)),
        _ => None,
    });
    relative.filter(|v| size(*v).is_finite()).collect()
}

fn oriented(contact: &ContactResult, d: [f64; 2]) -> [f64; 2] {
    let larger = if d[0].abs() >= d[1].abs() { d[0] } else { d[1] };
    let slips = contact.path.iter().find_map(|corner| {
        let Some(Tangential::Space([x, y])) = corner.v_t else {
            return None;
        };
        let along = d[0] * x + d[1] * y;
        match corner.mode? {
            Mode::SlipForward if along != 0.0 => Some(along),
            Mode::SlipBackward if along != 0.0 => Some(-along),
            _ => None,
        }
    });
    let sign = slips.unwrap_or(larger).signum();
    d.map(|x| sign * x + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_contact::impact::{ContactType, Pair, PathCorner, Phase};

    fn reversing(d: [f64; 2], across: f64) -> ContactResult {
        let tangent = |x: f64| Tangential::Space([d[0] * x - across * d[1], d[1] * x]);
        let pair = |normal: f64, x: f64| Pair {
            normal: Some(normal),
            tangent: Some(tangent(x)),
        };
        let corner = |p_n: f64, p_t: f64, v_t: f64, mode: Mode| PathCorner {
            p_n,
            p_t: tangent(p_t),
            v_n: p_n - 1.0,
            v_t: Some(tangent(v_t)),
            phase: Phase::Compression,
            mode: Some(mode),
        };
        ContactResult {
            name: "hit".to_owned(),
            contact_type: ContactType::ReverseCompression,
            started_at_rest: false,
            impulse: pair(2.0, -0.4),
            velocity_before: pair(-1.0, -0.5),
            velocity_after: pair(1.0, 0.7),
            work: pair(0.0, 0.0),
            path: vec![
                corner(0.0, 0.0, -0.5, Mode::SlipBackward),
                corner(0.6, 0.2, 0.0, Mode::SlipForward),
                corner(2.0, -0.4, 0.7, Mode::SlipForward),
            ],
            spatial: None,
        }
    }

    #[test]
    fn a_slip_that_reverses_in_space_changes_the_sign_of_its_impulse() {
        for d in [[0.6, 0.8], [-0.8, 0.6], [-1.0, 0.0]] {
            let contact = reversing(d, 0.0);
            let along = Along::of(&contact);
            let told: Vec<f64> = contact.path.iter().map(|c| along.value(c.p_t)).collect();
            for (told, expected) in told.iter().zip([0.0, 0.2, -0.4]) {
                assert!((told - expected).abs() < 1e-12, "{d:?}: {told}");
            }
            assert_eq!(along.symbol("p_t"), "p_t");
        }
    }

    #[test]
    fn tangent_vectors_along_no_line_have_a_length() {
        let contact = reversing([0.6, 0.8], 0.1);
        assert_eq!(Along::of(&contact), Along::Length);
        assert_eq!(Along::Length.symbol("v_t"), "|v_t|");
    }
}
