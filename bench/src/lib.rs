//! Random planar impacts for the benches: the regimes in the proportions of a wide sweep.

pub mod naive;
mod several;

pub use several::Several;

use carom_contact::contact_space::{Friction, PlanarDelassus, PlanarVector};
use carom_contact::impact::planar::{Batch, PlanarImpact};

/// Parallel columns of random impacts.
#[derive(Debug, Default)]
pub struct Columns {
    columns: [Vec<f64>; 8],
}

impl Columns {
    /// `n` impacts: W from a random mechanism, μ from 0 to 1.5, restitution from 0 to 1.
    pub fn random(n: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut columns = Self::default();
        for _ in 0..n {
            let nn = 0.2 + 3.0 * rng.f64();
            let tt = 0.2 + 3.0 * rng.f64();
            let nt = (2.0 * rng.f64() - 1.0) * 0.98 * (nn * tt).sqrt();
            let mu_d = 1.5 * rng.f64();
            let row = [
                nn,
                nt,
                tt,
                -0.05 - rng.f64(),
                2.0 * rng.f64() - 1.0,
                mu_d * (1.0 + 0.2 * rng.f64()),
                mu_d,
                rng.f64(),
            ];
            for (column, value) in columns.columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        columns
    }

    /// As a batch.
    pub fn batch(&self) -> Batch<'_> {
        let [w_nn, w_nt, w_tt, v_n, v_t, mu_s, mu_d, restitution] = &self.columns;
        Batch {
            w_nn,
            w_nt,
            w_tt,
            v_n,
            v_t,
            mu_s,
            mu_d,
            restitution,
        }
    }

    /// As single impacts.
    pub fn impacts(&self) -> Vec<PlanarImpact> {
        let c = &self.columns;
        (0..c[0].len())
            .filter_map(|i| {
                let w = PlanarDelassus::new(c[0][i], c[1][i], c[2][i]).ok()?;
                let v = PlanarVector {
                    n: c[3][i],
                    t: c[4][i],
                };
                let friction = Friction::new(c[5][i], c[6][i]).ok()?;
                PlanarImpact::new(w, v, friction, c[7][i]).ok()
            })
            .collect()
    }
}
