//! The case file: printed numbers and claims, with their places in the paper.

use carom::InputError;
use carom::multibody::contact::Outline;
use serde::Deserialize;

use super::pendulum::Pendulum;
use super::world::{Motion, World};
use crate::claim::Claim;
use crate::finding::{Keyed, ROUND_OFF};
use crate::item::Printed;
use crate::{Item, Shown, Verdict};

/// The case file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Book {
    cells: Vec<Cell>,
    claims: Vec<Claim>,
}

/// A printed number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    #[serde(rename = "where")]
    place: String,
    quantity: String,
    printed: String,
}

const NAME: &str = "cases/paper-001/printed.toml";
/// Standard gravity in two decimals; the paper prints none.
const GRAVITY: f64 = 9.81;

impl Book {
    pub(super) fn read(text: &str) -> Result<Self, InputError> {
        toml::from_str(text).map_err(|error| InputError::whole(NAME, error.message().to_owned()))
    }

    /// The pendulum as printed.
    pub(super) fn pendulum(&self) -> Result<Pendulum, InputError> {
        let number = |quantity: &str| {
            let cell = self.cells.iter().find(|cell| cell.quantity == quantity);
            let printed = cell.and_then(|cell| Printed::parse(&cell.printed));
            let missing = || InputError::whole(NAME, format!("there is no number {quantity}"));
            printed.map(|printed| printed.value).ok_or_else(missing)
        };
        Ok(Pendulum {
            m1: number("m1")?,
            m2: number("m2")?,
            l1: number("l1")?,
            l2: number("l2")?,
            r: number("r")?,
            lc: number("lc")?,
            i1: number("I1")?,
            i2: number("I2")?,
            depth: number("D")?,
            g: GRAVITY,
            restitution: number("k")?,
        })
    }

    /// Every cell against the scenarios, then every claim with its finding.
    pub(super) fn items(&self, world: &World, findings: &[Keyed]) -> Vec<Item> {
        let cells = self.cells.iter().map(|cell| cell.judge(world));
        let claims = self.claims.iter().map(|claim| claim.item(findings));
        cells.chain(claims).collect()
    }

    /// Keys of the claims, in order.
    #[cfg(test)]
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().map(|claim| claim.key.as_str())
    }
}

impl Cell {
    fn judge(&self, world: &World) -> Item {
        let printed = Printed::parse(&self.printed);
        let computed = quantity(world, &self.quantity);
        let pair = printed.zip(computed);
        // What both programs are given is equal, not only alike in the digits printed.
        let holds = pair
            .is_some_and(|(printed, x)| (x - printed.value).abs() <= ROUND_OFF * (1.0 + x.abs()));
        let (holds, proof) = match (self.quantity.as_str(), printed) {
            ("equilibrium", Some(printed)) => equilibrium(world, printed),
            (_, _) => (
                holds,
                "read from both built-in scenarios, which run it".to_owned(),
            ),
        };
        Item {
            place: self.place.clone(),
            claim: format!("{} = {}", self.quantity, self.printed),
            printed: match printed {
                Some(printed) => Shown::Number(printed.value),
                None => Shown::Words(self.printed.clone()),
            },
            computed: computed.map_or(Shown::from("-"), Shown::Number),
            verdict: if holds {
                Verdict::Agrees
            } else {
                Verdict::Unexplained
            },
            proof: Some(proof),
        }
    }
}

/// "About −40.007 J": l_c is printed as approximate, and its rounding decides the last digit.
fn equilibrium(world: &World, printed: Printed) -> (bool, String) {
    let energy = |lc: f64| {
        Pendulum {
            lc,
            ..world.pendulum
        }
        .equilibrium_energy()
    };
    let lc = world.pendulum.lc;
    let (high, low) = (energy(lc - LC_HALF_UNIT), energy(lc + LC_HALF_UNIT));
    let computed = quantity(world, "equilibrium").unwrap_or(f64::NAN);
    let is_reached =
        low - printed.half_unit <= printed.value && printed.value <= high + printed.half_unit;
    let is_own = (computed - energy(lc)).abs() <= ROUND_OFF * computed.abs();
    let proof = format!(
        "-g((m1/2 + m2) l1 + m2 lc) = {computed:.6} J with lc = 0.3627 and g = 9.81 (which is not printed); lc, printed as approximate, leaves it between {low:.4} and {high:.4} J, so the last digit of about -40.007 cannot be judged"
    );
    (is_reached && is_own, proof)
}

/// Half a unit of the last digit of l_c (m).
const LC_HALF_UNIT: f64 = 5e-5;

/// A parameter as both scenarios have it; none where they differ.
fn quantity(world: &World, name: &str) -> Option<f64> {
    match name {
        "mu_smooth" => return Some(world.smooth.mu()),
        "mu_rough" => return Some(world.rough.mu()),
        _ => {}
    }
    let [a, b] = world.motions().map(|motion| parameter(motion, name));
    a.filter(|a| Some(*a) == b)
}

fn parameter(motion: &Motion, name: &str) -> Option<f64> {
    let parts = motion.scenario.plane()?;
    let body = |name: &str| parts.bodies.iter().find(|(key, _)| key == name);
    let (_, upper) = body("upper")?;
    let (_, lower) = body("lower")?;
    let (_, tip) = lower.shapes.first()?;
    let (_, obstacle) = parts.world_shapes.first()?;
    let (_, joint) = parts.joints.iter().find(|(key, _)| key == "A")?;
    let Outline::Disk { radius } = tip.outline else {
        return None;
    };
    let start = super::world::angles(&motion.setup.q, &motion.setup.v);
    Some(match name {
        "m1" => upper.mass,
        "m2" => lower.mass,
        "l1" if upper.center.0[1] * 2.0 == joint.parent_at.0[1] => -joint.parent_at.0[1],
        "l2" => -tip.at.0[1] - radius,
        "r" => radius,
        "lc" => -lower.center.0[1],
        "I1" => upper.inertia,
        "I2" => lower.inertia,
        "D" => -obstacle.at.0[1],
        "k" => motion.setup.rules.first()?.restitution,
        "psi1(0) in degrees" => start.psi[0].to_degrees(),
        "psi2(0) in degrees" => start.psi[1].to_degrees(),
        "dpsi1/dt(0)" => start.rate[0],
        "dpsi2/dt(0)" => start.rate[1],
        "equilibrium" => equilibrium_energy(motion)?,
        _ => return None,
    })
}

/// Carom's energy of the pendulum at rest at ψ1 = ψ2 = 0 (J).
fn equilibrium_energy(motion: &Motion) -> Option<f64> {
    use carom::multibody::{Dynamics, State};
    let (q, v) = ([0.0; 2], [0.0; 2]);
    let mut mechanism = motion.setup.mechanism.clone();
    let energy = mechanism.energy(State::new(0.0, &q, &v));
    energy.map(|energy| energy.total())
}
