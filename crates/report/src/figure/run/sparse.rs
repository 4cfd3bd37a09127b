//! Whether the samples of a run tell single flights apart.

use carom_sim::record::RunRecord;

/// Samples an interval between events needs for its curve to be seen.
const ENOUGH: usize = 8;
/// Samples nobody asks for.
const MOST: f64 = 1e12;
/// Part of the run whose intervals may have fewer.
const SHARE: f64 = 0.1;

/// What a reader must know of curves between events that the samples do not resolve; none where they
/// do.
///
/// Intervals of less than [`ENOUGH`] samples are counted by their length: impacts that pile up at the
/// end of a run do not spoil its curves.
pub(crate) fn sparse_note(record: &RunRecord) -> Option<String> {
    let samples = &record.trajectory.as_ref()?.time;
    let (first, last) = (*samples.first()?, *samples.last()?);
    let mut times: Vec<f64> = record.events.iter().map(|event| event.time).collect();
    times.dedup();
    let intervals = times.windows(2).map(|pair| {
        let [from, to] = [pair[0], pair[1]].map(|t| samples.partition_point(|s| *s < t));
        (pair[1] - pair[0], to.saturating_sub(from))
    });
    let poor: Vec<f64> = intervals
        .filter(|(length, count)| *count < ENOUGH && *length > 0.0)
        .map(|(length, _)| length)
        .collect();
    let covered: f64 = poor.iter().sum();
    // A mean of the poor intervals by length, so that the shortest do not decide.
    let squares: f64 = poor.iter().map(|length| length * length).sum();
    let enough = (last - first) * ENOUGH as f64 * covered / squares;
    if !(covered > SHARE * (last - first) && (1.0..MOST).contains(&enough)) {
        return None;
    }
    let power = 10f64.powf(enough.log10().floor());
    let asked = power * (enough / power).ceil();
    Some(format!(
        "fewer than {ENOUGH} samples between events: the curves do not show single flights; set \
         run.samples (to {asked} or more)"
    ))
}
