//! The paper's pendulum: its parameters, and its equations as it prints them.

/// Parameters in the paper's symbols (SI units).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pendulum {
    pub(super) m1: f64,
    pub(super) m2: f64,
    pub(super) l1: f64,
    pub(super) l2: f64,
    pub(super) r: f64,
    pub(super) lc: f64,
    pub(super) i1: f64,
    pub(super) i2: f64,
    /// Distance D of the obstacle below O (m).
    pub(super) depth: f64,
    /// Gravity; the paper does not print its value (m/s²).
    pub(super) g: f64,
    pub(super) restitution: f64,
}

/// Joint damping and torques of (3).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Driving {
    pub(super) c: [f64; 2],
    pub(super) amplitude: [f64; 2],
    pub(super) frequency: [f64; 2],
}

/// Angles from the downward vertical, counter-clockwise (rad), and their rates (rad/s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Angles {
    pub(super) psi: [f64; 2],
    pub(super) rate: [f64; 2],
}

/// α, γ and ε of (34)–(35).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coefficients {
    pub(super) alpha: f64,
    pub(super) gamma: f64,
    pub(super) epsilon: f64,
}

/// 2 × 2 matrix, row by row.
pub(super) type Matrix = [[f64; 2]; 2];

impl Pendulum {
    /// d below (18).
    pub(super) fn d(&self) -> f64 {
        self.l2 + self.r - self.lc
    }

    /// f of (7): D − l1 cos ψ1 − (l2 + r) cos ψ2 − r.
    pub(super) fn f(&self, psi: [f64; 2]) -> f64 {
        self.depth - self.l1 * psi[0].cos() - (self.l2 + self.r) * psi[1].cos() - self.r
    }

    /// A of (3).
    pub(super) fn a(&self, psi: [f64; 2]) -> Matrix {
        let Self { m1, m2, l1, lc, .. } = *self;
        let a12 = l1 * lc * m2 * (psi[0] - psi[1]).cos();
        [
            [self.i1 + l1 * l1 * (m1 / 4.0 + m2), a12],
            [a12, self.i2 + lc * lc * m2],
        ]
    }

    /// Q of (3).
    pub(super) fn q(&self, driving: &Driving, t: f64, at: &Angles) -> [f64; 2] {
        let Self {
            m1, m2, l1, lc, g, ..
        } = *self;
        let ([p1, p2], [w1, w2]) = (at.psi, at.rate);
        let [c1, c2] = driving.c;
        let torque = |i: usize| driving.amplitude[i] * (driving.frequency[i] * t).cos();
        let coupling = l1 * lc * m2 * (p1 - p2).sin();
        [
            torque(0) - (c1 + c2) * w1 + c2 * w2
                - coupling * w2 * w2
                - (m1 / 2.0 + m2) * g * l1 * p1.sin(),
            torque(1) + c2 * (w1 - w2) + coupling * w1 * w1 - m2 * g * lc * p2.sin(),
        ]
    }

    /// ψ̈ of (5).
    pub(super) fn acceleration(&self, driving: &Driving, t: f64, at: &Angles) -> [f64; 2] {
        let [[a11, a12], [_, a22]] = self.a(at.psi);
        let [q1, q2] = self.q(driving, t, at);
        let det = a11 * a22 - a12 * a12;
        [(a22 * q1 - a12 * q2) / det, (a11 * q2 - a12 * q1) / det]
    }

    /// |A| of (6).
    pub(super) fn determinant(&self, psi: [f64; 2]) -> f64 {
        let Self {
            m1,
            m2,
            l1,
            lc,
            i1,
            i2,
            ..
        } = *self;
        let sin = (psi[0] - psi[1]).sin();
        i1 * (i2 + lc * lc * m2)
            + 0.25 * l1 * l1 * (i2 * m1 + 4.0 * i2 * m2 + lc * lc * m1 * m2)
            + l1 * l1 * lc * lc * m2 * m2 * sin * sin
    }

    /// α, γ, ε of (36); the bracket that E_i leaves open is closed after `1 + cos ψ2`.
    pub(super) fn coefficients(&self, psi: [f64; 2]) -> Coefficients {
        let Self {
            m1,
            m2,
            l1,
            l2,
            r,
            lc,
            i1,
            i2,
            ..
        } = *self;
        let [p1, p2] = psi;
        let over = 4.0 * self.determinant(psi);
        let reach = r + (l2 + r) * p2.cos();
        let first = 4.0 * i1 + l1 * l1 * (m1 + 4.0 * m2);
        let (sin1, sin2) = (p1.sin(), p2.sin());
        let big_a = 4.0
            * l1
            * l1
            * p1.cos()
            * ((i2 + lc * lc * m2) * p1.cos() - lc * m2 * reach * (p1 - p2).cos())
            + first * reach * reach
            - 2.0 * l1 * l1 * lc * m2 * reach * ((2.0 * p1 - p2).cos() + p2.cos());
        let big_gamma = first * (l2 + r).powi(2) * sin2 * sin2
            + 4.0 * l1 * l1 * sin1 * sin1 * (i2 + lc * lc * m2 - lc * m2 * (l2 + r) * sin2 * sin2)
            - 2.0
                * l1
                * l1
                * lc
                * m2
                * (l2 + r)
                * (2.0 * sin1 * sin1 * sin2 * sin2 + (2.0 * p1).sin() * (2.0 * p2).sin());
        let head = lc * m2 * (l2 + r * (1.0 + p2.cos())) - i2 - lc * lc * m2;
        Coefficients {
            alpha: big_a / over,
            gamma: big_gamma / over,
            epsilon: self.big_e(psi, head) / over,
        }
    }

    /// ε of (36) with the open bracket closed after the last term of the sum, its other place.
    pub(super) fn epsilon_closed_late(&self, psi: [f64; 2]) -> f64 {
        let Self {
            m2, l2, r, lc, i2, ..
        } = *self;
        let head = lc * m2 * (l2 + r * (1.0 + psi[1].cos()) - i2 - lc * lc * m2);
        self.big_e(psi, head) / (4.0 * self.determinant(psi))
    }

    /// E_i of (36) with the bracket before `sin 2ψ1` given.
    fn big_e(&self, psi: [f64; 2], head: f64) -> f64 {
        let Self {
            m1,
            m2,
            l1,
            l2,
            r,
            lc,
            i1,
            ..
        } = *self;
        let [p1, p2] = psi;
        let first = 4.0 * i1 + l1 * l1 * (m1 + 4.0 * m2);
        2.0 * l1 * l1 * head * (2.0 * p1).sin()
            + r * (4.0 * l1 * l1 * lc * m2 * p1.sin().powi(2) - (l2 + r) * first) * p2.sin()
            + (l2 + r) * (2.0 * l1 * l1 * lc * m2 - (l2 + r) / 2.0 * first) * (2.0 * p2).sin()
    }

    /// s of (27) for rates, by (31) and (32); x to the left.
    pub(super) fn s(&self, psi: [f64; 2], rate: [f64; 2]) -> f64 {
        -self.l1 * rate[0] * psi[0].cos() - (self.r + (self.d() + self.lc) * psi[1].cos()) * rate[1]
    }

    /// c of (27) for rates, by (31) and (33); z up.
    pub(super) fn c(&self, psi: [f64; 2], rate: [f64; 2]) -> f64 {
        self.l1 * rate[0] * psi[0].sin() + (self.d() + self.lc) * rate[1] * psi[1].sin()
    }

    /// Velocities of C1 and C2 by (20), x to the left and z up.
    pub(super) fn centre_velocities(&self, at: &Angles) -> [[f64; 2]; 2] {
        let ([p1, p2], [w1, w2]) = (at.psi, at.rate);
        let half = self.l1 / 2.0;
        [
            [-half * w1 * p1.cos(), half * w1 * p1.sin()],
            [
                -self.l1 * w1 * p1.cos() - self.lc * w2 * p2.cos(),
                self.l1 * w1 * p1.sin() + self.lc * w2 * p2.sin(),
            ],
        ]
    }

    /// Kinetic energy of the two parts with the velocities of (20) (J).
    pub(super) fn kinetic(&self, at: &Angles) -> f64 {
        let [v1, v2] = self.centre_velocities(at);
        let square = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1];
        0.5 * (self.m1 * square(v1)
            + self.m2 * square(v2)
            + self.i1 * at.rate[0].powi(2)
            + self.i2 * at.rate[1].powi(2))
    }

    /// Energy of the pendulum hanging at rest, ψ1 = ψ2 = 0 (J).
    pub(super) fn equilibrium_energy(&self) -> f64 {
        -self.g * ((self.m1 / 2.0 + self.m2) * self.l1 + self.m2 * self.lc)
    }
}
