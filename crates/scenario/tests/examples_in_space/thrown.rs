//! Bodies that are thrown and come to rest.

use carom_sim::record::RunRecord;
use carom_support::near::assert_near;

use super::{Vec3, dot, finished, turned};

/// A body lies still on one of its faces, as high as half its size across.
#[track_caller]
fn assert_lies(record: &RunRecord, body: &str, size: Vec3) {
    assert!(record.last.rates[body].iter().all(|rate| *rate == 0.0));
    let there = &record.last.coordinates[body];
    let rise = |k: usize| turned(&there[3..], std::array::from_fn(|i| f64::from(i == k)))[2];
    let upright = (0..3).find(|k| (rise(*k).abs() - 1.0).abs() < 1e-12);
    let up = upright.unwrap_or_else(|| panic!("{body} stands on an edge: {there:?}"));
    assert_near("height", there[2], 0.5 * size[up], 1e-12);
}

#[test]
fn a_die_turns_steadily_in_the_air_and_comes_to_rest_on_a_face() {
    let record = finished("dice", &[]);
    assert_lies(&record, "die", [0.016; 3]);
    // All moments of a cube are equal: until it strikes, it turns about a fixed axis at a fixed rate.
    let spin: Vec3 = [-18.0, 55.0, 28.0];
    let rate = dot(&spin, &spin).sqrt();
    let lowest = |t: f64| {
        let (sin, cos) = (0.5 * rate * t).sin_cos();
        let turn = [
            cos,
            sin * spin[0] / rate,
            sin * spin[1] / rate,
            sin * spin[2] / rate,
        ];
        let corner = |k: usize| [1, 2, 4].map(|bit| if k & bit == 0 { -0.008 } else { 0.008 });
        let heights = (0..8).map(|k| turned(&turn, turned(&[-0.1, -0.2, 0.2, 0.5], corner(k)))[2]);
        0.06 - 1.2 * t - 4.905 * t * t + heights.fold(f64::INFINITY, f64::min)
    };
    let (mut above, mut below) = (0.0, 0.06);
    while above < 0.5 * (above + below) && 0.5 * (above + below) < below {
        let middle = 0.5 * (above + below);
        *(if lowest(middle) > 0.0 {
            &mut above
        } else {
            &mut below
        }) = middle;
    }
    assert_near("first blow", record.events[0].time, above, 1e-13);
}

#[test]
fn a_crate_thrown_mirrored_tumbles_mirrored() {
    let record = finished("box-tumbles", &[]);
    assert_lies(&record, "crate", [0.4, 0.3, 0.2]);
    // Mirrored in y: turns and angular velocities change their signs about x and z.
    let mirrored = finished(
        "box-tumbles",
        &[
            "bodies.crate.start.rotation.axis=[0.3, -0.9, -0.8]",
            "bodies.crate.start.velocity=[4.0, -0.5, 0.0]",
            "bodies.crate.start.angular_velocity=[0.1, 6.5, 0.1]",
        ],
    );
    let (there, across) = (&record.last.coordinates, &mirrored.last.coordinates);
    for (k, sign) in [1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0]
        .into_iter()
        .enumerate()
    {
        assert_near(
            "a coordinate",
            across["crate"][k],
            sign * there["crate"][k],
            1e-9,
        );
    }
    let tumbles = record.events.iter().take(10).zip(&mirrored.events);
    for (event, image) in tumbles {
        assert_near("a blow", image.time, event.time, 1e-12);
    }
}
