//! Examples with friction in space come to their closed forms, to numbers of a second route, or keep what must stay.
#![allow(clippy::unwrap_used, clippy::panic)]

mod billiards;
mod foot;
mod rolling;
mod tables;
mod thrown;
mod tools;
mod tops;
mod tube;

use carom_sim::record::{EndKind, RunRecord};
use carom_support::scenario::{changed, ran};

pub(crate) type Vec3 = [f64; 3];

/// An example run to its end, some of its values replaced. No event adds energy.
#[track_caller]
pub(crate) fn finished(name: &str, set: &[&str]) -> RunRecord {
    let (_, record) = ran(&changed(name, set));
    assert_eq!(record.end.kind, EndKind::Duration, "{:?}", record.end);
    let scale = record.ledger.as_ref().unwrap().entries.scale;
    for event in &record.events {
        let gained = event.energy_change.unwrap_or(0.0);
        assert!(gained < 1e-12 * scale, "{event:?}");
    }
    record
}

/// Coordinates and rates of a body at a sample.
pub(crate) fn sample(record: &RunRecord, body: &str, row: usize) -> (Vec<f64>, Vec<f64>) {
    let trajectory = record.trajectory.as_ref().unwrap();
    let of = |columns: &[Vec<f64>]| columns.iter().map(|column| column[row]).collect();
    (
        of(&trajectory.coordinates[body]),
        of(&trajectory.rates[body]),
    )
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A vector turned by a quaternion (w, x, y, z) of any length.
pub(crate) fn turned(q: &[f64], p: Vec3) -> Vec3 {
    let size = dot(&q[..4], &q[..4]);
    let u = [q[1], q[2], q[3]];
    let once = cross(u, p);
    let twice = cross(u, once);
    std::array::from_fn(|i| p[i] + 2.0 * (q[0] * once[i] + twice[i]) / size)
}
