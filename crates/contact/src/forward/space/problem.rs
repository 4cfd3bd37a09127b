//! The question in matrices: inertia, loads, contacts in space.

use carom_numeric::{Cholesky, dot};
use serde::Serialize;

use super::posed::{RoughJoint, SpatialForward};
use super::slipping::SlippingContact;
use crate::contact_space::{ContactSpace, FrictionError, GivenFriction, Mechanism};
use crate::forward::error::ForwardInputError;
use crate::forward::problem::{ForwardProblem, check_friction, check_list};

/// Accelerations of a system with contacts in space: `A q̈ + b + f = τ + Σ Jᵀλ`.
///
/// It is written as a problem file has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialForwardProblem {
    /// A, b, τ, and C, d, μ, q̇ of friction in the coordinates; without contacts.
    #[serde(flatten)]
    pub system: ForwardProblem,
    /// Unilateral contacts that are closed.
    pub contacts: Vec<SpatialForwardContact>,
}

/// A unilateral contact in space that is closed at the instant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialForwardContact {
    /// Jacobian row of the normal velocity; `a_n > 0` separates.
    pub normal: Vec<f64>,
    /// Jacobian rows of the velocities along t1 and t2; absent: frictionless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangents: Option<[Vec<f64>; 2]>,
    /// Contact acceleration (n, t1, t2) without contact forces and without friction, at `q̈ = A⁻¹(τ − b)` (m/s²).
    pub drift: [f64; 3],
    /// Slip along t1 and t2, of which its way counts; (0, 0) is rest (m/s).
    pub slip: [f64; 2],
    /// μ of the contact.
    pub friction: GivenFriction,
}

impl SpatialForwardProblem {
    /// Checks shapes, numbers, coefficients and the inertia matrix.
    pub fn check(&self) -> Result<(), ForwardInputError> {
        self.system.check_form()?;
        let n = self.system.coordinates();
        let mut contacts = self.contacts.iter().enumerate();
        contacts.try_for_each(|(k, contact)| contact.check(k, n))
    }

    /// The problem at its contacts and joints.
    pub fn pose(&self) -> Result<SpatialForward, ForwardInputError> {
        self.check()?;
        let system = &self.system;
        let n = system.coordinates();
        let mut rows = Vec::new();
        for contact in &self.contacts {
            rows.extend_from_slice(&contact.normal);
            match &contact.tangents {
                Some(tangents) => rows.extend(tangents.iter().flatten()),
                None => rows.resize(rows.len() + 2 * n, 0.0),
            }
        }
        for joint in 0..system.friction.len() {
            rows.extend((0..n).map(|i| f64::from(u8::from(i == joint))));
        }
        let mass = system.inertia.concat();
        let mut space = ContactSpace::new();
        let reduced = space.reduce(&Mechanism {
            mass: &mass,
            velocity: &vec![0.0; n],
            rows: &rows,
            constraints: &[],
        });
        reduced.map_err(|_| ForwardInputError::Overflow)?; // all else is checked
        let mut posed = SpatialForward::reduced(&space, &self.free(&mass)?, &system.velocity);
        for (k, contact) in self.contacts.iter().enumerate() {
            posed.contacts.push(contact.posed(k)?);
            posed.drift[3 * k..3 * k + 3].copy_from_slice(&contact.drift);
        }
        posed.add_joints(system)?;
        posed.sliding = self.sliding(&posed).map(Box::new);
        Ok(posed)
    }

    /// The problem of the plane it is, where every contact slides.
    fn sliding(&self, posed: &SpatialForward) -> Option<ForwardProblem> {
        let pairs = self.contacts.iter().zip(&posed.contacts);
        let each = pairs.map(|(contact, slipping)| {
            let tangents = contact.tangents.as_ref();
            let tangents = tangents.map(|[a, b]| [&a[..], &b[..]]);
            slipping.in_plane(&contact.normal, tangents, contact.drift)
        });
        Some(ForwardProblem {
            contacts: each.collect::<Option<_>>()?,
            ..self.system.clone()
        })
    }

    /// `A⁻¹(τ − b)`.
    fn free(&self, mass: &[f64]) -> Result<Vec<f64>, ForwardInputError> {
        let system = &self.system;
        let mut factor = Cholesky::new();
        factor
            .factor(mass, system.coordinates())
            .map_err(ForwardInputError::NotPositiveDefinite)?;
        let pairs = system.force.iter().zip(&system.bias);
        let mut free: Vec<f64> = pairs.map(|(tau, b)| tau - b).collect();
        factor.solve_lower(&mut free);
        factor.solve_lower_transposed(&mut free);
        Ok(free)
    }
}

impl SpatialForwardContact {
    fn check(&self, k: usize, n: usize) -> Result<(), ForwardInputError> {
        check_list(&format!("contacts[{k}].normal"), &self.normal, n)?;
        for (i, tangent) in self.tangents.iter().flatten().enumerate() {
            check_list(&format!("contacts[{k}].tangents[{i}]"), tangent, n)?;
        }
        check_list(&format!("contacts[{k}].drift"), &self.drift, 3)?;
        check_list(&format!("contacts[{k}].slip"), &self.slip, 2)?;
        check_friction(self.friction, || format!("contacts[{k}].friction"))
    }

    fn posed(&self, k: usize) -> Result<SlippingContact, ForwardInputError> {
        let given = match self.tangents {
            Some(_) => self.friction,
            None => GivenFriction::default(),
        };
        let friction = given.checked();
        Ok(SlippingContact {
            friction: friction.map_err(|source| refused(k, source))?,
            slip: self.slip,
        })
    }
}

fn refused(k: usize, source: FrictionError) -> ForwardInputError {
    ForwardInputError::Friction {
        path: format!("contacts[{k}].friction"),
        source,
    }
}

impl SpatialForward {
    /// The joints with friction of a system in matrices, whose loads follow from q̈ alone. The last rows are those of its
    /// coordinates.
    pub fn add_joints(&mut self, system: &ForwardProblem) -> Result<(), ForwardInputError> {
        let Some(motion) = &self.motion else {
            return Ok(());
        };
        let first = self.contact_rows();
        for (i, given) in system.friction.iter().enumerate() {
            let path = || format!("friction[{i}]");
            let refused = |source| ForwardInputError::Friction {
                path: path(),
                source,
            };
            let row = &system.load_matrix[i];
            let responses = motion.response.chunks_exact(row.len());
            self.drift[first + i] = motion.free[i];
            self.joints.push(RoughJoint {
                coordinate: i,
                velocity: system.velocity[i],
                friction: given.checked().map_err(refused)?,
                load: responses.map(|response| dot(row, response)).collect(),
                offset: dot(row, &motion.free) + system.load_offset[i],
            });
        }
        Ok(())
    }
}
