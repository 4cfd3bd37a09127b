//! A marble that rolls in a vertical tube.

use carom_support::near::assert_near;

use super::{finished, sample};

const GRAVITY: f64 = 9.81;

#[test]
fn a_marble_in_a_tube_falls_and_climbs_as_its_closed_form_says() {
    let record = finished("ball-in-tube", &[]);
    assert!(record.events.is_empty(), "it rolls all the time");
    let trajectory = record.trajectory.as_ref().unwrap();
    let (out, round) = (0.08, 25.0); // m, rad/s
    let swing = round * (2.0f64 / 7.0).sqrt();
    for (row, t) in trajectory.time.iter().enumerate() {
        let (there, rates) = sample(&record, "ball", row);
        let (sin, cos) = (round * t).sin_cos();
        assert_near("x", there[0], out * cos, 1e-11);
        assert_near("y", there[1], out * sin, 1e-11);
        let depth = 2.5 * GRAVITY / (round * round);
        assert_near("z", there[2], -depth * (1.0 - (swing * t).cos()), 1e-11);
        assert_near("rise", rates[2], -depth * swing * (swing * t).sin(), 1e-10);
    }
    let presses = &trajectory.contact_forces["wall"].normal;
    for force in presses {
        assert_near("force", *force, 0.0105 * round * round * out, 1e-10);
    }
}
