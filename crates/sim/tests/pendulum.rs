//! The double pendulum of paper 001 against its 34-digit reference, at the default tolerance.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_sim::{End, Event, Run, run};
use carom_support::cases::cases;
use carom_support::near::assert_near;
use common::pendulum;
use serde_json::Value;

fn simulate(mu: f64, duration: f64, samples: usize) -> Run {
    simulate_with(0.9, mu, duration, samples)
}

fn simulate_with(restitution: f64, mu: f64, duration: f64, samples: usize) -> Run {
    run(&mut pendulum(restitution, mu, duration, samples)).unwrap()
}

/// Rates are relative in the mechanism and absolute in the reference; its x axis points left.
fn check(event: &Event, expected: &Value) {
    let number = |key: &str| expected[key].as_f64().unwrap();
    // Later impacts repeat every digit lost before them: the reference says by how much.
    let amplified = number("amp_dt_dpsi1").max(1.0);
    assert_near("time", event.time, number("t"), 1e-10 * amplified);
    let bound = 1e-9 * amplified;
    for (rates, key) in [(&event.v_pre, "w_minus"), (&event.v_post, "w_plus")] {
        assert_near(key, rates[0], expected[key][0].as_f64().unwrap(), bound);
        assert_near(
            key,
            rates[0] + rates[1],
            expected[key][1].as_f64().unwrap(),
            bound,
        );
    }
    let end = event.impact().unwrap().solution.end.unwrap();
    assert_near("F", end.impulse.n, number("F"), bound);
    assert_near("T", end.impulse.t, -number("T"), bound);
    assert_near("dE", event.energy_change.unwrap(), number("dE"), bound);
    let joint = |i: usize| event.joint_impulses[i].force;
    let printed = |key: &str| expected["joint_impulse"][key].as_f64().unwrap();
    assert_near("R", joint(0)[0], printed("R"), bound);
    assert_near("P", joint(0)[1], printed("P"), bound);
    assert_near("H", joint(1)[0], printed("H"), bound);
    assert_near("V", joint(1)[1], -printed("V"), bound);
    if end.impulse.t != 0.0 {
        assert_eq!(
            expected["type"],
            event.impact().unwrap().solution.contact_type.name()
        );
    }
}

#[test]
fn every_impact_of_the_reference_comes_at_its_instant_with_its_impulses() {
    for case in &cases("pendulum-reference") {
        let mu = case["parameters"]["mu"].as_f64().unwrap();
        let run = simulate(mu, case["t_end"].as_f64().unwrap(), 0);
        assert_eq!(run.end, End::Duration);
        let impacts = case["impacts"].as_array().unwrap();
        assert_eq!(run.events.len(), impacts.len(), "{}", case["name"]);
        for (event, expected) in run.events.iter().zip(impacts) {
            check(event, expected);
        }
        let start = case["E0"].as_f64().unwrap();
        assert_near("E0", run.ledger.unwrap().start, start, 1e-13);
    }
}

#[test]
fn six_smooth_and_ten_rough_impacts_happen_in_six_seconds() {
    assert_eq!(simulate(0.0, 6.0, 0).events.len(), 6);
    assert_eq!(simulate(0.15, 6.0, 0).events.len(), 10);
}

#[test]
fn the_ledger_closes_and_a_repeat_gives_the_same_bits() {
    let (first, second) = (simulate(0.15, 6.0, 601), simulate(0.15, 6.0, 601));
    assert_eq!(first, second);
    let ledger = first.ledger.unwrap();
    assert!(
        ledger.residual().abs() < 1e-10 * ledger.largest,
        "{ledger:?}"
    );
    assert!(ledger.impacts_normal < 0.0 && ledger.impacts_friction < 0.0);
    assert_eq!(first.samples.len(), 601);
    assert!((first.samples[600].time - 6.0).abs() < 1e-15);
    assert_eq!(first.samples[600].q, first.q);
}

/// A plastic impact leaves `v_n` at round-off of either sign; neither may be struck once more.
#[test]
fn a_plastic_pendulum_stays_on_its_obstacle_and_the_run_says_so() {
    for mu in [0.0, 0.15, 0.8] {
        let mut setup = pendulum(0.0, mu, 3.0, 0);
        setup.options.sustained = false;
        let run = run(&mut setup).unwrap();
        assert_eq!(run.end, End::ContactPersists { contacts: vec![0] }, "{mu}");
        assert_eq!(run.events.len(), 1, "{mu}");
    }
}

/// The specialist peer uses the mass matrix of its last step: an impulse with M a little off the
/// configuration of impact is wrong by far more than the bound here.
#[test]
fn an_impulse_belongs_to_the_mass_matrix_of_its_own_configuration() {
    let run = simulate(0.0, 2.0, 0);
    let event = &run.events[0];
    let (p1, p2) = (event.q[0], event.q[0] + event.q[1]);
    let (w1, w2) = (event.v_pre[0], event.v_pre[0] + event.v_pre[1]);
    let coupling = 3.8 * 0.5 * 0.3627 * (p1 - p2).cos();
    let (a, b) = (0.0676 + 0.25 * (0.8 + 3.8), 0.164 + 3.8 * 0.3627 * 0.3627);
    let (j1, j2) = (0.5 * p1.sin(), 0.65 * p2.sin());
    let w_nn =
        (b * j1 * j1 - 2.0 * coupling * j1 * j2 + a * j2 * j2) / (a * b - coupling * coupling);
    let impulse = -1.9 * (j1 * w1 + j2 * w2) / w_nn;
    let found = event.impact().unwrap().solution.end.unwrap().impulse.n;
    assert!(
        (found - impulse).abs() < 1e-12 * impulse,
        "{found} {impulse}"
    );
}
