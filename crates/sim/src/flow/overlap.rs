//! Contacts that overlap: at the start, or because their touching was missed.

use carom_multibody::State;

use super::Flow;
use crate::world::World;
use crate::{Rule, SimError, Stuck};

/// A contact that overlaps by more than round-off of the lengths involved has no history.
pub(crate) fn refuse_overlap(
    flow: &mut Flow<'_>,
    state: State<'_>,
    rules: &[Rule],
) -> Result<(), SimError> {
    let scale = flow.scale.clone();
    match overlap(flow, state, |contact, gap| {
        scale.overlaps(contact, gap, state.q)
    }) {
        None => Ok(()),
        Some((contact, gap)) => Err(SimError::Overlap {
            contact: rules[contact].name.clone(),
            gap,
            unit: flow.mechanism.gap_unit(contact),
        }),
    }
}

impl World<'_> {
    /// A motion that went into an overlap is no result.
    pub(crate) fn refuse_missed(&mut self) -> Result<(), SimError> {
        let now = self.now();
        let scale = self.flow.scale.clone();
        let is_missed = |contact, gap| scale.is_missed(contact, gap, &now.q);
        match overlap(&mut self.flow, now.state(), is_missed) {
            None => Ok(()),
            Some((contact, gap)) => Err(self.stuck(Stuck::Missed {
                contact: self.rules[contact].name.clone(),
                gap,
                unit: self.flow.mechanism.gap_unit(contact),
            })),
        }
    }
}

/// The first contact that overlaps too much, and its gap.
fn overlap(
    flow: &mut Flow<'_>,
    state: State<'_>,
    is_too_much: impl Fn(usize, f64) -> bool,
) -> Option<(usize, f64)> {
    let gaps: Vec<f64> = flow.gaps(state).iter().map(|gap| gap.gap).collect();
    let mut deep = gaps
        .into_iter()
        .enumerate()
        .filter(|(contact, gap)| is_too_much(*contact, *gap));
    deep.find(|(contact, _)| flow.mechanism.owns_touch(state, *contact))
}
