//! The impacts of a run in the paper's quantities.

use carom::sim::Event;

use super::pendulum::Angles;
use super::world::{Motion, World, angles};

/// One impact: x to the left, z up, impulses as in Fig. 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Strike {
    pub(super) time: f64,
    pub(super) mu: f64,
    pub(super) before: Angles,
    pub(super) after: Angles,
    /// Normal impulse F̄ and its part up to greatest compression F̄_m (N·s).
    pub(super) f: f64,
    pub(super) f_m: f64,
    /// Friction impulse T̄ (N·s).
    pub(super) t: f64,
    /// Impulses at O: horizontal R̄ and vertical P̄ (N·s).
    pub(super) r: f64,
    pub(super) p: f64,
    /// Impulses at A: horizontal H̄ and vertical V̄ (N·s).
    pub(super) h: f64,
    pub(super) v: f64,
    /// s and c by Carom, before and after (m/s).
    pub(super) start: [f64; 2],
    pub(super) end: [f64; 2],
    pub(super) kind: &'static str,
    /// Change of energy and its parts by normal and friction impulse (J).
    pub(super) energy_change: f64,
    pub(super) works: [f64; 2],
}

impl Strike {
    fn of(event: &Event, mu: f64) -> Option<Self> {
        let impact = event.impact()?;
        let end = impact.solution.end?;
        let start = impact.problem.v_pre();
        let [[r, p, _], [h, minus_v, _]] = [0, 1].map(|k| event.joint_impulses[k].force);
        Some(Self {
            time: event.time,
            mu,
            before: angles(&event.q, &event.v_pre),
            after: angles(&event.q_post, &event.v_post),
            f: end.impulse.n,
            f_m: impact.solution.compression?.p_n,
            t: -end.impulse.t,
            r,
            p,
            h,
            v: -minus_v,
            start: [-start.t, start.n],
            end: [-end.v_post.t, end.v_post.n],
            kind: impact.solution.contact_type.name(),
            energy_change: event.energy_change?,
            works: event.works(),
        })
    }

    /// Jump of the angular velocities (rad/s).
    pub(super) fn jump(&self) -> [f64; 2] {
        [0, 1].map(|i| self.after.rate[i] - self.before.rate[i])
    }
}

/// Every impact of a run that has an end.
pub(super) fn strikes(motion: &Motion) -> Vec<Strike> {
    let mu = motion.mu();
    let events = motion.run.events.iter();
    events.filter_map(|event| Strike::of(event, mu)).collect()
}

/// Every impact of both simulations.
pub(super) fn all(world: &World) -> Vec<Strike> {
    world.motions().into_iter().flat_map(strikes).collect()
}
