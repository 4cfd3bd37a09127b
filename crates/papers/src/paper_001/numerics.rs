//! Findings about the paper's numerical method, measured against Carom's exact instants.

use super::method::{Detection, Found, PaperMethod, interpolated_instant, interpolated_state};
use super::pendulum::Angles;
use super::strike::strikes;
use super::world::{Motion, Random, World, angles};
use crate::finding::{Finding, Keyed, ROUND_OFF, balance, show, worst};

/// Steps from the start to the first impact, less a half: the impact stands in the middle of a step.
const STEPS: [u32; 4] = [250, 500, 1000, 2000];
/// An order is measured when it is this close to a whole number.
const ORDER: f64 = 0.05;
/// Step at which counts are made (s).
const STEP: f64 = 1e-3;

/// Every finding about the method.
pub(super) fn findings(world: &World) -> Vec<Keyed> {
    let measured = Measured::of(world);
    vec![
        ("eq9", change_of_sign(world)),
        ("eq10", instant_of_the_chord()),
        ("eq11", state_on_the_chord(&measured)),
        ("rk4", order(&measured)),
        ("step_tested", counts_of_the_method(world)),
    ]
}

fn start(motion: &Motion) -> Angles {
    angles(&motion.setup.q, &motion.setup.v)
}

fn method(world: &World, motion: &Motion, step: f64, detection: Detection) -> PaperMethod {
    PaperMethod {
        pendulum: world.pendulum,
        step,
        mu: motion.mu(),
        detection,
    }
}

/// Errors of the paper's method at the first impact, for several steps.
struct Measured {
    steps: Vec<f64>,
    /// Of the state at the end of the last whole step before the impact, by RK4 alone.
    smooth: Vec<f64>,
    /// Of the instant t* of (10).
    instant: Vec<f64>,
    /// Of the angles and rates of (11).
    state: Vec<f64>,
}

impl Measured {
    fn of(world: &World) -> Self {
        let mut measured = Self {
            steps: Vec::new(),
            smooth: Vec::new(),
            instant: Vec::new(),
            state: Vec::new(),
        };
        let Some(exact) = strikes(&world.smooth).first().copied() else {
            return measured;
        };
        for count in STEPS {
            let h = exact.time / (f64::from(count) - 0.5);
            let method = method(world, &world.smooth, h, Detection::Falling);
            let found = method.collisions(start(&world.smooth), exact.time + h);
            // RK4 alone: whole steps and a last half one end at the exact instant.
            let whole = (1..count).fold(start(&world.smooth), |at, _| method.advance(&at, h));
            let reached = method.advance(&whole, h / 2.0);
            measured.steps.push(h);
            measured.smooth.push(distance(&reached, &exact.before));
            let first = found.first();
            let miss = |of: fn(&Found) -> f64| first.map_or(f64::NAN, of);
            measured
                .instant
                .push((miss(|found| found.time) - exact.time).abs());
            measured
                .state
                .push(first.map_or(f64::NAN, |found| distance(&found.before, &exact.before)));
        }
        measured
    }
}

fn distance(a: &Angles, b: &Angles) -> f64 {
    worst((0..2).flat_map(|i| [a.psi[i] - b.psi[i], a.rate[i] - b.rate[i]]))
}

/// Order between the two smallest steps, each half the other.
fn last_order(errors: &[f64]) -> f64 {
    match errors {
        [.., a, b] => (a / b).log2(),
        _ => f64::NAN,
    }
}

fn list(numbers: &[f64]) -> String {
    numbers
        .iter()
        .map(|x| format!("{x:.2e}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn order(measured: &Measured) -> Finding {
    let (smooth, event) = (last_order(&measured.smooth), last_order(&measured.instant));
    let reaches_four = smooth > 4.0 - ORDER;
    Finding::corrected(
        [
            reaches_four && event > 4.0 - ORDER,
            reaches_four && (event - 2.0).abs() < ORDER,
        ],
        format!("order {smooth:.1} up to the impact, {event:.2} at it"),
        format!(
            "the paper's method against Carom's instant, steps {} s: error of t* {} s, of RK4 alone at the exact instant {} (rad, rad/s); from the first impact on the simulation is of second order",
            list(&measured.steps),
            list(&measured.instant),
            list(&measured.smooth)
        ),
    )
}

/// (10) is where the chord of f vanishes.
fn instant_of_the_chord() -> Finding {
    let mut random = Random(3);
    let miss = (0..200).map(|_| {
        let (t, h) = (10.0 * random.unit(), 1e-3 + random.unit());
        let (f, f_next) = (1e-3 + random.unit(), -1e-3 - random.unit());
        let instant = interpolated_instant(t, h, f, f_next);
        // Weighed by the slope: t carries a round-off of its own size.
        balance(&[t, h * f / (f - f_next), -instant])
    });
    Finding::identity(
        worst(miss),
        "at 200 random steps",
        "t* against t_j + h f_j/(f_j - f_(j+1))",
    )
}

/// (11) is the chord of ψ at t*; its error is of second order.
fn state_on_the_chord(measured: &Measured) -> Finding {
    let mut random = Random(4);
    let miss = (0..200).map(|_| {
        let mut state = || Angles {
            psi: [random.between(3.0), random.between(3.0)],
            rate: [random.between(9.0), random.between(9.0)],
        };
        let (at, next) = (state(), state());
        let (f, f_next) = (1e-3 + random.unit(), -1e-3 - random.unit());
        let mixed = interpolated_state(&at, &next, f, f_next);
        let part = f / (f - f_next);
        balance(&[(1.0 - part) * at.psi[0], part * next.psi[0], -mixed.psi[0]])
    });
    let (miss, order) = (worst(miss), last_order(&measured.state));
    Finding::holds(
        miss <= ROUND_OFF && (order - 2.0).abs() < ORDER,
        format!("the chord of psi at t*; error of order {order:.2}"),
        format!(
            "residual {} at 200 random steps; the state at the first impact misses Carom's by {} (rad, rad/s) with steps {} s",
            show(miss),
            list(&measured.state),
            list(&measured.steps)
        ),
    )
}

/// The state of (11) lies below the obstacle, so that leaving it changes the sign of f once more.
fn change_of_sign(world: &World) -> Finding {
    let run = |detection| {
        let method = method(world, &world.rough, STEP, detection);
        method.collisions(start(&world.rough), world.rough.setup.options.duration)
    };
    let (printed, falling) = (run(Detection::ChangeOfSign), run(Detection::Falling));
    let is_right = |found: &[Found]| found.iter().all(|found| found.closing < 0.0);
    let spurious = printed.iter().filter(|found| found.closing > 0.0).count();
    let Some(first) = falling.first() else {
        return Finding::holds(false, "no impact", "no impact");
    };
    let method = method(world, &world.rough, STEP, Detection::Falling);
    let left = method.advance(&method.struck(&first.before), STEP);
    let (f, f_next) = (
        world.pendulum.f(first.before.psi),
        world.pendulum.f(left.psi),
    );
    Finding::corrected(
        [is_right(&printed), is_right(&falling) && f * f_next < 0.0],
        "f_j > 0 and f_(j+1) < 0",
        format!(
            "with h = {STEP} s the state of (11) at the first impact has f = {} m and the step after it f = {} m: (9) holds again while the bodies part; taken as printed it finds {} collisions, {} of them with c(0) > 0; with f_j > 0 > f_(j+1) it finds {}, all approaching",
            show(f),
            show(f_next),
            printed.len(),
            spurious,
            falling.len()
        ),
    )
}

/// The method with the corrected (9), at a step of a millisecond, finds the impacts Carom finds.
fn counts_of_the_method(world: &World) -> Finding {
    let mut said = Vec::new();
    let mut agrees = true;
    for motion in world.motions() {
        let found = method(world, motion, STEP, Detection::Falling)
            .collisions(start(motion), motion.setup.options.duration);
        let exact = strikes(motion);
        agrees &= found.len() == exact.len();
        let errors = found.iter().zip(&exact).map(|(a, b)| a.time - b.time);
        let errors: Vec<f64> = errors.map(f64::abs).collect();
        said.push(format!(
            "mu = {}: {} impacts, errors of their instants {} s",
            show(motion.mu()),
            found.len(),
            list(&errors)
        ));
    }
    Finding::holds(
        agrees,
        format!("h = {STEP} s finds the impacts Carom finds"),
        said.join("; "),
    )
}
