//! Contacts that close together, brought to contact space.

use carom_contact::contact_space::{
    ContactSpace, Friction, Mechanism, PlanarVector, SpatialVector,
};
use carom_contact::impact::simultaneous::rough::RoughClosing;
use carom_contact::impact::simultaneous::{Closing, SpatialClosing};

/// Several contacts of one mechanism.
#[derive(Debug, Default)]
pub struct Several {
    /// The rows: normals, then tangents.
    pub space: ContactSpace,
    normals: Vec<usize>,
    tangents: Vec<Option<usize>>,
    sides: Vec<[Option<usize>; 2]>,
    v: Vec<PlanarVector>,
    v_in_space: Vec<SpatialVector>,
    v_n: Vec<f64>,
    friction: Vec<Friction>,
    restitution: Vec<f64>,
}

impl Several {
    /// A plate in space that lands on `k` legs at random places.
    pub fn legs(k: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let rows = (0..k).flat_map(|_| {
            let (x, y) = (2.0 * rng.f64() - 1.0, 2.0 * rng.f64() - 1.0);
            [0.0, 0.0, 1.0, y, -x, 0.0]
        });
        let rows: Vec<f64> = rows.collect();
        let velocity = [0.2, 0.1, -1.0, 0.1, -0.05, 0.3];
        Self::of(&[2.0, 2.0, 2.0, 0.3, 0.4, 0.6], &velocity, &rows, k)
    }

    /// A row of `k + 1` equal balls, the first one moving.
    pub fn balls(k: usize) -> Self {
        let n = k + 1;
        let mut rows = vec![0.0; k * n];
        for i in 0..k {
            (rows[i * n + i], rows[i * n + i + 1]) = (-1.0, 1.0);
        }
        let mut velocity = vec![0.0; n];
        velocity[0] = 1.0;
        Self::of(&vec![1.0; n], &velocity, &rows, k)
    }

    /// A plate in the plane with `k` rough points at random places, normals mostly upward.
    pub fn rough_legs(k: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut normals, mut tangents) = (Vec::new(), Vec::new());
        for _ in 0..k {
            let (x, y) = (2.0 * rng.f64() - 1.0, -0.5 - 0.2 * rng.f64());
            let tilt = 0.6 * (rng.f64() - 0.5);
            let (s, c) = (tilt.sin(), tilt.cos());
            normals.extend([-s, c, x * c + y * s]);
            tangents.extend([c, s, x * s - y * c]);
        }
        let rows = [normals, tangents].concat();
        Self::of(&[1.0, 1.0, 0.2], &[0.5, -1.0, 0.1], &rows, k)
    }

    /// Diagonal mass, `k` normal rows and perhaps as many tangent rows.
    fn of(mass: &[f64], velocity: &[f64], rows: &[f64], k: usize) -> Self {
        let n = velocity.len();
        let mut matrix = vec![0.0; n * n];
        (0..n).for_each(|i| matrix[i * n + i] = mass[i]);
        let mut several = Self::default();
        let mechanism = Mechanism {
            mass: &matrix,
            velocity,
            rows,
            constraints: &[],
        };
        // Written here, with a positive mass: it is not refused.
        let _ = several.space.reduce(&mechanism);
        let has_tangents = several.space.rows() > k;
        several.normals = (0..k).collect();
        several.tangents = (k..2 * k).map(|t| has_tangents.then_some(t)).collect();
        several.v_n = (0..k).map(|i| several.space.v(i)).collect();
        let slip = |i: usize| several.tangents[i].map_or(0.0, |t| several.space.v(t));
        let v = (0..k).map(|i| PlanarVector {
            n: several.v_n[i],
            t: slip(i),
        });
        several.v = v.collect();
        several.sides = several.tangents.iter().map(|t| [*t, None]).collect();
        several.v_in_space = several.v.iter().map(|v| (*v).into()).collect();
        several.friction = vec![Friction::uniform(0.4).unwrap_or(Friction::NONE); k];
        several.restitution = vec![0.5; k];
        several
    }

    /// Without friction.
    pub fn closing(&self) -> Closing<'_> {
        Closing {
            rows: &self.normals,
            v_n: &self.v_n,
            restitution: &self.restitution,
        }
    }

    /// With friction where there are tangents.
    pub fn rough(&self) -> RoughClosing<'_> {
        RoughClosing {
            normals: &self.normals,
            tangents: &self.tangents,
            v: &self.v,
            friction: &self.friction,
            restitution: &self.restitution,
        }
    }

    /// The same, to be solved one contact after another.
    pub fn in_turn(&self) -> SpatialClosing<'_> {
        SpatialClosing {
            normals: &self.normals,
            tangents: &self.sides,
            v: &self.v_in_space,
            friction: &self.friction,
            restitution: &self.restitution,
            tangential_restitution: &[],
        }
    }
}
