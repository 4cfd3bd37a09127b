//! Cells of the paper against the computation, and the identities that decide misprints.

use carom::{Law, significant};
use serde::Deserialize;

use super::quantities::Rod;
use crate::item::Printed;
use crate::{Item, Shown, Verdict};

/// The case file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Book {
    #[serde(rename = "cells")]
    singles: Vec<Single>,
    #[serde(default)]
    tables: Vec<Table>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    #[serde(rename = "where")]
    place: String,
    quantity: String,
    printed: String,
    law: Option<String>,
    identity: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    restitution: f64,
    rows: toml::Table,
}

/// One printed number and what to compute for it.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) place: String,
    /// The paper's name of the quantity.
    pub(super) symbol: String,
    pub(super) quantity: String,
    pub(super) printed: String,
    pub(super) law: Option<Law>,
    pub(super) restitution: Option<f64>,
    pub(super) identity: Option<String>,
}

impl Book {
    /// Every cell, tables row by row.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let singles = self.singles.iter().map(|single| Cell {
            place: single.place.clone(),
            symbol: single
                .place
                .split_once(", ")
                .map_or("", |(_, s)| s)
                .to_owned(),
            quantity: single.quantity.clone(),
            printed: single.printed.clone(),
            law: single.law.as_deref().and_then(|law| law.parse().ok()),
            restitution: None,
            identity: single.identity.clone(),
        });
        let tables = self.tables.iter().flat_map(Table::cells);
        singles.chain(tables).collect()
    }
}

impl Table {
    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (row, entry) in &self.rows {
            let text = |key: &str| entry.get(key).and_then(|v| v.as_str()).map(str::to_owned);
            for law in [Law::Newton, Law::Poisson, Law::Energetic] {
                cells.push(Cell {
                    place: format!("{}, {row}, {law}", self.name),
                    symbol: row.clone(),
                    quantity: text("quantity").unwrap_or_default(),
                    printed: text(law.name()).unwrap_or_default(),
                    law: Some(law),
                    restitution: Some(self.restitution),
                    identity: text("identity"),
                });
            }
        }
        cells
    }
}

/// The verdict on a cell: it agrees, it is a proved misprint, or it is false.
pub(super) fn judge(cell: &Cell, rod: &Rod) -> Item {
    let printed = Printed::parse(&cell.printed);
    let computed = rod.quantity(&cell.quantity);
    let (verdict, proof) = match (printed, computed) {
        (Some(printed), Some(value)) if printed.holds(value) => (Verdict::Agrees, None),
        (Some(printed), Some(value)) => {
            let identity = cell.identity.as_deref().and_then(Identity::named);
            match identity.and_then(|identity| identity.refutes(rod, printed, value)) {
                Some(proof) => (Verdict::Misprint, Some(proof)),
                None => (
                    Verdict::Unexplained,
                    Some("no identity explains it".to_owned()),
                ),
            }
        }
        _ => (
            Verdict::Unexplained,
            Some("the case file asks for a quantity that does not exist".to_owned()),
        ),
    };
    Item {
        place: cell.place.clone(),
        claim: format!("{} = {}", cell.symbol, cell.printed),
        printed: printed.map_or(Shown::from(cell.printed.as_str()), |p| {
            Shown::Number(p.value)
        }),
        computed: computed.map_or(Shown::from("-"), Shown::Number),
        verdict,
        proof,
    }
}

/// A relation between the quantity of a cell and others, `residual(x) = 0`, linear in `x` nearby.
struct Identity {
    residual: fn(&Rod, f64) -> Option<f64>,
    says: fn(&Rod, f64, f64) -> Option<String>,
}

fn show(x: f64) -> String {
    significant(x, 6)
}

impl Identity {
    fn named(name: &str) -> Option<Self> {
        let (residual, says): (fn(&Rod, f64) -> Option<f64>, _) = match name {
            "energy_balance" => (
                energy_balance,
                says_energy_balance as fn(&Rod, f64, f64) -> _,
            ),
            "normal_velocity" => (normal_velocity, says_normal_velocity as _),
            "sticking" => (sticking, says_sticking as _),
            "sliding_end" => (sliding_end, says_sliding_end as _),
            "jacobian_inertia" => (jacobian_inertia, says_jacobian_inertia as _),
            _ => return None,
        };
        Some(Self { residual, says })
    }

    /// The proof, if the identity fails for the printed value by more than its rounding explains
    /// and holds for the computed one.
    fn refutes(&self, rod: &Rod, printed: Printed, computed: f64) -> Option<String> {
        let at = |x: f64| (self.residual)(rod, x);
        let step = printed.half_unit;
        let slope = ((at(printed.value + step)? - at(printed.value - step)?) / (2.0 * step)).abs();
        let is_violated = at(printed.value)?.abs() > 1.001 * slope * step;
        let holds = at(computed)?.abs() <= 1e-12 * (1.0 + slope * computed.abs());
        (is_violated && holds)
            .then(|| (self.says)(rod, printed.value, computed))
            .flatten()
    }
}

/// `ΔT = W_n + W_t`, with ΔT from the kinetic energies and W_t from the slip.
fn energy_balance(rod: &Rod, work_n: f64) -> Option<f64> {
    Some(work_n + rod.quantity("work_t")? - kinetic_change(rod)?)
}

/// `½ q̇⁺ᵀ M q̇⁺ − ½ q̇⁻ᵀ M q̇⁻`.
fn kinetic_change(rod: &Rod) -> Option<f64> {
    let problem = &rod.file.problem;
    let kinetic = |v: &[f64]| -> f64 {
        let row = |row: &Vec<f64>| -> f64 { row.iter().zip(v).map(|(m, x)| m * x).sum() };
        0.5 * problem
            .mass
            .iter()
            .map(row)
            .zip(v)
            .map(|(p, x)| p * x)
            .sum::<f64>()
    };
    Some(kinetic(rod.result.velocity.as_deref()?) - kinetic(&problem.velocity))
}

fn says_energy_balance(rod: &Rod, printed: f64, computed: f64) -> Option<String> {
    let (work_t, change) = (rod.quantity("work_t")?, kinetic_change(rod)?);
    Some(format!(
        "Delta T = W_n + W_t: {} + ({}) = {} is the change of kinetic energy, the printed {} would give {}",
        show(computed),
        show(work_t),
        show(change),
        show(printed),
        show(printed + work_t)
    ))
}

/// `v_n⁺ = J_n q̇⁺`, solved for dy/dt.
fn normal_velocity(rod: &Rod, dy: f64) -> Option<f64> {
    let normal = &rod.file.problem.contacts[0].normal;
    let turn = normal.get(2)? * rod.quantity("velocity_after[2]")?;
    Some(normal.get(1)? * dy + turn - rod.quantity("v_n")?)
}

fn says_normal_velocity(rod: &Rod, printed: f64, computed: f64) -> Option<String> {
    let v_n = rod.quantity("v_n")?;
    Some(format!(
        "v_n = dy/dt - 0.353553 dtheta/dt must be {} after the impact: dy/dt = {} gives it, the printed {} gives {}",
        show(v_n),
        show(computed),
        show(printed),
        show(v_n + printed - computed)
    ))
}

/// `v_t⁺ = J_t q̇⁺ = 0` while stuck, solved for dθ/dt.
fn sticking(rod: &Rod, turn: f64) -> Option<f64> {
    let tangent = rod.file.problem.contacts[0].tangent.as_ref()?;
    Some(tangent.first()? * rod.quantity("velocity_after[0]")? + tangent.get(2)? * turn)
}

fn says_sticking(rod: &Rod, printed: f64, computed: f64) -> Option<String> {
    let dx = rod.quantity("velocity_after[0]")?;
    Some(format!(
        "the stuck end has v_t = dx/dt + 0.353553 dtheta/dt = 0 with dx/dt = 0.6 + I_te = {}: dtheta/dt = {}, which the printed {} cuts instead of rounding",
        show(dx),
        show(computed),
        show(printed)
    ))
}

/// `I_nf = (1 + e) I_np` for an impact that slides throughout.
fn sliding_end(rod: &Rod, p_end: f64) -> Option<f64> {
    Some(p_end - (1.0 + rod.restitution) * rod.quantity("p_sliding_compression")?)
}

fn says_sliding_end(rod: &Rod, printed: f64, computed: f64) -> Option<String> {
    let p_p = rod.quantity("p_sliding_compression")?;
    Some(format!(
        "I_nf = (1 + e) I_np: with e = {} it is {}; the printed {} is that of e = {}",
        rod.restitution,
        show(computed),
        show(printed),
        significant(printed / p_p - 1.0, 3)
    ))
}

/// `D_tt = J_t M⁻¹ J_tᵀ = 2.5` as printed in the same equation.
fn jacobian_inertia(rod: &Rod, arm: f64) -> Option<f64> {
    let inertia = rod.quantity("mass[2][2]")?;
    Some(1.0 / rod.quantity("mass[0][0]")? + arm * arm / inertia - rod.quantity("w_tt")?)
}

fn says_jacobian_inertia(rod: &Rod, printed: f64, computed: f64) -> Option<String> {
    let inertia = rod.quantity("mass[2][2]")?;
    Some(format!(
        "b = 1/m + J^2/I = 2.5 in the same equation needs J = sin(45 deg)/2 = {}; the printed {} gives b = {}",
        show(computed),
        show(printed),
        show(1.0 + printed * printed / inertia)
    ))
}
