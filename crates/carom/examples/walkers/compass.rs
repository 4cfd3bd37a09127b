//! The compass gait: two straight legs with masses, a mass at the hip, down a slope.
//!
//! Positions: the angles of the stance and of the swing leg, absolute, counter-clockwise from the
//! vertical, and how far down the slope the stance foot stands. Heel strike is plastic, the new foot
//! does not slip, the old one leaves freely, and the legs swap. Reference: `Goswami1998`.

use carom::multibody::mechanism::{
    Contacts, Crossing, Drawing, Dynamics, Group, GuardValue, Guards, Reset,
};
use carom::multibody::{Energy, State};

/// The walker on its slope.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompassGait {
    /// Slope, down to the right (rad).
    pub(crate) slope: f64,
    /// Mass of a leg (kg).
    pub(crate) leg: f64,
    /// Mass of the hip (kg).
    pub(crate) hip: f64,
    /// From the foot to the mass of the leg (m).
    pub(crate) below: f64,
    /// From the mass of the leg to the hip (m).
    pub(crate) above: f64,
    /// Gravity (m/s²).
    pub(crate) gravity: f64,
}

/// A point and its velocity.
#[derive(Clone, Copy)]
struct Moving {
    at: [f64; 2],
    v: [f64; 2],
}

/// `r × v` of two plane vectors.
fn cross(r: [f64; 2], v: [f64; 2]) -> f64 {
    r[0] * v[1] - r[1] * v[0]
}

fn between(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [b[0] - a[0], b[1] - a[1]]
}

/// A point `length` up a leg from a moving point; negative lengths go down.
fn along(from: Moving, length: f64, angle: f64, rate: f64) -> Moving {
    let (sin, cos) = angle.sin_cos();
    Moving {
        at: [from.at[0] - length * sin, from.at[1] + length * cos],
        v: [
            from.v[0] - length * rate * cos,
            from.v[1] - length * rate * sin,
        ],
    }
}

impl CompassGait {
    fn length(&self) -> f64 {
        self.below + self.above
    }

    /// Stance mass, hip, swing mass and swing foot, with the stance foot at the origin.
    fn points(&self, angles: [f64; 2], rates: [f64; 2]) -> [Moving; 4] {
        let foot = Moving {
            at: [0.0; 2],
            v: [0.0; 2],
        };
        let ([stance, swing], [w, w_swing]) = (angles, rates);
        let hip = along(foot, self.length(), stance, w);
        [
            along(foot, self.below, stance, w),
            hip,
            along(hip, -self.above, swing, w_swing),
            along(hip, -self.length(), swing, w_swing),
        ]
    }

    /// Angular momentum of everything about a point, and of the stance leg about the hip.
    fn momenta(&self, points: &[Moving; 4], about: [f64; 2]) -> [f64; 2] {
        let [stance, hip, swing, _] = points;
        let all = [(self.leg, stance), (self.hip, hip), (self.leg, swing)];
        let moment = |(m, p): (f64, &Moving)| m * cross(between(about, p.at), p.v);
        let leg = self.leg * cross(between(hip.at, stance.at), stance.v);
        [all.into_iter().map(moment).sum(), leg]
    }

    /// Rates after a heel strike, of the old swing leg (now stance) and of the old stance leg.
    ///
    /// The impulse acts at the new foot only: the angular momentum of everything about it is kept,
    /// and that of the trailing leg about the hip.
    fn strike(&self, angles: [f64; 2], rates: [f64; 2]) -> [f64; 2] {
        let before = self.points(angles, rates);
        let kept = self.momenta(&before, before[3].at);
        // After it the legs have swapped and the new stance foot is the origin: stance and swing
        // mass change places in the list.
        let swapped = [angles[1], angles[0]];
        let momenta = |rates: [f64; 2]| {
            let after = self.points(swapped, rates);
            let [all, _] = self.momenta(&after, [0.0; 2]);
            let trailing = self.leg * cross(between(after[1].at, after[2].at), after[2].v);
            [all, trailing]
        };
        let (a, b) = (momenta([1.0, 0.0]), momenta([0.0, 1.0]));
        let det = a[0] * b[1] - a[1] * b[0];
        [
            (kept[0] * b[1] - kept[1] * b[0]) / det,
            (a[0] * kept[1] - a[1] * kept[0]) / det,
        ]
    }
}

impl Dynamics for CompassGait {
    fn rates(&self) -> usize {
        2
    }

    fn positions(&self) -> usize {
        3
    }

    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[state.v[0], state.v[1], 0.0]);
    }

    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        let (l, m) = (self.length(), self.leg);
        let stance = m * self.below * self.below + (self.hip + m) * l * l;
        let coupling = -m * l * self.above * (state.q[0] - state.q[1]).cos();
        let swing = m * self.above * self.above;
        out.copy_from_slice(&[stance, coupling, coupling, swing]);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        let (l, m, g) = (self.length(), self.leg, self.gravity);
        let (stance, swing) = (state.q[0], state.q[1]);
        let coupling = -m * l * self.above * (stance - swing).sin();
        out[0] = coupling * state.v[1] * state.v[1]
            - g * (m * self.below + (self.hip + m) * l) * stance.sin();
        out[1] = -coupling * state.v[0] * state.v[0] + g * m * self.above * swing.sin();
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let [stance, hip, swing, _] =
            self.points([state.q[0], state.q[1]], [state.v[0], state.v[1]]);
        let foot = -state.q[2] * self.slope.sin();
        let masses = [(self.leg, stance), (self.hip, hip), (self.leg, swing)];
        let mut energy = Energy::default();
        for (m, p) in masses {
            energy.kinetic += 0.5 * m * (p.v[0] * p.v[0] + p.v[1] * p.v[1]);
            energy.gravity += m * self.gravity * (p.at[1] + foot);
        }
        Some(energy)
    }
}

impl Contacts for CompassGait {}

impl Guards for CompassGait {
    fn guards(&self) -> usize {
        1
    }

    fn guard_name(&self, _: usize) -> String {
        "heel strike".to_owned()
    }

    fn guard_crossing(&self, _: usize) -> Crossing {
        Crossing::Falling
    }

    /// Height of the swing foot above the slope.
    fn guard_values(&mut self, state: State<'_>, _: &[f64], out: &mut [GuardValue]) {
        let [.., foot] = self.points([state.q[0], state.q[1]], [state.v[0], state.v[1]]);
        let (sin, cos) = self.slope.sin_cos();
        out[0] = GuardValue {
            value: foot.at[0] * sin + foot.at[1] * cos,
            rate: foot.v[0] * sin + foot.v[1] * cos,
        };
    }

    /// Only a foot that comes down ahead strikes; as the legs pass each other it scuffs.
    fn is_switched_on(&mut self, state: State<'_>, _: usize) -> bool {
        state.q[0] < -self.slope && state.q[1] > -self.slope
    }

    fn reset(&mut self, _: usize, _: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        let angles = [q[0], q[1]];
        let rates = self.strike(angles, [v[0], v[1]]);
        let [.., foot] = self.points(angles, rates);
        let step = foot.at[0].hypot(foot.at[1]);
        q.copy_from_slice(&[angles[1], angles[0], q[2] + step]);
        v.copy_from_slice(&rates);
        Reset::GoOn
    }
}

impl Drawing for CompassGait {
    fn groups(&self) -> Vec<Group> {
        vec![Group {
            name: "gait".to_owned(),
            kind: "own",
            positions: ["stance", "swing", "foot"].map(str::to_owned).to_vec(),
            units: vec!["rad", "rad", "m"],
            rates: 2,
        }]
    }
}
