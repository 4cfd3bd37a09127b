//! A contact of constant inverse inertia under constant forces.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::State;
use carom_multibody::mechanism::{ContactDrift, Contacts, Drawing, Dynamics, Gap, Guards, Rows};
use carom_sim::{Options, Rule, Setup};

/// Coordinates are the gap and the way along it; alone they accelerate by −1 and `pull`.
#[derive(Debug, Clone, Copy)]
pub struct Wedge {
    /// W_nn, W_tt, W_nt (1/kg).
    pub w: [f64; 3],
    /// Acceleration along the tangent (m/s²).
    pub pull: f64,
    pub mu: f64,
}

impl Wedge {
    /// Dropped from rest at a height.
    pub fn setup(self, law: Law, restitution: f64, height: f64, duration: f64) -> Setup<Self> {
        Setup {
            rules: vec![Rule {
                name: "floor".to_owned(),
                law,
                friction: Friction::uniform(self.mu).unwrap(),
                restitution,
                spin_radius: 0.0,
                tangential_restitution: None,
            }],
            mechanism: self,
            q: vec![height, 0.0],
            v: vec![0.0; 2],
            options: Options {
                duration,
                ..Options::default()
            },
        }
    }

    fn mass_matrix(&self) -> [f64; 4] {
        let [a, b, c] = self.w;
        let det = a * b - c * c;
        [b / det, -c / det, -c / det, a / det]
    }
}

impl Dynamics for Wedge {
    fn rates(&self) -> usize {
        2
    }

    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&self.mass_matrix());
    }

    fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
        let m = self.mass_matrix();
        out[0] = m[0] - m[1] * self.pull;
        out[1] = m[2] - m[3] * self.pull;
    }
}

impl Contacts for Wedge {
    fn contacts(&self) -> usize {
        1
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        out[0] = Gap {
            gap: state.q[0],
            v_n: state.v[0],
        };
    }

    fn contact_rows(&mut self, _: State<'_>, _: usize, rows: Rows<'_>) -> ContactDrift {
        rows.normal[0] = 1.0;
        rows.tangent[1] = 1.0;
        ContactDrift::default()
    }
}

impl Guards for Wedge {}

impl Drawing for Wedge {}
