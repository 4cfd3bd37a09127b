//! Axes: quantity, unit, round numbers along them.

use super::svg::{fitted, text_width};

/// Size of the numbers along an axis and of its name (units of the drawing).
pub(super) const NUMBERS: f64 = 13.0;
pub(super) const NAMES: f64 = 14.0;
/// Size of a name that needs more room.
const SMALLER: f64 = 12.0;

/// A range is flat when its width is below this fraction of its numbers: round-off is not shown.
const FLAT: f64 = 1e-6;
/// Room beside a flat range, as a fraction of its number.
const FLAT_ROOM: f64 = 0.1;
/// Numbers beyond these bounds are not drawn, or drawn as zero.
const HUGE: f64 = 1e290;
const TINY: f64 = 1e-290;
/// Part of a step by which a round number may lie outside the range: round-off of the range.
const EDGE: f64 = 1e-9;
/// Decimals a number along an axis never exceeds.
const MOST_DECIMALS: usize = 9;
/// Ticks an axis never exceeds.
const MOST_TICKS: i64 = 40;

/// What an axis shows.
///
/// In names `_x` sets a subscript, `^x` a superscript; [`super::literal`] keeps a name as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    name: String,
    unit: String,
}

impl Axis {
    /// A quantity and its unit; an empty unit is not shown.
    pub fn new(name: &str, unit: &str) -> Self {
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
        }
    }

    /// The text beside the axis and its size, smaller where it would not fit the room; a name too
    /// long even then is cut, its unit stays.
    pub(super) fn label(&self, scale: &Scale, room: f64) -> (String, f64) {
        let unit = match format!("{}{}", scale.power, self.unit).trim() {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        let whole = format!("{}{unit}", self.name);
        let fits = |size: &f64| text_width(&whole, *size) <= room;
        if let Some(size) = [NAMES, SMALLER].into_iter().find(fits) {
            return (whole, size);
        }
        let name = fitted(&self.name, SMALLER, room - text_width(&unit, SMALLER));
        (format!("{name}{unit}"), SMALLER)
    }
}

/// Round numbers along an axis and the power of ten they are written in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    pub(super) ticks: Vec<f64>,
    unit: f64,
    power: String,
    decimals: usize,
    /// Words instead of numbers, one per tick.
    words: Vec<String>,
}

impl Scale {
    /// About `count` round numbers inside a range.
    pub(super) fn of(range: (f64, f64), count: usize) -> Self {
        let (unit, power) = unit(range);
        let ticks = ticks(range, count);
        let step = match ticks[..] {
            [a, b, ..] => (b - a) / unit,
            _ => 1.0,
        };
        // Decimals that show every step, such as 0.25, to a thousandth of it.
        let is_shown = |decimals: &usize| {
            let power = 10f64.powi(*decimals as i32);
            ((step * power).round() / power - step).abs() < 1e-3 * step
        };
        Self {
            ticks,
            unit,
            power,
            decimals: (0..MOST_DECIMALS).find(is_shown).unwrap_or(MOST_DECIMALS),
            words: Vec::new(),
        }
    }

    /// Words at 0, −1, −2, …, cut where they are wider than the room.
    pub(super) fn named(words: &[String], room: f64) -> Self {
        Self {
            ticks: (0..words.len()).map(|k| -(k as f64)).collect(),
            unit: 1.0,
            power: String::new(),
            decimals: 0,
            words: words.iter().map(|w| fitted(w, NUMBERS, room)).collect(),
        }
    }

    /// The same with at least three numbers.
    pub(super) fn upward(range: (f64, f64), count: usize) -> Self {
        let tries = (count..count + 4).map(|count| Self::of(range, count));
        let enough = tries.into_iter().find(|scale| scale.ticks.len() >= 3);
        enough.unwrap_or_else(|| Self::of(range, count))
    }

    /// As many numbers as stand side by side on `width` without touching.
    pub(super) fn across(range: (f64, f64), width: f64) -> Self {
        let fits = |scale: &Self| {
            let labels = scale.ticks.iter().map(|tick| scale.label(*tick));
            let widths = labels.map(|label| text_width(&label, NUMBERS) + NUMBERS);
            widths.fold(0.0, f64::max) * scale.ticks.len() as f64 <= width
        };
        let tries = (2..=7).rev().map(|count| Self::of(range, count));
        tries
            .into_iter()
            .find(fits)
            .unwrap_or_else(|| Self::of(range, 1))
    }

    pub(super) fn label(&self, tick: f64) -> String {
        if let Some(word) = self.words.get(-tick as usize) {
            return word.clone();
        }
        let shown = format!("{:.*}", self.decimals, tick.abs() / self.unit);
        if tick < 0.0 {
            format!("−{shown}")
        } else {
            shown
        }
    }

    /// Width of the widest number.
    pub(super) fn widest(&self) -> f64 {
        let labels = self.ticks.iter().map(|tick| self.label(*tick));
        let widths = labels.map(|label| text_width(&label, NUMBERS));
        widths.fold(0.0, f64::max)
    }
}

/// Whether a number can be drawn.
pub(super) fn is_drawable(x: f64) -> bool {
    x.abs() < HUGE
}

/// The range of the numbers that can be drawn, with room on both sides as a fraction of its width;
/// a flat one is widened. None without any number.
pub(super) fn range(numbers: impl Iterator<Item = f64>, room: f64) -> Option<(f64, f64)> {
    let mut ends: Option<(f64, f64)> = None;
    for x in numbers.filter(|x| is_drawable(*x)) {
        ends = Some(ends.map_or((x, x), |(low, high)| (low.min(x), high.max(x))));
    }
    let (low, high) = ends?;
    let most = low.abs().max(high.abs());
    if most < TINY {
        return Some((-1.0, 1.0));
    }
    let width = high - low;
    if width <= FLAT * most {
        return Some((low - FLAT_ROOM * most, high + FLAT_ROOM * most));
    }
    Some((low - room * width, high + room * width))
}

/// The power of ten an axis is labelled in, and how it is written before the unit.
fn unit(range: (f64, f64)) -> (f64, String) {
    let most = range.0.abs().max(range.1.abs());
    let power = most.log10().floor();
    if (-2.0..4.0).contains(&power) || !power.is_finite() {
        return (1.0, String::new());
    }
    let digits = format!("{power}");
    let raised = digits.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        c => char::from_u32(c as u32 - '0' as u32 + '⁰' as u32).unwrap_or(c),
    });
    (
        10f64.powf(power),
        format!("10{} ", raised.collect::<String>()),
    )
}

/// Round numbers inside a range, about `count` of them.
fn ticks(range: (f64, f64), count: usize) -> Vec<f64> {
    let raw = (range.1 - range.0) / count as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .map(|k| k * power)
        .into_iter()
        .find(|step| *step >= raw)
        .unwrap_or(raw);
    // An end that misses a round number by round-off still has it.
    let first = (range.0 / step - EDGE).ceil() as i64;
    let last = (range.1 / step + EDGE).floor() as i64;
    (first..=last.min(first.saturating_add(MOST_TICKS)))
        .map(|k| k as f64 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            ticks((0.0, 1.0), 5),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        let small = ticks((-3e-7, 4e-7), 6);
        assert!(small.len() > 3 && small.iter().all(|t| (-3e-7..=4e-7).contains(t)));
    }

    #[test]
    fn ticks_rise_and_their_numbers_differ_at_every_size_and_offset() {
        for power in (-280..280).step_by(7) {
            for offset in [0.0, -1.0, 0.3, 17.0, 4e3] {
                let size = 10f64.powi(power);
                let ends = [offset * size, (offset + 0.0123) * size];
                let range = range(ends.into_iter(), 0.05).unwrap();
                let scale = Scale::of(range, 6);
                assert!(scale.ticks.len() >= 2, "{range:?}");
                assert!(scale.ticks.is_sorted_by(|a, b| a < b), "{scale:?}");
                let labels: Vec<String> = scale.ticks.iter().map(|t| scale.label(*t)).collect();
                for pair in labels.windows(2) {
                    assert_ne!(pair[0], pair[1], "{scale:?}");
                }
            }
        }
    }

    #[test]
    fn a_flat_range_is_widened_and_an_empty_one_is_none() {
        assert_eq!(range([f64::NAN, f64::INFINITY].into_iter(), 0.1), None);
        assert_eq!(range([0.0, 5e-324].into_iter(), 0.1), Some((-1.0, 1.0)));
        assert_eq!(range([5.0; 3].into_iter(), 0.1), Some((4.5, 5.5)));
        let noise = range([7.0, 7.0 + 1e-12].into_iter(), 0.0).unwrap();
        assert!(noise.1 - noise.0 > 1.0);
    }

    #[test]
    fn numbers_side_by_side_do_not_touch() {
        for range in [(0.0, 6.0), (1234.5678, 1234.5912), (-1e-30, 3e-30)] {
            let scale = Scale::across(range, 380.0);
            let needed = scale.ticks.len() as f64 * scale.widest();
            assert!(scale.ticks.len() > 1 && needed < 380.0, "{scale:?}");
        }
    }

    #[test]
    fn numbers_along_an_axis_share_their_decimals_and_have_a_true_minus() {
        let labels = |range: (f64, f64), count: usize| {
            let scale = Scale::of(range, count);
            scale
                .ticks
                .iter()
                .map(|t| scale.label(*t))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels((-2.6, 7.1), 4), ["−2.5", "0.0", "2.5", "5.0"]);
        assert_eq!(labels((-1.0, 3.0), 4), ["−1", "0", "1", "2", "3"]);
        assert_eq!(labels((0.0, 6e-7), 3), ["0", "2", "4", "6"]);
    }

    #[test]
    fn a_long_name_is_cut_and_keeps_its_unit() {
        let axis = Axis::new(&"name ".repeat(50), "N·s");
        let (label, size) = axis.label(&Scale::of((0.0, 3e7), 4), 150.0);
        assert!(label.ends_with("… (10⁷ N·s)"), "{label}");
        assert!(text_width(&label, size) <= 150.0);
        let impulse = Axis::new("impulse", "N·s").label(&Scale::of((0.0, 6e-3), 4), 140.0);
        assert_eq!(impulse.0, "impulse (10⁻³ N·s)");
    }

    #[test]
    fn an_axis_of_small_numbers_is_labelled_in_a_power_of_ten() {
        assert_eq!(unit((0.0, 0.9)), (1.0, String::new()));
        assert_eq!(unit((-3e-7, 1e-8)).1, "10⁻⁷ ");
        assert_eq!(unit((0.0, 4.5e120)).1, "10¹²⁰ ");
    }
}
