//! Section 4 up to figure 2: one coordinate, friction below a/c.

use carom::InputError;
use carom::contact_space::GivenFriction;
use carom::forward::graph::ScalarGraph;
use carom::forward::scalar::ScalarFriction;
use carom::forward::{Mode, answers};

use super::systems::{Dice, Scalar, Systems, TRIED, graph, listed, refused};
use crate::finding::{Finding, Keyed, ROUND_OFF, balance, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let scalar = &systems.scalar;
    Ok(vec![
        ("eq7", closed_form()?),
        ("eq8", half(1.0)?),
        ("eq9", half(-1.0)?),
        ("positive-c", negative_load_inertia(systems)?),
        ("no-load-line", no_load(scalar)?),
        ("upper-v", upper(scalar)?),
        ("static-region", static_region(scalar)?),
        ("leaves-static", leaves(scalar)?),
        ("cone-at-edges", on_cone(scalar)?),
        ("point-a", point_a(scalar)?),
        ("point-b", point_b(scalar)?),
        ("point-c", point_c(scalar)?),
        ("mirrored-points", mirrored(scalar)?),
        ("flies-apart", flies_apart()?),
        ("ambiguous-points", ambiguous(scalar)?),
        ("static-coefficient", static_coefficient(scalar)?),
    ])
}

/// An answer of a random system in motion.
struct Tried {
    scalar: Scalar,
    sign: f64,
    tau: f64,
    x: f64,
    load: f64,
}

/// Random systems with the answers of both velocities.
fn tried() -> Result<Vec<Tried>, InputError> {
    let mut dice = Dice(7);
    let mut all = Vec::new();
    for _ in 0..TRIED {
        let scalar = dice.scalar();
        let (tau, closed) = (dice.between(-4.0, 4.0), scalar.low()?);
        for sign in [1.0, -1.0] {
            let found = listed(&closed, tau, sign);
            all.extend(found.iter().map(|a| Tried {
                scalar,
                sign,
                tau,
                x: a.acceleration,
                load: a.normal_load,
            }));
        }
    }
    Ok(all)
}

/// (7): the closed form against the enumeration of sign patterns.
fn closed_form() -> Result<Finding, InputError> {
    let mut dice = Dice(11);
    let (mut same, mut far, mut rest) = (0, 0.0f64, 0.0f64);
    for _ in 0..TRIED {
        let scalar = dice.scalar();
        let (tau, sign) = (dice.between(-4.0, 4.0), dice.sign());
        let closed = listed(&scalar.low()?, tau, sign);
        let problem = scalar.problem(scalar.low_mu, sign, tau);
        let other = answers(&problem).map_err(refused)?.answers;
        same += usize::from(closed.len() == other.len());
        for (one, other) in closed.iter().zip(&other) {
            let (x, y) = (one.acceleration, other.acceleration[0]);
            far = far.max((x - y).abs() / (1.0 + x.abs()));
            rest = rest.max(scalar.residual(scalar.low_mu, sign, x, tau));
        }
    }
    Ok(Finding::holds(
        same == TRIED && far < 1e-9 && rest <= ROUND_OFF,
        format!("residual {}", show(rest)),
        format!(
            "{same} of {TRIED} random systems have the same number of answers from the closed form and from the enumeration of sign patterns, {} apart at most; they satisfy (7) to {}",
            show(far),
            show(rest)
        ),
    ))
}

/// (8) and (9), the half with `sgn q̇ = ±sgn F_n`.
fn half(same: f64) -> Result<Finding, InputError> {
    let all = tried()?;
    let own = all.iter().filter(|t| t.sign * t.load * same > 0.0);
    let residual = |t: &Tried| {
        let (s, mu) = (t.scalar, same * t.scalar.low_mu);
        balance(&[s.a * t.x, mu * s.c * t.x, s.b, mu * s.d, -t.tau])
    };
    let what = format!("over {} answers", own.clone().count());
    let form = if same > 0.0 {
        "(a + mu c) q\" + (b + mu d) - tau where sgn q' = sgn F_n"
    } else {
        "(a - mu c) q\" + (b - mu d) - tau where sgn q' is not sgn F_n"
    };
    Ok(Finding::identity(worst(own.map(residual)), &what, form))
}

/// The load of a screw thread may fall with acceleration: c < 0.
fn negative_load_inertia(systems: &Systems) -> Result<Finding, InputError> {
    let mut thread = systems.overhauling;
    let radius = thread.lead / thread.helix.to_radians().tan();
    thread.inertia = 4.0 * thread.mass * radius * radius;
    let c = thread.at(1.0, 0.0).problem().map_err(refused)?.load_matrix[0][0];
    let plain = systems
        .overhauling
        .at(1.0, 0.0)
        .problem()
        .map_err(refused)?
        .load_matrix[0][0];
    Ok(Finding::refuted(
        [c > 0.0, c < 0.0 && plain > 0.0],
        format!("c = {} kg m", show(c)),
        format!(
            "the normal force of a screw thread is c q\" + d with c = m l cos(alpha) - (I/r) sin(alpha): {} kg m for the screw of figure 6, {} kg m with I = 4 m r^2; conditions need |c|",
            show(plain),
            show(c)
        ),
    ))
}

fn no_load(scalar: &Scalar) -> Result<Finding, InputError> {
    let (low, x) = (scalar.low()?, -scalar.d / scalar.c);
    let drawn = graph(&low, scalar.vertex())?;
    let place = drawn.zero_load.unwrap_or(f64::NAN);
    let loads = drawn.answers.iter().filter(|a| a.velocity != 0);
    let most = worst(loads.map(|a| a.normal_load));
    Ok(Finding::holds(
        (place - x).abs() <= ROUND_OFF && most <= ROUND_OFF,
        format!("q\" = {}", show(place)),
        format!(
            "-d/c = {}; both Vs turn there, at tau = {}, with a load of {}",
            show(x),
            show(scalar.vertex()),
            show(most)
        ),
    ))
}

/// Force on the V of a velocity at an acceleration, read off the answers.
fn upper(scalar: &Scalar) -> Result<Finding, InputError> {
    let low = scalar.low()?;
    let (mut least, mut far) = (f64::INFINITY, 0.0f64);
    for k in -40..=40 {
        let x = 0.11 * f64::from(k);
        let load = (scalar.c * x + scalar.d).abs();
        let force = |sign: f64| scalar.a * x + scalar.b + sign * scalar.low_mu * load;
        let near = |sign: f64| {
            let found = listed(&low, force(sign), sign);
            found
                .iter()
                .map(|a| (a.acceleration - x).abs())
                .fold(f64::INFINITY, f64::min)
        };
        far = far.max(near(1.0)).max(near(-1.0));
        least = least.min(force(1.0) - force(-1.0));
    }
    Ok(Finding::holds(
        least >= 0.0 && far < 1e-9,
        format!("least distance of the Vs {}", show(least)),
        format!(
            "at 81 accelerations the V of q' > 0 lies 2 mu |c q\" + d| >= {} above that of q' < 0; the solver returns each acceleration within {}",
            show(least),
            show(far)
        ),
    ))
}

fn static_region(scalar: &Scalar) -> Result<Finding, InputError> {
    let band = scalar.low()?.static_band();
    let wanted = [-1.0, 1.0].map(|sign| scalar.edge(scalar.low_mu, sign));
    let is_same = matches!(band[..], [x, y] if (x - wanted[0]).abs() <= ROUND_OFF && (y - wanted[1]).abs() <= ROUND_OFF);
    let stays = (0..=10).map(|k| wanted[0] + 0.1 * f64::from(k) * (wanted[1] - wanted[0]));
    let low = scalar.low()?;
    let sticks = stays.filter(|tau| {
        listed(&low, *tau, 0.0)
            .iter()
            .all(|a| a.mode == Mode::Stick)
    });
    let sticks = sticks.count();
    Ok(Finding::holds(
        is_same && sticks == 11,
        format!("{} to {}", show(wanted[0]), show(wanted[1])),
        format!(
            "forces that hold the system at rest run from b - mu d = {} to b + mu d = {}; at {sticks} of 11 forces across it rest is the only answer",
            show(wanted[0]),
            show(wanted[1])
        ),
    ))
}

/// From rest just outside of the static region.
fn leaves(scalar: &Scalar) -> Result<Finding, InputError> {
    let low = scalar.low()?;
    let from = |sign: f64| {
        let tau = scalar.edge(scalar.low_mu, sign) + sign * 0.1;
        let found = listed(&low, tau, 0.0);
        (
            tau,
            found.first().map_or(f64::NAN, |a| a.acceleration),
            found.len(),
        )
    };
    let (up, down) = (from(1.0), from(-1.0));
    Ok(Finding::holds(
        up.2 == 1 && down.2 == 1 && up.1 > 0.0 && down.1 < 0.0,
        format!("q\" = {} and {}", show(up.1), show(down.1)),
        format!(
            "at rest tau = {} gives q\" = {} alone, tau = {} gives q\" = {} alone",
            show(up.0),
            show(up.1),
            show(down.0),
            show(down.1)
        ),
    ))
}

fn on_cone(scalar: &Scalar) -> Result<Finding, InputError> {
    let low = scalar.low()?;
    let ratio = |sign: f64| {
        let found = listed(&low, scalar.edge(scalar.low_mu, sign), 0.0);
        found
            .first()
            .map_or(f64::NAN, |a| a.friction_force / a.normal_load.abs())
    };
    let (up, down) = (ratio(1.0), ratio(-1.0));
    Ok(Finding::holds(
        (up - scalar.low_mu).abs() <= ROUND_OFF && (down + scalar.low_mu).abs() <= ROUND_OFF,
        format!("f/|N| = {} and {}", show(up), show(down)),
        format!(
            "at tau = b + mu d and b - mu d, f/|N| is {} and {}, mu = {}",
            show(up),
            show(down),
            show(scalar.low_mu)
        ),
    ))
}

fn point_a(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = scalar.edge(scalar.low_mu, 1.0) + 0.4;
    let found = listed(&scalar.low()?, tau, 1.0);
    let x = found.first().map_or(f64::NAN, |a| a.acceleration);
    Ok(Finding::holds(
        found.len() == 1 && x > 0.0,
        format!("q\" = {}", show(x)),
        format!(
            "with q' > 0 and tau = {} above b + mu d, q\" = {}",
            show(tau),
            show(x)
        ),
    ))
}

/// The jump of a slowing answer of one velocity.
fn jump(drawn: &ScalarGraph, velocity: i8) -> (f64, f64, Option<Mode>) {
    let own = drawn.transitions.iter().find(|t| t.velocity == velocity);
    own.map_or((f64::NAN, f64::NAN, None), |t| (t.from, t.to, Some(t.mode)))
}

fn point_b(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = scalar.b + 0.5 * scalar.low_mu * scalar.d;
    let (from, to, mode) = jump(&graph(&scalar.low()?, tau)?, 1);
    Ok(Finding::holds(
        from < 0.0 && to == 0.0 && mode == Some(Mode::Stick),
        format!("q\" from {} to {}", show(from), show(to)),
        format!(
            "with tau = {} inside the static region q\" = {} while q' > 0; at q' = 0 the only answer onward is stick, q\" = {}",
            show(tau),
            show(from),
            show(to)
        ),
    ))
}

fn point_c(scalar: &Scalar) -> Result<Finding, InputError> {
    let tau = scalar.edge(scalar.low_mu, -1.0) - 0.3;
    let drawn = graph(&scalar.low()?, tau)?;
    let (from, to, mode) = jump(&drawn, 1);
    let lower = drawn.answers.iter().find(|a| a.velocity == -1);
    let on_lower = lower.is_some_and(|a| (a.acceleration - to).abs() <= ROUND_OFF);
    Ok(Finding::holds(
        from < 0.0 && mode == Some(Mode::OnsetBackward) && on_lower,
        format!("q\" from {} to {}", show(from), show(to)),
        format!(
            "with tau = {} below the static region q\" jumps from {} to {}, the point of the V of q' < 0 at this force",
            show(tau),
            show(from),
            show(to)
        ),
    ))
}

fn mirrored(scalar: &Scalar) -> Result<Finding, InputError> {
    let low = scalar.low()?;
    let inside = scalar.b + 0.5 * scalar.low_mu * scalar.d;
    let above = scalar.edge(scalar.low_mu, 1.0) + 0.3;
    let sticks = jump(&graph(&low, inside)?, -1);
    let reverses = jump(&graph(&low, above)?, -1);
    Ok(Finding::holds(
        sticks.2 == Some(Mode::Stick) && reverses.2 == Some(Mode::OnsetForward),
        format!("q\" to {} and to {}", show(sticks.1), show(reverses.1)),
        format!(
            "with q' < 0, tau = {} leads from q\" = {} to stick; tau = {} from {} to {}, the V of q' > 0",
            show(inside),
            show(sticks.0),
            show(above),
            show(reverses.0),
            show(reverses.1)
        ),
    ))
}

/// Negative loads lie left of `−d/c`, for c > 0.
fn flies_apart() -> Result<Finding, InputError> {
    let all = tried()?;
    let own: Vec<&Tried> = all.iter().filter(|t| t.scalar.c > 0.0).collect();
    let is_kept = |t: &&Tried| {
        let is_left = t.x < -t.scalar.d / t.scalar.c;
        (t.load < 0.0) == is_left || t.load.abs() < 1e-9
    };
    let kept = own.iter().copied().filter(is_kept).count();
    let left = own.iter().filter(|t| t.load < 0.0).count();
    Ok(Finding::holds(
        kept == own.len() && left > 0 && left < kept,
        format!("{kept} of {} answers", own.len()),
        format!(
            "in {kept} of {} answers with c > 0 the load is negative exactly left of -d/c ({left} are): a unilateral contact opens there",
            own.len()
        ),
    ))
}

/// At `b ± μd` rest and motion give one acceleration.
fn ambiguous(scalar: &Scalar) -> Result<Finding, InputError> {
    let low = scalar.low()?;
    let edges = [1.0, -1.0].map(|sign| scalar.edge(scalar.low_mu, sign));
    let found = edges.map(|tau| listed(&low, tau, 0.0));
    let counts = found.each_ref().map(Vec::len);
    let most = worst(found.iter().flatten().map(|a| a.acceleration));
    let everywhere = low
        .count_diagram()
        .rows
        .iter()
        .all(|row| [row.moving_plus, row.at_rest, row.moving_minus] == [Some(1); 3]);
    let is_one = counts == [1, 1] && most == 0.0 && everywhere;
    Ok(Finding::corrected(
        [counts[0] > 1 && counts[1] > 1, is_one],
        format!(
            "{} and {} answer at b + mu d and b - mu d",
            counts[0], counts[1]
        ),
        format!(
            "at tau = {} and {} rest has {} and {} answers, q\" = {}: the static segment and the V meet there in one acceleration, so that no force is ambiguous",
            show(edges[0]),
            show(edges[1]),
            counts[0],
            counts[1],
            show(most)
        ),
    ))
}

/// `μ_s > μ` makes a band where the system may stay or start.
fn static_coefficient(scalar: &Scalar) -> Result<Finding, InputError> {
    let given = GivenFriction {
        mu_s: 1.3 * scalar.low_mu,
        mu_d: scalar.low_mu,
    };
    let raised = ScalarFriction::new(scalar.a, scalar.b, scalar.c, scalar.d, given);
    let raised = raised.map_err(refused)?;
    let (kinetic, fixed) = (scalar.edge(given.mu_d, 1.0), scalar.edge(given.mu_s, 1.0));
    let tau = 0.5 * (kinetic + fixed);
    let found = listed(&raised, tau, 0.0);
    let before = listed(&scalar.low()?, tau, 0.0).len();
    let list: Vec<String> = found.iter().map(|a| show(a.acceleration)).collect();
    Ok(Finding::refuted(
        [found.len() == 1, found.len() == 2 && before == 1],
        format!("{} answers at tau = {}", found.len(), show(tau)),
        format!(
            "with mu_s = {} and mu = {} every force between b + mu d = {} and b + mu_s d = {} has {} answers at rest (tau = {}: q\" = {}); with mu_s = mu it has {before}",
            show(given.mu_s),
            show(given.mu_d),
            show(kinetic),
            show(fixed),
            found.len(),
            show(tau),
            list.join(" and ")
        ),
    ))
}
