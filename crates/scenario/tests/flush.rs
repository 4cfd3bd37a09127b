//! Surfaces that lie flush: gaps, ways and forces that are zero but for round-off decide nothing.
#![allow(clippy::unwrap_used)]

use carom_scenario::{Scenario, read_scenario};
use carom_sim::{End, Run, run};

fn ran(text: &str) -> Run {
    let scenario: Scenario = read_scenario("case.toml", text, &[]).unwrap();
    let done = run(&mut scenario.build_plane().unwrap()).unwrap();
    assert_eq!(done.end, End::Duration);
    let ledger = done.ledger.unwrap();
    assert!(ledger.residual().abs() <= 1e-12 * ledger.largest);
    done
}

/// The centre of the upper box stands over the left corner of the lower one, and their right sides are in
/// line. Round-off let its right corner go, the side of the lower box took over the touch unseen, and the
/// upper box sank into it.
#[test]
fn a_box_balanced_on_a_corner_does_not_sink_into_the_box_below() {
    let done = ran("bodies.lower = { mass = 1.0, inertia = 0.02416666666666667,
           shapes.s = { box = { size = [0.2, 0.5] } },
           start = { position = [0.069420421703506, 0.2831621532806024, 0.3] } }
         bodies.upper = { mass = 0.5, inertia = 0.017083333333333336,
           shapes.s = { box = { size = [0.4, 0.5] } },
           start = { position = [-0.17387333053972434, 0.7312783771772715, 0.3] } }
         world.shapes.f = { half_space = { normal = [-0.29552020666133955, 0.955336489125606] } }
         contacts.low = { between = [\"lower.s\", \"world.f\"], restitution = 0.0 }
         contacts.high = { between = [\"upper.s\", \"lower.s\"], restitution = 0.0 }
         gravity = [0.0, -9.81]
         run = { duration = 5.0, samples = 11, several_answers = \"keep\" }");
    // Smooth, so both slide down the slope by g sin(0.3) t²/2 while they stand.
    let way = 0.5 * 9.81 * 0.3f64.sin() * 25.0;
    let lower = [
        done.q[0] - 0.069420421703506,
        done.q[1] - 0.2831621532806024,
    ];
    assert!((lower[0].hypot(lower[1]) - way).abs() < 1e-9 * way);
    assert!((done.q[2] - 0.3).abs() < 1e-9 && done.q[5] > 0.3 - 1e-6);
}

/// A disk at the edge of a table bears a rod that bears a hexagon: the ways to the ends of the surfaces are
/// zero but for round-off, and the run once passed from piece to piece in one instant for ever.
#[test]
fn a_pile_at_rest_at_the_ends_of_its_surfaces_goes_on() {
    let (c, s) = (0.1, 0.173_205_080_756_888);
    let done = ran(&format!(
        "bodies.disk = {{ mass = 2.513, inertia = 0.05026, shapes.s = {{ disk = {{ radius = 0.2 }} }},
           start = {{ position = [-0.3, 0.2, 0.0] }} }}
         bodies.rod = {{ mass = 0.5, inertia = 0.010416666666666666,
           shapes.s = {{ capsule = {{ length = 0.4, radius = 0.05 }} }},
           start = {{ position = [-0.2, 0.45, 0.0] }} }}
         bodies.nut = {{ mass = 0.5, inertia = 0.008333333333333347,
           shapes.s = {{ polygon = {{ vertices = [[-{c}, {s}], [-0.2, 0.0], [-{c}, -{s}], [{c}, -{s}],
             [0.2, 0.0], [{c}, {s}]] }} }},
           start = {{ position = [-0.3, 0.673205080756888, 0.0] }} }}
         world.shapes.t = {{ box = {{ size = [0.6, 0.2] }}, at = [0.0, -0.1] }}
         contacts.a = {{ between = [\"disk.s\", \"world.t\"], restitution = 0.0, friction = 1.2, law = \"moreau\" }}
         contacts.b = {{ between = [\"rod.s\", \"disk.s\"], restitution = 0.3, friction = 0.3, law = \"moreau\" }}
         contacts.c = {{ between = [\"nut.s\", \"rod.s\"], restitution = 0.8, friction = 0.8, law = \"moreau\" }}
         contacts.d = {{ between = [\"nut.s\", \"disk.s\"], restitution = 0.3, friction = 0.8, law = \"moreau\" }}
         gravity = [0.0, -9.81]
         run = {{ duration = 0.6, samples = 7, several_answers = \"keep\" }}"
    ));
    assert!(done.effort.events < 1000, "{:?}", done.effort);
}

/// A hexagon rocks on a shaking table: it comes to rest on one corner by infinitely many impacts, then falls to
/// the other, and these rests pile up in turn. The run once went on for ever at round-off.
#[test]
fn a_hexagon_that_rocks_from_rest_to_rest_comes_to_rest_on_both_corners() {
    let (c, s) = (0.1, 0.173_205_080_756_888);
    let done = ran(&format!(
        "bodies.table = {{ mass = 1.0, inertia = 0.1, shapes.s = {{ half_space = {{ normal = [0.0, 1.0] }} }} }}
         bodies.nut = {{ mass = 1.0, inertia = 0.016666666666666694,
           shapes.s = {{ polygon = {{ vertices = [[-{c}, {s}], [-0.2, 0.0], [-{c}, -{s}], [{c}, -{s}],
             [0.2, 0.0], [{c}, {s}]] }} }},
           start = {{ position = [0.3, 0.7, 0.0], rate = [1.0, 0.0, 0.0] }} }}
         joints.drive = {{ kind = \"prismatic\", parent = \"world\", child = \"table\", axis = [1.0, 0.0],
           motion = {{ rate = -0.3, amplitude = 0.02, frequency = 12.0 }} }}
         contacts.on = {{ between = [\"nut.s\", \"table.s\"], restitution = 0.3,
           friction = {{ static = 0.65, kinetic = 0.5 }} }}
         gravity = [0.0, -9.81]
         run = {{ duration = 4.0, samples = 11, several_answers = \"keep\" }}"
    ));
    assert_eq!(done.modes.len(), 2, "{:?}", done.modes);
    assert!(done.q.iter().all(|x| x.is_finite()) && done.events.len() < 2000);
}
