//! Section 5, Eqs. (11) to (15): the screw drive against the balance along its thread.

use carom::InputError;
use carom::forward::{Answer, answers};

use super::systems::{Dice, GRAVITY, Systems, TRIED, Thread, refused};
use crate::finding::{Finding, Keyed, balance, show, worst};

/// A screw with one of its answers.
struct Turning {
    thread: Thread,
    sign: f64,
    torque: f64,
    answer: Answer,
}

pub(super) fn findings(_: &Systems) -> Result<Vec<Keyed>, InputError> {
    let below = turning(true)?;
    let all = turning(false)?;
    Ok(vec![
        ("eq11", axial_force(&all)),
        ("eq12", sign_of_load(&below, &all)),
        ("eq13", efficiencies(&below, &all)),
        ("eq13-form", scalar_form(&below)),
        ("eq14", slopes()?),
        ("eq15", overhauling()?),
    ])
}

/// Random screws with their answers; `α + ρ` below 90° or anywhere.
fn turning(is_below: bool) -> Result<Vec<Turning>, InputError> {
    let mut dice = Dice(19);
    let mut all = Vec::new();
    for _ in 0..TRIED {
        let (thread, sign) = (dice.thread(is_below), dice.sign());
        let torque = dice.between(-2.0, 2.0) * thread.mass * GRAVITY * thread.lead;
        let problem = thread.at(sign, torque).problem().map_err(refused)?;
        let found = answers(&problem).map_err(refused)?.answers;
        all.extend(found.into_iter().map(|answer| Turning {
            thread,
            sign,
            torque,
            answer,
        }));
    }
    Ok(all)
}

impl Turning {
    /// `m l² q̈ + m g l`
    fn load_torque(&self) -> f64 {
        let Thread { mass, lead, .. } = self.thread;
        mass * lead * (lead * self.answer.acceleration[0] + GRAVITY)
    }

    /// Axial force of the thread: normal force and friction, resolved.
    fn axial(&self) -> f64 {
        let ([alpha, rho], load) = (self.thread.angles(), self.answer.normal_load[0]);
        load * alpha.cos() - self.sign * rho.tan() * load.abs() * alpha.sin()
    }
}

fn axial_force(all: &[Turning]) -> Finding {
    let residual = |t: &Turning| {
        let Thread { mass, lead, .. } = t.thread;
        let size = t.answer.normal_load[0].abs() + mass * GRAVITY;
        (lead * t.axial() - t.load_torque()).abs() / (lead * size)
    };
    let what = format!("over {} answers", all.len());
    Finding::identity(
        worst(all.iter().map(residual)),
        &what,
        "l F_m - (m l^2 q\" + m g l), F_m the axial part of normal force and friction",
    )
}

fn sign_of_load(below: &[Turning], all: &[Turning]) -> Finding {
    let is_broken = |t: &&Turning| {
        let (load, torque) = (t.answer.normal_load[0], t.load_torque());
        let size = t.thread.mass * GRAVITY * t.thread.lead;
        load * torque < 0.0 && torque.abs() > 1e-9 * size
    };
    let broken = all.iter().filter(is_broken).collect::<Vec<_>>();
    let kept = below.iter().filter(|t| !is_broken(t)).count();
    let example = broken.first().map_or_else(String::new, |t| {
        let [alpha, rho] = t.thread.angles().map(f64::to_degrees);
        format!(
            "; at alpha = {}, rho = {} deg F_n = {} N and tau_l = {} N m",
            show(alpha),
            show(rho),
            show(t.answer.normal_load[0]),
            show(t.load_torque())
        )
    });
    Finding::corrected(
        [broken.is_empty(), kept == below.len()],
        "holds for alpha + rho < 90 deg".to_owned(),
        format!(
            "with alpha + rho < 90 deg the signs agree in {kept} of {} answers; without that bound {} of {} break it{example}",
            below.len(),
            broken.len(),
            all.len()
        ),
    )
}

fn efficiencies(below: &[Turning], all: &[Turning]) -> Finding {
    let residual = |t: &Turning| {
        let [driving, driven] = t.thread.inverse_efficiencies();
        let inverse = if t.load_torque() * t.sign >= 0.0 {
            driving
        } else {
            driven
        };
        let Thread {
            inertia,
            mass,
            lead,
            ..
        } = t.thread;
        let x = t.answer.acceleration[0];
        let terms = [
            inertia * x,
            mass * lead * lead * inverse * x,
            mass * GRAVITY * lead * inverse,
            -t.torque,
        ];
        balance(&terms)
    };
    // The tangent near 90° and a difference of near angles lose digits.
    let most = worst(below.iter().map(residual));
    let broken = all.iter().map(residual).filter(|miss| *miss > 1e-6).count();
    Finding::corrected(
        [broken == 0, most <= 1e-9],
        "holds for alpha + rho < 90 deg".to_owned(),
        format!(
            "(I + m l^2/eta_i) q\" + m g l/eta_i - tau at {} answers of the balance along the thread, alpha + rho < 90 deg: {} of its largest term; without that bound {broken} of {} miss it, since the sign of tau_l no longer tells that of F_n",
            below.len(),
            show(most),
            all.len()
        ),
    )
}

/// `b = m g l k̄`, `a = I + m l² k̄`, `c = m l²`, `d = m g l` with μ_e.
fn scalar_form(below: &[Turning]) -> Finding {
    let residual = |t: &Turning| {
        let [driving, driven] = t.thread.inverse_efficiencies();
        let (mean, mu) = (0.5 * (driving + driven), 0.5 * (driving - driven));
        let Thread {
            inertia,
            mass,
            lead,
            ..
        } = t.thread;
        let x = t.answer.acceleration[0];
        let (c, d) = (mass * lead * lead, mass * GRAVITY * lead);
        let friction = mu * (c * x + d).abs() * t.sign;
        balance(&[inertia * x, c * mean * x, d * mean, friction, -t.torque])
    };
    let most = worst(below.iter().map(residual));
    Finding::holds(
        most <= 1e-9,
        format!("residual {}", show(most)),
        format!(
            "with k = [tan(alpha+rho) + tan(alpha-rho)]/(2 tan alpha) and mu_e = [tan(alpha+rho) - tan(alpha-rho)]/(2 tan alpha), a = I + m l^2 k, b = m g l k, c = m l^2, d = m g l satisfy (7) at {} answers to {}",
            below.len(),
            show(most)
        ),
    )
}

/// Whether every torque has one answer, from the library's count diagram of moving screws.
pub(super) fn is_unique(thread: &Thread) -> Result<bool, InputError> {
    let diagram = thread
        .at(1.0, 0.0)
        .scalar()
        .map_err(refused)?
        .count_diagram();
    let one =
        |row: &carom::forward::graph::CountRow| [row.moving_plus, row.moving_minus] == [Some(1); 2];
    Ok(diagram.rows.iter().all(one))
}

/// The exact condition, `μ < cos θ · r (I + m l²)/(l |m r² − I|)`.
pub(super) fn critical(thread: &Thread) -> Result<f64, InputError> {
    let numbers = thread.at(1.0, 0.0).numbers().map_err(refused)?;
    Ok(numbers.critical_friction.unwrap_or(f64::INFINITY))
}

/// Screws on which (14) and the count disagree, below and above 90°, and the exact condition too.
fn slopes() -> Result<Finding, InputError> {
    let (mut below, mut above, mut exact, mut tried) = (0, 0, 0, 0);
    let mut example = None;
    let mut dice = Dice(23);
    for _ in 0..2 * TRIED {
        let thread = dice.thread(false);
        let [alpha, rho] = thread.angles();
        let is_below = alpha + rho < std::f64::consts::FRAC_PI_2;
        let is_unique = is_unique(&thread)?;
        let says = thread.slopes().iter().all(|slope| *slope > 0.0);
        tried += usize::from(is_below);
        match (says == is_unique, is_below) {
            (false, true) => below += 1,
            (false, false) => {
                above += 1;
                example.get_or_insert((thread, is_unique));
            }
            _ => {}
        }
        exact += usize::from((thread.mu < critical(&thread)?) != is_unique);
    }
    let shown = example.map_or_else(String::new, |(thread, is_unique)| {
        let [alpha, rho] = thread.angles().map(f64::to_degrees);
        let word = if is_unique { "is" } else { "is not" };
        format!(
            "; alpha = {}, rho = {} deg: slopes {} and {} kg m^2, yet the answer {word} unique",
            show(alpha),
            show(rho),
            show(thread.slopes()[0]),
            show(thread.slopes()[1])
        )
    });
    Ok(Finding::corrected(
        [above + below == 0, below == 0 && exact == 0 && tried > 0],
        "needs alpha + rho < 90 deg".to_owned(),
        format!(
            "of {} random screws (14) is exact for all {tried} with alpha + rho < 90 deg and wrong for {above} of the others; mu < cos(theta) r (I + m l^2)/(l |m r^2 - I|) is wrong for {exact}{shown}",
            2 * TRIED
        ),
    ))
}

/// α > ρ, with and without α + ρ < 90°.
fn overhauling() -> Result<Finding, InputError> {
    let (mut below, mut tried, mut above) = (0, 0, 0);
    let mut dice = Dice(29);
    let mut example = None;
    for k in 0..2 * TRIED {
        let mut thread = dice.thread(false);
        // A heavy screw turns a light nut in every other case.
        thread.inertia *= if k % 2 == 0 { 1.0 } else { 1e3 };
        let [alpha, rho] = thread.angles();
        if alpha <= rho {
            continue;
        }
        let is_unique = is_unique(&thread)?;
        if alpha + rho < std::f64::consts::FRAC_PI_2 {
            tried += 1;
            below += usize::from(!is_unique || thread.slopes().iter().any(|slope| *slope <= 0.0));
        } else if !is_unique {
            above += 1;
            example.get_or_insert(thread);
        }
    }
    let shown = example.map_or_else(String::new, |thread| {
        let [alpha, rho] = thread.angles().map(f64::to_degrees);
        format!(
            ", as alpha = {}, rho = {} deg with I = {} kg m^2, m l^2 = {} kg m^2",
            show(alpha),
            show(rho),
            show(thread.inertia),
            show(thread.mass * thread.lead * thread.lead)
        )
    });
    Ok(Finding::corrected(
        [above + below == 0, below == 0 && tried > 0],
        "needs alpha + rho < 90 deg".to_owned(),
        format!(
            "{tried} random screws with alpha > rho and alpha + rho < 90 deg: all but {below} satisfy (14) and are unique; with alpha > rho alone {above} are not unique{shown}"
        ),
    ))
}
