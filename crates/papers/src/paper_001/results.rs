//! Claims of section 4 about both simulations.

use carom::{InputError, Override};

use super::divergence::divergence;
use super::strike::{Strike, strikes};
use super::world::{Motion, World};
use crate::finding::{Finding, Keyed, show, worst};

/// The ledger closes to this fraction of its largest entry.
const LEDGER: f64 = 1e-10;
/// Energy is constant between impacts to this (J): the tolerance of the integrator, times steps.
const CONSTANT: f64 = 1e-9;
/// The works of an impact add up to this (J): round-off.
const WORKS: f64 = 1e-12;

/// Every finding about the results.
pub(super) fn findings(world: &World, overrides: &[Override]) -> Result<Vec<Keyed>, InputError> {
    let pair = world.motions().map(strikes);
    let [smooth, rough] = &pair;
    Ok(vec![
        ("no_driving", nothing_drives(world)),
        ("same_start", only_friction_differs(world)),
        ("energy_constant", energy_between(world)),
        ("energy_steps", energy_steps(&pair)),
        ("energy_ledger", ledger(world)),
        ("first_state_same", first_state(&pair)),
        ("first_loss", first_loss(&pair)),
        ("global_loss", global_loss(world, &pair)),
        ("loss_by_number", loss_by_number(rough, smooth.len())),
        ("counts", counts(&pair, overrides)?),
        ("counts_rounding", counts_within_rounding(overrides)?),
        ("velocity_jumps", velocity_jumps(&pair)),
        ("smooth_jumps", smooth_jumps(smooth)),
        ("reaction_steps", reaction_steps(world)),
        ("fig8_divergence", divergence(world, "O")),
        ("fig9_divergence", divergence(world, "A")),
        ("rough_types", types(world, rough)),
    ])
}

fn nothing_drives(world: &World) -> Finding {
    let still = world.motions().into_iter().all(|motion| {
        let quiet = |joint: &(String, carom::multibody::Joint<_>)| {
            joint.1.damping == 0.0 && joint.1.drive.is_none() && joint.1.spring.is_none()
        };
        motion
            .scenario
            .plane()
            .is_some_and(|parts| parts.loads.is_empty() && parts.joints.iter().all(quiet))
    });
    let works = world.motions().map(|motion| {
        let ledger = motion.run.ledger.unwrap_or_default();
        ledger.damping.abs() + ledger.drives.abs() + ledger.loads.abs()
    });
    Finding::holds(
        still && works == [0.0; 2],
        "no loads, drives, springs or dampers",
        format!(
            "work of dampers, drives and loads in both runs: {} and {} J",
            works[0], works[1]
        ),
    )
}

fn only_friction_differs(world: &World) -> Finding {
    let [a, b] = world.motions().map(|motion| &motion.setup);
    let same = (
        &a.q,
        &a.v,
        &a.rules[0].law,
        a.rules[0].restitution,
        &a.options,
    ) == (
        &b.q,
        &b.v,
        &b.rules[0].law,
        b.rules[0].restitution,
        &b.options,
    );
    let bodies = world
        .motions()
        .map(|motion| motion.scenario.plane().map(|parts| &parts.bodies));
    let mus = world.motions().map(Motion::mu);
    Finding::holds(
        same && bodies[0] == bodies[1] && mus[0] != mus[1],
        format!(
            "friction {} and {}, all else equal",
            show(mus[0]),
            show(mus[1])
        ),
        "bodies, start, law, restitution and options of the two scenarios compared",
    )
}

/// Largest change of energy within a piece of smooth motion.
fn energy_between(world: &World) -> Finding {
    let drift = |motion: &Motion| {
        let Some(motion_of) = &motion.record.trajectory else {
            return f64::NAN;
        };
        let sums = motion_of.kinetic.iter().zip(&motion_of.potential);
        let energies = motion_of.time.iter().zip(sums.map(|(k, p)| k + p));
        let start = motion.run.ledger.map_or(f64::NAN, |ledger| ledger.start);
        let expected = |time: f64| {
            let past = motion.run.events.iter().filter(|event| event.time < time);
            start + past.filter_map(|event| event.energy_change).sum::<f64>()
        };
        worst(energies.map(|(time, energy)| energy - expected(*time)))
    };
    let drifts = world.motions().map(drift);
    Finding::holds(
        worst(drifts) < CONSTANT,
        format!("constant to {} J", show(worst(drifts))),
        "energy at every sample against the energy at the start and the changes booked at the impacts before",
    )
}

fn changes(strikes: &[Strike]) -> String {
    let changes = strikes.iter().map(|s| format!("{:.4}", s.energy_change));
    changes.collect::<Vec<_>>().join(", ")
}

fn energy_steps([smooth, rough]: &[Vec<Strike>; 2]) -> Finding {
    let falls = |list: &[Strike]| !list.is_empty() && list.iter().all(|s| s.energy_change < 0.0);
    let closes = smooth
        .iter()
        .chain(rough)
        .map(|s| s.energy_change - s.works[0] - s.works[1]);
    let residual = worst(closes);
    Finding::holds(
        falls(smooth) && falls(rough) && residual < WORKS,
        "every impact loses energy",
        format!(
            "mu = 0: {} J; mu = 0.15: {} J; each is the work of its normal and friction impulses to {} J",
            changes(smooth),
            changes(rough),
            show(residual)
        ),
    )
}

fn ledger(world: &World) -> Finding {
    let ledgers = world
        .motions()
        .map(|motion| motion.run.ledger.unwrap_or_default());
    let closes = ledgers.map(|ledger| ledger.residual().abs() / ledger.largest);
    let said = ledgers.map(|ledger| {
        format!(
            "{} J at the start, {} by normal and {} by friction impulses, {} at the end",
            show(ledger.start),
            show(ledger.impacts_normal),
            show(ledger.impacts_friction),
            show(ledger.end)
        )
    });
    Finding::holds(
        worst(closes) < LEDGER,
        format!(
            "the ledger closes to {} of its largest entry",
            show(worst(closes))
        ),
        format!("mu = 0: {}; mu = 0.15: {}", said[0], said[1]),
    )
}

fn first_state([smooth, rough]: &[Vec<Strike>; 2]) -> Finding {
    let pairs: Vec<(&Strike, &Strike)> = smooth.iter().zip(rough).collect();
    let same = |pair: &(&Strike, &Strike)| pair.0.before == pair.1.before;
    let second = pairs
        .get(1)
        .map_or(f64::NAN, |(a, b)| a.before.psi[0] - b.before.psi[0]);
    Finding::holds(
        pairs.first().is_some_and(same) && !pairs[1..].iter().any(same),
        "the same at the first collision only",
        format!(
            "angles and rates before the first impact agree bit by bit; before the second psi1 differs by {} rad",
            show(second)
        ),
    )
}

fn first_loss([smooth, rough]: &[Vec<Strike>; 2]) -> Finding {
    let of = |list: &[Strike]| list.first().map_or(f64::NAN, |s| s.energy_change);
    let (without, with) = (of(smooth), of(rough));
    Finding::holds(
        with < without,
        format!(
            "{} J with friction, {} J without",
            show(with),
            show(without)
        ),
        format!(
            "the first loss is {} times as large with friction",
            show(with / without)
        ),
    )
}

fn global_loss(world: &World, pair: &[Vec<Strike>; 2]) -> Finding {
    let loss = |list: &[Strike]| -list.iter().map(|s| s.energy_change).sum::<f64>();
    let (without, with) = (loss(&pair[0]), loss(&pair[1]));
    let ends = world
        .motions()
        .map(|motion| motion.run.ledger.map_or(f64::NAN, |l| l.end));
    Finding::holds(
        with > without,
        format!(
            "{} J lost with friction, {} J without",
            show(with),
            show(without)
        ),
        format!(
            "energy after six seconds {} J and {} J",
            show(ends[1]),
            show(ends[0])
        ),
    )
}

fn loss_by_number(rough: &[Strike], smooth: usize) -> Finding {
    let loss = |list: &[Strike]| -list.iter().map(|s| s.energy_change).sum::<f64>();
    let (first, more) = rough.split_at(smooth.min(rough.len()));
    Finding::holds(
        loss(more) > 0.0,
        format!(
            "impacts {} to {} lose {} J",
            smooth + 1,
            rough.len(),
            show(loss(more))
        ),
        format!(
            "with friction the first {smooth} impacts lose {} J, the others {} J",
            show(loss(first)),
            show(loss(more))
        ),
    )
}

fn times(strikes: &[Strike]) -> Vec<f64> {
    strikes.iter().map(|strike| strike.time).collect()
}

/// The duration is not printed: which durations give both counts.
fn counts(
    [smooth, rough]: &[Vec<Strike>; 2],
    overrides: &[Override],
) -> Result<Finding, InputError> {
    let mut longer = overrides.to_vec();
    longer.push(Override::parse("run.duration=6.2")?);
    let after = |name: &str| -> Result<Vec<f64>, InputError> {
        Ok(times(&strikes(&Motion::of(name, &longer)?)))
    };
    let (late_smooth, late_rough) = (after("pendulum-smooth")?, after("pendulum-rough")?);
    let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(6.2);
    let from = at(&late_smooth, 5).max(at(&late_rough, 9));
    let to = at(&late_smooth, 6).min(at(&late_rough, 10));
    Ok(Finding::holds(
        (smooth.len(), rough.len()) == (6, 10) && from < to,
        format!("{} and {} in 6 s", smooth.len(), rough.len()),
        format!(
            "the duration is not printed: both counts hold for every T from {} s (the last of both) to {} s (the next of either); impacts at {} s and at {} s",
            show(from),
            show(to),
            list(&times(smooth)),
            list(&times(rough))
        ),
    ))
}

fn list(numbers: &[f64]) -> String {
    numbers
        .iter()
        .map(|x| format!("{x:.6}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// l_c, I1 and I2 are printed as approximate: do the counts survive half a unit of their last digit?
fn counts_within_rounding(overrides: &[Override]) -> Result<Finding, InputError> {
    let changes = [
        ("lc", "bodies.lower.center=[0, -0.36265]"),
        ("lc", "bodies.lower.center=[0, -0.36275]"),
        ("I1", "bodies.upper.inertia=0.06755"),
        ("I1", "bodies.upper.inertia=0.06765"),
        ("I2", "bodies.lower.inertia=0.1635"),
        ("I2", "bodies.lower.inertia=0.1645"),
    ];
    let mut said = Vec::new();
    let mut is_same = true;
    for (symbol, change) in changes {
        let mut all = overrides.to_vec();
        all.push(Override::parse(change)?);
        let count = |name: &str| -> Result<usize, InputError> {
            Ok(Motion::of(name, &all)?.run.events.len())
        };
        let counts = (count("pendulum-smooth")?, count("pendulum-rough")?);
        is_same &= counts == (6, 10);
        let value = change.rsplit([' ', '=']).next().unwrap_or(change);
        let value = value.trim_matches(['-', ']']);
        said.push(format!("{symbol} = {value}: {} and {}", counts.0, counts.1));
    }
    Ok(Finding::holds(
        is_same,
        match is_same {
            true => "6 and 10 for every rounding",
            false => "not the same for every rounding",
        },
        said.join("; "),
    ))
}

fn velocity_jumps([smooth, rough]: &[Vec<Strike>; 2]) -> Finding {
    let count = |list: &[Strike], i: usize| list.iter().filter(|s| s.jump()[i] != 0.0).count();
    let counts = [smooth, rough].map(|list| [count(list, 0), count(list, 1)]);
    let least = smooth
        .iter()
        .chain(rough)
        .flat_map(|s| s.jump().map(f64::abs));
    Finding::holds(
        counts == [[6, 6], [10, 10]],
        format!(
            "{} and {} jumps of both velocities",
            counts[0][0], counts[1][0]
        ),
        format!(
            "the least of all jumps is {} rad/s",
            show(least.fold(f64::INFINITY, f64::min))
        ),
    )
}

fn smooth_jumps(smooth: &[Strike]) -> Finding {
    let friction = worst(smooth.iter().map(|s| s.t));
    Finding::holds(
        friction == 0.0 && smooth.iter().all(|s| s.f > 0.0),
        format!("T = {}, F > 0 in all {}", show(friction), smooth.len()),
        "impulses of the frictionless run: the normal one alone makes the jumps",
    )
}

/// Reactions just before and just after each impact.
fn reaction_steps(world: &World) -> Finding {
    let mut steps = Vec::new();
    for motion in world.motions() {
        let around = motion.record.around_events.iter();
        for series in around.flat_map(|around| around.reactions.values()) {
            for column in &series.force {
                let pairs = column.chunks_exact(2);
                steps.extend(pairs.map(|pair| (pair[1] - pair[0]).abs()));
            }
        }
    }
    let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
    let most = worst(steps.iter().copied());
    Finding::holds(
        least > 0.0 && !steps.is_empty(),
        format!(
            "{} steps, from {} to {} N",
            steps.len(),
            show(least),
            show(most)
        ),
        "components at O and A just after less just before each impact of both runs",
    )
}

/// A halted contact sticks exactly where μ ≥ |ε|/α.
fn types(world: &World, rough: &[Strike]) -> Finding {
    let threshold = |s: &Strike| {
        let k = world.pendulum.coefficients(s.before.psi);
        k.epsilon.abs() / k.alpha
    };
    let sticks = |s: &Strike| s.kind.starts_with("non_sliding");
    let least = rough.iter().map(threshold).fold(f64::INFINITY, f64::min);
    let agrees = rough.iter().all(|s| sticks(s) == (s.mu >= threshold(s)));
    let kinds: Vec<&str> = rough.iter().map(|s| s.kind).collect();
    Finding::holds(
        agrees && !rough.is_empty(),
        format!(
            "{} of {} impacts stick",
            rough.iter().filter(|s| sticks(s)).count(),
            rough.len()
        ),
        format!(
            "sticking needs mu >= |epsilon|/alpha, which is at least {} at the impacts with mu = 0.15: {}",
            show(least),
            kinds.join(", ")
        ),
    )
}
