//! Two bodies in the symbols of the paper: U, Q, S, M, M_red, G, δ, P, ξ.

use carom::{Constraint, Contact, ImpactProblem, ImpactResult, InputError, Law, Method, solve};

use super::book::refused;
use super::screws::{
    Inertia, Matrix, Screw, combined, dot, eta, inverse, pairing, pairings, product, sum, times,
    transposed,
};

/// One body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub(super) inertia: Inertia,
    pub(super) u: Vec<Screw>,
    pub(super) q: Vec<Screw>,
    pub(super) s: Vec<Screw>,
    /// Rates of the permitted motions.
    pub(super) rates: Vec<f64>,
    /// M_red, equation (12).
    pub(super) reduced: Matrix,
}

impl Side {
    pub(super) fn new(
        inertia: Inertia,
        u: Vec<Screw>,
        q: Vec<Screw>,
        s: Vec<Screw>,
        rates: Vec<f64>,
    ) -> Self {
        let moved: Vec<Screw> = q.iter().map(|q| inertia.momentum(q)).collect();
        let reduced = pairings(&q, &moved);
        Self {
            inertia,
            u,
            q,
            s,
            rates,
            reduced,
        }
    }

    /// The twist before, `Q` times the rates.
    pub(super) fn before(&self) -> Screw {
        combined(&self.q, &self.rates)
    }

    /// `Q M_red⁻¹ Qᵀ η U`: one twist for each contact.
    pub(super) fn pushed(&self) -> Vec<Screw> {
        let rates = product(&inverse(&self.reduced).1, &pairings(&self.q, &self.u));
        let twist = |rates: &Vec<f64>| combined(&self.q, rates);
        transposed(&rates).iter().map(twist).collect()
    }

    /// `G = Uᵀ η Q M_red⁻¹ Qᵀ η U`, equation (6).
    pub(super) fn g(&self) -> Matrix {
        pairings(&self.u, &self.pushed())
    }

    /// `Uᵀ η v`: normal velocities of a twist.
    pub(super) fn normal_velocities(&self, v: &Screw) -> Vec<f64> {
        self.u.iter().map(|u| pairing(u, v)).collect()
    }

    /// `(Sᵀ η M⁻¹ S)⁻¹`
    pub(super) fn joint_mass(&self) -> Matrix {
        let freed: Vec<Screw> = self.s.iter().map(|s| self.inertia.twist(s)).collect();
        inverse(&pairings(&self.s, &freed)).1
    }

    /// `Sᵀ η M⁻¹ U P`
    pub(super) fn asked_of_joint(&self, p: &[f64]) -> Vec<f64> {
        let twist = self.inertia.twist(&combined(&self.u, p));
        self.s.iter().map(|s| pairing(s, &twist)).collect()
    }
}

/// The two bodies; body 1 receives −P, body 2 +P.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) sides: [Side; 2],
    pub(super) k: Vec<f64>,
}

/// Sense of the contact impulses on body i.
pub(super) const SENSE: [f64; 2] = [-1.0, 1.0];

impl Pair {
    /// `G_1 + G_2`
    pub(super) fn w(&self) -> Matrix {
        sum(&self.sides[0].g(), &self.sides[1].g())
    }

    /// Closing speeds of two twists, equation (14).
    pub(super) fn closing(&self, v: &[Screw; 2]) -> Vec<f64> {
        let own = |i: usize| self.sides[i].normal_velocities(&v[i]);
        own(0).iter().zip(own(1)).map(|(x, y)| x - y).collect()
    }

    /// Twists before.
    pub(super) fn before(&self) -> [Screw; 2] {
        [self.sides[0].before(), self.sides[1].before()]
    }

    /// δ, equation (35).
    pub(super) fn delta(&self) -> Vec<f64> {
        self.closing(&self.before())
    }

    /// `(I + K) δ`
    pub(super) fn asked(&self) -> Vec<f64> {
        let k = self.k.iter().zip(self.delta());
        k.map(|(k, delta)| (1.0 + k) * delta).collect()
    }

    /// P of equation (11), where the inverse exists.
    pub(super) fn impulses(&self) -> Vec<f64> {
        times(&inverse(&self.w()).1, &self.asked())
    }

    /// Twists after, equations (15) and (16).
    pub(super) fn after(&self, p: &[f64]) -> [Screw; 2] {
        let before = self.before();
        std::array::from_fn(|i| {
            let gained = combined(&self.sides[i].pushed(), p);
            std::array::from_fn(|k| before[i][k] + SENSE[i] * gained[k])
        })
    }

    /// ξ_i, equations (17) and (18).
    pub(super) fn xi(&self, i: usize, p: &[f64]) -> Vec<f64> {
        let side = &self.sides[i];
        let xi = times(&side.joint_mass(), &side.asked_of_joint(p));
        xi.iter().map(|x| -SENSE[i] * x).collect()
    }

    /// How far `M_i Δv_i = ∓U_i P + S_i ξ_i` is missed, over its largest term; U from the geometry.
    pub(super) fn balance(&self, i: usize, geometry: &[Screw], p: &[f64]) -> f64 {
        self.balance_of(i, geometry, p, &self.after(p)[i])
    }

    /// The same for a twist after that is given.
    pub(super) fn balance_of(&self, i: usize, geometry: &[Screw], p: &[f64], v: &Screw) -> f64 {
        let side = &self.sides[i];
        let before = side.before();
        let gained: Screw = std::array::from_fn(|k| v[k] - before[k]);
        let gained = side.inertia.momentum(&gained);
        let push = combined(geometry, p);
        let joint = combined(&side.s, &self.xi(i, p));
        let size = |w: &Screw| w.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let largest = size(&gained).max(size(&push)).max(size(&joint));
        let missed: Screw = std::array::from_fn(|k| gained[k] - SENSE[i] * push[k] - joint[k]);
        size(&missed) / largest
    }

    /// Kinetic energy of two twists, `½ vᵀ η M v`.
    pub(super) fn energy(&self, v: &[Screw; 2]) -> f64 {
        let own = |i: usize| 0.5 * pairing(&v[i], &self.sides[i].inertia.momentum(&v[i]));
        own(0) + own(1)
    }

    /// The problem in the rates of the permitted motions: rank, least-norm impulses.
    pub(super) fn in_rates(&self) -> ImpactProblem {
        let [n, m] = [0, 1].map(|i| self.sides[i].q.len());
        let mut mass = vec![vec![0.0; n + m]; n + m];
        for (i, start) in [(0, 0), (1, n)] {
            for (r, row) in self.sides[i].reduced.iter().enumerate() {
                mass[start + r][start..start + row.len()].copy_from_slice(row);
            }
        }
        let row = |c: usize| {
            let own = |i: usize| {
                let side = &self.sides[i];
                side.q
                    .iter()
                    .map(move |q| SENSE[i] * pairing(&side.u[c], q))
            };
            own(0).chain(own(1)).collect()
        };
        let rates = self.sides.iter().flat_map(|side| side.rates.clone());
        self.problem(mass, rates.collect(), row, Vec::new())
    }

    /// The problem in the twelve coordinates of two free bodies, joints as constraints: the second route.
    pub(super) fn in_twists(&self) -> ImpactProblem {
        let diagonal = self.sides.iter().flat_map(|side| {
            let Inertia { mass, moments } = side.inertia;
            moments.into_iter().chain([mass; 3])
        });
        let diagonal: Vec<f64> = diagonal.collect();
        let mut mass = vec![vec![0.0; 12]; 12];
        (0..12).for_each(|k| mass[k][k] = diagonal[k]);
        let wide = |i: usize, screw: &Screw, sense: f64| {
            let mut row = vec![0.0; 12];
            let own = &mut row[6 * i..6 * i + 6];
            own.copy_from_slice(&eta(screw).map(|x| sense * x));
            row
        };
        let row = |c: usize| {
            let [one, two] = [0, 1].map(|i| wide(i, &self.sides[i].u[c], SENSE[i]));
            one.iter().zip(&two).map(|(x, y)| x + y).collect()
        };
        let joint = |i: usize| Constraint {
            name: format!("O{}", i + 1),
            rows: self.sides[i].s.iter().map(|s| wide(i, s, 1.0)).collect(),
        };
        let velocity = self.before().concat();
        self.problem(mass, velocity, row, vec![joint(0), joint(1)])
    }

    fn problem(
        &self,
        mass: Matrix,
        velocity: Vec<f64>,
        row: impl Fn(usize) -> Vec<f64>,
        constraints: Vec<Constraint>,
    ) -> ImpactProblem {
        let contact = |(c, k): (usize, &f64)| Contact {
            name: format!("A{}", c + 1),
            normal: row(c),
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: *k,
            tangential_restitution: None,
        };
        ImpactProblem {
            mass,
            velocity,
            contacts: self.k.iter().enumerate().map(contact).collect(),
            constraints,
        }
    }

    /// By the library, in twelve coordinates.
    pub(super) fn solved(&self, law: Law, method: Method) -> Result<ImpactResult, InputError> {
        solve(&self.in_twists(), law, method).map_err(refused)
    }

    /// Impulses of the linear law by the library in the symbols as they stand, of least norm.
    pub(super) fn least(&self) -> Result<Vec<f64>, InputError> {
        let found = solve(&self.in_rates(), Law::Newton, Method::Linear).map_err(refused)?;
        Ok(impulses(&found))
    }
}

/// Normal impulses of a result; not a number where there is none.
pub(super) fn impulses(result: &ImpactResult) -> Vec<f64> {
    let contacts = result.contacts.iter();
    contacts
        .map(|c| c.impulse.normal.unwrap_or(f64::NAN))
        .collect()
}

/// Largest difference of two lists over the largest entry; not a number for lists of different lengths.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::NAN;
    }
    let largest = a.iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
    let size = |m: f64, d: f64| if d.is_nan() || d > m { d } else { m };
    let most = a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, size);
    match largest {
        0.0 => 0.0,
        _ => most / largest,
    }
}

/// Largest difference of two matrices over the largest entry.
pub(super) fn matrices_apart(a: &Matrix, b: &Matrix) -> f64 {
    apart(&a.concat(), &b.concat())
}

/// `½ Σ P δ` weighed: `ΔT = −½ Σ P (1 − k) δ` of the linear law.
pub(super) fn lost(pair: &Pair, p: &[f64]) -> f64 {
    let weighed: Vec<f64> = pair.k.iter().zip(p).map(|(k, p)| p * (1.0 - k)).collect();
    -0.5 * dot(&weighed, &pair.delta())
}
