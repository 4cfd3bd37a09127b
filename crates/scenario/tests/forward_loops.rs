//! Forward problems of mechanisms with closed loops, against routes that know nothing of them.
#![allow(clippy::unwrap_used)]

use carom_contact::forward::ForwardResult;
use carom_multibody::State;
use carom_multibody::mechanism::MassSolver;
use carom_scenario::examples::example;
use carom_scenario::{Override, read_forward};
use carom_sim::instant::Instant;
use carom_support::near::assert_near;
use carom_support::scenario::{changed, ran, read};

fn solved(text: &str) -> (Instant, ForwardResult) {
    let instant = read(text).instant().unwrap();
    let result = instant.solve().unwrap();
    (instant, result)
}

/// Accelerations of the tree at the start, loops closed by their reactions.
fn simulated(text: &str) -> Vec<f64> {
    let mut setup = read(text).build().unwrap();
    let (q, v) = setup.start().unwrap();
    let mut out = vec![0.0; v.len()];
    let state = State::new(0.0, &q, &v);
    let solver = &mut MassSolver::default();
    setup
        .mechanism
        .accelerations(state, solver, &mut out)
        .unwrap();
    out
}

/// Angles of coupler and rocker of the four-bar linkage at an angle of its crank.
fn linkage(crank: f64) -> [f64; 2] {
    let tip = [0.4 * crank.cos(), 0.4 * crank.sin()];
    let (x, y) = (1.0 - tip[0], -tip[1]);
    let d = x.hypot(y);
    // The coupler is 1 m long, the rocker 0.8 m; the joint between them is on the left of the way to D.
    let lift = ((1.0 + d * d - 0.64) / (2.0 * d)).acos();
    let coupler = y.atan2(x) + lift;
    let end = [tip[0] + coupler.cos(), tip[1] + coupler.sin()];
    [coupler, end[1].atan2(end[0] - 1.0)]
}

/// Twice the kinetic energy per squared rate of the crank, and the potential energy.
fn energies(crank: f64) -> [f64; 2] {
    let h = 1e-5;
    let [before, at, after] = [crank - h, crank, crank + h].map(linkage);
    let [coupler, rocker] = [0, 1].map(|k| (after[k] - before[k]) / (2.0 * h));
    let (sin, cos) = crank.sin_cos();
    let middle = [
        -0.4 * sin - 0.5 * coupler * at[0].sin(),
        0.4 * cos + 0.5 * coupler * at[0].cos(),
    ];
    let inertia = 0.0107
        + 0.8 * 0.04
        + 2.0 * (middle[0].powi(2) + middle[1].powi(2))
        + 0.167 * coupler * coupler
        + (0.0853 + 1.6 * 0.16) * rocker * rocker;
    let height = 0.8 * 0.2 * sin + 2.0 * (0.4 * sin + 0.5 * at[0].sin()) + 1.6 * 0.4 * at[1].sin();
    [inertia, 9.81 * height]
}

/// `carom forward` once answered for the tree without the joint that closes it, 12.5 rad/s² at the crank; then it
/// refused.
#[test]
fn a_four_bar_linkage_has_the_one_acceleration_of_its_crank() {
    let text = example("four-bar").unwrap().text;
    let (instant, result) = solved(text);
    assert_eq!(instant.coordinates, ["O"]);
    assert_eq!(result.count, Some(1));
    let found = result.answers[0].acceleration[0];
    assert_near("crank", found, simulated(text)[0], 1e-11);
    // I(θ) θ̈ + I' θ̇²/2 + V' = 0
    let mut setup = read(text).build().unwrap();
    let (q, v) = setup.start().unwrap();
    let h = 1e-4;
    let [before, after] = [q[0] - h, q[0] + h].map(energies);
    let slope = |k: usize| (after[k] - before[k]) / (2.0 * h);
    let force = -0.5 * slope(0) * v[0] * v[0] - slope(1);
    assert_near("crank", found, force / energies(q[0])[0], 1e-5);
    assert!((found - 12.5).abs() > 0.5, "{found}");
}

/// A body of two parts that two pins hold together: the second closes a loop, and holds no more than the turning.
fn pinned(space: bool, rate: f64, friction: f64) -> String {
    let vector = |x: f64, y: f64| match space {
        true => format!("[{x:?}, 0.0, {y:?}]"),
        false => format!("[{x:?}, {y:?}]"),
    };
    let (head, inertia, axis) = match space {
        true => (
            "space = \"space\"\n",
            "[0.02, 0.02, 0.02]",
            "axis = [0.0, 1.0, 0.0]\n",
        ),
        false => ("", "0.02", ""),
    };
    let start = match space {
        true => {
            format!("start = {{ position = [0.0, 0.0, 0.0], velocity = [{rate:?}, 0.0, 0.0] }}")
        }
        false => format!("start = {{ position = [0.0, 0.0, 0.0], rate = [{rate:?}, 0.0, 0.0] }}"),
    };
    let pin = |name: &str, x: f64| {
        format!(
            "[joints.{name}]\nkind = \"revolute\"\nparent = \"rod\"\nchild = \"rest\"\n{axis}\
             parent_at = {}\nchild_at = {}\n",
            vector(x, 0.4),
            vector(x - 0.2, 0.2),
        )
    };
    format!(
        "{head}gravity = {}\n[bodies.rod]\nmass = 0.6\ninertia = {inertia}\ncenter = {}\n\
         shapes.foot = {{ point = {{}} }}\n{start}\n[bodies.rest]\nmass = 0.4\ninertia = {inertia}\n\
         {}{}[world]\nshapes.floor = {{ half_space = {{ normal = {} }} }}\n\
         [contacts.foot]\nbetween = [\"rod.foot\", \"world.floor\"]\nrestitution = 0.0\n\
         friction = {friction:?}\n[run]\nduration = 1e-4\nsamples = 2\n",
        vector(0.0, -9.81),
        vector(0.1, 0.3),
        pin("pin", 0.1),
        pin("bolt", 0.3),
        vector(0.0, 1.0),
    )
}

/// The same in one piece: masses 0.6 kg at (0.1, 0.3) and 0.4 kg at (0.2, 0.2).
fn whole(rate: f64, friction: f64) -> String {
    format!(
        "gravity = [0.0, -9.81]\n[bodies.rod]\nmass = 1.0\ninertia = {:?}\ncenter = [0.14, 0.26]\n\
         shapes.foot = {{ point = {{}} }}\nstart = {{ position = [0.0, 0.0, 0.0], rate = [{rate:?}, 0.0, 0.0] }}\n\
         [world]\nshapes.floor = {{ half_space = {{ normal = [0.0, 1.0] }} }}\n\
         [contacts.foot]\nbetween = [\"rod.foot\", \"world.floor\"]\nrestitution = 0.0\nfriction = {friction:?}\n\
         [run]\nduration = 1.0\n",
        0.04 + 0.24 * 0.02,
    )
}

#[test]
fn two_parts_pinned_twice_press_and_rub_as_one_body_does() {
    let mut counts = [0; 3];
    for friction in [0.0, 0.2, 0.5, 1.2, 3.0] {
        for rate in [-0.7, 0.0, 0.7] {
            let (instant, two) = solved(&pinned(false, rate, friction));
            let (_, one) = solved(&whole(rate, friction));
            assert_eq!(instant.coordinates.len(), 3);
            assert_eq!(two.count, one.count, "{friction} {rate}");
            counts[one.count.unwrap()] += 1;
            for (a, b) in two.answers.iter().zip(&one.answers) {
                assert_eq!(a.mode, b.mode);
                let pairs = a.acceleration.iter().zip(&b.acceleration);
                pairs.for_each(|(a, b)| assert_near("acceleration", *a, *b, 1e-10));
                assert_near("load", a.normal_load[0], b.normal_load[0], 1e-11);
                assert_near("friction", a.friction_force[0], b.friction_force[0], 1e-11);
            }
            assert_eq!(two.unique_for_every_force, one.unique_for_every_force);
            match (two.friction_margin, one.friction_margin) {
                (Some(a), Some(b)) => assert_near("margin", a, b, 1e-9),
                (a, b) => assert_eq!(a, b),
            }
        }
    }
    assert!(counts[1] > 5 && counts[0] + counts[2] > 0, "{counts:?}");
}

#[test]
fn a_linkage_that_leans_on_a_stop_presses_as_its_simulation_does() {
    let still = [
        "joints.O.start.rate=0",
        "joints.A.start.rate=0",
        "joints.D.start.rate=0",
    ];
    for (gravity, presses) in [("[9.81, 0.0]", true), ("[-9.81, 0.0]", false)] {
        let gravity = format!("gravity={gravity}");
        let set: Vec<&str> = still.iter().copied().chain([&gravity[..]]).collect();
        let scenario = changed(
            "four-bar-stop",
            &[&set[..], &["run.duration=1e-3"]].concat(),
        );
        let instant = scenario.instant().unwrap();
        let result = instant.solve().unwrap();
        assert_eq!(
            (result.count, &instant.contacts[..]),
            (Some(1), &["stop".to_owned()][..])
        );
        let load = result.answers[0].normal_load[0];
        assert_eq!(load > 0.0, presses);
        let (_, record) = ran(&scenario);
        let force = record.trajectory.unwrap().contact_forces;
        let start = force.get("stop").map_or(0.0, |force| force.normal[0]);
        assert_near("load", load, start, 1e-10);
    }
}

#[test]
fn a_loop_in_space_falls_as_its_simulation_does_with_and_without_a_floor() {
    let touching = pinned(true, 0.7, 0.3);
    let falling = touching.replace("position = [0.0, 0.0, 0.0]", "position = [0.0, 0.0, 1.0]");
    let (instant, result) = solved(&falling);
    assert_eq!((instant.coordinates.len(), result.count), (6, Some(1)));
    let wanted = &simulated(&falling)[1..]; // the first is the pin's, which the bolt holds
    for (a, b) in result.answers[0].acceleration.iter().zip(wanted) {
        assert_near("acceleration", *a, *b, 1e-10);
    }
    let instant = read(&touching).instant().unwrap();
    let found = instant.space.unwrap().solve().unwrap();
    let (_, plane) = solved(&pinned(false, 0.7, 0.3));
    assert_eq!(found.count, Some(1));
    let load = found.answers[0].normal_load[0];
    assert_near("load", load, plane.answers[0].normal_load[0], 1e-10);
}

#[test]
fn friction_in_a_joint_of_a_mechanism_with_loops_is_refused_with_its_reason() {
    let text = example("slider-crank").unwrap().text;
    let set = Override::parse("joints.guide.friction={ kinetic = 0.1 }").unwrap();
    let error = read_forward("t.toml", text, &[set]).unwrap_err();
    assert!(error.message.contains("reactions load"), "{error}");
}
