//! Several contacts at once.

use carom_contact::impact::{Contact, ImpactResult};
use fastrand::Rng;

use crate::random::{definite, list};

/// Number by number within 1e-10: a reference has sixteen digits, its rows are normalised here.
#[track_caller]
pub fn assert_all_close(what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() < 1e-10, "{what}: {found:?} for {wanted:?}");
    }
}

/// Normal impulses of the contacts.
pub fn impulses(result: &ImpactResult) -> Vec<f64> {
    let contacts = result.contacts.iter();
    contacts.map(|c| c.impulse.normal.unwrap()).collect()
}

/// Numbers between −½ and ½.
pub fn row(rng: &mut Rng, n: usize) -> Vec<f64> {
    list(rng, n, 0.5)
}

/// A mass matrix of numbers like those of [`row`].
pub fn mass(rng: &mut Rng, n: usize) -> Vec<Vec<f64>> {
    definite(rng, n, 0.5, 0.1)
}

/// A contact without friction.
pub fn smooth(name: usize, normal: Vec<f64>, restitution: f64) -> Contact {
    Contact {
        name: name.to_string(),
        normal,
        tangent: None,
        tangents: None,
        stiffness: 1.0,
        friction: 0.0.into(),
        restitution,
        tangential_restitution: None,
    }
}
