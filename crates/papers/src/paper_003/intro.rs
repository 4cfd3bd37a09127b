//! Section 1: what the paper presupposes, tried on cases of the book.

use carom::{Contact, ImpactProblem, ImpactResult, InputError, Law, Method, read_problem, solve};

use super::book::refused;
use super::pair::impulses;
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

const THREE_BALLS: &str = include_str!("../../../../cases/three-balls/problem.toml");
const ROD: &str = include_str!("../../../../cases/rod/problem.toml");

pub(super) fn findings() -> Result<Vec<Keyed>, InputError> {
    Ok(vec![
        ("vanish-together", vanish_together()?),
        ("successive", successive()?),
        ("ratio", ratio()?),
        ("energetic", energetic()?),
        ("any-coefficient", any_coefficient()?),
        ("euler", euler()?),
    ])
}

/// The plate of S02: three points of support under a free body, twist (ω; v_C).
fn plate(twist: [f64; 6], k: [f64; 3]) -> ImpactProblem {
    const POINTS: [[f64; 2]; 3] = [[0.5, 0.0], [-0.3, 0.4], [-0.2, -0.5]];
    let inertia = [0.3, 0.4, 0.6, 2.0, 2.0, 2.0];
    let row = |r: usize| {
        (0..6)
            .map(|c| if r == c { inertia[r] } else { 0.0 })
            .collect()
    };
    let contact = |i: usize| {
        let [x, y] = POINTS[i];
        Contact {
            name: format!("A{}", i + 1),
            normal: vec![y, -x, 0.0, 0.0, 0.0, 1.0],
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: k[i],
            tangential_restitution: None,
        }
    };
    ImpactProblem {
        mass: (0..6).map(row).collect(),
        velocity: twist.to_vec(),
        contacts: (0..3).map(contact).collect(),
        constraints: Vec::new(),
    }
}

const FALLING: [f64; 6] = [0.2, -0.1, 0.3, 0.1, 0.2, -1.5];

fn list(p: &[f64]) -> String {
    p.iter().map(|x| show(*x)).collect::<Vec<_>>().join(", ")
}

fn by(problem: &ImpactProblem, law: Law, method: Method) -> Result<ImpactResult, InputError> {
    solve(problem, law, method).map_err(refused)
}

/// "simultaneous vanishing of the normal velocities" as a necessary condition.
fn vanish_together() -> Result<Finding, InputError> {
    let tilting = plate([1.1, 2.4, 0.0, 0.0, 0.0, -1.3], [0.5; 3]);
    let found = by(&tilting, Law::Poisson, Method::Complementarity)?;
    let linear = by(&tilting, Law::Newton, Method::Linear)?;
    // Without restitution the collision ends where compression does.
    let mut soft = tilting.clone();
    soft.contacts.iter_mut().for_each(|c| c.restitution = 0.0);
    let pressed = by(&soft, Law::Poisson, Method::Complementarity)?;
    let at_greatest = pressed.contacts.iter();
    let at_greatest = at_greatest.map(|c| c.velocity_after.normal.unwrap_or(f64::NAN));
    let at_greatest: Vec<f64> = at_greatest.collect();
    let p = impulses(&found);
    let pulled = impulses(&linear);
    let is_unique = found.determinacy.velocity_unique && found.determinacy.rank == 3;
    Ok(Finding::refuted(
        [
            worst(at_greatest.clone()) <= ROUND_OFF,
            is_unique && at_greatest[1] > 0.1 && pulled[1] < 0.0,
        ],
        format!("v_n = {} at the end of compression", list(&at_greatest)),
        format!(
            "a plate that lands tilting (S20 of cases/simultaneous-reference): A2 leaves during compression, v_n = ({}) at its end, and the collision has one solution, P = ({}); velocities that vanish together need A2 to pull, P = ({})",
            list(&at_greatest),
            list(&p),
            list(&pulled)
        ),
    ))
}

/// Simultaneous against one after another.
fn successive() -> Result<Finding, InputError> {
    let balls = read_problem("cases/three-balls/problem.toml", THREE_BALLS, &[])?;
    let balls = &balls.problem;
    let together = by(balls, Law::Newton, Method::Complementarity)?;
    let after = by(balls, Law::Newton, Method::Sequential)?;
    let [a, b] = [&together, &after].map(|r| r.velocity.clone().unwrap_or_default());
    let sound = |r: &ImpactResult| {
        worst(
            [r.residuals.momentum, r.residuals.energy, r.energy_change]
                .map(|x| x.unwrap_or(f64::NAN)),
        )
    };
    let differ = worst(a.iter().zip(&b).map(|(x, y)| x - y)) > 0.1;
    let is_sound = worst([sound(&together), sound(&after)]) <= ROUND_OFF;
    Ok(Finding::corrected(
        [sound(&after) > ROUND_OFF, differ && is_sound],
        format!("({}) and ({})", list(&a), list(&b)),
        format!(
            "three equal elastic balls: together ({}), one after another ({}); they differ, as said, but both keep momentum and energy to {}: which holds is a choice of model, and balls that touch follow the second more nearly",
            list(&a),
            list(&b),
            show(worst([sound(&together), sound(&after)]))
        ),
    ))
}

/// "it is not valid the formula k = −v/v0".
fn ratio() -> Result<Finding, InputError> {
    let plate = plate(FALLING, [0.6, 0.5, 0.4]);
    let found = by(&plate, Law::Newton, Method::Linear)?;
    let ratios = found.contacts.iter().map(|c| {
        let [after, before] =
            [c.velocity_after, c.velocity_before].map(|v| v.normal.unwrap_or(f64::NAN));
        -after / before
    });
    let ratios: Vec<f64> = ratios.collect();
    let residual = worst(ratios.iter().zip([0.6, 0.5, 0.4]).map(|(r, k)| r - k));
    Ok(Finding::refuted(
        [residual > ROUND_OFF, residual <= ROUND_OFF],
        format!("-v/v0 = {}", list(&ratios)),
        format!(
            "equation (8) is this formula: with P of (11) the plate S02 leaves with -v12n/v12n0 = ({}), which is k to {}; it is Poisson's hypothesis that would not satisfy it",
            list(&ratios),
            show(residual)
        ),
    ))
}

/// "in the collision with friction one must use the energetic coefficient".
fn energetic() -> Result<Finding, InputError> {
    let rod = read_problem("cases/rod/problem.toml", ROD, &[])?;
    let change = |law: Law| -> Result<f64, InputError> {
        let found = by(&rod.problem, law, Method::Complementarity)?;
        Ok(found.energy_change.unwrap_or(f64::NAN))
    };
    let [newton, poisson, energetic] = [
        change(Law::Newton)?,
        change(Law::Poisson)?,
        change(Law::Energetic)?,
    ];
    Ok(Finding::corrected(
        [
            newton > 0.0 && poisson > 0.0 && energetic <= 0.0,
            newton > 0.0 && poisson <= 0.0 && energetic <= 0.0,
        ],
        format!("dT = {} J by Newton", show(newton)),
        format!(
            "the rod of paper 000: dT = {} J by Newton's coefficient, {} J by Poisson's, {} J by the energetic one; energy rules Newton's out, not Poisson's",
            show(newton),
            show(poisson),
            show(energetic)
        ),
    ))
}

/// "it is not important which coefficient of restitution is used".
fn any_coefficient() -> Result<Finding, InputError> {
    let laws = |k: [f64; 3]| -> Result<[Vec<f64>; 2], InputError> {
        let plate = plate(FALLING, k);
        Ok([
            impulses(&by(&plate, Law::Newton, Method::Complementarity)?),
            impulses(&by(&plate, Law::Poisson, Method::Complementarity)?),
        ])
    };
    let apart = |[a, b]: &[Vec<f64>; 2]| worst(a.iter().zip(b).map(|(x, y)| x - y));
    let (equal, unequal) = (laws([0.6; 3])?, laws([0.6, 0.5, 0.4])?);
    Ok(Finding::refuted(
        [
            apart(&unequal) <= ROUND_OFF,
            apart(&equal) <= ROUND_OFF && apart(&unequal) > 0.01,
        ],
        format!("({}) and ({})", list(&unequal[0]), list(&unequal[1])),
        format!(
            "the plate S02 of cases/simultaneous-reference with k = (0.6, 0.5, 0.4): P = ({}) by Newton, ({}) by Poisson; with k = 0.6 at all three they agree to {}",
            list(&unequal[0]),
            list(&unequal[1]),
            show(apart(&equal))
        ),
    ))
}

/// "satisfaction of Euler's distribution of velocities".
fn euler() -> Result<Finding, InputError> {
    let plate = plate(FALLING, [0.6, 0.5, 0.4]);
    let found = by(&plate, Law::Newton, Method::Linear)?;
    let v = found.velocity.clone().unwrap_or_default();
    let residuals = found
        .contacts
        .iter()
        .zip(&plate.contacts)
        .map(|(c, contact)| {
            let rigid: f64 = contact.normal.iter().zip(&v).map(|(a, b)| a * b).sum();
            rigid - c.velocity_after.normal.unwrap_or(f64::NAN)
        });
    Ok(Finding::identity(
        worst(residuals),
        "over three points",
        "v_A = v_C + omega x CA along the normals after the impact of the plate S02",
    ))
}
