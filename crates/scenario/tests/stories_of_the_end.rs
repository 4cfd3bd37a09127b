//! Motions that once came to a wrong end: chatter that dies out, jams, contacts without force.
#![allow(clippy::unwrap_used)]

use carom_scenario::examples::example;
use carom_sim::record::{EndKind, EventKind, RunRecord};
use carom_support::scenario::{ran, read};

use crate::stories::{near, told};

/// Impacts of the two ends 3e-8 s apart were taken for one, and the energetic law has no form for several. Wanted:
/// the last instants of impacts in forty digits, which never coincide.
#[test]
fn the_ends_of_a_rod_strike_in_turn_under_the_energetic_law_until_it_rests() {
    let record = told(
        r#"
        gravity = [0, -9.81]
        bodies.b = { mass = 1.0, inertia = 0.08333333333333333, shapes.s.capsule = { length = 1.0, radius = 0.02 }, start = { position = [0, 0.7842877734333296, -0.07594791332832962], rate = [0.028738453210260584, 0, -0.9512770361860976] } }
        world.shapes.f.half_space.normal = [0, 1]
        contacts.c = { between = ["b.s", "world.f"], law = "energetic", restitution = 0.2 }
        run = { duration = 1.0, max_events = 1000 }"#,
    );
    assert_eq!(record.end.kind, EndKind::Duration);
    let struck = |time: f64| record.events.iter().any(|e| (e.time - time).abs() < 1e-10);
    assert!(struck(0.480_953_935_58) && struck(0.480_953_967_67));
    let rest = record.events.last().unwrap();
    near(rest.time, 0.480_954, 1e-6);
    assert_eq!(record.last.rates["b"][2], 0.0);
}

/// What a loose tolerance lets gaps be off by brought contacts together that strike one after another: a rod
/// ended without an answer, and of eight impacts of a cradle there were two.
#[test]
fn impacts_stay_apart_with_tolerances_down_to_a_thousandth() {
    for (name, end) in [
        ("falling-rod", EndKind::Duration),
        ("newtons-cradle", EndKind::Duration),
        ("corner", EndKind::Duration),
    ] {
        let example = example(name).unwrap();
        let run = |tolerance: f64| -> RunRecord {
            let limit = format!("[run]\ntolerance = {tolerance:e}\n");
            told(&example.text.replace("[run]\n", &limit))
        };
        let tight = run(1e-12);
        for tolerance in [1e-3, 1e-4, 1e-6] {
            let record = run(tolerance);
            assert_eq!(record.end.kind, end, "{name} {tolerance}");
            let pairs = record.events.iter().zip(&tight.events).take(3);
            for (found, wanted) in pairs {
                assert_eq!(found.kind, wanted.kind, "{name} {tolerance}");
                near(found.time, wanted.time, 100.0 * tolerance);
            }
        }
    }
}

/// Seven contacts came to rest at once that a loose tolerance lets contradict each other by 2e-6 of the size: every
/// step took the resting block a little nearer to them, by whatever step, and the end of a surface was called noise.
#[test]
fn contacts_that_cannot_all_be_closed_leave_what_rests_at_rest() {
    let example = example("corner").unwrap();
    let limit = "[run]\ntolerance = 1e-2\n";
    let record = told(&example.text.replace("[run]\n", limit));
    assert_eq!(record.end.kind, EndKind::Duration);
    let resting = record.events.last().unwrap();
    assert!(resting.time < 0.6, "{}", resting.time);
    let rates = record.last.rates.values().flatten();
    assert!(rates.clone().count() == 6 && rates.copied().all(|rate| rate == 0.0));
}

/// The limit of its impacts was asked for before they had come to rest, where nothing fits, and that ended the
/// run. Wanted: rest, where floor and wall carry the wheel without friction.
#[test]
fn a_wheel_that_chatters_at_a_wall_comes_to_rest() {
    let record = told(
        r#"
        gravity = [0, -9.81]
        world.shapes.floor.half_space.normal = [-0.26027547681774443, 0.965534399266694]
        world.shapes.wall.half_space.normal = [1, 0]
        bodies.d = { mass = 1.0, inertia = 0.005, shapes.s.disk.radius = 0.1, start.position = [0.2047989536627953, 0.15877647179923463, 0] }
        contacts.floor = { between = ["d.s", "world.floor"], law = "poisson", restitution = 0.0, friction = 1.2 }
        contacts.wall = { between = ["d.s", "world.wall"], law = "poisson", restitution = 0.6, friction = 1.2 }
        run = { duration = 2.0, max_events = 5000 }"#,
    );
    assert_eq!(record.end.kind, EndKind::Duration);
    let piles = |e: &&carom_sim::record::EventRecord| e.kind == EventKind::Accumulation;
    let pile = record.events.iter().rev().find(piles).unwrap();
    near(pile.time, 0.752_334_09, 1e-7);
    assert!(record.last.rates["d"].iter().all(|v| v.abs() < 1e-12));
}

/// Slides into a dynamic jam were passed over as a release: the force changes its sign where it is infinite.
/// Wanted: the instants of integrations in another variable, `dt = p dσ`, which the pole does not stop.
#[test]
fn a_slide_whose_force_has_no_bound_is_never_a_release() {
    let rods = [
        (
            [-0.3627564490136884, 0.34410428462746473, 2.3825756940070386],
            [3.7081133439652474, 1.484801897028954, -4.093109581004102],
            1.6874269529792627,
            Some(0.003_552_271_63),
        ),
        (
            [0.4389920613065424, 0.2393448769241425, 0.49916176956497205],
            [-4.32018971723706, 1.60150224506598, 3.6481348667206808],
            1.5861495141158868,
            None,
        ),
        (
            [-0.3813807827600131, 0.32333991176679644, 2.4383691289560607],
            [7.3053835971922725, 1.5481528154974133, -4.059336194901045],
            1.5849428875200993,
            Some(0.0282),
        ),
        (
            [-0.35654433070564756, 0.3505369313519787, 2.364690338036769],
            [7.312112692039744, 1.3472855475490326, -3.7787322122962363],
            1.5724535260463026,
            Some(0.0137),
        ),
    ];
    for (position, rate, friction, instant) in rods {
        let record = told(&format!(
            r#"
            gravity = [0, -9.81]
            world.shapes.f.half_space.normal = [0, 1]
            bodies.r = {{ mass = 1.0, inertia = 0.08333333333333333, shapes.tip = {{ at = [-0.5, 0], point = {{}} }}, start = {{ position = {position:?}, rate = {rate:?} }} }}
            contacts.c = {{ between = ["r.tip", "world.f"], law = "poisson", restitution = 0.5, friction = {friction} }}
            run.duration = 1.0"#
        ));
        assert_eq!(record.end.kind, EndKind::NoAnswer, "{friction}");
        assert!(record.end.reason.contains("dynamic jam"), "{friction}");
        if let Some(instant) = instant {
            near(record.time, instant, 1e-4);
        }
    }
}

/// A contact that left in the last impact before a limit was told to slide on.
#[test]
fn a_contact_that_leaves_is_open_in_its_event() {
    let record = told(
        r#"
        gravity = [0, -9.81]
        world.shapes.f.half_space.normal = [0, 1]
        bodies.b = { mass = 1.0, inertia = 0.017575905591682334, shapes.s.box.size = [0.2521490790923925, 0.38383812865978595], start = { position = [0, 0.5, 1.1426855516308585], rate = [-0.19615254348557487, 0, 1.1334494177607706] } }
        contacts.c = { between = ["b.s", "world.f"], restitution = 0.4, friction = 0.5 }
        run = { duration = 2.0, max_events = 5000 }"#,
    );
    let impacts = record.events.iter().filter(|e| e.kind == EventKind::Impact);
    for event in impacts {
        for contact in &event.contacts {
            let leaves = contact.velocity_after.normal.unwrap() > 0.0;
            let is_open = event.modes_after[&contact.name] == "open";
            assert_eq!(leaves, is_open, "{} {}", event.index, contact.name);
        }
    }
}

/// Disks that meet head on without restitution go on together, without force: the noise of a differenced force
/// let go of them, at once or after a while.
#[test]
fn disks_that_stay_together_without_force_stay_closed() {
    let slow = r#"
        bodies.a = { mass = 0.21104115180360772, inertia = 0.0014972503684939392, shapes.s.disk.radius = 0.11911834146475143, start.rate = [0.0025020776004516573, 0, 0] }
        bodies.b = { mass = 1.1446885114873389, inertia = 0.0008762603425764378, shapes.s.disk.radius = 0.039128023828250126, start = { position = [0.3663456096750174, 0, 0], rate = [-0.002156583527636277, 0, -0.0714538951836883] } }
        run.duration = 175.0"#;
    let fast = r#"
        bodies.a = { mass = 236600601533.23148, inertia = 8504957813707.027, shapes.s.disk.radius = 8.478971148604106, start.rate = [573.2439833505292, 0, -212.85523536348595] }
        bodies.b = { mass = 5667590651.115432, inertia = 218577983280.1803, shapes.s.disk.radius = 8.782516360996992, start = { position = [17.277231063149, 0, 0], rate = [-216.18015264627104, 0, 178.07130394973225] } }
        run.duration = 0.0135"#;
    for disks in [slow, fast] {
        let record = told(&format!(
            "gravity = [0, 0]\n{disks}\n\
             contacts.h = {{ between = [\"a.s\", \"b.s\"], law = \"newton\", restitution = 0, friction = 0 }}"
        ));
        assert_eq!(record.events.len(), 1, "{:?}", record.events.last());
        assert_eq!(record.events[0].modes_after["h"], "closed");
    }
}

/// An impact that ended a run for want of a unique outcome was entered past the journal: it did not know which
/// contacts were closed up to it, and the states around events told no forces before it.
#[test]
fn an_impact_that_ends_a_run_knows_the_contacts_that_were_closed_before_it() {
    let (_, record) = ran(&read(
        r#"
        space = "space"
        gravity = [0.0, 0.0, -1.0]
        world.shapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] } }
        bodies.a = { mass = 2.9964958397112222, inertia = [0.03841797228478018, 0.04802246535597523, 0.05762695842717028], shapes.f0 = { ball = { radius = 0.02 }, at = [0.1602620791911503, 0.0, -0.21096666630269673] }, shapes.f1 = { ball = { radius = 0.02 }, at = [0.0, 0.1602620791911503, -0.21096666630269673] }, shapes.f2 = { ball = { radius = 0.02 }, at = [-0.1602620791911503, 0.0, -0.21096666630269673] }, shapes.f3 = { ball = { radius = 0.02 }, at = [0.0, -0.1602620791911503, -0.21096666630269673] }, start = { position = [0.0, 0.0, 0.23096666630269672], velocity = [0.4540330997344009, 0.0, 0.0], angular_velocity = [0.0, 0.0, -4.55188248602609] } }
        contacts.c0 = { between = ["a.f0", "world.floor"], law = "poisson", restitution = 0.0, friction = 0.6 }
        contacts.c1 = { between = ["a.f1", "world.floor"], law = "poisson", restitution = 0.0, friction = 0.6 }
        contacts.c2 = { between = ["a.f2", "world.floor"], law = "poisson", restitution = 0.0, friction = 0.6 }
        contacts.c3 = { between = ["a.f3", "world.floor"], law = "poisson", restitution = 0.0, friction = 0.6 }
        run = { duration = 5.0 }"#,
    ));
    assert_eq!(record.end.kind, EndKind::SeveralAnswers);
    let (around, before) = (record.around_events.unwrap(), 2 * record.events.len() - 2);
    let modes = ["c1", "c2"].map(|name| &around.modes[name][before][..]);
    assert_eq!(modes, ["slide", "slide"]);
    assert!(
        ["c1", "c2"]
            .iter()
            .all(|name| around.contact_forces[*name].normal[before] > 0.0)
    );
}
