//! Second route B: a compliant contact integrated in time converges to the energetic law.
//!
//! The normal force is a bilinear spring: stiffness k while the bodies approach, k/e² while they
//! part, continuous at greatest compression. It stores `½ k x_c²` and returns `e²` of it: that *is*
//! the energetic coefficient. Friction is Coulomb's with a rigid tangent: slip, or a force that holds
//! `v_t = 0` as long as the cone has it. During the contact a finite acceleration `g` acts on the
//! contact point too, as gravity and motors do in a real mechanism:
//!
//! ```text
//! x' = −v_n,    v' = W f + g,    f_n = spring(x),    f_t by Coulomb
//! ```
//!
//! Why the order is 1/2. With `s = t √k` and `y = x √k` the spring force is `√k y`, and
//!
//! ```text
//! dy/ds = −v_n,    dv/ds = W (y, …) + g/√k
//! ```
//!
//! The stiffness survives only in `g/√k`. At `k = ∞` the orbit is Routh's path, whatever the shape of
//! the spring (`dv = W dp` and Coulomb's law know no time); a small term of size `k^(−1/2)` moves the
//! end, and the events on the way, by a multiple of `k^(−1/2)`. In other words the contact lasts
//! `O(k^(−1/2))`, and finite forces have that long to act. Hence order 1/2 in k, no more and no less
//! unless the first coefficient happens to vanish. Without `g` every stiffness gives the limit.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::ContactType;
use carom_contact::impact::Law;
use common::{Problem, assert_close};

/// A compliant impact: the rigid problem, the spring and the acceleration during contact.
#[derive(Debug, Clone, Copy)]
struct Contact {
    x: Problem,
    stiffness: f64,
    g_n: f64,
    g_t: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Friction {
    Slip(f64),
    Stick,
}

/// `compression, v_n, v_t, p_n, p_t`
type State = [f64; 5];

/// The spring, unloading from `greatest` compression once that is known.
#[derive(Debug, Clone, Copy)]
struct Spring {
    greatest: Option<f64>,
}

/// Time steps per radian of the stiffest oscillation.
const STEPS_PER_RADIAN: f64 = 400.0;

impl Contact {
    fn normal_force(&self, spring: Spring, compression: f64) -> f64 {
        let (k, e) = (self.stiffness, self.x.restitution);
        match spring.greatest {
            None => k * compression,
            Some(greatest) => k * greatest - k / (e * e) * (greatest - compression),
        }
    }

    /// The friction force that keeps `v_t` as it is.
    fn holding_force(&self, f_n: f64) -> f64 {
        -(self.x.c * f_n + self.g_t) / self.x.b
    }

    fn rate(&self, spring: Spring, friction: Friction, s: &State) -> State {
        let f_n = self.normal_force(spring, s[0]);
        let f_t = match friction {
            Friction::Slip(sigma) => -self.x.mu_d * sigma * f_n,
            Friction::Stick => self.holding_force(f_n),
        };
        let (a, b, c) = (self.x.a, self.x.b, self.x.c);
        let dv_t = match friction {
            Friction::Slip(_) => c * f_n + b * f_t + self.g_t,
            Friction::Stick => 0.0,
        };
        [-s[1], a * f_n + c * f_t + self.g_n, dv_t, f_n, f_t]
    }

    fn runge_kutta(&self, spring: Spring, friction: Friction, s: &State, h: f64) -> State {
        let f = |s: &State| self.rate(spring, friction, s);
        let plus = |s: &State, r: &State, h: f64| -> State {
            let mut out = *s;
            for (x, dx) in out.iter_mut().zip(r) {
                *x += h * dx;
            }
            out
        };
        let k_1 = f(s);
        let k_2 = f(&plus(s, &k_1, 0.5 * h));
        let k_3 = f(&plus(s, &k_2, 0.5 * h));
        let k_4 = f(&plus(s, &k_3, h));
        let mut out = *s;
        for i in 0..5 {
            out[i] += h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i]);
        }
        out
    }

    /// Coulomb's law at rest: held, or slipping the way the excess pushes.
    fn friction_at_rest(&self, f_n: f64) -> Friction {
        let holding = self.holding_force(f_n);
        if holding.abs() <= self.x.mu_s * f_n {
            Friction::Stick
        } else {
            Friction::Slip(-holding.signum())
        }
    }

    /// Follows the contact until the spring lets go.
    fn integrate(&self) -> (State, Spring) {
        let fastest = (self.stiffness * (self.x.a + self.x.mu_d * self.x.c.abs())).sqrt();
        let h = self.x.restitution / (fastest * STEPS_PER_RADIAN);
        let mut s: State = [0.0, self.x.v_n, self.x.v_t, 0.0, 0.0];
        let mut spring = Spring { greatest: None };
        let mut friction = Friction::Slip(self.x.v_t.signum());
        loop {
            let step = |h: f64| self.runge_kutta(spring, friction, &s, h);
            let turns = |s: &State| spring.greatest.is_none() && s[1] >= 0.0;
            let parts =
                |s: &State| spring.greatest.is_some() && self.normal_force(spring, s[0]) <= 0.0;
            let changes = |s: &State| self.changes_mode(friction, spring, s);
            let is_event = |s: &State| turns(s) || parts(s) || changes(s);
            if !is_event(&step(h)) {
                s = step(h);
                continue;
            }
            let at = first_event(h, |h| is_event(&step(h)));
            let now = step(at);
            let (is_turning, is_parting, is_changing) = (turns(&now), parts(&now), changes(&now));
            s = now;
            if is_parting {
                return (s, spring);
            }
            if is_turning {
                s[1] = 0.0;
                spring.greatest = Some(s[0]);
            }
            if is_changing {
                s[2] = 0.0;
                friction = self.friction_at_rest(self.normal_force(spring, s[0]));
            }
        }
    }

    /// Slip reaches zero, or the cone lets go of a stuck contact.
    fn changes_mode(&self, friction: Friction, spring: Spring, s: &State) -> bool {
        let f_n = self.normal_force(spring, s[0]);
        match friction {
            Friction::Slip(sigma) => sigma * s[2] < 0.0,
            Friction::Stick => self.holding_force(f_n).abs() > self.x.mu_s * f_n,
        }
    }
}

/// Time of the event inside a step, to the last bit.
fn first_event(h: f64, is_event: impl Fn(f64) -> bool) -> f64 {
    let (mut before, mut after) = (0.0, h);
    loop {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            return after;
        }
        if is_event(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
}

struct Case {
    contact_type: ContactType,
    x: Problem,
}

/// One case of every type, two coefficients of friction, and a jam slope.
fn cases() -> Vec<Case> {
    let case = |contact_type, w: [f64; 3], v: [f64; 2], mu: [f64; 2], restitution| Case {
        contact_type,
        x: Problem {
            a: w[0],
            c: w[1],
            b: w[2],
            v_n: v[0],
            v_t: v[1],
            mu_s: mu[0],
            mu_d: mu[1],
            restitution,
        },
    };
    let rod = [2.5, -1.5, 2.5];
    let ahead = [1.7, 1.1, 3.2];
    use ContactType as T;
    vec![
        case(T::PermanentSliding, rod, [-1.0, 2.0], [0.3, 0.3], 0.5),
        case(T::NonSlidingCompression, rod, [-1.0, 0.3], [0.75; 2], 0.5),
        case(T::NonSlidingRestitution, rod, [-1.0, 1.0], [0.75; 2], 0.5),
        case(T::ReverseCompression, rod, [-1.0, 0.2], [0.4; 2], 0.5),
        case(T::ReverseRestitution, rod, [-1.0, 1.0], [0.4; 2], 0.5),
        case(
            T::NonSlidingCompression,
            rod,
            [-1.0, 0.6],
            [0.73, 0.7],
            0.82,
        ),
        case(T::ReverseCompression, ahead, [-1.0, -0.3], [0.2; 2], 1.0),
        case(T::NonSlidingCompression, ahead, [-0.5, 0.8], [2.0; 2], 0.7),
    ]
}

/// Difference of the end `(v_n, v_t, p_n, p_t)` from the rigid limit.
fn distance_from_limit(contact: &Contact) -> f64 {
    let end = contact.x.solve(Law::Energetic).end.unwrap();
    let limit = [end.v_post.n, end.v_post.t, end.impulse.n, end.impulse.t];
    let (found, _) = contact.integrate();
    let squares = found[1..].iter().zip(limit).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
}

/// Slope of log(error) over log(1/k), by least squares.
fn observed_order(errors: &[(f64, f64)]) -> f64 {
    let n = errors.len() as f64;
    let points: Vec<_> = errors.iter().map(|(k, d)| (-k.ln(), d.ln())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x_0, y_0) = (mean(|p| p.0), mean(|p| p.1));
    let above: f64 = points.iter().map(|(x, y)| (x - x_0) * (y - y_0)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - x_0).powi(2)).sum();
    above / below
}

#[test]
fn a_stiff_contact_converges_to_the_energetic_law_like_the_square_root_of_its_compliance() {
    for Case { contact_type, x } in cases() {
        assert_eq!(x.solve(Law::Energetic).contact_type, contact_type, "{x:?}");
        let errors: Vec<_> = (0..6)
            .map(|i| {
                let contact = Contact {
                    x,
                    stiffness: 1e4 * 16f64.powi(i),
                    g_n: -9.81,
                    g_t: 3.0,
                };
                (contact.stiffness, distance_from_limit(&contact))
            })
            .collect();
        let order = observed_order(&errors);
        assert!(
            (order - 0.5).abs() < 0.05,
            "{contact_type:?}: order {order}, {errors:?}"
        );
        for pair in errors.windows(2) {
            let local = (pair[0].1 / pair[1].1).ln() / 16f64.ln();
            assert!((local - 0.5).abs() < 0.1, "{contact_type:?}: {errors:?}");
        }
        let nearest = errors[5].1;
        assert!(nearest < 1e-3, "{contact_type:?}: {errors:?}");
    }
}

#[test]
fn a_compliant_contact_without_other_forces_meets_the_energetic_law_at_any_stiffness() {
    for Case { contact_type, x } in cases() {
        for stiffness in [1.0, 1e4, 1e8] {
            let contact = Contact {
                x,
                stiffness,
                g_n: 0.0,
                g_t: 0.0,
            };
            let distance = distance_from_limit(&contact);
            assert!(
                distance < 1e-9,
                "{contact_type:?} at k = {stiffness:e}: {distance:e}"
            );
        }
    }
}

#[test]
fn the_bilinear_spring_returns_the_square_of_the_coefficient_of_what_it_stored() {
    let x = Problem {
        mu_s: 0.0,
        mu_d: 0.0,
        c: 0.0,
        ..cases()[0].x
    };
    let contact = Contact {
        x,
        stiffness: 1e5,
        g_n: 0.0,
        g_t: 0.0,
    };
    let (end, spring) = contact.integrate();
    assert_close("v_n", end[1], -x.restitution * x.v_n, 1e-10);
    let greatest = spring.greatest.unwrap();
    let lasting = greatest * (1.0 - x.restitution * x.restitution);
    assert_close(
        "compression left",
        end[0] / greatest,
        lasting / greatest,
        1e-9,
    );
}
