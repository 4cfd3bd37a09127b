//! Plastic impacts in double support: blocks that rock, wheels without a rim, a pendulum to its end.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::contact::Outline;
use carom_sim::{ContactMode, End, Event, Happening, Run, run};
use carom_support::near::assert_close;
use carom_support::sim::assert_balanced;
use common::scene::Scene;

fn impacts(run: &Run) -> Vec<&Event> {
    let is_impact =
        |event: &&Event| matches!(event.what, Happening::Impact(_) | Happening::Collision(_));
    run.events.iter().filter(is_impact).collect()
}

/// Normal and friction impulse of the corner that strikes.
fn struck(event: &Event) -> (f64, f64) {
    match &event.what {
        Happening::Impact(impact) => {
            let impulse = impact.solution.end.unwrap().impulse;
            (impulse.n, impulse.t)
        }
        Happening::Collision(all) => {
            let hit = (0..all.contacts.len()).max_by(|a, b| {
                let [a, b] = [a, b].map(|k| all.impulses[*k]);
                a.total_cmp(&b)
            });
            let hit = hit.unwrap();
            (all.impulses[hit], all.friction_impulses[hit])
        }
        _ => unreachable!("no impact"),
    }
}

fn check_ledger(run: &Run) {
    assert_balanced(run, 1e-10);
}

/// A block of half-diagonal 1 on its lower left corner, turned clockwise out of rest: the angle from
/// side to diagonal, and the tilt.
fn block(a: f64, tilt: f64) -> Scene {
    let (half_width, half_height) = (a.sin(), a.cos());
    // The lower left corner stays at the origin when the block turns counter-clockwise about it.
    let turn = tilt;
    let (x, y) = (half_width, half_height);
    let q = [
        turn.cos() * x - turn.sin() * y,
        turn.sin() * x + turn.cos() * y,
        turn,
    ];
    Scene {
        inertia: 1.0 / 3.0,
        skin: Outline::Box {
            size: [2.0 * half_width, 2.0 * half_height].into(),
        },
        q,
        friction: [1.0; 2],
        ..Scene::default()
    }
}

#[test]
fn a_block_rocks_at_the_instants_and_rates_of_housner() {
    let a = 15f64.to_radians();
    let scene = Scene {
        duration: 2.6,
        ..block(a, 0.5 * a)
    };
    let run = run(&mut scene.setup()).unwrap();
    assert_eq!(run.end, End::Duration);
    let times = [0.4864972889, 1.2581364978, 1.9015789042, 2.4515063316];
    let rates = [0.5512170269, 0.4958302180, 0.4460087281, 0.4011933486];
    let impacts = impacts(&run);
    assert_eq!(impacts.len(), 4);
    for ((event, t), w) in impacts.iter().zip(times).zip(rates) {
        assert_close("time", event.time, t, 1e-9);
        assert_close("rate", event.v_post[2].abs(), w, 1e-9);
        let factor = 1.0 - 1.5 * a.sin() * a.sin();
        assert_close("factor", event.v_post[2] / event.v_pre[2], factor, 1e-11);
    }
    check_ledger(&run);
}

#[test]
fn a_block_rocks_over_with_the_factor_and_the_friction_of_the_closed_form() {
    let cases = [
        (15f64, 0.899519052838, 0.197418393587),
        (20.0, 0.824533332339, 0.264226856654),
    ];
    for (angle, factor, friction) in cases {
        let a = angle.to_radians();
        let run = run(&mut block(a, 0.3 * a).setup()).unwrap();
        let first = impacts(&run)[0];
        assert_close("factor", first.v_post[2] / first.v_pre[2], factor, 1e-10);
        let (p_n, p_t) = struck(first);
        assert_close("friction", p_t.abs() / p_n, friction, 1e-10);
    }
}

#[test]
fn a_broad_block_stops_at_its_first_impact_on_both_corners() {
    let a = 60f64.to_radians();
    let run = run(&mut block(a, 0.1).setup()).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_eq!(impacts(&run).len(), 1);
    let closed = impacts(&run)[0].modes_after.iter();
    let closed = closed.filter(|(_, mode)| *mode == ContactMode::Stick);
    assert_eq!(closed.count(), 2);
    assert!(run.v.iter().all(|v| v.abs() < 1e-14), "{:?}", run.v);
    check_ledger(&run);
}

/// Eight spokes of length 1 on a slope, with rotational inertia beside the mass at the hub: energy of
/// the drop against the loss of the impact, `ω² (1/η² − 1) = 4 g sin a sin γ/(1 + I)` with
/// `η = (cos 2a + I)/(1 + I)`. Without inertia 1.252857313379.
#[test]
fn a_rimless_wheel_walks_into_its_limit_cycle() {
    let slope = 6f64.to_radians();
    let corner = |k: usize| {
        let angle = std::f64::consts::FRAC_PI_4 * k as f64;
        [angle.cos(), angle.sin()].into()
    };
    let stance = 22.5f64.to_radians();
    let height = stance.cos();
    let lean = -std::f64::consts::FRAC_PI_2 - slope;
    let mut found = Vec::new();
    for inertia in [0.3, 1e-3, 5e-4] {
        let run = run(&mut Scene {
            inertia,
            skin: Outline::Polygon {
                vertices: (0..8).map(corner).collect(),
            },
            q: [height * slope.sin(), height * slope.cos(), lean + stance],
            v: [1.2 * slope.cos(), -1.2 * slope.sin(), -1.2],
            walls: vec![([slope.sin(), slope.cos()], [0.0, 0.0])],
            friction: [2.0; 2],
            duration: 30.0,
            ..Scene::default()
        }
        .setup())
        .unwrap();
        assert_eq!(run.end, End::Duration);
        let impacts = impacts(&run);
        let [.., before, last] = &impacts[..] else {
            unreachable!("it walks");
        };
        let eta = ((2.0 * stance).cos() + inertia) / (1.0 + inertia);
        let gained = 4.0 * 9.81 * stance.sin() * slope.sin() / (1.0 + inertia);
        let rate = (gained / (1.0 / (eta * eta) - 1.0)).sqrt();
        assert_close("rate", last.v_post[2].abs(), rate, 1e-8);
        found.push([last.v_post[2].abs(), last.time - before.time]);
        // The map of ω² is linear with the multiplier η².
        let beyond = |k: usize| impacts[k].v_post[2].powi(2) - rate * rate;
        assert_close("multiplier", beyond(2) / beyond(1), eta * eta, 1e-6);
        check_ledger(&run);
    }
    // Without inertia, from two small ones.
    let [_, coarse, fine] = found[..] else {
        unreachable!("three wheels");
    };
    assert_close("rate", 2.0 * fine[0] - coarse[0], 1.252857313379, 2e-6);
    assert_close("step", 2.0 * fine[1] - coarse[1], 0.718560916754, 2e-6);
}
