//! One contact at rest, or in an impact of its own: every answer.

mod stick;

use carom_numeric::{CirclePolynomial, CircleRoots, dot};

/// One contact whose velocity, or acceleration, is `a = W λ + d`; rows (n, t1, t2).
///
/// W need not be symmetric: other contacts in linear modes may have been eliminated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneContact {
    /// W by rows.
    pub w: [[f64; 3]; 3],
    /// What is left without a force.
    pub d: [f64; 3],
    /// Coefficient that holds a contact which sticks.
    pub mu_s: f64,
    /// Coefficient of a contact that slips.
    pub mu_d: f64,
}

/// What one contact may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RestMode {
    /// `λ = 0`, `a_n >= 0`.
    Lift,
    /// `a = 0`, `|λ_t| <= μ_s λ_n`.
    Stick,
    /// `a_n = 0`, `λ_t = −μ_d λ_n a_t/|a_t|`, `λ_n > 0`.
    Onset,
}

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestAnswer {
    /// What the contact does.
    pub mode: RestMode,
    /// λ.
    pub force: [f64; 3],
    /// `W λ + d`, zero where the mode says so.
    pub acceleration: [f64; 3],
    /// Of an onset: whether slips in directions near its own turn towards it.
    pub is_attracting: Option<bool>,
    /// Whether no other force gives the same acceleration in the same mode.
    pub is_force_unique: bool,
}

/// Every answer of one contact.
#[derive(Debug, Clone, PartialEq)]
pub struct RestAnswers {
    /// In the order lift, onsets by their angle, stick.
    pub answers: Vec<RestAnswer>,
    /// No candidate met or missed its inequalities by round-off, and no direction was left out: the
    /// number of answers is the number of those listed.
    pub is_clear: bool,
}

/// An inequality that holds or fails by less than this part of its terms is not clear.
const UNCLEAR: f64 = 1e-9;

/// What is below this part of its terms is zero.
const ZERO: f64 = 32.0 * f64::EPSILON;

impl OneContact {
    /// All answers, exactly.
    ///
    /// Lift and stick are linear. An onset along the unit vector u has `λ_n = −d_n/k`,
    /// `k = W_nn − μ W_nt·u`, and an acceleration along u:
    ///
    /// ```text
    /// T(φ) = k (u_⊥·d_t) − d_n u_⊥·(W_tn − μ W_tt u) = 0,    u = (cos φ, sin φ)
    /// ```
    ///
    /// a trigonometric polynomial of the second degree: at most four directions, of which those with
    /// `λ_n > 0` and `u·a_t > 0` are answers.
    ///
    /// Derivation in the comments of this module.
    pub fn answers(&self) -> RestAnswers {
        let mut answers = Vec::new();
        let is_clear = self.visit(|answer| answers.push(answer));
        RestAnswers { answers, is_clear }
    }

    /// Shows every answer, without a list; whether their number is clear.
    pub(super) fn visit(&self, mut show: impl FnMut(RestAnswer)) -> bool {
        let [d_n, d_1, d_2] = self.d;
        let size = d_n.abs() + d_1.hypot(d_2);
        let mut is_clear = d_n.abs() > UNCLEAR * size || size == 0.0;
        let stick = self.stick(&mut is_clear);
        // Without any drift to speak of, rest is the answer that lifting tells too.
        if d_n >= -ZERO * size && !(size == 0.0 && stick.is_some()) {
            show(RestAnswer {
                mode: RestMode::Lift,
                force: [0.0; 3],
                acceleration: self.d,
                is_attracting: None,
                is_force_unique: true,
            });
        }
        is_clear &= self.onsets(&mut show);
        stick.into_iter().for_each(show);
        is_clear
    }

    /// Shows the onsets by their angle; whether their number is clear.
    pub(crate) fn onsets(&self, show: &mut impl FnMut(RestAnswer)) -> bool {
        let turn = self.turn();
        let roots = turn.roots();
        let mut is_clear = roots != CircleRoots::Everywhere;
        let mut angles = [f64::INFINITY; 4];
        for (to, angle) in angles.iter_mut().zip(roots.angles()) {
            *to = angle.rem_euclid(std::f64::consts::TAU);
        }
        angles.sort_unstable_by(f64::total_cmp);
        for angle in &angles[..roots.angles().len()] {
            let onset = self.onset(&turn, *angle, &mut is_clear);
            onset.into_iter().for_each(&mut *show);
        }
        is_clear
    }

    /// T(φ) by its coefficients.
    fn turn(&self) -> CirclePolynomial {
        let ([w_nn, a, b], [d_n, d_1, d_2], mu) = (self.w[0], self.d, self.mu_d);
        let (e_1, e_2) = (self.w[1][0], self.w[2][0]);
        let [[_, m_11, m_12], [_, m_21, m_22]] = [self.w[1], self.w[2]];
        // k (u_⊥·d_t), and u_⊥·W_tt u, by cos², sin² and cos·sin.
        let cc = -mu * a * d_2 + d_n * mu * m_21;
        let ss = mu * b * d_1 - d_n * mu * m_12;
        let cs = mu * (a * d_1 - b * d_2) + d_n * mu * (m_22 - m_11);
        CirclePolynomial {
            c0: 0.5 * (cc + ss),
            c1: w_nn * d_2 - d_n * e_2,
            s1: d_n * e_1 - w_nn * d_1,
            c2: 0.5 * (cc - ss),
            s2: 0.5 * cs,
        }
    }

    /// The onset along one root of T, if its force presses and it moves forward.
    fn onset(
        &self,
        turn: &CirclePolynomial,
        angle: f64,
        is_clear: &mut bool,
    ) -> Option<RestAnswer> {
        let (s, c) = angle.sin_cos();
        let ray = [1.0, -self.mu_d * c, -self.mu_d * s];
        let [k, gain_1, gain_2] = [0, 1, 2].map(|i| dot(&self.w[i], &ray));
        let [d_n, d_1, d_2] = self.d;
        // 0 = d_n + λ k and 0 = u_⊥·d_t + λ g together: sound where k vanishes with d_n.
        let (g, h) = (c * gain_2 - s * gain_1, c * d_2 - s * d_1);
        let load = -(k * d_n + g * h) / (k * k + g * g);
        let along = c * d_1 + s * d_2 + load * (c * gain_1 + s * gain_2);
        let sizes = d_1.hypot(d_2) + load.abs() * gain_1.hypot(gain_2);
        let is_single = turn.slope(angle).abs() > UNCLEAR * self.turn_size();
        *is_clear &= (is_single && along.abs() > UNCLEAR * sizes) || load < 0.0;
        let is_loaded = d_n.abs() + h.abs() > ZERO * (d_n.abs() + d_1.hypot(d_2));
        let is_onset = is_loaded && load > 0.0 && load.is_finite() && along > ZERO * sizes;
        is_onset.then(|| RestAnswer {
            mode: RestMode::Onset,
            force: ray.map(|x| load * x),
            acceleration: [0.0, along * c, along * s],
            is_attracting: Some(turn.slope(angle) * k < 0.0),
            is_force_unique: true,
        })
    }

    /// Size of what T is a sum of.
    fn turn_size(&self) -> f64 {
        let t = self.turn();
        t.c0.abs() + t.c1.abs() + t.s1.abs() + t.c2.abs() + t.s2.abs()
    }
}
