//! Surfaces that lie flush: gaps, ways and forces that are zero but for round-off decide nothing.
#![allow(clippy::unwrap_used)]

use carom_sim::{End, Run};
use carom_support::scenario;
use carom_support::sim::assert_balanced;

fn ran(text: &str) -> Run {
    let (done, _) = scenario::ran(&scenario::read(text));
    assert_eq!(done.end, End::Duration);
    assert_balanced(&done, 1e-12);
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
    // Smooth, so their mass centre slides down the slope by g sin(0.3) t²/2, whatever round-off does to the
    // balance, and the upper one stays above the lower.
    let way = 0.5 * 9.81 * 0.3f64.sin() * 25.0;
    let (along, normal) = (
        [-0.955336489125606, -0.29552020666133955],
        [-0.29552020666133955, 0.955336489125606],
    );
    let on = |axis: [f64; 2], at: [f64; 2]| axis[0] * at[0] + axis[1] * at[1];
    let starts = [
        [0.069420421703506, 0.2831621532806024],
        [-0.17387333053972434, 0.7312783771772715],
    ];
    let ways = [0, 1].map(|k| on(along, [done.q[3 * k], done.q[3 * k + 1]]) - on(along, starts[k]));
    assert!(
        ((ways[0] + 0.5 * ways[1]) / 1.5 - way).abs() < 1e-9 * way,
        "{ways:?}"
    );
    let height = on(normal, [done.q[3], done.q[4]]);
    assert!((height - 0.75).abs() < 1e-9, "{height}");
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

/// Four bodies fall on each other into a corner. Of a box that chatters on the floor beneath the others the flights
/// became shorter than the spacing of the time axis; its impacts, at 1e-16 m/s, went on at one instant up to
/// the limit of events.
#[test]
fn a_box_whose_flights_are_shorter_than_the_spacing_of_time_rests() {
    let done = ran(CHATTER);
    assert!(done.events.len() < 1000, "{}", done.events.len());
}

/// A box slips off the box below, on a table that moves up and down. Of its corner, as it passed the one below
/// within round-off, only a far side could have been met, and the run ended with a touching that was missed by
/// 0.38 m.
#[test]
fn a_corner_that_passes_a_corner_is_not_seen_from_a_far_side() {
    // What friction decides later on, among six contacts, is another story.
    let (done, _) = scenario::ran(&scenario::read(SLIPS));
    assert!(!matches!(done.end, End::Failed { .. }), "{:?}", done.end);
    assert!(done.time > 0.3, "{}", done.time);
}

const SLIPS: &str = r#"
run = { duration = 0.5, samples = 2 }
[bodies.table]
mass = 1.0
inertia = 1.0
shapes.top = { box = { size = [3.0, 0.1] } }
[joints.drive]
kind = "prismatic"
parent = "world"
child = "table"
axis = [0.0, 1.0]
motion = { amplitude = 0.04951695990519055, frequency = 9.623227834799224 }
[bodies.b0]
mass = 0.6340754896637344
inertia = 0.010567924827728907
shapes.s = { box = { size = [0.4, 0.2] } }
start = { position = [0.024172450291836567, 0.15000000000000002, 0.0], rate = [-0.3158163649365613, 0.0, 1.7902744746903827] }
[bodies.b1]
mass = 0.4107597322710181
inertia = 0.006845995537850303
shapes.s = { box = { size = [0.4, 0.2] } }
start = { position = [0.0, 0.43005387536281275, 0.0], rate = [-0.0, 0.0, -0.0] }
[bodies.b2]
mass = 0.6230692751701657
inertia = 0.0067499171476767955
shapes.s = { box = { size = [0.2, 0.3] } }
start = { position = [0.0, 0.8198451135851856, 0.0], rate = [-0.4483088388864138, 0.0, 1.923827362713058] }
[contacts.f0]
between = ["b0.s", "table.top"]
restitution = 0.0
friction = 0.38433250546414066
[contacts.f1]
between = ["b1.s", "table.top"]
restitution = 0.0
friction = 0.38433250546414066
[contacts.c01]
between = ["b1.s", "b0.s"]
restitution = 0.7201209627471991
friction = 0.6061121956840577
[contacts.f2]
between = ["b2.s", "table.top"]
restitution = 0.4941936457092961
friction = 0.38433250546414066
[contacts.c02]
between = ["b2.s", "b0.s"]
restitution = 0.0
friction = { static = 0.3877341335980276, kinetic = 0.2982570258446366 }
[contacts.c12]
between = ["b2.s", "b1.s"]
restitution = 0.0
friction = 0.38433250546414066
"#;

const CHATTER: &str = r#"
run = { duration = 1.2, samples = 2 }
[bodies.b0]
mass = 0.49926406781754207
inertia = 0.0041605338984795175
shapes.s = { box = { size = [0.3, 0.1] } }
start = { position = [0.0, 0.06274094812437454, 0.0], rate = [0.8203791842456478, 0.0, 0.0] }
[bodies.b1]
mass = 0.38356577430333916
inertia = 0.001917828871516696
shapes.s = { disk = { radius = 0.1 } }
start = { position = [-0.10645783547842524, 0.21274094812437455, 0.0], rate = [0.32478713769721335, 0.0, -1.3730805773792971] }
[bodies.b2]
mass = 1.0598519718240063
inertia = 0.017664199530400108
shapes.s = { box = { size = [0.4, 0.2] } }
start = { position = [-0.08375688076991894, 0.41274094812437456, 0.0], rate = [0.3589085253774229, 0.0, -1.1210849399006144] }
[bodies.b3]
mass = 2.1788366941225434
inertia = 0.03086685316673604
shapes.s = { box = { size = [0.4, 0.1] } }
start = { position = [-0.1, 0.5952744084555415, 0.0], rate = [-0.0, 0.0, 0.0] }
[world]
shapes.floor = { half_space = { normal = [-0.0, 1.0] } }
shapes.wall = { half_space = { normal = [0.955336489125606, 0.29552020666133955] }, at = [-0.7, 0.0] }
[contacts.f0]
between = ["b0.s", "world.floor"]
restitution = 0.5131698149525963
friction = 0.9748354389685513
[contacts.w0]
between = ["b0.s", "world.wall"]
restitution = 0.5131698149525963
friction = 1.0487603552463725
[contacts.f1]
between = ["b1.s", "world.floor"]
restitution = 0.5131698149525963
friction = 0.0
[contacts.w1]
between = ["b1.s", "world.wall"]
restitution = 0.5131698149525963
friction = 1.1759411538469484
[contacts.c01]
between = ["b1.s", "b0.s"]
restitution = 0.10619566474566837
friction = 0.18995548623832118
[contacts.f2]
between = ["b2.s", "world.floor"]
restitution = 0.5131698149525963
friction = 0.0
[contacts.w2]
between = ["b2.s", "world.wall"]
restitution = 0.5131698149525963
friction = 0.3788461256686872
[contacts.c02]
between = ["b2.s", "b0.s"]
restitution = 0.5131698149525963
friction = 0.0
[contacts.c12]
between = ["b2.s", "b1.s"]
restitution = 0.5131698149525963
friction = 1.0316043756992406
[contacts.f3]
between = ["b3.s", "world.floor"]
restitution = 0.5658965583544843
friction = 0.25901295311235467
[contacts.w3]
between = ["b3.s", "world.wall"]
restitution = 0.5131698149525963
friction = 0.0
[contacts.c03]
between = ["b3.s", "b0.s"]
restitution = 0.1455374632562281
friction = 0.0
[contacts.c13]
between = ["b3.s", "b1.s"]
restitution = 0.5131698149525963
friction = 0.0
[contacts.c23]
between = ["b3.s", "b2.s"]
restitution = 0.5131698149525963
friction = 0.0
"#;
