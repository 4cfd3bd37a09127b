//! Contacts with their tangents, every row scaled to length one.

use carom_numeric::orthogonal::length;

use super::super::rows::Rows;
use super::RoughClosing;
use crate::contact_space::{ContactSpace, PlanarDelassus, is_in_range};
use crate::impact::ImpactInputError;
use crate::impact::PointImpactError;

/// Impulses beyond the velocities over this are round-off of a contradiction.
const BOUNDLESS: f64 = 1e-12;

/// The contacts in impulses `|x| p` and velocities `v/|x|`; rows are all normals, then the tangents.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) rows: Rows,
    /// Number of contacts.
    pub(super) k: usize,
    /// Row of each tangent on which friction acts.
    pub(super) tangent: Vec<Option<usize>>,
    /// Coefficients of friction for scaled impulses.
    pub(super) mu_s: Vec<f64>,
    pub(super) mu_d: Vec<f64>,
    /// Velocities before, all rows.
    pub(super) v: Vec<f64>,
    /// Largest of them.
    pub(super) speed: f64,
}

impl Scene {
    /// Brings contacts to scale; `is_kinetic`: the kinetic coefficient holds a stuck contact too.
    pub(super) fn of(space: &ContactSpace, closing: &RoughClosing<'_>, is_kinetic: bool) -> Self {
        let k = closing.normals.len();
        let (mut which, mut v) = (closing.normals.to_vec(), Vec::new());
        v.extend(closing.v.iter().map(|v| v.n));
        let mut tangent = vec![None; k];
        for i in 0..k {
            let is_rough = closing.friction[i].mu_s() > 0.0;
            if let Some(row) = closing.tangents[i].filter(|_| is_rough) {
                tangent[i] = Some(which.len());
                which.push(row);
                v.push(closing.v[i].t);
            }
        }
        let mut rows = Rows::default();
        rows.take(space, &which);
        for (r, x) in v.iter_mut().enumerate() {
            *x /= rows.size(r);
        }
        rows.remove_drift(&mut v);
        let ratio = |i: usize| tangent[i].map_or(0.0, |t| rows.size(t) / rows.size(i));
        let mu_d: Vec<f64> = (0..k)
            .map(|i| closing.friction[i].mu_d() * ratio(i))
            .collect();
        let mu_s = match is_kinetic {
            true => mu_d.clone(),
            false => (0..k)
                .map(|i| closing.friction[i].mu_s() * ratio(i))
                .collect(),
        };
        let speed = v.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        Self {
            rows,
            k,
            tangent,
            mu_s,
            mu_d,
            v,
            speed,
        }
    }

    /// Length of scaled impulses of all rows, in N·s.
    pub(super) fn size(&self, p: &[f64]) -> f64 {
        let plain = p.iter().enumerate().map(|(r, x)| x / self.rows.size(r));
        length(&plain.collect::<Vec<_>>())
    }

    /// Whether impulses are so large that no digit of the velocities is left.
    pub(super) fn is_boundless(&self, p: &[f64]) -> bool {
        let pressed: f64 = p.iter().map(|x| x.abs()).sum();
        pressed * BOUNDLESS > self.speed
    }

    /// Combinations of modes of a phase that starts without impulses.
    pub(super) fn patterns(&self) -> usize {
        let modes = self.tangent.iter().map(|t| if t.is_some() { 4 } else { 2 });
        modes.fold(1, |all: usize, one| all.saturating_mul(one))
    }
}

impl RoughClosing<'_> {
    /// Coefficients from 0 to 1; velocities and W of a size whose products keep their digits.
    pub(in super::super) fn check(&self, space: &ContactSpace) -> Result<(), ImpactInputError> {
        let k = self.normals.len();
        let lengths = [self.tangents.len(), self.v.len(), self.friction.len()];
        assert!(
            lengths.iter().all(|n| *n == k) && self.restitution.len() == k,
            "one entry per contact"
        );
        for contact in 0..k {
            let (v, restitution) = (self.v[contact], self.restitution[contact]);
            if !(0.0..=1.0).contains(&restitution) {
                return Err(ImpactInputError::Restitution {
                    contact,
                    restitution,
                });
            }
            for (which, value) in [("v_n", v.n), ("v_t", v.t)] {
                if !is_in_range(value) {
                    let source = PointImpactError::BadVelocity { which, value };
                    return Err(ImpactInputError::Impact { contact, source });
                }
            }
            for row in [Some(self.normals[contact]), self.tangents[contact]] {
                let w = row.map_or(0.0, |r| space.w(r, r));
                PlanarDelassus::new(w, 0.0, 0.0)
                    .map_err(|source| ImpactInputError::Delassus { contact, source })?;
            }
        }
        Ok(())
    }
}
