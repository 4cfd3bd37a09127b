//! Impacts against the 34-digit reference: what the paper computes but does not print.

use carom::InputError;
use serde::Deserialize;

use super::collision::momentum_residual;
use super::strike::{Strike, strikes};
use super::world::World;
use crate::finding::{show, worst};
use crate::{Item, Shown, Verdict};

const REFERENCE: &str = include_str!("../../../../cases/pendulum-reference/expected.json");

/// Accuracy asked of the engine at its default tolerance: of instants, and of all else.
const TIME: f64 = 1e-10;
const REST: f64 = 1e-9;
/// Beyond the reference: gap at an impact (m) and its energy balance (J), round-off of both.
const GAP: f64 = 1e-13;
const ENERGY: f64 = 1e-12;

#[derive(Debug, Deserialize)]
struct Book {
    cases: Vec<Case>,
}

#[derive(Debug, Deserialize)]
struct Case {
    parameters: Parameters,
    impacts: Vec<Impact>,
}

#[derive(Debug, Deserialize)]
struct Parameters {
    mu: f64,
    #[serde(rename = "Om1")]
    om1: f64,
    c1: f64,
}

#[derive(Debug, Deserialize)]
struct Impact {
    t: f64,
    psi: [f64; 2],
    w_minus: [f64; 2],
    w_plus: [f64; 2],
    #[serde(rename = "F")]
    f: f64,
    #[serde(rename = "T")]
    t_impulse: f64,
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "dE")]
    energy_change: f64,
    gamma: f64,
    alpha: f64,
    epsilon: f64,
    joint_impulse: JointImpulse,
    #[serde(rename = "amp_dt_dpsi1")]
    amplification: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct JointImpulse {
    p: f64,
    r: f64,
    v: f64,
    h: f64,
}

/// A quantity by its symbol: found, reference, accuracy asked.
type Compared = (&'static str, f64, f64, f64);

/// The first impact of both runs number by number, the later ones each as a whole.
pub(super) fn items(world: &World) -> Result<Vec<Item>, InputError> {
    let book: Book = serde_json::from_str(REFERENCE).map_err(|error| {
        InputError::whole("cases/pendulum-reference/expected.json", error.to_string())
    })?;
    let mut items = Vec::new();
    for motion in world.motions() {
        let mu = motion.mu();
        let is_it = |case: &&Case| {
            case.parameters.mu == mu && case.parameters.om1 == 0.0 && case.parameters.c1 == 0.0
        };
        let expected = book
            .cases
            .iter()
            .find(is_it)
            .map_or(&[][..], |case| &case.impacts);
        for (k, strike) in strikes(motion).iter().enumerate() {
            let place = format!("section 4, mu = {}, impact {}", show(mu), k + 1);
            match (k, expected.get(k)) {
                (0, Some(wanted)) => items.extend(one_by_one(world, &place, strike, wanted)),
                (_, Some(wanted)) => items.push(as_a_whole(world, place, strike, wanted)),
                (_, None) => items.push(without_reference(world, place, strike)),
            }
        }
    }
    Ok(items)
}

fn compared(world: &World, strike: &Strike, wanted: &Impact) -> Vec<Compared> {
    let k = world.pendulum.coefficients(strike.before.psi);
    let joint = &wanted.joint_impulse;
    let amplified = wanted.amplification.max(1.0);
    let rest = REST * amplified;
    vec![
        ("t (s)", strike.time, wanted.t, TIME * amplified),
        ("psi1 (rad)", strike.before.psi[0], wanted.psi[0], rest),
        ("psi2 (rad)", strike.before.psi[1], wanted.psi[1], rest),
        (
            "dpsi1/dt before (rad/s)",
            strike.before.rate[0],
            wanted.w_minus[0],
            rest,
        ),
        (
            "dpsi2/dt before (rad/s)",
            strike.before.rate[1],
            wanted.w_minus[1],
            rest,
        ),
        (
            "dpsi1/dt after (rad/s)",
            strike.after.rate[0],
            wanted.w_plus[0],
            rest,
        ),
        (
            "dpsi2/dt after (rad/s)",
            strike.after.rate[1],
            wanted.w_plus[1],
            rest,
        ),
        ("F (N s)", strike.f, wanted.f, rest),
        ("T (N s)", strike.t, wanted.t_impulse, rest),
        ("P (N s)", strike.p, joint.p, rest),
        ("R (N s)", strike.r, joint.r, rest),
        ("V (N s)", strike.v, joint.v, rest),
        ("H (N s)", strike.h, joint.h, rest),
        (
            "change of energy (J)",
            strike.energy_change,
            wanted.energy_change,
            rest,
        ),
        ("alpha (1/kg)", k.alpha, wanted.alpha, rest),
        ("gamma (1/kg)", k.gamma, wanted.gamma, rest),
        ("epsilon (1/kg)", k.epsilon, wanted.epsilon, rest),
    ]
}

fn is_close((_, found, wanted, bound): &Compared) -> bool {
    (found - wanted).abs() <= bound * wanted.abs().max(1.0)
}

fn judged(is_true: bool) -> Verdict {
    if is_true {
        Verdict::Agrees
    } else {
        Verdict::Unexplained
    }
}

fn not_printed(
    place: String,
    claim: &str,
    computed: Shown,
    verdict: Verdict,
    proof: String,
) -> Item {
    Item {
        place,
        claim: claim.to_owned(),
        printed: "not printed".into(),
        computed,
        verdict,
        proof: Some(proof),
    }
}

fn one_by_one(world: &World, place: &str, strike: &Strike, wanted: &Impact) -> Vec<Item> {
    let numbers = compared(world, strike, wanted).into_iter().map(|row| {
        let (symbol, found, reference, _) = row;
        let proof = format!(
            "34-digit reference {reference}, difference {}",
            show((found - reference).abs())
        );
        let place = format!("{place}, {symbol}");
        let claim = "value at the impact, not printed: against the reference";
        not_printed(
            place,
            claim,
            Shown::Number(found),
            judged(is_close(&row)),
            proof,
        )
    });
    let mut items: Vec<Item> = numbers.collect();
    items.push(not_printed(
        format!("{place}, type of contact"),
        "type of contact, not printed: against the reference",
        strike.kind.into(),
        judged(strike.kind == wanted.kind),
        format!(
            "34-digit reference {}; s = 0 at F = {} N s, before greatest compression at {} N s",
            wanted.kind,
            show(halt(world, strike)),
            show(strike.f_m)
        ),
    ));
    items
}

/// F̄ where the line of friction meets the line of sticking.
fn halt(world: &World, strike: &Strike) -> f64 {
    let k = world.pendulum.coefficients(strike.before.psi);
    let sense = strike.start[0].signum();
    -strike.start[0] / (k.epsilon - strike.mu * sense * k.alpha)
}

fn as_a_whole(world: &World, place: String, strike: &Strike, wanted: &Impact) -> Item {
    let rows = compared(world, strike, wanted);
    let difference = |row: &Compared| (row.1 - row.2) / row.2.abs().max(1.0);
    let most = worst(rows.iter().map(difference));
    let agrees = rows.iter().all(is_close) && strike.kind == wanted.kind;
    let proof = format!(
        "34-digit reference {} s, {}; angles, rates, impulses, joint impulses and energy change differ by at most {} (amplification {} of an error of the start)",
        wanted.t,
        wanted.kind,
        show(most),
        wanted.amplification
    );
    let claim = "instant and all numbers of the impact, not printed: against the reference";
    let computed = format!("{} s, {}", carom::significant(strike.time, 11), strike.kind);
    not_printed(place, claim, Shown::Words(computed), judged(agrees), proof)
}

fn without_reference(world: &World, place: String, strike: &Strike) -> Item {
    let (p, psi) = (&world.pendulum, strike.before.psi);
    let (momentum, gap) = (momentum_residual(p, strike), p.f(psi).abs());
    let energy = p.kinetic(&strike.after) - p.kinetic(&strike.before) - strike.energy_change;
    let agrees = momentum <= crate::finding::ROUND_OFF && gap < GAP && energy.abs() < ENERGY;
    let proof = format!(
        "beyond the reference: (13)-(18) hold to {}, f = {} m, change of kinetic energy to {} J",
        show(momentum),
        show(gap),
        show(energy)
    );
    let claim = "impact, not printed: balances of momentum and energy";
    let computed = format!("{} s, {}", carom::significant(strike.time, 11), strike.kind);
    not_printed(place, claim, Shown::Words(computed), judged(agrees), proof)
}
