//! The collision of a mechanism as a table: methods one below the other, laws side by side, and what
//! the joints carry.

use carom_contact::impact::{ImpactProblem, ImpactResult};
use carom_multibody::screws::ScrewResult;
use carom_sim::record::JointImpulseRecord;
use indexmap::IndexMap;
use serde::Serialize;

use crate::number::{significant, zeroed};
use crate::table::{Heading, answer_lines, columns, determined, method_words, question_lines};

/// The collision of a mechanism by one law and method, with what its joints carry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollisionResult {
    /// The result of the posed problem.
    #[serde(flatten)]
    pub result: ImpactResult,
    /// Reaction impulse of every joint, by name; none where the impact has no end.
    pub joint_impulses: IndexMap<String, JointImpulseRecord>,
    /// In space without friction, of two bodies jointed to the world: the quantities of the collision
    /// as screws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screws: Option<ScrewResult>,
}

/// Components below this fraction of the largest are not shown.
const NOTHING: f64 = 1e-12;

/// Results of the collision of a mechanism, a table per method.
pub fn collision_table(
    heading: &Heading<'_>,
    problem: &ImpactProblem,
    results: &[CollisionResult],
) -> String {
    let plain = |some: &[CollisionResult]| -> Vec<ImpactResult> {
        some.iter().map(|r| r.result.clone()).collect()
    };
    let mut out = question_lines(heading, problem, &plain(results));
    for group in results.chunk_by(|a, b| a.result.method == b.result.method) {
        if problem.contacts.len() > 1 {
            let method = method_words(group[0].result.method);
            out.push_str(&format!("\n{method}\n{}\n", determined(&group[0].result)));
        }
        out.push_str(&answer_lines(heading, problem, &plain(group)));
        let joints = joint_rows(group, heading.digits);
        if joints.len() > 1 {
            out.push('\n');
            out.extend(
                columns(&joints)
                    .iter()
                    .map(|row| format!("{}\n", row.trim_end())),
            );
        }
        if joints.iter().flatten().any(|cell| cell.ends_with('*')) {
            out.push_str("* not unique: other impulses of contacts and joints fit as well\n");
        }
    }
    out.push_str(&screw_lines(results, heading.digits));
    out
}

/// Most contacts of which matrices are shown.
const SHOWN: usize = 6;

/// The screws of two bodies, with what each symbol means.
fn screw_lines(results: &[CollisionResult], digits: usize) -> String {
    let told = |r: &&CollisionResult| r.screws.is_some() && r.result.contacts.len() <= SHOWN;
    let told: Vec<&CollisionResult> = results.iter().filter(told).collect();
    let Some(ScrewResult { screws, .. }) = told.first().and_then(|r| r.screws.as_ref()) else {
        return String::new();
    };
    let list = |numbers: &[f64]| {
        let most = numbers.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let numbers = numbers
            .iter()
            .map(|x| significant(zeroed(*x, most), digits));
        numbers.collect::<Vec<_>>().join(", ")
    };
    let matrix = |rows: &[Vec<f64>]| {
        let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", list(row))).collect();
        format!("[{}]", rows.join(", "))
    };
    let [one, two] = &screws.bodies;
    let mut out = format!(
        "\nscrews: body 1 is {}, body 2 is {}, which a normal pushes; --json has η, U, Q, S, M too\n\
         M_red,i = Q_iᵀ η M_i Q_i, reduced inertia; G_i = U_iᵀ η Q_i M_red,i⁻¹ Q_iᵀ η U_i; δ closing \
         speeds;\nξ_i impulses of the joint along the columns of S_i\n",
        one.name, two.name
    );
    for (i, body) in (1..).zip(&screws.bodies) {
        out.push_str(&format!("M_red,{i} = {}\n", matrix(&body.reduced)));
        out.push_str(&format!("G_{i} = {}\n", matrix(&body.g)));
    }
    out.push_str(&format!("δ = ({})\n", list(&screws.delta)));
    for (result, found) in told
        .iter()
        .filter_map(|r| Some((&r.result, r.screws.as_ref()?)))
    {
        let [one, two] = [0, 1].map(|i| list(&found.xi[i]));
        let (law, method) = (result.law, result.method.name());
        out.push_str(&format!("{law}, {method}: ξ_1 = ({one}), ξ_2 = ({two})\n"));
    }
    out
}

/// What the joints carry, a row per component that is not zero.
pub(crate) fn joint_rows(results: &[CollisionResult], digits: usize) -> Vec<Vec<String>> {
    let laws = results.iter().map(|r| r.result.law.name().to_owned());
    let head = std::iter::once("joint impulses".to_owned()).chain(laws);
    let mut rows = vec![head.collect()];
    let Some(first) = results.iter().find(|r| !r.joint_impulses.is_empty()) else {
        return rows;
    };
    for (joint, impulse) in &first.joint_impulses {
        let (forces, moments) = (impulse.force.len(), impulse.moment.components().len());
        let forces = (0..forces).map(|k| (["x", "y", "z"][k.min(2)], false, k));
        let about = |k: usize| {
            if moments == 1 {
                "z"
            } else {
                ["x", "y", "z"][k.min(2)]
            }
        };
        let moments = (0..moments).map(|k| (about(k), true, k));
        for (axis, is_moment, k) in forces.chain(moments) {
            let cells: Vec<Cell> = results
                .iter()
                .map(|r| Cell::of(r, joint, is_moment, k))
                .collect();
            if cells.iter().all(Cell::is_nothing) {
                continue;
            }
            let name = match is_moment {
                false => format!("{joint} p_{axis} (N s)"),
                true => format!("{joint} moment {axis} (N m s)"),
            };
            let shown = cells.iter().map(|cell| cell.show(digits));
            rows.push(std::iter::once(name).chain(shown).collect());
        }
    }
    rows
}

/// One component of what a joint carries.
struct Cell {
    value: Option<f64>,
    is_unique: bool,
    largest: f64,
}

impl Cell {
    fn of(result: &CollisionResult, joint: &str, is_moment: bool, k: usize) -> Self {
        let all = result.joint_impulses.values();
        let most =
            |so_far: f64, numbers: &[f64]| numbers.iter().fold(so_far, |m, x| m.max(x.abs()));
        let contacts = result.result.contacts.iter();
        let pushed = contacts.filter_map(|contact| contact.impulse.normal);
        let pushed = pushed.fold(0.0, |m: f64, p| m.max(p.abs()));
        let own = result.joint_impulses.get(joint);
        match is_moment {
            false => Self {
                value: own.and_then(|own| own.force.get(k).copied()),
                is_unique: own.is_none_or(|own| own.is_force_unique(k)),
                largest: all.fold(pushed, |m, own| most(m, &own.force)),
            },
            true => Self {
                value: own.and_then(|own| own.moment.components().get(k).copied()),
                is_unique: own.is_none_or(|own| own.is_moment_unique(k)),
                largest: all.fold(pushed, |m, own| most(m, own.moment.components())),
            },
        }
    }

    fn is_nothing(&self) -> bool {
        let is_small = |x: f64| x.abs() <= NOTHING * self.largest.max(NOTHING);
        self.is_unique && self.value.is_none_or(is_small)
    }

    fn show(&self, digits: usize) -> String {
        let mark = if self.is_unique { "" } else { " *" };
        let small = NOTHING * self.largest;
        match self.value {
            None => "-".to_owned(),
            Some(x) if x.abs() <= small => format!("0{mark}"),
            Some(x) => format!("{}{mark}", significant(x, digits)),
        }
    }
}
