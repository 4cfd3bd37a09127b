//! The question at an instant: what forces do to contacts in space and to joints with friction.

use carom_numeric::dot;

use super::slipping::SlippingContact;
use crate::contact_space::{ContactSpace, Friction};
use crate::forward::problem::ForwardProblem;

/// A sum below this part of its terms is round-off.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// Contacts in space that touch, and joints with friction, at one instant.
///
/// Rows are those of the contacts, (n, t1, t2) for each, then the coordinate of each joint:
///
/// ```text
/// a = W f + d,    N = l·f + N_0,    q̈ = q̈_0 + R f
/// ```
///
/// f are the forces of the contacts and those of friction along the coordinates of the joints, N the load of
/// a joint, of either sign. d, N_0 and q̈_0 are what is left without any of these forces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpatialForward {
    /// Inverse inertia W by rows, symmetric and positive semidefinite (1/kg).
    pub w: Vec<f64>,
    /// d, one number for each row (m/s²).
    pub drift: Vec<f64>,
    /// The contacts.
    pub contacts: Vec<SlippingContact>,
    /// The joints, those without friction too where others have some.
    pub joints: Vec<RoughJoint>,
    /// How the coordinates follow; none of a problem stated in contact space.
    pub motion: Option<Motion>,
    /// The same in matrices where every contact slides: friction along a way that is known is that of the plane.
    pub sliding: Option<Box<ForwardProblem>>,
}

/// A joint of one coordinate, its friction the product of a coefficient and its load.
#[derive(Debug, Clone, PartialEq)]
pub struct RoughJoint {
    /// Which coordinate.
    pub coordinate: usize,
    /// Its velocity, of which the sign counts; zero is rest.
    pub velocity: f64,
    /// Coefficients, force along the coordinate per load.
    pub friction: Friction,
    /// l: load per unit of each force.
    pub load: Vec<f64>,
    /// N_0.
    pub offset: f64,
}

/// What the forces do to the coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// q̈_0.
    pub free: Vec<f64>,
    /// R: accelerations per unit of each force, force by force.
    pub response: Vec<f64>,
    /// q̇, where it is known.
    pub velocity: Vec<f64>,
}

impl SpatialForward {
    /// W and R of a reduced mechanism whose rows are those of contacts and joints; the rest is still to say.
    pub fn reduced(space: &ContactSpace, free: &[f64], velocity: &[f64]) -> Self {
        let rows = space.rows();
        let pairs = (0..rows).flat_map(|i| (0..rows).map(move |j| (i, j)));
        let w = pairs.map(|(i, j)| space.w(i, j)).collect();
        let mut response = vec![0.0; rows * free.len()];
        let mut force = vec![0.0; rows];
        for (i, moved) in response.chunks_exact_mut(free.len().max(1)).enumerate() {
            force[i] = 1.0;
            space.apply(&force, moved);
            force[i] = 0.0;
        }
        Self {
            w,
            drift: vec![0.0; rows],
            motion: Some(Motion {
                free: free.to_vec(),
                response,
                velocity: velocity.to_vec(),
            }),
            ..Self::default()
        }
    }

    /// Number of rows, and of forces.
    pub fn rows(&self) -> usize {
        self.drift.len()
    }

    /// Rows of the contacts.
    pub(super) fn contact_rows(&self) -> usize {
        3 * self.contacts.len()
    }

    /// Element of W.
    pub(super) fn w(&self, i: usize, j: usize) -> f64 {
        self.w[i * self.rows() + j]
    }

    /// `W f + d`.
    pub(super) fn moved(&self, force: &[f64]) -> Vec<f64> {
        let rows = self.w.chunks_exact(self.rows().max(1));
        let pairs = rows.zip(&self.drift);
        pairs.map(|(row, d)| dot(row, force) + d).collect()
    }

    /// The same, zero where it is round-off of its terms.
    pub(super) fn moved_cleanly(&self, force: &[f64]) -> Vec<f64> {
        let sizes = self.sizes(force);
        let rows = self.w.chunks_exact(self.rows().max(1));
        let sums = rows.zip(&self.drift).map(|(row, d)| {
            let terms = row.iter().zip(&sizes).map(|(w, f)| (w * f).abs());
            cleaned(dot(row, force) + d, terms.sum::<f64>() + d.abs())
        });
        sums.collect()
    }

    /// What each force is known beside: the length of the whole force of a contact.
    pub(super) fn sizes(&self, force: &[f64]) -> Vec<f64> {
        let (contacts, joints) = force.split_at(self.contact_rows().min(force.len()));
        let length = |f: &[f64]| f[0].hypot(f[1]).hypot(f[2]);
        let contacts = contacts.chunks_exact(3).flat_map(|f| [length(f); 3]);
        contacts.chain(joints.iter().map(|f| f.abs())).collect()
    }

    /// The largest sum of the sizes of the terms of an acceleration.
    pub(super) fn terms(&self, force: &[f64]) -> f64 {
        let rows = self.w.chunks_exact(self.rows().max(1));
        let sums = rows.zip(&self.drift).map(|(row, d)| {
            let terms = row.iter().zip(force).map(|(w, f)| (w * f).abs());
            terms.sum::<f64>() + d.abs()
        });
        sums.fold(0.0, f64::max)
    }

    /// The same problem with each contact and each joint in units of its own inverse inertia, and those units: a
    /// force of this problem is one of that times its unit, an acceleration one of that over it.
    ///
    /// Rows that count in other units are then the same rows.
    pub(super) fn weighed(&self) -> (Self, Vec<f64>) {
        let k = self.contact_rows();
        let size = |row: usize| match row < k {
            true => (row / 3 * 3..row / 3 * 3 + 3).map(|a| self.w(a, a)).sum(),
            false => self.w(row, row),
        };
        let unit = |row: usize| {
            let size: f64 = size(row);
            if size > 0.0 { size.sqrt().recip() } else { 1.0 }
        };
        let units: Vec<f64> = (0..self.rows()).map(unit).collect();
        let pairs = units.iter().flat_map(|a| units.iter().map(move |b| a * b));
        let joint = |(joint, own): (&RoughJoint, &f64)| {
            let load = joint.load.iter().zip(&units);
            RoughJoint {
                load: load.map(|(l, unit)| l * unit / own).collect(),
                offset: joint.offset / own,
                ..joint.clone()
            }
        };
        let weighed = Self {
            w: self.w.iter().zip(pairs).map(|(w, ab)| w * ab).collect(),
            drift: self.drift.iter().zip(&units).map(|(d, a)| d * a).collect(),
            contacts: self.contacts.clone(),
            joints: self.joints.iter().zip(&units[k..]).map(joint).collect(),
            motion: None,
            sliding: None,
        };
        (weighed, units)
    }
}

/// A sum, zero where it is round-off of terms of this size.
pub(super) fn cleaned(sum: f64, size: f64) -> f64 {
    if sum.abs() <= ROUND_OFF * size {
        0.0
    } else {
        sum
    }
}

impl RoughJoint {
    /// Its load under forces, and the size of the terms it is the sum of.
    pub(super) fn loaded(&self, force: &[f64]) -> (f64, f64) {
        let terms = self.load.iter().zip(force).map(|(l, f)| l * f);
        let size: f64 = terms.clone().map(f64::abs).sum();
        (terms.sum::<f64>() + self.offset, size + self.offset.abs())
    }
}
