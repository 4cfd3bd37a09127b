//! Closed contacts that come to the end of a surface: round corners, edges, tables.
//!
//! A contact once kept hold of the line of a side beyond its end, pulled the body down and let go late, or
//! the run stood still at the corner.
#![allow(clippy::unwrap_used)]

use carom_sim::End;
use carom_sim::record::{EventKind, RunRecord};
use carom_support::scenario;
use carom_support::sim::assert_balanced;

const G: f64 = 9.81;

fn ran(text: &str) -> RunRecord {
    let (done, told) = scenario::ran(&scenario::read(text));
    assert_eq!(done.end, End::Duration);
    assert_balanced(&done, 1e-12);
    let around = told.around_events.as_ref().unwrap();
    let sampled = told.trajectory.as_ref().unwrap();
    for forces in [&around.contact_forces, &sampled.contact_forces] {
        let pulls = forces.values().flat_map(|force| &force.normal);
        assert!(pulls.into_iter().all(|normal| *normal >= -1e-9), "{text}");
    }
    let kinds = told.events.iter().map(|event| event.kind);
    assert!(kinds.into_iter().all(|kind| kind == EventKind::Release));
    told
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-12, "{found} for {wanted}");
}

/// A smooth disk on a table whose edge is at x = 0, its top at y = 0.
fn disk(radius: f64, speed: f64, table: &str) -> RunRecord {
    ran(&format!(
        "bodies.d = {{ mass = 1.0, inertia = 0.01, shapes.s = {{ disk = {{ radius = {radius} }} }},
           start = {{ position = [-0.5, {radius}, 0.0], rate = [{speed}, 0.0, 0.0] }} }}
         world.shapes.table = {table}
         contacts.on = {{ between = [\"d.s\", \"world.table\"], restitution = 0.0 }}
         run = {{ duration = 1.6, samples = 11 }}"
    ))
}

const SHARP: &str = "{ box = { size = [4.0, 1.0] }, at = [-2.0, -0.5] }";
const ROUND: &str = "{ capsule = { length = 4.0, radius = 0.25 }, at = [-2.0, -0.25] }";

#[test]
fn a_fast_disk_flies_off_where_the_table_ends() {
    for table in [SHARP, ROUND] {
        let told = disk(0.05, 3.0, table);
        assert_eq!(told.events.len(), 1);
        close(told.events[0].time, 0.5 / 3.0);
    }
}

/// About the corner `v² = v₀² + 2 g r (1 − cos θ)`, and the disk lets go where `g cos θ = v²/r`.
#[test]
fn a_slow_disk_goes_about_the_corner_until_its_weight_no_longer_holds_it() {
    for (table, curb) in [(SHARP, 0.0), (ROUND, 0.25)] {
        let (radius, speed) = (0.5, 0.6);
        let told = disk(radius, speed, table);
        assert_eq!(told.events.len(), 1);
        let about = radius + curb;
        let cos = (2.0 + speed * speed / (G * about)) / 3.0;
        close(told.events[0].coordinates["d"][1], about * cos - curb);
    }
}

/// A box of 0.3 m by 0.1 m on a table whose edge is at x = 0, its top at y = 0.05.
fn sliding_box(between: &str, way: f64) -> RunRecord {
    ran(&format!(
        "bodies.d = {{ mass = 1.0, inertia = 0.01, shapes.s = {{ box = {{ size = [0.3, 0.1] }} }},
           start = {{ position = [{}, 0.1, 0.0], rate = [{}, 0.0, 0.0] }} }}
         world.shapes.b = {{ box = {{ size = [1.0, 0.1] }}, at = [{}, 0.0] }}
         contacts.k = {{ between = {between}, restitution = 0.2 }}
         run = {{ duration = 0.5, samples = 11 }}",
        -0.5 * way,
        2.0 * way,
        -0.5 * way
    ))
}

/// The leading corner passes the edge after 0.35 m, and the trailing one lifts off when the centre does,
/// after 0.5 m; whichever shape is named first, to either side.
#[test]
fn a_box_slides_over_the_edge_and_tips_when_its_centre_passes() {
    for between in ["[\"d.s\", \"world.b\"]", "[\"world.b\", \"d.s\"]"] {
        for way in [1.0, -1.0] {
            let told = sliding_box(between, way);
            let times: Vec<f64> = told.events.iter().map(|event| event.time).collect();
            assert_eq!(times.len(), 3, "{between}, {way}");
            close(times[0], 0.175);
            close(times[1], 0.25);
        }
    }
}

/// The corner comes back onto the table without a blow against its edge.
#[test]
fn a_box_that_overhangs_slides_back_onto_the_table() {
    let told = ran(
        "bodies.d = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.3, 0.1] } },
           start = { position = [-0.02, 0.1, 0.0], rate = [-2.0, 0.0, 0.0] } }
         world.shapes.b = { box = { size = [1.0, 0.1] }, at = [-0.5, 0.0] }
         contacts.k = { between = [\"d.s\", \"world.b\"], restitution = 0.2 }
         run = { duration = 0.2, samples = 11 }",
    );
    assert_eq!(told.events.len(), 1);
    close(told.events[0].time, 0.065);
}

/// In space edges cross where the box overhangs: two corners pass the edge, then two lift off.
#[test]
fn a_box_in_space_slides_over_the_edge_and_tips_when_its_centre_passes() {
    let told = ran(
        "space = \"space\"
         bodies.d = { mass = 1.0, inertia = [0.01, 0.02, 0.02], shapes.s = { box = { size = [0.3, 0.2, 0.1] } },
           start = { position = [-0.5, 0.02, 0.1], velocity = [2.0, 0.0, 0.0] } }
         world.shapes.b = { box = { size = [1.0, 1.0, 0.1] }, at = [-0.5, 0.0, 0.0] }
         contacts.k = { between = [\"d.s\", \"world.b\"], restitution = 0.0 }
         run = { duration = 0.5, samples = 11 }",
    );
    let times: Vec<f64> = told.events.iter().map(|event| event.time).collect();
    assert_eq!(times.len(), 3, "{times:?}");
    close(times[0], 0.175);
    close(times[1], 0.25);
}

/// The first row once lost 4 J of 15 J: a box flush with the edge it slides over was held to the face of the
/// table's end, which it had never been on.
#[test]
fn a_motion_that_begins_at_an_edge_begins_with_its_energy() {
    for speed in [-3.0, 3.0] {
        let told = ran(&format!(
            "bodies.b = {{ mass = 1.0, inertia = 0.04, shapes.s = {{ box = {{ size = [0.6, 0.2] }} }},
               start = {{ position = [-0.7, 0.1, 0.0], rate = [{speed}, 0.0, 0.0] }} }}
             world.shapes.table = {{ box = {{ size = [2.0, 0.2] }}, at = [0.0, -0.1] }}
             contacts.on = {{ between = [\"b.s\", \"world.table\"], restitution = 0.0, friction = 0.1 }}
             run = {{ duration = 0.12, samples = 5 }}"
        ));
        let rows = told.trajectory.as_ref().unwrap();
        let first = rows.kinetic[0] + rows.potential[0];
        close(first, told.ledger.as_ref().unwrap().entries.start);
    }
}
