//! A robot leg whose foot strikes the ground.

use carom_contact::impact::Tangential;
use carom_sim::record::{EventKind, EventRecord, PerJoint};
use carom_support::near::{assert_close, assert_near, derivative};

use super::finished;

const GRAVITY: f64 = 9.81;
/// Thigh and shank, and their mass centres from their upper ends (m).
const LENGTH: f64 = 0.3;
const CENTRES: [f64; 2] = [0.15, 0.14];

/// Column, abduction, flexion, knee.
fn angles(of: &PerJoint) -> [f64; 4] {
    ["column", "abduction", "flexion", "knee"].map(|joint| of[joint][0])
}

/// Heights below the trunk of a point of the thigh and of one of the shank, so far from their upper ends (m).
fn below([_, abduction, flexion, knee]: [f64; 4], along: [f64; 2]) -> [f64; 2] {
    let thigh = along[0] * flexion.cos();
    let shank = LENGTH * flexion.cos() + along[1] * (flexion + knee).cos();
    [thigh, shank].map(|depth| depth * abduction.cos())
}

/// Vertical momentum of trunk, hip, thigh and shank (N·s).
fn momentum(event: &EventRecord, rates: &PerJoint) -> f64 {
    let (q, v) = (angles(&event.coordinates), angles(rates));
    let moved = |t: f64| {
        let q = std::array::from_fn(|k| q[k] + t * v[k]);
        let [thigh, shank] = below(q, CENTRES);
        (8.0 + 0.8) * q[0] + 1.5 * (q[0] - thigh) + 0.7 * (q[0] - shank)
    };
    derivative(moved, 1e-2)
}

#[test]
fn a_foot_strikes_after_its_free_fall_and_takes_the_vertical_momentum_that_is_lost() {
    let record = finished("foot-strike", &[]);
    let strike = &record.events[0];
    let held = [
        0.0,
        12.0f64.to_radians(),
        -30.0f64.to_radians(),
        50.0f64.to_radians(),
    ];
    let height = 0.75 - below(held, [LENGTH; 2])[1] - 0.03;
    let fall = (2.0 * height / GRAVITY).sqrt();
    assert_near("strikes at", strike.time, fall, 1e-12);
    for (angle, held) in angles(&strike.coordinates).iter().zip(held).skip(1) {
        assert_close("an angle", *angle, held, 1e-12);
    }
    let foot = &strike.contacts[0];
    assert_near(
        "speed",
        foot.velocity_before.normal.unwrap(),
        -GRAVITY * fall,
        1e-12,
    );
    assert_eq!(
        foot.velocity_after.tangent,
        Some(Tangential::Space([0.0; 2]))
    );
    let after = strike.rates_after.as_ref().unwrap();
    let gained = momentum(strike, after) - momentum(strike, &strike.rates_before);
    assert_near("impulse", foot.impulse.normal.unwrap(), gained, 1e-9);
}

#[test]
fn the_foot_sticks_until_its_friction_reaches_the_cone_and_leaves_with_its_load() {
    let record = finished("foot-strike", &[]);
    let kinds: Vec<EventKind> = record.events.iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [EventKind::Impact, EventKind::Slip, EventKind::Release]
    );
    let force = &record.around_events.as_ref().unwrap().contact_forces["foot"];
    let (load, rubs) = (
        force.normal[2],
        force.tangent[2].hypot(force.second_tangent[2]),
    );
    assert_near("cone", rubs / load, 0.7, 1e-9);
    let largest = force.normal.iter().fold(0.0f64, |most, f| most.max(*f));
    assert_close("load", force.normal[4], 0.0, 1e-9 * largest);
}
