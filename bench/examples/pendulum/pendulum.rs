//! The run that is timed: the double pendulum of paper 001, from its scenario.

use carom_scenario::examples::example;
use carom_scenario::read_scenario;
use carom_sim::{Setup, run};

/// Mechanism, rule, start and options of a run, built once.
pub(crate) fn setup() -> Setup {
    let smooth = example("pendulum-smooth").unwrap();
    let scenario = read_scenario(smooth.file, smooth.text, &[]).unwrap();
    let mut setup = scenario.build_plane().unwrap();
    setup.options.samples = 0;
    setup
}

/// Impact times (s) and what the integration cost.
pub(crate) fn simulate(setup: &mut Setup) -> (Vec<f64>, String) {
    let run = run(setup).unwrap();
    let impacts = run.events.iter().map(|event| event.time).collect();
    let e = run.effort;
    let effort = format!(
        "{} steps, {} rejected, {} rates, {} guards, {} sub-steps",
        e.steps_accepted, e.steps_rejected, e.evaluations, e.guard_evaluations, e.polish_steps
    );
    (impacts, effort)
}
