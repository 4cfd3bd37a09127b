//! An event of a run as a problem of its own.

use carom_contact::impact::{Constraint, Contact, ImpactProblem};
use carom_multibody::mechanism::{Closure, Contacts, Dynamics, Prescribed};
use carom_multibody::space::contact::FrameComponents;
use carom_multibody::{ConstraintRows, State};
use carom_numeric::Cholesky;

use crate::Rule;
use crate::contact::rows::ContactRows;

/// Name of the constraint that stands for prescribed motions.
const MOTION: &str = "prescribed motion";

/// A mass matrix whose factor loses more than this ([`Cholesky::loss`]) has motions that move
/// hardly any inertia of their own.
const LOSS: f64 = 1e3;

/// The collision of contacts at a state, in generalised coordinates.
///
/// Prescribed coordinates follow the free ones, each held at its rate by a constraint:
///
/// ```text
/// M Δ(v, u) = (J, J_u)ᵀ p + (0, λ),    Δu = 0
/// ```
///
/// so that λ is the impulse of what enforces the motion and λ·u its work.
pub(crate) fn problem(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contacts: &[usize],
    rules: &[Rule],
) -> ImpactProblem {
    let looked: Vec<Row> = contacts
        .iter()
        .map(|contact| Row::of(mechanism, state, *contact))
        .collect();
    let motions = match mechanism.prescribed(state, contacts) {
        Some(prescribed) => Motions::known(prescribed),
        None => Motions::drifts(mechanism, state, &looked),
    };
    let n = state.v.len();
    let all = n + motions.rates.len();
    let beside = contacts.iter().zip(&motions.columns);
    let posed = looked.into_iter().zip(beside);
    let posed = posed.map(|(row, (contact, columns))| row.contact(&rules[*contact], columns));
    let closures = closures(mechanism, state, &motions);
    let held = |k: usize| -> Vec<f64> { (0..all).map(|i| f64::from(u8::from(i == k))).collect() };
    let constraints = motions
        .names
        .iter()
        .enumerate()
        .map(|(k, name)| Constraint {
            name: name.clone(),
            rows: vec![held(n + k)],
        });
    ImpactProblem {
        contacts: posed.collect(),
        constraints: constraints.chain(closures).collect(),
        mass: motions
            .mass
            .chunks_exact(all.max(1))
            .map(<[f64]>::to_vec)
            .collect(),
        velocity: state.v.iter().chain(&motions.rates).copied().collect(),
    }
}

/// Joints that close loops, `G v + G_u u = 0`; an impact leaves them closed.
fn closures(mechanism: &mut dyn Dynamics, state: State<'_>, motions: &Motions) -> Vec<Constraint> {
    let (n, moved) = (state.v.len(), motions.rates.len());
    let mut found = ConstraintRows::default();
    mechanism.constraint_rows(state, &mut found);
    let beside = |k: usize| motions.constraints.get(k * moved..(k + 1) * moved);
    let row = |k: usize| -> Vec<f64> {
        let own = &found.rows[k * n..(k + 1) * n];
        let mut row = [own, beside(k).unwrap_or_default()].concat();
        row.resize(n + moved, 0.0);
        row
    };
    let mut rows = (0..found.count()).map(row);
    let closures = mechanism.closures().into_iter();
    let constraint = |closure: Closure| Constraint {
        rows: rows.by_ref().take(closure.units.len()).collect(),
        name: closure.name,
    };
    closures.map(constraint).collect()
}

/// Prescribed coordinates of a problem.
struct Motions {
    names: Vec<String>,
    rates: Vec<f64>,
    /// Mass matrix of all rates.
    mass: Vec<f64>,
    /// For each contact, its velocity per unit of each rate.
    columns: Vec<Vec<FrameComponents>>,
    /// For each constraint, its rate per unit of each rate, row by row.
    constraints: Vec<f64>,
}

impl Motions {
    fn known(prescribed: Prescribed) -> Self {
        let Prescribed {
            joints,
            rates,
            mut mass,
            columns,
            constraints,
        } = prescribed;
        make_definite(&mut mass, joints.len());
        let names = joints.iter().map(|joint| format!("{MOTION} of {joint}"));
        Self {
            names: names.collect(),
            rates,
            mass,
            columns,
            constraints,
        }
    }

    /// Of a system that knows no motions: its drifts as those of surfaces moved from outside, which
    /// carry no part of the system. One coordinate of rate 1, whose columns are the drifts; none
    /// where nothing drifts.
    fn drifts(mechanism: &mut dyn Dynamics, state: State<'_>, looked: &[Row]) -> Self {
        let n = state.v.len();
        let mut free = vec![0.0; n * n];
        mechanism.mass(state, &mut free);
        let moves = looked
            .iter()
            .any(|row| row.drift() != FrameComponents::default());
        let added = usize::from(moves);
        let all = n + added;
        let mut mass = vec![0.0; all * all];
        for (row, free) in mass
            .chunks_exact_mut(all.max(1))
            .zip(free.chunks_exact(n.max(1)))
        {
            row[..n].copy_from_slice(free);
        }
        if let (true, Some(last)) = (moves, mass.last_mut()) {
            *last = 1.0;
        }
        let columns = looked.iter().map(|row| vec![row.drift(); added]);
        Self {
            names: vec![MOTION.to_owned(); added],
            rates: vec![1.0; added],
            mass,
            columns: columns.collect(),
            constraints: Vec::new(),
        }
    }
}

/// Gives motions that move no inertia of their own some, where the mass matrix needs it.
///
/// A prescribed rate does not jump: inertia on its diagonal has no momentum to gain, and changes no
/// velocity, no impulse and no change of energy.
fn make_definite(mass: &mut [f64], motions: usize) {
    let all = mass.len().isqrt();
    let is_shaped = all * all == mass.len() && motions <= all; // else the check of the problem refuses
    let mut factor = Cholesky::new();
    if motions == 0 || !is_shaped || (factor.factor(mass, all).is_ok() && factor.loss() <= LOSS) {
        return;
    }
    for k in all - motions..all {
        let diagonal = &mut mass[k * all + k];
        *diagonal = if *diagonal > 0.0 {
            2.0 * *diagonal
        } else {
            1.0
        };
    }
}

/// Rows of a contact.
struct Row {
    rows: ContactRows,
    tangents: usize,
}

impl Row {
    fn of(mechanism: &mut dyn Contacts, state: State<'_>, contact: usize) -> Self {
        let tangents = match mechanism.has_tangent(contact) {
            true => mechanism.dimension().tangents(),
            false => 0,
        };
        Self {
            rows: ContactRows::of(mechanism, state, contact),
            tangents,
        }
    }

    /// What adds to the velocity of the free rates.
    fn drift(&self) -> FrameComponents {
        self.rows.drift(0).velocity
    }

    fn contact(self, rule: &Rule, columns: &[FrameComponents]) -> Contact {
        let along = |row: &[f64], part: fn(&FrameComponents) -> f64| -> Vec<f64> {
            row.iter()
                .copied()
                .chain(columns.iter().map(part))
                .collect()
        };
        let parts: [fn(&FrameComponents) -> f64; 2] = [|c| c.t[0], |c| c.t[1]];
        let rows = self.rows.tangents(0).zip(parts).take(self.tangents);
        let mut rows = rows.map(|(tangent, part)| along(tangent, part));
        let (tangent, tangents) = match (rows.next(), rows.next()) {
            (Some(first), Some(second)) => (None, Some([first, second])),
            (tangent, _) => (tangent, None),
        };
        Contact {
            name: rule.name.clone(),
            normal: along(self.rows.normal(0), |c| c.n),
            tangent,
            tangents,
            friction: rule.friction.into(),
            restitution: rule.restitution,
            tangential_restitution: match self.tangents {
                0 => None,
                _ => rule.tangential_restitution,
            },
            stiffness: Contact::EQUAL_STIFFNESS,
        }
    }
}
