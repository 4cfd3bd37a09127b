//! What a collision makes the joints carry, and which of it is determined.

use carom_contact::impact::{ContactResult, ContactType, ImpactProblem, ImpactResult, Tangential};
use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Dynamics, FrameImpulse, JointForce};
use carom_multibody::space::contact::FrameComponents;
use carom_numeric::CompleteOrthogonal;
use carom_numeric::orthogonal::length;

/// A component that the impulses which fit change by less than this fraction is determined.
const SAME: f64 = 1e-9;

/// A collision in generalised coordinates, and the contacts of the mechanism it is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struck<'a> {
    pub(crate) problem: &'a ImpactProblem,
    pub(crate) contacts: &'a [usize],
    /// Length of each normal, where one is not 1.
    pub(crate) lengths: &'a [f64],
}

impl Struck<'_> {
    /// Joint impulses of a result; none where the impact has no end.
    ///
    /// A component is unique when no impulse that fits changes it: neither one along a direction in
    /// which the contacts may share their impulses, nor another outcome, nor another choice of the
    /// multipliers of joints that close a loop more than once.
    pub(crate) fn joint_forces(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        result: &ImpactResult,
    ) -> Vec<JointForce> {
        let mut forces = self.forces(mechanism, state, result);
        self.mark(mechanism, state, result, &mut forces);
        forces
    }

    /// Clears the flags of the components that are not unique.
    pub(crate) fn mark(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        result: &ImpactResult,
        forces: &mut [JointForce],
    ) {
        let size = arm(mechanism, state);
        let pushed = self.pushes(result).map(|push| strength(&push.impulse));
        let pushed: f64 = pushed.sum();
        for outcome in &result.outcomes {
            let others = self.forces(mechanism, state, outcome);
            let sizes = sizes(forces.iter().chain(&others), [pushed, pushed * size]);
            for (force, other) in forces.iter_mut().zip(&others) {
                clear(force, other, difference(force, other), sizes);
            }
        }
        let still = vec![0.0; state.v.len()];
        let mut moved = Vec::new();
        let all = match &result.outcomes[..] {
            [] => std::slice::from_ref(result),
            outcomes => outcomes,
        };
        for pushes in all.iter().flat_map(|result| self.shares(result)) {
            let sum: f64 = pushes.iter().map(|push| strength(&push.impulse)).sum();
            mechanism.frame_impulse_reactions(state, &still, &pushes, &mut moved);
            for (force, share) in forces.iter_mut().zip(&moved) {
                clear(force, share, components(share), [sum, sum * size]);
            }
        }
    }

    /// Joint impulses of the numbers of a result.
    fn forces(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        result: &ImpactResult,
    ) -> Vec<JointForce> {
        let mut forces = Vec::new();
        if let Some(velocity) = &result.velocity {
            let jump: Vec<f64> = velocity.iter().zip(state.v).map(|(a, b)| a - b).collect();
            let pushes: Vec<FrameImpulse> = self.pushes(result).collect();
            mechanism.frame_impulse_reactions(state, &jump, &pushes, &mut forces);
        }
        forces
    }

    /// The impulses of the contacts, along unit normals; zero where nothing pushes.
    pub(crate) fn pushes(&self, result: &ImpactResult) -> impl Iterator<Item = FrameImpulse> {
        let impulse = |contact: &ContactResult| FrameComponents {
            n: contact.impulse.normal.unwrap_or(0.0),
            t: pair(contact.impulse.tangent),
        };
        let numbered = result.contacts.iter().enumerate();
        numbered.map(move |(i, contact)| self.push(i, impulse(contact)))
    }

    /// An impulse of contact `i`, whose normal part counts in lengths of its normal.
    fn push(&self, i: usize, impulse: FrameComponents) -> FrameImpulse {
        let length = self.lengths.get(i).copied().unwrap_or(1.0);
        FrameImpulse {
            contact: self.contacts[i],
            impulse: FrameComponents {
                n: impulse.n * length,
                ..impulse
            },
            spin: 0.0,
        }
    }

    /// Directions in which the contacts may share their impulses: what moves nothing, together with
    /// impulses of the constraints, over the contacts whose impulse is not unique.
    fn shares(&self, result: &ImpactResult) -> Vec<Vec<FrameImpulse>> {
        let columns: Vec<Column> = (0..result.contacts.len())
            .filter(|i| !result.determinacy.impulses_unique[*i])
            .flat_map(|i| self.columns(&result.contacts[i], i))
            .collect();
        if columns.is_empty() || result.velocity.is_none() {
            return Vec::new();
        }
        let held = self.problem.constraints.iter().flat_map(|c| &c.rows);
        let mut matrix: Vec<f64> = columns.iter().flat_map(|c| c.row.clone()).collect();
        matrix.extend(held.flat_map(|row| scaled(row).0));
        let n = self.problem.velocity.len();
        let count = matrix.len() / n.max(1);
        let mut orthogonal = CompleteOrthogonal::new();
        orthogonal.decompose(&matrix, n, count);
        let mut null = Vec::new();
        orthogonal.null_space(&mut null);
        let share = |direction: &[f64]| -> Vec<FrameImpulse> {
            let parts = columns.iter().zip(direction);
            let times = |c: &Column, x: f64| FrameComponents {
                n: x * c.push.n,
                t: c.push.t.map(|t| x * t),
            };
            parts
                .map(|(c, x)| self.push(c.contact, times(c, *x)))
                .collect()
        };
        null.chunks_exact(count.max(1)).map(share).collect()
    }

    /// The ways in which the impulse of contact `i` may change: with friction along both rows where it
    /// sticks, along the edge of its cone where it slips.
    fn columns(&self, result: &ContactResult, i: usize) -> Vec<Column> {
        let contact = &self.problem.contacts[i];
        let column = |n: f64, t: [f64; 2], parts: &[(f64, &[f64])]| {
            let mut row = vec![0.0; contact.normal.len()];
            for (factor, part) in parts {
                row.iter_mut()
                    .zip(*part)
                    .for_each(|(a, b)| *a += factor * b);
            }
            let (row, size) = scaled(&row);
            let push = FrameComponents {
                n: n / size,
                t: t.map(|t| t / size),
            };
            Column {
                contact: i,
                push,
                row,
            }
        };
        let normal = &contact.normal[..];
        let along = column(1.0, [0.0; 2], &[(1.0, normal)]);
        if contact.friction.mu_s == 0.0 {
            return vec![along];
        }
        if let Some([t_1, t_2]) = &contact.tangents {
            let first = column(0.0, [1.0, 0.0], &[(1.0, t_1)]);
            return vec![along, first, column(0.0, [0.0, 1.0], &[(1.0, t_2)])];
        }
        let Some(tangent) = &contact.tangent else {
            return vec![along];
        };
        let sticks = matches!(
            result.contact_type,
            ContactType::NonSlidingCompression | ContactType::NonSlidingRestitution
        );
        if sticks || self.problem.contacts.len() == 1 {
            return vec![along, column(0.0, [1.0, 0.0], &[(1.0, tangent)])];
        }
        let ratio = cone_ratio(result, contact.friction.mu_d);
        vec![column(
            1.0,
            [ratio, 0.0],
            &[(1.0, normal), (ratio, tangent)],
        )]
    }
}

/// What moments are measured by beside forces (m): the size of the mechanism, or where it does not know that,
/// of its positions.
fn arm(mechanism: &dyn Dynamics, state: State<'_>) -> f64 {
    match mechanism.extent() {
        0.0 => state.q.iter().fold(0.0, |size, q| size.max(q.abs())),
        extent => extent,
    }
}

/// One way in which an impulse may change, and the row of its effect, of length one.
struct Column {
    contact: usize,
    push: FrameComponents,
    row: Vec<f64>,
}

/// Friction per normal impulse of a contact that slips.
fn cone_ratio(result: &ContactResult, mu: f64) -> f64 {
    let p_t = pair(result.impulse.tangent)[0];
    match result.impulse.normal {
        Some(p_n) if p_n > 0.0 => p_t / p_n,
        _ => {
            let v_t = pair(result.velocity_after.tangent)[0];
            if v_t > 0.0 { -mu } else { mu }
        }
    }
}

fn pair(tangent: Option<Tangential>) -> [f64; 2] {
    match tangent {
        None => [0.0; 2],
        Some(Tangential::Plane(t)) => [t, 0.0],
        Some(Tangential::Space(t)) => t,
    }
}

/// A row of length one, and its length; a row of zeros counts as it is.
fn scaled(row: &[f64]) -> (Vec<f64>, f64) {
    match length(row) {
        0.0 => (row.to_vec(), 1.0),
        size => (row.iter().map(|x| x / size).collect(), size),
    }
}

fn strength(impulse: &FrameComponents) -> f64 {
    impulse.n.abs() + impulse.t[0].abs() + impulse.t[1].abs()
}

/// The components of force and moment.
fn components(force: &JointForce) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (force.force, force.moment);
    [a, b, c, d, e, f]
}

fn difference(a: &JointForce, b: &JointForce) -> [f64; 6] {
    let (a, b) = (components(a), components(b));
    std::array::from_fn(|k| a[k] - b[k])
}

/// The largest force and the largest moment, at least these.
fn sizes<'a>(forces: impl Iterator<Item = &'a JointForce>, least: [f64; 2]) -> [f64; 2] {
    let most = |so_far: f64, three: &[f64; 3]| three.iter().fold(so_far, |m, x| m.max(x.abs()));
    forces.fold(least, |[f, m], force| {
        [most(f, &force.force), most(m, &force.moment)]
    })
}

/// Clears the flags of what changes by more than round-off of forces and moments of these sizes.
fn clear(force: &mut JointForce, other: &JointForce, change: [f64; 6], sizes: [f64; 2]) {
    for k in 0..6 {
        let is_same = change[k].abs() <= SAME * sizes[k / 3];
        force.unique[k] &= is_same && other.unique[k];
    }
}
