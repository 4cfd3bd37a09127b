//! Glocker's woodpecker toy in his coordinates: height y of the sleeve, angles of sleeve and bird.
//!
//! Angles are taken as small: the mass matrix is constant and gaps are linear in the angles. The numbers
//! are those of benchmark P36.

use carom::Law;
use carom::contact_space::{Friction, FrictionError};
use carom::multibody::mechanism::{ContactDrift, Contacts, Drawing, Dynamics, Gap, Guards, Rows};
use carom::multibody::{Energy, State};
use carom::sim::{Options, Rule, Setup};

const GRAVITY: f64 = 9.81;
/// Half the thickness of the pole, and half the opening and half the length of the sleeve (m).
const POLE: f64 = 0.0025;
const OPENING: f64 = 0.0031;
const SLEEVE: f64 = 0.0058;
/// From the sleeve to the spring, from the spring to the bird; the beak above and beside the bird (m).
const ARM: f64 = 0.010;
const BIRD: f64 = 0.015;
const BEAK_UP: f64 = 0.02;
const BEAK_BACK: f64 = 0.0201;
/// Masses (kg), inertias (kg·m²) and the spring (N·m/rad).
const SLEEVE_MASS: f64 = 0.0003;
const BIRD_MASS: f64 = 0.0045;
const SLEEVE_INERTIA: f64 = 5e-9;
const BIRD_INERTIA: f64 = 7e-7;
const STIFFNESS: f64 = 0.0056;

/// The toy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Woodpecker;

/// Places of the contacts: the beak, the lower and the upper edge of the sleeve.
pub(crate) const BEAK: usize = 0;

/// Gap at zero angles, its row, and the row of the slip, of every contact.
const CONTACTS: [(f64, [f64; 3], [f64; 3]); 3] = [
    (
        ARM + BIRD - BEAK_BACK - POLE,
        [0.0, 0.0, -BEAK_UP],
        [1.0, ARM, BIRD - BEAK_BACK],
    ),
    (OPENING - POLE, [0.0, SLEEVE, 0.0], [1.0, OPENING, 0.0]),
    (OPENING - POLE, [0.0, -SLEEVE, 0.0], [1.0, OPENING, 0.0]),
];

fn along(row: &[f64; 3], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(a, b)| a * b).sum()
}

impl Dynamics for Woodpecker {
    fn rates(&self) -> usize {
        3
    }

    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        let bird = [1.0, ARM, BIRD]; // velocity of the bird's mass centre per rate
        let own = [SLEEVE_MASS, SLEEVE_INERTIA, BIRD_INERTIA];
        for (k, m) in out.iter_mut().enumerate() {
            let (i, j) = (k / 3, k % 3);
            let own = if i == j { own[i] } else { 0.0 };
            *m = own + BIRD_MASS * bird[i] * bird[j];
        }
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        let torque = STIFFNESS * (state.q[1] - state.q[2]);
        let weight = BIRD_MASS * GRAVITY;
        out.copy_from_slice(&[
            weight + SLEEVE_MASS * GRAVITY,
            torque + weight * ARM,
            weight * BIRD - torque,
        ]);
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let mut mass = [0.0; 9];
        self.mass(state, &mut mass);
        let rows = mass.chunks_exact(3).zip(state.v);
        let doubled: f64 = rows
            .map(|(row, v)| v * row.iter().zip(state.v).map(|(m, w)| m * w).sum::<f64>())
            .sum();
        let bird = along(&[1.0, ARM, BIRD], state.q);
        Some(Energy {
            kinetic: 0.5 * doubled,
            gravity: GRAVITY * (SLEEVE_MASS * state.q[0] + BIRD_MASS * bird),
            springs: 0.5 * STIFFNESS * (state.q[1] - state.q[2]).powi(2),
        })
    }
}

impl Contacts for Woodpecker {
    fn contacts(&self) -> usize {
        CONTACTS.len()
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        for (gap, (start, normal, _)) in out.iter_mut().zip(&CONTACTS) {
            *gap = Gap {
                gap: start + along(normal, state.q),
                v_n: along(normal, state.v),
            };
        }
    }

    fn contact_rows(&mut self, _: State<'_>, contact: usize, rows: Rows<'_>) -> ContactDrift {
        let (_, normal, tangent) = &CONTACTS[contact];
        rows.normal.copy_from_slice(normal);
        rows.tangent.copy_from_slice(tangent);
        ContactDrift::default()
    }
}

impl Guards for Woodpecker {}

impl Drawing for Woodpecker {}

/// The toy let go, restitution 0.5 at the beak and none at the sleeve, by Moreau's law.
pub(crate) fn released(duration: f64) -> Result<Setup<Woodpecker>, FrictionError> {
    let friction = Friction::uniform(0.3)?;
    let rule = |name: &str, restitution: f64| Rule {
        name: name.to_owned(),
        law: Law::Moreau,
        restitution,
        tangential_restitution: None,
        friction,
        spin_radius: 0.0,
    };
    Ok(Setup {
        mechanism: Woodpecker,
        rules: vec![rule("beak", 0.5), rule("lower", 0.0), rule("upper", 0.0)],
        q: vec![0.0, -0.1034, -0.2788],
        v: vec![-0.3411, 0.0, -7.4583],
        options: Options {
            duration,
            ..Options::default()
        },
    })
}
