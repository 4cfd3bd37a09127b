//! Contacts that overlap at the start.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;

use crate::flow::Flow;
use crate::{Rule, SimError};

/// Overlap that passes as touching at the start (m).
const OVERLAP: f64 = 1e-12;

/// A contact that overlaps by more than round-off of the lengths involved has no history.
pub(crate) fn refuse_overlap<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    state: State<'_>,
    rules: &[Rule],
) -> Result<(), SimError> {
    let gaps: Vec<f64> = flow.gaps(state).iter().map(|gap| gap.gap).collect();
    for (contact, (gap, rule)) in gaps.into_iter().zip(rules).enumerate() {
        if gap < -OVERLAP && flow.mechanism.owns_touch(state, contact) {
            return Err(SimError::Overlap {
                contact: rule.name.clone(),
                gap,
                unit: flow.mechanism.gap_unit(contact),
            });
        }
    }
    Ok(())
}
