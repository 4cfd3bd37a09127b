//! Two bodies jointed to the world that meet at several points, in screws.
//!
//! Motions are (ω; v_C), wrenches (force; moment about the mass centre C), both in world axes; η swaps
//! the halves, so that `wᵀ η v` is a power. For body i
//!
//! ```text
//! U_i  6 × n   contact normals           Q_i  6 × d   motions that its joint permits
//! M_i  6 × 6   inertia, [[0, mE], [J, 0]] S_i  6 × 6−d wrenches that its joint exerts
//!
//! M_red,i = Q_iᵀ η M_i Q_i        G_i = U_iᵀ η Q_i M_red,i⁻¹ Q_iᵀ η U_i        W = G_1 + G_2
//! δ = U_1ᵀ η v_1 − U_2ᵀ η v_2
//! ξ_i = ± (S_iᵀ η M_i⁻¹ S_i)⁻¹ S_iᵀ η M_i⁻¹ U_i P        + for body 1, − for body 2
//! ```
//!
//! Body 1 receives −P and body 2 +P: body 2 is A and body 1 is B of a contact, whose normal points
//! from B to A. δ is positive where they approach.

use carom_numeric::{NotPositiveDefinite, dot};
use serde::{Deserialize, Serialize};

mod body;

use crate::dynamics::Placed;
use crate::model::BodyId;
use crate::space::Space;
use crate::vector::Vector;

/// A motion or a wrench: six numbers.
pub type Screw = [f64; 6];

/// A contact between two bodies, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScrewContact {
    /// Where (m).
    pub point: Vector<3>,
    /// Normal from body 1 to body 2, of any length: directions may be given as they are printed.
    pub normal: Vector<3>,
}

/// Why two bodies have no screws of this sort.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScrewFault {
    /// A body hangs on another one, others hang on it, or a loop leads through it.
    NotAlone {
        /// Its name.
        body: String,
    },
    /// Both bodies are one.
    SameBody {
        /// Its name.
        body: String,
    },
    /// The motion of a body is prescribed: no impulse changes it.
    Prescribed {
        /// Its name.
        body: String,
    },
    /// A body has no inertia in a direction in which its joint lets it move or holds it.
    NoInertia {
        /// Its name.
        body: String,
        /// The pivot that vanished.
        source: NotPositiveDefinite,
    },
}

impl std::fmt::Display for ScrewFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAlone { body } => write!(
                f,
                "body {body} is joined to other bodies, expected one joint, to the world"
            ),
            Self::Prescribed { body } => write!(
                f,
                "the motion of body {body} is prescribed, expected a joint that an impulse can move"
            ),
            Self::SameBody { body } => {
                write!(f, "both bodies are {body}, expected two bodies")
            }
            Self::NoInertia { body, source } => write!(f, "body {body}: {source}"),
        }
    }
}

impl std::error::Error for ScrewFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoInertia { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// The screws of one body. Matrices are lists of columns; M, M_red and G are symmetric or stated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyScrews {
    /// Its name, or `world`.
    pub name: String,
    /// U: columns, one per contact.
    #[serde(rename = "U")]
    pub u: Vec<Screw>,
    /// Q: columns, one per rate of the joint.
    #[serde(rename = "Q")]
    pub q: Vec<Screw>,
    /// S: columns, one per constraint of the joint.
    #[serde(rename = "S")]
    pub s: Vec<Screw>,
    /// M: rows. The world has the unit masses here; nothing depends on them, for it does not move.
    #[serde(rename = "M")]
    pub inertia: [Screw; 6],
    /// M_red = Qᵀ η M Q: rows.
    #[serde(rename = "M_red")]
    pub reduced: Vec<Vec<f64>>,
    /// G = Uᵀ η Q M_red⁻¹ Qᵀ η U: rows.
    #[serde(rename = "G")]
    pub g: Vec<Vec<f64>>,
    /// Motion before the collision (ω; v_C).
    pub velocity: Screw,
    /// Velocity of the body per impulse of each contact, Q M_red⁻¹ Qᵀ η U: columns.
    pub response: Vec<Screw>,
    /// Joint impulses per impulse of each contact, (Sᵀ η M⁻¹ S)⁻¹ Sᵀ η M⁻¹ U: columns.
    pub answer: Vec<Vec<f64>>,
}

/// The screws of a collision of two bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Screws {
    /// η: rows.
    pub eta: [Screw; 6],
    /// Body 1, then body 2.
    pub bodies: [BodyScrews; 2],
    /// δ: closing speeds (m/s).
    pub delta: Vec<f64>,
    /// W = G_1 + G_2: rows.
    #[serde(rename = "W")]
    pub w: Vec<Vec<f64>>,
}

/// A collision of two bodies in screws, and what its impulses make of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScrewResult {
    /// U, Q, S, M, M_red, G of both bodies, η, δ and W.
    #[serde(flatten)]
    pub screws: Screws,
    /// ξ_1 and ξ_2: impulses of the joints along the columns of S.
    pub xi: [Vec<f64>; 2],
    /// v_1 and v_2 after, (ω; v_C).
    pub velocities_after: [Screw; 2],
}

/// The halves swapped: `η w`.
pub fn eta([a, b, c, d, e, f]: Screw) -> Screw {
    [d, e, f, a, b, c]
}

/// η: rows.
fn swap() -> [Screw; 6] {
    let element = |i: usize, j: usize| f64::from(u8::from((i + 3) % 6 == j));
    std::array::from_fn(|i| std::array::from_fn(|j| element(i, j)))
}

/// `wᵀ η v`: the power of a wrench in a motion.
pub fn power(wrench: &Screw, motion: &Screw) -> f64 {
    dot(wrench, &eta(*motion))
}

fn screw(first: Vector<3>, second: Vector<3>) -> Screw {
    let ([a, b, c], [d, e, f]) = (first.0, second.0);
    [a, b, c, d, e, f]
}

fn add(sum: &mut Screw, screw: &Screw, factor: f64) {
    for (a, b) in sum.iter_mut().zip(screw) {
        *a += factor * b;
    }
}

/// Sum of columns, each times its number.
fn combine(columns: &[Screw], numbers: &[f64]) -> Screw {
    let mut sum = [0.0; 6];
    for (column, number) in columns.iter().zip(numbers) {
        add(&mut sum, column, *number);
    }
    sum
}

impl BodyScrews {
    /// `U z` of contact impulses: the joint impulses are unique where it vanishes for every z of the
    /// null space of W.
    pub fn pushed(&self, impulses: &[f64]) -> Screw {
        combine(&self.u, impulses)
    }
}

impl Screws {
    /// What the impulses P of the contacts make of the bodies and their joints.
    pub fn struck(&self, impulses: &[f64]) -> ScrewResult {
        ScrewResult {
            xi: self.joint_impulses(impulses),
            velocities_after: self.velocities(impulses),
            screws: self.clone(),
        }
    }

    /// v_1 and v_2 after the impulses P of the contacts.
    pub fn velocities(&self, impulses: &[f64]) -> [Screw; 2] {
        let after = |body: &BodyScrews, sense: f64| {
            let mut sum = body.velocity;
            add(&mut sum, &combine(&body.response, impulses), sense);
            sum
        };
        let [one, two] = &self.bodies;
        [after(one, -1.0), after(two, 1.0)]
    }

    /// ξ_1 and ξ_2: impulses of the joints along the columns of S.
    pub fn joint_impulses(&self, impulses: &[f64]) -> [Vec<f64>; 2] {
        let sum = |body: &BodyScrews, sense: f64| {
            let mut sum = vec![0.0; body.s.len()];
            for (column, p) in body.answer.iter().zip(impulses) {
                for (a, b) in sum.iter_mut().zip(column) {
                    *a += sense * p * b;
                }
            }
            sum
        };
        let [one, two] = &self.bodies;
        [sum(one, 1.0), sum(two, -1.0)]
    }

    /// S_1 ξ_1 and S_2 ξ_2: what the joints do to the bodies, about their mass centres.
    pub fn joint_wrenches(&self, impulses: &[f64]) -> [Screw; 2] {
        let [one, two] = self.joint_impulses(impulses);
        let [first, second] = &self.bodies;
        [combine(&first.s, &one), combine(&second.s, &two)]
    }
}

impl Placed<'_, Space> {
    /// The screws of two bodies that are jointed to the world and to nothing else, `[1, 2]`, or of one
    /// of them and the world itself.
    pub fn screws(
        &self,
        bodies: [BodyId; 2],
        contacts: &[ScrewContact],
    ) -> Result<Screws, ScrewFault> {
        if bodies[0] == bodies[1] {
            let body = self.body_name(bodies[0]);
            return Err(ScrewFault::SameBody { body });
        }
        let [first, second] = bodies.map(|body| self.body_screws(body, contacts));
        let bodies = [first?, second?];
        let [one, two] = &bodies;
        let n = contacts.len();
        let closing = |k: usize| power(&one.u[k], &one.velocity) - power(&two.u[k], &two.velocity);
        let element = |i: usize, j: usize| one.g[i][j] + two.g[i][j];
        Ok(Screws {
            eta: swap(),
            delta: (0..n).map(closing).collect(),
            w: (0..n)
                .map(|i| (0..n).map(|j| element(i, j)).collect())
                .collect(),
            bodies,
        })
    }

    fn body_name(&self, body: BodyId) -> String {
        let mut records = self.model.bodies().iter();
        let record = records.find(|record| record.id == body);
        record.map_or(crate::WORLD.to_owned(), |record| record.name.clone())
    }
}
