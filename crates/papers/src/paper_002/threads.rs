//! Sections 5.1 and 5.2: what the graphs of figures 6 and 7 say of a screw.

use carom::InputError;
use carom::forward::Mode;
use carom::forward::graph::ScalarGraph;
use carom::forward::scalar::ScalarFriction;

use super::screw::is_unique;
use super::systems::{Dice, GRAVITY, Systems, TRIED, Thread, graph, listed, refused};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let (free, locked) = (&systems.overhauling, &systems.locking);
    Ok(vec![
        ("static-positive", static_positive(free)?),
        ("descends", descends(free)?),
        ("not-necessary", not_necessary()?),
        ("only-nonoverhauling", only_nonoverhauling()?),
        ("mass-large", mass_large()?),
        ("lowering-torque", lowering(locked)?),
        ("a-to-b", a_to_b(locked)?),
        ("point-b-screw", free_fall(locked)?),
        ("b-to-c", b_to_c(locked)?),
    ])
}

fn scalar(thread: &Thread) -> Result<ScalarFriction, InputError> {
    thread.at(0.0, 0.0).scalar().map_err(refused)
}

/// `m g l/η` of both efficiencies.
fn holding(thread: &Thread) -> [f64; 2] {
    let weight = thread.mass * GRAVITY * thread.lead;
    thread
        .inverse_efficiencies()
        .map(|inverse| weight * inverse)
}

fn static_positive(thread: &Thread) -> Result<Finding, InputError> {
    let band = scalar(thread)?.static_band();
    let [high, low] = holding(thread);
    let residual = worst([band[0] - low, band[1] - high]) / high.abs();
    Ok(Finding::holds(
        residual <= ROUND_OFF && band[0] > 0.0,
        format!("{} to {} N m", show(band[0]), show(band[1])),
        format!(
            "alpha = {} deg above rho = {} deg: torques that hold the screw run from m g l/eta_2 = {} to m g l/eta_1 = {} N m",
            show(thread.helix),
            show(thread.angles()[1].to_degrees()),
            show(low),
            show(high)
        ),
    ))
}

fn descends(thread: &Thread) -> Result<Finding, InputError> {
    let closed = scalar(thread)?;
    let [_, low] = holding(thread);
    let start = |torque: f64| listed(&closed, torque, 0.0);
    let (none, half) = (start(0.0), start(0.5 * low));
    let falls = |found: &[carom::forward::scalar::ScalarAnswer]| {
        found.len() == 1 && found[0].mode == Mode::OnsetBackward
    };
    let x = none.first().map_or(f64::NAN, |a| a.acceleration);
    let y = half.first().map_or(f64::NAN, |a| a.acceleration);
    Ok(Finding::holds(
        falls(&none) && falls(&half),
        format!("q\" = {} rad/s^2 without torque", show(x)),
        format!(
            "from rest the mass descends: q\" = {} at tau = 0 and {} at half of m g l/eta_2 = {} N m",
            show(x),
            show(y),
            show(low)
        ),
    ))
}

/// Screws with α < ρ that satisfy (14).
fn not_necessary() -> Result<Finding, InputError> {
    let mut dice = Dice(31);
    let (mut locked, mut unique) = (0, 0);
    for _ in 0..TRIED {
        let thread = dice.thread(true);
        let [alpha, rho] = thread.angles();
        if alpha < rho {
            locked += 1;
            unique += usize::from(is_unique(&thread)? && thread.slopes()[1] > 0.0);
        }
    }
    Ok(Finding::holds(
        unique > 0 && unique < locked,
        format!("{unique} of {locked} screws with alpha < rho"),
        format!(
            "of {locked} random screws with alpha < rho (and alpha + rho < 90 deg) {unique} satisfy (14) and are unique all the same"
        ),
    ))
}

fn only_nonoverhauling() -> Result<Finding, InputError> {
    let mut dice = Dice(37);
    let (mut below, mut above, mut several) = (0, 0, 0);
    for k in 0..2 * TRIED {
        let mut thread = dice.thread(false);
        thread.inertia *= if k % 2 == 0 { 1.0 } else { 1e3 };
        let [alpha, rho] = thread.angles();
        if is_unique(&thread)? {
            continue;
        }
        let is_below = alpha + rho < std::f64::consts::FRAC_PI_2;
        several += usize::from(is_below);
        below += usize::from(is_below && alpha >= rho);
        above += usize::from(!is_below && alpha >= rho);
    }
    Ok(Finding::corrected(
        [below + above == 0, below == 0 && several > 0],
        "needs alpha + rho < 90 deg".to_owned(),
        format!(
            "of {several} random screws without uniqueness and with alpha + rho < 90 deg, {below} have alpha > rho; past 90 deg {above} have"
        ),
    ))
}

/// `m l² > I tan α/tan(ρ − α)`, which is no large mass for a fine thread.
fn mass_large() -> Result<Finding, InputError> {
    let thread = |inertia: f64| Thread {
        inertia,
        mass: 1.0,
        lead: 0.01,
        helix: 5.0,
        thread: 0.0,
        mu: 30f64.to_radians().tan(),
    };
    let load = 1e-4;
    let bound = 25f64.to_radians().tan() / 5f64.to_radians().tan();
    let lost = is_unique(&thread(0.99 * bound * load))?;
    let kept = is_unique(&thread(1.01 * bound * load))?;
    Ok(Finding::corrected(
        [bound < 1.0, !lost && kept],
        format!("m l^2 > {} I is enough", show(1.0 / bound)),
        format!(
            "the bound is m l^2 > I tan(alpha)/tan(rho - alpha): with alpha = 5, rho = 30 deg uniqueness is lost up to I = {} m l^2 (unique at 1.01 times that: {kept}, at 0.99: {lost}), so that m l^2 may be small against I",
            show(bound)
        ),
    ))
}

/// From rest downward on the screw of figure 7.
fn lowering(thread: &Thread) -> Result<Finding, InputError> {
    let closed = scalar(thread)?;
    let [_, low] = holding(thread);
    let vertex = closed.vertex_force().unwrap_or(f64::NAN);
    let inside = 0.5 * (low + vertex);
    let beyond = listed(&closed, low + 0.2 * low, 0.0);
    let found = listed(&closed, inside, 0.0);
    let starts = found
        .iter()
        .filter(|a| a.mode == Mode::OnsetBackward)
        .count();
    let sticks = found.iter().any(|a| a.mode == Mode::Stick);
    let must = beyond.iter().all(|a| a.mode == Mode::OnsetBackward) && !beyond.is_empty();
    Ok(Finding::corrected(
        [
            low < 0.0 && must && starts == 0,
            low < 0.0 && must && sticks && starts == 2,
        ],
        format!("m g l/eta_2 = {} N m", show(low)),
        format!(
            "below m g l/eta_2 = {} N m rest has no answer and the screw must start down; between it and -I g/l = {} N m it may: tau = {} N m has {} answers at rest, {starts} of them start down",
            show(low),
            show(vertex),
            show(inside),
            found.len()
        ),
    ))
}

/// Torque and load along the V of q̇ < 0, by acceleration.
fn along(drawn: &ScalarGraph, closed: &ScalarFriction, x: f64) -> (f64, f64) {
    let own = drawn.branches.iter().find(|b| {
        let ends = [b.ends[0].acceleration, b.ends[1].acceleration];
        b.velocity == -1 && ends[0].min(ends[1]) <= x && x <= ends[0].max(ends[1])
    });
    let torque = own.map_or(f64::NAN, |b| {
        b.ends[0].force + b.slope * (x - b.ends[0].acceleration)
    });
    let found = listed(closed, torque, -1.0);
    let near = found.iter().min_by(|p, q| {
        (p.acceleration - x)
            .abs()
            .total_cmp(&(q.acceleration - x).abs())
    });
    (torque, near.map_or(f64::NAN, |a| a.normal_load))
}

/// Points on the V of q̇ < 0 at fractions of −g/l.
fn points(thread: &Thread, parts: &[f64]) -> Result<Vec<(f64, f64)>, InputError> {
    let closed = scalar(thread)?;
    let fall = -GRAVITY / thread.lead;
    let drawn = closed
        .graph(0.0, 4.0 * fall, -4.0 * fall)
        .map_err(refused)?;
    Ok(parts
        .iter()
        .map(|part| along(&drawn, &closed, part * fall))
        .collect())
}

fn a_to_b(thread: &Thread) -> Result<Finding, InputError> {
    let found = points(thread, &[0.0, 0.25, 0.5, 0.75, 0.999])?;
    let falls = found
        .windows(2)
        .all(|w| w[1].1.abs() < w[0].1.abs() && w[1].0.abs() < w[0].0.abs());
    let ends = (found[0], found[found.len() - 1]);
    Ok(Finding::holds(
        falls,
        format!(
            "|F_n| from {} to {} N",
            show(ends.0.1.abs()),
            show(ends.1.1.abs())
        ),
        format!(
            "from q\" = 0 to 0.999 of -g/l along the graph the thread's normal force falls from {} to {} N and the torque from {} to {} N m",
            show(ends.0.1),
            show(ends.1.1),
            show(ends.0.0),
            show(ends.1.0)
        ),
    ))
}

fn free_fall(thread: &Thread) -> Result<Finding, InputError> {
    let closed = scalar(thread)?;
    let drawn = graph(&closed, 0.0)?;
    let vertex = drawn
        .vertex
        .map_or((f64::NAN, f64::NAN), |v| (v.acceleration, v.force));
    let (fall, torque) = (
        -GRAVITY / thread.lead,
        -thread.inertia * GRAVITY / thread.lead,
    );
    let printed = -thread.inertia * GRAVITY * thread.lead / thread.lead;
    let is_place = (vertex.0 / fall - 1.0).abs() <= ROUND_OFF;
    let load = listed(&closed, vertex.1, -1.0);
    let least = load
        .iter()
        .map(|a| a.normal_load.abs())
        .fold(f64::INFINITY, f64::min);
    let size = thread.mass * GRAVITY;
    Ok(Finding::misprint(
        [
            is_place && (vertex.1 / printed - 1.0).abs() <= ROUND_OFF,
            is_place && (vertex.1 / torque - 1.0).abs() <= ROUND_OFF && least <= 1e-9 * size,
        ],
        format!("({} rad/s^2, {} N m)", show(vertex.0), show(vertex.1)),
        format!(
            "in free fall the torque turns the screw alone, tau = I q\" = -I g/l = {} N m; -I g l/l = {} is no torque (kg m^3/s^2). The Vs turn at {} N m, where the thread carries {} N",
            show(torque),
            show(printed),
            show(vertex.1),
            show(least)
        ),
    ))
}

fn b_to_c(thread: &Thread) -> Result<Finding, InputError> {
    let found = points(thread, &[1.001, 1.5, 2.0, 3.0])?;
    let grows = found
        .windows(2)
        .all(|w| w[1].1.abs() > w[0].1.abs() && w[1].0 < w[0].0);
    let negative = found.iter().all(|p| p.1 < 0.0);
    let ends = (found[0], found[found.len() - 1]);
    Ok(Finding::holds(
        grows && negative,
        format!("F_n from {} to {} N", show(ends.0.1), show(ends.1.1)),
        format!(
            "from 1.001 to 3 times -g/l the screw pushes the nut down: normal force {} to {} N, torque {} to {} N m",
            show(ends.0.1),
            show(ends.1.1),
            show(ends.0.0),
            show(ends.1.0)
        ),
    ))
}
