//! Contacts with friction in space: problems of the case book, random ones, second routes.

use carom_contact::cone::{ConeContact, ConeProblem};
use fastrand::Rng;
use serde_json::Value;

use crate::cases::{numbers, text};
use crate::random::{between, either_sign, list};

/// A cone problem that owns its numbers.
#[derive(Debug, Clone)]
pub struct Posed {
    pub name: String,
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub contacts: Vec<ConeContact>,
}

/// The reference answers of the problems of `cases/fclib`, by name.
pub fn fclib_reference() -> Value {
    serde_json::from_str(&text("fclib/expected.json")).unwrap()
}

/// Every problem of `cases/fclib`.
pub fn fclib() -> Vec<Posed> {
    let reference = fclib_reference();
    let names = reference.as_object().unwrap().keys();
    names.map(|name| Posed::read(name)).collect()
}

impl Posed {
    /// A problem of `cases/fclib`, from the upper blocks of W.
    pub fn read(name: &str) -> Self {
        let value: Value = serde_json::from_str(&text(&format!("fclib/{name}.json"))).unwrap();
        let q = numbers(&value["q"]);
        let n = q.len();
        let mut w = vec![0.0; n * n];
        for block in value["W_upper_blocks"].as_array().unwrap() {
            let block = numbers(block);
            let (i, j) = (3 * block[0] as usize, 3 * block[1] as usize);
            for (at, x) in block[2..].iter().enumerate() {
                let (a, b) = (i + at / 3, j + at % 3);
                (w[a * n + b], w[b * n + a]) = (*x, *x);
            }
        }
        Self {
            name: name.to_owned(),
            w,
            q,
            contacts: contacts(&numbers(&value["mu"])),
        }
    }

    /// `W = X Xᵀ` of the rows X (each of length `n`), `q = X s`.
    pub fn of_rows(name: &str, x: &[f64], n: usize, s: &[f64], mu: &[f64]) -> Self {
        let rows: Vec<&[f64]> = x.chunks_exact(n).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        Self {
            name: name.to_owned(),
            w: rows
                .iter()
                .flat_map(|a| rows.iter().map(|b| dot(a, b)))
                .collect(),
            q: rows.iter().map(|a| dot(a, s)).collect(),
            contacts: contacts(mu),
        }
    }

    /// A random mechanism of `n` coordinates with `k` contacts and friction up to `mu`, moving at random; rows
    /// depend on each other where `3 k > n`. One motion opens every contact faster than μ times its slip,
    /// so that an answer exists.
    pub fn random(rng: &mut Rng, n: usize, k: usize, mu: f64) -> Self {
        let mu: Vec<f64> = (0..k).map(|_| mu * rng.f64()).collect();
        let (s, out) = (list(rng, n, 1.0), list(rng, n, 1.0));
        let dot = |a: &[f64]| a.iter().zip(&out).map(|(a, b)| a * b).sum::<f64>();
        let mut x = Vec::new();
        for mu in &mu {
            let rows = loop {
                let rows = list(rng, 3 * n, 1.0);
                let [normal, a, b] = [0, 1, 2].map(|i| dot(&rows[i * n..(i + 1) * n]));
                if 3 * k <= n || normal > 1.05 * mu * a.hypot(b) {
                    break rows;
                }
            };
            x.extend(rows);
        }
        let name = format!("random n = {n}, k = {k}");
        Self::of_rows(&name, &x, n, &s, &mu)
    }

    /// A box on four corners, a unit of mass, turned a little about the vertical, moving at random
    /// and downwards.
    pub fn on_four_corners(rng: &mut Rng, mu: f64) -> Self {
        let (a, b, c) = (
            between(rng, 0.2, 1.0),
            between(rng, 0.2, 1.0),
            between(rng, 0.2, 1.0),
        );
        let inertia = [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| (x / 3.0).sqrt());
        let mut x = Vec::new();
        for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let r = [a * sx, b * sy, -c];
            // Velocity of the corner, v + ω × r; rows over the roots of the inertia.
            let z = [0.0, 0.0, 1.0, r[1], -r[0], 0.0];
            let e1 = [1.0, 0.0, 0.0, 0.0, r[2], -r[1]];
            let e2 = [0.0, 1.0, 0.0, -r[2], 0.0, r[0]];
            for row in [z, e1, e2] {
                let turned = (0..6).map(|i| {
                    if i < 3 {
                        row[i]
                    } else {
                        row[i] / inertia[i - 3]
                    }
                });
                x.extend(turned);
            }
        }
        let mut s: Vec<f64> = (0..6).map(|_| either_sign(rng, 1.0)).collect();
        s[2] = -between(rng, 0.5, 2.0);
        (3..6).for_each(|i| s[i] *= 0.3);
        Self::of_rows("box on four corners", &x, 6, &s, &[mu; 4])
    }

    /// The problem to solve.
    pub fn problem(&self) -> ConeProblem<'_> {
        ConeProblem {
            w: &self.w,
            q: &self.q,
            contacts: &self.contacts,
        }
    }

    /// The same in other units: W times `w`, q times `q`.
    pub fn in_units(&self, w: f64, q: f64) -> Self {
        Self {
            name: self.name.clone(),
            w: self.w.iter().map(|x| x * w).collect(),
            q: self.q.iter().map(|x| x * q).collect(),
            contacts: self.contacts.clone(),
        }
    }

    /// The contacts in another order.
    pub fn listed(&self, order: &[usize]) -> Self {
        let n = self.q.len();
        let rows: Vec<usize> = order.iter().flat_map(|i| 3 * i..3 * i + 3).collect();
        Self {
            name: self.name.clone(),
            w: rows
                .iter()
                .flat_map(|i| rows.iter().map(move |j| self.w[i * n + j]))
                .collect(),
            q: rows.iter().map(|i| self.q[*i]).collect(),
            contacts: order.iter().map(|i| self.contacts[*i]).collect(),
        }
    }
}

fn contacts(mu: &[f64]) -> Vec<ConeContact> {
    mu.iter().map(|mu| ConeContact::new(*mu)).collect()
}
