//! Contacts that share a force in more than one way: benches on three feet, boxes that cannot turn, stacks.
//!
//! Such feet once stuck far beyond their cones, and corners of a body at rest were said to slide.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use carom_sim::End;
use carom_sim::record::{EventKind, RunRecord};
use carom_support::scenario;
use carom_support::sim::assert_balanced;

const G: f64 = 9.81;

fn ran(text: &str) -> RunRecord {
    let (done, told) = scenario::ran(&scenario::read(text));
    assert_eq!(done.end, End::Duration, "{text}");
    assert_balanced(&done, 1e-10);
    told
}

fn first(told: &RunRecord, kind: EventKind) -> (f64, usize) {
    let event = told.events.iter().find(|event| event.kind == kind).unwrap();
    (event.time, event.contacts.len())
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-9, "{found} for {wanted}");
}

/// 2 kg on three feet, pulled at their height by 15 sin 0.2t N: it slips where that is μ_s m g.
#[test]
fn a_bench_on_three_feet_slips_with_all_of_them_to_either_side() {
    for friction in ["0.5", "{ static = 0.5, kinetic = 0.3 }"] {
        for phase in [-90, 90] {
            let told = ran(&format!(
                "bodies.m = {{ mass = 2.0, inertia = 0.1, start = {{ position = [0.0, 0.1, 0.0] }},
                   shapes.a = {{ point = {{}}, at = [-0.3, -0.1] }},
                   shapes.b = {{ point = {{}}, at = [0.0, -0.1] }},
                   shapes.c = {{ point = {{}}, at = [0.2, -0.1] }} }}
                 world.shapes.floor = {{ half_space = {{ normal = [0.0, 1.0] }} }}
                 contacts.a = {{ between = [\"m.a\", \"world.floor\"], restitution = 0.0, friction = {friction} }}
                 contacts.b = {{ between = [\"m.b\", \"world.floor\"], restitution = 0.0, friction = {friction} }}
                 contacts.c = {{ between = [\"m.c\", \"world.floor\"], restitution = 0.0, friction = {friction} }}
                 loads.p = {{ body = \"m\", at = [0.0, -0.1],
                   force = {{ amplitude = [15.0, 0.0], frequency = 0.2, phase = \"{phase} deg\" }} }}
                 run = {{ duration = 5.0, samples = 101 }}"
            ));
            let (time, feet) = first(&told, EventKind::Slip);
            close(time, (0.5 * 2.0 * G / 15.0f64).asin() / 0.2);
            assert_eq!(feet, 3);
            let trajectory = told.trajectory.as_ref().unwrap();
            for force in trajectory.contact_forces.values() {
                for (n, t) in force.normal.iter().zip(&force.tangent) {
                    assert!(t.abs() <= 0.5 * n + 1e-9, "within the cone: {t} of {n}");
                }
            }
        }
    }
}

/// A slab of 2 kg below a block of 1 kg is pulled by 14.8 sin 0.1t N and slips where that is μ_s of both
/// weights.
#[test]
fn a_slab_below_a_sliding_block_holds_until_its_whole_friction_is_used() {
    let told = ran(
        "bodies.a = { mass = 2.0, inertia = 0.1, shapes.s = { box = { size = [20.0, 0.1] } },
           start = { position = [0.0, 0.05, 0.0] } }
         bodies.b = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.2, 0.1] } },
           start = { position = [-9.0, 0.15, 0.0], rate = [0.5, 0.0, 0.0] } }
         world.shapes.floor = { half_space = { normal = [0.0, 1.0] } }
         contacts.a = { between = [\"a.s\", \"world.floor\"], restitution = 0.0, friction = { static = 0.5, kinetic = 0.4 } }
         contacts.b = { between = [\"b.s\", \"a.s\"], restitution = 0.0, friction = 0.05 }
         loads.p = { body = \"a\", at = [0.0, -0.05], force = { amplitude = [-14.8, 0.0], frequency = 0.1, phase = \"-90 deg\" } }
         run = { duration = 15.0, samples = 51 }",
    );
    // The block stops by itself after 0.5/(0.05 g) s, and the slab carries it without a slip.
    let (time, corners) = first(&told, EventKind::Stick);
    close(time, 0.5 / (0.05 * G));
    assert_eq!(corners, 2);
    let (time, corners) = first(&told, EventKind::Slip);
    close(time, (0.5 * 3.0 * G / 14.8f64).asin() / 0.1);
    assert_eq!(
        corners, 4,
        "kinetic friction lets it jump ahead, and the block cannot follow"
    );
}

/// Two boxes, one on the other, land flat at 0.4 m/s and bounce with ratio 0.9: contacts that only hand on the
/// blow do not pile up at the first landing.
#[test]
fn a_stack_that_lands_flat_bounces_until_its_own_accumulation() {
    let told = ran(
        "bodies.a = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.4, 0.2] } },
           start = { position = [0.0, 0.1, 0.0], rate = [0.0, -0.4, 0.0] } }
         bodies.b = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.2, 0.2] } },
           start = { position = [0.0, 0.3, 0.0], rate = [0.0, -0.4, 0.0] } }
         world.shapes.floor = { half_space = { normal = [0.0, 1.0] } }
         contacts.f = { between = [\"a.s\", \"world.floor\"], restitution = 0.9 }
         contacts.s = { between = [\"b.s\", \"a.s\"], restitution = 0.9 }
         run = { duration = 1.0, samples = 11 }",
    );
    let piles = told
        .events
        .iter()
        .filter_map(|event| event.accumulation.as_ref());
    let piles: Vec<_> = piles.collect();
    // Flights of 0.9 of the one before: 2 v/g (1 + 0.9 + …) with v = 0.36 m/s.
    close(piles[0].limit, 2.0 * 0.36 / G / (1.0 - 0.9));
    assert!(piles.iter().all(|pile| pile.bound < 1e-5), "{piles:?}");
}

/// A box slides over the gap between two level tables; equal boxes slide off each other.
#[test]
fn a_box_slides_over_a_gap_between_level_tables() {
    let told = ran(
        "bodies.b = { mass = 1.0, inertia = 0.0142, shapes.s = { box = { size = [0.4, 0.1] } },
           start = { position = [0.22, 0.05, 0.0], rate = [-1.0, 0.0, 0.0] } }
         world.shapes.l = { box = { size = [1.0, 0.2] }, at = [-0.55, -0.1] }
         world.shapes.r = { box = { size = [1.0, 0.2] }, at = [0.55, -0.1] }
         contacts.l = { between = [\"b.s\", \"world.l\"], restitution = 0.0 }
         contacts.r = { between = [\"b.s\", \"world.r\"], restitution = 0.0 }
         run = { duration = 0.6, samples = 11 }",
    );
    let rates = &told.last.rates["b"];
    close(rates[0], -1.0);
    close(rates[1], 0.0);
}

#[test]
fn equal_boxes_laid_flush_slide_until_friction_stops_them() {
    let told = ran(
        "bodies.b = { mass = 1.0, inertia = 0.02, shapes.s = { box = { size = [0.4, 0.1] } },
           start = { position = [0.0, 0.05, 0.0], rate = [1.0, 0.0, 0.0] } }
         world.shapes.l = { box = { size = [0.4, 0.4] }, at = [0.0, -0.2] }
         contacts.c = { between = [\"b.s\", \"world.l\"], restitution = 0.0, friction = 0.3 }
         run = { duration = 1.0, samples = 11 }",
    );
    let (time, _) = first(&told, EventKind::Stick);
    close(time, 1.0 / (0.3 * G));
    close(told.last.coordinates["b"][0], 0.5 / (0.3 * G));
}

/// In free fall they touch and bear nothing.
#[test]
fn boxes_that_touch_fall_together() {
    let told = ran(
        "bodies.a = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.4, 0.2] } },
           start = { position = [0.0, 0.1, 0.0] } }
         bodies.b = { mass = 1.0, inertia = 0.01, shapes.s = { box = { size = [0.2, 0.2] } },
           start = { position = [0.0, 0.3, 0.0] } }
         contacts.s = { between = [\"b.s\", \"a.s\"], restitution = 0.9 }
         run = { duration = 2.0, samples = 11 }",
    );
    assert!(told.events.is_empty());
}

/// Two boxes stand on a table that shakes by 0.3 sin 2t m. One slips where 1.2 sin 2t is μ g; the other has more
/// static friction than that takes. The guard of the shared forces was once let go for ever because the other
/// might as well slip, and the first stuck beyond its cones.
#[test]
fn of_two_boxes_on_a_shaking_table_one_slips_and_the_other_holds_by_its_static_friction() {
    let told = ran(
        "bodies.table = { mass = 1.0, inertia = 1.0, shapes.s = { half_space = { normal = [0.0, 1.0] } } }
         bodies.a = { mass = 2.0, inertia = 0.02, shapes.s = { box = { size = [0.3, 0.2] } },
           start = { position = [-0.5, 0.1, 0.0], rate = [0.6, 0.0, 0.0] } }
         bodies.b = { mass = 0.5, inertia = 0.01, shapes.s = { box = { size = [0.4, 0.1] } },
           start = { position = [0.5, 0.05, 0.0], rate = [0.6, 0.0, 0.0] } }
         joints.drive = { kind = \"prismatic\", parent = \"world\", child = \"table\", axis = [1.0, 0.0],
           motion = { amplitude = 0.3, frequency = 2.0 } }
         contacts.a = { between = [\"a.s\", \"table.s\"], restitution = 0.0, friction = 0.1 }
         contacts.b = { between = [\"b.s\", \"table.s\"], restitution = 0.0,
           friction = { static = 0.13, kinetic = 0.1 } }
         run = { duration = 3.0, samples = 301 }",
    );
    let (time, feet) = first(&told, EventKind::Slip);
    close(time, (0.1 * G / 1.2).asin() / 2.0);
    assert_eq!(feet, 2);
    let mut names = told.events.iter().flat_map(|event| &event.contacts);
    assert!(names.all(|contact| contact.name.starts_with('a')));
    let trajectory = told.trajectory.as_ref().unwrap();
    for (name, force) in &trajectory.contact_forces {
        let mu = if name.starts_with('a') { 0.1 } else { 0.13 };
        for (n, t) in force.normal.iter().zip(&force.tangent) {
            assert!(t.abs() <= mu * n + 1e-9, "{name}: {t} of {n}");
        }
    }
}

/// Stacks crept by 1e-14 m/s and more, until corners that had crept past the corners below let go: the
/// accelerations were summed up from forces that are shared, and kept their round-off.
#[test]
fn a_stack_of_boxes_stands_for_a_million_seconds_without_creep() {
    for (count, narrower, aside) in [(2, 0.04, 0.0), (2, 0.0, 0.0), (3, 0.0, 0.03), (7, 0.0, 0.0)] {
        let mut text = String::from(
            "world.shapes.floor = { half_space = { normal = [0.0, 1.0] } }
             run = { duration = 1e6, samples = 2 }\n",
        );
        for k in 0..count {
            let (below, level) = (k - 1, f64::from(k));
            let (x, y) = (aside * level, 0.1 + 0.2 * level);
            let width = 0.4 - narrower * level;
            let inertia = (width * width + 0.04) / 12.0;
            let under = if k == 0 {
                "world.floor".to_owned()
            } else {
                format!("b{below}.s")
            };
            writeln!(
                text,
                "bodies.b{k} = {{ mass = 1.0, inertia = {inertia}, shapes.s = {{ box = {{ size = [{width}, 0.2] }} }},
                   start = {{ position = [{x}, {y}, 0.0] }} }}
                 contacts.c{k} = {{ between = [\"b{k}.s\", \"{under}\"], restitution = 0.0, friction = 0.5 }}"
            )
            .unwrap();
        }
        let told = ran(&text);
        assert!(told.events.is_empty(), "{text}");
        for k in 0..count {
            let level = f64::from(k);
            let at = &told.last.coordinates[&format!("b{k}")];
            assert_eq!(at[0], aside * level, "{text}");
            assert!(
                (at[1] - 0.1 - 0.2 * level).abs() < 1e-15 && at[2] == 0.0,
                "{at:?}"
            );
            assert_eq!(told.last.rates[&format!("b{k}")], [0.0; 3]);
        }
    }
}

/// The cosine of a right angle is 6e-17: the block was said to slide at the start and to stick at once.
#[test]
fn a_block_on_a_shaking_table_that_starts_at_rest_sticks_from_the_start() {
    for (amplitude, mode) in [(0.03, "stick"), (0.05, "slide+")] {
        let told = ran(&format!(
            "bodies.table = {{ mass = 1.0, inertia = 1.0, shapes.top = {{ half_space = {{ normal = [0.0, 1.0] }} }} }}
             bodies.block = {{ mass = 2.0, inertia = 0.05, shapes.s = {{ box = {{ size = [0.4, 0.2] }} }},
               start = {{ position = [0.0, 0.1, 0.0] }} }}
             joints.shaker = {{ kind = \"prismatic\", parent = \"world\", child = \"table\", axis = [1.0, 0.0],
               motion = {{ amplitude = {amplitude}, frequency = 10.0, phase = \"90 deg\" }} }}
             contacts.c = {{ between = [\"block.s\", \"table.top\"], restitution = 0.0, friction = 0.4 }}
             run = {{ duration = 0.05, samples = 2 }}"
        ));
        assert!(told.modes_at_start.values().all(|known| known == mode));
        assert!(told.events.is_empty(), "{:?}", told.events);
    }
}

/// The run ended with the words that friction holds them together, where there was none.
#[test]
fn a_disk_pressed_against_a_wall_by_a_prescribed_motion_jams_by_that_motion() {
    let text = "gravity = [0.0, 0.0]
         bodies.press = { mass = 1.0, inertia = 0.1, shapes.s = { half_space = { normal = [1.0, 0.0] } } }
         joints.j = { kind = \"prismatic\", parent = \"world\", child = \"press\", axis = [1.0, 0.0], motion = { rate = 0.5 } }
         bodies.disk = { mass = 1.0, inertia = 0.01, shapes.s = { disk = { radius = 0.1 } }, start = { position = [0.2, 0.0, 0.0] } }
         world.shapes.wall = { half_space = { normal = [-1.0, 0.0] }, at = [0.4, 0.0] }
         contacts.k = { between = [\"disk.s\", \"press.s\"], restitution = 0.0 }
         contacts.w = { between = [\"disk.s\", \"world.wall\"], restitution = 0.0 }
         run.duration = 1.0";
    let (_, told) = scenario::ran(&scenario::read(text));
    let reason = told.end.reason;
    assert!(reason.starts_with("contacts k, w jam at"), "{reason}");
    assert!(reason.contains("what is prescribed"), "{reason}");
}
