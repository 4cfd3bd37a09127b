//! Impacts that pile up: infinitely many in finite time.
//!
//! A cycle of impacts, of one contact or of several in turn, repeats in times that shrink by a
//! steady ratio r. With d the last cycle, the impacts still to come take `d r/(1 − r)`. Where two
//! contacts strike in an order that never settles, blocks of impacts shrink all the same, and the
//! limit is known to the time that is left. The speeds of approach shrink in both cases, unless a
//! law makes energy: a ball between walls that close in strikes ever more often too, but ever
//! harder, and that is no pile.
//! A contact that strikes again without having parted beyond round-off is at the limit.

use carom_contact::impact::NoteCode;

use crate::journal::event::{Event, Happening};

/// Cycles whose times must have shrunk by the same ratio.
const STEADY: usize = 4;
/// Longest cycle looked for, in impacts.
const LONGEST: usize = 4;
/// Impacts of a block, where no cycle is found.
const BLOCK: usize = 8;
/// Blocks that must have shrunk, each to less than this part of the one before.
const BLOCK_RATIO: f64 = 0.9;
/// Impacts to remember.
const MEMORY: usize = 4 * BLOCK + 1;
/// How steady the ratio must be (relative).
const RATIO_TOLERANCE: f64 = 1e-3;
/// A pile is called once the time left to its limit is below this part of the time of the motion, and the
/// limit is known as well as round-off lets it be …
const TAIL: f64 = 1.4e-3;
/// … or once the time left is below this part …
const SHORT_TAIL: f64 = 2e-4;
/// … and the limit is known to this part of it, judged by the last two changes of the ratio …
const LIMIT_TOLERANCE: f64 = 2e-10;
/// … or once the time left is below this part of the time of the motion, where gaps near round-off.
pub(crate) const LAST_TAIL: f64 = 2e-6;

/// Spacings of a position by which a landing may be off.
const NOISE: f64 = 4.0;
/// Spacings by which an instant may be off.
const ULPS: f64 = 16.0;

/// Last flights in which other contacts that struck belong to a pile at its limit.
const WINDOW: f64 = 16.0;
/// Least part of a flight taken for lost in an impact.
const LEAST_LOSS: f64 = 0.01;
/// A speed below this part of the one before is round-off, and no rebound.
const REBOUND: f64 = 1e-12;

/// One impact of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) time: f64,
    pub(crate) contact: usize,
    /// Normal velocity before and after (m/s).
    pub(crate) v_n: (f64, f64),
    /// Whether its law made energy.
    pub(crate) gains: bool,
    /// Slip after (m/s).
    pub(crate) slip: f64,
    /// Whether it gripped: tangential restitution gave the slip back.
    pub(crate) grips: bool,
}

/// What times and heights of a pile are measured by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    /// Round-off of a position (m).
    pub(crate) spacing: f64,
    /// How high a contact flies that did not part beyond round-off (m).
    pub(crate) parted: f64,
    /// Time of the motion (s).
    pub(crate) time: f64,
    /// When the run ends (s): no limit beyond it is called.
    pub(crate) until: f64,
}

/// The last impacts of one contact, or of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piling {
    impacts: Vec<Stroke>,
}

/// A geometric pile: its contacts, last cycle, ratio, and the limit it leads to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pile {
    pub(crate) contacts: Vec<usize>,
    pub(crate) interval: f64,
    pub(crate) ratio: f64,
    pub(crate) limit: f64,
    /// How far the limit may be off (s), as estimated.
    pub(crate) bound: f64,
    /// Whether its last flight was lost in round-off.
    pub(crate) is_at_limit: bool,
    /// Whether its slips are seen to die with its speeds of approach.
    pub(crate) stops: bool,
    /// The contacts that gripped in their last impact: as long as they do their slips come back and die.
    pub(crate) grips: Vec<usize>,
    /// Whether these slips are seen to die no slower than the speeds of approach, so that they grip to the limit.
    pub(crate) wanes: bool,
}

/// Contacts of strokes that gripped.
fn gripping<'a>(strokes: impl Iterator<Item = &'a Stroke>) -> Vec<usize> {
    let strokes: Vec<Stroke> = strokes.filter(|one| one.grips).copied().collect();
    contacts(&strokes)
}

/// Impacts that grow out of rest: their last interval and its ratio to the one before, above 1, and the
/// instant in the past from which infinitely many would have come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Last interval between impacts (s).
    pub interval: f64,
    /// Ratio of successive intervals, above 1.
    pub ratio: f64,
    /// Where they would have begun (s).
    pub origin: f64,
}

impl Piling {
    /// Notes an impact; a cycle, once it is steady, its tail is short and its limit before the end.
    pub(crate) fn note_cycle(&mut self, stroke: Stroke, reach: &Reach) -> Option<Pile> {
        if self.impacts.len() == MEMORY {
            self.impacts.remove(0);
        }
        self.impacts.push(stroke);
        let pile = (1..=LONGEST).find_map(|length| self.cycle(length, reach));
        pile.filter(|pile| pile.limit <= reach.until)
    }

    /// The same of all contacts in turn, or a pile without a cycle, or one at its limit.
    pub(crate) fn note(&mut self, stroke: Stroke, reach: &Reach) -> Option<Pile> {
        let ended = self.ended(stroke, reach);
        let cycle = self.note_cycle(stroke, reach);
        let blocks = || self.blocks(reach).filter(|pile| pile.limit <= reach.until);
        cycle.or_else(blocks).or(ended)
    }

    /// A pile at its limit: the contact strikes at two instants in a row, alone or with others, and flew
    /// no higher than its speeds at the ends allow between, `max(v_n⁺, −v_n⁻) Δt`.
    fn ended(&self, stroke: Stroke, reach: &Reach) -> Option<Pile> {
        let before = self.impacts.iter().rev();
        let mut before = before.skip_while(|one| one.time == stroke.time).peekable();
        let time = before.peek()?.time;
        let mut at_once = before.take_while(|one| one.time == time);
        let last = at_once.find(|one| one.contact == stroke.contact)?;
        let interval = stroke.time - last.time;
        let height = last.v_n.1.max(-stroke.v_n.0) * interval;
        // Round-off of the gap gives back what an impact takes where that is less.
        let ratio = match stroke.v_n.0 < 0.0 {
            true => stroke.v_n.1 / -stroke.v_n.0,
            false => 0.0, // no approach to give back
        };
        let lost = if ratio < 1.0 {
            (1.0 - ratio).max(LEAST_LOSS)
        } else {
            1.0
        };
        if height * lost > reach.parted {
            return None;
        }
        let tail = if ratio < 1.0 {
            interval * ratio / (1.0 - ratio)
        } else {
            0.0
        };
        Some(Pile {
            contacts: self.lately(stroke, WINDOW * interval),
            interval,
            ratio,
            limit: stroke.time + tail,
            bound: interval.max(tail),
            is_at_limit: true,
            stops: false,
            grips: gripping([*last, stroke].iter()),
            wanes: true,
        })
    }

    /// The contact of a stroke and those that struck within a time before it.
    fn lately(&self, stroke: Stroke, window: f64) -> Vec<usize> {
        let is_late = |one: &&Stroke| stroke.time - one.time <= window;
        let late = self.impacts.iter().filter(is_late).copied();
        contacts(&late.chain([stroke]).collect::<Vec<_>>())
    }

    /// A pile at its limit: a contact that rebounded and is closed again without having parted.
    pub(crate) fn closed(&self, contact: usize, time: f64, reach: &Reach) -> Option<Pile> {
        let last = self.impacts.last()?;
        let rebounds = last.v_n.1 > REBOUND * -last.v_n.0;
        let v_n = (-last.v_n.0, last.v_n.1);
        let again = Stroke {
            time,
            contact,
            v_n: (-v_n.1, v_n.1 * v_n.1 / v_n.0),
            gains: false,
            slip: 0.0,
            grips: last.grips,
        };
        rebounds.then(|| self.ended(again, reach)).flatten()
    }

    /// A pile without a cycle: blocks of impacts that shrink.
    fn blocks(&self, reach: &Reach) -> Option<Pile> {
        if self.impacts.len() < MEMORY {
            return None;
        }
        let mut times = [0.0; MEMORY / BLOCK];
        for (k, time) in times.iter_mut().enumerate() {
            *time = self.impacts[(k + 1) * BLOCK].time - self.impacts[k * BLOCK].time;
        }
        let blocks = self.impacts[1..].chunks_exact(BLOCK);
        let hardest = |block: &[Stroke]| block.iter().fold(0.0, |v, s| s.v_n.0.min(v));
        let speeds: Vec<f64> = blocks.map(hardest).collect();
        let gains = self.impacts[MEMORY - BLOCK..].iter().any(|one| one.gains);
        if !gains && speeds.windows(2).any(|w| w[1] <= w[0]) {
            return None; // no slower than the block before
        }
        let ratio = times.windows(2).map(|w| w[1] / w[0]).fold(0.0, f64::max);
        let interval = times[times.len() - 1];
        let tail = interval * ratio / (1.0 - ratio);
        if !(ratio < BLOCK_RATIO && tail < LAST_TAIL * reach.time) {
            return None;
        }
        Some(Pile {
            contacts: contacts(&self.impacts),
            interval,
            ratio,
            limit: self.impacts[MEMORY - 1].time + tail,
            bound: tail,
            is_at_limit: false,
            stops: false,
            grips: gripping(self.impacts[MEMORY - BLOCK..].iter()),
            wanes: true,
        })
    }

    /// A pile whose cycle has so many impacts.
    fn cycle(&self, length: usize, reach: &Reach) -> Option<Pile> {
        let needed = (STEADY + 1) * length + 1;
        let start = self.impacts.len().checked_sub(needed)?;
        let impacts = &self.impacts[start..];
        let gains = impacts[needed - length..].iter().any(|one| one.gains);
        let mut turns = impacts.iter().zip(&impacts[length..]);
        let repeats = turns
            .clone()
            .all(|(one, next)| one.contact == next.contact && (gains || next.v_n.0 > one.v_n.0));
        if !repeats {
            return None;
        }
        let time = |k: usize| impacts[(k + 1) * length].time - impacts[k * length].time;
        let times: [f64; STEADY + 1] = std::array::from_fn(time);
        let ratios: [f64; STEADY] = std::array::from_fn(|k| times[k + 1] / times[k]);
        let (interval, ratio) = (times[STEADY], ratios[STEADY - 1]);
        let is_steady = |r: &f64| (r - ratio).abs() <= RATIO_TOLERANCE * ratio;
        if !(ratio < 1.0 && ratios.iter().all(is_steady)) {
            return None;
        }
        let ends: [f64; STEADY] = std::array::from_fn(|k| impacts[(k + 2) * length].time);
        let limit = |k: usize| ends[k] + times[k + 1] * ratios[k] / (1.0 - ratios[k]);
        let limits: [f64; STEADY] = std::array::from_fn(limit);
        let at = impacts[needed - 1].time;
        // Round-off of the positions moves every landing: the more, the slower it is.
        let landing = reach.spacing / impacts[needed - 1].v_n.0.abs();
        let noise = NOISE * landing / ((1.0 - ratio) * (1.0 - ratio));
        let (mut limit, bound) = extrapolated(&limits, at, ratio);
        let (least, most) = limits
            .iter()
            .fold((limit, limit), |(a, b), x| (a.min(*x), b.max(*x)));
        if most - least <= noise {
            limit = averaged(&times, &ends, &ratios);
        }
        let tail = limit - at;
        let changes = ratios[STEADY - 3..].windows(2).map(|w| (w[1] - w[0]).abs());
        let change = changes.fold(0.0, f64::max);
        let drift = interval * change / ((1.0 - ratio) * (1.0 - ratio));
        let is_known = tail < TAIL * reach.time && drift < noise;
        let is_told = tail < SHORT_TAIL * reach.time && drift < LIMIT_TOLERANCE * reach.time;
        if !(is_known || is_told || tail < LAST_TAIL * reach.time) {
            return None;
        }
        let shrinks = ratio * (1.0 + RATIO_TOLERANCE);
        let dies = |(one, next): (&Stroke, &Stroke)| next.slip.abs() <= shrinks * one.slip.abs();
        let [before, last] = [2, 1].map(|k| &impacts[needed - k * length..][..length]);
        // A slip that comes back goes a way of its own in every flight.
        let comes_back = impacts.iter().any(|one| one.grips && one.slip != 0.0);
        let mut gripped = before.iter().zip(last).filter(|(_, next)| next.grips);
        Some(Pile {
            contacts: contacts(&impacts[..length]),
            interval,
            ratio,
            limit,
            bound: bound + 0.5 * noise,
            is_at_limit: false,
            stops: !comes_back && turns.all(dies),
            grips: gripping(last.iter()),
            wanes: gripped.all(dies),
        })
    }

    /// Impacts of one contact that part by a steady ratio above 1, in their times and in their speeds
    /// alike: they come out of a rest in the past.
    pub(crate) fn growth(&self) -> Option<Growth> {
        let start = self.impacts.len().checked_sub(STEADY + 2)?;
        let impacts = &self.impacts[start..];
        let times = impacts.windows(2).map(|w| w[1].time - w[0].time);
        let times: Vec<f64> = times.collect();
        let ratios: Vec<f64> = times.windows(2).map(|w| w[1] / w[0]).collect();
        let speeds = impacts[1..].windows(2).map(|w| w[1].v_n.0 / w[0].v_n.0);
        let (interval, ratio) = (times[STEADY], ratios[STEADY - 1]);
        let is_steady = |r: f64| (r - ratio).abs() <= RATIO_TOLERANCE * ratio;
        let is_one = |one: &Stroke| one.contact == impacts[0].contact && !one.gains;
        let grows = ratio > 1.0 + RATIO_TOLERANCE
            && impacts.iter().all(is_one)
            && ratios.iter().copied().chain(speeds).all(is_steady);
        grows.then(|| Growth {
            interval,
            ratio,
            origin: impacts[STEADY + 1].time - interval * ratio / (ratio - 1.0),
        })
    }
}

/// The limit of impacts by Aitken's process, applied twice, and how far it may be off (s): as far as the
/// second application moves it, and the round-off of the instants as the first enlarges it.
fn extrapolated(limits: &[f64; STEADY], at: f64, ratio: f64) -> (f64, f64) {
    let [.., first, second, last] = *limits;
    let (before, change) = (second - first, last - second);
    let factor = change / before;
    let is_converging = factor.abs() < 1.0; // false where nothing changes
    let further = match is_converging {
        true => change * factor / (1.0 - factor),
        false => 0.0,
    };
    let round_off = ULPS * f64::EPSILON * at.abs() / ((1.0 - ratio) * (1.0 - ratio));
    let moved = match is_converging {
        true => further.abs(),
        false => change.abs() + before.abs(),
    };
    ((last + further).max(at), moved + round_off)
}

/// The limit where ratios differ by noise alone and have no trend to carry on: by their mean, in which the
/// longer cycles, known better, count more. `ends` are the instants at which the cycles end.
fn averaged(times: &[f64; STEADY + 1], ends: &[f64; STEADY], ratios: &[f64; STEADY]) -> f64 {
    let weights = times[1..].iter().map(|time| time * time);
    let weighted = weights
        .clone()
        .zip(ratios)
        .map(|(weight, ratio)| weight * ratio);
    let ratio = weighted.sum::<f64>() / weights.sum::<f64>();
    let last = ends[STEADY - 1];
    let tail = |(end, time): (&f64, &f64)| (end - last) + time * ratio / (1.0 - ratio);
    let tails = ends.iter().zip(&times[1..]).map(tail);
    last + (tails.sum::<f64>() / STEADY as f64).max(0.0)
}

/// The contacts that pushed in an event.
pub(crate) fn strokes(event: &Event) -> Vec<Stroke> {
    let time = event.time;
    match &event.what {
        Happening::Impact(impact) => {
            let end = impact.solution.end.iter();
            end.map(|end| Stroke {
                time,
                contact: impact.contact,
                v_n: (impact.problem.v_pre().n, end.v_post.n),
                gains: impact.solution.findings.energy_gain,
                slip: end.v_post.t,
                grips: impact.solution.findings.grips,
            })
            .collect()
        }
        Happening::Collision(all) => {
            // A contact that only hands on what others do does not strike.
            let hardest = all.v_n_pre.iter().fold(0.0f64, |v, x| v.min(*x));
            let strikes = |k: &usize| all.impulses[*k] > 0.0 && all.v_n_pre[*k] < REBOUND * hardest;
            let pushed = (0..all.contacts.len()).filter(strikes);
            let mut notes = all.posed.result.notes.iter();
            let grips = notes.any(|note| note.code == NoteCode::TangentialRebound);
            pushed
                .map(|k| Stroke {
                    time,
                    contact: all.contacts[k],
                    v_n: (all.v_n_pre[k], all.v_n_post[k]),
                    gains: all.work + all.friction_work > 0.0,
                    slip: all.slips[k],
                    grips,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The contacts of some impacts, each once.
fn contacts(impacts: &[Stroke]) -> Vec<usize> {
    let mut contacts: Vec<usize> = impacts.iter().map(|one| one.contact).collect();
    contacts.sort_unstable();
    contacts.dedup();
    contacts
}

#[cfg(test)]
mod tests;
