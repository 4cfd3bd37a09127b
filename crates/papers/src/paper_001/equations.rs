//! Equations (1)–(7) and the reactions in motion, at random states against Carom's own matrices.

use super::pendulum::{Driving, Pendulum};
use super::world::{DRIVING, RandomState, World};
use crate::finding::{Finding, Keyed, ROUND_OFF, balance, show, worst};

/// Every finding about the smooth motion.
pub(super) fn findings(world: &World) -> Vec<Keyed> {
    vec![
        ("eq1", bounds_of_depth(world)),
        ("only_disk", only_the_disk_touches(world)),
        ("eq2", gap(world)),
        ("reference_to_1", reference_to_the_constraint(world)),
        ("eq3_a", mass_matrix(world)),
        ("eq3_q", loads(world)),
        ("eq5", accelerations(world)),
        ("eq6", determinant(world)),
        ("determinant_positive", determinant_is_positive(world)),
        ("eq20", kinetic_energy(world)),
        ("eq27", contact_velocity(world)),
        ("eq36_alpha", alpha(world)),
        ("eq36_gamma", gamma(world)),
        ("eq36_epsilon", epsilon(world)),
        ("reactions_first", reactions_of_the_first_part(world)),
        ("reactions_second", reactions_of_the_second_part(world)),
    ]
}

const AT_STATES: &str = "at 200 random states";

fn over(world: &World, residual: impl Fn(&Pendulum, &RandomState) -> f64) -> f64 {
    worst(
        world
            .states
            .iter()
            .map(|state| residual(&world.pendulum, state)),
    )
}

/// Relative difference of two numbers, judged against a scale.
fn apart(a: f64, b: f64, scale: f64) -> f64 {
    (a - b).abs() / scale.abs()
}

fn bounds_of_depth(world: &World) -> Finding {
    let Pendulum {
        l1, l2, r, depth, ..
    } = world.pendulum;
    let far = l1 + l2 + 2.0 * r;
    let said = format!("{} < {} < {}", show(l1), show(depth), show(far));
    Finding::holds(l1 < depth && depth < far, said.clone(), said)
}

/// Every point of the rods is at least as far from the obstacle as the disk or the joint A, and A
/// stays D − l1 away.
fn only_the_disk_touches(world: &World) -> Finding {
    let p = &world.pendulum;
    let least = |state: &RandomState| {
        let [p1, p2] = state.at.psi;
        let joint = p.depth - p.l1 * p1.cos();
        let along = (0..=20).map(|k| joint - p.l2 * f64::from(k) / 20.0 * p2.cos());
        along.fold(f64::INFINITY, f64::min) - p.f(state.at.psi).min(joint)
    };
    let margin = world.states.iter().map(least).fold(f64::INFINITY, f64::min);
    let clear = p.depth - p.l1;
    Finding::holds(
        margin >= -f64::EPSILON && clear > 0.0,
        format!("no point of the rods is nearer than the disk or A {AT_STATES}"),
        format!(
            "least of (gap of a rod point - min(f, gap of A)) = {}; the gap of A is at least D - l1 = {} m",
            show(margin),
            show(clear)
        ),
    )
}

fn gap(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        apart(p.f(state.at.psi), state.gap, p.depth)
    });
    Finding::identity(
        worst,
        AT_STATES,
        "f of (7) against Carom's gap of disk and half-space",
    )
}

/// (1) holds whatever the pendulum does; (2) is what ends and resumes.
fn reference_to_the_constraint(world: &World) -> Finding {
    let p = &world.pendulum;
    let Some(event) = world.smooth.run.events.first() else {
        return Finding::holds(false, "no impact", "no impact");
    };
    let samples = &world.smooth.run.samples;
    let later = samples.iter().find(|sample| sample.time > event.time);
    let f = |q: &[f64]| p.f([q[0], q[0] + q[1]]);
    let (at, after) = (f(&event.q), later.map_or(f64::NAN, |sample| f(&sample.q)));
    let far = p.l1 + p.l2 + 2.0 * p.r;
    let one_holds = p.l1 < p.depth && p.depth < far;
    Finding::misprint(
        [!one_holds, at.abs() <= ROUND_OFF && after > 0.0],
        "(2) becomes inactive, (1) does not change",
        format!(
            "(1) reads {} < {} < {} before, in and after the impact; f of (2) is {} at it and {} m at the next sample",
            show(p.l1),
            show(p.depth),
            show(far),
            show(at),
            show(after)
        ),
    )
}

fn mass_matrix(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let a = p.a(state.at.psi);
        let scale = a[0][0];
        worst((0..4).map(|k| apart(a[k / 2][k % 2], state.mass[k / 2][k % 2], scale)))
    });
    Finding::identity(
        worst,
        AT_STATES,
        "A of (3) against Carom's mass matrix in psi1, psi2",
    )
}

/// A ψ̈ − Q with Carom's ψ̈, dampers and torques included.
fn loads(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let (a, q) = (p.a(state.at.psi), p.q(&DRIVING, state.t, &state.at));
        worst(
            (0..2).map(|i| balance(&[a[i][0] * state.driven[0], a[i][1] * state.driven[1], -q[i]])),
        )
    });
    Finding::identity(
        worst,
        AT_STATES,
        "A psi'' - Q with Carom's psi'' of the pendulum with dampers c1 = 0.37, c2 = 0.11 N m s and torques 5.3 cos 4.1 t, 2.9 cos 6.7 t N m",
    )
}

fn accelerations(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let found = p.acceleration(&DRIVING, state.t, &state.at);
        let scale = found[0].abs().max(found[1].abs());
        worst((0..2).map(|i| apart(found[i], state.driven[i], scale)))
    });
    Finding::identity(worst, AT_STATES, "A^-1 Q against Carom's accelerations")
}

fn determinant(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let [[a, b], [c, d]] = state.mass;
        let printed = p.determinant(state.at.psi);
        apart(printed, a * d - b * c, a * d)
    });
    Finding::identity(
        worst,
        AT_STATES,
        "(6) against the determinant of Carom's mass matrix",
    )
}

fn determinant_is_positive(world: &World) -> Finding {
    let p = &world.pendulum;
    let folded = p.determinant([0.0, 0.0]);
    let least = world.states.iter().map(|state| {
        let [[a, b], [c, d]] = state.mass;
        a * d - b * c
    });
    let least = least.fold(f64::INFINITY, f64::min);
    Finding::holds(
        folded > 0.0 && least >= folded,
        format!("at least {} kg^2 m^4", show(folded)),
        format!(
            "the last term of (6) is a square: the least is at sin(psi1 - psi2) = 0, {}; the least met {AT_STATES} is {}",
            show(folded),
            show(least)
        ),
    )
}

fn kinetic_energy(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        apart(p.kinetic(&state.at), state.kinetic, state.kinetic)
    });
    Finding::identity(
        worst,
        AT_STATES,
        "kinetic energy with the velocities of (20) against Carom's",
    )
}

fn contact_velocity(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let (psi, rate) = (state.at.psi, state.at.rate);
        let scale = p.l1 * rate[0].abs() + (p.l2 + 2.0 * p.r) * rate[1].abs();
        apart(p.s(psi, rate), -state.v_t, scale).max(apart(p.c(psi, rate), state.v_n, scale))
    });
    Finding::identity(
        worst,
        AT_STATES,
        "s and c against -v_t and v_n of Carom's contact rows (t to the right, the paper's x to the left); c = f', positive when the bodies part",
    )
}

fn alpha(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        apart(
            p.coefficients(state.at.psi).alpha,
            state.w.tt(),
            state.w.tt(),
        )
    });
    Finding::identity(worst, AT_STATES, "A_i/(4|A|) against W_tt of J M^-1 J^T")
}

fn gamma(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let scale = state.w.nn().max(state.w.tt());
        apart(p.coefficients(state.at.psi).gamma, state.w.nn(), scale)
    });
    Finding::identity(
        worst,
        AT_STATES,
        "Gamma_i/(4|A|) against W_nn of J M^-1 J^T",
    )
}

/// The text leaves one bracket of E_i open; only one place for it gives W_nt.
fn epsilon(world: &World) -> Finding {
    let miss = |late: bool| {
        over(world, |p, state| {
            let psi = state.at.psi;
            let found = match late {
                true => p.epsilon_closed_late(psi),
                false => p.coefficients(psi).epsilon,
            };
            apart(found, -state.w.nt(), state.w.nn().max(state.w.tt()))
        })
    };
    let (late, early) = (miss(true), miss(false));
    Finding::corrected(
        [late <= ROUND_OFF, early <= ROUND_OFF],
        format!(
            "residual {} {AT_STATES} with the bracket closed",
            show(early)
        ),
        format!(
            "one bracket of E_i is left open in the text at hand: l_c m_2 (l_2 + r(1 + cos psi_2)) - I_2 - l_c^2 m_2 gives -W_nt of J M^-1 J^T to {}; closed after l_c^2 m_2 instead it misses by {} of the largest of W",
            show(early),
            show(late)
        ),
    )
}

/// Acceleration of a point at `reach` on a link: x to the left and z up.
fn turning(reach: f64, psi: f64, rate: f64, acceleration: f64) -> [f64; 2] {
    let (sin, cos) = psi.sin_cos();
    [
        -reach * (acceleration * cos - rate * rate * sin),
        reach * (acceleration * sin + rate * rate * cos),
    ]
}

/// (13), (14) and (17) for forces: momentum of the first part with Carom's reactions.
fn reactions_of_the_first_part(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let ([p1, _], [w1, _]) = (state.at.psi, state.at.rate);
        let [x, z] = turning(p.l1 / 2.0, p1, w1, state.free[0]);
        let [[r, pp, _], [h, minus_v, _]] = state.reactions.map(|reaction| reaction.force);
        let (v, half) = (-minus_v, p.l1 / 2.0);
        worst([
            balance(&[p.m1 * x, -h, r]),
            balance(&[p.m1 * z, -v, -pp, p.m1 * p.g]),
            balance(&[
                p.i1 * state.free[0],
                -(v - pp) * half * p1.sin(),
                (r + h) * half * p1.cos(),
            ]),
        ])
    });
    Finding::identity(
        worst,
        AT_STATES,
        "m1 a1x = H - R, m1 a1z = V + P - m1 g and the moment about C1, with Carom's reactions and accelerations",
    )
}

/// (15), (16) and (18) for forces, without contact.
fn reactions_of_the_second_part(world: &World) -> Finding {
    let worst = over(world, |p, state| {
        let ([p1, p2], [w1, w2]) = (state.at.psi, state.at.rate);
        let joint = turning(p.l1, p1, w1, state.free[0]);
        let arm = turning(p.lc, p2, w2, state.free[1]);
        let [h, minus_v, _] = state.reactions[1].force;
        worst([
            balance(&[p.m2 * joint[0], p.m2 * arm[0], h]),
            balance(&[p.m2 * joint[1], p.m2 * arm[1], -minus_v, p.m2 * p.g]),
            balance(&[
                p.i2 * state.free[1],
                minus_v * p.lc * p2.sin(),
                h * p.lc * p2.cos(),
            ]),
        ])
    });
    Finding::identity(
        worst,
        AT_STATES,
        "m2 a2x = -H, m2 a2z = -V - m2 g and the moment about C2, with Carom's reactions and accelerations",
    )
}

/// Free of torques and dampers.
pub(super) const FREE: Driving = Driving {
    c: [0.0; 2],
    amplitude: [0.0; 2],
    frequency: [0.0; 2],
};
