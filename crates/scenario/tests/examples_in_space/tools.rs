//! A screwdriver that slips off.

use carom_sim::record::EventKind;
use carom_support::near::assert_near;

use super::{finished, sample};

#[test]
fn the_blade_slips_where_lean_of_its_force_and_tilt_are_the_angle_of_friction() {
    let record = finished("screwdriver-slips", &[]);
    let pressed = 20.0 + (0.5 + 1.0) * 9.81;
    let lean = f64::atan(0.06 / (0.02 * pressed));
    let tilt = 0.4f64.atan() - lean;
    let slip = &record.events[0];
    assert_eq!(
        (slip.kind, &slip.contacts[0].name[..]),
        (EventKind::Slip, "left")
    );
    assert_near("tilt", tilt.to_degrees(), 16.862_295_069_4, 1e-11);
    assert_near(
        "slips at",
        slip.time,
        (tilt.to_degrees() - 8.0) / 20.0,
        1e-11,
    );
    let rows = record.trajectory.as_ref().unwrap().time.iter();
    for (row, _) in rows.enumerate().filter(|(_, t)| **t < slip.time) {
        let (_, rates) = sample(&record, "wrist", row);
        assert!(
            rates.iter().all(|rate| rate.abs() < 1e-12),
            "{row}: {rates:?}"
        );
    }
}
