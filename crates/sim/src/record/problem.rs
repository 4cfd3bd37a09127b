//! An event of a run as a problem of its own.

use carom_contact::impact::{Constraint, Contact, ImpactProblem};
use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;

use crate::Rule;
use crate::rows::ContactRows;

/// Name of the constraint that stands for prescribed motions.
const MOTION: &str = "prescribed motion";

/// The collision of contacts at a state, in generalised coordinates.
///
/// Where prescribed motions add a drift to the contact velocities, a coordinate is added whose rate
/// is 1 and whose column is the drift, held at its rate by a constraint: the same impact, and the
/// work of the motions is that of the constraint.
pub(super) fn problem<M: Mechanism>(
    mechanism: &mut M,
    state: State<'_>,
    contacts: &[usize],
    rules: &[Rule],
) -> ImpactProblem {
    let n = state.v.len();
    let mut mass = vec![0.0; n * n];
    mechanism.mass(state, &mut mass);
    let looked: Vec<Row> = contacts
        .iter()
        .map(|contact| Row::of(mechanism, state, *contact))
        .collect();
    let moves = looked.iter().any(Row::drifts);
    let mut problem = ImpactProblem {
        mass: mass.chunks_exact(n).map(<[f64]>::to_vec).collect(),
        velocity: state.v.to_vec(),
        contacts: Vec::with_capacity(contacts.len()),
        constraints: Vec::new(),
    };
    for (contact, row) in contacts.iter().zip(looked) {
        problem.contacts.push(row.contact(&rules[*contact], moves));
    }
    if moves {
        for row in &mut problem.mass {
            row.push(0.0);
        }
        let mut last = vec![0.0; n];
        last.push(1.0);
        problem.mass.push(last.clone());
        problem.velocity.push(1.0);
        problem.constraints.push(Constraint {
            name: MOTION.to_owned(),
            rows: vec![last],
        });
    }
    problem
}

/// Rows of a contact.
struct Row {
    rows: ContactRows,
    tangents: usize,
}

impl Row {
    fn of<M: Mechanism>(mechanism: &mut M, state: State<'_>, contact: usize) -> Self {
        let tangents = match mechanism.has_tangent(contact) {
            true => mechanism.dimension().tangents(),
            false => 0,
        };
        Self {
            rows: ContactRows::of(mechanism, state, contact),
            tangents,
        }
    }

    fn drifts(&self) -> bool {
        let velocity = self.rows.drift(0).velocity;
        velocity.n != 0.0 || velocity.t != [0.0; 2]
    }

    fn contact(self, rule: &Rule, moves: bool) -> Contact {
        let drift = self.rows.drift(0).velocity;
        let row = |row: &[f64], drift: f64| {
            let mut row = row.to_vec();
            row.extend(moves.then_some(drift));
            row
        };
        let rows = self.rows.tangents(0).zip(drift.t);
        let mut rows = rows.map(|(tangent, drift)| row(tangent, drift));
        let (first, second) = match self.tangents {
            0 => (None, None),
            1 => (rows.next(), None),
            _ => (rows.next(), rows.next()),
        };
        let (tangent, tangents) = match (first, second) {
            (Some(first), Some(second)) => (None, Some([first, second])),
            (tangent, _) => (tangent, None),
        };
        Contact {
            name: rule.name.clone(),
            normal: row(self.rows.normal(0), drift.n),
            tangent,
            tangents,
            friction: (rule.friction.mu_s(), rule.friction.mu_d()),
            restitution: rule.restitution,
        }
    }
}
