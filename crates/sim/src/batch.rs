//! What the guards that fired together mean.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_ode::{Fired, Integrator, Kind};

use crate::approach::{LastImpact, has_no_flight, opens};
use crate::flow::Flow;
use crate::mode::ContactMode;
use crate::sustained::Trigger;

/// What the guards that fired mean.
pub(crate) enum Batch {
    /// A graze, a feature that does not own its touch, guards of the system's own alone.
    Nothing,
    /// Contacts close; others touch at that instant.
    Closing {
        /// Contacts that approach.
        closing: Vec<usize>,
        /// Contacts that touch without approaching.
        touching: Vec<usize>,
    },
    /// Contacts are closed and do not open.
    Persists(Vec<usize>),
}

/// A gap this small is closed (m) …
const CLOSED: f64 = 1e-13;
/// … or one of so many spacings of the largest position.
const CLOSED_ULPS: f64 = 8.0;

/// A gap no deeper than this part of the positions may be round-off.
const SHALLOW: f64 = 1e-11;
/// Part of that depth beyond which a feature that does not own its touch is clearly past it.
const PASSED: f64 = 0.5;

/// How deep an open contact that seems to come off may be before it is asked again (m).
pub(crate) fn shallow(state: State<'_>) -> f64 {
    SHALLOW * state.q.iter().fold(1.0f64, |size, q| size.max(q.abs()))
}

/// An event: what the contacts do, the system's own guards that fired and count, in their order, and
/// the guards of closed contacts that did. All of them are honoured, contacts first.
pub(crate) struct Fires {
    pub(crate) batch: Batch,
    pub(crate) own: Vec<usize>,
    pub(crate) triggers: Vec<(usize, Trigger)>,
}

/// Sorts out an event.
pub(crate) fn batch<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    motion: &mut Integrator<Vec<f64>>,
    last: &LastImpact,
) -> Fires {
    let fired: Vec<Fired> = motion.fired().to_vec();
    let (t, y) = (motion.time(), motion.state().clone());
    let (q, v, _) = flow.split(&y);
    let state = State { t, q, v };
    let gaps = flow.gaps(state).to_vec();
    let acceleration = acceleration(flow, t, &y);
    let (mut closing, mut staying, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let watched = match &flow.sustained {
        Some(sustained) => sustained.watched(gaps.len()),
        None => Vec::new(),
    };
    let mut triggers = Vec::new();
    let shallow = shallow(state);
    for event in &fired {
        let Some(gap) = gaps.get(event.guard) else {
            let guard = event.guard - gaps.len();
            if guard >= flow.mechanism.guards() {
                let place = guard - flow.mechanism.guards();
                let found = watched.iter().find(|(guard, ..)| *guard == place);
                let counts = |_: &&(usize, usize, Trigger)| event.kind != Kind::Grazing;
                triggers.extend(
                    found
                        .filter(counts)
                        .map(|(_, contact, what)| (*contact, *what)),
                );
                continue;
            }
            if !flow.mechanism.is_switched_on(state, guard) {
                motion.pass(event.guard);
            } else if event.kind != Kind::Grazing {
                own.push(guard);
            }
            continue;
        };
        if !flow.mechanism.owns_touch(state, event.guard) {
            match gap.gap < -PASSED * shallow {
                true => motion.pass(event.guard),
                false => motion.pass_within(event.guard, shallow), // it may come to own it yet
            }
            continue;
        }
        let falling = (event.guard, gap.v_n);
        match event.kind {
            Kind::Grazing => {}
            _ if has_no_flight(flow.mechanism, state, falling, &acceleration) => {
                staying.push(event.guard);
            }
            _ if !last.approaches(flow.mechanism, state, event.guard, gap.v_n) => {
                // At rest but for round-off, or so flat a graze that the search took it for a
                // crossing: the acceleration decides.
                match opens(flow.mechanism, state, event.guard, &acceleration) {
                    true => motion.pass_within(event.guard, shallow),
                    false => staying.push(event.guard),
                }
            }
            Kind::Crossing | Kind::Violated => closing.push(event.guard),
        }
    }
    if !closing.is_empty() {
        let mut touching = touching(flow, state);
        touching.retain(|contact| !closing.contains(contact));
        let batch = Batch::Closing { closing, touching };
        return Fires {
            batch,
            own,
            triggers,
        };
    }
    let batch = match staying.is_empty() {
        false => Batch::Persists(staying),
        true => Batch::Nothing,
    };
    Fires {
        batch,
        own,
        triggers,
    }
}

/// Contacts that are closed at a state, held or with a gap that is round-off.
pub(crate) fn touching<M: Mechanism>(flow: &mut Flow<'_, M>, state: State<'_>) -> Vec<usize> {
    let size = state.q.iter().fold(0.0f64, |size, q| size.max(q.abs()));
    let closed = CLOSED.max(CLOSED_ULPS * f64::EPSILON * size);
    let gaps = flow.gaps(state).to_vec();
    let is_touching = |contact: &usize| {
        let held = flow.sustained.as_ref();
        let is_held = held.is_some_and(|s| s.mode(*contact) != ContactMode::Open);
        let is_closed = is_held || gaps[*contact].gap.abs() <= closed;
        is_closed && flow.mechanism.owns_touch(state, *contact)
    };
    (0..gaps.len()).filter(is_touching).collect()
}

/// Accelerations at a state; zero where there are none, which the motion will say.
pub(crate) fn acceleration<M: Mechanism>(flow: &mut Flow<'_, M>, t: f64, y: &[f64]) -> Vec<f64> {
    let mut dy = vec![0.0; y.len()];
    if flow.rates(t, y, &mut dy).is_err() {
        dy.fill(0.0);
    }
    flow.split(&dy).1.to_vec()
}
