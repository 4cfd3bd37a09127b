//! Second route A: Coulomb's law marched through impulse space.
//!
//! The marcher knows `dv = W dp`, Coulomb's law at the present slip, and each law's own end. It
//! steps on in `p_n` with steps that double while nothing happens; a step that passes an event (slip
//! reaches zero, approach ends, the law is met) is halved until the event sits between neighbouring
//! numbers. Works are summed by the trapezoid, exact on straight pieces. Nothing of the closed form
//! is used: no order of halts, no contact types, no root of a quadratic.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::Law;
use carom_contact::impact::{ContactType, Outcome};
use common::{Problem, ROUTH, assert_close, between, chance, count, largest};
use fastrand::Rng;

/// Where the march stands.
#[derive(Debug, Clone, Copy)]
struct State {
    p_n: f64,
    p_t: f64,
    v_n: f64,
    v_t: f64,
    work_n: f64,
    work_t: f64,
    /// Normal work since greatest compression.
    work_rebound: f64,
}

/// What the march saw.
#[derive(Debug, Clone, Copy)]
struct Log {
    end: State,
    compression: State,
    contact_type: ContactType,
}

/// Coulomb's law as it is spoken: `dp_t/dp_n` at the slip velocity `v_t`, and whether it sticks.
fn coulomb(x: &Problem, v_t: f64) -> (f64, bool) {
    if v_t != 0.0 {
        return (-x.mu_d * v_t.signum(), false);
    }
    let holding = -x.c / x.b; // keeps v_t at zero
    if holding.abs() <= x.mu_s {
        return (holding, true);
    }
    let grows = |sigma: f64| sigma * (x.c - x.mu_d * sigma * x.b) > 0.0;
    assert!(
        grows(1.0) != grows(-1.0),
        "exactly one slip leaves rest: {x:?}"
    );
    (if grows(1.0) { -x.mu_d } else { x.mu_d }, false)
}

impl State {
    fn start(x: &Problem) -> Self {
        Self {
            p_n: 0.0,
            p_t: 0.0,
            v_n: x.v_n,
            v_t: x.v_t,
            work_n: 0.0,
            work_t: 0.0,
            work_rebound: 0.0,
        }
    }

    /// One step with a constant ratio of the impulses.
    fn step(&self, x: &Problem, ratio: f64, dp_n: f64) -> Self {
        let dp_t = ratio * dp_n;
        let v_n = self.v_n + (x.a * dp_n + x.c * dp_t);
        let v_t = self.v_t + (x.c * dp_n + x.b * dp_t);
        let work_n = 0.5 * (self.v_n + v_n) * dp_n;
        Self {
            p_n: self.p_n + dp_n,
            p_t: self.p_t + dp_t,
            v_n,
            v_t,
            work_n: self.work_n + work_n,
            work_t: self.work_t + 0.5 * (self.v_t + v_t) * dp_t,
            work_rebound: self.work_rebound + work_n,
        }
    }
}

/// Whether the law says that the impact is over.
fn is_over(x: &Problem, law: Law, compression: &State, now: &State) -> bool {
    match law {
        Law::Newton => now.v_n >= x.restitution * x.v_n.abs(),
        Law::Poisson => now.p_n >= compression.p_n + x.restitution * compression.p_n,
        _ => now.work_rebound >= x.restitution * x.restitution * compression.work_n.abs(),
    }
}

/// The longest step up to `most` that does not pass `event`, and whether one is passed just after.
fn step_to(most: f64, event: impl Fn(f64) -> bool) -> (f64, bool) {
    if !event(most) {
        return (most, false);
    }
    let (mut before, mut after) = (0.0, most);
    loop {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            return (after, true);
        }
        if event(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
}

/// Marches until `is_done`, which may fall anywhere in a step; slip is stopped where it vanishes.
struct March<'a> {
    x: &'a Problem,
    now: State,
    /// Slip reached zero here, in this phase.
    halted_in_compression: Option<bool>,
    stuck_after: bool,
}

impl March<'_> {
    fn until(&mut self, is_compression: bool, is_done: impl Fn(&State) -> bool) {
        let x = self.x;
        let mut dp_n = 1e-3 * largest(&[x.v_n, x.v_t]) / (x.a + x.b);
        while !is_done(&self.now) {
            let from = self.now;
            let (ratio, is_stuck) = coulomb(x, from.v_t);
            self.stuck_after = is_stuck;
            let halts = |s: &State| !is_stuck && s.v_t * from.v_t <= 0.0 && from.v_t != 0.0;
            let at = |h: f64| {
                let mut s = from.step(x, ratio, h);
                s.v_t = if is_stuck { 0.0 } else { s.v_t };
                s
            };
            let (h, is_event) = step_to(dp_n, |h| halts(&at(h)) || is_done(&at(h)));
            self.now = at(h);
            if is_event && halts(&self.now) {
                self.now.v_t = 0.0;
                self.halted_in_compression = Some(is_compression);
            }
            dp_n *= if is_event { 1.0 } else { 2.0 };
        }
    }

    fn contact_type(&self) -> ContactType {
        let is_rest = self.x.v_t == 0.0;
        match (self.halted_in_compression, self.stuck_after) {
            (None, true) if is_rest => ContactType::NonSlidingCompression,
            (None, _) => ContactType::PermanentSliding,
            (Some(true), true) => ContactType::NonSlidingCompression,
            (Some(true), false) => ContactType::ReverseCompression,
            (Some(false), true) => ContactType::NonSlidingRestitution,
            (Some(false), false) => ContactType::ReverseRestitution,
        }
    }
}

/// The impact by `law`, or none: the bodies part, or rest without being pressed together.
fn march(x: &Problem, law: Law) -> Option<Log> {
    let ratio = coulomb(x, x.v_t).0;
    let is_pressed_in = x.v_n == 0.0 && x.a + x.c * ratio < 0.0;
    if !(x.v_n < 0.0 || is_pressed_in) {
        return None;
    }
    let mut march = March {
        x,
        now: State::start(x),
        halted_in_compression: None,
        stuck_after: false,
    };
    march.until(true, |s| s.v_n >= 0.0 && s.p_n > 0.0);
    march.now.v_n = 0.0;
    march.now.work_rebound = 0.0;
    let compression = march.now;
    march.until(false, |s| is_over(x, law, &compression, s));
    Some(Log {
        end: march.now,
        compression,
        contact_type: march.contact_type(),
    })
}

/// Regimes the sweep is about, in the order of `REGIMES`.
const REGIMES: [&str; 12] = [
    "permanent sliding",
    "stick in compression",
    "stick in restitution",
    "reverse in compression",
    "reverse in restitution",
    "mu_s > mu_d that decides",
    "jam slope",
    "impact without collision",
    "start at rest",
    "leaning forward",
    "leaning backward",
    "no impact",
];

fn regimes(x: &Problem, log: Option<&Log>) -> [bool; 12] {
    let is = |t| log.is_some_and(|l| l.contact_type == t);
    let threshold = x.c.abs() / x.b;
    let struck = log.is_some();
    [
        is(ContactType::PermanentSliding),
        is(ContactType::NonSlidingCompression),
        is(ContactType::NonSlidingRestitution),
        is(ContactType::ReverseCompression),
        is(ContactType::ReverseRestitution),
        struck && x.mu_d < threshold && threshold <= x.mu_s,
        struck && x.v_t != 0.0 && x.slip_rates().0 < 0.0,
        struck && x.v_n == 0.0,
        struck && x.v_t == 0.0,
        struck && x.c > 0.0,
        struck && x.c < 0.0,
        !struck,
    ]
}

/// General impacts, with jam slopes, starts at rest and impacts without collision mixed in.
fn draw(rng: &mut Rng) -> Problem {
    let mut x = Problem::general(rng);
    match rng.u8(0..20) {
        0..3 => {
            x.mu_s = x.a / x.c.abs() * between(rng, 1.01, 3.0);
            x.mu_d = x.mu_s;
            x.v_t = x.v_t.abs().copysign(x.c);
            x.v_n *= f64::from(u8::from(chance(rng, 0.6)));
        }
        3 => x.v_t = 0.0,
        4 => x.v_n = 0.0,
        5 => x.v_n = -x.v_n,
        6..11 => {
            // Slip that halts somewhere between greatest compression and the end.
            let (rate_n, rate_t) = x.slip_rates();
            let p = x.v_n.abs() / rate_n * between(rng, 1.0, 1.0 + x.restitution);
            if rate_n > 0.0 && rate_t * x.v_t < 0.0 {
                x.v_t = -rate_t * p;
            }
        }
        _ => {}
    }
    if chance(rng, 0.1) {
        x.restitution = f64::from(u8::from(rng.bool()));
    }
    x
}

/// Largest difference of the two routes, over the largest term of each quantity.
const TOLERANCE: f64 = 1e-12;

fn compare(x: &Problem, law: Law, log: &Log) {
    let s = x.solve(law);
    let at = format!("{law} {x:?}");
    assert_eq!(s.outcome, Outcome::Solved, "{at}");
    assert_eq!(s.contact_type, log.contact_type, "{at}");
    let (found, marched) = (s.end.unwrap(), log.end);
    let p = largest(&[marched.p_n, marched.p_t]);
    let v_n = largest(&[x.v_n, x.a * marched.p_n, x.c * marched.p_t]);
    let v_t = largest(&[x.v_t, x.c * marched.p_n, x.b * marched.p_t]);
    let work = largest(&[log.compression.work_n, marched.work_n, marched.work_t]);
    let close = |what: &str, found: f64, marched: f64, scale: f64| {
        assert_close(&format!("{what}, {at}"), found, marched, TOLERANCE * scale);
    };
    close("p_n", found.impulse.n, marched.p_n, p);
    close("p_t", found.impulse.t, marched.p_t, p);
    close("v_n", found.v_post.n, marched.v_n, v_n);
    close("v_t", found.v_post.t, marched.v_t, v_t);
    close("W_n", found.work.n, marched.work_n, work);
    close("W_t", found.work.t, marched.work_t, work);
    let compression = s.compression.unwrap();
    close("p_c", compression.p_n, log.compression.p_n, p);
    close("W_c", compression.work, log.compression.work_n, work);
}

#[test]
fn closed_form_agrees_with_coulombs_law_marched_through_impulse_space() {
    let mut rng = Rng::with_seed(31);
    let mut reached = [0usize; 12];
    let full = 20_000;
    for _ in 0..count(full) {
        let x = draw(&mut rng);
        for law in ROUTH {
            let log = march(&x, law);
            for (n, is) in reached.iter_mut().zip(regimes(&x, log.as_ref())) {
                *n += usize::from(is);
            }
            match log {
                Some(log) => compare(&x, law, &log),
                None => assert_eq!(x.solve(law).outcome, Outcome::NoImpact, "{x:?}"),
            }
        }
    }
    for (name, n) in REGIMES.iter().zip(reached) {
        assert!(n >= count(full) / 50, "{name}: reached {n} times");
    }
}

#[test]
fn the_marcher_itself_meets_the_rod_of_the_paper() {
    // Energetic law, e = 0.82: theory/planar-impact.md, ten printed digits.
    let rod = Problem {
        a: 2.5,
        c: -1.5,
        b: 2.5,
        v_n: -1.0,
        v_t: 0.6,
        mu_s: 0.73,
        mu_d: 0.7,
        restitution: 0.82,
    };
    let log = march(&rod, Law::Energetic).unwrap();
    assert_eq!(log.contact_type, ContactType::NonSlidingCompression);
    assert_close("v_n", log.end.v_n, 0.588_996_622_7, 1e-10);
    assert_close("p_n", log.end.p_n, 0.768_122_889_2, 1e-10);
    assert_close("p_t", log.end.p_t, 0.220_873_733_5, 1e-10);
}
