//! Contacts that overlap: at the start, or because their touching was missed.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;

use crate::flow::Flow;
use crate::legible::legible;
use crate::{Rule, SimError};

/// Overlap that passes as touching at the start (m).
const OVERLAP: f64 = 1e-12;
/// Overlap on the way, as a part of the lengths involved, that no round-off makes.
const MISSED: f64 = 1e-7;

/// A contact that overlaps by more than round-off of the lengths involved has no history.
pub(crate) fn refuse_overlap<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    state: State<'_>,
    rules: &[Rule],
) -> Result<(), SimError> {
    match overlap(flow, state, OVERLAP) {
        None => Ok(()),
        Some((contact, gap)) => Err(SimError::Overlap {
            contact: rules[contact].name.clone(),
            gap,
            unit: flow.mechanism.gap_unit(contact),
        }),
    }
}

/// A motion that went into an overlap is no result.
pub(crate) fn refuse_missed<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    state: State<'_>,
    rules: &[Rule],
) -> Result<(), SimError> {
    let size = state.q.iter().fold(1.0f64, |size, q| size.max(q.abs()));
    match overlap(flow, state, MISSED * size) {
        None => Ok(()),
        Some((contact, gap)) => {
            let (name, unit) = (&rules[contact].name, flow.mechanism.gap_unit(contact));
            let gap = legible(gap);
            let message = format!("the touching of {name} was missed: its gap is {gap} {unit}");
            Err(SimError::Integration {
                time: state.t,
                message,
            })
        }
    }
}

/// The first contact that overlaps by more than a distance, and its gap.
fn overlap<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    state: State<'_>,
    more_than: f64,
) -> Option<(usize, f64)> {
    let gaps: Vec<f64> = flow.gaps(state).iter().map(|gap| gap.gap).collect();
    let mut deep = gaps
        .into_iter()
        .enumerate()
        .filter(|(_, gap)| *gap < -more_than);
    deep.find(|(contact, _)| flow.mechanism.owns_touch(state, *contact))
}
