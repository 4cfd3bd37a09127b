//! An event of a run as a problem of its own.

use carom_contact::impact::{Constraint, Contact, ImpactProblem};
use carom_multibody::State;
use carom_multibody::mechanism::{ContactDrift, Mechanism, Rows};

use crate::Rule;

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
    normal: Vec<f64>,
    tangent: Option<Vec<f64>>,
    drift: ContactDrift,
}

impl Row {
    fn of<M: Mechanism>(mechanism: &mut M, state: State<'_>, contact: usize) -> Self {
        let n = state.v.len();
        let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
        let rows = Rows {
            normal: &mut normal,
            tangent: &mut tangent,
        };
        let drift = mechanism.contact_rows(state, contact, rows);
        Self {
            normal,
            tangent: mechanism.has_tangent(contact).then_some(tangent),
            drift,
        }
    }

    fn drifts(&self) -> bool {
        let velocity = self.drift.velocity;
        velocity.n != 0.0 || velocity.t != 0.0
    }

    fn contact(self, rule: &Rule, moves: bool) -> Contact {
        let Self {
            mut normal,
            mut tangent,
            drift,
        } = self;
        if moves {
            normal.push(drift.velocity.n);
            if let Some(tangent) = &mut tangent {
                tangent.push(drift.velocity.t);
            }
        }
        Contact {
            name: rule.name.clone(),
            normal,
            tangent,
            friction: (rule.friction.mu_s(), rule.friction.mu_d()),
            restitution: rule.restitution,
        }
    }
}
