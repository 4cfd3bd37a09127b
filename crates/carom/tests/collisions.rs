//! Collisions of mechanisms at their start.
#![allow(clippy::unwrap_used)]

use carom::examples::example;
use carom::{Asked, CollisionAnswer, CollisionResult, Law, Method, collide, read_scenario};
use serde_json::Value;

fn solved(text: &str) -> CollisionAnswer {
    let scenario = read_scenario("t.toml", text, &[]).unwrap();
    collide(&scenario, Asked::default()).unwrap()
}

fn solved_example(name: &str) -> CollisionAnswer {
    solved(example(name).unwrap().text)
}

fn by(answer: &CollisionAnswer, method: Method, law: Law) -> &CollisionResult {
    let is_it = |r: &&CollisionResult| r.result.method == method && r.result.law == law;
    answer.results.iter().find(is_it).unwrap()
}

fn impulses(result: &CollisionResult) -> Vec<f64> {
    let contacts = result.result.contacts.iter();
    contacts.map(|c| c.impulse.normal.unwrap()).collect()
}

fn close(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (a, b) in found.iter().zip(wanted) {
        let miss = (a - b).abs();
        assert!(miss <= tolerance * b.abs().max(1.0), "{what}: {a} for {b}");
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A body of the reference, its frame at the mass centre.
fn body_text(name: &str, body: &Value) -> String {
    let (c, mut text) = (numbers(&body["C"]), String::new());
    text += &format!(
        "[bodies.{name}]\nmass = {}\ninertia = {}\n",
        body["m"], body["J"]
    );
    let rates = body.get("rates").map(numbers).unwrap_or_default();
    let kind = body["joint"].as_str().unwrap();
    if kind == "free" {
        let (w, v) = rates.split_at(3);
        return text
            + &format!(
                "start = {{ position = {c:?}, velocity = {v:?}, angular_velocity = {w:?} }}\n"
            );
    }
    let at = body.get("point").map_or(c.clone(), numbers);
    let child_at: Vec<f64> = at.iter().zip(&c).map(|(a, c)| a - c).collect();
    text +=
        &format!("[joints.{name}]\nkind = \"{kind}\"\nparent = \"world\"\nchild = \"{name}\"\n");
    text += &format!("parent_at = {at:?}\nchild_at = {child_at:?}\n");
    match kind {
        "revolute" => {
            text += &format!(
                "axis = {}\nstart = {{ rate = {:?} }}\n",
                body["axis"], rates[0]
            );
        }
        "spherical" => text += &format!("start = {{ angular_velocity = {rates:?} }}\n"),
        _ => {}
    }
    text
}

/// A case of the reference as a scenario; body 2 is pushed along the normals.
fn case_text(case: &Value) -> String {
    let input = &case["input"];
    let mut text = "space = \"space\"\nrun.duration = 1.0\n".to_owned();
    for (name, body) in ["one", "two"]
        .iter()
        .zip(input["bodies"].as_array().unwrap())
    {
        text += &body_text(name, body);
    }
    let raw = input.get("unit_normals") == Some(&Value::Bool(false));
    for (i, contact) in input["contacts"].as_array().unwrap().iter().enumerate() {
        text += &format!(
            "[contacts.P{i}]\nbetween = [\"two\", \"one\"]\npoint = {}\nnormal = {}\nraw = {raw}\n\
             restitution = {}\n",
            contact["point"], contact["normal"], contact["k"]
        );
    }
    text
}

fn cross(a: &[f64], b: &[f64]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// What a joint does to its body, about the mass centre.
fn wrench(result: &CollisionResult, name: &str, body: &Value) -> Vec<f64> {
    let joint = &result.joint_impulses[name];
    let (f, c) = (&joint.force, numbers(&body["C"]));
    let at = body.get("point").map_or(c.clone(), numbers);
    let arm: Vec<f64> = at.iter().zip(&c).map(|(a, c)| a - c).collect();
    let moment = joint.moment.components().iter().zip(cross(&arm, f));
    f.iter()
        .copied()
        .chain(moment.map(|(m, x)| m + x))
        .collect()
}

#[test]
fn mechanisms_of_the_reference_collide_as_the_book_says() {
    let text = include_str!("../../../cases/simultaneous-reference/expected.json");
    let book: Value = serde_json::from_str(text).unwrap();
    let (mut cases, mut joints) = (0, 0);
    for case in book["cases"].as_array().unwrap() {
        let answer = solved(&case_text(case));
        let (id, wanted) = (case["id"].as_str().unwrap(), &case["expected"]);
        for (key, method, law) in [
            ("linear", Method::Linear, Law::Newton),
            ("newton_lcp", Method::Complementarity, Law::Newton),
            ("poisson_lcp", Method::Complementarity, Law::Poisson),
        ] {
            let told = &wanted[key];
            if told.get("v1").is_none() {
                continue;
            }
            let found = by(&answer, method, law);
            let what = format!("{id} {key}");
            assert_eq!(
                found.result.determinacy.rank as u64,
                wanted["rank"].as_u64().unwrap()
            );
            if found.result.velocity.is_none() {
                continue; // the linear law contradicts itself: the book lists a best fit
            }
            let screws = found.screws.as_ref().unwrap();
            for (after, v) in screws.velocities_after.iter().zip(["v1", "v2"]) {
                close(&what, after, &numbers(&told[v]), 1e-10);
            }
            let change = found.result.energy_change.unwrap();
            close(&what, &[change], &[told["dT"].as_f64().unwrap()], 1e-10);
            if found.result.determinacy.impulses_unique.iter().all(|x| *x) {
                close(&what, &impulses(found), &numbers(&told["P"]), 1e-10);
            }
            cases += 1;
            for (k, name) in ["one", "two"].iter().enumerate() {
                let body = &case["input"]["bodies"][k];
                let Some(told) = told.get(format!("joint_wrench{}", k + 1)) else {
                    continue;
                };
                if body["joint"] != "free" && found.joint_impulses[*name].unique {
                    close(&what, &wrench(found, name, body), &numbers(told), 1e-10);
                    joints += 1;
                }
            }
        }
    }
    assert!(cases >= 20 && joints >= 3, "{cases} {joints}");
}

#[test]
fn the_frames_of_paper_003_share_one_number_and_their_hinges_the_rest() {
    let answer = solved_example("jointed-frames");
    assert_eq!(answer.results.len(), 9);
    let found = by(&answer, Method::Linear, Law::Newton);
    let (one, two) = (3.0 * 0.25 + 0.35, 2.0 * 0.25 + 0.25);
    let g = 0.25 / one + 9.0 * 0.25 / two;
    let p = impulses(found);
    close("P1 + P3", &[p[0] + p[2]], &[1.6 * 2.5 / g], 1e-12);
    let screws = found.screws.as_ref().unwrap();
    close("delta", &screws.screws.delta, &[2.5, 0.0, 2.5], 1e-14);
    close(
        "xi_1",
        &screws.xi[0],
        &[0.39436619718309857, p[0], p[2], 0.0, 0.0],
        1e-12,
    );
    let hinge = &found.joint_impulses["hinge1"];
    let unique = hinge.unique_components.as_ref().unwrap();
    assert_eq!(unique.force, [true, false, false]);
    assert!(!hinge.unique && hinge.is_moment_unique(2));
}

const TABLE: &str = "space = \"space\"\nrun.duration = 0.1\n[bodies.table]\nmass = 2.0\n\
    inertia = [0.3, 0.4, 0.6]\nstart = { position = [0.0, 0.0, 0.1], velocity = [0.1, 0.2, -1.5], \
    angular_velocity = [0.2, -0.1, 0.3] }\n";

#[test]
fn contacts_by_point_and_normal_are_those_by_shapes() {
    let feet = [[0.5, 0.4], [-0.5, 0.4], [-0.5, -0.4], [0.5, -0.4]];
    let mut text = TABLE.to_owned();
    for (i, [x, y]) in feet.iter().enumerate() {
        text += &format!(
            "[contacts.foot{}]\nbetween = [\"table\", \"world\"]\npoint = [{x:?}, {y:?}, 0]\n\
             normal = [0, 0, 3]\nrestitution = 0.4\n",
            i + 1
        );
    }
    let (given, shaped) = (solved(&text), solved_example("four-legged-table"));
    for (a, b) in given.results.iter().zip(&shaped.results) {
        assert_eq!(a.result.outcome, b.result.outcome);
        close("impulses", &impulses(a), &impulses(b), 1e-12);
        let velocity = |r: &CollisionResult| r.result.velocity.clone().unwrap();
        close("velocity", &velocity(a), &velocity(b), 1e-12);
    }
    for (a, b) in given.problem.contacts.iter().zip(&shaped.problem.contacts) {
        close("row", &a.normal, &b.normal, 1e-14);
        assert_eq!(a.name, b.name);
    }
}

#[test]
fn the_posed_problem_of_a_table_and_of_a_rod_is_the_one_by_hand() {
    let table = solved_example("three-legged-table").problem;
    let rows = [[0.0, -0.5], [0.4, 0.3], [-0.5, 0.2]]; // v_z + ω_x y − ω_y x, about the mass centre
    for (contact, [x, y]) in table.contacts.iter().zip(rows) {
        close(
            &contact.name,
            &contact.normal,
            &[0.0, 0.0, 1.0, x, y, 0.0],
            1e-15,
        );
    }
    let masses: Vec<f64> = (0..6).map(|k| table.mass[k][k]).collect();
    close("mass", &masses, &[2.0, 2.0, 2.0, 0.3, 0.4, 0.6], 1e-15);
    let rod = solved_example("rod-landing-flat").problem;
    for (contact, x) in rod.contacts.iter().zip([-0.5, 0.5]) {
        close(&contact.name, &contact.normal, &[0.0, 1.0, x], 1e-15);
        close(
            &contact.name,
            contact.tangent.as_ref().unwrap(),
            &[1.0, 0.0, 0.02],
            1e-15,
        );
        assert_eq!(contact.friction, 0.3.into());
    }
    close("velocity", &rod.velocity, &[0.6, -1.0, 0.0], 0.0);
}

#[test]
fn a_rod_that_lands_flat_slides_on_with_the_friction_of_both_ends() {
    let answer = solved_example("rod-landing-flat");
    let found = &by(&answer, Method::Complementarity, Law::Poisson).result;
    // p_n = (1 + e) m v, p_t = −μ p_n; about the centre their arms are ±0.5 and 0.02.
    close(
        "velocity",
        found.velocity.as_ref().unwrap(),
        &[0.6 - 0.45, 0.5, 0.0],
        1e-12,
    );
    let p = found.contacts.iter().map(|c| c.impulse.normal.unwrap());
    close(
        "impulses",
        &p.collect::<Vec<_>>(),
        &[0.75 - 0.009, 0.75 + 0.009],
        1e-12,
    );
    assert!(
        answer
            .left_out
            .iter()
            .any(|left| left.method == Method::Linear)
    );
}

#[test]
fn three_balls_in_a_row_pass_the_velocity_on_or_share_it() {
    let mut text = "gravity = [0, 0]\nrun.duration = 1\n".to_owned();
    for (i, rate) in [1.0, 0.0, 0.0].iter().enumerate() {
        text += &format!(
            "[bodies.b{i}]\nmass = 1\ninertia = 0.4\nshapes.s.disk.radius = 0.5\n\
             start = {{ position = [{i}, 0, 0], rate = [{rate:?}, 0, 0] }}\n"
        );
    }
    for i in 0..2 {
        text += &format!(
            "[contacts.c{i}]\nbetween = [\"b{i}.s\", \"b{}.s\"]\nrestitution = 1\nlaw = \"newton\"\n",
            i + 1
        );
    }
    let answer = solved(&text);
    let along = |method: Method, law: Law| -> Vec<f64> {
        let velocity = by(&answer, method, law).result.velocity.clone().unwrap();
        velocity.iter().step_by(3).copied().collect()
    };
    let third = 1.0 / 3.0;
    for law in [Law::Newton, Law::Poisson, Law::Moreau] {
        let found = along(Method::Complementarity, law);
        close(
            "at once",
            &found,
            &[-third, 2.0 * third, 2.0 * third],
            1e-12,
        );
    }
    close(
        "in turn",
        &along(Method::Sequential, Law::Newton),
        &[0.0, 0.0, 1.0],
        1e-12,
    );
    let sequence = text.replace(
        "duration = 1\n",
        "duration = 1\nrun.simultaneous = \"sequential\"\n",
    );
    for (text, last) in [(&text, 2.0 * third), (&sequence, 1.0)] {
        let run = carom::simulate(&read_scenario("t.toml", text, &[]).unwrap()).unwrap();
        let after = run.events[0].rates_after.as_ref().unwrap();
        close("a run", &after["b2"][..1], &[last], 1e-12);
    }
}

#[test]
fn a_pendulum_struck_at_its_centre_of_percussion_leaves_its_pivot_alone() {
    for (d, wanted) in [(0.5, -0.25), (2.0 / 3.0, 0.0), (1.0, 0.5)] {
        let answer = solved(&format!(
            "run.duration = 1\n[bodies.rod]\nmass = 1\ninertia = {:?}\ncenter = [0, -0.5]\n\
             [bodies.ball]\nmass = 1\ninertia = 0.1\nstart = {{ position = [-0.1, -{d:?}, 0], rate = [1, 0, 0] }}\n\
             [joints.O]\nkind = \"revolute\"\nparent = \"world\"\nchild = \"rod\"\n\
             [contacts.blow]\nbetween = [\"rod\", \"ball\"]\npoint = [0, -{d:?}]\nnormal = [1, 0]\nrestitution = 0.5\n",
            1.0 / 12.0
        ));
        for found in &answer.results {
            let p = impulses(found)[0];
            let pivot = &found.joint_impulses["O"];
            close("pivot", &[pivot.force[0] / p], &[wanted], 1e-12);
            assert!(pivot.unique && p > 0.0);
        }
    }
}

#[test]
fn a_slider_with_clearance_first_meets_the_wall_with_both_upper_corners() {
    let text = example("slider-crank-clearance").unwrap().text;
    let run = carom::simulate(&read_scenario("t.toml", text, &[]).unwrap()).unwrap();
    let event = &run.events[0];
    assert_eq!(event.contacts.len(), 2);
    assert!(event.contacts.iter().all(|c| c.name.starts_with("upper.")));
    close("time", &[event.time], &[0.002692502752], 1e-11);
    let angle = |joint: &str| event.coordinates[joint][0];
    let (crank, rod) = (angle("shaft"), angle("shaft") + angle("crank-pin"));
    close("angles", &[crank, rod], &[0.35530446, -0.17150954], 1e-8);
    close("slider", &[rod + angle("wrist-pin")], &[0.0], 1e-8);
    let rate = |joint: &str| event.rates_before[joint][0];
    let (crank, rod) = (rate("shaft"), rate("shaft") + rate("crank-pin"));
    close("rates", &[crank, rod], &[109.55768154, -49.33078996], 1e-9);
}

#[test]
fn the_first_event_of_a_run_is_the_collision_of_its_start() {
    for (name, method, law) in [
        ("four-legged-table", Method::Complementarity, Law::Newton),
        ("three-legged-table", Method::Complementarity, Law::Newton),
        ("rod-landing-flat", Method::Complementarity, Law::Poisson),
        ("cradle-in-contact", Method::Sequential, Law::Newton),
    ] {
        let text = example(name).unwrap().text;
        let run = carom::simulate(&read_scenario("t.toml", text, &[]).unwrap()).unwrap();
        let (event, answer) = (&run.events[0], solved_example(name));
        let found = by(&answer, method, law);
        assert_eq!(
            (event.time, event.contacts.len()),
            (0.0, found.result.contacts.len())
        );
        assert_eq!(event.contacts, found.result.contacts, "{name}");
        assert_eq!(
            event.problem.as_ref().unwrap().problem,
            answer.problem,
            "{name}"
        );
        for (joint, impulse) in &found.joint_impulses {
            let other = &event.joint_impulses[joint];
            assert_eq!(impulse.unique, other.unique, "{name}");
            close(name, &impulse.force, &other.force, 1e-12);
        }
    }
}

const BAR: &str = "gravity = [0, 0]\nrun.duration = 0.1\n[bodies.bar]\nmass = 1\ninertia = 0.1\n\
    center = [0.5, 0]\nshapes.a = { point = {}, at = [0.5, 0] }\nshapes.b = { point = {}, at = [1, 0] }\n\
    [world]\nshapes.floor.half_space.normal = [0, 1]\n\
    [joints.O]\nkind = \"revolute\"\nparent = \"world\"\nchild = \"bar\"\nstart = { rate = -1 }\n\
    [contacts.a]\nbetween = [\"bar.a\", \"world.floor\"]\nrestitution = 0.5\n\
    [contacts.b]\nbetween = [\"bar.b\", \"world.floor\"]\nrestitution = 0.5\n";

#[test]
fn a_hinged_bar_on_two_stops_does_not_say_what_its_hinge_carries_along_them() {
    let answer = solved(BAR);
    let found = by(&answer, Method::Complementarity, Law::Poisson);
    let hinge = &found.joint_impulses["O"];
    assert!(!hinge.unique && !hinge.is_force_unique(1));
    assert!(hinge.is_force_unique(0) && hinge.is_moment_unique(0));
    let run = carom::simulate(&read_scenario("t.toml", BAR, &[]).unwrap()).unwrap();
    assert_eq!(run.events[0].joint_impulses["O"], *hinge);
    let one = solved(&BAR.replace(
        "shapes.b = { point = {}, at = [1, 0] }",
        "shapes.b = { point = {}, at = [1, 1] }",
    ));
    assert_eq!(one.problem.contacts.len(), 1);
    assert!(one.results.iter().all(|r| r.joint_impulses["O"].unique));
}

#[test]
fn an_event_with_several_outcomes_lists_them() {
    let text = example("rod-landing-flat").unwrap().text;
    let text = text.replace(
        "[run]",
        "[run]\nsimultaneous = \"sequential\"\nseveral_answers = \"keep\"",
    );
    let run = carom::simulate(&read_scenario("t.toml", &text, &[]).unwrap()).unwrap();
    let event = &run.events[0];
    assert_eq!(event.outcomes.len(), 2);
    assert_eq!(event.outcomes[0].contacts, event.contacts);
    let json = serde_json::to_value(event).unwrap();
    assert_eq!(json["outcomes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_start_that_does_not_touch_names_the_nearest_contact_and_overlap_its_own() {
    let refused = |text: &str| {
        let scenario = read_scenario("t.toml", text, &[]).unwrap();
        collide(&scenario, Asked::default()).unwrap_err()
    };
    let above = refused(&BAR.replace("start = { rate = -1 }", "start = { position = 0.1 }"));
    assert!(
        above
            .message
            .contains("the nearest, a, has a gap of 0.0499167 m"),
        "{above:?}"
    );
    assert_eq!(above.path.as_deref(), Some("contacts.a"));
    let below = refused(&BAR.replace("start = { rate = -1 }", "start = { position = -0.1 }"));
    assert!(below.message.contains("overlaps"), "{below:?}");
    let alone = refused("run.duration = 1\nbodies.a = { mass = 1, inertia = 1 }");
    assert!(alone.message.contains("there is no contact"), "{alone:?}");
}

#[test]
fn contacts_that_part_are_told_as_no_impact() {
    let answer = solved(&BAR.replace("rate = -1", "rate = 1"));
    assert!(!answer.results.is_empty());
    for found in &answer.results {
        assert_eq!(found.result.energy_change, Some(0.0));
        assert!(impulses(found).iter().all(|p| *p == 0.0));
    }
}

#[test]
fn the_instants_of_linkages_are_the_first_events_of_their_runs() {
    for (instant, moving) in [
        ("slider-crank-corners", "slider-crank-clearance"),
        ("four-bar-stop", "four-bar"),
    ] {
        let text = example(moving).unwrap().text;
        let run = carom::simulate(&read_scenario("t.toml", text, &[]).unwrap()).unwrap();
        let (event, answer) = (&run.events[0], solved_example(instant));
        let found = by(&answer, Method::Complementarity, Law::Poisson);
        let before = event.contacts.iter().map(|c| c.impulse.normal.unwrap());
        close(instant, &impulses(found), &before.collect::<Vec<_>>(), 1e-9);
        let changes = [found.result.energy_change, event.energy_change].map(Option::unwrap);
        close(instant, &changes[..1], &changes[1..], 1e-9);
    }
}

/// A row of three touching balls, the first moving, in a stated order.
fn row_in_order(order: &str) -> CollisionAnswer {
    solved(&format!(
        "gravity = [0, 0]\nrun.order = {order}\n\
         bodies.a = {{ mass = 1, inertia = 1, start.rate = [1, 0, 0] }}\n\
         bodies.b = {{ mass = 1, inertia = 1 }}\n\
         bodies.c = {{ mass = 1, inertia = 1, start.rate = [-1, 0, 0] }}\n\
         contacts.ab = {{ between = [\"b\", \"a\"], point = [0, 0], normal = [1, 0], restitution = 0.5 }}\n\
         contacts.bc = {{ between = [\"c\", \"b\"], point = [0, 0], normal = [1, 0], restitution = 0.5 }}\n"
    ))
}

#[test]
fn a_sequence_in_a_stated_order_has_one_outcome_and_its_mirror_image_the_other() {
    let after = |order: &str| {
        let answer = row_in_order(order);
        let found = by(&answer, Method::Sequential, Law::Newton);
        assert!(found.result.outcomes.is_empty(), "{order}");
        let v = found.result.velocity.clone().unwrap();
        [v[0], v[3], v[6]]
    };
    let [a, b, c] = after("[\"ab\", \"bc\"]");
    close("mirrored", &after("[\"bc\", \"ab\"]"), &[-c, -b, -a], 1e-12);
    assert!((a + c).abs() > 1e-3, "the order matters: {a}, {b}, {c}");
    assert_eq!(
        after("[\"bc\"]"),
        after("[\"bc\", \"ab\"]"),
        "the others follow"
    );
}

#[test]
fn an_order_of_unknown_contacts_or_of_one_twice_is_refused_at_its_place() {
    for (order, path, said) in [
        (r#"["hit", "hat"]"#, "run.order[1]", "did you mean \"hit\"?"),
        (r#"["hit.0", "hit"]"#, "run.order", "named before"),
        (r#"["hit.7"]"#, "run.order", "is no contact"),
        ("[]", "run.order", "there is no name"),
    ] {
        let text = format!(
            "run.order = {order}\n\
             [bodies.rod]\nmass = 1\ninertia = 0.1\nshapes.skin = {{ box = {{ size = [1, 0.2] }} }}\n\
             start = {{ position = [0, 0.1, 0], rate = [0, -1, 0] }}\n\
             [world]\nshapes.floor = {{ half_space = {{ normal = [0, 1] }} }}\n\
             [contacts.hit]\nbetween = [\"rod.skin\", \"world.floor\"]\nrestitution = 0.5\n"
        );
        let read = read_scenario("t.toml", &text, &[]);
        let error = read.and_then(|scenario| collide(&scenario, Asked::default()));
        let error = error.map(|_| order).unwrap_err();
        assert_eq!(error.path.as_deref(), Some(path), "{error}");
        assert!(error.message.contains(said), "{error}");
        assert_eq!(error.line, Some(1), "{error}");
    }
}
