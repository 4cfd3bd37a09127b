//! Section 2 and Eq. (3): one unilateral contact, the slender rod.

use carom::InputError;
use carom::forward::rod::Rod;
use carom::forward::{Answer, ForwardContact, ForwardProblem, Mode, answers};
use carom::resolution::resolve_rod;

use super::systems::{Dice, GRAVITY, Systems, TRIED, refused, unresolved};
use crate::finding::{Finding, Keyed, ROUND_OFF, balance, show, worst};

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let rods = rods(&systems.rod);
    Ok(vec![
        ("eq1", cone(&rods)?),
        ("one-condition", one_condition(&systems.rod)?),
        ("stops-suddenly", stops(&systems.rod)?),
        ("eq3", external(&rods)?),
        ("eq3-identity", tip_coordinates(&rods)?),
    ])
}

/// Rods at many angles, rates and slips, at rest too.
fn rods(rod: &Rod) -> Vec<Rod> {
    let mut dice = Dice(3);
    let one = |k: usize| Rod {
        angle: dice.between(0.1, 3.0),
        rate: dice.between(-8.0, 8.0),
        slip: if k.is_multiple_of(3) {
            0.0
        } else {
            dice.sign()
        },
        friction: dice.between(0.05, 2.5).into(),
        force: [dice.between(-8.0, 8.0), dice.between(-8.0, 8.0)],
        torque: dice.between(-1.0, 1.0),
        ..rod.clone()
    };
    (0..TRIED).map(one).collect()
}

/// Every rod with each of its answers.
fn each(rods: &[Rod]) -> Result<Vec<(&Rod, ForwardProblem, Answer)>, InputError> {
    let mut all = Vec::new();
    for rod in rods {
        let problem = rod.problem().map_err(refused)?;
        let found = answers(&problem).map_err(refused)?.answers;
        all.extend(found.into_iter().map(|a| (rod, problem.clone(), a)));
    }
    Ok(all)
}

fn cone(rods: &[Rod]) -> Result<Finding, InputError> {
    let all = each(rods)?;
    let is_kept = |(rod, _, a): &(&Rod, ForwardProblem, Answer)| {
        let (load, force) = (a.normal_load[0], a.friction_force[0]);
        let bound = rod.friction.mu_d * load;
        let room = ROUND_OFF * (1.0 + bound.abs());
        let on_cone = rod.slip == 0.0 || (force.abs() - bound).abs() <= room;
        load >= 0.0 && force.abs() <= bound + room && on_cone && rod.slip * force <= room
    };
    let kept = all.iter().filter(|each| is_kept(each)).count();
    let resting = all.iter().filter(|(rod, ..)| rod.slip == 0.0).count();
    Ok(Finding::holds(
        kept == all.len() && resting > 0 && resting < kept,
        format!("{kept} of {} answers", all.len()),
        format!(
            "{kept} of {} answers of rods on a floor, {resting} of them from rest, lie in the friction cone, on it where the tip slips, and oppose the slip",
            all.len()
        ),
    ))
}

/// None or several under one condition, p < 0; which of them depends on the input.
fn one_condition(rod: &Rod) -> Result<Finding, InputError> {
    let (mut none, mut several, mut one, mut broken) = (0, 0, 0, 0);
    for i in 1..60 {
        for mu in [0.5, 1.2, 1.4, 1.8, 2.5] {
            let at = |up: f64| Rod {
                angle: 0.05 * f64::from(i),
                slip: -1.0,
                rate: 0.0,
                friction: mu.into(),
                force: [0.0, up * rod.mass * GRAVITY],
                ..rod.clone()
            };
            let count = |up: f64| -> Result<Option<usize>, InputError> {
                let problem = at(up).problem().map_err(refused)?;
                Ok(answers(&problem).map_err(refused)?.count())
            };
            let is_negative = at(0.0).slope(-1.0) < 0.0;
            match (is_negative, count(0.0)?, count(2.0)?) {
                (true, Some(0), Some(2)) => (none, several) = (none + 1, several + 1),
                (false, Some(1), Some(1)) => one += 1,
                _ => broken += 1,
            }
        }
    }
    Ok(Finding::holds(
        broken == 0 && none > 0 && one > 0,
        format!("p < 0 in {none} of {} cases", none + one),
        format!(
            "of {} rods, the {none} with p < 0 have 0 answers under gravity and 2 when lifted by twice their weight; the {one} with p > 0 have 1 answer under both; {broken} break the rule",
            none + one
        ),
    ))
}

fn stops(rod: &Rod) -> Result<Finding, InputError> {
    let result = resolve_rod(rod).map_err(unresolved)?;
    let jump = result.resolution.as_ref();
    let after = jump.and_then(|jump| jump.contact_velocity_after.first().copied());
    let [v_n, v_t] = after.unwrap_or([f64::NAN; 2]);
    let p_n = jump.map_or(f64::NAN, |jump| jump.normal_impulse[0]);
    let loss = jump.map_or(f64::NAN, |jump| jump.energy_loss);
    let is_stopped = result.count == Some(0) && v_t == 0.0 && p_n > 0.0 && loss > 0.0;
    Ok(Finding::holds(
        is_stopped,
        format!("slip {} m/s before, {} after", show(rod.slip), show(v_t)),
        format!(
            "at {} deg and mu = {} no acceleration is consistent; the impact without approach ends with v_n = {}, v_t = {}, normal impulse {} N s, loss {} J",
            show(rod.angle.to_degrees()),
            show(rod.friction.mu_d),
            show(v_n),
            show(v_t),
            show(p_n),
            show(loss)
        ),
    ))
}

/// (3) with the forces the robot exerts on its surroundings.
fn external(rods: &[Rod]) -> Result<Finding, InputError> {
    let all = each(rods)?;
    let residual = |(_, p, a): &(&Rod, ForwardProblem, Answer)| {
        let contact = &p.contacts[0];
        let tangent = contact.tangent.as_deref().unwrap_or_default();
        let of = |i: usize| {
            let on_floor = [-a.normal_load[0], -a.friction_force[0]];
            balance(&[
                p.inertia[i][i] * a.acceleration[i],
                p.bias[i],
                contact.normal[i] * on_floor[0],
                tangent[i] * on_floor[1],
                -p.force[i],
            ])
        };
        worst((0..3).map(of))
    };
    let what = format!("over {} answers of rods", all.len());
    Ok(Finding::identity(
        worst(all.iter().map(residual)),
        &what,
        "A q\" + b + J^T F_n + J^T f - tau, F_n and f the forces the robot exerts on its surroundings (on the robot they have the opposite sign)",
    ))
}

/// The rod in coordinates of its tip: contact rows are rows of the identity.
fn in_tip_coordinates(rod: &Rod) -> ForwardProblem {
    let (sin, cos) = rod.angle.sin_cos();
    let (m, l) = (rod.mass, rod.half_length);
    let inertia = vec![
        vec![m, 0.0, -m * l * sin],
        vec![0.0, m, m * l * cos],
        vec![-m * l * sin, m * l * cos, rod.inertia + m * l * l],
    ];
    let turn = m * l * rod.rate * rod.rate;
    let weight = m * rod.gravity;
    let [fx, fy] = rod.force;
    ForwardProblem {
        inertia,
        bias: vec![-turn * cos, -turn * sin + weight, weight * l * cos],
        force: vec![fx, fy, rod.torque - fx * l * sin + fy * l * cos],
        contacts: vec![ForwardContact {
            normal: vec![0.0, 1.0, 0.0],
            tangent: Some(vec![1.0, 0.0, 0.0]),
            drift: rod.drift(),
            slip: rod.slip,
            friction: rod.friction,
        }],
        load_matrix: Vec::new(),
        load_offset: Vec::new(),
        friction: Vec::new(),
        velocity: Vec::new(),
    }
}

fn tip_coordinates(rods: &[Rod]) -> Result<Finding, InputError> {
    let (mut same, mut far) = (0, 0.0f64);
    for rod in rods {
        let one = answers(&rod.problem().map_err(refused)?).map_err(refused)?;
        let other = answers(&in_tip_coordinates(rod)).map_err(refused)?;
        let key = |a: &Answer| (a.mode.clone(), a.normal_load[0], a.contact_acceleration[0]);
        let (mut a, mut b): (Vec<_>, Vec<_>) = (
            one.answers.iter().map(key).collect(),
            other.answers.iter().map(key).collect(),
        );
        let order =
            |x: &(Vec<Mode>, f64, [f64; 2]), y: &(Vec<Mode>, f64, [f64; 2])| x.1.total_cmp(&y.1);
        a.sort_by(order);
        b.sort_by(order);
        same += usize::from(a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.0 == y.0));
        for (x, y) in a.iter().zip(&b) {
            let size = 1.0 + x.1.abs() + x.2[0].abs() + x.2[1].abs();
            far = far.max(worst([x.1 - y.1, x.2[0] - y.2[0], x.2[1] - y.2[1]]) / size);
        }
    }
    Ok(Finding::holds(
        same == rods.len() && far < 1e-9,
        format!("{same} of {} rods agree", rods.len()),
        format!(
            "in coordinates (tip x, tip y, angle) the contact rows are rows of the identity; {same} of {} rods have the same answers as in coordinates of the mass centre, forces and tip accelerations within {}, relative",
            rods.len(),
            show(far)
        ),
    ))
}
