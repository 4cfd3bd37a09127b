//! The remark on the rod and section 6.

use carom::InputError;
use carom::forward::answers;
use carom::forward::rod::Rod;

use super::screw::critical;
use super::systems::{Dice, Systems, TRIED, refused};
use crate::finding::{Finding, Keyed, show};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    Ok(vec![
        ("rod-inertia", rod_inertia(&systems.rod)?),
        ("typical-friction", typical(systems)?),
        ("higher-dimension", higher()?),
    ])
}

/// `μ_P = 2√(k(1+k))` for rods of growing `k = I/(m ℓ²)`.
fn rod_inertia(rod: &Rod) -> Result<Finding, InputError> {
    let arm = rod.mass * rod.half_length * rod.half_length;
    let mut thresholds = Vec::new();
    for k in [0.05, 1.0 / 3.0, 1.0] {
        let own = Rod {
            inertia: k * arm,
            ..rod.clone()
        };
        thresholds.push((k, own.numbers().map_err(refused)?.mu_p));
    }
    // μ = 1 on a small and on a large rotational inertia, under gravity at every angle.
    let lost = |k: f64| -> Result<usize, InputError> {
        let mut lost = 0;
        for i in 1..315 {
            let own = Rod {
                inertia: k * arm,
                angle: 0.01 * f64::from(i),
                rate: 0.0,
                slip: -1.0,
                friction: 1.0.into(),
                force: [0.0; 2],
                torque: 0.0,
                ..rod.clone()
            };
            let found = answers(&own.problem().map_err(refused)?).map_err(refused)?;
            lost += usize::from(found.count() == Some(0));
        }
        Ok(lost)
    };
    let (small, large) = (lost(0.05)?, lost(1.0)?);
    let list: Vec<String> = thresholds
        .iter()
        .map(|(k, mu)| format!("{} for k = {}", show(*mu), show(*k)))
        .collect();
    let rises = thresholds.windows(2).all(|w| w[1].1 > w[0].1);
    Ok(Finding::refuted(
        [small == 0 && large > 0, rises && small > 0 && large == 0],
        format!("mu_P = {}", list.join(", ")),
        format!(
            "a sliding rod can be inconsistent only above mu_P = 2 sqrt(k(1+k)), k = I/(m l^2): {}; with mu = 1 the rod of k = 0.05 has no answer at {small} of 314 angles, that of k = 1 at {large}: the paradox needs a small rotational inertia",
            list.join(", ")
        ),
    ))
}

/// A self-locking screw jack under a usual friction.
fn typical(systems: &Systems) -> Result<Finding, InputError> {
    let (jack, free) = (&systems.jack, &systems.overhauling);
    let (bound, other) = (critical(jack)?, critical(free)?);
    let is_unique = super::screw::is_unique(jack)?;
    Ok(Finding::refuted(
        [bound > 0.5, !is_unique && bound < jack.mu],
        format!("critical mu = {} for a screw jack", show(bound)),
        format!(
            "a jack of helix angle {} deg with {} kg on a screw of {} kg m^2 loses uniqueness at mu = {}, below mu = {} of a usual thread; the screw of figure 6 keeps it up to {}",
            show(jack.helix),
            show(jack.mass),
            show(jack.inertia),
            show(bound),
            show(jack.mu),
            show(other)
        ),
    ))
}

fn higher() -> Result<Finding, InputError> {
    let mut dice = Dice(2);
    let mut most = 0;
    let mut rest = 0;
    for _ in 0..TRIED {
        let mut problem = dice.two(2.5);
        most = most.max(answers(&problem).map_err(refused)?.answers.len());
        problem.velocity = vec![0.0; 2];
        rest = rest.max(answers(&problem).map_err(refused)?.answers.len());
    }
    Ok(Finding::holds(
        most > 2 && rest > 3,
        format!("up to {most} moving, {rest} at rest"),
        format!(
            "among {TRIED} random systems of two coordinates the largest number of answers is {most} in motion, {rest} at rest; one coordinate has at most 2 and 3"
        ),
    ))
}
