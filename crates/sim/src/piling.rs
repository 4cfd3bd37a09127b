//! Impacts that pile up: the intervals of one contact shrink by a steady ratio.

/// Intervals that must have shrunk by the same ratio.
const STEADY: usize = 4;
/// How steady the ratio must be (relative).
const RATIO_TOLERANCE: f64 = 1e-3;
/// Piling is called once the time left to the limit is below this (s).
const TAIL: f64 = 1e-7;

/// The last instants of one contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piling {
    last: Option<f64>,
    intervals: Vec<f64>,
}

/// A geometric pile: last interval, its ratio, the limit it leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pile {
    pub(crate) interval: f64,
    pub(crate) ratio: f64,
    pub(crate) limit: f64,
}

impl Piling {
    /// Notes an impact; a pile, once it is steady and its tail is short.
    pub(crate) fn note(&mut self, time: f64) -> Option<Pile> {
        if let Some(last) = self.last {
            self.intervals.push(time - last);
        }
        self.last = Some(time);
        if self.intervals.len() > STEADY + 1 {
            self.intervals.remove(0);
        }
        if self.intervals.len() <= STEADY {
            return None;
        }
        let ratios: Vec<f64> = self.intervals.windows(2).map(|w| w[1] / w[0]).collect();
        let ratio = *ratios.last()?;
        let interval = *self.intervals.last()?;
        let is_steady = ratios
            .iter()
            .all(|r| (r - ratio).abs() <= RATIO_TOLERANCE * ratio);
        let tail = interval * ratio / (1.0 - ratio);
        let piles = is_steady && ratio < 1.0 && tail < TAIL;
        piles.then_some(Pile {
            interval,
            ratio,
            limit: time + tail,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_pile_is_seen_before_its_limit_and_placed_there() {
        let (mut piling, mut t, mut dt) = (Piling::default(), 1.0, 0.5);
        let pile = loop {
            if let Some(pile) = piling.note(t) {
                break pile;
            }
            t += dt;
            dt *= 0.7;
        };
        assert!((pile.ratio - 0.7).abs() < 1e-6);
        assert!((pile.limit - (1.0 + 0.5 / 0.3)).abs() < 1e-12, "{pile:?}");
    }

    #[test]
    fn impacts_at_a_steady_pace_are_no_pile() {
        let mut piling = Piling::default();
        assert!((0..100).all(|k| piling.note(1e-9 * f64::from(k)).is_none()));
    }
}
